"""What the page reads in a table that is dropped on it, under node: the counterpart of ``rs.read``."""

import json
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Sequence
from math import gcd
from pathlib import Path
from typing import Any

import pytest

import rankscape as rs
from rankscape.explorer import document

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the explorer's reader is not tested")
DRIVER = Path(__file__).with_name("explorer_reader.mjs")


def all_that_page_reads(paths: Sequence[Path], importances: Sequence[Sequence[float]] = ()) -> list[dict[str, Any]]:
    """Return what the page reads in each file.

    That is ``{"rows": [[domain or None, entity, [tn, fp, fn, tp]]], "counts": bool}``, each row as digits of integers in
    lowest terms, with ``"source"``, what the page carries, ``"exported"``, the CSV that it writes of it, and ``"ranks"``,
    ``{"order", "low", "high"}`` for each of the importances; or ``{"refused": True, "sentence": …}``.
    """
    with tempfile.TemporaryDirectory() as folder:
        script, listed = Path(folder) / "model.js", Path(folder) / "paths.json"
        script.write_text(document.bundle("csv", "leads", "maps", "priors", "together"), "utf-8")
        listed.write_text(json.dumps({"paths": [str(path) for path in paths], "importances": importances}), "utf-8")
        command = [NODE or "node", str(DRIVER), str(script), str(listed)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def page_reads(path: Path) -> dict[str, Any]:
    """Return what the page reads in one file, as :func:`all_that_page_reads` does."""
    return all_that_page_reads([path])[0]


def canonical(performances: rs.Performances) -> dict[str, Any]:
    """Return performances in the same form."""
    places: Sequence[str | None] = performances.domains or [None] * len(performances)
    rows = []
    for place, name, row in zip(places, performances.names, performances.integers.tolist(), strict=True):
        common = gcd(*(int(x) for x in row))
        rows.append([place, name, [str(int(x) // common) for x in row]])
    return {"rows": rows, "counts": performances.counts is not None}


def python_reads(path: Path) -> dict[str, Any]:
    """Return what ``rs.read`` reads in a file, in the same form; tables that a dropped file cannot be are refused, too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.ContradictionWarning)  # the page does not audit what is printed beside
            read = rs.read(path)
    except rs.errors.DataError as error:
        return {"refused": True, "sentence": str(error)}
    if read.space.outcomes != rs.TWO_CLASS.outcomes:
        return {"refused": True, "sentence": f"The page takes {rs.TWO_CLASS.outcomes}, not {read.space.outcomes}."}
    return canonical(read)

"""One corpus of small tables, read by every way in: the same rows, or the same refusal."""

import importlib.util
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from explorer_reader import all_that_page_reads, needs_node

import rankscape as rs
from rankscape.io import tally

SCRIPT = Path(__file__).resolve().parents[1] / "answers" / "spellings.py"
FRAMES: dict[str, Callable[[list[dict[str, str]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars, lazy": lambda cases: pl.DataFrame(cases).lazy(),
    "pyarrow": pa.Table.from_pylist,
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    spec = importlib.util.spec_from_file_location("spellings", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = tmp_path_factory.mktemp("corpus")
    return folder, module.make(folder)


def read(path: Any) -> dict[str, Any]:
    """Return the rows of a table in lowest terms, or that it was refused."""
    try:
        P = rs.read(path)
    except rs.RankscapeError:
        return {"refused": True}
    rows = []
    for i in range(len(P)):
        integers = [int(x) for x in P.integers[i]]
        divisor = math.gcd(*integers)
        rows.append([P.domains[i] if P.domains else None, P.names[i], [str(x // divisor) for x in integers]])
    return {"rows": rows, "counts": P.counts is not None}


def counted(source: Any, said: dict[str, Any]) -> dict[str, Any]:
    """Return the counts and the number of rows of a table of predictions, or that it was refused."""
    options = {"truth": "y", "prediction": "p", "entity": "model", "domain": "dom", "pos_label": said.get("pos_label")}
    try:
        found = tally(source, **options)
    except rs.RankscapeError:
        return {"refused": True}
    P = found.performances
    cells = zip(P.domains or (), P.names, P.counts.tolist(), strict=True)
    return {"counts": [list(cell) for cell in cells], "rows": found.rows}


def differing(results: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    return {name: (got, expected) for name, (got, expected) in results.items() if got != expected}


def of_kind(expected: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: said for name, said in expected.items() if name.startswith(f"{kind}/")}


def test_the_corpus_is_large_and_holds_refusals(corpus: tuple[Path, dict[str, Any]]) -> None:
    _, expected = corpus
    assert len(expected) >= 300
    assert sum("refused" in said for said in expected.values()) >= 40


def test_tables_of_counts(corpus: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = corpus
    tables = of_kind(expected, "counts")
    keys = ("rows", "counts", "refused")
    results = {name: (read(folder / name), {k: said[k] for k in keys if k in said}) for name, said in tables.items()}
    assert not differing(results)


@pytest.mark.parametrize("engine", [*FRAMES, "Parquet"])
def test_tables_of_counts_in_frames(corpus: tuple[Path, dict[str, Any]], engine: str, tmp_path: Path) -> None:
    folder, expected = corpus
    results = {}
    for name, said in of_kind(expected, "counts").items():
        if name.endswith("-texts.json"):
            records = json.loads((folder / name).read_text("utf-8"))
            if engine == "Parquet":
                pyarrow.parquet.write_table(pa.Table.from_pylist(records), tmp_path / "t.parquet")
            results[name] = read(tmp_path / "t.parquet" if engine == "Parquet" else FRAMES[engine](records)), said
    assert len(results) == 4
    assert not differing(results)


@needs_node
def test_tables_dropped_on_the_page(corpus: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = corpus
    tables = of_kind(expected, "counts")
    answers = all_that_page_reads([folder / name for name in tables])
    keys = ("rows", "counts", "refused")
    results = {}
    for (name, said), answer in zip(tables.items(), answers, strict=True):
        # the page cannot unpack, and says so
        wanted = {"refused": True} if said.get("packed") and not name.endswith("utf-32.csv") else said
        results[name] = {k: answer[k] for k in keys if k in answer}, {k: wanted[k] for k in keys if k in wanted}
    assert not differing(results)


def test_files_of_predictions(corpus: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = corpus
    keys = ("counts", "rows", "refused")
    results = {
        name: (counted(folder / name, said), {k: said[k] for k in keys if k in said})
        for name, said in of_kind(expected, "predictions").items()
    }
    assert not differing(results)


@pytest.mark.parametrize("engine", FRAMES)
def test_frames_of_predictions(corpus: tuple[Path, dict[str, Any]], engine: str) -> None:
    results = {}
    for name, said in of_kind(corpus[1], "predictions").items():
        if "cases" in said and name.endswith(".jsonl"):
            expected = {"counts": said["counts"], "rows": said["rows"]}
            results[name] = counted(FRAMES[engine](said["cases"]), said), expected
    assert len(results) == 5
    assert not differing(results)


def test_predictions_in_parquet(corpus: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    results = {}
    for name, said in of_kind(corpus[1], "predictions").items():
        if "cases" in said and name.endswith(".jsonl"):
            path = tmp_path / "cases.parquet"
            pyarrow.parquet.write_table(pa.Table.from_pylist(said["cases"]), path)
            expected = {"counts": said["counts"], "rows": said["rows"]}
            results[name] = counted(path, said), expected
    assert len(results) == 5
    assert not differing(results)

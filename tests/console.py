"""What commands and expressions print, as text that is the same on every machine: for the net and the corpus of answers.

``RANKSCAPE_SOURCE`` names another state of ``src`` that is to be asked; ``at_revision`` makes one from the history.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DIGITS = 6

if source := os.environ.get("RANKSCAPE_SOURCE"):
    sys.meta_path = [
        finder for finder in sys.meta_path if not hasattr(finder, "known_source_files")
    ]  # the editable one
    sys.path.insert(0, source)


class Said(NamedTuple):
    """What a command ends with and prints."""

    status: int
    out: str
    err: str


def say(words: list[str]) -> Said:
    """Run a command in this process and the present folder."""
    from click.testing import CliRunner

    from rankscape.cli import main

    done = CliRunner(env={"COLUMNS": "100"}).invoke(main, words)
    if done.exception and not isinstance(done.exception, SystemExit):
        return Said(70, "", f"{type(done.exception).__name__}: {done.exception}\n")
    return Said(done.exit_code, done.stdout, done.stderr)


@contextlib.contextmanager
def laid_out(files: Mapping[str, str | bytes]) -> Iterator[Path]:
    """Write files into a folder of their own, and be there for a while."""
    with tempfile.TemporaryDirectory() as above, contextlib.chdir(above):
        for name, content in files.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        yield Path(above)


def rounded(text: str) -> str:
    """Return a text with its numbers to six digits, and rounding errors as 0."""

    def shorter(match: re.Match[str]) -> str:
        number = float(match.group())
        return f"{0.0 if abs(number) < 1e-12 else number:.{DIGITS}g}"

    return re.sub(r"(?<![\w.])-?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?![\w.]*\d)", shorter, text)


def brief(thing: Any, depth: int = 2) -> str:
    """Return plain data as JSON with one line for each part down to a depth, and short numbers."""
    pad, flat = " " * (3 - depth), rounded(json.dumps(thing, ensure_ascii=False))
    if len(flat) <= 100:
        return flat
    if depth and isinstance(thing, dict) and thing:
        return "{\n" + ",\n".join(f"{pad}{json.dumps(k)}: {brief(v, depth - 1)}" for k, v in thing.items()) + "}"
    if depth and isinstance(thing, list) and any(isinstance(one, dict | list) for one in thing):
        return "[\n" + ",\n".join(f"{pad}{brief(one, depth - 1)}" for one in thing) + "]"
    return flat


def readable(text: str) -> str:
    """Return what was printed, JSON in few lines, numbers short."""
    with contextlib.suppress(ValueError):
        if text.lstrip()[:1] in ("{", "["):
            return brief(json.loads(text)) + "\n"
    return rounded(text)


@contextlib.contextmanager
def at_revision(revision: str) -> Iterator[str]:
    """Make the sources of a revision, for ``RANKSCAPE_SOURCE``; without compiled kernels, whose bits are the same."""
    done = subprocess.run(["git", "archive", revision, "src", "examples"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield f"{folder}/src"


def asked_of(revision: str, module: str) -> Any:
    """Return what a module of this folder prints with ``--dump``, as JSON, where it looks at the sources of a revision."""
    with at_revision(revision) as source:
        environment = os.environ | {"RANKSCAPE_SOURCE": source, "PYTHONPATH": str(ROOT / "tests")}
        words = [sys.executable, "-m", module, "--dump"]
        done = subprocess.run(words, env=environment, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return json.loads(done.stdout)

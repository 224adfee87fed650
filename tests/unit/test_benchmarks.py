"""The program of the benchmarks runs, and marks what is slow; how long anything takes is not tested."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> str:
    call = [sys.executable, "-m", "benchmarks", *arguments]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "failed" not in done.stdout, done.stderr
    return done.stdout


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.table")


def cells(**medians: Any) -> dict[str, Any]:
    cell = importlib.import_module("benchmarks.measure").Cell
    return {
        kind: cell(refused=value) if isinstance(value, str) else cell([value], 1.0) for kind, value in medians.items()
    }


@pytest.mark.nightly
def test_paths_are_measured_at_every_size_and_kind() -> None:
    lines = run("--sizes", "60", "100", "--paths", "rank", "read-csv").splitlines()
    rank, again, *_ = (line.split() for line in lines if line.startswith("rank by F1"))
    assert (rank[3], again[3]) == ("60", "10²")
    ratios = [float(x) for x in rank[5:10]]
    assert len(ratios) == 5
    assert all(x > 0 for x in ratios)
    assert sum(line.startswith("read a table, CSV") for line in lines) == 2
    assert "lines have a mark" in lines[-1] or "lines have a mark" in lines[-2]


def test_slow_kinds_peers_and_growth_have_a_mark(table: ModuleType) -> None:
    slow = cells(counts=1.0, large=1.9, floats=2.1, averaged="> 60 s", shifted="no such", ties=1.0, peer=0.5, sort=0.1)
    small = cells(counts=0.005, large=0.01, floats=0.01, averaged=0.01, shifted=0.01, ties=0.01, sort=0.001)
    line = dict(
        zip(table.COLUMNS, table.line(table.Row("rank", 10**6, slow), table.Row("rank", 10**4, small)), strict=True)
    )
    assert line["sorts"] == ("10", False)
    assert [line[kind] for kind in ("large", "floats", "averaged", "shifted", "ties")] == [
        ("1.9", False), ("2.1", True), ("> 60 s", True), ("refused", True), ("1.0", False)
    ]  # fmt: skip
    assert (line["× peer"], line["slowest"]) == (("0.5", True), ("", False))
    assert line["growth"] == ("1.16", True)
    assert not table.marked(table.line(table.Row("rank", 10**4, small), None))


def test_the_page_shows_marks_in_bold_and_names_a_path_once(table: ModuleType) -> None:
    row, larger = (table.Row("rank", n, cells(counts=n / 100, floats=n / 30, sort=0.1)) for n in (100, 1000))
    first = table.for_page(row, None, table.line(row, None))
    again = table.for_page(larger, row, table.line(larger, row))
    assert [line[0] for line in first] == ["**leaderboard**", "rank by F1 (*pandas' rank of floats*)"]
    assert "**3.3**" in first[1]
    assert [line[0] for line in again] == [""]


def test_commands_and_kernels_are_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    commands, floors = (importlib.import_module(f"benchmarks.{name}") for name in ("commands", "floors"))
    commands.write_table(tmp_path / "table.csv", 5, 2)
    done = commands.run([sys.executable, "-m", "rankscape", "rank", "table.csv"], tmp_path, 60)
    assert done.status == 0
    assert done.messages == "Read 10 rows of 5 models (column entity) on 2 domains (column domain)\n"
    assert done.mb > 5
    for _, _, call, floor in floors.kernels(200):
        call(), floor.call()
    stopped = commands.run([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, 0.2)
    assert stopped.status == -9


def test_a_process_that_prints_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    measure = importlib.import_module("benchmarks.measure")
    silent = "import time; print('{}', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", silent], stdout=subprocess.PIPE) as process:
        lines = list(measure.lines_of(process, 0.5))
        process.kill()
    assert lines in ([{}, None], [None])  # a start may take long, too


def test_a_path_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    measure = importlib.import_module("benchmarks.measure")
    monkeypatch.setattr(measure, "lines_of", lambda *_: iter([{"start": "counts"}, None]))
    cells = {"counts": measure.Cell()}
    assert measure.run("n-rankings", 500, ["counts"], measure.Limits(seconds=0.1), cells, str(tmp_path)) == "counts"
    assert cells["counts"].refused == "> 0 s"
    assert measure.over(cells["counts"])

"""The main ways through the package, with the oldest versions that it allows: `make floor` runs this file there."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import rankscape as rs

pytestmark = pytest.mark.nightly  # `make floor` takes no heed of marks, and each way is tested elsewhere, too
ROOT = Path(__file__).resolve().parents[2]
PINNED = dict(
    line.split("==") for line in (ROOT / "tests" / "minimum.txt").read_text("utf-8").splitlines() if "==" in line
)


def rankscape(*arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", "rankscape", *arguments]  # old versions warn of what is new around them
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """The same predictions as CSV and as Parquet."""
    (tmp_path / "cases.csv").write_text("y,a\n1,1\n0,0\n0,1\n1,0\n1,1\n", "utf-8")
    duckdb = pytest.importorskip("duckdb")
    duckdb.sql(
        "copy (select * from (values (1, 1), (0, 0), (0, 1), (1, 0), (1, 1)) as t(y, a)) "
        f"to '{(tmp_path / 'cases.parquet').as_posix()}' (format parquet)"
    )
    return tmp_path


def test_performances_are_ranked(tmp_path: Path) -> None:
    results = str(ROOT / "examples" / "results.csv")
    assert rs.rank(rs.read(results), by="f1").best
    assert "kernel SVM" in rankscape("rank", results, "--by", "f1", cwd=tmp_path)


@pytest.mark.parametrize("file", ["cases.csv", "cases.parquet"])
def test_predictions_are_counted(cases: Path, file: str) -> None:
    assert rs.count(cases / file, truth="y", prediction="a").counts.tolist() == [[1, 1, 1, 2]]
    assert "1,1,1,2" in rankscape("count", file, "--truth", "y", "--prediction", "a", cwd=cases)


@pytest.mark.parametrize("case", [None, "case"], ids=["rows", "cases"])
def test_files_of_text_are_counted(tmp_path: Path, case: str | None) -> None:
    for separator, end in ((",", "\n"), ("\t", "\r\n")):
        rows = (
            ("y", "a", "note", "case", "w"),
            (1, 1, "it's", 1, 2),
            (0, 1, '"x"', 2, 3),
            (1, 0, '"two\nlines"', 3, 4),
        )
        text = "".join(separator.join(map(str, row)) + end for row in rows)
        (tmp_path / "large.csv").write_bytes(text.encode())
        P = rs.count(tmp_path / "large.csv", truth="y", prediction="a", case=case, weight="w")
        assert P.counts.tolist() == [[0, 3, 4, 2]]


def test_a_page_and_a_figure_are_written(tmp_path: Path) -> None:
    results = str(ROOT / "examples" / "results.csv")
    rankscape("explore", results, "-o", "explorer.html", cwd=tmp_path)
    rankscape("tile", results, "-o", "tile.png", cwd=tmp_path)
    assert (tmp_path / "explorer.html").stat().st_size > 100_000
    assert (tmp_path / "tile.png").stat().st_size > 10_000


@pytest.mark.skipif(Path(sys.prefix).name != "minimum", reason="another environment than that of make floor")
def test_the_versions_are_the_oldest() -> None:
    assert {name: version(name) for name in PINNED} == PINNED

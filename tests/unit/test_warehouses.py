"""Tables of Ibis and SQLFrame: what count, sweep and read do with them beyond what every engine is tested for."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import engine_tables
import pytest

import rankscape as rs
from rankscape.errors import DataError

pd = pytest.importorskip("pandas")
ibis = pytest.importorskip("ibis")
pytest.importorskip("sqlframe")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "warehouses.py"
LAYERS = ("ibis", "sqlframe")


def unbound(**columns: str) -> Any:
    """Return a table of Ibis that no backend holds."""
    return ibis.table(columns, name="nowhere")


@pytest.mark.parametrize("layer", LAYERS)
def test_counts_are_read_and_scores_are_swept(layer: str) -> None:
    counts = pd.DataFrame({"model": ["a", "b"], "tn": [1, 2], "fp": [3, 4], "fn": [5, 6], "tp": [7, 8]})
    assert rs.read(engine_tables.ENGINES[layer](counts)).counts.tolist() == [[1, 3, 5, 7], [2, 4, 6, 8]]
    assert rs.rank(engine_tables.ENGINES[layer](counts), by="recall").names == ("a", "b")
    scores = pd.DataFrame({"y": [0, 1, 1, 0, 1], "s": [0.1, 0.9, 0.3, 0.4, 0.8], "model": list("aabba")})
    how: dict[str, Any] = {"truth": "y", "score": "s", "entity": "model"}
    swept, expected = rs.sweep(engine_tables.ENGINES[layer](scores), **how), rs.sweep(scores, **how)
    assert swept.names == expected.names
    for name in swept.names:
        assert swept[name].counts.tolist() == expected[name].counts.tolist()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: rs.count(unbound(y="int64", p="int64"), truth="y", prediction="p"),
        lambda: rs.sweep(unbound(y="int64", p="int64"), truth="y", score="p"),
        lambda: rs.read(unbound(model="string", tn="int64", fp="int64", fn="int64", tp="int64")),
    ],
)
def test_a_table_without_a_backend_is_refused_in_a_sentence(ask: Callable[[], Any]) -> None:
    with pytest.raises(DataError, match="unbound tables"):
        ask()


@pytest.mark.parametrize("header", ["1", "null", "a b", "'y'"])
def test_a_name_that_sqlframe_takes_for_a_value_is_refused(header: str) -> None:
    table = engine_tables.sqlframe(pd.DataFrame({header: [0, 1, 1], "p": [0, 1, 0]}))
    with pytest.raises(DataError, match="SQLFrame does not take .* for the name of a column"):
        rs.count(table, truth=header, prediction="p")


def test_a_column_called_read_makes_no_open_file_of_a_frame() -> None:
    frame = pd.DataFrame({"read": [0, 1, 1], "p": [0, 1, 0]})
    for layer in LAYERS:
        assert rs.count(engine_tables.ENGINES[layer](frame), truth="read", prediction="p").counts.tolist() == [
            [1, 0, 1, 1]
        ]


# The example: every way gives the counts of pandas


def lines_of_example(*engines: str) -> list[list[str]]:
    quick = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}  # what Java compiles here runs once
    script = [sys.executable, "-W", "ignore", str(EXAMPLE), "--rows", "2000", *engines]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=600, env=os.environ | quick)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.rsplit(maxsplit=4) for line in done.stdout.splitlines()[2:]]
    assert all(line[-2:] == ["as", "pandas"] for line in lines)
    return lines


@pytest.mark.nightly
def test_the_example_counts_as_pandas_does() -> None:
    assert len(lines_of_example("duckdb", "ibis", "sqlframe", "sql")) == 10
    jobs = [(int(jobs), int(rows)) for _, jobs, rows, *_ in lines_of_example("dask")]
    assert [n for n, _ in jobs] == [1, 1, 1]
    assert jobs[0][1] <= 204  # where cases have names, rows travel


@pytest.mark.spark
@pytest.mark.skipif(
    not (shutil.which("java") and find_spec("pyspark")),
    reason="PySpark is not tested: it needs Java and pip install pyspark",
)
def test_the_example_counts_as_pandas_does_on_spark() -> None:
    jobs = [(int(jobs), int(rows)) for _, jobs, rows, *_ in lines_of_example("spark")]
    assert len(jobs) == 3
    assert all(1 <= n <= 3 for n, _ in jobs)
    assert jobs[0][1] <= 204  # where cases have names, rows travel

"""Reading, counting and sweeping thresholds, against what one would write today; in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_count.py`` counts ten million rows (20 entities, 10 domains) in one
Parquet file on every engine that is installed, checks that all results are the same, and prints seconds and ratios;
with ``--rows 100000000`` a file of that size (in a temporary folder) is counted by DuckDB alone, in a process of its
own, with its peak memory, in turns with DuckDB's bare GROUP BY of the same columns.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, roc_curve

import rankscape as rs

HOW = {"truth": "y", "prediction": "yhat", "entity": "model", "domain": "video"}
ALONE = 20_000_000
"""So many rows and more are counted by DuckDB only."""


def write(path: Path, rows: int) -> None:
    import duckdb

    duckdb.sql(f"""
        copy (
            select 'model ' || (i % 20) as model, 'video ' || (i // 20 % 10) as video,
                   (hash(i) % 10 < 3)::tinyint as y, ((hash(i) % 10 < 3) != (hash(-i - 1) % 8 = 0))::tinyint as yhat,
                   i // 20 as "case"
            from range({rows}) t(i)
        ) to '{path}' (format parquet)""")


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("count") / "million.parquet"
    write(path, 10**6)
    return path


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write counts and shares of 100 000 entities, as CSV and Parquet."""
    folder, rng = tmp_path_factory.mktemp("read"), np.random.default_rng(0)
    import pandas as pd

    frame = pd.DataFrame(rng.integers(1, 1000, size=(10**5, 4)), columns=["tn", "fp", "fn", "tp"])
    frame.insert(0, "entity", [f"model {i}" for i in range(len(frame))])
    frame.to_csv(folder / "counts.csv", index=False)
    frame.to_parquet(folder / "counts.parquet")
    frame.assign(entity=frame["entity"].str[:-1] + "0", domain=[f"video {i % 10}" for i in range(len(frame))]).to_csv(
        folder / "domains.csv", index=False
    )
    shares = (rng.dirichlet(np.ones(4), size=len(frame)) * 10**6).round().astype(int)
    shares[:, 3] = 10**6 - shares[:, :3].sum(axis=1)
    frame.assign(**{name: shares[:, i] / 10**6 for i, name in enumerate(("tn", "fp", "fn", "tp"))})[
        (shares >= 0).all(axis=1)
    ].to_csv(folder / "shares.csv", index=False)
    return folder


def checked(frame: Any) -> Any:
    """Refuse what is missing, no number or negative, as one would by hand."""
    numbers = frame[["tn", "fp", "fn", "tp"]].to_numpy()
    if frame.isna().any().any() or numbers.dtype.kind not in "iuf" or (numbers < 0).any():
        raise ValueError("a cell is missing, negative or no number")
    return frame


@pytest.mark.parametrize("kind", ["counts.csv", "domains.csv", "shares.csv", "counts.parquet", "frame"])
@pytest.mark.parametrize("how", ["pandas and checks", "rankscape"])
def test_reading_a_table_of_100_000_entities(benchmark: Any, how: str, kind: str, tables: Path) -> None:
    import pandas as pd

    benchmark.group = f"reading 100 000 entities: {kind}"
    frame = pd.read_parquet(tables / "counts.parquet")
    read = pd.read_parquet if kind.endswith("parquet") else pd.read_csv
    calls: dict[tuple[str, bool], Callable[[], Any]] = {
        ("pandas and checks", True): lambda: checked(pd.read_parquet(tables / "counts.parquet")),
        ("pandas and checks", False): lambda: checked(read(tables / kind)),
        ("rankscape", True): lambda: rs.read(frame),
        ("rankscape", False): lambda: rs.read(tables / kind),
    }
    benchmark.pedantic(calls[how, kind == "frame"], rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("how", ["DuckDB, everything given", "rankscape"])
def test_counting_a_csv_file_of_a_million_rows(benchmark: Any, how: str, million: Path) -> None:
    import duckdb

    benchmark.group = "counting a million predictions in a CSV file, 20 entities"
    path = million.with_suffix(".csv")
    if not path.exists():
        duckdb.sql(f"copy (select model, y, yhat from '{million}') to '{path}' (format csv, header)")
    columns = "{'model': 'VARCHAR', 'y': 'VARCHAR', 'yhat': 'VARCHAR'}"
    given = f"auto_detect=false, columns={columns}, delim=',', quote='\"', escape='\"', header=true, new_line='\\n'"
    bare = f"select model, y, yhat, count(*) from read_csv('{path}', {given}) group by all"
    calls: dict[str, Callable[[], Any]] = {
        "DuckDB, everything given": lambda: duckdb.sql(bare).fetchall(),
        "rankscape": lambda: rs.count(path, truth="y", prediction="yhat", entity="model"),
    }
    benchmark.pedantic(calls[how], rounds=5, warmup_rounds=1)


def by_pandas(frame: Any) -> Any:
    return frame.groupby(["video", "model", "y", "yhat"], observed=True).size().unstack(["y", "yhat"], fill_value=0)


def by_sklearn(frame: Any) -> list[Any]:
    groups = frame.groupby(["video", "model"], observed=True)
    return [confusion_matrix(group["y"], group["yhat"], labels=[0, 1]) for _, group in groups]


@pytest.mark.parametrize("how", ["scikit-learn", "pandas", "rankscape on pandas", "rankscape on the file"])
def test_counting_a_million_rows(benchmark: Any, how: str, million: Path) -> None:
    import pandas as pd

    benchmark.group = "counting a million predictions, 20 entities, 10 domains; reading included"
    calls: dict[str, Callable[[], Any]] = {
        "scikit-learn": lambda: by_sklearn(pd.read_parquet(million)),
        "pandas": lambda: by_pandas(pd.read_parquet(million)),
        "rankscape on pandas": lambda: rs.count(pd.read_parquet(million), **HOW),
        "rankscape on the file": lambda: rs.count(million, **HOW),
    }
    benchmark.pedantic(calls[how], rounds=3)


@pytest.mark.parametrize(
    "how", ["np.sort", "np.argsort", "roc_curve", "sweep", "from_scores", "sweep and hull", "sweep and best F1"]
)
def test_sweeping_a_million_scores(benchmark: Any, how: str) -> None:
    benchmark.group = "all operating points of a million scores"
    rng = np.random.default_rng(0)
    truth = rng.random(10**6) < 0.3
    score = rng.normal(size=10**6) + truth
    calls: dict[str, Callable[[], Any]] = {
        "np.sort": lambda: np.sort(score),
        "np.argsort": lambda: np.argsort(score),
        "roc_curve": lambda: roc_curve(truth, score, drop_intermediate=False),
        "sweep": lambda: rs.sweep(truth, score),
        "from_scores": lambda: rs.Performances.from_scores(truth, score),
        "sweep and hull": lambda: rs.sweep(truth, score).hull(),
        "sweep and best F1": lambda: rs.sweep(truth, score).best("f1"),
    }
    benchmark.pedantic(calls[how], rounds=5)


def engines(path: Path) -> dict[str, Callable[[], Any]]:
    """Return what gives the table to each engine."""

    def pandas() -> Any:
        import pandas as pd

        return pd.read_parquet(path)

    def polars() -> Any:
        import polars as pl

        return pl.scan_parquet(path)

    def arrow() -> Any:
        import pyarrow.parquet as pq

        return pq.read_table(path)

    def dask() -> Any:
        import dask.dataframe as dd

        return dd.read_parquet(path, columns=list(HOW.values()))

    def spark() -> Any:
        from pyspark.sql import SparkSession

        quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
        return SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate().read.parquet(str(path))

    return {"DuckDB": lambda: path, "polars": polars, "pyarrow": arrow, "pandas": pandas, "Dask": dask, "Spark": spark}


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def compare(path: Path) -> None:
    """Count one file on every engine, and print seconds and ratios to pandas."""
    import pandas as pd

    frame = pd.read_parquet(path)
    baseline, table = timed(lambda: by_pandas(frame))
    slow, matrices = timed(lambda: by_sklearn(frame))
    for name, seconds in (("pandas by hand", baseline), ("scikit-learn", slow)):
        print(f"{name:14} {seconds:8.2f} s, without reading")
    expected = np.array([matrix.ravel() for matrix in matrices]).tolist()
    assert table.to_numpy().sum() == sum(map(sum, expected))
    for name, table in engines(path).items():
        try:
            source = table()
        except ImportError:
            print(f"{name:14} is not installed")
            continue
        seconds, P = timed(lambda source=source: rs.count(source, **HOW))
        same = sorted(P.counts.tolist()) == sorted(expected)
        ratios = f"{baseline / seconds:6.1f} x pandas {slow / seconds:7.1f} x scikit-learn"
        print(f"{name:14} {seconds:8.2f} s {ratios}  {'the same counts' if same else 'OTHER COUNTS'}", flush=True)


ALONE_CODE = """
import os, resource, sys, time
import duckdb
import rankscape as rs
path = sys.argv[1]
duckdb.sql("set enable_progress_bar = false")
def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
def ours():
    global P
    P = rs.count(path, truth="y", prediction="yhat", entity="model", domain="video")
def bare():
    duckdb.sql(f"select model, video, y, yhat, count(*) from '{path}' group by all").fetchall()
seconds = timed(ours)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{P.counts.sum()} rows by DuckDB: {seconds:.2f} s, peak memory {peak:.0f} MB")
pairs = [(timed(bare), timed(ours)) for _ in range(3)]
ratio = sorted(theirs / mine for theirs, mine in pairs)[1]
print(f"its own group by, in turns: {ratio:.2f} times as long", flush=True)
os._exit(0)
"""


def main() -> None:
    """Write a table, count it, and say what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory(prefix="rankscape-") as folder:
        path = Path(folder) / "predictions.parquet"
        write(path, rows)
        print(f"{rows} rows, {path.stat().st_size / 1e6:.0f} MB of Parquet", flush=True)
        subprocess.run([sys.executable, "-c", ALONE_CODE, str(path)], check=True)
        if rows < ALONE:
            compare(path)


if __name__ == "__main__":
    main()

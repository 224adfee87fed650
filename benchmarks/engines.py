"""Counting ten million predictions (20 entities, 10 domains) on every engine: ``python -m benchmarks.engines``.

One Parquet file is counted on every engine that is installed; the results must be the same, and seconds and ratios are
printed. With ``--rows 100000000`` a file of that size (in a temporary folder) is counted by DuckDB alone, in a process
of its own, with its peak memory, in turns with DuckDB's bare GROUP BY of the same columns.
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
from sklearn.metrics import confusion_matrix

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


def by_pandas(frame: Any) -> Any:
    return frame.groupby(["video", "model", "y", "yhat"], observed=True).size().unstack(["y", "yhat"], fill_value=0)


def by_sklearn(frame: Any) -> list[Any]:
    groups = frame.groupby(["video", "model"], observed=True)
    return [confusion_matrix(group["y"], group["yhat"], labels=[0, 1]) for _, group in groups]


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
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
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

"""Count predictions where they are: the same three lines on DuckDB, polars, Dask and Spark.

Run ``python examples/counting.py duckdb spark`` (any of duckdb, polars, dask, spark; by default duckdb). Whatever the
engine, it does the counting, and only counts travel. Spark needs Java, and here a session of one thread; on a cluster,
only ``spark_table`` changes. What is counted is ``predictions.parquet``, beside this file.
"""

import sys
from pathlib import Path
from typing import Any

import rankscape as rs

PREDICTIONS = Path(__file__).with_name("predictions.parquet")


def duckdb_table() -> str:
    return str(PREDICTIONS)  # a file, a pattern or a folder: DuckDB scans it, out of core


def polars_table() -> Any:
    import polars as pl

    return pl.scan_parquet(PREDICTIONS)


def dask_table() -> Any:
    import dask.dataframe as dd

    return dd.read_parquet(PREDICTIONS)


def spark_table() -> Any:
    from pyspark.sql import SparkSession

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "1"}
    session = SparkSession.builder.master("local[1]").config(map=quiet).getOrCreate()
    return session.read.parquet(str(PREDICTIONS))


TABLES = {"duckdb": duckdb_table, "polars": polars_table, "dask": dask_table, "spark": spark_table}


def main(engines: list[str]) -> None:
    for engine in engines:
        table = TABLES[engine]()

        P = rs.count(table, truth="truth", prediction="prediction", entity="entity", domain="domain")
        ranking = rs.rank(P, by="f1")
        halves = rs.count(table, truth="truth", score="score", threshold=0.5, entity="entity", domain="domain")

        print(f"{engine}: {P.counts.sum()} predictions, {P!r}")
        print(f"  first by F1: {', '.join(sorted(ranking.best))}")
        print(f"  first by F1, positive where the score is at least 0.5: {', '.join(sorted(rs.rank(halves).best))}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["duckdb"])

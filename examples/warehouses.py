"""Count a million predictions in every way that leaves them where they are: the counts are those of pandas.

Run ``python examples/warehouses.py`` (or name some of duckdb, ibis, sqlframe, sql, dask, spark; ``--rows 10000`` is
quick). Each engine reads the same Parquet file. Of Dask and Spark the table has the jobs that rankscape starts and the
rows that travel to it. Spark needs Java and PySpark.
"""

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rankscape as rs

COUNTED = {"truth": "y", "prediction": "yhat", "entity": "model", "domain": "site"}
QUERY = "SELECT model, site, y, yhat, COUNT(*) AS n FROM predictions GROUP BY model, site, y, yhat"


def predictions(rows: int) -> pd.DataFrame:
    """Return rows of ten models on the same cases at four sites."""
    rng = np.random.default_rng(0)
    models, cases = [f"model {i}" for i in range(10)], rows // 10
    truth = np.tile(rng.integers(0, 2, cases), len(models))
    accuracy = np.repeat(rng.uniform(0.7, 0.95, len(models)), cases)
    predicted = np.where(rng.random(len(truth)) < accuracy, truth, 1 - truth)
    table = {"model": np.repeat(models, cases), "case": np.tile(np.arange(cases), len(models))}
    table |= {"site": np.array(["north", "east", "south", "west"])[table["case"] % 4], "y": truth, "yhat": predicted}
    return pd.DataFrame(table)


class Question(NamedTuple):
    """What is asked of a table, and the answer in a form that can be compared."""

    ask: Callable[[Any], Any]
    plain: Callable[[Any], Any]


QUESTIONS = {
    "count": Question(lambda table: rs.count(table, **COUNTED), lambda P: (P.names, P.domains, P.counts.tolist())),
    "count, same cases": Question(
        lambda table: rs.count(table, **COUNTED, case="case"), lambda P: (P.names, P.domains, P.counts.tolist())
    ),
    "paired_table": Question(
        lambda table: rs.uncertainty.paired_table(table, 20, **COUNTED, case="case"),
        lambda draws: [draws[name].values.tolist() for name in draws.names],
    ),
}


class Measured:
    """How many jobs ran, and how many rows travelled, since ``start``; "" where nothing counts them."""

    jobs: Any = ""
    rows: Any = ""

    def start(self, name: str) -> None:
        """Begin to count from zero."""

    def stop(self) -> None:
        """Set the numbers."""


class OfDask(Measured):
    """Computations of Dask, and the rows of the frames that they return."""

    def __init__(self) -> None:
        from dask.callbacks import Callback

        Callback(start=self._started, finish=self._finished).register()

    def start(self, name: str) -> None:
        """Begin to count from zero."""
        self.jobs = self.rows = 0

    def _started(self, graph: Any) -> None:
        self.jobs += 1

    def _finished(self, graph: Any, state: Any, failed: bool) -> None:
        self.rows += sum(len(value) for value in state["cache"].values() if hasattr(value, "columns"))


class OfSpark(Measured):
    """Jobs as the status tracker of Spark lists them, and the rows that are collected."""

    def __init__(self, session: Any) -> None:
        self.context, self.name = session.sparkContext, ""
        frames = type(session.range(1))
        collect = frames.collect

        def collected(frame: Any) -> Any:
            rows = collect(frame)
            self.rows += len(rows)
            return rows

        frames.collect = collected

    def start(self, name: str) -> None:
        """Begin to count from zero."""
        self.name, self.rows = name, 0
        self.context.setJobGroup(name, name)

    def stop(self) -> None:
        """Set the numbers."""
        self.jobs = len(self.context.statusTracker().getJobIdsForGroup(self.name))


# Engines: what each makes of the file, what counts its jobs, and how it runs a query


class Engine(NamedTuple):
    """A table on an engine, or what gives the result of a query of it, and what measures it."""

    table: Any
    measured: Measured
    run: Callable[[str], Any] | None = None


def of_duckdb(path: str) -> Engine:
    return Engine(path, Measured())  # a file, which DuckDB scans out of core


def of_ibis(path: str) -> Engine:
    import ibis

    return Engine(ibis.duckdb.connect().read_parquet(path), Measured())


def of_sqlframe(path: str) -> Engine:
    from sqlframe.duckdb import DuckDBSession

    return Engine(DuckDBSession.builder.getOrCreate().read.parquet(path), Measured())


def of_sql(path: str) -> Engine:
    import duckdb

    connection = duckdb.connect()
    connection.read_parquet(path).create_view("predictions")
    return Engine(None, Measured(), lambda query: connection.sql(query).df())


def of_dask(path: str) -> Engine:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dask.dataframe as dd
    return Engine(dd.read_parquet(path), OfDask())


def of_spark(path: str) -> Engine:
    from pyspark.sql import SparkSession

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2"}
    session = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return Engine(session.read.parquet(path), OfSpark(session))


ENGINES = {
    "duckdb": of_duckdb,
    "ibis": of_ibis,
    "sqlframe": of_sqlframe,
    "sql": of_sql,
    "dask": of_dask,
    "spark": of_spark,
}


def compare(name: str, path: str, expected: dict[str, Any]) -> bool:
    """Ask an engine every question, print a line for each, and return whether all answers are those of pandas."""
    engine = ENGINES[name](path)
    questions = dict(QUESTIONS) if engine.table is not None else {}
    if engine.run is not None:
        grouped = engine.run(QUERY)
        questions["count"] = QUESTIONS["count"]._replace(ask=lambda _: rs.count(grouped, weight="n", **COUNTED))
    good = True
    for question, (ask, plain) in questions.items():
        engine.measured.start(question)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # libraries that are about to change
            answer = plain(ask(engine.table))
        engine.measured.stop()
        same = answer == expected[question]
        good &= same
        numbers = f"{engine.measured.jobs!s:>5} {engine.measured.rows!s:>7}"
        print(f"{name:<9} {question:<18} {numbers}  {'as pandas' if same else 'DIFFERENT'}")
    return good


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)}")
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args(arguments)
    frame = predictions(given.rows)
    expected = {question: plain(ask(frame)) for question, (ask, plain) in QUESTIONS.items()}
    engines = given.engines or [name for name in ENGINES if name != "spark" or find_spec("pyspark")]
    print(f"{len(frame)} rows of {frame['model'].nunique()} models at {frame['site'].nunique()} sites")
    print(f"{'engine':<9} {'question':<18} {'jobs':>5} {'rows':>7}")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "predictions.parquet"))
        frame.to_parquet(path)
        return 0 if all([compare(name, path, expected) for name in engines]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

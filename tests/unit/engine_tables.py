"""The same table in every engine, and in files: for the tests that compare engines."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow.parquet")


def arrow(frame: Any) -> Any:
    return pa.Table.from_pandas(frame, preserve_index=False)


def dask(frame: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dd = pytest.importorskip("dask.dataframe")
        return dd.from_pandas(frame, npartitions=3)


def in_duckdb(frame: Any) -> Any:
    """Return a connection to DuckDB that has the table t."""
    connection = duckdb.connect()
    connection.register("rows", arrow(frame))
    connection.execute("create table t as from rows")
    return connection


def ibis(frame: Any) -> Any:
    return pytest.importorskip("ibis").duckdb.from_connection(in_duckdb(frame)).table("t")


def session_of_sqlframe(connection: Any) -> Any:
    """Return a session of its own: SQLFrame has one in all, which keeps the connection that it began with."""
    pytest.importorskip("sqlframe.base.session")._BaseSession._instance = None
    return pytest.importorskip("sqlframe.duckdb").DuckDBSession(connection)


def sqlframe(frame: Any) -> Any:
    return session_of_sqlframe(in_duckdb(frame)).sql("select * from t")


ENGINES: dict[str, Callable[[Any], Any]] = {
    "pandas": lambda frame: frame,
    "pandas, nullable": lambda frame: frame.convert_dtypes(),
    "polars": pl.from_pandas,
    "polars, lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "pyarrow": arrow,
    "duckdb": lambda frame: duckdb.from_arrow(arrow(frame)),
    "dask": dask,
    "ibis": ibis,
    "sqlframe": sqlframe,
}


def csv_file(frame: Any, folder: Path) -> str:
    """Write the frame, every float with all its digits."""
    frame.to_csv(folder / "t.csv", index=False, float_format=lambda value: repr(float(value)))
    return str(folder / "t.csv")


def parquet_file(frame: Any, folder: Path) -> str:
    frame.to_parquet(folder / "t.parquet")
    return str(folder / "t.parquet")


def _from_memory(make: Callable[[Any], Any]) -> Callable[[Any, Path], Any]:
    return lambda frame, _: make(frame)


SOURCES: dict[str, Callable[[Any, Path], Any]] = {
    **{name: _from_memory(make) for name, make in ENGINES.items()},
    "CSV": csv_file,
    "Parquet": parquet_file,
}
"""What makes the table of each engine, and of each kind of file, of a frame and a folder."""

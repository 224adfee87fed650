"""Engines: data frames of any library as narwhals sees them, and Parquet files, which DuckDB reads out of core."""

from __future__ import annotations

import atexit
import ctypes
import glob
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, Option
from .headers import FILE, role
from .sheets import Sheet, Source, located, quoted

if TYPE_CHECKING:
    import narwhals as nw


@cache
def _database(process: int) -> Any:
    """Return the database of a process, in memory: making one takes longer than counting a small file."""
    import duckdb  # which commands on tables of counts do without

    database = duckdb.connect(config={"temp_directory": tempfile.gettempdir()})
    if hasattr(os, "register_at_fork"):  # not on Windows; a forked process has no threads, and would die of closing it
        os.register_at_fork(after_in_child=partial(ctypes.pythonapi.Py_IncRef, ctypes.py_object(database)))
    return database


@contextmanager
def parquet_relation(paths: Sequence[str], where: str, names: Sequence[str] = ()) -> Iterator[Any]:
    """Give the rows of Parquet files, columns by name and rows in order, perhaps with the names of the files."""
    parts, literal = [], [_sql(glob.escape(path)) for path in paths]  # DuckDB takes patterns, these are names
    for path, name in zip(literal, names, strict=bool(names)):
        parts.append(f'select *, {_sql(name)} as "{FILE}" from read_parquet({path}, hive_partitioning=false)')
    query = f"from read_parquet([{', '.join(literal)}], union_by_name=true, hive_partitioning=false)"
    import duckdb

    connection = _database(os.getpid()).cursor()  # a new connection, whose tables are its own
    try:
        connection.execute("set enable_progress_bar = false")
        yield connection.sql(" union all by name ".join(parts) or query)
    except (duckdb.Error, RuntimeError) as error:
        if "Query interrupted" in str(error):
            raise KeyboardInterrupt from None
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = quoted(" ".join(lines)[:300]) if lines else error
        raise located(where, f"DuckDB cannot read this as a table: {reason}") from None
    finally:
        with suppress(Exception):
            connection.close()


def _sql(text: str) -> str:
    """Return a text as DuckDB writes it: control characters by their numbers."""
    if text.isprintable():
        return "'{}'".format(text.replace("'", "''"))
    return " || ".join(f"chr({ord(character)})" for character in text)


def parquet_sheet(source: Source) -> Sheet:
    """Return the whole table in a Parquet file."""
    with parquet_relation([source.on_disk], source.where) as relation:
        rows = relation.fetchall()
        for i in [i for i, kind in enumerate(relation.types) if str(kind) == "FLOAT"]:  # 0.1 of 32 bits is meant
            rows = [(*row[:i], None if row[i] is None else np.float32(row[i]), *row[i + 1 :]) for row in rows]
        return Sheet(tuple(relation.columns), rows, source.where)


# Data frames of any library: plans that their own engine carries out


def data_frame(native: Any, where: str) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    """Return a data frame of any library as narwhals sees it, None for anything else.

    Headers of pandas that are numbers or pairs become texts, as a file of the frame would have them.
    """
    import narwhals as nw  # not needed for files of text

    try:
        frame = nw.from_native(native, pass_through=True)
        if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like():
            headers = list(frame.columns)
            if not all(isinstance(header, str) for header in headers):
                parts = (header if isinstance(header, tuple) else (header,) for header in headers)
                texts = [" ".join(text for part in of if (text := str(part).strip())) for of in parts]
                frame = nw.from_native(frame.to_native().set_axis(texts, axis=1))
    except Exception as error:  # each library refuses a frame in another way, such as one with equal headers
        raise located(where, f"the data frame cannot be used: {' '.join(str(error).split())}") from error
    return frame if isinstance(frame, (nw.DataFrame, nw.LazyFrame)) else None


def index_columns(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> dict[str, list[Any]]:
    """Return the index of a pandas frame as columns that it lacks: known headers, or the only one if it has texts."""
    import narwhals as nw

    columns: dict[str, list[Any]] = {}
    index: Any = nw.maybe_get_index(frame) if isinstance(frame, nw.DataFrame) else None
    for level, name in enumerate([] if index is None else index.names):
        cells, header = index.get_level_values(level), "" if name is None else str(name)
        texts = index.nlevels == 1 and all(isinstance(cell, str) for cell in cells)
        if header not in frame.columns and (texts or role(header) in ("entity", "domain")):
            columns[header] = list(cells)
    return columns


def lazy_frame(native: Any) -> nw.LazyFrame[Any]:
    """Return a data frame of any kind as a plan that its engine will carry out."""
    frame = data_frame(native, "")
    if frame is None:
        raise DataError(
            "",
            expected="files or a data frame of predictions, one case per row",
            got=type(native).__name__,
            way_out=[Option("arrays", python="for arrays use Performances.from_labels, or an Accumulator for batches")],
        )
    return frame.lazy()


_CACHED = type(cache(int))


def release_engines() -> None:
    """Empty the caches of narwhals: in them it keeps DuckDB's types, and DuckDB reports what outlives it as leaked."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "narwhals":
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    thing.cache_clear()


atexit.register(release_engines)

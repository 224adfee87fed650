"""Rows: the columns of a table that are needed, fetched whole from its engine, as cases in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags
from .cases import CaseTable, Columns, refuse_lost, roles_of
from .cells import missing
from .coded import CodedCases, Column
from .codes import plain_value
from .engines import EngineCases
from .spark import is_spark

if TYPE_CHECKING:
    import narwhals as nw


def coded_rows(table: EngineCases, columns: Sequence[Columns]) -> CodedCases:
    """Return the rows of a table on an engine: one job, which fetches the columns that are named, and no others.

    They have an order in files, and in data frames other than those of DuckDB, Spark and Ibis.

    >>> import pyarrow as pa
    >>> from rankscape.io.frames import lazy_frame
    >>> columns = [Columns("y", "s", None, None, None, None, None, True)]
    >>> rows = coded_rows(
    ...     EngineCases(lazy_frame(pa.table({"y": ["n", None], "s": [0.5, 0.5], "z": [1, 2]})), ""),
    ...     columns,
    ... )
    >>> {header: (column.values, column.codes.tolist()) for header, column in rows.columns.items()}
    {'y': (['n'], [0, -1]), 's': ([0.5], [0, 0])}
    """
    for one in columns:
        table.chosen(one)  # which refuses scores and weights that are no numbers
    rows = coded_columns(table, list(roles_of(columns)))
    rows.join(columns[0].levels)
    return rows


def rows_here(table: CaseTable, headers: Sequence[str]) -> CodedCases | None:
    """Return some columns of a table whose rows are on this machine; None where Spark, Dask or a warehouse has them."""
    if isinstance(table, CodedCases):
        return table
    if not isinstance(table, EngineCases):
        return None
    kind = table.frame.implementation
    here = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or table.records >= 0
    return coded_columns(table, list(dict.fromkeys(headers))) if here else None


def coded_columns(table: EngineCases, headers: Sequence[str]) -> CodedCases:
    """Return some columns of a table on an engine, fetched in one job."""
    fetched = table.counting(lambda: _columns(table, table.frame.select(*headers)))
    records = len(fetched[0].codes)
    refuse_lost(table.where, table.records, records)
    rows = CodedCases(dict(zip(headers, fetched, strict=True)), records, table.where, table.texts)
    rows.headers = table.headers
    kind = table.frame.implementation
    in_order = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or kind.is_dask()
    rows.ordered = in_order or table.records >= 0
    return rows


def _columns(table: EngineCases, plan: nw.LazyFrame[Any]) -> list[Column]:
    """Carry out a plan and return its columns."""
    schema = plan.collect_schema()
    if plan.implementation.is_duckdb() and all(map(_plain, schema.values())):
        arrays = table.fetch(plan, lambda relation: relation.fetchnumpy())
        return [_of_array(np.ma.getdata(arrays[name]), ~np.ma.getmaskarray(arrays[name])) for name in schema]
    if plan.implementation.is_duckdb() or is_spark(plan):
        cells = list(zip(*table.fetch(plan), strict=True))
        return [_of_cells(column) for column in cells] if cells else [_of_cells(()) for _ in schema]
    frame = plan.collect()
    return [_of_series(frame[name]) for name in schema]


def _plain(kind: Any) -> bool:
    """Tell whether DuckDB gives values of a type to numpy as they are: not so 128 bits, decimals and dates."""
    import narwhals as nw

    plain = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64, nw.Float32, nw.Float64)
    return kind in (*plain, nw.Boolean, nw.String)


def _of_series(series: nw.Series[Any]) -> Column:
    kind = series.dtype
    if kind.is_integer() or kind.is_float():
        known = ~series.is_null()
        values = series.filter(known).to_numpy()
        if values.dtype.kind in "biuf":
            flags = np.asarray(known.to_numpy(), dtype=bool)
            numbers = np.zeros(len(flags), dtype=values.dtype)
            numbers[flags] = values
            return _of_array(numbers, flags)
    return _of_cells(series.to_list())


def _of_array(values: NDArray[Any], known: Flags) -> Column:
    """Return a column of an array of which some values are known."""
    if values.dtype.kind not in "biuf" and known.all():
        return _of_cells(values.tolist())
    if values.dtype.kind not in "biuf":
        return _of_cells(
            [value if there else None for value, there in zip(values.tolist(), known.tolist(), strict=True)]
        )
    if values.dtype.kind == "f":
        known = known & ~np.isnan(values)
    distinct, place = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = place
    return Column(distinct.tolist(), codes)


def _of_cells(cells: Sequence[Any]) -> Column:
    """Return a column of values of any kind."""
    index = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    met = np.fromiter(map(index.__getitem__, cells), dtype=np.int64, count=len(cells))
    values: dict[Any, int] = {}
    there = [-1 if missing(cell) else values.setdefault(plain_value(cell), len(values)) for cell in index]
    return Column(list(values), np.array([*there, -1], dtype=np.int64)[met])

"""Whole tables as sheets, whatever holds them, for readers of what is no table of counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import DataError
from ..results import Table
from .formats import format_of, parquet_frame
from .frames import data_frame, index_columns
from .naming import is_file, refuse_encoding, source_of
from .sheets import Sheet, sheet_of_mapping, sheet_of_records
from .sources import Source


def whole_sheet(source: Any, encoding: str | None, wanted: Callable[[str], bool]) -> Sheet:
    """Return a whole table with all of its columns; ``wanted`` recognizes the headers that find the separator.

    >>> whole_sheet({"a": [1, 2]}, None, str.isalpha).rows
    [(1,), (2,)]
    """
    if isinstance(source, Source) or is_file(source):
        file = source if isinstance(source, Source) else source_of(source, encoding)
        format_ = format_of(file)
        if format_.sheet is not None:
            sheet = format_.sheet(file, wanted)
            return sheet if sheet.headers else Sheet(("",), [], file.where)
        return _of_frame(parquet_frame(file), file.where)
    refuse_encoding(encoding)
    if isinstance(source, Table):
        source = {header: source[header] for header in source.columns}
    if isinstance(source, Mapping):
        return sheet_of_mapping(source, "", wanted)
    if isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source):
        return sheet_of_records(source)
    return _of_frame(source, "")


def _of_frame(native: Any, where: str) -> Sheet:
    import narwhals as nw  # not needed for files of text

    frame = data_frame(native, where)
    if frame is None:
        raise DataError(
            f"expected a path, an open file, a data frame, a mapping of columns or a list of records; "
            f"got {type(native).__name__}"
        )
    eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    columns = index_columns(eager) | {header: eager[header].to_list() for header in eager.columns}
    return Sheet(tuple(map(str, columns)), list(zip(*columns.values(), strict=True)), where)

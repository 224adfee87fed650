"""Tables: whatever holds a table becomes a sheet of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..checks.names import domain_text
from ..errors import DataError, MissingExtraError
from ..results import Table
from .cells import missing
from .duck import connected, parquet_relation
from .formats import format_of, parquet_frame
from .frames import data_frame, index_columns, refuse_misread
from .headers import JOINED, columns_in, domain_of, known, named_column
from .sheets import Columns, Sheet, located, sheet_of_mapping, sheet_of_records
from .sources import is_file, refuse_encoding, source_of

Chosen = Callable[[Sequence[str], Sequence[str], Sequence[str]], Sequence[str]]
"""Gives, for the index columns, the headers and the columns of texts of a frame, the columns that are needed."""


def table_of(source: Any, entity: str | None, domain: Sequence[str], wanted: Callable[[str], bool]) -> Sheet:
    """Return a table of counts; ``wanted`` tells which headers matter besides those that are understood anyway.

    Several headers of domains make one column, called :data:`JOINED`.
    """
    domain_of(domain or None)  # which refuses one that is named twice
    named = {header for header in (entity, *domain) if header is not None}

    def needed(header: str) -> bool:
        return known(header) or header in named or wanted(header)

    def chosen(index: Sequence[str], headers: Sequence[str], texts: Sequence[str]) -> Sequence[str]:
        _, columns = columns_in(Sheet((*index, *headers), []), entity, domain[0] if domain else None)
        used = [headers[i - len(index)] for i in columns.values() if i >= len(index)]
        used += [header for header in headers if header in domain or wanted(header)]
        return list(dict.fromkeys((*used, *(texts if "entity" not in columns else ()))))  # texts may be the names

    sheet = _sheet_of(source, None, needed, chosen)
    return joined_sheet(sheet, domain) if len(domain) > 1 else sheet


def whole_sheet(source: Any, encoding: str | None, wanted: Callable[[str], bool]) -> Sheet:
    """Return a whole table with all of its columns; ``wanted`` recognizes the headers that find the separator.

    >>> list(whole_sheet({"a": [1, 2]}, None, str.isalpha).rows)
    [(1,), (2,)]
    """
    sheet = _sheet_of(source, encoding, wanted)
    return sheet if sheet.headers or not is_file(source) else Sheet(("",), [], sheet.where)


def _sheet_of(source: Any, encoding: str | None, wanted: Callable[[str], bool], chosen: Chosen | None = None) -> Sheet:
    if is_file(source):
        file = source_of(source, encoding)
        format_ = format_of(file)
        if format_.sheet is not None:
            return format_.sheet(file, wanted)
        try:
            return _sheet_of_frame(parquet_frame(file), file.where, chosen)
        except MissingExtraError:
            with connected() as connection, file.on_disk() as path:
                relation, _ = parquet_relation(connection, [path], file.where)
                return Sheet(tuple(relation.columns), relation.fetchall(), file.where)
    refuse_encoding(encoding)
    if isinstance(source, Table):
        source = {header: source[header] for header in source.columns}
    if isinstance(source, Mapping):
        return sheet_of_mapping(source, "", wanted)
    if isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source):
        return sheet_of_records(source)
    return _sheet_of_frame(source, "", chosen)


def _sheet_of_frame(native: Any, where: str, chosen: Chosen | None) -> Sheet:
    """Return the columns of a frame that are needed: a lazy one is refused before anything is computed."""
    import narwhals as nw  # not needed for files of text

    frame = data_frame(native, where)
    if frame is None:
        instead = "" if chosen is None else ": for arrays use Performances.from_counts or from_probabilities"
        raise DataError(
            "expected a path, an open file, a data frame, a mapping of columns or a list of records; "
            f"got {type(native).__name__}{instead}"
        )
    index, schema = index_columns(frame), frame.collect_schema()
    used = list(schema.names())
    if chosen is not None:
        try:
            used = list(chosen(list(index), used, [header for header, kind in schema.items() if kind == nw.String]))
        except DataError as error:
            raise error.located(where) from None
        for header in used:
            refuse_misread(frame, header, where)
    try:
        plan = frame.select(used)
        eager = plan.collect() if isinstance(plan, nw.LazyFrame) else plan
    except Exception as error:  # each engine has its own
        raise located(where, f"the table cannot be read: {' '.join(str(error).split())[:200]}") from error
    columns = list(index.values())
    for series in (eager[header] for header in used):
        short = series.dtype == nw.Float32 and not series.null_count()  # as 0.1, which is another float of 64 bits
        columns.append(list(series.to_numpy()) if short else series.to_list())
    return Sheet((*index, *map(str, used)), Columns(columns) if columns else [], where)


def joined_sheet(sheet: Sheet, domain: Sequence[str]) -> Sheet:
    """Return a sheet with a column more, :data:`JOINED`, which holds the domain that several columns make."""
    places = [named_column(sheet, header, "domain") for header in domain]
    rows = []
    for i, row in enumerate(sheet.rows):
        parts = [row[place] for place in places]
        for header, part in zip(domain, parts, strict=True):
            if missing(part) or not str(part).strip():
                raise DataError(
                    f"{header} is missing", where=sheet.place(i), expected="a part of the name of the domain",
                    way_out="fill it in or drop the row",
                )  # fmt: skip
        rows.append([*row, domain_text([str(part).strip() for part in parts])])
    return Sheet((*sheet.headers, JOINED), rows, sheet.where, sheet.lines, sheet.separator)

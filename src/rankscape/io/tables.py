"""Tables: whatever holds a table becomes its columns, of which plain ones are read at once, or a sheet of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..checks.names import domain_text
from ..errors import DataError, MissingExtraError
from ..results import Table
from .at_once import ColumnTable, plain_table, table_of_mapping
from .cells import missing
from .columns import Values
from .duck import connected, duckdb_or_none, parquet_relation
from .formats import format_of, parquet_frame
from .frames import data_frame, index_columns, refuse_misread
from .headers import JOINED, domain_of, is_cv_results, named_column
from .sheets import Sheet, located, sheet_of_mapping, sheet_of_records
from .sources import Source
from .spaces import columns_in, known


def table_of(
    source: Any, entity: str | None, domain: Sequence[str], wanted: Callable[[str], bool]
) -> ColumnTable | Sheet:
    """Return a table of counts; ``wanted`` tells which headers matter besides those that are understood anyway.

    Several headers of domains make one column, called :data:`JOINED`.
    """
    domain_of(domain or None)  # which refuses one that is named twice
    named = {header for header in (entity, *domain) if header is not None}

    def needed(header: str) -> bool:
        return known(header) or header in named or wanted(header) or is_cv_results([header])

    if isinstance(source, Source):
        table = _table_of_file(source, needed)
    elif isinstance(source, Table):
        columns = {header: source[header] for header in source.columns}
        table = table_of_mapping(columns, lambda: sheet_of_mapping(columns, "", needed))
    elif isinstance(source, Mapping):
        table = table_of_mapping(source, lambda: sheet_of_mapping(source, "", needed))
    elif isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source):
        table = sheet_of_records(source)
    else:
        table = _table_of_frame(source, "", entity, domain, wanted)
    return _joined(table, domain) if len(domain) > 1 else table


def _table_of_file(source: Source, needed: Callable[[str], bool]) -> ColumnTable | Sheet:
    format_ = format_of(source)
    if format_.sheet is None:
        try:
            return _table_of_frame(parquet_frame(source), source.where, None, (), needed)
        except MissingExtraError:
            if duckdb_or_none() is None:
                raise
        with connected() as connection, source.on_disk() as path:
            relation, _ = parquet_relation(connection, [path], source.where)
            return Sheet(tuple(relation.columns), relation.fetchall(), source.where)
    sheet = partial(format_.sheet, source, needed)
    return (plain_table(source, needed, sheet) if format_.texts else None) or sheet()


def _table_of_frame(
    native: Any, where: str, entity: str | None, domain: Sequence[str], wanted: Callable[[str], bool]
) -> ColumnTable:
    import narwhals as nw  # not needed for files of text

    frame = data_frame(native, where)
    if frame is None:
        raise DataError(
            "expected a path, an open file, a data frame, a mapping of columns or a list of records; "
            f"got {type(native).__name__}: for arrays use Performances.from_counts or from_probabilities"
        )
    extra, headers = index_columns(frame), list(frame.collect_schema().names())
    if entity is None and not domain and is_cv_results(list(map(str, headers))):
        whole = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        lists = [whole[header].to_list() for header in headers]
        return ColumnTable(
            tuple(map(str, headers)),
            list(map(Values, lists)),
            lambda: Sheet(tuple(map(str, headers)), list(zip(*lists, strict=True)), where),
        )
    # A lazy frame is refused before anything is computed, and gives only the columns that are used.
    _, columns = columns_in(Sheet((*extra, *map(str, headers)), [], where), entity, domain[0] if domain else None)
    used = [headers[i - len(extra)] for i in columns.values() if i >= len(extra)]
    used += [header for header in headers if header not in used and (str(header) in domain or wanted(str(header)))]
    if "entity" not in columns:  # texts may be the names
        used += [header for header, kind in frame.collect_schema().items() if kind == nw.String and header not in used]
    for header in used:
        refuse_misread(frame, header, where)
    chosen = frame.select(used)
    try:
        eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    except Exception as error:  # each engine has its own
        raise located(where, f"the table cannot be read: {' '.join(str(error).split())[:200]}") from error
    series = [eager[header] for header in used]
    titles = (*extra, *map(str, used))

    def sheet() -> Sheet:
        cells = [*extra.values(), *(column.to_list() for column in series)]
        return Sheet(titles, list(zip(*cells, strict=True)), where)

    wide = (nw.Int128, nw.UInt128)  # which numpy does not have
    arrays = [
        one.to_numpy() if one.dtype.is_numeric() and one.dtype not in wide and not one.null_count() else one.to_list()
        for one in series
    ]
    return ColumnTable(titles, list(map(Values, [*extra.values(), *arrays])), sheet)


# Domains of several columns


def _joined(table: ColumnTable | Sheet, domain: Sequence[str]) -> ColumnTable | Sheet:
    """Return a table with a column more, which holds the domain that several columns make."""
    if isinstance(table, Sheet):
        return joined_sheet(table, domain)
    places = [named_column(Sheet(table.headers, [], ""), header, "domain") for header in domain]
    lists = [None if (column := table.columns[place]) is None else column.names() for place in places]
    names = [names for names in lists if names is not None]
    if len(names) < len(lists):
        return joined_sheet(table.sheet(), domain)
    texts = Values([domain_text(parts) for parts in zip(*names, strict=True)])
    return table._replace(
        headers=(*table.headers, JOINED), columns=[*table.columns, texts],
        sheet=lambda: joined_sheet(table.sheet(), domain),
    )  # fmt: skip


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

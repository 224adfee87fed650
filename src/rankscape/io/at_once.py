"""Tables at once: performances from whole columns, where no cell needs a second look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..errors import DataError
from ..kernels.plain_csv import plain_csv
from ..outcomes import SampleSpace
from ..performances import Performances
from ..tasks.table import task_of
from .columns import Cells, Column, Numbers, Text, Values, proportional
from .headers import UNNAMED
from .separated import separated_table
from .sheets import Sheet
from .sources import Source
from .spaces import columns_in

_SLACK = 1e-12
"""Sums this close to a tolerance are left to the reader of cells, which adds in another order."""


class ColumnTable(NamedTuple):
    """A table by its columns; ``sheet`` gives the same cells in rows, for all that is not plain."""

    headers: tuple[str, ...]
    columns: Sequence[Column | None]
    sheet: Callable[[], Sheet]
    separator: str = ""


def plain_table(source: Source, wanted: Callable[[str], bool], sheet: Callable[[], Sheet]) -> ColumnTable | None:
    """Return the columns of a plain CSV file; None where another one."""
    content = _content(source)
    if content is None:
        return None
    with source.lines() as lines:
        table = separated_table(lines, source.where, wanted)
    data = np.frombuffer(content, dtype=np.uint8)
    shape = None if content[:4].lower() == b"sep=" else plain_csv(data, table.separator)
    if shape is None or shape.ends_in_quotes or shape.records < 2:
        return None
    breaks = (data == ord(table.separator)) | (data == ord("\n"))
    quotes = b'"' in content
    if quotes:
        breaks &= np.cumsum(data == ord('"'), dtype=np.uint8) & 1 == 0  # not inside quotation marks
    ends = np.flatnonzero(breaks)
    ends = ends if content.endswith(b"\n") else np.append(ends, len(data))
    begins = np.append(0, ends[:-1] + 1).reshape(shape.records, -1)[1:]
    ends = ends.reshape(shape.records, -1)[1:]
    if shape.returns:
        ends[:, -1] -= data[ends[:, -1] - 1] == ord("\r")
    if quotes:
        marked = (begins < ends) & (data[np.minimum(begins, len(data) - 1)] == ord('"'))
        begins, ends = begins + marked, ends - marked
    text = Text.of(content)
    strip = shape.padded or text.ascii is None
    columns = [Cells(text, begin, end, strip=strip) for begin, end in zip(begins.T.copy(), ends.T.copy(), strict=True)]
    return ColumnTable(table.headers, columns, sheet, table.separator)


def _content(source: Source) -> bytes | None:
    """Return the bytes of a text in UTF-8, without a mark; None where they are broken."""
    try:
        if source.content and isinstance(source.content, str):
            return source.content.removeprefix("\ufeff").encode()
        if source.charset not in ("utf-8", "utf-8-sig"):
            return source.text().encode()
        with source.opened() as file:
            content = file.read().removeprefix(b"\xef\xbb\xbf")
        return content if content.isascii() or content.decode() else None
    except (UnicodeError, DataError):
        return None


def table_of_mapping(columns: Mapping[Any, Any], sheet: Callable[[], Sheet]) -> ColumnTable | Sheet:
    """Return the columns of a mapping of lists and arrays of one length; the sheet of any other mapping."""
    if not all(isinstance(cells, (list, tuple)) or type(cells) is np.ndarray for cells in columns.values()):
        return sheet()  # such as arrays with a mask
    lengths = {cells.shape[:1] if isinstance(cells, np.ndarray) else (len(cells),) for cells in columns.values()}
    if len(lengths) != 1:
        return sheet()
    return ColumnTable(tuple(map(str, columns)), list(map(Values, columns.values())), sheet)


def performances_at_once(
    table: ColumnTable, entity: str | None, domain: str | None, tolerance: float
) -> Performances | None:
    """Return the performances in a table of columns; None where a cell, a header or a sum needs a second look."""
    try:
        space, places = columns_in(Sheet(table.headers, [], ""), entity, domain)
        if any({*key} <= {*places} for key in task_of(space).columns):  # such as correct and total
            return None
        if "entity" not in places and len(places) < len(table.headers):  # another column may hold the names
            return None
        numbers = _numbers(table, [places[outcome] for outcome in space.outcomes])
        if numbers is None:
            return None
        names, domains = (_names(table, places[kind]) if kind in places else () for kind in ("entity", "domain"))
        if names is None or domains is None:
            return None
        return _performances(numbers, names or None, domains or None, space, tolerance)
    except DataError:
        return None


def _numbers(table: ColumnTable, places: Sequence[int]) -> list[Numbers] | None:
    """Return the numbers of some columns; None where one of them has an odd cell, or points may separate thousands."""
    numbers = []
    for place in places:
        column = table.columns[place]
        read = None if column is None else column.numbers()
        if read is None:
            return None
        numbers.append(read)
    pointed = [column for column in numbers if column.points]
    doubtful = pointed and table.separator not in ("", ",") and all(column.grouped for column in pointed)
    return None if doubtful else numbers


def _names(table: ColumnTable, place: int) -> list[str] | None:
    column = table.columns[place]
    names = None if column is None else column.names()
    if names is None or (table.headers[place] in UNNAMED and all(map(str.isdigit, names))):  # no names, but an index
        return None
    return names


def _performances(
    numbers: Sequence[Numbers],
    names: Sequence[str] | None,
    domains: Sequence[str] | None,
    space: SampleSpace,
    tolerance: float,
) -> Performances | None:
    if not any(column.places.any() for column in numbers):
        counts = np.stack([column.integers for column in numbers], axis=1)
        return Performances.from_counts(counts, names=names, domains=domains, space=space)
    mass = np.stack([column.floats for column in numbers], axis=1)
    if not (np.abs(mass.sum(axis=1) - 1) < tolerance - _SLACK).all():
        return None
    performances = Performances.from_probabilities(mass, names=names, domains=domains, space=space, tolerance=tolerance)
    return replace(performances, exact=proportional(numbers))

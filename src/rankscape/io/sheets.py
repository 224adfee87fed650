"""Sheets: tables held in memory, headers and rows of cells, with what an error needs to name a place in them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from ..errors import DataError, Place, Text

MOST_CHARACTERS = 60

MOST_HOLES = 10_000_000
"""So many cells a table may have of which fewer than one in a hundred is given."""


class Columns(Sequence[Sequence[Any]]):
    """Rows of cells that are held by columns, one at least."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, row: Any) -> Any:
        cells = (column[row] for column in self.columns)
        return list(zip(*cells, strict=True)) if isinstance(row, slice) else tuple(cells)

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return zip(*self.columns, strict=True)


@dataclass(frozen=True)
class Sheet:
    """A table as it came: headers and rows of cells, the file, and the line on which each row starts, if it has one.

    ``notes`` say what was left out of its cells.
    """

    headers: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    where: str = ""
    lines: Sequence[int] = ()
    separator: str = ""
    notes: tuple[str, ...] = ()

    def error(self, sentence: Text, **fields: Any) -> DataError:
        """Return a DataError about the whole table."""
        return DataError(sentence, where=Place(self.where), **fields)

    def place(self, row: int, name: str | None = None) -> Place:
        """Return a row as the place of an error: ``row 7 (line 9, "unet")``."""
        return Place(self.where, row, self.line(row), name)

    def column(self, column: int) -> list[Any]:
        """Return the cells of a column."""
        held = self.rows.columns[column] if isinstance(self.rows, Columns) else map(itemgetter(column), self.rows)
        return list(held)

    def line(self, row: int | None) -> int | None:
        """Return the line of the file on which a row starts, None where there are no lines."""
        return self.lines[row] if self.lines and row is not None else None


def located(where: str, sentence: str) -> DataError:
    """Return a DataError about a file, or about no file where there is none."""
    return DataError(sentence, where=where)


def quoted(value: Any) -> str:
    """Return a value as an error shows it: short, on one line, texts in quotes."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "…" + text[-1]


def sheet_of_records(records: Sequence[Mapping[Any, Any]], where: str = "", lines: Sequence[int] = ()) -> Sheet:
    """Return a table given as one mapping per row; what a row does not have is missing."""
    headers = tuple(dict.fromkeys(key for record in records for key in record))
    given = sum(map(len, records))
    if len(records) * len(headers) > max(MOST_HOLES, 100 * given):
        problem = f"{len(records)} rows have {len(headers)} different keys, and {given / len(records):.3g} each on "
        raise located(where, f"{problem}average; expected rows with the same keys")
    rows = [[record.get(header) for header in headers] for record in records]
    return Sheet(tuple(map(str, headers)), rows, where, lines)


def sheet_of_mapping(columns: Mapping[Any, Any], where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a table given as columns by header, as one row, or as one row per entity: {"unet": {"tn": …}, …}."""
    headers = tuple(map(str, columns))
    if columns and all(isinstance(values, Mapping) for values in columns.values()):
        inner = {str(key) for values in columns.values() for key in values}
        if sum(map(wanted, headers)) <= sum(map(wanted, inner)):  # also where one of the entities is called "Total"
            return sheet_of_records([{"entity": name, **record} for name, record in columns.items()], where)
        index = dict.fromkeys(key for values in columns.values() for key in values)  # of columns by header and row
        return sheet_of_records(
            [{"": key, **{h: values[key] for h, values in columns.items() if key in values}} for key in index], where
        )
    if not any(map(_is_column, columns.values())):
        return Sheet(headers, [list(columns.values())] if columns else [], where)
    cells = []
    for header, values in zip(headers, columns.values(), strict=True):
        if not _is_column(values):
            raise located(where, f"column {quoted(header)} is {quoted(values)}; expected a list, one value per row")
        whole = isinstance(values, np.ndarray) and values.dtype.kind in "iu"
        cells.append(values.tolist() if whole else list(values))
    if len({*map(len, cells)}) > 1:
        lengths = ", ".join(f"{header}: {len(column)}" for header, column in zip(headers, cells, strict=True))
        raise located(where, f"the columns have different lengths ({lengths}); expected one value per row in each")
    return Sheet(headers, Columns(cells), where)


def _is_column(values: Any) -> bool:
    """Tell lists, arrays and series from single values."""
    single = isinstance(values, (str, bytes, Mapping)) or getattr(values, "shape", 1) == ()
    return hasattr(values, "__len__") and not single

r"""Separated values: the text of a CSV file becomes records, by rules that leave nothing to be guessed.

Records end at \n, \r\n or \r outside quotes. A cell is quoted only if its first character is ``"``; inside, ``""`` is
one quotation mark; after the closing one the cell must end. Nothing else is special: no apostrophe, backslash or ``#``.
A record of blank cells is none; every other one must have as many cells as the header, and must not repeat it.
"""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from operator import methodcaller

from ..errors import DataError, Place
from ..texts import counted
from .sheets import located, quoted

SEPARATORS = (",", ";", "\t", "|")
"""What may separate the cells of a text file."""

_SIGNS = {",": "a comma, also a decimal one,", ";": "a semicolon", "\t": "a tab", "|": "a bar"}

Record = tuple[int, list[str]]
"""The line on which a record starts, and its cells."""


class _UnreadableRowError(DataError):
    """A row has a quotation mark where its separator allows none."""


@dataclass(frozen=True)
class SeparatedTable:
    """The headers of a table of text, and its records, to be taken once: (line, cells)."""

    headers: tuple[str, ...]
    records: Iterator[Record]
    separator: str


def separated_table(
    text: Iterable[str], where: str, wanted: Callable[[str], bool], separator: str | None = None
) -> SeparatedTable:
    """Return the table in lines of text; ``wanted`` recognizes the headers that matter, and so finds the separator."""
    lines = _Lines(text, where)
    announced = re.fullmatch(r"sep=(.)[\r\n]*", next(lines.again(), ""), re.IGNORECASE | re.DOTALL)  # as Excel has it
    chosen = separator or (announced[1] if announced else _separator(lines, wanted))
    records = numbered_rows(lines.again(keep=False), chosen, where, 1 if announced else 0, lines)
    try:
        _, cells = next(records)
    except StopIteration:
        raise located(where, "this is empty; expected a header and rows below it") from None
    headers = tuple(cell.strip() for cell in cells)
    return SeparatedTable(headers, _checked(records, headers, chosen, where), chosen)


def plain_columns(text: str, table: SeparatedTable) -> list[list[str]] | None:
    """Return the columns of a whole text at once; None where it has quotes, blank records or anything that is odd."""
    text, separator = text.replace("\r\n", "\n"), table.separator
    lines = text.removesuffix("\n").split("\n")
    plain = not any(sign in text for sign in '"\0\r') and text[:4].lower() != "sep=" and len(lines) > 1
    if not plain or {*map(methodcaller("count", separator), lines)} != {len(table.headers) - 1}:
        return None
    cells = separator.join(lines[1:]).split(separator)
    columns = [cells[i :: len(table.headers)] for i in range(len(table.headers))]
    first = list(map(str.strip, columns[0]))
    return columns if all(first) and table.headers[0] not in first else None


class _Lines:
    """Lines of text that can be taken again from the start while the header is looked for."""

    def __init__(self, text: Iterable[str], where: str) -> None:
        self.where, self.taken, self.kept, self.rest = where, 0, list[str](), iter(text)

    def again(self, *, keep: bool = True) -> Iterator[str]:
        """Yield the lines from the start; those read for the first time are kept, or, the last time, are not."""
        yield from self.kept
        for line in self.rest:
            self.taken += 1
            if "\0" in line:
                raise located(self.where, "this is not text; expected a table: CSV, TSV, JSON or Parquet")
            if keep:
                self.kept.append(line)
            yield line


def _separator(lines: _Lines, wanted: Callable[[str], bool]) -> str:
    """Return the separator that finds the most different headers that matter, then a row as long, then more cells."""

    def headers(separator: str) -> tuple[int, bool, int]:
        try:
            rows = [cells for _, cells in islice(numbered_rows(lines.again(), separator, ""), 2)]
        except _UnreadableRowError:  # with this separator: the lines are kept, and the chosen one reads them again
            return 0, False, 0
        cells = rows[0] if rows else []
        understood = len({cell.strip() for cell in cells if wanted(cell.strip())})
        return understood, understood > 0 and len({*map(len, rows)}) == 1, len(cells)

    return max(SEPARATORS, key=headers)


def numbered_rows(
    lines: Iterable[str], separator: str, where: str, skipped: int = 0, source: _Lines | None = None
) -> Iterator[Record]:
    """Yield every record that is not blank, after some lines; those of a source must all have been read in the end."""
    if csv.field_size_limit() < sys.maxsize >> 32:
        csv.field_size_limit(sys.maxsize >> 32)  # else the module refuses cells of more than 131 072 characters
    reader = csv.reader(islice(lines, skipped, None), delimiter=separator, strict=True)
    line = 1 + skipped
    try:
        for cells in reader:
            if (cells and cells[0].strip()) or any(cell.strip() for cell in cells):  # the first is mostly enough
                yield line, cells
            line = reader.line_num + 1 + skipped
    except csv.Error as error:
        problem = "a quotation mark is not closed" if "end of data" in str(error) else str(error)
        if "expected after" in problem:
            sign = _SIGNS.get(separator, separator)
            problem = f"a quoted cell goes on after its closing quotation mark, where {sign} must follow"
        raise _UnreadableRowError(
            f"the row cannot be read: {problem}",
            where=Place(where, line=line),
            way_out='close every quotation mark ("), and double those inside quoted cells',
        ) from None
    if source is not None and reader.line_num + skipped != source.taken:
        read, of = reader.line_num + skipped, counted(source.taken, "line")
        raise located(where, f"{read} of {of} were read: a row would be lost")


def _checked(records: Iterator[Record], headers: tuple[str, ...], separator: str, where: str) -> Iterator[Record]:
    """Yield the records below the header; one of another length, or that repeats the header, is refused."""
    width, first = len(headers), headers[0]
    for row, (line, cells) in enumerate(records):
        if len(cells) != width:
            raise DataError(
                f"this row has {counted(len(cells), 'cell')}",
                where=Place(where, row, line),
                expected=f"{width}, as in the header ({', '.join(map(quoted, headers[:8]))})",
                way_out=f'complete the row, or put cells that hold {_SIGNS.get(separator, separator)} in "quotes"',
            )
        if cells[0].strip() == first and tuple(cell.strip() for cell in cells) == headers:
            raise DataError(
                "this row repeats the header",
                where=Place(where, row, line),
                way_out="drop it, or, where several files were put together, name the files instead",
            )
        yield line, cells

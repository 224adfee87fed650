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

from ..errors import DataError, Place
from ..texts import counted
from .sheets import located, quoted

SEPARATORS = (",", ";", "\t", "|")
"""What may separate the cells of a text file."""

_SIGNS = {",": "a comma, also a decimal one,", ";": "a semicolon", "\t": "a tab", "|": "a bar"}


class _UnreadableRowError(DataError):
    """A row has a quotation mark where its separator allows none."""


Record = tuple[int, list[str]]
"""The line on which a record starts, and its cells."""


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
    announced = re.fullmatch(r"sep=(.)[\r\n]*", lines.first, re.IGNORECASE | re.DOTALL)  # as Excel writes and reads
    skipped = 1 if announced else 0
    chosen = separator or (announced[1] if announced else _separator(lines, wanted))
    records = numbered_rows(lines.from_start(skipped, keep=False), chosen, where, skipped, lines)
    try:
        _, cells = next(records)
    except StopIteration:
        raise located(where, "this is empty; expected a header and rows below it") from None
    headers = tuple(cell.strip() for cell in cells)
    return SeparatedTable(headers, _checked(records, headers, chosen, where), chosen)


class _Lines:
    """Lines of text that can be taken again from the start while the header is looked for."""

    def __init__(self, text: Iterable[str], where: str) -> None:
        self._where = where
        self.taken = 0
        self._rest = iter(text)
        self._kept: list[str] = []
        self.first = next(self.from_start(0), "")

    def from_start(self, skipped: int, *, keep: bool = True) -> Iterator[str]:
        """Yield the lines from the start, those read for the first time are kept, or, the last time, are not."""
        for line in self._kept[skipped:]:
            yield self._checked(line)
        taken = 0
        try:
            for line in self._rest:
                taken += 1
                if keep:
                    self._kept.append(line)
                yield self._checked(line)
        finally:
            self.taken += taken

    def refuse_lost(self, read: int) -> None:
        """Refuse to go on where not every line that was taken from the text was read."""
        if read != self.taken:
            raise located(self._where, f"{read} of {counted(self.taken, 'line')} were read: a row would be lost")

    def _checked(self, line: str) -> str:
        if "\0" in line:
            raise located(self._where, "this is not text; expected a table: CSV, TSV, JSON or Parquet")
        return line


def numbered_rows(
    lines: Iterable[str], separator: str, where: str, skipped: int = 0, source: _Lines | None = None
) -> Iterator[Record]:
    """Yield every record that is not blank; the lines of a source must all have been read in the end."""
    if csv.field_size_limit() < sys.maxsize >> 32:
        csv.field_size_limit(sys.maxsize >> 32)  # else the module refuses cells of more than 131 072 characters
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1 + skipped
        try:
            cells = next(reader)
        except StopIteration:
            if source is not None:
                source.refuse_lost(reader.line_num + skipped)
            return
        except csv.Error as error:
            problem = "a quotation mark is not closed" if "end of data" in str(error) else _cause(error, separator)
            raise _UnreadableRowError(
                f"the row cannot be read: {problem}",
                where=Place(where, line=line),
                way_out='close every quotation mark ("), and double those inside quoted cells',
            ) from None
        if (cells and cells[0].strip()) or any(cell.strip() for cell in cells):  # the first is mostly enough
            yield line, cells


def _cause(error: csv.Error, separator: str) -> str:
    if "expected after" in str(error):
        sign = _SIGNS.get(separator, separator)
        return f"a quoted cell goes on after its closing quotation mark, where {sign} must follow"
    return str(error)


def _separator(lines: _Lines, wanted: Callable[[str], bool]) -> str:
    """Return the separator that finds the most different headers that matter, then a row as long, then more cells."""

    def headers(separator: str) -> tuple[int, bool, int]:
        try:
            rows = [cells for _, cells in islice(numbered_rows(lines.from_start(0), separator, ""), 2)]
        except _UnreadableRowError:  # with this separator: the lines are kept, and the chosen one reads them again
            return 0, False, 0
        cells = rows[0] if rows else []
        understood = len({cell.strip() for cell in cells if wanted(cell.strip())})
        return understood, understood > 0 and len({*map(len, rows)}) == 1, len(cells)

    return max(SEPARATORS, key=headers)


def _checked(records: Iterator[Record], headers: tuple[str, ...], separator: str, where: str) -> Iterator[Record]:
    """Yield the records below the header; one of another length, or that repeats the header, is refused."""
    for row, (line, cells) in enumerate(records):
        if len(cells) != len(headers):
            raise DataError(
                f"this row has {counted(len(cells), 'cell')}",
                where=Place(where, row, line),
                expected=f"{len(headers)}, as in the header ({', '.join(map(quoted, headers[:8]))})",
                way_out=f'complete the row, or put cells that hold {_SIGNS.get(separator, separator)} in "quotes"',
            )
        if cells[0].strip() == headers[0] and tuple(cell.strip() for cell in cells) == headers:
            raise DataError(
                "this row repeats the header",
                where=Place(where, row, line),
                way_out="drop it, or, where several files were put together, name the files instead",
            )
        yield line, cells

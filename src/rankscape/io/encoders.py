"""Encoders: rows of cells, as a reader yields them, become columns of codes."""

import math
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ..arrays import Integers
from ..errors import DataError, Place
from ..kernels.exact import MOST_DIGITS, sized
from .cells import Cell, missing, missing_text, number_of_text, uses_decimal_commas
from .coded import CodedCases, Column
from .codes import plain_value

CHUNK = 1 << 15
"""Rows that are read before they are encoded."""

Origin = tuple[str, int | None]
"""A file, and the line in it on which a row starts, where lines are known."""


def coded_cases(
    rows: Iterable[tuple[Origin, Sequence[Any]]],
    headers: Sequence[str],
    numbers: Sequence[str],
    where: str,
    texts: bool,
) -> CodedCases:
    """Return cases from rows of cells; the columns ``numbers`` hold numbers, which are read as in tables of counts."""
    encoders = [_Encoder(header, texts) for header in headers]
    iterator, records = iter(rows), 0
    while part := list(islice(iterator, CHUNK)):
        records += len(part)
        origins = [origin for origin, _ in part]
        for k, encoder in enumerate(encoders):
            encoder.add([cells[k] for _, cells in part], origins)
    return CodedCases({e.header: e.column(e.header in numbers) for e in encoders}, records, where, texts)


class _Encoder:
    """A column as it is read: every cell that was met before is one look-up."""

    def __init__(self, header: str, texts: bool) -> None:
        self.header = header
        self.texts = texts
        self.values: dict[Any, int] = {}
        self.origins: list[Origin] = []
        self.known: dict[Any, int] = {}
        self.codes: list[Integers] = []

    def add(self, cells: list[Any], origins: Sequence[Origin]) -> None:
        """Add the cells of some rows."""
        try:
            unknown = set(cells) - self.known.keys()
        except TypeError:  # a list or an object of JSON
            row = next(i for i, cell in enumerate(cells) if isinstance(cell, (list, dict)))
            cell = Cell(cells[row], self.header, partial(_place, origins[row]))
            raise cell.error("is no label", expected="a text, a number, true or false") from None
        if unknown:
            for cell, origin in zip(cells, origins, strict=True):
                if cell in unknown:
                    unknown.discard(cell)
                    self.known[cell] = self._code(cell, origin)
        self.codes.append(np.fromiter(map(self.known.__getitem__, cells), dtype=np.int64, count=len(cells)))

    def _code(self, cell: Any, origin: Origin) -> int:
        value = cell.strip() if self.texts else cell
        if missing(value) or value == "":
            return -1
        code = self.values.setdefault(value, len(self.values))
        if code == len(self.origins):
            self.origins.append(origin)
        return code

    def column(self, of_numbers: bool) -> Column:
        """Return the column, its values as Python has them."""
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, dtype=np.int64)
        if of_numbers:
            return _numbers(self.header, list(self.values), codes, self.origins)
        return Column([plain_value(value) for value in self.values], codes)


def _numbers(header: str, values: list[Any], codes: Integers, origins: list[Origin]) -> Column:
    """Return a column of numbers: integers where they are whole, decimals of texts; missing ones have the code −1."""
    cells = [Cell(value, header, partial(_place, origin)) for value, origin in zip(values, origins, strict=True)]
    commas = uses_decimal_commas([cell for cell in cells if isinstance(cell.value, str)])
    out: list[Any] = []
    again: dict[Any, int] = {}
    code = np.full(len(values) + 1, -1, dtype=np.int64)
    for i, cell in enumerate(cells):
        number = _number(cell, commas)
        if number is not None:
            code[i] = again.setdefault(number, len(out))
            out += [number] if code[i] == len(out) else []
    return Column(out, code[codes])


def _place(origin: Origin) -> Place:
    return Place(origin[0], line=origin[1])


def _number(cell: Cell, commas: bool) -> int | float | Decimal | None:
    """Return the number in a cell, None where it is missing."""
    value: Any = cell.value
    if isinstance(value, str):
        if missing_text(value):
            return None
        value = number_of_text(value, commas)
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise cell.error("is not a number", expected="one in every cell of this column")
    if isinstance(value, Decimal) and value.adjusted() <= sys.float_info.max_10_exp:
        value = _exactly(cell, value)
    if isinstance(value, (float, Decimal)) and not math.isfinite(value):
        raise cell.error("is not finite, or too large", expected="a number below 1e308")
    if abs(value) > sys.float_info.max:
        raise cell.error("is too large", expected="a number below 1e308")
    number: int | float | Decimal = value
    return number


def _exactly(cell: Cell, value: Decimal) -> int | Decimal:
    """Return a decimal number that can be computed with, as an integer where it is whole."""
    try:
        value = sized(value)
    except DataError:
        raise cell.error("has too many digits", expected=f"at most {MOST_DIGITS}") from None
    return int(value) if value == value.to_integral_value() else value

"""Cells to numbers: whole numbers stay exact, decimal commas are understood, and what could be misread is refused."""

import math
import re
from collections.abc import Callable, Sequence
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import partial
from importlib import import_module
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import instead_of_fraction, meant
from ..errors import DataError, Place
from ..kernels.exact import fractions_of, integers_of_fractions
from .sheets import Sheet, quoted

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_GROUPS = re.compile(r"[0-9]\W[0-9]{3}(?![0-9])")
_MISSING = {"", "na", "nan", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?"}
LARGEST_EXPONENT = 30
MOST_DIGITS = 60
_WIDE = Context(prec=2 * MOST_DIGITS + 2 * LARGEST_EXPONENT)
_EXPECTED = "a count (a whole number ≥ 0) or a probability"
_PLAIN = "write 1234 for thousands, and 0.5 or 0,5 for a half"


def numbers(sheet: Sheet, columns: Sequence[int], names: Sequence[str]) -> list[list[int | Decimal | Fraction | float]]:
    """Return the numbers in some columns, one list per row: int where they are whole, else Decimal.

    A float is the shortest decimal that rounds to it, which is what a text of the table would have.

    Raises DataError for a cell that is missing, no number, not finite, or that can be read in two ways ("1,234").
    """
    values = _plain(sheet, columns)
    cells = [
        [
            Cell(value, sheet.headers[column], partial(sheet.place, i, names[i]))
            for value, column in zip(row, columns, strict=True)
        ]
        for i, row in enumerate(values)
    ]
    texts = [cell for row in cells for cell in row if isinstance(cell.value, str)]
    # In a file separated by commas a point is decimal; elsewhere it separates thousands in some languages.
    commas = uses_decimal_commas(texts, points_are_decimal=sheet.separator in ("", ","))
    return [[_number(cell, commas) for cell in row] for row in cells]


def _plain(sheet: Sheet, columns: Sequence[int]) -> list[list[Any]]:
    """Return the cells of some columns, without the signs between thousands where these can be nothing else."""
    rows = [[row[column] for column in columns] for row in sheet.rows]
    if not any(_GROUPS.search(value) for row in rows for value in row if isinstance(value, str)):
        return rows
    thousands: Any = import_module(".thousands", __package__)  # which few tables need
    texts = [[value for value in row if isinstance(value, str)] for row in rows]
    chosen = set(columns)
    rest = [v for row in sheet.rows for i, v in enumerate(row) if isinstance(v, str) and i not in chosen]
    english = sheet.separator in ("", ",")
    sure = thousands.commas_separate_thousands(texts, rest, as_in_english=english)
    plain = thousands.whole_of if sure else thousands.without_thousands
    return [[(plain(value) or value) if isinstance(value, str) else value for value in row] for row in rows]


class Cell(NamedTuple):
    """A cell, with what an error needs to name it."""

    value: Any
    header: str
    place: Callable[[], Place]

    @property
    def where(self) -> Place:
        """Where the cell is."""
        return self.place()

    def error(self, problem: str, **fields: Any) -> DataError:
        """Return a DataError about the cell."""
        return DataError(f"{self.header} = {quoted(self.value)} {problem}", where=self.where, **fields)


def missing(value: Any) -> bool:
    """Tell whether a cell holds no value: None, NaN, or the missing value of a data frame."""
    return (
        value is None
        or (isinstance(value, (float, np.floating, Decimal)) and math.isnan(value))
        or type(value).__name__ in ("NAType", "NaTType")
    )


def is_number(cell: Any) -> bool:
    """Tell whether a cell is a number, or a text that reads as one.

    >>> is_number("1.5"), is_number(3), is_number("u"), is_number(None), is_number(True)
    (True, True, False, False, False)
    """
    if isinstance(cell, str):
        return number_of_text(cell.strip(), True) is not None
    return isinstance(cell, (int, float, Decimal, np.number)) and not isinstance(cell, bool)


def missing_text(text: str) -> bool:
    """Tell whether a text stands for a missing value, such as "n/a"."""
    return text.strip().casefold() in _MISSING


def _number(cell: Cell, commas: bool) -> int | Decimal | Fraction | float:
    value = cell.value
    if missing(value) or (isinstance(value, str) and missing_text(value)):
        raise cell.error("is missing", expected=_EXPECTED, way_out="fill it in or drop the row")
    if isinstance(value, str):
        number = number_of_text(value, commas)
        if number is None:
            share = (
                number_of_text(value.strip().removesuffix("%"), commas=True) if value.strip().endswith("%") else None
            )
            ways = instead_of_fraction(value) if share is None else f"write {float(share) / 100:g}"
            expected = f"{_EXPECTED}, without units, % or thousands separators"
            raise cell.error("is not a number", expected=expected, way_out=ways)
        return _in_range(cell, number)
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise cell.error("is not a number", expected=_EXPECTED)
    if isinstance(value, Integral):
        return _in_range(cell, Decimal(int(value))) if abs(int(value)) > 2**64 else int(value)
    if not math.isfinite(value):
        raise cell.error("is not finite", expected=_EXPECTED)
    if isinstance(value, Rational):
        return int(value.numerator) if value.denominator == 1 else Fraction(value)
    if isinstance(value, Decimal):
        return _in_range(cell, value)
    return _in_range(cell, Decimal(str(value) if isinstance(value, np.floating) else repr(float(value))))


def number_of_text(text: str, commas: bool) -> int | Decimal | None:
    """Return the number in a text, with decimal commas or points; None where it holds none.

    >>> number_of_text(" 007 ", False), number_of_text("1,5", True), number_of_text("1,5", False)
    (7, Decimal('1.5'), None)
    """
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    text = text.replace(",", ".") if commas else text
    if len(text) <= LARGEST_EXPONENT and text.isascii() and text.isdigit():
        return int(text)
    try:
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    except InvalidOperation:  # an exponent of many digits
        return None


def _in_range(cell: Cell, value: int | Decimal) -> int | Decimal | float:
    """Return a number exactly where its digits and exponent allow it, else as a float; too large ones are refused."""
    if isinstance(value, int):
        return value
    if value and value.adjusted() > LARGEST_EXPONENT:
        raise cell.error("is too large", expected="at most 2**60", way_out=["divide all counts", "give probabilities"])
    if value == value.to_integral_value():
        return int(value)
    exact = value.adjusted() > -LARGEST_EXPONENT and len(value.as_tuple().digits) <= MOST_DIGITS
    return value if exact else float(value)


def integers_of_decimals(rows: Sequence[Sequence[Any]]) -> NDArray[Any]:
    """Return integers proportional, in every row, to numbers read from decimal text, or to fractions.

    >>> integers_of_decimals([[Decimal("0.9"), Decimal("0.05"), 0, Decimal("0.05")]]).tolist()
    [[90, 5, 0, 5]]
    """
    out = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        if all(isinstance(value, (int, Decimal)) for value in row):
            places = max(-int(Decimal(value).as_tuple().exponent) for value in row)
            out[i] = [int(Decimal(value).scaleb(max(places, 0), _WIDE)) for value in row]
        else:
            printed = [meant(value) if isinstance(value, (float, np.floating)) else value for value in row]
            out[i] = integers_of_fractions(fractions_of([printed]))[0]
    return out


def uses_decimal_commas(cells: Sequence[Cell], *, points_are_decimal: bool = True) -> bool:
    """Tell whether texts have decimal commas; refuse commas and points that may as well separate thousands."""
    commas, points = ([cell for cell in cells if mark in cell.value] for mark in ",.")
    doubtful = commas or ([] if points_are_decimal else points)
    several = [cell for cell in commas if cell.value.count(",") > 1]
    if several:
        raise several[0].error("has thousands separators", expected=_EXPECTED, way_out=_PLAIN)
    if commas and points:
        other = points[0]
        row = f" in row {other.where.row + 1}" if other.where.row is not None else ""
        raise commas[0].error(
            f"has a comma, but {quoted(other.value.strip())}{row} has a point",
            expected="one decimal sign in all the table",
            way_out=_PLAIN,
        )
    if doubtful and all(_GROUPED.fullmatch(cell.value.strip()) for cell in doubtful):
        text = doubtful[0].value.strip()
        readings = f"{re.sub('[.,]', '', text)} or {text.replace(',', '.')}"
        raise doubtful[0].error(f"may mean {readings}, and no other number in the table tells which", way_out=_PLAIN)
    return bool(commas)

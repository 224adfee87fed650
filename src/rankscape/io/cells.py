"""Cells to numbers: whole numbers stay exact, decimal commas are understood, and what could be misread is refused."""

import math
import re
from collections.abc import Sequence
from decimal import Context, Decimal
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from .tabular import Sheet, shown

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_MISSING = {"", "na", "nan", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?"}
_LARGEST_EXPONENT = 30
MOST_DIGITS = 60
_WIDE = Context(prec=2 * MOST_DIGITS + 2 * _LARGEST_EXPONENT)
_EXPECTED = "expected a count (a whole number ≥ 0) or a probability"


def numbers(sheet: Sheet, columns: Sequence[int], names: Sequence[str]) -> list[list[int | Decimal | float]]:
    """Return the numbers in some columns, one list per row: int where they are whole, Decimal where they are text.

    Raises DataError for a cell that is missing, no number, not finite, or that can be read in two ways ("1,234").
    """
    comma = _decimal_comma(sheet, columns, names)
    return [[_number(sheet, row, column, names[row], comma) for column in columns] for row in range(len(sheet.rows))]


def missing(value: Any) -> bool:
    """Tell whether a cell holds no value: None, NaN, or the missing value of a data frame."""
    return (
        value is None
        or (isinstance(value, (float, np.floating, Decimal)) and math.isnan(value))
        or type(value).__name__ in ("NAType", "NaTType")
    )


def missing_text(text: str) -> bool:
    """Tell whether a text stands for a missing value, such as "n/a"."""
    return text.strip().casefold() in _MISSING


def _number(sheet: Sheet, row: int, column: int, name: str, comma: bool) -> int | Decimal | float:
    value = sheet.rows[row][column]
    text = value.strip() if isinstance(value, str) else None
    if missing(value) or (text is not None and missing_text(text)):
        problem = f"is missing; {_EXPECTED}: fill it in or drop the row"
    elif text is not None:
        text = text.replace("\N{MINUS SIGN}", "-")
        text = text.replace(",", ".") if comma else text
        if len(text) <= _LARGEST_EXPONENT and text.isascii() and text.isdigit():
            return int(text)
        if _NUMBER.fullmatch(text):
            return _whole_or_not(sheet, row, column, name, Decimal(text))
        problem = f"is not a number; {_EXPECTED}, without units, % or thousands separators"
    elif isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        problem = f"is not a number; {_EXPECTED}"
    elif isinstance(value, Integral):
        return int(value)
    elif not math.isfinite(value):
        problem = f"is not finite; {_EXPECTED}"
    elif isinstance(value, Rational):
        return int(value.numerator) if value.denominator == 1 else float(value)
    else:
        found = _whole_or_not(sheet, row, column, name, value if isinstance(value, Decimal) else Decimal(float(value)))
        return found if isinstance(found, int) or isinstance(value, Decimal) else float(value)
    raise _error(sheet, row, column, name, problem)


def _whole_or_not(sheet: Sheet, row: int, column: int, name: str, value: Decimal) -> int | Decimal | float:
    if value and value.adjusted() > _LARGEST_EXPONENT:
        problem = "is too large; expected at most 2**60: divide all counts, or give probabilities"
        raise _error(sheet, row, column, name, problem)
    if value == value.to_integral_value():
        return int(value)
    return (
        value if value.adjusted() > -_LARGEST_EXPONENT and len(value.as_tuple().digits) <= MOST_DIGITS else float(value)
    )


def integers_of_decimals(rows: Sequence[Sequence[int | Decimal | float]]) -> NDArray[Any] | None:
    """Return integers proportional, in every row, to numbers read from decimal text; None where there is a float.

    >>> integers_of_decimals([[Decimal("0.9"), Decimal("0.05"), 0, Decimal("0.05")]]).tolist()
    [[90, 5, 0, 5]]
    """
    out = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        if any(isinstance(value, float) for value in row):
            return None
        places = max(-int(Decimal(value).as_tuple().exponent) for value in row)
        out[i] = [int(Decimal(value).scaleb(max(places, 0), _WIDE)) for value in row]
    return out


def _decimal_comma(sheet: Sheet, columns: Sequence[int], names: Sequence[str]) -> bool:
    """Tell whether the numbers have decimal commas; refuse commas and points that may as well separate thousands."""
    texts = [
        (row, column, cells[column].strip())
        for row, cells in enumerate(sheet.rows)
        for column in columns
        if isinstance(cells[column], str)
    ]
    commas, points = ([cell for cell in texts if mark in cell[2]] for mark in ",.")
    # In a file separated by commas a point is decimal; elsewhere it separates thousands in some languages.
    doubtful = commas or (points if sheet.separator not in ("", ",") else [])
    several = [cell for cell in commas if cell[2].count(",") > 1]
    if several:
        wrong, problem = several, f"has thousands separators; {_EXPECTED}"
    elif commas and points:
        row, _, text = points[0]
        wrong = commas
        problem = (
            f"has a comma, but {shown(text)} in row {row + 1} has a point; expected one decimal sign in all the table"
        )
    elif doubtful and all(_GROUPED.fullmatch(text) for *_, text in doubtful):
        wrong, text = doubtful, doubtful[0][2]
        readings = f"{re.sub('[.,]', '', text)} or {text.replace(',', '.')}"
        problem = f"may mean {readings}, and no other number in the table tells which"
    else:
        return bool(commas)
    row, column, _ = wrong[0]
    raise _error(sheet, row, column, names[row], f"{problem}: write 1234 for thousands, and 0.5 or 0,5 for a half")


def _error(sheet: Sheet, row: int, column: int, name: str, problem: str) -> DataError:
    value = sheet.rows[row][column]
    return sheet.error(f"{sheet.place(row, name)}: {sheet.headers[column]} = {shown(value)} {problem}")

"""Cells to numbers: whole numbers stay exact, decimal commas are understood, and what could be misread is refused."""

import math
import re
from collections.abc import Callable, Sequence
from decimal import Context, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import partial
from itertools import chain, repeat
from numbers import Integral, Rational, Real
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import NUMBER, instead_of_fraction, meant
from ..errors import DataError, Place
from ..kernels.exact import LARGEST_IN_FLOATS, fractions_of, integers_of_fractions
from .sheets import Sheet, quoted

Number = int | Decimal | Fraction | float

LARGEST_EXPONENT = 30
MOST_DIGITS = 60
_FEW_DIGITS = 18  # all numbers of so many digits fit into 64 bits
_WIDE = Context(prec=2 * MOST_DIGITS + 3 * LARGEST_EXPONENT)
_PLAIN = r"(?:[0-9]{1,30}(?:\.[0-9]{1,29})?|[1-9](?:\.[0-9]{1,17})?e-[01]?[0-9])"
_PLAIN_COLUMN = re.compile(rf"{_PLAIN}(?:\|{_PLAIN})*")
_FLOATS = {float, np.float32, np.float64}
_MISSING = {"", "na", "nan", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?"}
_EXPECTED = "a count (a whole number ≥ 0) or a probability"
_WRITTEN = "write 1234 for thousands, and 0.5 or 0,5 for a half"

_SPACES = " \N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
_SURE = re.compile(rf"[1-9][0-9]{{0,2}}(?:([{_SPACES}])[0-9]{{3}}(?:\1[0-9]{{3}})*|([.,])[0-9]{{3}}(?:\2[0-9]{{3}})+)")
"""Groups of three digits where nothing else can be meant: neither a space nor a sign twice is a decimal one."""

_DOUBTFUL = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")


class Cell(NamedTuple):
    """A cell, with what an error needs to name it."""

    value: Any
    header: str
    place: Callable[[], Place]

    def error(self, problem: str, **fields: Any) -> DataError:
        """Return a DataError about the cell."""
        return DataError(f"{self.header} = {quoted(self.value)} {problem}", where=self.place(), **fields)


def numbers(sheet: Sheet, columns: Sequence[int], names: Sequence[str]) -> NDArray[np.int64] | list[tuple[Number, ...]]:
    """Return the numbers in some columns, row by row: int where they are whole, else Decimal; an array of plain counts.

    A float is the shortest decimal that rounds to it, which is what a text of the table would have.

    Raises DataError for a cell that is missing, no number, not finite, or that can be read in two ways ("1,234").
    """
    # In a file separated by commas a point is decimal; elsewhere it separates thousands in some languages.
    english = sheet.separator in ("", ",")
    cells = list(map(sheet.column, columns))
    plain = [_plain_numbers(column, english) for column in cells]
    if all(isinstance(column, np.ndarray) for column in plain):
        return np.stack(plain, axis=1)
    if all(column is not None for column in plain):
        return list(zip(*(column if isinstance(column, list) else column.tolist() for column in plain), strict=True))
    headers, cells = [sheet.headers[column] for column in columns], _without_groups(sheet, columns, cells)
    rows = [
        [Cell(value, header, partial(sheet.place, i, names[i])) for value, header in zip(row, headers, strict=True)]
        for i, row in enumerate(zip(*cells, strict=True))
    ]
    texts = [cell for row in rows for cell in row if isinstance(cell.value, str)]
    commas = uses_decimal_commas(texts, points_are_decimal=english)
    return [tuple(_number(cell, commas) for cell in row) for row in rows]


def _plain_numbers(cells: Sequence[Any], points_are_decimal: bool) -> Any:
    """Return the numbers of a column of integers, floats or plain texts at once; None where a cell is odd."""
    kinds = {*map(type, cells)}
    if kinds == {int} and 0 <= min(cells) <= max(cells) < 10**_FEW_DIGITS:
        return np.array(cells, dtype=np.int64)
    if kinds and kinds <= _FLOATS:
        floats = np.array(cells, dtype=np.float64)
        if not ((floats == 0) | ((floats > 10.0 ** (1 - LARGEST_EXPONENT)) & (floats < 10.0**LARGEST_EXPONENT))).all():
            return None
        if (floats == np.floor(floats)).all() and floats.max() < LARGEST_IN_FLOATS:
            return floats.astype(np.int64)
        texts: Sequence[str] = list(map(str, cells))
    else:
        texts = cells if kinds == {str} else ()
        digits, joined = "".join(texts), "|".join(texts)
        if digits.isascii() and digits.isdigit() and all(texts) and max(map(len, texts)) <= _FEW_DIGITS:
            return np.fromstring(" ".join(texts), dtype=np.int64, sep=" ")
        plain = _PLAIN_COLUMN.fullmatch(joined) and joined.count("|") < len(cells)  # a cell may have the sign itself
        if not (plain and points_are_decimal):
            return None
    values = list(map(Decimal, texts))
    wholes = map(Decimal.to_integral_value, values)
    return [int(whole) if whole == value else value for value, whole in zip(values, wholes, strict=True)]


def missing(value: Any) -> bool:
    """Tell whether a cell holds no value: None, NaN, or the missing value of a data frame."""
    nan = isinstance(value, (float, np.floating, Decimal)) and math.isnan(value)
    return value is None or nan or type(value).__name__ in ("NAType", "NaTType")


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, and no truth value."""
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool) and not missing(value)


def missing_text(text: str) -> bool:
    """Tell whether a text stands for a missing value, such as "n/a"."""
    return text.strip().casefold() in _MISSING


def _number(cell: Cell, commas: bool) -> Number:
    """Return a number exactly where its digits and exponent allow it, else as a float; too large ones are refused."""
    value = cell.value
    if missing(value) or (isinstance(value, str) and missing_text(value)):
        raise cell.error("is missing", expected=_EXPECTED, way_out="fill it in or drop the row")
    if isinstance(value, str):
        text, value = value.strip(), number_of_text(value, commas)
        if value is None:
            share = number_of_text(text.removesuffix("%"), commas=True) if text.endswith("%") else None
            ways = instead_of_fraction(cell.value) if share is None else f"write {float(share) / 100:g}"
            expected = f"{_EXPECTED}, without units, % or thousands separators"
            raise cell.error("is not a number", expected=expected, way_out=ways)
    elif isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise cell.error("is not a number", expected=_EXPECTED)
    elif not isinstance(value, Integral) and not math.isfinite(value):
        raise cell.error("is not finite", expected=_EXPECTED)
    if isinstance(value, Rational) and not isinstance(value, Integral):
        return int(value.numerator) if value.denominator == 1 else Fraction(value)
    if isinstance(value, Integral) and abs(int(value)) <= 2**64:
        return int(value)
    exact = value if isinstance(value, Decimal) else Decimal(int(value) if isinstance(value, Integral) else str(value))
    if exact and exact.adjusted() > LARGEST_EXPONENT:
        raise cell.error("is too large", expected="at most 2**60", way_out=["divide all counts", "give probabilities"])
    if exact == exact.to_integral_value():
        return int(exact)
    short = exact.adjusted() > -LARGEST_EXPONENT and len(exact.as_tuple().digits) <= MOST_DIGITS
    return exact if short else float(exact)


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
        return Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:  # an exponent of many digits
        return None


def integers_of_decimals(rows: Sequence[Sequence[Any]]) -> NDArray[Any]:
    """Return integers proportional, in every row, to numbers read from decimal text, or to fractions.

    >>> integers_of_decimals([[Decimal("0.9"), Decimal("0.05"), 0, Decimal("0.05")]]).tolist()
    [[90, 5, 0, 5]]
    """
    if not {int, Decimal}.issuperset(map(type, chain.from_iterable(rows))):
        printed = [[meant(x) if isinstance(x, (float, np.floating)) else x for x in row] for row in rows]
        return integers_of_fractions(fractions_of(printed))
    integers: NDArray[Any] = np.empty(len(rows) * len(rows[0]), dtype=object)
    with localcontext(_WIDE):  # in which an exact sum has as many places as the longest of its terms
        exponents = [sum(row, Decimal(0)).as_tuple().exponent for row in rows]
        power = {exponent: Decimal(10) ** -int(exponent) for exponent in {*exponents}}
        powers = chain.from_iterable(repeat(power[exponent], len(rows[0])) for exponent in exponents)
        integers[:] = list(map(int, map(mul, powers, chain.from_iterable(rows))))
    return integers.reshape(len(rows), -1)


def uses_decimal_commas(cells: Sequence[Cell], *, points_are_decimal: bool = True) -> bool:
    """Tell whether texts have decimal commas; refuse commas and points that may as well separate thousands."""
    commas, points = ([cell for cell in cells if mark in cell.value] for mark in ",.")
    doubtful = commas or ([] if points_are_decimal else points)
    for cell in commas:
        if cell.value.count(",") > 1:
            raise cell.error("has thousands separators", expected=_EXPECTED, way_out=_WRITTEN)
    if commas and points:
        place = points[0].place()
        row = f" in row {place.row + 1}" if place.row is not None else ""
        problem = f"has a comma, but {quoted(points[0].value.strip())}{row} has a point"
        raise commas[0].error(problem, expected="one decimal sign in all the table", way_out=_WRITTEN)
    if doubtful and all(re.fullmatch(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}", cell.value.strip()) for cell in doubtful):
        text = doubtful[0].value.strip()
        readings = f"{re.sub('[.,]', '', text)} or {text.replace(',', '.')}"
        raise doubtful[0].error(f"may mean {readings}, and no other number in the table tells which", way_out=_WRITTEN)
    return bool(commas)


def without_thousands(text: str) -> str | None:
    """Return a whole number without the signs between its thousands, where nothing else can be meant; else None.

    >>> [
    ...     without_thousands(text)
    ...     for text in ("1 234", "1'234'567", "1,234,567", "1,234", "12 34", "0 123")
    ... ]
    ['1234', '1234567', '1234567', None, None, None]
    """
    stripped = text.strip()
    return re.sub(r"[^0-9]", "", stripped) if _SURE.fullmatch(stripped) else None


def whole_of(text: str) -> str:
    """Return the text of a number of cases, which is whole, so that all its signs separate thousands.

    >>> whole_of("1,234"), whole_of("1 234 567"), whole_of("12.5")
    ('1234', '1234567', '12.5')
    """
    return without_thousands(text) or (text.replace(",", "") if _DOUBTFUL.fullmatch(text.strip()) else text)


def whole_number(cell: Any) -> int | None:
    """Return a number of cases, None where a cell holds none, or one that writing out would take forever."""
    number = None if missing(cell) or isinstance(cell, bool) else number_of_text(whole_of(str(cell)), commas=False)
    if number is None or (isinstance(number, Decimal) and abs(number.adjusted()) > LARGEST_EXPONENT):
        return None
    return int(number) if number == int(number) and number >= 0 else None


def _without_groups(sheet: Sheet, columns: Sequence[int], cells: list[list[Any]]) -> list[list[Any]]:
    """Return the cells of some columns, without the signs between thousands where these can be nothing else.

    All commas before three digits are such signs where a number with two of them, or with a decimal point, says so.
    Where nothing about the file is of another language that number may stand in the rest of the table; or all numbers
    from 1 000 on, and only those, have a comma, and each row with such a number has another without: fractions of three
    digits would not leave out just whole numbers, and are no counts anyway.
    """
    groups = re.compile(r"[0-9]\W[0-9]{3}(?![0-9])")
    if not any(groups.search("x".join(cell for cell in column if isinstance(cell, str))) for column in cells):
        return cells
    rows = [[cell.strip() for cell in row if isinstance(cell, str)] for row in zip(*cells, strict=True)]
    texts = list(chain.from_iterable(rows))
    grouped = [row for row in rows if any("," in cell for cell in row)]
    english = sheet.separator in ("", ",")
    rest = [cell for row in sheet.rows for i, cell in enumerate(row) if isinstance(cell, str) and i not in columns]
    telling = [*texts, *(rest if english else ())]
    point = re.compile(r"\s*[+-]?[0-9]*\.[0-9]+ ?%?\s*")
    sure = all(_DOUBTFUL.fullmatch(cell) or without_thousands(cell) for cell in texts if "," in cell) and (
        any((cell.count(",") > 1 and without_thousands(cell)) or point.fullmatch(cell) for cell in telling)
        or (
            english
            and all(any(re.fullmatch("[0-9]{1,3}", cell) for cell in row) for row in grouped)
            and not any(re.fullmatch("[0-9]{4,}", cell) for cell in texts)
        )
    )
    plain = whole_of if sure else without_thousands
    return [[(plain(value) or value) if isinstance(value, str) else value for value in column] for column in cells]

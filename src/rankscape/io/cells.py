"""Cells to numbers: whole numbers stay exact, decimal commas are understood, and what could be misread is refused."""

import math
import re
from collections.abc import Callable, Sequence
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import partial
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import instead_of_fraction, meant
from ..errors import DataError, Place
from ..kernels.exact import fractions_of, integers_of_fractions
from .sheets import Sheet, quoted

Number = int | Decimal | Fraction | float

LARGEST_EXPONENT = 30
MOST_DIGITS = 60
_MOST_AT_ONCE = 18  # digits of a whole number, so that all of them fit into 64 bits
_WIDE = Context(prec=2 * MOST_DIGITS + 2 * LARGEST_EXPONENT)
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_PLAIN = r"(?:[0-9]{1,30}(?:\.[0-9]{1,29})?|[1-9](?:\.[0-9]{1,17})?e-[01]?[0-9])"
_PLAIN_COLUMN = re.compile(rf"{_PLAIN}(?:\|{_PLAIN})*")
_MISSING = {"", "na", "nan", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?"}
_EXPECTED = "a count (a whole number ≥ 0) or a probability"
_WRITTEN = "write 1234 for thousands, and 0.5 or 0,5 for a half"


class Cell(NamedTuple):
    """A cell, with what an error needs to name it."""

    value: Any
    header: str
    place: Callable[[], Place]

    def error(self, problem: str, **fields: Any) -> DataError:
        """Return a DataError about the cell."""
        return DataError(f"{self.header} = {quoted(self.value)} {problem}", where=self.place(), **fields)


def numbers(sheet: Sheet, columns: Sequence[int], names: Sequence[str]) -> list[tuple[Number, ...]]:
    """Return the numbers in some columns, row by row: int where they are whole, else Decimal.

    A float is the shortest decimal that rounds to it, which is what a text of the table would have.

    Raises DataError for a cell that is missing, no number, not finite, or that can be read in two ways ("1,234").
    """
    # In a file separated by commas a point is decimal; elsewhere it separates thousands in some languages.
    english = sheet.separator in ("", ",")
    cells = list(map(sheet.column, columns))
    plain = [_plain_decimals(column, english) for column in cells]
    if None not in plain:
        return list(zip(*plain, strict=True))
    headers, cells = [sheet.headers[column] for column in columns], _without_groups(sheet, columns, cells)
    rows = [
        [Cell(value, header, partial(sheet.place, i, names[i])) for value, header in zip(row, headers, strict=True)]
        for i, row in enumerate(zip(*cells, strict=True))
    ]
    texts = [cell for row in rows for cell in row if isinstance(cell.value, str)]
    commas = uses_decimal_commas(texts, points_are_decimal=english)
    return [tuple(_number(cell, commas) for cell in row) for row in rows]


def whole_numbers(sheet: Sheet, columns: Sequence[int]) -> NDArray[np.int64] | None:
    """Return the numbers in columns of nothing but digits, or integers ≥ 0, below 10¹⁸; None for :func:`numbers`.

    >>> (
    ...     whole_numbers(Sheet(("tp",), [["1"], ["07"]]), [0]),
    ...     whole_numbers(Sheet(("tp",), [["1"], ["-"]]), [0]),
    ... )
    (array([[1],
           [7]]), None)
    """
    arrays = []
    for cells in map(sheet.column, columns):
        if {*map(type, cells)} == {int} and 0 <= min(cells) <= max(cells) < 10**_MOST_AT_ONCE:
            arrays.append(np.array(cells, dtype=np.int64))
            continue
        try:
            digits, longest = "".join(cells), max(map(len, cells), default=0)
        except TypeError:  # other values than texts
            return None
        if not (digits.isascii() and digits.isdigit() and all(cells) and longest <= _MOST_AT_ONCE):
            return None
        arrays.append(np.fromstring(" ".join(cells), dtype=np.int64, sep=" "))
    return np.stack(arrays, axis=1)


def _plain_decimals(cells: Sequence[Any], points_are_decimal: bool) -> list[Any] | None:
    """Return the numbers of a column of plain texts, or of floats, at once; None where a cell is odd."""
    kinds = {*map(type, cells)}
    texts = "|".join(cells if kinds == {str} else map(repr, cells) if kinds == {float} else ())
    if not _PLAIN_COLUMN.fullmatch(texts) or (kinds == {str} and not points_are_decimal):
        return None
    if texts.count("|") != len(cells) - 1:  # a cell has the sign itself
        return None
    return [int(value) if value == value.to_integral_value() else value for value in map(Decimal, texts.split("|"))]


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


def is_number(cell: Any) -> bool:
    """Tell whether a cell is a number, or a text that reads as one.

    >>> is_number("1.5"), is_number(3), is_number("u"), is_number(None), is_number(True)
    (True, True, False, False, False)
    """
    if isinstance(cell, str):
        return number_of_text(cell.strip(), True) is not None
    return isinstance(cell, (int, float, Decimal, np.number)) and not isinstance(cell, bool)


def _number(cell: Cell, commas: bool) -> Number:
    value = cell.value
    if missing(value) or (isinstance(value, str) and missing_text(value)):
        raise cell.error("is missing", expected=_EXPECTED, way_out="fill it in or drop the row")
    if isinstance(value, str):
        number = number_of_text(value, commas)
        if number is None:
            percent = value.strip().endswith("%")
            share = number_of_text(value.strip().removesuffix("%"), commas=True) if percent else None
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
            decimals = [Decimal(value) if isinstance(value, int) else value for value in row]
            places = max(0, *(-int(value.as_tuple().exponent) for value in decimals))
            out[i] = [int(value.scaleb(places, _WIDE)) for value in decimals]
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
        raise several[0].error("has thousands separators", expected=_EXPECTED, way_out=_WRITTEN)
    if commas and points:
        place = points[0].place()
        row = f" in row {place.row + 1}" if place.row is not None else ""
        raise commas[0].error(
            f"has a comma, but {quoted(points[0].value.strip())}{row} has a point",
            expected="one decimal sign in all the table",
            way_out=_WRITTEN,
        )
    if doubtful and all(re.fullmatch(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}", cell.value.strip()) for cell in doubtful):
        text = doubtful[0].value.strip()
        readings = f"{re.sub('[.,]', '', text)} or {text.replace(',', '.')}"
        raise doubtful[0].error(f"may mean {readings}, and no other number in the table tells which", way_out=_WRITTEN)
    return bool(commas)


# Thousands: groups of three digits are read where nothing else can be meant. A space or an apostrophe between groups is
# no decimal sign, nor is a sign that occurs twice in a number. One comma is doubtful: "1,234".

_SPACES = " \N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
_SURE = re.compile(rf"[1-9][0-9]{{0,2}}(?:([{_SPACES}])[0-9]{{3}}(?:\1[0-9]{{3}})*|([.,])[0-9]{{3}}(?:\2[0-9]{{3}})+)")
_DOUBTFUL = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")


def without_thousands(text: str) -> str | None:
    """Return a whole number without the signs between its thousands, where nothing else can be meant; else None.

    >>> without_thousands("1 234"), without_thousands("1'234'567"), without_thousands("1,234,567")
    ('1234', '1234567', '1234567')
    >>> without_thousands("1,234"), without_thousands("12 34"), without_thousands("0 123")
    (None, None, None)
    """
    stripped = text.strip()
    return re.sub(r"[^0-9]", "", stripped) if _SURE.fullmatch(stripped) else None


def whole_of(text: str) -> str:
    """Return the text of a number of cases, which is whole, so that all its signs separate thousands.

    >>> whole_of("1,234"), whole_of("1 234 567"), whole_of("12.5")
    ('1234', '1234567', '12.5')
    """
    return without_thousands(text) or (text.replace(",", "") if _DOUBTFUL.fullmatch(text.strip()) else text)


def _without_groups(sheet: Sheet, columns: Sequence[int], cells: list[list[Any]]) -> list[list[Any]]:
    """Return the cells of some columns, without the signs between thousands where these can be nothing else."""
    groups = re.compile(r"[0-9]\W[0-9]{3}(?![0-9])")
    if not any(groups.search("x".join(cell for cell in column if isinstance(cell, str))) for column in cells):
        return cells
    rest = [v for row in sheet.rows for i, v in enumerate(row) if isinstance(v, str) and i not in columns]
    sure = commas_separate_thousands(list(zip(*cells, strict=True)), rest, as_in_english=sheet.separator in ("", ","))
    plain = whole_of if sure else without_thousands
    return [[(plain(value) or value) if isinstance(value, str) else value for value in column] for column in cells]


def commas_separate_thousands(counts: Sequence[Sequence[Any]], rest: Sequence[str], *, as_in_english: bool) -> bool:
    """Tell whether the commas in rows of counts cannot be decimal signs.

    They cannot where all of them stand before three digits, and a number with two of them, or with a decimal point,
    says so. Where nothing about the file is of another language (``as_in_english``) that may be a number in the
    ``rest`` of the table; or all numbers from 1 000 on, and only those, have a comma, and each row with such a number
    has another without: fractions of three digits would not leave out just whole numbers, and are no counts anyway.

    >>> [
    ...     commas_separate_thousands(rows, rest, as_in_english=True)
    ...     for rows, rest in (
    ...         ([["1,234", "56"]], []),
    ...         ([["1,234"]], []),
    ...         ([["1,234"]], ["0.91"]),
    ...         ([["1,234", "5678"]], []),
    ...     )
    ... ]
    [True, False, True, False]
    """
    rows = [[cell.strip() for cell in row if isinstance(cell, str)] for row in counts]
    cells = [cell for row in rows for cell in row]
    if not all(_DOUBTFUL.fullmatch(cell) or without_thousands(cell) for cell in cells if "," in cell):
        return False
    several = (cell.count(",") > 1 and without_thousands(cell) for cell in (*cells, *(rest if as_in_english else ())))
    points = re.compile(r"\s*[+-]?[0-9]*\.[0-9]+ ?%?\s*")
    if any(several) or any(map(points.fullmatch, (*cells, *(rest if as_in_english else ())))):
        return True
    grouped = [row for row in rows if any("," in cell for cell in row)]
    mixed = all(any(re.fullmatch("[0-9]{1,3}", cell) for cell in row) for row in grouped)
    return as_in_english and mixed and not any(re.fullmatch("[0-9]{4,}", cell) for cell in cells)

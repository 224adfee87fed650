"""Thousands: numbers whose groups of three digits are separated, read only where nothing else can be meant.

A space or an apostrophe between groups is no decimal sign, nor is a sign that occurs twice in a number. One comma or
point is doubtful, "1,234": it separates thousands where the table, or its rows, contradict every other reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPACES = " \N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
_SURE = re.compile(rf"[1-9][0-9]{{0,2}}(?:([{_SPACES}])[0-9]{{3}}(?:\1[0-9]{{3}})*|([.,])[0-9]{{3}}(?:\2[0-9]{{3}})+)")
_DOUBTFUL = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")
_SMALL = re.compile(r"[0-9]{1,3}")
_LARGE = re.compile(r"[0-9]{4,}")
_DECIMAL_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+ ?%?")


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
    sure = without_thousands(text)
    return sure or (text.replace(",", "") if _DOUBTFUL.fullmatch(text.strip()) else text)


def commas_separate_thousands(counts: Sequence[Sequence[str]], rest: Sequence[str], *, as_in_english: bool) -> bool:
    """Tell whether the commas in rows of counts cannot be decimal signs.

    They cannot where all of them stand before three digits, and a number with two of them, or with a decimal point,
    says so. Where nothing about the file is of another language (``as_in_english``) that may be a number in the
    ``rest`` of the table; or all numbers from 1 000 on, and only those, have a comma, and each row with such a number
    has another without: fractions of three digits would not leave out just whole numbers, and are no counts anyway.

    >>> from functools import partial
    >>> sure = partial(commas_separate_thousands, as_in_english=True)
    >>> (
    ...     sure([["1,234", "56"]], []),
    ...     sure([["1,234"]], []),
    ...     sure([["1,234"]], ["0.91"]),
    ...     sure([["1,234", "5678"]], []),
    ... )
    (True, False, True, False)
    """
    cells = [cell.strip() for row in counts for cell in row]
    with_comma = [cell for cell in cells if "," in cell]
    if not all(_DOUBTFUL.fullmatch(cell) or without_thousands(cell) for cell in with_comma):
        return False
    others = [cell.strip() for cell in rest] if as_in_english else []
    if any(_several(cell) or _DECIMAL_POINT.fullmatch(cell) for cell in (*cells, *others)):
        return True
    rows = [[cell.strip() for cell in row] for row in counts if any("," in cell for cell in row)]
    mixed = all(any(_SMALL.fullmatch(cell) for cell in row) for row in rows)
    return as_in_english and mixed and not any(_LARGE.fullmatch(cell) for cell in cells)


def _several(cell: str) -> bool:
    """Tell whether a number has two commas."""
    return cell.count(",") > 1 and without_thousands(cell) is not None

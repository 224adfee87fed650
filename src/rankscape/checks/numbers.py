"""Checks of single values: numbers of Python or numpy, inside an interval or as they are printed; yes or no."""

import re
from decimal import MAX_PREC, Context, Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any, NamedTuple, SupportsFloat, TypeGuard

import numpy as np

from ..errors import Option, UsageError

MOST_DECIMALS = 12
"""A number with more decimals, such as 2/3 in floating point, counts as one printed to so many."""

_WIDE = Context(prec=MAX_PREC)
_TYPED = re.compile(r"([+-]?)([0-9]*)(?:[.,]([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?\s*(%)?")


def is_number(value: Any) -> TypeGuard[float]:
    """Tell whether a value is one real number, of Python or numpy; True and False are none.

    >>> is_number(2), is_number(np.int64(2)), is_number("2"), is_number(True), is_number(np.array([2]))
    (True, True, False, False, False)
    """
    return isinstance(value, (Real, np.integer, np.floating)) and not isinstance(value, bool)


def meant(number: SupportsFloat) -> Fraction:
    """Return the number that is meant by the digits it is written in: 0.2 is 1/5. Raises ValueError for NaN and ∞.

    >>> str(meant(0.2)), str(meant(np.float64(0.07))), str(meant(Fraction(1, 3)))
    ('1/5', '7/100', '1/3')
    """
    plain = number.item() if isinstance(number, np.generic) else number
    return Fraction(plain) if isinstance(plain, Rational) else Fraction(repr(float(plain)))


def checked_share(name: str, share: Any, expected: str, most: float = 1, ends: bool = False) -> float:
    """Return a number between 0 and ``most``, or at one of these (``ends``)."""
    if is_number(share) and (0 < share < most or (ends and share in (0, most))):
        return float(share)
    raise UsageError([Option(name), f" must {expected}"], got=f"{share!r:.80}")


def checked_flag(name: str, flag: Any) -> bool:
    """Return yes or no; refuse all else, of which most would count as yes, even the text "no".

    >>> checked_flag("simultaneous", np.False_)
    False
    """
    if isinstance(flag, (bool, np.bool_)):
        return bool(flag)
    raise UsageError([Option(name), " must be True or False"], got=f"{flag!r:.80}")


class Typed(NamedTuple):
    """A number as it is printed: the text, its value, the unit of its last decimal, and whether it is a percentage."""

    text: str
    value: Fraction
    unit: Fraction
    percent: bool


def as_typed(name: str, value: Any, decimals: int | None = None, percent: bool = False) -> Typed | None:
    """Return a text as typed, or a number with so many ``decimals``; None for a text that is no number.

    ``percent`` says that it is a percentage without a sign. Raises UsageError for what is neither text nor number.

    >>> as_typed("recall", "83,1 %"), as_typed("recall", "n/a")
    (Typed(text='83,1 %', value=Fraction(831, 1000), unit=Fraction(1, 1000), percent=True), None)
    """
    number, percents = typed_text(value, percent) if isinstance(value, str) else (None, percent)
    if not isinstance(value, str):
        number = typed_number(name, value, decimals)
    if number is None:
        return None
    scale = 100 if percents else 1
    unit = Fraction(1, 10 ** -min(int(number.as_tuple().exponent), 0))
    text = value.strip() if isinstance(value, str) else format(number, "f") + (" %" if percents else "")
    return Typed(text, Fraction(number) / scale, unit / scale, percents)


def typed_text(text: str, percent: bool = False) -> tuple[Decimal | None, bool]:
    """Return the number that is typed, and whether it is a percentage; None where it is none.

    >>> typed_text("83,10 %"), typed_text("n/a")
    ((Decimal('83.10'), True), (None, False))
    """
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    match = _TYPED.fullmatch(plain.replace("\N{NARROW NO-BREAK SPACE}", " "))
    if match is None or not (match[2] or match[3]):
        return None, percent
    number = (
        f"{match[1]}{match[2] or '0'}" + (f".{match[3]}" if match[3] else "") + (f"e{match[4]}" if match[4] else "")
    )
    return _shortened(Decimal(number)), percent or match[5] is not None


def typed_number(name: str, value: Any, decimals: int | None) -> Decimal:
    """Return a number with as many decimals as were printed: those of its shortest text, unless they are given."""
    plain = str(value) if isinstance(value, (np.generic, Decimal)) else repr(value)
    real = isinstance(value, (int, float, np.integer, np.floating, Decimal)) and not isinstance(value, bool)
    if not real or not isfinite(float(value)):
        raise UsageError(f"{name} = {plain[:60]} is not a number", expected="a finite number, or a text as printed")
    typed = Decimal(plain)
    if decimals is None:
        return _shortened(typed)
    trimmed = typed.normalize(_WIDE)
    places = max(-int(trimmed.as_tuple().exponent), 0)
    if places > decimals:
        raise UsageError(
            f"{name} = {plain} has {places} decimals, which is more than decimals={decimals}",
            way_out="round it, or give decimals per rate as a mapping",
        )
    return typed.quantize(Decimal(1).scaleb(-decimals), context=_WIDE)


def _shortened(typed: Decimal) -> Decimal:
    """Return a number with at most :data:`MOST_DECIMALS` decimals, and none before the point left out."""
    exponent = int(typed.as_tuple().exponent)
    if exponent > 0:
        return typed.quantize(Decimal(1), context=_WIDE)
    return typed if exponent >= -MOST_DECIMALS else typed.quantize(Decimal(1).scaleb(-MOST_DECIMALS), context=_WIDE)

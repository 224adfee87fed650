"""Checks of single values: numbers of Python or numpy, inside an interval; yes or no."""

from fractions import Fraction
from numbers import Rational, Real
from typing import Any, SupportsFloat, TypeGuard

import numpy as np

from ..errors import Option, UsageError


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

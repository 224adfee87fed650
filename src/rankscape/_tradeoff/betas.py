"""β and β²: what a number stands for, exactly, and fractions as floats."""

from fractions import Fraction
from math import inf, isinf, isqrt, nextafter, sqrt

import numpy as np

from ..errors import UsageError
from ..typing import Number


def odds_of(beta: Number) -> tuple[Fraction | None, Fraction | None]:
    """Return the smallest and the largest β² that a number stands for; None is ∞.

    A float stands for all between its neighbors: the float next to √ϑ need not be the root of the float next to ϑ, but
    is beside it. Integers and fractions are what they are. Raises UsageError for what is no number in [0, ∞].

    >>> odds_of(2), odds_of(float("inf"))
    ((Fraction(4, 1), Fraction(4, 1)), (None, None))
    """
    if isinstance(beta, (int, np.integer, Fraction)) and not isinstance(beta, bool):
        exact = Fraction(int(beta) if isinstance(beta, np.integer) else beta)
        if exact < 0:
            raise UsageError(f"beta must lie in [0, ∞]; got {beta}")
        return exact**2, exact**2
    if not isinstance(beta, (float, np.floating)):
        raise UsageError(f"beta: expected a number or an array of numbers; got {beta!r}")
    number = float(beta)
    if not number >= 0:
        raise UsageError(f"beta must lie in [0, ∞]; got {number:g}")
    if isinf(number):
        return None, None
    if number == 0:
        return Fraction(0), Fraction(0)
    low, high = nextafter(number, 0), nextafter(number, inf)
    return Fraction(low) ** 2, None if isinf(high) else Fraction(high) ** 2


def as_float(x: Fraction | None) -> float:
    """Return the nearest float, ∞ beyond all of them and for None.

    >>> as_float(Fraction(1, 4)), as_float(Fraction(10) ** 400), as_float(None)
    (0.25, inf, inf)
    """
    try:
        return inf if x is None else float(x)
    except OverflowError:
        return inf


def root(x: Fraction | None) -> float:
    """Return √x, also where x is no float.

    >>> root(Fraction(1, 4)), root(Fraction(10) ** 400), root(None)
    (0.5, 1e+200, inf)
    """
    square = as_float(x)
    if x is None or (1e-290 < square < inf) or x == 0:
        return sqrt(square)
    top, bottom = x.as_integer_ratio()
    half = (bottom.bit_length() - top.bit_length()) // 2 + 64  # digits enough for a float
    whole = isqrt(top * 4**half // bottom if half > 0 else top // (bottom * 4**-half))
    return as_float(Fraction(whole) / Fraction(2) ** half)


def inside(near: float, low: Fraction, high: Fraction, power: int = 1) -> float:
    """Return a number, or the float beside it, of which a power lies strictly between two fractions, if one does.

    >>> inside(0.5, Fraction(1, 2), Fraction(1)), inside(0.5, Fraction(1, 2), Fraction(1, 2))
    (0.5000000000000001, 0.5)
    """
    for x in (near, nextafter(near, 0), nextafter(near, inf)):
        if x < inf and low < Fraction(x) ** power < high:
            return x
    return near

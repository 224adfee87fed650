"""Floats over many rows that know their errors: where those of two rows overlap, their order is left to integers.

They follow the operators of NumPy's arrays, so that formulas are evaluated on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Flags, Floats

UNIT = 2.0**-53
"""Half a unit in the last place, relative: what a sum, a product or a quotient of floats is off by at most."""

TINY = 2.0**-1060
"""More than products of floats, and the bounds of their errors, lose where they are too small for all bits."""

SLACK = 1 + 2.0**-20
"""The errors are sums and products of positive floats themselves: less than a thousand roundings stay below this."""


class Rounded:
    """Floats (n,), and a bound of the error of each: the exact number is within it; infinite where nothing is known.

    With u = 2⁻⁵³, and e, f the errors of x, y: |fl(x + y) − (x' + y')| ≤ e + f + u·|fl(x + y)|, and
    |fl(x·y) − x'·y'| ≤ |x|·f + |y|·e + e·f + u·|fl(x·y)| + 2⁻¹⁰⁷⁵, for exact numbers x', y' with |x − x'| ≤ e and
    |y − y'| ≤ f: a correctly rounded result is off by at most u times itself, or by half the smallest float. The
    bounds are computed in floats, too; they only add and multiply what is positive, and :data:`SLACK` covers what
    that rounds.
    """

    __slots__ = ("error", "value")
    __array_ufunc__ = None

    def __init__(self, value: Floats, error: Floats) -> None:
        self.value, self.error = value, error

    def __add__(self, other: Rounded | int) -> Rounded:
        y, f = _parts(other)
        value = self.value + y
        return Rounded(value, self.error + f + UNIT * np.abs(value))

    def __mul__(self, other: Rounded | int) -> Rounded:
        if isinstance(other, int) and other == 1:
            return self
        y, f = _parts(other)
        value = self.value * y
        error = np.abs(self.value) * f + self.error * (np.abs(y) + f) + UNIT * np.abs(value)
        exact_zero = (value == 0) & (error == 0) & (((self.value == 0) & (self.error == 0)) | ((y == 0) & (f == 0)))
        return Rounded(value, np.where(exact_zero, 0.0, error + TINY))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Rounded | int) -> Rounded:
        return self + -other

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error)

    def __abs__(self) -> Rounded:
        return Rounded(np.abs(self.value), self.error)

    def zero_where(self, undefined: Flags) -> Rounded:
        """Return the same numbers, 0 where a flag is set."""
        return Rounded(np.where(undefined, 0.0, self.value), np.where(undefined, 0.0, self.error))

    def unknown_where(self, unknown: Flags) -> Rounded:
        """Return the same numbers, with an infinite error where a flag is set."""
        return Rounded(self.value, np.where(unknown, np.inf, self.error))

    def is_zero(self) -> Flags:
        """Tell which are 0 for sure."""
        return np.asarray((self.value == 0) & (self.error == 0))

    def may_be_zero(self) -> Flags:
        """Tell which may be 0, and are not for sure."""
        return np.asarray(~(np.abs(self.value) > self.error * SLACK)) & ~self.is_zero()


def _parts(other: Rounded | int) -> tuple[Any, Any]:
    """Return value and error: an integer that floats do not hold is off by half a unit."""
    if isinstance(other, Rounded):
        return other.value, other.error
    value = np.float64(other)  # OverflowError for what is beyond floats
    return value, 0.0 if int(value) == other else UNIT * abs(value)


def divided(top: Rounded, bottom: Rounded) -> Rounded:
    """Return quotients with their errors: infinite where the denominator may be 0, NaN without error where it is 0.

    |x/y − x'/y'| ≤ (e + |x/y|·f) / (|y| − f), and the rounding of the quotient.
    """
    undefined, unknown = bottom.is_zero(), bottom.may_be_zero()
    with np.errstate(all="ignore"):
        value = top.value / bottom.value
        left = np.abs(bottom.value) - bottom.error * SLACK
        error = top.error / left + np.abs(value) * ((bottom.error + UNIT * np.abs(bottom.value)) / left)
        error = (error + UNIT * np.abs(value)) * SLACK + TINY
    unknown |= ~np.isfinite(value) | ~np.isfinite(error)
    value = np.where(unknown, 0.0, value)
    error = np.where(unknown, np.inf, error)
    return Rounded(np.where(undefined, np.nan, value), np.where(undefined, 0.0, error))

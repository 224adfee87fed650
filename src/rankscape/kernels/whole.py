"""Numbers for formulas over many rows: integers of 64 bits while they fit, and floats that know their error.

A formula is evaluated on :class:`Whole` exactly, or on :class:`Rounded` quickly; where the errors of two rows overlap,
their order is left to exact integers. Both follow the operators of NumPy's arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats

MOST = 2**63 - 1

UNIT = 2.0**-53
"""Half a unit in the last place, relative: what a sum, a product or a quotient of floats is off by at most."""

TINY = 2.0**-1060
"""More than products of floats, and the bounds of their errors, lose where they are too small for all bits."""

SLACK = 1 + 2.0**-20
"""The errors are sums and products of positive floats themselves: less than a thousand roundings stay below this."""


class Whole:
    """Integers (n,), with a bound of their absolute values: int64 while the bound fits, else Python's own."""

    __slots__ = ("array", "most")
    __array_ufunc__ = None  # NumPy leaves the operators to this class

    def __init__(self, array: NDArray[Any], most: int | None = None) -> None:
        self.most = int(np.abs(array).max(initial=0)) if most is None else most
        self.array = array if self.most <= MOST or array.dtype == object else array.astype(object)

    def _for(self, most: int) -> NDArray[Any]:
        """Return the integers in a type that holds the result of an operation."""
        return self.array if most <= MOST or self.array.dtype == object else self.array.astype(object)

    def __add__(self, other: Whole | int) -> Whole:
        most = self.most + _most(other)
        return Whole(self._for(most) + _array(other, most), most)

    def __sub__(self, other: Whole | int) -> Whole:
        return self + -other

    def __mul__(self, other: Whole | int) -> Whole:
        if isinstance(other, int) and other == 1:
            return self
        most = self.most * _most(other)
        return Whole(self._for(max(most, _most(other))) * _array(other, max(most, _most(other))), most)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Whole:
        return Whole(-self.array, self.most)

    def __abs__(self) -> Whole:
        return Whole(abs(self.array), self.most)

    def zero_where(self, undefined: Flags) -> Whole:
        """Return the same integers, 0 where a flag is set."""
        return Whole(np.where(undefined, 0, self.array), self.most)

    def is_zero(self) -> Flags:
        """Tell which are 0."""
        return np.asarray(self.array == 0, dtype=bool)


def _most(other: Whole | int) -> int:
    return other.most if isinstance(other, Whole) else abs(other)


def _array(other: Whole | int, most: int) -> Any:
    return other._for(most) if isinstance(other, Whole) else other


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


def dot(columns: Sequence[Whole | Rounded], weights: Sequence[int]) -> Whole | Rounded:
    """Return the sum of weighted columns."""
    total: Any = columns[0] * weights[0]
    for column, weight in zip(columns[1:], weights[1:], strict=True):
        total = total + column * weight
    return total  # type: ignore[no-any-return]


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

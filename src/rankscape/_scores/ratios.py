"""Ratios numerator / denominator of arrays, in floats or in exact integers, with one rule for the undefined.

A denominator of 0 means "undefined" and stays so through every operation. The same expression is evaluated on floats
(one division at the end, counts entering as they are) and on Python integers (exactly, without common divisors).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from ..errors import RankscapeError
from ..floats import exps, logs
from ..kernels.exact import quotients
from ..kernels.whole import Rounded, Whole
from ..typing import Floats


def _probit(x: Floats) -> Any:
    from scipy.special import ndtri

    return ndtri(x)


INCREASING: dict[str, Callable[[Floats], Any]] = {"sqrt": np.sqrt, "log": logs, "exp": exps, "probit": _probit}
"""Strictly increasing functions: at the root of a formula they change values but no order."""

FUNCTIONS = dict.fromkeys((*INCREASING, "abs"), (1, 1)) | {"min": (2, 99), "max": (2, 99)}
"""The functions that a formula may have, with the fewest and the most arguments."""


class NotRationalError(RankscapeError):
    """An expression has a function whose values are not rational: it cannot be evaluated exactly."""


class Ratio:
    """An array of ratios top / (bottom · totalᵖᵒʷᵉʳ).

    ``total`` is the common sum of the outcomes, never 0: homogeneous formulas, where it cancels, never touch it.
    """

    __slots__ = ("bottom", "power", "top", "total")

    def __init__(self, top: Any, bottom: Any = 1, power: int = 0, total: Any = 1) -> None:
        self.top, self.bottom, self.power, self.total = top, bottom, power, total

    @classmethod
    def constant(cls, value: Fraction) -> "Ratio":
        """Return the ratio of a number."""
        return cls(value.numerator, value.denominator)

    def as_fraction(self) -> Fraction | None:
        """Return a constant as a fraction; None for anything else, or where it is undefined."""
        whole = isinstance(self.top, int) and isinstance(self.bottom, int) and self.bottom != 0
        return Fraction(self.top, self.bottom) if whole else None

    def _aligned(self, other: "Ratio") -> tuple["Ratio", "Ratio", Any]:
        """Return both with the same power, and the total."""
        total = self.total if isinstance(other.total, int) else other.total
        power = max(self.power, other.power)
        return self._raised(power, total), other._raised(power, total), total

    def _raised(self, power: int, total: Any) -> "Ratio":
        top = self.top
        for _ in range(power - self.power):
            top = top * total
        return Ratio(top, self.bottom, power, total)

    def __add__(self, other: "Ratio") -> "Ratio":
        one, two, total = self._aligned(other)
        if one.bottom is two.bottom:
            return Ratio(one.top + two.top, one.bottom, one.power, total)
        return Ratio(one.top * two.bottom + two.top * one.bottom, one.bottom * two.bottom, one.power, total)

    def __neg__(self) -> "Ratio":
        return Ratio(-self.top, self.bottom, self.power, self.total)

    def __sub__(self, other: "Ratio") -> "Ratio":
        return self + (-other)

    def __mul__(self, other: "Ratio") -> "Ratio":
        total = self.total if isinstance(other.total, int) else other.total
        return Ratio(self.top * other.top, self.bottom * other.bottom, self.power + other.power, total)

    def __truediv__(self, other: "Ratio") -> "Ratio":
        total = self.total if isinstance(other.total, int) else other.total
        bottom = _zero_where_zero(other.bottom, self.bottom * other.top)  # x / undefined is undefined
        return Ratio(self.top * other.bottom, bottom, self.power - other.power, total)

    def whole(self) -> "Ratio":
        """Return the same ratio as top / bottom alone."""
        bottom = self.bottom
        for _ in range(self.power):
            bottom = bottom * self.total
        return Ratio(self._raised(0, self.total).top, bottom)

    @property
    def exact(self) -> bool:
        """Whether these are ratios of integers."""
        return np.asarray(self.top).dtype == object and np.asarray(self.bottom).dtype.kind in "Oi"

    def value(self) -> Floats:
        """Return the quotients as floats, NaN where undefined or infinite."""
        ratio = self.whole()
        if ratio.exact:
            out = quotients(np.asarray(ratio.top, dtype=object), np.asarray(ratio.bottom, dtype=object))
        else:
            with np.errstate(all="ignore"):
                top, bottom = (np.asarray(side, dtype=np.float64) for side in (ratio.top, ratio.bottom))
                out = np.asarray(top / bottom)
        return np.where(np.isfinite(out), out, np.nan)

    def root(self) -> "Ratio":
        """Return the square root of a number that has a rational one; raise NotRationalError for anything else."""
        value = self.as_fraction()
        if value is not None and value >= 0:
            root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
            if root * root == value:
                return Ratio.constant(root)
        raise NotRationalError("the expression is not rational")

    def in_floats(self, function: Callable[[Floats], Any]) -> "Ratio":
        """Return the values of a function, in floats; undefined where they are not finite."""
        with np.errstate(all="ignore"):
            values = np.asarray(function(self.value()), dtype=np.float64)
        defined = np.isfinite(values)
        return Ratio(np.where(defined, values, 0.0), np.where(defined, 1.0, 0.0))

    @staticmethod
    def apply(name: str, args: Sequence["Ratio"]) -> "Ratio":
        """Apply one of :data:`FUNCTIONS` that has rational values."""
        if name == "abs":
            return Ratio(abs(args[0].top), abs(args[0].bottom), args[0].power, args[0].total)
        if any(isinstance(side, (Whole, Rounded)) for arg in args for side in (arg.top, arg.bottom)):
            raise NotRationalError(f"{name} of such numbers is left to Python's integers")
        result = args[0]
        for other in args[1:]:
            result = result._smaller(other) if name == "min" else -((-result)._smaller(-other))
        return result

    def _smaller(self, other: "Ratio") -> "Ratio":
        one, two, total = self._aligned(other)
        difference = one - two
        first = difference.top * _sign(difference.bottom) < 0
        if isinstance(difference.top, int) and isinstance(difference.bottom, int):  # two numbers
            return (one if first else two) if difference.bottom else Ratio(0, 0)
        both = (np.asarray(one.bottom) != 0) & (np.asarray(two.bottom) != 0)
        like = difference.top, difference.bottom
        bottom = _either(both, _either(first, one.bottom, two.bottom, *like), 0, *like)
        return Ratio(_either(first, one.top, two.top, *like), bottom, one.power, total)

    def restricted(self, function: str) -> "Ratio":
        """Return the same ratio, undefined outside the domain of an increasing function."""
        sign = _sign(self.top) * _sign(self.bottom)
        if function == "log":
            inside = sign > 0
        elif function == "probit":
            ratio = self.whole()
            inside = (sign > 0) & (abs(ratio.top) < abs(ratio.bottom))
        elif function == "sqrt":
            inside = sign >= 0
        else:
            return self
        return Ratio(self.top, _either(inside, self.bottom, 0, self.top), self.power, self.total)


def _zero_where_zero(other: Any, values: Any) -> Any:
    """Return values, and 0 where others are: of a bound of errors, infinite where that is not sure."""
    if isinstance(other, Whole):
        values = values if isinstance(values, Whole) else Whole(np.full(other.array.shape, values, dtype=object))
        return values.zero_where(other.is_zero())
    if isinstance(other, Rounded):
        if not isinstance(values, Rounded):
            values = Rounded(np.full(other.value.shape, float(values)), np.zeros(other.value.shape))
        return values.zero_where(other.is_zero()).unknown_where(other.may_be_zero())
    defined = other != 0
    if isinstance(defined, bool):  # a number, or a polynomial
        return values if defined else values * 0
    return _either(defined, values, 0, other)


def _either(condition: Any, one: Any, two: Any, *like: Any) -> Any:
    """Return one or the other, element by element: floats where an example is of floats, else Python's own integers."""
    kind: Any = np.float64 if any(np.asarray(example).dtype.kind == "f" for example in like) else object
    return np.where(condition, np.asarray(one, dtype=kind), np.asarray(two, dtype=kind))


def _sign(values: Any) -> Any:
    return (values > 0) * 1 - (values < 0) * 1

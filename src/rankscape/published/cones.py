"""Sets of tables of counts, up to a common factor, between planes: their extreme rays, exactly, and their edges.

A table of shares (tn, fp, fn, tp) is a ray of four integers. Linear inequalities leave a cone of them, which is kept as
its extreme rays (the double description method). A ratio of two linear forms is largest, and smallest, at one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import gcd, lcm
from operator import mul
from typing import Any, TypeAlias

Ray: TypeAlias = tuple[int, int, int, int]
"""tn, fp, fn, tp, without a common factor."""

Form: TypeAlias = tuple[Any, Any, Any, Any]
"""The coefficients of a linear form of tn, fp, fn and tp."""

TN, FP, FN, TP = UNITS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
ALL, NEGATIVE, POSITIVE, PREDICTED = (1, 1, 1, 1), (1, 1, 0, 0), (0, 0, 1, 1), (0, 1, 0, 1)


def at(form: Form, ray: Sequence[Any]) -> Any:
    """Return the value of a linear form."""
    return form[0] * ray[0] + form[1] * ray[1] + form[2] * ray[2] + form[3] * ray[3]


def combined(*parts: tuple[Any, Form]) -> Form:
    """Return a sum of linear forms with coefficients."""
    tn, fp, fn, tp = 0, 0, 0, 0
    for factor, (a, b, c, d) in parts:  # most are 0, and sums of fractions take long
        tn += factor * a if a else 0
        fp += factor * b if b else 0
        fn += factor * c if c else 0
        tp += factor * d if d else 0
    return tn, fp, fn, tp


def whole(numbers: Sequence[Any]) -> Ray:
    """Return integers proportional to rationals, without a common factor."""
    common = lcm(*(x.denominator for x in numbers))
    integers = [x.numerator * (common // x.denominator) for x in numbers]
    divisor = gcd(*integers) or 1
    tn, fp, fn, tp = (x // divisor for x in integers)
    return tn, fp, fn, tp


def shares(ray: Ray) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return the shares of a table, which add up to 1."""
    total = sum(ray)
    tn, fp, fn, tp = (Fraction(x, total) for x in ray)
    return tn, fp, fn, tp


@dataclass(frozen=True)
class Cone:
    """What linear inequalities leave: the extreme rays, and for each the inequalities that are equalities there.

    >>> cone = Cone().clipped((0, 0, -1, 4)).clipped((0, 0, 1, -4))  # tp/(fn + tp) is 0.2
    >>> cone.rays, cone.range(TP, POSITIVE)
    (((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 4, 1)), (Fraction(1, 5), Fraction(1, 5)))
    """

    rays: tuple[Ray, ...] = UNITS
    tight: tuple[int, ...] = (14, 13, 11, 7)
    count: int = 4

    def clipped(self, *forms: Form) -> Cone:
        """Return the part in which linear forms are not negative."""
        cone = self
        for form in forms:
            cone = cone._clipped(whole(form))
        return cone

    def _clipped(self, form: Ray) -> Cone:
        values = [at(form, ray) for ray in self.rays]
        bit = 1 << self.count
        rays = [ray for ray, value in zip(self.rays, values, strict=True) if value >= 0]
        tight = [mask | bit * (value == 0) for mask, value in zip(self.tight, values, strict=True) if value >= 0]
        above = [i for i, value in enumerate(values) if value > 0]
        for i, j in product(above, [i for i, value in enumerate(values) if value < 0]):
            if self._joined(i, j):
                one, two = -values[j], values[i]
                rays.append(whole([one * x + two * y for x, y in zip(self.rays[i], self.rays[j], strict=True)]))
                tight.append(self.tight[i] & self.tight[j] | bit)
        return Cone(tuple(rays), tuple(tight), self.count + 1)

    def _joined(self, i: int, j: int) -> bool:
        """Tell whether an edge joins two rays: no third one has all equalities that both have."""
        both = self.tight[i] & self.tight[j]
        return both.bit_count() >= 2 and not any(
            mask & both == both for k, mask in enumerate(self.tight) if k not in (i, j)
        )

    def joined(self) -> Iterator[tuple[int, int]]:
        """Yield the edges, each as the places of the rays at its ends."""
        yield from (pair for pair in combinations(range(len(self.rays)), 2) if self._joined(*pair))

    def edges(self) -> Iterator[tuple[Ray, Ray]]:
        """Yield the edges, each as the rays at its ends."""
        yield from ((self.rays[i], self.rays[j]) for i, j in self.joined())

    def faces(self) -> set[frozenset[int]]:
        """Return the faces, each as the places of its rays."""
        members = (frozenset(i for i, mask in enumerate(self.tight) if mask >> bit & 1) for bit in range(self.count))
        return {one for one in members if len(one) > 2}

    def range(self, top: Form, bottom: Form = ALL) -> tuple[Fraction, Fraction]:
        """Return the smallest and largest ratio of two linear forms, of which the second is nowhere negative."""
        ratios = [Fraction(at(top, ray), below) for ray in self.rays if (below := at(bottom, ray)) > 0]
        return (min(ratios), max(ratios)) if ratios else (Fraction(0), Fraction(0))

    def outer_range(self, form: Form, grain: int, bottom: Form = ALL) -> tuple[int, int]:
        """Return the range of a ratio of two linear forms, rounded outwards, in multiples of 1/grain."""
        pairs = [(at(form, ray) * grain, below) for ray in self.rays if (below := at(bottom, ray)) > 0]
        if not pairs:
            return 0, 0
        return min(top // below for top, below in pairs), max(-(-top // below) for top, below in pairs)

    def between(self, form: Form, low: Fraction, high: Fraction, bottom: Form = ALL) -> Cone:
        """Return the part in which a ratio of two linear forms is between two values."""
        return self.clipped(combined((1, form), (-low, bottom)), combined((high, bottom), (-1, form)))

    def center(self) -> Ray:
        """Return the mean of the extreme rays, each as shares."""
        sums = [sum(ray) for ray in self.rays]
        common = lcm(*sums)
        factors = [common // one for one in sums]
        return whole([sum(map(mul, column, factors)) for column in zip(*self.rays, strict=True)])

"""What one row of printed rates leaves open, and how far a score may reach in it: tables of shares between planes.

A table of shares (tn, fp, fn, tp) is a ray of four integers. A rate that is a ratio of linear forms leaves what lies
between two planes: a cone, kept as its extreme rays (the double description method). Balanced accuracy, κ, MCC and the
like have products of linear forms. Where their factors are in small ranges they lie between planes, too (McCormick's),
so the cone is halved where a score is extreme, until the planes are close there: cones that leave out nothing.

A ratio of linear forms is extreme at extreme rays. A score of two such ratios, as κ at each share of positives, FMI of
PPV and TPR, or any ranking score of TPR and TNR once the shares of positives are shifted, is extreme on an edge: a face
of a cone has each pair of values once, but for faces that are seen edgewise. Most are ratios of polynomials of degree
two there, whose slope has two zeros at most. Others only rise with true and fall with false outcomes, and are bounded
by corners: of parts of edges or, where they depend on three ratios, of faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import combinations, count, product
from math import ceil, floor, gcd, inf, isqrt, lcm
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .._costs import Costs
from .._scores import Score
from .._scores.score import levels
from ..errors import DataError, NoPlaceError, Option, UsageError
from ..performances import Performances
from ..typing import Flags, Floats
from .rates import (
    ALL,
    FN,
    FP,
    NEGATIVE,
    NONE,
    OBLIQUE,
    POSITIVE,
    PREDICTED,
    RATES_ALONE,
    TN,
    TP,
    UNITS,
    Form,
    Formula,
    Printed,
    Ratio,
    at,
    combined,
    fewest,
    formula_of,
)  # fmt: skip

Ray: TypeAlias = tuple[int, int, int, int]
"""tn, fp, fn, tp, without a common factor."""

Reach: TypeAlias = "Callable[[Cone], tuple[Any, Sequence[Any], Any] | None]"
"""Gives of a cone a key, the smaller the farther, the point that has it, and what to return; None where it has none."""

Share: TypeAlias = tuple[Form, Form]
"""Two linear forms, of which the first is nowhere more than the second."""

Terms: TypeAlias = list[tuple[int, Form, Form]]
"""A sum of products of two linear forms, each with a factor."""

Value: TypeAlias = "Callable[[Floats, Floats], tuple[Floats, Floats]]"
"""Gives values and tables of TNR, TPR, NPV and PPV, and of what they lack to 1."""

HALF = Fraction(1, 2)

CLOSE = 0.02
"""A cone is not halved where it is beyond what is printed by no more of a unit of the last digit."""

MOST_HALVED = 200
"""So many cones are halved for one end of a range; if they are not close then, it is wider than necessary."""

UNDEFINED = 1.0
"""By so many units a ray is beyond what is printed at which a rate has no value."""

NARROW, NARROWEST = Fraction(1, 1 << 20), Fraction(1, 1 << 30)
"""Ranges of shares that are not halved, relative to the share or to the rest, and absolutely."""

GRAIN = 1 << 40
"""Ends of ranges are rounded outwards to multiples of 1/GRAIN, which keeps integers small."""

HALVINGS = 6
"""How often the distance of the nearest table is halved."""

STEPS = 8
"""At so many shares of positives less one a gap is looked for between two that fit."""

NEAR = Fraction(1, 1 << 80)
"""So near to a ray that has no value its limit along an edge is taken."""

FLOATS = Fraction(1, 10**9)
"""By so much of a unit values in floats may miss the end that they are."""

GAP = 0.004
"""A corner is near enough if it is beyond what is reached by no more of the whole range."""

NEXT = 2.0**-30
"""How far, of the way to the middle of a piece, a point is from a corner at which a ratio has no value."""

ROUNDS, MOST_PIECES = 40, 20_000
"""How often pieces of edges or faces are halved for their corners, and how many there may be."""

ROOTS: tuple[Share, ...] = ((PREDICTED, (0, 1, 1, 2)), ((1, 0, 1, 0), (2, 1, 1, 0)))
"""MCC has two roots: of positives·predicted and of negatives·unpredicted. A share of both factors bounds each."""

PRODUCTS: dict[str, tuple[tuple[Form, Form], tuple[Form, Form]]] = {
    "gmean": ((TN, TP), (NEGATIVE, POSITIVE)),
    "or": ((TN, TP), (FP, FN)),
}
"""Numerators and denominators of what is no ratio of forms with shares of positives, but for MCC; of gmean, squared."""

SPLIT: dict[str, tuple[Share, ...]] = {"mcc": ROOTS, **dict.fromkeys(PRODUCTS, ((TN, ALL), (TP, ALL)))}
"""The shares whose ranges are halved beside that of positives."""


def _determinant(tn: Any, fp: Any, fn: Any, tp: Any) -> Any:
    return tn * tp - fp * fn


CURVES: dict[str, Formula] = {
    "determinant": lambda c: (_determinant(*c), sum(c) ** 2),
    "gss": lambda c: (_determinant(*c), _determinant(*c) + sum(c) * (c[1] + c[2])),
    "lift": lambda c: (c[3] * sum(c), (c[1] + c[3]) * (c[2] + c[3])),
    "fmi": lambda c: (c[3] ** 2, (c[1] + c[3]) * (c[2] + c[3])),
    "kulczynski2": lambda c: (c[3] * (c[1] + c[2] + 2 * c[3]), 2 * (c[1] + c[3]) * (c[2] + c[3])),
    "p4": lambda c: (4 * c[0] * c[3], 4 * c[0] * c[3] + (c[0] + c[3]) * (c[1] + c[2])),
    "rogotgoldberg": lambda c: (
        c[3] * (2 * c[0] + c[1] + c[2]) + c[0] * (2 * c[3] + c[1] + c[2]),
        (2 * c[0] + c[1] + c[2]) * (2 * c[3] + c[1] + c[2]),
    ),
    "gmean": OBLIQUE["gmean"],
    **dict.fromkeys(("or", "yuleq", "yuley"), OBLIQUE["or"]),
}
"""Scores that are extreme on edges, or what orders as they do, as ratios of degree two."""

OF_FOUR: dict[str, Callable[[Floats, Floats], Floats]] = {
    "mcc": lambda right, wrong: np.sqrt(right.prod(axis=-1)) - np.sqrt(wrong.prod(axis=-1)),
    "acp": lambda right, wrong: right.mean(axis=-1),
}
"""Scores of TNR, TPR, NPV and PPV, and of what they lack to 1, which depend on three ratios of counts."""

RISING = frozenset({"mcc", "gmean", "fmi", "acp", "p4", "rogotgoldberg", "kulczynski2", "yuleq", "yuley", "or"})
"""Scores without a place on the Tile that get no worse with more true outcomes, nor with fewer false ones."""

SHARE = Option("shift_prior", python="shift_prior=PREVALENCE", shell="--shift-prior PREVALENCE")
"""How the share of positives is stated; what stands in a sentence must not look like advice."""


# ---- cones


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


def shifted(ray: Sequence[Any], prior: Fraction | None) -> Ray:
    """Return a table at another share of positives, proportional to it if that is None."""
    if prior is None:
        return whole(ray)
    tn, fp, fn, tp = ray
    low, high = (1 - prior) * (fn + tp), prior * (tn + fp)
    return whole([low * tn, low * fp, high * fn, high * tp])


class Range(NamedTuple):
    """The smallest and largest value of a rate."""

    low: Fraction
    high: Fraction

    def outward(self, scale: int) -> Range:
        """Return the range, with its ends rounded outwards to multiples of 1/scale."""
        return Range(Fraction(floor(self.low * scale), scale), Fraction(ceil(self.high * scale), scale))


@dataclass(frozen=True)
class Cone:
    """What linear inequalities leave: the extreme rays, and for each the inequalities that are equalities there.

    >>> cone = Cone().clipped((0, 0, -1, 4), (0, 0, 1, -4))  # tp/(fn + tp) is 0.2
    >>> cone.rays
    ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 4, 1))
    """

    rays: tuple[Ray, ...] = UNITS
    tight: tuple[int, ...] = (14, 13, 11, 7)
    count: int = 4

    def clipped(self, *forms: Form) -> Cone:
        """Return the part in which linear forms are not negative."""
        cone = self
        for form in forms:
            values = [at(form, ray) for ray in cone.rays]
            bit = 1 << cone.count
            rays = [ray for ray, value in zip(cone.rays, values, strict=True) if value >= 0]
            tight = [mask | bit * (value == 0) for mask, value in zip(cone.tight, values, strict=True) if value >= 0]
            above = [i for i, value in enumerate(values) if value > 0]
            for i, j in product(above, [i for i, value in enumerate(values) if value < 0]):
                if cone.joined(i, j):
                    one, two = -values[j], values[i]
                    rays.append(whole([one * x + two * y for x, y in zip(cone.rays[i], cone.rays[j], strict=True)]))
                    tight.append(cone.tight[i] & cone.tight[j] | bit)
            cone = Cone(tuple(rays), tuple(tight), cone.count + 1)
        return cone

    def joined(self, i: int, j: int) -> bool:
        """Tell whether an edge joins two rays: no third one has all equalities that both have."""
        both = self.tight[i] & self.tight[j]
        return both.bit_count() >= 2 and not any(
            mask & both == both for k, mask in enumerate(self.tight) if k not in (i, j)
        )

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield the edges, each as the places of the rays at its ends."""
        yield from (pair for pair in combinations(range(len(self.rays)), 2) if self.joined(*pair))

    def faces(self) -> set[frozenset[int]]:
        """Return the faces, each as the places of its rays."""
        members = (frozenset(i for i, mask in enumerate(self.tight) if mask >> bit & 1) for bit in range(self.count))
        return {one for one in members if len(one) > 2}

    def grains(self, top: Form, bottom: Form = ALL) -> tuple[int, int]:
        """Return the range of a ratio of two linear forms, of which the second is nowhere negative.

        It is in multiples of 1/GRAIN, rounded outwards; the forms are of integers.
        """
        pairs = [(GRAIN * at(top, ray), below) for ray in self.rays if (below := at(bottom, ray)) > 0]
        return min((x // y for x, y in pairs), default=0), max((-(-x // y) for x, y in pairs), default=0)

    def between(self, form: Form, low: Fraction, high: Fraction, bottom: Form = ALL) -> Cone:
        """Return the part in which a ratio of two linear forms is between two values."""
        (p, q), (r, s) = low.as_integer_ratio(), high.as_integer_ratio()
        return self.clipped(combined((q, form), (-p, bottom)), combined((r, bottom), (-s, form)))

    def center(self) -> Ray:
        """Return the mean of the extreme rays, each as shares."""
        sums = [sum(ray) for ray in self.rays]
        common = lcm(*sums)
        factors = [common // one for one in sums]
        return whole([sum(map(mul, column, factors)) for column in zip(*self.rays, strict=True)])


EVERYTHING = Cone()
"""All tables of shares."""


def planes(rate: Ratio, ends: tuple[Fraction, Fraction], cone: Cone, prior: tuple[int, int]) -> Iterator[Form]:
    """Yield linear forms that are not negative where a rate is between two ends, on a cone with a range of priors.

    With v from l to u and the share of positives π from p to q, π·v is at most q·v + l·(π - q) and p·v + u·(π - p).
    """
    for sign, end in zip((1, -1), ends, strict=True):
        numerator, denominator = end.as_integer_ratio()
        factors = sign * denominator, -sign * numerator
        form = combined(*zip(factors, (rate.top, rate.bottom), strict=True))
        slope = combined(*zip(factors, rate.slopes, strict=True))
        if not any(slope):
            yield form
            continue
        for v, p in zip(cone.grains(slope), reversed(prior), strict=True):
            yield combined((GRAIN * GRAIN, form), (GRAIN * p, slope), (GRAIN * v, POSITIVE), (-v * p, ALL))


def products(key: str, ends: tuple[Fraction, Fraction], cone: Cone) -> Iterator[Form]:
    """Yield such forms for a rate of products: a correlation, a geometric mean or an odds ratio."""
    for sign, end in zip((1, -1), ends, strict=True):
        p, q = end.as_integer_ratio()
        if key == "mcc":  # tp·n - positives·predicted is at least end times the root of a product of four
            (u, size_u), (v, size_v) = (_root_of_product(cone, *one, sign * end < 0) for one in ROOTS)
            size = sign * q * size_u * size_v
            terms: Terms = [(size, ALL, TP), (-size, POSITIVE, PREDICTED), (-sign * p, u, v)]
        else:
            top, bottom = PRODUCTS[key]
            p, q = (p * abs(p), q * q) if key == "gmean" else (p, q)
            terms = [(sign * q, *top), (-sign * p, *bottom)]
        for forms in product(*(_over(cone, *term) for term in terms)):
            yield combined(*((1, form) for form in forms))


def _over(cone: Cone, factor: int, u: Form, v: Form) -> list[Form]:
    """Return two linear forms nowhere below GRAIN² times a factor times u·v on a cone of shares (McCormick's)."""
    if u == ALL:
        return [combined((GRAIN * GRAIN * factor, v))]
    (low_u, high_u), (low_v, high_v) = cone.grains(u), cone.grains(v)
    pairs = [(low_u, high_v), (high_u, low_v)] if factor > 0 else [(low_u, low_v), (high_u, high_v)]
    return [combined((GRAIN * factor * a, v), (GRAIN * factor * b, u), (-factor * a * b, ALL)) for a, b in pairs]


def _root_of_product(cone: Cone, form: Form, total: Form, over: bool) -> tuple[Form, int]:
    """Return a form below the root of a form times what it lacks to a total, the chord; or above, its tangent.

    The form is of integers, and so many times as large.
    """
    low, high = (min(max(end, 0), GRAIN) for end in cone.grains(form, total))
    if over:  # the root of x·y is at most (x·r + y/r)/2, whatever r is
        middle = min(max(low + high, 2), 2 * GRAIN - 2)
        r, one = isqrt((2 * GRAIN - middle << 60) // middle) or 1, 1 << 30
        return combined((r * r, form), (one * one, combined((1, total), (-1, form)))), 2 * r * one
    if low == high:
        return combined((_side(low), total)), GRAIN
    rise = _side(high) - _side(low)
    return combined((GRAIN * rise, form), (_side(low) * (high - low) - rise * low, total)), GRAIN * (high - low)


def _side(x: int) -> int:
    """Return the root of a share times the rest, all in multiples of 1/GRAIN, rounded down."""
    return isqrt(x * (GRAIN - x))


def root(square: Fraction, bits: int = 60) -> Fraction:
    """Return a square root, rounded down to so many bits behind the point."""
    return Fraction(isqrt((square.numerator << 2 * bits) // square.denominator), 1 << bits)


def slope_of(ratio: Formula, table: Ray) -> Form:
    """Return the linear form, 0 at a table, that says whether a ratio rises there; exact up to the degree two."""
    top, bottom = ratio(table)
    slopes = []
    for unit in UNITS:
        (top_0, bottom_0), (top_1, bottom_1) = (ratio(combined((GRAIN, table), (step, unit))) for step in (-1, 1))
        slopes.append((top_1 - top_0) * bottom - (bottom_1 - bottom_0) * top)
    return combined((sum(table), slopes), (-at(tuple(slopes), table), ALL))


@dataclass(frozen=True, eq=False)
class Part:
    """A cone that leaves out nothing of what is in a space within ranges of shares."""

    space: Space
    cone: Cone
    ranges: dict[Share, Range]

    @cached_property
    def halves(self) -> tuple[Part, ...] | None:
        """What is left in both halves of the widest range; None where all are narrow."""

        def width(share: Share) -> Fraction:
            low, high = self.ranges[share]
            return (high - low) / min(high, 1 - low) if high - low > NARROWEST else Fraction(0)

        widest = max(self.ranges, key=width)
        if width(widest) <= NARROW:
            return None
        low, high = self.ranges[widest]
        middle = (low + high) / 2
        if 8 * low < high <= HALF:
            middle = high / 4
        elif 8 * (1 - high) < 1 - low <= HALF:
            middle = 1 - (1 - low) / 4
        halves = (self.space.part({**self.ranges, widest: half}) for half in (Range(low, middle), Range(middle, high)))
        return tuple(half for half in halves if half is not None)


@dataclass(frozen=True)
class Space:
    """Tables of shares within a cone that are within some units of what is printed."""

    rates: tuple[Printed, ...] = ()
    start: Cone = EVERYTHING
    slack: Fraction = HALF

    @cached_property
    def whole(self) -> Part | None:
        """All that is left, None where nothing is."""
        return self.part({})

    @cached_property
    def straight(self) -> Cone:
        """What the rates leave that are ratios of linear forms."""
        cone = self.start
        for rate in self.rates:
            if rate.form is not None and not rate.form.curved:
                cone = cone.clipped(*planes(rate.form, rate.ends_within(self.slack), cone, (0, GRAIN)))
        return cone

    @cached_property
    def curved(self) -> list[Printed]:
        """The rates that are no ratios of linear forms."""
        return [rate for rate in self.rates if rate.form is None or rate.form.curved]

    def part(self, ranges: dict[Share, Range]) -> Part | None:
        """Return what is left in ranges of shares, None where nothing is."""
        cone = self.straight
        for (form, total), (low, high) in ranges.items():
            cone = cone.between(form, low, high, total)
        for rate in (*self.curved, *self.curved):  # then from smaller ranges
            if not cone.rays:
                return None
            ends = rate.ends_within(self.slack)
            if rate.form is None:
                cone = cone.clipped(*products(rate.key, ends, cone))
            else:
                cone = cone.clipped(*planes(rate.form, ends, cone, cone.grains(POSITIVE)))
        table = [sum(column) for column in zip(*cone.rays, strict=True)]
        if not cone.rays or not all(rate.ratio(table)[1] for rate in self.rates):  # else one has a value nowhere
            return None
        split = dict.fromkeys([(POSITIVE, ALL), *(share for rate in self.curved for share in SPLIT.get(rate.key, ()))])
        ends_of = {share: cone.grains(*share) for share in split}
        return Part(
            self, cone, {share: Range(*(Fraction(end, GRAIN) for end in both)) for share, both in ends_of.items()}
        )

    def farthest(self, reach: Reach) -> Any:
        """Return the farthest that tables reach, None where there is none.

        Cones that reach it are halved until it is close to what is printed.
        """
        heap: list[tuple[Any, int, Sequence[Any], Any, Part]] = []
        number = count()

        def push(part: Part) -> None:
            if (one := reach(part.cone)) is not None:
                heappush(heap, (one[0], next(number), *one[1:], part))

        if self.whole is not None:
            push(self.whole)
        for left in reversed(range(MOST_HALVED)):
            if not heap:
                break
            _, _, point, result, part = heappop(heap)
            halves = part.halves if left and self.curved and self.beyond(point) > CLOSE else None
            if halves is None:
                return result
            for half in halves:
                push(half)
        return None

    def beyond(self, table: Sequence[Any]) -> float:
        """Return by how many units a table is beyond what is printed; where a rate has no value, by many."""
        row, farthest = np.array([[float(Fraction(x) / Fraction(sum(table))) for x in table]]), 0.0
        for rate in self.curved:
            low, high = rate.ends_within(self.slack)
            value = float(rate.values(row)[0])
            distance = max(float(low) - value, value - float(high)) / float(rate.unit)
            farthest = max(farthest, UNDEFINED if distance != distance else distance)
        return farthest

    def center(self) -> Ray | None:
        """Return a table that is close to what is printed; None where there is none."""

        def reach(cone: Cone) -> tuple[float, Ray, Ray]:
            center = cone.center()
            return self.beyond(center), center, center

        table: Ray | None = self.farthest(reach)
        return table

    def ends(self, ratio: Formula, prior: Fraction | None = None) -> tuple[Ray | None, Ray | None]:
        """Return the tables with the least and the most of a ratio, at another share of positives if one is given."""
        curved = not isinstance(ratio, Ratio) or ratio.curved

        @cache
        def values(cone: Cone) -> list[tuple[Any, Sequence[Any], Ray]]:
            rows: list[tuple[Any, Sequence[Any], Ray]] = []
            for point in _along_edges(cone, ratio) if curved else cone.rays:
                top, bottom = ratio(point)
                if (bottom > 0 or (bottom == 0 and top > 0)) and any(moved := shifted(point, prior)):
                    rows.append((Fraction(top) / bottom if bottom else inf, point, moved))  # x/0 is beyond all
            return rows

        def reach(sign: int) -> Reach:
            def far(cone: Cone) -> tuple[Any, Sequence[Any], Ray] | None:
                value, point, moved = min(values(cone), key=lambda one: -sign * one[0], default=(None, (), None))
                return None if value is None or moved is None else (-sign * value, point, moved)

            return far

        low, high = (self.farthest(reach(sign)) for sign in (-1, 1))
        return low, high

    def range(self, top: Form, bottom: Form) -> Range:
        """Return the range of a ratio of linear forms, all of it where it has no value."""
        low, high = self.ends(Ratio(top, bottom))
        if low is None or high is None:
            return Range(Fraction(0), Fraction(1))
        return Range(*(Fraction(at(top, table), at(bottom, table)) for table in (low, high)))


def _along_edges(cone: Cone, ratio: Formula) -> Iterator[Sequence[Any]]:
    """Yield the points at which a ratio of polynomials of degree two may be extreme: near ends of edges, and inside."""
    yield from cone.rays
    for i, j in cone.edges():
        one, two = cone.rays[i], cone.rays[j]
        (top, bottom), (top_1, bottom_1), (top_2, bottom_2) = (
            ratio(table) for table in (one, combined((1, one), (1, two)), two)
        )
        polynomials = [
            (u, m - 3 * u - v, 2 * (u + v) - m) for u, m, v in ((top, top_1, top_2), (bottom, bottom_1, bottom_2))
        ]
        yield from (combined((1 - t, one), (t, two)) for t in _flat(*polynomials))
        if bottom == 0 or bottom_2 == 0:
            start, end = shares(one), shares(two)
            yield from (combined((1 - t, start), (t, end)) for t in (NEAR, 1 - NEAR))


def _flat(top: Sequence[Any], bottom: Sequence[Any]) -> Iterator[Fraction]:
    """Yield where, between 0 and 1, the slope of a ratio of polynomials of degree two is zero."""
    c = top[1] * bottom[0] - top[0] * bottom[1]
    b = top[2] * bottom[0] - top[0] * bottom[2]  # half of the coefficient
    a = top[2] * bottom[1] - top[1] * bottom[2]
    square = Fraction(b * b - a * c)
    if square < 0 or (a == 0 and b == 0):
        return
    size = root(square)
    roots = [-Fraction(c) / (2 * b)] if a == 0 else [(-b + size) / a, (-b - size) / a]
    yield from (t for t in roots if 0 < t < 1)


# ---- what is left of a row


@dataclass(frozen=True, eq=False)
class Leeway:
    """What a row of printed rates leaves: all tables of shares that round to it, and the nearest of them.

    Where no rate depends on the share of positives, ``space`` holds all tables with the ranges of TPR and TNR, and the
    first of ``at_half`` only those with half of positives, but no others of these. Else both are the same; the second
    has what rates of TPR and TNR leave by themselves. ``n_solutions`` is how many tables of counts round to the rates:
    0 where the number of cases is not known, None where they are more than a million.
    """

    printed: tuple[Printed, ...]
    space: Space
    at_half: tuple[Space, ...]
    n_solutions: int | None = 0

    @cached_property
    def nearest(self) -> Ray:
        """The table whose rates differ least from the numbers as printed, in units of their last decimals.

        Where curved rates leave shares of positives on both sides of one that they rule out, it is on the lower side.
        """
        space, best = self.at_half[0], self._on_some_side
        if space is not self.space or not space.curved:  # rates of TPR and TNR alone are asked at one half
            return best
        low, share = self.prior.low, Fraction(at(POSITIVE, best), sum(best))
        for step in range(1, STEPS):
            between = low + (share - low) * step / STEPS
            if replace(space, start=space.start.between(POSITIVE, between, between)).center() is None:
                lower = replace(space, start=space.start.between(POSITIVE, Fraction(0), between))
                table = lower.center()
                if table is not None and lower.beyond(table) <= CLOSE:
                    return _nearest_in(lower)
        return best

    @cached_property
    def _on_some_side(self) -> Ray:
        """Such a table, on either side."""
        return _nearest_in(self.at_half[0])

    @cached_property
    def prior(self) -> Range:
        """The share of positives."""
        return self.space.range(POSITIVE, ALL)

    def fixes(self, value: Callable[[Sequence[Ray]], Any], prior_known: bool = False) -> bool:
        """Tell whether the columns, if they were exact, would leave the values of a nearest table only.

        ``value`` gives one or several values of each table, and ``prior_known`` means at the same share of positives.
        Tables with the same columns as that one lie in a cone, or, of columns that are no ratios of linear
        forms, touch it.
        """
        table = self._on_some_side
        slopes = [slope_of(rate.ratio, table) for rate in self.printed]
        slopes += [slope_of(Ratio(POSITIVE, ALL), table)] if prior_known else []
        step, center = Fraction(1, 10**6) if Space(self.printed).curved else HALF, shares(table)
        alike = EVERYTHING.clipped(*(whole(combined((sign, slope))) for slope in slopes for sign in (1, -1)))
        others = [whole(combined((1 - step, center), (step, shares(ray)))) for ray in alike.rays]
        values = np.asarray(value([table, *others]), dtype=np.float64)
        defined = values[~np.isnan(values).any(axis=tuple(range(1, values.ndim)))]
        spread = np.ptp(defined, axis=0) if len(defined) else np.zeros(1)
        return bool((spread <= 1e-9 * np.maximum(1.0, abs(defined).max(axis=0, initial=0.0))).all())


def _nearest_in(space: Space) -> Ray:
    low, high, tried = Fraction(0), HALF, Fraction(0)
    best = space.center() or (1, 1, 1, 1)
    for _ in range(HALVINGS):
        nearer = replace(space, slack=tried)  # within so many units of what is printed
        table = nearer.center()
        if table is not None and nearer.beyond(table) <= CLOSE:
            best, high = table, tried
        else:
            low = tried
        if high == 0:
            break
        tried = (low + high) / 2
    return best


def leeway(rates: Sequence[Printed], prior: Fraction | None = None, n_solutions: int | None = 0) -> Leeway | None:
    """Return what printed rates leave, at one share of positives if it is known; None where they contradict each other.

    >>> from .rates import printed
    >>> row = leeway(
    ...     [printed("precision", "0.6"), printed("recall", "0.7"), printed("accuracy", "0.90")]
    ... )
    >>> [round(float(end), 3) for end in row.prior]
    [0.108, 0.161]
    """
    used = tuple(rates)
    alone = tuple(rate for rate in used if rate.key in RATES_ALONE)
    middle = EVERYTHING.between(POSITIVE, HALF, HALF)
    if prior is not None:
        space = Space(used, EVERYTHING.between(POSITIVE, prior, prior))
    else:
        space = Space(used, EVERYTHING if len(alone) < len(used) else middle)
    if space.center() is None:
        return None
    at_half: tuple[Space, ...] = (space,)
    if prior is None and len(alone) == len(used):
        box = EVERYTHING
        for top, bottom in ((TN, NEGATIVE), (TP, POSITIVE)):
            box = box.between(top, *space.range(top, bottom), bottom)
        space = Space((), box)
    elif alone and space.curved:  # parts at all shares of positives are not halved enough for them
        at_half = space, Space(alone, middle)
    return Leeway(used, space, at_half, n_solutions)


# ---- how far a score reaches


@dataclass(frozen=True)
class Ends:
    """The worst and the best table for a score, None where it has a value nowhere; and where the end is no value of it.

    An open end is one at which the score has no value: near it, it may be anything up to the end of its range.
    """

    worst: Ray | None
    best: Ray | None
    open_worst: bool = False
    open_best: bool = False


def depends_on_prior(by: Score) -> bool:
    """Tell whether a score depends on the share of positives where TPR and TNR are known."""
    if by.orders_as is None:
        return by.key not in RATES_ALONE
    tn, fp, fn, tp = by.orders_as
    return not (tn == fp == 0 or fn == tp == 0)


def extremes(row: Leeway, by: Score, prior: Fraction | None) -> Ends:
    """Return the worst and the best that a score can be. Raises UsageError for a score of which that is not known."""
    alone = not depends_on_prior(by) or prior is not None
    one, *others = (_extremes_in(space, by, prior) for space in (row.at_half if alone else (row.space,)))
    for two in others:
        if one.worst is None or one.best is None or two.worst is None or two.best is None:
            break
        # the better of the worst tables, and the worse of the best
        rows = np.array([one.worst, two.worst, one.best, two.best], dtype=object)
        worst, worst_2, best, best_2 = levels(Performances.from_exact(rows), by)[0].tolist()
        higher = one.open_worst or (worst_2 > worst and not two.open_worst)
        lower = one.open_best or (best_2 < best and not two.open_best)
        one = Ends(
            two.worst if higher else one.worst, two.best if lower else one.best,
            two.open_worst if higher else one.open_worst, two.open_best if lower else one.open_best,
        )  # fmt: skip
    return one


def _extremes_in(space: Space, by: Score, prior: Fraction | None) -> Ends:
    form, place, alone = formula_of(by), _place(by, prior), by.key in RATES_ALONE
    if alone and place is None and prior not in (0, 1):
        prior = None  # which prior makes no difference
    linear = isinstance(form, Ratio) and not form.curved
    if prior is None and alone and by.orders_as is None and not linear and (half := _place(by, HALF)) is not None:
        place, prior = half, HALF
    curve = CURVES.get(by.key, form if isinstance(form, Ratio) else None) if by.known else None
    if prior is None and curve is not None:
        low, high = space.ends(curve)
        low, high = (high, low) if by.direction == "smaller" else (low, high)
    elif place is not None:
        low, high = space.ends(_ranking_ratio(place, prior), prior)
    elif by.key in RISING:
        low, high = _corners(space, by, prior)
    else:
        raise UsageError(
            f"rankscape does not know that {by.name} rises with both rates, so it cannot bound it over their rounding",
            way_out=["choose a ranking score, such as f1 or accuracy", "give n, so that the counts can be listed"],
        )
    if low is None or high is None:
        return Ends(None, None)
    both = Performances.from_exact(np.array([low, high], dtype=object))
    return Ends(low, high, *np.isnan(by(both)).tolist())


def _place(by: Score, prior: Fraction | None) -> tuple[Fraction, Fraction] | None:
    """Return the place of a score on the Tile at a prior, or on all performances; None where it has none."""
    try:
        return by.exact_place(prior if prior is None or 0 < prior < 1 else HALF)
    except NoPlaceError:
        return None


def _ranking_ratio(place: tuple[Fraction, Fraction], prior: Fraction | None) -> Ratio:
    """Return the ranking score of a place as a ratio, of tables that are shifted to a prior."""
    a, b = place
    if prior is None:
        return Ratio((1 - a, 0, 0, a), (1 - a, 1 - b, b, a))
    a, b, not_a, not_b = prior * a, prior * b, (1 - prior) * (1 - a), (1 - prior) * (1 - b)
    # what is of a class is multiplied by its new share, and by the share of the other one that it had
    return Ratio((0, 0, 0, a), (0, 0, b, a), ((not_a, 0, 0, 0), (not_a, not_b, 0, 0)))


def _corners(space: Space, by: Score, prior: Fraction | None) -> tuple[Ray | None, Ray | None]:
    """Return corners beyond which a score cannot be that gets no worse with more true and fewer false outcomes."""
    value = _value_of(by, None if prior is None else float(prior))

    def reach(better: bool) -> Reach:
        def far(cone: Cone) -> tuple[Any, Sequence[Any], Ray] | None:
            return _farthest_corner(_pieces(cone, faces=prior is None), value, better, by.direction == "smaller")

        return far

    worst, best = (space.farthest(reach(better)) for better in (False, True))
    return worst, best


def _pieces(cone: Cone, faces: bool) -> Floats:
    """Return the edges of a cone, (m, 2, 4), or its faces as triangles, (m, 3, 4), in shares."""
    rays = [[float(x) for x in shares(ray)] for ray in cone.rays]
    edges = [[i, j] for i, j in cone.edges()] or [[i, i] for i in range(len(rays))]
    corners = edges
    if faces:
        corners = [
            [min(members), *edge]
            for members in cone.faces()
            for edge in edges
            if min(members) not in edge and members.issuperset(edge)
        ] or [[*edge, edge[0]] for edge in edges]
    return np.array([[rays[i] for i in one] for one in corners])


def _value_of(by: Score, prior: float | None) -> Value:
    """Return the function that gives the values of corners of TNR, TPR, NPV and PPV, and tables with the same."""
    # At a prior these are corners of TNR and TPR.

    def at_prior(rates: Floats, wrong: Floats) -> tuple[Floats, Floats]:
        share = 0.0 if prior is None else prior
        (tnr, tpr), (fpr, fnr) = np.moveaxis(rates[..., :2], -1, 0), np.moveaxis(wrong[..., :2], -1, 0)
        tables = np.stack([(1 - share) * tnr, (1 - share) * fpr, share * fnr, share * tpr], axis=-1)
        known = ~np.isnan(tables).any(axis=-1)
        values = np.full(known.shape, np.nan)
        filled = tables[known] / tables[known].sum(axis=-1, keepdims=True)
        values[known] = by(Performances.from_probabilities(filled)) if len(filled) else 0
        return values, tables

    def of_four(rates: Floats, wrong: Floats) -> tuple[Floats, Floats]:
        values = OF_FOUR[by.key](rates, wrong)
        right = (1 + values) / 2 if by.key == "mcc" else values  # of tables of which all four are the same
        return values, np.stack([right, 1 - right, 1 - right, right], axis=-1)

    return of_four if prior is None else at_prior


def _farthest_corner(
    pieces: Floats, value: Value, better: bool, smaller: bool
) -> tuple[float, Sequence[Any], Ray] | None:
    """Return the farthest corner of pieces, of which those with far corners are halved until these are reached."""
    sign, gap = (1 if better else -1) * (-1 if smaller else 1), None
    limit: tuple[float, Floats] = (-inf, np.zeros(4))
    reached, nearest = -inf, pieces[0, 0]
    for _ in range(ROUNDS):
        rates = _four(pieces)
        # corners, or points next to those at which a ratio has no value
        open_ = np.isnan(rates[0]).any(axis=-1, keepdims=True)
        points = np.where(open_, pieces + (pieces.mean(axis=1, keepdims=True) - pieces) * NEXT, pieces)
        inside = np.nan_to_num(sign * value(*_four(points))[0], nan=-inf)
        right, wrong = (np.fmax.reduce(one, axis=1) for one in rates)
        least_right, least_wrong = (np.fmin.reduce(one, axis=1) for one in rates)
        values, tables = value(*((right, least_wrong) if better else (least_right, wrong)))
        corners = np.nan_to_num(sign * values, nan=-inf)
        if gap is None:
            known = inside[np.isfinite(inside)]
            gap = max(GAP * float(np.ptp(known)), 1e-12) if len(known) else 1e-12
        if inside.max() > reached:
            i, j = np.unravel_index(int(inside.argmax()), inside.shape)
            reached, nearest = float(inside[i, j]), points[i, j]
        far = corners > reached + gap
        left = np.where(far, -inf, corners)
        limit = max(limit, (float(left.max()), tables[int(left.argmax())]), key=lambda one: one[0])
        if not far.any():
            break
        last = int(corners.argmax())
        pieces = _halved(pieces[far])
        if len(pieces) > MOST_PIECES:
            limit = float(corners[last]), tables[last]
            break
    else:
        limit = max(limit, (float(corners[last]), tables[last]), key=lambda one: one[0])
    if limit[0] == -inf:
        return None
    return -limit[0], nearest.tolist(), whole([Fraction(x) for x in limit[1].tolist()])


def _four(tables: Floats) -> tuple[Floats, Floats]:
    """Return TNR, TPR, NPV and PPV of tables, and what they lack to 1; NaN where they have no value."""
    tn, fp, fn, tp = np.moveaxis(tables, -1, 0)
    with np.errstate(all="ignore"):
        right = [tn / (tn + fp), tp / (fn + tp), tn / (tn + fn), tp / (fp + tp)]
        wrong = [fp / (tn + fp), fn / (fn + tp), fn / (tn + fn), fp / (fp + tp)]
    return np.stack(right, axis=-1), np.stack(wrong, axis=-1)


def _halved(pieces: Floats) -> Floats:
    """Return the halves of edges, or the parts of triangles."""
    # These are four, or six where the ratios at one corner depend on the direction from which it is approached, so that
    # directions are halved, too.
    if pieces.shape[1] == 2:
        a, b = pieces[:, 0], pieces[:, 1]
        return np.concatenate([np.stack(pair, axis=1) for pair in ((a, (a + b) / 2), ((a + b) / 2, b))])
    open_: Flags = np.asarray(np.isnan(_four(pieces)[0]).any(axis=-1))
    fans = open_.sum(axis=1) == 1
    turned = (open_[fans].argmax(axis=1)[:, None] + np.arange(3)) % 3
    out = []
    for some, fan in ((pieces[~fans], False), (np.take_along_axis(pieces[fans], turned[..., None], axis=1), True)):
        a, b, c = some[:, 0], some[:, 1], some[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        inner = [(a, ab, (a + bc) / 2), (a, (a + bc) / 2, ca), (ab, bc, (a + bc) / 2), (ca, (a + bc) / 2, bc)]
        parts = [(ab, b, bc), (ca, bc, c), *(inner if fan else [(a, ab, ca), (ab, bc, ca)])]
        out += [np.stack(one, axis=1) for one in parts]
    return np.concatenate(out)


def cost_ends(row: Leeway, costs: Costs, prior: Fraction | None) -> tuple[float, float]:
    """Return the smallest and the largest expected cost per case: at extreme rays, or, at another prior, on edges."""
    tn, fp, fn, tp = costs.by_outcome
    space, ratio = row.space, Ratio((tn, fp, fn, tp), ALL)
    if prior is not None:
        of_positives = ((1 - prior) * tn, (1 - prior) * fp, 0, 0), NEGATIVE
        space, ratio = row.at_half[0], Ratio((0, 0, prior * fn, prior * tp), NONE, of_positives)
    values = [Fraction(top) / bottom for table in space.ends(ratio) if table for top, bottom in [ratio(table)]]
    return (float(values[0]), float(values[1])) if values else (float("nan"),) * 2


def contradiction_of_shares(rates: Sequence[Printed]) -> DataError:
    """Return the error about rates that no table of shares has, with what the others leave of each in conflict."""
    core = fewest(rates, lambda fewer: leeway(fewer) is None)
    if len(core) == 1:
        return DataError(f"no table has {core[0]}", way_out="check it")
    ways = [way for rate in core for way in _left(rate, rates)] or [way for rate in core for way in _left(rate, core)]
    named = f"{', '.join(map(str, core[:-1]))} and {core[-1]}"
    left = f"the other columns leave {', or '.join(ways)}" if ways else "check them all"
    return DataError(f"{named} contradict each other", way_out=left)


def _left(rate: Printed, rates: Sequence[Printed]) -> Iterator[str]:
    """Yield the range that other rates leave for one, if they do not contradict each other."""
    row = leeway([other for other in rates if other is not rate])
    ends = Ends(None, None) if row is None else extremes(row, rate.score, None)
    if ends.worst is not None and ends.best is not None:
        tables = Performances.from_exact(np.array([ends.worst, ends.best], dtype=object))
        low, high = sorted(map(Fraction, rate.score(tables).tolist()))
        unit = rate.unit / 10  # rounded outwards to one more digit than is printed
        outward = floor(low / unit + FLOATS) * unit, ceil(high / unit - FLOATS) * unit
        texts = [replace(rate, unit=unit).at(end).text for end in outward]
        yield f"{texts[0] if texts[0] == texts[1] else ' to '.join(texts)} for {rate.name}"

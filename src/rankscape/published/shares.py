"""What one row of printed rates leaves open, and how far a score may reach in it: tables of shares between planes.

A table of shares (tn, fp, fn, tp) is a ray of four integers. A rate that is a ratio of linear forms leaves what lies
between two planes: a cone, kept as its extreme rays (the double description method). Balanced accuracy, κ and the like
have products with the share of positives. Where that is in a small range they lie between planes, too (McCormick's), so
the cone is halved by it where a score is extreme, until the planes are close there: cones that leave out nothing.

A ratio of linear forms is extreme at extreme rays. One with such products, as κ, or any ranking score of TPR and TNR
once the shares of positives are shifted, is extreme on an edge: a face of a cone has each pair of values once, but for
faces that are seen edgewise. It is a ratio of polynomials of degree two there, whose slope has two zeros at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import combinations, count, product
from math import ceil, floor, gcd, inf, isqrt, lcm, prod, sqrt
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .._costs import Costs
from .._scores import Score
from .._scores.score import levels
from ..errors import DataError, NoPlaceError, Option, UsageError
from ..performances import Performances
from .rates import (
    ALL,
    NEGATIVE,
    NONE,
    POSITIVE,
    PREDICTED,
    RATES_ALONE,
    TN,
    TP,
    UNITS,
    Form,
    Printed,
    Ratio,
    at,
    combined,
    formula_of,
)  # fmt: skip

Ray: TypeAlias = tuple[int, int, int, int]
"""tn, fp, fn, tp, without a common factor."""

Reach: TypeAlias = "Callable[[Cone], tuple[Any, Sequence[Any], Any] | None]"
"""Gives of a cone a key, the smaller the farther, the point that has it, and what to return; None where it has none."""

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

NEAR = Fraction(1, 1 << 80)
"""So near to a ray that has no value its limit along an edge is taken."""

FLOATS = Fraction(1, 10**9)
"""By so much of a unit values in floats may miss the end that they are."""

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
    >>> cone.rays, cone.range(TP, POSITIVE)
    (((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 4, 1)), Range(low=Fraction(1, 5), high=Fraction(1, 5)))
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

    def range(self, top: Form, bottom: Form = ALL) -> Range:
        """Return the range of a ratio of two linear forms, of which the second is nowhere negative."""
        ratios = [Fraction(at(top, ray), below) for ray in self.rays if (below := at(bottom, ray)) > 0]
        return Range(min(ratios), max(ratios)) if ratios else Range(Fraction(0), Fraction(0))

    def between(self, form: Form, low: Fraction, high: Fraction, bottom: Form = ALL) -> Cone:
        """Return the part in which a ratio of two linear forms is between two values."""
        return self.clipped(whole(combined((1, form), (-low, bottom))), whole(combined((high, bottom), (-1, form))))

    def center(self) -> Ray:
        """Return the mean of the extreme rays, each as shares."""
        sums = [sum(ray) for ray in self.rays]
        common = lcm(*sums)
        factors = [common // one for one in sums]
        return whole([sum(map(mul, column, factors)) for column in zip(*self.rays, strict=True)])


EVERYTHING = Cone()
"""All tables of shares."""


def planes(rate: Ratio, ends: tuple[Fraction, Fraction], cone: Cone, prior: Range) -> Iterator[Ray]:
    """Yield linear forms that are not negative where a rate is between two ends, on a cone with a range of priors.

    With v from l to u and the share of positives π from p to q, π·v is at most q·v + l·(π − q) and p·v + u·(π − p).
    """
    for sign, end in zip((1, -1), ends, strict=True):
        form = combined((sign, rate.top), (-sign * end, rate.bottom))
        slope = combined(*zip((sign, -sign * end), rate.slopes, strict=True))
        if not any(slope):
            yield whole(form)
            continue
        for v, p in zip(cone.range(slope).outward(GRAIN), reversed(prior), strict=True):
            yield whole(combined((1, form), (p, slope), (v, POSITIVE), (-v * p, ALL)))


class Part(NamedTuple):
    """A cone that leaves out nothing of what rounds to some rates within a range of shares of positives."""

    cone: Cone
    prior: Range


@dataclass(frozen=True)
class Space:
    """Tables of shares within a cone that are within some units of what is printed."""

    rates: tuple[Printed, ...] = ()
    start: Cone = EVERYTHING
    slack: Fraction = HALF

    @cached_property
    def whole(self) -> Cone:
        """What the rates leave that are ratios of linear forms."""
        cone, everything = self.start, Range(Fraction(0), Fraction(1))
        for rate in self.rates:
            if rate.form is not None and not rate.form.curved:
                cone = cone.clipped(*planes(rate.form, rate.ends_within(self.slack), cone, everything))
        return cone

    @cached_property
    def curved(self) -> list[tuple[Printed, Ratio]]:
        """The rates that are no ratios of linear forms."""
        return [(rate, rate.form) for rate in self.rates if rate.form is not None and rate.form.curved]

    def parts(self, *priors: Range) -> Iterator[Part]:
        """Yield what is left in ranges of shares of positives, where anything is."""
        for prior in priors:
            cone = self.whole.between(POSITIVE, *prior) if self.curved else self.whole
            for rate, form in (*self.curved, *self.curved):  # then from smaller ranges
                prior = cone.range(POSITIVE).outward(GRAIN)
                cone = cone.clipped(*planes(form, rate.ends_within(self.slack), cone, prior))
                if not cone.rays:
                    break
            table = [sum(column) for column in zip(*cone.rays, strict=True)]
            if cone.rays and all(rate.ratio(table)[1] for rate in self.rates):  # else one has a value nowhere
                yield Part(cone, cone.range(POSITIVE).outward(GRAIN))

    def farthest(self, reach: Reach) -> Any:
        """Return the farthest that tables reach, None where there is none.

        Cones that reach it are halved until it is close to what is printed.
        """
        heap: list[tuple[Any, int, Sequence[Any], Any, Part]] = []
        number, parts = count(), self.parts(Range(Fraction(0), Fraction(1)))
        for left in reversed(range(MOST_HALVED)):
            for part in parts:
                if (one := reach(part.cone)) is not None:
                    heappush(heap, (one[0], next(number), *one[1:], part))
            if not heap:
                break
            _, _, point, result, (_, (low, high)) = heap[0]
            narrow = high - low <= max(NARROWEST, NARROW * min(high, 1 - low))
            if not left or not self.curved or narrow or self.beyond(point) <= CLOSE:
                return result
            middle = (low + high) / 2
            if 8 * low < high <= HALF:
                middle = high / 4
            elif 8 * (1 - high) < 1 - low <= HALF:
                middle = 1 - (1 - low) / 4
            parts = self.parts(Range(low, middle), Range(middle, high))
            heappop(heap)
        return None

    def beyond(self, table: Sequence[Any]) -> float:
        """Return by how many units a table is beyond what is printed; where a rate has no value, by many."""
        row, farthest = np.array([[float(Fraction(x) / Fraction(sum(table))) for x in table]]), 0.0
        for rate, _ in self.curved:
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

    def ends(self, ratio: Ratio, prior: Fraction | None = None) -> tuple[Ray | None, Ray | None]:
        """Return the tables with the least and the most of a ratio, at another share of positives if one is given."""

        @cache
        def values(cone: Cone) -> list[tuple[Any, Sequence[Any], Ray]]:
            rows: list[tuple[Any, Sequence[Any], Ray]] = []
            for point in _along_edges(cone, ratio) if ratio.curved else cone.rays:
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


def _along_edges(cone: Cone, ratio: Ratio) -> Iterator[Sequence[Any]]:
    """Yield the points at which a ratio of polynomials of degree two may be extreme: near ends of edges, and inside."""
    yield from cone.rays
    for i, j in combinations(range(len(cone.rays)), 2):
        if not cone.joined(i, j):
            continue
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
    size = Fraction(isqrt((square.numerator << 120) // square.denominator), 1 << 60)
    roots = [-Fraction(c) / (2 * b)] if a == 0 else [(-b + size) / a, (-b - size) / a]
    yield from (t for t in roots if 0 < t < 1)


# ---- what is left of a row


@dataclass(frozen=True, eq=False)
class Leeway:
    """What a row of printed rates leaves: all tables of shares that round to it, and the nearest of them.

    Where no rate depends on the share of positives, ``space`` holds all tables with the ranges of TPR and TNR, and the
    first of ``at_half`` only those with half of positives, but no others of these. Else both are the same; the second
    has what rates of TPR and TNR leave by themselves. ``tables`` is the number of tables of counts: 0 where the number
    of cases is not known, None where they are more than a million.
    """

    rates: tuple[Printed, ...]
    space: Space
    at_half: tuple[Space, ...]
    tables: int | None = 0

    @cached_property
    def nearest(self) -> Ray:
        """The table whose rates differ least from the numbers as printed, in units of their last decimals."""
        low, high, tried = Fraction(0), HALF, Fraction(0)
        best = self.at_half[0].center() or (1, 1, 1, 1)
        for _ in range(HALVINGS):
            space = replace(self.at_half[0], slack=tried)  # within so many units of what is printed
            table = space.center()
            if table is not None and space.beyond(table) <= CLOSE:
                best, high = table, tried
            else:
                low = tried
            if high == 0:
                break
            tried = (low + high) / 2
        return best

    @property
    def tpr(self) -> Range:
        """The true positive rate."""
        return self.space.range(TP, POSITIVE)

    @property
    def tnr(self) -> Range:
        """The true negative rate."""
        return self.space.range(TN, NEGATIVE)

    @cached_property
    def prior(self) -> Range:
        """The share of positives."""
        return self.space.range(POSITIVE, ALL)

    def fixes(self, value: Callable[[Sequence[Ray]], Any], prior_known: bool = False) -> bool:
        """Tell whether the columns, if they were exact, would leave the values of the nearest table only.

        ``value`` gives one or several values of each table, and ``prior_known`` means at the same share of positives.
        Tables with the same columns as the nearest one lie in a cone, or, of columns that are no ratios of linear
        forms, touch it.
        """
        forms = [rate.form for rate in self.rates if rate.form is not None]
        forms += [Ratio(POSITIVE, ALL)] if prior_known else []
        step, center = (
            Fraction(1, 10**6) if any(form.curved for form in forms) else HALF,
            shares(self.nearest),
        )
        slopes = [form.slope(self.nearest) for form in forms]
        alike = EVERYTHING.clipped(*(combined((sign, slope)) for slope in slopes for sign in (1, -1)))
        others = [whole(combined((1 - step, center), (step, shares(ray)))) for ray in alike.rays]
        values = np.asarray(value([self.nearest, *others]), dtype=np.float64)
        defined = values[~np.isnan(values).any(axis=tuple(range(1, values.ndim)))]
        spread = np.ptp(defined, axis=0) if len(defined) else np.zeros(1)
        return bool((spread <= 1e-9 * np.maximum(1.0, abs(defined).max(axis=0, initial=0.0))).all())


def leeway(rates: Sequence[Printed], prior: Fraction | None = None, tables: int | None = 0) -> Leeway | None:
    """Return what printed rates leave, at one share of positives if it is known; None where they contradict each other.

    Without numbers of cases nothing follows from a correlation, a geometric mean or an odds ratio.

    >>> from .rates import printed
    >>> row = leeway(
    ...     [printed("precision", "0.6"), printed("recall", "0.7"), printed("accuracy", "0.90")]
    ... )
    >>> [round(float(end), 3) for end in row.prior]
    [0.108, 0.161]
    """
    used = tuple(rate for rate in rates if rate.form is not None)
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
    return Leeway(tuple(rates), space, at_half, tables)


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
    if prior is None and isinstance(form, Ratio):
        low, high = space.ends(form)
        low, high = (high, low) if by.direction == "smaller" else (low, high)
    elif place is not None:
        low, high = space.ends(_ranking_ratio(place, prior), prior)
    elif by.key in RISING and (alone or prior is not None):
        low, high = _corners(space, HALF if prior is None else prior)
    elif by.key == "mcc":
        low, high = _of_correlation(space)
    elif by.key in RISING:
        raise UsageError(
            f"rankscape cannot bound {by.name} over the rounding of rates alone",
            way_out=[["state the share of positives with ", SHARE], "give n, so that the counts can be listed"],
        )
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


def _corners(space: Space, prior: Fraction) -> tuple[Ray, Ray]:
    """Return the tables with the least, and the most, of both TNR and TPR."""
    ranges = space.range(TN, NEGATIVE), space.range(TP, POSITIVE)
    low, high = (
        whole([(1 - prior) * tnr, (1 - prior) * (1 - tnr), prior * (1 - tpr), prior * tpr])
        for tnr, tpr in zip(*ranges, strict=True)
    )
    return low, high


def _of_correlation(space: Space) -> tuple[Ray, Ray]:
    """Return tables with an MCC beyond which none is: √(TNR·TPR·NPV·PPV), less the same of what these lack to 1."""
    pairs = (TN, NEGATIVE), (TP, POSITIVE), (TN, (1, 0, 1, 0)), (TP, PREDICTED)
    tables = []
    for sign, rates in zip((-1, 1), zip(*(space.range(*pair) for pair in pairs), strict=True), strict=True):
        value = sqrt(prod(rates)) - sqrt(prod(1 - rate for rate in rates))
        right = min(max((Fraction(value) + Fraction(sign, GRAIN) + 1) / 2, Fraction(0)), Fraction(1))
        tables.append(whole([right, 1 - right, 1 - right, right]))  # all four are the same
    return tables[0], tables[1]


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
    core = list(rates)
    for rate in rates:
        fewer = [other for other in core if other is not rate]
        if fewer and leeway(fewer) is None:
            core = fewer
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

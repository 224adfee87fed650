"""What one row of printed rates leaves open: every table of shares (tn, fp, fn, tp) that rounds to all of it.

A rate that is a ratio of linear forms gives two planes, so that rates of this kind leave a cone. The others (balanced
accuracy, κ, MCC and the like) have products of linear forms. Over small ranges of their factors these lie between
planes (McCormick's), so that the cone is halved until the planes are close: small cones that leave out nothing. Where
a score is extreme in them they are halved further, until the planes are close there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, product
from math import floor, inf, isqrt, lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..typing import Floats
from .cones import (
    ALL,
    FN,
    FP,
    NEGATIVE,
    POSITIVE,
    PREDICTED,
    TN,
    TP,
    UNITS,
    Cone,
    Form,
    Ray,
    at,
    combined,
    shares,
    whole,
)  # fmt: skip
from .rates import RATES_ALONE, Cells, Printed

Ratio: TypeAlias = "tuple[Form, Form]"
"""Two linear forms, of which the first is nowhere more than the second."""

Ranges: TypeAlias = "dict[Ratio, tuple[Fraction, Fraction]]"
"""Ratios of linear forms, and between which numbers they are."""

Terms: TypeAlias = list[tuple[Any, Form, Form]]
"""A sum of products of two linear forms, each with a factor."""

CLOSE = 0.02
"""A cone is not halved where it is beyond what is printed by no more of a unit of the last digit."""

MOST_CONES = 96
"""Into so many cones tables are split to find whether there are any."""

FEW_CONES = 24
"""So many cones are looked through for the nearest table."""

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

HALF = Fraction(1, 2)
ROOTS: tuple[Ratio, ...] = ((PREDICTED, (0, 1, 1, 2)), ((1, 0, 1, 0), (2, 1, 1, 0)))
"""MCC has two roots: of positives·predicted and of negatives·unpredicted. A share of both factors bounds each."""

PRODUCTS: dict[str, tuple[Terms, Terms]] = {
    "ba": ([(1, ALL, TP), (1, POSITIVE, (1, 0, 0, -1))], [(2, NEGATIVE, POSITIVE)]),
    "youden": ([(1, ALL, TP), (-1, POSITIVE, PREDICTED)], [(1, NEGATIVE, POSITIVE)]),
    "kappa": ([(2, ALL, TP), (-2, POSITIVE, PREDICTED)], [(1, ALL, PREDICTED), (1, POSITIVE, (1, -1, 1, -1))]),
    "plr": ([(1, NEGATIVE, TP)], [(1, POSITIVE, FP)]),
    "nlr": ([(1, NEGATIVE, FN)], [(1, POSITIVE, TN)]),
    "gmean": ([(1, TN, TP)], [(1, NEGATIVE, POSITIVE)]),
    "or": ([(1, TN, TP)], [(1, FP, FN)]),
}
"""Numerators and denominators of the rates that are no ratios of linear forms, but for MCC; of gmean, of its square."""


UNBOUNDED = Cone()
"""All tables of shares."""


class Range(NamedTuple):
    """The smallest and largest value of a rate."""

    low: Fraction
    high: Fraction


class Part(NamedTuple):
    """A cone that leaves out nothing of what rounds to some rates within ranges of shares, and what it is cut from."""

    base: Cone
    cone: Cone
    ranges: Ranges


Farthest: TypeAlias = "Callable[[Cone], tuple[Any, Sequence[Any], Any] | None]"
"""Gives of a cone a key, the smaller the farther, the point that has it, and what to return; None where it has none."""


@dataclass(frozen=True, eq=False)
class Leeway:
    """What a row of printed rates leaves: cones that hold all tables that round to it, and the nearest table.

    Where no rate depends on the share of positives, ``parts`` hold all tables with the ranges of TPR and TNR, and
    ``at_half`` only those with half of positives, but no others of these. Else both are the same. ``start`` holds the
    nearest table.
    """

    rates: tuple[Printed, ...]
    parts: tuple[Part, ...]
    at_half: tuple[Part, ...]
    start: Cone

    @cached_property
    def nearest(self) -> Ray:
        """The table whose rates differ least from the numbers as printed, in units of their last decimals."""
        low, high, tried = Fraction(0), HALF, Fraction(0)
        _, best = _center(Space(self.rates), self.at_half)
        for _ in range(HALVINGS):
            parts = cover(self.rates, self.start, tried, FEW_CONES)  # within so many units of what is printed
            beyond, ray = _center(Space(self.rates, tried), parts)
            if beyond <= CLOSE:
                best, high = ray, tried
            else:
                low = tried
            if high == 0:
                break
            tried = (low + high) / 2
        return best

    @property
    def tpr(self) -> Range:
        """The true positive rate."""
        return _range(self.rates, self.parts, TP, POSITIVE)

    @property
    def tnr(self) -> Range:
        """The true negative rate."""
        return _range(self.rates, self.parts, TN, NEGATIVE)

    @cached_property
    def prior(self) -> Range:
        """The share of positives."""
        return _range(self.rates, self.parts, POSITIVE, ALL)

    def fixes(self, value: Callable[[Sequence[Ray]], Any], prior_known: bool = False) -> bool:
        """Tell whether the columns, if they were exact, would leave the values of the nearest table only.

        ``value`` gives one or several values of each table, and ``prior_known`` means at the same share of positives.
        Tables with the same columns as the nearest one lie in a cone, or, of columns that are no ratios of linear
        forms, touch it.
        """
        center = shares(self.nearest)
        step = Fraction(1, 2) if all(rate.linear for rate in self.rates) else Fraction(1, 10**6)
        alike = UNBOUNDED
        known = [combined((1, POSITIVE), (-at(POSITIVE, center), ALL))] if prior_known else []
        for slope in (*known, *(_slope(rate, center) for rate in self.rates)):
            alike = alike.clipped(slope, combined((-1, slope)))
        others = [whole(combined((1 - step, center), (step, shares(ray)))) for ray in alike.rays]
        values = np.asarray(value([self.nearest, *others]), dtype=np.float64)
        defined = values[~np.isnan(values).any(axis=tuple(range(1, values.ndim)))]
        spread = np.ptp(defined, axis=0) if len(defined) else np.zeros(1)
        return bool((spread <= 1e-9 * np.maximum(1.0, abs(defined).max(axis=0, initial=0.0))).all())


def leeway(rates: Sequence[Printed], start: Cone = UNBOUNDED) -> Leeway | None:
    """Return what printed rates leave within a cone; None where they contradict each other.

    >>> from .rates import printed
    >>> row = leeway(
    ...     [printed("precision", "0.6"), printed("recall", "0.7"), printed("accuracy", "0.90")]
    ... )
    >>> [round(float(end), 3) for end in row.prior]
    [0.108, 0.161]
    """
    if start != UNBOUNDED or not all(rate.key in RATES_ALONE for rate in rates):
        parts = cover(rates, start)
        return Leeway(tuple(rates), parts, parts, start) if parts else None
    half = combined((1, POSITIVE), (-1, NEGATIVE))
    middle = UNBOUNDED.clipped(half, combined((-1, half)))
    at_half = cover(rates, middle)
    if not at_half:
        return None
    box = UNBOUNDED
    for top, bottom in ((TN, NEGATIVE), (TP, POSITIVE)):
        low, high = _range(rates, at_half, top, bottom)
        box = box.between(top, low, high, bottom)
    return Leeway(tuple(rates), (Part(box, box, {}),), at_half, middle)


def _range(rates: Sequence[Printed], parts: Sequence[Part], top: Form, bottom: Form) -> Range:
    """Return the range of a ratio of linear forms over parts, all of it where it has no value."""

    def reach(sign: int) -> Farthest:
        def farthest_ray(cone: Cone) -> tuple[Any, Ray, Fraction] | None:
            ratios = [(Fraction(at(top, ray), below), ray) for ray in cone.rays if (below := at(bottom, ray)) > 0]
            value, ray = min(ratios, key=lambda one: -sign * one[0], default=(None, None))
            return None if value is None or ray is None else (-sign * value, ray, value)

        return farthest_ray

    low, high = (farthest(rates, parts, reach(sign)) for sign in (-1, 1))
    return Range(Fraction(0), Fraction(1)) if low is None or high is None else Range(low, high)


def farthest(rates: Sequence[Printed], parts: Sequence[Part], reach: Farthest) -> Any:
    """Return the farthest that cones reach; those that reach it are halved until it is close to what is printed."""
    space, number = Space(rates), count()
    heap: list[tuple[Any, int, Sequence[Any], Any, Part]] = []

    def push(part: Part) -> None:
        one = reach(part.cone)
        if one is not None:
            heappush(heap, (one[0], next(number), *one[1:], part))

    for part in parts:
        push(part)
    result = None
    for _ in range(MOST_HALVED):
        if not heap:
            return result
        _, _, point, result, part = heappop(heap)
        if not part.ranges or space.beyond([point]) <= CLOSE or _narrow(part):
            return result
        for half in space.halves(part):
            push(half)
    return heap[0][3] if heap else result


def planes(rate: Printed, slack: Fraction = Fraction(1, 2)) -> Iterator[Form]:
    """Yield the linear forms that are not negative where a rate is within some units of what is printed."""
    top, bottom = zip(*(rate.ratio(unit) for unit in UNITS), strict=True)
    low, high = rate.ends_within(slack)
    yield combined((1, top), (-low, bottom))
    yield combined((high, bottom), (-1, top))


def cover(
    rates: Sequence[Printed], start: Cone, slack: Fraction = Fraction(1, 2), most: int = MOST_CONES
) -> tuple[Part, ...]:
    """Return parts that hold every table of a cone that is within some units of what is printed; none if none is."""
    space, number = Space(rates, slack), count()
    for rate in rates:
        if rate.linear:
            start = start.clipped(*planes(rate, slack))
    heap: list[tuple[float, int, Part]] = []

    def push(parts: Iterator[Part]) -> bool:
        """Add parts, by how far their centers are; tell whether one surely has a table, or is close."""
        enough = False
        for part in parts:
            far = inf if _narrow(part) else space.beyond([part.cone.center()])
            heappush(heap, (far, next(number), part))
            enough = enough or space.holds(part.cone) or space.beyond(part.cone.rays) <= CLOSE
        return enough

    enough = push(space.parts(start, {}))
    for _ in range(3 * most):
        if enough or not heap or len(heap) >= most or heap[0][0] == inf:
            break
        enough = push(space.halves(heappop(heap)[2]))
    return tuple(one[2] for one in heap)


@dataclass(frozen=True)
class Space:
    """Tables of shares that are within some units of what is printed."""

    rates: Sequence[Printed]
    slack: Fraction = Fraction(1, 2)

    @property
    def curved(self) -> list[Printed]:
        """The rates that are no ratios of linear forms."""
        return [rate for rate in self.rates if not rate.linear]

    def parts(self, base: Cone, ranges: Ranges) -> Iterator[Part]:
        """Yield the part of a cone that is in ranges of shares, if there is one."""
        cone, curved = base, self.curved
        for (form, bottom), (low, high) in ranges.items():
            cone = cone.between(form, low, high, bottom)
        cone = _relaxed(_relaxed(cone, curved, self.slack), curved, self.slack)  # then from smaller ranges
        if not cone.rays:
            return
        tn, fp, fn, tp = map(sum, zip(*cone.rays, strict=True))
        if all(rate.ratio((tn, fp, fn, tp))[1] for rate in self.rates):  # else one has a value nowhere
            keys = {rate.key for rate in curved}
            halved = [*([(POSITIVE, ALL)] if keys else []), *(ROOTS if "mcc" in keys else ()),
                      *([(TN, ALL), (TP, ALL)] if keys & {"gmean", "or"} else ())]  # fmt: skip
            ends = {one: cone.outer_range(one[0], GRAIN, one[1]) for one in halved}
            narrower = {one: (Fraction(low, GRAIN), Fraction(high, GRAIN)) for one, (low, high) in ends.items()}
            yield Part(base, cone, narrower)

    def halves(self, part: Part) -> Iterator[Part]:
        """Yield both halves of a part, of its widest range."""
        widest = max(part.ranges, key=lambda one: _width(*part.ranges[one]))
        low, high = part.ranges[widest]
        middle = (low + high) / 2
        if 8 * low < high <= HALF:
            middle = high / 4
        elif 8 * (1 - high) < 1 - low <= HALF:
            middle = 1 - (1 - low) / 4
        yield from self.parts(part.base, {**part.ranges, widest: (low, middle)})
        yield from self.parts(part.base, {**part.ranges, widest: (middle, high)})

    def beyond(self, rays: Sequence[Sequence[Any]]) -> float:
        """Return by how many units rays are beyond what is printed; where a rate has no value, by many."""
        return float(self._distances(rays).max(initial=0.0))

    def holds(self, cone: Cone) -> bool:
        """Tell whether the center or a ray of a cone is within what is printed."""
        return bool((self._distances([cone.center(), *cone.rays]) <= 0).any())

    def _distances(self, rays: Sequence[Sequence[Any]]) -> Floats:
        tables = np.array([[float(Fraction(x) / Fraction(sum(ray))) for x in ray] for ray in rays])
        distances = np.full(len(tables), -inf)
        for rate in self.curved:
            low, high = rate.ends_within(self.slack)
            values = rate.values(tables)
            distance = np.maximum(float(low) - values, values - float(high)) / float(rate.unit)
            distances = np.maximum(distances, np.where(np.isnan(distance), UNDEFINED, distance))
        return distances


def _width(low: Fraction, high: Fraction) -> Fraction:
    """Return how wide a range of shares is, relative to the share or to the rest; 0 where it is next to nothing."""
    return (high - low) / min(high, 1 - low) if high - low > NARROWEST else Fraction(0)


def _narrow(part: Part) -> bool:
    return all(_width(*ends) <= NARROW for ends in part.ranges.values())


def _relaxed(cone: Cone, curved: Sequence[Printed], slack: Fraction) -> Cone:
    """Clip a cone by planes that lie outside of what curved rates leave in it."""
    for rate in curved:
        for terms in _inequalities(rate, cone, slack):
            if not cone.rays:
                return cone
            common = lcm(*(Fraction(factor).denominator for factor, _, _ in terms))
            bounds = [[(int(factor * common), over) for over in _over(cone, factor, u, v)] for factor, u, v in terms]
            cone = cone.clipped(*(combined(*parts) for parts in product(*bounds)))
    return cone


def _inequalities(rate: Printed, cone: Cone, slack: Fraction) -> Iterator[Terms]:
    """Yield sums of products that are not negative where a rate is within some units of what is printed."""
    for sign, end in zip((1, -1), rate.ends_within(slack), strict=True):
        if not cone.rays:
            return
        if rate.key == "mcc":  # tp·n − positives·predicted is at least end times the root of a product of four
            (u, size_u), (v, size_v) = (_root_of_product(cone, *one, sign * end < 0) for one in ROOTS)
            yield [(sign, ALL, TP), (-sign, POSITIVE, PREDICTED), (-sign * end / (size_u * size_v), u, v)]
            continue
        top, bottom = PRODUCTS[rate.key]
        bound = end * abs(end) if rate.key == "gmean" else end
        yield [(sign * factor, u, v) for factor, u, v in top] + [
            (-sign * bound * factor, u, v) for factor, u, v in bottom
        ]


def _over(cone: Cone, factor: Any, u: Form, v: Form) -> list[Form]:
    """Return two linear forms nowhere below GRAIN²·u·v on a cone of shares; nowhere above, for a negative factor."""
    if u == ALL:
        return [combined((GRAIN * GRAIN, v))]
    (low_u, high_u), (low_v, high_v) = (cone.outer_range(form, GRAIN) for form in (u, v))
    pairs = [(low_u, high_v), (high_u, low_v)] if factor > 0 else [(low_u, low_v), (high_u, high_v)]
    return [combined((a * GRAIN, v), (b * GRAIN, u), (-a * b, ALL)) for a, b in pairs]


def _root_of_product(cone: Cone, form: Form, total: Form, over: bool) -> tuple[Form, int]:
    """Return a linear form below the root of a form times what it lacks to a total, the chord; or above, its tangent.

    It has integers, and comes with the number by which it is too large.
    """
    low, high = (Fraction(min(max(end, 0), GRAIN), GRAIN) for end in cone.outer_range(form, GRAIN, total))
    if over:  # the root of x·y is at most (x·r + y/r)/2, whatever r is
        middle = min(max((low + high) / 2, Fraction(1, GRAIN)), 1 - Fraction(1, GRAIN))
        ratio = root((1 - middle) / middle, 30) or Fraction(1)
        root_form = combined((ratio / 2, form), (1 / (2 * ratio), combined((1, total), (-1, form))))
    else:
        ends = [Fraction(floor(root(x * (1 - x)) * GRAIN), GRAIN) for x in (low, high)]
        slope = (ends[1] - ends[0]) / (high - low) if high > low else Fraction(0)
        root_form = combined((slope, form), (ends[0] - slope * low, total))
    common = lcm(*(Fraction(x).denominator for x in root_form))
    tn, fp, fn, tp = (int(x * common) for x in root_form)
    return (tn, fp, fn, tp), common


def root(square: Fraction, bits: int = 60) -> Fraction:
    """Return a square root, rounded down to so many bits behind the point."""
    return Fraction(isqrt((square.numerator << 2 * bits) // square.denominator), 1 << bits)


def _slope(rate: Printed, center: Cells) -> Form:
    """Return the linear form, 0 at a table, that says whether a rate rises there."""
    top, bottom = rate.ratio(center)
    if rate.linear:
        tops, bottoms = zip(*(rate.ratio(unit) for unit in UNITS), strict=True)
        return whole(combined((bottom, tops), (-top, bottoms)))
    slopes = []
    for unit in UNITS:
        (top_0, bottom_0), (top_1, bottom_1) = (
            rate.ratio(combined((1, center), (step, unit))) for step in (-Fraction(1, GRAIN), Fraction(1, GRAIN))
        )
        slopes.append((top_1 - top_0) * bottom - (bottom_1 - bottom_0) * top)
    tn, fp, fn, tp = slopes
    return whole(combined((1, (tn, fp, fn, tp)), (-at((tn, fp, fn, tp), center), ALL)))


def _center(space: Space, parts: Sequence[Part]) -> tuple[float, Ray]:
    """Return the center, or a ray with both classes, least beyond some units of what is printed, and by how many."""
    rays = [ray for part in parts for ray in part.cone.rays if at(NEGATIVE, ray) and at(POSITIVE, ray)]
    pairs = [(space.beyond([ray]), ray) for ray in (*(part.cone.center() for part in parts), *rays)]
    return min(pairs, key=lambda pair: pair[0], default=(inf, (1, 1, 1, 1)))

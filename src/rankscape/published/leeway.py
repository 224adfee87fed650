"""What one row of printed rates leaves open: every table of shares (tn, fp, fn, tp) that rounds to all of it.

A rate that is a ratio of linear forms gives two planes, so that rates of this kind leave a cone. The others (balanced
accuracy, κ, MCC and the like) have products of linear forms. Over small ranges of their factors these lie between
planes (McCormick's), so that the cone is halved until the planes are close: small cones that leave out nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, product
from math import floor, isqrt, lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np

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
)
from .rates import RATES_ALONE, Cells, Printed

Ranges: TypeAlias = "dict[Form, tuple[Fraction, Fraction]]"
"""Linear forms of shares, and between which numbers they are."""

Terms: TypeAlias = list[tuple[Any, Form, Form]]
"""A sum of products of two linear forms, each with a factor."""

CLOSE = 0.04
"""A cone is not halved where it is beyond what is printed by no more of a unit of the last digit."""

MOST_CONES = 96
"""So many cones hold the tables of a row; if they are not close then, ranges are wider than necessary."""

FEW_CONES = 24
"""So many cones are looked through for the nearest table."""

UNDEFINED = 1.0
"""By so many units a ray is beyond what is printed at which a rate has no value."""

NARROW, NARROWEST = Fraction(1, 1 << 12), Fraction(1, 1 << 30)
"""Ranges of shares that are not halved, relative to the share or to the rest, and absolutely."""

GRAIN = 1 << 40
"""Ends of ranges are rounded outwards to multiples of 1/GRAIN, which keeps integers small."""

HALVINGS = 6
"""How often the distance of the nearest table is halved."""

NEGATIVES = (1, 0, 1, 0)
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


@dataclass(frozen=True, eq=False)
class Leeway:
    """What a row of printed rates leaves: cones that hold all tables that round to it, and the nearest table.

    Where no rate depends on the share of positives, ``cones`` hold all tables with the ranges of TPR and TNR, and
    ``at_half`` only those with half of positives, but no others of these. Else both are the same. ``start`` holds the
    nearest table.
    """

    rates: tuple[Printed, ...]
    cones: tuple[Cone, ...]
    at_half: tuple[Cone, ...]
    start: Cone

    @cached_property
    def nearest(self) -> Ray:
        """The table whose rates differ least from the numbers as printed, in units of their last decimals."""
        return _nearest(self.rates, self.start)

    @property
    def tpr(self) -> Range:
        """The true positive rate."""
        return self.range(TP, POSITIVE)

    @property
    def tnr(self) -> Range:
        """The true negative rate."""
        return self.range(TN, NEGATIVE)

    @property
    def prior(self) -> Range:
        """The share of positives."""
        return self.range(POSITIVE, ALL)

    def range(self, top: Form, bottom: Form) -> Range:
        """Return the range of a ratio of linear forms."""
        ends = [cone.range(top, bottom) for cone in self.cones if any(at(bottom, ray) for ray in cone.rays)]
        return (
            Range(min(low for low, _ in ends), max(high for _, high in ends))
            if ends
            else Range(Fraction(0), Fraction(1))
        )

    @property
    def prints_prior(self) -> bool:
        """Whether the share of positives is printed."""
        return any(rate.key in ("prior", "negativeprior") for rate in self.rates)

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
        cones = cover(rates, start)
        return Leeway(tuple(rates), cones, cones, start) if cones else None
    half = combined((1, POSITIVE), (-1, NEGATIVE))
    middle = UNBOUNDED.clipped(half, combined((-1, half)))
    at_half = cover(rates, middle)
    if not at_half:
        return None
    box = UNBOUNDED
    for top, bottom in ((TN, NEGATIVE), (TP, POSITIVE)):
        ends = [cone.range(top, bottom) for cone in at_half]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        box = box.between(top, low, high, bottom)
    return Leeway(tuple(rates), (box,), at_half, middle)


def possible(rates: Sequence[Printed]) -> bool:
    """Tell whether rates do not contradict each other."""
    return bool(cover(rates, UNBOUNDED, one_is_enough=True))


def planes(rate: Printed, slack: Fraction = Fraction(1, 2)) -> Iterator[Form]:
    """Yield the linear forms that are not negative where a rate is within some units of what is printed."""
    top, bottom = zip(*(rate.ratio(unit) for unit in UNITS), strict=True)
    low, high = _ends(rate, slack)
    yield combined((1, top), (-low, bottom))
    yield combined((high, bottom), (-1, top))


def _ends(rate: Printed, slack: Fraction) -> tuple[Fraction, Fraction]:
    return max(rate.low, rate.value - slack * rate.unit), min(rate.high, rate.value + slack * rate.unit)


def cover(
    rates: Sequence[Printed],
    start: Cone,
    slack: Fraction = Fraction(1, 2),
    *,
    one_is_enough: bool = False,
    most: int = MOST_CONES,
) -> tuple[Cone, ...]:
    """Return cones that hold every table within some units of what is printed, or one of them; none if none does."""
    for rate in rates:
        if rate.linear:
            start = start.clipped(*planes(rate, slack))
    curved = [rate for rate in rates if not rate.linear]
    factors, number = _factors(curved), count()
    heap: list[tuple[float, int, Cone, Ranges]] = []

    def push(within: Ranges) -> None:
        cone = start
        for form, (low, high) in within.items():
            cone = cone.between(form, low, high)
        cone = _relaxed(_relaxed(cone, curved, slack), curved, slack)  # the second time from smaller ranges
        if cone.rays and all(rate.ratio(cone.center())[1] for rate in rates):  # else one has a value nowhere
            ends = {form: cone.outer_range(form, GRAIN) for form in factors}
            ranges = {form: (Fraction(low, GRAIN), Fraction(high, GRAIN)) for form, (low, high) in ends.items()}
            narrow = all(high - low <= max(NARROW * min(high, 1 - low), NARROWEST) for low, high in ranges.values())
            heappush(heap, (0.0 if narrow else -_beyond(cone, curved, slack), next(number), cone, ranges))

    push({})
    while heap and -heap[0][0] > CLOSE and len(heap) < most:
        if one_is_enough and any(-beyond <= CLOSE for beyond, *_ in heap):
            break
        ranges = heappop(heap)[3]
        form = max(ranges, key=lambda form: ranges[form][1] - ranges[form][0])
        low, high = ranges[form]
        push({**ranges, form: (low, (low + high) / 2)})
        push({**ranges, form: ((low + high) / 2, high)})
    return tuple(one[2] for one in heap)


def _factors(curved: Sequence[Printed]) -> list[Form]:
    """Return the shares whose ranges are halved: those whose products are not linear."""
    forms = [POSITIVE] if curved else []
    forms += [PREDICTED] if any(rate.key == "mcc" for rate in curved) else []
    return forms + ([TN, TP] if any(rate.key in ("gmean", "or") for rate in curved) else [])


def _beyond(cone: Cone, curved: Sequence[Printed], slack: Fraction) -> float:
    """Return by how many units the rays of a cone are beyond what is printed; where they have no value, many."""
    rays = np.array(cone.rays, dtype=np.float64)
    rays /= rays.sum(axis=1, keepdims=True)
    most = 0.0
    for rate in curved:
        low, high = _ends(rate, slack)
        values = rate.values(rays)
        beyond = np.maximum(float(low) - values, values - float(high)) / float(rate.unit)
        most = max(most, float(np.where(np.isnan(beyond), UNDEFINED, beyond).max()))
    return most


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
    for sign, end in zip((1, -1), _ends(rate, slack), strict=True):
        if not cone.rays:
            return
        if rate.key == "mcc":  # tp·n − positives·predicted is at least end times the root of a product of four
            over = sign * end < 0
            (u, size_u), (v, size_v) = (_root_of_spread(cone, form, over) for form in (POSITIVE, PREDICTED))
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


def _root_of_spread(cone: Cone, form: Form, over: bool) -> tuple[Form, int]:
    """Return a linear form below the root of x·(1 − x) in the range of a share x, its chord; or above, its tangent.

    It has integers, and comes with the number by which it is too large.
    """
    low, high = (Fraction(min(max(end, 0), GRAIN), GRAIN) for end in cone.outer_range(form, GRAIN))
    if over:  # the root of x·y is at most (x·r + y/r)/2, whatever r is
        middle = min(max((low + high) / 2, Fraction(1, GRAIN)), 1 - Fraction(1, GRAIN))
        ratio = root((1 - middle) / middle, 30) or Fraction(1)
        line = combined((ratio / 2, form), (1 / (2 * ratio), combined((1, ALL), (-1, form))))
        return _integers(line)
    ends = [Fraction(floor(root(x * (1 - x)) * GRAIN), GRAIN) for x in (low, high)]
    slope = (ends[1] - ends[0]) / (high - low) if high > low else Fraction(0)
    return _integers(combined((slope, form), (ends[0] - slope * low, ALL)))


def _integers(form: Form) -> tuple[Form, int]:
    common = lcm(*(Fraction(x).denominator for x in form))
    tn, fp, fn, tp = (int(x * common) for x in form)
    return (tn, fp, fn, tp), common


def root(square: Fraction, bits: int = 60) -> Fraction:
    """Return a square root, rounded down to so many bits behind the point."""
    return Fraction(isqrt((square.numerator << 2 * bits) // square.denominator), 1 << bits)


def _slope(rate: Printed, center: Cells) -> Form:
    """Return the linear form, 0 at a table, that says whether a rate rises there."""
    top, bottom = rate.ratio(center)
    if rate.linear:
        tops, bottoms = zip(*(rate.ratio(unit) for unit in UNITS), strict=True)
        return whole_form(combined((bottom, tops), (-top, bottoms)))
    slopes = []
    for unit in UNITS:
        (top_0, bottom_0), (top_1, bottom_1) = (
            rate.ratio(combined((1, center), (step, unit))) for step in (-Fraction(1, GRAIN), Fraction(1, GRAIN))
        )
        slopes.append((top_1 - top_0) * bottom - (bottom_1 - bottom_0) * top)
    tn, fp, fn, tp = slopes
    return whole_form(combined((1, (tn, fp, fn, tp)), (-at((tn, fp, fn, tp), center), ALL)))


def whole_form(form: Form) -> Form:
    """Return a linear form with integers."""
    return whole(form) if any(form) else (0, 0, 0, 0)


def _nearest(rates: Sequence[Printed], start: Cone) -> Ray:
    """Return the center of the tables that are nearest to what is printed, in units of the last decimals."""
    curved = [rate for rate in rates if not rate.linear]
    low, high, tried = Fraction(0), Fraction(1, 2), Fraction(0)
    best = cover(rates, start, one_is_enough=True, most=FEW_CONES)
    for _ in range(HALVINGS):
        cones = cover(rates, start, tried, one_is_enough=True, most=FEW_CONES)
        if cones:
            best, high = cones, tried
        else:
            low = tried
        if high == 0:
            break
        tried = (low + high) / 2
    return min(best, key=lambda cone: _beyond(cone, curved, high)).center()

"""The worst and the best that a score can be over cones of tables, each where it is reached.

A ratio of linear forms is extreme at extreme rays. A score that is one at each fixed share of positives, such as κ, or
any ranking score once the shares of positives are shifted, is extreme on an edge: there it is a ratio of polynomials of
degree two, whose slope is zero at two points at most. A score that only rises with true and falls with false outcomes
is bounded by corners, of parts of the cones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import floor
from typing import Any, TypeAlias

import numpy as np

from .._costs import Costs
from .._scores import Score
from ..errors import NoPlaceError, UsageError
from ..io.rates import FORMULAS
from ..performances import Performances
from .cones import ALL, FN, FP, NEGATIVE, POSITIVE, TN, TP, Cone, Form, Ray, at, combined, shares, whole
from .leeway import Leeway, root
from .rates import DEGREES, RATES_ALONE, has_ratio, ratio_of

RISING = frozenset(
    {"mcc", "gmean", "fmi", "acp", "p4", "rogotgoldberg", "kulczynski2", "yuleq", "yuley", "or", "plr", "nlr"}
)
"""Scores without a place on the Tile that get no worse with more true outcomes, nor with fewer false ones."""

NEAR = Fraction(1, 1 << 80)
"""So near to a ray that has no value its limit along an edge is taken."""

MOST_PARTS = 120
"""Into so many parts cones are split for the corners of a score that only rises."""

PARTS = 1 << 40
"""Cones are split at multiples of 1/PARTS, which keeps integers small."""

GAP = 0.01
"""A corner is near enough if it is beyond what is reached by no more of the whole range."""

HALF = Fraction(1, 2)

Ratio: TypeAlias = Callable[[Any], tuple[Any, Any]]
"""Numerator and denominator, of tables tn, fp, fn, tp."""


CURVES: dict[str, Ratio] = {
    "kappa": lambda cells: FORMULAS["kappa"](*cells),
    "determinant": lambda cells: (cells[0] * cells[3] - cells[1] * cells[2], sum(cells) ** 2),
    "gss": lambda cells: (
        cells[0] * cells[3] - cells[1] * cells[2],
        cells[0] * cells[3] - cells[1] * cells[2] + sum(cells) * (cells[1] + cells[2]),
    ),
    "lift": lambda cells: (cells[3] * sum(cells), (cells[1] + cells[3]) * (cells[2] + cells[3])),
}
"""Scores that depend on the share of positives, and are ratios of linear forms where it is fixed."""


@dataclass(frozen=True)
class Ends:
    """The worst and the best table for a score, None where it has a value nowhere; and where the end is no value of it.

    An open end is one at which the score has no value: near it, it may be anything up to the end of its range.
    """

    worst: Ray | None
    best: Ray | None
    open_worst: bool = False
    open_best: bool = False


def shifted(ray: Sequence[Any], prior: Fraction | None) -> Ray:
    """Return a table at another share of positives, proportional to it if that is None."""
    if prior is None:
        return whole(ray)
    negative, positive = at(NEGATIVE, ray), at(POSITIVE, ray)
    tn, fp, fn, tp = ray
    low, high = (1 - prior) * positive, prior * negative
    return whole([low * tn, low * fp, high * fn, high * tp])


def depends_on_prior(by: Score) -> bool:
    """Tell whether a score depends on the share of positives where TPR and TNR are known."""
    if by.orders_as is None:
        return by.key not in RATES_ALONE
    tn, fp, fn, tp = by.orders_as
    return not (tn == fp == 0 or fn == tp == 0)


def extremes(row: Leeway, by: Score, prior: Fraction | None) -> Ends:
    """Return the worst and the best that a score can be. Raises UsageError for a score of which that is not known."""
    cones = row.cones if prior is None and depends_on_prior(by) else row.at_half
    place = _place(by, prior)
    if prior is None and (place is None or by.orders_as is None) and by.key in RATES_ALONE:
        place, prior = _place(by, HALF), HALF  # which prior makes no difference
    if prior is None and by.known and by.key in CURVES:
        return _reached(_along_edges(cones, CURVES[by.key]), CURVES[by.key], by, None, False)
    if prior is None and has_ratio(by) and by.key not in DEGREES:
        return _reached(_rays(cones), ratio_of(by), by, None, by.direction == "smaller")
    if place is not None:
        order = _ranking_ratio(place, prior)
        return _reached(_rays(cones) if prior is None else _along_edges(cones, order), order, by, prior, False)
    if by.key in RISING:
        return _corners(cones, by, prior)
    raise UsageError(
        f"rankscape does not know that {by.name} rises with both rates, so it cannot bound it over their rounding",
        way_out=["choose a ranking score, such as f1 or accuracy", "give n, so that the counts can be listed"],
    )


def _place(by: Score, prior: Fraction | None) -> tuple[Fraction, Fraction] | None:
    """Return the place of a score on the Tile at a prior, or on all performances; None where it has none."""
    try:
        return by.exact_place(prior if prior is None or 0 < prior < 1 else HALF)
    except NoPlaceError:
        return None


def _ranking_ratio(place: tuple[Fraction, Fraction], prior: Fraction | None) -> Ratio:
    """Return the ranking score of a place as a ratio, of tables that are shifted to a prior."""
    a, b = place

    def ratio(cells: Any) -> tuple[Any, Any]:
        tn, fp, fn, tp = cells
        negative, positive = (1, 1) if prior is None else ((1 - prior) * (fn + tp), prior * (tn + fp))
        top = (1 - a) * negative * tn + a * positive * tp
        return top, top + (1 - b) * negative * fp + b * positive * fn

    return ratio


def _rays(cones: Sequence[Cone]) -> Iterator[Sequence[Any]]:
    for cone in cones:
        yield from cone.rays


def _along_edges(cones: Sequence[Cone], ratio: Ratio) -> Iterator[Sequence[Any]]:
    """Yield the points at which a ratio of polynomials of degree two may be extreme: near ends of edges, and inside."""
    for cone in cones:
        yield from cone.rays
        for one, two in cone.edges():
            start, end = shares(one), shares(two)
            slope = combined((1, end), (-1, start))

            def point(t: Fraction, start: Form = start, slope: Form = slope) -> Form:
                return combined((1, start), (t, slope))

            tops, bottoms = zip(*(ratio(point(t)) for t in (Fraction(0), HALF, Fraction(1))), strict=True)
            top, bottom = _polynomial(tops), _polynomial(bottoms)
            yield from (point(t) for t in (NEAR, 1 - NEAR, *_flat(top, bottom)))


def _polynomial(values: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Return the coefficients of the polynomial of degree two with three values, at 0, 1/2 and 1."""
    low, middle, high = values
    return low, 4 * middle - 3 * low - high, 2 * low + 2 * high - 4 * middle


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


def _reached(points: Iterator[Sequence[Any]], ratio: Ratio, by: Score, prior: Fraction | None, smaller: bool) -> Ends:
    """Return the ends of a ratio that orders as a score over some points."""
    values = {}
    for ray in points:
        moved = shifted(ray, prior)
        top, bottom = ratio(ray)
        if any(moved) and (bottom > 0 or top > 0) and moved not in values:  # x/0 is beyond all
            values[moved] = (1, Fraction(0)) if bottom == 0 else (0, Fraction(top) / bottom)
    if not values:
        return Ends(None, None)
    low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    worst, best = (high, low) if smaller else (low, high)
    undefined = np.isnan(by(_performances([worst, best])))
    return Ends(worst, best, bool(undefined[0]), bool(undefined[1]))


def _performances(rows: Sequence[Ray]) -> Performances:
    return Performances.from_exact(np.array([list(row) for row in rows], dtype=object))


# ---- scores that only rise


def _corners(cones: Sequence[Cone], by: Score, prior: Fraction | None) -> Ends:
    """Return corners beyond which a score cannot be that gets no worse with more true and fewer false outcomes."""
    whole_range = [
        float(by(_performances([_corner(cone, prior, better)]))[0]) for cone in cones for better in (False, True)
    ]
    width = float(np.ptp(np.nan_to_num(whole_range))) * GAP
    worst, best = (_farthest(cones, by, prior, better, width) for better in (False, True))
    undefined = np.isnan(by(_performances([worst, best])))
    return Ends(worst, best, bool(undefined[0]), bool(undefined[1]))


def _farthest(cones: Sequence[Cone], by: Score, prior: Fraction | None, better: bool, gap: float) -> Ray:
    """Return the farthest corner of all cones, of which the one with the farthest is split until it is reached."""
    sign = (1 if better else -1) * (-1 if by.direction == "smaller" else 1)
    heap: list[tuple[float, int, Ray, Cone]] = []
    number = count()

    def push(cone: Cone) -> None:
        if cone.rays:
            corner = _corner(cone, prior, better)
            value = sign * float(by(_performances([corner]))[0])
            heappush(heap, (-value if value == value else -np.inf, next(number), corner, cone))

    for cone in cones:
        push(cone)
    for _ in range(MOST_PARTS):
        value, _, corner, cone = heappop(heap)
        points = (
            cone.rays
            if prior is None
            else [whole([x + y for x, y in zip(*edge, strict=True)]) for edge in cone.edges()]
        )
        inside = [moved for point in points if any(moved := shifted(point, prior))]
        values = sign * by(_performances(inside)) if inside else np.empty(0)
        widths = [
            (high - low, low, top, bottom) for top, bottom in _sides(prior) for low, high in [cone.range(top, bottom)]
        ]
        width, low, top, bottom = max(widths, key=lambda one: one[0])
        if -value - np.nanmax(values, initial=-np.inf) <= gap or width * 4096 < 1:
            return corner
        middle = Fraction(floor((low + width / 2) * PARTS), PARTS)
        push(cone.between(top, low, middle, bottom))
        push(cone.between(top, middle, low + width, bottom))
    return heappop(heap)[2]


def _sides(prior: Fraction | None) -> list[tuple[Any, Any]]:
    """Return the shares whose ends make a corner: of all outcomes, or the rates where the prior is given."""
    return [(TN, ALL), (FP, ALL), (FN, ALL), (TP, ALL)] if prior is None else [(TN, NEGATIVE), (TP, POSITIVE)]


def _corner(cone: Cone, prior: Fraction | None, better: bool) -> Ray:
    ends = [cone.range(top, bottom) for top, bottom in _sides(prior)]
    if prior is not None:
        tnr, tpr = (high if better else low for low, high in ends)
        return whole([(1 - prior) * tnr, (1 - prior) * (1 - tnr), prior * (1 - tpr), prior * tpr])
    (tn, fp, fn, tp) = ends
    return whole([tn[better], fp[not better], fn[not better], tp[better]])


def cost_ends(row: Leeway, costs: Costs, prior: Fraction | None) -> tuple[float, float]:
    """Return the smallest and the largest expected cost per case: at extreme rays, or, at another prior, on edges."""
    tn, fp, fn, tp = costs.by_outcome
    cones = row.cones if prior is None else row.at_half

    def ratio(cells: Any) -> tuple[Any, Any]:
        low, high = cells[0] + cells[1], cells[2] + cells[3]
        if prior is None:
            return tn * cells[0] + fp * cells[1] + fn * cells[2] + tp * cells[3], low + high
        negative = (1 - prior) * high * (tn * cells[0] + fp * cells[1])
        return negative + prior * low * (fn * cells[2] + tp * cells[3]), low * high

    ends = ends_of_ratio(cones, ratio, linear=prior is None)
    return (float("nan"),) * 2 if ends is None else (float(ends[0]), float(ends[1]))


def ends_of_ratio(cones: Sequence[Cone], ratio: Ratio, linear: bool) -> tuple[Fraction, Fraction] | None:
    """Return the ends of a ratio that is extreme at rays, or else on edges; None where it has no value."""
    pairs = (ratio(point) for point in (_rays(cones) if linear else _along_edges(cones, ratio)))
    values = [Fraction(top) / bottom for top, bottom in pairs if bottom > 0]
    return (min(values), max(values)) if values else None

"""The worst and the best that a score can be over cones of tables, each where it is reached.

A ratio of linear forms is extreme at extreme rays. A score of two such ratios, as κ at each share of positives, FMI of
PPV and TPR, or any ranking score of TPR and TNR once the shares of positives are shifted, is extreme on an edge: a face
of a cone has each pair of values once, but for faces that are seen edgewise. Most are ratios of polynomials of degree
two there, whose slope is zero at two points at most. Others only rise with true and fall with false outcomes, and are
bounded by corners: of parts of edges or, where they depend on three ratios, of faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, TypeAlias

import numpy as np

from .._costs import Costs
from .._scores import Score
from .._scores.levels import levels
from ..errors import NoPlaceError, UsageError
from ..performances import Performances
from ..typing import Flags, Floats
from .cones import NEGATIVE, POSITIVE, Cone, Ray, at, combined, shares, whole
from .leeway import Farthest, Leeway, Part, farthest, leeway, root
from .rates import DEGREES, FORMULAS, RATES_ALONE, has_ratio, ratio_of

RISING = frozenset(
    {"mcc", "gmean", "fmi", "acp", "p4", "rogotgoldberg", "kulczynski2", "yuleq", "yuley", "or", "plr", "nlr"}
)
"""Scores without a place on the Tile that get no worse with more true outcomes, nor with fewer false ones."""

NEAR = Fraction(1, 1 << 80)
"""So near to a ray that has no value its limit along an edge is taken."""

GAP = 0.004
"""A corner is near enough if it is beyond what is reached by no more of the whole range."""

NEXT = 2.0**-30
"""How far, of the way to the middle of a piece, a point is from a corner at which a ratio has no value."""

ROUNDS, MOST_PIECES = 40, 20_000
"""How often pieces of edges or faces are halved for their corners, and how many there may be."""

HALF = Fraction(1, 2)

Ratio: TypeAlias = Callable[[Any], tuple[Any, Any]]
"""Numerator and denominator, of tables tn, fp, fn, tp."""

Points: TypeAlias = Callable[[Cone, Ratio], Iterator[Sequence[Any]]]
"""Gives the points of a cone at which a ratio may be extreme."""

Value: TypeAlias = "Callable[[Floats, Floats], tuple[Floats, Floats]]"
"""Gives values and tables of TNR, TPR, NPV and PPV, and of what they lack to 1."""


def _formula(key: str) -> Ratio:
    return lambda cells: FORMULAS[key](*cells)


CURVES: dict[str, Ratio] = {
    "determinant": lambda cells: (cells[0] * cells[3] - cells[1] * cells[2], sum(cells) ** 2),
    "gss": lambda cells: (
        cells[0] * cells[3] - cells[1] * cells[2],
        cells[0] * cells[3] - cells[1] * cells[2] + sum(cells) * (cells[1] + cells[2]),
    ),
    "lift": lambda cells: (cells[3] * sum(cells), (cells[1] + cells[3]) * (cells[2] + cells[3])),
    "fmi": lambda cells: (cells[3] ** 2, (cells[1] + cells[3]) * (cells[2] + cells[3])),
    "kulczynski2": lambda cells: (
        cells[3] * (cells[1] + cells[2] + 2 * cells[3]),
        2 * (cells[1] + cells[3]) * (cells[2] + cells[3]),
    ),
    "p4": lambda cells: (
        4 * cells[0] * cells[3],
        4 * cells[0] * cells[3] + (cells[0] + cells[3]) * (cells[1] + cells[2]),
    ),
    "rogotgoldberg": lambda cells: (
        cells[3] * (2 * cells[0] + cells[1] + cells[2]) + cells[0] * (2 * cells[3] + cells[1] + cells[2]),
        (2 * cells[0] + cells[1] + cells[2]) * (2 * cells[3] + cells[1] + cells[2]),
    ),
    **{key: _formula(key) for key in ("kappa", "gmean", "plr", "nlr")},
    **dict.fromkeys(("or", "yuleq", "yuley"), _formula("or")),
}
"""Scores that are extreme on edges, or what orders as they do, as ratios of degree two."""


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
    """Return the worst and the best that a score can be. Raises UsageError for a score of which that is not known.

    Of a score of TPR and TNR the rates of these alone are asked, too: parts at all shares of positives are not halved
    enough for them.
    """
    ends = _extremes_of(row, by, prior)
    alone = [rate for rate in row.rates if rate.key in RATES_ALONE]
    if (prior is None and depends_on_prior(by)) or all(rate.linear for rate in row.rates):
        return ends
    other = leeway(alone) if 0 < len(alone) < len(row.rates) else None
    if other is None:
        return ends
    one, two = ends, _extremes_of(other, by, prior)
    if one.worst is None or one.best is None or two.worst is None or two.best is None:
        return one
    # the better of the worst tables, and the worse of the best
    worst, worst_2, best, best_2 = levels(_performances([one.worst, two.worst, one.best, two.best]), by)[0].tolist()
    higher = one.open_worst or (worst_2 > worst and not two.open_worst)
    lower = one.open_best or (best_2 < best and not two.open_best)
    return Ends(
        two.worst if higher else one.worst, two.best if lower else one.best,
        two.open_worst if higher else one.open_worst, two.open_best if lower else one.open_best,
    )  # fmt: skip


def _extremes_of(row: Leeway, by: Score, prior: Fraction | None) -> Ends:
    parts = row.parts if prior is None and depends_on_prior(by) else row.at_half
    alone = by.key in RATES_ALONE
    if alone and by.key in CURVES and prior not in (0, 1):
        prior = None  # which prior makes no difference
    place = _place(by, prior)
    if prior is None and alone and by.key not in CURVES and (place is None or by.orders_as is None):
        place, prior = _place(by, HALF), HALF
    if prior is None and by.known and by.key in CURVES:
        return _reached(row, parts, CURVES[by.key], _along_edges, by, None)
    if prior is None and has_ratio(by) and by.key not in DEGREES:
        return _reached(row, parts, ratio_of(by), _rays, by, None)
    if place is not None:
        order = _ranking_ratio(place, prior)
        return _reached(row, parts, order, _rays if prior is None else _along_edges, by, prior, smaller=False)
    if by.key in RISING:
        return _corners(row, parts, by, prior)
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


def _rays(cone: Cone, ratio: Ratio) -> Iterator[Sequence[Any]]:
    yield from cone.rays


def _along_edges(cone: Cone, ratio: Ratio) -> Iterator[Sequence[Any]]:
    """Yield the points at which a ratio of polynomials of degree two may be extreme: near ends of edges, and inside."""
    yield from cone.rays
    for one, two in cone.edges():
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


def _reached(
    row: Leeway, parts: Sequence[Part], ratio: Ratio, points: Points, by: Score, prior: Fraction | None,
    smaller: bool | None = None,
) -> Ends:  # fmt: skip
    """Return the ends of a ratio that orders as a score over the points at which it may be extreme."""
    low, high = _ends(row, parts, ratio, points, prior)
    if low is None or high is None:
        return Ends(None, None)
    reverse = by.direction == "smaller" if smaller is None else smaller
    return _checked(*((high, low) if reverse else (low, high)), by)


def _ends(
    row: Leeway, parts: Sequence[Part], ratio: Ratio, points: Points, prior: Fraction | None
) -> tuple[Ray | None, Ray | None]:
    """Return the tables with the least and the most of a ratio."""

    @cache
    def values(cone: Cone) -> list[tuple[Any, Sequence[Any], Ray]]:
        some = []
        for point in points(cone, ratio):
            top, bottom = ratio(point)
            if bottom > 0 or (bottom == 0 and top > 0):  # x/0 is beyond all
                moved = shifted(point, prior)
                some += [(Fraction(top) / bottom if bottom else inf, point, moved)] if any(moved) else []
        return some

    def reach(sign: int) -> Farthest:
        def far(cone: Cone) -> tuple[Any, Sequence[Any], Ray] | None:
            value, point, moved = min(values(cone), key=lambda one: -sign * one[0], default=(None, (), None))
            return None if value is None or moved is None else (-sign * value, point, moved)

        return far

    low, high = (farthest(row.rates, parts, reach(sign)) for sign in (-1, 1))
    return low, high


def _checked(worst: Ray, best: Ray, by: Score) -> Ends:
    return Ends(worst, best, *np.isnan(by(_performances([worst, best]))).tolist())


def _performances(rows: Sequence[Ray]) -> Performances:
    return Performances.from_exact(np.array([list(row) for row in rows], dtype=object))


# ---- scores that only rise

OF_FOUR: dict[str, Callable[[Floats, Floats], Floats]] = {
    "mcc": lambda right, wrong: np.sqrt(right.prod(axis=-1)) - np.sqrt(wrong.prod(axis=-1)),
    "acp": lambda right, wrong: right.mean(axis=-1),
}
"""Scores of TNR, TPR, NPV and PPV, and of what they lack to 1, which depend on three ratios of counts."""


def _corners(row: Leeway, parts: Sequence[Part], by: Score, prior: Fraction | None) -> Ends:
    """Return corners beyond which a score cannot be that gets no worse with more true and fewer false outcomes."""
    value = _value_of(by, None if prior is None else float(prior))

    def reach(better: bool) -> Farthest:
        def far(cone: Cone) -> tuple[Any, Sequence[Any], Ray] | None:
            return _farthest_corner(_pieces(cone, faces=prior is None), value, better, by.direction == "smaller")

        return far

    worst, best = (farthest(row.rates, parts, reach(better)) for better in (False, True))
    return Ends(None, None) if worst is None or best is None else _checked(worst, best, by)


def _pieces(cone: Cone, faces: bool) -> Floats:
    """Return the edges of a cone, (m, 2, 4), or its faces as triangles, (m, 3, 4), in shares."""
    rays = [[float(x) for x in shares(ray)] for ray in cone.rays]
    edges = [[i, j] for i, j in cone.joined()] or [[i, i] for i in range(len(rays))]
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
    """Return the function that gives the values of corners of TNR, TPR, NPV and PPV, and tables with the same.

    At a prior these are corners of TNR and TPR.
    """

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
    """Return the halves of edges, or the parts of triangles.

    These are four, or six where the ratios at one corner depend on the direction from which it is approached, so that
    directions are halved, too.
    """
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

    def ratio(cells: Any) -> tuple[Any, Any]:
        low, high = cells[0] + cells[1], cells[2] + cells[3]
        if prior is None:
            return tn * cells[0] + fp * cells[1] + fn * cells[2] + tp * cells[3], low + high
        negative = (1 - prior) * high * (tn * cells[0] + fp * cells[1])
        return negative + prior * low * (fn * cells[2] + tp * cells[3]), low * high

    parts, points = (row.parts, _rays) if prior is None else (row.at_half, _along_edges)
    ends = _ends(row, parts, ratio, points, None)
    values = [Fraction(top) / bottom for table in ends if table is not None for top, bottom in [ratio(table)]]
    return (float(values[0]), float(values[1])) if values else (float("nan"),) * 2

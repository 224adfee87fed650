"""At which shares of positives another entity is first: an entity that is ever first is so on one interval."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt, nextafter

import numpy as np

from .._scores import Score, as_score
from ..errors import NoPlaceError, Option, UsageError
from ..geometry.hull import Point, rising, vertices
from ..kernels.exact import integers_of_fractions
from ..performances import Performances
from ..results import Result, Table
from ..typing import PerformancesLike, ScoreLike
from .records import named, rows_at
from .shapes import prepared

Place = tuple[Fraction, Fraction]
Form = tuple[int, int, int]
HALF = Fraction(1, 2)
TRIED = (HALF, Fraction(1, 3), Fraction(5, 7))
"""Priors at which the place of a score is compared: a place that is the same at all of them is fixed."""

FEWER, MORE = "fewer positives", "more positives"

EXTRA_BITS = 128
"""Bits of a square root beyond its integer part: far more than a double holds."""


@dataclass(frozen=True)
class PriorInterval:
    """An interval of priors inside which the same entities are first.

    Attributes
    ----------
    low, high
        The ends, shares of positives in [0, 1].
    names
        Exactly those that are first inside.

    See Also
    --------
    rankscape.regions.prior_flips

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.regions.PriorInterval(0.25, 1.0, ("a",)).high
    1.0
    """

    low: float
    high: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class PriorFlip:
    """A prior at which the winner changes.

    Attributes
    ----------
    prior
        The share of positives.
    names
        All that tie for first there: both sides, and those first nowhere else.

    See Also
    --------
    rankscape.regions.prior_flips

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.regions.PriorFlip(0.25, ("a", "b")).names
    ('a', 'b')
    """

    prior: float
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class PriorFlips(Result):
    """Which entities are first at which share of positives, all entities shifted to it together.

    All three of ``prior``, ``first`` and ``stays`` are None where the priors of the entities differ: there is no single
    present prior, but the intervals hold for any common one.

    Attributes
    ----------
    score
        The score.
    prior
        The present share of positives.
    first
        The names that are first there.
    stays
        The closed interval around it on which all of them stay first (0 and 1 as limits).
    intervals
        They cover (0, 1) from the lowest prior to the highest.
    flips
        The priors between them, one fewer. Each is a rational or quadratic irrational number, decided on integers and
        rounded once, to the nearest float.

    See Also
    --------
    rankscape.regions.prior_flips

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> changes = rs.regions.prior_flips(P, by="accuracy")
    >>> changes.prior, sorted(changes.first), [round(end, 6) for end in changes.stays]
    (0.5, ['b'], [0.333333, 1.0])
    """

    score: Score
    prior: float | None
    first: frozenset[str] | None
    stays: tuple[float, float] | None
    intervals: tuple[PriorInterval, ...]
    flips: tuple[PriorFlip, ...]

    def beyond(self) -> tuple[tuple[str, float, tuple[str, ...]], ...]:
        """Return who comes first beyond each end of ``stays`` inside (0, 1).

        Returns
        -------
        tuple
            For each end, "fewer positives" or "more positives", the end, and who comes first next.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
        >>> rs.regions.prior_flips(P, by="accuracy").beyond()
        (('fewer positives', 0.3333333333333333, ('a',)),)
        """
        if self.first is None:
            return ()
        parts = [self.first >= set(one.names) for one in self.intervals]  # a tie has two, else it is one of them
        before, after = parts.index(True) - 1, len(parts) - parts[::-1].index(True)
        if sum(parts) > 1:  # on a border both sides are beyond it
            before, after = before + 1, after - 1
        ends = []
        if before >= 0:
            ends.append((FEWER, self.intervals[before].high, self.intervals[before].names))
        if after < len(parts):
            ends.append((MORE, self.intervals[after].low, self.intervals[after].names))
        return tuple(ends)

    @property
    def heading(self) -> str:
        """By which score, and the present prior."""
        here = "priors differ" if self.prior is None else f"here {self.prior:.4g}"
        return f"First by {self.score.name}, by the share of positives ({here})"

    def table(self) -> Table:
        """Return one row per interval: prior_low, prior_high, first (names), here (whether the present prior is in).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        here = [self.first is not None and self.first >= set(one.names) for one in self.intervals]
        return Table(
            {
                "prior_low": [one.low for one in self.intervals],
                "prior_high": [one.high for one in self.intervals],
                "first": [" = ".join(one.names) for one in self.intervals],
                "here": here,
            }
        )


def prior_flips(performances: PerformancesLike, by: ScoreLike = "f1") -> PriorFlips:
    """Return which entities are first at which share of positives: ``rank(P.shift_priors(π), by)`` for all π in (0, 1).

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        The score or preference, which keeps its importances at every prior: an F-score, accuracy, costs or any
        importance. Scores that only depend on TPR and TNR, such as balanced accuracy, have one interval.

    Returns
    -------
    PriorFlips
        The intervals of priors, and who comes first in each.

    Raises
    ------
    NoPlaceError
        For a score without a place on the Tile, or (Cohen's κ) with one that moves with the prior in another way.
    DataError
        For an entity without cases of one class, which cannot be shifted.
    UsageError
        Where the score is undefined for every entity.

    See Also
    --------
    rankscape.Performances.shift_priors : to one prior
    rankscape.regions.flips : how far the preference may move

    Notes
    -----
    Domains are averaged first, then shifted. As positives become more common, the first place moves from conservative
    to liberal entities along the ROC hull, and none that has lost it gets it back: with FPR₁ < FPR₂ and TPR₁ < TPR₂,
    the difference of two ranking scores has the sign of c₀ + c₁·o + c₂·o² in the odds o = π/(1−π), c₀ = (1−a)(1−b)(FPR₂
    − FPR₁) ≥ 0 ≥ c₂ = a·b·(TPR₁ − TPR₂), and changes it once at most.

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.regions.prior_flips(P, by="accuracy").table()["prior_low"]
    [0.0, 0.3333333333333333]
    """
    performances = prepared(performances, "a share of positives")
    score = as_score(by)
    place, follows = _place(score)
    even = performances.shift_priors(HALF)  # raises where a class has no cases
    kept = np.flatnonzero(~np.isnan(score(even)))
    if not len(kept):
        raise UsageError(f"no model is first: {score.name} is undefined for all of them")
    even, names = even[kept], tuple(performances.names[k] for k in kept.tolist())
    always = _always_first(even, place, follows)
    if always == []:
        raise UsageError(f"no model is first: {score.name} is undefined for all of them")
    points = rising(performances[kept]) if always is None else {}
    steps = _steps(points, place) if always is None else [(None, always)]
    rows = [rows for _, rows in steps]
    forms = [form for form, _ in steps if form is not None]
    ties = [sorted(tied) for tied in _ties(points, forms, rows)]
    ends = [0.0, *map(_root, forms), 1.0]
    intervals = tuple(
        PriorInterval(low, high, named(names, best)) for (low, high), best in zip(pairwise(ends), rows, strict=True)
    )
    flips = tuple(PriorFlip(end, named(names, tied)) for end, tied in zip(ends[1:-1], ties, strict=True))
    prior = _present(performances)
    if prior is None:
        return PriorFlips(score, None, None, None, intervals, flips)
    return PriorFlips(score, float(prior), *_around(prior, forms, intervals, flips), intervals, flips)


def _place(score: Score) -> tuple[Place, bool]:
    """Return the place of a score at the prior ½, and whether its importances are those at every prior.

    Else they move with the prior so that the order does not change.
    """
    if score.orders_as is not None:
        return score.exact_place(), True
    if score.needs_rate and not score.needs_prior:
        raise NoPlaceError(
            f"{score.name} orders as a ranking score only at a fixed prediction rate, which another prior changes"
        )
    places = [score.exact_place(prior) for prior in TRIED]
    if len(set(places)) == 1:
        return places[0], True
    odds = [prior / (1 - prior) for prior in TRIED]
    shares = {tuple(x * o / (x * o + 1 - x) for x in place) for place, o in zip(places, odds, strict=True)}
    if len(shares) == 1:
        return places[0], False
    raise NoPlaceError(
        f"{score.name} weighs outcomes differently at every prior, so intervals of the prior are not worked out",
        way_out=Option("shift_prior", python="rank by it after P.shift_priors(prior), at the priors that matter"),
    )


def _always_first(even: Performances, place: Place, follows: bool) -> list[int] | None:
    """Return who is first at every prior, where that follows from who is at one prior; else None."""
    a, b = place
    integers = even.integers
    if not follows or (a in (0, 1) and b in (0, 1)):
        return rows_at(integers, a, b)
    tn, fp, fn, tp = integers.T
    faultless = ((fp == 0) | (b == 1)) & ((fn == 0) | (b == 0))
    never = ((tn == 0) | (a == 1)) & ((tp == 0) | (a == 0))
    return rows_at(integers, a, b) if (faultless & ~never).any() or never.all() else None


def _steps(points: dict[Point, list[int]], place: Place) -> list[tuple[Form | None, list[int]]]:
    """Return who is first from the lowest prior to the highest, and the form of the change before each, None at first.

    At any prior the ranking score rises, then falls along the hull: who is better than both neighbors is first.
    """
    places = list(points)
    chain = [places[k] for k in vertices(places)]
    steps: list[tuple[Form | None, list[int]]] = [(None, points[chain[0]])]
    for one, other in pairwise(chain):
        form = _form(one, other, place)
        if not _changes(form):
            if _sign(form, HALF) < 0:  # the more liberal one is better at every prior: who came before is never first
                steps = [(None, points[other])]
                continue
            break  # and here none that follows is
        steps.append((form, points[other]))
    return steps


def _form(one: Point, other: Point, place: Place) -> Form:
    """Return integers c with the sign of c₀ + c₁·o + c₂·o² that of the lead of the first, at odds o of the prior."""
    (x, y), (v, w), (a, b) = one, other, place
    c = (
        (1 - a) * (1 - b) * (v - x),
        (1 - a) * b * ((1 - x) * (1 - w) - (1 - v) * (1 - y)) + a * (1 - b) * (y * v - w * x),
        a * b * (y - w),
    )
    c0, c1, c2 = integers_of_fractions(np.array(c, dtype=object)).tolist()
    return c0, c1, c2


def _changes(form: Form) -> bool:
    """Tell whether the sign changes at some odds in (0, ∞): from + to −, for c₀ ≥ 0 ≥ c₂."""
    c0, c1, c2 = form
    return (c0 > 0 or c1 > 0) and (c2 < 0 or c1 < 0)


def _sign(form: Form, prior: Fraction) -> int:
    """Return the sign at a prior in [0, 1]."""
    p, q = prior.numerator, prior.denominator - prior.numerator
    value = form[0] * q * q + form[1] * p * q + form[2] * p * p
    return (value > 0) - (value < 0)


def _root(form: Form) -> float:
    """Return the prior at which the sign changes, rounded to the nearest float.

    >>> _root((1, 0, -1)), _root((1, -2, 0))
    (0.5, 0.3333333333333333)
    """
    c0, c1, c2 = form
    square = c1 * c1 - 4 * c0 * c2
    bits = 2 * EXTRA_BITS
    side = isqrt(square << bits)
    c0, c1, c2 = (c << EXTRA_BITS for c in form)
    top, rest = (c1 + side, -2 * c2) if c1 > 0 else (2 * c0, side - c1)  # without cancellation
    root = top / (top + rest)
    for _ in range(2):  # the square root is cut off: where that matters the sign decides
        below, above = nextafter(root, 0.0), nextafter(root, 1.0)
        if _sign(form, (Fraction(root) + Fraction(above)) / 2) > 0:
            root = above
        elif _sign(form, (Fraction(root) + Fraction(below)) / 2) < 0:
            root = below
    return root


def _ties(points: dict[Point, list[int]], forms: list[Form], rows: list[list[int]]) -> list[list[int]]:
    """Return who is first at each prior between two steps: both sides, and who lies on the line between them."""
    if not forms:
        return []
    places = list(points)
    index = {row: k for k, place in enumerate(places) for row in points[place]}
    ties = []
    for before, after in pairwise(rows):
        start, end = index[before[0]], index[after[0]]
        (x, y), (v, w) = places[start], places[end]
        between = [place for place in places[start + 1 : end] if (place[0] - x) * (w - y) == (place[1] - y) * (v - x)]
        ties.append([*before, *(row for place in between for row in points[place]), *after])
    return ties


def _present(performances: Performances) -> Fraction | None:
    """Return the prior of all entities, exactly where it is exactly the same; None where priors differ."""
    positive, total = performances.integers[:, 2:].sum(axis=1), performances.integers.sum(axis=1)
    if (positive * total[0] == positive[0] * total).all():
        return Fraction(int(positive[0]), int(total[0]))
    common = performances.common_prior()
    return None if common is None else Fraction(common)


def _around(
    prior: Fraction, forms: list[Form], intervals: tuple[PriorInterval, ...], flips: tuple[PriorFlip, ...]
) -> tuple[frozenset[str], tuple[float, float]]:
    """Return who is first at a prior, and the closed interval on which they stay first."""
    signs = [_sign(form, prior) for form in forms]
    passed = sum(sign < 0 for sign in signs)
    if 0 in signs:
        flip = flips[signs.index(0)]
        return frozenset(flip.names), (flip.prior, flip.prior)
    here = intervals[passed]
    return frozenset(here.names), (here.low, here.high)

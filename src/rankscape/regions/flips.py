"""What would change the answer: how far a preference, or the prior, may move before another entity is first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf, lcm, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..errors import NoPlaceError, Option, UsageError
from ..geometry.curves import odds
from ..geometry.hull import Point, rising, vertices
from ..kernels.grid import rows_at
from ..lines import FEW, Line, Quadratic, fall, lead, share, sign_at, turn
from ..outcomes import RIGHT_SIDE, lacks_tn
from ..performances import Performances, as_performances
from ..results import Result, Table
from ..typing import PerformancesLike, ScoreLike
from .records import named
from .shapes import exact_prior, prepared

Place = tuple[Fraction, Fraction]
SMALLEST, SMALLEST_WEIGHT = 1e-100, 1e-25
"""Products of masses, and of weights, above these lose nothing to underflow; else nothing is left to floats."""

LARGEST_FACTOR = Fraction(10**9)


@dataclass(frozen=True)
class Flip:
    """The nearest change in one direction: at (``a``, ``b``) others tie for first, and beyond it they win.

    On a side of the Tile some of ``names`` may have no value at the place itself.

    Attributes
    ----------
    direction
        "fewer false alarms per miss" (b down), "more false alarms per miss" (b up), "fewer correct rejections per
        detection" (a down) or "more correct rejections per detection" (a up).
    place
        (a, b) as fractions, exact.
    names
        The others.

    See Also
    --------
    rankscape.regions.flips
    """

    direction: str
    place: Place
    names: tuple[str, ...]

    @property
    def a(self) -> float:
        """The place on the horizontal axis of the Tile."""
        return float(self.place[0])

    @property
    def b(self) -> float:
        """The place on the vertical axis of the Tile."""
        return float(self.place[1])

    @property
    def miss(self) -> float:
        """How many false alarms a miss is worth there: b/(1−b)."""
        return odds(self.place[1])

    @property
    def detection(self) -> float:
        """How many correct rejections a detection is worth there: a/(1−a)."""
        return odds(self.place[0])


@dataclass(frozen=True, eq=False, repr=False)
class Flips(Result):
    """How far a preference may move before another entity comes first.

    Attributes
    ----------
    score
        The score, or the ranking score of the preference.
    a, b
        The place of the preference.
    first
        The names of all that are first there.
    flips
        The nearest change in each of the four directions, as far as there is one.
    along_a, along_b
        The closed intervals in which all of ``first`` stay first, the other coordinate fixed.
    factor
        How much both exchange rates, a/(1−a) and b/(1−b), may be off at once, in either direction: ∞ only if none
        changes the answer, and at most 1e9 otherwise. NaN where models may choose among thresholds.

    See Also
    --------
    rankscape.regions.flips

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> changes = rs.regions.flips(P, by="f1")
    >>> sorted(changes.first), [round(x, 6) for x in changes.along_b], round(changes.beta[0], 6)
    (['b'], [0.166667, 1.0], 0.447214)
    """

    score: Score
    a: float
    b: float
    first: frozenset[str]
    flips: tuple[Flip, ...]
    along_a: tuple[float, float]
    along_b: tuple[float, float]
    factor: float

    @property
    def side(self) -> bool:
        """Whether true negatives are not known, so that only the right side of the Tile is meant."""
        return lacks_tn(self.score.space)

    @property
    def beta(self) -> tuple[float, float] | None:
        """The interval of β in which the winner by an F-score stays first; None for other preferences (a ≠ 1)."""
        if self.a != 1:
            return None
        low, high = self.worth("miss")
        return sqrt(low), sqrt(high)

    def worth(self, one: str) -> tuple[float, float]:
        """Return from how many of the others to how many a "miss" or a "detection" is worth while the first stay first.

        Parameters
        ----------
        one
            What the others are exchanged for: "miss" (for false alarms) or "detection" (for correct rejections).

        Returns
        -------
        tuple
            The least and the largest number, 0 and ∞ where nobody else comes first.
        """
        ends = {flip.direction.split()[0]: getattr(flip, one) for flip in self.flips if flip.direction.endswith(one)}
        return ends.get("fewer", 0.0), ends.get("more", inf)

    def table(self) -> Table:
        """Return one row per direction: direction, a, b, detection and miss (exchange rates there), first (names).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        columns: dict[str, list[Any]] = {
            name: [getattr(flip, name) for flip in self.flips] for name in ("direction", "a", "b", "detection", "miss")
        }
        return Table(columns | {"first": [" = ".join(flip.names) for flip in self.flips]})

    @property
    def heading(self) -> str:
        """The winners at the place, and how many changes are nearest."""
        winners = " = ".join(sorted(self.first))
        return f"{winners} first at a = {self.a:g}, b = {self.b:g}; {len(self.flips)} nearest changes"


def flips(performances: PerformancesLike, by: ScoreLike = "f1") -> Flips:
    """Return how far a preference may move along a, along b, or along both, before another entity is first.

    The intervals are exact, by the borders of the winner with everybody else. Domains are averaged. Without true
    negatives only b may move, along the right side of the Tile, and ``along_a`` is NaN.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        A score with a place on the Tile, or an importance. Scores that have a place only at fixed priors, or prediction
        rates, need equal ones.

    Returns
    -------
    Flips
        The nearest changes, and the intervals in which nothing changes.

    Raises
    ------
    NoPlaceError
        For a score without a place on the Tile.
    UsageError
        Where nobody comes first because the score is undefined for all.

    See Also
    --------
    rankscape.regions.prior_flips : how far the prior may move
    rankscape.regions.first

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> for flip in rs.regions.flips(P, by="f1").flips:
    ...     print(flip.direction, round(flip.miss, 3), flip.names)
    fewer false alarms per miss 0.2 ('a',)
    """
    given = as_performances(performances)
    performances = prepared(given, "a flip on the Tile", side=True)
    score = as_score(by, given.space) if lacks_tn(given.space) else as_score(by)
    return flips_among(score, score.place_among(performances), performances, performances.names)


def flips_among(
    score: Score, place: Place, points: Performances, owners: Sequence[str], order: Callable[[str], Any] | None = None
) -> Flips:
    """Return the same of performances that have owners, an owner being first by any; names in an ``order``."""
    a, b = place
    rows = rows_at(points.integers, a, b)
    if not rows:
        raise _no_first(score)
    best = {owners[k] for k in rows}
    tn, fp, fn, tp, none = *np.eye(4, dtype=object).tolist(), [0] * 4
    rejected, detected, alarms, missed = [1 - a, 0, 0, 0], [0, 0, 0, a], [0, 1 - b, 0, 0], [0, 0, b, 0]
    gain, loss = [1 - a, 0, 0, a], [0, 1 - b, b, 0]

    def along(x: Fraction, *ways: list[Any]) -> tuple[Fraction, set[str]]:
        """Return up to where from x on, towards 1, all that are first stay so, and who is first beyond."""
        if x == 1:
            return x, set()
        lines = _Lines(points, ways)
        end, beyond = fall(lines, rows, x / (1 - x), lines.rough)
        while end is not None and best <= {owners[k] for k in beyond}:
            end, beyond = fall(lines, beyond, end[1], lines.rough)
        return share(end), {owners[k] for k in beyond}

    low, below = along(1 - b, gain, none, fn, fp)
    high, above = along(b, gain, none, fp, fn)
    along_a, along_b = (nan, nan), (float(1 - low), float(high))
    sides = [("fewer false alarms per miss", (a, 1 - low), below), ("more false alarms per miss", (a, high), above)]
    if points.space != RIGHT_SIDE:  # what happens beside it is not known
        left, before = along(1 - a, tp, tn, loss, none)
        right, after = along(a, tn, tp, loss, none)
        along_a = float(1 - left), float(right)
        sides.append(("fewer correct rejections per detection", (1 - left, b), before))
        sides.append(("more correct rejections per detection", (right, b), after))
    # Both rates in a box, from 1/k to k times what they are: there S₁U₂ − S₂U₁ is least at a corner, being linear in
    # each rate. So whoever is ahead of one other at all four corners, where k moves both rates, is so in the box.
    factor = nan
    if len(set(owners)) in (1, len(owners)):
        ways = [
            (*gains, *losses)
            for gains in ((rejected, detected), (detected, rejected))
            for losses in ((alarms, missed), (missed, alarms))
        ]
        ends = [end for end, _ in (along(Fraction(1, 2), *way) for way in ways) if end < 1]
        factor = float(min(LARGEST_FACTOR, *(end / (1 - end) for end in ends))) if ends else inf
    return Flips(
        score=score, a=float(a), b=float(b), first=frozenset(best),
        flips=tuple(Flip(way, end, tuple(sorted(names, key=order))) for way, end, names in sides if names),
        along_a=along_a, along_b=along_b, factor=factor,
    )  # fmt: skip


class _Lines(Sequence[Line]):
    """Scores along an axis of the Tile, computed when asked for: each of the four numbers is a sum of outcomes."""

    def __init__(self, points: Performances, ways: Sequence[Sequence[Fraction]]) -> None:
        common = lcm(*(Fraction(x).denominator for way in ways for x in way))
        self.integers, self.rough = points.integers, None
        self.ways = [[(i, int(x * common)) for i, x in enumerate(way) if x] for way in ways]
        parts, mass = [[(i, float(x)) for i, x in enumerate(way) if x] for way in ways], points.mass
        tiny = any(x < SMALLEST_WEIGHT for way in parts for _, x in way) or ((mass > 0) & (mass < SMALLEST)).any()
        if len(mass) > FEW and not tiny:
            numbers = [sum((x * mass[:, i] for i, x in way), np.zeros(len(mass))) for way in parts]
            self.rough = np.stack(numbers, axis=1) / np.maximum(np.max(numbers, axis=0), SMALLEST)[:, None]

    def __len__(self) -> int:
        return len(self.integers)

    def __getitem__(self, k: Any) -> Any:
        row = self.integers[k]
        return tuple(sum(weight * int(row[i]) for i, weight in way) for way in self.ways)


# The prior

HALF = Fraction(1, 2)
TRIED = (HALF, Fraction(1, 3), Fraction(5, 7))
"""Priors at which the place of a score is compared: a place that is the same at all of them is fixed."""

FEWER, MORE = "fewer positives", "more positives"


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

    @property
    def _here(self) -> list[bool]:
        """Whether the present prior is in each interval: in two where it is a flip, else in one."""
        return [self.first is not None and self.first >= set(one.names) for one in self.intervals]

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
        parts = self._here
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
        return Table(
            {
                "prior_low": [one.low for one in self.intervals],
                "prior_high": [one.high for one in self.intervals],
                "first": [" = ".join(one.names) for one in self.intervals],
                "here": self._here,
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
        raise _no_first(score)
    even, names = even[kept], tuple(performances.names[k] for k in kept.tolist())
    always = _always_first(even, place, follows)
    if always == []:
        raise _no_first(score)
    here = performances[kept]
    rows, changes = ([always], []) if always is not None else _changes(rising(here), here.integers, place)
    ends = [0.0, *(float(end) for _, end, _ in changes), 1.0]
    intervals = tuple(
        PriorInterval(low, high, named(names, best)) for (low, high), best in zip(pairwise(ends), rows, strict=True)
    )
    flips = tuple(PriorFlip(float(end), named(names, tied)) for _, end, tied in changes)
    prior, common = exact_prior(performances), performances.common_prior()
    prior = prior if prior is not None or common is None else Fraction(common)
    if prior is None:
        return PriorFlips(score, None, None, None, intervals, flips)
    signs = [sign_at(form, prior / (1 - prior)) for form, _, _ in changes]
    if 0 in signs:
        flip = flips[signs.index(0)]
        first, stays = flip.names, (flip.prior, flip.prior)
    else:
        now = intervals[signs.count(-1)]
        first, stays = now.names, (now.low, now.high)
    return PriorFlips(score, float(prior), frozenset(first), stays, intervals, flips)


def _no_first(score: Score) -> UsageError:
    return UsageError(f"no model is first: {score.name} is undefined for all of them")


def _place(score: Score) -> tuple[Place, bool]:
    """Return the place of a score at the prior ½, and whether its importances are those at every prior.

    Else they move with the prior so that the order does not change.
    """
    if score.orders_as is not None:
        return score.exact_place(), True
    if score.needs("rate") and not score.needs("prior"):
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


def _changes(
    points: dict[Point, list[int]], integers: NDArray[Any], place: Place
) -> tuple[list[list[int]], list[tuple[Quadratic, Fraction, list[int]]]]:
    """Return who is first from the lowest prior to the highest; and the form of each change, its prior, who ties there.

    At any prior the ranking score rises, then falls along the hull: who is better than both neighbors is first. At
    the prior of a change those on the edge of the hull between the two tie, too.
    """
    (p, q), (r, s) = (x.as_integer_ratio() for x in place)

    def line(k: int) -> Line:
        tn, fp, fn, tp = map(int, integers[points[places[k]][0]])
        negative, positive = tn + fp, fn + tp
        return (q - p) * s * tn * positive, p * s * tp * negative, (s - r) * q * fp * positive, r * q * fn * negative

    places = list(points)
    chain = vertices(places)
    rows: list[list[int]] = [points[places[chain[0]]]]
    changes: list[tuple[Quadratic, Fraction, list[int]]] = []
    for i, j in pairwise(chain):
        form = lead(line(i), line(j))
        end = turn(form, Fraction(0))
        if end is None:
            break  # none that follows is first
        if not end[1]:  # the more liberal one is better at every prior: who came before is never first
            rows, changes = [points[places[j]]], []
            continue
        (x, y), (v, w) = places[i], places[j]
        edge = [place for place in places[i : j + 1] if (place[0] - x) * (w - y) == (place[1] - y) * (v - x)]
        changes.append((form, share(end), sorted(row for place in edge for row in points[place])))
        rows.append(points[places[j]])
    return rows, changes

"""What would change the answer: how far a preference must move before another entity is first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from .._scores import Score, as_score
from ..errors import NoPlaceError, UsageError
from ..geometry.borders import Border, border_of_integers
from ..geometry.curves import odds
from ..outcomes import RIGHT_SIDE, lacks_tn
from ..performances import as_performances
from ..results import Result, Table
from ..typing import Integers, PerformancesLike, ScoreLike
from .nearest import nearest
from .records import named, rows_at
from .rivals import Rivals
from .shapes import prepared, winners

Place = tuple[Fraction, Fraction]
Among = tuple[Rivals, Integers]
LARGEST_FACTOR = 1e9


@dataclass(frozen=True)
class Flip:
    """The nearest change in one direction: at (``a``, ``b``) others tie for first, and beyond it they win.

    ``place`` is exact along an axis and where borders meet; else on the border exactly, and the nearest place of it but
    for 2⁻⁶⁰. On a side of the Tile some of ``names`` may have no value at the place itself.

    Attributes
    ----------
    direction
        "fewer false alarms per miss" (b down), "more false alarms per miss" (b up), "fewer correct rejections per
        detection" (a down), "more correct rejections per detection" (a up), or "nearest" (any).
    place
        (a, b) as fractions.
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
        return odds(self.b)

    @property
    def detection(self) -> float:
        """How many correct rejections a detection is worth there: a/(1−a)."""
        return odds(self.a)


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
        The nearest change in each of the four directions and the nearest of all, which are several where they are
        equally near.
    along_a, along_b
        The closed intervals in which all of ``first`` stay first, the other coordinate fixed.
    factor
        How much both exchange rates, a/(1−a) and b/(1−b), may be off at once, in either direction: ∞ only if none
        changes the answer, and at most 1e9 otherwise.

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
        low, high = self.along_b
        return sqrt(odds(low)), sqrt(odds(high))

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
    """Return how far a preference may move along a, along b, or in any direction, before another entity is first.

    The intervals are exact, by the borders of the winner with everybody else; the nearest change is at the smallest
    Euclidean distance in (a, b). Domains are averaged. Without true negatives only b may move, along the right side of
    the Tile, and ``along_a`` is NaN.

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
    nearest 0.229 ('a',)
    """
    given = as_performances(performances)
    performances = prepared(given, "a flip on the Tile", side=True)
    score = as_score(by, given.space) if lacks_tn(given.space) else as_score(by)
    same_rate = performances.common_prediction_rate() is not None and score.needs_rate
    if performances.common_prior() is None and score.needs_prior and not same_rate:
        low_prior, high_prior = performances.priors.min(), performances.priors.max()
        raise NoPlaceError(
            f"{score.name} has a place on the Tile only where priors are equal; here they go from {low_prior:.4g} to "
            f"{high_prior:.4g}: shift them with shift_priors, take one domain, or rank by a place, rs.at(a, b)"
        )
    a, b = score.place_among(performances)
    integers = performances.integers
    best = rows_at(integers, a, b)
    if not best:
        raise UsageError(f"no model is first: {score.name} is undefined for all of them")

    @cache
    def along_b(i: int, j: int) -> Border:
        return border_of_integers(*([int(x) for x in integers[k]] for k in (i, j)))

    def along_a(i: int, j: int) -> Border:
        return along_b(i, j).transposed()

    apart: list[int] = []  # of equal ones at the top, one
    for k in best:
        if not any(along_b(other, k).kind == "tile" for other in apart):
            apart.append(k)
    rivals = {}
    for k in apart:
        everybody = Rivals.of(performances.mass, k)
        equal = [j for j in everybody.alike().tolist() if along_b(k, j).kind == "tile"]
        rivals[k] = everybody.without(np.array(equal, dtype=np.int64))
    names = performances.names
    low, high, below, above = _interval(along_b, rivals, a, b)
    sides = [
        ("fewer false alarms per miss", (a, low), below),
        ("more false alarms per miss", (a, high), above),
    ]
    best_names, factor = frozenset(names[j] for j in best), _factor(along_b, rivals, float(a), float(b))
    if performances.space == RIGHT_SIDE:  # what happens beside it is not known
        least = min((abs(place[1] - b) for _, place, js in sides if js), default=None)
        sides += [("nearest", place, js) for _, place, js in sides if js and abs(place[1] - b) == least]
        return Flips(
            score=score, a=1.0, b=float(b), first=best_names, flips=_named(sides, names), along_a=(nan, nan),
            along_b=(float(low), float(high)), factor=factor,
        )  # fmt: skip
    turned = {k: (of_k.transposed(), rows) for k, (of_k, rows) in rivals.items()}
    left, right, before, after = _interval(along_a, turned, b, a)
    sides += [
        ("fewer correct rejections per detection", (left, b), before),
        ("more correct rejections per detection", (right, b), after),
    ]
    somewhere = set(winners(performances))
    ever = {j for j, name in enumerate(names) if name in somewhere}
    changes = nearest(integers, along_b, (a, b), apart, ever, [(place, js) for _, place, js in sides])
    sides += [("nearest", place, js) for place, js in changes]
    return Flips(
        score=score, a=float(a), b=float(b), first=best_names, flips=_named(sides, names),
        along_a=(float(left), float(right)), along_b=(float(low), float(high)), factor=factor,
    )  # fmt: skip


def _named(sides: Sequence[tuple[str, Place, Sequence[int]]], names: tuple[str, ...]) -> tuple[Flip, ...]:
    return tuple(Flip(direction, place, named(names, js)) for direction, place, js in sides if js)


def _interval(
    between: Callable[[int, int], Border], rivals: Mapping[int, Among], a: Fraction, b: Fraction
) -> tuple[Fraction, Fraction, list[int], list[int]]:
    """Return the interval of b around a place in which no rival is better in the column a, and who is first beyond.

    ``rivals`` are, of each who is first at the place, the borders with all others, whose rows come with them.
    """
    lows: list[tuple[Fraction, int]] = []
    highs: list[tuple[Fraction, int]] = []
    for k, (borders, rows) in rivals.items():
        for j in rows[borders.nearest(a, upper=False)].tolist():
            below, above = between(k, j).sides(a)
            if below < 0 <= above:
                lows.append((below / (below - above), j))
        for j in rows[borders.nearest(a, upper=True)].tolist():
            below, above = between(k, j).sides(a)
            if above < 0 <= below:
                highs.append((below / (below - above), j))
    low, high = max(lows, default=(Fraction(0), -1))[0], min(highs, default=(Fraction(1), -1))[0]
    ends = []
    for side, end, crossings in ((0, low, lows), (1, high, highs)):
        tied = sorted({j for x, j in crossings if x == end})
        ends.append([j for j in tied if not any(between(i, j).sides(a)[side] > 0 for i in tied)])
    return low, high, ends[0], ends[1]


def _factor(between: Callable[[int, int], Border], rivals: Mapping[int, Among], a: float, b: float) -> float:
    """Return by how much both exchange rates may be off: nobody is better at the corners of that box, nor inside it."""

    def nobody_better(x: Fraction, y: Fraction) -> bool:
        for k, (borders, rows) in rivals.items():
            h, doubt = borders.at(x, y)
            if (h < -doubt).any():
                return False
            if any(between(k, j).h(x, y) < 0 for j in rows[np.abs(h) <= doubt].tolist()):
                return False
        return True

    def stays(factor: float) -> bool:
        columns, rows = ((_scaled(x, 1 / factor), _scaled(x, factor)) for x in (a, b))
        return all(nobody_better(Fraction(x), Fraction(y)) for x, y in product(columns, rows))

    if stays(LARGEST_FACTOR):
        ends = [(Fraction(x),) if x in (0, 1) else (Fraction(0), Fraction(1)) for x in (a, b)]
        return inf if all(nobody_better(*corner) for corner in product(*ends)) else LARGEST_FACTOR
    low, high = 1.0, LARGEST_FACTOR
    while high / low > 1 + 1e-12:
        middle = sqrt(low * high)
        low, high = (middle, high) if stays(middle) else (low, middle)
    return low


def _scaled(x: float, factor: float) -> float:
    """Return the place whose odds are multiplied by a factor."""
    return x * factor / (1 - x + x * factor)

"""What would change the answer: how far a preference must move before another entity is first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm, nan, sqrt
from typing import Any

import numpy as np

from .._scores import Score, as_score
from ..errors import UsageError
from ..geometry.curves import odds
from ..kernels.grid import rows_at
from ..lines import FEW, Line, fall, share
from ..outcomes import RIGHT_SIDE, lacks_tn
from ..performances import Performances, as_performances
from ..results import Result, Table
from ..typing import PerformancesLike, ScoreLike
from .shapes import prepared

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
        raise UsageError(f"no model is first: {score.name} is undefined for all of them")
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

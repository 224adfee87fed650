"""What would change the answer: how far a preference must move before somebody else is first."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import hypot, inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..errors import NoPlaceError, UsageError
from ..geometry.borders import Border, border_of_integers
from ..geometry.curves import odds
from ..io import as_performances
from ..tables import Table
from ..tasks import two_class
from .records import rows_at
from .shapes import winners

Place = tuple[Fraction, Fraction]
LARGEST_FACTOR = 1e9
CLOSE = 1e-9
"""Places on the Tile nearer than this are one where the nearest of several is told."""
SAMPLES = 129
"""Points of a border among which the nearest one is looked for, before it is refined."""


@dataclass(frozen=True)
class Flip:
    """The nearest change in one direction: at (``a``, ``b``) others, ``names``, are first too, and alone beyond.

    ``direction`` is "fewer false alarms per miss" (b down), "more false alarms per miss" (b up), "fewer correct
    rejections per detection" (a down), "more correct rejections per detection" (a up), or "nearest" (any).
    """

    direction: str
    a: float
    b: float
    names: tuple[str, ...]

    @property
    def miss(self) -> float:
        """How many false alarms a miss is worth there: b/(1−b)."""
        return odds(self.b)

    @property
    def detection(self) -> float:
        """How many correct rejections a detection is worth there: a/(1−a)."""
        return odds(self.a)


@dataclass(frozen=True, repr=False)
class Flips:
    """How far a preference may move before another entity is first.

    ``first`` are the names of who is first at (``a``, ``b``); ``flips`` the nearest changes, at most five; ``along_a``
    and ``along_b`` the closed intervals in which all of them stay first, the other coordinate fixed; ``factor`` is
    how much both exchange rates, a/(1−a) and b/(1−b), may be off at once, in either direction (∞: at will).

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> found = flips(P, by="f1")
    >>> sorted(found.first), [round(x, 6) for x in found.along_b], round(found.beta[0], 6)
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
    def beta(self) -> tuple[float, float] | None:
        """The interval of β in which the winner by an F-score stays first; None for other preferences (a ≠ 1)."""
        if self.a != 1:
            return None
        low, high = self.along_b
        return sqrt(odds(low)), sqrt(odds(high))

    def table(self) -> Table:
        """Return one row per direction: direction, a, b, detection and miss (exchange rates there), first (names)."""
        columns: dict[str, list[Any]] = {
            name: [getattr(flip, name) for flip in self.flips] for name in ("direction", "a", "b", "detection", "miss")
        }
        return Table(columns | {"first": [" = ".join(flip.names) for flip in self.flips]})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def __repr__(self) -> str:
        who = " = ".join(sorted(self.first))
        return f"<Flips: {who} first at a = {self.a:g}, b = {self.b:g}; {len(self.flips)} nearest changes>"


def flips(performances: Any, by: Any = "f1") -> Flips:
    """Return how far a preference must move on the Tile before another entity is first: along a, along b, and at all.

    ``by`` names a score with a place on the Tile, or is an importance; scores that have one only at fixed priors need
    equal priors. The intervals are exact, by the borders of the winner with everybody else; the nearest change is the
    one at the smallest Euclidean distance in (a, b). Domains are averaged. Raises NoPlaceError for a score without a
    place and UsageError where nobody is first because the score is undefined for all.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> for flip in flips(P, by="f1").flips:
    ...     print(flip.direction, round(flip.miss, 3), flip.names)
    fewer false alarms per miss 0.2 ('a',)
    nearest 0.229 ('a',)
    """
    performances = two_class.view(as_performances(performances), "a flip on the Tile")
    performances = performances.per_entity()
    score = as_score(by)
    prior = performances.common_prior()
    if prior is None and score.orders_as is None and score.place_nodes is not None:
        low_prior, high_prior = performances.priors.min(), performances.priors.max()
        raise NoPlaceError(
            f"{score.name} has a place on the Tile only where priors are equal; here they go from {low_prior:.4g} to "
            f"{high_prior:.4g}: shift them with shift_priors, take one domain, or rank by a place, rs.at(a, b)"
        )
    a, b = score.exact_place(prior)
    rows = [[int(x) for x in row] for row in performances.integers]
    best = rows_at(performances.integers, a, b)
    if not best:
        raise UsageError(f"nobody is first: {score.name} is undefined for every entity")

    @cache
    def along_b(i: int, j: int) -> Border:
        return border_of_integers(rows[i], rows[j])

    def along_a(i: int, j: int) -> Border:
        return along_b(i, j).transposed()

    apart: list[int] = []  # of equal ones at the top, one
    for k in best:
        if not any(along_b(other, k).kind == "tile" for other in apart):
            apart.append(k)
    rivals = [(k, j) for k in apart for j in range(len(rows)) if along_b(k, j).kind != "tile"]
    names, ever = performances.names, set(winners(performances))
    low, high, below, above = _interval(along_b, rivals, a, b)
    left, right, before, after = _interval(along_a, rivals, b, a)
    found: list[tuple[str, Any, Any, list[int]]] = [
        ("fewer false alarms per miss", a, low, below),
        ("more false alarms per miss", a, high, above),
        ("fewer correct rejections per detection", left, b, before),
        ("more correct rejections per detection", right, b, after),
    ]
    nearest = _nearest([(j, along_b(k, j)) for k, j in rivals if names[j] in ever], float(a), float(b))
    beside = [(abs(x - a) + abs(y - b), x, y, who) for _, x, y, who in found if who]
    distance = hypot(nearest[0] - float(a), nearest[1] - float(b)) if nearest[2] else inf
    if beside and float(min(beside)[0]) < distance - CLOSE:  # along a side on which two tie
        nearest = min(beside)[1:]
    found.append(("nearest", *nearest))
    return Flips(
        score,
        float(a),
        float(b),
        frozenset(names[j] for j in best),
        tuple(
            Flip(direction, float(x) + 0.0, float(y) + 0.0, tuple(names[j] for j in who))
            for direction, x, y, who in found
            if who
        ),
        (float(left), float(right)),
        (float(low), float(high)),
        _factor([along_b(k, j) for k, j in rivals], float(a), float(b)),
    )


def _interval(
    between: Callable[[int, int], Border], rivals: list[tuple[int, int]], a: Fraction, b: Fraction
) -> tuple[Fraction, Fraction, list[int], list[int]]:
    """Return the interval of b around a place in which no rival is better in the column a, and who is first beyond.

    ``rivals`` are pairs of one who is first at the place and another one.
    """
    lows: list[tuple[Fraction, int]] = []
    highs: list[tuple[Fraction, int]] = []
    for k, j in rivals:
        below, above = between(k, j).sides(a)
        if below < 0 <= above:
            lows.append((below / (below - above), j))
        if above < 0 <= below:
            highs.append((below / (below - above), j))
    low, high = max(lows, default=(Fraction(0), -1))[0], min(highs, default=(Fraction(1), -1))[0]
    ends = []
    for side, here, found in ((0, low, lows), (1, high, highs)):
        who = sorted({j for x, j in found if x == here})
        ends.append([j for j in who if not any(between(i, j).sides(a)[side] > 0 for i in who)])
    return low, high, ends[0], ends[1]


def _nearest(rivals: list[tuple[int, Border]], a: float, b: float) -> tuple[float, float, list[int]]:
    """Return the nearest place of all borders, and whose borders pass there."""
    best: tuple[float, float, float, list[int]] = (inf, a, b, [])
    for j, border in rivals:
        if border.span is None:
            continue
        for curve, flipped in ((border, False), (border.transposed(), True)):
            distance, x, y = _nearest_of(curve, *((b, a) if flipped else (a, b)))
            x, y = (y, x) if flipped else (x, y)
            if distance < best[0] - CLOSE:
                best = (distance, x, y, [j])
            elif distance < best[0] + CLOSE and j not in best[3]:
                best[3].append(j)
    return best[1:]


def _nearest_of(border: Border, a: float, b: float) -> tuple[float, float, float]:
    """Return the distance to a border and its nearest point, searched along a."""
    from scipy.optimize import minimize_scalar

    span = border.span
    if span is None or border.kind == "vertical":
        return inf, a, b
    start, end = (float(x) for x in span)

    def distance(x: Any) -> Any:
        y = border.b(np.clip(x, start, end))
        return np.where(np.isnan(y), inf, np.hypot(x - a, y - b))

    grid: NDArray[np.float64] = np.linspace(start, end, SAMPLES)
    values = distance(grid)
    i = int(values.argmin())
    x = float(grid[i])
    bounds = (float(grid[max(i - 1, 0)]), float(grid[min(i + 1, SAMPLES - 1)]))
    refined = minimize_scalar(lambda t: float(distance(t)), bounds=bounds, method="bounded", options={"xatol": 1e-12})
    if refined.fun < values[i]:
        x = float(refined.x)
    return float(distance(x)), x, float(border.b(x))


def _factor(borders: list[Border], a: float, b: float) -> float:
    """Return by how much both exchange rates may be off: nobody is better at the corners of that box, nor inside it."""
    corners = np.array([border.corners for border in borders], dtype=np.float64).reshape(-1, 4)

    def stays(factor: float) -> bool:
        columns, rows = ((_scaled(x, 1 / factor), _scaled(x, factor)) for x in (a, b))
        for x, y in product(columns, rows):
            terms = corners * np.outer([1 - x, x], [1 - y, y]).ravel()
            h, doubt = terms.sum(axis=1), 1e-14 * np.abs(terms).sum(axis=1)
            if (h < -doubt).any():
                return False
            if any(borders[k].h(Fraction(x), Fraction(y)) < 0 for k in np.flatnonzero(np.abs(h) <= doubt)):
                return False
        return True

    if stays(LARGEST_FACTOR):
        return inf
    low, high = 1.0, LARGEST_FACTOR
    while high / low > 1 + 1e-12:
        middle = sqrt(low * high)
        low, high = (middle, high) if stays(middle) else (low, middle)
    return low


def _scaled(x: float, factor: float) -> float:
    """Return the place whose odds are multiplied by a factor."""
    return x * factor / (1 - x + x * factor)

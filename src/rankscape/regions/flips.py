"""What would change the answer: how far a preference must move before somebody else is first."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import two_class_only
from ..data import as_performances
from ..errors import UsageError
from ..geometry.borders import Border, border_of_integers
from ..geometry.curves import odds
from ..scores import Score, as_score
from ..tables import Table
from .shapes import winners

Place = tuple[Fraction, Fraction]
LARGEST_FACTOR = 1e9
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
    and ``along_b`` the closed intervals in which they stay first, the other coordinate fixed; ``factor`` is how much
    both exchange rates, a/(1−a) and b/(1−b), may be off at once, in either direction (∞: as much as one likes).

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
    performances = as_performances(performances)
    two_class_only(performances.space, "a flip on the Tile")
    performances = performances.per_entity()
    score = as_score(by)
    a, b = score.exact_place(performances.common_prior())
    rows = [[int(x) for x in row] for row in performances.integers]
    best = _first_at(rows, a, b)
    if not best:
        raise UsageError(f"nobody is first: {score.name} is undefined for every entity")
    borders = {j: border_of_integers(rows[best[0]], row) for j, row in enumerate(rows)}
    rivals = {j: border for j, border in borders.items() if border.kind != "tile"}
    ever = set(winners(performances))
    ever_first = {j: border for j, border in rivals.items() if performances.names[j] in ever}
    tied = [j for j in best if j in rivals]
    names = performances.names
    low, high, below, above = _interval(rivals, a, b)
    left, right, before, after = _interval({j: border.transposed() for j, border in rivals.items()}, b, a)
    found: list[tuple[str, Any, Any, list[int]]] = [
        ("fewer false alarms per miss", a, low, below),
        ("more false alarms per miss", a, high, above),
        ("fewer correct rejections per detection", left, b, before),
        ("more correct rejections per detection", right, b, after),
        ("nearest", *_nearest(ever_first, float(a), float(b))),
    ]
    return Flips(
        score,
        float(a),
        float(b),
        frozenset(names[j] for j in best),
        tuple(
            Flip(direction, float(x), float(y), tuple(names[j] for j in who)) for direction, x, y, who in found if who
        ),
        (float(left), float(right)),
        (float(low), float(high)),
        1.0 if tied else _factor(list(rivals.values()), float(a), float(b)),
    )


def _first_at(rows: list[list[int]], a: Fraction, b: Fraction) -> list[int]:
    """Return who is first at a place, exactly: those with the largest S/(S + U), undefined ones left out."""
    values: list[tuple[Fraction, int]] = []
    for j, (tn, fp, fn, tp) in enumerate(rows):
        s, u = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
        if s + u:
            values.append((s / (s + u), j))
    top = max((value for value, _ in values), default=None)
    return [j for value, j in values if value == top]


def _interval(rivals: dict[int, Border], a: Fraction, b: Fraction) -> tuple[Fraction, Fraction, list[int], list[int]]:
    """Return the interval of b around a place in which nobody is better in the column a, and who is first beyond."""
    lows: dict[int, Fraction] = {}
    highs: dict[int, Fraction] = {}
    for j, border in rivals.items():
        below, above = border.sides(a)
        if below < 0 <= above:
            lows[j] = below / (below - above)
        if above < 0 <= below:
            highs[j] = below / (below - above)
    low, high = max(lows.values(), default=Fraction(0)), min(highs.values(), default=Fraction(1))
    return low, high, [j for j, x in lows.items() if x == low], [j for j, x in highs.items() if x == high]


def _nearest(rivals: dict[int, Border], a: float, b: float) -> tuple[float, float, list[int]]:
    """Return the nearest place of all borders, and whose borders pass there."""
    best: tuple[float, float, float, list[int]] = (inf, a, b, [])
    for j, border in rivals.items():
        if border.span is None:
            continue
        for curve, flipped in ((border, False), (border.transposed(), True)):
            distance, x, y = _nearest_of(curve, *((b, a) if flipped else (a, b)))
            x, y = (y, x) if flipped else (x, y)
            if distance < best[0] - 1e-9:
                best = (distance, x, y, [j])
            elif distance < best[0] + 1e-9 and j not in best[3]:
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

    def stays(factor: float) -> bool:
        columns, rows = ((_scaled(x, 1 / factor), _scaled(x, factor)) for x in (a, b))
        return all(border.h(Fraction(x), Fraction(y)) >= 0 for border in borders for x in columns for y in rows)

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

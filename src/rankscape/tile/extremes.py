"""Where a map has its largest and its smallest value: exactly for few performances, else refined beyond the grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..geometry.cells import Arrangement, Cells, Kind, pairs_of
from ..kernels.search import Interval, Place, part_of, point_of, refined
from ..performances import Performances
from ..results import Result, Table
from ..typing import Floats, Integers

MOST_PERFORMANCES, MOST_WORK = 100, 250_000
"""Up to so many performances, and squares of borders times pairs, all cells of the Tile are looked at."""

HALVINGS = 20
"""Finer windows around the best place, each half as wide: to a millionth of a step of the grid."""

KINDS: tuple[Kind, ...] = ("point", "border", "region")
Ratio = tuple[int, int, int]
"""A correlation: the first number over the root of the product of the others."""


@dataclass(frozen=True)
class Extreme:
    """An extreme of a map: its value, and a place where the map has it.

    Attributes
    ----------
    value
        The largest or the smallest value.
    a, b
        The place.
    how
        "exact" where no place of the Tile has a more extreme value, "refined" where a search found none around the best
        point of the grid, "grid" where the grid is all that is known.
    on
        Where all of the Tile was looked at: whether the map has this value all over a "region", on a "border" of two
        performances only, or at a "point".
    exact_place
        The very fractions; None where the point is irrational, and then a and b are rounded.

    See Also
    --------
    rankscape.tile.Extremes
    """

    value: float
    a: float
    b: float
    how: Literal["exact", "refined", "grid"]
    on: Kind | None = None
    exact_place: Place | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Extremes(Result):
    """The largest and the smallest value of a map, each with a place on the Tile.

    Attributes
    ----------
    title
        The title of the map.
    largest, smallest
        The two extremes.

    See Also
    --------
    rankscape.tile.TileMap

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8], [5, 5, 1, 9]])
    >>> largest = rs.tile.correlation("accuracy", P, resolution=5).extreme().largest
    >>> largest.value, largest.how, largest.on, [str(x) for x in largest.exact_place]
    (1.0, 'exact', 'region', ['1/2', '121/272'])
    """

    title: str
    largest: Extreme
    smallest: Extreme

    @property
    def heading(self) -> str:
        """What the map shows."""
        return self.title

    def table(self) -> Table:
        """Return two rows, largest and smallest: extreme, value, a, b, how and on.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        both = (self.largest, self.smallest)
        columns: dict[str, Any] = {
            name: [getattr(extreme, name) for extreme in both] for name in ("value", "a", "b", "how", "on")
        }
        return Table({"extreme": ["largest", "smallest"]} | columns)


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """What a map is computed from: ``compute`` makes values on a grid from integers (n, 4) and the points a side.

    ``levels`` rank X where the values are rank correlations with it, −1 where it is undefined. ``places`` deserve a
    look; no value is outside ``bounds``.
    """

    performances: Performances
    compute: Callable[[NDArray[Any], int], Floats]
    levels: Integers | None = None
    spearman: bool = False
    places: tuple[Place, ...] = ()
    bounds: tuple[float, float] = (-np.inf, np.inf)


def extremes_of(title: str, values: Floats, source: Source | None) -> Extremes:
    """Return the extremes of a map with these values on its grid."""
    exact = None if source is None else _exact(source)
    if exact is None and np.isnan(values).all():
        raise UsageError("the map has no extremes: it is undefined everywhere")
    largest, smallest = exact or (_searched(values, source, sign) for sign in (1, -1))
    return Extremes(title, largest, smallest)


def _searched(values: Floats, source: Source | None, sign: int) -> Extreme:
    """Return the best point of the grid, in the middle of its plateau, or a better place near it."""
    from scipy.ndimage import distance_transform_cdt  # slow to load

    best = np.nanmax(values) if sign > 0 else np.nanmin(values)
    inside = distance_transform_cdt(np.pad(values == best, 1), "chessboard")[1:-1, 1:-1]
    i, j = np.unravel_index(int(inside.argmax()), values.shape)
    rows, columns = (size - 1 for size in values.shape)
    place = Fraction(int(j), columns), Fraction(int(i), rows)
    if source is None:
        return Extreme(float(best), float(place[0]), float(place[1]), "grid", None, place)
    seen = {place: float(best)}
    integers, compute = source.performances.integers, source.compute

    def look(a: Interval, b: Interval, points: int) -> None:
        part = compute(part_of(integers, a, b), points)
        for y, x in np.argwhere(~np.isnan(part)).tolist():
            seen.setdefault((point_of(a, x, points), point_of(b, y, points)), float(part[y, x]))

    for a, b in source.places:
        look((a, a), (b, b), 2)
    choose = max if sign > 0 else min
    step = Fraction(1, max(rows, columns, 2))
    place = refined(seen, look, choose, [step / 2**halving for halving in range(HALVINGS)])
    value = seen[place]
    how: Literal["exact", "refined"] = "exact" if value == source.bounds[sign > 0] else "refined"
    return Extreme(value, float(place[0]), float(place[1]), how, None, place)


# Rank correlations are constant on the cells between the borders of all pairs.


def _exact(source: Source) -> tuple[Extreme, Extreme] | None:
    """Return the extremes of a rank correlation over all cells of the Tile; None for other maps, or too many cells."""
    if source.levels is None or len(source.levels) > MOST_PERFORMANCES:
        return None
    kept = np.flatnonzero(source.levels >= 0)
    if len(kept) < 2:
        return None  # there is no pair to correlate
    levels, arrangement = source.levels[kept], Arrangement(source.performances.integers[kept])
    if len(arrangement) ** 2 * len(arrangement.borders) > MOST_WORK:
        return None
    reached: dict[Ratio, tuple[int, float, Cells, int]] = {}
    for cells in arrangement.cells():
        ratios = (_spearman if source.spearman else _kendall)(cells, levels)
        for k, ratio in enumerate(map(tuple, ratios.tolist())):
            rank = KINDS.index(cells.kinds[k]), float(cells.sizes[k])
            if ratio[1] and ratio[2] and (ratio not in reached or rank > reached[ratio][:2]):
                reached[ratio] = (*rank, cells, k)
    if not reached:
        return None
    by_value = {ratio: Fraction(ratio[0] * abs(ratio[0]), ratio[1] * ratio[2]) for ratio in reached}
    ends = []
    for choose in (max, min):
        extreme = choose(by_value.values())
        ratio = max((one for one in reached if by_value[one] == extreme), key=lambda one: reached[one][:2])
        kind, _, cells, k = reached[ratio]
        a, b = cells.place(k)
        value = float(np.float64(ratio[0]) / np.sqrt(np.float64(ratio[1]) * np.float64(ratio[2])))
        ends.append(Extreme(value, float(a), float(b), "exact", KINDS[kind], (a, b) if cells.exact else None))
    return ends[0], ends[1]


def _kendall(cells: Cells, levels: Integers) -> Integers:
    """Return per cell: concordant − discordant pairs, pairs not tied in X, and pairs not tied in R."""
    i, j = np.array(pairs_of(len(levels))).T
    x, both = np.sign(levels[i] - levels[j]), cells.defined[:, i] & cells.defined[:, j]
    signs = np.where(both, cells.signs, 0).astype(np.int64)
    return np.stack([signs @ x, (both & (x != 0)).sum(axis=1), (signs != 0).sum(axis=1)], axis=1)


def _spearman(cells: Cells, levels: Integers) -> Integers:
    """Return per cell sums of products of ranks that are doubled and centered: X with R, X, and R."""
    n = len(levels)
    i, j = np.array(pairs_of(n)).T
    both = cells.defined[:, i] & cells.defined[:, j]
    of_pair, pair = np.zeros((len(i), n), dtype=np.int64), np.arange(len(i))
    of_pair[pair, i], of_pair[pair, j] = 1, -1
    x, r = (np.where(both, signs, 0) @ of_pair for signs in (np.sign(levels[i] - levels[j]), cells.signs))
    return np.stack([(x * r).sum(axis=1), (x * x).sum(axis=1), (r * r).sum(axis=1)], axis=1)

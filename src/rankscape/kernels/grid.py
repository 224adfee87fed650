"""Comparisons of many performances on the grid of the Tile: floats first, integers where floats cannot tell.

On the grid a = j/m, b = i/m, with S = (m−j)·tn + j·tp and U = (m−i)·fp + i·fn, R = S/(S+U): the odds U/S order as R
does, smaller is better. They are made of sums, products and one quotient of non-negative numbers, so eight roundings
bound their relative error.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from .exact import LARGEST_IN_FLOATS, normalized, ratio_levels

ROUNDING = 32 * 2.0**-53
"""Odds closer than this (relative) are compared on integers: four times the bound on the error of either."""

BLOCK = 1 << 15
"""Comparisons of measures with one, by columns, that are made at once: their numbers stay in the cache."""

CENTER = ((0.5, 0.5),)
CROSS = ((0.5, 0.5), (0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9))
CHECKS = tuple((i / 8, j / 8) for i in range(9) for j in range(9))
"""Places (a, b) at which strong measures are looked for."""


Progress = Callable[[int], object]


def blocks(size: int, most: int, progress: Progress | None = None) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of the blocks of a range; after each, Python may be interrupted, and ``progress`` called.

    >>> list(blocks(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for start in range(0, size, most):
        stop = min(start + most, size)
        yield start, stop
        if progress is not None:
            progress(stop)


class Sides:
    """The two sides S(a) and U(b) of n measures, as floats; ``inverted``: last is first."""

    def __init__(self, integers: NDArray[Any], resolution: int, inverted: bool = False) -> None:
        self.resolution, self.inverted = resolution, inverted
        self.integers = integers
        self.mass = p = normalized(integers)
        j = np.arange(resolution, dtype=np.float64)
        m = resolution - 1.0
        self.gain = (m - j) * p[:, :1] + j * p[:, 3:]  # S, by a
        self.loss = (m - j) * p[:, 1:2] + j * p[:, 2:3]  # U, by b

    def odds(self, i: int) -> Floats:
        """Return the odds (n, columns) in row i, smaller is better (worse, if inverted); NaN where undefined."""
        return self._quotients(self.gain, self.loss[:, i : i + 1])

    def odds_at(self, i: int, j: int) -> Floats:
        """Return the odds (n,) at row i, column j."""
        return self._quotients(self.gain[:, j], self.loss[:, i])

    def _quotients(self, gain: Floats, loss: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return gain / loss if self.inverted else loss / gain

    def defined(self, k: int) -> Flags:
        """Tell where measure k has a value: S + U > 0."""
        return np.asarray((self.gain[k][None, :] > 0) | (self.loss[k][:, None] > 0))


def rows_at(
    integers: NDArray[Any], a: Fraction, b: Fraction, rank: int = 1, last: bool = False, sizes: Integers | None = None
) -> list[int]:
    """Return who has a rank at a place, exactly: tied ones together, undefined ones left out; empty: fewer are defined.

    A row may stand for several, ``sizes`` (n,), that are alike.

    >>> rows_at(np.array([[9, 0, 1, 0], [8, 1, 1, 0]]), Fraction(1), Fraction(0))
    [1]
    """
    (p, q), (r, s) = a.as_integer_ratio(), b.as_integer_ratio()
    small = int(integers.max(initial=0)) * 4 * q * s <= LARGEST_IN_FLOATS
    tn, fp, fn, tp = integers.astype(np.int64 if small else object, copy=False).T
    gain = s * ((q - p) * tn + p * tp)
    level = ratio_levels(gain, gain + q * ((s - r) * fp + r * fn))
    defined = np.flatnonzero(level >= 0)
    level = level[defined] if last else level.max(initial=0) - level[defined]
    upto = np.cumsum(np.bincount(level, None if sizes is None else sizes[defined]))
    return list(defined[level == np.searchsorted(upto, rank)].tolist())


def contenders(mass: Floats, inverted: bool = False) -> Integers:
    """Return the rows that may be first (last) somewhere: all but those that a strong one beats at all four corners.

    The difference of two measures is bilinear in (a, b), so who is better at the four corners is better everywhere.
    """
    kept = np.arange(len(mass))
    columns = np.ascontiguousarray(mass.T)
    for places in (CENTER, CROSS, CHECKS):  # a few strong ones leave a few rows, among which more are looked for
        p = columns if len(kept) == len(mass) else columns[:, kept]
        odds = [_odds(p, a, b, inverted) for a, b in places]
        strong = {int(np.where(np.isnan(x), np.inf, x).argmin()) for x in odds}
        corners = [_odds(p, a, b, inverted) for a in (0.0, 1.0) for b in (0.0, 1.0)]
        beaten = np.zeros(len(kept), dtype=bool)
        with np.errstate(invalid="ignore"):
            for k in strong:
                worse = corners[0][k] * (1 + ROUNDING) < corners[0]
                for corner in corners[1:]:
                    worse &= corner[k] * (1 + ROUNDING) < corner
                beaten |= worse
        kept = kept[~beaten]
    return kept


def _odds(columns: Floats, a: float, b: float, inverted: bool) -> Floats:
    """Return the odds (n,) at a place, smaller is better (worse, if inverted); NaN where undefined."""
    gain, loss = _between(columns[0], columns[3], a), _between(columns[1], columns[2], b)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(gain / loss if inverted else loss / gain)


def _between(left: Floats, right: Floats, x: float) -> Floats:
    if x in (0, 1):
        return right if x else left
    return (1 - x) * left + x * right


def layers(mass: Floats, rank: int, inverted: bool = False) -> Integers:
    """Return, in order, rows that hold everybody who is among the first (last) ``rank`` somewhere.

    As onions are peeled: at any place the best of what is left is in the next layer, so the first ``rank`` layers hold
    the first ``rank`` at every place.
    """
    kept = np.zeros(len(mass), dtype=bool)
    for _ in range(rank):
        left = np.flatnonzero(~kept)
        rest = mass if len(left) == len(mass) else mass[left]
        kept[left[contenders(rest, inverted)]] = True
        if kept.all():
            break
    return np.flatnonzero(kept)


def within_rounding(odds: Floats, chosen: Floats) -> Flags:
    """Tell which odds (n, …) are so close to the chosen ones that rounding may decide, those equal to it included."""
    with np.errstate(invalid="ignore"):
        near = np.isfinite(chosen) & (np.abs(odds - chosen) <= ROUNDING * np.abs(chosen))
        return np.asarray((odds == chosen) | near)


def ranks_of(row: int, integers: NDArray[Any], sizes: Integers, resolution: int) -> Floats:
    """Return the rank of one measure among all on the grid (1 + the number of better ones), NaN where undefined.

    In a column a every other measure is better on one interval of rows at most: h = (m−i)·A + i·B > 0 with
    A = S_j·fp − S·fp_j, B = S_j·fn − S·fn_j. The intervals are added up, so a column takes O(n + resolution).
    """
    always, others = _rivals(row, normalized(integers))
    ranks = np.full((resolution, resolution), 1.0 + sizes[always].sum())
    columns = np.arange(resolution)
    for start, stop in blocks(len(others), BLOCK // resolution + 1):
        rows = others[start:stop]
        low, high = rows_ahead(integers[rows], integers[row], resolution)
        some = low <= high
        weights = np.broadcast_to(sizes[rows, None], some.shape)[some].astype(np.float64)
        change = np.bincount((low * resolution + columns)[some], weights, (resolution + 1) * resolution)
        change -= np.bincount(((high + 1) * resolution + columns)[some], weights, (resolution + 1) * resolution)
        ranks += np.cumsum(change.reshape(resolution + 1, resolution), axis=0)[:-1]
    ranks[~Sides(integers[row : row + 1], resolution).defined(0)] = np.nan
    return ranks


def _rivals(row: int, p: Floats) -> tuple[Integers, Integers]:
    """Return who is better than one measure at all four corners, so everywhere, and who may be somewhere."""
    corners = [(p[:, s] * p[row, u], p[row, s] * p[:, u]) for s in (0, 3) for u in (1, 2)]
    margins = [(gain - loss, 1e-14 * (gain + loss) + 1e-290) for gain, loss in corners]  # what underflows is unsure
    better = np.logical_and.reduce([margin > doubt for margin, doubt in margins])
    worse = np.logical_and.reduce([margin < -doubt for margin, doubt in margins])
    rivals = ~better & ~worse
    rivals[row] = False
    return np.flatnonzero(better), np.flatnonzero(rivals)


def rows_ahead(theirs: NDArray[Any], ours: NDArray[Any], resolution: int) -> tuple[Integers, Integers]:
    """Return the first and the last row of the grid where others (n, 4) are better than one, by columns: (n, columns).

    >>> rows_ahead(np.array([[9, 1, 4, 6]]), np.array([8, 2, 2, 8]), 3)
    (array([[0, 0, 0]]), array([[0, 0, 0]]))
    """
    m, columns = resolution - 1, np.arange(resolution)
    if (4 * m * max(int(theirs.max(initial=0)), int(ours.max()))) ** 2 < 2**63:
        ahead, behind = _sides_of_border(theirs.astype(np.int64)[:, None], ours.astype(np.int64), columns, m)
        return _rows_ahead(ahead - behind, m)
    # There are more rows the larger A and B are: the same for the least and the largest, and they are those.
    ahead, behind = _sides_of_border(normalized(theirs)[:, None], normalized(ours), columns, m)
    doubt = 1e-12 * (ahead + behind) + 1e-290  # thousands of roundings; what underflows is unsure
    low, high = _rows_ahead(ahead - behind - doubt, m, 1e-12 * m)
    low_at_most, high_at_least = _rows_ahead(ahead - behind + doubt, m, -1e-12 * m)
    k, j = np.nonzero((low != low_at_most) | (high != high_at_least))
    if len(k):
        ahead, behind = _sides_of_border(theirs[k].astype(object), ours.astype(object), j, m)
        low[k, j], high[k, j] = _rows_ahead(ahead - behind, m)
    return low.astype(np.int64), high.astype(np.int64)


def _sides_of_border(
    theirs: NDArray[Any], ours: NDArray[Any], columns: Integers, m: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return S_j·U and S·U_j in columns at the first and the last row: (2, …) each."""
    s_theirs, s_ours = ((m - columns) * p[..., 0] + columns * p[..., 3] for p in (theirs, ours))
    return np.stack([s_theirs * ours[u] for u in (1, 2)]), np.stack([s_ours * theirs[..., u] for u in (1, 2)])


def _rows_ahead(ends: NDArray[Any], m: int, doubt: float = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the first and the last row i, of 0 … m, with (m−i)·A + i·B > 0, for A and B (2, …); (1, 0): none.

    Floats leave out rows that are closer to the end than ``doubt``, or take in those beyond it where that is negative.
    """
    a, b = ends
    fall = np.abs(a - b)
    fall = np.where(fall == 0, 1, fall)
    with np.errstate(over="ignore"):
        last = np.floor(-m * a / fall + doubt) if a.dtype == np.float64 else -m * a // fall  # up to −m·A/|A − B|
    some = (a > 0) | (b > 0)
    return np.where(some, np.where(a > 0, 0, last + 1), 1), np.where(some, np.where(b > 0, m, -last - 1), 0)


def edge_weights(resolution: int) -> Floats:
    """Return the weights of the trapezoidal rule on the grid, (resolution, resolution), summing to 1."""
    one = np.ones(resolution)
    one[[0, -1]] = 0.5
    one /= one.sum()
    return np.outer(one, one)

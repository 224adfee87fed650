"""The kernels in NumPy, without threads: the results of the compiled ones, which they check and stand in for."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from .exact import ratio_levels
from .grid import Sides, contenders, within_rounding
from .measures import Measures

COMPILED = False
TINY, SCALE = 2.0**-900, 2.0**200
"""Quotients below the first have lost digits, or may soon; divided again with the second they have them."""
WORTH_CHOOSING = 16
"""Among more entities it is faster to choose first who may be first at all."""
FEW = 2**14
"""Sequences up to this length are counted by tiles."""


def inversions(values: Integers) -> int:
    """Count the pairs i < j with values[i] > values[j]: across halves from where their sorted numbers interleave.

    >>> inversions(np.array([2, 0, 1, 2]))
    2
    """
    if len(values) <= FEW:
        return _inversions_of_few(values.astype(np.int64, copy=False))  # products would not fit into fewer bits
    left, right = np.array_split(values, 2)
    not_larger = np.searchsorted(np.sort(left), np.sort(right), side="right")
    return inversions(left) + inversions(right) + len(left) * len(right) - int(not_larger.sum())


def _inversions_of_few(values: Integers) -> int:
    """Count by tiles of the square of positions and ranks: between tiles by their sizes, in a row or column by pairs.

    Equal numbers have ascending ranks. No number leads to more than 2⁷ tiles a side, each of 2⁷.
    """
    n = len(values)
    tile = 1 << max(4, (n.bit_length() + 1) // 2)
    tiles = -(-n // tile)
    every = np.arange(tiles * tile)
    position = every.copy()
    position[:n] = np.argsort(values * n + every[:n])
    rank = np.empty_like(position)
    rank[position] = every
    size = np.bincount(every // tile * tiles + rank // tile, minlength=tiles * tiles).reshape(tiles, tiles)
    earlier = np.cumsum(size, axis=0) - size
    earlier_and_larger = np.cumsum(earlier[:, ::-1], axis=1)[:, ::-1] - earlier
    total = int((size * earlier_and_larger).sum())
    before = np.triu(np.ones((tile, tile), dtype=bool), 1)
    step = max(1, 2**16 // tile**2)  # as many tiles at once as the cache holds
    for row in (rank.astype(np.int16), (position // tile).astype(np.uint8)):
        cut = row.reshape(tiles, tile)
        for start in range(0, tiles, step):
            few = cut[start : start + step]
            larger = few[:, :, None] > few[:, None, :]
            larger &= before
            total += int(np.count_nonzero(larger))
    return total


def correlation_rows(
    each: Measures, levels: Integers, resolution: int, start: int, stop: int, spearman: bool, threads: int = 1
) -> Integers:
    """Return what correlates X, in whole numbers, at the rows start … stop − 1 of the Tile: (3, rows, resolution).

    The levels of X, from 0, do not decrease. Correlation is the first over the root of the product of the others. For
    Kendall's tau-b these are concordant − discordant pairs, pairs not tied in X, and pairs not tied in R; for
    Spearman's rho, sums of products of ranks that are doubled and centered.

    >>> from .measures import measures
    >>> each = measures(np.array([[1, 3, 0, 0], [2, 2, 0, 0], [3, 1, 0, 0]]), 1)
    >>> correlation_rows(each, np.array([0, 1, 1]), 2, 0, 1, False).tolist()
    [[[2, 0]], [[2, 2]], [[3, 0]]]
    """
    m = resolution - 1
    out = np.zeros((3, stop - start, resolution), dtype=np.int64)
    integers = each.integers
    if len(integers) and (4 * m * int(integers.max())) ** 2 >= 2**63:
        integers = integers.astype(object)
    tn, fp, fn, tp = integers.T
    for i in range(start, stop):
        for j in range(resolution):
            gain, loss = (m - j) * tn + j * tp, (m - i) * fp + i * fn
            defined = gain + loss > 0
            if np.count_nonzero(defined) > 1:
                y = ratio_levels(gain[defined], (gain + loss)[defined])
                out[:, i - start, j] = (_spearman if spearman else kendall_counts)(levels[defined], y)
    return out


def kendall_counts(
    levels: Integers, y: Integers, count: Callable[[Integers], int] | None = None
) -> tuple[int, int, int]:
    """Return concordant minus discordant pairs, and the pairs that are not tied in ascending levels, and in y.

    ``count`` counts inversions, by default as :func:`inversions` does.

    >>> kendall_counts(np.array([0, 1, 1, 2]), np.array([0, 2, 1, 1]))
    (2, 5, 5)
    """
    n = len(levels)
    every = n * (n - 1) // 2
    x_ties, y_ties = _pairs(np.bincount(levels)), _pairs(np.bincount(y))
    both = _pairs(np.unique(levels * n + y, return_counts=True)[1])
    discordant = (count or inversions)(levels[np.argsort(y, kind="stable")])
    return every - x_ties - y_ties + both - 2 * discordant, every - x_ties, every - y_ties


def _pairs(sizes: Integers) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _spearman(levels: Integers, y: Integers) -> tuple[int, int, int]:
    first, second = _centered(levels), _centered(y)
    return int((first * second).sum()), int((first * first).sum()), int((second * second).sum())


def _centered(levels: Integers) -> Integers:
    """Return twice the average rank, minus twice the mean of all: integers."""
    sizes = np.bincount(levels)
    return np.asarray((2 * np.cumsum(sizes) - sizes - len(levels))[levels])


def rank_rows(
    sides: Sides, sizes: Integers, rank: int, start: int, stop: int, threads: int = 1
) -> tuple[Integers, Flags]:
    """Return who is at the rank in the rows start … stop − 1, −1 for none, and where another is within rounding.

    >>> rank_rows(Sides(np.array([[9, 1, 4, 6], [8, 2, 2, 8]]), 2), np.array([1, 1]), 1, 0, 2)
    (array([[0, 0],
           [1, 1]]), array([[False, False],
           [False, False]]))
    """
    at = np.full((stop - start, sides.resolution), -1, dtype=np.int64)
    close = np.zeros(at.shape, dtype=bool)
    if not len(sizes):
        return at, close
    for row, i in enumerate(range(start, stop)):
        odds = sides.odds(i)  # (n, columns), smaller is better, NaN undefined
        order = np.argsort(odds, axis=0, kind="stable")
        filled = np.cumsum(sizes[order] * ~np.isnan(np.take_along_axis(odds, order, 0)), axis=0) >= rank
        enough = filled.any(axis=0)
        chosen = np.take_along_axis(order, filled.argmax(axis=0)[None], 0)
        at[row, enough] = chosen[0, enough]
        close[row] = enough & (within_rounding(odds, np.take_along_axis(odds, chosen, 0)[0]).sum(axis=0) > 1)
    return at, close


def first_rows(
    draws: NDArray[Any], resolution: int, rounding: float, start: int, stop: int, threads: int = 1
) -> Floats:
    """Count the draws (draws, n, 4) in which each is first in the rows of a map: (n, rows, resolution); ties share.

    R orders as S/U = (m−j)·(tn/U) + j·(tp/U). Integers are decided as such, of floats only equal keys tie.

    >>> first_rows(np.array([[[9, 1, 4, 6], [8, 2, 2, 8]]]), 2, 1e-14, 0, 1).tolist()
    [[[1.0, 1.0]], [[0.0, 0.0]]]
    """
    whole = draws.dtype.kind != "f"
    m, j = resolution - 1, np.arange(resolution)
    i = np.arange(start, stop)[:, None]
    out = np.zeros((draws.shape[1], stop - start, resolution))
    for draw in draws:
        mass = (draw / max(1, int(draw.max())) if draw.dtype == object else draw).astype(np.float64)  # may be large
        members = contenders(mass) if len(mass) > WORTH_CHOOSING else np.arange(len(mass))
        tn, fp, fn, tp = (mass[members, k, None, None] for k in range(4))
        gain, loss = (m - j) * tn + j * tp, (m - i) * fp + i * fn  # (members, 1, columns), (members, rows, 1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            u, v = tn / loss, tp / loss
            key = (m - j) * u + j * v
            if not whole:
                key = np.where(np.isfinite(u) & np.isfinite(v), key, gain / loss)  # overflow: 0·∞ would be NaN
        key = np.where(loss > 0, key, np.where(gain > 0, np.inf, -1.0))
        if not whole:
            key = _rescaled(key, gain, loss)
        best = key.max(axis=0)
        first = key >= np.where(best < 0, 1.0, best * (1 - rounding) if whole else best)
        if whole:
            for row, column in np.argwhere(first.sum(axis=0) > 1):
                near = np.flatnonzero(first[:, row, column])
                values = [_ratio(cells, m, start + int(row), int(column)) for cells in draw[members[near]].tolist()]
                first[near, row, column] = [value == max(values) for value in values]
        out[members] += first / np.maximum(first.sum(axis=0), 1)
    return out


def _rescaled(key: Floats, gain: Floats, loss: Floats) -> Floats:
    """Divide again where the best quotient overflows, or has lost digits, so that these make no ties."""
    best = key.max(axis=0)
    large, small = np.isinf(best), (best >= 0) & (best < TINY)
    if not (large | small).any():
        return key
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        again = np.where(large, gain / (loss * SCALE), gain * SCALE / loss)
    return np.where((large | small) & (loss > 0), again, key)


def _ratio(cells: list[int], m: int, i: int, j: int) -> tuple[int, Fraction]:
    """Return what orders as the score: S/U, or more than any where U = 0."""
    tn, fp, fn, tp = cells
    gain, loss = (m - j) * tn + j * tp, (m - i) * fp + i * fn
    return (0, Fraction(gain, loss)) if loss else (1, Fraction(0))


def inverted_pairs(values: Integers) -> tuple[Integers, Integers]:
    """Return all inversions: the larger numbers, and the smaller ones that follow them.

    >>> [numbers.tolist() for numbers in inverted_pairs(np.array([2, 0, 1]))]
    [[2, 2], [0, 1]]
    """
    if len(values) <= 64:
        i, j = np.nonzero(np.triu(values[:, None] > values[None, :], 1))
        return values[i], values[j]
    left, right = np.array_split(values, 2)
    ascending = np.sort(left)
    first = np.searchsorted(ascending, right, side="right")
    count = len(left) - first
    ends = np.cumsum(count)
    across = np.arange(ends[-1]) - np.repeat(ends - count, count) + np.repeat(first, count)
    parts = (inverted_pairs(left), inverted_pairs(right), (ascending[across], np.repeat(right, count)))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

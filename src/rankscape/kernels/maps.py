"""Maps over the grid of the Tile: correlations with every ranking, who is at a rank, and values."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from . import backend, reference
from .grid import Progress, Sides, blocks
from .measures import measures

MOST = 2**21
"""Sums over the pairs of more performances than this might not fit into 64 bits."""


def tau_b_map(
    integers: NDArray[Any],
    levels: Integers,
    resolution: int,
    threads: int = 1,
    progress: Progress | None = None,
    spearman: bool = False,
) -> Floats:
    """Return Kendall's tau-b, or Spearman's rho, of X with the ranking by R_{a,b}: (resolution, resolution).

    Row i has b = i/m and column j has a = j/m, m = resolution − 1.
    The rows of ``integers``, (n, 4), are proportional to measures: tn, fp, fn, tp ≥ 0. ``levels`` (n,) rank X: equal
    where tied, larger is better, −1 where undefined. Undefined performances are dropped; NaN where either ranking is
    constant or fewer than two are left. Ties are exact, and so are the counts of pairs that tau is made of.
    For Spearman's rho ties have their average rank. ``progress`` is called with the number of rows done; what it
    raises, such as KeyboardInterrupt, ends the map.

    >>> tau_b_map(np.array([[9, 1, 4, 6], [8, 2, 2, 8], [5, 5, 1, 9]]), np.array([1, 0, 0]), 3).round(
    ...     2
    ... ).tolist()
    [[0.82, 0.82, 0.82], [0.0, 0.0, -0.82], [-0.82, -0.82, -0.82]]
    """
    kept = np.flatnonzero((levels >= 0) & (integers != 0).any(axis=1))
    if len(kept) > MOST:
        raise ValueError(f"correlation maps take at most {MOST} performances; got {len(kept)}")
    levels = np.unique(levels[kept], return_inverse=True)[1].astype(np.int64)
    order = np.argsort(levels, kind="stable")
    integers, levels = integers[kept[order]], levels[order]
    each = measures(integers, resolution - 1)
    kernels = reference if each.limbs is None else backend
    counts = np.zeros((3, resolution, resolution), dtype=np.int64)
    block = max(1, threads) * max(1, min(16, 100_000 // max(1, len(kept))))
    for start, stop in blocks(resolution, block, progress):
        counts[:, start:stop] = kernels.correlation_rows(each, levels, resolution, start, stop, spearman, threads)
    shared, first, second = counts.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(shared / np.sqrt(first * second))


spearman_map: Callable[..., Floats] = partial(tau_b_map, spearman=True)


def rank_at(
    sides: Sides, sizes: Integers, rank: int, threads: int = 1, progress: Progress | None = None
) -> tuple[Integers, Flags]:
    """Return one performance per place that is at the rank by R_{a,b}, and where rounding may have decided which.

    Rank 1 is the best, or, with ``inverted`` sides, the worst. Measure k of the sides stands for ``sizes[k]`` equal
    performances. Both arrays are (resolution, resolution), at a = j/m, b = i/m; −1 where fewer than ``rank`` are
    defined. Where the second is true another performance is equal, or so close that integers must decide.
    ``progress`` is called with the number of rows done.

    >>> sides = Sides(np.array([[9, 1, 4, 6], [8, 2, 2, 8]]), 3)
    >>> rank_at(sides, np.array([2, 1]), 2)[0].tolist()
    [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    """
    resolution = sides.resolution
    at = np.empty((resolution, resolution), dtype=np.int64)
    close = np.empty(at.shape, dtype=bool)
    sizes = np.ascontiguousarray(sizes, dtype=np.int64)
    block = max(1, threads) * 8
    for start, stop in blocks(resolution, block, progress):
        at[start:stop], close[start:stop] = backend.rank_rows(sides, sizes, rank, start, stop, threads)
    return at, close


def value_maps(mass: Floats, a: Floats, b: Floats) -> Floats:
    """Return R_{a,b} of n measures: (n, len(b), len(a)), larger is better; NaN where it is undefined.

    >>> value_maps(np.array([[0.5, 0.1, 0.1, 0.3]]), np.array([0.0, 1.0]), np.array([0.5])).round(3)
    array([[[0.833, 0.75 ]]])
    """
    gain = ((1 - a) * mass[:, :1] + a * mass[:, 3:])[:, None, :]
    due = gain + ((1 - b) * mass[:, 1:2] + b * mass[:, 2:3])[:, :, None]
    with np.errstate(invalid="ignore"):
        return np.divide(gain, due, out=due)

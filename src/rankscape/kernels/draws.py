"""Many draws of the same entities: who is first at each place of the Tile, and the ranks of one of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats
from . import backend, reference
from .grid import ROUNDING, Progress, blocks
from .measures import fits

BLOCK = 4 * 10**8
"""About how many comparisons pass between two moments at which Python may be interrupted."""

MOST = 2 * 10**5
"""About how many numbers of one draw NumPy holds at once."""


def first_counts(draws: NDArray[Any], resolution: int, threads: int = 1, progress: Progress | None = None) -> Floats:
    """Return in how many of the draws each is first at a = j/m, b = i/m: (n, resolution, resolution); ties share.

    ``draws`` (draws, n, 4) are floats, of which only equal ones tie, or integers, which are compared exactly.
    ``progress`` is called with the number of rows done; what it raises, such as KeyboardInterrupt, ends the map.

    >>> first_counts(np.array([[[9, 1, 4, 6], [8, 2, 2, 8]]]), 3)[1].tolist()
    [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    count, n, _ = draws.shape
    whole = draws.dtype.kind != "f"
    kernels = backend if not whole or fits(draws.reshape(-1, 4), resolution - 1) else reference
    block = max(4, MOST // (n * resolution))
    if kernels.COMPILED:
        draws = np.ascontiguousarray(draws, dtype=np.int64 if whole else np.float64)
        block = max(1, threads, BLOCK // max(1, 20 * count * resolution))
    out = np.empty((n, resolution, resolution))
    for start, stop in blocks(resolution, block, progress):
        out[:, start:stop] = kernels.first_rows(draws, resolution, ROUNDING, start, stop, threads)
    return out


def ranks_in_draws(
    draws: NDArray[Any], row: int, defined: Flags, progress: Progress | None = None
) -> tuple[Floats, Floats]:
    """Return the best and the worst rank of one of n at every place of the Tile in each of the draws, ties included.

    Both are (draws, resolution, resolution), NaN where it has no score; they differ where it is tied. ``draws`` are as
    in :func:`first_counts`; ``defined`` (n, resolution, resolution) says who is compared where. ``progress`` is
    called with the number of draws done.

    >>> everybody = np.ones((2, 3, 3), dtype=bool)
    >>> best, worst = ranks_in_draws(np.array([[[9, 1, 4, 6], [8, 2, 2, 8]]]), 0, everybody)
    >>> best[0].tolist(), worst[0, 0].tolist()
    ([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]], [1.0, 1.0, 1.0])
    """
    count, n, _ = draws.shape
    m = defined.shape[1] - 1
    if draws.dtype.kind != "f" and int(draws.sum(axis=2).max()) * max(m, 1) >= 2**31:  # products would not fit
        draws = draws.astype(object)
    best, worst = (np.full((count, m + 1, m + 1), np.nan) for _ in range(2))
    at, chunk = np.arange(m + 1), max(1, MOST * 10 // (n * (m + 1)))
    for start, stop in blocks(count, chunk, progress):
        tn, fp, fn, tp = np.moveaxis(draws[start:stop], -1, 0)[..., None]
        right = (m - at) * tn + at * tp  # (draws, n, columns)
        for i in at.tolist():
            wrong = (m - i) * fp + i * fn  # (draws, n, 1)
            others = defined[:, i] & (right + wrong > 0)
            ahead = right * wrong[:, row : row + 1] - right[:, row : row + 1] * wrong
            better, equal = ((side & others).sum(axis=1) for side in (ahead > 0, ahead == 0))
            compared = others[:, row]
            best[start:stop, i] = np.where(compared, 1.0 + better, np.nan)
            worst[start:stop, i] = np.where(compared, better + equal, np.nan)
    return best, worst

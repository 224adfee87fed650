"""Many draws of the same entities: who is first at each place of the Tile."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
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

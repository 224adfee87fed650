"""Many draws of the same entities: who is first at each place of the Tile, and the ranks of one of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import twins
from .grid import ROUNDING
from .native import load
from .pairs import fits

BLOCK = 4 * 10**8
"""About how many comparisons pass between two moments at which Python may be interrupted."""

MOST = 2 * 10**5
"""About how many numbers of one draw NumPy holds at once."""

native = load()


def first_counts(
    draws: NDArray[Any], resolution: int, threads: int = 1, progress: Callable[[int], object] | None = None
) -> NDArray[np.int32]:
    """Return in how many of the draws each is first at a = j/m, b = i/m: (n, resolution, resolution), ties included.

    ``draws`` (draws, n, 4) are floats, of which only equal ones tie, or integers, which are compared exactly.
    ``progress`` is told how many rows are done; what it raises, such as KeyboardInterrupt, ends the map.

    >>> first_counts(np.array([[[9, 1, 4, 6], [8, 2, 2, 8]]]), 3)[1].tolist()
    [[0, 0, 0], [1, 1, 1], [1, 1, 1]]
    """
    count, n, _ = draws.shape
    whole = draws.dtype.kind != "f"
    compiled = native if not whole or fits(draws.reshape(-1, 4), resolution) else None
    if compiled is not None:
        draws = np.ascontiguousarray(draws, dtype=np.int64 if whole else np.float64)
    block = (
        max(1, threads, BLOCK // max(1, 20 * count * resolution))
        if compiled is not None
        else max(4, MOST // (n * resolution))
    )
    out = np.empty((n, resolution, resolution), dtype=np.int32)
    for start in range(0, resolution, block):
        stop = min(start + block, resolution)
        if compiled is None:
            rows = twins.first_rows(draws, resolution, ROUNDING, start, stop)
        else:
            rows = np.empty((n, stop - start, resolution), dtype=np.int32)
            fill = compiled.first_rows_of_counts if whole else compiled.first_rows
            fill(draws, resolution, ROUNDING, start, stop, threads, rows)
        out[:, start:stop] = rows
        if progress is not None:
            progress(stop)
    return out

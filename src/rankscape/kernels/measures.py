"""Measures as the kernels take them: floats to sort by, and whole numbers to decide what floats cannot."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from .exact import limbs_of, normalized

SMALLEST = 1e-140
"""Shares below this might lose digits in a product of two."""


class Measures(NamedTuple):
    """Performances, (n, 4): tn, fp, fn, tp, each up to a factor of its own.

    ``integers`` are exact; ``mass`` are the same, each rounded once; ``limbs`` are the integers in limbs of
    64 bits, (n, 4, limbs), or None where floats cannot hold the shares.
    """

    integers: NDArray[Any]
    mass: Floats
    limbs: NDArray[np.uint64] | None

    def __len__(self) -> int:
        return len(self.integers)


def measures(integers: NDArray[Any], steps: int) -> Measures:
    """Return measures to be weighed by whole numbers up to ``steps``; the rows of ``integers`` are not all 0.

    >>> measures(np.array([[2, 0, 0, 1]]), 10).limbs.tolist()
    [[[2], [0], [0], [1]]]
    >>> measures(np.array([[2**65, 0, 0, 1]], dtype=object), 10).limbs.tolist()
    [[[0, 2], [0, 0], [0, 0], [1, 0]]]
    """
    if fits(integers, steps):
        integers = np.ascontiguousarray(integers, dtype=np.int64)
        return Measures(integers, integers.astype(np.float64), integers.view(np.uint64)[:, :, None])
    integers = integers.astype(object)
    mass = normalized(integers)
    if ((mass < SMALLEST) & (integers != 0)).any():
        return Measures(integers, mass, None)
    return Measures(integers, mass, limbs_of(integers, least=2))  # of one limb, sums fit into 63 bits


def fits(integers: NDArray[Any], steps: int) -> bool:
    """Tell whether sums of a row, times the number of steps, stay below 2⁶³.

    >>> fits(np.array([[2**40, 0, 0, 1]]), 200), fits(np.array([[2**60, 0, 0, 1]]), 200)
    (True, False)
    """
    if not len(integers) or 4 * steps * int(integers.max()) < 2**63:
        return True
    return int(integers.astype(object).sum(axis=1).max()) * steps < 2**63

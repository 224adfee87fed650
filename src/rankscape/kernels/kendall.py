"""Kendall's τ-b of two series of numbers."""

from math import sqrt

import numpy as np

from ..arrays import Floats
from .backend import inversions
from .exact import float_levels
from .reference import kendall_counts


def tau_b(x: Floats, y: Floats) -> float:
    """Return Kendall's τ-b of two series, none of them undefined (NaN), neither constant.

    The pairs are counted, and the quotient is taken as SciPy takes it, to the last bit: ``scipy.stats`` takes longer to
    load than a command has.

    >>> tau_b(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
    0.6666666666666669
    """
    first, second = float_levels(x), float_levels(y)
    ascending = np.argsort(first, kind="stable")
    shared, untied, other = kendall_counts(first[ascending], second[ascending], inversions)
    return min(1.0, max(-1.0, shared / sqrt(untied) / sqrt(other)))

"""Exact intervals of counts for Matthews' correlation, which falls with fp and rises with tp at given class totals.

Where MCC is some c > 0, N·tp − P·fp = c·√(N·P·τ·(n − τ)) with τ = fp + tp: an arc of an ellipse through (0, 0) and
(N, P), with both of its tangents there outside the rectangle of fp and tp, so that it rises inside; likewise for c < 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ..typing import Flags, Integers

CERTAIN = 1e-9
"""Floats that differ by more are certainly in this order; others are compared as integers."""


def interval_of_correlation(
    least: Fraction,
    most: Fraction,
    negative: Integers,
    positive: Integers,
    axis: int,
    fixed: Integers,
    low: Integers,
    high: Integers,
) -> tuple[Integers, Integers]:
    """Return the fp (``axis`` 0, tp is fixed) or the tp (1, fp is fixed) from low to high with an MCC in an interval.

    >>> ten, half = np.array([10]), Fraction(1, 2)
    >>> interval_of_correlation(half, Fraction(3, 5), ten, ten, 0, np.array([8]), np.array([0]), ten)
    (array([2]), array([3]))
    """
    total = negative + positive
    low, high = np.maximum(low, 1 - fixed), np.minimum(high, total - 1 - fixed)
    high = np.where((negative > 0) & (positive > 0), high, low - 1)

    def reaches(bound: Fraction, strictly: bool) -> Callable[[Integers], Flags]:
        def check(t: Integers) -> Flags:
            fp, tp = (t, fixed) if axis == 0 else (fixed, t)
            return _reaches(bound, negative, positive, fp, tp, strictly)

        return check

    if axis == 0:
        first = _first(lambda t: ~reaches(most, True)(t), low, high)  # MCC ≤ most
        last = _first(lambda t: ~reaches(least, False)(t), low, high) - 1  # MCC ≥ least up to here
    else:
        first = _first(reaches(least, False), low, high)
        last = _first(reaches(most, True), low, high) - 1
    return first, last


def _first(check: Callable[[Integers], Flags], low: Integers, high: Integers) -> Integers:
    """Return the first number from low to high for which a check holds, and with it for all above; else high + 1."""
    below, above = low.copy(), np.maximum(high + 1, low)
    while (open_ := below < above).any():
        middle = (below + above) // 2
        holds = check(np.minimum(middle, np.maximum(high, low)))
        above = np.where(open_ & holds, middle, above)
        below = np.where(open_ & ~holds, middle + 1, below)
    return below


def _reaches(
    bound: Fraction, negative: Integers, positive: Integers, fp: Integers, tp: Integers, strictly: bool
) -> Flags:
    """Tell where MCC ≥ bound, or MCC > bound; floats decide what is clear, integers the rest."""
    predicted = fp + tp
    covariance = negative * tp - positive * fp
    spread = 1.0 * negative * positive * predicted * (negative + positive - predicted)
    difference = covariance / np.sqrt(np.maximum(spread, 1.0)) - float(bound)
    out = difference > 0
    for i in np.flatnonzero((abs(difference) < CERTAIN) & (spread > 0)):
        n, p, t, c = (int(column[i]) for column in (negative, positive, predicted, covariance))
        left = c * abs(c) * bound.denominator**2
        right = bound.numerator * abs(bound.numerator) * n * p * t * (n + p - t)
        out[i] = left > right if strictly else left >= right
    return np.asarray(out)

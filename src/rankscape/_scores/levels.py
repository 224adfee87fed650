"""The order of performances by a score, as levels: decided on integers where floats with known errors leave a doubt."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.exact import quotients
from ..kernels.whole import MOST, Rounded
from ..performances import Performances
from ..typing import Flags, Floats, Integers
from .score import Score


def levels(performances: Performances, by: Score) -> tuple[Integers, bool]:
    """Return a level per performance, 0 for the worst, equal for equivalent ones, −1 for undefined; and whether exact.

    Counts are compared as integers of 64 bits where these suffice. Else floats that know their errors are sorted, and
    those that overlap are compared as ratios of Python's integers. Either way the order is the exact one.
    """
    ratio, exact = by.whole(performances), True
    if ratio is not None:
        order, step = _of_ratios(ratio.top, ratio.bottom)
    elif (rounded := by.rounded(performances)) is not None:
        order, step = _of_rounded(performances, by, rounded)
    else:
        order, step, exact = _of_exact(performances, by)
    out = np.full(len(performances), -1, dtype=np.int64)
    out[order] = np.concatenate([[0], np.cumsum(step)]) if len(order) else order
    if by.direction == "smaller" and len(order):
        out[order] = out[order].max() - out[order]
    return out, exact


def one_per_level(values: Floats, level: Integers) -> Floats:
    """Return scores of which equivalent performances have the same, the least of theirs; NaN where undefined.

    >>> one_per_level(np.array([0.5, 0.3, 0.1 + 0.2]), np.array([-1, 0, 0])).tolist()
    [nan, 0.3, 0.3]
    """
    defined = level >= 0
    least = np.full(level.max(initial=-1) + 1, np.nan)
    np.fmin.at(least, level[defined], values[defined])
    out = np.full(len(values), np.nan)
    out[defined] = least[level[defined]]
    return out


def _of_exact(performances: Performances, by: Score) -> tuple[Integers, Flags, bool]:
    """Return the defined rows from worst to best, which neighbors differ, and whether that is exact."""
    ratio = by.exact(performances)
    if ratio is None:
        order, values = _sorted(by(performances))
        return order, values[1:] != values[:-1], False
    return *_of_ratios(ratio.top, ratio.bottom), True


def _sorted(values: Floats) -> tuple[Integers, Floats]:
    """Return the rows of numbers in ascending order, and the numbers."""
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    return order, values[order]


def _of_ratios(top: NDArray[Any], bottom: NDArray[Any]) -> tuple[Integers, Flags]:
    """Sort ratios of integers: the correctly rounded quotients, then those that are equal as ratios."""
    if top.dtype == object or bottom.dtype == object:
        values = quotients(top, bottom)
    else:
        with np.errstate(all="ignore"):
            values = np.where(bottom == 0, np.nan, top / bottom)
    order, ranked = _sorted(values)
    step = ranked[1:] != ranked[:-1]
    close = np.flatnonzero(~step)
    if len(close):
        i, j = order[close], order[close + 1]
        most = int(np.abs(top).max()) * int(np.abs(bottom).max())
        kind: Any = np.int64 if most <= MOST and top.dtype != object else object
        one, two = top.astype(kind, copy=False), bottom.astype(kind, copy=False)
        apart = np.asarray(one[i] * two[j] != one[j] * two[i], dtype=bool)
        if apart.any():
            order, step = _resolved(order, step, close[apart], top, bottom)
    return order, step


def _resolved(
    order: Integers, step: Flags, apart: Integers, top: NDArray[Any], bottom: NDArray[Any]
) -> tuple[Integers, Flags]:
    """Sort every run of equal floats that holds different fractions."""
    starts = np.concatenate([[0], np.flatnonzero(step) + 1, [len(order)]])
    for run in np.unique(np.searchsorted(starts, apart, side="right") - 1):
        low, high = starts[run], starts[run + 1]
        fractions = {int(i): Fraction(int(top[i]), int(bottom[i])) for i in order[low:high]}
        order[low:high] = sorted(fractions, key=fractions.__getitem__)
        step[low : high - 1] = [fractions[i] != fractions[j] for i, j in pairwise(order[low:high].tolist())]
    return order, step


def _of_rounded(performances: Performances, by: Score, rounded: Rounded) -> tuple[Integers, Flags]:
    """Sort floats whose errors are known, and those whose errors overlap by their exact ratios.

    Rows of which not even the denominator is known are compared exactly with all that they may be equal to: first they
    get the correctly rounded quotient of their exact ratio.
    """
    value, error = rounded.value.copy(), rounded.error.copy()
    unknown = np.flatnonzero(np.isinf(error))
    if len(unknown):
        ratio = by.exact(performances[unknown])
        if ratio is None:
            return _of_exact(performances, by)[:2]
        value[unknown] = quotients(ratio.top, ratio.bottom)
        error[unknown] = np.abs(value[unknown]) * 2.0**-52 + 2.0**-1074
    order, ranked = _sorted(value)
    if not len(order):
        return order, np.empty(0, dtype=bool)
    with np.errstate(invalid="ignore"):  # quotients beyond floats are infinite, and compared exactly with all others
        high = np.maximum.accumulate(ranked + error[order])
        low = np.minimum.accumulate((ranked - error[order])[::-1])[::-1]
    certain = low[1:] > np.nextafter(high[:-1], np.inf)  # the ends of the intervals are rounded, too
    run = np.concatenate([[0], np.cumsum(certain)])
    doubtful = np.flatnonzero(np.bincount(run)[run] > 1)
    if not len(doubtful):
        return order, certain
    rows = order[doubtful]
    ratio = by.exact(performances[rows])
    if ratio is None:
        return _of_exact(performances, by)[:2]
    ascending, step = _of_ratios(ratio.top, ratio.bottom)
    level = np.full(len(rows), -1, dtype=np.int64)
    level[ascending] = np.concatenate([[0], np.cumsum(step)])
    by_level = np.lexsort((level, run[doubtful]))
    order[doubtful] = rows[by_level]
    all_levels = np.zeros(len(order), dtype=np.int64)
    all_levels[doubtful] = level[by_level]
    return order, certain | (all_levels[1:] != all_levels[:-1])

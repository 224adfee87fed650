"""The order of performances by a score, as levels: decided on integers where floats with known errors leave a doubt."""

from __future__ import annotations

import numpy as np

from ..kernels.exact import ascending, ascending_floats, quotients
from ..kernels.whole import Rounded
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
        order, step = ascending(ratio.top, ratio.bottom)
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
        order, values = ascending_floats(by(performances))
        return order, values[1:] != values[:-1], False
    return *ascending(ratio.top, ratio.bottom), True


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
    order, ranked = ascending_floats(value)
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
    by_ratio, step = ascending(ratio.top, ratio.bottom)
    level = np.full(len(rows), -1, dtype=np.int64)
    level[by_ratio] = np.concatenate([[0], np.cumsum(step)])
    by_level = np.lexsort((level, run[doubtful]))
    order[doubtful] = rows[by_level]
    all_levels = np.zeros(len(order), dtype=np.int64)
    all_levels[doubtful] = level[by_level]
    return order, certain | (all_levels[1:] != all_levels[:-1])

"""Which predicted boxes or intervals are which true ones: intersection over union, and matching one to one."""

from typing import Any

import numpy as np

from ..typing import Flags, Floats


def overlaps(true: Floats, predicted: Floats) -> Floats:
    """Return the intersection over union of boxes (k, 2d) and (l, 2d): lower corner, then upper corner; (k, l).

    Intervals have d = 1, boxes (x1, y1, x2, y2) have d = 2. Two of size 0 have no union: 0.

    >>> overlaps(np.array([[0.0, 2.0]]), np.array([[1.0, 3.0], [0.0, 1.0]])).round(3).tolist()
    [[0.333, 0.5]]
    """
    d = true.shape[1] // 2
    low = np.maximum(true[:, None, :d], predicted[None, :, :d])
    high = np.minimum(true[:, None, d:], predicted[None, :, d:])
    one, two = true[:, None, d:] - true[:, None, :d], predicted[None, :, d:] - predicted[None, :, :d]
    scale = -np.frexp(np.maximum(one, two))[1]  # by powers of two, so that products of sides stay what they are
    both, one, two = (np.ldexp(sides, scale).prod(axis=-1) for sides in (np.clip(high - low, 0, None), one, two))
    union = one + two - both
    return np.asarray(np.divide(both, union, out=np.zeros_like(both), where=union > 0))


def optimal(value: Floats, eligible: Flags) -> int:
    """Return the size of the matching that has the most pairs, and among those the largest sum of values in [0, 1].

    >>> optimal(np.array([[0.9, 0.6], [0.7, 0.0]]), np.array([[True, True], [True, False]]))
    2
    """
    from scipy.optimize import linear_sum_assignment

    gain = np.where(eligible, min(value.shape) + 1 + value, 0.0)  # one more pair outweighs all values
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return int(eligible[rows, columns].sum())


def greedy(value: Floats, eligible: Flags, scores: Floats) -> int:
    """Return the size of the matching in which predictions, the highest score first, take the best free true one.

    Equal scores keep their order, and of equal values the first true one is taken.

    >>> greedy(
    ...     np.array([[0.9, 0.6], [0.7, 0.0]]),
    ...     np.array([[True, True], [True, False]]),
    ...     np.array([0.8, 0.9]),
    ... )
    2
    """
    free = eligible.copy()
    matched = 0
    for column in np.argsort(-scores, kind="stable"):
        candidates = np.where(free[:, column], value[:, column], -1.0)
        best = int(candidates.argmax())
        if candidates[best] >= 0:
            free[best] = False
            matched += 1
    return matched


def alike(true: Any, predicted: Any) -> Flags:
    """Return which labels are equal, (k, l)."""
    one, two = np.asarray(true), np.asarray(predicted)
    if one.dtype.kind != two.dtype.kind:  # compared as they are: numpy rounds large integers beside floats
        one, two = one.astype(object), two.astype(object)
    return np.asarray(one[:, None] == two[None, :], dtype=bool)

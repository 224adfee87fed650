"""Counting outcomes: from labels, and from scores at all thresholds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def confusion(truth: NDArray[np.bool_], predicted: NDArray[np.bool_], weight: NDArray[Any] | None) -> NDArray[Any]:
    """Count tn, fp, fn, tp for truth (m,) and predictions (k, m): an array (k, 4), integer if the weights are."""
    code = 2 * truth.astype(np.int64) + predicted
    return np.stack([weighted_bincount(row, weight, 4) for row in code])


def weighted_bincount(code: NDArray[np.int64], weight: NDArray[Any] | None, size: int) -> NDArray[Any]:
    """Sum the weights of every code below ``size``, in integers where the weights are."""
    if weight is None:
        return np.bincount(code, minlength=size)
    counts = np.zeros(size, dtype=weight.dtype)
    np.add.at(counts, code, weight)
    return counts


def operating_points(
    truth: NDArray[np.bool_], score: NDArray[Any], weight: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count (k, 4) at every distinct threshold t ("positive if score ≥ t"), from none positive (t = ∞) to all.

    Tied scores change sides together, so k is the number of distinct scores plus one.
    """
    order = np.argsort(-score, kind="stable")
    truth, score = truth[order], score[order]
    weight = np.ones(len(score), dtype=np.int64) if weight is None else weight[order]
    last_of_tie = np.append(np.flatnonzero(np.diff(score)), len(score) - 1)
    zero = np.zeros(1, dtype=weight.dtype)
    tp = np.concatenate([zero, np.cumsum(weight * truth)[last_of_tie]])
    fp = np.concatenate([zero, np.cumsum(weight * ~truth)[last_of_tie]])
    thresholds = np.concatenate([[np.inf], score[last_of_tie]])
    return np.stack([fp[-1] - fp, fp, tp[-1] - tp, tp], axis=-1), thresholds

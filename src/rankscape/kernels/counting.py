"""Counting outcomes: from labels, and from scores at all thresholds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers


def confusion(truth: Flags, predicted: Flags, weight: NDArray[Any] | None) -> NDArray[Any]:
    """Count tn, fp, fn, tp for truth (m,) and predictions (k, m): an array (k, 4), integer if the weights are."""
    code = 2 * truth.astype(np.int64) + predicted
    return np.stack([weighted_bincount(row, weight, 4) for row in code])


def weighted_bincount(code: Integers, weight: NDArray[Any] | None, size: int) -> NDArray[Any]:
    """Sum the weights of every code below ``size``, in integers where the weights are."""
    if weight is None:
        return np.bincount(code, minlength=size)
    counts = np.zeros(size, dtype=weight.dtype)
    np.add.at(counts, code, weight)
    return counts


def operating_points(
    truth: Flags, score: NDArray[Any], weight: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count (k, 4) at every distinct threshold t ("positive if score ≥ t"), from none positive (t = ∞) to all.

    Tied scores change sides together, so k is the number of distinct scores plus one.
    """
    if weight is None and score.dtype != object:
        score, truth = _ranked(truth, score)
        kind: Any = np.int64
    else:
        order = np.argsort(-score, kind="stable")
        score, truth = score[order], truth[order]
        weight = np.ones(len(score), dtype=np.int64) if weight is None else weight[order]
        kind = weight.dtype
    last_of_tie = np.append(np.flatnonzero(score[1:] != score[:-1]), len(score) - 1)
    out = np.zeros((len(last_of_tie) + 1, 4), dtype=kind)
    tp, fp = out[1:, 3], out[1:, 1]
    if weight is None:
        tp[:] = np.cumsum(truth, dtype=np.int64)[last_of_tie]
        np.subtract(last_of_tie + 1, tp, out=fp)
    else:
        tp[:] = np.cumsum(weight * truth)[last_of_tie]
        fp[:] = np.cumsum(weight * ~truth)[last_of_tie]
    np.subtract(fp[-1], out[:, 1], out=out[:, 0])
    np.subtract(tp[-1], out[:, 3], out=out[:, 2])
    return out, np.append(np.inf, score[last_of_tie])


def _ranked(truth: Flags, score: Floats) -> tuple[Floats, Flags]:
    """Return scores in decreasing order and which are those of positives, in about the time of one sort.

    Scores that are float32 leave the lowest bit of a float64 free for the label, and are sorted with it; others are
    sorted per class, and two sorted runs merge in linear time.
    """
    score = score + 0.0  # −0 is 0
    with np.errstate(over="ignore"):
        narrow = bool((score.astype(np.float32) == score).all())
    if narrow:
        packed = (score.view(np.int64) | truth).view(np.float64)
        packed.sort()
        bits = packed.view(np.int64)
        return (bits & ~np.int64(1)).view(np.float64)[::-1], (bits & 1).astype(bool)[::-1]
    runs = np.concatenate([np.sort(score[truth]), np.sort(score[~truth])])
    order = np.argsort(runs, kind="stable")
    return runs[order][::-1], (order < np.count_nonzero(truth))[::-1]

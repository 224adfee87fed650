"""Clustering: Ω = {tn, fp, fn, tp}, of pairs of elements.

Thought experiment: draw two different elements; the pair is positive in a clustering that puts both into one cluster,
and negative in one that does not. tp: positive in the truth and in the prediction, and so on. (Foundations, A.2.5.)

These are the outcomes of two classes, so that everything for two classes holds: accuracy is the Rand index, Cohen's
kappa is the adjusted Rand index (sound, for all clusterings of the same elements share the prior), and the
Fowlkes-Mallows index is not sound.

>>> import rankscape as rs
>>> truth = ["a", "a", "a", "b", "b", "c"]
>>> P = rs.tasks.clustering.evaluate(
...     truth, {"few": [0, 0, 0, 0, 0, 1], "many": [0, 0, 1, 2, 2, 3]}
... )
>>> P.counts.tolist()
[[5, 6, 0, 4], [11, 0, 2, 2]]
>>> (
...     rs.score("Rand index")(P).round(3).tolist(),
...     rs.score("adjusted Rand index")(P).round(3).tolist(),
... )
([0.6, 0.867], [0.308, 0.595])
>>> rs.regions.winners(P)  # for some, false pairs do not matter
('few', 'many')

"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..typing import Integers, PredictionsLike
from .entities import elements, pairs_inside

__all__ = ["SPACE", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = TWO_CLASS
"""The outcomes of a pair of elements: those of two-class classification."""

DENSEST = 2**22
"""Contingency tables up to this size are counted cell by cell; larger ones by sorting what occurs."""


def evaluate(
    labels_true: ArrayLike, labels_pred: PredictionsLike, *, names: Sequence[object] | None = None
) -> Performances:
    """Return the performances of clusterings: counts of the n(n−1)/2 pairs of elements, exactly.

    Pairs are counted from the contingency table, in O(n) for small integers and O(n log n) else, never one by one;
    unlike in scikit-learn's ``pair_confusion_matrix`` each counts once. The adjusted Rand index of two clusterings that
    are both one cluster, or both single elements, is 0/0 and undefined here; scikit-learn says 1. (Foundations, A.2.5.)

    Parameters
    ----------
    labels_true : (n,)
        The true cluster of each element. Labels are any values, only whether they are equal counts; −1 is a cluster as
        any other.
    labels_pred : (n,), (k, n), or a mapping of names to (n,)
        The clusterings; a data frame has one column per clustering.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per clustering.

    Raises
    ------
    DataError
        For fewer than two elements.

    See Also
    --------
    rankscape.rank
    rankscape.Performances

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.clustering.evaluate([0, 0, 1, 1], [0, 0, 0, 1]).counts.tolist()
    [[2, 2, 1, 1]]
    """
    entities, true, predicted = elements(labels_true, labels_pred, names)
    clusters = _codes(true)
    return Performances.from_counts(
        [_pairs(clusters, _codes(row), len(true)) for row in predicted], names=entities, space=SPACE
    )


def _codes(labels: NDArray[Any]) -> Integers:
    """Return whole numbers from 0, equal where the labels are."""
    if labels.dtype.kind in "iub":
        low, high = int(labels.min()), int(labels.max())
        if high < 2**63 and high - low <= 2 * len(labels):
            return np.asarray(labels.astype(np.int64) - low)
    if labels.dtype.kind == "O":
        known: dict[Any, int] = {}
        return np.array([known.setdefault(label, len(known)) for label in labels.tolist()], dtype=np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _pairs(true: Integers, predicted: Integers, n: int) -> list[int]:
    """Return tn, fp, fn, tp of pairs, from the squares of the sizes of clusters and of their intersections."""
    width = int(predicted.max()) + 1
    cells = true * width + predicted
    dense = (int(true.max()) + 1) * width <= max(DENSEST, 2 * n)
    sizes = np.bincount(cells) if dense else np.unique(cells, return_counts=True)[1]
    both, in_truth, in_prediction = (pairs_inside(s) for s in (sizes, np.bincount(true), np.bincount(predicted)))
    fp, fn = in_prediction - both, in_truth - both
    return [n * (n - 1) // 2 - both - fp - fn, fp, fn, both]

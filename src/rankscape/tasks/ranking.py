"""Ranking: Ω = {discordant, concordant}, of pairs of elements.

Thought experiment: draw two different elements; the pair is concordant if truth and prediction have them in the same
order, else discordant. With S = −1 and S = 1 the expected satisfaction is Kendall's τ; all ranking scores order alike,
for there is one satisfying and one unsatisfying outcome. (Foundations, A.2.6.)

>>> import rankscape as rs
>>> P = rs.tasks.ranking.evaluate([1, 2, 3, 4], {"close": [1, 2, 4, 3], "far": [4, 2, 3, 1]})
>>> P.counts.tolist()
[[1, 5], [5, 1]]
>>> rs.score("tau", P.space)(P).round(4).tolist(), list(rs.rank(P, by="tau"))
([0.6667, -0.6667], ['close', 'far'])

"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import one_line
from ..checks.labels import refuse_other_order
from ..errors import DataError, UsageError
from ..kernels.backend import inversions
from ..outcomes import SampleSpace
from ..performances import Performances
from ..texts import counted
from ..typing import Integers, PredictionsLike
from .entities import elements, numbers, pairs_inside

__all__ = ["SPACE", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = SampleSpace(
    "ranking",
    ("discordant", "concordant"),
    satisfaction=(-1.0, 1.0),
    scores={"tau": (1, 1), "kendall tau": (1, 1), "kendall": (1, 1), "tau a": (1, 1)},
)
"""The outcomes of a pair of elements, with the satisfactions that make Kendall's τ."""


def evaluate(
    y_true: ArrayLike,
    y_pred: PredictionsLike,
    *,
    ties: Literal["error", "split"] = "error",
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of rankings: counts of discordant and concordant pairs, exactly, in O(n log n).

    (Foundations, A.2.6.)

    Parameters
    ----------
    y_true : (n,)
        A number per element, its rank or its relevance.
    y_pred : (n,), (k, n), or a mapping of names to (n,)
        The rankings, in the same sense (both small for first, or both large); a data frame has one column per ranking.
    ties
        "error" refuses tied elements; "split" counts a pair that is tied in the truth or in the prediction half as
        concordant and half as discordant (all counts are then doubled), which makes τ Kendall's τ-a.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per ranking.

    Raises
    ------
    DataError
        For ties, and for fewer than two elements.
    UsageError
        For an unknown ``ties``.

    See Also
    --------
    rankscape.kendall_tau

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.ranking.evaluate([1, 2, 3], [1, 1, 2], ties="split").counts.tolist()
    [[1, 5]]
    """
    if ties not in ("error", "split"):
        raise UsageError(f"ties={ties!r}: expected 'error' or 'split'")
    refuse_other_order(y_true, y_pred, elements=True)
    entities, true, predicted = elements(y_true, y_pred, names)
    order, tied_in_truth = _levels(true, "true")
    if ties == "error":
        _refuse_tied(tied_in_truth, "the truth")
    counts = []
    for i, row in enumerate(predicted):
        other, tied = _levels(row, "predicted")
        if ties == "error":
            _refuse_tied(tied, f'entity "{one_line(str(entities[i]))}"' if entities else f"prediction {i + 1}")
        discordant, concordant, split = _pairs(order, other, tied_in_truth + tied)
        counts.append([2 * discordant + split, 2 * concordant + split] if ties == "split" else [discordant, concordant])
    return Performances.from_counts(np.array(counts, dtype=object), names=entities, space=SPACE)


def why_not(name: str, parts: Collection[str]) -> str | None:
    """Say why a correlation of ranks is no score of pairs; None for other names."""
    if name in ("taub", "tauc", "kendalltaub", "kendalltauc", "spearman", "spearmanr", "rho"):
        return "it needs more than the pairs that are concordant and discordant; without ties tau is τ-a, τ-b and τ-c"
    return None


def _refuse_tied(tied: int, where: str) -> None:
    if tied:
        way_out = 'ties="split" counts a tied pair half as concordant, half as discordant'
        raise DataError(f"{where}: {counted(tied, 'pair is', 'pairs are')} tied; expected different numbers: {way_out}")


def _levels(values: NDArray[Any], what: str) -> tuple[Integers, int]:
    """Return ranks from 0, equal where the values are, and the number of tied pairs."""
    if values.dtype.kind not in "iubmMO":
        values = numbers(values, what)
    elif values.dtype.kind == "O" and not all(isinstance(value, (int, Fraction)) for value in values):
        values = numbers(values, what).astype(object)
    _, levels, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return levels.astype(np.int64), pairs_inside(sizes)


def _pairs(true: Integers, predicted: Integers, tied: int) -> tuple[int, int, int]:
    """Return the numbers of discordant, concordant and tied pairs."""
    n = len(true)
    discordant = inversions(
        predicted[np.lexsort((predicted, true))]
    )  # those tied in the truth ascend: none of them is inverted
    if tied:
        tied -= pairs_inside(np.unique(true * n + predicted, return_counts=True)[1])
    return discordant, n * (n - 1) // 2 - discordant - tied, tied

"""Regression: Ω = ℝ², pairs (truth, prediction); a performance is an empirical measure of weighted pairs.

Thought experiment: draw a case, ask the oracle for its value and the regressor for another; the outcome is the pair.
The satisfaction is a decreasing function of the error |y − ŷ|, the importance a function of the truth. With equal
importance and S = −|y − ŷ| the ranking score is minus the mean absolute error, with S = −(y − ŷ)² minus the mean
squared error: both are sound. Where S is minus an error, values are errors: smaller is better. (Foundations, A.2.2.)

>>> import rankscape as rs
>>> truth = [1.0, 2.0, 3.0, 10.0]
>>> P = rs.tasks.regression.evaluate(truth, {"steady": [2, 3, 4, 11], "sharp": [1, 2, 3, 13.5]})
>>> ranking = rs.rank(P, by="mae")
>>> ranking.score.direction, ranking.table()["entity"], ranking.table()["value"]
('smaller', ['sharp', 'steady'], [0.875, 1.0])
>>> within = rs.rank(P, by="within(0.5)")  # the share of errors up to 0.5
>>> rs.rank(P, by="mse").best, within.best
(frozenset({'steady'}), frozenset({'sharp'}))
>>> relative = rs.tasks.regression.criterion(
...     "absolute",
...     importance=lambda y: 1 / y,  # as mean |y − ŷ| / y
... )
>>> rs.compare(P["steady"], P["sharp"], by=relative)
'worse'

"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_names, checked_weights
from ..checks.labels import refuse_other_order
from ..typing import PredictionsLike
from .criteria import Criterion, criterion, values
from .entities import columns, numbers
from .pairs import Pairs, pairs_of

__all__ = ["Criterion", "Pairs", "criterion", "evaluate", "values"]
__dir__ = __all__.copy  # dir() lists the public names


def evaluate(
    y_true: ArrayLike,
    y_pred: PredictionsLike,
    *,
    sample_weight: ArrayLike | None = None,
    names: Sequence[object] | None = None,
) -> Pairs:
    """Return the performances of regressors: empirical measures of weighted pairs (truth, prediction).

    (Foundations, A.2.2.)

    Parameters
    ----------
    y_true : (m,)
        The true values, finite numbers. Whole numbers of any size, fractions, decimals and decimal texts stay exact.
    y_pred : (m,), (n, m), or a mapping of names to (m,)
        The predicted values; a data frame has one column per entity.
    sample_weight : (m,), optional
        The weight of each case, ≥ 0; by default 1.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Pairs
        What :func:`rankscape.rank` ranks.

    Raises
    ------
    DataError
        For what is missing, infinite or of another length.

    See Also
    --------
    rankscape.tasks.regression.criterion
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.regression.evaluate([1, 2, 4], [1, 3, 2])
    <Pairs: 1 entity, 3 pairs (truth, prediction) each>
    """
    entities, true, predicted = columns(y_true, y_pred, names)
    refuse_other_order(y_true, sample_weight, "weights")
    weight = checked_weights(sample_weight, len(true))
    names_, _ = checked_names(len(predicted), entities, None)
    weights = np.ones(len(true), dtype=np.int64) if weight is None else weight.plain
    return pairs_of(numbers(true, "true"), numbers(predicted, "predicted"), weights, names_)

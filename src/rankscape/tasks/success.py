"""Success: Ω = {failure, success}, of cases that succeed or fail, such as questions answered or tests passed.

Thought experiment: draw a case and look whether the entity succeeds. With S = (0, 1) the ranking score of equal
importance is the accuracy, P(success), and all ranking scores order as it does. A graded case, such as one with a Dice
coefficient, succeeds as far as its grade says: P(success) is then the mean grade, and no accuracy.

>>> import rankscape as rs
>>> P = rs.tasks.success.from_counts([41, 43], [50, 50], names=["small", "large"])
>>> rs.rank(P).table()["entity"], rs.score("error rate", P.space)(P).tolist()
(['large', 'small'], [0.18, 0.14])
>>> graded = rs.tasks.success.from_grades({"small": [1, 0.5, 0], "large": [1, 0.5, 0.25]})
>>> rs.rank(graded).score.name, rs.rank(graded).values.round(4).tolist()
('mean grade', [0.5, 0.5833])

Tables with one row per case, read by :func:`rankscape.cases`, say which cases the entities share, so that all that
follows is paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import array_of
from ..checks import checked_counts, checked_names
from ..checks.labels import stacked_predictions
from ..errors import DataError, Place
from ..kernels.exact import fractions_of, integers_of_floats, integers_of_fractions
from ..outcomes import SampleSpace
from ..performances import Performances, shared_of
from ..typing import PredictionsLike
from .entities import labels_of, numbers

__all__ = ["SPACE", "SPACE_WITH_UNANSWERED", "evaluate", "from_counts", "from_grades"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = SampleSpace(
    "success",
    ("failure", "success"),
    satisfaction=(0.0, 1.0),
    scores=dict.fromkeys(("accuracy", "success rate", "pass rate", "share correct"), (1, 1)),
)
"""The outcomes of a case."""

SPACE_WITH_UNANSWERED = SampleSpace(
    "success",
    ("failure", "unanswered", "success"),
    satisfaction=(0.0, 0.0, 1.0),
    scores=dict.fromkeys(SPACE.scores, (1, 1, 1)) | {"accuracy when answered": (1, 0, 1)},
)
"""The outcomes of a case that may also be left unanswered, which is no success."""

_COLUMNS = SampleSpace("success", ("correct", "total"))


def is_right_or_wrong(space: SampleSpace) -> bool:
    """Tell whether the cases of a sample space are right or wrong, so that texts speak of right answers.

    >>> is_right_or_wrong(SPACE), is_right_or_wrong(SampleSpace("coin", ("heads", "tails")))
    (True, False)
    """
    return space.outcomes in (SPACE.outcomes, SPACE_WITH_UNANSWERED.outcomes)


def graded(metric: str, unanswered: bool = False) -> SampleSpace:
    """Return the outcomes of cases that have grades: all that their only score measures is the mean of a metric.

    >>> graded("dice").scores, graded("dice") == graded("iou")
    ({'mean dice': (1, 1)}, False)
    """
    of = SPACE_WITH_UNANSWERED if unanswered else SPACE
    return replace(of, name=metric, scores={f"mean {metric}": (1,) * len(of)})


def mean_of_grades(space: SampleSpace) -> str | None:
    """Return what the mean grade is called, such as "mean dice"; None where cases are right or wrong, or have no grade.

    >>> mean_of_grades(graded("dice")), mean_of_grades(SPACE)
    ('mean dice', None)
    """
    return next((name for name in space.scores if name == f"mean {space.name}"), None)


def from_counts(
    correct: ArrayLike,
    total: ArrayLike,
    names: Sequence[object] | None = None,
    domains: Sequence[object] | None = None,
) -> Performances:
    """Return performances from the number of successes and the number of cases of each row; counts stay counts.

    Parameters
    ----------
    correct : (n,)
        The numbers of successes.
    total : (n,), or a number
        The numbers of cases; one may serve all rows.
    names
        The names of the entities; by default P1, P2, …
    domains
        The domain of each row; by default there are none.

    Returns
    -------
    Performances
        One row per number.

    Raises
    ------
    DataError
        For numbers that are negative, fractional or missing, for more successes than cases, and for rows without a
        case.

    See Also
    --------
    rankscape.read : also of printed accuracies, as columns accuracy and n
    rankscape.cases

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.success.from_counts([3, 4], 5).counts.tolist()
    [[2, 3], [1, 4]]
    """
    columns = [np.atleast_1d(array_of(v, "counts")) for v in (correct, total)]
    if len({column.shape for column in columns if column.size != 1}) > 1:
        shapes = " and ".join(str(column.shape) for column in columns)
        raise DataError(f"correct and total: expected as many of both; got arrays of shapes {shapes}")
    rows = np.stack(np.broadcast_arrays(*columns), axis=-1)
    names_, domains_ = checked_names(len(rows), names, domains)
    successes, cases = checked_counts(rows, names_, _COLUMNS).T
    if (successes > cases).any():
        row = int(np.argmax(successes > cases))
        where = Place(row=row, name=names_[row])
        raise DataError(f"correct = {successes[row]} is more than total = {cases[row]}", where=where)
    return Performances.from_counts(
        np.stack([cases - successes, successes], axis=-1), names=names_, domains=domains_, space=SPACE
    )


def from_both(
    right: Sequence[Any],
    wrong: Sequence[Any],
    names: Sequence[object] | None = None,
    domains: Sequence[object] | None = None,
) -> Performances:
    """Return performances from the numbers of right and of wrong cases of each row.

    >>> from_both([3, 4], [2, 1]).counts.tolist()
    [[2, 3], [1, 4]]
    """
    rows = np.array(list(zip(wrong, right, strict=True)), dtype=object)
    return Performances.from_counts(rows, names=names, domains=domains, space=SPACE)


def right_answers(share: Fraction, unit: Fraction, n: int) -> range:
    """Return the numbers of right answers among n cases whose share rounds to one that is printed in a unit.

    >>> right_answers(Fraction(84, 100), Fraction(1, 100), 50)
    range(42, 43)
    """
    low, high = ((share + sign * unit / 2) * n for sign in (-1, 1))
    return range(max(ceil(low), 0), min(floor(high), n) + 1)


def from_grades(grades: PredictionsLike, names: Sequence[object] | None = None) -> Performances:
    """Return performances from a grade in [0, 1] per case; they remember which cases they share.

    P(success) is the mean grade, exactly that of the floats. Grades that are all 0 or 1 are counted.

    Parameters
    ----------
    grades : (m,), (k, m), or a mapping of names to (m,)
        The grades, larger for better; a data frame has one column per entity.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per entity.

    Raises
    ------
    DataError
        For grades that are missing or outside [0, 1].

    See Also
    --------
    rankscape.cases

    Examples
    --------
    >>> import rankscape as rs
    >>> (
    ...     rs.tasks.success.from_grades([[1, 0, 1], [1, 1, 1]]).counts.tolist(),
    ...     rs.tasks.success.from_grades([0.25, 1]).mass.tolist(),
    ... )
    ([[1, 2], [0, 3]], [[0.375, 0.625]])
    """
    entities, values = stacked_predictions(grades)
    names_, _ = checked_names(len(values), entities if names is None else names, None)
    matrix = numbers(values, "grade")
    if matrix.ndim != 2 or not matrix.size:
        raise DataError(f"expected a grade per case, (m,) or (k, m); got shape {matrix.shape}")
    outside = np.argwhere((matrix < 0) | (matrix > 1))
    if len(outside):
        row, case = outside[0]
        where = Place(row=int(row), name=names_[row])
        raise DataError(f"the grade {matrix[row, case]:g} of case {case + 1} lies outside [0, 1]", where=where)
    m = matrix.shape[1]
    if ((matrix == 0) | (matrix == 1)).all():
        return _from_right(matrix == 1, names_)
    integers = (lambda row: integers_of_fractions(fractions_of(row))) if matrix.dtype == object else integers_of_floats
    exact = [integers(np.append(row, 1)) for row in matrix]
    sums = [[row[-1] * m - row[:-1].sum(), row[:-1].sum()] for row in exact]
    P = Performances.from_exact(np.array(sums, dtype=object), names=names_, space=graded("grade"))
    levels, codes = np.unique(matrix.astype(np.float64, copy=False), return_inverse=True)
    return P.sharing(shared_of(P, codes.reshape(matrix.shape), np.stack([1 - levels, levels], axis=1)))


def _from_right(right: NDArray[Any], names: Sequence[object] | None) -> Performances:
    """Return performances from whether each entity is right, (k, m), which know the cases that they share."""
    P = from_counts(right.sum(axis=1), right.shape[1], names)
    return P.sharing(shared_of(P, right.astype(np.int8)))


def evaluate(y_true: ArrayLike, y_pred: PredictionsLike, *, names: Sequence[object] | None = None) -> Performances:
    """Return the performances of entities whose predictions succeed where they equal the truth.

    Parameters
    ----------
    y_true : (m,)
        The true values.
    y_pred : (m,), (k, m), or a mapping of names to (m,)
        The predictions; a data frame has one column per entity.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per entity.

    Raises
    ------
    DataError
        For values that are missing, or of another kind than the truth.

    See Also
    --------
    rankscape.cases
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.success.evaluate(["B", "D", "A"], {"a": ["B", "C", "A"]}).counts.tolist()
    [[1, 2]]
    """
    entities, true, predicted = labels_of(y_true, y_pred, names)
    return _from_right(predicted == true, entities)

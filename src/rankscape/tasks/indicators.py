"""Indicator matrices of multilabel classification, 0 or 1 per query and label, as sets of results."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..checks.labels import refuse_other_order
from ..errors import DataError
from ..typing import Flags
from .entities import refuse_masked


def from_indicators(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Return truth and predictions as lists of sets where they are indicator matrices, else as they are.

    Raises DataError where one side only is an indicator matrix, or both are of other sizes or labels.
    """
    true = indicator(y_true)
    several = isinstance(y_pred, Mapping) or (true is not None and np.ndim(y_pred) == 3)
    named = isinstance(y_pred, Mapping)
    parts = list(y_pred.values()) if named else list(y_pred) if several else [y_pred]
    arrays = [indicator(part) for part in parts]
    if true is None:
        if any(matrix is not None and matrix.shape[1] > 2 for matrix in arrays):  # two results may be called 0 and 1
            raise DataError(
                "the prediction is an indicator matrix of 0 and 1, the truth is none: give both as matrices (queries, "
                "results), or both as one set or list of results per query"
            )
        return y_true, y_pred
    refuse_other_order(y_true, y_pred)
    rows = []
    for part, matrix in zip(parts, arrays, strict=True):
        if matrix is None or matrix.shape != true.shape:
            got = f"shape {matrix.shape}" if matrix is not None else "something else"
            raise DataError(
                f"the truth is an indicator matrix of shape {true.shape}; expected such matrices of 0 and 1 as "
                f"predictions, too; got {got} (results by name or number go in lists: one set per query on both sides)"
            )
        rows.append(_rows(_like(y_true, part, matrix)))
    names = list(y_pred) if named else [f"P{i + 1}" for i in range(len(rows))]
    return _rows(true), dict(zip(names, rows, strict=True)) if several else rows[0]


def indicator(matrix: Any) -> Flags | None:
    """Return what is an array, a data frame or a sparse matrix (n, k) of 0 and 1; None for anything else.

    >>> (
    ...     indicator(np.array([[0, 1], [1, 1]])).tolist(),
    ...     indicator(np.array([[3, 7]])),
    ...     indicator([[0, 1]]),
    ... )
    ([[False, True], [True, True]], None, None)
    """
    if hasattr(matrix, "toarray"):
        matrix = matrix.toarray()
    elif not isinstance(matrix, np.ndarray) and not hasattr(matrix, "columns"):
        return None
    refuse_masked(matrix, "an indicator matrix")
    array = np.asarray(matrix)
    if array.ndim != 2 or array.dtype.kind not in "biuf" or not array.size or not ((array == 0) | (array == 1)).all():
        return None
    return array.astype(bool)


def _like(one: Any, two: Any, matrix: Flags) -> Flags:
    """Return the columns of the second frame in the order of the first; frames of other columns are refused."""
    if not (hasattr(one, "columns") and hasattr(two, "columns")):
        return matrix
    columns = list(two.columns)
    if set(one.columns) != set(columns):
        alone = next(iter(set(one.columns) ^ set(columns)))
        raise DataError(f"the column {str(alone)!r} is in one indicator frame only: give all frames the same columns")
    return matrix[:, [columns.index(label) for label in one.columns]]


def _rows(matrix: Flags) -> list[frozenset[int]]:
    return [frozenset(np.flatnonzero(row).tolist()) for row in matrix]

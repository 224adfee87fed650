"""Confusion matrices from arrays and data frames: rows are the truth, columns the prediction, classes go by label."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import array_of
from ..errors import DataError, Option
from ..texts import one_line, some

MARGINS = ("all", "total", "sum", "margin")
PREDICTED = ("pred", "predicted", "prediction", "predictions", "ypred", "yhat")
TRUE = ("true", "truth", "actual", "actuals", "ytrue", "target", "reference")
POSITIVE = ("1", "1.0", "true", "pos", "positive", "yes")
NEGATIVE = ("0", "0.0", "-1", "-1.0", "false", "neg", "negative", "no")

Labels: TypeAlias = list[Any]


def stacked(
    given: Any, order: Sequence[Any] | None = None
) -> tuple[list[Any] | None, list[Any] | None, NDArray[np.generic]]:
    """Return the names of the entities, the classes in their order, and the matrices (K, K) or (n, K, K).

    Names and classes are None where nothing names them. Columns of a data frame are brought into the order of its rows,
    by label, and all frames into one order: ``order``, or that of the first.
    """
    names = list(given) if isinstance(given, Mapping) else None
    matrices = list(given.values()) if isinstance(given, Mapping) else [given]
    if isinstance(given, (list, tuple)) and any(hasattr(matrix, "columns") for matrix in given):
        matrices = list(given)
    places = [f'"{one_line(name)}": ' for name in names] if names else [""] * len(matrices)
    classes = [_classes(matrix, where) for matrix, where in zip(matrices, places, strict=True)]
    several = names is not None or len(matrices) > 1
    if all(known is None for known in classes):
        return names, None, _stack(list(map(_array, matrices, places)), several)
    if any(known is None for known in classes):
        raise DataError("some matrices name their classes, others do not: give data frames, or arrays, for all of them")
    order = list(classes[0][0] if order is None else order)  # type: ignore[index]
    aligned = [
        _aligned(_array(matrix, where), known, order, where)
        for matrix, known, where in zip(matrices, classes, places, strict=True)
    ]
    return names, order, _stack(aligned, several)


def _array(matrix: Any, where: str) -> NDArray[Any]:
    return array_of(matrix, f"{where}confusion matrix")


def _stack(arrays: list[NDArray[np.generic]], several: bool) -> NDArray[np.generic]:
    if len({array.shape for array in arrays}) > 1:
        shapes = some([array.shape for array in arrays], 4, quote="", word=str)
        raise DataError(f"expected confusion matrices of the same classes; got the shapes {shapes}")
    return np.stack(arrays) if several else arrays[0]


def _classes(matrix: Any, where: str) -> tuple[Labels, Labels] | None:
    """Return the labels of the rows and of the columns of a data frame; None where neither are given."""
    if not hasattr(matrix, "columns"):
        return None
    columns = list(matrix.columns)
    index: Any = getattr(matrix, "index", None)
    rows = list(index) if index is not None else list(range(len(matrix)))
    for axis, labels, foreign in ((index, "row", PREDICTED), (matrix.columns, "column", TRUE)):
        title = str(getattr(axis, "name", None) or "")
        if title.lower().replace("_", "").replace(" ", "") in foreign:
            raise DataError(f"{where}the {labels}s are called {title!r}; rows must be the truth: transpose it (.T)")
    _refuse_margins(_array(matrix, where), rows, columns, where)
    count = list(range(len(rows)))
    if len(rows) == len(columns):  # one side without names takes those of the other
        if rows == count and all(isinstance(label, str) for label in columns) and set(columns) != set(map(str, count)):
            rows = columns
        elif columns == count and all(isinstance(label, str) for label in rows) and set(rows) != set(map(str, count)):
            columns = rows
    return None if rows == columns == count else (rows, columns)


def _refuse_margins(table: NDArray[Any], rows: Labels, columns: Labels, where: str) -> None:
    for side, labels in (("row", rows), ("column", columns)):
        margin = [label for label in labels if str(label).strip().lower() in MARGINS]
        if margin and (label := margin[0]) == labels[-1] and min(table.shape) > 1:
            lines = table if side == "row" else table.T
            if (lines[-1] == lines[:-1].sum(axis=0)).all():
                raise DataError(
                    f"{where}the {side} {str(label)!r} is a sum of the others, and no class: "
                    f"leave margins out, as in pandas.crosstab(truth, prediction)"
                )


def _aligned(
    table: NDArray[np.generic], known: tuple[Labels, Labels] | None, order: Labels, where: str
) -> NDArray[np.generic]:
    rows, columns = known or (order, order)
    for labels, side in ((rows, "rows"), (columns, "columns")):
        if len(set(labels)) < len(labels):
            raise DataError(f"{where}two {side} have the same label; expected one per class")
    if set(rows) != set(columns) and set(map(str, rows)) == set(map(str, columns)) == set(map(str, order)):
        rows, columns, order = ([str(label) for label in labels] for labels in (rows, columns, order))
    for labels, other, side in ((columns, rows, "column"), (rows, columns, "row"), (rows, order, "row")):
        missing = [label for label in other if label not in labels]
        if missing:
            raise DataError(
                f"{where}rows are the classes {_listed(rows)}, columns {_listed(columns)}; there is no {side} "
                f"{_listed(missing)}: give every class both, zeros where nothing was counted, as in "
                f"frame.reindex(index=classes, columns=classes, fill_value=0)"
            )
    foreign = [label for label in rows if label not in order]
    if foreign:
        raise DataError(
            f"{where}the classes are {_listed(rows)}; expected {_listed(order)}, as of the first or in labels"
        )
    return table[np.ix_([rows.index(label) for label in order], [columns.index(label) for label in order])]


def _listed(labels: Sequence[Any]) -> str:
    return some(labels, 6, quote="", word=one_line)


def negative_first(classes: Sequence[Any] | None) -> bool:
    """Tell whether the first of two classes is the negative one: it is, unless the labels contradict.

    >>> negative_first(["pos", "neg"]), negative_first([0, 1]), negative_first(["cat", "dog"])
    (False, True, True)
    """
    labels = [str(label).strip().lower() for label in classes or ()]
    return not (len(labels) == 2 and labels[0] in POSITIVE and labels[1] in NEGATIVE)


def rows_of_two_classes(given: Any) -> tuple[list[Any] | None, NDArray[Any]]:
    """Return the names, if there are any, and the confusion matrices of two classes as rows tn, fp, fn, tp (n, 4)."""
    names, classes, matrices = stacked(given)
    if matrices.shape[-2:] != (2, 2):
        raise DataError(f"expected confusion matrices (2, 2) or (n, 2, 2), rows = truth; got shape {matrices.shape}")
    if not negative_first(classes):
        matrices = matrices[..., ::-1, ::-1]
    _refuse_rates(matrices)
    return names, matrices.reshape(-1, 4)


def _refuse_rates(matrices: NDArray[Any]) -> None:
    """Refuse confusion matrices whose rows (or columns) were each divided by their sum: the priors are lost."""
    if matrices.dtype.kind == "f" and not np.allclose(matrices.sum(axis=(-2, -1)), 1):
        for axis, how in ((-1, "true"), (-2, "pred")):
            if np.allclose(matrices.sum(axis=axis), 1):
                lines = "row" if axis == -1 else "column"
                raise DataError(
                    f"every {lines} of the matrix sums to 1, as normalized by {how!r}: such rates do not say how "
                    "frequent the classes are",
                    way_out=["pass the counts", Option("normalize", "all")],
                )

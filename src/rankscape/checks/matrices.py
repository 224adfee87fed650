"""Confusion matrices from arrays and data frames: rows are the truth, columns the prediction, classes go by label."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import array_of
from ..errors import DataError, Option
from ..texts import one_line, some
from .positive import positive_class

MARGINS = ("all", "total", "sum", "margin")
PREDICTED = ("pred", "predicted", "prediction", "predictions", "ypred", "yhat", "forecast", "guess")
TRUE = ("true", "truth", "actual", "actuals", "ytrue", "target", "reference", "observed", "gold", "groundtruth")
COMPUTED = 9
"""A number with more decimals was computed, and is not rounded."""

Labels: TypeAlias = list[Any]


class Matrices(NamedTuple):
    """Matrices (K, K) or (n, K, K), and the names of the entities and of the classes, None where nothing names them.

    ``notes`` say what was decided by the words of the axes.
    """

    names: list[Any] | None
    classes: list[Any] | None
    tables: NDArray[np.generic]
    notes: tuple[str, ...] = ()


class LabeledMatrix(NamedTuple):
    """One matrix, the labels of its rows (the truth) and of its columns, None where neither are given, and notes."""

    cells: NDArray[Any]
    labels: tuple[Labels, Labels] | None
    notes: tuple[str, ...] = ()


def stacked(given: Any, order: Sequence[Any] | None = None) -> Matrices:
    """Return matrices as one array.

    Columns of a data frame are brought into the order of its rows, by label, and all frames into one order: ``order``,
    or that of the first.
    """
    names = list(given) if isinstance(given, Mapping) else None
    matrices = list(given.values()) if isinstance(given, Mapping) else [given]
    if isinstance(given, (list, tuple)) and any(hasattr(matrix, "columns") for matrix in given):
        matrices = list(given)
    places = [f'"{one_line(name)}": ' for name in names] if names else [""] * len(matrices)
    read = [labeled_matrix(matrix, where) for matrix, where in zip(matrices, places, strict=True)]
    notes = tuple(dict.fromkeys(note for one in read for note in one.notes))
    several = names is not None or len(matrices) > 1
    if all(one.labels is None for one in read):
        return Matrices(names, None, _stack([one.cells for one in read], several), notes)
    if any(one.labels is None for one in read):
        raise DataError("some matrices name their classes, others do not: give data frames, or arrays, for all of them")
    order = list(read[0].labels[0] if order is None else order)  # type: ignore[index]
    aligned = [
        _aligned(one.cells, one.labels or ([], []), order, where) for one, where in zip(read, places, strict=True)
    ]
    return Matrices(names, order, _stack(aligned, several), notes)


def _stack(arrays: list[NDArray[np.generic]], several: bool) -> NDArray[np.generic]:
    if len({array.shape for array in arrays}) > 1:
        shapes = some([array.shape for array in arrays], 4, quote="", word=str)
        raise DataError(f"expected confusion matrices of the same classes; got the shapes {shapes}")
    return np.stack(arrays) if several else arrays[0]


def labeled_matrix(matrix: Any, where: str) -> LabeledMatrix:
    """Return a matrix with the truth in its rows, without margins, and the labels of a data frame.

    The words of the axes tell which side is the truth: "actual" in the columns, or "predicted" in the rows, turns the
    matrix around.
    """
    cells = array_of(matrix, f"{where}confusion matrix")
    if not hasattr(matrix, "columns"):
        return LabeledMatrix(cells, None)
    columns = list(matrix.columns)
    index: Any = getattr(matrix, "index", None)
    rows = list(index) if index is not None else list(range(len(matrix)))
    titles = [str(getattr(axis, "name", None) or "") for axis in (index, matrix.columns)]
    rows, columns, turned = by_words(rows, columns, titles, where)
    notes: tuple[str, ...] = ()
    if turned:
        cells, rows, columns = cells.T, columns, rows
        notes = ("the columns of the confusion matrix are the truth by their words, and the rows the predictions",)
    cells, rows, columns, left_out = _without_margins(cells, rows, columns)
    notes += left_out
    count = list(range(len(rows)))

    def unnamed(side: Labels, other: Labels) -> bool:
        texts = len(other) == len(count) and all(isinstance(label, str) for label in other)
        return side == count and texts and set(other) != set(map(str, count))

    if unnamed(rows, columns):  # one side without names takes those of the other
        rows = columns
    elif unnamed(columns, rows):
        columns = rows
    numbered = rows == columns == count and not any(isinstance(label, (bool, np.bool_)) for label in rows)
    return LabeledMatrix(cells, None if numbered else (rows, columns), notes)


def by_words(rows: Labels, columns: Labels, titles: Sequence[str], where: str) -> tuple[Labels, Labels, bool]:
    """Return the labels without words such as "actual", and whether these say that the columns are the truth.

    >>> by_words(["Predicted no", "Predicted yes"], ["Actual no", "Actual yes"], ("", ""), "")
    (['no', 'yes'], ['no', 'yes'], True)
    """
    sides: list[str] = []
    plain: list[Labels] = []
    for labels, title in zip((rows, columns), titles, strict=True):
        named = _side(title)
        pieces = [re.match(r"([A-Za-z_ ]+?)[\s:_=-]+(.+)", str(label)) for label in labels]
        sides_of_labels = {_side(piece[1]) if piece else "" for piece in pieces}
        by_label = sides_of_labels.pop() if len(sides_of_labels) == 1 else ""
        plain.append([piece[2] for piece in pieces if piece] if by_label else list(labels))
        sides.append(named or by_label)
    if sides[0] == sides[1] != "":
        raise DataError(f"{where}rows and columns of the matrix are both called {sides[0]}: say which are the truth")
    return plain[0], plain[1], sides[0] == "predicted" or sides[1] == "true"


def _side(text: str) -> str:
    """Return the side of a matrix that a text names: "true", "predicted", or "" for none."""
    plain = re.sub(r"[\W_]+", "", text).casefold()
    plain = re.sub(r"(class|label|value)(es|s)?$", "", plain)
    return "predicted" if plain in PREDICTED else "true" if plain in TRUE else ""


def _without_margins(
    cells: NDArray[Any], rows: Labels, columns: Labels
) -> tuple[NDArray[Any], Labels, Labels, tuple[str, ...]]:
    """Return a matrix without a last row or column that is called a sum, and is one."""
    left_out = []
    for side in ("row", "column"):
        labels, lines = (rows, cells) if side == "row" else (columns, cells.T)
        is_margin = str(labels[-1]).strip().lower() in MARGINS if labels and min(cells.shape, default=0) > 1 else False
        if is_margin and (lines[-1] == lines[:-1].sum(axis=0)).all():
            left_out.append(f"the {side} {one_line(labels[-1])} of the matrix, a sum of the others, is left out")
            cells, rows, columns = (
                (cells[:-1], rows[:-1], columns) if side == "row" else (cells[:, :-1], rows, columns[:-1])
            )
    return cells, rows, columns, tuple(left_out)


def _aligned(
    table: NDArray[np.generic], known: tuple[Labels, Labels], order: Labels, where: str
) -> NDArray[np.generic]:
    rows, columns = known
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
                f"{_listed(missing)}: give every class both, as does "
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


def rows_of_two_classes(given: Any, pos_label: Any = None) -> tuple[Matrices, NDArray[Any], Any]:
    """Return the confusion matrices of two classes, their rows tn, fp, fn, tp (n, 4), and the positive class."""
    matrices = stacked(given)
    tables = matrices.tables
    if tables.shape[-2:] != (2, 2):
        raise DataError(f"expected confusion matrices (2, 2) or (n, 2, 2), rows = truth; got shape {tables.shape}")
    refuse_normalized(tables)
    classes = matrices.classes or [0, 1]  # as documented where nothing names them
    positive = positive_class(classes, pos_label, what="classes")
    if positive == classes[0]:
        tables = tables[..., ::-1, ::-1]
    return matrices, tables.reshape(-1, 4), positive


def refuse_normalized(tables: NDArray[Any], whole: bool = False) -> None:
    """Refuse matrices whose rows, or columns, were each divided by their sum: how frequent the classes are is lost.

    They sum to 1 or 100, within the rounding of their numbers; ``whole`` numbers may be such percentages, too.
    """
    for table in tables.reshape(-1, *tables.shape[-2:]):
        if (normalized := normalized_to(table, whole)) is None:
            continue
        ways: list[Any] = ["give the counts", ("give shares of all cases, as with ", Option("normalize", "all"))]
        if whole and normalized_to(table) is None:
            ways = ['if these are counts of about 100 cases each, say {"counts": [[…], …]}', *ways]
        raise DataError(
            f"this is a normalized matrix: every {normalized[0]} sums to {normalized[1]}, so that it does not say how "
            "frequent the classes are", way_out=ways,
        )  # fmt: skip


def normalized_to(table: NDArray[Any], whole: bool = False) -> tuple[str, int] | None:
    """Return which lines of a matrix sum to what, as in ("row", 100); None where neither rows nor columns do.

    Whole numbers may be percentages, too, if ``whole`` says so: then rows that all sum to 100 count as well.

    >>> normalized_to(np.array([[0.33, 0.33, 0.33], [0, 1, 0], [0.5, 0.3, 0.21]]))
    ('row', 1)
    >>> normalized_to(np.array([[98.2, 1.8], [40, 60]])), normalized_to(np.array([[98, 2], [40, 60]]))
    (('row', 100), None)
    """
    numbers = np.array([[float(cell) for cell in row] for row in table])
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        return None
    decimals = max((decimals_of(cell) for row in table for cell in row if cell != np.floor(float(cell))), default=0)
    if not decimals and not whole:
        return None
    slack = len(numbers) * (0.5 * 10.0**-decimals if decimals <= COMPUTED else 1e-9) + 1e-9
    for unit in (1, 100):
        if abs(numbers.sum() - unit) <= slack or (not decimals and unit == 1):
            continue  # shares of all cases
        for axis, side in ((1, "row"), (0, "column")):
            sums = numbers.sum(axis=axis)
            filled = sums[sums > 0]  # 0 where a class does not occur
            if len(filled) > 1 and (np.abs(filled - unit) <= slack).all():
                return side, unit
    return None


def decimals_of(cell: Any) -> int:
    """Return the number of decimals that a number is written with; 0 for what is none.

    >>> decimals_of(0.25), decimals_of("0.87"), decimals_of(1), decimals_of(None)
    (2, 2, 0, 0)
    """
    try:
        exponent = Decimal(str(cell.item() if hasattr(cell, "item") else cell)).as_tuple().exponent
    except InvalidOperation:
        return 0
    return max(-exponent, 0) if isinstance(exponent, int) else 0

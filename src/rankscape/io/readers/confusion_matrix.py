"""Confusion matrices, rows = truth, columns = prediction, as ``sklearn.metrics.confusion_matrix`` returns them.

In JSON or in Python: one matrix, [[tn, fp], [fn, tp]] of two classes; matrices by model; a list of them; or a matrix
under "matrix" or "confusion_matrix", beside its "labels" or "classes", by model, too.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ...checks.matrices import by_words, normalized_to, stacked
from ...checks.positive import positive_class
from ...errors import DataError, Option
from ...performances import Performances
from ...tasks import multi_class
from ...tasks.classes import class_text
from ...texts import some
from ..cells import integers_of_decimals
from ..content import JSON, Content, How, Reader
from ..counting import positive_of
from ..headers import plain, role
from ..sheets import quoted

_CELLS = ("confusionmatrix", "matrix", "cm", "confusion", "confmat", "counts")
_OF_PLOTS = ({"z"}, {"data"}, {"values"}, {"grid"}, {"image"})
_LABELS = ("labels", "classes", "classnames", "classlabels", "targetnames", "displaylabels")


class _Matrix(NamedTuple):
    """The cells of a matrix, its labels, whether it says itself that it holds counts, and what was decided."""

    cells: list[list[Any]]
    labels: list[str] | None = None
    counts: bool = False
    notes: tuple[str, ...] = ()


def recognise(content: Content) -> bool:
    """Tell whether a content is matrices."""
    return bool(_matrices(content))


def read(content: Content, how: How) -> Performances:
    """Return the performances in confusion matrices: of two classes, or of the pairs of several."""
    given, pos_label = _matrices(content) or {}, how.more.get("pos_label")
    matrices = {name or how.name or content.stem or "P1": matrix for name, matrix in given.items()}
    for name, matrix in matrices.items():
        _check(content, f"the matrix of {quoted(name)}" if len(matrices) > 1 else "the matrix", matrix)
    if "" in given and not isinstance(content.value, Mapping) and len(given[""].cells) == 4:
        raise content.error(
            "four rows of four numbers may be a matrix of four classes, or the counts tn, fp, fn, tp of four models",
            way_out=['name the classes, {"labels": […], "matrix": […]}', 'name the models, {"unet": {"tn": 50, …}, …}'],
        )
    first, one = next(iter(matrices.items()))
    known = one.labels or [str(i) for i in range(len(one.cells))]
    for name, other in matrices.items():
        if len(one.cells) != len(other.cells) or {*(one.labels or ())} != {*(other.labels or ())}:
            what = [some(m.labels, 6, quote="", word=quoted) if m.labels else str(len(m.cells)) for m in (one, other)]
            raise content.error(
                f"{quoted(first)} has the classes {what[0]}, {quoted(name)} {what[1]}", expected="the same in all"
            )
    several, arrays, decimals, positive = len(known) > 2, dict[str, Any](), list[list[Any]](), None
    try:
        if not several or pos_label is not None:
            positive = positive_class(known, pos_label, what="classes")
        order = known[::-1] if not several and positive == known[0] else known
        for name, matrix in matrices.items():
            at = [(matrix.labels or known).index(label) for label in order]
            decimals.append([matrix.cells[i][j] for i in at for j in at])
            is_whole = all(np.isfinite(float(cell)) and cell == int(cell) for cell in decimals[-1])
            cells = np.array([int(cell) for cell in decimals[-1]] if is_whole else decimals[-1], dtype=object)
            arrays[name] = (cells if is_whole else cells.astype(np.float64)).reshape(len(at), len(at))
        made = multi_class.from_confusion_matrix(arrays, labels=known) if several else None
        P = Performances.from_confusion_matrix(arrays) if made is None else made
        if P.counts is None:  # its probabilities are the decimal numbers that were written
            P = replace(P, exact=integers_of_decimals(decimals))
        P = multi_class.one_vs_rest(P, positive) if several and positive is not None else P
    except DataError as error:
        raise error.located(content.where) from None
    P = P.noting(*(note for one in matrices.values() for note in one.notes))
    return P if one.labels is None or positive is None else P.noting(positive=positive_of(P, positive))


def _check(content: Content, what: str, matrix: _Matrix) -> None:
    """Refuse matrices that are not square, other cells than numbers, other labels, shares of a class, correlations."""
    rows, labels = matrix.cells, matrix.labels
    if any(len(row) != len(rows) for row in rows):
        lengths = some(sorted({len(row) for row in rows}), quote="", word=str)
        what = f"{what} has {len(rows)} rows with {lengths} cells"
        raise content.error(what, expected="as many columns as rows, one per class")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if not _is_number(cell):
                what = f"row {i + 1}, column {j + 1} of {what} is {quoted(cell)}"
                raise content.error(what, expected="a number of cases")
    if labels is not None and not len(labels) == len({*labels}) == len(rows):
        what = f"{what} has {len(rows)} rows, and the labels {some(labels, 8, quote='', word=quoted)}"
        raise content.error(what, expected="a different label per row")
    table = np.array(rows, dtype=object)
    if (normalized := normalized_to(table, whole=not matrix.counts)) is not None:
        ways: list[Any] = ["give the counts", ("give shares of all cases, as with ", Option("normalize", "all"))]
        if normalized_to(table) is None:
            ways = ['if these are counts of about 100 cases each, say {"counts": [[…], …]}', *ways]
        raise content.error(
            f"{what} is normalized: every {normalized[0]} sums to {normalized[1]}, so that it does not say how "
            "frequent the classes are", way_out=ways,
        )  # fmt: skip
    numbers = table.astype(np.float64)
    if (numbers != np.floor(numbers)).any() and (numbers == numbers.T).all() and (numbers.diagonal() == 1).all():
        what = f"{what} is symmetric with 1 on its diagonal, as correlations are"
        raise content.error(what, expected="numbers of cases")


# What is given


def _matrices(content: Content) -> dict[str, _Matrix] | None:
    """Return matrices by name, "" for one without a name; None where there are none."""
    value, frame = _listed(content.value), content.given
    if content.source is None and hasattr(type(frame), "index") and hasattr(frame, "columns"):
        axes = [list(axis) for axis in (frame.index, frame.columns)]  # of pandas, of which those of a matrix are alike
        titles = [str(getattr(axis, "name", None) or "") for axis in (frame.index, frame.columns)]
        rows, columns, _ = by_words(axes[0], axes[1], titles, "")
        value = frame if {*map(str, rows)} == {*map(str, columns)} else None
    matrix = _matrix(value)
    if matrix is not None and (isinstance(value, Mapping) or {*map(len, matrix.cells)} == {len(matrix.cells)}):
        return {"": matrix}
    common, given = None, list[tuple[str, Any]]()
    if isinstance(value, Mapping) and {*value} not in _OF_PLOTS:  # by model, perhaps with labels of all of them
        labels = {key: known for key in value if plain(str(key)) in _LABELS and (known := _labels(value[key]))}
        common = next(iter(labels.values()), None)
        given = [(str(key), item) for key, item in value.items() if key not in labels]
    elif isinstance(value, (list, tuple)):
        given = [("", item) for item in value]
    by_name: dict[str, _Matrix] = {}
    for i, (key, item) in enumerate(given):
        if (matrix := _matrix(item)) is None:
            return None
        record = item if isinstance(item, Mapping) and not key else {}
        name = next((str(cell) for header, cell in record.items() if role(str(header)) == "entity"), key or f"P{i + 1}")
        if name in by_name:
            raise content.error(f"{quoted(name)} has two matrices", expected="one per model")
        by_name[name] = matrix if matrix.labels else matrix._replace(labels=common)
    return by_name or None


def _matrix(value: Any) -> _Matrix | None:
    """Return a matrix, with its labels if it has any; None for anything else, also for a frame that is not square."""
    if isinstance(value, Mapping):
        keys = {plain(str(key)): item for key, item in value.items()}
        key = next((key for key in _CELLS if _rows(keys.get(key))), "")
        labels = next(filter(None, (_labels(keys.get(key)) for key in _LABELS)), None)
        return _Matrix(_rows(keys[key]), labels, key == "counts") if key else None
    is_frame = hasattr(value, "columns")
    rows = _rows(np.asarray(value) if is_frame else value)
    if not all(_is_number(cell) or (cell is None and not is_frame) for row in rows for cell in row):
        return None
    if not is_frame or {*map(len, rows)} != {len(rows)}:
        return _Matrix(rows) if rows and not is_frame else None
    matrices = stacked(value)  # without labels the rows and columns are numbered: [[tn, fp], [fn, tp]]
    known = None if matrices.classes is None else list(map(class_text, matrices.classes))
    return _Matrix(matrices.tables.tolist(), known, False, matrices.notes)


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _rows(value: Any) -> list[list[Any]]:
    """Return two or more rows of cells; none for anything else."""
    value = _listed(value)
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        return []
    rows = [list(row) if isinstance(row, (list, tuple, np.ndarray)) else [] for row in value]
    nested = any(isinstance(cell, (list, tuple, Mapping, np.ndarray)) for row in rows for cell in row)
    return rows if not nested and all(rows) and any(len(row) > 1 for row in rows) else []


def _labels(value: Any) -> list[str] | None:
    value = _listed(value)
    are_labels = isinstance(value, (list, tuple)) and all(isinstance(one, (str, Real, Decimal)) for one in value)
    return list(map(class_text, value)) or None if are_labels else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal, np.number)) and not isinstance(value, (bool, np.bool_))


READER = Reader(
    name="confusion-matrix", files="confusion matrices in JSON, rows = truth: of one model, by model, with labels",
    columns="[[tn, fp], [fn, tp]]; or labels and matrix", lacks="no square matrix of numbers", recognise=recognise,
    read=read, holds=JSON, options=("pos_label",),
)  # fmt: skip

"""Confusion matrices, rows = truth, columns = prediction, as ``sklearn.metrics.confusion_matrix`` returns them.

In JSON or in Python: one matrix, [[tn, fp], [fn, tp]] of two classes; matrices by model; a list of them; or a matrix
under "matrix" or "confusion_matrix", beside its "labels" or "classes", by model, too.
"""

from __future__ import annotations

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
    named = _matrices(content) or {}
    matrices = {name or how.name or content.stem or "P1": matrix for name, matrix in named.items()}
    for name, matrix in matrices.items():
        _check(content, f" of {quoted(name)}" if len(matrices) > 1 else "", matrix)
    if "" in named and not isinstance(content.value, Mapping) and len(named[""].cells) == 4:
        raise content.error(
            "four rows of four numbers may be a matrix of four classes, or the counts tn, fp, fn, tp of four models",
            way_out=['name the classes, {"labels": […], "matrix": […]}', 'name the models, {"unet": {"tn": 50, …}, …}'],
        )
    (first, one), *others = matrices.items()
    for name, other in others:
        if len(one.cells) != len(other.cells) or {*(one.labels or ())} != {*(other.labels or ())}:
            what = [some(m.labels, 6, quote="", word=quoted) if m.labels else str(len(m.cells)) for m in (one, other)]
            raise content.error(
                f"{quoted(first)} has the classes {what[0]}, {quoted(name)} {what[1]}", expected="the same in all"
            )
    try:
        P = _performances(matrices, one.labels, how.more.get("pos_label"))
    except DataError as error:
        raise error.located(content.where) from None
    return P.noting(*(note for one in matrices.values() for note in one.notes))


def _performances(matrices: Mapping[str, _Matrix], labels: list[str] | None, pos_label: object) -> Performances:
    """Return the performances in matrices of the same classes, those of the first in order."""
    known = labels or [str(i) for i in range(len(next(iter(matrices.values())).cells))]
    positive = None if len(known) > 2 and pos_label is None else positive_class(known, pos_label, what="classes")
    order = known[::-1] if len(known) == 2 and positive == known[0] else known
    arrays, decimals = {}, []
    for name, matrix in matrices.items():
        at = [(matrix.labels or known).index(label) for label in order]
        cells = [[matrix.cells[i][j] for j in at] for i in at]
        decimals.append([cell for row in cells for cell in row])
        is_whole = all(np.isfinite(float(cell)) and cell == int(cell) for cell in decimals[-1])
        arrays[name] = np.array([[int(c) for c in row] for row in cells] if is_whole else cells, dtype=object)
        arrays[name] = arrays[name] if is_whole else arrays[name].astype(np.float64)
    several = len(known) > 2
    P = (
        multi_class.from_confusion_matrix(arrays, labels=known)
        if several
        else Performances.from_confusion_matrix(arrays)
    )
    if P.counts is None:  # its probabilities are the decimal numbers that were written
        P = replace(P, exact=integers_of_decimals(decimals))
    P = multi_class.one_vs_rest(P, positive) if several and positive is not None else P
    return P if labels is None or positive is None else P.noting(positive=positive_of(P, positive))


def _check(content: Content, of: str, matrix: _Matrix) -> None:
    """Refuse matrices that are not square, other cells than numbers, other labels, shares of a class, correlations."""
    rows = matrix.cells
    if any(len(row) != len(rows) for row in rows):
        lengths = some(sorted({len(row) for row in rows}), quote="", word=str)
        what = f"the matrix{of} has {len(rows)} rows with {lengths} cells"
        raise content.error(what, expected="as many columns as rows, one per class")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if not _is_number(cell):
                what = f"row {i + 1}, column {j + 1} of the matrix{of} is {quoted(cell)}"
                raise content.error(what, expected="a number of cases")
    if matrix.labels is not None and (len(matrix.labels) != len(rows) or len({*matrix.labels}) < len(rows)):
        labels = some(matrix.labels, 8, quote="", word=quoted)
        what = f"the matrix{of} has {len(rows)} rows, and the labels {labels}"
        raise content.error(what, expected="a different label per row")
    table = np.array(rows, dtype=object)
    if (normalized := normalized_to(table, whole=not matrix.counts)) is not None:
        side, unit = normalized
        ways: list[Any] = ["give the counts", ("give shares of all cases, as with ", Option("normalize", "all"))]
        if normalized_to(table) is None:
            ways = ['if these are counts of about 100 cases each, say {"counts": [[…], …]}', *ways]
        raise content.error(
            f"the matrix{of} is normalized: every {side} sums to {unit}, so that it does not say how frequent the "
            "classes are",
            way_out=ways,
        )
    numbers = table.astype(np.float64)
    whole = (numbers == np.floor(numbers)).all()
    if not whole and (numbers == numbers.T).all() and (numbers.diagonal() == 1).all():
        what = f"the matrix{of} is symmetric with 1 on its diagonal, as correlations are"
        raise content.error(what, expected="numbers of cases")


# What is given


def _matrices(content: Content) -> dict[str, _Matrix] | None:
    """Return matrices by name, "" for one without a name; None where there are none."""
    value = content.value.tolist() if isinstance(content.value, np.ndarray) else content.value
    if value is None and content.source is None and hasattr(type(content.given), "index"):  # a data frame of pandas
        frame = _of_frame(content.given) if _has_axes_alike(content.given) else None
        return None if frame is None else {"": frame}
    one = _matrix(value)
    if one is not None and (isinstance(value, Mapping) or {*map(len, one.cells)} == {len(one.cells)}):
        return {"": one}
    common, given = None, list[tuple[str, Any]]()
    if isinstance(value, Mapping) and {*value} not in _OF_PLOTS:  # by model, perhaps with labels of all of them
        labels = {key for key in value if plain(str(key)) in _LABELS and _is_list_of_labels(value[key])}
        common = [str(label) for key in labels for label in value[key]] or None
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
    """Return a matrix, with its labels if it has any; None for anything else."""
    if isinstance(value, Mapping):
        keys = {plain(str(key)): item for key, item in value.items()}
        key = next((key for key in _CELLS if key in keys and _rows(keys[key])), "")
        labels = next((keys[key] for key in _LABELS if _is_list_of_labels(keys.get(key))), None)
        cells = _rows(keys.get(key))
        known = None if labels is None else list(map(class_text, labels))
        return None if cells is None else _Matrix(cells, known, key == "counts")
    if hasattr(value, "columns"):
        return _of_frame(value)
    rows = _rows(value)
    if rows is None or not all(_is_number(cell) or cell is None for row in rows for cell in row):
        return None
    return _Matrix(rows)


def _of_frame(frame: Any) -> _Matrix | None:
    """Return the matrix in a data frame of numbers that is as wide as long; None for any other one.

    Without labels the rows and columns are numbered: [[tn, fp], [fn, tp]].
    """
    width = len(frame.columns)
    if width < 2 or getattr(frame, "shape", None) != (width, width):
        return None
    if not all(_is_number(cell) for cell in np.asarray(frame).ravel().tolist()):
        return None
    matrices = stacked(frame)
    known = None if matrices.classes is None else list(map(class_text, matrices.classes))
    return _Matrix(matrices.tables.tolist(), known, False, matrices.notes)


def _has_axes_alike(frame: Any) -> bool:
    """Tell whether the rows and columns of a data frame are called alike, as those of a matrix are."""
    if not hasattr(frame, "columns"):
        return False
    axes = [frame.index, frame.columns]
    titles = [str(getattr(axis, "name", None) or "") for axis in axes]
    rows, columns, _ = by_words(list(axes[0]), list(axes[1]), titles, "")
    return {*map(str, rows)} == {*map(str, columns)}


def _rows(value: Any) -> list[list[Any]] | None:
    """Return two or more rows of cells; None for anything else."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        return None
    rows = [list(row) if isinstance(row, (list, tuple, np.ndarray)) else [] for row in value]
    plain_cells = not any(isinstance(cell, (list, tuple, Mapping, np.ndarray)) for row in rows for cell in row)
    return rows if plain_cells and all(rows) and any(len(row) > 1 for row in rows) else None


def _is_list_of_labels(value: Any) -> bool:
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(v, (str, Real, Decimal)) for v in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal, np.number)) and not isinstance(value, (bool, np.bool_))


READER = Reader(
    name="confusion-matrix", files="confusion matrices in JSON, rows = truth: of one model, by model, with labels",
    columns="[[tn, fp], [fn, tp]]; or labels and matrix", lacks="no square matrix of numbers", recognise=recognise,
    read=read, holds=JSON, options=("pos_label",),
)  # fmt: skip

"""Cases without an answer in tables of predictions: empty cells, and rows that only other models have."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from ..arrays import Flags, Integers
from ..checks.positive import label_text
from ..errors import DataError, Option, UsageError
from ..texts import counted
from .case_rows import absent_rows, answered_by_all
from .cases import Columns
from .coded import CodedCases, Column
from .codes import NO_ANSWER

WAYS = ("wrong", "common")
"""What may become of cases without an answer: they are errors, or left out for all models."""


def answered(
    rows: CodedCases, columns: Sequence[Columns], way: str, pos_label: Any = None, ways: Sequence[str] = WAYS
) -> CodedCases:
    """Return a table whose missing predictions are wrong, or whose cases are those that every model answered.

    Where a column names the models and another the cases, the rows that a model lacks are missing predictions, too, on
    the domains on which it has any. Of more than two classes, of which ``pos_label`` is positive, a wrong prediction is
    on the other side.

    >>> columns = [Columns("y", name, None, None, None, None, None, False) for name in ("a", "b")]
    >>> truth = Column(["n", "p"], np.array([0, 1, 1]))
    >>> a, b = Column(["n", "p"], np.array([0, 1, 1])), Column(["p"], np.array([0, 0, -1]))
    >>> rows = CodedCases({"y": truth, "a": a, "b": b}, 3, "", True)
    >>> wrong = answered(rows, columns, "wrong").columns["b"]
    >>> [wrong.values[code] for code in wrong.codes]
    ['p', 'p', 'n']
    >>> answered(rows, columns, "common").left_out
    {'some model did not answer the case': 1}
    """
    what = "prediction" if ways == WAYS else "score"
    if way not in ways:
        raise UsageError(Option("unanswered", way), expected=f"one of {', '.join(map(repr, ways))}, for {what}s")
    whole = _complete(rows, columns[0])
    lacks = np.stack([whole.columns[one.prediction].codes < 0 for one in columns])
    lacking = int(lacks.sum())
    if not lacking:
        raise UsageError([Option("unanswered", way), f" would change nothing: every case has a {what}"])
    if way == "wrong":
        out = _wrong(whole, columns, pos_label)
        out.notes = (*rows.notes, f"{counted(lacking, 'missing prediction')} counted as wrong")
        return out
    keep = ~_of_cases(whole, columns[0], np.asarray(lacks.any(axis=0)))
    if not keep.any():
        raise DataError("no case was answered by every model", where=rows.where)
    out = _chosen(whole, np.flatnonzero(keep))
    out.left_out = {"some model did not answer the case": int(rows.records - keep[: rows.records].sum())}
    return out


def _complete(rows: CodedCases, columns: Columns) -> CodedCases:
    """Return a table with a row, without a prediction, for each case of a domain that a model there lacks."""
    if columns.entity is None or columns.case is None:
        return rows
    case, entity = rows.columns[columns.case].codes, rows.columns[columns.entity].codes
    like, names = absent_rows(_domains(rows, columns), case, entity)
    if not len(like):
        return rows
    whole = _chosen(rows, np.append(np.arange(rows.records), like))
    for header, codes in ((columns.entity, names), (columns.prediction, np.full(len(names), -1))):
        column = whole.columns[header]
        whole.columns[header] = Column(column.values, np.append(column.codes[: rows.records], codes))
    return whole


def _wrong(rows: CodedCases, columns: Sequence[Columns], pos_label: Any) -> CodedCases:
    """Return a table in which a missing prediction is wrong, whatever the truth is."""
    truth = rows.columns[columns[0].truth]
    headers = list(dict.fromkeys(one.prediction for one in columns))
    wrong = _wrong_labels(truth.values, [value for name in headers for value in rows.columns[name].values], pos_label)
    out = dict(rows.columns)
    for header in headers:
        column = rows.columns[header]
        values = list(dict.fromkeys([*column.values, *wrong]))
        places = np.array([*map(values.index, wrong), -1])
        out[header] = Column(values, np.where(column.codes < 0, places[truth.codes], column.codes))
    return _with(rows, out)


def _wrong_labels(true: Sequence[Any], predicted: Sequence[Any], pos_label: Any) -> list[Any]:
    """Return a wrong prediction for each true label: the other class, or side; of several classes it is none of them.

    >>> _wrong_labels(["0", "1"], [], None), _wrong_labels(["cat", "dog", "fox"], [], "cat")
    (['1', '0'], ['dog', 'cat', 'cat'])
    >>> _wrong_labels(["a", "b", "c"], [], None), _wrong_labels(["1"], ["1", "0"], None)
    (['no answer', 'no answer', 'no answer'], ['0'])
    """
    known = list(dict.fromkeys([*true, *predicted]))
    positive = [label for label in known if pos_label is not None and label_text(label) == label_text(pos_label)]
    if positive:
        other = next((label for label in known if label not in positive), NO_ANSWER)
        return [other if label in positive else positive[0] for label in true]
    if len(known) == 2:
        return [known[0] if label == known[1] else known[1] for label in true]
    return [NO_ANSWER] * len(true)


def _of_cases(rows: CodedCases, columns: Columns, lacks: Flags) -> Flags:
    """Return which rows are of a case that some model did not answer."""
    if columns.entity is None:
        return lacks
    if columns.case is None:
        raise UsageError(
            "which cases all models answered, only a column of cases tells", way_out=[["name it with ", Option("case")]]
        )
    return ~answered_by_all(_domains(rows, columns), rows.columns[columns.case].codes, lacks)


def _domains(rows: CodedCases, columns: Columns) -> Integers:
    return np.zeros(rows.records, np.int64) if columns.domain is None else rows.columns[columns.domain].codes


def _with(rows: CodedCases, columns: dict[str, Column]) -> CodedCases:
    """Return a table with other cells, of the same source."""
    out = copy(rows)
    out.columns, out.records = columns, len(next(iter(columns.values())).codes)
    return out


def _chosen(rows: CodedCases, at: Integers) -> CodedCases:
    """Return some of the rows, perhaps more than once."""
    return _with(rows, {header: Column(column.values, column.codes[at]) for header, column in rows.columns.items()})

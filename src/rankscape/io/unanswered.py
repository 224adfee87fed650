"""Cases without an answer in tables of predictions: empty cells, and rows that only other models have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import Flags, Integers
from ..errors import DataError, Option, UsageError
from ..texts import counted
from .cases import Columns
from .coded import CodedCases, Column, combined

NO_ANSWER = "no answer"
"""The class that stands for a prediction that is missing, where there are more than two: it is never right."""

WAYS = ("wrong", "common")
"""What may become of cases without an answer: they are errors, or left out for all models."""


def answered(rows: CodedCases, columns: Sequence[Columns], way: str) -> CodedCases:
    """Return a table whose missing predictions are wrong, or whose cases are those that every model answered.

    Where a column names the models and another the cases, the rows that a model lacks are missing predictions, too, on
    the domains on which it has any.

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
    if way not in WAYS:
        raise UsageError(Option("unanswered", way), expected=f"one of {', '.join(map(repr, WAYS))}, for predictions")
    whole = _complete(rows, columns[0])
    lacks = np.stack([whole.columns[one.prediction].codes < 0 for one in columns])
    lacking = int(lacks.sum())
    if not lacking:
        raise UsageError([Option("unanswered", way), " would change nothing: every case has a prediction"])
    if way == "wrong":
        out = _wrong(whole, columns)
        out.notes = (f"{counted(lacking, 'missing prediction')} counted as wrong",)
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
    where = np.zeros(rows.records, dtype=np.int64) if columns.domain is None else rows.columns[columns.domain].codes
    case, entity = rows.columns[columns.case].codes, rows.columns[columns.entity].codes
    of_case, cases = combined([where, case])
    first = np.full(len(cases), rows.records)
    np.minimum.at(first, of_case, np.arange(rows.records))
    there = {*zip(of_case.tolist(), entity.tolist(), strict=True)}
    models = {*zip(where.tolist(), entity.tolist(), strict=True)}
    absent = [
        (place, model) for place, (domain, _) in enumerate(cases.tolist())
        for at, model in sorted(models) if at == domain and (place, model) not in there
    ]  # fmt: skip
    if not absent:
        return rows
    places, names = np.array(absent, dtype=np.int64).T
    whole = _chosen(rows, np.append(np.arange(rows.records), first[places]))
    for header, codes in ((columns.entity, names), (columns.prediction, np.full(len(names), -1))):
        column = whole.columns[header]
        whole.columns[header] = Column(column.values, np.append(column.codes[: rows.records], codes))
    return whole


def _wrong(rows: CodedCases, columns: Sequence[Columns]) -> CodedCases:
    """Return a table in which a missing prediction is the other one of two classes, or no class of several."""
    truth = rows.columns[columns[0].truth]
    two = len(truth.values) == 2
    out = dict(rows.columns)
    for header in dict.fromkeys(one.prediction for one in columns):
        column = rows.columns[header]
        values = list(column.values)
        wrong = [truth.values[1], truth.values[0]] if two else [NO_ANSWER] * max(len(truth.values), 1)
        places: list[int] = []
        for value in wrong:
            values += [] if value in values else [value]
            places.append(values.index(value))
        codes = np.where(column.codes < 0, np.array([*places, -1])[truth.codes], column.codes)
        out[header] = Column(values, codes)
    return _like(rows, out, rows.records)


def _of_cases(rows: CodedCases, columns: Columns, lacks: Flags) -> Flags:
    """Return which rows are of a case that some model did not answer."""
    if columns.entity is None:
        return lacks
    if columns.case is None:
        raise UsageError(
            "which cases all models answered, only a column of cases tells", way_out=[["name it with ", Option("case")]]
        )
    where = np.zeros(rows.records, dtype=np.int64) if columns.domain is None else rows.columns[columns.domain].codes
    of_case, cases = combined([where, rows.columns[columns.case].codes])
    some = np.zeros(len(cases), dtype=bool)
    np.logical_or.at(some, of_case, lacks)
    return np.asarray(some[of_case])


def _chosen(rows: CodedCases, at: Integers) -> CodedCases:
    """Return some of the rows, perhaps more than once."""
    columns = {header: Column(column.values, column.codes[at]) for header, column in rows.columns.items()}
    return _like(rows, columns, len(at))


def _like(rows: CodedCases, columns: dict[str, Any], records: int) -> CodedCases:
    """Return a table with other cells, of the same source."""
    out = CodedCases(columns, records, rows.where, rows.texts)
    out.headers, out.entity, out.ordered = rows.headers, rows.entity, rows.ordered
    return out

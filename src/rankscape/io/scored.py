"""Scores, and predictions that are values or clusters: tables and arrays of any number of models, checked, and paired.

A table has one row per case, one column of truth, and either one column per entity, or one column that names the entity
and one that names the case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..account import Account
from ..arrays import EXACT, Flags, Integers, Label, PredictionsLike
from ..checks import checked_names, checked_weights
from ..checks.labels import WAYS_WITHOUT, as_given, checked_scores, refuse_other_order, scored_by_each
from ..checks.numbers import LARGEST_LABEL, printed_number
from ..errors import DataError, Option, Place, UsageError
from ..performances import Performances, concat
from ..tasks import clustering, regression
from ..tasks.pairs import Pairs
from ..texts import counted
from ..typing import TableLike
from .cells import number_of_text
from .codes import (
    CodedCases,
    Column,
    Rows,
    column_of,
    combined,
    lacking,
    name_order,
    names_of_codes,
    plain_value,
    refuse_gaps,
    rows_of,
    unmatched,
)
from .counting import opened, predictions_of, table_of, tally_of
from .headers import Columns, empty, levels_of
from .sheets import quoted

Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ScoredModel:
    """The scored cases of a model: ``truth`` (m,) is True for positives, ``score`` (m,) larger for more positive.

    Scores are floats, or Python's integers and fractions where floats would merge some. ``domain`` and ``fold`` (m,)
    are places in the names of the table; they and ``weight`` (m,) are None where the table has no such column.
    """

    name: str
    truth: Flags
    score: NDArray[Any]
    domain: Integers | None = None
    fold: Integers | None = None
    weight: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class ScoredTable:
    """The scored cases of all models; where they are ``paired``, row i of every model is the same case.

    Paired models share the arrays ``truth``, ``domain``, ``fold`` and ``weight``; ``cases`` are the names of the cases,
    None where they have none. ``domains`` and ``folds`` are sorted; ``notes`` are sentences about the rows.
    """

    models: tuple[ScoredModel, ...]
    domains: tuple[str, ...] | None
    folds: tuple[str, ...] | None
    paired: bool
    cases: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    account: Account | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(model.name for model in self.models)


# Arrays


def scored_arrays(
    y_true: ArrayLike, y_score: PredictionsLike, *, names: Sequence[object] | None = None,
    pos_label: Label | None = None, sample_weight: ArrayLike | None = None, domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ScoredTable:  # fmt: skip
    """Return the scores of models on the same cases, in the order given.

    ``y_true`` has the labels (m,), ``y_score`` the scores, (m,), (k, m), or a mapping of names to (m,), such as a data
    frame of one column per model; ``domains`` and ``folds`` name those of each case.

    >>> table = scored_arrays([0, 1, 1], {"b": [0.1, 0.5, 0.4], "a": [1, 2, 3]}, folds=[2, 1, 2])
    >>> table.names, table.folds, table.models[0].fold.tolist(), table.models[0].truth.tolist()
    (('b', 'a'), ('1', '2'), [1, 0, 1], [False, True, True])
    """
    columns, truth, scores = scored_by_each(y_true, y_score, pos_label)
    entities, _ = checked_names(len(scores), columns if names is None else names, None)
    m = len(truth)
    sample = checked_weights(sample_weight, m)
    weight = None if sample is None else sample.plain
    for what, other in (("weights", sample_weight), ("domains", domains), ("folds", folds)):
        refuse_other_order(y_true, other, what)
    (places, domain), (parts, fold) = (
        _names_of_cases(given, m, what) for given, what in ((domains, "domains"), (folds, "folds"))
    )
    scores = [score if score.dtype == object else score + 0.0 for score in scores]  # −0 is 0
    _freeze(truth, domain, fold, weight, *scores)
    models = tuple(
        ScoredModel(name, truth, score, domain, fold, weight) for name, score in zip(entities, scores, strict=True)
    )
    share = float(np.mean(truth)) if m else None
    account = Account.of_labels(
        as_given(y_true, "y_true"), truth, pos_label, len(models), share, len(places or ()) or None
    )
    return ScoredTable(models, places, parts, True, account=account)


def _names_of_cases(given: ArrayLike | None, m: int, what: str) -> tuple[Names | None, Integers | None]:
    """Return the names of domains or folds, and the place of each case among them."""
    if given is None:
        return None, None
    values = as_given(given, what)
    if values.shape != (m,):
        raise DataError(f"{what}: expected {m} labels, one per case; got shape {values.shape}")
    names, place = names_of_codes(column_of(values.tolist(), np.arange(m)), False)
    if (place < 0).any():
        case = int(np.argmax(place < 0)) + 1
        raise DataError(f"{what}: case {case} has no label (NaN or None): drop it, or say what it belongs to")
    return names, place


def _freeze(*arrays: NDArray[Any] | None) -> None:
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


# Tables


def scored_table(
    source: TableLike, *, truth: str, score: str | Sequence[str], entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, fold: str | None = None,
    pos_label: Label | None = None, weight: str | None = None, unanswered: str | None = None,
    encoding: str | None = None,
) -> ScoredTable:  # fmt: skip
    """Return the scores in a table of one row per case, or per case and model: files or a data frame, as in ``count``.

    ``score`` names one column, or several, one for each model; the other arguments name columns, too, and only these
    are read. Several columns of scores share the cases of their rows. Where the column ``entity`` names the model,
    ``case`` tells which rows are of one case, and every model must have the same cases with the same truth, domain,
    fold and weight; without it the models are not paired. Cases stand in the order of ``case``, or of the source; rows
    of DuckDB, Spark and Ibis have none, and stand in the order of domain, fold, truth and scores. With
    ``unanswered="common"`` the cases count that every model has a score for, and the domains that have some. Raises
    DataError for what cannot be used.

    >>> rows = {"id": [2, 1, 1, 2], "m": [*"aabb"], "y": [1, 0, 0, 1], "s": [0.7, 0.1, 0.3, 0.2]}
    >>> import pyarrow as pa
    >>> table = scored_table(pa.table(rows), truth="y", score="s", entity="m", case="id")
    >>> table.cases, [(model.name, model.score.tolist()) for model in table.models]
    (('1', '2'), [('a', [0.1, 0.7]), ('b', [0.3, 0.2])])
    """
    names = predictions_of(score, entity)
    # Every score is above −∞: this counts as a table of predictions does, and so refuses what that refuses.
    named = {"truth": truth, "fold": fold, "weight": weight}
    columns = Columns(names, entity, levels_of(domain), case, threshold=-math.inf, **named)
    table, columns = opened(source, columns, encoding=encoding)
    for name in names:
        column = table.columns[name]
        infinite = np.array([*map(math.isinf, column.values), False])[column.codes]
        _refuse(table, infinite, f"the score {quoted(name)} is infinite", "finite numbers, larger for more positive")
        if unanswered is None:
            _refuse(table, column.codes < 0, f"the score is missing ({quoted(name)})")
    if fold is not None:
        _refuse(table, table.columns[fold].codes < 0, f"the fold is missing ({quoted(fold)})")
    tally = tally_of(table, columns, pos_label, unanswered=unanswered)
    rows = tally.cases.at(slice(tally.rows // len(names)))  # those of the first column, as of each
    if columns.entity is not None:
        ways = (
            [["compare on the cases that all have with ", Option("unanswered", "common")]] if case is not None else []
        )
        refuse_gaps(tally.performances, table.where, *ways)

    folds, fold_of_row = (None, table.codes(None)) if fold is None else names_of_codes(table.columns[fold], table.texts)
    facts = {"domain": rows.domain, "fold": fold_of_row[rows.row], "truth": rows.code > 1}
    shared = columns.entity is None  # all models have the same cases, those of the rows
    each = [np.flatnonzero(rows.entity == i) for i in range(len(rows.entities))]
    chosen = [np.arange(len(rows.code))] if shared else each
    cases: Names | None = None
    if case is not None:
        by_case, cases = _in_order_of_cases(table.columns[case], rows, len(chosen))
        chosen = list(by_case.T)
    elif not table.ordered:  # the same order, however an engine gives them
        for i, these in enumerate(chosen):
            keys = [fact[these] for fact in facts.values()] + [
                _scores_of(table, name, rows.row[these]) for name in names
            ]
            by_weight = _weights_of(table, weight, rows.row[these])
            chosen[i] = these[np.lexsort((keys if by_weight is None else [*keys, by_weight])[::-1])]
    paired = shared or case is not None or len(chosen) == 1

    models: list[ScoredModel] = []
    of_cases: dict[str, Any] = {}
    for i, name in enumerate(names if shared else rows.entities):
        these = chosen[0 if shared else i]
        if not (models and paired):  # else all models share them
            of_cases = {what: fact[these] for what, fact in facts.items()}
            of_cases |= {} if rows.domains else {"domain": None}
            of_cases |= {} if folds else {"fold": None}
            of_cases["weight"] = _weights_of(table, weight, rows.row[these])
        scores = _scores_of(table, name if shared else names[0], rows.row[these])
        _freeze(scores, *of_cases.values())
        models.append(ScoredModel(name, score=scores, **of_cases))
    account = (tally.performances.account or Account()).noting(cases=len(chosen[0]) if paired else None)
    return ScoredTable(tuple(models), rows.domains or None, folds, paired, cases, tally.notes, account)


def _scores_of(rows: CodedCases, header: str, chosen: Integers) -> NDArray[Any]:
    """Return the scores of some rows, as integers and fractions where floats would merge some; −0 is 0."""
    column = rows.columns[header]
    values = np.array([*map(float, column.values)], dtype=np.float64)
    whole = any(isinstance(value, int) and EXACT < abs(value) < LARGEST_LABEL for value in column.values)
    if whole or len(np.unique(values)) < len(values):  # the values are distinct
        values = checked_scores(column.values)
    return (values if values.dtype == object else values + 0.0)[column.codes[chosen]]


def _weights_of(rows: CodedCases, header: str | None, chosen: Integers) -> NDArray[Any] | None:
    """Return the weights of some rows, as integers where they are whole."""
    if header is None:
        return None
    column = rows.columns[header]
    values = np.empty(len(column.values), dtype=object)
    values[:] = column.values
    weights = checked_weights(values[column.codes[chosen]], len(chosen))
    return None if weights is None else weights.plain


def _in_order_of_cases(column: Column, rows: Rows, n: int) -> tuple[Integers, Names]:
    """Return the rows (cases, n) of each case by domain and name, and these names; every entity has each once."""
    cases = list(map(plain_value, column.values))
    keys = cases if set(map(type, cases)) == {int} else list(map(name_order, cases))  # the order of numbers is that too
    order = sorted(range(len(cases)), key=keys.__getitem__)
    rank = np.empty(len(cases), dtype=np.int64)
    rank[order] = np.arange(len(order))
    code, cells = combined([rows.domain, rank[np.asarray(rows.case)]])
    table = np.argsort(code * n + (rows.entity if n > 1 else 0), kind="stable").reshape(-1, n)
    return table, tuple(str(cases[order[i]]) for i in cells[:, 1].tolist())


def _refuse(rows: CodedCases, wrong: Flags, problem: str, expected: str = "") -> None:
    """Refuse rows of which some are wrong, and name the first, where rows have an order."""
    if wrong.any():
        raise DataError(
            f"in {int(wrong.sum())} of {counted(rows.records, 'row')} {problem}", expected=expected,
            where=Place(rows.where, row=int(np.argmax(wrong)) if rows.ordered else None),
            way_out=() if expected else WAYS_WITHOUT,
        )  # fmt: skip


# Tables of predictions of other tasks than classification: values and clusters


Predictions = Mapping[str, Sequence[Any]]


def read_task(
    source: Any, task: str, *, truth: str, prediction: str | Sequence[str], entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, encoding: str | None = None,
) -> Performances | Pairs:  # fmt: skip
    """Return the performances in a table of predictions of a task: "regression" or "clustering".

    Raises DataError for what is missing, and where entities were not tried on the same cases.

    >>> table = {"y": [1.0, 2.0], "a": [1.5, 2.0], "b": [1.0, 4.0]}
    >>> P = read_task(table, "regression", truth="y", prediction=["a", "b"])
    >>> P, P.account.sentence()
    (<Pairs: 2 entities, 2 pairs (truth, prediction) each>, 'Read 2 cases of 2 models (columns a, b); truth y')
    """
    columns = Columns(predictions_of(prediction, entity), entity, levels_of(domain), case, truth=truth)
    table, columns = table_of(source, lambda _: (columns, {}), columns.roles().__contains__, encoding=encoding)
    entity, roles = columns.entity, columns.roles()
    if entity is not None and case is None and len(table.columns[entity].values) > 1:
        way_out = [("name the column of cases with ", Option("case"))]
        what = f"{quoted(entity)} names the models, and no column the cases that they share"
        raise UsageError(what, way_out=way_out)
    if not table.records:
        raise DataError("there is no row", where=table.where, expected="one per case below the header")
    for header in roles:
        values, codes = table.columns[header]
        there = np.array([*(not empty(value) for value in values), False])[codes]
        if lost := int((~there).sum()):
            what = f"{header} is missing in {counted(lost, 'row')}"
            raise DataError(what, where=table.where, way_out="fill it in, or drop such rows")
    table.join(columns.levels)
    rows = rows_of(table, columns)
    truths = table.codes(truth)[rows.row]
    if case is not None and (amiss := unmatched(rows, columns, {"truths": truths}) or [*filter(None, [lacking(rows)])]):
        raise DataError("; ".join(amiss), where=table.where, way_out="complete or correct the table")

    def cells(header: str, at: Any) -> list[Any]:
        values, codes = table.columns[header]
        return [values[code] for code in codes[at].tolist()]

    at = np.arange(table.records)[:, None]
    predictions = {header: cells(header, at[:, 0]) for header in columns.answers}
    if entity is not None:  # the row of each case and entity
        k = len(rows.entities)
        question, _ = combined([rows.domain, np.asarray(rows.case)])
        at = np.argsort(question * k + rows.entity, kind="stable").reshape(-1, k)
        predictions = {name: cells(columns.answers[0], at[:, i]) for i, name in enumerate(rows.entities)}
    places = [rows.domains[place] for place in rows.domain[at[:, 0]].tolist()] if rows.domains else []
    P = _TASKS[task](cells(truth, at[:, 0]), predictions, places, table.where)
    account = (P.account or Account()).noting(
        source=table.where or "data in memory", records=table.records, cases=len(at), models=len({*P.names}),
        domains=len({*places}) or None, unused=filter(None, table.headers), columns=columns.by_role(),
    )  # fmt: skip
    return replace(P, account=account)


def _regression(true: Sequence[Any], predictions: Predictions, places: Sequence[str], where: str) -> Pairs:
    if places:
        raise UsageError("regression has no domains: choose the rows of one, and rank these")

    def numbers(cells: Sequence[Any]) -> Any:
        """Return the number in each cell: of a text the decimal, of a float the one that it prints."""
        out = []
        for cell in cells:
            number = number_of_text(cell, "," in cell) if isinstance(cell, str) else cell
            try:
                out.append(printed_number(quoted(cell) if number is None else number))
            except DataError as error:
                raise error.located(where) from None
            except (TypeError, ValueError):
                raise DataError(f"{quoted(cell)} is not a number", where=where, expected="a value per case") from None
        return np.array(out, dtype=object)

    return regression.evaluate(numbers(true), {name: numbers(of) for name, of in predictions.items()})


def _clustering(true: Sequence[Any], predictions: Predictions, places: Sequence[str], where: str) -> Performances:
    """Pairs of elements are no independent cases, so that the performances have no counts."""
    parts = []
    for place in dict.fromkeys(places or [""]):
        here = [i for i in range(len(true)) if not places or places[i] == place]
        labels, *of = (np.array([cells[i] for i in here], dtype=object) for cells in (true, *predictions.values()))
        P = clustering.evaluate(labels, dict(zip(predictions, of, strict=True)))
        parts.append(replace(P, counts=None, exact=P.integers, domains=(place,) * len(P) if places else None))
    return concat(parts) if places else parts[0]


_TASKS: dict[str, Callable[..., Performances | Pairs]] = {"regression": _regression, "clustering": _clustering}

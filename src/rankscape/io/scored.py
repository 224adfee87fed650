"""Scores: tables and arrays of scored cases of any number of models, checked, and paired where cases are shared."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..account import Account, Positive
from ..arrays import Flags, Integers, Label, PredictionsLike
from ..checks import checked_names, checked_weights
from ..checks.labels import WAYS_WITHOUT, as_given, refuse_other_order, scored_by_each
from ..errors import DataError, IncompleteDataWarning, Option, Place
from ..texts import counted
from ..typing import TableLike
from .cases import Columns
from .cells import missing
from .coded import CodedCases
from .codes import plain_name
from .counting import predictions_of, refuse_unknown_invalid, tally_of
from .groups import Invalid, refuse_vanished
from .headers import domain_of
from .joint import refuse_gaps
from .opening import rows_in_memory, with_models
from .scored_rows import Facts, facts_of, in_canonical_order, only_used, places, scores_of, weights_of, whole_cases
from .sheets import quoted


@dataclass(frozen=True, eq=False)
class ScoredModel:
    """The scored cases of a model: ``truth`` (m,) is True for positives, ``score`` (m,) larger for more positive.

    Scores are finite: floats, or Python's integers and fractions where floats would merge some. ``domain`` and
    ``fold`` (m,) are places in the names of the table, ``weight`` (m,) are integers or floats; each is None where the
    table has no such column.
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

    Paired models share the arrays ``truth``, ``domain``, ``fold`` and ``weight``, and ``cases`` holds the names of the
    cases, None where they have none. ``domains`` and ``folds`` are sorted. ``positive`` is the positive label,
    ``records`` the number of rows read, ``left_out`` says how many were not used, for each reason; ``warnings`` are
    sentences about that, ``notes`` other ones, and ``account`` is what was read. Get one from :func:`scored_table` or
    :func:`scored_arrays`.
    """

    models: tuple[ScoredModel, ...]
    domains: tuple[str, ...] | None
    folds: tuple[str, ...] | None
    paired: bool
    cases: tuple[str, ...] | None = None
    positive: Any = 1
    records: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    account: Account | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(model.name for model in self.models)


# Arrays


def scored_arrays(
    y_true: ArrayLike,
    y_score: PredictionsLike,
    *,
    names: Sequence[object] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ScoredTable:
    """Return the scores of models on the same cases, in the order given.

    ``y_true`` has the labels (m,), ``y_score`` the scores, (m,), (k, m), or a mapping of names to (m,), such as a data
    frame of one column per model; ``domains`` and ``folds`` name those of each case. Raises DataError for scores that
    are not finite, other lengths, and labels that are missing or more than two without ``pos_label``.

    >>> table = scored_arrays([0, 1, 1], {"b": [0.1, 0.5, 0.4], "a": [1, 2, 3]}, folds=[2, 1, 2])
    >>> table.names, table.folds, table.models[0].fold.tolist(), table.models[0].truth.tolist()
    (('b', 'a'), ('1', '2'), [1, 0, 1], [False, True, True])
    """
    columns, truth, scores = scored_by_each(y_true, y_score, pos_label)
    entities, _ = checked_names(len(scores), columns if names is None else names, None)
    m = len(truth)
    sample = checked_weights(sample_weight, m)
    weight = None if sample is None else sample.plain
    for other in (domains, folds):
        refuse_other_order(y_true, other)
    (places, domain), (parts, fold) = (
        _names_of_cases(given, m, what) for given, what in ((domains, "domains"), (folds, "folds"))
    )
    scores = [score if score.dtype == object else score + 0.0 for score in scores]  # −0 is 0
    _freeze(truth, domain, fold, weight, *scores)
    models = tuple(
        ScoredModel(name, truth, score, domain, fold, weight) for name, score in zip(entities, scores, strict=True)
    )
    positive = next(iter(as_given(y_true, "y_true").ravel()[truth].tolist()), pos_label)
    account = Account(
        "arrays", m, m, len(models), len(places or ()) or None,
        positive=Positive.of(positive, float(np.mean(truth)) if m else None),
    )  # fmt: skip
    return ScoredTable(models, places, parts, True, positive=positive, records=m, account=account)


def _names_of_cases(given: ArrayLike | None, m: int, what: str) -> tuple[tuple[str, ...] | None, Integers | None]:
    """Return the names of domains or folds, and the place of each case among them."""
    if given is None:
        return None, None
    values = as_given(given, what)
    if values.shape != (m,):
        raise DataError(f"{what}: expected {m} labels, one per case; got shape {values.shape}")
    index: dict[Any, int] = {}
    met = np.fromiter((index.setdefault(value, len(index)) for value in values.tolist()), dtype=np.int64, count=m)
    lacking = [missing(value) or plain_name(value) is None for value in index]
    if any(lacking):
        case = int(np.argmax(np.array(lacking)[met])) + 1
        raise DataError(f"{what}: case {case} has no label (NaN or None): drop it, or say what it belongs to")
    return places([plain_name(value) for value in index], met)


def _freeze(*arrays: NDArray[Any] | None) -> None:
    for array in arrays:
        if array is not None:
            array.flags.writeable = False


# Tables


def scored_table(
    source: TableLike,
    *,
    truth: str,
    score: str | Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    fold: str | None = None,
    pos_label: Label | None = None,
    weight: str | None = None,
    encoding: str | None = None,
    invalid: Invalid = "error",
    progress: Callable[[int], None] | None = None,
) -> ScoredTable:
    """Return the scores in a table of one row per case, or per case and model: files or a data frame, as in ``count``.

    ``score`` names one column, or several, one for each model; the other arguments name columns, too, and only these
    are read. Several columns of scores share the cases of their rows. Where the column ``entity`` names the model,
    ``case`` tells which rows are of one case, and every model must have the same cases with the same truth, domain,
    fold and weight; without it the models are not paired. Cases stand in the order of ``case``, or of the source; rows
    of DuckDB, Spark and Ibis have none, and stand in the order of domain, fold, truth and scores. Raises DataError for
    what cannot be used. With ``invalid="warn"`` such rows are left out, and an IncompleteDataWarning says how many;
    infinite scores are always refused.

    >>> rows = {
    ...     "id": [2, 1, 1, 2],
    ...     "m": ["a", "a", "b", "b"],
    ...     "y": [1, 0, 0, 1],
    ...     "s": [0.7, 0.1, 0.3, 0.2],
    ... }
    >>> import pyarrow as pa
    >>> table = scored_table(pa.table(rows), truth="y", score="s", entity="m", case="id")
    >>> table.cases, [(model.name, model.score.tolist()) for model in table.models]
    (('1', '2'), [('a', [0.1, 0.7]), ('b', [0.3, 0.2])])
    """
    refuse_unknown_invalid(invalid)
    names = predictions_of(None, score, entity)
    # Every score is above −∞: this counts as a table of predictions does, and so refuses what that refuses.
    place, levels = domain_of(domain)
    columns = [
        Columns(truth, name, entity, place, case, weight, -math.inf, False, fold, levels=levels) for name in names
    ]
    rows = rows_in_memory(source, columns, progress, encoding=encoding)
    columns = with_models(rows, columns)
    entity = columns[0].entity
    for name in names:
        _refuse_infinite(rows, name)
        _refuse_missing(rows, name, "the score", invalid)
    if fold is not None:
        _refuse_missing(rows, fold, "the fold", invalid)
    tally, terms = tally_of(rows, columns, pos_label=pos_label, invalid=invalid)
    if entity is not None and case is not None:
        refuse_gaps(tally.performances, rows.where)
    facts = facts_of(rows, columns, tally, terms)
    refuse_vanished(tally, facts.entities or tally.performances.names)
    chosen, cases = _chosen(rows, columns, facts, invalid)
    dropped = rows.records - (len(chosen[0]) if entity is None else sum(map(len, chosen)))
    if not len(chosen[0]):
        raise DataError("no case is left that every model has once", where=rows.where, way_out="correct the table")
    sentences, left_out = list(tally.warnings), list(tally.left_out.items())
    foldless = 0 if fold is None else int((rows.columns[fold].codes < 0).sum())
    if foldless:
        sentences.append(f"in {foldless} of {counted(rows.records, 'row')} the fold is missing: left out")
        left_out.append(("the fold is missing", foldless))
    paired = entity is None or case is not None or len(chosen) == 1
    if paired and dropped and (len(names) > 1 or dropped > sum(n for _, n in left_out)):
        reason = "the case is not there once for every model"
        sentences.append(f"in {dropped} of {counted(rows.records, 'row')} {reason}: left out")
        left_out = [(reason, dropped)]
    if sentences:
        warnings.warn("; ".join(sentences), IncompleteDataWarning, stacklevel=3)
    models, places, parts = _models(rows, columns, facts, chosen, paired)
    return ScoredTable(
        models, places, parts, paired, cases, tally.positive, rows.records, tuple(left_out), tuple(sentences),
        tally.notes, replace(tally.account, cases=len(chosen[0]) if paired else None, left_out=dict(left_out)),
    )  # fmt: skip


def _chosen(
    rows: CodedCases, columns: Sequence[Columns], facts: Facts, invalid: Invalid
) -> tuple[list[Integers], tuple[str, ...] | None]:
    """Return the rows of each entity that count, in order, and the names of cases where these have some."""
    if columns[0].case is not None:
        whole = whole_cases(rows, columns[0], facts)
        if whole.problems and invalid != "warn":
            raise DataError("; ".join(whole.problems), where=rows.where, expected="one", way_out="correct the table")
        return list(whole.rows.T), whole.names
    of_each = [np.flatnonzero(facts.known & (facts.entity == i)) for i in range(len(facts.entities or ("",)))]
    if rows.ordered:
        return of_each, None
    return [in_canonical_order(rows, columns, facts, chosen) for chosen in of_each], None


def _models(
    rows: CodedCases, columns: Sequence[Columns], facts: Facts, chosen: Sequence[Integers], paired: bool
) -> tuple[tuple[ScoredModel, ...], tuple[str, ...] | None, tuple[str, ...] | None]:
    """Return the models with the rows of each, and the names of their domains and folds."""
    places, domain = only_used(facts.domains, facts.domain, chosen)
    parts, fold = only_used(facts.folds, facts.fold, chosen)

    def cases_of(these: Integers) -> dict[str, Any]:
        shared = {
            "truth": facts.truth[these],
            "domain": None if places is None else domain[these],
            "fold": None if parts is None else fold[these],
            "weight": weights_of(rows, columns[0].weight, these),
        }
        _freeze(*shared.values())
        return shared

    of_models = [cases_of(chosen[0])] * len(chosen) if paired else [cases_of(these) for these in chosen]
    if facts.entities is None:
        scores = {one.prediction: scores_of(rows, one.prediction, chosen[0]) for one in columns}
        of_models *= len(columns)
    else:
        header = columns[0].prediction
        scores = {name: scores_of(rows, header, these) for name, these in zip(facts.entities, chosen, strict=True)}
    _freeze(*scores.values())
    models = [ScoredModel(name, score=of, **rest) for (name, of), rest in zip(scores.items(), of_models, strict=True)]
    return tuple(models), places, parts


def _refuse_infinite(rows: CodedCases, header: str) -> None:
    column = rows.columns[header]
    wrong = np.array([*map(math.isinf, column.values), False])[column.codes]
    if wrong.any():
        number = int(wrong.sum())
        raise DataError(
            f"in {number} of {counted(rows.records, 'row')} the score {quoted(header)} is infinite",
            where=_first(rows, wrong), expected="finite numbers, larger for more positive",
        )  # fmt: skip


def _refuse_missing(rows: CodedCases, header: str, what: str, invalid: Invalid) -> None:
    wrong = rows.columns[header].codes < 0
    if invalid != "warn" and wrong.any():
        warn = [["leave such rows out, and see how many, with ", Option("invalid", "warn")]]
        raise DataError(
            f"in {int(wrong.sum())} of {counted(rows.records, 'row')} {what} is missing ({quoted(header)})",
            where=_first(rows, wrong),
            way_out=[
                *WAYS_WITHOUT,
                *(warn if invalid == "error" else []),
            ],
        )


def _first(rows: CodedCases, wrong: Flags) -> Place:
    """Return the first of some rows, where rows have an order."""
    return Place(rows.where, row=int(np.argmax(wrong)) if rows.ordered else None)

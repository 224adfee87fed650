"""Counting: tables of predictions, of any size and on any engine, and batches become performances."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..account import Positive
from ..arrays import Integers, mean_of
from ..checks import checked_weights
from ..checks.labels import as_given, refuse_other_order
from ..errors import DataError, Option, UsageError
from ..kernels.counting import weighted_bincount
from ..outcomes import TWO_CLASS
from ..performances import Performances, Shared
from ..texts import counted, some
from ..typing import Label, PredictionsLike, TableLike
from .cells import is_number, missing
from .codes import (
    FEW_KINDS,
    CodedCases,
    Column,
    Columns,
    LabelsOf,
    Tally,
    answered,
    coding_of,
    column_of,
    combined,
    listed,
    meaning_of_labels,
    order_of,
    paired_by_cases,
    plain_value,
    quoted_label,
    ranked,
    rows_of,
    same_cases,
    unmatched,
    wrong_labels,
)
from .headers import FILE, MULTIPLIERS, levels_of, likely_role, plain, role
from .opening import MOST_COLUMNS, opened
from .sheets import located, quoted

MOST_STRANGERS = 3
"""Labels that were not expected and are named one by one; of more, all are one sentence."""

_PLURAL = {"entity": "entities", "domain": "domains"}
COSTLY = "so many entities may do too many different things to count each; uncertainty.paired_table does so"


def tally(
    source: TableLike, *, truth: str, prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None, threshold: Any = None, entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, cluster: str | None = None,
    repeat: str | None = None, weight: str | None = None, pos_label: Label | None = None, labels: LabelsOf = None,
    unanswered: str | None = None, pairs: str = "never", only: str | None = None, encoding: str | None = None,
) -> Tally:  # fmt: skip
    """Return what :func:`rankscape.count` does, with the number of rows, the positive label and pooled columns.

    ``pairs`` tells whether the performances know which cases their entities share: "never"; "perhaps", where the table
    says it and that is cheap; or "always", so that what cannot be paired is refused. ``cluster`` names a column, too,
    ``repeat`` the one that numbers repeated predictions of a case, which are averaged, and ``only`` is the one domain
    that is looked at; all need pairs.

    >>> import pyarrow as pa
    >>> result = tally(pa.table({"y": [0, 1, 1], "p": [0, 1, 0]}), truth="y", prediction="p")
    >>> result.rows, result.positive, result.performances.counts.tolist()
    (3, 1, [[1, 0, 1, 1]])
    """
    names = predictions_of(score if prediction is None else prediction, entity)
    try:
        cut = None if prediction is not None else float(threshold)
    except (TypeError, ValueError, OverflowError):
        cut = math.nan
    if cut != cut:
        raise UsageError(Option("threshold", threshold), expected="a number such as 0.5")
    if unanswered is not None and score is not None:
        raise UsageError([Option("unanswered"), " would change nothing: a case without a score has no threshold"])
    columns = Columns(truth, names, cut, entity, levels_of(domain), case, cluster, repeat, weight=weight)
    if weight is not None or score is not None or (pairs == "perhaps" and len(names) == 1 and case is None):
        pairs = "never"
    table, columns = opened(source, columns, encoding=encoding, distinct=unanswered is None and repeat is None)
    try:
        if unanswered is not None:
            table = answered(table, columns, unanswered)
        if case is None and (repeat is not None or (pairs == "always" and columns.entity is not None)):
            why = "repeats are of the same cases" if repeat is not None else "entities are paired by their cases"
            raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        result = tally_of(table, columns, pos_label, labels, wrong=unanswered == "wrong")
        if only is not None:
            result = result._replace(performances=result.performances.in_domain(only), cases=result.cases.on(only))
        P, k = result.performances, len({*result.performances.names})
        if (without := result.cases.cluster) is not None and (without < 0).any():
            lost = int(np.asarray(result.cases.size)[without < 0].sum())
            raise located(table.where, f"in {counted(lost, 'row')} the cluster is missing")
        if pairs == "never" or (pairs == "perhaps" and k < 2):
            return result
        costly = len(names) > MOST_COLUMNS or (len(P.space.labels) or 2) ** (k + 1) > FEW_KINDS
        lost_pairs = COSTLY if costly and pairs == "perhaps" else ""
        same = "" if repeat is not None or lost_pairs else same_cases(result.cases, columns, result.truth)
        if same and pairs != "perhaps":
            raise DataError(
                same, where=table.where,
                way_out=[["count each case once, with all of its repeats, by ", Option("repeat", columns.domain)],
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        if lost_pairs or same:
            return result._replace(performances=P.sharing(Shared(None, np.arange(len(P)), lost=lost_pairs or same)))
        return result._replace(performances=paired_by_cases(result, columns))
    except DataError as error:
        raise error.located(table.where) from None


def about_pooled(pooled: Mapping[str, str]) -> str:
    """Return what to do about columns that are not used, in one line."""
    return "; ".join(
        f"the column {quoted(header)} is not used, so rows that differ in it are counted together: pass "
        f"{kind}={quoted(header)} if it names the {_PLURAL[kind]}, or drop the column"
        for header, kind in pooled.items()
    )


def tally_of(
    table: CodedCases, columns: Columns, pos_label: Any = None, labels: Any = None, wrong: bool = False
) -> Tally:
    """Return the same as :func:`tally`, of a table that is open, with an account of its columns."""
    used, several = {*columns.roles(), *table.columns}, len(columns.predictions) > 1
    for header in table.headers if columns.weight is None else ():
        if plain(header) in MULTIPLIERS and header not in used and is_number(table.first.get(header)):
            raise DataError(
                f"the column {quoted(header)} seems to say how often each row counts", where=table.where,
                expected="its name, or a table without it",
                way_out=[["count each row so often with ", Option("weight", header)], "rename or drop the column"],
            )  # fmt: skip
    result = tallied(table, columns, pos_label, labels, wrong)
    # All columns of predictions have the same cases, since no prediction is missing.
    if (
        columns.case is not None
        and columns.repeat is None
        and (amiss := unmatched(result.cases, columns, result.truth))
    ):
        raise DataError("; ".join(amiss), way_out="complete or correct the table")
    # The numbered index that pandas writes beside the columns of a table is none of them.
    index = re.compile(r"|__index_level_\d+__|Unnamed: \d+").fullmatch
    spare = {header: likely_role(header) for header in table.headers if header not in used and not index(header)}
    named = {"entity": columns.entity is not None or several, "domain": bool(columns.levels)}
    pooled = {header: kind for header, kind in spare.items() if kind is not None and not named.get(kind, True)}
    notes = [
        f"if {quoted(header)} names the {_PLURAL[kind]}, add --{kind}-column {quoted(header)} "
        f"({kind}={quoted(header)} in Python)"
        for header, kind in pooled.items()
    ]
    P, n = result.performances, result.rows // len(columns.predictions)
    by_file = ("each file is a model",) if columns.entity == FILE and len(set(P.names)) > 1 else ()
    P = P.noting(
        *by_file, *table.notes, *result.notes, *notes,
        source=table.where or "a data frame", records=n, cases=n if several or len(P) == 1 else None,
        columns=columns.by_role(),
        positive=positive_of(P, result.positive),
        unused=sorted(spare, key=lambda header: spare[header] is None),  # those that would split the rows first
        left_out=table.left_out,
    )  # fmt: skip
    pooled = {header: kind for header, kind in pooled.items() if role(header) == kind}  # these are warned of, too
    return result._replace(performances=P, notes=(*result.notes, *notes), pooled=pooled)


def tallied(
    table: CodedCases,
    columns: Columns,
    pos_label: Any,
    labels: Any,
    wrong: bool = False,
    weights: NDArray[Any] | None = None,
) -> Tally:
    """Return the performances in a table, one per domain and entity, sorted; see :func:`rankscape.count`.

    Missing predictions may count as ``wrong``; ``weights`` are those of rows, where no column has them. Raises
    DataError, with numbers, for rows that cannot be counted.
    """
    rows, scored = rows_of(table, columns), columns.scored
    if not len(rows.code):
        raise DataError("there is no row; expected one per case and entity")
    truth, predicted, known = _labels(table, columns)
    sizes = np.asarray(rows.size)
    if wrong:
        others = wrong_labels(known, pos_label)
        known += [label for label in dict.fromkeys(others) if label not in known]
        predicted = np.where(predicted < 0, np.array([*map(known.index, others), -1])[truth], predicted)
    holes = {
        "truth": truth, "score" if scored else "prediction": predicted, "name of the entity": rows.entity,
        "name of the domain": rows.domain,
    }  # fmt: skip
    total = int(sizes.sum())
    problems = [(f"the {what} is missing", n) for what, of in holes.items() if (n := int(sizes[of < 0].sum()))]
    whole = np.min([*holes.values()], axis=0) >= 0 if problems else np.ones(len(truth), dtype=bool)
    without = [n for what, n in problems if what == "the prediction is missing"]
    ways: list[Any] = [] if not without else [
        ["count missing predictions as wrong with ", Option("unanswered", "wrong")],
        ["compare on the cases that every model answered with ", Option("unanswered", "common")],
    ]  # fmt: skip
    ways += ["fill in what is missing"] if problems[len(without) :] else []
    if not whole.any():
        raise DataError(f"no row can be counted: {_sentence(problems, total)}", way_out=ways)
    pair, pairs = combined([truth[whole], predicted[whole]])
    times, by_pair = weighted_bincount(pair, sizes[whole], len(pairs)).tolist(), pairs.tolist()
    met: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())
    for labels_of_pair, n in zip(by_pair, times, strict=True):
        for of, label in zip(met[: 2 - scored], labels_of_pair, strict=False):
            of[known[label]] += n
    coding = coding_of(*met, pos_label, labels, scored)
    outcomes, strangers = list[int](), Counter[Any]()
    for (true, other), n in zip(by_pair, times, strict=True):
        of_row = (known[true], other if scored else known[other])
        strange = [label for label in of_row[: 2 - scored] if coding.known is not None and label not in coding.known]
        outcomes.append(-1 if strange else coding.place(*of_row))
        strangers.update(dict.fromkeys(strange[:1], n))
    expected = listed(sorted(coding.known or (), key=order_of))
    most = [(quoted_label(label), n) for label, n in strangers.most_common()]
    if len(most) > MOST_STRANGERS:  # of which only some are named
        such = ", ".join(label for label, _ in most[:MOST_STRANGERS])
        problems.append((f"a label, such as {such}, is none of {expected}", strangers.total()))
    else:
        problems += [(f"a label is {label}, which is none of {expected}", n) for label, n in most]
    if problems:
        ways += ["correct the labels"] if most else []
        ways += [["name all labels with ", Option("labels")]] if most and not scored else []
        raise DataError(_sentence(problems, total), way_out=ways)
    rows = rows._replace(code=np.array(outcomes)[pair])
    k, n = len(coding.space), len(rows.entities)
    cell, size = rows.domain * n + rows.entity, max(len(rows.domains), 1) * n
    code = cell * k + rows.code
    sums = table.sums(columns.weight, code, size * k) if weights is None else weighted_bincount(code, weights, size * k)
    there, _ = ranked(cell, size)
    counts, names = sums.reshape(-1, k)[there], [rows.entities[place % n] for place in there.tolist()]
    domains = [rows.domains[place // n] for place in there.tolist()] if rows.domains else None
    if (void := np.flatnonzero(~counts.astype(bool).any(axis=1))).size:
        on = "" if domains is None else f" on domain {quoted(domains[void[0]])}"
        raise DataError(
            f"entity {quoted(names[void[0]])}{on} has only weights of 0", expected="a row that counts",
            way_out=["correct the table", "drop the entity"],
        )  # fmt: skip
    P = Performances.from_weighted_counts(counts, names=names, domains=domains, space=coding.space)
    absent = np.setdiff1d(np.arange(size), there).tolist()  # without any row
    notes = [
        f"{len(absent)} of {size} cells have no row: "
        + some(absent, 1, quote="", word=lambda at: f"entity {quoted(rows.entities[at % n])} on domain "
               f"{quoted(rows.domains[at // n])}")
    ]  # fmt: skip
    return Tally(P, total, rows, truth, coding.positive, tuple(notes) if absent else ())


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)


def _labels(table: CodedCases, columns: Columns) -> tuple[Integers, Integers, list[Any]]:
    """Return the true and the predicted label of each row, column after column, as places among all; −1 for none.

    Of scores the predictions are 0 and 1, below the threshold or not.
    """
    truth, several = table.columns[columns.truth], [table.columns[header] for header in columns.predictions]
    for header, column in zip(columns.predictions, several, strict=True):
        rows = [of.codes == (of.values.index(name) if name in of.values else -2)
                for of, name in ((truth, columns.truth), (column, header))]  # fmt: skip
        if again := int(table.times[rows[0] & rows[1]].sum()):
            raise DataError(
                f"{counted(again, 'row repeats', 'rows repeat')} the header ({quoted(columns.truth)}, "
                f"{quoted(header)})", where=table.where,
                way_out="drop them, or, where several files were put together, name the files instead",
            )  # fmt: skip
    labeled = [truth] if columns.scored else [truth, *several]
    used = (column.values[code] for column in labeled for code in ranked(column.codes)[0].tolist() if code >= 0)
    meaning = meaning_of_labels(used, table.texts)
    known: dict[Any, int] = {}

    def places(column: Column) -> Integers:
        labels = map(meaning, column.values)
        at = [-1 if label is None else known.setdefault(label, len(known)) for label in labels]
        return np.array([*at, -1])[column.codes]

    true = np.tile(places(truth), len(several))
    if columns.threshold is not None:
        least = columns.threshold
        reached = [np.array([*(float(score) >= least for score in of.values), -1])[of.codes] for of in several]
        return true, np.concatenate(reached), [*known]
    return true, np.concatenate([*map(places, several)]), [*known]


def positive_of(P: Performances, label: Any) -> Positive | None:
    """Return the positive class of performances of two classes, and its share among their cases."""
    if label is None or P.space != TWO_CLASS:
        return None
    if P.counts is None:
        return Positive.of(label, mean_of(P.priors))
    return Positive.of(label, int(P.counts[:, 2:].sum()) / int(P.counts.sum()))


def predictions_of(given: str | Sequence[str] | None, entity: str | None) -> tuple[str, ...]:
    """Return the columns of predictions or scores: one, or several, which no column names."""
    names = (given,) if isinstance(given, str) else tuple(given or ())
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected one column of predictions, or several different ones; got {given!r}")
    if len(names) > 1 and entity is not None:
        name = Option("entity", option="entity-column")
        raise UsageError("several columns of predictions are several entities", way_out=[["leave out ", name]])
    return names


# Batch by batch

_LARGEST_WEIGHT = 10**300  # so that sums of any number of batches are finite


class Accumulator:
    """Count predictions batch by batch; memory grows with entities and labels, not with cases.

    ``update`` adds a batch, ``+`` what another worker has counted, and ``performances()`` gives the result, as
    :func:`rankscape.count` does. Order does not matter: sums are exact.

    Parameters
    ----------
    pos_label, labels
        As in :func:`rankscape.count`.

    Examples
    --------
    >>> import rankscape as rs
    >>> first, second = rs.Accumulator(), rs.Accumulator()
    >>> P = (first.update([0, 1, 1], [0, 1, 0]) + second.update([0, 1], [1, 1])).performances()
    >>> P.counts.tolist()
    [[1, 1, 1, 2]]
    """

    def __init__(self, *, pos_label: Label | None = None, labels: LabelsOf = None) -> None:
        self._how: dict[str, Any] = {"pos_label": pos_label, "labels": labels}
        self._groups: dict[tuple[Any, ...], tuple[int, Any]] = {}  # by domain, entity, truth and prediction

    def update(
        self, y_true: ArrayLike, y_pred: PredictionsLike, *, entity: Label | ArrayLike = "model",
        domain: Label | ArrayLike | None = None, sample_weight: ArrayLike | None = None,
    ) -> Self:  # fmt: skip
        """Add a batch of predictions, whole or, where it raises, not at all.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_pred : (m,), or a mapping of entities to (m,)
            The predicted labels.
        entity, domain : a name or (m,)
            One name for all cases, or the name of each.
        sample_weight : (m,), optional
            The weights of the cases, ≥ 0, not all 0; whole ones give counts.

        Returns
        -------
        Self
            The accumulator itself.

        Raises
        ------
        DataError
            For lengths that differ, labels that are missing or have the index of the truth in another order, and
            weights that are no numbers ≥ 0.
        """
        if (shape := as_given(y_true).shape) != (n := shape[0] if shape else 0,):
            raise DataError(f"expected one true label per case; got shape {shape}")
        refuse_other_order(y_true, sample_weight)
        weight = checked_weights(sample_weight, n) if n else None
        whole, scale = ([1] * n, 1) if weight is None else (weight.integers.tolist(), weight.scale)
        weights = whole if scale == 1 else [Fraction(one, scale) for one in whole]
        if max(weights, default=0) > _LARGEST_WEIGHT:
            raise DataError("sample_weight: weights may be 1e300 at most: divide those of all batches")
        rows = list[tuple[tuple[Any, ...], tuple[int, Any]]]()
        for name, labels in y_pred.items() if isinstance(y_pred, Mapping) else [(entity, y_pred)]:
            columns = []
            for what, given in {"domain": domain, "entity": name, "truth": y_true, "prediction": labels}.items():
                refuse_other_order(y_true, given)
                cells = np.full(n, "") if given is None else as_given(given)
                cells = np.broadcast_to(cells, n) if cells.ndim == 0 else cells
                if cells.shape != (n,):
                    plural = {"entity": "entities"}.get(what, f"{what}s")
                    raise DataError(f"expected as many {plural} as true labels, {n}; got shape {cells.shape}")
                if lacking := sum(map(missing, cells.tolist())):
                    cases = counted(lacking, "case")
                    raise DataError(f"the {what} is missing in {cases} of this batch, which is not counted: drop them")
                columns.append(cells.tolist())
            rows += ((key, (1, one)) for key, one in zip(zip(*columns, strict=True), weights, strict=True))
        return self._add(rows)

    def _add(self, groups: Iterable[tuple[tuple[Any, ...], tuple[int, Any]]]) -> Self:
        added = dict(self._groups)
        for key, (rows, weight) in groups:
            before = added.get(key, (0, 0))
            added[key] = (before[0] + rows, before[1] + weight)
        if len({domain == "" for domain, *_ in added}) > 1:
            raise DataError("some batches have a domain and some have none; expected one in all, or in none")
        self._groups = added
        return self

    def __add__(self, other: Self) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        if self._how != other._how:
            raise DataError("these accumulators differ in pos_label or labels; expected the same in both")
        return Accumulator(**self._how)._add(self._groups.items())._add(other._groups.items())

    def __len__(self) -> int:
        """Return the number of predictions counted so far."""
        return sum(rows for rows, _ in self._groups.values())

    def performances(self) -> Performances:
        """Return the performances counted so far, sorted by domain and entity.

        Returns
        -------
        Performances
            As :func:`rankscape.count` returns them.

        Raises
        ------
        DataError
            Where :func:`rankscape.count` raises it.
        """
        names = ("domain", "entity", "truth", "prediction")
        rows, weights = ([sums[i] for sums in self._groups.values()] for i in (0, 1))
        cells = {name: [plain_value(key[i]) for key in self._groups] for i, name in enumerate(names)}
        columns = {name: column_of(of, np.arange(len(rows))) for name, of in cells.items()}
        table = CodedCases(columns, len(self), "", False, np.array(rows, dtype=np.int64))
        levels = () if "" in cells["domain"] else ("domain",)
        roles = Columns("truth", ("prediction",), entity="entity", levels=levels)
        return tallied(table, roles, **self._how, weights=np.array(weights, dtype=object)).performances

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} predictions>"

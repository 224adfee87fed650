"""Counting: tables of predictions, of any size and on any engine, and batches become performances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..account import Positive
from ..arrays import mean_of
from ..checks import checked_weights
from ..checks.labels import as_given, refuse_other_order
from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances, Shared
from ..texts import counted
from ..typing import Label, PredictionsLike, TableLike
from .cells import missing
from .codes import (
    CodedCases,
    Columns,
    Group,
    LabelsOf,
    Tally,
    meaning_of_labels,
    name_in,
    plain_name,
    plain_value,
    tallied,
)
from .headers import FILE, MULTIPLIERS, levels_of, likely_role, plain, role
from .opening import MOST_COLUMNS, opened
from .pairing import FEW_KINDS, answered, joint_of_table, same_cases, unmatched
from .sheets import located, quoted

_PLURAL = {"entity": "entities", "domain": "domains"}
_NUMBER = "a number such as 0.5"
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
    names = predictions_of(prediction, score, entity)
    if (score is None) != (threshold is None):
        way_out = [["give ", Option("threshold"), f", {_NUMBER}"]]
        raise UsageError([Option("score"), " and ", Option("threshold"), " go together"], way_out=way_out)
    try:
        cut = None if threshold is None else float(threshold)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(Option("threshold", threshold), expected=_NUMBER) from None
    if cut != cut:
        raise UsageError("the threshold is NaN", expected=_NUMBER)
    if unanswered is not None and score is not None:
        raise UsageError([Option("unanswered"), " would change nothing: a case without a score has no threshold"])
    columns = Columns(truth, names, cut, entity, levels_of(domain), case, cluster, repeat, weight=weight)
    if weight is not None or score is not None or (pairs == "perhaps" and len(names) == 1 and case is None):
        pairs = "never"
    table, columns = opened(source, columns, encoding=encoding, distinct=unanswered is None and repeat is None)
    try:
        if unanswered is not None:
            table = answered(table, columns, unanswered, pos_label)
        if case is None and (repeat is not None or (pairs == "always" and columns.entity is not None)):
            why = "repeats are of the same cases" if repeat is not None else "entities are paired by their cases"
            raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        once = columns if repeat is None else columns._replace(case=None)
        result = tally_of(table, once, pos_label=pos_label, labels=labels)
        if only is not None:
            result = result._replace(performances=result.performances.in_domain(only))
        P, k = result.performances, len({*result.performances.names})
        if cluster is not None and (without := table.lacking(cluster)):
            raise located(table.where, f"in {counted(without, 'row')} the cluster is missing")
        if pairs == "never" or (pairs == "perhaps" and k < 2):
            return result
        costly = len(names) > MOST_COLUMNS or (len(P.space.labels) or 2) ** (k + 1) > FEW_KINDS
        lost = COSTLY if costly and pairs == "perhaps" else ""
        same = "" if repeat is not None or lost else same_cases(table, columns, P)
        if same and pairs != "perhaps":
            raise DataError(
                same, where=table.where,
                way_out=[["count each case once, with all of its repeats, by ", Option("repeat", columns.domain)],
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        if lost or same:
            P = P.sharing(Shared(None, np.arange(len(P)), lost=lost or same))
        else:
            cases = joint_of_table(table, columns, result)
            P = cases.performances.with_pairing(cases)
        return result._replace(performances=P)
    except DataError as error:
        raise error.located(table.where) from None


def about_pooled(pooled: Mapping[str, str]) -> str:
    """Return what to do about columns that are not used, in one line."""
    return "; ".join(
        f"the column {quoted(header)} is not used, so rows that differ in it are counted together: pass "
        f"{kind}={quoted(header)} if it names the {_PLURAL[kind]}, or drop the column"
        for header, kind in pooled.items()
    )


def tally_of(table: CodedCases, columns: Columns, *, pos_label: Any = None, labels: Any = None) -> Tally:
    """Return the same as :func:`tally`, of a table that is open."""
    used, scored, several = {*columns.roles(), *table.columns}, columns.scored, len(columns.predictions) > 1
    for header in table.headers if columns.weight is None else ():
        if plain(header) in MULTIPLIERS and header not in used and table.has_numbers(header):
            raise DataError(
                f"the column {quoted(header)} seems to say how often each row counts", where=table.where,
                expected="its name, or a table without it",
                way_out=[["count each row so often with ", Option("weight", header)], "rename or drop the column"],
            )  # fmt: skip
    everything, code = table.groups(columns)
    for header in columns.predictions:
        if again := sum(group.rows for group in everything if group[2:4] == (columns.truth, header)):
            rows = counted(again, "row repeats", "rows repeat")
            raise DataError(
                f"{rows} the header ({quoted(columns.truth)}, {quoted(header)})", where=table.where,
                way_out="drop them, or, where several files were put together, name the files instead",
            )  # fmt: skip
    meaning = meaning_of_labels((cell for group in everything for cell in group[2 : 4 - scored]), table.texts)
    groups = [
        group._replace(
            domain="" if columns.domain is None else name_in(group.domain, table.texts),
            entity=name_in(group.entity, table.texts), truth=meaning(group.truth), predicted=meaning(group.predicted),
        )
        for group in everything
    ]  # fmt: skip
    result = tallied(groups, pos_label=pos_label, labels=labels, scored=scored)
    # All columns of predictions have the same cases, since no prediction is missing.
    if columns.case is not None and (amiss := unmatched(table, columns)):
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
    of_one = ("entity", "case", "weight", "truth", "fold")
    roles: dict[str, tuple[str, ...]] = {what: (getattr(columns, what),) for what in of_one}
    roles = {what: of for what, of in roles.items() if of not in ((None,), (FILE,))}
    roles |= {"domain": columns.levels, "score" if scored else "prediction": columns.predictions}
    by_file = ("each file is a model",) if columns.entity == FILE and len(set(P.names)) > 1 else ()
    P = P.noting(
        *by_file, *table.notes, *result.notes, *notes,
        source=table.where or "a data frame", records=n, cases=n if several or len(P) == 1 else None,
        columns=roles,
        positive=positive_of(P, result.positive),
        unused=sorted(spare, key=lambda header: spare[header] is None),  # those that would split the rows first
        left_out=table.left_out,
    )  # fmt: skip
    pooled = {header: kind for header, kind in pooled.items() if role(header) == kind}  # these are warned of, too
    return result._replace(performances=P, notes=(*result.notes, *notes), pooled=pooled, code=code)


def positive_of(P: Performances, label: Any) -> Positive | None:
    """Return the positive class of performances of two classes, and its share among their cases."""
    if label is None or P.space != TWO_CLASS:
        return None
    if P.counts is None:
        return Positive.of(label, mean_of(P.priors))
    return Positive.of(label, int(P.counts[:, 2:].sum()) / int(P.counts.sum()))


def predictions_of(
    prediction: str | Sequence[str] | None, score: str | Sequence[str] | None, entity: str | None
) -> tuple[str, ...]:
    """Return the columns of predictions or scores: exactly one of both kinds is given."""
    if (prediction is None) == (score is None):
        raise UsageError(
            ["either ", Option("prediction"), ", the column of predicted labels, or ", Option("score"), " is needed"],
            got="both" if score is not None else "neither",
        )
    given = prediction if prediction is not None else score
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
        groups = [
            Group(domain and plain_name(domain), plain_name(entity), plain_value(truth), plain_value(predicted), *sums)
            for (domain, entity, truth, predicted), sums in self._groups.items()
        ]  # fmt: skip
        return tallied(groups, **self._how, scored=False).performances

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} predictions>"

"""Counting: tables of predictions, of any size and on any engine, and batches become performances."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..account import Positive
from ..arrays import mean_of
from ..checks import checked_weights
from ..checks.labels import as_given, checked_scores, refuse_other_order
from ..errors import DataError, Option, UsageError
from ..kernels.counting import operating_points
from ..outcomes import TWO_CLASS
from ..performances import Performances, Shared
from ..texts import counted
from ..typing import Label, PredictionsLike, TableLike
from .cells import missing
from .codes import (
    INVALID,
    CodedCases,
    Columns,
    Group,
    Invalid,
    LabelsOf,
    Tally,
    meaning_of_labels,
    name_in,
    plain_name,
    plain_value,
    roles_of,
    tallied,
)
from .headers import FILE, MULTIPLIERS, domain_of, likely_role, plain, role
from .opening import MOST_COLUMNS, opened, with_models
from .pairing import FEW_KINDS, answered, joint_of_table, same_cases, unmatched
from .sheets import located, quoted

_PLURAL = {"entity": "entities", "domain": "domains"}
_NUMBER = "a number such as 0.5, or all for every operating point"
COSTLY = "so many entities may do too many different things to count each; uncertainty.paired_table does so"


def tally(
    source: TableLike, *, truth: str, prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None, threshold: float | str | None = None, entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, cluster: str | None = None,
    repeat: str | None = None, weight: str | None = None, pos_label: Label | None = None, labels: LabelsOf = None,
    unanswered: str | None = None, invalid: Invalid = "error", pairs: str = "never", only: str | None = None,
    encoding: str | None = None, progress: Callable[[int], None] | None = None,
) -> Tally:  # fmt: skip
    """Return what :func:`rankscape.count` does, with the number of rows seen, left out and counted.

    ``pairs`` tells whether the performances know which cases their entities share: "never"; "perhaps", where the table
    says it and that is cheap; or "always", so that what cannot be paired is refused. ``cluster`` names a column, too,
    ``repeat`` the one that numbers repeated predictions of a case, which are averaged, and ``only`` is the one domain
    that is looked at; all need pairs.

    >>> import pyarrow as pa
    >>> result = tally(
    ...     pa.table({"y": [0, 1, 1], "yhat": [0, 1, None]}),
    ...     truth="y",
    ...     prediction="yhat",
    ...     invalid="warn",
    ... )
    >>> result.rows, result.left_out, result.performances.counts.tolist()
    (3, {'the prediction is missing': 1}, [[1, 0, 0, 1]])
    """
    if invalid not in get_args(Invalid):
        raise UsageError(Option("invalid", invalid), expected=f"one of {', '.join(map(repr, INVALID))}")
    names = predictions_of(prediction, score, entity)
    if (score is None) != (threshold is None):
        way_out = [["give ", Option("threshold"), f", {_NUMBER}"]]
        raise UsageError([Option("score"), " and ", Option("threshold"), " go together"], way_out=way_out)
    number, everywhere = (None, False) if threshold is None else checked_threshold(threshold)
    if everywhere and labels is not None and pos_label is None:
        way_out = [["give ", Option("pos_label"), " instead of ", Option("labels")]]
        raise UsageError("operating points are those of two classes", way_out=way_out)
    if unanswered is not None and score is not None:
        raise UsageError([Option("unanswered"), " would change nothing: a case without a score has no threshold"])
    place, levels = domain_of(domain)
    columns = [Columns(truth, name, entity, place, case, weight, number, everywhere, levels=levels) for name in names]
    if weight is not None or score is not None or (pairs == "perhaps" and len(columns) == 1 and case is None):
        pairs = "never"
    table = opened(
        source, columns, progress, cluster=cluster, repeat=repeat, encoding=encoding,
        distinct=unanswered is None and repeat is None, together=pairs == "always",
    )  # fmt: skip
    columns = with_models(table, columns)
    try:
        if unanswered is not None:
            table = answered(table, columns, unanswered, pos_label)
        if case is None and (repeat is not None or (pairs == "always" and columns[0].entity is not None)):
            why = "repeats are of the same cases" if repeat is not None else "entities are paired by their cases"
            raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        once = columns if repeat is None else [one._replace(case=None) for one in columns]
        result, meaning = tally_of(table, once, pos_label=pos_label, labels=labels, invalid=invalid)
        if only is not None:
            result = replace(result, performances=result.performances.in_domain(only))
        P, k = result.performances, len({*result.performances.names})
        if cluster is not None and (without := table.lacking(cluster)):
            raise located(table.where, f"in {counted(without, 'row')} the cluster is missing")
        if pairs == "never" or result.left_out or result.warnings or (pairs == "perhaps" and k < 2):
            return result
        costly = len(columns) > MOST_COLUMNS or (len(P.space.labels) or 2) ** (k + 1) > FEW_KINDS
        lost = COSTLY if costly and pairs == "perhaps" else ""
        same = "" if repeat is not None or lost else same_cases(table, columns[0], P)
        if same and pairs != "perhaps":
            raise DataError(
                same, where=table.where,
                way_out=[["count each case once, with all of its repeats, by ", Option("repeat", place)],
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        if lost or same:
            return replace(result, performances=P.sharing(Shared(None, np.arange(len(P)), lost=lost or same)))
        cases = joint_of_table(table, columns, result, meaning, repeat, cluster)
        return replace(result, performances=cases.performances.with_pairing(cases))
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
    table: CodedCases, columns: Sequence[Columns], *, pos_label: Any = None, labels: Any = None,
    invalid: Invalid = "error",
) -> tuple[Tally, Callable[[Any], Any]]:  # fmt: skip
    """Return the same as :func:`tally`, and what gives the value of a label."""
    first, used, scored = columns[0], {*roles_of(columns), *table.columns}, columns[0].scored
    for header in table.headers if first.weight is None else ():
        if plain(header) in MULTIPLIERS and header not in used and table.has_numbers(header):
            raise DataError(
                f"the column {quoted(header)} seems to say how often each row counts", where=table.where,
                expected="its name, or a table without it",
                way_out=[["count each row so often with ", Option("weight", header)], "rename or drop the column"],
            )  # fmt: skip
    everything: list[Group] = []
    for one in columns:
        groups = table.groups(one)
        again = sum(group.rows for group in groups if group[2:4] == (one.truth, one.prediction))
        if again:
            rows = counted(again, "row repeats", "rows repeat")
            raise DataError(
                f"{rows} the header ({quoted(one.truth)}, {quoted(one.prediction)})", where=table.where,
                way_out="drop them, or, where several files were put together, name the files instead",
            )  # fmt: skip
        everything += groups
    meaning = meaning_of_labels((cell for group in everything for cell in group[2 : 4 - scored]), table.texts)
    groups = [
        group._replace(
            domain="" if first.domain is None else name_in(group.domain, table.texts),
            entity=name_in(group.entity, table.texts), truth=meaning(group.truth), predicted=meaning(group.predicted),
        )
        for group in everything
    ]  # fmt: skip
    count = _at_all_thresholds if first.all_thresholds else tallied
    result = count(groups, pos_label=pos_label, labels=labels, invalid=invalid, scored=scored)
    amiss: list[str] = []
    if first.case is not None:
        written = {label for group in everything for label in group[2 : 4 - scored] if label is not None}
        strange = set() if result.known is None else {x for x in written if meaning(x) not in result.known}
        # Only rows that count have a case; where nothing was left out, all columns of predictions have the same ones.
        amiss = unmatched(table, columns if result.left_out else columns[:1], strange)
    if amiss and invalid != "warn":
        warn = [["pass ", Option("invalid", "warn"), " to count what is there"]] if invalid == "error" else []
        raise DataError("; ".join(amiss), way_out=["complete or correct the table", *warn])
    # The numbered index that pandas writes beside the columns of a table is none of them.
    index = re.compile(r"|__index_level_\d+__|Unnamed: \d+").fullmatch
    spare = {header: likely_role(header) for header in table.headers if header not in used and not index(header)}
    named = {"entity": first.entity is not None or len(columns) > 1, "domain": first.domain is not None}
    pooled = {header: kind for header, kind in spare.items() if kind is not None and not named.get(kind, True)}
    notes = [
        f"if {quoted(header)} names the {_PLURAL[kind]}, add --{kind}-column {quoted(header)} "
        f"({kind}={quoted(header)} in Python)"
        for header, kind in pooled.items()
    ]
    P, several, n = result.performances, len(columns) > 1, result.rows // len(columns)
    of_one = {
        "entity": None if first.entity == FILE else first.entity, "case": first.case, "weight": first.weight,
        "truth": first.truth, "fold": first.fold,
    }  # fmt: skip
    roles: dict[str, tuple[str, ...]] = {kind: (header,) for kind, header in of_one.items() if header is not None}
    roles |= {"domain": first.levels or (first.domain,)} if first.domain is not None else {}
    by_file = ("each file is a model",) if first.entity == FILE and len(set(P.names)) > 1 else ()
    P = P.noting(
        *by_file, *table.notes, *result.notes, *notes,
        source=table.where or "a data frame", records=n, cases=n if several or len(P) == 1 else None,
        columns=roles | {"score" if scored else "prediction": tuple(one.prediction for one in columns)},
        positive=positive_of(P, result.positive),
        unused=sorted(spare, key=lambda header: spare[header] is None),  # those that would split the rows first
        left_out=result.left_out | table.left_out,
    )  # fmt: skip
    return replace(
        result, performances=P, notes=(*result.notes, *notes), warnings=(*result.warnings, *amiss),
        records=table.records if table.where else None,
        pooled={header: kind for header, kind in pooled.items() if role(header) == kind},  # these are warned of, too
    ), meaning  # fmt: skip


def positive_of(P: Performances, label: Any) -> Positive | None:
    """Return the positive class of performances of two classes, and its share among their cases."""
    if label is None or P.space != TWO_CLASS:
        return None
    if P.counts is None:
        return Positive.of(label, mean_of(P.priors))
    return Positive.of(label, int(P.counts[:, 2:].sum()) / int(P.counts.sum()))


def _at_all_thresholds(groups: Sequence[Group], **how: Any) -> Tally:
    """Return every operating point of every entity: positive if score ≥ t, t = ∞ and each of its distinct scores."""
    if any(isinstance(group.predicted, float) and np.isinf(group.predicted) for group in groups):
        raise DataError("a score is infinite; expected finite numbers, larger for more positive")
    below = [group if group.predicted is None else group._replace(predicted=False) for group in groups]
    whole = tallied(below, **how)
    cells: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in groups:
        if None not in group[:4] and (whole.known is None or group.truth in whole.known):
            cells[str(group.domain), str(group.entity)].append(group)
    counts, thresholds, names, domains = [], [], [], []
    P = whole.performances
    for place, name in zip(P.domains or [""] * len(P), P.names, strict=True):
        members = cells[place, name]
        truths = np.array([group.truth == whole.positive for group in members])
        scores = checked_scores([group.predicted for group in members])
        points, cuts = operating_points(truths, scores, np.array([group.weight for group in members]))
        counts.append(points)
        thresholds.append(cuts)
        names += [f"{name}, score >= {cut}" for cut in cuts.tolist()]
        domains += [place] * len(cuts)
    points_of_all = Performances.from_weighted_counts(
        np.concatenate(counts), names=names, domains=domains if P.domains else None
    )
    return replace(whole, performances=replace(points_of_all, thresholds=np.concatenate(thresholds)))


def checked_threshold(threshold: Any) -> tuple[float | None, bool]:
    """Return the threshold as a number, and whether all thresholds are asked for."""
    if isinstance(threshold, str) and threshold.strip().casefold() == "all":
        return None, True
    try:
        number = float(threshold)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(Option("threshold", threshold), expected=_NUMBER) from None
    if number != number:
        raise UsageError("the threshold is NaN", expected=_NUMBER)
    return number, False


def predictions_of(
    prediction: str | Sequence[str] | None, score: str | Sequence[str] | None, entity: str | None
) -> list[str]:
    """Return the columns of predictions or scores: exactly one of both kinds is given."""
    if (prediction is None) == (score is None):
        raise UsageError(
            ["either ", Option("prediction"), ", the column of predicted labels, or ", Option("score"), " is needed"],
            got="both" if score is not None else "neither",
        )
    given = prediction if prediction is not None else score
    names = [given] if isinstance(given, str) else list(given or ())
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected one column of predictions, or several different ones; got {given!r}")
    if len(names) > 1 and entity is not None:
        name = Option("entity", option="entity-column")
        raise UsageError("several columns of predictions are several entities", way_out=[["leave out ", name]])
    return names


# Batch by batch

Key = tuple[Any, Any, Any, Any]
"""Domain, or None where there are none, entity, truth and prediction."""

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
        self.pos_label = pos_label
        self.labels = labels
        self._groups: dict[Key, tuple[int, Any]] = {}  # how many predictions, and their weight

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
        integers, scale = ([1] * n, 1) if weight is None else (weight.integers.tolist(), weight.scale)
        if max(integers, default=0) > _LARGEST_WEIGHT * scale:
            raise DataError("sample_weight: weights may be 1e300 at most: divide those of all batches")
        sums: dict[Key, list[int]] = {}
        for name, labels in y_pred.items() if isinstance(y_pred, Mapping) else [(entity, y_pred)]:
            columns = []
            given = {"domain": domain, "entity": name, "truth": y_true, "prediction": labels}
            for what, values in given.items() if domain is not None else list(given.items())[1:]:
                refuse_other_order(y_true, values)
                cells = np.broadcast_to(as_given(values), n) if as_given(values).ndim == 0 else as_given(values)
                if cells.shape != (n,):
                    plural = {"entity": "entities"}.get(what, f"{what}s")
                    raise DataError(f"expected as many {plural} as true labels, {n}; got shape {cells.shape}")
                columns.append(cells.tolist())
                if lacking := sum(map(missing, columns[-1])):
                    cases = counted(lacking, "case")
                    raise DataError(f"the {what} is missing in {cases} of this batch, which is not counted: drop them")
            for key, integer in zip(zip(*columns, strict=True), integers, strict=True):
                total = sums.setdefault(key if domain is not None else (None, *key), [0, 0])
                total[0], total[1] = total[0] + 1, total[1] + integer
        return self._add({key: (k, Fraction(w, scale) if scale > 1 else w) for key, (k, w) in sums.items()})

    def _add(self, groups: Mapping[Key, tuple[int, Any]]) -> Self:
        if len({domain is None for domain, *_ in (*self._groups, *groups)}) > 1:
            raise DataError("some batches have a domain and some have none; expected one in all, or in none")
        for key, (rows, weight) in groups.items():
            before = self._groups.get(key, (0, 0))
            self._groups[key] = (before[0] + rows, before[1] + weight)
        return self

    def __add__(self, other: Self) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        if (self.pos_label, self.labels) != (other.pos_label, other.labels):
            raise DataError("these accumulators differ in pos_label or labels; expected the same in both")
        return Accumulator(pos_label=self.pos_label, labels=self.labels)._add(self._groups)._add(other._groups)

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
            Group("" if domain is None else plain_name(domain), plain_name(entity), plain_value(truth),
                  plain_value(predicted), rows, weight)
            for (domain, entity, truth, predicted), (rows, weight) in self._groups.items()
        ]  # fmt: skip
        return tallied(groups, pos_label=self.pos_label, labels=self.labels, invalid="error", scored=False).performances

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} predictions>"

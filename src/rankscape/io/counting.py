"""Counting: tables of predictions, of any size and on any engine, become performances."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ParamSpec, get_args

import numpy as np

from ..account import Positive
from ..arrays import mean_of
from ..checks.labels import checked_scores
from ..errors import DataError, Option, UsageError
from ..kernels.counting import operating_points
from ..outcomes import TWO_CLASS
from ..performances import Performances, Shared
from ..texts import counted
from ..typing import Label, TableLike
from .coded import CodedCases, Columns, roles_of
from .codes import INVALID, Group, Invalid, LabelsOf, Tally, Terms, tallied
from .engines import MOST_COLUMNS
from .headers import FILE, MULTIPLIERS, domain_of, likely_role, plain, role
from .opening import opened, with_models
from .pairing import FEW_KINDS, answered, joint_of_table, same_cases, unmatched
from .sheets import located, quoted

Arguments = ParamSpec("Arguments")
_PLURAL = {"entity": "entities", "domain": "domains"}
_WARN = [["pass ", Option("invalid", "warn"), " to count what is there"]]
_NUMBER = "a number such as 0.5, or all for every operating point"
COSTLY = "so many entities may do too many different things to count each; uncertainty.paired_table does so"

_THRESHOLD = [["give ", Option("threshold"), f", {_NUMBER}"]]


def tally(
    source: TableLike,
    *,
    truth: str,
    prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    threshold: float | str | None = None,
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    labels: LabelsOf = None,
    unanswered: str | None = None,
    invalid: Invalid = "error",
    pairs: str = "never",
    only: str | None = None,
    encoding: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
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
    refuse_unknown_invalid(invalid)
    names = predictions_of(prediction, score, entity)
    if (score is None) != (threshold is None):
        raise UsageError([Option("score"), " and ", Option("threshold"), " go together"], way_out=_THRESHOLD)
    number, everywhere = (None, False) if threshold is None else checked_threshold(threshold)
    if everywhere and labels is not None and pos_label is None:
        raise UsageError(
            "operating points are those of two classes",
            way_out=[["give ", Option("pos_label"), " instead of ", Option("labels")]],
        )
    if unanswered is not None and score is not None:
        raise UsageError([Option("unanswered"), " would change nothing: a case without a score has no threshold"])
    place, levels = domain_of(domain)
    columns = [Columns(truth, name, entity, place, case, weight, number, everywhere, levels=levels) for name in names]
    if weight is not None or score is not None or (pairs == "perhaps" and len(columns) == 1 and case is None):
        pairs = "never"
    few = pairs == "always" or len(columns) <= MOST_COLUMNS
    table = opened(
        source, columns, progress, cluster=cluster, repeat=repeat, encoding=encoding,
        distinct=unanswered is None and repeat is None, together=pairs == "always",
    )  # fmt: skip
    columns = with_models(table, columns)
    try:
        for needed, why in (
            (pairs == "always" and columns[0].entity is not None, "entities are paired by their cases"),
            (repeat is not None, "repeats are of the same cases"),
        ):
            if needed and case is None:
                raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        if unanswered is not None:
            table = answered(table, columns, unanswered, pos_label)
        once = columns if repeat is None else [one._replace(case=None) for one in columns]
        result, terms = tally_of(table, once, pos_label=pos_label, labels=labels, invalid=invalid)
        if only is not None:
            result = replace(result, performances=result.performances.in_domain(only))
        P = result.performances
        if cluster is not None and (without := table.lacking(cluster)):
            raise located(table.where, f"in {counted(without, 'row')} the cluster is missing")
        if pairs == "never" or result.left_out or result.warnings or (pairs == "perhaps" and len(set(P.names)) < 2):
            return result
        lost = COSTLY if not few or (len(P.space.labels) or 2) ** (len(set(P.names)) + 1) > FEW_KINDS else ""
        lost = lost if pairs == "perhaps" else ""
        same = "" if repeat is not None or lost else same_cases(table, columns[0], P)
        if same and pairs != "perhaps":
            raise DataError(
                same, where=table.where,
                way_out=[["count each case once, with all of its repeats, by ", Option("repeat", place)],
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        if lost or same:
            return replace(result, performances=P.sharing(Shared(None, np.arange(len(P)), lost=lost or same)))
        cases = joint_of_table(table, columns, result, terms, repeat, cluster)
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
    table: CodedCases,
    columns: Sequence[Columns],
    *,
    pos_label: Any = None,
    labels: Any = None,
    invalid: Invalid = "error",
) -> tuple[Tally, Terms]:
    """Return the same as :func:`tally`, and the terms of its labels and names."""
    _refuse_unweighted(table, columns)
    raw = [(one, table.groups(one)) for one in columns]
    for one, part in raw:
        _refuse_header(table.where, one, part)
    first, scored = columns[0], columns[0].scored
    everything = [group for _, part in raw for group in part]
    terms = Terms.of((cell for group in everything for cell in group[2 : 4 - scored]), table.texts)
    groups = [
        Group(
            "" if first.domain is None else terms.name(domain),
            terms.name(entity),
            terms.label(truth),
            terms.label(predicted),
            n,
            w,
        )
        for domain, entity, truth, predicted, n, w in everything
    ]
    if columns[0].all_thresholds:
        result = _at_all_thresholds(groups, pos_label, labels, invalid)
    else:
        result = tallied(groups, pos_label=pos_label, labels=labels, invalid=invalid, scored=scored)
    amiss = []
    if first.case is not None:
        written = {label for group in everything for label in group[2 : 4 - scored] if label is not None}
        strange = set() if result.known is None else {x for x in written if terms.label(x) not in result.known}
        # Only rows that count have a case; where nothing was left out, all columns of predictions have the same ones.
        amiss = unmatched(table, columns if result.left_out else columns[:1], strange)
    if amiss and invalid != "warn":
        ways = ["complete or correct the table", *(_WARN if invalid == "error" else [])]
        raise DataError("; ".join(amiss), way_out=ways)
    pooled = _pooled(table, columns[0], several=len(columns) > 1)
    notes = [
        f"if {quoted(header)} names the {_PLURAL[kind]}, add --{kind}-column {quoted(header)} "
        f"({kind}={quoted(header)} in Python)"
        for header, kind in pooled.items()
    ]
    pooled = {header: kind for header, kind in pooled.items() if role(header) == kind}  # those are warned of, too
    records = table.records if table.where else None
    whole = replace(
        result, notes=(*result.notes, *notes), warnings=(*result.warnings, *amiss), records=records, pooled=pooled
    )
    return replace(whole, performances=_accounted(whole, table, columns)), terms


def _accounted(result: Tally, table: CodedCases, columns: Sequence[Columns]) -> Performances:
    """Return the performances of a tally with the account of what was read."""
    P, first = result.performances, columns[0]
    predicted = tuple(one.prediction for one in columns)
    entity = None if first.entity == FILE else first.entity
    headers = {
        "entity": entity, "case": first.case, "weight": first.weight, "truth": first.truth, "fold": first.fold,
    }  # fmt: skip
    roles: dict[str, tuple[str, ...]] = {kind: (header,) for kind, header in headers.items() if header is not None}
    roles |= {"domain": first.levels or (first.domain,)} if first.domain is not None else {}
    roles["score" if first.scored else "prediction"] = predicted
    spare = [header for header in table.headers if header not in roles_of(columns) and not is_index(header)]
    splitting = [header for header in spare if likely_role(header) is not None]
    by_file = ("each file is a model",) if first.entity == FILE and len(set(P.names)) > 1 else ()
    return P.noting(
        *by_file,
        *table.notes,
        *result.notes,
        source=table.where or "a data frame",
        records=result.rows // len(columns),
        cases=result.rows // len(columns) if len(columns) > 1 or len(P) == 1 else None,
        columns=roles,
        positive=positive_of(P, result.positive),
        unused=[*splitting, *(header for header in spare if header not in splitting)],
        left_out=result.left_out | table.left_out,
    )


def is_index(header: str) -> bool:
    """Tell whether a column is the numbered index that pandas writes beside those of a table.

    >>> is_index("__index_level_0__"), is_index("Unnamed: 0"), is_index("id")
    (True, True, False)
    """
    return re.fullmatch(r"|__index_level_\d+__|Unnamed: \d+", header) is not None


def positive_of(P: Performances, label: Any) -> Positive | None:
    """Return the positive class of performances of two classes, and its share among their cases."""
    if label is None or P.space != TWO_CLASS:
        return None
    if P.counts is None:
        return Positive.of(label, mean_of(P.priors))
    return Positive.of(label, int(P.counts[:, 2:].sum()) / int(P.counts.sum()))


def _refuse_unweighted(table: CodedCases, columns: Sequence[Columns]) -> None:
    """Refuse a table with a column that seems to say how often each row counts, and is not named."""
    used = roles_of(columns)
    seeming = [header for header in table.headers if plain(header) in MULTIPLIERS and header not in used]
    seeming = [header for header in seeming if table.has_numbers(header)]
    if seeming and columns[0].weight is None:
        raise DataError(
            f"the column {quoted(seeming[0])} seems to say how often each row counts", where=table.where,
            expected="its name, or a table without it",
            way_out=[["count each row so often with ", Option("weight", seeming[0])], "rename or drop the column"],
        )  # fmt: skip


def _pooled(table: CodedCases, columns: Columns, several: bool) -> dict[str, str]:
    """Return the unused columns that look like those of entities or domains, whose rows are pooled."""
    used = {"entity": columns.entity is not None or several, "domain": columns.domain is not None}
    spare = {header: likely_role(header) for header in table.headers if header not in roles_of([columns])}
    return {header: kind for header, kind in spare.items() if kind is not None and not used.get(kind, True)}


def _refuse_header(where: str, columns: Columns, groups: Sequence[Group]) -> None:
    """Refuse rows that hold the headers themselves, as those of files put together do."""
    repeated = [g for g in groups if g.truth == columns.truth and g.predicted == columns.prediction]
    if repeated:
        rows = counted(sum(group.rows for group in repeated), "row repeats", "rows repeat")
        header = f"({quoted(columns.truth)}, {quoted(columns.prediction)})"
        raise DataError(
            f"{rows} the header {header}", where=where,
            way_out="drop them, or, where several files were put together, name the files instead",
        )  # fmt: skip


def _at_all_thresholds(groups: Sequence[Group], pos_label: Any, labels: Any, invalid: Invalid) -> Tally:
    """Return every operating point of every entity: positive if score ≥ t, t = ∞ and each of its distinct scores."""
    if any(isinstance(group.predicted, float) and np.isinf(group.predicted) for group in groups):
        raise DataError("a score is infinite; expected finite numbers, larger for more positive")
    below = [group if group.predicted is None else group._replace(predicted=False) for group in groups]
    whole = tallied(below, pos_label=pos_label, labels=labels, invalid=invalid, scored=True)
    positive = whole.positive
    cells: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in groups:
        complete = None not in (group.truth, group.predicted, group.entity, group.domain)
        if complete and (whole.known is None or group.truth in whole.known):
            cells[str(group.domain), str(group.entity)].append(group)
    counts, thresholds, names, domains = [], [], [], []
    places = whole.performances.domains or [""] * len(whole.performances)
    for place, name in zip(places, whole.performances.names, strict=True):
        members = cells[place, name]
        truths = np.array([group.truth == positive for group in members])
        scores = checked_scores([group.predicted for group in members])
        weights = np.array([group.weight for group in members])
        points, cuts = operating_points(truths, scores, weights)
        counts.append(points)
        thresholds.append(cuts)
        names += [f"{name}, score >= {cut}" for cut in cuts.tolist()]
        domains += [place] * len(cuts)
    P = Performances.from_weighted_counts(
        np.concatenate(counts), names=names, domains=domains if whole.performances.domains else None
    )
    return replace(whole, performances=replace(P, thresholds=np.concatenate(thresholds)))


def refuse_unknown_invalid(invalid: str) -> None:
    """Refuse another word for what rows do that cannot be counted."""
    if invalid not in get_args(Invalid):
        raise UsageError(Option("invalid", invalid), expected=f"one of {', '.join(map(repr, INVALID))}")


def checked_threshold(threshold: Any) -> tuple[float | None, bool]:
    """Return the threshold as a number, and whether all thresholds are asked for."""
    if isinstance(threshold, str):
        if threshold.strip().casefold() == "all":
            return None, True
        try:
            threshold = float(threshold)
        except ValueError:
            raise UsageError(Option("threshold", threshold), expected=_NUMBER) from None
    number = float(threshold)
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

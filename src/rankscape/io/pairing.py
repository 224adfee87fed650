"""Pairing: what each model did with each case, so that performances know the cases that they share."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np

from ..account import Account
from ..arrays import Integers
from ..checks.labels import crossing_clusters
from ..checks.positive import label_text
from ..errors import DataError, Option, UsageError
from ..kernels.counting import weighted_bincount
from ..outcomes import SampleSpace
from ..performances import Joint, Performances, Units
from ..texts import counted, some
from .codes import NO_ANSWER, CodedCases, Column, Columns, Tally, combined, name_in, ranked
from .headers import JOINED
from .sheets import located, quoted

WAYS = ("wrong", "common")
"""What may become of cases without an answer: they are errors, or left out for all models."""

FEW_KINDS = 100_000
"""Tables that may have more kinds of cases than this are not asked for them where nobody needs them yet."""


class Rows(NamedTuple):
    """What was done, one row each: the places of entity, domain and cluster among names, case, repeat, and a code.

    ``code`` is −1 where nothing was answered; what the others stand for is up to the kind of cases. ``case`` is None
    where no column names it, so that each row is a case of its own. ``size`` is how many cases there are like that of
    the row, None where all are listed.
    """

    entity: Integers
    domain: Integers
    case: Integers | None
    cluster: Integers | None
    repeat: Integers | None
    code: Integers
    entities: tuple[str, ...]
    domains: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    size: Integers | None = None

    def at(self, rows: Any, **changes: Any) -> Self:
        """Return some of the rows, perhaps more than once, and with other columns."""
        columns = {name: getattr(self, name) for name in (*self._fields[:6], "size")}
        chosen: dict[str, Any] = {name: None if column is None else column[rows] for name, column in columns.items()}
        return self._replace(**chosen | changes)

    def refuse_renumbered(self, what: str, header: str, way_out: Any) -> None:
        """Refuse two rows of one entity, case and number of a repeat: answers or predictions, as ``what`` says."""
        cell = [self.domain, np.asarray(self.case), self.entity, np.asarray(self.repeat)]
        if extra := len(self.code) - len(combined(cell)[1]):
            raise DataError(
                f"{counted(extra, what)} too many: the same model has the same case and {header} more than once",
                way_out=way_out,
            )


# Which cases there are, and which are amiss


def cases_by(size: Integers | None, *columns: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the place of each row among the combinations of columns, these, and how many cases each of them is."""
    code, places = combined(columns)
    sizes = np.ones(len(places), dtype=np.int64)
    if size is not None:
        sizes[code] = size
    return code, places, sizes


def cases_had(
    domain: Integers, entity: Integers, case: Integers, shape: tuple[int, int], size: Integers | None = None
) -> tuple[Integers, Integers]:
    """Return how many cases each entity has on each domain, (domains, entities), and how many there are, (domains,)."""
    question, places, sizes = cases_by(size, domain, case)
    cells, _ = ranked(question * shape[1] + entity, len(places) * shape[1])
    question, entity = np.divmod(cells, shape[1])
    had = weighted_bincount(places[question, 0] * shape[1] + entity, sizes[question], shape[0] * shape[1])
    return had.reshape(shape), weighted_bincount(places[:, 0], sizes, shape[0])


def unmatched(table: CodedCases, columns: Columns) -> list[str]:
    """Return what is wrong with cases, in sentences, of rows in which nothing else is missing."""
    rows = np.flatnonzero(table.codes(columns.case) >= 0)
    nameless = int(table.times.sum() - table.times[rows].sum())
    problems = [f"in {counted(nameless, 'row')} the case is missing"] if nameless else []
    used = (columns.case, columns.domain, columns.truth, columns.entity)
    case, domain, truth, entity = (table.codes(header)[rows] for header in used)
    shape = (int(domain.max(initial=0)) + 1, int(entity.max(initial=0)) + 1)
    had, total = cases_had(domain, entity, case, shape, table.size[rows])
    n = weighted_bincount(domain * shape[1] + entity, table.times[rows], shape[0] * shape[1]).reshape(shape)
    for repeated, number in ((True, n - had), (False, np.where(n > 0, total[:, None] - had, 0))):
        places = []
        for d, e in np.argwhere(number > 0).tolist():
            name = "the table" if columns.entity is None else f"entity {quoted(str(table.value(columns.entity, e)))}"
            on = "" if columns.domain is None else f" on domain {quoted(str(table.value(columns.domain, d)))}"
            places.append((on, name, int(number[d, e]), total[d]))
        if not places:
            continue
        on, name, k, of = min(places)
        others = f", and {counted(len(places) - 1, 'more entity', 'more entities')} likewise" if places[1:] else ""
        if repeated:
            extra = f"{counted(k, 'row')} too many, of {counted(int(of), 'case')}{others}"
            hint = "; does another column name the entity?" if columns.entity is None else ""
            problems.append(f"{name}{on} has more than one row of a case: {extra}{hint}")
        else:
            problems.append(f"{name}{on} lacks cases that others have: {k} of {of}{others}")
    question, _, sizes = cases_by(table.size[rows], domain, case)
    truths = np.bincount(combined([question, truth])[1][:, 0], minlength=len(sizes))
    if torn := int(sizes[truths > 1].sum()):
        problems.append(f"{counted(torn, 'case')} with several truths")
    return problems


def same_cases(table: CodedCases, columns: Columns, P: Performances) -> str:
    """Return that each domain has all the same cases, with the same truth, where that is so: these are repeats."""
    # Drawn domain by domain, ten copies of a test set would be ten test sets. Cases whose names begin anew in each
    # domain have other truths there.
    header, sizes = columns.domain, {int(n) for n in np.asarray(P.counts).sum(axis=1)}
    if columns.case is None or header is None or P.n_domains < 2 or len(sizes) > 1 or max(sizes) < 2:
        return ""
    where, case, truth = (table.codes(name) for name in (header, columns.case, columns.truth))
    places = len(np.unique(where))
    cases, of_truths, of_domains = (
        int(cases_by(table.size, *by)[2].sum()) for by in ((case,), (case, truth), (where, case))
    )
    if places < 2 or of_truths > cases or of_domains < places * cases:
        return ""
    called = quoted(header) if header != JOINED else "the domains"
    return (
        f"all {cases} cases stand in each of the {places} domains of {called}, with the same truth, so they are "
        "probably the same cases"
    )


def refuse_gaps(P: Performances, where: str, *ways: Any) -> None:
    """Refuse an entity that has no case on a domain; there may be other ways out than to do without one of them."""
    known = {*zip(P.domains or [""] * len(P), P.names, strict=True)}
    lacking = [(d, e) for d in dict.fromkeys(P.domains or ()) for e in dict.fromkeys(P.names) if (d, e) not in known]
    if lacking:
        d, e = lacking[0]
        more = f", and so {counted(len(lacking) - 1, 'more', 'more')}" if lacking[1:] else ""
        raise DataError(
            f"entity {quoted(e)} has no case on domain {quoted(d)}{more}", where=where,
            expected="every entity on every domain", way_out=[*ways, "drop one or the other", "choose one domain"],
        )  # fmt: skip


def lacking(rows: Rows) -> str:
    """Return which entities lack how many of the cases that others have on a domain, or nothing."""
    if rows.case is None:
        return ""
    shape = (max(len(rows.domains), 1), len(rows.entities))
    have, questions = cases_had(rows.domain, rows.entity, rows.case, shape, rows.size)

    def word(pair: Any) -> str:
        d, e = int(pair[0]), int(pair[1])
        on = f" on {quoted(rows.domains[d])}" if rows.domains else ""
        return f"{quoted(rows.entities[e])} lacks {questions[d] - have[d, e]} of {questions[d]} cases{on}"

    absent = list(np.argwhere(have < questions[:, None]))
    return some(absent, 3, quote="", joint="; ", word=word) if absent else ""


# Cases without an answer


def settled(rows: Rows, common: bool, everywhere: bool = False) -> tuple[Rows, Integers, int]:
    """Return rows with those that entities lack, or of the ``common`` cases; their places; how many have no code.

    An entity lacks a case of a domain on which it has others, unless no two entities share a case there: these have
    cases of their own; or any case, ``everywhere``. A row that it lacks has the code −1, and the place of another row
    of that case. The cases are common of which no row lacks a code; rows without a name are left as they are.
    """
    n, at = len(rows.entities), np.arange(len(rows.code))
    if rows.case is not None:
        named = np.flatnonzero(np.min([rows.domain, rows.case, rows.entity], axis=0) >= 0)
        domain, entity = rows.domain[named], rows.entity[named]
        question, _ = combined([domain, rows.case[named]])
        first = np.unique(question, return_index=True)[1]
        there, where = ranked(question * n + entity)[0], domain[first]
        shared = np.unique(where if everywhere else where[np.bincount(there // n) > 1])
        of_domain = {d: np.flatnonzero(where == d) for d in shared.tolist()}
        tried = combined([domain, entity])[1].tolist()
        tried = product(of_domain, {e for _, e in tried}) if everywhere else tried
        due = [of_domain[d] * n + e for d, e in tried if d in of_domain]
        absent = np.setdiff1d(np.concatenate(due), there) if due else at[:0]
        at = np.append(at, named[first[absent // n]])
        code = np.append(rows.code, np.full(len(absent), -1))
        rows = rows.at(at, entity=np.append(rows.entity, absent % n), code=code)
    missing = int((rows.code < 0).sum())
    if not (common and missing):
        return rows, at, missing
    if rows.case is None:
        way_out = [["name it with ", Option("case")]]
        raise UsageError("which cases all models answered, only a column of cases tells", way_out=way_out)
    question, _ = combined([rows.domain, rows.case])
    nameless = np.min([rows.domain, rows.case, rows.entity], axis=0) < 0
    keep = np.flatnonzero((np.bincount(question, rows.code < 0) == 0)[question] | nameless)
    return rows.at(keep), at[keep], missing


def none_common(domains: Sequence[str]) -> str:
    """Say on which domains no case is common."""
    where = some(list(domains), 3, quote="", word=quoted)
    return f"no model is compared on {where}, where no case was answered by every model"


def answered(
    table: CodedCases, columns: Columns, way: str, pos_label: Any = None, ways: Sequence[str] = WAYS
) -> CodedCases:
    """Return a table whose missing predictions are wrong, or whose cases are those that every model answered.

    Of more than two classes, of which ``pos_label`` is positive, a wrong prediction is on the other side.
    """
    what, k = "prediction" if ways == WAYS else "score", len(columns.predictions)
    if way not in ways:
        raise UsageError(Option("unanswered", way), expected=f"one of {', '.join(map(repr, ways))}, for {what}s")
    n, code = table.records, np.concatenate([table.codes(header) for header in columns.predictions])
    case: Integers | None
    if columns.entity is None:  # each row is a case
        case, entity, names = np.tile(np.arange(n), k), np.repeat(np.arange(k), n), list(columns.predictions)
    else:
        case = None if columns.case is None else table.codes(columns.case)
        entity, names = table.codes(columns.entity), table.columns[columns.entity].values
    rows = Rows(entity, np.tile(table.codes(columns.domain), k), case, None, None, code, tuple(names))
    # Scores need every model on every domain, so that cases of a domain that a model lacks are not common.
    rows, at, missing = settled(rows, way == "common", everywhere=ways != WAYS)
    if not missing:
        raise UsageError([Option("unanswered", way), f" would change nothing: every case has a {what}"])
    at = at[: len(at) // k]  # those of the first column, as of each
    out = copy(table)
    out.columns = {header: column._replace(codes=column.codes[at]) for header, column in table.columns.items()}
    out.records, out.times, out.size = len(at), table.times[at], table.size[at]
    if way == "common":
        if not len(at):
            raise DataError("no case was answered by every model", where=table.where)
        out.left_out = {"some model did not answer the case": n - len(at)}
        if (gone := np.setdiff1d(table.codes(columns.domain), out.codes(columns.domain))).size:
            out.notes = (*table.notes, none_common([str(table.value(str(columns.domain), d)) for d in gone.tolist()]))
        return out
    if columns.entity is not None:
        out.columns[columns.entity] = Column(table.columns[columns.entity].values, rows.entity)
    truth = out.columns[columns.truth]
    predicted = [value for header in columns.predictions for value in table.columns[header].values]
    wrong = _wrong_labels(truth.values, predicted, pos_label)
    for header, codes in zip(columns.predictions, rows.code.reshape(k, -1), strict=True):
        values = list(dict.fromkeys([*table.columns[header].values, *wrong]))
        places = np.array([*map(values.index, wrong), -1])
        out.columns[header] = Column(values, np.where(codes < 0, places[truth.codes], codes))
    out.notes = (*table.notes, f"{counted(missing, 'missing prediction')} counted as wrong")
    return out


def _wrong_labels(true: Sequence[Any], predicted: Sequence[Any], pos_label: Any) -> list[Any]:
    """Return a wrong prediction for each true label: the other class, or side; of several classes it is none."""
    known = list(dict.fromkeys([*true, *predicted]))
    positive = [label for label in known if pos_label is not None and label_text(label) == label_text(pos_label)]
    if positive:
        other = next((label for label in known if label not in positive), NO_ANSWER)
        return [other if label in positive else positive[0] for label in true]
    if len(known) == 2:
        return [known[0] if label == known[1] else known[1] for label in true]
    return [NO_ANSWER] * len(true)


# What the models do on the same cases


def joint_of_table(table: CodedCases, columns: Columns, seen: Tally) -> Joint:
    """Return the kinds of cases of the entities that were counted; −1 is the outcome of one not tried on a domain.

    With a column that numbers repeats the predictions of a case are averaged, which gives a share of each outcome;
    other cases are drawn with all of their repeats, so that ten copies of a test set are as sure as one. Raises
    DataError where a case has two predictions of one repeat, lies in several clusters, or an entity lacks it.
    """
    P, k, n = seen.performances, len(columns.predictions), len(table.times)
    cluster, repeat = columns.cluster, columns.repeat
    entities, domains = tuple(dict.fromkeys(P.names)), tuple(dict.fromkeys(P.domains or ()))
    of_entity, of_domain = ({name: i for i, name in enumerate(names)} for names in (entities, domains or ("",)))
    groups = [(of_domain.get(domain, -1), of_entity.get(name, -1), outcome) for domain, name, outcome in seen.groups]
    where, entity, code = np.array(groups)[seen.code].T
    clusters, of_cluster = dict[str, int](), None
    if cluster is not None:
        called = [str(name_in(value, table.texts)) for value in table.columns[cluster].values]
        clusters = {name: i for i, name in enumerate(sorted({*called}))}
        of_cluster = np.tile(np.array([*map(clusters.__getitem__, called), -1])[table.codes(cluster)], k)
    case = np.tile(np.arange(n) if columns.case is None else table.codes(columns.case), k)
    of_repeat = None if repeat is None else np.tile(table.codes(repeat), k)
    size = np.tile(table.size, k)
    rows = Rows(entity, where, case, of_cluster, of_repeat, code, entities, domains, tuple(clusters), size)
    rows = rows.at(np.flatnonzero((rows.entity >= 0) & (rows.domain >= 0)))  # others are not looked at
    if repeat is not None:
        truth = rows.code // (len(P.space.labels) or 2)
        several = len(combined([rows.domain, case_of := np.asarray(rows.case), truth])[1])
        if several := several - len(combined([rows.domain, case_of])[1]):
            raise DataError(
                f"{counted(several, 'case')} with several truths", where=table.where,
                way_out=["where they are different cases, name them apart"],
            )  # fmt: skip
        rows.refuse_renumbered("prediction", quoted(repeat), [["name another column with ", Option("repeat")]])
    averaged = performances_of(rows, np.identity(len(P.space), dtype=object), P.space, cluster)
    joint = None if averaged.shared is None else averaged.shared.cases  # some entities may be on some domains only
    if not isinstance(joint, Joint):
        raise DataError(lacking(rows), where=table.where, way_out="complete the table")
    columns_read = {} if cluster is None else {"cluster": (cluster,)}
    if repeat is not None:
        P, columns_read = averaged, {"case": (str(columns.case),), "repeat": (repeat,)}
    account = (seen.performances.account or Account()).noting(cases=sum(joint.cases.values()), columns=columns_read)
    return joint._replace(performances=replace(P, account=account))


def performances_of(rows: Rows, whole: Any, space: SampleSpace, cluster: str | None) -> Performances:
    """Return the performances by domain and entity, which know their cases if each entity has all or none of a domain.

    ``whole`` (codes, outcomes) are integers proportional to the shares of the outcomes that a code stands for, all by
    one factor. Several rows of an entity and a case are averaged. Where each case has one outcome these are counts,
    else exact sums; ``cluster`` is the header of clusters.
    """
    n = len(rows.entities)
    case = np.arange(len(rows.code)) if rows.case is None else rows.case
    question, places, size = cases_by(rows.size, rows.domain, case)
    cells, row = ranked(question * n + rows.entity, len(places) * n)
    code = np.empty(len(cells), dtype=np.int64)
    code[row] = rows.code
    if len(cells) < len(row):
        code, whole = _averages(rows.code, whole, row, np.bincount(row))
    outcome = whole == whole[0].sum()
    grades = None
    if outcome.any(axis=1).all():
        code = outcome.argmax(axis=1)[code]
    else:
        grades = (whole / whole[0].sum()).astype(np.float64)
    pair = places[cells // n, 0] * n + cells % n
    there, at = ranked(pair)
    names = [rows.entities[p % n] for p in there.tolist()]
    domains = [rows.domains[p // n] for p in there.tolist()] if rows.domains else None
    if grades is None:
        counts = weighted_bincount(at * len(space) + code, size[cells // n], len(there) * len(space))
        P = Performances.from_counts(counts.reshape(-1, len(space)), names=names, domains=domains, space=space)
    else:
        order = np.argsort(pair, kind="stable")
        sums = np.add.reduceat(whole[code[order]], np.flatnonzero(np.diff(pair[order], prepend=-1)), axis=0)
        P = Performances.from_exact(sums, names=names, domains=domains, space=space)
    have = np.bincount(at)  # cases of each domain and entity that was tried there
    if rows.case is None or (have < np.bincount(places[:, 0])[there // n]).any():
        return P
    codes = np.full((len(places), n), -1)  # of an entity that was not tried on a domain
    codes.flat[cells] = code
    codes = codes[:, list(dict.fromkeys((there % n).tolist()))]  # in the order of the names, which domains may change
    inside = np.zeros(len(places), dtype=np.int64) if cluster is None else _clusters(rows, question, cluster)
    units = []
    for domain in range(max(len(rows.domains), 1)):
        here = np.flatnonzero(places[:, 0] == domain)
        of_kind, kinds = combined([inside[here], *codes[here].T])
        number = None if cluster is None else np.unique(kinds[:, 0], return_inverse=True)[1].ravel()
        units.append(Units(kinds[:, 1:], weighted_bincount(of_kind, size[here], len(kinds)), number, grades))
    return P.with_pairing(Joint(P, tuple(units), cluster is not None))


def _averages(codes: Integers, whole: Any, row: Integers, times: Integers) -> tuple[Integers, Any]:
    """Return the means over the repeats of each cell, equal ones as one code, and integers proportional to them."""
    kinds = len(whole)
    cell_code, numbers = np.unique(row * kinds + codes, return_counts=True)
    common = int(np.lcm.reduce(np.unique(times).astype(object)))
    total = int(whole[0].sum()) * common  # of the integers of each mean
    kind = np.int64 if total < 2**53 else object
    parts = (common // times.astype(object)).astype(kind)[cell_code // kinds]
    sums = np.zeros((len(times), whole.shape[1]), dtype=kind)
    np.add.at(sums, cell_code // kinds, whole.astype(kind)[cell_code % kinds] * (parts * numbers)[:, None])
    if kind is object:  # which numpy does not sort by rows
        texts = np.array([",".join(map(str, cell)) for cell in sums.tolist()])
        _, first, code = np.unique(texts, return_index=True, return_inverse=True)
        means = sums[first]
    else:
        means, code = np.unique(sums, axis=0, return_inverse=True)
    return code.ravel(), means.astype(object)


def _clusters(rows: Rows, question: Integers, header: str) -> Integers:
    """Return the cluster of each case; raises where a case lies in several, or a cluster on several domains."""
    of_case = combined([question, np.asarray(rows.cluster), rows.domain])[1]
    if len(of_case) > int(question.max()) + 1:
        raise located("", f"some cases lie in several clusters of {quoted(header)}: expected one of each")
    pairs = combined([of_case[:, 2], of_case[:, 1]])[1].tolist()
    if rows.domains and (crossing := crossing_clusters((rows.domains[d], rows.clusters[c]) for d, c in pairs)):
        raise located("", crossing)
    return of_case[:, 1]

"""Pairing: what each model did with each case, so that performances know the cases that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from .codes import NO_ANSWER, CodedCases, Columns, combined, name_order, names_of_codes, ranked
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

    def on(self, domain: str) -> Self:
        """Return the rows of one domain."""
        here = np.flatnonzero(self.domain == self.domains.index(domain))
        return self.at(here, domain=np.zeros(len(here), dtype=np.int64), domains=(domain,))

    def refuse_renumbered(self, what: str, header: str, way_out: Any) -> None:
        """Refuse two rows of one entity, case and number of a repeat: answers or predictions, as ``what`` says."""
        cell = [self.domain, np.asarray(self.case), self.entity, np.asarray(self.repeat)]
        if extra := len(self.code) - len(combined(cell)[1]):
            raise DataError(
                f"{counted(extra, what)} too many: the same model has the same case and {header} more than once",
                way_out=way_out,
            )


class Tally(NamedTuple):
    """The performances of a table, and what was counted.

    ``rows`` is the number of rows, of several columns of predictions together, ``cases`` what each is, with the outcome
    as its code, and ``truth`` its true label. ``pooled`` are the columns that were not used but may name entities or
    domains: {header: "entity" or "domain"}.
    """

    performances: Performances
    rows: int
    cases: Rows
    truth: Integers
    positive: Any = None
    notes: tuple[str, ...] = ()
    pooled: Mapping[str, str] = {}


def rows_of(table: CodedCases, columns: Columns) -> Rows:
    """Return what each row of a table is, column of predictions after column, whose codes are those of the cells."""
    n, k = len(table.times), len(columns.predictions)

    def named(header: str | None, names: tuple[str, ...] = ()) -> tuple[tuple[str, ...], Integers]:
        if header is None:
            return names, np.zeros(n, dtype=np.int64)
        return names_of_codes(table.columns[header], table.texts)

    entities, entity = named(columns.entity, columns.predictions)
    if columns.entity is None:  # in the order of names, as where a column has them
        entities = tuple(sorted(entities, key=name_order))
        entity = np.repeat([entities.index(header) for header in columns.predictions], n)
    domains, domain = named(columns.domain)
    clusters, cluster = named(columns.cluster)
    case = np.arange(n) if columns.case is None else table.codes(columns.case)
    code = np.concatenate([table.codes(header) for header in columns.predictions])
    down = [domain, case, cluster, table.codes(columns.repeat), table.times]
    domain, case, cluster, repeat, times = (np.tile(column, k) for column in down)
    of_cluster, of_repeat = cluster if columns.cluster else None, repeat if columns.repeat else None
    return Rows(entity, domain, case, of_cluster, of_repeat, code, entities, domains, clusters, times)


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


def unmatched(rows: Rows, columns: Columns, truth: Integers) -> list[str]:
    """Return what is wrong with cases, in sentences, of rows in which nothing else is missing."""
    n = len(rows.code) // len(columns.predictions)  # of the first column, as of each
    lost, sizes = np.asarray(rows.case)[:n] < 0, np.asarray(rows.size)
    nameless = int(sizes[:n][lost].sum())
    problems = [f"in {counted(nameless, 'row')} the case is missing"] if nameless else []
    at = np.flatnonzero(~lost)
    rows, truth = rows.at(at), truth[at]
    case, sizes, shape = np.asarray(rows.case), sizes[at], (max(len(rows.domains), 1), len(rows.entities))
    had, total = cases_had(rows.domain, rows.entity, case, shape, sizes)
    times = weighted_bincount(rows.domain * shape[1] + rows.entity, sizes, had.size).reshape(shape)
    for repeated, number in ((True, times - had), (False, np.where(times > 0, total[:, None] - had, 0))):
        places = []
        for d, e in np.argwhere(number > 0).tolist():
            name = "the table" if columns.entity is None else f"entity {quoted(rows.entities[e])}"
            on = f" on domain {quoted(rows.domains[d])}" if rows.domains else ""
            places.append((on, name, int(number[d, e]), int(total[d])))
        if not places:
            continue
        on, name, k, of = min(places)
        others = f", and {counted(len(places) - 1, 'more entity', 'more entities')} likewise" if places[1:] else ""
        if repeated:
            hint = "; does another column name the entity?" if columns.entity is None else ""
            extra = f"{counted(k, 'row')} too many, of {counted(of, 'case')}{others}"
            problems.append(f"{name}{on} has more than one row of a case: {extra}{hint}")
        else:
            problems.append(f"{name}{on} lacks cases that others have: {k} of {of}{others}")
    question, _, of_case = cases_by(sizes, rows.domain, case)
    truths = np.bincount(combined([question, truth])[1][:, 0], minlength=len(of_case))
    if torn := int(of_case[truths > 1].sum()):
        problems.append(f"{counted(torn, 'case')} with several truths")
    return problems


def same_cases(rows: Rows, columns: Columns, truth: Integers) -> str:
    """Return that each domain has all the same cases, with the same truth, where that is so: these are repeats."""
    # Drawn domain by domain, ten copies of a test set would be ten test sets. Cases whose names begin anew in each
    # domain have other truths there.
    places, case = len(rows.domains), np.asarray(rows.case)
    n = len(rows.entities)
    sizes = {*weighted_bincount(rows.domain * n + rows.entity, rows.size, max(places, 1) * n).tolist()} - {0}
    if columns.case is None or places < 2 or len(sizes) > 1 or max(sizes) < 2:
        return ""
    cases, of_truths, of_domains = (
        int(cases_by(rows.size, *by)[2].sum()) for by in ((case,), (case, truth), (rows.domain, case))
    )
    if of_truths > cases or of_domains < places * cases:
        return ""
    called = quoted(columns.domain) if columns.domain != JOINED else "the domains"
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


def answered(table: CodedCases, columns: Columns, way: str) -> CodedCases:
    """Return a table that has the rows that models lack, without a prediction, or only the cases that all answered."""
    k, (ways, what) = len(columns.predictions), (WAYS[1:], "score") if columns.scored else (WAYS, "prediction")
    if way not in ways:
        raise UsageError(Option("unanswered", way), expected=f"one of {', '.join(map(repr, ways))}, for {what}s")
    given, n = rows_of(table, columns), len(table.times)
    if columns.entity is None:  # each row is a case
        given = given._replace(case=np.tile(np.arange(n), k))
    elif columns.case is None:
        given = given._replace(case=None)
    # Scores need every model on every domain, so that cases of a domain that a model lacks are not common.
    rows, at, missing = settled(given, way == "common", everywhere=columns.scored)
    if not missing:
        raise UsageError([Option("unanswered", way), f" would change nothing: every case has a {what}"])
    at = at[: len(at) // k]  # those of the first column, as of each
    of_rows = {header: column._replace(codes=column.codes[at]) for header, column in table.columns.items()}
    out = replace(table, columns=of_rows, records=len(at), times=table.times[at])
    if way == "common":
        if not len(at):
            raise DataError("no case was answered by every model", where=table.where)
        out.left_out = {"some model did not answer the case": table.records - len(at)}
        gone = [given.domains[d] for d in np.setdiff1d(given.domain, rows.domain).tolist()]
        out.notes += (none_common(gone),) if gone else ()
        return out
    if columns.entity is not None:  # the rows that were added are of other models
        code_of = np.full(len(given.entities) + 1, -1)
        code_of[given.entity] = table.codes(columns.entity)
        of_rows[columns.entity].codes[n:] = code_of[rows.entity[n:]]
        of_rows[columns.predictions[0]].codes[n:] = -1
    out.notes += (f"{counted(missing, 'missing prediction')} counted as wrong",)
    return out


def wrong_labels(known: Sequence[Any], pos_label: Any) -> list[Any]:
    """Return a wrong prediction for each label that may be true: the other class, or side; of several it is none."""
    positive = [label for label in known if pos_label is not None and label_text(label) == label_text(pos_label)]
    if positive:
        other = next((label for label in known if label not in positive), NO_ANSWER)
        return [other if label in positive else positive[0] for label in known]
    return [*reversed(known)] if len(known) == 2 else [NO_ANSWER] * len(known)


# What the models do on the same cases


def paired_by_cases(seen: Tally, columns: Columns) -> Performances:
    """Return the performances that were counted, which know their cases: −1 is the outcome of none on a domain.

    With a column that numbers repeats the predictions of a case are averaged, which gives a share of each outcome;
    other cases are drawn with all of their repeats, so that ten copies of a test set are as sure as one. Raises
    DataError where a case has two predictions of one repeat, lies in several clusters, or an entity lacks it.
    """
    rows, space = seen.cases, seen.performances.space
    if columns.repeat is not None:
        truth, case = rows.code // (len(space.labels) or 2), np.asarray(rows.case)
        several = len(combined([rows.domain, case, truth])[1]) - len(combined([rows.domain, case])[1])
        if several:
            raise DataError(
                f"{counted(several, 'case')} with several truths",
                way_out=["where they are different cases, name them apart"],
            )
        rows.refuse_renumbered("prediction", quoted(columns.repeat), [["name another column with ", Option("repeat")]])
    P = performances_of(rows, np.identity(len(space), dtype=object), space, columns.cluster)
    cases = None if P.shared is None else P.shared.cases  # some entities may be on some domains only
    if not isinstance(cases, Joint):
        raise DataError(lacking(rows), way_out="complete the table")
    account = (seen.performances.account or Account()).noting(cases=sum(cases.cases.values()))
    return replace(P, account=account).sharing(P.shared)


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

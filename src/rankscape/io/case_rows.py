"""Rows of cases: what each entity did with each case becomes performances, which know the cases that they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np

from ..arrays import Flags, Integers
from ..errors import DataError
from ..outcomes import SampleSpace
from ..performances import Joint, Performances, Units
from ..texts import counted, some
from .coded import combined
from .sheets import located, quoted


class Rows(NamedTuple):
    """What was done, one row each: the places of entity, domain and cluster among names, case, repeat, and a code.

    ``code`` is −1 where nothing was answered; what the others stand for is up to the kind of cases. ``case`` is None
    where no column names it, so that each row is a case of its own.
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

    def at(self, rows: Any, **changes: Any) -> Self:
        """Return some of the rows, perhaps more than once, and with other columns."""
        columns = zip(self._fields[:6], self[:6], strict=True)
        chosen: dict[str, Any] = {name: None if column is None else column[rows] for name, column in columns}
        return self._replace(**chosen | changes)

    def refuse_renumbered(self, what: str, header: str, way_out: Any) -> None:
        """Refuse two rows of one entity, case and number of a repeat: answers or predictions, as ``what`` says."""
        cell = [self.domain, np.asarray(self.case), self.entity, np.asarray(self.repeat)]
        if extra := len(self.code) - len(combined(cell)[1]):
            raise DataError(
                f"{counted(extra, what)} too many: the same model has the same case and {header} more than once",
                way_out=way_out,
            )


def absent_rows(domain: Integers, case: Integers, entity: Integers) -> tuple[Integers, Integers]:
    """Return a row of each case that an entity lacks on a domain where it has others, and the entity.

    Domains on which no two entities share a case have cases of their own for each, and so lack nothing.

    >>> of_case, entity = absent_rows(np.zeros(3, int), np.array([5, 6, 5]), np.array([0, 0, 1]))
    >>> of_case.tolist(), entity.tolist()
    ([1], [1])
    """
    if not len(case):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    n = int(entity.max()) + 1
    question, _ = combined([domain, case])
    first = np.unique(question, return_index=True)[1]
    at, where = np.unique(question * n + entity), domain[first]
    shared = np.unique(where[np.bincount(at // n) > 1])
    of_domain = {d: np.flatnonzero(where == d) for d in shared.tolist()}
    tried = np.unique(domain * n + entity).tolist()
    due = [of_domain[t // n] * n + t % n for t in tried if t // n in of_domain]
    missing = np.setdiff1d(np.concatenate(due), at) if due else np.zeros(0, dtype=np.int64)
    return first[missing // n], missing % n


def answered_by_all(domain: Integers, case: Integers, lacks: Flags) -> Flags:
    """Return which rows are of a case of which no row ``lacks`` an answer."""
    question, _ = combined([domain, case])
    return np.asarray((np.bincount(question, lacks) == 0)[question])


def lacking(rows: Rows) -> str:
    """Return which entities lack how many of the cases that others have on a domain, or nothing."""
    if rows.case is None:
        return ""
    n, number = len(rows.entities), max(len(rows.domains), 1)
    question, places = combined([rows.domain, rows.case])
    cells = np.flatnonzero(np.bincount(question * n + rows.entity))
    have = np.bincount(places[cells // n, 0] * n + cells % n, minlength=number * n).reshape(number, n)
    questions = np.bincount(places[:, 0], minlength=number)

    def word(pair: Any) -> str:
        d, e = int(pair[0]), int(pair[1])
        on = f" on {quoted(rows.domains[d])}" if rows.domains else ""
        return f"{quoted(rows.entities[e])} lacks {questions[d] - have[d, e]} of {questions[d]} cases{on}"

    absent = list(np.argwhere(have < questions[:, None]))
    return some(absent, 3, quote="", joint="; ", word=word) if absent else ""


def performances_of(rows: Rows, whole: Any, space: SampleSpace, cluster: str | None) -> Performances:
    """Return the performances by domain and entity, which know their cases if each entity has all or none of a domain.

    ``whole`` (codes, outcomes) are integers proportional to the shares of the outcomes that a code stands for, all by
    one factor. Several rows of an entity and a case are averaged. Where each case has one outcome these are counts,
    else exact sums; ``cluster`` is the header of clusters.
    """
    n = len(rows.entities)
    case = np.arange(len(rows.code)) if rows.case is None else rows.case
    question, places = combined([rows.domain, case])
    cells, row, times = np.unique(question * n + rows.entity, return_inverse=True, return_counts=True)
    code = np.empty(len(cells), dtype=np.int64)
    code[row] = rows.code
    if len(cells) < len(row):
        code, whole = _averages(rows.code, whole, row, times)
    outcome = whole == whole[0].sum()
    grades = None
    if outcome.any(axis=1).all():
        code = outcome.argmax(axis=1)[code]
    else:
        grades = (whole / whole[0].sum()).astype(np.float64)
    pair = places[cells // n, 0] * n + cells % n
    there, at = np.unique(pair, return_inverse=True)
    names = [rows.entities[p % n] for p in there.tolist()]
    domains = [rows.domains[p // n] for p in there.tolist()] if rows.domains else None
    if grades is None:
        counts = np.bincount(at * len(space) + code, minlength=len(there) * len(space)).reshape(-1, len(space))
        P = Performances.from_counts(counts, names=names, domains=domains, space=space)
    else:
        order = np.argsort(pair, kind="stable")
        sums = np.add.reduceat(whole[code[order]], np.flatnonzero(np.diff(pair[order], prepend=-1)), axis=0)
        P = Performances.from_exact(sums, names=names, domains=domains, space=space)
    have = np.bincount(at)  # cases of each domain and entity that was tried there
    if rows.case is None or (have < np.bincount(places[:, 0])[there // n]).any():
        return P
    codes = np.full((len(places), n), -1)  # of an entity that was not tried on a domain
    codes.flat[cells] = code
    inside = np.zeros(len(places), dtype=np.int64) if cluster is None else _clusters(rows, question, cluster)
    units = []
    for domain in range(max(len(rows.domains), 1)):
        here = np.flatnonzero(places[:, 0] == domain)
        of_kind, kinds = combined([inside[here], *codes[here].T])
        number = None if cluster is None else np.unique(kinds[:, 0], return_inverse=True)[1].ravel()
        units.append(Units(kinds[:, 1:], np.bincount(of_kind), number, grades))
    return P.with_pairing(Joint(P, tuple(units), cluster is not None))


def _averages(codes: Integers, whole: Any, row: Integers, times: Integers) -> tuple[Integers, Any]:
    """Return the means over the repeats of each cell: codes (cells,), and integers proportional to what they stand for.

    Equal means are one code, whatever they are of.
    """
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
    of_case, both = np.unique(np.stack([question, np.asarray(rows.cluster)]), axis=1, return_index=True)
    if of_case.shape[1] > int(question.max()) + 1:
        raise located("", f"some cases lie in several clusters of {quoted(header)}: expected one of each")
    pairs = zip(rows.domain[both].tolist(), of_case[1].tolist(), strict=True)
    if rows.domains and (crossing := crossing_clusters((rows.domains[d], rows.clusters[c]) for d, c in pairs)):
        raise located("", crossing)
    return np.asarray(of_case[1])


def crossing_clusters(pairs: Iterable[tuple[Any, Any]]) -> str:
    """Return what is wrong where a cluster of (domain, cluster) lies on several domains, or nothing.

    >>> crossing_clusters([("x", 1), ("y", 2)]), crossing_clusters([("x", 1), ("y", 1)])[:47]
    ('', 'the cluster "1" lies on the domains "x" and "y"')
    """
    first: dict[str, str] = {}
    for domain, cluster in dict.fromkeys((str(domain), str(cluster)) for domain, cluster in pairs):
        if cluster in first:
            return (
                f"the cluster {quoted(cluster)} lies on the domains {quoted(first[cluster])} and {quoted(domain)}, but "
                "clusters are drawn on each domain by itself: if these are different ones, name them apart, as "
                f"{quoted(f'{domain}/{cluster}')}; else leave the domains out"
            )
        first[cluster] = domain
    return ""

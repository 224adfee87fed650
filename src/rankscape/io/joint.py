"""Joint counts: what the entities do on the same cases, for paired draws; only kinds of cases travel."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..account import Account
from ..arrays import Integers
from ..errors import DataError, Option
from ..performances import Joint, Performances, Units
from ..tasks.classes import class_text
from ..texts import counted
from .case_rows import Rows, crossing_clusters, lacking, performances_of
from .cases import CaseTable, Classes, Columns
from .coded import CodedCases, combined
from .engines import rows_here
from .groups import Tally
from .headers import JOINED
from .sheets import located, quoted
from .terms import Terms

FEW_KINDS = 100_000
"""Tables that may have more kinds of cases than this are not asked for them where nobody needs them yet."""


def joint_of_table(
    table: CaseTable, columns: Sequence[Columns], seen: Tally, terms: Terms, P: Performances, cluster: str | None
) -> Joint:
    """Return the joint kinds of cases of the entities of ``P``; −1 is the outcome of one not tried on a domain."""
    entities, domains, first = list(dict.fromkeys(P.names)), P.domains or ("",) * len(P), columns[0]
    row = {name: i for i, name in enumerate(entities)}
    kinds = table.kinds(columns, cluster, classes_of(seen, terms), lambda name: row.get(str(terms.name(name))))
    if first.entity is None:
        names = [one.prediction for one in columns]
        order = [names.index(name) for name in entities]
        kinds = [kind._replace(outcomes=kind.outcomes[order]) for kind in kinds]
    places = ["" if first.domain is None else str(terms.domain(kind.domain)) for kind in kinds]
    clusters = [terms.name(kind.unit) for kind in kinds]
    if cluster is not None and (crossing := crossing_clusters(zip(places, clusters, strict=True))):
        raise located(table.where, crossing)
    of_domain: dict[str, list[tuple[Any, Integers, int]]] = {place: [] for place in domains}
    for place, name, kind in zip(places, clusters, kinds, strict=True):
        if place in of_domain:  # the others are not looked at
            of_domain[place].append((name, kind.outcomes, kind.size))
    units, tried = [], set(zip(domains, P.names, strict=True))
    for place, here in of_domain.items():
        if sum(n for *_, n in here) != int(np.asarray(P.counts)[domains.index(place)].sum()):
            raise located(
                table.where,
                f"cases in the column {quoted(str(first.case))} lie in several clusters of {quoted(str(cluster))}",
            )
        for absent in (i for i, name in enumerate(entities) if (place, name) not in tried):
            for _, outcomes, _ in here:
                outcomes[absent] = -1
        units.append(_units_of_kinds(here, cluster is not None))
    return Joint(P, tuple(units), cluster is not None)


def _units_of_kinds(kinds: Sequence[tuple[Any, Integers, int]], clustered: bool) -> Units:
    """Return the kinds of cases in the order of their outcomes, within clusters in the order of their names."""
    together: dict[tuple[str, tuple[int, ...]], int] = {}
    for cluster, codes, size in kinds:  # labels of several types may be one kind
        key = (str(cluster) if clustered else "", tuple(codes.tolist()))
        together[key] = together.get(key, 0) + size
    ordered = sorted(together.items())
    codes = np.array([key for (_, key), _ in ordered])
    sizes = np.array([number for _, number in ordered])
    index = np.unique([name for (name, _), _ in ordered], return_inverse=True)[1].ravel() if clustered else None
    return Units(codes, sizes, index)


def classes_of(seen: Tally, terms: Terms) -> Classes:
    """Return where labels stand among the classes of the performances counted."""
    labels = seen.performances.space.labels
    if not labels:
        return Classes(lambda label: int(terms.label(label) == seen.positive), 2)
    at = {label: i for i, label in enumerate(labels)}
    return Classes(lambda label: at[class_text(terms.label(label))], len(labels))


def joint_of_repeats(
    rows: CodedCases, columns: Sequence[Columns], seen: Tally, terms: Terms, repeat: str, cluster: str | None
) -> Joint:
    """Return what the entities do on each case on average over its repeats, which is a share of each outcome.

    Other cases are drawn with all of their repeats, so that ten copies of a test set are as sure as one. Raises
    DataError where a case has two predictions of one repeat, or an entity lacks a case.
    """
    first, P, classes, k = columns[0], seen.performances, classes_of(seen, terms), len(columns)
    entities, domains = tuple(dict.fromkeys(P.names)), tuple(dict.fromkeys(P.domains or ()))

    def coded(header: str, meaning: Any) -> Integers:
        column = rows.columns[header]
        return np.array([meaning(value) for value in column.values], dtype=np.int64)[column.codes]

    where = np.zeros(rows.records, dtype=np.int64)
    if first.domain is not None:
        where = coded(first.domain, lambda value: domains.index(str(terms.domain(value))))
    case, truth = rows.columns[str(first.case)].codes, coded(first.truth, classes.place)
    several = len(combined([where, case, rows.columns[first.truth].codes])[1]) - len(combined([where, case])[1])
    if several:
        raise DataError(
            f"{counted(several, 'case')} with several truths", where=rows.where,
            way_out=["where they are different cases, name them apart"],
        )  # fmt: skip
    if first.entity is not None:
        entity = coded(first.entity, lambda value: entities.index(str(terms.name(value))))
    else:
        entity = np.repeat([entities.index(one.prediction) for one in columns], rows.records)
    outcomes = [classes.number * truth + coded(one.prediction, classes.place) for one in columns]
    clusters = rows.columns[cluster] if cluster is not None else None
    predictions = Rows(
        entity, np.tile(where, k), np.tile(case, k), None if clusters is None else np.tile(clusters.codes, k),
        np.tile(rows.columns[repeat].codes, k), np.concatenate(outcomes), entities, domains,
        () if clusters is None else tuple(map(str, clusters.values)),
    )  # fmt: skip
    predictions.refuse_renumbered("prediction", quoted(repeat), [["name another column with ", Option("repeat")]])
    averaged = performances_of(predictions, np.identity(len(P.space), dtype=object), P.space, cluster)
    joint = averaged.pairing
    if joint is None:
        raise DataError(lacking(predictions), where=rows.where, way_out="complete the table")
    read = {"case": (str(first.case),), "repeat": (repeat,)}
    account = (P.account or Account()).noting(cases=sum(joint.cases.values()), columns=read)
    return joint._replace(performances=replace(averaged, account=account))


def same_cases(table: CaseTable, columns: Columns, P: Performances) -> str:
    """Return that each domain has all the same cases, with the same truth, where that is so: these are repeats.

    Drawn domain by domain, ten copies of a test set would be ten test sets. Cases whose names begin anew in each
    domain have other truths there.
    """
    header, sizes = columns.domain, {int(n) for n in np.asarray(P.counts).sum(axis=1)}
    if columns.case is None or header is None or P.n_domains < 2 or len(sizes) > 1 or max(sizes) < 2:
        return ""
    rows = rows_here(table, (columns.truth, columns.case, header))
    if rows is None:
        return ""
    where, case, truth = (rows.columns[name].codes for name in (header, columns.case, columns.truth))
    cells = combined([where, case])[1]
    places, cases = len(np.unique(cells[:, 0])), len(np.unique(cells[:, 1]))
    if places < 2 or len(combined([case, truth])[1]) > cases or len(cells) < places * cases:
        return ""
    called = quoted(header) if header != JOINED else "the domains"
    return (
        f"all {cases} cases stand in each of the {places} domains of {called}, with the same truth, so they are "
        "probably the same cases"
    )


def refuse_gaps(P: Performances, where: str) -> None:
    """Refuse an entity that has no case on a domain."""
    known = {*zip(P.domains or [""] * len(P), P.names, strict=True)}
    lacking = [(d, e) for d in dict.fromkeys(P.domains or ()) for e in dict.fromkeys(P.names) if (d, e) not in known]
    if lacking:
        d, e = lacking[0]
        more = f", and so {counted(len(lacking) - 1, 'more', 'more')}" if lacking[1:] else ""
        raise located(
            where,
            f"entity {quoted(e)} has no case on domain {quoted(d)}{more}: pairing needs every entity "
            "on every domain; drop one or the other, or choose one domain",
        )

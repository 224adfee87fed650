"""Joint counts: what the entities do on the same cases, for paired draws; only kinds of cases travel."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..arrays import Integers
from ..errors import Option, UsageError
from ..performances import Joint, Performances
from ..texts import counted
from .cases import Columns
from .coded import CodedCases
from .codes import ALL_OF_SEVERAL, LabelsOf
from .counting import predictions_of, tally_of
from .engines import rows_here
from .headers import domain_of
from .kinds import kinds_of_table, units_of_kinds
from .opening import opened, with_models
from .repeats import joint_of_repeats, refuse_crossing
from .sheets import located, quoted


def joint(
    source: Any,
    *,
    truth: str,
    prediction: str | Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    pos_label: Any = None,
    labels: LabelsOf = None,
    only: str | None = None,
    unanswered: str | None = None,
    encoding: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Joint:
    """Count a table of predictions jointly; arguments mean what they mean in :func:`count`.

    Without ``labels`` and ``pos_label`` a truth of more than two classes makes Ω all pairs (truth, prediction), too.
    ``cluster`` names a column, too, ``repeat`` the one that numbers repeated predictions of a case, which are averaged,
    and ``only`` is the one domain that is looked at. Several columns of predictions share
    the cases of their rows; where a column names the entity, ``case`` tells which rows are of one case. Nothing is left
    out: what cannot be counted, or paired, is a DataError.

    >>> import pyarrow as pa
    >>> result = joint(
    ...     pa.table({"y": [0, 1, 1], "a": [0, 1, 1], "b": [1, 1, 1]}),
    ...     truth="y",
    ...     prediction=["a", "b"],
    ... )
    >>> units = result.units[0]
    >>> units.size.tolist(), units.codes.tolist()
    ([1, 2], [[0, 1], [3, 3]])
    """
    names = predictions_of(prediction, None, entity)
    place, levels = domain_of(domain)
    columns = [Columns(truth, name, entity, place, case, None, None, False, levels=levels) for name in names]
    with opened(
        source,
        columns,
        progress,
        cluster=cluster,
        repeat=repeat,
        encoding=encoding,
        pairs=True,
        unanswered=unanswered,
        pos_label=pos_label,
    ) as table:
        columns = with_models(table, columns)
        if columns[0].entity is not None and case is None:
            raise UsageError(
                "entities are paired by their cases", way_out=("name the column of cases with ", Option("case"))
            )
        where = table.where
        if repeat is not None and case is None:
            raise UsageError(
                "repeats are of the same cases", way_out=("name the column of cases with ", Option("case"))
            )
        among = ALL_OF_SEVERAL if labels is None else labels
        once = columns if repeat is None else [one._replace(case=None) for one in columns]
        seen, terms = tally_of(table, once, pos_label=pos_label, labels=among, invalid="never")
        P = seen.performances if only is None else seen.performances.in_domain(only)
        if cluster is not None and (lacking := table.lacking(cluster)):
            raise located(where, f"in {counted(lacking, 'row')} the cluster is missing")
        if repeat is not None and isinstance(table, CodedCases):
            whole = joint_of_repeats(table, columns, seen, terms, repeat, cluster)
            return whole if only is None else whole.on([only])
        if case is not None and place is not None and only is None:
            rows = rows_here(table, (truth, case, place))
            if rows is not None:
                refuse_crossing(rows, columns[0])
        kinds = kinds_of_table(table, columns, seen, terms, P, cluster)
    if cluster is not None and (crossing := crossing_clusters((place, name) for place, name, *_ in kinds)):
        raise located(where, crossing)
    domains = dict.fromkeys(P.domains or [""])
    refuse_gaps(P, where)
    of_domain: dict[str, list[tuple[Any, Integers, int]]] = {place: [] for place in domains}
    for place, *kind in kinds:
        if place in of_domain:  # the others are not looked at
            of_domain[place].append(tuple(kind))
    units = []
    totals = np.asarray(P.counts)[:: len(set(P.names))].sum(axis=1)
    for here, total in zip(of_domain.values(), totals.tolist(), strict=True):
        if sum(n for *_, n in here) != total:
            raise located(
                where, f"cases in the column {quoted(str(case))} lie in several clusters of {quoted(str(cluster))}"
            )
        units.append(units_of_kinds(here, cluster is not None))
    P = P.noting(cases=sum(totals.tolist()), columns={} if cluster is None else {"cluster": (cluster,)})
    return Joint(P, tuple(units), cluster is not None)


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

"""Joint counts: what the entities do on the same cases, for a paired bootstrap; only kinds of cases travel."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Integers
from ..errors import Option, UsageError
from ..performances import Performances
from ..texts import counted
from .cases import Columns
from .counting import predictions_of, tally_of
from .opening import opened
from .sheets import located, quoted

Units = tuple[Integers, Integers]
"""Counts (units, n, 4), and how many there are of each unit."""


class Joint(NamedTuple):
    """The performances seen, and per domain the units that are resampled: counts (units, n, 4), and how many of each.

    A unit is a kind of case, on which all entities do the same, or a cluster of cases.
    """

    performances: Performances
    units: tuple[Units, ...]
    clustered: bool


def joint(
    source: Any,
    *,
    truth: str,
    prediction: str | Sequence[str],
    entity: str | None = None,
    domain: str | None = None,
    case: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    only: str | None = None,
    encoding: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Joint:
    """Count a table of two-class predictions jointly; arguments mean what they mean in :func:`count`.

    ``cluster`` names a column, too, and ``only`` the one domain that is looked at. Several columns of predictions share
    the cases of their rows; where a column names the entity, ``case`` tells which rows are of one case. Nothing is left
    out: what cannot be counted, or paired, is a DataError.

    >>> import pyarrow as pa
    >>> result = joint(pa.table({"y": [0, 1, 1], "a": [0, 1, 1], "b": [1, 1, 1]}), truth="y", prediction=["a", "b"])
    >>> counts, size = result.units[0]
    >>> size.tolist(), counts[size == 2].tolist()
    ([1, 2], [[[0, 0, 0, 1], [0, 0, 0, 1]]])
    """
    names = predictions_of(prediction, None, entity)
    if entity is not None and case is None:
        raise UsageError(
            "entities are paired by their cases", way_out=("name the column of cases with ", Option("case"))
        )
    columns = [Columns(truth, name, entity, domain, case, None, None, False) for name in names]
    with opened(source, columns, progress, cluster=cluster, encoding=encoding) as table:
        where = table.where
        seen, terms = tally_of(table, columns, pos_label=pos_label, invalid="never")
        P = seen.performances if only is None else seen.performances.in_domain(only)
        entities = tuple(dict.fromkeys(P.names))
        if cluster is not None and (lacking := table.lacking(cluster)):
            raise located(where, f"in {counted(lacking, 'row')} the cluster is missing")
        row = {name: i for i, name in enumerate(entities)}
        raw = table.kinds(
            columns,
            cluster,
            lambda label: bool(terms.label(label) == seen.positive),
            lambda name: row.get(str(terms.name(name))),
        )
        order = list(range(len(entities))) if entity is not None else [names.index(name) for name in entities]
        kinds = [
            (
                "" if domain is None else str(terms.name(kind.domain)),
                terms.name(kind.unit),
                kind.outcomes[order],
                kind.size,
            )
            for kind in raw
        ]
    domains = dict.fromkeys(P.domains or [""])
    _refuse_gaps(P, where)
    units = []
    totals = np.asarray(P.counts)[:: len(entities)].sum(axis=1)
    for place, total in zip(domains, totals.tolist(), strict=True):
        here = [kind[1:] for kind in kinds if kind[0] == place]
        if sum(n for *_, n in here) != total:
            raise located(
                where, f"cases in the column {quoted(str(case))} lie in several clusters of {quoted(str(cluster))}"
            )
        units.append(_units(here, cluster is not None))
    return Joint(P, tuple(units), cluster is not None)


def _refuse_gaps(P: Performances, where: str) -> None:
    """Refuse an entity that has no case on a domain."""
    known = {*zip(P.domains or [""] * len(P), P.names, strict=True)}
    lacking = [(d, e) for d in dict.fromkeys(P.domains or ()) for e in dict.fromkeys(P.names) if (d, e) not in known]
    if lacking:
        d, e = lacking[0]
        more = f", and so {counted(len(lacking) - 1, 'more', 'more')}" if lacking[1:] else ""
        raise located(
            where,
            f"entity {quoted(e)} has no case on domain {quoted(d)}{more}: a paired bootstrap needs every entity "
            "on every domain; drop one or the other, or choose one domain",
        )


def _units(kinds: Sequence[tuple[Any, Integers, int]], clustered: bool) -> Units:
    """Return the kinds of cases, in the order of their outcomes, or the clusters, in that of their names."""
    if clustered:
        index = np.unique([str(unit) for unit, *_ in kinds], return_inverse=True)[1]
        return units_of_clusters(np.array([codes for _, codes, _ in kinds]), index, np.array([n for *_, n in kinds]))
    together: dict[tuple[int, ...], int] = {}
    for _, codes, size in kinds:  # labels of several types may be one kind
        key = tuple(codes.tolist())
        together[key] = together.get(key, 0) + size
    kinds_in_order = sorted(together.items())
    return units_of_kinds(np.array([key for key, _ in kinds_in_order]), np.array([size for _, size in kinds_in_order]))


def units_of_kinds(codes: Integers, size: Integers) -> Units:
    """Return the units that kinds of cases are: codes (kinds, n) of outcomes, and how many cases each has.

    >>> units_of_kinds(np.array([[0, 3]]), np.array([5]))[0].tolist()
    [[[1, 0, 0, 0], [0, 0, 0, 1]]]
    """
    return (codes[:, :, None] == np.arange(4)).astype(np.int64), size


def units_of_clusters(codes: Integers, index: Integers, size: Integers) -> Units:
    """Return the units that clusters are: codes (kinds, n), the cluster of each kind, and how many cases it has.

    >>> units_of_clusters(np.array([[0], [3], [3]]), np.array([0, 0, 1]), np.array([2, 1, 1]))[0].tolist()
    [[[2, 0, 0, 1]], [[0, 0, 0, 1]]]
    """
    n = codes.shape[1]
    counts = np.zeros((int(index.max()) + 1, n, 4), dtype=np.int64)
    for e in range(n):
        np.add.at(counts, (index, np.full(len(codes), e), codes[:, e]), size)
    return counts, np.ones(len(counts), dtype=np.int64)

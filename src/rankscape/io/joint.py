"""Joint counts: what the entities do on the same cases, for a paired bootstrap; only kinds of cases travel."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..performances import Performances
from ..texts import counted
from .codes import name_text, plain_name, plain_value
from .counting import opened, tally_of
from .engines import Columns, Fetch, predictions_of
from .tabular import located, shown

if TYPE_CHECKING:
    import narwhals as nw

PER_KEY = 30
"""Entities whose outcomes, two bits each, are one 64-bit integer."""

Units = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Counts (units, n, 4), and how many there are of each unit."""

Kinds = list[tuple[str, Any, NDArray[np.int64], int]]
"""Domain, cluster, the outcomes of all entities (n,), and how many such cases there are."""


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
    progress: Callable[[int], None] | None = None,
) -> Joint:
    """Count a table of two-class predictions jointly; arguments mean what they mean in :func:`count`.

    ``cluster`` names a column, too, and ``only`` the one domain that is looked at. Several columns of predictions share
    the cases of their rows; where a column names the entity, ``case`` tells which rows are of one case. Nothing is left
    out: what cannot be counted, or paired, is a DataError.

    >>> import pyarrow as pa
    >>> found = joint(pa.table({"y": [0, 1, 1], "a": [0, 1, 1], "b": [1, 1, 1]}), truth="y", prediction=["a", "b"])
    >>> counts, size = found.units[0]
    >>> size.tolist(), counts[size == 2].tolist()
    ([1, 2], [[[0, 0, 0, 1], [0, 0, 0, 1]]])
    """
    names = predictions_of(prediction, None, entity)
    if entity is not None and case is None:
        raise UsageError("entities are paired by their cases: pass case=, the column that names them")
    columns = [Columns(truth, name, entity, domain, case, None, None, False) for name in names]
    with opened(source, columns, progress, (cluster,)) as (frame, where, fetch):
        seen = tally_of(frame, columns, where, fetch, pos_label=pos_label, invalid="never")
        P = seen.performances if only is None else seen.performances.in_domain(only)
        entities = tuple(dict.fromkeys(P.names))
        if cluster is not None:
            _check_cluster(frame, cluster, where, fetch)
        if entity is None:
            kinds = _of_columns(frame, columns, cluster, seen.positive, fetch)
            order = [names.index(name) for name in entities]
            kinds = [(place, unit, codes[order], n) for place, unit, codes, n in kinds]
        else:
            kinds = _of_rows(frame, columns[0], cluster, seen.positive, entities, fetch)
    domains = dict.fromkeys(P.domains or [""])
    _refuse_gaps(P, where)
    units = []
    totals = np.asarray(P.counts)[:: len(entities)].sum(axis=1)
    for place, total in zip(domains, totals.tolist(), strict=True):
        here = [(unit, codes, n) for own, unit, codes, n in kinds if own == place]
        if sum(n for *_, n in here) != total:
            raise located(
                where, f"cases in the column {shown(str(case))} lie in several clusters of {shown(str(cluster))}"
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
            f"entity {shown(e)} has no case on domain {shown(d)}{more}: a paired bootstrap needs every entity on every "
            "domain; drop one or the other, or choose one domain",
        )


def _check_cluster(frame: "nw.LazyFrame[Any]", cluster: str, where: str, fetch: Fetch) -> None:
    import narwhals as nw

    if cluster not in frame.collect_schema():
        raise located(where, f"no column is called {shown(cluster)} (cluster)")
    rows = fetch(frame.select(nw.col(cluster).alias("_unit")).group_by("_unit").agg(nw.len().alias("_n")))
    lacking = sum(int(n) for unit, n in rows if plain_name(unit) is None)
    if lacking:
        raise located(where, f"in {counted(lacking, 'row')} the cluster is missing")


def _of_columns(
    frame: "nw.LazyFrame[Any]", columns: Sequence[Columns], cluster: str | None, positive: Any, fetch: Fetch
) -> Kinds:
    """Return domain, cluster, the outcomes of all entities (n,) and the number of such cases: one group-by."""
    import narwhals as nw

    keys = {"_domain": columns[0].domain, "_unit": cluster, "_truth": columns[0].truth}
    keys |= {f"_p{i}": one.prediction for i, one in enumerate(columns)}
    chosen = [(nw.lit(0) if name is None else nw.col(name)).alias(key) for key, name in keys.items()]
    rows = fetch(frame.select(*chosen).group_by(*keys).agg(nw.len().alias("_n")))
    return [
        (
            _place(domain, columns[0].domain),
            plain_name(unit),
            2 * (plain_value(truth) == positive)
            + np.array([plain_value(p) == positive for p in predicted], dtype=np.int64),
            int(n),
        )
        for domain, unit, truth, *predicted, n in rows
    ]


def _of_rows(
    frame: "nw.LazyFrame[Any]",
    columns: Columns,
    cluster: str | None,
    positive: Any,
    entities: Sequence[str],
    fetch: Fetch,
) -> Kinds:
    """Return the same of a table with a row per case and entity: outcomes, two bits each, are added up per case."""
    import narwhals as nw

    def whole(number: int) -> "nw.Expr":
        return nw.lit(number, nw.Int64())

    def labels(name: str) -> list[Any]:
        rows = fetch(frame.select(nw.col(name).alias("_label")).group_by("_label").agg(nw.len().alias("_n")))
        return [label for label, _ in rows]

    def bit(name: str, worth: int) -> "nw.Expr":
        raw = [label for label in labels(name) if plain_value(label) == positive]
        return nw.when(nw.col(name).is_in(raw)).then(whole(worth)).otherwise(whole(0)) if raw else whole(0)

    name = str(columns.entity)
    texts = [(raw, name_text(plain_name(raw))) for raw in labels(name)]
    raw_names = [(raw, entities.index(text)) for raw, text in texts if text in entities]  # others are on other domains
    n_keys = -(-len(entities) // PER_KEY)

    def weight(key: int) -> "nw.Expr":
        mine = [(raw, 4 ** (i % PER_KEY)) for raw, i in raw_names if i // PER_KEY == key]
        return reduce(
            lambda rest, one: nw.when(nw.col(name) == one[0]).then(whole(one[1])).otherwise(rest), mine, whole(0)
        )

    code = bit(columns.truth, 2) + bit(columns.prediction, 1)
    keys = [f"_k{key}" for key in range(n_keys)]
    where = {"_domain": columns.domain, "_unit": cluster, "_case": columns.case}
    chosen = [(nw.lit(0) if column is None else nw.col(column)).alias(key) for key, column in where.items()]
    rows = frame.select(*chosen, *((code * weight(key)).alias(name) for key, name in enumerate(keys)))
    cases = rows.group_by(*where).agg(*(nw.col(key).sum() for key in keys))
    found = fetch(cases.group_by("_domain", "_unit", *keys).agg(nw.len().alias("_n")))
    at = np.arange(len(entities))
    return [
        (
            _place(domain, columns.domain),
            plain_name(unit),
            (np.array(list(map(int, sums)), dtype=np.int64)[at // PER_KEY] >> (2 * (at % PER_KEY))) & 3,
            int(n),
        )
        for domain, unit, *sums, n in found
    ]


def _place(domain: Any, column: str | None) -> str:
    return "" if column is None else name_text(plain_name(domain))


def _units(kinds: Sequence[tuple[Any, NDArray[np.int64], int]], clustered: bool) -> Units:
    """Return the kinds of cases, in the order of their outcomes, or the clusters, in that of their names."""
    if clustered:
        names = sorted({name_text(unit) for unit, *_ in kinds})
        index = np.array([names.index(name_text(unit)) for unit, *_ in kinds])
        return units_of_clusters(np.array([codes for _, codes, _ in kinds]), index, np.array([n for *_, n in kinds]))
    together: dict[tuple[int, ...], int] = {}
    for _, codes, size in kinds:  # labels of several types may be one kind
        key = tuple(codes.tolist())
        together[key] = together.get(key, 0) + size
    found = sorted(together)
    return units_of_kinds(np.array(found), np.array([together[key] for key in found]))


def units_of_kinds(codes: NDArray[np.int64], size: NDArray[np.int64]) -> Units:
    """Return the units that kinds of cases are: codes (kinds, n) of outcomes, and how many cases each has.

    >>> units_of_kinds(np.array([[0, 3]]), np.array([5]))[0].tolist()
    [[[1, 0, 0, 0], [0, 0, 0, 1]]]
    """
    return (codes[:, :, None] == np.arange(4)).astype(np.int64), size


def units_of_clusters(codes: NDArray[np.int64], index: NDArray[np.int64], size: NDArray[np.int64]) -> Units:
    """Return the units that clusters are: codes (kinds, n), the cluster of each kind, and how many cases it has.

    >>> units_of_clusters(np.array([[0], [3], [3]]), np.array([0, 0, 1]), np.array([2, 1, 1]))[0].tolist()
    [[[2, 0, 0, 1]], [[0, 0, 0, 1]]]
    """
    n = codes.shape[1]
    counts = np.zeros((int(index.max()) + 1, n, 4), dtype=np.int64)
    for e in range(n):
        np.add.at(counts, (index, np.full(len(codes), e), codes[:, e]), size)
    return counts, np.ones(len(counts), dtype=np.int64)

"""Joint counts: what the entities do on the same cases, for a paired bootstrap; only kinds of cases travel."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, UsageError
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


class Joint(NamedTuple):
    """The performances seen, and per domain the units that are resampled: counts (units, n, 4), and how many of each.

    A unit is a kind of case, on which all entities do the same, or a cluster of cases.
    """

    performances: Performances
    units: tuple[Units, ...]
    clustered: bool

    def in_domain(self, name: str) -> "Joint":
        """Return what belongs to one domain. Raises UsageError for an unknown one."""
        chosen = self.performances.in_domain(name)
        found = tuple(dict.fromkeys(self.performances.domains or ()))
        return self._replace(performances=chosen, units=(self.units[found.index(name)],))


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
    progress: Callable[[int], None] | None = None,
) -> Joint:
    """Count a table of two-class predictions jointly; its arguments are those of :func:`count`, and ``cluster``.

    Several columns of predictions share the cases of their rows; where a column names the entity, ``case`` tells which
    rows are of one case. Nothing is left out: what cannot be counted, or paired, is a DataError.

    >>> import pyarrow as pa
    >>> found = joint(pa.table({"y": [0, 1, 1], "a": [0, 1, 1], "b": [1, 1, 1]}), truth="y", prediction=["a", "b"])
    >>> counts, size = found.units[0]
    >>> size.tolist(), counts[size == 2].tolist()
    ([1, 2], [[[0, 0, 0, 1], [0, 0, 0, 1]]])
    """
    names = predictions_of(prediction, None)
    if entity is not None and case is None:
        raise UsageError("entities are paired by their cases: pass case=, the column that names them")
    columns = [Columns(truth, name, entity, domain, case, None, None, False) for name in names]
    with opened(source, columns, progress, (cluster,)) as (frame, where, fetch):
        seen = tally_of(frame, columns, where, fetch, pos_label=pos_label, invalid="never")
        P = seen.performances
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
    if len(P) < len(domains) * len(entities):
        raise DataError("an entity is missing on a domain; a paired bootstrap needs all of them on all domains")
    units = []
    totals = np.asarray(P.counts)[:: len(entities)].sum(axis=1)
    for place, total in zip(domains, totals.tolist(), strict=True):
        here = [(unit, codes, n) for own, unit, codes, n in kinds if own == place]
        if sum(n for *_, n in here) != total:
            raise located(
                where, f"cases in the column {shown(str(case))} lie in several clusters of {shown(str(cluster))}"
            )
        units.append(_units(here, len(entities), cluster is not None))
    return Joint(P, tuple(units), cluster is not None)


def _check_cluster(frame: "nw.LazyFrame[Any]", cluster: str, where: str, fetch: Fetch) -> None:
    import narwhals as nw

    if cluster not in frame.collect_schema():
        raise located(where, f"no column is called {shown(cluster)} (cluster)")
    rows = fetch(frame.select(nw.col(cluster).alias("_unit")).group_by("_unit").agg(nw.len().alias("_n")))
    lacking = sum(int(n) for unit, n in rows if plain_name(unit) is None)
    if lacking:
        raise located(where, f"in {counted(lacking, 'row')} the cluster is missing")


Kinds = list[tuple[str, Any, NDArray[np.int64], int]]


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
    raw_names = [(raw, entities.index(name_text(plain_name(raw)))) for raw in labels(name)]
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


def _units(kinds: Sequence[tuple[Any, NDArray[np.int64], int]], n: int, clustered: bool) -> Units:
    """Return the counts of kinds of cases, in the order of their outcomes, or of clusters, in that of their names."""
    if not clustered:
        together: dict[bytes, tuple[NDArray[np.int64], int]] = {}
        for _, codes, size in kinds:  # labels of several types may be one kind
            known = together.get(codes.tobytes(), (codes, 0))
            together[codes.tobytes()] = codes, known[1] + size
        found = sorted(together.values(), key=lambda one: one[0].tolist())
        codes = np.array([codes for codes, _ in found])
        return (codes[:, :, None] == np.arange(4)).astype(np.int64), np.array([size for _, size in found])
    clusters: dict[str, NDArray[np.int64]] = {}
    for unit, codes, size in kinds:
        counts = clusters.setdefault(name_text(unit), np.zeros((n, 4), dtype=np.int64))
        counts[np.arange(n), codes] += size
    return np.array([clusters[name] for name in sorted(clusters)]), np.ones(len(clusters), dtype=np.int64)

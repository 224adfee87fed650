"""Joint counts: what the entities do on the same cases, for paired draws; only kinds of cases travel."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Floats, Integers
from ..errors import Option, UsageError
from ..performances import Performances
from ..tasks.classes import class_text
from ..texts import counted
from .cases import Classes, Columns
from .codes import ALL_OF_SEVERAL, LabelsOf
from .counting import predictions_of, tally_of
from .groups import Tally
from .headers import domain_of
from .opening import opened
from .sheets import located, quoted
from .terms import Terms


class Units(NamedTuple):
    """What was seen of one domain: kinds of cases, on each of which every entity has one outcome.

    ``codes`` (kinds, n) are the outcomes, as positions in the sample space, ``size`` (kinds,) is how many cases there
    are of each kind; with clusters, ``cluster`` (kinds,) numbers the cluster of these cases from 0, else it is None.
    Where cases are graded, ``grades`` (codes, outcomes) holds the share of each outcome that a code stands for.
    """

    codes: Integers
    size: Integers
    cluster: Integers | None = None
    grades: Floats | None = None

    def only(self, entities: Sequence[int]) -> "Units":
        """Return the kinds of cases of some entities, in their order; kinds that are alike then stay apart."""
        return self._replace(codes=self.codes[:, list(entities)])

    def counts(self, weights: Any, outcomes: int) -> Any:
        """Return how often each outcome occurs, (…, n, outcomes), where kinds occur as often as ``weights`` (…, kinds).

        A graded case is a share of each.

        >>> Units(np.array([[0, 3], [3, 3]]), np.array([2, 1])).counts(np.array([2, 1]), 4).tolist()
        [[2, 0, 0, 1], [0, 0, 0, 3]]
        """
        return np.stack([weights @ self.shares(outcome) for outcome in range(outcomes)], axis=-1)

    def shares(self, outcome: int) -> Any:
        """Return the share of an outcome in each kind and entity, (kinds, n): all or nothing unless it is graded."""
        return self.codes == outcome if self.grades is None else self.grades[self.codes, outcome]


class Joint(NamedTuple):
    """The performances seen, and per domain the kinds of cases, perhaps in clusters, of which others might be seen."""

    performances: Performances
    units: tuple[Units, ...]
    clustered: bool

    @property
    def cases(self) -> dict[str, int]:
        """The number of cases of each domain."""
        domains = dict.fromkeys(self.performances.domains or [""])
        return {domain: int(units.size.sum()) for domain, units in zip(domains, self.units, strict=True)}

    def on(self, domains: Iterable[str] | None) -> "Joint":
        """Return the same on some of the domains, in the order in which they were seen."""
        P, kept = self.performances, set(domains or ())
        if P.domains is None or kept >= set(P.domains):
            return self
        chosen = P[np.array([domain in kept for domain in P.domains])].with_pairing(None)
        units = zip(dict.fromkeys(P.domains), self.units, strict=True)
        return Joint(chosen, tuple(here for domain, here in units if domain in kept), self.clustered)


def joint(
    source: Any,
    *,
    truth: str,
    prediction: str | Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    labels: LabelsOf = None,
    only: str | None = None,
    encoding: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Joint:
    """Count a table of predictions jointly; arguments mean what they mean in :func:`count`.

    Without ``labels`` and ``pos_label`` a truth of more than two classes makes Ω all pairs (truth, prediction), too.
    ``cluster`` names a column, too, and ``only`` the one domain that is looked at. Several columns of predictions share
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
    if entity is not None and case is None:
        raise UsageError(
            "entities are paired by their cases", way_out=("name the column of cases with ", Option("case"))
        )
    place, levels = domain_of(domain)
    columns = [Columns(truth, name, entity, place, case, None, None, False, levels=levels) for name in names]
    with opened(source, columns, progress, cluster=cluster, encoding=encoding, pairs=True) as table:
        where = table.where
        among = ALL_OF_SEVERAL if labels is None else labels
        seen, terms = tally_of(table, columns, pos_label=pos_label, labels=among, invalid="never")
        P = seen.performances if only is None else seen.performances.in_domain(only)
        entities = tuple(dict.fromkeys(P.names))
        if cluster is not None and (lacking := table.lacking(cluster)):
            raise located(where, f"in {counted(lacking, 'row')} the cluster is missing")
        row = {name: i for i, name in enumerate(entities)}
        raw = table.kinds(
            columns,
            cluster,
            _classes(seen, terms),
            lambda name: row.get(str(terms.name(name))),
        )
        order = list(range(len(entities))) if entity is not None else [names.index(name) for name in entities]
        kinds = [
            (
                "" if domain is None else str(terms.domain(kind.domain)),
                terms.name(kind.unit),
                kind.outcomes[order],
                kind.size,
            )
            for kind in raw
        ]
    if cluster is not None and (crossing := crossing_clusters((place, name) for place, name, *_ in kinds)):
        raise located(where, crossing)
    domains = dict.fromkeys(P.domains or [""])
    refuse_gaps(P, where)
    of_domain: dict[str, list[tuple[Any, Integers, int]]] = {place: [] for place in domains}
    for place, *kind in kinds:
        if place in of_domain:  # the others are not looked at
            of_domain[place].append(tuple(kind))
    units = []
    totals = np.asarray(P.counts)[:: len(entities)].sum(axis=1)
    for here, total in zip(of_domain.values(), totals.tolist(), strict=True):
        if sum(n for *_, n in here) != total:
            raise located(
                where, f"cases in the column {quoted(str(case))} lie in several clusters of {quoted(str(cluster))}"
            )
        units.append(_units(here, cluster is not None))
    return Joint(P, tuple(units), cluster is not None)


def _classes(seen: Tally, terms: Terms) -> Classes:
    """Return where labels stand among the classes of the performances counted."""
    labels = seen.performances.space.labels
    if not labels:
        return Classes(lambda label: int(terms.label(label) == seen.positive), 2)
    at = {label: i for i, label in enumerate(labels)}
    return Classes(lambda label: at[class_text(terms.label(label))], len(labels))


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


def _units(kinds: Sequence[tuple[Any, Integers, int]], clustered: bool) -> Units:
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

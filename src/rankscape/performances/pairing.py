"""What entities did on the same cases: joint kinds of cases, which performances carry through operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Integers
from ..errors import UsageError
from ..floats import large_products
from ..outcomes import TWO_CLASS, SampleSpace
from .averages import arrangement, numbered

MOST_CELLS = 20_000_000
"""Kinds of cases times entities that are kept at most."""

LARGEST = 2**62
"""Below this, products fit into 64 bits."""

MIXED = "these rows are not of all of their entities on all of their domains, so the cases that they share are lost"
CHANGED = "no cases have these changed performances; draw before changing them, as with shift_prior= of the draws"
WEIGHED = "cases with weights are not kept"
POINTS = "operating points share the cases on which their thresholds are chosen"
TOO_MANY = "so many entities do too many different things on their cases to keep each kind; choose fewer of them"


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

    def only(self, entities: Sequence[int]) -> Units:
        """Return the kinds of cases of some entities, in their order; kinds that are alike then stay apart."""
        return self._replace(codes=self.codes[:, list(entities)])

    def counts(self, weights: Any, outcomes: int) -> Any:
        """Return how often each outcome occurs, (…, n, outcomes), where kinds occur as often as ``weights`` (…, kinds).

        A graded case is a share of each.

        >>> Units(np.array([[0, 3], [3, 3]]), np.array([2, 1])).counts(np.array([2, 1]), 4).tolist()
        [[2, 0, 0, 1], [0, 0, 0, 3]]
        """
        weights = np.asarray(weights)
        times = weights[None] if weights.ndim == 1 else weights
        of_outcomes = (large_products(times, self.shares(outcome)) for outcome in range(outcomes))
        return np.stack([each[0] if weights.ndim == 1 else each for each in of_outcomes], axis=-1)

    def shares(self, outcome: int) -> Any:
        """Return the share of an outcome in each kind and entity, (kinds, n): all or nothing unless it is graded."""
        return self.codes == outcome if self.grades is None else self.grades[self.codes, outcome]

    def within(self, outcomes: Sequence[int]) -> Any:
        """Return which kinds of cases, (kinds,), have some of the outcomes, such as those of one true class.

        All entities have the same true class, and so has each repeat of a graded case.

        >>> Units(np.array([[0, 1], [3, 3]]), np.array([2, 1])).within([2, 3]).tolist()
        [False, True]
        """
        if self.grades is None:
            return np.isin(self.codes[:, 0], outcomes)
        return self.grades[self.codes[:, 0]][:, list(outcomes)].sum(axis=1) > 0

    def mapped(self, into: Integers, outcomes: int) -> Units:
        """Return the kinds with each outcome called another one of so many, or several of them one."""
        if self.grades is None:
            return self._replace(codes=into[self.codes])
        grades = np.zeros((len(self.grades), outcomes))
        for outcome, column in zip(into.tolist(), self.grades.T, strict=True):
            grades[:, outcome] += column
        return self._replace(grades=grades)


class Joint(NamedTuple):
    """The performances seen, and per domain the kinds of cases, perhaps in clusters, of which others might be seen.

    ``caution`` says of what to beware in draws of these cases.
    """

    performances: Any
    units: tuple[Units, ...]
    clustered: bool
    caution: str = ""

    @property
    def cases(self) -> dict[str, int]:
        """The number of cases of each domain."""
        domains = dict.fromkeys(self.performances.domains or [""])
        return {domain: round(units.size.sum()) for domain, units in zip(domains, self.units, strict=True)}

    def on(self, domains: Iterable[str] | None) -> Joint:
        """Return the same on some of the domains, in the order in which they were seen."""
        P, kept = self.performances, set(domains or ())
        if P.domains is None or kept >= set(P.domains):
            return self
        chosen = P[np.array([domain in kept for domain in P.domains])].with_pairing(None)
        units = zip(dict.fromkeys(P.domains), self.units, strict=True)
        return self._replace(performances=chosen, units=tuple(here for domain, here in units if domain in kept))


@dataclass(frozen=True, eq=False)
class Shared:
    """The cases behind performances: each row is one of those of ``cases``, or an average of several.

    ``rows`` (n,) are the rows of the performances of ``cases``; of averages (n, domains) with ``weights``. ``into`` are
    the positions of the outcomes among ``outcomes``, where operations have renamed or joined them. ``lost`` says why
    the cases are known no more.
    """

    cases: Joint | None
    rows: Integers
    weights: tuple[Fraction, ...] | None = None
    into: Integers | None = None
    outcomes: int = 0
    lost: str = ""

    @classmethod
    def of(cls, joint: Joint, table: Any) -> Shared:
        """Return the cases of rows that have the names and domains of those of the joint kinds."""
        P = joint.performances
        place = {row: i for i, row in enumerate(_cells(P))}
        return cls(joint, np.array([place.get(row, -1) for row in _cells(table)], dtype=np.int64))

    def on(self, rows: Integers) -> Shared:
        """Return the cases of some of the rows."""
        return replace(self, rows=self.rows[rows])

    def mapped(self, into: Integers, outcomes: int) -> Shared:
        """Return the same with each outcome called another one, or several of them one."""
        return replace(self, into=into if self.into is None else into[self.into], outcomes=outcomes)

    def averaged(self, rows: Integers, weights: tuple[Fraction, ...]) -> Shared:
        """Return the cases of averages of rows, (entities, domains), over the domains."""
        if self.weights is not None or (rows < 0).any():
            return self.without("averages over domains that not every entity has know no common cases")
        return replace(self, rows=self.rows[rows], weights=weights)

    def without(self, why: str) -> Shared:
        """Return that the cases are known no more."""
        return Shared(None, _rows(self), lost=self.lost or why)

    def joint(self, table: Any) -> Joint | None:
        """Return the joint kinds of cases of all entities of a table, in the order of its rows, if it has them all."""
        if self.cases is None or (self.rows < 0).any():
            return None
        seen, given, rows = self.cases.performances, table.with_pairing(None), self.rows.ravel()
        if self.weights is not None:
            if self.into is not None:
                return None
            named = None if seen.domains is None else [seen.domains[row] for row in rows.tolist()]
            called = np.repeat(np.array(table.names, dtype=object), self.rows.shape[1]).tolist()
            given = seen[rows].with_pairing(None).rename(called, named)
        _, _, cells = arrangement(given.names, given.domains)
        if cells.size != len(rows) or (cells < 0).any():  # not all on all, or not once
            return None
        columns = seen.names, seen.domains or ("",) * len(seen)
        names, domains = (numbered(column)[1][rows[cells.T]] for column in columns)
        once = len(np.unique(domains)) == len(domains)
        if not once or (names != names[0]).any() or (domains != domains[:, :1]).any():
            return None
        units = tuple(self._mapped(self.cases.units[d].only(names[0].tolist())) for d in domains[:, 0].tolist())
        return self.cases._replace(performances=given, units=units) if _of_one_truth(units, table.space) else None

    def _mapped(self, units: Units) -> Units:
        return units if self.into is None else units.mapped(self.into, self.outcomes)


def shared_by(parts: Sequence[Any], whole: Any) -> Shared | None:
    """Return the cases of several parts together: of one test set, or of the same entities on different domains."""
    known: list[Shared] = [part.shared for part in parts if part.shared is not None]
    if not known:
        return None
    first, why = known[0], known[0].lost or "concat joins entities of different cases"
    if any(shared.lost == POINTS for shared in known):
        places = [np.full(len(part), -1) if part.shared is None else _rows(part.shared) for part in parts]
        return Shared(None, np.concatenate(places), lost=POINTS)
    if len(known) < len(parts):
        return Shared(None, np.full(len(whole), -1), lost="concat joins entities that were not paired")
    alike = all(
        shared.cases is first.cases and shared.weights == first.weights and shared.rows.ndim == first.rows.ndim
        and str(shared.into) == str(first.into) for shared in known
    )  # fmt: skip
    if first.cases is not None and alike:
        return replace(first, rows=np.concatenate([shared.rows for shared in known]))
    others = _of_other_domains([part.pairing for part in parts], known, whole)
    return others or Shared(None, np.concatenate(list(map(_rows, known))), lost=why)


def _of_other_domains(pairings: Sequence[Joint | None], known: Sequence[Shared], whole: Any) -> Shared | None:
    """Return the cases of the same entities on different domains, each paired and unweighted; else None."""
    joints = [joint for joint in pairings if joint is not None]
    if len(joints) < len(pairings) or any(shared.weights is not None for shared in known) or whole.domains is None:
        return None
    entities = list(dict.fromkeys(joints[0].performances.names))
    domains = [place for joint in joints for place in dict.fromkeys(joint.performances.domains)]
    same = all({*joint.performances.names} == {*entities} for joint in joints)
    if not same or len(set(domains)) < len(domains) or len({joint.clustered for joint in joints}) > 1:
        return None
    units: list[Units] = []
    for joint in joints:
        columns = list(dict.fromkeys(joint.performances.names))
        units += [each.only([columns.index(name) for name in entities]) for each in joint.units]
    return Shared.of(Joint(whole, tuple(units), joints[0].clustered), whole)


def _rows(shared: Shared) -> Integers:
    """Return one row of the cases for each performance: of an average the first."""
    return shared.rows.reshape(len(shared.rows), -1)[:, 0]


def several_points(*tables: Any) -> bool:
    """Tell whether these are operating points, two or more, whose cases are the same ones."""
    marked = [table.shared for table in tables if table.shared is not None and table.shared.lost == POINTS]
    return sum(int((_rows(shared) >= 0).sum()) for shared in marked) > 1


def no_draws_of_points() -> UsageError:
    """Return the error about draws of operating points."""
    return UsageError(
        "the thresholds were chosen on these cases, so draws of them would look better than new cases",
        way_out="rankscape.decide says how sure the choice is, and sweep(…).at({…}) compares thresholds that are given",
    )


def _cells(table: Any) -> list[tuple[str, str]]:
    """Return the entity and the domain of each row."""
    return list(zip(table.names, table.domains or ("",) * len(table.names), strict=True))


def _of_one_truth(units: Iterable[Units], space: SampleSpace) -> bool:
    """Tell whether all entities have the same true class in each kind of cases, where the space has classes."""
    size = 2 if space.outcomes == TWO_CLASS.outcomes else len(space.labels)
    return not size or all(
        each.grades is not None or bool((each.codes // size == each.codes[:, :1] // size).all()) for each in units
    )


def kinds_of(codes: NDArray[Any], cluster: Integers | None) -> Units:
    """Return the different columns of codes (n, m), within clusters, in their order, and how often each occurs.

    >>> units = kinds_of(np.array([[3, 0, 3], [1, 2, 1]]), None)
    >>> units.codes.tolist(), units.size.tolist()
    ([[0, 2], [3, 1]], [1, 2])
    """
    base = int(codes.max()) + 1
    key, largest, plain = np.zeros(codes.shape[1], dtype=np.int64), 1, cluster is None
    if cluster is not None:
        key, largest = cluster.astype(np.int64), int(cluster.max()) + 1
    for row in codes:
        if largest > LARGEST // base:
            key = np.unique(key, return_inverse=True)[1].ravel()
            largest, plain = int(key.max()) + 1, False
        key, largest = base * key + row, base * largest
    if plain and largest <= max(4096, len(key)):  # without sorting
        every = np.bincount(key, minlength=largest)
        kinds = np.flatnonzero(every)
        powers = base ** np.arange(len(codes) - 1, -1, -1)
        return Units(kinds[:, None] // powers % base, every[kinds])
    _, first, size = np.unique(key, return_index=True, return_counts=True)
    return Units(codes[:, first].T.astype(np.int64), size, None if cluster is None else cluster[first])


def weighed(n: int) -> Shared | None:
    """Return that the cases of n entities are known no more because they have weights."""
    return Shared(None, np.arange(n), lost=WEIGHED) if n > 1 else None


def shared_of(table: Any, codes: NDArray[Any], grades: Floats | None = None) -> Shared | None:
    """Return the cases of n entities with outcomes, or codes of grades, (n, m), one row each; None for one entity.

    Kinds are kept, not cases: of so many entities that nearly each case is a kind of its own there may be too many.
    """
    rows = np.arange(len(codes))
    if grades is None and len(codes) < 2:
        return None
    if codes.size > MOST_CELLS and len(np.unique(codes[:, :: codes.shape[1] // 1000 + 1], axis=1).T) > 500:
        return Shared(None, rows, lost=TOO_MANY)
    units = kinds_of(codes, None)._replace(grades=grades)
    return Shared(Joint(table, (units,), clustered=False), rows)

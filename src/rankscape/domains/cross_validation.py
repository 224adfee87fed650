"""Leave-one-domain-out cross-validation: how well the ranking by the other domains predicts that on each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from .._scores.levels import levels
from ..arrays import Flags, Floats, Integers
from ..errors import DataError
from ..ordering import kendall_tau
from ..performances import Performances
from ..results import Result, Table
from ..typing import Missing, PerformancesLike, PriorLike, ScoreLike, WeightsLike
from .grid import Grid
from .prepare import prepare
from .shift import moved_to
from .weights import Groups, exact_weights, groups_of, is_pooled

FEWEST = 3
"""Domains that it takes: with two, each is predicted by one other, and nothing is summarized."""


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Result):
    """How well the ranking by all other domains predicts the ranking on a domain that is left out.

    The fields ``tau``, ``first``, ``compared`` and ``predicted`` have one row per way of weighting and one column per
    domain. A domain where fewer than two entities are compared, or where all tie on either side, is not used: there
    ``tau`` and ``first`` are NaN.

    Attributes
    ----------
    score
        The score that is ranked by.
    domains
        The domains, each left out in turn.
    weightings
        The ways of weighting that are compared, the one that was asked for first.
    tau : (weightings, domains)
        Kendall's τ-b of the two rankings, in [-1, 1]; larger is better.
    first : (weightings, domains)
        The probability that the winner of the others comes first on the domain: 1 or 0, and a share where entities tie
        (one of m that tie, on either side, is chosen at random).
    compared : (weightings, domains)
        The number of entities that both rank.
    predicted, observed
        The names of those that come first by the others, and on the domain.

    See Also
    --------
    rankscape.domains.cross_validate

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [
    ...     [85, 5, 4, 6],
    ...     [8, 2, 18, 72],
    ...     [5, 1, 1, 5],
    ...     [80, 10, 5, 5],
    ...     [9, 1, 9, 81],
    ...     [6, 0, 1, 5],
    ... ]
    >>> P = rs.Performances.from_counts(rows, names=["m"] * 3 + ["n"] * 3, domains=["x", "y", "z"] * 2)
    >>> result = rs.domains.cross_validate(P, by="f1")
    >>> result.weightings, result.tau.tolist(), result.first.tolist()
    (('equal', 'size'), [[-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0]], [[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    """

    score: Score
    domains: tuple[str, ...]
    weightings: tuple[str, ...]
    tau: Floats
    first: Floats
    compared: Integers
    predicted: tuple[tuple[frozenset[str], ...], ...]
    observed: tuple[frozenset[str], ...]

    @property
    def heading(self) -> str:
        """A phrase with the number of domains that are left out in turn, and the score."""
        return f"Each of {len(self.domains)} domains predicted by the others, by {self.score.name}"

    @property
    def used(self) -> Integers:
        """The number of domains on which the two rankings can be compared, per way of weighting."""
        return np.asarray((~np.isnan(self.tau)).sum(axis=1))

    @cached_property
    def mean_tau(self) -> Floats:
        """The mean of τ over the domains that are used, per way of weighting; NaN where there are none."""
        return np.array([row[~np.isnan(row)].mean() if n else nan for row, n in zip(self.tau, self.used, strict=True)])

    def table(self) -> Table:
        """Return one row per way of weighting: mean and smallest τ, P(the winner is first), and the domains used.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = list(zip(self.tau, self.first, self.used.tolist(), strict=True))
        return Table(
            {
                "weighting": self.weightings,
                "tau": self.mean_tau,
                "smallest_tau": [float(np.nanmin(tau)) if n else nan for tau, _, n in rows],
                "p_first": [float(np.nanmean(first)) if n else nan for _, first, n in rows],
                "domains": [n for *_, n in rows],
            }
        )

    @property
    def hits(self) -> Floats:
        """The number of domains on which the winner of the others comes first, ties in part, per way of weighting."""
        return np.asarray(np.nansum(self.first, axis=1))

    @property
    def cells(self) -> Table:
        """One row per way of weighting and domain: tau, p_first, and who comes first by the others, and there."""
        n = len(self.domains)
        return Table(
            {
                "weighting": [name for name in self.weightings for _ in range(n)],
                "domain": list(self.domains) * len(self.weightings),
                "tau": self.tau.ravel(),
                "p_first": self.first.ravel(),
                "compared": self.compared.ravel(),
                "predicted": [" = ".join(sorted(best)) for row in self.predicted for best in row],
                "observed": [" = ".join(sorted(best)) for best in self.observed] * len(self.weightings),
            }
        )


def cross_validate(
    performances: PerformancesLike,
    by: ScoreLike | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
    shift_prior: PriorLike | None = None,
) -> CrossValidation:
    """Predict the ranking on each domain by that of all others (leave-one-domain-out cross-validation).

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        The score or preference; by default that of :func:`rankscape.rank`.
    weights
        The weights of the domains, as in :func:`rankscape.summarize`. Domains without weight are left aside.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    groups
        The group of each domain, {domain: group}, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives to which the summary of the others is shifted, and so is the domain left out, each alone.
        An entity that lacks a class there is not ranked.

    Returns
    -------
    CrossValidation
        One row per way of weighting, one column per domain.

    Raises
    ------
    DataError
        For fewer than three domains with a weight, and as for :func:`rankscape.summarize`.

    See Also
    --------
    rankscape.domains.leave_one_out : how stable the ranking by all domains is
    rankscape.summarize

    Notes
    -----
    Beside the ``weights`` asked for, the same is done with equal weights, with the sizes where counts exist, and with
    hierarchical weights where there are ``groups`` or the names of domains have a "/"; ways that come to the same
    weights appear once. The weights of the others keep their proportions, except that the rest of a group shares the
    weight of that group. With ``missing="available"`` entities are compared that were tried on the domain and on
    another one. A winner of the others whose score is undefined on the domain is not first there.

    The domains left out share most of the others, so the values of τ are not independent. The result holds for domains
    of the same kind; domains of one group, or with the same cases, may be more alike than those to come.

    Examples
    --------
    >>> import rankscape as rs
    >>> result = rs.domains.cross_validate(rs.datasets.classifiers(), by="f1")
    >>> result.weightings, result.mean_tau.round(3).tolist(), result.hits.tolist()
    (('equal', 'size'), [0.72, 0.726], [3.0, 6.25])
    """
    asked = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups)
    score = as_score(by, asked.grid.performances.space)
    grid = _weighted(asked.grid)
    if len(grid.domains) < FEWEST:
        what = "to predict each domain by the others takes at least three domains with a weight"
        raise DataError(what, got=str(len(grid.domains)))
    by_group = groups is not None and (weights is None or isinstance(weights, str))
    kind = "hierarchical" if by_group else asked.weighting
    ways = _ways(kind, grid, groups)
    there = _levels_there(grid, score, asked.shift_prior)
    tried = (grid.rows >= 0).T & ((grid.rows >= 0).sum(axis=1) > 1)
    observed = [_best(level, here) for level, here in zip(there, tried, strict=True)]
    shape = (len(ways), len(grid.domains))
    tau, first, compared = np.full(shape, nan), np.full(shape, nan), np.zeros(shape, dtype=np.int64)
    predicted = []
    for w, (way, (lambdas, members)) in enumerate(ways.items()):
        weighed = replace(grid, weights=lambdas, pooled=grid.pooled if way == kind else is_pooled(way, score.space))
        others = _levels_of_others(weighed, members, score, asked.shift_prior)
        predicted.append([_best(level, here) for level, here in zip(others, tried, strict=True)])
        for d, (by_others, by_itself) in enumerate(zip(predicted[w], observed, strict=True)):
            both = tried[d] & (others[d] >= 0) & (there[d] >= 0)
            compared[w, d] = both.sum()
            tau[w, d] = kendall_tau(others[d][both], there[d][both])
            if not np.isnan(tau[w, d]):
                first[w, d] = (by_others & by_itself).sum() / (by_others.sum() * by_itself.sum())
    return CrossValidation(
        score=score,
        domains=grid.domains,
        weightings=tuple(ways),
        tau=tau,
        first=first,
        compared=compared,
        predicted=tuple(tuple(_named(grid, best) for best in row) for row in predicted),
        observed=tuple(_named(grid, best) for best in observed),
    )


def _weighted(grid: Grid) -> Grid:
    """Return the grid without the domains that have no weight."""
    kept = grid.used
    weights, domains = tuple(grid.weights[d] for d in kept), tuple(grid.domains[d] for d in kept)
    return replace(grid, rows=grid.rows[:, kept], weights=weights, domains=domains)


Way = tuple[tuple[Fraction, ...], tuple[str, ...]]
"""The weights of the domains, and the group of each, whose other members share its weight where it is left out."""


def _ways(kind: str, grid: Grid, groups: Groups) -> dict[str, Way]:
    """Return the ways of weighting by name, the one asked for first, none twice."""
    domains = grid.domains
    members = tuple(groups[name] for name in domains) if groups is not None else groups_of(domains)
    if len(set(members)) in (1, len(domains)):
        members = domains  # one group, or groups of one: the others keep their proportions
    by_group = groups is not None or kind == "hierarchical"
    ways: dict[str, Way] = {kind: (grid.weights, members if by_group else domains)}
    if grid.empty:  # no weights exist there
        return ways
    others: dict[str, Way] = {"equal": (exact_weights("equal", None, grid.performances, domains, grid.rows), domains)}
    if grid.performances.counts is not None:
        others["size"] = exact_weights("size", None, grid.performances, domains, grid.rows), domains
    if members != domains:
        hierarchical = exact_weights("hierarchical", groups, grid.performances, domains, grid.rows)
        others["hierarchical"] = hierarchical, members
    for name, way in others.items():
        if way not in ways.values():
            ways.setdefault(name, way)
    return ways


def _levels_there(grid: Grid, score: Score, prior: Fraction | None) -> Integers:
    """Return the levels (domains, entities) on each domain alone, −1 where undefined or missing."""
    if prior is None:  # as they were given: nothing is rounded
        level, _ = levels(grid.performances, score)
        return np.where(grid.rows >= 0, level[grid.rows], -1).T
    source = grid.performances.integers if grid.exact else grid.performances.mass
    masses = np.where(grid.rows[..., None] >= 0, source[grid.rows], 0)
    return _levels(moved_to(masses, prior).swapaxes(0, 1), grid, score)


def _levels_of_others(grid: Grid, members: tuple[str, ...], score: Score, prior: Fraction | None) -> Integers:
    """Return the levels (domains left out, entities) by the summaries of the others, −1 where undefined."""
    parts, n = grid.parts, len(grid.domains)
    total = parts.sum(axis=1)
    masses = []
    for d in range(n):
        group = [j for j in range(n) if members[j] == members[d]]
        size = len(group)
        if grid.exact and size == 1:
            masses.append(total - parts[:, d])
        elif grid.exact:  # of the group, size − 1 members share the weight of all; as whole numbers, times size − 1
            whole = parts[:, group].sum(axis=1)
            masses.append((size - 1) * (total - whole) + size * (whole - parts[:, d]))
        else:  # sums without the part: differences of floats would keep a rest of it
            factors = np.ones(n)
            factors[group] = size / (size - 1) if size > 1 else 1.0
            kept = [j for j in range(n) if j != d]
            masses.append((factors[kept, None] * parts[:, kept]).sum(axis=1))
    return _levels(moved_to(np.array(masses), prior), grid, score)


def _levels(masses: NDArray[Any], grid: Grid, score: Score) -> Integers:
    """Return the levels of masses (domains, entities, outcomes); −1 where undefined, or nothing is there."""
    out = np.full(masses.shape[:2], -1, dtype=np.int64)
    there = (masses > 0).any(axis=-1)
    names = tuple(grid.entities[e] for e in np.nonzero(there)[1].tolist())
    if names:
        out[there], _ = levels(Performances.from_trusted(masses[there], names, None, grid.performances.space), score)
    return out


def _best(level: Integers, tried: Flags) -> Flags:
    """Return which of those that were tried come first; none where none is defined."""
    ranked = tried & (level >= 0)
    return ranked & (level == level[ranked].max()) if ranked.any() else ranked


def _named(grid: Grid, chosen: Flags) -> frozenset[str]:
    return frozenset(grid.entities[e] for e in np.flatnonzero(chosen).tolist())

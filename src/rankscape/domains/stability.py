"""How much an answer depends on the domains: worst case over their weights, and each left out in turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np

from .._scores import Score, as_score
from .._scores.levels import levels
from ..arrays import Floats
from ..errors import UsageError
from ..ordering import Ranking, kendall_tau, rank
from ..performances import Performances
from ..performances.averages import per_size
from ..results import Result, Table
from ..typing import Missing, PerformancesLike, PriorLike, ScoreLike, WeightsLike
from .grid import Grid, arranged, refuse_pooled
from .prepare import prepare
from .roles import preference_on, ratios, weighted_sums
from .shift import moved_to
from .weights import Groups


@dataclass(frozen=True, eq=False, repr=False)
class WorstCase(Result):
    """The smallest and the largest score of n entities when the weights of the domains may change.

    ``safest`` holds the names of those whose worst value is the best.

    Attributes
    ----------
    score
        The score.
    factor
        By how much each weight may be off.
    names
        The entities.
    values : (n,)
        The values at the given weights.
    low, high : (n,)
        The extremes: the worst value is ``low``, but ``high`` of a score of which smaller is better.

    See Also
    --------
    rankscape.domains.worst_case

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    >>> result = rs.domains.worst_case(P, by="f1")
    >>> result.low.round(4).tolist(), result.high.round(4).tolist()
    ([0.5714], [0.878])
    """

    score: Score
    factor: float
    names: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats

    @property
    def heading(self) -> str:
        """A phrase with the possible weights and the score."""
        return f"Worst case over weights within a factor of {self.factor:g}, by {self.score.name}"

    @property
    def safest(self) -> frozenset[str]:
        """The names of those whose worst value is the best."""
        worst = -self.high if self.score.direction == "smaller" else self.low
        if np.isnan(worst).all():
            return frozenset()
        return frozenset(name for name, x in zip(self.names, worst.tolist(), strict=True) if x == np.nanmax(worst))

    def table(self) -> Table:
        """Return one row per entity: entity, value, low, high.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"entity": self.names, "value": self.values, "low": self.low, "high": self.high})


def worst_case(
    performances: PerformancesLike,
    by: ScoreLike | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
    factor: float = inf,
) -> WorstCase:
    """Return the smallest and the largest summarized score when every weight λ_d may be off by a factor.

    With free weights the worst case is the hardest domain. Otherwise the ratio Σ λ_d·E_d[IS] / Σ λ_d·E_d[I] is extreme
    where all domains below a threshold of R_I have their largest weight and the others their smallest: all thresholds
    are tried.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        A ranking score R_I, or one that orders as it does.
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    groups
        The group of each domain, {domain: group}, as in :func:`rankscape.summarize`.
    factor
        By how much each weight may be off, at least 1; by default the weights are free.

    Returns
    -------
    WorstCase
        The value at the given weights, the smallest and the largest, for each entity.

    Raises
    ------
    UsageError
        For a factor below 1.
    NoPlaceError
        For a score that orders as no ranking score.

    See Also
    --------
    rankscape.domains.weightings : who comes first under which weights

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> rs.domains.worst_case(P, by="accuracy", factor=2).low.round(4).tolist()
    [0.822]
    """
    if not factor >= 1:
        raise UsageError(f"factor must be at least 1 (1: the weights are certain); got {factor}")
    grid = arranged(performances, weights, missing, groups)
    refuse_pooled(grid, "worst cases")
    score = as_score(by, grid.performances.space)
    importance, worth = preference_on(score, grid)
    due, earned = weighted_sums(grid, importance), weighted_sums(grid, importance * worth)
    largest = np.array([max(map(int, row)) if grid.exact else 1 for row in due], dtype=object if grid.exact else float)
    scale = np.where(largest == 0, 1, largest)[:, None]
    due, earned = np.asarray(due / scale, dtype=np.float64), np.asarray(earned / scale, dtype=np.float64)
    given = np.ones(due.shape)
    worst, best = (
        np.array([_extreme(s, t, factor, sign) for s, t in zip(earned, due, strict=True)]) for sign in (1, -1)
    )
    if score.importance is None:  # it orders as R_I, and has values of its own
        values, *ends = (_values(score, grid, factors) for factors in (given, worst, best))
    else:
        values, *ends = (ratios((u * earned).sum(axis=1), (u * due).sum(axis=1)) for u in (given, worst, best))
    low, high = reversed(ends) if score.direction == "smaller" else ends
    return WorstCase(score=score, factor=factor, names=grid.entities, values=values, low=low, high=high)


def _extreme(earned: Floats, due: Floats, factor: float, sign: int) -> Floats:
    """Return weights u in [1/factor, factor] at which Σ u·earned / Σ u·due is smallest (sign 1) or largest (−1).

    With free weights all are on one domain; a domain without importance has the weight 1, and matters to nothing.
    """
    here = np.flatnonzero(due > 0)
    u = np.ones(len(due))
    if not len(here):
        return u
    order = here[np.argsort(sign * earned[here] / due[here], kind="stable")]
    if factor == inf:
        u[:] = 0
        u[order[0]] = 1
        return u
    up, down = (np.append(0, np.cumsum(x[order])) for x in (earned, due))
    tops = factor * up + (up[-1] - up) / factor
    threshold = int((sign * tops / (factor * down + (down[-1] - down) / factor)).argmin())
    u[order[:threshold]], u[order[threshold:]] = factor, 1 / factor
    return u


def _values(score: Score, grid: Grid, factors: Floats) -> Floats:
    """Return the score of the summaries (n,) with each λ_d times a factor (n, domains)."""
    weights = factors * np.array([float(w) for w in grid.weights]) * (grid.rows >= 0)
    mass = (weights[..., None] * per_size(grid.performances.mass, score.space)[grid.rows]).sum(axis=1)
    return score(Performances.from_trusted(mass, grid.entities, None, grid.performances.space))


@dataclass(frozen=True, eq=False, repr=False)
class LeaveOneOut(Result):
    """What each domain does to the ranking when it is left out.

    ``deciding`` are the domains without which others are first.

    Attributes
    ----------
    ranking
        The ranking by all domains.
    domains
        The domains, each left out in turn.
    winners
        The names of who comes first without each of them.
    ranks : (domains, n)
        The ranks then.
    tau : (domains,)
        Kendall's τ-b of the two rankings.

    See Also
    --------
    rankscape.domains.leave_one_out

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72], [80, 10, 5, 5], [9, 1, 9, 81]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m", "n", "n"], domains=["x", "y"] * 2)
    >>> result = rs.domains.leave_one_out(P, by="f1")
    >>> sorted(result.ranking.best), result.winners, result.deciding
    (['n'], (frozenset({'n'}), frozenset({'m'})), ('y',))
    """

    ranking: Ranking
    domains: tuple[str, ...]
    winners: tuple[frozenset[str], ...]
    ranks: Floats
    tau: Floats

    @property
    def heading(self) -> str:
        """How many domains decide which entities come first."""
        return f"{len(self.deciding)} of {len(self.domains)} domains decide who is first"

    @property
    def deciding(self) -> tuple[str, ...]:
        """The domains without which others are first."""
        return tuple(d for d, best in zip(self.domains, self.winners, strict=True) if best != self.ranking.best)

    def table(self) -> Table:
        """Return one row per domain: domain (left out), first (names), tau, moved (entities with another rank).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        moved = [(row != self.ranking.ranks) & ~(np.isnan(row) & np.isnan(self.ranking.ranks)) for row in self.ranks]
        return Table(
            {
                "domain": self.domains,
                "first": [" = ".join(sorted(best)) for best in self.winners],
                "tau": self.tau,
                "moved": [int(m.sum()) for m in moved],
            }
        )


def leave_one_out(
    performances: PerformancesLike,
    by: ScoreLike | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
    shift_prior: PriorLike | None = None,
) -> LeaveOneOut:
    """Rank without each domain in turn, exactly, to see how stable the answer is.

    The weights of the others keep their proportions. With a single domain nothing can be left out, and the result has
    no row. An entity that lacks a class without a domain has no rank there.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        The score or preference; by default that of :func:`rankscape.rank`.
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    groups
        The group of each domain, {domain: group}, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives to which each summary is shifted; by default none.

    Returns
    -------
    LeaveOneOut
        One row per domain that is left out.

    Raises
    ------
    DataError
        For missing cells.

    See Also
    --------
    rankscape.domains.cross_validate
    rankscape.domains.weightings

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> rs.domains.leave_one_out(P).table()["tau"]
    [nan, nan]
    """
    asked = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups)
    grid = asked.grid
    score = as_score(by, grid.performances.space)
    ranking = rank(asked.performances, by=score)
    total, left_out, ranks_without = grid.parts.sum(axis=1), [], []
    chosen = grid.used
    for d in chosen if len(chosen) > 1 else []:
        parts = total - grid.parts[:, d] if grid.exact else grid.parts[:, [c for c in chosen if c != d]].sum(axis=1)
        parts = moved_to(parts, asked.shift_prior)
        there = np.flatnonzero((parts > 0).any(axis=1)).tolist()
        ranks = np.full(len(grid.entities), nan)
        level, _ = levels(grid.summary(parts[there], there), score)
        for e, here in zip(there, level.tolist(), strict=True):
            ranks[e] = nan if here < 0 else 1 + int((level > here).sum())
        left_out.append(grid.domains[d])
        ranks_without.append(ranks)
    return LeaveOneOut(
        ranking=ranking,
        domains=tuple(left_out),
        winners=tuple(
            frozenset(n for n, r in zip(grid.entities, ranks, strict=True) if r == 1) for ranks in ranks_without
        ),
        ranks=np.array(ranks_without).reshape(-1, len(grid.entities)),
        tau=np.array([kendall_tau(ranking.ranks, ranks) for ranks in ranks_without]),
    )

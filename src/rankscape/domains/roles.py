"""What each domain is for an entity and a preference: easiest, hardest, preponderant one, bottleneck; and left out.

Left out, a domain shows how much the answer depends on it: the ranking without it, and how well that predicts the one
on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import nan
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from .._scores.score import levels
from ..arrays import Flags, Floats, Integers
from ..checks import checked_size, one_of, rows_of, two_class_only
from ..errors import NoPlaceError, UsageError, in_prose, not_among
from ..flavors import titled
from ..kernels.exact import fractions_of, integers_of_fractions, quotients, ratio_levels
from ..ordering import Ranking, kendall_tau, rank
from ..outcomes import TWO_CLASS, canonical_importance
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, spelled
from ..tile import TileMap, entity
from ..tile.maps import RESOLUTION
from ..tile.ranks import shares_on_grid
from ..typing import PerformancesLike, ScoreLike
from .contests import levels_of_masses
from .grid import Grid, Prepared, earned_and_due, groups_of, moved_to, prepared

Role: TypeAlias = Literal["easiest", "hardest", "preponderant", "bottleneck"]
"""What a domain may be for an entity."""

ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, eq=False, repr=False)
class Roles(Result):
    """The role of each domain for each of n entities, by a ranking score R_I or a score X that orders as one.

    ``easiest``, ``hardest``, ``preponderant`` and ``bottleneck`` hold one domain per entity, of tied ones the first in
    the data (``sets`` has all), None where undefined. The weights that the domains really have are w_d ∝ λ_d·E_d[I],
    which sum to 1, so that R_I(P̄) = Σ w_d·R_I(P_d).

    Attributes
    ----------
    score
        The score.
    names, domains
        The entities and the domains.
    lambdas
        The weights given.
    shares : (n, domains)
        The weights in the population that is compared, which differ from those given after a shift of the prior, or
        where domains are missing.
    weights : (n, domains)
        The weights w_d that the domains really have.
    values, errors : (n, domains)
        X(P_d), and the shares of the importance-weighted errors, NaN where undefined.
    summarized : (n,)
        X(P̄).
    sets
        {role: the domains of each entity, all that tie}.

    See Also
    --------
    rankscape.domains.roles

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72], [60, 30, 5, 5]]
    >>> P = rs.Performances.from_counts(rows, names=["m"] * 3, domains=["x", "y", "z"])
    >>> result = rs.domains.roles(P, by="f1")
    >>> result.easiest, result.hardest, result.preponderant, result.bottleneck
    (('y',), ('z',), ('y',), ('z',))
    >>> result.weights.round(3).tolist()
    [[0.091, 0.713, 0.196]]
    """

    score: Score
    names: tuple[str, ...]
    domains: tuple[str, ...]
    lambdas: tuple[Fraction, ...]
    shares: Floats
    weights: Floats
    values: Floats
    errors: Floats
    summarized: Floats
    sets: Mapping[Role, tuple[tuple[str, ...], ...]]

    @property
    def heading(self) -> str:
        """How many domains and entities there are, and the score."""
        domains, entities = counted(len(self.domains), "domain"), counted(len(self.names), "model")
        return f"Roles of {domains} for {entities} by {self.score.name}"

    @property
    def easiest(self) -> tuple[str | None, ...]:
        """The domain with the best score, per entity: the largest R_I, or the smallest FPR."""
        return _one_each(self.sets["easiest"])

    @property
    def hardest(self) -> tuple[str | None, ...]:
        """The domain with the worst score, per entity."""
        return _one_each(self.sets["hardest"])

    @property
    def preponderant(self) -> tuple[str | None, ...]:
        """The domain with the largest weight w_d, per entity."""
        return _one_each(self.sets["preponderant"])

    @property
    def bottleneck(self) -> tuple[str | None, ...]:
        """The domain to improve first, per entity: it has the largest share of the importance-weighted errors."""
        return _one_each(self.sets["bottleneck"])

    def table(self) -> Table:
        """Return one row per entity and domain: given (λ), share, weight (w), value (X), errors, and its roles.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        n, d = len(self.names), len(self.domains)
        return Table(
            {
                "entity": [name for name in self.names for _ in range(d)],
                "domain": list(self.domains) * n,
                "given": [float(x) for x in self.lambdas] * n,
                "share": self.shares.ravel(),
                "weight": self.weights.ravel(),
                "value": self.values.ravel(),
                "errors": self.errors.ravel(),
            }
            | {
                role: [domain in chosen for chosen in sets for domain in self.domains]
                for role, sets in self.sets.items()
            }
        )


def _one_each(sets: tuple[tuple[str, ...], ...]) -> tuple[str | None, ...]:
    return tuple(names[0] if names else None for names in sets)


def roles(
    performances: PerformancesLike | Prepared,
    by: ScoreLike | None = None,
) -> Roles:
    """Return which domain is the easiest, the hardest, the preponderant one and the bottleneck, for each entity.

    The bottleneck has the largest share of the importance-weighted errors, w_d·(1 − R_I(P_d)). Domains of weight 0 have
    no role. Ties are exact where the performances are counts.

    A shift of the prior multiplies the masses on every domain of an entity by the same two factors, one per class, so
    that the domains with many positives gain or lose weight, and R_I(P̄) = Σ w_d·R_I(P_d) still holds. (Summarization,
    eq. (2).)

    Parameters
    ----------
    performances
        The performances, or what :func:`prepare` makes of them, with other weights of the domains or at another prior.
    by
        A ranking score R_I, or one that orders as it does, such as the error rate.

    Returns
    -------
    Roles
        The role of each domain for each entity, and the weights that domains really have.

    Raises
    ------
    NoPlaceError
        For a score that orders as no ranking score: it gives the domains no weights.

    See Also
    --------
    rankscape.domains.roles_tile : for every preference
    rankscape.domains.leave_one_out

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [8, 2, 2, 8]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> rs.domains.roles(P, by="accuracy").hardest
    ('x',)
    """
    grid = prepared(performances).population
    score = as_score(by, grid.performances.space)
    top, bottom = earned_and_due(importance_among(score, grid.performances), score.space)
    due, earned = weighted_sums(grid, bottom), weighted_sums(grid, top)
    best = max(Fraction(worth) for worth in score.space.satisfaction or (1,))
    lost = due * (int(best) if best.denominator == 1 else best if grid.exact else float(best)) - earned
    total, gained = due.sum(axis=1, keepdims=True), earned.sum(axis=1, keepdims=True)
    shares = _shares(grid)
    present = (grid.rows >= 0) & np.isin(np.arange(len(grid.domains)), grid.used) if grid.pooled else shares > 0
    values, summarized = ratios(earned, due, present), ratios(gained, total, total > 0)[:, 0]
    if score.importance is None:  # it orders as R_I, and has values of its own
        values, summarized = np.where(present, score(grid.performances)[grid.rows], np.nan), score(grid.summary())
    parts = (earned, due), (-earned, due), (due, 1 + 0 * due), (lost, 1 + 0 * due)
    sets = {role: _largest(*each, due, grid, present) for role, each in zip(ROLES, parts, strict=True)}
    # without errors there is nothing to fix
    sets["bottleneck"] = tuple(domains if any(lost[e]) else () for e, domains in enumerate(sets["bottleneck"]))
    return Roles(
        score=score,
        names=grid.entities,
        domains=grid.domains,
        lambdas=grid.weights,
        shares=shares,
        weights=ratios(due, np.broadcast_to(total, due.shape), present),
        values=values,
        errors=ratios(lost, np.broadcast_to(lost.sum(axis=1, keepdims=True), due.shape), present),
        summarized=summarized,
        sets=sets,
    )


def _shares(grid: Grid) -> Floats:
    """Return the weights of the domains for each entity, which sum to 1; NaN where it lacks a domain."""
    here = np.where(grid.rows >= 0, grid.lambdas.astype(np.float64), 0.0)
    return np.where(grid.rows >= 0, here / here.sum(axis=1, keepdims=True), np.nan)


def importance_among(score: Score, performances: Performances) -> Any:
    """Return the importance of the ranking score that orders as a score does; raise NoPlaceError without one."""
    score.check(performances)
    importance = score.importance or score.orders_as
    if importance is not None:
        return importance
    two_class = score.space.outcomes == TWO_CLASS.outcomes
    try:
        a, b = score.place_among(performances) if two_class else score.exact_place()
    except NoPlaceError as error:
        raise NoPlaceError(
            f"{score.name} gives the domains no weights, as a ranking score does: {error.worded(in_prose)}"
        ) from None
    return canonical_importance(np.array(a, dtype=object), np.array(b, dtype=object))


def weighted_sums(grid: Grid, weights: NDArray[Any]) -> NDArray[Any]:
    """Return Σ weights·λ_d·P_d over the outcomes, (entities, domains), up to a factor per entity."""
    return np.asarray((grid.parts * (weights if grid.exact else weights.astype(float))).sum(axis=2))


def ratios(top: NDArray[Any], bottom: NDArray[Any], present: Flags | bool = True) -> Floats:
    """Return quotients, of integers correctly rounded; NaN where nothing is present, or the denominator is 0."""
    if top.dtype == object:
        return np.where(present, quotients(top, bottom), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(present & (bottom > 0), top / np.where(bottom > 0, bottom, 1), np.nan)


def _largest(
    top: NDArray[Any], bottom: NDArray[Any], due: NDArray[Any], grid: Grid, present: Flags
) -> tuple[tuple[str, ...], ...]:
    """Return, for each entity, the domains with the largest top/bottom among those where E[I] > 0."""
    here = (present & (due > 0) & (bottom > 0)).astype(bool)
    if grid.exact:
        levels = ratio_levels(top.ravel(), np.where(here, bottom, 0).ravel()).reshape(here.shape)
    else:
        levels = np.where(here, ratios(top, bottom, here), -np.inf)
    largest = here & (levels == levels.max(axis=1, keepdims=True))
    return tuple(tuple(grid.domains[d] for d in np.flatnonzero(row).tolist()) for row in largest)


# Each domain left out

FEWEST = 3
"""Domains that a prediction takes: with two, each is predicted by one other, and nothing is summarized."""

FEW = 10
"""Domains below which a prediction is called a rough guide."""


@dataclass(frozen=True, eq=False, repr=False)
class LeaveOneOut(Result):
    """What each domain does to the ranking when it is left out, and how well the others predict the ranking on it.

    ``deciding`` are the domains without which others are first. A domain where fewer than two entities are compared
    with its own ranking, or where all tie on either side, predicts nothing: there ``tau_there`` and ``p_first`` are
    NaN.

    Attributes
    ----------
    ranking
        The ranking by all domains.
    weighting
        The kind of weights, as in :func:`rankscape.summarize`; "given" for numbers.
    domains
        The domains with a weight, each left out in turn.
    winners
        The names of who comes first without each of them.
    ranks : (domains, n)
        The ranks then.
    tau : (domains,)
        Kendall's τ-b of the ranking by all domains and that without each.
    predicted, observed
        The names of those that come first by the others, and on the domain itself, among those that were tried on both.
    compared : (domains,)
        The number of entities that both rank.
    tau_there : (domains,)
        Kendall's τ-b of the ranking by the others and that on the domain itself.
    p_first : (domains,)
        The probability that the winner by the others comes first on the domain: 1 or 0, and a share where entities tie
        (one of m that tie, on either side, is chosen at random).

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
    >>> result.tau_there.tolist(), result.p_first.tolist()
    ([-1.0, -1.0], [0.0, 0.0])
    """

    ranking: Ranking
    weighting: str
    domains: tuple[str, ...]
    winners: tuple[frozenset[str], ...]
    ranks: Floats
    tau: Floats
    predicted: tuple[frozenset[str], ...]
    observed: tuple[frozenset[str], ...]
    compared: Integers
    tau_there: Floats
    p_first: Floats

    @property
    def heading(self) -> str:
        """How many domains decide which entities come first."""
        return f"{len(self.deciding)} of {len(self.domains)} domains decide who is first"

    @property
    def deciding(self) -> tuple[str, ...]:
        """The domains without which others are first."""
        return tuple(d for d, best in zip(self.domains, self.winners, strict=True) if best != self.ranking.best)

    @property
    def used(self) -> int:
        """The number of domains on which the ranking by the others can be compared with theirs."""
        return int((~np.isnan(self.tau_there)).sum())

    @property
    def mean_tau(self) -> float:
        """The mean of ``tau_there`` over the domains that are used; NaN where there are none."""
        return float(np.nanmean(self.tau_there)) if self.used else nan

    @property
    def hits(self) -> float:
        """The number of domains on which the winner of the others comes first, ties in part."""
        return float(np.nansum(self.p_first))

    def table(self) -> Table:
        """Return one row per domain that is left out.

        Returns
        -------
        Table
            The columns domain, first (by the others), tau (with the ranking by all), moved (entities with another
            rank), observed (first on the domain), tau_there and p_first; ``.frame()`` has the same as a data frame.
        """
        moved = [(row != self.ranking.ranks) & ~(np.isnan(row) & np.isnan(self.ranking.ranks)) for row in self.ranks]
        return Table(
            {
                "domain": self.domains,
                "first": [" = ".join(sorted(best)) for best in self.winners],
                "tau": self.tau,
                "moved": [int(m.sum()) for m in moved],
                "observed": [" = ".join(sorted(best)) for best in self.observed],
                "tau_there": self.tau_there,
                "p_first": self.p_first,
            }
        )

    def sentences(self) -> Iterator[str]:
        """Yield how well the others predict a domain, and how sure that is; nothing for few domains, or one entity.

        Yields
        ------
        str
            A sentence, for a reader.

        Examples
        --------
        >>> import rankscape as rs
        >>> result = rs.domains.leave_one_out(rs.datasets.classifiers(), by="accuracy")
        >>> next(result.sentences()).split(". ")[1]
        'The winner over the others also wins the one left out on 3.167 of 14 (one of m tied models counts 1/m)'
        """
        n, used, hits = len(self.domains), self.used, self.hits
        if n < FEWEST or len(self.ranking.ranks) < 2:
            return
        if not used:
            yield f"The others predict the ranking on none of the {n} domains, for no two models can be told apart"
            return
        ties = "" if abs(hits - round(hits)) < 1e-9 else " (one of m tied models counts 1/m)"
        yield (
            f"When each of the {n} domains is left out in turn, the others predict its ranking with a mean Kendall's τ "
            f"of {tau_in_words(self.mean_tau)} (smallest {tau_in_words(float(np.nanmin(self.tau_there)))}). The winner "
            f"over the others also wins the one left out on {hits:.4g} of {used}{ties}"
        )
        if used < n:
            skipped = counted(n - used, "domain does", "domains do")
            yield f"{skipped} not count there, because fewer than two models can be compared or all of them tie"
        if used < FEW:
            subject = f"{spelled(used).capitalize()} {'domain is' if used == 1 else 'domains are'}"
            yield f"{subject} few, so take this as a rough guide"


def tau_in_words(tau: float) -> str:
    """Return τ with two digits and a minus sign.

    >>> tau_in_words(-0.256), tau_in_words(-0.001)
    ('−0.26', '0.00')
    """
    return f"{tau:.2f}".replace("-0.00", "0.00").replace("-", "−")


def leave_one_out(
    performances: PerformancesLike | Prepared,
    by: ScoreLike | None = None,
) -> LeaveOneOut:
    """Rank without each domain in turn, exactly: does one domain decide, and do the others predict the ranking on it?

    The weights of the others keep their proportions, except that with "hierarchical" weights the rest of a group shares
    the weight of that group. With a single domain nothing can be left out, and the result has no row. An entity that
    lacks a class without a domain has no rank there. Domains without weight are left aside. Where the prior is shifted,
    so is that of each summary, and of the domain left out, each alone.

    Parameters
    ----------
    performances
        The performances, or what :func:`prepare` makes of them, with other weights of the domains or at another prior.
    by
        The score or preference; by default that of :func:`rankscape.rank`.

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
    rankscape.domains.weightings

    Notes
    -----
    The domains left out share most of the others, so the values of ``tau_there`` are not independent. They hold for
    domains of the same kind; domains of one group, or with the same cases, may be more alike than those to come. With
    ``missing="available"`` entities are compared that were tried on the domain and on another one.

    Examples
    --------
    >>> import rankscape as rs
    >>> result = rs.domains.leave_one_out(rs.datasets.classifiers(), by="f1")
    >>> result.deciding, round(result.mean_tau, 3), result.hits
    (('wine 1',), 0.72, 3.0)
    """
    asked = prepared(performances)
    grid, prior = asked.grid, asked.shift_prior
    score = as_score(by, grid.performances.space)
    ranking, names = rank(asked.performances, by=score), np.array(grid.entities, dtype=object)
    kept = grid.used if len(grid.used) > 1 else []
    domains, lambdas = tuple(grid.domains[d] for d in kept), tuple(grid.weights[d] for d in kept)
    grid = replace(grid, rows=grid.rows[:, kept], weights=lambdas, domains=domains)
    others = _levels_without_each(grid, asked.weighting == "hierarchical", score, prior)
    there = _levels_on_each(grid, score, prior)
    ranks = np.array([np.where(row < 0, nan, 1.0 + (row > row[:, None]).sum(axis=1)) for row in others]).reshape(
        others.shape
    )
    tried = (grid.rows >= 0).T & ((grid.rows >= 0).sum(axis=1) > 1)
    first = [[_best(*each) for each in zip(side, tried, strict=True)] for side in (others, there)]
    both = tried & (others >= 0) & (there >= 0)
    tau_there = np.array([kendall_tau(x[k], y[k]) for x, y, k in zip(others, there, both, strict=True)])
    shares = [(x & y).sum() / (x.sum() * y.sum() or 1) for x, y in zip(*first, strict=True)]
    return LeaveOneOut(
        ranking=ranking,
        weighting=asked.weighting,
        domains=domains,
        winners=tuple(frozenset(names[row == 1]) for row in ranks),
        ranks=ranks,
        tau=np.array([kendall_tau(ranking.ranks, row) for row in ranks]),
        predicted=tuple(frozenset(names[best]) for best in first[0]),
        observed=tuple(frozenset(names[best]) for best in first[1]),
        compared=both.sum(axis=1),
        tau_there=tau_there,
        p_first=np.where(np.isnan(tau_there), nan, shares),
    )


def _levels_on_each(grid: Grid, score: Score, prior: Fraction | None) -> Integers:
    """Return the levels (domains, entities) on each domain alone, −1 where undefined or missing."""
    if prior is None:  # as they were given, which is faster
        level, _ = levels(grid.performances, score)
        return np.where(grid.rows >= 0, level[grid.rows], -1).T
    masses = np.where(grid.rows[..., None] >= 0, grid.performances.integers[grid.rows], 0)
    return levels_of_masses(moved_to(masses, prior).swapaxes(0, 1), score, grid.performances.space)


def _levels_without_each(grid: Grid, by_group: bool, score: Score, prior: Fraction | None) -> Integers:
    """Return the levels (domains left out, entities) by the summaries of the others, −1 where undefined."""
    n, members = len(grid.domains), groups_of(grid.domains) if by_group else grid.domains
    if not n:
        return np.zeros((0, len(grid.rows)), dtype=np.int64)
    total, masses = grid.parts.sum(axis=1), []
    for d in range(n):
        group = [j for j in range(n) if members[j] == members[d]]
        size = len(group)  # the others share the weight of all, and one that is alone leaves none
        if grid.exact:
            whole = grid.parts[:, group].sum(axis=1)
            masses.append(max(size - 1, 1) * (total - whole) + size * (whole - grid.parts[:, d]))
        else:  # sums without the part: differences of floats would keep a rest of it
            factors = np.where(np.isin(np.arange(n), group), size / max(size - 1, 1), 1.0)[:, None]
            kept = [j for j in range(n) if j != d]
            masses.append((factors[kept] * grid.parts[:, kept]).sum(axis=1))
    return levels_of_masses(moved_to(np.array(masses), prior), score, grid.performances.space)


def _best(level: Integers, tried: Flags) -> Flags:
    """Return which of those that were tried come first; none where none is defined."""
    ranked = tried & (level >= 0)
    return ranked & (level == level[ranked].max()) if ranked.any() else ranked


# Roles on the Tile, everywhere at once

NEAR = 1e-12
"""Products closer than this (relative) are compared on integers: far more than the error of either."""


def roles_tile(
    performances: PerformancesLike | Prepared,
    name: str | None = None,
    role: Role = "hardest",
    *,
    resolution: int = RESOLUTION,
) -> TileMap:
    """Map which domain has a role for one entity, for every preference, such as the bottleneck to fix first.

    Ties are sets of domains, exact: of counts, or of probabilities as the numbers that they are.

    Parameters
    ----------
    performances
        The performances, or what :func:`prepare` makes of them, with other weights of the domains or at another prior.
    name
        The entity; needed where there are several.
    role
        "easiest", "hardest", "preponderant" (argmax λ_d·E_d[I]) or "bottleneck" (the largest share of the
        importance-weighted errors, which does not depend on a).
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The map; a value is the domain.

    Raises
    ------
    UsageError
        For an unknown role, and no name where there are several entities.

    See Also
    --------
    rankscape.domains.roles : for one preference

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [8, 2, 2, 8]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> (
    ...     rs.domains.roles_tile(P, role="bottleneck", resolution=3).at(0.5, 0),
    ...     rs.domains.roles_tile(P, role="hardest", resolution=3).at(1, 1),
    ... )
    (('y',), ('x',))
    """
    if role not in ROLES:
        raise not_among("role", role, ROLES)
    grid = prepared(performances).population
    two_class_only(grid.performances.space, "the Tile")
    if name is None and len(grid.entities) > 1:
        raise UsageError(
            "a map of roles is of one entity",
            got=str(len(grid.entities)),
            way_out=one_of(grid.entities, "roles_tile(P, {})"),
        )
    e = 0 if name is None else rows_of(grid.entities, name, "entity")[0]
    lambdas = grid.shares_of(e)
    kept = [d for d, row in enumerate(grid.rows[e]) if row >= 0 and lambdas[d]]
    domains = tuple(grid.domains[d] for d in kept)
    if role in ("easiest", "hardest"):
        as_entities = replace(grid.performances[grid.rows[e][kept]], names=domains, domains=None)
        tile_map = entity(as_entities, last=role == "hardest", resolution=resolution)
    else:
        parts = _exact_parts(grid, e, kept)
        tile_map = _linear(parts if role == "preponderant" else parts * np.array([0, 1, 1, 0]), domains, resolution)
    what = f"which domain is the {role}" + ("" if role == "bottleneck" else " one")
    return replace(
        tile_map,
        flavor=role,
        title=titled(role, name=grid.entities[e]),
        label=what,
        no_skill=None,
        subtitle=f"{len(tile_map.shares)} of {len(domains)} domains, depending on the preference.",
        parameters={"name": grid.entities[e], "role": role},
    )


def _exact_parts(grid: Grid, e: int, kept: list[int]) -> NDArray[Any]:
    """Return λ_d·P_d of some domains of an entity, up to a common factor, as integers (domains, outcomes)."""
    if grid.exact:
        return np.asarray(grid.parts[e][kept])
    lambdas = grid.shares_of(e)
    weights = np.array([lambdas[d] for d in kept], dtype=object)[:, None]
    parts = fractions_of(grid.performances.mass[grid.rows[e][kept]]) * weights
    return integers_of_fractions(parts.ravel()).reshape(parts.shape)


def _linear(parts: NDArray[Any], domains: tuple[str, ...], resolution: int) -> TileMap:
    """Map the domain with the largest Σ I(ω)·part(ω), of tied ones all: near ones are compared on integers."""
    m, n = checked_size("resolution", resolution, 2) - 1, len(domains)
    floats = np.asarray(parts / max(parts.max(), 1), dtype=np.float64)
    j = np.arange(resolution)
    values = np.full((resolution, resolution), np.nan)
    codes: dict[tuple[int, ...], int] = {(d,): d for d in range(n)}
    for i in range(resolution):
        rows = (m - i) * floats[:, 1:2] + i * floats[:, 2:3] + (m - j) * floats[:, :1] + j * floats[:, 3:]
        best = rows.max(axis=0)
        near = rows >= best * (1 - NEAR)
        values[i] = np.where(best > 0, near.argmax(axis=0), np.nan)
        for column in np.flatnonzero((near.sum(axis=0) > 1) & (best > 0)).tolist():
            members = np.flatnonzero(near[:, column]).tolist()
            weights = [m - column, m - i, i, column]
            sums = {d: sum(w * int(x) for w, x in zip(weights, parts[d], strict=True)) for d in members}
            members = [d for d in members if sums[d] == max(sums.values())]
            values[i, column] = codes.setdefault(tuple(members), len(codes))
    sets = tuple(tuple(domains[d] for d in members) for members in codes)
    return TileMap("entity", "", "", values, sets=sets, shares=shares_on_grid(values, sets, domains))

"""What each domain is for an entity and a preference: easiest, hardest, preponderant one, bottleneck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..arrays import Flags, Floats
from ..errors import NoPlaceError, in_prose
from ..kernels.exact import quotients, ratio_levels
from ..outcomes import TWO_CLASS, canonical_importance
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from ..typing import PerformancesLike, ScoreLike
from .grid import Grid, Prepared, earned_and_due, prepared

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

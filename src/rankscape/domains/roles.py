"""What each domain is for an entity and a preference: easiest, hardest, preponderant, bottleneck; also on the Tile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..checks import one_of, rows_of, two_class_only
from ..errors import NoPlaceError, Option, UsageError, in_prose
from ..kernels.exact import fractions_of, integers_of_fractions, quotients
from ..outcomes import TWO_CLASS, canonical_importance
from ..results import Table
from ..tile import TileMap, entity
from ..tile.maps import RESOLUTION, axis_of
from .grid import Grid
from .prepare import Prepared, prepare
from .shift import moved_to

Floats = NDArray[np.float64]
ROLES = ("easiest", "hardest", "preponderant", "bottleneck")
RULES = {
    "errors": "the largest share of the importance-weighted errors, w·(1 − R)",
    "left out": "the domain without which the score of the summary would be the best",
    "hardest": "the domain with the worst score",
}
NEAR = 1e-12
"""Products closer than this (relative) are compared on integers: far more than the error of either."""


@dataclass(frozen=True, eq=False, repr=False)
class Roles:
    """What each of the domains is for each of n entities, by a ranking score R_I, or a score X that orders as one.

    ``weights`` (n, domains) are those that the domains really have, w_d ∝ λ_d·E_d[I], which sum to 1, so that R_I(P̄) =
    Σ w_d·R_I(P_d); ``values`` are X(P_d), ``summarized`` X(P̄), ``errors`` the shares of the importance-weighted
    errors, NaN where undefined. ``lambdas`` are the weights given; ``shares`` (n, domains) those of the population that
    is compared, which differ from them after a shift of the prior, or where domains are missing. ``easiest``,
    ``hardest``, ``preponderant`` and ``bottleneck`` hold one domain per entity, of tied ones the first in the data
    (``tied`` has all), None where undefined. ``rule`` names that of the bottleneck.

    >>> from rankscape import Performances
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72], [60, 30, 5, 5]]
    >>> P = Performances.from_counts(rows, names=["m"] * 3, domains=["x", "y", "z"])
    >>> found = roles(P, by="f1")
    >>> found.easiest, found.hardest, found.preponderant, found.bottleneck
    (('y',), ('z',), ('y',), ('z',))
    >>> found.weights.round(3).tolist()
    [[0.091, 0.713, 0.196]]
    """

    score: Score
    rule: str
    names: tuple[str, ...]
    domains: tuple[str, ...]
    lambdas: tuple[Fraction, ...]
    shares: Floats
    weights: Floats
    values: Floats
    errors: Floats
    summarized: Floats
    sets: Mapping[str, tuple[tuple[str, ...], ...]]

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
        """The domain to be fixed first by the rule, per entity."""
        return _one_each(self.sets["bottleneck"])

    def tied(self, role: str, name: str) -> tuple[str, ...]:
        """Return all domains that share a role of one entity."""
        if role not in ROLES:
            raise UsageError(f"{role!r} is no role; expected one of {', '.join(map(repr, ROLES))}")
        return self.sets[role][rows_of(self.names, name, "entity")[0]]

    def table(self) -> Table:
        """Return one row per entity and domain: given (λ), share, weight (w), value (X), errors, and its roles."""
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
            | {role: [domain in own for own in sets for domain in self.domains] for role, sets in self.sets.items()}
        )

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def __repr__(self) -> str:
        return f"<Roles of {len(self.domains)} domains for {len(self.names)} entities by {self.score.name}>"


def _one_each(sets: tuple[tuple[str, ...], ...]) -> tuple[str | None, ...]:
    return tuple(names[0] if names else None for names in sets)


def roles(
    performances: Any,
    by: Any = "f1",
    weights: Any = "equal",
    missing: str = "error",
    *,
    groups: Mapping[str, str] | None = None,
    rule: str = "errors",
    shift_prior: Any = None,
) -> Roles:
    """Return which domain is the easiest, the hardest, the preponderant one and the bottleneck, for each entity.

    ``by`` is a ranking score R_I, or one that orders as it does, such as the error rate; ``weights``, ``missing`` and
    ``groups`` are those of :func:`summarize`. ``rule`` chooses the bottleneck: "errors" (the largest share of the
    importance-weighted errors, w_d·(1 − R_I(P_d))), "left out" (without it the score of the summary would be the best)
    or "hardest". Domains of weight 0 have no role. Ties are exact where the performances are counts.
    ``shift_prior`` shifts the summary to this share of positives. The same two factors, one per class, then multiply
    the masses on every domain of an entity, so that the domains with many positives gain or lose weight, and
    R_I(P̄) = Σ w_d·R_I(P_d) still holds. (Summarization, eq. (2).)
    Raises NoPlaceError for a score that orders as no ranking score: it gives the domains no weights.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["m", "m"], domains=["x", "y"])
    >>> roles(P, by="accuracy").hardest
    ('x',)
    """
    if rule not in RULES:
        raise UsageError(Option("rule", rule), expected=f"one of {', '.join(map(repr, RULES))}")
    asked = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups)
    grid = asked.population
    score = as_score(by, grid.performances.space)
    importance, worth = preference_on(score, grid)
    due, earned = weighted_sums(grid, importance), weighted_sums(grid, importance * worth)
    best = max(worth)
    lost = best * due - earned
    total, gained = due.sum(axis=1, keepdims=True), earned.sum(axis=1, keepdims=True)
    shares = _shares(grid)
    present = shares > 0
    values, summarized = _ratios(earned, due, present), _ratios(gained, total, total > 0)[:, 0]
    if score.importance is None:  # it orders as R_I, and has values of its own
        values, summarized = np.where(present, score(grid.performances)[grid.rows], np.nan), score(grid.summary())
    chosen: dict[str, tuple[Any, Any]] = {
        "easiest": (earned, due),
        "hardest": (-earned, due),
        "preponderant": (due, 1 + 0 * due),
    }
    if rule == "errors":
        chosen["bottleneck"] = (lost, 1 + 0 * due)
    else:
        chosen["bottleneck"] = chosen["hardest"] if rule == "hardest" else _without_each(asked, importance, worth)
    sets = {role: _largest(top, bottom, due, grid, present) for role, (top, bottom) in chosen.items()}
    if rule == "errors":
        sets["bottleneck"] = tuple(
            found if any(lost[e]) else () for e, found in enumerate(sets["bottleneck"])
        )  # without errors there is nothing to fix
    return Roles(
        score,
        rule,
        grid.entities,
        grid.domains,
        grid.weights,
        shares,
        _ratios(due, np.broadcast_to(total, due.shape), present),
        values,
        _ratios(lost, np.broadcast_to(lost.sum(axis=1, keepdims=True), due.shape), present),
        summarized,
        sets,
    )


def _shares(grid: Grid) -> Floats:
    """Return the weights of the domains for each entity, which sum to 1; NaN where it lacks a domain."""
    lambdas = np.array([[float(x) for x in grid.shares_of(e)] for e in range(len(grid.entities))])
    here = np.where(grid.rows >= 0, lambdas, 0.0)
    return np.where(grid.rows >= 0, here / here.sum(axis=1, keepdims=True), np.nan)


def _without_each(asked: Prepared, importance: NDArray[Any], worth: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what is earned and due of the summaries without each domain, shifted as the summary is."""
    grid = asked.grid
    rest = moved_to(grid.parts.sum(axis=1, keepdims=True) - grid.parts, asked.shift_prior)
    kind = object if grid.exact else float
    return tuple(np.asarray((rest * weights.astype(kind)).sum(axis=2)) for weights in (importance * worth, importance))  # type: ignore[return-value]


def preference_on(score: Score, grid: Grid) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the importance, as integers, and the satisfaction of a score that orders as a ranking score."""
    score.check(grid.performances)
    importance: Any = score.importance or score.orders_as
    if importance is None:
        two_class = score.space.outcomes == TWO_CLASS.outcomes
        try:
            a, b = score.exact_place(grid.performances.common_prior() if two_class else None)
        except NoPlaceError as error:
            raise NoPlaceError(
                f"{score.name} gives the domains no weights, as a ranking score does: {error.worded(in_prose)}"
            ) from None
        importance = canonical_importance(np.array(a, dtype=object), np.array(b, dtype=object))
    worths = [Fraction(s) for s in score.space.satisfaction or ()]
    worth = np.array([int(s) if s.denominator == 1 else s for s in worths], dtype=object)
    whole = integers_of_fractions(np.array([Fraction(w) for w in importance], dtype=object))
    return whole, worth if grid.exact else worth.astype(float)


def weighted_sums(grid: Grid, weights: NDArray[Any]) -> NDArray[Any]:
    """Return Σ weights·λ_d·P_d over the outcomes, (entities, domains), up to a factor per entity."""
    return np.asarray((grid.parts * (weights if grid.exact else weights.astype(float))).sum(axis=2))


def _ratios(top: NDArray[Any], bottom: NDArray[Any], present: NDArray[np.bool_]) -> Floats:
    if top.dtype == object:
        return np.where(present, quotients(top, bottom), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(present & (bottom > 0), top / np.where(bottom > 0, bottom, 1), np.nan)


def _largest(
    top: NDArray[Any], bottom: NDArray[Any], due: NDArray[Any], grid: Grid, present: NDArray[np.bool_]
) -> tuple[tuple[str, ...], ...]:
    """Return, for each entity, the domains with the largest top/bottom among those where E[I] > 0."""
    out = []
    for e in range(len(grid.entities)):
        here = [d for d in range(len(grid.domains)) if present[e, d] and due[e, d] > 0 and bottom[e, d] > 0]
        number = Fraction if grid.exact else _float
        values = {d: number(top[e, d], bottom[e, d]) for d in here}
        best = max(values.values(), default=None)
        out.append(tuple(grid.domains[d] for d in here if values[d] == best))
    return tuple(out)


def _float(top: Any, bottom: Any) -> float:
    return float(top) / float(bottom)


def roles_tile(
    performances: Any,
    name: str | None = None,
    role: str = "hardest",
    weights: Any = "equal",
    missing: str = "error",
    *,
    groups: Mapping[str, str] | None = None,
    resolution: int = RESOLUTION,
    shift_prior: Any = None,
) -> TileMap:
    """Map which domain has a role of one entity, for every preference: what to fix first, where, on the Tile.

    ``role`` is "easiest", "hardest", "preponderant" (argmax λ_d·E_d[I]) or "bottleneck" (the largest share of the
    importance-weighted errors, which does not depend on a). Ties are sets of domains, exact: of counts, or of
    probabilities as the numbers that they are. ``shift_prior`` is as in :func:`roles`.
    Raises UsageError for an unknown role, or no name where there are several entities.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["m", "m"], domains=["x", "y"])
    >>> roles_tile(P, role="bottleneck", resolution=3).at(0.5, 0), roles_tile(P, role="hardest", resolution=3).at(1, 1)
    (('y',), ('x',))
    """
    if role not in ROLES:
        raise UsageError(Option("role", role), expected=f"one of {', '.join(map(repr, ROLES))}")
    grid = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups).population
    two_class_only(grid.performances.space, "the Tile")
    if name is None and len(grid.entities) > 1:
        raise UsageError(
            "a map of roles is of one entity",
            got=str(len(grid.entities)),
            way_out=one_of(grid.entities, "roles_tile(P, {})"),
        )
    e = 0 if name is None else rows_of(grid.entities, name, "entity")[0]
    who = grid.entities[e]
    lambdas = grid.shares_of(e)
    kept = [d for d, row in enumerate(grid.rows[e]) if row >= 0 and lambdas[d]]
    domains = tuple(grid.domains[d] for d in kept)
    what = {"preponderant": "preponderant one", "bottleneck": "bottleneck"}.get(role, f"{role} one")
    told = {"title": f"Which domain is the {what} for {who}", "label": f"which domain is the {what}", "no_skill": None}
    if role in ("easiest", "hardest"):
        as_entities = replace(grid.performances[grid.rows[e][kept]], names=domains, domains=None)
        found = entity(as_entities, last=role == "hardest", resolution=resolution)
    else:
        parts = _exact_parts(grid, e, kept)
        found = _linear(parts if role == "preponderant" else parts * np.array([0, 1, 1, 0]), domains, resolution)
    n = len(found.shares)
    told |= {"flavor": role, "subtitle": f"{n} of {len(domains)} domains somewhere."}
    return replace(found, **told, parameters={"name": who, "role": role})  # type: ignore[arg-type]


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
    axis, m, n = axis_of(resolution), resolution - 1, len(domains)
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
    shares = {
        name: float(np.isin(values, [code for code, names in enumerate(sets) if name in names]).mean())
        for name in domains
    }
    kept = dict(sorted(((name, s) for name, s in shares.items() if s > 0), key=lambda pair: -pair[1]))
    return TileMap("entity", "", "", axis, axis, values, sets=sets, shares=kept, parameters={})

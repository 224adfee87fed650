"""Roles on the Tile: which domain of one entity is the easiest, hardest, preponderant one or bottleneck, everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_size, one_of, rows_of, two_class_only
from ..errors import UsageError, not_among
from ..flavors import titled
from ..kernels.exact import fractions_of, integers_of_fractions
from ..tile import TileMap, entity
from ..tile.maps import RESOLUTION
from ..tile.ranks import shares_on_grid
from ..typing import PerformancesLike
from .grid import Grid, Prepared, prepared
from .roles import ROLES, Role

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

"""Maps of values: of one entity, of the best, without skill, and their differences."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..checks import checked_prior, checked_size, one_of, unequal_priors
from ..errors import UsageError
from ..flavors import titled
from ..geometry.curves import tying_prior
from ..kernels.grid import layers
from ..kernels.maps import value_maps
from ..performances import Performances
from ..texts import counted, shortened
from ..typing import Floats, PerformancesLike
from .maps import RESOLUTION, TileMap, axis_of, one_per_entity
from .ranks import no_skill_mask

LOWEST_SKILL = -1.0
"""Where the colors of skill start: it has no lower bound."""


def value(performances: PerformancesLike, name: str | None = None, resolution: int = RESOLUTION) -> TileMap:
    """Map the values R_{a,b}(P) of one entity.

    (Tile, Definition 2.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        The entity; needed where there are several.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The values, in [0, 1], larger is better; NaN where E[I] = 0.

    Raises
    ------
    UsageError
        For an unknown name, or none where there are several entities.

    See Also
    --------
    rankscape.ranking_score : at one place

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_probabilities([[0.56, 0.24, 0.06, 0.14]], names=["unet"])
    >>> round(rs.tile.value(P, resolution=11).at(0.3, 0.7), 12)
    0.79197080292
    """
    performance, averaged = _one(performances, name, "value")
    values = _values_of(performance.mass[0], resolution)
    name = performance.names[0]
    return TileMap(
        flavor="value", title=titled("value", name=name), label="value of the ranking score R(a, b)", values=values,
        subtitle=averaged.strip(), prior=performance.common_prior(), vmin=_low(values), vmax=1.0,
        no_skill=no_skill_mask(performance, np.zeros_like(values, dtype=int), resolution),
        parameters={"name": name},
    )  # fmt: skip


def best(performances: PerformancesLike, resolution: int = RESOLUTION) -> TileMap:
    """Map the best value of R_{a,b} over all entities.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The values, in [0, 1], larger is better; NaN where R_{a,b} is undefined for all.

    Raises
    ------
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.tile.worst
    rankscape.tile.entity

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.tile.best(P, resolution=3).at(0, 0), rs.tile.best(P, resolution=3).at(1, 1)
    (0.9, 0.8)
    """
    return _extreme(performances, resolution, "best")


def worst(performances: PerformancesLike, resolution: int = RESOLUTION) -> TileMap:
    """Map the worst value of R_{a,b} over all entities.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The values, in [0, 1], larger is better; NaN where R_{a,b} is undefined for all.

    Raises
    ------
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.tile.best

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.tile.worst(P, resolution=3).at(0, 0), rs.tile.worst(P, resolution=3).at(1, 1)
    (0.8, 0.6)
    """
    return _extreme(performances, resolution, "worst")


def _extreme(performances: PerformancesLike, resolution: int, flavor: Literal["best", "worst"]) -> TileMap:
    performances, averaged = one_per_entity(performances)
    values = _first_and_second(performances, resolution, last=flavor == "worst")[0]
    return TileMap(
        flavor=flavor, title=titled(flavor), label=f"{flavor} value of R(a, b)", values=values,
        subtitle=f"{counted(len(performances), 'model')}.{averaged}", prior=performances.common_prior(),
        vmin=_low(values), vmax=1.0,
    )  # fmt: skip


def _low(values: Floats) -> float:
    """Return where the scale of colors starts: the smallest value, rounded down to a multiple of 0.05, below 1."""
    defined = values[~np.isnan(values)]
    return min(0.95, float(np.floor(defined.min() * 20) / 20)) if defined.size else 0.0


def no_skill(prior: float, resolution: int = RESOLUTION) -> TileMap:
    """Map the best value without skill at a prior: that of the better constant answer.

    (Tile, A.5.1.)

    Parameters
    ----------
    prior
        The prior π₊, in [0, 1].
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The values, in [0, 1].

    Raises
    ------
    UsageError
        For a prior outside [0, 1].

    See Also
    --------
    rankscape.tile.skill
    rankscape.regions.without_skill

    Examples
    --------
    >>> import rankscape as rs
    >>> round(rs.tile.no_skill(0.2, resolution=11).at(0.3, 0.4), 12)
    0.875
    """
    prior = checked_prior(prior)
    return TileMap(
        flavor="no_skill", title=titled("no_skill"), label="value of the better constant answer",
        values=_no_skill_values(prior, resolution), subtitle=f"Share of positives {prior:g}.", prior=prior, vmin=0.0,
        vmax=1.0, parameters={"prior": prior},
    )  # fmt: skip


def skill(performances: PerformancesLike, name: str | None = None, resolution: int = RESOLUTION) -> TileMap:
    """Map the skill of one entity.

    It is (R − R₀)/(1 − R₀), where R₀ is the best value without skill. (As of Tile, A.5.1.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        The entity; by default the best one at every place.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The skill, larger is better: 1 is perfect, 0 is no better than always answering the same class, and there is no
        lower bound. NaN where R₀ = 1 or the value is undefined.

    Raises
    ------
    DataError
        Where priors differ.

    See Also
    --------
    rankscape.tile.no_skill

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> (
    ...     round(rs.tile.skill(P, "a", resolution=3).at(0.5, 0.5), 12),
    ...     round(rs.tile.skill(P, resolution=3).at(0.5, 0.5), 12),
    ... )
    (0.5, 0.6)
    """
    performances, averaged = one_per_entity(performances)
    prior = performances.common_prior()
    if prior is None:
        raise unequal_priors("a skill map needs", performances.priors)
    if name is None:
        values, _ = _first_and_second(performances, resolution)
    else:
        values = _values_of(performances[name].mass[0], resolution)
    base = _no_skill_values(prior, resolution)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(base < 1, (values - base) / (1 - base), np.nan)
    return TileMap(
        flavor="skill", title=titled("skill", name="the best model" if name is None else name),
        label="skill: 0 no skill, 1 perfect", values=values, subtitle=averaged.strip(), prior=prior,
        vmin=LOWEST_SKILL, vmax=1.0, center=0.0, unbounded=True, parameters={"name": name},
    )  # fmt: skip


def difference(performances: PerformancesLike, name: str, other: str, resolution: int = RESOLUTION) -> TileMap:
    """Map R_{a,b} of one entity minus that of another.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        The first entity.
    other
        The second entity.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The differences, in [−1, 1]; positive where the first is better.

    Raises
    ------
    UsageError
        For an unknown name.

    See Also
    --------
    rankscape.regions.border : where it is 0
    rankscape.tile.margin

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> round(rs.tile.difference(P, "a", "b", resolution=3).at(0, 0), 12)
    0.1
    """
    performances, averaged = one_per_entity(performances)
    values = _values_of(performances[name].mass[0], resolution) - _values_of(performances[other].mass[0], resolution)
    span = _span(values)
    return TileMap(
        flavor="difference", title=titled("difference", name=shortened(name, 26), other=shortened(other, 26)),
        label="difference of R(a, b)", values=values, subtitle=f"Positive: {name} is better.{averaged}",
        prior=performances.common_prior(), vmin=-span, vmax=span, center=0.0, parameters={"name": name, "other": other},
    )  # fmt: skip


def margin(performances: PerformancesLike, resolution: int = RESOLUTION) -> TileMap:
    """Map by how much the first is ahead of the second.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The margin, in [0, 1]; 0 where two are tied for the first place.

    Raises
    ------
    UsageError
        For a single entity.

    See Also
    --------
    rankscape.tile.regret
    rankscape.tile.difference

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> round(rs.tile.margin(P, resolution=3).at(1, 1), 12)
    0.2
    """
    performances, averaged = one_per_entity(performances)
    if len(performances) < 2:
        raise UsageError("a margin needs two models; got 1")
    best, second = _first_and_second(performances, resolution)
    values = best - second
    return TileMap(
        flavor="margin", title=titled("margin"), label="margin in R(a, b)", values=values,
        subtitle=f"{counted(len(performances), 'model')}.{averaged}",
        prior=performances.common_prior(), vmin=0.0, vmax=_span(values),
    )  # fmt: skip


def regret(performances: PerformancesLike, name: str, resolution: int = RESOLUTION) -> TileMap:
    """Map how much is lost by choosing one entity and not the best.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        The entity.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The best value minus its own, in [0, 1]; smaller is better.

    Raises
    ------
    UsageError
        For an unknown name.

    See Also
    --------
    rankscape.tile.margin
    rankscape.tile.best

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> (
    ...     round(rs.tile.regret(P, "a", resolution=3).at(1, 1), 12),
    ...     rs.tile.regret(P, "a", resolution=3).at(0, 0),
    ... )
    (0.2, 0.0)
    """
    performances, averaged = one_per_entity(performances)
    values = _first_and_second(performances, resolution)[0] - _values_of(performances[name].mass[0], resolution)
    return TileMap(
        flavor="regret", title=titled("regret", name=name), label="regret in R(a, b)", values=values,
        subtitle=f"Against the best of {counted(len(performances), 'model')}.{averaged}",
        prior=performances.common_prior(), vmin=0.0, vmax=_span(values), parameters={"name": name},
    )  # fmt: skip


def no_skill_prior(resolution: int = RESOLUTION) -> TileMap:
    """Map the prior π₊ at which R_{a,b} ranks all performances without skill equal.

    (Tile, 4.4.)

    Parameters
    ----------
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The priors, in [0, 1]; NaN at NPV and PPV.

    Raises
    ------
    UsageError
        For a resolution below 2.

    See Also
    --------
    rankscape.tile.tying_prior : at one place

    Examples
    --------
    >>> import rankscape as rs
    >>> round(rs.tile.no_skill_prior(resolution=11).at(0.7, 0.7), 12)
    0.3
    """
    axis = axis_of(resolution)
    return TileMap(
        flavor="no_skill_prior", title=titled("no_skill_prior"), label="share of positives",
        values=tying_prior(axis, axis[:, None]), subtitle="Each line is the curve γ of one prior.", vmin=0.0, vmax=1.0,
    )  # fmt: skip


def _one(performances: PerformancesLike, name: str | None, flavor: str) -> tuple[Performances, str]:
    performances, averaged = one_per_entity(performances)
    performances = performances if name is None else performances[name]
    if len(performances) != 1:
        raise UsageError(
            f"a {flavor} map is of one entity",
            got=str(len(performances)),
            way_out=one_of(performances.names, f"tile.{flavor}(P, {{}})") if len(performances) else (),
        )
    return performances, averaged


def _no_skill_values(prior: float, resolution: int) -> Floats:
    never, always = [1 - prior, 0, prior, 0], [0, 1 - prior, 0, prior]
    return np.asarray(np.fmax(_values_of(np.array(never), resolution), _values_of(np.array(always), resolution)))


def _first_and_second(performances: Performances, resolution: int, last: bool = False) -> tuple[Floats, Floats]:
    """Return the best value and that of the next entity (the worst and the one before), NaN where there is none."""
    rows = layers(performances.mass, 2, last)
    better, worse = (np.fmin, np.fmax) if last else (np.fmax, np.fmin)
    size = checked_size("resolution", resolution, 2)
    first, second = np.full((2, size, size), np.nan)
    for mass in performances.mass[rows]:
        values = _values_of(mass, resolution)
        both = np.isnan(first) | np.isnan(values)
        second = better(second, np.where(both, np.nan, worse(first, values)))
        first = better(first, values)
    return first, second


def _values_of(mass: Floats, resolution: int) -> Floats:
    axis = axis_of(resolution)
    return np.asarray(value_maps(mass[None], axis, axis)[0])


def _span(values: Floats) -> float:
    """Return the end of a scale that starts at 0, or is symmetric around it."""
    defined = np.abs(values[~np.isnan(values)])
    return max(float(defined.max()), 1e-12) if defined.size else 1.0

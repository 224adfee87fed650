"""The Tile with uncertainty: how probably each entity comes first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..checks import rows_of, two_class_only
from ..flavors import titled
from ..kernels.draws import first_counts
from ..performances import Performances
from ..results import Table
from ..texts import counted
from ..tile import TileMap
from ..tile.maps import RESOLUTION, axis_of
from ..typing import Flags, Floats, Integers, PerformancesLike, RandomLike
from .draws import DrawOptions, Draws, draws_of, refuse_unknown_options
from .intervals import shared

MOST_AT_ONCE = 5_000_000
"""Performances that are held in memory at once."""


@dataclass(frozen=True, eq=False, repr=False)
class FirstTile(TileMap):
    """For every preference, the entity that most probably comes first.

    The fields of :class:`rankscape.TileMap` are here, too. ``values[i, j]`` is the largest P(first), ``shares`` is the
    part of the grid of each winner, and ``regions`` is None: draws have no exact regions.

    Attributes
    ----------
    names
        The entities.
    p_first : (n, rows, columns)
        The share of the draws in which each comes first, of those that tie an equal part; NaN where it has no score,
        or is the only one that has, as in :func:`rank_intervals`.
    winner : (rows, columns)
        The row of the most probable one (of equal ones the first in the data), −1 where P(first) is unknown.
    draws, method
        The number of draws, and how they were drawn.
    notes
        What a reader must know.

    See Also
    --------
    rankscape.uncertainty.first_tile

    Examples
    --------
    >>> import rankscape as rs
    >>> P = [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> tile_map = rs.uncertainty.first_tile(P, draws=200, resolution=3)
    >>> tile_map.leader(0, 0), tile_map.leader(1, 1), round(tile_map.at(1, 1), 1)
    ('P1', 'P2', 0.7)
    """

    names: tuple[str, ...] = ()
    p_first: Floats = field(default_factory=lambda: np.zeros((0, 0, 0)))
    winner: Integers = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    draws: int = 0
    method: str = ""
    notes: tuple[str, ...] = ()

    drawing = "draw_first_tile"

    def leader(self, a: float, b: float) -> str | None:
        """Return the entity that most probably comes first at the nearest point of the grid.

        Parameters
        ----------
        a
            The place on the horizontal axis of the Tile, in [0, 1].
        b
            The place on the vertical axis of the Tile, in [0, 1].

        Returns
        -------
        str or None
            Its name; None where P(first) is unknown: fewer than two are defined there.

        Raises
        ------
        UsageError
            For a place outside the Tile.
        """
        self.at(a, b)
        row = int(self.winner[int(np.abs(self.b - b).argmin()), int(np.abs(self.a - a).argmin())])
        return None if row < 0 else self.names[row]

    def of(self, name: str) -> TileMap:
        """Return the map of P(first) of one entity.

        Parameters
        ----------
        name
            The entity.

        Returns
        -------
        TileMap
            The probabilities, in [0, 1].

        Raises
        ------
        UsageError
            For an unknown name.
        """
        row = rows_of(self.names, name, "entity")[0]
        return TileMap(
            flavor="p_first", title=titled("p_first", name=name), label="P(first)",
            values=self.p_first[row], subtitle=self.subtitle, prior=self.prior, vmin=0.0, vmax=1.0,
            parameters={"name": name},
        )  # fmt: skip

    def table(self) -> Table:
        """Return one row per place: a, b, entity (the most probable first) and p_first.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        b, a = (grid.ravel() for grid in np.meshgrid(self.b, self.a, indexing="ij"))
        entity = [None if row < 0 else self.names[row] for row in self.winner.ravel().tolist()]
        return Table({"a": a, "b": b, "entity": entity, "p_first": self.values.ravel()})


def first_tile(
    performances: PerformancesLike | Draws,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    resolution: int = RESOLUTION,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    **options: Unpack[DrawOptions],
) -> FirstTile:
    """Map the entity that most probably comes first, and P(first) of all, for every preference on the Tile.

    The draws are those of :func:`rank_intervals`. Entities that tie for first in a draw share it.

    Parameters
    ----------
    performances, draws, rng, options
        As in :func:`rank_intervals`: counts, and how to draw from them, or draws.
    resolution
        The number of points of the grid along each axis, at least 2.
    threads
        How many threads to use, by default one per core. The result does not depend on it.
    progress
        Called with the number of rows done; an exception that it raises ends the map.

    Returns
    -------
    FirstTile
        The largest P(first) for every preference, and P(first) of each entity.

    Raises
    ------
    DataError
        For performances without counts.
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.tile.entity : who comes first by what was seen

    Examples
    --------
    >>> import rankscape as rs
    >>> P = [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> rs.uncertainty.first_tile(P, draws=100, resolution=3).of("P2").at(1, 1) > 0.5
    True
    """
    refuse_unknown_options(options, first_tile)
    drawn = draws_of(performances, draws, rng, options)
    two_class_only(drawn.space, "the Tile")
    axis = axis_of(resolution)
    cores = threads or os.cpu_count() or 1
    undefined = list(_undefined(drawn.observed, axis))
    counts = np.zeros((len(drawn.names), resolution, resolution))
    ever = np.zeros(len(drawn.names), dtype=bool)
    for part in _parts(drawn):
        values = _zeroed(part)
        more = first_counts(values, resolution, cores, progress if len(drawn) == len(values) else None)
        for defined, i, j in undefined:
            more[:, i, j] = 0
            if defined.any():
                side, at = _smallest_grid(resolution, i, j)
                more[np.flatnonzero(defined)[:, None], i, j] = first_counts(values[:, defined], side, cores)[:, *at]
        counts += more
        ever |= values.any(axis=(0, 2))
    counts = shared(counts, drawn.kinds)
    ranked = ever[:, None, None] & ~_undefined_places(drawn.observed, axis)
    known = (ranked.sum(axis=0) > 1) & counts.any(axis=0)  # one alone has none to beat
    p_first = np.where(ranked & known, counts / len(drawn), np.nan)
    best = counts.max(axis=0)
    winner = np.where(known, counts.argmax(axis=0), -1)
    share = {name: float((winner == row).mean()) for row, name in enumerate(drawn.names)}
    shares = dict(sorted(((name, x) for name, x in share.items() if x), key=lambda item: -item[1]))
    all_ = counted(len(drawn.names), "model")
    leaders = f"{len(shares)} of {all_} ever {'leads' if len(shares) == 1 else 'lead'}."
    leaders = leaders if len(drawn.names) > 1 else "One model alone has none to beat."
    return FirstTile(
        flavor="most_probable", title=titled("most_probable"), label="P(first) of the most probable",
        values=np.where(known, best / len(drawn), np.nan), subtitle=f"{leaders} {_method(drawn)}",
        prior=drawn.observed.common_prior(), vmin=0.0, vmax=1.0, names=drawn.names, p_first=p_first,
        winner=winner, shares=shares, draws=len(drawn), method=drawn.method, notes=drawn.notes,
    )  # fmt: skip


def _parts(draws: Draws) -> Iterator[NDArray[Any]]:
    """Yield the draws in parts that fit into memory: all at once, if possible."""
    if len(draws) * len(draws.names) <= MOST_AT_ONCE:
        yield draws.values
        return
    waiting: list[NDArray[Any]] = []
    for block in draws.blocks():
        waiting.append(block)
        if sum(map(len, waiting)) * len(draws.names) > MOST_AT_ONCE // 2:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


def _zeroed(values: NDArray[Any]) -> Floats:
    """Return the values, with 0 for performances that are undefined: they then have no score anywhere."""
    return np.where(np.isnan(values).any(axis=2, keepdims=True), 0.0, values)


def _undefined_places(observed: Performances, axis: Floats) -> Flags:
    """Tell where an entity has no score by the performances seen: (n, rows, columns), on the border of the Tile.

    Draws may have a score there, such as a precision though nothing was positive, but they are not compared. Inside the
    Tile all four outcomes count, and all have a score.
    """
    tn, fp, fn, tp = (column[:, None, None] > 0 for column in observed.integers.T)
    a, b = axis, axis[:, None]
    return np.asarray(~((tn & (a < 1) | tp & (a > 0)) | (fp & (b < 1) | fn & (b > 0))))


def _undefined(observed: Performances, axis: Floats) -> Iterator[tuple[Flags, Integers, Integers]]:
    """Yield which entities have a score (n,) where some have none, with rows and columns of the grid."""
    lacking = _undefined_places(observed, axis)
    i, j = np.nonzero(lacking.any(axis=0))
    defined = ~lacking[:, i, j]
    for pattern in np.unique(defined, axis=1).T:
        here = (defined == pattern[:, None]).all(axis=0)
        yield pattern, i[here], j[here]


def _smallest_grid(resolution: int, i: Integers, j: Integers) -> tuple[int, tuple[Integers, Integers]]:
    """Return the resolution of a grid that has all these places, and where it has them: two, if they are corners."""
    if np.isin([i, j], [0, resolution - 1]).all():
        return 2, (np.minimum(i, 1), np.minimum(j, 1))
    return resolution, (i, j)


def _method(draws: Draws) -> str:
    return f"{counted(len(draws), 'draw')}, {draws.method}." + (" Caution: the data say little." if draws.notes else "")

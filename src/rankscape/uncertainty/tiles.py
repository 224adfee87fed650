"""The Tile with uncertainty: who is first how probably, and how wide the interval of a rank is."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import rows_of, two_class_only
from ..errors import Option, UsageError
from ..kernels.draws import first_counts, ranks_in_draws
from ..performances import Performances
from ..results import Table
from ..texts import counted
from ..tile import TileMap
from ..tile.maps import RESOLUTION, axis_of
from .draws import Draws, draws_of
from .intervals import LEVEL

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
DRAWS_OF_FIRST, DRAWS_OF_WIDTH, RESOLUTION_OF_WIDTH = 1000, 200, 51


@dataclass(frozen=True, eq=False, repr=False)
class FirstTile(TileMap):
    """For every preference, who is most probably first, and how probably: ``values[i, j]`` is the largest P(first).

    ``counts`` (n, rows, columns) says in how many of the ``draws`` each of the ``names`` is first, alone or tied;
    ``winner`` is the row of the most probable one (of equal ones the first in the data), −1 where nobody is defined;
    ``shares`` are the parts of the grid where it is who. ``regions`` is None: draws have no exact regions. ``notes``
    say where the draws are biased.

    >>> P = [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> found = first_tile(P, draws=200, resolution=3)
    >>> found.leader(0, 0), found.leader(1, 1), round(found.at(1, 1), 1)
    ('P1', 'P2', 0.9)
    """

    names: tuple[str, ...] = ()
    counts: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.int32))
    winner: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    draws: int = 0
    method: str = ""
    notes: tuple[str, ...] = ()

    def leader(self, a: float, b: float) -> str | None:
        """Return who is most probably first at the nearest observed of the grid. Raises UsageError outside the Tile."""
        self.at(a, b)
        row = int(self.winner[int(np.abs(self.b - b).argmin()), int(np.abs(self.a - a).argmin())])
        return None if row < 0 else self.names[row]

    def of(self, name: str) -> TileMap:
        """Return the map of P(first) of one entity. Raises UsageError for an unknown name."""
        row = rows_of(self.names, name, "entity")[0]
        return TileMap(
            "p_first", f"How probably {name} is first", "P(first)", self.a, self.b, self.counts[row] / self.draws,
            subtitle=self.subtitle, prior=self.prior, vmin=0.0, vmax=1.0, parameters={"name": name},
        )  # fmt: skip

    def table(self) -> Table:
        """Return one row per place: a, b, entity (the most probable first) and p_first."""
        b, a = (grid.ravel() for grid in np.meshgrid(self.b, self.a, indexing="ij"))
        entity = [None if row < 0 else self.names[row] for row in self.winner.ravel().tolist()]
        return Table({"a": a, "b": b, "entity": entity, "p_first": self.values.ravel()})

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the map; the options are those of :func:`rankscape.plots.draw_first_tile`."""
        from ..plots import draw_first_tile

        return draw_first_tile(self, ax, **options)


def first_tile(
    performances: Any,
    draws: int | None = None,
    rng: Any = None,
    *,
    resolution: int = RESOLUTION,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    **options: Any,
) -> FirstTile:
    """Map who is most probably first, and P(first) of everybody, for every preference on the Tile.

    ``performances``, ``draws`` (by default 1000), ``rng`` and ``options`` are as in :func:`rank_intervals`; all who tie
    in a draw are first in it. The result does not depend on ``threads``. ``progress`` is called with the number of rows
    done; what it raises ends the map. Raises DataError for performances without counts, UsageError for other than two
    classes.

    >>> P = [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> first_tile(P, draws=100, resolution=3).of("P2").at(1, 1) > 0.8
    True
    """
    found = draws_of(performances, draws, rng, options, DRAWS_OF_FIRST)
    two_class_only(found.space, "the Tile")
    axis = axis_of(resolution)
    cores = threads or os.cpu_count() or 1
    values = _zeroed(found)
    counts = first_counts(values, resolution, cores, progress)
    for defined, i, j in _undefined(found.observed, axis):
        counts[:, i, j] = 0
        if defined.any():
            side, at = _smallest_grid(resolution, i, j)
            counts[np.flatnonzero(defined)[:, None], i, j] = first_counts(values[:, defined], side, cores)[:, *at]
    winner = counts.argmax(axis=0)
    best = counts.max(axis=0)
    winner = np.where(best > 0, winner, -1)
    share = {name: float((winner == row).mean()) for row, name in enumerate(found.names)}
    shares = dict(sorted(((name, x) for name, x in share.items() if x), key=lambda item: -item[1]))
    n = len(shares)
    all_ = counted(len(found.names), "entity", "entities")
    who = f"{n} of {all_} {'leads' if n == 1 else 'lead'} somewhere."
    return FirstTile(
        "most_probable", "Who is most probably first", "P(first) of the most probable", axis, axis,
        np.where(best > 0, best / len(found), np.nan), subtitle=f"{who} {_said(found)}",
        prior=found.observed.common_prior(), vmin=0.0, vmax=1.0, names=found.names, counts=counts,
        winner=winner, shares=shares, draws=len(found), method=found.method, notes=found.notes,
    )  # fmt: skip


def _zeroed(draws: Draws) -> NDArray[Any]:
    """Return the values, with 0 for those that are undefined: they then have no score anywhere."""
    return draws.values if draws.exact else np.where(np.isnan(draws.values), 0.0, draws.values)


def _undefined_places(observed: Performances, axis: Floats) -> NDArray[np.bool_]:
    """Tell where who has no score, by what was seen: (n, rows, columns), on the border of the Tile.

    Draws may have a score there, such as a precision though nothing was positive, but they are not compared. Inside the
    Tile all four outcomes count, and everybody has a score.
    """
    tn, fp, fn, tp = (column[:, None, None] > 0 for column in observed.integers.T)
    a, b = axis[None, :], axis[:, None]
    out = np.zeros((len(observed), len(axis), len(axis)), dtype=bool)
    for side in (np.s_[:, :1], np.s_[:, -1:], np.s_[:1, :], np.s_[-1:, :]):
        x, y = np.broadcast_to(a, out.shape[1:])[side], np.broadcast_to(b, out.shape[1:])[side]
        out[:, *side] = ~((tn & (x < 1)) | (fp & (y < 1)) | (fn & (y > 0)) | (tp & (x > 0)))
    return out


def _undefined(observed: Performances, axis: Floats) -> Iterator[tuple[NDArray[np.bool_], Index, Index]]:
    """Give who has a score (n,) where some have none, with rows and columns of the grid."""
    lacking = _undefined_places(observed, axis)
    i, j = np.nonzero(lacking.any(axis=0))
    defined = ~lacking[:, i, j]
    for who in np.unique(defined, axis=1).T:
        here = (defined == who[:, None]).all(axis=0)
        yield who, i[here], j[here]


def _smallest_grid(resolution: int, i: Index, j: Index) -> tuple[int, tuple[Index, Index]]:
    """Return the resolution of a grid that has all these places, and where it has them: two, if they are corners."""
    if np.isin([i, j], [0, resolution - 1]).all():
        return 2, (np.minimum(i, 1), np.minimum(j, 1))
    return resolution, (i, j)


def _said(found: Draws) -> str:
    return f"{counted(len(found), 'draw')}, {found.method}." + (" Caution: the prior pulls." if found.notes else "")


def width_tile(
    performances: Any,
    name: str,
    draws: int | None = None,
    rng: Any = None,
    *,
    level: float = LEVEL,
    resolution: int = RESOLUTION_OF_WIDTH,
    progress: Callable[[int], object] | None = None,
    **options: Any,
) -> TileMap:
    """Map how many ranks the interval of one entity spans: 1 is certain; NaN where it is undefined by what was seen.

    The interval is that of :func:`rank_intervals`: it cuts (1 − level)/2 of the draws at either end, and who is tied
    has all ranks of the tie. Draws of integers are compared exactly. The arguments are those of :func:`first_tile`, of
    counts with 200 draws by default; ``progress`` is called with the number of draws done.
    Raises UsageError for an unknown name, DataError for performances without counts.

    >>> width_tile([[50, 10, 5, 35], [45, 15, 2, 38]], "P1", draws=50, resolution=2).values.tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    if not 0 < level < 1:
        raise UsageError([Option("level", python="level"), " must lie between 0 and 1, such as 0.95"], got=str(level))
    found = draws_of(performances, draws, rng, options, DRAWS_OF_WIDTH)
    two_class_only(found.space, "the Tile")
    own = rows_of(found.names, name, "entity")[0]
    axis = axis_of(resolution)
    best, worst = ranks_in_draws(_zeroed(found), own, ~_undefined_places(found.observed, axis), progress)
    tail = (1 - level) / 2
    n = (~np.isnan(best)).sum(axis=0)
    low, high = (
        np.take_along_axis(np.sort(ranks, axis=0), np.maximum(np.ceil(q * n).astype(int) - 1, 0)[None], axis=0)[0]
        for ranks, q in ((best, tail), (worst, 1 - tail))  # undefined ones are sorted last
    )
    return TileMap(
        "rank_width", f"How uncertain the rank of {name} is", f"ranks in the {level:.0%} interval", axis, axis,
        high - low + 1, subtitle=f"Among {counted(len(found.names), 'entity', 'entities')}. {_said(found)}",
        prior=found.observed.common_prior(), vmin=1.0, vmax=float(max(2, len(found.names))),
        parameters={"name": name, "level": level},
    )  # fmt: skip

"""The Tile of models: which model is best where, each at its own best threshold there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..account import Account
from ..errors import DataError
from ..performances import Performances, concat
from ..regions import Regions
from ..regions.shapes import regions_within
from ..results import DrawnResult, Table
from ..texts import counted
from ..tile import TileMap
from ..tile.ranks import ranks_within
from ..typing import Floats
from ..uncertainty.page_inputs import FLATTERS, NOT_SURE, WinningPoints
from .thresholds import ThresholdSweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NEGATIVE, POSITIVE = "call every case negative", "call every case positive"


@dataclass(frozen=True, eq=False, repr=False)
class ModelRegions(Regions, DrawnResult):
    """Which model is best where on the Tile, each at its own best threshold there.

    Together the regions cover the Tile. The owners are the ``names``, so that all that
    :class:`rankscape.regions.Regions` answers is about models. Where calling every case negative is best, or every case
    positive, all models of the same prior tie there, with thresholds that are infinite or the lowest score; the two are
    separate regions, which :meth:`plot` names by what they do.

    Attributes
    ----------
    rank, last, regions, names, integers, side
        As of :class:`rankscape.regions.Regions`; ``names`` are the owners of the points.
    models
        The names of the models.
    points
        The operating points that can be best, of all models.
    thresholds : (k,)
        The threshold of each of the points.

    See Also
    --------
    rankscape.decisions.Sweeps
    rankscape.regions.first

    Examples
    --------
    >>> import rankscape as rs
    >>> S = rs.sweep([0, 0, 0, 1, 1, 1], {"a": [1, 2, 5, 3, 4, 6], "b": [1, 4, 5, 2, 6, 7]})
    >>> {name: round(area, 4) for name, area in S.first().areas.items()}
    {'a': 0.5, 'b': 0.5}
    """

    models: tuple[str, ...]
    points: Performances
    thresholds: Floats

    drawing = "draw_tile"

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose each operating point is."""
        return self.names

    @property
    def heading(self) -> str:
        """How many models there are."""
        return f"Which of {counted(len(self.models), 'model')} is best, each at its own best threshold"

    @property
    def areas(self) -> dict[str, float]:
        """The share of the Tile of each model that has one, in decreasing order; where several tie, of each of them."""
        shares: dict[str, float] = {}
        for region in self.regions:
            for name in region.names:
                shares[name] = shares.get(name, 0.0) + region.area
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    def at(self, a: float | Fraction, b: float | Fraction) -> tuple[str, ...]:
        """Return the names of the models that are best at a place, all that tie.

        Parameters
        ----------
        a
            The place on the horizontal axis of the Tile, in [0, 1].
        b
            The place on the vertical axis of the Tile, in [0, 1].

        Returns
        -------
        tuple of str
            The names of the models; several tie.

        Raises
        ------
        UsageError
            For a place outside the Tile.

        See Also
        --------
        rankscape.decisions.Sweeps.threshold : the best threshold of a model there
        """
        return tuple(dict.fromkeys(super().at(a, b)))

    def table(self) -> Table:
        """Return one row per region: entity (several: tied), area, and the range of thresholds inside.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = [(region, self.thresholds[list(region.rows)]) for region in self.regions]
        return Table(
            {
                "entity": [" = ".join(region.names) for region, _ in rows],
                "area": [region.area for region, _ in rows],
                "threshold_low": [float(at.min()) for _, at in rows],
                "threshold_high": [float(at.max()) for _, at in rows],
            }
        )

    def tile_map(self, resolution: int = 256) -> TileMap:
        """Return the map that ``plot`` draws: a :class:`rankscape.TileMap` of the names of models.

        Parameters
        ----------
        resolution
            The number of points of the grid along each axis, at least 2.

        Returns
        -------
        TileMap
            The map; a value is the model that is best.
        """
        drawn = ranks_within(self.points, self, resolution=resolution)
        of_point = dict(zip(self.points.names, self.owners, strict=True))
        codes: dict[tuple[str, ...], int] = {(name,): i for i, name in enumerate(self.models)}
        values = np.full_like(drawn.values, np.nan)
        for code in np.unique(drawn.values[~np.isnan(drawn.values)]).astype(int).tolist():
            names = {of_point[name] for name in drawn.sets[code]}
            key = tuple(name for name in self.models if name in names)
            values[drawn.values == code] = codes.setdefault(key, len(codes))
        alike = [call_alike(region.rows, region.names, self.points, self.models) for region in self.regions]
        named = [
            replace(region, names=(call.replace("every case", "all"),)) if call else region
            for region, call in zip(self.regions, alike, strict=True)
        ]
        winners = {name for region, call in zip(self.regions, alike, strict=True) if not call for name in region.names}
        win = "wins" if len(winners) == 1 else "win"
        mask = drawn.no_skill if drawn.no_skill is not None and drawn.no_skill[1:-1, 1:-1].any() else None
        return replace(
            drawn, title="Which model is best, each at its own best threshold", label="which model is best",
            subtitle=f"{len(winners)} of {counted(len(self.models), 'model')} ever {win}.", values=values,
            sets=tuple(codes), shares=self.areas, regions=replace(self, regions=tuple(named)), ties=(), parameters={},
            no_skill=mask,
        )  # fmt: skip

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the Tile of models.

        Parameters
        ----------
        ax
            The axes to draw on; by default new ones.
        options
            The options of :func:`rankscape.plots.draw_tile`.

        Returns
        -------
        Axes
            The axes that were drawn on.
        """
        return self.tile_map().plot(ax, **options)


def call_alike(rows: Sequence[int], names: Collection[str], points: Performances, models: tuple[str, ...]) -> str:
    """Return what is best where all models tie because every case is called alike; else nothing."""
    return called(rows, points) if {*names} == {*models} else ""


def called(rows: Sequence[int], points: Performances) -> str:
    """Return what some points call every case; nothing where they tell cases apart."""
    tn, fp, fn, tp = points.integers[list(rows)].T
    return NEGATIVE if not (fp + tp).any() else POSITIVE if not (tn + fn).any() else ""


def regions_of_models(hulls: Mapping[str, ThresholdSweep]) -> ModelRegions:
    """Return the regions of models, given the operating points of each that can be best."""
    models = tuple(hulls)
    owners = tuple(name for name, points in hulls.items() for _ in range(len(points)))
    named = (
        hull.performances.rename([f"{name} ≥ {threshold!r}" for threshold in hull.thresholds.tolist()])
        for name, hull in hulls.items()
    )
    points = concat(named)

    def names_of(rows: Sequence[int]) -> tuple[str, ...]:
        names = {owners[row] for row in rows}
        return tuple(name for name in models if name in names)

    exact = regions_within(
        points, owner=lambda rows: (names_of(rows), call_alike(rows, names_of(rows), points, models))
    )
    regions = tuple(replace(region, names=names_of(region.rows)) for region in exact.regions)
    return ModelRegions(
        exact.rank, exact.last, regions, owners, exact.integers, models=models, points=points,
        thresholds=np.concatenate([hull.thresholds for hull in hulls.values()]),
    )  # fmt: skip


def winning_points(
    first_at: Callable[[Fraction | None], ModelRegions], hulls: Mapping[str, ThresholdSweep], account: Account | None
) -> WinningPoints:
    """Return the operating points that win somewhere on the Tile among those of all models.

    ``first_at`` gives the Tile of models at a prior, or (None) at those of the data. Where these differ, other points
    may win once all share a prior, at whichever: they are there, too. Points that call every case alike, and have the
    same prior, are there once.
    """
    tile = first_at(None)
    tiles, below = [tile], np.concatenate([points.below for points in hulls.values()])
    if tile.points.common_prior() is None:
        with suppress(DataError):  # a model without cases of one class cannot be shifted
            tiles.append(first_at(Fraction(1, 2)))
    kept: dict[Any, int] = {}
    for row in sorted({row for one in tiles for region in one.regions for row in region.rows}):
        _, _, fn, tp = tile.points.integers[row].tolist()
        call = called([row], tile.points)
        kept.setdefault((call, Fraction(fn + tp, tile.points.integers[row].sum())) if call else row, row)
    calls = Counter(key[0] for key in kept if isinstance(key, tuple))
    names, models = [], []
    for key, row in kept.items():
        owner = tile.owners[row]
        if isinstance(key, tuple):  # where priors differ, what one calls them is not enough
            name = owner = key[0] if max(calls.values()) == 1 else f"{owner}: {key[0]}"
        else:
            name = f"{owner} at {short(below[row], tile.thresholds[row])}"
        names.append(name)
        models.append(owner)
    points = tile.points[list(kept.values())].rename(names)
    points = replace(points, account=account).sharing(points.shared)
    return WinningPoints(points, tuple(models), (FLATTERS, NOT_SURE), len(tile.models))


def short(below: float, threshold: float) -> str:
    """Return a threshold with three digits, or as many as keep it in (below, threshold]: it predicts the same.

    >>> (
    ...     short(0.2, 0.8391),
    ...     short(0.15271, 0.15274),
    ...     short(-1.25, -1.0),
    ...     short(0.1, 0.1 + 2**-56),
    ...     short(0.0, 1e-9),
    ... )
    ('0.839', '0.15274', '-1', '0.10000000000000002', '1e-09')
    """
    for digits in range(3, 18):
        number = float(Context(digits, ROUND_FLOOR).create_decimal(repr(float(threshold))))
        if below < number:
            return f"{number:.{digits}g}"
    return repr(float(threshold))

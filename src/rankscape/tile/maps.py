"""TileMap: one number, or one set of names, per place of the Tile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..checks import checked_size
from ..errors import UsageError
from ..flavors import FLAVORS, Scale
from ..outcomes import RIGHT_SIDE, to_be_found
from ..performances import Performances, as_performances
from ..regions import Regions
from ..results import DrawnResult, Table
from ..tasks import two_class
from ..typing import Flags, Floats, PerformancesLike

RESOLUTION = 201


@dataclass(frozen=True, eq=False, repr=False)
class TileMap(DrawnResult):
    """One number, or one set of names, per place (a, b) of the Tile.

    ``values[i, j]`` is at ``b[i]``, ``a[j]``.

    Attributes
    ----------
    flavor
        What the map shows, one of the flavors of the Tile.
    title, subtitle, label
        What the figure, and its scale, are called.
    values : (rows, columns)
        The values. For the entity flavor a value is an index into ``sets``: the row of an entity that is there alone,
        or, from n on, a tie.
    sets
        The names that values stand for.
    shares
        {name: share of the Tile}, of the entity flavor.
    regions
        The exact regions, or None.
    ties
        The sets of entities that tie everywhere, of those that have a share.
    prior
        The prior that all performances share, or None.
    no_skill : (rows, columns)
        Where the winner does not beat the better constant answer; None where priors differ.
    vmin, vmax
        The ends of the scale, or None.
    center
        0 for values that differ in sign by what they mean, else None.
    unbounded
        Whether values below ``vmin`` exist; they are drawn from there on.
    parameters
        What was asked for, in plain values (rank, last, name, score, …), for programs to read.

    See Also
    --------
    rankscape.tile.entity
    rankscape.plots.draw_tile

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> tile_map = rs.tile.entity(P, resolution=3)
    >>> tile_map.parameters
    {'rank': 1, 'last': False}
    >>> tile_map.table()["entity"]
    ['a', 'a', 'a', 'b', 'b', 'b', 'b', 'b', 'b']
    """

    flavor: str
    title: str
    label: str
    values: Floats
    subtitle: str = ""
    sets: tuple[tuple[str, ...], ...] = ()
    shares: dict[str, float] = field(default_factory=dict)
    regions: Regions | None = None
    ties: tuple[tuple[str, ...], ...] = ()
    prior: float | None = None
    no_skill: Flags | None = None
    vmin: float | None = None
    vmax: float | None = None
    center: float | None = None
    unbounded: bool = False
    parameters: dict[str, Any] = field(default_factory=dict)

    drawing = "draw_tile"

    @property
    def a(self) -> Floats:
        """The places of the grid on the horizontal axis."""
        return axis_of(self.values.shape[1])

    @property
    def b(self) -> Floats:
        """The places of the grid on the vertical axis."""
        return axis_of(self.values.shape[0])

    @property
    def scale(self) -> Scale:
        """What the values are, by the table of flavors."""
        return FLAVORS[self.flavor].scale

    @property
    def named(self) -> bool:
        """Tell whether the values stand for names: who, or which domain, is there."""
        return self.scale in ("regions", "domain")

    def at(self, a: float, b: float) -> float | tuple[str, ...]:
        """Return what the map holds at the nearest point of its grid: a number, or the tuple of names.

        Parameters
        ----------
        a
            The place on the horizontal axis of the Tile, in [0, 1].
        b
            The place on the vertical axis of the Tile, in [0, 1].

        Returns
        -------
        float or tuple of str
            The value, or the names.

        Raises
        ------
        UsageError
            For a place outside the Tile.
        """
        if not (0 <= a <= 1 and 0 <= b <= 1):
            raise UsageError(f"a and b must lie in [0, 1]; got ({a}, {b})")
        value = float(self.values[int(np.abs(self.b - b).argmin()), int(np.abs(self.a - a).argmin())])
        if not self.named:
            return value
        return () if np.isnan(value) else self.sets[int(value)]

    def table(self) -> Table:
        """Return one row per place: a, b and the value (or the names, joined by " = ").

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        b, a = (grid.ravel() for grid in np.meshgrid(self.b, self.a, indexing="ij"))
        values = self.values.ravel()
        if not self.named:
            return Table({"a": a, "b": b, "value": values})
        names = [" = ".join(names) for names in self.sets]
        return Table({"a": a, "b": b, "entity": [None if np.isnan(v) else names[int(v)] for v in values]})

    @property
    def heading(self) -> str:
        """The title, and the size of the grid."""
        return f"{self.title}; {len(self.b)} × {len(self.a)}"

    def __repr__(self) -> str:
        return f"<TileMap: {self.heading}{self.cautions}>"


def axis_of(resolution: int) -> Floats:
    """Return the places of a grid on either axis, from 0 to 1."""
    return np.linspace(0, 1, checked_size("resolution", resolution, 2))


def one_per_entity(
    performances: PerformancesLike, what: str = "the Tile", side: bool = False
) -> tuple[Performances, str]:
    """Return one performance per entity, and what must be remarks: averaged over domains, different priors.

    With ``side`` also those without true negatives, which mean something on the right side of the Tile only.
    """
    given = as_performances(performances)
    many = given.n_domains
    remarks = f" Averaged over {many} domains." if many > 1 else ""
    if many == 1 and given.domains is not None:
        remarks = f" On {given.domains[0]}."
    if many > 1 and to_be_found(given.space) is not None:
        remarks = f" {given.how_averaged[0].upper()}{given.how_averaged[1:]}."
    performances = (two_class.at_right_side if side else two_class.as_two_class)(given.per_entity(), what)
    if performances.space == RIGHT_SIDE:
        return performances, remarks
    priors = performances.priors
    if given.space.outcomes != performances.space.outcomes:
        remarks += f" Of {given.space.name}: {', '.join(given.space.outcomes)} for tn, fp, fn, tp."
    elif performances.common_prior() is None:
        remarks += f" Shares of positives differ: {priors.min():.3g} to {priors.max():.3g}."
    return performances, remarks

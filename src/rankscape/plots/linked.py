"""The Tile and ROC space side by side: the same entities in the same colors, the same preference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from matplotlib.figure import Figure

from ..look import PAPER, REST, colors_of, pretty
from ..tile import TileMap
from ..views import PointView
from .frame import panels
from .looks import Look, in_look
from .regions import entities_of, regions_of
from .roc import draw_points
from .style import SIDE
from .tile import draw_tile


@in_look
def draw_tile_and_roc(
    tile_map: TileMap,
    view: PointView,
    *,
    color: bool = True,
    grid: bool = False,
    colors: Mapping[str, str] | None = None,
    **look: Unpack[Look],
) -> Figure:
    """Draw who comes first on the Tile, with a preference marked, beside ROC space with the same preference.

    The place (a, b) of the preference is the pencil of lines of the right side, whose thick one passes through whoever
    has that place on the left. (Tile, Fig. 1.)

    Parameters
    ----------
    tile_map
        What :func:`rankscape.tile.entity` returns.
    view
        What :func:`rankscape.views.roc` returns, by a preference.
    color
        False draws borders, patterns and labels only, for print.
    grid
        True draws the regular grid of uniform priors, moved to the prior of the map.
    colors
        The color of each entity, by its name; by default those of all figures.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The new figure.

    See Also
    --------
    rankscape.plots.draw_tile
    rankscape.plots.draw_points

    Examples
    --------
    >>> import rankscape as rs
    >>> P = [[9, 1, 4, 6], [8, 2, 2, 8]]
    >>> figure = rs.plots.draw_tile_and_roc(
    ...     rs.tile.entity(P, resolution=11), rs.views.roc(P, by="accuracy")
    ... )
    >>> [ax.get_title(loc="left") for ax in figure.axes[:2]]
    ['Who is first, for every preference', 'Who can be first, in ROC space']
    """
    left, right = panels(2, 2, side=SIDE, left=0.9, rights=(1.5, 0.7), below=1.25, above=0.95)
    preference = view.preference
    markers = {} if preference is None else {pretty(preference.symbol): preference.place}
    draw_tile(tile_map, ax=left, markers=markers, color=color, grid=grid, colors=colors if tile_map.named else None)
    hues = colors_of(entities_of(tile_map)) if colors is None else colors
    winners = [name for region in regions_of(tile_map) for name in region.names]
    draw_points(view, ax=right, colors={name: hues.get(name, REST) if color else PAPER for name in winners})
    return right.figure.figure

"""The Tile and ROC space side by side: the same entities in the same colors, the same preference."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from .. import tile
from ..tile.maps import RESOLUTION
from ..views import roc
from .frame import pretty
from .regions import regions_of
from .roc import draw_points
from .style import HUES, REST, SIDE
from .tile import draw_tile

SIZE = (13.4, 6.9)  # inches


def draw_tile_and_roc(performances: Any, by: Any = "f1", *, zoom: bool = True, resolution: int = RESOLUTION) -> Figure:
    """Draw who is first on the Tile, with a preference marked, and ROC space with that preference's lines; a figure.

    Left is ``tile.entity``, right ``views.roc``: the place (a, b) of ``by`` is the pencil of lines of the right side,
    whose thick one passes through whoever has that place on the left. Needs equal priors (DataError). (Tile, Fig. 1.)

    >>> figure = draw_tile_and_roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="accuracy", resolution=11)
    >>> [ax.get_title(loc="left") for ax in figure.axes[:2]]
    ['Who is first, for every preference', 'Who can be first, in ROC space']
    """
    tile_map, view = tile.entity(performances, resolution=resolution), roc(performances, by=by, zoom=zoom)
    figure = plt.figure(figsize=SIZE)
    slots = figure.add_gridspec(1, 2)
    left, right = (figure.add_subplot(slots[0, column]) for column in (0, 1))
    for ax, x in ((left, 0.9), (right, 8.0)):
        ax.set_position((x / SIZE[0], 1.25 / SIZE[1], SIDE / SIZE[0], SIDE / SIZE[1]))
    preference = view.preference
    markers = {} if preference is None else {pretty(preference.symbol): preference.place}
    draw_tile(tile_map, ax=left, markers=markers)
    colors = {
        name: HUES[order] if order < len(HUES) else REST
        for order, region in enumerate(regions_of(tile_map))
        for name in region.names
    }
    draw_points(view, ax=right, colors=colors)
    return figure

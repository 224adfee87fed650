"""How good, or which rank: maps of one number, with iso-lines and a color bar."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import (
    BoundaryNorm,
    Colormap,
    LinearSegmentedColormap,
    ListedColormap,
    Normalize,
    TwoSlopeNorm,
    same_color,
)
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from scipy.ndimage import label as components

from ..arrays import Floats
from ..look import INK, PALETTES, PAPER, QUIET
from ..tile import TileMap
from .board import Board, label_region, on_cells
from .looks import Scale

SEQUENTIAL, SIGNED = (LinearSegmentedColormap.from_list(kind, PALETTES[kind]) for kind in ("sequential", "signed"))
MOST_BORDERS = 20
SMALLEST_PART = 0.006  # of the Tile, to be labeled with its rank


def edges(axis: Floats) -> Floats:
    """Return the edges of the cells around the points of an axis."""
    middle = (axis[1:] + axis[:-1]) / 2
    return np.concatenate([[2 * axis[0] - middle[0]], middle, [2 * axis[-1] - middle[-1]]])


def limits(tile_map: TileMap) -> tuple[float, float]:
    """Return the range of the colors: that of the map, else that of its values."""
    finite = tile_map.values[np.isfinite(tile_map.values)]
    low = tile_map.vmin if tile_map.vmin is not None else float(finite.min()) if finite.size else 0.0
    high = tile_map.vmax if tile_map.vmax is not None else float(finite.max()) if finite.size else 1.0
    return low, high if high > low else low + 1


def last_rank(tile_map: TileMap) -> int:
    """Return the last rank of the color scale."""
    return round(tile_map.vmax if tile_map.vmax is not None else float(np.nanmax(tile_map.values)))


def label_field(board: Board, tile_map: TileMap) -> None:
    """Write ranks into their parts, or draw iso-lines of values with labels."""
    if np.isnan(tile_map.values).all():
        board.ax.text(0.5, 0.5, "undefined everywhere", ha="center", va="center", color=QUIET, gid="undefined")
    elif tile_map.scale == "rank":
        _name_ranks(board, tile_map)
    else:
        _draw_iso_lines(board, tile_map)


def draw_field(board: Board, tile_map: TileMap) -> ScalarMappable:
    """Draw values as an image with the honest range, or ranks in steps; return what a color bar needs."""
    if tile_map.scale == "rank":
        return _draw_ranks(board.ax, tile_map, board.scale)
    (low, high), center = limits(tile_map), tile_map.center
    if center is None:
        return _image(board.ax, tile_map, SEQUENTIAL, Normalize(low, high))
    return _image(board.ax, tile_map, SIGNED, TwoSlopeNorm(center, low, high))


def _draw_ranks(ax: Axes, tile_map: TileMap, scale: Scale) -> ScalarMappable:
    """Draw ranks, rank 1 the brightest, with borders between ranks."""
    ranks, top = tile_map.values, last_rank(tile_map)
    present = np.unique(ranks[np.isfinite(ranks)])
    filled = np.where(np.isnan(ranks), top + 1, ranks)
    for cut in present if len(present) <= MOST_BORDERS else present[present == 1]:
        if (filled > cut).any():
            width = scale.line(2.0 if cut == 1 else 0.7)
            ax.contour(tile_map.a, tile_map.b, filled <= cut, levels=[0.5], colors=[INK], linewidths=width, zorder=2)
    shades = SEQUENTIAL([1.0, *np.linspace(0.8, 0.05, top - 1)])
    return _image(ax, tile_map, ListedColormap(list(shades)), BoundaryNorm(np.arange(top + 1) + 0.5, top))


def _image(ax: Axes, tile_map: TileMap, cmap: Colormap, norm: Normalize) -> ScalarMappable:
    return ax.pcolorfast(edges(tile_map.a), edges(tile_map.b), tile_map.values, cmap=cmap, norm=norm, zorder=0)


def _draw_iso_lines(board: Board, tile_map: TileMap) -> None:
    """Draw iso-value lines, labeled on the line where there is room."""
    values, (low, high) = tile_map.values, limits(tile_map)
    finite = values[np.isfinite(values)]
    if not finite.size or np.ptp(finite) < 1e-9:
        return
    ticks = MaxNLocator(9, steps=[1, 2, 2.5, 5, 10]).tick_values(finite.min(), finite.max())
    levels = [level for level in ticks if finite.min() < level < finite.max()]
    if not levels:
        return
    ink = [PAPER if _is_dark(level, low, high, tile_map.center) else INK for level in levels]
    style: dict[str, Any] = {"colors": ink, "linewidths": board.scale.line(0.9), "zorder": 2}
    lines = board.ax.contour(tile_map.a, tile_map.b, np.ma.masked_invalid(values), levels=levels, **style)

    def halo(text: Text) -> None:
        around = INK if same_color(text.get_color(), PAPER) else PAPER
        text.set(path_effects=board.scale.halo(2.0, around), zorder=5)

    board.label_contours(lines, 0.9, "%g", halo)


def _is_dark(level: float, low: float, high: float, center: float | None) -> bool:
    """Tell whether the ground of an iso-line is dark, so that it is drawn light."""
    if center is None:
        return (level - low) / (high - low) < 0.5
    return abs(level - center) > 0.6 * max(high - center, center - low)


def _name_ranks(board: Board, tile_map: TileMap) -> None:
    """Write the rank into every part that has room for it."""
    ranks = on_cells(tile_map.a, tile_map.b, tile_map.values)
    for rank in np.unique(ranks[np.isfinite(ranks)]):
        parts, _ = components(ranks == rank)
        for part in np.flatnonzero(np.bincount(parts.ravel())[1:] > SMALLEST_PART * parts.size) + 1:
            text = "first" if rank == 1 and tile_map.flavor == "ranking" else f"{rank:.0f}"
            label_region(board, parts == part, [text], leader=False)


def draw_color_bar(board: Board, mappable: ScalarMappable, tile_map: TileMap, offset: float) -> None:
    """Draw the color bar to the right of the Tile, ``offset`` points away."""
    ax, scale, figure = board.ax, board.scale, cast(Any, board.ax.figure)
    place = ax.inset_axes((1 + offset / scale.side, 0.0, 0.045, 1.0))
    bar = figure.colorbar(mappable, cax=place, extend="min" if tile_map.unbounded else "neither")
    if isinstance(mappable.norm, BoundaryNorm):
        top = last_rank(tile_map)
        between = np.asarray(MaxNLocator(8, integer=True).tick_values(1, top), dtype=float)
        between = between[np.minimum(between - 1, top - between) > top / 12]
        ticks = [1.0, *between, float(top)] if top > 1 else [1.0]
        bar.set_ticks(ticks, labels=[f"{tick:.0f}" for tick in ticks])
        bar.ax.minorticks_off()
        bar.ax.invert_yaxis()
    bar.ax.tick_params(labelsize=scale["tick"], width=scale.line(0.8), length=3 * scale.factor)
    bar.outline.set_linewidth(scale.line(0.8))
    bar.set_label(board.fitted(tile_map.label), fontsize=scale["words"], parse_math=False)

"""Draw a map on the Tile: regions with names, or one number with iso-lines and a color bar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, cast

import matplotlib.pyplot as plt
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
from matplotlib.contour import ContourSet
from matplotlib.ticker import MaxNLocator
from scipy.ndimage import label as components

from .._scores import locate
from ..arrays import Floats
from ..checks import checked_prior
from ..geometry.curves import gamma_pi, odds
from ..look import (
    AXES,
    CORNERS,
    EXCHANGE,
    INK,
    NARROW,
    PALETTES,
    PAPER,
    QUIET,
    RATES,
    REST,
    exchange_rate,
)
from ..tile import TileMap
from . import regions
from .board import CELLS, SIZES, Board, Look, board_on, fits, in_look, label_region, on_cells, plain

SEQUENTIAL, SIGNED = (LinearSegmentedColormap.from_list(kind, PALETTES[kind]) for kind in ("sequential", "signed"))
MOST_BORDERS = 20
SMALLEST_PART = 0.006  # of the Tile, to be labeled with its rank
KNOWN = {"accuracy": "accuracy", "F₁": "f1", "F₂": "f2", "F½": "f0.5"}
KNOWN_AT_PRIORS = {"BA": "ba", "κ": "kappa"}
NEAR = 0.04  # marks closer than this share a label
CORNER_SPACE = (5 + 1.5 * SIZES["corner"], 1.25 * SIZES["corner"])  # points that their names take above and below
SUBSCRIPT = 0.7  # how large the letters of a subscript are
SHORTEST = 0.15  # contours shorter than this have no label
LONGEST = 24  # characters of what is mapped, beside the right side
HATCHED = "Gray stripes: no model beats always answering the same class."
DASHED = "Dashed line: the scores by which all classifiers without skill tie."
Markers = bool | Mapping[str, tuple[float, float]]


@in_look
def draw_tile(
    tile_map: TileMap | None,
    ax: Axes | None = None,
    *,
    markers: Markers = True,
    exchange: bool = True,
    prior: float | None = None,
    **look: Unpack[Look],
) -> Axes:
    """Draw a map of the Tile, or an empty Tile.

    Parameters
    ----------
    tile_map
        A map of :mod:`rankscape.tile`, or None for an empty Tile.
    ax
        Axes to draw on; by default those of a new figure. Several maps in one figure need
        ``plt.subplots(..., layout="constrained")``.
    markers
        True marks the known scores, {name: (a, b)} places of your choice, False nothing.
    exchange
        True writes on the right side how many false alarms a miss is worth.
    prior
        The share of positives, in (0, 1), of curve and scores; by default that of the map.
    **look
        How every figure may look: style, width and title, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For a prior outside [0, 1].

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.plots.draw_tile(rs.tile.entity(P)).get_title(loc="left")
    'Who is first, for every preference'
    >>> rs.plots.draw_tile(None, title="At a prior of 0.3", prior=0.3).get_title(loc="left")
    'At a prior of 0.3'
    """
    field = tile_map if tile_map is not None and not tile_map.named else None
    if prior is None and tile_map is not None:
        prior = tile_map.prior
    if prior is not None:
        prior = checked_prior(prior)
        prior = prior if 0 < prior < 1 else None  # else the curve is on the sides
    right, room = (2.15, 0.58) if field else (0.75, 0.68)
    board = board_on(ax, *AXES["tile"], right=right, room=room, fall=CORNER_SPACE[1], xlim=(0, 1), ylim=(0, 1))
    ax, scale = board.ax, board.scale
    ax.set(xticks=list(RATES), yticks=list(RATES))
    marks = _marks(prior, markers)
    for place in marks.values():
        board.dot(place, PAPER, 6.5, edge=1.2, zorder=7, gid="mark")

    named, entities = (
        ([], []) if tile_map is None or field else (regions.regions_of(tile_map), regions.entities_of(tile_map))
    )
    faces, pattern = regions.fill_regions(board, named, entities)
    mappable = None if field is None else draw_field(board, field)
    notes = [pattern] * bool(pattern) + [HATCHED] * (tile_map is not None and _hatch(board, tile_map))
    if prior is not None:
        _no_skill_curve(board, prior, marks, dark=field is not None)
        notes.append(DASHED)
    _name_marks(board, marks)
    ties = regions.name_regions(board, named, faces)
    if field is not None:
        label_field(board, field)
    below = -6.5 - 1.3 * scale["tick"] / scale.factor
    for (a, b), corner in CORNERS.items():
        text, side = NARROW.get(corner, corner) if scale.least else corner, "right" if a else "left"
        where: dict[str, Any] = {"ha": side, "va": "bottom" if b else "top", "fontweight": "bold"}
        board.beside(text, (a, b), (0, 5 if b else below), scale["corner"], **where)
    if exchange:
        _exchange_rates(board, tile_map)
    if field is not None and mappable is not None:
        draw_color_bar(board, mappable, field, offset=(54 if exchange else 14) * scale.factor)
    above = ("The Tile", "") if tile_map is None else (tile_map.title, tile_map.subtitle)
    return board.finish(*above, " ".join(filter(None, [*notes, ties])), rise=CORNER_SPACE[0])


def _hatch(board: Board, tile_map: TileMap) -> bool:
    """Hatch where nobody has skill; tell whether there is such a place."""
    mask = tile_map.no_skill
    if mask is None or not mask.any():
        return False
    ax, scale = board.ax, board.scale
    board.hatched |= on_cells(tile_map.a, tile_map.b, mask)
    with plt.rc_context({"hatch.linewidth": scale.line(0.6)}):  # light and wide: labels stand on it
        area = ax.contourf(
            *regions.framed(tile_map.a, tile_map.b, mask), levels=[0.5, 1.5], colors="none", hatches=["//"], zorder=1.8
        )
    area.set(edgecolor=REST, linewidth=0)
    return True


def _marks(prior: float | None, markers: Markers) -> dict[str, tuple[float, float]]:
    """Return the scores to mark and their places (a, b)."""
    if not isinstance(markers, bool):
        return {plain(name): (float(a), float(b)) for name, (a, b) in markers.items()}
    if not markers:
        return {}
    known = {label: locate(name) for label, name in KNOWN.items()}
    if prior is not None:
        known |= {label: locate(name, prior) for label, name in KNOWN_AT_PRIORS.items()}
    return known


def _name_marks(board: Board, marks: dict[str, tuple[float, float]]) -> None:
    """Write one label for the marks that (almost) coincide."""
    clusters: list[list[str]] = []
    for name, place in marks.items():
        for group in clusters:
            if any(np.hypot(*np.subtract(place, marks[other])) < NEAR for other in group):
                group.append(name)
                break
        else:
            clusters.append([name])
    for group in clusters:
        ordered = sorted(group, key=lambda name: marks[name][0])
        center = np.mean([marks[name] for name in group], axis=0)
        spread = max(abs(marks[name][0] - center[0]) for name in group)
        style: dict[str, Any] = {"style": "italic", "zorder": 8}
        radius = 4 * board.scale.factor / board.scale.side + float(spread)
        board.name(center, ", ".join(ordered), kind="mark", radius=radius, reach=2, anyhow=True, **style)


def _no_skill_curve(board: Board, prior: float, marks: dict[str, tuple[float, float]], *, dark: bool) -> None:
    """Draw γ_π, whose scores rank all no-skill performances equal, and name it far from the marks."""
    a = np.linspace(0, 1, 801)
    b, scale = gamma_pi(prior, a), board.scale
    halo = scale.halo(2.2) if dark else None
    board.line(np.stack([a, b], axis=-1), INK, 1.2, dash="--", soft=False, zorder=3, gid="gamma", path_effects=halo)
    others = np.array([(0, 1), (1, 0), *marks.values()])
    away = np.hypot(a[:, None] - others[:, 0], b[:, None] - others[:, 1]).min(axis=1)
    best = int(np.minimum(away, 0.2).argmax())
    large = max(1.0, scale.least / SUBSCRIPT / scale["mark"])
    style: dict[str, Any] = {"kind": "mark", "factor": large, "parse_math": True, "zorder": 8}
    board.name((a[best], b[best]), r"$\gamma_\pi$", radius=3 * scale.factor / scale.side, reach=2, anyhow=True, **style)


def _exchange_rates(board: Board, tile_map: TileMap | None) -> None:
    """Say on the right side how many false alarms a miss is worth, and where the answer changes as that moves."""
    scale, right = board.scale, cast(Any, board.ax.secondary_yaxis("right"))
    tick = scale["tick"]
    apart = 1.15 * tick / scale.side
    borders = () if tile_map is None or tile_map.regions is None else tile_map.regions.borders_at(1)
    rates = {b: exchange_rate(odds(b)) for b in borders}
    flips: list[float] = []
    for b in sorted(rates):
        if not flips or b - flips[-1] > apart:
            flips.append(b)
    regular = [(b, text) for b, text in RATES.items() if all(abs(b - flip) > apart for flip in flips)]
    labels = [(b, text, False) for b, text in regular] + [(b, rates[b], True) for b in flips]
    right.set_yticks([b for b, *_ in labels], labels=[text for _, text, _ in labels])
    right.tick_params(labelsize=tick, width=scale.line(0.8), length=3.5 * scale.factor, pad=3 * scale.factor)
    for text, (_, _, bold) in zip(right.get_yticklabels(), labels, strict=True):
        text.set_fontweight("bold" if bold else "normal")
    label = NARROW[EXCHANGE] if scale.least else EXCHANGE
    if tile_map is not None and flips:
        label += f"  (bold: {f'{tile_map.label} changes' if len(tile_map.label) <= LONGEST else 'borders'})"
    right.set_ylabel(board.fitted(label), fontsize=scale["words"], labelpad=4 * scale.factor, parse_math=False)
    right.spines["right"].set_visible(False)


# ---- maps of one number


def extent_of(a: Floats, b: Floats) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of an image whose pixels are around the points of a regular grid."""
    x, y = (a[1] - a[0]) / 2, (b[1] - b[0]) / 2
    return float(a[0] - x), float(a[-1] + x), float(b[0] - y), float(b[-1] + y)


def limits(tile_map: TileMap) -> tuple[float, float]:
    """Return the range of the colors: that of the map, else that of its values."""
    finite = tile_map.values[np.isfinite(tile_map.values)]
    low = tile_map.vmin if tile_map.vmin is not None else float(finite.min()) if finite.size else 0.0
    high = tile_map.vmax if tile_map.vmax is not None else float(finite.max()) if finite.size else 1.0
    return low, high if high > low else low + 1


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
    (low, high), cmap, norm = limits(tile_map), cast(Colormap, SEQUENTIAL), cast(Normalize, None)
    if tile_map.scale == "rank":
        top = round(limits(tile_map)[1])
        _draw_borders(board, tile_map, top)
        cmap = ListedColormap(list(SEQUENTIAL([1.0, *np.linspace(0.8, 0.05, top - 1)])))  # rank 1 is the brightest
        norm = BoundaryNorm(np.arange(top + 1) + 0.5, top)
    elif tile_map.center is None:
        norm = Normalize(low, high)
    else:
        cmap, norm = SIGNED, TwoSlopeNorm(tile_map.center, low, high)
    style: dict[str, Any] = {"origin": "lower", "aspect": "auto", "interpolation": "nearest", "zorder": 0}
    extent = extent_of(tile_map.a, tile_map.b)
    image = board.ax.imshow(tile_map.values, cmap=cmap, norm=norm, extent=extent, **style)
    board.ax.set(xlim=(0, 1), ylim=(0, 1))
    return image


def _draw_borders(board: Board, tile_map: TileMap, top: int) -> None:
    """Draw borders between ranks."""
    ranks = tile_map.values
    present = np.unique(ranks[np.isfinite(ranks)])
    filled = np.where(np.isnan(ranks), top + 1, ranks)
    for cut in present if len(present) <= MOST_BORDERS else present[present == 1]:
        if (filled > cut).any():
            style: dict[str, Any] = {"colors": [INK], "linewidths": board.scale.line(2.0 if cut == 1 else 0.7)}
            board.ax.contour(tile_map.a, tile_map.b, filled <= cut, levels=[0.5], zorder=2, **style)


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
    spots = _spots_on(board, lines)
    size = board.scale.size("tick", 0.9)
    for text in lines.clabel(manual=spots, fontsize=size, inline_spacing=2, fmt="%g") if spots else ():
        around = INK if same_color(text.get_color(), PAPER) else PAPER
        text.set(path_effects=board.scale.halo(2.0, around), zorder=5, parse_math=False)


def _spots_on(board: Board, lines: ContourSet) -> list[tuple[float, float]]:
    """Return where contours have their label: once on each that is long enough, near the descending diagonal."""
    width, spots = 2.6 * board.scale["tick"] / board.scale.side, []
    for path in lines.get_paths():
        points = np.asarray(path.vertices, dtype=float).reshape(-1, 2)
        long = len(points) and float(np.ptp(points, axis=0).sum()) >= SHORTEST
        points = points[np.all((points > 0.06) & (points < 0.94), axis=1)]
        cells = np.minimum((points * CELLS).astype(int), CELLS - 1)
        points = points[fits(~board.taken, width, width)[cells[:, 1], cells[:, 0]]]
        if long and len(points):
            middle = np.abs(points.sum(axis=1) - 1) + 0.4 * np.abs(points[:, 0] - points[:, 1] - 0.1)
            x, y = (float(c) for c in points[middle.argmin()])
            board.take(x, y, width, width)
            spots.append((x, y))
    return spots


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
            text = "first" if rank == 1 else f"{rank:.0f}"
            label_region(board, parts == part, [text], leader=False)


def draw_color_bar(board: Board, mappable: ScalarMappable, tile_map: TileMap, offset: float) -> None:
    """Draw the color bar to the right of the Tile, ``offset`` points away."""
    ax, scale, figure = board.ax, board.scale, cast(Any, board.ax.figure)
    place = ax.inset_axes((1 + offset / scale.side, 0.0, 0.045, 1.0))
    bar = figure.colorbar(mappable, cax=place, extend="min" if tile_map.unbounded else "neither")
    if isinstance(mappable.norm, BoundaryNorm):
        top = round(limits(tile_map)[1])
        between = np.asarray(MaxNLocator(8, integer=True).tick_values(1, top), dtype=float)
        between = between[np.minimum(between - 1, top - between) > top / 12]
        ticks = [1.0, *between, float(top)] if top > 1 else [1.0]
        bar.set_ticks(ticks, labels=[f"{tick:.0f}" for tick in ticks])
        bar.ax.minorticks_off()
        bar.ax.invert_yaxis()
    bar.ax.tick_params(labelsize=scale["tick"], width=scale.line(0.8), length=3 * scale.factor)
    bar.outline.set_linewidth(scale.line(0.8))
    bar.set_label(board.fitted(tile_map.label), fontsize=scale["words"], parse_math=False)

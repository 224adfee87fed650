"""Draw a map on the Tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .._scores import locate
from ..checks import checked_prior
from ..errors import Option, UsageError
from ..geometry.curves import gamma_pi, odds, prior_grid
from ..look import (
    AXES,
    CORNERS,
    EXCHANGE,
    FAINT,
    INK,
    NARROW,
    PAPER,
    QUIET,
    RATES,
    REST,
    colors_of,
    exchange_rate,
    rounds_of,
    tint,
)
from ..tile import TileMap
from . import fields, regions
from .frame import axes_of, dress, fitted_label, headline
from .labels import Board, on_cells
from .looks import Look, in_look, wanted
from .looks import called as label_of
from .style import SIZES, Scale, plain

KNOWN = {"accuracy": "accuracy", "F₁": "f1", "F₂": "f2", "F½": "f0.5"}
KNOWN_AT_PRIORS = {"BA": "ba", "κ": "kappa"}
NEAR = 0.04  # marks closer than this share a label
CORNER_SPACE = (5 + 1.5 * SIZES["corner"], 1.25 * SIZES["corner"])  # points that their names take above and below
SUBSCRIPT = 0.7  # how large the letters of a subscript are
LONGEST = 24  # characters of what is mapped, beside the right side
PATTERNED = "Patterns tell the regions apart in gray."
HATCHED = "Gray stripes: no model beats always answering the same class."
STRIPED = "White stripes only tell equal colors apart."
DASHED = "Dashed line: the scores by which all classifiers without skill tie."
Markers = bool | Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Moving:
    """How far a preference may move, from one (a, b) to another, before the answer changes; the note says what moves.

    ``rates`` has, for each b at which the answer changes, the text in bold on the right side of the Tile.
    """

    line: tuple[tuple[float, float], tuple[float, float]]
    rates: Mapping[float, str]
    note: str


@in_look
def draw_tile(
    tile_map: TileMap | None,
    ax: Axes | None = None,
    *,
    markers: Markers = True,
    grid: bool = False,
    curves: bool = True,
    color: bool = True,
    exchange: bool = True,
    colors: Mapping[str, str] | None = None,
    prior: float | None = None,
    moving: Moving | None = None,
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
    grid
        True draws the regular grid of uniform priors, moved to the prior of the map.
    curves
        True draws the no-skill curve γ_π.
    color
        False draws borders, patterns and labels only, for print.
    exchange
        True writes on the right side how many false alarms a miss is worth.
    colors
        The color of each region of an entity map, by name; regions are filled with tints of them, and those without
        one are gray. By default those of all figures.
    prior
        The share of positives, in (0, 1), of grid, curve and scores; by default that of the map.
    moving
        How far a preference may move: a dotted line whose ends are in bold on the right side, instead of the rates at
        which the borders of regions meet that side.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For a prior outside [0, 1], and colors by name of a map without regions.

    See Also
    --------
    rankscape.plots.draw_tile_and_roc

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.plots.draw_tile(rs.tile.entity(P)).get_title(loc="left")
    'Who is first, for every preference'
    >>> rs.plots.draw_tile(None, title="At a prior of 0.3", prior=0.3).get_title(loc="left")
    'At a prior of 0.3'
    """
    winners = tile_map if tile_map is not None and tile_map.named else None
    field = tile_map if winners is None else None
    if colors is not None and winners is None:
        raise UsageError([Option("colors"), " would change nothing: only regions have colors by name"])
    if prior is None and tile_map is not None:
        prior = tile_map.prior
    if prior is not None:
        prior = checked_prior(prior)
        prior = prior if 0 < prior < 1 else None  # else the curve and the grid are on the sides
    barred = color and field is not None
    ax, scale = axes_of(ax, right=2.15 if barred else 0.75, room=0.58 if barred else 0.68)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=list(RATES), yticks=list(RATES))
    board = Board(ax, scale)
    marks = _marks(prior, markers)
    for x, y in marks.values():
        board.take(x, y, *[8.5 * scale.factor / scale.side] * 2)

    named = [] if winners is None else regions.regions_of(winners)
    entities = [] if winners is None else regions.entities_of(winners)
    hues = regions.hues_of(named, colors_of(entities) if colors is None else colors)
    faces = [tint(hue) if color else PAPER for hue in hues]
    in_gray = wanted().paper and color and colors is None
    patterns = regions.patterns_of(named, faces, rounds_of(entities) if color and colors is None else {})
    if in_gray:
        patterns = regions.gray_patterns(named, entities)
    regions.fill_regions(board, named, faces, patterns, hues if in_gray else None)
    mappable = None if field is None else fields.draw_field(ax, field, scale, color=color)
    hatched = tile_map is not None and _hatch(board, tile_map)
    if grid and prior is not None:
        for x in prior_grid(prior)[1:-1]:
            ax.axvline(x, color=FAINT, lw=scale.line(0.6), zorder=1.5)
            ax.axhline(x, color=FAINT, lw=scale.line(0.6), zorder=1.5)
    curved = prior if curves else None
    if curved is not None:
        _no_skill_curve(board, curved, marks, dark=barred)
    _draw_marks(board, marks)
    notes = regions.name_regions(board, named, faces)
    if field is not None:
        fields.label_field(board, field, color=color)
    dress(ax, scale, *AXES["tile"], fall=CORNER_SPACE[1])
    _name_corners(ax, scale)
    if moving is not None:
        ax.plot(*zip(*moving.line, strict=True), ":", color=INK, lw=scale.line(1.2), zorder=3, gid="moving")
    if exchange:
        _exchange_rates(ax, scale, tile_map, moving)
    if field is not None and mappable is not None:
        fields.draw_color_bar(ax, mappable, field, scale, offset=(54 if exchange else 14) * scale.factor)
    notes = (
        [PATTERNED if in_gray else STRIPED] * any(patterns)
        + [HATCHED] * hatched
        + [DASHED] * (curved is not None)
        + ([] if moving is None else [moving.note])
        + notes
    )
    above = ("The Tile", "") if tile_map is None else (_title(tile_map), tile_map.subtitle)
    headline(ax, scale, *above, " ".join(notes), rise=CORNER_SPACE[0], fall=CORNER_SPACE[1])
    return ax


def _title(tile_map: TileMap) -> str:
    """Return the title, with what the figure calls the entities in it."""
    title = tile_map.title
    for name in tile_map.parameters.values():
        if isinstance(name, str) and name:
            title = title.replace(name, label_of(name))
    return title


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


def _draw_marks(board: Board, marks: dict[str, tuple[float, float]]) -> None:
    """Draw a ring at every place, and one label for those that (almost) coincide."""
    clusters: list[list[str]] = []
    for name, place in marks.items():
        for group in clusters:
            if any(np.hypot(*np.subtract(place, marks[other])) < NEAR for other in group):
                group.append(name)
                break
        else:
            clusters.append([name])
    size = 6.5 * board.scale.factor
    for x, y in marks.values():
        line = board.scale.line(1.2)
        board.ax.plot(x, y, "o", ms=size, mfc=PAPER, mec=INK, mew=line, zorder=7, clip_on=False, gid="mark")
    for group in clusters:
        ordered = sorted(group, key=lambda name: marks[name][0])
        x, y = np.mean([marks[name] for name in group], axis=0)
        text, width, height = board.write(", ".join(ordered), "mark", style="italic", zorder=8)
        spread = max(abs(marks[name][0] - x) for name in group)
        place = board.place_beside(float(x), float(y), width, height, 1.15 * size / board.scale.side + float(spread))
        text.set_position(place)
        board.take(*place, width, height)


def _no_skill_curve(board: Board, prior: float, marks: dict[str, tuple[float, float]], *, dark: bool) -> None:
    """Draw γ_π, whose scores rank all no-skill performances equal, and name it."""
    a = np.linspace(0, 1, 801)
    b = gamma_pi(prior, a)
    line, halo = board.scale.line(1.2), board.scale.halo(2.2) if dark else None
    board.ax.plot(a, b, "--", color=INK, lw=line, zorder=3, gid="gamma", path_effects=halo)
    board.draw_over(a, b)
    large = max(1.0, board.scale.least / SUBSCRIPT / board.scale["mark"])
    text, width, height = board.write(r"$\gamma_\pi$", "mark", large, parse_math=True, zorder=8)
    others = np.array([(0, 1), (1, 0), *marks.values()])
    away = np.hypot(a[:, None] - others[:, 0], b[:, None] - others[:, 1]).min(axis=1)
    x, y = (float(line[int(np.minimum(away, 0.2).argmax())]) for line in (a, b))
    place = board.place_beside(x, y, width, height, 4 * board.scale.factor / board.scale.side)
    text.set_position(place)
    board.take(*place, width, height)


def _name_corners(ax: Axes, scale: Scale) -> None:
    below = 6.5 * scale.factor + 1.3 * scale["tick"]
    for (x, y), corner in CORNERS.items():
        text = NARROW.get(corner, corner) if scale.least else corner
        shift, side = 5 * scale.factor if y else -below, "right" if x else "left"
        ax.annotate(
            text, (x, y), (0, shift), xycoords="axes fraction", textcoords="offset points", fontsize=scale["corner"],
            color=QUIET, ha=side, va="top" if y == 0 else "bottom", fontweight="bold", annotation_clip=False,
        )  # fmt: skip


def _exchange_rates(ax: Axes, scale: Scale, tile_map: TileMap | None, moving: Moving | None) -> None:
    """Say on the right side how many false alarms a miss is worth, and where the answer changes as that moves.

    It changes where borders of regions meet that side, or at the ``rates`` of a preference that moves.
    """
    right: Any = ax.secondary_yaxis("right")
    tick = scale["tick"]
    apart = 1.15 * tick / scale.side
    rates = {b: exchange_rate(odds(b)) for b in _borders(tile_map)} if moving is None else moving.rates
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
    label = EXCHANGE if not scale.least and moving is None else NARROW[EXCHANGE]
    if tile_map is not None and flips:
        label += f"  (bold: {f'{tile_map.label} changes' if len(tile_map.label) <= LONGEST else 'borders'})"
    right.set_ylabel(
        fitted_label(ax, scale, label), fontsize=scale["words"], labelpad=4 * scale.factor, parse_math=False
    )
    right.spines["right"].set_visible(False)


def _borders(tile_map: TileMap | None) -> tuple[float, ...]:
    """Return the b at which borders of regions meet the right side."""
    return () if tile_map is None or tile_map.regions is None else tile_map.regions.borders_at(1)

"""Draw a map on the Tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, cast

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
    RATES,
    REST,
    exchange_rate,
)
from ..tile import TileMap
from . import fields, regions
from .board import Board, board_on, on_cells
from .looks import SIZES, Look, in_look, plain
from .looks import called as label_of

KNOWN = {"accuracy": "accuracy", "F₁": "f1", "F₂": "f2", "F½": "f0.5"}
KNOWN_AT_PRIORS = {"BA": "ba", "κ": "kappa"}
NEAR = 0.04  # marks closer than this share a label
CORNER_SPACE = (5 + 1.5 * SIZES["corner"], 1.25 * SIZES["corner"])  # points that their names take above and below
SUBSCRIPT = 0.7  # how large the letters of a subscript are
LONGEST = 24  # characters of what is mapped, beside the right side
HATCHED = "Gray stripes: no model beats always answering the same class."
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
    if colors is not None and (tile_map is None or field is not None):
        raise UsageError([Option("colors"), " would change nothing: only regions have colors by name"])
    if prior is None and tile_map is not None:
        prior = tile_map.prior
    if prior is not None:
        prior = checked_prior(prior)
        prior = prior if 0 < prior < 1 else None  # else the curve and the grid are on the sides
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
    faces, pattern = regions.fill_regions(board, named, entities, colors)
    mappable = None if field is None else fields.draw_field(board, field)
    notes = [pattern] * bool(pattern) + [HATCHED] * (tile_map is not None and _hatch(board, tile_map))
    if grid and prior is not None:
        for x in prior_grid(prior)[1:-1]:
            ax.axvline(x, color=FAINT, lw=scale.line(0.6), zorder=1.5)
            ax.axhline(x, color=FAINT, lw=scale.line(0.6), zorder=1.5)
    if prior is not None:
        _no_skill_curve(board, prior, marks, dark=field is not None)
        notes.append(DASHED)
    _name_marks(board, marks)
    names_left_out = regions.name_regions(board, named, faces)
    if field is not None:
        fields.label_field(board, field)
    below = -6.5 - 1.3 * scale["tick"] / scale.factor
    for (a, b), corner in CORNERS.items():
        text, side = NARROW.get(corner, corner) if scale.least else corner, "right" if a else "left"
        where: dict[str, Any] = {"ha": side, "va": "bottom" if b else "top", "fontweight": "bold"}
        board.beside(text, (a, b), (0, 5 if b else below), scale["corner"], **where)
    if moving is not None:
        ax.plot(*zip(*moving.line, strict=True), ":", color=INK, lw=scale.line(1.2), zorder=3, gid="moving")
        notes.append(moving.note)
    if exchange:
        _exchange_rates(board, tile_map, moving)
    if field is not None and mappable is not None:
        fields.draw_color_bar(board, mappable, field, offset=(54 if exchange else 14) * scale.factor)
    above = ("The Tile", "") if tile_map is None else (_title(tile_map), tile_map.subtitle)
    return board.finish(*above, " ".join([*notes, *names_left_out]), rise=CORNER_SPACE[0])


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


def _exchange_rates(board: Board, tile_map: TileMap | None, moving: Moving | None) -> None:
    """Say on the right side how many false alarms a miss is worth, and where the answer changes as that moves."""
    # It changes where borders of regions meet that side, or at the ``rates`` of a preference that moves.
    scale, right = board.scale, cast(Any, board.ax.secondary_yaxis("right"))
    tick = scale["tick"]
    apart = 1.15 * tick / scale.side
    borders = () if tile_map is None or tile_map.regions is None else tile_map.regions.borders_at(1)
    rates = {b: exchange_rate(odds(b)) for b in borders} if moving is None else moving.rates
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
    right.set_ylabel(board.fitted(label), fontsize=scale["words"], labelpad=4 * scale.factor, parse_math=False)
    right.spines["right"].set_visible(False)

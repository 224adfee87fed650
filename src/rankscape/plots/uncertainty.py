"""How sure we are: intervals of ranks, the podium, and the Tile of who is most probably first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.contour import ContourSet

from ..arrays import Floats
from ..look import FAINT, INK, PAPER, QUIET, highlighted, pretty
from ..texts import counted, level_text, of_draws, percent, shortened
from ..tile import TileMap
from ..uncertainty import FirstTile, RankIntervals
from .fields import edges
from .frame import axes_of, dress, grown, headline
from .looks import Look, in_look, wanted
from .style import LONGEST_NAME, SHORT_NAME, Scale, entity_text, scale_of
from .tile import draw_tile

MOST_ROWS = 100
FEW_ROWS, HIGHEST, ROW = 20, 100, 0.125
FILLED = 0.82
"""New axes grow by ROW inches for each row beyond FEW_ROWS, up to HIGHEST rows."""
PODIUM = 8
WIDEST = 44
SHORTEST = 0.15
"""Lines of P(first) shorter than this have no label."""
PLACES = ((QUIET, "", "first"), (FAINT, "///", "second"), (PAPER, "", "third"))
LIKELY = 0.5
LINES = {0.5: "dotted", 0.75: "dashed", 0.95: "solid"}
FAINTEST = 0.75
"""How much paper covers the colors where P(first) is smallest."""


@in_look
def draw_rank_intervals(
    intervals: RankIntervals, ax: Axes | None = None, *, most: int = MOST_ROWS, **look: Unpack[Look]
) -> Axes:
    """Draw the set of ranks of every entity, best first; the dot is the observed rank.

    Beside the names stands P(first), where the set holds rank 1: those bars are thick.

    Parameters
    ----------
    intervals
        What :func:`rankscape.uncertainty.rank_intervals` returns.
    ax
        Axes to draw on; by default those of a new figure. New axes grow with the number of entities.
    most
        So many entities are drawn at most, on an axis of the ranks among all.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.uncertainty.rank_intervals

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_rank_intervals(
    ...     rs.uncertainty.rank_intervals([[50, 10, 5, 35], [45, 15, 2, 38]], draws=100)
    ... )
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['P1', 'P2']
    """
    longest = _longest(ax)
    ax, scale = axes_of(ax, right=1.6)
    rows = [i for i in intervals.order.tolist() if not np.isnan(intervals.low[i])]
    ranked, rows = len(rows), rows[:most]
    hues = highlighted(intervals.names, [intervals.names[row] for row in rows])
    top = set(intervals.tied_for_first)
    every = max(1, -(-len(rows) // HIGHEST))  # of more rows not all have room for a name
    few = len(rows) <= FEW_ROWS
    side, many = scale.side, min(len(rows), HIGHEST)
    if scale.new:
        side = grown(ax, many * scale.least / FILLED if scale.least else side + 72 * ROW * max(0, many - FEW_ROWS))
    size = max(min(scale["tick"], FILLED * side * every / max(len(rows), 1)), scale.least)
    for y, row in enumerate(rows):
        name, strong = intervals.names[row], intervals.names[row] in top
        color, p = INK if strong else QUIET, float(intervals.p_first[row])
        width = scale.line(5 if strong else 1.6) if few else min(scale.line(3.6 if strong else 1.2), 0.5 * size)
        ax.plot(
            [intervals.low[row], intervals.high[row]], [y, y], color=color, lw=width, solid_capstyle="butt", marker="|",
            ms=11 * scale.factor if few else size, mew=scale.line(1.4 if few else 1), gid=f"bar {name}",
        )  # fmt: skip
        ax.plot(
            intervals.ranks[row], y, "o", ms=5.5 * scale.factor if few else min(3.4 * scale.factor, 0.7 * size),
            mfc=hues[name], mec=INK if few else PAPER, mew=scale.line(1 if few else 0.5), zorder=5, gid=f"dot {name}",
        )  # fmt: skip
        ax.annotate(
            (percent(p) if p else "< 0.1 %") if strong and y % every == 0 else "", (1, y), (6 * scale.factor, 0),
            xycoords=("axes fraction", "data"), textcoords="offset points", va="center", fontsize=size, color=color,
            annotation_clip=False, gid=f"chance {name}",
        )  # fmt: skip
    ax.annotate(
        "P(first)", (1, 1), (6 * scale.factor, 3 * scale.factor), xycoords="axes fraction", textcoords="offset points",
        fontsize=scale["tick"], color=QUIET, annotation_clip=False,
    )  # fmt: skip
    n = max(ranked, 2)
    ax.set(xlim=(0.5, n + 0.5), ylim=(max(len(rows), 1) - 0.5, -0.5))
    ax.grid(axis="x", color=FAINT, lw=scale.line(0.5), zorder=0)
    cut = len(rows) < ranked
    dress(ax, scale, f"rank among all {ranked} (1 is best)" if cut else "rank (1 is best)", "")
    names = [shortened(entity_text(intervals.names[i]), longest) for i in rows[::every]]
    ax.set_yticks(range(0, len(rows), every), labels=names, fontsize=size, parse_math=False)
    step = max(1, round(n / 6 / 5) * 5 if n > 12 else 1 + n // 7)
    ax.set_xticks(sorted({1, *range(step, n + 1, step)} - ({2} if step > 2 else set())))
    ax.tick_params(axis="y", length=0)
    how = intervals.method.split("; ", 1)[-1]
    drawn = f"{counted(intervals.draws, 'draw')}; {how}"
    cautions = (f"Caution: {note}" for note in intervals.notes)
    note = " ".join(f"{sentence}." for sentence in (intervals.unit, drawn, *cautions) if sentence)
    note += f" The {len(rows)} best of {ranked} are shown." if cut else ""
    level = level_text(intervals.level)
    kind = f"{level} credible intervals, each on its own"
    if intervals.simultaneous:
        kind = f"all right at once in {of_draws(intervals.held, intervals.draws)} (level {level})"
    ends = " Left end: 1 + the number of surely better models." if intervals.simultaneous else ""
    _dressed(
        ax, scale, f"Ranks by {pretty(intervals.score.symbol)}, with their uncertainty",
        f"Sets of ranks, {kind}.{ends} Thick: may be first. Dots: ranks on these data.", note, names, size,
    )  # fmt: skip
    return ax


def _longest(ax: Axes | None) -> int:
    """Return how many characters of a name there is room for: new axes and layout engines make it."""
    if ax is None:
        return SHORT_NAME if wanted().narrow else WIDEST
    figure = getattr(ax, "figure", None)
    return LONGEST_NAME if figure is not None and figure.get_layout_engine() is not None else SHORT_NAME


def _dressed(ax: Axes, scale: Scale, title: str, subtitle: str, note: str, names: list[str], size: float) -> None:
    """Write title and note, once there is room for the names on the left of new axes."""
    if not scale.new:
        headline(ax, scale, title, subtitle, note, rise=20)
        return
    figure: Any = ax.figure
    width, height = figure.get_size_inches()
    box = ax.get_position()
    left = max(box.x0 * width, 0.62 * size * max(map(len, names), default=0) / 72 + 0.3)
    wide = width + left - box.x0 * width
    figure.set_size_inches(wide, height)
    ax.set_position((left / wide, box.y0, box.width * width / wide, box.height))
    headline(ax, scale, title, subtitle, note, rise=20)
    place = ax.get_position()
    ax.set_position((left / wide, place.y0, place.width, place.height))


@in_look
def draw_podium(intervals: RankIntervals, ax: Axes | None = None, *, most: int = PODIUM, **look: Unpack[Look]) -> Axes:
    """Draw stacked bars of the probabilities that each entity comes first, second and third.

    Entities stand in the order of P(first); a rank that several share counts for each of them.

    Parameters
    ----------
    intervals
        What :func:`rankscape.uncertainty.rank_intervals` returns.
    ax
        Axes to draw on; by default those of a new figure.
    most
        So many entities are drawn at most.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.uncertainty.rank_intervals

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_podium(
    ...     rs.uncertainty.rank_intervals([[50, 10, 5, 35], [45, 15, 2, 38]], draws=100)
    ... )
    >>> len(ax.patches)
    6
    """
    ax, scale = axes_of(ax, right=0.6)
    order = np.lexsort((-intervals.podium[:, 2], -intervals.p_first))
    ranked = order[~np.isnan(intervals.p_first[order])]
    rows = ranked[:most]
    start = np.zeros(len(rows))
    steps = np.diff(np.concatenate([np.zeros((len(intervals.names), 1)), intervals.podium], axis=1), axis=1)
    for place, (color, hatch, word) in enumerate(PLACES):
        share = steps[rows, place]
        ax.barh(
            range(len(rows)), share, left=start, height=0.66, color=color, hatch=hatch, edgecolor=INK,
            lw=scale.line(0.8), label=word, zorder=3,
        )  # fmt: skip
        start += share
    names = [
        shortened(entity_text(intervals.names[i]), SHORT_NAME if wanted().narrow else LONGEST_NAME - 6) for i in rows
    ]
    ax.set(xlim=(0, 1), ylim=(max(len(rows), 1) - 0.45, -0.55))
    ax.grid(axis="x", color=FAINT, lw=scale.line(0.5), zorder=0)
    dress(ax, scale, "probability", "")
    ax.set_yticks(range(len(rows)), labels=names, fontsize=scale["tick"], parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.legend(loc="lower right", fontsize=scale["tick"], framealpha=0.95, edgecolor=FAINT).set_zorder(8)
    left = len(ranked) - len(rows)
    note = f"{counted(intervals.draws, 'draw')}, {intervals.method}." + (f" {left} more are not shown." if left else "")
    _dressed(
        ax, scale, f"Who is on the podium by {pretty(intervals.score.symbol)}?",
        "Probability of the first three ranks; who shares a rank has it.", note, names, scale["tick"],
    )  # fmt: skip
    return ax


@in_look
def draw_first_tile(first: FirstTile, ax: Axes | None = None, *, color: bool = True, **options: Any) -> Axes:
    """Draw which entity most probably comes first; fainter is less probable, and dots mark P(first) < ½.

    Lines, labeled, show where P(first) of the most probable is 0.5, 0.75 and 0.95; percentages are the shares of the
    Tile where an entity is the most probable first.

    Parameters
    ----------
    first
        What :func:`rankscape.uncertainty.first_tile` returns.
    ax
        Axes to draw on; by default those of a new figure.
    color
        False draws borders, patterns and labels only, for print.
    **options
        Those of :func:`rankscape.plots.draw_tile`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.uncertainty.first_tile

    Examples
    --------
    >>> import rankscape as rs
    >>> first = rs.uncertainty.first_tile([[50, 10, 5, 35], [45, 15, 2, 38]], draws=50, resolution=11)
    >>> ax = rs.plots.draw_first_tile(first)
    >>> ax.get_title(loc="left")
    'Who is most probably first'
    """
    tile_map = TileMap(
        flavor="entity", title=first.title, label=first.label,
        values=np.where(first.winner < 0, np.nan, first.winner), sets=tuple((name,) for name in first.names),
        shares=first.shares, prior=first.prior, parameters=first.parameters,
    )  # fmt: skip
    legend = "%: share of the Tile. Fainter: less probable; thin lines: P(first) of .5, .75, .95"
    p = np.nan_to_num(first.values)
    unlikely = first.values < LIKELY  # not where it is unknown
    hatch = "; dotted: below ½" if unlikely.any() else ""
    subtitle = f"{first.subtitle} {legend}{hatch}." if p.any() else first.subtitle
    ax = draw_tile(replace(tile_map, subtitle=subtitle), ax=ax, color=color, **options)
    if color:
        _fade(ax, first, p)
    if unlikely.any():
        known = np.where(np.isnan(first.values), 1.0, first.values)
        hatched = ax.contourf(first.a, first.b, known, levels=[-1, LIKELY], colors="none", hatches=["...."], zorder=1.6)
        hatched.set(edgecolor=QUIET, linewidth=0, gid="unlikely")
    levels = [level for level in LINES if p.min() < level < p.max()]
    if levels:
        styles = [LINES[level] for level in levels]
        look: dict[str, Any] = {"colors": [QUIET], "linestyles": styles, "linewidths": 0.9, "zorder": 1.8}
        _label_lines(ax, ax.contour(first.a, first.b, p, levels=levels, **look))
    return ax


def _label_lines(ax: Axes, lines: ContourSet) -> None:
    """Write P(first) once on each line, on its longest part, away from other texts."""
    scale = scale_of(ax)
    others = np.array([text.get_position() for text in ax.texts if text.get_transform() == ax.transAxes])
    spots = []
    for path in lines.get_paths():
        parts = [np.asarray(part) for part in path.to_polygons(closed_only=False)]
        longest = max(parts, key=lambda part: float(np.hypot(*np.diff(part, axis=0).T).sum()), default=None)
        if longest is None or np.hypot(*np.diff(longest, axis=0).T).sum() < SHORTEST:
            continue
        inner = longest[((longest > 0.04) & (longest < 0.96)).all(axis=1)]
        if len(inner):
            away = [np.hypot(*(others - point).T).min() if len(others) else 1.0 for point in inner]
            spots.append(tuple(inner[int(np.argmax(away))]))
            others = np.vstack([others.reshape(-1, 2), spots[-1]])
    for spot in spots:
        before, size = len(lines.labelTexts), scale.size("tick", 0.85)
        lines.clabel(manual=[spot], fontsize=size, inline_spacing=2, fmt=lambda p: f"{p:.2g}".removeprefix("0"))
        for text in lines.labelTexts[before:]:
            text.set(path_effects=scale.halo(2.0), zorder=4, gid="p")


def _fade(ax: Axes, first: FirstTile, p: Floats) -> None:
    """Cover the colors with paper, the more the less probable."""
    cover = np.ones((*p.shape, 4))
    cover[..., 3] = np.clip(FAINTEST * (1 - p), 0, 1)
    x, y = edges(first.a), edges(first.b)
    ax.imshow(
        cover, extent=(x[0], x[-1], y[0], y[-1]), origin="lower", interpolation="bilinear", aspect=ax.get_aspect(),
        zorder=1.5, gid="fade", clip_on=True,
    )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(0, 1))

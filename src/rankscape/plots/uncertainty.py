"""How sure we are: intervals of ranks, sure differences, and the Tile of who is most probably first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from ..look import ENDS, FAINT, INK, PAPER, QUIET, highlighted, pretty
from ..texts import and_more, counted, level_text, of_draws, percent, shortened
from ..uncertainty import FirstTile, RankIntervals
from .board import SHORT_NAME, Look, board_on, in_look, plain, wanted
from .tile import draw_tile, extent_of

MOST_ROWS = 100
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
        How every figure may look: style, width and title, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_rank_intervals(
    ...     rs.uncertainty.rank_intervals([[50, 10, 5, 35], [45, 15, 2, 38]], draws=100)
    ... )
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['P1', 'P2']
    """
    ranked = [i for i in intervals.order.tolist() if not np.isnan(intervals.low[i])]
    rows, n = ranked[:most], max(len(ranked), 2)
    cut, names = len(rows) < len(ranked), [intervals.names[row] for row in ranked[:most]]
    label = f"rank among all {len(ranked)} (1 is best)" if cut else "rank (1 is best)"
    board = board_on(ax, label, "", right=1.0, square=False, xlim=(0.5, n + 0.5))
    ax, scale, hues = board.ax, board.scale, highlighted(intervals.names, names)
    every, size = board.rows(names)
    step = max(1, round(n / (20 if wanted().narrow else 30)) * 5 if n > 12 else 1 + n // 7)
    ax.set_xticks(sorted({1, *range(step, n + 1, step)} - ({2} if step > 2 else set())))
    ax.grid(axis="x", color=FAINT, lw=scale.line(0.5), zorder=0)
    for y, (row, name) in enumerate(zip(rows, names, strict=True)):  # what is drawn is as large as the type
        strong, p = name in intervals.tied_for_first, float(intervals.p_first[row])
        color, width = (INK, 0.45 * size) if strong else (QUIET, 0.15 * size)
        bar: dict[str, Any] = {"solid_capstyle": "butt", "ms": size, "mew": 0.13 * size, "gid": f"bar {name}"}
        ax.plot([intervals.low[row], intervals.high[row]], [y, y], "|-", color=color, lw=width, **bar)
        dot: dict[str, Any] = {"ms": 0.55 * size, "mec": PAPER, "mew": 0.06 * size, "zorder": 5, "gid": f"dot {name}"}
        ax.plot(intervals.ranks[row], y, "o", mfc=hues[name], **dot)
        chance = (percent(p) if p else "< 0.1 %") if strong and y % every == 0 else ""
        beside: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center", "color": color}
        board.beside(chance, (1, y), (6, 0), size, gid=f"chance {name}", **beside)
    board.beside("P(first)", (1, 1), (6, 3), scale["tick"])
    drawn = f"{counted(intervals.draws, 'draw')}; {intervals.method.split('; ', 1)[-1]}"
    cautions = (f"Caution: {note}" for note in intervals.notes)
    note = " ".join(f"{sentence}." for sentence in (intervals.unit, drawn, *cautions) if sentence)
    note += f" The {len(rows)} best of {len(ranked)} are shown." if cut else ""
    level, ends = level_text(intervals.level), ""
    kind = f"{level} credible intervals, each on its own"
    if intervals.simultaneous:
        kind = f"all right at once in {of_draws(intervals.held, intervals.draws)} (level {level})"
        ends = " Left end: 1 + the number of surely better models."
    subtitle = f"Sets of ranks, {kind}.{ends} Thick: may be first. Dots: ranks on these data."
    return board.finish(f"Ranks by {pretty(intervals.score.symbol)}, with their uncertainty", subtitle, note, rise=20)


@in_look
def draw_sure_differences(intervals: RankIntervals, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw which entities are surely better than which others, as rows and columns of a matrix by rank.

    A cell is filled where the row is surely better, or worse, than the column. The names of those that nobody is surely
    better than are bold. An entity without a score is not drawn.

    Parameters
    ----------
    intervals
        What :func:`rankscape.uncertainty.rank_intervals` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width and title, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> intervals = rs.uncertainty.rank_intervals([[50, 10, 5, 35], [20, 40, 20, 20]], draws=100)
    >>> [text.get_text() for text in rs.plots.draw_sure_differences(intervals).get_yticklabels()]
    ['1. P1', '2. P2']
    """
    order, unbeaten = intervals.best_first, set(intervals.tied_for_first)
    rows = intervals.together[order]
    n, sure = len(rows), intervals.sure[np.ix_(order, order)].astype(float)
    board = board_on(ax, "rank of the column", "", room=0.62)
    ax, scale = board.ax, board.scale
    ranks = [f"{float(intervals.ranks[row]):g}" for row in rows.tolist()]
    every, _ = board.rows([intervals.names[row] for row in rows], [f"{rank}. " for rank in ranks])
    for text, row in zip(ax.get_yticklabels(), rows[::every], strict=True):
        text.set_fontweight("bold" if intervals.names[row] in unbeaten else "normal")
    image = ax.imshow(
        sure - sure.T, cmap=ListedColormap([ENDS["second"], PAPER, ENDS["first"]]), vmin=-1, vmax=1, aspect="auto",
        interpolation="nearest", extent=(-0.5, max(n, 1) - 0.5, max(n, 1) - 0.5, -0.5), gid="matrix",
    )  # fmt: skip
    image.set_zorder(1)
    ax.plot([-0.5, n - 0.5], [-0.5, n - 0.5], color=FAINT, lw=scale.line(0.8), zorder=2, gid="diagonal")
    wide = 2.4 * scale["tick"] * n / (72 * ax.get_window_extent().width / ax.figure.dpi)
    columns = list(range(0, n, max(1, int(np.ceil(wide / every))) * every))
    ax.set_xticks(columns, labels=[ranks[column] for column in columns])
    title = f"Who is surely better, by {pretty(intervals.score.symbol)}"
    return board.finish(title, *_words_of_differences(intervals, every))


def _words_of_differences(intervals: RankIntervals, every: int) -> tuple[str, str]:
    """Return the subtitle and the note of sure differences, where one row in ``every`` has its name."""
    decided, pairs = int(intervals.sure.sum()), intervals.pairs
    cautions = (f"Caution: {note}" for note in intervals.notes)
    notes = [f"{counted(intervals.draws, 'draw')}, {intervals.method}", *cautions]
    if decided:
        subtitle = (
            f"Blue: the row is surely better than the column; orange: surely worse, all at once in "
            f"{of_draws(intervals.differences_held, intervals.draws)}; white: undecided. "
            f"{decided} of {counted(pairs, 'pair')} {'is' if pairs == 1 else 'are'} decided."
        )
        notes.append("Bold: no model is surely better than these")
    else:
        subtitle = f"White: at a level of {level_text(intervals.level)}, no model is surely better than another."
    if every > 1:
        notes.append(f"Every {f'{every}th' if every > 3 else 'second'} name is written")
    undefined = np.isnan(intervals.ranks).tolist()
    lost = [plain(name) for name, without in zip(intervals.names, undefined, strict=True) if without]
    if lost:
        listed = ", ".join(shortened(name, SHORT_NAME) for name in lost[:3])
        notes.append(f"Without a score: {listed}{and_more(len(lost), 3)}")
    return subtitle, " ".join(f"{text}." for text in notes)


@in_look
def draw_first_tile(first: FirstTile, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw which entity most probably comes first; fainter is less probable.

    Dotted, dashed and solid lines show where P(first) of the most probable is 0.5, 0.75 and 0.95; percentages are the
    shares of the Tile where an entity is the most probable first.

    Parameters
    ----------
    first
        What :func:`rankscape.uncertainty.first_tile` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **options
        Those of :func:`rankscape.plots.draw_tile`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> first = rs.uncertainty.first_tile([[50, 10, 5, 35], [45, 15, 2, 38]], draws=50, resolution=11)
    >>> ax = rs.plots.draw_first_tile(first)
    >>> ax.get_title(loc="left")
    'Who is most probably first'
    """
    legend = "%: share of the Tile. Fainter: less probable; lines: P(first) of .5 (dotted), .75 (dashed), .95"
    p = np.nan_to_num(first.values)
    leaders = replace(
        first, flavor="entity", values=np.where(first.winner < 0, np.nan, first.winner),
        sets=tuple((name,) for name in first.names),
        subtitle=f"{first.subtitle} {legend}." if p.any() else first.subtitle,
    )  # fmt: skip
    ax = draw_tile(leaders, ax, **options)
    # paper covers the colors, the more the less probable
    cover = np.ones((*p.shape, 4))
    cover[..., 3] = np.clip(FAINTEST * (1 - p), 0, 1)
    style: dict[str, Any] = {"origin": "lower", "interpolation": "bilinear", "aspect": "auto", "clip_on": True}
    ax.imshow(cover, extent=extent_of(first.a, first.b), zorder=1.5, gid="fade", **style)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    levels = [level for level in LINES if p.min() < level < p.max()]
    if levels:
        style = {"colors": [QUIET], "linestyles": [LINES[level] for level in levels], "linewidths": 0.9}
        ax.contour(first.a, first.b, p, levels=levels, zorder=1.8, **style).set_gid("p")
    return ax

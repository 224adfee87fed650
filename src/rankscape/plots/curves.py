"""Draw performances as curves: cost curves and decision curves."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes

from ..look import DASHES, FAINT, INK, QUIET, REST, colors_of, rounds_of
from ..texts import counted
from ..views import CurveView
from .frame import axes_of, clipped, dress, fraction, headline, name_point, names_to_try
from .labels import Board
from .looks import Look, in_look
from .style import apart, join_names

CONSTANT = ((0, (5, 3)), (0, (1, 1.5)))


@in_look
def draw_curves(
    view: CurveView, ax: Axes | None = None, *, colors: Mapping[str, str] | None = None, **look: Unpack[Look]
) -> Axes:
    """Draw a cost curve or a decision curve of each entity.

    Whoever ever comes first has a color, thick where first, and a name there; others are gray. The constant answers are
    broken lines. The bar below says who is first.

    Parameters
    ----------
    view
        What :func:`rankscape.views.cost_curve` or :func:`rankscape.views.decision_curve` returns.
    ax
        Axes to draw on; by default those of a new figure.
    colors
        The color of each entity, by its name; by default those of all figures.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.views.cost_curve
    rankscape.views.decision_curve

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_curves(rs.views.cost_curve([[9, 1, 4, 6], [8, 2, 2, 8]])).get_ylabel()
    'normalized expected cost'
    """
    low, high = _range(view)
    right = view.first[-1][2]  # of risk models, the last threshold that was asked for
    right = right if 0 < right < 0.98 else 1.0
    window = (0.0, low, right, high)
    ax, scale = axes_of(ax, xlim=(0, right), ylim=(low, high))
    board = Board(ax, scale)
    winners = {name for names, _, _ in view.first for name in names if name in view.names}
    hues = {name: colors_of(view.names)[name] for name in winners} if colors is None else dict(colors)
    rounds = rounds_of(view.names)
    for (name, values), dash in zip(view.references.items(), CONSTANT, strict=True):
        line = clipped(np.stack([view.x, values], axis=-1), window)
        ax.plot(*line.T, color=INK, ls=dash, lw=scale.line(1.3), zorder=3, gid=f"reference {name}")
        board.draw_over(*fraction(ax, line).T)
    for name, values in zip(view.names, view.values, strict=True):
        line = clipped(np.stack([view.x, values], axis=-1), window)
        if len(line) > 1:
            colored = name in hues
            ax.plot(
                *line.T, color=hues.get(name, FAINT), lw=scale.line(1.3 if colored else 0.6), zorder=1 + colored,
                ls=DASHES[rounds[name]] if colored else "-", gid="curve",
            )  # fmt: skip
            board.draw_over(*fraction(ax, line).T, soft=True)
    for names, left, end in view.first:
        name = names[0]
        values = view.values[view.names.index(name)] if name in view.names else view.references[name]
        x = np.unique(np.concatenate([[left, end], view.x[(view.x > left) & (view.x < end)]]))
        x = x[x <= view.x[-1]]
        line = clipped(np.stack([x, np.interp(x, view.x, values)], axis=-1), window) if len(x) > 1 else np.empty((0, 2))
        if len(line) > 1 and name in view.names:
            ax.plot(*line.T, color=hues.get(name, REST), lw=scale.line(4.5), zorder=4, gid="first")
            board.draw_over(*fraction(ax, line).T)
        _bar(board, left, end, hues.get(name, REST) if name in view.names else None)
    unnamed = _names(board, view, window, hues)
    for name in view.references:
        _name_reference(board, view, window, name)
    dress(ax, scale, view.x_label, view.label)
    ax.xaxis.labelpad += 2 * scale.factor
    ax.tick_params(axis="x", pad=11 * scale.factor)
    come = "comes" if len(winners) == 1 else "come"
    leaders = f"{len(winners)} of {counted(len(view.names), 'model')} ever {come} first."
    if len(winners) == len(view.names) > 1:
        leaders = f"Each of the {len(winners)} models comes first for some preference."
        if len({frozenset(names) for names, _, _ in view.first}) == 1:
            leaders = f"All {len(winners)} models tie, whatever the preference."
    note = f"Thick, and the bar below: who is first; {view.better} is better. White: {' or '.join(view.references)}."
    headline(ax, scale, view.title, f"{leaders} {view.subtitle}".strip(), f"{note}{unnamed}", fall=9)
    return ax


def _range(view: CurveView) -> tuple[float, float]:
    """Return the range of values: for costs, up to somewhat above whoever is first; for net benefit, from below 0."""
    if view.better == "larger":
        top = max(float(np.nanmax(view.values)), 1e-3)
        return -0.25 * top, 1.08 * top
    rows = [view.names.index(name) for names, _, _ in view.first for name in names if name in view.names]
    constant = [np.allclose(view.values[row], line) for row in rows for line in view.references.values()]
    tops = [view.values[row].max() for k, row in enumerate(rows) if not any(constant[2 * k : 2 * k + 2])]
    return 0.0, float(np.clip(1.6 * max(tops, default=1.0), 1e-3, 1.0))


def _bar(board: Board, left: float, right: float, color: str | None) -> None:
    """Draw a piece of the bar below the axes."""
    step = 4.5 * board.scale.factor / board.scale.side
    board.ax.fill_between(
        [left, right], -2.4 * step, -0.9 * step, transform=board.ax.get_xaxis_transform(), clip_on=False,
        facecolor=color or "none", edgecolor=QUIET, lw=board.scale.line(0.6), zorder=5, gid="bar",
    )  # fmt: skip


def _names(board: Board, view: CurveView, window: tuple[float, float, float, float], hues: Mapping[str, str]) -> str:
    """Name whoever is first, beside the middle of the thick line; say in words who has no room."""
    called = apart(view.names)
    done: dict[tuple[str, ...], bool] = {}  # those who are first in several places are named once, in the widest
    widest = sorted(view.first, key=lambda item: item[1] - item[2])
    for names, left, right in widest:
        if names[0] not in view.names or done.get(names):
            continue
        values = view.values[view.names.index(names[0])]
        done[names] = False
        for text, share in product(names_to_try([called[name] for name in names]), (0.5, 0.3, 0.7)):
            x = left + share * (right - left)
            y = float(np.interp(x, view.x, values))
            if done[names] or x > view.x[-1] or not window[1] <= y <= window[3]:
                continue
            done[names] = name_point(board, fraction(board.ax, (x, y)), text, radius=0.014, reach=12, zorder=8)
            if done[names]:  # to tell whose name it is
                size, edge = 7.5 * board.scale.factor, board.scale.line(1.0)
                hue = hues.get(names[0], REST)
                board.ax.plot(x, y, "o", ms=size, mfc=hue, mec=INK, mew=edge, zorder=7, gid="named")
    listed = [join_names([called[name] for name in names], 22) for names, named in done.items() if not named]
    return f" Not named for lack of room: {', '.join(listed[:4])}." if listed else ""


def _name_reference(board: Board, view: CurveView, window: tuple[float, float, float, float], name: str) -> None:
    """Name the curve of a constant answer beside one of its points."""
    line = clipped(np.stack([view.x, view.references[name]], axis=-1), window)
    for share in (0.6, 0.75, 0.4, 0.85, 0.2):
        if len(line):
            point = fraction(board.ax, line[int(share * (len(line) - 1))])
            if name_point(board, point, name, radius=0.01, reach=2, factor=0.85, style="italic", color=QUIET):
                return

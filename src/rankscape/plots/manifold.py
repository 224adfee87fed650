"""Draw the path of rankings between two ends in its plane, and the β of every weight given to the second end."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from .._tradeoff import Tradeoff
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..geometry.curves import odds
from ..look import ENDS, FAINT, INK, OPTIMUM, QUIET
from ..texts import counted
from .betas import Mark, along, coordinate_name, ends_of, marks_of, nothing, place_text, ticks_on
from .frame import axes_of, dress, fraction, headline, name_point
from .labels import Board
from .looks import Look, in_look

DOTS = 400
"""Rankings on a path, or swaps, of which each has a dot."""
WEIGHTS = (0.2, 0.5, 0.8)


@in_look
def draw_path(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the rankings between the ends as a path in the plane of their first two components.

    One dot per ranking, a line per swap; the ends, the optimum, F1, the heuristic and SIVF are named. Both directions
    have one scale. (Optimal trade-off, Fig. 1, 3b.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For too many rankings to be listed.

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_path(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
    >>> (
    ...     ax.get_title(loc="left"),
    ...     len([line for line in ax.lines if line.get_gid() == "path"][0].get_xdata()),
    ... )
    ('The path of rankings', 4)
    """
    path, marks, (first, second) = t.path(), marks_of(t), ends_of(t)
    plane = path.plane
    middle, half = (plane.max(axis=0) + plane.min(axis=0)) / 2, 0.62 * float(np.ptp(plane, axis=0).max()) or 1.0
    xlim, ylim = ((center - half, center + half) for center in middle)
    ax, scale = axes_of(ax, xlim=xlim, ylim=ylim)
    board = Board(ax, scale)
    few = len(path) <= DOTS
    ax.plot(
        *plane.T, color=QUIET, lw=scale.line(1.2), marker="o" if few else "", ms=3.5 * scale.factor, mfc=FAINT,
        mec=QUIET, mew=scale.line(0.5), zorder=2, gid="path",
    )  # fmt: skip
    board.draw_over(*fraction(ax, plane).T)
    reverse = -1 if t.segment.reversed else 1
    ends = [Mark(first, path.low[0], ENDS["first"]), Mark(second, path.high[-1], ENDS["second"])]
    places = list(zip(ends, plane[[0, -1]][::reverse], strict=True))
    places += [(mark, path.at(mark.beta)) for mark in marks]
    named: list[tuple[Floats, str, Mark]] = []
    for mark, place in places:
        for k, (at, name, first_mark) in enumerate(named):
            if np.allclose(at, place, rtol=0, atol=1e-9 * half):
                named[k] = (place, f"{name} = {mark.name}", first_mark)
                break
        else:
            named.append((place, mark.name, mark))
    for place, name, mark in named:
        optimum = "optimum" in name
        ax.plot(
            *place, "D" if optimum else "o", ms=(9 if optimum else 8) * scale.factor, mfc=OPTIMUM if optimum else
            mark.color, mec=INK, mew=scale.line(1), zorder=6, gid=f"place {name}",
        )  # fmt: skip
        x, y = fraction(ax, place).tolist()
        board.take(x, y, 0.035, 0.035)
    for place, name, _ in named:
        weight = "bold" if "optimum" in name else "normal"
        name_point(board, fraction(ax, place), name, radius=0.02, reach=8, fontweight=weight)
    if not t.n_discordant:
        ax.set(xticks=[], yticks=[])
    shares = [f"{100 * share:.1f} %" for share in path.explained]
    dress(ax, scale, f"first component  ({shares[0]})", f"second component  ({shares[1]})")
    explained = f"two components explain {100 * sum(path.explained):.2f} % of the variance."
    at_once = "" if len(path) == t.n_discordant + 1 else ", or by several at the same β"
    note = f"One dot per ranking; neighbors differ by a swap{at_once}." if few else ""
    if not t.n_discordant:
        note = f"{first} and {second} order all pairs alike: nothing to trade off."
    headline(ax, scale, "The path of rankings", f"{counted(len(path), 'ranking')}; {explained}", note)
    return ax


@in_look
def draw_quantiles(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the share of the way to the second end that each β has gone.

    A dot per swap where they are few; dashed: b = β²/(1+β²) equal to the share, which weights values and not ranks.
    Named are the β of 20 %, 50 % and 80 %. (Optimal trade-off, A.2.2, Fig. A.2.2.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_quantiles(
    ...     rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    ... ).get_xlabel()
    'share of the way from precision to recall'
    """
    first, second = ends_of(t)
    ends, name = along(t), coordinate_name(t)
    ax, scale = axes_of(ax, xlim=(0, 1), ylim=ends)
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    ticks_on(ax.yaxis, t)
    dress(ax, scale, f"share of the way from {first} to {second}", name)
    if not t.n_discordant:
        nothing(ax, scale, t)
        headline(ax, scale, f"The {name} of every weight", "", "")
        return ax
    board = Board(ax, scale)
    x, y = _quantiles(t)
    ax.plot([0, 1], ends, color=QUIET, ls=(0, (4, 3)), lw=scale.line(1), zorder=1.5, gid="values")
    few = len(x) <= DOTS
    ax.plot(
        x, y, color=INK, lw=scale.line(1.6), marker="o" if few else "", ms=3.5 * scale.factor, mfc=FAINT, mec=INK,
        mew=scale.line(0.5), zorder=2.5, gid="quantiles",
    )  # fmt: skip
    board.draw_over(*fraction(ax, np.stack([x, y], axis=-1)).T)
    board.draw_over(*fraction(ax, np.stack([[0, 1], ends], axis=-1)).T, soft=True)
    for share in WEIGHTS:
        at: Any = (share, float(coordinate(t.quantile(share))))
        ax.plot(
            *at, "D" if share == 0.5 else "o", ms=8 * scale.factor, mfc=OPTIMUM if share == 0.5 else FAINT, mec=INK,
            mew=scale.line(1), zorder=6, gid="weight",
        )  # fmt: skip
        text = f"{100 * share:.0f} %: {place_text(t, t.quantile(share))}"
        name_point(board, fraction(ax, at), text, radius=0.02, reach=6, factor=0.9)
    subtitle = f"{100 * WEIGHTS[-1]:.0f} % for {second} by ranks: {place_text(t, t.quantile(WEIGHTS[-1]))}"
    by_values = ends[0] + WEIGHTS[-1] * (ends[1] - ends[0])
    subtitle += f"; by values it would be {place_text(t, odds(by_values) ** 0.5)}."
    note = "Dots: swaps. " if few else ""
    headline(ax, scale, f"The {name} of every weight", subtitle, note + "Dashed: the same weight by values.")
    return ax


def _quantiles(t: Tradeoff) -> tuple[Floats, Floats]:
    """Return shares, of which at most some thousands are drawn, and their coordinates."""
    total = t.n_discordant
    if total <= 10 * DOTS:
        inner = coordinate(np.sqrt(t.swaps))
        y = np.concatenate([[float(t.segment.low)], inner, [float(t.segment.high)]])
        x = np.arange(total + 2) / (total + 1)
        return (x, y[::-1]) if t.segment.reversed else (x, y)
    x = np.linspace(0, 1, 10 * DOTS // 8 + 1)
    return x, coordinate([t.quantile(float(share)) for share in x])

"""Draw the optimum of every domain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from .._tradeoff import Tradeoffs
from .._tradeoff.segments import coordinate
from ..look import INK, OPTIMUM, PAPER, QUIET, tint
from ..texts import counted, shortened
from .betas import along, beta_axis, ends_of, half_way, place_text, value
from .frame import axes_of, beside, grown, headline
from .looks import Look, in_look
from .style import apart

FILLED = 0.82
NAMED = 40
"""Domains of which each has its name beside its row."""


@in_look
def draw_optima(ts: Tradeoffs, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw, for each domain, the optimum, a bar of all optima, and the heuristic, between the two ends.

    The domains are sorted by the optimum; dashed is F1. The note counts the domains on which the ends order all pairs
    alike. (Optimal trade-off, 4.6.)

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
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
    rankscape.tradeoffs

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> results = rs.tradeoffs(P)
    >>> ax = rs.plots.draw_optima(results)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['y', 'x']
    """
    xlim = along(ts.any)
    kept = sorted((float(coordinate(t.beta)), domain) for domain, t in ts.items() if t.n_discordant)
    if ts.any.segment.reversed:
        kept.reverse()
    few = len(kept) <= NAMED
    called = apart([domain for _, domain in kept])
    names = [shortened(called[domain], 22) for _, domain in kept] if few else []
    ax, scale = axes_of(ax, right=beside(names), xlim=xlim, ylim=(len(kept) - 0.4, -0.6))
    if scale.new and scale.least:
        scale = replace(scale, side=grown(ax, min(len(kept), NAMED) * scale.least / FILLED))
    rows = np.arange(len(kept))
    bars = [[float(coordinate(odds**0.5)) for odds in ts[domain].optimal_set] for _, domain in kept]
    width = scale.line(float(np.clip(220 / max(len(kept), 1), 1.2, 9)))
    ax.add_collection(
        LineCollection(
            [[(a, row), (b, row)] for row, (a, b) in enumerate(bars)], colors=tint(OPTIMUM), linewidths=width,
            capstyle="round", zorder=1.5, gid="optimal set",
        ),
        autolim=False,
    )  # fmt: skip
    if min(xlim) < 0.5 < max(xlim):
        ax.axvline(0.5, color=INK, ls=(0, (5, 2.5)), lw=scale.line(1.3), zorder=1, gid="half way")
    size = float(np.clip(160 / max(len(kept), 1), 2.5, 7)) * scale.factor
    heuristics = [float(coordinate(ts[domain].heuristic_beta)) for _, domain in kept]
    ax.plot(heuristics, rows, "o", ms=0.8 * size, mfc=PAPER, mec=QUIET, mew=scale.line(1), zorder=3, gid="heuristic")
    best = [x for x, _ in kept]
    ax.plot(best, rows, "D", ms=size, mfc=OPTIMUM, mec=INK, mew=scale.line(0.6), zorder=4, gid="optimum")
    style: dict[str, Any] = {"parse_math": False, "fontsize": scale.room(len(kept), FILLED)}
    ax.set_yticks(rows if few else [], names, **style)
    beta_axis(ax, scale, ts.any, "" if few else counted(len(kept), "domain"))
    ax.tick_params(axis="y", length=0)
    if few:
        ax.yaxis.tick_right()
    note = [f"Diamonds: the optimum, bars: all optima, circles: the heuristic; dashed: {half_way(ts.any)}."]
    if len(kept) < len(ts):
        note.append(f"On {counted(len(ts) - len(kept), 'domain')} nothing is to be traded off.")
    texts = [place_text(ts[domain], ts[domain].beta) for _, domain in (kept[:1] + kept[-1:])]
    subtitle = f"On {counted(len(kept), 'domain')}: {texts[0]} to {value(texts[-1])}." if len(kept) > 1 else ""
    headline(ax, scale, f"The optimum between {' and '.join(ends_of(ts.any))}", subtitle, " ".join(note))
    return ax

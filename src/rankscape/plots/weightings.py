"""Who comes first for which weights of the domains: a bar for two, a triangle for three, shares for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from ..arrays import Floats
from ..domains import Weightings
from ..look import FAINT, INK, PAPER, colors_of, highlighted, pretty, tint
from ..texts import counted, grouped, percent, shortened
from . import regions
from .board import CENTERS, board_on
from .looks import Look, in_look, wanted
from .style import LONGEST_NAME, SHORT_NAME, entity_text, join_names

MOST_BARS = 20
STEPS = 1000
"""Weights at which scores of two domains are compared where their intervals are not known exactly."""

FINE = 481
"""Rows and columns of the grid on which scores of three domains are compared where their regions are not exact."""

HEIGHT = sqrt(3) / 2
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])
"""Where all weight is on the first, the second and the third domain."""

ERRORS = 2
NARROW = 0.06
"""An interval of weights that is shorter has no name in the bar."""


@in_look
def draw_weightings(result: Weightings, ax: Axes | None = None, *, color: bool = True, **look: Unpack[Look]) -> Axes:
    """Draw who comes first for which weights of the domains.

    For two domains a bar shows the intervals of weights, and for three a triangle shows the regions: in each corner all
    weight is on one domain, and a ring marks the present weights. For more domains bars show the shares of all
    weightings, with two standard errors where these were drawn.

    Parameters
    ----------
    result
        What :func:`rankscape.domains.weightings` returns.
    ax
        Axes to draw on; by default those of a new figure.
    color
        False draws patterns in the place of colors, for print.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.tasks.success.from_counts(
    ...     [9, 4, 5, 8], 10, names=["a", "a", "b", "b"], domains=["x", "y"] * 2
    ... )
    >>> ax = rs.plots.draw_weightings(rs.domains.weightings(P))
    >>> ax.get_title(loc="left")
    'Who comes first for which weights'
    """
    draw = {2: _draw_bar, 3: _draw_triangle}.get(len(result.domains), _draw_shares)
    return draw(result, ax, color)


TITLE = "Who comes first for which weights"


def _draw_bar(result: Weightings, ax: Axes | None, color: bool) -> Axes:
    """Draw the intervals of the weight of the second of two domains."""
    first, second = (shortened(entity_text(name), SHORT_NAME) for name in result.domains)
    label = f"weight of {second}  (the rest: {first})"
    board = board_on(ax, label, "", right=0.75, xlim=(0, 1), ylim=(0, 1), box_aspect=0.3)
    ax, scale = board.ax, board.scale
    ticks = np.linspace(0, 1, 6)
    ax.set_xticks(ticks, labels=[f"{100 * tick:.0f} %" for tick in ticks])
    ax.set_yticks([])
    hues, unnamed = colors_of(result.names), []
    for names, start, end in _intervals(result):
        face, texts = tint(hues[names[0]]) if color else PAPER, [entity_text(name) for name in names]
        ax.axvspan(start, end, facecolor=face, edgecolor=INK, lw=scale.line(1), gid="region", zorder=1)
        share = percent(end - start)
        text = f"{join_names(texts, SHORT_NAME)}\n{share}"
        if end - start < max(NARROW, 0.62 * scale["name"] * max(map(len, text.split("\n"))) / scale.side):
            unnamed.append(f"{join_names(texts, LONGEST_NAME)} {share}")
            continue
        board.write(text)[0].set_position(((start + end) / 2, 0.5))
    now = float(result.weights[1])
    ax.plot([now, now], [0, 1], "--", color=INK, lw=scale.line(1.4), zorder=5, gid="now")
    subtitle = f"By {pretty(result.score.symbol)}. Percentages: share of all weightings. Dashed: the present weights."
    return board.finish(TITLE, subtitle, f"Without room for a name: {', '.join(unnamed)}." if unnamed else "")


def _intervals(result: Weightings) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Yield who comes first from which weight of the second domain to which."""
    if result.regions:
        for region in result.regions:
            start, end = (float(corner[1]) for corner in region.corners)
            yield region.names, start, end
        return
    t = (np.arange(STEPS) + 0.5) / STEPS
    firsts = result.firsts(np.column_stack([1 - t, t]))
    changes = np.flatnonzero((firsts[1:] != firsts[:-1]).any(axis=1)) + 1
    for start, end in pairwise([0, *changes.tolist(), STEPS]):
        names = tuple(name for name, first in zip(result.names, firsts[start], strict=True) if first)
        if names:
            yield names, start / STEPS, end / STEPS


def _draw_triangle(result: Weightings, ax: Axes | None, color: bool) -> Axes:
    """Draw the regions of the weights of three domains."""
    board = board_on(ax, "", "", right=0.75, xlim=(0, 1), ylim=(0, 1))
    ax, scale = board.ax, board.scale
    x, y = np.meshgrid(CENTERS, CENTERS)
    board.taken |= (_weights_at(x, y) < 0).any(axis=-1)
    named = _exact_regions(result) if result.regions else _regions_on_grid(result)
    named.sort(key=lambda region: -region.share)
    faces, _ = regions.fill_regions(board, named, result.names, None, color=color)
    edge = Polygon(TRIANGLE, closed=True, facecolor="none", edgecolor=INK, lw=scale.line(1.4), zorder=3, gid="edge")
    ax.add_patch(edge)
    for artist in ax.collections:
        artist.set_clip_path(edge)
    now = np.array([float(weight) for weight in result.weights]) @ TRIANGLE
    board.dot(now, PAPER, 8, edge=1.4, zorder=7, gid="now")
    notes = regions.name_regions(board, named, faces)
    style: dict[str, Any] = {"xycoords": "data", "fontweight": "bold", "ha": "center", "gid": "domain"}
    for corner, name, side in zip(TRIANGLE, result.domains, (-1, -1, 1), strict=True):
        text, where = shortened(entity_text(name), LONGEST_NAME), "bottom" if side > 0 else "top"
        board.beside(text, corner, (0, 6 * side), scale["corner"], va=where, **style)
    ax.set_axis_off()
    subtitle = f"By {pretty(result.score.symbol)}. In each corner all weight is on one {result.noun}. "
    subtitle += "Percentages: share of all weightings. Ring: the present weights."
    notes += [f"Shares are of {grouped(result.draws)} weightings drawn."] if result.draws else []
    return board.finish(TITLE, subtitle, " ".join(notes), rise=0)


def _weights_at(x: Floats, y: Floats) -> Floats:
    """Return the weights of the three domains at places of the triangle; negative outside."""
    third = y / HEIGHT
    second = x - third / 2
    return np.stack([1 - second - third, second, third], axis=-1)


def _exact_regions(result: Weightings) -> list[regions.NamedRegion]:
    """Return the polygons."""
    x, y = np.meshgrid(CENTERS, CENTERS)
    out = []
    for region in result.regions:
        corners = np.array([[float(weight) for weight in corner] for corner in region.corners]) @ TRIANGLE
        closed = np.concatenate([corners, corners[:1]])
        outline = (closed[:, 0], closed[:, 1])
        cells = _inside(corners, x, y)
        out.append(regions.NamedRegion(region.names, result.shares[region.names[0]], cells, outlines=(outline,)))
    return out


def _inside(corners: Floats, x: Floats, y: Floats) -> Any:
    """Tell which places lie in a convex polygon, whichever way its corners run."""
    steps = np.roll(corners, -1, axis=0) - corners
    sides = [dx * (y - b) - dy * (x - a) for (a, b), (dx, dy) in zip(corners, steps, strict=True)]
    return np.logical_and.reduce([side >= 0 for side in sides]) | np.logical_and.reduce([side <= 0 for side in sides])


def _regions_on_grid(result: Weightings) -> list[regions.NamedRegion]:
    """Return the regions as cells of a grid, which goes on beyond the triangle, by whose edge they are cut."""
    axis = np.linspace(0, 1, FINE)
    x, y = np.meshgrid(axis, axis)
    weights = np.maximum(_weights_at(x, y), 1e-9).reshape(-1, 3)
    firsts = result.firsts(weights / weights.sum(axis=1, keepdims=True))
    sets, codes = np.unique(np.packbits(firsts, axis=1), axis=0, return_inverse=True)
    codes = codes.reshape(x.shape)
    near = np.abs(axis[:, None] - CENTERS).argmin(axis=0)
    inside = (_weights_at(*np.meshgrid(CENTERS, CENTERS)) >= 0).all(axis=-1)
    out = []
    for code in range(len(sets)):
        mask = codes == code
        best = firsts[int(np.argmax(codes.ravel() == code))]
        names = tuple(name for name, first in zip(result.names, best, strict=True) if first)
        cells = mask[np.ix_(near, near)] & inside
        if names and cells.any():
            share = result.shares[names[0]]
            out.append(regions.NamedRegion(names, share, cells, mesh=(axis, axis, mask)))
    return out


def _draw_shares(result: Weightings, ax: Axes | None, color: bool) -> Axes:
    """Draw the shares of all weightings as bars, the largest on top."""
    order = [name for name in result.table()["entity"] if result.shares[name]]
    rows, hues = order[:MOST_BARS], highlighted(result.names, order)
    highest = max((result.shares[name] for name in rows), default=1.0)
    xlim = (0, min(1.0, (1.35 if wanted().narrow else 1.15) * highest))
    board = board_on(ax, "share of all weightings", "", right=0.75, rows=max(len(rows), 1), xlim=xlim)
    ax, scale = board.ax, board.scale
    board.rows(rows)
    ax.grid(axis="x", color=FAINT, lw=scale.line(0.5), zorder=0)
    ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g} %")
    for row, name in enumerate(rows):
        share, error = result.shares[name], ERRORS * result.errors[name]
        face = tint(hues[name]) if color else PAPER
        ax.barh(row, share, height=0.66, color=face, edgecolor=INK, lw=scale.line(0.8), zorder=3, gid=f"bar {name}")
        if error:
            ax.errorbar(share, row, xerr=error, color=INK, lw=scale.line(1.2), capsize=3 * scale.factor, zorder=4)
        style: dict[str, Any] = {"xycoords": "data", "va": "center", "color": INK, "gid": "share", "zorder": 5}
        board.beside(percent(share), (min(share + error, 1), row), (5, 0), scale["tick"], **style)
    subtitle = (
        f"By {pretty(result.score.symbol)}. Share of all weightings of {counted(len(result.domains), result.noun)}. "
    )
    subtitle += f"{grouped(result.draws)} were drawn; whiskers are two standard errors long."
    return board.finish(TITLE, subtitle, _left_out(result, order))


def _left_out(result: Weightings, order: Sequence[str]) -> str:
    """Say how many are not drawn, and why."""
    parts = [f"{len(order) - MOST_BARS} more come first for smaller shares."] * (len(order) > MOST_BARS)
    never = sum(answer == "no" for answer in result.possible.values())
    rest = len(result.names) - len(order) - never
    parts += [f"{never} of {len(result.names)} cannot come first, whatever the weights."] * bool(never)
    parts += [f"{rest} came first for none of the weightings drawn."] * bool(rest)
    return " ".join(parts)

"""Who comes first for which weights of the domains: a strip for two, a triangle for three, shares for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.path import Path
from matplotlib.ticker import PercentFormatter

from ..arrays import Flags, Floats
from ..domains import Weightings
from ..look import FAINT, INK, PAPER, highlighted, pretty, tint
from ..texts import counted, grouped, percent, shortened
from . import regions
from .board import CELLS, CENTERS, LONGEST_NAME, Look, board_on, in_look, on_cells, plain, wanted

MOST_BARS = 20
FINE = 481
"""Rows and columns of the grid on which scores are compared where the regions of weights are not exact."""

HEIGHT = sqrt(3) / 2
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])
"""Where all weight is on the first, the second and the third domain."""

ERRORS = 2
TITLE = "Who comes first for which weights"


@in_look
def draw_weightings(result: Weightings, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw who comes first for which weights of the domains.

    For two domains a strip shows the intervals of weights, and for three a triangle shows the regions: in each corner
    all weight is on one domain. The present weights are marked. For more domains bars show the shares of all
    weightings, with two standard errors where these were drawn.

    Parameters
    ----------
    result
        What :func:`rankscape.domains.weightings` returns.
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
    >>> P = rs.tasks.success.from_counts(
    ...     [9, 4, 5, 8], 10, names=["a", "a", "b", "b"], domains=["x", "y"] * 2
    ... )
    >>> ax = rs.plots.draw_weightings(rs.domains.weightings(P))
    >>> ax.get_title(loc="left")
    'Who comes first for which weights'
    """
    return _draw_regions(result, ax) if len(result.domains) in (2, 3) else _draw_shares(result, ax)


def _draw_regions(result: Weightings, ax: Axes | None) -> Axes:
    """Draw the regions of the weights of two or three domains, on a square or in a triangle."""
    two, called = len(result.domains) == 2, [shortened(plain(name), LONGEST_NAME) for name in result.domains]
    label = f"weight of {called[1]}  (the rest: {called[0]})" if two else ""
    board = board_on(ax, label, "", right=0.75, xlim=(0, 1), ylim=(0, 1))
    ax, scale = board.ax, board.scale
    x, y = np.meshgrid(CENTERS, CENTERS)
    inside = np.asarray((_weights_at(x, y, two) >= 0).all(axis=-1))
    board.taken |= ~inside
    named = list(_exact_regions(result, two) if result.regions else _regions_on_grid(result, two, inside))
    named.sort(key=lambda region: -region.share)
    faces, _ = regions.fill_regions(board, named, result.names)
    weights = np.array([float(weight) for weight in result.weights])
    mark = "Dashed" if two else "Ring"
    if two:
        board.line([[weights[1], 0], [weights[1], 1]], INK, 1.4, dash="--", soft=False, zorder=5, gid="now")
        ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        ax.set_yticks([])
    else:
        corners = Polygon(TRIANGLE, closed=True, facecolor="none", edgecolor=INK, lw=scale.line(1.4), zorder=3)
        edge = ax.add_patch(corners)
        for artist in ax.collections:
            artist.set_clip_path(edge)
        board.dot(weights @ TRIANGLE, PAPER, 8, edge=1.4, zorder=7, gid="now")
        style: dict[str, Any] = {"xycoords": "data", "fontweight": "bold", "ha": "center", "gid": "domain"}
        for corner, name, side in zip(TRIANGLE, called, (-1, -1, 1), strict=True):
            board.beside(name, corner, (0, 6 * side), scale["corner"], va="bottom" if side > 0 else "top", **style)
        ax.set_axis_off()
    notes = [regions.name_regions(board, named, faces)]
    where = "" if two else f"In each corner all weight is on one {result.noun}. "
    subtitle = f"{where}Percentages: share of all weightings. {mark}: the present weights."
    notes += [f"Shares are of {grouped(result.draws)} weightings drawn."] if result.draws else []
    note = " ".join(filter(None, notes))
    return board.finish(TITLE, f"By {pretty(result.score.symbol)}. {subtitle}", note, rise=6 if two else 0)


def _weights_at(x: Floats, y: Floats, two: bool) -> Floats:
    """Return the weights of the domains at places of the square or the triangle; negative outside."""
    if two:
        return np.stack([1 - x, x], axis=-1)
    third = y / HEIGHT
    second = x - third / 2
    return np.stack([1 - second - third, second, third], axis=-1)


def _exact_regions(result: Weightings, two: bool) -> Iterator[regions.NamedRegion]:
    """Yield the polygons, which are convex."""
    centers = np.stack(np.meshgrid(CENTERS, CENTERS), axis=-1).reshape(-1, 2)
    for names, places in result.regions:
        weights = np.array([[float(weight) for weight in corner] for corner in places])
        corners = (
            weights @ TRIANGLE if not two else np.array([[w, h] for h in (0, 1) for w in weights[:: 1 - 2 * h, 1]])
        )
        cells = Path(corners).contains_points(centers).reshape(CELLS, CELLS)
        outline = tuple(np.concatenate([corners, corners[:1]]).T)
        yield regions.NamedRegion(names, result.shares[names[0]], cells, outlines=(outline,))


def _regions_on_grid(result: Weightings, two: bool, inside: Flags) -> Iterator[regions.NamedRegion]:
    """Yield the regions as cells of a grid, which goes on beyond the triangle, by whose edge they are cut."""
    axis = np.linspace(0, 1, FINE)
    x, y = np.meshgrid(axis, axis)
    weights = np.maximum(_weights_at(x, y, two), 1e-9).reshape(x.size, -1)
    firsts = result.firsts(weights / weights.sum(axis=1, keepdims=True))
    sets, codes = np.unique(np.packbits(firsts, axis=1), axis=0, return_inverse=True)
    codes = codes.reshape(x.shape)
    for code in range(len(sets)):
        mask = codes == code
        best = firsts[int(np.argmax(codes.ravel() == code))]
        names = tuple(name for name, first in zip(result.names, best, strict=True) if first)
        cells = on_cells(axis, axis, mask) & inside
        if names and cells.any():
            yield regions.NamedRegion(names, result.shares[names[0]], cells, mesh=(axis, axis, mask))


def _draw_shares(result: Weightings, ax: Axes | None) -> Axes:
    """Draw the shares of all weightings as bars, the largest on top."""
    order = [name for name in result.table()["entity"] if result.shares[name]]
    rows, hues = order[:MOST_BARS], highlighted(result.names, order)
    highest = max((result.shares[name] for name in rows), default=1.0)
    xlim = (0, min(1.0, (1.35 if wanted().narrow else 1.15) * highest))
    board = board_on(ax, "share of all weightings", "", right=0.75, square=False, xlim=xlim)
    ax, scale = board.ax, board.scale
    board.rows(rows)
    ax.grid(axis="x", color=FAINT, lw=scale.line(0.5), zorder=0)
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    for row, name in enumerate(rows):
        share, error = result.shares[name], ERRORS * result.errors[name]
        face = tint(hues[name])
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

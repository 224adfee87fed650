"""Draw performances as points: ROC, PR and gain space, the performance diagram, and the Tile beside ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from ..arrays import Floats
from ..look import AXES, FAINT, INK, PAPER, QUIET, REST, colors_of, pretty
from ..texts import counted, some
from ..views import PointView
from .frame import axes_of, clipped, dress, edge_labels, fraction, headline, name_point, names_to_try
from .labels import Board
from .looks import Look, in_look, wanted
from .style import apart, join_names

NEAR = 0.65  # a vertex at most so far outside the square is drawn
INSET = 0.27  # side of the overview
FEW = 20  # places beyond which a figure for a paper names highlighted ones only
MANY = 1000  # places beyond which points are drawn at once, and only highlighted ones have names
Colors = Mapping[str, str]


@in_look
def draw_points(
    view: PointView,
    ax: Axes | None = None,
    *,
    colors: Colors | None = None,
    named: bool = True,
    overview: bool = True,
    **look: Unpack[Look],
) -> Axes:
    """Draw each entity as a point in ROC or PR space.

    Entities on the hull have names and colors; others are gray, and named where there is room. A preference is drawn as
    lines of equal value, the winner's thick; outside a zoomed window its vertex, where near, too.

    Parameters
    ----------
    view
        What :func:`rankscape.views.roc` or :func:`rankscape.views.pr` returns.
    ax
        Axes to draw on; by default those of a new figure.
    colors
        The color of each entity, by its name; by default those of all figures.
    named
        False leaves out the names.
    overview
        True draws the whole square, small, beside a zoomed window.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.plots.draw_tile_and_roc

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_points(rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="f1")).get_xlabel()
    'false positive rate  (1 − specificity)'
    """
    window = _limits(view)
    ax, scale = axes_of(ax, xlim=window[::2], ylim=window[1::2])
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
    board = Board(ax, scale)
    hull = list(view.first) if view.hull is None else [view.names[row] for row in view.hull.tolist()]
    hues = {name: colors_of(view.names)[name] for name in hull} if colors is None else dict(colors)
    zoomed = view.window != (0, 0, 1, 1)

    dashed = _no_skill(board, view, window)
    _contours(board, view, window)
    if view.frontier is not None:
        _line(board, view.frontier, window, color=INK, lw=scale.line(1.1), zorder=2.5, gid="hull")
    if view.preference is not None:
        _iso_lines(board, view, window)
    clusters = _points(board, view, hues, window)
    if zoomed and overview:
        _overview(board, view, hues, clusters)
    unnamed = _names(board, view, clusters, hues) if named else 0
    dress(ax, scale, *AXES[view.flavor])
    note = _note(view, window, dashed, unnamed)
    top = 6 + (12 if view.preference is not None or view.contours else 0)
    headline(ax, scale, view.title, _subtitle(view), note, rise=top)
    return ax


def _limits(view: PointView) -> tuple[float, float, float, float]:
    """Return the window, in ROC space widened to a near vertex of the pencil."""
    vertex = _near_vertex(view)
    if vertex is None:
        return view.window
    (x0, x1), (y0, y1) = ((min(0.0, c - 0.06), max(1.0, c + 0.06)) for c in vertex)
    return (x0, y0, x1, y1)


def _near_vertex(view: PointView) -> tuple[float, float] | None:
    """Return the vertex of the pencil where it is to be shown."""
    if view.flavor != "roc" or view.window != (0, 0, 1, 1) or view.preference is None:
        return None
    vertex = None if view.preference.pencil is None else view.preference.pencil.vertex
    return vertex if vertex is not None and all(-NEAR <= c <= 1 + NEAR for c in vertex) else None


def _line(board: Board, points: Floats, window: tuple[float, float, float, float], **style: Any) -> Floats:
    """Draw the part of a line inside the window and return it, as fractions of the axes."""
    inside = clipped(points, window)
    if len(inside) < 2:
        return np.empty((0, 2))
    board.ax.plot(*inside.T, solid_joinstyle="round", **style)
    at = fraction(board.ax, inside)
    board.draw_over(*at.T, soft=True)
    return at


def _no_skill(board: Board, view: PointView, window: tuple[float, float, float, float]) -> bool:
    """Draw where there is no skill; tell whether it is in the window."""
    if window != view.window:  # the square in a wider window
        board.ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, ec=FAINT, lw=board.scale.line(0.8), zorder=1))
    if view.no_skill is None:
        return False
    style: dict[str, Any] = {"color": QUIET, "ls": (0, (4, 3)), "lw": board.scale.line(1.0), "gid": "no-skill"}
    return len(_line(board, view.no_skill, window, **style, zorder=2)) > 0


def _contours(board: Board, view: PointView, window: tuple[float, float, float, float]) -> None:
    """Draw the named lines of the plane: CSI with values at the edge, bias dotted."""
    ends = []
    for kind, lines in view.contours.items():
        for value, points in lines.items():
            style, color, times = ("-", FAINT, "") if kind == "CSI" else (":", QUIET, "×")
            at = _line(board, points, window, color=color, ls=style, lw=board.scale.line(0.9), zorder=1.5, gid=kind)
            if len(at):
                ends.append((*_outer(at), f"{times}{value:g}"))
    edge_labels(board, ends)


def _outer(at: Floats) -> tuple[float, float]:
    """Return the end of a line that lies farther to the right, of an upright one the upper end."""
    first, last = at[0], at[-1]
    end = max(first, last, key=lambda end: (end[0] if end[0] > 1 - 1e-6 else 0.0, end[1]))
    return float(end[0]), float(end[1])


def _iso_lines(board: Board, view: PointView, window: tuple[float, float, float, float]) -> None:
    """Draw the lines of equal value, the winner's thick, and the vertex where it is near."""
    preference, scale, ends = view.preference, board.scale, []
    if preference is None:
        return
    vertex = _near_vertex(view)
    for level, line in zip(preference.levels, preference.lines, strict=True):
        at = _line(board, line, window, color=REST, lw=scale.line(0.8), zorder=1.6, gid="iso")
        if len(at):
            ends.append((*_outer(at), f"{level:g}"))
        if vertex is not None:
            _line(board, np.array([vertex, line.mean(axis=0)]), window, color=FAINT, lw=scale.line(0.6), zorder=1.4)
    if len(preference.through):
        _line(board, preference.through, window, color=INK, lw=scale.line(2.2), zorder=3, gid="winner")
    if vertex is not None:
        at = fraction(board.ax, vertex)
        board.ax.plot(*vertex, "o", ms=7 * scale.factor, mfc=INK, mec=INK, mew=scale.line(1), zorder=7, gid="vertex")
        board.take(float(at[0]), float(at[1]), 0.03, 0.03)
        name_point(board, at, "all lines meet here", radius=0.014, reach=3, factor=0.8, color=QUIET)
    right, top = (1.0, 1.0) if vertex is None else fraction(board.ax, (1, 1)).tolist()
    edge_labels(board, ends, (right, top))


def _points(
    board: Board, view: PointView, hues: Colors, window: tuple[float, float, float, float]
) -> list[tuple[float, float, list[int]]]:
    """Draw the points in the window; return those at one place together: fractions of the axes and rows."""
    scale, winners = board.scale, () if view.preference is None else view.preference.best
    rows_at: dict[tuple[float, float], list[int]] = {}
    for row, place in enumerate(zip(view.x.tolist(), view.y.tolist(), strict=True)):
        if window[0] <= place[0] <= window[2] and window[1] <= place[1] <= window[3]:
            rows_at.setdefault(place, []).append(row)
    clusters = []
    plain: list[tuple[float, float]] = []  # of very many, those that are not highlighted are one artist
    for (x, y), rows in rows_at.items():
        hue = next((hues[view.names[row]] for row in rows if view.names[row] in hues), None)
        first = any(view.names[row] in winners for row in rows)
        size = (10 if first else 8.5 if hue else 4.5) * scale.factor
        if hue or first or len(rows_at) <= MANY:
            board.ax.plot(
                x, y, "D" if first else "o", ms=size * (0.85 if first else 1), mfc=hue or REST,
                mec=INK if hue else PAPER, mew=scale.line(1.1 if hue else 0.4), zorder=6 if hue else 5, clip_on=False,
                gid="entity",
            )  # fmt: skip
        else:
            plain.append((x, y))
        at = fraction(board.ax, (x, y))
        board.take(*at, *[1.1 * size / scale.side] * 2)
        clusters.append((float(at[0]), float(at[1]), rows))
    if plain:
        style: dict[str, Any] = {"mfc": REST, "mec": PAPER, "mew": scale.line(0.4), "ms": 4.5 * scale.factor}
        board.ax.plot(*zip(*plain, strict=True), "o", **style, zorder=5, clip_on=False, gid="entities")
    return clusters


def _names(board: Board, view: PointView, clusters: list[tuple[float, float, list[int]]], hues: Colors) -> int:
    """Name the points on the hull, then the others where there is room; return how many have no name."""
    winners = () if view.preference is None else view.preference.best
    unnamed, called = 0, apart(view.names)
    places = np.array([(x, y) for x, y, _ in clusters])

    def order(cluster: tuple[float, float, list[int]]) -> tuple[bool, bool, float]:
        names = [view.names[row] for row in cluster[2]]
        crowd = int(np.count_nonzero(np.hypot(*(np.array(cluster[:2]) - places).T) < 0.12))
        return not any(name in winners for name in names), not any(name in hues for name in names), crowd

    most = FEW if wanted().paper else MANY
    if len(clusters) > most:  # there is no room for more names than those of the highlighted ones
        bright = [any(view.names[row] in winners or view.names[row] in hues for row in rows) for *_, rows in clusters]
        unnamed = sum(len(rows) for (*_, rows), chosen in zip(clusters, bright, strict=True) if not chosen)
        clusters = list(compress(clusters, bright))
    for x, y, rows in sorted(clusters, key=order):
        names = [view.names[row] for row in rows]
        bold = any(name in hues for name in names)
        style: dict[str, Any] = {} if bold else {"color": QUIET, "factor": 0.72}
        if any(name in winners for name in names):
            style = {"fontweight": "bold"}
        labels = [called[name] for name in names]
        texts = names_to_try(labels) if bold else [join_names(labels, 22)]
        radius = (5 if bold else 2.6) * board.scale.factor / board.scale.side
        if not any(name_point(board, (x, y), text, radius=radius, reach=9 if bold else 1, **style) for text in texts):
            unnamed += len(names)
    return unnamed


def _overview(board: Board, view: PointView, hues: Colors, clusters: list[tuple[float, float, list[int]]]) -> None:
    """Draw the whole square, small, in the emptiest corner, with the window as a box."""
    scale, pad = board.scale, 0.035
    corners = [(1 - pad - INSET, pad), (pad, pad), (pad, 1 - pad - INSET), (1 - pad - INSET, 1 - pad - INSET)]
    crowd = [
        sum(x0 - 0.05 < x < x0 + INSET + 0.05 and y0 - 0.05 < y < y0 + INSET + 0.05 for x, y, _ in clusters)
        for x0, y0 in corners
    ]
    x0, y0 = corners[int(np.argmin(crowd))]
    small = board.ax.inset_axes((x0, y0, INSET, INSET), zorder=6)
    small.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=[], yticks=[], facecolor=PAPER)
    for points, style in ((view.no_skill, (0, (3, 2))), (view.frontier, "-")):
        if points is not None:
            small.plot(*points.T, color=QUIET, ls=style, lw=scale.line(0.8), zorder=1)
    for row, name in enumerate(view.names):
        small.plot(
            view.x[row], view.y[row], "o", ms=(4 if name in hues else 2.5) * scale.factor, mfc=hues.get(name, REST),
            mec=INK if name in hues else "none", mew=scale.line(0.5), zorder=3 if name in hues else 2,
        )  # fmt: skip
    left, low, right, top = view.window
    small.add_patch(Rectangle((left, low), right - left, top - low, fill=False, ec=INK, lw=scale.line(1), zorder=4))
    for spine in small.spines.values():
        spine.set(linewidth=scale.line(0.7), color=QUIET)
    small.set_title("the whole", fontsize=scale.size("tick", 0.8), color=QUIET, pad=2 * scale.factor, loc="left")
    board.take(x0 + INSET / 2, y0 + INSET / 2 + 0.02, INSET + 0.03, INSET + 0.06)


def _subtitle(view: PointView) -> str:
    parts = []
    if view.hull is not None:
        of = f"{len(view.hull)} of {counted(len(view.names), 'model')}"
        parts.append(f"{of} on the hull, that of the constant answers too.")
    preference = view.preference
    if preference is not None and preference.best:
        which = "" if preference.label == preference.symbol else f"{preference.label} = "
        value = "" if np.isnan(preference.value) else f", {which}{preference.value:.3f}"
        called = apart(view.names)
        best = join_names([called[name] for name in preference.best])
        parts.append(f"Best by {pretty(preference.symbol)}: {best}{value}.")
    return " ".join([*parts, view.subtitle]).strip()


def _note(view: PointView, window: tuple[float, float, float, float], dashed: bool, unnamed: int) -> str:
    parts = []
    if view.preference is not None:
        label = pretty(view.preference.label)
        parts.append(f"Gray lines, numbers at their ends: equal {label}; thick: that of the best.")
    if view.contours:
        parts.append("Gray curves: equal CSI. Dotted: equal bias, × the number of forecasts.")
    if dashed:
        parts.append("Dashed: no skill.")
    called, defined = apart(view.names), np.isfinite(view.x) & np.isfinite(view.y)
    inside = (window[0] <= view.x) & (view.x <= window[2]) & (window[1] <= view.y) & (view.y <= window[3])
    outside = [join_names([called[view.names[row]]], 22) for row in np.flatnonzero(defined & ~inside)]
    if outside:
        parts.append(f"Outside: {some(outside, 3, quote='')}.")
    if undefined := int((~defined).sum()):
        parts.append(f"{counted(undefined, 'model')} undefined here.")
    if unnamed:
        parts.append(f"{unnamed} without a name for lack of room.")
    return " ".join(parts)

"""Draw performances as points: ROC and PR space, alone or with the Tile beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from ..look import AXES, FAINT, INK, PAPER, QUIET, REST, colors_of, pretty
from ..texts import counted, some
from ..tile import TileMap
from ..typing import Flags, Floats
from ..views import PointView, Preference
from .board import Board, board_on, names_to_try, new_axes
from .looks import SIDE, Look, apart, in_look, join_names, wanted
from .regions import entities_of, regions_of
from .tile import draw_tile

NEAR = 0.65  # a vertex at most so far outside the square is drawn
INSET = 0.27  # side of the overview
FEW = 20  # places beyond which a figure for a paper names highlighted ones only
MANY = 1000  # places beyond which points are drawn at once, and only highlighted ones have names
Colors = Mapping[str, str]


class Place(NamedTuple):
    """A point of the view, the entities that are there, the color of the highlighted, and whether one is the best."""

    x: float
    y: float
    names: list[str]
    hue: str | None
    best: bool


@in_look
def draw_points(
    view: PointView,
    ax: Axes | None = None,
    *,
    colors: Colors | None = None,
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
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_points(rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="f1")).get_xlabel()
    'false positive rate  (1 − specificity)'
    """
    preference, zoomed, vertex = view.preference, view.window != (0, 0, 1, 1), None
    if preference is not None and preference.pencil is not None and view.flavor == "roc" and not zoomed:
        vertex = preference.pencil.vertex
        vertex = vertex if vertex is not None and all(-NEAR <= c <= 1 + NEAR for c in vertex) else None
    x0, y0, x1, y1 = view.window
    if vertex is not None:  # the window is widened to it
        (x0, x1), (y0, y1) = ((min(0.0, c - 0.06), max(1.0, c + 0.06)) for c in vertex)
    board = board_on(ax, *AXES[view.flavor], xlim=(x0, x1), ylim=(y0, y1))
    ax = board.ax
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
    if colors is None:
        hull = view.first if view.hull is None else [view.names[row] for row in view.hull.tolist()]
        colors = {name: colors_of(view.names)[name] for name in hull}
    dashed = view.no_skill is not None and len(
        board.line(view.no_skill, QUIET, 1.0, dash=(0, (4, 3)), zorder=2, gid="no-skill")
    )
    if view.frontier is not None:
        board.line(view.frontier, INK, 1.1, zorder=2.5, gid="hull")
    if preference is not None:
        _iso_lines(board, preference, vertex)
    defined = np.isfinite(view.x) & np.isfinite(view.y)
    inside = (x0 <= view.x) & (view.x <= x1) & (y0 <= view.y) & (view.y <= y1)
    places = _places(board, view, colors, inside)
    if zoomed:
        _overview(board, view, colors, places)
    unnamed, called = _names(board, view, places), apart(view.names)
    note = []
    if preference is not None:
        note = [f"Gray lines, numbers at their ends: equal {pretty(preference.label)}; thick: that of the best."]
    outside = [join_names([called[view.names[row]]], 22) for row in np.flatnonzero(defined & ~inside)]
    undefined = int((~defined).sum())
    note += ["Dashed: no skill."] * bool(dashed)
    note += [f"Outside: {some(outside, 3, quote='')}."] * bool(outside)
    note += [f"{counted(undefined, 'model')} undefined here."] * bool(undefined)
    note += [f"{unnamed} without a name for lack of room."] * bool(unnamed)
    return board.finish(view.title, _subtitle(view), " ".join(note), rise=21 if preference is not None else 6)


def _iso_lines(board: Board, preference: Preference, vertex: tuple[float, float] | None) -> None:
    """Draw the lines of equal value, the winner's thick, and the vertex where it is near."""
    ends = []
    for level, line in zip(preference.levels, preference.lines, strict=True):
        drawn = board.line(line, REST, 0.8, zorder=1.6, gid="iso")
        if len(drawn):
            ends.append((drawn, f"{level:g}"))
        if vertex is not None:
            board.line([vertex, line.mean(axis=0)], FAINT, 0.6, zorder=1.4)
    board.line(preference.through, INK, 2.2, zorder=3, gid="winner")
    if vertex is not None:
        board.ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, ec=FAINT, lw=board.scale.line(0.8), zorder=1))
        board.dot(vertex, INK, 7, zorder=7, gid="vertex")
        board.name(vertex, "all lines meet here", radius=0.014, reach=3, factor=0.8, color=QUIET)
    corner = np.array([1.0, 1.0]) if vertex is None else board.at((1, 1))
    for k, axis in enumerate("xy"):  # numbers where the lines leave by the upper and the right side
        out = [(line[line[:, 1 - k].argmax()], text) for line, text in ends]
        labels = [(float(end[k]), text, REST, "normal") for end, text in out if end[1 - k] > corner[1 - k] - 1e-6]
        board.label_edge(axis, labels, float(corner[1 - k]), away=7, gid="level")


def _places(board: Board, view: PointView, hues: Colors, inside: Flags) -> list[Place]:
    """Draw the points in the window, those at one place together; return them."""
    best = () if view.preference is None else view.preference.best
    names_at: dict[tuple[float, float], list[str]] = {}
    for row in np.flatnonzero(inside).tolist():
        names_at.setdefault((float(view.x[row]), float(view.y[row])), []).append(view.names[row])
    places, faint = [], []
    gray: dict[str, Any] = {"mec": PAPER, "edge": 0.4, "zorder": 5}
    for at, names in names_at.items():
        hue = next((hues[name] for name in names if name in hues), None)
        place = Place(*at, names, hue, any(name in best for name in names))
        places.append(place)
        if len(names_at) > MANY and not (hue or place.best):
            faint.append(at)
            continue
        size, marker = (8.5, "D") if place.best else (8.5 if hue else 4.5, "o")
        board.dot(at, hue or REST, size, marker=marker, gid="entity", **({"edge": 1.1} if hue else gray))
    if faint:  # of very many, those that are not highlighted are one artist
        board.dot(faint, REST, 4.5, gid="entities", **gray)
    return places


def _names(board: Board, view: PointView, places: list[Place]) -> int:
    """Name the points on the hull, then the others where there is room; return how many have no name."""
    called, spots = apart(view.names), _spots(board, places)

    def order(place: Place) -> tuple[bool, bool, int]:
        near = np.hypot(*(board.at((place.x, place.y)) - spots).T) < 0.12
        return not place.best, place.hue is None, int(np.count_nonzero(near))

    # among very many there is room for names of the highlighted ones only
    few = len(places) <= (FEW if wanted().paper else MANY)
    chosen = [place for place in places if few or place.best or place.hue]
    unnamed = sum(len(place.names) for place in places) - sum(len(place.names) for place in chosen)
    for x, y, names, hue, best in sorted(chosen, key=order):
        style: dict[str, Any] = {"fontweight": "bold"} if best else {} if hue else {"color": QUIET, "factor": 0.72}
        labels = [called[name] for name in names]
        texts = names_to_try(labels) if hue else [join_names(labels, 22)]
        radius = (5 if hue else 2.6) * board.scale.factor / board.scale.side
        if board.name((x, y), texts, radius=radius, reach=9 if hue else 1, **style) is None:
            unnamed += len(names)
    return unnamed


def _spots(board: Board, places: list[Place]) -> Floats:
    return board.at(np.array([(place.x, place.y) for place in places]).reshape(-1, 2))


def _overview(board: Board, view: PointView, hues: Colors, places: list[Place]) -> None:
    """Draw the whole square, small, in the emptiest corner, with the window as a box."""
    scale, pad, spots = board.scale, 0.035, _spots(board, places)
    far = 1 - pad - INSET
    corners = np.array([(far, pad), (pad, pad), (pad, far), (far, far)])
    crowd = [((spots > corner - 0.05) & (spots < corner + INSET + 0.05)).all(axis=1).sum() for corner in corners]
    x0, y0 = corners[int(np.argmin(crowd))].tolist()
    small = board.ax.inset_axes((x0, y0, INSET, INSET), zorder=6)
    small.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=[], yticks=[], facecolor=PAPER)
    for line, dash in ((view.no_skill, (0, (3, 2))), (view.frontier, "-")):
        if line is not None:
            small.plot(*line.T, color=QUIET, lw=scale.line(0.8), ls=dash, zorder=1)
    bright = np.array([name in hues for name in view.names], dtype=bool)
    small.plot(view.x[~bright], view.y[~bright], "o", ms=2.5 * scale.factor, mfc=REST, mec="none", zorder=2)
    for row in np.flatnonzero(bright):
        style: dict[str, Any] = {"ms": 4 * scale.factor, "mec": INK, "mew": scale.line(0.5), "zorder": 3}
        small.plot(view.x[row], view.y[row], "o", mfc=hues[view.names[row]], **style)
    left, low, right, top = view.window
    small.add_patch(Rectangle((left, low), right - left, top - low, fill=False, ec=INK, lw=scale.line(1), zorder=4))
    for spine in small.spines.values():
        spine.set(linewidth=scale.line(0.7), color=QUIET)
    small.set_title("the whole", fontsize=scale.size("tick", 0.8), color=QUIET, pad=2 * scale.factor, loc="left")
    board.take(x0 + INSET / 2, y0 + INSET / 2 + 0.02, INSET + 0.03, INSET + 0.06)


def _subtitle(view: PointView) -> str:
    parts, preference = [], view.preference
    if view.hull is not None:
        of = f"{len(view.hull)} of {counted(len(view.names), 'model')}"
        parts.append(f"{of} on the hull, that of the constant answers too.")
    if preference is not None and preference.best:
        which = "" if preference.label == preference.symbol else f"{preference.label} = "
        value = "" if np.isnan(preference.value) else f", {which}{preference.value:.3f}"
        called = apart(view.names)
        best = join_names([called[name] for name in preference.best])
        parts.append(f"Best by {pretty(preference.symbol)}: {best}{value}.")
    return " ".join([*parts, view.subtitle]).strip()


@in_look
def draw_tile_and_roc(
    tile_map: TileMap,
    view: PointView,
    *,
    grid: bool = False,
    **look: Unpack[Look],
) -> Figure:
    """Draw who comes first on the Tile, with a preference marked, beside ROC space with the same preference.

    The place (a, b) of the preference is the pencil of lines of the right side, whose thick one passes through whoever
    has that place on the left. (Tile, Fig. 1.)

    Parameters
    ----------
    tile_map
        What :func:`rankscape.tile.entity` returns.
    view
        What :func:`rankscape.views.roc` returns, by a preference.
    grid
        True draws the regular grid of uniform priors, moved to the prior of the map.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The new figure.

    Examples
    --------
    >>> import rankscape as rs
    >>> P = [[9, 1, 4, 6], [8, 2, 2, 8]]
    >>> figure = rs.plots.draw_tile_and_roc(
    ...     rs.tile.entity(P, resolution=11), rs.views.roc(P, by="accuracy")
    ... )
    >>> [ax.get_title(loc="left") for ax in figure.axes[:2]]
    ['Who is first, for every preference', 'Who can be first, in ROC space']
    """
    left, right = new_axes(2, 2, side=SIDE, left=0.9, rights=(1.5, 0.7), below=1.25, above=0.95)
    preference = view.preference
    markers = {} if preference is None else {pretty(preference.symbol): preference.place}
    draw_tile(tile_map, ax=left, markers=markers, grid=grid)
    hues = colors_of(entities_of(tile_map))
    winners = [name for region in regions_of(tile_map) for name in region.names]
    draw_points(view, ax=right, colors={name: hues.get(name, REST) for name in winners})
    return right.figure.figure

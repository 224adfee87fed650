"""Draw performances as points: ROC and PR space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ..look import AXES, INK, PAPER, QUIET, REST, colors_of, pretty
from ..texts import counted, some
from ..typing import Flags
from ..views import PointView, Preference
from .board import Board, Look, apart, board_on, in_look, join_names, names_to_try, wanted

FEW = 20  # places beyond which a figure for a paper names highlighted ones only
MANY = 1000  # places beyond which points are drawn at once, and only highlighted ones have names


class Place(NamedTuple):
    """A point of the view, the entities that are there, the color of the highlighted, and whether one is the best."""

    x: float
    y: float
    names: list[str]
    hue: str | None
    best: bool


@in_look
def draw_points(view: PointView, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw each entity as a point in ROC or PR space.

    Entities on the hull have names and colors; others are gray, and named where there is room. A preference is drawn as
    lines of equal value, the winner's thick.

    Parameters
    ----------
    view
        What :func:`rankscape.views.roc` or :func:`rankscape.views.pr` returns.
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
    >>> rs.plots.draw_points(rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="f1")).get_xlabel()
    'false positive rate  (1 − specificity)'
    """
    preference, (x0, y0, x1, y1) = view.preference, view.window
    board = board_on(ax, *AXES[view.flavor], xlim=(x0, x1), ylim=(y0, y1))
    ax = board.ax
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
    hull = view.first if view.hull is None else [view.names[row] for row in view.hull.tolist()]
    hues = {name: colors_of(view.names)[name] for name in hull}
    dashed = view.no_skill is not None and len(
        board.line(view.no_skill, QUIET, 1.0, dash=(0, (4, 3)), zorder=2, gid="no-skill")
    )
    if view.frontier is not None:
        board.line(view.frontier, INK, 1.1, zorder=2.5, gid="hull")
    if preference is not None:
        _iso_lines(board, preference)
    defined = np.isfinite(view.x) & np.isfinite(view.y)
    inside = (x0 <= view.x) & (view.x <= x1) & (y0 <= view.y) & (view.y <= y1)
    places = _places(board, view, hues, inside)
    _names(board, view, places)
    called = apart(view.names)
    note = []
    if preference is not None:
        note = [f"Gray lines, numbers at their ends: equal {pretty(preference.label)}; thick: that of the best."]
    outside = [join_names([called[view.names[row]]], 22) for row in np.flatnonzero(defined & ~inside)]
    undefined = int((~defined).sum())
    note += ["Dashed: no skill."] * bool(dashed)
    note += [f"Outside: {some(outside, 3, quote='')}."] * bool(outside)
    note += [f"{counted(undefined, 'model')} undefined here."] * bool(undefined)
    return board.finish(view.title, _subtitle(view), " ".join(note), rise=21 if preference is not None else 6)


def _iso_lines(board: Board, preference: Preference) -> None:
    """Draw the lines of equal value, the winner's thick."""
    ends = []
    for level, line in zip(preference.levels, preference.lines, strict=True):
        drawn = board.line(line, REST, 0.8, zorder=1.6, gid="iso")
        if len(drawn):
            ends.append((drawn, f"{level:g}"))
    board.line(preference.through, INK, 2.2, zorder=3, gid="winner")
    for k, axis in enumerate("xy"):  # numbers where the lines leave by the upper and the right side
        out = [(line[line[:, 1 - k].argmax()], text) for line, text in ends]
        labels = [(float(end[k]), text, REST, "normal") for end, text in out if end[1 - k] > 1 - 1e-6]
        board.label_edge(axis, labels, away=7, gid="level")


def _places(board: Board, view: PointView, hues: Mapping[str, str], inside: Flags) -> list[Place]:
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


def _names(board: Board, view: PointView, places: list[Place]) -> None:
    """Name the points on the hull, then the others where there is room."""
    called = apart(view.names)
    spots = board.at(np.array([(place.x, place.y) for place in places]).reshape(-1, 2))

    def order(place: Place) -> tuple[bool, bool, int]:
        near = np.hypot(*(board.at((place.x, place.y)) - spots).T) < 0.12
        return not place.best, place.hue is None, int(np.count_nonzero(near))

    # among very many there is room for names of the highlighted ones only
    few = len(places) <= (FEW if wanted().paper else MANY)
    chosen = [place for place in places if few or place.best or place.hue]
    rest = [] if few else [called[name] for place in places if not (place.best or place.hue) for name in place.names]
    for x, y, names, hue, best in sorted(chosen, key=order):
        style: dict[str, Any] = {"fontweight": "bold"} if best else {} if hue else {"color": QUIET, "factor": 0.72}
        labels = [called[name] for name in names]
        texts = names_to_try(labels) if hue else [join_names(labels, 22)]
        radius = (5 if hue else 2.6) * board.scale.factor / board.scale.side
        if board.name((x, y), texts, radius=radius, reach=9 if hue else 1, **style) is None:
            board.unnamed += labels
    board.unnamed += rest


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

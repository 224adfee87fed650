"""Draw performances as curves and points: costs, net benefit, the costs of every threshold, ROC and PR space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ..arrays import Floats
from ..look import AXES, DASHES, FAINT, INK, PAPER, QUIET, REST, colors_of, highlighted, pretty, rounds_of
from ..results import DrawnResult
from ..texts import counted, some
from ..typing import Flags
from ..views import CurveView, PointView, Preference
from .board import Board, Look, apart, board_on, in_look, join_names, names_to_try, wanted

CONSTANT = ((0, (5, 3)), (0, (1, 1.5)))
"""The dashes of the answers that are always the same: negative, positive."""
NAMED = 8
"""Models that have a name."""
SIDE_NAME: dict[str, Any] = {"radius": 0.01, "reach": 3, "factor": 0.85, "style": "italic", "color": QUIET}
"""How the names of constant answers look."""
POINTS = 2000
"""Thresholds of a model that are drawn; of more, evenly spaced ones."""


@in_look
def draw_curves(view: CurveView, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw a cost curve or a decision curve of each entity.

    Whoever ever comes first has a color, thick where first, and a name there; others are gray. The constant answers are
    broken lines.

    Parameters
    ----------
    view
        What :func:`rankscape.views.cost_curve` or :func:`rankscape.views.decision_curve` returns.
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
    >>> rs.plots.draw_curves(rs.views.cost_curve([[9, 1, 4, 6], [8, 2, 2, 8]])).get_ylabel()
    'normalized expected cost'
    """
    right = view.first[-1][2]  # of risk models, the last threshold that was asked for
    right = right if 0 < right < 0.98 else 1.0
    board = board_on(ax, *AXES[view.flavor], xlim=(0, right), ylim=_range(view))
    winners = {name for names, _, _ in view.first for name in names if name in view.names}
    hues, rounds = {name: colors_of(view.names)[name] for name in winners}, rounds_of(view.names)
    for (name, values), dash in zip(view.references.items(), CONSTANT, strict=True):
        line = np.stack([view.x, values], axis=-1)
        board.line(line, INK, 1.3, dash=dash, soft=False, zorder=3, gid=f"reference {name}")
    for name, values in zip(view.names, view.values, strict=True):
        line, bright = np.stack([view.x, values], axis=-1), name in hues
        style: dict[str, Any] = {"dash": DASHES[rounds[name]] if bright else "-", "zorder": 1 + bright}
        board.line(line, hues.get(name, FAINT), 1.3 if bright else 0.6, gid="curve", **style)
    curves = view.references | dict(zip(view.names, view.values, strict=True))
    for names, low, high in view.first:
        x = np.unique(np.concatenate([[low, high], view.x[(view.x > low) & (view.x < high)]]))
        x = x[x <= view.x[-1]]
        if len(x) > 1:
            thick = np.stack([x, np.interp(x, view.x, curves[names[0]])], axis=-1)
            board.line(thick, hues.get(names[0], INK), 4.5, soft=False, zorder=4, gid="first")
    _names(board, view, hues)
    for name, values in view.references.items():
        inside = [(x, y) for x, y in zip(view.x, values, strict=True) if board.window[1] <= y <= board.window[3]]
        spots = [inside[int(share * (len(inside) - 1))] for share in (0.6, 0.75, 0.4, 0.85, 0.2) if inside]
        board.name(spots, name, **SIDE_NAME)
    leaders = (
        f"{len(winners)} of {counted(len(view.names), 'model')} ever {'comes' if len(winners) == 1 else 'come'} first."
    )
    if len(winners) == len(view.names) > 1:
        leaders = f"Each of the {len(winners)} models comes first for some preference."
        if len({frozenset(names) for names, _, _ in view.first}) == 1:
            leaders = f"All {len(winners)} models tie, whatever the preference."
    note = f"Thick: who is first; {view.better} is better. Broken, and thick in black: {' or '.join(view.references)}."
    return board.finish(view.title, f"{leaders} {view.subtitle}".strip(), note)


def _range(view: CurveView) -> tuple[float, float]:
    """Return the range of values: for costs, up to somewhat above whoever is first; for net benefit, from below 0."""
    if view.better == "larger":
        top = max(float(np.nanmax(view.values)), 1e-3)
        return -0.25 * top, 1.08 * top
    rows = [view.names.index(name) for names, _, _ in view.first for name in names if name in view.names]
    constant = [any(np.allclose(view.values[row], line) for line in view.references.values()) for row in rows]
    tops = [view.values[row].max() for row, same in zip(rows, constant, strict=True) if not same]
    return 0.0, float(np.clip(1.6 * max(tops, default=1.0), 1e-3, 1.0))


def _names(board: Board, view: CurveView, hues: Mapping[str, str]) -> None:
    """Name whoever is first, once, beside the middle of their widest thick line."""
    called = apart(view.names)
    spots: dict[tuple[str, ...], list[Floats]] = {}
    for names, left, right in sorted(view.first, key=lambda item: item[1] - item[2]):
        if names[0] in view.names:
            x = left + np.array([0.5, 0.3, 0.7]) * (right - left)
            y = np.interp(x, view.x, view.values[view.names.index(names[0])])
            seen = (x <= view.x[-1]) & (board.window[1] <= y) & (y <= board.window[3])
            spots.setdefault(names, []).append(np.stack([x, y], axis=-1)[seen])
    for names, places in spots.items():
        labels = [called[name] for name in names]
        at = board.name(np.concatenate(places), names_to_try(labels), radius=0.014, reach=12, zorder=8)
        if at is None:
            board.unnamed.append(join_names(labels, 22))
        else:  # to tell whose name it is
            board.dot(at, hues.get(names[0], REST), 7.5, zorder=7, gid="named")


@in_look
def draw_decision(result: DrawnResult, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw what each threshold of each model costs.

    Lines are the costs on all cases at every threshold, over the share of cases that it calls positive
    (``result.curves()`` has the thresholds). Marks are the chosen thresholds with the costs to expect, and their 95 %
    intervals.

    Parameters
    ----------
    result
        What :func:`rankscape.decide` returns.
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
    >>> decision = rs.decide([0, 0, 1] * 20, [0.1, 0.4, 0.8] * 20, costs=rs.costs(miss=5))
    >>> rs.plots.draw_decision(decision).get_xlabel()
    'share of cases called positive'
    """
    decision: Any = result  # a Decision: naming it would load the room of decisions for every figure
    per, curves, names = decision.costs.per, decision.curves(), [each.entity for each in decision.candidates]
    entity, x, cost = (np.array(curves[column]) for column in ("entity", "positive", "cost"))
    cost *= per
    constants = [(each.threshold > 0, each.cost * per) for each in decision.alternatives if each.entity is None]
    top = _top(decision, [level for _, level in constants])
    board = board_on(ax, "share of cases called positive", decision.costs.heading, xlim=(0, 1), ylim=(0, top))
    hues, rounds = highlighted(decision.models, names), rounds_of(decision.models)
    for negative, level in constants:
        answer, dash = ("negative", CONSTANT[0]) if negative else ("positive", CONSTANT[1])
        if level <= top:
            line = [[0.0, level], [1.0, level]]
            board.line(line, INK, 1.1, dash=dash, soft=False, zorder=2, gid=f"reference all {answer}")
            board.name((0.97, level), f"call all {answer}", **SIDE_NAME)
    for name in names:
        chosen, curve = name == decision.entity, np.stack([x, cost], axis=-1)[entity == name]  # from none to all
        if len(curve) > POINTS:
            curve = curve[np.linspace(0, len(curve) - 1, POINTS).astype(int)]
        style: dict[str, Any] = {"dash": DASHES[rounds[name]], "zorder": 4 if chosen else 3, "gid": "curve"}
        board.line(curve, hues[name], 2.6 if chosen else 1.2, **style)
    dear = _marks(board, decision, hues, top)
    note = (
        "Lines: costs on these cases. Marks: costs to expect, each threshold chosen on other cases, and 95 % intervals."
    )
    note += f" Not shown, too dear: {', '.join(dear[:4])}." if dear else ""
    note += " Costs above the frame are not shown." if (cost > top).any() else ""
    stated = decision.costs.text(decision.cost)
    subtitle = f"Expect {stated} (costs: {decision.costs.phrase}). {counted(len(names), 'model')} compared."
    return board.finish(decision.rule, subtitle, note)


def _marks(board: Board, decision: Any, hues: Mapping[str, str], top: float) -> list[str]:
    """Draw the chosen thresholds with the costs to expect, and name them; return the names of the dear."""
    per, called = decision.costs.per, apart(candidate.entity for candidate in decision.candidates)
    places: dict[str, tuple[float, float]] = {}
    dear = []
    for each in reversed(decision.candidates):
        name, x, value = each.entity, decision.positive_share(each.entity, each.threshold), each.cost * per
        if not 0 <= value <= top:
            dear.append(called[name])
            continue
        first = name == decision.entity and not decision.constant and not decision.kept
        if each.interval is not None:
            low, high = (end * per for end in each.interval)
            interval, color = [[x, low], [x, min(high, top)]], INK if first else hues[name]
            board.line(interval, color, 1.6 if first else 1.0, soft=False, zorder=5 + first, gid="interval")
        board.dot((x, value), hues[name], 9 if first else 6, zorder=8, clip_on=True, gid="chosen")
        places[name] = x, value
    for other in [decision] * decision.kept + [each for each in decision.alternatives if each.kind == "in use"]:
        place = decision.positive_share(other.entity, other.threshold), other.cost * per
        if place[1] <= top:
            board.dot(place, "none", 7, marker="s", edge=1.4, zorder=8, gid="in use")
            board.name(place, "in use", reach=6, zorder=9)
    for k, name in enumerate(list(places)[::-1]):
        style: dict[str, Any] = {"radius": 0.02, "factor": 0.9, "leader": True, "zorder": 9}
        weight = "bold" if name == decision.entity else "normal"
        texts = names_to_try([called[name]])
        if k >= NAMED or board.name(places[name], texts, reach=12, fontweight=weight, **style) is None:
            board.unnamed.append(texts[-1])
    return dear


def _top(decision: Any, constants: list[float]) -> float:
    """Return the largest cost that is drawn: somewhat above the constant answers, and above the models near them."""
    per = decision.costs.per
    marks = [(c.interval[1] if c.interval else c.cost) * per for c in decision.candidates]
    reach = 1.25 * max(min(constants), min(marks))
    return max([reach, *(1.08 * mark for mark in marks if mark <= 1.5 * reach)], default=1.0) or 1.0


# Points in ROC and PR space

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
    _names_of_places(board, view, places)
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


def _names_of_places(board: Board, view: PointView, places: list[Place]) -> None:
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

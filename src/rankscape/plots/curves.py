"""Draw performances as curves: cost curves, decision curves, and the costs of every threshold of scored models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ..look import DASHES, FAINT, INK, QUIET, REST, colors_of, highlighted, rounds_of
from ..results import DrawnResult
from ..texts import counted, shortened
from ..typing import Floats
from ..views import CurveView
from .board import Board, board_on, names_to_try
from .looks import SHORT_NAME, Look, apart, in_look, join_names

CONSTANT = ((0, (5, 3)), (0, (1, 1.5)))
"""The dashes of the answers that are always the same: negative, positive."""
NAMED = 8
"""Models that the key names."""
POINTS = 2000
"""Thresholds of a model that are drawn; of more, evenly spaced ones."""


@in_look
def draw_curves(view: CurveView, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw a cost curve or a decision curve of each entity.

    Whoever ever comes first has a color, thick where first, and a name there; others are gray. The constant answers are
    broken lines. The bar below says who is first.

    Parameters
    ----------
    view
        What :func:`rankscape.views.cost_curve` or :func:`rankscape.views.decision_curve` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

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
    board = board_on(ax, view.x_label, view.label, xlim=(0, right), ylim=_range(view))
    ax, scale, board.fall = board.ax, board.scale, 9  # for the bar
    ax.xaxis.labelpad += 2 * scale.factor
    ax.tick_params(axis="x", pad=11 * scale.factor)
    lines = view.references | dict(zip(view.names, view.values, strict=True))
    winners = {name for names, _, _ in view.first for name in names if name in view.names}
    hues = {name: colors_of(view.names)[name] for name in winners}
    rounds = rounds_of(view.names)
    for (name, values), dash in zip(view.references.items(), CONSTANT, strict=True):
        line = np.stack([view.x, values], axis=-1)
        board.line(line, INK, 1.3, dash=dash, soft=False, zorder=3, gid=f"reference {name}")
    for name, values in zip(view.names, view.values, strict=True):
        bright = name in hues
        style: dict[str, Any] = {"zorder": 1 + bright, "dash": DASHES[rounds[name]] if bright else "-"}
        board.line(
            np.stack([view.x, values], axis=-1), hues.get(name, FAINT), 1.3 if bright else 0.6, gid="curve", **style
        )
    step = 4.5 * scale.factor / scale.side
    for names, low, high in view.first:
        name = names[0]
        face = hues.get(name, REST) if name in view.names else "none"
        x = np.unique(np.concatenate([[low, high], view.x[(view.x > low) & (view.x < high)]]))
        x = x[x <= view.x[-1]]
        if len(x) > 1 and name in view.names:
            thick = np.stack([x, np.interp(x, view.x, lines[name])], axis=-1)
            board.line(thick, face, 4.5, soft=False, zorder=4, gid="first")
        ax.fill_between(
            [low, high], -2.4 * step, -0.9 * step, transform=ax.get_xaxis_transform(), clip_on=False, facecolor=face,
            edgecolor=QUIET, lw=scale.line(0.6), zorder=5, gid="bar",
        )  # fmt: skip
    unnamed = _names(board, view, hues)
    for name, values in view.references.items():
        inside = [(x, y) for x, y in zip(view.x, values, strict=True) if board.window[1] <= y <= board.window[3]]
        style = {"radius": 0.01, "reach": 2, "factor": 0.85, "style": "italic", "color": QUIET}
        if inside:
            board.name([inside[int(share * (len(inside) - 1))] for share in (0.6, 0.75, 0.4, 0.85, 0.2)], name, **style)
    come = "comes" if len(winners) == 1 else "come"
    leaders = f"{len(winners)} of {counted(len(view.names), 'model')} ever {come} first."
    if len(winners) == len(view.names) > 1:
        leaders = f"Each of the {len(winners)} models comes first for some preference."
        if len({frozenset(names) for names, _, _ in view.first}) == 1:
            leaders = f"All {len(winners)} models tie, whatever the preference."
    note = f"Thick, and the bar below: who is first; {view.better} is better. White: {' or '.join(view.references)}."
    return board.finish(view.title, f"{leaders} {view.subtitle}".strip(), f"{note}{unnamed}")


def _range(view: CurveView) -> tuple[float, float]:
    """Return the range of values: for costs, up to somewhat above whoever is first; for net benefit, from below 0."""
    if view.better == "larger":
        top = max(float(np.nanmax(view.values)), 1e-3)
        return -0.25 * top, 1.08 * top
    rows = [view.names.index(name) for names, _, _ in view.first for name in names if name in view.names]
    constant = [any(np.allclose(view.values[row], line) for line in view.references.values()) for row in rows]
    tops = [view.values[row].max() for row, same in zip(rows, constant, strict=True) if not same]
    return 0.0, float(np.clip(1.6 * max(tops, default=1.0), 1e-3, 1.0))


def _names(board: Board, view: CurveView, hues: Mapping[str, str]) -> str:
    """Name whoever is first, once, beside the middle of their widest thick line; say in words who has no room."""
    called = apart(view.names)
    done: dict[tuple[str, ...], bool] = {}
    for names, left, right in sorted(view.first, key=lambda item: item[1] - item[2]):
        if names[0] not in view.names or done.get(names):
            continue
        x = left + np.array([0.5, 0.3, 0.7]) * (right - left)
        y = np.interp(x, view.x, view.values[view.names.index(names[0])])
        spots = np.stack([x, y], axis=-1)[(x <= view.x[-1]) & (board.window[1] <= y) & (y <= board.window[3])]
        texts = names_to_try([called[name] for name in names])
        at = board.name(spots, texts, radius=0.014, reach=12, zorder=8)
        done[names] = at is not None
        if at is not None:  # to tell whose name it is
            board.dot(at, hues.get(names[0], REST), 7.5, zorder=7, gid="named")
    listed = [join_names([called[name] for name in names], 22) for names, named in done.items() if not named]
    return f" Not named for lack of room: {', '.join(listed[:4])}." if listed else ""


@in_look
def draw_decision(result: DrawnResult, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw what each threshold of each model costs.

    Lines are the costs on all cases at every threshold; the horizontal axis is the threshold where all scores lie in
    [0, 1], else the share of cases that are called positive. Marks are the chosen thresholds with the costs to expect,
    and their 95 % intervals.

    Parameters
    ----------
    result
        What :func:`rankscape.decide` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Examples
    --------
    >>> import rankscape as rs
    >>> decision = rs.decide([0, 0, 1] * 20, [0.1, 0.4, 0.8] * 20, costs=rs.costs(miss=5))
    >>> rs.plots.draw_decision(decision).get_xlabel()
    'threshold: positive from this score on'
    """
    decision: Any = result  # a Decision: naming it would load the room of decisions for every figure
    per, by_threshold = decision.costs.per, decision.in_unit_interval
    curves, names = decision.curves(), [candidate.entity for candidate in decision.candidates]
    entity, cost = np.array(curves["entity"]), np.array(curves["cost"]) * per
    x = np.array(curves["threshold"] if by_threshold else curves["positive"], dtype=np.float64)
    constants = [(each.threshold > 0, each.cost * per) for each in decision.alternatives if each.entity is None]
    top = _top(decision, [level for _, level in constants])
    x_label = "threshold: positive from this score on" if by_threshold else "share of cases called positive"
    board = board_on(ax, x_label, decision.costs.heading, xlim=(0, 1), ylim=(0, top))
    hues, rounds = highlighted(decision.models, names), rounds_of(decision.models)
    for negative, level in constants:
        answer, dash = ("negative", CONSTANT[0]) if negative else ("positive", CONSTANT[1])
        if level <= top:
            line = [[0.0, level], [1.0, level]]
            board.line(line, INK, 1.1, dash=dash, soft=False, zorder=2, gid=f"reference all {answer}")
            style: dict[str, Any] = {"radius": 0.01, "reach": 3, "factor": 0.85, "style": "italic", "color": QUIET}
            board.name((0.97, level), f"call all {answer}", **style)
    for name in names:
        here, chosen = np.isfinite(x) & (entity == name), name == decision.entity
        curve = np.stack([np.clip(x[here], 0, 1), cost[here]], axis=-1)
        curve = curve[np.argsort(curve[:, 0], kind="stable")]
        if len(curve) > POINTS:
            curve = curve[np.unique(np.linspace(0, len(curve) - 1, POINTS).astype(int))]
        curve = _stairs(curve, cost[(entity == name) & ~here]) if by_threshold else curve
        style = {"dash": DASHES[rounds[name]], "zorder": 4 if chosen else 3, "gid": "curve"}
        board.line(curve, hues[name], 2.6 if chosen else 1.2, **style)
    _candidates(board, decision, hues, top)
    called = apart(names)
    _key(
        board,
        names,
        decision.entity,
        {name: {"color": hues[name], "ls": DASHES[rounds[name]]} for name in names},
        called,
    )
    in_use = [other for other in decision.alternatives if other.kind == "in use"]
    now = [*([decision] if decision.kept else []), *in_use]
    for other in now:
        at = _place(decision, other.entity, other.threshold), other.cost * per
        if at[1] <= top:
            board.dot(at, "none", 7, marker="s", edge=1.4, zorder=8, gid="in use")
            board.name(at, "in use", reach=6, zorder=9)
    dear = [called[each.entity] for each in reversed(decision.candidates) if not 0 <= each.cost * per <= top]
    note = (
        "Lines: costs on these cases. Marks: costs to expect, each threshold chosen on other cases, and 95 % intervals."
    )
    note += f" Not shown, too dear: {', '.join(dear[:4])}." if dear else ""
    note += " Costs above the frame are not shown." if (cost > top).any() else ""
    stated = decision.costs.text(decision.cost)
    subtitle = f"Expect {stated} (costs: {decision.costs.phrase}). {counted(len(names), 'model')} compared."
    return board.finish(decision.rule, subtitle, note)


def _candidates(board: Board, decision: Any, hues: Mapping[str, str], top: float) -> None:
    """Draw the chosen thresholds of the models, with the costs to expect and their intervals."""
    per = decision.costs.per
    for each in reversed(decision.candidates):
        at, value = _place(decision, each.entity, each.threshold), each.cost * per
        if not 0 <= value <= top:
            continue
        first = each.entity == decision.entity and not decision.constant and not decision.kept
        if each.interval is not None:
            low, high = (end * per for end in each.interval)
            style: dict[str, Any] = {"color": INK if first else hues[each.entity], "zorder": 6 if first else 5}
            width = board.scale.line(1.6 if first else 1.0)
            board.ax.plot([at, at], [low, min(high, top)], lw=width, gid="interval", **style)
        board.dot((at, value), hues[each.entity], 9 if first else 6, zorder=8, clip_on=True, gid="chosen")


def _key(
    board: Board, names: list[str], chosen: str, styles: Mapping[str, dict[str, Any]], called: Mapping[str, str]
) -> None:
    """Name the lines of the cheapest models where the axes have room."""
    scale, handles = board.scale, []
    for name in names[:NAMED]:
        label, width = shortened(called[name], SHORT_NAME), scale.line(2.6 if name == chosen else 1.4)
        handles.append(Line2D([], [], lw=width, label=label, **styles[name]))
    title = f"Cheapest first{f', {len(names) - NAMED} more not named' if len(names) > NAMED else ''}"
    key = board.ax.legend(
        handles=handles, loc="lower right", fontsize=scale["tick"], title=title, frameon=True, framealpha=0.85,
        edgecolor="none", title_fontsize=scale["note"], alignment="left",
    )  # fmt: skip
    key.set_zorder(9)
    for text in key.get_texts():
        text.set_parse_math(False)


def _top(decision: Any, constants: list[float]) -> float:
    """Return the largest cost that is drawn: somewhat above the constant answers, and above the models near them."""
    per = decision.costs.per
    marks = [(c.interval[1] if c.interval else c.cost) * per for c in decision.candidates]
    reach = 1.25 * max(min(constants), min(marks))
    return max([reach, *(1.08 * mark for mark in marks if mark <= 1.5 * reach)], default=1.0) or 1.0


def _stairs(line: Floats, none: Floats) -> Floats:
    """Return the steps of a cost: the same for all thresholds from one score up to the next; ``none``: all negative."""
    x, y = np.append(line[:, 0], 1.0), np.append(line[:, 1], none[:1] if len(none) else line[-1:, 1])
    left = np.append(0.0, x[:-1])
    return np.stack([np.stack([left, x], axis=-1).ravel(), np.repeat(y, 2)], axis=-1)


def _place(decision: Any, name: str, threshold: float) -> float:
    if decision.in_unit_interval:
        return float(np.clip(threshold, 0, 1))
    return float(decision.positive_share(name, threshold))

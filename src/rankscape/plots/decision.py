"""Draw a decision: the expected cost at every threshold of every model, and the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .._costs import Costs
from ..look import DASHES, INK, QUIET, highlighted, rounds_of
from ..results import Table
from ..texts import counted, shortened
from ..typing import Floats
from .frame import axes_of, clipped, dress, fraction, headline, name_point
from .labels import Board
from .looks import Look, in_look
from .style import SHORT_NAME, Scale, apart

NAMED = 8
"""Models that the key names."""

POINTS = 2000
"""Thresholds of a model that are drawn; of more, evenly spaced ones."""


class Decided(Protocol):
    """What is drawn of a :class:`rankscape.Decision`."""

    @property
    def costs(self) -> Costs:
        """What each outcome costs."""

    @property
    def entity(self) -> str:
        """The model to deploy."""

    @property
    def threshold(self) -> float:
        """The threshold to deploy."""

    @property
    def kept(self) -> bool:
        """Whether what is in use stays."""

    @property
    def cost(self) -> float:
        """The expected cost per case."""

    @property
    def candidates(self) -> Sequence[Any]:
        """The models, the cheapest first."""

    @property
    def alternatives(self) -> Sequence[Any]:
        """What else one could do."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of the data."""

    @property
    def rule(self) -> str:
        """What to do, as it is read."""

    @property
    def constant(self) -> bool:
        """Whether all cases are to be called the same."""

    @property
    def in_unit_interval(self) -> bool:
        """Whether the scores of all models lie in [0, 1]."""

    def curves(self) -> Table:
        """Return the costs at all thresholds."""

    def positive_share(self, name: str, threshold: float) -> float:
        """Return the share of the cases that a model calls positive at a threshold."""


@in_look
def draw_decision(
    decision: Decided, ax: Axes | None = None, *, colors: Mapping[str, str] | None = None, **look: Unpack[Look]
) -> Axes:
    """Draw what each threshold of each model costs.

    Lines are the costs on all cases at every threshold; the horizontal axis is the threshold where all scores lie in
    [0, 1], else the share of cases that are called positive. Marks are the chosen thresholds with the costs to expect,
    and their 95 % intervals.

    Parameters
    ----------
    decision
        What :func:`rankscape.decide` returns.
    ax
        Axes to draw on; by default those of a new figure.
    colors
        The color of each model, by its name; by default those of all figures.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> decision = rs.decide([0, 0, 1] * 20, [0.1, 0.4, 0.8] * 20, costs=rs.costs(miss=5))
    >>> rs.plots.draw_decision(decision).get_xlabel()
    'threshold: positive from this score on'
    """
    curves = decision.curves()
    names = [candidate.entity for candidate in decision.candidates]
    entity, cost = np.array(curves["entity"]), np.array(curves["cost"]) * decision.costs.per
    by_threshold = decision.in_unit_interval
    x = np.array(curves["threshold"] if by_threshold else curves["positive"], dtype=np.float64)
    constants = {
        "all negative" if each.threshold > 0 else "all positive": each.cost * decision.costs.per
        for each in decision.alternatives
        if each.entity is None
    }
    top = _top(decision, list(constants.values()))
    ax, scale = axes_of(ax, xlim=(0, 1), ylim=(0, top))
    board = Board(ax, scale)
    hues, rounds = highlighted(decision.models, names) | dict(colors or {}), rounds_of(decision.models)
    window = (0.0, 0.0, 1.0, top)
    for name, level in constants.items():
        if level <= top:
            ax.axhline(level, color=INK, ls=(0, (5, 3) if name == "all negative" else (1, 1.5)), lw=scale.line(1.1),
                       zorder=2, gid=f"reference {name}")  # fmt: skip
            place = fraction(ax, (0.97, level))
            board.draw_over(*fraction(ax, np.array([[0.0, level], [1.0, level]])).T)
            name_point(board, place, f"call all {name.removeprefix('all ')}", radius=0.01, reach=3, factor=0.85,
                       style="italic", color=QUIET)  # fmt: skip
    called = apart(names)
    lines: dict[str, Floats] = {}
    for name in names:
        here = np.isfinite(x) & (entity == name)
        line = np.stack([np.clip(x[here], 0, 1), cost[here]], axis=-1)
        line = _thinned(line[np.argsort(line[:, 0], kind="stable")])
        lines[name] = clipped(_stairs(line, cost[(entity == name) & ~here]) if by_threshold else line, window)
        first = name == decision.entity
        ax.plot(*lines[name].T, color=hues[name], ls=DASHES[rounds[name]], lw=scale.line(2.6 if first else 1.2),
                zorder=4 if first else 3, gid="curve")  # fmt: skip
        board.draw_over(*fraction(ax, lines[name]).T, soft=True)
    left_out = []
    for candidate in reversed(decision.candidates):
        at = _place(decision, candidate.entity, candidate.threshold, by_threshold)
        value = candidate.cost * decision.costs.per
        if not (0 <= value <= top):
            left_out.append(candidate.entity)
            continue
        first = candidate.entity == decision.entity and not decision.constant and not decision.kept
        style: dict[str, Any] = {"color": INK if first else hues[candidate.entity], "zorder": 6 if first else 5}
        if candidate.interval is not None:
            low, high = (end * decision.costs.per for end in candidate.interval)
            width = scale.line(1.6 if first else 1.0)
            ax.plot([at, at], [low, min(high, top)], lw=width, gid="interval", **style)
        size, edge = (9 if first else 6) * scale.factor, scale.line(1.0)
        ax.plot(at, value, "o", ms=size, mfc=hues[candidate.entity], mec=INK, mew=edge, zorder=8, gid="chosen")
    _key(ax, scale, names, decision.entity, hues, rounds, called)
    in_use = [other for other in decision.alternatives if other.kind == "in use"]
    for other in [*([decision] if decision.kept else []), *in_use]:
        if other.cost * decision.costs.per <= top:
            point = (_place(decision, other.entity, other.threshold, by_threshold), other.cost * decision.costs.per)
            ax.plot(*point, "s", ms=7 * scale.factor, mfc="none", mec=INK, mew=scale.line(1.4), zorder=8, gid="in use")
            name_point(board, fraction(ax, point), "in use", radius=0.02, reach=6, zorder=9)
    x_label = "threshold: positive from this score on" if by_threshold else "share of cases called positive"
    dress(ax, scale, x_label, decision.costs.heading)
    note = (
        "Lines: costs on these cases. Marks: costs to expect, each threshold chosen on other cases, and 95 % intervals."
    )
    note += f" Not shown, too dear: {', '.join(called[name] for name in left_out[:4])}." if left_out else ""
    stated = decision.costs.text(decision.cost)
    subtitle = f"Expect {stated} (costs: {decision.costs.phrase}). {counted(len(names), 'model')} compared."
    note += " Costs above the frame are not shown." if (cost > top).any() else ""
    headline(ax, scale, decision.rule, subtitle, note)
    return ax


def _key(
    ax: Axes,
    scale: Scale,
    names: list[str],
    chosen: str,
    hues: Mapping[str, str],
    rounds: Mapping[str, int],
    called: Mapping[str, str],
) -> None:
    """Name the lines of the cheapest models where the axes have room."""
    handles = [
        Line2D([], [], color=hues[name], ls=DASHES[rounds[name]], lw=scale.line(2.6 if name == chosen else 1.4),
               label=shortened(called[name], SHORT_NAME))
        for name in names[:NAMED]
    ]  # fmt: skip
    title = f"Cheapest first{f', {len(names) - NAMED} more not named' if len(names) > NAMED else ''}"
    key = ax.legend(handles=handles, loc="lower right", fontsize=scale["tick"], title=title, frameon=True,
                    framealpha=0.85, edgecolor="none", title_fontsize=scale["note"], alignment="left")  # fmt: skip
    key.set_zorder(9)
    for text in key.get_texts():
        text.set_parse_math(False)


def _top(decision: Decided, constants: list[float]) -> float:
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


def _thinned(line: Floats) -> Floats:
    """Return at most so many points of a line."""
    if len(line) <= POINTS:
        return line
    return np.asarray(line[np.unique(np.linspace(0, len(line) - 1, POINTS).astype(int))])


def _place(decision: Decided, name: str, threshold: float, by_threshold: bool) -> float:
    if by_threshold:
        return float(np.clip(threshold, 0, 1))
    return decision.positive_share(name, threshold)

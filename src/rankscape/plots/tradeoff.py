"""Draw a trade-off: what changes between its two ends, on one axis of β; the path of rankings; the heuristic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf, isnan
from typing import Any, Literal, Unpack, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from .._tradeoff import Tradeoff
from .._tradeoff.figures import RankSteps, drawn_curve, heuristic, points, rank_steps
from .._tradeoff.record import optimum_texts
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..errors import Option, UsageError
from ..geometry.curves import odds
from ..look import (
    AXES,
    BAND,
    CALLED,
    DASHES,
    ENDS,
    FAINT,
    HEURISTIC,
    HUES,
    INK,
    OPTIMUM,
    PAPER,
    QUIET,
    REST,
    colors_of,
    pretty,
    rounds_of,
)  # fmt: skip
from ..texts import counted, percent, shortened
from . import board as boards
from .board import Board, board_on, names_to_try
from .looks import Look, in_look, note_caption, wanted
from .roc import draw_points
from .style import apart, fit, plain, scale_of

Panel = Literal["points", "correlations", "ranks", "variance", "optimality", "quantiles", "path", "heuristic"]
BETAS: Mapping[str, tuple[str, str]] = {
    "correlations": ("Kendall’s τ of {between} with each end", "Kendall’s τ"),
    "ranks": ("Ranks between {ends}", "rank"),
    "variance": ("Fréchet variance", "σ²  (the smaller, the more balanced)"),
    "optimality": ("Degree of optimality", "disputed pairs ordered as the optimum does"),
    "quantiles": ("The {place} of every weight", "share of the way from {first} to {second}"),
}
"""The panels on the axis of β: their titles, and the words of their vertical axes."""

PANELS = ("points", "correlations", "ranks", "variance", "optimality", "quantiles", "path", "heuristic")
DEFAULT = ("points", "correlations", "variance", "ranks")
TICKS = {0: "0", 1 / 4: "¼", 1 / 2: "½", 1: "1", 2: "2", 4: "4", inf: "∞"}
MOST = 6
"""How many entities are highlighted."""
MOST_LINES = 100
"""Of more entities than this the faint lines are an image also in files of lines, which stay small so."""
BESIDE = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the axis at which curves may be named."""
WEIGHTS, DOTS = (0.2, 0.5, 0.8), 400
"""Shares whose β are named; rankings on a path, or swaps, of which each has a dot."""
STRIP = 31
"""Points at full size that the names of the marks need above the axes."""
SIDE, LEFT, RIGHT, BELOW, ABOVE, TOP, ASIDE = 3.4, 0.85, 1.5, 1.0, 0.55, 1.2, 0.9
"""Inches of the figure of several panels: their side, what they have around them, the headline, and what a column
without names at the right needs less."""


@dataclass(frozen=True)
class Mark:
    """A place between the ends that has a name."""

    name: str
    beta: float
    color: str
    style: Any = "-"
    central: bool = False
    """Whether it is the optimum."""

    @property
    def x(self) -> float:
        """Where it is on the axis."""
        return float(coordinate(self.beta))


@in_look
def draw_tradeoff(
    t: Tradeoff,
    ax: Axes | Sequence[Axes] | NDArray[np.object_] | None = None,
    *,
    panels: Panel | Sequence[Panel] | None = None,
    **look: Unpack[Look],
) -> Figure:
    """Draw panels about a trade-off in one figure.

    On one axis of β, with the optimum, F1, the heuristic and SIVF marked, "correlations" has Kendall's τ with each end,
    "ranks" the rank of every entity, "variance" the Fréchet variance, "optimality" the degree of optimality, and
    "quantiles" the share of the way to the second end, all as exact steps. "points" has the entities in ROC space
    (where priors differ or true negatives are not known, in PR space), with lines of equal score at the optimum; "path"
    the rankings in the plane of their first two components; "heuristic" the ray from (0, 1) through the mean
    performance, from which the heuristic is read off. (Optimal trade-off, Fig. 1, 3, 6, A.2.2, A.3.10-A.3.64.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on, one for each panel; by default those of a new figure.
    panels
        The names of some panels; one alone is drawn as its own figure. By default points, correlations, variance and
        ranks.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    UsageError
        For other panels, for axes that are not as many as the panels, for a path of too many rankings to be listed, and
        for a heuristic between other ends than precision and recall.

    Examples
    --------
    >>> import rankscape as rs
    >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> figure = rs.plots.draw_tradeoff(t, panels=["ranks", "variance"])
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['Ranks between precision and recall', 'Fréchet variance']
    """
    chosen: Sequence[str] = DEFAULT if panels is None else (panels,) if isinstance(panels, str) else tuple(panels)
    for name in chosen:
        if name not in PANELS:
            raise UsageError(f"panel {name!r}: expected one of {', '.join(PANELS)}")
    if not chosen:
        raise UsageError(f"no panel to draw: choose some of {', '.join(PANELS)}")
    if ax is not None:
        given = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) != len(chosen):
            one_panel = ["choose one panel, as in ", Option("panels", ["correlations"])]
            ways = ["give as many axes as panels", "give none", one_panel]
            raise UsageError(f"{counted(len(chosen), 'panel')} on {len(given)} axes", way_out=ways)
        for name, one in zip(chosen, given, strict=True):
            _panel(t, name, one)
        return cast(Figure, given[0].figure)
    return _figure(t, chosen) if len(chosen) > 1 else cast(Figure, _panel(t, chosen[0], None).figure)


def _figure(t: Tradeoff, chosen: Sequence[str]) -> Figure:
    """Draw panels two by two below a headline: where the optimum is, and below all panels where the marks are."""
    look, colors = wanted(), None
    top = 0.0 if look.paper and look.title is None else TOP
    rights = (RIGHT if "ranks" in chosen[::2] else RIGHT - ASIDE, RIGHT)
    axes = boards.panels(len(chosen), 2, side=SIDE, left=LEFT, rights=rights, below=BELOW, above=ABOVE, top=top)
    if "ranks" in chosen:
        steps = rank_steps(t)
        colors = {steps.names[row]: color for row, color in _highlighted(steps, marks_of(t)).items()}
    for name, ax in zip(chosen, axes, strict=True):
        _panel(t, name, ax, noted=False, colors=colors)
    first = axes[0]
    figure, scale = first.figure.figure, scale_of(first)
    (width, height), left = figure.get_size_inches(), first.get_position().x0
    ends = "between " + " and ".join(ends_of(t))
    title = f"The optimum {ends}: {optimum_text(t)}" if t.n_discordant else f"Nothing to trade off {ends}"
    subtitle = t.summary().replace("F_β", "Fᵦ").replace("\n", ". ") + "."
    title, subtitle = (title, subtitle) if look.title is ... else (look.title or "", "")
    note = f"Marks: {note_on(t, marks_of(t))}" if t.n_discordant and {*chosen} & {*BETAS} else ""
    if look.paper:
        note_caption(first, title, subtitle, note)
        note = subtitle = ""
    if note:
        text = fit(first, note, 72 * width * (1 - left), 3, fontsize=scale["note"])
        figure.text(
            left, 0.16 / height, text, fontsize=scale["note"], color=QUIET, parse_math=False, gid="note"
        )  # fmt: skip
    room, y = 72 * (min(width, look.width or width) * (1 - left) - 0.2), 1 - 0.12 / height
    for text, kind, factor, lines, style in (
        (title, "title", 1.15, 2, {"fontweight": "bold"}), (subtitle, "subtitle", 1.0, 4, {"color": QUIET}),
    ):  # fmt: skip
        if text:
            size = scale.size(kind, factor)
            wrapped, more = fit(first, plain(text), 0.97 * room, lines, fontsize=size), cast(dict[str, Any], style)
            figure.text(left, y, wrapped, ha="left", va="top", fontsize=size, parse_math=False, gid=kind, **more)
            y -= (1.3 * wrapped.count("\n") + 1.5) * size / 72 / height
    return figure


def _panel(
    t: Tradeoff, name: str, ax: Axes | None, *, noted: bool = True, colors: Mapping[str, str] | None = None
) -> Axes:
    """Draw a panel on axes, new ones by default, and, if ``noted``, say where the marks are."""
    if name == "points":
        return _points(t, ax, colors)
    if name in ("path", "heuristic"):
        return {"path": _path, "heuristic": _heuristic}[name](t, ax)
    first, second = ends_of(t)
    named = {"between": "Fᵦ" if t.segment.is_f_beta else "the scores", "place": coordinate_name(t)}
    named |= {"ends": f"{first} and {second}", "first": first, "second": second}
    title, label = (text.format(**named) for text in BETAS[name])
    board = board_on(ax, beta_words(t), label, right=1.9 if name == "ranks" else 0.75)
    set_betas(board.ax, t)
    marks, subtitle, note = marks_of(t), "", ""
    if name == "ranks":
        subtitle, note = _ranks(board, t, marks)
    elif t.n_discordant:
        subtitle, note = (_quantiles if name == "quantiles" else _curves)(board, t, marks, name)
    else:
        alike = f"{first} and {second}\norder all pairs alike:\nnothing to trade off"
        sentence = alike if t.n_pairs else "no pair to order"
        board.write(sentence, linespacing=1.3, color=QUIET, gid="nothing")
        board.ax.set_ylim(0, 1)
    _draw_marks(board, t, marks)
    if noted and t.n_discordant:
        note = f"{note} {note_on(t, marks)}".lstrip()
    return board.finish(title, subtitle if board.scale.new else "", note, rise=STRIP)


def _curves(board: Board, t: Tradeoff, marks: Sequence[Mark], name: str) -> tuple[str, str]:
    """Draw curves as exact steps, swaps included (of very many some), with a dot where they meet a mark."""
    ax, curve, ends = board.ax, drawn_curve(t), ends_of(t)
    taus = {"tau_first": (ENDS["first"], "-"), "tau_second": (ENDS["second"], (0, (6, 1.2)))}
    columns: dict[str, tuple[str, Any]] = taus if name == "correlations" else {name: (INK, "-")}
    values = {column: np.repeat(np.asarray(curve[column], dtype=np.float64), 2) for column in columns}
    low = min(float(y.min()) for y in values.values()) if name != "variance" else 0.0
    high = max(float(y.max()) for y in values.values())
    pad = 0.06 * ((high - low) or 1.0)
    ax.set_ylim(low - pad * (name != "variance"), high + pad)
    x = coordinate(np.stack([curve["from"], curve["to"]], axis=-1)).ravel()
    for column, (color, dash) in columns.items():
        line = np.stack([x, values[column]], axis=-1)
        board.line(line, color, 1.9, dash=dash, soft=name != "correlations", gid=column, solid_joinstyle="miter")
    for mark in marks:
        board.draw_over(*board.at([[mark.x, low], [mark.x, high]]).T, soft=True)
    if name == "correlations":
        for tau in sorted(set(t.tau(t.beta))):
            _dot(board, marks[0], tau)
        left, right = ax.get_xlim()
        order, at = np.argsort(x, kind="stable"), np.array([left + share * (right - left) for share in BESIDE])
        heights = [np.interp(at, x[order], y[order]) for y in values.values()]
        wide = np.argsort(-np.abs(heights[0] - heights[1]), kind="stable")
        for y, end, (color, _) in zip(heights, ends, taus.values(), strict=True):
            spots = np.stack([at, y], axis=-1)[wide]
            board.name(spots, f"τ with {end}", reach=3, factor=0.9, color=color, fontweight="bold")
        of_marks = [(mark.name, *t.tau(mark.beta)) for mark in marks if mark.name.startswith("F₁")]
        return ". ".join(f"{m}: τ = {a:.2f} with {ends[0]}, {b:.2f} with {ends[1]}" for m, a, b in of_marks), ""
    heights_at = [(t.frechet_variance if name == "variance" else t.optimality)(mark.beta) for mark in marks]
    for mark, height in zip(marks, heights_at, strict=True):
        _dot(board, mark, height)
    if name == "variance":
        return "The squares of Kendall’s distances to both ends, added.", ""
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    for mark, height in zip(marks, heights_at, strict=True):
        if not mark.central:
            board.name((mark.x, height), percent(height), reach=4, factor=0.85)
    return "", ""


def _quantiles(board: Board, t: Tradeoff, marks: Sequence[Mark], name: str) -> tuple[str, str]:
    """Draw the share of the way to the second end against β, a dot per swap where they are few, and name some β."""
    # Dashed is b = β²/(1+β²) equal to the share, which weights values and not ranks.
    board.ax.set_ylim(0, 1)
    board.ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    (first, second), total = along(t), t.n_discordant
    if total <= 10 * DOTS:
        shares = np.arange(total + 2) / (total + 1)
        inner = coordinate(np.sqrt(t.swaps))
        x = np.concatenate([[float(t.segment.low)], inner, [float(t.segment.high)]])
        x = x[::-1] if t.segment.reversed else x
    else:
        shares = np.linspace(0, 1, 10 * DOTS // 8 + 1)
        x = coordinate([t.quantile(float(share)) for share in shares])
    board.line([[first, 0], [second, 1]], QUIET, 1, dash=(0, (4, 3)), zorder=1.5, gid="values")
    few = len(x) <= DOTS
    board.line(
        np.stack([x, shares], axis=-1), INK, 1.6, soft=False, marker="o" if few else "", ms=3.5 * board.scale.factor,
        mfc=FAINT, mec=INK, mew=board.scale.line(0.5), zorder=2.5, gid=name,
    )  # fmt: skip
    for mark in marks:
        board.draw_over(*board.at([[mark.x, 0], [mark.x, 1]]).T, soft=True)
    for share in WEIGHTS:
        half, beta = share == 0.5, t.quantile(share)
        at = float(coordinate(beta)), share
        board.dot(at, OPTIMUM if half else FAINT, 8, marker="D" if half else "o", gid="weight")
        board.name(at, f"{100 * share:.0f} %: {place_text(t, beta)}", reach=6, factor=0.9)
    share = WEIGHTS[-1]
    by_values = place_text(t, odds(first + share * (second - first)) ** 0.5)
    by_ranks = f"{100 * share:.0f} % for {ends_of(t)[1]} by ranks: {place_text(t, t.quantile(share))}"
    note = f"{'Dots: swaps. ' * few}Dashed: the same weight by values."
    return f"{by_ranks}; by values it would be {by_values}.", note


def _ranks(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> tuple[str, str]:
    """Draw the rank of every entity, 1 at the top; of very many rankings some, exact where they are."""
    # Those first at an end, at the optimum or by F1, then those whose ranks change most, have colors and names.
    ax, scale, steps = board.ax, board.scale, rank_steps(t)
    ax.set_ylim(t.n + 0.5 + 0.02 * t.n, 0.5 - 0.02 * t.n)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
    ax.set_yticks([tick for tick in {1, *ax.get_yticks()} if 1 <= tick <= t.n])
    x = coordinate(np.stack([steps.low, steps.high], axis=-1)).ravel()
    lines = [np.stack([x, np.repeat(ranks, 2)], axis=-1) for ranks in steps.ranks.T]
    highlighted = _highlighted(steps, marks)
    ax.add_collection(
        LineCollection(
            [line for row, line in enumerate(lines) if row not in highlighted], colors=FAINT, zorder=1, gid="ranks",
            linewidths=scale.line(float(np.clip(40 / max(t.n, 1), 0.3, 1.1))), rasterized=t.n > MOST_LINES,
        ),
        autolim=False,
    )  # fmt: skip
    called, rounds, last = apart(steps.names), rounds_of(steps.names), 0 if t.segment.reversed else -1
    ends = []
    for row, color in highlighted.items():
        name = steps.names[row]
        board.line(lines[row], color, 2.2, dash=DASHES[rounds[name]], zorder=3, gid=f"ranks of {name}")
        ends.append((float(board.at((0, steps.ranks[last, row]))[1]), row, color))
    height, edge = 1.25 * scale["tick"] / scale.side, ax.figure.bbox.x1 - 3
    heights = spread([y for y, *_ in sorted(ends)], [height] * len(ends), -0.02, 1.02)
    for (y, row, color), at in zip(sorted(ends), heights, strict=True):  # the names, beside the second end
        ax.plot([1, 1.02, 1.05], [y, y, at], transform=ax.transAxes, color=color, lw=scale.line(1.6), clip_on=False)
        text = names_to_try([called[steps.names[same]] for same in _alike(steps, row)])[-1]
        artist = ax.text(
            1.06, at, text, transform=ax.transAxes, ha="left", va="center", fontsize=scale.size("tick", 0.95),
            color=INK, parse_math=False, gid="entity name",
        )  # fmt: skip
        for length in range(len(text), 7, -1):
            if artist.get_window_extent().x1 <= edge:
                break
            artist.set_text(shortened(text, length))
    note = "" if t.n_discordant else "No rank depends on the trade-off."
    if steps.n_rankings is None:
        note = f"{len(steps.ranks)} rankings are drawn, of millions."
    elif len(steps.ranks) < steps.n_rankings:
        note = f"{len(steps.ranks)} of {steps.n_rankings} rankings are drawn."
    return f"{counted(t.n_discordant, 'pair')} of models swap.", note


def _highlighted(steps: RankSteps, marks: Sequence[Mark]) -> dict[int, str]:
    """Return the rows of entities to highlight, and their colors."""
    at = [0, len(steps.ranks) - 1, *(int(np.searchsorted(steps.high, mark.beta)) for mark in marks[:2])]
    rows = [int(np.argmin(steps.ranks[min(k, len(steps.ranks) - 1)])) for k in at] if steps.names else []
    moved = np.ptp(steps.ranks, axis=0) if steps.names else np.empty(0)
    rows += [int(row) for row in np.argsort(-moved, kind="stable") if moved[row] > 0]
    alone = (row for row in dict.fromkeys(rows) if row == _alike(steps, row)[0])
    hues = colors_of(steps.names)
    return {row: hues[steps.names[row]] for row in islice(alone, MOST)}


def _alike(steps: RankSteps, row: int) -> list[int]:
    """Return the rows of the entities that have the same ranks everywhere."""
    return [int(same) for same in np.flatnonzero((steps.ranks == steps.ranks[:, [row]]).all(axis=0))]


def _points(t: Tradeoff, ax: Axes | None, colors: Mapping[str, str] | None) -> Axes:
    """Draw the entities in ROC space, or PR space, with the lines of the score at the optimum; ``colors`` by name."""
    view = points(t)
    name = view.preference.label if view.preference is not None else ""
    title = f"Lines of equal {pretty(name)}" if name else "The models"
    subtitle = "Priors differ: PR space." if view.prior is None else ""
    return draw_points(replace(view, title=title, subtitle=subtitle), ax, colors=colors)


def _path(t: Tradeoff, ax: Axes | None) -> Axes:
    """Draw one dot per ranking and a line per swap in the plane of the first two components, on one scale."""
    path, marks, (first, second) = t.path(), marks_of(t), ends_of(t)
    plane, shares = path.plane, [f"{100 * share:.1f} %" for share in path.explained]
    middle, half = (plane.max(axis=0) + plane.min(axis=0)) / 2, 0.62 * float(np.ptp(plane, axis=0).max()) or 1.0
    xlim, ylim = ((center - half, center + half) for center in middle)
    labels = (f"{which} component  ({share})" for which, share in zip(("first", "second"), shares, strict=True))
    board = board_on(ax, *labels, xlim=xlim, ylim=ylim)
    few = len(path) <= DOTS
    board.line(
        plane, QUIET, 1.2, soft=False, marker="o" if few else "", ms=3.5 * board.scale.factor, mfc=FAINT, mec=QUIET,
        mew=board.scale.line(0.5), zorder=2, gid="path",
    )  # fmt: skip
    ends = [Mark(first, path.low[0], ENDS["first"]), Mark(second, path.high[-1], ENDS["second"])]
    places = list(zip(ends, plane[[0, -1]][:: -1 if t.segment.reversed else 1], strict=True))
    named: list[tuple[Floats, str, Mark]] = []
    for mark, place in [*places, *((mark, path.at(mark.beta)) for mark in marks)]:
        for k, (at, name, first_mark) in enumerate(named):
            if np.allclose(at, place, rtol=0, atol=1e-9 * half):
                named[k] = (place, f"{name} = {mark.name}", first_mark)
                break
        else:
            named.append((place, mark.name, mark))
    for place, name, mark in named:
        central = "optimum" in name
        marker, color = ("D", OPTIMUM) if central else ("o", mark.color)
        board.dot(place, color, 8 + central, marker=marker, gid=f"place {name}")
    for place, name, _ in named:
        board.name(place, name, reach=8, fontweight="bold" if "optimum" in name else "normal")
    explained = f"two components explain {100 * sum(path.explained):.2f} % of the variance."
    at_once = "" if len(path) == t.n_discordant + 1 else ", or by several at the same β"
    note = f"One dot per ranking; neighbors differ by a swap{at_once}." if few else ""
    if not t.n_discordant:
        board.ax.set(xticks=[], yticks=[])
        note = f"{first} and {second} order all pairs alike: nothing to trade off."
    return board.finish("The path of rankings", f"{counted(len(path), 'ranking')}; {explained}", note)


def _heuristic(t: Tradeoff, ax: Axes | None) -> Axes:
    """Draw the ray from (0, 1) through the mean performance, a star, whose β is the heuristic; gray: other β."""
    reading = heuristic(t)
    board = board_on(ax, *AXES["roc"], xlim=(0, 1), ylim=(0, 1))
    for beta, end in reading.rays.items():
        ours = beta == reading.beta
        color, width = (HEURISTIC, 2.4) if ours else (FAINT, 0.9)
        board.line([[0.0, 1.0], end], color, width, zorder=3 if ours else 1, clip_on=False, gid="ray")
    board.dot(np.stack([reading.fpr, reading.tpr], axis=-1), REST, 4.5, mec=PAPER, edge=0.4, zorder=4, gid="entity")
    for beta, (x, y) in sorted(reading.rays.items(), key=lambda item: item[0] != reading.beta):
        inside = 0.96 if x < 1 else 0.95  # where they leave the axes, but inside of these
        style: dict[str, Any] = {"color": QUIET, "factor": 0.8}
        text = TICKS.get(beta, f"{beta:g}")
        if beta == reading.beta:
            text, style = f"β = {beta:.3g}", {"color": INK, "fontweight": "bold", "factor": 0.9}
        board.name(np.clip((inside * x, 1 + inside * (y - 1)), 0.02, 0.97), text, radius=0.004, reach=4, **style)
    board.dot(reading.mean, HUES[4], 15, marker="*", gid="mean")
    board.name(reading.mean, "mean performance", radius=0.03, reach=8, fontweight="bold")
    subtitle = f"Through the mean goes the ray of β = {reading.beta:.3g}"
    subtitle += "." if np.isnan(reading.optimum) else f"; the optimum is at β = {reading.optimum:.3g}."
    note = f"Gray: the rays of other β, at π₊ = {reading.prior:.3g}; on each β² = E[PFP]/E[PFN] is the same."
    return board.finish("The heuristic, read off in ROC space", subtitle, note)


# ---- the axis of β, and what is marked on it


def ends_of(t: Tradeoff) -> tuple[str, str]:
    """Return what to call the two ends: precision and recall by their names."""
    first, second = t.ends
    return CALLED.get(first, first), CALLED.get(second, second)


def along(t: Tradeoff) -> tuple[float, float]:
    """Return the coordinates of the first end and of the second."""
    return float(t.segment.start), float(t.segment.end)


def coordinate_name(t: Tradeoff) -> str:
    """Return what the axis of the places between the ends is called."""
    return "β" if t.segment.is_f_beta else t.segment.moving


def half_way(t: Tradeoff) -> str:
    """Return what to call the place of β = 1: F₁ between precision and recall, elsewhere the coordinate."""
    return "F₁" if t.segment.is_f_beta else f"{t.segment.moving} = ½"


def beta_words(t: Tradeoff) -> str:
    """Return the words of the axis of β."""
    first, second = ends_of(t)
    return f"← {first}      {coordinate_name(t)}      {second} →"


def set_betas(ax: Axes, t: Tradeoff) -> None:
    """Set the horizontal axis from the first end to the second: b = β²/(1+β²) with ticks in β, or the coordinate."""
    low, high = sorted(along(t))
    if t.segment.is_f_beta:
        ticks = {x: text for beta, text in TICKS.items() if low <= (x := float(coordinate(beta))) <= high}
        ax.set_xticks(list(ticks), labels=list(ticks.values()))
    ax.set_xlim(*along(t))


def place_text(t: Tradeoff, beta: float) -> str:
    """Return a place as text: β between precision and recall, elsewhere the coordinate.

    >>> from rankscape._tradeoff import tradeoff
    >>> counts = [[80, 2, 9, 9], [76, 6, 6, 12]]
    >>> [place_text(tradeoff(counts, ends=ends), 0.5) for ends in (("ppv", "tpr"), ("npv", "tpr"))]
    ['β = 0.5', 'a = 0.2']
    """
    if t.segment.is_f_beta:
        return f"β = {beta:.3g}".replace("inf", "∞")
    return f"{t.segment.moving} = {float(coordinate(beta)):.3g}"


def optimum_text(t: Tradeoff) -> str:
    """Return the optimum as text, the whole interval where it is one that can be seen.

    >>> from rankscape._tradeoff import tradeoff
    >>> optimum_text(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]))
    'β from 0.594 to 0.745'
    """
    low, at, high = optimum_texts(t)
    return f"{coordinate_name(t)} " + (f"= {at}" if low == high else f"from {low} to {high}")


def marks_of(t: Tradeoff) -> list[Mark]:
    """Return what is marked between the ends, the optimum first; marks at one place share it, and a name."""
    marks = [Mark("optimum", t.beta, OPTIMUM, central=True)] if t.n_discordant else []
    marks += [
        Mark(half_way(t), 1.0, INK, (0, (5, 2.5))),
        Mark("heuristic", t.heuristic_beta, QUIET, (0, (1, 1.3))),
        Mark("SIVF", t.sivf_beta, QUIET, (0, (5, 1.5, 1, 1.5))),
    ]
    low, high = float(t.segment.low), float(t.segment.high)
    kept: list[Mark] = []
    for mark in marks:
        if isnan(mark.beta) or not low <= mark.x <= high:
            continue
        for k, other in enumerate(kept):
            if abs(other.x - mark.x) < 1e-9:
                kept[k] = replace(other, name=f"{other.name} = {mark.name}")
                break
        else:
            kept.append(mark)
    return kept


def note_on(t: Tradeoff, marks: Sequence[Mark]) -> str:
    """Return where the marks are."""
    low, at, high = optimum_texts(t)
    places = [
        f"{mark.name}: " + (f"{coordinate_name(t)} = {at}" if mark.central else place_text(t, mark.beta))
        for mark in marks
    ]
    places += [f"band: all optima, {low} to {high}"] * (low != high)
    return "; ".join(places) + "." if places else ""


def _dot(board: Board, mark: Mark, value: float) -> None:
    """Draw a dot where a curve meets a mark, a diamond at the optimum."""
    marker, size = ("D", 8) if mark.central else ("o", 7)
    board.dot((mark.x, value), mark.color, size, marker=marker, gid=f"dot {mark.name}")


def _draw_marks(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> None:
    """Draw the marks as upright lines, all optima as a band, and their names above the axes."""
    ax, scale = board.ax, board.scale
    low, high = (float(coordinate(odds**0.5)) for odds in t.optimal_set) if t.n_discordant else (0.0, 0.0)
    if high > low:
        ax.axvspan(low, high, color=BAND, lw=0, zorder=0.5, gid="optimal set")
    for mark in marks[::-1]:
        width, gid = scale.line(2.2 if mark.central else 1.5), f"mark {mark.name}"
        ax.axvline(mark.x, color=mark.color, ls=mark.style, lw=width, zorder=1.5 + mark.central, gid=gid)
    box = ax.get_window_extent()
    up = 14 * scale.factor * ax.figure.dpi / 72 / box.height
    left, right = ax.get_xlim()
    across = {mark: (mark.x - left) / (right - left) for mark in marks}
    ordered, texts = sorted(marks, key=across.__getitem__), []
    for mark in ordered:
        text, weight = (f"{mark.name} {optimum_texts(t)[1]}", "bold") if mark.central else (mark.name, "normal")
        texts.append(
            ax.text(
                0, 1 + up, text, transform=ax.transAxes, ha="center", va="bottom", fontsize=scale.size("tick", 0.95),
                color=INK, fontweight=weight, parse_math=False, gid="mark name",
            )
        )  # fmt: skip
    widths = [artist.get_window_extent().width / box.width + 0.02 for artist in texts]
    centers = spread([across[mark] for mark in ordered], widths, -0.06, 1.1)
    for artist, center, mark in zip(texts, centers, ordered, strict=True):
        artist.set_x(center)
        ax.plot(
            [across[mark], across[mark], center], [1, 1 + up / 3, 1 + 0.9 * up], transform=ax.transAxes, clip_on=False,
            color=mark.color, lw=scale.line(1.2), zorder=3, gid="to mark",
        )  # fmt: skip


def spread(centers: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Return centers, ascending, moved apart so that things of these sizes fit side by side between low and high.

    >>> [round(x, 3) for x in spread([0.5, 0.5, 0.52], [0.2, 0.2, 0.2], 0, 1)]
    [0.307, 0.507, 0.707]
    """
    if not sizes:
        return []
    offsets: Floats = np.concatenate([[0], np.cumsum((np.array(sizes[:-1]) + np.array(sizes[1:])) / 2)])
    blocks: list[list[float]] = []  # sums of wishes and sizes of those that touch: their mean is where they are
    for wish in np.array(centers) - offsets:
        blocks.append([float(wish), 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    placed = np.array([total / number for total, number in blocks for _ in range(int(number))]) + offsets
    placed = np.maximum(placed, low + sizes[0] / 2 + offsets)
    placed = np.minimum(placed, high - sizes[-1] / 2 - offsets[-1] + offsets)
    return [float(x) for x in placed]

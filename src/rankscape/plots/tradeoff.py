"""Draw trade-offs on an axis of β: ranks, or Kendall's τ with both ends; and the optimum on every domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any, Literal, Unpack, get_args

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator

from .._tradeoff import Path, Tradeoff, Tradeoffs
from .._tradeoff.record import MOST_DISTINCT, curves, optimum_texts, path_after
from .._tradeoff.segments import coordinate, root
from ..errors import Option, UsageError
from ..kernels.crossings import Crossing
from ..look import BAND, CALLED, DASHES, ENDS, FAINT, INK, PAPER, QUIET, colors_of, rounds_of, tint
from ..results import Table
from ..texts import counted
from .board import Board, Look, apart, board_on, in_look, names_to_try

Panel = Literal["ranks", "correlations"]
TICKS = {0: "0", 1 / 4: "¼", 1 / 2: "½", 1: "1", 2: "2", 4: "4", inf: "∞"}
MOST = 6
"""How many entities are highlighted."""
MOST_LINES = 100
"""Of more entities than this the faint lines are an image also in files of lines, which stay small so."""
STRIP = 31
"""Points at full size that the names of the marks need above the axes."""
NUMBERS = 120_000
"""Ranks that are drawn where there would be more: about as many as a figure can show."""
SHARP, SELECTED = 20_000, 100
"""Swaps up to which curves are drawn with every step, and how many of more: most are too narrow to be seen."""


@dataclass(frozen=True)
class Mark:
    """A place between the ends that has a name; the line of the optimum is solid."""

    name: str
    beta: float
    dash: Any = "-"

    @property
    def x(self) -> float:
        """Where it is on the axis."""
        return float(coordinate(self.beta))


@in_look
def draw_tradeoff(t: Tradeoff, ax: Axes | None = None, *, panel: Panel = "ranks", **look: Unpack[Look]) -> Axes:
    """Draw what changes between the two ends, on an axis of β with the optimum, F1, the heuristic and SIVF marked.

    "ranks" has the rank of every entity, "correlations" Kendall's τ with each end, as exact steps; of very many swaps
    some are drawn. ``t.curve()`` has the Fréchet variance and the degree of optimality, too, and
    ``rs.views.roc(P, by=t.score)`` the entities with lines of equal score at the optimum. (Optimal trade-off, Fig. 1,
    3, 6, A.3.10-A.3.62.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on; by default those of a new figure.
    panel
        What is drawn: "ranks" or "correlations".
    **look
        How every figure may look: style, width and title, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For another panel.

    Examples
    --------
    >>> import rankscape as rs
    >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> rs.plots.draw_tradeoff(t).get_title(loc="left")
    'Ranks between precision and recall'
    """
    if panel not in get_args(Panel):
        raise UsageError(Option("panel", panel), expected=" or ".join(map(repr, get_args(Panel))))
    draw, label, right = (_ranks, "rank", 2.1) if panel == "ranks" else (_correlations, "Kendall’s τ", 0.75)
    board = board_on(ax, beta_words(t), label, right=right)
    set_betas(board.ax, t)
    marks = marks_of(t)
    title, subtitle, note = draw(board, t, marks)
    _draw_marks(board, t, marks)
    if t.n_discordant:
        note = f"{note} {note_on(t, marks)}".lstrip()
    return board.finish(title, subtitle if board.scale.new else "", note, rise=STRIP)


def drawn_curve(t: Tradeoff) -> Table:
    """Return the curves as a figure shows them: every step or, of very many swaps, the values at some, evenly spread.

    >>> from rankscape._tradeoff import tradeoff
    >>> t = tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> drawn_curve(t)["passed"] == t.curve()["passed"]
    True
    """
    if t.n_discordant <= SHARP:
        return t.curve()
    some = _some_swaps(t, SELECTED)
    (low, high), betas = np.sqrt(t.limits), np.array([root(t.segment.odds_at(one.place)) for one in some])
    doubled = np.array([0, *(one.before + one.upto for one in some), 2 * t.n_discordant])
    return curves(t, np.concatenate([[low], betas, betas[-1:]]), np.concatenate([betas[:1], betas, [high]]), doubled)


def drawn_path(t: Tradeoff, most: int | None = None) -> Path:
    """Return the rankings between the ends: all of them, or ``most``, evenly many swaps apart, each up to the next one.

    >>> from rankscape._tradeoff import tradeoff
    >>> path = drawn_path(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
    >>> path.low.round(4).tolist(), path.rankings.astype(int).tolist()
    ([0.0, 0.7454, 0.8498, 1.0], [[1, 2, 3], [2, 1, 3], [3, 1, 2], [3, 2, 1]])
    """
    most = max(NUMBERS // max(t.n, 1), 50) if most is None else most
    few = t.n_discordant < most
    swaps = [p for p, _ in t.crossings.distinct()] if few else [one.place for one in _some_swaps(t, most - 1)]
    return path_after(t, swaps)


def _some_swaps(t: Tradeoff, most: int) -> list[Crossing]:
    """Return so many distinct swaps at most, ascending, evenly many swaps apart."""
    numbers = np.unique(np.linspace(1, t.n_discordant, min(most, t.n_discordant)).round().astype(np.int64))
    crossings = {one.place: one for one in map(t.crossings.kth, numbers.tolist())}
    return [crossings[place] for place in sorted(crossings)]


def _correlations(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> tuple[str, str, str]:
    """Draw τ with both ends as exact steps, swaps included, with dots where they meet the marks."""
    (first, second), ax = ends_of(t), board.ax
    title = f"Kendall’s τ of {'Fᵦ' if t.segment.is_f_beta else 'the scores'} with each end"
    if not t.n_discordant:
        alike = f"{first} and {second}\norder all pairs alike:\nnothing to trade off"
        board.write(alike if t.n_pairs else "no pair to order", linespacing=1.3, color=QUIET, gid="nothing")
        ax.set_ylim(0, 1)
        return title, "", ""
    curve = drawn_curve(t)
    x = coordinate(np.stack([curve["from"], curve["to"]], axis=-1)).ravel()
    taus = [np.repeat(np.asarray(curve[column], dtype=np.float64), 2) for column in ("tau_first", "tau_second")]
    low, high = np.min(taus), np.max(taus)
    pad = 0.06 * (high - low)
    ax.set_ylim(low - pad, high + pad)
    for end, values, dash in zip(ENDS, taus, ("-", (0, (6, 1.2))), strict=True):
        style: dict[str, Any] = {"gid": f"tau_{end}", "solid_joinstyle": "miter", "soft": False}
        board.line(np.stack([x, values], axis=-1), ENDS[end], 1.9, dash=dash, **style)
    for mark in marks:
        board.draw_over(*board.at([[mark.x, low], [mark.x, high]]).T, soft=True)
        marker, size = ("D", 8) if mark.dash == "-" else ("o", 5)
        for tau in t.tau(mark.beta):
            board.dot((mark.x, tau), INK, size, marker=marker, gid=f"dot {mark.name}")
    gap, (left, right) = np.abs(np.subtract(*taus)), ax.get_xlim()
    apart_first = np.argsort(-gap * (np.abs((x - left) / (right - left) - 0.5) < 0.35), kind="stable")
    for values, color, end in zip(taus, ENDS.values(), (first, second), strict=True):
        spots = np.stack([x, values], axis=-1)[apart_first[:: len(x) // 8 + 1]]
        board.name(spots, f"τ with {end}", reach=3, factor=0.9, color=color, fontweight="bold")
    of_f1 = [(mark.name, *t.tau(mark.beta)) for mark in marks if mark.name.startswith("F₁")]
    return title, ". ".join(f"{m}: τ = {a:.2f} with {first}, {b:.2f} with {second}" for m, a, b in of_f1), ""


def _ranks(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> tuple[str, str, str]:
    """Draw the rank of every entity, 1 at the top; of very many rankings some, exact where they are."""
    # Those first at an end, at the optimum or by F1, then those whose ranks change most, have colors and names.
    ax, scale, path = board.ax, board.scale, drawn_path(t)
    ax.set_ylim(t.n + 0.5 + 0.02 * t.n, 0.5 - 0.02 * t.n)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
    ax.set_yticks([tick for tick in {1, *ax.get_yticks()} if 1 <= tick <= t.n])
    x = coordinate(np.stack([path.low, path.high], axis=-1)).ravel()
    lines = [np.stack([x, np.repeat(ranks, 2)], axis=-1) for ranks in path.rankings.T]
    rows, hues = _highlighted(path, marks), colors_of(t.names)
    ax.add_collection(
        LineCollection(
            [line for row, line in enumerate(lines) if row not in rows], colors=FAINT, zorder=1, gid="ranks",
            linewidths=scale.line(float(np.clip(40 / max(t.n, 1), 0.3, 1.1))), rasterized=t.n > MOST_LINES,
        ),
        autolim=False,
    )  # fmt: skip
    called, rounds, last = apart(t.names), rounds_of(t.names), 0 if t.segment.reversed else -1
    for row in rows:
        name = t.names[row]
        board.line(lines[row], hues[name], 2.2, dash=DASHES[rounds[name]], zorder=3, gid=f"ranks of {name}")
    ends = [
        (float(board.at((0, path.rankings[last, row]))[1]), names_to_try([called[t.names[k]] for k in alike])[-1],
         hues[t.names[row]], "normal") for row, alike in rows.items()
    ]  # fmt: skip
    board.label_edge("y", ends, gid="entity name")
    note = "" if t.n_discordant else "No rank depends on the trade-off."
    if t.n_discordant > MOST_DISTINCT:
        note = f"{len(path)} rankings are drawn, of millions."
    elif len(path) < t.n_rankings:
        note = f"{len(path)} of {t.n_rankings} rankings are drawn."
    title = f"Ranks between {' and '.join(ends_of(t))}"
    return title, f"{counted(t.n_discordant, 'pair')} of models swap.", note


def _highlighted(path: Path, marks: Sequence[Mark]) -> dict[int, list[int]]:
    """Return the rows of entities to highlight, each with all that have the same ranks everywhere."""
    if not path.names:
        return {}
    at = [0, -1, *(int(np.searchsorted(path.high[:-1], mark.beta)) for mark in marks[:2])]
    moved = np.ptp(path.rankings, axis=0)
    by_moves = [int(row) for row in np.argsort(-moved, kind="stable") if moved[row] > 0]
    groups: dict[int, list[int]] = {}
    for row in dict.fromkeys([*(int(np.argmin(path.rankings[k])) for k in at), *by_moves]):
        alike = np.flatnonzero((path.rankings == path.rankings[:, [row]]).all(axis=0)).tolist()
        groups.setdefault(alike[0], alike)
        if len(groups) == MOST:
            break
    return groups


# ---- the axis of β, and what is marked on it


def ends_of(t: Tradeoff) -> tuple[str, str]:
    """Return what to call the two ends: precision and recall by their names."""
    first, second = t.ends
    return CALLED.get(first, first), CALLED.get(second, second)


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
    if t.segment.is_f_beta:
        places = {float(coordinate(beta)): text for beta, text in TICKS.items()}
        ticks = {x: text for x, text in places.items() if t.segment.low <= x <= t.segment.high}
        ax.set_xticks(list(ticks), labels=list(ticks.values()))
    ax.set_xlim(float(t.segment.start), float(t.segment.end))


def place_text(t: Tradeoff, beta: float) -> str:
    """Return a place as text: β between precision and recall, elsewhere the coordinate.

    >>> from rankscape._tradeoff import tradeoff
    >>> counts = [[80, 2, 9, 9], [76, 6, 6, 12]]
    >>> [place_text(tradeoff(counts, ends=ends), 0.5) for ends in (("ppv", "tpr"), ("npv", "tpr"))]
    ['β = 0.5', 'a = 0.2']
    """
    at = beta if t.segment.is_f_beta else float(coordinate(beta))
    return f"{coordinate_name(t)} = {at:.3g}".replace("inf", "∞")


def marks_of(t: Tradeoff) -> list[Mark]:
    """Return what is marked between the ends, the optimum first; marks at one place share it, and a name."""
    marks = [Mark("optimum", t.beta)] if t.n_discordant else []
    marks += [Mark(half_way(t), 1.0, (0, (5, 2.5))), Mark("heuristic", t.heuristic_beta, (0, (1, 1.3)))]
    marks.append(Mark("SIVF", t.sivf_beta, (0, (5, 1.5, 1, 1.5))))
    kept: dict[float, Mark] = {}
    for mark in marks:
        if not isnan(mark.beta) and t.segment.low <= mark.x <= t.segment.high:
            first = kept.setdefault(round(mark.x, 9), mark)
            if first is not mark:
                kept[round(mark.x, 9)] = replace(first, name=f"{first.name} = {mark.name}")
    return list(kept.values())


def note_on(t: Tradeoff, marks: Sequence[Mark]) -> str:
    """Return where the marks are."""
    low, at, high = optimum_texts(t)
    places = [
        f"{mark.name}: " + (f"{coordinate_name(t)} = {at}" if mark.dash == "-" else place_text(t, mark.beta))
        for mark in marks
    ]
    places += [f"band: all optima, {low} to {high}"] * (low != high)
    return "; ".join(places) + "." if places else ""


def _draw_marks(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> None:
    """Draw the marks as upright lines, all optima as a band, and their names above the axes."""
    ax, scale = board.ax, board.scale
    low, high = coordinate(np.sqrt(t.optimal_set)).tolist() if t.n_discordant else (0.0, 0.0)
    if high > low:
        ax.axvspan(low, high, color=BAND, lw=0, zorder=0.5, gid="optimal set")
    for mark in marks[::-1]:
        width, over = (2.2, 2.5) if mark.dash == "-" else (1.5, 1.5)
        ax.axvline(mark.x, color=INK, ls=mark.dash, lw=scale.line(width), zorder=over, gid=f"mark {mark.name}")
    names = []
    for mark in marks:
        central = mark.dash == "-"
        text = f"{mark.name} {optimum_texts(t)[1]}" if central else mark.name
        names.append((float(board.at((mark.x, 0))[0]), text, INK, "bold" if central else "normal"))
    board.label_edge("x", names, gid="mark name")


# ---- many domains


@in_look
def draw_tradeoffs(ts: Tradeoffs, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the optimum of every domain, a bar of all optima, and the heuristic, between the two ends.

    Domains are sorted by the optimum; dashed is F1, or between other ends the place half-way between the corners.

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
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
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> [text.get_text() for text in rs.plots.draw_tradeoffs(rs.tradeoffs(P)).get_yticklabels()]
    ['y', 'x']
    """
    t, kept = ts.any, [domain for domain, t in ts.items() if t.n_discordant]
    kept.sort(key=lambda domain: (ts[domain].beta, domain), reverse=t.segment.reversed)
    board = board_on(ax, beta_words(t), "", square=False)
    ax, scale = board.ax, board.scale
    board.rows(kept)
    set_betas(ax, t)
    rows, n = np.arange(len(kept)), max(len(kept), 1)
    low, high = coordinate(np.sqrt([ts[domain].optimal_set for domain in kept] or np.empty((0, 2)))).T
    width = scale.line(float(np.clip(220 / n, 1.2, 9)))
    ax.hlines(rows, low, high, color=tint(INK), lw=width, capstyle="round", zorder=1.5, gid="optimal set")
    ax.set_ylim(len(kept) - 0.4, -0.6)
    if t.segment.low < 0.5 < t.segment.high:
        ax.axvline(0.5, color=INK, ls=(0, (5, 2.5)), lw=scale.line(1.3), zorder=1, gid="half way")
    size = float(np.clip(160 / n, 2.5, 7))
    optima, heuristics = (
        np.stack([coordinate([getattr(ts[domain], beta) for domain in kept]), rows], axis=-1)
        for beta in ("beta", "heuristic_beta")
    )
    board.dot(heuristics, PAPER, 0.8 * size, mec=QUIET, zorder=3, gid="heuristic")
    board.dot(optima, INK, size, marker="D", edge=0.6, zorder=4, gid="optimum")
    note = f"Diamonds: the optimum, bars: all optima, circles: the heuristic; dashed: {half_way(t)}."
    if len(kept) < len(ts):
        note += f" On {counted(len(ts) - len(kept), 'domain')} nothing is to be traded off."
    subtitle = ""
    if len(kept) > 1:
        first, last = (place_text(ts[domain], ts[domain].beta) for domain in (kept[0], kept[-1]))
        subtitle = f"On {counted(len(kept), 'domain')}: {first} to {last.partition('= ')[2]}."
    return board.finish(f"The optimum between {' and '.join(ends_of(t))}", subtitle, note)

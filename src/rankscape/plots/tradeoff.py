"""Draw trade-offs: what changes between the two ends, on one axis of β; and the optimum on every domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any, Literal, Unpack, cast, get_args

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from .._tradeoff import Tradeoff, Tradeoffs
from .._tradeoff.figures import RankSteps, drawn_curve, points, rank_steps
from .._tradeoff.record import optimum_texts
from .._tradeoff.segments import coordinate
from ..errors import Option, UsageError
from ..look import BAND, CALLED, DASHES, ENDS, FAINT, HUES, INK, PAPER, QUIET, colors_of, pretty, rounds_of, tint
from ..texts import counted, percent
from .board import Board, board_on, names_to_try, new_axes
from .looks import Look, apart, fit, in_look, note_caption, plain, scale_of, wanted
from .roc import draw_points

Panel = Literal["points", "correlations", "variance", "ranks", "optimality"]
WORDS = {
    "correlations": ("Kendall’s τ of {between} with each end", "Kendall’s τ"),
    "variance": ("Fréchet variance", "σ²  (the smaller, the more balanced)"),
    "ranks": ("Ranks between {ends}", "rank"),
    "optimality": ("Degree of optimality", "disputed pairs ordered as the optimum does"),
}
"""The panels on the axis of β: their titles, and the words of their vertical axes."""

TICKS = {0: "0", 1 / 4: "¼", 1 / 2: "½", 1: "1", 2: "2", 4: "4", inf: "∞"}
MOST = 6
"""How many entities are highlighted."""
MOST_LINES = 100
"""Of more entities than this the faint lines are an image also in files of lines, which stay small so."""
STRIP = 31
"""Points at full size that the names of the marks need above the axes."""
SIDE, LEFT, RIGHTS, BELOW, ABOVE, TOP = 3.4, 0.85, (0.6, 1.6), 1.0, 0.6, 1.3
"""Inches of the figure of several panels: their side, what they have around them, and the headline."""

DomainPanel = Literal["optima", "shares"]
SHARES = (
    ("agree", "both ends agree", "#d9d9d9", ""),
    ("as_optimum_with_1", "{} as the optimum", HUES[0], ""),
    ("against_optimum_with_1", "{} against the optimum", ENDS["second"], "////"),
)
"""Columns, what they are called, where {} is F₁ or what stands for it, colors and hatches, from the left."""
NAMED = 40
"""Domains of which each has its name beside its row."""


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
def draw_tradeoff(
    t: Tradeoff,
    ax: Axes | Sequence[Axes] | NDArray[np.object_] | None = None,
    *,
    panels: Panel | Sequence[Panel] = ("points", "correlations", "variance", "ranks"),
    **look: Unpack[Look],
) -> Figure:
    """Draw panels about a trade-off in one figure.

    On one axis of β, with the optimum, F1, the heuristic and SIVF marked, "correlations" has Kendall's τ with each end,
    "ranks" the rank of every entity, "variance" the Fréchet variance, and "optimality" the degree of optimality, all as
    exact steps. "points" has the entities in ROC space (where priors differ or true negatives are not known, in PR
    space), with lines of equal score at the optimum. (Optimal trade-off, Fig. 1, 3, 6, A.3.10-A.3.62.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on, one for each panel; by default those of a new figure.
    panels
        The names of some panels; one alone is drawn as its own figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    UsageError
        For other panels, and for axes that are not as many as the panels.

    Examples
    --------
    >>> import rankscape as rs
    >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> figure = rs.plots.draw_tradeoff(t, panels=["ranks", "variance"])
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['Ranks between precision and recall', 'Fréchet variance']
    """
    known: Sequence[str] = get_args(Panel)
    chosen: Sequence[str] = (panels,) if isinstance(panels, str) else tuple(panels)
    for name in chosen:
        if name not in known:
            raise UsageError(f"panel {name!r}: expected one of {', '.join(known)}")
    if not chosen:
        raise UsageError(f"no panel to draw: choose some of {', '.join(known)}")
    if ax is None and len(chosen) > 1:
        return _several(t, chosen)
    axes = [None] if ax is None else list(np.ravel(np.asarray(ax, dtype=object)))
    if len(axes) != len(chosen):
        one_panel = ["choose one panel, as in ", Option("panels", ["correlations"])]
        ways = ["give as many axes as panels", "give none", one_panel]
        raise UsageError(f"{counted(len(chosen), 'panel')} on {len(axes)} axes", way_out=ways)
    drawn = [_panel(t, name, one) for name, one in zip(chosen, axes, strict=True)]
    return cast(Figure, drawn[0].figure)


def _several(t: Tradeoff, chosen: Sequence[str]) -> Figure:
    """Draw panels two by two below a headline that says where the optimum is."""
    look = wanted()
    top = 0.0 if look.paper and look.title is None else TOP
    rights = (RIGHTS["ranks" in chosen[::2]], RIGHTS[1])
    below = 0.65 * BELOW if look.paper else BELOW  # notes are in the caption
    axes = new_axes(len(chosen), 2, side=SIDE, left=LEFT, rights=rights, below=below, above=ABOVE, top=top)
    last = max((k for k, name in enumerate(chosen) if name in WORDS), default=None)
    for k, (name, ax) in enumerate(zip(chosen, axes, strict=True)):
        _panel(t, name, ax, noted=k == last)
    first = axes[0]
    figure, scale = first.figure.figure, scale_of(first)
    (width, height), left = figure.get_size_inches(), first.get_position().x0
    ends = "between " + " and ".join(ends_of(t))
    title = f"Nothing to trade off {ends}"
    if t.n_discordant:
        low, at, high = optimum_texts(t)
        title = f"The optimum {ends}: {coordinate_name(t)} "
        title += f"= {at}" if low == high else f"from {low} to {high}"
    subtitle = t.summary().replace("F_β", "Fᵦ").replace("\n", ". ") + "."
    title, subtitle = (title, subtitle) if look.title is ... else (look.title or "", "")
    if look.paper:
        note_caption(first, title, subtitle)
        subtitle = ""
    room, y = 72 * (width * (1 - left) - 0.2), 1 - 0.12 / height
    for text, kind, lines, weight, color in (
        (title, "title", 2, "bold", INK), (subtitle, "subtitle", 4, "normal", QUIET),
    ):  # fmt: skip
        if text:
            wrapped = fit(plain(text), 0.95 * room, lines, scale[kind], weight)
            style: dict[str, Any] = {"fontsize": scale[kind], "fontweight": weight, "color": color, "gid": kind}
            figure.text(left, y, wrapped, ha="left", va="top", parse_math=False, **style)
            y -= (1.3 * wrapped.count("\n") + 1.5) * scale[kind] / 72 / height
    return figure


def _panel(t: Tradeoff, name: str, ax: Axes | None, *, noted: bool = True) -> Axes:
    """Draw a panel on axes, new ones by default, and, if ``noted``, say where the marks are."""
    if name == "points":
        view = points(t)
        title = f"Lines of equal {pretty(view.preference.label)}" if view.preference is not None else "The models"
        return draw_points(
            replace(view, title=title, subtitle="Priors differ: PR space." if view.prior is None else ""), ax
        )
    first, second = ends_of(t)
    between = "Fᵦ" if t.segment.is_f_beta else "the scores"
    title, label = WORDS[name]
    board = board_on(ax, beta_words(t), label, right=2.1 if name == "ranks" else 0.75)
    set_betas(board.ax, t)
    marks, subtitle, note = marks_of(t), "", ""
    if name == "ranks":
        subtitle, note = _ranks(board, t, marks)
    elif t.n_discordant:
        subtitle = _curves(board, t, marks, name)
    else:
        alike = f"{first} and {second}\norder all pairs alike:\nnothing to trade off"
        board.write(alike if t.n_pairs else "no pair to order", linespacing=1.3, color=QUIET, gid="nothing")
        board.ax.set_ylim(0, 1)
    _draw_marks(board, t, marks)
    if noted and t.n_discordant:
        note = f"{note} {note_on(t, marks)}".lstrip()
    title = title.format(between=between, ends=f"{first} and {second}")
    return board.finish(title, subtitle if board.scale.new else "", note, rise=STRIP)


def _curves(board: Board, t: Tradeoff, marks: Sequence[Mark], name: str) -> str:
    """Draw curves as exact steps, swaps included (of very many some), with dots where they meet the marks."""
    curve, (first, second) = drawn_curve(t), ends_of(t)
    of: Any = {"correlations": t.tau, "variance": t.frechet_variance, "optimality": t.optimality}[name]
    columns = ("tau_first", "tau_second") if name == "correlations" else (name,)
    looks: list[tuple[str, Any]] = (
        [(ENDS["first"], "-"), (ENDS["second"], (0, (6, 1.2)))] if columns[1:] else [(INK, "-")]
    )
    curves = [np.repeat(np.asarray(curve[column], dtype=np.float64), 2) for column in columns]
    low = min(values.min() for values in curves) if name != "variance" else 0.0
    high = max(values.max() for values in curves)
    pad = 0.06 * ((high - low) or 1.0)
    board.ax.set_ylim(low - pad * (name != "variance"), high + pad)
    x = coordinate(np.stack([curve["from"], curve["to"]], axis=-1)).ravel()
    for column, values, (color, dash) in zip(columns, curves, looks, strict=True):
        style: dict[str, Any] = {"gid": column, "solid_joinstyle": "miter", "soft": name != "correlations"}
        board.line(np.stack([x, values], axis=-1), color, 1.9, dash=dash, **style)
    for mark in marks:
        board.draw_over(*board.at([[mark.x, low], [mark.x, high]]).T, soft=True)
        for height in np.atleast_1d(of(mark.beta)):
            diamond = mark.dash == "-"
            marker, size = ("D", 8) if diamond else ("o", 5 if name == "correlations" else 7)
            board.dot((mark.x, height), INK, size, marker=marker, gid=f"dot {mark.name}")
            if name == "optimality" and not diamond:
                board.name((mark.x, height), percent(height), reach=4, factor=0.85)
    if name == "correlations":
        gap, (left, right) = np.abs(np.subtract(*curves)), board.ax.get_xlim()
        apart_first = np.argsort(-gap * (np.abs((x - left) / (right - left) - 0.5) < 0.35), kind="stable")
        for values, (color, _), end in zip(curves, looks, (first, second), strict=True):
            spots = np.stack([x, values], axis=-1)[apart_first[:: len(x) // 8 + 1]]
            board.name(spots, f"τ with {end}", reach=3, factor=0.9, color=color, fontweight="bold")
    if name == "optimality":
        board.ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        return ""
    if name == "variance":
        return "The squares of Kendall’s distances to both ends, added."
    of_f1 = [(mark.name, *t.tau(mark.beta)) for mark in marks if mark.name.startswith("F₁")]
    return ". ".join(f"{m}: τ = {a:.2f} with {first}, {b:.2f} with {second}" for m, a, b in of_f1)


def _ranks(board: Board, t: Tradeoff, marks: Sequence[Mark]) -> tuple[str, str]:
    """Draw the rank of every entity, 1 at the top; of very many rankings some, exact where they are."""
    # Those first at an end, at the optimum or by F1, then those whose ranks change most, have colors and names.
    ax, scale, steps = board.ax, board.scale, rank_steps(t)
    ax.set_ylim(t.n + 0.5 + 0.02 * t.n, 0.5 - 0.02 * t.n)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
    ax.set_yticks([tick for tick in {1, *ax.get_yticks()} if 1 <= tick <= t.n])
    x = coordinate(np.stack([steps.low, steps.high], axis=-1)).ravel()
    lines = [np.stack([x, np.repeat(ranks, 2)], axis=-1) for ranks in steps.ranks.T]
    rows, hues = _highlighted(steps, marks), colors_of(steps.names)
    ax.add_collection(
        LineCollection(
            [line for row, line in enumerate(lines) if row not in rows], colors=FAINT, zorder=1, gid="ranks",
            linewidths=scale.line(float(np.clip(40 / max(t.n, 1), 0.3, 1.1))), rasterized=t.n > MOST_LINES,
        ),
        autolim=False,
    )  # fmt: skip
    called, rounds, last = apart(steps.names), rounds_of(steps.names), 0 if t.segment.reversed else -1
    for row in rows:
        name = steps.names[row]
        board.line(lines[row], hues[name], 2.2, dash=DASHES[rounds[name]], zorder=3, gid=f"ranks of {name}")
    ends = [
        (float(board.at((0, steps.ranks[last, row]))[1]), names_to_try([called[steps.names[k]] for k in alike])[-1],
         hues[steps.names[row]], "normal") for row, alike in rows.items()
    ]  # fmt: skip
    board.label_edge("y", ends, gid="entity name")
    note = "" if t.n_discordant else "No rank depends on the trade-off."
    if steps.n_rankings is None:
        note = f"{len(steps.ranks)} rankings are drawn, of millions."
    elif len(steps.ranks) < steps.n_rankings:
        note = f"{len(steps.ranks)} of {steps.n_rankings} rankings are drawn."
    return f"{counted(t.n_discordant, 'pair')} of models swap.", note


def _highlighted(steps: RankSteps, marks: Sequence[Mark]) -> dict[int, list[int]]:
    """Return the rows of entities to highlight, each with all that have the same ranks everywhere."""
    if not steps.names:
        return {}
    at = [0, -1, *(int(np.searchsorted(steps.high[:-1], mark.beta)) for mark in marks[:2])]
    moved = np.ptp(steps.ranks, axis=0)
    by_moves = [int(row) for row in np.argsort(-moved, kind="stable") if moved[row] > 0]
    groups: dict[int, list[int]] = {}
    for row in dict.fromkeys([*(int(np.argmin(steps.ranks[k])) for k in at), *by_moves]):
        alike = np.flatnonzero((steps.ranks == steps.ranks[:, [row]]).all(axis=0)).tolist()
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
    kept: list[Mark] = []
    for mark in marks:
        if isnan(mark.beta) or not t.segment.low <= mark.x <= t.segment.high:
            continue
        same = next((k for k, other in enumerate(kept) if abs(other.x - mark.x) < 1e-9), None)
        if same is None:
            kept.append(mark)
        else:
            kept[same] = replace(kept[same], name=f"{kept[same].name} = {mark.name}")
    return kept


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
def draw_tradeoffs(
    ts: Tradeoffs, ax: Axes | None = None, *, panels: DomainPanel = "optima", **look: Unpack[Look]
) -> Axes:
    """Draw what the trade-off of every domain is.

    "optima" has, for each domain, the optimum, a bar of all optima, and the heuristic, between the two ends. "shares"
    has the shares of pairs that all F_β order alike, or F₁ orders as, or against, the optimum; between other ends than
    precision and recall the place half-way between the corners stands for F1. (Optimal trade-off, (13)-(15), Fig. 8.)

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
    ax
        Axes to draw on; by default those of a new figure.
    panels
        What is drawn: "optima" or "shares".
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For other panels.

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> [text.get_text() for text in rs.plots.draw_tradeoffs(rs.tradeoffs(P)).get_yticklabels()]
    ['y', 'x']
    """
    if panels not in get_args(DomainPanel):
        raise UsageError(f"panel {panels!r}: expected one of {', '.join(get_args(DomainPanel))}")
    return _shares(ts, ax) if panels == "shares" else _optima(ts, ax)


def _rows(ax: Axes | None, label: str, domains: Sequence[str], **limits: Any) -> Board:
    """Return a board with a row for each domain, named where they are not too many."""
    named = len(domains) <= NAMED
    beside = "" if named else counted(len(domains), "domain")
    board = board_on(ax, label, beside, square=False, **limits)
    if named:
        board.rows(domains)
    else:
        board.ax.set_yticks([])
    board.ax.set_ylim(len(domains) - 0.4, -0.6)
    return board


def _optima(ts: Tradeoffs, ax: Axes | None) -> Axes:
    """Draw the optimum of each domain, all optima, and the heuristic, sorted by the optimum; dashed is F1."""
    t, kept = ts.any, [domain for domain, t in ts.items() if t.n_discordant]
    kept.sort(key=lambda domain: (ts[domain].beta, domain), reverse=t.segment.reversed)
    board = _rows(ax, beta_words(t), kept)
    ax, scale = board.ax, board.scale
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


def _shares(ts: Tradeoffs, ax: Axes | None) -> Axes:
    """Draw a stacked bar per domain, from the least share of pairs against the optimum to the largest."""
    table, habit = ts.table(), half_way(ts.any)
    values = np.array([table[column] for column, *_ in SHARES], dtype=np.float64)
    order = np.argsort(np.nan_to_num(values[2], nan=2.0), kind="stable")
    board = _rows(ax, "pairs of models", [table["domain"][k] for k in order], xlim=(0, 1))
    ax, named, start = board.ax, len(order) <= NAMED, np.zeros(len(order))
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    style: dict[str, Any] = {"height": 0.9 if named else 1.0, "edgecolor": PAPER, "linewidth": 0.5 if named else 0}
    for (column, text, color, hatch), widths in zip(SHARES, np.nan_to_num(values[:, order]), strict=True):
        style |= {"label": text.format(habit), "gid": column, "hatch": hatch if named else ""}
        ax.barh(range(len(order)), widths, left=start, color=color, **style)
        start += widths
    names: Any = ax.yaxis.get_tightbbox()
    box = ax.get_window_extent()
    from_names = (names.x0 - box.x0) / box.width if wanted().narrow and names is not None else 0.0
    ax.legend(
        loc="lower left", bbox_to_anchor=(from_names, 1), ncols=3, fontsize=board.scale.size("tick", 0.88),
        frameon=False, borderpad=0, borderaxespad=0.4, handlelength=1, handletextpad=0.4, columnspacing=0.8,
    )  # fmt: skip
    missing = int(np.isnan(values[2]).sum())
    note = f"{counted(missing, 'domain')} without a pair of models." if missing else ""
    subtitle = "There are no pairs of models."
    if missing < len(order):
        against = percent(float(np.nanmean(values[2])))
        subtitle = f"On average over {counted(len(order), 'domain')} {habit} orders {against} of pairs against it."
    return board.finish(f"{habit} against the optimal trade-off", subtitle, note, rise=26)

"""Draw many trade-offs: the optimum, the shares of pairs and what predicts the optimum, of every domain; families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Unpack, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from .._tradeoff import Tradeoffs
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..distributions import AcrossPriors, across_priors
from ..distributions.family import Family
from ..errors import UsageError
from ..look import ENDS, HUES, INK, OPTIMUM, PAPER, PRIOR, QUIET, SIVF, tint
from ..texts import counted, percent
from . import board as boards
from .board import Board, board_on
from .looks import Look, in_look, wanted
from .tradeoff import TICKS, along, beta_words, ends_of, half_way, place_text, set_betas

DomainPanel = Literal["optima", "shares", "prior", "heuristic"]
PANELS = ("optima", "shares", "prior", "heuristic")
SHARES = (
    ("agree", "both ends agree", "#d9d9d9", ""),
    ("as_optimum_with_1", "{} as the optimum", HUES[0], ""),
    ("against_optimum_with_1", "{} against the optimum", ENDS["second"], "////"),
)
"""Columns, what they are called, where {} is F₁ or what stands for it, colors and hatches, from the left."""
NAMED = 40
Curve = tuple[str, str, Floats, str, Any, str]
"""Domains of which each has its name beside its row."""


@in_look
def draw_tradeoffs(
    ts: Tradeoffs,
    ax: Axes | Sequence[Axes] | None = None,
    *,
    panels: DomainPanel | Sequence[DomainPanel] = "optima",
    **look: Unpack[Look],
) -> Axes:
    """Draw panels about the trade-off of every domain.

    "optima" has, for each domain, the optimum, a bar of all optima, and the heuristic, between the two ends. "shares"
    has the shares of pairs that all F_β order alike, or F₁ orders as, or against, the optimum; between other ends than
    precision and recall the place half-way between the corners stands for F1. "prior" and "heuristic" draw a point per
    domain: the optimum, as b = β²/(1+β²), against the prior, where dashed is SIVF, and against the heuristic, where
    dashed is equality; r is Pearson's. (Optimal trade-off, 4.6, (13)-(15), Fig. 7, 8.)

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
    ax
        Axes to draw on, one for each panel; by default those of a new figure.
    panels
        One panel or several, side by side.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes of the first panel.

    Raises
    ------
    UsageError
        For other panels, for axes that are not as many, and for predictors on a diagonal of the Tile, where there is no
        heuristic.

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> results = rs.tradeoffs(P)
    >>> [text.get_text() for text in rs.plots.draw_tradeoffs(results).get_yticklabels()]
    ['y', 'x']
    >>> ax = rs.plots.draw_tradeoffs(results, panels=["prior", "heuristic"])
    >>> [one.get_title(loc="left") for one in ax.figure.axes]
    ['The prior: r = −1.000', 'The heuristic: r = −1.000']
    """
    chosen: Sequence[str] = (panels,) if isinstance(panels, str) else tuple(panels)
    for name in chosen:
        if name not in PANELS:
            raise UsageError(f"panel {name!r}: expected one of {', '.join(PANELS)}")
    axes: list[Axes | None] = [None]
    if ax is not None:
        axes = list(np.ravel(np.asarray(ax, dtype=object)))
    elif len(chosen) > 1:
        axes = [*_row(len(chosen))]
    if len(axes) != len(chosen):
        raise UsageError(f"{counted(len(chosen), 'panel')} on {len(axes)} axes: give as many axes as panels, or none")
    draw: dict[str, Callable[..., Axes]] = {"optima": _optima, "shares": _shares}
    drawn = [draw.get(name, _predictor)(ts, one, name) for name, one in zip(chosen, axes, strict=True)]
    return drawn[0]


def _row(n: int) -> list[Axes]:
    """Return square axes side by side in a new figure."""
    return boards.panels(n, n, side=3.6, left=0.85, rights=[0.3] * n, below=1.15, above=0.85)


def _rows(ax: Axes | None, label: str, domains: Sequence[str], **limits: Any) -> Board:
    """Return a board with a row for each domain, named where they are not too many."""
    named = len(domains) <= NAMED
    beside = "" if named else counted(len(domains), "domain")
    board = board_on(ax, label, beside, rows=min(len(domains), NAMED) or 1, **limits)
    if named:
        board.rows(domains)
    board.ax.set_ylim(len(domains) - 0.4, -0.6)
    if not named:
        board.ax.set_yticks([])
    return board


def _optima(ts: Tradeoffs, ax: Axes | None, _: str) -> Axes:
    """Draw the optimum of each domain, all optima, and the heuristic, sorted by the optimum; dashed is F1."""
    kept = sorted((float(coordinate(t.beta)), domain) for domain, t in ts.items() if t.n_discordant)
    if ts.any.segment.reversed:
        kept.reverse()
    board = _rows(ax, beta_words(ts.any), [domain for _, domain in kept])
    ax, scale = board.ax, board.scale
    set_betas(ax, ts.any)
    n, rows = max(len(kept), 1), np.arange(len(kept))
    bars = [[float(coordinate(odds**0.5)) for odds in ts[domain].optimal_set] for _, domain in kept]
    ax.add_collection(
        LineCollection(
            [[(a, row), (b, row)] for row, (a, b) in enumerate(bars)], colors=tint(OPTIMUM),
            linewidths=scale.line(float(np.clip(220 / n, 1.2, 9))), capstyle="round", zorder=1.5, gid="optimal set",
        ),
        autolim=False,
    )  # fmt: skip
    low, high = sorted(along(ts.any))
    if low < 0.5 < high:
        ax.axvline(0.5, color=INK, ls=(0, (5, 2.5)), lw=scale.line(1.3), zorder=1, gid="half way")
    size = float(np.clip(160 / n, 2.5, 7))
    heuristics = [float(coordinate(ts[domain].heuristic_beta)) for _, domain in kept]
    board.dot(np.stack([heuristics, rows], axis=-1), PAPER, 0.8 * size, mec=QUIET, zorder=3, gid="heuristic")
    board.dot(
        np.stack([[x for x, _ in kept], rows], axis=-1), OPTIMUM, size, marker="D", edge=0.6, zorder=4, gid="optimum"
    )
    note = f"Diamonds: the optimum, bars: all optima, circles: the heuristic; dashed: {half_way(ts.any)}."
    if len(kept) < len(ts):
        note += f" On {counted(len(ts) - len(kept), 'domain')} nothing is to be traded off."
    texts = [place_text(ts[domain], ts[domain].beta) for _, domain in (kept[:1] + kept[-1:])]
    subtitle = ""
    if len(kept) > 1:
        subtitle = f"On {counted(len(kept), 'domain')}: {texts[0]} to {texts[-1].partition('= ')[2]}."
    return board.finish(f"The optimum between {' and '.join(ends_of(ts.any))}", subtitle, note)


def _shares(ts: Tradeoffs, ax: Axes | None, _: str) -> Axes:
    """Draw a stacked bar per domain, from the least share of pairs against the optimum to the largest."""
    table, habit = ts.table(), half_way(ts.any)
    values = np.array([table[column] for column, *_ in SHARES], dtype=np.float64)
    order = np.argsort(np.nan_to_num(values[2], nan=2.0), kind="stable")
    board = _rows(ax, "pairs of models", [table["domain"][k] for k in order], xlim=(0, 1))
    ax, named, start = board.ax, len(order) <= NAMED, np.zeros(len(order))
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    style: dict[str, Any] = {"height": 0.9 if named else 1.0, "edgecolor": PAPER, "linewidth": 0.5 if named else 0}
    for (column, text, color, hatch), widths in zip(SHARES, np.nan_to_num(values[:, order]), strict=True):
        style["label"] = text.format(habit)
        bars = ax.barh(range(len(order)), widths, left=start, color=color, hatch=hatch if named else "", **style)
        for bar in bars:
            bar.set_gid(column)
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


def _predictor(ts: Tradeoffs, ax: Axes | None, column: str) -> Axes:
    """Draw the optimum of each domain against the prior or the heuristic."""
    optima, r, segment = ts.predictors(), ts.pearson(), ts.any.segment
    if segment.kind not in ("vertical", "horizontal"):
        raise UsageError("on a diagonal of the Tile there is no heuristic to draw: choose the panel 'optima'")
    ratio = "E[PFP] / (E[PFP] + E[PFN])" if segment.kind == "vertical" else "E[PTN] / (E[PTN] + E[PTP])"
    name, label, dashed, note = "The prior", PRIOR, [[0, 1], [1, 0]], "Dashed: SIVF, b = 1 − π₊."
    if column == "heuristic":
        column, name, label = "heuristic_b", "The heuristic", ratio
        dashed, note = [[0, 0], [1, 1]], "Dashed: the optimum itself."
    elif not segment.is_f_beta:
        dashed, note = [], ""
    board = board_on(ax, label, f"{segment.moving} of the optimum", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    if dashed:
        board.line(dashed, QUIET, 1.1, dash=(0, (4, 3)), zorder=1, gid="dashed")
    x, y = (np.asarray(optima[key], dtype=np.float64) for key in (column, "optimal_b"))
    board.dot(np.stack([x, y], axis=-1), OPTIMUM, 6.5, edge=0.7, alpha=0.8, zorder=3, gid="domain")
    correlation = "undefined" if np.isnan(r[column]) else f"{r[column]:.3f}".replace("-", "−")
    left_out = len(ts) - len(optima)
    note += f" Left out, without an optimum: {counted(left_out, 'domain')}." if left_out else ""
    return board.finish(f"{name}: r = {correlation}", f"{counted(len(optima), 'domain')}.", note)


@in_look
def draw_family(family: AcrossPriors | Callable[[float], Family], **look: Unpack[Look]) -> Figure:
    """Draw a family of performances across priors: τ of F1 and SIVF with both ends, the Fréchet variance, and b*.

    (Optimal trade-off, Fig. 5, A.3.5.)

    Parameters
    ----------
    family
        A function of the prior, such as :class:`rankscape.distributions.FixedPriors`, or what
        :func:`rankscape.distributions.across_priors` returns.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The new figure.

    Raises
    ------
    UsageError
        For a prior outside (0, 1).

    Examples
    --------
    >>> import rankscape as rs
    >>> from rankscape.distributions import FixedPriors, across_priors
    >>> figure = rs.plots.draw_family(across_priors(FixedPriors, [0.1, 0.5, 0.9], variance_at=(0.5,)))
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['F₁ and SIVF across priors', 'Fréchet variance', 'The optimum across priors']
    """
    across = family if isinstance(family, AcrossPriors) else across_priors(family)
    left, middle, right = _row(3)
    x, colors = across.priors, (ENDS["first"], ENDS["second"])
    lines: list[Curve] = [
        (f"{name}, {end}", f"τ {name} {end}", tau, color, dash, color)
        for taus, name, dash in ((across.tau_f1, "F₁", "-"), (across.tau_sivf, "SIVF", (0, (4, 2))))
        for tau, end, color in zip(taus.T, ("precision", "recall"), colors, strict=True)
    ]
    board = board_on(left, PRIOR, "Kendall’s τ", xlim=(0, 1), ylim=(min(0.0, float(np.nanmin(across.tau_f1))), 1.03))
    _name_lines(board, x, lines)
    board.finish("F₁ and SIVF across priors", "Balanced where both τ are equal.", "Dashed: SIVF.")

    top = max((float(values.max()) for values in across.variance.values()), default=1.0)
    board = board_on(middle, "← precision      β      recall →", "σ²", xlim=(0, 1), ylim=(0, 1.05 * top))
    ticks = {float(coordinate(beta)): text for beta, text in TICKS.items()}
    middle.set_xticks(list(ticks), list(ticks.values()))
    dashes: list[Any] = ["-", (0, (6, 1.5)), (0, (3, 1.5)), (0, (1, 1))]
    hues = [HUES[k] for k in (6, 0, 1, 5, 2, 3)]
    lines = [
        (f"π₊ = {prior:g}", f"variance {prior:g}", values, hues[k % len(hues)], dashes[k % len(dashes)], INK)
        for k, (prior, values) in enumerate(across.variance.items())
    ]
    _name_lines(board, across.b, lines)
    board.finish("Fréchet variance", "The optimum is where it is least.", "")

    board = board_on(right, PRIOR, "b", xlim=(0, 1), ylim=(0, 1))
    lines = [
        ("optimum", "optimum", across.optimal_b, OPTIMUM, "-", INK),
        ("SIVF", "SIVF", 1 - x, SIVF, (0, (5, 1.5, 1, 1.5)), INK),
        ("F₁", "F₁", np.full(len(x), 0.5), INK, (0, (5, 2.5)), INK),
    ]
    _name_lines(board, x, lines)
    subtitle = "Where precision (b = 0) and recall (b = 1) are equally far."
    board.finish("The optimum across priors", subtitle, f"Family: {across.family}.")
    return cast(Figure, left.figure)


def _name_lines(board: Board, x: Floats, lines: Sequence[Curve]) -> None:
    """Draw curves (name, gid, heights, color, dash, ink of the name), each named where it is far from the others."""
    for _, gid, y, color, dash, _ink in lines:
        board.line(np.stack([x, y], axis=-1), color, 2.1, dash=dash, soft=False, gid=gid)
    for k, (name, _, y, _color, _dash, ink) in enumerate(lines):
        others = [abs(y - other[2]) for j, other in enumerate(lines) if j != k]
        apart_by = np.min(others, axis=0) if others else np.ones_like(y)
        inside = (x > 0.12) & (x < 0.88) & np.isfinite(y)
        best = np.argsort(np.where(inside, -apart_by, np.inf), kind="stable")[: inside.sum() : max(len(x) // 20, 1)]
        board.name(np.stack([x, y], axis=-1)[best], name, radius=0.012, reach=3, factor=0.85, color=ink)

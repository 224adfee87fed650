"""Draw many trade-offs: shares of pairs per domain, what predicts the optimum, the heuristic, families."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from .._tradeoff import Tradeoff, Tradeoffs
from .._tradeoff.figures import heuristic
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..distributions import AcrossPriors, across_priors
from ..distributions.family import Family
from ..errors import UsageError
from ..look import AXES, ENDS, FAINT, HEURISTIC, HUES, INK, OPTIMUM, PAPER, PRIOR, QUIET, REST, SIVF
from ..texts import counted, percent, shortened
from .betas import TICKS, half_way
from .frame import axes_of, beside, clipped, dress, fraction, grown, headline, name_point, panels
from .labels import Board
from .looks import Look, in_look, wanted
from .style import SHORT_NAME, Scale, apart, scale_of

SHARES = (
    ("agree", "both ends agree", "#d9d9d9", ""),
    ("as_optimum_with_1", "{} as the optimum", HUES[0], ""),
    ("against_optimum_with_1", "{} against the optimum", ENDS["second"], "////"),
)
"""Columns, what they are called, where {} is F₁ or what stands for it, colors and hatches, from the left."""
NAMED, FILLED = 40, 0.82
"""Domains of which each has its name beside its bar, and how much of a row that may fill."""
SQUARE = (0.0, 0.0, 1.0, 1.0)
SIDE, LEFT, RIGHT, BELOW, ABOVE = 3.6, 0.85, 0.3, 1.15, 0.85
"""Inches of panels side by side: their side, and what they have around them."""


@in_look
def draw_shares(ts: Tradeoffs, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw, for each domain, the shares of pairs that all F_β order alike, or F₁ orders as, or against, the optimum.

    Between other ends than precision and recall the place half-way between the corners stands for F1. One stacked bar
    per domain, from the least share against the optimum to the largest. (Optimal trade-off, (13)-(15), Fig. 8.)

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.tradeoffs

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> results = rs.tradeoffs(P)
    >>> len([bar for bar in rs.plots.draw_shares(results).patches if bar.get_gid() == "agree"])
    2
    """
    table = ts.table()
    values = np.array([table[column] for column, *_ in SHARES], dtype=np.float64)
    order = np.argsort(np.nan_to_num(values[2], nan=2.0), kind="stable")
    domains = [table["domain"][k] for k in order]
    named = len(order) <= NAMED
    called = apart(domains) if named else {}
    names = [shortened(called[domain], 24 if not wanted().narrow else SHORT_NAME) for domain in domains if named]
    ax, scale = axes_of(ax, right=beside(names), ylim=(len(order) - 0.4, -0.6), xlim=(0, 1))
    if scale.new and scale.least and named:
        scale = replace(scale, side=grown(ax, len(order) * scale.least / FILLED))
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    start = np.zeros(len(order))
    style: dict[str, Any] = {"height": 0.9 if named else 1.0, "edgecolor": PAPER, "linewidth": 0.5 if named else 0}
    for (column, _, color, hatch), widths in zip(SHARES, np.nan_to_num(values[:, order]), strict=True):
        bars = ax.barh(range(len(order)), widths, left=start, color=color, hatch=hatch if named else "", **style)
        for bar in bars:
            bar.set_gid(column)
        start += widths
    size = scale.room(len(order), FILLED)
    ax.set_yticks(range(len(names)), labels=names, fontsize=size, parse_math=False)
    ax.yaxis.tick_right()
    rows = "" if named else f"{len(order)} domains, by the share against the optimum"
    dress(ax, scale, "pairs of models", rows)
    ax.tick_params(axis="y", labelsize=size, length=0)
    habit = half_way(ts.any)
    _legend(ax, scale, habit)
    mean = np.nanmean(values[2]) if np.isfinite(values[2]).any() else float("nan")
    average = f"On average over {counted(len(order), 'domain')}"
    subtitle = f"{average} {habit} orders {percent(float(mean))} of pairs against it."
    missing = int(np.isnan(values[2]).sum())
    note = f"{counted(missing, 'domain')} without a pair of models." if missing else ""
    subtitle = subtitle if np.isfinite(mean) else "There are no pairs of models."
    headline(ax, scale, f"{habit} against the optimal trade-off", subtitle, note, rise=26)
    return ax


def _legend(ax: Axes, scale: Scale, habit: str) -> None:
    """Name the shares above the axes, each beside a patch of its color."""
    up, x = 9 * scale.factor / scale.side, 0.0
    box = ax.get_window_extent()
    for _, text, color, hatch in SHARES:
        patch: dict[str, Any] = {"transform": ax.transAxes, "clip_on": False, "hatch": hatch, "gid": "key"}
        ax.fill_between([x, x + 0.03], 1 + up - 0.012, 1 + up + 0.018, facecolor=color, edgecolor=PAPER, lw=0, **patch)
        artist = ax.text(
            x + 0.04, 1 + up, text.format(habit), transform=ax.transAxes, ha="left", va="center", color=INK,
            parse_math=False, fontsize=scale.size("tick", 0.88), gid="key",
        )  # fmt: skip
        x += 0.065 + artist.get_window_extent().width / box.width


@in_look
def draw_predictors(ts: Tradeoffs, **look: Unpack[Look]) -> Figure:
    """Draw the optimum of each domain, as b = β²/(1+β²), against the prior and against the heuristic.

    A point per domain; dashed are the b of SIVF and equality; r is Pearson's. On a horizontal of the Tile it is a
    instead of b. (Optimal trade-off, 4.6, Fig. 7.)

    Parameters
    ----------
    ts
        What :func:`rankscape.tradeoffs` returns.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Figure
        The new figure.

    Raises
    ------
    UsageError
        On a diagonal of the Tile, where there is no heuristic.

    See Also
    --------
    rankscape.tradeoffs

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> results = rs.tradeoffs(P)
    >>> [ax.get_title(loc="left") for ax in rs.plots.draw_predictors(results).axes]
    ['The prior: r = −1.000', 'The heuristic: r = −1.000']
    """
    optima, r, segment = ts.predictors(), ts.pearson(), ts.any.segment
    if segment.kind not in ("vertical", "horizontal"):
        raise UsageError("on a diagonal of the Tile there is no heuristic to draw: see plots.draw_optima")
    figure, axes = _row(2)
    ratio = "E[PFP] / (E[PFP] + E[PFN])" if segment.kind == "vertical" else "E[PTN] / (E[PTN] + E[PTP])"
    sivf = ([0, 1], [1, 0]) if segment.is_f_beta else ([], [])
    sides = (
        ("prior", "The prior", PRIOR, sivf, "Dashed: SIVF, b = 1 − π₊." if segment.is_f_beta else ""),
        ("heuristic_b", "The heuristic", ratio, ([0, 1], [0, 1]), "Dashed: the optimum itself."),
    )
    for ax, (column, name, label, dashed, note) in zip(axes, sides, strict=True):
        scale = scale_of(ax)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.plot(*dashed, color=QUIET, ls=(0, (4, 3)), lw=scale.line(1.1), zorder=1, gid="dashed")
        ax.plot(
            optima[column], optima["optimal_b"], "o", ms=6.5 * scale.factor, mfc=OPTIMUM, mec=INK, mew=scale.line(0.7),
            alpha=0.8, zorder=3, clip_on=False, gid="domain",
        )  # fmt: skip
        dress(ax, scale, label, f"{segment.moving} of the optimum")
        correlation = "undefined" if np.isnan(r[column]) else f"{r[column]:.3f}".replace("-", "−")
        left_out = len(ts) - len(optima)
        note += f" Left out, without an optimum: {counted(left_out, 'domain')}." if left_out else ""
        headline(ax, scale, f"{name}: r = {correlation}", f"{counted(len(optima), 'domain')}.", note)
    return figure


def _row(n: int) -> tuple[Figure, list[Axes]]:
    """Return a new figure of n square axes side by side."""
    axes = panels(n, n, side=SIDE, left=LEFT, rights=[RIGHT] * n, below=BELOW, above=ABOVE)
    return axes[0].figure.figure, axes


@in_look
def draw_heuristic(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw how the heuristic is read off in ROC space: the ray from (0, 1) through the mean performance gives β.

    Gray rays are those of other β. The entities are gray points, the mean a star. (Optimal trade-off, A.3.8, Fig.
    A.3.63 and A.3.64.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For other ends than precision and recall, and where no entity makes an error.

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_heuristic(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]))
    >>> [line.get_xydata().round(4).tolist() for line in ax.lines if line.get_gid() == "mean"]
    [[[0.0488, 0.5833]]]
    """
    reading = heuristic(t)
    ax, scale = axes_of(ax, xlim=(0, 1), ylim=(0, 1))
    board = Board(ax, scale)
    ends = []
    for beta, end in reading.rays.items():
        ray = np.array([[0.0, 1.0], end])
        ours = beta == reading.beta
        color, width = (HEURISTIC, 2.4) if ours else (FAINT, 0.9)
        ax.plot(*ray.T, color=color, lw=scale.line(width), zorder=3 if ours else 1, clip_on=False, gid="ray")
        board.draw_over(*fraction(ax, clipped(ray, SQUARE)).T, soft=True)
        ends.append((end, beta))
    ax.plot(
        reading.fpr, reading.tpr, "o", ms=4.5 * scale.factor, mfc=REST, mec=PAPER, mew=scale.line(0.4), zorder=4,
        clip_on=False, gid="entity",
    )  # fmt: skip
    _ray_labels(board, ends, reading.beta)
    x, y = reading.mean
    ax.plot(
        x, y, "*", ms=15 * scale.factor, mfc=HUES[4], mec=INK, mew=scale.line(1), zorder=6, gid="mean", clip_on=False
    )
    board.take(x, y, 0.05, 0.05)
    name_point(board, (x, y), "mean performance", radius=0.03, reach=8, fontweight="bold")
    dress(ax, scale, *AXES["roc"])
    subtitle = f"Through the mean goes the ray of β = {reading.beta:.3g}"
    subtitle += "." if np.isnan(reading.optimum) else f"; the optimum is at β = {reading.optimum:.3g}."
    note = f"Gray: the rays of other β, at π₊ = {reading.prior:.3g}; on each β² = E[PFP]/E[PFN] is the same."
    headline(ax, scale, "The heuristic, read off in ROC space", subtitle, note, rise=6)
    return ax


def _ray_labels(board: Board, ends: list[tuple[tuple[float, float], float]], ours: float) -> None:
    """Write the β of the rays inside the axes, where they leave them, that of the heuristic first."""
    called = dict(TICKS)
    for (x, y), beta in sorted(ends, key=lambda item: item[1] != ours):
        inside = 0.04 if x < 1 else 0.05
        at = np.array([0.0, 1.0]) + (1 - inside) * (np.array([x, y]) - [0.0, 1.0])
        style: dict[str, Any] = {"color": INK, "fontweight": "bold"} if beta == ours else {"color": QUIET}
        text = f"β = {beta:.3g}" if beta == ours else called.get(beta, f"{beta:g}")
        factor = 0.9 if beta == ours else 0.8
        name_point(board, np.clip(at, 0.02, 0.97), text, radius=0.004, factor=factor, reach=4, **style)


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

    See Also
    --------
    rankscape.distributions.across_priors

    Examples
    --------
    >>> import rankscape as rs
    >>> from rankscape.distributions import FixedPriors, across_priors
    >>> figure = rs.plots.draw_family(across_priors(FixedPriors, [0.1, 0.5, 0.9], variance_at=(0.5,)))
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['F₁ and SIVF across priors', 'Fréchet variance', 'The optimum across priors']
    """
    across = family if isinstance(family, AcrossPriors) else across_priors(family)
    figure, (left, middle, right) = _row(3)
    scale = scale_of(left)
    _taus(left, scale, across)
    _variances(middle, scale, across)
    right.set(xlim=(0, 1), ylim=(0, 1))
    board = Board(right, scale)
    lines = {"optimum": across.optimal_b, "SIVF": 1 - across.priors, "F₁": np.full(len(across.priors), 0.5)}
    styles = {"optimum": (OPTIMUM, "-"), "SIVF": (SIVF, (0, (5, 1.5, 1, 1.5))), "F₁": (INK, (0, (5, 2.5)))}
    for name, y in lines.items():
        color, dash = styles[name]
        right.plot(across.priors, y, color=color, ls=dash, lw=scale.line(2.2), gid=name)
    _name_lines(board, across.priors, list(lines.values()), list(lines), [INK, INK, INK])
    dress(right, scale, PRIOR, "b")
    subtitle = "Where precision (b = 0) and recall (b = 1) are equally far."
    headline(right, scale, "The optimum across priors", subtitle, f"Family: {across.family}.")
    return figure


def _taus(ax: Axes, scale: Scale, across: AcrossPriors) -> None:
    ax.set(xlim=(0, 1), ylim=(min(0.0, float(np.nanmin(across.tau_f1))), 1.03))
    board = Board(ax, scale)
    colors = [ENDS["first"], ENDS["second"]]
    lines, names = [], []
    for taus, name, dash in ((across.tau_f1, "F₁", "-"), (across.tau_sivf, "SIVF", (0, (4, 2)))):
        for tau, end, color in zip(taus.T, ("precision", "recall"), colors, strict=True):
            ax.plot(across.priors, tau, color=color, ls=dash, lw=scale.line(2), gid=f"τ {name} {end}")
            lines.append(tau)
            names.append(f"{name}, {end}")
    _name_lines(board, across.priors, lines, names, colors * 2)
    dress(ax, scale, PRIOR, "Kendall’s τ")
    headline(ax, scale, "F₁ and SIVF across priors", "Balanced where both τ are equal.", "Dashed: SIVF.")


def _variances(ax: Axes, scale: Scale, across: AcrossPriors) -> None:
    top = max((float(values.max()) for values in across.variance.values()), default=1.0)
    ax.set(xlim=(0, 1), ylim=(0, 1.05 * top))
    ticks = {float(coordinate(beta)): text for beta, text in TICKS.items()}
    ax.set_xticks(list(ticks), list(ticks.values()))
    board = Board(ax, scale)
    hues = [HUES[k % len(HUES)] for k in (6, 0, 1, 5, 2, 3)]
    dashes: list[Any] = ["-", (0, (6, 1.5)), (0, (3, 1.5)), (0, (1, 1))]
    kept = list(across.variance.items())
    for k, (prior, values) in enumerate(kept):
        style: dict[str, Any] = {"color": hues[k % len(hues)], "ls": dashes[k % len(dashes)], "lw": scale.line(2)}
        ax.plot(across.b, values, gid=f"variance {prior:g}", **style)
    names = [f"π₊ = {prior:g}" for prior, _ in kept]
    _name_lines(board, across.b, [values for _, values in kept], names, [INK] * len(kept))
    dress(ax, scale, "← precision      β      recall →", "σ²")
    headline(ax, scale, "Fréchet variance", "The optimum is where it is least.", "")


def _name_lines(board: Board, x: Floats, lines: list[Floats], names: list[str], colors: list[str]) -> None:
    """Name curves where they are far from each other."""
    for y in lines:
        board.draw_over(*fraction(board.ax, np.stack([x, y], axis=-1)).T)
    for k, (y, name, color) in enumerate(zip(lines, names, colors, strict=True)):
        others = [abs(y - other) for j, other in enumerate(lines) if j != k]
        apart_by = np.min(others, axis=0) if others else np.ones_like(y)
        inside = (x > 0.12) & (x < 0.88) & np.isfinite(y)
        for best in np.argsort(np.where(inside, -apart_by, np.inf), kind="stable")[:: max(len(x) // 20, 1)]:
            at = fraction(board.ax, (x[best], y[best]))
            if name_point(board, at, name, radius=0.012, reach=3, factor=0.85, color=color):
                break

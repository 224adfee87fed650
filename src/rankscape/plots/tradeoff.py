"""Draw a trade-off: entities, correlations, ranks and variance between its ends, and the path of rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Literal, Unpack, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from .._tradeoff import Tradeoff
from .._tradeoff.figures import RankSteps, drawn_curve, points, rank_steps
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..errors import Option, UsageError
from ..look import DASHES, ENDS, FAINT, INK, QUIET, colors_of, pretty, rounds_of
from ..texts import counted, percent, shortened
from . import betas
from .frame import axes_of, fraction, headline, name_point, names_to_try, panels
from .labels import Board
from .looks import Look, in_look, note_caption, wanted
from .manifold import draw_path, draw_quantiles
from .roc import draw_points
from .style import Scale, apart, fit, plain, scale_of

Caption = tuple[str, str, str]
Panel = Literal["points", "correlations", "ranks", "variance", "optimality", "path", "quantiles"]
Colors = Mapping[str, str]
MOST = 6
"""How many entities are highlighted."""
MOST_LINES = 100
"""Of more entities than this the faint lines are an image also in files of lines, which stay small so."""
BESIDE = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the axis at which curves may be named."""
SIDE, LEFT, RIGHT, BELOW, ABOVE, TOP, ASIDE = 3.4, 0.85, 1.5, 1.0, 0.55, 1.2, 0.9
"""Inches of the figure of several panels: their side, what they have around them, the headline, and what a column
without names at the right needs less."""


@in_look
def draw_tradeoff(
    t: Tradeoff,
    ax: Axes | Sequence[Axes] | NDArray[np.object_] | None = None,
    *,
    panels: Panel | Sequence[Panel] | None = None,
    **look: Unpack[Look],
) -> Figure:
    """Draw panels about a trade-off in one figure.

    By default: the entities in ROC space (where priors differ or true negatives are not known, in PR space), with lines
    on which the score at the optimum is equal (in PR space those of F_β); Kendall's τ with each end against β; the
    Fréchet variance; the rank of every entity against β. The optimum, F1, the heuristic and
    SIVF are marked in each. (Optimal trade-off, Fig. 3, 6, A.3.10-A.3.62.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
    ax
        Axes to draw on, one for each panel; by default those of a new figure.
    panels
        Any of "points", "correlations", "ranks", "variance", "optimality", "path" and "quantiles"; one alone is drawn
        as its own figure. By default the first four.
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

    See Also
    --------
    rankscape.tradeoff

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
            PANELS[name](t, one)
        return cast(Figure, given[0].figure)
    return _figure(t, chosen) if len(chosen) > 1 else cast(Figure, PANELS[chosen[0]](t, None).figure)


def _figure(t: Tradeoff, chosen: Sequence[str]) -> Figure:
    """Draw panels two by two below a headline."""
    look = wanted()
    top = 0.0 if look.paper and look.title is None else TOP
    rights = (RIGHT if "ranks" in chosen[::2] else RIGHT - ASIDE, RIGHT)
    axes = panels(len(chosen), 2, side=SIDE, left=LEFT, rights=rights, below=BELOW, above=ABOVE, top=top)
    figure = axes[0].figure.figure
    steps = rank_steps(t) if "ranks" in chosen else None
    colors = None
    if steps is not None:
        colors = {steps.names[row]: color for row, color in _highlighted(steps, betas.marks_of(t), {}).items()}
    for name, ax in zip(chosen, axes, strict=True):
        if name in MARKED:
            _drawn(t, ax, MARKED[name], noted=False)
        elif name == "points":
            _points(t, ax, colors)
        else:
            PANELS[name](t, ax)
    _headline(t, chosen, axes[0])
    return figure


def _headline(t: Tradeoff, chosen: Sequence[str], first: Axes) -> None:
    """Write above all panels where the optimum is, and below them where the marks are."""
    figure, scale, look = first.figure.figure, scale_of(first), wanted()
    width, height = figure.get_size_inches()
    left = first.get_position().x0
    marked = t.n_discordant and any(name in MARKED for name in chosen)
    note = f"Marks: {betas.note_on(t, betas.marks_of(t))}" if marked else ""
    ends = "between " + " and ".join(betas.ends_of(t))
    title = f"Nothing to trade off {ends}"
    if t.n_discordant:
        title = f"The optimum {ends}: {betas.optimum_text(t)}"
    title = title if look.title is ... else look.title or ""
    subtitle = betas.in_one_line(t) if look.title is ... else ""
    if look.paper:
        note_caption(first, title, subtitle, note)
        note = subtitle = ""
    if note:
        small: dict[str, Any] = {"fontsize": scale["note"], "color": QUIET, "gid": "note"}
        figure.text(left, 0.16 / height, fit(first, note, 72 * width * (1 - left), 3, fontsize=scale["note"]),
                    parse_math=False, **small)  # fmt: skip
    room = 72 * (min(width, look.width or width) * (1 - left) - 0.2)
    y = 1 - 0.12 / height
    large: dict[str, Any] = {"fontweight": "bold"}
    quiet: dict[str, Any] = {"color": QUIET}
    for text, kind, factor, lines, style in (
        (title, "title", 1.15, 2, large), (subtitle, "subtitle", 1.0, 4, quiet),
    ):  # fmt: skip
        if text:
            size = scale.size(kind, factor)
            wrapped = fit(first, plain(text), 0.97 * room, lines, fontsize=size)
            figure.text(left, y, wrapped, ha="left", va="top", fontsize=size, parse_math=False, gid=kind, **style)
            y -= (1.3 * wrapped.count("\n") + 1.5) * size / 72 / height


def _drawn(
    t: Tradeoff,
    ax: Axes | None,
    draw: Callable[[Tradeoff, Axes, Scale], Caption],
    right: float = 0.75,
    noted: bool = True,
) -> Axes:
    """Draw a panel on axes, new ones by default, with its marks, headline and, if ``noted``, where the marks are."""
    ax, scale = axes_of(ax, right=right, box_aspect=1)
    title, subtitle, note = draw(t, ax, scale)
    if noted and t.n_discordant:
        note = f"{note} {betas.note_on(t, betas.marks_of(t))}".lstrip()
    headline(ax, scale, title, subtitle if scale.new else "", note, rise=betas.STRIP)
    return ax


def _steps(ax: Axes, t: Tradeoff, columns: Sequence[str], **style: Any) -> list[Floats]:
    """Draw columns of the curves as exact steps, swaps included (of very many some), and return the lines."""
    curve, lines = drawn_curve(t), []
    x = coordinate(np.stack([curve["from"], curve["to"]], axis=-1)).ravel()
    for column in columns:
        y = np.repeat(np.asarray(curve[column], dtype=np.float64), 2)
        ax.plot(x, y, gid=column, solid_joinstyle="miter", **{key: value[column] for key, value in style.items()})
        lines.append(np.stack([x, y], axis=-1))
    return lines


@in_look
def draw_correlations(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw Kendall's τ of the scores between the ends with each end, against β, as exact steps.

    They cross at the optimum or, where swaps coincide, beside it. (Optimal trade-off, (7), Fig. 3a and A.3.10b.)

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

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_correlations(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])).get_ylabel()
    'Kendall’s τ'
    """
    return _drawn(t, ax, _correlations)


def _correlations(t: Tradeoff, ax: Axes, scale: Scale) -> Caption:
    marks, (first, second) = betas.marks_of(t), betas.ends_of(t)
    title = f"Kendall’s τ of {betas.between(t)} with each end"
    betas.beta_axis(ax, scale, t, "Kendall’s τ")
    low = t.tau_ends if t.n_discordant else 0.0
    ax.set_ylim(low - 0.06 * (1 - low or 1), 1 + 0.06 * (1 - low or 1))
    board = Board(ax, scale)
    colors = {"tau_first": ENDS["first"], "tau_second": ENDS["second"]}
    styles = {"tau_first": "-", "tau_second": (0, (6, 1.2))}
    drawn = _steps(ax, t, ["tau_first", "tau_second"], color=colors, ls=styles, lw=dict.fromkeys(colors, scale.line(2)))
    betas.draw_marks(ax, scale, t, marks)
    if not t.n_discordant:
        betas.nothing(ax, scale, t)
        return title, "", ""
    for line in drawn:
        board.draw_over(*fraction(ax, line).T)
    for mark in marks:
        board.draw_over(*fraction(ax, [[mark.x, low], [mark.x, 1]]).T, soft=True)
    for tau in sorted(set(t.tau(t.beta))):
        betas.draw_dots(ax, scale, marks[:1], [tau])
    gaps = [abs(_height(ax, drawn[0], share)[1] - _height(ax, drawn[1], share)[1]) for share in BESIDE]
    wide = [BESIDE[k] for k in np.argsort(gaps)[::-1]]
    for line, end, color in zip(drawn, (first, second), colors.values(), strict=True):
        _beside(board, line, wide, f"τ with {end}", color)
    of_marks = {mark.name: t.tau(mark.beta) for mark in marks if mark.name.startswith("F₁")}
    sentences = [f"{called}: τ = {a:.2f} with {first}, {b:.2f} with {second}" for called, (a, b) in of_marks.items()]
    return title, ". ".join(sentences), ""


def _height(ax: Axes, line: Floats, share: float) -> tuple[float, float]:
    """Return where a line is at a share of the axis."""
    left, right = ax.get_xlim()
    x = left + share * (right - left)
    return x, float(np.interp(x, *line[np.argsort(line[:, 0], kind="stable")].T))


def _beside(board: Board, line: Floats, shares: Sequence[float], text: str, color: str) -> None:
    """Name a curve beside the first place where there is room."""
    for share in shares:
        at, style = fraction(board.ax, _height(board.ax, line, share)), {"color": color, "fontweight": "bold"}
        if name_point(board, at, text, radius=0.02, reach=3, factor=0.9, **style):
            return


@in_look
def draw_variance(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the Fréchet variance against β, as exact steps; the optimum is where it is smallest.

    At a swap half of its pairs count: there is a value of its own. (Optimal trade-off, (8), Fig. 3c and A.3.10d.)

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

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_variance(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])).get_title(loc="left")
    'Fréchet variance'
    """
    return _drawn(t, ax, _variance)


def _variance(t: Tradeoff, ax: Axes, scale: Scale) -> Caption:
    marks = betas.marks_of(t)
    betas.beta_axis(ax, scale, t, "σ²  (the smaller, the more balanced)")
    top = t.frechet_variance(t.limits[0] ** 0.5) if t.n_discordant else 1.0
    ax.set_ylim(0, 1.08 * top)
    _steps(ax, t, ["variance"], color={"variance": INK}, lw={"variance": scale.line(1.8)})
    betas.draw_marks(ax, scale, t, marks)
    if t.n_discordant:
        betas.draw_dots(ax, scale, marks, [t.frechet_variance(mark.beta) for mark in marks])
    else:
        betas.nothing(ax, scale, t)
    return "Fréchet variance", "The squares of Kendall’s distances to both ends, added.", ""


@in_look
def draw_optimality(t: Tradeoff, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the degree of optimality against β, as exact steps.

    The share of the pairs on which the ends contradict each other that are ordered as by the optimum: 1 there, and ½ at
    both ends where the optimum is equally far from them. (Optimal trade-off, (16), Fig. A.3.10f.)

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

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_optimality(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])).get_title(loc="left")
    'Degree of optimality'
    """
    return _drawn(t, ax, _optimality)


def _optimality(t: Tradeoff, ax: Axes, scale: Scale) -> Caption:
    marks = betas.marks_of(t)
    betas.beta_axis(ax, scale, t, "disputed pairs ordered as the optimum does")
    low = min(t.optimality([end**0.5 for end in t.limits])) if t.n_discordant else 0.5
    ax.set_ylim(1 - 1.06 * (1 - low), 1 + 0.06 * (1 - low))
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    (line,) = _steps(ax, t, ["optimality"], color={"optimality": INK}, lw={"optimality": scale.line(1.8)})
    betas.draw_marks(ax, scale, t, marks)
    if not t.n_discordant:
        betas.nothing(ax, scale, t)
        return "Degree of optimality", "", ""
    values = [t.optimality(mark.beta) for mark in marks]
    betas.draw_dots(ax, scale, marks, values)
    board = Board(ax, scale)
    board.draw_over(*fraction(ax, line).T, soft=True)
    for mark, value in zip(marks, values, strict=True):
        x, y = fraction(ax, (mark.x, value)).tolist()
        board.take(x, y, 0.035, 0.035)
    for mark, value in zip(marks, values, strict=True):
        if not mark.central:
            name_point(board, fraction(ax, (mark.x, value)), percent(value), radius=0.02, reach=4, factor=0.85)
    return "Degree of optimality", "", ""


@in_look
def draw_rank_paths(t: Tradeoff, ax: Axes | None = None, *, colors: Colors | None = None, **look: Unpack[Look]) -> Axes:
    """Draw the rank of every entity against β, 1 at the top; every swap is a step.

    Those first at an end, at the optimum or by F1, then those whose ranks change most, have colors and names; at most
    six. Of very many rankings only some are drawn, exact where they are. (Optimal trade-off, Fig. 3a, A.3.10c.)

    Parameters
    ----------
    t
        What :func:`rankscape.tradeoff` returns.
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

    See Also
    --------
    rankscape.tradeoff

    Examples
    --------
    >>> import rankscape as rs
    >>> ax = rs.plots.draw_rank_paths(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]))
    >>> (
    ...     ax.get_ylabel(),
    ...     sorted(text.get_text() for text in ax.texts if text.get_gid() == "entity name"),
    ... )
    ('rank', ['P1', 'P2'])
    """
    return _drawn(t, ax, partial(_ranks, colors=colors), right=1.9)


def _ranks(t: Tradeoff, ax: Axes, scale: Scale, colors: Colors | None = None) -> Caption:
    marks, steps = betas.marks_of(t), rank_steps(t)
    betas.beta_axis(ax, scale, t, "rank")
    ax.set_ylim(t.n + 0.5 + 0.02 * t.n, 0.5 - 0.02 * t.n)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
    ax.set_yticks([tick for tick in {1, *ax.get_yticks()} if 1 <= tick <= t.n])
    x = coordinate(np.stack([steps.low, steps.high], axis=-1)).ravel()
    lines = [np.stack([x, np.repeat(ranks, 2)], axis=-1) for ranks in steps.ranks.T]
    highlighted = _highlighted(steps, marks, colors or {})
    ax.add_collection(
        LineCollection(
            [line for row, line in enumerate(lines) if row not in highlighted], colors=FAINT, zorder=1, gid="ranks",
            linewidths=scale.line(float(np.clip(40 / max(t.n, 1), 0.3, 1.1))), rasterized=t.n > MOST_LINES,
        ),
        autolim=False,
    )  # fmt: skip
    for row, color in highlighted.items():
        name = steps.names[row]
        dash: Any = DASHES[rounds_of(steps.names)[name]]
        ax.plot(*lines[row].T, color=color, ls=dash, lw=scale.line(2.2), zorder=3, gid=f"ranks of {name}")
    betas.draw_marks(ax, scale, t, marks)
    _names_right(ax, scale, t, steps, highlighted)
    note = "" if t.n_discordant else "No rank depends on the trade-off."
    if steps.n_rankings is None:
        note = f"{len(steps.ranks)} rankings are drawn, of millions."
    elif len(steps.ranks) < steps.n_rankings:
        note = f"{len(steps.ranks)} of {steps.n_rankings} rankings are drawn."
    title = "Ranks between " + " and ".join(betas.ends_of(t))
    return title, f"{counted(t.n_discordant, 'pair')} of models swap.", note


def _highlighted(steps: RankSteps, marks: Sequence[betas.Mark], colors: Colors) -> dict[int, str]:
    """Return the rows of entities to highlight, and their colors."""
    at = [0, len(steps.ranks) - 1, *(int(np.searchsorted(steps.high, mark.beta)) for mark in marks[:2])]
    rows = [int(np.argmin(steps.ranks[min(k, len(steps.ranks) - 1)])) for k in at] if steps.names else []
    moved = np.ptp(steps.ranks, axis=0) if steps.names else np.empty(0)
    rows += [int(row) for row in np.argsort(-moved, kind="stable") if moved[row] > 0]
    alone = (row for row in dict.fromkeys(rows) if row == _alike(steps, row)[0])
    hues = colors_of(steps.names) | dict(colors)
    return {row: hues[steps.names[row]] for row in islice(alone, MOST)}


def _alike(steps: RankSteps, row: int) -> list[int]:
    """Return the rows of the entities that have the same ranks everywhere."""
    return [int(same) for same in np.flatnonzero((steps.ranks == steps.ranks[:, [row]]).all(axis=0))]


def _names_right(ax: Axes, scale: Scale, t: Tradeoff, steps: RankSteps, highlighted: dict[int, str]) -> None:
    """Write the names of the highlighted beside their ranks at the second end."""
    called = apart(steps.names)
    last = 0 if t.segment.reversed else -1
    ends = sorted((float(fraction(ax, (0, steps.ranks[last, row]))[1]), row) for row in highlighted)
    height, edge = 1.25 * scale["tick"] / scale.side, ax.figure.bbox.x1 - 3
    for (y, row), at in zip(ends, betas.spread([y for y, _ in ends], [height] * len(ends), -0.02, 1.02), strict=True):
        style: dict[str, Any] = {"color": highlighted[row], "lw": scale.line(1.6), "clip_on": False}
        ax.plot([1, 1.02, 1.05], [y, y, at], transform=ax.transAxes, **style)
        text = names_to_try([called[steps.names[same]] for same in _alike(steps, row)])[-1]
        artist = ax.text(
            1.06, at, text, transform=ax.transAxes, ha="left", va="center", fontsize=scale.size("tick", 0.95),
            color=INK, parse_math=False, gid="entity name",
        )  # fmt: skip
        for length in range(len(text), 7, -1):
            if artist.get_window_extent().x1 <= edge:
                break
            artist.set_text(shortened(text, length))


def _points(t: Tradeoff, ax: Axes | None = None, colors: dict[str, str] | None = None) -> Axes:
    """Draw the entities in ROC space, or PR space, with the lines of the score at the optimum; ``colors`` by name."""
    view = points(t)
    name = view.preference.label if view.preference is not None else ""
    title = f"Lines of equal {pretty(name)}" if name else "The models"
    subtitle = "Priors differ: PR space." if view.prior is None else ""
    return draw_points(replace(view, title=title, subtitle=subtitle), ax, colors=colors)


MARKED = {"correlations": _correlations, "variance": _variance, "optimality": _optimality, "ranks": _ranks}
DEFAULT = ("points", "correlations", "variance", "ranks")
PANELS: dict[str, Callable[[Tradeoff, Axes | None], Axes]] = {
    "points": _points,
    "correlations": draw_correlations,
    "ranks": draw_rank_paths,
    "variance": draw_variance,
    "optimality": draw_optimality,
    "path": draw_path,
    "quantiles": draw_quantiles,
}

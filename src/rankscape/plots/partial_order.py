"""Which differences are sure: a Hasse diagram of few entities, a matrix of many."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import ceil
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from ..arrays import Floats, Integers
from ..look import ENDS, FAINT, INK, PAPER, QUIET, REST, highlighted, pretty, tint
from ..texts import and_more, counted, level_text, of_draws, shortened
from ..uncertainty import SureDifferences
from .frame import axes_of, dress, headline
from .layered import Layout, layered
from .looks import Look, in_look, wanted
from .style import LONGEST_NAME, SHORT_NAME, SIDE, Scale, apart, entity_text

MOST_NODES = 40
FEW = 14
"""So many nodes have larger names, and longer ones."""

MANY, MOST_LINES = 60, 200
"""More lines than the first are thin and gray; more than the second are too many to follow."""

WIDEST = 640.0
"""Points that the nodes of a layer of a new figure take before they are broken into several lines."""

LARGE = 24
"""Rows from which the matrix of a new figure is larger."""

SMALLEST, SMALLEST_TICK = 4.0, 6.5
"""Type sizes in points: nodes whose names would be smaller give way to the matrix, names at its side to gaps."""

WIDTHS = (1.0, 1.4, 2.0, 3.0)
"""Widths of layers to try, in those of given axes: the wider, the fewer lines of nodes, and the smaller."""

STRETCH = 1.8
"""How many times their distance layers are apart in given axes, at most."""

MARGIN = 0.3
"""Inches on the left of the diagram in a new figure."""

BAND = "#ececec"
INKED = {"better": ENDS["first"], "worse": ENDS["second"]}
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@in_look
def draw_sure_differences(
    differences: SureDifferences, ax: Axes | None = None, *, most: int = MOST_NODES, **look: Unpack[Look]
) -> Axes:
    """Draw which entities are surely better than which others.

    A line, or a way of lines, runs down from each entity to those that are surely worse; what nothing is surely better
    than stands in the top layer. Lines that meet in a dot run from each upper entity to each lower one. More than
    ``most`` entities, more than there is room for, or those joined by more than 200 lines, are rows and columns of a
    matrix by rank: a cell is filled where the row is surely better or worse than the column. An entity without a score
    is not drawn.

    Parameters
    ----------
    differences
        What ``differences`` of :class:`rankscape.uncertainty.RankIntervals` returns.
    ax
        Axes to draw on; by default those of a new figure.
    most
        So many entities are drawn as an order; more are a matrix.
    **look
        How every figure may look: style, width, title, font and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    See Also
    --------
    rankscape.uncertainty.RankIntervals

    Examples
    --------
    >>> import numpy as np
    >>> import rankscape as rs
    >>> claims = np.array([[False, True], [False, False]])
    >>> differences = rs.uncertainty.SureDifferences(
    ...     score=rs.score("f1"),
    ...     names=("a", "b"),
    ...     ranks=np.array([1.0, 2.0]),
    ...     values=np.array([0.8, 0.7]),
    ...     claims=claims,
    ...     p_better=np.where(claims, 0.99, np.nan),
    ...     held=0.98,
    ...     level=0.95,
    ...     method="Jeffreys prior",
    ...     draws=2000,
    ... )
    >>> ax = rs.plots.draw_sure_differences(differences)
    >>> [text.get_text() for text in ax.texts][:2]
    ['a', 'b']
    """
    ax, scale = axes_of(ax, room=0.62)
    rows = differences.order[differences.layers[differences.order] >= 0]
    few = len(rows) <= max(most, 1) and differences.direct.sum() <= MOST_LINES
    if not (few and _draw_nodes(differences, ax, scale, rows)):
        _draw_matrix(differences, ax, scale, rows)
    return ax


def _draw_nodes(differences: SureDifferences, ax: Axes, scale: Scale, rows: Integers) -> bool:
    """Draw the Hasse diagram; return False, and leave the axes as they were, where names would be too small."""
    size = scale.size("tick", 1.0 if len(rows) <= FEW else 0.84)
    texts = _names(differences, ax, scale, rows, size)
    widths = np.zeros(len(differences.names))
    for row, text in texts.items():
        widths[row] = text.get_window_extent().width * 72 / ax.figure.dpi + 0.9 * size
    side = wanted().side
    room = np.array([72 * side if side else WIDEST, np.inf]) if scale.new else _extent(ax, scale) - 2 * size
    layout, shrunk = _layout(differences, rows.tolist(), widths, size, room)
    if scale.new and side is None:
        shrunk = 1.0
    if size * shrunk < max(SMALLEST, scale.least):
        for text in texts.values():
            text.remove()
        return False
    crowded = len(layout.lines) > MANY
    for (i, j), points in layout.lines.items():
        ax.add_patch(
            PathPatch(
                _curve(points), fill=False, edgecolor=REST if crowded else QUIET, capstyle="round", zorder=2,
                linewidth=scale.line(0.7 if crowded else 1.1) * max(shrunk, 0.6),
                gid=f"edge {differences.names[i]} > {differences.names[j]}",
            )
        )  # fmt: skip
    joints = _joints(layout)
    if joints:
        dot = scale.line(4.2) * max(shrunk, 0.6)
        ax.plot(*zip(*joints, strict=True), "o", ms=dot, mec="none", mfc=QUIET, zorder=2.5, gid="joints")
    for row, text in texts.items():
        text.set(position=layout.centers[row], fontsize=size * shrunk)
    margin = 1.2 * size
    shape = np.array([layout.width, layout.height + 2 * margin])
    if scale.new:
        shape[0] = max(shape[0], 72 * (side or SIDE) / shrunk)
        _resize(ax, shrunk * shape / 72, left=MARGIN)
    else:  # layers move apart where there is room
        shape = np.maximum(shape, room / shrunk / [1, STRETCH])
    left, right = (layout.width - shape[0]) / 2, (layout.width + shape[0]) / 2
    ax.set(xlim=(left, right), ylim=(shape[1] - margin, -margin), xticks=[], yticks=[])
    ax.set_axis_off()
    subtitle = f"No line: at a level of {level_text(differences.level)}, no model is surely better than another."
    if layout.lines:
        subtitle = f"Lines: surely better, all at once in {_held(differences)}. {_decided(differences)}"
        subtitle += " Gray band: no model is surely better than these."
        subtitle += " Dots: each above is better than each below." if joints else ""
        foot = float(layout.centers[differences.layers == 0, 1].max())
        ax.axhspan(-margin, foot + margin, color=BAND, zorder=0, gid="not surely beaten")
    _dressed(ax, scale, differences, subtitle, left=MARGIN, fall=-26)
    return True


def _names(differences: SureDifferences, ax: Axes, scale: Scale, rows: Integers, size: float) -> dict[int, Text]:
    """Write the name of each row in a box of its color; all of them stand at the origin."""
    listed = [differences.names[row] for row in rows]
    called, hues = apart(listed), highlighted(differences.names, listed)
    longest = LONGEST_NAME if len(rows) <= FEW and not wanted().narrow else SHORT_NAME
    texts = {}
    for row in rows.tolist():
        name = differences.names[row]
        box = {"facecolor": tint(hues[name]), "edgecolor": hues[name], "linewidth": scale.line(1.2)}
        texts[row] = ax.text(
            0, 0, shortened(called[name], longest), fontsize=size, color=INK, ha="center", va="center", zorder=3,
            parse_math=False, gid=f"node {name}", bbox=box | {"boxstyle": "round,pad=0.32,rounding_size=0.3"},
        )  # fmt: skip
    return texts


def _layout(
    differences: SureDifferences, rows: list[int], widths: Floats, size: float, room: Floats
) -> tuple[Layout, float]:
    """Return the layout that shrinks least to fit into the room (width and height), and how much it does, at most 1."""
    fitted: list[tuple[Layout, float]] = []
    for wide in (1.0,) if np.isinf(room[1]) else WIDTHS:
        layout = layered(
            differences.direct, differences.layers, rows, widths, line=2.6 * size, rise=4.2 * size,
            widest=wide * room[0],
        )  # fmt: skip
        shrunk = float((room / (layout.width + 1, layout.height + 2.4 * size)).min())
        fitted.append((layout, min(1.0, shrunk)))
    return max(fitted, key=lambda each: each[1])  # the first of equal ones


def _joints(layout: Layout) -> list[tuple[float, float]]:
    """Return where lines meet between layers: from there on, or up to there, they share their way."""
    spots = [{(x, y) for x, y in points[2:-2].tolist()} for points in layout.lines.values()]
    passes = Counter(spot for each in spots for spot in sorted(each))
    return [spot for spot, count in passes.items() if count > 1]


def _curve(points: Floats) -> Path:
    """Return a smooth way through points that leaves and reaches each of them upright."""
    vertices, codes = [tuple(points[0])], [Path.MOVETO]
    for (x, y), (to_x, to_y) in pairwise(points.tolist()):
        middle = (y + to_y) / 2
        vertices += [(to_x, to_y)] if x == to_x else [(x, middle), (to_x, middle), (to_x, to_y)]
        codes += [Path.LINETO] if x == to_x else [Path.CURVE4] * 3
    return Path(vertices, codes)


def _extent(ax: Axes, scale: Scale) -> Floats:
    """Return width and height of given axes in points: a layout engine will leave them less than they have."""
    figure: Any = ax.figure
    box = ax.get_window_extent()
    shape = np.array([box.width, box.height]) * 72 / figure.dpi
    taken = (5.5 * scale["title"] + 3 * scale["note"]) if figure.get_layout_engine() is not None else 0.0
    return np.asarray(np.maximum(shape - [0, taken], 0.4 * shape))


def _draw_matrix(differences: SureDifferences, ax: Axes, scale: Scale, rows: Integers) -> None:
    """Draw rows and columns by rank, a cell filled where the row is surely better, or worse, than the column."""
    n = len(rows)
    sure = differences.sure[np.ix_(rows, rows)].astype(float)
    side = scale.side
    if scale.new and n > LARGE:
        side *= 1.4
        _resize(ax, np.array([side, side]) / 72, left=0.95)
    image = ax.imshow(
        sure - sure.T, cmap=ListedColormap([INKED["worse"], PAPER, INKED["better"]]), vmin=-1, vmax=1,
        interpolation="nearest", gid="matrix",
    )  # fmt: skip
    image.set_zorder(1)
    ax.plot([-0.5, n - 0.5], [-0.5, n - 0.5], color=FAINT, lw=scale.line(0.8), zorder=2, gid="diagonal")
    least = max(SMALLEST_TICK * min(scale.factor, 1.0), scale.least)
    step = next((step for step in STEPS if step * 0.82 * side / max(n, 1) >= least), STEPS[-1])
    size = max(min(scale["tick"], 0.82 * step * side / max(n, 1)), scale.least)
    labeled = list(range(0, n, step))
    called = apart([differences.names[row] for row in rows])
    length = LONGEST_NAME if scale.new and not wanted().narrow else SHORT_NAME
    texts = [
        f"{_rank(differences, row)}. {shortened(called[differences.names[row]], length)}"
        for row in rows[labeled].tolist()
    ]
    dress(ax, scale, "rank of the column", "")
    ax.set_yticks(labeled, labels=texts, fontsize=size, parse_math=False)
    apart_by = max(1, ceil(2.4 * scale["tick"] * n / side / step)) * step
    columns = list(range(0, n, apart_by))
    ax.set_xticks(columns, labels=[_rank(differences, row) for row in rows[columns].tolist()])
    subtitle = (
        f"Blue: the row is surely better than the column; orange: surely worse, all at once in {_held(differences)}; "
        f"white: undecided. {_decided(differences)}"
    )
    longest = 0.56 * size * max(map(len, texts), default=0) / 72 + 0.25
    _dressed(ax, scale, differences, subtitle, left=max(longest, 0.5), every=step)


def _rank(differences: SureDifferences, row: int) -> str:
    return f"{float(differences.ranks[row]):g}"


def _held(differences: SureDifferences) -> str:
    return of_draws(differences.held, differences.draws)


def _decided(differences: SureDifferences) -> str:
    decided, pairs = int(differences.sure.sum()), differences.pairs
    return f"{decided} of {counted(pairs, 'pair')} {'is' if pairs == 1 else 'are'} decided."


def _resize(ax: Axes, shape: Floats, left: float) -> None:
    """Give the axes of a new figure a width and a height in inches."""
    figure: Any = ax.figure
    width, height = shape[0] + left + 0.3, shape[1] + 1.5
    figure.set_size_inches(width, height)
    ax.set_position((left / width, 0.7 / height, shape[0] / width, shape[1] / height))


def _dressed(
    ax: Axes, scale: Scale, differences: SureDifferences, subtitle: str, *, left: float, fall: float = 0, every: int = 1
) -> None:
    """Write title and note; a new figure has ``left`` inches on the left of the axes."""
    title = f"Who is surely better, by {pretty(differences.score.symbol)}"
    notes = [f"{counted(differences.draws, 'draw')}, {differences.method}", *differences.notes]
    notes += [f"Every {every}th name is written" if every > 3 else "Every second name is written"] if every > 1 else []
    lost = [entity_text(name) for name, layer in zip(differences.names, differences.layers, strict=True) if layer < 0]
    notes += [f"Without a score: {', '.join(shortened(name, SHORT_NAME) for name in lost[:3])}{and_more(len(lost), 3)}"]
    note = " ".join(f"{text}." for text in (notes if lost else notes[:-1]))
    figure: Any = ax.figure
    if scale.new:  # the title has the width of the axes that it stands above
        box, (width, height) = ax.get_position(), figure.get_size_inches()
        _resize(ax, np.array([box.width * width, box.height * height]), left)
    headline(ax, scale, title, subtitle, note, fall=fall)
    if scale.new:
        box, width = ax.get_position(), figure.get_size_inches()[0]
        ax.set_position((left / width, box.y0, box.width, box.height))

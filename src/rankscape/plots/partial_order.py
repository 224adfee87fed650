"""Which differences are sure: a Hasse diagram of few entities, a matrix of many."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from ..arrays import Floats, Integers
from ..look import ENDS, FAINT, INK, PAPER, QUIET, REST, colors_of, pretty, tint
from ..texts import and_more, counted, shortened
from ..uncertainty import SureDifferences
from .frame import axes_of, dress, headline
from .layered import Layout, layered
from .style import LONGEST_NAME, SHORT_NAME, SIDE, Scale, apart, plain

MOST_NODES = 40
FEW = 14
"""So many nodes have larger names, and longer ones."""

MANY = 60
"""More lines than this are thin and gray."""

WIDEST = 640.0
"""Points that the nodes of a layer of a new figure take before they are broken into several lines."""

SMALLEST, SMALLEST_TICK = 4.0, 6.5
"""Type sizes in points: nodes whose names would be smaller give way to the matrix, names at its side to gaps."""

INKED = {"better": ENDS["first"], "worse": ENDS["second"]}
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def draw_sure_differences(differences: SureDifferences, ax: Axes | None = None, *, most: int = MOST_NODES) -> Axes:
    """Draw which entities are surely better than which, and return the axes.

    A line, or a way of lines, runs down from each entity to those that are surely worse; what nothing is surely better
    than stands in the top layer. More than ``most`` entities, or more than there is room for, are rows and columns of
    a matrix by rank: a cell is filled where the row is surely better or worse than the column. An entity without a
    score is not drawn.

    >>> import numpy as np
    >>> import rankscape as rs
    >>> claims = np.array([[False, True], [False, False]])
    >>> differences = rs.uncertainty.SureDifferences(
    ...     score=rs.score("f1"), names=("a", "b"), ranks=np.array([1.0, 2.0]), values=np.array([0.8, 0.7]),
    ...     claims=claims, p_better=np.where(claims, 0.99, np.nan), level=0.95, method="Jeffreys prior", draws=2000,
    ... )
    >>> ax = draw_sure_differences(differences)
    >>> [text.get_text() for text in ax.texts][:2]
    ['a', 'b']
    """
    ax, scale = axes_of(ax, room=0.62)
    rows = differences.order[differences.layers[differences.order] >= 0]
    drawn = _Nodes(differences, ax, scale, rows) if len(rows) <= most else None
    if drawn is not None and drawn.size >= SMALLEST:
        drawn.draw()
        return ax
    if drawn is not None:
        drawn.remove()
    _draw_matrix(differences, ax, scale, rows)
    return ax


class _Nodes:
    """The names of a Hasse diagram as artists, and where they have room in the axes."""

    def __init__(self, differences: SureDifferences, ax: Axes, scale: Scale, rows: Integers) -> None:
        self.differences, self.ax, self.scale, self.rows = differences, ax, scale, rows
        few = len(rows) <= FEW
        size = scale["tick"] * (1.0 if few else 0.84)
        names, hues = apart([differences.names[row] for row in rows]), colors_of(differences.names)
        self.texts = {}
        for row in rows.tolist():
            name = differences.names[row]
            self.texts[row] = ax.text(
                0, 0, shortened(names[name], LONGEST_NAME if few else SHORT_NAME), fontsize=size, color=INK,
                ha="center", va="center", parse_math=False, zorder=3, gid=f"node {name}",
                bbox={"facecolor": tint(hues[name]), "edgecolor": hues[name], "linewidth": scale.line(1.2)},
            )  # fmt: skip
        dots = 72 / ax.figure.dpi
        widths = np.zeros(len(differences.names))
        for row, text in self.texts.items():
            widths[row] = text.get_window_extent().width * dots + 0.9 * size
        if scale.new:
            self.room = np.array([np.inf, np.inf])
            self.layout, shrunk = self._layout(widths, size, WIDEST), 1.0
        else:  # as wide as lets the names be largest
            shape = _extent(ax, scale)
            self.room = shape - 2 * size
            layouts = [self._layout(widths, size, wide * self.room[0]) for wide in (1.0, 1.4, 2.0, 3.0)]
            shrinks = [float((self.room / (each.width + 1, each.height + 2.4 * size)).min()) for each in layouts]
            best = int(np.argmax(np.minimum(shrinks, 1)))
            self.layout, shrunk = layouts[best], min(1.0, shrinks[best])
        self.size, self.shrunk = size * shrunk, shrunk

    def _layout(self, widths: Floats, size: float, widest: float) -> Layout:
        differences = self.differences
        rise = size * float(np.clip(3.0 + 0.09 * differences.direct.sum() / len(set(differences.layers)), 4.2, 7.5))
        return layered(
            differences.direct, differences.layers, self.rows.tolist(), widths, line=2.6 * size, rise=rise,
            widest=widest,
        )  # fmt: skip

    def remove(self) -> None:
        for text in self.texts.values():
            text.remove()

    def draw(self) -> None:
        ax, scale, layout, differences = self.ax, self.scale, self.layout, self.differences
        crowded = len(layout.lines) > MANY
        for (i, j), points in layout.lines.items():
            ax.add_patch(
                PathPatch(
                    _curve(points), fill=False, edgecolor=REST if crowded else QUIET, capstyle="round", zorder=2,
                    linewidth=scale.line(0.7 if crowded else 1.1) * max(self.shrunk, 0.6),
                    gid=f"edge {differences.names[i]} > {differences.names[j]}",
                )
            )  # fmt: skip
        for row, text in self.texts.items():
            text.set(position=layout.centers[row], fontsize=self.size)
            text.get_bbox_patch().set_boxstyle("round", pad=0.32, rounding_size=0.3)
        margin = 1.2 * self.size / self.shrunk
        shape = np.array([layout.width, layout.height + 2 * margin])
        if scale.new:
            shape = np.maximum(shape, [72 * SIDE, 0])
            _resize(ax, shape / 72, left=0.3)
        else:
            shape = np.maximum(shape, self.room / self.shrunk)
        middle = layout.width / 2, layout.height / 2
        (left, right), (top, bottom) = ((c - s / 2, c + s / 2) for c, s in zip(middle, shape, strict=True))
        ax.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[])
        ax.set_axis_off()
        if layout.lines:
            subtitle = f"Lines: surely better, all together {_level(differences)}. {_decided(differences)}"
            subtitle += " Nothing is surely better than the top row." if len(differences.unbeaten) < len(self.rows) else ""
        else:
            subtitle = f"No line: at {_level(differences)}, nothing is surely better than anything else."
        _dressed(ax, scale, differences, subtitle, left=0.3, fall=-26)


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
    if scale.new and n > MOST_NODES:
        side *= 1.4
        _resize(ax, np.array([side, side]) / 72, left=0.95)
    image = ax.imshow(
        sure - sure.T, cmap=ListedColormap([INKED["worse"], PAPER, INKED["better"]]), vmin=-1, vmax=1,
        interpolation="nearest", gid="matrix",
    )  # fmt: skip
    image.set_zorder(1)
    ax.plot([-0.5, n - 0.5], [-0.5, n - 0.5], color=FAINT, lw=scale.line(0.8), zorder=2, gid="diagonal")
    least = SMALLEST_TICK * min(scale.factor, 1.0)
    step = next((step for step in STEPS if step * 0.82 * side / max(n, 1) >= least), STEPS[-1])
    size = min(scale["tick"], 0.82 * step * side / max(n, 1))
    shown = list(range(0, n, step))
    called = apart([differences.names[row] for row in rows])
    texts = [
        f"{shortened(called[differences.names[row]], LONGEST_NAME if scale.new else SHORT_NAME)}  {_rank(differences, row)}"
        for row in rows[shown].tolist()
    ]
    dress(ax, scale, "rank of the column", "")
    ax.set_yticks(shown, labels=texts, fontsize=size, parse_math=False)
    apart_by = max(1, ceil(2.4 * scale["tick"] * n / side / step)) * step
    columns = list(range(0, n, apart_by))
    ax.set_xticks(columns, labels=[_rank(differences, row) for row in rows[columns].tolist()])
    subtitle = (
        f"Blue: the row is surely better than the column; orange: surely worse, all together {_level(differences)}; "
        f"white: undecided. {_decided(differences)}"
    )
    longest = 0.56 * size * max(map(len, texts), default=0) / 72 + 0.25
    _dressed(ax, scale, differences, subtitle, left=max(longest, 0.5), every=step)


def _rank(differences: SureDifferences, row: int) -> str:
    return f"{float(differences.ranks[row]):g}"


def _level(differences: SureDifferences) -> str:
    return f"{100 * differences.level:g} %"


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
    lost = [plain(name) for name, layer in zip(differences.names, differences.layers, strict=True) if layer < 0]
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

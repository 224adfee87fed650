"""The board that every drawing stands on: axes with their scale, marks on them, and text where there is room.

How a figure is asked for is here, too, and what follows: its style, width, title and labels, and sizes of type.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from inspect import signature
from itertools import product
from math import ceil
from numbers import Real
from types import EllipsisType
from typing import Any, ParamSpec, TypedDict, TypeVar, cast, get_args

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import distance_transform_edt, minimum_filter, rotate
from scipy.optimize import isotonic_regression

from ..arrays import Flags, Floats
from ..errors import Option, UsageError, refuse_unknown
from ..look import INK, NARROW, PAPER, QUIET
from ..texts import and_more, shortened, visible
from ..typing import FigureStyle

CELLS = 240
CENTERS = (np.arange(CELLS) + 0.5) / CELLS
DIRECTIONS = [(round(np.cos(t), 9), round(np.sin(t), 9)) for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
STEP = 0.022
"""How much farther from its point a name is tried each time."""

NEAR = 0.022
"""Names up to so far from the edge of their mark need no leader."""

LEFT, BELOW, ABOVE = 0.95, 1.02, 0.7
"""Inches of a new figure beside, below and above its axes."""

CLOSE = 0.65
"""The share of the inches on the left that a figure needs whose width is given, about."""

SHARP = 200
"""Dots per inch at which text is measured that must fit a width: with fewer, hinting makes small text wider."""

EDGE = 14
"""Points at full size between the axes and what is written beside its upper or right side."""

INSET = 0.7
"""Of the height of a name: a leader ends within it."""

STEADY = 0.93
"""Widths of small text differ by some percent between resolutions."""

ROW, HIGHEST, FILLED = 9.0, 100, 0.82
"""Points of each row of new axes, at least, up to so many rows, and how much of a row its name may fill."""

LONGEST_ROW = 44
"""Characters of the name of a row of new axes."""

SMALLEST_TICK, STEPS = 6.5, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Rows of which names would be smaller than this many points are named every second, fifth, … only."""


@dataclass
class Board:
    """Axes, their scale, and cells over them: ``taken`` by text and marks; ``inked``, ``hatched`` ones text avoids."""

    ax: Axes
    scale: Scale
    fall: float = 0
    """Points at full size that stand between the axes and their words."""

    unnamed: list[str] = field(default_factory=list)
    """Whose names have no room: the note says it."""

    taken: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    inked: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    hatched: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))

    @property
    def window(self) -> tuple[float, float, float, float]:
        """The data that the axes show: (x₀, y₀, x₁, y₁)."""
        (x0, x1), (y0, y1) = sorted(self.ax.get_xlim()), sorted(self.ax.get_ylim())
        return x0, y0, x1, y1

    def at(self, points: ArrayLike) -> Floats:
        """Return points (…, 2) of the data as fractions of the axes."""
        return np.asarray(self.ax.transAxes.inverted().transform(self.ax.transData.transform(points)))

    # ---- marks

    def line(
        self, points: ArrayLike, color: str, width: float, *, dash: Any = "-", soft: bool = True, **style: Any
    ) -> Floats:
        """Draw what of a line is inside, which text avoids, or never covers unless ``soft``; return it as fractions."""
        inside = clipped(np.asarray(points, dtype=np.float64), self.window)
        if len(inside) < 2:
            return np.empty((0, 2))
        self.ax.plot(*inside.T, color=color, lw=self.scale.line(width), ls=dash, **style)
        places = self.at(inside)
        self.draw_over(*places.T, soft=soft)
        return places

    def dot(
        self, points: ArrayLike, color: str, size: float, *, marker: str = "o", edge: float = 1.0, **style: Any
    ) -> None:
        """Draw marks at points (…, 2) of the data, on which no text is written."""
        options: dict[str, Any] = {"mec": INK, "zorder": 6, "clip_on": False} | style
        size *= self.scale.factor
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        self.ax.plot(*points.T, marker, ms=size, mfc=color, mew=self.scale.line(edge), **options)
        for place in self.at(points).tolist():
            self.take(*place, *[1.1 * size / self.scale.side] * 2)

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box, given by its center, as taken."""
        if np.isfinite([x, y]).all():
            self.taken[cells_of(y, height), cells_of(x, width)] = True

    def draw_over(self, x: ArrayLike, y: ArrayLike, *, soft: bool = False) -> None:
        """Mark the cells under a line as taken, or (soft) as inked."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        steps = np.linspace(0, len(x) - 1, 8 * CELLS)
        columns, rows = (np.floor(np.interp(steps, np.arange(len(x)), line) * CELLS) for line in (x, y))
        inside = (columns >= 0) & (columns <= CELLS) & (rows >= 0) & (rows <= CELLS)
        grid = self.inked if soft else self.taken
        grid[np.minimum(rows[inside], CELLS - 1).astype(int), np.minimum(columns[inside], CELLS - 1).astype(int)] = True

    # ---- text

    def write(self, text: str, kind: str = "name", factor: float = 1.0, **style: Any) -> tuple[Text, float, float]:
        """Create text, drawn as it is, and return it with its width and height as fractions of the axes."""
        options: dict[str, Any] = {"color": INK, "ha": "center", "va": "center", "parse_math": False, "zorder": 6}
        options |= {"linespacing": 1.15, "fontsize": self.scale.size(kind, factor), "path_effects": self.scale.halo()}
        artist = self.ax.text(0.5, 0.5, text, transform=self.ax.transAxes, **options | style)
        box, points = artist.get_window_extent(), 72 / self.ax.figure.dpi / self.scale.side
        return artist, box.width * points, box.height * points

    def beside(self, text: str, at: Any, offset: tuple[float, float], size: float, **style: Any) -> Text:
        """Write text outside the axes, so many points at full size from a place, by default a fraction of the axes."""
        options: dict[str, Any] = {"xycoords": "axes fraction", "parse_math": False, "annotation_clip": False}
        options |= {"color": QUIET, "textcoords": "offset points", "fontsize": size} | style
        shift = (offset[0] * self.scale.factor, offset[1] * self.scale.factor)
        return self.ax.annotate(text, at, shift, **options)

    def name(
        self, points: ArrayLike, texts: str | Sequence[str], *, radius: float = 0.02, reach: int = 1,
        factor: float = 1.0, kind: str = "name", leader: bool = False, anyhow: bool = False, **style: Any,
    ) -> Floats | None:  # fmt: skip
        """Write the first text that has room beside the first of the points (n, 2) with room; return that point.

        ``radius`` is that of the mark, ``reach`` how many steps away the name may be, with a leader where it is not
        near or ``leader`` says so; ``anyhow`` writes it at the best place where there is no room.
        """
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        for text in [texts] if isinstance(texts, str) else texts:
            artist, width, height = self.write(text, kind, factor, **style)
            for point, (x, y) in zip(points, self.at(points).tolist(), strict=True):
                spot = self._spot(x, y, width, height, radius, reach, anyhow)
                if spot is None:
                    continue
                artist.set_position(spot)
                self.take(*spot, width + 0.006, height)
                end = nearest(x, y, *spot, width, INSET * height)
                if leader or np.hypot(end[0] - x, end[1] - y) > radius + NEAR:
                    thin = self.scale.line(0.8)
                    line: dict[str, Any] = {"color": QUIET, "transform": self.ax.transAxes, "zorder": 4.5}
                    self.ax.plot([x, end[0]], [y, end[1]], lw=thin, solid_capstyle="round", gid="leader", **line)
                    self.draw_over([x, end[0]], [y, end[1]])
                    if leader:  # to a region
                        self.ax.plot(x, y, "o", ms=3 * thin, gid="leader", **line)
                return np.asarray(point)
            artist.remove()
        return None

    def _spot(
        self, x: float, y: float, width: float, height: float, radius: float, reach: int, anyhow: bool
    ) -> tuple[float, float] | None:
        """Return the center of a box beside a point: near it, with little in the way of the box and of a leader."""
        best: tuple[float, tuple[float, float]] | None = None
        for k in range(reach):
            gap = radius + 0.006 + STEP * k
            for dx, dy in DIRECTIONS:
                up = float(np.clip(dy / max(abs(dx), 1e-9), -1, 1))
                cx, cy = x + dx * gap + np.sign(dx) * width / 2, y + dy * gap + up * height / 2
                out = min(cx - width / 2, 1 - cx - width / 2, cy - height / 2, 1 - cy - height / 2) <= 0.006
                cells = cells_of(cy, height), cells_of(cx, width)
                taken, inked = (
                    float(grid[cells].sum()) / (width * height * CELLS**2) for grid in (self.taken, self.inked)
                )
                if (out or taken) and not anyhow:
                    continue
                cost = k + 40 * taken + 1000 * out + 6 * inked - 0.2 * dx + 0.1 * abs(dy)
                if k:
                    cost += 40 * self._crossed((x, y), nearest(x, y, cx, cy, width, INSET * height), radius)
                if best is None or cost < best[0]:
                    best = cost, (cx, cy)
            if best is not None and best[0] < k + 0.6:
                break
        return None if best is None else best[1]

    def _crossed(self, start: tuple[float, float], end: tuple[float, float], radius: float) -> float:
        """Return the share of a leader, beyond the mark, that runs over what is taken."""
        away = np.subtract(end, start)
        line = start + np.linspace(min(1.6 * radius / max(np.hypot(*away), 1e-9), 1), 1, 40)[:, None] * away
        cells = np.clip((line * CELLS).astype(int), 0, CELLS - 1)
        return float(self.taken[cells[:, 1], cells[:, 0]].mean())

    def label_edge(
        self, axis: str, labels: Sequence[tuple[float, str, str, str]], away: float = EDGE, **style: Any
    ) -> None:
        """Write texts above (axis "x") or right of (axis "y") the axes, moved apart, each with a line to its place."""
        # A label is its place along that side, its text, the color of the line, and its weight.
        ax, scale, upper, artists = self.ax, self.scale, axis == "x", []
        options: dict[str, Any] = {"fontsize": scale.size("tick", 0.95), "color": INK, "transform": ax.transAxes}
        options |= {"ha": "center", "va": "bottom"} if upper else {"ha": "left", "va": "center"}
        labels = sorted(labels, key=lambda label: label[0])
        for _, text, _, weight in labels:
            artists.append(ax.text(0, 0, text, fontweight=weight, parse_math=False, **options | style))
        boxes = [artist.get_window_extent().transformed(ax.transAxes.inverted()) for artist in artists]
        sizes = [box.width + 0.035 if upper else 1.1 * box.height for box in boxes]
        centers = spread([at for at, *_ in labels], sizes)
        out = np.array([0, 0.3, 0.85, 1]) * away * scale.factor / scale.side + 1
        for (at, _, color, _), artist, center in zip(labels, artists, centers, strict=True):
            places = np.stack([[at, at, center, center], out], axis=-1)[:, :: 1 if upper else -1]
            artist.set_position(places[-1])
            width = scale.line(1.2)
            ax.plot(*places[:3].T, color=color, lw=width, transform=ax.transAxes, clip_on=False, gid="to edge")

    # ---- what stands around the axes

    def dress(self, x_label: str, y_label: str) -> None:
        """Set the sizes of ticks and spines, and the words of the axes."""
        ax, scale = self.ax, self.scale
        ax.tick_params(labelsize=scale["tick"], width=scale.line(0.8), length=3.5 * scale.factor, pad=3 * scale.factor)
        for spine in ax.spines.values():
            spine.set(linewidth=scale.line(1.1), color=INK, zorder=4)
        style: dict[str, Any] = {"fontsize": scale["words"], "color": INK, "parse_math": False}
        ax.set_xlabel(self.fitted(x_label), labelpad=(4 + self.fall) * scale.factor, **style)
        ax.set_ylabel(self.fitted(y_label), labelpad=4 * scale.factor, **style)

    def fitted(self, label: str) -> str:
        """Return the words of an axis as they fit: where the smallest size is given, short ones, or on two lines."""
        room, size = 1.12 * self.scale.side, self.scale["words"]
        while self.scale.least and text_width(label, size) > room:
            if label not in NARROW:
                return fit(label, room, 2, size)
            label = NARROW[label]
        return label

    def rows(self, names: Sequence[str], prefixes: Sequence[str] = ()) -> tuple[int, float]:
        """Name the rows, the first on top; return n if every n-th is named, and the size of type."""
        # New axes have room for the names on their left, and are as high as the rows need.
        ax, figure, scale, n = self.ax, cast(Any, self.ax.figure), self.scale, max(len(names), 1)
        longest = LONGEST_NAME if figure.get_layout_engine() is not None else SHORT_NAME
        if scale.new and not wanted().narrow:
            longest = LONGEST_ROW
        called = apart(names)
        texts = [shortened(called[name], longest) for name in names]
        texts = [prefix + text for prefix, text in zip(prefixes or [""] * len(names), texts, strict=True)]
        side = scale.side
        if scale.new:
            (width, height), place = figure.get_size_inches(), ax.get_position(original=True)
            needed = max([0.0, *(text_width(text, scale["tick"]) for text in texts)]) / 72 + 0.15
            left, across = max(needed, place.x0 * width), place.width * width
            if wanted().width is None:
                width += left - place.x0 * width
            else:
                across -= left - place.x0 * width
            tall = across
            if ax.get_box_aspect() is None:
                tall = max(tall, min(n, HIGHEST) * (scale.least / FILLED or ROW) / 72 + 0.01)
            height = BELOW + tall + ABOVE
            figure.set_size_inches(width, height)
            ax.set_position((left / width, BELOW / height, across / width, tall / height))
            side = 72 * tall
        least = max(SMALLEST_TICK * min(scale.factor, 1.0), scale.least)
        every = next((step for step in STEPS if step * FILLED * side / n >= least), STEPS[-1])
        size = max(min(scale["tick"], FILLED * side * every / n), scale.least)
        ax.set_ylim(n - 0.5, -0.5)
        ax.set_yticks(range(0, len(names), every), labels=texts[::every], fontsize=size, parse_math=False)
        ax.tick_params(axis="y", length=0)
        return every, size

    def finish(self, title: str, subtitle: str, note: str, *, rise: float = 6) -> Axes:
        """Write title and subtitle above the axes, the note below; give a new figure the room that all needs.

        ``rise``, in points at full size, is what else stands above the axes. Returns the axes.
        """
        ax, scale, figure, look = self.ax, self.scale, cast(Any, self.ax.figure), wanted()
        if self.unnamed:
            listed = ", ".join(shortened(text, 40) for text in self.unnamed[:4]) + and_more(len(self.unnamed), 4)
            note = f"{note} Not named for lack of room: {listed}.".lstrip()
        if look.paper:
            if isinstance(figure, SavedFigure):  # what it does not write
                texts = (look.title if isinstance(look.title, str) else title, subtitle, note)
                figure.caption = " ".join(f"{text.rstrip('.')}." for text in texts if text)
            subtitle = note = ""
        if look.title is not ...:
            title, subtitle = look.title or "", ""
        width, style = self._width(), {"ha": "left", "va": "bottom", "linespacing": 1.2}
        up, down = rise * scale.factor, (14 + self.fall) * scale.factor + 1.3 * (scale["tick"] + scale["words"])
        if subtitle:
            text = fit(plain(subtitle), STEADY * width, 3, scale["subtitle"])
            self.beside(text, (0, 1), (0, up / scale.factor), scale["subtitle"], gid="subtitle", **style)
            up += (1.3 * text.count("\n") + 1.75) * scale["subtitle"]
        if title:
            text = fit(plain(title), 0.97 * width, 2, scale["title"], "bold")
            large: dict[str, Any] = {"fontsize": scale["title"], "fontweight": "bold"}
            ax.set_title(text, loc="left", pad=up, y=1.0, parse_math=False, **large)
            up += (1.3 * text.count("\n") + 1.2) * scale["title"]
        if note:
            text = fit(plain(note), STEADY * width, 5, scale["note"])
            self.beside(text, (0, 0), (0, -down / scale.factor), scale["note"], gid="note", **style | {"va": "top"})
            down += (1.3 * text.count("\n") + 1.2) * scale["note"]
        place = ax.get_position(original=True)
        across, height = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi  # subfigures have no size
        below, above = down / 72, up / 72
        if scale.new:  # as high as the texts need
            tall = place.height * height
            height = below + 0.12 + tall + above + 0.15
            figure.set_size_inches(across, height)
            ax.set_position((place.x0, (below + 0.12) / height, place.width, tall / height))
        elif figure.get_layout_engine() is None:  # given axes shrink as far as the texts would leave the figure
            low, high = max(place.y0, below / height + 0.005), min(place.y1, 1 - above / height - 0.005)
            if high - low >= place.height / 2 and (low, high) != (place.y0, place.y1):
                ax.set_position((place.x0, low, place.width, high - low))
        return ax

    def _width(self) -> float:
        """Return how wide title and notes may be, in points."""
        ax, figure, look = self.ax, cast(Any, self.ax.figure), wanted()
        box, points = ax.get_window_extent(), 72 / figure.dpi
        if self.scale.new and look.width is not None:  # the names on the left keep their place
            around: Any = ax.get_tightbbox()
            return float(72 * look.width - (box.x0 - around.x0) * points - 4)
        width = (figure.bbox.x1 - box.x0) * points - 12
        return float(width if self.scale.new else min(width, 1.15 * box.width * points))


def board_on(
    ax: Axes | None, x: str, y: str, *, right: float = 0.55, room: float = 0.7,
    square: bool = True, fall: float = 0, **limits: Any,
) -> Board:  # fmt: skip
    """Return a board on axes, new ones by default, with the words of both axes; not ``square`` are those with rows.

    New ones are in a figure with ``right`` inches on their right; a layout engine leaves given ones ``room`` of their
    slot.
    """
    if ax is not None and not isinstance(ax, Axes):
        raise UsageError(
            f"ax must be matplotlib Axes; got {type(ax).__name__}: to write a file, .plot().figure.savefig(path)"
        )
    new, wide = ax is None, wanted().width
    if ax is None:
        left = LEFT * (1.0 if wide is None else CLOSE)
        size = np.array([left + SIDE + right, BELOW + SIDE + ABOVE])
        zoom, dpi = (1.0, None) if wide is None else (wide / size[0], SHARP)
        figure: Any = plt.figure(figsize=tuple(zoom * size), dpi=dpi, FigureClass=SavedFigure)
        ax = cast(Axes, figure.add_axes((left / size[0], BELOW / size[1], *SIDE / size)))
    scale = scale_of(ax, 0.7 if new else room, new)
    ax.set(**({"box_aspect": 1} if square else {}) | limits)
    ax.apply_aspect()
    board = Board(ax, scale, fall)
    board.dress(x, y)
    return board


def spread(centers: Sequence[float], sizes: Sequence[float], low: float = -0.06, high: float = 1.1) -> list[float]:
    """Return centers, ascending, moved apart so that things of these sizes fit side by side between low and high.

    >>> [round(x, 3) for x in spread([0.5, 0.5, 0.52], [0.2, 0.2, 0.2], 0, 1)]
    [0.307, 0.507, 0.707]
    """
    if not sizes:
        return []
    offsets = np.concatenate([[0], np.cumsum((np.array(sizes[:-1]) + np.array(sizes[1:])) / 2)])
    placed = isotonic_regression(np.array(centers) - offsets).x
    placed = np.clip(placed, low + sizes[0] / 2, None).clip(None, high - sizes[-1] / 2 - offsets[-1])
    return [float(x) for x in placed + offsets]


def cells_of(center: float, length: float) -> slice:
    """Return the cells of an axis that an interval touches.

    >>> cells_of(0.5, 0.025), cells_of(0.0, 0.025)
    (slice(117, 123, None), slice(0, 3, None))
    """
    low, high = np.floor((center - length / 2) * CELLS), np.ceil((center + length / 2) * CELLS)
    return slice(int(np.clip(low, 0, CELLS)), int(np.clip(high, 0, CELLS)))


def nearest(x: float, y: float, cx: float, cy: float, width: float, height: float) -> tuple[float, float]:
    """Return the point of a box, given by its center and size, that is nearest to (x, y)."""
    return float(np.clip(x, cx - width / 2, cx + width / 2)), float(np.clip(y, cy - height / 2, cy + height / 2))


def on_cells(a: Floats, b: Floats, values: NDArray[Any]) -> NDArray[Any]:
    """Return what a grid over the Tile holds nearest to the center of each cell."""
    rows, columns = (np.abs(axis[:, None] - CENTERS).argmin(axis=0) for axis in (b, a))
    return np.asarray(values[np.ix_(rows, columns)])


def fits(allowed: Flags, width: float, height: float) -> Flags:
    """Tell at which centers a box of this size lies wholly on allowed cells."""
    size = [2 * ceil(length * CELLS / 2) + 1 for length in (height, width)]
    return np.asarray(minimum_filter(allowed, size=size, mode="constant", cval=0))


def clipped(points: Floats, window: tuple[float, float, float, float]) -> Floats:
    """Return the part of a polyline (m, 2) inside a box (x₀, y₀, x₁, y₁), cut exactly at its sides.

    >>> clipped(np.array([[0.0, 0.0], [1.0, 1.0]]), (0.25, 0, 0.5, 1)).tolist()
    [[0.25, 0.25], [0.5, 0.5]]
    """
    if not len(points):
        return points
    low, high = np.reshape(window, (2, 2))
    start, step, places = points[:-1], np.diff(points, axis=0), np.arange(len(points))
    with np.errstate(divide="ignore", invalid="ignore"):
        cuts = (np.stack([low, high])[:, None] - start) / step
    inner = (cuts > 0) & (cuts < 1)
    at = np.sort(np.concatenate([places, np.nonzero(inner)[1] + cuts[inner]]))
    cut = np.stack([np.interp(at, places, line) for line in points.T], axis=-1)
    span = 1e-9 * (high - low)
    cut = cut[((cut >= low - span) & (cut <= high + span)).all(axis=1)]
    return np.where(cut - low <= span, low, np.where(high - cut <= span, high, cut))


def names_to_try(names: Sequence[str]) -> list[str]:
    r"""Return what to write for the names at one place, the most legible first, the most compact last.

    >>> names_to_try(["net"]), names_to_try(["a", "b"])
    (['net'], ['a = b', 'a\n= b', 'a = 1 more'])
    """
    if len(names) == 1:
        return list(dict.fromkeys([join_names(names), join_names(names, SHORT_NAME)]))
    whole, first = join_names(names), shortened(plain(names[0]), SHORT_NAME)
    return [whole, join_names(names, SHORT_NAME).replace(" = ", "\n= "), f"{first} = {len(names) - 1} more"]


def label_region(
    board: Board, region: Flags, variants: Sequence[str], *, leader: bool = True, ground: str | None = None
) -> bool:
    """Write the first of the texts that fits into a region: upright, else along it, else (leader) beside it.

    ``ground`` is the color put behind text where a pattern would run through it.
    """
    hatched, free = (region & board.hatched).any(), region & ~board.taken
    upright = [(factor, text, [0.0]) for factor, text in product((1.0, 0.86, 0.74), variants)]
    short = [text for text in variants if "\n" not in text][-2:]
    slopes = _slopes(region)
    along = [(factor, text, slopes) for text, factor in product(short, (0.86, 0.74))]
    for allowed, ways in [(free & ~board.hatched, upright)] * bool(hatched) + [(free, upright + along)]:
        depth = np.asarray(distance_transform_edt(np.pad(allowed, 1))[1:-1, 1:-1]) / CELLS
        for factor, text, angles in ways:
            artist, width, height = board.write(text, factor=factor)
            room = _inside(board, region, depth, width, height, angles)
            if room is None:
                artist.remove()
                continue
            place, angle = room
            middle = "center_baseline" if angle else "center"
            artist.set(position=place, rotation=angle, rotation_mode="anchor", va=middle)
            if ground is not None and hatched:
                artist.set_bbox({"facecolor": ground, "edgecolor": "none", "boxstyle": "round,pad=0.15"})
            if not angle:
                board.take(*place, width, height)
                return True
            direction = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
            for off in np.linspace(-height / 2, height / 2, 9):
                line, half = place + off * direction[::-1] * [-1, 1], direction * width / 2
                board.draw_over(*np.array([line - half, line + half]).T)
            return True
    if not leader:
        return False
    i, j = np.unravel_index(depth.argmax(), depth.shape)
    to_data = board.ax.transAxes + board.ax.transData.inverted()
    at = to_data.transform((CENTERS[j], CENTERS[i]))
    return board.name(at, variants[-1], leader=True, factor=0.86, radius=0.03, reach=10) is not None


def _slopes(region: Flags) -> list[float]:
    """Return the angles in degrees along a narrow region: those of most of its slope, then upright."""
    cells = region.sum(axis=0)
    columns = np.flatnonzero(cells)
    if len(columns) <= 20:
        return [90.0]
    middle = (np.arange(CELLS) @ region)[columns] / cells[columns]
    step = len(columns) // 8
    slopes = np.arctan2(middle[2 * step :] - middle[: -2 * step], columns[2 * step :] - columns[: -2 * step])
    return [*np.quantile(np.degrees(slopes), [0.5, 0.25, 0.75, 0.1, 0.9]).tolist(), 90.0]


def _inside(
    board: Board, region: Flags, depth: Floats, width: float, height: float, angles: Sequence[float]
) -> tuple[tuple[float, float], float] | None:
    """Return a center and the first of the angles for a box, deep inside the region and near its middle, or None."""
    # The board is turned by the angle, and the box is upright on it.
    if 2 * depth.max() < height:
        return None
    rows, columns = np.nonzero(region)
    line = board.scale["name"] / board.scale.side
    for angle, pad in product(angles, (0.15,) if any(angles) else (1.2, 0.35)):  # lines of text around it
        turned = np.asarray(rotate(depth, angle, order=0) if angle else depth)
        free = fits(turned > 0, width + pad * line, height + pad * line)
        if free.any():
            cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
            y, x = ((np.arange(n) - (n - 1) / 2) / CELLS for n in turned.shape)
            across, up = 0.5 + cos * x - sin * y[:, None], 0.5 + sin * x + cos * y[:, None]
            off = np.hypot(up - CENTERS[rows].mean(), 0.6 * (across - CENTERS[columns].mean()))
            wished = np.minimum(turned, 0.6 * height + 0.05) - 0.25 * off
            i, j = np.unravel_index(np.where(free, wished, -np.inf).argmax(), free.shape)
            return (float(across[i, j]), float(up[i, j])), angle
    return None


FILES: dict[Any, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}
"""Fonts in files are TrueType, and text stays text."""

COLUMN = 3.3
"""Inches: the width of a column of a paper."""

SMALLEST = 6.0
"""Points: no text of a figure whose width is given, or of a paper, is smaller."""

NARROWEST, WIDEST = 2.0, 20.0
"""Inches that a figure may be wide."""

MARGIN = 0.03
"""Inches around all that is drawn."""

SIDE = 4.7
"""Inches: the side of the Tile at which the sizes of type below hold, in points."""

SIZES = {
    "title": 15.5, "name": 12.0, "corner": 11.0, "words": 11.0, "tick": 10.5, "subtitle": 10.5, "note": 9.5,
    "mark": 11.0,
}  # fmt: skip
LONGEST_NAME, SHORT_NAME = 28, 18
PAPER_SIDE, PAPER_FACTOR, LARGEST_FACTOR = 2.6, 0.62, 0.8
"""The side of axes in a column of a paper, in inches, and type sizes of a figure for a paper there and at most."""


class Look(TypedDict, total=False):
    """How a figure looks: the options that every drawing function takes beside its own.

    With a width, and in the style "paper", no text is smaller than 6 points.

    - ``style`` is "screen", or "paper" for a column of a paper: small type that stays readable, patterns that gray
      print keeps apart, and no notes, which are in ``figure.caption``.
    - ``width`` is the width in inches, by default that of the style.
    - ``title`` is a title in the place of the usual one and the lines below it; None leaves it out.

    """

    style: FigureStyle
    width: float
    title: str | None


LOOKS = tuple(Look.__annotations__)

INSTEAD = {
    typed: advice
    for advice, others in {
        "the size is width=, in inches": "figsize height",
        "figures keep one set of colors; .frame() has the numbers for a drawing of your own":
            "cmap colors colormap palette alpha vmin vmax",
        'the size of type follows width= and style="paper"': "fontsize",
        'matplotlib chooses the font: plt.rcParams["font.family"] = …': "font fontfamily",
        "other names of models are those of other data: P.rename({…})": "names label labels",
        "set it on the axes that are returned, as in ax.set(xlabel=…)": "xlabel ylabel xlim ylim legend",
        "what is returned writes files: .figure.savefig(…)": "dpi filename fname path save savefig",
        "plt.show() shows all figures": "show",
        "did you mean ax=?": "axes axis fig figure",
    }.items()
    for typed in others.split()
}  # fmt: skip
"""What matplotlib and others call what a figure has under another name, or elsewhere."""


class SavedFigure(Figure):
    """A figure whose files hold TrueType fonts, and text as text; ``caption`` is what a paper says below it."""

    caption: str = ""
    outlined: bool = False
    """Whether SVG has outlines in the place of text."""

    cut: bool = False
    """Whether it is as large as what is drawn."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write a file, as the method of matplotlib does."""
        for artist in self.findobj(lambda artist: bool(artist.get_gid())):
            artist.set_gid(visible(str(artist.get_gid())))  # names in it become part of an SVG
        with mpl.rc_context(FILES | ({"svg.fonttype": "path"} if self.outlined else {})):
            super().savefig(fname, **options)


@dataclass(frozen=True)
class Wanted:
    """What is asked of the figure that is drawn now."""

    style: FigureStyle = "screen"
    width: float | None = None
    title: str | EllipsisType | None = ...

    @property
    def paper(self) -> bool:
        """Whether it is for a paper."""
        return self.style == "paper"

    @property
    def narrow(self) -> bool:
        """Whether it is not much wider than a column of a paper."""
        return self.width is not None and self.width < 1.8 * COLUMN

    @property
    def least(self) -> float:
        """The smallest type size in points."""
        return SMALLEST if self.paper or self.width is not None else 0.0


_WANTED: ContextVar[Wanted] = ContextVar("wanted", default=Wanted())  # noqa: B039 - frozen
P = ParamSpec("P")
D = TypeVar("D")


def wanted() -> Wanted:
    """Return what is asked of the figure that is drawn now."""
    return _WANTED.get()


def in_look(draw: Callable[P, D]) -> Callable[P, D]:
    """Let a function that draws take a :class:`Look` beside its own options."""
    parameters = list(signature(draw).parameters)

    @wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> D:
        if "look" in parameters:  # else options go to another function, which refuses what it does not take
            refuse_unknown(options, [*parameters[:-1], *LOOKS], f"{draw.__name__}()", INSTEAD)
        given: dict[str, Any] = {key: options.pop(key) for key in LOOKS if key in options}
        if not given:
            return draw(*args, **options)
        token = _WANTED.set(_checked(given, options.get("ax", args[1] if len(args) > 1 else None)))
        try:
            result: Any = draw(*args, **options)
            if (width := wanted().width) is not None:
                _fit_width(result.figure, width)
        finally:
            _WANTED.reset(token)
        return cast(D, result)

    return drawn


def _fit_width(figure: Figure, width: float) -> None:
    """Make a figure as wide as wanted: axes take what their texts, which keep their sizes, leave; then cut it."""

    def drawn() -> Bbox:
        figure.draw_without_rendering()
        return figure.get_tightbbox(cast(Any, figure.canvas).get_renderer())

    (ax,) = figure.axes
    inner = figure.get_size_inches()[0] * ax.get_position().width
    figure.set_size_inches(*figure.get_size_inches() * (1 + (width - 2 * MARGIN - drawn().width) / inner))
    box, before = drawn(), figure.get_size_inches()
    start = np.array([box.x0 - (width - box.width) / 2, box.y0 - MARGIN])
    size = np.array([width, box.height + 2 * MARGIN])
    points = ax.get_position(original=True).get_points() * before
    figure.set_size_inches(*size)
    ax.set_position(Bbox((points - start) / size))
    cast(SavedFigure, figure).cut = True


def _checked(given: dict[str, Any], axes: object) -> Wanted:
    """Return what is wanted; raises UsageError for what cannot be."""
    style, width = given.get("style", "screen"), given.get("width")
    if not isinstance(given.get("title"), (str, type(None))):
        raise UsageError(Option("title", given["title"]), expected="a text")
    if style not in get_args(FigureStyle):
        raise UsageError(Option("style", style), expected=" or ".join(map(repr, get_args(FigureStyle))))
    if axes is not None:
        if width is not None:
            raise UsageError("a width is that of a new figure, and the axes given have theirs")
    elif width is None and style == "paper":
        width = COLUMN
    if width is not None and not (isinstance(width, Real) and NARROWEST <= float(width) <= WIDEST):
        raise UsageError(Option("width", width), expected=f"inches from {NARROWEST:g} to {WIDEST:g}")
    return Wanted(style, None if width is None else float(width), given.get("title", ...))


@dataclass(frozen=True)
class Scale:
    """The side of axes in points, and type sizes and line widths that follow it."""

    side: float
    factor: float
    new: bool = False
    """Whether the axes were made for the drawing."""

    least: float = 0.0
    """The smallest type size."""

    def __getitem__(self, kind: str) -> float:
        return self.size(kind)

    def size(self, kind: str, factor: float = 1.0) -> float:
        """Return a type size times a factor, which is not smaller than the smallest one."""
        return max(SIZES[kind] * self.factor * factor, self.least)

    def line(self, width: float) -> float:
        """Return a line width in points."""
        return width * max(self.factor, 0.6)

    def halo(self, width: float = 3.0, color: str = PAPER) -> Sequence[AbstractPathEffect]:
        """Return the path effects that put a halo around text."""
        return [withStroke(linewidth=width * self.factor, foreground=color, alpha=0.9)]


def scale_of(ax: Axes, room: float, new: bool) -> Scale:
    """Return the scale for axes; a layout engine leaves them ``room`` of a slot."""
    figure: Any = ax.figure
    spec, look = ax.get_subplotspec(), wanted()
    if figure.get_layout_engine() is not None and spec is not None:
        rows, columns = spec.get_gridspec().get_geometry()
        width = figure.bbox.width * len(spec.colspan) / columns
        height = figure.bbox.height * len(spec.rowspan) / rows
        side = room * min(width, height) / figure.dpi
    else:
        ax.apply_aspect()
        side = min(ax.get_window_extent().size) / figure.dpi
    factor = float(np.clip(side / SIDE, 0.5, 1.4))
    if look.paper:
        factor = float(np.clip(PAPER_FACTOR * side / PAPER_SIDE, PAPER_FACTOR, LARGEST_FACTOR))
    return Scale(72 * side, factor * mpl.rcParams["font.size"] / 10, new, look.least)


def plain(text: str) -> str:
    """Return text on one line, without control characters, and with a box for what the fonts cannot draw.

    >>> plain("a" + chr(10) + "b" + chr(0) + chr(0x202E) + " <i>$x_1$</i>")
    'a b <i>$x_1$</i>'
    """
    spaced = " ".join("".join(" " if c.isspace() else c for c in text).split())
    kept = "".join(c for c in spaced if not unicodedata.category(c).startswith("C"))
    known = _glyphs(tuple(FontProperties().get_family()), tuple(mpl.rcParams["font.sans-serif"]))
    return "".join(c if ord(c) in known else "□" for c in kept) or "(no name)"


@lru_cache(maxsize=8)
def _glyphs(families: tuple[str, ...], _sans: tuple[str, ...]) -> frozenset[int]:
    """Return the characters that the fonts in use can draw."""
    drawable: set[int] = set()
    for weight in ("normal", "bold"):
        fonts = [get_font(findfont(FontProperties(family=[family], weight=weight))) for family in families]
        glyphs = {code for font in fonts for code in font.get_charmap()}
        drawable = glyphs if weight == "normal" else drawable & glyphs
    return frozenset(drawable)


def join_names(names: Sequence[str], longest: int = LONGEST_NAME) -> str:
    """Return tied names joined by " = ".

    >>> join_names(["a", "b"]), join_names(list("abcde"))
    ('a = b', 'a = b = 3 more')
    """
    texts = [shortened(plain(name), longest) for name in names]
    if len(texts) > 3:
        texts = [*texts[:2], f"{len(texts) - 2} more"]
    return " = ".join(texts)


def apart(names: Iterable[str]) -> dict[str, str]:
    """Return what to call names in a figure: plain, and without the words that they share where that is all one sees.

    >>> apart(
    ...     [
    ...         "net",
    ...         *(f"a network of which seven words are alike, seed {i}, from scratch" for i in (1, 2)),
    ...     ]
    ... ).values()
    dict_values(['net', '…1,…', '…2,…'])
    """
    texts = {name: plain(name) for name in names}
    alike: dict[str, set[str]] = {}
    for text in texts.values():
        alike.setdefault(shortened(text, SHORT_NAME), set()).add(text)
    for name, text in texts.items():
        group = alike[shortened(text, SHORT_NAME)]
        if len(group) > 1:
            start = _shared([other.split(" ") for other in group])
            end = _shared([other.split(" ")[start:][::-1] for other in group])
            parts = text.split(" ")
            texts[name] = "…" * bool(start) + " ".join(parts[start : len(parts) - end]) + "…" * bool(end)
    return texts


def _shared(texts: Sequence[Sequence[str]]) -> int:
    """Return with how many equal words all texts start, of which one is left."""
    most = min(map(len, texts)) - 1
    return next((k for k in range(most) if len({text[k] for text in texts}) > 1), most)


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return how many points wide a line of text is, with the room on both sides of it."""
    family = tuple(FontProperties().get_family())
    return size * sum(_width_of(part, weight, family) for part in re.split(r"( )", text) if part)


@lru_cache(maxsize=4096)
def _width_of(part: str, weight: str, family: tuple[str, ...]) -> float:
    """Return the width of a word, or of a space, for a type size of 1."""
    font = FontProperties(family=family, weight=weight, size=100)
    whole, ends = (text_to_path.get_text_width_height_descent(text, font, False)[0] for text in (f".{part}.", ".."))
    return float(whole - ends) / 100


def fit(text: str, width: float, lines: int, size: float, weight: str = "normal") -> str:
    """Wrap text to a width in points, on at most so many lines; what is too long loses its middle."""
    for length in range(len(text), 8, -max(1, len(text) // 60)):
        first, *rest = shortened(text, length).split(" ")
        wrapped = [first]
        for word in rest:
            longer = f"{wrapped[-1]} {word}"
            if text_width(longer, size, weight) > width:
                wrapped.append(word)
            else:
                wrapped[-1] = longer
        if len(wrapped) <= lines and all(text_width(line, size, weight) <= width for line in wrapped):
            return "\n".join(line.strip() for line in wrapped)
    return shortened(text, 8)

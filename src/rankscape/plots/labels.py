"""Where text goes: a board of cells over the unit square that knows what is taken."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import distance_transform_edt

from .style import INK, QUIET, Scale, shorten

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
CELLS = 240
FARTHEST = 0.25  # from a label to the region that it names
CENTERS = (np.arange(CELLS) + 0.5) / CELLS


@dataclass
class Board:
    """Cells of the Tile: ``taken`` by text and marks; ``inked`` by borders and ``hatched`` are avoided where possible."""

    ax: Any
    scale: Scale
    taken: Bools = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    inked: Bools = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    hatched: Bools = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))

    def write(self, text: str, kind: str = "name", factor: float = 1.0, **style: Any) -> tuple[Text, float, float]:
        """Create text, drawn as it is, and return it with its width and height on the unit square."""
        options: dict[str, Any] = {"color": INK, "ha": "center", "va": "center", "parse_math": False, "zorder": 6}
        options |= {
            "linespacing": 1.15,
            "fontsize": self.scale[kind] * factor,
            "path_effects": self.scale.halo(),
        } | style
        artist = self.ax.text(0.5, 0.5, text, **options)
        box, points = artist.get_window_extent(), 72 / self.ax.figure.dpi / self.scale.side
        return artist, box.width * points, box.height * points

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box, given by its center, as taken."""
        rows, columns = _span(y, height), _span(x, width)
        self.taken[rows, columns] = True

    def draw_over(self, x: ArrayLike, y: ArrayLike, *, soft: bool = False) -> None:
        """Mark the cells under a line as taken, or (soft) as inked."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        steps = np.linspace(0, len(x) - 1, 8 * CELLS)
        columns, rows = (
            np.floor(np.interp(steps, np.arange(len(x)), line) * CELLS) for line in (x, y)
        )  # fmt: skip
        inside = (columns >= 0) & (columns <= CELLS) & (rows >= 0) & (rows <= CELLS)
        grid = self.inked if soft else self.taken
        grid[np.minimum(rows[inside], CELLS - 1).astype(int), np.minimum(columns[inside], CELLS - 1).astype(int)] = True

    def room(self, allowed: Bools, width: float, height: float, pad: float = 0.35) -> Bools:
        """Tell at which centers a box (padded by ``pad`` lines of text) lies wholly on allowed cells."""
        extra = pad * self.scale["name"] / self.scale.side
        return _counts(~allowed, width + extra, height + extra) == 0

    def place_inside(self, region: Bools, width: float, height: float) -> tuple[float, float] | None:
        """Return a center for a box, deep inside the region and near its middle; None if there is none."""
        choices = (region & ~self.taken & ~self.hatched, region & ~self.taken)
        rooms = ((allowed, self.room(allowed, width, height, pad)) for allowed in choices for pad in (1.2, 0.35))
        allowed, fits = next(((allowed, fits) for allowed, fits in rooms if fits.any()), (None, None))
        if allowed is None or fits is None:
            return None
        depth = np.minimum(_depth(allowed) / CELLS, 0.6 * height + 0.05)
        rows, columns = np.nonzero(region)
        off = np.hypot(CENTERS[:, None] - CENTERS[rows].mean(), 0.6 * (CENTERS - CENTERS[columns].mean()))
        i, j = np.unravel_index(np.where(fits, depth - 0.25 * off, -np.inf).argmax(), fits.shape)
        return float(CENTERS[j]), float(CENTERS[i])

    def place_beside(self, x: float, y: float, width: float, height: float, gap: float) -> tuple[float, float]:
        """Return a center for the label of a mark at (x, y): the direction with the least in the way."""
        w, h = width / 2 + gap, height / 2 + gap
        candidates = [(x + dx * w, y + dy * h) for dx, dy in _DIRECTIONS] + [
            (x + sx * w, y + sy * (h + 0.8 * height)) for sx in (-0.6, 0.6) for sy in (-1, 1)
        ]

        def cost(index: int) -> float:
            cx, cy = candidates[index]
            rows, columns = _span(cy, height), _span(cx, width)
            out = max(0.0, cx + width / 2 - 0.99, cy + height / 2 - 0.99, 0.01 - cx + width / 2, 0.01 - cy + height / 2)
            return (
                float(self.taken[rows, columns].sum()) + 0.15 * float(self.inked[rows, columns].sum())
                + 1e5 * out + 0.5 * index
            )  # fmt: skip

        return candidates[min(range(len(candidates)), key=cost)]

    def place_with_leader(
        self, region: Bools, width: float, height: float
    ) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None:
        """Return (center of the label, end of its leader, point in the region), or None if nothing is free."""
        depth = _depth(region & ~self.taken if (region & ~self.taken).any() else region)
        i, j = np.unravel_index(depth.argmax(), depth.shape)
        x, y = float(CENTERS[j]), float(CENTERS[i])
        rows, columns = np.nonzero(self.room(~self.taken, width, height))
        if not len(rows):
            return None
        centers = np.column_stack([CENTERS[columns], CENTERS[rows]])
        crossed = _counts(self.inked, width + 0.02, height + 0.02)[rows, columns] / CELLS
        beyond = np.maximum(np.abs(centers - [x, y]) - [width / 2, height / 2], 0)
        distance = np.hypot(*beyond.T)
        cost = distance + 1.5 * crossed + 0.3 * (distance < 0.04)
        order = np.argsort(cost, kind="stable")
        for best in order[distance[order] < FARTHEST][::7][:150]:
            cx, cy = (float(c) for c in centers[best])
            end = (
                float(np.clip(x, cx - width / 2, cx + width / 2)),
                float(np.clip(y, cy - height / 2, cy + height / 2)),
            )
            line = np.linspace(end, (x, y), 60)[3:-3]
            if not self.taken[tuple((line[:, ::-1] * (CELLS - 1)).astype(int).T)].any():
                return (cx, cy), end, (x, y)
        return None


_DIRECTIONS = ((1, 0.0), (-1, 0.0), (-0.9, 0.9), (0.9, 0.9), (-0.9, -0.9), (0.9, -0.9), (0.0, 1), (0.0, -1))


def _span(center: float, length: float) -> slice:
    low, high = np.floor((center - length / 2) * CELLS), np.ceil((center + length / 2) * CELLS)
    return slice(int(np.clip(low, 0, CELLS)), int(np.clip(high, 0, CELLS)))


def _counts(cells: Bools, width: float, height: float) -> NDArray[np.int64]:
    """Count the cells set in a box around every cell; what lies outside the board counts as set."""
    half_w, half_h = (int(np.ceil(length * CELLS / 2)) for length in (width, height))
    padded = np.pad(cells, ((half_h, half_h), (half_w, half_w)), constant_values=True).astype(np.int64)
    sums = np.pad(padded.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    h, w = 2 * half_h + 1, 2 * half_w + 1
    return np.asarray(sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w])


def _depth(cells: Bools) -> Floats:
    """Return the distance, in cells, from the outside of a set of cells."""
    return np.asarray(distance_transform_edt(np.pad(cells, 1))[1:-1, 1:-1])


def label_region(
    board: Board, region: Bools, variants: Sequence[str], *, leader: bool = True, ground: str | None = None
) -> bool:
    """Write the first of the texts that fits into a region, else the last one beside it with a leader line.

    ``ground`` is the color put behind the text where a pattern would run through it.
    """
    for factor in (1.0, 0.86, 0.74):
        for text in variants:
            artist, width, height = board.write(text, factor=factor)
            place = board.place_inside(region, width, height)
            if place is not None:
                artist.set_position(place)
                if ground is not None and board.hatched[_span(place[1], height), _span(place[0], width)].any():
                    artist.set_bbox({"facecolor": ground, "edgecolor": "none", "boxstyle": "round,pad=0.15"})
                board.take(*place, width, height)
                return True
            artist.remove()
    if not leader:
        return False
    artist, width, height = board.write(variants[-1], factor=0.86)
    found = board.place_with_leader(region, width, height)
    if found is None:
        artist.remove()
        return False
    place, end, target = found
    artist.set_position(place)
    board.take(*place, width, height)
    board.draw_over(*zip(end, target, strict=True))
    line = board.scale.line(0.8)
    board.ax.plot(*zip(end, target, strict=True), color=QUIET, lw=line, zorder=5, solid_capstyle="round")
    board.ax.plot(*target, "o", color=QUIET, ms=3 * line, zorder=5)
    return True


def fit(ax: Axes, text: str, width: float, lines: int, **style: Any) -> str:
    """Wrap text to a width in points, on at most so many lines; what is too long loses its middle."""
    probe = ax.text(0, 0, "", parse_math=False, **style)

    def measure(line: str) -> float:
        probe.set_text(line)
        return float(probe.get_window_extent().width) * 72 / ax.figure.dpi

    try:
        average = max(measure(text) / max(len(text), 1), 1e-9)
        columns = max(int(width / average), 8)
        for length in range(len(text), 8, -max(1, len(text) // 60)):
            for narrower in (columns + 3, columns, columns - 3):
                wrapped = textwrap.wrap(shorten(text, length), max(narrower, 8), break_on_hyphens=False)
                if len(wrapped) <= lines and all(measure(line) <= width for line in wrapped):
                    return "\n".join(wrapped)
        return shorten(text, 8)
    finally:
        probe.remove()

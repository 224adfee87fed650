"""Where text goes: a board of cells over the unit square that knows what is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft2, next_fast_len, rfft2
from scipy.ndimage import distance_transform_edt

from ..arrays import Flags, Floats, Integers
from ..look import INK, QUIET
from .style import Scale

CELLS = 240
FARTHEST = 0.25  # from a label to the region that it names
CENTERS = (np.arange(CELLS) + 0.5) / CELLS


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


@dataclass
class Board:
    """Cells of the Tile: ``taken`` by text and marks; ``inked`` and ``hatched`` ones are avoided where possible."""

    ax: Axes
    scale: Scale
    taken: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    inked: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))
    hatched: Flags = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=bool))

    def write(self, text: str, kind: str = "name", factor: float = 1.0, **style: Any) -> tuple[Text, float, float]:
        """Create text, drawn as it is, and return it with its width and height on the unit square."""
        options: dict[str, Any] = {"color": INK, "ha": "center", "va": "center", "parse_math": False, "zorder": 6}
        options |= {"linespacing": 1.15, "fontsize": self.scale.size(kind, factor), "path_effects": self.scale.halo()}
        artist = self.ax.text(0.5, 0.5, text, **options | style)
        box, points = artist.get_window_extent(), 72 / self.ax.figure.dpi / self.scale.side
        return artist, box.width * points, box.height * points

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Mark a box, given by its center, as taken."""
        self.taken[cells_of(y, height), cells_of(x, width)] = True

    def draw_over(self, x: ArrayLike, y: ArrayLike, *, soft: bool = False) -> None:
        """Mark the cells under a line as taken, or (soft) as inked."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        steps = np.linspace(0, len(x) - 1, 8 * CELLS)
        columns, rows = (np.floor(np.interp(steps, np.arange(len(x)), line) * CELLS) for line in (x, y))
        inside = (columns >= 0) & (columns <= CELLS) & (rows >= 0) & (rows <= CELLS)
        grid = self.inked if soft else self.taken
        grid[np.minimum(rows[inside], CELLS - 1).astype(int), np.minimum(columns[inside], CELLS - 1).astype(int)] = True

    def room(self, allowed: Flags, width: float, height: float, pad: float = 0.35) -> Flags:
        """Tell at which centers a box (padded by ``pad`` lines of text) lies wholly on allowed cells."""
        extra = pad * self.scale["name"] / self.scale.side
        return np.equal(_counts(~allowed, width + extra, height + extra), 0)

    def place_inside(
        self, region: Flags, width: float, height: float, *, over_hatch: bool = False
    ) -> tuple[float, float] | None:
        """Return a center for a box, deep inside the region and near its middle; None if there is none."""
        allowed = region & ~self.taken & (over_hatch | ~self.hatched)
        depth = _depth(allowed) / CELLS
        if 2 * depth.max() < height:
            return None
        fits = next((fits for pad in (1.2, 0.35) if (fits := self.room(allowed, width, height, pad)).any()), None)
        if fits is None:
            return None
        depth = np.minimum(depth, 0.6 * height + 0.05)
        rows, columns = np.nonzero(region)
        off = np.hypot(CENTERS[:, None] - CENTERS[rows].mean(), 0.6 * (CENTERS - CENTERS[columns].mean()))
        i, j = np.unravel_index(np.where(fits, depth - 0.25 * off, -np.inf).argmax(), fits.shape)
        return float(CENTERS[j]), float(CENTERS[i])

    def place_tilted(self, region: Flags, width: float, height: float) -> tuple[float, float, float, Flags] | None:
        """Return center, angle in degrees and cells of a box that follows the slope of a narrow region, or None."""
        allowed = region & ~self.taken
        depth = _depth(allowed)
        if 2 * depth.max() / CELLS < height:
            return None
        around = _around(allowed)
        for angle in _slopes(region):
            box = _tilted(width + 0.01, height + 0.005, angle)
            half_h, half_w = (size // 2 for size in box.shape)
            blocked = np.pad(~allowed[around], ((half_h, half_h), (half_w, half_w)), constant_values=True)
            fits = _overlaps(blocked, box) < 0.5
            if fits.any():
                best = np.where(fits, depth[around], -np.inf) - 20 * np.abs(CENTERS[around[1]] - 0.5)
                i, j = np.unravel_index(best.argmax(), fits.shape)
                i, j = i + around[0].start, j + around[1].start
                cells = np.zeros((CELLS + 2 * half_h, CELLS + 2 * half_w), dtype=bool)
                cells[i : i + box.shape[0], j : j + box.shape[1]] = box
                return float(CENTERS[j]), float(CENTERS[i]), angle, cells[half_h:-half_h, half_w:-half_w]
        return None

    def place_beside(self, x: float, y: float, width: float, height: float, gap: float) -> tuple[float, float]:
        """Return a center for the label of a mark at (x, y): the direction with the least in the way."""
        w, h = width / 2 + gap, height / 2 + gap
        candidates = [(x + dx * w, y + dy * h) for dx, dy in _DIRECTIONS] + [
            (x + sx * w, y + sy * (h + 0.8 * height)) for sx in (-0.6, 0.6) for sy in (-1, 1)
        ]

        def cost(index: int) -> float:
            cx, cy = candidates[index]
            rows, columns = cells_of(cy, height), cells_of(cx, width)
            out = max(0.0, cx + width / 2 - 0.99, cy + height / 2 - 0.99, 0.01 - cx + width / 2, 0.01 - cy + height / 2)
            taken, inked = (float(grid[rows, columns].sum()) for grid in (self.taken, self.inked))
            return taken + 0.15 * inked + 1e5 * out + 0.5 * index

        return candidates[min(range(len(candidates)), key=cost)]

    def place_with_leader(
        self, region: Flags, width: float, height: float
    ) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None:
        """Return (center of the label, end of its leader, point in the region), or None if nothing is free."""
        depth = _depth(region & ~self.taken if (region & ~self.taken).any() else region)
        i, j = np.unravel_index(depth.argmax(), depth.shape)
        x, y = float(CENTERS[j]), float(CENTERS[i])
        rows, columns = np.nonzero(self.room(~self.taken, width, height, pad=0.8))
        if not len(rows):
            return None
        centers = np.column_stack([CENTERS[columns], CENTERS[rows]])
        crossed = _counts(self.inked, width + 0.02, height + 0.03)[rows, columns] / CELLS
        beyond = np.maximum(np.abs(centers - [x, y]) - [width / 2, height / 2], 0)
        distance = np.hypot(*beyond.T)
        cost = distance + 4 * crossed + 0.3 * (distance < 0.04)
        order = np.argsort(cost, kind="stable")
        for best in order[distance[order] < FARTHEST][::7][:150]:
            cx, cy = (float(c) for c in centers[best])
            end = nearest(x, y, cx, cy, width, height)
            line = np.linspace(end, (x, y), 60)[3:-3]
            if not self.taken[tuple((line[:, ::-1] * (CELLS - 1)).astype(int).T)].any():
                return (cx, cy), end, (x, y)
        return None


_DIRECTIONS = ((1, 0.0), (-1, 0.0), (-0.9, 0.9), (0.9, 0.9), (-0.9, -0.9), (0.9, -0.9), (0.0, 1), (0.0, -1))


def _counts(cells: Flags, width: float, height: float) -> Integers:
    """Count the cells set in a box around every cell; what lies outside the board counts as set."""
    half_w, half_h = (int(np.ceil(length * CELLS / 2)) for length in (width, height))
    padded = np.pad(cells, ((half_h, half_h), (half_w, half_w)), constant_values=True).astype(np.int64)
    sums = np.pad(padded.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    h, w = 2 * half_h + 1, 2 * half_w + 1
    return np.asarray(sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w])


def _depth(cells: Flags) -> Floats:
    """Return the distance, in cells, from the outside of a set of cells; asked for again and again for one label."""
    return _depth_of(np.packbits(cells).tobytes())


@lru_cache(maxsize=4)
def _depth_of(bits: bytes) -> Floats:
    cells = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=CELLS**2).reshape(CELLS, CELLS).astype(bool)
    depth, around = np.zeros(cells.shape), _around(cells)
    depth[around] = distance_transform_edt(np.pad(cells[around], 1))[1:-1, 1:-1]  # nothing beyond them is nearer
    return depth


def _around(cells: Flags) -> tuple[slice, slice]:
    """Return the smallest box around the cells set, one cell where there are none."""
    rows, columns = (np.flatnonzero(cells.any(axis=axis)) if cells.any() else [0] for axis in (1, 0))
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def _overlaps(blocked: Flags, box: Flags) -> Floats:
    """Return how many cells of a box, turned by 180°, are blocked at each place where it lies inside, but for rounding.

    It is a convolution, by Fourier transforms; ``scipy.signal`` has one, and takes longer to load than a figure takes.

    >>> _overlaps(np.array([[True, False, False]]), np.array([[True, True]])).round().tolist()
    [[1.0, 0.0]]
    """
    shape = [n + k - 1 for n, k in zip(blocked.shape, box.shape, strict=True)]
    fast = [next_fast_len(n, real=True) for n in shape]
    whole = irfft2(rfft2(blocked.astype(float), fast) * rfft2(box.astype(float), fast), fast)
    return np.asarray(whole[box.shape[0] - 1 : blocked.shape[0], box.shape[1] - 1 : blocked.shape[1]])


def _tilted(width: float, height: float, angle: float) -> Flags:
    """Return the cells of a tilted box, as a small array of odd shape."""
    half = int(np.ceil(np.hypot(width, height) * CELLS / 2)) + 1
    y, x = np.mgrid[-half : half + 1, -half : half + 1] / CELLS
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    inside = (np.abs(cos * x + sin * y) <= width / 2) & (np.abs(cos * y - sin * x) <= height / 2)
    return np.asarray(inside[inside.any(axis=1)][:, inside.any(axis=0)])


def _slopes(region: Flags) -> list[float]:
    """Return the angles, in degrees, at which a narrow region runs, and upright."""
    columns = np.flatnonzero(region.any(axis=0))
    slopes = []
    if len(columns) > 20:
        middle = np.array([np.flatnonzero(region[:, column]).mean() for column in columns])
        step = len(columns) // 8
        rise = middle[2 * step :] - middle[: -2 * step]
        angles = np.degrees(np.arctan2(rise, columns[2 * step :] - columns[: -2 * step]))
        slopes = [float(angle) for angle in np.quantile(angles, [0.5, 0.25, 0.75, 0.1, 0.9])]
    return [*slopes, 90.0]


def label_region(
    board: Board, region: Flags, variants: Sequence[str], *, leader: bool = True, ground: str | None = None
) -> bool:
    """Write the first of the texts that fits into a region, else (leader) the last one beside it with a leader line.

    ``ground`` is the color put behind text where a pattern would run through it.
    """
    hatched = (False, True) if (region & board.hatched).any() else (False,)
    trials = [(factor, text, over) for over in hatched for factor in (1.0, 0.86, 0.74) for text in variants]
    for factor, text, over in trials:
        artist, width, height = board.write(text, factor=factor)
        place = board.place_inside(region, width, height, over_hatch=over)
        if place is not None:
            _settle(board, artist, place, ground)
            board.take(*place, width, height)
            return True
        artist.remove()
    lines = [text for text in variants if "\n" not in text][-2:]
    for factor, text in [(factor, text) for text in lines for factor in (0.86, 0.74)]:
        artist, width, height = board.write(text, factor=factor)
        tilted = board.place_tilted(region, width, height)
        if tilted is not None:
            x, y, angle, cells = tilted
            artist.set(rotation=angle, rotation_mode="anchor", va="center_baseline")
            _settle(board, artist, (x, y), ground)
            board.taken |= cells
            return True
        artist.remove()
    return leader and _label_beside(board, region, variants[-1])


def _settle(board: Board, artist: Text, place: tuple[float, float], ground: str | None) -> None:
    artist.set_position(place)
    row, column = (min(int(c * CELLS), CELLS - 1) for c in reversed(place))
    if ground is not None and board.hatched[max(row - 8, 0) : row + 9, max(column - 20, 0) : column + 21].any():
        artist.set_bbox({"facecolor": ground, "edgecolor": "none", "boxstyle": "round,pad=0.15"})


def _label_beside(board: Board, region: Flags, text: str) -> bool:
    artist, width, height = board.write(text, factor=0.86)
    spot = board.place_with_leader(region, width, height)
    if spot is None:
        artist.remove()
        return False
    place, end, target = spot
    artist.set_position(place)
    board.take(*place, width, height)
    board.draw_over(*zip(end, target, strict=True))
    line = board.scale.line(0.8)
    board.ax.plot(*zip(end, target, strict=True), color=QUIET, lw=line, zorder=5, solid_capstyle="round", gid="leader")
    board.ax.plot(*target, "o", color=QUIET, ms=3 * line, zorder=5, gid="leader")
    return True

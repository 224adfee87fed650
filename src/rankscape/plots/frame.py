"""What all drawings share: axes in a new figure, headline and note, and names beside their points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..errors import UsageError
from ..look import INK, NARROW, QUIET
from ..texts import shortened
from .labels import CELLS, Board, cells_of, nearest
from .looks import new_figure, note_caption, wanted
from .style import PAPER_FACTOR, SHORT_NAME, SIDE, Scale, fit, join_names, plain, scale_of

DIRECTIONS = [(np.cos(t), np.sin(t)) for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
LEFT, BELOW = 0.95, 1.02  # inches of a new figure beside and below its axes
INSET = 0.7  # of the height of a name: a leader ends within it
STEADY = 0.93  # widths of small text differ by some percent between resolutions


def axes_of(ax: Axes | None, *, right: float = 0.55, room: float = 0.7, **limits: Any) -> tuple[Axes, Scale]:
    """Return the axes and their scale: new ones, or those given, which a layout engine leaves ``room`` of their slot.

    With ``limits`` (xlim, ylim) they are a square. New ones are a square of the full size in a figure that has
    ``right`` inches on their right.
    """
    if ax is not None and not isinstance(ax, Axes):
        raise UsageError(
            f"ax must be matplotlib Axes; got {type(ax).__name__}: to write a file, .plot().figure.savefig(path)"
        )
    new = ax is None
    if ax is None:
        side = wanted().side or SIDE
        right *= 1 if wanted().side is None else side / SIDE
        width, height = LEFT + side + right, BELOW + side + 0.7
        ax = new_figure(width, height).add_axes((LEFT / width, BELOW / height, side / width, side / height))
    scale = scale_of(ax, 0.7 if new else room, new=new)
    if limits:
        ax.set(**{"box_aspect": 1} | limits)
        ax.apply_aspect()
    return ax, scale


def beside(names: Sequence[str]) -> float:
    """Return the inches that names at the right of the axes need at full size."""
    return max([0.55, *(0.3 + 0.105 * len(name) for name in names)])


def panels(
    n: int,
    columns: int,
    *,
    side: float,
    left: float,
    rights: Sequence[float],
    below: float,
    above: float,
    top: float = 0,
) -> list[Axes]:
    """Return square axes of a new figure, row by row, in one column where the figure is narrow; all is in inches.

    ``rights`` is what each column has on its right, ``top`` what stands above all.
    """
    look = wanted()
    columns = 1 if look.narrow else columns
    if look.paper:  # type is smaller there, and there are no notes
        left, *rights = (PAPER_FACTOR * inches for inches in (left, *rights))
        below, above = 0.75 * PAPER_FACTOR * below, (0.75 if look.title is None else 1.0) * PAPER_FACTOR * above
    rights = [max(rights)] if columns == 1 else rights[:columns]
    side = look.side or side
    rows = -(-n // columns)
    starts = np.concatenate([[0], np.cumsum([left + side + right for right in rights])])
    width, height = float(starts[-1]), rows * (below + side + above) + top
    figure = new_figure(width, height)
    figure.columns = columns
    places = [
        (float(starts[k % columns]) + left, (rows - 1 - k // columns) * (below + side + above) + below)
        for k in range(n)
    ]
    return [figure.add_axes((x / width, y / height, side / width, side / height)) for x, y in places]


def grown(ax: Axes, tall: float) -> float:
    """Make new axes so many points high, if they are lower; return their height in points."""
    figure: Any = ax.figure
    width, height = figure.get_size_inches()
    box = ax.get_position()
    more = max(0.0, tall / 72 - box.height * height)
    if more:
        ax.set_box_aspect(None)
    tall = box.height * height + more
    figure.set_size_inches(width, height + more)
    ax.set_position((box.x0, box.y0 * height / (height + more), box.width, tall / (height + more)))
    return float(72 * tall)


def dress(ax: Axes, scale: Scale, x_label: str, y_label: str, *, fall: float = 0) -> None:
    """Set the sizes of ticks, spines and axis labels; ``fall`` is as for :func:`headline`."""
    ax.tick_params(labelsize=scale["tick"], width=scale.line(0.8), length=3.5 * scale.factor, pad=3 * scale.factor)
    for spine in ax.spines.values():
        spine.set(linewidth=scale.line(1.1), color=INK, zorder=4)
    style: dict[str, Any] = {"fontsize": scale["words"], "color": INK, "parse_math": False}
    x_label, y_label = (fitted_label(ax, scale, label) for label in (x_label, y_label))
    ax.set_xlabel(x_label, labelpad=(4 + fall) * scale.factor, **style)
    ax.set_ylabel(y_label, labelpad=4 * scale.factor, **style)


def fitted_label(ax: Axes, scale: Scale, label: str) -> str:
    """Return the label of an axis as it fits: where the smallest size is given, in short words, or on two lines."""
    if not scale.least or not label:
        return label
    room = 1.12 * scale.side
    spellings = [label]
    while spellings[-1] in NARROW:
        spellings.append(NARROW[spellings[-1]])
    whole = next((text for text in spellings if text == fit(ax, text, room, 1, fontsize=scale["words"])), None)
    return whole or fit(ax, spellings[-1], room, 2, fontsize=scale["words"])


def headline(ax: Axes, scale: Scale, title: str, subtitle: str, note: str, *, rise: float = 6, fall: float = 0) -> None:
    """Write title and subtitle above the axes and the note below; give a new figure the height that they need.

    ``rise`` and ``fall``, in points at full size, are what else stands above the axes, and between them and the note.
    """
    figure: Any = ax.figure
    look, box = wanted(), ax.get_window_extent()
    if look.paper:
        note_caption(ax, look.title if isinstance(look.title, str) else title, subtitle, note)
        subtitle = note = ""
    if look.title is not ...:
        title, subtitle = look.title or "", ""
    spec = ax.get_subplotspec()
    width = (figure.bbox.x1 - box.x0) * 72 / figure.dpi - 12
    if spec is not None and figure.get_layout_engine() is not None:
        width = 0.86 * figure.bbox.width * len(spec.colspan) / spec.get_gridspec().ncols * 72 / figure.dpi
    elif look.width is not None:
        around: Any = ax.get_tightbbox()
        left = box.x0 - around.x0
        width = 72 * look.width - left * 72 / figure.dpi - 4
    elif not scale.new:
        width = min(width, 1.15 * box.width * 72 / figure.dpi)
    style: dict[str, Any] = {"parse_math": False, "annotation_clip": False, "xycoords": "axes fraction"}
    style |= {"textcoords": "offset points", "ha": "left", "linespacing": 1.2, "color": QUIET}
    up = rise * scale.factor
    if subtitle:
        small: dict[str, Any] = {"fontsize": scale["subtitle"]}
        text = fit(ax, plain(subtitle), STEADY * width, 3, **small)
        ax.annotate(text, (0, 1), (0, up), va="bottom", gid="subtitle", **small, **style)
        up += (1.3 * text.count("\n") + 1.75) * scale["subtitle"]
    large: dict[str, Any] = {"fontsize": scale["title"], "fontweight": "bold"}
    if title:
        text = fit(ax, plain(title), 0.97 * width, 2, **large)
        ax.set_title(text, loc="left", pad=up, y=1.0, parse_math=False, **large)
        up += (1.3 * text.count("\n") + 1.2) * scale["title"]
    down = (14 + fall) * scale.factor + 1.3 * scale["tick"] + 1.3 * scale["words"]
    if note:
        small = {"fontsize": scale["note"]}
        text = fit(ax, plain(note), STEADY * width, 5, **small)
        ax.annotate(text, (0, 0), (0, -down), va="top", gid="note", **small, **style)
        down += (1.3 * text.count("\n") + 1.2) * scale["note"]
    if not scale.new and figure.get_layout_engine() is None:
        _keep_inside(ax, up, down)
    if scale.new:
        inches = figure.get_size_inches()[0]
        sides, bottom = (box.width / figure.dpi, box.height / figure.dpi), down / 72 + 0.12
        height = bottom + sides[1] + up / 72 + 0.15
        figure.set_size_inches(inches, height)
        ax.set_position((LEFT / inches, bottom / height, sides[0] / inches, sides[1] / height))


def _keep_inside(ax: Axes, up: float, down: float) -> None:
    """Shrink given axes as far as what stands above and below them (points) would leave the figure."""
    figure: Any = ax.figure
    box, height = ax.get_position(original=True), figure.bbox.height * 72 / figure.dpi
    bottom, top = max(box.y0, down / height + 0.005), min(box.y1, 1 - up / height - 0.005)
    if top - bottom >= box.height / 2 and (bottom, top) != (box.y0, box.y1):
        ax.set_position((box.x0, bottom, box.width, top - bottom))


def clipped(points: Floats, window: tuple[float, float, float, float]) -> Floats:
    """Return the part of a polyline (m, 2) inside a box (x₀, y₀, x₁, y₁), cut exactly at its sides.

    >>> clipped(np.array([[0.0, 0.0], [1.0, 1.0]]), (0.25, 0, 0.5, 1)).tolist()
    [[0.25, 0.25], [0.5, 0.5]]
    """
    low, high = np.array(window[:2]), np.array(window[2:])
    at = [np.arange(len(points), dtype=float)]
    start, step = points[:-1], np.diff(points, axis=0)
    for side in (low, high):
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (side - start) / step
        rows, columns = np.nonzero((t > 0) & (t < 1))
        at.append(rows + t[rows, columns])
    places = np.sort(np.concatenate(at))
    cut = np.stack([np.interp(places, at[0], line) for line in points.T], axis=-1)
    span = 1e-9 * (high - low)
    inside = ((cut >= low - span) & (cut <= high + span)).all(axis=1)
    cut = cut[inside]
    for side in (low, high):
        cut = np.where(np.abs(cut - side) <= span, side, cut)
    return np.asarray(cut)


def fraction(ax: Axes, points: ArrayLike) -> Floats:
    """Return points (…, 2) of the data as fractions of the axes."""
    return np.asarray(ax.transAxes.inverted().transform(ax.transData.transform(points)))


def names_to_try(names: Sequence[str]) -> list[str]:
    r"""Return what to write for the names at one place, the most legible first, the most compact last.

    >>> names_to_try(["net"]), names_to_try(["a", "b"])
    (['net'], ['a = b', 'a\n= b', 'a = 1 more'])
    """
    if len(names) == 1:
        return list(dict.fromkeys([join_names(names), join_names(names, SHORT_NAME)]))
    whole, first = join_names(names), shortened(plain(names[0]), SHORT_NAME)
    return [whole, join_names(names, SHORT_NAME).replace(" = ", "\n= "), f"{first} = {len(names) - 1} more"]


def name_point(
    board: Board, point: ArrayLike, text: str, *, radius: float, reach: int = 1, factor: float = 1.0, **style: Any
) -> bool:
    """Write a name beside a point, given as fractions of the axes, where there is room; farther off with a leader.

    ``radius`` is that of the mark, ``reach`` how many steps away the name may be. Returns whether there was room.
    """
    x, y = np.asarray(point, dtype=np.float64).tolist()
    artist, width, height = board.write(text, factor=factor, transform=board.ax.transAxes, **style)
    best: tuple[float, float, float] | None = None
    for k in range(reach):
        gap = radius + 0.006 + 0.022 * k
        for dx, dy in DIRECTIONS:
            cx, cy = x + dx * gap + np.sign(round(dx, 6)) * width / 2, y + dy * gap + _vertical(dx, dy) * height / 2
            if not _free(board, cx, cy, width, height):
                continue
            crossed = _crossed(board, x, y, cx, cy, width, height, radius) if k else 0.0
            inked = board.inked[cells_of(cy, height), cells_of(cx, width)].sum() / (width * height * CELLS**2)
            cost = k + 40 * crossed + 6 * float(inked) - 0.2 * dx + 0.1 * abs(dy)
            if best is None or cost < best[0]:
                best = cost, cx, cy
        if best is not None and best[0] < k + 0.6:
            break
    if best is None:
        artist.remove()
        return False
    cx, cy = best[1:]
    artist.set_position((cx, cy))
    board.take(cx, cy, width + 0.006, height)
    end = nearest(x, y, cx, cy, width, INSET * height)
    if np.hypot(end[0] - x, end[1] - y) > radius + 0.022:
        line = board.scale.line(0.7)
        board.ax.plot(
            [x, end[0]], [y, end[1]], color=QUIET, lw=line, zorder=4.5, transform=board.ax.transAxes, gid="leader"
        )
        board.draw_over([x, end[0]], [y, end[1]])
    return True


def _vertical(dx: float, dy: float) -> float:
    """Return how far a box moves up for a direction: not at all when it is beside the point."""
    return float(np.clip(dy / max(abs(dx), 1e-9), -1, 1)) if abs(dy) > 1e-9 else 0.0


def _free(board: Board, cx: float, cy: float, width: float, height: float) -> bool:
    inside = min(cx - width / 2, 1 - cx - width / 2, cy - height / 2, 1 - cy - height / 2) > 0.006
    return inside and not board.taken[cells_of(cy, height), cells_of(cx, width)].any()


def _crossed(
    board: Board, x: float, y: float, cx: float, cy: float, width: float, height: float, radius: float
) -> float:
    """Return the share of a leader, from a point to a box, that runs over what is taken."""
    end = np.array(nearest(x, y, cx, cy, width, INSET * height))
    start = np.array([x, y])
    length = np.hypot(*(end - start))
    if length < radius * 1.6:
        return 0.0
    line = start + np.linspace(1.6 * radius / length, 1, 40)[:, None] * (end - start)
    cells = np.clip((line * CELLS).astype(int), 0, CELLS - 1)
    return float(board.taken[cells[:, 1], cells[:, 0]].mean())


def edge_labels(
    board: Board, ends: Sequence[tuple[float, float, str]], corner: tuple[float, float] = (1.0, 1.0)
) -> None:
    """Write short texts where lines (ends as fractions) leave by the right or the upper edge, and not too many.

    ``corner`` is where these two edges meet.
    """
    scale, ax = board.scale, board.ax
    size = scale.size("tick", 0.9)
    taken: list[tuple[bool, float]] = []
    apart = {True: 1.25 * size / scale.side, False: 2.9 * size / scale.side}
    for x, y, text in ends:
        right = x > corner[0] - 1e-6
        if not right and y < corner[1] - 1e-6:
            continue
        along, limit = (y, apart[True]) if right else (x, apart[False])
        near = any(is_right == right and abs(along - other) < limit for is_right, other in taken)
        if near or (not right and corner[0] - along < 0.5 * limit):
            continue
        taken.append((right, along))
        offset = (4 * scale.factor, 0) if right else (0, 3 * scale.factor)
        ax.annotate(
            text, (x, y), offset, xycoords="axes fraction", textcoords="offset points", fontsize=size, color=QUIET,
            ha="left" if right else "center", va="center" if right else "bottom", annotation_clip=False, gid="level",
        )  # fmt: skip

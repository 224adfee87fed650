"""The axis of β, both ends visible, and what is marked on it: F1, the optimum, the heuristic, SIVF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis

from .._tradeoff import Tradeoff
from .._tradeoff.record import optimum_texts
from .._tradeoff.segments import coordinate
from ..arrays import Floats
from ..look import BAND, CALLED, INK, OPTIMUM, QUIET
from .frame import dress
from .style import Scale

TICKS = {0: "0", 1 / 4: "¼", 1 / 2: "½", 1: "1", 2: "2", 4: "4", inf: "∞"}
STRIP = 31
"""Points at full size that the names of the marks need above the axes."""


@dataclass(frozen=True)
class Mark:
    """A place between the ends that has a name."""

    name: str
    beta: float
    color: str
    style: Any = "-"
    central: bool = False
    """Whether it is the optimum."""

    @property
    def x(self) -> float:
        """Where it is on the axis."""
        return float(coordinate(self.beta))


def ends_of(t: Tradeoff) -> tuple[str, str]:
    """Return what to call the two ends: precision and recall by their names."""
    first, second = t.ends
    return CALLED.get(first, first), CALLED.get(second, second)


def between(t: Tradeoff) -> str:
    """Return what to call a score between the ends."""
    return "Fᵦ" if t.segment.is_f_beta else "the scores"


def place_text(t: Tradeoff, beta: float) -> str:
    """Return a place as text: β between precision and recall, elsewhere the coordinate.

    >>> from rankscape._tradeoff import tradeoff
    >>> counts = [[80, 2, 9, 9], [76, 6, 6, 12]]
    >>> [place_text(tradeoff(counts, ends=ends), 0.5) for ends in (("ppv", "tpr"), ("npv", "tpr"))]
    ['β = 0.5', 'a = 0.2']
    """
    if t.segment.is_f_beta:
        return f"β = {beta:.3g}".replace("inf", "∞")
    return f"{t.segment.moving} = {float(coordinate(beta)):.3g}"


def optimum_text(t: Tradeoff) -> str:
    """Return the optimum as text, the whole interval where it is one that can be seen.

    >>> from rankscape._tradeoff import tradeoff
    >>> optimum_text(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]))
    'β from 0.594 to 0.745'
    """
    low, at, high = optimum_texts(t)
    if low == high:
        return f"{coordinate_name(t)} = {at}"
    return f"{coordinate_name(t)} from {low} to {high}"


def in_one_line(t: Tradeoff) -> str:
    """Return the summary of a trade-off as one line."""
    return t.summary().replace("F_β", "Fᵦ").replace("\n", ". ") + "."


def value(text: str) -> str:
    """Return the number in a place as text."""
    return text.partition("= ")[2]


def half_way(t: Tradeoff) -> str:
    """Return what to call the place of β = 1: F₁ between precision and recall, elsewhere the coordinate."""
    return "F₁" if t.segment.is_f_beta else f"{t.segment.moving} = ½"


def ticks_between(low: float, high: float) -> dict[float, str]:
    """Return ticks of an axis of b = β²/(1+β²) that tell β."""
    return {x: text for beta, text in TICKS.items() if low <= (x := float(coordinate(beta))) <= high}


def marks_of(t: Tradeoff) -> list[Mark]:
    """Return what is marked between the ends, the optimum first; marks at one place share it, and a name."""
    marks = [Mark("optimum", t.beta, OPTIMUM, central=True)] if t.n_discordant else []
    marks += [
        Mark(half_way(t), 1.0, INK, (0, (5, 2.5))),
        Mark("heuristic", t.heuristic_beta, QUIET, (0, (1, 1.3))),
        Mark("SIVF", t.sivf_beta, QUIET, (0, (5, 1.5, 1, 1.5))),
    ]
    low, high = float(t.segment.low), float(t.segment.high)
    kept: list[Mark] = []
    for mark in marks:
        if isnan(mark.beta) or not low <= mark.x <= high:
            continue
        for k, other in enumerate(kept):
            if abs(other.x - mark.x) < 1e-9:
                kept[k] = replace(other, name=f"{other.name} = {mark.name}")
                break
        else:
            kept.append(mark)
    return kept


def along(t: Tradeoff) -> tuple[float, float]:
    """Return the coordinates of the first end and of the second."""
    return float(t.segment.start), float(t.segment.end)


def coordinate_name(t: Tradeoff) -> str:
    """Return what the axis of the places between the ends is called."""
    return "β" if t.segment.is_f_beta else t.segment.moving


def ticks_on(axis: Axis, t: Tradeoff) -> None:
    """Set ticks that tell β between precision and recall; elsewhere the coordinate has the usual ones."""
    if t.segment.is_f_beta:
        ticks = ticks_between(*sorted(along(t)))
        axis.set_ticks(list(ticks), labels=list(ticks.values()))


def beta_axis(ax: Axes, scale: Scale, t: Tradeoff, y_label: str) -> None:
    """Set the horizontal axis, the first end at the left: b = β²/(1+β²) with ticks in β, or the coordinate."""
    ticks_on(ax.xaxis, t)
    ax.set_xlim(*along(t))
    first, second = ends_of(t)
    dress(ax, scale, f"← {first}      {coordinate_name(t)}      {second} →", y_label)


def draw_marks(ax: Axes, scale: Scale, t: Tradeoff, marks: Sequence[Mark]) -> None:
    """Draw the marks as upright lines, all optima as a band, and their names above the axes."""
    if t.n_discordant:
        low, high = (float(coordinate(odds**0.5)) for odds in t.optimal_set)
        if high > low:
            ax.axvspan(low, high, color=BAND, lw=0, zorder=0.5, gid="optimal set")
    for mark in marks[::-1]:
        ax.axvline(
            mark.x, color=mark.color, ls=mark.style, lw=scale.line(2.2 if mark.central else 1.5),
            zorder=1.5 + mark.central, gid=f"mark {mark.name}",
        )  # fmt: skip
    _names_above(ax, scale, t, marks)


def _names_above(ax: Axes, scale: Scale, t: Tradeoff, marks: Sequence[Mark]) -> None:
    box = ax.get_window_extent()
    points = 72 / ax.figure.dpi
    up = 14 * scale.factor / (box.height * points)
    left, right = ax.get_xlim()
    across = {mark: (mark.x - left) / (right - left) for mark in marks}
    ordered, texts = sorted(marks, key=across.__getitem__), []
    for mark in ordered:
        text = f"{mark.name} {optimum_texts(t)[1]}" if mark.central else mark.name
        texts.append(
            ax.text(
                0, 1 + up, text, transform=ax.transAxes, ha="center", va="bottom", fontsize=scale.size("tick", 0.95),
                color=INK, fontweight="bold" if mark.central else "normal", parse_math=False, gid="mark name",
            )
        )  # fmt: skip
    widths = [artist.get_window_extent().width / box.width + 0.02 for artist in texts]
    centers = spread([across[mark] for mark in ordered], widths, -0.06, 1.1)
    for artist, center, mark in zip(texts, centers, ordered, strict=True):
        x = across[mark]
        artist.set_x(center)
        ax.plot(
            [x, x, center], [1, 1 + 0.3 * up, 1 + 0.9 * up], transform=ax.transAxes, clip_on=False, color=mark.color,
            lw=scale.line(1.2), zorder=3, gid="to mark",
        )  # fmt: skip


def spread(centers: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Return centers, ascending, moved apart so that things of these sizes fit side by side between low and high.

    >>> [round(x, 3) for x in spread([0.5, 0.5, 0.52], [0.2, 0.2, 0.2], 0, 1)]
    [0.307, 0.507, 0.707]
    """
    if not sizes:
        return []
    offsets: Floats = np.concatenate([[0], np.cumsum((np.array(sizes[:-1]) + np.array(sizes[1:])) / 2)])
    blocks: list[list[float]] = []  # sums of wishes and sizes of those that touch: their mean is where they are
    for wish in np.array(centers) - offsets:
        blocks.append([float(wish), 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    placed = np.array([total / number for total, number in blocks for _ in range(int(number))]) + offsets
    placed = np.maximum(placed, low + sizes[0] / 2 + offsets)
    placed = np.minimum(placed, high - sizes[-1] / 2 - offsets[-1] + offsets)
    return [float(x) for x in placed]


def nothing(ax: Axes, scale: Scale, t: Tradeoff) -> None:
    """Say in the axes that the ends order all pairs alike."""
    first, second = ends_of(t)
    alike = f"{first} and {second}\norder all pairs alike:\nnothing to trade off"
    sentence = alike if t.n_pairs else "no pair to order"
    ax.text(
        0.5, 0.5, sentence, transform=ax.transAxes, ha="center", va="center", color=QUIET, fontsize=scale["name"],
        linespacing=1.3, parse_math=False, zorder=6, path_effects=scale.halo(), gid="nothing",
    )  # fmt: skip


def draw_dots(ax: Axes, scale: Scale, marks: Sequence[Mark], values: Sequence[float]) -> None:
    """Draw a dot where a curve meets a mark, a diamond at the optimum."""
    for mark, value in zip(marks, values, strict=True):
        marker, size = ("D", 8) if mark.central else ("o", 7)
        ax.plot(
            mark.x, value, marker, ms=size * scale.factor, mfc=mark.color, mec=INK, mew=scale.line(1), zorder=6,
            clip_on=False, gid=f"dot {mark.name}",
        )  # fmt: skip


def note_on(t: Tradeoff, marks: Sequence[Mark]) -> str:
    """Return where the marks are."""
    low, at, high = optimum_texts(t) if t.n_discordant else ("", "", "")
    called, places = coordinate_name(t), []
    for mark in marks:
        places.append(f"{mark.name}: " + (f"{called} = {at}" if mark.central else place_text(t, mark.beta)))
    if any(mark.central for mark in marks) and low != high:
        places.append(f"band: all optima, {low} to {high}")
    return "; ".join(places) + "." if places else ""

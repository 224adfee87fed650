"""How the figures look: palette, type sizes relative to the Tile, and text that is drawn as it is."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import AbstractPathEffect, withStroke

from ..look import PAPER
from ..texts import shortened
from .looks import called as label_of
from .looks import wanted

SIDE = 4.7  # inches: the side of the Tile at which the sizes below hold
SIZES = {
    "title": 15.5,
    "name": 12.0,
    "corner": 11.0,
    "words": 11.0,
    "tick": 10.5,
    "subtitle": 10.5,
    "note": 9.5,
    "mark": 11.0,
}
LONGEST_NAME, SHORT_NAME = 28, 18
PAPER_SIDE, PAPER_FACTOR, LARGEST_FACTOR = 2.6, 0.62, 0.8
"""The side of axes in a column of a paper, in inches, and type sizes of a figure for a paper there and at most."""


@dataclass(frozen=True)
class Scale:
    """The side of the Tile in points, and type sizes and line widths that follow it."""

    side: float
    factor: float
    new: bool = False
    """Whether the axes were made for the drawing."""

    least: float = 0.0
    """The smallest type size."""

    def __getitem__(self, kind: str) -> float:
        return max(SIZES[kind] * self.factor, self.least)

    def size(self, kind: str, factor: float = 1.0) -> float:
        """Return a type size times a factor, which is not smaller than the smallest one."""
        return max(self[kind] * factor, self.least)

    def line(self, width: float) -> float:
        """Return a line width in points."""
        return width * max(self.factor, 0.6)

    def halo(self, width: float = 3.0, color: str = PAPER) -> Sequence[AbstractPathEffect]:
        """Return the path effects that put a halo around text."""
        return [withStroke(linewidth=width * self.factor, foreground=color, alpha=0.9)]


def scale_of(ax: Axes, room: float = 0.7, *, new: bool = False) -> Scale:
    """Return the scale for axes; a layout engine is expected to leave them ``room`` of their slot."""
    figure: Any = ax.figure
    dpi = figure.dpi
    spec = ax.get_subplotspec()
    if figure.get_layout_engine() is not None and spec is not None:
        rows, columns = spec.get_gridspec().get_geometry()
        width = figure.bbox.width * len(spec.colspan) / columns
        height = figure.bbox.height * len(spec.rowspan) / rows
        side = room * min(width, height) / dpi
    else:
        ax.apply_aspect()
        side = min(ax.get_window_extent().size) / dpi
    look = wanted()
    typeset = getattr(figure, "side", None) or side
    factor = float(np.clip(typeset / SIDE, 0.5, 1.4))
    if look.paper:
        factor = float(np.clip(PAPER_FACTOR * typeset / PAPER_SIDE, PAPER_FACTOR, LARGEST_FACTOR))
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


def entity_text(name: str) -> str:
    """Return what a figure writes for an entity."""
    return plain(label_of(name))


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
    called = {name: entity_text(name) for name in names}
    alike: dict[str, set[str]] = {}
    for text in called.values():
        alike.setdefault(shortened(text, SHORT_NAME), set()).add(text)
    for name, text in called.items():
        group = alike[shortened(text, SHORT_NAME)]
        if len(group) > 1:
            start = _shared([other.split(" ") for other in group])
            end = _shared([other.split(" ")[start:][::-1] for other in group])
            parts = text.split(" ")
            called[name] = "…" * bool(start) + " ".join(parts[start : len(parts) - end]) + "…" * bool(end)
    return called


def _shared(texts: Sequence[Sequence[str]]) -> int:
    """Return with how many equal words all texts start, of which one is left."""
    most = min(map(len, texts)) - 1
    return next((k for k in range(most) if len({text[k] for text in texts}) > 1), most)


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
            for narrower in range(columns + 3, columns - 13, -3):
                wrapped = textwrap.wrap(shortened(text, length), max(narrower, 8), break_on_hyphens=False)
                if len(wrapped) <= lines and all(measure(line) <= width for line in wrapped):
                    return "\n".join(wrapped)
        return shortened(text, 8)
    finally:
        probe.remove()

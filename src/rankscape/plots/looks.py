"""How a figure is asked for and what follows: its style, width, title and labels, sizes of type, and texts."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache, wraps
from inspect import signature
from numbers import Real
from types import EllipsisType
from typing import Any, ParamSpec, TypedDict, TypeVar, cast, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox

from ..errors import LookWarning, Option, UsageError, refuse_unknown
from ..look import PAPER
from ..texts import counted, shortened, some, visible
from ..typing import FigureStyle

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
    - ``names`` maps entities to labels, {name: label}.

    """

    style: FigureStyle
    width: float
    title: str | None
    names: Mapping[str, str]


LOOKS = tuple(Look.__annotations__)

OF_AX = "did you mean ax=?"
OF_AXES = "set it on the axes that are returned, as in ax.set(xlabel=…)"
OF_FILES = "what is returned writes files: .figure.savefig(…)"
OF_FONTS = 'matplotlib chooses the font: plt.rcParams["font.family"] = …'
OF_COLORS = "figures keep one set of colors; .frame() has the numbers for a drawing of your own"
INSTEAD = {
    "figsize": "the size is width=, in inches",
    "height": "the size is width=, in inches, and the height follows",
    "cmap": OF_COLORS, "colors": OF_COLORS, "colormap": OF_COLORS, "palette": OF_COLORS, "alpha": OF_COLORS,
    "vmin": OF_COLORS, "vmax": OF_COLORS,
    "fontsize": 'the size of type follows width= and style="paper"',
    "font": OF_FONTS, "fontfamily": OF_FONTS,
    "label": "did you mean names=?", "labels": "did you mean names=?",
    "xlabel": OF_AXES, "ylabel": OF_AXES, "xlim": OF_AXES, "ylim": OF_AXES, "legend": OF_AXES,
    "dpi": OF_FILES, "filename": OF_FILES, "fname": OF_FILES, "path": OF_FILES, "save": OF_FILES, "savefig": OF_FILES,
    "show": "plt.show() shows all figures",
    "axes": OF_AX, "axis": OF_AX, "fig": OF_AX, "figure": OF_AX,
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
    names: Mapping[str, str] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set, compare=False)
    """The entities that the figure names."""

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


@contextmanager
def _wanting(look: Wanted) -> Iterator[None]:
    token = _WANTED.set(look)
    try:
        yield
    finally:
        _WANTED.reset(token)


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
        axes: Any = options.get("ax", args[1] if len(args) > 1 else None)
        look = _checked(given, args[0] if args else None, axes)
        with _wanting(look):
            result: Any = draw(*args, **options)
            if look.width is not None:
                _fit_width(result.figure, look.width)
        if look.names and not look.drawn & {*look.names}:
            warnings.warn("names= changes nothing: the figure names none of these entities", LookWarning, stacklevel=2)
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


def _checked(given: dict[str, Any], result: object, axes: object) -> Wanted:
    """Return what is wanted; raises UsageError for what cannot be."""
    style, width, names = given.get("style", "screen"), given.get("width"), given.get("names") or {}
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
    if not isinstance(names, Mapping):
        raise UsageError([Option("names"), " is no mapping"], expected='labels by entity, {"a": "Model A"}')
    labels = {str(name): str(label) for name, label in names.items()}
    for name, label in labels.items():
        if not label.strip():
            raise UsageError(f"the label of {name!r} is empty", expected="a text, such as Model A")
    known = _names_of(result)
    check_names(labels, known)
    labels = {name: label for name, label in labels.items() if not known or name in known}
    return Wanted(style, None if width is None else float(width), given.get("title", ...), labels)


def _names_of(result: object) -> tuple[str, ...]:
    """Return the entities of a result; none where it does not know all of them."""
    names = getattr(result, "names", None)
    if names is None and getattr(result, "named", False):
        names = [name for group in getattr(result, "sets", ()) for name in group]
    return tuple(dict.fromkeys(names)) if isinstance(names, Collection) and not isinstance(names, str) else ()


def check_names(labels: Mapping[str, str], entities: Collection[str]) -> None:
    """Warn of labels of nobody; raises UsageError where two entities would look like one."""
    known = dict.fromkeys(entities)  # in their order, so that the message is the same every time
    unknown = [name for name in labels if name not in known] if known else []
    if unknown:
        near = get_close_matches(unknown[0], known, 1)
        meant = f"; did you mean {near[0]!r}?" if near and len(unknown) == 1 else ""
        warnings.warn(
            f"{counted(len(unknown), 'label')} of no entity: {some(unknown, 6, quote=chr(39))}{meant}",
            LookWarning, stacklevel=4,
        )  # fmt: skip
    taken: dict[str, str] = {}
    for name in known or labels:
        label = labels.get(name, name)
        if label in taken:
            raise UsageError(f"{taken[label]!r} and {name!r} would both be called {label!r}")
        taken[label] = name


def note_caption(ax: Axes, *sentences: str) -> None:
    """Add what a figure for a paper does not write to its caption."""
    figure = ax.figure
    if isinstance(figure, SavedFigure):
        texts = [text.rstrip(".") for text in sentences if text]
        figure.caption = " ".join(filter(None, (figure.caption, *(f"{text}." for text in texts))))


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


def called(name: str) -> str:
    """Return what a figure calls an entity."""
    look = wanted()
    look.drawn.add(name)
    return look.names.get(name, name)


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
    return plain(called(name))


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
    texts = {name: entity_text(name) for name in names}
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

"""How a figure is asked for: its style, its width, its title, its font, and what it calls the entities."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from numbers import Real
from types import EllipsisType
from typing import Any, ParamSpec, TypedDict, TypeVar, cast, get_args

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.transforms import Bbox

from ..errors import LookWarning, Option, UsageError, refuse_unknown
from ..texts import counted, some, visible
from ..typing import FigureStyle

FILES: dict[Any, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}
"""Fonts in files are TrueType, and text stays text."""

COLUMN = 3.3
"""Inches: the width of a column of a paper."""

SMALLEST = 6.0
"""Points: no text of a figure whose width is given, or of a paper, is smaller."""

NARROWEST, WIDEST = 2.0, 20.0
"""Inches that a figure may be wide."""

MARGIN = 0.02
"""Inches around all that is drawn."""

LEAST_SIDE = 0.6
"""Inches: the side of axes, at least."""

SHARP = 200
"""Dots per inch at which text is measured that must fit a width: with fewer, hinting makes small text wider."""

TRIALS = 4
"""How often a figure is drawn, at most, until it is as wide as it should be: mostly two are enough."""

SLACK = 0.06
"""Inches by which what is drawn may be less wide than the figure."""

FALLBACK = "DejaVu Sans"
"""The font that comes with matplotlib; it draws what the chosen one lacks."""


class Look(TypedDict, total=False):
    """How a figure looks: the options that every drawing function takes beside its own.

    With a width, and in the style "paper", no text is smaller than 6 points.

    - ``style`` is "screen", or "paper" for a column of a paper: small type that stays readable, patterns that gray
      print keeps apart, and no notes, which are in ``figure.caption``.
    - ``width`` is the width in inches, by default that of the style.
    - ``title`` is a title in the place of the usual one and the lines below it; None leaves it out.
    - ``font`` is the name of an installed font.
    - ``names`` maps entities to labels, {name: label}.

    """

    style: FigureStyle
    width: float
    title: str | None
    font: str
    names: Mapping[str, str]


LOOKS = tuple(Look.__annotations__)

OF_AXES = "set it on the axes that are returned, as in ax.set(xlabel=…)"
OF_FILES = "what is returned writes files: .figure.savefig(…)"
OF_COLORS = "figures keep one set of colors; .frame() has the numbers for a drawing of your own"
INSTEAD = {
    "figsize": "the size is width=, in inches",
    "height": "the size is width=, in inches, and the height follows",
    "cmap": OF_COLORS, "colormap": OF_COLORS, "palette": OF_COLORS, "alpha": OF_COLORS, "vmin": OF_COLORS,
    "vmax": OF_COLORS,
    "fontsize": 'the size of type follows width= and style="paper"',
    "fontfamily": "did you mean font=?",
    "label": "did you mean names=?", "labels": "did you mean names=?",
    "xlabel": OF_AXES, "ylabel": OF_AXES, "xlim": OF_AXES, "ylim": OF_AXES, "legend": OF_AXES,
    "dpi": OF_FILES, "filename": OF_FILES, "fname": OF_FILES, "path": OF_FILES, "save": OF_FILES, "savefig": OF_FILES,
    "show": "plt.show() shows all figures",
}  # fmt: skip
"""What matplotlib and others call what a figure has under another name, or elsewhere."""

OWN_AXES = {name: "did you mean ax=?" for name in ("axes", "axis", "fig", "figure")}


class SavedFigure(Figure):
    """A figure whose files hold TrueType fonts, and text as text; ``caption`` is what a paper says below it."""

    caption: str = ""
    columns: int = 1
    side: float | None = None
    """Inches of axes that type sizes follow; by default those that the axes have."""

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
    more: float = 0.0
    """Inches that axes are wider than a first guess, so that the figure has its width."""

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
        """Whether panels stand below each other."""
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


def called(name: str) -> str:
    """Return what a figure calls an entity."""
    look = _WANTED.get()
    look.drawn.add(name)
    return look.names.get(name, name)


def in_look(draw: Callable[P, D]) -> Callable[P, D]:
    """Let a function that draws take a :class:`Look` beside its own options."""
    parameters = signature(draw).parameters
    on_axes = "ax" in parameters
    known = [*list(parameters)[:-1], *LOOKS]
    passes_on = "look" not in parameters  # to another function, which refuses what it does not take
    instead = INSTEAD | (OWN_AXES if on_axes else {})

    @wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> D:
        if not passes_on:
            refuse_unknown(options, known, f"{draw.__name__}()", instead)
        given: dict[str, Any] = {key: options.pop(key) for key in LOOKS if key in options}
        if not given:
            return draw(*args, **options)
        if wanted() != Wanted():  # within another drawing, whose look holds
            return _drawn_once(
                lambda: draw(*args, **options), replace(wanted(), title=given.get("title", wanted().title))
            )
        axes: Any = options.get("ax", args[1] if on_axes and len(args) > 1 else None)
        font, title = given.pop("font", None), given.get("title")
        for name, text in (("font", font), ("title", title)):
            if text is not None and text is not ... and not isinstance(text, str):
                raise UsageError(Option(name, text), expected="a text")
        chosen = _checked(given, args[0] if args else None, axes)
        family: dict[Any, Any] = {} if font is None else _family(font)
        with mpl.rc_context(family):
            result = _drawn(lambda: draw(*args, **options), chosen if axes is None else replace(chosen, width=None))
        if chosen.names and not chosen.drawn & {*chosen.names}:
            warnings.warn("names= changes nothing: the figure names none of these entities", LookWarning, stacklevel=2)
        return result

    return drawn


def _drawn(draw: Callable[[], D], chosen: Wanted) -> D:
    """Draw as wanted; where a width is wanted, first with a guess, and again as far too wide or narrow as that was."""
    if chosen.width is None:
        return _drawn_once(draw, chosen)
    more = 0.0
    for trial in range(TRIALS):
        result = _drawn_once(draw, replace(chosen, more=more))
        figure = _figure(result)
        box = _extent(figure)
        excess = box.width + 2 * MARGIN - chosen.width
        if -SLACK <= excess <= 0 or trial == TRIALS - 1:
            break  # the last where something else than the side, such as a line of text, makes it so wide
        more -= (excess + SLACK / 4) / figure.columns
        plt.close(figure)
    _cut(figure, box, chosen.width)
    return result


def _drawn_once(draw: Callable[[], D], chosen: Wanted) -> D:
    token = _WANTED.set(chosen)
    try:
        return draw()
    finally:
        _WANTED.reset(token)


def _figure(drawn: Any) -> SavedFigure:
    """Return the figure of axes, or a figure itself."""
    return cast(SavedFigure, drawn if isinstance(drawn, Figure) else drawn.figure)


def _extent(figure: Figure) -> Bbox:
    """Return the inches that all that is drawn takes."""
    figure.draw_without_rendering()
    canvas: Any = figure.canvas
    return figure.get_tightbbox(canvas.get_renderer())


def _cut(figure: SavedFigure, box: Bbox, width: float) -> None:
    """Make a figure as wide as wanted, and as high as what is drawn, without moving or scaling any of that."""
    before = figure.get_size_inches()
    height = box.height + 2 * MARGIN
    start = (box.x0 - (width - box.width) / 2, box.y0 - MARGIN)

    def moved(x: float, y: float) -> tuple[float, float]:
        return (x * before[0] - start[0]) / width, (y * before[1] - start[1]) / height

    figure.cut = True
    places = [(ax, ax.get_position(original=True)) for ax in figure.axes]
    figure.set_size_inches(width, height)
    for ax, place in places:
        size = place.width * before[0] / width, place.height * before[1] / height
        ax.set_position((*moved(place.x0, place.y0), *size))
    for text in figure.texts:
        text.set_position(moved(*text.get_position()))


def _checked(given: dict[str, Any], result: object, axes: object) -> Wanted:
    """Return what is wanted; raises UsageError for what cannot be."""
    style, width, names = given.get("style", "screen"), given.get("width"), given.get("names") or {}
    if style not in get_args(FigureStyle):
        raise UsageError(Option("style", style), expected=" or ".join(map(repr, get_args(FigureStyle))))
    if width is not None and axes is not None:
        raise UsageError("a width is that of a new figure, and the axes given have theirs")
    if width is None and style == "paper":
        width = COLUMN
    if width is not None and not (isinstance(width, Real) and NARROWEST <= float(width) <= WIDEST):
        raise UsageError(Option("width", width), expected=f"inches from {NARROWEST:g} to {WIDEST:g}")
    if not isinstance(names, Mapping):
        raise UsageError([Option("names"), " is no mapping"], expected='labels by entity, {"a": "Model A"}')
    labels = {str(name): str(label) for name, label in names.items()}
    for name, label in labels.items():
        if not label.strip():
            raise UsageError(f"the label of {name!r} is empty", expected="a text, such as Model A")
    known = names_of(result)
    _check_names(labels, known)
    used = {name: label for name, label in labels.items() if name in known} if known else labels
    return Wanted(style, None if width is None else float(width), 0.0, given.get("title", ...), used)


def names_of(result: object) -> tuple[str, ...]:
    """Return the entities of a result; none where it does not know all of them."""
    names = getattr(result, "names", None)
    if names is None and getattr(result, "named", False):
        names = [name for group in getattr(result, "sets", ()) for name in group]
    return tuple(dict.fromkeys(names)) if isinstance(names, Collection) and not isinstance(names, str) else ()


def _check_names(labels: Mapping[str, str], entities: Collection[str]) -> None:
    """Warn of labels of nobody; raises UsageError where two entities would look like one."""
    known = dict.fromkeys(entities)  # in their order, so that the message is the same every time
    unknown = [name for name in labels if name not in known] if known else []
    if unknown:
        near = get_close_matches(unknown[0], known, 1)
        meant = f"; did you mean {near[0]!r}?" if near and len(unknown) == 1 else ""
        warnings.warn(
            f"{counted(len(unknown), 'label')} of no entity: {some(unknown, 6, quote=chr(39))}{meant}",
            LookWarning, stacklevel=5,
        )  # fmt: skip
    taken: dict[str, str] = {}
    for name in known or labels:
        label = labels.get(name, name)
        if label in taken:
            raise UsageError(f"{taken[label]!r} and {name!r} would both be called {label!r}")
        taken[label] = name


def _family(font: str) -> dict[Any, Any]:
    """Return the settings for a font; raises UsageError where it is not installed."""
    installed = {
        entry.name.lower(): entry.name for entry in fontManager.ttflist if entry.fname.endswith((".ttf", ".TTF"))
    }
    if font.lower() not in installed:
        near = get_close_matches(font.lower(), installed, 3, 0.4) or sorted(installed)[:3]
        nearest = f"the nearest that are: {', '.join(installed[key] for key in near)}"
        raise UsageError(f"the font {font!r} is not installed", way_out=[nearest])
    return {"font.family": [installed[font.lower()], FALLBACK]}


def new_figure(width: float, height: float, side: float) -> tuple[SavedFigure, float, float]:
    """Return a new figure of so many inches with axes of a side, how much a wanted width changes them, and the side.

    Type sizes follow the first guess of the side, so that what stands beside axes takes the same when they change.
    """
    look = _WANTED.get()
    zoom = 1.0 if look.width is None else look.width / width
    figure: Any = plt.figure(
        figsize=(zoom * width, zoom * height), dpi=SHARP if look.width is not None else None, FigureClass=SavedFigure
    )
    figure.side = zoom * side
    return cast(SavedFigure, figure), zoom, max(zoom * side + look.more, LEAST_SIDE)


def note_caption(ax: Axes, *sentences: str) -> None:
    """Add what a figure for a paper does not write to its caption."""
    figure = ax.figure
    if isinstance(figure, SavedFigure):
        texts = [text.rstrip(".") for text in sentences if text]
        figure.caption = " ".join(filter(None, (figure.caption, *(f"{text}." for text in texts))))

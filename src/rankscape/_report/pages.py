"""Cards as pages: HTML that needs nothing else and prints well, from templates, and Markdown."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from io import BytesIO
from math import ceil, floor, inf, isfinite, log10
from typing import Any
from urllib.parse import quote

from ..explorer.document import digest
from ..ordering import Ranking
from ..results import Table
from ..texts import isolated, shortened, visible
from ..uncertainty import RankIntervals
from .leaderboard import displayed
from .render import cell_text, markdown_escaped, render

DPI = 200
_NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # equal inputs, equal files


@dataclass(frozen=True)
class Drawing:
    """A figure of a section: its name, its caption, and what draws it in a look and returns its axes."""

    name: str
    caption: str
    draw: Callable[..., Any]

    def drawn(self, kind: str) -> Figure:
        """Return the figure as a file, as wide as a column; its caption is what the figure itself would note."""
        captions: list[str] = []

        def draw() -> Any:
            figure = self.draw(style="paper", title=None).figure
            captions.append(figure.caption or self.caption)
            return figure

        image = content(draw, kind, outlined=kind == "svg")
        return Figure(f"{self.name}.{kind}", captions[0], image)


@dataclass(frozen=True)
class Figure:
    """A figure as a file: the name of the file, a caption, what the file holds, and where a page finds it."""

    file: str
    caption: str
    content: bytes
    address: str = ""

    @property
    def inline(self) -> str:
        """The address of an SVG that a page holds itself."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.content).decode()}"


def content(draw: Callable[[], Any], kind: str, *, outlined: bool = False) -> bytes:
    """Return what a function draws, a figure, as the content of a file; ``kind`` is png, svg or pdf.

    ``outlined`` text looks alike on machines that lack the font.
    """
    import matplotlib

    matplotlib.use("Agg")  # files only; the machine may have no screen
    import matplotlib.pyplot as plt

    buffer = BytesIO()
    with warnings.catch_warnings(), plt.rc_context({"svg.hashsalt": "rankscape"}):
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # a name in a script that the font lacks
        figure = draw()
        if outlined:
            figure.outlined = True
        around = None if getattr(figure, "cut", False) else "tight"
        figure.savefig(buffer, format=kind, dpi=DPI, bbox_inches=around, metadata=_NO_DATE[kind])
        plt.close(figure)
    return buffer.getvalue()


WIDTH, MARGIN = 150, 4
"""The width of a bar, and the room at its ends, in its own units."""


@dataclass(frozen=True)
class Bar:
    """A bar: where its interval starts and ends, and where its value is."""

    start: float
    end: float
    at: float


@dataclass(frozen=True)
class Axis:
    """The range of the bars, and its ends as they are printed."""

    low: float
    high: float
    ends: tuple[str, str] = ("", "")

    def bar(self, low: float, value: float, high: float) -> Bar | None:
        """Return the bar of an interval, None where there is no value."""
        if not all(map(isfinite, (low, value, high))):
            return None
        unit = (WIDTH - 2 * MARGIN) / ((self.high - self.low) or 1.0)
        return Bar(*(round(MARGIN + (x - self.low) * unit, 1) for x in (low, high, value)))


def axis_of(values: Sequence[float], percents: bool = False) -> Axis | None:
    """Return an axis with round ends that holds all finite values; None where there are fewer than two different ones.

    >>> axis_of([0.91, 0.55]).ends, axis_of([0.5])
    (('0.5', '1.0'), None)
    """
    finite = [value for value in values if isfinite(value)]
    low, high = min(finite, default=inf), max(finite, default=-inf)
    if not low < high:
        return None
    power = floor(log10(high - low))
    step = 10.0**power
    first, last = (f"{step * end:.{max(0, -power)}f}" for end in (floor(low / step), ceil(high / step)))
    ends = (f"{100 * float(first):.{max(0, -power - 2)}f} %", f"{100 * float(last):.{max(0, -power - 2)}f} %")
    return Axis(min(float(first), low), max(float(last), high), ends if percents else (first, last))


@dataclass(frozen=True)
class Row:
    """An entity: its name, its texts by column, its interval around its value, and its tier, which it may begin.

    The columns are those of :func:`displayed`, but a share of right answers is a "value", too.
    """

    name: str
    cells: Mapping[str, str]
    low: float
    value: float
    high: float
    tier: int | None = None
    begins: bool = False


def rows_of(ranking: Ranking, intervals: RankIntervals | None = None) -> tuple[Row, ...]:
    """Return the entities in their order; without draws an interval is the value alone, and there are no tiers.

    >>> from rankscape import Performances, rank
    >>> P = Performances.from_counts([[8, 1, 0, 1], [7, 2, 0, 1]], names=["a", "b"])
    >>> [tuple(row.cells.values()) for row in rows_of(rank(P))]
    [('1', 'a', '0.6667'), ('2', 'b', '0.5000')]
    """
    table = displayed(ranking, None, intervals)
    keys = [name.replace("accuracy", "value", 1) for name in table.columns]
    tiers = {} if intervals is None else {name: i + 1 for i, names in enumerate(intervals.tiers) for name in names}
    low, high = (ranking.values,) * 2 if intervals is None else (intervals.value_low, intervals.value_high)
    rows: list[Row] = []
    for k, cells in zip(ranking.order.tolist(), table.rows(), strict=True):
        name, interval = ranking.names[k], (float(low[k]), float(ranking.values[k]), float(high[k]))
        tier = tiers.get(name)
        begins = bool(rows) and tier not in (None, rows[-1].tier)
        rows.append(Row(name, dict(zip(keys, map(str, cells), strict=True)), *interval, tier, begins))
    return tuple(rows)


@dataclass(frozen=True)
class Section:
    """A part of a card: a title, sentences, a table and figures where there are some; or why it is ``empty``."""

    title: str
    lines: tuple[str, ...] = ()
    table: Table | None = None
    right: tuple[str, ...] = ()
    figures: tuple[Drawing, ...] = field(default=(), repr=False, compare=False)
    empty: str = ""


@dataclass(frozen=True)
class Front:
    """What stands on the first page, besides its figure."""

    verdict: str
    lead: str
    cautions: tuple[str, ...]
    heading: str
    level: str
    rows: tuple[Row, ...]
    axis: Axis | None
    colors: Mapping[str, str]
    more: int
    changes: tuple[tuple[str, str], ...]
    unchanged: str
    question: tuple[str, ...]
    made: str
    source: str


@dataclass(frozen=True, repr=False)
class Card:
    """A ranking card: its sections in reading order, and a record of what it was made from.

    ``html()`` and ``markdown()`` return pages without figures; :func:`rankscape.report` writes them with figures.

    Attributes
    ----------
    title
        The heading.
    sections
        The parts, in the order in which they are read; ``card["Leaderboard"]`` is one.
    made
        What the card was made with: version, preparation, a hash of the data, draws and seed.
    front
        The first page of HTML.
    empty
        {title: why} of the sections that have nothing to say.

    See Also
    --------
    rankscape.report

    Examples
    --------
    >>> from rankscape import Performances, report
    >>> card = report(
    ...     Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12]], names=["a", "b"]), draws=200
    ... )
    >>> [section.title for section in card.sections][:3], card["Leaderboard"].table["model"]
    (['Leaderboard', 'The question', 'The data'], ['b', 'a'])
    """

    title: str
    sections: tuple[Section, ...]
    made: tuple[str, ...]
    front: Front | None = None
    empty: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, title: str) -> Section:
        """Return a section by its title; raises KeyError, which says why, where there is none."""
        for section in self.sections:
            if section.title == title:
                return section
        if title in self.empty:
            raise KeyError(f"the section {title!r} is left out: {self.empty[title]}")
        raise KeyError(f"no section is called {title!r}; there are {', '.join(s.title for s in self.sections)}")

    def html(self) -> str:
        """Return the card as one HTML page.

        Returns
        -------
        str
            The page, which needs no other file.
        """
        return as_html(self)

    def markdown(self) -> str:
        """Return the card in Markdown.

        Returns
        -------
        str
            The text.
        """
        return as_markdown(self)

    def _repr_html_(self) -> str:
        return page("card_body", card=self, figures={})

    def __repr__(self) -> str:
        return f"<Card: {self.title}>"


def figures_of(sections: Sequence[Section], kind: str, folder: str = "") -> dict[str, Figure]:
    """Return the figures of sections by their names: files of a folder, or SVG that the page holds itself."""
    drawn = {one.name: one.drawn(kind) for section in sections for one in section.figures}
    return {name: replace(one, address=f"{folder}/{one.file}" if folder else one.inline) for name, one in drawn.items()}


def as_html(card: Card, figures: Mapping[str, Figure] | None = None) -> str:
    """Return the page: what comes from outside is text, its policy allows this very style, and nothing is loaded."""
    style = file_of("card.css")
    policy = f"default-src 'none'; img-src data:; style-src {digest(style)}"
    return page("card", card=card, figures=figures or {}, style=markup(style), policy=markup(policy))


def as_markdown(card: Card, figures: Mapping[str, Figure] | None = None) -> str:
    """Return the card in Markdown, as GitHub reads it."""
    parts = [f"# {markdown_escaped(visible(card.title))}"]
    for section in card.sections:
        parts.append(f"## {section.title}")
        parts.append("\n".join(f"- {markdown_escaped(visible(line))}" for line in section.lines))
        if section.table is not None:
            parts.append(render(section.table, "markdown", right=section.right).rstrip())
        for one in section.figures:
            if figures and (figure := figures.get(one.name)):
                parts.append(f"![{markdown_escaped(one.caption)}]({quote(figure.address)})")
                parts.append(markdown_escaped(visible(figure.caption)))
    parts.append("---\n\n" + "  \n".join(markdown_escaped(line) for line in card.made))
    return "\n\n".join(filter(None, parts)) + "\n"


def file_of(name: str) -> str:
    """Return the text of a template, style or script."""
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def markup(text: str) -> Any:
    """Return a text that is not escaped."""
    import markupsafe

    return markupsafe.Markup(text)


def page(template: str, **context: Any) -> str:
    """Return a page."""
    return str(_environment().get_template(f"{template}.html.j2").render(context))


@cache
def _environment() -> Any:
    """Return Jinja's environment: all is escaped, and characters that move text or cursor are made visible."""
    import jinja2
    import markupsafe

    def plain(value: Any) -> Any:
        safe = not isinstance(value, str) or isinstance(value, markupsafe.Markup)
        return value if safe else isolated(visible(value))

    def breakable(text: str) -> Any:
        """Return a text whose lines may end within names such as a_b/c."""
        return markup(re.sub(r"(?<=[_/])(?=\w)", "<wbr>", markupsafe.escape(plain(text))))

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(file_of), autoescape=True, undefined=jinja2.StrictUndefined, finalize=plain,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters["breakable"] = breakable
    environment.globals.update(shortened=lambda text, most: shortened(visible(text), most), cell_text=cell_text)
    return environment

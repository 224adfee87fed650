"""Cards as pages: HTML that needs nothing else and prints well, from templates, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from ..explorer.document import digest
from ..results import Table
from ..texts import isolated, shortened, visible
from .figures import Drawing, Figure
from .render import cell_text, markdown_escaped, render
from .rows import Axis, Row


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
        return page("card_body", card=self, figures={}, explorer=None)

    def __repr__(self) -> str:
        return f"<Card: {self.title}>"


def figures_of(card: Card, kind: str) -> dict[str, Figure]:
    """Return the figures of a card by their names; SVG is part of the page."""
    drawn = {one.name: one.drawn(kind) for section in card.sections for one in section.figures}
    return {name: replace(one, address=one.inline if kind == "svg" else "") for name, one in drawn.items()}


def as_html(card: Card, figures: Mapping[str, Figure] | None = None, explorer: str | None = None) -> str:
    """Return the page: what comes from outside is text, its policy allows this very style, and nothing is loaded."""
    style = file_of("card.css")
    policy = f"default-src 'none'; img-src data:; style-src {digest(style)}"
    return page("card", card=card, figures=figures or {}, explorer=explorer, style=markup(style), policy=markup(policy))


def as_markdown(card: Card, figures: Mapping[str, Figure] | None = None, explorer: str | None = None) -> str:
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
    if explorer is not None:
        parts.append(f"[Explore every preference]({quote(explorer)})")
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

"""A ranking card as a page: HTML that needs nothing else and prints well, Markdown, or LaTeX with booktabs."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from ..texts import visible
from .figures import Figure
from .front import Front
from .html import fragment, page
from .render import latex_escaped, markdown_escaped, render
from .sections import Section


@dataclass(frozen=True, repr=False)
class Card:
    """A ranking card: its sections in reading order, and a record of what it was made from.

    ``html()``, ``markdown()`` and ``latex()`` return pages without figures; :func:`rankscape.report` writes them with
    figures.

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

    def __getitem__(self, title: str) -> Section:
        """Return a section by its title; raises KeyError where there is none."""
        for section in self.sections:
            if section.title == title:
                return section
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

    def latex(self) -> str:
        """Return the card as a part of a LaTeX document, with booktabs tables.

        Returns
        -------
        str
            The text.
        """
        return as_latex(self)

    def _repr_html_(self) -> str:
        return fragment(self.title, self.sections, self.made, front=self.front)

    def __repr__(self) -> str:
        return f"<Card: {self.title}>"


def embedded(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Return figures that a page holds itself."""
    mime = {"svg": "image/svg+xml", "png": "image/png"}
    return tuple(
        replace(f, address=f"data:{mime[f.kind]};base64,{base64.b64encode(f.content).decode()}") for f in figures
    )


def written_beside(figures: Sequence[Figure], folder: Path) -> tuple[Figure, ...]:
    """Return figures that a page finds in a folder beside it."""
    return tuple(replace(f, address=f"{folder.name}/{f.file}") for f in figures)


def as_html(card: Card, figures: Sequence[Figure] = (), explorer: str | None = None) -> str:
    """Return the page; whatever comes from outside is text, and nothing is loaded."""
    return page(card.title, card.sections, card.made, figures, explorer, card.front)


def as_markdown(card: Card, figures: Sequence[Figure] = (), explorer: str | None = None) -> str:
    """Return the card in Markdown, as GitHub reads it."""
    parts = [f"# {markdown_escaped(visible(card.title))}"]
    for section in card.sections:
        parts.append(f"## {section.title}")
        parts.append("\n".join(f"- {markdown_escaped(visible(line))}" for line in section.lines))
        if section.table is not None:
            parts.append(render(section.table, "markdown", right=section.right).rstrip())
        parts += [
            f"![{markdown_escaped(f.caption)}]({quote(f.address)})" for f in figures if f.section == section.title
        ]
    if explorer is not None:
        parts.append(f"[Explore every preference]({quote(explorer)})")
    parts.append("---\n\n" + "  \n".join(markdown_escaped(line) for line in card.made))
    return "\n\n".join(filter(None, parts)) + "\n"


def as_latex(card: Card, figures: Sequence[Figure] = (), explorer: str | None = None) -> str:
    r"""Return the card as the body of a LaTeX document that uses the packages booktabs, longtable and graphicx."""
    parts = [
        r"% \usepackage{booktabs,longtable,graphicx} in the preamble",
        "% names that are not ASCII need XeLaTeX or LuaLaTeX, and a font that has their letters",
        rf"\section*{{{latex_escaped(visible(card.title))}}}",
    ]
    for section in card.sections:
        parts.append(rf"\subsection*{{{latex_escaped(section.title)}}}")
        lines = (line + "." * (not line.endswith((".", "?"))) for line in section.lines)
        parts.append("\n\n".join(latex_escaped(visible(line)) for line in lines))
        if section.table is not None:
            table = render(section.table, "latex", right=section.right).rstrip()
            parts.append(table.replace("{tabular}", "{longtable}"))  # which may go over pages
        parts += [_latex_figure(figure) for figure in figures if figure.section == section.title]
    if explorer is not None:
        parts.append(rf"Explore every preference: \texttt{{{latex_escaped(visible(explorer))}}}.")
    parts.append("\\medskip\n{\\footnotesize " + r" \\ ".join(latex_escaped(line) for line in card.made) + "}")
    return "\n\n".join(filter(None, parts)) + "\n"


def _latex_figure(figure: Figure) -> str:
    image = rf"\includegraphics[width=0.8\linewidth]{{{figure.address}}}"
    caption = rf"\caption{{{latex_escaped(figure.caption)}}}"
    return "\n".join([r"\begin{figure}", r"\centering", image, caption, r"\end{figure}"])


WRITERS: dict[str, Callable[[Card, Sequence[Figure], str | None], str]] = {
    ".html": as_html,
    ".md": as_markdown,
    ".tex": as_latex,
}
"""How a page is written, by the suffix of its file."""

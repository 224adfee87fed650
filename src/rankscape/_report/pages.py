"""A ranking card as a page: HTML that needs nothing else and prints well, Markdown, or LaTeX with booktabs."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..results import Table
from ..texts import visible
from .render import cell_text, latex_escaped, markdown_escaped, render
from .sections import Section

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
p { margin: .25rem 0; } .wide { overflow-x: auto; } footer { margin-top: 2.5rem; font-size: .85rem; color: #555; }
footer p { overflow-wrap: anywhere; } section.first p:first-of-type { font-size: 1.15rem; font-weight: 600; }
table { border-collapse: collapse; margin: .8rem 0; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #333; } td { overflow-wrap: break-word; }
.right { text-align: right; } td.right { white-space: nowrap; padding-left: 1em; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; } figcaption { font-size: .9rem; color: #444; }
@media print { body { font-size: 13px; margin: 0; max-width: none; } h2, figure { break-after: avoid; }
tr, figure { break-inside: avoid; } figure img { max-height: 16cm; } .wide { overflow: visible; } }
"""


@dataclass(frozen=True)
class Figure:
    """A figure: what it is called, its section, its caption, its content as a file, and where a page finds it."""

    name: str
    section: str
    caption: str
    kind: str
    content: bytes
    address: str = ""

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.name}.{self.kind}"


@dataclass(frozen=True, repr=False)
class Card:
    """A ranking card: sections in the order in which they are read, and what it was made from.

    ``html()``, ``markdown()`` and ``latex()`` are pages without figures; :func:`report` writes them with figures.

    >>> from rankscape import Performances, report
    >>> card = report(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12]], names=["a", "b"]), draws=200)
    >>> [section.title for section in card.sections][:3], card["Leaderboard"].table["entity"]
    (['Leaderboard', 'The question', 'The data'], ['b', 'a'])
    """

    title: str
    sections: tuple[Section, ...]
    made: tuple[str, ...]

    def __getitem__(self, title: str) -> Section:
        """Return a section by its title; raises KeyError where there is none."""
        for section in self.sections:
            if section.title == title:
                return section
        raise KeyError(f"no section is called {title!r}; there are {', '.join(s.title for s in self.sections)}")

    def html(self) -> str:
        """Return the card as one HTML page."""
        return as_html(self)

    def markdown(self) -> str:
        """Return the card in Markdown."""
        return as_markdown(self)

    def latex(self) -> str:
        """Return the card as a part of a LaTeX document, with booktabs tables."""
        return as_latex(self)

    _repr_html_ = html

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
    escape = html.escape
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    body = [f"<h1>{escape(visible(card.title))}</h1>"]
    for number, section in enumerate(card.sections):
        body.append(f'<section class="{"first" if number == 0 else "more"}"><h2>{escape(section.title)}</h2>')
        body += [f"<p>{escape(visible(line))}</p>" for line in section.lines]
        if section.table is not None:
            body.append(_html_table(section.table, section.right))
        body += [_html_figure(figure) for figure in figures if figure.section == section.title]
        body.append("</section>")
    if explorer is not None:
        body.append(f'<p><a href="{escape(quote(explorer))}">Explore every preference</a></p>')
    body.append("<footer>" + "".join(f"<p>{escape(line)}</p>" for line in card.made) + "</footer>")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{escape(visible(card.title))}</title>'
        f"<style>{STYLE}</style>"
    )
    content = "\n".join(body)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{content}\n</main></body></html>\n'


def _html_figure(figure: Figure) -> str:
    alt, source = html.escape(figure.caption), html.escape(figure.address)
    return f'<figure><img src="{source}" alt="{alt}"><figcaption>{alt}</figcaption></figure>'


def _html_table(table: Table, right: Sequence[str]) -> str:
    classes = [' class="right"' if name in right else "" for name in table.columns]

    def line(tag: str, cells: Sequence[Any], scope: str = "") -> str:
        parts = zip(cells, classes, strict=True)
        texts = (f"<{tag}{scope}{css}>{html.escape(cell_text(cell))}</{tag}>" for cell, css in parts)
        return f"<tr>{''.join(texts)}</tr>"

    head, rows = line("th", table.columns, ' scope="col"'), "".join(line("td", row) for row in table.rows())
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


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
        parts.append("\n\n".join(f"{latex_escaped(visible(line))}." for line in section.lines))
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

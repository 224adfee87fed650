"""A ranking card as one HTML page that needs nothing else: the answer on the first sheet, all else in an appendix."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ..results import Table
from ..texts import isolated, shortened, visible
from .figures import Figure
from .front import Front, Row
from .render import cell_text
from .sections import Section

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --quiet: #5a5a66; --line: #dcdce2; --paper: #fff; --tint: #f3f7fb;
--mark: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --quiet: #a9a9b6; --line: #3c3c46; --paper: #17171b;
--tint: #20262d; --mark: #56b4e9; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 50rem;
margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font: 700 1.7rem/1.2 Georgia, serif; margin: .1rem 0 .4rem; } h1.long { font-size: 1.25rem; }
h2 { font-size: 1rem; margin: 1.1rem 0 .3rem; }
p { margin: .25rem 0; } a { color: var(--mark); }
.kind, .made, figcaption, footer, .more { color: var(--quiet); font-size: .82rem; }
.lead { font: 1.08rem/1.45 Georgia, serif; margin: 0 0 .8rem; }
.pair { display: grid; grid-template-columns: minmax(0, 21rem) minmax(0, 1fr); gap: 0 1.6rem; align-items: start; }
.pair.alone { grid-template-columns: minmax(0, 1fr); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .85rem; }
th, td { padding: .22rem .7rem .22rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; overflow-wrap: normal; } th:last-child, td:last-child { padding-right: 0; }
.right { text-align: right; } td.right { white-space: nowrap; }
.tier td { border-bottom: 2px solid var(--quiet); } .winner { font-weight: 700; }
td.name { width: 42%; } td.bar { width: 6.6rem; padding-top: .3rem; }
td.bar svg { display: block; width: 100%; height: .9rem; }
.changes td { width: 50%; }
.question { border-left: 4px solid var(--mark); background: var(--tint); padding: .5rem .8rem; }
figure { margin: 0; } figure img { display: block; width: 100%; border-radius: 3px; background: #fff; }
.appendix { margin-top: 2.5rem; border-top: 2px solid var(--line); } .appendix section { margin-bottom: 1.6rem; }
.appendix figure { margin: .8rem 0; max-width: 34rem; } .appendix table { width: auto; margin: .5rem 0; }
.wide { overflow-x: auto; } .wide td { overflow-wrap: break-word; min-width: 3.5rem; max-width: 24rem; }
footer { margin-top: 1.5rem; }
@media (max-width: 40rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
@page { size: A4; margin: 13mm 14mm; }
@media print { :root { color-scheme: light; --ink: #000; --quiet: #444; --line: #ccc; --paper: #fff; --tint: #f3f7fb;
--mark: #0072b2; }
html { font-size: 13px; } body { font-size: 13px; margin: 0; padding: 0; max-width: none; }
.pair { grid-template-columns: 84mm minmax(0, 1fr); gap: 0 7mm; }
h2, figure { break-after: avoid; } tr, figure { break-inside: avoid; }
.appendix { break-before: page; margin: 0; border: 0; columns: 2; column-gap: 6mm; font-size: 7.6pt;
line-height: 1.28; }
.appendix section { margin: 0 0 2mm; } .appendix h2 { font-size: 8.6pt; margin: 0 0 .6mm; }
.appendix p { margin: 0 0 .5mm; } .appendix table { font-size: 6.6pt; margin: .8mm 0; width: 100%; }
.appendix td, .appendix th { padding: .15mm 1.2mm .15mm 0; } .wide { overflow: visible; } .wide td { min-width: 0; }
.appendix td { overflow-wrap: anywhere; } .appendix td.right { overflow-wrap: normal; }
.appendix figure { margin: 1mm 0; } .appendix figure img { max-height: 62mm; width: auto; max-width: 100%; }
.appendix figcaption, .appendix footer { font-size: 6.6pt; } .screen { display: none; } tr.print { display: table-row; }
span.print { display: inline; }
.appendix footer { margin: 0; } }
@media screen { .print { display: none; } }
"""
MOST_PRINTED = 40
"""Rows that a table has on paper; the screen shows all."""

LONGEST, NAME, FRONT, LARGE = 70, 36, 30, 80
"""Characters of a cell on paper, of a name there, of one on the first sheet, and of a verdict in large letters."""

WIDTH, HEIGHT, EDGE = 100.0, 14.0, 4.0
"""Units of the drawing of an interval."""


def page(
    title: str,
    sections: Sequence[Section],
    made: Sequence[str],
    figures: Sequence[Figure] = (),
    explorer: str | None = None,
    front: Front | None = None,
) -> str:
    """Return the page; whatever comes from outside is text, and nothing is loaded."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{_text(title)}</title>'
        f"<style>{STYLE}</style>"
    )
    content = fragment(title, sections, made, figures, explorer, front)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{content}\n</main></body></html>\n'


def fragment(
    title: str,
    sections: Sequence[Section],
    made: Sequence[str],
    figures: Sequence[Figure] = (),
    explorer: str | None = None,
    front: Front | None = None,
) -> str:
    """Return what is on the page, without its style: what a notebook shows."""
    link = "" if explorer is None else f'<a href="{html.escape(quote(explorer))}">Explore every preference</a>'
    parts = [*_first_sheet(title, front, figures, link)] if front is not None else [f"<h1>{_text(title)}</h1>"]
    parts.append(f'<div class="{"plain" if front is None else "appendix"}">')
    for section in sections:
        parts += _section(section, figures if front is None else [f for f in figures if f.name != "tile"])
    parts += [f"<p>{link}</p>"] if link and front is None else []
    parts.append(f"<footer>{''.join(f'<p>{_text(line)}</p>' for line in made)}</footer></div>")
    return "\n".join(parts)


def _text(text: str) -> str:
    return html.escape(isolated(visible(text)))


def _breakable(text: str) -> str:
    """Return a text whose lines may end within names such as a_b/c."""
    return re.sub(r"(?<=[_/])(?=\w)", "<wbr>", _text(text))


def _name(text: str, longest: int = LONGEST) -> str:
    """Return a name that wraps on a screen; on paper a long one loses its middle."""
    if len(text) <= longest:
        return _breakable(text)
    short = _breakable(shortened(visible(text), longest))
    return f'<span class="screen">{_breakable(text)}</span><span class="print" hidden>{short}</span>'


def _first_sheet(title: str, front: Front, figures: Sequence[Figure], link: str) -> list[str]:
    """Return the first page."""
    tile = [figure for figure in figures if figure.name == "tile"]
    parts = [
        f'<div class="front"><p class="kind">Ranking card · {_text(title)}</p><h1>{_breakable(front.verdict)}</h1>'
    ]
    parts.append(f'<p class="lead">{_text(front.lead)}</p>')
    parts += [f"<p><strong>{_text(line)}</strong></p>" for line in front.cautions]
    parts.append(f'<div class="pair{"" if tile else " alone"}">')
    parts += [f"<div>{_figure(figure)}</div>" for figure in tile]
    parts.append(f"<div>{_leaderboard(front)}<h2>What would change the answer</h2>{_changes(front)}</div></div>")
    question = "".join(f"<p>{_text(line)}</p>" for line in front.question)
    parts.append(f'<h2>The question</h2><div class="question">{question}</div>')
    parts.append(f'<h2>How it was made</h2><p class="made">{_text(front.made)}</p>')
    parts.append(f'<p class="kind">{" · ".join(filter(None, (link, _text(front.source))))}</p>')
    return [*parts, "</div>"]


def _leaderboard(front: Front) -> str:
    """Return the first rows, each with its interval as a bar."""
    known = [x for row in front.rows for x in (row.low, row.at, row.high) if x is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    barred = any(row.low is not None for row in front.rows)
    heads = [("rank", ""), ("model", ""), (front.heading, "right")]
    heads += [(f"{front.level} interval", ""), ("first", "right")] if barred else []
    head = "".join(f'<th scope="col"{_css(css)}>{_text(name)}</th>' for name, css in heads)
    body = "".join(_row(row, k == 0, barred, low, high) for k, row in enumerate(front.rows))
    more = f'<p class="more">{front.more} more in the appendix</p>' if front.more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _css(name: str) -> str:
    return f' class="{name}"' if name else ""


def _row(row: Row, first: bool, barred: bool, low: float, high: float) -> str:
    bold = ' class="winner"' if first else ""
    cells = [f"<td>{_text(row.rank)}</td>", f'<td class="name"><span{bold}>{_name(row.name, FRONT)}</span></td>']
    cells.append(f'<td class="right">{_text(row.value)}</td>')
    if barred:
        cells.append(f'<td class="bar">{_bar(row, low, high)}</td><td class="right">{_text(row.chance)}</td>')
    return f"<tr{_css('tier' if row.ends_tier else '')}>{''.join(cells)}</tr>"


def _bar(row: Row, low: float, high: float) -> str:
    """Draw an interval, and the value seen as a dot of the color of the entity."""
    if row.low is None or row.high is None or row.at is None:
        return ""
    span = (high - low) or 1.0
    start, at, end = (EDGE + (WIDTH - 2 * EDGE) * (x - low) / span for x in (row.low, row.at, row.high))
    middle = HEIGHT / 2
    line = (
        f'<line x1="{start:.2f}" y1="{middle}" x2="{end:.2f}" y2="{middle}" stroke="currentColor" stroke-width="1.6"/>'
    )
    dot = f'<circle cx="{at:.2f}" cy="{middle}" r="{EDGE}" fill="{row.color}" stroke="currentColor" stroke-width=".8"/>'
    label = f"from {row.low:.3g} to {row.high:.3g}"
    box = f'width="{WIDTH:g}" height="{HEIGHT:g}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}"'
    return f"<svg {box}>{line}{dot}</svg>"


def _changes(front: Front) -> str:
    """Return what would put others first."""
    if not front.changes:
        return f"<p>{_text(front.unchanged)}</p>"
    rows = "".join(f"<tr><td>{_breakable(what)}</td><td>{_breakable(names)}</td></tr>" for what, names in front.changes)
    head = '<tr><th scope="col">if it were</th><th scope="col">then first</th></tr>'
    return f'<table class="changes"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _section(section: Section, figures: Sequence[Figure]) -> list[str]:
    """Return a section with its table and figures."""
    parts = [f"<section><h2>{_text(section.title)}</h2>", *(f"<p>{_text(line)}</p>" for line in section.lines)]
    if section.table is not None:
        parts.append(_table(section.table, section.right))
    return [*parts, *(_figure(figure) for figure in figures if figure.section == section.title), "</section>"]


def _figure(figure: Figure) -> str:
    alt, source = html.escape(figure.caption), html.escape(figure.address)
    return f'<figure><img src="{source}" alt="{alt}"><figcaption>{alt}</figcaption></figure>'


def _table(table: Table, right: Sequence[str]) -> str:
    """Return a table; of a long one paper has the first rows."""
    classes = ["right" if name in right else "" for name in table.columns]
    longest = [NAME if name == "model" else LONGEST for name in table.columns]

    def line(tag: str, cells: Sequence[Any], scope: str = "", css: str = "") -> str:
        parts = zip(cells, classes, longest, strict=True)
        texts = (f"<{tag}{scope}{_css(kind)}>{_name(cell_text(cell), most)}</{tag}>" for cell, kind, most in parts)
        return f"<tr{_css(css)}>{''.join(texts)}</tr>"

    head = line("th", table.columns, ' scope="col"')
    rows = [line("td", row, css="screen" * (k >= MOST_PRINTED)) for k, row in enumerate(table.rows())]
    if len(rows) > MOST_PRINTED:
        left = f"{len(rows) - MOST_PRINTED} more rows are on the screen"
        rows.append(f'<tr class="print" hidden><td colspan="{len(classes)}">{left}</td></tr>')
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'

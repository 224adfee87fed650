"""What a site offers for download: CSV, JSON, LaTeX and BibTeX, and a badge for each method."""

from __future__ import annotations

import html
from typing import Any

from .._report import to_json
from .._report.card import data_hash
from .._report.leaderboard import full_name
from .._report.render import latex_escaped
from ..look import HUES, PAPER, pretty
from ..results import Table
from ..texts import columns, counted, shortened, visible
from ..version import __version__
from .challenge import Challenge
from .slugs import slugs

FONT, PER_COLUMN = 11, 6.3
"""The size of the letters of a badge, and the room for each of them."""

LONGEST = 30


def downloads(challenge: Challenge) -> dict[str, bytes]:
    """Return the files, by their names in the site."""
    board = challenge.board
    files = {
        "data/leaderboard.csv": _whole(challenge).to_csv(),
        "data/leaderboard.json": to_json(board.document()),
        "data/leaderboard.tex": board.render("latex"),
        "data/results.csv": _results(challenge).to_csv(),
        "data/challenge.bib": bibtex(challenge),
    }
    if challenge.metadata.columns:
        files["data/metadata.json"] = to_json(_metadata(challenge))
    if challenge.places:
        files["data/domains.csv"] = _domains(challenge).to_csv()
    return {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}


def _whole(challenge: Challenge) -> Table:
    """Return the leaderboard with the metadata: of links the address."""
    table, metadata = challenge.board.whole(), challenge.metadata
    cells: dict[str, Any] = {name: table[name] for name in table.columns}
    for i, column in enumerate(metadata.columns):
        header = column if column not in cells else f"{column} (metadata)"
        each = [metadata.of(name)[i] for name in table["entity"]]
        cells[header] = [cell.address or cell.text for cell in each]
    return Table(cells)


def _metadata(challenge: Challenge) -> dict[str, dict[str, str]]:
    columns_ = challenge.metadata.columns
    return {
        name: {
            column: cell.address or cell.text
            for column, cell in zip(columns_, challenge.metadata.of(name), strict=True)
        }
        for name in challenge.names
    }


def _results(challenge: Challenge) -> Table:
    """Return the performances as they were given, so that anybody can rank them in another way."""
    data = challenge.asked.performances
    numbers = data.mass if data.counts is None else data.counts
    columns_: dict[str, Any] = {"entity": list(data.names)}
    if data.domains is not None:
        columns_["domain"] = list(data.domains)
    for outcome, values in zip(data.space.outcomes, numbers.T, strict=True):
        columns_[outcome if outcome not in columns_ else f"{outcome} (outcome)"] = values.tolist()
    return Table(columns_)


def _domains(challenge: Challenge) -> Table:
    """Return ranks and values of every method on every domain, and on every level."""
    rows = []
    for local in challenge.places:
        if local.ranking is not None:
            ranked = local.ranking.table()
            rows += [
                (local.place.name, name, rank, value)
                for name, rank, value in zip(ranked["entity"], ranked["rank"], ranked["value"], strict=True)
            ]
    names = ("domain", "entity", "rank", "value")
    return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {n: [] for n in names})


def bibtex(challenge: Challenge) -> str:
    """Return the entry of the challenge."""
    about, board = challenge.about, challenge.board
    note = (
        f"Leaderboard of {counted(len(challenge.names), 'method')} by {full_name(board.ranking.score)}; "
        f"rankscape {__version__}; SHA-256 of the data {data_hash(challenge.asked.performances)}"
    )
    fields = {
        "title": f"{{{_braced(about.title)}}}",
        "author": f"{{{_braced(about.organizer)}}}" if about.organizer else "",
        "year": (about.date or "")[:4],
        "howpublished": rf"\url{{{about.url}}}" if about.url else "",
        "note": _braced(note),
    }
    key = slugs([about.title])[about.title]
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"]) + "\n"


def _braced(text: str) -> str:
    """Return text for a field of BibTeX, whose braces must match: those of the text are named."""
    plain = visible(text).replace("{", "(").replace("}", ")")
    return latex_escaped(plain)


def badge(challenge: Challenge, name: str) -> bytes:
    """Return the badge of a method: the challenge, its score and rank, and the set of ranks where there is one."""
    cell, score = challenge.standings.cell, pretty(challenge.board.ranking.score.symbol)
    rank, ranks = cell(name, "rank"), cell(name, "ranks")
    place = f"rank {rank} of {len(challenge.names)}" if rank != "—" else "not ranked"
    certainty = f" ({ranks})" if ranks and ranks != "—" else ""
    left = visible(shortened(challenge.about.title, LONGEST))
    right = visible(shortened(f"{shortened(score, LONGEST)}: {place}{certainty}", 2 * LONGEST))
    widths = [round(columns(text) * PER_COLUMN + 14) for text in (left, right)]
    title = html.escape(visible(f"{shortened(name, 2 * LONGEST)}: {place} by {score}{certainty}, {left}"))
    total = sum(widths)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" aria-label="{title}">'
        f'<title>{title}</title><rect width="{total}" height="20" rx="3" fill="#333333"/>'
        f'<path d="M{widths[0]} 0h{widths[1] - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{widths[1] - 3}z" fill="{HUES[6]}"/>'
        f'<g fill="{PAPER}" font-family="Verdana,DejaVu Sans,sans-serif" font-size="{FONT}" text-anchor="middle">'
        f'<text x="{widths[0] / 2}" y="14" textLength="{widths[0] - 14}">{html.escape(left)}</text>'
        f'<text x="{widths[0] + widths[1] / 2}" y="14" textLength="{widths[1] - 14}">{html.escape(right)}</text>'
        "</g></svg>\n"
    ).encode("utf-8", "backslashreplace")

"""What a site offers for download: CSV, JSON and LaTeX."""

from __future__ import annotations

from typing import Any

from .._report import to_json
from ..results import Table
from .challenge import Challenge


def downloads(challenge: Challenge) -> dict[str, bytes]:
    """Return the files, by their names in the site."""
    board = challenge.board
    files = {
        "data/leaderboard.csv": _whole(challenge).to_csv(),
        "data/leaderboard.json": to_json(board.document()),
        "data/leaderboard.tex": board.render("latex"),
        "data/results.csv": _results(challenge).to_csv(),
    }
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
    columns: dict[str, list[Any]] = {name: [] for name in ("domain", "entity", "rank", "value")}
    for place in challenge.places:
        if place.standings is not None:
            ranked = place.standings.ranking.table()
            columns["domain"] += [place.name] * len(ranked)
            for name in ("entity", "rank", "value"):
                columns[name] += ranked[name]
    return Table(columns)

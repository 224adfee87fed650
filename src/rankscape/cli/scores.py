"""``rankscape scores``: what every named score is."""

import re
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import chosen_format, debug_option, example, format_option, output_option, show

if TYPE_CHECKING:
    from .._scores import Score
    from ..results import Table

COMPACT = {"key": 16, "symbol": 9, "name": 35}
"""Widths of the columns of text in a terminal."""


@click.command("scores", epilog=example("rankscape scores pod"))
@click.argument("pattern", required=False)
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@debug_option
def command(pattern: str | None, format_: str | None, output: Path | None) -> None:
    """List the named scores, or describe those that match PATTERN.

    Names are matched without case, spaces and hyphens.
    """
    from .._report import render
    from .._scores import scores

    format_ = chosen_format(format_, output)
    table = scores() if pattern is None else _matching(scores(), pattern)
    if format_ == "table" and pattern is not None:
        asked = _asked(pattern) if len(table) == 1 else None
        text = "\n\n".join(_described(dict(zip(table.columns, row, strict=True)), asked) for row in table.rows()) + "\n"
    elif format_ in ("csv", "json"):
        text = render(table, format_)
    else:
        footer = f"{len(table)} scores. rankscape scores NAME describes one." if format_ == "table" else ""
        text = render(_compact(table, format_ == "table"), format_, summary=footer, right=())
    show(text, format_, output)


def _matching(table: "Table", pattern: str) -> "Table":
    """Return the rows that carry a name, else those that contain it, else the score that it stands for."""
    from .._scores import score
    from .._scores.names import normalized

    plain = normalized(pattern)
    names = [
        [normalized(name) for name in (row["key"].partition("(")[0], row["name"], row["symbol"], *row["aliases"])]
        for row in _records(table)
    ]
    rows = [i for i, known in enumerate(names) if plain in known]
    rows = rows or [i for i, known in enumerate(names) if plain and any(plain in name for name in known)]
    if not rows:
        found = score(pattern)  # raises, with the nearest names
        rows = [i for i, known in enumerate(names) if normalized(found.key) == known[0]]
        if not rows:
            raise click.UsageError(f"{pattern[:80]!r} is an expression; rankscape locate says where it is on the Tile")
    return _taken(table, rows)


def _records(table: "Table") -> list[dict[str, Any]]:
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows()]
    return [row | {"aliases": [name for name in row["aliases"].split(", ") if name]} for row in records]


def _taken(table: "Table", rows: list[int]) -> "Table":
    from ..results import Table

    return Table({name: [table[name][i] for i in rows] for name in table.columns})


def _range(low: float, high: float) -> str:
    ends = [str(Fraction(end).limit_denominator(12)) if isfinite(end) else str(end) for end in (low, high)]
    ends = [end.replace("inf", "∞").replace("-", "−") for end in ends]
    opening, closing = "(" if "∞" in ends[0] else "[", ")" if "∞" in ends[1] else "]"
    return f"{opening}{ends[0]}, {ends[1]}{closing}"


def _compact(table: "Table", narrow: bool) -> "Table":
    """Return the columns by which a score is recognized."""
    from ..results import Table
    from ..texts import shortened

    columns: dict[str, list[Any]] = {}
    for name, width in COMPACT.items():
        texts = [re.sub(r"\(.*", "(…)", text) for text in table[name]] if name == "key" and narrow else table[name]
        columns[name] = [shortened(text, width) if narrow else text for text in texts]
    columns["range"] = [_range(*ends) for ends in zip(table["low"], table["high"], strict=True)]
    return Table(columns | {"better": table["better"], "sound": table["sound"]})


def _asked(pattern: str) -> "Score | None":
    """Return the very score that the pattern names: of the family F_β, F₂."""
    from .._scores import score
    from ..errors import UsageError

    try:
        return score(pattern)
    except UsageError:  # the name of a family, or a part of a name
        return None


def _described(row: dict[str, Any], asked: "Score | None") -> str:
    """Return everything the catalogue says about one score."""
    from .._report import in_words, wrapped
    from .._report.leaderboard import exactly, place_of
    from .base import width

    name, symbol, place, parameters = row["name"], row["symbol"], row["place"], ""
    words = None
    if asked is not None:
        name, symbol, words = asked.name, asked.symbol, asked.orders_as
        parameters = ", ".join(f"{key} = {exactly(value)}" for key, value in asked.parameters.items())
        exact = place_of(asked, None)
        place = place if exact is None else f"a = {exactly(exact[0])}, b = {exactly(exact[1])}"
    lines = {
        "key": row["key"],
        "parameters": parameters,
        "also called": row["aliases"] if asked is None else ", ".join(asked.aliases),
        "formula": row["formula"] if asked is None or not asked.formula else asked.formula,
        "defined for": row["domain"],
        "range": _range(row["low"], row["high"]),
        "better": row["better"],
        "importance": row["importance"] and f"tn, fp, fn, tp = {row['importance']}",
        "sound": row["sound"],
        "place": place,
        "in words": words and in_words(words),
        "source": row["source"],
        "note": row["note"],
    }
    shown = [wrapped(f"  {key:<12} {text}", width(), indent=15) for key, text in lines.items() if text]
    return "\n".join([f"{name} ({symbol})", *shown])

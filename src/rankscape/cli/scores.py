"""``rankscape scores``: what every named score is."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from math import isfinite
from typing import Any

import click

import rankscape as rs

from .. import _report
from ..errors import UsageError
from ..results import Table
from ..texts import shortened
from .base import Output, example, output_options, width

COMPACT = {"key": 16, "symbol": 9, "name": 35}
"""Widths of the columns of text in a terminal."""


@click.command("scores", epilog=example("rankscape scores pod"))
@click.argument("pattern", required=False)
@output_options()
def command(pattern: str | None, out: Output) -> None:
    """List the named scores, or describe those that match PATTERN.

    Names are matched without case, spaces and hyphens.
    """
    table = rs.scores() if pattern is None else _matching(rs.scores(), pattern)
    if out.kind == "table" and pattern is not None:
        asked = _asked(pattern) if len(table) == 1 else None
        text = "\n\n".join(_described(row, asked) for row in _report.records(table)) + "\n"
    elif out.kind in ("csv", "json"):
        text = _report.render(table, out.kind)
    else:
        footer = f"{len(table)} scores. rankscape scores NAME describes one." if out.kind == "table" else ""
        text = _report.render(_compact(table, out.kind == "table"), out.kind, summary=footer, right=())
    out.show(text)


def _matching(table: Table, pattern: str) -> Table:
    """Return the rows that carry a name, else those that contain it, else the score that it stands for."""
    names_of_scores = import_module(".._scores.names", __package__)  # which few need
    normalized: Callable[[str], str] = names_of_scores.normalized
    plain = normalized(pattern)
    columns = zip(*(table[column] for column in ("key", "name", "symbol", "aliases")), strict=True)
    named = ((key.partition("(")[0], name, symbol, *aliases.split(", ")) for key, name, symbol, aliases in columns)
    names = [[normalized(name) for name in names_of_row if name] for names_of_row in named]
    asked = [normalized(key.partition("(")[0]) for key in names_of_scores.AMBIGUOUS.get(plain, ())]
    rows = [i for i, known in enumerate(names) if (known[0] in asked if asked else plain in known)]
    rows = rows or [i for i, known in enumerate(names) if plain and any(plain in name for name in known)]
    if not rows:
        key = normalized(rs.score(pattern).key)  # raises, with the nearest names
        rows = [i for i, known in enumerate(names) if key == known[0]]
        if not rows:
            raise click.UsageError(f"{pattern[:80]!r} is an expression; rankscape locate says where it is on the Tile")
    return Table({name: [table[name][i] for i in rows] for name in table.columns})


def _range(low: float, high: float) -> str:
    ends = [str(Fraction(end).limit_denominator(12)) if isfinite(end) else str(end) for end in (low, high)]
    ends = [end.replace("inf", "∞").replace("-", "−") for end in ends]
    opening, closing = "(" if "∞" in ends[0] else "[", ")" if "∞" in ends[1] else "]"
    return f"{opening}{ends[0]}, {ends[1]}{closing}"


def _compact(table: Table, narrow: bool) -> Table:
    """Return the columns by which a score is recognized."""
    columns: dict[str, list[Any]] = {}
    for name, most in COMPACT.items():
        texts = [re.sub(r"\(.*", "(…)", text) for text in table[name]] if name == "key" and narrow else table[name]
        columns[name] = [shortened(text, most) if narrow else text for text in texts]
    columns["range"] = [_range(*ends) for ends in zip(table["low"], table["high"], strict=True)]
    sound = [text.replace("prediction ", "") if narrow else text for text in table["sound"]]
    return Table(columns | {"better": table["better"], "sound": sound})


def _asked(pattern: str) -> rs.Score | None:
    """Return the very score that the pattern names: of the family F_β, F₂."""
    try:
        return rs.score(pattern)
    except UsageError:  # the name of a family, or a part of a name
        return None


def _described(row: dict[str, Any], asked: rs.Score | None) -> str:
    """Return everything the catalogue says about one score."""
    name, symbol, place, parameters = row["name"], row["symbol"], row["place"], ""
    weights = None
    if asked is not None:
        name, symbol, weights = asked.name, asked.symbol, asked.orders_as
        parameters = ", ".join(f"{key} = {_report.exactly(value)}" for key, value in asked.parameters.items())
        exact = _report.place_of(asked, None)
        place = place if exact is None else f"a = {_report.exactly(exact[0])}, b = {_report.exactly(exact[1])}"
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
        "at a rate": row["rate_place"] and f"{row['rate_place']}, at the prediction rate t = τ₊",
        "in words": weights and _report.in_words(weights),
        "source": row["source"],
        "note": row["note"],
    }
    texts = [_report.wrapped(f"  {key:<12} {text}", width(), indent=15) for key, text in lines.items() if text]
    return "\n".join([f"{name} ({symbol})", *texts])

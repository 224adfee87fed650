"""``rankscape tradeoff``: the optimal F_β for ranking, and what lies between any two scores."""

from math import inf, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import (
    Refusal,
    chosen_format,
    debug_option,
    example,
    format_option,
    once,
    output_option,
    performances,
    reading_options,
    show,
    width,
    write,
)
from .figures import FIGURES, content

if TYPE_CHECKING:
    from ..tables import Table
    from ..tradeoff import Tradeoff, Tradeoffs


@click.command("tradeoff", epilog=example("rankscape tradeoff results.csv --quantile 0.8"))
@click.argument("file", metavar="FILE|-")
@click.option("--ends", nargs=2, default=("ppv", "tpr"), metavar="A B", help="Two scores; by default ppv tpr.")
@click.option("--quantile", type=click.FloatRange(0, 1), metavar="Q", help="Share of the way to the second end.")
@click.option("--domain", multiple=True, callback=once, metavar="NAME", help="One domain; otherwise averaged.")
@click.option("--by-domain", is_flag=True, help="One trade-off per domain, as a table.")
@click.option("--distinct", is_flag=True, help="Count entities that are equal between the ends once.")
@format_option
@output_option("File to write: a figure (png, svg, pdf), or csv, json, tex, md, txt.")
@reading_options
@debug_option
def command(
    file: str,
    ends: tuple[str, str],
    quantile: float | None,
    domain: str | None,
    by_domain: bool,
    distinct: bool,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Find the optimal trade-off between precision and recall, or between any two scores on a line of the Tile.

    FILE is that of `rankscape rank`. Of all F_β the best for ranking is the one that is as far from the ranking by
    precision as from that by recall; how good F1 is, is told, too.
    """
    from .. import tradeoff, tradeoffs

    if by_domain and domain is not None:
        raise click.UsageError("--by-domain and --domain each say which domains: choose one of them")
    figure = "" if output is None else output.suffix.lower().removeprefix(".")
    if figure in FIGURES and format_ is not None:
        raise click.UsageError(f"--format is for texts, and {output} is a figure: leave one of them out")
    kind = "" if figure in FIGURES else chosen_format(format_, output)
    data = performances(file, domain, **reading)
    if by_domain:
        if data.domains is None:
            raise Refusal("--by-domain needs a column of domains; name it with --domain-column")
        many = tradeoffs(data, ends, distinct)
        text = "" if not kind else _many(many, kind, quantile)
        draw = many.plot
    else:
        one = tradeoff(data, ends, distinct)
        text = "" if not kind else _one(one, kind, quantile)
        draw = one.plot
    if kind:
        show(text, kind, output)
    elif output is not None:
        write(output, content(lambda: draw().figure, figure))


def _one(t: "Tradeoff", kind: str, quantile: float | None) -> str:
    from ..report import render, to_json

    if kind == "json":
        return to_json(document(t, quantile))
    if kind == "csv":
        return compared(t, quantile).to_csv()
    table = _readable(compared(t, quantile), t)
    return render(table, kind, title=t.summary(), right=set(table.columns[1:]), width=width())


def compared(t: "Tradeoff", quantile: float | None = None) -> "Table":
    """Return what one could rank by, from one end to the other: beta, place, tau to both ends, degree of optimality."""
    from ..tables import Table
    from ..tradeoff.words import is_f

    f = is_f(t)
    first, second = t.ends
    low, high = (first, second) if not t.segment.reversed else (second, first)
    named = [(low, sqrt(t.limits[0])), ("optimum", t.beta), ("heuristic", t.heuristic_beta), (high, sqrt(t.limits[1]))]
    if f:
        named += [("F1", 1.0), ("SIVF", t.sivf_beta)]
    if quantile is not None:
        named.append((f"quantile {quantile:g}", t.quantile(quantile)))
    within = [(name, beta) for name, beta in named if t.limits[0] <= beta**2 <= t.limits[1]]
    within.sort(key=lambda pair: (pair[1], pair[0] == high))
    taus = [t.tau(beta) for _, beta in within]
    return Table(
        {
            "score": [name for name, _ in within],
            "beta": [beta for _, beta in within],
            "a": [t.place_of(beta)[0] for _, beta in within],
            "b": [t.place_of(beta)[1] for _, beta in within],
            "tau_first": [tau[0] for tau in taus],
            "tau_second": [tau[1] for tau in taus],
            "optimality": [t.optimality(beta) for _, beta in within],
        }
    )


def _readable(table: "Table", t: "Tradeoff") -> "Table":
    from ..tables import Table
    from ..texts import percent
    from ..tradeoff.words import is_f

    where = (
        ("β", table["beta"])
        if is_f(t)
        else ("a, b", [f"{a:.3g}, {b:.3g}" for a, b in zip(table["a"], table["b"], strict=True)])
    )
    first, second = t.ends
    return Table(
        {
            "rank by": table["score"],
            where[0]: [_number(x) for x in where[1]],
            f"τ with {first}": [_number(x) for x in table["tau_first"]],
            f"τ with {second}": [_number(x) for x in table["tau_second"]],
            "degree of optimality": ["" if x is None or x != x else percent(x) for x in table["optimality"]],
        }
    )


def _number(x: Any) -> str:
    if isinstance(x, str):
        return x
    return "∞" if x == inf else "" if x != x else f"{x:.3f}"


def document(t: "Tradeoff", quantile: float | None) -> dict[str, Any]:
    """Return the answer as one JSON document."""
    from ..tradeoff.words import row

    table = compared(t, quantile)
    return {
        "schema": "rankscape/tradeoff/1",
        **row(t),
        "copies": t.copies,
        "scores": [dict(zip(table.columns, line, strict=True)) for line in table.rows()],
        "notes": t.notes,
    }


def _many(ts: "Tradeoffs", kind: str, quantile: float | None) -> str:
    from ..report import label, render, to_json
    from ..tables import Table
    from ..texts import percent

    table = ts.table()
    columns = {name: table[name] for name in table.columns}
    if quantile is not None:
        columns[f"beta_at_{quantile:g}"] = [t.quantile(quantile) for t in ts.values()]
    if kind == "csv":
        return Table(columns).to_csv()
    if kind == "json":
        rows = [dict(zip(columns, line, strict=True)) for line in zip(*columns.values(), strict=True)]
        return to_json({"schema": "rankscape/tradeoffs/1", "domains": rows})
    shown = {
        "domain": [label(name) for name in columns["domain"]],
        "entities": columns["entities"],
        "τ of the ends": [_number(x) for x in columns["tau_ends"]],
        "optimal β": [_number(x) for x in columns["beta"]],
        "optimality of F1": ["" if x != x else percent(x) for x in columns["optimality_of_1"]],
        "heuristic β": [_number(x) for x in columns["heuristic_beta"]],
        "its optimality": ["" if x != x else percent(x) for x in columns["optimality_of_heuristic"]],
    }
    if quantile is not None:
        shown[f"β at {quantile:g}"] = [_number(x) for x in columns[f"beta_at_{quantile:g}"]]
    return render(Table(shown), kind, title=_said(ts), right=set(list(shown)[1:]), width=width())


def _said(ts: "Tradeoffs") -> str:
    betas = [t.beta for t in ts.values() if t.n_discordant]
    first, second = next(iter(ts.values())).ends
    text = f"The optimal trade-off between {first} and {second} on {len(ts)} domains"
    if not betas:
        return f"{text}: nowhere do they order a pair differently"
    inside = sum(0.5 <= beta <= 2 for beta in betas)
    return f"{text}: β from {min(betas):.3g} to {max(betas):.3g}, between ½ and 2 on {inside}"

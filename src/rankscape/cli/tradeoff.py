"""``rankscape tradeoff``: the optimal F_β for ranking, and what lies between any two scores."""

import shlex
from dataclasses import replace
from fractions import Fraction
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._report.figures import FIGURES, content
from ..texts import counted, label
from .base import (
    chosen_format,
    debug_option,
    example,
    format_option,
    number,
    once,
    output_option,
    show,
    width,
    write,
)
from .endings import Refusal
from .reading import performances, reading_options
from .summaries import missing_option, note, prepared, shift_option, weights_option

if TYPE_CHECKING:
    from .._tradeoff import Tradeoff, Tradeoffs
    from ..domains import Prepared
    from ..results import Table


MOST_DIGITS = 20
"""Characters of a fraction that is shown as it is."""


@click.command("tradeoff", epilog=example("rankscape tradeoff results.csv --quantile 0.8"))
@click.argument("file", metavar="FILE|-")
@click.option(
    "--ends", nargs=2, default=("ppv", "tpr"), metavar="A B", help="Two scores, or places a,b; by default ppv tpr."
)
@click.option("--quantile", type=click.FloatRange(0, 1), metavar="Q", help="Share of the way to the second end.")
@click.option("--domain", multiple=True, callback=once, metavar="NAME", help="One domain; otherwise averaged.")
@click.option("--by-domain", is_flag=True, help="One trade-off per domain, as a table.")
@click.option("--distinct", is_flag=True, help="Count entities that are equal between the ends once.")
@weights_option
@missing_option()
@shift_option
@format_option
@output_option("File to write: a figure (png, svg, pdf), or csv, json, tex, md, txt.")
@reading_options
@debug_option
def command(
    file: str,
    ends: tuple[Any, Any],
    quantile: float | None,
    domain: str | None,
    by_domain: bool,
    distinct: bool,
    given: Any,
    missing: str,
    shift_prior: Fraction | None,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Find the best F_β for ranking, and say how good F1 is.

    It is the optimal trade-off between precision and recall, or between any two scores on a line of the Tile. FILE
    is that of `rankscape rank`. PPV is precision, TPR recall. Of all F_β the best for ranking is the one that is as
    far from the ranking by precision as from that by recall. The degree of optimality of another, such as F1, is
    the share of the pairs on which precision and recall contradict each other that it orders as the optimum does.
    The heuristic, β² = E[PFP]/E[PFN], and SIVF, β² = the negatives by the positives, guess the optimum without the
    swaps.
    """
    from .._tradeoff import Tradeoff, Tradeoffs, tradeoff, tradeoffs

    ends = (_end(ends[0]), _end(ends[1]))

    if by_domain and domain is not None:
        raise click.UsageError("--by-domain and --domain each say which domains: choose one of them")
    figure = "" if output is None else output.suffix.lower().removeprefix(".")
    if figure in FIGURES and format_ is not None:
        raise click.UsageError(f"--format is for texts, and {output} is a figure: leave one of them out")
    if figure in FIGURES and quantile is not None:
        raise click.UsageError("--quantile is for tables: leave it out for a figure")
    kind = "" if figure in FIGURES else chosen_format(format_, output, FIGURES)
    data = performances(file, domain, **reading)
    asked = None
    if by_domain:
        if data.domains is None:
            raise Refusal("--by-domain needs a column of domains; name it with --domain-column")
        if (given, missing) != ("equal", "error"):
            raise click.UsageError("--weights and --missing are about averages, and --by-domain averages nothing")
        shifted = data if shift_prior is None else data.shift_priors(shift_prior)
        found: Tradeoff | Tradeoffs = tradeoffs(shifted, ends, distinct)
    else:
        asked = prepared(data, given, missing, shift_prior)
        found = tradeoff(asked.performances, ends, distinct)
        found = replace(found, notes=(*asked.sentences(), *found.notes))
    if figure in FIGURES and output is not None:
        write(output, content(lambda: found.plot().figure, figure))
    elif isinstance(found, Tradeoffs):
        show(_many(found, kind, quantile, shift_prior), kind, output)
    else:
        same = _same(file, domain=domain, missing=missing if missing != "error" else None, shift_prior=shift_prior)
        hint = f"\nRank by it: rankscape rank {same} {_by(found)}\n" if found.n_discordant else ""
        show(_one(found, kind, quantile, asked) + (hint if kind == "table" else ""), kind, output)
    if kind in ("", "csv"):
        _note(asked, shift_prior)


def _end(text: str) -> Any:
    """Return the preference at a place a,b; the name of a score as it is."""
    from ..outcomes import at

    parts = text.split(",")
    if len(parts) != 2 or "(" in text:
        return text
    place: list[Any] = [number(part) for part in parts]
    return at(*place)


def _note(asked: "Prepared | None", shift_prior: Fraction | None) -> None:
    """Say on stderr what was done before."""
    if asked is not None:
        note(asked)
    elif shift_prior is not None:
        click.echo(f"note: {_each_shifted(shift_prior)}", err=True)


def _each_shifted(shift_prior: Fraction) -> str:
    return f"Nothing is averaged: every domain is shifted to the prior (share of positives) {float(shift_prior):.4g}"


def _same(file: str, **options: Any) -> str:
    """Return the arguments that name the data, and how they are prepared."""
    given = click.get_current_context().params["given"]
    weights = ",".join(f"{name}={x}" for name, x in given.items()) if isinstance(given, dict) else given
    options["weights"] = None if weights == "equal" else weights
    chosen = ((name.replace("_", "-"), value) for name, value in options.items() if value is not None)
    return " ".join([shlex.quote(file), *(f"--{name} {shlex.quote(str(value))}" for name, value in chosen)])


def _by(t: "Tradeoff") -> str:
    """Return the option of ``rankscape rank`` that stands for the optimum, exactly where fractions are short."""
    exact = [str(x) for x in t.exact_place]
    if max(map(len, exact)) <= MOST_DIGITS:
        return "--at " + " ".join(exact)
    return "--at " + " ".join(f"{float(x):.6g}" for x in t.exact_place)


def _one(t: "Tradeoff", kind: str, quantile: float | None, asked: "Prepared | None") -> str:
    from .._report import render, to_json

    if kind == "json":
        return to_json(document(t, quantile) | {"prepared": asked and asked.document()})
    table = t.compare(quantile)
    if kind == "csv":
        return table.to_csv()
    table = _readable(table, t)
    return render(table, kind, title=t.summary(), right=set(table.columns[1:]), width=width())


def _readable(table: "Table", t: "Tradeoff") -> "Table":
    from ..results import Table
    from ..texts import percent

    columns: dict[str, Any] = {"rank by": table["score"]}
    if t.segment.is_f_beta:
        columns["β"] = [_number(x) for x in table["beta"]]
    else:
        columns |= {"a": [_number(x) for x in table["a"]], "b": [_number(x) for x in table["b"]]}
    first, second = t.ends
    columns[f"τ with {first}"] = [_number(x) for x in table["tau_first"]]
    columns[f"τ with {second}"] = [_number(x) for x in table["tau_second"]]
    columns["degree of optimality"] = ["" if isnan(x) else percent(x) for x in table["optimality"]]
    return Table(columns)


def _number(x: float) -> str:
    return "∞" if x == inf else "" if isnan(x) else f"{x:.3f}" if x >= 0.1 or x <= 0 else f"{x:.3g}"


def document(t: "Tradeoff", quantile: float | None) -> dict[str, Any]:
    """Return the answer as one JSON document; ∞, which JSON lacks, is the text "inf"."""
    from .._tradeoff.summary import figures

    table = t.compare(quantile)
    return {
        "schema": "rankscape/tradeoff/1",
        **{name: _told(value) for name, value in figures(t).items()},
        "first_and_last_swap": [_told(beta) for beta in t.first_and_last_swap],
        "scores": [dict(zip(table.columns, map(_told, line), strict=True)) for line in table.rows()],
        "notes": t.notes,
    }


def _told(value: Any) -> Any:
    return "inf" if value == inf else value


def _many(ts: "Tradeoffs", kind: str, quantile: float | None, shift_prior: Fraction | None) -> str:
    from .._report import render, to_json
    from ..results import Table
    from ..texts import percent

    table = ts.table()
    columns = {name: table[name] for name in table.columns}
    if quantile is not None:
        columns[f"beta_at_{quantile:g}"] = [t.quantile(quantile) for t in ts.values()]
    if kind == "csv":
        return Table(columns).to_csv()
    if kind == "json":
        rows = [dict(zip(columns, map(_told, line), strict=True)) for line in zip(*columns.values(), strict=True)]
        prior = None if shift_prior is None else float(shift_prior)
        return to_json({"schema": "rankscape/tradeoffs/1", "shift_prior": prior, "domains": rows})
    segment = ts.any.segment
    shown = {
        "domain": [label(name) for name in columns["domain"]],
        "entities": columns["entities"],
        "τ of the ends": [_number(x) for x in columns["tau_ends"]],
    }
    if segment.is_f_beta:
        shown["optimal β"] = [_number(x) for x in columns["beta"]]
        shown["optimality of F1"] = ["" if isnan(x) else percent(x) for x in columns["optimality_of_1"]]
        shown["heuristic β"] = [_number(x) for x in columns["heuristic_beta"]]
        shown["its optimality"] = ["" if isnan(x) else percent(x) for x in columns["optimality_of_heuristic"]]
        if quantile is not None:
            shown[f"β at {quantile:g}"] = [_number(x) for x in columns[f"beta_at_{quantile:g}"]]
    else:
        shown |= {f"optimal {name}": [_number(x) for x in columns[name]] for name in ("a", "b")}
        if quantile is not None:
            places = [t.place_of(t.quantile(quantile)) for t in ts.values()]
            shown |= {f"{name} at {quantile:g}": [_number(p[k]) for p in places] for k, name in enumerate("ab")}
    summary = "" if shift_prior is None else _each_shifted(shift_prior)
    right = set(list(shown)[1:])
    return render(Table(shown), kind, title=_said(ts), summary=summary, right=right, width=width())


def _said(ts: "Tradeoffs") -> str:
    one = ts.any
    text = f"The optimal trade-off between {one.ends[0]} and {one.ends[1]} on {counted(len(ts), 'domain')}"
    betas = [t.beta for t in ts.values() if t.n_discordant]
    if not betas:
        return f"{text}: nowhere do they order a pair differently"
    if not one.segment.is_f_beta:
        return text
    if len(betas) == 1:
        return f"{text}: β = {betas[0]:.3g}" + (" where they order a pair differently" if len(ts) > 1 else "")
    inside = sum(0.5 <= beta <= 2 for beta in betas)
    return f"{text}: β from {min(betas):.3g} to {max(betas):.3g}, between ½ and 2 on {inside} of {len(betas)}"

"""``rankscape tradeoff``: the optimal F_β for ranking, and what lies between any two scores."""

import shlex
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import inf, isnan
from pathlib import Path
from typing import Any

import click

from .._report import records, render, to_json
from .._tradeoff import Tradeoff, Tradeoffs, tradeoff, tradeoffs
from ..domains import Prepared
from ..outcomes import at
from ..outputs import FIGURES
from ..results import Table
from ..texts import counted, label, percent
from ..typing import Missing
from .base import chosen_format, example, format_option, number, output_option, show, single, width
from .endings import Refusal
from .figures import FigureLook, figure_options, write_figure
from .reading import Given, Reading, accounted, file_argument, performances, reading_options
from .summaries import note, prepared, summary_options

MOST_DIGITS = 20
"""Characters of a fraction that the hint prints exactly."""


@click.command("tradeoff", cls=Reading, epilog=example("rankscape tradeoff results.csv --quantile 0.8"))
@file_argument()
@click.option(
    "--ends", nargs=2, default=("ppv", "tpr"), metavar="A B", help="Two scores, or places a,b; by default ppv tpr."
)
@click.option("--quantile", type=click.FloatRange(0, 1), metavar="Q", help="Share of the way to the second end.")
@single("--domain", metavar="NAME", help="One domain; otherwise averaged.")
@click.option("--by-domain", is_flag=True, help="One trade-off per domain, as a table.")
@click.option("--distinct", is_flag=True, help="Count models that are equal between the ends once.")
@summary_options()
@figure_options
@format_option
@output_option("File to write: a figure (png, svg, pdf), or csv, json, tex, md, txt.")
@reading_options
def command(
    file: Given,
    ends: tuple[Any, Any],
    quantile: float | None,
    domain: str | None,
    by_domain: bool,
    distinct: bool,
    given: Any,
    missing: Missing,
    shift_prior: Fraction | None,
    format_: str | None,
    output: Path | None,
    look: FigureLook,
    **reading: Any,
) -> None:
    """Find the best F_β for ranking, and say how good F1 is.

    The output gives the optimal trade-off between precision (PPV) and recall (TPR), or between any two scores on a
    line of the Tile. FILE is a table as for `rankscape rank`. Of all F_β, the best one for ranking is as far from the
    ranking by precision as from the ranking by recall. Take the pairs of models that precision and recall order
    differently: the degree of optimality of another score, such as F1, is the share of them that it orders as the
    optimum does. The heuristic, β² = E[PFP]/E[PFN], and SIVF, β² = negatives / positives, estimate the optimum
    without the swaps.
    """
    ends = (_end(ends[0]), _end(ends[1]))
    if by_domain and domain is not None:
        raise click.UsageError("--by-domain and --domain each say which domains: choose one of them")
    figure = "" if output is None else output.suffix.lower().removeprefix(".")
    if figure in FIGURES and format_ is not None:
        raise click.UsageError(f"--format is for texts, and {output} is a figure: leave one of them out")
    if figure in FIGURES and quantile is not None:
        raise click.UsageError("--quantile is for tables: leave it out for a figure")
    look.refuse_without(figure if figure in FIGURES else None)
    kind = "" if figure in FIGURES else chosen_format(format_, output, FIGURES)
    data = performances(file, domain, **reading)
    preparation = None
    if by_domain:
        if data.domains is None:
            raise Refusal("--by-domain needs a column of domains; name it with --domain-column")
        if (given, missing) != (None, "error"):
            raise click.UsageError("--weights and --missing are about averages, and --by-domain averages nothing")
        shifted = data if shift_prior is None else data.shift_priors(shift_prior)
        result: Tradeoff | Tradeoffs = tradeoffs(shifted, ends, distinct)
    else:
        preparation = prepared(data, given, missing, shift_prior)
        result = tradeoff(preparation.performances, ends, distinct)
        result = replace(result, notes=(*preparation.sentences(), *result.notes))
    if figure in FIGURES and output is not None:
        write_figure(output, lambda **how: result.plot(**how).figure, figure, look, data.names)
    elif isinstance(result, Tradeoffs):
        show(_many(result, kind, quantile, shift_prior), kind, output)
    else:
        same = _same(file, domain=domain, missing=missing if missing != "error" else None, shift_prior=shift_prior)
        hint = f"\nRank by it: rankscape rank {same} {_by(result)}\n" if result.n_discordant else ""
        show(_one(result, kind, quantile, preparation) + (hint if kind == "table" else ""), kind, output)
    if kind in ("", "csv"):
        if preparation is not None:
            note(preparation)
        elif shift_prior is not None:
            click.echo(f"note: {each_shifted(shift_prior)}", err=True)


def _end(text: str) -> Any:
    """Return the importance at a place a,b; the name of a score as it is."""
    parts = text.split(",")
    if len(parts) != 2 or "(" in text:
        return text
    place: list[Any] = [number(part) for part in parts]
    return at(*place)


def _same(file: Given, **options: Any) -> str:
    """Return the arguments that name the data, and how they are prepared."""
    given = click.get_current_context().params["given"]
    weights = ",".join(f"{name}={x}" for name, x in given.items()) if isinstance(given, dict) else given
    options["weights"] = weights
    chosen = ((name.replace("_", "-"), value) for name, value in options.items() if value is not None)
    files = [file] if isinstance(file, str) else file
    return " ".join([*map(shlex.quote, files), *(f"--{name} {shlex.quote(str(value))}" for name, value in chosen)])


def _by(t: Tradeoff) -> str:
    """Return the option of ``rankscape rank`` that stands for the optimum, exactly where fractions are short."""
    exact = [str(x) for x in t.exact_place]
    short = max(map(len, exact)) <= MOST_DIGITS
    return "--at " + " ".join(exact if short else [f"{float(x):.6g}" for x in t.exact_place])


def _one(t: Tradeoff, kind: str, quantile: float | None, preparation: Prepared | None) -> str:
    if kind == "json":
        whole = document(t, quantile) | {"prepared": preparation and preparation.document()}
        return to_json(accounted(whole))
    table = t.compare(quantile)
    if kind == "csv":
        return table.to_csv()
    table = _readable(table, t)
    return render(table, kind, title=t.summary(), right=set(table.columns[1:]), width=width())


def _readable(table: Table, t: Tradeoff) -> Table:
    columns: dict[str, Any] = {"rank by": table["score"]}
    if t.segment.is_f_beta:
        columns["β"] = _numbers(table["beta"])
    else:
        columns |= {"a": _numbers(table["a"]), "b": _numbers(table["b"])}
    first, second = t.ends
    columns[f"τ with {first}"] = _numbers(table["tau_first"])
    columns[f"τ with {second}"] = _numbers(table["tau_second"])
    columns["degree of optimality"] = _percents(table["optimality"])
    return Table(columns)


def _numbers(values: Iterable[float]) -> list[str]:
    return ["∞" if x == inf else "" if isnan(x) else f"{x:.3f}" if x >= 0.1 or x <= 0 else f"{x:.3g}" for x in values]


def _percents(shares: Iterable[float]) -> list[str]:
    return ["" if isnan(x) else percent(x) for x in shares]


def document(t: Tradeoff, quantile: float | None) -> dict[str, Any]:
    """Return the answer as one JSON document; ∞, which JSON lacks, is the text "inf"."""
    return {
        "schema": "rankscape/tradeoff/1",
        **_json_rows(t.table())[0],
        "first_and_last_swap": [_json_number(beta) for beta in t.first_and_last_swap],
        "scores": _json_rows(t.compare(quantile)),
        "notes": t.notes,
    }


def _json_number(value: Any) -> Any:
    return "inf" if value == inf else value


def _json_rows(table: Table) -> list[dict[str, Any]]:
    return [{name: _json_number(value) for name, value in row.items()} for row in records(table)]


def _many(ts: Tradeoffs, kind: str, quantile: float | None, shift_prior: Fraction | None) -> str:
    table = ts.table()
    columns = {name: table[name] for name in table.columns}
    if quantile is not None:
        columns[f"beta_at_{quantile:g}"] = [t.quantile(quantile) for t in ts.values()]
    if kind == "csv":
        return Table(columns).to_csv()
    if kind == "json":
        prior = None if shift_prior is None else float(shift_prior)
        rows = _json_rows(Table(columns))
        return to_json(accounted({"schema": "rankscape/tradeoffs/1", "shift_prior": prior, "domains": rows}))
    segment = ts.any.segment
    columns_read = {
        "domain": [label(name) for name in columns["domain"]],
        "entities": columns["entities"],
        "τ of the ends": _numbers(columns["tau_ends"]),
    }
    if segment.is_f_beta:
        columns_read["optimal β"] = _numbers(columns["beta"])
        columns_read["optimality of F1"] = _percents(columns["optimality_of_1"])
        columns_read["heuristic β"] = _numbers(columns["heuristic_beta"])
        columns_read["its optimality"] = _percents(columns["optimality_of_heuristic"])
        if quantile is not None:
            columns_read[f"β at {quantile:g}"] = _numbers(columns[f"beta_at_{quantile:g}"])
    else:
        columns_read |= {f"optimal {name}": _numbers(columns[name]) for name in ("a", "b")}
        if quantile is not None:
            places = [t.place_of(t.quantile(quantile)) for t in ts.values()]
            columns_read |= {f"{name} at {quantile:g}": _numbers(p[k] for p in places) for k, name in enumerate("ab")}
    summary = "" if shift_prior is None else each_shifted(shift_prior)
    right = set(list(columns_read)[1:])
    return render(Table(columns_read), kind, title=title_of_tradeoffs(ts), summary=summary, right=right, width=width())


def title_of_tradeoffs(tradeoffs: Tradeoffs) -> str:
    """Say between which optimal F_β the domains lie."""
    one = tradeoffs.any
    text = f"The optimal trade-off between {one.ends[0]} and {one.ends[1]} on {counted(len(tradeoffs), 'domain')}"
    betas = [tradeoff.beta for tradeoff in tradeoffs.values() if tradeoff.n_discordant]
    if not betas:
        return f"{text}: nowhere do they order a pair differently"
    if not one.segment.is_f_beta:
        return text
    if len(betas) == 1:
        return f"{text}: β = {betas[0]:.3g}" + (" where they order a pair differently" if len(tradeoffs) > 1 else "")
    inside = sum(0.5 <= beta <= 2 for beta in betas)
    return f"{text}: β from {min(betas):.3g} to {max(betas):.3g}, between ½ and 2 on {inside} of {len(betas)}"


def each_shifted(shift_prior: Fraction) -> str:
    """Say that the domains are shifted, each on its own."""
    return f"Nothing is averaged: every domain is shifted to the prior (share of positives) {float(shift_prior):.4g}"

"""``rankscape tradeoff``: the optimal F_β for ranking, and what lies between any two scores."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf, isnan
from typing import Any

import click

import rankscape as rs

from .. import _report
from ..domains import Prepared, prepare
from ..outcomes import at
from ..results import Table
from ..texts import counted, label, percent
from .base import Output, example, note, output_options, refuse
from .endings import Refusal
from .preference import preferred
from .reading import Given, Reading, domain_option, file_argument, performances, reading_options
from .summaries import summary_options

MOST_DIGITS = 20
"""Characters of a fraction that the hint prints exactly."""


@click.command("tradeoff", cls=Reading, epilog=example("rankscape tradeoff results.csv --quantile 0.8"))
@file_argument()
@click.option(
    "--ends", nargs=2, type=preferred, default=("ppv", "tpr"), metavar="A B",
    help="Two scores, or places a,b; by default ppv tpr.",
)  # fmt: skip
@click.option("--quantile", type=click.FloatRange(0, 1), metavar="Q", help="Share of the way to the second end.")
@click.option("--by-domain", is_flag=True, help="One trade-off per domain, as a table.")
@summary_options()
@output_options(" Or a figure: png, svg or pdf.", figures=True)
@reading_options(domain_option)
def command(
    file: Given, ends: tuple[Any, Any], quantile: float | None, by_domain: bool, average: dict[str, Any], out: Output,
    reading: dict[str, Any],
) -> None:  # fmt: skip
    """Find the best F_β for ranking, and say how good F1 is.

    The output gives the optimal trade-off between precision (PPV) and recall (TPR), or between any two scores on a
    line of the Tile. FILE is a table as for `rankscape rank`. Of all F_β, the best one for ranking is as far from the
    ranking by precision as from the ranking by recall. Take the pairs of models that precision and recall order
    differently: the degree of optimality of another score, such as F1, is the share of them that it orders as the
    optimum does. The heuristic, β² = E[PFP]/E[PFN], and SIVF, β² = negatives / positives, estimate the optimum
    without the swaps.
    """
    first, second = (at(*end) if isinstance(end, tuple) else end for end in ends)
    if out.is_figure:
        refuse(("quantile",), "is for tables: leave it out for a figure")
    if by_domain:
        refuse(("domain",), "and --by-domain each say which domains: choose one of them")
        refuse(("weights", "missing"), "is about averages, and --by-domain averages nothing")
    data = performances(file, reading)
    if by_domain:
        _by_domain(data, (first, second), quantile, average["shift_prior"], out)
        return
    preparation = prepare(data, **average)
    result = rs.tradeoff(preparation.performances, (first, second))
    result = replace(result, notes=(*preparation.sentences(), *result.notes))
    if out.is_figure:
        out.draw(result.plot)
        note(preparation.sentences())
        return
    hint = ""
    if result.n_discordant:
        hint = f"Rank by it: rankscape rank {_same(file, average, reading['domain'])} {_by(result)}"
    out.answer(
        lambda: _document(result, quantile, preparation),
        lambda: result.compare(quantile),
        lambda: _read(result, quantile),
        preparation.sentences(),
        hint,
    )


def _by_domain(data: rs.Performances, ends: Any, quantile: float | None, prior: Any, out: Output) -> None:
    """Show the trade-off on each domain."""
    if data.domains is None:
        raise Refusal("--by-domain needs a column of domains; name it with --domain-column")
    several, shift, notes = rs.tradeoffs(data, ends), None, list[str]()
    if prior is not None:
        several, shift = rs.tradeoffs(data.shift_priors(prior), ends), float(prior)
        notes = [f"Nothing is averaged: every domain is shifted to the prior (share of positives) {shift:.4g}"]
    if out.is_figure:
        out.draw(several.plot)
        note(notes)
        return
    out.answer(
        lambda: {
            "schema": "rankscape/tradeoffs/1", "shift_prior": shift, "domains": _json_rows(_rows(several, quantile)),
        },
        lambda: _rows(several, quantile),
        lambda: {**_read_many(several, quantile), "summary": "\n".join(notes)},
        notes,
    )  # fmt: skip


def _same(file: Given, average: Mapping[str, Any], domain: str | None) -> str:
    """Return the arguments that name the data, and how they are prepared."""
    weights, missing = average["weights"], average["missing"]
    if isinstance(weights, dict):
        weights = ",".join(f"{name}={x}" for name, x in weights.items())
    options = {"domain": domain, "missing": None if missing == "error" else missing}
    options |= {"shift-prior": average["shift_prior"], "weights": weights}
    chosen = (f"--{name} {shlex.quote(str(value))}" for name, value in options.items() if value is not None)
    return " ".join([*map(shlex.quote, [file] if isinstance(file, str) else file), *chosen])


def _by(t: rs.Tradeoff) -> str:
    """Return the option of ``rankscape rank`` that stands for the optimum, exactly where fractions are short."""
    exact = [str(x) for x in t.exact_place]
    short = max(map(len, exact)) <= MOST_DIGITS
    return "--by " + ",".join(exact if short else [f"{float(x):.6g}" for x in t.exact_place])


def _document(t: rs.Tradeoff, quantile: float | None, preparation: Prepared) -> dict[str, Any]:
    """Return the answer as one JSON document; ∞, which JSON lacks, is the text "inf"."""
    return {
        "schema": "rankscape/tradeoff/1",
        **_json_rows(t.table())[0],
        "first_and_last_swap": [_json_number(beta) for beta in t.first_and_last_swap],
        "scores": _json_rows(t.compare(quantile)),
        "notes": t.notes,
        "prepared": preparation.document(),
    }


def _json_number(value: Any) -> Any:
    return "inf" if value == inf else value


def _json_rows(table: Table) -> list[dict[str, Any]]:
    return [{name: _json_number(value) for name, value in row.items()} for row in _report.records(table)]


def _read(t: rs.Tradeoff, quantile: float | None) -> dict[str, Any]:
    """Return the answer as it is read."""
    table, (first, second) = t.compare(quantile), t.ends
    places = {"β": "beta"} if t.segment.is_f_beta else {"a": "a", "b": "b"}
    numbers = places | {f"τ with {first}": "tau_first", f"τ with {second}": "tau_second"}
    columns = {"rank by": table["score"]} | {name: _numbers(table[column]) for name, column in numbers.items()}
    columns["degree of optimality"] = _percents(table["optimality"])
    return {"table": Table(columns), "title": t.summary(), "right": [*columns][1:]}


def _numbers(values: Iterable[float]) -> list[str]:
    return ["∞" if x == inf else "" if isnan(x) else f"{x:.3f}" if x >= 0.1 or x <= 0 else f"{x:.3g}" for x in values]


def _percents(shares: Iterable[float]) -> list[str]:
    return ["" if isnan(x) else percent(x) for x in shares]


# One trade-off per domain


def _rows(ts: Any, quantile: float | None) -> Table:
    """Return one row per domain, with the quantile that was asked for."""
    table = ts.table()
    columns = {name: table[name] for name in table.columns}
    if quantile is not None:
        columns[f"beta_at_{quantile:g}"] = [t.quantile(quantile) for t in ts.values()]
    return Table(columns)


def _read_many(ts: Any, quantile: float | None) -> dict[str, Any]:
    """Return the answers as they are read."""
    columns = _rows(ts, quantile)
    read = {
        "domain": [label(name) for name in columns["domain"]],
        "entities": columns["entities"],
        "τ of the ends": _numbers(columns["tau_ends"]),
    }
    if ts.any.segment.is_f_beta:
        read |= {
            "optimal β": _numbers(columns["beta"]),
            "optimality of F1": _percents(columns["optimality_of_1"]),
            "heuristic β": _numbers(columns["heuristic_beta"]),
            "its optimality": _percents(columns["optimality_of_heuristic"]),
        }
        if quantile is not None:
            read[f"β at {quantile:g}"] = _numbers(columns[f"beta_at_{quantile:g}"])
    else:
        read |= {f"optimal {name}": _numbers(columns[name]) for name in ("a", "b")}
        if quantile is not None:
            places = [t.place_of(t.quantile(quantile)) for t in ts.values()]
            read |= {f"{name} at {quantile:g}": _numbers(p[k] for p in places) for k, name in enumerate("ab")}
    return {"table": Table(read), "title": _title(ts), "right": [*read][1:]}


def _title(ts: Any) -> str:
    """Say between which optimal F_β the domains lie."""
    one = ts.any
    text = f"The optimal trade-off between {one.ends[0]} and {one.ends[1]} on {counted(len(ts), 'domain')}"
    betas = [tradeoff.beta for tradeoff in ts.values() if tradeoff.n_discordant]
    if not betas:
        return f"{text}: nowhere do they order a pair differently"
    if not one.segment.is_f_beta:
        return text
    if len(betas) == 1:
        return f"{text}: β = {betas[0]:.3g}" + (" where they order a pair differently" if len(ts) > 1 else "")
    inside = sum(0.5 <= beta <= 2 for beta in betas)
    return f"{text}: β from {min(betas):.3g} to {max(betas):.3g}, between ½ and 2 on {inside} of {len(betas)}"

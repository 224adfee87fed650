"""``rankscape tradeoff``: the optimal F_β for ranking, and what lies between any two scores."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import click

import rankscape as rs

from .. import _report
from ..domains import Prepared, prepare
from ..outcomes import at
from ..results import Table
from .base import Output, example, note, output_options, refuse
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
@summary_options()
@output_options(" Or a figure: png, svg or pdf.", figures=True)
@reading_options(domain_option)
def command(
    file: Given, ends: tuple[Any, Any], quantile: float | None, average: dict[str, Any], out: Output,
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
    preparation = prepare(performances(file, reading), **average)
    result = rs.tradeoff(preparation.performances, (first, second))
    result = replace(result, notes=(*preparation.sentences(), *result.notes))
    if out.is_figure:
        out.draw(result.plot)
        note(preparation.sentences())
        return
    hint = ""
    if result.n_discordant:
        hint = f"Rank by the optimum: rankscape rank, with the same options and {_by(result)}"
    table = _report.answers.compared(result, quantile)
    out.answer(
        lambda: _document(result, quantile, preparation),
        lambda: result.compare(quantile),
        lambda: {"table": table, "title": result.summary(), "right": table.columns[1:]},
        preparation.sentences(),
        hint,
    )


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

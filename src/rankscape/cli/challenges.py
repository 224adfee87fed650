"""Rankings of challenges beside ours, as ``rank --other-methods`` prints them."""

from __future__ import annotations

from typing import Any

import click

from .._report import decimals
from ..domains.case_rankings import CaseRankings, case_rankings
from ..performances import Performances
from ..results import Table
from ..tasks.pairs import Pairs
from ..texts import label
from .base import Output, refuse

CAUTION = (
    "Compare these with ours, but rank by ours: ranks of cases, and numbers of tests won, can swap two models when a "
    "third one joins"
)
IDLE = {
    "by": "the other methods rank by right answers, or grades",
    "costs": "the other methods rank by right answers, or grades",
    "shift_prior": "right answers, and grades, have no prior",
    "missing": "they need every model on every case",
}
"""Options that have nothing to do here, and why."""


def other_methods(data: Performances | Pairs | None, weights: Any, sure: bool, out: Output) -> None:
    """Show the table of the other ways to rank; they have no preference to choose."""
    if data is None:
        raise click.UsageError("--other-methods ranks each case, and FILE has printed rates")
    if sure or out.kind == "json":
        raise click.UsageError(
            "--other-methods prints tables of ranks alone: leave out --uncertainty, figures and json"
        )
    if isinstance(data, Pairs):
        raise click.UsageError("--other-methods ranks right answers, or grades: regressors have errors")
    for name, why in IDLE.items():
        refuse((name,), f"would change nothing: {why}")
    rankings = case_rankings(data, weights)
    prose = {"title": rankings.heading, "summary": "\n".join((*rankings.sentences(), CAUTION))}
    out.answer(dict, rankings.table, lambda: {"table": _readable(rankings), **prose})


def _readable(rankings: CaseRankings) -> Table:
    """Return the ranks as they are read: those over all domains, the best of ours first."""
    ours = next(iter(rankings.overall.values()))
    order = sorted(range(len(rankings.names)), key=lambda i: (ours[i], rankings.names[i]))
    columns: dict[str, list[str]] = {"model": [label(rankings.names[i]) for i in order]}
    if len(rankings.domains) < 2:
        columns["value"] = decimals([float(rankings.values[0][i]) for i in order])
    columns |= {way: [f"{ranks[i]:g}" for i in order] for way, ranks in rankings.overall.items()}
    return Table(columns)

"""Rankings of challenges beside ours, as ``rank --other-methods`` prints them."""

from __future__ import annotations

from typing import Any

import click

from .._report import decimals, render
from ..domains.case_rankings import CaseRankings, case_rankings
from ..performances import Performances
from ..results import Table
from ..texts import label

CAUTION = (
    "Compare these with ours, but rank by ours: ranks of cases, and numbers of tests won, can swap two models when a "
    "third one joins"
)


def other_methods(data: Performances, ways: dict[str, Any], weights: Any, format_: str, width: int) -> str:
    """Return the table of the other ways to rank; they have no preference to choose."""
    params = click.get_current_context().params
    idle = {name: "the other methods rank by right answers, or grades" for name, way in ways.items() if way is not None}
    idle |= {"shift-prior": "right answers, and grades, have no prior"} if params["shift_prior"] is not None else {}
    idle |= {"missing": "they need every model on every case"} if params["missing"] != "error" else {}
    idle |= {"ties": "tied models get the smallest rank"} if params["ties"] != "min" else {}
    for name, why in idle.items():
        raise click.UsageError(f"--{name} would change nothing: {why}")
    rankings = case_rankings(data, weights)
    if format_ == "csv":
        return rankings.table().to_csv()
    return render(_readable(rankings), format_, title=rankings.heading, summary="\n".join(
        (*rankings.sentences(), CAUTION)), width=width)  # fmt: skip


def _readable(rankings: CaseRankings) -> Table:
    """Return the ranks as they are read: those over all domains, the best of ours first."""
    ours, *others = rankings.overall.values()
    order = sorted(range(len(rankings.names)), key=lambda i: (ours[i], rankings.names[i]))
    columns: dict[str, list[str]] = {"model": [label(rankings.names[i]) for i in order]}
    if len(rankings.domains) < 2:
        columns["value"] = decimals([float(rankings.values[0][i]) for i in order])
    for way, ranks in zip(rankings.overall, (ours, *others), strict=True):
        columns[way] = [f"{ranks[i]:g}" for i in order]
    return Table(columns)

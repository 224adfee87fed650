"""``rankscape audit``: whether a score may be used to rank."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, get_args

import click

import rankscape as rs

from ..texts import visible
from ..typing import Direction
from .base import Output, example, note, output_options
from .endings import FINDING, UNDECIDED
from .locate import OUTCOMES, share_options, whole
from .preference import preference, preferred


@click.command("audit", epilog=example('rankscape audit "2*tp/(2*tp+fp+fn)" --prior 0.2'))
@click.argument("what", metavar="SCORE|EXPRESSION|IMPORTANCES")
@share_options(
    "Audit on performances with this share of positives only.",
    "Audit on those with this share of positive predictions only.",
)
@click.option("--direction", type=click.Choice(get_args(Direction)), help="What is better; by default the score's own.")
@click.option(
    "--correlation",
    type=click.Choice(["kendall", "none"]),
    default="kendall",
    help="The correlation with ranking scores.",
)
@output_options()
def command(
    what: str, prior: Fraction | None, prediction_rate: Fraction | None, direction: Direction | None, correlation: str,
    out: Output,
) -> None:  # fmt: skip
    """Say whether a score may be used to rank.

    Give its name, an expression of tn, fp, fn, tp, four importances (not counts) in this order, such as 1,1,5,5,
    or a place on the Tile, such as 1,0.5.
    In Python, rs.audit also takes a function of Performances P; the columns of P.mass are tn, fp, fn, tp.

    The answer is a proof, a counterexample to be checked by hand, or that a search found none.
    The exit status is 0 where the score is proved to be sound, 1 where it is refuted, 4 where neither is known; 1, too,
    where it is sound only if the other direction is better, which the answer then says.
    """
    if re.fullmatch(r"[^a-z=()|,]*(,[^a-z=()|,]*){3}", what, re.IGNORECASE):
        note([f"{visible(what)} are taken as importances of tn, fp, fn, tp, not as counts"])
    score = preference(by=preferred(what))
    verdict = rs.audit(
        score, prior, prediction_rate, direction=direction, statistic="kendall" if correlation == "kendall" else None
    )
    if out.kind == "table":
        out.show(f"{verdict!r}\n")
    else:
        read = {"table": verdict.table(), "title": verdict.heading}
        out.answer(lambda: _document(verdict), verdict.table, lambda: read)
    status = {"proved": 0, "refuted": FINDING, "not refuted": UNDECIDED}[verdict.status]
    if status:
        raise click.exceptions.Exit(status)


def _document(verdict: rs.Audit) -> dict[str, Any]:
    weights = None if verdict.importance is None else whole(verdict.importance)
    correlation = {
        "statistic": verdict.statistic,
        "performances": verdict.n,
        "lattice": verdict.lattice,
        "least": {"value": verdict.tau_min, "at": verdict.at_min},
        "largest": {"value": verdict.tau_max, "at": verdict.at_max},
    }
    return {
        "schema": "rankscape/audit/1",
        "score": verdict.score.name,
        "on": verdict.among.description,
        "better": verdict.better,
        "verdict": verdict.status,
        "sound_if": verdict.sound_if,
        "tests": {
            name: {
                "status": finding.status,
                "how": finding.how,
                "counterexample": finding.counterexample and _example(*finding.counterexample),
                "shown": finding.evidence or None,
            }
            for name, finding in verdict.findings.items()
        },
        "importance": None if weights is None else dict(zip(OUTCOMES, weights, strict=True)),
        "correlation": correlation if verdict.statistic else None,
        "closest": verdict.closest,
    }


def _example(first: Any, second: Any, weight: Any) -> dict[str, Any]:
    return {"p1": first, "p2": second, "weight": None if weight is None else str(weight)}

"""``rankscape audit``: whether a score may be used to rank."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import click

from .._report import render, to_json
from ..outputs import FIGURES
from ..results import Table
from ..soundness import Audit, audit
from ..soundness.table import SCORES, SETS, audit_all, side_by_side, table_1
from ..texts import visible
from ..typing import Correlation, Direction
from .base import (
    Spelled,
    chosen_format,
    example,
    figure_kind,
    prediction_rate_option,
    prior_option,
    progress,
    show,
    text_options,
)
from .endings import FINDING, UNDECIDED
from .figures import FigureLook, figure_options, write_figure
from .locate import OUTCOMES, named_score, whole

CORRELATIONS: dict[str, Correlation | None] = {"kendall": "kendall", "spearman": "spearman", "none": None}


@click.command("audit", epilog=example('rankscape audit "2*tp/(2*tp+fp+fn)" --prior 0.2'))
@click.argument("what", metavar="[SCORE|EXPRESSION|IMPORTANCES]", required=False)
@prior_option("Audit on performances with this share of positives only.")
@prediction_rate_option("Audit on those with this share of positive predictions only.")
@click.option("--direction", type=Spelled(get_args(Direction)), help="What is better; by default the score's own.")
@click.option(
    "--correlation", type=Spelled(list(CORRELATIONS)), default="kendall", help="The correlation with ranking scores."
)
@click.option("--all", "everything", is_flag=True, help="Audit 27 scores: Table 1 of the foundations paper.")
@figure_options
@text_options(" Or a figure, png, svg or pdf: the counterexample, or the place on the Tile.")
def command(
    what: str | None,
    prior: Fraction | None,
    prediction_rate: Fraction | None,
    direction: Direction | None,
    correlation: str,
    everything: bool,
    format_: str | None,
    output: Path | None,
    look: FigureLook,
) -> None:
    """Say whether a score may be used to rank.

    Give its name, an expression of tn, fp, fn, tp, or four importances (not counts) in this order, such as 1,1,5,5.
    In Python, rs.audit also takes a function of Performances P; the columns of P.mass are tn, fp, fn, tp.

    The answer is a proof, a counterexample to be checked by hand, or that a search found none.
    The exit status is 0 where the score is proved to be sound, 1 where it is refuted, 4 where neither is known; 1, too,
    where it is sound only if the other direction is better, which the answer then says.
    """
    figure = figure_kind(format_, output)
    look.refuse_without(figure)
    format_ = figure or chosen_format(format_, output, FIGURES)
    if everything:
        if what is not None or prior is not None or prediction_rate is not None or correlation != "kendall":
            raise click.UsageError(
                "--all takes no score, prior or correlation: its scores and sets (all performances, the priors 0.2 and "
                "0.5) are those of the printed table; audit one score for another prior"
            )
        if figure:
            raise click.UsageError(f"--all is a table, and {output} is a figure: audit one score for a figure")
        if direction == "smaller":
            raise click.UsageError("--all takes the scores' own directions, or --direction larger as it is printed")
        show(_table(format_, direction), format_, output)
        return
    if what is None:
        raise click.UsageError("name a score, such as rankscape audit mcc, or ask for all with --all")
    if re.fullmatch(r"[^a-z=()|]*,[^a-z=()|]*", what, re.IGNORECASE):
        click.echo(f"note: {visible(what)} are taken as importances of tn, fp, fn, tp, not as counts", err=True)
    by, statistic = named_score(what), CORRELATIONS[correlation]
    verdict = audit(by, prior, prediction_rate, direction=direction, statistic=statistic)
    if figure and output is not None:
        write_figure(output, lambda **how: verdict.plot(**how).figure, figure, look, ())
        click.echo(f"{verdict.heading}")
    else:
        show(_rendered(verdict, format_), format_, output)
    status = {"proved": 0, "refuted": FINDING, "not refuted": UNDECIDED}[verdict.status]
    if status:
        raise click.exceptions.Exit(status)


def _rendered(verdict: Audit, format_: str) -> str:
    if format_ == "json":
        weights = None if verdict.importance is None else whole(verdict.importance)
        return to_json(
            {
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
                "correlation": {
                    "statistic": verdict.statistic,
                    "performances": verdict.n,
                    "lattice": verdict.lattice,
                    "least": {"value": verdict.tau_min, "at": verdict.at_min},
                    "largest": {"value": verdict.tau_max, "at": verdict.at_max},
                }
                if verdict.statistic
                else None,
                "closest": verdict.closest,
            }
        )
    if format_ == "table":
        return f"{verdict!r}\n"
    return render(verdict.table(), format_, title=verdict.heading)


def _example(first: Any, second: Any, weight: Any) -> dict[str, Any]:
    return {"p1": first, "p2": second, "weight": None if weight is None else str(weight)}


def _table(format_: str, direction: Direction | None) -> str:
    audits = audit_all(progress=progress(len(SCORES) * len(SETS), "audits"), direction=direction)
    if format_ in ("csv", "json"):
        columns = table_1(audits)
        known = {name: columns[name] for name in columns.columns}
        return render(Table(known | {"better": [audit.better for audit in audits.values()]}), format_)
    table = side_by_side(audits, split=format_ != "table")
    return render(
        table,
        format_,
        title=TITLE_OF_TABLE_1,
        summary=footer_of_table_1(as_printed=direction is not None),
        right=[name for name in table.columns if name.startswith("τ")],
    )


TITLE_OF_TABLE_1 = "Scores of two-class performances: may they be used to rank?"


def footer_of_table_1(as_printed: bool) -> str:
    """Explain the signs, and which direction of a score is better: its own, or that of the printed table."""
    return (
        "Tests: Axiom 2, quasi-convex, quasi-concave. ✓ proved, ○ not refuted, ✗ refuted.\n"
        "τ: the least and the largest with ranking scores. † proved, — a constant.\n"
        + (
            "Larger values are taken as better for all scores, as in Table 1 of the foundations paper; of those "
            "with ↓ smaller values are better, so that τ has the other sign than in an audit of the score alone.\n"
            if as_printed
            else "↓ Smaller is better; tests and τ are those of that direction, as in an audit of the score alone.\n"
            "Table 1 of the foundations paper takes larger values as better for all scores: --direction larger.\n"
        )
        + "τ is sought on lattices: all performances whose probabilities are multiples of 1/32, and for a fixed prior "
        "those whose FPR and TPR are multiples of 1/80. The paper leaves out (1/2, 1/2): some of its extremes "
        "are less."
    )

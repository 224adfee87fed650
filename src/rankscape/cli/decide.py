"""``rankscape decide``: which model to deploy, at which threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from .. import _report, decisions
from .._costs import Costs
from .base import (
    Output,
    costs_option,
    example,
    grouped,
    number_or_by_name,
    one_or_several,
    output_options,
    write,
)
from .reading import case_options, cases_in, encoding_option
from .summaries import draws_option, seed_of, shift_option, weights_option

EXAMPLE = "rankscape decide scores.csv --truth y --score s --entity-column model --costs miss=20"


@click.command("decide", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@grouped(
    "reading",
    case_options("truth", "score", "entity", "domain", "case", "fold", "weight", "pos_label", "unanswered",
                 required=("truth", "score")),
    encoding_option,
)  # fmt: skip
@costs_option
@shift_option
@click.option(
    "--in-use",
    type=number_or_by_name("model", "0.5", "the model in use: old=0.5"),
    metavar="THRESHOLD|MODEL=THRESHOLD",
    help="Threshold, or model and threshold, in use today: it stays unless the new choice is expected to cost no more.",
)
@weights_option
@draws_option(0, ", at least 100; 0 leaves out the intervals")
@seed_of("the folds and of the draws")
@output_options(
    " html writes a page with a figure; png, svg and pdf write the figure.", figures=True, pages=("html", "htm")
)
def command(
    files: tuple[str, ...], reading: dict[str, Any], costs: Costs | None, shift_prior: Fraction | None,
    in_use: Fraction | dict[str, Fraction] | None, weights: Any, draws: int, seed: int, out: Output,
) -> None:  # fmt: skip
    """Decide which model to deploy, at which threshold.

    The output says what the decision costs, what it saves against each alternative, how sure it is, and at which costs
    and which share of positives another model is cheaper.

    FILE holds scores, one row per case (and model), as CSV, JSON or Parquet; you can pass several files. rankscape
    chooses the thresholds and the model inside folds, without the cases on which it judges them, because thresholds
    chosen on all cases look better than they are. The exit status is 0 even if the output says that the decision is
    not certain.
    """
    if costs is None:
        raise click.UsageError("--costs is required: say what each error costs, as in --costs miss=20,false-alarm=1")
    if weights not in (None, "equal") and reading["domain_column"] is None:
        raise click.UsageError("--weights would change nothing: name the column of domains with --domain-column")
    sweeps = cases_in(one_or_several(files), reading).sweep(weights or "equal")
    decision = decisions.decide(sweeps, costs=costs, prior=shift_prior, current=in_use, rng=seed, draws=draws)
    if out.is_figure:
        out.draw(decision.plot)
    elif out.kind in ("html", "htm") and out.path is not None:
        card = _report.decision_card(decision)
        write(out.path, _report.as_html(card, _report.figures_of(card.sections, "svg")).encode())
    elif out.kind == "markdown":
        out.show(_report.as_markdown(_report.decision_card(decision)))
    else:
        schema = {"schema": "rankscape/decide/1"}
        out.answer(lambda: {**schema, **decision.document()}, decision.table, lambda: _read(decision))


def _read(decision: decisions.Decision) -> dict[str, Any]:
    """Return the decision as it is read, on one screen."""
    return {
        "table": _report.alternatives(decision),
        "title": f"{_report.deployed(decision)}\n{_report.stated_cost(decision)}",
        "summary": _report.last_words(decision),
        "right": _report.right_of(decision),
    }

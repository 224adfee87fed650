"""``rankscape decide``: which model to deploy, at which threshold."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .. import _report, decisions
from .._costs import Costs
from ..outputs import FIGURES
from .base import (
    chosen_format,
    costs_option,
    example,
    figure_kind,
    number,
    numbers_by_name,
    one_or_several,
    show,
    text_options,
    width,
    write,
)
from .figures import FigureLook, figure_options, write_figure
from .reading import accounted, case_options, cases_in
from .summaries import shift_option, weights_option

EXAMPLE = "rankscape decide scores.csv --truth y --score s --entity-column model --costs miss=20"
SUFFIXES = (".html", ".htm")


def current(text: str) -> Fraction | dict[str, Fraction]:
    """Return the threshold in use, or the model in use with its own, in ``old=0.5``."""
    return numbers_by_name(text, "model", "0.5, or the model in use: old=0.5") if "=" in text else number(text)


@click.command("decide", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@case_options("truth", "score", "entity", "domain", "case", "fold", "weight", "pos_label", "unanswered",
              required=("truth", "score"))  # fmt: skip
@costs_option
@shift_option
@click.option("--in-use", type=current, metavar="THRESHOLD|MODEL=THRESHOLD", help="Threshold, or model and threshold, "
              "in use today: it stays unless the new choice is expected to cost no more.")  # fmt: skip
@click.option("--folds", type=click.IntRange(3, 10), help="Number of folds to draw, by default 5.")
@weights_option
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Number of draws, at least 100; 0 leaves out the intervals.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of folds and draws.")
@figure_options
@text_options(" html writes a page with a figure; png, svg and pdf write the figure.")
@click.option("--encoding", metavar="NAME", help="Encoding of FILE; by default UTF-8.")
def command(
    files: tuple[str, ...],
    costs: Costs | None,
    shift_prior: Fraction | None,
    in_use: Fraction | dict[str, Fraction] | None,
    folds: int | None,
    given: Any,
    draws: int,
    seed: int,
    format_: str | None,
    output: Path | None,
    look: FigureLook,
    **options: Any,
) -> None:
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
    if given not in (None, "equal") and options["domain_column"] is None:
        raise click.UsageError("--weights would change nothing: name the column of domains with --domain-column")
    figure = figure_kind(format_, output)
    page = format_ is None and output is not None and output.suffix.lower() in SUFFIXES
    look.refuse_without(figure)
    kind = "html" if page else figure or chosen_format(format_, output, FIGURES)
    sweeps = cases_in(one_or_several(files), options).sweep(given or "equal")
    decision = decisions.decide(
        sweeps, costs=costs, prior=shift_prior, current=in_use, folds=folds, rng=seed, draws=draws
    )
    if figure is not None and output is not None:
        write_figure(output, lambda **how: decision.plot(**how).figure, figure, look, decision.models)
    elif page and output is not None:
        card = _report.decision_card(decision)
        write(output, _report.as_html(card, _report.figures_of(card, "svg")).encode())
    else:
        show(text_of(decision, kind), kind, output)


def text_of(decision: decisions.Decision, kind: str) -> str:
    """Return the decision as text: one screen, or data."""
    if kind == "json":
        return _report.to_json(accounted({"schema": "rankscape/decide/1", **decision.document()}))
    if kind == "csv":
        return decision.table().to_csv()
    if kind == "markdown":
        return _report.as_markdown(_report.decision_card(decision))
    title = f"{_report.deployed(decision)}\n{_report.stated_cost(decision)}"
    table, right, summary = _report.alternatives(decision), _report.right_of(decision), _report.last_words(decision)
    return _report.render(table, kind, title=title, summary=summary, right=right, width=width())

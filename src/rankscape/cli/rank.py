"""``rankscape rank``: the leaderboard."""

import warnings
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .. import _report
from .. import uncertainty as rs_uncertainty
from ..account import ONLY_COUNTS
from ..errors import RankscapeWarning
from ..io.headers import PrintedRatesError
from ..outputs import FIGURES
from ..performances import Performances
from ..texts import visible
from ..typing import Ties
from .base import Spelled, chosen_format, example, figure_kind, show, text_options, width
from .figures import FigureLook, figure_options, write_figure
from .preference import preference_options, seen_and_drawn, wanted
from .reading import Files, Given, Reading, file_argument, kept, reading_options, source
from .summaries import POLICIES, draws_asked, draws_options, prepared, summary_options

COLUMNS = (
    "\b\nColumns of csv and json: rank_low and rank_high are the ranks that tied models share; with --uncertainty,\n"
    "low and high are the set of ranks, value_low and value_high the interval of the score."
)


@click.command("rank", cls=Reading, epilog=f"{COLUMNS}\n\n" + example('rankscape rank results.csv --by "fbeta(2)"'))
@file_argument()
@preference_options
@summary_options()
@click.option("--uncertainty", is_flag=True, help="Add sets of ranks, intervals of the score, and P(first).")
@click.option(
    "--differences",
    is_flag=True,
    help="Print the sure differences instead of the leaderboard; needs no --uncertainty.",
)
@click.option(
    "--other-methods",
    is_flag=True,
    help="Print how challenges would rank: by mean and median ranks of the cases, and by tests. FILE must say "
    "which cases the models share.",
)
@draws_options(1)
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Which rank tied models get.")
@figure_options
@text_options(" With --uncertainty or --differences also a figure of them: png, svg or pdf.")
@reading_options
def command(
    file: Given,
    given: Any,
    missing: Any,
    shift_prior: Any,
    ties: Ties,
    uncertainty: bool,
    differences: bool,
    other_methods: bool,
    format_: str | None,
    output: Path | None,
    look: FigureLook,
    **options: Any,
) -> None:
    """Rank the models of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities. `rankscape formats`
    lists what else it may be, such as right or wrong answers, or the files of a benchmark.

    Of printed rates, such as sensitivity and specificity, the ranks get bounds over the rounding. Every column counts;
    where they leave the score open, state the share of positives with --shift-prior, or give n or a prevalence.

    With --truth and --prediction, FILE has predictions, one row per case, which are counted. Several --prediction, or
    --case, say that the cases are the same for all. The draws of --uncertainty and --differences are then paired.
    """
    sure = uncertainty or differences
    drawn = draws_asked(sure, "is about the draws of --uncertainty or --differences: pass one of them, too")
    options = {name: value for name, value in options.items() if name not in drawn}
    figure = figure_kind(format_, output)
    look.refuse_without(figure)
    if figure and not sure:
        raise click.UsageError(f"{output} is a figure, and figures show draws: add --uncertainty or --differences")
    format_ = figure or chosen_format(format_, output, FIGURES if sure else ())
    ranked = not (figure or (differences and format_ != "json"))
    if not ranked and click.get_current_context().get_parameter_source("ties") is not ParameterSource.DEFAULT:
        what = "a figure of the draws" if figure else "the table of sure differences"
        raise click.UsageError(f"--ties would change nothing: {what} has no ranks of tied models")
    ways = wanted(options)
    resample = drawn["resample"]
    given_file = kept(file) if options["truth"] is None else file
    data: Any = None
    with suppress(PrintedRatesError):
        data = source(given_file, sure, resample, drawn["cluster"], **options)
    if data is None and other_methods:
        raise click.UsageError("--other-methods ranks each case, and FILE has printed rates")
    if other_methods and options["truth"] is not None and options["task"] == "regression":
        raise click.UsageError("--other-methods ranks right answers, or grades: regressors have errors")
    if data is None and (figure or differences):
        what = "a figure of the draws" if figure else "--differences"
        raise click.UsageError(
            f"{what} needs counts, but FILE has printed rates: --uncertainty alone prints their sets of ranks"
        )
    if data is None or (_are_printed_rates(data, given_file) and not (figure or differences or other_methods)):
        published = import_module(".published", __package__)  # which few need
        asked = drawn if sure else None
        board = published.published_board(given_file, ways, options, given, missing, shift_prior, ties, asked, data)
        show(board.render(format_, width()), format_, output)
        return
    if other_methods:
        if figure or sure or format_ not in ("table", "csv", "markdown", "latex"):
            raise click.UsageError(
                "--other-methods prints tables of ranks alone: leave out --uncertainty, figures and json"
            )
        challenges = import_module(".challenges", __package__)  # which few need
        show(challenges.other_methods(data, ways, given, format_, width()), format_, output)
        return
    data, draws, score = seen_and_drawn(data, ways, drawn | ({} if sure else {"draws": 0}), given, missing, needed=True)
    # domains are drawn for all entities at once, so that each needs the same ones
    policies = ("error", "complete") if resample == "domains" else tuple(POLICIES)
    preparation = prepared(data, given, missing, shift_prior, policies)
    with warnings.catch_warnings():
        if output is None and format_ not in ("csv", "json"):
            warnings.simplefilter("ignore", RankscapeWarning)  # the text below the table has them
        board = _report.leaderboard(preparation, score, ties)
    if draws is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the commands above have said it
            intervals = rs_uncertainty.rank_intervals(draws, score, level=drawn["level"], shift_prior=shift_prior)
        board = replace(board, intervals=intervals)
        if figure and output is not None:
            chosen = intervals.differences if differences else intervals
            write_figure(output, lambda **how: chosen.plot(**how).figure, figure, look, data.names)
            return
    show(board.render(format_, width(), differences), format_, output)
    if format_ == "csv":
        for note in (*preparation.sentences(), *board.notes_of_ranking, *board.notes_of_draws):
            click.echo(f"note: {visible(note)}", err=True)


def _are_printed_rates(data: Performances, file: Files) -> bool:
    """Tell whether one file had rates, of one domain, in the place of counts: these are ranked as they are printed."""
    account, where = data.account, getattr(file, "where", file)
    known = account is not None and account.source == where and ONLY_COUNTS in account.notes
    return known and data.domains is None

"""``rankscape rank``: the leaderboard."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .._report.figures import content
from .._report.leaderboard import leaderboard
from ..texts import visible
from ..typing import Ties
from ..uncertainty import bootstrap_domains, rank_intervals
from ..uncertainty.resampling import paired_draws
from .base import Spelled, chosen_format, debug_option, example, figure_kind, show, text_options, width, write
from .preference import preference, preference_options, wanted
from .reading import cluster_option, is_paired, paired, performances, reading_options, refuse_idle, refused_options
from .summaries import POLICIES, posterior_option, prepared, spoken_warnings, summary_options

OF_DRAWS = ("draws", "seed", "level", "posterior", "resample", "cluster")
COLUMNS = (
    "\b\nColumns of csv and json: rank_low and rank_high are the ranks that tied entities share; with --uncertainty,\n"
    "low and high are the interval of ranks, value_low and value_high that of the score."
)


@click.command("rank", epilog=f"{COLUMNS}\n\n" + example('rankscape rank results.csv --by "fbeta(2)"'))
@click.argument("file", metavar="FILE|-")
@preference_options
@summary_options()
@click.option("--uncertainty", is_flag=True, help="Show intervals of ranks and P(first): of counts, or of predictions.")
@click.option("--draws", type=click.IntRange(1), default=2000, show_default=True, help="Draws of --uncertainty.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of --uncertainty.")
@click.option(
    "--level",
    type=click.FloatRange(0, 1, True, True),
    default=0.95,
    show_default=True,
    help="How probably the intervals of --uncertainty hold a rank, or a score.",
)
@posterior_option
@cluster_option
@click.option(
    "--resample",
    type=Spelled(["cases", "domains"]),
    help="What is drawn: cases, of predictions on the same ones (the default there), or whole domains; otherwise a "
    "posterior of the counts.",
)
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@text_options(" With --uncertainty also a figure of the intervals: png, svg or pdf.")
@refused_options("--entity", "--score", "--threshold", "--prior")
@reading_options
@debug_option
def command(
    file: str,
    given: Any,
    missing: Any,
    shift_prior: Any,
    ties: Ties,
    uncertainty: bool,
    draws: int,
    seed: int,
    level: float,
    posterior: Any,
    cluster: str | None,
    resample: str | None,
    format_: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Rank the entities of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities; or, with --truth and
    --prediction, predictions, which are counted. Where those are of the same cases (several --prediction, or --case),
    --uncertainty is that of a paired bootstrap.
    """
    figure = figure_kind(format_, output) if uncertainty else None
    format_ = figure or chosen_format(format_, output)
    ways = wanted(options)
    resample = _resampled(resample, uncertainty, options, cluster)
    joint = paired(file, cluster=cluster, **options) if resample == "cases" else None
    data = performances(file, **options) if joint is None else joint.performances
    score = preference(data.space, **ways)
    # domains are resampled for all entities at once, so that each needs the same ones
    policies = ("error", "complete") if resample == "domains" else tuple(POLICIES)
    preparation = prepared(data, given, missing, shift_prior, policies)
    with spoken_warnings():
        board = leaderboard(preparation, score, ties)
    if uncertainty:
        shift: dict[str, Any] = {"level": level, "shift_prior": shift_prior}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the commands above have said it
            if joint is not None:
                intervals = rank_intervals(paired_draws(joint, draws, seed, given), score, **shift)
            elif resample == "domains":
                drawn = bootstrap_domains(data, draws, seed, weights=given, missing=missing)
                intervals = rank_intervals(drawn, score, **shift)
            else:
                how = {"method": posterior, "weights": given, "missing": missing}
                intervals = rank_intervals(data, score, draws, seed, **how, **shift)
        board = replace(board, intervals=intervals)
        if figure and output is not None:
            write(output, content(lambda: intervals.plot().figure, figure))
            return
    read_here = output is None and sys.stdout.isatty()  # where the warning is read too
    show(board.render(format_, cautious=not read_here, width=width()), format_, output)
    if format_ == "csv":
        for note in (*preparation.sentences(), *board.notes_of_ranking):
            click.echo(f"note: {visible(note)}", err=True)


def _resampled(resample: str | None, uncertainty: bool, reading: dict[str, Any], cluster: str | None) -> str | None:
    """Return what is resampled, after checking that it can be, and that nothing was asked for in vain."""
    ctx = click.get_current_context()
    given = [name for name in OF_DRAWS if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if given and not uncertainty:
        raise click.UsageError(f"--{given[0]} is about the draws of --uncertainty: pass that, too")
    resample = resample or ("cases" if uncertainty and is_paired(reading) else None)
    if resample == "cases" and not is_paired(reading):
        way_out = "pass --truth and several --prediction, or one, --entity-column and --case"
        raise click.UsageError(f"--resample cases needs predictions on the same cases: {way_out}")
    if cluster and resample != "cases":
        raise click.UsageError("--cluster needs predictions on the same cases, and resamples those")
    if resample:
        refuse_idle(resample)
    return resample

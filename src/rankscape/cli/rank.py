"""``rankscape rank``: the leaderboard."""

import sys
import warnings
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..report.figures import content
from .base import (
    Spelled,
    chosen_format,
    debug_option,
    example,
    figure_kind,
    format_option,
    output_option,
    performances,
    reading_options,
    refused_options,
    show,
    spoken_warnings,
    width,
    write,
)
from .preference import preference, preference_options
from .summaries import missing_option, prior_option, weights_option

COLUMNS = (
    "\b\nColumns of csv and json: rank_low and rank_high are the ranks that tied entities share; with --uncertainty,\n"
    "low and high are the interval of ranks, value_low and value_high that of the score."
)


@click.command("rank", epilog=f"{COLUMNS}\n\n" + example('rankscape rank results.csv --by "fbeta(2)"'))
@click.argument("file", metavar="FILE|-")
@preference_options
@weights_option
@missing_option("error", "common", "report")
@click.option("--uncertainty", is_flag=True, help="Show intervals of ranks and P(first); FILE must hold counts.")
@click.option("--draws", type=click.IntRange(1), default=2000, show_default=True, help="Draws of --uncertainty.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of --uncertainty.")
@click.option(
    "--level",
    type=click.FloatRange(0, 1, True, True),
    default=0.95,
    show_default=True,
    help="How probably the intervals of --uncertainty hold a rank, or a score.",
)
@prior_option
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@format_option
@output_option(
    "File to write; its suffix (csv, json, tex, md, txt) sets the format. With --uncertainty also a figure of the "
    "intervals: png, svg or pdf."
)
@refused_options("--entity", "--score", "--threshold")
@reading_options
@debug_option
def command(
    file: str,
    by: str | None,
    at: tuple[Fraction, Fraction] | None,
    importance: dict[str, Fraction] | None,
    costs: dict[str, Fraction] | None,
    domain: str | None,
    ties: str,
    uncertainty: bool,
    draws: int,
    seed: int,
    level: float,
    prior: Any,
    given: Any,
    missing: str,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Rank the entities of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities.
    """
    from ..report.leaderboard import leaderboard

    figure = figure_kind(format_, output) if uncertainty else None
    format_ = figure or chosen_format(format_, output)
    score = preference(by=by, at=at, importance=importance, costs=costs)
    data = performances(file, domain, **reading)
    with spoken_warnings():
        board = leaderboard(data, score, ties, given, missing)
    if uncertainty:
        from ..uncertainty import rank_intervals

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # said above
            found = rank_intervals(data, score, draws, seed, level=level, prior=prior, weights=given, missing=missing)
        board = replace(board, intervals=found)
        if figure and output is not None:
            write(output, content(lambda: found.plot().figure, figure))
            return
    if format_ == "csv":
        for note in board.notes:
            click.echo(f"note: {note}", err=True)
    read_here = output is None and sys.stdout.isatty()  # where the warning is read too
    show(board.render(format_, cautious=not read_here, width=width()), format_, output)

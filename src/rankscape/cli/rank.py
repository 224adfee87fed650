"""``rankscape rank``: the leaderboard."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .base import (
    chosen_format,
    debug_option,
    example,
    format_option,
    output_option,
    performances,
    reading_options,
    refused_options,
    show,
    spoken_warnings,
    width,
)
from .preference import preference, preference_options


@click.command("rank", epilog=example('rankscape rank results.csv --by "fbeta(2)"'))
@click.argument("file", metavar="FILE|-")
@preference_options
@click.option("--uncertainty", is_flag=True, help="Show intervals of ranks and P(first); FILE must hold counts.")
@click.option("--draws", type=click.IntRange(1), default=2000, show_default=True, help="Draws of --uncertainty.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of --uncertainty.")
@click.option("--level", type=click.FloatRange(0, 1, True, True), default=0.95, help="Of intervals; by default 0.95.")
@click.option("--ties", type=click.Choice(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
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
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Rank the entities of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities.
    """
    from ..report.leaderboard import leaderboard

    format_ = chosen_format(format_, output)
    score = preference(by=by, at=at, importance=importance, costs=costs)
    data = performances(file, domain, **reading)
    with spoken_warnings():
        board = leaderboard(data, score, ties)
    if uncertainty:
        from ..uncertainty import rank_intervals

        board = replace(board, intervals=rank_intervals(data, score, draws, seed, level=level))
    if format_ == "csv":
        for note in board.notes:
            click.echo(f"note: {note}", err=True)
    read_here = output is None and sys.stdout.isatty()  # where the warning is read too
    show(board.render(format_, cautious=not read_here, width=width()), format_, output)

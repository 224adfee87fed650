"""``rankscape report``: the ranking card."""

from pathlib import Path
from typing import Any

import click

from .._report.card import report
from ..texts import visible
from ..typing import Missing, Ties
from .base import Spelled, debug_option, example
from .preference import preference_options, question
from .reading import reading_options
from .summaries import spoken_warnings, summary_options


@click.command("report", epilog=example("rankscape report results.csv -o report.html"))
@click.argument("file", metavar="FILE|-")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="report.html, .md or .tex.")
@preference_options
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@click.option("--draws", type=click.IntRange(0), default=2000, show_default=True, help="Draws for intervals; 0: none.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws.")
@click.option("--title", metavar="TEXT", help="Title of the page.")
@click.option("--explorer", metavar="NAME", help="Write an explorer, such as explorer.html, beside, and link it.")
@click.option("--no-figures", is_flag=True, help="Write words and tables only.")
@summary_options()
@reading_options
@debug_option
def command(
    file: str,
    output: Path,
    given: Any,
    missing: Missing,
    shift_prior: Any,
    ties: Ties,
    draws: int,
    seed: int,
    title: str | None,
    explorer: str | None,
    no_figures: bool,
    **options: Any,
) -> None:
    """Write the ranking card, for a paper or a review.

    It tells all that a reader must know of a ranking.

    Leaderboard with intervals, question, data, what would change the answer, audit of the score, trade-off, version and
    hash of the data. FILE is that of `rankscape rank`. Figures are part of an HTML page, and files beside the others.
    """
    data, score = question(file, options)
    with spoken_warnings():
        report(
            data, output, score, ties=ties, draws=draws, rng=seed, title=title, figures=not no_figures,
            explorer=explorer, weights=given, missing=missing, shift_prior=shift_prior,
        )  # fmt: skip
    click.echo(f"written to {visible(str(output))}", err=True)

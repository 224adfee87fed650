"""``rankscape report``: the ranking card."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..texts import visible
from .base import Spelled, debug_option, example, spoken_warnings
from .preference import check_preference, preference, preference_options
from .reading import performances, reading_options
from .summaries import missing_option, shift_option, weights_option


@click.command("report", epilog=example("rankscape report results.csv -o report.html"))
@click.argument("file", metavar="FILE|-")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="report.html, .md or .tex.")
@preference_options
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@click.option("--draws", type=click.IntRange(0), default=2000, show_default=True, help="For intervals; 0 for none.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draws.")
@click.option("--title", metavar="TEXT", help="Title of the page.")
@click.option("--explorer", metavar="NAME", help="Write an explorer, such as explorer.html, beside, and link it.")
@click.option("--no-figures", is_flag=True, help="Only words and tables.")
@weights_option
@missing_option()
@shift_option
@reading_options
@debug_option
def command(
    file: str,
    output: Path,
    by: str | None,
    at: Any,
    importance: Any,
    costs: Any,
    domain: str | None,
    ties: str,
    draws: int,
    seed: int,
    title: str | None,
    explorer: str | None,
    no_figures: bool,
    given: Any,
    missing: str,
    shift_prior: Fraction | None,
    **reading: Any,
) -> None:
    """Write the ranking card, for a paper or a review.

    It tells all that a reader must know of a ranking.

    Leaderboard with intervals, question, data, what would change the answer, audit of the score, trade-off, version and
    hash of the data. FILE is that of `rankscape rank`. Figures are part of an HTML page, and files beside the others.
    """
    from .._report import report

    asked = {"by": by, "at": at, "importance": importance, "costs": costs}
    check_preference(reading["truth"] is None, **asked)
    data = performances(file, domain, **reading)
    score = preference(data.space, **asked)
    with spoken_warnings():
        report(
            data, output, score, ties=ties, draws=draws, rng=seed, title=title, figures=not no_figures,
            explorer=explorer, weights=given, missing=missing, shift_prior=shift_prior,
        )  # fmt: skip
    click.echo(f"written to {visible(str(output))}", err=True)

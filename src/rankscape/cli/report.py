"""``rankscape report``: the ranking card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import rankscape as rs

from ..tasks.pairs import Pairs
from ..texts import visible
from .base import example, output_option
from .preference import drawn_or_seen, preference, preference_options
from .reading import (
    NO_DRAWS,
    Given,
    Reading,
    domain_option,
    file_argument,
    reading_options,
    score_option,
    source,
    swept,
)
from .summaries import draws_options, no_draws, summary_options


@click.command("report", cls=Reading, epilog=example("rankscape report results.csv -o report.html"))
@file_argument()
@output_option("File to write: report.html or .md.", required=True)
@preference_options()
@draws_options(0, "; 0 leaves out the sets of ranks")
@click.option("--title", metavar="TEXT", help="Title of the page.")
@click.option("--no-figures", is_flag=True, help="Write text and tables only.")
@summary_options()
@score_option
@reading_options(domain_option)
def command(
    file: Given, output: Path, ways: dict[str, Any], drawn: dict[str, Any], title: str | None,
    no_figures: bool, average: dict[str, Any], score: Any, reading: dict[str, Any],
) -> None:  # fmt: skip
    """Write the ranking card, for a paper or a review.

    The card holds all that a reader must know about a ranking: the leaderboard with sets of ranks, the question, the
    data, what would change the answer, the audit of the score, the trade-off, and the version and hash of the data.
    An HTML page contains its figures; beside Markdown they are files. FILE is a table as for `rankscape rank`.

    With --truth and --score, FILE holds scores, one row per case (and model), and the card compares the models, each at
    its own best thresholds. These are chosen on the same cases, so the card shows no uncertainty.
    """
    how: dict[str, Any] = {"title": title, "figures": not no_figures, "shift_prior": average["shift_prior"]}
    if score is not None or not drawn["draws"]:
        no_draws(drawn, *([NO_DRAWS] if score is not None else []))
    if score is not None:
        rs.report(swept(file, reading, score, average["weights"]), output, preference(**ways), **how)
    else:
        data = source(file, reading, drawn)
        how["level"] = drawn["level"]
        if isinstance(data, Pairs):
            of_draws = {"rng": drawn["seed"], "method": drawn["posterior"]} if drawn["draws"] else {}
            rs.report(data, output, ways["by"], draws=drawn["draws"], **of_draws, **how)
        else:
            what, by, averaged = drawn_or_seen(data, ways, drawn, average)
            rs.report(what, output, by, **how | averaged)
    click.echo(f"written to {visible(str(output))}", err=True)

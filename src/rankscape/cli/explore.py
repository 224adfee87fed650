"""``rankscape explore``: one HTML page of all sound rankings, which opens offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import explorer
from ..domains import prepare
from ..tasks.pairs import Pairs
from .base import example, output_option, write
from .preference import preference, preference_options, seen_and_drawn
from .reading import NO_DRAWS, Given, Reading, called, file_argument, reading_options, score_option, source, swept
from .summaries import draws_options, no_draws, summary_options

POLICIES = ("error", "complete")


@click.command("explore", cls=Reading, epilog=example("rankscape explore results.csv -o explorer.html"))
@file_argument()
@output_option("File to write: html.", default="explorer.html", show_default=True)
@preference_options("Where the page opens; by default f1, or the score of the task")
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@draws_options(0, "; with 0 the page shows no uncertainty")
@summary_options(*POLICIES)
@score_option
@reading_options()
def command(
    file: Given, output: Path, ways: dict[str, Any], title: str | None, drawn: dict[str, Any],
    average: dict[str, Any], score: Any, reading: dict[str, Any],
) -> None:  # fmt: skip
    """Write the explorer: one HTML page to look at all sound rankings.

    The page opens in any browser, without a network. It links the Tile, the leaderboard, ROC and PR space. Where there
    is no Tile, as for right or wrong answers (entity, correct, total), it has the leaderboard, the preference as
    sliders, and the weights of the domains. With --task regression it has the errors, and sliders for how much cases
    matter by their true value.

    With --costs, the page also shows expected costs, and opens where the order is theirs.

    FILE is a table as for `rankscape rank`. The page opens with --weights and --shift-prior, and both can be moved
    there.

    With --truth and --score, FILE holds scores, one row per case (and model), and the page shows which model wins, each
    at its own best threshold. These thresholds are chosen on the same cases, so the page shows no uncertainty.
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"cannot write {str(output)!r}; expected a name that ends with .html")
    points, draws = None, None
    if score is not None:
        no_draws(drawn, NO_DRAWS)
        points = swept(file, reading, score, average["weights"]).winning_points()
        by = preference(points.performances.space, **ways)
        asked = prepare(points.performances, shift_prior=average["shift_prior"])
    else:
        if not drawn["draws"]:
            no_draws(drawn)
        data = source(file, reading, drawn)
        seen, draws, by = seen_and_drawn(data, ways, drawn, average)
        if isinstance(data, Pairs):
            asked = explorer.banded(data, ways["by"])
        else:
            asked = prepare(seen, **average, policies=POLICIES)
    write(output, explorer.page_of(asked, title, by, draws, drawn["level"], points, called(file)).html().encode())

"""``rankscape explore``: one HTML page of all sound rankings, which opens offline."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..explorer.bands import banded
from ..explorer.build import POLICIES, THEMES, Theme, frame_of
from ..explorer.pages import page_of
from ..tasks.pairs import Pairs
from ..typing import Missing
from .base import costs_option, example, output_option, write
from .preference import DEFAULT, seen_and_drawn
from .reading import Given, Reading, called, case_options, file_argument, reading_options, source
from .summaries import draws_asked, draws_options, prepared, summary_options
from .thresholds import NO_DRAWS, models


@click.command("explore", cls=Reading, epilog=example("rankscape explore results.csv -o explorer.html"))
@file_argument()
@output_option("File to write: html.", default="explorer.html", show_default=True)
@click.option(
    "--by", metavar="SCORE", help=f"The score at which the page opens; by default {DEFAULT}, or that of the task."
)
@costs_option
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@click.option("--embed", is_flag=True, help="Write a page for a frame of another page, which posts its height.")
@click.option(
    "--theme", type=click.Choice(THEMES), help="Colors of the page; by default those that the reader has chosen."
)
@draws_options(0, "; with 0 the page shows no uncertainty")
@summary_options(*POLICIES)
@case_options("score")
@reading_options
def command(
    file: Given,
    output: Path,
    by: str | None,
    costs: Any,
    title: str | None,
    embed: bool,
    theme: Theme | None,
    given: Any,
    missing: Missing,
    shift_prior: Fraction | None,
    **options: Any,
) -> None:
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
    if by is not None and costs is not None:
        raise click.UsageError("--by and --costs each say where the page opens: choose one of them")
    scores = options["score"] is not None
    idle = NO_DRAWS if scores else "would change nothing: --draws 0 draws nothing"
    drawn = draws_asked(options["draws"] > 0 and not scores, idle)
    options = {name: value for name, value in options.items() if name not in drawn}
    frame, draws = frame_of(embed, theme), None
    score: Any = costs or by
    if scores:
        points = models(file, given, missing, options).winning_points()
        asked = prepared(points.performances, None, "error", shift_prior, POLICIES)
    else:
        points, data = None, source(file, drawn["draws"] > 0, drawn["resample"], drawn["cluster"], **options)
        ways = {"by": by, "at": None, "importance": None, "costs": costs}
        seen, draws, score = seen_and_drawn(data, ways, drawn, given, missing)
        asked = banded(data, by) if isinstance(data, Pairs) else prepared(seen, given, missing, shift_prior, POLICIES)
    page = page_of(asked, title, score, draws, drawn["level"], points, frame, called(file))
    write(output, page.encode())

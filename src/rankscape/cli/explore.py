"""``rankscape explore``: one HTML page of all sound rankings, which opens offline."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..checks import two_class_only
from ..explorer.build import POLICIES, TITLE, page_of
from ..typing import Missing
from .base import debug_option, example, output_option, write
from .preference import DEFAULT
from .reading import reading_options, source
from .summaries import draws_asked, draws_options, prepared, summary_options


@click.command("explore", epilog=example("rankscape explore results.csv -o explorer.html"))
@click.argument("file", metavar="FILE|-")
@output_option("File to write: html.", default="explorer.html", show_default=True)
@click.option("--by", default=DEFAULT, show_default=True, metavar="SCORE", help="The score at which the page opens.")
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@draws_options(0, "; with 0 the page shows no uncertainty")
@summary_options(*POLICIES)
@reading_options
@debug_option
def command(
    file: str,
    output: Path,
    by: str,
    title: str | None,
    given: Any,
    missing: Missing,
    shift_prior: Fraction | None,
    **options: Any,
) -> None:
    """Write the explorer: one HTML page to look at all sound rankings.

    It opens in any browser, without a network: the Tile, the leaderboard, ROC and PR space, linked.

    FILE is that of `rankscape rank`. The page opens with --weights and --shift-prior, and both can be moved there.
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"cannot write {str(output)!r}; expected a name that ends with .html")
    drawn = draws_asked(options["draws"] > 0, "would change nothing: --draws 0 draws nothing")
    options = {name: value for name, value in options.items() if name not in drawn}
    resample = drawn["resample"]
    origin = source(file, drawn["draws"] > 0, resample, drawn["cluster"], **options)
    two_class_only(origin.performances.space, "the explorer")
    asked = prepared(origin.performances, given, missing, shift_prior, POLICIES)
    draws = origin.draws(drawn["draws"], drawn["seed"], drawn["posterior"], given, missing, resample)
    write(output, page_of(asked, title or TITLE, by, draws, drawn["level"]).encode())

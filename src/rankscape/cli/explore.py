"""``rankscape explore``: one HTML page of all sound rankings, which opens offline."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..explorer.build import POLICIES, TITLE, page_of
from ..typing import Missing
from .base import debug_option, example, output_option, write
from .preference import DEFAULT
from .reading import performances, reading_options
from .summaries import prepared, summary_options


@click.command("explore", epilog=example("rankscape explore results.csv -o explorer.html"))
@click.argument("file", metavar="FILE|-")
@output_option("File to write: html.", default="explorer.html", show_default=True)
@click.option("--by", default=DEFAULT, show_default=True, metavar="SCORE", help="The score at which the page opens.")
@click.option("--title", metavar="TEXT", help="The heading of the page.")
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
    **reading: Any,
) -> None:
    """Write the explorer: one HTML page to look at all sound rankings.

    It opens in any browser, without a network: the Tile, the leaderboard, ROC and PR space, linked.

    FILE is that of `rankscape rank`. The page opens with --weights and --shift-prior, and both can be moved there.
    """
    if output.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"cannot write {str(output)!r}; expected a name that ends with .html")
    asked = prepared(performances(file, **reading), given, missing, shift_prior, POLICIES)
    write(output, page_of(asked, title or TITLE, by).encode())

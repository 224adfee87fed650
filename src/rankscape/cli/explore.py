"""``rankscape explore``: one HTML page of all sound rankings, which opens offline."""

from pathlib import Path
from typing import Any

import click

from .base import debug_option, example, output_option, write
from .preference import DEFAULT
from .reading import performances, reading_options
from .summaries import weights_option


@click.command("explore", epilog=example("rankscape explore results.csv -o explorer.html"))
@click.argument("file", metavar="FILE|-")
@output_option("File to write: html.", default="explorer.html", show_default=True)
@click.option("--by", default=DEFAULT, show_default=True, metavar="SCORE", help="Where it opens: a score.")
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@weights_option
@reading_options
@debug_option
def command(file: str, output: Path, by: str, title: str | None, given: Any, **reading: Any) -> None:
    """Write the explorer: one HTML page to look at all sound rankings.

    It opens in any browser, without a network: the Tile, the leaderboard, ROC and PR space, linked.

    FILE is that of `rankscape rank`; of several domains the page has the weights, and opens with --weights.
    """
    from ..explorer.build import TITLE, page

    if output.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"cannot write {str(output)!r}; expected a name that ends with .html")
    write(output, page(performances(file, None, **reading), title or TITLE, by, given).encode())

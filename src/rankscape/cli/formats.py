"""``rankscape formats``: which files rankscape reads."""

from pathlib import Path

import click

from .._report import render
from ..io import formats
from .base import chosen_format, example, show, text_options


@click.command("formats", epilog=example("rankscape formats"))
@text_options()
def command(format_: str | None, output: Path | None) -> None:
    """List the formats of files that rankscape reads.

    The content of a file tells its format. Where it does not, name the format with --from.
    """
    format_ = chosen_format(format_, output)
    show(render(formats(), format_, right=()), format_, output)

"""``rankscape formats``: which files rankscape reads."""

import click

from .._report import render
from ..io import formats
from .base import Output, example, output_options


@click.command("formats", epilog=example("rankscape formats"))
@output_options()
def command(out: Output) -> None:
    """List the formats of files that rankscape reads.

    The content of a file tells its format. Where it does not, name the format with --from.
    """
    out.show(render(formats(), out.kind, right=()))

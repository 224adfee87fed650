"""``rankscape schema``: JSON schemas of what is read and written."""

import json

import click

from .._report.schemas import schemas
from .endings import Refusal, example


@click.command("schema", epilog=example("rankscape schema rank"))
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON schema of an input or an output, or list them.

    A JSON document with named parts names its schema, as rankscape/rank/1; the number changes when a program that reads
    it must. The table of scores is a plain list of rows, and so are the results that `rank` reads.
    """
    known = schemas()
    if name is None:
        click.echo("\n".join(known))
        return
    if name not in known:
        raise Refusal(f"there is no schema {name!r}; there are {', '.join(known)}")
    click.echo(json.dumps(known[name], indent=2, ensure_ascii=False))

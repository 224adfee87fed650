"""``rankscape schema``: JSON schemas of what is read and written."""

from importlib.resources import files

import click

from .endings import Refusal, debug_option, example


@click.command("schema", epilog=example("rankscape schema rank"))
@click.argument("name", required=False)
@debug_option
def command(name: str | None) -> None:
    """Print the JSON schema of an input or an output, or list them.

    A JSON document with named parts names its schema, as rankscape/rank/1; the number changes when a program that reads
    it must. Tables (of scores, audit --all) are plain lists of rows, and so are the results that `rank` reads.
    """
    kept = (file for file in files("rankscape._report.schemas").iterdir() if file.name.endswith(".json"))
    schemas = {file.name.partition("-")[0]: file for file in kept}
    if name is None:
        click.echo("\n".join(sorted(schemas)))
        return
    if name not in schemas:
        raise Refusal(f"there is no schema {name!r}; there are {', '.join(sorted(schemas))}")
    click.echo(schemas[name].read_text("utf-8"), nl=False)

"""``rankscape count``: predictions become the table that the other commands read."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._report import FORMATS
from ..texts import counted
from .base import FORMAT_OF, Spelled, chosen_format, debug_option, example, once, output_option, progress, show
from .reading import refused_options

if TYPE_CHECKING:
    from ..io.groups import Tally

EXAMPLE = "rankscape count predictions.csv --truth y --prediction yhat --entity-column model -o results.csv"


@click.command("count", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@click.option(
    "--truth", multiple=True, callback=once, required=True, metavar="HEADER", help="The column of true labels."
)
@click.option("--prediction", multiple=True, metavar="HEADER", help="The column of predicted labels; one per entity.")
@click.option("--score", multiple=True, metavar="HEADER", help="The column of scores, with --threshold.")
@click.option(
    "--threshold",
    multiple=True,
    callback=once,
    metavar="NUMBER|all",
    help="Positive if score ≥ this; all: every operating point.",
)
@click.option("--entity-column", multiple=True, callback=once, metavar="HEADER", help="Column that names the entity.")
@click.option("--domain-column", multiple=True, callback=once, metavar="HEADER", help="Column that names the domain.")
@click.option(
    "--case",
    multiple=True,
    callback=once,
    metavar="HEADER",
    help="The column that names the case: checks that entities share them.",
)
@click.option("--weight", multiple=True, callback=once, metavar="HEADER", help="The column of weights.")
@click.option("--pos-label", multiple=True, callback=once, metavar="LABEL", help="The positive label; by default 1.")
@click.option(
    "--labels",
    multiple=True,
    callback=once,
    metavar="A,B,C|all",
    help="The labels that are expected; more than two give all pairs.",
)
@click.option("--encoding", metavar="NAME", help="Encoding of FILE; by default UTF-8.")
@click.option(
    "--invalid",
    type=Spelled(["error", "warn"]),
    default="error",
    help="What to do with rows that cannot be counted: error (the default) refuses them, warn leaves them out and says "
    "how many.",
)
@click.option("--format", "format_", type=Spelled(FORMATS), help="By default csv, which the other commands read.")
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@refused_options("--entity", "--domain")
@debug_option
def command(
    files: tuple[str, ...],
    truth: str,
    prediction: tuple[str, ...],
    score: tuple[str, ...],
    entity_column: str | None,
    domain_column: str | None,
    labels: str | None,
    format_: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Count outcomes in tables of predictions of any size.

    FILE has one case per row. It is CSV, JSON or Parquet, also compressed (gz, zst, zip), or a pattern or a folder of
    such files. The output, CSV by default, is a table that `rankscape rank` reads.
    """
    from .._report import render, to_json
    from ..io import tally

    if output is None or FORMAT_OF.get(output.suffix.lower()) == "table":
        format_ = format_ or "csv"
    format_ = chosen_format(format_, output)
    known: Any = labels if labels in (None, "all") else [text.strip() for text in str(labels).split(",")]
    found = tally(
        files[0] if len(files) == 1 else list(files),
        truth=truth,
        prediction=_one_or_several(prediction),
        score=_one_or_several(score),
        entity=entity_column,
        domain=domain_column,
        labels=known,
        progress=progress(100, "% scanned"),
        **options,
    )
    for warning in found.warnings:
        click.echo(f"warning: {warning}", err=True)
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
    if format_ == "json":
        show(to_json(document(found)), format_, output)
        return
    if format_ == "csv":
        click.echo(f"note: {rows_of(found)}", err=True)
    show(render(found.performances.table(), format_, title=rows_of(found)), format_, output)


def rows_of(found: "Tally") -> str:
    """Say how many rows were counted, and how many were left out."""
    left_out = sum(found.left_out.values())
    return f"{counted(found.rows - left_out, 'row')} counted" + (f", {left_out} left out" if left_out else "")


def document(found: "Tally") -> dict[str, Any]:
    """Return what was counted as one JSON document, which the other commands read."""
    table = found.performances.table()
    return {
        "schema": "rankscape/count/1",
        "rows": found.rows,
        "records": found.records,
        "left_out": found.left_out,
        "notes": [*found.warnings, *found.notes],
        "results": [dict(zip(table.columns, row, strict=True)) for row in table.rows()],
    }


def _one_or_several(given: tuple[str, ...]) -> Any:
    return None if not given else given[0] if len(given) == 1 else list(given)

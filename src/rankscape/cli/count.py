"""``rankscape count``: predictions become the table that the other commands read."""

from pathlib import Path
from typing import Any

import click

from .._report import FORMATS, records, render, to_json
from ..io import tally
from ..io.groups import Tally
from ..texts import counted
from .base import (
    FORMAT_OF,
    Spelled,
    chosen_format,
    debug_option,
    example,
    one_or_several,
    output_option,
    progress,
    show,
    single,
)
from .reading import POSITIVE, accounted, announce, refused_options

EXAMPLE = "rankscape count predictions.csv --truth y --prediction yhat --entity-column model -o results.csv"


@click.command("count", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@single("--truth", required=True, metavar="HEADER", help="The column of true labels.")
@click.option(
    "--prediction", multiple=True, metavar="HEADER", help="Column of predicted labels; repeated for several models."
)
@click.option("--score", multiple=True, metavar="HEADER", help="The column of scores, with --threshold.")
@single("--threshold", metavar="NUMBER|all", help="Positive if score ≥ this; all: every operating point.")
@single("--entity-column", metavar="HEADER", help="Column that names the model.")
@click.option(
    "--domain-column", multiple=True, metavar="HEADER", help="Column that names the domain; several make a hierarchy."
)
@single("--case", metavar="HEADER", help="The column that names the case: checks that models share them.")
@single("--weight", metavar="HEADER", help="The column of weights.")
@single(
    "--pos-label",
    metavar="LABEL",
    help="The positive label; of 0 and 1, no and yes … it is known.",
)
@single("--labels", metavar="A,B,C|all", help="The labels that are expected; more than two give all pairs.")
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
@refused_options("--entity", "--domain", *POSITIVE)
@debug_option
def command(
    files: tuple[str, ...],
    truth: str,
    prediction: tuple[str, ...],
    score: tuple[str, ...],
    entity_column: str | None,
    domain_column: tuple[str, ...],
    labels: str | None,
    format_: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Count outcomes in tables of predictions of any size.

    FILE has one case per row. It is CSV, JSON or Parquet, also compressed (gz, zst, zip), or a pattern or a folder of
    such files. The output, CSV by default, is a table that `rankscape rank` reads.
    """
    known: Any = labels if labels in (None, "all") else [text.strip() for text in str(labels).split(",")]
    how = {
        "truth": truth,
        "prediction": one_or_several(prediction),
        "score": one_or_several(score),
        "entity": entity_column,
        "domain": one_or_several(domain_column),
        "labels": known,
    }
    if output is None or FORMAT_OF.get(output.suffix.lower()) == "table":
        format_ = format_ or "csv"
    format_ = chosen_format(format_, output)
    counts = tally(one_or_several(files), progress=progress(100, "% scanned"), **how, **options)
    announce(counts.account)
    for warning in counts.warnings:
        click.echo(f"warning: {warning}", err=True)
    if format_ == "json":
        show(to_json(accounted(document(counts))), format_, output)
        return
    if format_ == "csv":
        click.echo(f"note: {rows_counted(counts)}", err=True)
    show(render(counts.performances.table(), format_, title=rows_counted(counts)), format_, output)


def rows_counted(counts: Tally) -> str:
    """Return how many rows were counted, and how many were left out, in words."""
    left_out = sum(counts.left_out.values())
    return f"{counted(counts.rows - left_out, 'row')} counted" + (f", {left_out} left out" if left_out else "")


def document(counts: Tally) -> dict[str, Any]:
    """Return what was counted as one JSON document, which the other commands read."""
    return {
        "schema": "rankscape/count/1",
        "rows": counts.rows,
        "records": counts.records,
        "left_out": counts.left_out,
        "notes": [*counts.warnings, *counts.notes],
        "results": records(counts.performances.table()),
    }

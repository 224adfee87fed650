"""``rankscape count``: predictions become the table that the other commands read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .._report import FORMATS, records, render, to_json
from ..cases import Cases
from ..texts import counted
from .base import (
    FORMAT_OF,
    Spelled,
    chosen_format,
    example,
    one_or_several,
    output_option,
    show,
    single,
)
from .reading import accounted, case_options, cases_in

EXAMPLE = "rankscape count predictions.csv --truth y --prediction yhat --entity-column model -o results.csv"


@click.command("count", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@case_options("truth", "prediction", "score")
@single("--threshold", metavar="NUMBER", help="Positive if score ≥ this.")
@case_options("correct", "entity", "domain", "case", "repeat", "weight", "pos_label", "labels", "scale", "unanswered")
@click.option("--encoding", metavar="NAME", help="Encoding of FILE; by default UTF-8.")
@click.option("--format", "format_", type=Spelled(FORMATS), help="By default csv, which the other commands read.")
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
def command(
    files: tuple[str, ...],
    threshold: str | None,
    format_: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Count outcomes in tables of predictions.

    FILE has one case per row. It is CSV, JSON or Parquet, also compressed (gz, zst, zip), or a pattern or a folder of
    such files. Parquet files may be larger than memory. The output, CSV by default, is a table that
    `rankscape rank` reads.
    """
    if options["truth"] is None and options["correct"] is None:
        raise click.UsageError(
            "which columns of FILE are to be counted? Name --truth, the true labels, and --prediction or --score; or "
            "--correct, the answers that are right or wrong"
        )
    if output is None or FORMAT_OF.get(output.suffix.lower()) == "table":
        format_ = format_ or "csv"
    format_ = chosen_format(format_, output)
    at = None if options["score"] is None and threshold is None else (threshold,)
    read = cases_in(one_or_several(files), options, among=None, thresholds=at)
    if format_ == "json":
        show(to_json(accounted(document(read))), format_, output)
        return
    if format_ == "csv":
        click.echo(f"note: {rows_counted(read)}", err=True)
    show(render(read.performances.table(), format_, title=rows_counted(read)), format_, output)


def rows_counted(read: Cases) -> str:
    """Return how many rows were counted, and how many were left out, in words."""
    rows, left_out = _rows(read)
    lost = sum(left_out.values())
    return f"{counted(rows - lost, 'row')} counted" + (f", {lost} left out" if lost else "")


def _rows(read: Cases) -> tuple[int, Mapping[str, int]]:
    """Return how many rows there were, one for each of several columns, and of answers how many were left out."""
    return (read.account.records or 0, read.account.left_out) if read.tally is None else (read.tally.rows, {})


def document(read: Cases) -> dict[str, Any]:
    """Return what was counted as one JSON document, which the other commands read."""
    rows, left_out = _rows(read)
    return {
        "schema": "rankscape/count/1",
        "rows": rows,
        "records": read.account.records,
        "left_out": left_out,
        "notes": list(read.account.notes if read.tally is None else read.tally.notes),
        "results": records(read.performances.table()),
    }

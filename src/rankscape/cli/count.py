"""``rankscape count``: predictions become the table that the other commands read."""

from collections.abc import Mapping
from typing import Any

import click

from .._report import records
from ..cases import Cases
from ..texts import counted
from .base import Output, example, grouped, note, one_or_several, output_options, single
from .reading import case_options, cases_in, encoding_option

EXAMPLE = "rankscape count predictions.csv --truth y --prediction yhat --entity-column model -o results.csv"


@click.command("count", epilog=example(EXAMPLE))
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@grouped(
    "reading",
    case_options("truth", "prediction", "score"),
    single("--threshold", metavar="NUMBER", help="Positive if score ≥ this."),
    case_options("correct", "entity", "domain", "case", "repeat", "weight", "pos_label", "labels", "scale",
                 "unanswered"),
    encoding_option,
)  # fmt: skip
@output_options(default="csv", help="By default csv, which the other commands read.")
def command(files: tuple[str, ...], reading: dict[str, Any], out: Output) -> None:
    """Count outcomes in tables of predictions.

    FILE has one case per row. It is CSV, JSON or Parquet, also compressed (gz, zst, zip), or a pattern or a folder of
    such files. Parquet files may be larger than memory. The output, CSV by default, is a table that
    `rankscape rank` reads.
    """
    if reading["truth"] is None and reading["correct"] is None:
        raise click.UsageError(
            "which columns of FILE are to be counted? Name --truth, the true labels, and --prediction or --score; or "
            "--correct, the answers that are right or wrong"
        )
    threshold = reading["threshold"]
    at = None if reading["score"] is None and threshold is None else (threshold,)
    read = cases_in(one_or_several(files), reading, among=None, thresholds=at)
    table = read.performances.table()
    rows, left_out = _rows(read)
    lost = sum(left_out.values())
    heading = f"{counted(rows - lost, 'row')} counted" + (f", {lost} left out" if lost else "")
    note([heading] if out.kind == "csv" else [])
    out.answer(lambda: _document(read), lambda: table, lambda: {"table": table, "title": heading})


def _rows(read: Cases) -> tuple[int, Mapping[str, int]]:
    """Return how many rows there were, one for each of several columns, and of answers how many were left out."""
    return (read.account.records or 0, read.account.left_out) if read.tally is None else (read.tally.rows, {})


def _document(read: Cases) -> dict[str, Any]:
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

"""``rankscape convert``: a file of another tool becomes the table that the other commands read."""

from __future__ import annotations

from typing import Any

import click

from .._report import render
from ..io.reading import read_quietly
from .base import Output, announce, example, grouped, output_options, single
from .reading import Given, case_options, encoding_option, file_argument, of_tools_options

EXAMPLE = "rankscape convert bm25.run dense.run --answers judgements.qrels --depth 10 -o results.csv"


@click.command("convert", epilog=example(EXAMPLE))
@file_argument()
@grouped(
    "reading",
    case_options("entity", "domain", "pos_label", "unanswered"),
    of_tools_options,
    encoding_option,
    single("--metric", metavar="NAME", help="Benchmarks: the score to read, where there are several."),
    single("--depth", type=int, metavar="K", help="TREC: the number of documents of each run that count, by default "
           "all."),
    single("--relevance", type=float, metavar="G", help="TREC: the least grade of a relevant document, by default 1."),
    single("--iou", type=float, metavar="X", help="COCO: the least intersection over union of boxes that match, by "
           "default 0.5."),
    single("--min-score", type=float, metavar="X", help="COCO: the least score of a box that counts, by default 0.5."),
)  # fmt: skip
@output_options(default="csv", help="By default csv, which the other commands read.")
def command(file: Given, reading: dict[str, Any], out: Output) -> None:
    """Convert files of other tools into a table of results.

    FILE is what `rankscape formats` lists. The other commands read it, too; the options here tune how. The output, CSV
    by default, is a table that they read. It does not say which cases the models share.
    """
    names = {"entity": reading.pop("entity_column"), "domain": reading.pop("domain_column")}
    source: Any = file
    performances = read_quietly(source, **names, **reading)
    announce(performances.account)
    table = performances.table()
    out.show(render(table, out.kind))

"""``rankscape why``: which model is first for a preference, and what would change that."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import chosen_format, debug_option, example, format_option, output_option, show, width
from .preference import check_preference, preference, preference_options
from .reading import performances, reading_options
from .summaries import missing_option, note, prepared, shift_option, weights_option

if TYPE_CHECKING:
    from ..domains import Prepared
    from ..regions import Flips


@click.command("why", epilog=example("rankscape why results.csv --by f1"))
@click.argument("file", metavar="FILE|-")
@preference_options
@weights_option
@missing_option()
@shift_option
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@reading_options
@debug_option
def command(
    file: str,
    by: str | None,
    at: Any,
    importance: Any,
    costs: Any,
    domain: str | None,
    given: Any,
    missing: str,
    shift_prior: Fraction | None,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Say which model is first, and what would change that.

    The output says how far the preference must move, in exchange rates, before another model comes first.

    FILE is that of `rankscape rank`. The score must have a place on the Tile.
    """
    from .._report import render, to_json
    from .._report.answers import answer, readable
    from ..regions import flips
    from ..results import Table

    format_ = chosen_format(format_, output)
    wanted = {"by": by, "at": at, "importance": importance, "costs": costs}
    check_preference(reading["truth"] is None, **wanted)
    asked = prepared(performances(file, domain, **reading), given, missing, shift_prior)
    data = asked.performances
    found = flips(data, preference(data.space, **wanted))
    if format_ == "json":
        text = to_json(document(found, asked))
    elif format_ == "csv":
        text = found.table().to_csv()
        note(asked)
    elif found.flips:
        right = ("false alarms per miss", "correct rejections per detection")
        prose = {"title": answer(found, data), "summary": _summary(found, asked)}
        text = render(readable(found), format_, right=right, width=width(), **prose)
    else:
        only = Table({"nearest change": ["none: no other model comes first for any preference"]})
        text = render(only, format_, title=answer(found, data), summary=_summary(found, asked), width=width())
    show(text, format_, output)


def _summary(found: "Flips", asked: "Prepared") -> str:
    """Say which entities can be first, and how the performances were averaged and shifted."""
    from .._report.answers import beyond

    return "\n".join((beyond(asked.performances, found.first), *asked.sentences()))


def document(found: "Flips", asked: "Prepared") -> dict[str, Any]:
    """Return the answer as one JSON document."""
    from ..regions import first, without_skill

    table, data = found.table(), asked.performances
    return {
        "schema": "rankscape/why/1",
        "score": found.score.name,
        "place": {"a": found.a, "b": found.b},
        "first": sorted(found.first),
        "along_a": found.along_a,
        "along_b": found.along_b,
        "beta": found.beta,
        "factor": found.factor,
        "flips": [dict(zip(table.columns, row, strict=True)) for row in table.rows()],
        "areas": first(data).areas,
        "without_skill": without_skill(data),
        "prepared": asked.document(),
    }

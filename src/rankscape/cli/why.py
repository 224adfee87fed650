"""``rankscape why``: which model is first for a preference, and what would change that."""

from pathlib import Path
from typing import Any

import click

from .._report import records, render, to_json
from .._report.answers import answer, beyond, readable
from ..domains import Prepared
from ..regions import Flips, first, flips, without_skill
from ..results import Table
from ..typing import Missing
from .base import chosen_format, debug_option, example, show, text_options, width
from .preference import preference, preference_options, wanted
from .reading import performances, reading_options
from .summaries import note, prepared, summary_options


@click.command("why", epilog=example("rankscape why results.csv --by f1"))
@click.argument("file", metavar="FILE|-")
@preference_options
@summary_options()
@text_options()
@reading_options
@debug_option
def command(
    file: str, given: Any, missing: Missing, shift_prior: Any, format_: str | None, output: Path | None, **options: Any
) -> None:
    """Say which model is first, and what would change that.

    The output says how far the preference must move, in exchange rates, before another model comes first.

    FILE is that of `rankscape rank`. The score must have a place on the Tile.
    """
    format_ = chosen_format(format_, output)
    ways = wanted(options)
    preparation = prepared(performances(file, **options), given, missing, shift_prior)
    data = preparation.performances
    changes = flips(data, preference(data.space, **ways))
    if format_ == "json":
        text = to_json(document(changes, preparation))
    elif format_ == "csv":
        text = changes.table().to_csv()
        note(preparation)
    else:
        only = Table({"nearest change": ["none: no other model comes first for any preference"]})
        text = render(
            readable(changes) if changes.flips else only,
            format_,
            title=answer(changes, data),
            summary="\n".join((beyond(data, changes.first), *preparation.sentences())),
            right=("false alarms per miss", "correct rejections per detection") if changes.flips else None,
            width=width(),
        )
    show(text, format_, output)


def document(changes: Flips, preparation: Prepared) -> dict[str, Any]:
    """Return the answer as one JSON document."""
    data = preparation.performances
    return {
        "schema": "rankscape/why/1",
        "score": changes.score.name,
        "place": {"a": changes.a, "b": changes.b},
        "first": sorted(changes.first),
        "along_a": changes.along_a,
        "along_b": changes.along_b,
        "beta": changes.beta,
        "factor": changes.factor,
        "flips": records(changes.table()),
        "areas": first(data).areas,
        "without_skill": without_skill(data),
        "prepared": preparation.document(),
    }

"""``rankscape why``: which model is first for a preference, and what would change that."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .._report import records, render, to_json
from .._report.answers import answer, beyond, readable, right_of_changes
from .._report.at_priors import priors_of, reference_shares
from ..domains import Prepared
from ..errors import RankscapeError
from ..geometry.curves import odds
from ..regions import Flips, PriorFlips, first, flips, without_skill
from ..regions.shares import REFERENCE, checked_reference
from ..results import Table
from ..typing import Missing
from .base import chosen_format, debug_option, example, show, text_options, width
from .preference import preference, preference_options, wanted
from .reading import Given, file_argument, performances, reading_options
from .summaries import note, prepared, reference_option, summary_options


@click.command("why", epilog=example("rankscape why results.csv --by f1"))
@file_argument()
@preference_options
@summary_options()
@reference_option
@text_options()
@reading_options
@debug_option
def command(
    file: Given, given: Any, missing: Missing, shift_prior: Any, reference_prior: Fraction | None, format_: str | None,
    output: Path | None, **options: Any,
) -> None:  # fmt: skip
    """Say which model is first, and what would change that.

    The output says how far the preference must move, in exchange rates, and for which shares of positives the answer
    holds, before another model comes first.

    FILE is that of `rankscape rank`. The score must have a place on the Tile.
    """
    format_ = chosen_format(format_, output)
    reference = REFERENCE if reference_prior is None else checked_reference(reference_prior)
    ways = wanted(options)
    preparation = prepared(performances(file, **options), given, missing, shift_prior)
    data = preparation.performances
    changes = flips(data, preference(data.space, **ways))
    at_priors = priors_of(data, changes.score)
    if format_ == "json":
        text = to_json(document(changes, preparation, at_priors, reference))
    elif format_ == "csv":
        text = rows(changes, at_priors).to_csv()
        note(preparation)
    else:
        only = Table({"nearest change": ["none: no other model comes first for any preference"]})
        text = render(
            readable(changes, data) if changes.flips else only,
            format_,
            title=answer(changes, data, at_priors),
            summary="\n".join((beyond(preparation, changes.first, reference), *preparation.sentences())),
            right=right_of_changes(changes) if changes.flips else None,
            width=width(),
        )
    show(text, format_, output)


def rows(changes: Flips, at_priors: PriorFlips | RankscapeError) -> Table:
    """Return the nearest changes, also those of the share of positives, with the prior of each."""
    table = changes.table()
    here = at_priors.prior if isinstance(at_priors, PriorFlips) else None
    columns = {name: list(table[name]) for name in table.columns if name != "first"}
    columns |= {"prior": [here] * len(table), "first": list(table["first"])}
    if isinstance(at_priors, PriorFlips):
        for direction, end, names in at_priors.beyond():
            row = (direction, changes.a, changes.b, odds(changes.a), odds(changes.b), end, " = ".join(names))
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    return Table(columns)


def document(
    changes: Flips, preparation: Prepared, at_priors: PriorFlips | RankscapeError, reference: Fraction = REFERENCE
) -> dict[str, Any]:
    """Return the answer as one JSON document."""
    data, costs = preparation.performances, changes.score.costs
    of_costs = costs and {
        "costs": costs.document(),
        "expected_costs": dict(zip(data.names, costs.expected(data).tolist(), strict=True)),
    }
    return {
        "schema": "rankscape/why/1",
        "score": changes.score.name,
        "place": {"a": changes.a, "b": changes.b},
        "first": sorted(changes.first),
        "along_a": None if changes.side else changes.along_a,
        "along_b": changes.along_b,
        "beta": changes.beta,
        "factor": changes.factor,
        "flips": records(changes.table()),
        "priors": None if isinstance(at_priors, RankscapeError) else _priors(at_priors),
        "areas": first(data).areas,
        "reference": reference_shares(data, reference),
        "without_skill": without_skill(data),
        **(of_costs or {}),
        "prepared": preparation.document(),
    }


def _priors(at_priors: PriorFlips) -> dict[str, Any]:
    return {
        "here": at_priors.prior,
        "first": None if at_priors.first is None else sorted(at_priors.first),
        "stays": at_priors.stays,
        "intervals": [{"low": one.low, "high": one.high, "first": one.names} for one in at_priors.intervals],
    }

"""``rankscape why``: which model is first for a preference, and what would change that."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .._report import records, render, to_json
from .._report.answers import (
    RIGHT_OF_WEIGHTS,
    about_weights,
    answer,
    beyond,
    priors_of,
    readable,
    readable_changes,
    reference_shares,
    right_of_changes,
)
from .._report.leaderboard import full_name
from ..domains import Prepared, Weightings
from ..domains.weightings import over_weights
from ..errors import Option, RankscapeError, UsageError
from ..geometry.curves import odds
from ..outcomes import lacks_tn
from ..performances import Performances
from ..regions import Flips, PriorFlips, first, flips, without_skill
from ..regions.shares import REFERENCE, checked_reference
from ..results import Table
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..tasks.two_class import as_two_class
from ..texts import tied
from ..typing import Missing
from .base import chosen_format, example, show, text_options, width
from .preference import preference, preference_options, wanted
from .reading import Given, Reading, accounted, file_argument, performances, reading_options
from .summaries import note, prepared, reference_option, summary_options

SCHEMA = "rankscape/why/1"
OF_THE_TILE = ("place", "along_a", "along_b", "beta", "factor", "priors", "reference", "without_skill")
"""What the document lacks of performances that have no Tile."""


@click.command("why", cls=Reading, epilog=example("rankscape why results.csv --by f1"))
@file_argument()
@preference_options
@summary_options()
@reference_option
@text_options()
@reading_options
def command(
    file: Given, given: Any, missing: Missing, shift_prior: Any, reference_prior: Fraction | None, format_: str | None,
    output: Path | None, **options: Any,
) -> None:  # fmt: skip
    """Say which model is first, and what would change that.

    The output says how far the preference must move, in exchange rates, and for which shares of positives the answer
    holds, before another model comes first. Where the table has several domains, or benchmarks, it also says for which
    share of all their weightings each model comes first, and which change of one weight would dethrone the winner.

    FILE is a table as for `rankscape rank`. The score must have a place on the Tile. Where performances have no Tile,
    as with right or wrong answers, the output speaks of the weights only, so there must be several domains.
    """
    format_ = chosen_format(format_, output)
    reference = REFERENCE if reference_prior is None else checked_reference(reference_prior)
    ways = wanted(options)
    preparation = prepared(performances(file, **options), given, missing, shift_prior)
    data = preparation.performances
    score = preference(data.space, **ways)
    over = over_weights(preparation, score)
    if over is None and not data.space.labels and not on_tile(data):
        what = "so only the weights of several domains could change the answer"
        why = "right or wrong answers leave no preference to choose"
        why = why if mean_of_grades(data.space) is None else "the grades of cases leave no preference to choose"
        raise UsageError(
            f"{why if is_right_or_wrong(data.space) else f'{data.space.name} performances have no Tile'}, {what}",
            way_out=[
                Option("domain", option="domain-column", shell="name the column of domains with --domain-column"),
                "see how sure the ranking is with `rankscape rank FILE --uncertainty`",
            ],
        )
    if over is not None and not on_tile(data):
        show(of_weights(over, preparation, format_), format_, output)
        return
    changes = flips(data, score)
    at_priors = priors_of(data, changes.score)
    if format_ == "json":
        text = to_json(accounted(document(changes, preparation, at_priors, reference, over)))
    elif format_ == "csv":
        text = rows(changes, at_priors).to_csv()
        note(preparation)
    else:
        only = Table({"nearest change": ["none: no other model comes first for any preference"]})
        text = render(
            readable(changes, data) if changes.flips else only,
            format_,
            title=answer(changes, data, at_priors),
            summary="\n".join(
                (beyond(preparation, changes.first, reference), *about_weights(over), *preparation.sentences())
            ),
            right=right_of_changes(changes) if changes.flips else None,
            width=width(),
        )
    show(text, format_, output)


def on_tile(data: Performances) -> bool:
    """Tell whether performances have a Tile, or its right side."""
    if lacks_tn(data.space):
        return True
    try:
        as_two_class(data)
    except UsageError:
        return False
    return True


def of_weights(over: Weightings, preparation: Prepared, format_: str) -> str:
    """Return the answer of performances that have no Tile: what would change it are the weights of the domains."""
    if format_ == "json":
        whole: dict[str, Any] = {"schema": SCHEMA, "score": over.score.name, "first": sorted(over.first)}
        whole |= dict.fromkeys(OF_THE_TILE) | {"flips": [], "areas": {}}
        return to_json(accounted(whole | {"weightings": over.document(), "prepared": preparation.document()}))
    if format_ == "csv":
        note(preparation)
        return over.changes.to_csv()
    names = tied(sorted(over.first))
    verb = "are tied for first" if len(over.first) > 1 else "is first"
    among = f", among {len(over.names)} models" if len(over.names) > 1 else ""
    table = readable_changes(over)
    only = Table({"nearest change": [f"none: the weight of a single {over.noun} puts no other model first"]})
    return render(
        table if len(table) else only,
        format_,
        title="\n".join((f"{names} {verb} by {full_name(over.score)}{among}", *about_weights(over))),
        summary="\n".join(preparation.sentences()),
        right=RIGHT_OF_WEIGHTS if len(table) else None,
        width=width(),
    )


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
    changes: Flips,
    preparation: Prepared,
    at_priors: PriorFlips | RankscapeError,
    reference: Fraction = REFERENCE,
    over: Weightings | None = None,
) -> dict[str, Any]:
    """Return the answer as one JSON document."""
    data, costs = preparation.performances, changes.score.costs
    of_costs = costs and {
        "costs": costs.document(),
        "expected_costs": dict(zip(data.names, costs.expected(data).tolist(), strict=True)),
    }
    return {
        "schema": SCHEMA,
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
        "weightings": over and over.document(),
        "prepared": preparation.document(),
    }


def _priors(at_priors: PriorFlips) -> dict[str, Any]:
    return {
        "here": at_priors.prior,
        "first": None if at_priors.first is None else sorted(at_priors.first),
        "stays": at_priors.stays,
        "intervals": [{"low": one.low, "high": one.high, "first": one.names} for one in at_priors.intervals],
    }

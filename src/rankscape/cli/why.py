"""``rankscape why``: which model is first for a preference, and what would change that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

import rankscape as rs

from .. import _report, domains
from ..domains import Prepared, prepare
from ..errors import Option, RankscapeError, UsageError
from ..outcomes import lacks_tn
from ..performances import Performances
from ..results import Table
from ..texts import tied
from .base import Output, example, output_options
from .preference import preference, preference_options
from .reading import Given, Reading, domain_option, file_argument, performances, reading_options
from .summaries import summary_options

SCHEMA = "rankscape/why/1"
OF_THE_TILE = ("place", "along_a", "along_b", "beta", "factor", "priors", "reference", "without_skill")
"""What the document lacks of performances that have no Tile."""


@click.command("why", cls=Reading, epilog=example("rankscape why results.csv --by f1"))
@file_argument()
@preference_options()
@summary_options()
@output_options()
@reading_options(domain_option)
def command(
    file: Given, ways: dict[str, Any], average: dict[str, Any], out: Output,
    reading: dict[str, Any],
) -> None:  # fmt: skip
    """Say which model is first, and what would change that.

    The output says how far the preference must move, in exchange rates, and for which shares of positives the answer
    holds, before another model comes first. Where the table has several domains, or benchmarks, it also says for which
    share of all their weightings each model comes first, and which change of one weight would dethrone the winner.

    FILE is a table as for `rankscape rank`. The score must have a place on the Tile. Where performances have no Tile,
    as with right or wrong answers, the output speaks of the weights only, so there must be several domains.
    """
    preparation = prepare(performances(file, reading), **average)
    data = preparation.performances
    score = preference(data.space, **ways)
    over = domains.over_weights(preparation, score)
    if _on_tile(data):
        changes = rs.regions.flips(data, score)
        at_priors = _report.answers.priors_of(data, changes.score)
        answer: OfPreference | OfWeights = OfPreference(preparation, over, changes, at_priors)
    elif over is not None:
        answer = OfWeights(preparation, over)
    elif data.space.labels:
        rs.regions.flips(data, score)  # which says why not
        return
    else:
        raise UsageError(
            "these performances have no Tile, so only the weights of several domains could change the answer",
            way_out=[
                Option("domain", option="domain-column", shell="name the column of domains with --domain-column"),
                "see how sure the ranking is with `rankscape rank FILE --uncertainty`",
            ],
        )
    out.answer(answer.document, answer.rows, answer.read, preparation.sentences())


def _on_tile(data: Performances) -> bool:
    """Tell whether performances have a Tile, or its right side."""
    if lacks_tn(data.space):
        return True
    try:
        rs.tasks.two_class.as_two_class(data)
    except UsageError:
        return False
    return True


@dataclass(frozen=True)
class OfPreference:
    """The answer where the preference may change, and perhaps the weights of the domains."""

    preparation: Prepared
    over: rs.domains.Weightings | None
    changes: rs.regions.Flips
    at_priors: rs.regions.PriorFlips | RankscapeError

    def read(self) -> dict[str, Any]:
        """Return the answer as it is read."""
        answers, changes, data = _report.answers, self.changes, self.preparation.performances
        about = [answers.beyond(self.preparation, changes.first), *answers.about_weights(self.over)]
        summary = "\n".join([*about, *self.preparation.sentences()])
        prose = {"title": answers.answer(changes, data, self.at_priors), "summary": summary}
        if not changes.flips:
            return prose | {"table": Table({"nearest change": ["none: no other model comes first for any preference"]})}
        return prose | {"table": answers.readable(changes, data), "right": answers.right_of_changes(changes)}

    def rows(self) -> Table:
        """Return the nearest changes."""
        return self.changes.table()

    def document(self) -> dict[str, Any]:
        """Return the answer as one JSON document."""
        changes, data, costs = self.changes, self.preparation.performances, self.changes.score.costs
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
            "flips": _report.records(changes.table()),
            "priors": None if isinstance(self.at_priors, RankscapeError) else _priors(self.at_priors),
            "areas": rs.regions.first(data).areas,
            "reference": _report.answers.reference_shares(data),
            "without_skill": rs.regions.without_skill(data),
            **(of_costs or {}),
            "weightings": self.over and self.over.document(),
            "prepared": self.preparation.document(),
        }


def _priors(at_priors: rs.regions.PriorFlips) -> dict[str, Any]:
    return {
        "here": at_priors.prior,
        "first": None if at_priors.first is None else sorted(at_priors.first),
        "stays": at_priors.stays,
        "intervals": [{"low": one.low, "high": one.high, "first": one.names} for one in at_priors.intervals],
    }


@dataclass(frozen=True)
class OfWeights:
    """The answer of performances that have no Tile: only the weights of the domains may change."""

    preparation: Prepared
    over: rs.domains.Weightings

    def read(self) -> dict[str, Any]:
        """Return the answer as it is read."""
        over, answers = self.over, _report.answers
        verb = "are tied for first" if len(over.first) > 1 else "is first"
        among = f", among {len(over.names)} models" if len(over.names) > 1 else ""
        title = f"{tied(sorted(over.first))} {verb} by {_report.full_name(over.score)}{among}"
        title = "\n".join((title, *answers.about_weights(over)))
        prose = {"title": title, "summary": "\n".join(self.preparation.sentences())}
        table = answers.readable_changes(over)
        if not len(table):
            none = f"none: the weight of a single {over.noun} puts no other model first"
            return prose | {"table": Table({"nearest change": [none]})}
        return prose | {"table": table, "right": answers.RIGHT_OF_WEIGHTS}

    def rows(self) -> Table:
        """Return the changes of one weight."""
        return self.over.changes

    def document(self) -> dict[str, Any]:
        """Return the answer as one JSON document."""
        whole: dict[str, Any] = {"schema": SCHEMA, "score": self.over.score.name, "first": sorted(self.over.first)}
        whole |= dict.fromkeys(OF_THE_TILE) | {"flips": [], "areas": {}}
        return whole | {"weightings": self.over.document(), "prepared": self.preparation.document()}

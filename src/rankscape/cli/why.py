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
from .base import Output, example, output_options
from .preference import preference, preference_options
from .reading import Given, Reading, domain_option, file_argument, performances, reading_options
from .summaries import summary_options

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
    # of several classes the error of the flips says why not
    if _has_tile(data) or (over is None and data.space.labels):
        answer = Answer(preparation, rs.regions.flips(data, score), over)
    elif over is not None:
        answer = Answer(preparation, over, over)
    else:
        raise UsageError(
            "these performances have no Tile, so only the weights of several domains could change the answer",
            way_out=[
                Option("domain", shell="name the column of domains with --domain-column"),
                "see how sure the ranking is with `rankscape rank FILE --uncertainty`",
            ],
        )
    out.answer(answer.document, answer.rows, answer.read, preparation.sentences())


def _has_tile(data: Performances) -> bool:
    """Tell whether performances have a Tile, or its right side."""
    if lacks_tn(data.space):
        return True
    try:
        rs.tasks.two_class.as_two_class(data)
    except UsageError:
        return False
    return True


@dataclass(frozen=True)
class Answer:
    """What was found: of the preference, where there is a Tile, and of the weights of several domains."""

    preparation: Prepared
    about: rs.regions.Flips | rs.domains.Weightings
    over: rs.domains.Weightings | None

    def read(self) -> dict[str, Any]:
        """Return the answer as it is read."""
        answers, about, data = _report.answers, self.about, self.preparation.performances
        lines, weights = [*self.preparation.sentences()], answers.about_weights(self.over)
        if isinstance(about, rs.regions.Flips):
            title = answers.answer(about, data, answers.priors_of(data, about.score))
            table = answers.readable(about, data)
            lines = [answers.beyond(self.preparation, about.first), *weights, *lines]
        else:
            title = "\n".join((answers.first_by(about.first, about.score, len(about.names)), *weights))
            table = answers.readable_changes(about)
        right = [name for name in table.columns if name.startswith(("now", "at "))]
        if not len(table):
            alone = "exchange rate" if isinstance(about, rs.regions.Flips) else "weight"
            table = Table({"nearest change": [f"none: no other model comes first by changing one {alone} alone"]})
        return {"table": table, "title": title, "summary": "\n".join(lines), "right": right}

    def rows(self) -> Table:
        """Return the nearest changes, or those of one weight."""
        return self.about.table() if isinstance(self.about, rs.regions.Flips) else self.about.changes

    def document(self) -> dict[str, Any]:
        """Return the answer as one JSON document."""
        about, of_tile = self.about, dict.fromkeys(OF_THE_TILE) | {"flips": [], "areas": {}}
        return {
            "schema": "rankscape/why/1",
            "score": about.score.name,
            "first": sorted(about.first),
            **(_on_tile(about, self.preparation.performances) if isinstance(about, rs.regions.Flips) else of_tile),
            "weightings": self.over and self.over.document(),
            "prepared": self.preparation.document(),
        }


def _on_tile(changes: rs.regions.Flips, data: Performances) -> dict[str, Any]:
    """Return what the document says of the preference."""
    at_priors, costs = _report.answers.priors_of(data, changes.score), changes.score.costs
    of_costs = costs and {
        "costs": costs.document(),
        "expected_costs": dict(zip(data.names, costs.expected(data).tolist(), strict=True)),
    }
    return {
        "place": {"a": changes.a, "b": changes.b},
        "along_a": None if changes.side else changes.along_a,
        "along_b": changes.along_b,
        "beta": changes.beta,
        "factor": changes.factor,
        "flips": _report.records(changes.table()),
        "priors": None if isinstance(at_priors, RankscapeError) else _priors(at_priors),
        "areas": rs.regions.first(data).areas,
        "reference": _report.answers.reference_shares(data),
        "without_skill": rs.regions.without_skill(data),
        **(of_costs or {}),
    }


def _priors(at_priors: rs.regions.PriorFlips) -> dict[str, Any]:
    return {
        "here": at_priors.prior,
        "first": None if at_priors.first is None else sorted(at_priors.first),
        "stays": at_priors.stays,
        "intervals": [{"low": one.low, "high": one.high, "first": one.names} for one in at_priors.intervals],
    }

"""``rankscape domains``: what each domain is for an entity, and how much the answer depends on them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

import rankscape as rs

from .. import _report, uncertainty
from ..checks import rows_of
from ..domains import Prepared, prepare
from ..results import Table
from ..texts import WIDEST, counted, label, percent, some
from ..uncertainty.defaults import LEVEL
from .base import Output, example, output_options, single
from .endings import Refusal
from .preference import preference, preference_options
from .reading import Given, Reading, domain_option, file_argument, name_of, performances, reading_options
from .summaries import summary_options

MOST_LISTED = 5


@click.command("domains", cls=Reading, epilog=example("rankscape domains results.csv --by f1"))
@file_argument()
@single("--entity", metavar="NAME", help="Show one model, on all its domains.")
@preference_options()
@summary_options()
@output_options()
@reading_options(domain_option)
def command(
    file: Given, entity: str | None, ways: dict[str, Any], average: dict[str, Any], out: Output,
    reading: dict[str, Any],
) -> None:  # fmt: skip
    """Show the hardest domain of each model, and its bottleneck.

    The output names the easiest, the hardest, the preponderant and the bottleneck domain. FILE is a table as for
    `rankscape rank`, with a column of domains. The program averages performances, not scores, over the domains. The
    bottleneck has the largest share of the errors. The weight that a domain ends up with depends on the preference, and
    the table shows it. The output also says where the mean of the scores gives another ranking, where one domain
    decides who is first, and how well the ranking by the other domains predicts the ranking on each. --shift-prior
    multiplies the counts of an entity by two factors, one per class and the same on every domain, so the shares of the
    domains change, too.
    """
    data = performances(file, reading)
    if data.domains is None:
        raise Refusal(
            f"{name_of(file)} names no domains: name the column of domains with --domain-column, or use "
            "`rankscape rank`"
        )
    score = preference(data.space, **ways)
    preparation = prepare(data, **average)
    parts = rs.domains.roles(preparation, score)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the commands above have said it
        means = rs.domains.mean_of_scores(preparation, score)
        stable = rs.domains.leave_one_out(preparation, score)
    chosen = None if entity is None else rows_of(parts.names, entity, "entity")[0]
    answer = Answer(data, average, preparation, parts, means, stable, chosen)
    out.answer(answer.document, answer.rows, answer.read, preparation.sentences())


@dataclass(frozen=True)
class Answer:
    """What was found of domains: their roles, the mean of the scores, and who would be first without each."""

    data: rs.Performances
    average: Mapping[str, Any]
    preparation: Prepared
    parts: rs.domains.Roles
    means: rs.domains.MeanOfScores
    stable: rs.domains.LeaveOneOut
    chosen: int | None

    def rows(self) -> Table:
        """Return the table of the roles, of one model where one was chosen."""
        table = self.parts.table()
        name = table["entity"] if self.chosen is None else [self.parts.names[self.chosen]]
        kept = [i for i, entity in enumerate(table["entity"]) if entity in name]
        return Table({column: [table[column][i] for i in kept] for column in table.columns})

    def document(self) -> dict[str, Any]:
        """Return what was found as one JSON document."""
        parts, means, stable = self.parts, self.means, self.stable
        return {
            "schema": "rankscape/domains/1",
            "score": parts.score.name,
            "rule": "errors",
            "prepared": self.preparation.document(),
            "entities": [
                {"entity": parts.names[e], "summarized": float(parts.summarized[e]), "mean": float(means.means[e])}
                | {role: list(sets[e]) for role, sets in parts.sets.items()}
                for e in (range(len(parts.names)) if self.chosen is None else [self.chosen])
            ],
            "cells": _report.records(self.rows()),
            "mean_of_scores": {"swapped": means.swapped},
            "leave_one_out": {
                "first": sorted(stable.ranking.best),
                "deciding": stable.deciding,
                "mean_tau": stable.mean_tau,
                "cells": _report.records(stable.table()),
            },
        }

    def read(self) -> dict[str, Any]:
        """Return what was found as it is read."""
        parts, chosen = self.parts, self.chosen
        linear = _report.is_linear(parts.score)
        if chosen is None:
            table, right = _report.roles_of_models(parts, range(len(parts.names)), WIDEST)
        else:
            table, right = _one(parts, chosen, self.preparation.shift_prior is not None)
        subject = counted(len(parts.names), "model") if chosen is None else label(parts.names[chosen])
        what = "the largest share of the importance-weighted errors, w·(1 − R)"
        title = (
            f"Domains of {subject}, by {_report.full_name(parts.score)}: {counted(len(parts.domains), 'domain')}\n"
            f"Bottleneck: {_report.largest_loss(parts.score) if linear else what}"
        )
        others: list[str] = []
        predicts = next(iter(self.stable.sentences()), None) is not None
        if predicts and self.average["missing"] != "available":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the table above has said it
                how = {name: self.average[name] for name in ("weights", "missing")}
                drawn = uncertainty.resampled_domains(self.data, **how)
                others = uncertainty.on_other_domains(drawn, parts.score, LEVEL, self.average["shift_prior"])
        lines = [*self.preparation.sentences(), *self._sentences(linear), *others]
        if self.preparation.shift_prior is not None and len(parts.domains) > 1:
            lines.append(
                "The shift weighs positives and negatives anew, so domains with many positives change their share; "
                "values and real weights are those after it"
            )
        return {"table": table, "title": title, "summary": "\n".join(lines), "right": right}

    def _sentences(self, linear: bool) -> list[str]:
        """Say where the mean of the scores ranks otherwise, which domains decide who is first, what predicts them."""
        parts, stable, chosen, lines = self.parts, self.stable, self.chosen, list[str]()
        if chosen is not None:
            values = [float(parts.summarized[chosen]), float(self.means.means[chosen])]
            value, mean = _report.decimals(values)
            name = label(parts.names[chosen])
            if not linear:
                lines.append(f"Score of the summarized performance: {value}; mean of the scores: {mean}")
            elif _report.in_percent(parts.score):
                lines.append(f"On average, {name} answers {_report.shares_right(values[:1])[0]} right")
            else:  # the mean of the scores is the score of the summary
                lines.append(f"On average, {name} has the {parts.score.name} {_report.decimals(values[:1])[0]}")
        if len(parts.domains) < 2:
            return [*lines, "There is one domain only: there is nothing to compare it with, or to leave out"]
        lines += [] if linear else self.means.sentences()
        if len(parts.names) > 1 and len(stable.domains):
            names = some(stable.deciding, MOST_LISTED, quote="")
            best = sorted(stable.ranking.best)
            stay = "stays" if len(best) == 1 else "stay"
            lines.append(
                f"{' = '.join(map(label, best))} {stay} first whichever domain is left out" if not stable.deciding
                else f"Who is first depends on one domain: without {names}, others are first"
                if len(stable.deciding) == 1
                else f"Who is first depends on each of {len(stable.deciding)} domains: leaving out any one of them, "
                f"{names}, changes who is first"
            )  # fmt: skip
        return [*lines, *stable.sentences()]


def _one(parts: rs.domains.Roles, e: int, shifted: bool) -> tuple[Table, tuple[str, ...]]:
    right, linear, values = _report.in_percent(parts.score), _report.is_linear(parts.score), parts.values[e].tolist()
    known = [role for role in parts.sets if role != "preponderant" or not linear]
    columns = {
        "domain": [label(name) for name in parts.domains],
        "right" if right else "value": _report.shares_right(values) if right else _report.decimals(values),
        "weight" if linear else "given weight": _shares(parts.lambdas),
    }
    if shifted:
        columns["after the shift"] = _shares(parts.shares[e])
    columns |= {} if linear else {"real weight": _shares(parts.weights[e])}
    lost = "of the wrong answers" if right else "of what is lost" if linear else "of the errors"
    columns[lost] = _shares(parts.errors[e])
    roles = [", ".join(role for role in known if domain in parts.sets[role][e]) for domain in parts.domains]
    return Table(columns | {"role": roles}), tuple(columns)[1:]


def _shares(values: Iterable[float | Fraction]) -> list[str]:
    return ["—" if x != x else "0 %" if x == 0 else percent(float(x)) for x in values]

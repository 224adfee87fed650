"""``rankscape domains``: what each domain is for an entity, and how much the answer depends on them."""

import warnings
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import Any

import click
import numpy as np

from .._report import decimals, records, render, to_json
from .._report.leaderboard import full_name, in_percent, is_linear, largest_loss, shares_right
from ..checks import rows_of
from ..domains import (
    LeaveOneOut,
    MeanOfScores,
    Prepared,
    Roles,
    leave_one_out,
    mean_of_scores,
    prepare,
    roles,
    roles_tile,
)
from ..domains.roles import BOTTLENECK as OF_ERRORS
from ..domains.stability import FEWEST
from ..outputs import FIGURES
from ..results import Table
from ..texts import counted, label, percent, some
from ..typing import Missing
from ..uncertainty import resampled_domains
from ..uncertainty.defaults import LEVEL
from ..uncertainty.summary import on_other_domains
from .base import chosen_format, example, figure_kind, show, single, text_options, width
from .endings import Refusal
from .figures import FigureLook, figure_options, write_figure
from .preference import preference, preference_options, wanted
from .reading import Given, Reading, accounted, file_argument, name_of, performances, reading_options
from .summaries import note, summary_options

MOST_LISTED = 5


@click.command("domains", cls=Reading, epilog=example("rankscape domains results.csv --by f1"))
@file_argument()
@single("--entity", metavar="NAME", help="Show one model, on all its domains.")
@preference_options
@summary_options()
@figure_options
@text_options(" Or a figure, png, svg or pdf: which domain is the bottleneck of the model, for every preference.")
@reading_options
def command(
    file: Given,
    entity: str | None,
    given: Any,
    missing: Missing,
    shift_prior: Any,
    format_: str | None,
    output: Path | None,
    look: FigureLook,
    **options: Any,
) -> None:
    """Show the hardest domain of each model, and its bottleneck.

    The output names the easiest, the hardest, the preponderant and the bottleneck domain. FILE is a table as for
    `rankscape rank`, with a column of domains. The program averages performances, not scores, over the domains. The
    bottleneck has the largest share of the errors. The weight that a domain ends up with depends on the preference, and
    the table shows it. The output also says where the mean of the scores gives another ranking, where one domain
    decides who is first, and how well the ranking by the other domains predicts the ranking on each. --shift-prior
    multiplies the counts of an entity by two factors, one per class and the same on every domain, so the shares of the
    domains change, too.
    """
    figure = figure_kind(format_, output)
    look.refuse_without(figure)
    kind = figure or chosen_format(format_, output, FIGURES)
    ways = wanted(options)
    data = performances(file, **options)
    if data.domains is None:
        raise Refusal(
            f"{name_of(file)} names no domains: name the column of domains with --domain-column, or use "
            "`rankscape rank`"
        )
    score = preference(data.space, **ways)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what follows says it
        preparation = prepare(data, weights=given, missing=missing, shift_prior=shift_prior)
    if figure and output is not None:
        if any(way is not None for way in ways.values()):
            raise click.UsageError(
                "a figure maps the bottleneck for every preference: leave out --by, --at, --importance and --costs"
            )
        tile_map = roles_tile(data, entity, "bottleneck", given, missing, shift_prior=shift_prior)
        tile_map = replace(tile_map, subtitle=" ".join(filter(None, (tile_map.subtitle, preparation.in_short))))
        named = {*data.names, *data.domains}
        write_figure(output, lambda **how: tile_map.plot(**how).figure, figure, look, named)
        note(preparation)
        return
    parts = roles(data, score, given, missing, shift_prior=shift_prior)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the commands above have said it
        means = mean_of_scores(data, score, given, missing, shift_prior=shift_prior)
        stable = leave_one_out(data, score, given, missing, shift_prior=shift_prior)
        predicts = len(parts.names) > 1 and len(stable.domains) >= FEWEST
        others: list[str] = []
        if predicts and missing != "available":
            drawn = resampled_domains(data, weights=given, missing=missing)
            others = on_other_domains(drawn, score, LEVEL, shift_prior)
    chosen = None if entity is None else rows_of(parts.names, entity, "entity")[0]
    if kind == "json":
        show(_document(parts, means, stable, predicts, chosen, preparation), kind, output)
    elif kind == "csv":
        table = parts.table()
        kept = [row for row in table.rows() if chosen is None or row[0] == entity]
        show(Table(dict(zip(table.columns, map(list, zip(*kept, strict=True)), strict=True))).to_csv(), kind, output)
        note(preparation)
    else:
        table, right = _many(parts) if chosen is None else _one(parts, chosen, preparation.shift_prior is not None)
        summary = summary_of_domains(parts, means, stable, chosen, preparation)
        title = title_of_domains(parts, chosen)
        summary = "\n".join([summary, *others])
        show(render(table, kind, title=title, summary=summary, right=right, width=width()), kind, output)


def _many(parts: Roles) -> tuple[Table, list[str]]:
    columns: dict[str, list[str]] = {"model": [label(name) for name in parts.names]}
    linear = is_linear(parts.score)  # then the domains weigh what is given, for all alike
    value, write = "on average" if linear else "summarized", shares_right if in_percent(parts.score) else decimals
    columns[value] = write(parts.summarized.tolist())
    for role in ("easiest", "hardest", *(() if linear else ("preponderant",)), "bottleneck"):
        columns[role] = [named_domains(names) for names in parts.sets[role]]
    return Table(columns), [value]


def _one(parts: Roles, e: int, shifted: bool) -> tuple[Table, list[str]]:
    known = [role for role in parts.sets if role != "preponderant" or not is_linear(parts.score)]
    roles_of = [", ".join(role for role in known if domain in parts.sets[role][e]) for domain in parts.domains]
    right, linear, values = in_percent(parts.score), is_linear(parts.score), parts.values[e].tolist()
    columns = {
        "domain": [label(name) for name in parts.domains],
        "right" if right else "value": shares_right(values) if right else decimals(values),
        "weight" if linear else "given weight": _shares(parts.lambdas),
    }
    if shifted:
        columns["after the shift"] = _shares(parts.shares[e])
    columns |= {} if linear else {"real weight": _shares(parts.weights[e])}
    lost = "of the wrong answers" if right else "of what is lost" if linear else "of the errors"
    columns |= {lost: _shares(parts.errors[e]), "role": roles_of}
    return Table(columns), list(columns)[1:-1]


def _shares(values: Iterable[float | Fraction]) -> list[str]:
    return ["—" if x != x else "0 %" if x == 0 else percent(float(x)) for x in values]


def _document(
    parts: Roles,
    means: MeanOfScores,
    stable: LeaveOneOut,
    predicts: bool,
    chosen: int | None,
    preparation: Prepared,
) -> str:
    rows = range(len(parts.names)) if chosen is None else [chosen]
    names = {parts.names[e] for e in rows}
    return to_json(
        accounted(
            {
                "schema": "rankscape/domains/1",
                "score": parts.score.name,
                "rule": "errors",
                "prepared": preparation.document(),
                "entities": [
                    {"entity": parts.names[e], "summarized": float(parts.summarized[e]), "mean": float(means.means[e])}
                    | {role: list(sets[e]) for role, sets in parts.sets.items()}
                    for e in rows
                ],
                "cells": [row for row in records(parts.table()) if row["entity"] in names],
                "mean_of_scores": {"swapped": means.swapped, "bijection_broken": means.bijection_broken},
                "leave_one_out": {"first": sorted(stable.ranking.best), "deciding": stable.deciding},
                "cross_validation": _prediction(stable) if predicts else None,
            }
        )
    )


def _prediction(stable: LeaveOneOut) -> dict[str, Any]:
    summary = {
        "weighting": stable.weighting,
        "tau": stable.mean_tau,
        "smallest_tau": float(np.nanmin(stable.tau_there)) if stable.used else nan,
        "p_first": stable.hits / stable.used if stable.used else nan,
        "domains": stable.used,
    }
    cells = {
        "weighting": [stable.weighting] * len(stable.domains),
        "domain": stable.domains,
        "tau": stable.tau_there,
        "p_first": stable.p_first,
        "compared": stable.compared,
        "predicted": list(map(sorted, stable.predicted)),
        "observed": list(map(sorted, stable.observed)),
    }
    return {"weightings": [summary], "cells": records(Table(cells))}


def title_of_domains(roles: Roles, chosen: int | None) -> str:
    """Say whose domains these are, and what a bottleneck is."""
    subject = counted(len(roles.names), "model") if chosen is None else label(roles.names[chosen])
    return (
        f"Domains of {subject}, by {full_name(roles.score)}: {counted(len(roles.domains), 'domain')}\n"
        f"Bottleneck: {largest_loss(roles.score) if is_linear(roles.score) else OF_ERRORS}"
    )


def named_domains(names: tuple[str, ...]) -> str:
    """Name the domains that share a role."""
    if len(names) > 2:
        return some(names, 2, quote="")
    return " and ".join(map(label, names)) or "—"


def summary_of_domains(
    roles: Roles,
    means: MeanOfScores,
    stable: LeaveOneOut,
    chosen: int | None,
    preparation: Prepared,
) -> str:
    """Say where the mean of the scores ranks otherwise, which domains decide who is first, and what predicts them."""
    lines = list(preparation.sentences())
    if preparation.shift_prior is not None and len(roles.domains) > 1:
        lines.append(
            "The shift multiplies all positives by one factor and all negatives by another, so that domains with many "
            "positives change their share of the population; values and real weights are those after it"
        )
    linear = is_linear(roles.score)  # then the mean of the scores is the score of the summary
    if chosen is not None and linear and not in_percent(roles.score):
        value = decimals([float(roles.summarized[chosen])])[0]
        lines.append(f"On average, {label(roles.names[chosen])} has the {roles.score.name} {value}")
    elif chosen is not None and linear:
        right = shares_right([float(roles.summarized[chosen])])[0]
        lines.append(f"On average, {label(roles.names[chosen])} answers {right} right")
    elif chosen is not None:
        value, mean = decimals([float(roles.summarized[chosen]), float(means.means[chosen])])
        lines.append(f"Score of the summarized performance: {value}; mean of the scores: {mean}")
    if len(roles.domains) < 2:
        return "\n".join([*lines, "There is one domain only: there is nothing to compare it with, or to leave out"])
    lines += [] if linear else means.sentences()
    if stable.deciding and len(roles.names) > 1:
        names = some(stable.deciding, MOST_LISTED, quote="")
        if len(stable.deciding) == 1:
            lines.append(f"Who is first depends on one domain: without {names}, others are first")
        else:
            lines.append(
                f"Who is first depends on each of {len(stable.deciding)} domains: leaving out any one of them, {names}"
                ", changes who is first"
            )
    elif len(stable.domains) and len(roles.names) > 1:
        best = sorted(stable.ranking.best)
        stay = "stays" if len(best) == 1 else "stay"
        lines.append(f"{' = '.join(map(label, best))} {stay} first whichever domain is left out")
    return "\n".join([*lines, *stable.sentences()])

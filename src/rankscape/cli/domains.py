"""``rankscape domains``: what each domain is for an entity, and how much the answer depends on them."""

import warnings
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._report.figures import content
from ..texts import counted, label, some
from .base import (
    Spelled,
    chosen_format,
    debug_option,
    example,
    figure_kind,
    format_option,
    once,
    output_option,
    show,
    spoken_warnings,
    width,
    write,
)
from .preference import check_preference, preference, preference_options
from .reading import performances, reading_options
from .summaries import missing_option, note, shift_option, weights_option

if TYPE_CHECKING:
    from ..domains import LeaveOneOut, MeanOfScores, Prepared, Roles
    from ..results import Table


@click.command("domains", epilog=example("rankscape domains results.csv --by f1"))
@click.argument("file", metavar="FILE|-")
@click.option("--entity", multiple=True, callback=once, metavar="NAME", help="One entity, all its domains.")
@preference_options
@weights_option
@missing_option()
@shift_option
@click.option(
    "--rule",
    type=Spelled(["errors", "left out", "hardest"], {"left-out": "left out"}),
    default="errors",
    help="What the bottleneck is: the domain with the largest share of the errors (the default), the one without "
    "which the score would be largest (left out), or the one with the smallest score (hardest).",
)
@format_option
@output_option(
    "File to write; its suffix (csv, json, tex, md, txt) sets the format. Or a figure, png, svg or pdf: which domain "
    "is the bottleneck of the entity, for every preference."
)
@reading_options
@debug_option
def command(
    file: str,
    entity: str | None,
    by: str | None,
    at: tuple[Fraction, Fraction] | None,
    importance: dict[str, Fraction] | None,
    costs: dict[str, Fraction] | None,
    domain: str | None,
    given: Any,
    missing: Any,
    shift_prior: Fraction | None,
    rule: Any,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Show the hardest domain of each model, and its bottleneck.

    The output names the easiest, the hardest, the preponderant and the bottleneck domain. FILE is that of `rankscape
    rank`, with a column of domains. rankscape averages performances, not scores, over the domains. The weight that a
    domain then has depends on the preference, and the table contains it. The output also says where the mean of the
    scores ranks otherwise, and where one domain decides who is first. --shift-prior multiplies the counts of an entity
    by two factors, one per class and the same on every domain, so the shares of the domains change, too.
    """
    from .._report import render
    from ..domains import leave_one_out, mean_of_scores, prepare, roles, roles_tile
    from ..results import Table

    figure = figure_kind(format_, output)
    kind = figure or chosen_format(format_, output)
    wanted = {"by": by, "at": at, "importance": importance, "costs": costs}
    check_preference(reading["truth"] is None, **wanted)
    data = performances(file, domain, **reading)
    score = preference(data.space, **wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what follows says it
        asked = prepare(data, weights=given, missing=missing, shift_prior=shift_prior)
    if figure and output is not None:
        if rule == "left out" or any(way is not None for way in wanted.values()):
            raise click.UsageError(
                "a figure maps the bottleneck, or the hardest domain (--rule hardest), for every preference: leave out "
                "--by, --at, --importance, --costs and --rule 'left out'",
                click.get_current_context(),
            )
        with spoken_warnings():
            role: Any = "bottleneck" if rule == "errors" else rule
            tile_map = roles_tile(data, entity, role, given, missing, shift_prior=shift_prior)
        tile_map = replace(tile_map, subtitle=" ".join(filter(None, (tile_map.subtitle, asked.in_short))))
        write(output, content(lambda: tile_map.plot().figure, figure))
        note(asked)
        return
    with spoken_warnings():
        found = roles(data, score, given, missing, rule=rule, shift_prior=shift_prior)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the commands above have said it
        means = mean_of_scores(data, score, given, missing, shift_prior=shift_prior)
        stable = leave_one_out(data, score, given, missing, shift_prior=shift_prior)
    chosen = None if entity is None else _row(found, entity)
    if kind == "json":
        show(_document(found, means, stable, chosen, asked), kind, output)
    elif kind == "csv":
        table = found.table()
        kept = [row for row in table.rows() if chosen is None or row[0] == entity]
        columns = zip(*kept, strict=True)
        show(Table(dict(zip(table.columns, map(list, columns), strict=True))).to_csv(), kind, output)
        note(asked)
    else:
        table, right = _many(found) if chosen is None else _one(found, chosen, asked.shift_prior is not None)
        prose = {"title": _title(found, chosen), "summary": _summary(found, means, stable, chosen, asked)}
        show(render(table, kind, **prose, right=right, width=width()), kind, output)


def _row(found: "Roles", entity: str) -> int:
    from ..checks import rows_of

    return rows_of(found.names, entity, "entity")[0]


def _title(found: "Roles", chosen: int | None) -> str:
    from .._report.leaderboard import full_name
    from ..domains.roles import RULES

    who = counted(len(found.names), "entity", "entities") if chosen is None else label(found.names[chosen])
    return (
        f"Domains of {who}, by {full_name(found.score)}: {counted(len(found.domains), 'domain')}\n"
        f"Bottleneck: {RULES[found.rule]}"
    )


def _many(found: "Roles") -> tuple["Table", list[str]]:
    from .._report import decimals
    from ..results import Table

    columns: dict[str, list[str]] = {
        "entity": [label(name) for name in found.names],
        "summarized": decimals(found.summarized.tolist()),
    }
    for role in ("easiest", "hardest", "preponderant", "bottleneck"):
        columns[role] = [_names(names) for names in found.sets[role]]
    return Table(columns), ["summarized"]


def _one(found: "Roles", e: int, shifted: bool) -> tuple["Table", list[str]]:
    from .._report import decimals
    from ..results import Table
    from ..texts import percent

    roles = [", ".join(role for role, sets in found.sets.items() if domain in sets[e]) for domain in found.domains]
    columns = {
        "domain": [label(name) for name in found.domains],
        "value": decimals(found.values[e].tolist()),
        "given weight": ["0 %" if x == 0 else percent(float(x)) for x in found.lambdas],
    }
    if shifted:
        columns["after the shift"] = [
            "—" if x != x else "0 %" if x == 0 else percent(x) for x in found.shares[e].tolist()
        ]
    columns |= {
        "real weight": ["—" if x != x else "0 %" if x == 0 else percent(x) for x in found.weights[e].tolist()],
        "of the errors": ["—" if x != x else "0 %" if x == 0 else percent(x) for x in found.errors[e].tolist()],
        "role": roles,
    }
    return Table(columns), list(columns)[1:-1]


def _names(names: tuple[str, ...]) -> str:
    if not names:
        return "—"
    return some(names, 2, quote="", joint=", " if len(names) > 2 else " and ")


def _summary(
    found: "Roles", means: "MeanOfScores", stable: "LeaveOneOut", chosen: int | None, asked: "Prepared"
) -> str:
    from .._report import decimals

    lines = list(asked.sentences())
    if asked.shift_prior is not None and len(found.domains) > 1:
        lines.append(
            "The shift multiplies all positives by one factor and all negatives by another, so that domains with many "
            "positives change their share of the population; values and real weights are those after it"
        )
    if chosen is not None:
        value, mean = decimals([float(found.summarized[chosen]), float(means.means[chosen])])
        lines.append(f"Score of the summarized performance: {value}; mean of the scores: {mean}")
    symbol = found.score.symbol
    if len(found.domains) < 2:
        return "\n".join([*lines, "There is one domain only: there is nothing to compare it with, or to leave out"])
    if means.swapped:
        pairs = some(means.swapped, quote="", joint="; ", word=lambda pair: f"{label(pair[1])} above {label(pair[0])}")
        lines.append(
            f"The mean of the {symbol} of the domains tells another story: it swaps "
            f"{counted(len(means.swapped), 'pair')} (and puts {pairs})"
        )
    elif len(found.names) > 1:
        lines.append(f"The mean of the {symbol} of the domains swaps no pair")
    if means.bijection_broken:
        lines.append("Averaged scores contradict each other: the mean precision is not that of the mean TPR and FPR")
    lost = int(means.undefined.sum())
    if lost:
        lines.append(
            f"{symbol} is undefined in {counted(lost, 'cell')}, which the mean of the {symbol} leaves out; the "
            "summarized performances count them too"
        )
    if stable.deciding and len(found.names) > 1:
        names = some(stable.deciding, quote="")
        if len(stable.deciding) == 1:
            lines.append(f"Who is first depends on one domain: without {names}, others are first")
        else:
            lines.append(
                f"Who is first depends on each of {len(stable.deciding)} domains: leaving out any one of them, {names}"
                ", changes who is first"
            )
    elif len(stable.domains) and len(found.names) > 1:
        lines.append(f"Whichever domain is left out, first stays {' = '.join(map(label, sorted(stable.ranking.best)))}")
    return "\n".join(lines)


def _document(
    found: "Roles", means: "MeanOfScores", stable: "LeaveOneOut", chosen: int | None, asked: "Prepared"
) -> str:
    from .._report import to_json

    table, rows = found.table(), range(len(found.names)) if chosen is None else [chosen]
    names = {found.names[e] for e in rows}
    return to_json(
        {
            "schema": "rankscape/domains/1",
            "score": found.score.name,
            "rule": found.rule,
            "prepared": asked.document(),
            "entities": [
                {"entity": found.names[e], "summarized": float(found.summarized[e]), "mean": float(means.means[e])}
                | {role: list(sets[e]) for role, sets in found.sets.items()}
                for e in rows
            ],
            "cells": [dict(zip(table.columns, row, strict=True)) for row in table.rows() if row[0] in names],
            "mean_of_scores": {"swapped": means.swapped, "bijection_broken": means.bijection_broken},
            "leave_one_out": {"first": sorted(stable.ranking.best), "deciding": stable.deciding},
        }
    )

"""``rankscape rank``: the leaderboard."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import click

import rankscape as rs

from .. import _report, uncertainty
from ..account import ONLY_COUNTS
from ..domains import prepare
from ..errors import RankscapeWarning
from ..io.headers import PrintedRatesError
from ..performances import Performances
from .base import Output, announce, example, note, output_options, refuse, width
from .preference import preference, preference_options, seen_and_drawn
from .reading import Files, Given, Reading, domain_option, file_argument, kept, reading_options, source
from .summaries import POLICIES, draws_options, no_draws, summary_options

COLUMNS = (
    "\b\nColumns of csv and json: rank_low and rank_high are the ranks that tied models share; with --uncertainty,\n"
    "low and high are the set of ranks, value_low and value_high the interval of the score."
)


@click.command("rank", cls=Reading, epilog=f"{COLUMNS}\n\n" + example('rankscape rank results.csv --by "fbeta(2)"'))
@file_argument()
@preference_options()
@summary_options()
@click.option("--uncertainty", "uncertain", is_flag=True, help="Add sets of ranks, intervals of the score, and "
              "P(first).")  # fmt: skip
@click.option(
    "--differences",
    is_flag=True,
    help="Print the sure differences instead of the leaderboard; needs no --uncertainty.",
)
@click.option(
    "--other-methods",
    is_flag=True,
    help="Print how challenges would rank: by mean and median ranks of the cases, and by tests. FILE must say "
    "which cases the models share.",
)
@draws_options(1)
@output_options(" With --uncertainty or --differences also a figure of them: png, svg or pdf.", figures=True)
@reading_options(domain_option)
def command(
    file: Given,
    ways: dict[str, Any],
    average: dict[str, Any],
    uncertain: bool,
    differences: bool,
    other_methods: bool,
    drawn: dict[str, Any],
    out: Output,
    reading: dict[str, Any],
) -> None:
    """Rank the models of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities. `rankscape formats`
    lists what else it may be, such as right or wrong answers, or the files of a benchmark.

    Of printed rates, such as sensitivity and specificity, the ranks get bounds over the rounding. Every column counts;
    where they leave the score open, state the share of positives with --shift-prior, or give n or a prevalence.

    With --truth and --prediction, FILE has predictions, one row per case, which are counted. Several --prediction, or
    --case, say that the cases are the same for all. The draws of --uncertainty and --differences are then paired.
    """
    sure = uncertain or differences
    what = "a figure of the draws" if out.is_figure else "the table of sure differences" if differences else ""
    if not sure:
        no_draws(drawn, "is about the draws of --uncertainty or --differences: pass one of them, too")
        if out.is_figure:
            raise click.UsageError(
                f"{out.path} is a figure, and figures show draws: add --uncertainty or --differences"
            )
    again = kept(file, reading["encoding"]) if reading["truth"] is None else file
    data: Any = None
    with suppress(PrintedRatesError):
        # other methods, as draws, need to know which cases are the same
        data = source(again, reading, drawn | {"draws": 1} if other_methods else drawn)
    if other_methods:  # which few need
        import_module(".challenges", __package__).other_methods(data, average["weights"], sure, out)
        return
    if data is None and what:
        raise click.UsageError(
            f"{what} needs counts, but FILE has printed rates: --uncertainty alone prints their sets of ranks"
        )
    if data is None or (_are_printed_rates(data, again) and not what):
        printed = _of_printed_rates(again, ways, reading, average["shift_prior"], drawn if sure else None, data)
        out.show(printed.render(out.kind, width()))
        return
    data, draws, score = seen_and_drawn(data, ways, drawn, average, needed=True)
    # domains are drawn for all entities at once, so that each needs the same ones
    policies = ("error", "complete") if drawn["resample"] == "domains" else tuple(POLICIES)
    preparation = prepare(data, **average, policies=policies)
    with warnings.catch_warnings():
        if out.path is None and out.kind not in ("csv", "json"):
            warnings.simplefilter("ignore", RankscapeWarning)  # the text below the table has them
        board = _report.leaderboard(preparation, score)
    if draws is not None:
        how = {"level": drawn["level"], "shift_prior": average["shift_prior"]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the commands above have said it
            intervals = uncertainty.rank_intervals(draws, score, **how)
        if out.is_figure:
            out.draw(partial(rs.plots.draw_sure_differences, intervals) if differences else intervals.plot)
            return
        board = replace(board, intervals=intervals)
    out.show(board.render(out.kind, width(), differences))
    if out.kind == "csv":
        note([*preparation.sentences(), *board.notes_of_ranking, *board.notes_of_draws])


def _are_printed_rates(data: Performances, file: Files) -> bool:
    """Tell whether one file had rates, of one domain, in the place of counts: these are ranked as they are printed."""
    account, where = data.account, getattr(file, "where", file)
    known = account is not None and account.source == where and ONLY_COUNTS in account.notes
    return known and data.domains is None


def _of_printed_rates(
    file: Files, ways: dict[str, Any], reading: dict[str, Any], prior: Any, drawn: dict[str, Any] | None,
    known: Performances | None,
) -> _report.PublishedBoard:  # fmt: skip
    """Rank printed rates, with bounds over the rounding; ``known`` are the performances where they fix the counts."""
    refuse(("weights", "missing"), "would change nothing: printed rates are ranked on one domain, which --domain names")
    refuse(("resample", "cluster"), "would change nothing: printed rates have no cases, clusters or domains to draw")
    if isinstance(reading["domain_column"], list):
        raise click.UsageError("FILE has printed rates, of one column of domains: name one --domain-column")
    names = {name: reading[name] for name in ("domain", "domain_column", "encoding")}
    table = rs.read_published(file, entity=reading["entity_column"], **names)  # type: ignore[arg-type]
    account = table.account if known is None else known.account
    announce(account)
    score = preference(**ways)
    board = _report.PublishedBoard(table.rank(score, prior), account=account)
    if drawn is None:
        return board
    draws = table.draws(drawn["draws"], drawn["seed"], method=drawn["posterior"]).shift_priors(prior)
    return replace(board, intervals=uncertainty.rank_intervals(draws, score, level=drawn["level"]))

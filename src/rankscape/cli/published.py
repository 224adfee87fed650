"""Tables of printed rates in the place of counts: how ``rank`` reads and ranks them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from .._report.published import PublishedBoard
from ..io import read_published
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..typing import Ties
from ..uncertainty import rank_intervals
from .preference import preference
from .reading import Files, announce


def published_board(
    file: Files,
    ways: dict[str, Any],
    reading: dict[str, Any],
    weights: Any,
    missing: str,
    shift_prior: Any,
    ties: Ties,
    drawn: dict[str, Any] | None,
    known: Performances | None,
) -> PublishedBoard:
    """Read printed rates and rank them, with bounds over the rounding; refuse options that would change nothing.

    ``known`` are the performances, and what was read of them, where the rates fix the counts.
    """
    idle = {"--resample": drawn is not None and drawn["resample"] is not None,
            "--cluster": drawn is not None and drawn["cluster"] is not None,
            "--weights": weights is not None, "--missing": missing != "error"}  # fmt: skip
    for option, given in idle.items():
        if given:
            raise click.UsageError(f"{option} would change nothing: FILE has printed rates, of one domain")
    if isinstance(reading["domain_column"], list):
        raise click.UsageError("FILE has printed rates, of one column of domains: name one --domain-column")
    source: Any = file  # one is read as a file is
    table = read_published(
        source,
        entity=reading["entity_column"],
        domain=reading["domain"],
        domain_column=reading["domain_column"],
        encoding=reading["encoding"],
    )
    score = preference(TWO_CLASS, **ways)
    account = table.account if known is None else known.account
    announce(account)
    board = PublishedBoard(table.rank(score, shift_prior, ties), account=account)
    if drawn is None:
        return board
    draws = table.draws(drawn["draws"], drawn["seed"], method=drawn["posterior"]).shift_priors(shift_prior)
    return replace(board, intervals=rank_intervals(draws, score, level=drawn["level"]))

"""Tables of printed rates in the place of counts: how ``rank`` reads and ranks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from .._report.published import PublishedBoard
from ..io import read_published
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..typing import Ties
from ..uncertainty import rank_intervals
from .base import announce, refuse
from .preference import preference
from .reading import Files


def published_board(
    file: Files,
    ways: Mapping[str, Any],
    reading: Mapping[str, Any],
    average: Mapping[str, Any],
    ties: Ties,
    drawn: Mapping[str, Any] | None,
    known: Performances | None,
) -> PublishedBoard:
    """Read printed rates and rank them, with bounds over the rounding; refuse options that would change nothing.

    ``known`` are the performances, and what was read of them, where the rates fix the counts.
    """
    of_counts = ("resample", "cluster", "weights", "missing")
    refuse(of_counts, "would change nothing: FILE has printed rates, of one domain")
    if isinstance(reading["domain_column"], list):
        raise click.UsageError("FILE has printed rates, of one column of domains: name one --domain-column")
    source: Any = file  # one is read as a file is
    names = {"entity": reading["entity_column"], "domain": reading["domain"]}
    table = read_published(source, **names, domain_column=reading["domain_column"], encoding=reading["encoding"])
    score, prior = preference(TWO_CLASS, **ways), average["shift_prior"]
    account = table.account if known is None else known.account
    announce(account)
    board = PublishedBoard(table.rank(score, prior, ties), account=account)
    if drawn is None:
        return board
    draws = table.draws(drawn["draws"], drawn["seed"], method=drawn["posterior"]).shift_priors(prior)
    return replace(board, intervals=rank_intervals(draws, score, level=drawn["level"]))

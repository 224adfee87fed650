"""Predictions that are no classes: how they are read, and how regressors are ranked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from .._report.card import report
from .._report.leaderboard import DEFAULT_ERROR, Leaderboard, leaderboard
from ..explorer.document import titled
from ..explorer.regression import TITLE, regression_page
from ..io.task_tables import read_task
from ..performances import Performances
from ..tasks.pairs import Pairs
from ..typing import Ties
from ..uncertainty import rank_intervals
from .reading import Files, announce, called, refuse_others

IDLE = ("at", "importance", "costs", "currency", "per", "shift_prior", "domain")


def task_performances(file: Files, reading: dict[str, Any]) -> Performances | Pairs:
    """Return the performances in a table of predictions that are no classes."""
    refuse_others(reading)
    given: Any = file
    if isinstance(given, list):
        raise click.UsageError(f"--task {reading['task']} reads one FILE; got {len(given)}")
    return read_task(
        given, reading["task"], truth=reading["truth"], prediction=reading["prediction"],
        entity=reading["entity_column"], domain=reading["domain_column"], case=reading["case"],
        unit=reading["unit"], encoding=reading["encoding"],
    )  # fmt: skip


def ranked_values(file: Files, options: dict[str, Any], drawn: dict[str, Any] | None, ties: Ties) -> Leaderboard:
    """Rank regressors; refuse options that mean nothing for them."""
    pairs = _pairs(file, options)
    board = leaderboard(pairs, options["by"], ties)
    if drawn is None:
        return board
    return replace(board, intervals=rank_intervals(pairs, options["by"] or DEFAULT_ERROR, **_draws(drawn)))


def reported_values(
    file: Files, output: Path, options: dict[str, Any], drawn: dict[str, Any] | None, how: dict[str, Any]
) -> None:
    """Write the card of regressors."""
    pairs = _pairs(file, options)
    draws: dict[str, Any] = {"draws": 0} if drawn is None else _draws(drawn)
    asked = {name: how[name] for name in ("ties", "title", "explorer", "figures", "reference_prior")}
    report(pairs, output, options["by"], **asked, **draws)


def explored_values(file: Files, options: dict[str, Any], title: str | None, drawn: dict[str, Any] | None) -> str:
    """Return the page of regressors."""
    return regression_page(
        _pairs(file, options),
        title or titled(TITLE, called(file)),
        options["by"],
        None if drawn is None else _draws(drawn),
    )


def _pairs(file: Files, options: dict[str, Any]) -> Pairs:
    params = click.get_current_context().params
    idle = [name for name in IDLE if params.get(name) not in (None, ())]
    idle += [name for name, default in (("weights", None), ("missing", "error"))
             if params.get("given" if name == "weights" else name, default) != default]  # fmt: skip
    if idle:
        raise click.UsageError(
            f"--{idle[0].replace('_', '-')} is about outcomes or domains, and regression has neither"
        )
    pairs = task_performances(file, options)
    if not isinstance(pairs, Pairs):
        raise click.UsageError("--task regression holds values")
    announce(pairs.account)
    return pairs


def _draws(drawn: dict[str, Any]) -> dict[str, Any]:
    """Return the options of draws that regressors have."""
    for name in ("resample", "cluster"):
        if drawn[name] is not None:
            raise click.UsageError(f"--{name} would change nothing: the cases of regression are drawn one by one")
    return {"draws": drawn["draws"], "rng": drawn["seed"], "level": drawn["level"], "method": drawn["posterior"]}

"""``rankscape rank``: the leaderboard."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import (
    chosen_format,
    costs,
    debug_option,
    example,
    format_option,
    importance,
    number,
    once,
    output_option,
    performances,
    reading_options,
    show,
    spoken_warnings,
)

if TYPE_CHECKING:
    from ..scores import Score

DEFAULT = "f1"


@click.command("rank", epilog=example('rankscape rank results.csv --by "fbeta(2)"'))
@click.argument("file", metavar="FILE|-")
@click.option(
    "--by",
    multiple=True,
    callback=once,
    metavar="SCORE",
    help=f"Name of a score, or an expression; by default {DEFAULT}.",
)
@click.option("--at", nargs=2, type=number, metavar="A B", help="Place on the Tile.")
@click.option("--importance", type=importance, metavar="tn=1,fp=1,fn=5,tp=5", help="How much each outcome matters.")
@click.option("--costs", type=costs, metavar="miss=5,false-alarm=1", help="What each error costs.")
@click.option(
    "--domain", multiple=True, callback=once, metavar="NAME", help="Rank on one domain; otherwise all are averaged."
)
@click.option("--ties", type=click.Choice(["min", "max", "average"]), default="min", help="Rank of tied entities.")
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@reading_options
@debug_option
def command(
    file: str,
    by: str | None,
    at: tuple[Fraction, Fraction] | None,
    importance: dict[str, Fraction] | None,
    costs: dict[str, Fraction] | None,
    domain: str | None,
    ties: str,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Rank the entities of a table by a score or a preference.

    FILE has the columns entity, tn, fp, fn, tp, and optionally domain: counts, or probabilities.
    """
    from .leaderboard import leaderboard

    format_ = chosen_format(format_, output)
    score = preference(by=by, at=at, importance=importance, costs=costs)
    data = performances(file, domain, **reading)
    with spoken_warnings():
        board = leaderboard(data, score, ties)
    if format_ == "csv":
        for note in board.notes:
            click.echo(f"note: {note}", err=True)
    read_here = output is None and sys.stdout.isatty()  # where the warning is read too
    show(board.render(format_, cautious=not read_here), format_, output)


def preference(**given: Any) -> "Score":
    """Return the score that the options ask for."""
    from ..outcomes import at, costs, importance
    from ..scores import score, score_of_importance

    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        both = " and ".join(f"--{name}" for name in chosen)
        raise click.UsageError(
            f"{both} each say what to rank by: choose one of --by, --at, --importance and --costs",
            click.get_current_context(silent=True),
        )
    if given["at"] is not None:
        a, b = given["at"]
        name = f"the ranking score at a = {float(a):g}, b = {float(b):g}"
        return score_of_importance(at(a, b), name=name)
    if given["importance"] is not None:
        return score_of_importance(importance(**given["importance"]))
    if given["costs"] is not None:
        miss, false_alarm = (given["costs"].get(kind, Fraction(1)) for kind in ("miss", "false-alarm"))
        name = f"the ranking score for costs, a miss {float(miss):g} and a false alarm {float(false_alarm):g}"
        return score_of_importance(costs(miss, false_alarm), name=name)
    return score(given["by"] or DEFAULT)

"""What to rank by: the options that say it, and the score they stand for."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from .base import Command, costs, importance, number, once

if TYPE_CHECKING:
    from .._scores import Score
    from ..outcomes import SampleSpace

DEFAULT = "f1"


def preference_options(command: Command) -> Command:
    """Add the options of which :func:`preference` takes the values, and ``--domain``."""
    name = f"Name of a score, or an expression; by default {DEFAULT}, and accuracy for several classes."
    for option in (
        click.option("--domain", multiple=True, callback=once, metavar="NAME", help="One domain; otherwise averaged."),
        click.option("--costs", type=costs, metavar="miss=5,false-alarm=1", help="What each error costs."),
        click.option("--importance", type=importance, metavar="tn=1,fp=1,fn=5,tp=5", help="How much outcomes matter."),
        click.option("--at", nargs=2, type=number, metavar="A B", help="Place on the Tile."),
        click.option("--by", multiple=True, callback=once, metavar="SCORE", help=name),
    ):
        command = option(command)
    return command


def check_preference(of_counts: bool, **given: Any) -> None:
    """Raise what is wrong with the options whatever the data are, before these are read, which may take a while.

    In a table of counts (``of_counts``) a name that two classes lack may be one of several classes.
    """
    from ..errors import UsageError

    try:
        preference(**given)
    except UsageError:
        if given["by"] is None or not of_counts:
            raise


def preference(space: "SampleSpace | None" = None, **given: Any) -> "Score":
    """Return the score that the options ask for, for performances on a sample space, by default that of two classes."""
    from .._scores import default_score, score, score_of_importance
    from ..checks import two_class_only
    from ..outcomes import TWO_CLASS, at, costs, importance

    space = space or TWO_CLASS
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        both = " and ".join(f"--{name}" for name in chosen)
        raise click.UsageError(
            f"{both} each say what to rank by: choose one of --by, --at, --importance and --costs",
            click.get_current_context(silent=True),
        )
    if chosen and chosen != ["by"]:
        two_class_only(space, f"--{chosen[0]}")
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
    return score(given["by"] or default_score(space) or DEFAULT, space)

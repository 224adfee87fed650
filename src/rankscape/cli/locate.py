"""``rankscape locate``: where a score is on the Tile."""

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import (
    chosen_format,
    debug_option,
    example,
    format_option,
    importance,
    output_option,
    prior_option,
    show,
)
from .endings import FINDING, in_shell

if TYPE_CHECKING:
    from .._scores import Score

OUTCOMES = ("tn", "fp", "fn", "tp")


@click.command("locate", epilog=example("rankscape locate kappa --prior 0.3"))
@click.argument("what", metavar='SCORE|"TN,FP,FN,TP"')
@prior_option("Share of positives, for scores that need it.")
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@debug_option
def command(what: str, prior: Fraction | None, format_: str | None, output: Path | None) -> None:
    """Say where a score is on the Tile and what it prefers.

    Give its name, or its importances in the order tn, fp, fn, tp. The exit status is 1 where there is no such place.
    """
    from .._report import to_json
    from ..errors import NoPlaceError

    format_ = chosen_format(format_, output)
    score = named_score(what)
    try:
        place = score.exact_place(prior)
    except NoPlaceError as error:
        if format_ == "json":
            why = {"schema": "rankscape/locate/1", "score": score.name, "place": None, "reason": error.worded(in_shell)}
            show(to_json(why), format_, output)
        else:
            click.echo(error.worded(in_shell))
        raise click.exceptions.Exit(FINDING) from None
    show(_located(score, place, prior, format_), format_, output)


def named_score(what: str) -> "Score":
    """Return the score of a name, an expression, or importances in the order tn, fp, fn, tp."""
    from .._scores import score, score_of_importance
    from ..outcomes import TWO_CLASS

    if "," in what and not re.search(r"[()|]", what):
        return score_of_importance(TWO_CLASS.importance(**importance(what)))
    return score(what)


def _located(score: "Score", place: tuple[Fraction, Fraction], prior: Fraction | None, format_: str) -> str:
    from .._report import in_words, render, to_json
    from .._report.leaderboard import exactly, formula, full_name
    from ..results import Table

    a, b = place
    weights = whole(score.orders_as or (1 - a, 1 - b, b, a))
    used = None if score.orders_as else prior
    if format_ == "json":
        document: dict[str, Any] = {
            "schema": "rankscape/locate/1",
            "score": score.name,
            "prior": used,
            "place": {"a": a, "b": b},
            "importance": dict(zip(OUTCOMES, weights, strict=True)),
            "words": in_words(weights),
        }
        return to_json(document)
    title = full_name(score) + (f" at the prior {float(used):g}" if used is not None else "")
    if format_ == "csv":
        values = {"a": [float(a)], "b": [float(b)]} | {
            outcome: [float(w)] for outcome, w in zip(OUTCOMES, weights, strict=True)
        }
        return render(Table({"score": [score.name]} | values), format_)
    rows = {
        "formula": formula(score),
        "place": f"a = {exactly(a)}, b = {exactly(b)}",
        "importance": ", ".join(f"{name} {exactly(w)}" for name, w in zip(OUTCOMES, weights, strict=True)),
        "in words": in_words(weights),
    }
    if format_ == "table":
        return "\n".join([title, *(f"  {name:<11} {text}" for name, text in rows.items())]) + "\n"
    return render(Table({"property": list(rows), "value": list(rows.values())}), format_, title=title)


def whole(weights: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return proportional whole numbers where they are small, else the weights as they are."""
    from math import gcd, lcm

    factor = lcm(*(weight.denominator for weight in weights))
    numbers = [int(weight * factor) for weight in weights]
    divisor = gcd(*numbers)
    smallest = tuple(Fraction(number // divisor) for number in numbers)
    return smallest if max(smallest) <= 1000 else weights

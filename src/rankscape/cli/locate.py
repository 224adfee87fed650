"""``rankscape locate``: where a score is on the Tile."""

import re
from fractions import Fraction
from math import gcd
from pathlib import Path

import click
import numpy as np

from .._report import in_words, render, to_json
from .._report.leaderboard import exactly, formula, full_name
from .._scores import Score, score, score_of_importance
from .._scores.lookup import named_at
from ..errors import NoPlaceError
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS
from ..results import Table
from .base import (
    chosen_format,
    example,
    importance,
    prediction_rate_option,
    prior_option,
    show,
    text_options,
)
from .endings import FINDING, in_shell

OUTCOMES = TWO_CLASS.outcomes


@click.command("locate", epilog=example("rankscape locate kappa --prior 0.3"))
@click.argument("what", metavar='SCORE|"TN,FP,FN,TP"')
@prior_option("Share of positives, for scores that need it.")
@prediction_rate_option("Share of positive predictions, for scores that need this one.")
@text_options()
def command(
    what: str, prior: Fraction | None, prediction_rate: Fraction | None, format_: str | None, output: Path | None
) -> None:
    """Say where a score is on the Tile and what it prefers.

    Give its name, or its importances in the order tn, fp, fn, tp. The exit status is 1 where there is no such place.
    """
    format_ = chosen_format(format_, output)
    named = named_score(what)
    try:
        place = named.exact_place(prior, prediction_rate=prediction_rate)
    except NoPlaceError as error:
        if format_ == "json":
            why = {"schema": "rankscape/locate/1", "score": named.name, "place": None, "reason": error.worded(in_shell)}
            show(to_json(why), format_, output)
        else:
            click.echo(error.worded(in_shell))
        raise click.exceptions.Exit(FINDING) from None
    show(_located(named, place, {"prior": prior, "prediction_rate": prediction_rate}, format_), format_, output)


def named_score(what: str) -> Score:
    """Return the score of a name, an expression, or importances in the order tn, fp, fn, tp."""
    if "," in what and not re.search(r"[()|]", what):
        return score_of_importance(TWO_CLASS.importance(**importance(what)))
    return score(what)


def _located(located: Score, place: tuple[Fraction, Fraction], shares: dict[str, Fraction | None], format_: str) -> str:
    a, b = place
    weights = whole(located.orders_as or (1 - a, 1 - b, b, a))
    same = named_at(place) if located.importance is None else None
    used = {} if located.orders_as else {name: share for name, share in shares.items() if share is not None}
    if format_ == "json":
        return to_json(
            {
                "schema": "rankscape/locate/1",
                "score": located.name,
                "prior": used.pop("prior", None),
                **used,
                "place": {"a": a, "b": b},
                "importance": dict(zip(OUTCOMES, weights, strict=True)),
                "words": in_words(weights),
                "orders_as": None if same is None else same.key,
            }
        )
    at = "".join(f" at the {name.replace('_', ' ')} {float(share):g}" for name, share in used.items())
    title = full_name(located) + at
    if format_ == "csv":
        values = {"a": [float(a)], "b": [float(b)]} | {
            outcome: [float(w)] for outcome, w in zip(OUTCOMES, weights, strict=True)
        }
        return render(Table({"score": [located.name]} | values), format_)
    rows = {
        "formula": formula(located),
        "place": f"a = {exactly(a)}, b = {exactly(b)}",
        "importance": ", ".join(f"{name} {exactly(w)}" for name, w in zip(OUTCOMES, weights, strict=True)),
        "in words": in_words(weights),
    }
    if same is not None:
        rows["orders as"] = f"{full_name(same)}, where {located.symbol} has a value"
    if format_ == "table":
        return "\n".join([title, *(f"  {name:<11} {text}" for name, text in rows.items())]) + "\n"
    return render(Table({"property": list(rows), "value": list(rows.values())}), format_, title=title)


def whole(weights: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return proportional whole numbers where they are small, else the weights as they are."""
    numbers = integers_of_fractions(np.array(weights, dtype=object)).tolist()
    smallest = tuple(Fraction(number // gcd(*numbers)) for number in numbers)
    return smallest if max(smallest) <= 1000 else weights

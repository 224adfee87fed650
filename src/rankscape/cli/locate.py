"""``rankscape locate``: where a score is on the Tile."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

import click
import numpy as np

from .. import _report, _scores
from ..errors import NoPlaceError
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS
from ..results import Table
from .base import Decorator, Output, example, group, number, output_options, single
from .endings import FINDING, in_shell
from .preference import preference, preferred

OUTCOMES = TWO_CLASS.outcomes


def share_options(prior: str, rate: str) -> Decorator:
    """Add the shares of positives, and of positive predictions, with their help."""
    return group(
        single("--prior", type=number, metavar="P", help=prior),
        single("--prediction-rate", type=number, metavar="R", help=rate),
    )


@click.command("locate", epilog=example("rankscape locate kappa --prior 0.3"))
@click.argument("what", metavar='SCORE|"TN,FP,FN,TP"')
@share_options(
    "Share of positives, for scores that need it.", "Share of positive predictions, for scores that need this one."
)
@output_options()
def command(what: str, prior: Fraction | None, prediction_rate: Fraction | None, out: Output) -> None:
    """Say where a score is on the Tile and what it prefers.

    Give its name, or its importances in the order tn, fp, fn, tp. The exit status is 1 where there is no such place.
    """
    score = preference(by=preferred(what))
    try:
        place = score.exact_place(prior, prediction_rate=prediction_rate)
    except NoPlaceError as error:
        why = error.worded(in_shell)
        if out.kind == "json":
            nowhere = {"schema": "rankscape/locate/1", "score": score.name, "place": None, "reason": why}
            out.show(_report.to_json(nowhere))
        else:
            click.echo(why)
        raise click.exceptions.Exit(FINDING) from None
    shares = {"prior": prior, "prediction_rate": prediction_rate}
    used = {} if score.orders_as else {name: share for name, share in shares.items() if share is not None}
    a, b = place
    weights = dict(zip(OUTCOMES, whole(score.orders_as or (1 - a, 1 - b, b, a)), strict=True))
    in_words = _report.in_words(tuple(weights.values()))
    same = _scores.named_at(place) if score.importance is None else None
    document: dict[str, Any] = {
        "schema": "rankscape/locate/1",
        "score": score.name,
        "prior": None,
        **used,
        "place": {"a": a, "b": b},
        "importance": weights,
        "words": in_words,
        "orders_as": None if same is None else same.key,
    }
    numbers = {"a": a, "b": b, **weights}
    row = Table({"score": [score.name]} | {name: [float(value)] for name, value in numbers.items()})
    exactly = _report.exactly
    lines = {
        "formula": _report.formula(score),
        "place": f"a = {exactly(a)}, b = {exactly(b)}",
        "importance": ", ".join(f"{name} {exactly(weight)}" for name, weight in weights.items()),
        "in words": in_words,
    }
    if same is not None:
        lines["orders as"] = f"{_report.full_name(same)}, where {score.symbol} has a value"
    title = _report.full_name(score)
    title += "".join(f" at the {name.replace('_', ' ')} {float(share):g}" for name, share in used.items())
    if out.kind == "table":
        out.show("\n".join([title, *(f"  {name:<11} {text}" for name, text in lines.items())]) + "\n")
        return
    table = Table({"property": list(lines), "value": list(lines.values())})
    out.answer(lambda: document, lambda: row, lambda: {"table": table, "title": title})


def whole(weights: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return proportional whole numbers where they are small, else the weights as they are."""
    numbers = integers_of_fractions(np.array(weights, dtype=object)).tolist()
    smallest = tuple(Fraction(number // gcd(*numbers)) for number in numbers)
    return smallest if max(smallest) <= 1000 else weights

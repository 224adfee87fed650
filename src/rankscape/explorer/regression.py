"""The page of regressors: a leaderboard by the error, and how much cases matter by their true value, as sliders.

The importance of a regression is a function of the truth: the page cuts the true values into bands with about as many
cases each, and weighs these. (Foundations, A.2.2.)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import isfinite
from typing import Any, cast

import numpy as np

from ..errors import UsageError
from ..tasks.criteria import Criterion, criterion, exact_sums
from ..tasks.pairs import Pairs
from ..typing import Floats, Integers, ScoreLike
from ..uncertainty import rank_intervals
from ..uncertainty.defaults import LEVEL
from .document import document, source

BANDS = 4
"""Bands of the true values, at most."""

OFF = 0.02
"""How far, relative to the narrowest band, an edge may be from the quantile, so that it has few digits."""

ALWAYS = ("mae", "rmse")
"""Errors that the page offers besides the one that it opens with."""

MODULES = ("exact", "names", "texts", "dom", "regression_errors", "regression_page")

TITLE = "Which regressor is best?"


def regression_page(
    pairs: Pairs, title: str | None = None, by: ScoreLike | None = None, draws: dict[str, Any] | None = None
) -> str:
    """Return the page of regressors; ``draws`` are the options of the draws of its intervals, None for none.

    >>> from rankscape.tasks import regression
    >>> pairs = regression.evaluate([1.0, 2.0, 4.0], {"<b>": [1, 2, 3], "b": [2, 2, 2]})
    >>> text = regression_page(pairs)
    >>> text.startswith("<!DOCTYPE html>"), "<b>" in text
    (True, False)
    """
    opening = criterion(cast(Any, ALWAYS[0] if by is None else by))
    if opening.kind == "function":
        raise UsageError("the page offers errors by name", expected='"mae", "rmse", "mse" or "within(0.5)"')
    others = [one for one in map(criterion, ALWAYS) if one.kind != opening.kind or opening.importance is not None]
    edges, labels = bands(pairs.truth)
    part = _part(edges, pairs.truth)
    data = {
        "title": title or TITLE,
        "names": list(pairs.names),
        "bands": labels,
        "sizes": np.bincount(part, minlength=len(labels)).tolist(),
        "level": LEVEL if draws is None else draws.get("level", LEVEL),
        "measures": [_measure(pairs, one, part, len(labels), draws) for one in (opening, *others)],
    }
    style = source("style.css") + source("simple.css")
    return document(data["title"], MODULES, style, data)


def bands(truth: Floats) -> tuple[Floats, list[str]]:
    """Return the true values at which one band ends and the next begins, and what the bands are called.

    >>> edges, labels = bands(np.array([1.0, 2.0, 3.0, 10.0]))
    >>> edges.tolist(), labels
    ([1.75, 2.5, 4.75], ['below 1.75', '1.75 to 2.5', '2.5 to 4.75', 'from 4.75'])
    >>> bands(np.array([0.0, 0.0, 0.0, 0.0, 0.0, 7.0]))[1], bands(np.ones(3))[1]
    (['below 7', 'from 7'], ['all'])
    """
    if truth.min() == truth.max():
        return truth[:0], ["all"]
    middle = np.unique(np.quantile(truth, np.arange(1, BANDS) / BANDS))
    used = np.unique(_part(middle, truth))
    edges = middle[used[1:] - 1]
    if not len(edges):  # nearly all are the smallest
        edges = truth[truth > truth.min()].min(keepdims=True)
    room = np.diff(np.unique([truth.min(), *edges, truth.max()])).min()
    for digits in range(2, 18):  # 17 are exact
        short = np.array([float(f"{edge:.{digits}g}") for edge in edges])
        if abs(short - edges).max() <= OFF * room and len(np.unique(_part(short, truth))) == len(edges) + 1:
            edges = short
            break
    texts = [min(repr(edge).removesuffix(".0"), f"{edge:.{digits}g}", key=len) for edge in edges.tolist()]
    return edges, [f"below {texts[0]}", *(f"{low} to {high}" for low, high in pairwise(texts)), f"from {texts[-1]}"]


def _part(edges: Floats, truth: Floats) -> Integers:
    return np.asarray(np.searchsorted(edges, truth, side="right"))


def _measure(pairs: Pairs, one: Criterion, part: Integers, parts: int, draws: dict[str, Any] | None) -> dict[str, Any]:
    """Return the sums of an error over the bands, and the intervals where all cases matter alike."""
    sums, weights, unit = exact_sums(pairs, one, part, parts)
    intervals = held = None
    if draws is not None:
        drawn = rank_intervals(pairs, cast(ScoreLike, one), **draws)
        held = drawn.held
        columns = (drawn.value_low, drawn.value_high, drawn.low, drawn.high, drawn.p_first)
        intervals = [[x if isfinite(x) else None for x in row] for row in np.stack(columns, axis=1).tolist()]
    return {
        "name": one.name,
        "smaller": one.direction == "smaller",
        "root": one.kind == "root",
        "sums": [_hexadecimal(row) for row in sums],
        "weights": _hexadecimal(weights),
        "unit": hex(unit),
        "intervals": intervals,
        "held": held,
    }


def _hexadecimal(numbers: Iterable[int]) -> list[str]:
    """Return whole numbers, however large, as JavaScript reads them exactly."""
    return [hex(number) for number in numbers]

"""The page of regressors: a leaderboard by the error, and how much cases matter by their true value, as sliders.

The importance of a regression is a function of the truth: the page cuts the true values into bands with about as many
cases each, and weighs these. (Foundations, A.2.2.)
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..errors import UsageError
from ..tasks.criteria import Criterion, criterion, per_case
from ..tasks.pairs import Pairs
from ..typing import Floats, ScoreLike
from ..uncertainty import rank_intervals
from .document import document, source

BANDS = 4
"""Bands of the true values, at most."""

ALWAYS = ("mae", "rmse")
"""Errors that the page offers besides the one that it opens with."""

MODULES = ("names", "dom", "regression_page")


def regression_page(pairs: Pairs, title: str | None = None, by: Any = None, draws: dict[str, Any] | None = None) -> str:
    """Return the page of regressors; ``draws`` are the options of the draws of its intervals, None for none.

    >>> from rankscape.tasks import regression
    >>> pairs = regression.evaluate([1.0, 2.0, 4.0], {"<b>": [1, 2, 3], "b": [2, 2, 2]})
    >>> text = regression_page(pairs)
    >>> text.startswith("<!DOCTYPE html>"), "<b>" in text
    (True, False)
    """
    opening = criterion("mae" if by is None else by)
    if opening.kind == "function":
        raise UsageError("a page offers errors by name", expected='"mae", "rmse", "mse" or "within(0.5)"')
    kinds = {one.kind: one for one in (opening, *map(criterion, ALWAYS))}
    band, labels = _bands(pairs.truth)
    measures = [_measure(pairs, one, band, len(labels), draws) for one in kinds.values()]
    named = title or "Which regressor is best?"
    data = {
        "title": named,
        "names": list(pairs.names),
        "bands": labels,
        "cases": len(pairs.truth),
        "measures": measures,
    }
    style = source("style.css") + source("simple.css")
    return document(named, MODULES, style, data)


def _bands(truth: Floats) -> tuple[Any, list[str]]:
    """Return the band of each case, and what the bands are called.

    >>> band, labels = _bands(np.array([1.0, 2.0, 3.0, 10.0]))
    >>> band.tolist(), labels
    ([0, 1, 2, 3], ['below 1.75', '1.75 to 2.5', '2.5 to 4.75', 'from 4.75'])
    """
    inner = np.unique(np.quantile(truth, np.arange(1, BANDS) / BANDS))
    edges = inner[(inner > truth.min()) & (inner <= truth.max())]
    if not len(edges):
        return np.zeros(len(truth), dtype=np.int64), ["all"]
    texts = [f"{edge:.4g}" for edge in edges]
    middle = [f"{low} to {high}" for low, high in pairwise(texts)]
    return np.searchsorted(edges, truth, side="right"), [f"below {texts[0]}", *middle, f"from {texts[-1]}"]


def _measure(pairs: Pairs, one: Criterion, band: Any, bands: int, draws: dict[str, Any] | None) -> dict[str, Any]:
    """Return the sums of an error over the bands, and the intervals where all cases matter alike."""
    terms, weights = per_case(pairs, one)
    sums = np.stack([np.bincount(band, row * weights, minlength=bands) for row in terms])
    intervals = None
    if draws is not None:
        drawn = rank_intervals(pairs, cast(ScoreLike, one), **draws)
        columns = (drawn.value_low, drawn.value_high, drawn.low, drawn.high, drawn.p_first)
        intervals = [[None if x != x else x for x in row] for row in np.stack(columns, axis=1).tolist()]
    return {
        "kind": one.kind, "name": one.name, "smaller": one.direction == "smaller", "root": one.kind == "root",
        "sums": sums.tolist(), "weights": np.bincount(band, weights, minlength=bands).tolist(), "intervals": intervals,
    }  # fmt: skip

"""Regressors on the page: bands of the true values are domains, whose weights say how much cases matter by the truth.

The importance of a regression is a function of the truth: the page cuts the true values into bands with about as many
cases each. (Foundations, A.2.2.)
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ..domains import Prepared, prepare
from ..errors import UsageError
from ..kernels.exact import integers_of_fractions
from ..performances import Performances
from ..tasks.pairs import Pairs
from ..tasks.regression import criterion, exact_sums
from ..tasks.success import graded
from ..typing import Floats, Integers
from ..uncertainty.errors import DEFAULT, width_of

BANDS = 4
"""Bands of the true values, at most."""

OFF = 0.02
"""How far, relative to the narrowest band, an edge may be from the quantile, so that it has few digits."""


def banded(pairs: Pairs, by: Any = None) -> Prepared:
    """Return regressors as graded cases, with the bands of the true values as domains that count as their cases do.

    >>> from rankscape.tasks import regression
    >>> asked = banded(regression.evaluate([1, 2, 4, 9], {"a": [1, 2, 3, 6], "b": [2, 2, 2, 9]}))
    >>> asked.given.domains[:4], asked.given.mass[:4, 0].round(3).tolist()
    (('below 1.75', '1.75 to 3', '3 to 5.25', 'from 5.25'), [0.0, 0.0, 0.111, 0.333])
    """
    chosen = criterion(DEFAULT if by is None else by)
    edges, labels = bands(pairs.truth)
    sums, weights, unit = exact_sums(pairs, chosen, _part(edges, pairs.truth), len(labels))
    used = [band for band, weight in enumerate(weights) if weight]
    if not used:
        raise UsageError("no case has importance, so nothing can be ranked")
    whole = Fraction(width_of(pairs, chosen) or 1) * unit
    rows = np.array([[row[band] / (whole * weights[band]) for band in used] for row in sums], dtype=object).ravel()
    lost = 1 - rows if chosen.direction == "larger" else rows
    domains = {labels[band]: Fraction(weights[band]) for band in used}
    given = Performances.from_trusted(
        integers_of_fractions(np.stack([lost, 1 - lost], axis=1)),
        tuple(name for name in pairs.names for _ in used),
        (*domains,) * len(pairs),
        graded("error"),
        pairs.account,
    )
    return prepare(given, weights=domains)


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

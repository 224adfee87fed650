"""Errors of regressors as graded cases, of which the engine of all draws makes mean errors.

The grade of an error e is 1 − e/(3·the largest error seen), so that the draws may have larger errors, and the logit
scale, on which grades are widened and pooled, is nearly a log scale of the mean errors. A case that weighs more is a
larger case. (Foundations, A.2.2.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._scores import Score
from ..errors import UsageError
from ..ordering import criterion_of, graded_errors
from ..performances import Joint, Performances, Units
from ..tasks.pairs import Pairs
from ..tasks.regression import Criterion, per_case
from ..typing import Floats
from .evidence import FEW_GRADED

DEFAULT = "mae"
"""The error by which regressors are ranked where none is named."""

ROOM = 3.0
"""The grade 0 stands for so many times the largest error."""

MOST_UNITS = 2000
"""More units than this are drawn in so many groups, put together at random: their means vary as those of the units."""

LARGEST = float(np.finfo(np.float64).max)

LEAST_FREEDOM = 3
"""Degrees of freedom of deviations, at least."""

LONG_TAILS = 4
"""Where there are fewer degrees of freedom than units by this factor, a note warns of it."""


def width_of(pairs: Pairs, by: Criterion) -> float:
    """Return how large an error, or lack of satisfaction, the grade 0 stands for; NaN where no case counts."""
    return _units(pairs, by)[2]


def graded_cases(pairs: Pairs, by: Any) -> tuple[Performances, Score]:
    """Return regressors as graded cases, which all share, and the score of these, which gives mean errors again.

    By default it is the mean absolute error. All that draws, ranks, or shows performances takes these. Scores are
    undefined where E[I] = 0, and draws where there are fewer than two cases.

    >>> from rankscape.tasks import regression
    >>> P, score = graded_cases(
    ...     regression.evaluate([1, 2, 3, 4], {"a": [1, 2, 3, 5], "b": [2, 3, 4, 6]}), "mae"
    ... )
    >>> P.names, score(P).tolist(), P.pairing.units[0].size.tolist()
    (('a', 'b'), [0.25, 1.25], [1.0, 1.0, 1.0, 1.0])
    """
    chosen = criterion_of(DEFAULT if by is None else by)
    losses, weights, width = _units(pairs, chosen)
    seen, score = graded_errors([pairs], chosen, width)
    caution = _caution(losses * weights, weights)
    if len(weights) > MOST_UNITS:
        order = np.lexsort((*losses[sorted(range(len(pairs)), key=pairs.names.__getitem__)], weights))
        group = np.empty(len(order), dtype=np.int64)
        group[order] = np.random.default_rng(0).permutation(len(order)) % MOST_UNITS  # the same in any order of cases
        sums = np.stack([np.bincount(group, row) for row in losses * weights])
        weights = np.bincount(group, weights).astype(np.float64)
        losses = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    lost, codes = np.unique(losses, return_inverse=True)
    grades = np.stack([lost, 1 - lost], axis=1)
    units = Units(codes.reshape(losses.shape).T, weights, np.arange(len(weights)), grades)  # type: ignore[arg-type]
    return seen.with_pairing(Joint(seen, (units,), False, caution)), score


def _units(pairs: Pairs, by: Criterion) -> tuple[Floats, Floats, float]:
    """Return the losses of all entities on each case, (n, u), in [0, 1], and the weights of the cases, (u,).

    Then how large an error the loss 1 stands for.
    """
    terms, weights = per_case(pairs, by)
    if not np.isfinite(terms).all():
        raise UsageError("some errors are too large to be squared; expected values below 1e154: change their unit")
    if not weights.any():
        return np.zeros((len(pairs), 1)), np.ones(1), np.nan
    terms, weights = terms[:, weights > 0], weights[weights > 0]
    errors = 1 - terms if by.direction == "larger" else terms
    width = 1.0 if by.kind == "within" else min(ROOM * float(errors.max()), LARGEST)
    losses = errors / width if width else errors
    return losses, weights / weights.mean(), width


def _caution(sums: Floats, weights: Floats) -> str:
    """Return of what to beware in draws from the weighted losses (n, u) of cases; nothing where these are few."""
    u = len(weights)
    if u < FEW_GRADED or (freedom := _freedom(sums, weights)) >= (u - 1) / LONG_TAILS:
        return ""
    return (
        f"A few large errors make most of the variance, as if there were {freedom + 1:.0f} cases instead of {u}: "
        "intervals may be too narrow"
    )


def _freedom(sums: Floats, weights: Floats) -> float:
    """Return the degrees of freedom of the variance of u units: u − 1 of normal ones, fewer of those with long tails.

    The variance of a variance is σ⁴·(κ − 1)/u, as that of 2u/(κ − 1) normal units; κ is the mean kurtosis.
    """
    u = len(weights)
    rest = sums - sums.sum(axis=1, keepdims=True) / weights.sum() * weights
    squares: Any = rest**2
    second = squares.mean(axis=1)
    kurtosis = (squares[second > 0] ** 2).mean(axis=1) / second[second > 0] ** 2
    if not kurtosis.size:
        return float(u - 1)
    return float(np.clip(2 * u / max(kurtosis.mean() - 1, 1e-9), min(LEAST_FREEDOM, u - 1), u - 1))

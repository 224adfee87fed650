"""Errors of regressors as graded cases, of which the engine of all draws makes mean errors.

The grade of an error e is 1 − e/(3·the largest error seen), so that the draws may have larger errors, and the logit
scale, on which grades are widened and pooled, is nearly a log scale of the mean errors. A cluster of cases, and a case
that weighs more, is a larger case. (Foundations, A.2.2.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._scores import Score
from ..domains import prepare
from ..errors import UsageError
from ..ordering import criterion_of, graded_errors
from ..performances import Performances, Units
from ..tasks.criteria import Criterion, per_case
from ..tasks.pairs import Pairs
from ..typing import Floats, Integers, PosteriorMethod, RandomLike
from .defaults import DRAWS
from .draws import Draws, checked_method, drawn_from
from .evidence import FEW_GRADED, Evidence
from .paired import labels_of_cases

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


def graded_or_drawn(
    pairs: Pairs,
    by: Any,
    draws: int | None,
    rng: RandomLike = None,
    method: PosteriorMethod = "exchangeable",
) -> tuple[Performances, Draws | None, Score]:
    """Return regressors as cards and pages take them: as graded cases, draws of these (None of 0), and the score."""
    by = DEFAULT if by is None else by
    if draws == 0:
        *_, width = _units(pairs, criterion_of(by), None)
        seen, score = graded_errors([pairs], by, width)
        return seen, None, score
    drawn, score = drawn_errors(pairs, by, DRAWS if draws is None else draws, 0 if rng is None else rng, None, method)
    return drawn.observed, drawn, score


def width_of(pairs: Pairs, by: Criterion) -> float:
    """Return how large an error, or lack of satisfaction, the grade 0 stands for; NaN where no case counts."""
    return _units(pairs, by, None)[2]


def drawn_errors(
    pairs: Pairs,
    by: Any,
    draws: int,
    rng: RandomLike = 0,
    clusters: ArrayLike | None = None,
    method: PosteriorMethod = "exchangeable",
) -> tuple[Draws, Score]:
    """Return draws of the grades of regressors, and the score of these, which gives mean errors again.

    The cases, or with ``clusters`` (m,) the clusters of cases, count as a random sample, the same for all entities.
    Scores are undefined where E[I] = 0, and draws where there are fewer than two units.

    >>> from rankscape.tasks import regression
    >>> P = regression.evaluate([1, 2, 3, 4], {"a": [1, 2, 3, 5], "b": [2, 3, 4, 6]})
    >>> drawn, score = drawn_errors(P, "mae", 5)
    >>> drawn.unit, score(drawn.observed).tolist()
    ('Drawn: new samples of cases, the same for all models, as if cases were independent', [0.25, 1.25])
    """
    losses, weights, width = _units(pairs, criterion_of(by), clusters)
    seen, score = graded_errors([pairs], by, width)
    notes = _notes(losses * weights, weights, "case" if clusters is None else "cluster")
    if len(weights) > MOST_UNITS:
        order = np.lexsort((*losses[sorted(range(len(pairs)), key=pairs.names.__getitem__)], weights))
        group = np.empty(len(order), dtype=np.int64)
        group[order] = np.random.default_rng(0).permutation(len(order)) % MOST_UNITS  # the same in any order of cases
        losses, weights = _in_groups(losses, weights, group)
    lost, codes = np.unique(losses, return_inverse=True)
    grades = np.stack([lost, 1 - lost], axis=1)
    units = Units(codes.reshape(losses.shape).T, weights, np.arange(len(weights)), grades)  # type: ignore[arg-type]
    what = "cases" if clusters is None else "clusters of cases"
    evidence = Evidence(prepare(seen), units=(units,), errors=what)
    apart = checked_method(method) != "exchangeable"
    drawn = drawn_from(evidence, draws, rng, 0.0 if apart else method)

    pooled = "kept separate" if apart else "pooled by how similar they are"
    how = f"other {what}, the same for all models; models {pooled}"
    return replace(drawn, prepared=None, method=how, notes=notes), score


def _units(pairs: Pairs, by: Criterion, clusters: ArrayLike | None) -> tuple[Floats, Floats, float]:
    """Return the losses of all entities on each unit, (n, u), in [0, 1], and the weights of the units, (u,).

    Then how large an error the loss 1 stands for.
    """
    terms, weights = per_case(pairs, by)
    if not np.isfinite(terms).all():
        raise UsageError("some errors are too large to be squared; expected values below 1e154: change their unit")
    if clusters is not None:
        labels = labels_of_cases(clusters, len(weights), "clusters")
        terms, weights = _in_groups(terms, weights, np.unique(labels, return_inverse=True)[1].ravel())
    if not weights.any():
        return np.zeros((len(pairs), 1)), np.ones(1), np.nan
    terms, weights = terms[:, weights > 0], weights[weights > 0]
    errors = 1 - terms if by.direction == "larger" else terms
    width = 1.0 if by.kind == "within" else min(ROOM * float(errors.max()), LARGEST)
    losses = errors / width if width else errors
    return losses, weights / weights.mean(), width


def _in_groups(terms: Floats, weights: Floats, group: Integers) -> tuple[Floats, Floats]:
    """Return the weighted means of groups of units, and their weights."""
    sums = np.stack([np.bincount(group, row) for row in terms * weights])
    total = np.bincount(group, weights).astype(np.float64)
    return np.divide(sums, total, out=np.zeros_like(sums), where=total > 0), total


def _notes(sums: Floats, weights: Floats, what: str) -> tuple[str, ...]:
    """Return the cautions of draws from the weighted losses (n, u) on units."""
    u = len(weights)
    if u < 2:
        return ("Draws need two cases or clusters that count; there are fewer, so no draw is defined",)
    if u < FEW_GRADED:
        few = f"Only {u} {what}s were seen: how much errors vary from {what} to {what} is hardly known"
        return (f"{few}, and P(first) may be too large",)
    if (freedom := _freedom(sums, weights)) >= (u - 1) / LONG_TAILS:
        return ()
    return (
        f"A few large errors make most of the variance, as if there were {freedom + 1:.0f} {what}s instead of {u}: "
        "intervals may be too narrow",
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

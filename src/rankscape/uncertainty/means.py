"""Draws of mean errors, or of mean satisfactions, of regressors that were tried on the same cases or clusters.

In each draw the units are weighed by Dirichlet(1, …, 1), the same for all entities, which gives means R. Errors are
taken on a log scale, shares on a logit scale. For u units the deviations are wider by √((u + 1)/χ²(u − 1)), and more
where a few units make most of the variance, as large errors do. Then the entities are pooled as a sample from
N(μ, τ²), with R ~ N(θ, Σ) and the covariance Σ of the draws, so that what they share stays shared:

    V = Σ + τ²,  μ = 1ᵀV⁻¹(R − τz) / 1ᵀV⁻¹1,  θ = R + ΣV⁻¹(μ + τz − R),  z ~ N(0, 1)

is a draw of the posterior of θ where R and z are normal (the prior of μ is flat). τ is drawn from its posterior given
all means; its prior is half-Cauchy. The one to four entities farthest from the others may be strangers, each with
probability 0.05: of a population so wide that it pulls nobody.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_rng, checked_size
from ..errors import UsageError
from ..floats import (
    covariances,
    expit,
    exps,
    geometric,
    large_products,
    lengths,
    logit,
    logs,
    logs1p,
    root,
    solved,
    squares,
)
from ..tasks.criteria import Criterion, SatisfactionLike, criterion, per_case
from ..tasks.pairs import Pairs
from ..typing import Floats, PosteriorMethod, RandomLike
from .defaults import DRAWS
from .diagnostics import FEW_GRADED
from .draws import given_seed
from .from_labels import labels_of_cases
from .provenance import Provenance

SCALES = {"absolute": 0.2, "squared": 0.4, "root": 0.4, "within": 0.5}
"""Of the half-Cauchy prior of τ, on the log or logit scale; for functions FUNCTIONS · the deviation over the cases."""

FUNCTIONS = 0.2

WIDE = 6.0
"""How many times as wide as the scale of τ the population of strangers is."""

ENOUGH = 200
"""Draws that the covariance of means is estimated from at least."""

STRANGER, STRANGERS = 0.05, 4
"""The prior probability that an entity is a stranger, and how many may be strangers at once."""

NODES = 48
"""How many values of τ the grid has."""

LOGS = ("absolute", "squared", "root")
"""The criteria that are taken on a log scale."""

LEAST = 1e-300

LEAST_FREEDOM = 3
"""Degrees of freedom of deviations, at least."""

LONG_TAILS = 4
"""Where there are fewer degrees of freedom than units by this factor, a note warns of it."""

MANY_UNITS, BLOCK = 20_000, 4_000_000
"""With more units than this their means count as normal; a block of weights has about that many numbers."""


class Population(NamedTuple):
    """The posterior of the spread of entities on a grid: ``tau`` (nodes, n) of each one, and the ``weights``."""

    tau: Floats
    weights: Floats


def drawn_means(
    pairs: Pairs,
    by: SatisfactionLike = "absolute",
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    clusters: ArrayLike | None = None,
    method: PosteriorMethod = "exchangeable",
) -> Floats:
    """Draw the values of a criterion that regressors might have on all cases of this kind, (draws, n).

    The cases, or with ``clusters`` (m,) the clusters of cases, count as a random sample, the same for all entities.
    With ``method`` "exchangeable" the entities are of one kind and learn from one another, as in :func:`posterior`;
    any other method keeps them apart. Values are NaN where E[I] = 0, and where there are fewer than two units.

    >>> from rankscape.tasks import regression
    >>> P = regression.evaluate([1, 2, 3, 4], {"a": [1, 2, 3, 5], "b": [2, 3, 4, 6]})
    >>> drawn_means(P, "mae", 5).shape
    (5, 2)
    """
    chosen, count = criterion(by), checked_size("draws", draws)
    generator = checked_rng(rng)
    order = sorted(range(len(pairs)), key=pairs.names.__getitem__)
    sums, weights = _units(pairs, chosen, clusters, order)
    out = np.full((count, len(pairs)), np.nan)
    if len(weights) >= 2:
        out[:, order] = _values(sums, weights, chosen, count, generator, method == "exchangeable")
    return out


def provenance_of_means(
    pairs: Pairs,
    by: SatisfactionLike,
    rng: RandomLike = 0,
    *,
    clusters: ArrayLike | None = None,
    method: PosteriorMethod = "exchangeable",
) -> Provenance:
    """Return where draws of means come from: the method, the units, the seed, and cautions.

    >>> from rankscape.tasks import regression
    >>> provenance_of_means(regression.evaluate([1, 2], [2, 4]), "mae").method
    'other cases, the same for all models; models pooled by how similar they are'
    """
    sums, weights = _units(pairs, criterion(by), clusters, list(range(len(pairs))))
    u = len(weights)
    notes: tuple[str, ...] = ()
    if u < 2:
        notes = ("Draws need two cases or clusters that count; there are fewer, so no draw is defined",)
    elif u < FEW_GRADED:
        what = "case" if clusters is None else "cluster"
        notes = (
            f"Only {u} {what}s were seen: how much errors vary from {what} to {what} is hardly known, and P(first) may "
            "be too large",
        )
    elif (freedom := _freedom(sums, weights, u)) < (u - 1) / LONG_TAILS:
        notes = (
            f"A few large errors make most of the variance, as if there were {freedom + 1:.0f} "
            f"{'cases' if clusters is None else 'clusters'} instead of {u}: intervals may be too narrow",
        )
    units = "cases" if clusters is None else "clusters of cases"
    pooled = "models pooled by how similar they are" if method == "exchangeable" else "models kept separate"
    independent = ", as if cases were independent" if clusters is None else ""
    return Provenance(
        method=f"other {units}, the same for all models; {pooled}", paired=True, notes=notes, prepared=None,
        unit=f"Drawn: new samples of {units}, the same for all models{independent}",
        seed=given_seed(rng),
    )  # fmt: skip


def _units(pairs: Pairs, by: Criterion, clusters: ArrayLike | None, order: list[int]) -> tuple[Floats, Floats]:
    """Return the weighted sums of the entities in ``order`` over each unit, (u, n), and its weight, (u,), sorted."""
    terms, weights = per_case(pairs, by)
    if not np.isfinite(terms).all():
        raise UsageError("some errors are too large to be squared; expected values below 1e154: change their unit")
    sums = (terms[order] * weights).T
    if clusters is not None:
        labels = labels_of_cases(clusters, len(weights), "clusters")
        code = np.unique(labels, return_inverse=True)[1].ravel()
        sums = np.stack([np.bincount(code, column) for column in sums.T], axis=1)
        weights = np.asarray(np.bincount(code, weights), dtype=np.float64)
    sums, weights = sums[weights > 0], weights[weights > 0]
    rows = np.lexsort((*sums.T[::-1], weights))  # so that the order of the cases changes nothing
    return sums[rows], weights[rows]


def _values(sums: Floats, weights: Floats, by: Criterion, draws: int, rng: np.random.Generator, pooled: bool) -> Floats:
    """Return draws (draws, n) from the sums (u, n) and weights (u,) of two units or more."""
    u, case = len(weights), weights.mean()
    if by.kind == "within":  # half a case to either side
        sums, weights = np.append(sums, np.full((1, sums.shape[1]), case / 2), axis=0), np.append(weights, case)
    elif by.kind in LOGS:
        seen = sums.sum(axis=0)
        if not seen.any():
            return np.zeros((draws, len(seen)))
        # who errs on no case here may err on others: half a case more has the mean error of all
        sums = np.append(sums, np.where(seen == 0, seen.mean() / u / 2, 0.0)[None], axis=0)
        weights = np.append(weights, 0.0)
    centre = _scaled(sums.sum(axis=0) / weights.sum(), by)
    means = _scaled(_weighed(sums, weights, draws, rng), by)
    many = means if draws >= ENOUGH else _scaled(_weighed(sums, weights, ENOUGH, rng), by)
    sigma = covariances(many) * (u + 1) / (u - 1)
    freedom = _freedom(sums, weights, u)
    wider = np.sqrt((u + 1) / (u - 1) * freedom / rng.chisquare(freedom, draws))
    means = centre + (means - centre) * wider[:, None]
    if pooled and means.shape[1] > 1:
        width = SCALES[by.kind] if by.kind in SCALES else FUNCTIONS * _deviation(sums, weights)
        means = _pooled(means, centre, _steadied(sigma, u), width, rng)
    if by.kind in LOGS:
        return exps(means / 2 if by.kind == "root" else means)
    return np.asarray(expit(means)) if by.kind == "within" else means


def _scaled(means: Floats, by: Criterion) -> Floats:
    """Return means on the scale on which entities are pooled."""
    if by.kind == "function":
        return means
    return np.asarray(logit(means) if by.kind == "within" else logs(np.maximum(means, LEAST)))


def _weighed(sums: Floats, weights: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return means (draws, n) with units weighed by Dirichlet(1, …, 1)."""
    u, n = sums.shape
    if u > MANY_UNITS:
        centre = sums.sum(axis=0) / weights.sum()
        rest = (sums - centre * weights[:, None]) / weights.sum()
        return np.asarray(centre + large_products(rng.standard_normal((draws, n)), root(squares(rest)).T))
    out, chunk = np.empty((draws, n)), max(1, BLOCK // u)
    for start in range(0, draws, chunk):
        times = rng.standard_exponential((min(chunk, draws - start), u))
        drawn = large_products(times, np.column_stack([sums, weights]))
        out[start : start + chunk] = drawn[:, :-1] / drawn[:, -1:]
    return out


def _freedom(sums: Floats, weights: Floats, u: int) -> float:
    """Return the degrees of freedom of the variance of u units: u − 1 of normal ones, fewer of those with long tails.

    The variance of a variance is σ⁴·(κ − 1)/u, as that of 2u/(κ − 1) normal units; κ is the mean kurtosis.
    """
    rest = sums - sums.sum(axis=0) / weights.sum() * weights[:, None]
    squares = rest**2
    second = squares.mean(axis=0)
    kurtosis = (squares[:, second > 0] ** 2).mean(axis=0) / second[second > 0] ** 2
    if not kurtosis.size:
        return float(u - 1)
    return float(np.clip(2 * u / max(kurtosis.mean() - 1, 1e-9), min(LEAST_FREEDOM, u - 1), u - 1))


def _deviation(sums: Floats, weights: Floats) -> float:
    """Return the standard deviation of the units, on average over the entities."""
    each = sums[weights > 0] / weights[weights > 0, None]
    return float(np.sqrt(each.var(axis=0).mean()))


def _steadied(sigma: Floats, u: int) -> Floats:
    """Return the covariance matrix (n, n) with equal variances, and with correlations the more alike the fewer units.

    Means that happen to be small have small variances, too; weights by these would pull all means towards the small.
    """
    n = len(sigma)
    deviation = np.sqrt(np.diag(sigma))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.nan_to_num(sigma / np.outer(deviation, deviation))
    mean = (correlations.sum() - np.trace(correlations)) / (n * (n - 1))
    share = n**2 / (n**2 + u)  # as there are about so many correlations
    steadied = (1 - share) * correlations + share * mean
    return np.asarray(np.where(np.eye(n, dtype=bool), 1.0, steadied) * np.mean(deviation**2))


def _pooled(means: Floats, centre: Floats, sigma: Floats, width: float, rng: np.random.Generator) -> Floats:
    """Return means (draws, n) of entities that are a sample of a population; see the formulas above."""
    known = _population(centre, sigma, width)
    node = rng.choice(len(known.weights), size=len(means), p=known.weights)
    noise = known.tau[node] * rng.standard_normal(means.shape)
    out = np.empty_like(means)
    for i in np.unique(node).tolist():
        rows = node == i
        kept, _ = solved(_total(sigma, known.tau[i]), np.column_stack([sigma, np.ones(len(sigma))]))
        now, ones = means[rows] - noise[rows], kept[:, -1]
        mu = (now * ones).sum(axis=1) / ones.sum()
        out[rows] = means[rows] + large_products(mu[:, None] - now, kept[:, :-1])
    return out


def _population(centre: Floats, sigma: Floats, width: float) -> Population:
    """Return the posterior of τ, and of who is a stranger, given means ``centre`` (n,) with the covariance ``sigma``.

    >>> alike = _population(np.array([1.0, 1.1, 0.9]), 0.04 * np.eye(3), 0.3)
    >>> apart = _population(np.array([1.0, 2.1, -0.9]), 0.04 * np.eye(3), 0.3)
    >>> bool((alike.weights * alike.tau[:, 0]).sum() < (apart.weights * apart.tau[:, 0]).sum())
    True
    """
    n = len(centre)
    between = (np.trace(sigma) - sigma.sum() / n) / (n - 1)  # half the mean variance of differences
    width = max(width, 1e-12)
    largest = max(3 * width, 2 * float(np.ptp(centre)))
    spread = geometric(max(0.05 * np.sqrt(max(between, 0.0)), 1e-6 * largest), largest, NODES)
    far = np.argsort(-np.abs(centre - np.median(centre)), kind="stable")
    taus, density = [], []
    for strangers in range(min(STRANGERS, (n - 1) // 2) + 1):
        each = np.repeat(spread[:, None], n, axis=1)
        each[:, far[:strangers]] = lengths(spread, WIDE * width)[:, None]
        both, log_determinant = solved(_total(sigma, each), np.stack([np.ones(n), centre], axis=1))
        ones = both[..., 0].sum(axis=1)
        mean = (both[..., 0] * centre).sum(axis=1) / ones
        rest = both[..., 1] - mean[:, None] * both[..., 0]
        likelihood = -0.5 * (log_determinant + logs(ones) + (rest * (centre - mean[:, None])).sum(axis=1))
        prior = strangers * logs(STRANGER) + (n - strangers) * logs1p(-STRANGER)
        taus.append(each)
        density.append(likelihood + prior + logs(spread) - logs1p((spread / width) ** 2))
    log_weights = np.concatenate(density)
    weights = exps(log_weights - log_weights.max())
    return Population(np.concatenate(taus), weights / weights.sum())


def _total(sigma: Floats, tau: Floats) -> Floats:
    return np.asarray(sigma + np.eye(len(sigma)) * (tau**2)[..., None])

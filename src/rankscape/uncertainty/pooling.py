"""Pooling: exchangeable entities learn from one another, the more the data show that they are alike.

A rate is that of the cases seen, R, mixed with one of the population of entities, B ~ Beta(m·s, (1 − m)·s): (1 − w)·R +
w·B, where w is a share of Gamma(n) and Gamma(s) masses. If R ~ Beta(x, n − x) this is exactly the posterior Beta(x +
m·s, n − x + (1 − m)·s). The level m and the concentration s are drawn from their posterior given all x and n
(beta-binomial), on a grid that is laid around the data. Prior distribution: m ~ Beta(½, ½); the standard deviation of
the entities on the logit scale, σ = τ/√(m(1 − m)) with τ² = 1/(1 + s), is half-Cauchy(½). Each entity is a stranger
with probability 0.05 (m = ½, s = 1), so that a trivial one does not keep the others from being pooled.

Where entities share cases their R are correlated, by f on average: differences between them are as sure as n/(1 − f)
cases of each its own would make them, and their common level moves as one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..floats import expit, exps, logit, logs, logs1p
from ..typing import Floats, Integers

STRANGER = 0.05
"""The prior probability that an entity is not of the kind of the others."""

SCALE = 0.5
"""Of the half-Cauchy prior distribution of the spread of entities, on the logit scale."""

SPREADS, LEVELS, ZOOMS = 33, 25, 7
"""Numbers of values of τ, and of m for each τ, and how often the grid is laid closer around the data, at most."""

NEGLIGIBLE = 9.0
"""The grid needs no nodes where the log-density is below its maximum by more than this."""

MOST_CASES, MOST_ENTITIES = 1e9, 1000
"""Cases per entity, and entities, from which the population is learned; more would change nothing."""

LEAST, LARGEST = 1e-9, 1 - 1e-9


@dataclass(frozen=True)
class Population:
    """The posterior of the level and the spread of a population of rates, on a grid.

    ``level`` (nodes,) is logit m, ``spread`` log τ, ``weights`` their probabilities, ``width`` (nodes,) and ``height``
    how far apart the nodes are; ``strange`` (nodes, kinds) is how probably an entity of each kind is a stranger at each
    node, and ``kind`` (n,) the kind of each entity.
    """

    level: Floats
    spread: Floats
    weights: Floats
    width: Floats
    height: float
    strange: Floats
    kind: Integers

    def draw(self, draws: int, rng: np.random.Generator) -> tuple[Integers, Floats, Floats]:
        """Return nodes (draws,), and logit m and s, spread between the nodes."""
        node = rng.choice(len(self.weights), size=draws, p=self.weights)
        level = self.level[node] + (rng.random(draws) - 0.5) * self.width[node]
        tau = exps(np.minimum(self.spread[node] + (rng.random(draws) - 0.5) * self.height, logs(0.9975)))
        return node, level, 1 / tau**2 - 1


def population(x: Floats, n: Floats) -> Population:
    """Return the posterior of the population of which entities with x of n cases (n,) each are a sample.

    >>> alike, spread = (
    ...     population(np.array(x), np.full(4, 100.0)) for x in ([70.0] * 4, [20.0, 40, 70, 95])
    ... )
    >>> bool((alike.spread * alike.weights).sum() < (spread.spread * spread.weights).sum())
    True
    """
    scale = np.minimum(1.0, MOST_CASES / np.maximum(n, 1.0))
    every = np.stack([x * scale, n * scale])
    kinds, inverse, times = np.unique(every, axis=1, return_inverse=True, return_counts=True)
    learned, weight = _sample(kinds, times)
    largest = max(float(learned[1].max()), 1.0)
    end = float(logs(4 * largest + 40))
    spread = np.linspace(logs(max(0.1 / np.sqrt(largest), 1e-6)), logs(0.995), SPREADS)
    for _ in range(ZOOMS):
        level, density = _levels(learned, weight, spread, end)
        width = level[:, 1] - level[:, 0]
        log_weights = density + logs(width)[:, None]
        weights = exps(log_weights - log_weights.max())
        likely = np.flatnonzero(weights.sum(axis=1) > 1e-5 * weights.sum())
        if likely[-1] - likely[0] >= SPREADS // 4:
            break
        low, high = max(likely[0] - 1, 0), min(likely[-1] + 1, SPREADS - 1)
        spread = np.linspace(spread[low], spread[high], SPREADS)
    nodes = np.flatnonzero(weights > 1e-7 * weights.max())
    at, spreads = level.ravel()[nodes], np.repeat(spread, LEVELS)[nodes]
    strange = np.empty((len(nodes), kinds.shape[1]))
    for start in range(0, kinds.shape[1], MOST_ENTITIES):
        both, alone = _likelihood(kinds[:, start : start + MOST_ENTITIES], at[:, None], spreads)
        strange[:, start : start + MOST_ENTITIES] = exps(alone - both)[..., 0].T
    return Population(
        at, spreads, weights.ravel()[nodes] / weights.ravel()[nodes].sum(), np.repeat(width, LEVELS)[nodes],
        float(spread[1] - spread[0]), strange, inverse.ravel(),
    )  # fmt: skip


def _levels(kinds: Floats, times: Floats, spread: Floats, end: float) -> tuple[Floats, Floats]:
    """Return levels (spreads, levels) that lie around the data at each spread, and the log-density at each node."""
    low, high = _around(kinds, times, spread, end)
    step = np.linspace(0, 1, LEVELS)
    for zoom in range(ZOOMS):
        level = low[:, None] + (high - low)[:, None] * step
        density = _prior(level, spread) + _of_all(times, kinds, level, spread)
        kept = density > density.max(axis=1, keepdims=True) - NEGLIGIBLE
        first = np.maximum(kept.argmax(axis=1) - 1, 0)
        last = np.minimum(LEVELS - kept[:, ::-1].argmax(axis=1), LEVELS - 1)
        if zoom == ZOOMS - 1 or (last - first >= 0.45 * LEVELS).all():
            break
        rows = np.arange(SPREADS)
        low, high = level[rows, first], level[rows, last]
    return level, density


def _sample(kinds: Floats, times: Integers) -> tuple[Floats, Floats]:
    """Return so many kinds of entities (2, kinds) that more would change nothing, and how often each occurs."""
    if kinds.shape[1] <= MOST_ENTITIES:
        return kinds, times.astype(np.float64)
    order = np.argsort((kinds[0] + 0.5) / (kinds[1] + 1), kind="stable")
    each = np.unique(np.linspace(0, len(order) - 1, MOST_ENTITIES).astype(int))
    part = order[each]
    return kinds[:, part], times[part].astype(np.float64)


def _around(kinds: Floats, times: Floats, spread: Floats, end: float) -> tuple[Floats, Floats]:
    """Return where the levels begin and end at each spread: around the likeliest of those that the data suggest."""
    x, n = kinds
    seen = np.clip(logit((x + 0.5) / (n + 1)), -end, end)
    pooled = logit(((x * times).sum() + 0.5) / ((n * times).sum() + 1))
    suggested = np.unique([*np.quantile(np.repeat(seen, times.astype(int)), np.linspace(0, 1, 21)), pooled, 0.0])
    levels = np.broadcast_to(suggested, (SPREADS, len(suggested)))
    best = suggested[_of_all(times, kinds, levels, spread).argmax(axis=1)]
    variance = expit(best) * expit(-best)
    middle = np.median(np.repeat(n, times.astype(int)))
    reach = 8 * np.sqrt(exps(2 * spread) / variance + 1 / (middle * variance + 0.25))
    return np.maximum(best - reach, -end - 3), np.minimum(best + reach, end + 3)


def _prior(level: Floats, spread: Floats) -> Floats:
    """Return the log-density of (logit m, log τ): m ~ Beta(½, ½), σ half-Cauchy, with the measure of the grid."""
    variance = expit(level) * expit(-level)
    sigma = exps(spread)[:, None] / np.sqrt(variance)
    return np.asarray(0.5 * logs(variance) + logs(sigma) - logs1p((sigma / SCALE) ** 2))


def _likelihood(kinds: Floats, level: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Return the log-likelihood of each entity at each node (n, spreads, levels), and (n, 1, 1) that of a stranger."""
    from scipy.special import betaln  # which takes long to load

    x, n = kinds[:, :, None, None]
    s = (exps(-2 * spread) - 1)[:, None]
    a, b = expit(level) * s, expit(-level) * s
    alone = betaln(x + 0.5, n - x + 0.5) - betaln(0.5, 0.5) + logs(STRANGER)
    kindred = betaln(x + a, n - x + b) - betaln(a, b) + logs1p(-STRANGER)
    return np.maximum(kindred, alone) + logs1p(exps(-np.abs(kindred - alone))), alone


def _of_all(times: Floats, kinds: Floats, level: Floats, spread: Floats) -> Floats:
    """Return the log-likelihood of all entities at each node, (spreads, levels)."""
    each, _ = _likelihood(kinds, level, spread)
    return np.asarray((times[:, None, None] * each).sum(axis=0))


def correlation(rates: Floats) -> float:
    """Return the mean correlation of the columns (draws, n), 0 for those that do not vary; between 0 and 1.

    >>> same = np.array([[0.1, 0.1], [0.5, 0.5], [0.3, 0.3]])
    >>> round(correlation(same), 6), correlation(np.ones((3, 2)))
    (1.0, 0.0)
    """
    n = rates.shape[1]
    deviation = rates.std(axis=0)
    varies = deviation > 1e-12
    if n < 2 or varies.sum() < 2:
        return 0.0
    together = ((rates[:, varies] - rates[:, varies].mean(axis=0)) / deviation[varies]).sum(axis=1)
    return float(np.clip((together.var() - varies.sum()) / (n * (n - 1)), 0.0, 1.0))


@dataclass(frozen=True)
class Pool:
    """How the rates of one class are pooled: given shares, or learned from the entities.

    ``cases`` (n,) is how many cases the rates of each entity rest on, ``correlation`` the f of the entities, ``centre``
    their mean rate as it was seen; ``perhaps_shared`` whether counts leave open that they share cases. ``learned`` is
    None where entities are kept apart: their prior is then Beta(``mean``·``strength``, (1 − ``mean``)·``strength``).
    """

    cases: Floats
    correlation: float = 0.0
    centre: float = 0.5
    learned: Population | None = None
    mean: float = 0.5
    strength: float = 1.0
    perhaps_shared: bool = False

    def apart(self) -> Pool:
        """Return the same with the entities kept apart."""
        return replace(self, learned=None, correlation=0.0, perhaps_shared=False)

    def drawn(self, rates: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return rates (draws, n) of the cases seen, pooled, and what they lack to 1."""
        shape = rates.shape
        m, s = self._prior(len(rates), rng, rates)
        other, _ = _shares(rng.standard_gamma(m * s, size=shape), rng.standard_gamma((1 - m) * s, size=shape), m, rng)
        prior = rng.standard_gamma(s * (1 - self.correlation), size=shape)
        share, rest = _shares(prior, rng.standard_gamma(self.cases, size=shape), 1.0, rng)
        rate = np.where(share >= 1, other, rest * rates + share * other)
        rate = np.minimum(rate, 1.0)  # shares that add up to more than 1 by rounding would leave less than nothing
        return rate, 1 - rate

    def conjugate(self, x: Floats, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return rates (draws, n) of which x of the cases (n,) were seen, each entity by itself, and what they lack."""
        shape = draws, len(x)
        m, s = self._prior(draws, rng)
        right = rng.standard_gamma(x + m * s, size=shape)
        return _shares(right, rng.standard_gamma(self.cases - x + (1 - m) * s, size=shape), m, rng)

    def _prior(self, draws: int, rng: np.random.Generator, rates: Floats | None = None) -> tuple[Floats, Floats]:
        """Return the mean and the strength of the prior of each rate in each draw, (draws, n), or of all, (1, 1)."""
        n = len(self.cases)
        if self.learned is None:
            return np.full((1, 1), self.mean), np.full((1, 1), self.strength)
        node, level, s = self.learned.draw(draws, rng)
        if self.correlation and rates is not None:
            mean = np.nansum(rates, axis=1) / np.count_nonzero(~np.isnan(rates), axis=1)  # NaN where no case is drawn
            f, now = self.correlation, np.clip(mean, LEAST, LARGEST)
            in_common = np.sqrt(f / (f + (1 - f) / n))  # the mean of n rates varies by what they share, and by chance
            level = level + in_common * (logit(now) - logit(np.clip(self.centre, LEAST, LARGEST)))
        if self.perhaps_shared:  # how far the cases are hard for all is unknown: their common level is less sure
            m = np.clip(expit(level), LEAST, LARGEST)
            unsure = rng.random(draws) / np.maximum(self.cases.max() * m * (1 - m), 1)
            level = level + np.sqrt(unsure) * rng.standard_normal(draws)
        strange = rng.random((draws, n)) < self.learned.strange[node][:, self.learned.kind]
        return np.where(strange, 0.5, expit(level)[:, None]), np.where(strange, 1.0, s[:, None])


def _shares(one: Floats, other: Floats, m: Floats | float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return one/(one + other) and other/(one + other), in the place of both.

    Where both are too small for a float, one is 1 with the probability m.
    """
    total = one + other
    lost = total == 0
    if lost.any():
        total[lost] = 1.0
        chosen = rng.random(total.shape) < m
        one[lost], other[lost] = chosen[lost], ~chosen[lost]
    one /= total
    other /= total
    return one, other

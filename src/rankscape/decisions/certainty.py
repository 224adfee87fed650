"""How sure a decision is: draws of other cases for costs, savings and thresholds.

Draws of cases leave two things out. The thresholds chosen inside the folds are not the one that is deployed, and
neither is always the model. So a normal deviate is added to each cost that stands for a choice (:func:`doubts`); on
simulated worlds intervals hold the true cost with it, and are too narrow without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf

import numpy as np

from .._costs import Costs
from .._scores import Score
from ..checks import checked_size
from ..domains import prepare
from ..errors import Option, UsageError
from ..floats import covariances, exps, geometric, lengths, logs, logs1p, products, root, solved
from ..performances import Performances
from ..typing import Floats, Integers, PriorLike, WeightsLike
from ..uncertainty import drawn_from, evidence_of_counts, rank_intervals
from .thresholds import Cells, Factors

COARSE = 4096
"""Thresholds that draws choose among: of more, every so many cases one."""

THRESHOLD_DRAWS = 400

FEWEST_DRAWS = 100
"""Of fewer draws the ends of an interval are those of a few, and a probability is soon 1."""

ENDS, NORMAL = (0.025, 0.975), 1.96
"""Of a 95 % interval: the quantiles, and the deviate of a normal distribution."""

ROUNDING = 1e-12
"""Costs of models that differ by no more than this share of a cost may be equal but for rounding."""

SPREADS = geometric(0.03, 100, 40)
"""How far models may be apart, in units of the noise of their differences."""


@dataclass(frozen=True)
class DrawnCosts:
    """The expected costs per case of several decisions: as observed, (n,), and in draws of other cases (draws, n).

    ``bounds`` are the least and the most that a case can cost.
    """

    names: tuple[str, ...]
    observed: Floats
    draws: Floats | None
    bounds: tuple[float, float] = (-np.inf, np.inf)

    def cost(self, name: str) -> float:
        """Return a cost per case."""
        return float(self.observed[self.names.index(name)])

    def moved(self, by: Mapping[str, float]) -> DrawnCosts:
        """Return the costs with some of them moved, draws and all."""
        steps = np.array([by.get(name, 0.0) for name in self.names])
        draws = None if self.draws is None else self.draws + steps
        return DrawnCosts(self.names, self.observed + steps, draws, self.bounds)

    def interval(self, name: str, doubt: float = 0.0) -> tuple[float, float] | None:
        """Return the 95 % interval of a cost; ``doubt`` is a standard deviation that the draws do not have."""
        i = self.names.index(name)
        if self.draws is None:
            return None
        cost, more = float(self.observed[i]), NORMAL * doubt
        low, high = (
            cost + sign * float(lengths(end - cost, more))
            for sign, end in zip((-1, 1), _ends(self.draws[:, i], cost), strict=True)
        )
        return max(low, self.bounds[0]), min(high, self.bounds[1])

    def saved(self, name: str, against: str) -> tuple[float, tuple[float, float] | None, float | None]:
        """Return what a decision saves per case against another one, the 95 % interval, and P(cheaper), ties halved."""
        i, j = self.names.index(name), self.names.index(against)
        saved = float(self.observed[j] - self.observed[i])
        if self.draws is None:
            return saved, None, None
        difference = self.draws[:, j] - self.draws[:, i]
        low, high = _ends(difference, saved)
        most = self.bounds[1] - self.bounds[0]
        cheaper = float(((difference > 0) + 0.5 * (difference == 0)).mean())
        return saved, (max(low, -most), min(high, most)), cheaper


def _ends(values: Floats, observed: float) -> tuple[float, float]:
    low, high = np.nanquantile(values, ENDS)
    return min(float(low), observed), max(float(high), observed)


def checked_draws(draws: int) -> int:
    """Return the number of draws: none, or enough to tell how sure a decision is."""
    if 0 < checked_size("draws", draws, 0) < FEWEST_DRAWS:
        expected = f"0 (no intervals), or at least {FEWEST_DRAWS}: fewer do not tell how sure a decision is"
        raise UsageError(Option("draws", draws), expected=expected)
    return int(draws)


def doubts(optimism: Sequence[float], changed: float) -> tuple[float, float]:
    """Return the standard deviations that choices add to the cost of a model, and to that of the choice among models.

    ``optimism`` (n,) is how much less each model costs at its threshold on the cases it was chosen on than
    cross-fitted: half of it, in quadratic mean, is how far the deployed threshold may be from those of the folds.
    ``changed`` is the difference of the choice made inside the folds to the model chosen on all cases.

    >>> doubts([0.02, 0.02], 0.0)
    (0.01, 0.01)
    """
    alone = 0.5 * float(np.sqrt(np.mean(np.square(optimism))))
    return alone, float(lengths(alone, changed))


def drawn_costs(
    performances: Performances,
    costs: Costs,
    weights: WeightsLike,
    prior: PriorLike | None,
    draws: int,
    seed: int,
    doubt: Mapping[str, float],
) -> DrawnCosts:
    """Return the costs of decisions of which the performances are known, per domain where there are several.

    Rates are drawn from the data alone, each decision by itself: pooled draws would move what is stated. ``doubt`` are
    standard deviations to be added, by name.
    """
    prepared = prepare(performances, weights=weights, shift_prior=prior).performances
    observed = costs.expected(prepared)
    if performances.counts is None or not draws:
        return DrawnCosts(prepared.names, observed, None)
    drawn = drawn_from(evidence_of_counts(performances, weights), draws, seed, "jeffreys").shift_priors(prior)
    four = np.array(costs.by_outcome, dtype=np.float64)
    masses = drawn.values.astype(np.float64)
    values = (masses * four).sum(axis=-1)
    tn, fp, fn, tp = prepared.mass.T
    negatives, positives = masses[:, :, :2].sum(axis=2), masses[:, :, 2:].sum(axis=2)
    for column, right, wrong in (((fp + tp == 0), 0, 2), ((tn + fn == 0), 1, 3)):  # rates of constant answers are known
        values[:, column] = (negatives * four[right] + positives * four[wrong])[:, column]
    rng = np.random.default_rng([seed, 2])
    for name in sorted(doubt):  # so that the order of the models changes nothing
        deviates = rng.normal(size=draws)
        if name in prepared.names:
            values[:, prepared.names.index(name)] += doubt[name] * deviates
    return DrawnCosts(prepared.names, observed, values, (float(four.min()), float(four.max())))


def p_cheapest(drawn: DrawnCosts, names: Sequence[str], seed: int) -> dict[str, float] | None:
    """Return the probability that each of several models is the cheapest, at its own threshold.

    The costs of the models are taken as exchangeable and normal, around a common mean with a spread that is drawn from
    its posterior (half-Cauchy, in units of the noise of a difference): the one that looks cheapest owes something to
    luck. Rates are not pooled, as they are where models are ranked, because models with different thresholds lie on
    one trade-off of the two rates and cost much the same. Of two models :func:`p_first_of_two` says it.
    """
    if drawn.draws is None or len(names) < 2:
        return None
    ordered = sorted(names)
    at = [drawn.names.index(name) for name in ordered]
    observed, noise = drawn.observed[at], covariances(drawn.draws[:, at])
    n = len(at)
    differences = drawn.draws[:, at] - drawn.draws[:, at[:1]]
    if np.ptp(differences, axis=0).max() <= ROUNDING * np.abs(drawn.draws[:, at]).max():  # the same in every draw
        values = np.where(observed - observed.min() <= ROUNDING * np.abs(observed).max(), 0.0, 1.0)[None]
    else:
        apart = float(np.sqrt(max(0.0, (np.trace(noise) - noise.sum() / n) / (n - 1))))
        values = _pooled((observed - observed.mean()) / apart, noise / apart**2, len(drawn.draws), seed)
    cheapest = values == values.min(axis=1, keepdims=True)
    share = (cheapest / cheapest.sum(axis=1, keepdims=True)).mean(axis=0)
    return dict(zip(ordered, share.tolist(), strict=True))


def p_first_of_two(
    performances: Performances, by: Score, weights: WeightsLike, prior: PriorLike | None, draws: int, seed: int
) -> dict[str, float] | None:
    """Return the probability that each of two models is the cheaper one, as their ranking and a gate state it.

    None for other numbers of models, and where no draws are made.
    """
    if len(set(performances.names)) != 2 or performances.counts is None or not draws:
        return None
    drawn = drawn_from(evidence_of_counts(performances, weights), draws, seed).shift_priors(prior)
    intervals = rank_intervals(drawn, by)
    return dict(zip(intervals.names, intervals.p_first.tolist(), strict=True))


def _pooled(observed: Floats, noise: Floats, draws: int, seed: int) -> Floats:
    """Return draws of exchangeable normal means, (draws, n), given their estimates and the covariance of these."""
    rng = np.random.default_rng([seed, 3])
    n = len(observed)
    kept, log_determinants = solved(
        noise + (SPREADS**2)[:, None, None] * np.eye(n), np.column_stack([np.ones(n), observed, noise])
    )
    ones, off, keep = kept[..., 0], kept[..., 1], kept[..., 2:]
    sure = ones.sum(axis=1)
    mean = off.sum(axis=1) / sure
    off -= mean[:, None] * ones
    fit = log_determinants + logs(sure) + ((observed - mean[:, None]) * off).sum(axis=1)
    log_weights = logs(SPREADS) - logs1p(SPREADS**2) - fit / 2
    weights = exps(log_weights - log_weights.max())
    values = []
    for k, number in enumerate(rng.multinomial(draws, weights / weights.sum()).tolist()):
        if number:
            of_mean = products(noise, ones[k][:, None])
            covariance = noise - products(noise, keep[k]) + of_mean * of_mean.T / sure[k]
            centre = observed - products(noise, off[k][:, None])[:, 0]
            deviates = products(root((covariance + covariance.T) / 2), rng.normal(size=(number, n)).T)
            values.append(centre + deviates.T)
    return np.concatenate(values)


def drawn_places(cells: Cells, factors: Factors, ratio: Fraction, seed: int) -> Integers:
    """Return the place of the best threshold in draws of the cases, for a miss that is worth ``ratio`` false alarms."""
    rng = np.random.default_rng([seed, 1])
    fp, tp = (np.asarray(total, dtype=np.float64) for total in cells.sums(factors))
    counts = [np.asarray(total, dtype=np.float64) for total in cells.sums([(1, 1)] * len(factors))]
    rows = np.arange(len(fp))
    if len(rows) > COARSE:
        cases = counts[0] + counts[1]
        rows = np.unique(np.searchsorted(cases, np.linspace(0, cases[-1], COARSE)))
        rows[0], rows[-1] = 0, len(fp) - 1
    weights = []
    for total, number in ((fp, counts[0]), (tp, counts[1])):
        cases, mass = np.diff(number[rows]), np.diff(total[rows])
        drawn = rng.standard_gamma(cases, size=(THRESHOLD_DRAWS, len(cases)))
        weights.append(drawn * (mass / np.where(cases > 0, cases, 1)))
    gain = np.cumsum(float(ratio) * weights[1] - weights[0], axis=1)
    return np.asarray(rows[np.argmax(np.concatenate([np.zeros((THRESHOLD_DRAWS, 1)), gain], axis=1), axis=1)])


def between(upper: float, lower: float) -> float:
    """Return the middle of two scores, above the lower one; ±∞ where none or all are positive."""
    if isinf(upper) or isinf(lower):
        return inf if isinf(upper) else -inf
    middle = lower / 2 + upper / 2
    return middle if middle > lower else upper


def short_between(upper: float, lower: float) -> float:
    """Return the number of fewest digits that divides two scores, near their middle: score ≥ it holds for ``upper``.

    >>> (
    ...     short_between(0.3712, 0.3298),
    ...     short_between(float("inf"), 0.9),
    ...     short_between(0.1, float("-inf")),
    ... )
    (0.35, inf, -inf)
    """
    if isinf(upper) or isinf(lower):
        return inf if isinf(upper) else -inf
    middle, room = lower / 2 + upper / 2, upper - lower
    for digits in range(17):
        number = float(f"{middle:.{digits}e}")
        if abs(number - middle) <= room / 4 and lower < number <= upper:
            return number
    return float(upper)

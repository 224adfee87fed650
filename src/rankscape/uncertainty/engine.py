"""The engine of draws: performances of all entities together, made in blocks.

Each draw weighs the data anew (other cases, clusters or domains), each class by itself, and then pools the rates of the
entities. The engine takes entities, domains and kinds of cases in the order of their names, so that the order of rows
changes nothing. Each block has its own random numbers, so that the number of threads changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..floats import expit, exps, logit, logs, logs1p
from ..performances.averages import sizes_of
from ..typing import Floats, Integers, PosteriorMethod
from .evidence import Evidence
from .units import (
    Drawn,
    add_pseudo_case,
    counted,
    found_in_domains,
    found_of_counts,
    of_cases,
    of_clusters,
    of_counts,
    of_domains,
    shares_of,
    single_cases,
    sorted_units,
)

BLOCK = 1_000_000
"""A block of draws has about this many numbers."""

PILOT = 512
"""How many draws are made to learn how sure the averages are, and how much the entities have in common."""

RARE = 2.0
"""A correlation that rests on e errors per entity counts e/(e + RARE): of few errors it is mostly chance."""

MOST_ALIKE, MOST_GRADES_ALIKE = 0.99, 0.9999
"""The largest correlations that are believed, of whole cases and of units with shares of outcomes."""

UNKNOWN_CASES = 10
"""How many cases a domain stands for where there are no counts."""

TINY, STEPS = 1e-12, 6
"""How far rates stay from 0 and 1, and the number of Newton steps, where the rates of all classes move together."""


class Engine:
    """Draws of the averaged performances of the entities of some evidence, before any shift of the prior.

    ``method`` is the prior distribution of their rates, ``entropy`` the seed. Blocks are numbered from 0.
    """

    def __init__(self, evidence: Evidence, method: PosteriorMethod, entropy: int) -> None:
        self.method, self.entropy = method, entropy
        self.order = sorted(range(len(evidence.names)), key=evidence.names.__getitem__)
        self.evidence = evidence.only([evidence.names[e] for e in self.order])
        self.classes = evidence.classes
        self.beside = evidence.beside
        self.weights = self.evidence.weights
        grid = self.evidence.prepared.grid
        self.domains = sorted(self.evidence.used, key=grid.domains.__getitem__)
        self.units = [sorted_units(self.evidence.units[d]) for d in self.domains] if self.evidence.units else []
        apart = not evidence.paired
        self.counted = [counted(self.evidence.counts(d), self.classes) for d in self.domains] if apart else []
        n, k = len(self.order), len(evidence.space)
        self.size = int(np.clip(BLOCK // (n * k * max(1, len(self.domains))), 8, 512))
        self.graded = self.evidence.graded
        if self.graded:  # each case is a kind of its own, and has a weight in each draw
            self.size = int(np.clip(4 * BLOCK // max(len(units.codes) for units in self.units), 8, self.size))
            if len(self.units) == 1 and self.evidence.unit == "cases" and self.units[0].cluster is None:
                self.units = [single_cases(self.units[0])]
        self.times = evidence.times
        if self.times != 1:
            scaled: list[Any] = [units.size * self.times for units in self.units]
            self.units = [units._replace(size=size) for units, size in zip(self.units, scaled, strict=True)]

    @property
    def _simple(self) -> bool:
        """Whether rates are conjugate: counts of one domain, each entity by itself."""
        return not self.evidence.paired and len(self.domains) == 1

    def block(self, number: int) -> Floats:
        """Return one block of draws, (draws, n, k): probabilities of the outcomes, entities in the order of the data.

        They are NaN for an entity that was seen on too few units.
        """
        rng = np.random.default_rng([self.entropy, number + 1])
        out = self._pooled(self._averaged(self.size, rng), rng)
        values = np.empty_like(out)
        values[:, self.order] = out
        return values

    def _averaged(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return the masses of the outcomes, averaged over the domains, by the data alone: (draws, n, k).

        Simple counts need only the shares of the classes here, which stand in the place of the right outcome.
        """
        n, k = len(self.order), len(self.evidence.space)
        if self.evidence.unit == "domains" and self.beside:
            return found_in_domains(self._domain_masses, self.classes[0], self.beside, draws, rng, self.times)
        if self.evidence.unit == "domains":
            drawn = of_domains(self._domain_masses, self.classes, draws, rng, self.times)
            return self._joined([drawn], np.ones((n, 1)), draws, k)
        each: list[Drawn] = []
        share = 1 / len(self.domains)
        if self._simple:
            out = np.zeros((draws, n, k))
            out[:, :, [outcomes[0] for outcomes in self.classes]] = shares_of(self.counted[0], share, draws, rng)
            return out
        if self.beside:
            each_domain = np.stack([seen.counts for seen in self.counted])
            return found_of_counts(each_domain, self.factors, self.classes[0], self.beside, draws, rng)
        for position, d in enumerate(self.domains):
            if not self.units:
                each.append(of_counts(self.counted[position], share, draws, rng))
            elif self.units[position].cluster is not None:
                errors = self.evidence.errors
                each.append(of_clusters(self.units[position], k, self.classes, draws, rng, self.times, errors))
            else:
                counts = self.evidence.counts(d)
                each.append(of_cases(self.units[position], counts, self.classes, share, draws, rng))
        if len(each) > 1 and self.evidence.unit == "cases":
            several = np.array([units.size.sum() > 1 for units in self.units]) if self.graded else None
            add_pseudo_case(each, self.classes, rng, several)
        return self._joined(each, self.weights[:, self.domains], draws, k)

    def _joined(self, each: list[Drawn], weights: Floats, draws: int, k: int) -> Floats:
        out = np.zeros((draws, weights.shape[0], k))
        for drawn, weight in zip(each, weights.T, strict=True):
            for c, outcomes in enumerate(self.classes):
                share = drawn.shares[:, :, c, None] * weight[:, None]
                rates = drawn.masses[:, :, outcomes]
                total = rates.sum(axis=2, keepdims=True)
                with np.errstate(invalid="ignore", divide="ignore"):
                    rates /= total
                counts = (share > 0) | (np.isnan(total) & (weight > 0)[:, None])  # what was seen on one unit stays NaN
                none = (total[..., 0] == 0) & counts[..., 0]
                if not counts.all():
                    rates = np.where(counts, rates, 0.0)
                if none.any():  # no case of this class was seen: the pool alone gives its rate
                    rates[none] = np.eye(len(outcomes))[0]
                rates *= share
                out[:, :, outcomes] += rates
        return out

    @cached_property
    def _domain_masses(self) -> Floats:
        """Return the weighted performances per domain, (domains, n, k), in cases."""
        grid = self.evidence.prepared.grid
        performances, rows = grid.performances, grid.rows[:, self.domains]
        counts = None if performances.space.unit else performances.counts
        if self.beside:
            masses, weights = np.stack([self.evidence.counts(d) for d in self.domains]).astype(np.float64), self.factors
        else:
            masses, weights = performances.mass[rows.T], self.weights[:, self.domains].T
        cases = UNKNOWN_CASES if counts is None else sizes_of(np.asarray(counts), performances.space)[rows].mean()
        masses = np.asarray(masses * (weights[:, :, None] * len(self.domains)) * cases * self.times)
        return masses[np.lexsort(masses.reshape(len(masses), -1).T[::-1])]  # units may have no names to be sorted by

    @cached_property
    def pools(self) -> tuple[Pool, ...]:
        """How the rates of each class are pooled, and then, of more than two classes, the accuracy over them.

        An entity that is good at one class is mostly good at the others, so rates pooled class by class err together.
        """
        every = list(range(len(self.evidence.space)))
        pairs = [(outcomes[:1], outcomes) for outcomes in self.classes]
        if len(self.classes) > 2 and self.pooled:
            pairs.append(([outcomes[0] for outcomes in self.classes], every))
        pairs += [([outcome], [outcome, *self.classes[0]]) for outcome in self.beside]
        alone = len(self.domains) == 1 and self.evidence.unit == "cases" and not self.graded
        needless = self._simple or (not self.pooled and alone)
        pilot = [None] * len(pairs) if needless else self._pilot(pairs)
        _ = self._seen  # computed before the threads start, for each would compute it
        with ThreadPoolExecutor(len(pairs)) as threads:  # one class each: NumPy and SciPy let the others run
            waiting = [threads.submit(self._pool, *pair, rates) for pair, rates in zip(pairs, pilot, strict=True)]
            return tuple(each.result() for each in waiting)

    @property
    def factors(self) -> Floats:
        """What counts are multiplied by before they are added, (domains, n), without true negatives."""
        return self.evidence.factors[:, self.domains].T

    def apart(self) -> Engine:
        """Return an engine that draws from the same data, with the same pilot, and pools nothing."""
        # What the pilot said of each class stays: on how many cases its rates rest. What entities learn from one
        # another goes, so that each has Jeffreys' prior by itself. The accuracy over all classes is pooled only because
        # rates that are pooled class by class err together, so its pool, which comes last, goes with them.
        other = copy(self)
        other.method = "jeffreys"
        of_classes = self.pools[: len(self.classes) + len(self.beside)]
        other.pools = tuple(replace(pool, learned=None, correlation=0.0, perhaps_shared=False) for pool in of_classes)
        return other

    def _pilot(self, pairs: Sequence[tuple[list[int], list[int]]]) -> list[Floats]:
        """Return rates (draws, n) of the right outcomes among others, for pairs of them, by the data alone."""
        rng = np.random.default_rng([self.entropy, 0])
        rates: list[list[Floats]] = [[] for _ in pairs]
        for _ in range(-(-PILOT // self.size)):
            masses = self._averaged(self.size, rng)
            with np.errstate(invalid="ignore", divide="ignore"):
                for each, (right, every) in zip(rates, pairs, strict=True):
                    each.append(masses[:, :, right].sum(axis=2) / masses[:, :, every].sum(axis=2))
        return [np.concatenate(each) for each in rates]

    @cached_property
    def _seen(self) -> Floats:
        """How many cases were seen of each entity and outcome, (n, k)."""
        if self.evidence.unit == "domains":
            return np.asarray(self._domain_masses.sum(axis=0))
        return np.asarray(np.sum([self.evidence.counts(d) for d in self.domains], axis=0), dtype=np.float64)

    @property
    def pooled(self) -> bool:
        """Whether entities are pooled."""
        return self.method == "exchangeable" and len(self.order) > 1

    def _pool(self, right: list[int], every: list[int], rates: Floats | None) -> Pool:
        """Return how the rate of the ``right`` outcomes among others is pooled, given the ``rates`` of the pilot."""
        seen = self._seen[:, every].sum(axis=1)
        prior = prior_of("jeffreys" if self.method == "exchangeable" else self.method, len(every))
        mean, strength = (float(prior[0] / prior.sum()), float(prior.sum())) if prior.sum() else (0.5, 0.0)
        if self._simple:
            learned = population(self._seen[:, right].sum(axis=1), seen) if self.pooled else None
            return Pool(
                seen, learned=learned, mean=mean, strength=strength, perhaps_shared=self.evidence.perhaps_same_cases
            )
        if rates is None:
            return Pool(seen, mean=mean, strength=strength)
        known = ~np.isnan(rates).any(axis=0)
        average, deviation = rates.mean(axis=0), _middle(rates)
        cases = seen
        if len(self.domains) > 1 or self.evidence.unit != "cases" or self.graded:
            weight = np.ones(len(average))
            if not self.evidence.paired:
                weight = self._sureness_of_found(average, every) if self.beside else self._sureness(every)
            spread, variance = (average * (1 - average) / weight)[known].sum(), (deviation[known] ** 2).sum()
            sure = weight * spread / variance - 1 if variance > 0 else np.full(len(weight), np.inf)
            if self.evidence.unit != "cases" or variance == 0:
                sure = np.minimum(sure, seen.max())
            cases = np.where(known, np.maximum(sure, 0.0), 0.0)
        if not self.pooled:
            return Pool(np.asarray(cases), mean=mean, strength=strength)
        x = np.where(known, average * cases, 0.0)
        alike = correlation(rates[:, known]) if self.evidence.paired else 0.0
        if differing := self._differing(right, every):
            alike = float(np.clip(1 - (1 - alike) * (1 + 2 * RARE / differing), 0.0, MOST_GRADES_ALIKE))
        else:
            tried = cases if self.evidence.unit == "cases" else seen  # clusters are few cases, but hold many errors
            right_ones = np.where(known, average * tried, 0.0)
            errors = float(np.minimum(right_ones, tried - right_ones).mean())
            alike = min(alike * errors / (errors + RARE), MOST_ALIKE)
        learned = population(x / (1 - alike), cases / (1 - alike))
        centre = float(average[known].mean()) if known.any() else 0.5
        perhaps_shared = self.evidence.perhaps_same_cases
        return Pool(np.asarray(cases), alike, centre, learned, mean, strength, perhaps_shared)

    def _differing(self, right: list[int], every: list[int]) -> float:
        """Return on as how many units the entities differ, if units have shares of outcomes instead of one; else 0.

        That is (Σs)²/Σs² for the squares s of what each unit adds to their differences: D if they differ on D alike.
        """
        performances = self.evidence.prepared.grid.performances
        if self.evidence.unit == "domains" and (performances.counts is None or performances.space.unit):
            masses = self._domain_masses
            times = np.ones(len(masses))
            with np.errstate(invalid="ignore"):
                rates = masses[:, :, right].sum(axis=2) / masses[:, :, every].sum(axis=2)
        elif self.graded and self.evidence.unit == "cases":
            times = np.concatenate([units.size for units in self.units]).astype(np.float64)
            rates = np.concatenate([np.sum([units.shares(o) for o in right], axis=0) for units in self.units])
        else:
            return 0.0
        known = ~np.isnan(rates).any(axis=1)
        if not known.any():
            return 0.0
        number, rates, times = times[known].sum(), rates[known], times[known] / times[known].sum()
        apart = rates - rates.mean(axis=1, keepdims=True)
        squares = ((apart - (times[:, None] * apart).sum(axis=0)) ** 2).sum(axis=1)
        total = float((times * squares).sum() ** 2)
        return total / float((times * squares**2).sum()) * float(number) if total else 0.0

    def _sureness(self, outcomes: list[int]) -> Floats:
        """Return on how many cases the average of each entity rests, up to a factor: (n,).

        An average Σ ω_d·r_d is as sure as 1/Σ(ω_d²/n_d) cases, ω_d the share of a domain in the class.
        """
        counts = np.stack([self.evidence.counts(d) for d in self.domains], axis=1)
        here, all_ = counts[:, :, outcomes].sum(axis=2), np.maximum(counts.sum(axis=2), 1)
        share = self.weights[:, self.domains] * (here + 1 / len(self.domains)) / all_
        share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
        return np.asarray(1 / np.maximum((share**2 / (here + 1)).sum(axis=1), 1e-300))

    def _sureness_of_found(self, average: Floats, every: list[int]) -> Floats:
        """Return the same without true negatives: of recall 1/S with S = Σ f_d²·n_d, n_d things and their factors f_d.

        An average of λ outcomes per thing to be found varies as λ·S, so its share λ/(1 + λ) is as sure as (1 + λ)²/S.
        """
        targets = np.stack([seen.counts[:, self.classes[0]].sum(axis=1) for seen in self.counted])
        sure = 1 / np.maximum((self.factors**2 * targets).sum(axis=0), 1e-300)
        return np.asarray(sure if every == self.classes[0] else sure / np.maximum(1 - average, TINY) ** 2)

    def _pooled(self, masses: Floats, rng: np.random.Generator) -> Floats:
        """Return the draws with pooled rates; the shares of the classes stay as they are."""
        if self.beside:
            return self._pooled_found(masses, rng)
        out = np.empty_like(masses)
        for outcomes, pool in zip(self.classes, self.pools, strict=False):
            right, wrong = outcomes[0], outcomes[1:]
            total = masses[:, :, outcomes].sum(axis=2)
            with np.errstate(invalid="ignore", divide="ignore"):
                rate, error = self._rates(pool, masses, [right], total, rng)
                if not total.all():
                    rate, error = (np.where(total == 0, 0.0, each) for each in (rate, error))
                out[:, :, right] = total * rate
                if len(wrong) == 1:
                    out[:, :, wrong[0]] = total * error
                    continue
                if self._simple:
                    errors = rng.standard_gamma(self.counted[0].counts[:, wrong], size=(*rate.shape, len(wrong)))
                else:
                    errors = masses[:, :, wrong] / total[..., None] * pool.cases[:, None]
                errors = errors + rng.standard_gamma(self._errors(outcomes), size=errors.shape)
                sums = errors.sum(axis=2, keepdims=True)
                errors = np.where(sums > 0, errors / sums, 1 / len(wrong))
            out[:, :, wrong] = (total * error)[..., None] * errors
        for level in self.pools[len(self.classes) :]:
            self._levelled(out, masses, level, rng)
        return out

    def _rates(
        self, pool: Pool, masses: Floats, right: list[int], total: Floats | float, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return the pooled rates (draws, n) of the ``right`` outcomes among a total, and what they lack to 1."""
        if self._simple:
            return pool.conjugate(self.counted[0].counts[:, right].sum(axis=1), len(masses), rng)
        with np.errstate(invalid="ignore", divide="ignore"):
            return pool.drawn(masses[:, :, right].sum(axis=2) / total, rng)

    def _pooled_found(self, masses: Floats, rng: np.random.Generator) -> Floats:
        """Return the draws without true negatives: recall is pooled, and how many false positives a thing comes with.

        So precision and recall are pooled, and not their compromise alone. Both are drawn per thing to be found.
        """
        targets = self.classes[0]
        out, every = np.empty_like(masses), np.ones(masses.shape[:2])
        for outcomes, pool in zip(
            [targets, *([outcome, *targets] for outcome in self.beside)], self.pools, strict=True
        ):
            rate, rest = self._rates(pool, masses, outcomes[:1], masses[:, :, outcomes].sum(axis=2), rng)
            if outcomes is targets:
                out[:, :, targets[0]], out[:, :, targets[1]] = rate, rest
                continue
            out[:, :, [*targets, *self.beside[: self.beside.index(outcomes[0])]]] *= rest[..., None]
            out[:, :, outcomes[0]] = rate * every  # all outcomes so far are per the same number of things
            every = every * rest
        lacking = self._seen[:, targets].sum(axis=1) == 0  # nothing is to be found
        out[:, lacking] = np.nan_to_num(out[:, lacking]) * [
            outcome not in targets for outcome in range(masses.shape[2])
        ]
        return np.asarray(out / out.sum(axis=2, keepdims=True))

    def _levelled(self, out: Floats, masses: Floats, level: Pool, rng: np.random.Generator) -> None:
        """Move the rates of all classes of a draw together, on the logit scale, so that the accuracy is as pooled."""
        right = [outcomes[0] for outcomes in self.classes]
        wanted, _ = self._rates(level, masses, right, 1.0, rng)
        shares = np.stack([out[:, :, outcomes].sum(axis=2) for outcomes in self.classes], axis=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = np.clip(np.nan_to_num(out[:, :, right] / shares, nan=0.5), TINY, 1 - TINY)
        places, move = logit(rates), np.zeros((*wanted.shape, 1))
        target = logit(np.clip(wanted, TINY, 1 - TINY))[..., None]
        for _ in range(STEPS):
            now = expit(places + move)
            accuracy = np.clip((shares * now).sum(axis=2, keepdims=True), TINY, 1 - TINY)
            slope = (shares * now * (1 - now)).sum(axis=2, keepdims=True) / (accuracy * (1 - accuracy))
            move += np.clip((target - logit(accuracy)) / np.maximum(slope, 0.05), -2, 2)
        moved = expit(places + move)
        for c, outcomes in enumerate(self.classes):
            factor = (1 - moved[:, :, c]) / (1 - rates[:, :, c])
            out[:, :, outcomes[1:]] *= factor[..., None]
            out[:, :, outcomes[0]] = shares[:, :, c] * moved[:, :, c]

    def _errors(self, outcomes: list[int]) -> Floats:
        """Return the prior masses of the wrong outcomes: one case, split as all entities err, or the method's."""
        wrong = outcomes[1:]
        if self.method not in ("exchangeable", "jeffreys"):
            return prior_of(self.method, len(outcomes))[1:]
        mass = np.nan_to_num(self.evidence.prepared.grid.performances.mass)[:, wrong]
        mass = np.sort(mass, axis=0).sum(axis=0)  # the same in any order of rows
        return np.asarray((mass + mass.sum() / 20 + 1e-9) / (mass + mass.sum() / 20 + 1e-9).sum())


def prior_of(method: PosteriorMethod, outcomes: int) -> Floats:
    """Return the prior masses, in cases, of the outcomes of a class, the right one first.

    >>> prior_of("jeffreys", 3).tolist(), prior_of("uniform", 2).tolist(), prior_of(2, 2).tolist()
    ([0.5, 0.25, 0.25], [1.0, 1.0], [2.0, 2.0])
    """
    if method == "jeffreys":
        return np.array([0.5] + [0.5 / max(1, outcomes - 1)] * (outcomes - 1))
    return np.full(outcomes, 1.0 if method == "uniform" else float(method))


def _middle(rates: Floats) -> Floats:
    """Return half the width of the middle 68 % of each column: of few units the standard deviation is all tails."""
    low, high = np.quantile(rates, [0.1587, 0.8413], axis=0)
    return np.asarray((high - low) / 2)


# ---- pooling

# Pooling: exchangeable entities learn from one another, the more the data show that they are alike.
#
# A rate is that of the cases seen, R, mixed with one of the population of entities, B ~ Beta(m·s, (1 − m)·s): (1 −
# w)·R + w·B, where w is a share of Gamma(n) and Gamma(s) masses. If R ~ Beta(x, n − x) this is exactly the posterior
# Beta(x + m·s, n − x + (1 − m)·s). The level m and the concentration s are drawn from their posterior given all x and
# n (beta-binomial), on a grid that is laid around the data. Prior distribution: m ~ Beta(½, ½); the standard
# deviation of the entities on the logit scale, σ = τ/√(m(1 − m)) with τ² = 1/(1 + s), is half-Cauchy(½). Each entity
# is a stranger with probability 0.05 (m = ½, s = 1), so that a trivial one does not keep the others from being
# pooled.
#
# Where entities share cases their R are correlated, by f on average: differences between them are as sure as n/(1 −
# f) cases of each its own would make them, and their common level moves as one.

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
    # At one spread, the density of the level is a peak, whose place and width the data decide. The levels start wide,
    # and their ends move in, to one node outside of those that count: where the density is e⁻⁹ of the highest or more.
    # Once nearly half of the nodes count, there are enough on the peak for a sum over them to stand for its integral.
    low, high = _around(kinds, times, spread, end)
    step, rows = np.linspace(0, 1, LEVELS), np.arange(SPREADS)
    for _ in range(ZOOMS):
        level = low[:, None] + (high - low)[:, None] * step
        density = _prior(level, spread) + _of_all(times, kinds, level, spread)
        counts = density > density.max(axis=1, keepdims=True) - NEGLIGIBLE
        first = np.maximum(counts.argmax(axis=1) - 1, 0)
        last = np.minimum(LEVELS - counts[:, ::-1].argmax(axis=1), LEVELS - 1)
        if (last - first >= 0.45 * LEVELS).all():
            break
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

"""The engine of draws: performances of all entities together, made in blocks.

Each draw weighs the data anew (other cases, clusters or domains), each class by itself, and then pools the rates of the
entities. The engine takes entities, domains and kinds of cases in the order of their names, so that the order of rows
changes nothing. Each block has its own random numbers, so that the number of threads changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from ..floats import expit, logit
from ..performances.averages import sizes_of
from ..typing import Floats, PosteriorMethod
from .evidence import Evidence
from .pooling import Pool, correlation, population
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
                errors = bool(self.evidence.errors)
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
        other = copy(self)
        other.method = "jeffreys"
        other.pools = tuple(pool.apart() for pool in self.pools[: len(self.classes) + len(self.beside)])
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

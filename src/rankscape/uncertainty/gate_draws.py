"""Draws for a gate: what two models might do on other cases, clusters or domains; nothing is pooled, ties stay likely.

Of models that were tried on the same cases, the four joint kinds are drawn (both right, only the new one, only the one
in use, both wrong), so that what they share stays shared. Half a case of each kind is added, so that predictions that
were the same so far are no proof that they always will be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..typing import Floats, Integers, Resample
from .box import Rates
from .units import as_sure_as, effective

BLOCK = 4_000_000
"""About how many numbers a block of draws has."""

HALF = 0.5
"""Cases of each kind that are added to those seen: Jeffreys' prior."""

ODDS = 2.0**-10
"""The odds of positives that stand for unknown ones: at a = 1 scores do not depend on it."""

RIGHT_NEW, RIGHT_OLD = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
"""Of the joint kinds: in which the new model is right, in which the one in use is."""


@dataclass(frozen=True, eq=False)
class Pair:
    """What was seen of two models on domains: the new one, then the one in use.

    ``weights`` (domains,) sum to 1. ``right`` and ``total`` (domains, 2 models, classes) are numbers of cases,
    negatives first; cases that are right or wrong have one class. ``kinds`` are, per domain, the joint kinds of cases
    (clusters, classes, 4), in one row where there are no clusters; empty where only the counts of each model are known,
    or ``unit`` is "domains". Where cases are ``graded``, each has a row, with its share of each kind, and ``half``
    cases of each kind are added. With ``side`` there are no true negatives: the "negatives" are the false
    positives, and positives are what was to be found; if ``pooled``, counts are added, and nothing weighs the domains.
    """

    weights: Floats
    right: Floats
    total: Floats
    kinds: tuple[Floats, ...] = ()
    unit: Resample = "cases"
    graded: bool = False
    half: float = HALF
    side: bool = False
    pooled: bool = False

    @property
    def cases(self) -> Floats:
        """Cases of each class that both models have, (domains, classes); without true negatives, positives for both."""
        cases = self.total.min(axis=1)
        return np.repeat(cases[:, 1:], 2, axis=1) if self.side else cases

    @property
    def paired(self) -> bool:
        """Whether both models share what is drawn."""
        return bool(self.kinds) or self.unit == "domains"

    @property
    def discordant(self) -> float:
        """How many cases just one of the two gets right; NaN where that is not known."""
        return float(sum(of[..., 1:3].sum() for of in self.kinds)) if self.kinds else np.nan

    @property
    def alike(self) -> bool:
        """Whether nothing that was seen tells one from the other."""
        if self.kinds:
            return not self.discordant
        right = self.total - self.right if self.side else self.right
        total = self.total[..., 1:] if self.side else self.total
        return self.unit == "domains" and bool((right[:, 0] * total[:, 1] == right[:, 1] * total[:, 0]).all())

    def units(self) -> Integers:
        """Return how many units hold each class, (domains, classes): cases, clusters; one row of domains."""
        cases = self.cases
        if self.unit == "domains":
            return np.asarray((cases > 0).sum(axis=0, keepdims=True))
        if self.unit == "clusters" or self.graded:
            return np.array([(of.sum(axis=2) > 0).sum(axis=0) for of in self.kinds])
        return np.asarray(cases.astype(np.int64))

    def on(self, d: int) -> Pair:
        """Return what was seen on one domain."""
        unit: Resample = "cases" if self.unit == "domains" else self.unit
        return replace(
            self, weights=np.ones(1), right=self.right[d : d + 1], total=self.total[d : d + 1],
            kinds=self.kinds[d : d + 1], unit=unit,
        )  # fmt: skip


def rates_of(pair: Pair, draws: int, seed: int, times: float = 1.0) -> Rates:
    """Return draws of the rates of two models, averaged over domains, as if of so many ``times`` the units.

    Gains are NaN of a class of which too few units were seen. The odds are those of the model in use.
    """
    size = max(1, min(draws, BLOCK // (16 * len(pair.weights))))
    if pair.unit == "domains":
        rates = [(_at_side if pair.side else _of_domains)(pair, draws, np.random.default_rng([seed, 0]), times)]
    elif pair.unit == "clusters" or pair.graded:
        rates = [_of_clusters(pair, draws, np.random.default_rng([seed, 0]), times)]
    else:
        draw = _at_side if pair.side else _of_cases if pair.kinds else _of_counts
        blocks = enumerate(range(0, draws, size))
        rates = [draw(pair, min(size, draws - start), np.random.default_rng([seed, i]), times) for i, start in blocks]
    return Rates(*(np.concatenate(part) for part in zip(*rates, strict=True)))


def _of_cases(pair: Pair, draws: int, rng: np.random.Generator, times: float) -> Rates:
    """Draw the joint kinds of cases, each class by itself."""
    kinds = np.stack([of.sum(axis=0) for of in pair.kinds]) * times
    masses = _with_prior(kinds, draws, rng)
    shares = _shares(kinds.sum(axis=2), draws, rng)
    masses *= (shares * pair.weights[:, None] / masses.sum(axis=3))[..., None]
    return _joint_rates(masses.sum(axis=1))


def _joint_rates(masses: Floats) -> Rates:
    """Return the rates of masses of joint kinds, (draws, classes, 4)."""
    total = masses.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _rates(masses @ RIGHT_OLD / total, (masses[..., 1] - masses[..., 2]) / total, total)


def _rates(old: Floats, gain: Floats, totals: Floats) -> Rates:
    """Return rates of two classes, (draws, classes) each; cases that are right or wrong are all positive."""
    if old.shape[1] == 1:
        none = np.zeros_like(old)
        return Rates(np.hstack([none, old]), np.hstack([none, gain]), np.ones(len(old)))
    return Rates(old, gain, totals[:, 1] / totals[:, 0])


def _of_counts(pair: Pair, draws: int, rng: np.random.Generator, times: float) -> Rates:
    """Draw each model by itself; the shares of the classes are shared where the class totals are the same."""
    right, total = pair.right * times, pair.total * times
    masses = _with_prior(np.stack([right, total - right], axis=3), draws, rng)
    shares = np.stack([_shares(total[:, model], draws, rng) for model in (1, 0)][::-1], axis=2)
    same = (total[:, 0] == total[:, 1]).all(axis=1)
    shares[:, same, 0] = shares[:, same, 1]
    weighed = shares * pair.weights[:, None, None]
    totals = weighed.sum(axis=1)
    rates = (weighed * masses[..., 0] / masses.sum(axis=4)).sum(axis=1) / totals
    return _rates(rates[:, 1], rates[:, 0] - rates[:, 1], totals[:, 1])


def _with_prior(cases: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return masses (draws, domains, …, kinds): half a case of each kind is added to one domain.

    With several domains it is added to all of them together, and each domain has one case more that is as they all are
    in the same draw. So few cases per domain would be too sure of their average: each counts as a little less than one.
    """
    if len(cases) == 1:
        return rng.standard_gamma(np.broadcast_to(cases + HALF, (draws, *cases.shape)))
    number = cases.sum(axis=-1, keepdims=True)
    cases = np.divide(cases * as_sure_as(number), number, out=np.zeros_like(cases), where=number > 0)
    masses = rng.standard_gamma(np.broadcast_to(cases, (draws, *cases.shape)))
    every = masses.sum(axis=1, keepdims=True) + rng.standard_gamma(HALF, (draws, 1, *cases.shape[1:]))
    centre = every / every.sum(axis=-1, keepdims=True)
    masses += rng.standard_gamma(1.0, (*masses.shape[:-1], 1)) * centre
    return masses


def _shares(total: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the shares of the classes, (draws, domains, 2): the domains have one case more, all together."""
    masses = rng.standard_gamma(np.broadcast_to(total + HALF / len(total), (draws, *total.shape)))
    return np.asarray(masses / masses.sum(axis=2, keepdims=True))


def _at_side(pair: Pair, draws: int, rng: np.random.Generator, times: float) -> Rates:
    """Draw hits, misses and false alarms, where there are no true negatives; each domain has the weight that it has.

    Two models that were to find as many positives share the draw of how many these are. The rates are those of so many
    negatives that nothing depends on their number.
    """
    hits, misses, alarms = pair.right[..., 1], (pair.total - pair.right)[..., 1], pair.total[..., 0]
    kinds = np.stack([hits, misses, alarms], axis=2)
    if pair.unit == "domains":
        masses = kinds if pair.pooled else kinds * pair.weights[:, None, None] * len(kinds)
        drawn = _weighted(masses, draws, rng) + HALF + _either_way(masses, draws, rng)
        sizes = pair.cases[:, :1] if pair.pooled else (pair.cases[:, :1] > 0) * pair.weights[:, None]
        every = _wider(drawn[:, :, None], effective(sizes)[:, None], rng, times)[:, :, 0]
    elif len(kinds) > 1:
        every = _of_several_domains(kinds * times, pair.pooled, pair.weights, draws, rng)
    else:
        masses = _with_prior(kinds * times, draws, rng)
        positives = masses[..., :2].sum(axis=3)
        same = pair.total[:, 0, 1] == pair.total[:, 1, 1]
        masses[:, same, 0, :2] *= (positives[:, same, 1] / positives[:, same, 0])[..., None]
        every = masses.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall, wrong = (every[..., part] / every[..., :2].sum(axis=2) for part in (0, 2))
    new, old = (np.stack([1 - ODDS * wrong[:, model], recall[:, model]], axis=1) for model in (0, 1))
    gain = np.stack([ODDS * (wrong[:, 1] - wrong[:, 0]), (new - old)[:, 1]], axis=1)
    return Rates(old, gain, np.full(draws, ODDS))


def _of_several_domains(kinds: Floats, pooled: bool, weights: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw hits, misses and alarms (draws, models, 3) of several domains, averaged per thing to be found, or pooled.

    Of as many things as there were, hits are drawn, and alarms per thing; half an alarm is added to all domains.
    """
    things = kinds[..., :2].sum(axis=2)
    total = np.maximum(things.sum(axis=0), 1)
    of_each = things / total if pooled else np.where(things > 0, weights[:, None], 0.0)
    factor = np.divide(of_each, things, out=np.zeros_like(of_each), where=things > 0)
    factor = np.broadcast_to(1 / total, things.shape) if pooled else factor
    masses = _with_prior(kinds[..., :2], draws, rng)
    rates = np.divide(masses, masses.sum(axis=3, keepdims=True))
    alarms = (rng.standard_gamma(np.broadcast_to(kinds[..., 2], (draws, *things.shape))) * factor).sum(axis=1)
    alarms += rng.standard_gamma(HALF, alarms.shape) / total
    return np.concatenate([(rates * of_each[..., None]).sum(axis=1), alarms[..., None]], axis=2)


def _of_clusters(pair: Pair, draws: int, rng: np.random.Generator, times: float) -> Rates:
    """Draw clusters of each domain; few of them make the draws wider, on the scale of logarithms."""
    classes = pair.total.shape[2]
    masses = np.zeros((draws, classes, 4))
    pseudo = pair.half / len(pair.kinds)
    for kinds, weight in zip(pair.kinds, pair.weights, strict=True):
        here = _weighted(kinds, draws, rng) * times + rng.standard_gamma(pseudo, (draws, classes, 4))
        holds = effective(kinds.sum(axis=2))
        shares = _wider(here.sum(axis=2), effective(kinds.sum(axis=(1, 2)))[None], rng, times)
        shares *= holds > 0
        wide = _wider(here, holds[:, None], rng, times)
        parts = (shares / shares.sum(axis=1, keepdims=True))[..., None] * wide / wide.sum(axis=2, keepdims=True)
        masses += weight * np.where((holds > 0)[:, None], parts, 0.0)
    return _joint_rates(masses)


def _of_domains(pair: Pair, draws: int, rng: np.random.Generator, times: float) -> Rates:
    """Draw domains, the same for both models."""
    number = len(pair.weights)
    masses = np.stack([pair.right, pair.total - pair.right], axis=3) * pair.weights[:, None, None, None] * number
    sizes = pair.total.min(axis=1) * pair.weights[:, None]
    drawn = _weighted(masses, draws, rng) + HALF + _either_way(masses, draws, rng)
    wide = _wider(drawn, effective(sizes)[:, None], rng, times)
    rates = wide[..., 0] / wide.sum(axis=3)
    totals = _wider(drawn[:, 1].sum(axis=2), effective(sizes.sum(axis=1))[None], rng, times)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _rates(rates[:, 1], rates[:, 0] - rates[:, 1], totals)


def _either_way(masses: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return half a domain on which the new model does better, and half one on which the other does, (draws, …).

    They are as the domains that were seen (domains, 2 models, …, right first), those that differ most counting most:
    two domains of which the new model wins both do not say that it wins all.
    """
    right = masses[..., 0].reshape(len(masses), 2, -1).sum(axis=2)
    gains = right[:, 0] - right[:, 1]
    if not gains.any():
        return np.zeros((draws, *masses.shape[1:]))
    ahead = np.where((gains > 0).reshape(-1, *[1] * (masses.ndim - 1)), masses, masses[:, ::-1])
    typical = np.tensordot(np.abs(gains) / np.abs(gains).sum(), ahead, 1)
    return np.asarray(np.tensordot(rng.standard_gamma(HALF, (draws, 2)), np.stack([typical, typical[::-1]]), 1))


def _weighted(content: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the content of units (units, …), weighed by Dirichlet(1, …, 1) with the mean weight 1: (draws, …)."""
    number, size = len(content), max(1, BLOCK // len(content))
    flat, out = content.reshape(number, -1), np.empty((draws, content[0].size))
    for start in range(0, draws, size):
        weights = rng.standard_exponential((min(size, draws - start), number))
        out[start : start + size] = weights @ flat / weights.mean(axis=1, keepdims=True)
    return out.reshape(draws, *content.shape[1:])


def _wider(masses: Floats, units: Floats, rng: np.random.Generator, times: float) -> Floats:
    """Return masses (draws, …), up to a factor per row, whose logarithms deviate √((u + 1)/χ²(u − 1)) times as much.

    That is from their medians, for u ``units`` per class, (classes, …), of which fewer than two say nothing: NaN. There
    is one factor per draw and class.
    """
    logs = np.log(np.maximum(masses, 1e-300))
    centre = np.median(logs, axis=0)
    few = units < 2
    spread = rng.chisquare(np.where(few, 1.0, units * times - 1), (len(masses), *units.shape))
    factor = np.sqrt((units + 1) / spread)
    if masses.ndim - factor.ndim == 1:  # two models share the factor of their class
        factor = factor[:, None]
    wide = centre + np.where(few, np.nan, factor) * (logs - centre)
    return np.asarray(np.exp(wide - wide.max(axis=-1, keepdims=True)))

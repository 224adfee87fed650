"""Worlds in which the truth is known: entities with drawn rates, tried on drawn cases.

Unless a world says otherwise, the true positive rate and the false positive rate of each entity are logit-normal
around 1.2 and −1.5 with the standard deviation 0.5, 40 % of the cases are positive, and F₁ ranks the entities.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import norm

import rankscape as rs
from rankscape.uncertainty import Draws

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Way = Literal["counts", "paired", "clusters", "domains"]

ALL = 1e-12
"""Rates this close to 0 or 1 are 0 or 1."""


@dataclass(frozen=True)
class Sample:
    """One trial: true scores (K,), and what was seen.

    ``labels`` (m,) and ``predicted`` (K, m); ``clusters`` and ``domains`` (m,) where there are any. ``performances``
    are the counts.
    """

    true: Floats
    labels: Integers
    predicted: Integers
    performances: rs.Performances
    domains: Integers | None = None
    clusters: Integers | None = None

    @property
    def named(self) -> dict[str, Integers]:
        """The predictions by the names of the entities."""
        return {name_of(k): row for k, row in enumerate(self.predicted)}


@dataclass(frozen=True)
class World:
    """A kind of trial, and what may be said of it.

    ``shared`` is the correlation, on the normal scale, of the success of all entities on a case (on a cluster, where
    ``clusters`` is positive). ``sizes`` are the numbers of cases of the domains, if there are any. ``truth`` draws the
    logits of the true and the false positive rates, (2, K). ``equal`` models have no true first, so that P(first)
    cannot be calibrated; a ``limit`` is reported without a target. ``least_covered`` is the target for the values.
    ``shares`` are those of several classes, ``unseen`` worlds were not used to tune the model.
    """

    name: str
    entities: int = 5
    cases: int = 100
    prior: float = 0.4
    score: str = "f1"
    truth: "Truth" = field(default_factory=lambda: normal())
    shared: float = 0.0
    sizes: tuple[int, ...] = ()
    random_domains: bool = False
    weights: str = "equal"
    clusters: int = 0
    task: Literal["two-class", "success", "several classes"] = "two-class"
    shares: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    equal: bool = False
    limit: bool = False
    unseen: bool = False
    least_covered: float = 0.93
    ways: tuple[Way, ...] = ("counts", "paired")

    def sample(self, rng: np.random.Generator) -> Sample:
        """Return one trial."""
        if self.task == "success":
            return _successes(self, rng)
        if self.task == "several classes":
            return _classes(self, rng)
        return _domains(self, rng) if self.sizes else _two_class(self, rng)

    def draws(self, sample: Sample, way: Way, draws: int, seed: int, method: str = "exchangeable") -> Draws:
        """Return draws of the performances of a trial, as a user would ask for them."""
        weights = {"weights": self.weights} if self.sizes else {}
        if way == "counts":
            return rs.uncertainty.posterior(sample.performances, draws, seed, method=method, **weights)
        if way == "domains":
            return rs.uncertainty.resampled_domains(sample.performances, draws, seed, method=method, **weights)
        return rs.uncertainty.paired(
            sample.labels, sample.named, draws, seed, method=method, clusters=sample.clusters,
            domains=sample.domains, **weights,
        )  # fmt: skip


Truth = Callable[[int, np.random.Generator], Floats]


def normal(tpr: float = 1.2, fpr: float = -1.5, spread: float = 0.5) -> Truth:
    """Return logits of rates drawn from normal distributions."""
    return lambda k, rng: rng.normal([[tpr], [fpr]], spread, (2, k))


def heavy_tailed(tpr: float = 1.2, fpr: float = -1.5, spread: float = 0.5) -> Truth:
    """Return logits of rates drawn from Student's distribution with 3 degrees of freedom."""
    return lambda k, rng: np.array([[tpr], [fpr]]) + spread * rng.standard_t(3, (2, k))


def jeffreys(k: int, rng: np.random.Generator) -> Floats:
    """Return logits of rates drawn from Beta(½, ½)."""
    return np.asarray(logit(np.clip(rng.beta(0.5, 0.5, (2, k)), ALL, 1 - ALL)))


def groups(spread: float) -> Truth:
    """Return logits of rates of two groups, as good as half of the entities each, 0.8 better and worse than usual."""

    def drawn(k: int, rng: np.random.Generator) -> Floats:
        side = np.repeat([0.8, -0.8], [k - k // 2, k // 2])
        return np.array([1.2 + side, -1.5 - side]) + rng.normal(0, spread, (2, k))

    return drawn


def one_never(k: int, rng: np.random.Generator) -> Floats:
    """Return logits of rates of which the first entity never says positive."""
    out = normal()(k, rng)
    out[:, 0] = logit(ALL)
    return out


class Rates(NamedTuple):
    """True rates, (…, K)."""

    tpr: Floats
    fpr: Floats


def name_of(k: int) -> str:
    """Return the name of an entity."""
    return f"m{k:03d}"


def scores_of(prior: float, rates: Rates, score: str) -> Floats:
    """Return true scores (K,): of the performance with these rates and this share of positives."""
    tp, fp = prior * rates.tpr, (1 - prior) * rates.fpr
    if score == "recall":
        return rates.tpr
    if score == "accuracy":
        return tp + (1 - prior) - fp
    return 2 * tp / (prior + tp + fp)


def rates_of(logits: Floats) -> Rates:
    """Return the rates of logits (2, …, K); those next to 0 are 0."""
    rates = expit(logits)
    return Rates(*np.where(rates < 2 * ALL, 0.0, rates))


def hits(rate: Floats, shared: float, rng: np.random.Generator, cluster: Integers | None = None) -> NDArray[np.bool_]:
    """Return whether each entity succeeds on each case, with probabilities ``rate`` (K, m) and a shared difficulty."""
    k, m = rate.shape
    together = rng.standard_normal(m) if cluster is None else rng.standard_normal(int(cluster.max()) + 1)[cluster]
    ease = np.sqrt(shared) * together + np.sqrt(1 - shared) * rng.standard_normal((k, m))
    return np.asarray(ease < norm.ppf(rate))


def labels_of(prior: float, m: int, rng: np.random.Generator) -> Integers:
    """Return true labels, of which at least one is positive: without positives there is nothing to rank."""
    while True:
        labels = (rng.random(m) < prior).astype(np.int64)
        if labels.any():
            return labels


def predictions(
    labels: Integers, rates: Rates, shared: float, rng: np.random.Generator, cluster: Integers | None = None
) -> Integers:
    """Return predictions (K, m) of entities with rates (K, 1) or (K, m)."""
    right = np.where(labels == 1, rates.tpr, 1 - rates.fpr)
    return np.where(hits(right, shared, rng, cluster), labels, 1 - labels)


def counts_of(labels: Integers, predicted: Integers) -> Integers:
    """Return tn, fp, fn, tp of each entity, (K, 4)."""
    codes = 2 * labels + predicted
    return np.stack([(codes == outcome).sum(axis=1) for outcome in range(4)], axis=1)


def _names(world: World) -> list[str]:
    return [name_of(k) for k in range(world.entities)]


def _two_class(world: World, rng: np.random.Generator) -> Sample:
    rates = rates_of(world.truth(world.entities, rng))
    m = world.cases
    cluster = np.repeat(np.arange(world.clusters), m // world.clusters) if world.clusters else None
    labels = labels_of(world.prior, m, rng)
    predicted = predictions(labels, Rates(rates.tpr[:, None], rates.fpr[:, None]), world.shared, rng, cluster)
    performances = rs.Performances.from_counts(counts_of(labels, predicted), names=_names(world))
    return Sample(scores_of(world.prior, rates, world.score), labels, predicted, performances, clusters=cluster)


def _domains(world: World, rng: np.random.Generator) -> Sample:
    """Return a trial on domains: half of the variance of the shifts of a domain is common to all entities."""
    spread, k, number = 0.5, world.entities, len(world.sizes)
    logits = world.truth(k, rng)
    shift = np.sqrt(0.5) * spread * (rng.standard_normal((2, number, 1)) + rng.standard_normal((2, number, k)))
    rates = rates_of(logits[:, None] + shift)
    where = np.repeat(np.arange(number), world.sizes)
    labels = labels_of(world.prior, len(where), rng)
    predicted = predictions(labels, Rates(rates.tpr[where].T, rates.fpr[where].T), world.shared, rng)
    counts = np.concatenate([counts_of(labels[where == d], predicted[:, where == d]) for d in range(number)])
    performances = rs.Performances.from_counts(
        counts, names=_names(world) * number, domains=[f"d{d:02d}" for d in range(number) for _ in range(k)]
    )
    if world.random_domains:  # the mean over all domains of this kind, by Gauss–Hermite quadrature
        nodes, mass = np.polynomial.hermite_e.hermegauss(40)
        everywhere = expit(logits[..., None] + spread * nodes) @ mass / mass.sum()
        mean = Rates(*everywhere)
    else:
        share = np.array(world.sizes) / sum(world.sizes) if world.weights == "size" else np.full(number, 1 / number)
        mean = Rates(share @ rates.tpr, share @ rates.fpr)
    true = scores_of(world.prior, mean, world.score)
    return Sample(true, labels, predicted, performances, domains=where)


def _successes(world: World, rng: np.random.Generator) -> Sample:
    rate = expit(world.truth(world.entities, rng)[0])
    right = hits(np.repeat(rate[:, None], world.cases, axis=1), world.shared, rng).astype(np.int64)
    performances = rs.tasks.success.from_counts(
        right.sum(axis=1).tolist(), [world.cases] * world.entities, names=_names(world)
    )
    return Sample(rate, np.ones(world.cases, dtype=np.int64), right, performances)


def _classes(world: World, rng: np.random.Generator) -> Sample:
    """Return a trial with several classes: an entity has one ability, and on each class a deviation from it."""
    number = len(world.shares)
    ability, own = world.truth(world.entities, rng)[0], rng.normal(0, 0.3, (number, world.entities))
    rate = expit(ability + own)  # (classes, K)
    labels = np.concatenate([np.arange(number), rng.choice(number, world.cases - number, p=world.shares)])
    expected = (np.array(world.shares) * (world.cases - number) + 1) / world.cases
    right = hits(rate[labels].T, world.shared, rng)
    other = (labels + rng.integers(1, number, right.shape)) % number
    predicted = np.where(right, labels, other)
    named = {name_of(k): row.tolist() for k, row in enumerate(predicted)}
    performances = rs.tasks.multi_class.evaluate(labels.tolist(), named)
    true = rate.mean(axis=0) if world.score == "balanced_accuracy" else expected @ rate
    return Sample(true, labels, predicted, performances)


def _catalogue() -> Mapping[str, World]:
    small, rare = {"prior": 0.01, "cases": 200}, {"prior": 0.01, "cases": 1000}
    near = normal(4.0, -4.0)
    clusters: tuple[Way, ...] = ("clusters",)
    random: tuple[Way, ...] = ("domains",)
    worlds = [
        World("2 entities, 50 cases", 2, 50),
        World("5 entities, 100 cases"),
        World("5 entities, 20 cases", 5, 20),
        World("30 entities, 200 cases", 30, 200),
        World("1 % positives, 200 cases, F1", **small),
        World("1 % positives, 1000 cases, F1", **rare),
        World("1 % positives, 200 cases, recall", score="recall", **small),
        World("1 % positives, 1000 cases, recall", score="recall", **rare),
        World("near-perfect", truth=near),
        World("near-perfect, shared difficulty", truth=near, shared=0.8, least_covered=0.90),
        World("shared difficulty", shared=0.8),
        World("equal models", truth=normal(spread=0.0), equal=True),
        World("rates from Jeffreys' prior", truth=jeffreys),
        World("three good, three bad", 6, truth=groups(0.5)),
        World("one always negative among six", 6, truth=one_never),
        World("10 domains of 20 cases", sizes=(20,) * 10),
        World("10 domains of 20 cases, 5 % positives", prior=0.05, sizes=(20,) * 10, least_covered=0.90),
        World("20 clusters of 10 cases", cases=200, clusters=20, shared=0.5, ways=clusters),
        World("10 clusters of 10 cases", cases=100, clusters=10, shared=0.5, ways=clusters),
        World("3 random domains", sizes=(50,) * 3, random_domains=True, ways=random),
        World("5 random domains", sizes=(50,) * 5, random_domains=True, ways=random),
        World("10 random domains", sizes=(50,) * 10, random_domains=True, ways=random),
        World("10 alike, 10 000 cases", 10, 10_000, truth=normal(spread=0.1)),
        World("8 entities, 15 % positives, heavy tails, accuracy", 8, 150, 0.15, "accuracy", heavy_tailed(),
              unseen=True),
        World("4 classes, 200 cases, balanced accuracy", 6, 200, score="balanced_accuracy", task="several classes",
              ways=("counts",)),
        World("3 classes, 120 cases, accuracy", 8, 120, score="accuracy", task="several classes",
              shares=(0.5, 0.3, 0.2), ways=("counts",), unseen=True),
        World("12 entities, 250 cases, 60 % positives, narrow", 12, 250, 0.6, truth=normal(0.8, -0.6, 0.3),
              unseen=True),
        World("20 success counts of 60", 20, 60, score="accuracy", task="success", ways=("counts",), unseen=True),
        World("15 domains of 10 to 70 cases, weighted by size", 6, prior=0.3, sizes=tuple(range(12, 72, 4)),
              shared=0.3, weights="size", unseen=True),
        World("groups of three alike", 6, truth=groups(0.1), limit=True),
    ]  # fmt: skip
    return {world.name: world for world in worlds}


WORLDS = _catalogue()

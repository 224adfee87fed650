"""Worlds of scored models of which the true expected cost is known at every threshold, in closed form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

KINDS = ("normal", "probabilities", "heavy tails", "few values", "alike", "one useless")
GRID = np.linspace(-8, 9, 3401)


@dataclass(frozen=True)
class Model:
    """Scores of one model: z = mean·[positive] + spread·noise, seen as such, squeezed into [0, 1], or rounded."""

    mean: float
    spread: float
    tails: float | None = None  # degrees of freedom of Student's t; None for normal noise
    squeeze: tuple[float, float] | None = None  # shift and factor before 1 / (1 + exp(−·))
    step: float | None = None  # z is rounded to multiples

    def noise(self, normal: Floats) -> Floats:
        """Return noise with the tails of the model from normal noise."""
        return normal if self.tails is None else stats.t.ppf(stats.norm.cdf(normal), self.tails)

    def seen(self, z: Floats) -> Floats:
        """Return the scores."""
        if self.step is not None:
            return np.clip(np.round(z / self.step), -10, 10)
        return z if self.squeeze is None else 1 / (1 + np.exp(-self.squeeze[0] - self.squeeze[1] * z))

    def behind(self, threshold: Any) -> Floats:
        """Return the z from which on scores reach a threshold."""
        t = np.asarray(threshold, dtype=float)
        if self.step is not None:
            level = np.ceil(t)
            z = (level - 0.5) * self.step
            return np.where(level > 10, np.inf, np.where(level <= -10, -np.inf, z))
        if self.squeeze is None:
            return t
        inside = np.clip(t, 1e-300, 1 - 1e-16)
        z = (np.log(inside / (1 - inside)) - self.squeeze[0]) / self.squeeze[1]
        return np.where(t <= 0, -np.inf, np.where(t >= 1, np.inf, z))

    def rates(self, z: Floats) -> tuple[Floats, Floats]:
        """Return FPR and FNR where cases from z on are called positive."""
        noise = stats.norm if self.tails is None else stats.t(self.tails)
        return noise.sf(z), noise.cdf((z - self.mean) / self.spread)


@dataclass(frozen=True)
class World:
    """Some models, the number of cases, the share of positives in the data and in use, and what errors cost."""

    kind: str
    models: dict[str, Model]
    n: int
    share: float
    prior: float | None
    miss: float
    shared: float  # how much of the noise of a case all models have in common

    @property
    def in_use(self) -> float:
        """The share of positives where the choice will be used."""
        return self.share if self.prior is None else self.prior

    def cost(self, name: str | None, threshold: Any) -> Floats:
        """Return the true expected cost per case of a model at thresholds; without a model, of ±∞."""
        model = self.models[name or next(iter(self.models))]
        return self._cost(model, model.behind(threshold))

    def _cost(self, model: Model, z: Floats) -> Floats:
        wrong, missed = model.rates(z)
        return (1 - self.in_use) * wrong + self.in_use * self.miss * missed

    def lowest(self, name: str, low: float = -np.inf, high: float = np.inf) -> float:
        """Return the lowest true cost of a model, at thresholds from ``low`` to ``high``."""
        model = self.models[name]
        ends = model.behind(np.array([low, high]))
        inside = GRID[(ends[0] <= GRID) & (ends[1] >= GRID)] if model.step is None else np.array([])
        if model.step is not None:
            steps = np.arange(-11, 13)
            inside = model.behind(steps[(steps >= low) & (steps <= high)])
        return float(self._cost(model, np.concatenate([ends, inside])).min())

    def sample(self, rng: np.random.Generator) -> tuple[NDArray[np.bool_], dict[str, Floats]]:
        """Return the truth and the scores of the models on the same cases; at least five cases of each class."""
        while True:
            truth = rng.random(self.n) < self.share
            if 5 <= truth.sum() <= self.n - 5:
                break
        common = rng.normal(size=self.n)
        scores = {}
        for name, model in self.models.items():
            own = rng.normal(size=self.n)
            noise = model.noise(np.sqrt(self.shared) * common + np.sqrt(1 - self.shared) * own)
            scores[name] = model.seen(np.where(truth, model.mean + model.spread * noise, noise))
        return truth, scores


def drawn_world(rng: np.random.Generator) -> World:
    """Return a world: 2 to 6 models, 200 to 5000 cases, 1 to 30 % positives (and 6 of them to be expected)."""
    while True:
        n = int(np.exp(rng.uniform(np.log(200), np.log(5000))))
        share = float(np.exp(rng.uniform(np.log(0.01), np.log(0.3))))
        if n * share >= 6:
            break
    kind = str(rng.choice(KINDS))
    means = rng.normal(rng.uniform(0.8, 2.2), rng.uniform(0.05, 0.5), size=rng.integers(2, 7))
    if kind == "alike":
        means[:] = means[0]
    if kind == "one useless":
        means[-1] = 0
    models = {}
    for i, mean in enumerate(means):
        models[f"m{i}"] = Model(
            mean=float(mean),
            spread=1.0 if kind == "alike" else float(np.exp(rng.normal(0, 0.25))),
            tails=2.5 if kind == "heavy tails" else None,
            squeeze=(rng.normal(-1.5, 1), float(np.exp(rng.normal(0, 0.5)))) if kind == "probabilities" else None,
            step=float(rng.uniform(0.2, 1)) if kind == "few values" else None,
        )
    prior = float(min(0.6, share * np.exp(rng.uniform(-1.5, 1.5)))) if rng.random() < 0.25 else None
    used = share if prior is None else prior
    miss = float(f"{(1 - used) / used * np.exp(rng.normal(0, 0.8)):.3g}")  # around the odds, where choices are hard
    return World(kind, models, n, share, prior, miss, float(rng.uniform(0, 0.9)))

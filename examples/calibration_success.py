"""Does stated certainty hold for right-or-wrong data, and for errors? Worlds of cases that succeed, fail or err.

    python examples/calibration_success.py [--trials N] [--worlds PATTERN]

In each trial entities with known rates answer random cases, which come as a table with one row per entity and case,
and ``rankscape.uncertainty`` says how good each is, who is surely better, and who is first. Regressors, with known mean
errors, predict numbers. The seeds are fixed.
"""

import argparse
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from calibration import seed_of
from calibration_measures import Cell, Floats, Measured, cells, holm, mean_and_error, of_intervals, of_statements
from calibration_worlds import Integers, Sample, Way, World, name_of, normal
from scipy.special import expit
from scipy.stats import norm
from scipy.stats import t as student

import rankscape as rs
from rankscape.uncertainty import Draws, posterior, rank_intervals

DRAWS, TRIALS, PART = 1000, 300, 20
PAIRED: tuple[Way, ...] = ("paired",)
CLUSTERS: tuple[Way, ...] = ("clusters",)


@dataclass(frozen=True)
class SuccessWorld(World):
    """A kind of trial with right-or-wrong data.

    A case is answered ``repeats`` times, and graded by the share of right answers; half of what is not shared by the
    entities is the same in all repeats. ``spread`` is that of the domains, half of whose variance is common.
    """

    score: str = "accuracy"
    repeats: int = 1
    spread: float = 0.5

    def sample(self, rng: np.random.Generator) -> Sample:
        """Return one trial."""
        logits = self.truth(self.entities, rng)[0]
        number = max(len(self.sizes), 1)
        sizes = self.sizes or (self.cases,)
        shift = rng.standard_normal((number, 1)) + rng.standard_normal((number, len(logits)))
        rates = expit(logits + self.spread * np.sqrt(0.5) * shift * bool(self.sizes))  # (domains, K)
        where = np.repeat(np.arange(number), sizes)
        cluster = np.repeat(np.arange(self.clusters), self.cases // self.clusters) if self.clusters else None
        grades = self._grades(rates[where].T, rng, cluster)
        share = np.array(sizes) / sum(sizes) if self.weights == "size" else np.full(number, 1 / number)
        rows = {
            "model": np.repeat([name_of(k) for k in range(self.entities)], len(where)),
            "case": np.tile(np.arange(len(where)), self.entities),
            "correct": grades.ravel(),
        }
        if self.sizes:
            rows["domain"] = np.tile([f"d{d:02d}" for d in where], self.entities)
        if cluster is not None:
            rows["template"] = np.tile(cluster, self.entities)
        performances = rs.cases(rows, cluster=None if cluster is None else "template").performances
        return Sample(share @ rates, np.zeros(0, dtype=int), np.zeros((0, 0), dtype=int), performances)

    def _grades(self, rates: Floats, rng: np.random.Generator, cluster: Integers | None) -> Floats:
        """Return the grade of each entity and case, (K, m)."""
        k, m = rates.shape
        together = rng.standard_normal(m) if cluster is None else rng.standard_normal(self.clusters)[cluster]
        apart = rng.standard_normal((k, m))
        if self.repeats > 1:
            again = rng.standard_normal((self.repeats, k, m))
            apart = np.sqrt(0.5) * (apart + again)
        ease = np.sqrt(self.shared) * together + np.sqrt(1 - self.shared) * apart
        right = ease < norm.ppf(rates)
        return right.mean(axis=0) if self.repeats > 1 else right.astype(float)

    def draws(self, sample: Sample, way: Way, draws: int, seed: int, method: str = "exchangeable") -> Draws:
        """Return draws of the performances of a trial, as a user would ask for them."""
        performances = sample.performances.with_pairing(None) if way == "counts" else sample.performances
        return posterior(performances, draws, seed, method=method, weights=self.weights if self.sizes else "equal")

    def measured(self, sample: Sample, way: Way, seed: int) -> Measured:
        """Return what a trial shows."""
        return of_intervals(rank_intervals(self.draws(sample, way, DRAWS, seed), by=self.score), sample.true).measured


LAWS: dict[str, tuple[Callable[[Floats], Floats], float]] = {
    "mae": (np.abs, np.sqrt(2 / np.pi)),  # normal errors, and the mean of their sizes
    "mae, log-normal": (np.exp, np.exp(0.5)),
    "rmse": (np.abs, 1.0),
    "rmse, heavy tails": (lambda z: student.ppf(norm.cdf(z), 5), np.sqrt(5 / 3)),
}
"""By score and law: what errors are made of normal numbers, and their mean, or the root of their mean square."""


@dataclass(frozen=True)
class RegressionWorld(SuccessWorld):
    """A kind of trial of regressors, of whose errors the scales are log-normal with the deviation ``spread``."""

    score: str = "mae"
    spread: float = 0.3
    ways: tuple[Way, ...] = PAIRED

    def sample(self, rng: np.random.Generator) -> Sample:
        """Return one trial; its true scores are minus the mean errors, so that larger is better."""
        scale = np.exp(rng.normal(0, self.spread, self.entities))
        together, apart = rng.standard_normal(self.cases), rng.standard_normal((self.entities, self.cases))
        errors, mean = LAWS[self.score]
        each = scale[:, None] * errors(np.sqrt(self.shared) * together + np.sqrt(1 - self.shared) * apart)
        none = np.zeros(0, dtype=int)
        nothing = rs.Performances.from_counts([[1, 0, 0, 1]])  # errors are no outcomes
        return Sample(-scale * mean, none, each, nothing)  # type: ignore[arg-type]

    def measured(self, sample: Sample, way: Way, seed: int) -> Measured:
        """Return what a trial shows."""
        pairs = rs.tasks.regression.evaluate(np.zeros(self.cases), sample.named)
        told = rank_intervals(pairs, self.score.partition(",")[0], DRAWS, seed)
        ends = -told.value_high, -told.value_low
        return of_statements(told.claims, *ends, told.p_first, sample.true, told.draws).measured


def _catalogue() -> dict[str, SuccessWorld]:
    near, graded = normal(4.0), {"repeats": 4, "score": "mean grade", "ways": PAIRED}
    worlds = [
        SuccessWorld("2 entities, 50 cases", 2, 50),
        SuccessWorld("5 entities, 100 cases"),
        SuccessWorld("5 entities, 20 cases", 5, 20),
        SuccessWorld("30 entities, 200 cases", 30, 200),
        SuccessWorld("near-perfect", truth=near),
        SuccessWorld("near-perfect, shared difficulty", truth=near, shared=0.8, least_covered=0.90),
        SuccessWorld("shared difficulty", shared=0.8, ways=PAIRED),
        SuccessWorld("equal models", truth=normal(spread=0.0), equal=True),
        SuccessWorld("10 domains of 20 cases", sizes=(20,) * 10),
        SuccessWorld("15 domains of 10 to 70 cases, weighted by size", 6, sizes=tuple(range(12, 72, 4)), shared=0.3,
                     weights="size", ways=PAIRED),
        SuccessWorld("20 clusters of 10 cases", cases=200, clusters=20, shared=0.5, ways=CLUSTERS),
        SuccessWorld("10 clusters of 10 cases", cases=100, clusters=10, shared=0.5, ways=CLUSTERS),
        SuccessWorld("grades: 2 entities, 50 cases", 2, 50, **graded),
        SuccessWorld("grades: 5 entities, 100 cases", **graded),
        SuccessWorld("grades: 5 entities, 20 cases", 5, 20, **graded),
        SuccessWorld("grades: 30 entities, 200 cases", 30, 200, **graded),
        SuccessWorld("grades: near-perfect", truth=near, least_covered=0.90, **graded),
        SuccessWorld("grades: shared difficulty", shared=0.8, **graded),
        SuccessWorld("grades: equal models", truth=normal(spread=0.0), equal=True, **graded),
        SuccessWorld("grades: 10 domains of 20 cases", sizes=(20,) * 10, **graded),
        SuccessWorld("grades: 20 domains of 4 cases", sizes=(4,) * 20, **graded),
        SuccessWorld("grades: 40 domains of 2 cases", sizes=(2,) * 40, **graded),
        SuccessWorld("grades: 60 domains, half of 1 case", sizes=(1, 5) * 30, least_covered=0.90, **graded),
        SuccessWorld("grades: near-perfect, 10 domains of 20 cases", truth=near, sizes=(20,) * 10, least_covered=0.90,
                     **graded),
        SuccessWorld("grades: 20 clusters of 10 cases", cases=200, clusters=20, shared=0.5,
                     **graded | {"ways": CLUSTERS}),
        RegressionWorld("regressors: 2 entities, 50 cases", 2, 50),
        RegressionWorld("regressors: 5 entities, 100 cases"),
        RegressionWorld("regressors: 5 entities, 20 cases", 5, 20),
        RegressionWorld("regressors: 30 entities, 200 cases", 30, 200),
        RegressionWorld("regressors: shared difficulty", shared=0.8),
        RegressionWorld("regressors: equal models", spread=0.0, equal=True),
        RegressionWorld("regressors: log-normal errors", score="mae, log-normal", least_covered=0.90),
        RegressionWorld("regressors: mean squares", score="rmse"),
        RegressionWorld("regressors: mean squares, heavy tails", score="rmse, heavy tails", limit=True),
    ]  # fmt: skip
    return {world.name: world for world in worlds}


WORLDS = _catalogue()


def trials(name: str, numbers: Iterable[int]) -> dict[Way, Floats]:
    """Return what some trials of a world show, (trials, measures) for each way."""
    world = WORLDS[name]
    measured: dict[Way, list[Measured]] = {}
    for number in numbers:
        seed = seed_of(name, number)
        sample = world.sample(np.random.default_rng(seed))
        for way in world.ways:
            measured.setdefault(way, []).append(world.measured(sample, way, seed))
    return {way: np.array(each) for way, each in measured.items()}


def run(names: Sequence[str], number: int, workers: int) -> dict[tuple[str, Way], Floats]:
    """Return the trials of worlds, made by several processes: which one makes which changes nothing."""
    os.environ["OMP_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        starts = range(0, number, PART)
        parts = {n: [pool.submit(trials, n, range(s, min(s + PART, number))) for s in starts] for n in names}
        return {
            (name, way): np.concatenate([part.result()[way] for part in each])
            for name, each in parts.items() for way in WORLDS[name].ways
        }  # fmt: skip


def all_cells(measured: dict[tuple[str, Way], Floats]) -> list[Cell]:
    """Return everything that has a target."""
    return [cell for (name, way), rows in measured.items() for cell in cells(WORLDS[name], way, rows, {})]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return 1 where a target is missed beyond chance, else 0."""
    parser = argparse.ArgumentParser(description="Measure how well stated certainty holds for right-or-wrong data.")
    parser.add_argument("--trials", type=int, default=TRIALS, help=f"trials of each world ({TRIALS})")
    parser.add_argument("--worlds", default="", help="only the worlds of which the name matches this pattern")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (as many as there are cores)")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    measured = run([name for name in WORLDS if re.search(options.worlds, name)], options.trials, options.workers)
    print(f"{'world':50}{'from':10}{'all ranks':>10}{'values':>8}{'stated':>8}{'first':>8}{'log loss':>9}{'log K':>7}")
    for (name, way), rows in measured.items():
        together, covered, stated, observed, loss, _ = (mean_and_error(column)[0] for column in rows.T)
        print(f"{name:50}{way:10}{together:10.3f}{covered:8.3f}{stated:8.3f}{observed:8.3f}{loss:9.3f}"
              f"{np.log(WORLDS[name].entities):7.3f}")  # fmt: skip
    missed = [(cell, p) for cell, p in holm(all_cells(measured)) if cell.p < 0.05]
    print(f"{len(all_cells(measured))} targets, {len(missed)} missed at p < .05, "
          f"{sum(p < 0.05 for _, p in missed)} beyond chance (Holm); {time.monotonic() - start:.0f} s")  # fmt: skip
    for cell, adjusted in missed:
        print(f"{cell.world}, {cell.way}: {cell.measure} {cell.value:.3f} ± {cell.error:.3f}, target {cell.target}, "
              f"p {cell.p:.2g} (Holm {adjusted:.2g})")  # fmt: skip
    return int(any(adjusted < 0.05 for _, adjusted in missed))


if __name__ == "__main__":
    raise SystemExit(main())

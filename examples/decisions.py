"""Does the choice that ``decide`` makes cost what it says? A simulation where true costs are known, and its table.

    python examples/decisions.py [--output FOLDER] [--worlds N] [--samples N] [--seed N]

In each world models with known distributions of scores are tried on random cases. ``rankscape.decide`` chooses a model
and a threshold; scikit-learn, the choice on all cases, and the threshold 0.5 choose, too. The table says what is
stated, and what is true. 300 worlds take some ten minutes on two cores.
"""

import argparse
import csv
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from decisions_worlds import KINDS, Floats, World, drawn_world

import rankscape as rs

WORLDS, SAMPLES, SEED, PART = 300, 2, 17, 10
ENOUGH = 25  # positive cases in all: five in each fold
SHARES = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)
FIXED = {"call every case negative": "always negative", "call every case positive": "always positive"}


class Trial(NamedTuple):
    """What one sample of one world shows; costs are divided by the lowest true cost of the world."""

    world: int
    kind: str
    n: int
    positives: int
    numbers: dict[str, float]


class Row(NamedTuple):
    """A row of the table; ``met`` is empty where there is no target."""

    what: str
    value: str
    error: str
    target: str
    met: str


def trial(number: int, sample: int, seed: int, others: bool = True) -> Trial:
    """Return what is stated, and what is true, in one sample of one world."""
    world = drawn_world(np.random.default_rng([seed, number]))
    truth, scores = world.sample(np.random.default_rng([seed, number, sample + 1]))
    costs = rs.costs(miss=world.miss, false_alarm=1)
    decision = rs.decide(truth, scores, costs=costs, prior=world.prior, rng=sample, draws=1000)
    lowest = min(world.lowest(name) for name in scores)
    true = {each.entity: float(world.cost(each.entity, each.threshold)) for each in decision.candidates}
    ours = true[decision.entity]
    found = {"stated": (decision.cost - ours) / lowest, "covered": holds(decision.cost_interval, ours)}
    inside = [holds(each.interval, true[each.entity]) for each in decision.candidates]
    found["candidates"] = float(np.mean(inside))
    cheapest = [name for name, cost in true.items() if cost == min(true.values())]
    found |= {"P": float(decision.p_cheapest or 0), "cheapest": (decision.entity in cheapest) / len(cheapest)}
    for other in decision.alternatives:
        name = FIXED.get(other.name, "0.5" if other.threshold == 0.5 else "the next model")
        found[f"saved, {name}"] = holds(other.interval, float(world.cost(other.entity, other.threshold)) - ours)
    low, high = decision.threshold_interval
    best = world.lowest(decision.entity, low, high) <= 1.001 * world.lowest(decision.entity)
    found["threshold"] = float(best)
    if others:
        for name, (entity, threshold) in choices(world, truth, scores, costs, decision.sweeps).items():
            found[f"against {name}"] = (ours - float(world.cost(entity, threshold))) / lowest
        entity, each = min(decision.sweeps.best(costs, prior=world.prior), key=lambda each: expected(costs, each[1]))
        found["flattered"] = (expected(costs, each) - float(world.cost(entity, each.threshold))) / lowest
    return Trial(number, world.kind, world.n, int(truth.sum()), found)


def expected(costs: rs.Costs, best: rs.BestThreshold) -> float:
    """Return the cost of a model on the cases that its threshold was chosen on."""
    return float(costs.expected(best.performance)[0])


def holds(interval: tuple[float, float] | None, true: float) -> float:
    """Return 1 if an interval holds the truth, else 0."""
    return float(interval is not None and interval[0] - 1e-12 <= true <= interval[1] + 1e-12)


def choices(world: World, truth: Any, scores: dict[str, Floats], costs: Any, sweeps: Any) -> dict[str, Any]:
    """Return the model and the threshold that others choose."""
    best = sweeps.best(costs, prior=world.prior)
    name, _ = min(best, key=lambda each: expected(costs, each[1]))
    found: dict[str, Any] = {
        "the best on all cases": (name, best[name].threshold), "scikit-learn": tuned(world, truth, scores),
    }  # fmt: skip
    if world.kind == "probabilities":
        prior = truth.mean() if world.prior is None else world.prior
        at_half = {name: cost_of(truth, score >= 0.5, prior, world.miss) for name, score in scores.items()}
        found["the best at 0.5"] = (min(at_half, key=lambda name: at_half[name]), 0.5)
    return found


def cost_of(truth: Any, called: Any, prior: float, miss: float) -> float:
    """Return the cost per case of predictions, at a share of positives."""
    return float((1 - prior) * called[~truth].mean() + prior * miss * (~called)[truth].mean())


def tuned(world: World, truth: Any, scores: dict[str, Floats]) -> tuple[str, float]:
    """Return the choice of scikit-learn's TunedThresholdClassifierCV: the model with the best mean over its folds."""
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import TunedThresholdClassifierCV

    class Given(ClassifierMixin, BaseEstimator):
        def fit(self, X: Any, y: Any) -> "Given":
            self.classes_ = np.array([False, True])
            return self

        def predict_proba(self, X: Any) -> Any:
            return np.column_stack([1 - X[:, 0], X[:, 0]])

    def gain(y: Any, called: Any) -> float:
        return -cost_of(y, called, y.mean() if world.prior is None else world.prior, world.miss)

    found = {}
    for name, score in scores.items():
        model = TunedThresholdClassifierCV(Given().fit(None, None), scoring=make_scorer(gain))
        model.fit(score[:, None], truth)
        found[name] = float(model.best_score_), float(model.best_threshold_)
    best = max(found, key=lambda name: found[name][0])
    return best, found[best][1]


def trials(start: int, stop: int, samples: int, seed: int) -> list[Trial]:
    """Return the trials of some worlds."""
    return [trial(number, sample, seed) for number in range(start, stop) for sample in range(samples)]


def mean_and_error(found: Sequence[Trial], measure: Callable[[Trial], float]) -> tuple[float, float]:
    """Return a mean over worlds and its standard error; the samples of one world count as one."""
    by_world: dict[int, list[float]] = {}
    for each in found:
        by_world.setdefault(each.world, []).append(measure(each))
    means = np.array([np.mean(values) for values in by_world.values()])
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else np.inf


def rows(found: Sequence[Trial]) -> list[Row]:
    """Return the table. A target is missed where the value is beyond it by more than two standard errors."""
    enough = [each for each in found if each.positives >= ENOUGH]
    out = []

    def row(what: str, some: Sequence[Trial], key: str, target: str = "", met: Any = None) -> None:
        here = [each for each in some if key in each.numbers]
        if here:
            value, error = mean_and_error(here, lambda each: each.numbers[key])
            says = "" if met is None else "yes" if met(value, 2 * error) else "no"
            share = key in ("covered", "candidates", "threshold") or key.startswith("saved")
            numbers = (f"{value:.3f}", f"{error:.3f}") if share else (f"{100 * value:+.1f} %", f"{100 * error:.1f} %")
            out.append(Row(what, *numbers, target, says))

    def unbiased(value: float, error: float) -> bool:
        return abs(value) <= 0.02 + error

    def often(value: float, error: float) -> bool:
        return value >= 0.9 - error

    def no_more(value: float, error: float) -> bool:
        return value <= error

    row("stated cost − true cost, all worlds", found, "stated", "within 2 %", unbiased)
    for low, high in ((5, 25), (25, 60), (60, 200), (200, 5000)):
        some = [each for each in found if low <= each.positives < high]
        row(f"the same, {low} to {high - 1} positives", some, "stated")
    for low, high in ((200, 700), (700, 5001)):
        row(f"the same, {low} to {high - 1} cases", [each for each in found if low <= each.n < high], "stated")
    row("stated cost − true cost of the best on all cases", found, "flattered")
    row("95 % interval of the cost holds it, 25 positives or more", enough, "covered", "≥ 0.90", often)
    row("the same, fewer", [each for each in found if each.positives < ENOUGH], "covered")
    for kind in KINDS:
        row(f"the same, 25 or more: {kind}", [each for each in enough if each.kind == kind], "covered")
    row("95 % intervals of the models' costs hold them", enough, "candidates", "≥ 0.90", often)
    for name in ("the next model", "0.5", *FIXED.values()):
        row(f"95 % interval of what is saved: {name}", enough, f"saved, {name}", "≥ 0.90", often)
    row("threshold interval holds a best threshold, 25 or more", enough, "threshold")
    row("the same, fewer", [each for each in found if each.positives < ENOUGH], "threshold")
    for name in ("scikit-learn", "the best on all cases", "the best at 0.5"):
        row(f"true cost − that of {name}", found, f"against {name}", "≤ 0", no_more)
    return out + sure(found)


def sure(found: Sequence[Trial]) -> list[Row]:
    """Return how often the chosen model is truly the cheapest, by what is stated, where models are not all alike."""
    out = []
    for low, high in pairwise(SHARES):
        here = [each for each in found if each.kind != "alike" and low <= each.numbers["P"] < high + (high == 1)]
        if here:
            stated = float(np.mean([each.numbers["P"] for each in here]))
            value, error = mean_and_error(here, lambda each: each.numbers["cheapest"])
            met = "yes" if stated - value <= 0.07 + 2 * error else "no"
            what = f"truly the cheapest, where {stated:.2f} is stated on average ({len(here)} times)"
            out.append(Row(what, f"{value:.3f}", f"{error:.3f}", f"≥ {stated - 0.07:.2f}", met))
    alike = [each for each in found if each.kind == "alike"]
    if alike:
        stated = float(np.mean([each.numbers["P"] for each in alike]))
        value, error = mean_and_error(alike, lambda each: each.numbers["cheapest"])
        out.append(Row(f"the same, models all alike: {stated:.2f} is stated", f"{value:.3f}", f"{error:.3f}", "", ""))
    return out


def main(arguments: list[str] | None = None) -> int:
    """Write the table; return 1 where a target is missed, else 0."""
    parser = argparse.ArgumentParser(description="Measure what decisions cost where the truth is known.")
    parser.add_argument("--output", type=Path, default=Path("decisions"), help="folder to write (decisions)")
    parser.add_argument("--worlds", type=int, default=WORLDS, help=f"number of worlds ({WORLDS})")
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"samples of each world ({SAMPLES})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of everything ({SEED})")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (as many as there are cores)")
    options = parser.parse_args(arguments)
    os.environ["OMP_NUM_THREADS"] = "1"  # of the processes: each has one core
    starts = range(0, options.worlds, PART)
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        parts = [
            pool.submit(trials, start, min(start + PART, options.worlds), options.samples, options.seed)
            for start in starts
        ]
        found = [each for part in parts for each in part.result()]
    table = rows(found)
    options.output.mkdir(parents=True, exist_ok=True)
    with (options.output / "decisions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", "value", "standard error", "target", "met"])
        writer.writerows(table)
    for each in table:
        print(f"{each.what:<75} {each.value:>9} ± {each.error:<8} {each.target:<11} {each.met}")
    return int(any(each.met == "no" for each in table))


if __name__ == "__main__":
    raise SystemExit(main())

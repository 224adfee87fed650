"""The gate in worlds where the truth is known: how often it passes, calls worse, or leaves it undecided.

The new model is worse (both rates by 0.4 on the logit scale), equal, or better (both rates by 6 points) than the one in
use. The box is "beta in [0.5, 2]", the margin 0, alpha 5 %.
"""

import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from calibration_measures import CALLED, PASSES_WORSE, POWER, Cell, proportion
from calibration_worlds import Rates, counts_of, labels_of, predictions
from scipy.special import expit

import rankscape as rs

DRAWS, ALPHA, BOX = 1000, 0.05, "beta in [0.5, 2]"
Truth = Literal["worse", "equal", "better"]


@dataclass(frozen=True)
class GateWorld:
    """A model in use with these logits of the true and the false positive rate; ``power`` has a target there."""

    cases: int
    prior: float = 0.4
    tpr: float = 1.2
    fpr: float = -1.5
    shared: float = 0.8
    power: bool = False

    def rates(self, truth: Truth) -> Rates:
        """Return the rates of the new model and of the one in use, (2, 1) each."""
        old = np.array([expit(self.tpr), expit(self.fpr)])
        new = {
            "worse": expit([self.tpr - 0.4, self.fpr + 0.4]),
            "equal": old,
            "better": np.array([min(old[0] + 0.06, 1.0), max(old[1] - 0.06, 0.0)]),
        }[truth]
        return Rates(np.array([[new[0]], [old[0]]]), np.array([[new[1]], [old[1]]]))


GATES = {
    "gate, 30 cases": GateWorld(30),
    "gate, 100 cases": GateWorld(100),
    "gate, 100 cases, no shared difficulty": GateWorld(100, shared=0.0),
    "gate, 400 cases": GateWorld(400, power=True),
    "gate, 1 % positives, 1000 cases": GateWorld(1000, prior=0.01),
    "gate, near-perfect, 100 cases": GateWorld(100, tpr=4.0, fpr=-4.0),
}


class Verdicts(NamedTuple):
    """How often each verdict was given, by what counts were known and what is true."""

    world: str
    trials: int
    times: dict[tuple[str, Truth], Counter[str]]

    def rows(self) -> list[dict[str, str]]:
        """Return one row per way and truth: the share of each verdict."""
        return [
            {"world": self.world, "from": way, "the new model is": truth}
            | {verdict: f"{times[verdict] / self.trials:.3f}" for verdict in ("pass", "worse", "undecided")}
            for (way, truth), times in self.times.items()
        ]


def verdicts(name: str, trials: int) -> Verdicts:
    """Return the verdicts of the trials of a world."""
    world, times = GATES[name], {}
    for number in range(trials):
        for truth in ("worse", "equal", "better"):
            seed = int(np.random.SeedSequence([zlib.crc32(f"{name} {truth}".encode()), number]).generate_state(1)[0])
            rng = np.random.default_rng(seed)
            labels = labels_of(world.prior, world.cases, rng)
            predicted = predictions(labels, world.rates(truth), world.shared, rng)
            counts = rs.Performances.from_counts(counts_of(labels, predicted), names=["new", "old"])
            pair = rs.uncertainty.paired(labels, {"new": predicted[0], "old": predicted[1]}, DRAWS, seed)
            given = {
                "paired": rs.gate(pair["new"], pair["old"], BOX, alpha=ALPHA),
                "counts": rs.gate(counts["new"], counts["old"], BOX, alpha=ALPHA, draws=DRAWS, rng=seed),
            }
            for way, decision in given.items():
                times.setdefault((way, truth), Counter())[decision.verdict] += 1
    return Verdicts(name, trials, times)


def gate_cells(name: str, found: Verdicts) -> list[Cell]:
    """Return what has a target: false verdicts are rare, and true ones frequent enough where there are cases for it."""
    out = []
    for (way, truth), times in found.times.items():
        asked = {"worse": [("pass", PASSES_WORSE)], "equal": [("pass", CALLED), ("worse", CALLED)]}.get(truth, [])
        for verdict, most in asked:
            measure = f"{verdict} though {truth}"
            out.append(proportion(name, way, measure, times[verdict], found.trials, most, at_least=False))
        if truth == "better" and way == "paired" and GATES[name].power:
            out.append(
                proportion(name, way, "pass, 6 points better", times["pass"], found.trials, POWER, at_least=True)
            )
    return out

"""Do 95 % intervals hold the truth in 95 % of the cases? A simulation, its table and its figure.

    python examples/calibration.py [--output FILE] [--repetitions N]

In each repetition entities with known performances are tried on random cases, and the intervals are computed as
``rankscape rank --uncertainty`` does. Counted is how often the interval of F₁ holds the true F₁, how often that of the
rank holds a true rank (of tied entities, any of the ranks that they share), and how often all simultaneous intervals
of ranks do at once. Ranks are whole numbers, so their intervals hold the truth more often than asked for.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rankscape as rs
from rankscape.results import Table
from rankscape.uncertainty import bootstrap, rank_intervals

LEVEL, DRAWS = 0.95, 400
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scenario:
    """True performances (n, 4), the number of cases, and whether all are tried on the same ones."""

    truth: Callable[[np.random.Generator], Floats]
    cases: int
    paired: bool = False


def fixed(prior: float, rates: list[tuple[float, float]]) -> Callable[[np.random.Generator], Floats]:
    """Return performances of given TNR and TPR, the same in every repetition."""
    rows = [[(1 - prior) * tnr, (1 - prior) * (1 - tnr), prior * (1 - tpr), prior * tpr] for tnr, tpr in rates]
    return lambda rng: np.array(rows)


SPREAD = [(0.95, 0.6), (0.9, 0.7), (0.85, 0.8), (0.8, 0.6), (0.7, 0.7)]
TIED = [(0.9, 0.7)] * 4 + [(0.8, 0.6)] * 2
SCENARIOS = {
    "drawn from the prior, 30 cases": Scenario(lambda rng: rng.dirichlet([0.5] * 4, 6), 30),
    "spread, 200 cases": Scenario(fixed(0.4, SPREAD), 200),
    "exact ties, 200 cases": Scenario(fixed(0.4, TIED), 200),
    "rare class (2 %), 2000 cases": Scenario(fixed(0.02, SPREAD), 2000),
    "rare class and ties, 2000 cases": Scenario(fixed(0.02, TIED), 2000),
    "same cases, bootstrap, 400 cases": Scenario(fixed(0.4, SPREAD), 400, paired=True),
}


def labels(truth: Floats, cases: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return labels and predictions of entities tried on the same cases: a case that is hard for one is so for all."""
    prior = truth[0, 2:].sum()
    y = (rng.random(cases) < prior).astype(int)
    right = np.where(y, (truth[:, 3] / prior)[:, None], (truth[:, 0] / (1 - prior))[:, None])
    shared, own = rng.random(cases), rng.random((len(truth), cases))
    alike = rng.random((len(truth), cases)) < 0.7
    correct = np.where(alike, shared, own) < right
    return y, np.where(correct, y, 1 - y)


def covered(scenario: Scenario, repetitions: int, seed: int = 0) -> dict[str, float]:
    """Return the shares of intervals that hold the truth: of F₁, of ranks, and of all ranks at once."""
    rng = np.random.default_rng(seed)
    hits: dict[str, list[float]] = {"value": [], "rank": [], "all ranks": []}
    for _ in range(repetitions):
        truth = scenario.truth(rng)
        f1 = 2 * truth[:, 3] / (2 * truth[:, 3] + truth[:, 1] + truth[:, 2])
        close = np.round(f1, 12)  # equal rows are equal
        low, high = 1 + (close > close[:, None]).sum(axis=1), (close >= close[:, None]).sum(axis=1)
        if scenario.paired:
            drawn = bootstrap(*labels(truth, scenario.cases, rng), draws=DRAWS, rng=rng)
        else:
            counts = np.array([rng.multinomial(scenario.cases, row / row.sum()) for row in truth])
            drawn = rs.uncertainty.posterior(rs.Performances.from_counts(counts), DRAWS, rng)
        one, together = (rank_intervals(drawn, "f1", level=LEVEL, simultaneous=s) for s in (False, True))
        hits["value"].append(float(np.mean((one.value_low <= f1) & (f1 <= one.value_high))))
        hits["rank"].append(float(np.mean((one.low <= high) & (low <= one.high))))
        hits["all ranks"].append(float(np.all((together.low <= high) & (low <= together.high))))
    return {what: float(np.mean(found)) for what, found in hits.items()}


def table(repetitions: int) -> Table:
    """Return the shares of every scenario."""
    found = {name: covered(scenario, repetitions) for name, scenario in SCENARIOS.items()}
    columns = {what: [round(shares[what], 3) for shares in found.values()] for what in ("value", "rank", "all ranks")}
    return Table({"scenario": list(found), **columns})


def draw(found: Table, repetitions: int) -> "object":
    """Draw the shares, the asked-for level as a line."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(7.6, 3.9), layout="constrained")
    rows = range(len(found))
    marks = {
        "value": ("o", "F₁ in its interval"),
        "rank": ("s", "rank in its interval"),
        "all ranks": ("^", "all ranks at once"),
    }
    for k, (what, (mark, said)) in enumerate(marks.items()):
        ax.plot(
            found[what], [y + 0.2 * (k - 1) for y in rows], mark, color=("#0072b2", "#d55e00", "#1a1a1a")[k], label=said
        )
    ax.axvline(LEVEL, color="#4d4d4d", lw=1, ls="--")
    ax.set_yticks(list(rows), labels=found["scenario"])
    ax.set(
        ylim=(len(found) - 0.5, -0.5),
        xlim=(min(0.88, min(found["value"]) - 0.01), 1.005),
        xlabel="share of intervals that hold the truth",
    )
    ax.set_title(f"What {LEVEL:.0%} intervals hold, in {repetitions} repetitions", loc="left", fontweight="bold")
    ax.grid(axis="x", color="#d9d9d9", lw=0.5)
    ax.legend(loc="lower left", fontsize=9)
    return figure


def main(arguments: list[str] | None = None) -> Table:
    """Print the table, and write the figure."""
    parser = argparse.ArgumentParser(description="Show that 95 % intervals hold the truth in about 95 % of the cases.")
    parser.add_argument(
        "--output", type=Path, default=Path("calibration.png"), help="figure to write (calibration.png)"
    )
    parser.add_argument("--repetitions", type=int, default=300, help="how many times each scenario is tried (300)")
    options = parser.parse_args(arguments)
    found = table(options.repetitions)
    print(found)
    draw(found, options.repetitions).savefig(options.output, dpi=150)  # type: ignore[attr-defined]
    return found


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("Agg")
    main()

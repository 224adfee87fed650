"""The search of Table 1 of the foundations paper against SciPy; in each group, the number in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_soundness.py`` prints, for all 27 scores on 3 sets, how much faster one
evaluation is than ``scipy.stats.kendalltau``, and how long the audits take.
"""

from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

import rankscape as rs
from rankscape._scores import score
from rankscape._scores.sets import PerformanceSet
from rankscape.kernels.maps import tau_b_map
from rankscape.soundness.correlations import extremes, raw_levels
from rankscape.soundness.table import SCORES, SETS, audit_all

SIDE = 6  # points of a grid of the Tile, as of the finer grids of the search: 36 evaluations


def evaluations_by_scipy(mass: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the correlations on a grid; of defined values only, as in the paper."""
    out, axis = np.empty((SIDE, SIDE)), np.linspace(0, 1, SIDE)
    tn, fp, fn, tp = mass.T
    for i, b in enumerate(axis):
        for j, a in enumerate(axis):
            s, u = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
            both = (levels >= 0) & (s + u > 0)
            out[i, j] = kendalltau(levels[both], s[both] / (s + u)[both]).statistic
    return out


@pytest.mark.parametrize("how", ["scipy", "rankscape"])
@pytest.mark.parametrize("name", ["mcc", "accuracy"])
def test_evaluations(benchmark: Any, name: str, how: str) -> None:
    benchmark.group = f"{SIDE**2} evaluations of tau-b on 6545 performances, {name}"
    P = PerformanceSet().lattice()
    levels = raw_levels(P, score(name))
    if how == "scipy":
        benchmark.pedantic(evaluations_by_scipy, (P.mass, levels), rounds=5)
    else:
        benchmark.pedantic(tau_b_map, (P.integers, levels, SIDE), rounds=5)


@pytest.mark.parametrize("name", ["mcc", "gmean", "f1"])
def test_audit(benchmark: Any, name: str) -> None:
    benchmark.group = "one audit, from the name to the verdict"
    benchmark.pedantic(rs.audit, (name,), rounds=3)


def ratio(among: PerformanceSet, name: str) -> float:
    """Return how many times faster one evaluation is, the median of interleaved timings."""
    P = among.lattice()
    levels = raw_levels(P, score(name))
    if levels.max() < 1:
        return float("nan")  # a constant
    theirs, ours = [], []
    for _ in range(3):
        start = perf_counter()
        evaluations_by_scipy(P.mass, levels)
        middle = perf_counter()
        tau_b_map(P.integers, levels, SIDE)
        theirs.append(middle - start)
        ours.append(perf_counter() - middle)
    return median(theirs) / median(ours)


def main() -> None:
    """Print the ratios and the time of the whole search."""
    ratios = {(name, of): ratio(among, key) for name, key in SCORES.items() for of, among in SETS.items()}
    for of in SETS:
        some = sorted(value for (_, at), value in ratios.items() if at == of and value == value)
        print(f"{of:9} one evaluation: {median(some):.1f} x scipy (from {some[0]:.1f} to {some[-1]:.1f})", flush=True)
    start = perf_counter()
    for key in SCORES.values():
        for place in SETS.values():
            extremes(place.lattice(), score(key))
    print(f"search for {len(SCORES)} scores on {len(SETS)} sets: {perf_counter() - start:.1f} s")
    start = perf_counter()
    audit_all()
    print(f"audits of them, tests included: {perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()

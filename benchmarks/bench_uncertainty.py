"""Uncertainty against what one would write today; in each group, the number in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_uncertainty.py`` prints ratios measured side by side, and how time grows.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.kernels.draws import first_counts
from rankscape.uncertainty import bootstrap, posterior, rank_intervals

RESOLUTION = 201
BLOCK = 20  # draws of the baseline at once, the rest is proportional


def cases(n: int = 100, total: int = 500) -> rs.Performances:
    """Return counts of n entities on the same number of cases."""
    mass = rs.distributions.FixedPriors(0.3).draw(n, rng=0).mass
    rng = np.random.default_rng(0)
    return rs.Performances.from_counts(np.array([rng.multinomial(total, row / row.sum()) for row in mass]))


def by_broadcasting(draws: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Count who is first, one draw after the other, as (n, rows, columns) values and their argmax."""
    places = np.arange(draws.shape[1])[:, None, None]
    out = np.zeros((draws.shape[1], len(axis), len(axis)), dtype=np.int32)
    for mass in draws:
        s = (1 - axis) * mass[:, :1] + axis * mass[:, 3:]
        u = (1 - axis) * mass[:, 1:2] + axis * mass[:, 2:3]
        values = s[:, None, :] / (s[:, None, :] + u[:, :, None])
        out += values.argmax(axis=0) == places
    return out


@pytest.mark.parametrize("how", ["broadcasting, 20 draws", "1 thread, 20 draws", "2 threads, 20 draws"])
def test_first_map(benchmark: Any, how: str) -> None:
    benchmark.group = "P(first) map of 100 entities, 201 x 201"
    draws, axis = posterior(cases(), BLOCK).values, np.linspace(0, 1, RESOLUTION)
    call = (
        (lambda: by_broadcasting(draws, axis))
        if how[0] == "b"
        else (lambda: first_counts(draws, RESOLUTION, int(how[0])))
    )
    benchmark.pedantic(call, rounds=3)


def bootstrap_by_loop(truth: np.ndarray, predicted: np.ndarray, draws: int) -> np.ndarray:
    rng, m = np.random.default_rng(0), len(truth)
    codes = 2 * truth + predicted
    out = np.empty((draws, len(predicted), 4), dtype=np.int64)
    for draw in range(draws):
        chosen = rng.integers(m, size=m)
        for e, row in enumerate(codes):
            out[draw, e] = np.bincount(row[chosen], minlength=4)
    return out


def predictions(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = (rng.random(m) < 0.3).astype(int)
    return truth, np.where(rng.random((n, m)) < 0.85, truth, 1 - truth)


@pytest.mark.parametrize("how", ["loop", "rankscape"])
def test_paired_bootstrap(benchmark: Any, how: str) -> None:
    benchmark.group = "paired bootstrap, 10 entities, 10 000 cases, 1000 draws"
    truth, predicted = predictions(10, 10_000)
    call = bootstrap_by_loop if how == "loop" else bootstrap
    benchmark.pedantic(lambda: call(truth, predicted, 1000), rounds=1)


def timed(call: Callable[[], object], rounds: int = 3) -> float:
    """Return the median time of a call."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def main() -> None:
    """Print ratios, interleaved in one process, and growth."""
    axis, P = np.linspace(0, 1, RESOLUTION), cases()
    draws = posterior(P, 1000).values
    baseline = timed(lambda: by_broadcasting(draws[:BLOCK], axis)) * 1000 / BLOCK
    print(f"P(first) map, 1000 draws x 100 entities x 201 x 201; broadcasting {baseline:.1f} s (from {BLOCK} draws)")
    for threads in (1, 2):
        own = timed(lambda threads=threads: first_counts(draws, RESOLUTION, threads))
        print(f"  {threads} thread(s): {own:.2f} s, {baseline / own:.0f} times as fast")
    truth, predicted = predictions(10, 10_000)
    slow, fast = (
        timed(lambda: bootstrap_by_loop(truth, predicted, 100)),
        timed(lambda: bootstrap(truth, predicted, 100)),
    )
    print(f"paired bootstrap, 10 x 10 000 cases, 1000 draws: {slow / fast:.1f} times as fast as a loop")
    for n in (10, 100, 1000):
        own = cases(n)
        print(f"rank intervals, 2000 draws, {n} entities: {timed(lambda own=own: rank_intervals(own, 'f1')):.2f} s")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""The optimal trade-off against what one would write today; in each group, the number in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_tradeoff.py`` prints how time grows with the number of entities, in sorts
of as many floats.
"""

from math import log
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.kernels.crossings import Crossings, lines_of_integers

KINDS = ("counts", "one prior", "lattice")


def draws(n: int, kind: str = "counts") -> np.ndarray:
    """Rows fp, fn, tp."""
    rng = np.random.default_rng(1)
    if kind == "one prior":
        return np.stack([rng.integers(0, 50_001, n), 50_000 - (tp := rng.integers(1, 50_001, n)), tp], axis=-1)
    if kind == "lattice":  # massive ties
        side = int(n**0.5)
        x, y = (grid.ravel() for grid in np.meshgrid(np.arange(side), np.arange(1, side + 1)))
        return np.stack([x, side - y, y], axis=-1)
    positives, negatives = rng.integers(100, 10_000, (2, n))
    tp = np.maximum(rng.binomial(positives, rng.random(n)), 1)
    return np.stack([rng.binomial(negatives, rng.random(n)), positives - tp, tp], axis=-1)


def median_of_all(rows: np.ndarray) -> float:
    """Return the median swap, of all pairs, by blocks of rows."""
    fp, fn, tp = rows.T.astype(float)
    u, v = fp / tp, fn / tp
    found = []
    for start in range(0, len(rows), 500):
        with np.errstate(divide="ignore", invalid="ignore"):
            theta = -(u[start : start + 500, None] - u) / (v[start : start + 500, None] - v)
        earlier = np.arange(len(rows)) > np.arange(start, min(start + 500, len(rows)))[:, None]
        found.append(theta[earlier & (theta > 0) & np.isfinite(theta)])
    return float(np.median(np.concatenate(found)))


def middle(rows: np.ndarray) -> float:
    """Return the median swap, exactly: what ``rs.tradeoff(P).beta_squared`` computes."""
    found = Crossings(lines_of_integers(rows))
    k = found.total
    return float(found.kth((k + 1) // 2).place + found.kth(k // 2 + 1).place) / 2


@pytest.mark.parametrize("how", ["blocked NumPy", "rankscape"])
def test_optimal_beta_of_ten_thousand(benchmark: Any, how: str) -> None:
    benchmark.group = "optimal beta, 10 000 entities, against all pairs in NumPy"
    rows = draws(10_000)
    if how == "rankscape":
        benchmark.pedantic(middle, (rows,), rounds=9)
    else:
        benchmark.pedantic(median_of_all, (rows,), rounds=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["np.sort", "rankscape"])
def test_optimal_beta_of_a_million(benchmark: Any, how: str, kind: str) -> None:
    benchmark.group = f"optimal beta, 1 000 000 entities ({kind}), against one sort"
    rows = draws(1_000_000, kind)
    floats = np.random.default_rng(0).random(len(rows))
    benchmark.pedantic((lambda: np.sort(floats)) if how == "np.sort" else (lambda: middle(rows)), rounds=5)


@pytest.mark.parametrize("how", ["from the median alone", "with everything that is told"])
def test_the_summary_of_a_hundred_thousand(benchmark: Any, how: str) -> None:
    benchmark.group = "the summary of 100 000 entities, against the median alone"
    fp, fn, tp = draws(100_000).T
    P = rs.Performances.from_counts(tn=np.full(len(fp), 10), fp=fp, fn=fn, tp=tp)
    told = (lambda: rs.tradeoff(P).summary()) if how[0] == "w" else (lambda: rs.tradeoff(P).beta)
    benchmark.pedantic(told, rounds=3)


def main() -> None:
    """Print times in sorts, and the exponent of their growth."""
    print("kind        entities  seconds  sorts of n floats")
    for kind in KINDS:
        times = []
        for n in (10_000, 100_000, 1_000_000):
            rows, floats = draws(n, kind), np.random.default_rng(0).random(n)
            seconds, sorts = [], []
            for _ in range(5):
                for work, found in ((lambda r=rows: middle(r), seconds), (lambda f=floats: np.sort(f), sorts)):
                    start = perf_counter()
                    work()
                    found.append(perf_counter() - start)
            times.append(median(seconds))
            print(f"{kind:10} {n:9} {times[-1]:8.3f} {times[-1] / median(sorts):8.0f}", flush=True)
        print(f"{kind:10} exponent {log(times[-1] / times[0]) / log(100):.2f}")


if __name__ == "__main__":
    main()

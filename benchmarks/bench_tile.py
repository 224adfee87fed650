"""Maps of the Tile against what one would write today; in each group, the number in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_tile.py`` prints how time and memory grow with the number of entities and
with the resolution.
"""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

import rankscape as rs
from rankscape.kernels.backend import inversions
from rankscape.kernels.maps import tau_b_map, value_maps

CELLS = 101  # per side; SciPy is timed on so many cells too


def draws(n: int) -> rs.Performances:
    return rs.distributions.Uniform().draw(n, rng=0)


def cells_by_scipy(mass: np.ndarray, x: np.ndarray, axis: np.ndarray) -> np.ndarray:
    out = np.empty((len(axis), len(axis)))
    for i, b in enumerate(axis):
        for j, a in enumerate(axis):
            s, u = (1 - a) * mass[:, 0] + a * mass[:, 3], (1 - b) * mass[:, 1] + b * mass[:, 2]
            out[i, j] = kendalltau(x, s / (s + u)).statistic
    return out


@pytest.mark.parametrize("n", [1_000, 10_000])
@pytest.mark.parametrize("how", ["scipy", "1 thread", "2 threads"])
def test_correlation_map(benchmark: Any, n: int, how: str) -> None:
    benchmark.group = f"correlation map, {n} performances, {CELLS} x {CELLS} cells"
    P = draws(n)
    x = rs.score("mcc")(P)
    if how == "scipy":
        benchmark.pedantic(cells_by_scipy, (P.mass, x, np.linspace(0, 1, CELLS)), rounds=1)
    else:
        levels, _ = rs.ordering.levels(P, rs.score("mcc"))
        benchmark.pedantic(tau_b_map, (P.integers, levels, CELLS, int(how[0])), rounds=3)


@pytest.mark.parametrize("how", ["np.sort", "inversions"])
def test_inversions(benchmark: Any, how: str) -> None:
    benchmark.group = "inversions of a million, against one sort"
    values = np.random.default_rng(0).permutation(10**6)
    floats = values.astype(float)
    benchmark.pedantic((lambda: np.sort(floats)) if how == "np.sort" else (lambda: inversions(values)), rounds=5)


def cube(mass: np.ndarray, axis: np.ndarray) -> np.ndarray:
    importance = rs.canonical_importance(axis, axis[:, None])
    due = (mass[:, None, None] * importance).sum(axis=-1)
    return (mass[:, None, None] * importance * [1, 0, 0, 1]).sum(axis=-1) / due


def broadcast(mass: np.ndarray, axis: np.ndarray) -> np.ndarray:
    s = (1 - axis) * mass[:, :1] + axis * mass[:, 3:]
    u = (1 - axis) * mass[:, 1:2] + axis * mass[:, 2:3]
    return s[:, None, :] / (s[:, None, :] + u[:, :, None])


@pytest.mark.parametrize("how", ["broadcasting", "broadcasting, factored", "1 thread", "2 threads"])
def test_value_maps(benchmark: Any, how: str) -> None:
    benchmark.group = "value maps of 100 performances, 201 x 201"
    mass, axis = draws(100).mass, np.linspace(0, 1, 201)
    call = {
        "broadcasting": lambda: cube(mass, axis),
        "broadcasting, factored": lambda: broadcast(mass, axis),
    }.get(how, lambda: value_maps(mass, axis, axis, int(how[0])))
    benchmark.pedantic(call, rounds=5)


@pytest.mark.parametrize("how", ["grid argmax", "exact regions"])
@pytest.mark.parametrize("n", [74, 1_000])
def test_who_is_first(benchmark: Any, n: int, how: str) -> None:
    benchmark.group = f"who is first among {n}: a grid of 201 x 201 (not exact) or exact regions"
    P = draws(n)
    axis = np.linspace(0, 1, 201)
    if how == "grid argmax":
        benchmark.pedantic(lambda: broadcast(P.mass, axis).argmax(axis=0), rounds=3)
    else:
        benchmark.pedantic(lambda: rs.regions.first(P), rounds=3)


@pytest.mark.parametrize("how", ["np.sort", "winners"])
def test_who_can_ever_be_first(benchmark: Any, how: str) -> None:
    benchmark.group = "who can ever be first, 100 000 of one prior, against one sort"
    P = rs.distributions.FixedPriors(0.25).draw(100_000, rng=0)
    floats = P.mass[:, 0].copy()
    P.integers  # noqa: B018  exact once, as after reading counts
    benchmark.pedantic((lambda: np.sort(floats)) if how == "np.sort" else (lambda: rs.regions.winners(P)), rounds=3)


def ranks_by_grid(mass: np.ndarray, axis: np.ndarray) -> np.ndarray:
    own = broadcast(mass[:1], axis)[0]
    return 1 + sum((broadcast(row[None], axis)[0] > own).astype(int) for row in mass[1:])


@pytest.mark.parametrize("how", ["comparing values", "ranking map"])
def test_ranking_map(benchmark: Any, how: str) -> None:
    benchmark.group = "the rank of one among 10 000, 201 x 201"
    P = draws(10_000)
    axis = np.linspace(0, 1, 201)
    P.integers  # noqa: B018
    if how == "ranking map":
        benchmark.pedantic(lambda: rs.tile.ranking(P, "P1"), rounds=3)
    else:
        benchmark.pedantic(lambda: ranks_by_grid(P.mass, axis), rounds=1)


GROWTH = """
import resource, sys, time
import rankscape as rs
what, n, resolution = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
P = rs.distributions.Uniform().draw(n, rng=0)
P.integers
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
if what == "entity": rs.tile.entity(P, resolution=resolution)
elif what == "second": rs.tile.entity(P, rank=2, resolution=resolution)
elif what == "ranking": rs.tile.ranking(P, "P1", resolution=resolution)
elif what == "margin": rs.tile.margin(P, resolution=resolution)
else: rs.tile.correlation("mcc", P, resolution=resolution)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(f"{time.perf_counter() - start:.3f} {(after - before) / 1024:.0f}")
"""


def main() -> None:
    """Print time and peak memory of maps, each in a process of its own."""
    print("map          entities  resolution  seconds  MB above start")
    for what in ("entity", "second", "ranking", "margin", "correlation"):
        for n, resolution in ((100, 101), (1_000, 101), (10_000, 101), (10_000, 201)):
            if what == "correlation" and resolution == 201 and "--long" not in sys.argv:
                continue
            call = [sys.executable, "-c", GROWTH, what, str(n), str(resolution)]
            seconds, memory = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
            print(f"{what:12} {n:8} {resolution:11} {seconds:>8} {memory:>10}", flush=True)


if __name__ == "__main__":
    main()

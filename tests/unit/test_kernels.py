"""The compiled kernels, their twins in NumPy, and the errors and switches of both."""

import importlib.util
import os
import subprocess
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import rankscape as rs
from rankscape import tile
from rankscape.kernels import maps, native, reference
from rankscape.kernels.exact import integers_of_floats
from rankscape.kernels.grid import Sides
from rankscape.kernels.measures import measures
from rankscape.kernels.native import SWITCH, load

COMPILED = load()
needs_compiler = pytest.mark.skipif(COMPILED is None, reason="the extension is not built here, or not wanted")


@pytest.fixture(params=["compiled", "NumPy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the test twice, with the compiled kernels and with their reference."""
    if request.param == "NumPy":
        monkeypatch.setattr(maps, "backend", reference)
    elif COMPILED is None:
        pytest.skip("the extension is not built here, or not wanted")
    return str(request.param)


def distinct(n: int, seed: int = 0) -> NDArray[np.int64]:
    """Measures far from any tie."""
    return (np.random.default_rng(seed).dirichlet([2, 1, 1, 2], n) * 2**50).astype(np.int64)


def values(integers: NDArray[np.int64], i: int, j: int, resolution: int) -> NDArray[np.float64]:
    a, b, (tn, fp, fn, tp) = j / (resolution - 1), i / (resolution - 1), integers.T
    gain = (1 - a) * tn + a * tp
    return gain / (gain + (1 - b) * fp + b * fn)


# ---- inversions


@pytest.mark.parametrize("n", [0, 1, 2, 63, 97, 300, 4000, 70_000])
@pytest.mark.parametrize("kind", ["shuffled", "ascending", "descending", "tied", "wide"])
def test_inversions_are_those_of_a_merge_sort(either: str, n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    sequence = {
        "shuffled": rng.permutation(n),
        "ascending": np.arange(n),
        "descending": np.arange(n)[::-1],
        "tied": rng.integers(0, 7, n),
        "wide": rng.integers(0, 2**32 - 1, n),
    }[kind]
    assert maps.backend.inversions(sequence) == merged(sequence.tolist())[1]


def merged(sequence: list[int]) -> tuple[list[int], int]:
    """Sort by merging, and count the inversions."""
    if len(sequence) < 2:
        return sequence, 0
    half = len(sequence) // 2
    (left, one), (right, two) = merged(sequence[:half]), merged(sequence[half:])
    out, count, k = [], one + two, 0
    for number in right:
        while k < len(left) and left[k] <= number:
            out.append(left[k])
            k += 1
        count += len(left) - k
        out.append(number)
    return out + left[k:], count


@needs_compiler
@pytest.mark.parametrize("wrong", [-1, 2**32])
def test_the_compiled_inversions_refuse_what_they_cannot_count(wrong: int) -> None:
    with pytest.raises(ValueError, match="ranks must lie between 0 and"):
        maps.backend.inversions(np.array([0, wrong]))


# ---- correlation


@pytest.mark.parametrize("n", [2, 3, 50, 700, 5000])
def test_correlations_are_those_of_scipy_where_nothing_is_near(either: str, n: int) -> None:
    resolution = 3 if n > 1000 else 6
    integers, levels = distinct(n), np.random.default_rng(1).integers(0, max(2, n // 3), n)
    levels[:2] = 0, 1
    tau, rho = (f(integers, levels, resolution) for f in (maps.tau_b_map, maps.spearman_map))
    for i in range(resolution):
        for j in range(resolution):
            y = values(integers, i, j, resolution)
            assert tau[i, j] == pytest.approx(stats.kendalltau(levels, y).statistic, abs=1e-14)
            assert rho[i, j] == pytest.approx(stats.spearmanr(levels, y).statistic, abs=1e-13)


def test_a_ranking_by_a_score_of_the_tile_is_that_score(either: str) -> None:
    integers = distinct(400)
    levels = np.unique(values(integers, 1, 3, 5), return_inverse=True)[1]
    for correlation in (maps.tau_b_map, maps.spearman_map):
        assert correlation(integers, levels, 5)[1, 3] == 1
        assert correlation(integers, levels.max() - levels, 5)[1, 3] == -1


@needs_compiler
@pytest.mark.parametrize("correlation", [maps.tau_b_map, maps.spearman_map])
def test_the_number_of_threads_changes_nothing(correlation: object) -> None:
    integers = np.random.default_rng(3).multinomial(60, [0.3, 0.2, 0.2, 0.3], 500)
    levels = np.random.default_rng(4).integers(-1, 40, 500)
    one = correlation(integers, levels, 9)
    for threads in (2, 3, 100):
        assert np.array_equal(correlation(integers, levels, 9, threads=threads), one, equal_nan=True)


def test_undefined_and_constant_rankings(either: str) -> None:
    for correlation in (maps.tau_b_map, maps.spearman_map):
        assert np.isnan(correlation(np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.int64), 3)).all()
        some = distinct(5)
        assert np.isnan(correlation(some, np.full(5, 7), 3)).all()
        assert np.isnan(correlation(some, np.array([-1, -1, -1, -1, 2]), 3)).all()
        assert np.isnan(correlation(np.tile(some[:1], (5, 1)) * [[1], [2], [3], [4], [5]], np.arange(5), 3)).all()
        # The first has no value at (0, 0), the second none at (1, 1): one is left there, NaN.
        corner = correlation(np.array([[0, 0, 3, 4], [5, 2, 0, 0]]), np.array([0, 1]), 3)
        assert np.isnan(corner[[0, 2], [0, 2]]).all()
        # Undefined in X: as if it were not there.
        assert np.array_equal(
            correlation(some, np.array([0, -1, 2, 1, -1]), 3), correlation(some[[0, 2, 3]], np.array([0, 2, 1]), 3)
        )


def test_without_losses_all_are_equal_and_without_gains_too(either: str) -> None:
    integers = np.array([[5, 0, 0, 7], [1, 0, 0, 9], [0, 4, 2, 0], [0, 1, 9, 0]])
    tau = maps.tau_b_map(integers, np.array([3, 2, 1, 0]), 3)
    assert tau == pytest.approx(np.full((3, 3), 4 / np.sqrt(6 * 4)), abs=1e-15)


def test_numbers_beyond_64_bits_change_nothing(either: str) -> None:
    small = np.random.default_rng(5).integers(0, 4, (30, 4))
    levels = np.arange(30) // 2
    for scale in (2**60, 10**40):
        large = small.astype(object) * scale
        assert np.array_equal(maps.tau_b_map(large, levels, 3), maps.tau_b_map(small, levels, 3), equal_nan=True)
    near = np.array([[10**30, 10**30, 0, 10**30 + k] for k in range(6)], dtype=object)  # equal in floats
    expected = [[np.nan, 1, 1], [np.nan, 1, 1], [np.nan] * 3]
    assert np.array_equal(maps.tau_b_map(near, np.arange(6), 3), expected, equal_nan=True)


def near_ties(kind: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return measures, integers, that floats can hardly tell apart, or not at all."""
    if kind == 0:  # equal rationals of different denominators
        return rng.integers(0, 4, (n, 4)).astype(object) * rng.integers(1, 4, (n, 1)).astype(object) * 10**20
    if kind == 1:  # floats one step from each other
        floats = np.repeat(rng.random((1, 4)), n, axis=0)
        return integers_of_floats(np.nextafter(floats, rng.integers(0, 2, (n, 4)) * 2.0))
    if kind == 2:  # the same in 64 bits, but for the last
        return 2**61 + rng.integers(0, 2, (n, 4))
    if kind == 3:  # one in 10³⁰ more
        return np.array([[10**30, 10**30, 0, 10**30 + int(k)] for k in rng.integers(0, 3, n)], dtype=object)
    return np.array([[int(a) ** 3 for a in row] for row in rng.integers(0, 2**40, (n, 4))], dtype=object)


@needs_compiler
@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("spearman", [False, True])
def test_what_floats_cannot_tell_apart_is_decided_as_the_twin_does(kind: int, spearman: bool) -> None:
    rng = np.random.default_rng(kind)
    for n in [*range(2, 12), 60]:
        integers, levels = near_ties(kind, n, rng), np.sort(rng.integers(0, n, n))
        levels = np.unique(levels, return_inverse=True)[1]
        for resolution in (2, 3, 4, 7):
            each = measures(integers, resolution - 1)
            fast, slow = (
                kernel.correlation_rows(each, levels, resolution, 0, resolution, spearman)
                for kernel in (native, reference)
            )
            assert np.array_equal(fast, slow)


@pytest.mark.parametrize("small", [10**-150, 10**-300])
def test_shares_too_small_for_floats_are_decided_by_the_twin(small: float) -> None:
    integers = integers_of_floats(np.array([[0.5, small, 0.2, 0.3], [0.5, 2 * small, 0.2, 0.3], [0.4, 0, 0.3, 0.3]]))
    assert measures(integers, 2).limbs is None
    assert (
        maps.tau_b_map(integers, np.array([2, 1, 0]), 3)[0].tolist() == [-1 / 3] * 3
    )  # the third, the first, the second


@needs_compiler
def test_the_compiled_rows_refuse_what_they_cannot_compare() -> None:
    out = np.empty((3, 1, 3), dtype=np.int64)
    for integers, levels, says in (
        ([[2**62, 0, 0, 0]], [0], "must be below"),
        ([[1, 1, 1, -1]], [0], "masses must be 0"),
        ([[1, 1, 1, 1]] * 2, [1, 0], "must not decrease"),
        ([[1, 1, 1, 1]], [1], "must not decrease"),
        ([[1, 1, 1, 1]], [0, 0], "shapes"),
    ):
        mass, limbs = np.array(integers, dtype=float), np.array(integers).view(np.uint64)[:, :, None]
        with pytest.raises(ValueError, match=says):
            COMPILED.correlation_rows(mass, limbs, np.array(levels), 3, 0, 1, 1, False, out)
    ones, limbs = np.ones((1, 4)), np.ones((1, 4, 1), np.uint64)
    with pytest.raises(ValueError, match="shapes"):
        COMPILED.correlation_rows(ones, limbs, np.zeros(1, np.int64), 3, 2, 4, 1, False, out)


def test_too_many_are_refused(either: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "MOST", 3)
    with pytest.raises(ValueError, match="at most 3 performances; got 4"):
        maps.tau_b_map(distinct(4), np.arange(4), 3)


def test_progress_is_told_and_the_work_can_be_stopped(either: str) -> None:
    done: list[int] = []
    maps.tau_b_map(distinct(10), np.arange(10), 40, progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 40
    done.clear()

    def interrupt(rows: int) -> None:
        done.append(rows)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        maps.tau_b_map(distinct(10), np.arange(10), 40, progress=interrupt)
    assert done == [16]


@needs_compiler
def test_other_threads_of_python_run_meanwhile() -> None:
    integers, levels = distinct(20_000), np.arange(20_000)
    started, ticks = threading.Event(), []

    def work() -> None:
        started.set()
        maps.tau_b_map(integers, levels, 12)
        ticks.append("done")

    worker = threading.Thread(target=work)
    worker.start()
    started.wait()
    while worker.is_alive():
        ticks.append("tick")
        worker.join(0.001)
    assert ticks.index("done") > 5


# ---- places at a rank


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("rank", [1, 2, 150, 299, 300])
def test_who_is_at_a_rank_is_who_sorting_puts_there(either: str, rank: int, last: bool) -> None:
    integers = distinct(300)
    at, close = maps.rank_at(Sides(integers, 11, last), np.ones(300, np.int64), rank, threads=2)
    assert not close.any()
    for i in range(11):
        for j in range(11):
            order = np.argsort(values(integers, i, j, 11))
            assert at[i, j] == (order if last else order[::-1])[rank - 1]


def test_sizes_count_and_too_high_a_rank_is_nobody(either: str) -> None:
    integers = np.array([[9, 1, 4, 6], [8, 2, 2, 8], [0, 0, 1, 3]])
    sizes = np.array([2, 3, 1])
    ranks = [maps.rank_at(Sides(integers, 2, False), sizes, rank)[0].tolist() for rank in (1, 3, 6)]
    assert ranks == [[[0, 2], [1, 1]], [[1, 0], [1, 1]], [[-1, 1], [2, 0]]]


def test_equal_ones_are_said_to_be_close(either: str) -> None:
    integers = np.array([[1, 5, 5, 1], [5, 1, 1, 3], [10, 2, 2, 6]])
    at, close = maps.rank_at(Sides(integers, 4, False), np.ones(3, np.int64), 1)
    assert (at == 1).all()
    assert close.all()
    assert not maps.rank_at(Sides(integers, 4, False), np.ones(3, np.int64), 3)[1].any()


@needs_compiler
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("n", [20, pytest.param(120, marks=pytest.mark.nightly)])
def test_the_entity_map_is_the_same_with_and_without_the_extension(
    n: int, last: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = np.random.default_rng(6).multinomial(30, [0.3, 0.2, 0.2, 0.3], n)
    P = rs.Performances.from_counts(counts, names=[f"m{k}" for k in range(n)])
    for rank in (1, 2, n // 2):
        compiled = tile.entity(P, rank=rank, last=last, resolution=21)
        with monkeypatch.context() as without:
            without.setattr(maps, "backend", reference)
            plain = tile.entity(P, rank=rank, last=last, resolution=21)
        assert np.array_equal(compiled.values, plain.values, equal_nan=True)
        assert compiled.sets == plain.sets


# ---- value maps


def test_value_maps_are_the_ranking_scores() -> None:
    integers = np.random.default_rng(7).integers(0, 3, (40, 4))
    integers[integers.sum(axis=1) == 0] = 1
    P = rs.Performances.from_counts(integers)
    a, b = np.linspace(0, 1, 7), np.linspace(0, 1, 70)
    expected = rs.ranking_score(P.mass[:, None, None], rs.canonical_importance(a, b[:, None]))
    got = maps.value_maps(P.mass, a, b)
    assert got.shape == (40, 70, 7)
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    assert got == pytest.approx(expected, abs=1e-15, nan_ok=True)


@needs_compiler
def test_arrays_of_wrong_shapes_are_refused() -> None:
    one = np.ones((1, 4))
    with pytest.raises(ValueError, match="shapes"):
        COMPILED.rank_rows(
            one, np.ones(1, np.int64), 0, False, 3, 0.0, 0, 1, 1, np.empty((1, 3), np.int64), np.empty((1, 3), bool)
        )


# ---- the switch


@pytest.mark.parametrize("value", ["0", "1", ""])
def test_the_environment_can_ask_for_numpy(value: str) -> None:
    code = "from rankscape.kernels.maps import *; print(backend.COMPILED, backend.inversions(np.array([2, 0, 1])))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, SWITCH: value}, capture_output=True, text=True, check=True
    )
    built = importlib.util.find_spec("rankscape.kernels._native") is not None
    assert done.stdout.split() == [str(built and value != "0"), "2"]


def test_a_missing_extension_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rankscape.kernels._native", None)
    monkeypatch.delattr("rankscape.kernels._native", raising=False)
    monkeypatch.delenv(SWITCH, raising=False)
    assert load() is None


def test_no_defined_performance_is_dropped_whatever_bits_its_key_has(either: str) -> None:
    n = 128
    integers = np.array([[1000 + k, 7, 1, 3] for k in range(n)])
    integers[0], integers[1] = [0, 0, 1, 1], [1, 1, 1, 1]
    integers[n - 2], integers[n - 1] = [2**53 - 3, 2**21, 1, 3], [5, 0, 1, 3]
    ranks = np.arange(n)
    found = maps.tau_b_map(integers, ranks, 2)
    for row, loss in ((0, 1), (1, 2)):
        for column, gain in ((0, 0), (1, 3)):
            s, u = integers[:, gain].astype(float), integers[:, loss].astype(float)
            defined = s + u > 0
            values = [
                Fraction(int(g), int(g + t))
                for g, t in zip(integers[defined, gain], integers[defined, loss], strict=True)
            ]
            level = np.searchsorted(sorted(set(values)), values)
            assert found[row, column] == pytest.approx(stats.kendalltau(ranks[defined], level).statistic, abs=1e-12)

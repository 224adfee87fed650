"""The kernels against naive arithmetic on fractions, on small counts full of ties; compiled and in NumPy, bit for bit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rankscape.kernels import backend, maps, reference
from rankscape.kernels.grid import Sides
from rankscape.kernels.native import load

COMPILED = load()


@contextmanager
def in_numpy() -> Iterator[None]:
    """Run the reference."""
    maps.backend = reference
    try:
        yield
    finally:
        maps.backend = backend


counts = st.one_of(st.integers(0, 3), st.integers(0, 30), st.integers(10**15, 10**15 + 3))


@st.composite
def ranked(draw: st.DrawFn) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Measures with zeros, one-hot rows, multiples of each other and near ties; levels of X; a resolution."""
    rows = draw(st.lists(st.tuples(counts, counts, counts, counts), max_size=14))
    for k in draw(st.lists(st.integers(0, 13), max_size=4)):
        if k < len(rows):
            rows.append(tuple(draw(st.integers(1, 3)) * number for number in rows[k]))
    levels = draw(st.lists(st.integers(-1, draw(st.integers(0, 12))), min_size=len(rows), max_size=len(rows)))
    integers = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
    return integers, np.array(levels, dtype=np.int64), draw(st.integers(2, 5))


def scores(integers: NDArray[Any], i: int, j: int, m: int) -> list[Fraction | None]:
    out: list[Fraction | None] = []
    for tn, fp, fn, tp in integers.tolist():
        gain, loss = (m - j) * tn + j * tp, (m - i) * fp + i * fn
        out.append(Fraction(gain, gain + loss) if gain + loss else None)
    return out


def naive(integers: NDArray[Any], levels: NDArray[np.int64], resolution: int, of: Callable[..., Any]) -> NDArray[Any]:
    """Fill a map from pairs of an X level and a score, exactly, but for the last root and quotient."""
    out = np.full((resolution, resolution), np.nan)
    for i in range(resolution):
        for j in range(resolution):
            y = scores(integers, i, j, resolution - 1)
            shared, own, other = of(
                [(x, score) for x, score in zip(levels.tolist(), y, strict=True) if x >= 0 and score is not None]
            )
            if own * other:
                out[i, j] = float(shared) / np.sqrt(float(own) * float(other))
    return out


def kendall(points: list[tuple[int, Fraction]]) -> tuple[int, int, int]:
    signs = [((x > z) - (x < z), (y > w) - (y < w)) for (x, y), (z, w) in combinations(points, 2)]
    return sum(s * t for s, t in signs), sum(s * s for s, _ in signs), sum(t * t for _, t in signs)


def spearman(points: list[tuple[int, Fraction]]) -> tuple[int, int, int]:
    ranks = [[sum((z < x) - (z > x) for z in axis) for x in axis] for axis in zip(*points, strict=True)] or [[], []]
    return (
        sum(x * y for x, y in zip(*ranks, strict=True)), sum(x * x for x in ranks[0]), sum(y * y for y in ranks[1]),
    )  # fmt: skip


@pytest.mark.parametrize(("correlation", "of"), [(maps.tau_b_map, kendall), (maps.spearman_map, spearman)])
@given(case=ranked())
def test_correlation_is_that_of_exact_fractions(
    correlation: Callable[..., Any], of: Callable[..., Any], case: tuple[NDArray[np.int64], NDArray[np.int64], int]
) -> None:
    expected = naive(*case, of)
    assert np.array_equal(correlation(*case, threads=2), expected, equal_nan=True)
    with in_numpy():
        assert np.array_equal(correlation(*case), expected, equal_nan=True)


@given(st.lists(st.integers(0, 300), max_size=200))
def test_inversions_are_counted_pair_by_pair(sequence: list[int]) -> None:
    expected = sum(one > two for one, two in combinations(sequence, 2))
    numbers = np.array(sequence, dtype=np.int64)
    assert maps.backend.inversions(numbers) == expected
    with in_numpy():
        assert maps.backend.inversions(numbers) == expected


@given(case=ranked(), last=st.booleans(), data=st.data())
def test_who_is_at_a_rank_is_right_or_said_to_be_in_doubt(
    case: tuple[NDArray[np.int64], NDArray[np.int64], int], last: bool, data: st.DataObject
) -> None:
    integers, _, resolution = case
    integers = integers[integers.any(axis=1)]
    sizes = np.array(
        data.draw(st.lists(st.integers(1, 3), min_size=len(integers), max_size=len(integers))), dtype=np.int64
    )
    rank = data.draw(st.integers(1, int(sizes.sum()) + 1))
    at, close = maps.rank_at(Sides(integers, resolution, last), sizes, rank, threads=2)
    with in_numpy():
        plain = maps.rank_at(Sides(integers, resolution, last), sizes, rank)
    assert np.array_equal(at, plain[0])
    assert np.array_equal(close, plain[1])
    for i in range(resolution):
        for j in range(resolution):
            exact = scores(integers, i, j, resolution - 1)
            line = sorted((score, k) for k, score in enumerate(exact) if score is not None for _ in range(sizes[k]))
            line = line if last else line[::-1]
            if len(line) < rank:
                assert at[i, j] == -1
            elif close[i, j]:
                assert float(exact[at[i, j]]) == pytest.approx(float(line[rank - 1][0]), rel=1e-14)
            else:
                assert at[i, j] == line[rank - 1][1]
                assert exact.count(exact[at[i, j]]) == 1

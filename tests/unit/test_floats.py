"""Sums, eliminations, logarithms and exponentials that are the same on every machine."""

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from rankscape.arrays import Floats
from rankscape.floats import covariances, expit, exps, large_products, logit, logs, logs1p, products, root, solved

RNG = np.random.default_rng(0)
ANYWHERE = np.concatenate([10 ** RNG.uniform(-307, 308, 300), 1 + RNG.normal(size=300) * 1e-3, [5e-324, 1e-310, 1.0]])
NEAR = np.concatenate([RNG.uniform(-700, 700, 300), RNG.normal(size=300) * 1e-8, [-708.0, 0.0]])


@pytest.mark.parametrize(
    ("function", "truth", "inputs", "most"),
    [
        (logs, mpmath.log, ANYWHERE, 1),
        (logs1p, mpmath.log1p, np.concatenate([ANYWHERE, -RNG.random(300)]), 2),
        (exps, mpmath.exp, NEAR, 1),
        (expit, lambda x: 1 / (1 + mpmath.exp(-x)), NEAR, 2),
        (logit, lambda p: mpmath.log(p / (1 - p)), RNG.random(300) / 4, 2),
    ],
)
def test_functions_are_right_to_the_last_bits(
    function: Callable[[Floats], Floats], truth: Callable[[mpmath.mpf], mpmath.mpf], inputs: Floats, most: int
) -> None:
    with mpmath.workprec(200):
        for x, y in zip(inputs.tolist(), function(inputs).tolist(), strict=True):
            assert abs(truth(mpmath.mpf(x)) - mpmath.mpf(y)) <= most * math.ulp(y), x


def test_functions_keep_their_ends_and_their_shape() -> None:
    ends = np.array([[0.0, np.inf, -np.inf], [np.nan, 1.0, -1.0]])
    with np.errstate(all="ignore"):
        for here, there in ((logs, np.log), (logs1p, np.log1p)):
            assert np.array_equal(here(ends), there(ends), equal_nan=True)
    assert np.array_equal(exps(ends)[0], [1, np.inf, 0])
    assert np.isnan(exps(ends)[1, 0])
    assert exps(np.empty((0, 3))).shape == (0, 3)
    assert logs(2.0).shape == ()


@pytest.mark.parametrize("flags", [True, False])
def test_sums_of_large_products_are_exact_whatever_their_order(flags: bool) -> None:
    """Each is that of fractions, to the rounding of the result, also where one term is larger than all others."""
    left = RNG.standard_gamma(0.5, size=(4, 300))
    left[1, 7] = 1e12
    right = RNG.integers(0, 2, (300, 3)).astype(float) if flags else RNG.random((300, 3))
    seen = large_products(left, right)
    order = RNG.permutation(300)
    assert np.array_equal(seen, large_products(left[:, order], right[order]))
    exact = [[sum(Fraction(x) * Fraction(y) for x, y in zip(row, column, strict=True)) for column in right.T.tolist()]
             for row in left.tolist()]  # fmt: skip
    scale = np.abs(left).max(axis=1)[:, None] * np.abs(right).max(axis=0)
    assert (np.abs(seen - np.array(exact, dtype=float)) <= scale * 300 * (2.0**-52 if flags else 2.0**-42)).all()


def test_covariances_of_columns_of_all_sizes_are_right() -> None:
    values = RNG.normal(size=(500, 4)) * [1, 1e-9, 1e9, 0]
    seen, truth = covariances(values), np.cov(values.T)
    assert np.array_equal(seen, seen.T)
    assert np.allclose(seen, truth, rtol=1e-8, atol=0)


def test_elimination_solves_and_knows_determinants() -> None:
    roots = RNG.normal(size=(3, 6, 9))
    matrices = products(roots, roots.transpose(0, 2, 1))
    right = RNG.normal(size=(6, 2))
    x, log_determinants = solved(matrices, right)
    assert np.allclose(products(matrices, x), right)
    assert np.allclose(log_determinants, np.linalg.slogdet(matrices)[1])


def test_a_root_keeps_equal_rows_equal() -> None:
    rows = RNG.normal(size=(5, 8))[[0, 1, 0, 2, 1]]
    lower = root(products(rows, rows.T))
    assert np.allclose(products(lower, lower.T), products(rows, rows.T))
    assert np.array_equal(lower[0], lower[2])
    assert np.array_equal(lower[1], lower[4])

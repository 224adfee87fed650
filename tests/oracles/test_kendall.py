"""Kendall's τ-b against SciPy's, to the last bit."""

import numpy as np
import pytest
from scipy.stats import kendalltau

import rankscape as rs


@pytest.mark.parametrize("most", [2, 5, 1000])
@pytest.mark.parametrize("n", [2, 3, 20, 500])
def test_tau_is_that_of_scipy(n: int, most: int) -> None:
    rng = np.random.default_rng([n, most])
    for _ in range(20):
        x, y = rng.integers(0, most, (2, n)).astype(np.float64)
        y = np.where(rng.random(n) < 0.5, x, y)
        x[rng.random(n) < 0.02], y[rng.random(n) < 0.02] = np.inf, -0.0
        np.testing.assert_array_equal(rs.kendall_tau(x, y), kendalltau(x, y).statistic)


@pytest.mark.parametrize("sign", [1, -1])
def test_tau_of_the_same_order_is_one(sign: int) -> None:
    x = np.random.default_rng(0).normal(size=1000)
    assert rs.kendall_tau(x, sign * np.exp(x)) == sign

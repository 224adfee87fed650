"""The evaluators of the tasks against scikit-learn, SciPy and loops; the number in brackets is the ratio in its group.

Run ``make bench``.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.metrics import confusion_matrix, mean_absolute_error
from sklearn.metrics.cluster import pair_confusion_matrix

from rankscape import rank
from rankscape.tasks import clustering, multi_class, ranking, regression, retrieval

MANY = 1_000_000


def two_labelings(n: int, k: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, k, (2, n))


def sets(n: int) -> list[set[int]]:
    rng = np.random.default_rng(n)
    cuts = np.cumsum(rng.integers(1, 20, n - 1))
    return [set(part.tolist()) for part in np.split(rng.integers(0, 1000, cuts[-1] + 10), cuts)]


def by_loop(true: np.ndarray, found: np.ndarray) -> list[int]:
    """Count pairs one by one."""
    counts = [0, 0, 0, 0]
    for i, j in combinations(range(len(true)), 2):
        counts[2 * int(true[i] == true[j]) + int(found[i] == found[j])] += 1
    return counts


def mean_over_queries(true: list[set[int]], found: list[set[int]]) -> float:
    """Return the mean of |Y ∩ Ŷ| / |Y ∪ Ŷ|, as one would write it."""
    return float(np.mean([len(y & x) / len(y | x) for y, x in zip(true, found, strict=True) if y | x]))


CASES: dict[str, dict[str, Callable[[], Any]]] = {}
TWO = two_labelings(MANY, 100)
FEW = two_labelings(2000, 10)
CASES["clustering, 1 000 000 elements"] = {
    "scikit-learn": lambda: pair_confusion_matrix(*TWO),
    "rankscape": lambda: clustering.evaluate(*TWO),
}
CASES["clustering, 2000 elements"] = {
    "pair by pair": lambda: by_loop(*FEW),
    "rankscape": lambda: clustering.evaluate(*FEW),
}
CASES["multi-class, 1 000 000 cases, 20 classes"] = {
    "scikit-learn": lambda: confusion_matrix(*(TWO % 20)),
    "rankscape": lambda: multi_class.evaluate(*(TWO % 20)),
}
QUERIES = sets(100_000), sets(100_001)[:100_000]
CASES["retrieval, 100 000 queries"] = {
    "floats in a loop": lambda: mean_over_queries(*QUERIES),
    "rankscape": lambda: retrieval.evaluate(*QUERIES),
}
ORDERS = [np.random.default_rng(seed).permutation(MANY) for seed in (0, 1)]
CASES["ranking, 1 000 000 elements"] = {
    "SciPy": lambda: kendalltau(*ORDERS),
    "rankscape": lambda: ranking.evaluate(*ORDERS),
}
VALUES = np.random.default_rng(0).normal(size=(6, MANY))
CASES["regression, 5 entities, 1 000 000 cases, by MAE"] = {
    "scikit-learn": lambda: [mean_absolute_error(VALUES[0], guess) for guess in VALUES[1:]],
    "rankscape": lambda: rank(regression.evaluate(VALUES[0], VALUES[1:]), by="mae"),
}


@pytest.mark.parametrize(("group", "how"), [(group, how) for group, cases in CASES.items() for how in cases])
def test_evaluators(benchmark: Any, group: str, how: str) -> None:
    benchmark.group = group
    benchmark.pedantic(CASES[group][how], rounds=3)

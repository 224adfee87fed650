"""Weights, groups and policies for gaps are refused where there are no two domains to average over."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankscape as rs

COUNTS = [[40, 10, 18, 32], [45, 5, 30, 20]]
ALONE = rs.Performances.from_counts(COUNTS, names=["a", "b"])
ONE = rs.Performances.from_counts(COUNTS, names=["a", "b"], domains=["g/x"] * 2)
OF_DOMAINS = [rs.domains.roles, rs.domains.mean_of_scores, rs.domains.leave_one_out, rs.domains.worst_case]


@pytest.mark.parametrize("function", [rs.summarize, rs.domains.prepare, rs.report, rs.explore, *OF_DOMAINS])
@pytest.mark.parametrize("option", [{"weights": "size"}, {"weights": {"g/x": 2}}, {"missing": "complete"}])
def test_other_averages_than_that_by_default_need_two_domains(
    function: Callable[..., Any], option: dict[str, Any]
) -> None:
    name = next(iter(option))
    with pytest.raises(rs.UsageError, match=rf"name no domains, so there is nothing to average.*leave out {name}="):
        function(ALONE, **option)
    with pytest.raises(rs.UsageError, match=f"{name}= would change nothing: g/x is the only domain"):
        function(ONE, **option)


def test_groups_need_two_domains() -> None:
    with pytest.raises(rs.UsageError, match="leave out groups="):
        rs.summarize(ALONE, groups={"g/x": "g"})
    with pytest.raises(rs.UsageError, match="groups= would change nothing"):
        rs.summarize(ONE, groups={"g/x": "g"})


def test_the_average_by_default_needs_no_domains() -> None:
    for given in (ALONE, ONE):
        assert np.array_equal(rs.summarize(given, None).mass, rs.summarize(given, "equal").mass)


def test_decide_refuses_weights_without_domains() -> None:
    scores = {"s": [0.1, 0.6, 0.4, 0.9], "u": [0.2, 0.3, 0.8, 0.7]}
    with pytest.raises(rs.UsageError, match="nothing to average"):
        rs.decide([0, 0, 1, 1], scores, costs=rs.costs(miss=3), draws=50, weights="size")

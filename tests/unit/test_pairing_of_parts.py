"""Parts of performances that know which cases their entities share: in any order, paired, and under their own names."""

import numpy as np
import pytest

import rankscape as rs


def performances() -> rs.Performances:
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    return rs.sweep(y, {name: rng.normal(y * d) for name, d in (("a", 0.2), ("b", 2.5), ("c", 0.5))}).at(0.5)


@pytest.mark.parametrize("names", [["b", "a", "c"], ["c", "a"], ["b"]])
def test_draws_of_a_part_are_those_of_its_entities(names: list[str]) -> None:
    P = performances()[names]
    drawn = rs.uncertainty.posterior(P, 200, method="jeffreys")
    assert drawn.names == tuple(names)
    assert drawn.observed.counts.tolist() == P.counts.tolist()
    right = drawn.values[:, :, [0, 3]].sum(axis=2).mean(axis=0)
    seen = P.counts[:, [0, 3]].sum(axis=1) / 400
    assert np.abs(right - seen).max() < 0.05


def test_rank_intervals_of_a_part_are_those_of_the_same_models_alone() -> None:
    whole, part = performances(), performances()[["b", "c", "a"]]
    first, second = (rs.uncertainty.rank_intervals(P, "accuracy", draws=500).table() for P in (whole, part))
    columns = [dict(zip(t["entity"], zip(t["low"], t["high"], strict=True), strict=True)) for t in (first, second)]
    assert columns[0] == columns[1]
    assert rs.uncertainty.rank_intervals(performances()[["c", "a"]], "accuracy", draws=100).paired

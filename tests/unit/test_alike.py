"""Methods that are alike: what they have in common must not make anybody sure of what sets them apart."""

from dataclasses import replace

import numpy as np
import pytest

import rankscape as rs
from rankscape.uncertainty import paired, posterior, rank_intervals
from rankscape.uncertainty.engine import Engine
from rankscape.uncertainty.evidence import evidence_of_counts

GOOD, BAD = 0.9, 0.6
GROUP = [0, 0, 0, 0, 1, 1, 1, 1]


def false_claims(pool_alone, trials=30):
    """Return the share of the trials in which a method is called better than one of its own group of alike ones."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(trials):
        rates = np.where(np.equal(GROUP, 0), GOOD, BAD)
        right = rng.binomial(100, np.stack([rates, rates], axis=1))
        P = rs.Performances.from_counts(np.stack([right[:, 0], 100 - right[:, 0], 100 - right[:, 1], right[:, 1]], 1))
        drawn = posterior(P, 500, rng=0)
        claims = rank_intervals(replace(drawn, apart=None) if pool_alone else drawn, "accuracy").claims
        wrong += bool((claims & np.equal.outer(GROUP, GROUP)).any())
    return wrong / trials


@pytest.mark.nightly
def test_two_groups_of_alike_methods_make_no_false_claims():
    assert false_claims(pool_alone=False) <= 0.15
    assert false_claims(pool_alone=True) > 0.3, "pooling alone would do, and the second look is not needed"


def test_clusters_of_unequal_sizes_are_fewer_than_they_look():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    predicted = {name: np.where(rng.random(400) < 0.8, truth, 1 - truth) for name in "ab"}
    equal = np.arange(400) // 20
    unequal = np.concatenate([np.zeros(305, dtype=int), 1 + np.arange(95) // 5])
    widths = []
    for clusters in (equal, unequal):
        intervals = rank_intervals(paired(truth, predicted, 2000, clusters=clusters, rng=0), "accuracy")
        widths.append(float(np.mean(intervals.value_high - intervals.value_low)))
    assert len(np.unique(equal)) == len(np.unique(unequal)) == 20
    assert widths[1] > 1.3 * widths[0]


def test_an_average_is_as_sure_as_its_domains_of_few_cases():
    counts = [[400, 100, 100, 400], [2, 1, 1, 2], [400, 100, 100, 400], [400, 100, 100, 400]]
    P = rs.Performances.from_counts(counts, names=["a", "a", "b", "b"], domains=["x", "y", "x", "y"])
    engine = Engine(evidence_of_counts(P), "exchangeable", 0)
    few, many = engine._sureness(engine.classes[0])
    assert few == pytest.approx(1 / (0.25 / 501 + 0.25 / 4), rel=0.15)
    assert many == pytest.approx(1002, rel=0.01)


def test_the_masses_of_domains_are_sorted_once():
    counts = np.arange(1, 41).reshape(10, 4)
    P = rs.Performances.from_counts(counts, names=["a", "b"] * 5, domains=np.repeat(list("vwxyz"), 2))
    engine = Engine(evidence_of_counts(P, resample="domains"), "exchangeable", 0)
    assert engine._domain_masses is engine._domain_masses
    first = engine.block(0)
    np.testing.assert_array_equal(first, Engine(engine.evidence, "exchangeable", 0).block(0))


def test_skill_that_several_classes_share_shows_in_the_accuracy(monkeypatch):
    """Each class alone is too small to tell the methods apart, and pooled alone would make them alike."""
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(10), 12)
    predicted = {
        name: np.where(rng.random(120) < share, truth, (truth + rng.integers(1, 10, 120)) % 10)
        for name, share in {"a": 0.85, "b": 0.75, "c": 0.65, "d": 0.55}.items()
    }
    seen = [(predicted[name] == truth).mean() for name in "abcd"]
    together = paired(truth, predicted, 500, rng=0).values[:, :, ::11].sum(axis=2).mean(axis=0)
    monkeypatch.setattr(Engine, "_levelled", lambda *_: None)
    apart = paired(truth, predicted, 500, rng=0).values[:, :, ::11].sum(axis=2).mean(axis=0)
    assert np.ptp(together) == pytest.approx(np.ptp(seen), rel=0.2)
    assert np.ptp(apart) < 0.8 * np.ptp(together)


def test_methods_of_probably_the_same_cases_leave_the_common_level_less_sure():
    """Equal class totals tell of the same cases: hard ones pull all methods down together."""
    same = [[80, 20, 20, 80], [81, 19, 19, 81], [79, 21, 22, 78], [80, 20, 19, 81]]
    other = [[80, 20, 20, 81], [81, 20, 19, 82], [79, 21, 22, 80], [80, 21, 19, 84]]
    widths = []
    for counts in (same, other):
        intervals = rank_intervals(posterior(rs.Performances.from_counts(counts), 4000, rng=0), "accuracy")
        widths.append(float(np.mean(intervals.value_high - intervals.value_low)))
    assert widths[0] > 1.2 * widths[1]

"""Decisions on simulated scores: ranges against deciding anew, weights that are huge numbers, and honest certainty."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

import rankscape as rs
from rankscape._scores import as_score
from rankscape.decisions.decide import CONSTANTS, DrawnCosts, chosen_without, p_cheapest
from rankscape.decisions.sweeps import FoldedModel, folded

LONG = 0.05341782309871234
"""A prior with many digits: cases of the two classes weigh whole numbers of some 60 bits."""


def models(rng, n, number, share=0.3):
    truth = rng.random(n) < share
    return truth, {f"m{k}": truth * rng.uniform(0.3, 1.5) + rng.normal(size=n) for k in range(number)}


def answers_that_differ(seed, tests=12):
    """Decide anew at ratios inside each stretch; return where the answer is another one than stated."""
    rng = np.random.default_rng(seed)
    n, few = int(rng.integers(30, 70)), rng.random() < 0.4
    truth, scores = models(rng, n, int(rng.integers(2, 5)), 0.4)
    if few:
        scores = {name: np.round(score) for name, score in scores.items()}
    prior = None if rng.random() < 0.5 else Fraction(int(rng.integers(1, 20)), 20)
    domains = np.array(["x", "y"])[rng.integers(0, 2, n)] if rng.random() < 0.4 else None
    sweeps = rs.sweep(truth, scores, domains=domains)

    def decide(ratio):
        return rs.decide(sweeps, costs=rs.costs(miss=ratio), prior=prior, folds=3, rng=seed, draws=0)

    decision = decide(Fraction(int(rng.integers(1, 60)), 7))
    wrong = []
    for k in rng.permutation(len(decision.answers))[:tests]:
        low, high, name = decision.answers[k]
        middle = low + (min(high, 3 * low + 10) - low) * 0.4142
        again = decide(Fraction(middle))
        if name in CONSTANTS:
            if again.threshold != (inf, -inf)[CONSTANTS.index(name)]:
                wrong.append((seed, middle, name, again.threshold))
            continue
        points = {each.entity: sweeps.sweep(each.entity, prior).at(each.threshold) for each in again.candidates}
        spent = {each: float(again.costs.expected(point)[0]) for each, point in points.items()}
        if again.entity != name and spent[name] > spent[again.entity] + 1e-12:
            wrong.append((seed, middle, name, again.entity))
    return wrong


@pytest.mark.some(3)
@pytest.mark.parametrize("seed", range(8))
def test_answers_are_those_of_deciding_anew(seed):
    assert answers_that_differ(seed) == []


def test_models_whose_estimates_tie_are_chosen_alike_at_every_ratio():
    assert answers_that_differ(202) == []


@pytest.mark.nightly
def test_answers_are_those_of_deciding_anew_on_many_sets():
    assert [wrong for seed in range(100, 400) for wrong in answers_that_differ(seed)] == []


def test_where_all_models_cost_the_same_the_chosen_one_keeps_its_range():
    truth = np.arange(60) % 3 == 0
    scores = {"a": np.tile([0.0, 1.0], 30), "b": np.where(truth, 1.0, 0.0)}
    for names in ("ab", "ba"):
        decision = rs.decide(truth, {name: scores[name] for name in names}, costs=rs.costs(miss=2), draws=0)
        assert (decision.entity, decision.ratio_range) == ("b", (0.0, inf))


@pytest.mark.parametrize("n", [200, 1500])
def test_a_prior_with_many_digits_overflows_nowhere(n):
    truth, scores = models(np.random.default_rng(n), n, 3, 0.1)
    sweeps = rs.sweep(truth, scores)
    decision, near = (rs.decide(sweeps, costs=rs.costs(miss=20), prior=p, draws=100) for p in (LONG, 0.0534))
    assert decision.entity == near.entity
    assert decision.cost == pytest.approx(near.cost, rel=0.01)


def test_sums_over_folds_that_fit_one_by_one_are_exact_together():
    sweeps = rs.sweep(np.array([0, 1] * 6), {"a": np.arange(12.0)})
    model = FoldedModel(sweeps.models[0], np.arange(12) // 4, 3, [(1, 2**60)])
    assert model.total == 6 * 2**60 + 6
    assert model.subset(frozenset(range(3)))[1][-1] == 6 * 2**60


def test_a_fold_without_positives_takes_huge_weights():
    truth = np.array([0, 0, 0, 0] + [0, 1] * 4)
    sweeps = rs.sweep(truth, {"a": np.arange(12.0)})
    model = FoldedModel(sweeps.models[0], np.arange(12) // 4, 3, [(1, 2**70)])
    assert [int(tp[-1]) for _, tp in model.sums] == [0, 2 * 2**70, 2 * 2**70]


@pytest.mark.nightly
def test_of_alike_models_none_is_stated_as_surely_the_cheapest():
    stated = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        truth = rng.random(300) < 0.2
        scores = {name: 1.5 * truth + rng.normal(size=300) for name in "abcd"}
        stated.append(rs.decide(truth, scores, costs=rs.costs(miss=4), draws=100).p_cheapest)
    assert np.mean(stated) < 0.55


def test_p_cheapest_adds_up_and_knows_no_order_of_the_models():
    rng = np.random.default_rng(0)
    drawn = DrawnCosts(("a", "b", "c"), np.array([1.0, 1.1, 2.0]), rng.normal([1, 1.1, 2], 0.1, size=(500, 3)))
    sure = p_cheapest(drawn, {"a": 0.0, "b": 0.0, "c": 0.0}, 0)
    assert sure == p_cheapest(drawn, {"c": 0.0, "a": 0.0, "b": 0.0}, 0)
    assert sum(sure.values()) == pytest.approx(1)
    assert 0.5 < sure["a"] < 0.8
    assert sure["c"] < 0.01
    assert p_cheapest(drawn, {"a": 0.0}, 0) is None


def test_models_that_never_differ_share_the_first_place():
    draws = np.random.default_rng(0).normal(1, 0.1, size=(200, 1)).repeat(2, axis=1)
    assert p_cheapest(DrawnCosts(("a", "b"), np.ones(2), draws), {"a": 0.0, "b": 0.0}, 0) == {"a": 0.5, "b": 0.5}


def test_an_interval_of_a_cost_stays_within_what_a_case_can_cost():
    truth = np.array([0] * 30 + [1] * 10)
    decision = rs.decide(truth, {"a": np.arange(40.0), "b": -np.arange(40.0)}, costs=rs.costs(miss=5))
    assert decision.cost_interval[0] >= 0


def test_a_choice_inside_the_folds_judges_each_fold_without_it(monkeypatch):
    sweeps = rs.sweep(np.arange(60) % 3 == 0, {"a": np.arange(60) % 7, "b": np.arange(60) % 11})
    costs = rs.costs(miss=3)
    cases = folded(sweeps, 5, 0)
    asked = []
    place = FoldedModel.place
    monkeypatch.setattr(
        FoldedModel, "place", lambda self, folds, score: asked.append(folds) or place(self, folds, score)
    )
    chosen_without(cases, 2, as_score(costs), costs)
    rest = frozenset({0, 1, 3, 4})
    assert set(asked) == {rest, *(rest - {judge} for judge in rest)}


def test_models_that_cost_the_same_in_every_draw_share_p_cheapest():
    """Not what rounding leaves of their differences, which a square root makes as large as 1e-8."""
    draws = np.repeat(np.random.default_rng(0).random((100, 1)), 3, axis=1)
    for number, expected in (([0.0, 0.0, 0.0], [1 / 3] * 3), ([0.2, 0.1, 0.3], [0, 1, 0])):
        columns = DrawnCosts(("a", "b", "c"), np.array(number), draws + number)
        assert list(p_cheapest(columns, list("abc"), 0).values()) == pytest.approx(expected)

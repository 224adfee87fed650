"""Of two models on the same queries or graded cases, P(first) and the gate agree as far as they should."""

import numpy as np
import pytest

import rankscape as rs

QUERIES = 50


def of_queries(rates):
    rates = np.asarray(rates, dtype=float).ravel()
    mass = np.stack([(1 - rates) / 2, (1 - rates) / 2, rates], axis=1)
    domains = np.repeat(np.arange(len(rates) // 2), 2)
    return rs.Performances.from_probabilities(
        mass, names=["new", "old"] * (len(rates) // 2), domains=domains, space=rs.tasks.retrieval.SPACE
    )


def test_small_differences_that_all_units_share_are_believed():
    ease, gain = np.linspace(0.1, 0.9, QUERIES), 0.01 * np.cos(np.arange(QUERIES)) + 0.0025
    rates = np.stack([ease + gain, ease], axis=1)
    P = rs.cases({"new": rates[:, 0], "old": rates[:, 1]}, correct=["new", "old"]).performances
    drawn = rs.uncertainty.rank_intervals(of_queries(rates), "f1", resample="domains")
    for p in (rs.uncertainty.rank_intervals(P).p_first[0], drawn.p_first[0]):
        assert 0.95 < p < 0.995
    assert 0.95 < rs.gate(P["new"], P["old"]).probability < 1


@pytest.mark.parametrize(("wins", "verdict"), [(1, "undecided"), (2, "undecided"), (8, "pass")])
def test_the_gate_on_other_queries_needs_several_on_which_they_differ(wins, verdict):
    rates = np.repeat(np.arange(20) % 2, 2).reshape(20, 2).astype(float)
    rates[np.flatnonzero(rates[:, 0] == 0)[:wins], 0] = 1
    P = of_queries(rates)
    decision = rs.gate(P["new"], P["old"], "beta = 1", resample="domains")
    assert decision.verdict == verdict
    first = rs.uncertainty.rank_intervals(P, "f1", resample="domains").p_first[0]
    assert first == decision.probability > 0.5
    assert rs.gate(P["old"], P["new"], "beta = 1", resample="domains").verdict == {"pass": "worse"}.get(
        verdict, verdict
    )


@pytest.mark.parametrize(("wins", "most"), [(1, 0.7), (3, 0.87)])
def test_grades_that_differ_on_few_cases_say_little_of_how_alike_models_are(wins, most):
    old = np.where(np.arange(20) % 2, 0.75, 0.25)
    new = old.copy()
    new[np.flatnonzero(old < 0.5)[:wins]] = 0.75
    P = rs.cases({"new": new, "old": old}, correct=["new", "old"]).performances
    assert 0.55 < rs.uncertainty.rank_intervals(P).p_first[0] < most

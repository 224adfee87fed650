"""The axioms of ranking on a finite set, for any comparison: the module beside the scripts of the papers."""

from fractions import Fraction
from itertools import product
from types import ModuleType

import numpy as np
import pytest

import rankscape as rs
from rankscape.soundness.verdict import mixture

SCRIPT = "axioms"


def test_the_axioms_hold_for_a_ranking_score_and_fail_for_others(script: ModuleType) -> None:
    P = rs.Performances.from_counts([[16, 0, 4, 0], [0, 16, 0, 4], [5, 5, 5, 5], [8, 1, 0, 1], [0, 3, 2, 0]])
    assert script.check_axioms(P, "accuracy").holds
    assert script.check_axioms(P, [1, 2, 3, 4]).holds
    gm = script.check_axioms(P[:2], "gmean")
    assert gm.preorder
    assert gm.axiom2.holds
    assert not gm.axiom3.holds
    assert gm.axiom3.witness[:2] == (0, 1)
    P = rs.Performances.from_counts([[16, 0, 4, 0], [0, 0, 0, 3], [5, 5, 5, 5]])
    wrong = script.check_axioms(P, "ptn")
    assert not wrong.axiom2.holds
    i, j = wrong.axiom2.witness
    assert P.counts[i, 0] / P.counts[i].sum() > P.counts[j, 0] / P.counts[j].sum()
    assert "axiom2" in repr(wrong)


def test_a_comparison_that_is_no_preorder(script: ModuleType) -> None:
    P = rs.Performances.from_counts([[3, 1, 0, 0], [2, 1, 1, 0], [2, 0, 2, 0]])

    def close(first: rs.Performances, second: rs.Performances) -> bool:  # equal within a tolerance: not transitive
        return bool(abs(first.mass - second.mass).max() <= 0.26)

    checked = script.check_axioms(P, close)
    assert checked.reflexive.holds
    assert not checked.transitive.holds
    assert not checked.preorder
    assert checked.transitive.witness == (0, 1, 2)
    nobody = script.check_axioms(P, lambda first, second: False)
    assert not nobody.reflexive.holds
    assert set(nobody.relations.ravel()) == {"incomparable"}


def test_any_phi_and_any_space(script: ModuleType) -> None:
    space = rs.SampleSpace("three", ("bad", "fair", "good"), (0.0, 0.5, 1.0))
    P = rs.Performances.from_counts([[1, 0, 0], [0, 1, 0], [1, 0, 1]], space=space)
    assert script.check_axioms(P, [1, 1, 1]).holds

    def with_luck(pair: rs.Performances) -> rs.Performances:  # an operation that makes something of nothing
        return rs.Performances.from_counts([[0, 0, 1]], space=space)

    assert not script.check_axioms(P, [1, 1, 1], combine=with_luck).axiom3.holds


def test_the_four_relations(script: ModuleType) -> None:
    P = rs.Performances.from_counts([[0, 1, 1, 2], [2, 0, 2, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 5, 0]])
    said = script.check_axioms(P, "precision").relations
    assert said[0].tolist() == ["equivalent", "incomparable", "incomparable", "better", "better"]
    assert said[1].tolist() == ["incomparable", "equivalent", "equivalent", "incomparable", "incomparable"]
    assert (
        script.at_most(P, "precision")
        == script.at_most(P, lambda p, q: rs.compare(p, q, by="precision") in ("worse", "equivalent"))
    ).all()


def test_too_many_for_the_check(script: ModuleType) -> None:
    with pytest.raises(rs.UsageError, match="at most 60"):
        script.check_axioms(rs.soundness.PerformanceSet().lattice()[:61], "f1")


def test_mixtures_and_transitivity(script: ModuleType) -> None:
    P = rs.Performances.from_counts([[1, 0, 0, 0], [0, 0, 0, 2]])
    assert sorted(script.mixtures(P).mass[:, 0].tolist()) == [0.25, 0.5, 0.75]
    assert mixture((1, 0, 0, 0), (0, 0, 0, 2), Fraction(1, 4)) == (1, 0, 0, 3)
    assert script.intransitive(np.eye(3, dtype=bool)) is None


def test_of_64_patterns_29_are_transitive(script: ModuleType) -> None:  # Foundations, A.3.3
    off = [(i, j) for i in range(3) for j in range(3) if i != j]
    cases = set()
    for pattern in product((False, True), repeat=6):
        matrix = np.eye(3, dtype=bool)
        for at, value in zip(off, pattern, strict=True):
            matrix[at] = value
        if script.intransitive(matrix) is None:
            words = script.named(matrix)
            cases.add((words[0, 1], words[1, 2], words[0, 2]))
    assert len(cases) == 29
    assert ("better", "better", "worse") not in cases
    assert ("incomparable", "better", "worse") not in cases
    assert ("incomparable", "equivalent", "incomparable") in cases

"""What every ranking keeps, and what unsound scores break, with counterexamples that anybody can check by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape._scores.catalogue import ROWS

COUNT = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1000))
ROW = st.tuples(COUNT, COUNT, COUNT, COUNT).filter(any)
ONE_HOT = st.sampled_from([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)])
MULTIPLE = st.builds(lambda row, k: tuple(k * x for x in row), ROW, st.integers(1, 7))
ROWS_TO_RANK = st.lists(st.one_of(ROW, ONE_HOT, MULTIPLE), min_size=2, max_size=7)
PREFERENCE = st.tuples(*[st.integers(0, 9)] * 4).filter(lambda w: w[0] + w[3] and w[1] + w[2])
ALWAYS_SOUND = [row.key for row in ROWS if (row.importance or row.orders_as) and not row.parameters]
NAMED = [row.key for row in ROWS if row.direction and not row.parameters]


def exact(row: tuple, importance: tuple) -> Fraction | None:
    earned = importance[0] * row[0] + importance[3] * row[3]
    due = earned + importance[1] * row[1] + importance[2] * row[2]
    return Fraction(earned, due) if due else None


@given(ROWS_TO_RANK, PREFERENCE)
def test_ranks_are_those_of_the_exact_values(rows: list, importance: tuple) -> None:
    ranking = rs.rank(rs.Performances.from_counts(rows), by=importance)
    values = [exact(row, importance) for row in rows]
    for value, rank, (low, high) in zip(values, ranking.ranks, ranking.bounds, strict=True):
        if value is None:
            assert np.isnan([rank, low, high]).all()
        else:
            assert low == rank == 1 + sum(v is not None and v > value for v in values)
            assert high == sum(v is not None and v >= value for v in values)


@given(ROWS_TO_RANK, st.sampled_from(NAMED))
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_removing_an_entity_never_swaps_two_others(rows: list, name: str) -> None:  # Axiom 1
    P = rs.Performances.from_counts(rows)
    whole = rs.rank(P, by=name).ranks[:-1]
    part = rs.rank(P[:-1], by=name).ranks
    assert (np.isnan(whole) == np.isnan(part)).all()
    for i in range(len(part)):
        for j in range(len(part)):
            if not np.isnan([part[i], part[j]]).any():
                assert np.sign(whole[i] - whole[j]) == np.sign(part[i] - part[j])


@given(ROWS_TO_RANK, st.sampled_from(NAMED))
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_compare_and_rank_agree(rows: list, name: str) -> None:
    P = rs.Performances.from_counts(rows[:2])
    ranks, said = rs.rank(P, by=name).ranks, rs.compare(P[0], P[1], by=name)
    if np.isnan(ranks).any():
        assert said in ("incomparable", "equivalent")
    else:
        assert said == {-1: "better", 0: "equivalent", 1: "worse"}[int(np.sign(ranks[0] - ranks[1]))]


@given(ROWS_TO_RANK, st.sampled_from(ALWAYS_SOUND), st.lists(st.integers(0, 5), min_size=7, max_size=7))
def test_a_mixture_is_never_outside_what_it_mixes(rows: list, name: str, weights: list) -> None:  # Axiom 3
    P = rs.Performances.from_counts(rows)
    weights = [w + 1 for w in weights[: len(rows)]]
    mixture = P.mix(weights)
    X = rs.score(name)
    if np.isnan(X(P)).any():
        return
    assert not np.isnan(X(mixture)).any()  # the domain is closed under mixing
    said = [rs.compare(mixture[0], p, by=name) for p in P]
    assert any(word in ("better", "equivalent") for word in said)
    assert any(word in ("worse", "equivalent") for word in said)


@given(st.tuples(COUNT, COUNT), st.tuples(COUNT, COUNT), st.sampled_from(ALWAYS_SOUND))
def test_always_satisfied_is_not_worse_than_never_satisfied(right: tuple, wrong: tuple, name: str) -> None:  # Axiom 2
    if not any(right) or not any(wrong):
        return
    P = rs.Performances.from_counts([[right[0], 0, 0, right[1]], [0, wrong[0], wrong[1], 0]])
    assert rs.compare(P[0], P[1], by=name) in ("better", "incomparable")


@pytest.mark.parametrize(("id_", "name", "first", "second", "values"), [
    ("axiom-1", "FMI", [0, 0, 9, 1], [0, 9, 0, 1], [0.31622776601683794, 0.31622776601683794, 0.18181818181818182]),
    ("axiom-2", "geometric mean", [16, 0, 4, 0], [0, 16, 0, 4], [0, 0, 0.5]),
    ("axiom-3", "MCC", [10, 0, 9, 1], [1, 9, 0, 10], [0.2294157338705618, 0.2294157338705618, 0.10000000000000003]),
    ("axiom-4", "markedness", [9, 1, 10, 0], [0, 10, 1, 9], [-0.5263157894736842, -0.5263157894736842, -0.09999999999999998]),
])  # fmt: skip
def test_unsound_scores_break_axiom_3(id_: str, name: str, first: list, second: list, values: list) -> None:
    P = rs.Performances.from_counts([first, second])
    mixture = P.mix()
    X = rs.score(name)
    assert [*X(P), *X(mixture)] == pytest.approx(values, abs=1e-12)
    assert X.sound == ("fixed prediction rates" if name == "markedness" else "never")
    outside = {rs.compare(mixture[0], p, by=name) for p in P}
    assert outside in ({"better"}, {"worse"})


@given(ROWS_TO_RANK)
def test_scores_of_one_place_order_alike(rows: list) -> None:
    P = rs.Performances.from_counts(rows)
    for one, other in (("f1", "jaccard"), ("accuracy", "bennett"), ("tpr", "fnr"), ("ppv", "fdr")):
        assert rs.rank(P, by=one).ranks.tolist() == pytest.approx(rs.rank(P, by=other).ranks.tolist(), nan_ok=True)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60)), min_size=2, max_size=6))
def test_scores_placed_at_a_fixed_prior_order_as_the_ranking_score_there(points: list) -> None:
    P = rs.Performances.from_counts([[60 - fp, fp, 40 - tp, tp] for tp, fp in points])
    for row in ROWS:
        if row.place is None or row.parameters:
            continue
        X = rs.score(row.key)
        ranks = rs.rank(P, by=X).ranks
        expected = rs.rank(P, by=rs.at(*X.exact_place(Fraction(2, 5)))).ranks
        defined = ~np.isnan(ranks) & ~np.isnan(expected)
        if defined.all():
            assert ranks.tolist() == expected.tolist(), row.key

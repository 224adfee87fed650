"""The axioms hold for the ranking scores of every task, and what must not change a ranking does not."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.tasks import clustering, detection, multi_class, ranking, regression, retrieval

THREE = multi_class.space(["a", "b", "c"])
GRADED = multi_class.space(["a", "b", "c"], similarity=[[1, 0.5, -1], [0, 1, 0.25], [0, 0.5, 2]])
SPACES = [THREE, GRADED, retrieval.SPACE, retrieval.SPACE_WITH_NONE, detection.SPACE, ranking.SPACE, clustering.SPACE]
OF_CLASS = [f"{score}({label})" for score in multi_class.OF_ONE_CLASS for label in "abc"]
COUNT = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1000))


@st.composite
def ranked(draw: Callable[..., Any]) -> tuple[rs.Performances, Any]:
    """Performances of a task, some of them equal or with one outcome only, and a ranking score."""
    space = draw(st.sampled_from(SPACES))
    row = st.lists(COUNT, min_size=len(space), max_size=len(space)).filter(any)
    one_hot = st.integers(0, len(space) - 1).map(lambda i: [int(i == j) for j in range(len(space))])
    rows = draw(st.lists(st.one_of(row, one_hot), min_size=2, max_size=5))
    names = [*space.scores, *(OF_CLASS if space is THREE else [])]
    weights = st.lists(st.integers(0, 9), min_size=len(space), max_size=len(space)).filter(any)
    by = draw(st.one_of(st.sampled_from(names), weights) if names else weights)
    return rs.Performances.from_counts(rows, space=space), by


def exact(P: rs.Performances, by: Any) -> list[Fraction | None]:
    """The ranking score of every row, from its definition."""
    importance = rs.score(by, P.space).importance if isinstance(by, str) else [Fraction(w) for w in by]
    out = []
    for row in P.integers.tolist():
        due = sum(w * p for w, p in zip(importance, row, strict=True))
        earned = sum(w * p * Fraction(s) for w, p, s in zip(importance, row, P.space.satisfaction, strict=True))
        out.append(earned / due if due else None)
    return out


@given(ranked())
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")  # importances that make a score constant
def test_ranks_are_those_of_the_definition(case: tuple[rs.Performances, Any]) -> None:  # Axiom 1
    P, by = case
    found, values = rs.rank(P, by=by), exact(P, by)
    for value, rank, (low, high) in zip(values, found.ranks, found.bounds, strict=True):
        if value is None:
            assert np.isnan([rank, low, high]).all()
        else:
            assert rank == low == 1 + sum(v is not None and v > value for v in values)
            assert high == sum(v is not None and v >= value for v in values)
    importance = rs.score(by, P.space).importance if isinstance(by, str) else by
    floats = rs.ranking_score(P, [float(w) for w in importance])
    assert floats == pytest.approx([np.nan if v is None else float(v) for v in values], nan_ok=True)


@given(ranked(), st.data())
def test_who_surely_satisfies_less_is_not_better(case: tuple[rs.Performances, Any], data: Any) -> None:  # Axiom 2
    P, by = case
    satisfaction = np.array(P.space.satisfaction)
    level = data.draw(st.sampled_from(sorted(set(P.space.satisfaction))))
    weak, strong = (P.counts[i] * side for i, side in ((0, satisfaction <= level), (1, satisfaction >= level)))
    assume(weak.any() and strong.any())
    two = rs.Performances.from_counts([weak, strong], space=P.space)
    assert rs.compare(two[0], two[1], by=by) != "better"


@given(ranked(), st.lists(st.integers(1, 6), min_size=5, max_size=5))
def test_a_mixture_is_between_what_it_mixes(case: tuple[rs.Performances, Any], weights: list[int]) -> None:  # Axiom 3
    P, by = case
    if None in exact(P, by):
        return
    assume(not P.nothing_to_find.any())  # such entities were not tried on the same
    mixture = P.mix(weights[: len(P)])
    assert exact(mixture, by)[0] is not None  # the domain is closed under mixing
    said = {rs.compare(mixture[0], p, by=by) for p in P}
    assert said & {"better", "equivalent"}
    assert said & {"worse", "equivalent"}


# ---- regression: the same, for measures that are not finite

NUMBER = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6))
ROWS = st.integers(1, 4).flatmap(lambda m: st.lists(st.lists(NUMBER, min_size=m, max_size=m), min_size=3, max_size=5))
BY = st.sampled_from(["mae", "mse", "rmse", "within(1)", regression.criterion("mae", importance=np.abs)])


@given(ROWS, BY)
def test_regressors_are_ranked_exactly(rows: list[list[float]], by: Any) -> None:
    truth, *guesses = rows
    R = regression.evaluate(truth, guesses)
    chosen = regression.criterion(by)
    weight = [Fraction(abs(y)) if chosen.importance else Fraction(1) for y in truth]

    def error(guess: list[float]) -> Fraction:
        gaps = [abs(Fraction(y) - Fraction(x)) for x, y in zip(truth, guess, strict=True)]
        if chosen.kind == "within":
            gaps = [Fraction(int(gap > 1)) for gap in gaps]
        return sum(
            w * (gap if chosen.kind in ("absolute", "within") else gap**2) for w, gap in zip(weight, gaps, strict=True)
        )

    found = rs.rank(R, by=by).ranks.tolist()
    if not any(weight):
        assert np.isnan(found).all()
        return
    errors = [error(guess) for guess in guesses]
    assert found == [1 + sum(other < mine for other in errors) for mine in errors]
    said = rs.compare(R[0], R[1], by=by)
    assert said == {-1: "better", 0: "equivalent", 1: "worse"}[(errors[0] > errors[1]) - (errors[0] < errors[1])]


@given(ROWS, BY, st.lists(st.integers(1, 5), min_size=4, max_size=4))
def test_a_mixture_of_regressors_is_between_them(rows: list[list[float]], by: Any, weights: list[int]) -> None:
    truth, *guesses = rows
    R = regression.evaluate(truth, guesses)
    shares = np.repeat(weights[: len(R)], len(truth))  # choosing a regressor at random, by these weights
    mixture = regression.evaluate(np.tile(truth, len(R)), np.ravel(guesses), sample_weight=shares)
    said = {rs.compare(mixture, one, by=by) for one in R}
    if "incomparable" not in said:
        assert said & {"better", "equivalent"}
        assert said & {"worse", "equivalent"}


# ---- averages over classes

MATRIX = st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(any)
MICRO = st.sampled_from(["f1", "precision", "recall", "tnr", "npv", "jaccard", "f2", "accuracy"])


@given(st.lists(MATRIX, min_size=2, max_size=4), MICRO)
@pytest.mark.filterwarnings("ignore:.*orders as the accuracy:UserWarning")
def test_micro_averages_order_as_accuracy(rows: list[list[int]], name: str) -> None:
    P = rs.Performances.from_counts(rows, space=THREE)
    by_accuracy, values = rs.rank(P, by="accuracy"), rs.score(f"{name}_micro", THREE)(P)
    assert rs.rank(P, by=f"{name}_micro").ranks.tolist() == by_accuracy.ranks.tolist()
    for i in range(len(P)):
        for j in range(len(P)):
            if by_accuracy.ranks[i] < by_accuracy.ranks[j]:
                assert values[i] > values[j]


# ---- what does not change what is counted

LABELS = st.integers(2, 12).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2))


@given(LABELS, st.permutations(range(5)), st.randoms())
def test_clusters_have_no_names_and_elements_no_order(labels: Any, renamed: list[int], random: Any) -> None:
    true, found = labels
    counts = clustering.evaluate(true, found).counts.tolist()
    assert clustering.evaluate(true, [renamed[label] for label in found]).counts.tolist() == counts
    pairs = list(zip(true, found, strict=True))
    random.shuffle(pairs)
    assert clustering.evaluate(*zip(*pairs, strict=True)).counts.tolist() == counts
    swapped = clustering.evaluate(found, true).swap_truth_and_prediction()
    assert swapped.counts.tolist() == counts


@given(LABELS)
def test_rankings_are_counted_pair_by_pair(labels: Any) -> None:
    true, found = labels
    pairs = [(i, j) for i in range(len(true)) for j in range(i)]
    signs = [int(np.sign(true[i] - true[j]) * np.sign(found[i] - found[j])) for i, j in pairs]
    split = signs.count(0)
    expected = [[2 * signs.count(-1) + split, 2 * signs.count(1) + split]]
    assert ranking.evaluate(true, found, ties="split").counts.tolist() == expected
    turned = ranking.evaluate(true, [-x for x in found], ties="split").counts.tolist()
    assert turned == [expected[0][::-1]]


def drawn_result(queries: list[tuple[set[str], list[set[str]]]], chosen: list[Fraction]) -> list[Fraction]:
    """The outcomes fp, fn, tp of the experiment of foundations A.2.3, of systems chosen at random, by enumeration."""
    ends = [Fraction(0)] * 3
    for true, predicted in queries:
        for probability, found in zip(chosen, predicted, strict=True):
            results = true | found
            for result in results:  # none: the experiment restarts
                place = 0 if result not in true else 2 if result in found else 1
                ends[place] += probability / (len(queries) * len(results))
    return [end / sum(ends) for end in ends]


@pytest.mark.parametrize("seed", range(30))
def test_combined_retrieval_systems_weigh_as_often_as_they_do_not_restart(seed: int) -> None:
    random = Random(seed)
    least = seed % 2  # so much, at least, every query has to be found
    sets = [[set(random.sample("abcde", random.randint(low, 3))) for low in (least, 0, 0)] for _ in range(4)]
    queries = [(true, predicted) for true, *predicted in sets] + [({"a"}, [{"b"}, set()])]
    rates = [Fraction(sum(bool(true | found[i]) for true, found in queries), len(queries)) for i in (0, 1)]
    alone = [drawn_result(queries, [Fraction(1 - i), Fraction(i)]) for i in (0, 1)]
    for k in range(1, 5):
        mu = [Fraction(k, 5), 1 - Fraction(k, 5)]
        weights = [m / rate for m, rate in zip(mu, rates, strict=True)]
        chosen = [weight / sum(weights) for weight in weights]
        mixed = [mu[0] * x + mu[1] * y for x, y in zip(*alone, strict=True)]
        assert drawn_result(queries, chosen) == mixed  # any mixture is achievable
        assert (chosen == mu) == (rates[0] == rates[1])
    assert not least or rates == [1, 1]

"""Evaluators of every task: what they count, against scikit-learn, SciPy and naive loops, and what they refuse."""

import re
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import kendalltau
from sklearn import metrics

import rankscape as rs
from rankscape import DataError, UnknownScoreError, UsageError
from rankscape.tasks import clustering, detection, multi_class, ranking, regression, retrieval, success, two_class
from rankscape.tasks.detection import greedy, optimal, overlaps

RNG = np.random.default_rng(5)
TRUTH = RNG.choice(["cat", "dog", "fox", "owl"], 300, p=[0.5, 0.3, 0.15, 0.05])
GUESSES = {name: np.where(RNG.random(300) < p, TRUTH, RNG.permutation(TRUTH)) for name, p in (("a", 0.4), ("b", 0.7))}
P = multi_class.evaluate(TRUTH, GUESSES)


# ---- two classes


def test_a_view_orders_satisfying_outcomes_first_and_last() -> None:
    space = rs.SampleSpace("coins", ("w", "x", "y", "z"), satisfaction=(0.0, 1.0, 0.0, 1.0))
    view = two_class.as_two_class(rs.Performances.from_counts([[1, 2, 3, 4]], space=space))
    assert view.counts.tolist() == [[2, 1, 3, 4]]
    assert view.space.outcomes == rs.TWO_CLASS.outcomes
    assert view.common_prior() is None
    graded = rs.SampleSpace("graded", ("a", "b", "c", "d"), satisfaction=(0.0, 0.5, 0.5, 1.0))
    with pytest.raises(UsageError, match="the Tile is defined for two-class .* not for graded"):
        rs.tile.entity(rs.Performances.from_counts([[1, 2, 3, 4]], space=graded))


# ---- several classes


def test_multi_class_counts_are_the_confusion_matrix() -> None:
    for i, guess in enumerate(GUESSES.values()):
        assert P.counts[i].reshape(4, 4).tolist() == metrics.confusion_matrix(TRUTH, guess).tolist()
    matrices = {name: metrics.confusion_matrix(TRUTH, guess) for name, guess in GUESSES.items()}
    again = multi_class.from_confusion_matrix(matrices, labels=multi_class.classes(P))
    assert again.counts.tolist() == P.counts.tolist()
    assert again.space == P.space
    assert again.names == ("a", "b")
    shares = multi_class.from_confusion_matrix(metrics.confusion_matrix(TRUTH, GUESSES["a"], normalize="all"))
    assert shares.mass[0] == pytest.approx(P.mass[0])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_predictions_come_in_data_frames(frame: Callable[[Any], Any]) -> None:
    assert multi_class.evaluate(TRUTH, frame(GUESSES)).counts.tolist() == P.counts.tolist()
    assert multi_class.evaluate(pd.Series(TRUTH), pd.DataFrame(GUESSES)).names == ("a", "b")


def test_weights_of_cases_are_counts_where_they_are_whole() -> None:
    weight = RNG.integers(0, 4, 300)
    weighted = multi_class.evaluate(TRUTH, GUESSES, sample_weight=weight)
    expected = metrics.confusion_matrix(TRUTH, GUESSES["b"], sample_weight=weight)
    assert weighted.counts[1].reshape(4, 4).tolist() == expected.tolist()
    halves = multi_class.evaluate(TRUTH, GUESSES, sample_weight=weight / 8)
    assert halves.counts is None
    assert halves.mass == pytest.approx(weighted.mass)


@pytest.mark.parametrize("i", [0, 1])
def test_multi_class_scores_agree_with_scikit_learn(i: int) -> None:
    guess = list(GUESSES.values())[i]

    def value(name: str) -> float:
        return float(rs.score(name, P.space)(P)[i])

    assert value("accuracy") == pytest.approx(metrics.accuracy_score(TRUTH, guess))
    assert value("balanced accuracy") == pytest.approx(metrics.balanced_accuracy_score(TRUTH, guess))
    for name, function in (
        ("recall", metrics.recall_score),
        ("precision", metrics.precision_score),
        ("f1", metrics.f1_score),
        ("jaccard", metrics.jaccard_score),
    ):
        by_class = function(TRUTH, guess, average=None)
        for k, label in enumerate(multi_class.classes(P)):
            assert value(f"{name}({label})") == pytest.approx(by_class[k])
            assert rs.score(name)(multi_class.one_vs_rest(P, label))[i] == pytest.approx(by_class[k])
        for average in ("macro", "micro", "weighted"):
            assert value(f"{name}_{average}") == pytest.approx(function(TRUTH, guess, average=average))


def test_one_vs_rest_is_the_multilabel_confusion_matrix() -> None:
    expected = metrics.multilabel_confusion_matrix(TRUTH, GUESSES["b"])
    for k, label in enumerate(multi_class.classes(P)):
        view = multi_class.one_vs_rest(P, label)
        assert view.counts[1].tolist() == expected[k].ravel().tolist()
        assert view.integers[1].tolist() == expected[k].ravel().tolist()
        assert rs.tile.entity(view, resolution=5).sets


def test_importance_per_class_and_per_pair() -> None:
    space = multi_class.space(["a", "b", "c"])
    assert multi_class.importance(space, [1, 2, 3]).tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert multi_class.importance(space, np.arange(9).reshape(3, 3)).tolist() == list(range(9))
    assert multi_class.importance(space, {("c", "a"): 7, "c": 5}, default=0).tolist() == [0] * 6 + [7, 5, 5]
    weighted = rs.ranking_score(P, multi_class.importance(P, {"owl": 9}))
    cases = np.where(TRUTH == "owl", 9, 1)
    assert weighted[0] == pytest.approx(metrics.accuracy_score(TRUTH, GUESSES["a"], sample_weight=cases))


def test_a_similarity_is_the_satisfaction() -> None:
    similarity = np.eye(4)
    similarity[0, 1], similarity[1, 0] = 0.5, 0.25
    S = multi_class.evaluate(TRUTH, GUESSES, similarity=similarity)
    code = np.unique(TRUTH, return_inverse=True)[1]
    guess = np.unique(GUESSES["a"], return_inverse=True)[1]
    assert rs.score("expected similarity", S.space)(S)[0] == pytest.approx(similarity[code, guess].mean())
    assert rs.rank(S, by="expected similarity").exact
    with pytest.raises(
        UsageError, match="f1_macro counts classes as right or wrong; here satisfaction is a similarity"
    ):
        rs.rank(S, by="f1_macro")


def test_averages_over_classes_come_with_a_warning_and_its_reason() -> None:
    for name in ("f1_macro", "precision macro", "tnr_macro", "jaccard_weighted", "mcc_macro"):
        with pytest.warns(rs.UnsoundScoreWarning, match=f"{name} is not sound for ranking: averaged over classes"):
            assert rs.rank(P, by=name).caution
    for name in ("f1_micro", "precision_micro", "tnr_micro", "recall_weighted", "accuracy_macro"):
        with pytest.warns(UserWarning, match=f"{name} orders as the accuracy, under another name") as caught:
            named = rs.rank(P, by=name)
        assert not any(issubclass(w.category, rs.UnsoundScoreWarning) for w in caught)
        assert named.exact
        assert named.ranks.tolist() == rs.rank(P, by="accuracy").ranks.tolist()
    assert rs.rank(P, by="balanced accuracy").caution is None
    other = multi_class.from_confusion_matrix([[[5, 1], [1, 5]], [[2, 1], [3, 6]]])
    with pytest.warns(rs.UnsoundScoreWarning, match="sound for ranking only where class priors are equal"):
        rs.rank(other, by="recall_macro")


def by_hand(matrix: np.ndarray, name: str, kind: str) -> Fraction:
    """An average over classes of one confusion matrix, in fractions."""
    total, n = Fraction(0), int(matrix.sum())
    for k in range(len(matrix)):
        tp, mine, found = (int(x) for x in (matrix[k, k], matrix[k].sum(), matrix[:, k].sum()))
        value = {"f1": (2 * tp, mine + found), "recall": (tp, mine), "precision": (tp, found)}[name]
        total += Fraction(*value) * (Fraction(mine, n) if kind == "weighted" else Fraction(1, len(matrix)))
    return total


@pytest.mark.parametrize("name", ["f1", "recall", "precision"])
@pytest.mark.parametrize("kind", ["macro", "weighted"])
def test_averages_over_classes_are_ordered_exactly(name: str, kind: str) -> None:
    matrices = RNG.integers(1, 4, (60, 3, 3))
    matrices[1] = 2 * matrices[0]
    many = multi_class.from_confusion_matrix(matrices)
    ratio = rs.score(f"{name}_{kind}", many.space).exact(many)
    if (name, kind) == ("recall", "weighted"):  # ordered as accuracy
        ratio = rs.score("accuracy", many.space).exact(many)
    values = [by_hand(matrix, name, kind) for matrix in matrices]
    assert [Fraction(t, b) for t, b in zip(ratio.top, ratio.bottom, strict=True)] == values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranked = rs.rank(many, by=f"{name}_{kind}")
    assert ranked.exact
    assert not any("rational" in note for note in ranked.notes)
    assert ranked.ranks.tolist() == [1 + sum(other > value for other in values) for value in values]
    assert len(set(values)) < 60  # there are ties


def test_balanced_accuracy_and_f1_macro_are_exact() -> None:
    for name in ("balanced accuracy", "f1_macro"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.UnsoundScoreWarning)
            assert rs.rank(P, by=name).exact
            assert not rs.rank(P, by="mcc_macro").exact  # roots
    close = 2**40
    one, two = [[close, 1, 1], [1, close, 1], [1, 1, close]], [[close, 1, 1], [1, close, 1], [1, 1, close + 1]]
    both = multi_class.from_confusion_matrix([one, two])
    assert rs.compare(both[1], both[0], by="balanced accuracy") == "better"


def test_micro_averages_are_exact_too() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rs.rank(P, by="kappa_micro").exact


def test_reasons_of_undefined_class_scores_are_short() -> None:
    matrix = [[5, 1, 0, 0], [0, 4, 2, 0], [1, 0, 7, 0], [0, 1, 1, 0]]
    never = multi_class.from_confusion_matrix(matrix)
    nobody = multi_class.from_confusion_matrix(np.transpose(matrix))
    neither = multi_class.from_confusion_matrix([*matrix[:3], [0] * 4])
    for score, given, reason in (
        ("precision(3)", never, "never predicts 3"),
        ("precision_macro", never, "never predicts 3"),
        ("recall(3)", nobody, "no case is of class 3"),
        ("balanced accuracy", nobody, "no case is of class 3"),
        ("f1(3)", neither, "never predicts 3 and no case is of class 3"),
        ("f1_macro", neither, "never predicts 3 and no case is of class 3"),
        ("or_macro", multi_class.from_confusion_matrix(np.eye(3, dtype=int)), "of class 0: OR needs fp > 0 and fn > 0"),
    ):
        found = rs.score(score, given.space).reasons(given)[0]
        assert found.startswith(reason)
        assert len(found) < 80
    with pytest.raises(rs.UndefinedScoreError, match='row 1 \\("P1"\\): never predicts 3'):
        rs.score("precision(3)", never.space)(never, undefined="raise")


def test_a_macro_average_breaks_axiom_3() -> None:
    two = multi_class.from_confusion_matrix([[[3, 0, 2], [0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 3, 0], [2, 0, 0]]])
    f1 = rs.score("f1_macro", two.space)
    assert f1(two) == pytest.approx([1 / 3, 1 / 3])
    assert f1(two.mix())[0] > 0.51


def test_a_macro_average_breaks_axiom_2() -> None:  # never right, and yet not alike
    two = multi_class.from_confusion_matrix([[[0, 4, 0], [4, 0, 0], [4, 0, 0]], [[0, 2, 2], [2, 0, 2], [2, 2, 0]]])
    assert rs.score("accuracy", two.space)(two).tolist() == [0, 0]
    assert np.ptp(rs.score("tnr_macro", two.space)(two)) == 0  # equal class priors: a mean of what is fixed
    two = multi_class.from_confusion_matrix([[[0, 9, 0], [1, 0, 0], [0, 0, 0]], [[0, 0, 9], [0, 0, 1], [0, 0, 0]]])
    values = rs.score("specificity_macro", two.space)(two)
    assert np.ptp(values) > 0.1


def test_many_classes_do_not_recurse_too_deep() -> None:
    truth, guess = RNG.integers(0, 60, (2, 500))
    many = multi_class.evaluate(truth, guess)
    assert len(many.space) == len(np.unique([truth, guess])) ** 2
    assert rs.rank(many, by="accuracy").values[0] == pytest.approx((truth == guess).mean())
    assert len(rs.rank(many, by=multi_class.importance(many, {3: 2})).score.name) < 200


# ---- regression


def test_regression_errors_agree_with_scikit_learn() -> None:
    truth = RNG.normal(size=200)
    guesses = {"a": truth + RNG.normal(size=200), "b": truth + 0.5}
    weight = RNG.random(200)
    R = regression.evaluate(truth, guesses, sample_weight=weight)
    for name, function in (
        ("mae", metrics.mean_absolute_error),
        ("mean_squared_error", metrics.mean_squared_error),
        ("rmse", metrics.root_mean_squared_error),
    ):
        expected = [function(truth, guess, sample_weight=weight) for guess in guesses.values()]
        ranked = rs.rank(R, by=name)
        assert ranked.values == pytest.approx(expected)
        assert ranked.score.direction == "smaller"
        assert list(ranked) == [list(guesses)[i] for i in np.argsort(expected)]
    assert -regression.values(R, regression.criterion()) == pytest.approx(-rs.rank(R, by="mae").values)
    assert -regression.values(R, regression.criterion("mse", importance=lambda y: y**2)) == pytest.approx(
        [-metrics.mean_squared_error(truth, g, sample_weight=weight * truth**2) for g in guesses.values()]
    )
    with pytest.raises(UsageError, match=r"regressors have errors: tasks.regression.values\(pairs, criterion\)"):
        rs.ranking_score(R, [1, 1])


def test_relative_errors_are_an_importance_of_the_truth() -> None:
    truth, guess = RNG.uniform(1, 9, (2, 50))
    R = regression.evaluate(truth, guess)
    relative = regression.criterion("mae", importance=lambda y: 1 / y)
    expected = metrics.mean_absolute_percentage_error(truth, guess) / np.mean(1 / truth)
    assert regression.values(R, relative)[0] == pytest.approx(expected)
    assert rs.rank(R, by=relative).score.name == "mean absolute error, weighted by importance"


def test_equal_errors_are_ties_whatever_the_order_of_summing() -> None:
    errors = RNG.integers(1, 2**20, 3000) / 2**20
    truth = RNG.integers(0, 2**10, 3000).astype(float)
    R = regression.evaluate(truth, {"a": truth + errors, "b": truth - errors[::-1], "c": truth + errors.mean()})
    ranked = rs.rank(R, by="mae")
    assert ranked["a"] == ranked["b"]
    assert ranked.exact
    assert rs.compare(R["a"], R["b"], by="mae") == "equivalent"


def test_errors_that_differ_below_rounding_are_told_apart() -> None:
    R = regression.evaluate([1e16, 0.0], {"worse": [2e16, 1e-9], "better": [2e16, 0]})
    values = regression.values(R, "mae")
    assert values[0] == values[1]
    assert rs.rank(R, by="mae").ranks.tolist() == [2, 1]
    assert rs.rank(R, by="mse").ranks.tolist() == [2, 1]
    assert rs.compare(R["better"], R["worse"], by="mae") == "better"
    huge = regression.evaluate([0.0], {"a": [1e200], "b": [2e200], "c": [1e200]})
    assert rs.rank(huge, by="mse").ranks.tolist() == [1, 3, 1]
    tiny = regression.evaluate([0.0], {"a": [2e-200], "b": [1e-200]})
    assert rs.rank(tiny, by="mse").ranks.tolist() == [2, 1]


def test_within_a_tolerance_is_decided_exactly() -> None:
    assert 1.1 - 1.0 != 0.1
    R = regression.evaluate([0.0, 1.0, 2.0], {"a": [0.5, 1.6, 2.0], "b": [0.5, 1.5, 2.5]})
    assert rs.rank(R, by="within(0.5)").values.tolist() == [2 / 3, 1]
    assert rs.rank(R, by=regression.criterion("within(0)")).values.tolist() == [1 / 3, 0]
    edge = regression.evaluate([2.0**-60, 0.0], {"a": [-1.0, 0.0]})  # 1 + 2⁻⁶⁰ rounds to 1
    assert rs.rank(edge, by="within(1)").values.tolist() == [0.5]


def test_another_satisfaction_is_ranked_as_grades() -> None:
    R = regression.evaluate([0.0, 0.0], {"a": [1, 3], "b": [2, 2]})
    with pytest.raises(UsageError, match="a function is no score of pairs; .*: or rank grades of"):
        rs.rank(R, by=lambda e: np.exp(-e))
    graded = success.from_grades(dict(zip(R.names, np.exp(-abs(R.predictions - R.truth)), strict=True)))
    assert rs.rank(graded).values == pytest.approx([np.exp([-1, -3]).mean(), np.exp(-2)])


@pytest.mark.parametrize(("by", "message"), [
    ("f1", "'f1' is no score of pairs (truth, prediction); expected \"mae\""),
    ("r2", "R² orders models as the MSE where they share the truth"),
    ("max_error", "max_error is no expected satisfaction of a case"),
    ("within", "within needs a finite number ≥ 0, as in within(0.5); got 'within'"),
    ("within(x)", "within needs a finite number ≥ 0, as in within(0.5); got 'within(x)'"),
])  # fmt: skip
def test_unknown_criteria_are_refused(by: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        rs.rank(regression.evaluate([1], [2]), by=by)


def test_what_pairs_are_not() -> None:
    R = regression.evaluate([1, 2], {"a": [1, 2], "b": [2, 2]})
    with pytest.raises(UsageError, match="no finite set of outcomes"):
        rs.tile.entity(R)
    with pytest.raises(UsageError, match="importances must be finite and not negative; got -1 at the truth 1"):
        rs.rank(R, by=regression.criterion("mae", importance=lambda y: y - 2))
    nothing = regression.criterion("mae", importance=lambda y: 0 * y)
    assert np.isnan(rs.rank(R, by=nothing).ranks).all()
    assert rs.compare(R[0], R[1], by=nothing) == "incomparable"
    with pytest.raises(DataError, match="predicted values must be finite numbers"):
        regression.evaluate([1, 2], [1, np.inf])
    with pytest.raises(DataError, match="a predicted value is missing"):
        regression.evaluate([1, 2], [1, np.nan])
    with pytest.raises(DataError, match="true values must be numbers; got '"):
        regression.evaluate(["1", "two"], [1, 2])
    with pytest.raises(ValueError, match="read-only"):
        R.truth[0] = 5


# ---- retrieval


def queries(rng: np.random.Generator, n: int) -> list[set[int]]:
    return [set(rng.integers(0, 12, rng.integers(0, 6)).tolist()) for _ in range(n)]


def test_retrieval_is_the_mean_over_queries() -> None:
    true, found = queries(RNG, 200), queries(RNG, 200)
    kept = [(y, x) for y, x in zip(true, found, strict=True) if y | x]
    relevant = [(y, x) for y, x in kept if y]
    sums = [
        sum(Fraction(len(side(y, x)), len(y)) for y, x in relevant)
        for side in (lambda y, x: x - y, lambda y, x: y - x, lambda y, x: y & x)
    ]
    R = retrieval.evaluate(*map(list, zip(*relevant, strict=True)))
    exact = [Fraction(int(n), int(R.integers.sum())) for n in R.integers[0]]
    assert exact == [x / sum(sums) for x in sums]
    assert rs.score("recall", R.space)(R)[0] == pytest.approx(sums[2] / len(relevant))  # the mean of recalls
    assert (
        retrieval.evaluate(true, found).counts.tolist() == retrieval.evaluate(true, found, pooled=True).counts.tolist()
    )
    with pytest.raises(UsageError, match=r"pooled=False averages per thing to be found, and query \d+ has none"):
        retrieval.evaluate(true, found, pooled=False)
    pooled = retrieval.evaluate(true, found, pooled=True, none=True)
    assert pooled.counts[0].tolist() == [
        200 - len(kept),
        sum(len(x - y) for y, x in kept),
        sum(len(y - x) for y, x in kept),
        sum(len(y & x) for y, x in kept),
    ]


def test_named_scores_of_retrieval_are_the_usual_ones() -> None:
    R = retrieval.evaluate(queries(RNG, 50), queries(RNG, 50), none=True)
    _, fp, fn, tp = R.mass[0]
    for name, value in {
        "precision": tp / (tp + fp), "recall": tp / (tp + fn), "f1": 2 * tp / (2 * tp + fp + fn),
        "jaccard": tp / (tp + fp + fn), "f2": 5 * tp / (5 * tp + 4 * fn + fp), "f0.5": 1.25 * tp / (1.25 * tp + 0.25 * fn + fp),
    }.items():  # fmt: skip
        assert rs.score(name, R.space)(R)[0] == pytest.approx(value)
    assert rs.score("P(tp | fp, tp)", R.space)(R)[0] == pytest.approx(tp / (tp + fp))
    with pytest.raises(
        UnknownScoreError,
        match="no score of retrieval with none performances is called 'precison'; the nearest is 'precision'",
    ):
        rs.rank(R, by="precison")


def test_queries_by_name_are_matched_by_name() -> None:
    truth = {"q1": ["a"], "q2": ["b", "c"]}
    same = retrieval.evaluate(truth, {"q2": ["c"], "q1": ["a", "d"]})
    assert same.integers.tolist() == retrieval.evaluate([["a"], ["b", "c"]], [["a", "d"], ["c"]]).integers.tolist()
    both = retrieval.evaluate(truth, {"one": {"q2": ["c"], "q1": []}, "two": {"q1": ["a"], "q2": ["b"]}})
    assert both.names == ("one", "two")
    frame = pd.DataFrame({"one": [["a"], ["c"]], "two": [[], ["b", "c"]]})
    assert retrieval.evaluate(list(truth.values()), frame).names == ("one", "two")


@pytest.mark.parametrize(("call", "message"), [
    (lambda: retrieval.evaluate({"q": [1]}, {"r": [1]}), "the input 'q' is missing: give an empty prediction"),
    (lambda: retrieval.evaluate({"q": [1]}, {"q": [1], "r": [1]}), "the input 'r' is none of the truth"),
    (lambda: retrieval.evaluate([[1]], [[1], [2]]), "expected 1 predictions, one per input; got 2"),
    (lambda: retrieval.evaluate(["ab"], [["a"]]), "expected a set or list of results; got 'ab': wrap it in a list"),
    (lambda: retrieval.evaluate([[]], [[]]), 'pass none=True, which makes "none" an outcome'),
    (lambda: retrieval.evaluate([], []), "no queries"),
    (lambda: retrieval.evaluate([[[1]]], [[1]]), "results must be hashable"),
])  # fmt: skip
def test_retrieval_refuses(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        call()


# ---- detection


def test_overlaps_of_boxes_are_those_of_pixels() -> None:
    def boxes(n: int) -> np.ndarray:
        low = RNG.integers(0, 12, (n, 2))
        return np.hstack([low, low + RNG.integers(0, 8, (n, 2))]).astype(float)

    one, two = boxes(12), boxes(15)
    iou = overlaps(one, two)

    def pixels(box: np.ndarray) -> set[tuple[int, int]]:
        x1, y1, x2, y2 = box.astype(int).tolist()
        return {(x, y) for x in range(x1, x2) for y in range(y1, y2)}

    for i, a in enumerate(one):
        for j, b in enumerate(two):
            union = pixels(a) | pixels(b)
            assert iou[i, j] == (len(pixels(a) & pixels(b)) / len(union) if union else 0)


def test_the_optimal_matching_has_the_most_pairs() -> None:
    for _ in range(100):
        value = RNG.random((RNG.integers(1, 5), RNG.integers(1, 5)))
        eligible = value >= 0.1  # below ½ one good pair may weigh more than two poor ones
        sizes = [0]
        pairs = np.argwhere(eligible).tolist()
        for k in range(1, min(value.shape) + 1):
            for chosen in combinations(pairs, k):
                if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == k:
                    sizes.append(k)
        assert optimal(value, eligible) == max(sizes)
        assert greedy(value, eligible, RNG.random(value.shape[1])) <= max(sizes)


def test_greedy_goes_by_score_and_optimal_does_not() -> None:
    truth = [[[0, 0, 10, 10], [0, 0, 10, 6]]]
    places = [[0, 0, 10, 8], [0, 0, 10, 4]]  # IoU 0.8 and 0.75 with the first two, 0.4 and 0.67 for the other
    for scores, matched in (([0.9, 0.1], 2), ([0.1, 0.9], 2)):
        found = [{"boxes": places, "scores": scores}]
        assert detection.evaluate(truth, found, matching="greedy", pooled=True).counts[0, 3] == matched
    truth = [{"intervals": [[0, 10], [4, 14]]}]
    found = [
        {"intervals": [[2, 12], [-4, 8]], "scores": [0.9, 0.8]}
    ]  # the first takes the only one the second could have
    assert detection.evaluate(truth, found, iou=0.5, matching="greedy", pooled=True).counts.tolist() == [[0, 1, 1, 1]]
    assert detection.evaluate(truth, found, iou=0.5, pooled=True).counts.tolist() == [[0, 0, 0, 2]]


def test_labels_must_agree_to_match() -> None:
    truth = [{"boxes": [[0, 0, 2, 2]], "labels": ["cat"]}, {"boxes": [], "labels": []}]
    right = [{"boxes": [[0, 0, 2, 2]], "labels": ["cat"]}, {"boxes": [], "labels": []}]
    wrong = [{"boxes": [[0, 0, 2, 2]], "labels": ["dog"]}, {"boxes": [], "labels": []}]
    D = detection.evaluate(truth, {"right": right, "wrong": wrong})
    assert D.counts.tolist() == [[1, 0, 0, 1], [1, 1, 1, 0]]  # added, for one input has nothing to be found
    assert rs.score("iou", D.space)(D).tolist() == [1, 0]
    with pytest.raises(DataError, match="the truth has no labels, the other side has"):
        detection.evaluate([[[0, 0, 2, 2]], []], right)


def test_a_detector_has_a_tile() -> None:
    truth = [[[0, 0, 4, 4]], [[0, 0, 4, 4]], []]
    D = detection.evaluate(
        truth, {"x": [[[0, 0, 4, 4]], [], []], "y": [[[0, 0, 4, 4]], [[0, 0, 4, 4]], [[1, 1, 2, 2]]]}
    )
    tile = rs.tile.entity(D, resolution=5)
    assert tile.at(1, 1) == ("y",)
    assert tile.prior is tile.no_skill is None  # shares of fn and tp are no priors, even where they are equal
    assert "Of detection: none, fp, fn, tp for tn, fp, fn, tp." in tile.subtitle
    assert rs.regions.winners(D) == ("x", "y")
    assert rs.regions.border(D["x"], D["y"]) is not None
    assert rs.tile.value(D["x"], resolution=3).at(1, 0.5) == pytest.approx(rs.score("f1", D.space)(D)[0])
    assert rs.regions.flips(D, by="f1").flips
    with pytest.raises(UsageError, match="the Tile needs true negatives, which these data do not have"):
        rs.tile.entity(retrieval.evaluate([[1]], [[1]]))


@pytest.mark.parametrize(("call", "message"), [
    (lambda: detection.evaluate([[[0, 0, 4, 4]]], [[[4, 0, 0, 4]]]), 'entity "P1", input 1, row 1: [4.0, 0.0, 0.0, 4.0]: expected finite numbers, x1 ≤ x2'),
    (lambda: detection.evaluate([[[0, 4]]], [[[0, 0, 4, 4]]]), "boxes on one side, intervals on the other"),
    (lambda: detection.evaluate([[[0, 4]]], [[[0, 4]]], matching="greedy"), 'matching="greedy" needs "scores"'),
    (lambda: detection.evaluate([[[0, 4]]], [[[0, 4]]], matching="hungarian"), "expected one of 'optimal', 'greedy'"),
    (lambda: detection.evaluate([[[0, 4]]], [[[0, 4]]], iou=0), "iou must lie in (0, 1]; got 0"),
    (lambda: detection.evaluate([{"rows": []}], [[]]), 'expected "boxes" or "intervals"; got the keys rows'),
    (lambda: detection.evaluate([{"boxes": [[0, 0, 1, 1]], "labels": [1, 2]}], [[]]), "labels: expected 1, one per detection"),
    (lambda: detection.evaluate([[[0, 4, 5]]], [[]]), "expected boxes (k, 4) or intervals (k, 2); got shape (1, 3)"),
    (lambda: detection.evaluate([], []), "no inputs"),
])  # fmt: skip
def test_detection_refuses(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((DataError, UsageError), match=re.escape(message)):
        call()


# ---- clustering


@pytest.mark.parametrize("kind", ["small integers", "large integers", "texts", "objects", "many clusters"])
def test_clustering_counts_pairs_as_scikit_learn_does(kind: str) -> None:
    k = 200 if kind == "many clusters" else 6
    truth, found = RNG.integers(-1, k, (2, 400))
    change: Callable[[Any], Any] = {
        "large integers": lambda x: x * 10**15,
        "texts": lambda x: x.astype(str),
        "objects": lambda x: np.array([None if i < -9 else (f"c{i}", i)[1] for i in x], dtype=object),
    }.get(kind, lambda x: x)
    C = clustering.evaluate(change(truth), change(found))
    (tn, fp), (fn, tp) = metrics.cluster.pair_confusion_matrix(truth, found) // 2
    assert C.counts.tolist() == [[tn, fp, fn, tp]]
    assert rs.score("accuracy")(C)[0] == pytest.approx(metrics.rand_score(truth, found))
    assert rs.score("adjusted_rand_score")(C)[0] == pytest.approx(metrics.adjusted_rand_score(truth, found))
    assert rs.score("FMI")(C)[0] == pytest.approx(metrics.fowlkes_mallows_score(truth, found))


def test_sparse_and_dense_contingency_tables_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, found = RNG.integers(0, 50, (2, 300))
    dense = clustering.evaluate(truth, found).counts.tolist()
    monkeypatch.setattr(clustering, "DENSEST", -1000)
    assert clustering.evaluate(truth * 7, found * 7).counts.tolist() == dense


def test_the_pairs_of_a_million_elements_are_exact() -> None:
    n = 1_000_000
    C = clustering.evaluate(np.arange(n) % 2, {"one": np.zeros(n, int), "each": np.arange(n)})
    half = n // 2
    inside = 2 * (half * (half - 1) // 2)
    total = n * (n - 1) // 2
    assert C.counts.tolist() == [[0, total - inside, 0, inside], [total - inside, 0, inside, 0]]


def test_ranking_clusterings_by_an_unsound_index_warns() -> None:
    C = clustering.evaluate([0, 0, 1, 1], {"a": [0, 0, 0, 1], "b": [0, 1, 1, 1]})
    with pytest.warns(rs.UnsoundScoreWarning, match="Fowlkes-Mallows index is not sound"):
        rs.rank(C, by="fmi")
    assert rs.rank(C, by="ARI").caution is None  # kappa, at equal priors
    with pytest.raises(DataError, match="expected between 2 and 2\\*\\*30 elements"):
        clustering.evaluate([0], [0])


# ---- ranking


def test_rankings_agree_with_scipy() -> None:
    truth, found = RNG.permutation(300), RNG.permutation(300)
    R = ranking.evaluate(truth, found)
    assert rs.score("tau", R.space)(R)[0] == pytest.approx(kendalltau(truth, found).statistic, abs=1e-12)
    assert R.counts.sum() == 300 * 299 // 2


def test_tied_pairs_are_split_as_asked() -> None:
    truth, found = RNG.integers(0, 9, (2, 60))
    signs = [np.sign(truth[i] - truth[j]) * np.sign(found[i] - found[j]) for i, j in combinations(range(60), 2)]
    R = ranking.evaluate(truth, {"x": found, "same": truth}, ties="split")
    split = signs.count(0)
    assert R.counts[0].tolist() == [2 * signs.count(-1) + split, 2 * signs.count(1) + split]
    assert rs.rank(R, by="kendall tau").values[0] == pytest.approx(sum(signs) / len(signs))
    with pytest.raises(DataError, match=r'the truth: \d+ pairs are tied; expected different numbers: ties="split"'):
        ranking.evaluate(truth, found)
    with pytest.raises(DataError, match='entity "x": 1 pair is tied'):
        ranking.evaluate([1, 2, 3], {"x": [1, 1, 2]})
    with pytest.raises(UsageError, match="ties='drop': expected 'error' or 'split'"):
        ranking.evaluate(truth, found, ties="drop")
    with pytest.raises(DataError, match="between 2 and"):
        ranking.evaluate([1], [1])


def test_all_ranking_scores_of_rankings_order_alike() -> None:
    R = ranking.evaluate(np.arange(30), [RNG.permutation(30) for _ in range(8)])
    by_tau = rs.rank(R, by="tau").ranks.tolist()
    assert rs.rank(R, by=[1, 5]).ranks.tolist() == rs.rank(R, by=[7, 1]).ranks.tolist() == by_tau


# ---- what all refuse


@pytest.mark.parametrize("evaluate", [multi_class.evaluate, clustering.evaluate, regression.evaluate, ranking.evaluate])
def test_lengths_missing_values_and_names(evaluate: Callable[..., Any]) -> None:
    with pytest.raises(DataError, match="expected as many predictions as true values"):
        evaluate([0, 1, 2], [0, 1])
    with pytest.raises(DataError, match="transpose it, one row per entity"):
        evaluate([0, 1, 2], [[0, 1], [1, 0], [2, 2]])
    with pytest.raises(DataError, match="no cases"):
        evaluate([], [])
    with pytest.raises(DataError, match="a true value is missing"):
        evaluate([0, np.nan, 2], [0, 1, 2])
    with pytest.raises(DataError, match="index of the truth in another order"):
        evaluate(pd.Series([0, 1, 2]), pd.Series([0, 1, 2], index=[2, 1, 0]))
    with pytest.raises(DataError, match="names: expected 1, one per row; got 2"):
        evaluate([0, 1, 2], [0, 1, 2], names=["a", "b"])
    assert evaluate([0, 1, 2], [[0, 1, 2], [2, 1, 0]], names=["a", "b"]).names == ("a", "b")


@pytest.mark.parametrize(("call", "message"), [
    (lambda: multi_class.evaluate(["a", "b"], [0, 1]), "true labels are text, predicted labels are numbers"),
    (lambda: multi_class.evaluate([0, 1], ["a", "b"]), "true labels are numbers, predicted labels are text"),
    (lambda: multi_class.evaluate(["a", "b"], ["a", "c"], labels=["a", "b"]), "the predicted label 'c' is none of the classes 'a', 'b'"),
    (lambda: multi_class.evaluate(["a", "a"], ["a", "a"]), "expected two or more different classes; got a"),
    (lambda: multi_class.evaluate([0, 1], [0, 1], similarity=[1, 2]), "similarity: expected (2, 2) finite numbers"),
    (lambda: multi_class.from_confusion_matrix([[1, 2, 3]]), "expected confusion matrices (K, K) or (n, K, K)"),
    (lambda: multi_class.from_confusion_matrix([[1, 2], [3, 4]], labels=["a"]), "labels: expected 2, one per row of the matrix; got 1"),
    (lambda: multi_class.one_vs_rest(P, "emu"), "no class is called 'emu'; expected one of cat, dog, fox, owl"),
    (lambda: multi_class.classes(rs.TWO_CLASS), "expected multi-class performances"),
    (lambda: multi_class.importance(P, [1, 2]), "expected 4 numbers, one per class, or (4, 4); got shape (2,)"),
    (lambda: multi_class.importance_of_class(P, "cat", "mcc"), "'mcc' is no ranking score of one class"),
    (lambda: rs.rank(P, by="f1"), "no score of multi-class performances is called 'f1'; known are accuracy, recall(class), precision(class)"),
])  # fmt: skip
def test_multi_class_refuses(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((DataError, UsageError), match=re.escape(message)):
        call()


def test_a_score_of_many_classes_has_no_place_on_the_tile() -> None:
    P = rs.tasks.multi_class.evaluate(["a", "b", "c"], ["a", "c", "b"])
    with pytest.raises(rs.NoPlaceError, match="which has no Tile"):
        rs.score("accuracy", P.space).place()


# ---- labels as they are


def test_labels_of_different_columns_are_not_merged() -> None:
    large = [2**60, 2**60, 2**60 + 1, 2**60 + 1]
    ways = [
        {"a": np.array(large), "b": np.array([0.5, 0.5, 1.5, 1.5])},
        {"a": np.array(large), "b": np.array(large, dtype=np.uint64)},
        {"a": large, "b": ["x", "x", "y", "y"]},
        [large, [0.5, 0.5, 1.5, 1.5]],
    ]
    for predictions in ways:
        assert clustering.evaluate([0, 0, 1, 1], predictions).counts.tolist() == [[4, 0, 0, 2]] * 2


def test_labels_of_a_mixed_list_are_not_written_as_text() -> None:
    assert clustering.evaluate([1, "1", 2, "2"], [0, 1, 2, 3]).counts.tolist() == [[6, 0, 0, 0]]
    assert clustering.evaluate([0, 1, 2, 3], [1, "1", 2, "2"]).counts.tolist() == [[6, 0, 0, 0]]
    assert clustering.evaluate([2**60, 2**60 + 1, 0.5], [0, 1, 2]).counts.tolist() == [[3, 0, 0, 0]]


def test_missing_times_are_missing() -> None:
    with pytest.raises(DataError, match="a true value is missing"):
        clustering.evaluate(np.array(["2020-01-01", "NaT"], dtype="M8[D]"), [0, 1])


def test_clusters_may_be_called_by_any_integer() -> None:
    labels = np.array([2**63, 2**63 + 1, 2**63], dtype=np.uint64)
    assert clustering.evaluate(labels, [0, 1, 0]).counts.tolist() == [[2, 0, 0, 1]]
    assert clustering.evaluate(np.array([-128, 127, 127], dtype=np.int8), [0, 1, 1]).counts.tolist() == [[2, 0, 0, 1]]


def test_rankings_tell_large_integers_apart() -> None:
    assert ranking.evaluate([2**70, 2**70 + 1], [1, 2]).counts.tolist() == [[0, 1]]
    days = np.array(["2020-01-01", "2020-01-02"], dtype="M8[ns]")
    assert ranking.evaluate(days, [2, 1]).counts.tolist() == [[1, 0]]


@pytest.mark.parametrize("truth", [[3, 4, 5], [1, 2, 4]])
def test_balanced_accuracy_keeps_ties(truth: list[int]) -> None:
    matrices = np.zeros((3, 3, 3), dtype=int)
    for k in range(3):
        matrices[k] = np.diag(truth)
        matrices[k, k, k], matrices[k, k, (k + 1) % 3] = 0, truth[k]
    P = multi_class.from_confusion_matrix(matrices)
    ranking = rs.rank(P, by="balanced accuracy")
    assert (ranking.ranks.tolist(), ranking.exact, ranking.caution) == ([1, 1, 1], True, None)


# ---- overflow


@pytest.mark.parametrize("by", ["mae", "mse", "rmse"])
def test_errors_that_overflow_on_the_way_are_ranked(by: Any) -> None:
    R = regression.evaluate([1e308, -1e308], {"a": [-1e308, 1e308], "b": [1e308, 1e308], "c": [1e308, -1e308]})
    assert rs.rank(R, by=by).ranks.tolist() == [3, 2, 1]
    assert rs.compare(R["b"], R["a"], by=by) == "better"


def test_large_weights_and_importances_do_not_overflow() -> None:
    R = regression.evaluate([1, 2], {"a": [1, 4], "b": [2, 2]}, sample_weight=[1e308, 1e308])
    assert regression.values(R, "mae").tolist() == [1.0, 0.5]
    by = regression.criterion("mae", importance=[1e308, 1e308])
    assert regression.values(R, by).tolist() == [1.0, 0.5]
    assert regression.values(regression.evaluate([0.0, 0], [1e200, 1e200]), "rmse").tolist() == [1e200]


def test_weighted_importances_are_multiplied_exactly() -> None:
    by = regression.criterion("mae", importance=[0.1, 0.1])
    R = regression.evaluate([0, 0], {"a": [3, 0], "b": [0, 1]}, sample_weight=[1, 3])
    assert rs.compare(R["a"], R["b"], by=by) == "equivalent"


def test_within_decides_errors_on_the_edge_exactly_and_at_once() -> None:
    n = 10**6
    truth = np.arange(n, dtype=np.float64)
    R = regression.evaluate(truth, {"on": truth + 1, "off": truth + 2})
    assert regression.values(R, "within(1)").tolist() == [1.0, 0.0]
    edge = regression.evaluate([0.3, 0.7, 1.0], [0.1, 0.8, 1.1])
    errors = np.abs(edge.predictions[0] - edge.truth)
    for j, tolerance in enumerate(errors.tolist()):
        gap = abs(Fraction(float(edge.predictions[0, j])) - Fraction(float(edge.truth[j])))
        one = regression.evaluate(edge.truth[[j]], edge.predictions[0, [j]])
        assert regression.values(one, regression.criterion(f"within({tolerance!r})")).tolist() == [gap <= tolerance]


def test_equal_performances_are_equivalent_where_nothing_matters() -> None:
    R = regression.evaluate([1, 2], {"a": [1, 3], "b": [2, 2]})
    again = regression.evaluate([2, 1], {"a": [3, 1]}, sample_weight=[2, 2])
    nothing = regression.criterion("mae", importance=[0, 0])
    assert rs.compare(R["a"], R["a"], by=nothing) == "equivalent"
    assert rs.compare(R["a"], again, by=nothing) == "equivalent"
    assert rs.compare(R["a"], R["b"], by=nothing) == "incomparable"
    assert np.isnan(rs.rank(R, by=nothing).ranks).all()


@pytest.mark.parametrize("side", [1e200, 1e-200, 1.0])
def test_boxes_of_any_size_match_themselves(side: float) -> None:
    box = [[[0, 0, side, side]]]
    assert detection.evaluate(box, box, pooled=True).counts.tolist() == [[0, 0, 0, 1]]
    half = [[[0, 0, side, side / 2]]]
    assert detection.evaluate(box, half, iou=0.5, pooled=True).counts.tolist() == [[0, 0, 0, 1]]


# ---- one clear sentence


@pytest.mark.parametrize(("call", "message"), [
    (lambda: detection.evaluate([{"boxes": [[0, 0, 1, 1]], "labels": [1]}], [{"boxes": [[0, 0, 1, 1]], "labels": ["1"]}]), "true labels are numbers, predicted labels are text"),
    (lambda: detection.evaluate([[[-1e308, 1e308]]], [[[0, 1]]]), "expected finite numbers"),
    (lambda: detection.evaluate([[[0, 4]]], [[[0, 4]]], iou="x"), "iou must lie in (0, 1]; got 'x'"),
    (lambda: detection.evaluate([[[0, 4]]], [{"intervals": [[0, 4]], "scores": ["x"]}], matching="greedy"), "scores must be numbers"),
    (lambda: detection.evaluate((x for x in [[[0, 4]]]), [[[0, 4]]]), "the truth: expected one item per input, in a list"),
    (lambda: retrieval.evaluate((x for x in [{1}]), [{1}]), "the truth: expected one item per input, in a list"),
    (lambda: regression.criterion("within(-0.5)"), "within needs a finite number ≥ 0, as in within(0.5); got 'within(-0.5)'"),
    (lambda: regression.evaluate([1, 2j], [1, 2]), "true values must be numbers; got (1+0j)"),
    (lambda: regression.evaluate(np.array(["2020"], "M8[D]"), np.array(["2020"], "M8[s]")), "true values must be numbers; got datetime.date(2020"),
    (lambda: regression.evaluate(["1", "two"], [1, 2]), "true values must be numbers; got 'two'"),
    (lambda: regression.evaluate([1, "two"], [1, 2]), "true values must be numbers; got 'two'"),
    (lambda: ranking.evaluate([10**400, 2.5], [1, 2]), "true values must be numbers"),
    (lambda: regression.values(regression.evaluate([1], [2]), regression.criterion(importance=lambda y: ["a"])), "an importance of cases must be numbers, array to array; got 'a'"),
    (lambda: regression.values(regression.evaluate([1], [2]), regression.criterion(importance=lambda y: 1 / 0)), "an importance of cases failed (ZeroDivisionError: division by zero)"),
    (lambda: regression.values(regression.evaluate([1], [2]), regression.criterion(importance=lambda y: y + 1j)), "must be numbers, array to array; got (1+1j)"),
    (lambda: rs.Performances.from_counts([[1j, 1, 1, 1]]), "expected real numbers, one count per outcome; got complex"),
    (lambda: rs.Performances.from_scores([0, 1], [1j, 2]), "scores must be numbers"),
    (lambda: rs.importance(tp=1j), "importances must be numbers"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_one_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((DataError, UsageError), match=re.escape(message)):
        call()


@pytest.mark.parametrize("by", ["mae", "mse", "rmse"])
def test_an_overflow_where_nothing_matters_leaves_the_others_defined(by: str) -> None:
    R = regression.evaluate([1.5e308, 0], {"a": [-1.5e308, 1], "b": [1.5e308, 2]}, sample_weight=[0, 1])
    assert regression.values(R, by).tolist() == [1.0, 4.0 if by == "mse" else 2.0]
    assert rs.rank(R, by=by).ranks.tolist() == [1, 2]


# ---- what a small slip would make wrong


def test_greedy_takes_whatever_is_eligible() -> None:
    assert greedy(np.array([[0.0]]), np.array([[True]]), np.array([1.0])) == 1


def test_a_regressor_without_value_is_incomparable_to_one_with_a_value() -> None:
    by = regression.criterion("mae", importance=lambda y: (y > 0) * 1.0)
    without, with_one = regression.evaluate([0, 0], [1, 2]), regression.evaluate([0, 1], [1, 2])
    assert rs.compare(without, with_one, by=by) == rs.compare(with_one, without, by=by) == "incomparable"


def test_sums_that_floats_round_apart_are_tied() -> None:
    R = regression.evaluate([0, 0, 0, 0], {"a": [0.5, 0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1, 0.5]})
    one = regression.evaluate([0, 0, 0], {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]})
    assert one.predictions.mean(axis=1)[0] != one.predictions.mean(axis=1)[1]
    assert regression.values(one)[0] == regression.values(one)[1]
    for pairs in (R, one):
        assert rs.rank(pairs, by="mae").ranks.tolist() == [1, 1]
        assert rs.compare(pairs["a"], pairs["b"], by="mae") == "equivalent"

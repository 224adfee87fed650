"""Constructors, checks and operations of performances."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, multilabel_confusion_matrix, roc_curve

import rankscape as rs
from rankscape import DataError, Performances

COUNTS = st.lists(
    st.tuples(*[st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 10**9))] * 4).filter(any),
    min_size=1,
    max_size=6,
)
BOTH_CLASSES = COUNTS.filter(lambda rows: all(tn + fp and fn + tp for tn, fp, fn, tp in rows))


def same(P: Performances, Q: Performances) -> bool:
    """Exactly equal measures, row by row."""
    left, right = P.integers, Q.integers
    return bool((left * right.sum(axis=1, keepdims=True) == right * left.sum(axis=1, keepdims=True)).all())


def test_counts_stay_integers_and_read_only() -> None:
    P = Performances.from_counts(tn=[2680], fp=[72.0], fn=[23], tp=[28])
    assert P.counts is not None
    assert P.counts.dtype == np.int64
    assert P.mass.sum() == 1
    with pytest.raises(ValueError, match="read-only"):
        P.mass[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        P.counts[0, 0] = 1


def test_the_caller_s_array_stays_writable() -> None:
    mine = np.array([[1, 2, 3, 4]])
    Performances.from_counts(mine)
    mine[0, 0] = 5
    masses = np.array([[0.25, 0.25, 0.25, 0.25]])
    Performances.from_probabilities(masses)
    masses[0, 0] = 0.5


def test_scikit_learn_confusion_matrices_go_in_directly() -> None:
    truth, guess = [0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 0, 1]
    expected = [[1, 2, 1, 3]]
    assert Performances.from_confusion_matrix(confusion_matrix(truth, guess)).counts.tolist() == expected
    assert Performances.from_counts(confusion_matrix(truth, guess)).counts.tolist() == expected
    assert Performances.from_labels(truth, guess).counts.tolist() == expected
    shares = Performances.from_confusion_matrix(confusion_matrix(truth, guess, normalize="all"))
    assert shares.counts is None
    assert shares.mass[0] == pytest.approx(np.array(expected[0]) / 7)
    many = multilabel_confusion_matrix([[0, 1], [1, 1]], [[0, 1], [1, 0]])
    assert len(Performances.from_confusion_matrix(many)) == 2


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ([0.0, 0, 0, 0], "all sums are 0"),
        ([1.5, float("nan"), 1, 1], "fp = nan is not finite"),
        ([1.5, -1, 1, 1], "fp = -1.0 is negative"),
        ([1e301, 1e301, 1, 1], "tn = 1e+301 is too large"),
        ([1.5, 1, 1], "expected 4 columns"),
        (["a", 1, 2, 3], "tn = 'a' is not a number"),
    ],
)
def test_sums_of_weights_that_are_none_are_refused(row: list, problem: str) -> None:
    with pytest.raises(rs.DataError, match=re.escape(problem)):
        rs.Performances.from_weighted_counts([row])


def test_sums_of_weights_come_as_lists_or_one_row() -> None:
    assert rs.Performances.from_weighted_counts([1.5, 0.5, 0, 2]).mass.tolist() == [[0.375, 0.125, 0, 0.5]]
    assert rs.Performances.from_weighted_counts([[3, 1, 0, 4]]).counts.tolist() == [[3, 1, 0, 4]]


def test_labels_of_any_type_and_weights() -> None:
    truth, guess = ["ham", "spam", "spam"], {"a": ["ham", "ham", "spam"], "b": ["spam"] * 3}
    P = Performances.from_labels(truth, guess, pos_label="spam")
    assert P.names == ("a", "b")
    assert P.counts.tolist() == [[1, 0, 1, 1], [0, 1, 0, 2]]
    weighted = Performances.from_labels(truth, guess["a"], pos_label="spam", sample_weight=[1, 2, 5])
    assert weighted.counts.tolist() == [[1, 0, 2, 5]]
    assert Performances.from_labels([0, 1], [0, 1], sample_weight=[0.5, 1.5]).mass.tolist() == [[0.25, 0, 0, 0.75]]


def test_operating_points_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    truth, scores = rng.integers(0, 2, 200), rng.integers(0, 30, 200) / 10
    P = Performances.from_scores(truth, scores)
    fpr, tpr, thresholds = roc_curve(truth, scores, drop_intermediate=False)
    assert rs.score("fpr")(P) == pytest.approx(fpr)
    assert rs.score("tpr")(P) == pytest.approx(tpr)
    assert P.thresholds.tolist() == thresholds.tolist()


@pytest.mark.parametrize(("arguments", "says"), [
    (dict(tn=[1, 5], fp=[2, -3], fn=[0, 0], tp=[1, 1], names=["x", "unet"]), r'row 2 \("unet"\): fp = -3 is negative'),
    (dict(tn=1.5, fp=2, fn=0, tp=1), r'row 1 \("P1"\): tn = 1.5 is not a whole number'),
    (dict(tn=float("nan"), fp=2, fn=0, tp=1), "tn = nan is not finite; expected a count"),
    (dict(tn="seven", fp=2, fn=0, tp=1), "tn = 'seven' is not a number; expected a count"),
    (dict(tn=0, fp=0, fn=0, tp=0), "all counts are 0"),
    (dict(tn=[], fp=[], fn=[], tp=[]), "the table is empty"),
    (dict(tn=2**62, fp=0, fn=0, tp=0), "too large; expected at most"),
    (dict(tn=10**30, fp=0, fn=0, tp=0), "too large; expected at most"),
    (dict(tn=[1, 1], fp=[1, 1], fn=[1, 1], tp=[1, 1], names=["a", "a"]), 'entity "a" occurs 2 times'),
    (dict(tn=[1, 1], fp=1, fn=1, tp=1, names=["a", "a"], domains=["d", "d"]), 'entity "a" on domain "d" occurs 2 times'),
    (dict(tn=[1, 1], fp=1, fn=1, tp=1, names=["a"]), "names: expected 2, one per row; got 1"),
    (dict(tn=1, fp=1, fn=1), "needs tn, fp, fn and tp"),
])  # fmt: skip
def test_bad_counts_get_a_sentence(arguments: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Performances.from_counts(**arguments)


@pytest.mark.parametrize(("mass", "says"), [
    ([[0.5, 0.5, 0.5, 0.5]], r"probabilities sum to 2; expected 1 within 1e-06"),
    ([[0.5, 0.5, 0.1, -0.1]], "tp = -0.1 is negative"),
    ([[0, 0, 0, 0]], "all probabilities are 0"),
    ([[0.5, 0.5, np.inf, 0]], "fn = inf is not finite"),
    ([[0.5, 0.5]], "expected 4 columns"),
])  # fmt: skip
def test_bad_probabilities_get_a_sentence(mass: list, says: str) -> None:
    with pytest.raises(rs.DataError, match=says):
        Performances.from_probabilities(mass)


@pytest.mark.parametrize(("truth", "guess", "options", "says"), [
    ([0, 1], [0, 1, 1], {}, "as many predictions as true values"),
    ([], [], {}, "no cases"),
    (["a", "b"], ["a", "b"], {}, 'nothing says which of the labels "a", "b" is positive'),
    ([0, 1], [0, 1], {"pos_label": 7}, "pos_label=7 is none of the labels 0, 1: name the positive class"),
    ([0, 0], [0, 0], {"pos_label": 7}, "pos_label=7 is none of the labels 0"),
    ([0, 1], [0, 1], {"pos_label": -1}, "pos_label=-1 is none of the labels 0, 1"),
    ([0.0, np.nan], [0, 1], {}, "a true value is missing"),
    ([0, 1], ["a", "b"], {}, "true labels are numbers, predicted labels are text"),
    ([0, 1], [0, 1], {"sample_weight": [1]}, "sample_weight: expected 2 numbers"),
    ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "finite numbers ≥ 0"),
])  # fmt: skip
def test_bad_labels_get_a_sentence(truth: list, guess: list, options: dict, says: str) -> None:
    with pytest.raises(rs.DataError, match=says):
        Performances.from_labels(truth, guess, **options)


def test_bad_scores_get_a_sentence() -> None:
    with pytest.raises(rs.DataError, match="case 2: scores must be finite"):
        Performances.from_scores([0, 1], [0.5, np.nan])


def test_selection() -> None:
    P = Performances.from_counts(np.eye(4, dtype=int), names=list("abcd"), domains=list("xxyy"))
    assert P["b"].names == ("b",)
    assert P[["a", "c"]].names == ("a", "c")
    assert P[-1].names == ("d",)
    assert P[1:3].domains == ("x", "y")
    assert P[[True, False, False, True]].names == ("a", "d")
    assert P.in_domain("y").names == ("c", "d")
    assert [Q.names for Q in P] == [("a",), ("b",), ("c",), ("d",)]
    with pytest.raises(ValueError, match=r"no entity is called 'bb'; the nearest is 'b'"):
        P["bb"]
    with pytest.raises(ValueError, match="no domain is called 'z'"):
        P.in_domain("z")


@given(COUNTS)
def test_swaps_and_changes_are_involutions(rows: list) -> None:
    P = Performances.from_counts(rows)
    for operation in ("swap_classes", "swap_truth_and_prediction", "change_prediction", "change_truth"):
        once = getattr(P, operation)()
        assert getattr(once, operation)().counts.tolist() == P.counts.tolist()
        assert sorted(once.counts[0]) == sorted(P.counts[0])
    assert P.change_truth().change_prediction().counts.tolist() == P.swap_classes().counts.tolist()


@given(BOTH_CLASSES, st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_prior_shift_keeps_the_rates_and_comes_back(rows: list, prior: Fraction) -> None:
    P = Performances.from_counts(rows)
    shifted = P.shift_priors(prior)
    assert (
        shifted.integers[:, 2:].sum(axis=1) * prior.denominator == shifted.integers.sum(axis=1) * prior.numerator
    ).all()
    for name in ("tnr", "tpr"):
        assert rs.score(name)(shifted) == pytest.approx(rs.score(name)(P), abs=1e-15)
    back = [shifted[i].shift_priors(Fraction(int(sum(row[2:])), int(sum(row)))) for i, row in enumerate(rows)]
    assert all(same(P[i], Q) for i, Q in enumerate(back))


@given(COUNTS)
def test_no_skill_keeps_the_marginals_and_is_idempotent(rows: list) -> None:
    P = Performances.from_counts(rows)
    Q = P.no_skill()
    assert Q.priors == pytest.approx(P.priors, abs=1e-15)
    assert Q.prediction_rates == pytest.approx(P.prediction_rates, abs=1e-15)
    assert same(Q.no_skill(), Q)
    assert (Q.integers[:, 0] * Q.integers[:, 3] == Q.integers[:, 1] * Q.integers[:, 2]).all()


@given(COUNTS, st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(lambda weights: weights[0] > 0))
def test_mixtures_are_exact_and_keep_expectations(rows: list, weights: list) -> None:
    weights = weights[: len(rows)]
    mixture = Performances.from_counts(rows).mix(weights)
    for outcome in range(4):
        expected = sum(Fraction(w * row[outcome], sum(row)) for w, row in zip(weights, rows, strict=True)) / sum(
            weights
        )
        assert Fraction(mixture.integers[0, outcome], mixture.integers[0].sum()) == expected


@given(COUNTS, st.tuples(*[st.integers(0, 9)] * 4).filter(all))
def test_ranking_score_is_expected_satisfaction_after_the_filter(rows: list, importance: tuple) -> None:
    P = Performances.from_counts(rows)
    filtered = P.filter(importance)
    assert rs.score("accuracy")(filtered) == pytest.approx(rs.ranking_score(P, importance), abs=1e-15)
    assert same(filtered.filter([Fraction(1, i) for i in importance]), P)


def test_operations_on_floats_agree_with_those_on_counts() -> None:
    rows = np.random.default_rng(0).integers(1, 50, size=(20, 4))
    exact, floats = (
        Performances.from_counts(rows),
        Performances.from_probabilities(rows / rows.sum(axis=1, keepdims=True)),
    )
    for operation in (
        lambda P: P.mix(), lambda P: P.filter([1, 2, 3, 4]), lambda P: P.shift_priors(0.3), lambda P: P.no_skill(),
        lambda P: P.shift_priors(np.linspace(0.1, 0.9, 20)), lambda P: P.swap_classes(),
    ):  # fmt: skip
        assert operation(exact).mass == pytest.approx(operation(floats).mass, abs=1e-15)


def test_operations_outside_their_domain_say_so() -> None:
    P = Performances.from_counts([[5, 1, 0, 0]], names=["no positives"])
    with pytest.raises(rs.DataError, match=r'"no positives"\): it has no positive cases: its priors cannot be shifted'):
        P.shift_priors(0.5)
    with pytest.raises(rs.DataError, match="no mass on an outcome of positive importance"):
        P.filter([0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"a prior must lie in \[0, 1\]; got 20"):
        P.shift_priors(20)
    with pytest.raises(ValueError, match="as many weights"):
        P.mix([1, 2])


def test_averaging_over_domains_names_what_is_missing() -> None:
    P = Performances.from_counts(np.eye(4, dtype=int)[:3] + 1, names=["a", "b", "a"], domains=["x", "x", "y"])
    with pytest.raises(rs.DataError, match=r'1 cell of 4 missing \("b" on "y"\).*choose one domain'):
        P.over_domains()


def test_any_sample_space() -> None:
    space = rs.SampleSpace("retrieval", ("fp", "fn", "tp"), satisfaction=(0, 0, 1))
    P = Performances.from_counts([[3, 2, 5], [1, 1, 1]], names=["a", "b"], space=space)
    assert rs.ranking_score(P, [1, 1, 1]).tolist() == [0.5, 1 / 3]
    assert rs.rank(P, by=[1, 1, 2]).best == {"a"}
    with pytest.raises(ValueError, match="no_skill needs true negatives, which these data do not have"):
        P.no_skill()
    assert rs.rank(P, by="f1").best == {"a"}
    with pytest.raises(ValueError, match="F_1 is a score on two-class performances"):
        rs.rank(Performances.from_counts([[3, 2]], space=rs.SampleSpace("coin", ("up", "down"), (0, 1))), by="f1")


@pytest.mark.parametrize(("truth", "predictions", "says"), [
    ([0, 1, 1], [0.2, 0.7, 0.9], "predictions such as 0.2 are scores, not labels: compare them with a threshold"),
    (["no", "yes", "no"], [0.2, 0.7, 0.9], "predictions such as 0.2 are scores, not labels"),
    (["no", "yes", "no"], ["No", "Yes", "no"], "the labels \"Yes\", \"yes\" look like one, spelled in several ways: write them alike"),
    ([0, 1, 1], {"a": [[0.9, 0.1]] * 3, "b": [[0.2, 0.8]] * 3}, "of predict_proba take the column of the positive class, [:, 1], and compare it with a threshold"),
    ([0, 1, 1], {"a": [0, 1, 1], "b": [0, 1]}, "expected as many predictions of every entity; got a: 3, b: 2"),
])  # fmt: skip
def test_predictions_that_would_count_as_negative_are_refused(truth: list, predictions: object, says: str) -> None:
    with pytest.raises(DataError, match=re.escape(says)):
        Performances.from_labels(truth, predictions, pos_label="yes" if "yes" in truth else 1)


@pytest.mark.parametrize(("truth", "predicted"), [
    ([0, 0], [0, 1]), ([1.0, 0.0], [1, 0]), ([True, False], [1, 0]), ([[0], [1]], [1, 1]),
])  # fmt: skip
def test_labels_in_the_same_terms_are_taken(truth: list, predicted: list) -> None:
    assert Performances.from_labels(truth, predicted).counts.sum() == len(truth)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_of_predictions_is_one_column_per_entity(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]})
    performances = Performances.from_labels([0, 1, 1], frame)
    assert performances.names == ("a", "b")
    assert performances.counts.tolist() == [[1, 0, 0, 2], [1, 0, 1, 1]]


def test_confusion_matrices_by_name_and_normalized_ones() -> None:
    performances = Performances.from_confusion_matrix({"a": [[5, 1], [2, 2]], "b": [[4, 2], [1, 3]]})
    assert (performances.names, performances.counts[1].tolist()) == (("a", "b"), [4, 2, 1, 3])
    for matrix, side in (([[0.9, 0.1], [0.25, 0.75]], "row"), ([[0.9, 0.25], [0.1, 0.75]], "column")):
        with pytest.raises(DataError, match=f"normalized matrix: every {side} sums to 1, so"):
            Performances.from_confusion_matrix(matrix)


def test_per_entity_averages_only_where_there_are_several_domains() -> None:
    one = Performances.from_counts([[5, 1, 2, 2]], names=["m"], domains=["x"])
    assert one.per_entity() is one
    two = Performances.from_counts([[5, 1, 2, 2], [1, 1, 1, 1]], names=["m", "m"], domains=["x", "y"])
    assert two.per_entity().integers.tolist() == two.over_domains().integers.tolist()
    assert repr(two) == "<Performances: 1 entity on 2 domains, counts of tn, fp, fn, tp>"


def test_more_than_two_labels_need_a_positive_class() -> None:
    with pytest.raises(
        DataError, match="the labels 0, 1, 2 are more than two: name the positive class with pos_label="
    ):
        Performances.from_labels([0, 1, 2], [0, 1, 1])
    assert Performances.from_labels([0, 1, 2], [0, 1, 3], pos_label=1).counts.tolist() == [[2, 0, 0, 1]]


def test_pandas_objects_in_another_order_are_refused() -> None:
    pd = pytest.importorskip("pandas")
    truth = pd.Series([0, 1, 1, 0], index=[3, 2, 1, 0])
    for predictions in (truth.sort_index(), {"a": truth.sort_index()}, pd.DataFrame({"a": truth.sort_index()})):
        with pytest.raises(DataError, match="paired by position: align them first"):
            Performances.from_labels(truth, predictions)
    assert Performances.from_labels(truth, [0, 1, 1, 0]).counts.tolist() == [[2, 0, 0, 2]]


def test_the_truth_is_no_entity() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"y": [0, 1], "m": [1, 1]})
    with pytest.raises(DataError, match="the column y of the predictions is the truth itself: drop it"):
        Performances.from_labels(frame["y"], frame)


@pytest.mark.parametrize(("scores", "says"), [
    ([[0.1, 0.9], [0.8, 0.2]], r"pass those of the positive class, as in y_score\[:, 1\]"),
])  # fmt: skip
def test_scores_of_both_classes_are_refused(scores: list, says: str) -> None:
    with pytest.raises(DataError, match=says):
        Performances.from_scores([0, 1], scores)


def test_a_missing_label_is_named_wherever_it_is() -> None:
    truth = ["neg", "pos", "pos", "neg"]
    for predicted in ([None, "pos", "pos", "neg"], ["neg", "pos", "pos", None]):
        with pytest.raises(DataError, match="a predicted value is missing"):
            Performances.from_labels(truth, predicted, pos_label="pos")

"""Names that users of other libraries try, on every task: the same score, or the reason why there is none."""

from collections.abc import Callable
from typing import Any

import pytest
from sklearn import metrics

import rankscape as rs
from rankscape import UnknownScoreError, UsageError
from rankscape.tasks import detection, multi_class, ranking, regression, retrieval

P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
M = multi_class.evaluate([0, 1, 2, 2], {"a": [0, 2, 2, 1], "b": [0, 1, 2, 2]})
S = multi_class.evaluate([0, 1], {"a": [0, 1], "b": [0, 0]}, similarity=[[1, 0.5], [0, 1]])
R = regression.evaluate([1, 2], {"a": [1, 3], "b": [1, 4]})
Q = retrieval.evaluate([{1}, {2, 3}], {"x": [{1, 2}, {3}], "y": [{1}, {2, 4}]})
D = detection.evaluate([[[0, 10]]], [[[0, 9], [20, 30]]])
K = ranking.evaluate([1, 2, 3], [1, 3, 2])


@pytest.mark.parametrize("name", ["neg_log_loss", "neg_brier_score", "log_loss", "average_precision_score"])
def test_scores_of_cases_have_their_reason(name: str) -> None:
    with pytest.raises(UnknownScoreError, match=f"{name} is not a function of tn, fp, fn, tp but of the scores of"):
        rs.score(name)


@pytest.mark.parametrize(("name", "reason"), [
    ("nmi", "it needs the sizes of clusters and of what they share"),
    ("v_measure_score", "it needs the sizes of clusters"),
    ("nDCG@10", "tp but a metric of ranked lists: of runs and judgements, .*depth=10"),
    ("map", "tp but a metric of ranked lists"),
    ("silhouette_score", "it needs the positions of the elements"),
    ("mae", r'of pairs \(truth, prediction\) of regression: pass the name itself, .* by="mae"'),
    ("within(0.5)", "of regression: pass the name itself"),
    ("f1_weighted", "ask for f1, of the positive class; for f1_macro"),
    ("neg_f1", "signs as in neg_ are kept as directions"),
])  # fmt: skip
def test_names_that_mean_something_else(name: str, reason: str) -> None:
    with pytest.raises(UnknownScoreError, match=reason):
        rs.score(name)


@pytest.mark.some(2)
@pytest.mark.parametrize(("name", "function"), [
    ("f1_macro", metrics.f1_score),
    ("macro F1", metrics.f1_score),
    ("precision_macro", metrics.precision_score),
    ("recall_macro", metrics.recall_score),
    ("jaccard_macro", metrics.jaccard_score),
])  # fmt: skip
def test_macro_averages_of_two_classes(name: str, function: Callable[..., float]) -> None:
    truth = [0] * 60 + [1] * 40
    guess = [0] * 50 + [1] * 10 + [0] * 5 + [1] * 35
    assert rs.score(name)(P)[0] == pytest.approx(function(truth, guess, average="macro"))
    verdict = rs.audit(name, statistic=None)
    assert verdict.status == "refuted"
    assert verdict.quasiconvex.counterexample or verdict.quasiconcave.counterexample
    assert verdict.exact


def test_rand_score_is_accuracy() -> None:
    assert rs.score("rand_score").key == rs.score("Rand").key == "accuracy"


@pytest.mark.parametrize("name", ["kendall", "tau_a", "kendalltau", "Kendall tau"])
def test_names_of_tau(name: str) -> None:
    assert rs.score(name, K.space)(K)[0] == pytest.approx(1 / 3)


def test_other_correlations_of_ranks_have_their_reason() -> None:
    for name in ("tau_b", "spearman"):
        with pytest.raises(UnknownScoreError, match="it needs more than the pairs that are concordant"):
            rs.score(name, K.space)


@pytest.mark.parametrize("given", [Q, D])
def test_names_of_retrieval_and_detection(given: rs.Performances) -> None:
    fp, fn, tp = given.mass[0, -3:]
    for name, beta in (("f3", 3), ("F3 score", 3), ("f0.25", 0.25), ("fbeta(2)", 2), ("dice", 1)):
        expected = (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)
        assert rs.score(name, given.space)(given)[0] == pytest.approx(expected)
    assert rs.score("iou", given.space)(given)[0] == pytest.approx(tp / (tp + fp + fn))


def test_scores_of_several_classes() -> None:
    ranked = rs.rank(M, by="error rate")
    assert ranked.score.direction == "smaller"
    assert ranked.values == pytest.approx(1 - rs.rank(M, by="accuracy").values)
    assert ranked.ranks.tolist() == rs.rank(M, by="accuracy").ranks.tolist() == [2, 1]
    assert ranked.exact
    for name in ("mcc", "kappa", "matthews_corrcoef"):
        with pytest.raises(UnknownScoreError, match="it is no ranking score .* take accuracy or balanced accuracy"):
            rs.score(name, M.space)


@pytest.mark.parametrize(("given", "names"), [
    (S, 'by= is needed to rank multi-class performances: "expected similarity"'),
    (K, 'by= is needed to rank ranking performances: "tau"'),
    (R, 'by= is needed to rank regressors: "mae", "mse"'),
])  # fmt: skip
def test_without_by_the_names_are_told(given: Any, names: str) -> None:
    with pytest.raises(UsageError, match=names):
        rs.rank(given)
    assert rs.rank(P).score.key == rs.rank(P, by="f1").score.key
    assert rs.rank(Q).score.name == "F_1 score"
    assert rs.rank(M).score.name == "accuracy"


def test_an_importance_may_be_a_mapping() -> None:
    by = {"tn": 1, "fp": 1, "fn": 5, "tp": 5}
    assert rs.rank(P, by=by).ranks.tolist() == rs.rank(P, by=[1, 1, 5, 5]).ranks.tolist()
    assert rs.audit(by, statistic=None).status == "proved"
    assert rs.score({"fp": 1, "tp": 1})(P) == pytest.approx(rs.score("precision")(P))
    assert rs.rank(M, by={"2→2": 1, "2→1": 1}).values.tolist() == [0.5, 1]
    with pytest.raises(UsageError, match=r"'fox' is no outcome .* rs.tasks.multi_class.importance\(P, \{'fox': 5\}\)"):
        rs.rank(M, by={"fox": 5})
    with pytest.raises(
        UsageError, match=r"'fox' is no outcome of two-class performances; expected some of tn, fp, fn, tp"
    ):
        rs.rank(P, by={"fox": 5})


def test_sentences_for_what_is_no_score() -> None:
    with pytest.raises(UsageError, match="expected a score, .* got performances"):
        rs.rank(P, by=P)
    with pytest.raises(UsageError, match='a function is no score of pairs; expected "mae", "mse", "rmse" or "within'):
        rs.rank(R, by=metrics.mean_absolute_error)
    with pytest.raises(UsageError, match=r'no finite sample space, and so no Score: pass a name, .* by="mae"'):
        rs.score("mae", R.space)
    with pytest.raises(UsageError, match="iou must be one number: evaluate once per threshold"):
        detection.evaluate([[[0, 10]]], [[[0, 9]]], iou=[0.5, 0.75])
    with pytest.raises(UnknownScoreError, match=r"mape orders as the MAE whose importance is 1/\|y\|"):
        rs.rank(R, by="mape")
    with pytest.raises(UnknownScoreError, match="medae is no expected satisfaction of a case"):
        rs.rank(R, by="medae")

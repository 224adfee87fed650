"""What scikit-learn calls: scorers in its searches, and displays."""

import pickle
import sys
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, make_scorer, recall_score
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_validate

import rankscape as rs
from rankscape.errors import UndefinedScoreError, UsageError
from rankscape.plots import TileDisplay


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_classification(n_samples=200, weights=[0.8], flip_y=0.1, random_state=0)


def test_cross_validation_agrees_with_sklearn(data: tuple[Any, Any]) -> None:
    scoring = {
        "ours": rs.as_scorer("fbeta(2)"),
        "theirs": make_scorer(fbeta_score, beta=2),
        "loss": rs.as_scorer("error rate"),
    }
    found = cross_validate(LogisticRegression(), *data, scoring=scoring)
    assert found["test_ours"] == pytest.approx(found["test_theirs"], abs=1e-15)
    assert (found["test_loss"] <= 0).all()


@pytest.mark.nightly
def test_grid_search_and_tuned_threshold_agree_with_sklearn(data: tuple[Any, Any]) -> None:
    for ours, theirs in (
        (rs.as_scorer("f1"), "f1"),
        (rs.as_scorer(rs.fbeta(1)), "f1"),
        (rs.as_scorer("precision"), None),
    ):
        grid = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=ours, cv=3).fit(*data)
        tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=ours, cv=3).fit(*data)
        assert np.isfinite(tuned.best_score_)
        if theirs:
            other = TunedThresholdClassifierCV(LogisticRegression(), scoring=theirs, cv=3).fit(*data)
            assert tuned.best_threshold_ == other.best_threshold_
            assert tuned.best_score_ == pytest.approx(other.best_score_, abs=1e-15)
            assert grid.best_score_ == pytest.approx(
                GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=theirs, cv=3).fit(*data).best_score_
            )


def test_labels_of_texts_and_weights(data: tuple[Any, Any]) -> None:
    X, y = data
    names = np.where(y == 1, "spam", "ham")
    scorer = rs.as_scorer("f1", pos_label="spam")
    tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=scorer, cv=3).fit(X, names)
    assert (
        tuned.best_threshold_
        == TunedThresholdClassifierCV(LogisticRegression(), scoring="f1", cv=3).fit(X, y).best_threshold_
    )
    model, weight = LogisticRegression().fit(X, y), np.arange(len(y)) % 3
    expected = f1_score(y, model.predict(X), sample_weight=weight)
    assert rs.as_scorer("f1")(model, X, y, sample_weight=weight) == pytest.approx(expected, abs=1e-15)


def test_undefined_is_never_chosen_in_silence() -> None:
    always = LogisticRegression().fit([[0], [1], [2]], [0, 1, 0])
    always.intercept_ = np.array([-100.0])
    X, y = [[0], [1]], [0, 1]
    assert rs.as_scorer("precision")(always, X, y) == 0  # the limit of F-beta
    assert np.isnan(rs.as_scorer("precision", undefined="nan")(always, X, y))
    with pytest.raises(UndefinedScoreError):
        rs.as_scorer("precision", undefined="raise")(always, X, y)
    with pytest.raises(UndefinedScoreError):
        rs.as_scorer("mcc")(always, X, y)


def test_a_scorer_can_be_sent_to_another_process() -> None:
    scorer = pickle.loads(pickle.dumps(rs.as_scorer("fbeta(2)")))
    model = LogisticRegression().fit([[0], [1]], [0, 1])
    assert scorer(model, [[0], [1]], [0, 1]) == 1


def test_arguments_that_mean_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match='undefined="zero"'):
        rs.as_scorer("f1", undefined="zero")
    with pytest.raises(UsageError, match="neither a larger nor a smaller"):
        rs.as_scorer("prior")
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    with pytest.raises(UsageError, match="pip install scikit-learn"):
        rs.as_scorer("f1")


def test_displays_hold_what_they_draw(data: tuple[Any, Any]) -> None:
    X, y = data
    models = {"weak": LogisticRegression(C=0.001).fit(X, y), "strong": LogisticRegression().fit(X, y)}
    both = TileDisplay.from_estimator(models, X, y)
    expected = rs.Performances.from_labels(y, {name: model.predict(X) for name, model in models.items()})
    assert both.performances is not None
    assert both.performances.counts.tolist() == expected.counts.tolist()
    assert both.tile_map.shares == rs.tile.entity(expected).shares
    assert isinstance(both.figure_, Figure)
    one = TileDisplay.from_predictions(y, models["weak"].predict(X), names=["weak"])
    assert one.tile_map.flavor == "value"
    ax = Figure().add_subplot()
    assert one.plot(ax).ax_ is ax
    with pytest.raises(UsageError, match="no method predict"):
        TileDisplay.from_estimator("svm", X, y)


def test_scores_undefined_for_constant_predictions_name_the_way_out_and_take_a_number() -> None:
    pytest.importorskip("sklearn")
    from rankscape._scores.estimators import value_of_labels

    for name in ("mcc", "markedness"):
        with pytest.raises(rs.UndefinedScoreError, match="undefined=0 to take 0"):
            value_of_labels([0, 1, 1], [1, 1, 1], by=name)
        assert value_of_labels([0, 1, 1], [1, 1, 1], by=name, undefined=0) == 0
        assert value_of_labels([0, 1, 1], [0, 1, 1], by=name, undefined=0) == 1
    with pytest.raises(rs.UsageError, match="or a number"):
        rs.as_scorer("mcc", undefined="zero")


def test_thresholds_are_tuned_by_mcc() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    linear = pytest.importorskip("sklearn.linear_model")
    if not hasattr(selection, "TunedThresholdClassifierCV"):
        pytest.skip("this scikit-learn has no TunedThresholdClassifierCV")
    X, y = np.arange(40.0)[:, None] % 20, (np.arange(40) % 20 > 12).astype(int)
    tuned = selection.TunedThresholdClassifierCV(
        linear.LogisticRegression(), scoring=rs.as_scorer("mcc", undefined=0), cv=2
    ).fit(X, y)
    assert tuned.best_score_ > 0.8


def test_scorers_of_several_classes_agree_with_sklearn() -> None:
    X, y = make_classification(n_samples=150, n_classes=3, n_informative=4, random_state=0)
    names = np.array(["cat", "dog", "fox"])[y]
    scoring = {
        "accuracy": rs.as_scorer("accuracy"),
        "f1": rs.as_scorer("macro f1"),
        "recall": rs.as_scorer("recall(fox)"),
        "error": rs.as_scorer("error rate", classes=["cat", "dog", "fox"]),
        "costly": rs.as_scorer([1, 1, 5] * 3, classes=["cat", "dog", "fox"]),
        "sk_accuracy": "accuracy",
        "sk_f1": "f1_macro",
        "sk_recall": make_scorer(recall_score, labels=["fox"], average="macro"),
    }
    found = cross_validate(LogisticRegression(), X, names, scoring=scoring)
    for ours in ("accuracy", "f1", "recall"):
        assert found[f"test_{ours}"] == pytest.approx(found[f"test_sk_{ours}"], abs=1e-15)
    assert found["test_error"] == pytest.approx(found["test_accuracy"] - 1, abs=1e-15)
    assert np.isfinite(found["test_costly"]).all()
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=rs.as_scorer("macro f1")).fit(X, names)
    assert search.best_score_ == pytest.approx(found["test_f1"].mean(), abs=0.1)


def test_a_fold_may_lack_a_class() -> None:
    scorer = rs.as_scorer("accuracy", classes=["a", "b", "c"])
    always = DummyClassifier(strategy="constant", constant="a").fit([[0]] * 3, ["a", "b", "c"])
    assert scorer(always, [[0]] * 4, ["a", "a", "b", "a"]) == 0.75
    with pytest.raises(UsageError, match="pass pos_label= for two classes or classes= for several"):
        rs.as_scorer("accuracy", classes=["a", "b"], pos_label="a")
    with pytest.raises(rs.UnknownScoreError, match="no score is called 'acuracy'"):
        rs.as_scorer("acuracy")

"""Scorers of scikit-learn, which are written in a line."""

from typing import Any

import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

import rankscape as rs


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_classification(n_samples=200, weights=[0.8], flip_y=0.1, random_state=0)


def test_a_scorer_of_one_line_agrees_with_sklearn(data: tuple[Any, Any]) -> None:
    X, y = data

    def value(y: Any, predicted: Any) -> float:
        return float(rs.score("f1")(rs.Performances.from_labels(y, predicted), undefined="limit")[0])

    ours, theirs = (
        TunedThresholdClassifierCV(LogisticRegression(), scoring=scoring, cv=3).fit(X, y)
        for scoring in (make_scorer(value), "f1")
    )
    assert ours.best_threshold_ == theirs.best_threshold_
    assert make_scorer(value)(ours, X, y) == pytest.approx(f1_score(y, ours.predict(X)), abs=1e-15)

"""What scikit-learn calls: displays; and scorers that are written in a line."""

from typing import Any

import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

import rankscape as rs
from rankscape.errors import UsageError
from rankscape.plots import TileDisplay


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

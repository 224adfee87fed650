"""Thresholds: operating points against scikit-learn, the hull against a walk over all points, the best by looking."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, roc_curve

import rankscape as rs
from rankscape._scores.score import levels
from rankscape.decisions import sweep
from rankscape.decisions.thresholds import hull_rows
from rankscape.errors import DataError, UndefinedScoreError, UsageError
from rankscape.geometry.hull import hull
from rankscape.performances import Performances

SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, -1.0, 5e-324, 0.1, 1e300, -1e300, 1e-45]),  # ties, and numbers near others
    st.floats(-2, 2, allow_nan=False),
    st.floats(-2, 2, width=32, allow_nan=False),
)
CASES = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=40)


def naive(cases: list[tuple[bool, float]], threshold: float) -> list[int]:
    counts = [0, 0, 0, 0]
    for truth, score in cases:
        counts[2 * truth + (score >= threshold)] += 1
    return counts


@given(cases=CASES)
@example(cases=[(True, 0.0), (False, -0.0), (True, 5e-324)])
def test_every_distinct_score_is_an_operating_point(cases: list[tuple[bool, float]]) -> None:
    points = rs.sweep([truth for truth, _ in cases], [score for _, score in cases])
    assert points.thresholds.tolist() == [np.inf, *sorted({score for _, score in cases}, reverse=True)]
    assert points.counts.tolist() == [naive(cases, t) for t in points.thresholds]
    weighted = rs.sweep(*zip(*cases, strict=True), sample_weight=np.full(len(cases), 3))
    assert weighted.counts.tolist() == (3 * points.counts).tolist()
    for threshold in (-5.0, 0.0, 0.25, 7.0, float("inf"), cases[0][1]):
        assert points.at(threshold).counts.tolist() == [naive(cases, threshold)]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_operating_points_agree_with_sklearn(kind: type) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(5000) < 0.3
    score = (rng.normal(size=5000) + truth).astype(kind)
    points = rs.sweep(truth, score)
    fpr, tpr, thresholds = roc_curve(truth, score.astype(float), drop_intermediate=False)
    assert np.array_equal(points.thresholds, thresholds)
    assert np.array_equal(points.counts[:, 1] / (~truth).sum(), fpr)
    assert np.array_equal(points.counts[:, 3] / truth.sum(), tpr)


@given(cases=CASES)
def test_the_hull_is_that_of_roc_space(cases: list[tuple[bool, float]]) -> None:
    points = rs.sweep([1, 0, *(truth for truth, _ in cases)], [0.0, 0.0, *(score for _, score in cases)])
    found = points.hull()
    expected = hull(points.performances, corners=False)
    assert {tuple(row) for row in found.counts.tolist()} == {tuple(row) for row in points.counts[expected].tolist()}
    assert len(found) == len({tuple(row) for row in points.counts[expected].tolist()})


@pytest.mark.parametrize("shape", ["random", "concave", "convex", "stairs"])
def test_pruning_a_large_sweep_loses_no_vertex(shape: str) -> None:
    rng, n = np.random.default_rng(0), 20_000
    steps = {"random": rng.integers(0, 2, n), "stairs": np.arange(n) % 2}
    if shape in steps:
        tp, fp = np.cumsum(steps[shape]), np.cumsum(1 - steps[shape])
    else:
        fp = np.arange(n)
        tp = n * n - (n - fp) ** 2 if shape == "concave" else fp**2
    walked: list[int] = []
    for row in range(len(fp)):
        while walked and fp[walked[-1]] == fp[row]:
            walked.pop()
        if walked and tp[row] <= tp[walked[-1]]:
            continue
        while len(walked) > 1:
            p, q = walked[-2:]
            if (fp[q] - fp[p]) * (tp[row] - tp[p]) < (tp[q] - tp[p]) * (fp[row] - fp[p]):
                break
            walked.pop()
        walked.append(row)
    assert hull_rows(fp, tp).tolist() == walked
    scaled = hull_rows(fp.astype(float) / 8, tp.astype(float) / 8)  # floats go another way
    assert scaled.tolist() == walked


@pytest.mark.some(5)
@pytest.mark.parametrize(
    "by", ["f1", "fbeta(2)", "accuracy", "precision", "recall", "tnr", "npv", "kappa", "mcc", "error rate"]
)
@given(cases=CASES)
def test_the_best_threshold_is_the_best_of_all(by: str, cases: list[tuple[bool, float]]) -> None:
    points = rs.sweep([1, 0, *(truth for truth, _ in cases)], [0.0, 0.25, *(score for _, score in cases)])
    score, everything = rs.score(by), points.performances
    ranking = levels(everything, score)[0]
    found = points.best(by, current=0.5)
    row = points.thresholds.tolist().index(found.threshold)
    assert ranking[row] == ranking.max()
    assert found.value == score(everything)[row]
    below = points.thresholds[row + 1] if row + 1 < len(points) else -np.inf
    assert found.below == below
    assert found.gain is not None
    assert found.gain >= 0 or np.isnan(found.gain)


def test_the_best_f1_agrees_with_trying_every_threshold() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(300) < 0.3
    score = np.round(rng.normal(size=300) + truth, 2)
    found = rs.sweep(truth, score).best("f1", current=0.5)
    values = {t: f1_score(truth, score >= t) for t in score}
    assert found.value == pytest.approx(max(values.values()), abs=1e-15)
    assert values[found.threshold] == pytest.approx(found.value, abs=1e-15)
    assert found.gain == pytest.approx(max(values.values()) - f1_score(truth, score >= 0.5), abs=1e-15)


def test_preferences_ties_and_one_class() -> None:
    points = rs.sweep([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
    assert points.best(rs.costs(miss=5)).threshold == 0.2
    assert points.best(rs.costs(false_alarm=5)).threshold == 0.4
    assert points.best(rs.costs()).tied == (0.4, 0.2)  # one error each
    assert rs.sweep([0, 0], [1, 2]).best("accuracy").threshold == np.inf
    with pytest.raises(UndefinedScoreError, match="undefined at every threshold"):
        rs.sweep([0, 0], [1, 2]).best("recall")
    assert points.frame()["tp"].tolist() == [0, 1, 1, 2, 2]
    assert repr(points) == "<ThresholdSweep: 5 operating points, thresholds from ∞ to 0.1>"


def test_texts_and_weights() -> None:
    points = rs.sweep(["ham", "spam", "spam"], [0.1, 0.1, 0.9], pos_label="spam", sample_weight=[0.5, 1.0, 2.5])
    assert points.counts.tolist() == [[0.5, 0, 3.5, 0], [0.5, 0, 1.0, 2.5], [0, 0.5, 0, 3.5]]
    assert points.performances.integers.tolist()[1] == [1, 0, 2, 5] or Fraction(1, 8) == points.performances.mass[1, 0]


@pytest.mark.parametrize(
    ("truth", "score", "part"),
    [
        ([0, 1], [0.5, float("nan")], "case 2: scores must be finite"),
        ([0, 1], [0.5], "as many scores as true values"),
        ([0, 1, 2], [1, 2, 3], "more than two"),
        (["a", "b"], [1, 2], 'nothing says which of the labels "a", "b" is positive'),
        ([], [], "no cases"),
    ],
)
def test_what_is_no_scored_classifier(truth: list[object], score: list[float], part: str) -> None:
    with pytest.raises(DataError, match=part):
        rs.sweep(truth, score)


def test_a_threshold_is_a_number() -> None:
    with pytest.raises(UsageError, match="got NaN"):
        rs.sweep([0, 1], [0, 1]).at(float("nan"))


def test_the_best_threshold_is_a_table() -> None:
    found = sweep([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]).best("f1", current=0.5)
    row = dict(zip(found.table().columns, next(found.table().rows()), strict=True))
    assert (row["threshold"], row["below"], row["current"]) == (0.3, 0.2, 0.5)
    assert row["value"] == found.value
    assert list(found.frame()["threshold"]) == [0.3]


def test_a_score_that_is_undefined_on_the_hull_is_best_elsewhere() -> None:
    points = rs.sweep([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.2])
    assert (points.best("plr").threshold, points.best("plr").value) == (0.3, 2.0)
    with pytest.raises(UndefinedScoreError, match="at every threshold"):
        rs.sweep([1, 1], [0.9, 0.8]).best("plr")


def test_truth_that_would_be_misread_is_refused() -> None:
    for truth in ([0, 1, "1"], [1, "1", "1"]):
        with pytest.raises(DataError, match="texts and others"):
            rs.sweep(truth, [0.1, 0.2, 0.3])
    truth = pd.Series([0, 1, 1])
    with pytest.raises(DataError, match="in another order"):
        rs.sweep(truth, truth[::-1])


def test_the_names_of_operating_points_are_written_once_they_are_asked_for() -> None:
    P = Performances.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    names = ("score >= inf", "score >= 0.8", "score >= 0.4", "score >= 0.1")
    assert "names" not in vars(P)
    assert pickle.loads(pickle.dumps(P)).names == P[::-1].names[::-1] == P.shift_priors(0.2).names == P.names == names
    assert P.names is P.names
    assert rs.sweep([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]).performances.names == names
    with pytest.raises(AttributeError, match="'Performances' object has no attribute 'name'"):
        _ = P.name


@pytest.mark.parametrize("kind", [bool, int, np.uint8, float, list, str])
def test_usual_labels_are_those_that_are_looked_at_one_by_one(kind: Any) -> None:
    truth = [0, 1, 1, 0, 1]
    labels = truth if kind is list else np.array(truth).astype(kind)
    scores = [0.1, 0.4, 0.4, 0.8, 0.3]
    P = Performances.from_scores(labels, scores, pos_label="1" if kind is str else 1)
    assert P.counts.tolist() == [[2, 0, 3, 0], [1, 1, 3, 0], [1, 1, 1, 2], [1, 1, 0, 3], [0, 2, 0, 3]]
    if kind is not str:
        assert rs.sweep(labels, scores).counts.tolist() == P.counts.tolist()
    zero = Performances.from_scores(labels, scores, pos_label="0" if kind is str else 0)
    assert zero.counts.tolist() == P.counts[:, [2, 3, 0, 1]].tolist()

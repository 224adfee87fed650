"""Confusion matrices in data frames go by label; indicator matrices are refused."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn import metrics

import rankscape as rs
from rankscape import DataError
from rankscape.tasks import multi_class, ranking, retrieval

RNG = np.random.default_rng(3)
TRUTH = RNG.choice(["cat", "dog", "fox"], 80)
GUESS = np.where(RNG.random(80) < 0.6, TRUTH, RNG.permutation(TRUTH))
TABLE = pd.crosstab(TRUTH, GUESS)


def test_columns_of_a_frame_go_to_the_rows_of_their_label() -> None:
    exchanged = TABLE[["fox", "cat", "dog"]]
    for given in (TABLE, exchanged, exchanged.loc[["cat", "dog", "fox"]]):
        P = multi_class.from_confusion_matrix(given)
        assert multi_class.classes(P) == ("cat", "dog", "fox")
        assert P.counts[0].reshape(3, 3).tolist() == metrics.confusion_matrix(TRUTH, GUESS).tolist()
    P = multi_class.from_confusion_matrix(exchanged, labels=["fox", "dog", "cat"])
    assert (
        P.counts[0].reshape(3, 3).tolist()
        == metrics.confusion_matrix(TRUTH, GUESS, labels=["fox", "dog", "cat"]).tolist()
    )


def test_frames_are_brought_into_one_order() -> None:
    other = TABLE.loc[["fox", "dog", "cat"], ["dog", "cat", "fox"]]
    for both in ({"a": TABLE, "b": other}, [TABLE, other]):
        P = multi_class.from_confusion_matrix(both)
        assert P.counts[0].tolist() == P.counts[1].tolist()
    assert multi_class.from_confusion_matrix({"a": TABLE, "b": other}).names == ("a", "b")
    with pytest.raises(DataError, match='"b": rows are the classes'):
        multi_class.from_confusion_matrix(
            {"a": TABLE, "b": other.rename({"fox": "owl"}).rename(columns={"fox": "owl"})}
        )
    with pytest.raises(DataError, match="some matrices name their classes, others do not"):
        multi_class.from_confusion_matrix({"a": TABLE, "b": TABLE.to_numpy()})
    with pytest.raises(DataError, match="of the same classes; got the shapes"):
        multi_class.from_confusion_matrix({"a": np.eye(3, dtype=int), "b": np.eye(2, dtype=int)})


def test_one_side_may_be_without_names() -> None:
    cm = TABLE.to_numpy()
    for frame in (
        pd.DataFrame(cm, columns=["cat", "dog", "fox"]),
        pd.DataFrame(cm, index=["cat", "dog", "fox"]),
        pl.DataFrame(cm, schema=["cat", "dog", "fox"], orient="row"),
    ):
        P = multi_class.from_confusion_matrix(frame)
        assert multi_class.classes(P) == ("cat", "dog", "fox")
        assert P.counts.tolist() == [cm.ravel().tolist()]
    assert multi_class.classes(multi_class.from_confusion_matrix(pd.DataFrame(cm))) == ("0", "1", "2")
    read_again = pd.DataFrame(cm, columns=["2", "1", "0"])  # as from a CSV: rows are numbers, columns texts
    read_again.index = pd.Index([2, 1, 0])
    assert multi_class.from_confusion_matrix(read_again).counts.tolist() == [cm.ravel().tolist()]


@pytest.mark.parametrize("make", [rs.Performances.from_confusion_matrix, multi_class.from_confusion_matrix])
@pytest.mark.parametrize(("frame", "message"), [
    (pd.crosstab(["a", "b", "b"], ["a", "a", "a"]), "there is no column b: give every class both, as does frame.reindex"),
    (pd.crosstab(["a", "b", "b"], ["a", "a", "c"]), "rows are the classes a, b, columns a, c; there is no column b"),
    (pd.crosstab(["a", "b"], ["a", "b"], rownames=["predicted"], colnames=["y_pred"]), "are both called predicted"),
    (pd.crosstab(["a", "b"], ["a", "b"], rownames=["true"], colnames=["y_true"]), "are both called true: say which are"),
    (pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"]), "two rows have the same label"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(make: Callable[[Any], Any], frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        make(frame)


def test_two_classes_go_by_label_too() -> None:
    frame = pd.DataFrame([[50, 10], [5, 35]], index=["neg", "pos"], columns=["neg", "pos"])
    make = rs.Performances.from_confusion_matrix
    for given in (frame, frame[["pos", "neg"]], frame.loc[["pos", "neg"], ["pos", "neg"]]):
        assert make(given).counts.tolist() == [[50, 10, 5, 35]]
    assert make({"a": frame, "b": frame[["pos", "neg"]]}).counts.tolist() == [[50, 10, 5, 35]] * 2
    numbers = pd.DataFrame([[35, 5], [10, 50]], index=[1, 0], columns=[1, 0])
    assert make(numbers).counts.tolist() == [[50, 10, 5, 35]]
    animals = pd.DataFrame([[50, 10], [5, 35]], index=["cat", "ant"], columns=["cat", "ant"])
    with pytest.raises(
        DataError, match='nothing says which of the classes "cat", "ant" is positive: name the positive'
    ):
        make(animals)
    assert make(animals, pos_label="ant").counts.tolist() == [[50, 10, 5, 35]]
    assert make(animals, pos_label="cat").counts.tolist() == [[35, 5, 10, 50]]
    assert make([[50, 10], [5, 35]], pos_label=0).counts.tolist() == [[35, 5, 10, 50]]
    for pair in (
        ("no", "yes"),
        ("normal", "abnormal"),
        ("ham", "spam"),
        (-1, 1),
        ("no lesion", "lesion"),
    ):
        for classes in (list(pair), list(pair[::-1])):
            named = pd.DataFrame([[50, 10], [5, 35]], index=pair, columns=pair).loc[classes, classes]
            assert make(named).counts.tolist() == [[50, 10, 5, 35]]


# ---- indicator matrices


def test_indicator_matrices_are_refused_and_become_sets_of_labels() -> None:
    truth, guess = (RNG.random((40, 5)) < 0.4).astype(int), (RNG.random((40, 5)) < 0.5).astype(int)
    sets = [set(np.flatnonzero(row)) for row in truth]
    P = retrieval.evaluate(sets, [set(np.flatnonzero(row)) for row in guess], pooled=True)
    assert rs.score("jaccard", P.space)(P)[0] == pytest.approx((truth & guess).sum() / (truth | guess).sum())
    labels = list("vwxyz")
    for matrix in (
        truth,
        truth[:, :2],
        truth.astype(bool),
        truth.astype(float),
        pd.DataFrame(truth, columns=labels),
        pl.DataFrame(truth, schema=labels),
        csr_matrix(truth),
    ):
        with pytest.raises(DataError, match=r"the truth is a matrix of 0 and 1, .* as in \[set\(np\.flatnonzero"):
            retrieval.evaluate(matrix, matrix)
        for found in (matrix, {"a": matrix, "b": sets}):
            with pytest.raises(DataError, match="the prediction is a matrix of 0 and 1, which name no more than two"):
                retrieval.evaluate(sets, found)
    with pytest.raises(DataError, match="the prediction is a matrix of 0 and 1"):
        retrieval.evaluate(sets, np.stack([guess, truth]))
    with pytest.raises(DataError, match="the prediction is lists of 0 and 1"):
        retrieval.evaluate(sets, guess.tolist())


def test_results_by_number_and_frames_of_systems_are_no_indicators() -> None:
    ids = np.array([[3, 7], [8, 3]])  # results by number, as many for every query
    assert retrieval.evaluate([{3}, {8}], ids).mass.tolist() == [[0.5, 0, 0.5]]
    frame = pd.DataFrame({"one": [["a"], ["c"]], "two": [[], ["b"]]})
    assert retrieval.evaluate([["a"], ["b"]], frame).names == ("one", "two")
    with pytest.raises(DataError, match="'a' is none of the truth"):
        retrieval.evaluate({}, {"a": {}})


# ---- rankings of elements with names


def test_rankings_of_other_elements_are_refused() -> None:
    truth = pd.Series([1, 2, 3], index=["x", "y", "z"])
    other = pd.Series([1, 3, 2], index=["x", "y", "w"])
    for found in (other, {"a": truth, "b": other}, pd.DataFrame({"a": other})):
        with pytest.raises(DataError, match=r"different indices; one only has '[wz]': an index names"):
            ranking.evaluate(truth, found)
    assert ranking.evaluate(truth, [1, 3, 2]).counts.tolist() == [[1, 2]]

"""The positive class by one rule, whichever way the labels come; what does not tell it is asked for."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import classification_report, confusion_matrix

import rankscape as rs

TRUTH = np.array([0] * 60 + [1] * 40)
GUESS = np.array([0] * 50 + [1] * 10 + [0] * 5 + [1] * 35)
COUNTS = [[50, 10, 5, 35]]
PAIRS: list[tuple[Any, Any]] = [
    (0, 1), (-1, 1), (False, True), (0.0, 1.0), ("0", "1"), ("no", "yes"), ("No", "YES"), ("negative", "positive"),
    ("neg", "pos"), ("normal", "abnormal"), ("benign", "malignant"), ("healthy", "sick"), ("ham", "spam"), ("f", "t"),
    ("absent", "present"), ("no lesion", "lesion"), ("not_fraud", "fraud"), ("non-smoker", "smoker"),
]  # fmt: skip
UNCLEAR: list[tuple[Any, Any]] = [
    ("cat", "dog"), (1, 2), ("a", "b"), (0, 2), ("ja", "nein"), ("left", "right"), ("M", "F"), (2, 4), ("good", "bad"),
]  # fmt: skip


def labeled(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    labels = np.array(pair, dtype=object if isinstance(pair[0], str) else None)
    return labels[TRUTH], labels[GUESS]


def of_labels(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    return rs.Performances.from_labels(*labeled(pair), pos_label=pos_label)


def of_frame(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    truth, guess = labeled(pair)
    return rs.count(pd.DataFrame({"y": truth, "p": guess}), truth="y", prediction="p", pos_label=pos_label)


def of_file(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    text = "y,p\n" + "".join(f"{y},{p}\n" for y, p in zip(*labeled(pair), strict=True))
    return rs.count(io.StringIO(text), truth="y", prediction="p", pos_label=pos_label)


def of_report(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    truth, guess = (part.tolist() for part in labeled(pair))
    return rs.read(classification_report(truth, guess, output_dict=True), pos_label=pos_label)


def of_matrix(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    truth, guess = (part.tolist() for part in labeled(pair))
    classes = sorted({*truth})  # as scikit-learn sorts them: "normal" stands last
    matrix = confusion_matrix(truth, guess, labels=classes).tolist()
    return rs.read({"labels": [*map(str, classes)], "matrix": matrix}, pos_label=pos_label)


def of_crosstab(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    truth, guess = labeled(pair)
    table = pd.crosstab(pd.Series(truth, name="actual"), pd.Series(guess, name="predicted"))
    return rs.Performances.from_confusion_matrix(table, pos_label=pos_label)


def of_read_crosstab(pair: tuple[Any, Any], pos_label: Any = None) -> rs.Performances:
    return rs.read(pd.crosstab(*labeled(pair)), pos_label=pos_label)


DOORS = [of_labels, of_frame, of_file, of_report, of_matrix, of_crosstab, of_read_crosstab]
Door = Callable[..., rs.Performances]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_every_door_finds_the_positive_class_of_a_pair(door: Door, pair: tuple[Any, Any]) -> None:
    assert door(pair).counts.tolist() == COUNTS
    assert door(pair, pair[0]).counts.tolist() == [COUNTS[0][::-1]]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("pair", UNCLEAR, ids=str)
def test_every_door_asks_for_the_positive_class_of_others(door: Door, pair: tuple[Any, Any]) -> None:
    with pytest.raises(
        rs.DataError, match="nothing says which of the .* is positive: name the positive class with pos_label="
    ):
        door(pair)
    assert door(pair, pair[1]).counts.tolist() == COUNTS
    with pytest.raises(rs.DataError, match='pos_label="heron" is none of the'):
        door(pair, "heron")


@pytest.mark.parametrize("pair", [(0, 1), ("no", "yes"), (False, True), ("normal", "abnormal")], ids=str)
def test_a_class_that_never_occurs_may_be_the_positive_one(pair: tuple[Any, Any]) -> None:
    negatives = np.array([pair[0]] * 5)
    assert rs.Performances.from_labels(negatives, negatives).counts.tolist() == [[5, 0, 0, 0]]
    frame = pd.DataFrame({"y": negatives, "p": negatives})
    assert rs.count(frame, truth="y", prediction="p").counts.tolist() == [[5, 0, 0, 0]]
    assert rs.count(frame, truth="y", prediction="p", pos_label=pair[1]).counts.tolist() == [[5, 0, 0, 0]]


@pytest.mark.parametrize("pair", [("no", "yes"), ("ham", "spam"), (-1, 1)], ids=str)
def test_scores_go_by_the_same_rule(pair: tuple[Any, Any]) -> None:
    truth = labeled(pair)[0]
    scores = np.linspace(0, 1, len(truth))
    assert (
        rs.Performances.from_scores(truth, scores).counts == rs.Performances.from_scores(TRUTH, scores).counts
    ).all()
    sweeps = rs.sweep(truth, {"m": scores})
    assert sweeps.best("f1").frame()["value"][0] == rs.sweep(TRUTH, {"m": scores}).best("f1").frame()["value"][0]
    with pytest.raises(rs.DataError, match="nothing says which of the labels 1, 2 is positive"):
        rs.sweep(TRUTH + 1, {"m": scores})


# Axes of matrices


def crosstab(rows: str | None, columns: str | None) -> pd.DataFrame:
    labels = np.array(["no", "yes"])
    frame = pd.crosstab(labels[TRUTH], labels[GUESS])
    frame.index.name, frame.columns.name = rows, columns
    return frame


@pytest.mark.parametrize(("truth", "guess"), [
    ("Actual", "Predicted"), ("True label", "Predicted label"), ("reference", "prediction"), ("y_true", "y_pred"),
    ("Truth", None), (None, "Forecast"), ("observed", "forecast"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::rankscape.errors.IncompleteDataWarning")
@pytest.mark.parametrize("door", [rs.read, rs.Performances.from_confusion_matrix])
def test_words_of_the_axes_tell_which_side_is_the_truth(door: Door, truth: str | None, guess: str | None) -> None:
    assert door(crosstab(truth, guess)).counts.tolist() == COUNTS
    assert door(crosstab(truth, guess).T).counts.tolist() == COUNTS


@pytest.mark.filterwarnings("ignore::rankscape.errors.IncompleteDataWarning")
@pytest.mark.parametrize("door", [rs.read, rs.Performances.from_confusion_matrix])
@pytest.mark.parametrize(
    "words", [("Actual {}", "Predicted {}"), ("true: {}", "pred: {}"), ("actual_{}", "predicted_{}")]
)
def test_words_in_the_labels_do_so_too(door: Door, words: tuple[str, str]) -> None:
    rows, columns = ([word.format(label) for label in ("negative", "positive")] for word in words)
    frame = pd.DataFrame([[50, 10], [5, 35]], index=rows, columns=columns)
    assert door(frame).counts.tolist() == COUNTS
    assert door(frame.T).counts.tolist() == COUNTS
    assert door(frame.loc[rows[::-1]]).counts.tolist() == COUNTS


@pytest.mark.filterwarnings("ignore::rankscape.errors.IncompleteDataWarning")
def test_margins_are_no_classes() -> None:
    labels = np.array(["no", "yes"])
    with_sums = pd.crosstab(labels[TRUTH], labels[GUESS], margins=True)
    assert rs.read(with_sums).counts.tolist() == COUNTS
    assert rs.Performances.from_confusion_matrix(with_sums).counts.tolist() == COUNTS
    animals = np.array(["cat", "dog", "All"])  # a twin: a class of this name that is no sum
    named = pd.crosstab(animals[[0, 1, 2, 2]], animals[[0, 1, 2, 0]])
    assert rs.tasks.multi_class.classes(rs.tasks.multi_class.from_confusion_matrix(named)) == ("All", "cat", "dog")


def test_frames_of_matrices_are_read_as_arrays_are() -> None:
    a, b = [[40, 10], [5, 45]], [[48, 2], [20, 30]]
    expected = rs.read({"a": np.array(a), "b": np.array(b)}).counts.tolist()
    for given in (
        {"a": pd.DataFrame(a), "b": pd.DataFrame(b)},
        {"a": pd.DataFrame(a, index=["no", "yes"], columns=["no", "yes"]),
         "b": pd.DataFrame(b, index=["no", "yes"], columns=["no", "yes"])[["yes", "no"]]},
    ):  # fmt: skip
        assert rs.read(given).counts.tolist() == expected
    assert rs.read(pd.DataFrame(a)).counts.tolist() == expected[:1]
    three = pd.DataFrame([[5, 1, 0], [0, 4, 2], [1, 0, 7]], index=list("abc"), columns=list("abc"))
    assert rs.read(three).space.outcomes[:3] == ("a→a", "a→b", "a→c")


# Normalized matrices

NORMALIZED = [
    ([[98.2, 1.8, 0], [40.3, 59.7, 0], [0, 30.1, 69.9]], "row sums to 100"),
    ([[98, 2], [40, 60]], "row sums to 100"),
    ([[98, 40], [2, 60]], "column sums to 100"),
    ([[0.98, 0.02], [0.4, 0.6]], "row sums to 1"),
    ([[0.33, 0.33, 0.33], [0, 1, 0], [0.5, 0.3, 0.21]], "row sums to 1"),
    ([[0.98, 0.4], [0.02, 0.6]], "column sums to 1"),
    ([[33, 33, 33], [0, 100, 0], [50, 30, 21]], "row sums to 100"),
    ([[33.3, 33.3, 33.3], [0, 100, 0], [50, 29.9, 20]], "row sums to 100"),
    ([[1 / 3, 1 / 3, 1 / 3], [0, 1, 0], [1 / 7, 2 / 7, 4 / 7]], "row sums to 1"),
    ([[0.9, 0.1, 0], [0.3, 0.7, 0], [0, 0, 0]], "row sums to 1"),  # of one class there is no case
]


@pytest.mark.parametrize(("matrix", "says"), NORMALIZED, ids=str)
def test_normalized_matrices_are_refused_in_every_unit(tmp_path: Path, matrix: list[list[float]], says: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"svm": matrix, "tree": matrix}))
    classes = list("abcd")[: len(matrix)]
    for given in (path, matrix, {"svm": matrix}, {"labels": classes, "matrix": matrix}, pd.DataFrame(matrix)):
        with pytest.raises(
            rs.DataError, match=f"normalized matrix: every {says}, so that it does not say how .*give the counts"
        ):
            rs.read(given)


@pytest.mark.parametrize("matrix", [
    [[98, 4], [40, 60]], [[0.5, 0.1], [0.05, 0.35]], [[1, 0], [0, 1]], [[50, 10], [5, 35]], [[99, 1], [0, 0]],
    [[0.6, 0.4], [0, 0]], [[400, 100], [50, 450]], [[98, 2, 1], [40, 60, 5], [0, 30, 70]],
])  # fmt: skip
def test_counts_and_shares_of_all_cases_are_read(matrix: list[list[float]]) -> None:
    assert len(rs.read(matrix)) == len(rs.read({"a": matrix})) == 1


def test_counts_of_a_hundred_cases_of_each_class_are_said_to_be_counts() -> None:
    matrix = [[80, 20], [10, 90]]
    with pytest.raises(
        rs.DataError, match=r'if these are counts of about 100 cases each, say {"counts": \[\[…\], …\]}'
    ):
        rs.read(matrix)
    assert rs.read({"counts": matrix}).counts.tolist() == [[80, 20, 10, 90]]
    assert rs.read({"svm": {"counts": matrix}}).counts.tolist() == [[80, 20, 10, 90]]
    with pytest.raises(rs.DataError, match="normalized"):  # counts are whole
        rs.read({"counts": [[80.5, 19.5], [10, 90]]})


def test_correlations_are_no_confusion_matrix() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).random((30, 3)), columns=list("abc")).corr().abs()
    with pytest.raises(rs.DataError, match="symmetric with 1 on its diagonal, as correlations are"):
        rs.read(frame)


@pytest.mark.filterwarnings("ignore::rankscape.errors.IncompleteDataWarning")
def test_a_matrix_that_is_turned_around_says_so() -> None:
    with pytest.warns(
        rs.IncompleteDataWarning, match="the columns of the confusion matrix are the truth by their words"
    ):
        rs.read(crosstab("Predicted", "Actual"))
    labels = np.array(["no", "yes"])
    with pytest.warns(rs.IncompleteDataWarning, match="the row All of the matrix, a sum of the others, is left out"):
        rs.read(pd.crosstab(labels[TRUTH], labels[GUESS], margins=True))


@pytest.mark.parametrize("door", [of_labels, of_frame, of_file, of_report, of_matrix, of_crosstab, of_read_crosstab])
def test_the_account_shows_the_positive_class_with_its_share(door: Door) -> None:
    account = door(("normal", "abnormal")).account
    assert account is not None
    assert (account.positive.label, round(account.positive.share, 9)) == ("abnormal", 0.4)
    assert door(("cat", "dog"), "cat").account.positive == ("cat", 0.6)


@pytest.mark.parametrize("of", [of_labels, of_frame, of_file])
@pytest.mark.parametrize(("pair", "name"), [
    (("no", "yes"), "Yes"), (("No", "Yes"), "yes"), ((False, True), "true"), ((False, True), "1"), ((0, 1), "1"), ((0, 1), True),
])  # fmt: skip
def test_a_positive_label_is_found_however_it_is_typed(
    of: Callable[..., Any], pair: tuple[Any, Any], name: Any
) -> None:
    assert of(pair, name).counts.tolist() == COUNTS  # it counted as absent, and all cases as negative


def test_a_positive_label_that_may_be_two_is_refused() -> None:
    labels = ["Yes", "yes", "no"]
    for call in (rs.Performances.from_labels, lambda y, p, pos_label: rs.count({"y": y, "p": p}, truth="y", prediction="p",
                                                                               pos_label=pos_label)):  # fmt: skip
        with pytest.raises(rs.DataError, match='pos_label="YES" is none of the labels'):
            call(labels, labels, pos_label="YES")


def test_texts_beside_numbers_are_no_failures() -> None:
    for truth, guess in (([0, 1], ["a", "b"]), (["a", "b"], [0, 1])):
        with pytest.raises(rs.DataError, match="use the same labels in both"):
            rs.tasks.success.evaluate(truth, guess)

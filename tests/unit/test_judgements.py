"""Judgements of retrieval as pytrec_eval and ranx have them, and inputs of other tasks that would be misread."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape import DataError, UsageError
from rankscape.tasks import clustering, detection, multi_class, ranking, regression, retrieval

QRELS = {"q1": {"d1": 0, "d2": 0, "d9": 1}}
TWO = {"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d4": 3}}


@pytest.mark.parametrize("runs", [
    {"wrong": {"q1": ["d1", "d2"]}, "right": {"q1": ["d9"]}},
    {"wrong": {"q1": {"d1", "d2"}}, "right": {"q1": {"d9"}}},
    {"wrong": {"q1": {"d1": 0.9, "d2": 0.8}}, "right": {"q1": {"d9": -3}}},
    {"wrong": {"q1": {"d1": 1, "d2": 0}}, "right": {"q1": np.array(["d9"])}},
])  # fmt: skip
def test_documents_judged_irrelevant_do_not_count_as_relevant(runs: Any) -> None:
    P = retrieval.evaluate(QRELS, runs)
    assert P.names == ("wrong", "right")
    assert rs.score("f1", P.space)(P).tolist() == [0, 1]
    assert list(rs.rank(P, by="f1")) == ["right", "wrong"]


@pytest.mark.parametrize(("relevance", "expected"), [(1, (0, 1, 2)), (2, (1, 1, 1)), (0.5, (0, 1, 2)), (3, (2, 1, 0))])
def test_the_least_grade_that_counts(relevance: float, expected: tuple[int, ...]) -> None:
    P = retrieval.evaluate(TWO, {"q1": ["d1", "d2"], "q2": []}, relevance=relevance, pooled=True)
    assert P.counts.tolist() == [list(expected)]


def test_one_run_and_several_are_told_apart_by_their_depth() -> None:
    run = {"q1": {"d1": 0.4, "d2": 0.3}, "q2": {"d4": 0.2}}
    one, several = retrieval.evaluate(TWO, run), retrieval.evaluate(TWO, {"bm25": run, "dense": run})
    assert (one.names, several.names) == (("P1",), ("bm25", "dense"))
    assert np.array_equal(several.mass, np.repeat(one.mass, 2, axis=0))
    assert retrieval.evaluate(TWO, {"q1": {}, "q2": {}}).mass.tolist() == [[0, 1, 0]]
    listed = retrieval.evaluate(list(TWO.values()), {"bm25": list(run.values())})
    assert listed.mass.tolist() == one.mass.tolist()


@pytest.mark.parametrize(("run", "depth", "found"), [
    ({"d1": 0.1, "d2": 0.9}, 1, {"d2"}),
    ({"d1": -1, "d2": -2}, 1, {"d1"}),
    ({"d10": 0.5, "d2": 0.5, "d9": 0.5}, 1, {"d9"}),  # equal scores: the last of the alphabet first, as trec_eval
    ({"d10": 0.5, "d2": 0.5, "d9": 0.5}, 2, {"d9", "d2"}),
    ({"d1": 0.1, "d2": float("inf")}, 1, {"d2"}),
    ({"d1": 0.1}, 5, {"d1"}),
    (["d7", "d8", "d9"], 2, {"d7", "d8"}),
    (["d7", "d7", "d9"], 2, {"d7", "d9"}),
    (np.array(["d7", "d8"]), 1, {"d7"}),
    ({"d1"}, 1, {"d1"}),
])  # fmt: skip
def test_depth_takes_the_best_documents(run: Any, depth: int, found: set[str]) -> None:
    documents = {f"d{i}" for i in range(1, 11)}
    for document in documents:
        P = retrieval.evaluate({"q": [document]}, {"q": run}, depth=depth, pooled=True)
        hit = int(document in found)
        assert P.counts.tolist() == [[len(found) - hit, 1 - hit, hit]]


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-2, 2)),
    st.integers(1, 4),
    st.integers(1, 3),
)
def test_counts_at_a_depth_are_those_of_a_plain_loop(
    grades: dict[str, int], scores: dict[str, int], depth: int, relevance: int
) -> None:
    pairs = sorted(((score, document) for document, score in scores.items()), reverse=True)
    best = {document for _, document in pairs[:depth]}
    right = {document for document, grade in grades.items() if grade >= relevance}
    expected = [len(best - right), len(right - best), len(best & right)]
    P = retrieval.evaluate(
        {"q": grades, "all": {"x": 9}}, {"q": scores, "all": {"x": 1}}, depth=depth, relevance=relevance, pooled=True
    )
    assert (P.counts[0] - [0, 0, 1]).tolist() == expected


def test_a_run_without_a_query_has_retrieved_nothing_there() -> None:
    qrels = {**QRELS, "q2": {"d4": 1}}
    with pytest.warns(UserWarning, match="no results for 1 of 2") as caught:
        P = retrieval.evaluate(qrels, {"whole": {"q1": {"d9": 1}, "q2": {"d4": 1}}, "half": {"q1": {"d9": 1}}})
    assert P.mass.tolist() == [[0, 0, 1], [0, 0.5, 0.5]]
    (warning,) = caught
    assert 'entity "half" has no results for 1 of 2 queries, such as "q2"' in str(warning.message)
    assert "as with trec_eval -c" in str(warning.message)
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        retrieval.evaluate(qrels, {"q1": {"d9": 1}, "q2": {}})
    with pytest.warns(UserWarning, match='"empty" has no results for 2 of 2 queries'):
        assert retrieval.evaluate(qrels, {"a": {"q1": {"d9": 1}, "q2": {}}, "empty": {}}).mass[1].tolist() == [0, 1, 0]


@pytest.mark.parametrize(("truth", "run", "options", "message"), [
    (QRELS, {"q1": {"d9": 1.0}, "q7": {"d1": 1.0}}, {}, "the input 'q7' is none of the truth: drop it, or say what is"),
    ({1: {"d1": 1}}, {"1": {"d1": 0.3}}, {}, 'none of the queries of the truth .such as 1., but others .such as "1".'),
    (QRELS, {"q1": {"d9": float("nan")}}, {}, 'query "q1": the score of "d9" is nan; expected a number, larger for'),
    (QRELS, {"q1": {"d9": "0.3"}}, {}, 'the score of "d9" is "0.3"; expected a number'),
    (QRELS, {"q1": {"d9": True}}, {}, 'the score of "d9" is True; expected a number'),
    (QRELS, {"q1": {"d9": None}}, {}, 'the score of "d9" is None; expected a number'),
    ({"q1": {"d9": -1}}, {"q1": ["d9"]}, {}, 'the truth, query "q1": the grade of "d9" is -1; expected a number ≥ 0'),
    ({"q1": {"d9": float("nan")}}, {"q1": ["d9"]}, {}, 'the grade of "d9" is nan; expected a number ≥ 0'),
    ({"q1": {"d9": "1"}}, {"q1": ["d9"]}, {}, 'the grade of "d9" is "1"; expected a number ≥ 0'),
    (QRELS, {"q1": 7}, {}, 'query "q1": expected a set or list of results; got 7'),
    (QRELS, {"q1": ["d9"]}, {"depth": 0}, "depth must be a whole number, at least 1"),
    (QRELS, {"q1": {"d9", "d8"}}, {"depth": 1}, 'depth= needs scores, or lists in order; entity "P1", query "q1" is a'),
    (QRELS, {"q1": ["d9"]}, {"relevance": 0}, "relevance= must be a number above 0, the least grade that counts"),
    (QRELS, {"q1": ["d9"]}, {"relevance": float("nan")}, "relevance= must be a number above 0"),
    ([{1}], [{1}], {"relevance": 2}, "relevance= is about graded judgements; here the truth has sets or lists"),
    ({"q1": ["d9"], "q2": ["d9"]}, {"q1": ["d9"]}, {}, "the input 'q2' is missing: give an empty prediction"),
    ([{"d1"}], [[("d1", 0.3)]], {}, r"its results are tuples, such as \('d1', 0.3\), .* give scores as mappings"),
    ([{"1"}], [[1]], {}, 'its results are numbers, such as 1, those of the truth are texts, such as "1": use the same names in both'),
    ([{"d1"}], [[0.3, 0.2]], {}, "a result is 0.3; expected the names of documents: give scores as mappings"),
    ([{"d1"}], [pd.Series({"d1": 0.3})], {}, "a result is 0.3; expected the names of documents"),
    ([{1}], [[1, None]], {}, "a result is None; expected the names of documents"),
    ([[1, 0, 1], [0, 0, 1]], [[1, 1, 0], [0, 0, 1]], {}, "the truth is lists of 0 and 1, which name no more than two"),
])  # fmt: skip
def test_judgements_that_could_be_misread_are_refused(
    truth: Any, run: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((DataError, UsageError), match=message):
        retrieval.evaluate(truth, run, **options)


# ---- masks, mappings and missing values, on every task

MASKED = np.ma.masked_array([0, 1, 2], mask=[0, 1, 0])
HALF = np.ma.masked_array([[1, 1], [0, 1]], mask=[[0, 1], [0, 0]])
BOX = [[0.0, 0.0, 10.0, 10.0]]


@pytest.mark.parametrize("call", [
    *(lambda task=task: task.evaluate(MASKED, [0, 1, 2]) for task in (clustering, ranking, regression, multi_class)),
    *(lambda task=task: task.evaluate([0, 1, 2], MASKED) for task in (clustering, ranking, regression, multi_class)),
    lambda: ranking.evaluate([0, 1, 2], {"a": [2, 1, 0], "b": MASKED}),
    lambda: clustering.evaluate([0, 1, 2], [[0, 1, 2], MASKED]),
    lambda: regression.evaluate([0, 1, 2], [0, 1, 2], sample_weight=MASKED),
    lambda: multi_class.evaluate([0, 1, 2], [0, 1, 2], sample_weight=MASKED),
    lambda: regression.values(regression.evaluate([0, 1, 2], [0, 1, 2]), regression.criterion(importance=MASKED)),
    lambda: multi_class.from_confusion_matrix(HALF),
    lambda: multi_class.from_confusion_matrix({"a": HALF}),
    lambda: retrieval.evaluate([{1}], [np.ma.masked_array([1, 2], mask=[0, 1])]),
    lambda: retrieval.evaluate([{1}, {0}], HALF),
    lambda: detection.evaluate([np.ma.masked_array(BOX, mask=[[1, 1, 1, 1]])], [BOX]),
    lambda: detection.evaluate(
        [{"boxes": BOX, "labels": np.ma.masked_array([1], mask=[1])}], [{"boxes": BOX, "labels": [1]}]
    ),
])  # fmt: skip
def test_masks_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(
        DataError,
        match=r"\d of \d values (is|are) masked, the first at position .*, and a masked value is a missing one",
    ):
        call()


def test_a_mask_that_hides_nothing_is_none() -> None:
    whole = np.ma.masked_array([0, 1, 1], mask=False)
    assert clustering.evaluate(whole, whole).counts.tolist() == [[2, 0, 0, 1]]
    assert multi_class.from_confusion_matrix(np.ma.masked_array([[1, 2], [3, 4]])).counts.tolist() == [[1, 2, 3, 4]]


@pytest.mark.parametrize("task", [clustering, ranking, regression, multi_class])
def test_cases_by_name_are_refused_in_one_sentence(task: Any) -> None:
    cases = {"x": 0, "y": 1, "z": 2}
    for truth, guess in ((cases, cases), (cases, [0, 1, 2]), (cases, {"a": cases})):
        with pytest.raises(DataError, match="the truth is a mapping; expected one value per case, in one order"):
            task.evaluate(truth, guess)
    with pytest.raises(DataError, match="an entity has one value, not one per case; expected one value per case"):
        task.evaluate([0, 1, 2], cases)


@pytest.mark.parametrize("matrix", [
    [[0.5, 0.5], [0.1, 0.9]],
    [[0.5, 0.1], [0.5, 0.9]],
    [[0.5, 0.5, 0], [0.1, 0.9, 0], [0, 0, 0]],
    {"counts": [[0.25, 0.25], [0.25, 0.25]], "rates": [[0.5, 0.5], [0.1, 0.9]]},
], ids=str)  # fmt: skip
def test_normalized_confusion_matrices_have_lost_the_class_priors(matrix: Any) -> None:
    with pytest.raises(DataError, match="every (row|column) sums to 1, so that it does not say how"):
        multi_class.from_confusion_matrix(matrix)


def test_shares_of_all_cases_are_probabilities() -> None:
    for matrix in ([[0.5, 0.25], [0, 0.25]], [[0.5, 0.5], [0, 0]], [[1.5, 0.5], [0, 2]]):
        P = multi_class.from_confusion_matrix(matrix)
        assert P.mass.ravel() == pytest.approx(np.ravel(matrix) / np.sum(matrix))
    exact = multi_class.from_confusion_matrix([[1.0, 0.0], [0.0, 1.0]])  # whole: counts
    assert exact.counts.tolist() == [[1, 0, 0, 1]]
    assert Fraction(int(exact.integers[0, 0]), int(exact.integers[0].sum())) == Fraction(1, 2)


@pytest.mark.parametrize(("truth", "found", "message"), [
    ([{"boxes": BOX, "label": [1]}], [{"boxes": BOX, "label": [2]}], "the key 'label' is not read; expected \"labels\""),
    ([{"boxes": BOX, "classes": [1]}], [{"boxes": BOX}], "the truth, input 1: the key 'classes' is not read"),
    ([{"boxes": BOX, "labels": [None]}], [{"boxes": BOX, "labels": [None]}], r"labels: one is missing \(NaN or None\)"),
    ([BOX], [{"boxes": BOX, "scores": [float("nan")]}], r"scores: one is missing \(NaN or None\)"),
    ([{"boxes": BOX, "intervals": [[0, 1]]}], [BOX], '"boxes" and "intervals"; expected one of them'),
    ({"boxes": BOX}, {"boxes": BOX}, "the truth is one input; expected one per image or sequence: wrap both sides"),
])  # fmt: skip
def test_detections_that_could_be_misread_are_refused(truth: Any, found: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        detection.evaluate(truth, found)


def test_a_folder_holds_runs_and_the_judgements(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "bm25.run").write_text("1 Q0 d2 1 0.9 x\n")
    (tmp_path / "dense.run").write_text("1 Q0 d1 1 0.9 y\n")
    P = rs.read(tmp_path, qrels=tmp_path / "qrels.txt")
    assert rs.rank(P, by="f1").best == {"dense"}
    with pytest.raises(
        DataError, match=r"qrels\.txt: these are judgements \(qrels\): name the runs first, and these with qrels="
    ):
        rs.read(tmp_path)

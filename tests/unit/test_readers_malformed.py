"""Malformed files of other tools: one sentence each, with the place, what is wrong, what was expected, the way out."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import classification_report

import rankscape as rs
from rankscape.errors import DataError

FILES = Path(__file__).parents[1] / "answers" / "readers"
REPORT = json.loads((FILES / "reports.json").read_text())["unet"]
TRUTH = json.loads((FILES / "coco" / "instances.json").read_text())
BOX = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 9], "score": 0.9}
QRELS = FILES / "trec" / "judgements.qrels"
SCORECARD = "# test name, category, CWE, real vulnerability, identified by tool, pass/fail, Benchmark version: 1.2\n"
RUN = "q1 Q0 d1 1 0.5 a\n"


def edited(*path: str, value: Any) -> dict[str, Any]:
    """Return a report with another value in a place, or with None without it."""
    report = copy.deepcopy(REPORT)
    inner = report
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    if value is None:
        del inner[path[-1]]
    return report


def rounded(digits: int) -> dict[str, Any]:
    def short(value: Any) -> Any:
        return {k: short(v) for k, v in value.items()} if isinstance(value, Mapping) else round(value, digits)

    return {key: short(value) for key, value in REPORT.items()}


def of(truth: Sequence[Any], predicted: Sequence[Any], **options: Any) -> Any:
    return classification_report(truth, predicted, output_dict=True, zero_division=0, **options)


Case = tuple[Any, str] | tuple[Any, str, Mapping[str, Any]]
REPORTS: dict[str, Case] = {
    "recall": (edited("1", "recall", value=0.9), 'x.json: the precision of "1" is 0.777778, but recall and support make it 0.782609; expected the'),
    "precision": (edited("1", "precision", value=0.9), 'the precision of "1" is 0.9, but recall and support make it 0.777778'),
    "accuracy": (edited("accuracy", value=0.5), "the accuracy is 0.5, but recall and support make it 0.85"),
    "above one": (edited("1", "recall", value=1.9), 'the recall of "1" is 1.9; expected a number from 0 to 1'),
    "text": (edited("1", "recall", value="high"), 'the recall of "1" is "high"; expected a number from 0 to 1'),
    "negative": (edited("1", "support", value=-3), 'the support of "1" is -3; expected a number of cases ≥ 0'),
    "no support": (edited("1", "support", value=None), 'the class "1" has no support; expected precision, recall, f1-score and'),
    "no accuracy": (edited("accuracy", value=None), "the report has no accuracy; expected a report of all classes"),
    "missing recall": (edited("1", "recall", value=float("nan")), 'the recall of "1" is missing; expected that of every class with'),
    "rounded": (rounded(1), 'the recall of "0" is rounded to 1 decimal, which 7 counts of 60 fit; expected all digits: save the dict'),
    "some classes": (of([0, 0, 1, 1], [0, 1, 1, 2], labels=[0, 1]), "the report has no accuracy; expected a report of all classes, one per case: leave labels= of classification_report out"),
    "one class": (of([1, 1], [1, 1]), 'the report has one class ("1") only; expected two or more: name all classes in labels='),
    "which": (of(["cat", "dog"], ["dog", "dog"]), 'nothing says which of the classes "cat", "dog" is positive: name the positive class with pos_label='),
    "none": (of(["cat", "dog"], ["dog", "dog"]), 'pos_label="cow" is none of the classes "cat", "dog"', {"pos_label": "cow"}),
    "mixed": ({"a": REPORT, "b": of([0, 1, 2], [0, 1, 2])}, "some reports are of two classes, others of more; expected the same"),
    "positive of three": (of([0, 1, 2], [0, 2, 1]), 'of 3 classes a report does not say how many cases were taken for "1": save the confusion matrix', {"pos_label": 1}),
    "weighted": (of([0, 0, 1, 1], [0, 1, 1, 1], sample_weight=[0.3, 0.4, 0.5, 1]), 'the support of "0" is 0.7; expected a number of cases ≥ 0: of weighted cases save the confusion matrix'),
}  # fmt: skip
MATRICES: dict[str, Case] = {
    "ragged": ({"unet": [[50, 10], [5]]}, "x.json: the matrix has 2 rows with 1, 2 cells; expected as many columns as rows"),
    "not square": ({"matrix": [[50, 10, 3], [5, 3, 3]]}, "the matrix has 2 rows with 3 cells; expected as many columns as rows"),
    "text": ({"matrix": [[50, "x"], [5, 35]]}, 'row 1, column 2 of the matrix is "x"; expected a number of cases'),
    "missing": ([[50, None], [5, 35]], "row 1, column 2 of the matrix is None; expected a number of cases"),
    "negative": ([[50, -1], [5, 35]], 'x.json: row 1 ("x"): fp = -1 is negative; counts must be ≥ 0'),
    "rates": ([[0.9, 0.1], [0.2, 0.8]], "this is a normalized matrix: every row sums to 1, so that it does not say how"),
    "zero": ([[0, 0], [0, 0]], "all counts are 0: a performance needs at least one case"),
    "four": ([[1, 2, 3, 4]] * 4, "four rows of four numbers may be a matrix of four classes, or the counts tn, fp, fn, tp of four"),
    "labels": ({"labels": ["a"], "matrix": [[5, 1], [1, 5]]}, 'the matrix has 2 rows, and the labels "a"; expected a different'),
    "others": ({"a": [[1, 2], [3, 4]], "b": [[1, 2, 3]] * 3}, '"a" has the classes 2, "b" 3; expected the same in all'),
}  # fmt: skip
RUNS: dict[str, Case] = {
    "no counts": ({"fit_time": [0.1], "test_accuracy": [0.8]}, "x.json: no test_tn, test_fp, test_fn, test_tp; expected the counts of every fold; got test_accuracy: run cross_validate(…, scoring=rs.outcome_scorers())"),
    "scorers": ({"fit_time": [0.1], "test_my_tn": [1]}, 'call the scorers "tn", "fp", "fn" and "tp", not "my_tn"'),
    "folds": ({name: {f"test_{o}": [1] * n for o in ("tn", "fp", "fn", "tp")} for name, n in (("a", 2), ("b", 1))}, '"a" has 2 folds and "b" 1; expected the same folds for all'),
    "no fold": ({"fit_time": [0.1], "test_tn": 5, "test_fp": [1], "test_fn": [1], "test_tp": [1]}, "test_tn = 5; expected a list, one value per fold"),
    "prefixes": ({f"{part}/{o}": 5 for part in ("train", "eval") for o in ("tn", "fp", "fn", "tp")}, "2 prefixes have all four counts: 'train/', 'eval/'; expected one: keep the columns of the data"),
    "fractions": ({"eval/TN": 1.5, "eval/FP": 1, "eval/FN": 2, "eval/TP": 3}, "tn, fp, fn, tp sum to 7.5. As probabilities they must"),
    "crashed run": ("Name,eval/TN,eval/FP,eval/FN,eval/TP\na,1,2,3,4\nb,1,,,\n", 'row 2 (line 3, "b"): fp = "" is missing; expected a count'),
    "two names": ("Name,model,eval/TN,eval/FP,eval/FN,eval/TP\na,x,1,2,3,4\n", 'the columns "Name" and "model" all mean entity; expected one'),
}  # fmt: skip
SCORECARDS: dict[str, Case] = {
    "tracker text": ("seq,CLR_TP,CLR_FN,CLR_FP\nwalk,8,x,1\n", 'row 1 (line 2, "x"): fn = "x" is not a number'),
    "tracker negative": ("seq,CLR_TP,CLR_FN,CLR_FP\nwalk,8,-1,1\n", 'row 1 (line 2, "x"): fn = -1 is negative; counts must be'),
    "tracker empty": ("seq,CLR_TP,CLR_FN,CLR_FP\n", "there is no row; expected one per entity below the header"),
    "tracker zero": ("seq,CLR_TP,CLR_FN,CLR_FP\nwalk,0,0,0\n", "CLR_FP, CLR_FN, CLR_TP are 0 everywhere; expected detections"),
    "summary": ("CLR_TP CLR_FN CLR_FP\n1 2\n", "a row has 2 numbers; expected 3, as in the header"),
    "flag": (f"{SCORECARD}T1, xss, 79, true, maybe, pass\n", 'line 2: identified by tool = "maybe"; expected true or false'),
    "short": (f"{SCORECARD}T1, xss, 79\n", "line 2: this row has 3 cells; expected test name, category, CWE, real vulnerability"),
    "twice": (SCORECARD + 2 * "T1, xss, 79, true, true, pass\n", 'line 3: the test "T1" occurs twice; expected each test once'),
    "no test": (SCORECARD, "there is no test below the header"),
    "unanswered": ("Category,CWE #,TP,FN,TN,FP,Total\nxss,79,5,5,8,2,30\n", "10 of 30 cases have no answer (column \"Total\")"),
}  # fmt: skip
ACCURACIES: dict[str, Case] = {
    "no n": ("model,accuracy,n\na,0.5, \n", 'row 1 (line 2, "a"): n is missing: fill it in'),
    "no rate": ("model,accuracy,n\na, ,50\n", 'row 1 (line 2, "a"): accuracy is missing: fill it in'),
    "part": ("model,accuracy,n\na,0.5,5.5\n", 'row 1 (line 2, "a"): n = 5.5 is no number of cases; expected a whole number'),
}  # fmt: skip
COCO: dict[str, Case] = {
    "image": ([BOX | {"image_id": 9}], "x.json: detection 1 is about the image 9; expected an image of the annotations"),
    "category": ([BOX | {"category_id": 0}], "detection 1 is of the category 0; expected one of the annotations: 1, 2"),
    "width": ([BOX | {"bbox": [0, 0, -1, 2]}], "the bbox of detection 1 is [0, 0, -1, 2]; expected x, y, width and height"),
    "three": ([BOX | {"bbox": [0, 0, 1]}], "the bbox of detection 1 is [0, 0, 1]; expected x, y, width and height"),
    "score": ([BOX | {"score": None}], "the score of detection 1 is None; expected a number"),
    "no score": ([{k: v for k, v in BOX.items() if k != "score"}], "the score of detection 1 is None; expected a number"),
    "truth alone": (TRUTH, "these are annotations: name the detections first, and these with annotations="),
    "list of images": ([BOX | {"image_id": []}], "the image_id of detection 1 is []; expected a number or a text"),
    "no list": ({"a": 1}, "these are no detections of COCO; expected a list of boxes"),
}  # fmt: skip
TREC: dict[str, Case] = {
    "columns": (f"{RUN}q1 Q0 d2 2 0.4\n", "line 2: this line has 5 columns; expected 6: query, Q0, document, rank, score and run"),
    "score": ("q1 Q0 d1 1 x a\n", 'line 1: the score of "d1" for the query "q1" is "x"; expected a number'),
    "twice": (RUN + RUN, 'line 2: the document "d1" for the query "q1" occurs twice; expected once'),
    "queries": ("9 Q0 d1 1 0.5 a\n", 'none of the queries of "x", such as "9", is among those of the judgements, such as "q1"'),
    "grades": ("q1 0 d1 1\n", "these are judgements (qrels): name the runs first, and these with qrels="),
    "grades below": (f"{RUN}q1 0 d1 1\n", "line 2: this line has 4 columns; expected 6: query, Q0, document, rank, score and run"),
    "nested": ({"q1": {"d1": "x"}}, 'the score of "d1" for the query "q1" is "x"; expected a number'),
    "list": ({"q1": ["d1"]}, "the query \"q1\" has ['d1']; expected {document: score}"),
}  # fmt: skip


@pytest.fixture
def sentence(tmp_path: Path) -> Callable[..., str]:
    """Save a value, and return the one sentence with which it is refused."""

    def refused(value: Any, **options: Any) -> str:
        path = tmp_path / "x.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        with pytest.raises(DataError) as caught:
            rs.read(path, **options)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return refused


OPTIONS: dict[str, dict[str, Any]] = {"coco": {"annotations": TRUTH}, "trec": {"qrels": QRELS}}
KINDS = {
    "report": REPORTS, "matrix": MATRICES, "run": RUNS, "accuracies": ACCURACIES, "scorecard": SCORECARDS, "coco": COCO, "trec": TREC
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, cases in KINDS.items() for name in cases])
def test_malformed_files_get_one_sentence(kind: str, name: str, sentence: Callable[..., str]) -> None:
    value, expected, *more = KINDS[kind][name]
    text = sentence(value, **OPTIONS.get(kind, {}), **(more[0] if more else {}))
    assert expected in text
    assert "x.json: " in text


def test_what_belongs_to_another_file_is_asked_for(sentence: Callable[..., str]) -> None:
    of_boxes, of_runs = (
        "these are detections, and nothing says what is true",
        "these are runs, and nothing says what is true",
    )
    assert f'{of_boxes}: name the annotations with annotations="FILE"' in sentence([BOX])
    for run in (RUN, {"q": {"d": 1}, "r": {"e": 1}}):
        assert f'{of_runs}: name the judgements (qrels) with qrels="FILE"' in sentence(run)
    assert "these are judgements (qrels): name the runs first, and these with qrels=" in sentence("q 0 d 1\n")
    with pytest.raises(DataError, match=r'no annotations of COCO; expected "images" and "annotations"'):
        rs.read([BOX], annotations=[BOX])  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"bm25\.run: line 1: this line has 6 columns; expected 4: query, iteration"):
        rs.read(FILES / "trec" / "bm25.run", qrels=FILES / "trec" / "bm25.run")
    with pytest.raises(DataError, match='the grade of "d1" for the query "q1" is True; expected a number'):
        rs.read({"q1": {"d1": 1}}, qrels={"q1": {"d1": True}})
    with pytest.raises(rs.UsageError, match='min_score="x"; expected a number, the least score of a box'):
        rs.read([BOX], annotations=TRUTH, min_score="x")  # type: ignore[arg-type]


def test_what_no_format_fits_says_where_the_formats_are(sentence: Callable[..., str]) -> None:
    lacking = "no columns tn, fp, fn, tp; expected tn, fp, fn, tp (and entity, domain), found"
    assert sentence({"x": 1}).endswith(f'x.json: {lacking} "x": see rs.formats() for files of other tools')
    assert sentence("hello\nworld\n").endswith(f'{lacking} "hello": see rs.formats() for files of other tools')
    assert sentence([1, 2]).endswith(": see rs.formats() for files of other tools")
    predictions = "count predictions with rs.count, or see rs.formats() for files of other tools"
    assert sentence("a,b\nx,1\n").endswith(f'{lacking} "a", "b": {predictions}')
    assert "rs.formats" not in sentence("entity,tn,fp\na,1,2\n")
    assert "rs.formats" not in sentence("model,precision,recall\na,0.5,0.5\n")


PREDICTIONS = "case,y,svm,tree\n1,ham,ham,spam\n2,spam,spam,spam\n3,ham,ham,ham\n4,spam,ham,spam\n"


def test_a_table_of_labels_gets_the_options_that_count_it(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(PREDICTIONS)
    with pytest.raises(DataError, match='the columns "y", "svm", "tree" hold the labels "ham", "spam"') as caught:
        rs.read(path)
    (way,) = caught.value.ways_out
    assert "--truth y --prediction svm --prediction tree" in way.in_shell
    path.write_text("a,b\n1,2\n3,4\n5,6\n")
    with pytest.raises(DataError, match="count predictions with rs.count, or see"):
        rs.read(path)


def test_a_run_that_lacks_a_count_is_not_passed_over(sentence: Callable[..., str]) -> None:
    whole = {"tn": 5, "fp": 1, "fn": 1, "tp": 3}
    assert "tp = None is missing" in sentence({"a": whole, "b": {"tn": 5, "fp": 1, "fn": 2}})
    assert "no columns tn" in sentence({"a": {f"eval/{key}": n for key, n in whole.items()}, "b": {"eval/tn": 5}})

"""Formats of other tools: recognized by their content or by name, through Python objects and on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.metrics import classification_report, confusion_matrix
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

import rankscape as rs
from rankscape.cli import main
from rankscape.errors import IncompleteDataWarning
from rankscape.tasks import detection, retrieval, success

FILES = Path(__file__).parents[1] / "answers" / "readers"
COUNTS = {"unet": [50, 10, 5, 35], "segnet": [45, 15, 2, 38]}
WARNED = ("ignore::rankscape.errors.IncompleteDataWarning", "ignore:.*does not hold the confusion matrix:UserWarning")


def labels(tn: int, fp: int, fn: int, tp: int, classes: Any = (0, 1)) -> tuple[list[Any], list[Any]]:
    no, yes = classes
    return [no] * (tn + fp) + [yes] * (fn + tp), [no] * tn + [yes] * fp + [no] * fn + [yes] * tp


def table(P: rs.Performances) -> dict[Any, list[int]]:
    assert P.counts is not None
    keys = P.names if P.domains is None else list(zip(P.names, P.domains, strict=True))
    return dict(zip(keys, P.counts.tolist(), strict=True))


def saved(folder: Path, value: Any, name: str = "results.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


# All formats: by the file alone, by name, on the command line

ALONE = {
    "reports.json": ("sklearn-report", COUNTS),
    "matrices.json": ("confusion-matrix", COUNTS),
    "mlflow_runs.csv": ("prefixed", COUNTS),
    "wandb_export.csv": ("prefixed", COUNTS),
    "mlflow_run.json": ("prefixed", {"unet": COUNTS["unet"]}),
    "folds.json": (
        "cross-validate",
        {
            ("svm", "fold 1"): [40, 5, 2, 3],
            ("svm", "fold 2"): [38, 7, 1, 4],
            ("forest", "fold 1"): [41, 4, 2, 3],
            ("forest", "fold 2"): [38, 7, 2, 3],
        },
    ),
    "cdnet.csv": (
        "cdnet",
        {
            ("subtract", "baseline/highway"): [95, 5, 1, 9],
            ("subtract", "shadow/bus\\/station"): [90, 10, 2, 8],
            ("learn", "baseline/highway"): [98, 2, 2, 8],
            ("learn", "shadow/bus\\/station"): [92, 8, 1, 9],
        },
    ),
    "trackeval/swift/pedestrian_detailed.csv": (
        "trackeval", {("swift", "walk"): [10, 20, 80], ("swift", "run"): [5, 20, 30]}
    ),
    "trackeval/swift/pedestrian_summary.txt": ("trackeval", {"swift": [15, 40, 110]}),
    "owasp_categories/Scorecard_for_Sniffer.csv": (
        "owasp", {("Sniffer", "SQL Injection"): [9, 1, 2, 8], ("Sniffer", "XSS"): [8, 2, 5, 5]}
    ),
    "owasp/Benchmark_v1.2_Scorecard_for_Hound_v2.csv": (
        "owasp", {("Hound_v2", "sqli"): [0, 1, 0, 2], ("Hound_v2", "xss"): [2, 0, 0, 1]}
    ),
}  # fmt: skip


@pytest.mark.filterwarnings(*WARNED)
@pytest.mark.parametrize("file", ALONE)
def test_a_file_is_read_by_itself_and_by_the_name_of_its_format(file: str) -> None:
    name, expected = ALONE[file]
    P = rs.read(FILES / file)
    assert table(P) == expected
    named = rs.read(FILES / file, format=name)
    assert (table(named), named.space) == (expected, P.space)
    assert name in rs.formats()["format"]


@pytest.mark.filterwarnings(*WARNED)
@pytest.mark.parametrize("file", ALONE)
def test_the_command_line_ranks_a_file(file: str) -> None:
    result = CliRunner().invoke(main, ["rank", str(FILES / file)])
    assert result.exit_code == 0, result.output
    for key in ALONE[file][1]:
        assert (key if isinstance(key, str) else key[0]) in result.output


def test_formats_are_named_or_refused() -> None:
    with pytest.raises(rs.UsageError, match="format 'excel' is unknown; expected one of csv, json, parquet, "):
        rs.read(FILES / "reports.json", format="excel")
    expected = r"\[\[tn, fp\], \[fn, tp\]\]; or labels and matrix"
    with pytest.raises(
        rs.DataError, match=rf"reports\.json: this is not of the format confusion-matrix; expected {expected}"
    ):
        rs.read(FILES / "reports.json", format="confusion-matrix")


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_a_kind_of_file_is_checked_and_says_nothing_of_what_is_in_it(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "cases"
    file.write_text(
        "model,case,correct\na,1,1\nb,1,0\n" if kind == "csv" else '[{"model": "a", "case": 1, "correct": 1}]'
    )
    assert rs.read(file, format=kind).space.outcomes == ("failure", "success")
    with pytest.raises(
        rs.DataError,
        match=f"cases: this is not of the format html; expected one of the kind html; got {kind}: leave out",
    ):
        rs.read(file, format="html")
    assert "leave out --from" in CliRunner().invoke(main, ["rank", str(file), "--from", "parquet"]).output
    with pytest.raises(
        rs.DataError,
        match="this is not of the format json; expected one of the kind json; got data in memory: leave out format",
    ):
        rs.read({"tn": [1], "fp": [1], "fn": [1], "tp": [1]}, format="json")


def test_an_option_of_another_format_is_refused() -> None:
    with pytest.raises(rs.UsageError, match="depth= would change nothing; expected data of the format trec; got count"):
        rs.read(FILES / "cdnet.csv", depth=3)
    with pytest.raises(rs.UsageError, match="expected data of the format confusion-matrix, sklearn-report; got pref"):
        rs.read(FILES / "wandb_export.csv", pos_label="yes")


def test_several_files_are_called_by_their_names_or_folders(tmp_path: Path) -> None:
    reports = {name: classification_report(*labels(*counts), output_dict=True) for name, counts in COUNTS.items()}
    files = [saved(tmp_path, report, f"{name}.json") for name, report in reports.items()]
    assert table(rs.read(files)) == COUNTS
    folders = [tmp_path / name for name in COUNTS]
    for folder in folders:
        folder.mkdir()
    assert table(rs.read([saved(f, reports[f.name], "report.json") for f in folders])) == COUNTS
    counts = [saved(f, f"tn,fp,fn,tp\n{','.join(map(str, COUNTS[f.name]))}\n", "counts.csv") for f in folders]
    assert table(rs.read(counts)) == COUNTS
    assert table(rs.read([files[0], counts[1]])) == {"unet": COUNTS["unet"], "counts": COUNTS["segnet"]}


# Reports of scikit-learn


@pytest.mark.parametrize("classes", [(0, 1), (False, True), ("no", "yes"), ("negative", "positive"), (-1, 1)])
def test_reports_of_two_classes_have_all_counts(classes: Any, tmp_path: Path) -> None:
    report = classification_report(*labels(50, 10, 5, 35, classes), output_dict=True)
    assert table(rs.read(report)) == {"P1": [50, 10, 5, 35]}
    assert table(rs.read(saved(tmp_path, report))) == {"results": [50, 10, 5, 35]}
    assert table(rs.read({"unet": report})) == {"unet": [50, 10, 5, 35]}
    frame = pd.DataFrame(report).T
    frame.to_csv(tmp_path / "frame.csv")
    assert table(rs.read(tmp_path / "frame.csv")) == {"frame": [50, 10, 5, 35]}


@pytest.mark.filterwarnings("ignore:.*if they were rounded, other counts are possible")
def test_random_reports_give_the_counts_back() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        cells = [int(n) for n in rng.choice([0, 1, 3, 17, 1009], 4)]
        if not cells[0] + cells[1] or not cells[2] + cells[3]:
            continue
        report = classification_report(
            *labels(*cells), output_dict=True, zero_division=float(rng.choice([0, 1, np.nan]))
        )
        assert table(rs.read(report)) == {"P1": cells}


def test_the_positive_class_of_a_report_is_asked_for() -> None:
    report = classification_report(*labels(50, 10, 5, 35, ("cat", "dog")), output_dict=True)
    assert table(rs.read(report, pos_label="dog")) == {"P1": [50, 10, 5, 35]}
    assert table(rs.read(report, pos_label="cat")) == {"P1": [35, 5, 10, 50]}
    numbers = classification_report(*labels(50, 10, 5, 35, (1.0, 2.0)), output_dict=True)
    assert table(rs.read(numbers, pos_label=2)) == {"P1": [50, 10, 5, 35]}


def test_rounded_reports_are_read_where_only_one_table_fits() -> None:
    report = classification_report(*labels(50, 10, 5, 35), output_dict=True)
    rounded = {
        k: {a: round(b, 3) for a, b in v.items()} if isinstance(v, dict) else round(v, 3) for k, v in report.items()
    }
    assert table(rs.read(rounded)) == {"P1": [50, 10, 5, 35]}
    half = classification_report(*labels(5, 3, 0, 8), output_dict=True)
    half["0"] |= {"recall": 0.63, "f1-score": 0.77}  # 5/8 is exactly half a unit off
    half["1"] |= {"precision": 0.73, "f1-score": 0.84}
    assert table(rs.read(half | {"accuracy": 0.81})) == {"P1": [5, 3, 0, 8]}
    perfect = classification_report(*labels(60, 0, 0, 40), output_dict=True)
    with pytest.warns(UserWarning, match="no rate has more than 1 decimal; they are taken as exact, and if they were"):
        assert table(rs.read(perfect)) == {"P1": [60, 0, 0, 40]}


def test_reports_of_more_classes_say_right_or_wrong() -> None:
    truth, predicted = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 2, 2, 2, 0]
    report = classification_report(truth, predicted, output_dict=True)
    with pytest.warns(UserWarning, match="of 3 classes a report does not hold the confusion matrix"):
        P = rs.read({"tree": report})
    assert (P.space, table(P)) == (success.SPACE, {"tree": [3, 5]})


# Confusion matrices


def test_a_model_without_a_name_leaves_the_others_there() -> None:
    assert table(rs.read({"a": [[5, 1], [2, 6]], "": [[4, 2], [3, 5]]})) == {"a": [5, 1, 2, 6], "P2": [4, 2, 3, 5]}


@pytest.mark.parametrize(
    "value",
    [
        {"unet": [[50, 10], [5, 35]], "segnet": [[45, 15], [2, 38]]},
        {"unet": np.array([[50, 10], [5, 35]]), "segnet": np.array([[45, 15], [2, 38]])},
        {"unet": {"matrix": [[50, 10], [5, 35]]}, "segnet": {"confusion_matrix": [[45, 15], [2, 38]], "accuracy": 0.83}},
        {"unet": {"labels": [1, 0], "matrix": [[35, 5], [10, 50]]},
         "segnet": {"labels": [0, 1], "matrix": [[45, 15], [2, 38]]}},
        [{"model": "unet", "confusion_matrix": [[50, 10], [5, 35]]}, {"model": "segnet", "cm": [[45, 15], [2, 38]]}],
        {"classes": ["pos", "neg"], "unet": [[35, 5], [10, 50]], "segnet": [[38, 2], [15, 45]]},
        {"unet": [[50.0, 10.0], [5.0, 35.0]], "segnet": [[45.0, 15.0], [2.0, 38.0]]},
    ],
)  # fmt: skip
def test_matrices_of_two_classes(value: Any, tmp_path: Path) -> None:
    assert table(rs.read(value)) == COUNTS
    if not any(isinstance(matrix, np.ndarray) for matrix in (value.values() if isinstance(value, dict) else value)):
        assert table(rs.read(saved(tmp_path, value))) == COUNTS


def test_one_matrix_and_several_without_names(tmp_path: Path) -> None:
    matrix = confusion_matrix(*labels(50, 10, 5, 35))
    assert table(rs.read(matrix)) == table(rs.read(matrix.tolist())) == {"P1": COUNTS["unet"]}
    assert table(rs.read(saved(tmp_path, matrix.tolist(), "unet.json"))) == {"unet": COUNTS["unet"]}
    assert table(rs.read(np.stack([matrix, matrix]))) == {"P1": COUNTS["unet"], "P2": COUNTS["unet"]}
    assert list(rs.rank({"unet": matrix, "segnet": [[45, 15], [2, 38]]}, by="recall")) == ["segnet", "unet"]


def test_matrices_of_several_classes() -> None:
    cells = [[5, 1, 0], [0, 4, 2], [1, 0, 7]]
    P = rs.read({"labels": ["a", "b", "c"], "matrix": cells})
    assert P.space.labels == ("a", "b", "c")
    assert table(P) == {"P1": [cell for row in cells for cell in row]}
    assert table(rs.read({"labels": ["a", "b", "c"], "matrix": cells}, pos_label="b")) == {"P1": [13, 1, 2, 4]}
    assert rs.read({"x": cells, "y": cells}).space.labels == ("0", "1", "2")


def test_normalized_matrices_are_probabilities_exactly(tmp_path: Path) -> None:
    P = rs.read(saved(tmp_path, '{"matrix": [[0.5, 0.1], [0.05, 0.35]]}'))
    assert P.counts is None
    assert (P.integers * 20 == np.array([10, 2, 1, 7]) * P.integers.sum()).all()
    assert rs.read([[0.5, 0.1, 0], [0.1, 0.1, 0], [0, 0.1, 0.1]]).mass.sum() == pytest.approx(1)


# Cross-validation


def test_cross_validations_of_several_models(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    results = {
        name: cross_validate(
            DecisionTreeClassifier(max_depth=depth, random_state=0), X, y, cv=3, scoring=rs.outcome_scorers()
        )
        for name, depth in (("stump", 1), ("tree", 4))
    }
    P = rs.read(results)
    assert table(P) == table(rs.Performances.from_cv_results(results))
    plain = {name: {key: list(map(float, values)) for key, values in one.items()} for name, one in results.items()}
    assert table(rs.read(saved(tmp_path, plain))) == table(P)
    pd.DataFrame(results["tree"]).to_csv(tmp_path / "tree.csv")
    assert table(rs.read(tmp_path / "tree.csv")) == table(P["tree"])
    frames = [pd.DataFrame(one).assign(model=name) for name, one in results.items()]
    assert table(rs.read(pd.concat(frames))) == table(P)


# Trackers of experiments


PREFIXED: list[Any] = [
    {"metrics.true_negatives": 50, "metrics.false_positives": 10, "metrics.false_negatives": 5, "metrics.true_positives": 35},
    {"eval/TN": 50, "eval/FP": 10, "eval/FN": 5, "eval/TP": 35, "eval/loss": 0.3},
    {"val_tn": 50, "val_fp": 10, "val_fn": 5, "val_tp": 35, "val_auc": 0.9},
    {"Test TN": 50, "Test FP": 10, "Test FN": 5, "Test TP": 35},
    {f"test/confusion/{name}": n for name, n in zip(
        ("true_negatives", "false_positives", "false_negatives", "true_positives"), COUNTS["unet"], strict=True)},
    {"valTrueNegatives": 50, "valFalsePositives": 10, "valFalseNegatives": 5, "valTruePositives": 35},
    {"loss": 0.3, "eval": {"TN": 50, "FP": 10, "FN": 5, "TP": 35}},
    {"metrics": {"true_negatives": 50.0, "false_positives": 10.0, "false_negatives": 5.0, "true_positives": 35.0}},
    {"eval/TN": 50, "eval/FP": 10, "eval/FN": 5, "eval/TP": 35, "_wandb": {"runtime": 3}, "_step": 7},
]  # fmt: skip


@pytest.mark.parametrize("metrics", PREFIXED)
def test_a_common_prefix_of_any_kind_is_taken_off(metrics: Any, tmp_path: Path) -> None:
    assert table(rs.read(metrics)) == {"P1": COUNTS["unet"]}
    assert table(rs.read(saved(tmp_path, metrics, "run 7.json"))) == {"run 7": COUNTS["unet"]}
    assert table(rs.read({"unet": metrics, "other": metrics})) == dict.fromkeys(["unet", "other"], COUNTS["unet"])
    if not any(isinstance(value, dict) for value in metrics.values()):
        assert table(rs.read(pd.DataFrame([metrics, metrics]))) == dict.fromkeys(["P1", "P2"], COUNTS["unet"])


def test_runs_of_mlflow_are_called_as_they_are() -> None:
    metrics = {f"val_{name}": n for name, n in zip(("tn", "fp", "fn", "tp"), COUNTS["unet"], strict=True)}
    runs = [{"info": {"run_name": name}, "data": {"metrics": metrics}} for name in ("a", "b")]
    assert table(rs.read({"runs": runs})) == table(rs.read(runs)) == dict.fromkeys("ab", COUNTS["unet"])


def test_metrics_of_mlflow_without_a_prefix() -> None:
    metrics = {"true_negatives": 50, "false_positives": 10, "false_negatives": 5, "true_positives": 35, "roc_auc": 0.9}
    assert table(rs.read(metrics)) == {"P1": COUNTS["unet"]}
    download = {"Start Time": ["1"], "Run ID": ["0f3a"], "Name": ["unet"]} | {k: [v] for k, v in metrics.items()}
    assert table(rs.read(download)) == {"unet": COUNTS["unet"]}


def test_runs_can_be_called_by_another_column() -> None:
    assert rs.read(FILES / "mlflow_runs.csv", entity="params.model").names == ("a", "b")
    assert rs.read(FILES / "mlflow_runs.csv", entity="run_id").names == ("0f3a", "9c1d")
    frame = pd.read_csv(FILES / "mlflow_runs.csv").drop(columns="tags.mlflow.runName")
    assert rs.read(frame).names == ("0f3a", "9c1d")
    export = pd.read_csv(FILES / "wandb_export.csv").assign(dataset=["x", "y"])
    assert rs.read(export).domains == ("x", "y")


def test_rates_of_a_run_are_compared_with_its_counts() -> None:
    with pytest.warns(rs.errors.ContradictionWarning, match=r"accuracy = 0.95, the counts give 0.85"):
        rs.read({"eval/TN": 50, "eval/FP": 10, "eval/FN": 5, "eval/TP": 35, "eval/accuracy": 0.95})


# TrackEval and OWASP


@pytest.mark.filterwarnings(*WARNED)
def test_trackers_are_called_by_their_folders_and_sums_are_not_counted(tmp_path: Path) -> None:
    with pytest.warns(IncompleteDataWarning, match='left out: 2 rows ."COMBINED", the sum of the others'):
        P = rs.read(str(FILES / "trackeval" / "*" / "*_detailed.csv"))
    assert P.space.outcomes == retrieval.SPACE.outcomes
    assert {*zip(P.names, P.domains or (), strict=True)} == {
        (n, d) for n in ("steady", "swift") for d in ("walk", "run")
    }
    with pytest.warns(IncompleteDataWarning, match="left out, because the sequences are read one by one"):
        assert table(rs.read(FILES / "trackeval")) == table(P)
    content = "seq,CLR_TP,CLR_FN,CLR_FP\nwalk,8,2,1\n"
    for name in ("sort_detailed.csv", "byte_detailed.csv"):
        saved(tmp_path, content, name)
    assert set(rs.read(tmp_path).names) == {"sort", "byte"}
    folder = tmp_path / "sort"
    folder.mkdir()
    for name in ("car_detailed.csv", "pedestrian_detailed.csv"):
        saved(folder, content, name)
    P = rs.read(folder)
    assert (set(P.names), P.domains) == ({"sort"}, ("car/walk", "pedestrian/walk"))
    assert table(rs.read(saved(tmp_path, "seq,IDTP,IDFN,IDFP\nwalk,8,2,1\n", "x.csv"))) == {("x", "walk"): [1, 2, 8]}


def test_scorecards_are_paired_by_test() -> None:
    P = rs.read(FILES / "owasp")
    assert P.pairing is not None
    assert table(P)["Sniffer_v1.0", "xss"] == [1, 1, 0, 1]
    assert rs.uncertainty.rank_intervals(P, by="accuracy", draws=50, rng=0).table()["entity"][0] == "Hound_v2"


def test_scorecards_that_disagree_about_a_test_are_not_paired(tmp_path: Path) -> None:
    head = "# test name, category, CWE, real vulnerability, identified by tool, pass/fail, Benchmark version: 1.2\n"
    rows = "T2, xss, 79, true, true, pass\nT1, sqli, 89, {}, false, pass\n"
    zap, sniffer = (saved(tmp_path, head + rows.format(real), f"Scorecard_for_{tool}.csv") for tool, real in
                    (("Zap", "true"), ("Sniffer", "false")))  # fmt: skip
    P = rs.read([zap, sniffer])
    assert table(P) == {
        ("Zap", "xss"): [0, 0, 0, 1], ("Sniffer", "xss"): [0, 0, 0, 1],
        ("Zap", "sqli"): [0, 0, 1, 0], ("Sniffer", "sqli"): [1, 0, 0, 0],
    }  # fmt: skip
    assert (P.names, P.domains) == (
        ("Zap", "Sniffer") * 2,
        ("xss", "xss", "sqli", "sqli"),
    )  # as they stand in the files
    assert P.pairing is None
    assert P.account is not None
    assert P.account.cases is None
    P = rs.read([zap, saved(tmp_path, head + rows.format("true"), "Scorecard_for_Sniffer.csv")])  # a twin
    assert P.pairing is not None
    assert P.account is not None
    assert (P.account.records, P.account.cases, P.account.positive) == (4, 2, ("true", 1.0))


def test_the_sums_of_a_scorecard_are_left_out() -> None:
    with pytest.warns(IncompleteDataWarning, match='left out: 1 row ."Totals", the sum of the others'):
        P = rs.read(FILES / "owasp_categories" / "Scorecard_for_Sniffer.csv")
    assert P.n_domains == 2
    frame = pd.DataFrame({"Category": ["xss"], "CWE #": [79], "TP": [5], "FN": [5], "TN": [8], "FP": [2]})
    assert table(rs.read(frame.assign(Tool="zap"))) == {("zap", "xss"): [8, 2, 5, 5]}


# COCO


BOXES = [FILES / "coco" / "shy.json", FILES / "coco" / "eager.json"]


def test_boxes_begin_left_and_above() -> None:
    images = {"images": [{"id": 1}], "annotations": [{"image_id": 1, "category_id": 1, "bbox": [10, 1, 4, 4]}]}
    for box, right in (([12, 1, 4, 4], True), ([14, 1, 4, 4], False), ([10, 3, 4, 4], True), ([10, 1, 0, 4], False)):
        found = [{"image_id": 1, "category_id": 1, "bbox": box, "score": 0.5}]
        assert table(rs.read(found, annotations=images, iou=0.3, min_score=0.5))["P1", "1"][-1] == right


TRUTH = FILES / "coco" / "instances.json"


def test_detections_of_coco() -> None:
    with pytest.warns(IncompleteDataWarning) as warned:
        P = rs.read(BOXES, annotations=TRUTH)
    assert str(warned[0].message) == (
        "boxes match from an intersection over union of 0.5 on, 1 of 7 boxes, with a score below 0.5, left out "
        "(iou and min_score change this); 1 crowd is left out, and the boxes in them"
    )
    assert P.space.outcomes == detection.SPACE.outcomes
    assert P.domains == ("1", "2", "3") * 2
    assert rs.summarize(P).mass.round(3).tolist() == [[0.25, 0, 0.5, 0.25], [0, 0.25, 0, 0.75]]


@pytest.mark.filterwarnings(*WARNED)
def test_options_of_detections() -> None:
    as_object, boxes = json.loads(TRUTH.read_text()), json.loads(BOXES[0].read_text())
    P = rs.read(boxes, annotations=as_object, min_score=0.2)
    assert P.mass[:, 3].tolist() == [0.5, 1, 0]
    assert set(rs.read(FILES / "coco", annotations=TRUTH).names) == {"shy", "eager"}
    assert set(rs.read(str(FILES / "trec" / "*"), qrels=QRELS).names) == {"bm25", "dense", "ranx"}
    assert rs.read(boxes, annotations=as_object, iou=0.95).mass[0].tolist() == [0, 1 / 3, 2 / 3, 0]
    assert rs.read([], annotations=as_object).mass[:, 2].tolist() == [1, 1, 0]
    sure = rs.uncertainty.rank_intervals(
        rs.read(BOXES, annotations=TRUTH), by="f1", resample="domains", draws=50, rng=0
    )
    assert sure.table()["entity"][0] == "eager"


def test_a_detector_that_finds_nothing_is_read_by_what_the_annotations_are(tmp_path: Path) -> None:
    nothing, shy = str(saved(tmp_path, [], "nothing.json")), str(BOXES[0])
    for files in ([nothing], [nothing, shy]):
        result = CliRunner().invoke(
            main, ["rank", *files, "--answers", str(TRUTH), "--by", "recall", "--format", "json"]
        )
        assert result.exit_code == 0, result.output
        values = {one["entity"]: one["value"] for one in json.loads(result.stdout)["entities"]}
        assert values["nothing"] == 0
    other = saved(tmp_path, {"q1": {"d1": 1}, "q2": {"d2": 1}}, "other.json")
    result = CliRunner().invoke(main, ["rank", shy, "--annotations", str(other)])
    assert result.exit_code == 3
    assert 'other.json: these are no annotations of COCO; expected "images" and "annotations"' in result.stderr


# TREC


QRELS = FILES / "trec" / "judgements.qrels"


def test_runs_of_trec() -> None:
    runs = [FILES / "trec" / "bm25.run", FILES / "trec" / "ranx.json"]
    P = rs.read(runs, qrels=QRELS)
    qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d4": 1}}
    of_runs = {
        "bm25": {"q1": {"d1": 9.5, "d2": 8.0}, "q2": {"d5": 7.0, "d4": 6.5}},
        "ranx": {"q1": {"d3": 0.9, "d1": 0.8}, "q2": {"d4": 0.7, "d6": 0.6}},
    }
    assert P.names == ("bm25", "bm25", "ranx", "ranx")
    assert P.domains == ("q1", "q2") * 2
    for options in ({}, {"depth": 1}, {"depth": 1, "relevance": 2}):
        expected = retrieval.evaluate(qrels, of_runs, by_query=True, **options)
        for given, judged in ((runs, QRELS), (of_runs, qrels), (runs, qrels)):
            assert (rs.read(given, qrels=judged, **options).integers == expected.integers).all()
    assert rs.read(of_runs["bm25"], qrels=qrels).names == ("P1", "P1")
    assert rs.read({"q1": {"d1": 1.0}}, qrels={"q1": {"d1": 1}}).mass.tolist() == [[0, 0, 1]]


def test_a_folder_of_runs_is_read_whatever_they_are_called(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, run in (
        ("input.bm25", "bm25.run"),
        ("dense", "dense.run"),
        ("other.trec", "dense.run"),
        (".hidden", "bm25.run"),
    ):
        (folder / name).write_text((FILES / "trec" / run).read_text())
    judgements = folder / "judgements.txt"
    judgements.write_text(QRELS.read_text())
    assert set(rs.read(folder, qrels=judgements).names) == {"bm25", "dense", "other.trec"}
    result = CliRunner().invoke(main, ["rank", str(folder), "--answers", str(judgements), "--format", "json"])
    assert {one["entity"] for one in json.loads(result.stdout)["entities"]} == {"bm25", "dense", "other.trec"}
    with pytest.raises(rs.DataError, match=r"judgements\.txt: these are judgements \(qrels\): name the runs first"):
        rs.read(folder, qrels=QRELS)
    judgements.write_text("# Runs\n")
    with pytest.raises(rs.DataError, match=r"judgements\.txt: line 1: this line has 2 columns; expected 6: query, Q0"):
        rs.read(folder, qrels=QRELS)


def test_queries_without_judgements_are_left_out_and_empty_ones_kept(tmp_path: Path) -> None:
    run = saved(tmp_path, "q1 Q0 d1 1 2.0 a\nq9 Q0 d1 1 2.0 a\n", "a.run")
    with pytest.warns(UserWarning, match="1 of 2 queries") as warned:
        P = rs.read(run, qrels=QRELS)
    sentences = [str(one.message) for one in warned]
    assert '1 of 2 queries of "a" have no judgements and are left out, such as "q9"' in sentences[1]
    assert 'entity "a" has no results for 1 of 2 queries, such as "q2"' in sentences[0]
    assert P.domains == ("q1", "q2")
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    with pytest.warns(UserWarning, match="has no results for 1 of 2"):
        P = rs.read({"x": {"q1": {"d1": 1}}, "y": {"q1": {"d1": 1}, "q2": {"d1": 1}}}, qrels=qrels)
    assert P.counts.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert rs.domains.prepare(P).average == "pooled"
    assert rs.rank(P, by="precision").values.tolist() == [1, 0.5]


def test_tags_name_the_runs_of_one_stream(tmp_path: Path) -> None:
    both = "".join((FILES / "trec" / name).read_text() for name in ("bm25.run", "dense.run"))
    assert set(rs.read(Opened(both), qrels=QRELS).names) == {"bm25", "dense"}
    assert set(rs.read(saved(tmp_path, both, "both.run"), qrels=QRELS).names) == {"both", "both/dense"}


class Opened:
    """An open file without a name."""

    def __init__(self, text: str) -> None:
        self.read: Callable[[], str] = lambda: text


def test_counts_behind_a_prefix_may_lack_true_negatives() -> None:
    P = rs.read({"Name": ["x", "y"], "eval/TP": [8, 9], "eval/FP": [1, 4], "eval/FN": [3, 2], "loss": [0.1, 0.2]})
    assert P.space.outcomes == ("fp", "fn", "tp")
    assert rs.score("f1", P.space)(P).tolist() == [0.8, 0.75]


def test_runs_without_counts_are_left_out_by_name(tmp_path: Path) -> None:
    file = tmp_path / "runs.csv"
    lines = ["Name,State,eval/TN,eval/FP,eval/FN,eval/TP", "a,finished,1,2,3,4", "b,crashed,,,,", "c,finished,4,3,2,1"]
    file.write_text("\n".join(lines))
    with pytest.warns(rs.IncompleteDataWarning, match=r'left out: 1 row \("b", which has no counts\)'):
        P = rs.read(file)
    assert (P.names, P.counts.tolist()) == (("a", "c"), [[1, 2, 3, 4], [4, 3, 2, 1]])
    assert '"b", which has no counts' in CliRunner().invoke(main, ["rank", str(file)]).output
    file.write_text("\n".join([*lines, "d,running,,,,7", "e,crashed,nan,,,"]))
    with pytest.raises(rs.DataError, match=r'row 3 \(line 5, "d"\): tn = "" is missing'):
        rs.read(file)
    file.write_text("\n".join(lines[:3]))
    with pytest.warns(rs.IncompleteDataWarning, match='"b", which has no counts'):
        assert rs.read(file).names == ("a",)
    file.write_text("\n".join([lines[0], lines[2]]))
    with pytest.raises(rs.DataError, match='tn = "" is missing'):
        rs.read(file)


def test_the_odd_cell_of_a_wide_table_is_named(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("question,alpha,beta\nq1,1,0\nq2,1,0\nq3,oops,1\n")
    with pytest.raises(rs.DataError, match=r'row 3 \(line 4\): alpha = "oops" is no answer; expected 1 or 0'):
        rs.read(file)
    file.write_text("id,price,rooms\n1,1,3\n2,1,8\n")
    with pytest.raises(rs.DataError, match="no columns tn, fp, fn, tp"):
        rs.read(file)


def test_printed_accuracies_are_of_all_cases_whatever_stands_before() -> None:
    printed = {"model": ["a", "b"], "n_positive": [20, 30], "accuracy": ["0.85", "0.90"], "n": [100, 100]}
    assert table(rs.read(printed)) == {"a": [15, 85], "b": [10, 90]}

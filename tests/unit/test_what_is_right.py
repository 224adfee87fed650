"""Nothing is right or wrong unless it is; what looks like it is refused and called what it is, and its twins are read."""

import json
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def rank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Rank a text as a file, and return the status and what was printed on one line."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, options: str = "", command: str = "rank") -> tuple[int, str]:
        Path("x.csv").write_text(text)
        result = CliRunner().invoke(main, [command, "x.csv", *shlex.split(options)])
        return result.exit_code, " ".join(result.output.split())

    return run


def values_of(output: str) -> dict[str, float]:
    rows = json.loads(output[output.index("{") :])["entities"]
    return {row["entity"]: row["value"] for row in rows}


REFUSED = {
    # metrics in rows, and of folds
    "cross-validation": (",tree,svm\nfit_time,.01,.04\nscore_time,.006,.015\ntest_score,.63,.69\ntrain_score,.99,.75\n", "cross-validation"),
    "metrics in rows": ("metric,rf,svm\nAUC,0.91,0.92\nlog loss,0.3,0.4\nbrier,0.1,0.2\n", "one metric per row"),
    "metrics of nobody": ("metric,value\naccuracy,0.9\nprecision,0.8\nrecall,0.7\n", "one metric per row"),
    "all at the ends": ("metric,rf,svm\nAccuracy,1,1\nRecall,1,0\nF1,1,0\n", "one metric per row"),
    "resamples": ("Accuracy,Kappa,Resample\n0.9,0.8,Fold1\n0.8,0.6,Fold2\n0.85,0.7,Fold3\n", "one model on resamples"),
    "folds": ("fold,accuracy,f1\n1,0.9,0.8\n2,0.8,0.7\n3,0.7,0.6\n", "one model on resamples"),
    "one row": ("hamming_loss,exact_match_ratio,f1_micro\n0.09,0.50,0.73\n", "are metrics from which no outcomes follow"),
    "history": ("epoch,loss,val_acc\n1,0.9,0.5\n2,0.7,0.6\n3,0.5,0.7\n", "history of a training"),
    "history without a step": (",loss,accuracy,val_loss,val_accuracy\n0,.9,.5,.8,.5\n1,.7,.6,.7,.55\n", "history of a training"),
    "history of rates": ("step,accuracy,f1\n100,0.5,0.4\n200,0.7,0.6\n", "history of a training"),
    # classes
    "probabilities": ("id,cat,dog,owl\n1,0.7,0.2,0.1\n2,0.1,0.8,0.1\n3,0.3,0.3,0.4\n", "probabilities of classes"),
    "rounded": ("file,label,cat,dog,owl\na,cat,.7,.2,.1\nb,dog,.1,.8,.1\nc,owl,.33,.33,.33\n", "probabilities of classes"),
    "two classes": ("benign,malignant\n0.9,0.1\n0.4,0.6\n0.25,0.75\n", "probabilities of classes"),
    "scores of classes": ("car,truth,score_a,score_b\nx,a,0.7,0.3\ny,b,0.4,0.6\nz,a,0.45,0.55\n", "probabilities of classes"),
    "predictions alone": ("id,churn_pred,churn_proba\nx,0,0.1\ny,1,0.9\n", "name the columns of predictions with"),
    "spam": ("id,spam,svm,tree\n1,1,1,0\n2,0,0,1\n3,0,1,0\n4,1,1,1\n", "add --truth spam --prediction svm --prediction tree"),
    "relevance": ("query,document,bm25,dense,relevant\nq,1,1,0,0\nq,2,0,1,1\nr,3,1,1,1\n", "add --truth relevant --prediction bm25"),
    "an outcome beside an answer": ("id,classifier,outcome,answer\n1,a,0,1\n1,b,0,0\n2,a,1,1\n2,b,1,0\n", "may say whether each case"),
    "a seed is no label": ("model,seed,id,y_true,y_pred\na,0,1,1,1\na,1,1,1,1\nb,0,1,1,1\nb,1,2,0,0\n", "--prediction y_pred --entity"),
    "one of several": ("id,cat,dog,owl\n1,1,0,0\n2,0,1,0\n3,0,0,1\n4,1,0,0\n5,0,0,1\n", "probabilities of classes"),
    "normalized": (",cat,dog\ncat,0.9,0.1\ndog,0.2,0.8\n", "normalized confusion matrix"),
    "normalized to percent": (",cat,dog,owl\ncat,90,10,0\ndog,20,80,0\nowl,0,5,95\n", "normalized confusion matrix"),
    "correlations": (",a,b,c\na,1,0.5,0.2\nb,0.5,1,0.1\nc,0.2,0.1,1\n", "correlations"),
    "correlations without names": ("a,b\n1,-0.5\n-0.5,1\n", "correlations"),
    # one printed number per dataset
    "errors": ("dataset,A,B\nx,0.12,0.30\ny,0.20,0.35\n", "printed numbers, one per model and dataset"),
    "errors in percent": ("Dataset,Error A,Error B\nx,12.1,30.2\ny,20.2,35.1\n", "printed numbers, one per model and dataset"),
    "accuracies": ("task,bert,gpt\nx,0.9,0.8\ny,0.7,0.6\n", "printed numbers, one per model and dataset"),
    "benchmarks": ("model,mmlu,arc\nA,0.9,0.8\nB,0.7,0.6\n", "printed numbers, one per model and benchmark"),
    "without a header": (",A,B\nd1,0.9,0.8\nd2,0.7,0.6\n", "printed numbers, one per model and dataset"),
    # scores and grades that nobody asked for
    "scores": ("id,score\n1,0.9\n2,0.1\n3,0.5\n", "no truth"),
    "scores and truth": ("id,label,a,b\n1,1,.9,.8\n2,0,.2,.3\n3,1,.6,.4\n", "count x.csv --truth label --score a --score b"),
    "dice": ("team,case,dice\na,1,0.81\na,2,0.92\nb,1,0.77\nb,2,0.90\n", "--correct dice"),
    "dice and distance": ("team,case,dice,hd\na,1,.81,3\na,2,.92,2\nb,1,.77,5\nb,2,.9,2\n", "--correct hd --scale WORST BEST"),
    "grades of two": ("case,A,B\nx,0.30,0.31\ny,0.20,0.21\n", "--correct A --correct B"),
    "score": ("model,case,score\na,1,.3\na,2,.5\nb,1,.2\nb,2,.9\n", "--correct score"),
    "flags": ("model,open,multilingual\nA,yes,no\nB,yes,yes\n", "--from right-or-wrong"),
    "data": ("male,aged,xray\n1,0,1\n1,1,1\n0,0,1\n", "--correct male --correct aged --correct xray"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_right_or_wrong_is_called_what_it_is(rank: Run, text: str, message: str) -> None:
    status, output = rank(text)
    assert status == 3
    assert message.replace("count x.csv", "count FILE") in output
    assert "rename" not in output


READ = {
    "0 and 1": ("question,alpha,beta\nq1,1,1\nq2,1,0\nq3,0,0\nq4,1,1\nq5,1,0\n", "", {"alpha": 0.8, "beta": 0.4}),
    "true and false": ("id,alpha,beta\n1,true,False\n2,true,True\n3,False,True\n", "", {"alpha": 2 / 3, "beta": 2 / 3}),
    "words": ("test,old,new\nt1,pass,pass\nt2,fail,pass\n", "", {"old": 0.5, "new": 1}),
    "long": ("model,item,passed\na,1,1\na,2,0\nb,1,1\nb,2,1\n", "", {"a": 0.5, "b": 1}),
    "score of 0 and 1": ("model,item,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n", "", {"a": 0.5, "b": 1}),
    "an index of questions": (",alpha,beta\nq1,1,1\nq2,1,0\nq3,0,0\n", "", {"alpha": 2 / 3, "beta": 1 / 3}),
    "items in columns": ("model,q1,q2,q3\na,1,0,1\nb,0,0,1\n", "", {"a": 2 / 3, "b": 1 / 3}),
    "items by name": ("model,easy,hard\na,1,0\nb,1,1\n", "--from right-or-wrong", {"a": 0.5, "b": 1}),
    "named columns": ("male,aged\n1,0\n1,1\n0,0\n1,0\n", "--correct male --correct aged", {"male": 0.75, "aged": 0.25}),
    "one answer per patient": ("model,patient,correct\na,p1,1\na,p2,0\nb,p1,1\nb,p2,1\n", "", {"a": 0.5, "b": 1}),
    "images": ("image,alpha,beta\ni1,1,0\ni2,1,1\n", "", {"alpha": 1, "beta": 0.5}),
    "patients": ("patient,alpha,beta\np1,1,0\np2,1,1\n", "", {"alpha": 1, "beta": 0.5}),
    "a named domain": ("question,topic,a,b\nq1,x,1,0\nq2,y,1,1\nq3,y,0,1\n", "--domain-column topic", {"a": 0.75, "b": 0.5}),
    "a named case": ("screen,a,b\nq1,1,0\nq2,1,1\n", "--case screen", {"a": 1, "b": 0.5}),
    "counts": ("model,correct,total\na,3,4\nb,2,4\n", "", {"a": 0.75, "b": 0.5}),
    "accuracies with n": ("model,dataset,accuracy,n\nA,d,0.90,10\nB,d,0.80,10\n", "", {"A": 0.9, "B": 0.8}),
    "an answer beside": ("id,answer,model,score\n1,A,a,1\n2,B,a,0\n1,B,b,1\n2,B,b,1\n", "", {"a": 0.5, "b": 1}),
    "one model": ("task_id,completion,passed\nt0,x,true\nt1,y,false\n", "", {"x": 0.5}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "values"), READ.values(), ids=READ)
def test_what_is_right_or_wrong_is_read(rank: Run, text: str, options: str, values: dict[str, float]) -> None:
    status, output = rank(text, f"{options} --format json")
    assert status == 0, output
    assert values_of(output) == pytest.approx(values)


ADVICE = {
    "dice": ("team,case,dice\na,1,.81\na,2,.92\nb,1,.77\nb,2,.90\n", "--correct dice", {"a": 0.865, "b": 0.835}),
    "iou by image": ("model,image,iou\na,1,.8\na,2,.9\nb,1,.7\nb,2,.9\n", "--correct iou", {"a": 0.85, "b": 0.8}),
    "wide": ("case,A,B\nx,0.30,0.31\ny,0.20,0.21\n", "--correct A --correct B", {"A": 0.25, "B": 0.26}),
    "one model": ("case,dice\nx,0.30\ny,0.20\n", "--correct dice", {"x": 0.25}),
    "score": ("model,case,score\na,1,.3\na,2,.5\nb,1,.2\nb,2,.9\n", "--correct score", {"a": 0.4, "b": 0.55}),
    "result": ("id,result,latency\n1,pass,3.5\n2,fail,2.1\n", "--correct result", {"x": 0.5}),
    "acc": ("acc,id\n1,1\n0,2\n1,3\n", "--correct acc", {"x": 2 / 3}),
    "truth": ("id,gold,svm,tree\n1,a,a,b\n2,b,b,b\n3,a,b,a\n4,b,a,b\n", "--truth gold --prediction svm --prediction tree --pos-label a", {"svm": 0.5, "tree": 2 / 3}),
    "truth of 0 and 1": ("y_target,m1,m2\n1,1,1\n1,0,1\n0,0,1\n0,0,0\n", "--truth y_target --prediction m1 --prediction m2", {"m1": 2 / 3, "m2": 0.8}),
    "truth of three": ("id,actual,m1,m2\n1,a,a,b\n2,b,b,b\n3,c,c,c\n4,a,b,a\n5,b,b,a\n6,c,c,c\n", "--truth actual --prediction m1 --prediction m2", {"m1": 5 / 6, "m2": 4 / 6}),
    "long predictions": ("model,id,label,pred\na,1,1,1\na,2,0,0\na,3,1,0\na,4,0,0\nb,1,1,1\nb,2,0,1\nb,3,1,1\nb,4,0,0\n", "--truth label --prediction pred --entity-column model", {"a": 2 / 3, "b": 0.8}),
    "answers": ("a,b\n1,0\n1,1\n0,0\n", "--correct a --correct b", {"a": 2 / 3, "b": 1 / 3}),
    "items": ("model,easy,hard\na,1,0\nb,1,1\n", "--from right-or-wrong", {"a": 0.5, "b": 1}),
    "samples": ("task,completion,passed\nt0,x,1\nt0,y,0\nt1,x,1\nt1,z,1\n", "--repeat all", None),
    "absent": ("model,case,correct\na,1,1\na,2,0\nb,1,1\n", "--unanswered wrong", {"a": 0.5, "b": 0.5}),
    "absent in common": ("model,case,correct\na,1,1\na,2,0\nb,1,1\n", "--unanswered common", {"a": 1, "b": 1}),
    "empty": ("case,a,b\n1,1,\n2,0,1\n", "--unanswered common", {"a": 0, "b": 1}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "values"), [one for one in ADVICE.values() if one[2]], ids=[name for name, one in ADVICE.items() if one[2]])  # fmt: skip
def test_advice_leads_to_the_right_answer(rank: Run, text: str, options: str, values: dict[str, float]) -> None:
    status, output = rank(text)
    assert status == 3
    assert options in output
    assert "drop" not in output
    status, output = rank(text, f"{options} --format json")
    assert status == 0, output
    assert values_of(output) == pytest.approx(values)


def test_the_advice_on_scores_counts_them(rank: Run) -> None:
    text = "id,label,a,b\n1,1,.9,.8\n2,0,.2,.3\n3,1,.6,.4\n4,0,.1,.7\n"
    _, output = rank(text)
    advice = output.partition("`rankscape count FILE ")[2].partition("`")[0]
    assert rank(text, advice, "count")[0] == 0
    P = rs.read("counts.csv")
    assert (P.names, P.tp.tolist() if hasattr(P, "tp") else P.counts.tolist()) is not None
    assert dict(zip(P.names, P.counts.tolist(), strict=True)) == {"a": [2, 0, 0, 2], "b": [1, 1, 1, 1]}


def test_a_table_that_is_turned_round_has_printed_rates(rank: Run) -> None:
    text = "metric,RF,SVM\nAccuracy,0.91,0.89\nPrecision,0.80,0.93\nRecall,0.72,0.70\n"
    _, output = rank(text)
    assert "turn the table round" in output
    rows = [line.split(",") for line in text.splitlines()]
    turned = "\n".join(",".join(column) for column in zip(*rows, strict=True)).replace("metric", "model")
    status, output = rank(turned, "--format json")
    assert status == 0, output
    assert set(values_of(output)) == {"RF", "SVM"}


TRUTHS = [
    *("y", "y_true", "label", "truth", "target", "y_target", "gold", "gold_label", "gold_standard", "obs", "observed"),
    *("actual", "Actual Class", "reference", "expected", "expected_output", "True_Label", "ground_truth", "GT"),
    *("outcome", "event", "diagnosis", "class", "annotation", "answer_key", "correct_label", "y_test", "survived"),
]


@pytest.mark.parametrize("labels", [("a", "b"), ("1", "0"), ("True", "False")], ids=str)
@pytest.mark.parametrize("header", TRUTHS)
def test_a_truth_is_never_ranked(rank: Run, header: str, labels: tuple[str, str]) -> None:
    one, other = labels
    rows = [(one, one, other), (other, other, other), (one, other, one), (other, one, other), (other, other, other)]
    status, output = rank(f"id,{header},svm,tree\n" + "".join(f"{i},{','.join(row)}\n" for i, row in enumerate(rows)))
    assert status == 3
    assert f"--truth {shlex.quote(header)} --prediction svm --prediction tree" in output


@pytest.mark.parametrize("header", ["REF", "y_model1", "predicted_label", "reference_id", "gpt", "golem"])
def test_what_only_sounds_like_a_truth_is_a_model(rank: Run, header: str) -> None:
    status, output = rank(f"case,{header},other\n1,1,0\n2,1,1\n3,0,1\n", "--format json")
    assert status == 0
    assert header in values_of(output)


# ---- grades


@pytest.mark.some(1)
@pytest.mark.parametrize(("options", "name"), [
    ("--correct dice", "mean dice"), ("--correct dice --scale 0 1", "mean dice"), ("--correct dice --scale 0 2", "mean grade of dice"),
])  # fmt: skip
def test_grades_keep_their_name(rank: Run, options: str, name: str) -> None:
    text = "team,task,case,dice\na,x,1,.81\na,y,2,.92\nb,x,1,.77\nb,y,2,.90\n"
    for command in ("rank", "rank --uncertainty", "why", "domains", "domains --entity a", "report -o r.html", "report -o r.md", "explore -o e.html", "site -o s"):  # fmt: skip
        status, output = rank(text, f"{command.partition(' ')[2]} {options}", command.split()[0])
        assert status == 0, output
        pages = [file.read_text() for file in (*Path().glob("r.*"), *Path("s").rglob("*.html"))]
        for printed in (output, *pages):
            assert "answered right" not in printed
            assert "% right" not in printed
            assert "accuracy" not in printed.partition("<script")[0].lower()
        assert name in output + "".join(pages)
    status, output = rank(text, f"--entity a --against-entity b {options}", "gate")
    assert name.capitalize() in output
    assert "right" not in output.replace("--", "")


def test_several_columns_are_several_models_and_need_no_column_of_models(rank: Run) -> None:
    text = "team,case,dice,iou\na,1,.8,.7\na,2,.9,.8\nb,1,.7,.6\nb,2,.9,.8\n"
    status, output = rank(text, "--correct dice --correct iou")
    assert status == 2
    assert "name one column of answers" in output


def test_a_mean_of_grades_is_no_accuracy() -> None:
    P = rs.tasks.success.from_grades({"a": [0.5, 1], "b": [0.25, 1]})
    assert rs.rank(P).score.name == "mean grade"
    for by in ("accuracy", "error rate", "f1"):
        with pytest.raises(rs.UnknownScoreError, match=r"these data have a grade|no score of grade"):
            rs.rank(P, by=by)


@pytest.mark.parametrize("times", [2, 3])
def test_repeats_of_right_and_wrong_stay_an_accuracy(times: int) -> None:
    rows = [
        {"model": m, "case": c, "repeat": r, "correct": (c + r) % 2} for m in "ab" for c in (1, 2) for r in range(times)
    ]
    P = rs.read(rows)
    assert rs.rank(P).score.name == "accuracy"
    assert P.names == ("a", "b")


# ---- repeats, clusters, and answers that are not there


def test_several_answers_are_repeats_and_no_copies(rank: Run, tmp_path: Path) -> None:
    lines = [{"task_id": f"t{i // 2}", "completion": str(i), "passed": i != 1} for i in range(4)]
    (tmp_path / "he.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = CliRunner().invoke(main, ["rank", "he.jsonl"])
    assert result.exit_code == 3
    assert "2 rows too many, of" in result.output
    assert "drop" not in result.output
    for repeat in ("all", "completion"):
        result = CliRunner().invoke(main, ["rank", "he.jsonl", "--repeat", repeat, "--format", "json"])
        assert values_of(result.output) == {"he": 0.75}
    result = CliRunner().invoke(main, ["rank", "he.jsonl", "--repeat", "nothing"])
    assert result.exit_code == 3


def test_records_with_the_id_of_a_document_are_no_samples_of_a_harness() -> None:
    rows = [{"doc_id": i, "model": m, "acc": int(i > 0 or m == "b")} for m in "ab" for i in (0, 1)]
    assert rs.read(rows).counts.tolist() == [[1, 1], [0, 2]]


def test_files_that_name_no_model_are_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, last in (("one", 0), ("two", 1)):
        Path(f"{name}.csv").write_text(f"case,correct\n1,1\n2,{last}\n")
    with pytest.warns(rs.IncompleteDataWarning, match="each file is a model"):
        P = rs.read(["one.csv", "two.csv"])
    assert (P.names, P.counts.tolist()) == (("one", "two"), [[1, 1], [0, 2]])
    assert rs.uncertainty.posterior(P, draws=5).paired
    assert rs.read("one.csv").names == ("one",)


@pytest.mark.parametrize(("unanswered", "counts"), [
    ("wrong", [[1, 2], [1, 2]]), ("common", [[1, 1], [0, 2]]), ("apart", [[1, 0, 2], [0, 1, 2]]),
])  # fmt: skip
@pytest.mark.parametrize("how", ["rows", "empty", "wide"])
def test_absent_rows_are_answers_that_are_missing(how: str, unanswered: Any, counts: list[list[int]]) -> None:
    cells = {"a": [1, 0, 1], "b": [1, 1, None]}
    rows: Any = [{"model": m, "case": i, "correct": x} for m, column in cells.items() for i, x in enumerate(column)]
    rows = [row for row in rows if row["correct"] is not None] if how == "rows" else rows
    rows = {"case": [0, 1, 2], **cells} if how == "wide" else rows
    with pytest.raises(rs.DataError, match='unanswered="common"'):
        rs.read(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.IncompleteDataWarning)
        P = rs.read(rows, unanswered=unanswered)
    assert P.counts.tolist() == counts
    assert rs.uncertainty.posterior(P, draws=5).paired


def test_models_on_cases_of_their_own_lack_none() -> None:
    rows = [{"model": m, "case": f"{m}{i}", "correct": i % 2} for m in "ab" for i in range(4)]
    with pytest.warns(rs.IncompleteDataWarning, match="Not paired"):
        assert rs.read(rows).counts.tolist() == [[2, 2], [2, 2]]


def test_a_domain_that_a_model_lacks_is_no_missing_answer() -> None:
    rows = [
        {"model": m, "task": t, "case": i, "correct": 1} for m in "ab" for t in "xy" for i in range(2) if m + t != "by"
    ]
    with pytest.warns(rs.IncompleteDataWarning, match='"b" lacks 2 of 2 cases on "y"'):
        assert len(rs.read(rows)) == 3


CLUSTERED = [
    {"model": m, "passage_id": i // 4, "question": i, "correct": int((i * 7 + len(m)) % 3 > 0)} for m in ("a", "bb") for i in range(40)
]  # fmt: skip


@pytest.mark.parametrize("header", ["passage_id", "patient", "document", "template", "Subject ID"])
def test_known_clusters_are_drawn(header: str) -> None:
    rows = [{header if key == "passage_id" else key: cell for key, cell in row.items()} for row in CLUSTERED]
    with pytest.warns(rs.IncompleteDataWarning, match=f'the cases of one "{header}" are a cluster'):
        P = rs.read(rows)
    assert "clusters (10 in the data)" in rs.uncertainty.posterior(P, draws=5).unit


@pytest.mark.parametrize(("of", "why"), [(lambda i: 3 if i % 40 else None, "empty"), (lambda i: i % 40 % 3, "across")])
def test_clusters_that_cannot_be_drawn_are_named(of: Callable[[int], Any], why: str) -> None:
    rows = [row | {"passage_id": of(j), "task": "xy"[j % 40 // 20]} for j, row in enumerate(CLUSTERED)]
    with pytest.warns(
        rs.IncompleteDataWarning, match=f'"passage_id" may name clusters of cases, and is not used: .*{why}'
    ):
        rs.read(rows)


@pytest.mark.parametrize("of", [lambda i: i % 40, lambda i: 0, lambda i: i % 7])
def test_columns_that_group_no_cases_are_no_clusters(of: Callable[[int], Any]) -> None:
    rows = [row | {"passage_id": of(j)} for j, row in enumerate(CLUSTERED)]
    P = rs.read(rows)
    assert "clusters" not in rs.uncertainty.posterior(P, draws=5).unit


ACCOUNTS = {
    "long": ("model,task,item,passed,latency\na,x,1,1,3\na,x,2,0,4\nb,x,1,1,5\nb,x,2,1,6\n", "", "Read 2 cases of 2 models (column model) on 1 domain (column task); case item; correct passed; not used: latency"),
    "wide": ("question,a,b\n1,1,0\n2,1,1\n", "", "Read 2 cases of 2 models (columns a, b); case question"),
    "items": ("model,q1,q2\na,1,0\nb,1,1\n", "", "Read 2 cases of 2 models (column model); correct q1, q2; each column of answers is an item"),
    "grades": ("team,case,dice\na,1,.8\na,2,.9\nb,1,.7\nb,2,.6\n", "--correct dice", "Read 2 cases of 2 models (column team); case case; correct dice; metric dice"),
    "common": ("model,case,correct\na,1,1\na,2,0\nb,1,1\n", "--unanswered common", "left out: 1 row (some model did not answer the case)"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "sentence"), ACCOUNTS.values(), ids=ACCOUNTS)
def test_the_account_says_what_was_read(rank: Run, text: str, options: str, sentence: str) -> None:
    assert sentence in rank(text, options)[1]


def test_two_columns_of_clusters_are_asked_for() -> None:
    rows = [row | {"document": row["question"] // 8} for row in CLUSTERED]
    with pytest.raises(rs.DataError, match='"passage_id", "document" may each name the clusters.*cluster="passage_id"'):
        rs.read(rows)
    assert "clusters (5 in the data)" in rs.uncertainty.posterior(rs.read(rows, cluster="document"), draws=5).unit

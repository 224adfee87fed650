"""Several classes: one sample space from every way in, through a table and back, and to the commands."""

import io
import json
import shlex
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn import metrics

import rankscape as rs
from rankscape import DataError, UnknownScoreError, UsageError
from rankscape.cli import main
from rankscape.tasks import multi_class, retrieval
from rankscape.tasks.classes import class_text, classes_in, pair_text

TRUTH = ["cat", "cat", "dog", "fox", "fox", "fox"]
GUESS = {"a": ["cat", "dog", "dog", "fox", "fox", "cat"], "b": ["cat", "cat", "fox", "fox", "dog", "fox"]}
M = multi_class.evaluate(TRUTH, GUESS)


def again(P: rs.Performances, **options: Any) -> rs.Performances:
    return rs.read(io.StringIO(P.table().to_csv()), **options)


def same(P: rs.Performances, Q: rs.Performances) -> bool:
    spaces = P.space == Q.space and P.space.scores == Q.space.scores
    return spaces and P.names == Q.names and np.array_equal(P.mass, Q.mass)


# ---- one space


def test_every_way_to_several_classes_has_one_space(tmp_path: Path) -> None:
    frame = pd.DataFrame({"y": TRUTH, **GUESS})
    frame.to_csv(tmp_path / "x.csv", index=False)
    matrices = {name: metrics.confusion_matrix(TRUTH, guess) for name, guess in GUESS.items()}
    ways = {
        "frame": rs.count(frame, truth="y", prediction=["a", "b"], labels="all"),
        "file": rs.count(tmp_path / "x.csv", truth="y", prediction=["a", "b"], labels="all"),
        "matrices": multi_class.from_confusion_matrix(matrices, labels=["cat", "dog", "fox"]),
        "table": again(M),
        "the frame of a table": rs.read(M.frame()),
        "polars": rs.read(pl.DataFrame(M.frame())),
        "records": rs.read(M.frame().to_dict("records")),
    }
    for way, P in ways.items():
        assert same(P, M), way
        assert rs.rank(P, by="accuracy").ranks.tolist() == [1, 1], way
        assert rs.rank(P, by="recall(fox)").best == {"a", "b"}, way
    assert rs.compare(ways["file"][0], M[1], by="accuracy") == "equivalent"


@pytest.mark.parametrize(
    "labels", [[0, 1, 2], [0.0, 1.0, 2.0], ["0", "1", "2"], np.arange(3), np.arange(3.0), [Decimal(0), 1, 2]], ids=str
)
def test_classes_are_called_alike_whatever_the_type_of_their_labels(labels: Any) -> None:
    P = multi_class.evaluate(labels, [labels[0], labels[2], labels[2]])
    assert P.space == multi_class.space(["0", "1", "2"])
    assert P.space.labels == multi_class.classes(P) == ("0", "1", "2")
    assert same(again(P), P)
    assert multi_class.one_vs_rest(P, labels[2]).counts.tolist() == [[1, 1, 0, 1]]


def test_labels_keep_their_order_in_a_table() -> None:
    P = multi_class.evaluate(TRUTH, GUESS, labels=["fox", "cat", "dog"])
    assert again(P).space.labels == ("fox", "cat", "dog")
    assert same(again(P), P)
    moved = P.frame()[["entity", *sorted(P.space.outcomes, reverse=True)]]
    assert rs.read(moved).space.labels == ("fox", "dog", "cat")
    assert rs.score("recall(cat)", rs.read(moved).space)(rs.read(moved)).tolist() == [0.5, 1]


NASTY = st.text(st.sampled_from("ab→\\ ,;\"'|\n\t=é"), max_size=5)


@example([";", ";;"])
@example([";=", "=;"])
@given(st.lists(NASTY, min_size=2, max_size=4, unique_by=str.strip))
def test_any_names_of_classes_survive_a_table(labels: list[str]) -> None:
    k = len(labels)
    counts = np.arange(1, k * k + 1).reshape(k, k)
    P = multi_class.from_confusion_matrix({"m": counts, "n": counts.T}, labels=labels)
    assert P.space.labels == tuple(label.strip() for label in labels)
    assert same(again(P), P)


@given(NASTY, NASTY)
def test_pairs_are_written_so_that_they_can_be_read(true: str, predicted: str) -> None:
    assert classes_in(pair_text(true.strip(), predicted.strip())) == (true.strip(), predicted.strip())


def test_a_backslash_by_itself_stays() -> None:
    assert classes_in("a\\b→c") == ("a\\b", "c")
    assert class_text(True) == "True"


def test_probabilities_over_pairs_are_read_as_well() -> None:
    P = multi_class.evaluate(TRUTH, GUESS, sample_weight=[0.5, 1, 1, 1, 1, 1.5])
    assert again(P).counts is None
    assert again(P).space == P.space
    assert again(P).mass == pytest.approx(P.mass)
    with pytest.raises(DataError, match="a→a, a→b, b→a, b→b sum to 0.9. As probabilities they must sum to 1"):
        rs.read(io.StringIO("entity,a→a,a→b,b→a,b→b\nm,0.5,0.2,0.1,0.1\n"))


def test_performances_that_are_read_keep_their_similarity() -> None:
    P = multi_class.evaluate([0, 1], [0, 0], similarity=[[1, 0.5], [0, 1]])
    assert rs.read(P).space == P.space != again(P).space


@pytest.mark.parametrize(("header", "message"), [
    ("a→a,a→b,b→b", 'no column "b→a"; expected all 4 pairs truth→prediction of the classes "a", "b": add what is'),
    ("a→a,a→b,b→a,b→c", 'no column "a→c", "b→b", "c→a", "c→b", "c→c"; expected all 9 pairs'),
    ("a→a,tn", 'the only pair of classes is "a→a"; expected all pairs of two or more classes'),
    ("a→a,a→b,b→a,b→b,a→a", 'the pair "a→a" occurs twice; expected one column per pair'),
    ("a→a,a→b,b→a,b→b,a→b→a", r'column "a→b→a" has 2 arrows, .* write an arrow inside the name of a class as "\\→"'),
    ("a→a,a→b,b→a,b→b,tn,fp,fn,tp", r"columns of two classes \(tn, fp, fn, tp\) and pairs of classes .* in one table"),
])  # fmt: skip
def test_pairs_that_are_incomplete_or_ambiguous_are_refused(header: str, message: str) -> None:
    row = ",".join("1" for _ in header.split(","))
    with pytest.raises(DataError, match=message):
        rs.read(io.StringIO(f"entity,{header}\nm,{row}\n"))


def test_an_arrow_in_some_other_column_is_no_pair() -> None:
    P = rs.read(io.StringIO("entity,change a→b,tn,fp,fn,tp\nm,7,1,2,3,4\n"))
    assert P.counts.tolist() == [[1, 2, 3, 4]]


def test_labels_that_would_be_one_class_are_refused() -> None:
    frame = pd.DataFrame({"y": ["a", "a ", "b"], "p": ["a", "a", "b"]})
    with pytest.raises(DataError, match='the labels "a", "a " are written alike, and would be one class'):
        rs.count(frame, truth="y", prediction="p", labels="all")
    with pytest.raises(UsageError, match="expected two or more different classes; got a, a, b"):
        multi_class.evaluate(["a", "a ", "b"], ["a", "a", "b"])
    with pytest.raises(UsageError, match="3 labels need 9 outcomes, one per pair of labels"):
        rs.SampleSpace("x", ("a", "b"), labels=("a", "b", "c"))


# ---- names of scores


@pytest.mark.parametrize(("names", "expected"), [
    (["macro f1", "f1 macro", "f1_macro", "macro-averaged f1", "Macro F1-score", "macro_f1", "F1 (macro)", "macroF1",
      "macro avg f1", "f1 macro average"], metrics.f1_score(TRUTH, GUESS["a"], average="macro")),
    (["weighted precision", "precision_weighted", "weighted average of precision"],
     metrics.precision_score(TRUTH, GUESS["a"], average="weighted")),
    (["micro recall", "recall-micro"], metrics.recall_score(TRUTH, GUESS["a"], average="micro")),
    (["accuracy", "Accuracy score", "accuracy_score", "accuracy rate"], metrics.accuracy_score(TRUTH, GUESS["a"])),
    (["balanced accuracy", "balanced_accuracy_score", "accuracy (balanced)"],
     metrics.balanced_accuracy_score(TRUTH, GUESS["a"])),
    (["recall(fox)", "recall of fox", "fox recall", "recall for the class fox", "FOX recall", "sensitivity(fox)",
      "recall score of fox", "tpr of fox", "fox_recall", "recall fox"], 2 / 3),
    (["precision(cat)", "cat precision", "ppv of cat"], 1 / 2),
    (["iou(cat)", "jaccard of cat", "Jaccard index of cat"], 1 / 3),
    (["dice of cat", "f1(cat)", "f1-score of cat", "cat f1"], 1 / 2),
    (["error rate", "misclassification rate", "zero-one loss"], 1 / 3),
])  # fmt: skip
def test_words_of_a_name_come_in_any_order(names: list[str], expected: float) -> None:
    for name in names:
        assert rs.score(name, M.space)(M)[0] == pytest.approx(expected), name


def test_names_of_classes_with_spaces_and_words_of_averages() -> None:
    P = multi_class.evaluate(["polar bear", "macro", "x"], ["polar bear", "x", "x"])
    assert rs.score("polar bear recall", P.space)(P).tolist() == [1]
    assert rs.score("recall(macro)", P.space)(P).tolist() == [0]
    assert rs.score("macro recall", P.space)(P) == pytest.approx(2 / 3)
    assert rs.score("recall(polar bear)", P.space).formula == "P(prediction = polar bear | truth = polar bear)"
    assert rs.score("accuracy", P.space).formula == "P(prediction = truth)"


@pytest.mark.parametrize(("name", "message"), [
    ("acuracy", "the nearest is 'accuracy'"),
    ("recal fox", r"the nearest is 'recall\(fox\)'"),
    ("fl macro", "no score is called 'fl'; the nearest names are"),
    ("marco f1", "the nearest is 'macro f1'"),
    ("recall of wolf", "no class is called 'wolf'; expected one of cat, dog, fox"),
    ("weighted kappa", "it weighs pairs of classes, .* rank by the expected similarity"),
    ("mean accuracy", "no score of multi-class performances is called 'mean accuracy'"),
])  # fmt: skip
def test_unknown_names_suggest_near_ones(name: str, message: str) -> None:
    with pytest.raises((UnknownScoreError, UsageError), match=message):
        rs.score(name, M.space)


def test_words_that_change_the_meaning_are_not_dropped() -> None:
    Q = retrieval.evaluate([{1}, {2, 3}], {"x": [{1, 2}, {3}]})
    for name in ("average precision", "mean average precision"):
        with pytest.raises(UnknownScoreError):
            rs.score(name, Q.space)
    with pytest.raises(rs.UsageError, match="balanced accuracy needs true negatives"):
        rs.score("mean recall", Q.space)  # the mean over classes, not over queries


# ---- the commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{name},{site},{y},{p}"
        for name, guess in GUESS.items()
        for site in ("north", "south")
        for y, p in zip(TRUTH, guess if site == "north" else TRUTH, strict=True)
    ]
    (tmp_path / "preds.csv").write_text("\n".join(["model,site,y,yhat", *rows, ""]))
    run(
        "count",
        "preds.csv",
        *[
            "--truth",
            "y",
            "--prediction",
            "yhat",
            "--entity-column",
            "model",
            "--domain-column",
            "site",
            "--labels",
            "all",
            "-o",
            "mc.csv",
        ],
    )
    return tmp_path


def run(*args: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, args)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize(("args", "lines"), [
    ("rank mc.csv", ["Ranking of 2 models by accuracy", "accuracy = P(prediction = truth)", "0.8333"]),
    ("rank mc.csv --by accuracy --domain north", ["Ranking of 2 models by accuracy", "0.6667"]),
    ("rank mc.csv --by 'macro f1'", ["Ranking of 2 models by macro f1", "Caution: macro f1 is not sound"]),
    ("rank mc.csv --by 'recall of dog'", ["1  a      1.0000", "2  b      0.5000"]),
    ("rank mc.csv --by 'fox recall' --format json", ['"schema": "rankscape/rank/1"']),
    ("rank mc.csv --uncertainty", ["P(first)", "value interval"]),
    ("rank mc.csv --uncertainty --by 'cat recall' --draws 200", ["P(first)"]),
    ("domains mc.csv", ["Domains of 2 models, by accuracy", "north"]),
    ("domains mc.csv --by 'precision(cat)' --entity a", ["Domains of a, by precision(cat)"]),
])  # fmt: skip
def test_commands_take_what_count_writes(folder: Path, args: str, lines: list[str]) -> None:
    output = run(*shlex.split(args))
    for line in lines:
        assert line in output


@pytest.mark.some(1)
@pytest.mark.parametrize("by", [(), ("--by", "f1 of fox"), ("--by", "macro f1")])
def test_a_card_of_several_classes_is_written(folder: Path, by: tuple[str, ...]) -> None:
    run("report", "mc.csv", "-o", "r.html", *by, "--draws", "200")
    assert (by or ("", "accuracy"))[1] in Path("r.html").read_text()
    card = rs.report("mc.csv", draws=0)
    assert card.title == "2 models ranked by accuracy"
    assert [section.title for section in card.sections][-2:] == ["The domains", "Who is first for which weights"]


@pytest.mark.parametrize("args", [
    "tile mc.csv -o t.png", "why mc.csv --domain north", "why mc.csv --domain north --by recall(dog)", "tradeoff mc.csv",
    "rank mc.csv --by 0,1", "rank mc.csv --costs miss=5", "rank mc.csv --shift-prior 0.5",
])  # fmt: skip
def test_what_needs_two_classes_says_what_works_instead(folder: Path, args: str) -> None:
    output = run(*args.split(), status=2)
    assert "is defined for two-class performances" in output
    assert "take several classes" in output
    assert "of one class against the rest" in output
    assert {path.name for path in folder.iterdir()} == {"preds.csv", "mc.csv"}


def wide(folder: Path) -> list[str]:
    """Write a table of predictions, one column per entity, and return how it is read."""
    pd.DataFrame({"y": TRUTH, **GUESS, "site": list("nsnsns")}).to_csv(folder / "wide.csv", index=False)
    return ["wide.csv", "--truth", "y", "--prediction", "a", "--prediction", "b"]


@pytest.mark.parametrize("args", [
    "rank", "rank --by recall(fox)", "rank --by 'fox recall'", "rank --by balanced_accuracy", "rank --by 'macro f1'",
    "rank --pos-label fox", "rank --pos-label fox --by mcc", "rank --by 'P(cat→dog)'",
])  # fmt: skip
def test_predictions_have_the_same_values_with_and_without_draws(folder: Path, args: str) -> None:
    command, *more = shlex.split(args)
    predictions = [*wide(folder), "--format", "json"]
    values = []
    for draws in ((), ("--uncertainty", "--draws", "100")):
        done = CliRunner().invoke(main, [command, *predictions, *more, *draws])
        assert done.exit_code == 0, done.output
        values.append([(row["entity"], row["rank"], row["value"]) for row in json.loads(done.stdout)["entities"]])
    assert values[0] == values[1]


@pytest.mark.parametrize(
    "args",
    [
        "domains --by accuracy --domain-column site",
        "report --draws 0 -o card.html",
        "report -o card.html",
        "explore --by recall(fox) -o e.html",
    ],
)
def test_commands_take_predictions_of_several_classes(folder: Path, args: str) -> None:
    command, *more = args.split()
    run(command, *wide(folder), *more)


@pytest.mark.parametrize("args", ["why", "tile -o t.png", "tradeoff"])
def test_predictions_of_several_classes_have_a_way_to_two(folder: Path, args: str) -> None:
    command, *more = args.split()
    output = run(command, *wide(folder), *more, status=2)
    assert "of predictions --pos-label cat, here or of `rankscape count`, gives the two-class counts" in output


def test_unknown_names_are_refused(folder: Path) -> None:
    Path("foxes.csv").write_text("y,yhat\nfox,fox\ndog,fox\ndog,dog\n")
    of_one = ("rank", "foxes.csv", "--truth", "y", "--prediction", "yhat", "--pos-label", "fox")
    assert "recall(fox)" in run(*of_one, "--by", "recall(fox)", status=2)
    for name in ("blurg", "macro blurg"):
        assert name in run(*of_one, "--by", name, status=2)
    assert "the nearest is 'recall(dog)'" in run("rank", "mc.csv", "--by", "dog recal", status=2)
    assert "no weights, as a ranking score does" in run("domains", "mc.csv", "--by", "macro f1", status=2)


def test_two_classes_in_pairs_have_a_tile(folder: Path) -> None:
    Path("two.csv").write_text("entity,a→a,a→b,b→a,b→b\nm,3,1,2,4\nn,2,2,1,5\n")
    run("tile", "two.csv", "-o", "t.csv")
    assert "m = n are tied for first by accuracy" in run("why", "two.csv")
    assert "n is first by f1(b)" in run("why", "two.csv", "--by", "f1(b)")


@pytest.mark.parametrize("make", [
    lambda P: rs.tile.entity(P), lambda P: rs.regions.first(P), lambda P: rs.tradeoff(P),
    lambda P: P.shift_priors(0.5), lambda P: P.priors, lambda P: rs.gate(P[0], P[1]),
])  # fmt: skip
def test_python_says_what_works_instead(make: Callable[[rs.Performances], Any]) -> None:
    with pytest.raises(UsageError, match=r"tasks.multi_class.one_vs_rest\(P, 'cat'\) gives the two-class performances"):
        make(M)

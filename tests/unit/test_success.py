"""Success: cases that succeed or fail, counted, graded or compared with the truth; in Python and on the command line."""

import io
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape import DataError, UsageError
from rankscape.cli import main
from rankscape.tasks import success

TABLE = "entity,domain,correct,total\na,math,41,50\nb,math,43,50\na,law,10,20\nb,law,9,20\n"
P = success.from_counts([41, 43, 10, 9], [50, 50, 20, 20], names=["a", "b"] * 2, domains=["math"] * 2 + ["law"] * 2)


def read(text: str) -> rs.Performances:
    return rs.read(io.StringIO(text))


def test_counts_stay_counts() -> None:
    assert P.space.outcomes == ("failure", "success")
    assert P.counts is not None
    assert P.counts.tolist() == [[9, 41], [7, 43], [10, 10], [11, 9]]
    assert rs.rank(success.from_counts([10**15, 10**15 - 1], 3 * 10**15)).ranks.tolist() == [1, 2]
    assert rs.rank(success.from_counts([1, 3], [3, 9])).bounds.tolist() == [[1, 2], [1, 2]]  # exactly tied


@pytest.mark.parametrize("name", ["accuracy", "success rate", "pass rate", "success", "share correct", "Pass-Rate"])
def test_names_of_the_accuracy(name: str) -> None:
    by = rs.score(name, P.space)
    assert by(P).tolist() == [0.82, 0.86, 0.5, 0.45]
    assert (by.direction, by.formula, by.sound) == ("larger", "P(success)", "always")


@pytest.mark.parametrize("name", ["error rate", "failure rate", "Error"])
def test_names_of_the_error_rate(name: str) -> None:
    by = rs.score(name, P.space)
    assert by.direction == "smaller"
    assert by(P) == pytest.approx([0.18, 0.14, 0.5, 0.55])
    assert rs.rank(P, by=name).best == {"a"}


def test_what_ranks_them() -> None:
    ranking = rs.rank(P)
    assert ranking.score.name == "accuracy"
    assert list(ranking) == ["a", "b"]
    assert ranking.values.tolist() == pytest.approx([0.66, 0.655])
    assert ranking.caution is None
    math = P.in_domain("math")
    assert rs.compare(math["a"], math["b"], by="accuracy") == "worse"
    assert rs.summarize(P).mass.tolist() == [pytest.approx([0.34, 0.66]), pytest.approx([0.345, 0.655])]
    assert rs.uncertainty.posterior(P, draws=5).values.shape == (5, 2, 2)
    assert rs.uncertainty.rank_intervals(P, by="accuracy", draws=200).table()["p_first"] == pytest.approx(
        [0.5, 0.5], abs=0.1
    )


def test_a_table_of_correct_and_total_is_read() -> None:
    for text in (TABLE, TABLE.replace(",", ";"), TABLE.replace("correct,total", "Correct, Total ")):
        Q = read(text)
        assert Q.space == success.SPACE
        assert (Q.names, Q.domains) == (P.names, P.domains)
        assert Q.counts is not None
        assert Q.counts.tolist() == P.counts.tolist()  # type: ignore[union-attr]
    assert read(P.table().to_csv()).counts.tolist() == P.counts.tolist()  # type: ignore[union-attr]
    assert rs.read({"model": ["a"], "correct": [3], "total": [4]}).names == ("a",)
    both = "entity,tn,fp,fn,tp,correct,total\na,1,2,3,4,5,10\n"
    assert read(both).space == rs.TWO_CLASS


@pytest.mark.parametrize(("row", "message"), [
    ("b,7,5", r'row 2 \(line 3, "b"\): correct = 7 is more than total = 5'),
    ("b,-3,5", r'row 2 \(line 3, "b"\): correct = -3 is negative; counts must be ≥ 0'),
    ("b,2.5,5", r'row 2 \(line 3, "b"\): correct = 2.5 is not a whole number'),
    ("b,0,0", r'row 2 \(line 3, "b"\): all counts are 0'),
    ("b,,5", r'row 2 \(line 3, "b"\): correct = "" is missing'),
])  # fmt: skip
def test_a_wrong_row_is_named(row: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(f"entity,correct,total\na,3,5\n{row}\n")


def test_grades_are_means_exactly() -> None:
    graded = success.from_grades({"a": [0.1, 0.2, 1], "b": [0.3, 0, 1]})
    assert graded.counts is None
    exact = [sum(map(Fraction, grades)) / 3 for grades in ([0.1, 0.2, 1.0], [0.3, 0.0, 1.0])]
    assert [Fraction(int(s), int(f + s)) for f, s in graded.integers] == exact
    assert rs.rank(graded).best == {"a" if exact[0] > exact[1] else "b"}
    assert success.from_grades(np.array([[True, False], [True, True]])).counts.tolist() == [[1, 1], [0, 2]]  # type: ignore[union-attr]
    assert success.from_grades([0.5, 1.0], names=["one"]).names == ("one",)


def test_predictions_succeed_where_they_are_right() -> None:
    assert success.evaluate([1, 2, 3], {"a": [1, 2, 4], "b": [1, 2, 3]}).counts.tolist() == [[1, 2], [0, 3]]  # type: ignore[union-attr]


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: success.from_counts([3, 7], 5, names=["x", "y"]), DataError, r'row 2 \("y"\): correct = 7 is more than total = 5'),
    (lambda: success.from_counts([-1], [5]), DataError, "correct = -1 is negative"),
    (lambda: success.from_counts([5], [7.5]), DataError, "total = 7.5 is not a whole number"),
    (lambda: success.from_counts([1, 2], [5, 5, 5]), DataError, r"correct and total: .* \(2,\) and \(3,\)"),
    (lambda: success.from_grades({"a": [0, 2]}), DataError, r'row 1 \("a"\): the grade 2 of case 2 lies outside \[0, 1\]'),
    (lambda: success.from_grades([0, np.nan]), DataError, "grade values must be finite numbers"),
    (lambda: success.from_grades([]), DataError, "expected a grade per case"),
    (lambda: success.evaluate(["a"], [1]), DataError, "true labels are text, predicted labels are numbers"),
    (lambda: rs.tile.value(P.in_domain("law")["a"]), UsageError, "the Tile is defined for two-class performances"),
    (lambda: rs.tradeoff(P), UsageError, "a trade-off is defined for two-class performances"),
    (lambda: rs.score("f1", P.space), rs.UnknownScoreError, "and f1 needs misses and false alarms: rank by accuracy"),
    (lambda: rs.score("eror rate", P.space), rs.UnknownScoreError, "the nearest is 'error rate'"),
])  # fmt: skip
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "successes.csv"
    path.write_text(TABLE)

    def run(*args: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, list(args))
        return result.exit_code, result.output

    status, output = run("rank", str(path))
    assert status == 0
    assert "by accuracy; larger is better\naccuracy = P(success), the share of cases that are answered right" in output
    assert "First: a, which answers 66.0 % right" in output
    status, output = run("rank", str(path), "--by", "failure rate", "--uncertainty", "--draws", "100")
    assert status == 0
    assert "by error rate; smaller is better" in output
    assert run("domains", str(path))[0] == 0
    status, output = run("tile", str(path), "-o", str(tmp_path / "tile.png"))
    assert status == 2
    assert "the Tile is defined for two-class performances" in output


def test_the_score_of_the_task_is_taken_wherever_none_is_named() -> None:
    P = rs.tasks.success.from_counts([41, 43, 30, 45], 50, names=["s", "l"] * 2, domains=["x", "x", "y", "y"])
    one = P.in_domain("x")
    assert rs.compare(one["s"], one["l"]) == "worse"
    assert rs.uncertainty.rank_intervals(one, draws=50, rng=0).score.name == "accuracy"
    assert rs.domains.roles(P).hardest == ("y", "x")
    assert rs.domains.leave_one_out(P).ranking.score.name == "accuracy"


# ---- printed accuracies


def test_printed_accuracies_become_counts() -> None:
    Q = rs.read({"model": ["a", "b", "c"], "accuracy": ["84 %", "0,86", "100%"], "n": [50, 50, 50]})
    assert Q.counts is not None
    assert Q.counts.tolist() == [[8, 42], [7, 43], [0, 50]]
    assert rs.read({"model": ["a"], "accuracy": ["0.80"], "n": [50]}).counts.tolist() == [[10, 40]]  # type: ignore[union-attr]
    assert rs.read({"model": ["a"], "accuracy (%)": [84.0], "n": [50]}).counts.tolist() == [[8, 42]]  # type: ignore[union-attr]


def test_printed_accuracies_that_leave_the_counts_open_are_noted() -> None:
    message = "84.1 % of 14042 may be 11803 to 11816; the nearest is taken"
    with pytest.warns(rs.IncompleteDataWarning, match=message):
        Q = rs.read({"model": ["a"], "accuracy": ["84.1 %"], "n": [14042]})
    assert Q.counts is not None
    assert Q.counts[0, 1] == 11809
    with pytest.warns(rs.IncompleteDataWarning, match="right: 1 of 3 may be 2 to 3; the nearest is taken"):
        rs.read({"model": ["a"], "accuracy": ["1"], "n": [3]})


@pytest.mark.parametrize(("accuracy", "n", "message"), [
    (["0.5"], [3], r"accuracy = 0.5 is no share of 3 cases: 1 of 3 is 0.333333, 2 of 3 is 0.666667"),
    (["84.1"], [50], r'from 0 to 1: write "accuracy \(%\)" in place of "accuracy", or write "84.1 %"'),
    (["9/10"], [50], "accuracy = '9/10' is not a number; expected one such as .*: write 0.9"),
    (["high"], [50], "accuracy = 'high' is not a number"),
    (["0.5", "0.4"], [5, 5, 5], "columns have different lengths"),
    (["0.5"], [2.5], "n = 2.5 is no number of cases"),
])  # fmt: skip
def test_printed_accuracies_that_cannot_be(accuracy: Any, n: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        rs.read({"model": [*"abc"][: len(accuracy)], "accuracy": accuracy, "n": n})


# ---- the gate

CASES = {
    "case": range(200),
    "domain": ["x", "y"] * 100,
    "new": [1] * 170 + [0] * 30,
    "old": [1] * 130 + [0] * 40 + [1] * 5 + [0] * 25,
}
BOTH = rs.cases(CASES, correct=["new", "old"]).performances


def test_a_gate_compares_accuracies_paired_by_case() -> None:
    one = rs.gate(BOTH["new"], BOTH["old"])
    assert (one.verdict, one.paired, one.new_value, one.old_value) == ("pass", True, 0.85, 0.675)
    assert one.prior is None
    assert one.table()["worst_a"][0] != one.table()["worst_a"][0]
    back = rs.gate(BOTH["old"], BOTH["new"])
    assert back.verdict == "worse"
    assert rs.gate(BOTH["new"], BOTH["new"]).reason.startswith("the two did the same")
    assert rs.gate(BOTH["new"], BOTH["new"], margin=0.1).verdict == "pass"
    every = rs.gate(BOTH["new"], BOTH["old"], every_domain=True)
    assert every.by_domain is not None
    assert {name: each.verdict for name, each in every.by_domain.items()} == {"x": "pass", "y": "pass"}


def test_a_gate_of_counts_is_unpaired_and_less_sure() -> None:
    paired, apart = (
        rs.gate(BOTH["new"], BOTH["old"]),
        rs.gate(success.from_counts(150, 200), success.from_counts(140, 200)),
    )
    assert not apart.paired
    assert (paired.verdict, apart.verdict) == ("pass", "undecided")
    assert rs.gate(success.from_counts(170, 200), success.from_counts(130, 200)).verdict == "pass"


def test_a_gate_of_grades() -> None:
    rng = np.random.default_rng(0)
    grades = rng.random((3, 150))
    Q = rs.cases({"a": grades[0], "b": 0.8 * grades[0], "c": grades[2]}, correct=["a", "b", "c"]).performances
    assert rs.gate(Q["a"], Q["b"]).verdict == "pass"
    assert rs.gate(Q["b"], Q["a"]).verdict == "worse"
    assert rs.gate(Q["a"], Q["c"]).verdict == "undecided"
    assert "models pooled by how similar they are" in rs.gate(Q["a"], Q["b"]).method
    other = success.from_grades([0.25, 0.5]).with_pairing(None)
    assert (
        rs.gate(other, other).reason
        == "these are no counts, and no table has the grades of both models on the same cases"
    )


@pytest.mark.parametrize("options", [{"box": "a = 1, b = 1"}, {"costs": {"miss": 2}}, {"shift_prior": 0.3}], ids=str)
def test_a_gate_has_no_preferences_of_right_or_wrong(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(options))}= would change nothing: cases that are right or wrong"):
        rs.gate(BOTH["new"], BOTH["old"], **options)


def test_a_gate_of_two_kinds_is_refused() -> None:
    with pytest.raises(DataError, match="of different kinds, success and two-class"):
        rs.gate(success.from_counts(3, 5), [[1, 2, 3, 4]])


# ---- the texts

OF_TWO_CLASSES = ("misses", "a miss", "false alarm", "importance", "positive", "detection", "Tile")


def test_texts_speak_of_right_answers(tmp_path: Path) -> None:
    path, new, old = tmp_path / "s.csv", tmp_path / "new.csv", tmp_path / "old.csv"
    path.write_text(TABLE)
    new.write_text("entity,correct,total\nnew,171,200\n")
    old.write_text("entity,correct,total\nold,120,200\n")

    def run(*args: str) -> str:
        result = CliRunner().invoke(main, list(args))
        assert result.exit_code in (0, 1, 4), result.output
        text = result.output.partition('"account"')[0]  # whose fields are the same for all
        assert not [word for word in OF_TWO_CLASSES if word in text], text
        return result.output

    assert "First: a, which answers 66.0 % right" in run("rank", str(path))
    assert "accuracy interval" in run("rank", str(path), "--uncertainty", "--draws", "100")
    assert "to see that, pass a" in run("rank", str(path), "--uncertainty", "--draws", "100")
    run("rank", str(path), "--differences", "--draws", "100")
    output = run("domains", str(path))
    assert "largest share of the wrong answers" in output
    assert "preponderant" not in output
    assert "On average, a answers 66.0 % right" in run("domains", str(path), "--entity", "a")
    output = run("gate", str(new), "--against", str(old))
    assert (
        "PASS: new is at least as good as old\nSo new may replace old\nnew answers 85.5 % right, old 60.0 %" in output
    )
    assert "+25.50 points" in output
    assert "## PASS: new is at least as good as old" in run(
        "gate", str(new), "--against", str(old), "--format", "markdown"
    )
    assert '"box": "accuracy"' in run("gate", str(new), "--against", str(old), "--format", "json")
    card = tmp_path / "card.md"
    run("report", str(path), "-o", str(card), "--draws", "100", "--no-figures")
    text = card.read_text()
    assert "Which model answers the largest share of the cases right?" in text
    assert not [word for word in OF_TWO_CLASSES if word in text]


def test_the_card_knows_cases_and_grades() -> None:
    card = rs.report(BOTH, draws=50)
    assert card["The data"].table is not None
    assert list(card["The data"].table.rows()) == [("x", "100"), ("y", "100")]
    assert "Every model answered the same cases, which the draws keep together" in card["The data"].lines
    graded = rs.cases({"a": [0.5, 1], "b": [1, 0]}, correct=["a", "b"]).performances
    assert (
        "Cases are not right or wrong: they have grades, and the mean grade is ranked"
        in rs.report(graded, draws=50)["The data"].lines
    )
    many = success.from_counts([1] * 20, [3] * 20, names=["a", "b"] * 10, domains=[f"d{i // 2}" for i in range(20)])
    table = rs.report(many, draws=0)["The domains"].table
    assert table is not None
    assert table.columns == ["model", "on average", "easiest", "hardest", "bottleneck"]


def test_cards_of_draws_know_cases_and_grades(tmp_path: Path) -> None:
    lines = rs.report(rs.uncertainty.posterior(BOTH, 50))["The data"].lines
    assert "Every model answered the same cases, which the draws keep together" in lines
    path = tmp_path / "grades.csv"
    path.write_text("model,benchmark,case,value\n" + "".join(
        f"{model},{benchmark},{case},0.{case + shift}\n"
        for model, shift in (("a", 2), ("b", 1)) for benchmark, n in (("x", 3), ("y", 6)) for case in range(1, n)
    ))  # fmt: skip
    card = tmp_path / "card.md"
    asked = [
        "report",
        str(path),
        "-o",
        str(card),
        "--no-figures",
        "--draws",
        "50",
        "--weights",
        "size",
        "--correct",
        "value",
    ]
    CliRunner().invoke(main, asked, catch_exceptions=False)
    assert "they have grades, and the mean value is ranked" in card.read_text()
    assert "size weights (x 28.6 %, y 71.4 %)" in card.read_text()


def test_a_winner_that_never_carries_over_has_no_share() -> None:
    P = success.from_counts([164, 145, 203, 208, 134, 137], [200] * 2 + [300] * 2 + [150] * 2, names=["a", "b"] * 3,
                            domains=["x", "x", "y", "y", "z", "z"])  # fmt: skip
    lines = rs.report(P, draws=0)["Would it hold elsewhere?"].lines
    assert lines[0].endswith("also wins the one left out on 0 of 3")


@pytest.mark.parametrize(("header", "named"), [("passed", {"correct": ("passed",)}), ("correct", {})])
def test_the_account_names_the_column_that_was_taken_for_right_answers(
    header: str, named: dict[str, tuple[str]]
) -> None:
    P = rs.read({"model": ["a", "b"], header: [30, 45], "n" if named else "total": [50, 50]})
    assert P.account.columns == {"entity": ("model",), **named}


def test_grades_given_as_decimals_are_exact() -> None:
    P = success.from_grades([["0.1", "1", 0], [Decimal("0.3"), 0, "1"]])
    assert P.integers.tolist() == [[19, 11], [17, 13]]
    assert success.from_grades([[Fraction(1, 3), 1, 0]]).integers.tolist() == [[5, 4]]
    assert rs.uncertainty.posterior(P, draws=3, rng=0).values.shape == (3, 2, 2)

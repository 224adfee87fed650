"""Success: cases that succeed or fail, counted, graded or compared with the truth; in Python and on the command line."""

import io
from collections.abc import Callable
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
    (lambda: rs.score("f1", P.space), rs.UnknownScoreError, "no score of success performances is called 'f1'; known are accuracy"),
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
    assert "by accuracy; larger is better\naccuracy = P(success)" in output
    assert "First: a (0.6600)" in output
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

"""Columns beside the counts: cases without an answer, rates that are recomputed, hierarchies of domains."""

import io
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.checks.names import domain_parts, domain_text
from rankscape.cli import main
from rankscape.domains.grid import prepare

MAILS = "model,tn,fp,fn,tp,total\nbig,200,40,30,130,400\nlazy,20,3,9,20,400\n"


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    return result


# Cases without an answer


def test_cases_without_an_answer_are_asked_about() -> None:
    with pytest.raises(rs.DataError, match=r'row 2 \(line 3, "lazy"\): 348 of 400 cases have no answer') as caught:
        rs.read(io.StringIO(MAILS))
    assert 'unanswered="wrong"' in str(caught.value)


def test_as_wrong_they_are_errors_of_their_class() -> None:
    P = rs.read(io.StringIO(MAILS), unanswered="wrong")
    assert P.counts is not None
    assert P.counts.tolist() == [[200, 40, 30, 130], [20, 220, 140, 20]]  # 240 negatives, 160 positives, as for big
    assert P.account is not None
    assert P.account.columns == {"entity": ("model",)}
    stated = "model,tn,fp,fn,tp,n_positive,n_negative\nonly,20,3,9,20,100,300\n"
    assert rs.read(io.StringIO(stated), unanswered="wrong").counts.tolist() == [[20, 280, 80, 20]]  # type: ignore[union-attr]


def test_apart_ranks_on_the_answered_cases_and_says_so() -> None:
    with pytest.warns(rs.IncompleteDataWarning, match=r'"lazy" answered 13\.0 % of the cases'):
        P = rs.read(io.StringIO(MAILS), unanswered="apart")
    assert P["lazy"].counts.tolist() == [[20, 3, 9, 20]]  # type: ignore[union-attr]
    assert "lazy has 52 cases, big 400: these are hardly the same cases" in " ".join(prepare(P).about_gaps)


def test_without_the_classes_they_cannot_be_wrong() -> None:
    with pytest.raises(rs.DataError, match="does not say how many of them are positive"):
        rs.read(io.StringIO("model,tn,fp,fn,tp,abstained\na,5,1,1,5,4\nb,6,1,1,5,3\n"), unanswered="wrong")


def test_the_command_line_ends_with_status_3(tmp_path: Path) -> None:
    path = tmp_path / "mails.csv"
    path.write_text(MAILS)
    assert "--unanswered wrong" in run("rank", str(path), status=3).output
    run("rank", str(path), "--unanswered", "wrong")


@pytest.mark.parametrize("header", ["unanswered", "No answer", "refusals", "failures"])
def test_a_column_may_name_them(header: str) -> None:
    with pytest.raises(rs.DataError, match="4 of 16 cases have no answer"):
        rs.read(io.StringIO(f"model,tn,fp,fn,tp,{header}\na,5,1,1,5,4\n"))


# What is printed twice


def audited(column: str, cell: str) -> list[str]:
    """Return the warnings about a table of tn 50, fp 4, fn 11, tp 35 with one more column."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rs.read(io.StringIO(f"model;tn;fp;fn;tp;{column}\na;50;4;11;35;{cell}\n"))
    return [str(one.message) for one in caught if issubclass(one.category, rs.ContradictionWarning)]


@pytest.mark.parametrize(("column", "cell"), [
    ("accuracy", "0.85"), ("accuracy", "85 %"), ("acc", "85.0"), ("F1 (%)", "82.4"), ("precision", "0.897"),
    ("recall", "0.7609"), ("recall", "0,7609"), ("iou", "0.70"), ("total", "100"), ("specificity", "n/a"),
    ("balanced accuracy", "0.8434"), ("note", "0.1"), ("prevalence", ".46"), ("accuracy", "0.8499999999999999"),
])  # fmt: skip
def test_what_agrees_is_not_warned_about(column: str, cell: str) -> None:
    assert audited(column, cell) == []


@pytest.mark.parametrize(("column", "cell", "computed"), [
    ("accuracy", "0.86", "0.85"), ("F1", "0.83", "0.823529"), ("specificity", "92", "92.5926"), ("total", "99", "100"),
    ("n_positive", "45", "46"), ("precision", "0.91", "0.897436"), ("acc", "8.5 %", "85 %"),
])  # fmt: skip
def test_what_contradicts_is_named_by_cell(column: str, cell: str, computed: str) -> None:
    (sentence,) = audited(column, cell)
    assert f"{column} = {cell}, the counts give {computed}" in sentence
    assert "1 cell contradicts the counts" in sentence


@given(
    st.lists(st.integers(1, 400), min_size=4, max_size=4),
    st.integers(2, 5),
    st.sampled_from(["accuracy", "F1", "recall"]),
)
def test_printed_scores_never_contradict_their_counts(counts: list[int], decimals: int, name: str) -> None:
    value = float(rs.score(name)(rs.Performances.from_counts([counts]))[0])
    text = f"model,tn,fp,fn,tp,{name}\na,{','.join(map(str, counts))},{value:.{decimals}f}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error", rs.ContradictionWarning)
        rs.read(io.StringIO(text))
        rs.read(
            {"model": ["a"], **dict(zip(["tn", "fp", "fn", "tp", name], [[x] for x in (*counts, value)], strict=True))}
        )


# Domains of several columns

CDNET = """Method,Category,Video,TP,FP,FN,TN
a,baseline,highway,5,2,3,90
a,baseline,office,6,2,2,90
a,night/day,bridge,4,2,6,88
b,baseline,highway,6,3,2,89
b,baseline,office,5,1,3,91
b,night/day,bridge,3,1,7,89
"""


def test_category_and_video_make_a_hierarchy() -> None:
    P = rs.read(io.StringIO(CDNET))
    assert P.domains is not None
    assert P.domains[:3] == ("baseline/highway", "baseline/office", r"night\/day/bridge")
    assert rs.read(io.StringIO(CDNET), domain=["Category", "Video"]).domains == P.domains
    same = rs.Performances.from_counts(P.counts, names=P.names, domains=[domain_parts(name) for name in P.domains])
    assert same.domains == P.domains


def test_weights_per_level() -> None:
    P = rs.read(io.StringIO(CDNET))
    equal = rs.summarize(P, weights="hierarchical")
    by_hand = {
        "baseline/highway": Fraction(1, 4),
        "baseline/office": Fraction(1, 4),
        r"night\/day/bridge": Fraction(1, 2),
    }
    assert (
        equal.integers * rs.summarize(P, weights=by_hand).integers[:, :1]
        == equal.integers[:, :1] * rs.summarize(P, weights=by_hand).integers
    ).all()
    given_ = rs.summarize(P, weights={"baseline": 3, ("night/day",): 1})  # type: ignore[dict-item]
    leaf = rs.summarize(P, weights={"baseline/highway": 3, "baseline/office": 3, r"night\/day/bridge": 2})
    assert given_.mass.ravel().tolist() == pytest.approx(leaf.mass.ravel().tolist())
    below = rs.summarize(P, weights={"baseline/highway": 1, "baseline/office": 0, "baseline": 1, "night/day": 1})
    assert below.mass[0].tolist() == pytest.approx([0.89, 0.02, 0.045, 0.045])
    with pytest.raises(rs.UsageError, match="'shadow' is no domain, and no group of domains"):
        rs.summarize(P, weights={"baseline": 1, "night/day": 1, "shadow": 1})


@given(
    st.lists(st.text(min_size=1, max_size=5, alphabet="ab/\\ ä"), min_size=1, max_size=3).filter(lambda p: len(p) > 1)
)
def test_names_of_several_parts_can_be_read_back(parts: list[str]) -> None:
    assert domain_parts(domain_text(parts)) == tuple(parts)


def test_several_columns_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(CDNET.replace("Category", "kind").replace("Video", "film"))
    output = run("domains", str(path), "--domain-column", "kind", "--domain-column", "film").output
    assert "baseline/highway" in output


# Several files


def test_files_of_metrics_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text(
        '{"true_negatives": 50, "false_positives": 9, "false_negatives": 5, "true_positives": 36}'
    )
    (tmp_path / "old.json").write_text('{"eval/TN": 50, "eval/FP": 11, "eval/FN": 4, "eval/TP": 35, "loss": 0.1}')
    P = rs.read([tmp_path / "new.json", tmp_path / "old.json"])
    assert P.names == ("new", "old")
    assert rs.read(tmp_path).counts.tolist() == [[50, 9, 5, 36], [50, 11, 4, 35]]  # type: ignore[union-attr]
    assert "1  new" in run("rank", str(tmp_path / "new.json"), str(tmp_path / "old.json")).output


def test_files_that_do_not_fit_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("entity,tn,fp,fn,tp\na,1,2,3,4\n")
    (tmp_path / "b.csv").write_text("entity,correct,total\na,1,2\n")
    assert (
        "the files do not fit together"
        in run("rank", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), status=3).output
    )


def test_formats_are_listed() -> None:
    assert "prefixed" in run("formats").output
    with pytest.raises(rs.UsageError, match="format 'excel' is unknown; expected one of csv"):
        rs.read(io.StringIO(CDNET), format="excel")


@pytest.mark.parametrize("cell", ["1e999999999", "1e-999999999", "0e999999999"])
@pytest.mark.parametrize("header", ["n", "accuracy", "unanswered"])
def test_immense_exponents_beside_the_counts_are_no_numbers(header: str, cell: str) -> None:
    assert len(rs.read(io.StringIO(f"model,tn,fp,fn,tp,{header}\na,1,2,3,4,{cell}\n"))) == 1


# Right or wrong


def test_a_total_above_the_successes_and_failures_is_asked_about_too() -> None:
    text = "model,failure,success,total\na,3,7,20\nb,2,18,20\n"
    with pytest.raises(rs.DataError, match='10 of 20 cases have no answer .column "total"'):
        rs.read(io.StringIO(text))
    assert rs.read(io.StringIO(text), unanswered="wrong").counts.tolist() == [[13, 7], [2, 18]]


def test_counts_of_successes_go_before_the_accuracy_beside_them() -> None:
    text = "model,correct,total,accuracy\na,1203,2000,60.2%\nb,1300,2000,{}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.read(io.StringIO(text.format("65.0%"))).counts.tolist() == [[797, 1203], [700, 1300]]
    with pytest.warns(rs.ContradictionWarning, match="accuracy = 66.0%, the counts give 65 %"):
        rs.read(io.StringIO(text.format("66.0%")))


# Two columns of the same meaning, and both sides of right or wrong


@pytest.mark.parametrize(
    ("header", "rows", "says"),
    [
        ("tn,fp,fn,tp,n,total", "1,2,3,4,10,12", 'row 1 (line 2, "a"): total = 12, n = 10'),
        ("tn,fp,fn,tp,total,n", "1,2,3,4,10,9", "n = 9, total = 10"),
        ("correct,total,n", "1,2,3", "n = 3, total = 2"),
        ("passed,failed,total", "1,2,2", "total = 2, the counts give 3"),
    ],
)
def test_two_totals_that_differ_are_named(header: str, rows: str, says: str) -> None:
    with pytest.warns(rs.ContradictionWarning) as warned:
        rs.read(io.StringIO(f"model,{header}\na,{rows}\n"))
    assert says.replace(', "a")', ")") in str(warned[0].message)


@pytest.mark.parametrize("both", ["passed,failed", "Correct,Incorrect", "right,wrong"])
def test_numbers_of_right_and_wrong_cases_are_counts_also_where_they_are_0_and_1(both: str) -> None:
    P = rs.read(io.StringIO(f"model,{both}\na,1,0\nb,0,1\n"))
    assert (P.space.outcomes, P.counts.tolist(), P.pairing) == (("failure", "success"), [[0, 1], [1, 0]], None)


@pytest.mark.parametrize("value", ["1e50", 1e30, "1234567890123456789012345678901.5"])
def test_numbers_of_many_digits_are_out_of_range(value: object) -> None:
    with pytest.raises(rs.DataError, match="is out of range"):
        rs.read({"model": ["a"], "accuracy": [value], "n": [10]})
    with pytest.raises(rs.UsageError, match="is out of range"):
        rs.reconstruct(sensitivity=value, specificity=0.5, n_positive=10, n_negative=10)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("kind,tn,fp,fn,tp\nx,1,2,3,4\nx,5,2,3,4\n", 'no column entity, but texts in "kind"'),
        ("model,accuracy,n,total\na,0.5,10,12\n", '"accuracy" is a rate; give the counts, or rank'),
    ],
)
def test_columns_that_leave_a_doubt_are_refused(table: str, says: str) -> None:
    with pytest.raises(rs.DataError) as refused:
        rs.read(io.StringIO(table))
    assert says in str(refused.value)


def test_counts_do_not_say_which_cases_all_answered() -> None:
    text = "model,tn,fp,fn,tp,n\na,10,2,3,10,27\nb,11,2,2,10,25\n"
    with pytest.raises(rs.UsageError, match="counts do not say which ones all models answered"):
        rs.read(io.StringIO(text), unanswered="common")

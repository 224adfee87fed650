"""Tables of right or wrong: columns, grades, repeats, what is missing, and the cases that entities share."""

import io
import json
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape import DataError, IncompleteDataWarning, UsageError
from rankscape.cli import main
from rankscape.io.headers import case_columns, wide_columns
from rankscape.performances import Joint
from rankscape.tasks.success import SPACE, SPACE_WITH_UNANSWERED

LONG = """model,benchmark,question,correct
a,math,1,1
a,math,2,0
a,law,3,1
b,math,1,1
b,math,2,true
b,law,3,0
"""
COUNTS = [[0, 1], [1, 0], [1, 1], [0, 2]]  # law, then math


def table(text: str, **options: Any) -> rs.Performances:
    return rs.cases(io.StringIO(text), **options).performances


def joint(P: rs.Performances) -> Joint:
    assert isinstance(P.pairing, Joint)
    return P.pairing


def counts(P: rs.Performances) -> Any:
    assert P.counts is not None
    return P.counts.tolist()


# ---- which columns


@pytest.mark.parametrize(("headers", "columns"), [
    (["model", "question", "is_correct"], (("is_correct",), "model", (), "question")),
    (["Model", "Benchmark", "doc id", "Exact Match"], (("Exact Match",), "Model", ("Benchmark",), "doc id")),
    (["run", "item", "score"], (("score",), "run", (), "item")),
    (["passed", "test"], (("passed",), None, (), "test")),
])  # fmt: skip
def test_columns_are_recognized_by_their_headers(headers: list[str], columns: Any) -> None:
    known = case_columns(headers)
    assert known is not None
    assert (known.answers, known.entity, known.levels, known.case) == columns


@pytest.mark.parametrize("headers", [
    ["model", "correct", "total"], ["entity", "tn", "fp", "fn", "tp"], ["model", "score"], ["case", "y", "score"], ["f1"],
])  # fmt: skip
def test_other_tables_are_left_to_others(headers: list[str]) -> None:
    assert case_columns(headers) is None


def test_the_answers_of_entities_may_stand_side_by_side() -> None:
    rows = [["q1", "x", 1, 0], ["q2", "x", "", "0"]]
    known = wide_columns(["question", "benchmark", "a", "b"], rows)
    assert known is not None
    assert (known.answers, known.levels, known.case) == (("a", "b"), ("benchmark",), "question")
    assert wide_columns(["question", "answer", "a"], [["q1", 1, 0]]) is None  # the answer is no model
    assert wide_columns(["question", "a", "b"], [["q1", 1, 3]]) is None
    assert wide_columns(["question", "a", "b"], [["q1", 1, 0.5]]) is None  # a grade is asked for by name
    assert wide_columns(["y", "yhat"], [[1, 0]]) is None
    assert wide_columns(["question", "a"], [["q1", 1]]) is None


# ---- what comes out


@pytest.mark.parametrize("of", [pa.table, pl.DataFrame, lambda d: pl.DataFrame(d).lazy(), pd.DataFrame, dict])
def test_every_kind_of_table_gives_the_same(of: Callable[[Any], Any]) -> None:
    rows = {
        "model": list("aaabbb"), "benchmark": ["math", "math", "law"] * 2, "question": [1, 2, 3] * 2,
        "correct": [1, 0, 1, 1, 1, 0],
    }  # fmt: skip
    P = rs.cases(of(rows)).performances
    assert (P.names, P.domains, counts(P)) == (("a", "b") * 2, ("law", "law", "math", "math"), COUNTS)
    assert [units.codes.tolist() for units in joint(P).units] == [[[1, 0]], [[0, 1], [1, 1]]]


def test_files_records_and_duckdb_too(tmp_path: Any) -> None:
    (tmp_path / "long.csv").write_text(LONG)
    rows = pd.read_csv(io.StringIO(LONG.replace("true", "1")))
    rows.to_parquet(tmp_path / "long.parquet")
    sources = [
        io.StringIO(LONG), str(tmp_path / "long.csv"), [tmp_path / "long.csv"], tmp_path / "long.parquet",
        duckdb.sql("select * from rows"), rows.to_dict("records"), io.StringIO(json.dumps(rows.to_dict("records"))),
        io.StringIO(LONG.replace(",", ";")),
    ]  # fmt: skip
    for source in sources:
        assert counts(rs.cases(source).performances) == COUNTS


def test_answers_of_files_are_paired(tmp_path: Any) -> None:
    (tmp_path / "long.csv").write_text(LONG)
    P = rs.cases(tmp_path / "long.csv").performances
    assert counts(P) == COUNTS
    assert joint(P).cases == {"law": 1, "math": 2}


def test_columns_side_by_side_are_paired_by_row() -> None:
    for text, options in (("case,a,b\n1,1,0\n2,1,1\n", {}), ("a,b\n1,0\n1,1\n", {})):
        P = table(text, correct=["a", "b"], **options)
        assert counts(P) == [[0, 2], [1, 1]]
        assert joint(P).units[0].codes.tolist() == [[1, 0], [1, 1]]


def test_the_order_of_rows_changes_nothing() -> None:
    lines = LONG.splitlines()
    P, Q = table(LONG), table("\n".join([lines[0], *reversed(lines[1:])]))
    assert counts(P) == counts(Q)
    one, other = (rs.uncertainty.posterior(each, draws=20).values for each in (P, Q))
    assert (one == other).all()


def test_grades_are_exact_decimals_and_units_of_draws() -> None:
    P = table("model;case;grade\na;1;0,1\na;2;0,2\nb;1;0,3\nb;2;0\n")
    assert rs.rank(P).bounds.tolist() == [[1, 2], [1, 2]]  # 0.1 + 0.2 is 0.3 here
    assert P.counts is None
    units = joint(P).units[0]
    assert units.grades is not None
    assert units.shares(1).tolist() == [[0.1, 0.3], [0.2, 0.0]]
    draws = rs.uncertainty.posterior(P, draws=50).values
    assert draws.shape == (50, 2, 2)
    assert np.allclose(draws.sum(axis=2), 1)


def test_repeats_are_averaged_where_a_column_numbers_them() -> None:
    text = "model,question,epoch,correct\na,1,1,1\na,1,2,0\na,1,3,0\nb,1,1,0\nb,1,2,0\nb,1,3,1\n"
    P = table(text)
    assert [Fraction(int(s), int(f + s)) for f, s in P.integers] == [Fraction(1, 3)] * 2
    with pytest.raises(DataError, match='entity "a" has more than one row of a case: 2 rows too many, of 1 case'):
        table(text, repeat=False)
    without = text.replace("epoch", "noise")
    with pytest.raises(DataError, match="average all answers to a case with repeat=True"):
        table(without)
    assert table(without, repeat=True).mass.tolist() == P.mass.tolist() == table(without, repeat="noise").mass.tolist()
    with pytest.raises(DataError, match='more than one row of a case and "epoch": 1 row too many'):
        table("model,question,epoch,correct\na,1,1,1\na,1,1,0\n")


SETTINGS = ["num_fewshot", "prompt_version", "temperature", "limit", "filter"]


@pytest.mark.parametrize("header", SETTINGS)
def test_cases_that_were_asked_in_several_ways_count_once(header: str) -> None:
    text = f"model,{header},question,correct\na,0,1,1\na,5,1,0\na,0,2,1\na,5,2,1\nb,0,1,0\nb,5,1,0\nb,0,2,1\nb,5,2,0\n"
    with pytest.raises(DataError, match=f'each "{header}" has the same cases again') as caught:
        table(text)
    assert f'with all of its repeats, by repeat="{header}"' in str(caught.value)
    assert "domain=" not in str(caught.value)  # there each case would count twice
    P = table(text, repeat=header)  # as the advice says
    assert P.mass[:, 1].tolist() == [0.75, 0.25]
    assert sum(joint(P).cases.values()) == 2
    with pytest.raises(DataError, match=f'each "{header}" has the same cases again'):
        table(text, domain=header)
    apart = text.replace(",0,1,", ",0,x,").replace(",0,2,", ",0,z,")  # a twin: other cases
    assert table(apart, domain=header).n_domains == 2
    with pytest.warns(rs.IncompleteDataWarning, match=f'answers with different "{header}" are averaged'):
        assert rs.read(io.StringIO(text), repeat=True).mass[:, 1].tolist() == [0.75, 0.25]
    with pytest.raises(DataError, match="has more than one row of a case") as caught:  # a twin: all asked alike
        table(text.replace(",5,", ",0,"))
    assert "repeat=True" in str(caught.value)


@pytest.mark.parametrize("header", SETTINGS)
def test_models_that_were_asked_otherwise_are_not_averaged(header: str) -> None:
    text = f"model,{header},question,correct\na,0,1,1\nb,0,1,0\nb,5,1,1\n"
    with pytest.raises(DataError, match=f'not every model was asked with each "{header}"'):
        table(text, repeat=header)


@pytest.mark.parametrize("header", SETTINGS)
@pytest.mark.parametrize("models", [("a", "b"), ("a",)])
def test_ways_to_ask_cases_without_a_name_are_not_pooled(header: str, models: tuple[str, ...]) -> None:
    rows = [f"{model},{way},{right}" for model in models for way in (0, 5) for right in (1, 0, 1)]
    text = "\n".join([f"model,{header},correct", *rows])
    with pytest.raises(DataError, match=f'each "{header}" may have the same cases again') as caught:
        table(text)
    for part in (f'repeat="{header}"', "the column of cases by case=", f'domain="{header}"'):
        assert part in str(caught.value)
    assert table(text, domain=header).n_domains == 2  # they are other cases, as somebody has said
    alike = text.replace(",5,", ",0,")
    assert table(alike).account.unused == (header,)  # type: ignore[union-attr]
    wide = "\n".join([f"{header},a,b", *(f"{way},{right},1" for way in (0, 5) for right in (1, 0))])
    with pytest.raises(DataError, match="may have the same cases again"):
        table(wide, correct=["a", "b"])


SUSPECT = {
    "numbers of rows": ("index,model,score\n0,a,0.8\n1,b,0.9\n", "no two models share a case in the column .index.*correct="),
    "printed rates": ("index,model,accuracy,recall\n0,a,0.8,1\n1,b,0.9,1\n", '"accuracy", "recall" are rates; give the counts, or rank them as they are printed'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), SUSPECT.values(), ids=SUSPECT)
def test_scores_of_numbered_models_are_no_grades_of_cases(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        rs.read(io.StringIO(text))


def test_a_column_of_entities_beside_several_columns_of_answers_is_refused() -> None:
    with pytest.raises(UsageError, match='entity="model" names models, and so would each of the columns "a", "b"'):
        table("model,question,a,b\nx,1,1,0\n", correct=["a", "b"], entity="model")


NOTED = {
    "weights": ("model,id,correct,weight\na,1,1,9\na,2,0,1\n", 'the weights in "weight" are not used'),
    "two columns": ("id,correct,success\n1,1,0\n2,0,1\n", 'right or wrong as "correct" says; not looked at: "success"'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "note"), NOTED.values(), ids=NOTED)
def test_what_may_mean_something_else_gets_a_warning(text: str, note: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert len(rs.read(io.StringIO(text))) < 3
    assert any(note in str(warning.message) for warning in caught)


@pytest.mark.parametrize(("least", "times"), [("0.1", 3), ("1e-12", 10007)])  # the second has no machine integers
def test_means_of_repeats_that_are_equal_tie_whatever_grades_they_are_of(least: str, times: int) -> None:
    rows = {"a": ["0.1", "0.2"], "b": ["0.15", "0.15"], "c": [least] * times}
    lines = [f"{name},1,{i},{grade}" for name, grades in rows.items() for i, grade in enumerate(grades)]
    P = table("\n".join(["model,question,repeat,correct", *lines]))
    exact = [Fraction(int(success), int(failure + success)) for failure, success in P.integers]
    assert exact == [Fraction(3, 20), Fraction(3, 20), Fraction(least)]
    assert joint(P).units[0].codes[0, 0] == joint(P).units[0].codes[0, 1]
    assert dict(zip(P.names, rs.rank(P).ranks.tolist(), strict=True))["b"] == 1


def test_what_was_not_answered_is_asked_about() -> None:
    text = "model,question,correct\na,1,\na,2,1\nb,1,1\nb,2,n/a\n"
    with pytest.raises(
        DataError,
        match=r"2 answers of 4 are empty.*unanswered=\"wrong\", .*unanswered=\"apart\", or .*unanswered=\"common\"",
    ):
        table(text)
    assert counts(table(text, unanswered="wrong")) == [[1, 1], [1, 1]]
    P = table(text, unanswered="apart")
    assert (P.space, counts(P)) == (SPACE_WITH_UNANSWERED, [[0, 1, 1], [0, 1, 1]])
    assert rs.score("accuracy", P.space)(P).tolist() == [0.5, 0.5]
    assert rs.score("accuracy when answered", P.space)(P).tolist() == [1, 1]
    assert rs.score("accuracy when answered", P.space).formula == "success / (failure + success)"
    assert rs.score("accuracy", P.space).formula.startswith("P(success)")
    assert rs.uncertainty.rank_intervals(P, draws=50).values.tolist() == [0.5, 0.5]
    assert rs.gate(P["a"], P["b"]).verdict == "undecided"
    assert table(LONG, unanswered="apart").space == SPACE  # where all was answered
    graded = table("model,question,correct\na,1,\na,2,0.5\n", unanswered="apart")
    assert graded.mass.tolist() == [[0.25, 0.5, 0.25]]
    assert rs.read(io.StringIO(P.table().to_csv())).space == SPACE_WITH_UNANSWERED


@pytest.mark.parametrize(("text", "note"), [
    ("model,question,correct\na,1,1\na,2,0\nb,3,1\n", 'Not paired: "a" lacks 1 of 3 cases; "b" lacks 2 of 3 cases; so the entities are'),
    ("model,benchmark,question,correct\na,x,1,1\na,y,2,0\nb,x,1,1\n", 'Not paired: "b" lacks 1 of 1 cases on "y"'),
    ("model,correct\na,1\na,0\nb,1\n", "Not paired: no column names the case"),
])  # fmt: skip
def test_what_cannot_be_paired_is_counted_with_a_warning(text: str, note: str) -> None:
    with pytest.warns(IncompleteDataWarning, match=note):
        P = rs.count(io.StringIO(text))
    assert P.pairing is None
    assert counts(P)[0] in ([1, 1], [0, 1])


@pytest.mark.parametrize(("text", "options", "message"), [
    ("model,f1\na,1\n", {}, 'no column says whether a case succeeded; expected one called correct.*got "model", "f1"'),
    ("model,case,correct\na,1,1\n", {"correct": "corect"}, 'no column is called "corect"'),
    ("model,case,correct\na,1,7\na,2,7\n", {}, r'"correct" holds "7" in 2 rows; expected 1 or 0.*grade in \[0, 1\]'),
    ("model,case,correct\na,1,perhaps\n", {}, 'holds "perhaps" in 1 row'),
    ("model,case,correct\n", {}, "there is no row"),
    ("model,case,correct\na,,1\n", {}, r'in 1 row the case is missing \(column "case"\)'),
    ("model,case,correct\n,1,1\n", {}, "in 1 row the entity is missing"),
    ("model,case,t,correct\na,1,x,1\nb,1,y,0\n", {"cluster": "t"}, 'some cases lie in several clusters of "t"'),
    ("model,case,task,t,correct\na,1,p,x,1\na,2,q,x,0\n", {"cluster": "t"}, 'cluster "x" lies on the domains "p" and "q"'),
])  # fmt: skip
def test_what_is_wrong_gets_one_sentence(text: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table(text, **options)
    with pytest.raises(UsageError, match='unanswered="drop"; expected one of'):
        table(text, unanswered="drop")


def test_clusters_are_drawn() -> None:
    rows = {
        "model": np.repeat(["a", "b"], 40),
        "case": np.tile(np.arange(40), 2),
        "prompt": np.tile(np.arange(40) // 4, 2),
    }
    rng = np.random.default_rng(0)
    P = rs.cases(rows | {"correct": rng.integers(0, 2, 80)}, cluster="prompt").performances
    assert "new samples of clusters (10 in the data)" in rs.uncertainty.posterior(P, draws=5).unit
    graded = rs.cases(rows | {"correct": rng.random(80).round(2)}, cluster="prompt").performances
    assert "new samples of clusters (10 in the data)" in rs.uncertainty.posterior(graded, draws=5).unit


# ---- the cases that are shared


def test_some_domains_and_entities_stay_paired() -> None:
    P = table(LONG)
    assert P["a"].shared.cases is P.shared.cases
    part = P.in_domain("math")
    assert rs.uncertainty.posterior(part, draws=5).paired
    assert rs.uncertainty.posterior(P[["a", "b"]], draws=5).paired
    assert rs.uncertainty.posterior(P, draws=5, weights={"math": 3, "law": 1}).paired
    assert P[[0]].pairing is not None  # all of one entity on one domain
    assert P[[0, 3]].pairing is None


def test_a_model_that_the_first_domain_lacks_keeps_its_own_cases_on_the_others() -> None:
    text = "model,domain,case,correct\nb,1,1,1\na,2,1,0\na,2,2,0\nb,2,1,1\nb,2,2,1\n"
    with pytest.warns(IncompleteDataWarning, match='Not paired: "a" lacks 1 of 1 cases on "1"'):
        P = rs.count(io.StringIO(text))
    assert P.names == ("b", "a", "b")
    part = P.in_domain("2")
    (units,) = part.pairing.units
    assert units.counts(units.size, 2).tolist() == part.counts.tolist() == [[2, 0], [0, 2]]
    assert rs.gate(part["b"], part["a"]).verdict != "fail"


def test_sizes_of_graded_domains_are_their_cases() -> None:
    P = table(LONG.replace("a,math,1,1", "a,math,1,0.5"))
    assert P.counts is None
    assert rs.summarize(P, "size").mass[:, 1].tolist() == pytest.approx([0.5, 2 / 3])


def test_graded_cases_of_domains() -> None:
    rng = np.random.default_rng(1)
    rows = {"case": np.arange(60), "domain": np.repeat(["x", "y", "z"], 20)}
    P = rs.cases(rows | {"a": rng.random(60), "b": rng.random(60)}, correct=["a", "b"]).performances
    for method in ("exchangeable", "jeffreys"):
        mean = rs.uncertainty.posterior(P, draws=400, method=method).values[:, :, 1].mean(axis=0)
        assert mean == pytest.approx(rs.summarize(P).mass[:, 1], abs=0.03)
    others = rs.uncertainty.posterior(P, draws=5, resample="domains")
    assert "new samples of domains, as if the 3" in others.unit


@pytest.mark.parametrize("cases", [2, 3, 10])
def test_draws_of_many_small_graded_domains_stay_around_what_was_seen(cases: int) -> None:
    rng, domains = np.random.default_rng(3), 40
    hard = rng.random(cases * domains) / 2
    rows = {"case": np.arange(cases * domains), "domain": np.repeat([f"d{d}" for d in range(domains)], cases)}
    P = rs.cases(
        rows | {"a": hard + 0.4 * rng.random(hard.size), "b": hard, "c": hard}, correct=["a", "b", "c"]
    ).performances
    values = rs.uncertainty.posterior(P, draws=1000, method="jeffreys").values[:, :, 1]
    seen = rs.summarize(P).mass[:, 1]
    assert (values[:, 0] - values[:, 1]).mean() == pytest.approx(seen[0] - seen[1], rel=0.05)


def test_grades_that_hardly_vary_are_known_well() -> None:
    rng = np.random.default_rng(2)
    narrow = {"a": 0.8 + 0.02 * rng.random(100), "b": 0.84 + 0.02 * rng.random(100), "c": 0.5 + 0.02 * rng.random(100)}
    intervals = rs.uncertainty.rank_intervals(rs.cases(narrow, correct=["a", "b", "c"]).performances, draws=400)
    assert (intervals.value_high - intervals.value_low).max() < 0.02
    assert intervals.sure.sum() == 3
    few = rs.uncertainty.rank_intervals(
        rs.cases({"a": [0.5, 0.25], "b": [1, 0.5]}, correct=["a", "b"]).performances, draws=50
    )
    assert "Only 2 cases" in few.notes[0]
    one = rs.uncertainty.rank_intervals(rs.cases({"a": [0.5], "b": [1]}, correct=["a", "b"]).performances, draws=50)
    assert np.isnan(one.p_first).all()


def test_several_columns_make_a_domain() -> None:
    text = "suite,task,case,a,b\nx,p,1,1,0\nx,q,2,1,1\ny/z,p,3,0,0\n"
    P = table(text, correct=["a", "b"], domain=["suite", "task"])
    assert P.domains == ("x/p", "x/p", "x/q", "x/q", "y\\/z/p", "y\\/z/p")
    assert rs.summarize(P, "hierarchical").mass[:, 1].tolist() == [0.5, 0.25]
    assert rs.uncertainty.posterior(P, draws=5, weights="hierarchical").paired


def test_the_command_line_pairs_what_is_read_with_its_cases(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"case": range(60), "new": [1] * 50 + [0] * 10, "old": [1] * 30 + [0] * 30}
    P = rs.cases(rows, correct=["new", "old"]).performances
    monkeypatch.setattr("rankscape.cli.gate.performances", lambda file, *reading: P)
    result = CliRunner().invoke(main, ["gate", "f.csv", "--entity", "new", "--against-entity", "old"])
    assert (result.exit_code, "PASS: new is at least as good as old" in result.output) == (0, True), result.output
    result = CliRunner().invoke(main, ["gate", "f.csv", "--entity", "new"])
    assert "or both models in NEW, as --entity new --against-entity old" in result.output
    graded = rs.cases(rows | {"old": [0.5] * 60}, correct=["new", "old"]).performances
    monkeypatch.setattr("rankscape.cli.gate.performances", lambda file, *reading: graded)
    result = CliRunner().invoke(main, ["gate", "f.csv", "--entity", "new", "--against-entity", "old"])
    assert "models pooled by how similar they are" in " ".join(result.output.split())
    assert rs.report(graded, draws=100)["How sure"].lines[0].startswith("new is first")


@pytest.mark.parametrize("header", ["Accuracy (%)", "Accuracy (percent)", "accuracy in %", "acc_pct", "% accuracy"])
def test_every_header_of_percentages_means_the_same(header: str) -> None:
    P = rs.read({"model": ["a"], header: ["84"], "n": [50]})
    assert counts(P) == [[8, 42]]


@pytest.mark.parametrize(("values", "options"), [
    ("0.1 0.9", {}), ("0 1", {}), ("0.1 0.9", {"scale": (1, 0)}), ("0.1 0.9", {"scale": (0, 1)}), ("0.1 0.9", {"correct": "value"}),
])  # fmt: skip
def test_values_that_may_be_better_small_are_read_where_they_are_asked_for(
    values: str, options: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "values.csv"
    a, b = values.split()
    path.write_text(f"algorithm,case,value\nA,1,{a}\nA,2,{a}\nB,1,{b}\nB,2,{b}\n")
    if values == "0.1 0.9" and not options:
        with pytest.raises(DataError, match='"value" holds numbers such as 0.1, not right or wrong.*correct="value"'):
            rs.read(path)
        return
    ranking = rs.rank(rs.read(path, **options))
    assert ranking.best == {"A" if options.get("scale") == (1, 0) else "B"}
    named = {(1, 0): "mean grade of value", None: "accuracy" if a == "0" else "mean value", (0, 1): "mean value"}
    assert ranking.score.name == named[options.get("scale")]


def test_accuracies_in_columns_are_refused_with_the_table_that_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("| Model | MMLU | ARC |\n|:-|-:|-:|\n| a | 66.6 ± 0.4 | **83.4** |\n| b | **70.3** | 82.0 |\n")
    with pytest.raises(
        rs.DataError, match="accuracies need one row per model and benchmark, as model, benchmark"
    ) as found:
        rs.read(path)
    assert "rs.formats" not in str(found.value)


def test_means_of_repeats_are_exact_where_64_bits_have_no_room() -> None:
    grades = {"a": [0.1 + 0.2, 2**-40, 1 / 3], "b": [1 / 3, 0.7] * 5 + [0.1], "c": [1 / 7, 0.9] * 6 + [0.3]}
    rows = [(model, 1, grade) for model, all_of_it in grades.items() for grade in all_of_it]
    columns = dict(zip(("model", "case", "correct"), zip(*rows, strict=True), strict=True))
    P = rs.cases({name: list(cells) for name, cells in columns.items()}, repeat=True).performances
    exact = [sum(map(Fraction, of_model)) / len(of_model) for of_model in grades.values()]
    assert [Fraction(int(row[1]), int(sum(row))) for row in P.integers] == exact


def test_a_domain_without_a_common_case_is_left_out_as_of_predictions():
    columns = {"data": list("xxxxyyyy"), "case": [1, 1, 2, 2, 3, 3, 4, 4], "model": list("abababab")}
    columns["correct"] = [1, 0, 1, 1, None, 1, 0, None]
    found = rs.cases(columns, domain="data", case="case", unanswered="common")
    assert (found.performances.domains, found.performances.counts.tolist()) == (("x", "x"), [[0, 2], [1, 1]])
    assert 'no model is compared on "y", where no case was answered by every model' in found.account.sentence()
    labels = {**columns, "truth": [1] * 8}
    counted = rs.cases(labels, truth="truth", prediction="correct", domain="data", case="case", unanswered="common")
    assert counted.account.notes == found.account.notes
    only = {name: values[4:] for name, values in columns.items()}
    with pytest.raises(rs.DataError, match="no case was answered by every model"):
        rs.cases(only, domain="data", case="case", unanswered="common")


def test_clusters_and_repeats_need_the_column_of_cases() -> None:
    rows = {
        "model": ["a", "b"] * 4,
        "qid": [1, 1, 2, 2, 3, 3, 4, 4],
        "who": [*"uuuuvvvv"],
        "correct": [1, 0, 1, 1, 0, 0, 1, 0],
    }
    with pytest.raises(rs.DataError, match="clusters are of cases: name the column of cases with case="):
        rs.cases(rows, cluster="who")
    with pytest.raises(rs.DataError, match="repeats are of the same cases: name the column of cases with case="):
        rs.cases(rows, repeat="who")
    assert rs.cases(rows, cluster="who", case="qid").account.columns["cluster"] == ("who",)


def test_the_account_of_columns_of_0_and_1_says_which_is_right() -> None:
    rows = {"case": ["q1", "q2", "q3"], "a": [1, 0, 1], "b": [1, 1, 0], "z": [0, 1, 1]}
    assert "1 = right" in rs.read(rows).account.sentence()
    assert "1 = right" not in rs.read(rows, correct=["a", "b"]).account.sentence()
    items = {"model": ["x", "y"], "q1": [1, 0], "q2": [1, 1]}
    with pytest.warns(rs.errors.IncompleteDataWarning, match="is an item"):
        assert rs.read(items).account.notes == ("each column of answers is an item", "1 = right")

"""The account says what was read: performances have it, JSON, one line of every command, and the card."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape.account import Account, Positive
from rankscape.cli import main

LONG = "model,id,y,yhat,site\n" + "".join(
    f"{model},{i},{i % 2},{(i + (model == 'b' and i < 3)) % 2},{'north' if i < 5 else 'south'}\n"
    for model in "ab"
    for i in range(10)
)
COUNTS = "entity,domain,tn,fp,fn,tp,note\na,x,50,10,5,35,u\nb,x,45,15,2,38,v\na,y,60,5,5,30,u\nb,y,55,9,9,27,v\n"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "long.csv"
    path.write_text(LONG)
    return path


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS)
    return path


def account(performances: rs.Performances) -> Account:
    assert performances.account is not None
    return performances.account


def test_a_table_of_counts_says_which_columns_it_used(counts: Path) -> None:
    read = account(rs.read(counts))
    assert (read.records, read.models, read.domains, read.unused) == (4, 2, 2, ("note",))
    assert read.columns == {"entity": ("entity",), "domain": ("domain",)}
    assert read.source == str(counts)


def test_predictions_say_the_positive_class_and_what_is_not_used(long: Path) -> None:
    P = rs.count(long, truth="y", prediction="yhat", case="id")
    assert account(P).sentence() == (
        "Read 10 cases of 2 models (column model); case id; truth y, positive 1 (50.0 %); prediction yhat; "
        'not used: site; if "site" names the domains, add --domain-column "site" (domain="site" in Python)'
    )
    assert account(P).positive == Positive("1", 0.5)
    assert "positive 1 (50.0 %)" in repr(P)


def test_the_account_travels(counts: Path) -> None:
    P = rs.read(counts)
    summary = rs.summarize(P)
    for part in (
        P["a"],
        P[0],
        P.in_domain("x"),
        P.rename({"a": "c"}),
        summary,
        summary.shift_priors(0.3),
        summary.swap_classes(),
    ):
        assert account(part) == account(P)
    both = rs.concat([P.in_domain("x"), P.in_domain("y")])
    assert account(both).columns == account(P).columns
    assert (account(both).models, account(both).domains) == (2, 2)


def test_arrays_have_an_account_too() -> None:
    P = rs.Performances.from_labels(["no", "yes", "yes"], {"a": ["no", "yes", "no"]})
    assert account(P).sentence() == "Read 3 cases of 1 model; positive yes (66.7 %)"
    assert account(rs.Performances.from_counts([[1, 2, 3, 4]])).source == "arrays"
    sweeps = rs.sweep([0, 1, 1, 1], {"a": [0.1, 0.5, 0.6, 0.7]})
    assert sweeps.account is not None
    assert sweeps.account.positive == Positive("1", 0.75)


HOW = ("--truth", "y", "--prediction", "yhat", "--case", "id")


@pytest.mark.parametrize("command", ["rank", "why", "tradeoff", "gate", "domains", "tile"])
def test_commands_say_it_in_one_line_and_json_has_it_inside(
    command: str, counts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # tile writes a picture there
    more = ["--entity", "a", "--against", counts, "--against-entity", "b", "--draws", "50"] if command == "gate" else []
    shown = run(command, counts, *more)
    lines = [line for line in shown.stderr.splitlines() if line.startswith("Read ")]
    assert lines == ["Read 4 rows of 2 models (column entity) on 2 domains (column domain); not used: note"]
    out = tmp_path / "out.json"
    silent = run(command, counts, *more, "-o", out)
    assert "Read " not in silent.stderr
    document = json.loads(out.read_text())
    assert document["account"]["unused"] == ["note"]
    assert document["account"]["columns"] == {"entity": ["entity"], "domain": ["domain"]}


def test_an_error_is_one_sentence_without_what_was_read(counts: Path) -> None:
    failed = run("rank", counts, "--by", "no such score")
    assert failed.exit_code == 2
    assert "Read " not in failed.stderr


def test_the_card_says_it(long: Path, tmp_path: Path) -> None:
    run("report", long, *HOW, "-o", tmp_path / "card.md", "--no-figures")
    (line,) = [line for line in (tmp_path / "card.md").read_text().splitlines() if line.startswith("- Read ")]
    assert "of 2 models (column model); case id; truth y, positive 1 (50.0 %)" in line


def test_what_was_left_out_is_warned_of_in_python_and_stands_in_the_account() -> None:
    P = rs.Performances.from_counts([[1, 2, 3, 4]]).noting("decided so", left_out={"Total is the sum": 2}, unused=["x"])
    assert account(P).warnings() == ["left out: 2 rows (Total is the sum)", "decided so"]
    assert account(P).sentence() == (
        "Read 1 row of 1 model; not used: x; left out: 2 rows (Total is the sum); decided so"
    )
    assert account(P).document()["left_out"] == [{"why": "Total is the sum", "rows": 2}]


# Whose rows are whose


def write(folder: Path, **files: str) -> dict[str, Path]:
    paths = {name: folder / f"{name.replace('_', '-')}.csv" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    return paths


GOOD, BAD = "truth,pred\ncat,cat\ndog,dog\n", "truth,pred\ncat,dog\ndog,cat\n"


def test_several_files_without_a_column_of_models_are_models(tmp_path: Path) -> None:
    files = write(tmp_path, good=GOOD, bad=BAD)
    P = rs.count(list(files.values()), truth="truth", prediction="pred", pos_label="cat")
    assert (P.names, P.counts.tolist()) == (("bad", "good"), [[0, 1, 1, 0], [1, 0, 0, 1]])
    assert "each file is a model" in account(P).notes
    parquet = [tmp_path / f"{name}.parquet" for name in files]
    for path, one in zip(parquet, files.values(), strict=True):
        pd.read_csv(one).to_parquet(path)
    Q = rs.count(parquet, truth="truth", prediction="pred", pos_label="cat")
    assert (Q.names, Q.counts.tolist()) == (P.names, P.counts.tolist())


def test_numbered_pieces_of_one_table_are_one(tmp_path: Path) -> None:
    files = write(tmp_path, part_0=GOOD, part_1=BAD)
    P = rs.count(list(files.values()), truth="truth", prediction="pred", pos_label="cat")
    assert P.counts.tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize(("header", "name"), [("y_pred", "good"), ("forest", "forest")])
def test_a_column_that_any_model_could_have_leaves_the_name_to_the_file(header: str, name: str, tmp_path: Path) -> None:
    path = write(tmp_path, good=GOOD.replace("pred", header))["good"]
    assert rs.count(path, truth="truth", prediction=header, pos_label="cat").names == (name,)


@pytest.mark.parametrize("header", ["model", "LLM", "Method", "classifier_name"])
def test_a_column_of_models_is_used(header: str) -> None:
    rows = pd.DataFrame({header: ["a", "b"], "y": [1, 0], "p": [1, 1]})
    assert rs.count(rows, truth="y", prediction="p").names == ("a", "b")
    assert rs.sweep(rows, truth="y", score="p", entity=header).names == rs.sweep(rows, truth="y", score="p").names


def test_names_of_patients_are_no_models() -> None:
    rows = pd.DataFrame({"name": ["Ann", "Bob"], "y": [1, 0], "p": [1, 1]})
    with pytest.warns(rs.PooledRowsWarning, match='if "name" names the entities'):
        assert len(rs.count(rows, truth="y", prediction="p")) == 1


# What multiplies counts


@pytest.mark.parametrize("header", ["Freq", "n", "count", "weight"])
def test_a_column_that_seems_to_multiply_rows_is_named_or_refused(header: str, tmp_path: Path) -> None:
    rows = pd.DataFrame({"m": ["a", "a"], "y": [1, 0], "p": [1, 1], header: [5, 2]})
    with pytest.raises(rs.DataError, match="how often each row counts"):
        rs.count(rows, truth="y", prediction="p")
    assert rs.count(rows, truth="y", prediction="p", weight=header).counts.tolist() == [[0, 2, 0, 5]]
    rows.to_csv(tmp_path / "w.csv", index=False)
    how = ("rank", tmp_path / "w.csv", "--truth", "y", "--prediction", "p")
    assert f"--weight {header}" in run(*how).stderr
    assert f"weight {header}" in run(*how, "--weight", header).stderr


# Cases without an answer

LACKING = pd.DataFrame({"id": [1, 2, 3, 4], "y": [1, 0, 1, 0], "a": [1, 0, 1, 0], "b": [1, None, None, 1]})


def long_of(wide: pd.DataFrame, drop: bool) -> pd.DataFrame:
    """The same with a row per model; where nothing was answered, empty or no row at all."""
    rows = wide.melt(id_vars=["id", "y"], var_name="model", value_name="p")
    return rows.dropna() if drop else rows


@pytest.mark.parametrize("drop", [False, True])
def test_what_lacks_an_answer_is_wrong_or_left_out_for_all(drop: bool) -> None:
    rows = long_of(LACKING, drop)
    how: dict[str, Any] = {"truth": "y", "prediction": "p", "entity": "model", "case": "id"}
    with pytest.raises(rs.DataError):
        rs.count(rows, **how)
    wrong = rs.count(rows, **how, unanswered="wrong")
    assert wrong.counts.tolist() == [[2, 0, 0, 2], [0, 2, 1, 1]]
    assert wrong.pairing is not None
    common = rs.count(rows, **how, unanswered="common")
    assert common.counts.tolist() == [[1, 0, 0, 1], [0, 1, 0, 1]]
    assert sum(account(common).left_out.values()) == (2 if drop else 4)
    wide = {"truth": "y", "prediction": ["a", "b"]}
    assert rs.count(LACKING, **wide, unanswered="wrong").counts.tolist() == wrong.counts.tolist()
    assert rs.count(LACKING, **wide, unanswered="common").counts.tolist() == common.counts.tolist()


def test_of_several_classes_no_answer_is_never_right() -> None:
    rows = pd.DataFrame({"y": list("ABCDA"), "a": ["A", None, None, None, None], "b": list("ABCBB")})
    P = rs.count(rows, truth="y", prediction=["a", "b"], labels="all", unanswered="wrong")
    assert rs.score("accuracy", P.space)(P).tolist() == pytest.approx([0.2, 0.6])


def test_an_answer_that_is_not_missing_needs_no_option() -> None:
    with pytest.raises(rs.UsageError, match="would change nothing"):
        rs.count(LACKING[["y", "a"]], truth="y", prediction="a", unanswered="wrong")


def test_nobody_is_told_to_drop_what_was_not_answered() -> None:
    with pytest.raises(rs.DataError) as caught:
        rs.count(LACKING, truth="y", prediction=["a", "b"])
    assert "drop" not in str(caught.value)
    assert 'unanswered="wrong"' in str(caught.value)


# Repeats


def repeated(times: int, other: bool = False) -> pd.DataFrame:
    """Cases of two models, several times over; with ``other`` the second model differs in the last repeat."""
    once = pd.DataFrame({"id": range(40), "y": [i % 2 for i in range(40)]})
    once["a"], once["b"] = [(i % 7 != 0) == (i % 2) for i in range(40)], [(i % 5 != 0) == (i % 2) for i in range(40)]
    once = once.astype(int)
    parts = [once.assign(run=k) for k in range(times)]
    if other:
        parts[-1]["b"] = parts[-1]["a"]
    return pd.concat(parts, ignore_index=True)


HOW_REPEATED: dict[str, Any] = {"truth": "y", "prediction": ["a", "b"], "case": "id"}


def widths(performances: rs.Performances) -> list[float]:
    shown = rs.uncertainty.rank_intervals(performances, by="f1", draws=400).frame()
    return (shown["value_high"] - shown["value_low"]).tolist()


def test_ten_copies_of_a_test_set_are_as_sure_as_one() -> None:
    one = rs.cases(repeated(1), **HOW_REPEATED).count()
    ten = rs.cases(repeated(10), **HOW_REPEATED, repeat="run").count()
    assert ten.counts is not None
    assert widths(one) == widths(ten)
    assert account(ten).cases == 40


def test_repeats_that_differ_are_shares_of_outcomes() -> None:
    P = rs.cases(repeated(2, other=True), **HOW_REPEATED, repeat="run").count()
    plain = rs.count(repeated(2, other=True).drop(columns="run"), truth="y", prediction=["a", "b"])
    assert P.counts is None
    assert np.allclose(P.mass, plain.mass, rtol=0, atol=1e-12)
    assert all(0 < width < 0.5 for width in widths(P))


def test_long_and_wide_repeats_are_the_same() -> None:
    wide = repeated(2, other=True)
    rows = wide.melt(id_vars=["id", "y", "run"], var_name="model", value_name="p")
    P = rs.cases(rows, truth="y", prediction="p", case="id", repeat="run").count()
    Q = rs.cases(wide, **HOW_REPEATED, repeat="run").count()
    assert P.mass.tolist() == Q.mass.tolist()
    assert widths(P) == widths(Q)


def test_domains_that_all_hold_the_same_cases_are_asked_about() -> None:
    def drawn(rows: pd.DataFrame, **more: str) -> rs.uncertainty.Draws:
        return rs.uncertainty.paired_table(rows, **HOW_REPEATED, draws=50, **more)

    with pytest.raises(rs.DataError, match='repeat="run"'):
        drawn(repeated(3), domain="run")
    assert drawn(repeated(3), repeat="run").paired
    others = repeated(3)
    others.loc[others["run"] == 1, "y"] = 1 - others["y"]  # the names of the cases begin anew
    assert drawn(others, domain="run").paired


# One noun


def test_cases_are_counted_swept_and_decided() -> None:
    rows = {"y": [0, 0, 0, 1, 1, 1], "s": [0.1, 0.3, 0.7, 0.4, 0.8, 0.9]}
    C = rs.cases(rows, truth="y", score="s")
    assert C.kind == "scores"
    assert C.sweep().best("f1").frame().equals(rs.sweep(pd.DataFrame(rows), truth="y", score="s").best("f1").frame())
    assert C.count(threshold=0.5).counts.tolist() == [[2, 1, 1, 2]]
    assert C.decide(costs=rs.costs(miss=2, false_alarm=1), draws=100, folds=3).entity == "s"
    with pytest.raises(rs.UsageError, match="need a threshold"):
        C.count()


def test_right_or_wrong_cases_are_counted() -> None:
    C = rs.cases({"question": ["q1", "q2"], "small": [1, 0], "large": [1, 1]}, correct=["small", "large"])
    assert (C.kind, C.count().counts.tolist(), C.paired) == ("answers", [[1, 1], [0, 2]], True)


@pytest.mark.parametrize(
    "arguments",
    [
        {"prediction": "p"},
        {"truth": "y", "prediction": "p", "score": "p"},
        {"truth": "y", "prediction": "p", "scale": (0, 1)},
        {"correct": "p", "pos_label": 1},
        {"truth": "y", "score": "p", "cluster": "c"},
        {"truth": "y", "prediction": "p", "repeat": "r"},
    ],
)
def test_arguments_that_do_not_fit_together_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(rs.UsageError):
        rs.cases({"y": [0, 1], "p": [0, 1], "c": [1, 2], "r": [1, 1]}, **arguments)


# Paired wherever cases have names


def test_the_gate_pairs_the_predictions_of_two_files(tmp_path: Path) -> None:
    rows = repeated(1)
    for name in "ab":
        rows.rename(columns={name: "y_pred"})[["id", "y", "y_pred"]].to_csv(tmp_path / f"{name}.csv", index=False)
    rows.to_csv(tmp_path / "both.csv", index=False)
    more = ("--draws", "200", "--format", "json")
    apart = run("gate", tmp_path / "a.csv", "--against", tmp_path / "b.csv", "--truth", "y", "--prediction", "y_pred",
                "--case", "id", *more)  # fmt: skip
    together = run("gate", tmp_path / "both.csv", "--truth", "y", "--prediction", "a", "--prediction", "b", "--entity",
                   "a", "--against-entity", "b", "--case", "id", *more)  # fmt: skip
    documents = [json.loads(done.stdout) for done in (apart, together)]
    for document in documents:
        document.pop("account")
    assert documents[0] == documents[1]
    assert documents[0]["paired"]
    assert (documents[0]["new"], documents[0]["against"]) == ("a", "b")


def test_means_of_counts_are_left_out_although_they_are_no_counts(tmp_path: Path) -> None:
    path = tmp_path / "means.csv"
    rows = "a,x,40,5,10,45\na,y,30,5,20,46\nb,x,42,8,8,42\nb,y,33,5,17,45\n"
    path.write_text(f"model,set,tp,fp,fn,tn\n{rows}a,Average,35,5,15,45.5\nb,Average,37.5,6.5,12.5,43.5\n")
    with pytest.warns(rs.IncompleteDataWarning, match="mean of the others"):
        P = rs.read(path, domain="set")
    assert P.counts is not None
    assert (len(P), account(P).records, sum(account(P).left_out.values())) == (4, 6, 2)
    path.write_text(f"model,set,tp,fp,fn,tn\n{rows}a,Average,99,5,15,45.5\n")
    with pytest.raises(rs.DataError):
        rs.read(path, domain="set")


def test_no_answer_is_wrong_on_both_sides_of_a_positive_class() -> None:
    rows = pd.DataFrame({"y": ["cat", "dog", "fox", "dog"], "p": ["cat", None, "fox", "dog"]})
    P = rs.count(rows, truth="y", prediction="p", pos_label="cat", unanswered="wrong")
    assert P.counts.tolist() == [[2, 1, 0, 1]]  # the dog without an answer is no right "no cat"


def test_pieces_of_a_table_are_named_and_one_domain_is_no_repeat(tmp_path: Path) -> None:
    files = write(tmp_path, part_0=GOOD, part_1=BAD)
    P = rs.count(list(files.values()), truth="truth", prediction="pred", pos_label="cat")
    assert "the files are read as pieces of one table" in account(P).notes
    for i, answers in enumerate(("q1,1\nq2,0\n", "q3,1\nq4,1\n")):
        (tmp_path / f"answers-part-{i}.csv").write_text(f"question,correct\n{answers}")
    A = rs.cases([str(tmp_path / f"answers-part-{i}.csv") for i in range(2)])
    assert A.count().counts.tolist() == [[1, 3]]
    assert "the files are read as pieces of one table" in A.account.notes
    repeated(3).to_csv(tmp_path / "runs.csv", index=False)
    how = ("--truth", "y", "--prediction", "a", "--prediction", "b", "--case", "id", "--uncertainty", "--draws", "50")
    chosen = run("rank", tmp_path / "runs.csv", *how, "--domain-column", "run", "--domain", "1")
    assert chosen.exit_code == 0, chosen.output


def test_a_weight_is_never_dropped_where_clusters_are_drawn(tmp_path: Path) -> None:
    repeated(1).assign(w=2, k=lambda rows: rows["id"] // 4).to_csv(tmp_path / "w.csv", index=False)
    how = ("--truth", "y", "--prediction", "a", "--prediction", "b", "--case", "id", "--uncertainty", "--draws", "50")
    refused = run("rank", tmp_path / "w.csv", *how, "--weight", "w", "--cluster", "k")
    assert refused.exit_code == 2
    assert "--weight" in refused.stderr

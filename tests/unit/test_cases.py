"""Cases, wherever they are read: the same columns have the same names, and a model that lacks a domain is paired on others."""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cases import OPTIONS, ROLES
from rankscape.cli import COMMANDS, main

COMMANDS_OF_CASES = (
    "rank",
    "gate",
    "domains",
    "site",
    "report",
    "explore",
    "why",
    "tile",
    "tradeoff",
    "count",
    "decide",
)


def run(*args: Any) -> Any:
    return CliRunner().invoke(main, [*map(str, args)])


@pytest.mark.parametrize("name", COMMANDS_OF_CASES)
def test_a_word_means_the_same_in_every_command(name: str) -> None:
    assert name in COMMANDS
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    known = {option: parameter for parameter in command.params for option in parameter.opts}
    there = [
        word for word in ROLES if f"--{OPTIONS[word]}" in known and (word != "score" or name not in ("rank", "tile"))
    ]
    assert {"truth", "entity", "domain", "case", "pos_label"} <= {*there}
    for word in there:
        assert known[f"--{OPTIONS[word]}"].help == ROLES[word].help, word  # type: ignore[attr-defined]


# A model without a domain

LACKING = pd.DataFrame({
    "model": [*"aaaaaabbbbbbccc"], "benchmark": [*"xxxyyyxxxyyyxxx"], "question": [*"123456123456123"],
    "y": [1, 0, 1, 0, 1, 0] * 2 + [1, 0, 1], "p": [1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1],
}).assign(correct=lambda t: (t.y == t.p).astype(int))  # fmt: skip
COLUMNS = {"entity": "model", "domain": "benchmark", "case": "question"}


def kinds(units: Any) -> Counter[tuple[int, ...]]:
    """How many cases there are of each kind; kinds that are alike are one."""
    return Counter(
        code for code, n in zip(map(tuple, units.codes.tolist()), units.size.tolist(), strict=True) for _ in range(n)
    )


@pytest.mark.parametrize("how", [{"truth": "y", "prediction": "p"}, {"correct": "correct"}])
@pytest.mark.parametrize("make", [pd.DataFrame, lambda t: {name: t[name].tolist() for name in t}])
def test_it_costs_pairing_there_and_nowhere_else(how: dict[str, str], make: Any) -> None:
    P = rs.cases(make(LACKING), **how, **COLUMNS).performances
    whole = rs.cases(make(LACKING[LACKING.model != "c"]), **how, **COLUMNS).performances
    assert P.pairing is None
    two = P[["a", "b"]].pairing
    for units, others in zip(two.units, whole.pairing.units, strict=True):
        assert kinds(units) == kinds(others)
    assert P.in_domain("x").pairing.cases == {"x": 3}
    for missing, paired in (("complete", True), ("available", False)):
        with pytest.warns(rs.RankscapeWarning, match="1 cell of 6 missing"):
            evidence = rs.uncertainty.evidence_of_counts(P, missing=missing)
        assert evidence.paired == paired
        assert rs.uncertainty.drawn_from(evidence, 50, 0).names == ("a", "b", "c")


def test_commands_pair_it_on_the_domains_that_all_have(tmp_path: Path) -> None:
    LACKING.to_csv(tmp_path / "t.csv", index=False)
    names = ("--entity-column", "model", "--domain-column", "benchmark", "--case", "question")
    how = (tmp_path / "t.csv", "--truth", "y", "--prediction", "p", *names)
    assert "1 cell of 6 missing" in run("rank", *how, "--uncertainty").output
    done = run("rank", *how, "--uncertainty", "--missing", "complete")
    assert done.exit_code == 0, done.output
    assert "the same for all models" in done.output
    done = run("gate", *how, "--entity", "a", "--against-entity", "b")
    assert done.exit_code in (0, 1, 4), done.output


# Options that commands share


def test_answers_are_counted_like_predictions(tmp_path: Path) -> None:
    two = LACKING[LACKING.model != "c"]
    two.to_csv(tmp_path / "t.csv", index=False)
    done = run(
        "count", tmp_path / "t.csv", "--correct", "correct", "--domain-column", "benchmark", "-o", tmp_path / "c.csv"
    )
    assert done.exit_code == 0, done.output
    assert "12 rows counted" in done.output
    P = rs.read(tmp_path / "c.csv")
    assert P.counts.tolist() == rs.count(two, correct="correct", domain="benchmark").counts.tolist()
    assert (
        "--score and --threshold go together"
        in run("count", tmp_path / "t.csv", "--correct", "correct", "--threshold", 1).output
    )
    assert "which columns of FILE are to be counted?" in run("count", tmp_path / "t.csv").output


@pytest.mark.parametrize("labels", [["a", "b", "c"], [0, 1, 2]])
@pytest.mark.parametrize("among", ["all", "listed"])
def test_no_answer_is_a_class_beside_those_that_are_listed(labels: list[Any], among: str) -> None:
    a, b, c = labels
    rows = pd.DataFrame({"y": [a, b, c, a], "p": pd.Series([a, b, None, a], dtype=object)})
    P = rs.count(rows, truth="y", prediction="p", labels="all" if among == "all" else labels, unanswered="wrong")
    assert P.space.labels == (*map(str, labels), "no answer")
    assert rs.score("accuracy", P.space)(P).tolist() == [0.75]


def test_a_column_of_weights_is_seen_where_answers_are_missing() -> None:
    rows = pd.DataFrame({"y": [0, 1, 1], "p": [0, 1, None], "n": [3, 4, 5]})
    with pytest.raises(rs.DataError, match='the column "n" seems to say how often each row counts'):
        rs.count(rows, truth="y", prediction="p", unanswered="wrong")


def test_scores_are_decided_on_with_weights_and_without_those_that_lack_one(tmp_path: Path) -> None:
    rows = pd.DataFrame(
        {"y": [0, 1] * 12, "s": [i / 24 for i in range(24)], "u": [(7 * i % 24) / 24 for i in range(24)], "w": 2}
    )
    rows.to_csv(tmp_path / "t.csv", index=False)
    rows.assign(u=rows.u.where(rows.index > 1)).to_csv(tmp_path / "lacking.csv", index=False)
    how = ("--truth", "y", "--score", "s", "--score", "u", "--costs", "miss=3", "--draws", 0)
    assert run("decide", tmp_path / "t.csv", *how, "--weight", "w").exit_code == 0
    assert "the score is missing" in run("decide", tmp_path / "lacking.csv", *how).output
    done = run("decide", tmp_path / "lacking.csv", *how, "--unanswered", "common")
    assert done.exit_code == 0, done.output
    assert "some model did not answer the case" in done.output
    assert "'wrong' is not 'common'" in run("decide", tmp_path / "lacking.csv", *how, "--unanswered", "wrong").output
    with pytest.raises(rs.UsageError, match="expected one of 'common', for scores"):
        rs.cases(rows, truth="y", score="s", unanswered="wrong")


def test_a_domain_that_a_model_with_scores_lacks_is_left_out_where_that_is_asked_for(tmp_path: Path) -> None:
    rows = [{"id": i, "m": m, "d": "xz"[i // 24], "y": i % 2, "s": (i * 7 % 24) / 24} for m in "ab" for i in range(30)]
    frame = pd.DataFrame(rows)[lambda t: (t.m == "a") | (t.d == "x")]
    frame.to_csv(tmp_path / "t.csv", index=False)
    how = ("--truth", "y", "--score", "s", "--entity-column", "m", "--domain-column", "d")
    decided = ("decide", tmp_path / "t.csv", *how, "--costs", "miss=3", "--draws", 0)
    assert 'entity "b" has no case on domain "z"; expected every entity on every domain' in run(*decided).output
    assert "with --unanswered common" in run(*decided, "--case", "id").output
    way = "--unanswered common (with --case) compares on the cases, and so the domains, that all models have"
    assert way in run(*decided, "--case", "id", "--missing", "complete").output
    page = ("report", tmp_path / "t.csv", *how, "--case", "id", "-o", tmp_path / "r.md", "--missing", "complete")
    assert way in run(*page).output
    done = run(*decided, "--case", "id", "--unanswered", "common")
    assert done.exit_code == 0, done.output
    assert 'no model is compared on "z", where no case was answered by every model' in done.output


@pytest.mark.parametrize("pairs", [[], ["--uncertainty", "--draws", "100"]])
def test_one_domain_is_chosen_of_what_is_counted(pairs: list[str], tmp_path: Path) -> None:
    LACKING.to_csv(tmp_path / "t.csv", index=False)
    how = (
        "--truth",
        "y",
        "--prediction",
        "p",
        *["--entity-column", "model", "--domain-column", "benchmark", "--case", "question"],
    )
    done = run("rank", tmp_path / "t.csv", *how, "--domain", "y", *pairs, "--format", "csv")
    assert done.exit_code == 0, done.output
    P = rs.count(LACKING, truth="y", prediction="p", entity="model", domain="benchmark", case="question").in_domain("y")
    table = pd.read_csv(io.StringIO(done.stdout))
    scores = dict(zip(P.names, rs.score("f1")(P).tolist(), strict=True))
    assert dict(zip(table.entity, table.value, strict=True)) == pytest.approx(scores)

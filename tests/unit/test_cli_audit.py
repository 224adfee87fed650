"""``rankscape audit``: verdicts, formats, and the exit status 0, 1 or 4."""

import csv
import io
import json
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape import _scores
from rankscape.cli import main


def run(*args: str, status: int = 0, **options: Any) -> Result:
    result = CliRunner().invoke(main, ["audit", *args], **options)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def test_a_sound_score() -> None:
    text = run("2*tp/(2*tp+fp+fn)", "--prior", "0.2").stdout
    assert text.startswith("2*tp/(2*tp+fp+fn) on performances of the prior π₊ = 0.2: sound for ranking\n")
    assert "importance tn 0, fp 1/2, fn 1/2, tp 1" in text
    assert run("kappa", "--prior", "1/3").exit_code == 0
    assert run("markedness", "--prediction-rate", "0.3").exit_code == 0
    assert run("1,1,5,5", "--correlation", "none").exit_code == 0
    assert run("error rate", "--correlation", "none").stdout.splitlines()[0].endswith("(smaller is better)")


def test_an_unsound_score() -> None:
    text = run("mcc", status=1).stdout
    assert "NOT sound for ranking" in text
    assert "MCC(0, 1, 1, 2) = -0.3333" in text
    assert len(text.splitlines()) <= 24


@pytest.mark.nightly
def test_an_undecided_score() -> None:
    assert "undecided" in run("exp(2*f1) - f1", "--correlation", "none", status=4).stdout


def test_formats(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_scores, "score", cache(_scores.score))
    monkeypatch.setattr(rs, "audit", cache(rs.audit))  # one search, written in every format
    document = json.loads(run("fmi", "--format", "json", status=1).stdout)
    assert document["schema"] == "rankscape/audit/1"
    assert document["verdict"] == "refuted"
    example = document["tests"]["quasiconcave"]["counterexample"]
    assert example == {"p1": [0, 0, 1, 1], "p2": [0, 1, 0, 1], "weight": "1/2"}
    assert document["importance"] is None
    assert document["correlation"]["largest"]["value"] < 1
    sound = json.loads(run("f1", "--format", "json", "--correlation", "none").stdout)
    assert sound["importance"] == {"tn": 0, "fp": 1, "fn": 1, "tp": 2}
    assert sound["correlation"] is None
    rows = list(csv.DictReader(io.StringIO(run("fmi", "--format", "csv", status=1).stdout)))
    assert [row["test"] for row in rows] == ["axiom2", "quasiconvex", "quasiconcave", "domain"]
    out = tmp_path / "verdict.md"
    run("fmi", "-o", str(out), status=1)
    assert "| quasiconcave | refuted |" in out.read_text(encoding="utf-8")
    assert r"\begin{tabular}" in run("fmi", "--format", "latex", status=1).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "Missing argument"),
        (("f1", "--prior", "1"), "must lie inside (0, 1)"),
        (("f1", "--prior", "x"), "is no number"),
        (("f1", "--prior", "0.2", "--prior", "0.3"), "given 2 times (1/5, 3/10); expected one"),
        (("f1", "--prediction-rate", "0.2", "--prediction-rate", "0.3"), "given 2 times"),
        (("f1", "--prior", "0.2", "--prediction-rate", "0.2"), "not both"),
        (("no such score",), "no score is called"),
        (("__import__('os')",), "at position"),
    ],
)
def test_what_means_nothing_is_refused(args: tuple, message: str) -> None:
    result = run(*args, status=2)
    assert message in result.stderr
    assert result.stdout == ""


def test_directions() -> None:
    text = run("1 - f1", "--correlation", "none", status=1).stdout
    assert "NOT sound for ranking if larger is better; sound if smaller is better" in text
    assert run("1 - f1", "--correlation", "none", "--direction", "smaller").stdout.count("(smaller is better)") == 1
    document = json.loads(run("error rate", "--direction", "larger", "--format", "json", status=1).stdout)
    assert (document["better"], document["verdict"], document["sound_if"]) == ("larger", "refuted", "smaller")


def test_four_numbers_are_importances() -> None:
    result = run("50,10,5,35", "--correlation", "none")
    assert "note: 50,10,5,35 are taken as importances of tn, fp, fn, tp, not as counts" in result.stderr
    assert "note" not in run("tn=1,fp=1,fn=5,tp=5", "--correlation", "none").stderr
    assert "note" not in run("max(tpr, 0)", "--correlation", "none", status=4).stderr
    assert "four importances (not counts)" in " ".join(run("--help").stdout.split())

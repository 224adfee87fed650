"""Options that would change nothing are refused in one sentence, and outputs of unknown formats name the known ones."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape import UsageError
from rankscape.cli import main

ALONE = "entity,tn,fp,fn,tp\na,50,10,5,35\nb,45,15,2,38\n"
DOMAINS = "entity,domain,tn,fp,fn,tp\n" + "".join(
    f"{name},{domain},{n},10,5,35\n" for domain in "xyz" for name, n in (("a", 50), ("b", 45))
)
CASES = "y,m,n,d\n1,1,1,x\n0,0,1,x\n1,0,1,y\n0,1,0,y\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("alone", ALONE), ("domains", DOMAINS), ("cases", CASES)):
        Path(f"{name}.csv").write_text(text)
    return tmp_path


def run(arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, shlex.split(arguments))
    assert done.exit_code == status, done.output
    assert "Traceback" not in done.output
    return done.output


PREDICTIONS = "--truth y --prediction m --prediction n"


@pytest.mark.parametrize("command", [
    "rank alone.csv", "why alone.csv", "tile alone.csv", "tradeoff alone.csv", "explore alone.csv",
    "report alone.csv -o r.html", "domains alone.csv", f"rank cases.csv {PREDICTIONS}",
    f"rank cases.csv {PREDICTIONS} --uncertainty",
    "gate alone.csv --entity a --against alone.csv --against-entity b",
])  # fmt: skip
@pytest.mark.parametrize("idle", ["--weights size", "--missing complete"])
def test_averages_need_domains(folder: Path, command: str, idle: str) -> None:
    before = set(folder.iterdir())
    output = run(f"{command} {idle}", status=2)
    assert f"leave out {idle.split()[0]}, or name the column of domains with --domain-column" in output
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("idle", ["--weights size", "--weights x=1,y=2,z=3", "--missing complete"])
def test_one_domain_is_not_averaged(idle: str) -> None:
    output = run(f"rank domains.csv --domain x {idle}", status=2)
    assert f"{idle.split()[0]} would change nothing: --domain chooses one domain" in output


@pytest.mark.parametrize("weights", ["size", "x=1,y=2,z=1"])
def test_a_gate_of_every_domain_averages_nothing(weights: str) -> None:
    models = "--entity a --against-entity b --every-domain"
    output = run(f"gate domains.csv --against domains.csv {models} --weights {weights}", status=2)
    assert "--weights would change nothing: --every-domain averages no domains" in output
    models = "--entity m --against-entity n --every-domain --domain-column d"
    output = run(f"gate cases.csv {PREDICTIONS} {models} --weights size", status=2)
    assert "--weights would change nothing: --every-domain averages no domains" in output


def test_the_tables_of_the_demo_go_to_one_folder(folder: Path) -> None:
    before = set(folder.iterdir())
    assert "-o would change nothing: --data names the folder" in run("demo --data tables -o demo", status=2)
    assert set(folder.iterdir()) == before


def test_a_weight_of_0_still_leaves_a_domain_out() -> None:
    P = rs.read("domains.csv")
    new, old = (P[np.array([name == one for name in P.names])] for one in "ab")
    decision = rs.gate(new, old, every_domain=True, weights={"x": 0, "y": 2, "z": 2})
    assert decision.by_domain is not None
    assert list(decision.by_domain) == ["y", "z"]
    with pytest.raises(UsageError, match="weights= would change nothing: every_domain= averages no domains"):
        rs.gate(new, old, every_domain=True, weights="size")


def test_differences_need_no_uncertainty() -> None:
    for format_ in ("table", "csv", "json"):
        how = f"rank domains.csv --draws 50 --differences --format {format_}"
        assert run(how) == run(f"{how} --uncertainty")


def test_unknown_formats_name_those_of_figures(folder: Path) -> None:
    for command in ("rank domains.csv --uncertainty", "rank domains.csv --differences", "tradeoff domains.csv"):
        output = run(f"{command} -o x.bmp", status=2)
        assert "cannot tell the format from .bmp: pass --format, or use .png, .svg, .pdf, .txt" in output
    assert "x.png is a figure, and figures show draws: add --uncertainty or --differences" in run(
        "rank domains.csv -o x.png", status=2
    )
    assert not list(folder.glob("x.*"))


@pytest.mark.parametrize("format_", ["table", "json", "csv"])
def test_domains_need_domains(format_: str) -> None:
    output = run(f"domains alone.csv --format {format_}", status=2)
    assert output == (
        "Error: alone.csv names no domains: name the column of domains with --domain-column, or use `rankscape rank`\n"
    )
    assert "There is one domain only" in run("domains domains.csv --domain x")


P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
PAIRS = rs.tasks.regression.evaluate([1.0, 2.0, 3.0], {"a": [1.0, 2.5, 3.0], "b": [1.0, 2.0, 2.0]})
SWEEPS = rs.sweep([0, 1] * 8, {"a": np.arange(16) % 5}, folds=np.arange(16) // 4)


@pytest.mark.parametrize(("ask", "said"), [
    (lambda: rs.explore(P, "e.html", draws=0, rng=3), "rng= would change nothing: draws=0 draws nothing"),
    (lambda: rs.report(P, draws=0, level=0.5), "level= would change nothing: draws=0 draws nothing"),
    (lambda: rs.report(P.mass, method="jeffreys"), "probabilities do not say how many cases there are"),
    (lambda: rs.report(P, figures=False), "figures= would change nothing without a file: name one, as in report"),
    (lambda: rs.report(PAIRS, "r.html", by="mae", weights="size"), "name no domains, so there is nothing to average"),
    (lambda: rs.read({"tn": [1], "fp": [1], "fn": [1], "tp": [1]}, encoding="utf-8"), "in memory is decoded already"),
    (lambda: rs.reconstruct(accuracy="0.8", n=10, n_positive=5, decimals=2), "texts keep the decimals as typed"),
    (lambda: rs.tile.correlation("f1", P, rng=3), "rng= would change nothing: performances are not drawn"),
    (lambda: SWEEPS.cross_fitted(rng=3), "rng= would change nothing: the data name their folds"),
])  # fmt: skip
def test_python_refuses_what_would_change_nothing(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        ask()

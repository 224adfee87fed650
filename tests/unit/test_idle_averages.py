"""Weights, groups and policies for gaps are refused where there are no two domains to average over."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

COUNTS = [[40, 10, 18, 32], [45, 5, 30, 20]]
ALONE = rs.Performances.from_counts(COUNTS, names=["a", "b"])
TWO = rs.Performances.from_counts(COUNTS * 2, names=["a", "b"] * 2, domains=["x", "x", "y", "y"])
ONE = rs.Performances.from_counts(COUNTS, names=["a", "b"], domains=["g/x"] * 2)


@pytest.mark.parametrize("function", [rs.summarize, rs.domains.prepare, rs.report, rs.explore])
@pytest.mark.parametrize("option", [{"weights": "size"}, {"weights": {"g/x": 2}}, {"missing": "complete"}])
def test_other_averages_than_that_by_default_need_two_domains(
    function: Callable[..., Any], option: dict[str, Any]
) -> None:
    name = next(iter(option))
    with pytest.raises(rs.UsageError, match=rf"name no domains, so there is nothing to average.*leave out {name}="):
        function(ALONE, **option)
    with pytest.raises(rs.UsageError, match=f"{name}= would change nothing: g/x is the only domain"):
        function(ONE, **option)


def test_the_average_by_default_needs_no_domains() -> None:
    for given in (ALONE, ONE):
        assert np.array_equal(rs.summarize(given, None).mass, rs.summarize(given, "equal").mass)


OF_SCORES = [0, 0, 1, 1], {"s": [0.1, 0.6, 0.4, 0.9], "u": [0.2, 0.3, 0.8, 0.7]}
OF_DECIDE: dict[str, Any] = {"costs": rs.costs(miss=3), "draws": 0}


def test_decide_and_gate_average_over_two_domains_or_more() -> None:
    for weights in ("size", {"x": 1}):
        with pytest.raises(rs.UsageError, match="nothing to average"):
            rs.decide(rs.sweep(*OF_SCORES, weights=weights), **OF_DECIDE)
        with pytest.raises(rs.UsageError, match="x is the only domain"):
            rs.decide(rs.sweep(*OF_SCORES, domains=["x"] * 4, weights=weights), **OF_DECIDE)
        with pytest.raises(rs.UsageError, match="nothing to average"):
            rs.gate(ALONE["a"], ALONE["b"], weights=weights)
    for option in ({"weights": "size"}, {"missing": "complete"}):
        with pytest.raises(rs.UsageError, match="g/x is the only domain"):
            rs.gate(ONE["a"], ONE["b"], **option)


@pytest.mark.parametrize("weights", ["bogus", 3, [1, 2], np.ones(2)])
@pytest.mark.parametrize("given", [ALONE, ONE, TWO])
def test_weights_that_mean_nothing_are_refused_everywhere(given: rs.Performances, weights: Any) -> None:
    for function in (rs.summarize, rs.report):
        with pytest.raises(rs.UsageError, match="weights=.*expected one of 'equal', 'size', 'hierarchical', or"):
            function(given, weights=weights)
    with pytest.raises(rs.UsageError, match="weights=.*expected one of"):
        rs.gate(given["a"], given["b"], weights=weights)
    with pytest.raises(rs.UsageError, match="weights=.*expected one of"):
        rs.decide(rs.sweep(*OF_SCORES, weights=weights), **OF_DECIDE)


ALONE_FILE = "entity,tn,fp,fn,tp\na,40,10,18,32\nb,45,5,30,20\n"
ONE_FILE = "entity,domain,tn,fp,fn,tp\na,g/x,40,10,18,32\nb,g/x,45,5,30,20\n"


@pytest.mark.parametrize("command", ["rank", "why", "report -o r.html", "site -o s", "explore -o e.html", "domains"])
@pytest.mark.parametrize("option", ["--weights size", "--weights g/x=2", "--missing complete"])
def test_the_commands_refuse_them_too(command: str, option: str, tmp_path: Path) -> None:
    for data, sentence in ((ONE_FILE, "g/x is the only domain"), (ALONE_FILE, "nothing to average")):
        (tmp_path / "t.csv").write_text(data)
        name, *rest = command.split()
        done = CliRunner().invoke(main, [name, str(tmp_path / "t.csv"), *rest, *option.split()])
        assert (done.exit_code, sentence in done.stderr) == (2, True), done.output
        assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]

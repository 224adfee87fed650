"""Models with thresholds in the explorer and the card: the points that win, their names, models and sentences."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.errors import UsageError

pl = pytest.importorskip("polars")

HOSTILE = ["<img src=x onerror=alert(1)>", "a at 0.5", "call every case negative", "line\nbreak, \u202edrawkcab"]


def sweeps(names: list[str], m: int = 300, seed: int = 0, **how: Any) -> rs.Sweeps:
    """Models on the same cases, none of them better everywhere."""
    rng = np.random.default_rng(seed)
    y = (rng.random(m) < 0.3).astype(int)
    noise = [1 + 0.3 * k * (y if k % 2 else 1 - y) for k in range(len(names))]
    return rs.sweep(y, {name: y + rng.normal(0, 1, m) * each for name, each in zip(names, noise, strict=True)}, **how)


def carried(path: Any) -> Any:
    page = Path(str(path)).read_text("utf-8")
    text = re.search(r'id="rankscape-data">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    return json.loads(text[1])["source"]


@pytest.mark.parametrize("names", [["a", "b", "c"], HOSTILE])
def test_points_are_those_that_win_and_names_are_their_thresholds(names: list[str]) -> None:
    S = sweeps(names)
    points, tile = S.winning_points(), S.first()
    P = points.performances
    assert len(set(P.names)) == len(P) == len(points.models)
    assert set(rs.regions.winners(P)) == set(P.names)
    rows = {row for region in tile.regions for row in region.rows}
    assert {tuple(row) for row in P.counts.tolist()} == {tuple(tile.points.integers[row]) for row in rows}
    for name, model, counts in zip(P.names, points.models, P.counts.tolist(), strict=True):
        if name != model:  # else it is a constant answer
            at = float(name.removeprefix(f"{model} at "))
            assert S.at({model: at}).counts.tolist() == [counts]  # the name is a threshold that does the same
    for (model, *others), share in points.shares().items():
        if not others and not model.startswith("call every"):
            assert share <= tile.areas[model] + 1e-12
    assert sum(points.shares().values()) == pytest.approx(1)


def test_operating_points_stay_without_draws_when_their_pairing_is_taken_off() -> None:
    y = [0, 0, 1, 1, 0, 1]
    for P in (
        rs.Performances.from_scores(y, [1, 3, 2, 5, 4, 6]),
        sweeps(["a", "b"]).winning_points().performances,
        rs.sweep(y, {"a": [1, 3, 2, 5, 4, 6]})["a"].performances,
    ):
        for points in (P, P.with_pairing(None), P.with_pairing(None)[:2], P.with_pairing(None).shift_priors(0.5)):
            with pytest.raises(UsageError, match="the thresholds were chosen on these cases"):
                rs.uncertainty.rank_intervals(points, draws=10)


def test_constant_answers_are_there_once_where_models_share_their_cases() -> None:
    y = [0, 0, 0, 1, 1, 1, 0, 1]
    S = rs.sweep(y, {"a": [1, 2, 9, 0, 5, 6, 4, 3], "b": [4, 1, 9, 0, 6, 5, 2, 3]})
    names = S.winning_points().performances.names
    assert names.count("call every case negative") == names.count("call every case positive") == 1
    assert len(names) == len(S.winning_points().models) > 2
    cases = {
        "model": ["a"] * 6 + ["b"] * 5,
        "y": [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1],
        "s": [0.1, 0.9, 0.4, 0.3, 0.8, 0.7, 0.2, 0.9, 0.4, 0.6, 0.5],
    }
    apart = rs.sweep(pl.DataFrame(cases), truth="y", score="s", entity="model")
    points = apart.winning_points()
    calls = [name for name in points.performances.names if "call every case" in name]
    assert calls
    assert all(call.startswith(("a: ", "b: ")) for call in calls)
    both = {row for prior in (None, Fraction(1, 2)) for region in apart.first(prior).regions for row in region.rows}
    assert len(points.models) == len(both)  # also those that win once both share a prior


def test_the_page_carries_the_model_of_each_point(tmp_path: Path) -> None:
    S = sweeps(["a", "b", "c"])
    points = S.winning_points()
    data = carried(rs.explore(S, tmp_path / "page.html"))
    assert (tuple(data["entities"]), tuple(data["models"])) == (points.performances.names, points.models)
    assert data["tp"] == points.performances.counts[:, 3].tolist()
    assert data["draws"] is None
    assert "best on these cases" in data["about"][0]
    assert "rankscape decide" in data["about"][0]
    assert {"models", "about"}.isdisjoint(carried(rs.explore(points.performances, tmp_path / "plain.html", draws=0)))


def test_averages_over_domains_have_no_counts(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    y, domains = (rng.random(200) < 0.4).astype(int), np.repeat(["x", "y"], [150, 50])
    S = rs.sweep(y, {"a": y + rng.normal(0, 1, 200), "b": y + rng.normal(0, 2, 200)}, domains=domains)
    P = S.winning_points().performances
    assert P.counts is None
    assert P.domains is None
    assert carried(rs.explore(S, tmp_path / "page.html"))["counts"] is False
    assert not any("probabilities" in line for line in rs.report(S, by="f1")["The data"].lines)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"draws": 100}, "draws= is about draws, and models with thresholds have none"),
        ({"rng": 1}, "rng= is about draws"),
        ({"method": "jeffreys"}, "method= is about draws"),
        ({"weights": "size"}, "weights= would change nothing"),
        ({"missing": "complete"}, "missing= would change nothing"),
    ],
)
@pytest.mark.parametrize("make", [rs.explore, rs.report])
def test_options_that_say_nothing_are_refused(make: Any, how: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why):
        make(sweeps(["a", "b"]), tmp_path / "page.html", **how)
    assert not list(tmp_path.iterdir())


def test_the_card_says_what_points_are(tmp_path: Path) -> None:
    S = sweeps(["a", "<b>", "c"])
    points = S.winning_points()
    costs = rs.costs(miss=10, false_alarm=1)
    card = rs.report(S, tmp_path / "card.html", by=costs, shift_prior=0.05)
    assert card.title.startswith(f"{len(points.models)} thresholds of 3 models ranked by")
    assert any("best on these cases" in line and "decide" in line for line in card["Leaderboard"].lines)
    assert card["How sure"].lines == (points.notes[1],)
    lines = " ".join(card["What would change the answer"].lines)
    model, share = next((names[0], share) for names, share in points.shares(Fraction(1, 20)).items())
    assert f"each model wins, at its own best threshold there: {model} {100 * share:.1f}".removesuffix(".0") in lines
    (first,) = S.flips(costs, prior=0.05).first
    assert f"With other thresholds, too, {first} stays first while a miss is worth" in lines
    assert "each at its own best threshold" in (tmp_path / "card.html").read_text("utf-8")
    rs.explore(S, tmp_path / "explorer.html", by=costs, shift_prior=0.05)
    assert carried(tmp_path / "explorer.html")["models"] == list(points.models)


def test_the_commands_read_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    lines = ["model,case,y,s"]
    for case in range(60):
        y = int(rng.random() < 0.4)
        lines += [f"{model},{case},{y},{y + rng.normal(0, 1):.3f}" for model in ("a", "b", "c")]
    Path("scores.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = ["scores.csv", "--truth", "y", "--score", "s", "--entity-column", "model", "--case", "case"]

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == status, result.output
        return result.output

    run("explore", *given, "-o", "page.html")
    S = rs.sweep("scores.csv", truth="y", score="s", entity="model", case="case")
    assert carried("page.html") == carried(rs.explore(S, "python.html"))
    run("report", *given, "-o", "card.md", "--no-figures", "--by", "f2")
    assert "thresholds of 3 models ranked by F" in Path("card.md").read_text("utf-8")
    for more, why in {
        ("--draws", "100"): "--draws is about draws",
        ("--prediction", "s"): "--prediction and --score each say what the rows hold",
        ("--missing", "complete"): "--missing is about counts: with --score, --unanswered common (with --case)",
    }.items():
        for command in ("explore", "report"):
            assert why in run(command, *given, *more, "-o", "no.html", status=2)
    assert "--score needs --truth" in run("explore", "scores.csv", "--score", "s", status=2)
    assert "--domain is about" in run("report", *given, "--domain", "x", "-o", "no.html", status=2)

"""``rankscape decide`` and ``rankscape gate`` between thresholds: which model to deploy, at which threshold."""

import json
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape._report.decision import stated_cost
from rankscape._scores import as_score
from rankscape.cli import main
from rankscape.decisions.decide import DrawnCosts, chosen_without, short_between
from rankscape.decisions.sweeps import folded
from rankscape.errors import DataError, UsageError

N = 400
COSTS = rs.costs(miss=10, false_alarm=1, currency="€")
WAY = ["--truth", "y", "--score", "s", "--entity-column", "model", "--costs", "miss=10,false-alarm=1"]


def world(seed: int = 0, **strengths: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    y = (np.arange(N) % 8 == 0).astype(int)
    return y, {name: 1 / (1 + np.exp(1 - rng.normal(size=N) - d * y)) for name, d in strengths.items()}


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    y, models = world(good=2.5, fair=1.5, useless=0.0)
    lines = [f"{i},{name},{y[i]},{float(s[i])!r},{i % 4}" for name, s in models.items() for i in range(N)]
    path = tmp_path / "s.csv"
    path.write_text("case,model,y,s,fold\n" + "\n".join(lines) + "\n")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_the_command_and_python_give_one_answer_on_one_screen(scores: Path) -> None:
    result = run("decide", scores, *WAY[:-1], f"{WAY[-1]},currency=€", "--case", "case", "--in-use", "fair=0.5")
    assert result.exit_code == 0
    y, models = world(good=2.5, fair=1.5, useless=0.0)
    decision = rs.decide(y, models, costs=COSTS, current={"fair": 0.5})
    lines = result.stdout.splitlines()
    assert lines[0] == f"Deploy good, and call a case positive at a score of {decision.threshold:g} or more."
    assert COSTS.text(decision.cost) in lines[1]
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    for text in (
        "fair at 0.5, in use",
        "call every case negative",
        "stays the cheapest while",
        "understates",
    ):
        assert text in result.stdout
    found = json.loads(run("decide", scores, *WAY, "--case", "case", "--format", "json").stdout)
    assert found["entity"] == decision.entity == "good"
    assert found["cost"] == decision.cost
    assert found["paired"]
    assert found["cost_interval"] == list(decision.cost_interval)


def test_the_stated_costs_are_those_of_predictions_on_cases_left_out() -> None:
    y, models = world(1, good=2.5, fair=1.5)
    S = rs.sweep(y, models)
    decision = rs.decide(S, costs=COSTS)
    P = S.cross_fitted(COSTS)
    assert P.counts.tolist() == decision.performances.counts.tolist()
    costs = dict(zip(P.names, COSTS.expected(P), strict=True))
    assert {c.entity: c.cross_fitted for c in decision.candidates} == pytest.approx(costs)
    assert [c.cost for c in decision.candidates] == sorted(c.cost for c in decision.candidates)
    at = S.at({c.entity: c.threshold for c in decision.candidates})
    here = dict(zip(at.names, COSTS.expected(at), strict=True))
    first, *others = decision.candidates
    assert first.cost == pytest.approx(decision.cost)  # one cost for one thing
    assert decision.cost == pytest.approx(np.mean(decision.cost_of_folds))
    more = {n: (costs[n] + here[n] - costs[first.entity] - here[first.entity]) / 2 for n in costs}
    assert {c.entity: c.cost - first.cost for c in others} == pytest.approx({c.entity: more[c.entity] for c in others})
    assert (
        decision.optimism
        == decision.candidates[0].cross_fitted - COSTS.expected(S.best(COSTS)["good"].performance)[0]
        >= 0
    )
    low, high = decision.cost_interval
    assert low <= decision.cost <= high
    every = {each.name: each for each in decision.alternatives}
    assert every["call every case negative"].cost == 10 / 8
    assert every["call every case positive"].cost == 7 / 8
    assert every["fair, the next model"].saved == decision.candidates[1].cost - decision.candidates[0].cost


def test_ranges_hold_at_the_costs_and_the_prior_inside_and_not_outside() -> None:
    y, models = world(2, good=2.0, other=1.7)
    decision = rs.decide(y, models, costs=rs.costs(miss=9.7))
    low, high = decision.ratio_range
    assert low < 9.7 < high
    for ratio in (low * 1.001, high * 0.999 if high < inf else 1e6):
        assert rs.decide(y, models, costs=rs.costs(miss=ratio), draws=0).entity == decision.entity
    for ratio in (low * 0.999, high * 1.001):
        if 0 < ratio < inf:
            assert rs.decide(y, models, costs=rs.costs(miss=ratio), draws=0).entity != decision.entity
    for prior in decision.prior_range:
        for near in (0.999, 1.001):
            moved = prior * near
            if 0 < moved < 1:
                inside = decision.prior_range[0] < moved < decision.prior_range[1]
                there = rs.decide(y, models, costs=rs.costs(miss=9.7), prior=moved, draws=0).entity
                assert (there == decision.entity) == inside


def test_the_order_of_rows_and_models_and_the_scale_of_scores_change_nothing() -> None:
    y, models = world(3, good=2.0, other=1.7, third=1.0)
    decision = rs.decide(y, models, costs=COSTS)
    rows = np.random.default_rng(0).permutation(N)
    moved = {name: np.exp(3 * models[name][rows]) for name in ("third", "other", "good")}
    other = rs.decide(y[rows], moved, costs=COSTS)
    assert (other.entity, other.cost, other.cost_interval) == (decision.entity, decision.cost, decision.cost_interval)
    assert other.p_cheapest == decision.p_cheapest
    assert other.ratio_range == decision.ratio_range
    assert other.performances["good"].counts.tolist() == decision.performances["good"].counts.tolist()


def test_where_no_model_has_skill_nothing_is_promised() -> None:
    rng = np.random.default_rng(0)
    y = (np.arange(300) % 30 == 0).astype(int)
    decision = rs.decide(y, {"noise": rng.normal(size=300)}, costs=rs.costs(miss=1, false_alarm=1))
    assert decision.threshold == inf
    assert decision.p_cheapest is None
    assert decision.cost == pytest.approx(1 / 30, abs=0.02)
    constant = rs.decide(y, {"constant": np.ones(300)}, costs=rs.costs(miss=100))
    assert constant.threshold == -inf
    assert constant.cost == pytest.approx(29 / 30)


@pytest.mark.nightly
def test_files_of_every_kind(scores: Path, tmp_path: Path) -> None:
    for suffix, start in ((".html", b"<!doctype"), (".md", b"# Deploy"), (".csv", b"kind,"), (".svg", b"<?xml"),
                          (".png", b"\x89PNG"), (".json", b"{"), (".tex", b"% Deploy")):  # fmt: skip
        output = tmp_path / f"out{suffix}"
        assert run("decide", scores, *WAY, "--draws", 100, "-o", output).exit_code == 0
        assert output.read_bytes().lstrip()[: len(start)] == start
    page = (tmp_path / "out.html").read_text()
    assert "<script" not in page
    assert "data:image/svg+xml" in page


def test_folds_of_the_data_and_models_that_share_no_cases(scores: Path) -> None:
    given = run("decide", scores, *WAY, "--fold", "fold", "--case", "case")
    assert given.exit_code == 0
    assert "inside 4 folds (of the data)" in given.stdout.replace("\n  ", " ")
    apart = run("decide", scores, *WAY)
    assert apart.exit_code == 0
    assert "for each model separately" in apart.stdout.replace("\n  ", " ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--truth", "y", "--score", "s"], "--costs is required"),
        ([*WAY[:4], "--costs", "miss=10"], "several"),
        ([*WAY, "--in-use", "nobody=0.5"], "nobody"),
        ([*WAY, "--in-use", "half"], "no number"),
        ([*WAY, "--in-use", "fair=0.5,fair=0.6"], "the model 'fair' is given twice"),
        ([*WAY, "--in-use", "=0.5"], "expected 0.5, or the model in use: old=0.5"),
        ([*WAY, "--entity", "a"], "--entity-column"),
        ([*WAY[:-2], "--costs", "miss=-1"], "must not be negative"),
        (["--truth", "z", *WAY[2:]], "z"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_one_sentence(scores: Path, arguments: list[str], message: str) -> None:
    result = run("decide", scores, *arguments)
    if message == "several":  # the rows of all models as one: the case column is not asked for, so this is one model
        assert result.exit_code == 0
        return
    assert result.exit_code in (2, 3)
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 4
    assert "Traceback" not in result.stderr


def test_models_with_other_shares_of_positives_need_a_prior() -> None:
    table = pa.table(
        {"m": ["a"] * 40 + ["b"] * 40, "y": [0, 1] * 20 + [0, 0, 0, 1] * 10, "s": [i % 7 for i in range(80)]}
    )
    S = rs.sweep(table, truth="y", score="s", entity="m")
    with pytest.raises(DataError, match=r"shares of positives go from 0\.25 to 0\.5"):
        rs.decide(S, costs=COSTS, draws=0)
    assert rs.decide(S, prior=0.1, costs=COSTS, draws=0).prior == pytest.approx(0.1)


def test_few_cases_of_a_class_are_refused_or_cautioned_about() -> None:
    y = np.zeros(60, dtype=int)
    y[:2] = 1
    with pytest.raises(DataError, match="2 positive cases cannot be spread over folds"):
        rs.decide(y, {"a": np.arange(60)}, costs=COSTS)
    y[:7] = 1
    assert "less sure" in " ".join(rs.decide(y, {"a": np.arange(60)}, costs=COSTS).notes)
    for costs in ("f1", {1: 5}, {"mis": 5}):
        with pytest.raises(UsageError, match="costs= say what each error costs"):
            rs.decide(y, {"a": np.arange(60)}, costs=costs)


def test_a_gate_between_thresholds_is_paired(scores: Path) -> None:
    models = rs.sweep(scores, truth="y", score="s", entity="model", case="case")
    P = models.at({"new": ("good", 0.5), "old": ("good", Fraction(95, 100))})
    decision = rs.gate(P["new"], P["old"], costs=rs.costs(miss=10))
    assert decision.paired
    assert decision.verdict == "pass"


def test_a_threshold_has_few_digits_and_divides_the_same_scores() -> None:
    rng = np.random.default_rng(0)
    for lower, upper in np.sort(rng.normal(size=(200, 2)) * 10.0 ** rng.integers(-12, 12, (200, 1))).tolist():
        threshold = short_between(upper, lower)
        assert lower < threshold <= upper
    assert short_between(1.0, np.nextafter(1.0, 0)) == 1.0


@pytest.mark.parametrize("shift", [lambda s: 1234567 + s.round(1) * 10, lambda s: 1 - 1e-7 + 1e-8 * s])
def test_the_stated_threshold_is_the_one_to_deploy(shift: object, tmp_path: Path) -> None:
    y, models = world(good=4.0)
    path = tmp_path / "s.csv"
    path.write_text("y,s\n" + "".join(f"{t},{s!r}\n" for t, s in zip(y, shift(models["good"]).tolist(), strict=True)))
    result = run("decide", path, "--truth", "y", "--score", "s", "--costs", "miss=10", "--draws", "0")
    stated = float(result.stdout.split("at a score of ")[1].split(" or more")[0])
    found = json.loads(run("decide", path, "--truth", "y", "--score", "s", "--costs", "miss=10", "--draws", "0",
                           "--format", "json").stdout)  # fmt: skip
    assert stated == found["threshold"]


@pytest.mark.parametrize("asked", [["--costs", "miss=0"], ["--costs", "miss=5", "--shift-prior", "1"],
                                   ["--costs", "miss=5", "--shift-prior", "0"], ["--costs", "miss=1/3"]])  # fmt: skip
def test_where_one_answer_suits_all_cases_the_text_does_not_contradict_itself(asked: list[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    path = tmp_path / "s.csv"
    path.write_text("y,s\n" + "".join(f"{i % 2},{rng.normal(i % 2 / 4)!r}\n" for i in range(100)))
    result = run("decide", path, "--truth", "y", "--score", "s", "--draws", "100", *asked)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("No threshold of any model pays off here")
    assert "\ns stays the cheapest" not in result.stdout
    assert "think twice" not in result.stdout


def test_a_column_of_models_that_is_not_named_is_used(scores: Path) -> None:
    how = ("--truth", "y", "--score", "s", "--costs", "miss=10", "--draws", "0")
    stacked = run("decide", scores, *how)
    assert "(column model)" in stacked.stderr
    assert stacked.stdout == run("decide", scores, *how, "--entity-column", "model").stdout


def test_a_share_of_positives_and_a_saving_do_not_leave_their_range() -> None:
    y, models = world(good=2.5)
    decision = rs.decide(y, models, costs=rs.costs(miss=5), prior=0.9999999, draws=200)
    assert all(-5 <= end <= 5 for other in decision.alternatives for end in other.interval)
    assert "Share of positives: 0.9999999 (stated)" in stated_cost(decision)


def test_thresholds_in_use_and_costs_that_mean_nothing_are_refused() -> None:
    y, models = world(good=2.5)
    for current in (float("nan"), "x", {"good": None}):
        with pytest.raises(UsageError, match="must be a number"):
            rs.decide(y, models, costs=COSTS, current=current, draws=0)
    for costs in (rs.costs(miss=1e300, false_alarm=1e-300), rs.costs(miss=5e-324, false_alarm=5e-324)):
        with pytest.raises(UsageError, match="between 1e-100 and 1e100"):
            rs.decide(y, models, costs=costs, draws=0)


@pytest.mark.parametrize("seed", [9, 58, 88])
def test_the_threshold_lies_in_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 2
    decision = rs.decide(y, rng.normal(y * 1.5).round(2), costs=rs.costs(miss=2), draws=0, folds=3)
    low, high = decision.threshold_interval
    assert low <= decision.threshold <= high


def test_what_is_chosen_without_a_fold_does_not_know_its_cases() -> None:
    rng = np.random.default_rng(0)
    y, fold = np.arange(300) % 2, np.arange(300) // 2 % 3
    first, second = rng.normal(y * 1.2), rng.normal(y * 1.0)
    judged_here = fold == 0
    costs = rs.costs(miss=2)
    chosen = set()
    for better in (first, second):  # on the judged fold one of the two is perfect, the other one is always wrong
        a, b = (np.where(judged_here, 9 * (2 * y - 1) * (1 if x is better else -1), x) for x in (first, second))
        S = rs.sweep(y, {"a": a, "b": b}, folds=fold)
        cases = folded(S, None, 0)
        chosen.add((chosen_without(cases, 0, as_score(costs), costs), *(m.place(frozenset({1, 2}), as_score(costs)) -
                   int((m.cells.thresholds == 9).sum()) for m in cases.models)))  # fmt: skip
    assert len(chosen) == 1


def test_a_rule_that_calls_every_case_alike_does_not_lose_against_itself() -> None:
    y = np.arange(90) % 2
    for seed in (2, 5, 9, 16, 19, 39):
        noise = np.random.default_rng(seed).normal(size=90).round(1)
        decision = rs.decide(y, {"flat": np.ones(90), "noise": noise}, costs=rs.costs(miss=6), draws=0)
        constants = {other.threshold: other for other in decision.alternatives if other.kind == "constant"}
        assert decision.threshold == -inf
        assert decision.cost == 0.5  # of calling every case positive
        assert list(constants) == [inf]
        here = [name for low, high, name in decision.answers if low <= decision.ratio <= high]
        assert here == ["call every case positive"]
        assert decision.ratio_range[0] <= 6 <= decision.ratio_range[1]


def test_the_lines_of_constant_answers_have_their_own_names() -> None:
    y, models = world(good=2.0)
    for costs, names in (((10, 1), ["negative", "positive"]), ((1, 200), ["positive"]), ((200, 1), ["negative"])):
        decision = rs.decide(y, models, costs=rs.costs(*costs), draws=0)
        lines = {line.get_gid(): line.get_ydata()[0] for line in decision.plot().lines}
        costs_of = {other.name.split()[-1]: 1000 * other.cost for other in decision.alternatives}
        drawn = {name: lines.get(f"reference all {name}") for name in ("negative", "positive")}
        assert decision.constant == (len(names) == 1)
        assert set(names) == {name for name in drawn if name in costs_of}
        for name in drawn:
            assert drawn[name] is None or drawn[name] == costs_of[name]


def test_alternatives_know_what_they_are() -> None:
    y, models = world(good=2.5, fair=1.5)
    decision = rs.decide(y, models, costs=COSTS, current={"fair": 0.25}, draws=0)
    kinds = [(other.kind, other.entity) for other in decision.alternatives]
    assert kinds == [("in use", "fair"), ("at 0.5", "good"), ("next model", "fair"), *[("constant", None)] * 2]
    assert "in use" in {line.get_gid() for line in decision.plot().lines}


@pytest.mark.parametrize("draws", [1, 99])
def test_so_few_draws_tell_nothing(scores: Path, draws: int) -> None:
    y, models = world(good=2.5)
    with pytest.raises(UsageError, match=rf"draws={draws}; expected 0 \(no intervals\), or at least 100"):
        rs.decide(y, models, costs=COSTS, draws=draws)
    result = run("decide", scores, *WAY, "--draws", draws)
    assert result.exit_code == 2
    assert f"--draws {draws}; expected 0" in result.stderr


def test_weights_that_are_fractions_are_summed() -> None:
    y, models = world(good=2.5)
    decision = rs.decide(rs.sweep(y, models, sample_weight=np.full(N, 0.3)), costs=COSTS, draws=0)
    assert (decision.cases, decision.positives) == pytest.approx((0.3 * N, 0.3 * N / 8))
    assert decision.document()["cases"] == decision.cases
    whole = rs.decide(y, models, costs=COSTS, draws=0)
    assert (whole.cases, whole.positives, type(whole.cases)) == (N, N // 8, int)


def test_intervals_of_models_not_deployed_allow_for_the_level_they_were_moved_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    y, models = world(2, good=2.0, other=1.9)
    allowed = rs.decide(y, models, costs=rs.costs(miss=9.7), draws=200).candidates
    plain = DrawnCosts.interval
    monkeypatch.setattr(DrawnCosts, "interval", lambda costs, name, doubt=0.0: plain(costs, name))
    narrow = rs.decide(y, models, costs=rs.costs(miss=9.7), draws=200).candidates
    assert allowed[0].interval == narrow[0].interval
    for wide, without in zip(allowed[1:], narrow[1:], strict=True):
        assert wide.interval is not None
        assert without.interval is not None
        assert wide.interval[0] < without.interval[0] < wide.cost < without.interval[1] < wide.interval[1]


def test_a_doubt_widens_an_interval_as_an_independent_error_does() -> None:
    draws = np.random.default_rng(0).normal(3, 0.3, (100_000, 1))
    low, high = DrawnCosts(("a",), np.array([3.0]), draws).interval("a", 0.4) or (0, 0)
    assert (low, high) == pytest.approx((3 - 1.96 * 0.5, 3 + 1.96 * 0.5), abs=0.01)

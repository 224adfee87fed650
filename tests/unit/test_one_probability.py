"""For two models, the same cases and one preference every answer states the same P(better); graded cases, too."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

RNG = np.random.default_rng(7)
TRUTH = (RNG.random(120) < 0.4).astype(int)
OLD, NEW = (np.where(RNG.random(120) < rate, TRUTH, 1 - TRUTH) for rate in (0.75, 0.82))
EASE, STEPS = np.linspace(0.3, 0.68, 20), np.array([0.01, 0.02, 0.03, 0.01] * 5)


def two_class():
    return rs.Performances.from_labels(TRUTH, {"old": OLD, "new": NEW})


def right_or_wrong():
    return rs.tasks.success.evaluate(TRUTH, {"old": OLD, "new": NEW})


NOISY = EASE + STEPS / 2 * RNG.normal(size=20)


def graded(new=NOISY, old=EASE):
    return rs.tasks.success.from_grades({"old": np.clip(old, 0, 1), "new": np.clip(new, 0, 1)})


def on_domains():
    parts = [two_class(), two_class()[["old", "new"]]]
    return rs.concat(part.rename({}, [place] * 2) for part, place in zip(parts, ("x", "y"), strict=True))


def without_negatives():
    return rs.Performances.from_counts(fp=[12, 9], fn=[20, 15], tp=[60, 65], names=["old", "new"])


KINDS = {
    "paired": two_class,
    "counts": lambda: two_class().with_pairing(None),
    "right or wrong": right_or_wrong,
    "right or wrong, counts": lambda: right_or_wrong().with_pairing(None),
    "graded": graded,
    "domains": on_domains,
    "domains, counts": lambda: on_domains().with_pairing(None),
    "without negatives": without_negatives,
}


@pytest.mark.parametrize("kind", KINDS)
def test_rank_and_gate_state_the_same_probability(kind):
    P = KINDS[kind]()
    by = "f1" if "tp" in P.space.outcomes else None
    intervals = rs.uncertainty.rank_intervals(P, by=by, draws=400, rng=3)
    p = dict(zip(intervals.names, intervals.p_first, strict=True))
    found = rs.gate(P["new"], P["old"], draws=400, rng=3)
    assert found.probability == pytest.approx(p["new"], abs=1e-12)
    assert rs.gate(P["old"], P["new"], draws=400, rng=3).p_worse == pytest.approx(p["new"], abs=1e-12)
    assert found.paired == intervals.paired
    swapped = rs.uncertainty.rank_intervals(P[["new", "old"]], by=by, draws=400, rng=3)
    assert dict(zip(swapped.names, swapped.p_first, strict=True)) == p


def test_decide_states_the_probability_of_rank_and_gate():
    costs = rs.costs(miss=4)
    scores = {"a": TRUTH + RNG.normal(size=120), "b": 1.4 * TRUTH + RNG.normal(size=120)}
    decision = rs.decide(TRUTH, scores, costs=costs, draws=400)
    P = decision.performances
    intervals = rs.uncertainty.rank_intervals(P, by=costs, draws=400, rng=decision.seed)
    expected = dict(zip(intervals.names, intervals.p_first, strict=True))
    assert {each.entity: each.p_cheapest for each in decision.candidates} == expected
    best = decision.candidates[0].entity
    other = decision.candidates[1].entity
    found = rs.gate(P[best], P[other], costs=costs, draws=400, rng=decision.seed)
    assert found.probability == pytest.approx(decision.p_cheapest, abs=1e-12)


def test_the_commands_state_the_same_probability(tmp_path):
    path = tmp_path / "p.csv"
    rows = zip(TRUTH.tolist(), OLD.tolist(), NEW.tolist(), strict=True)
    path.write_text("y,old,new\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows))
    reading = ["--truth", "y", "--prediction", "old", "--prediction", "new", "--draws", "300", "--format", "json"]
    run = CliRunner().invoke
    ranked = json.loads(run(main, ["rank", str(path), "--uncertainty", "--by", "f1", *reading]).stdout)
    gated = json.loads(run(main, ["gate", str(path), "--entity", "new", "--against-entity", "old", *reading]).stdout)
    p = {row["entity"]: row["p_first"] for row in ranked["entities"]}
    assert gated["probability"] == pytest.approx(p["new"], abs=1e-12)


# ---- graded cases


def both(new, old):
    P = graded(np.asarray(new, dtype=float), np.asarray(old, dtype=float))
    return rs.gate(P["new"], P["old"]), rs.uncertainty.rank_intervals(P)


@pytest.mark.parametrize("steps", [STEPS, np.full(20, 0.02), np.full(20, 1e-3)])
def test_a_small_difference_on_each_of_twenty_cases_is_sure(steps):
    decision, intervals = both(EASE + steps, EASE)
    assert decision.verdict == "pass"
    assert decision.probability > 0.99
    assert intervals.sure.any()


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ([0.31, 0.21], [0.30, 0.20]),
        ([0.31, 0.50], [0.30, 0.20]),
        ([0.9, 0.91], [0.1, 0.1]),
        ([0.3 + 1e-9, 0.2 + 1e-9], [0.3, 0.2]),
        ([1, 0.5], [0.5, 0]),
    ],
)
def test_two_cases_are_never_sure_and_the_text_says_why(new, old):
    decision, intervals = both(new, old)
    assert decision.verdict == "undecided"
    assert 0.5 < decision.probability < 0.95
    assert not intervals.sure.any()
    for notes in (decision.notes, intervals.notes):
        assert "Only 2 graded cases were seen" in " ".join(notes)


def test_two_graded_cases_of_three_models_or_on_two_domains_are_not_sure_either():
    P = rs.tasks.success.from_grades({"a": [0.3, 0.2], "b": [0.31, 0.21], "c": [0.32, 0.22]})
    assert not rs.uncertainty.rank_intervals(P).sure.any()
    rows = {"domain": ["x", "y"], "a": [0.3, 0.2], "b": [0.31, 0.21]}
    Q = rs.cases(rows, correct=["a", "b"], domain="domain").performances
    assert not rs.uncertainty.rank_intervals(Q).sure.any()
    assert rs.gate(Q["b"], Q["a"]).verdict == "undecided"


def test_many_alike_differences_need_no_note():
    decision, intervals = both(EASE + STEPS, EASE)
    assert not any("graded" in note for note in (*decision.notes, *intervals.notes))


def test_one_outlier_against_many_small_gains_leaves_it_open():
    steps = np.full(20, 0.01)
    steps[3] = -0.25
    decision, _ = both(EASE + steps, EASE)
    assert decision.verdict == "undecided"
    assert 0.1 < decision.probability < 0.9


@pytest.mark.nightly
@pytest.mark.parametrize("cases", [2, 5, 20, 300])
@pytest.mark.parametrize("kind", ["normal", "few values", "two values", "heavy tails", "an outlier"])
def test_equal_models_with_grades_rarely_pass(cases, kind):
    rng, trials = np.random.default_rng(1), 200
    called = 0
    for trial in range(trials):
        apart = {
            "normal": lambda: rng.normal(0, 0.05, cases),
            "few values": lambda: rng.choice([-0.25, 0, 0.25], cases),
            "two values": lambda: rng.choice([-0.02, 0.02], cases),
            "heavy tails": lambda: 0.03 * rng.standard_t(2, cases),
            "an outlier": lambda: rng.normal(0, 0.01, cases) + np.eye(cases)[0] * rng.choice([-0.2, 0.2]),
        }[kind]()
        P = graded(0.5 + apart, np.full(cases, 0.5))
        found = rs.gate(P["new"], P["old"], draws=500, rng=trial)
        called += found.verdict != "undecided"
    assert called / trials <= 2 * (0.06 + 3 * (0.06 * 0.94 / trials) ** 0.5)


# ---- copies, and models that are right on everything

COPIES = {
    "paired": rs.Performances.from_labels(TRUTH, {"old": OLD, "new": OLD}),
    "counts": rs.Performances.from_counts([[60, 10, 9, 41]] * 2, names=["old", "new"]),
    "right or wrong": rs.tasks.success.evaluate(TRUTH, {"old": OLD, "new": OLD}),
    "graded": graded(np.linspace(0, 0.9, 30), np.linspace(0, 0.9, 30)),
    "without negatives": rs.Performances.from_counts(fp=[12, 12], fn=[20, 20], tp=[60, 60], names=["old", "new"]),
}


@pytest.mark.parametrize("kind", COPIES)
def test_rank_and_gate_state_one_half_of_copies(kind):
    P = COPIES[kind]
    by = "f1" if "tp" in P.space.outcomes else None
    assert rs.uncertainty.rank_intervals(P, by=by, draws=401, rng=3).p_first.tolist() == [0.5, 0.5]
    found = rs.gate(P["new"], P["old"], draws=401, rng=3)
    assert (found.verdict, found.probability, found.p_worse) == ("undecided", 0.5, 0.5)
    if by == "f1":
        wide = [rs.gate(P[a], P[b], "beta in [0.5, 2]", draws=401, rng=3) for a, b in (("new", "old"), ("old", "new"))]
        assert wide[0].probability == wide[1].probability <= 0.5


@pytest.mark.parametrize("seed", range(4))
def test_a_model_that_is_always_right_is_last_in_no_draw_for_a_rounding(seed):
    right = np.ones((4, 100))
    right[3, :3] = 0
    P = rs.tasks.success.evaluate(np.ones(100), dict(zip("abcd", right, strict=True)))
    drawn = rs.uncertainty.posterior(P, 1000, seed)
    assert drawn.values.min() >= 0  # not −2⁻⁵², where two shares add up to a little more than 1
    places = rs.uncertainty.rank_intervals(drawn, by="accuracy").places
    assert (places[drawn.values[:, :, 1] >= 1] == 1).all()

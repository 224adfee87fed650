"""Stated certainty holds where the truth is known: the short form of examples/calibration.py, and its measures."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import norm

from rankscape.uncertainty import rank_intervals

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEW = 25
FOUR_ERRORS = float(norm.sf(4))

SHORT = [  # those that are hardest; pytest -m nightly measures all, and with more trials
    "5 entities, 20 cases", "1 % positives, 200 cases, recall", "shared difficulty", "equal models",
    "10 clusters of 10 cases", "5 random domains", "20 success counts of 60",
]  # fmt: skip


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import calibration

        yield calibration
    for name in [name for name in sys.modules if name.startswith("calibration")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def measures(script: ModuleType) -> ModuleType:
    return sys.modules["calibration_measures"]


# ---- the short form


@pytest.mark.some(2)
@pytest.mark.parametrize("name", SHORT)
def test_targets_hold_up_to_four_standard_errors(script, name):
    part = script.trials(script.WORLDS[name], range(FEW), compare=False)
    found = script.all_cells({name: part}, {})
    assert len(found) >= 2 * len(script.WORLDS[name].ways)
    assert [cell for cell in found if cell.p < FOUR_ERRORS] == []


@pytest.mark.nightly
def test_the_gate_keeps_its_error_rates_up_to_four_standard_errors(script):
    found = script.verdicts("gate, 100 cases", FEW)
    assert [cell for cell in script.gate_cells("gate, 100 cases", found) if cell.p < FOUR_ERRORS] == []
    assert {truth for _, truth in found.times} == {"worse", "equal", "better"}


@pytest.mark.nightly
def test_what_is_used_today_misses_the_same_targets(script, measures):
    world = script.WORLDS["equal models"]
    part = script.trials(world, range(2 * FEW))
    for way, method in (("counts", "Jeffreys, each by itself"), ("paired", "plain bootstrap")):
        ranks = measures.cells(world, way, part.measures[way, method], {})[0]
        assert ranks.p < FOUR_ERRORS, method


# ---- the measures


def test_a_claim_is_false_where_the_truth_ties_or_is_reversed(measures):
    true = np.array([0.9, 0.9, 0.5])
    low, high, p = np.full(3, 0.4), np.array([1.0, 0.8, 0.5]), np.array([0.2, 0.7, 0.1])

    def claiming(*pairs):
        claims = np.zeros((3, 3), dtype=bool)
        for pair in pairs:
            claims[pair] = True
        return measures.of_statements(claims, low, high, p, true, 100).measured

    assert [claiming(pair).together for pair in ((0, 2), (0, 1), (2, 0))] == [1.0, 0.0, 0.0]
    assert claiming((0, 2)).power == 0.5
    assert claiming().covered == pytest.approx(2 / 3)
    assert (claiming().stated, claiming().observed) == (0.7, 0.5)
    assert claiming().loss == pytest.approx(-(np.log(0.2) + np.log(0.7)) / 2)


def test_an_impossible_first_costs_no_more_than_half_a_draw(measures):
    claims, p = np.zeros((2, 2), dtype=bool), np.array([np.nan, 1.0])
    trial = measures.of_statements(claims, np.zeros(2), np.ones(2), p, np.array([0.9, 0.1]), 100)
    assert trial.measured.loss == pytest.approx(np.log(200))
    assert trial.measured.observed == 0


def test_holm_multiplies_by_the_number_that_is_left(measures):
    found = [measures.Cell("w", "counts", "ranks", 0, 0, "", p) for p in (0.04, 0.01, 0.5)]
    assert [round(p, 12) for _, p in measures.holm(found)] == [0.03, 0.08, 0.5]


def test_the_reliability_counts_every_statement_once(measures):
    nothing = measures.Measured(*[0.0] * 6)
    trials = [measures.Trial(nothing, np.array([0.05, 0.95]), np.array([0.0, 1.0]))] * 3
    found = measures.binned(trials)
    assert (found.number[0], found.number[9]) == (3, 3)
    assert (found.stated[9], found.observed[9]) == (pytest.approx(2.85), 3)


def test_how_trials_are_divided_changes_nothing(script):
    world = script.WORLDS["2 entities, 50 cases"]
    whole, parts = script.trials(world, range(4)), [script.trials(world, range(2)), script.trials(world, range(2, 4))]
    again = script.joined(parts)
    for key, rows in whole.measures.items():
        assert np.array_equal(rows, again.measures[key], equal_nan=True)
        assert key not in whole.reliability or np.array_equal(whole.reliability[key], again.reliability[key])


# ---- the worlds


@pytest.mark.nightly
def test_true_scores_are_those_of_many_cases(script):
    big = {"cases": 200_000, "entities": 3}
    for world in (script.World("f1", **big), script.World("recall", score="recall", **big),
                  script.World("accuracy", score="accuracy", shared=0.8, **big),
                  script.World("domains", entities=3, sizes=(40_000,) * 5),
                  script.World("by size", entities=3, sizes=(100_000, 20_000, 30_000), weights="size"),
                  script.World("classes", score="balanced_accuracy", task="several classes", **big),
                  script.World("all classes", score="accuracy", task="several classes", **big)):  # fmt: skip
        sample = world.sample(np.random.default_rng(1))
        draws = world.draws(sample, "counts", 20, 0)
        assert rank_intervals(draws, by=world.score).values == pytest.approx(sample.true, abs=0.012), world.name


def test_difficulty_is_shared_by_the_cases_of_a_cluster(script):
    world = script.World("w", entities=2, cases=20_000, clusters=2000, shared=0.5, ways=("clusters",))
    sample = world.sample(np.random.default_rng(0))
    right = (sample.predicted == sample.labels)[0] - (sample.predicted == sample.labels)[0].mean()
    inside = right.reshape(2000, 10)
    products = (inside.sum(axis=1) ** 2 - (inside**2).sum(axis=1)).mean() / 90
    assert products / right.var() > 0.2


# ---- the command


@pytest.mark.nightly
def test_the_script_writes_its_tables_and_diagrams(script, tmp_path, capsys):
    status = script.main(
        ["--trials", "2", "--worlds", "2 entities|gate, 30", "--workers", "1", "--output", str(tmp_path)]
    )
    assert status in (0, 1)
    assert {path.name for path in tmp_path.iterdir()} == {
        "calibration.png", *(f"calibration-{name}.csv" for name in ("worlds", "others", "reliability", "targets", "nearest", "gate"))
    }  # fmt: skip
    assert "beyond chance" in capsys.readouterr().out

"""Stated certainty holds for right-or-wrong data, too: ``pytest -m nightly``, a quarter of an hour."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import norm

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEW, FOUR_ERRORS = 40, float(norm.sf(4))
SHORT = [
    "5 entities, 20 cases",
    "10 clusters of 10 cases",
    "grades: 5 entities, 20 cases",
    "grades: 20 domains of 4 cases",
]


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import calibration_success

        yield calibration_success
    for name in [name for name in sys.modules if name.startswith("calibration")]:
        del sys.modules[name]


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHORT)
def test_targets_hold_up_to_four_standard_errors(script: ModuleType, name: str) -> None:
    measured = {(name, way): rows for way, rows in script.trials(name, range(FEW)).items()}
    assert [cell for cell in script.all_cells(measured) if cell.p < FOUR_ERRORS] == []


@pytest.mark.nightly
def test_true_accuracies_are_those_of_many_cases(script: ModuleType) -> None:
    for world in (script.SuccessWorld("w", 3, 50_000), script.SuccessWorld("g", 3, 20_000, repeats=4, shared=0.8),
                  script.SuccessWorld("d", 3, sizes=(20_000, 10_000), weights="size")):  # fmt: skip
        sample = world.sample(np.random.default_rng(1))
        weights = "size" if world.sizes else "equal"
        seen = script.rs.summarize(sample.performances, weights).mass[:, 1]
        assert seen == pytest.approx(sample.true, abs=0.015), world.name


@pytest.mark.nightly
def test_all_targets_hold_up_to_chance(script: ModuleType) -> None:
    assert script.main(["--trials", "300"]) == 0

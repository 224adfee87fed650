"""Intervals hold the truth as often as they say: a simulation, run nightly (``pytest -m nightly``)."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "calibration.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("calibration", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["calibration"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["calibration"]


@pytest.mark.nightly
@pytest.mark.parametrize("k", range(6))
def test_95_percent_intervals_cover_about_95_percent(script, k):
    name = list(script.SCENARIOS)[k]
    found = script.covered(script.SCENARIOS[name], 300, seed=k)
    # five or six entities in 300 repetitions: three standard errors are 1.6 points for values; ranks are whole numbers
    assert 0.93 < found["value"] < 0.97, name
    assert found["rank"] > 0.935, name
    assert found["all ranks"] > 0.92, name


def test_the_simulation_runs_and_can_fail(script):
    scenario = script.SCENARIOS["exact ties, 200 cases"]
    found = script.covered(scenario, 4)
    assert set(found) == {"value", "rank", "all ranks"}
    script.LEVEL = 0.2
    assert script.covered(scenario, 4)["value"] < 0.8

"""Decisions cost what is stated, on worlds where the truth is known: ``pytest -m nightly``, some ten minutes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import decisions

        yield decisions
    for name in [name for name in sys.modules if name.split("_")[0] == "decisions"]:
        del sys.modules[name]


def test_closed_forms_of_costs_agree_with_many_cases(example):
    kinds = set()
    for number in range(8):
        rng = np.random.default_rng([number, 5])
        world = example.drawn_world(rng)
        kinds.add(world.kind)
        for name, model in world.models.items():
            normal = rng.normal(size=40_000)
            noise = model.noise(normal)
            negatives, positives = model.seen(noise), model.seen(model.mean + model.spread * noise)
            for threshold in (float(np.median(positives)), float(np.median(negatives)), 0.5, np.inf, -np.inf):
                wrong, missed = (negatives >= threshold).mean(), (positives < threshold).mean()
                cost = (1 - world.in_use) * wrong + world.in_use * world.miss * missed
                scale = (1 - world.in_use) + world.in_use * world.miss
                assert abs(cost - world.cost(name, threshold)) < 0.015 * scale
    assert len(kinds) > 2


@pytest.mark.nightly
def test_all_targets_hold(example, tmp_path):
    assert example.main(["--samples", "3", "--output", str(tmp_path)]) == 0

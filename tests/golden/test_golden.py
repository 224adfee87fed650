"""No result changes: what stands beside this file was made before ways were made faster."""

import json

import numpy as np
import pytest

from .results import BOUND, FILE, N_INPUTS, held, results

CHUNK = 50
AT_ONCE = 250
"""So many inputs are looked at in every run of the tests, all of them every night."""
WRITTEN = json.loads(FILE.read_text())


@pytest.mark.parametrize(
    "start",
    [*range(0, AT_ONCE, CHUNK), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(AT_ONCE, N_INPUTS, CHUNK))],
)
def test_results_of_random_inputs_are_as_before(start: int) -> None:
    """Five results of each input: ranks, maps, regions, flips, trade-offs, views."""
    for number in range(start, start + CHUNK):
        written, now = WRITTEN[number], results(number)
        assert {way: one.digest for way, one in now.items()} == {way: digest for way, (digest, _) in written.items()}
        for way, (_, total) in written.items():
            assert abs(now[way].total - total) <= BOUND * now[way].size, f"input {number}, {way}"


def test_what_is_held_shows_changes() -> None:
    """A rank, a name and a float that is off by more than the bound are seen, one off by its last bit is not held."""
    ranking = ("a", np.array([1.0, 2.5]), np.array([0.3, 0.7]), [0.1])
    now = held(ranking)
    assert held(("b", *ranking[1:])).digest != now.digest
    assert held(("a", np.array([1.0, 2.0]), *ranking[2:])).digest != now.digest
    assert held((*ranking[:2], np.array([0.3, np.nan]), [0.1])).digest != now.digest
    assert abs(held((*ranking[:2], np.array([0.7, 0.3]), [0.1])).total - now.total) > BOUND * now.size
    moved = held((*ranking[:2], np.array([0.3, np.nextafter(0.7, 1)]), [0.1]))
    assert moved.digest == now.digest
    assert 0 < abs(moved.total - now.total) <= BOUND * now.size

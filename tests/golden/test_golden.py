"""No result changes by a bit: the digests beside this file were made before ways were made faster."""

import json

import pytest

from .results import FILE, N_INPUTS, results

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
        assert results(number) == WRITTEN[number], f"input {number}"

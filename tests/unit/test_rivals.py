"""Flips that floats narrow down are those of fractions among all rivals, also where values are tied, tiny or huge."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import rankscape as rs
from rankscape.geometry.borders import border_of_integers
from rankscape.regions.rivals import Rivals


def performances(seed: int) -> rs.Performances:
    """Return a set with exact ties, neighbors of the last bit, or masses that nearly vanish."""
    random = Random(seed)
    rows = [[int(random.random() * 4) for _ in range(4)] for _ in range(30)]
    rows = [row if any(row) else [1, 1, 0, 0] for row in rows]
    if seed % 3 == 1:
        rows = [[x * 10**20 + int(random.random() * 2) for x in row] for row in rows]
    if seed % 3 == 2:
        rows = [[x * 10 ** int(random.random() * 170) for x in row] for row in rows]
    return rs.Performances.from_exact(rows)


@pytest.mark.parametrize("seed", range(12))
def test_nearest_crossings_are_among_the_rivals(seed: int) -> None:
    """Nobody whose crossing is the nearest one is left out, in any column."""
    P = performances(seed)
    rows = [[int(x) for x in row] for row in P.integers]
    for k in range(0, len(P), 7):
        borders = Rivals.of(P.mass, k)
        for a in (Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 10**18), 1 - Fraction(1, 10**18)):
            sides = [border_of_integers(rows[k], row).sides(a) for row in rows]
            up = {j: low / (low - high) for j, (low, high) in enumerate(sides) if high < 0 <= low}
            down = {j: high / (high - low) for j, (low, high) in enumerate(sides) if low < 0 <= high}
            for exact, upper in ((up, True), (down, False)):
                nearest = {j for j, x in exact.items() if x == min(exact.values())}
                assert nearest <= set(borders.nearest(a, upper).tolist())


@pytest.mark.parametrize("seed", range(12))
def test_values_are_within_their_doubt(seed: int) -> None:
    """The sign of a border's value is never wrong where it is larger than its doubt; equal ones are alike."""
    P = performances(seed)
    rows = [[int(x) for x in row] for row in P.integers]
    for k in range(0, len(P), 7):
        borders = Rivals.of(P.mass, k)
        alike = set(borders.alike().tolist())
        for a, b in (
            (Fraction(1, 7), Fraction(1)),
            (Fraction(1, 10**9), Fraction(2, 3)),
            (Fraction(1, 2), Fraction(1, 2)),
        ):
            value, doubt = borders.at(a, b)
            for j, row in enumerate(rows):
                border = border_of_integers(rows[k], row)
                exact = border.h(a, b)
                assert abs(value[j]) <= doubt[j] or np.sign(value[j]) == (exact > 0) - (exact < 0)
                assert border.kind != "tile" or j in alike

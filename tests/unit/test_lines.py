"""Who is first along one parameter: against enumeration in rationals, and with floats that leave rivals out."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

import rankscape as rs
from rankscape.lines import Line, fall, walk
from rankscape.regions.records import rows_at


def some_lines(seed: int, n: int) -> list[Line]:
    """Return lines with exact ties, equal functions, undefined ones, numbers that are huge, or apart by the last bit."""
    random = Random(seed)
    top = (3, 12, 10**30)[seed % 3]
    lines = [tuple(random.randint(0, top) for _ in range(4)) for _ in range(n)]
    lines += [tuple(2 * x for x in line) for line in lines[:3]] + [(0, 0, 0, 0)]
    if seed % 4 == 3:
        lines = [tuple(x * 10**20 + random.randint(0, 1) for x in line) for line in lines]
    random.shuffle(lines)
    return lines


def first_at(lines: list[Line], odds: Fraction) -> list[int]:
    values = [(e0 + e1 * odds, u0 + u1 * odds) for e0, e1, u0, u1 in lines]
    there = [k for k, value in enumerate(values) if any(value)]
    return [k for k in there if all(values[k][0] * values[j][1] >= values[j][0] * values[k][1] for j in there)]


@pytest.mark.parametrize("seed", range(24))
def test_a_walk_is_as_enumerated(seed: int) -> None:
    lines = some_lines(seed, 6)
    pieces = list(walk(lines, Fraction(0)))
    assert (pieces[0][0], pieces[-1][1]) == (0, None)
    for low, high, best in pieces:
        high = 2 * low + 1 if high is None else high
        for odds in (low + (high - low) / 10**6, (low + high) / 2, high - (high - low) / 10**6):
            assert first_at(lines, odds) == best
    assert all(one[1] == other[0] and one[2] != other[2] for one, other in pairwise(pieces))


@pytest.mark.parametrize("seed", range(24))
def test_floats_leave_out_nobody_who_matters(seed: int) -> None:
    lines = some_lines(seed, 300)
    largest = [max(*line, 1) for line in lines]
    rough = np.array([[x / most for x in line] for line, most in zip(lines, largest, strict=True)])
    for odds in (Fraction(0), Fraction(1, 3), Fraction(10**40), Fraction(1, 10**60)):
        first = first_at(lines, odds)
        assert fall(lines, first, odds, rough) == fall(lines, first, odds)


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(10**20), Fraction(1, 10**110), Fraction(1, 10**170)])
def test_flips_of_many_are_first_there(scale: Fraction) -> None:
    """Where masses nearly vanish, too: inside the interval the same win, immediately beyond it the others."""
    random = Random(5)
    rows = [[random.randint(1, 60) for _ in range(4)] for _ in range(120)]
    less = scale.denominator
    P = rs.Performances.from_exact([[tn * less, *(x * scale.numerator for x in rest)] for tn, *rest in rows])
    for a, b in ((Fraction(1), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 3)), (Fraction(0), Fraction(1, 4))):
        changes = rs.regions.flips(P, by=rs.at(a, b))
        assert changes.first == rs.rank(P, by=rs.at(a, b)).best
        for flip in (flip for flip in changes.flips if flip.direction != "nearest"):
            for times, names in (
                (1 - Fraction(1, 10**400), changes.first),
                (1 + Fraction(1, 10**400), set(flip.names)),
            ):
                place = [min(max(x + (end - x) * times, 0), 1) for x, end in zip((a, b), flip.place, strict=True)]
                if place != list(flip.place):
                    assert {P.names[k] for k in rows_at(P.integers, *place)} == names

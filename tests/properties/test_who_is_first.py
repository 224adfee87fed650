"""Which entities are first at a place, and where that changes: against all of them, compared in fractions.

Small random sets with zeros, ties and duplicates, of equal and of different priors, also averaged over domains; at
random places, on borders, where they meet, on the sides of the Tile and at its corners.
"""

import math
from fractions import Fraction
from random import Random

import pytest

from rankscape import Performances, regions

Row = tuple
SETS = 40
"""Of each seed; the places are some twenty times as many."""


def value(row: Row, a: Fraction, b: Fraction) -> Fraction | None:
    tn, fp, fn, tp = row
    s, u = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
    return None if s + u == 0 else Fraction(s) / (s + u)


def having(rows: list, a: Fraction, b: Fraction, rank: int = 1, last: bool = False) -> set[int]:
    """Return who has a rank at a place, tied ones together."""
    every = [value(row, a, b) for row in rows]
    defined = sorted((v for v in every if v is not None), reverse=not last)
    return {i for i, v in enumerate(every) if v == defined[rank - 1]} if len(defined) >= rank else set()


def random_rows(random: Random) -> list:
    n, most = random.randint(1, 6), random.choice((2, 4, 8, 30))
    kind = random.randrange(5)
    if kind == 0:  # many zeros
        rows = [tuple(random.choice((0, random.randint(0, most))) for _ in range(4)) for _ in range(n)]
    elif kind == 1:
        rows = [tuple(random.randint(0, most) for _ in range(4)) for _ in range(n)]
    elif kind == 2:  # one prior
        negative, positive = random.randint(1, most), random.randint(1, most)
        points = [(random.randint(0, negative), random.randint(0, positive)) for _ in range(n)]
        rows = [(negative - x, x, y, positive - y) for x, y in points]
    elif kind == 3:  # duplicates, and mirror images: borders that are equally near
        half = [tuple(random.randint(0, most) for _ in range(4)) for _ in range(max(1, n // 2))]
        rows = [*half, *(tuple(2 * x for x in row) for row in half), *(row[::-1] for row in half)]
    else:  # nearly alike
        base = [random.randint(0, most) for _ in range(4)]
        rows = [tuple(max(0, x + random.choice((-1, 0, 1))) for x in base) for _ in range(n)]
    return [row for row in rows if any(row)] or [(1, 0, 0, 1)]


def random_set(random: Random) -> tuple[Performances, list]:
    """Return performances, and their probabilities (or counts) as fractions."""
    rows = random_rows(random)
    if random.random() > 0.2:
        return Performances.from_counts(rows), rows
    other = random_rows(random)
    n = min(len(rows), len(other))
    names = [f"P{i + 1}" for i in range(n)]
    domains = ["x"] * n + ["y"] * n
    both = Performances.from_counts(rows[:n] + other[:n], names=names * 2, domains=domains)
    means = [
        tuple(Fraction(p, sum(one)) + Fraction(q, sum(two)) for p, q in zip(one, two, strict=True))
        for one, two in zip(rows[:n], other[:n], strict=True)
    ]
    return both, means


def places_of(found: regions.Regions, random: Random) -> list[tuple[Fraction, Fraction]]:
    """Return random places, and those on borders, where these meet, and on sides."""
    places = [(Fraction(random.randint(0, 12), 12), Fraction(random.randint(0, 12), 12)) for _ in range(6)]
    for piece in (piece for region in found for piece in region.pieces):
        for a in (piece.start, piece.end, (piece.start + piece.end) / 2):
            for arc in (piece.low, piece.high):
                b = None if arc is None else arc.exact_b(a)
                places.append((a, Fraction(random.choice((0, 1))) if b is None else b))
    return places


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(5))
def test_regions_name_all_that_are_tied_at_a_place(seed: int) -> None:
    random = Random(seed)
    for _ in range(SETS):
        P, rows = random_set(random)
        rank, last = min(random.choice((1, 1, 1, 2, 3)), len(rows)), random.random() < 0.2
        found = regions.first(P, rank, last)
        for a, b in places_of(found, random):
            expected = {f"P{i + 1}" for i in having(rows, a, b, rank, last)}
            assert set(found.at(a, b)) == expected, (rows, rank, last, a, b)


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(5))
def test_flips_name_only_those_that_are_first_at_the_place_named(seed: int) -> None:
    random = Random(seed)
    for _ in range(SETS):
        P, rows = random_set(random)
        a, b = random.choice(places_of(regions.first(P), random))
        now = having(rows, a, b)
        if not now:
            continue
        found = regions.flips(P, by=(1 - a, 1 - b, b, a))
        assert found.first == {f"P{i + 1}" for i in now}
        for flip in found.flips:
            for name in flip.names:
                i = int(name[1:]) - 1
                there = having(rows, *flip.place)
                assert i in there or value(rows[i], *flip.place) is None, (rows, a, b, flip)
                assert alone_beside(rows, i, flip.place), (rows, a, b, flip)
        if 0 < a < 1 and 0 < b < 1 and found.factor > 1:  # nobody else is first while both rates are off by less
            for _ in range(12):
                off = [1 + (Fraction(min(found.factor, 1000.0)) - 1) * Fraction(random.random()) for _ in range(2)]
                off = [random.choice((times, 1 / times)) for times in off]
                x, y = (z * times / (1 - z + z * times) for z, times in zip((a, b), off, strict=True))
                assert not having(rows, x, y) or having(rows, x, y) & now


def alone_beside(rows: list, i: int, place: tuple[Fraction, Fraction]) -> bool:
    """Tell whether one is first, alone but for equal ones, somewhere beside a place, or along a side of the Tile."""
    equal = {j for j in range(len(rows)) if all(
        value(rows[i], a, b) == value(rows[j], a, b) for a, b in INSIDE
    )}  # fmt: skip
    for size in (Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 10**14)):
        for v, w in DIRECTIONS:
            x, y = place[0] + size * v, place[1] + size * w
            if 0 <= x <= 1 and 0 <= y <= 1 and i in (top := having(rows, x, y)):
                side = {x, y} & {0, 1}
                if top <= equal or (side and all(value(rows[j], x, y) == value(rows[i], x, y) for j in top)):
                    return True
    return False


INSIDE = [(Fraction(1, 3), Fraction(2, 7)), (Fraction(5, 8), Fraction(4, 9)), (Fraction(9, 11), Fraction(12, 13))]
DIRECTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0)] + [
    (Fraction(math.cos(k * math.pi / 90 + 0.01)), Fraction(math.sin(k * math.pi / 90 + 0.01))) for k in range(180)
]


def test_three_that_meet_at_one_place_are_named_together() -> None:
    P = Performances.from_counts([[9, 1, 4, 6], [7, 3, 2, 8], [8, 2, 3, 7]], names=["a", "b", "between"])
    found = regions.first(P)
    ((a, b),) = {(a, arc.exact_b(a)) for region in found for arc in region.borders for a in (Fraction(1, 2),)}
    assert set(found.at(a, b)) == {"a", "b", "between"}
    assert "between" not in found.areas
    assert found.everywhere() == {"a", "b", "between"}


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", range(3))
def test_those_that_are_first_anywhere_are_found_on_borders_and_sides(seed: int) -> None:
    random = Random(seed)
    for _ in range(SETS):
        P, rows = random_set(random)
        found = regions.first(P)
        grid = [Fraction(k, 12) for k in range(13)]
        seen = {f"P{i + 1}" for a in grid for b in grid for i in having(rows, a, b)}
        assert seen <= found.everywhere()
        assert {name for region in found for name in region.names} <= found.everywhere()

"""Exact borders and regions, against enumeration in rationals and against each other."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankscape import Performances, regions, tile
from rankscape.geometry.borders import Border, border_of_integers
from rankscape.geometry.levels import SPLITS, _between
from rankscape.kernels.grid import rows_at

COUNT = st.integers(0, 5)
ROW = st.tuples(COUNT, COUNT, COUNT, COUNT).filter(any)
ROWS = st.lists(ROW, min_size=1, max_size=7)
PLACE = st.fractions(0, 1, max_denominator=12)
INSIDE = PLACE.filter(lambda x: 0 < x < 1)


@st.composite
def at_equal_priors(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    negatives, positives = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = draw(st.lists(st.tuples(st.integers(0, negatives), st.integers(0, positives)), min_size=1, max_size=7))
    return [(negatives - fp, fp, positives - tp, tp) for fp, tp in cells]


def sides(row: tuple, a: Fraction, b: Fraction) -> tuple[Fraction, Fraction]:
    tn, fp, fn, tp = row
    return (1 - a) * tn + a * tp, (1 - b) * fp + b * fn


def value(row: tuple, a: Fraction, b: Fraction) -> Fraction:
    s, u = sides(row, a, b)
    return s / (s + u)


# one border


@given(ROW, ROW)
def test_the_ends_are_on_the_border_and_on_the_sides_of_the_square(first: tuple, second: tuple) -> None:
    border = border_of_integers(list(first), list(second))
    if border.span is None:
        assert border.kind in ("none", "tile")
        return
    low, high = border.span
    middle = (low + high) / 2
    start, end = ((a, border.exact_b(a)) for a in (low, high))
    for a, b in (start, end):
        if b is not None:
            assert border.h(a, b) == 0
            assert {a, b} & {0, 1}
            assert 0 <= min(a, b) <= max(a, b) <= 1
    if border.kind == "vertical":
        assert border.h(middle, Fraction(1, 2)) == 0
    else:
        b = border.exact_b(middle)
        assert b is not None
        if start[1] is not None and end[1] is not None:
            assert min(start[1], end[1]) <= b <= max(start[1], end[1])


@given(ROW, ROW, PLACE, PLACE)
def test_the_sign_of_h_is_the_order(first: tuple, second: tuple, a: Fraction, b: Fraction) -> None:
    (s1, u1), (s2, u2) = sides(first, a, b), sides(second, a, b)
    h = border_of_integers(list(first), list(second)).h(a, b)
    assert h * sum(first) * sum(second) == s1 * u2 - s2 * u1


@given(ROW, ROW)
def test_there_is_at_most_one_piece_and_it_is_monotone(first: tuple, second: tuple) -> None:
    border = border_of_integers(list(first), list(second))
    grid = [Fraction(k, 24) for k in range(1, 24)]
    found = [(a, border.exact_b(a)) for a in grid]
    inside = [(a, b) for a, b in found if b is not None and 0 < b < 1]
    columns = [grid.index(a) for a, _ in inside]
    assert columns == list(range(columns[0], columns[0] + len(columns))) if columns else True
    steps = {(b2 > b1) - (b2 < b1) for (_, b1), (_, b2) in pairwise(inside)}
    assert len(steps) <= 1
    if border.kind == "none":
        assert not inside
    if border.span is not None:
        assert all(border.span[0] <= a <= border.span[1] for a, _ in inside)


@given(ROW, ROW, INSIDE)
def test_b_and_a_are_on_the_border(first: tuple, second: tuple, x: Fraction) -> None:
    border = border_of_integers(list(first), list(second))
    assume(border.kind in ("arc", "horizontal", "vertical"))
    c00, c01, c10, c11 = border.corners
    b, a = border.b(float(x)), Border((c00, c10, c01, c11)).b(float(x))  # with the axes exchanged
    for place in ((float(x), float(b)), (float(a), float(x))):
        if not np.isnan(place).any():
            assert abs(float(border.h(*map(Fraction, place)))) < 1e-12


@given(ROW, ROW)
def test_areas_of_two_sum_to_one_and_follow_dominance(first: tuple, second: tuple) -> None:
    P = Performances.from_counts([first, second])
    area, other = regions.area_of_win(P[0], P[1]), regions.area_of_win(P[1], P[0])
    if regions.border(P[0], P[1]).kind == "tile":
        assert (area, other) == (0, 0)
    else:
        assert area + other == pytest.approx(1, abs=1e-12)
        a = (np.arange(2000) + 0.5) / 2000  # in a column the first is better below or above where h changes its sign
        below, above = regions.border(P[0], P[1]).sides(a)
        below, above = np.asarray(below, dtype=float), np.asarray(above, dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(
                below * above < 0, np.maximum(below, above) / np.abs(below - above), (below + above > 0) * 1.0
            )
        assert share.mean() == pytest.approx(area, abs=2e-3)
    assert regions.dominates(P[0], P[1]) == (area == 1)


def test_areas_agree_with_quadrature_where_logarithms_cancel() -> None:
    from mpmath import mp, quad

    mp.dps = 40
    for last in (
        Fraction(-1),
        Fraction(-1) - Fraction(1, 10**6),
        Fraction(-101, 100),
        Fraction(-3),
        Fraction(-(10**6)),
    ):
        corners = (Fraction(1), Fraction(-1), Fraction(1), last)
        expected = quad(
            lambda a, c=corners: 1 / (1 - ((1 - a) * c[1] + a * mp.mpf(c[3].numerator) / c[3].denominator)), [0, 1]
        )
        assert Border(corners).area() == pytest.approx(float(expected), abs=1e-15)


def test_every_degenerate_border_is_told() -> None:
    def of(*corners: int) -> Border:
        return Border(tuple(map(Fraction, corners)))

    assert (of(0, 0, 0, 0).kind, of(0, 0, 0, 0).area()) == ("tile", 0)
    assert (of(1, 2, 3, 4).kind, of(1, 2, 3, 4).area(), of(1, 2, 3, 4).span) == ("none", 1, None)
    assert (of(1, -1, 1, -1).kind, float(of(1, -1, 1, -1).b(0.3)), of(1, -1, 1, -1).area()) == ("horizontal", 0.5, 0.5)
    assert (of(1, 1, -3, -3).kind, of(1, 1, -3, -3).span) == ("vertical", (Fraction(1, 4), Fraction(1, 4)))
    assert (of(1, 1, -3, -3).area(), float(of(1, -3, 1, -3).b(0.7))) == (0.25, 0.25)
    assert (of(0, 0, 1, -3).kind, of(0, 0, 1, -3).area()) == ("horizontal", 0.25)
    assert of(2, -1, 1, -1).kind == "arc"


# regions


@given(ROWS, st.integers(1, 7), st.booleans(), INSIDE, INSIDE)
def test_regions_say_who_is_there(rows: list, rank: int, last: bool, a: Fraction, b: Fraction) -> None:
    rank = min(rank, len(rows))
    P = Performances.from_counts(rows)
    found = regions.first(P, rank, last)
    assert sum(region.area for region in found) == pytest.approx(1, abs=1e-12)
    values = sorted((value(row, a, b) for row in rows), reverse=not last)
    expected = {name for name, row in zip(P.names, rows, strict=True) if value(row, a, b) == values[rank - 1]}
    near = {name for d in (-1e-9, 1e-9) for e in (-1e-9, 1e-9) for name in found.at(float(a) + d, float(b) + e)}
    assert set(found.at(float(a), float(b))) <= expected | near
    if len({value(row, a, b) for row in rows}) == len({tuple(row) for row in rows}):  # no border passes here
        assert set(found.at(float(a), float(b))) == expected


@given(ROWS)
def test_areas_agree_with_a_fine_grid(rows: list) -> None:
    P = Performances.from_counts(rows)
    u = (np.arange(300) + 0.5) / 300
    c = P.mass
    with np.errstate(invalid="ignore", divide="ignore"):
        s, loss = (1 - u) * c[:, :1] + u * c[:, 3:], (1 - u) * c[:, 1:2] + u * c[:, 2:3]
        values = s[:, None, :] / (s[:, None, :] + loss[:, :, None])
    best = values.max(axis=0)
    for name, area in regions.first(P).areas.items():
        assert np.isclose(values[P.names.index(name)], best, rtol=0, atol=1e-12).mean() == pytest.approx(area, abs=7e-3)


@given(at_equal_priors(), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
def test_winners_at_equal_priors_do_not_move_with_the_prior(rows: list, prior: Fraction) -> None:
    P = Performances.from_counts(rows)
    assert regions.winners(P) == regions.winners(P.shift_priors(np.array(prior, dtype=object)))


@example([(2, 0, 3, 1), (1, 1, 1, 3), (0, 2, 0, 4)])
@given(at_equal_priors())
def test_winners_at_equal_priors_are_those_of_the_hull_and_of_the_diagonal(rows: list) -> None:
    from rankscape.geometry.hull import hull

    P = Performances.from_counts(rows)
    winners = set(regions.winners(P))
    assert winners == {name for region in regions.first(P) for name in region.names}
    assert winners == {P.names[row] for row in hull(P, corners=False)}
    # On the diagonal a = b, between two neighboring events, the same ones are first.
    events = {Fraction(0), Fraction(1)}
    for first, second in combinations(rows, 2):  # there S + U is the same for all, and S is linear
        negatives, positives = first[0] - second[0], first[3] - second[3]
        if negatives * positives < 0:
            events.add(Fraction(negatives, negatives - positives))
    ordered, first_somewhere = sorted(events), set()
    for low, high in pairwise(ordered):
        t = (low + high) / 2
        best = max(value(row, t, t) for row in rows)
        first_somewhere |= {name for name, row in zip(P.names, rows, strict=True) if value(row, t, t) == best}
    assert winners == first_somewhere


@given(ROWS, st.booleans())
def test_regions_of_first_and_last_are_connected(rows: list, last: bool) -> None:
    for region in regions.first(Performances.from_counts(rows), last=last):
        assert len(list(region.outlines())) == 1


@given(ROWS)
def test_operations_move_regions_as_table_1_says(rows: list) -> None:
    P = Performances.from_counts(rows)
    for operation in ("swap_classes", "swap_truth_and_prediction", "change_prediction", "change_truth"):
        changed = getattr(P, operation)()
        for a, b in ((0.31, 0.57), (0.83, 0.11)):
            x, y, is_reversed = tile.transform_place(operation, a, b)
            before = regions.first(P, last=is_reversed).at(float(x), float(y))
            assert set(regions.first(changed).at(a, b)) == set(before)


@given(ROWS.filter(lambda rows: len(rows) > 1), PLACE, PLACE)
def test_removing_an_entity_never_swaps_two_others(rows: list, a: Fraction, b: Fraction) -> None:
    import rankscape as rs

    P = Performances.from_counts(rows)
    whole, part = (rs.rank(Q, by=rs.at(a, b)) for Q in (P, P[:-1]))
    for first, second in combinations(range(len(rows) - 1), 2):
        signs = [np.sign(r.ranks[first] - r.ranks[second]) for r in (whole, part)]
        np.testing.assert_array_equal(*signs)


@given(ROWS, st.integers(0, 6))
def test_flips_are_where_the_winner_changes(rows: list, which: int) -> None:
    P = Performances.from_counts(rows)
    a, b = [(0.5, 0.5), (0.25, 0.75), (0.75, 0.75), (0.9, 0.1), (0.1, 0.9), (0.375, 0.625), (0.6, 0.4)][which]
    importance = (1 - a, 1 - b, b, a)
    found = regions.flips(P, by=importance)
    first = regions.first(P)
    for flip in found.flips:
        assert set(flip.names) <= set(first.at(flip.a, flip.b)) | {
            n for d in (-1e-9, 1e-9) for n in first.at(flip.a, min(max(flip.b + d, 0), 1))
        } | {n for d in (-1e-9, 1e-9) for n in first.at(min(max(flip.a + d, 0), 1), flip.b)}
    low, high = found.along_b
    for inside in np.linspace(low, high, 5)[1:-1]:
        assert found.first & set(first.at(a, float(inside)))
    if 1 < found.factor < np.inf:
        for factor in (1 / found.factor**0.99, found.factor**0.99):
            x, y = (p * factor / (1 - p + p * factor) for p in (a, b))
            assert found.first & set(first.at(x, y))


@given(ROWS, st.integers(1, 7), st.booleans(), PLACE)
def test_on_the_sides_of_the_tile_regions_name_who_is_defined_there(
    rows: list, rank: int, last: bool, x: Fraction
) -> None:
    rank = min(rank, len(rows))
    P = Performances.from_counts(rows)
    found = regions.first(P, rank, last)
    for a, b in ((Fraction(0), x), (Fraction(1), x), (x, Fraction(0)), (x, Fraction(1))):
        defined = [row for row in rows if sum(sides(row, a, b))]
        values = sorted((value(row, a, b) for row in defined), reverse=not last)
        names = zip(P.names, rows, strict=True)
        expected = (
            {n for n, row in names if row in defined and value(row, a, b) == values[rank - 1]}
            if len(values) >= rank
            else set()
        )
        assert set(found.at(a, b)) == expected


LARGE = st.integers(0, 10**9) | st.integers(0, 3) | st.integers(10**9 - 3, 10**9)


@example([(999999998, 1000000000, 2, 2), (2, 999999999, 0, 2)])
@example(
    [
        (9999999999, 1, 9999999999, 1),
        (9999999999, 9999999999, 10000000000, 2),
        (10000000000, 9999999999, 1, 0),
    ]
)
@given(st.lists(st.tuples(LARGE, LARGE, LARGE, LARGE).filter(any), min_size=2, max_size=4))
def test_areas_of_large_counts_sum_to_one(rows: list) -> None:
    P = Performances.from_counts(rows)
    assert sum(region.area for region in regions.first(P)) == pytest.approx(1, abs=1e-12)
    if regions.border(P[0], P[1]).kind != "tile":
        assert regions.area_of_win(P[0], P[1]) + regions.area_of_win(P[1], P[0]) == pytest.approx(1, abs=1e-12)


@example([(1, 0, 1, 0), (2, 2, 5, 3), (2, 3, 0, 3)], Fraction(0), Fraction(1, 6), Random(0))
@given(ROWS, PLACE, PLACE, st.randoms(use_true_random=False))
def test_flips_are_exact_and_do_not_depend_on_the_order_of_rows(
    rows: list, a: Fraction, b: Fraction, random: object
) -> None:
    defined = [row for row in rows if sum(sides(row, a, b))]
    assume(defined and sum((1 - a, 1 - b, b, a)) > 0)
    P = Performances.from_counts(rows)
    found = regions.flips(P, by=(1 - a, 1 - b, b, a))
    shuffled = list(range(len(rows)))
    random.shuffle(shuffled)
    other = regions.flips(P[np.array(shuffled)], by=(1 - a, 1 - b, b, a))
    for key in ("first", "along_a", "along_b", "factor"):
        assert getattr(found, key) == getattr(other, key)
    places = [{(f.direction, f.a, f.b, frozenset(f.names)) for f in f.flips} for f in (found, other)]
    assert places[0] == places[1]
    first = {
        name
        for name, row in zip(P.names, rows, strict=True)
        if row in defined and value(row, a, b) == max(value(r, a, b) for r in defined)
    }
    assert found.first == first

    def stays(x: Fraction, y: Fraction) -> bool:
        """All who are first stay first at a place inside the Tile."""
        values = [value(row, x, y) if sum(sides(row, x, y)) else None for row in rows]
        top = max(v for v in values if v is not None)
        return all(values[P.names.index(name)] in (top, None) for name in first)

    if 0 < a < 1 and 0 < b < 1 and found.factor < np.inf:
        for factor in (found.factor * (1 - 1e-9), found.factor * (1 + 1e-9)):
            box = [[x / f / (1 - x + x / f) for f in (Fraction(factor), 1 / Fraction(factor))] for x in (a, b)]
            inside = factor < found.factor
            assert all(stays(x, y) for x in box[0] for y in box[1]) == (
                inside and (found.factor > 1 or len(first) == 1)
            )
    step = Fraction(1, 10**7)
    beyond = {"fewer false": (0, -1), "more false": (0, 1), "fewer correct": (-1, 0), "more correct": (1, 0)}
    for flip in found.flips:
        ways = [way for start, way in beyond.items() if flip.direction.startswith(start)]
        for dx, dy in ways:  # who is alone first just beyond; no two borders of such counts are nearer than that
            x = Fraction(flip.a) + dx * step if dx else a
            y = Fraction(flip.b) + dy * step if dy else b
            values = {name: value(row, x, y) for name, row in zip(P.names, rows, strict=True) if sum(sides(row, x, y))}
            assert set(flip.names) == {name for name, v in values.items() if v == max(values.values())}
    low, high = found.along_b
    exact = [Fraction(k, 40) for k in range(1, 40)]
    for y in exact:
        if float(y) != low and float(y) != high:
            assert stays(a, y) == (low < y < high)
    low, high = found.along_a
    for x in exact:
        if float(x) != low and float(x) != high:
            assert stays(x, b) == (low < x < high)


def test_columns_to_look_at_never_run_out() -> None:
    """Who is first changes exactly in the columns at which an interval is looked into first."""
    cuts = sorted(_between(Fraction(0), Fraction(1), split) for split in SPLITS)
    rows = [(Fraction(100), Fraction(1))]
    for cut in cuts:  # (1 - a)·tn + a·tp of one and the next are equal there, and errors are those of all
        tn, tp = rows[-1]
        rows.append((tn - 1, tp + (1 - cut) / cut))
    scale = lcm(*(tp.denominator for _, tp in rows))
    P = Performances.from_exact([[int(x * scale) for x in (tn, 1, 1, tp)] for tn, tp in rows])
    of_each = regions.first(P).areas
    ends = [Fraction(0), *cuts, Fraction(1)]
    for name, (start, end) in zip(P.names, pairwise(ends), strict=True):
        assert of_each[name] == pytest.approx(float(end - start), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_regions_of_very_rare_outcomes_hold_everywhere_inside(seed: int) -> None:
    """Floats that differ by many powers of ten decide nothing: places inside each piece have the rank there."""
    rng = np.random.default_rng(seed)
    P = Performances.from_probabilities(rng.dirichlet([0.05] * 4, 8))
    rank, last = int(rng.integers(1, 9)), bool(rng.integers(2))
    for region in regions.first(P, rank, last):
        for piece in region.pieces:
            for share in (Fraction(1, 2), Fraction(1, 1000), Fraction(999, 1000)):
                a = piece.start + (piece.end - piece.start) * share
                low = Fraction(0) if piece.low is None else piece.low.exact_b(a)
                high = Fraction(1) if piece.high is None else piece.high.exact_b(a)
                assert low is not None
                assert high is not None
                assert low <= high
                assert {*region.rows} & {*rows_at(P.integers, a, (low + high) / 2, rank, last)}

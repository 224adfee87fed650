"""Extremes of maps: rank correlations against all cells of the Tile with 60 digits, the others against fine grids."""

from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import mpmath
import numpy as np
import pytest

import rankscape as rs
from rankscape import tile
from rankscape.geometry.cells import Arrangement

NEAR = mpmath.mpf(10) ** -30
HALF = Fraction(1, 2)


def sign(x) -> int:  # type: ignore[no-untyped-def]
    return 0 if abs(x) < NEAR else 1 if x > 0 else -1


def distinct(numbers: list) -> list:
    """Return what lies in [0, 1], sorted, what differs by rounding only once; and the middle between neighbors."""
    out: list = []
    for x in sorted(x for x in numbers if -NEAR <= x <= 1 + NEAR):
        if not out or x - out[-1] > NEAR:
            out.append(min(max(x, mpmath.mpf(0)), mpmath.mpf(1)))
    return sorted(out + [(low + high) / 2 for low, high in pairwise(out)])


def roots(c0: int, c1: int, c2: int) -> list:
    if c2 == 0:
        return [mpmath.mpf(-c0) / c1] if c1 else []
    square = c1 * c1 - 4 * c0 * c2
    return [] if square < 0 else [(-c1 + s * mpmath.sqrt(square)) / (2 * c2) for s in (-1, 1)]


def border(first: list, second: list) -> tuple:
    """Return h at b = 0 and at b = 1, as coefficients of 1 and a."""
    ends = []
    for error in (1, 2):
        at0, at1 = (first[k] * second[error] - second[k] * first[error] for k in (0, 3))
        ends.append((at0, at1 - at0))
    return tuple(ends)


def places(rows: list) -> list:
    """Return a place in every cell, and on every border, and every point where borders or sides meet."""
    lines = [border(p, q) for p, q in combinations(rows, 2)]
    columns = [mpmath.mpf(0), mpmath.mpf(1)]
    for ends in lines:
        columns += [root for c0, c1 in ends for root in roots(c0, c1, 0)]
    for ((a0, a1), (b0, b1)), ((c0, c1), (d0, d1)) in combinations(lines, 2):
        columns += roots(a0 * d0 - c0 * b0, a0 * d1 + a1 * d0 - c0 * b1 - c1 * b0, a1 * d1 - c1 * b1)
    out = []
    for a in distinct(columns):
        ends = [[c0 + c1 * a for c0, c1 in both] for both in lines]
        meets = [below / (below - above) for below, above in ends if abs(below - above) > NEAR]
        out += [(a, b) for b in distinct([*meets, mpmath.mpf(0), mpmath.mpf(1)])]
    return out


def correlation(rows: list, x: list, a, b, spearman: bool) -> float | None:  # type: ignore[no-untyped-def]
    """Return τ-b or ρ of x with R at a place; None against a constant."""
    sides = [((1 - a) * tn + a * tp, (1 - b) * fp + b * fn) for tn, fp, fn, tp in rows]
    kept = [k for k, (s, u) in enumerate(sides) if s + u > NEAR and x[k] is not None]
    signs = {
        (i, j): (sign(x[i] - x[j]), sign(sides[i][0] * sides[j][1] - sides[j][0] * sides[i][1]))
        for i in kept
        for j in kept
    }
    if spearman:
        ranks = [[sum(signs[i, j][k] for j in kept) for i in kept] for k in (0, 1)]
        top = sum(p * q for p, q in zip(*ranks, strict=True))
        bottom = sum(p * p for p in ranks[0]) * sum(q * q for q in ranks[1])
    else:
        top = sum(p * q for p, q in signs.values())
        bottom = sum(p * p for p, _ in signs.values()) * sum(q * q for _, q in signs.values())
    return top / bottom**0.5 if bottom else None


@pytest.mark.parametrize("statistic", ["kendall", "spearman"])
@pytest.mark.parametrize("seed", range(25))
def test_no_place_of_the_tile_is_more_extreme(seed: int, statistic: str) -> None:
    random = Random(seed)
    n, largest = random.choice([(3, 4), (4, 3), (4, 9), (5, 30)])
    rows = [[random.randint(0, largest) for _ in range(4)] for _ in range(n)]
    rows = [row if any(row) else [1, 0, 0, 1] for row in rows]
    x = [random.choice([0, 1, 2, 3]) for _ in rows]
    x = [None if n > 3 and random.random() < 0.1 else value for value in x]
    values = np.array([np.nan if value is None else value for value in x], dtype=float)
    with mpmath.workdps(60):
        everywhere = [correlation(rows, x, a, b, statistic == "spearman") for a, b in places(rows)]
    reached = [value for value in everywhere if value is not None]
    tile_map = tile.correlation(lambda P: values, rs.Performances.from_counts(rows), statistic=statistic, resolution=7)
    if not reached:
        with pytest.raises(rs.UsageError, match="undefined everywhere"):
            tile_map.extreme()
        return
    extremes = tile_map.extreme()
    for extreme, expected in ((extremes.largest, max(reached)), (extremes.smallest, min(reached))):
        assert extreme.how == "exact"
        assert extreme.value == pytest.approx(expected, abs=1e-12)
        if extreme.exact_place is not None:
            a, b = extreme.exact_place
            assert correlation(rows, x, a, b, statistic == "spearman") == pytest.approx(extreme.value, abs=1e-12)
            assert (extreme.a, extreme.b) == (float(a), float(b))
    on_the_grid = tile_map.values[~np.isnan(tile_map.values)]
    assert ((extremes.smallest.value <= on_the_grid) & (on_the_grid <= extremes.largest.value)).all()


def test_a_single_point_is_found() -> None:
    """Accuracy ties the first two; R ties them at one point of the diagonal through (½, ½), and alike all around."""
    P = rs.Performances.from_counts([[8, 2, 1, 4], [6, 1, 2, 6], [7, 0, 3, 5], [5, 3, 4, 3], [2, 1, 9, 3]])
    largest = tile.correlation("accuracy", P, resolution=4).extreme().largest
    assert (largest.value, largest.how) == (1, "exact")
    a, b = largest.exact_place
    assert rs.rank(P, by=rs.at(a, b)).ranks.tolist() == rs.rank(P, by="accuracy").ranks.tolist()


def test_an_irrational_point_can_be_the_only_one() -> None:
    """Two pairs tie in X; their borders cross at an irrational point, and only there R ties both."""
    random = Random(7)
    for _ in range(400):
        rows = [[random.randint(1, 9) for _ in range(4)] for _ in range(4)]
        x = np.array([0.0, 0.0, 1.0, 1.0])
        extremes = tile.correlation(lambda P, x=x: x, rs.Performances.from_counts(rows), resolution=3).extreme()
        largest = extremes.largest
        if largest.exact_place is None:
            break
    else:
        pytest.fail("none found")
    assert (largest.on, largest.how) == ("point", "exact")
    with mpmath.workdps(60):
        reached = [(correlation(rows, x.tolist(), a, b, False), a, b) for a, b in places(rows)]
    value, a, b = max(((t, a, b) for t, a, b in reached if t is not None), key=lambda one: one[0])
    assert largest.value == pytest.approx(value, abs=1e-12)
    assert (largest.a, largest.b) == pytest.approx((float(a), float(b)), abs=1e-12)


def test_the_place_of_the_score_itself_is_looked_at() -> None:
    for by, place in (("f1", (1, HALF)), ("f0.5", (1, Fraction(1, 5))), ("accuracy", (HALF, HALF))):
        tile_map = tile.correlation(by, rs.distributions.Uniform(), n=400, resolution=4, rng=0)
        assert tile_map.values.max() < 1
        extremes = tile_map.extreme()
        assert (extremes.largest.value, extremes.largest.how, extremes.largest.exact_place) == (1, "exact", place)
        assert extremes.smallest.how == "refined"
        assert extremes.smallest.value <= tile_map.values.min()
    Q = rs.distributions.FixedPredictionRates(0.25).draw(300, rng=2)
    largest = tile.correlation("markedness", Q, resolution=4).extreme().largest
    assert (largest.value, largest.how) == (1, "exact")
    assert (largest.a, largest.b) == pytest.approx((0.75, 0.25), abs=1e-9)
    smallest = tile.correlation("error rate", Q, resolution=4).extreme()
    assert smallest.smallest.value == -1 or smallest.largest.value == 1


RNG = np.random.default_rng(5)
P = rs.Performances.from_counts(RNG.integers(1, 40, (7, 4)), names=list("abcdefg"))
FINE = 401


@pytest.mark.parametrize("name", ["value", "best", "worst", "difference", "margin", "regret", "ranking", "pearson"])
def test_other_maps_are_refined(name: str) -> None:
    make = {
        "value": lambda n: tile.value(P, "c", n), "best": lambda n: tile.best(P, n), "worst": lambda n: tile.worst(P, n),
        "difference": lambda n: tile.difference(P, "b", "e", n), "margin": lambda n: tile.margin(P, n),
        "regret": lambda n: tile.regret(P, "d", n), "ranking": lambda n: tile.ranking(P, "c", n),
        "pearson": lambda n: tile.correlation("mcc", P, statistic="pearson", resolution=n),
    }[name]  # fmt: skip
    fine, coarse = make(FINE), make(21)
    extremes = coarse.extreme()
    assert {extremes.largest.how, extremes.smallest.how} <= {"exact", "refined"}
    assert extremes.largest.value >= coarse.values.max() - 1e-15
    assert extremes.smallest.value <= coarse.values.min() + 1e-15
    assert extremes.largest.value == pytest.approx(fine.values.max(), abs=2e-3)
    assert extremes.smallest.value == pytest.approx(fine.values.min(), abs=2e-3)
    source = make(2).source
    again = source.compute(source.performances.integers, FINE)  # what refines is what the map shows
    np.testing.assert_allclose(again, fine.values, atol=1e-13)


def test_maps_without_a_source_have_the_best_point_of_the_grid() -> None:
    tile_map = tile.no_skill(0.2, resolution=5)
    extremes = tile_map.extreme()
    assert (extremes.largest.how, extremes.smallest.how) == ("grid", "grid")
    assert extremes.largest.value == tile_map.values.max()
    assert tile_map.at(extremes.smallest.a, extremes.smallest.b) == extremes.smallest.value


def test_a_plateau_is_entered_in_its_middle() -> None:
    tile_map = rs.TileMap("ranking", "", "", np.where(np.add.outer(np.arange(9), np.arange(9)) > 3, 1.0, 2.0))
    assert tile_map.extreme().smallest.exact_place == (Fraction(5, 8), Fraction(5, 8))


def test_a_peak_on_an_edge_is_found() -> None:
    for i, j in ((0, 3), (8, 3), (3, 0), (3, 8)):
        values = np.zeros((9, 9))
        values[i, j] = 1.0
        assert rs.TileMap("ranking", "", "", values).extreme().largest.exact_place == (Fraction(j, 8), Fraction(i, 8))


def test_what_has_no_extremes_is_refused() -> None:
    with pytest.raises(rs.UsageError, match="a map of names has no largest and smallest value"):
        tile.entity(P, resolution=3).extreme()
    with pytest.raises(rs.UsageError, match="undefined everywhere"):
        tile.correlation("prior", rs.Performances.from_counts([[6, 2, 1, 1], [7, 1, 1, 1]]), resolution=3).extreme()


def test_the_table_has_two_rows() -> None:
    table = tile.correlation("mcc", P, resolution=5).extreme().table()
    assert table.columns == ["extreme", "value", "a", "b", "how", "on"]
    assert table["extreme"] == ["largest", "smallest"]


def test_equal_borders_are_counted_once() -> None:
    rows = np.array([[4, 1, 2, 3], [3, 2, 1, 4], [8, 2, 4, 6], [6, 4, 2, 8]])
    assert len(Arrangement(rows[:2])) == len(Arrangement(rows)) == 1


@pytest.mark.parametrize("counts", [[[9, 1, 4, 6]], [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]])
def test_fewer_than_two_have_no_correlation(counts: list[list[int]]) -> None:
    """A correlation that is undefined everywhere has no extremes, in a sentence."""
    with pytest.raises(rs.UsageError, match="undefined everywhere"):
        rs.tile.correlation("f1", counts, resolution=5).extreme()

"""The optimal trade-off, against enumeration in fractions."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import rankdata

import rankscape as rs
from rankscape import Performances
from rankscape.kernels import crossings, reference

SMALL = st.integers(0, 6)
ROW = st.tuples(SMALL, SMALL, SMALL, SMALL).filter(any)
ROWS = st.lists(ROW, min_size=1, max_size=9)
LARGE = st.integers(0, 2**40)
LARGE_ROWS = st.lists(st.tuples(LARGE, LARGE, LARGE, LARGE).filter(any), min_size=2, max_size=6)
BETAS = [Fraction(k, 7) for k in range(40)]
ENDS = [("ppv", "tpr"), ("tpr", "ppv"), ("tnr", "npv"), ("npv", "tpr"), ("tnr", "ppv"), (rs.at(0.25, 0), rs.at(0.25, 1)),
        (rs.at(0.125, 0.75), rs.at(0.875, 0.75)), ("f0.5", "f2"), (rs.at(1, 0.25), rs.at(1, 1))]  # fmt: skip


def value(row: tuple, a: Fraction, b: Fraction) -> Fraction | None:
    tn, fp, fn, tp = row
    s, u = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
    return s / (s + u) if s + u else None


def order(rows: list, a: Fraction, b: Fraction) -> dict[tuple[int, int], int]:
    """Sign of the first minus the second, for each pair; where one is undefined at a side of the Tile, its limit."""
    values = [value(row, a, b) for row in rows]
    return {(i, j): (values[i] > values[j]) - (values[i] < values[j]) for i, j in combinations(range(len(rows)), 2)}


def swaps_by_fractions(rows: list) -> list[Fraction]:
    """(11) over all pairs that precision and recall order strictly differently, tp = 0 never swapping."""
    found = []
    for (_, fp1, fn1, tp1), (_, fp2, fn2, tp2) in combinations(rows, 2):
        top, bottom = tp1 * fp2 - tp2 * fp1, tp1 * fn2 - tp2 * fn1
        if tp1 and tp2 and top * bottom < 0:
            found.append(-Fraction(top, bottom))
    return sorted(found)


@given(ROWS | LARGE_ROWS, st.booleans())
def test_swaps_are_those_of_the_formula(rows: list, in_numpy: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if in_numpy:
            patch.setattr(crossings, "backend", reference)
        t = rs.tradeoff(Performances.from_counts(rows))
        expected = swaps_by_fractions(rows)
        assert t.n_discordant == len(expected)
        assert t.swaps.tolist() == [float(x) for x in expected]
        assert [x for x, size in t.exact_swaps for _ in range(size)] == expected
        assert t.n_rankings == len(set(expected)) + 1
        assert t.n == sum(tuple(row[1:]) != (0, 0, 0) for row in rows)
        if expected:
            assert t.median_beta == sqrt(np.median([float(x) for x in expected]))
            if t.median_is_optimal:
                assert t.beta == pytest.approx(t.median_beta, rel=1e-15)
            assert t.first_and_last_swap == (sqrt(expected[0]), sqrt(expected[-1]))
        else:
            assert isnan(t.beta)
            assert t.optimal_set == (0, inf)


@given(st.lists(ROW, min_size=3, max_size=9))
def test_the_optimum_minimizes_the_frechet_variance_over_all_swaps_and_intervals(rows: list) -> None:
    t = rs.tradeoff(Performances.from_counts(rows))
    expected = swaps_by_fractions(rows)
    assume(expected)
    distinct = sorted(set(expected))
    marks = [Fraction(0), *distinct, distinct[-1] + 1]
    places = [*distinct, *((low + high) / 2 for low, high in pairwise(marks))]

    def variance(x: Fraction) -> Fraction:
        passed = sum(y < x for y in expected) + Fraction(sum(y == x for y in expected), 2)
        return passed**2 + (len(expected) - passed) ** 2

    least = min(map(variance, places))
    best = [x for x in places if variance(x) == least]
    low, high = t.exact_optimal_set
    closed = t.optimal_set_closed
    for x in places:
        inside = low < x < high or (x == low and closed[0]) or (x == high and closed[1])
        assert inside == (x in best)


@given(ROWS, st.sampled_from(BETAS))
def test_distances_are_counts_of_pairs_and_the_way_is_a_shortest_one(rows: list, beta: Fraction) -> None:
    t = rs.tradeoff(Performances.from_counts(rows))
    odds = beta**2
    kept = [row for row in rows if any(row[1:])]
    assume(len(kept) > 1)
    b = odds / (1 + odds)
    near = Fraction(1, 10**6)
    here = order(kept, Fraction(1), b) if 0 < b < 1 else order(kept, Fraction(1), near)
    first, second = order(kept, Fraction(1), near), order(kept, Fraction(1), 1 - near)
    # near an end no swap is left, and pairs tied at the end, which count as agreement, are ordered as everywhere
    exact = {x for x, _ in t.exact_swaps}
    assume(all(near / (1 - near) < x < (1 - near) / near for x in exact))
    passed = sum(Fraction(abs(here[pair] - first[pair]), 2) for pair in here)
    rest = sum(Fraction(abs(here[pair] - second[pair]), 2) for pair in here)
    assert passed + rest == t.n_discordant
    assert t.swaps_passed(beta) == (passed if beta else 0)
    assert sum(t.tau(beta)) == pytest.approx(1 + t.tau_ends, abs=1e-15)
    assert sum(t.shares(beta)) == pytest.approx(1, abs=1e-15)
    if t.n_discordant:
        agree, optimal, _ = t.shares(beta)
        assert t.optimality(beta) == pytest.approx(optimal / (1 - agree), abs=1e-12)  # (16)


@given(st.lists(ROW, min_size=2, max_size=7), st.floats(0, inf))
def test_a_float_meets_the_swaps_within_its_rounding(rows: list, beta: float) -> None:
    t = rs.tradeoff(Performances.from_counts(rows))
    expected = swaps_by_fractions(rows)
    if not any(sqrt(x) == beta for x in expected):
        exact = None if beta == inf else Fraction(beta) ** 2
        assert t.swaps_passed(beta) == sum(exact is None or x < exact for x in expected)
    for x in expected:
        here = t.swaps_passed(sqrt(x))
        assert here == sum(y < x for y in expected) + Fraction(expected.count(x), 2)


@given(ROWS, st.sampled_from(ENDS))
def test_any_two_ends_on_a_line_have_the_same_theorem(rows: list, ends: tuple) -> None:
    t = rs.tradeoff(Performances.from_counts(rows), ends=ends)
    segment = t.segment
    near = Fraction(1, 10**6)
    low, high = segment.low + near * (segment.low == 0), segment.high - near * (segment.high == 1)
    (a0, b0), (a1, b1) = (segment.place(x / (1 - x)) for x in (low, high))
    middle = segment.place(
        Fraction(1) if segment.low < Fraction(1, 2) < segment.high else (low + high) / (2 - low - high)
    )
    kept = [row for row in rows if value(row, *middle) is not None]
    assert t.n == len(kept)
    first, second = order(kept, a0, b0), order(kept, a1, b1)
    discordant = {pair for pair in first if first[pair] * second[pair] < 0}
    assert t.n_discordant == len(discordant)
    swaps = [x for x, size in t.exact_swaps for _ in range(size)]
    for x in set(swaps):
        place = order(kept, *segment.place(x))
        assert sum(place[pair] == 0 for pair in discordant) == swaps.count(x)


@given(ROWS, st.sampled_from([("ppv", "tpr"), ("npv", "tpr"), ("f0.5", "f2")]), st.fractions(0, 1, max_denominator=9))
def test_exchanging_the_ends_mirrors_the_answer(rows: list, ends: tuple, q: Fraction) -> None:
    P = Performances.from_counts(rows)
    t, back = rs.tradeoff(P, ends=ends), rs.tradeoff(P, ends=ends[::-1])
    assert t.swaps.tolist() == back.swaps.tolist()
    assert (t.optimal_set, t.optimal_set_closed) == (back.optimal_set, back.optimal_set_closed)
    assert t.quantile(q) == back.quantile(1 - q)
    for end in (0, 1):
        ends_of_way = t.tau(t.quantile(end))
        assert ends_of_way[end] == 1 or t.n < 2
    inside = sqrt(float(((t.segment.low + t.segment.high) / 2) / (1 - (t.segment.low + t.segment.high) / 2)))
    assert t.tau(inside) == pytest.approx(back.tau(inside)[::-1], nan_ok=True)
    if t.n > 1:
        assert t.path().rankings.tolist() == back.path().rankings.tolist()


@given(st.integers(2, 40), st.integers(2, 40), st.data())
def test_at_equal_priors_there_is_a_way_from_tnr_to_tpr(negatives: int, positives: int, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.tuples(st.integers(0, negatives), st.integers(0, positives)), min_size=2, max_size=8))
    P = Performances.from_counts([(negatives - fp, fp, positives - tp, tp) for fp, tp in cells])
    t = rs.tradeoff(P, ends=("tnr", "tpr"))
    expected = []
    for (fp1, tp1), (fp2, tp2) in combinations(cells, 2):
        if (fp1 - fp2) * (tp1 - tp2) > 0:
            expected.append(Fraction(fp1 - fp2, tp1 - tp2))
    assert t.swaps.tolist() == [float(x) for x in sorted(expected)]
    back = rs.tradeoff(P.swap_truth_and_prediction(), ends=("npv", "ppv"))  # the same, truth and prediction exchanged
    assert back.swaps.tolist() == t.swaps.tolist()


@given(ROWS, st.sampled_from(["min", "average"]))
def test_the_path_has_the_rankings_of_f_beta(rows: list, ties: str) -> None:
    P = Performances.from_counts(rows)
    t = rs.tradeoff(P)
    assume(t.n > 1)
    path = t.path()
    assert len(path) == t.n_rankings
    swaps = [Fraction(0), *(x for x, _ in t.exact_swaps), Fraction(10**6)]
    kept = P[[row for row in range(len(P)) if P.names[row] in t.names]]
    for ranking, low, high in zip(path.rankings, swaps, swaps[1:], strict=False):
        odds = (low + high) / 2
        expected = rs.rank(kept, by=(0, 1, odds, 1 + odds), ties=ties)
        found = ranking if ties == "min" else rankdata(ranking)
        assert found.tolist() == expected.ranks.tolist()


@given(st.integers(0, 10**6), st.sampled_from(["random", "prior", "lattice", "collinear", "few"]), st.booleans())
def test_selection_is_enumeration(seed: int, kind: str, in_numpy: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(50, 120))
    if kind == "random":
        rows = rng.integers(0, 1000, (n, 4)) + 1
    elif kind == "prior":
        tp, fp = rng.integers(1, 31, n), rng.integers(0, 31, n)
        rows = np.stack([30 - fp, fp, 30 - tp, tp], axis=-1)
    elif kind == "lattice":
        x, y = np.meshgrid(np.arange(9), np.arange(1, 9))
        rows = np.stack([8 - x.ravel(), x.ravel(), 8 - y.ravel(), y.ravel()], axis=-1)
    elif kind == "collinear":  # in (fp/tp, fn/tp): all swaps coincide
        x = rng.integers(0, 40, n)
        rows = np.stack([np.ones(n, dtype=int), x, 40 - x, np.full(n, 7)], axis=-1)
    else:
        rows = rng.integers(0, 3, (n, 4)) + np.array([0, 0, 0, 1])
    with pytest.MonkeyPatch.context() as patch:
        if in_numpy:
            patch.setattr(crossings, "backend", reference)
        for name, number in (("SAMPLE", 40), ("CANDIDATES", 300), ("FEW", 8)):
            patch.setattr(crossings, name, number)
        t = rs.tradeoff(Performances.from_counts(rows))
        t.crossings._limit = 5
        expected = swaps_by_fractions(rows.tolist())
        assert t.n_discordant == len(expected)
        for k in (
            {1, len(expected) // 3, (len(expected) + 1) // 2, len(expected) // 2 + 1, len(expected)} if expected else ()
        ):
            found = t.crossings.kth(max(k, 1))
            assert found.place == expected[max(k, 1) - 1]
            assert found.before == sum(x < found.place for x in expected)
            assert found.upto == sum(x <= found.place for x in expected)

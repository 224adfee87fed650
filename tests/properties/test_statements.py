"""A small program for each statement of docs/theory/proofs.rst: it looks for a counterexample, by brute force and in fractions.

They do not call rankscape, but for the few that say so. The page docs/theory/statements.rst shows them.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, floor, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import rankscape as rs

Row = tuple[int, ...]

TINY = [row for row in product(range(2), repeat=4) if any(row)]
SMALL = [row for row in product(range(3), repeat=4) if any(row)]
INNER = [Fraction(k, 8) for k in range(1, 8)]


@pytest.fixture(params=[1, pytest.param(40, marks=pytest.mark.nightly)], ids=["brief", "long"])
def times(request: pytest.FixtureRequest) -> int:
    """How many times as long to look for a counterexample."""
    return int(request.param)


def random_rows(rng: Random, n: int, most: int = 9) -> list[Row]:
    """Rows tn, fp, fn, tp with zeros and ties, each sometimes right and sometimes wrong."""
    rows: set[Row] = set()
    while len(rows) < n:
        tn, fp, fn, tp = (max(rng.randint(-1, most), 0) for _ in range(4))
        if tn + tp and fp + fn:
            rows.add((tn, fp, fn, tp))
    return sorted(rows, key=lambda _: rng.random())


def S(row: Row, a: Fraction) -> Fraction:
    return (1 - a) * row[0] + a * row[3]


def U(row: Row, b: Fraction) -> Fraction:
    return (1 - b) * row[1] + b * row[2]


def R(row: Row, a: Fraction, b: Fraction) -> Fraction | None:
    whole = S(row, a) + U(row, b)
    return S(row, a) / whole if whole else None


def h(first: Row, second: Row, a: Fraction, b: Fraction) -> Fraction:
    return S(first, a) * U(second, b) - S(second, a) * U(first, b)


def sign(x: Fraction | float) -> int:
    return (x > 0) - (x < 0)


def corners(first: Row, second: Row) -> dict[tuple[int, int], int]:
    return {(a, b): first[3 * a] * second[1 + b] - second[3 * a] * first[1 + b] for a, b in product((0, 1), repeat=2)}


def in_one_run(flags: list[bool]) -> bool:
    return sum(now and not before for before, now in pairwise([False, *flags])) <= 1


# ---- two performances


def test_the_difference_of_two_scores_has_the_sign_of_h(times: int) -> None:
    rng = Random(times)
    pairs = [*combinations(TINY, 2), *((rng.choice(SMALL), rng.choice(SMALL)) for _ in range(50 * times))]
    for first, second in pairs:
        c = corners(first, second)
        for a, b in product([Fraction(0), Fraction(1, 3), Fraction(1)], repeat=2):
            value, x, y = h(first, second, a, b), R(first, a, b), R(second, a, b)
            assert sign(value) == (0 if x is None or y is None else sign(x - y))
            assert value == sum((a if i else 1 - a) * (b if j else 1 - b) * c[i, j] for i, j in c)


def is_one_piece(c: dict[tuple[int, int], int]) -> bool:
    """Whether a bilinear function with these corner values vanishes inside the Tile as Theorem 1 says."""
    below = [(1 - a) * c[0, 0] + a * c[1, 0] for a in INNER]
    above = [(1 - a) * c[0, 1] + a * c[1, 1] for a in INNER]
    ties = [A == B == 0 for A, B in zip(below, above, strict=True)]
    zeros = [A / (A - B) if A * B < 0 else None for A, B in zip(below, above, strict=True)]
    there = [zero for zero in zeros if zero is not None]
    if all(ties):
        return not any(c.values())
    steps = {sign(right - left) for left, right in pairwise(there)}
    near = [Fraction(1, 1000), Fraction(1, 2), Fraction(999, 1000)]  # the corners show both signs, or none does
    signs = {sign((1 - b) * A + b * B) for A, B in zip(below, above, strict=True) for b in near}
    for a, b in product(near, repeat=2):
        signs.add(sign(sum((a if i else 1 - a) * (b if j else 1 - b) * c[i, j] for i, j in c)))
    mixed = min(c.values()) < 0 < max(c.values())
    return (
        (signs >= {-1, 1} if mixed else len(signs) == 1)  # empty if and only if no two corners have opposite signs
        and sum(ties) + bool(there) <= 1  # a vertical segment, or something else
        and in_one_run([zero is not None for zero in zeros])
        and len(steps) <= 1  # it rises, falls, or is horizontal,
        and (0 not in steps or len(there) == len(INNER))  # and then from side to side
    )


def test_a_border_is_one_monotone_piece(times: int) -> None:
    rng = Random(times)
    pairs = [*product(TINY, repeat=2), *((rng.choice(SMALL), rng.choice(SMALL)) for _ in range(400 * times))]
    assert all(is_one_piece(corners(first, second)) for first, second in pairs)
    assert not is_one_piece({(0, 0): 1, (0, 1): -3, (1, 0): -3, (1, 1): 1})  # not of performances


def test_four_corners_decide_dominance(times: int) -> None:
    rng, places = Random(times), list(product([Fraction(k, 4) for k in (0, 1, 3, 4)], repeat=2))
    pairs = [*product(TINY, repeat=2), *((rng.choice(SMALL), rng.choice(SMALL)) for _ in range(100 * times))]
    for first, second in pairs:
        known = [(R(first, a, b), R(second, a, b), 0 < a < 1 and 0 < b < 1, {a, b} <= {0, 1}) for a, b in places]
        both = [(x - y, inside, corner) for x, y, inside, corner in known if x is not None and y is not None]
        at_corners = all(difference >= 0 for difference, _, corner in both if corner)
        assert at_corners == all(difference >= 0 for difference, _, _ in both)
        if at_corners:
            assert len({sign(difference) for difference, inside, _ in both if inside}) == 1


def test_areas_are_integrals() -> None:
    rng, (nodes, weights) = Random(2), np.polynomial.legendre.leggauss(80)
    tried = {"general": 0, "r = 1": 0, "D = 0": 0}
    while min(tried.values()) < 20 or tried["general"] < 200:
        first, second = random_rows(rng, 2, rng.choice((3, 30)))
        c = corners(first, second)
        roots = [Fraction(c[0, j], c[0, j] - c[1, j]) for j in (0, 1) if c[0, j] * c[1, j] < 0]
        ends = sorted({Fraction(0), Fraction(1), *roots})

        def A(a: Fraction, c: dict = c) -> Fraction:
            return (1 - a) * c[0, 0] + a * c[1, 0]

        def B(a: Fraction, c: dict = c) -> Fraction:
            return (1 - a) * c[0, 1] + a * c[1, 1]

        for s, e in pairwise(ends):
            inner = [s + (e - s) * t for t in INNER]
            if A(inner[3]) * B(inner[3]) >= 0:
                continue
            if A(s) == B(s) or A(e) == B(e):
                assert (s, e) == (0, 1)
                assert len({A(a) / (A(a) - B(a)) for a in inner}) == 1
                tried["D = 0"] += 1
                continue
            r = (A(e) - B(e)) / (A(s) - B(s))
            assert r > 0
            x = float(r) - 1
            if 0 < abs(x) < 0.001 or not 0.01 < r < 100:
                continue  # rounding, or too steep for the rule
            L = log(r) / x if x else 1.0
            M = (1 - L) / x if x else 0.5
            a = [float(s) + float(e - s) * (1 + node) / 2 for node in nodes]
            mean = sum(w * float(A(x)) / float(A(x) - B(x)) for w, x in zip(weights, a, strict=True)) / 2
            assert (float(A(s)) * (L - M) + float(A(e)) * M) / float(A(s) - B(s)) == pytest.approx(mean, abs=1e-9)
            tried["general" if x else "r = 1"] += 1


# ---- many


def lines_at(rows: list[Row], a: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The odds against each at both ends of a column."""
    return [(Fraction(row[1]) / S(row, a), Fraction(row[2]) / S(row, a)) for row in rows]


def places_of(lines: list[tuple[Fraction, Fraction]], k: int, rank: int) -> list[tuple[Fraction, Fraction]]:
    """The open intervals of b in which line k is the only one that is r-th."""
    cuts = {Fraction(0), Fraction(1)}
    for low, high in lines:
        d0, d1 = low - lines[k][0], high - lines[k][1]
        if d0 * d1 < 0:
            cuts.add(d0 / (d0 - d1))
    intervals = []
    for low, high in pairwise(sorted(cuts)):
        b = (low + high) / 2
        y = [(1 - b) * start + b * end for start, end in lines]
        if y.count(y[k]) == 1 and sum(other < y[k] for other in y) == rank - 1:
            intervals.append((low, high))
    return intervals


def is_first(lines: list[tuple[Fraction, Fraction]], k: int) -> bool:
    """Whether line k is nowhere above the others at some b, 0 and 1 included."""
    ends = [(low - lines[k][0], high - lines[k][1]) for low, high in lines]
    meets = [start / (start - end) for start, end in ends if start * end < 0]
    return any(all((1 - b) * start + b * end >= 0 for start, end in ends) for b in (Fraction(0), Fraction(1), *meets))


def test_first_and_last_regions_are_connected(times: int) -> None:
    rng, columns, apart = Random(times + 4), [Fraction(k, 14) for k in range(1, 14)], 0
    for _ in range(20 * times):
        rows = random_rows(rng, 4, rng.choice((2, 9)))
        at = [lines_at(rows, a) for a in columns]
        for other in (rows, [(fp, tn, tp, fn) for tn, fp, fn, tp in rows]):  # as they are, and with all answers changed
            of_each = at if other is rows else [lines_at(other, a) for a in columns]
            assert all(in_one_run([is_first(lines, k) for lines in of_each]) for k in range(4))
        for k, rank in product(range(4), (1, 2, 4)):
            places = [places_of(lines, k, rank) for lines in at]
            run = in_one_run([bool(there) for there in places])
            whole = all(x[1] == y[0] for there in places for x, y in pairwise(there))
            apart += rank == 2 and not (run and whole)
            assert rank == 2 or (run and whole)
    assert apart > 0  # the second place need not be connected


def test_the_hull_is_who_can_be_first(times: int) -> None:
    rng = Random(times)
    for _ in range(15 * times):
        points = {(rng.randint(0, 8), rng.randint(0, 8)) for _ in range(6)}
        slopes = sorted({Fraction(y - w, x - v) for (x, y), (v, w) in product(points, points) if x > v and y > w})
        slopes = [Fraction(1, 100), *map(sum_half, pairwise([Fraction(0), *slopes, Fraction(100)]))]
        on_hull = set()
        for slope in slopes:  # the only largest y - slope*x
            best = sorted(points, key=lambda point: point[1] - slope * point[0])[-2:]
            if len(best) == 1 or best[0][1] - slope * best[0][0] < best[1][1] - slope * best[1][0]:
                on_hull.add(best[-1])
        for negatives, positives in ((1, 1), (1, 5)):
            rows = {(x, y): (negatives * (8 - x), negatives * x, positives * (8 - y), positives * y) for x, y in points}
            first = set()
            for a, b in product(INNER, repeat=2):
                values = {point: R(row, a, b) for point, row in rows.items()}
                best_value = max(value for value in values.values() if value is not None)
                there = [point for point, value in values.items() if value == best_value]
                first |= {there[0]} if len(there) == 1 else set()
                along = [values[point] or 0 for point in sorted(on_hull)]
                steps = [sign(after - before) for before, after in pairwise(along)]
                assert steps == sorted(steps, reverse=True)  # the score rises, then falls
            assert first <= on_hull
            for slope in slopes:  # each is first on the diagonal, where a*positives/((1 - a)*negatives) is 1/slope
                a = 1 / (1 + slope * positives / negatives)
                values = {point: R(row, a, a) for point, row in rows.items()}
                best = [point for point, value in values.items() if value == max(values.values())]
                first |= {best[0]} if len(best) == 1 else set()
            assert first == on_hull


def sum_half(pair: tuple[Fraction, Fraction]) -> Fraction:
    return sum(pair, Fraction(0)) / 2


def test_first_places_are_held_on_one_interval_of_priors(times: int) -> None:
    rng, apart = Random(times + 1), 0
    for _ in range(25 * times):
        rows = [(8 - x, x, 8 - y, y) for x, y in ((rng.randint(0, 8), rng.randint(0, 8)) for _ in range(5))]
        a, b = Fraction(rng.randint(0, 8), 8), Fraction(rng.randint(0, 8), 8)
        better: list[list[int]] = []
        tied: list[list[int]] = []
        for odds in (Fraction(2) ** k for k in range(-9, 10)):
            shifted = [(row[0], row[1], row[2] * odds, row[3] * odds) for row in rows]
            leads = [[sign(h(row, other, a, b)) for other in shifted] for row in shifted]
            better.append([row.count(-1) for row in leads])
            tied.append([row.count(0) for row in leads])
        for i in range(5):
            assert in_one_run([x[i] == 0 and y[i] == 1 for x, y in zip(better, tied, strict=True)])  # first alone
            assert in_one_run([n_better[i] == 0 for n_better in better])
            apart += not in_one_run([n_better[i] == 1 for n_better in better])
    assert apart > 0  # the second place may be lost and won again


def determinant(rows: list[Row], a: Fraction) -> Fraction:
    (x, p, q), (y, r, s), (z, t, u) = ((S(row, a), row[1], row[2]) for row in rows)
    return x * (r * u - s * t) - p * (y * u - s * z) + q * (y * t - r * z)


def test_three_tie_in_one_rational_column(times: int) -> None:
    rng = Random(times)
    for _ in range(200 * times):
        k, other, j = random_rows(rng, 3)
        ends = [determinant([k, other, j], a) for a in (Fraction(0), Fraction(1))]
        for a in INNER:
            assert determinant([k, other, j], a) == (1 - a) * ends[0] + a * ends[1]
            A, B = h(k, other, a, Fraction(0)), h(k, other, a, Fraction(1))
            if A * B < 0:
                b = A / (A - B)
                y = U(k, b) / S(k, a)
                assert y == U(other, b) / S(other, a)
                assert (1 - b) * determinant([k, other, j], a) == -B * (U(j, b) - y * S(j, a))


def level(rows: list[Row], a: Fraction, rank: int) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """Who is r-th in a column, b from 0 to 1, and at each meeting who was r-th below it and whose lines meet it."""
    lines = lines_at(rows, a)

    def at(b: Fraction) -> list[Fraction]:
        return [(1 - b) * low + b * high for low, high in lines]

    cuts = {Fraction(0), Fraction(1)}
    for (low, high), (low2, high2) in combinations(lines, 2):
        if (low - low2) * (high - high2) < 0:
            cuts.add((low - low2) / ((low - low2) - (high - high2)))
    ordered = sorted(cuts)
    who = [sorted(range(len(rows)), key=at((x + z) / 2).__getitem__)[rank - 1] for x, z in pairwise(ordered)]
    groups, meetings = [who[0]], []
    for b, (below, above) in zip(ordered[1:-1], pairwise(who), strict=True):
        y = at(b)
        if tied := [j for j in range(len(rows)) if j != below and y[j] == y[below]]:
            meetings.append((below, tied))
            groups.append(above)
    return groups, meetings


def test_who_is_rth_changes_only_at_events(times: int) -> None:
    rng = Random(times)
    for _ in range(30 * times):
        rows, rank = random_rows(rng, 5), rng.randint(1, 5)
        if len({tuple(Fraction(x, sum(row)) for x in row) for row in rows}) < 5:
            continue  # groups
        middle = Fraction(rng.randint(1, 996), 997)
        groups, meetings = level(rows, middle, rank)
        functions = [(groups[0], None, j, 0) for j in range(5)] + [(groups[-1], None, j, 1) for j in range(5)]
        functions += [(k, other, j, 0) for k, tied in meetings for other in tied for j in range(5)]
        roots = []
        for k, other, j, b in functions:
            ends = [
                h(rows[k], rows[j], a, Fraction(b))
                if other is None
                else determinant([rows[k], rows[other], rows[j]], a)
                for a in (Fraction(0), Fraction(1))
            ]
            if ends[0] != ends[1]:
                roots.append(ends[0] / (ends[0] - ends[1]))
        start = max([Fraction(0), *(root for root in roots if root < middle)])
        end = min([Fraction(1), *(root for root in roots if root > middle)])
        if middle in roots:
            continue
        for k in (1, 20, 50, 80, 99):
            again, others = level(rows, start + (end - start) * Fraction(k, 100), rank)
            assert again == groups
            assert [(at, set(tied)) for at, tied in others] == [(at, set(tied)) for at, tied in meetings]


# ---- precision and recall


def swaps_of(lines: list[tuple[Fraction, Fraction]]) -> list[Fraction]:
    differences = ((x - v, y - w) for (x, y), (v, w) in combinations(lines, 2))
    return sorted(-dx / dy for dx, dy in differences if dx * dy < 0)


def test_the_optimum_minimizes_the_variance(times: int) -> None:
    rng, misses = Random(times), 0
    given = [[(0, 4, 6), (0, 6, 6), (2, 3, 6), (4, 0, 6)]]  # three swaps coincide: the example of the page
    for counts in given + [
        [(rng.randint(0, 6), rng.randint(0, 6), rng.randint(4, 6)) for _ in range(5)] for _ in range(60 * times)
    ]:
        lines = [(Fraction(fp, tp), Fraction(fn, tp)) for fp, fn, tp in counts]
        swaps, n_pairs = swaps_of(lines), len(lines) * (len(lines) - 1) // 2
        if not swaps:
            continue
        distinct, K = sorted(set(swaps)), len(swaps)
        places = [*distinct, *map(sum_half, pairwise(distinct)), distinct[0] / 2, distinct[-1] + 1]
        median = (swaps[(K - 1) // 2] + swaps[K // 2]) / 2
        both = {}
        for t in [*places, median]:
            far = [Fraction(0), Fraction(0)]  # pairs that F_beta orders unlike precision, unlike recall
            for (x, y), (v, w) in combinations(lines, 2):
                at = sign(x - v + t * (y - w))
                for end, other in enumerate((sign(x - v), sign(y - w))):
                    if sign(x - v) * sign(y - w) < 0:
                        far[end] += Fraction(abs(at - other), 2)
                    else:
                        assert at in (sign(x - v), sign(y - w))  # agrees with whichever decides
            N = sum(swap < t for swap in swaps) + Fraction(swaps.count(t), 2)
            assert far == [N, K - N]
            both[t] = (far[0] ** 2 + far[1] ** 2) / n_pairs**2, abs(2 * N - K)
        least = min(variance for variance, _ in both.values())
        nearest = min(distance for _, distance in both.values())
        assert [variance == least for variance, _ in both.values()] == [x == nearest for _, x in both.values()]
        if len(distinct) == K:
            assert both[median][0] == least
        misses += both[median][0] > least
        if counts in given:
            assert swaps == [Fraction(2, 3)] * 3 + [1, 2]
            assert (both[median][1], nearest) == (2, 1)
    assert misses > 1


def test_selection_finds_the_kth_swap(times: int) -> None:
    rng = Random(times)
    for _ in range(4 * times):
        lines = sorted((Fraction(rng.randint(0, 7)), Fraction(rng.randint(0, 7))) for _ in range(12))  # just after 0
        swaps = swaps_of(lines)

        def inverted(t: Fraction | None, after: bool, lines: list = lines) -> set[tuple[int, int]]:
            """The pairs inverted in the order before, or after, a place (None: infinity)."""
            key = [(y, x) if t is None else (x + t * y, y if after else -y) for x, y in lines]
            return {(i, j) for i, j in combinations(range(len(lines)), 2) if key[i] > key[j]}

        for t in {*swaps, Fraction(1, 3)}:
            assert len(inverted(t, after=False)) == sum(swap < t for swap in swaps)
            assert len(inverted(t, after=True)) == sum(swap <= t for swap in swaps)
        for k in range(1, len(swaps) + 1, 5):
            low, high, rounds = Fraction(0), None, 0
            while True:
                between = sorted(inverted(high, after=False) - inverted(low, after=True))
                places = sorted(-(lines[i][0] - lines[j][0]) / (lines[i][1] - lines[j][1]) for i, j in between)
                assert places == [swap for swap in swaps if low < swap and (high is None or swap < high)]
                before = len(inverted(low, after=True))
                assert before < k <= before + len(between)
                if len(between) <= 3:
                    answer = places[k - before - 1]
                    break
                drawn, p, m = sorted(rng.choice(places) for _ in range(9)), Fraction(k - before, len(between)), 9
                ranks = {int(m * p) - 2, int(m * p) + 2} & set(range(m)) or {m // 2}
                answer = None
                for pivot in (drawn[rank] for rank in sorted(ranks)):
                    if pivot <= low or (high is not None and pivot >= high):
                        continue
                    if len(inverted(pivot, after=True)) < k:
                        low = pivot
                    elif len(inverted(pivot, after=False)) >= k:
                        high = pivot
                    else:
                        answer = pivot
                rounds += 1
                assert rounds <= len(swaps)
                if answer is not None:
                    break
            assert answer == swaps[k - 1]


def ranks_of(m: int, p: float) -> tuple[int, int]:
    """The ranks between which the k-th is sought in m draws: 0 and m + 1 where there is no such rank."""
    margin = 3.5 * sqrt(m * p * (1 - p)) + 2
    return max(floor(m * p - margin), 0), min(ceil(m * p + margin), m + 1)


def test_a_round_of_the_selection_leaves_few(times: int) -> None:
    rng, rounds, among = np.random.default_rng(times), 400 * times, 10**6
    assert all(ranks_of(m, j / 60) != (0, m + 1) for m in range(26, 200) for j in range(61))
    assert ranks_of(16, 0.5) == (0, 17)
    for m, k in product((30, 400), (1, 1000, among // 2, among - 200, among)):
        low, high = ranks_of(m, k / among)
        drawn = np.ceil(among * np.sort(rng.random((rounds, m)), axis=1))
        drawn = np.hstack([np.zeros((rounds, 1)), drawn, np.full((rounds, 1), among + 1)])
        start, end = drawn[:, low], drawn[:, high]
        left = end - start - 1
        assert (start > k).mean() <= 1 / 3.5**2
        assert (end < k).mean() <= 1 / 3.5**2
        assert left.mean() <= (7 * sqrt(m * k / among * (1 - k / among)) + 6) * among / m
        few = (12 * sqrt(m) + 20) * among / m
        assert ((start <= k) & (k <= end) & (left <= few)).mean() > 1 / 2


# ---- closed forms


def discordant(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """1 - tau of two scores over random pairs, and its standard error."""
    half = len(first) // 2
    share = float(np.mean((first[:half] - first[half:]) * (second[:half] - second[half:]) < 0))
    return 2 * share, 2 * (share * (1 - share) / half) ** 0.5


def test_closed_forms_on_the_first_two_families(times: int) -> None:
    fp, fn, tp = np.random.default_rng(times).exponential(size=(3, 200_000 * times))
    nodes, weights = np.polynomial.legendre.leggauss(60)
    t = (1 + nodes) / 2
    for k in (0.1, 0.5, 3.0, 20.0):
        J = ((k - 1) * (2 * k * k + 5 * k - 1) - 6 * k * k * log(k)) / (6 * (k - 1) ** 4)
        integral = float(weights @ (t * (1 - t) ** 2 / (1 - t + k * t))) / 2
        assert pytest.approx(integral, abs=1e-12) == J
        for other, expected in ((fn, 4 * J), (fp, 2 / 3 - 4 * J)):  # recall, precision
            share, error = discordant((fp + k * fn) / tp, other / tp)
            assert share == pytest.approx(expected, abs=5 * error)


def oracle(p: float, ell: float) -> float:
    """1 - tau(F; Re) on the fifth family."""
    q = 1 - p
    if ell >= p * p / q:
        inside = (ell**2 * (1 - p**2) - 2 * ell * p**3 - p**4) * log(1 + p / ell)
        return (p**2 * (1 + 3 * p**2) / 2 - ell * p * (1 - p**2) + inside) / (p * q) ** 2
    rho = (3 * p**3 - p**2 + 6 * ell * p**2 - 2 * ell * p - 4 * ell**2 * q) / (2 * p**2 * (p - 1))
    return 1 - rho + (p**4 + 2 * ell * p**3 - ell**2 * (1 - p**2)) * log(p) / (p * q) ** 2


def test_closed_forms_on_the_fifth_family(times: int) -> None:
    uniform = np.random.default_rng(times).random((2, 200_000 * times))
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for p in (0.1, 0.3, 0.6, 0.9):
        q = 1 - p
        x, y = p * uniform[0], p + q * uniform[1]
        for ell in (0.02, 0.9 * p * p / q, p * p / q, 1.5 * p * p / q, 2.0):
            end = min(1 / p, 1 + p / ell)
            r = 1 + (end - 1) * (1 + nodes) / 2
            integral = (
                float(weights @ ((1 - p * p * r * r) * (1 - ell / p * (r - 1)) ** 2 / r**3)) * (end - 1) / 2 / q**2
            )
            assert oracle(p, ell) == pytest.approx(integral, abs=1e-7)
            share, error = discordant((ell + x) / y, -y)
            assert share == pytest.approx(oracle(p, ell), abs=5 * error)
        assert oracle(p, 0.0) == pytest.approx((1 - p * p + 2 * p * p * log(p)) / (2 * q * q))


def test_closed_forms_of_the_accuracy(times: int) -> None:
    rng = np.random.default_rng(times)
    tnr, tpr = rng.random((2, 200_000 * times))
    for c in (0.2, 1.0, 3.0):
        tau = 1 - 2 * c / 3 + c * c / 6 if c <= 1 else 2 / (3 * c) - 1 / (6 * c * c)
        for rate, expected in ((tpr, tau), (tnr, 1 - tau)):
            share, error = discordant(tpr + c * tnr, rate)
            assert 1 - share == pytest.approx(expected, abs=5 * error)
    tn, fp, fn, tp = rng.exponential(size=(4, 200_000 * times))
    accuracy = (tn + tp) / (tn + fp + fn + tp)
    for corner in (tn / (tn + fp), tn / (tn + fn), tp / (tp + fp), tp / (tp + fn)):
        share, error = discordant(accuracy, corner)
        assert 1 - share == pytest.approx(7 / 15, abs=5 * error)


# ---- published numbers


RATES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "tpr": lambda tn, fp, fn, tp: (tp, tp + fn),
    "ppv": lambda tn, fp, fn, tp: (tp, tp + fp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "accuracy": lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp),
    "f1": lambda tn, fp, fn, tp: (2 * tp, 2 * tp + fp + fn),
    "ba": lambda tn, fp, fn, tp: (tp * (tn + fp) + tn * (fn + tp), 2 * (tn + fp) * (fn + tp)),
    "kappa": lambda tn, fp, fn, tp: (2 * (tn * tp - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
    "plr": lambda tn, fp, fn, tp: (tp * (tn + fp), fp * (fn + tp)),
    "nlr": lambda tn, fp, fn, tp: (fn * (tn + fp), tn * (fn + tp)),
    "or": lambda tn, fp, fn, tp: (tn * tp, fp * fn),
    "gmean": lambda tn, fp, fn, tp: (tn * tp, (tn + fp) * (fn + tp)),  # its square
    "mcc": lambda tn, fp, fn, tp: (  # its square, with its sign
        (tn * tp - fp * fn) * abs(tn * tp - fp * fn), (tn + fp) * (fn + tp) * (tp + fp) * (tn + fn)
    ),
}  # fmt: skip


def tables(negatives: int, positives: int) -> Iterator[Row]:
    for fp, tp in product(range(negatives + 1), range(positives + 1)):
        yield negatives - fp, fp, positives - tp, tp


def value_of(name: str, row: Row) -> Fraction | None:
    top, bottom = RATES[name](*row)
    return Fraction(top, bottom) if bottom else None


@pytest.mark.parametrize("name", RATES)
def test_counts_that_round_to_a_rate_are_an_interval(name: str, times: int) -> None:
    rng = Random(times)
    for negatives, positives in product((1, 2, 5, 6), repeat=2):
        known = {(row[1], row[3]): value_of(name, row) for row in tables(negatives, positives)}
        there = sorted(value for value in known.values() if value is not None)
        for _ in range(3 * times):
            low, high = sorted(rng.choices(there, k=2))
            inside = {place: value is not None and low <= value <= high for place, value in known.items()}
            for x in range(negatives + 1):
                assert in_one_run([inside[x, y] for y in range(positives + 1)])
            for y in range(positives + 1):
                assert in_one_run([inside[x, y] for x in range(negatives + 1)])
        if name == "mcc":  # strictly monotone
            for (x, y), value in known.items():
                for step, direction in (((x, y + 1), 1), ((x + 1, y), -1)):
                    if value is not None and (other := known.get(step)) is not None:
                        assert sign(other - value) == direction


def test_reconstruction_is_enumeration(times: int) -> None:
    """rankscape.reconstruct against all tables."""
    rng = Random(times)
    squared = {"mcc", "gmean"}
    for _ in range(25 * times):
        negatives, positives = rng.choice((1, 4, 8, 9, 12)), rng.choice((1, 4, 8, 11, 12))
        known = list(tables(negatives, positives))
        here, decimals = rng.choice(known), rng.randint(1, 2)
        printed = {}
        for name in rng.sample(list(RATES), 2):
            if (value := value_of(name, here)) is not None:
                printed[name] = f"{sign(value) * sqrt(abs(value)) if name in squared else float(value):.{decimals}f}"

        def fits(row: Row, printed: dict = printed, half: Fraction = Fraction(1, 2 * 10**decimals)) -> bool:
            for name, text in printed.items():
                value, ends = value_of(name, row), (Fraction(text) - half, Fraction(text) + half)
                low, high = (end * abs(end) for end in ends) if name in squared else ends
                if value is None or not low <= value <= high:
                    return False
            return True

        if printed:
            listed = rs.reconstruct(printed, n_positive=positives, n_negative=negatives)
            assert listed.counts is not None
            assert sorted(map(tuple, listed.counts.tolist())) == sorted(filter(fits, known))


# ---- bins


def test_thresholds_inside_bins_are_bounded(times: int) -> None:
    rng = Random(times)
    for _ in range(60 * times):
        cases = [(rng.randint(0, 1), rng.randint(0, 11)) for _ in range(rng.randint(4, 12))]
        total = [sum(truth == c for truth, _ in cases) for c in (0, 1)]

        def above(threshold: int, cases: list = cases) -> list[int]:
            return [sum(truth == c and score >= threshold for truth, score in cases) for c in (0, 1)]

        for threshold in range(13):
            low = threshold - threshold % 4
            (fp0, tp0), (fp, tp), (fp1, tp1) = above(low + 4), above(threshold), above(low)
            assert fp0 <= fp <= fp1
            assert tp0 <= tp <= tp1
            best = (total[0] - fp0, fp0, total[1] - tp1, tp1)
            for a, b in product([Fraction(0), Fraction(1, 3), Fraction(1)], repeat=2):
                value, bound = R((total[0] - fp, fp, total[1] - tp, tp), a, b), R(best, a, b)
                assert value is None or value <= (0 if bound is None else bound)


def test_the_conditions_of_the_bound_for_bins_are_needed() -> None:
    def score(x: Fraction, y: Fraction) -> Fraction:  # the lines through (2, 1/5)
        return min((y - Fraction(1, 5)) / (2 - x), Fraction(2, 5))

    grid = [(Fraction(i, 6), Fraction(j, 6)) for i, j in product(range(7), repeat=2)]
    values = {point: score(*point) for point in grid}
    assert max(values.values()) == score(Fraction(0), Fraction(1))
    assert min(values.values()) == score(Fraction(1), Fraction(0))
    for (x, y), (v, w) in combinations(grid, 2):
        between = score((x + 2 * v) / 3, (y + 2 * w) / 3)
        assert min(values[x, y], values[v, w]) <= between <= max(values[x, y], values[v, w])
    assert score(Fraction(3, 10), Fraction(52, 100)) < score(Fraction(1, 2), Fraction(1, 2))
    # A bin holds, from the top, two positives and two negatives; there are no other positives, and four negatives.
    at_its_edges = [value_of("plr", row) for row in ((4, 0, 2, 0), (2, 2, 0, 2))]
    assert at_its_edges == [None, 2]
    assert value_of("plr", (4, 0, 0, 2)) is None  # at the corner, both positives and no negative, it is infinite
    assert value_of("plr", (3, 1, 0, 2)) == 4  # inside


# ---- the gate, and domains


def test_corners_decide_a_box(times: int) -> None:
    rng = Random(times)

    def between(low: Fraction, high: Fraction, n: int) -> list[Fraction]:
        return [low + (high - low) * Fraction(k, n) for k in range(n + 1)]

    for _ in range(80 * times):
        rates = [(Fraction(rng.randint(0, 6), 6), Fraction(rng.randint(0, 6), 6)) for _ in range(2)]
        (a0, a1), (b0, b1) = (sorted(Fraction(rng.randint(0, 5), 5) for _ in range(2)) for _ in range(2))
        t0, t1 = sorted(Fraction(2) ** rng.randint(-4, 4) for _ in range(2))

        def of(a: Fraction, b: Fraction, t: Fraction, rates: list = rates) -> Fraction:
            first, second = ((tnr, 1 - tnr, t * (1 - tpr), t * tpr) for tnr, tpr in rates)
            return h(first, second, a, b)

        at_corners = all(of(a, b, t) >= 0 for a, b, t in product((a0, a1), (b0, b1), (t0, t1)))
        inside = product(between(a0, a1, 3), between(b0, b1, 3), between(t0, t1, 5))
        assert at_corners == all(of(a, b, t) >= 0 for a, b, t in inside)


def test_the_pass_rule_keeps_both_errors(times: int) -> None:
    """Two corners; estimates of their differences are normal, and the draws around them too: exactly calibrated."""
    rng, alpha, worlds = np.random.default_rng(times), 0.1, 2000
    root = np.linalg.cholesky([[1.0, -0.9], [-0.9, 1.0]])  # where one looks better, the other one looks worse
    draws = rng.standard_normal((500, 2)) @ root.T
    for truth in ((-0.001, 9.0), (-0.001, -0.001), (0.0, 0.0), (0.0, 9.0)):
        drawn = np.array(truth) + rng.standard_normal((worlds, 1, 2)) @ root.T + draws
        everywhere = (drawn >= 0).all(axis=2).mean(axis=1)
        better, worse = (drawn >= 0).mean(axis=1).max(axis=1), (drawn < 0).mean(axis=1).max(axis=1)  # at some corner
        wrong = everywhere >= 1 - alpha if min(truth) < 0 else worse >= 1 - alpha / 2
        close = 4 * (alpha * (1 - alpha) / worlds) ** 0.5 + 0.01  # the draws are finitely many
        assert wrong.mean() <= alpha + close
        if truth == (0.0, 0.0):  # it takes the division of alpha,
            assert (worse >= 1 - alpha).mean() > alpha + close
        if max(truth) < 0:  # and all corners
            assert (better >= 1 - alpha).mean() > alpha + close


def test_weights_of_domains(times: int) -> None:
    rng = Random(times)
    for _ in range(100 * times):
        rows, shares = [rng.choice(SMALL) for _ in range(3)], [Fraction(rng.randint(0, 3)) for _ in range(3)]
        a, b = Fraction(rng.randint(0, 3), 3), Fraction(rng.randint(0, 3), 3)
        parts = [[share * Fraction(x, sum(row)) for x in row] for share, row in zip(shares, rows, strict=True)]
        average = tuple(sum(column, Fraction(0)) for column in zip(*parts, strict=True))
        due = [S(part, a) + U(part, b) for part in parts]
        if sum(due):
            known = [(w, R(row, a, b)) for w, row in zip(due, rows, strict=True) if w]
            assert R(average, a, b) == sum(w * value for w, value in known) / sum(due)


# ---- averages without true negatives


def test_averages_without_true_negatives(times: int) -> None:
    rng = Random(times)

    def value(measure: Any, importance: Any) -> Fraction | None:
        due = sum(weight * x for weight, x in zip(importance, measure, strict=True))
        return importance[2] * measure[2] / due if due else None

    def added(domains: Any, factors: Any) -> Any:
        return [sum(f * Fraction(m[k]) for f, m in zip(factors, domains, strict=True)) for k in range(3)]

    for _ in range(100 * times):
        things, shares = [rng.randint(1, 5) for _ in range(3)], [Fraction(rng.randint(1, 4)) for _ in range(3)]
        empty = rng.random() < 0.5  # then counts are pooled
        things[0] = 0 if empty else things[0]
        factors = [Fraction(1)] * 3 if empty else [share / n for share, n in zip(shares, things, strict=True)]
        found = [[rng.randint(0, n) for n in things] for _ in range(2)]
        one, two = ([(rng.randint(0, 4), n - tp, tp) for n, tp in zip(things, row, strict=True)] for row in found)
        importance = [Fraction(rng.randint(0, 3)) for _ in range(3)]
        worse = [(fp + rng.randint(0, 20), fn, tp) for fp, fn, tp in one]
        before, after = (value(added(each, factors), importance) for each in (one, worse))
        assert after is None or before is None or after <= before  # (2)
        recall = value(added(worse, factors), [0, 1, 1])
        weights = [Fraction(n) for n in things] if empty else shares
        assert recall == sum(w * Fraction(m[2], max(n, 1)) for w, m, n in zip(weights, one, things, strict=True)) / sum(
            weights
        )
        k = Fraction(rng.randint(1, 3), 4)  # (3): one of the two, at random
        mixed = [[k * x + (1 - k) * y for x, y in zip(m, n, strict=True)] for m, n in zip(one, two, strict=True)]
        ends = [value(added(each, factors), importance) for each in (one, two)]
        if None not in ends:
            assert min(ends) <= value(added(mixed, factors), importance) <= max(ends)  # type: ignore[type-var, operator]

    honest, junk = [(0, 0, 1), (1, 1, 0)], [(0, 0, 1), (9, 1, 0)]  # divided by their own sums, junk wins by recall
    by_sums = [value(added(each, [Fraction(1, sum(m)) for m in each]), [0, 1, 1]) for each in (honest, junk)]
    assert by_sums == [Fraction(2, 3), Fraction(10, 11)]


# ---- the page that shows these programs


def test_every_statement_is_shown_and_linked() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs" / "theory"
    here = re.findall(r"^def (test_\w+)", Path(__file__).read_text("utf-8"), re.MULTILINE)[:-1]
    shown = re.findall(r":pyobject: (test_\w+)", (docs / "statements.rst").read_text("utf-8"))
    linked = re.findall(r":ref:`(test_\w+)`", (docs / "proofs.rst").read_text("utf-8"))
    assert shown == here
    assert set(linked) == set(here)

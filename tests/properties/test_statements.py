"""A small program for each statement of docs/theory/proofs.rst: it looks for a counterexample, by brute force and in fractions.

They do not call rankscape, but for the few that say so. The page docs/theory/statements.rst shows them.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest

import rankscape as rs

Row = tuple[int, ...]
Check = Callable[..., None]

SMALL = [row for row in product(range(3), repeat=4) if any(row)]
INNER = [Fraction(k, 12) for k in range(1, 12)]


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
    return {
        (a, b): first[3 * a] * second[1 + b] - second[3 * a] * first[1 + b] for a, b in product((0, 1), repeat=2)
    }


def in_one_run(flags: list[bool]) -> bool:
    return sum(now and not before for before, now in pairwise([False, *flags])) <= 1


# ---- two performances


def test_the_difference_of_two_scores_has_the_sign_of_h() -> None:
    rng = Random(1)
    for _ in range(400):
        first, second = rng.choice(SMALL), rng.choice(SMALL)
        c = corners(first, second)
        for a, b in product([Fraction(k, 4) for k in range(5)], repeat=2):
            value, x, y = h(first, second, a, b), R(first, a, b), R(second, a, b)
            assert sign(value) == (0 if x is None or y is None else sign(x - y))
            assert value == sum((a if i else 1 - a) * (b if j else 1 - b) * c[i, j] for i, j in c)


def test_a_border_is_one_monotone_piece() -> None:
    for first, second in combinations(SMALL, 2):
        c = corners(first, second)
        assert not (c[0, 0] * c[0, 1] < 0 and c[0, 0] * c[1, 0] < 0 and c[0, 0] * c[1, 1] > 0)
        below = [(1 - a) * c[0, 0] + a * c[1, 0] for a in INNER]
        above = [(1 - a) * c[0, 1] + a * c[1, 1] for a in INNER]
        zeros = [A / (A - B) if A * B < 0 else None for A, B in zip(below, above, strict=True)]
        ties = [A == B == 0 for A, B in zip(below, above, strict=True)]
        assert all(ties) == (not any(c.values()))
        if any(ties) and not all(ties):
            assert sum(ties) == 1  # a vertical segment,
            assert not any(zeros)  # and nothing beside it
        assert in_one_run([zero is not None for zero in zeros])
        there = [zero for zero in zeros if zero is not None]
        steps = {sign(right - left) for left, right in pairwise(there)}
        assert len(steps) <= 1  # rises, falls, or is horizontal
        if 0 in steps:
            assert len(there) == len(INNER)
        if there or (any(ties) and not all(ties)):
            assert min(c.values()) < 0 < max(c.values())
        elif not all(ties) and min(c.values()) < 0 < max(c.values()):  # it runs between the columns that were tried
            assert len({sign(A + B) for A, B in zip(below, above, strict=True)}) > 1 or c[0, 0] * c[1, 1] <= 0


def test_four_corners_decide_dominance() -> None:
    places = list(product([Fraction(k, 4) for k in range(5)], repeat=2))
    for first, second in combinations(SMALL[::2], 2):
        known = [(R(first, a, b), R(second, a, b), 0 < a < 1 and 0 < b < 1, {a, b} <= {0, 1}) for a, b in places]
        both = [(x - y, inside, corner) for x, y, inside, corner in known if x is not None and y is not None]
        at_corners = all(difference >= 0 for difference, _, corner in both if corner)
        assert at_corners == all(difference >= 0 for difference, _, _ in both)
        if at_corners:
            assert len({sign(difference) for difference, inside, _ in both if inside}) == 1


def test_areas_are_integrals() -> None:
    rng, (nodes, weights) = Random(2), np.polynomial.legendre.leggauss(80)
    tried = 0
    while tried < 200:
        first, second = random_rows(rng, 2, 30)
        c = corners(first, second)
        roots = [Fraction(c[0, j], c[0, j] - c[1, j]) for j in (0, 1) if c[0, j] * c[1, j] < 0]
        ends = sorted({Fraction(0), Fraction(1), *roots})
        A, B = (lambda a, j=j: (1 - a) * c[0, j] + a * c[1, j] for j in (0, 1))
        for s, e in pairwise(ends):
            if A((s + e) / 2) * B((s + e) / 2) >= 0 or A(s) == B(s) or A(e) == B(e):
                continue
            r = (A(e) - B(e)) / (A(s) - B(s))
            assert r > 0
            x = float(r) - 1
            if abs(x) < 0.05 or not 0.01 < r < 100:
                continue  # rounding, or too steep for the rule
            L = log(r) / x
            M = (1 - L) / x
            a = [float(s) + float(e - s) * (1 + node) / 2 for node in nodes]
            mean = sum(w * float(A(x)) / float(A(x) - B(x)) for w, x in zip(weights, a, strict=True)) / 2
            assert (float(A(s)) * (L - M) + float(A(e)) * M) / float(A(s) - B(s)) == pytest.approx(mean, abs=1e-9)
            tried += 1


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
    found = []
    for low, high in pairwise(sorted(cuts)):
        b = (low + high) / 2
        y = [(1 - b) * start + b * end for start, end in lines]
        if y.count(y[k]) == 1 and sum(other < y[k] for other in y) == rank - 1:
            found.append((low, high))
    return found


def test_first_and_last_regions_are_connected() -> None:
    rng, columns = Random(3), [Fraction(k, 24) for k in range(1, 24)]
    apart = 0
    for _ in range(60):
        rows = random_rows(rng, 5)
        for k, rank in product(range(5), (1, 2, 5)):
            places = [places_of(lines_at(rows, a), k, rank) for a in columns]
            if rank == 2:
                apart += not in_one_run([bool(there) for there in places])
                continue
            assert in_one_run([bool(there) for there in places])
            for here, there in zip(places, places, strict=True):
                assert len(here) <= 1 or all(x[1] == y[0] for x, y in pairwise(there))
    assert apart > 0  # the second place is not connected


def test_the_hull_is_who_can_be_first() -> None:
    rng = Random(4)
    for _ in range(60):
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
            assert first <= on_hull
            for slope in slopes:  # each is first on the diagonal, where a*positives/((1 - a)*negatives) is 1/slope
                a = 1 / (1 + slope * positives / negatives)
                values = {point: R(row, a, a) for point, row in rows.items()}
                best = [point for point, value in values.items() if value == max(values.values())]
                first |= {best[0]} if len(best) == 1 else set()
            assert first == on_hull


def sum_half(pair: tuple[Fraction, Fraction]) -> Fraction:
    return sum(pair, Fraction(0)) / 2


def test_first_places_are_held_on_one_interval_of_priors() -> None:
    rng = Random(5)
    for _ in range(150):
        rows = [(8 - x, x, 8 - y, y) for x, y in ((rng.randint(0, 8), rng.randint(0, 8)) for _ in range(5))]
        a, b = Fraction(rng.randint(0, 4), 4), Fraction(rng.randint(0, 4), 4)
        for i in range(5):
            first = []
            for odds in (Fraction(2) ** k for k in range(-9, 10)):
                shifted = [(row[0], row[1], row[2] * odds, row[3] * odds) for row in rows]
                first.append(all(h(shifted[i], other, a, b) >= 0 for other in shifted))
            assert in_one_run(first)


def determinant(rows: list[Row], a: Fraction) -> Fraction:
    (x, p, q), (y, r, s), (z, t, u) = ((S(row, a), row[1], row[2]) for row in rows)
    return x * (r * u - s * t) - p * (y * u - s * z) + q * (y * t - r * z)


def test_three_tie_in_one_rational_column() -> None:
    rng = Random(6)
    for _ in range(300):
        k, l, j = random_rows(rng, 3)
        ends = [determinant([k, l, j], a) for a in (Fraction(0), Fraction(1))]
        for a in INNER:
            assert determinant([k, l, j], a) == (1 - a) * ends[0] + a * ends[1]
            A, B = h(k, l, a, Fraction(0)), h(k, l, a, Fraction(1))
            if A * B < 0:
                b = A / (A - B)
                y = U(k, b) / S(k, a)
                assert y == U(l, b) / S(l, a)
                assert (1 - b) * determinant([k, l, j], a) == -B * (U(j, b) - y * S(j, a))


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
    for b, below, above in zip(ordered[1:-1], who, who[1:], strict=True):
        y = at(b)
        if tied := [j for j in range(len(rows)) if j != below and y[j] == y[below]]:
            meetings.append((below, tied))
            groups.append(above)
    return groups, meetings


def test_who_is_rth_changes_only_at_events() -> None:
    rng = Random(7)
    for _ in range(60):
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
                h(rows[k], rows[j], a, Fraction(b)) if other is None else determinant([rows[k], rows[other], rows[j]], a)
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


def test_the_optimum_minimizes_the_variance() -> None:
    rng, misses = Random(8), 0
    given = [[(0, 4, 6), (0, 6, 6), (2, 3, 6), (4, 0, 6)]]  # three swaps coincide: the example of the page
    for counts in given + [[(rng.randint(0, 6), rng.randint(0, 6), rng.randint(1, 6)) for _ in range(6)] for _ in range(200)]:
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
        assert {t for t in both if both[t][0] == least} == {t for t in both if both[t][1] == min(x for _, x in both.values())}
        if len(distinct) == K:
            assert both[median][0] == least
        misses += both[median][0] > least
        if counts in given:
            assert swaps == [Fraction(2, 3)] * 3 + [1, 2]
            assert (both[median][1], min(x for _, x in both.values())) == (2, 1)
    assert misses > 1


def test_selection_finds_the_kth_swap() -> None:
    rng = Random(9)
    for _ in range(25):
        lines = sorted((Fraction(rng.randint(0, 7)), Fraction(rng.randint(0, 7))) for _ in range(14))  # just after 0
        swaps = swaps_of(lines)

        def inverted(t: Fraction | None, after: bool, lines: list = lines) -> set[tuple[int, int]]:
            """The pairs inverted in the order before, or after, a place (None: infinity)."""
            if t is None:
                key = [(y, x) for x, y in lines]
            else:
                key = [(x + t * y, y if after else -y) for x, y in lines]
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

"""Trade-offs with ties and coinciding swaps against enumeration, in fractions and by pairs."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import median

import numpy as np
import pytest

import rankscape as rs

ENDS = [("ppv", "tpr"), ("tpr", "ppv"), ("tnr", "npv"), ("npv", "tpr"), ("tnr", "ppv"), ("f0.5", "f2"), ("tnr", "tpr"),
        ("npv", "ppv"), (rs.at(0.25, 0), rs.at(0.25, 1)), (rs.at(0.125, 0.75), rs.at(0.875, 0.75))]  # fmt: skip


def tables(seed: int, n: int) -> Iterator[rs.Performances]:
    """Yield small tables with many ties: counts, the same as probabilities, one prior, averages of two domains."""
    rng = np.random.default_rng(seed)
    for k in range(n):
        size = int(rng.integers(4, 9))
        if k % 4 == 1:
            fp, tp = rng.integers(0, 5, size), rng.integers(0, 5, size)
            yield rs.Performances.from_counts(np.stack([4 - fp, fp, 4 - tp, tp], axis=-1))
            continue
        rows = rng.integers(0, 4, (size, 4))
        rows[:, 0] += 1
        if k % 4 == 2:
            yield rs.Performances.from_probabilities(rows / rows.sum(axis=1, keepdims=True))
        elif k % 8 == 4:  # few different slopes: many swaps coincide
            fp, fn = rng.integers(0, 4, size), rng.integers(0, 5, size)
            yield rs.Performances.from_counts(np.stack([7 - fp, fp, fn, np.full(size, 6)], axis=-1))
        elif k % 4 == 3:
            more = rng.integers(0, 4, (size, 4)) + np.array([1, 0, 0, 0])
            names = [f"m{i}" for i in range(size)]
            yield rs.Performances.from_counts(
                [*rows.tolist(), *more.tolist()], names=names * 2, domains=["x"] * size + ["y"] * size
            ).per_entity()
        else:
            yield rs.Performances.from_counts(rows)


def value(row: list[int], a: Fraction, b: Fraction) -> Fraction | None:
    tn, fp, fn, tp = row
    right, wrong = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
    return right / (right + wrong) if right + wrong else None


def signs(rows: list[list[int]], place: tuple[Fraction, Fraction]) -> np.ndarray:
    values = [value(row, *place) for row in rows]
    return np.array([(x > y) - (x < y) for x, y in combinations(values, 2)])


def check(P: rs.Performances, ends: tuple) -> bool:
    """Compare with an enumeration of all swaps and the open intervals between them; True where there is a swap."""
    t = rs.tradeoff(P, ends=ends)
    segment, rows = t.segment, t.performances.integers[t.rows].tolist()
    low, high = segment.low, segment.high
    # where two performances tie: h is bilinear, so on a line it is linear in the coordinate, but on a diagonal too
    marks: list[Fraction] = []

    def at(x: Fraction) -> tuple[Fraction, Fraction]:
        return segment.place(x / (1 - x))

    first, last = low + (high - low) / 10**40, high - (high - low) / 10**40
    start, stop = signs(rows, at(first)), signs(rows, at(last))
    disputed = start * stop < 0
    for (one, other), crosses in zip(combinations(rows, 2), disputed, strict=True):
        if crosses:
            ends_of_h = []
            for x in (first, last):
                a, b = at(x)
                s = [(1 - a) * row[0] + a * row[3] for row in (one, other)]
                u = [(1 - b) * row[1] + b * row[2] for row in (one, other)]
                n = [1, 1] if segment.kind in ("vertical", "horizontal") else [sum(one), sum(other)]
                h = s[0] * u[1] - s[1] * u[0] if n == [1, 1] else s[0] * n[1] - s[1] * n[0]
                ends_of_h.append(h)
            marks.append(first + (last - first) * ends_of_h[0] / (ends_of_h[0] - ends_of_h[1]))
    marks.sort()
    odds = [x / (1 - x) for x in marks]
    total = len(marks)
    assert t.n_discordant == total
    assert [x for x, size in t.exact_swaps for _ in range(size)] == odds
    if not total:
        return False
    distinct = sorted(set(marks))
    tried = sorted([*distinct, *(sum(two) / 2 for two in pairwise([low, *distinct, high]))])
    ways = [signs(rows, at(x))[disputed] for x in tried]

    def far(way: np.ndarray) -> int:
        """Twice the pairs ordered otherwise than at the first end and the second, squared and added."""
        return int(abs(way - start[disputed]).sum()) ** 2 + int(abs(way - stop[disputed]).sum()) ** 2

    variances = [far(way) for way in ways]
    best = [x for x, variance in zip(tried, variances, strict=True) if variance == min(variances)]
    # the reported set, and nothing else, is optimal
    least, most = (x / (1 + x) for x in t.exact_optimal_set)
    closed = t.optimal_set_closed
    assert [x for x in tried if least < x < most or (x == least and closed[0]) or (x == most and closed[1])] == best
    # the reported place is in it, exactly, and as floats where one can be
    place = t.exact_place
    ours = signs(rows, place)[disputed]
    assert far(ours) == min(variances)
    assert t.place == pytest.approx([float(x) for x in place], abs=1e-15)
    if least < most and closed == (False, False):
        odds_low, odds_high = t.exact_optimal_set
        squares = [Fraction(t.beta_squared), Fraction(t.beta) ** 2]
        if odds_high - odds_low > Fraction(1, 10**14) * odds_high:
            assert all(odds_low < x < odds_high for x in squares)
    # the median of the paper, and whether it is optimal
    middle = median(odds)
    assert t.median_beta == pytest.approx(float(middle) ** 0.5, rel=1e-14)
    of_median = signs(rows, segment.place(middle))[disputed]
    assert t.median_is_optimal == (far(of_median) == min(variances))
    if t.median_is_optimal:
        assert place == segment.place(middle)
    # shares of pairs, by the pairs themselves: one that only one of the two ties counts half
    beta = t.beta
    assert t.optimality(beta) == 1
    for x, way in zip(tried, ways, strict=True):
        share = 1 - Fraction(int(abs(way - ours).sum()), 2 * total)
        passed = t.crossings.before(segment.crossing(x / (1 - x))) + t.crossings.upto(segment.crossing(x / (1 - x)))
        assert share == 1 - abs(Fraction(passed, 2) - t.passed_by_optimum) / total
    if segment.limits[0] <= 1 and (segment.limits[1] is None or segment.limits[1] >= 1):
        way = signs(rows, segment.place(Fraction(1)))[disputed]
        share = 1 - Fraction(int(abs(way - ours).sum()), 2 * total)
        assert t.optimality(1) == float(share)
        assert t.shares(1)[1:] == pytest.approx((share * total / t.n_pairs, (1 - share) * total / t.n_pairs), abs=1e-15)
        assert t.balance(1) == pytest.approx(
            1 - abs(t.tau(1)[0] - t.tau(1)[1]) / 4 / (1 - (1 + t.tau_ends) / 2), abs=1e-12
        )  # (14), (16)
    return True


def check_all(seed: int, n: int) -> tuple[int, int]:
    found = beside = 0
    for k, P in enumerate(tables(seed, n)):
        for ends in ENDS if n > 100 else (ENDS[0], ENDS[k % len(ENDS)]):
            try:
                found += check(P, ends)
            except rs.DataError:
                assert ends in (("tnr", "tpr"), ("npv", "ppv"))  # needs equal priors, or rates of predictions
                continue
            t = rs.tradeoff(P, ends=ends)
            beside += t.n_discordant > 0 and not t.median_is_optimal
    return found, beside


def test_tied_tradeoffs_by_enumeration() -> None:
    found, beside = check_all(10, 24)
    assert found > 12
    assert beside > 1


@pytest.mark.nightly
def test_many_tied_tradeoffs_by_enumeration() -> None:
    found, beside = check_all(2, 500)
    assert found > 500
    assert beside > 20

"""Who is first at which share of positives: against enumeration in rationals."""

from fractions import Fraction
from itertools import pairwise
from math import nextafter

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankscape import DataError, NoPlaceError, Performances, UsageError, costs, rank, regions

SHARE = st.fractions(0, 1, max_denominator=12)
PRIOR = st.fractions(0, 1, max_denominator=500).filter(lambda x: 0 < x < 1)
CELL = st.tuples(st.integers(1, 8), st.integers(1, 8), SHARE, SHARE)
CORNERS = st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1)])
Row = tuple[int, int, int, int]


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Duplicates, perfect entities, constant answers, points on one line; priors that differ or not."""
    cells = draw(st.lists(CELL, min_size=1, max_size=8))
    if draw(st.booleans()):
        cells = [(*cells[0][:2], *cell[2:]) for cell in cells]
    found = [(n - round(x * n), round(x * n), m - round(y * m), round(y * m)) for n, m, x, y in cells]
    for x, y in draw(st.lists(CORNERS, max_size=2)):
        n, m = draw(st.integers(1, 8)), draw(st.integers(1, 8))
        found.append((n - x * n, x * n, m - y * m, y * m))
    return found + draw(st.lists(st.sampled_from(found), max_size=2))


def performances(found: list[Row]) -> Performances:
    return Performances.from_counts(found, names=[f"e{k}" for k in range(len(found))])


def first_at(found: list[Row], a: Fraction, b: Fraction, prior: Fraction) -> frozenset[str]:
    values: dict[Fraction, set[str]] = {}
    for k, (tn, fp, fn, tp) in enumerate(found):
        negative, positive = (1 - prior) / (tn + fp), prior / (fn + tp)
        s = (1 - a) * negative * tn + a * positive * tp
        u = (1 - b) * negative * fp + b * positive * fn
        if s + u:
            values.setdefault(s / (s + u), set()).add(f"e{k}")
    return frozenset(values[max(values)]) if values else frozenset()


@given(rows(), SHARE, SHARE, st.lists(PRIOR, max_size=4))
@example([(3, 1, 2, 2), (3, 1, 2, 2), (2, 2, 1, 3), (1, 3, 0, 4)], Fraction(1, 2), Fraction(1, 2), [Fraction(1, 2)])
@example([(4, 0, 4, 0), (0, 4, 0, 4), (2, 2, 2, 2)], Fraction(1, 3), Fraction(1, 2), [])
@example([(4, 0, 4, 0), (0, 4, 4, 0)], Fraction(1), Fraction(1, 2), [])
@example([(4, 0, 4, 0)], Fraction(1), Fraction(0), [])
def test_every_interval_is_as_enumerated(found: list[Row], a: Fraction, b: Fraction, priors: list[Fraction]) -> None:
    if not first_at(found, a, b, Fraction(1, 2)):
        with pytest.raises(UsageError, match="no model is first: .* undefined for all of them"):
            regions.prior_flips(performances(found), by=[1 - a, 1 - b, b, a])
        return
    changes = regions.prior_flips(performances(found), by=[1 - a, 1 - b, b, a])
    ends = [0.0, *(flip.prior for flip in changes.flips), 1.0]
    assert [(one.low, one.high) for one in changes.intervals] == list(pairwise(ends))
    assert ends == sorted(ends)
    for one in changes.intervals:
        low, high = Fraction(one.low), Fraction(one.high)
        inside = [low + (high - low) / 10**9, (low + high) / 2, high - (high - low) / 10**9]
        for prior in [*inside, *(x for x in priors if low < x < high)]:
            assert first_at(found, a, b, prior) == set(one.names)
    for flip in changes.flips:
        simple = Fraction(flip.prior).limit_denominator(10**6)
        tied = first_at(found, a, b, simple)
        if float(simple) == flip.prior:  # else the nearest fraction may lie in a neighboring interval, or beyond it
            assert tied <= set(flip.names)
            sides = [one.names for one in changes.intervals if flip.prior in (one.low, one.high)]
            assert tied in (set(flip.names), *map(set, sides))


@given(rows(), SHARE, SHARE)
def test_the_present_and_its_interval(found: list[Row], a: Fraction, b: Fraction) -> None:
    P = performances(found)
    assume(first_at(found, a, b, Fraction(1, 2)))
    changes = regions.prior_flips(P, by=[1 - a, 1 - b, b, a])
    if len({Fraction(fn + tp, tn + fp + fn + tp) for tn, fp, fn, tp in found}) > 1:
        assert changes.prior is changes.first is changes.stays is None
        return
    assert changes.first == rank(P, by=[1 - a, 1 - b, b, a]).best
    low, high = changes.stays
    assert low <= changes.prior <= high
    for end in {low, high} - {0.0, 1.0}:
        assert changes.first <= set(next(flip.names for flip in changes.flips if flip.prior == end))


@given(rows(), SHARE, SHARE)
def test_the_ends_are_the_nearest_floats(found: list[Row], a: Fraction, b: Fraction) -> None:
    assume(first_at(found, a, b, Fraction(1, 2)))
    changes = regions.prior_flips(performances(found), by=[1 - a, 1 - b, b, a])
    for flip, (one, other) in zip(changes.flips, pairwise(changes.intervals), strict=True):
        below, above = ((Fraction(flip.prior) + Fraction(nextafter(flip.prior, end))) / 2 for end in (0.0, 1.0))
        assert first_at(found, a, b, below) in (set(one.names), set(flip.names))
        assert first_at(found, a, b, above) in (set(other.names), set(flip.names))


@given(rows(), SHARE, SHARE)
def test_nobody_gets_the_first_place_back(found: list[Row], a: Fraction, b: Fraction) -> None:
    assume(first_at(found, a, b, Fraction(1, 2)))
    changes = regions.prior_flips(performances(found), by=[1 - a, 1 - b, b, a])
    listed = [one.names for one in changes.intervals]
    assert len(set(listed)) == len(listed)


def test_an_irrational_end() -> None:
    P = Performances.from_counts([[90, 10, 40, 60], [70, 30, 20, 80]], names=["a", "b"])
    (flip,) = regions.prior_flips(P, by=[3, 1, 2, 1]).flips
    o = flip.prior / (1 - flip.prior)
    first, second = ((3 * 0.9 + o * 0.6, 0.1 + 2 * o * 0.4), (3 * 0.7 + o * 0.8, 0.3 + 2 * o * 0.2))
    assert first[0] * second[1] == pytest.approx(second[0] * first[1], rel=1e-12)
    assert flip.names == ("a", "b")


def test_ties_on_an_edge_of_the_hull_are_named_where_they_tie() -> None:
    P = Performances.from_counts([[9, 1, 6, 4], [8, 2, 5, 5], [7, 3, 4, 6]], names=["a", "b", "c"])
    changes = regions.prior_flips(P, by="accuracy")
    assert [one.names for one in changes.intervals] == [("a",), ("c",)]
    assert changes.flips == (regions.PriorFlip(0.5, ("a", "b", "c")),)
    assert (changes.first, changes.stays) == ({"a", "b", "c"}, (0.5, 0.5))


@pytest.mark.parametrize("by", ["balanced accuracy", "youden", "tpr", "ppv", "lr+", "npv"])
def test_scores_whose_order_no_prior_changes(by: str) -> None:
    P = Performances.from_counts([[80, 20, 5, 5], [95, 5, 8, 2], [60, 40, 2, 8]], names=["a", "b", "c"])
    changes = regions.prior_flips(P, by=by)
    assert [(one.low, one.high) for one in changes.intervals] == [(0, 1)]
    assert changes.first == rank(P, by=by).best == rank(P.shift_priors(0.7), by=by).best


@pytest.mark.parametrize("by", ["f1", "accuracy", "npv", "error rate", "net benefit(0.2)", costs(5, 1), "jaccard"])
def test_it_is_what_rank_says_after_a_shift(by: object) -> None:
    P = Performances.from_counts([[90, 10, 6, 4], [80, 20, 4, 6], [70, 30, 1, 9], [99, 1, 9, 1]], names=list("abcd"))
    changes = regions.prior_flips(P, by=by)
    for one in changes.intervals:
        middle = (Fraction(one.low) + Fraction(one.high)) / 2
        assert rank(P.shift_priors(middle), by=by).best == set(one.names)


def test_domains_are_averaged_then_shifted() -> None:
    found = [[85, 5, 4, 6], [8, 2, 18, 72], [70, 20, 1, 9], [9, 1, 40, 50]]
    P = Performances.from_counts(found, names=["m", "m", "k", "k"], domains=["x", "y"] * 2)
    changes = regions.prior_flips(P, by="accuracy")
    assert changes.prior == pytest.approx(P.over_domains().priors[0], rel=1e-15)
    for one in changes.intervals:
        prior = (one.low + one.high) / 2
        assert rank(P.over_domains().shift_priors(prior), by="accuracy").best == set(one.names)


def test_what_has_no_answer() -> None:
    P = Performances.from_counts([[5, 1, 1, 3], [9, 1, 0, 0]], names=["a", "b"])
    with pytest.raises(DataError, match="no positive cases"):
        regions.prior_flips(P)
    with pytest.raises(NoPlaceError, match="weighs outcomes differently at every prior"):
        regions.prior_flips(P[0], by="kappa")
    with pytest.raises(NoPlaceError, match="only at a fixed prediction rate, which another prior changes"):
        regions.prior_flips(P[0], by="markedness")
    with pytest.raises(NoPlaceError, match="no place on the Tile"):
        regions.prior_flips(P[0], by="mcc")


def test_thousands_on_the_hull() -> None:
    n = 2000
    x = np.arange(1, n + 1)
    tp = (np.sqrt(x / n) * 10**8).astype(int)
    P = Performances.from_counts(np.stack([2 * n - x, x, 10**8 - tp, tp], axis=1))
    changes = regions.prior_flips(P, by="accuracy")
    assert len(changes.intervals) > n / 2
    for one in changes.intervals[::97]:
        assert rank(P.shift_priors((one.low + one.high) / 2), by="accuracy").best == set(one.names)


def test_probabilities_with_one_prior_but_for_rounding() -> None:
    mass = np.array([[0.56, 0.14, 0.1, 0.2], [0.49, 0.21, 0.03, 0.27], [0.63, 0.07, 0.2, 0.1]])
    changes = regions.prior_flips(Performances.from_probabilities(mass, names=list("abc")), by="accuracy")
    assert changes.prior == pytest.approx(0.3, rel=1e-15)
    assert [one.names for one in changes.intervals] == [("c",), ("a",), ("b",)]

"""ROC and PR space: lines, pencils and hulls against their definitions, in exact fractions where possible."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankscape as rs
from rankscape import DataError, Performances, UsageError
from rankscape.geometry.hull import first_intervals, hull
from rankscape.geometry.roc import (
    Line,
    Pencil,
    roc_points,
)

UNIT = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.floats(0, 1, allow_subnormal=False))
PRIOR = st.floats(0.01, 0.99)


def measures(fpr: np.ndarray, tpr: np.ndarray, prior: float) -> np.ndarray:
    return np.stack([(1 - prior) * (1 - fpr), (1 - prior) * fpr, prior * (1 - tpr), prior * tpr], axis=-1)


def score_at(a: float, b: float, prior: float, fpr: np.ndarray, tpr: np.ndarray) -> np.ndarray:
    return rs.ranking_score(measures(np.asarray(fpr), np.asarray(tpr), prior), rs.canonical_importance(a, b))


# ---- lines


@given(UNIT, UNIT, PRIOR, st.floats(0, 1))
def test_all_performances_on_an_iso_line_have_the_same_value(a: float, b: float, prior: float, value: float) -> None:
    line = Pencil(a, b, prior).line(value)
    segment = line.clip()
    assume(segment is not None)
    assert ((segment >= 0) & (segment <= 1)).all()
    t = np.linspace(0, 1, 9)[:, None]
    fpr, tpr = (segment[0] + t * (segment[1] - segment[0])).T
    mass = measures(fpr, tpr, prior)
    weights = rs.canonical_importance(a, b)
    gain, total = mass @ (weights * [1, 0, 0, 1]), mass @ weights
    assert np.allclose(gain, value * total, rtol=0, atol=1e-14)  # also where the score is 0/0


@given(UNIT, UNIT, PRIOR, st.floats(0, 1), UNIT, UNIT)
def test_better_performances_lie_on_the_upper_left(
    a: float, b: float, prior: float, value: float, fpr: float, tpr: float
) -> None:
    line = Pencil(a, b, prior).line(value)
    assert line.u <= 0 <= line.v
    score = float(score_at(a, b, prior, fpr, tpr))
    assume(not np.isnan(score) and abs(score - value) > 1e-9)
    side = float(line(fpr, tpr))
    assume(abs(side) > 1e-14)
    assert (side > 0) == (score > value)


@given(UNIT, UNIT, PRIOR, UNIT, UNIT)
def test_an_iso_line_that_meets_the_square_is_clipped_to_it(
    a: float, b: float, prior: float, fpr: float, tpr: float
) -> None:
    star = Pencil(a, b, prior)
    value = float(star.value(fpr, tpr))
    assume(not np.isnan(value))
    assert value == pytest.approx(float(score_at(a, b, prior, fpr, tpr)), abs=1e-12)
    line = Pencil(a, b, prior).line(value)
    assert line(fpr, tpr) == pytest.approx(0, abs=1e-14)
    assume(0.001 < fpr < 0.999 and 0.001 < tpr < 0.999)
    assert line.clip() is not None


@pytest.mark.parametrize(
    ("a", "b", "name"),
    [
        (0, 0, "tnr"),
        (1, 1, "tpr"),
        (1, 0, "ppv"),
        (0, 1, "npv"),
        (0.5, 0.5, "accuracy"),
        (1, 0.5, "f1"),
        (1, 0.8, "f2"),
    ],
)
def test_known_scores_are_constant_on_their_lines(a: float, b: float, name: str) -> None:
    segment = Pencil(a, b, 0.3).line(0.62).clip()
    assert segment is not None
    t = np.linspace(0.01, 0.99, 7)[:, None]
    fpr, tpr = (segment[0] + t * (segment[1] - segment[0])).T
    values = rs.score(name)(Performances.from_probabilities(measures(fpr, tpr, 0.3)))
    assert np.allclose(values, 0.62, rtol=0, atol=1e-12)


def test_lines_are_clipped_to_the_square() -> None:
    assert Line(1, 1, 1).clip() is None
    assert Line(0, 1, -0.5).clip().tolist() == [[0, 0.5], [1, 0.5]]
    assert Line(1, 0, -0.5).clip().tolist() == [[0.5, 0], [0.5, 1]]
    for a, b in [(0.95, 0.7), (0.3, 0.9), (0.5, 0.5)]:  # the perfect and the worst performance alone
        assert Pencil(a, b, 0.2).line(1).clip().tolist() == [[0, 1], [0, 1]]
        assert Pencil(a, b, 0.2).line(0).clip().tolist() == [[1, 0], [1, 0]]


# ---- pencils


def test_golden_vertex() -> None:
    assert Pencil(0.95, 0.7, 0.2).vertex == pytest.approx((-0.805, -0.38), abs=1e-12)


@given(UNIT, UNIT, PRIOR, st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_the_vertex_lies_on_all_lines(a: float, b: float, prior: float, values: list) -> None:
    assume(abs(a - b) > 1e-6)
    star = Pencil(a, b, prior)
    x, y = star.vertex
    for line in (Pencil(a, b, prior).line(value) for value in (0, 1, *values)):
        assert abs(line(x, y)) <= 1e-14 * (abs(line.u * x) + abs(line.v * y) + abs(line.w)) / abs(a - b) + 1e-300
    if a < b:  # above and to the right; Axiom 2 leaves no other places
        assert x >= 1 - 1e-12
        assert y >= 1 - 1e-12
    else:
        assert x <= 1e-12
        assert y <= 1e-12


@given(UNIT, PRIOR, st.floats(0, 1), st.floats(0, 1))
def test_on_the_diagonal_the_lines_are_parallel(a: float, prior: float, one: float, other: float) -> None:
    assert Pencil(a, a, prior).vertex is None
    first, second = (Pencil(a, a, prior).line(value) for value in (one, other))
    assert first.u * second.v == pytest.approx(first.v * second.u, abs=1e-15)


def test_the_zero_and_one_lines_turn_about_the_corners() -> None:
    for a, b in [(0, 0.3), (0.4, 0.3), (1, 0.3)]:
        zero, one = (Pencil(a, b, 0.2).line(value) for value in (0, 1))
        assert zero(1, 0) == one(0, 1) == 0
        assert -zero.u == pytest.approx(4 * (1 - a) / a * zero.v) if a else zero.v == 0
    assert Pencil(0.3, 0, 0.2).line(1).v == 0
    assert Pencil(0.3, 1, 0.2).line(1).u == 0


def test_corner_pencils_meet_where_their_score_is_undefined() -> None:
    assert Pencil(1, 0, 0.2).vertex == (0, 0)
    assert Pencil(0, 1, 0.2).vertex == (1, 1)
    assert np.isnan(Pencil(1, 0, 0.2).value(0, 0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 0, 0.2, 0.5), r"a and b must lie in [0, 1]; got (1.2, 0)"),
        ((1, 0, 0.2, 1.5), "the value of a ranking score lies in [0, 1]; got 1.5"),
        ((1, 0, 0, 0.5), "ROC space needs both classes: the prior must lie inside (0, 1); got 0"),
        ((1, 0, 1.5, 0.5), r"a prior must lie in [0, 1]; got 1.5"),
        ((1, 0, 0.5, float("nan")), "the value of a ranking score lies in [0, 1]; got nan"),
    ],
)
def test_errors_of_lines(arguments: tuple, message: str) -> None:
    with pytest.raises(UsageError) as error:
        Pencil(*arguments[:3]).line(arguments[3])
    assert str(error.value) == message
    with pytest.raises(UsageError, match="at least 2 points; got 1"):
        Pencil(1, 0, 0.5).curve(0.5, 1)


# ---- PR space


@given(UNIT, UNIT, PRIOR, st.floats(0, 1), st.integers(2, 30))
def test_iso_curves_of_pr_space_have_the_same_value(a: float, b: float, prior: float, value: float, n: int) -> None:
    curve = Pencil(a, b, prior).curve(value, n)
    if Pencil(a, b, prior).line(value).clip() is None:
        assert curve is None
        return
    assert curve is not None
    recall, precision = curve.T
    assert len(recall) == len(precision) == n
    assert ((recall >= 0) & (recall <= 1) & (precision >= 0) & (precision <= 1)).all()
    assert (np.diff(recall) >= 0).all()
    inside = (recall > 1e-6) & (precision > 1e-6)
    tpr = recall[inside]
    fpr = tpr * (1 / precision[inside] - 1) * prior / (1 - prior)
    line = Pencil(a, b, prior).line(value)
    assert np.allclose(line(fpr, tpr), 0, rtol=0, atol=1e-9)


def test_precision_lines_are_horizontal_and_recall_lines_vertical_in_pr_space() -> None:
    recall, precision = Pencil(1, 0, 0.2).curve(0.6, 11).T
    assert np.allclose(precision, 0.6)
    assert (recall[0], recall[-1]) == (0, 1)
    recall, precision = Pencil(1, 1, 0.2).curve(0.6, 11).T
    assert np.allclose(recall, 0.6)
    assert np.allclose(precision[[0, -1]], [1, 0.12 / 0.92])


def test_points_of_both_spaces() -> None:
    P = Performances.from_counts([[6, 2, 1, 3], [0, 0, 1, 1], [6, 0, 2, 0]])
    fpr, tpr = roc_points(P)
    assert np.array_equal(fpr, [0.25, np.nan, 0], equal_nan=True)
    assert np.array_equal(tpr, [0.75, 0.5, 0], equal_nan=True)
    false, true = roc_points(P[:1].no_skill())
    assert true == pytest.approx(false, abs=1e-15)
    with pytest.raises(UsageError, match="ROC space is defined for two-class"):
        roc_points(Performances.from_counts([[1, 1]], space=rs.SampleSpace("coin", ("heads", "tails"))))


# ---- the hull

N, POSITIVE = 6, 4
POINTS = st.lists(st.tuples(st.integers(0, N), st.integers(0, POSITIVE)), min_size=1, max_size=9)


def of_points(points: list) -> Performances:
    """Return performances of one prior with so many false and true positives."""
    return Performances.from_counts([[N - fp, fp, POSITIVE - tp, tp] for fp, tp in points])


def winners_on_the_diagonal(points: list, corners: bool) -> list[tuple[set[int], Fraction, Fraction]]:
    """Return who is first between the places where two performances tie, by trying all, in exact fractions."""
    rates = [(Fraction(x, N), Fraction(y, POSITIVE)) for x, y in points]
    rates += [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))] if corners else []
    cuts = {Fraction(0), Fraction(1)}
    for x, y in rates:
        for p, q in rates:
            if (x - p) * (y - q) > 0:
                cuts.add((x - p) / (x - p + y - q))
    found = []
    for low, high in pairwise(sorted(cuts)):
        t = (low + high) / 2
        values = [(1 - t) * (1 - x) + t * y for x, y in rates]
        best = {i for i, v in enumerate(values) if v == max(values)}
        if found and found[-1][0] == best:
            found[-1] = (best, found[-1][1], high)
        else:
            found.append((best, low, high))
    return [({i for i in best if i < len(points)}, low, high) for best, low, high in found]


@given(POINTS, st.booleans())
def test_the_hull_holds_the_winners_on_the_diagonal(points: list, corners: bool) -> None:
    P = of_points(points)
    expected = winners_on_the_diagonal(points, corners)
    assert set(hull(P, corners).tolist()) == set().union(*(best for best, _, _ in expected))
    assert len(hull(P, corners)) == len(set(hull(P, corners).tolist()))
    found = first_intervals(P, corners)
    assert [set(rows) for rows, _, _ in found] == [best for best, _, _ in expected]
    assert [(low, high) for _, low, high in found] == [(float(low), float(high)) for _, low, high in expected]


@given(POINTS)
def test_without_corners_the_hull_holds_those_who_are_first_on_the_tile(points: list) -> None:
    P = of_points(points)
    shares = rs.tile.entity(P, resolution=41).shares
    large = {name for name, share in shares.items() if share > 1e-9}
    assert {P.names[row] for row in hull(P, corners=False)} == large


def test_points_inside_an_edge_are_not_vertices_and_duplicates_all_are() -> None:
    P = of_points([(1, 2), (3, 4), (2, 3), (1, 2), (6, 4), (5, 0)])
    assert hull(P).tolist() == [0, 3, 1]
    assert hull(P[[5]]).tolist() == []  # below the diagonal: the constant answers are better
    assert hull(P[[5]], corners=False).tolist() == [0]
    constant = of_points([(0, 0), (1, 2), (6, 4)])
    assert hull(constant).tolist() == [0, 1, 2]


def test_the_hull_is_the_same_after_a_prior_shift_and_decided_exactly() -> None:
    rng = np.random.default_rng(3)
    P = of_points(rng.integers(0, 5, size=(30, 2)).tolist())
    assert hull(P).tolist() == hull(P.shift_priors(Fraction(1, 7))).tolist()
    # Half a false alarm in 10^16 bends the chain; floats would not see it.
    m = 10**17
    counts = [[m, 0, m - 2, 2], [m - 2 * 10**16, 2 * 10**16, m // 2 - 1, m // 2 + 1], [0, m, 0, m]]
    middle = (Fraction(2 * 10**16, m), Fraction(m // 2 + 1, m))
    assert middle[1] > Fraction(2, m) + middle[0] * (1 - Fraction(2, m))
    assert hull(Performances.from_counts(counts)).tolist() == [0, 1, 2]
    on_edge = [[m, 0, m - 2, 2], [m // 2, m // 2, m // 2 - 1, m // 2 + 1], [0, m, 0, m]]
    above = [on_edge[0], [m // 2, m // 2, m // 2 - 2, m // 2 + 2], on_edge[2]]
    assert hull(Performances.from_counts(on_edge)).tolist() == [0, 2]
    assert hull(Performances.from_counts(above)).tolist() == [0, 1, 2]


def test_the_hull_needs_equal_priors_and_both_classes() -> None:
    different = Performances.from_counts([[6, 2, 1, 3], [6, 2, 1, 9]], names=["a", "b"])
    expected = (
        "the ROC hull needs equal priors; here they go from 0.3333 to 0.5556: use shift_priors, or take one domain"
    )
    with pytest.raises(DataError) as error:
        hull(different)
    assert str(error.value) == expected
    assert hull(different.shift_priors(0.5)).tolist() == [1]  # FPR 1/4, TPR 9/10 against 3/4
    for counts, kind in [([0, 0, 1, 3], "negative"), ([3, 1, 0, 0], "positive")]:
        with pytest.raises(DataError, match=rf'^row 2 \("x"\): it has no {kind} cases: it has no point in ROC space$'):
            hull(Performances.from_counts([[6, 2, 1, 3], counts], names=["a", "x"]))


def test_a_vertex_too_far_away_is_at_infinity() -> None:
    assert Pencil(0.0, 5e-324, 0.5).vertex is None
    x, y = Pencil(0.5, 0.5 + 1e-9, 0.5).vertex
    assert min(x, y) > 1e8

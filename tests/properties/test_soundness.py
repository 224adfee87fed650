"""Properties 1-7 of ranking scores, the 29 cases of transitivity, and audits, on random rational cases."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankscape as rs
from rankscape.errors import UsageError
from rankscape.soundness.verdict import mixture

COUNT = st.one_of(st.just(0), st.integers(0, 6), st.integers(0, 500))
WEIGHT = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 50))
OUTCOMES = st.integers(2, 5)
BINARY = (1, 0, 0, 1)


def rows(k: int) -> st.SearchStrategy:
    return st.tuples(*[COUNT] * k).filter(any)


def weights(k: int) -> st.SearchStrategy:
    return st.tuples(*[WEIGHT] * k).filter(any)


def R(P: tuple, importance: tuple, satisfaction: tuple = BINARY) -> Fraction | None:
    due = sum(p * i for p, i in zip(P, importance, strict=True))
    earned = sum(p * i * s for p, i, s in zip(P, importance, satisfaction, strict=True))
    return Fraction(earned) / due if due else None


def library(P: tuple, importance: tuple, satisfaction: tuple = BINARY) -> Fraction | None:
    """The ranking score of the library, as the exact ratio that orders as it does."""
    space = rs.SampleSpace("some", tuple(f"o{i}" for i in range(len(P))), tuple(map(float, satisfaction)))
    from rankscape._scores import score_of_importance

    ratio = score_of_importance(importance, space).exact(rs.Performances.from_counts([P], space=space))
    assert ratio is not None
    return Fraction(ratio.top[0], ratio.bottom[0]) if ratio.bottom[0] else None


@given(OUTCOMES.flatmap(lambda k: st.tuples(rows(k), weights(k), st.tuples(*[st.integers(-2, 5)] * k))))
def test_property_1_filter_then_expect(case: tuple) -> None:
    P, importance, satisfaction = case
    value = library(P, importance, satisfaction)
    assert value == R(P, importance, satisfaction)
    filtered = tuple(p * i for p, i in zip(P, importance, strict=True))
    if any(filtered):
        assert value == R(filtered, (1,) * len(P), satisfaction)
        space = rs.SampleSpace("some", tuple(f"o{i}" for i in range(len(P))), tuple(map(float, satisfaction)))
        got = rs.Performances.from_counts([P], space=space).filter(importance).integers[0]
        assert [x * sum(filtered) for x in got] == [x * sum(got) for x in filtered]
    else:
        assert value is None


@given(
    OUTCOMES.flatmap(lambda k: st.tuples(rows(k), weights(k), st.tuples(*[st.integers(-2, 5)] * k))),
    st.integers(1, 9),
    st.integers(-9, 9),
)
def test_property_2_a_linear_map_of_satisfaction(case: tuple, alpha: int, beta: int) -> None:  # erratum 12: α > 0
    P, importance, satisfaction = case
    value = library(P, importance, satisfaction)
    mapped = library(P, importance, tuple(alpha * s + beta for s in satisfaction))
    assert mapped == (None if value is None else alpha * value + beta)


@given(rows(4), weights(4), st.integers(1, 99), st.integers(1, 99))
def test_property_3_importance_has_no_scale(P: tuple, importance: tuple, k: int, n: int) -> None:  # erratum 13: k > 0
    scaled = tuple(Fraction(k, n) * i for i in importance)
    assert library(P, scaled) == library(P, importance)


@given(rows(4), weights(4), st.integers(1, 9), st.integers(1, 9))
def test_property_4_each_side_has_no_scale(P: tuple, importance: tuple, alpha_0: int, alpha_1: int) -> None:
    value = library(P, importance)
    scaled = tuple(i * (alpha_1 if s else alpha_0) for i, s in zip(importance, BINARY, strict=True))
    expected = None if value is None else alpha_1 * value / (alpha_0 * (1 - value) + alpha_1 * value)  # erratum 14
    assert library(P, scaled) == expected


@given(rows(4), st.tuples(WEIGHT, WEIGHT), st.tuples(WEIGHT, WEIGHT), st.tuples(WEIGHT, WEIGHT))
def test_property_5_harmonic_mean(P: tuple, shared: tuple, one: tuple, other: tuple) -> None:
    first, second = ((shared[0], *free, shared[1]) for free in (one, other))
    assume(any(first) and any(second))
    x, y = library(P, first), library(P, second)
    mean = tuple(Fraction(i + j, 2) for i, j in zip(first, second, strict=True))
    if x and y:
        assert 1 / library(P, mean) == (1 / x + 1 / y) / 2


@given(rows(4), st.tuples(WEIGHT, WEIGHT), st.tuples(WEIGHT, WEIGHT), st.tuples(WEIGHT, WEIGHT))
def test_property_6_f_mean(P: tuple, shared: tuple, one: tuple, other: tuple) -> None:
    first, second = ((free[0], *shared, free[1]) for free in (one, other))
    assume(any(first) and any(second))
    x, y = library(P, first), library(P, second)
    mean = tuple(Fraction(i + j, 2) for i, j in zip(first, second, strict=True))
    if x is not None and y is not None and x != 1 and y != 1:
        assert 1 / (1 - library(P, mean)) == (1 / (1 - x) + 1 / (1 - y)) / 2


@given(rows(4), rows(4), rows(4), weights(4), st.fractions(0, 1, max_denominator=20))
def test_property_7_contours_are_convex(P: tuple, first: tuple, second: tuple, importance: tuple, at: Fraction) -> None:
    level, x, y = (library(Q, importance) for Q in (P, first, second))
    assume(level is not None and x is not None and y is not None)
    mixed = library(mixture(first, second, at), importance)
    assert mixed is not None
    for inside in (Fraction.__lt__, Fraction.__le__, Fraction.__eq__, Fraction.__ge__, Fraction.__gt__):
        if inside(x, level) and inside(y, level):
            assert inside(mixed, level)


NAMES = st.sampled_from(["precision", "mcc", "npv", "dprime", "kappa", "fpr", "vut", "or", "sqrt(tpr*tnr)"])


@given(st.lists(rows(4), min_size=3, max_size=7), NAMES)
def test_every_score_induces_a_preorder(counts: list, name: str) -> None:  # Theorem 1
    P = rs.Performances.from_counts(counts)
    rows_of = range(len(P))
    at_most = [[rs.compare(P[i], P[j], by=name) in ("worse", "equivalent") for j in rows_of] for i in rows_of]
    assert all(at_most[i][i] for i in rows_of)
    for i, j, k in product(rows_of, repeat=3):
        assert at_most[i][k] or not (at_most[i][j] and at_most[j][k])


# audits

FORM = st.tuples(*[st.integers(-2, 3)] * 4)


@given(FORM, FORM, st.sampled_from([None, 0.5, 0.2]))
@settings(max_examples=15)
def test_what_is_proved_holds_and_what_is_refuted_fails(top: tuple, bottom: tuple, prior: float | None) -> None:
    assume(any(bottom))
    sides = [
        "+".join(f"({c})*{o}" for c, o in zip(form, ("tn", "fp", "fn", "tp"), strict=True)) for form in (top, bottom)
    ]

    def X(P: tuple) -> Fraction | None:
        below = sum(c * p for c, p in zip(bottom, P, strict=True))
        return Fraction(sum(c * p for c, p in zip(top, P, strict=True)), below) if below else None

    try:
        verdict = rs.audit(f"({sides[0]})/({sides[1]})", priors=prior, statistic=None)
    except UsageError:  # the denominator is 0 at this prior
        assert prior is not None
        assert (bottom[0], bottom[2]) == (bottom[1], bottom[3])
        assert (1 - prior) * bottom[0] + prior * bottom[2] == pytest.approx(0)
        return
    rng = np.random.default_rng(0)
    points = [tuple(map(int, row)) for row in verdict.among.random(60, rng)]
    for test, finding in verdict.findings.items():
        if test == "axiom2":
            if finding.status == "proved":
                never = [X(P) for P in points if P[0] == P[3] == 0 and X(P) is not None]
                assert all(x <= X(P) for x in never for P in points if X(P) is not None)
            elif finding.counterexample:
                P1, P2, weight = finding.counterexample
                assert weight is None
                assert P1[0] == P1[3] == 0 or P2[1] == P2[2] == 0
                assert X(P1) > X(P2)
            continue
        if finding.status == "proved":
            for P1, P2 in zip(points[:30], points[30:], strict=True):
                assert not broken(X, test, P1, P2, Fraction(1, 3))
        elif finding.counterexample:
            P1, P2, weight = finding.counterexample
            assert broken(X, test, P1, P2, weight)
            if prior is not None:
                for P in (P1, P2):
                    assert Fraction(P[2] + P[3], sum(P)) == Fraction(str(prior))


def broken(X: object, test: str, P1: tuple, P2: tuple, weight: Fraction) -> bool:
    mixed = tuple(
        weight * Fraction(p, sum(P1)) + (1 - weight) * Fraction(q, sum(P2)) for p, q in zip(P1, P2, strict=True)
    )
    x, y, z = X(P1), X(P2), X(mixed)
    if x is None or y is None:
        return False
    if z is None:
        return test == "domain"
    return {"quasiconvex": z > max(x, y), "quasiconcave": z < min(x, y), "domain": False}[test]


@given(weights(4), st.sampled_from([None, 0.2]), st.sampled_from(["", "1 - ", "2*", "sqrt"]))
def test_a_function_of_a_ranking_score_is_proved(importance: tuple, prior: float | None, around: str) -> None:
    tn, fp, fn, tp = importance
    assume(tn + tp and fp + fn)
    verdict = rs.audit(f"{around}(({tn}*tn+{tp}*tp)/({tn}*tn+{fp}*fp+{fn}*fn+{tp}*tp))", priors=prior, statistic=None)
    assert verdict.quasiconvex.status == verdict.quasiconcave.status == verdict.domain.status == "proved"
    if around == "1 - ":
        assert verdict.axiom2.status == "refuted"
        assert verdict.importance is None
    else:
        assert verdict.status == "proved"
        got = verdict.importance
        a, b = got[3] / (got[0] + got[3]), got[2] / (got[1] + got[2])
        assert (a, b) == (Fraction(tp, tn + tp), Fraction(fn, fp + fn))


def test_contours_of_an_unsound_score_are_not_convex() -> None:  # what property 7 would find
    P, first, second = (1, 1, 1, 1), (0, 1, 1, 2), (2, 1, 1, 0)
    X = rs.score("mcc")(rs.Performances.from_counts([P, first, second, mixture(first, second, Fraction(1, 2))]))
    assert X[1] == X[2] < X[0] == X[3]

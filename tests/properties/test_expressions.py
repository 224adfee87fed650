"""Expressions against a naive evaluator in fractions, where dividing by zero anywhere means undefined."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs

LEAVES = st.sampled_from(["tn", "fp", "fn", "tp", "tpr", "ppv", "1", "2", "0.1", ".5"])


def combined(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    infix = st.tuples(part, st.sampled_from("+-*/"), part).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
    call = st.tuples(st.sampled_from(["min", "max"]), part, part).map(lambda t: f"{t[0]}({t[1]}, {t[2]})")
    return st.one_of(
        infix, call, part.map(lambda x: f"abs({x})"), part.map(lambda x: f"({x})**2"), part.map(lambda x: f"-{x}")
    )


EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=6)
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 4).filter(any), min_size=1, max_size=5)
PYTHON = {"min": min, "max": max, "abs": abs, "Fraction": Fraction, "__builtins__": {}}


def naive(text: str, row: tuple[int, ...]) -> Fraction | None:
    """The value of an expression by Python itself, every number a fraction; None where something is undefined."""
    tn, fp, fn, tp = (Fraction(count, sum(row)) for count in row)
    names = {"tn": tn, "fp": fp, "fn": fn, "tp": tp}
    if ("tpr" in text and not fn + tp) or ("ppv" in text and not fp + tp):
        return None
    names["tpr"], names["ppv"] = tp / (fn + tp or 1), tp / (fp + tp or 1)
    text = re.sub(r"(?<!\w)(?<!\*\*)(\d*\.?\d+)(?!\w)", r"Fraction('\1')", text)
    try:
        return Fraction(eval(text, PYTHON | names))
    except ZeroDivisionError:
        return None


@given(EXPRESSIONS, ROWS)
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_values_and_ranks_are_those_of_a_naive_evaluator(text: str, rows: list) -> None:
    P = rs.Performances.from_counts(rows)
    expected = [naive(text, row) for row in rows]
    values, ranking = rs.score(text)(P), rs.rank(P, by=text)
    assert ranking.exact
    for value, rank, exact in zip(values, ranking.ranks, expected, strict=True):
        if exact is None:
            assert np.isnan([value, rank]).all()
        else:
            assert value == pytest.approx(float(exact), abs=1e-9, rel=1e-9)
            assert rank == 1 + sum(other is not None and other > exact for other in expected)


def test_what_is_divided_by_something_undefined_is_undefined() -> None:
    P = rs.Performances.from_counts([[1, 0, 1, 1], [1, 1, 1, 1]])
    assert np.isnan(rs.score("tp/(tn/fp)")(P)).tolist() == [True, False]
    with pytest.warns(rs.UnsoundScoreWarning):
        assert np.isnan(rs.rank(P, by="1/(tn/fp)").ranks).tolist() == [True, False]


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_an_outer_function_keeps_its_domain_in_rankings() -> None:
    P = rs.Performances.from_counts([[4, 1, 1, 2], [4, 2, 1, 1], [4, 1, 1, 3], [4, 1, 1, 1]])
    assert np.isnan(rs.rank(P, by="sqrt(tp - fp)").ranks).tolist() == [False, True, False, False]
    assert np.isnan(rs.rank(P, by="log(tp - fp)").ranks).tolist() == [False, True, False, True]
    assert np.isnan(rs.rank(P, by="probit(3*(tp - fp))").ranks).tolist() == [False, True, False, True]
    for name in ("sqrt(tp - fp)", "log(tp - fp)"):
        assert (np.isnan(rs.score(name)(P)) == np.isnan(rs.rank(P, by=name).ranks)).all()
        assert rs.rank(P, by=name).exact

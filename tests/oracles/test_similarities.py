"""Similarity coefficients for 2×2 tables, each placed on the Tile or refuted, by enumeration in fractions.

The families: Gower and Legendre 1986 (S_θ and T_θ), Batyrshin, Kubysheva, Solovyev and Villa-Vargas 2016 (δ and θ
together). The others are named as Choi, Cha and Tappert 2010 name them. In their letters a is tp, b and c are fp and fn,
and d is tn; shares of one table, so a + b + c + d = 1.
"""

from fractions import Fraction
from itertools import combinations, product
from math import isclose, sqrt

import numpy as np
import pytest

import rankscape as rs
from rankscape._scores.score import ranking_proof
from rankscape._scores.sets import PerformanceSet

F = Fraction
TABLES = [row for row in product(range(7), repeat=4) if sum(row) == 6]
"""All 2×2 tables of six cases: tn, fp, fn, tp."""

AT_PRIOR = [(8 - fp, fp, 4 - tp, tp) for fp in range(9) for tp in range(5)]
AT_RATE = [(tn, fp, fn, tp) for tn, fn, fp, tp in AT_PRIOR]

ALWAYS = {
    "Jaccard": (lambda a, b, c, d: a / (a + b + c), (1, F(1, 2))),
    "Dice": (lambda a, b, c, d: 2 * a / (2 * a + b + c), (1, F(1, 2))),
    "ttheta(2)": (lambda a, b, c, d: a / (a + 2 * b + 2 * c), (1, F(1, 2))),
    "Kulczynski 1": (lambda a, b, c, d: a / (b + c), (1, F(1, 2))),
    "Sokal-Michener": (lambda a, b, c, d: a + d, (F(1, 2), F(1, 2))),
    "stheta(1/2)": (lambda a, b, c, d: 2 * (a + d) / (2 * a + b + c + 2 * d), (F(1, 2), F(1, 2))),
    "Rogers-Tanimoto": (lambda a, b, c, d: (a + d) / (a + 2 * (b + c) + d), (F(1, 2), F(1, 2))),
    "Hamann": (lambda a, b, c, d: a + d - b - c, (F(1, 2), F(1, 2))),
    "Sokal-Sneath 3": (lambda a, b, c, d: (a + d) / (b + c), (F(1, 2), F(1, 2))),
}
"""Coefficients with one place for all tables: formula and (a, b)."""

AT_SHARES = {
    "Russell-Rao": (lambda a, b, c, d: a, (1, 1), (1, 0)),
    "Forbes": (lambda a, b, c, d: a / ((a + b) * (a + c)), (1, 0), (1, 1)),
    "tp + tn/2": (lambda a, b, c, d: a + d / 2, (F(2, 3), F(2, 3)), (F(2, 3), F(1, 3))),  # Faith
    "kappa": (
        lambda a, b, c, d: 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d)),
        (F(4, 5), F(1, 2)),
        (F(4, 5), F(1, 2)),
    ),
}
"""Coefficients with a place where the prior, or the prediction rate, is fixed: formula, and (a, b) for 1/3 of either."""

NOWHERE = {
    "Rogot-Goldberg": lambda a, b, c, d: a / (2 * a + b + c) + d / (2 * d + b + c),
    "Kulczynski 2": lambda a, b, c, d: (a / (a + b) + a / (a + c)) / 2,
    "Sokal-Sneath 4": lambda a, b, c, d: (a / (a + b) + a / (a + c) + d / (b + d) + d / (c + d)) / 4,
    "Sokal-Sneath 5": lambda a, b, c, d: a * d / sqrt((a + b) * (a + c) * (b + d) * (c + d)),
    "Ochiai": lambda a, b, c, d: a / sqrt((a + b) * (a + c)),
    "Simpson": lambda a, b, c, d: a / min(a + b, a + c),
    "Braun-Blanquet": lambda a, b, c, d: a / max(a + b, a + c),
    "Baroni-Urbani-Buser": lambda a, b, c, d: (a + sqrt(a * d)) / (a + b + c + sqrt(a * d)),
    "Pearson phi": lambda a, b, c, d: (a * d - b * c) / sqrt((a + b) * (a + c) * (b + d) * (c + d)),
    "Yule's Q": lambda a, b, c, d: (a * d - b * c) / (a * d + b * c),
    "Yule's Y": lambda a, b, c, d: (sqrt(a * d) - sqrt(b * c)) / (sqrt(a * d) + sqrt(b * c)),
    "Scott's pi": lambda a, b, c, d: (4 * a * d - (b + c) ** 2) / ((2 * a + b + c) * (2 * d + b + c)),
}


def shares(row: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return a, b, c, d of a table."""
    tn, fp, fn, tp = (F(x, sum(row)) for x in row)
    return tp, fp, fn, tn


def value(formula, row: tuple[int, ...]):  # type: ignore[no-untyped-def]
    try:
        return formula(*shares(row))
    except ZeroDivisionError:
        return None


def sign(x) -> int:  # type: ignore[no-untyped-def]
    return (x > 0) - (x < 0)


def orders_alike(formula, place: tuple, rows: list) -> None:  # type: ignore[no-untyped-def]
    """Compare the order of a formula with that of the ranking score at a place, on every two tables."""
    x, y = map(F, place)

    def located(a, b, c, d):  # type: ignore[no-untyped-def]
        earned = (1 - x) * d + x * a
        return earned / (earned + (1 - y) * b + y * c)

    values = [(value(formula, row), value(located, row)) for row in rows]
    values = [pair for pair in values if None not in pair]
    assert len(values) > len(rows) / 2
    for one, other in combinations(values, 2):
        assert sign(one[0] - other[0]) == sign(one[1] - other[1])


@pytest.mark.parametrize("name", ALWAYS)
def test_coefficients_with_a_place(name: str) -> None:
    formula, place = ALWAYS[name]
    by = rs.score(name)
    assert by.exact_place() == place
    assert by.sound == "always"
    orders_alike(formula, place, TABLES)


@pytest.mark.parametrize("name", AT_SHARES)
def test_coefficients_with_a_place_at_a_share(name: str) -> None:
    formula, at_prior, at_rate = AT_SHARES[name]
    by = rs.score(name)
    assert by.exact_place(F(1, 3)) == at_prior
    assert by.exact_place(prediction_rate=F(1, 3)) == at_rate
    orders_alike(formula, at_prior, AT_PRIOR)
    orders_alike(formula, at_rate, AT_RATE)
    with pytest.raises(rs.NoPlaceError, match="only for fixed priors or fixed prediction rates"):
        by.place()


@pytest.mark.parametrize("name", NOWHERE)
@pytest.mark.parametrize("rows", [TABLES, AT_PRIOR, AT_RATE], ids=["all", "prior", "rate"])
def test_coefficients_without_a_place_break_axiom_3(name: str, rows: list) -> None:
    """A blind mixture has a value above, or below, both of what it mixes: no ranking score orders so."""
    formula = NOWHERE[name]
    for one, other in combinations(rows, 2):
        both = tuple(x + y for x, y in zip(one, other, strict=True))  # of equal sizes: the middle
        x, y, middle = (value(formula, row) for row in (one, other, both))
        if None not in (x, y, middle) and (middle > max(x, y) + 1e-9 or middle < min(x, y) - 1e-9):
            break
    else:
        pytest.fail("no counterexample")
    by = rs.score(name)
    assert by.sound == "never"
    for where in ({}, {"prior": F(1, 3)}, {"prediction_rate": F(1, 3)}):
        with pytest.raises(rs.NoPlaceError, match="it breaks the axioms of ranking"):
            by.place(**where)
    for among in (PerformanceSet(), PerformanceSet("prior", F(1, 3)), PerformanceSet("rate", F(1, 3))):
        assert ranking_proof(by, among) is None


EVERY = {name: formula for name, (formula, *_) in (*ALWAYS.items(), *AT_SHARES.items())} | NOWHERE


@pytest.mark.parametrize("name", EVERY)
def test_the_catalogue_has_the_formula(name: str) -> None:
    ours = rs.score(name)(rs.Performances.from_counts(TABLES))
    for row, theirs in zip(TABLES, ours, strict=True):
        expected = value(EVERY[name], row)
        assert (expected is None) == np.isnan(theirs), row
        assert expected is None or isclose(expected, theirs, abs_tol=1e-12), row


@pytest.mark.parametrize("theta", [F(1, 3), F(1, 2), 1, 2, 5])
def test_the_families_of_gower_and_legendre_order_as_f1_and_accuracy(theta: Fraction) -> None:
    t, s = rs.score("ttheta", theta=theta), rs.score("stheta", theta=theta)
    assert t.exact_place() == (1, F(1, 2))
    assert s.exact_place() == (F(1, 2), F(1, 2))
    orders_alike(lambda a, b, c, d: a / (a + theta * (b + c)), (1, F(1, 2)), TABLES)
    orders_alike(lambda a, b, c, d: (a + d) / (a + d + theta * (b + c)), (F(1, 2), F(1, 2)), TABLES)


@pytest.mark.parametrize("delta", [0, F(1, 4), F(1, 2), 1])
@pytest.mark.parametrize("theta", [F(1, 2), 1, 2])
def test_the_family_of_batyrshin_is_the_segment_from_f1_to_accuracy(delta: Fraction, theta: Fraction) -> None:
    by = rs.score("batyrshin", delta=delta, theta=theta)
    place = (1 / (1 + F(delta)), F(1, 2))
    assert by.exact_place() == place
    assert by.sound == "always"
    orders_alike(lambda a, b, c, d: (a + delta * d) / (a + delta * d + theta * (b + c)), place, TABLES)


def test_the_ends_of_the_families() -> None:
    """T and S of Gower and Legendre are the sides δ = 0 and δ = 1 of Batyrshin's; θ = 0 makes all of them constant."""
    for theta in ("1/2", "1", "3"):
        assert rs.score(f"batyrshin(0, {theta})").importance == rs.score(f"ttheta({theta})").importance
        assert rs.score(f"batyrshin(1, {theta})").importance == rs.score(f"stheta({theta})").importance
    for name in ("ttheta(0)", "stheta(0)", "batyrshin(1/2, 0)"):
        with pytest.raises(rs.NoPlaceError, match=r"no unsatisfying \(fp, fn\) outcome matters"):
            rs.locate(name)

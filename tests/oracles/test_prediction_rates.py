"""Places at fixed prediction rates, by enumeration in fractions: what orders as the ranking score there, and what not."""

import warnings
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import rankscape as rs
from rankscape._scores.catalogue import ROWS
from rankscape._scores.score import ranking_proof
from rankscape._scores.sets import PerformanceSet

RATES = (Fraction(1, 4), Fraction(1, 2), Fraction(5, 6))
TOTAL = 12

PLACED = {
    "ptn": lambda tn, fp, fn, tp: tn,
    "pfp": lambda tn, fp, fn, tp: -fp,
    "pfn": lambda tn, fp, fn, tp: -fn,
    "ptp": lambda tn, fp, fn, tp: tp,
    "determinant": lambda tn, fp, fn, tp: tn * tp - fp * fn,
    "netbenefit(1/5)": lambda tn, fp, fn, tp: tp - fp / Fraction(4),
    "markedness": lambda tn, fp, fn, tp: tn / (tn + fn) + tp / (fp + tp),
    "kappa": lambda tn, fp, fn, tp: 2 * (tn * tp - fp * fn) / ((tn + fp) * (fp + tp) + (tn + fn) * (fn + tp)),
    "gss": lambda tn, fp, fn, tp: (tp - (fn + tp) * (fp + tp)) / (fp + fn + tp - (fn + tp) * (fp + tp)),
    "npv + ppv": lambda tn, fp, fn, tp: tn / (tn + fn) + tp / (fp + tp),
    "npv + 3*ppv": lambda tn, fp, fn, tp: tn / (tn + fn) + 3 * tp / (fp + tp),
    "lift": lambda tn, fp, fn, tp: tp / ((fn + tp) * (fp + tp)),
    "ppv / for": lambda tn, fp, fn, tp: tp / (fp + tp) / (fn / (tn + fn)),
    "2*ppv / (ppv + for + 1)": lambda tn, fp, fn, tp: 2 * tp / (fp + tp) / (tp / (fp + tp) + fn / (tn + fn) + 1),
    "f2": lambda tn, fp, fn, tp: 5 * tp / (5 * tp + 4 * fn + fp),
}
"""Scores that have a place, larger is better, in fractions and without the library."""


def of_rate(rate: Fraction, total: int = TOTAL) -> list[tuple[Fraction, ...]]:
    """Return all confusion matrices of so many cases with this prediction rate, normalized: tn, fp, fn, tp."""
    positive = int(rate * total)
    assert positive == rate * total
    rows = [(tn, positive - tp, total - positive - tn, tp) for tn, tp in product(range(total), repeat=2)]
    return [tuple(Fraction(x, total) for x in row) for row in rows if min(row) >= 0]


def value(formula, row: tuple[Fraction, ...]) -> Fraction | None:
    try:
        return formula(*row)
    except ZeroDivisionError:
        return None


def sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


@pytest.mark.some(15)
@pytest.mark.parametrize("name", PLACED)
@pytest.mark.parametrize("rate", RATES)
def test_a_score_orders_as_the_ranking_score_at_its_place(name: str, rate: Fraction) -> None:
    a, b = rs.score(name).exact_place(prediction_rate=rate)
    assert (float(a), float(b)) == rs.locate(name, prediction_rate=rate)

    def located(tn: Fraction, fp: Fraction, fn: Fraction, tp: Fraction) -> Fraction:
        earned = (1 - a) * tn + a * tp
        return earned / (earned + (1 - b) * fp + b * fn)

    pairs = 0
    for first, second in combinations(of_rate(rate), 2):
        x, y, r, s = (value(f, row) for f in (PLACED[name], located) for row in (first, second))
        if None in (x, y, r, s):
            continue
        assert sign(x - y) == sign(r - s), (first, second)
        pairs += 1
    assert pairs > 100


def test_the_catalogue_has_a_place_exactly_where_there_is_one() -> None:
    """Of all others a blind mixture is before, or behind, both of what it mixes, though all predict equally often."""
    placed = {name.partition("(")[0] for name in PLACED}
    assert {row.key for row in ROWS if row.rate_place} == placed & {row.key for row in ROWS}
    others = [row for row in ROWS if not (row.rate_place or row.importance or row.orders_as or row.direction is None)]
    assert len(others) > 15
    counts = np.array([[int(x * TOTAL) for x in row] for row in of_rate(Fraction(1, 4))])
    first, second = counts[np.array(list(combinations(range(len(counts)), 2))).T]
    for row in others:
        X = rs.score(f"{row.key}(1/3)" if row.parameters else row.key)
        x, y, both = (X(rs.Performances.from_counts(rows)) for rows in (first, second, first + second))
        assert ((both > np.fmax(x, y) + 1e-9) | (both < np.fmin(x, y) - 1e-9)).any(), row.key
        with pytest.raises(rs.NoPlaceError, match="breaks the axioms of ranking, even for fixed prediction rates"):
            X.place(prediction_rate=Fraction(1, 4))


@pytest.mark.parametrize("row", [row for row in ROWS if row.rate_place], ids=lambda row: row.key)
def test_the_catalogue_says_what_is_proved(row) -> None:  # type: ignore[no-untyped-def]
    X = rs.score(f"{row.key}(1/3)" if row.parameters else row.key)
    for rate in (*RATES, Fraction(1, 1000), Fraction(271828, 10**6)):
        proof = ranking_proof(X, PerformanceSet("rate", rate))
        assert proof is not None
        assert proof.sign == (-1 if row.direction == "smaller" else 1)
        tn, fp, fn, tp = proof.importance
        assert X.exact_place(prediction_rate=rate) == (tp / (tn + tp), fn / (fp + fn))


MIRRORED = {  # truth and prediction exchanged: fp and fn, TNR and NPV, TPR and PPV, FPR and FOR
    "ptn": "ptn", "pfp": "pfn", "pfn": "pfp", "ptp": "ptp", "determinant": "determinant", "kappa": "kappa", "gss": "gss", "lift": "lift",
    "youden": "markedness", "ba": "npv + ppv", "sivf": "2*ppv / (ppv + for + 1)", "plr": "ppv / for",
    "wa(1/3)": "2*npv + ppv", "snpv": "npv / (npv + (1 - ppv))",
}  # fmt: skip


@pytest.mark.parametrize("name", MIRRORED)
def test_what_is_at_a_b_at_a_prior_is_at_a_1_b_at_the_prediction_rate(name: str) -> None:
    for share in RATES:
        if name == "snpv":  # tnr / (tnr + fnr) becomes npv / (npv + fdr)
            assert rs.score("npv / (npv + fdr)").exact_place(prediction_rate=share) == (0, 0)
        a, b = rs.score(name).exact_place(share)
        assert rs.score(MIRRORED[name]).exact_place(prediction_rate=share) == (a, 1 - b)


def test_the_correlation_is_1_at_the_place() -> None:
    P = rs.distributions.FixedPredictionRates(0.25).draw(300, rng=1)
    tile_map = rs.tile.correlation("markedness", P, resolution=5)
    assert rs.locate("markedness", prediction_rate=0.25) == (0.75, 0.25)
    assert tile_map.at(0.75, 0.25) == tile_map.values.max() == 1


EQUAL = [[6, 2, 2, 2], [7, 3, 1, 1], [5, 1, 3, 3]]
"""Four of twelve are predicted positive; the priors differ."""


@pytest.mark.parametrize("by", ["markedness", "npv + ppv", "kappa", "ptp"])
def test_ranking_warns_unless_prediction_rates_are_equal(by: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.rank(EQUAL, by=by)
    with pytest.warns(rs.UnsoundScoreWarning):
        rs.rank([*EQUAL, [8, 2, 1, 1]], by=by)


def test_the_warning_says_what_the_rates_are() -> None:
    with pytest.warns(
        rs.UnsoundScoreWarning, match=r"only where prediction rates are equal; here they go from 0.25 to 1"
    ):
        rs.rank([[0, 3, 0, 1], [9, 2, 0, 1]], by="markedness")


def test_flips_take_the_shared_prediction_rate() -> None:
    names = ["a", "b", "c"]
    by_score = rs.regions.flips(rs.Performances.from_counts(EQUAL, names=names), by="markedness")
    assert (by_score.a, by_score.b) == pytest.approx(rs.locate("markedness", prediction_rate=1 / 3))
    with pytest.raises(rs.NoPlaceError, match="has a place on the Tile only where prediction rates are equal"):
        rs.regions.flips([*EQUAL, [8, 2, 1, 1]], by="markedness")


@pytest.mark.parametrize(("name", "shares", "sentence"), [
    ("markedness", {}, r"only for fixed prediction rates: pass prediction_rate= \(the share of positive predictions\)"),
    ("kappa", {}, r"only for fixed priors or fixed prediction rates: pass prior= \(.*\), or pass prediction_rate="),
    ("ba", {}, r"only for fixed priors: pass prior= \(the share of positives\)$"),
    ("markedness", {"prior": 0.3}, "even for fixed priors: at fixed prediction rates it has one, pass prediction_rate="),
    ("ba", {"prediction_rate": 0.3}, "even for fixed prediction rates: at fixed priors it has one, pass prior="),
    ("sqrt(npv*ppv)", {"prediction_rate": 0.3}, "not known to order as a ranking score at this prediction rate"),
    ("-npv - ppv", {"prediction_rate": 0.3}, "it decreases where a ranking score increases"),
    ("fp + tp", {"prediction_rate": 0.3}, "it is constant"),
    ("kappa", {"prediction_rate": 0}, "at the prediction rate 0: both predictions must occur"),
])  # fmt: skip
def test_no_place_says_why(name: str, shares: dict, sentence: str) -> None:
    with pytest.raises(rs.NoPlaceError, match=sentence):
        rs.locate(name, **shares)


def test_wrong_shares_are_refused() -> None:
    with pytest.raises(rs.UsageError, match=r"a prediction rate must lie in \[0, 1\]; got 2"):
        rs.locate("kappa", prediction_rate=2)
    with pytest.raises(rs.UsageError, match="pass prior= or prediction_rate=, not both"):
        rs.locate("f1", 0.3, prediction_rate=0.3)


def test_importances_do_not_need_a_share() -> None:
    assert rs.locate([2, 3, 1, 6], prediction_rate=0.3) == (0.75, 0.25)


def test_shares_are_numbers_of_any_kind_and_nothing_else() -> None:
    """Numbers of numpy and fractions are taken as they are; a yes, a text and what no float holds get a sentence."""
    for share in (0.25, np.float32(0.25), Fraction(1, 4)):
        assert rs.locate("markedness", prediction_rate=share) == rs.locate("markedness", prediction_rate=0.25)
        assert rs.locate("kappa", prior=share) == rs.locate("kappa", prior=0.25)
    for wrong, got in ((True, "got bool"), ("0.2", "got str"), (10**400, "got a huge number"), (2, "got 2")):
        with pytest.raises(rs.UsageError, match=got):
            rs.locate("markedness", prediction_rate=wrong)
        with pytest.raises(rs.UsageError, match=got):
            rs.locate("kappa", prior=wrong)

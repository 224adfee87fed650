"""Audits: what is proved, what is refuted in small integers that check exactly, and what is only not refuted."""

import math
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

import rankscape as rs
from rankscape._scores import as_score
from rankscape._scores.catalogue import ROWS
from rankscape._scores.proofs import mixtures_stay_defined, ratio_of_means
from rankscape._scores.score import ranking_proof
from rankscape._scores.sets import PerformanceSet, share
from rankscape.errors import UnknownScoreError, UsageError
from rankscape.kernels.maps import tau_b_map
from rankscape.ordering import levels
from rankscape.soundness import verdict as correlations
from rankscape.soundness.verdict import (
    STEPS,
    Order,
    _at_random,
    axiom_2,
    extremes,
    holds_against,
    raw_levels,
)

# ---- counterexamples, checked without the library


def domain_is_closed(score: rs.Score) -> bool:
    return mixtures_stay_defined(score.node, PerformanceSet())


def normal(P: tuple) -> tuple:
    return tuple(Fraction(p, sum(P)) for p in P)


def mixed(P1: tuple, P2: tuple, weight: Fraction) -> tuple:
    return tuple(weight * p + (1 - weight) * q for p, q in zip(normal(P1), normal(P2), strict=True))


def rates(P: tuple) -> tuple:
    tn, fp, fn, tp = P
    return tn / (tn + fp), tn / (tn + fn), tp / (fp + tp), tp / (fn + tp)


def signed_square(x: Fraction) -> Fraction:
    return x * abs(x)


def determinant(P: tuple) -> Fraction:
    return P[0] * P[3] - P[1] * P[2]


def probit(x: Fraction) -> mpmath.mpf:
    if not 0 < x < 1:
        raise ZeroDivisionError
    return mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(x.numerator) / x.denominator - 1)


def vut(P: tuple) -> mpmath.mpf:
    tn, fp, fn, tp = (mpmath.mpf(p.numerator) / p.denominator for p in P)

    def inner(a: mpmath.mpf) -> mpmath.mpf:
        s = (1 - a) * tn + a * tp
        if fp == fn:
            return s / (s + fp)
        return s * mpmath.log((s + fn) / (s + fp)) / (fn - fp) if s else mpmath.mpf(0)

    return mpmath.quad(inner, [0, 1])


EXACT = {  # an increasing function of the score; ZeroDivisionError where it is undefined
    "gmean": lambda P: rates_of_classes(P)[0] * rates_of_classes(P)[1],
    "markedness": lambda P: P[0] / (P[0] + P[2]) + P[3] / (P[1] + P[3]) - 1,
    "mcc": lambda P: signed_square(determinant(P)) / ((P[0] + P[1]) * (P[2] + P[3]) * (P[0] + P[2]) * (P[1] + P[3])),
    "or": lambda P: P[0] * P[3] / (P[1] * P[2]),
    "fmi": lambda P: P[3] ** 2 / ((P[1] + P[3]) * (P[2] + P[3])),
    "p4": lambda P: 4 * P[0] * P[3] / (4 * P[0] * P[3] + (P[0] + P[3]) * (P[1] + P[2])),
    "acp": lambda P: sum(rates(P)) / 4,
    "dprime": lambda P: probit(P[3] / (P[2] + P[3])) - probit(P[1] / (P[0] + P[1])),
    "vut": vut,
    "ba": lambda P: sum(rates_of_classes(P)) / 2,
    "youden": lambda P: sum(rates_of_classes(P)) - 1,
    "kappa": lambda P: 2 * determinant(P) / ((P[0] + P[1]) * (P[1] + P[3]) + (P[0] + P[2]) * (P[2] + P[3])),
    "plr": lambda P: rates_of_classes(P)[1] / (1 - rates_of_classes(P)[0]),
    "nlr": lambda P: (1 - rates_of_classes(P)[1]) / rates_of_classes(P)[0],
    "sivf": lambda P: 2 * rates_of_classes(P)[1] / (rates_of_classes(P)[1] + 2 - rates_of_classes(P)[0]),
}
NEVER = ("gmean", "markedness", "mcc", "or", "dprime", "fmi", "p4", "acp", "vut")
FREE = ("ba", "kappa", "youden", "plr", "nlr", "sivf")


def rates_of_classes(P: tuple) -> tuple:
    return P[0] / (P[0] + P[1]), P[3] / (P[2] + P[3])


def refutes(X: object, test: str, example: tuple) -> bool:
    P1, P2, weight = example
    if test == "axiom2":
        assert weight is None
        assert P1[0] == P1[3] == 0 or P2[1] == P2[2] == 0
        return X(normal(P1)) > X(normal(P2))
    x, y, z = X(normal(P1)), X(normal(P2)), X(mixed(P1, P2, weight))
    slack = 0 if isinstance(z, Fraction) else mpmath.mpf("1e-12")
    return {"quasiconvex": z > max(x, y) + slack, "quasiconcave": z < min(x, y) - slack}[test]


@pytest.mark.some(8)
@pytest.mark.parametrize(("name", "prior"), [*product(NEVER, (None, 0.2, 0.5)), *((name, None) for name in FREE)])
def test_the_audit_finds_counterexamples_by_itself(name: str, prior: float | None) -> None:
    verdict = rs.audit(name, priors=prior, statistic=None)
    examples = {test: f.counterexample for test, f in verdict.findings.items() if f.status == "refuted"}
    assert examples
    assert not verdict.sound
    assert verdict.status == "refuted"
    for test, example in examples.items():
        if test == "axiom2" and verdict.better == "smaller":
            continue
        assert refutes(EXACT[name], test, example)
        assert all(math.gcd(*P) == 1 and max(P) <= 100 for P in example[:2])
        if prior is not None:
            assert {Fraction(P[2] + P[3], sum(P)) for P in example[:2]} == {Fraction(str(prior))}
    for finding in verdict.findings.values():
        assert finding.holds == (finding.status != "refuted") == (finding.counterexample is None)


def test_the_check_of_counterexamples_can_fail() -> None:
    assert not refutes(EXACT["mcc"], "quasiconvex", ((1, 0, 0, 1), (1, 1, 1, 1), Fraction(1, 2)))
    order = Order.of(rs.score("mcc"), PerformanceSet())
    assert not holds_against(order, "quasiconvex", ((1, 0, 0, 1), (1, 1, 1, 1), Fraction(1, 2)))


# ---- proofs


@pytest.mark.parametrize(
    "row", [row for row in ROWS if (row.importance or row.orders_as) and not row.parameters], ids=lambda r: r.key
)
def test_every_ranking_score_is_proved(row: object) -> None:
    verdict = rs.audit(row.key, statistic=None)
    assert verdict.status == "proved"
    assert verdict.importance == rs.score(row.key).orders_as
    assert {f.status for f in verdict.findings.values()} == {"proved"}
    assert rs.audit(row.key, priors=0.3, statistic=None).status == "proved"
    assert rs.audit(row.key, prediction_rates=0.3, statistic=None).status == "proved"


@pytest.mark.parametrize("row", [row for row in ROWS if row.place and not row.parameters], ids=lambda r: r.key)
def test_scores_with_a_place_at_fixed_priors_are_proved_there_also_from_their_formula(row: object) -> None:
    X = rs.score(row.key)
    verdict = rs.audit(X, priors=0.3, statistic=None)
    assert verdict.status == "proved"
    a, b = X.exact_place(Fraction(3, 10))
    assert verdict.importance == (1 - a, 1 - b, b, a)
    if row.direction == "larger":  # the same from an expression, of which the catalogue says nothing
        again = rs.audit(f"({row.formula})", priors=0.3, statistic=None)
        assert again.score.sound == "unknown"
        assert again.status == "proved"
        tn, fp, fn, tp = again.importance
        assert (tp / (tn + tp), fn / (fp + fn)) == (a, b)


@pytest.mark.parametrize("text", ["2*f1 - 1", "sqrt(accuracy)", "tp/(fp+fn)", "log(tpr)", "1 - fpr", "exp(tpr)"])
def test_monotone_functions_of_ranking_scores_are_proved(text: str) -> None:
    verdict = rs.audit(text, statistic=None)
    assert verdict.axiom2.status == verdict.quasiconvex.status == verdict.quasiconcave.status == "proved"
    assert verdict.importance is not None


@pytest.mark.parametrize("text", ["tp + fp", "2*tpr + fpr", "tpr/(3 - fpr)"])
def test_a_ratio_of_means_that_earns_by_errors_is_no_ranking_score(text: str) -> None:
    verdict = rs.audit(text, priors=0.7, statistic=None)
    assert verdict.axiom2.status == "refuted"
    assert verdict.quasiconvex.status == verdict.quasiconcave.status == "proved"
    assert verdict.importance is None


def test_what_was_only_not_refuted_is_never_called_proved() -> None:
    for name, prior in (("gmean", 0.2), ("mcc", None)):
        verdict = rs.audit(name, priors=prior, statistic=None)
        assert verdict.axiom2.status == "not refuted"
        assert verdict.axiom2.holds
        assert "searched" in verdict.axiom2.how
    concave = rs.audit("gmean", priors=0.2, statistic=None).quasiconcave
    assert (concave.status, concave.holds) == ("not refuted", True)
    assert "5000 random mixtures" in concave.how


def test_a_domain_that_mixtures_leave_is_found() -> None:
    verdict = rs.audit("tp*(tp-2*fp)/((tp+fn)*(tp-2*fp))", statistic=None)  # recall, but undefined where tp = 2·fp
    assert verdict.score.orders_as is not None
    assert verdict.axiom2.status == "proved"
    assert verdict.domain.status == "refuted"
    P1, P2, weight = verdict.domain.counterexample
    middle = mixed(P1, P2, weight)
    assert 2 * middle[1] == middle[3]
    assert 2 * P1[1] != P1[3]
    assert 2 * P2[1] != P2[3]
    assert not verdict.sound


def test_markedness_and_kappa_at_a_fixed_prediction_rate() -> None:
    verdict = rs.audit("markedness", prediction_rates=Fraction(1, 5))
    assert verdict.status == "proved"
    assert verdict.tau_max == 1
    a, b = verdict.at_max
    P = verdict.among.lattice()
    assert {Fraction(int(c[1] + c[3]), int(c.sum())) for c in P.counts} == {Fraction(1, 5)}
    defined = ~np.isnan(rs.score("markedness")(P))
    assert rs.kendall_tau(
        rs.score("markedness")(P)[defined].round(12), rs.ranking_score(P[defined], rs.at(a, b)).round(12)
    ) == pytest.approx(1)
    assert rs.audit("kappa", prediction_rates=0.2, statistic=None).status == "proved"
    assert rs.audit("youden", prediction_rates=0.2, statistic=None).status == "refuted"


# ---- directions, functions, constants


def test_the_direction_of_a_score_counts_unless_larger_is_asked_for() -> None:
    own, printed = rs.audit("error rate"), rs.audit("error rate", direction="larger")
    assert (own.status, own.better, own.tau_max, own.closest) == ("proved", "smaller", 1, "error rate")
    assert own.importance == (1, 1, 1, 1)
    assert (printed.status, printed.axiom2.status, printed.importance) == ("refuted", "refuted", None)
    assert printed.quasiconvex.status == "proved"
    assert (printed.tau_min, printed.tau_max) == (-own.tau_max, -own.tau_min)
    assert own.tau_min == pytest.approx(rs.audit("accuracy").tau_min)
    assert own.sound_if is None
    assert printed.sound_if == "smaller"
    assert "ER) on all performances: NOT sound for ranking if larger is better; sound if smaller is better" in repr(
        printed
    )
    assert "with ranking scores, smaller being better, on the 6545" in repr(own)


def test_a_decreasing_function_of_a_ranking_score_is_sound_if_smaller_is_better() -> None:
    asked = rs.audit("1 - f1", statistic=None)
    assert (asked.status, asked.axiom2.status, asked.sound_if) == ("refuted", "refuted", "smaller")
    assert repr(asked).splitlines()[0].endswith("NOT sound for ranking if larger is better; sound if smaller is better")
    turned = rs.audit("1 - f1", direction="smaller")
    assert (turned.status, turned.sound_if, turned.tau_max, turned.better) == ("proved", None, 1, "smaller")
    assert turned.importance == (0, 1, 1, 2)
    wrong = rs.audit("f1", direction="smaller", statistic=None)
    assert (wrong.status, wrong.sound_if) == ("refuted", "larger")
    assert rs.audit("mcc", direction="smaller", statistic=None).sound_if is None


def test_a_function_may_divide_zero_by_zero() -> None:
    def recall(P: rs.Performances) -> np.ndarray:
        return P.mass[:, 3] / (P.mass[:, 2] + P.mass[:, 3])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        verdict = rs.audit(recall, statistic=None)
    assert verdict.status == "not refuted"
    assert "more can be proved of an expression" in repr(verdict)
    assert "more can be proved" not in repr(rs.audit("gmean", priors=0.2, statistic=None))


def test_performances_are_not_audited() -> None:
    for P in (rs.Performances.from_counts([[1, 2, 3, 4]]), rs.tasks.regression.evaluate([1], [2])):
        with pytest.raises(UsageError, match="audit is about a score, not about performances"):
            rs.audit(P)


def test_functions_are_compared_in_floating_point_and_noise_proves_nothing() -> None:
    def informedness(P: rs.Performances) -> np.ndarray:
        tn, fp, fn, tp = P.mass.T
        return tn / (tn + fp) + tp / (fn + tp) - 1

    there = rs.audit(informedness, priors=0.3, statistic=None)
    assert there.status == "not refuted"
    assert not there.exact
    assert "floating point" in repr(there)
    anywhere = rs.audit(lambda P: P.mass[:, 0] * P.mass[:, 3], statistic=None)
    assert anywhere.quasiconvex.status == "refuted"
    assert "in floating point" in anywhere.quasiconvex.how
    noisy = rs.audit(lambda P: (P.mass[:, 2] + P.mass[:, 3]) * 1e-3, priors=0.3, statistic=None)
    assert noisy.status == "not refuted"


def test_an_expression_is_told_the_name_of_what_it_is() -> None:
    assert rs.audit("2*tp/(2*tp+fp+fn)").closest == rs.score("f1").name
    assert rs.audit("tpr + tnr", priors=0.2).closest == "balanced accuracy"
    assert rs.audit("jaccard").closest == rs.score("jaccard").name


def test_counterexamples_of_hard_priors_fit_into_64_bits() -> None:
    for what in ("mcc", lambda P: P.mass[:, 0] * P.mass[:, 3]):
        verdict = rs.audit(what, priors=0.123457, statistic=None)
        assert verdict.quasiconvex.status == "refuted"
        assert verdict.quasiconcave.status == ("refuted" if what == "mcc" else "not refuted")


@pytest.mark.parametrize("text", ["5", "2/3", "0*tpr + 1"])
def test_constants_are_proved(text: str) -> None:
    verdict = rs.audit(text, statistic=None)
    assert verdict.axiom2.status == verdict.quasiconvex.status == verdict.quasiconcave.status == "proved"
    assert verdict.axiom2.how.startswith("constant")


def test_axiom_2_is_searched_at_random_too() -> None:
    def spike(P: rs.Performances) -> np.ndarray:  # good only off all lattices, on the edge of what never satisfies
        fp, total = P.integers[:, 1], P.integers.sum(axis=1)
        lattice = np.any([(fp * steps) % total == 0 for steps in STEPS], axis=0)
        return np.where((P.mass[:, 0] + P.mass[:, 3] == 0) & ~lattice, 1.0, 0.0)

    example, where = axiom_2(Order.of(as_score(spike), PerformanceSet()), PerformanceSet(), 1)
    assert where == "at random"
    assert example[0][0] == example[0][3] == 0
    assert "at random" in rs.audit("ba", statistic=None).axiom2.how


def test_a_constant_is_proved_and_correlates_with_nothing() -> None:
    verdict = rs.audit("chance", priors=0.5)  # erratum 10
    assert verdict.status == "proved"
    assert "constant" in verdict.axiom2.how
    assert verdict.at_max is None
    assert math.isnan(verdict.tau_max)


def test_random_mixtures_find_what_lattices_would() -> None:
    for prior in (None, Fraction(1, 5)):
        place = PerformanceSet() if prior is None else PerformanceSet("prior", prior)
        order = Order.of(rs.score("mcc"), place)
        (random,) = _at_random(order, place)
        assert set(random) == {"quasiconvex", "quasiconcave"}
        assert all(holds_against(order, test, example) for test, (example, _) in random.items())


# ---- correlations


def test_the_extremes_are_what_scipy_finds_there() -> None:
    verdict = rs.audit("mcc", priors=0.2)
    P = verdict.among.lattice()
    X = rs.score("mcc")(P)
    for tau, at in ((verdict.tau_min, verdict.at_min), (verdict.tau_max, verdict.at_max)):
        values = rs.ranking_score(P, rs.at(*at))
        assert rs.kendall_tau(X.round(13), values.round(13)) == pytest.approx(tau, abs=1e-3)
    assert verdict.closest == "balanced accuracy"
    grid = rs.tile.correlation("mcc", P, resolution=10).values
    assert verdict.tau_min <= np.nanmin(grid) + 1e-12
    assert verdict.tau_max >= np.nanmax(grid) - 1e-12


def accuracy_as_a_function(P: rs.Performances) -> np.ndarray:
    return P.mass[:, 0] + P.mass[:, 3]


def f3_as_a_function(P: rs.Performances) -> np.ndarray:
    _, fp, fn, tp = P.mass.T
    return 10 * tp / (10 * tp + 9 * fn + fp)


def two_class_kappa(P: rs.Performances) -> np.ndarray:
    tn, fp, fn, tp = P.mass.T
    return 2 * (tn * tp - fp * fn) / ((tn + fp) * (fp + tp) + (tn + fn) * (fn + tp))


@pytest.mark.some(1)
@pytest.mark.parametrize(("what", "prior", "at"), [
    (accuracy_as_a_function, None, (0.5, 0.5)),
    (accuracy_as_a_function, 0.2, (0.5, 0.5)),
    (f3_as_a_function, None, (1, 0.9)),
    (lambda P: -f3_as_a_function(P), None, (1, 0.9)),
    (two_class_kappa, 0.2, (16 / 17, 0.5)),
    (lambda P: P.mass[:, 0] * 3 + P.mass[:, 3] * 7 - P.mass[:, 2] * 7 - P.mass[:, 1] * 3, 0.5, (0.7, 0.7)),
])  # fmt: skip
def test_a_function_that_is_a_ranking_score_correlates_perfectly_with_it(
    what: object, prior: float | None, at: tuple
) -> None:
    verdict = rs.audit(what, priors=prior)
    found = (verdict.tau_max, verdict.at_max) if verdict.tau_max == 1 else (-verdict.tau_min, verdict.at_min)
    assert found[0] == 1
    if prior != 0.5:  # there, many places order alike
        assert found[1] == pytest.approx(at)


def test_the_search_goes_further_than_that_of_the_paper() -> None:
    for name, prior in (("ba", None), ("mcc", None), ("gmean", Fraction(1, 5)), ("predictionrate", None)):
        place = PerformanceSet() if prior is None else PerformanceSet("prior", prior)
        low, high = extremes(place.lattice(), rs.score(name), place)
        printed = extremes(place.lattice(), rs.score(name), place, search="paper")
        assert low[0] <= printed[0][0] + 1e-12
        assert high[0] >= printed[1][0] - 1e-12
        for _, (a, b) in (low, high):
            assert 0 <= a <= 1
            assert 0 <= b <= 1


def test_extremes_or_none() -> None:
    assert math.isnan(rs.audit("mcc", statistic=None).tau_max)
    with pytest.raises(UsageError, match="statistic='spearman': expected 'kendall' or None"):
        rs.audit("mcc", statistic="spearman")


def test_the_lattice_of_a_search_is_made_once_and_its_counts_stay_in_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    windows: list[str] = []

    def counted_map(integers: np.ndarray, *args: Any, **options: Any) -> np.ndarray:
        windows.append(integers.dtype.name)
        return tau_b_map(integers, *args, **options)

    monkeypatch.setattr(correlations, "tau_b_map", counted_map)
    place = PerformanceSet()
    assert place.lattice() is PerformanceSet().lattice()
    extremes(place.lattice(), rs.score("f1"), place, search="paper")
    assert windows == ["int64"] * (1 + 2 * len(correlations.WINDOWS["paper"][1]))


def test_levels_are_those_of_the_values() -> None:
    P = PerformanceSet().lattice()[:50]
    for name in ("fpr", "tpr"):
        X, level = rs.score(name)(P), raw_levels(P, rs.score(name))
        for i, j in product(range(50), repeat=2):
            if not np.isnan(X[[i, j]]).any():
                assert np.sign(X[i] - X[j]) == np.sign(level[i] - level[j])


# ---- what is shown, and what is refused


def test_a_verdict_fits_on_a_screen() -> None:
    shown = {name: repr(rs.audit(name)) for name in ("mcc", "f1", "vut", "2*tp/(2*tp+fp+fn)")}
    for lines in map(str.splitlines, shown.values()):
        assert len(lines) <= 16
        assert max(map(len, lines)) <= 120
    text = shown["mcc"]
    assert "MCC(0, 1, 1, 2) = -0.3333, MCC(2, 1, 1, 0) = -0.3333; their middle (1, 1, 1, 1): 0" in text
    assert text.startswith("Matthews correlation coefficient (MCC) on all performances: NOT sound")


def test_the_table_has_a_row_per_test() -> None:
    table = rs.audit("fmi", statistic=None).table()
    assert table["test"] == ["axiom2", "quasiconvex", "quasiconcave", "domain"]
    row = table["test"].index("quasiconcave")
    assert (table["p1"][row], table["p2"][row], table["weight"][row]) == ("0 0 1 1", "0 1 0 1", "1/2")
    assert "refuted" in repr(table)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"priors": 0}, "must lie inside"),
        ({"priors": 1.0}, "must lie inside"),
        ({"priors": float("nan")}, "must lie inside"),
        ({"prediction_rates": -0.2}, "must lie inside"),
        ({"priors": "0.2"}, "None or a number"),
        ({"priors": True}, "None or a number"),
        ({"priors": [0.2, 0.3]}, "None or a number"),
        ({"priors": 0.2, "prediction_rates": 0.2}, "not both"),
        ({"priors": 1.2345e-9}, "too close to 0 or 1"),
        ({"prior": 0.2}, r"audit\(\) takes no prior=: did you mean priors=\?"),
        ({"prediction_rate": 0.2}, "did you mean prediction_rates="),
        ({"statistic": "pearson"}, "statistic"),
        ({"direction": "up"}, "direction"),
    ],
)
def test_what_means_nothing_is_refused(keywords: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rs.audit("f1", **keywords)


def test_unknown_scores_and_other_spaces_are_refused() -> None:
    with pytest.raises(UnknownScoreError):
        rs.audit("no such score")
    space = rs.SampleSpace("retrieval", ("fp", "fn", "tp"), (0.0, 0.0, 1.0))
    from rankscape._scores import score_of_importance

    with pytest.raises(UsageError, match="two-class"):
        rs.audit(score_of_importance([1, 1, 1], space))


@pytest.mark.parametrize("text", ["__import__('os')", "tp.__class__", "(" * 10_000 + "tp" + ")" * 10_000])
def test_hostile_expressions_are_refused_at_once(text: str) -> None:
    with pytest.raises(UsageError):
        rs.audit(text)


@pytest.mark.parametrize(
    ("what", "prior"),
    [
        ("tp/(fp-fp)", None),
        ("1/0", None),
        ("9**9**9", 0.2),
        ("tp/(0.5*(fn+tp)-0.5*(tn+fp))", 0.5),
        (lambda P: np.full(len(P), np.nan), None),
    ],
)
def test_what_is_never_defined_is_refused(what: object, prior: float | None) -> None:
    with pytest.raises(UsageError, match="has no value on .*performances"):
        rs.audit(what, priors=prior)


def test_shares_are_what_was_written() -> None:
    assert share("priors", 0.3) == share("priors", np.float64(0.3)) == Fraction(3, 10)
    assert share("priors", Fraction(1, 3)) == share("priors", 1 / 3) == Fraction(1, 3)
    assert rs.audit("kappa", priors=1 / 3, statistic=None).among.description == "performances of the prior π₊ = 1/3"


@pytest.mark.parametrize(
    "value",
    [0.6274165202, 0.1 + 0.2, math.pi / 4, 0.99999123456, 1.2345678e-4, Fraction(1, 10**9 + 7) + Fraction(1, 2)],
)
def test_shares_with_many_digits_are_taken_as_a_short_fraction(value: float) -> None:
    near = share("priors", value)
    assert abs(near - Fraction(value)) <= 1e-6
    assert near.denominator < 10**6
    verdict = rs.audit("mcc", priors=value, statistic=None)
    assert verdict.quasiconvex.status == "refuted"
    if near != Fraction(3, 10):
        assert f"(for {float(value):.15g})" in repr(verdict)
    assert share("priors", 0.1 + 0.2) == Fraction(3, 10)


def test_lattices_are_those_of_the_paper() -> None:
    assert {tuple(row) for row in PerformanceSet().lattice().counts} == {
        tuple(row) for row in rs.distributions.Uniform().lattice(32).counts
    }
    P = PerformanceSet("prior", Fraction(1, 5)).lattice()
    assert len(P) == 81**2
    assert {Fraction(int(row[2] + row[3]), int(row.sum())) for row in P.counts} == {Fraction(1, 5)}


# ---- constants, powers, exponentials


@pytest.mark.some(1)
@pytest.mark.parametrize("text", ["sqrt(2)*tn/3 + tp*sqrt(2)/3 + tn*tp*0", "sqrt(2)*tp/(sqrt(2)*tp + fp)"])
def test_irrational_constants_refute_nothing_in_exact_arithmetic(text: str) -> None:
    audit = rs.audit(text, statistic=None)
    assert (audit.status, audit.exact, audit.importance) == ("not refuted", False, None)


def test_rounded_constants_prove_nothing() -> None:
    tiny = "tn + tp + exp(-800)*1e100*1e100*1e100*1e100*tn*tp"
    for text in (tiny, "sqrt(2)*tn + sqrt(2)*tp"):
        assert rs.score(text).importance is None
        assert ratio_of_means(rs.score(text).node, PerformanceSet()) is None


def test_an_exponential_that_overflows_is_undefined_there() -> None:
    assert not domain_is_closed(rs.score("exp(4000*tn*tp)"))
    assert domain_is_closed(rs.score("exp(5*tpr)"))
    audit = rs.audit("exp(4000*tn*tp)", statistic=None)
    assert audit.domain.status == "refuted"


@pytest.mark.parametrize(
    ("text", "closed"),
    [("(tn + fp + fn + tp)**32", True), ("(tp - fp)**2", True), ("(tp - fp)**-2", False), ("(tp + fp)**-2", True)],
)
def test_whole_powers_are_defined_where_their_base_is(text: str, closed: bool) -> None:
    assert domain_is_closed(rs.score(text)) == closed


def test_a_constant_power_is_proved_constant() -> None:
    assert rs.audit("(tn + fp + fn + tp)**32", statistic=None).status == "proved"


def test_functions_that_fail_or_are_none_say_so() -> None:
    with pytest.raises(UsageError, match="the values of <lambda> must be numbers"):
        rs.audit(lambda P: ["a"] * len(P))
    with pytest.raises(UsageError, match="<lambda> failed .ZeroDivisionError: division by zero"):
        rs.audit(lambda P: 1 / 0)
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match="is not a function of performances: called twice, it gave other values"):
        rs.audit(lambda P: rng.random(len(P)))


# ---- proofs that a small slip would make wrong


@pytest.mark.parametrize("text", ["tp - 5*fp + 2*tn", "3*tn + tp - 2*fp", "tp - 4*fn"])
@pytest.mark.parametrize("fixed", ["priors", "prediction_rates"])
def test_the_importance_that_is_proved_orders_alike(text: str, fixed: str) -> None:
    place = PerformanceSet({"priors": "prior", "prediction_rates": "rate"}[fixed], Fraction(1, 4))
    proof = ranking_proof(rs.score(text), place)
    assert proof is not None
    P = place.lattice()
    mine, _ = levels(P, rs.score(text))
    assert (mine == levels(P, as_score(proof.importance))[0]).all()


def test_what_decreases_with_a_satisfying_outcome_is_not_proved() -> None:
    assert ranking_proof(rs.score("(tn - tp)/(fp + fn)"), PerformanceSet()) is None
    assert ranking_proof(rs.score("(tn + tp)/(fp - fn)"), PerformanceSet()) is None


def test_powers_by_what_is_not_positive_do_not_increase() -> None:
    proof = ranking_proof(rs.score("(tn + tp)**0"), PerformanceSet())
    assert proof is not None
    assert proof.sign == 0
    proof = ranking_proof(rs.score("(tn + tp)**x", x=-1), PerformanceSet())
    assert proof is None or proof.sign < 0
    assert not domain_is_closed(rs.score("(tn - tp)**x", x=-2))


def test_roots_of_what_is_negative_are_not_proved_to_be_defined() -> None:
    assert not domain_is_closed(rs.score("sqrt(-tn*tp)"))
    assert domain_is_closed(rs.score("sqrt(tn*tp)"))
    assert not domain_is_closed(rs.score("log(-tn*tp)"))

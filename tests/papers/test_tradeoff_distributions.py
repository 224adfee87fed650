"""Facts of the optimal trade-off paper about families of performances, each named by its id, with its tolerance."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import kendalltau

import rankscape as rs
from rankscape.distributions import (
    AboveNoSkill,
    CloseToOracle,
    FixedPriors,
    FixedTrueNegatives,
    Uniform,
)

L3, L4 = 0.615849721729478, 0.480422685893262  # const-l3, const-l4


def adaptation(family: type, priors: object) -> np.ndarray:
    """Return b = β²/(1 + β²) of the optimal β at each prior."""
    squared = np.array([family(prior).optimal_beta() ** 2 for prior in np.asarray(priors)])
    return squared / (1 + squared)


@pytest.mark.parametrize("prior", [0.01, 0.3, 0.9])
def test_const_l3_and_const_l4_the_optimal_l(prior: float) -> None:  # eqs (20), (21)
    odds = prior / (1 - prior)
    assert FixedPriors(prior).optimal_beta() ** 2 * odds == pytest.approx(L3, abs=1e-12)
    assert AboveNoSkill(prior).optimal_beta() ** 2 * odds == pytest.approx(L4, abs=1e-12)


@pytest.mark.parametrize(("family", "ell", "half"), [(FixedPriors, 0.61585, 5e-6), (AboveNoSkill, 0.48, 5e-3)])
def test_equations_20_and_21_adaptation_to_the_prior(family: type, ell: float, half: float) -> None:
    priors = np.linspace(0.01, 0.99, 33)
    found = adaptation(family, priors)
    for printed, compare in ((ell - half, np.greater), (ell + half, np.less)):
        assert compare(found, printed * (1 - priors) / (priors + printed * (1 - priors))).all()


@pytest.mark.parametrize("prior", [0.02, 0.5, 0.95])
def test_O_sivf_degree_of_optimality_of_sivf(prior: float) -> None:  # O-sivf, Table 1: log 4 − 1/2 and 5/6
    expected = [0.8862943611198906, 0.8333333333333334]
    found = [family.optimality(family.sivf_beta) for family in (FixedPriors(prior), AboveNoSkill(prior))]
    assert found == pytest.approx(expected, abs=1e-12)
    assert [f.heuristic_beta == f.sivf_beta for f in (FixedPriors(prior), AboveNoSkill(prior))] == [True, True]


def test_tau34_1_correlations_on_fixed_priors() -> None:  # tau34-1, eqs (58), (59), (64), (65), at l = 0.3
    prior = 0.4
    beta = math.sqrt(0.3 * (1 - prior) / prior)
    found = [*FixedPriors(prior).tau(beta), *AboveNoSkill(prior).tau(beta)]
    expected = [0.8319703361914085, 0.6680296638085915, 0.6083720237367267, 0.3916279762632733]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("prior", "ell", "expected"), [
    (0.5, 0.5, [0.19314718055994531, 0.6931471805599453, 0.5]),
    (0.1, 0.05, [0.4173158653456055, 0.7505680822246116, 0.6667477831209939]),
    (0.9, 9.0, [0.0342017682839304, 0.5009275493445775, 0.5332742189393529]),
])  # fmt: skip
def test_tau5_1_correlations_close_to_the_oracle(
    prior: float, ell: float, expected: list[float]
) -> None:  # tau5-1; A.3.6
    family = CloseToOracle(prior)
    found = [family.tau_ends, *family.tau(math.sqrt(ell * (1 - prior) / prior))]
    assert found == pytest.approx(expected, abs=1e-11)


def test_fig5f_optimal_beta_close_to_the_oracle() -> None:  # fig5f, Fig. 5f
    expected = {
        0.01: 0.7815338615561873, 0.1: 0.7772775424908068, 0.2: 0.7928840908746897,
        0.5: 0.868492126982392, 0.9: 0.9746926691995348, 0.99: 0.9974968797265322,
    }  # fmt: skip
    assert [CloseToOracle(prior).optimal_beta() for prior in expected] == pytest.approx([*expected.values()], abs=1e-9)


def test_the_optimal_beta_close_to_the_oracle_falls_before_it_rises() -> None:  # erratum 8: printed as increasing
    found = adaptation(CloseToOracle, [1e-6, 0.01, 0.06, 0.1, 0.3, 0.6, 0.9, 1 - 1e-6])
    assert (np.diff(found) > 0).tolist() == [False, False, True, True, True, True, True]
    assert found[[0, -1]] == pytest.approx([L3 / (1 + L3), 0.5], abs=1e-6)  # as on Π₃ with balanced priors; F₁


def test_pi5_minO_least_optimality_of_F1_close_to_the_oracle() -> None:  # pi5-minO, erratum 9: printed as 87.85 %
    least = minimize_scalar(lambda prior: CloseToOracle(prior).optimality(), bounds=(0.01, 0.5), method="bounded")
    assert least.fun == pytest.approx(0.878821374276, abs=1e-9)
    assert CloseToOracle(0.0930662).optimality() == pytest.approx(0.878821374276, abs=1e-9)


def test_tau1_1_correlations_on_all_performances() -> None:  # tau1-1, 4.1 and 4.2
    for family in (Uniform(), FixedTrueNegatives(0), FixedTrueNegatives(0.9)):
        assert family.tau(2.0) == pytest.approx([0.4972488998558889, 0.8360844334774444], abs=1e-12)
        assert [family.tau_ends, *family.tau(1)] == pytest.approx([1 / 3, 2 / 3, 2 / 3], abs=1e-15)  # (48)-(53)
        assert family.optimal_beta() == family.heuristic_beta == 1
        assert family.optimality() == 1


def test_table_1_correlation_of_precision_and_recall() -> None:  # (57), (63), (69): none depends on the prior but Π₅'s
    assert [FixedPriors(0.1).tau_ends, AboveNoSkill(0.1).tau_ends] == [0.5, 0]
    close = [CloseToOracle(prior).tau_ends for prior in (1e-6, 0.1, 0.5, 0.9, 1 - 1e-6)]
    assert 0.5 > close[0] > close[1] > close[2] > close[3] > close[4] > 0
    assert [close[0], close[4]] == pytest.approx([0.5, 0], abs=1e-5)


@pytest.mark.parametrize(("family", "beta", "printed"), [
    (FixedPriors, lambda f: 1.0, 0.381), (AboveNoSkill, lambda f: 1.0, 0.325), (CloseToOracle, lambda f: f.sivf_beta, 0.561),
])  # fmt: skip
def test_table_1_priors_at_which_F1_or_sivf_is_optimal(family, beta, printed: float) -> None:
    prior = brentq(lambda p: family(p).optimal_beta() - beta(family(p)), 0.1, 0.9)
    assert prior == pytest.approx(printed, abs=5e-4)
    assert family(prior).optimality(beta(family(prior))) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("family", [FixedPriors, AboveNoSkill])
def test_table_1_F1_can_be_as_bad_as_an_end(family: type) -> None:
    found = [family(prior).optimality() for prior in (1e-9, 0.3, 1 - 1e-9)]
    assert found[::2] == pytest.approx([0.5, 0.5], abs=1e-6)
    assert found[1] > 0.8


def test_table_1_sivf_close_to_the_oracle_can_be_as_bad_as_an_end() -> None:
    found = [(f := CloseToOracle(prior)).optimality(f.sivf_beta) for prior in (1e-6, 0.3, 1 - 1e-6)]
    assert found == pytest.approx([0.5, 0.711830819641, 0.5], abs=1e-6)


def test_monotone_in_the_prior_above_no_skill() -> None:  # erratum 7: 4.4 has it the other way round
    pr_f, f_re = np.array([AboveNoSkill(prior).tau(1) for prior in np.linspace(0.01, 0.99, 30)]).T
    assert (np.diff(pr_f) < 0).all()
    assert (np.diff(f_re) > 0).all()
    assert [pr_f[0], f_re[0], pr_f[-1], f_re[-1]] == pytest.approx([1, 0, 0, 1], abs=0.03)


def test_sivf_is_beside_the_way_on_all_performances() -> None:  # 4.1: 0.43 and 0.81, whose sum is not 1 + 1/3
    tn, fp, fn, tp = Uniform().draw(100_000, rng=0).mass.T
    sivf = rs.score("sivf")(rs.Performances.from_probabilities(np.stack([tn, fp, fn, tp], axis=-1)))
    found = [kendalltau(end, sivf).statistic for end in (tp / (tp + fp), tp / (tp + fn))]
    assert found == pytest.approx([0.43, 0.81], abs=0.005 + 5 * 0.001)  # half a unit, and the error of these draws
    assert sum(found) < 1 + 1 / 3 - 0.05


def test_sivf_on_detection_is_recall() -> None:  # 4.2: τ(Pr;SIVF) = 1/3 and τ(SIVF;Re) = 1 for p_tn = 0
    family = FixedTrueNegatives(0)
    assert family.tau(family.sivf_beta) == pytest.approx((1 / 3, 1), abs=1e-15)

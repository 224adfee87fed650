"""Families of performances: what they say about precision against recall, against 200 digits and against draws."""

import math
import pickle

import numpy as np
import pytest
from mpmath import log, mp, mpf
from scipy.stats import kendalltau

import rankscape as rs
from rankscape.distributions import (
    AboveNoSkill,
    CloseToOracle,
    FixedPredictionRates,
    FixedPriors,
    FixedTrueNegatives,
    Uniform,
)

FAMILIES = [
    Uniform(), FixedTrueNegatives(0), FixedTrueNegatives(0.6), FixedPriors(0.2), FixedPriors(0.7), AboveNoSkill(0.3),
    CloseToOracle(0.1), CloseToOracle(0.8), FixedPredictionRates(0.2), FixedPredictionRates(0.6),
]  # fmt: skip
every_family = pytest.mark.parametrize("family", FAMILIES, ids=repr)
PRIORS = [1e-12, 1e-6, 1e-3, 0.05, 0.3, 0.4999, 0.5, 0.5001, 0.7, 0.99, 0.999, 0.9999, 1 - 1e-6, 1 - 1e-12]
BETAS = np.array([*np.logspace(-8, 8, 33), *np.linspace(0.4, 2.1, 18), 1 - 1e-9, 1, 1 + 1e-9, math.sqrt(2)])
DIGITS = 200  # the closed forms lose up to 140 of them where ℓ is 1e28


# the closed forms as they are printed or derived, from τ(Pr;Re), τ(F_β;Re) and k = β² in many digits


def exact_uniform(k, prior):
    """Conventions: τ(F_β;Re) = 1 − 4J(k), J(k) = [(k−1)(2k²+5k−1) − 6k² ln k]/(6(k−1)⁴), J(1) = 1/12."""
    J = mpf(1) / 12 if k == 1 else ((k - 1) * (2 * k**2 + 5 * k - 1) - 6 * k**2 * log(k)) / (6 * (k - 1) ** 4)
    return mpf(1) / 3, 1 - 4 * J


def exact_fixed_priors(k, prior):
    """Optimal trade-off, (59): τ(F_β;Re) = ½ + ℓ − ℓ² ln(1+1/ℓ), ℓ = kπ₊/π₋."""
    x = k * prior / (1 - prior)
    return mpf(1) / 2, mpf(1) / 2 + x - x**2 * log(1 + 1 / x)


def exact_above_no_skill(k, prior):
    """Optimal trade-off, (65): τ(F_β;Re) = ⅔ℓ(−6ℓ² + 6(ℓ²−1)ℓ ln(1+1/ℓ) + 3ℓ + 4)."""
    x = k * prior / (1 - prior)
    return mpf(0), 2 * x / 3 * (-6 * x**2 + 6 * (x**2 - 1) * x * log(1 + 1 / x) + 3 * x + 4)


def exact_close_to_oracle(k, p):
    """Optimal trade-off, (69), and two pieces derived here, p = π₊, q = 1−p, ℓ = kp/q:

    ℓ ≥ p²/q: τ(F_β;Re) = 1 − {p²(1+3p²)/2 − ℓp(1−p²) + [ℓ²(1−p²) − 2ℓp³ − p⁴] ln(1+p/ℓ)}/(pq)²,
    ℓ < p²/q: τ(F_β;Re) = [3p³ − p² + 6ℓp² − 2ℓp − 4ℓ²q]/(2p²(p−1)) − [p⁴ + 2ℓp³ − ℓ²(1−p²)] ln p/(pq)².
    """
    q = 1 - p
    x = k * p / q
    ends = 1 - (-(p**4) + 2 * p**4 * log(p) + p**2) / (2 * q**2 * p**2)
    if x >= p**2 / q:
        braces = p**2 * (1 + 3 * p**2) / 2 - x * p * (1 - p**2)
        braces += (x**2 * (1 - p**2) - 2 * x * p**3 - p**4) * log(1 + p / x)
        return ends, 1 - braces / (p * q) ** 2
    rational = (3 * p**3 - p**2 + 6 * x * p**2 - 2 * x * p - 4 * x**2 * q) / (2 * p**2 * (p - 1))
    return ends, rational - (p**4 + 2 * x * p**3 - x**2 * (1 - p**2)) * log(p) / (p * q) ** 2


EXACT = [
    (lambda prior: Uniform(), exact_uniform, [0.5]),
    (FixedPriors, exact_fixed_priors, PRIORS),
    (AboveNoSkill, exact_above_no_skill, PRIORS),
    (CloseToOracle, exact_close_to_oracle, PRIORS),
]
CASES = [(family(prior), exact, prior) for family, exact, priors in EXACT for prior in priors]


@pytest.mark.parametrize(("family", "exact", "prior"), CASES, ids=[repr(case[0]) for case in CASES])
def test_tau_keeps_its_digits_everywhere(family, exact, prior) -> None:
    with mp.workdps(DIGITS):
        rows = [exact(mpf(float(beta)) ** 2, mpf(prior)) for beta in BETAS]
        f_re = [float(row[1]) for row in rows]
        pr_f = [float(1 + ends - tau) for ends, tau in rows]
        optimality = [float(1 - abs(1 + ends - 2 * tau) / 4 / (1 - (1 + ends) / 2)) for ends, tau in rows]
    found = family.tau(BETAS)
    np.testing.assert_allclose(found[0], pr_f, rtol=1e-14, atol=0)
    np.testing.assert_allclose(found[1], f_re, rtol=1e-14, atol=0)
    np.testing.assert_allclose(family.optimality(BETAS), optimality, rtol=1e-14, atol=0)
    assert family.tau_ends == pytest.approx(float(rows[0][0]), rel=1e-14, abs=0)


@pytest.mark.parametrize("rate", [1e-6, 0.3, 0.9])
def test_fixed_prediction_rates_are_fixed_priors_with_truth_and_prediction_exchanged(rate: float) -> None:
    family, mirrored = FixedPredictionRates(rate), FixedPriors(rate)
    np.testing.assert_allclose(family.tau(BETAS), mirrored.tau(1 / BETAS)[::-1], rtol=1e-14)
    assert family.optimal_beta() == pytest.approx(1 / mirrored.optimal_beta(), rel=1e-14)
    assert family.heuristic_beta == pytest.approx(1 / mirrored.heuristic_beta, rel=1e-15)


# against draws


def fbeta(P: rs.Performances, beta: float) -> np.ndarray:
    _, fp, fn, tp = P.mass.T
    return tp / (tp + fn) if beta == math.inf else tp / (tp + (fp + beta**2 * fn) / (1 + beta**2))


def sivf(P: rs.Performances) -> np.ndarray:
    tn, fp, fn, tp = P.mass.T
    tpr, fpr = tp / (tp + fn), fp / (fp + tn)
    return 2 * tpr / (tpr + fpr + 1)


@pytest.mark.some(7)
@every_family
@pytest.mark.parametrize("factor", [0.5, 1.5])  # of the optimal beta
def test_tau_agrees_with_draws(family, factor: float) -> None:
    beta, batches, n = factor * family.optimal_beta(), 24, 5000
    taus = np.empty((batches, 3))
    for seed in range(batches):
        P = family.draw(n, rng=seed)
        pr, f, re = (fbeta(P, x) for x in (0, beta, math.inf))
        taus[seed] = [kendalltau(*pair).statistic for pair in ((pr, f), (f, re), (pr, re))]
    error = taus.std(axis=0, ddof=1) / math.sqrt(batches)
    assert (error < math.sqrt(2 / (batches * n))).all()  # the variance of τ of n draws is at most 2(1−τ²)/n
    assert (abs(taus.mean(axis=0) - [*family.tau(beta), family.tau_ends]) < 5 * error).all()


@pytest.mark.some(4)
@every_family
def test_the_heuristic_beta_agrees_with_the_means_of_draws(family) -> None:
    n = 200_000
    _, fp, fn, _ = family.draw(n, rng=11).mass.T
    surplus = fp - family.heuristic_beta**2 * fn  # its mean is 0 for β² = E[PFP]/E[PFN]
    assert abs(surplus.mean()) < 5 * surplus.std() / math.sqrt(n)
    assert abs(surplus.mean()) < 0.02 * fp.mean()


@pytest.mark.parametrize("family", [FixedPriors(0.2), AboveNoSkill(0.7), CloseToOracle(0.4), FixedTrueNegatives(0)])
def test_sivf_orders_as_the_fbeta_that_is_named(family) -> None:
    P = family.draw(500, rng=3)
    assert kendalltau(sivf(P), fbeta(P, family.sivf_beta)).statistic == pytest.approx(1, abs=1e-12)
    other = 1 if family.sivf_beta == math.inf else 2 * family.sivf_beta
    assert kendalltau(sivf(P), fbeta(P, other)).statistic < 0.98


@pytest.mark.parametrize("family", [Uniform(), FixedTrueNegatives(0.3), FixedPredictionRates(0.3)], ids=repr)
def test_sivf_is_no_fbeta_where_priors_differ(family) -> None:
    assert math.isnan(family.sivf_beta)
    P = family.draw(2000, rng=3)
    betas = [0, *np.logspace(-3, 3, 61), math.inf]
    assert max(kendalltau(sivf(P), fbeta(P, beta)).statistic for beta in betas) < 0.97


# what follows from τ


@every_family
def test_the_ends_are_precision_and_recall(family) -> None:
    ends = family.tau_ends
    assert family.tau(0) == (1, pytest.approx(ends, rel=1e-15))
    assert family.tau(math.inf) == (pytest.approx(ends, rel=1e-15), 1)
    extremes = np.array([1e-320, 1e-200, 1e-170, 1e170, 1e200, 1.7e308])
    np.testing.assert_allclose(family.tau(extremes)[0], [1] * 3 + [ends] * 3, rtol=1e-15)
    np.testing.assert_allclose(family.tau(extremes)[1], [ends] * 3 + [1] * 3, rtol=1e-15)


@every_family
def test_the_way_from_precision_to_recall_is_shortest_and_never_turns(family) -> None:
    betas = np.logspace(-4, 4, 400)
    pr_f, f_re = family.tau(betas)
    np.testing.assert_allclose(pr_f + f_re, 1 + family.tau_ends, rtol=1e-15)  # (7)
    assert (np.diff(pr_f) < 0).all()
    assert (np.diff(f_re) > 0).all()


@pytest.mark.parametrize("family", [*FAMILIES, *(case[0] for case in CASES)], ids=repr)
def test_the_optimal_beta_is_halfway(family) -> None:
    best = family.optimal_beta()
    pr_f, f_re = family.tau(best)
    assert pr_f == pytest.approx(f_re, abs=2e-15)
    assert pr_f == pytest.approx((1 + family.tau_ends) / 2, abs=2e-15)  # (10)
    assert family.optimality(best) == pytest.approx(1, abs=4e-15)
    around = best * np.array([0.99, 1, 1.01])
    variance = sum(((1 - tau) / 2) ** 2 for tau in family.tau(around))  # (8)
    assert np.argmin(variance) == 1
    assert (np.abs(family.optimality(around[[0, 2]]) - 1) > 1e-4).all()


@every_family
def test_optimality_and_shares_follow_from_tau(family) -> None:
    betas = np.array([0, 1e-3, 0.3, 1, 2, 40, math.inf])
    gap = abs(np.subtract(*family.tau(betas))) / 4
    agree = (1 + family.tau_ends) / 2
    shares = family.shares(betas)
    np.testing.assert_allclose(shares.agree, agree, rtol=1e-15)  # (13)
    np.testing.assert_allclose(shares.against_optimum, gap, atol=1e-15)  # (14)
    np.testing.assert_allclose(sum(shares), 1, rtol=1e-15)  # (15)
    np.testing.assert_allclose(family.optimality(betas), 1 - gap / (1 - agree), atol=1e-14)  # (16)
    np.testing.assert_allclose(shares.as_optimum / (1 - agree), family.optimality(betas), rtol=1e-14)
    assert family.optimality([0, math.inf]).tolist() == [0.5, 0.5]
    assert family.optimality() == family.optimality(1.0)
    assert family.shares() == family.shares(1)


@pytest.mark.parametrize("family", [FixedPriors(0.2), CloseToOracle(0.3)], ids=repr)
def test_shares_agree_with_a_count_of_pairs(family) -> None:
    n, beta = 200_000, 2.5
    P, Q = family.draw(n, rng=1), family.draw(n, rng=2)

    def up(b: float) -> np.ndarray:
        return fbeta(P, b) < fbeta(Q, b)

    contradict, as_best = up(0) != up(math.inf), up(beta) == up(family.optimal_beta())
    counted = [np.mean(~contradict), np.mean(contradict & as_best), np.mean(contradict & ~as_best)]
    for share, expected in zip(counted, family.shares(beta), strict=True):
        assert abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / n)


# what comes in and what goes out


def test_numbers_give_floats_and_arrays_give_arrays() -> None:
    family = CloseToOracle(0.3)
    for beta in (1, 1.0, np.float64(1), np.array(1)):
        found = [*family.tau(beta), *family.distance(beta), family.frechet_variance(beta), family.optimality(beta)]
        assert [type(number) for number in (*found, *family.shares(beta))] == [float] * 9
        np.testing.assert_allclose((1 - np.array(found[:2])) / 2, found[2:4], atol=1e-15)
        assert found[4] == pytest.approx(found[2] ** 2 + found[3] ** 2)
    assert all(type(x) is float for x in (family.optimal_beta(), family.tau_ends, family.sivf_beta))
    grid = np.linspace(0, 3, 6).reshape(2, 3)
    for array in (*family.tau(grid), family.optimality(grid), *family.shares(grid)):
        assert array.shape == (2, 3)
    assert family.tau(grid)[0][1, 2] == family.tau(3.0)[0]
    assert family.tau([])[0].shape == (0,)


@pytest.mark.parametrize(("call", "says"), [
    (lambda: Uniform().tau(-1), r"beta must lie in \[0, ∞\]; got -1"),
    (lambda: Uniform().shares([1, math.nan]), r"beta must lie in \[0, ∞\]; got nan"),
    (lambda: FixedPriors(0.1).optimality("f2"), "beta: expected a number or an array of numbers; got 'f2'"),
    (lambda: CloseToOracle(math.nan), r"the prior pi must lie inside \(0, 1\); got nan"),
    (lambda: FixedPredictionRates(0), r"the prediction rate tau must lie inside \(0, 1\); got 0"),
])  # fmt: skip
def test_what_means_nothing_gets_a_sentence(call: object, says: str) -> None:
    with pytest.raises(rs.UsageError, match=says):
        call()


@every_family
def test_families_are_values(family) -> None:
    again = eval(repr(family))
    assert again == family == pickle.loads(pickle.dumps(family))
    assert len({family, again}) == 1
    assert family not in (CloseToOracle(0.5), FixedPredictionRates(0.5), FixedTrueNegatives(0.5))
    with pytest.raises(AttributeError):
        family.tau_ends = 1


def test_the_prediction_rate_keeps_its_name_as_an_argument() -> None:
    assert FixedPredictionRates(tau=0.3).rate == 0.3


def test_a_family_and_a_set_drawn_from_it_answer_the_same_questions() -> None:
    family = FixedPriors(0.3)
    t = rs.tradeoff(family.draw(3000, rng=4))
    for beta in (0.5, 1, 3):
        for name in ("tau", "distance", "frechet_variance", "optimality", "shares"):
            np.testing.assert_allclose(getattr(t, name)(beta), getattr(family, name)(beta), atol=0.02)
    assert t.beta == pytest.approx(family.optimal_beta(), rel=0.05)
    assert (t.heuristic_beta, t.sivf_beta) == pytest.approx((family.heuristic_beta, family.sivf_beta), rel=0.03)
    for wrong in ("0.2", [0.1, 0.2], "a"):
        with pytest.raises(rs.UsageError):
            FixedTrueNegatives(wrong) if wrong != "0.2" else FixedPriors("x")

"""Draws of mean errors of regressors on the same cases: what they share, how they are pooled, and what changes nothing."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from rankscape import Performances, UsageError, rank
from rankscape.tasks import regression
from rankscape.tasks.pairs import Pairs
from rankscape.uncertainty import rank_intervals
from rankscape.uncertainty.draws import drawn_from
from rankscape.uncertainty.errors import graded_cases
from rankscape.uncertainty.evidence import evidence_of_counts


def regressors(n: int, spread: float, m: int, seed: int = 0, shared: float = 0.0) -> tuple[Pairs, Any]:
    """Regressors whose mean absolute errors are log-normal around 0.8, and those errors."""
    rng = np.random.default_rng(seed)
    scales = np.exp(rng.normal(0, spread, n))
    errors = np.sqrt(shared) * rng.normal(size=m) + np.sqrt(1 - shared) * rng.normal(size=(n, m))
    errors = errors * scales[:, None]
    return regression.evaluate(np.zeros(m), {f"m{i}": row for i, row in enumerate(errors)}), scales * np.sqrt(2 / np.pi)


def drawn_means(P: Pairs, by: Any, draws: int = 2000, rng: int = 0, **options: Any) -> Any:
    """Draws of the values of a criterion, (draws, n)."""
    graded, score = graded_cases(P, by)
    drawn = drawn_from(evidence_of_counts(graded), draws, rng, **options)
    rows = drawn.values.reshape(-1, 2)
    known = ~np.isnan(rows).any(axis=1)
    out = np.full(len(rows), np.nan)
    if known.any():
        out[known] = score(Performances.from_probabilities(rows[known], space=drawn.space))
    return out.reshape(len(drawn), -1)


def notes_of(P: Pairs, **options: Any) -> tuple[str, ...]:
    return rank_intervals(P, by="mae", draws=100, **options).notes


@pytest.mark.parametrize("by", ["mae", "mse", "rmse", "within(0.5)"])
def test_draws_are_centred_on_what_was_seen(by: Any) -> None:
    P, _ = regressors(3, 0.3, 500)
    drawn = drawn_means(P, by, 1000, method="jeffreys")
    seen = regression.values(P, by)
    assert drawn.shape == (1000, 3)
    assert np.abs(drawn.mean(axis=0) - seen).max() < 0.01 * np.abs(seen).max() + 0.005


@pytest.mark.parametrize("m", [5, 30])
def test_a_mean_alone_has_the_interval_of_student(m: int) -> None:
    errors = np.random.default_rng(0).normal(10, 1, m)  # far from 0: the log scale changes little
    drawn = drawn_means(regression.evaluate(np.zeros(m), errors), "mae", 40_000)
    half = student.ppf(0.975, m - 1) * errors.std(ddof=1) / np.sqrt(m)
    low, high = np.quantile(drawn[:, 0], [0.025, 0.975])
    assert (high - low) / (2 * half) == pytest.approx(1, abs=0.12)


def test_units_are_the_same_for_all() -> None:
    rng = np.random.default_rng(1)
    errors = np.abs(rng.normal(size=200)) + 0.5
    P = regression.evaluate(np.zeros(200), {"a": errors, "b": 1.02 * errors, "c": rng.permutation(errors)})
    drawn = drawn_means(P, "mae", 500, method="jeffreys")
    assert (drawn[:, 0] < drawn[:, 1]).all()
    assert np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] > 0.999
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 2])[0, 1]) < 0.3
    pooled = drawn_means(P, "mae", 500)
    assert np.corrcoef(pooled[:, 0], pooled[:, 1])[0, 1] > 0.5


def test_alike_entities_are_drawn_together_and_others_are_not() -> None:
    alike, apart = regressors(8, 0.0, 40)[0], regressors(8, 0.8, 40)[0]
    for P, share in ((alike, 0.6), (apart, 0.8)):
        seen = regression.values(P, "mae")
        means = np.log(drawn_means(P, "mae", 2000)).mean(axis=0)
        assert (np.ptp(means) < share * np.ptp(np.log(seen))) == (P is alike)
    first = np.bincount(drawn_means(alike, "mae", 2000).argmin(axis=1), minlength=8) / 2000
    single = np.bincount(drawn_means(alike, "mae", 2000, method="jeffreys").argmin(axis=1), minlength=8) / 2000
    assert first.max() < single.max()


def test_a_stranger_does_not_keep_the_others_from_being_pooled() -> None:
    rng = np.random.default_rng(3)
    errors = np.abs(rng.normal(size=(6, 40)))
    seven = np.concatenate([errors, 8 * np.abs(rng.normal(size=(1, 40)))])
    without, with_one = (
        np.log(drawn_means(Pairs(np.zeros(40), e, np.ones(40, dtype=int), tuple("abcdefg"[: len(e)])), "mae"))[:, :6]
        for e in (errors, seven)
    )
    assert np.ptp(with_one.mean(axis=0)) < 1.5 * np.ptp(without.mean(axis=0)) + 0.01


@pytest.mark.nightly
@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_intervals_cover_and_the_likeliest_is_as_often_first_as_stated(shared: float) -> None:
    covered, stated, observed = [], [], []
    for seed in range(80):
        P, truth = regressors(5, 0.3, 30, seed, shared)
        drawn = drawn_means(P, "mae", 500, seed)
        seen = regression.values(P, "mae")
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        covered.append(((np.minimum(low, seen) <= truth) & (truth <= np.maximum(high, seen))).mean())
        first = np.bincount(drawn.argmin(axis=1), minlength=5) / 500
        stated.append(first.max())
        observed.append(first.argmax() == truth.argmin())
    assert np.mean(covered) > 0.9
    assert abs(np.mean(stated) - np.mean(observed)) < 0.14


def test_no_order_changes_the_draws() -> None:
    P, _ = regressors(4, 0.2, 60)
    rows, cases = [2, 0, 3, 1], np.random.default_rng(0).permutation(60)
    turned = regression.evaluate(P.truth[cases], {P.names[i]: P.predictions[i, cases] for i in rows})
    assert drawn_means(turned, "mae", 50) == pytest.approx(drawn_means(P, "mae", 50)[:, rows], rel=1e-12)


def test_weights_and_importance_count() -> None:
    truth, predicted = np.array([1.0, 1, 2, 2] * 20), np.array([1.0, 1.1, 5, 6] * 20)
    some = regression.criterion("absolute", importance=lambda y: np.where(y == 1, 1.0, 0.0))
    P = regression.evaluate(truth, predicted)
    here = regression.evaluate(truth[truth == 1], predicted[truth == 1])
    assert np.array_equal(drawn_means(P, some, 50), drawn_means(here, "mae", 50))
    weighted = regression.evaluate(truth, predicted, sample_weight=np.where(truth == 1, 3, 0))
    assert drawn_means(weighted, "mae", 50) == pytest.approx(drawn_means(here, "mae", 50))


def test_what_says_nothing_is_nan_and_what_never_errs_is_not_certain() -> None:
    assert np.isnan(drawn_means(regression.evaluate([1], [2]), "mae", 5)).all()
    nowhere = regression.criterion("absolute", importance=lambda y: 0 * y)
    assert np.isnan(drawn_means(regression.evaluate([1, 2], [2, 3]), nowhere, 5)).all()
    exact = regression.evaluate([1, 2, 3, 4], {"exact": [1, 2, 3, 4], "near": [1, 2, 3, 4.5]})
    assert (drawn_means(exact, "mae", 500, method="jeffreys")[:, 0] > 0).any()
    assert (drawn_means(exact["exact"], "mae", 5) == 0).all()
    huge = regression.evaluate([0, 0], [1e200, 1])
    with pytest.raises(UsageError, match="too large to be squared"):
        drawn_means(huge, "mse", 5)


def test_entities_that_say_the_same_are_drawn() -> None:
    same = regression.evaluate([1, 2, 3, 4], {"a": [2, 2, 3, 3], "b": [2, 2, 3, 3], "c": [2, 2, 3, 3]})
    drawn = drawn_means(same, "mae", 200)
    assert np.isfinite(drawn).all()
    assert np.isfinite(drawn_means(same["a"], "mae", 1)).all()


def test_many_cases_are_fast() -> None:
    P, truth = regressors(3, 0.3, 30_000)
    drawn = drawn_means(P, "mae", 1000)
    assert drawn.mean(axis=0) == pytest.approx(truth, rel=0.03)
    assert drawn.std(axis=0) == pytest.approx(truth * np.sqrt(np.pi / 2 - 1) / np.sqrt(30_000), rel=0.15)


def test_long_tails_widen_and_are_said() -> None:
    rng = np.random.default_rng(2)
    flat, long = (
        regression.evaluate(np.zeros(60), errors) for errors in (rng.random(60) + 1, np.exp(2 * rng.normal(size=60)))
    )
    assert notes_of(flat) == ()
    (note,) = notes_of(long)
    assert note.startswith("A few large errors make most of the variance, as if there were ")
    assert "instead of 60" in note
    (note,) = notes_of(regression.evaluate([1], [2]))
    assert note.startswith("Only 1 case was seen")


def test_rank_intervals_take_regressors() -> None:
    P, _ = regressors(5, 0.5, 60)
    for by in ("mae", "rmse", "within(0.5)"):
        intervals = rank_intervals(P, by=by)
        ranking = rank(P, by=by)
        assert intervals.names == P.names
        assert np.array_equal(intervals.ranks, ranking.ranks)
        assert intervals.p_first.sum() == pytest.approx(1)
        assert ((intervals.low <= intervals.ranks) & (intervals.ranks <= intervals.high)).all()
        assert intervals.unit == "Drawn: new samples of cases, the same for all models, as if cases were independent"


@pytest.mark.parametrize(("m", "few"), [(2, True), (5, True), (6, False)])
def test_few_cases_are_said(m: int, few: bool) -> None:
    P = regression.evaluate(np.zeros(m), {"a": np.linspace(1, 2, m), "b": np.linspace(1, 2.2, m)})
    expected = f"Only {m} cases were seen: how much errors vary from case to case is hardly known"
    assert any(expected in note for note in rank_intervals(P, by="mae").notes) == few

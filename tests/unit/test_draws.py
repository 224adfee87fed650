"""The engine of draws: what is pooled, what is shared, which units are drawn, and that no order matters."""

import os

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from scipy.special import expit

import rankscape as rs
from rankscape.uncertainty import paired, paired_table, posterior, rank_intervals, resampled_domains
from rankscape.uncertainty.engine import Pool, correlation, population

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 60)
PREDICTED = {name: np.where(RNG.random(60) < 0.8, TRUTH, 1 - TRUTH) for name in "abcd"}
GROUPS = np.arange(60) % 6


# ---- pooling


@pytest.mark.parametrize(("x", "n"), [(7, 20), (0, 5), (300, 300)])
def test_a_mixture_of_what_was_seen_and_the_population_is_the_conjugate_posterior(x, n):
    rng = np.random.default_rng(1)
    pool = Pool(np.array([float(n)]), mean=0.3, strength=4.0)
    seen = np.full((20_000, 1), 0.0 if x == 0 else 1.0) if x in (0, n) else rng.beta(x, n - x, (20_000, 1))
    posterior_of_rate = stats.beta(x + 1.2, n - x + 2.8).cdf
    for rates, _ in (pool.drawn(seen, rng), pool.conjugate(np.array([float(x)]), 20_000, rng)):
        assert stats.kstest(rates[:, 0], posterior_of_rate).pvalue > 1e-3


@pytest.mark.parametrize("n", [50, 10_000, 10**7])
def test_the_grid_of_the_population_finds_level_and_spread_at_every_size(n):
    rng = np.random.default_rng(n)
    level, spread = 1.2, 0.4
    x = rng.binomial(n, expit(rng.normal(level, spread, 400))).astype(float)
    found = population(x, np.full(400, float(n)))
    m = expit(found.level)
    sigma = np.exp(found.spread) / np.sqrt(m * (1 - m))
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights @ found.level == pytest.approx(level, abs=0.1)
    assert found.weights @ sigma == pytest.approx(spread, abs=0.12)


def test_the_grid_of_alike_entities_knows_that_they_are_alike():
    x = np.random.default_rng(0).binomial(10_000, 0.77, 10).astype(float)
    found = population(x, np.full(10, 1e4))
    sigma = np.exp(found.spread) / np.sqrt(0.77 * 0.23)
    assert found.weights @ sigma < 1 / np.sqrt(1e4 * 0.77 * 0.23)  # below what one entity alone is uncertain by


def test_a_trivial_entity_is_a_stranger_and_the_others_are_still_pooled():
    x = np.array([0.0, 71, 72, 73, 74, 75])
    found = population(x, np.full(6, 100.0))
    strange = (found.weights @ found.strange)[found.kind]
    assert strange[0] > 0.5 > strange[1:].max()


def test_the_mean_correlation_counts_those_that_do_not_vary_as_unrelated():
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(5000, 1))
    rates = np.hstack([shared + rng.normal(size=(5000, 2)), np.ones((5000, 1))])
    assert correlation(rates) == pytest.approx(0.5 / 3, abs=0.02)


# ---- claims of probability hold what they say


@pytest.mark.nightly
def test_first_with_a_probability_is_so_as_often_as_it_says():
    """Five alike methods on 20 cases: .87 was stated, and .50 observed."""
    rng = np.random.default_rng(8)
    stated, observed, apart, false_claims = [], [], [], 0
    for trial in range(150):
        fpr, tpr = expit(rng.normal(-1.5, 0.5, 5)), expit(rng.normal(1.2, 0.5, 5))
        positives = max(1, rng.binomial(20, 0.4))
        tp, fp = rng.binomial(positives, tpr), rng.binomial(20 - positives, fpr)
        P = rs.Performances.from_counts(np.stack([20 - positives - fp, fp, positives - tp, tp], axis=1))
        truth = 0.8 * tpr / (0.4 * tpr + 0.6 * fpr + 0.4)
        found, alone = (rank_intervals(P, "f1", 400, trial, method=m) for m in ("exchangeable", "jeffreys"))
        chances = np.nan_to_num(found.p_first)
        stated.append(chances.max())
        observed.append(chances.argmax() == truth.argmax())
        apart.append(np.nanmax(alone.p_first))
        rows = found.together
        false_claims += bool((found.claims & (truth[rows][:, None] <= truth[rows])).any())
    error = np.std(observed) / np.sqrt(150)
    assert abs(np.mean(stated) - np.mean(observed)) < 4 * error
    assert np.mean(apart) - np.mean(observed) > np.mean(stated) - np.mean(observed)
    assert false_claims <= 0.05 * 150 + 4 * np.sqrt(150 * 0.05 * 0.95)


def test_p_first_sums_to_one_also_of_equal_predictions():
    drawn = paired(TRUTH, {"a": PREDICTED["a"], "b": PREDICTED["a"], "c": PREDICTED["b"]}, draws=500)
    assert rank_intervals(drawn, "f1").p_first.sum() == pytest.approx(1)


# ---- values lie in their intervals


def test_always_negative_lies_in_its_interval():
    rows = [[86, 0, 14, 0], [80, 6, 5, 9], [82, 4, 6, 8]]
    found = rank_intervals(rs.Performances.from_counts(rows, names=["never", "a", "b"]), "f1")
    assert (found.value_low <= found.values).all()
    assert found.value_low[0] == 0


def test_twenty_classes_are_not_pulled_down():
    """Half a case for each of 400 cells were 200: accuracy 0.8066 had the interval 0.767–0.789."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(20), 250)
    predicted = {name: np.where(rng.random(5000) < 0.8, truth, rng.integers(0, 20, 5000)) for name in "abc"}
    found = rank_intervals(rs.tasks.multi_class.evaluate(truth, predicted), "accuracy", 400)
    middle = (found.value_low + found.value_high) / 2
    assert middle == pytest.approx(found.values, abs=0.003)


def test_a_hundred_small_domains_are_not_pulled_down():
    """100 domains of 30 cases: 0.934 had the interval 0.853–0.889."""
    rng = np.random.default_rng(0)
    rows = [rng.multinomial(30, [0.55, 0.02, 0.04, 0.39]) for _ in range(200)]
    P = rs.Performances.from_counts(rows, names=["a", "b"] * 100, domains=[f"d{i // 2}" for i in range(200)])
    found = rank_intervals(P, "accuracy", 400)
    middle = (found.value_low + found.value_high) / 2
    assert middle == pytest.approx(found.values, abs=0.006)


# ---- the unit that is drawn


def test_domains_are_drawn_where_their_cases_can_hardly_be_independent():
    rng = np.random.default_rng(0)
    rows = [rng.multinomial(10**6, rng.dirichlet([50, 5, 3, 20])) for _ in range(26)]
    P = rs.Performances.from_counts(rows, names=["a", "b"] * 13, domains=[f"v{i // 2}" for i in range(26)])
    found = rank_intervals(P, "f1")
    assert found.unit.startswith("Drawn: new samples of domains")
    assert "1 000 000 cases per domain can hardly be independent" in found.unit
    by_cases = rank_intervals(P, "f1", resample="cases")
    assert by_cases.unit.startswith("Drawn: new samples of cases")
    width, narrow = (each.value_high - each.value_low for each in (found, by_cases))
    assert (width > 10 * narrow).all()
    as_asked = rank_intervals(resampled_domains(P), "f1")
    assert as_asked.p_first.tolist() == found.p_first.tolist()


@pytest.mark.parametrize(
    ("options", "unit"),
    [
        ({}, "Drawn: new samples of cases, the same for all models, as if cases were independent"),
        ({"clusters": GROUPS}, "Drawn: new samples of clusters (6 in the data), the same for all models"),
        ({"domains": GROUPS}, "as if cases were independent; the domains stay the same"),
        ({"domains": GROUPS, "random_domains": True}, "samples of domains, as if the 6 here were a random sample"),
    ],
)
def test_the_unit_is_said(options, unit):
    found = rank_intervals(paired(TRUTH, PREDICTED, 50, **options), "f1")
    assert unit in found.unit


def test_one_cluster_says_nothing():
    found = rank_intervals(paired(TRUTH, PREDICTED, 50, clusters=["x"] * 60), "f1")
    assert np.isnan(found.p_first).all()
    assert np.isnan(found.value_low).all()
    assert (found.low == 1).all()
    assert not found.claims.any()
    assert any("Only one cluster was seen" in note for note in found.notes)


def test_few_draws_claim_nothing():
    found = rank_intervals(rs.Performances.from_counts([[90, 10, 10, 90], [10, 90, 90, 10]]), "f1", 99)
    assert not found.claims.any()
    assert rank_intervals(rs.Performances.from_counts([[90, 10, 10, 90], [10, 90, 90, 10]]), "f1", 100).claims.any()


def test_a_class_that_nobody_saw_has_a_rate_of_its_own():
    found = rank_intervals(rs.Performances.from_counts([[9, 1, 0, 0], [7, 3, 0, 0], [5, 5, 0, 0]]), "accuracy")
    assert (found.value_low < found.values).all()
    assert any(note.startswith("No case is positive") for note in found.notes)


# ---- no order matters


@pytest.mark.parametrize("options", [{}, {"clusters": GROUPS}, {"domains": GROUPS}, {"method": "jeffreys"}])
def test_the_order_of_rows_and_entities_changes_nothing(options):
    order = np.random.default_rng(1).permutation(60)
    turned = {name: PREDICTED[name][order] for name in "cadb"}
    moved = {key: value[order] if key != "method" else value for key, value in options.items()}
    one, two = (
        rank_intervals(paired(truth, predicted, 300, **more), "f1")
        for truth, predicted, more in ((TRUTH, PREDICTED, options), (TRUTH[order], turned, moved))
    )
    for name in "abcd":
        i, j = one.names.index(name), two.names.index(name)
        assert one.p_first[i] == two.p_first[j]
        assert (one.low[i], one.value_low[i]) == (two.low[j], two.value_low[j])


def test_the_order_of_a_table_of_counts_changes_nothing():
    P = rs.datasets.classifiers()
    order = np.random.default_rng(1).permutation(len(P))
    one, two = (rank_intervals(each, "f1", 200) for each in (P, P[order]))
    rows = [two.names.index(name) for name in one.names]
    assert np.array_equal(one.p_first, two.p_first[rows], equal_nan=True)


@pytest.mark.filterwarnings("ignore::rankscape.domains.grid.MissingDomainsWarning")
@pytest.mark.parametrize("kind", ["counts", "classes", "probabilities"])
def test_the_order_of_rows_does_not_even_change_the_last_bit(kind):
    rng = np.random.default_rng(2)
    space = rs.tasks.multi_class.evaluate([0, 1, 2], [0, 1, 2]).space if kind == "classes" else rs.TWO_CLASS
    names, domains = np.divmod(np.arange(70), 7)
    labels = {"names": [f"e{i}" for i in names], "domains": [f"d{i}" for i in domains], "space": space}
    if kind == "probabilities":
        P, options = (
            rs.Performances.from_probabilities(rng.dirichlet(np.ones(4), 70), **labels),
            {"resample": "domains"},
        )
    else:
        P = rs.Performances.from_counts(rng.integers(1, 50, (70, len(space))), **labels)[np.arange(70) % 11 != 0]
        options = {"missing": "available", "weights": {f"d{i}": weight for i, weight in enumerate(rng.random(7))}}
    by, order = "accuracy" if kind == "classes" else "f1", rng.permutation(len(P))
    one, two = (rank_intervals(each, by, 100, **options) for each in (P, P[order]))
    rows = [two.names.index(name) for name in one.names]
    for field in ("values", "value_low", "value_high", "p_first", "low", "p_undefined"):
        assert np.array_equal(getattr(one, field), getattr(two, field)[rows], equal_nan=True), field
    assert np.array_equal(one.places, two.places[:, rows])


def test_neither_threads_nor_the_number_of_draws_change_a_draw(monkeypatch):
    P = rs.datasets.classifiers()
    many = posterior(P, 3000).values
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert (posterior(P, 3000).values == many).all()
    assert (posterior(P, 70).values == many[:70]).all()


@pytest.mark.parametrize("domains", [1, 3])
def test_draws_apart_are_those_of_jeffreys_prior(domains):
    counts = np.random.default_rng(1).integers(1, 30, (4 * domains, 4))
    names, places = [f"e{i // domains}" for i in range(len(counts))], [f"d{i % domains}" for i in range(len(counts))]
    P = rs.Performances.from_counts(counts, names=names, domains=places)
    apart = posterior(P).apart
    assert apart is not None
    assert np.array_equal(apart.values, posterior(P, len(apart), method="jeffreys").values)


@pytest.mark.nightly
def test_blocks_are_small_and_the_draws_of_one_are_those_of_all():
    P = rs.Performances.from_counts(np.random.default_rng(0).multinomial(50, [0.5, 0.1, 0.1, 0.3], 3600))
    drawn = posterior(P, 300)
    sizes = [block.size for block in drawn.blocks()]
    assert max(sizes) <= 4_000_000
    assert len(sizes) > 1
    assert (drawn["P7"].values[:, 0] == drawn.values[:, 6]).all()


def test_a_class_that_only_some_lack_is_not_said_of_all():
    P = rs.Performances.from_counts([[9, 1, 0, 0], [80, 10, 2, 8]], names=["a", "b"])
    notes = rank_intervals(P, "accuracy", 50).notes
    assert any(note.startswith("Of some models no case is positive") for note in notes)


def test_masked_clusters_and_other_levels_are_refused():
    masked = np.ma.array(np.arange(60), mask=np.arange(60) == 3)
    with pytest.raises(rs.DataError, match="clusters: 1 of 60 values is masked"):
        paired(TRUTH, PREDICTED, 10, clusters=masked)
    with pytest.raises(rs.UsageError, match="level must lie between 0 and 1"):
        rank_intervals([[5, 1, 1, 5]], level="a")


def test_one_draw_of_regressors_is_one():
    pairs = rs.tasks.regression.evaluate([1, 2, 3, 4], {"a": [1, 2, 3, 5], "b": [2, 3, 4, 6]})
    assert rank_intervals(pairs, "mae", 1).draws == 1


# ---- values are no classes


@pytest.mark.parametrize("digits", [9, 1])
def test_targets_of_a_regression_are_not_taken_for_classes(digits):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=30).round(digits)
    predicted = {name: (truth + rng.normal(size=30)).round(digits) for name in "ab"}
    with pytest.raises(rs.DataError, match="look like values, not classes"):
        paired(truth, predicted)
    table = pa.table({"y": truth, **predicted})
    with pytest.raises(
        rs.DataError, match=r"look like values, not classes: for predicted numbers use tasks\.regression"
    ):
        paired_table(table, truth="y", prediction=["a", "b"])


def test_more_classes_than_can_be_handled_are_refused():
    truth = [f"word {i}" for i in range(101)]
    with pytest.raises(rs.DataError, match="101 different labels.* expected at most 100 classes"):
        paired(truth, {"a": truth, "b": truth})
    assert paired(truth, {"a": truth, "b": truth}, 2, labels=truth).values.shape == (2, 2, 101**2)


@pytest.mark.parametrize("method", [0, 0.1])
def test_draws_that_repeat_rates_of_0_and_1_say_so(method):
    truth, predicted = [0, 1, 1, 0, 1], {"a": [0, 1, 1, 0, 1], "b": [1, 0, 1, 0, 1]}
    weak = paired(truth, predicted, 200, method=method)
    assert any("nearly all draws repeat that, and look surer than they are" in note for note in weak.notes)
    assert not any("rest mostly on the prior" in note for note in weak.notes)
    assert not any("repeat that" in note for note in paired(truth, predicted, 200, method=0.5).notes)

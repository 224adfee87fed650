"""Draws, intervals of ranks, P(first), tiers, maps, and `rank --uncertainty`."""

import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import rankscape as rs
from rankscape.cli import main
from rankscape.kernels import reference
from rankscape.kernels.draws import first_counts
from rankscape.kernels.grid import ROUNDING
from rankscape.uncertainty import Draws, first_tile, paired, posterior, rank_intervals, resampled_domains
from rankscape.uncertainty.evidence import evidence_of_counts
from rankscape.uncertainty.intervals import places_of
from rankscape.uncertainty.summary import likely, sentences

THREE = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [30, 30, 20, 20]], names=["a", "b", "c"])


def made(values, names=None):
    """Draws of given values, the first of which were seen."""
    values = np.asarray(values)
    observed = rs.Performances.from_counts(values[0].astype(np.int64), names=names)
    blocks = (values / values.sum(axis=2, keepdims=True),)
    return Draws(observed, lambda: iter(blocks), evidence_of_counts(observed), len(values), "made", True)


# ---- draws


@pytest.mark.parametrize(("method", "added"), [("jeffreys", 0.5), ("uniform", 1), (3, 3)])
def test_shares_and_rates_apart_are_beta(method, added):
    tn, fp, fn, tp = 7, 2, 1, 4
    drawn = posterior(rs.Performances.from_counts([[tn, fp, fn, tp]]), draws=20_000, rng=3, method=method).values[:, 0]
    share = drawn[:, 2:].sum(axis=1)
    for values, a, b in (
        (share, fn + tp + 0.5, tn + fp + 0.5),
        (drawn[:, 3] / share, tp + added, fn + added),
        (drawn[:, 1] / (1 - share), fp + added, tn + added),
    ):
        assert stats.kstest(values, stats.beta(a, b).cdf).pvalue > 1e-3
    assert np.allclose(drawn.sum(axis=1), 1, atol=1e-14)


def test_the_probability_of_a_pair_is_that_of_two_betas():
    P = rs.Performances.from_counts([[0, 0, 3, 9], [0, 0, 4, 8]], names=["a", "b"])
    found = rank_intervals(P, by="recall", draws=40_000, rng=1, method="uniform")
    x = np.linspace(0, 1, 20_001)
    a, b = (stats.beta(right + 1, wrong + 1) for right, wrong in ((9, 3), (8, 4)))
    expected = np.trapezoid(a.pdf(x) * b.cdf(x), x)
    assert found.better("a", "b") == pytest.approx(expected, abs=0.01)
    assert found.p_better[0, 1] == found.better("a", "b")
    assert found.better("a", "b") + found.better("b", "a") == 1


@pytest.mark.parametrize(
    ("prior", "name"), [("uniform", "uniform prior"), (0, "prior of 0 cases"), ("jeffreys", "Jeffreys' prior")]
)
def test_priors_are_named(prior, name):
    assert name in posterior(THREE, draws=2, method=prior).method
    assert "pooled by how similar they are" in posterior(THREE, draws=2).method


def test_without_a_prior_what_was_not_seen_is_never_drawn():
    found = rank_intervals(rs.Performances.from_counts([[9, 0, 3, 0], [5, 2, 2, 3]]), by="ppv", method=0, draws=50)
    assert found.p_undefined.tolist() == [1, 0]
    assert np.isnan(found.low[0])
    assert (found.low[1], found.high[1]) == (1, 1)
    assert np.isnan(found.p_first).all()  # who is ranked alone beats nobody
    assert found.tiers == (("P2",),)


@pytest.mark.parametrize("two", [2.0, np.int64(2), np.float32(2), Fraction(2)])
def test_a_prior_distribution_is_a_number_of_any_kind(two):
    drawn = posterior(THREE, draws=20, method=two)
    assert np.array_equal(drawn.values, posterior(THREE, draws=20, method=2).values)
    assert "prior of 2 cases per outcome" in drawn.method


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: posterior([[0.5, 0.2, 0.1, 0.2]]), rs.DataError, "needs counts, and these are probabilities"),
        (lambda: posterior(THREE, draws=0), rs.UsageError, "draws must be a whole number, at least 1"),
        (lambda: posterior(THREE, method="none"), rs.UsageError, "is no prior distribution; expected"),
        (lambda: posterior(THREE, method=-1), rs.UsageError, "^method=-1 is no prior distribution"),
        (lambda: posterior(THREE, method="x"), rs.UsageError, "^method='x' is no prior distribution"),
        (lambda: posterior(THREE, shift_prior="x"), rs.UsageError, "^shift_prior='x' is no share of positives"),
        (
            lambda: posterior(THREE, draws=10**30),
            rs.UsageError,
            "draws must be at most 1,000,000,000; got one of more than 30 digits",
        ),
        (lambda: posterior(THREE, rng=True), rs.UsageError, "rng must be a seed.*got True"),
        (lambda: rs.report(THREE, 5), rs.UsageError, "path must be the name of a file to write; got 5"),
        (lambda: rs.explore(THREE, b"x.html"), rs.UsageError, "path must be the name of a file to write; got b'x"),
        (lambda: rank_intervals(THREE, level=1), rs.UsageError, "level must lie between 0 and 1"),
        (lambda: rank_intervals(THREE, simultaneous="no"), rs.UsageError, "simultaneous= must be True or False.*'no'"),
        (lambda: rs.gate(THREE[0], THREE[1], every_domain="no"), rs.UsageError, "every_domain= must be True or False"),
        (
            lambda: paired([0, 1], {"a": [0, 1]}, random_domains=1),
            rs.UsageError,
            "random_domains= must be True or False",
        ),
        (lambda: rs.gate(THREE[0], THREE[1], 3), rs.UsageError, "the box of preferences is a text.*; got int"),
        (lambda: paired([0, 1], [0, 1], pos_label=7), rs.DataError, "pos_label=7 is none of the labels 0, 1"),
        (lambda: posterior(THREE, rng=-1), rs.UsageError, "rng must be a seed"),
        (lambda: paired([0, 1], [0, 1], rng="x"), rs.UsageError, "rng must be a seed"),
        (lambda: resampled_domains(rs.datasets.classifiers(), rng=-1), rs.UsageError, "rng must be a seed"),
        (lambda: paired([0, 1], [0, 1], clusters=["x"]), rs.DataError, "columns have different lengths .*clusters: 1"),
        (lambda: resampled_domains(THREE), rs.UsageError, "drawing other domains needs two"),
        (
            lambda: posterior(THREE, method="bootstrap"),
            rs.UsageError,
            'method=.bootstrap. is no prior distribution; expected "exchangeable", "jeffreys"',
        ),
        (
            lambda: posterior(THREE, resample="clusters"),
            rs.UsageError,
            "counts do not say which cases belong to one cluster",
        ),
        (lambda: posterior(THREE, resample="rows"), rs.UsageError, 'resample="rows"; expected one of'),
        (lambda: first_tile(THREE, resolution=1), rs.UsageError, "resolution must be"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_draws_depend_on_the_seed_alone():
    first, again, other = (posterior(THREE, draws=5, rng=seed).values for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    generators = (posterior(THREE, draws=5, rng=np.random.default_rng(1)).values for _ in range(2))
    assert (next(generators) == next(generators)).all()


def test_several_domains_are_summarized_in_each_draw():
    rows = [[900, 10, 10, 80], [100, 300, 100, 500]]
    P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    found = posterior(P, draws=4000, weights={"x": 3, "y": 1})
    expected = 0.75 * np.array(rows[0]) / 1000 + 0.25 * np.array(rows[1]) / 1000
    assert found.values.mean(axis=(0, 1)) == pytest.approx(expected, abs=2e-3)
    assert found.observed.mass[0] == pytest.approx(rs.summarize(P, {"x": 3, "y": 1}).mass[0])
    assert found.unit.endswith("; the domains stay the same")


# ---- labels of clusters and domains


TRUTH = [0, 0, 0, 1, 1, 1, 1, 0]
PREDICTED = {"a": [0, 0, 1, 1, 1, 0, 1, 0], "b": [0, 1, 0, 1, 1, 1, 0, 0], "c": [0, 0, 1, 1, 1, 0, 1, 0]}


def test_kinds_of_cases_of_many_entities():
    from rankscape.performances import kinds_of

    codes = np.random.default_rng(0).integers(0, 4, (70, 9))[:, [0, 1, 2, 3, 0, 1, 8, 8, 8]]
    kinds, size = np.unique(codes, axis=1, return_counts=True)
    assert kinds_of(codes, None).codes.T.tolist() == kinds.tolist()
    assert kinds_of(codes, None).size.tolist() == size.tolist()


@pytest.mark.parametrize("what", ["clusters", "domains"])
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["p", None, "q", "q"], "is missing"),
        (["p", "p", float("nan"), "q"], "is missing"),
        ([1.0, 1.0, np.nan, 2.0], "is missing"),
        (np.array([1, 2, 1, np.nan]), "is missing"),
        ([1, "1", 2, 2], "1 and '1' are both called \"1\""),
    ],
)
def test_labels_of_clusters_and_domains_say_something(what, labels, message):
    with pytest.raises(rs.DataError, match=message):
        paired([0, 0, 1, 1], [0, 1, 1, 1], 5, **{what: labels})


def test_missing_values_of_data_frames_are_no_labels():
    pd = pytest.importorskip("pandas")
    for labels in (pd.Series(["p", None, "q", "q"]), pd.Series([1, None, 2, 2], dtype="Int64")):
        with pytest.raises(rs.DataError, match="in 1 (of 4 rows|row) .*cluster is missing"):
            paired([0, 0, 1, 1], [0, 1, 1, 1], 5, clusters=labels)


def test_equal_numbers_are_one_label():
    mixed = paired(TRUTH, PREDICTED, 50, clusters=[1, 1.0, 1, 1, 2, 2, 2, 2])
    assert (mixed.values == paired(TRUTH, PREDICTED, 50, clusters=list("xxxxyyyy")).values).all()


def test_names_may_be_an_array():
    assert paired(TRUTH, [PREDICTED["a"], PREDICTED["b"]], 5, names=np.array(["p", "q"])).names == ("p", "q")


def test_draws_on_some_of_the_domains_are_distributions():
    rows = [[900, 10, 10, 80], [100, 300, 100, 500], [50, 10, 10, 30]]
    P = rs.Performances.from_counts(rows, names=["m", "m", "n"], domains=["x", "y", "x"])
    with pytest.warns(rs.domains.MissingDomainsWarning):
        found = posterior(P, 500, missing="available", weights={"x": 1, "y": 3})
    assert np.allclose(found.values.sum(axis=2), 1)
    assert found.values[:, 1].mean(axis=0) == pytest.approx(np.array(rows[2]) / 100, abs=0.02)


@pytest.mark.parametrize("method", ["exchangeable", "jeffreys"])
def test_other_domains_are_drawn(method):
    P = rs.datasets.classifiers()
    found = resampled_domains(P, draws=400, method=method)
    share = np.asarray(found.values / found.values.sum(axis=2, keepdims=True), dtype=float)
    assert np.median(share, axis=0) == pytest.approx(rs.summarize(P).mass, abs=0.03)
    by = rank_intervals(found, by="f1")
    assert by.p_first.sum() == pytest.approx(1)
    assert "samples of domains" in by.unit


# ---- ranks in draws


def test_exact_ties_inside_draws_are_ties():
    found = rank_intervals(made([[[0, 4, 0, 10], [0, 6, 0, 15]]] * 3, ["x", "y"]), by="ppv")  # 10/14 = 15/21
    assert found.p_first.tolist() == [0.5, 0.5]
    assert (found.low.tolist(), found.high.tolist()) == ([1, 1], [2, 2])
    assert found.tiers == (("x", "y"),)
    assert set(found.tied_for_first) == {"x", "y"}


def test_large_integers_are_told_apart():
    big = 2**40
    found = rank_intervals(made([[[big, 1, 0, big], [big, 0, 1, big + 1]]], ["x", "y"]), by="accuracy")
    assert found.p_first.tolist() == [0, 1]


def test_ranks_by_loops():
    rng = np.random.default_rng(0)
    orders = rng.integers(0, 4, (40, 7)).astype(float)
    orders[rng.random(orders.shape) < 0.2] = np.nan
    low, high = places_of(orders)
    for draw, own in enumerate(orders):
        for e in range(7):
            if np.isnan(own[e]):
                assert low[draw, e] == high[draw, e] == 0
            else:
                assert low[draw, e] == 1 + sum(own > own[e])
                assert high[draw, e] == sum(own >= own[e])


def test_the_direction_of_a_score_is_kept():
    by_error, by_accuracy = (rank_intervals(THREE, by=name, draws=200) for name in ("error rate", "accuracy"))
    assert by_error.p_first.tolist() == by_accuracy.p_first.tolist()
    assert by_error.value_low == pytest.approx(1 - by_accuracy.value_high)


def test_sets_of_ranks_hold_all_ranks_at_once():
    P = rs.datasets.classifiers().in_domain("digit 8")
    one, together = (rank_intervals(P, by="f1", simultaneous=s, draws=1000) for s in (False, True))

    def inside(found):
        kept = (one.places >= found.low) & (one.places <= found.high) | (one.places == 0)
        return kept.all(axis=1).mean()

    assert 1 >= inside(together) >= 0.95 > inside(one)
    assert one.value_low.tolist() == together.value_low.tolist()


def test_claims_are_as_many_as_hold_together_by_loops():
    found = rank_intervals(rs.datasets.classifiers().in_domain("digit 8"), by="f1", draws=600)
    places, claims = found.places[:, found.together], found.claims
    pairs = np.argwhere(claims).tolist()
    assert pairs
    holds = np.array([all(draw[i] < draw[j] for i, j in pairs) for draw in places])
    assert holds.mean() >= 0.95
    n = len(found.together)
    low, high = found.low[found.together], found.high[found.together]
    for i in range(n):
        seen = found.ranks[found.together[i]]
        assert low[i] == min(seen, 1 + sum(found.sure[j, i] for j in range(n)))
        assert high[i] == max(seen, n - sum(found.sure[i, j] for j in range(n)))


def test_those_whom_nobody_surely_beats_may_be_first():
    found = rank_intervals(rs.datasets.classifiers().in_domain("digit 8"), by="f1", draws=1000)
    rows = [found.names.index(name) for name in found.tied_for_first]
    assert (found.places[:, rows] == 1).any(axis=1).mean() >= 0.95
    assert {found.names[i] for i in np.flatnonzero(found.low == 1)} == {*found.tied_for_first}


def test_tiers_end_where_the_leader_is_surely_better():
    found = rank_intervals(rs.datasets.classifiers().in_domain("digit 8"), by="f1", draws=1000)
    ranked = [name for name, rank in zip(found.names, found.ranks, strict=True) if not np.isnan(rank)]
    assert sorted(name for tier in found.tiers for name in tier) == sorted(ranked)
    assert len(found.tiers) > 1
    for tier, after in zip(found.tiers, found.tiers[1:], strict=False):
        pairs = found.differences
        worse = {low for high, low in zip(pairs["better"], pairs["worse"], strict=True) if high == tier[0]}
        assert after[0] in worse
        assert not {*tier[1:]} & {*worse}


@pytest.mark.parametrize("n", [3, 1003])
def test_values_lie_in_their_intervals(n):
    rows = np.random.default_rng(0).multinomial(30, [0.5, 0.02, 0.03, 0.45], n)
    rows[0] = [15, 0, 0, 15]
    found = rank_intervals(rs.Performances.from_counts(rows), by="f1", draws=200)
    assert (found.value_low <= found.values).all()
    assert (found.values <= found.value_high).all()
    assert (found.low <= found.ranks).all()
    assert (found.ranks <= found.high).all()
    assert any("only for the 1000 best of 1003 models" in note for note in found.notes) == (n > 1000)
    assert len(found.claims) == min(n, 1000)


def test_frame_and_table():
    frame = rank_intervals(THREE, draws=100).frame()
    assert list(frame.columns[:5]) == ["entity", "rank", "low", "high", "p_first"]
    assert frame["entity"].tolist()[0] == "a" or frame["rank"].tolist() == [1, 2, 3]


def test_one_entity_no_positives_all_ties():
    one = rank_intervals(THREE[0], draws=50)
    assert (one.low.tolist(), one.high.tolist()) == ([1], [1])
    assert np.isnan(one.p_first).all()  # there is nobody to beat
    none = rank_intervals(rs.Performances.from_counts([[9, 1, 0, 0], [8, 2, 0, 0]]), by="recall", draws=50)
    assert np.isnan(none.ranks).all()
    assert none.tiers == ()
    tied = rank_intervals(made([[[1, 1, 1, 1]] * 3] * 4), by="f1")
    assert tied.p_first == pytest.approx([1 / 3] * 3)
    undefined = rank_intervals(made([[[4, 0, 0, 0]] * 2] * 3), by="f1")
    assert undefined.p_undefined.tolist() == [1, 1]
    assert undefined.tied_for_first == ()


def test_more_than_two_classes():
    space = rs.SampleSpace("three", ("right", "near", "wrong"), (1.0, 0.5, 0.0))
    P = rs.Performances.from_counts([[900, 50, 50], [400, 300, 300]], names=["a", "b"], space=space)
    assert rank_intervals(P, by=[1, 1, 1], draws=200).p_first.tolist() == [1, 0]
    with pytest.raises(rs.UsageError, match="two-class"):
        first_tile(P, draws=10)


def test_unsound_scores_have_intervals_too():
    assert rank_intervals(THREE, by="mcc", draws=100).p_first.sum() == pytest.approx(1)


# ---- maps


@pytest.mark.parametrize("kind", ["posterior", "paired"])
def test_the_map_agrees_with_the_intervals_at_places(kind):
    found = posterior(THREE, draws=300, rng=4) if kind == "posterior" else paired(TRUTH, PREDICTED, draws=300)
    tile_map = first_tile(found, resolution=5)
    for i, b in enumerate(tile_map.b):
        for j, a in enumerate(tile_map.a):
            expected = rank_intervals(found, by=rs.at(a, b)).p_first
            assert tile_map.p_first[:, i, j] == pytest.approx(expected)


def test_the_map_does_not_depend_on_threads():
    P = rs.datasets.classifiers()
    maps = [first_tile(P, draws=50, resolution=31, threads=threads).p_first for threads in (1, 2, 3)]
    assert np.array_equal(maps[0], maps[1], equal_nan=True)
    assert np.array_equal(maps[0], maps[2], equal_nan=True)


@pytest.mark.parametrize("total", [2, 7, 60, 10**6, 2**50])
def test_the_kernel_equals_its_twin_on_counts(total):
    rng = np.random.default_rng(total)
    draws = rng.multinomial(min(total, 10**9), [0.4, 0.1, 0.2, 0.3], (60, 9)) * max(1, total // 10**9)
    draws[:, 8] = draws[:, 0]
    expected = reference.first_rows(draws.astype(object), 12, ROUNDING, 0, 12)
    assert first_counts(draws, 12, 2) == pytest.approx(expected)
    assert first_counts(draws.astype(object), 12) == pytest.approx(expected)
    for i in (0, 5, 11):
        for j in (0, 4, 11):
            perf = rs.Performances.from_counts(draws[7])
            best = rs.rank(perf, by=rs.at(j / 11, i / 11)).bounds[:, 0] == 1 if draws[7].any() else None
            one = first_counts(draws[7:8], 12)[:, i, j]
            importance = [11 - j, 11 - i, i, j]
            best = rs.rank(perf, by=importance).bounds[:, 0] == 1
            assert one == pytest.approx(best / best.sum())


def test_the_kernel_equals_its_twin_on_floats():
    draws = np.random.default_rng(0).dirichlet([0.5] * 4, (80, 9))
    draws[::7, :, 1] = 0
    draws[::5, 3] = draws[::5, 2]
    assert first_counts(draws, 17, 2) == pytest.approx(reference.first_rows(draws, 17, ROUNDING, 0, 17))


def test_the_kernel_equals_its_twin_on_the_smallest_floats():
    rng = np.random.default_rng(2)
    draws = rng.dirichlet([0.5] * 4, (60, 5))
    draws *= 10.0 ** -rng.choice([0, 0, 300, 308, 315, 323], (60, 5, 4))
    many = draws.reshape(12, 25, 4)
    assert first_counts(many, 9) == pytest.approx(reference.first_rows(many, 9, ROUNDING, 0, 9))
    found = first_counts(draws, 9, 2)
    assert found == pytest.approx(reference.first_rows(draws, 9, ROUNDING, 0, 9))
    expected = np.zeros_like(found)
    for draw in draws:
        exact = [[Fraction(x) for x in row] for row in draw.tolist()]
        for i, j in np.ndindex(9, 9):
            sides = [((8 - j) * tn + j * tp, (8 - i) * fp + i * fn) for tn, fp, fn, tp in exact]
            scores = [s / (s + u) if s + u else -1 for s, u in sides]
            expected[:, i, j] += [(score == max(scores)) / scores.count(max(scores)) for score in scores]
    assert found == pytest.approx(expected)
    tiny = np.array([[[0.6, 5e-324, 0, 0.4], [0.6, 0.0, 0.0, 0.4]], [[0.0, 5e-324, 5e-324, 1], [0.5, 0.1, 0.1, 0.3]]])
    for count in (first_counts(tiny, 3), reference.first_rows(tiny, 3, ROUNDING, 0, 3)):
        assert count[0].tolist() == [[0, 1, 1], [0, 1, 1], [0.5, 1.5, 1.5]]  # tied at b = 1; the second draw at a > 0
        assert (count[0] + count[1] == 2).all()


def test_one_entity_alone_has_no_probability_of_coming_first():
    one = [[50, 3, 2, 30]]
    found, intervals = first_tile(one, 50, resolution=5), rank_intervals(one, draws=50)
    assert np.isnan(found.p_first).all()
    assert np.isnan(found.values).all()
    assert (found.leader(0.5, 0.5), found.shares) == (None, {})
    assert found.subtitle.startswith("One model alone has none to beat.")
    assert not [artist for artist in found.plot().collections if artist.get_gid() == "unlikely"]
    assert np.isnan(intervals.p_first).all()
    assert np.isnan(intervals.podium).all()
    two = first_tile([[50, 0, 0, 30], [0, 4, 3, 0]], 1000, resolution=11, method=0.001)
    assert np.nansum(two.p_first, axis=0) == pytest.approx(np.ones((11, 11)))


def test_huge_integers_have_a_map():
    draw = np.array([[9, 1, 4, 6], [8, 2, 2, 8], [9, 1, 4, 6]], dtype=object)
    found = first_counts(np.array([draw * 10**400, draw]), 3)
    assert (found == 2 * first_counts(np.array([draw.astype(np.int64)]), 3)).all()


def test_nobody_is_first_where_nobody_is_defined():
    found = first_tile(made([[[4, 0, 0, 0], [3, 0, 0, 0]]] * 3, ["x", "y"]), resolution=3)
    assert found.winner[:, 2].tolist() == [-1, -1, -1]  # at a = 1 only tp would earn, and fp or fn lose
    assert found.winner[0, 0] == 0
    assert found.leader(1, 0.5) is None
    assert np.isnan(found.values[:, 2]).all()
    assert found.table()["entity"][2] is None


def test_ties_are_better_for_nobody():
    found = rank_intervals(made([[[5, 1, 1, 5], [5, 1, 1, 5], [4, 2, 1, 5]]] * 2, ["x", "y", "z"]), by="accuracy")
    assert found.p_better.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]


def test_progress_and_interruption():
    done = []
    first_tile(THREE, draws=20, resolution=9, progress=done.append)
    assert done[-1] == 9

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first_tile(THREE, draws=20, resolution=9, progress=stop)


def test_maps_of_one_entity_and_their_tables():
    found = first_tile(THREE, draws=100, resolution=5)
    shares = sum(found.of(name).values for name in THREE.names)
    assert shares == pytest.approx(np.ones((5, 5)))
    assert found.table()["entity"][0] == found.leader(0, 0)
    assert (found.values == np.max([found.of(name).values for name in THREE.names], axis=0)).all()


# ---- words and the command


def test_probabilities_in_words():
    assert [likely(p) for p in (0.48, 0.335, 0.003, 0.71, 0, 0.996, 1)] == [
        "about one half (0.48)",
        "about one third (0.34)",
        "almost 0 (< 0.01)",
        "about 0.71",
        "almost 0 (< 0.01)",
        "almost 1 (> 0.99)",
        "almost 1 (> 0.99)",
    ]


def run(*arguments, status=0):
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


def test_rank_with_uncertainty_in_words(shared_data):
    shown = " ".join(run("rank", str(shared_data / "cada_rre.csv"), "--uncertainty").stdout.split())
    assert "014074c9-4e96-4b95-9604-4d64d3dd9c24 is first with probability about one half (0.5" in shown
    assert "value interval ranks P(first)" in shown
    assert "Drawn: new samples of cases, separately for each model, as if cases were independent" in shown
    assert "assuming the models are all of one kind" in shown
    apart = " ".join(
        run("rank", str(shared_data / "cada_rre.csv"), "--uncertainty", "--posterior", "jeffreys").stdout.split()
    )
    assert "Jeffreys' prior" in apart
    assert "The models are drawn separately" in apart


def test_rank_with_uncertainty_for_programs(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("entity,tn,fp,fn,tp\na,50,10,5,35\nb,45,15,2,38\n")
    found = json.loads(run("rank", str(path), "--uncertainty", "--format", "json", "--seed", "3").stdout)
    assert found["uncertainty"]["draws"] == 2000
    assert found["entities"][0]["low"] == 1
    header = run("rank", str(path), "--uncertainty", "--format", "csv").stdout.splitlines()[0]
    assert header.endswith("low,high,p_first,value_low,value_high,tier")
    assert "uncertainty" not in json.loads(run("rank", str(path), "--format", "json").stdout)
    path.write_text("entity,tn,fp,fn,tp\na,0.5,0.1,0.05,0.35\n")
    assert "uncertainty needs counts" in run("rank", str(path), "--uncertainty", status=3).output


# ---- what cannot be trusted, and what has no effect


FOLDS = rs.Performances.from_counts(
    [row for _ in range(12) for row in ([20, 1, 0, 4], [20, 1, 1, 3], [21, 0, 4, 0])],
    names=["a", "b", "u"] * 12,
    domains=[f"f{k}" for k in range(12) for _ in "abu"],
)


def test_many_small_domains_pull_no_value_out_of_its_interval():
    found = rank_intervals(FOLDS, by="f1", draws=300)
    defined = ~np.isnan(found.values)
    assert (found.value_low <= found.values)[defined].all()
    assert (found.values <= found.value_high)[defined].all()
    by_accuracy = rank_intervals(FOLDS, by="accuracy", draws=2000)
    middle = (by_accuracy.value_low + by_accuracy.value_high) / 2
    assert middle == pytest.approx(by_accuracy.values, abs=0.01)
    of_three = rank_intervals(THREE, draws=300).notes
    assert all(note.startswith("these counts do not show") for note in (*found.notes, *of_three))


def test_levels_may_be_fractions():
    found = rank_intervals(THREE, draws=200, level=Fraction(9, 10))
    assert (found.level, found.low.tolist()) == (0.9, rank_intervals(THREE, draws=200, level=0.9).low.tolist())


def test_few_draws_are_told():
    assert any("of 1 draw are rough" in line for line in sentences(rank_intervals(THREE, draws=1)))
    assert not any("rough" in line for line in sentences(rank_intervals(THREE, draws=100)))


def test_who_is_undefined_is_never_first():
    P = rs.Performances.from_counts([[90, 0, 10, 0], [80, 10, 5, 5], [70, 20, 5, 5]], names=["never", "a", "b"])
    found = rank_intervals(P, by="precision", draws=300)
    assert np.isnan([found.p_first[0], found.low[0], found.value_low[0], *found.podium[0]]).all()
    assert found.p_first[1:].sum() == pytest.approx(1)
    assert "never" not in found.tied_for_first
    assert found.p_undefined[0] == 1
    assert (found.order[-1], found.tiers) == (0, (("a", "b"),) if len(found.tiers) == 1 else (("a",), ("b",)))


@pytest.mark.parametrize(
    "options", [{"draws": 10}, {"rng": 3}, {"method": "nonsense"}, {"weights": "size"}, {"missing": "complete"}]
)
def test_options_without_effect_on_draws_are_refused(options):
    given = posterior(THREE, draws=20)
    for call in (
        lambda: rank_intervals(given, **options),
        lambda: first_tile(given, resolution=3, **options),
    ):
        with pytest.raises(rs.UsageError, match=f"{next(iter(options))}= would change nothing"):
            call()
    with pytest.raises(rs.UsageError, match=r"rank_intervals\(\) takes no colour="):
        rank_intervals(THREE, colour=1)
    assert rank_intervals(given, level=0.5, simultaneous=True).level == 0.5


def test_rank_takes_weights_missing_prior_and_draws_a_figure(tmp_path):
    path = tmp_path / "folds.csv"
    path.write_text(FOLDS.table().to_csv())
    shown = " ".join(run("rank", str(path), "--uncertainty", "--draws", "50").stdout.split())
    assert "50 draws are rough" in shown
    assert "value interval" in shown
    sized = run("rank", str(path), "--uncertainty", "--posterior", "0.02", "--weights", "size", "--draws", "200").stdout
    assert "prior of 0.02 cases per outcome" in " ".join(sized.split())
    assert "size weights" in sized
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    assert "--missing complete" in run("rank", str(path), "--missing", "error", "--weights", "size", status=3).stderr
    assert "over 11 domains" in run("rank", str(path), "--missing", "complete").stdout
    figure = tmp_path / "u.png"
    run("rank", str(path), "--uncertainty", "--missing", "complete", "--draws", "50", "-o", str(figure))
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert "figures show draws" in run("rank", str(path), "-o", str(figure), status=2).stderr
    assert "rank_low and rank_high" in run("rank", "--help").stdout


# ---- figures


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_figure_of_who_is_first_explains_itself():
    found = first_tile(THREE, draws=200, resolution=31)
    assert found.shares == {
        name: pytest.approx(float((found.winner == i).mean()))
        for i, name in enumerate(THREE.names)
        if (found.winner == i).any()
    }
    assert found.regions is None
    ax = found.plot()
    said = " ".join(" ".join(texts(ax)).split())
    assert "models ever lead" in said
    assert "%: share of the Tile" in said


def test_whole_numbers_of_ranks_have_one_color_and_one_border_each():
    from matplotlib.colors import BoundaryNorm

    P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [40, 20, 20, 20], [60, 1, 20, 19]])
    tile_map = rs.tile.ranking(P, "P3", resolution=21)
    ax = tile_map.plot()
    assert isinstance(ax.images[0].norm, BoundaryNorm)
    assert len({*tile_map.values.ravel()}) > 1
    borders = [lines for lines in ax.collections if type(lines).__name__ == "QuadContourSet"]
    assert len(borders) == len({*tile_map.values.ravel()}) - 1


def test_axes_that_are_given_keep_title_and_note_inside_the_figure():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(13, 6.5))
    found = rank_intervals(FOLDS[["a", "b"]], draws=200)
    first_tile(THREE, draws=50, resolution=21).plot(axes[0])
    found.plot(axes[1])
    figure.canvas.draw()
    for ax in axes:
        for text in [*ax.texts, ax.title, ax._left_title]:
            box = text.get_window_extent()
            assert not text.get_text() or (box.y1 <= figure.bbox.y1 + 1 and box.y0 >= -1), text
    plt.close(figure)


def test_the_figure_of_ranks_has_caps_and_whole_names():
    name = "a very long name of a gradient boosted model"
    P = rs.Performances.from_counts([[900, 10, 5, 85], [500, 300, 100, 100]], names=[name, "b"])
    ax = rank_intervals(P, draws=200).plot()
    bars = [line for line in ax.lines if (line.get_gid() or "").startswith("bar")]
    assert [set(bar.get_xdata()) for bar in bars] == [{1}, {2}]
    assert all(bar.get_marker() == "|" for bar in bars)
    assert ax.get_yticklabels()[0].get_text() == name
    assert any("thick" in text.lower() for text in texts(rank_intervals(THREE, draws=200).plot()))


def test_the_undefined_are_not_first_on_the_map_either():
    P = rs.Performances.from_counts([[10, 0, 0, 0], [9, 1, 0, 0], [8, 0, 2, 3], [5, 5, 5, 5]])
    found = rs.uncertainty.first_tile(P, resolution=5, draws=300)
    for a, b in ((1, 0.5), (1, 1), (1, 0), (0.5, 0), (0, 1), (0.25, 0.5)):
        by = rs.uncertainty.rank_intervals(P, by=rs.at(a, b), draws=300)
        here = found.p_first[:, int(4 * b), int(4 * a)]
        assert by.p_first == pytest.approx(here, nan_ok=True)


def test_small_priors_make_no_ties():
    P = rs.Performances.from_counts([[100, 0, 10, 90]] * 2, names=["a", "b"])
    found = rs.uncertainty.rank_intervals(P, by="precision", method=0.01)
    assert found.p_first.sum() == pytest.approx(1)
    with pytest.raises(rs.UsageError, match="from 0 to 1e15"):
        rs.uncertainty.rank_intervals(P, method=1e300)


def test_another_one_may_be_first_more_probably():
    rows = [[5100, 1000, 1000, 5100], [5100, 1001, 1000, 5100], [50, 10, 10, 50]]
    P = rs.Performances.from_counts(rows, names=["a", "b", "small"])
    lines = sentences(rs.uncertainty.rank_intervals(P, by="f1"))
    assert lines[0].startswith("a is first with probability about")
    assert lines[1].startswith("small is more likely to be first: with probability about 0.4")


def test_draws_that_are_not_asked_for_are_refused(tmp_path):
    (tmp_path / "r.csv").write_text("entity,tn,fp,fn,tp\na,836,44,12,108\nb,792,88,4,116\nc,871,9,40,80\n")
    file = str(tmp_path / "r.csv")
    assert "the share of positives is --shift-prior" in run("rank", file, "--prior", "0.01", status=2).output
    assert "about the draws of --uncertainty" in run("rank", file, "--posterior", "0.01", status=2).output
    assert "--draws is about the draws of --uncertainty" in run("rank", file, "--draws", "5", status=2).output
    shifted = run("rank", file, "--shift-prior", "0.01", "--format", "csv").stdout.splitlines()
    expected = rs.rank(rs.read(file).shift_priors(0.01), by="f1")
    assert [line.split(",")[1] for line in shifted[1:]] == list(expected) == ["c", "a", "b"]


def test_a_gap_is_said_where_the_leaderboard_is(tmp_path):
    rows = "a,easy,95,5,5,95\na,hard,60,40,40,60\nb,easy,94,6,6,94\n"
    (tmp_path / "r.csv").write_text(f"entity,domain,tn,fp,fn,tp\n{rows}")
    file = str(tmp_path / "r.csv")
    shown = run("rank", file, "--missing", "available").output
    assert "b lacks 1 domain (hard) and is averaged over 1 of 2: not comparable" in " ".join(shown.split())
    assert "averaged over up to 2 domains" in shown
    assert "1 of 2" in shown
    notes = json.loads(run("rank", file, "--missing", "available", "--format", "json").stdout)["notes"]
    assert any("b lacks 1 domain (hard)" in note for note in notes)
    assert "left out because not every model has it: hard" in run("rank", file, "--missing", "complete").output
    assert "--missing complete" in run("rank", file, status=3).output
    assert "a is first" in run("why", file, "--missing", "complete").output
    tile = run("tile", file, "--missing", "complete", "-o", str(tmp_path / "t.csv")).output
    assert "100 %  a" in tile

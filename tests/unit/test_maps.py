"""Maps of differences, skill and correlations against naive computation; curves and moves of the Tile."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

import rankscape as rs
from rankscape import Performances, regions, tile

RNG = np.random.default_rng(3)
P = Performances.from_counts(
    np.stack([60 - (fp := RNG.integers(0, 60, 8)), fp, 40 - (tp := RNG.integers(0, 40, 8)), tp], axis=1)
)
AXIS = np.linspace(0, 1, 9)


def values(Q: Performances) -> np.ndarray:
    """(n, b, a)."""
    return rs.ranking_score(Q.mass[:, None, None], rs.canonical_importance(AXIS, AXIS[:, None]))


def test_differences_margins_and_regrets_are_those_of_the_values() -> None:
    R = values(P)
    ordered = np.sort(R, axis=0)
    np.testing.assert_allclose(tile.difference(P, "P2", "P5", 9).values, R[1] - R[4], atol=1e-15)
    np.testing.assert_allclose(tile.margin(P, 9).values, ordered[-1] - ordered[-2], atol=1e-15)
    np.testing.assert_allclose(tile.regret(P, "P3", 9).values, R.max(axis=0) - R[2], atol=1e-15)
    assert tile.difference(P, "P2", "P5", 9).center == 0


@pytest.mark.parametrize(
    ("result", "parameters"),
    [
        (tile.entity(P, np.int64(2), last=True, resolution=3), {"rank": 2, "last": True}),
        (tile.ranking(P, "P2", 3), {"name": "P2"}),
        (tile.value(P["P2"], resolution=3), {"name": "P2"}),
        (tile.best(P, 3), {}),
        (tile.worst(P, 3), {}),
        (tile.margin(P, 3), {}),
        (tile.regret(P, "P2", 3), {"name": "P2"}),
        (tile.skill(P, resolution=3), {"name": None}),
        (tile.skill(P, "P2", resolution=3), {"name": "P2"}),
        (tile.difference(P, "P2", "P5", 3), {"name": "P2", "other": "P5"}),
        (tile.no_skill(np.float64(0.2), 3), {"prior": 0.2}),
        (tile.no_skill_prior(3), {}),
        (tile.correlation("f1", P, resolution=3), {"score": "F_1 score", "statistic": "kendall"}),
        (
            tile.correlation("fbeta(2)", rs.distributions.Uniform(), n=np.int64(9), resolution=3, rng=0),
            {"score": "F_2 score", "statistic": "kendall", "distribution": "Uniform()", "n": 9},
        ),
    ],
    ids=lambda value: value.flavor if isinstance(value, rs.TileMap) else "",
)
def test_a_map_carries_what_it_was_asked_for(result: rs.TileMap, parameters: dict) -> None:
    assert result.parameters == parameters
    assert json.loads(json.dumps(result.parameters)) == parameters


def test_the_margin_of_a_tie_is_zero() -> None:
    assert (tile.margin(Performances.from_counts([[5, 1, 1, 3], [10, 2, 2, 6], [1, 5, 5, 1]]), 5).values == 0).all()
    with pytest.raises(rs.UsageError, match="a margin needs two models; got 1"):
        tile.margin(P[0])


def test_skill_is_zero_for_the_better_constant_answer_and_one_for_a_perfect_one() -> None:
    Q = Performances.from_counts(
        [[6, 0, 0, 4], [6, 0, 4, 0], [0, 6, 0, 4], [0, 6, 4, 0]], names=["perfect", "never", "always", "wrong"]
    )
    inside = np.s_[1:-1, 1:-1]
    assert (tile.skill(Q, "perfect", 9).values[inside] == 1).all()
    constants = np.maximum(*(tile.skill(Q, name, 9).values[inside] for name in ("never", "always")))
    np.testing.assert_allclose(constants, 0, atol=1e-15)
    assert tile.skill(Q, "wrong", 9).values[inside].min() < -5  # no lower bound
    assert np.isnan(
        [tile.skill(Q, name, 9).values[0, 0] for name in ("perfect", "wrong")]
    ).all()  # TNR: never is perfect
    np.testing.assert_array_equal(tile.skill(Q, resolution=9).values[inside], 1)
    with pytest.raises(rs.DataError, match="a skill map needs equal priors; here they go from 0.1 to 0.5"):
        tile.skill(Performances.from_counts([[9, 0, 0, 1], [5, 0, 0, 5]]))


@pytest.mark.parametrize(("call", "says"), [
    (lambda: tile.difference(P, "P1", "zz"), "no entity is called 'zz'"),
    (lambda: tile.regret(P, "zz"), "no entity is called 'zz'"),
    (lambda: tile.correlation("mcc", P, statistic="tau"), "statistic=.tau.; expected one of 'kendall'"),
    (lambda: tile.correlation("mcc", rs.distributions.Uniform), r"as in Uniform\(\)"),
    (lambda: tile.gamma_pi(0.3, 2), r"places on the Tile lie in \[0, 1\]; got 2"),
    (lambda: tile.gamma_pi(30, 0.5), r"a prior must lie in \[0, 1\]; got 30"),
    (lambda: tile.transform_place("turn", 0.1, 0.2), "operation=.turn.; expected one of 'swap_classes'"),
    (lambda: rs.distributions.FixedPriors(1), r"the prior pi must lie inside \(0, 1\); got 1"),
    (lambda: rs.distributions.FixedTrueNegatives(1), r"p_tn must lie in \[0, 1\); got 1"),
    (lambda: rs.distributions.FixedPriors(0.5).tau_of_accuracy("f1"), "corner 'f1': expected one of"),
    (lambda: regions.first(P, rank=9), "rank must lie between 1 and the number of entities, 8; got 9"),
    (lambda: regions.border(P, P[0]), "a border is one of two performances"),
    (lambda: regions.flips(P, by="mcc"), "has no place on the Tile"),
    (lambda: regions.flips([[5, 0, 5, 0]], by="ppv"), "no model is first"),
])  # fmt: skip
def test_what_means_nothing_gets_a_sentence(call: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


# correlations


@pytest.mark.parametrize(("statistic", "scipy"), [("kendall", kendalltau), ("spearman", spearmanr)])
@pytest.mark.parametrize("name", ["mcc", "f1", "fpr", "sqrt(tpr*tnr)"])
def test_correlations_agree_with_scipy(statistic: str, scipy: object, name: str) -> None:
    Q = rs.distributions.Uniform().draw(60, rng=2)
    found = tile.correlation(name, Q, statistic=statistic, resolution=9).values
    R = values(Q)
    for i in range(9):
        for j in range(9):
            assert found[i, j] == pytest.approx(scipy(rs.score(name)(Q), R[:, i, j]).statistic, abs=1e-12)


def test_correlations_drop_who_is_undefined_and_are_nan_against_a_constant() -> None:
    Q = Performances.from_counts([[5, 1, 2, 2], [4, 2, 1, 3], [3, 3, 1, 3], [6, 0, 4, 0]])  # the last has no PPV
    assert tile.correlation("ppv", Q, resolution=3).at(0.5, 0.5) == tile.correlation("ppv", Q[:3], resolution=3).at(
        0.5, 0.5
    )
    assert np.isnan(tile.correlation(lambda q: np.ones(len(q)), Q, resolution=3).values).all()


def test_correlations_do_not_depend_on_threads_and_tell_their_progress() -> None:
    D, done = rs.distributions.FixedPriors(0.3), []
    maps = [tile.correlation("mcc", D, n=300, resolution=7, rng=1, threads=t, progress=done.append) for t in (1, 2, 5)]
    assert all(np.array_equal(maps[0].values, other.values, equal_nan=True) for other in maps[1:])
    assert done.count(7) == 3


@pytest.mark.parametrize("name", ["tpr", "ppv", "accuracy", "f2", "jplus"])
def test_a_score_correlates_perfectly_at_its_own_place(name: str) -> None:
    a, b = rs.locate(name)
    tile_map = tile.correlation(name, rs.distributions.Uniform(), n=500, resolution=11, rng=4)
    assert tile_map.at(a, b) == 1
    assert (tile_map.values[~np.isnan(tile_map.values)] <= 1).all()


def test_ties_are_decided_exactly_on_a_lattice() -> None:
    Q = rs.distributions.Uniform().lattice(6)
    found = tile.correlation("f1", Q, resolution=3).values
    f1 = [
        Fraction(2 * int(tp), 2 * int(tp) + int(fp) + int(fn)) if tp + fp + fn else None for _, fp, fn, tp in Q.counts
    ]
    for i, j in np.ndindex(3, 3):
        pairs = []
        for x, (tn, fp, fn, tp) in zip(f1, Q.counts.tolist(), strict=True):
            s, u = (2 - j) * tn + j * tp, (2 - i) * fp + i * fn
            if x is not None and s + u:
                pairs.append((x, Fraction(s, s + u)))
        ranks = [{v: r for r, v in enumerate(sorted({p[k] for p in pairs}))} for k in (0, 1)]
        expected = kendalltau([ranks[0][x] for x, _ in pairs], [ranks[1][y] for _, y in pairs]).statistic
        assert found[i, j] == pytest.approx(expected, abs=1e-12)


# curves


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_cohens_correction_orders_as_the_place_it_moves_to(a: float, b: float, prior: float) -> None:
    Q = rs.distributions.FixedPriors(prior).draw(12, rng=0)
    R, chance = (rs.ranking_score(X, rs.at(a, b)) for X in (Q, Q.no_skill()))
    corrected = (R - chance) / (1 - chance)
    x, y = tile.gamma_pi(prior, b), b
    assert rs.kendall_tau(corrected, rs.ranking_score(Q, rs.at(float(x), float(y)))) == pytest.approx(1, abs=1e-9)
    assert float(tile.gamma_pi(prior, x)) == pytest.approx(float(y), abs=1e-9)


def test_cohens_correction_takes_accuracy_to_kappa() -> None:
    assert [float(tile.gamma_pi(0.2, 0.5)), 0.5] == pytest.approx(rs.locate("kappa", prior=0.2), abs=1e-15)


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_at_the_tying_prior_no_skill_performances_are_equal(a: float, b: float) -> None:
    prior = float(tile.tying_prior(a, b))
    Q = rs.distributions.FixedPriors(min(max(prior, 1e-6), 1 - 1e-6)).draw(5, rng=0).no_skill()
    assert np.ptp(rs.ranking_score(Q, rs.at(a, b))) < 1e-9


def test_areas_agree_with_a_grid_of_a_million_places() -> None:
    u = (np.arange(1001) + 0.5) / 1001
    for Q in (rs.datasets.classifiers().in_domain("breast cancer"), rs.datasets.toy(0.2), P):
        best, who = np.full((1001, 1001), -1.0), np.zeros((1001, 1001), dtype=int)
        for k, (tn, fp, fn, tp) in enumerate(Q.mass):
            s = (1 - u) * tn + u * tp
            value = s / (s + ((1 - u) * fp + u * fn)[:, None])
            who[value > best] = k
            np.maximum(best, value, out=best)
        for name, area in regions.first(Q).areas.items():
            assert (who == Q.names.index(name)).mean() == pytest.approx(area, abs=1e-3)


def test_entity_maps_tell_their_progress() -> None:
    done: list[int] = []
    tile.entity(P, rank=3, resolution=20, progress=done.append)
    assert done[-1] == 20
    assert done == sorted(done)


def test_sizes_that_mean_nothing_get_a_sentence() -> None:
    for call in (
        lambda: rs.distributions.FixedTrueNegatives(0.2).lattice(0),
        lambda: rs.distributions.AboveNoSkill(0.2).lattice(-2),
        lambda: rs.distributions.Uniform().draw(-1),
        lambda: rs.tile.prior_grid(0.2, lines=1),
        lambda: rs.regions.first([[9, 1, 4, 6]]).at(2, 0.5),
        lambda: rs.regions.first([[9, 1, 4, 6]]).borders_at(7),
    ):
        with pytest.raises(rs.UsageError, match="whole number|lie in"):
            call()


def test_constant_answers_are_recognized_whatever_the_rounding_of_their_priors() -> None:
    rows = [[0.6, 0.1, 0.2, 0.1], [0.7, 0, 0.3, 0]]
    shares, masks = zip(*(
        (rs.regions.without_skill(Q), tile.entity(Q, resolution=11).no_skill)
        for Q in (Performances.from_probabilities(order) for order in (rows, rows[::-1]))
    ), strict=True)  # fmt: skip
    as_counts = rs.regions.without_skill([[6, 1, 2, 1], [7, 0, 3, 0]])
    assert shares == pytest.approx([as_counts, as_counts], abs=1e-12)
    np.testing.assert_array_equal(*masks)


def test_winners_are_those_of_the_regions_where_priors_are_equal_but_for_rounding() -> None:
    rows = [
        [653660542612162214, 311141427918011841, 443181134609356984, 184894570905886213],
        [653660542612162213, 311141427918011841, 443181134609356982, 184894570905886211],
    ]
    Q = Performances.from_counts(rows)
    assert set(rs.regions.winners(Q)) == set(rs.regions.first(Q).areas)
    Q = Performances.from_counts([[2 * 10**9, 3, 0, 1], [2 * 10**9, 5, 0, 0]])
    assert rs.regions.winners(Q) == ("P1",)
    assert rs.regions.flips(Q).first == {"P1"}


def test_thin_slabs_are_exact() -> None:
    Q = Performances.from_counts([[2**60, 0, 10**12, 0], [1, 0, 2**60, 2]])
    assert sum(rs.regions.first(Q, rank=2).areas.values()) == pytest.approx(1, abs=1e-12)


def test_a_border_that_ends_on_a_side_changes_nothing_there() -> None:
    Q = Performances.from_counts([[4, 1, 2, 3], [2, 3, 1, 4]])  # equal at NPV
    assert float(rs.regions.border(Q[0], Q[1]).b(0)) == 1
    assert rs.regions.first(Q).borders_at(0) == ()


def test_a_border_belongs_to_both_sides() -> None:
    Q = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    at = rs.regions.border(Q[0], Q[1]).exact_b(Fraction(1, 2))
    assert set(rs.regions.first(Q).at(Fraction(1, 2), at)) == {"a", "b"}


@pytest.mark.parametrize("prior", [1e-20, 1 - 1e-16, 1e-12])
def test_priors_too_near_to_a_side_are_not_drawn_from(prior: float) -> None:
    with pytest.raises(rs.UsageError, match="priors from 2"):
        rs.distributions.FixedPriors(prior).draw(3, rng=0)


def test_nothing_selected_gets_a_sentence() -> None:
    nothing = P[np.zeros(len(P), dtype=bool)]
    for call in (rs.regions.winners, rs.tile.entity, rs.tile.best, rs.views.roc, rs.views.cost_curve, rs.rank):
        with pytest.raises(rs.UsageError, match="no performance is selected"):
            call(nothing)

"""Maps on the Tile against naive loops in exact rationals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape import Performances, tile

ROWS = st.lists(st.tuples(*[st.integers(0, 4)] * 4).filter(any), min_size=1, max_size=6)


def exact_value(row: tuple, i: int, j: int, m: int) -> Fraction | None:
    """R_{a,b} at a = j/m, b = i/m."""
    tn, fp, fn, tp = map(int, row)
    s, u = (m - j) * tn + j * tp, (m - i) * fp + i * fn
    return None if s + u == 0 else Fraction(s, s + u)


@given(ROWS, st.integers(1, 6), st.booleans())
def test_entity_maps_equal_the_naive_loop(rows: list, rank: int, last: bool) -> None:
    rank = min(rank, len(rows))
    P = Performances.from_counts(rows)
    result = tile.entity(P, rank=rank, last=last, resolution=5)
    for i in range(5):
        for j in range(5):
            values = {name: exact_value(row, i, j, 4) for name, row in zip(P.names, rows, strict=True)}
            values = {name: -v if last else v for name, v in values.items() if v is not None}
            expected = {
                name for name, v in values.items()
                if sum(w > v for w in values.values()) < rank <= sum(w >= v for w in values.values())
            }  # fmt: skip
            assert set(result.at(j / 4, i / 4)) == expected


@given(ROWS)
def test_ranking_maps_equal_the_naive_loop(rows: list) -> None:
    P = Performances.from_counts(rows)
    result = tile.ranking(P, "P1", resolution=5)
    for i in range(5):
        for j in range(5):
            values = [exact_value(row, i, j, 4) for row in rows]
            if values[0] is None:
                assert np.isnan(result.values[i, j])
            else:
                assert result.values[i, j] == 1 + sum(v is not None and v > values[0] for v in values)


def test_maps_agree_with_rank_at_every_place() -> None:
    rng = np.random.default_rng(1)
    P = Performances.from_counts(rng.integers(0, 40, size=(12, 4)) + 1)
    first = tile.entity(P, resolution=9)
    for i in range(9):
        for j in range(9):
            ranking = rs.rank(P, by=rs.at(Fraction(j, 8), Fraction(i, 8)))
            assert ranking.best == set(first.at(j / 8, i / 8))


def test_shares_agree_with_a_fine_grid() -> None:
    rng = np.random.default_rng(2)
    P = Performances.from_counts(rng.integers(0, 40, size=(30, 4)) + 1)
    for last in (False, True):
        result = tile.entity(P, last=last, resolution=301)
        assert sum(result.shares.values()) == pytest.approx(1, abs=1e-3)
        for name, share in result.shares.items():
            mine = np.array([name in names for names in result.sets])[result.values.astype(int)]
            assert share == pytest.approx(mine.mean(), abs=5e-3)


@given(ROWS)
def test_contenders_hold_everybody_who_is_first_or_last_somewhere(rows: list) -> None:
    from rankscape.kernels.grid import contenders

    mass = Performances.from_counts(rows).mass
    for last in (False, True):
        kept = {tuple(rows[i]) for i in contenders(mass, last)}
        for i in range(9):
            for j in range(9):
                values = {row: exact_value(row, i, j, 8) for row in rows}
                known = [v for v in values.values() if v is not None]
                if known:
                    best = (min if last else max)(known)
                    assert {row for row, v in values.items() if v == best} <= kept


def test_contenders_are_few() -> None:
    from rankscape.kernels.grid import contenders

    rng = np.random.default_rng(5)
    P = Performances.from_counts(rng.integers(0, 1000, size=(2000, 4)) + 1)
    assert len(contenders(P.mass)) < 200


def test_ties_are_sets() -> None:
    P = Performances.from_counts([[5, 1, 1, 3], [10, 2, 2, 6], [1, 5, 5, 1]], names=["a", "twice a", "b"])
    result = tile.entity(P)
    assert result.at(0.5, 0.5) == ("a", "twice a")
    assert result.ties == (("a", "twice a"),)
    assert result.shares["a"] == result.shares["twice a"] == pytest.approx(1)
    assert tile.entity(P, rank=2).at(0.5, 0.5) == ("a", "twice a")
    assert tile.entity(P, rank=3).at(0.5, 0.5) == ("b",)


def test_nobody_has_skill_here() -> None:
    P = Performances.from_counts([[70, 10, 8, 12], [80, 0, 20, 0]], names=["model", "never"])
    result = tile.entity(P)
    assert result.prior == pytest.approx(0.2)
    assert result.no_skill is not None
    assert result.no_skill[0, 0]  # TNR: "never" is itself a constant answer
    assert not result.no_skill[100, 200]  # F1: the model has skill
    different = Performances.from_counts([[70, 10, 8, 12], [80, 0, 30, 0]])
    assert tile.entity(different).no_skill is None


def test_undefined_places_are_nan() -> None:
    P = Performances.from_counts([[9, 0, 1, 0]], names=["never"])
    corner = tile.entity(P, resolution=3)
    assert corner.at(1, 0) == ()
    assert np.isnan(tile.value(P, resolution=3).at(1, 0))
    assert np.isnan(tile.ranking(P, "never", resolution=3).at(1, 0))


def test_best_and_worst_enclose_every_value() -> None:
    P = Performances.from_counts(np.random.default_rng(4).integers(1, 40, size=(5, 4)))
    best, worst = tile.best(P, resolution=21).values, tile.worst(P, resolution=21).values
    values = np.stack([tile.value(p, resolution=21).values for p in P])
    assert np.array_equal(best, values.max(axis=0))
    assert np.array_equal(worst, values.min(axis=0))


def test_gamma_curves_rank_no_skill_performances_equal() -> None:
    rates = np.linspace(0.05, 0.95, 7)
    for a in (0.1, 0.5, 0.8):
        fixed_prior = np.stack([[0.7 * (1 - t), 0.7 * t, 0.3 * (1 - t), 0.3 * t] for t in rates])
        values = rs.ranking_score(fixed_prior, rs.canonical_importance(a, float(tile.gamma_pi(0.3, a))))
        assert np.ptp(values) < 1e-15
        fixed_rate = np.stack([[(1 - p) * 0.7, (1 - p) * 0.3, p * 0.7, p * 0.3] for p in rates])
        values = rs.ranking_score(fixed_rate, rs.canonical_importance(a, float(tile.gamma_tau(0.3, a))))
        assert np.ptp(values) < 1e-15


def test_toy_example_of_figure_5() -> None:
    from rankscape import datasets

    for prior in (0.2, 0.5, 0.8):
        result = tile.entity(datasets.toy(prior))
        assert len(result.shares) == 4


def test_frames_and_averaging() -> None:
    P = Performances.from_counts([[5, 1, 1, 3], [4, 2, 2, 2]] * 2, names=list("abab"), domains=list("xxyy"))
    result = tile.entity(P, resolution=3)
    assert "Averaged over 2 domains" in result.subtitle
    assert "On x." in tile.entity(P.in_domain("x"), resolution=3).subtitle
    assert len(result.table()) == 9
    assert result.table()["entity"][4] == "a"
    assert list(tile.value(P["a"], resolution=3).table().columns) == ["a", "b", "value"]


@pytest.mark.parametrize(("call", "says"), [
    (lambda P: tile.value(P), r'a value map is of one entity'),
    (lambda P: tile.ranking(P, "zz"), "no entity is called 'zz'"),
    (lambda P: tile.entity(P, rank=3), "rank must lie between 1 and the number of entities, 2; got 3"),
    (lambda P: tile.entity(P, resolution=1), "resolution must be a whole number, at least 2; got 1"),
    (lambda P: tile.no_skill(20), r"a prior must lie in \[0, 1\]"),
    (lambda P: tile.place_at_prior(0.5, 0, 0.5), r"inside \(0, 1\)"),
    (lambda P: tile.entity(P).at(2, 0), r"must lie in \[0, 1\]"),
])  # fmt: skip
def test_wrong_arguments_get_a_sentence(call: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call(Performances.from_counts([[5, 1, 1, 3], [4, 2, 2, 2]]))


def test_a_value_is_the_row_of_the_entity_and_a_tie_comes_after_them() -> None:
    P = Performances.from_counts([[1, 5, 5, 1], [5, 1, 1, 3], [10, 2, 2, 6]], names=["worst", "a", "twice a"])
    assert set(np.unique(tile.entity(P[:2]).values)) == {1}
    ties = tile.entity(P)
    assert set(np.unique(ties.values)) == {3}
    assert ties.sets[3] == ("a", "twice a")


def test_regions_are_exact_up_to_the_edges() -> None:
    P = Performances.from_counts([[10**12, 1, 9, 10], [9 * 10**11, 9, 1, 10]], names=["x", "y"])
    result = tile.entity(P, resolution=3)
    assert result.at(1, 0.5) == ("x", "y")
    (arc,) = result.regions.regions[0].borders
    assert arc.exact_b(Fraction(1)) == Fraction(1, 2)


@pytest.mark.parametrize(("call", "says"), [
    (lambda: rs.fbeta(-1), "beta must be a finite number ≥ 0; got -1"),
    (lambda: rs.net_benefit(2), r"the threshold p_t must lie in \[0, 1\]; got 2"),
    (lambda: rs.costs(miss=-1), "costs must not be negative, nor both 0; got a miss -1, a false alarm 1"),
    (lambda: rs.importance(tn="a"), "importances must be numbers"),
    (lambda: rs.Performances.from_scores([0, 1], ["a", "b"]), "scores must be numbers"),
])  # fmt: skip
def test_preferences_that_mean_nothing_get_a_sentence(call: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


def test_what_is_exact_cannot_be_written_to() -> None:
    for P in (Performances.from_counts([[1, 2, 3, 4]]), Performances.from_probabilities([[0.25] * 4])):
        with pytest.raises(ValueError, match="read-only"):
            P.integers[0, 0] = 9


def test_different_priors_are_said() -> None:
    P = Performances.from_counts([[8, 1, 0, 1], [4, 1, 2, 3]], names=["a", "b"])
    for tile_map in (tile.entity(P), tile.ranking(P, "a"), tile.best(P)):
        assert "Shares of positives differ: 0.1 to 0.5." in tile_map.subtitle


def test_a_value_map_by_name_is_that_of_the_entity() -> None:
    P = Performances.from_counts([[8, 1, 0, 1], [4, 1, 2, 3]], names=["a", "b"])
    assert np.array_equal(tile.value(P, "b", 5).values, tile.value(P["b"], resolution=5).values)
    with pytest.raises(rs.UsageError, match="a prior is one number"):
        tile.no_skill(P)


def test_an_undefined_constant_answer_beats_nobody() -> None:
    P = Performances.from_counts([[70, 10, 8, 12]])
    mask = tile.value(P, resolution=3).no_skill
    assert not mask[0, 2]  # PPV: "never" is undefined, "always" has 0.2 < 12/22
    assert not mask[2, 0]  # NPV: "always" is undefined


@given(ROWS, st.integers(1, 6), st.booleans())
def test_layers_hold_everybody_among_the_first_ranks(rows: list, rank: int, last: bool) -> None:
    from rankscape.kernels.grid import layers

    kept = {tuple(rows[i]) for i in layers(Performances.from_counts(rows).mass, rank, last)}
    for i in range(5):
        for j in range(5):
            values = [(v, row) for row in rows if (v := exact_value(row, i, j, 4)) is not None]
            ordered = sorted((v for v, _ in values), reverse=not last)
            for v, row in values:
                better = sum(w < v if last else w > v for w in ordered)
                assert better >= rank or tuple(row) in kept


def test_where_exact_regions_have_too_many_pieces_shares_are_those_of_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    P = Performances.from_counts(np.random.default_rng(1).integers(1, 50, size=(9, 4)))
    exact = tile.entity(P, rank=4, resolution=201)
    monkeypatch.setattr("rankscape.tile.ranks.MOST_SLABS", 1)
    gridded = tile.entity(P, rank=4, resolution=201)
    assert (exact.regions is None, gridded.regions is None) == (False, True)
    assert {name for name, share in exact.shares.items() if share > 0.01} <= set(gridded.shares) <= set(exact.shares)
    assert all(gridded.shares[name] == pytest.approx(exact.shares[name], abs=0.01) for name in gridded.shares)

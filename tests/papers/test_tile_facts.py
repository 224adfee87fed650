"""Facts of the Tile paper (and derived ones), each named by its id; tolerances are those of the facts."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rankscape as rs
from rankscape import tile

EXACT = 1e-14


def performance(*mass: float) -> rs.Performances:
    return rs.Performances.from_probabilities([mass])


def test_R_1_canonical_ranking_score() -> None:  # R-1, Tile, Definition 1
    importance = rs.canonical_importance(0.3, 0.7)
    assert rs.ranking_score(performance(0.56, 0.24, 0.06, 0.14), importance)[0] == pytest.approx(
        0.791970802919708, abs=EXACT
    )


def test_loc_1_place_of_an_importance() -> None:  # loc-1, Tile, A.3.1; 4.2 prints b wrongly
    assert rs.locate([2, 3, 1, 6]) == pytest.approx((0.75, 0.25), abs=EXACT)


def test_shift_1_prior_shift_of_a_place() -> None:  # shift-1, Tile, Lemma 5
    assert tile.place_at_prior(0.35, 0.3, 0.8) == pytest.approx(0.8340425531914895, abs=EXACT)


def test_shift_1_orders_as_the_shifted_performances() -> None:
    P = rs.Performances.from_counts([[56, 24, 6, 14], [40, 40, 4, 16], [70, 10, 12, 8], [35, 45, 1, 19]])
    for a, b in [(0.35, 0.2), (0.9, 0.6), (0.1, 0.8)]:
        moved = [tile.place_at_prior(x, 0.2, 0.7) for x in (a, b)]
        shifted = rs.rank(P.shift_priors(0.7), by=rs.at(a, b)).ranks
        assert shifted.tolist() == rs.rank(P, by=rs.at(*moved)).ranks.tolist()


def test_grid_1_line_of_the_prior_shift_grid() -> None:  # grid-1, Tile, eqs (4)-(5)
    assert tile.prior_grid(0.2, lines=11)[3] == pytest.approx(0.6315789473684211, abs=EXACT)


def test_interp_1_directions_of_the_means() -> None:  # interp-1, Tile, 4.1; printed the other way round
    P, a, b = performance(0.4, 0.1, 0.2, 0.3), 0.25, 0.6

    def R(a: float, b: float) -> float:
        return float(rs.ranking_score(P, rs.canonical_importance(a, b))[0])

    horizontal = 1 - 1 / ((1 - a) / (1 - R(0, b)) + a / (1 - R(1, b)))
    vertical = 1 / ((1 - b) / R(a, 0) + b / R(a, 1))
    assert [horizontal, vertical, R(a, b)] == pytest.approx([0.7009345794392523] * 3, abs=1e-13)


def test_gamma_1_no_skill_curves() -> None:  # gamma-1, Tile, 4.4
    assert tile.gamma_pi(0.3, 0.37) == pytest.approx(0.9026315789473685, abs=EXACT)
    assert tile.gamma_tau(0.3, 0.37) == pytest.approx(0.09736842105263158, abs=EXACT)


def test_noskill_1_best_value_without_skill() -> None:  # noskill-1, Tile, Fig. 9
    assert tile.no_skill(0.2, resolution=11).at(0.3, 0.4) == pytest.approx(0.875, abs=EXACT)


def test_place_1_places_at_a_fixed_prior() -> None:  # place-1, Tile, 4.2 and 4.4
    assert rs.locate("wa(0.7)", prior=0.3) == pytest.approx((0.8448275862068965,) * 2, abs=EXACT)
    assert rs.locate("balanced accuracy", prior=0.3) == pytest.approx((0.7, 0.7), abs=EXACT)
    assert rs.locate("kappa", prior=0.3) == pytest.approx((0.8448275862068965, 0.5), abs=EXACT)
    corrected = tile.gamma_pi(0.3, 0.3)  # the curve is symmetric in a and b: where the horizontal b meets it
    assert corrected == pytest.approx(0.927027027027027, abs=EXACT)


def test_kappa_1_is_linear_in_a_ranking_score() -> None:  # kappa-1, Tile, Lemma 8
    P = performance(0.5, 0.2, 0.05, 0.25)
    kappa = rs.score("kappa")(P)[0]
    left = (0.7**2 + 0.3**2) * kappa + 2 * 0.7 * 0.3
    right = rs.ranking_score(P, rs.canonical_importance(*rs.locate("kappa", prior=0.3)))[0]
    assert [left, right] == pytest.approx([0.6979166666666666] * 2, abs=EXACT)


def test_VUT_1_closed_form_and_limits() -> None:  # VUT-1, Tile, eqs (10)-(15)
    P = [[0.4, 0.1, 0.2, 0.3], [0.3, 0.1, 0.3, 0.3], [0.5, 0.1, 0.1, 0.3], [0.35, 0.15, 0.15, 0.35]]
    expected = [0.7013551355068899, 0.6081976621622465, 0.7972674459459179, 0.7]
    assert rs.vut(P) == pytest.approx(expected, abs=1e-12)


NAMED_PLACES = {
    "tnr": (0, 0), "npv": (0, 1), "ppv": (1, 0), "tpr": (1, 1), "accuracy": (Fraction(1, 2), Fraction(1, 2)),
    "f1": (1, Fraction(1, 2)), "jplus": (1, Fraction(1, 2)), "jminus": (0, Fraction(1, 2)), "f2": (1, Fraction(4, 5)),
    "P(tn, tp | tn, fn, tp)": (Fraction(1, 2), 1), "P(tn, tp | tn, fp, tp)": (Fraction(1, 2), 0),
}  # fmt: skip


@pytest.mark.parametrize(("name", "place"), NAMED_PLACES.items())
def test_table_2_and_figure_3_places(name: str, place: tuple[Fraction, Fraction]) -> None:  # Tile, Table 2, Fig. 3
    assert rs.score(name).exact_place() == place


@pytest.mark.parametrize(("name", "place"), [
    ("ptn", (0, 0)), ("pfp", (0, 0)), ("ptp", (1, 1)), ("pfn", (1, 1)), ("plr", (1, 0)), ("sppv", (1, 0)),
    ("snpv", (0, 1)), ("nlr", (0, 1)), ("youden", (0.7, 0.7)), ("determinant", (0.7, 0.7)), ("sivf", (1, 0.7)),
    ("net benefit(0.1)", (0.9, 0.9)), ("gss", (0.49 / 0.58, 0.5)),
])  # fmt: skip
def test_figure_3_places_at_fixed_priors(name: str, place: tuple[float, float]) -> None:  # Tile, 4.2 (prior 0.3)
    assert rs.locate(name, prior=0.3) == pytest.approx(place, abs=1e-14)


def test_table_1_operations_move_orderings() -> None:  # Tile, Lemmas 1-4
    P = performance(0.4, 0.1, 0.2, 0.3)
    a, b = np.float64(0.3), np.float64(0.8)

    def R(P: rs.Performances, a: float, b: float) -> float:
        return float(rs.ranking_score(P, rs.canonical_importance(a, b))[0])

    assert R(P.change_prediction(), a, b) == pytest.approx(1 - R(P, b, a), abs=1e-15)
    assert R(P.change_truth(), a, b) == pytest.approx(1 - R(P, 1 - b, 1 - a), abs=1e-15)
    assert R(P.swap_truth_and_prediction(), a, b) == pytest.approx(R(P, a, 1 - b), abs=1e-15)
    assert R(P.swap_classes(), a, b) == pytest.approx(R(P, 1 - a, 1 - b), abs=1e-15)


def test_vertex_1_of_the_pencil_of_iso_performance_lines() -> None:  # vertex-1, Tile, Fig. 2
    from rankscape.geometry.roc import Pencil

    assert Pencil(0.95, 0.7, 0.2).vertex == pytest.approx((-0.805, -0.38), abs=1e-12)


def test_border_1_of_two_performances_with_different_priors() -> None:  # border-1, Tile, A.4.1, generalized
    P = rs.Performances.from_probabilities([[0.6, 0.1, 0.1, 0.2], [0.2, 0.1, 0.2, 0.5]])
    border = rs.regions.border(P[0], P[1])
    found = [*map(float, border.corners), float(border.b(0.75))]
    assert found == pytest.approx([0.04, 0.1, -0.03, -0.01, 0.4166666666666667], abs=1e-12)


def test_toy_1_border_of_the_toy_example() -> None:  # toy-1, Tile, Fig. 5
    P = rs.datasets.toy(0.5)
    assert float(rs.regions.border(P["P₁"], P["P₂"]).b(0.5)) == pytest.approx(0.7380952380952378, abs=1e-12)


def test_half_1_half_plane_of_two_performances_at_equal_priors() -> None:  # half-1, Tile, eqs (6)-(7)
    first, second = [0.35, 0.15, 0.15, 0.35], [0.25, 0.25, 0.1, 0.4]
    rates = []
    for tn, fp, fn, tp in (first, second):
        rates.append({"TNR": tn / (tn + fp), "FPR": fp / (tn + fp), "FNR": fn / (fn + tp), "TPR": tp / (fn + tp)})
    one, two = rates
    a_ = one["FPR"] * two["FNR"] - one["FNR"] * two["FPR"]
    b_ = one["TPR"] * two["TNR"] - one["TNR"] * two["TPR"]
    constant = one["TNR"] - two["TNR"]
    assert [a_, b_, constant] == pytest.approx([-0.09, -0.21, 0.2], abs=1e-14)
    P = rs.Performances.from_probabilities([first, second])
    border = rs.regions.border(P[0], P[1])  # the half-plane and the general border are one
    for a in (0.1, 0.5, 0.9):
        assert float(border.b(a)) == pytest.approx(-(constant + a_ * a) / b_, abs=1e-12)
        b = (Fraction(1, 3), Fraction(3, 4))
        for y in b:
            assert (border.h(Fraction(a), y) > 0) == (a_ * a + b_ * y + constant > 0)


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.8])
def test_the_three_steps_of_A_4_1_give_the_exact_border(prior: float) -> None:
    """Shift to equal priors, draw the straight line of (6)-(7), shift it back."""
    P = rs.datasets.toy(prior)
    for name, other in (("P₁", "P₂"), ("P₋", "P₁"), ("P₂", "P₊")):
        balanced = [P[x].shift_priors(Fraction(1, 2)) for x in (name, other)]
        line = rs.regions.border(*balanced)
        a = np.linspace(0.05, 0.95, 7)
        straight = line.b(tile.place_at_prior(a, 0.5, prior))
        back = np.where(np.isnan(straight), np.nan, tile.place_at_prior(np.nan_to_num(straight), prior, 0.5))
        np.testing.assert_allclose(rs.regions.border(P[name], P[other]).b(a), back, atol=1e-12)


def test_tau1_A_and_tau3_A_1_of_accuracy() -> None:  # tau1-A, tau3-A-1, derived; Foundations, Table 1
    assert rs.distributions.Uniform().tau_of_accuracy() == pytest.approx(0.4666666666666667, abs=1e-12)
    D = rs.distributions.FixedPriors(0.2)
    assert [D.tau_of_accuracy("tpr"), D.tau_of_accuracy("tnr")] == pytest.approx([0.15625, 0.84375], abs=1e-12)


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.7])
def test_closed_forms_of_accuracy_agree_with_draws(prior: float) -> None:
    n = 4000
    corners = {"tnr": (0, 0), "npv": (1, 0), "ppv": (0, 1), "tpr": (1, 1)}
    drawn = tile.correlation("accuracy", rs.distributions.Uniform(), n=n, resolution=2, rng=1).values
    for corner in corners.values():
        assert drawn[corner] == pytest.approx(rs.distributions.Uniform().tau_of_accuracy(), abs=3.3 / np.sqrt(n))
    D = rs.distributions.FixedPriors(prior)
    drawn = tile.correlation("accuracy", D, n=n, resolution=2, rng=1).values
    for name in ("tnr", "tpr"):
        assert drawn[corners[name]] == pytest.approx(D.tau_of_accuracy(name), abs=3.3 / np.sqrt(n))


def test_tab1_1_correlations_on_the_lattice() -> None:  # tab1-1, Foundations, Table 1
    lattice = rs.distributions.Uniform().lattice(32)
    assert len(lattice) == 6545
    corner = {name: tile.correlation(name, lattice, resolution=2).values for name in ("accuracy", "f1", "f0.5")}
    found = [corner["accuracy"][1, 1], corner["f1"][0, 0], corner["f0.5"][1, 0]]
    assert found == pytest.approx([0.4694990076237483, 0.16078030692134057, 0.07903855834503502], abs=0.002)


def test_the_74_segmentation_models(shared_data: Path) -> None:
    P = rs.read(shared_data / "semseg74.csv")
    found = rs.regions.first(P)
    assert [round(100 * area, 2) for area in found.areas.values()] == [46.97, 29.85, 20.52, 2.66]
    assert sum(found.areas.values()) == pytest.approx(1, abs=1e-12)
    assert rs.regions.flips(P, by="f1").beta == pytest.approx((0.473, 1.457), abs=5e-4)
    assert rs.regions.without_skill(P) == pytest.approx(0.0305, abs=5e-4)

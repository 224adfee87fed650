"""Facts of the optimal trade-off paper on finite sets (and derived ones), each named by its id."""

from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

import rankscape as rs

SET_B = [[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]


def test_set_B_all_swaps_the_exact_optimum_and_its_degree() -> None:  # set-B, eqs (11), (12), (36)
    t = rs.tradeoff(SET_B)
    expected = [Fraction(x) for x in ("1/18", "2/9", "19/54", "5/9", "13/18", "1")]
    assert t.exact_swaps == tuple((x, 1) for x in expected)
    assert t.exact_optimal_set == (Fraction(19, 54), Fraction(5, 9))
    assert t.optimal_set_closed == (False, False)
    assert t.optimality(sqrt(0.45)) == 1
    assert t.beta_squared == float(Fraction(19, 54)) / 2 + float(Fraction(5, 9)) / 2


@pytest.fixture(scope="module")
def cada(shared_data: Path) -> rs.Tradeoff:
    return rs.tradeoff(rs.read(shared_data / "cada_rre.csv"), distinct=True)


def test_cada_1_discordant_pairs_distinct_swaps_and_their_median(cada: rs.Tradeoff) -> None:  # cada-1, Fig. 3
    assert (cada.n, cada.n_discordant, len(cada.exact_swaps), cada.n_rankings) == (16, 43, 28, 29)
    assert cada.median_beta == sqrt(2 / 11)
    assert cada.tau_ends == pytest.approx(1 - 86 / 120, abs=1e-15)


def test_cada_2_betas_of_the_optimum_the_ends_and_the_quantile(cada: rs.Tradeoff) -> None:  # cada-2, Fig. 3, A.2.2
    assert cada.median_beta == pytest.approx(0.4264014327112209, abs=1e-15)
    assert cada.first_and_last_swap == pytest.approx((0.13483997249264842, 1.5075567228888183), abs=1e-15)
    assert cada.quantile(0.8) == pytest.approx(0.914146780153, abs=1e-12)


def test_on_cada_the_median_is_not_optimal(cada: rs.Tradeoff) -> None:  # erratum 6
    assert not cada.median_is_optimal
    assert cada.frechet_variance(cada.median_beta) > cada.frechet_variance(cada.beta)
    low, high = cada.optimal_set
    assert low < cada.beta_squared < high
    assert cada.optimality(cada.median_beta) < cada.optimality(cada.beta) == 1


def test_two_components_hold_94_percent_of_the_rankings_of_cada(cada: rs.Tradeoff) -> None:  # conventions, 6
    path = cada.path()
    assert path.rankings.shape == (29, 16)
    parts = np.linalg.svd(path.rankings - path.rankings.mean(axis=0), compute_uv=False) ** 2
    assert parts[:2].sum() / parts.sum() == pytest.approx(0.942397, abs=5e-7)
    middle = rankdata(path.rankings, axis=1)
    assert middle.tolist() == path.rankings.tolist()  # nobody ties on a whole interval


def test_f1_orders_63_percent_of_the_disputed_pairs_of_cada_as_the_optimum(cada: rs.Tradeoff) -> None:  # erratum 20
    assert cada.optimality(1) == pytest.approx(27 / 43, abs=1e-15)
    assert cada.balance(1) == pytest.approx(26.5 / 43, abs=1e-15)
    assert cada.balance(cada.beta) == pytest.approx(42.5 / 43, abs=1e-15)
    assert "F1 orders 62.8 % of the disputed pairs as the optimum does" in cada.summary()
    assert cada.balance(2) == 0.5  # F2, the challenge's own score, copies recall


def test_the_heuristic_on_cada_does_not_depend_on_which_of_equal_entries_is_kept(shared_data: Path) -> None:
    P = rs.read(shared_data / "cada_rre.csv")
    one, other = (rs.tradeoff(Q, distinct=True) for Q in (P, P[::-1]))
    assert one.heuristic_beta == other.heuristic_beta
    # six with tp = 0 have fp 0 to 3; each of the 16 counts as the mean of its members
    groups: dict[tuple[Fraction, ...], list[Fraction]] = {}
    for _, fp, fn, tp in P.counts.tolist():
        groups.setdefault((Fraction(tp, max(tp + fp, 1)), Fraction(tp, tp + fn)), []).append((fp, fn))
    fp, fn = (sum(Fraction(sum(row[k] for row in rows), len(rows)) for rows in groups.values()) for k in (0, 1))
    assert one.heuristic_beta == pytest.approx(sqrt(fp / fn), rel=1e-15)
    assert set(one.names) == set(other.names)

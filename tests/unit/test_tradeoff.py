"""The optimal trade-off where little is left of it, and what it says."""

import sys
from fractions import Fraction
from math import inf, isnan, nan

import numpy as np
import pytest

import rankscape as rs
from rankscape import Performances
from rankscape.kernels import crossings, reference
from rankscape.kernels.crossings import Crossings, lines_of_integers

THREE = [[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]


@pytest.mark.parametrize(
    "rows",
    [
        [[5, 1, 2, 2]],
        [[5, 1, 2, 2], [10, 2, 4, 4], [5, 1, 2, 2]],
        [[10, 0, 0, 0], [7, 0, 3, 0]],
        [[0, 0, 5, 0], [0, 5, 0, 0]],
        [[5, 0, 0, 5], [4, 1, 1, 4]],
        [[9, 0, 0, 0]],
    ],
)
def test_where_nothing_is_disputed_every_beta_is_optimal(rows: list) -> None:
    t = rs.tradeoff(Performances.from_counts(rows))
    assert (t.n_discordant, t.n_rankings, t.swaps.tolist()) == (0, 1, [])
    assert isnan(t.beta)
    assert (t.optimal_set, t.optimal_set_closed) == ((0.0, inf), (True, True))
    assert isnan(t.optimality(1))
    assert t.quantile(0.5) == 1.0
    assert all(isnan(beta) for beta in t.first_and_last_swap)
    assert "nothing is to be traded off" in t.summary() or t.n == 0
    if t.n:
        assert len(t.path()) == 1
    else:
        assert t.summary().startswith("Nobody has a value between PPV and TPR")
    assert all(isnan(x) for x in t.tau(1)) if t.n < 2 else t.tau(1) == (1.0, 1.0)


def test_without_a_positive_prediction_precision_is_0_and_nothing_swaps() -> None:
    t = rs.tradeoff(Performances.from_counts([*THREE, [82, 0, 18, 0], [80, 2, 18, 0]]))
    assert (t.n, t.n_discordant) == (5, 3)
    assert t.path().rankings[:, 3:].tolist() == [[4, 4]] * 4


def test_who_is_undefined_on_the_whole_way_is_left_out_and_named() -> None:
    P = Performances.from_counts([*THREE, [9, 0, 0, 0]], names=["a", "b", "c", "nothing positive"])
    t = rs.tradeoff(P)
    assert t.names == ("a", "b", "c")
    assert t.notes == ("Left out, for they have no value between the ends: nothing positive",)


def test_domains_are_averaged_and_one_by_one_in_tradeoffs() -> None:
    P = rs.datasets.classifiers()
    assert f"averaged over {P.n_domains} domains" in rs.tradeoff(P).summary()
    found = rs.tradeoffs(P)
    assert list(found) == list(dict.fromkeys(P.domains))
    assert len(found.table()) == len(found) == P.n_domains
    one = rs.tradeoff(P.in_domain("breast cancer"))
    assert found["breast cancer"].beta == one.beta
    with pytest.raises(KeyError, match="no domain is called 'zz'"):
        found["zz"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: rs.tradeoff(THREE, ends=(rs.at(0.25, 0.5), rs.at(0.5, 1))),
            "on no common",
        ),
        (lambda: rs.tradeoff(THREE, ends=("tpr", "recall")), "order alike"),
        (
            lambda: rs.tradeoff([[5, 1, 2, 2], [5, 2, 2, 2]], ends=("tnr", "tpr")),
            "the priors of all models must be equal",
        ),
        (lambda: rs.tradeoff([[5, 1, 2, 2], [5, 2, 2, 2]], ends=("npv", "ppv")), "the rates of predictions"),
        (lambda: rs.tradeoff(THREE, ends=("mcc", "tpr")), "no place"),
        (lambda: rs.tradeoff(THREE).quantile(1.5), r"a quantile lies in \[0, 1\]; got 1.5"),
        (lambda: rs.tradeoff(THREE).optimality(-1), r"beta must lie in \[0, ∞\]; got -1"),
        (lambda: rs.tradeoff(THREE).optimality(nan), "beta must lie in"),
        (lambda: rs.tradeoff(THREE, ends=("f0.5", "f2")).tau(3), "is not between"),
        (lambda: rs.tradeoffs(THREE), "have no domains"),
        (lambda: rs.tradeoff(Performances.from_probabilities([[0.1, nan, 0.2, 0.7]])), "is not finite"),
    ],
)
def test_what_means_nothing_gets_a_sentence(call: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


def test_no_list_is_made_of_too_many_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["rankscape._tradeoff.record"], "MOST_LISTED", 2)
    with pytest.raises(rs.UsageError, match="there are 3 swaps, more than the 2 that are listed"):
        _ = rs.tradeoff(THREE).swaps


def test_arrays_of_beta_give_arrays() -> None:
    t = rs.tradeoff(THREE)
    betas = [[0, 0.5, 1], [2, t.beta, inf]]
    first, second = t.tau(betas)
    assert first.shape == (2, 3)
    np.testing.assert_allclose(first + second, 1 + t.tau_ends, atol=1e-15)
    assert t.optimality(betas)[1, 1] == t.optimality(t.beta) == 1.0
    assert t.frechet_variance(betas).argmin() == 4


def test_the_curve_has_every_interval_and_every_swap() -> None:
    t = rs.tradeoff(THREE)
    curve = t.curve()
    assert len(curve) == 2 * len(t.exact_swaps) + 1
    assert (curve["from"][0], curve["to"][-1]) == (0.0, inf)
    assert curve["from"][1:] == curve["to"][:-1]
    for low, high, passed, optimality in zip(
        *(curve[name] for name in ("from", "to", "passed", "optimality")), strict=True
    ):
        beta = low if low == high else (low + min(high, low + 1)) / 2
        assert (float(t.swaps_passed(beta)), t.optimality(beta)) == (passed, optimality)


def test_the_heuristic_and_sivf() -> None:
    t = rs.tradeoff(THREE)
    assert t.heuristic_beta == pytest.approx((20 / 18) ** 0.5)
    assert t.sivf_beta == pytest.approx((82 / 18) ** 0.5)
    tpr, fpr = rs.score("tpr")(rs.Performances.from_counts(THREE)), rs.score("fpr")(rs.Performances.from_counts(THREE))
    k = Fraction(82, 18)
    assert rs.rank(THREE, by=(0, 1, k, 1 + k)).order.tolist() == np.argsort(-tpr / (tpr + fpr + 1)).tolist()
    assert isnan(rs.tradeoff(THREE, ends=("npv", "tpr")).sivf_beta)
    assert rs.tradeoff(THREE, ends=("npv", "tpr")).heuristic_beta == pytest.approx((226 / 36) ** 0.5)
    assert rs.tradeoff([[5, 1, 0, 2], [4, 2, 0, 2]]).heuristic_beta == inf


def test_distinct_merges_who_is_equal_between_the_ends() -> None:
    rows = [*THREE, [8, 2, 9, 9], [152, 12, 12, 24]]  # another number of true negatives; twice the second
    t = rs.tradeoff(Performances.from_counts(rows), distinct=True)
    assert (t.n, t.n_discordant) == (3, 3)
    assert t.notes == ("Of 5 models 2 are equal to others between the ends, and not counted",)
    assert rs.tradeoff(Performances.from_counts(rows)).n_discordant == 8


@pytest.mark.parametrize("scale", [1, 1e-3, 1e-9, 1e-15])
def test_probabilities_of_any_size_are_exact(scale: float) -> None:
    rng = np.random.default_rng(0)
    part = rng.integers(1, 50, (12, 3)) * 2.0**-10 * scale
    P = Performances.from_probabilities(np.concatenate([1 - part.sum(axis=1, keepdims=True), part], axis=1))
    counts = np.rint(part / scale * 2**10).astype(int)
    Q = Performances.from_counts(np.concatenate([np.ones((12, 1), dtype=int), counts], axis=1))
    exact = scale == 1
    np.testing.assert_allclose(rs.tradeoff(P).swaps, rs.tradeoff(Q).swaps, rtol=0 if exact else 1e-9)


def test_a_million_swaps_and_more_need_no_list() -> None:
    rng = np.random.default_rng(2)
    n = 3000
    tp, fp = rng.integers(1, 5001, n), rng.integers(0, 5001, n)
    rows = np.stack([5000 - fp, fp, 5000 - tp, tp], axis=-1)
    t = rs.tradeoff(Performances.from_counts(rows))
    assert t.n_discordant > 10**6
    i, j = np.triu_indices(n, 1)
    top, bottom = tp[i] * fp[j] - tp[j] * fp[i], tp[i] * (5000 - tp[j]) - tp[j] * (5000 - tp[i])
    swaps = np.sort((-top / np.where(bottom == 0, 1, bottom))[top * bottom < 0])
    assert t.n_discordant == len(swaps)
    assert t.beta_squared == np.median(swaps)
    assert t.first_and_last_swap == (swaps[0] ** 0.5, swaps[-1] ** 0.5)


# kernels


@pytest.fixture(params=["compiled", "NumPy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "NumPy":
        monkeypatch.setattr(crossings, "backend", reference)
    elif not crossings.backend.COMPILED:
        pytest.skip("the extension is not built here, or not wanted")
    return str(request.param)


@pytest.mark.parametrize("largest", [3, 10**6, 2**31, 2**61])
def test_orders_are_exact_at_any_place(either: str, largest: int) -> None:
    rng = np.random.default_rng(largest % 97)
    rows = rng.integers(0, largest, (40, 3)) + np.array([0, 0, 1])
    rows[20:25] = rows[:5]
    lines = lines_of_integers(rows)
    assert lines.compiled == (either == "compiled")
    exact = [tuple(Fraction(int(row[c]), int(row[2])) for c in (0, 1)) for row in rows]
    for t in (Fraction(1, 3), Fraction(2), Fraction(10**15, 10**15 + 1)):
        for after in (False, True):
            order = lines.original[lines.order(t.as_integer_ratio(), after)]
            key = [(x + t * y, y if after else -y, lines.original.tolist().index(k)) for k, (x, y) in enumerate(exact)]
            assert order.tolist() == sorted(range(40), key=key.__getitem__)


def test_places_are_correctly_rounded(either: str) -> None:
    rng = np.random.default_rng(5)
    for bits in (8, 20, 31, 45, 61):
        rows = rng.integers(0, 2**bits, (60, 3)) + np.array([0, 0, 1])
        lines = lines_of_integers(rows)
        i, j = np.triu_indices(60, 1)
        tops, bottoms = lines.ratios(i, j)
        crossing = bottoms > 0
        found = lines.places(i[crossing], j[crossing])
        expected = [float(Fraction(int(p), int(q))) for p, q in zip(tops[crossing], bottoms[crossing], strict=True)]
        assert found.tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 300])
def test_inverted_pairs_are_all_inversions(n: int) -> None:
    permutation = np.random.default_rng(n).permutation(n)
    expected = sorted(
        (permutation[i], permutation[j]) for i in range(n) for j in range(i, n) if permutation[i] > permutation[j]
    )
    for pairs in (crossings.backend.inverted_pairs(permutation), reference.inverted_pairs(permutation)):
        assert sorted(zip(*(part.tolist() for part in pairs), strict=True)) == expected


def test_a_rank_that_no_crossing_has_is_refused() -> None:
    found = Crossings(lines_of_integers(np.array([[3, 1, 1], [1, 2, 1]])))
    assert found.total == 1
    for k in (0, 2):
        with pytest.raises(IndexError, match="between 1 and 1"):
            found.kth(k)


def test_where_inversions_are_rare_pairs_are_drawn_otherwise() -> None:
    permutation = np.arange(5000)
    permutation[:4999] += 1
    permutation[4999] = 0  # the last moved far, all others one place
    larger, smaller = crossings._drawn(permutation, 4999, np.random.default_rng(0))
    assert len(larger)
    assert (larger > smaller).all()
    assert (smaller == 0).all()


@pytest.mark.parametrize(
    "beta", [0.0, 5e-324, 1e-200, 1e-12, 1e-4, 1e4, 1e30, 1.7e308, inf, Fraction(10**30 + 1, 10**30)]
)
def test_any_beta_is_met_exactly(either: str, beta: float) -> None:
    rows = [[5, 1, 2 * 10**8, 10**8], [5, 2, 10**8, 10**8], [9, 3, 3, 9], [9, 4, 2, 9]]
    t = rs.tradeoff(Performances.from_counts(rows))
    swaps = [x for x, size in t.exact_swaps for _ in range(size)]
    expected = sum(beta == inf or x < Fraction(beta) ** 2 for x in swaps)
    if beta not in [float(x) ** 0.5 for x in swaps]:
        assert t.swaps_passed(beta) == expected
    assert t.optimality(t.beta) >= 0.5
    table = t.table()
    assert (*table["first_end"], *table["second_end"]) == tuple(t.ends)


def test_ends_of_a_part_of_a_side_are_between_the_ends() -> None:
    t = rs.tradeoff(THREE, ends=("f0.5", "f2"))
    assert t.tau(0.5) == t.tau(Fraction(1, 2))
    assert t.tau(2.0)[1] == 1
    assert t.limits == (0.25, 4.0)
    assert t.compare()["score"][0] == "F_0.5"


def test_swaps_beyond_floats_are_infinite_and_their_roots_are_not() -> None:
    t = rs.tradeoff(Performances.from_probabilities([[0.25, 0.5, 1e-320, 0.25], [0.5, 0.25, 2e-320, 0.25]]))
    assert t.swaps.tolist() == [inf]
    assert t.beta == pytest.approx(5e159, rel=1e-3)
    assert t.first_and_last_swap[0] == t.quantile(0.5) == pytest.approx(5e159, rel=1e-3)
    assert len(t.curve()) == 3
    assert len(t.path()) == 2


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (THREE, "β = 0.85"),
        (
            [[5, 1, 3, 1], [5, 6, 4, 4], [5, 6, 4, 5], [5, 4, 4, 1], [5, 2, 3, 5], [5, 3, 2, 2]],
            "β = 0.5, exactly at a swap: there models tie that are ordered on either side\nSo is every one below it and above 0.302",
        ),
        (
            [[80, 2, 9, 9], [76, 6, 6, 12]],
            "β = 0.745, exactly at a swap: there models tie that are ordered on either side\nF1 orders 50.0 % of the disputed pairs as the optimum does: it only copies TPR, as every β above 0.746 does",
        ),
    ],
)
def test_the_summary_says_what_is_optimal(rows: list, says: str) -> None:
    assert says in rs.tradeoff(rows).summary()


def test_a_tradeoff_can_be_sent_to_another_process() -> None:
    import pickle

    for P in (Performances.from_counts(THREE), Performances.from_counts(THREE).shift_priors(0.3)):
        t = pickle.loads(pickle.dumps(rs.tradeoff(P)))
        assert t.beta == rs.tradeoff(P).beta


def test_what_is_no_beta_or_no_pair_of_ends_is_refused() -> None:
    t = rs.tradeoff(THREE)
    for call in (
        lambda: t.tau("f1"),
        lambda: rs.tradeoff(THREE, ends="tpr"),
        lambda: rs.tradeoff(THREE, ends=("tpr",)),
        lambda: rs.tradeoff([[9, 0, 0, 0]]).path(),
    ):
        with pytest.raises(rs.UsageError):
            call()


def test_compare_tells_the_median_from_the_optimum() -> None:
    rows = [[5, 1, 3, 1], [5, 6, 4, 4], [5, 6, 4, 5], [5, 4, 4, 1], [5, 2, 3, 5], [5, 3, 2, 2], [5, 2, 2, 2]]
    t = rs.tradeoff(rows)
    table = t.compare(quantile=0.8)
    values = dict(zip(table["score"], table["optimality"], strict=True))
    assert values["optimum"] == max(values.values())
    assert "quantile 0.8" in values
    assert table["beta"] == sorted(table["beta"])


@pytest.mark.parametrize(
    "rows",
    [
        [[0.99, 0.01, 1e-21, 1e-155], [0.5, 1e-155, 1e-155, 0.5], [0.8, 0.2, 0, 3e-322]],
        [[1, 0, 1e-200, 1e-301], [0.5, 1e-290, 3e-322, 0.5]],
        [[0.5, 0.5, 0, 1e-21], [0.79, 0.2, 1e-300, 0.01]],
    ],
)
def test_the_smallest_probabilities_are_exact(rows: list) -> None:
    t = rs.tradeoff(Performances.from_probabilities(rows))
    expected = []
    for first, second in ((rows[i], rows[j]) for i in range(len(rows)) for j in range(i)):
        (_, fp1, fn1, tp1), (_, fp2, fn2, tp2) = (map(Fraction, row) for row in (first, second))
        top, bottom = tp1 * fp2 - tp2 * fp1, tp1 * fn2 - tp2 * fn1
        if top * bottom < 0:
            expected.append(-top / bottom)
    assert [x for x, size in t.exact_swaps for _ in range(size)] == sorted(expected)
    for x in expected:
        place = t.segment.crossing(x)
        assert (t.crossings.before(place), t.crossings.upto(place)) == (
            sum(y < x for y in expected),
            sum(y <= x for y in expected),
        )
    assert t.summary()
    assert len(t.path()) == len(set(expected)) + 1


def test_swaps_of_a_part_of_a_side_are_listed_as_fast_as_exactly() -> None:
    rng = np.random.default_rng(7)
    P = Performances.from_counts(rng.integers(1, 1000, (60, 4)))
    t = rs.tradeoff(P, ends=("f0.5", "f2"))
    whole = rs.tradeoff(P).swaps
    assert t.swaps.tolist() == whole[(whole > 0.25) & (whole < 4)].tolist()
    assert t.swaps.tolist() == [float(x) for x, size in t.exact_swaps for _ in range(size)]


def test_the_path_goes_from_one_end_to_the_other() -> None:
    rng = np.random.default_rng(3)
    for ends in (("ppv", "tpr"), ("f0.5", "f2"), ("tpr", "ppv")):
        t = rs.tradeoff(Performances.from_counts(rng.integers(1, 60, (9, 4))), ends=ends)
        path = t.path()
        assert (path.low[0], path.high[-1]) == pytest.approx(tuple(x**0.5 for x in t.limits))
        table = path.table()
        assert table["rank"] == path.rankings.ravel().tolist()
        assert table["entity"][: t.n] == list(t.names)
        assert table["from"][:: t.n] == path.low.tolist()


def test_what_a_habit_costs_is_said_of_the_right_end() -> None:
    assert "it only copies TPR, as every β above" in rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]).summary()
    assert "it only copies PPV, as every β below" in rs.tradeoff([[80, 2, 9, 9], [60, 22, 8, 10]]).summary()
    assert "it only copies TPR" in rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]], ends=("tpr", "ppv")).summary()


def test_the_heuristic_leaves_out_who_has_no_value() -> None:
    rows = [*THREE, [50, 0, 0, 0]]
    assert rs.tradeoff(rows).heuristic_beta == rs.tradeoff(THREE).heuristic_beta
    assert isnan(rs.tradeoff([[5, 0, 0, 5], [4, 0, 0, 6]]).heuristic_beta)


def test_large_counts_do_not_overflow_on_parts_of_sides() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(2**56, 2**57, (8, 4))
    t = rs.tradeoff(Performances.from_counts(rows), ends=(rs.at(0.25, 0.125), rs.at(0.25, 0.875)))
    expected = []
    for i in range(8):
        for j in range(i):
            (s1, fp1, fn1), (s2, fp2, fn2) = (
                (3 * int(r[0]) + int(r[3]), int(r[1]), int(r[2])) for r in (rows[i], rows[j])
            )
            top, bottom = fp1 * s2 - fp2 * s1, fn1 * s2 - fn2 * s1
            if top * bottom < 0 and Fraction(1, 7) < -Fraction(top, bottom) < 7:
                expected.append(-Fraction(top, bottom))
    assert [x for x, _ in t.exact_swaps] == sorted(expected)


def test_ranking_by_the_optimum_is_exact() -> None:
    one = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])
    assert one.exact_place == (1, Fraction(5, 14))
    assert one.ranking().ranks.tolist() == [1, 1]  # exactly at their swap
    t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    assert t.score.importance == tuple(rs.at(*t.exact_place))
    assert t.optimality(float(t.exact_place[1] / (1 - t.exact_place[1])) ** 0.5) == 1
    assert rs.rank(t.performances, by=t.score).ranks.tolist() == t.ranking().ranks.tolist() == [1, 2, 3, 4]
    with pytest.raises(rs.UsageError, match="rank by either"):
        rs.tradeoff([[5, 0, 0, 5], [4, 0, 0, 6]]).ranking()


def test_ties_that_put_the_median_beside_the_optimum_do_not_mislead_the_ranking() -> None:
    t = rs.tradeoff([[84, 1, 10, 5], [80, 4, 8, 8], [76, 7, 6, 11], [60, 20, 2, 18]])
    a, b = t.exact_place
    best = min(abs(2 * t.swaps_passed(odds) - t.n_discordant) for odds in (0, *map(np.sqrt, t.swaps), np.inf))
    assert a == 1
    assert abs(2 * t.swaps_passed(float(b / (1 - b)) ** 0.5) - t.n_discordant) <= best


def test_who_has_a_limit_at_an_end_is_named() -> None:
    assert rs.tradeoff([*THREE, [50, 0, 5, 0]]).notes == ("PPV is 0/0 for P4: 0 is taken, the limit between the ends",)
    assert not rs.tradeoff(THREE).notes


def test_the_heuristic_and_sivf_are_roots_of_whole_numbers() -> None:
    t = rs.tradeoff([[80, 10, 3, 7], [76, 14, 2, 8]])
    assert (t.sivf_beta, t.heuristic_beta) == (3, np.sqrt(24 / 5))


def test_part_of_the_side_of_f_beta_speaks_of_beta() -> None:
    t = rs.tradeoff(THREE, ends=(rs.fbeta(0.5), rs.fbeta(2)))
    assert "The balanced trade-off is F_β with β = " in t.summary()
    assert "F1" in t.compare()["score"]


def test_the_domain_that_fails_is_named() -> None:
    rows = [[80, 2, 9, 9], [76, 6, 6, 12], [80, 2, 9, 9], [70, 12, 3, 5]]
    P = Performances.from_counts(rows, names=["p", "q"] * 2, domains=["x", "x", "y", "y"])
    with pytest.raises(rs.DataError, match="domain 'y': between TNR and TPR the priors"):
        rs.tradeoffs(P, ("tnr", "tpr"))


def test_priors_that_are_equal_but_for_rounding_are_made_equal() -> None:
    """Floats of one prior have a trade-off between TNR and TPR, as counts do, and it says what was done."""
    rates = np.array([[0.9, 0.6], [0.8, 0.7], [0.7, 0.85], [0.95, 0.3]])
    mass = np.stack([0.7 * rates[:, 0], 0.7 * (1 - rates[:, 0]), 0.3 * (1 - rates[:, 1]), 0.3 * rates[:, 1]], axis=-1)
    P = rs.Performances.from_probabilities(mass)
    assert len({Fraction(int(row[2] + row[3]), int(row.sum())) for row in P.integers}) > 1
    t = rs.tradeoff(P, ends=("tnr", "tpr"))
    counts = rs.Performances.from_counts(np.round(mass * 2000).astype(int))
    assert t.notes == ("Priors are equal but for rounding: all are set to 0.3",)
    assert t.beta_squared == pytest.approx(rs.tradeoff(counts, ends=("tnr", "tpr")).beta_squared, rel=1e-12)


def test_swaps_beyond_floats_are_counted_as_fractions() -> None:
    """Places that are infinite as floats differ only where the fractions do."""
    a = [0.23076923076923078, 0.38461538461538464, 1e-323, 0.38461538461538464]
    t = rs.tradeoff(Performances.from_probabilities([a, a, [0.625, 0.25, 0, 0.125]]))
    assert t.swaps.tolist() == [inf, inf]
    assert t.n_rankings == len(t.exact_swaps) + 1 == 2


def test_one_model_alone_has_no_pair_to_order():
    text = rs.tradeoff([[80, 2, 9, 9]]).summary()
    assert text.startswith("One model alone has no pair to order: nothing is to be traded off")
    assert "alike" not in text

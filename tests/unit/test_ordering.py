"""Ranks, ties and comparisons, decided exactly."""

from fractions import Fraction

import numpy as np
import pytest

import rankscape as rs


def tied_pairs(number: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of different counts with exactly equal precision and recall odds: tp/fp and tp/fn are the same fractions."""
    rng = np.random.default_rng(7)
    base = rng.integers(1, 40, size=(number, 4))
    first, second = rng.integers(1, largest // 40, size=(2, number, 1))
    rest = rng.integers(0, largest, size=(2, number))  # true negatives do not matter for F
    pairs = base * first, base * second
    for pair, tn in zip(pairs, rest, strict=True):
        pair[:, 0] = tn
    return pairs


@pytest.mark.parametrize("largest", [100, 10_000, 10**9])
@pytest.mark.parametrize("by", ["f1", "f2", "fbeta(0.3)", "precision", "jaccard", [0, 3, 7, 11]])
def test_exactly_tied_pairs_are_found_tied(largest: int, by: object) -> None:
    """1 000 pairs such as 10/14 and 15/21, also near 1e9."""
    first, second = tied_pairs(1000, largest)
    P = rs.Performances.from_counts(np.concatenate([first, second]))
    ranks = rs.rank(P, by=by).ranks
    assert (ranks[:1000] == ranks[1000:]).all()


def test_ten_of_fourteen_is_fifteen_of_twenty_one() -> None:
    P = rs.Performances.from_counts([[86, 4, 0, 10], [79, 6, 0, 15]], names=["10/14", "15/21"])
    assert rs.rank(P, by="precision").best == {"10/14", "15/21"}
    assert rs.compare(P[0], P[1], by="precision") == "equivalent"


def test_near_ties_of_large_counts_are_not_ties() -> None:
    n = 10**9  # the quotients differ by 1e-18: equal as floats
    P = rs.Performances.from_counts([[0, n, 0, n], [0, n - 1, 0, n - 1], [0, n, 0, n - 1], [0, n + 1, 0, n]])
    ranking = rs.rank(P, by="precision")
    assert ranking.ranks.tolist() == [1, 1, 4, 3]
    assert float(ranking.values[2]) == pytest.approx(float(ranking.values[3]), abs=1e-15)


def test_floats_are_compared_as_the_rationals_they_are() -> None:
    a = np.nextafter(0.3, 1)
    P = rs.Performances.from_probabilities([[0.2, 0.3, 0.2, 0.3], [0.2, 0.3, 0.2, a]])
    assert rs.rank(P, by="precision").ranks.tolist() == [2, 1]


@pytest.mark.parametrize(("ties", "expected"), [("min", [1, 1, 3]), ("max", [2, 2, 3]), ("average", [1.5, 1.5, 3])])
def test_methods_of_ties_stay_inside_the_bounds(ties: str, expected: list[float]) -> None:
    P = rs.Performances.from_counts([[5, 1, 1, 3], [10, 2, 2, 6], [5, 2, 2, 1]])
    ranking = rs.rank(P, by="f1", ties=ties)
    assert ranking.ranks.tolist() == expected
    assert ranking.bounds.tolist() == [[1, 2], [1, 2], [3, 3]]


@pytest.mark.parametrize("ties", ["dense", "ordinal", "", None])
def test_other_methods_are_refused(ties: str) -> None:
    P = rs.Performances.from_counts([[5, 1, 1, 3]])
    with pytest.raises(ValueError, match=r"ties=.*expected one of 'min', 'max', 'average'"):
        rs.rank(P, ties=ties)


def test_undefined_entities_are_incomparable_and_last() -> None:
    P = rs.Performances.from_counts([[9, 0, 1, 0], [8, 1, 0, 1], [8, 0, 2, 0]], names=["never", "some", "never too"])
    ranking = rs.rank(P, by="precision")
    assert np.isnan(ranking.ranks).tolist() == [True, False, True]
    assert np.isnan(ranking.bounds[0]).all()
    assert ranking.best == {"some"}
    table = ranking.table()
    assert table["entity"][0] == "some"
    assert table["reason"][1] == "PPV needs tp + fp > 0; here fp = tp = 0"
    assert rs.compare(P[0], P[1], by="precision") == "incomparable"
    assert rs.compare(P[0], P[2], by="precision") == "incomparable"
    assert rs.compare(P[0], P[0], by="precision") == "equivalent"


def test_all_undefined() -> None:
    P = rs.Performances.from_counts([[9, 0, 1, 0], [8, 0, 2, 0]])
    ranking = rs.rank(P, by="precision")
    assert ranking.best == frozenset()
    assert np.isnan(ranking.ranks).all()


def test_the_direction_of_a_score_is_kept() -> None:
    P = rs.Performances.from_counts([[50, 10, 5, 35], [50, 20, 5, 25]])
    assert rs.rank(P, by="error rate").ranks.tolist() == rs.rank(P, by="accuracy").ranks.tolist() == [1, 2]
    assert rs.compare(P[0], P[1], by="fpr") == "better"


def test_what_one_may_rank_by() -> None:
    P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]])
    expected = rs.rank(P, by="f1").ranks.tolist()
    for by in (
        rs.score("f1"),
        "2*tp/(2*tp+fp+fn)",
        [0, 1, 1, 2],
        (0, Fraction(1, 2), Fraction(1, 2), 1),
        rs.at(1, 0.5),
    ):
        assert rs.rank(P, by=by).ranks.tolist() == expected
    with pytest.warns(rs.UnsoundScoreWarning, match="not known to be sound"):
        assert rs.rank(P, by=lambda P: P.mass[:, 3]).ranks.tolist() == [2, 1]


@pytest.mark.parametrize(("by", "says"), [
    ("mcc", "Matthews.*not sound for ranking.*sound neighbor here is"),
    ("sqrt(tpr*tnr)", "not known to be sound.*neighbor here is"),
    ("prevalence", "neither larger nor smaller is better"),
])  # fmt: skip
def test_unsound_scores_warn_and_name_a_neighbor(by: str, says: str) -> None:
    P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [59, 1, 20, 20]])
    with pytest.warns(rs.UnsoundScoreWarning, match=says):
        ranking = rs.rank(P, by=by)
    assert any("not sound" in note or "not known" in note or "neither" in note for note in ranking.notes)


def test_fixed_prior_scores_warn_only_where_priors_differ() -> None:
    same = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]])
    assert rs.rank(same, by="balanced accuracy").notes == ()
    differ = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 58]])
    with pytest.warns(rs.UnsoundScoreWarning, match=r"only where priors are equal; here they go from 0\.4 to 0\.5"):
        rs.rank(differ, by="balanced accuracy")


def test_several_domains_are_averaged_first_and_it_is_said() -> None:
    P = rs.Performances.from_counts(
        [[85, 5, 4, 6], [80, 10, 5, 5], [8, 2, 18, 72], [9, 1, 30, 60]],
        names=["a", "b", "a", "b"], domains=["x", "x", "y", "y"],
    )  # fmt: skip
    ranking = rs.rank(P, by="f1")
    assert ranking.names == ("a", "b")
    assert ranking.values[0] == pytest.approx(0.8432432432432433, abs=1e-12)
    assert "averaged over 2 domains" in ranking.notes[0]


def test_large_tables_are_ranked_exactly() -> None:
    rng = np.random.default_rng(0)
    P = rs.Performances.from_counts(rng.integers(0, 30, size=(3000, 4)) + np.array([1, 0, 0, 1]))
    ranks = rs.rank(P, by="f2").ranks
    exact = [Fraction(5 * int(tp), 5 * int(tp) + 4 * int(fn) + int(fp)) for _, fp, fn, tp in P.counts]
    order = sorted(exact, reverse=True)
    first = {value: i + 1 for i, value in reversed(list(enumerate(order)))}
    assert ranks.tolist() == [first[value] for value in exact]


def test_finley() -> None:
    P = rs.Performances.from_counts([[2680, 72, 23, 28], [2752, 0, 51, 0]], names=["Finley", "never a tornado"])
    assert rs.rank(P, by="accuracy").best == {"never a tornado"}
    assert rs.rank(P, by="f1").ranks.tolist() == [1, 2]


def test_kendall_tau() -> None:
    assert rs.kendall_tau([1, 2, 3], [3, 2, 1]) == -1
    assert np.isnan(rs.kendall_tau([1, 2, 3], [1, 1, 1]))
    assert rs.kendall_tau([1, np.nan, 3, 4], [1, 2, 3, 4]) == 1
    with pytest.raises(ValueError, match="equal length"):
        rs.kendall_tau([1, 2], [1, 2, 3])


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
@pytest.mark.parametrize("by", ["sqrt(log(2*tpr))", "exp(1000*tpr)", "log(log(2*tpr))"])
def test_where_there_is_no_value_there_is_no_rank(by: str) -> None:
    P = rs.Performances.from_counts([[5, 5, 8, 2], [5, 5, 2, 8], [5, 5, 0, 10], [5, 5, 9, 1]])
    ranking = rs.rank(P, by=by)
    assert (np.isnan(ranking.values) == np.isnan(ranking.ranks)).all()
    assert np.isnan(ranking.ranks).any()


def test_comparisons_stay_inside_one_sample_space() -> None:
    other = rs.SampleSpace("detection", ("none", "fp", "fn", "tp"), satisfaction=(1, 0, 0, 1))
    with pytest.raises(ValueError, match="two-class and detection performances cannot be compared"):
        rs.compare(
            rs.Performances.from_counts([[1, 2, 3, 4]]), rs.Performances.from_counts([[1, 2, 3, 4]], space=other)
        )


def test_no_neighbor_is_named_without_evidence() -> None:
    with pytest.warns(rs.UnsoundScoreWarning) as caught:
        rs.rank(rs.Performances.from_counts([[5, 1, 1, 3]]), by="mcc")
    assert "neighbor" not in str(caught[0].message)


@pytest.mark.parametrize("by", [[1, 0, 0, 1], [0, 3, 1, 0], [0, 0, 0, 1]])
def test_a_preference_that_ranks_nobody_is_warned_of(by: list[int]) -> None:
    with pytest.warns(rs.UnsoundScoreWarning, match="the same value for every model"):
        ranking = rs.rank([[5, 1, 2, 2], [4, 2, 1, 3]], by=by)
    assert ranking.caution is not None
    assert len(ranking.best) == 2


def test_a_ranking_is_like_a_list_of_names() -> None:
    P = rs.Performances.from_counts([[4, 2, 2, 2], [5, 1, 0, 4], [10, 0, 0, 0]], names=["b", "a", "none"])
    ranking = rs.rank(P, by="f1")
    assert (len(ranking), list(ranking), ranking["b"]) == (2, ["a", "b"], 2.0)  # who is undefined is not ranked
    assert np.isnan(ranking["none"])
    with pytest.raises(rs.UsageError, match="no entity is called 'c'"):
        ranking["c"]


def test_compare_says_what_to_do_with_domains() -> None:
    P = rs.Performances.from_counts([[4, 2, 2, 2], [5, 1, 0, 4]], names=["a", "a"], domains=["x", "y"])
    with pytest.raises(rs.UsageError, match="choose a domain with in_domain"):
        rs.compare(P["a"], P["a"])


def test_the_sound_neighbor_says_on_how_many_it_is_alike() -> None:
    rows = [[478, 0, 12, 10], [471, 7, 10, 12], [464, 14, 9, 13], [391, 87, 8, 14], [478, 0, 22, 0]]
    with pytest.warns(rs.UnsoundScoreWarning) as caught:
        rs.rank(rows, by="mcc")
    assert str(caught[0].message).endswith("a sound neighbor here is accuracy (τ = 1.00 over 4 of 5)")


def test_functions_of_labels_are_told_apart() -> None:
    from sklearn.metrics import f1_score

    with pytest.raises(rs.UsageError, match="go by name, such as 'f1_score'"):
        rs.rank([[5, 1, 2, 2], [4, 2, 1, 3]], by=f1_score)
    with pytest.raises(rs.UsageError, match="count them with Performances.from_labels"):
        rs.score("f1")([0, 1, 1], [0, 1, 0])
    with pytest.raises(rs.UsageError, match="compare takes performances, not names"):
        rs.compare("a", "b")


def test_a_neighbor_is_judged_on_those_for_whom_the_score_is_defined() -> None:
    P = rs.datasets.classifiers().in_domain("breast cancer")
    with pytest.warns(rs.UnsoundScoreWarning, match=r"a sound neighbor here is accuracy \(τ = 0\.98 over 13 of 14\)"):
        rs.rank(P, by="mcc")


@pytest.mark.parametrize(("by", "best", "other"), [
    ("plr", [50, 0, 5, 45], "PPV has a value and orders alike at equal priors: rank by ppv"),
    ("tpr/fpr", [50, 0, 5, 45], "PPV has a value and orders alike at equal priors: rank by ppv"),
    ("nlr", [0, 50, 10, 40], "NPV has a value and orders alike at equal priors: rank by npv"),
    ("odds ratio", [45, 5, 0, 50], "Q has a value and orders alike: rank by yuleq"),
    ("kulczynski 1", [50, 0, 0, 50], "J₊ has a value and orders alike: rank by jplus"),
    ("sokal-sneath 3", [50, 0, 0, 50], "A has a value and orders alike: rank by accuracy"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*is not sound")
def test_the_reason_for_a_missing_rank_names_the_score_that_orders_alike(by: str, best: list[int], other: str) -> None:
    rest = [[40, 10, 10, 40], [30, 20, 5, 45], [45, 5, 20, 30]]
    ranking = rs.rank([best, *rest], by=by)
    assert ranking.ranks[0] != ranking.ranks[0]
    assert ranking.reasons[0].endswith(f"; {other}")
    key = other.rpartition(" ")[2]
    assert rs.rank([best, *rest], by=key).ranks[0] >= 1
    assert rs.rank(rest, by=key).order.tolist() == rs.rank(rest, by=by).order.tolist()


@pytest.mark.filterwarnings("ignore:.*is (not )?sound")
def test_no_score_orders_alike_where_priors_differ_or_it_has_no_value_either() -> None:
    assert rs.rank([[60, 0, 5, 45], [40, 10, 10, 40]], by="plr").reasons[0].endswith("; here fp = 0")
    assert rs.rank([[50, 0, 50, 0], [40, 10, 10, 40]], by="plr").reasons[0].endswith("; here fp = tp = 0")
    assert rs.rank([[50, 0, 5, 45], [40, 10, 10, 40]], by="dprime").reasons[0].endswith("; here fp = 0")


@pytest.mark.parametrize("by", ["fmi", "kulczynski2", "scottpi", "tpr+ppv"])
@pytest.mark.filterwarnings("ignore::rankscape.ordering.UnsoundScoreWarning")
def test_a_class_that_all_but_one_lack_is_no_common_prior(by: str) -> None:
    P = rs.Performances.from_counts([[0, 0, 1, 9], [1, 0, 10**9, 10**9]])
    assert P.common_prior() is None
    assert rs.rank(P, by).ranks.tolist() == [1, 2]


@pytest.mark.filterwarnings("ignore::rankscape.ordering.UnsoundScoreWarning", "ignore:overflow")
def test_who_has_a_rank_is_not_called_undefined() -> None:
    ranking = rs.rank([[1, 1, 1, 10**11], [1, 1, 1, 10**10], [5, 1, 1, 3], [1, 0, 0, 3]], by="(tp/fp)**30")
    assert ranking.ranks[:3].tolist() == [1, 2, 3]
    assert ranking.reasons[:3] == (None, None, None)  # the first value is only beyond what floats hold
    assert np.isnan(ranking.ranks[3])
    assert ranking.reasons[3]

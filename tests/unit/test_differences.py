"""Sure differences: what follows from the claims, table and sentences."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.uncertainty import RankIntervals, on_differences

NAN = float("nan")
HELD = 97
"""Draws, of 100, in which the ranks are those seen; in the others they are the other way round."""


def made(pairs, ranks, names="abcdefghijkl", held=HELD):
    """Intervals of entities, from the pairs of names that are claimed."""
    ranks, n = np.array(ranks, dtype=float), len(ranks)
    seen = np.where(np.isnan(ranks), 0, ranks).astype(int)
    together = np.flatnonzero(seen)
    places = np.array([seen] * held + [np.where(seen, seen.max(initial=0) + 1 - seen, 0)] * (100 - held))
    row = {int(i): place for place, i in enumerate(together)}
    claims = np.zeros((len(together), len(together)), dtype=bool)
    for better, worse in pairs:
        if {names.index(better), names.index(worse)} <= row.keys():
            claims[row[names.index(better)], row[names.index(worse)]] = True
    one = np.ones(n)
    return RankIntervals(
        score=rs.score("f1"), names=tuple(names[:n]), level=0.95, simultaneous=True, method="Jeffreys prior", paired=False,
        draws=100, ranks=ranks, values=1 - ranks / 20, low=one, high=n * one, value_low=0 * one, value_high=one,
        p_first=np.where(np.isnan(ranks), NAN, 0.5), p_undefined=0 * one, places=places, together=together, claims=claims,
        kinds=np.arange(n),
    )  # fmt: skip


NAMES = "abcdefghijkl"


def direct(found):
    table = found.differences
    return {a + b for a, b, one in zip(table["better"], table["worse"], table["direct"], strict=True) if one}


CHAIN = made(["ab", "ac", "bc"], [1.0, 2, 3])
DIAMOND = made(["ab", "ac", "bd", "cd", "ad"], [1.0, 2, 2, 4])


def pairs(flags, names="abcdefghijkl"):
    return {names[i] + names[j] for i, j in np.argwhere(flags)}


def test_lines_are_those_that_follow_from_no_others():
    assert direct(CHAIN) == {"ab", "bc"}
    assert direct(DIAMOND) == {"ab", "ac", "bd", "cd"}


def test_what_follows_from_the_claims_is_sure_too():
    differences = made(["ab", "bc", "cd"], [1.0, 2, 3, 4])
    assert pairs(differences.sure) == {"ab", "ac", "ad", "bc", "bd", "cd"}
    assert direct(differences) == {"ab", "bc", "cd"}


@pytest.mark.parametrize("names", ["abcd", "adcb", "cbad"])
def test_rows_of_tied_entities_are_the_same_in_any_order_of_the_data(names):
    last = names.index("d")
    differences = made([name + "d" for name in "abc"], [2.0 if i == last else 1 for i in range(4)], names)
    assert differences.differences["better"] == ["a", "b", "c"]


def test_claims_in_a_circle_say_nothing_about_each_other():
    differences = made(["ab", "ba", "ac", "aa"], [1.0, 2, 3])
    assert pairs(differences.sure) == {"ac", "bc"}
    assert differences.tied_for_first == ("a", "b")


def test_an_entity_without_a_score_is_in_no_pair():
    differences = made(["ab", "ac", "cb"], [1.0, NAN, 2])
    assert pairs(differences.sure, "ac") == {"ac"}
    assert differences.pairs == 1
    assert differences.tied_for_first == ("a",)
    assert differences.differences["worse"] == ["c"]


def test_the_table_has_a_row_per_difference_best_first():
    shuffled = made(["ba", "bc", "ca"], [3.0, 1, 2])
    table = shuffled.differences
    assert table.columns == ["better", "worse", "probability", "value_better", "value_worse", "direct"]
    assert list(table.rows()) == [
        ("b", "c", 0.97, 0.95, 0.9, True), ("b", "a", 0.97, 0.95, 0.85, False), ("c", "a", 0.97, 0.9, 0.85, True),
    ]  # fmt: skip


def test_the_share_of_draws_in_which_all_differences_hold():
    assert CHAIN.differences_held == 0.97
    assert made([], [1.0, 1]).differences_held == 1.0
    assert "together they hold in all 100 draws" in on_differences(made(["ab", "ac", "bc"], [1.0, 2, 3], held=100))


@pytest.mark.parametrize(
    ("differences", "sentences"),
    [
        (CHAIN, "The draws settle all 3 pairs (level 95 %): together they hold in 97.0 % of 100 draws. a is surely better than every other model."),
        (made(["ab"], [1.0, 2]), "The draws settle the only pair (level 95 %): it holds in 97.0 % of 100 draws. a is surely better than every other model."),
        (
            made(["ac", "ad", "bd"], [1.0, 2, 3, 4]),
            "The draws settle 3 of the 6 pairs (level 95 %): together they hold in 97.0 % of 100 draws. No model is surely better than a or b; "
            "c and d are surely worse than a, which is first on these data.",
        ),
        (
            made(["bc"], [1.0, 2, 3]),
            "The draws settle 1 of the 3 pairs (level 95 %): it holds in 97.0 % of 100 draws. No model is surely better than a or b; "
            "none is surely worse than a, which is first on these data.",
        ),
        (made([], [1.0, 1]), "At a level of 95 %, the draws do not settle the only pair: no model is surely better than another."),
        (made([], [1.0, 2, 3]), "At a level of 95 %, the draws settle none of the 3 pairs: no model is surely better than another."),
        (made([], [1.0, NAN]), "There is no pair of models to compare."),
        (made([], []), "There is no pair of models to compare."),
    ],
)  # fmt: skip
def test_the_summary_says_what_is_decided(differences, sentences):
    assert on_differences(differences) == sentences


def test_the_best_may_be_surely_beaten():
    text = on_differences(made(["ba"], [1.0, 2]))  # draws that pull entities together may turn two around
    assert "b is surely better than every other" not in text
    assert "No model is surely better than b; none is surely worse than a" in text


def test_long_lists_and_odd_names_are_cut_and_escaped():
    many = made(["a" + x for x in "bcdefghijkl"] + ["bc"], np.arange(1.0, 13))
    assert on_differences(many, most=2).endswith("a is surely better than every other model.")
    odd = made(["ac", "ad", "ae", "bd"], np.arange(1.0, 6))
    odd = replace(odd, names=("two\nlines", *odd.names[1:]))
    assert "than two\\nlines or b; c, d and 1 more are surely worse" in on_differences(odd, most=2)
    assert "two\\nlines or 1 more; c and 2 more are" in on_differences(odd, most=1)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.floats(0, 2))
def test_orders_of_intervals_are_kept_and_their_lines_tell_all(seed, n, width):
    rng = np.random.default_rng(seed)
    middle, half = rng.normal(size=n), width * rng.random(n)
    claims = (middle - half)[:, None] > (middle + half)
    differences = replace(made([], np.arange(1.0, n + 1)), claims=claims)
    assert (differences.sure == claims).all()  # an order holds what follows from it
    lines = np.zeros((n, n), dtype=bool)
    for better, worse in direct(differences):
        lines[NAMES.index(better), NAMES.index(worse)] = True
    assert (replace(differences, claims=lines).sure == claims).all()
    lower = np.nonzero(claims)[1]
    assert not {differences.names[i] for i in lower} & set(differences.tied_for_first)
    assert {differences.names[i] for i in np.flatnonzero(~claims.any(axis=0))} == set(differences.tied_for_first)

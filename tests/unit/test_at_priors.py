"""Shares of positives in sentences: rounded so that what they say is true."""

import pytest

from rankscape import Performances
from rankscape._report.answers import around, stays_at_priors
from rankscape.regions import prior_flips
from rankscape.texts import inside


@pytest.mark.parametrize(
    ("ends", "here", "expected"),
    [
        ((0.0, 1.0), 0.5, ("0", "1", "0.5")),
        ((0.1, 0.3), 0.2, ("0.1", "0.3", "0.2")),
        ((0.04118, 0.30999), 0.1, ("0.0412", "0.309", "0.1")),
        ((0.5, 0.99973), 0.9, ("0.5", "0.999", "0.9")),
        ((0.99973, 1.0), 0.9999, ("0.9998", "1", "0.9999")),
        ((2.41e-4, 3e-4), 2.4149e-4, ("0.000241", "0.0003", "0.000241")),
        ((2.4111e-4, 3e-4), 2.4119e-4, ("0.00024111", "0.0003", "0.0002412")),
    ],
)
def test_ends_are_rounded_towards_the_inside(
    ends: tuple[float, float], here: float, expected: tuple[str, str, str]
) -> None:
    low, high, now = around(*ends, here)
    assert (low, high, now) == expected
    assert ends[0] <= float(low) <= float(now) <= float(high) <= ends[1]


def test_a_share_is_never_rounded_to_all() -> None:
    assert [inside(x) for x in (0.99973, 0.9999999, 1.0, 1 / 3)] == ["0.9997", "0.9999999", "1", "0.333"]


def test_the_sentence_names_who_has_a_value_where_others_have_none() -> None:
    P = Performances.from_counts([[10, 0, 5, 5], [9, 1, 2, 8]], names=["flawless", "other"])
    assert stays_at_priors(prior_flips(P, by="lr+"), frozenset({"flawless"})).startswith("other stays first for any")

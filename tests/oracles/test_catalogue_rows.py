"""What every row of the catalogue says beside its formula: direction, soundness, domain in words, presets."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.spatial import distance
from scipy.stats.contingency import odds_ratio

import rankscape as rs
from rankscape._scores.catalogue import PRESETS, ROWS
from rankscape._scores.lookup import normalized

SMALL = np.array([row for row in product(range(7), repeat=4) if 0 < sum(row) <= 6])
ALL = rs.Performances.from_counts(SMALL, names=range(len(SMALL)))
ARGUMENTS = {
    "wa": "(0.3)",
    "netbenefit": "(0.2)",
    "fbeta": "(2)",
    "stheta": "(2)",
    "ttheta": "(1/2)",
    "batyrshin": "(1/3, 2)",
}

# Theory: R_I itself; strictly monotone in one; monotone in one at fixed priors; none of these (in this order).
IS_A_RANKING_SCORE = (
    "accuracy tnr tpr npv ppv jminus jplus correctwithoutfp correctwithoutfn fbeta stheta ttheta batyrshin"
)
ORDERS_AS_ONE = "er fpr fnr for fdr bennett kulczynski1 sokalsneath3"
AT_FIXED_PRIORS = "ptn pfp pfn ptp wa ba youden determinant snpv sppv nlr plr sivf netbenefit kappa gss lift"
NOWHERE = (
    "negativeprior prior negativerate predictionrate gmean or yuleq yuley dprime chance scottpi mcc biasindex "
    "frequencybias fmi acp p4 vut kulczynski2 rogotgoldberg sokalsneath5 simpson braunblanquet baroniurbanibuser"
)
AT_FIXED_RATES = "ptn pfp pfn ptp determinant netbenefit kappa gss markedness lift"
SMALLER_IS_BETTER = "pfp pfn er fpr fnr for fdr nlr"
NO_DIRECTION = "negativeprior prior negativerate predictionrate chance biasindex frequencybias"

DOMAINS: dict[str, Callable[[int, int, int, int], bool]] = {
    "all performances": lambda tn, fp, fn, tp: True,
    "tn + fp > 0": lambda tn, fp, fn, tp: tn + fp > 0,
    "tp + fn > 0": lambda tn, fp, fn, tp: tp + fn > 0,
    "tn + fn > 0": lambda tn, fp, fn, tp: tn + fn > 0,
    "tp + fp > 0": lambda tn, fp, fn, tp: tp + fp > 0,
    "tn + fp + fn > 0": lambda tn, fp, fn, tp: tn + fp + fn > 0,
    "tp + fp + fn > 0": lambda tn, fp, fn, tp: tp + fp + fn > 0,
    "tn + fn + tp > 0": lambda tn, fp, fn, tp: tn + fn + tp > 0,
    "tn + fp + tp > 0": lambda tn, fp, fn, tp: tn + fp + tp > 0,
    "tn < 1 (and tp + fp > 0 for beta = 0)": lambda tn, fp, fn, tp: fp + fn + tp > 0,  # at beta = 2
    "not (theta = 0 and tn + tp = 0)": lambda tn, fp, fn, tp: True,  # at theta = 2
    "tn < 1 (and tp > 0 for theta = 0)": lambda tn, fp, fn, tp: fp + fn + tp > 0,  # at theta = 1/2
    "not all of tp, delta·tn, theta·(fp + fn) are 0": lambda tn, fp, fn, tp: True,  # at delta = 1/3, theta = 2
    "fp + fn > 0": lambda tn, fp, fn, tp: fp + fn > 0,
    "threshold < 1": lambda tn, fp, fn, tp: True,  # at threshold = 0.2
    "both classes occur (tn + fp > 0 and tp + fn > 0)": lambda tn, fp, fn, tp: tn + fp > 0 and tp + fn > 0,
    "both classes occur (tn + fp > 0 and tp + fn > 0) and tn + fn > 0": lambda tn, fp, fn, tp: (
        tn + fp > 0 and tp + fn > 0 and tn + fn > 0
    ),
    "both classes occur (tn + fp > 0 and tp + fn > 0) and tp + fp > 0": lambda tn, fp, fn, tp: (
        tn + fp > 0 and tp + fn > 0 and tp + fp > 0
    ),
    "tn > 0 and tp + fn > 0": lambda tn, fp, fn, tp: tn > 0 and tp + fn > 0,
    "fp > 0 and tp + fn > 0": lambda tn, fp, fn, tp: fp > 0 and tp + fn > 0,
    "fp > 0 and fn > 0": lambda tn, fp, fn, tp: fp > 0 and fn > 0,
    "tn·tp + fp·fn > 0": lambda tn, fp, fn, tp: tn * tp + fp * fn > 0,
    "all four outcomes occur": lambda tn, fp, fn, tp: min(tn, fp, fn, tp) > 0,
    "neither tn = 1 nor tp = 1": lambda tn, fp, fn, tp: max(tn, tp) < tn + fp + fn + tp,
    "no class and no prediction is absent (all four margins > 0)": lambda tn, fp, fn, tp: (
        min(tn + fp, fn + tp, tn + fn, fp + tp) > 0
    ),
    "tn + fn > 0 and tp + fp > 0": lambda tn, fp, fn, tp: tn + fn > 0 and tp + fp > 0,
    "tp + fp > 0 and tp + fn > 0": lambda tn, fp, fn, tp: tp + fp > 0 and tp + fn > 0,
    "neither tn = tp = 0 nor (tn·tp = 0 and fp = fn = 0)": lambda tn, fp, fn, tp: (
        not (tn + tp == 0 or (tn * tp == 0 and fp + fn == 0))
    ),
}


def test_every_row_is_as_sound_as_the_theory_says() -> None:
    """``importance``, ``orders_as`` and ``place`` are present exactly where they belong."""
    kinds = ((IS_A_RANKING_SCORE, "importance"), (ORDERS_AS_ONE, "orders_as"), (AT_FIXED_PRIORS, "place"))
    kinds = (*kinds, (AT_FIXED_RATES, "rate_place"))
    for names, kind in kinds:
        assert {row.key for row in ROWS if getattr(row, kind)} == set(names.split()), kind
    sound = {row.key: rs.score(row.key + ARGUMENTS.get(row.key, "")).sound for row in ROWS}
    assert {key for key, when in sound.items() if when == "always"} == {
        *IS_A_RANKING_SCORE.split(),
        *ORDERS_AS_ONE.split(),
    }
    assert {key for key, when in sound.items() if when == "fixed priors"} == set(AT_FIXED_PRIORS.split())
    assert {key for key, when in sound.items() if when == "fixed prediction rates"} == {"markedness"}
    assert {key for key, when in sound.items() if when == "never"} == set(NOWHERE.split())


def test_directions() -> None:
    assert {row.key for row in ROWS if row.direction == "smaller"} == set(SMALLER_IS_BETTER.split())
    assert {row.key for row in ROWS if row.direction is None} == set(NO_DIRECTION.split())
    assert {row.direction for row in ROWS} == {"larger", "smaller", None}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_the_domain_in_words_is_the_domain(row) -> None:  # type: ignore[no-untyped-def]
    defined = ~np.isnan(rs.score(row.key + ARGUMENTS.get(row.key, ""))(ALL))
    assert defined.tolist() == [DOMAINS[row.domain](*counts) for counts in SMALL.tolist()]


@pytest.mark.parametrize(("column", "key"), list(enumerate(["ptn", "pfp", "pfn", "ptp"])))
def test_probabilities_of_single_outcomes(column: int, key: str) -> None:
    assert rs.score(key)(ALL) == pytest.approx(SMALL[:, column] / SMALL.sum(axis=1), abs=1e-15)


SIMILARITIES = {
    "Dice": distance.dice,
    "Jaccard": distance.jaccard,
    "Rogers-Tanimoto": distance.rogerstanimoto,
    "ttheta(2)": distance.sokalsneath,
    "Ochiai": lambda y, z: distance.cosine(y.astype(float), z.astype(float)),
    "simple matching": lambda y, z: distance.hamming(y, z),
}


@pytest.mark.parametrize("name", SIMILARITIES)
def test_scipy_agrees_on_similarities(name: str) -> None:
    for counts in SMALL[(SMALL > 0).all(axis=1)]:
        truth, prediction = np.repeat([False, False, True, True], counts), np.repeat([False, True, False, True], counts)
        ours = rs.score(name)(rs.Performances.from_counts([counts]))[0]
        assert ours == pytest.approx(1 - SIMILARITIES[name](truth, prediction), abs=1e-12)


def test_scipy_agrees_on_the_odds_ratio() -> None:
    matrices = SMALL[(SMALL > 0).all(axis=1)]
    theirs = [odds_ratio(row.reshape(2, 2), kind="sample").statistic for row in matrices]
    assert rs.score("odds ratio")(rs.Performances.from_counts(matrices)) == pytest.approx(theirs, rel=1e-12)


F1, F2 = (0, 1, 1, 2), (0, 1, 4, 5)
MEMBERS = {"f2": F2, "f0point5": (0, 4, 1, 5), "rogerstanimoto": (1, 2, 2, 1)}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_the_members_that_they_name(name: str) -> None:
    """Every preset not listed is a name of F₁; importances are compared up to a factor."""
    ours = rs.score(name).importance
    expected = MEMBERS.get(normalized(name), F1)
    assert ours is not None
    scale = ours[3] / Fraction(expected[3])
    assert list(ours) == [scale * i for i in expected]


def test_no_two_presets_share_a_normalized_name() -> None:
    assert len({normalized(name) for name in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_finite_ends_of_the_range_are_reached_or_approached(row) -> None:  # type: ignore[no-untyped-def]
    values = rs.score(row.key + ARGUMENTS.get(row.key, ""))(ALL)
    for end, extreme in ((row.low, np.nanmin(values)), (row.high, np.nanmax(values))):
        if np.isfinite(end):
            assert abs(extreme - end) < 1e-12, (end, extreme)
        else:
            assert np.isinf(end)

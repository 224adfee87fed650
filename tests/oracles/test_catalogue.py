"""The catalogue against scikit-learn, SciPy, PyCM and exact enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sklearn.metrics as skm
from pycm import ConfusionMatrix
from scipy.stats import norm

import rankscape as rs
from rankscape._scores.catalogue import PRESETS, ROWS
from rankscape._scores.lookup import normalized

RNG = np.random.default_rng(1884)
MATRICES = RNG.integers(0, 40, size=(60, 4)) * (RNG.random((60, 4)) > 0.08)
MATRICES = MATRICES[MATRICES.sum(axis=1) > 0]
PARAMETERS = {
    "wa": "(0.3)",
    "netbenefit": "(0.2)",
    "fbeta": "(2)",
    "stheta": "(2)",
    "ttheta": "(1/2)",
    "batyrshin": "(1/3, 2)",
}
SMALL = np.array([row for row in product(range(6), repeat=4) if 0 < sum(row) <= 5])  # every matrix of up to 5 cases
ALL = rs.Performances.from_counts(SMALL, names=range(len(SMALL)))


def named(row) -> rs.Score:  # type: ignore[no-untyped-def]
    return rs.score(row.key + PARAMETERS.get(row.key, ""))


def labels(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted labels with these counts of tn, fp, fn, tp."""
    return np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts)


SCIKIT_LEARN = {
    "accuracy": skm.accuracy_score,
    "precision": lambda y, z: skm.precision_score(y, z, zero_division=np.nan),
    "recall": lambda y, z: skm.recall_score(y, z, zero_division=np.nan),
    "specificity": lambda y, z: skm.recall_score(y, z, pos_label=0, zero_division=np.nan),
    "npv": lambda y, z: skm.precision_score(y, z, pos_label=0, zero_division=np.nan),
    "f1": lambda y, z: skm.f1_score(y, z, zero_division=np.nan),
    "fbeta(2)": lambda y, z: skm.fbeta_score(y, z, beta=2, zero_division=np.nan),
    "f0.5": lambda y, z: skm.fbeta_score(y, z, beta=0.5, zero_division=np.nan),
    "error rate": skm.zero_one_loss,
}
BOTH_CLASSES = {
    "balanced accuracy": skm.balanced_accuracy_score,
    "youden": lambda y, z: skm.balanced_accuracy_score(y, z, adjusted=True),
    "kappa": skm.cohen_kappa_score,
    "mcc": skm.matthews_corrcoef,
    "jaccard": skm.jaccard_score,
    "jminus": lambda y, z: skm.jaccard_score(y, z, pos_label=0),
    "plr": lambda y, z: skm.class_likelihood_ratios(y, z, replace_undefined_by=np.nan)[0],
    "nlr": lambda y, z: skm.class_likelihood_ratios(y, z, replace_undefined_by=np.nan)[1],
}


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_scikit_learn_agrees_also_on_what_is_undefined(name: str) -> None:
    ours = rs.score(name)(rs.Performances.from_counts(MATRICES))
    theirs = [SCIKIT_LEARN[name](*labels(row)) for row in MATRICES]
    assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", BOTH_CLASSES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_scikit_learn_agrees_where_all_outcomes_occur(name: str) -> None:
    matrices = MATRICES[(MATRICES > 0).all(axis=1)]
    ours = rs.score(name)(rs.Performances.from_counts(matrices))
    assert len(matrices) > 20
    assert ours == pytest.approx([BOTH_CLASSES[name](*labels(row)) for row in matrices], abs=1e-12)


def test_scipy_agrees_on_the_sensitivity_index() -> None:
    matrices = MATRICES[(MATRICES > 0).all(axis=1)]
    P = rs.Performances.from_counts(matrices)
    tn, fp, fn, tp = matrices.T
    assert rs.score("dprime")(P) == pytest.approx(norm.ppf(tp / (tp + fn)) - norm.ppf(fp / (tn + fp)), abs=1e-12)


PYCM = {
    "tpr": "TPR", "tnr": "TNR", "ppv": "PPV", "npv": "NPV", "fnr": "FNR", "fpr": "FPR", "fdr": "FDR", "for": "FOR",
    "accuracy": "ACC", "er": "ERR", "f1": "F1", "f2": "F2", "f0.5": "F05", "mcc": "MCC", "informedness": "BM",
    "markedness": "MK", "plr": "PLR", "nlr": "NLR", "odds ratio": "DOR", "jplus": "J", "gmean": "GM", "fmi": "G",
    "prior": "PRE", "yuleq": "Q", "ochiai": "OOC",
}  # fmt: skip
PYCM_OVERALL = {"kappa": "Kappa", "scott's pi": "PI", "bennett": "S"}


@pytest.mark.parametrize("name", PYCM)
def test_pycm_agrees(name: str) -> None:
    compared = 0
    for row in MATRICES[:25]:
        tn, fp, fn, tp = row.tolist()
        matrix = ConfusionMatrix(matrix={0: {0: tn, 1: fp}, 1: {0: fn, 1: tp}})
        theirs = getattr(matrix, PYCM[name])[1]
        ours = rs.score(name)(rs.Performances.from_counts([row]))[0]
        if theirs != "None" and np.isfinite(theirs) and not np.isnan(ours):
            assert ours == pytest.approx(theirs, abs=1e-9)
            compared += 1
    assert compared >= 15


@pytest.mark.parametrize("name", ["kappa", "scott's pi", "bennett"])
def test_pycm_agrees_on_agreement(name: str) -> None:
    for row in MATRICES[(MATRICES > 0).all(axis=1)][:20]:
        tn, fp, fn, tp = row.tolist()
        matrix = ConfusionMatrix(matrix={0: {0: tn, 1: fp}, 1: {0: fn, 1: tp}})
        theirs = getattr(matrix, PYCM_OVERALL[name])
        assert rs.score(name)(rs.Performances.from_counts([row]))[0] == pytest.approx(theirs, abs=1e-9)


def test_identities_between_scores() -> None:
    P = rs.Performances.from_counts(MATRICES[(MATRICES > 0).all(axis=1)])
    X = {row.key: named(row)(P) for row in ROWS}
    tn, fp, fn, tp = P.mass.T
    for name, value in {
        "gss": X["kappa"] / (2 - X["kappa"]), "sivf": 2 * X["tpr"] / (X["tpr"] + X["fpr"] + 1), "determinant": tn * tp - fp * fn,
        "acp": (X["tnr"] + X["npv"] + X["ppv"] + X["tpr"]) / 4, "p4": 4 / (1 / X["tnr"] + 1 / X["npv"] + 1 / X["ppv"] + 1 / X["tpr"]),
        "yuley": (np.sqrt(X["or"]) - 1) / (np.sqrt(X["or"]) + 1), "snpv": 1 / (1 + X["nlr"]), "sppv": X["plr"] / (1 + X["plr"]),
        "biasindex": X["predictionrate"] - X["prior"], "frequencybias": X["predictionrate"] / X["prior"],
        "chance": X["prior"] * X["predictionrate"] + X["negativeprior"] * X["negativerate"],
        "scottpi": (X["accuracy"] - 1 + 2 * (tp + (fp + fn) / 2) * (tn + (fp + fn) / 2)) / (2 * (tp + (fp + fn) / 2) * (tn + (fp + fn) / 2)),
        "wa": 0.7 * X["tnr"] + 0.3 * X["tpr"], "netbenefit": tp - fp / 4, "stheta": (tp + tn) / (tp + tn + 2 * (fp + fn)),
        "ttheta": tp / (tp + (fp + fn) / 2), "batyrshin": (tp + tn / 3) / (tp + tn / 3 + 2 * (fp + fn)), "bennett": 2 * X["accuracy"] - 1,
        "kulczynski1": X["jplus"] / (1 - X["jplus"]), "sokalsneath3": X["accuracy"] / X["er"], "lift": X["ppv"] / X["prior"],
        "kulczynski2": (X["ppv"] + X["tpr"]) / 2, "rogotgoldberg": rs.score("f1_macro")(P),
        "sokalsneath5": np.sqrt(X["tnr"] * X["tpr"] * X["npv"] * X["ppv"]), "simpson": np.fmax(X["ppv"], X["tpr"]),
        "braunblanquet": np.fmin(X["ppv"], X["tpr"]),
        "baroniurbanibuser": (tp + np.sqrt(tn * tp)) / (tp + np.sqrt(tn * tp) + fp + fn),
    }.items():  # fmt: skip
        assert X[name] == pytest.approx(value, abs=1e-13), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_values_stay_in_the_range_and_reach_both_ends(row) -> None:  # type: ignore[no-untyped-def]
    values = named(row)(ALL)
    assert np.nanmin(values) >= row.low - 1e-12
    assert np.nanmax(values) <= row.high + 1e-12
    if np.isfinite([row.low, row.high]).all():  # small matrices come close to both ends
        assert np.nanmin(values) <= row.low + 0.07
        assert np.nanmax(values) >= row.high - 0.07


@pytest.mark.parametrize("row", [row for row in ROWS if row.importance], ids=lambda row: row.key)
def test_an_importance_is_that_of_the_score(row) -> None:  # type: ignore[no-untyped-def]
    X = named(row)
    expected = rs.ranking_score(ALL, [float(i) for i in X.importance])
    assert X(ALL) == pytest.approx(expected, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("row", [row for row in ROWS if row.orders_as], ids=lambda row: row.key)
def test_scores_order_as_the_ranking_score_they_name(row) -> None:  # type: ignore[no-untyped-def]
    X = named(row)
    defined = ALL[~np.isnan(X(ALL))]  # all of them, but for ratios without an upper bound
    ours, theirs = rs.rank(defined, by=X).ranks, rs.rank(defined, by=[int(i) for i in X.orders_as]).ranks
    assert ours.tolist() == theirs.tolist()
    assert len(defined) == (~np.isnan(rs.ranking_score(ALL, [int(i) for i in X.orders_as]))).sum() or row.high == np.inf


@pytest.mark.parametrize("row", [row for row in ROWS if row.order], ids=lambda row: row.key)
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_the_rational_order_is_that_of_the_values(row) -> None:  # type: ignore[no-untyped-def]
    values, ranking = named(row)(ALL), rs.rank(ALL, by=row.key)
    assert ranking.exact
    assert (np.isnan(values) == np.isnan(ranking.ranks)).all()
    order = np.argsort(ranking.ranks)[: (~np.isnan(values)).sum()]
    assert (np.diff(values[order]) <= 1e-12).all()


@pytest.mark.parametrize("row", [row for row in ROWS if row.place], ids=lambda row: row.key)
@pytest.mark.parametrize("positives", [1, 2, 3])
def test_places_at_fixed_priors_order_alike_on_every_matrix(row, positives: int) -> None:  # type: ignore[no-untyped-def]
    P = rs.Performances.from_counts(
        [[fp, 4 - fp, fn, positives - fn] for fp in range(5) for fn in range(positives + 1)]
    )
    X = named(row)
    ours = rs.rank(P, by=X).ranks
    theirs = rs.rank(P, by=rs.at(*X.exact_place(Fraction(positives, 4 + positives)))).ranks
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    assert both.sum() >= len(P) // 2
    assert np.sign(ours[both][:, None] - ours[both]).tolist() == np.sign(theirs[both][:, None] - theirs[both]).tolist()


@pytest.mark.parametrize("row", [row for row in ROWS if row.formula], ids=lambda row: row.key)
def test_exact_and_floating_point_values_agree(row) -> None:  # type: ignore[no-untyped-def]
    X = named(row)
    ratio = X.exact(ALL)
    if ratio is None or row.order or "sqrt" in row.formula:
        assert row.key in ("dprime", "yuley", "mcc", "gmean", "fmi", "sokalsneath5", "baroniurbanibuser")
        return
    assert X(ALL) == pytest.approx(ratio.floats, abs=1e-14, nan_ok=True)


def test_no_two_scores_share_a_name() -> None:
    owners: dict[str, str] = {}
    for row in ROWS:
        for name in {normalized(text) for text in (row.key, row.name, row.symbol, *row.aliases)}:
            assert owners.setdefault(name, row.key) == row.key, name
    for name in PRESETS:
        assert normalized(name) not in owners, name
        assert rs.score(name).key == PRESETS[name][0]

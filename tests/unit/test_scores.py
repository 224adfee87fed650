"""Names, expressions, domains and places of scores."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape._scores.catalogue import PRESETS, ROWS
from rankscape._scores.names import AMBIGUOUS, normalized
from rankscape._scores.score import score_of_importance

P = rs.Performances.from_counts([[50, 10, 5, 35], [60, 0, 40, 0], [0, 0, 0, 7], [1, 2, 3, 4]], names=list("abcd"))


@pytest.mark.parametrize(("alias", "key"), [
    ("F1", "fbeta"), ("f1-score", "fbeta"), ("F_2", "fbeta"), ("f0.5", "fbeta"), ("Dice", "fbeta"), ("fbeta(2)", "fbeta"),
    ("F-beta(beta=1/2)", "fbeta"), ("Cohen's kappa", "kappa"), ("kappa", "kappa"), ("HSS", "kappa"), ("Heidke skill score", "kappa"),
    ("POD", "tpr"), ("sensitivity", "tpr"), ("recall", "tpr"), ("hit rate", "tpr"), ("specificity", "tnr"), ("precision", "ppv"),
    ("threat score", "jplus"), ("CSI", "jplus"), ("IoU", "jplus"), ("Jaccard", "jplus"), ("J+", "jplus"), ("J-", "jminus"), ("J₋", "jminus"),
    ("PSS", "youden"), ("informedness", "youden"), ("Youden's J", "youden"), ("MCC", "mcc"), ("Matthews correlation coefficient", "mcc"),
    ("balanced accuracy", "ba"), ("ETS", "gss"), ("GSS", "gss"), ("FMI", "fmi"), ("d'", "dprime"), ("VUT", "vut"), ("P4", "p4"),
    ("odds ratio", "or"), ("Fleiss's kappa", "scottpi"), ("Scott's pi", "scottpi"), ("net benefit(0.1)", "netbenefit"),
    ("false alarm ratio", "fdr"), ("POFD", "fpr"), ("prevalence", "prior"), ("Bennett's S", "bennett"),
])  # fmt: skip
def test_names_are_found_without_case_spaces_and_hyphens(alias: str, key: str) -> None:
    assert rs.score(alias).key == key


@pytest.mark.parametrize(("name", "says"), [
    ("acuracy", "no score is called 'acuracy'; the nearest names are 'accuracy'"),
    ("recal", "'recall'"),
    ("mathews", "nearest names are"),
    ("tpr*foo", "unknown name 'foo' in an expression; it may use tn, fp, fn, tp"),
    ("fbeta", "F_?β.*needs a value for beta: write, for example, fbeta"),
    ("fbeta(-1)", r"beta must lie in \[0, inf\]; got -1"),
    ("fbeta(x)", "expected a finite number; got 'x'"),
    ("fbeta(1,2)", "takes 1 parameter"),
    ("wa(3)", r"must lie in \[0, 1\]; got 3"),
    ("tpr+", "expected a number, a name or '\\(' at position 5|no score"),
    ("(tpr", "expected '\\)'"),
    ("tpr tnr", "no score is called"),
    ("system(1)", "'system' is no function|no score is called"),
    ("__import__('os')", "unexpected|no function|no score"),
    ("sqrt(tpr, tnr)", "sqrt takes 1 arguments, got 2"),
    ("tpr**tnr", "an exponent must be a number"),
    ("(" * 500 + "tpr" + ")" * 500, "too deeply nested"),
    ("tp" + "+tp" * 5000, "2000 characters"),
    ("", "expected the name of a score"),
])  # fmt: skip
def test_wrong_names_get_a_sentence(name: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        rs.score(name)(P)


def test_both_forms_of_f_are_pinned() -> None:
    """F_β is the second form, undefined only for tn = 1: 0 where precision is undefined but there are positives."""
    f2, harmonic = rs.score("f2"), rs.score("5*ppv*tpr/(4*ppv+tpr)")
    assert f2(P)[1] == 0
    assert np.isnan(harmonic(P)[1])
    assert harmonic(P)[[0, 2, 3]] == pytest.approx(f2(P)[[0, 2, 3]], abs=1e-15)
    assert np.isnan(f2(rs.Performances.from_counts([[9, 0, 0, 0]]))[0])


@pytest.mark.parametrize(("name", "counts"), [
    ("mcc", [5, 0, 5, 0]), ("mcc", [5, 0, 0, 0]), ("plr", [5, 0, 1, 4]), ("nlr", [0, 5, 1, 4]), ("or", [5, 0, 1, 4]),
    ("dprime", [5, 0, 1, 4]), ("kappa", [5, 0, 0, 0]), ("ba", [5, 3, 0, 0]), ("npv", [0, 3, 0, 4]), ("f1", [9, 0, 0, 0]),
])  # fmt: skip
def test_zero_over_zero_and_infinite_are_undefined(name: str, counts: list[int]) -> None:
    one = rs.Performances.from_counts([counts])
    X = rs.score(name)
    assert np.isnan(X(one)[0])
    assert X.reasons(one)[0].startswith(f"{X.symbol} needs ")
    with pytest.raises(ValueError, match=r'row 1 \("P1"\): .* needs '):
        X(one, undefined="raise")


def test_arrays_and_confusion_matrices_are_scored_directly() -> None:
    assert rs.score("f1")([[50, 10], [5, 35]]).tolist() == rs.score("f1")([[50, 10, 5, 35]]).tolist() == [70 / 85]
    assert rs.score("f1")(np.array([[0.5, 0.1, 0.05, 0.35]])) == pytest.approx([70 / 85])
    with pytest.raises(rs.DataError, match="expected confusion matrices"):
        rs.score("f1")(np.ones((2, 3)))


def test_undefined_keyword() -> None:
    precision = rs.score("precision")
    assert precision(P, undefined="limit")[1] == 0
    assert np.isnan(rs.score("f1")(rs.Performances.from_counts([[9, 0, 0, 0]]), undefined="limit")[0])
    with pytest.raises(ValueError, match="limit.*is for ranking scores"):
        rs.score("mcc")(P, undefined="limit")
    with pytest.raises(ValueError, match=r"undefined=.zero.; expected one of 'nan', 'raise', 'limit'"):
        precision(P, undefined="zero")


def test_tiny_masses_do_not_underflow_into_undefined() -> None:
    tiny = rs.Performances.from_probabilities([[1.0, 1e-200, 1e-200, 3e-200]])
    assert rs.score("f1")(tiny)[0] == pytest.approx(0.75)
    assert rs.score("4*tp*tn/(4*tp*tn+(tp+tn)*(fp+fn))")(tiny)[0] == pytest.approx(12 / 14)
    assert rs.score("tp*tp/(tp*tp+fp*fp)")(tiny)[0] == pytest.approx(0.9)


def test_expressions() -> None:
    mass = P.mass[0]
    tn, fp, fn, tp = mass
    for text, value in {
        "tp": tp, "-tp + 2 * fn": -tp + 2 * fn, "tp/(tp+fn)": tp / (tp + fn), "2**3**2": 512, "tpr^2": (tp / (tp + fn)) ** 2,
        "sqrt(TPR*tnr)": np.sqrt(tp / (tp + fn) * tn / (tn + fp)), "max(tp, fn, fp)": tp, "min(tp,fn) - abs(fp-tn)": fn - (tn - fp),
        "exp(log(tp))": tp, "1e-1 + .5": 0.6, "--1": 1, "2 - 3 - 4": -5, "tpr**-1": (tp + fn) / tp, "tpr**0.5": np.sqrt(tp / (tp + fn)),
        "kappa + 0*mcc": rs.score("kappa")(P)[0],
    }.items():  # fmt: skip
        assert rs.score(text)(P)[0] == pytest.approx(value, abs=1e-14), text


@pytest.mark.parametrize(
    "text", ["ppv**0", "ppv**0 + acc", "acc/ppv**0", "max(acc, ppv)", "0*ppv", "ppv**0.5", "1/ppv**2"]
)
def test_an_expression_with_an_undefined_part_is_undefined(text: str) -> None:
    for rows in ([[5, 0, 5, 0], [4, 1, 2, 3]], [[0.5, 0, 0.5, 0], [0.4, 0.1, 0.2, 0.3]]):
        values = rs.score(text)(
            rs.Performances.from_probabilities(np.array(rows) / np.sum(rows, axis=1, keepdims=True))
        )
        assert np.isnan(values).tolist() == [True, False]


def test_a_ranking_score_written_as_an_expression_is_proved() -> None:
    assert rs.score("2*tp/(2*tp+fp+fn)").importance is not None
    assert rs.locate("2*tp/(2*tp+fp+fn)") == (1, 0.5)
    assert rs.locate("1/(1/2/ppv + 1/2/tpr)") == (1, 0.5)
    assert rs.locate("(tn+tp)/(tn+fp+fn+tp)") == (0.5, 0.5)
    assert rs.score("(tn + 2*tp)/(tn+2*fp+5*fn+3*tp)").importance is None
    assert rs.score("ppv*tpr").importance is None
    assert rs.score("2*tp/(2*tp+fp+fn)").sound == "always"
    assert rs.score("sqrt(tpr*tnr)").sound == "unknown"


@given(st.tuples(*[st.integers(0, 9)] * 4).filter(lambda w: w[0] + w[3] and w[1] + w[2]))
def test_any_importance_is_found_again_in_its_formula(importance: tuple) -> None:
    text = "({}*tn + {}*tp)/({}*tn + {}*fp + {}*fn + {}*tp)".format(importance[0], importance[3], *importance)
    found = rs.score(text).importance
    assert found is not None
    assert [x * sum(importance) for x in found] == [i * sum(found) for i in map(Fraction, importance)]


@pytest.mark.parametrize(("what", "says"), [
    ("mcc", "Matthews.*has no place on the Tile: it breaks the axioms"),
    ("kappa", "only for fixed priors or fixed prediction rates: pass prior="),
    ("ppv*tpr", "not known to order as a ranking score"),
    ([1, 0, 0, 1], r"no unsatisfying \(fp, fn\) outcome matters"),
    ([0, 1, 1, 0], r"no satisfying \(tn, tp\) outcome matters"),
])  # fmt: skip
def test_what_has_no_place_says_why(what: object, says: str) -> None:
    with pytest.raises(rs.NoPlaceError, match=says):
        rs.locate(what)


@pytest.mark.parametrize(("importance", "says"), [
    ([1, 2, 3], "needs 4 numbers, in the order tn, fp, fn, tp; got 3"),
    ([1, -2, 3, 1], "finite and not negative"),
    ([0, 0, 0, 0], "positive for one outcome"),
    ([1, np.nan, 1, 1], "finite and not negative"),
])  # fmt: skip
def test_wrong_importances_get_a_sentence(importance: list, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        rs.rank(P, by=importance)


def test_kappa_at_a_prior_without_a_class() -> None:
    with pytest.raises(rs.NoPlaceError, match="both classes must occur"):
        rs.locate("kappa", prior=0)
    with pytest.raises(ValueError, match=r"a prior must lie in \[0, 1\]; got 30"):
        rs.locate("kappa", prior=30)


def test_the_fifty_probabilistic_scores() -> None:
    outcomes, scores = rs.TWO_CLASS.outcomes, []
    for mask, inner in product(range(16), repeat=2):
        outer, event = ([o for i, o in enumerate(outcomes) if k >> i & 1] for k in (mask, inner))
        if event and len(event) < len(outer) and {*event} <= {*outer}:
            scores.append(rs.score(f"P({','.join(event)}{' | ' + ','.join(outer) if len(outer) < 4 else ''})"))
    assert len(scores) == len({X.name for X in scores}) == 50
    assert sum("|" not in X.name for X in scores) == 14
    assert sum(X.importance is not None for X in scores) == 9  # Tile, Table 2
    for X in scores:
        np.testing.assert_array_equal(rs.score(X.name)(P), X(P))
    assert rs.score("P(tp | fp, tp)")(P)[0] == rs.score("precision")(P)[0]
    with pytest.raises(ValueError, match="is constant"):
        rs.score("P(tp | tp)")
    with pytest.raises(ValueError, match="'tq' is no outcome of two-class"):
        rs.score("P(tq | tp)")


def test_ranking_score_broadcasts_and_is_the_tile() -> None:
    a, b = np.linspace(0, 1, 5), np.linspace(0, 1, 7)
    tile = rs.ranking_score(P.mass[:, None, None], rs.canonical_importance(a, b[:, None]))
    assert tile.shape == (4, 7, 5)
    assert tile[0, 6, 4] == rs.score("tpr")(P)[0]
    with pytest.raises(ValueError, match="do not broadcast.*P.mass"):
        rs.ranking_score(P, np.ones((3, 4)))
    assert np.isnan(rs.ranking_score(P, [0, 1, 0, 1])[1])
    assert rs.ranking_score(P, [0, 1, 0, 1], undefined="limit")[1] == 0
    assert rs.ranking_score(P, [1, 1, 1, 1], satisfaction=[0, 1, 1, 0])[0] == pytest.approx(0.15)


def test_the_table_of_scores() -> None:
    table = rs.scores()
    assert len(table) >= 50
    assert {
        "key",
        "name",
        "symbol",
        "aliases",
        "formula",
        "domain",
        "low",
        "high",
        "better",
        "importance",
        "sound",
        "source",
    } <= set(table.columns)
    assert all(table["source"])
    assert table["sound"][table["key"].index("mcc")] == "never"


@pytest.mark.parametrize("mass", [
    [1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.3, 0.1, 0.3 + 1e-9, 0.3 - 1e-9],
    [0.4, 0.1, 0.1 + 1e-12, 0.4 - 1e-12], [1 - 1e-8, 1e-8, 0, 0], [0, 0, 1e-9, 1 - 1e-9], [0.01, 0, 0.99, 0], [1e-8, 0, 0.5, 0.5 - 1e-8],
    [0.2, 0.3, 0.4, 0.1],
])  # fmt: skip
def test_vut_is_accurate_where_the_closed_form_cancels(mass: list[float]) -> None:
    from mpmath import mp, mpf, quad

    with mp.workdps(30):
        tn, fp, fn, tp = map(mpf, mass)

        def inner(a):  # the integral over b, in closed form
            s = (1 - a) * tn + a * tp
            if s == 0:
                return mpf(0)
            if fn == fp:
                return s / (s + fp)
            return s * (mp.log(s + fn) - mp.log(s + fp)) / (fn - fp)

        expected = float(quad(inner, [0, 0.001, 0.1, 0.5, 0.9, 0.999, 1]))
    assert rs.vut([mass])[0] == pytest.approx(expected, abs=2e-14)


@pytest.mark.parametrize(("name", "key"), [
    ("accuracy_score", "accuracy"), ("precision_score", "ppv"), ("recall_score", "tpr"), ("matthews_corrcoef", "mcc"),
    ("balanced_accuracy_score", "ba"), ("cohen_kappa_score", "kappa"), ("jaccard_score", "jplus"),
    ("pi+", "prior"), ("tau-", "negativerate"), ("Sørensen–Dice", "fbeta"), ("f measure(2)", "fbeta"),
])  # fmt: skip
def test_names_that_people_try(name: str, key: str) -> None:
    assert rs.score(name).key == key


PEERS = {
    "tpr": "TP Rate, PODY, sens, rec, true positive fraction, Se, producer's accuracy, recall_score",
    "fpr": "FP Rate, fall_out, fall, FPF, false acceptance rate, probability_of_false_detection",
    "tnr": "TN Rate, spec, PODN, TNF, Sp",
    "fnr": "FN Rate, miss_rate, FNF, FRR, omission error",
    "ppv": "Pos Pred Value, posPredValue, pos_pred_value, prec, PV+, user’s accuracy, success_ratio",
    "npv": "Neg Pred Value, NegativePredictiveValue, PV−",
    "plr": "posLR, lr_pos, positive LR, LR+, positive_likelihood_ratio",
    "nlr": "negLR, lr.neg, negative LR, LR−, negative_likelihood_ratio",
    "kappa": "kap, Kappa statistic, Cohen’s kappa coefficient, simple kappa, CohenKappa, Heidke's skill score",
    "ba": "bal_accuracy, BAC, balanced acc, mean_per_class_accuracy, BCR, average recall",
    "youden": "Hanssen and Kuipers, Hanssen & Kuipers, Hanssen–Kuipers, hanssen_and_kuipers_discriminant, HK, j_index, "
    "Youden's J statistic, Youden’s J index, Youden J, Peirce's skill score",
    "gss": "Gilbert's skill score, gilberts_skill_score, equitable_threat_score",
    "accuracy": "percent correct, Percent_correct, simple matching, simple matching coefficient, SMC, Overall ACC, OA, "
    "binary_accuracy, fraction_correct, correctly classified instances, CCR, rand_score",
    "er": "zero_one_loss, misclassification error, HammingDistance, incorrectly classified instances",
    "jplus": "Jaccard similarity coefficient, JaccardIndex, Jaccard similarity index, Tanimoto similarity",
    "fbeta": "Dice–Sørensen coefficient, Sorensen–Dice index, Dice similarity coefficient, F-Measure, f_meas, f0point5",
    "mcc": "mat, Matthews correlation, MatthewsCorrCoef, Matthews’ correlation coefficient",
    "fmi": "fowlkes_mallows_score, Fowlkes and Mallows index",
    "or": "odds_ratio, OddsRatio",
    "yuleq": "yules_q, Yule’s Q, Yule Q",
    "frequencybias": "FBIAS, frequency_bias",
    "predictionrate": "Detection Prevalence, forecast_rate, rpp, FMEAN",
    "negativerate": "rnp",
    "prior": "Prevalence, base_rate, BASER",
    "fdr": "false_alarm_ratio, pcfall, commission error",
    "for": "pcmiss",
}  # fmt: skip
"""Names in scikit-learn, yardstick, caret, PyCM, torchmetrics, Weka, MET, scores, ROCR, H2O, epiR and remote sensing."""


def test_names_of_other_libraries_are_known() -> None:
    for key, names in PEERS.items():
        assert {name: rs.score(name).key for name in names.split(", ")} == dict.fromkeys(names.split(", "), key)


@pytest.mark.parametrize(("name", "ways"), [
    ("G-measure", "fmi gmean"), ("FAR", "fdr fpr"), ("detection rate", "tpr ptp"), ("rejection_rate", "ptn tnr negativerate"),
    ("likelihood ratio", "plr nlr"), ("Sokal–Sneath 1", "ttheta(2) stheta(1/2)"), ("Sokal and Sneath 2", "ttheta(2) stheta(1/2)"),
    ("J", "youden jplus"), ("predictive value", "ppv npv"), ("success rate", "accuracy tpr ppv"), ("positive rate", "predictionrate prior"),
])  # fmt: skip
def test_a_name_that_means_several_things_asks_which(name: str, ways: str) -> None:
    with pytest.raises(rs.UsageError, match="means several things") as raised:
        rs.rank(P, by=name)
    assert all(f"{way} (" in str(raised.value) for way in ways.split())
    values = {way: tuple(rs.score(way)([[50, 10, 5, 35]])) for way in ways.split()}
    assert len(set(values.values())) == len(values)
    with pytest.raises(rs.UsageError, match="means several things"):
        rs.score("2*FAR + tpr")


def test_an_expected_value_may_have_negative_values() -> None:
    with pytest.raises(rs.UsageError, match="not negative; got") as raised:
        rs.rank(P, by={"tp": 10, "fp": -1, "fn": -5})
    by = str(raised.value).partition('by="')[2].rstrip('"')
    assert by == "-1*fp - 5*fn + 10*tp"
    assert rs.score(by)(P)[0] == pytest.approx(10 * 0.35 - 0.1 - 5 * 0.05)
    gains = rs.SampleSpace("gains", ("loss", "nothing", "gain"), satisfaction=(-3.0, 0.0, 2.0))
    two = rs.Performances.from_counts([[2, 3, 5], [5, 1, 4]], space=gains)
    assert rs.rank(two, by=[1, 1, 1]).values.tolist() == pytest.approx([0.4, -0.7])
    with pytest.raises(rs.UsageError, match="values that may be negative are a satisfaction"):
        rs.rank(two, by=[-3, 0, 2])


def test_a_name_stands_for_one_score() -> None:
    rows: dict[str, set[str]] = {}
    for row in ROWS:
        for name in (row.key, row.name, row.symbol, *row.aliases):
            rows.setdefault(normalized(name), set()).add(row.key)
    assert {name: keys for name, keys in rows.items() if len(keys) > 1} == {}
    assert not {*rows, *map(normalized, PRESETS)} & {*AMBIGUOUS}
    assert not {*rows} & {*map(normalized, PRESETS)}


@pytest.mark.parametrize(("name", "says"), [
    ("roc_auc_score", "but of the scores of every case"), ("Brier score", "but of the scores of every case"),
    ("f1, precision", "names several scores; expected one"), ("netbenefit(1)", r"threshold must lie in \[0, 1\)"),
])  # fmt: skip
def test_names_of_what_is_no_score_here(name: str, says: str) -> None:
    with pytest.raises(rs.UsageError, match=says):
        rs.score(name)


def test_one_outcome_is_the_same_score_by_either_name() -> None:
    for outcome, key in (("tn", "ptn"), ("fp", "pfp"), ("fn", "pfn"), ("tp", "ptp")):
        assert rs.score(f"P({outcome})").key == rs.score(key).key == key


@pytest.mark.parametrize("text", ["1e400*tp", "tp + 1e-400", "tp*1e101"])
def test_numbers_that_floats_cannot_hold_are_refused(text: str) -> None:
    with pytest.raises(rs.UsageError, match="is too large or too small a number"):
        rs.score(text)


def test_constants_beyond_floats_may_cancel() -> None:
    huge = "*".join(["1e100"] * 4)
    assert rs.score(f"({huge}*tp)/({huge})")(P).tolist() == rs.score("ptp")(P).tolist()
    assert np.isnan(rs.score(f"{huge}*tp")(P)[:1]).all()
    with pytest.raises(rs.UsageError, match="larger than floats can hold"):
        rs.score(f"sqrt({huge}*tp)")(P)


# ---- exact or not

TWO_ROWS = rs.Performances.from_counts([[50, 10, 5, 35], [40, 20, 5, 35]])


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
@pytest.mark.parametrize(
    "text",
    ["sqrt(2)*tp", "accuracy*sqrt(2)", "exp(0.5)*tp", "max(tp, sqrt(2))", "2**0.5*tp", "tp/sqrt(3)", "tp + log(2)"],
)
def test_a_constant_outside_the_rationals_is_compared_in_floats(text: str) -> None:
    assert rs.score(text).exact(TWO_ROWS) is None
    assert rs.score(text).importance is None
    assert not rs.rank(TWO_ROWS, by=text).exact


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sqrt(4)*tp", 0.7),
        ("sqrt(9/4)*tp", 0.525),
        ("4**0.5*tp", 0.7),
        ("tp**sqrt(4)", 0.1225),
        ("sqrt(1e20)*tp", 3.5e9),
    ],
)
def test_roots_of_squares_are_exact(text: str, value: float) -> None:
    assert rs.score(text)(TWO_ROWS).tolist() == pytest.approx([value, value])
    assert rs.rank(TWO_ROWS, by=text).exact


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("min(4294967296, 4294967297)*min(4294967296, 4294967297)", 2.0**64),
        ("max(4294967296, 4294967297)*max(4294967296, 4294967295)", 4294967297 * 2.0**32),
        ("min(tp/1000003, tn/1000003)**8*1e48", 0.35**8 / 1000003**8 * 1e48),
        ("(1/(1000003/tp))**4", 0.35**4 / 1000003**4),
        ("min(1e20, 2)*tp", 0.7),
        ("min(1/0, 2)", np.nan),
        ("1e20/sqrt(tp)", 1e20 / 0.35**0.5),
        ("sqrt(tp/1e20)", (0.35 / 1e20) ** 0.5),
    ],
)
def test_large_constants_do_not_wrap(text: str, value: float) -> None:
    assert rs.score(text)(TWO_ROWS).tolist() == pytest.approx([value, value], rel=1e-9, abs=0, nan_ok=True)
    exact = rs.score(text).exact(TWO_ROWS)
    if exact is not None and exact.bottom.all() and "sqrt" not in text:
        assert [top / bottom for top, bottom in zip(exact.top, exact.bottom, strict=True)] == pytest.approx(
            [value, value], rel=1e-9, abs=0
        )


@pytest.mark.parametrize(
    "text",
    [
        "((((((tp**32)**32)**32)**32)**32)**32)**32",
        "(((1e100**32)**32)**32)**32*tp",
        "tp**((((32**32)**32)**32)**32)",
        "sqrt(((tp**32)**32)**32)",
        "+".join(["tpr"] * 150),
        "tp**32*tp**32*tp**32/(1/(tn**32*tn**32))",
    ],
)
def test_what_is_too_large_to_compute_is_refused_at_once(text: str) -> None:
    with pytest.raises(rs.UsageError, match="the expression is too large: multiplied out, its degree is up to"):
        rs.score(text)


def test_long_chains_and_long_numbers_are_refused_at_once() -> None:
    with pytest.raises(rs.UsageError, match="may have 150 operations one after the other"):
        rs.score("-1*".join(["tp+"] * 200) + "1")
    with pytest.raises(rs.UsageError, match="a number must be 0, or lie between"):
        rs.score("fbeta(1e999999999)")


def test_sums_over_many_outcomes_are_one_node() -> None:
    outcomes = tuple(f"o{i}" for i in range(400))
    satisfaction = tuple(float(i % 3 == 0) for i in range(400))
    space = rs.SampleSpace("many", outcomes, satisfaction)
    weights = [Fraction(i % 7, 1 + i % 5) for i in range(400)]
    counts = np.arange(800).reshape(2, 400) % 11
    many = score_of_importance(weights, space)
    assert [arg.kind for arg in many.node.args] == ["sum", "sum"]
    assert set(many.node.names()) == {o for o, w in zip(outcomes, weights, strict=True) if w}
    for row, value in zip(counts, many(rs.Performances.from_counts(counts, space=space)), strict=True):
        due = [w * int(n) for w, n in zip(weights, row, strict=True)]
        earned = sum(d for d, s in zip(due, satisfaction, strict=True) if s)
        assert value == pytest.approx(float(earned / sum(due)), rel=1e-14)
    assert rs.rank(rs.Performances.from_counts(counts, space=space), by=weights).exact


@pytest.mark.parametrize("name", ["f1", "F2 score", "f0.5"])
def test_a_member_of_a_family_takes_no_parameter(name: str) -> None:
    with pytest.raises(rs.errors.UsageError, match=f"'{name}' takes no beta: name the family, 'fbeta'"):
        rs.score(name, beta=2)


def test_the_limit_is_that_of_a_vanishing_importance_also_where_satisfactions_are_negative():
    mass = np.array([[0.2, 0.3, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.25, 0.0, 0.0, 0.75]])
    satisfaction = np.array([-3.0, 0.0, -1.0, 2.0])
    found = [float(rs.ranking_score(row, row == 0, satisfaction, undefined="limit")) for row in mass]
    vanishing = [float(rs.ranking_score(row, 1e-9 * (satisfaction <= 0), satisfaction)) for row in mass]
    assert found == pytest.approx(vanishing, nan_ok=True)
    assert found[:2] == pytest.approx([-1.1, -1])
    assert np.isnan(found[2])
    gains = rs.SampleSpace("gains", ("loss", "nothing", "gain"), satisfaction=(-3.0, 0.0, 2.0))
    P = rs.Performances.from_counts([[1, 1, 0], [0, 3, 0]], space=gains)
    score = rs.score({"gain": 1}, space=gains)
    assert score(P, undefined="limit").tolist() == [-1.5, 0]


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_an_importance_of_one_kind_of_outcomes_is_constant() -> None:
    shares = rs.Performances.from_probabilities([[0.5, 0.25, 0.125, 0.125], [0.5, 0.0, 0.25, 0.25]])
    counts = rs.Performances.from_counts([[4, 2, 1, 1], [4, 0, 2, 2]])
    for P in (shares, counts):
        np.testing.assert_array_equal(rs.rank(P, by=[0, 1, 0, 0]).values, [0, np.nan])
        np.testing.assert_array_equal(rs.rank(P, by=[1, 0, 0, 2]).values, [1, 1])

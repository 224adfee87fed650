"""Table 1 of the foundations paper with rankscape, and what the paper prints about it, checked.

    python examples/papers/foundations.py [--only table1 sectionA.7 ...]

Every checked number is printed as a row "what, printed, ours, status", as by ``tile.py``. What is printed in Table 1
lies beside this script, in foundations_table1.csv. (Piérard, Halin, Cioppa, Deliège, Van Droogenbroeck: Foundations of
the Theory of Performance-Based Ranking, CVPR 2025.)
"""

import csv
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import isnan
from pathlib import Path

import numpy as np
from axioms import intransitive, named
from checking import Check, asked, check, told, yes

import rankscape as rs
from rankscape.results import Table
from rankscape.soundness import PerformanceSet
from rankscape.soundness.verdict import audited

TESTED = ("axiom2", "quasiconvex", "quasiconcave")
"""The three tests of Table 1, in its order."""
PRINTED = Path(__file__).with_name("foundations_table1.csv")
NEAR = 0.0025
"""How far τ may be from what is printed: the performances are known as "about 6,550 regularly placed"."""

SCORES = {  # as printed: as it is called here
    "Accuracy": "accuracy",
    "F-score beta=0.5": "f0.5",
    "F-score beta=1.0": "f1",
    "F-score beta=2.0": "f2",
    "NPV": "npv",
    "PPV": "ppv",
    "TNR": "tnr",
    "TPR": "tpr",
    "Balanced Accuracy": "ba",
    "Cohen's kappa": "kappa",
    "Informedness": "youden",
    "PLR": "plr",
    "PTN": "ptn",
    "PTP": "ptp",
    "Chance in Cohen's kappa": "chance",
    "Error Rate": "er",
    "FDR": "fdr",
    "FNR": "fnr",
    "FOR": "for",
    "FPR": "fpr",
    "Geometric mean of TNR and TPR": "gmean",
    "Markedness": "markedness",
    "MCC": "mcc",
    "NLR": "nlr",
    "Odds Ratio": "or",
    "Rate of positive predictions": "predictionrate",
    "d'": "dprime",
}
SETS = {
    "all": PerformanceSet(),
    "pi+=0.2": PerformanceSet("prior", Fraction(1, 5)),
    "pi+=0.5": PerformanceSet("prior", Fraction(1, 2)),
}

PRIOR = Fraction(1, 5)
GREEN = ("Accuracy", "F-score beta=0.5", "F-score beta=1.0", "F-score beta=2.0", "NPV", "PPV", "TNR", "TPR")
ORANGE = ("Balanced Accuracy", "Cohen's kappa", "Informedness", "PLR", "PTN", "PTP")
GRAY = ("Chance in Cohen's kappa", "pi+=0.5")
EVERYWHERE = {  # A.7.3: importances of tn, fp, fn, tp
    "Accuracy": "1/2 1/2 1/2 1/2",
    "F-score beta=0.5": "0 4/5 1/5 1",
    "F-score beta=1.0": "0 1/2 1/2 1",
    "F-score beta=2.0": "0 1/5 4/5 1",
    "NPV": "1 0 1 0",
    "PPV": "0 1 0 1",
    "TNR": "1 1 0 0",
    "TPR": "0 0 1 1",
}
AT_PRIOR = {  # A.7.4 at π₊ = 1/5, and how the score is written there with R = R_I, n = π₋ and p = π₊
    "Balanced Accuracy": ("1/5 1/5 4/5 4/5", "R", lambda R, n, p: R),
    "Cohen's kappa": ("1/17 1/2 1/2 16/17", "(R − 2π₋π₊)/(π₋² + π₊²)", lambda R, n, p: (R - 2 * n * p) / (n**2 + p**2)),
    "Informedness": ("1/5 1/5 4/5 4/5", "2R − 1", lambda R, n, p: 2 * R - 1),
    "NLR": ("1 0 1 0", "(1 − R)/R", lambda R, n, p: (1 - R) / R),
    "PLR": ("0 1 0 1", "R/(1 − R)", lambda R, n, p: R / (1 - R)),
    "PTN": ("1 1 0 0", "π₋R", lambda R, n, p: n * R),
    "PTP": ("0 0 1 1", "π₊R", lambda R, n, p: p * R),
}
CASES = (  # A.3.3: how a stands to b, b to c, and a to c; | is incomparable
    "||| ||> ||< ||~ |>| |>> |<| |<< |~| >|| >|> >>> ><| ><> ><< ><~ >~> "
    "<|| <|< <>| <>> <>< <>~ <<< <~< ~|| ~>> ~<< ~~~"
)
SIGNS = {"incomparable": "|", "better": ">", "worse": "<", "equivalent": "~"}


@cache
def audit_of(name: str, of: str) -> rs.Audit:
    """Return the audit of a score on a set, larger values being better of all scores, with the search of A.7.2."""
    return audited(rs.score(SCORES[name]), SETS[of], "larger", "kendall", "paper")


def audits() -> dict[tuple[str, str], rs.Audit]:
    """Return the audits of all scores on all sets."""
    return {(name, of): audit_of(name, of) for name in SCORES for of in SETS}


def marks_of(audit: rs.Audit) -> list[str]:
    """Return V for each of the three tests that is not refuted, and X for each that is."""
    return ["V" if audit.findings[test].holds else "X" for test in TESTED]


def printed() -> dict[tuple[str, str], dict[str, str]]:
    """Return what the paper has in the cells of Table 1, by score and set."""
    with PRINTED.open(encoding="utf-8") as lines:
        return {(row["score"], row["set"]): row for row in csv.DictReader(lines)}


# ---- Table 1


def table1() -> tuple[Table, list[Check]]:
    """Return Table 1, what is printed beside ours, and its checks."""
    theirs = printed()
    rows, checks = [], []
    for (name, of), audit in audits().items():
        cell = theirs[name, of]
        expected, where = "".join(cell[f"test{i}"] for i in (1, 2, 3)), f"Table 1, {name}, {of}:"
        reason = "one copy has X here and another V; the score is constant there, so V"
        found = [check(f"{where} tests", expected, "".join(marks_of(audit)), reason=reason)]
        for end, tau in (("min", audit.tau_min), ("max", audit.tau_max)):
            found.append(tau_check(f"{where} tau_{end}", cell[f"tau_{end}"], end, tau, audit.exact_end == end))
        rows.append((name, of, *(text for one in found for text in (one.printed, one.ours))))
        checks += found
    columns = ("score", "set", "tests printed", "ours", "tau_min printed", "ours ", "tau_max printed", "ours  ")
    return Table(dict(zip(columns, zip(*rows, strict=True), strict=True))), checks


def tau_check(what: str, expected: str, end: str, tau: float, proved: bool) -> Check:
    """Compare an extreme of τ; what differs in the last digit but is within 0.0025 is so named."""
    if isnan(tau):
        return check(what, expected, "undefined", reason="a constant orders no pair; the paper counts that as 0")
    if proved:
        return check(what, expected, Fraction(round(tau)))
    further = tau < float(expected) if end == "min" else tau > float(expected)
    reason = "our search goes further" if further else "the paper uses about 6,550 performances, and we use 6,545"
    if "pi+" in what:
        reason = "we believe that rounding of floats breaks ties there"
    if abs(tau - float(expected)) > NEAR:
        reason = "not explained"
    return check(what, expected, round(tau, 4), reason=reason)


# ---- what the paper concludes from it, and its proofs


def cells(of: list[tuple[str, str]]) -> str:
    """Return cells of Table 1 as text."""
    return "; ".join(", ".join(cell) for cell in of)


def section5() -> tuple[Table, list[Check]]:
    """Return the groups of scores of section 5.2, and the checks of what is concluded."""
    passed = {cell: all(audit.findings[test].holds for test in TESTED) for cell, audit in audits().items()}
    always = [name for name in SCORES if all(passed[name, of] for of in SETS)]
    fixed = [name for name in SCORES if name not in always and all(passed[name, of] for of in list(SETS)[1:])]
    perfect = [cell for cell, holds in passed.items() if holds and audits()[cell].exact_end == "max"]
    exceptions = [cell for cell, holds in passed.items() if holds and cell not in perfect]
    proved = all(audits()[cell].status == "proved" for cell, holds in passed.items() if holds)
    groups = {"always sound": always, "sound at fixed priors": fixed}
    groups["not sound"] = [name for name in SCORES if name not in always + fixed]
    checks = [
        check("5.2: scores that are always sound (green)", ", ".join(GREEN), ", ".join(always)),
        check("5.2: scores that are sound at fixed priors (orange)", ", ".join(ORANGE), ", ".join(fixed)),
        check("5.2: sound, but perfectly correlated with no ranking score", cells([GRAY]), cells(exceptions)),
        check("here: what passes all tests is proved, not only not refuted", "yes", yes(proved)),
    ]
    return Table({"group": list(groups), "scores": [", ".join(names) for names in groups.values()]}), checks


def canonical(weights: tuple[Fraction, ...]) -> str:
    """Return an importance as it is printed: scaled so that both sides sum to 1."""
    tn, fp, fn, tp = weights
    return " ".join(map(str, (tn / (tn + tp), fp / (fp + fn), fn / (fp + fn), tp / (tn + tp))))


def appendix7() -> tuple[Table, list[Check]]:
    """Return the proofs of A.7.3 and A.7.4, found by the audits, and their checks."""
    rows, checks = [], []
    for name, expected in EVERYWHERE.items():
        weights = canonical(audits()[name, "all"].importance)
        rows.append((name, "all", weights, "R"))
        checks.append(check(f"A.7.3: importance of {name}", expected, weights))
    P = SETS["pi+=0.2"].lattice()
    n, p = float(1 - PRIOR), float(PRIOR)
    for name, (expected, formula, written) in AT_PRIOR.items():
        audit = rs.audit(SCORES[name], priors=PRIOR, statistic=None)  # of NLR, smaller is better
        weights = canonical(audit.importance)
        rows.append((name, "pi+=0.2", weights, formula))
        checks.append(check(f"A.7.4: importance of {name} at π₊ = 0.2", expected, weights))
        ours, R = rs.score(SCORES[name])(P), rs.ranking_score(P, [float(weight) for weight in audit.importance])
        both = ~np.isnan(ours) & ~np.isnan(R) & (R > 0) & (R < 1)
        equal = np.allclose(written(R[both], n, p), ours[both], rtol=1e-12, atol=1e-12)
        factor = np.unique((ours[both] / written(R[both], n, p)).round(12)) if not equal else np.ones(1)
        reason = f"{name} is {factor[0]:g} times that; we believe a factor π₋/π₊ is missing" * (len(factor) == 1)
        checks.append(check(f"A.7.4: {name} = {formula} at π₊ = 0.2", "yes", yes(equal), reason=reason))
    return Table(dict(zip(("score", "set", "importance", "with R_I"), zip(*rows, strict=True), strict=True))), checks


def appendix3() -> tuple[Table, list[Check]]:
    """Return the cases of A.3.3 that transitivity leaves, and the check that they are those printed."""
    off = [(i, j) for i in range(3) for j in range(3) if i != j]
    cases = []
    for pattern in product((False, True), repeat=6):
        matrix = np.eye(3, dtype=bool)
        matrix[tuple(zip(*off, strict=True))] = pattern
        if intransitive(matrix) is None:
            words = named(matrix)
            cases.append("".join(SIGNS[str(words[pair])] for pair in ((0, 1), (1, 2), (0, 2))))
    checks = [
        check("A.3.3: cases of 64 that are transitive", "29", Fraction(len(cases))),
        check("A.3.3: the cases", CASES, " ".join(sorted(cases, key=CASES.find))),
    ]
    return Table(
        {"a to b": [c[0] for c in cases], "b to c": [c[1] for c in cases], "a to c": [c[2] for c in cases]}
    ), checks


# ---- the command

TABLES: dict[str, Callable[[], tuple[Table, list[Check]]]] = {
    "table1": table1, "section5.2": section5, "sectionA.7": appendix7, "sectionA.3.3": appendix3,
}  # fmt: skip


def main(arguments: list[str] | None = None) -> list[Check]:
    """Regenerate what is asked for, print tables and checks, and return the checks."""
    options = asked("Regenerate Table 1 of the foundations paper.", TABLES, arguments, figures=False)
    checks: list[Check] = []
    for name in options.only:
        table, found = TABLES[name]()
        print(f"{name}\n{table}\n")
        checks += found
    return told(checks)


if __name__ == "__main__":
    main()

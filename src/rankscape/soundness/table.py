"""Table 1 of the foundations paper, from the code alone: 27 scores on three sets of performances."""

from collections.abc import Callable
from fractions import Fraction

from ..scores import score
from ..tables import Table
from .places import Place
from .verdict import Audit, audited

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
SETS = {"all": Place(), "pi+=0.2": Place("prior", Fraction(1, 5)), "pi+=0.5": Place("prior", Fraction(1, 2))}


def audit_all(
    scores: dict[str, str] | None = None, progress: Callable[[int], object] | None = None
) -> dict[tuple[str, str], Audit]:
    """Return the audits of Table 1 by score and set, larger values taken as better for all. (Foundations, Table 1.)

    >>> audits = audit_all({"PTN": "ptn"})
    >>> [audit.axiom2.status for audit in audits.values()]
    ['refuted', 'proved', 'proved']
    """
    out = {}
    for name, key in (scores or SCORES).items():
        for of, place in SETS.items():
            out[name, of] = audited(score(key), place, larger=True, statistic="kendall")
            if progress is not None:
                progress(len(out))
    return out


def table_1(audits: dict[tuple[str, str], Audit]) -> Table:
    """Return the table as it is printed: V where a test is not refuted, X where it is; and the extremes of τ.

    >>> table_1(audit_all({"Accuracy": "accuracy"})).columns
    ['score', 'set', 'test1', 'test2', 'test3', 'tau_min', 'tau_max', 'proved']
    """
    every = audits.values()
    marks = {
        test: ["V" if audit.findings[name].holds else "X" for audit in every]
        for test, name in (("test1", "axiom2"), ("test2", "quasiconvex"), ("test3", "quasiconcave"))
    }
    return Table(
        {"score": [name for name, _ in audits], "set": [of for _, of in audits]}
        | marks
        | {
            "tau_min": [audit.tau_min for audit in every],
            "tau_max": [audit.tau_max for audit in every],
            "proved": [audit.exact_end or "" for audit in every],
        }
    )

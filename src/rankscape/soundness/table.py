"""Table 1 of the foundations paper, from the code alone: 27 scores on three sets of performances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isnan

from .._scores import score
from .._scores.sets import PerformanceSet
from ..results import Table
from ..typing import Direction
from .correlations import Search
from .verdict import OPEN, PROVED, REFUTED, TESTED, Audit, audited

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
MARKS = {PROVED: "✓", OPEN: "○", REFUTED: "✗"}
SETS = {
    "all": PerformanceSet(),
    "pi+=0.2": PerformanceSet("prior", Fraction(1, 5)),
    "pi+=0.5": PerformanceSet("prior", Fraction(1, 2)),
}


def audit_all(
    scores: Mapping[str, str] | None = None,
    progress: Callable[[int], object] | None = None,
    direction: Direction | None = "larger",
    search: Search = "lattice",
) -> dict[tuple[str, str], Audit]:
    """Return the audits of Table 1 by score and set.

    (Foundations, Table 1 and A.7.2.)

    Parameters
    ----------
    scores
        {name: score}; by default those of Table 1.
    progress
        A function that is called with the number of audits done.
    direction
        What is better, for all scores, as in the paper; with None each has its own direction, as in an audit of one
        score.
    search
        Where the extremes of τ are sought: "lattice" on all the Tile, as in an audit of one score; "paper" as in the
        paper, whose places leave out (½, ½), so that some of the printed extremes are none of their lattice (balanced
        accuracy .713, where the largest τ is .726).

    Returns
    -------
    dict
        {(score, set): :class:`Audit`}.

    See Also
    --------
    rankscape.soundness.table_1
    rankscape.audit

    Examples
    --------
    >>> import rankscape as rs
    >>> audits = rs.soundness.audit_all({"PTN": "ptn"})
    >>> [audit.axiom2.status for audit in audits.values()]
    ['refuted', 'proved', 'proved']
    """
    out = {}
    for name, key in (scores or SCORES).items():
        for of, among in SETS.items():
            out[name, of] = audited(score(key), among, direction, "kendall", search)
            if progress is not None:
                progress(len(out))
    return out


def table_1(audits: dict[tuple[str, str], Audit]) -> Table:
    """Return the table in the form of the paper: V where a test is not refuted, X where it is; the extremes of τ.

    Parameters
    ----------
    audits
        What :func:`audit_all` returns.

    Returns
    -------
    Table
        The columns score, set, test1, test2, test3, tau_min, tau_max and proved.

    See Also
    --------
    rankscape.soundness.audit_all

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.soundness.table_1(rs.soundness.audit_all({"Accuracy": "accuracy"})).columns
    ['score', 'set', 'test1', 'test2', 'test3', 'tau_min', 'tau_max', 'proved']
    """
    every = audits.values()
    marks = {
        test: ["V" if audit.findings[name].holds else "X" for audit in every]
        for test, name in zip(("test1", "test2", "test3"), TESTED, strict=True)
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


def side_by_side(audits: dict[tuple[str, str], Audit], split: bool = False) -> Table:
    """Return one row per score, for every set its three marks and the extremes of τ, as texts to be read.

    A test is proved (✓), not refuted (○) or refuted (✗); τ is proved where it has a dagger. Scores of which smaller
    values are better have an arrow (↓). The extremes share a column, or have two with ``split``.

    >>> side_by_side(audit_all({"PTN": "ptn"}))["all"]
    ['✗✓✓']
    """
    names = list(dict.fromkeys(name for name, _ in audits))
    smaller = {name for (name, _), audit in audits.items() if audit.score.direction == "smaller"}
    columns: dict[str, list[str]] = {"score": [f"{name} ↓" if name in smaller else name for name in names]}
    for of, among in SETS.items():
        of_set = [audits[name, of] for name in names]
        title = "all" if among.fixed is None else f"π₊ = {float(among.share):g}"
        columns[title] = ["".join(MARKS[audit.findings[test].status] for test in TESTED) for audit in of_set]
        if split:
            columns |= {f"τ {end}, {title}": [_tau(audit, end) for audit in of_set] for end in ("min", "max")}
            continue
        columns[f"τ, {title}"] = [f"{_tau(audit, 'min')}  {_tau(audit, 'max'):>6}" for audit in of_set]
    return Table(columns)


def _tau(audit: Audit, end: str) -> str:
    tau = getattr(audit, f"tau_{end}")
    return "—" if isnan(tau) else f"{tau:.0f}†" if audit.exact_end == end else f"{tau + 0.0:.3f}"

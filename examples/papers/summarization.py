"""The two scenarios of the summarization slides with rankscape: averaging scores, or summarizing performances.

    python examples/papers/summarization.py [--output DIR] [--only cdnet ...] [--format png|pdf|svg] [--data DIR]

Every checked number is printed as a row "what, printed, ours, status", as by ``tile.py``. What is made of real
performances is read from DIR: cdnet2014_partial.csv and fairness_binsensitive.csv, with columns domain, entity, tn, fp,
fn, tp; a domain is called category/video. (Piérard, Van Droogenbroeck: Summarizing the Performances of a Background
Subtraction Algorithm Measured on Several Videos, ICIP 2020, and its slides.)
"""

import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from checking import Check, asked, check, saved, told, yes
from matplotlib.figure import Figure
from tile import canvas, say

import rankscape as rs
from rankscape.domains import MissingDomainsWarning, Prepared, leave_one_out, mean_of_scores, prepare, roles
from rankscape.look import FAINT, INK, QUIET
from rankscape.results import Table

FILES = {"cdnet": "cdnet2014_partial.csv", "fairness": "fairness_binsensitive.csv"}
TITLES = {"cdnet": "CDnet 2014, the part at hand", "fairness": "fair classification"}
PRINTED = {  # the table of the slides: F of CDnet 2014 and its rank, F of the summarization and its rank
    "SemanticBGS": ("0.8098", 1, "0.8479", 1),
    "IUTIS-5": ("0.7821", 2, "0.8312", 3),
    "IUTIS-3": ("0.7694", 3, "0.8182", 5),
    "WisenetMD": ("0.7559", 4, "0.7791", 10),
    "SharedModel": ("0.7569", 5, "0.7885", 8),
    "WeSamBE": ("0.7491", 6, "0.7792", 9),
    "SuBSENSE": ("0.7453", 7, "0.7657", 12),
    "PAWCS": ("0.7478", 8, "0.8272", 4),
}
TWO_VIDEOS = [[85, 5, 4, 6], [8, 2, 18, 72]]  # priors 0.1 and 0.9
NO_POSITIVES = [[95, 5, 0, 0], [60, 10, 10, 20]]
Found = tuple[Table, dict[str, Figure], list[Check]]


def breaks(prepared: Prepared) -> bool:
    """Tell whether the mean PPV is another one than belongs to the means of TPR, FPR and prior, for an entity."""
    prior = prepared.performances.priors
    tpr, fpr, ppv = (mean_of_scores(prepared, key).means for key in ("tpr", "fpr", "ppv"))
    return bool(np.nanmax(np.abs(ppv - prior * tpr / (prior * tpr + (1 - prior) * fpr))) > 1e-12)


def one_on(rows: list[list[int]]) -> rs.Performances:
    """Return one entity on several videos."""
    return rs.Performances.from_counts(
        rows, names=["m"] * len(rows), domains=[f"video {i + 1}" for i in range(len(rows))]
    )


def formulas(_: Path) -> Found:
    """Check the formulas (2)-(5) and the two properties, exactly, on two videos and on random ones."""
    tpr, prior = [Fraction(6, 10), Fraction(72, 90)], [Fraction(1, 10), Fraction(9, 10)]
    summary = rs.summarize(one_on(TWO_VIDEOS))
    tn, fp, fn, tp = (Fraction(int(x)) for x in summary.integers[0])
    by_formula = sum(p * t for p, t in zip(prior, tpr, strict=True)) / sum(prior)
    rng, kept, broken, alike = np.random.default_rng(0), True, 0, True
    for _ in range(50):
        P = one_on(rng.integers(1, 60, (4, 4)).tolist())
        S = rs.summarize(P)
        tn_, fp_, fn_, tp_ = (Fraction(int(x)) for x in S.integers[0])
        pi = (fn_ + tp_) / (tn_ + fp_ + fn_ + tp_)
        t, f = tp_ / (tp_ + fn_), fp_ / (fp_ + tn_)
        kept &= tp_ / (tp_ + fp_) == pi * t / (pi * t + (1 - pi) * f)
        broken += breaks(prepare(P))
        found = roles(P, by="ppv")
        alike &= abs(float((found.weights * found.values).sum()) - float(tp_ / (tp_ + fp_))) < 1e-14
    later = [F for F, *_ in PRINTED.values()]
    checks = [
        check("(4): TPR of two videos, priors 0.1 and 0.9", "39/50", tp / (tp + fn)),
        check("(4): the same by its formula", "39/50", by_formula),
        check("(5): PPV, 0.39/0.425", "78/85", tp / (tp + fp)),
        check("(3): error rate", "29/200", (fp + fn) / (tn + fp + fn + tp)),
        check("property 1: ROC and PR space stay in bijection, 50 random sets", "yes", yes(kept)),
        check("with means of scores they do not, 50 random sets", "yes", yes(broken == 50)),
        check("property 2: TPR though one video has no positives", "2/3", exact_tpr(one_on(NO_POSITIVES))),
        check("(2): PPV is the mean of PPV(v) with weights P(v | tp or fp)", "yes", yes(alike)),
        check("table: ranks are in the order of the F of CDnet 2014", "yes", yes(later == sorted(later, reverse=True)),
              reason="0.7559 stands before 0.7569, and 0.7453 before 0.7478"),
    ]  # fmt: skip
    names = list(PRINTED)
    columns = {"algorithm": names, "F of CDnet 2014": [f"{F} ({r})" for F, r, *_ in PRINTED.values()]}
    columns["F, summarized"] = [f"{F} ({r})" for *_, F, r in PRINTED.values()]
    return Table(columns), {}, checks


def exact_tpr(P: rs.Performances) -> Fraction:
    """Return the exact TPR of the summary."""
    _, _, fn, tp = (int(x) for x in rs.summarize(P).integers[0])
    return Fraction(tp, tp + fn)


def read(folder: Path, name: str) -> rs.Performances:
    """Return the performances of a set: of the entities that are on most of the domains."""
    path = folder / FILES[name]
    if not path.exists():
        raise FileNotFoundError(FILES[name])
    P = rs.read(path)
    if name == "fairness":  # a few algorithms fail on some of the splits
        counts = {entity: P.names.count(entity) for entity in P.names}
        P = P[[entity for entity in dict.fromkeys(P.names) if counts[entity] == P.n_domains]]
    return P


def scenarios(folder: Path, name: str) -> Found:
    """Rank by the mean of F₁ per category and over categories, and by F₁ of the summarized performances."""
    P = read(folder, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingDomainsWarning)
        S = rs.summarize(P, "hierarchical", "complete")
        prepared = prepare(P, weights="hierarchical", missing="complete")
        by = {key: mean_of_scores(prepared, key) for key in ("f1", "tpr", "fpr", "ppv")}
        left, found = leave_one_out(prepared, "f1"), roles(prepared, "f1")
    f1 = by["f1"]
    ranks = {kind: ranks_of(values) for kind, values in (("means", f1.means), ("values", f1.values))}
    order = np.argsort(ranks["values"], kind="stable")
    table = Table(
        {
            "entity": [f1.names[i] for i in order],
            "mean of F₁ (rank)": [f"{f1.means[i]:.4f} ({ranks['means'][i]})" for i in order],
            "F₁ summarized (rank)": [f"{f1.values[i]:.4f} ({ranks['values'][i]})" for i in order],
            "hardest domain": [found.hardest[i] for i in order],
            "bottleneck": [found.bottleneck[i] for i in order],
        }
    )
    # the PPV that belongs to the (FPR, TPR) and the prior of the summary, and to the means
    prior, tpr, fpr = S.priors, rs.score("tpr")(S), rs.score("fpr")(S)
    apart = np.abs(prior * tpr / (prior * tpr + (1 - prior) * fpr) - rs.score("ppv")(S))
    checks = [
        check(f"{name}: PPV of the summary off its bijection", "0", float(apart.max()), within=1e-12),
        check(f"{name}: the means break the bijection", "yes", yes(breaks(prepared))),
    ]
    moved = sum(a != b for a, b in zip(ranks["means"], ranks["values"], strict=True))
    said = (
        f"{TITLES[name]}: {len(f1.names)} entities on {len(found.domains)} domains that all share; "
        f"{moved} ranks differ, {len(f1.swapped)} pairs are swapped; "
        f"who is first depends on {len(left.deciding)} of the domains"
    )
    return table, {f"{name}_spaces": spaces(name, S, by, said)}, checks


def ranks_of(values: Any) -> list[int]:
    """Return 1 + the number of larger ones."""
    return [1 + int(np.sum(values > value)) for value in values]


def spaces(name: str, S: rs.Performances, by: dict[str, Any], said: str) -> Figure:
    """Draw the two procedures in ROC and PR space, an arrow from the mean of scores to the summary."""
    figure, axes = canvas(1, 2, 5.4, 0.9)
    panels = {"ROC space": ("fpr", "tpr", "FPR", "TPR"), "PR space": ("tpr", "ppv", "recall", "precision")}
    for ax, (title, (x, y, x_label, y_label)) in zip(axes, panels.items(), strict=True):
        start, end = (np.stack([getattr(by[key], kind) for key in (x, y)]) for kind in ("means", "values"))
        for k in range(start.shape[1]):
            if np.isfinite([*start[:, k], *end[:, k]]).all():
                ax.annotate("", end[:, k], start[:, k], arrowprops={"arrowstyle": "->", "color": QUIET, "lw": 0.8})
        ax.plot(*start, "o", ms=6, mfc="white", mec="#d55e00", mew=1.4, label="mean of scores", zorder=4)
        ax.plot(*end, "s", ms=5.5, color="#0072b2", label="summarized", zorder=5)
        if len(S) <= 8:
            beside = np.argsort(end[1])
            for k in beside:
                ax.annotate(
                    S.names[k], end[:, k], (7, -3), textcoords="offset points", fontsize=8.5, color=INK, zorder=6
                )  # fmt: skip
        ax.set_title(title, loc="left", fontsize=12)
        ax.set_xlabel(x_label, fontsize=11)
        ax.set_ylabel(y_label, fontsize=11)
        ax.grid(color=FAINT, lw=0.4)
        ax.margins(0.34 if len(S) <= 8 else 0.06, 0.12)
        ax.locator_params(nbins=5)
    axes[0].legend(loc="best", fontsize=10)
    say(figure, TITLES[name][:1].upper() + TITLES[name][1:])
    figure.text(0.01, -0.01, said.split(": ", 1)[1] + ".", fontsize=9.5, color=QUIET, va="top")
    return figure


PARTS = {
    "formulas": formulas,
    "cdnet": lambda folder: scenarios(folder, "cdnet"),
    "fairness": lambda folder: scenarios(folder, "fairness"),
}


def main(arguments: list[str] | None = None) -> list[Check]:
    """Regenerate what is asked for, print tables and checks, and return the checks."""
    options = asked("The scenarios of the summarization slides.", PARTS, arguments, data=True)
    checks: list[Check] = []
    for name in options.only:
        try:
            table, pages, found = PARTS[name](options.data)
        except FileNotFoundError as missing:
            print(f"Not in {options.data}, so left out: {missing} for {name}.\n")
            continue
        print(f"{name}\n{table}\n")
        for page, figure in pages.items():
            saved(figure, options, page, bbox_inches="tight")
        checks += found
    return told(checks)


if __name__ == "__main__":
    mpl.use("Agg")
    main()

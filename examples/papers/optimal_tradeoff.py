"""Figures 2-8 and more, and Table 1, of the optimal trade-off paper with rankscape, and its printed numbers checked.

    python examples/papers/optimal_tradeoff.py [--output DIR] [--only fig5 ...] [--format png|pdf|svg] [--data DIR]

Every checked number is printed as a row "what, printed, ours, status", as by ``tile.py``. What is made of real
performances is read from DIR: cada_rre.csv, cdnet2014_partial.csv and fairness_binsensitive.csv, with columns domain,
entity, tn, fp, fn, tp. (Piérard, Deliège, Van Droogenbroeck: What Is the Optimal Ranking Score Between Precision and
Recall? We Can Always Find It and It Is Rarely F₁, CVPR 2026.)
"""

import csv
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import inf, log, sqrt
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from checking import Check, asked, check, saved, told, yes
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import brentq
from scipy.stats import kendalltau
from tile import BLUE, FAINT, INK, ORANGE, QUIET, canvas, iso_lines, lines_of, say, write

import rankscape as rs
from rankscape.distributions import (
    AboveNoSkill,
    CloseToOracle,
    FixedPriors,
    FixedTrueNegatives,
    Uniform,
)
from rankscape.geometry.roc import Line, Pencil, roc_points
from rankscape.results import Table
from rankscape.views import roc

CADA, CDNET, FAIRNESS = "cada_rre.csv", "cdnet2014_partial.csv", "fairness_binsensitive.csv"
PRIORS_OF_VIDEOS = "aux_cdnet2014_paper_priors.csv"
VIDEOS = ("baseline/pedestrians", "dynamicBackground/canoe", "intermittentObjectMotion/winterDriveway")
PRIORS = (1e-9, *np.linspace(0.001, 0.999, 999), 1 - 1e-9)
ELLS = [Decimal(x) for x in ("0.01", "0.1", "0.3", "1", "2", "5", "10")]  # ℓ = β²π₊/π₋: 28 digits, as (65) cancels
BETAS = np.sqrt(np.array(ELLS, dtype=float) * 7 / 3)  # their β at π₊ = 0.3
Pages = dict[str, Figure]


class Data:
    """The performances in a folder, read once; FileNotFoundError where there is no such file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: dict[str, Any] = {}
        self.missing: dict[str, list[str]] = {}

    def has(self, name: str) -> bool:
        """Tell whether a file is there."""
        return (self.folder / name).exists()

    def said(self) -> str:
        """Say what is not at hand, in one sentence, and how much of CDnet 2014 is."""
        lines = []
        if self.missing:
            each = "; ".join(f"{name} for {', '.join(wanted)}" for name, wanted in self.missing.items())
            lines.append(f"Not in {self.folder}, so left out: {each}.\n\n")
        if CDNET in self.found:
            sets = self.found[CDNET]
            few, many = extremes([t.n for t in sets.values()])
            lines.append(
                f"Of CDnet 2014 {len(sets)} videos with {few:g} to {many:g} methods are at hand; the paper has 53 "
                "with 56 to 58, so figures 6 to 8 and A.3.10 are like the paper's, not the same.\n\n"
            )
        return "".join(lines)

    def __call__(self, name: str) -> Any:
        """Return the trade-off of the 16 different performances of CADA-RRE, or those of all domains of another set."""
        if name not in self.found:
            if not self.has(name):
                raise FileNotFoundError(name)
            every = rs.read(self.folder / name)
            if name == CADA:  # its entries have names of 36 letters
                every = rs.Performances.from_counts(every.counts, names=[entry[:6] for entry in every.names])
            self.found[name] = rs.tradeoff(every, distinct=True) if name == CADA else rs.tradeoffs(every)
        return self.found[name]


def apart(first: Any, second: Any) -> float:
    """Return the largest difference."""
    return float(np.max(np.abs(np.subtract(first, second))))


def percent(share: Any) -> float:
    return 100 * float(share)


# ---- Table 1 and section 4.6


def optimal_prior(family: Any, beta: Callable[[Any], float]) -> float:
    """Return the prior at which a β is the optimal one."""
    return float(brentq(lambda prior: family(prior).optimal_beta() - beta(family(prior)), 0.05, 0.95))


def degrees(family: Any, beta: Callable[[Any], float], *more: float) -> list[float]:
    """Return the degree of optimality of a β over the priors, in percent."""
    return [percent((one := family(prior)).optimality(beta(one))) for prior in (*PRIORS, *more)]


def f1(_: Any) -> float:
    return 1.0


def sivf(family: Any) -> float:
    return float(family.sivf_beta)


def ratio(value: float) -> Fraction:
    return Fraction(value).limit_denominator(10**9)


def table1(data: Data) -> tuple[Table, list[Check]]:
    """Return Table 1, what is printed beside ours, and its checks with those of sections 4.1 and 4.2."""
    rows: list[tuple[str, str, str, str]] = []
    checks: list[Check] = []

    def compare(case: str, what: str, printed: str, *ours: Any, reason: str = "") -> None:
        parts = printed.split(" to ") if len(ours) > 1 else [printed]
        found = [check(f"Table 1, {case}: {what}", *pair, reason=reason) for pair in zip(parts, ours, strict=True)]
        rows.append((case, what, printed, " to ".join(one.ours for one in found)))
        checks.extend(found)

    for case, family, on_path in (("Π₁ all", Uniform(), "no"), ("Π₂ P(tn) = 1/2", FixedTrueNegatives(0.5), "yes")):
        compare(case, "τ(Pr;Re)", "1/3", ratio(family.tau_ends))
        compare(case, "𝒪 of F₁, %", "100", percent(family.optimality(1)))
        compare(case, "𝒪 of the heuristic, %", "100", percent(family.optimality(family.heuristic_beta)))
        tau_pr, tau_re, ends = taus_of_sivf(family)
        found = yes(abs(tau_pr + tau_re - 1 - ends) < 1e-9)
        checks.append(check(f"4.1, 4.2: SIVF is on a shortest path, {case}", on_path, found))
        if on_path == "no":
            checks += [check("4.1: τ(Pr;SIVF), of draws", "0.43", tau_pr), check("4.1: τ(SIVF;Re)", "0.81", tau_re)]
        taus = zip(("τ(Pr;F₁)", "τ(F₁;Re)"), family.tau(1), strict=True)
        checks += [check(f"(17), (18), (48)-(53): {name}, {case}", "2/3", ratio(tau)) for name, tau in taus]
    detection = FixedTrueNegatives(0)
    taus = zip(("τ(Pr;SIVF)", "τ(SIVF;Re)"), ("1/3", "1"), detection.tau(detection.sivf_beta), strict=True)
    checks += [check(f"4.2: {name}, P(tn) = 0", printed, ratio(tau)) for name, printed, tau in taus]
    for case, family, ends, prior, printed in (
        ("Π₃ fixed priors", FixedPriors, "1/2", "0.381", "88.63"),
        ("Π₄ above no-skill", AboveNoSkill, "0", "0.325", "83.33"),
    ):
        compare(case, "τ(Pr;Re)", ends, Fraction(family(0.1).tau_ends))
        best = optimal_prior(family, f1)
        compare(case, "𝒪 of F₁, %", "50 to 100", *extremes(degrees(family, f1, best)))
        compare(case, "prior at which F₁ is optimal", prior, best)
        compare(case, "𝒪 of SIVF, %", printed, degrees(family, sivf)[500])
        compare(case, "the heuristic selects SIVF", "yes", yes(family(0.1).heuristic_beta == family(0.1).sivf_beta))
        closed = {"88.63": log(4) - 1 / 2, "83.33": 5 / 6}[printed]
        off = apart(degrees(family, sivf), percent(closed))
        checks.append(check(f"Table 1, {case}: 𝒪 of SIVF at all priors, off its closed form", "0", off, within=1e-9))
    case, family = "Π₅ close to oracle", CloseToOracle
    reason = "the paper estimates it from draws; ours is the minimum of a closed form"
    compare(case, "τ(Pr;Re)", "0 to 0.5", *extremes([family(prior).tau_ends for prior in PRIORS]))
    for who in ("F₁", "the heuristic"):
        beta = f1 if who == "F₁" else lambda one: one.heuristic_beta
        compare(case, f"𝒪 of {who}, %", "87.85 to 100", *extremes(degrees(family, beta)), reason=reason)
    compare(case, "prior at which F₁ is optimal", "1", PRIORS[int(np.argmax(degrees(family, f1)))])
    best = optimal_prior(family, sivf)
    compare(case, "𝒪 of SIVF, %", "50 to 100", *extremes(degrees(family, sivf, best)))
    compare(case, "prior at which SIVF is optimal", "0.561", best)
    compare(case, "the heuristic selects F₁", "yes", yes(family(0.3).heuristic_beta == 1))
    for name, case in ((CDNET, "CDnet 2014"), (FAIRNESS, "fairness")):
        if data.has(name):
            shown = [row if name == CDNET else (row[0], "", row[2]) for row in real(data, name)[2:6]]
            rows += [(f"{case}, {len(data(name))} sets", *row) for row in shown]
    return table(("case", "what", "printed", "ours"), rows), checks


def taus_of_sivf(family: Any) -> tuple[float, float, float]:
    """Return τ(Pr;SIVF), τ(SIVF;Re) and τ(Pr;Re) of 200,000 draws; where a path is a shortest one, exactly so."""
    drawn = family.draw(200_000, rng=0)
    pr, re, score = (rs.score(key)(drawn) for key in ("ppv", "tpr", "sivf"))
    first, second, ends = (float(kendalltau(*two).statistic) for two in ((pr, score), (score, re), (pr, re)))
    return first, second, ends


def extremes(values: Any) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def table(columns: Any, rows: Any) -> Table:
    return Table(dict(zip(columns, zip(*rows, strict=True), strict=True)))


def real(data: Data, name: str) -> list[tuple[str, str, str]]:
    """Return what 4.6 and Table 1 say of real sets: what, as printed of 53 sets, and of the sets in a file."""
    sets = data(name)
    found, every = sets.table(), [t.performances for t in sets.values()]

    def degree(key: str) -> str:
        values = 100 * np.array(found[f"optimality_of_{key}"], dtype=float)
        return "{:.2f} to {:.2f}, mean {:.2f}".format(*extremes(values), np.nanmean(values))

    beta, r = np.array(found["beta"], dtype=float), correlations(sets)
    x, y, prior = (np.concatenate(part) for part in zip(*((*roc_points(P), P.priors) for P in every), strict=True))
    return [
        ("sets", "53", str(len(sets))),
        ("methods", "56 to 58", "{:.0f} to {:.0f}".format(*extremes(found["entities"]))),
        ("τ(Pr;Re)", "-0.31 to 0.65", "{:.2f} to {:.2f}".format(*extremes(found["tau_ends"]))),
        ("𝒪 of F₁, %", "52.23 to 100.00, mean 78.44", degree("1")),
        ("𝒪 of SIVF, %", "50.00 to 99.13, mean 56.71", degree("sivf")),
        ("𝒪 of the heuristic, %", "69.69 to 100.00, mean 89.53", degree("heuristic")),
        ("optimal β", "0.29 to 22.79", "{:.2f} to {:.2f}".format(*extremes(beta))),
        ("sets with an optimal β in [0.5, 2]", "35", str(int(((beta >= 0.5) & (beta <= 2)).sum()))),
        ("pairs that Pr and Re order alike, mean, %", "61.98", f"{percent(np.nanmean(found['agree'])):.2f}"),
        ("r of E[PFP]/(E[PFP]+E[PFN]) with optimal b", "0.913", f"{r['heuristic_b']:.3f}"),
        ("r of the prior with optimal b", "", f"{r['prior']:.3f}"),
        ("performances in Π₄, %", "99.9", f"{percent(np.mean(y >= x)):.1f}"),
        ("performances in Π₅, %", "99.4", f"{percent(np.mean((x < prior) & (y > prior))):.1f}"),
    ]


def section46(data: Data) -> tuple[Table, list[Check]]:
    """Return the study of section 4.6 on the part of CDnet 2014 that is at hand, and on another set: no checks."""
    names = {CDNET: "CDnet 2014, part", FAIRNESS: "fairness"}
    found = {title: real(data, name) for name, title in names.items() if data.has(name)}
    if not found:
        raise FileNotFoundError(CDNET)
    rows = [(*parts[0][:2], *(part[2] for part in parts)) for parts in zip(*found.values(), strict=True)]
    return table(("what", "printed", *found), rows), []


# ---- figures: each returns its pages and the checks of what they show


class Sivf:
    """The lines in ROC space on which SIVF = 2TPR/(TPR+FPR+1) is equal."""

    def line(self, value: float) -> Line:
        """Return the line of a value."""
        return Line(-value, 2 - value, -value)


def fig2(_: Data) -> tuple[Pages, list[Check]]:
    """Draw lines on which F_β and SIVF are equal, in ROC space, at three priors."""
    betas = {"Pr = F₀": 0.0, "F½": 0.5, "F₁": 1.0, "F₂": 2.0, "Re = F∞": inf}
    figure, axes = canvas(3, 6, 2.6, 0.7)
    off, levels = [], np.arange(1, 20) / 20
    for row, prior in zip(axes, (0.2, 0.5, 0.8), strict=True):
        row[0].set_ylabel(f"π₊ = {prior:g}\nTPR", fontsize=12)
        for ax, (name, beta) in zip(row, [*betas.items(), ("SIVF", None)], strict=True):
            lines: Any = Sivf() if beta is None else Pencil(1, 1 if beta == inf else beta**2 / (1 + beta**2), prior)
            iso_lines(ax, lines.line if beta is None else lines_of(lines), levels, lw=1.3)
            ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[0, 1], yticks=[0, 1])
            ell = 1 if beta is None else beta**2 * prior / (1 - prior)
            ax.set_title(f"{name}   ℓ = {'∞' if ell == inf else f'{ell:.3g}'}", fontsize=12, loc="left")
            if beta is None:
                off += [abs(float(lines.line(level)(-1, 0))) for level in levels]
            elif beta < inf:
                off.append(apart(lines.vertex, (-ell, 0)))
    for ax in axes[-1]:
        ax.set_xlabel("FPR", fontsize=12)
    say(figure, "Lines of equal score, 0.05 to 0.95: all of one panel meet at (FPR, TPR) = (−ℓ, 0), ℓ = β²π₊/π₋")
    same = True
    for tn, fp, fn, tp in np.random.default_rng(2).integers(1, 90, (40, 4)).tolist():
        minus, plus, total = Fraction(tn + fp), Fraction(fn + tp), tn + fp + fn + tp
        k, score = minus / plus, 2 * (tp / plus) / (tp / plus + fp / minus + 1)
        same &= (1 + k) * tp / ((1 + k) * tp + k * fn + fp) == score / (
            (plus - minus) / total * score + 2 * minus / total
        )
    return {"": figure}, [
        check("2.2.1: distance of the vertices from (−ℓ, 0), and of SIVF's from (−1, 0)", "0", max(off), within=1e-12),
        check("(31): F_β of SIVF, β² = π₋/π₊, of 40 performances", "yes", yes(same)),
        check("2.2.1: π₊ → 0, τ(Pr;F₁)", "1", FixedPriors(1e-9).tau(1)[0], within=1e-6),
        check("2.2.1: π₊ → 1, τ(F₁;Re)", "1", FixedPriors(1 - 1e-9).tau(1)[1], within=1e-6),
    ]


def b_of(beta: Any) -> Any:
    """Return b = β²/(1+β²)."""
    return 1 - 1 / (1 + np.asarray(beta, dtype=float) ** 2)


def components(rankings: Any) -> tuple[Any, Any]:
    """Return rankings in the plane of their first two principal components, recall at the right, and their shares."""
    left, sizes, _ = np.linalg.svd(rankings - rankings.mean(axis=0), full_matrices=False)
    plane = np.pad((left * sizes)[:, :2], ((0, 0), (0, max(0, 2 - len(sizes)))))
    ends = plane[[0, -1]].mean(axis=0)
    plane[:, 0] *= 1 if plane[0, 0] <= plane[-1, 0] else -1
    plane[:, 1] *= 1 if plane[len(plane) // 2, 1] <= ends[1] else -1  # a valley
    return plane, np.append(sizes**2, 0)[:2] / (sizes**2).sum()


def path_of_rankings(t: Any) -> Figure:
    """Draw one dot per ranking in the plane of the first two components, with both ends and the optimum."""
    path = t.path()
    plane, explained = components(path.rankings)
    best = plane[(path.low <= t.beta) & (t.beta <= path.high)].mean(axis=0)  # at a swap between both rankings
    figure, ax = canvas(1, 1, 5, 0.8)
    ax.plot(*plane.T, "o-", color=QUIET, mfc=FAINT, ms=4)
    for place, name in ((plane[0], "precision"), (plane[-1], "recall"), (best, "optimum")):
        ax.plot(*place, "D", color=INK)
        ax.annotate(name, place, (6, 6), textcoords="offset points")
    words = [f"{which} component ({share:.1%})" for which, share in zip(("first", "second"), explained, strict=True)]
    ax.set(xlabel=words[0], ylabel=words[1], title=f"{len(path)} rankings")
    ax.axis("equal")
    return figure


def panels_of(t: Any, panels: list[str]) -> Figure:
    """Draw panels two by two: points in ROC space, ranks, and curves over b = β²/(1+β²) with the optimum and F₁."""
    rows = (len(panels) + 1) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(13, 6.2 * rows), layout="constrained")
    titles = {"variance": "Fréchet variance", "optimality": "Degree of optimality"}
    for ax, name in zip(axes.ravel(), panels, strict=False):
        if name == "points":
            roc(t.performances, by=t.score).plot(ax)
        elif name in titles:
            curve = t.curve()
            b = b_of([curve["from"], curve["to"]]).T.ravel()
            ax.plot(b, np.repeat(curve[name], 2), color=INK)
            for beta, dash in ((t.beta, "-"), (1, "--")):
                ax.axvline(b_of(beta), color=QUIET, ls=dash)
            ax.set_title(titles[name], loc="left")
            ax.set(xlabel="b", xlim=(0, 1))
        else:
            t.plot(ax, panel=name)
    for ax in axes.ravel()[len(panels) :]:
        ax.remove()
    return figure


def fig3(data: Data) -> tuple[Pages, list[Check]]:
    """Draw what F_β does to the ranking of CADA-RRE, and check what the paper says of it."""
    t = data(CADA)
    every = rs.read(data.folder / CADA)
    coincide = "swaps coincide; the paper breaks ties by 1e-15"
    swaps = [at for at, size in t.exact_swaps for _ in range(size)]
    before, above = (sum(sign * (at - median(swaps)) > 0 for at in swaps) for sign in (-1, 1))
    low, high = t.optimal_set
    f2 = np.array([float(x) for x in rs.score("f2")(every)])
    sums = {sum(t.tau(beta)) for beta in (0, 0.2, 0.426, 1, 1.4, 2)}
    rows = [row for row in t.performances.counts.tolist() if row[3]]
    pairs = [(x, y) for x, y in combinations(rows, 2) if x[3] * y[2] != y[3] * x[2]]
    by_11 = [-Fraction(x[3] * y[1] - y[3] * x[1], x[3] * y[2] - y[3] * x[2]) for x, y in pairs]
    by_36 = []  # 1/Pr = 1 + fp/tp, 1/Re = 1 + fn/tp
    for (_, fp1, fn1, tp1), (_, fp2, fn2, tp2) in pairs:
        by_36.append((Fraction(fp2, tp2) - Fraction(fp1, tp1)) / (Fraction(fn1, tp1) - Fraction(fn2, tp2)))
    checks = [
        check("A.2.4: entries", "29", Fraction(len(every))),
        check("A.2.4: unique pairs of precision and recall", "16", Fraction(t.n)),
        check("A.2.4: π₊", "11/30", Fraction(float(t.performances.priors[0])).limit_denominator(1000)),
        check("Figure 3: rankings", "44", Fraction(t.n_rankings), reason=coincide),
        check("Figure 3a: last swap", "1.508", t.first_and_last_swap[1]),
        check("Figure 3a: optimal β by (12)", "0.426", t.median_beta),
        check("Figure 3a: as many swaps below as above it", "yes", yes(before == above),
              reason=f"{before} and {above}: the proviso of Figure A.2.1, no co-aligned performances, fails"),
        check("Figure 3b: variance explained, %", "93.57", percent(components(t.path().rankings)[1].sum()),
              reason="we use 29 exact rankings; the paper uses 44 of perturbed floats"),
        check("Figure 3c: β of (12) minimizes the Fréchet variance", "yes", yes(t.median_is_optimal),
              reason=f"the optimal β are those in ({sqrt(low):.4f}, {sqrt(high):.4f}): swaps coincide"),
        check("A.2.4: F₂ ranks as Re", "1", Fraction(t.tau(2)[1])),
        check("A.2.4: largest F₂", "0.862", float(f2.max())),
        check("A.2.4: least F₂", "0.0", float(f2.min())),
        check("(7): τ(Pr;F_β) + τ(F_β;Re) off 1 + τ(Pr;Re)", "0", apart(list(sums), 1 + t.tau_ends), within=1e-15),
        check(f"(36): ϑ as by (11), {len(pairs)} pairs", "yes", yes(by_36 == by_11)),
        check("(11): the swaps are the positive ϑ", "yes", yes(swaps == sorted(at for at in by_11 if at > 0))),
    ]  # fmt: skip
    checks += [
        check(f"A.2.4: an entry with F₂ = {text}", text, float(f2[np.argmin(abs(f2 - float(text)))]))
        for text in ("0.702", "0.678", "0.377")
    ]
    pages = {"": panels_of(t, ["ranks", "variance", "correlations"]), "_path": path_of_rankings(t)}
    return pages, checks


def fig_a22(data: Data) -> tuple[Pages, list[Check]]:
    """Draw which β goes which share of the way from precision to recall."""
    t, shares = data(CADA), np.linspace(0, 1, 101)
    figure, ax = canvas(1, 1, 5, 0.8)
    ax.plot(b_of(t.quantile(shares)), shares, color=INK, label="the share of the way, by ranks")
    ax.plot([0, 1], [0, 1], "--", color=QUIET, label="by values")
    ax.set(xlabel="b", ylabel="share of the way from precision to recall")
    ax.legend(loc="upper left", frameon=False)
    return {"": figure}, [
        check("A.2.2: β of the quantile 80 %", "0.914", t.quantile(0.8)),
        check("A.2.2: β of the quantile 50 %", "0.426", t.quantile(0.5)),
        check("A.2.2: b of β = 2", "0.8", t.place_of(2)[1]),
    ]


CORNERS = np.array([[1, 1, 1], [1, -1, -1], [-1, -1, 1], [-1, 1, -1]]) / sqrt(3)  # of tn, fp, fn, tp


def of_rates(points: Any, prior: float) -> Any:
    x, y = np.array(points, dtype=float).T
    return np.stack([(1 - prior) * (1 - x), (1 - prior) * x, prior * (1 - y), prior * y], axis=-1)


SETS: dict[str, tuple[Any, str, str]] = {  # the vertices of a set of each family, and what kind of polygon it is
    "Π₂ fixed P(tn)": (lambda p: p * np.eye(4)[:1] + (1 - p) * np.eye(4)[1:], "equilateral triangles", "3 equal sides"),
    "Π₃ fixed priors": (lambda p: of_rates([(0, 0), (1, 0), (1, 1), (0, 1)], p), "rectangles", "4 right angles"),
    "Π₄ above no-skill": (lambda p: of_rates([(0, 0), (1, 1), (0, 1)], p), "right triangles", "1 right angle"),
    "Π₅ close to the oracle": (
        lambda p: of_rates([(0, p), (p, p), (p, 1), (0, 1)], p), "squares", "4 equal sides, 4 right angles"
    ),
}  # fmt: skip


def fig4(_: Data) -> tuple[Pages, list[Check]]:
    """Draw sets of performances in the tetrahedron of all."""
    toward = np.array([0.53, 0.76, -0.37])  # the eye; TPR upwards
    right = np.cross(CORNERS[3] - CORNERS[2], toward)
    up = np.cross(toward, right)
    plane = CORNERS @ np.stack([right / np.linalg.norm(right), up / np.linalg.norm(up)], axis=1)
    figure, axes = canvas(1, 5, 3.3, 0.3)
    values, colors, checks = (0.1, 0.3, 0.6, 0.75, 0.9), mpl.colormaps["viridis"], []
    for ax, title in zip(axes, ("Π₁ all performances", *SETS), strict=True):
        for pair in combinations(range(4), 2):
            ax.plot(*plane[list(pair)].T, color=QUIET, lw=1.2, zorder=9)
        if title in SETS:
            polygon, what, printed = SETS[title]
            for value in values:
                ink = colors(value)
                ax.fill(*(polygon(value) @ plane).T, fc=(*ink[:3], 0.5), ec=ink, lw=1.5, zorder=1 + value)
            kinds = sorted({kind(polygon(value) @ CORNERS) for value in values})
            checks.append(check(f"Figure 4: each set of {title[:2]}, {what}", printed, " / ".join(kinds)))
        else:
            for face in combinations(range(4), 3):
                ax.fill(*plane[list(face)].T, color=FAINT, alpha=0.3, lw=0)
        for name, point in zip(("tn", "fp", "fn", "tp"), plane, strict=True):
            write(ax, *(1.13 * point), name)
        ax.set(aspect="equal", xlim=(-0.6, 1.15), ylim=(-1.1, 1.1))
        ax.axis("off")
        ax.set_title(title, fontsize=12.5, loc="left")
    scalar = mpl.cm.ScalarMappable(mpl.colors.Normalize(0, 1), colors)
    figure.colorbar(scalar, ax=axes, shrink=0.7, aspect=25, ticks=values).set_label("P(tn) of Π₂, else π₊", fontsize=11)
    say(figure, "Sets of performances in the tetrahedron of all: each color is a set of one family")
    return {"": figure}, checks


def kind(points: Any) -> str:
    """Describe a polygon."""
    sides = np.roll(points, -1, axis=0) - points
    right = int((np.abs((sides * np.roll(sides, 1, axis=0)).sum(axis=1)) < 1e-12).sum())
    equal = [f"{len(sides)} equal sides"] if np.ptp(np.linalg.norm(sides, axis=1)) < 1e-12 else []
    return ", ".join([*equal, *([f"{right} right angle{'s' * (right > 1)}"] if right else [])])


# ---- families with a prior


def place(beta: Any) -> Any:
    """Return b = β²/(1 + β²), where F_β is between precision (0) and recall (1)."""
    with np.errstate(divide="ignore"):
        return 1 / (1 + 1 / np.square(beta))


def adaptation(family: Any, priors: Any) -> Any:
    """Return the place of the optimal β of a family at each prior."""
    return place([family(prior).optimal_beta() for prior in priors])


def draw_family(family: Any) -> Figure:
    """Draw τ of F₁ and SIVF with both ends, the Fréchet variance, and the optimum, across priors."""
    priors, b = np.linspace(0.01, 0.99, 99), np.linspace(0, 1, 201)
    families = [family(prior) for prior in priors]
    figure, (left, middle, right) = canvas(1, 3, 4.6, 0.8)
    for name, beta, dash in (("F₁", f1, "-"), ("SIVF", sivf, "--")):
        taus = np.array([one.tau(beta(one)) for one in families])
        for tau, end, color in zip(taus.T, ("precision", "recall"), (BLUE, ORANGE), strict=True):
            left.plot(priors, tau, dash, color=color, label=f"{name}, {end}")
    with np.errstate(divide="ignore"):
        betas = np.sqrt(b / (1 - b))
    for prior in (0.01, 0.1, 0.5, 0.9):
        middle.plot(b, family(prior).frechet_variance(betas), label=f"π₊ = {prior:g}")
    right.plot(priors, adaptation(family, priors), color=INK, label="optimum")
    right.plot(priors, 1 - priors, "-.", color=QUIET, label="SIVF")
    right.axhline(0.5, color=QUIET, ls="--", label="F₁")
    left.set(xlabel="π₊", ylabel="Kendall’s τ", title="F₁ and SIVF across priors")
    middle.set(xlabel="b", ylabel="σ²", title="Fréchet variance", ylim=(0, None))
    right.set(xlabel="π₊", ylabel="b", title="The optimum across priors", ylim=(0, 1))
    for ax in (left, middle, right):
        ax.set_xlim(0, 1)
        ax.legend(frameon=False)
    return figure


def family_pages(family: Any) -> Pages:
    """Draw a family across priors, and the path of rankings of 80 performances drawn from it at π₊ = 0.1."""
    return {"": draw_family(family), "_path": path_of_rankings(rs.tradeoff(family(0.1).draw(80, rng=0)))}


def fig5(_: Data) -> tuple[Pages, list[Check]]:
    """Draw Π₃ and Π₅ across priors."""
    beta = [CloseToOracle(prior).optimal_beta() for prior in PRIORS]
    some = np.array(PRIORS[1::50])
    off = apart(adaptation(FixedPriors, some), 0.61585 * (1 - some) / (some + 0.61585 * (1 - some)))
    falls = f"it first falls, to {min(beta):.4f} at π₊ = {PRIORS[int(np.argmin(beta))]:.3f}"
    return {"_fixed_priors": draw_family(FixedPriors), "_close_to_oracle": draw_family(CloseToOracle)}, [
        check("4.3: optimal ℓ", "0.61585", FixedPriors(0.5).optimal_beta() ** 2),
        check("(20): b of the optimum, largest difference", "0.00000", off),
        check("4.3: prior at which F₁ is optimal", "0.381", optimal_prior(FixedPriors, f1)),
        check("4.5: optimal β for π₊ → 0, about", "0.8", beta[0]),
        check("4.5: optimal β for π₊ → 1", "1", beta[-1]),
        check("4.5: with π₊, the optimal β", "increases", monotone(beta), reason=falls),
    ]


def monotone(values: Any) -> str:
    steps = np.diff(values)
    return "increases" if (steps > 0).all() else "decreases" if (steps < 0).all() else "neither"


def fig_a35(_: Data) -> tuple[Pages, list[Check]]:
    """Draw Π₃ across priors; check its closed forms, and the variance that two components explain."""
    formula = [float(ell**2 * -(1 / ell + 1).ln() + ell + 1 / Decimal(2)) for ell in ELLS]
    first = [float(1 - ell * (ell * (ell / (ell + 1)).ln() + 1)) for ell in ELLS]
    family = FixedPriors(0.3)
    tau_pr, tau_re = family.tau(BETAS)
    shares = [percent(explained(np.random.default_rng(seed))) for seed in range(6)]
    error = 3 * float(np.std(shares, ddof=1))
    return family_pages(FixedPriors), [
        check("(57): τ(Pr;Re)", "1/2", Fraction(family.tau_ends)),
        check("(58): τ(Pr;F_β), largest difference", "0", apart(tau_pr, first), within=1e-12),
        check("(19), (59): τ(F_β;Re), largest difference", "0", apart(tau_re, formula), within=1e-12),
        check(f"4.3: variance explained, %, 1000 draws (± {error:.1f})", "98.77", float(np.mean(shares)), within=error),
    ]


def explained(rng: np.random.Generator, n: int = 1000, steps: int = 151) -> float:
    """Return what two components explain of rankings that are evenly far apart, of draws from Π₃(0.1)."""
    betas = np.logspace(-4, 4, 4001)
    at = np.interp(np.linspace(0.5, 1, steps), FixedPriors(0.1).tau(betas)[1], betas) ** 2
    _, fp, fn, tp = FixedPriors(0.1).draw(n, rng).mass.T
    values = tp / (tp + (fp + at[:, None] * fn) / (1 + at[:, None]))
    ranks = np.argsort(np.argsort(values, axis=1), axis=1).astype(float)
    centered = ranks - ranks.mean(axis=0)
    variance = np.linalg.eigvalsh(centered @ centered.T)
    return float(variance[-2:].sum() / variance.sum())


def fig_a37(_: Data) -> tuple[Pages, list[Check]]:
    """Draw Π₄ across priors; check its closed forms, and what the paper says of F₁ in 4.4."""
    second, first = [], []
    for ell in ELLS:
        rest = -6 * ell**2 + 3 * ell + 4
        second.append(float(2 * ell / 3 * (rest + 6 * (ell**2 - 1) * ell * (1 / ell + 1).ln())))
        first.append(float(1 - 2 * ell / 3 * (rest - 6 * (ell**2 - 1) * ell * (ell / (ell + 1)).ln())))
    tau_pr, tau_re = AboveNoSkill(0.3).tau(BETAS)
    by_prior = np.array([AboveNoSkill(prior).tau(1) for prior in PRIORS])
    reason = "the other way round, as 2.2.1 has it"
    low, high = (f"{by_prior[0][k]:.0f} to {by_prior[-1][k]:.0f}" for k in (0, 1))
    return family_pages(AboveNoSkill), [
        check("(63): τ(Pr;Re)", "0", Fraction(AboveNoSkill(0.3).tau_ends)),
        check("(64): τ(Pr;F_β), largest difference", "0", apart(tau_pr, first), within=1e-12),
        check("(65): τ(F_β;Re), largest difference", "0", apart(tau_re, second), within=1e-12),
        check("4.4: optimal ℓ", "0.48", AboveNoSkill(0.5).optimal_beta() ** 2),
        check("4.4: prior at which F₁ is optimal", "0.325", optimal_prior(AboveNoSkill, f1)),
        check("4.4: with π₊, τ(Pr;F₁)", "increases", monotone(by_prior[:, 0]), reason=reason),
        check("4.4: from π₊ = 0 to 1, τ(Pr;F₁)", "0 to 1", low, reason=reason),
        check("4.4: with π₊, τ(F₁;Re)", "decreases", monotone(by_prior[:, 1]), reason=reason),
        check("4.4: from π₊ = 0 to 1, τ(F₁;Re)", "1 to 0", high, reason=reason),
    ]


def fig_a39(_: Data) -> tuple[Pages, list[Check]]:
    """Draw Π₅ across priors, with closed forms that the paper lacks; check (69)."""
    p = np.array([0.05, 0.1, 0.3, 0.5, 0.7, 0.9])
    formula = 1 - (-(p**4) + 2 * p**4 * np.log(p) + p**2) / (2 * (1 - p) ** 2 * p**2)
    off = apart([CloseToOracle(x).tau_ends for x in p], formula)
    return family_pages(CloseToOracle), [check("(69): τ(Pr;Re), largest difference", "0", off, within=1e-12)]


# ---- real sets


def fig6(data: Data, video: str = VIDEOS[1]) -> tuple[Pages, list[Check]]:
    """Draw one video: points, ranks, correlations, and the degree of optimality."""
    figure = panels_of(data(CDNET)[video], ["points", "ranks", "correlations", "optimality"])
    return {f"_{video.split('/')[1]}": figure}, []


def on_real(data: Data, draw: Callable[[Any], Figure]) -> tuple[Pages, list[Check]]:
    files = {"_cdnet": CDNET, "_fairness": FAIRNESS}
    pages = {suffix: draw(data(name)) for suffix, name in files.items() if data.has(name)}
    if not pages:
        raise FileNotFoundError(CDNET)
    return pages, []


def predictors(sets: Any) -> dict[str, Any]:
    """Return b of the optimum of each set that has one, and what predicts it: its prior, and b of the heuristic."""
    found = [(b_of(t.beta), t.mean_prior, b_of(t.heuristic_beta)) for t in sets.values() if t.n_discordant]
    return dict(zip(("optimal_b", "prior", "heuristic_b"), np.array(found).T, strict=True))


def correlations(sets: Any) -> dict[str, float]:
    """Return Pearson's r of the optimal b with each of its predictors."""
    found = predictors(sets)
    return {name: float(np.corrcoef(found["optimal_b"], found[name])[0, 1]) for name in ("prior", "heuristic_b")}


def draw_predictors(sets: Any) -> Figure:
    """Draw the optimum of each set against its prior and against the heuristic."""
    found, r = predictors(sets), correlations(sets)
    figure, axes = canvas(1, 2, 5, 0.8)
    ratio = "E[PFP] / (E[PFP] + E[PFN])"
    for ax, column, words, end in zip(axes, r, ("π₊", ratio), ((1, 0), (0, 1)), strict=True):
        ax.plot([0, 1], end, "--", color=QUIET)
        ax.plot(found[column], found["optimal_b"], "o", color=INK, alpha=0.7)
        ax.set(xlabel=words, ylabel="b of the optimum", title=f"r = {r[column]:.3f}", xlim=(0, 1), ylim=(0, 1))
    return figure


def fig7(data: Data) -> tuple[Pages, list[Check]]:
    """Draw what might predict the optimal β: the prior, and the heuristic."""
    return on_real(data, draw_predictors)


def fig8(data: Data) -> tuple[Pages, list[Check]]:
    """Draw the shares of pairs that F₁ orders as the optimum, and those that leave no choice, per set."""
    return on_real(data, shares_of_pairs)


def shares_of_pairs(sets: Any) -> Figure:
    """Draw a stacked bar per set, from the least share of pairs against the optimum to the largest."""
    found = sets.table()
    order = np.argsort(np.array(found["against_optimum_with_1"], dtype=float))
    figure, ax = canvas(1, 1, 8, max(0.0, 0.16 * len(order) - 6))
    start = np.zeros(len(order))
    parts = (
        ("agree", "both ends agree", FAINT), ("as_optimum_with_1", "F₁ as the optimum", BLUE),
        ("against_optimum_with_1", "F₁ against it", ORANGE),
    )  # fmt: skip
    for column, text, color in parts:
        widths = np.nan_to_num(np.array(found[column], dtype=float)[order])
        ax.barh(range(len(order)), widths, left=start, color=color, label=text)
        start += widths
    ax.set_yticks(range(len(order)), labels=[found["domain"][k] for k in order], fontsize=7)
    ax.set(xlabel="share of pairs of models", xlim=(0, 1))
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    return figure


def fig_a310(data: Data, videos: tuple[str, ...] = VIDEOS) -> tuple[Pages, list[Check]]:
    """Draw a page per video, and check the priors of all that are at hand."""
    panels = ["points", "correlations", "ranks", "variance", "optimality"]
    pages = {}
    for video in videos:
        t, name = data(CDNET)[video], video.split("/")[1]
        pages |= {f"_{name}": panels_of(t, panels), f"_{name}_path": path_of_rankings(t)}
    checks = []
    if data.has(PRIORS_OF_VIDEOS):
        with (data.folder / PRIORS_OF_VIDEOS).open(encoding="utf-8") as file:
            printed = {row["video"]: row["prior_pos_4dp"] for row in csv.DictReader(file)}
        for name, t in data(CDNET).items():
            video = name.split("/")[1]
            prior = float(t.performances.priors[0])
            checks.append(check(f"A.3.7: π₊ of {video}", printed[video], prior))
    return pages, checks


def read_off(t: Any, ax: Axes) -> None:
    """Draw the ray from (0, 1) through the mean performance, a star, whose β is the heuristic; gray: other β."""
    every, sizes = t.members
    tn, fp, fn, tp = (every.mass / sizes[:, None]).sum(axis=0)
    prior = (fn + tp) / (tn + fp + fn + tp)
    for beta in (0, 0.25, 0.5, 1, 2, 4, t.heuristic_beta):  # FPR/FNR = β²π₊/π₋ on a ray, cut where it leaves the square
        slope, ours = beta**2 * prior / (1 - prior), beta == t.heuristic_beta
        end = (slope, 0) if slope <= 1 else (1, 1 - 1 / slope)
        ax.plot([0, end[0]], [1, end[1]], color=INK if ours else FAINT, lw=2 if ours else 1)
        write(ax, 0.95 * end[0] + 0.01, 1 + 0.95 * (end[1] - 1), f"{'β = ' if ours else ''}{beta:.3g}")
    ax.plot(*roc_points(every), "o", color=QUIET)
    ax.plot(fp / (tn + fp), tp / (fn + tp), "*", color=INK, ms=15)
    ax.set(xlabel="FPR", ylabel="TPR", xlim=(0, 1), ylim=(0, 1), title=f"π₊ = {prior:.3g}")


def fig_a363(_: Data) -> tuple[Pages, list[Check]]:
    """Draw the heuristic in ROC space at three priors; check what A.3.8 says of it."""
    some = rs.Performances.from_counts([[60, 20, 5, 15], [70, 10, 8, 12], [50, 30, 1, 19]])
    figure, axes = canvas(1, 3, 5, 0.8)
    betas = []
    for ax, prior in zip(axes, (0.1, 0.5, 0.9), strict=True):
        t = rs.tradeoff(some.shift_priors(prior))
        betas.append(t.heuristic_beta)
        read_off(t, ax)
    unbiased = rs.tradeoff([[60, 20, 10, 10], [75, 5, 15, 5], [70, 5, 5, 20]])  # fp and fn have equal sums
    diagonal = rs.tradeoff([[60, 20, 5, 15], [72, 8, 6, 14], [56, 24, 2, 18]])  # E[FPR] = 13/60 = E[FNR]
    off = diagonal.heuristic_beta - diagonal.sivf_beta
    return {"": figure}, [
        check("A.3.63: with π₊, the recommended β", "decreases", monotone(betas)),
        check("A.3.8: recommended β² where Pr = Re on average", "1", ratio(unbiased.heuristic_beta**2)),
        check("A.3.8: recommended β less SIVF's on the descending diagonal", "0", off, within=1e-14),
    ]


def fig_a364(data: Data) -> tuple[Pages, list[Check]]:
    """Draw the heuristic on CADA-RRE, and the performances with lines of the F_β that it recommends."""
    t = data(CADA)
    every, sizes = t.members  # those with equal precision and recall count as their mean
    tn, fp, fn, tp = (every.mass / sizes[:, None]).sum(axis=0) / t.n
    fpr, tpr = (float((rate / sizes).sum() / t.n) for rate in roc_points(every))
    beta, prior = t.heuristic_beta, float(every.priors[0])
    off = sqrt((1 - prior) * fpr / (prior * (1 - tpr))) - beta
    far = apart((fp / (fp + tn), tp / (tp + fn)), (fpr, tpr))
    lines = roc(t.performances, by=f"f_{beta}").plot()
    figure, ax = canvas(1, 1, 5, 0.8)
    read_off(t, ax)
    return {"_read": figure, "_ranked": lines.figure}, [
        check("(72): β of the centroid less that of (70)", "0", off, within=1e-14),
        check("A.3.64b: the summarized performance off the centroid", "0", far, within=1e-14),
    ]


# ---- the command

TABLES: dict[str, Callable[[Data], tuple[Table, list[Check]]]] = {"table1": table1, "section4.6": section46}
FIGURES: dict[str, Callable[[Data], tuple[Pages, list[Check]]]] = {
    "fig2": fig2, "fig3": fig3, "fig4": fig4, "fig5": fig5, "fig6": fig6, "fig7": fig7, "fig8": fig8,
    "figA2.2": fig_a22, "figA3.5": fig_a35, "figA3.7": fig_a37, "figA3.9": fig_a39, "figA3.10": fig_a310,
    "figA3.63": fig_a363, "figA3.64": fig_a364,
}  # fmt: skip


def main(arguments: list[str] | None = None) -> list[Check]:
    """Regenerate what is asked for, print tables and checks, and return the checks."""
    what = "Regenerate figures and Table 1 of the optimal trade-off paper."
    options = asked(what, [*TABLES, *FIGURES], arguments, data=True)
    data = Data(options.data)
    checks: list[Check] = []
    for name in options.only:
        try:
            if name in TABLES:
                table, found = TABLES[name](data)
                print(f"{name}\n{table}\n")
            else:
                pages, found = FIGURES[name](data)
                for suffix, figure in pages.items():
                    saved(figure, options, f"{name}{suffix}")
            checks += found
        except FileNotFoundError as missing:
            data.missing.setdefault(str(missing), []).append(name)
    print(data.said(), end="")
    return told(checks)


if __name__ == "__main__":
    mpl.use("Agg")
    main()

"""Summarized performances, and how averaging scores instead would rank."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum, nan
from typing import Any

import numpy as np

from .._scores import Score, as_score
from ..arrays import Floats, Integers
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..typing import Missing, PerformancesLike, PriorLike, ScoreLike, WeightsLike
from .grid import Grid, arranged
from .prepare import prepare
from .weights import Groups


def summarize(
    performances: PerformancesLike,
    weights: WeightsLike = "equal",
    missing: Missing = "error",
    *,
    groups: Groups = None,
) -> Performances:
    """Return one summarized performance per entity, P̄ = Σ λ_d·P_d: draw a domain, then an outcome there.

    ``weights`` are the λ_d, divided by their sum: "equal", "size" (the number of cases), {domain: weight}, or
    "hierarchical" (equal per group, equal inside it; ``groups`` {domain: group}, by default what precedes "/" in the
    name), also {group: weight} with ``groups``. ``missing`` is what happens where an entity lacks a domain: "error",
    "complete" (compare on the domains that all share) or "available" (each on those it has); the last two warn with
    MissingDomainsWarning. Every score of P̄ is X(P̄), as soon as one domain defines it; performances are averaged, never
    scores. Works for every sample space. The share of positives of the population that the weights describe is shifted
    afterwards: ``summarize(P).shift_priors(0.1)``. (Summarization, eq. (2)-(5).)
    Raises DataError for missing cells, UsageError for weights that mean nothing.

    >>> P = Performances.from_counts([[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"])
    >>> summarize(P).mass.round(3).tolist(), summarize(P, {"x": 3, "y": 1}).priors.round(3).tolist()
    ([[0.465, 0.035, 0.11, 0.39]], [0.3])
    """
    return arranged(performances, weights, missing, groups).summary()


@dataclass(frozen=True, eq=False, repr=False)
class MeanOfScores(Result):
    """The mean of the scores over domains, beside the score of the summarized performances.

    ``means`` (n,) are Σ λ_d·X(P_d), over the domains that define X (``undefined`` counts the others with a positive
    weight); ``values`` are X(P̄). ``swapped`` holds the pairs of names that the two rank in opposite order, the better
    one by X(P̄) first.
    ``ppv_gap`` (n,) is the mean precision minus the precision that belongs, by the bijection of ROC and PR space, to
    the means of TPR, FPR and prior: where it is not 0, averaging has broken the bijection. NaN where undefined.

    >>> P = Performances.from_counts([[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"])
    >>> result = mean_of_scores(P, by="f1")
    >>> result.values.round(4).tolist(), result.means.round(4).tolist(), result.bijection_broken
    ([0.8432], [0.7247], True)
    """

    score: Score
    names: tuple[str, ...]
    values: Floats
    means: Floats
    undefined: Integers
    swapped: tuple[tuple[str, str], ...]
    ppv_gap: Floats
    exact: bool

    @property
    def heading(self) -> str:
        """How many pairs the two swap, and the score."""
        return f"Mean of scores by {self.score.name}: {len(self.swapped)} pairs swapped"

    @property
    def bijection_broken(self) -> bool:
        """Whether mean precision and mean (FPR, TPR) contradict each other for any entity."""
        return bool((np.nan_to_num(self.ppv_gap) != 0).any())

    def table(self) -> Table:
        """Return one row per entity: entity, summarized, mean, undefined (domains left out of the mean), ppv_gap."""
        return Table(
            {
                "entity": self.names,
                "summarized": self.values,
                "mean": self.means,
                "undefined": self.undefined,
                "ppv_gap": self.ppv_gap,
            }
        )


def mean_of_scores(
    performances: PerformancesLike,
    by: ScoreLike | None = None,
    weights: WeightsLike = "equal",
    missing: Missing = "error",
    *,
    groups: Groups = None,
    shift_prior: PriorLike | None = None,
) -> MeanOfScores:
    """Compare the score of the summarized performances with the mean of the scores over the domains.

    The arguments are those of :func:`summarize`; with ``shift_prior`` both are of the population that is shifted to
    this prior, in which the domains have other weights (see :func:`roles`). Of ranking scores both are compared exactly
    where performances are counts, of others in floating point. Raises DataError for missing cells. (Summarization
    slides: the two procedures on CDnet 2014.)

    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72], [80, 10, 2, 8], [5, 5, 30, 60]]
    >>> P = Performances.from_counts(rows, names=["m", "m", "n", "n"], domains=["x", "y"] * 2)
    >>> mean_of_scores(P, by="f1").swapped
    ()
    """
    grid = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups).population
    score = as_score(by, grid.performances.space)
    score.check(grid.performances)
    summary = grid.summary()
    exact = grid.exact and score.importance is not None
    values, each = (_exact_values(score, p) if exact else score(p).tolist() for p in (summary, grid.performances))
    pairs = [_mean([each[r] for r in row if r >= 0], _lambdas(grid, e)) for e, row in enumerate(grid.rows.tolist())]
    means = [mean for mean, _ in pairs]
    sign = -1 if score.direction == "smaller" else 1
    swapped = [
        (grid.entities[i], grid.entities[j])
        for i in range(len(values))
        for j in range(len(values))
        if _less(sign, values[j], values[i]) and _less(sign, means[i], means[j])
    ]
    return MeanOfScores(
        score=score,
        names=grid.entities,
        values=np.array([nan if x is None else float(x) for x in values]),
        means=np.array([nan if x is None else float(x) for x in means]),
        undefined=np.array([lost for _, lost in pairs]),
        swapped=tuple(swapped),
        ppv_gap=_ppv_gap(grid),
        exact=exact,
    )


def _lambdas(grid: Grid, e: int) -> list[Fraction]:
    return [w for w, r in zip(grid.shares_of(e), grid.rows[e].tolist(), strict=True) if r >= 0]


def _mean(values: list[Any], weights: list[Fraction]) -> tuple[Any, int]:
    """Return the weighted mean of what is defined, and how many with a weight are not; exact for fractions."""
    pairs = [(x, w) for x, w in zip(values, weights, strict=True) if w and x is not None and x == x]
    lost = sum(1 for w in weights if w) - len(pairs)
    total = sum(w for _, w in pairs)
    if not total:
        return None, lost
    if isinstance(pairs[0][0], Fraction):
        return sum(x * w for x, w in pairs) / total, lost
    return fsum(x * float(w / total) for x, w in pairs), lost


def _less(sign: int, x: Any, y: Any) -> bool:
    return x is not None and y is not None and bool(sign * x < sign * y)


def _exact_values(score: Score, performances: Performances) -> list[Fraction | None]:
    """Return the exact values of a ranking score, None where undefined."""
    worth = np.array([Fraction(s) for s in score.space.satisfaction or ()], dtype=object)
    importance = np.array(score.importance, dtype=object)
    due = (performances.integers * importance).sum(axis=1)
    earned = (performances.integers * importance * worth).sum(axis=1)
    return [Fraction(x) / Fraction(y) if y else None for x, y in zip(earned, due, strict=True)]


def _ppv_gap(grid: Grid) -> Floats:
    """Return mean PPV minus the PPV of the means of TPR, FPR and prior; exactly 0 where they agree exactly."""
    gaps = np.full(len(grid.entities), nan)
    if grid.performances.space.outcomes != TWO_CLASS.outcomes:
        return gaps
    integers = grid.performances.integers
    for e, row in enumerate(grid.rows.tolist()):
        cells = [integers[r].tolist() for r in row if r >= 0]
        weights = _lambdas(grid, e)
        ratios = {
            "tpr": [_ratio(tp, tp + fn) for _, _, fn, tp in cells],
            "fpr": [_ratio(fp, fp + tn) for tn, fp, _, _ in cells],
            "ppv": [_ratio(tp, tp + fp) for _, fp, _, tp in cells],
            "prior": [_ratio(fn + tp, tn + fp + fn + tp) for tn, fp, fn, tp in cells],
        }
        tpr, fpr, ppv, prior = (_mean(values, weights)[0] for values in ratios.values())
        if None in (tpr, fpr, ppv, prior):
            continue
        implied = _ratio(prior * tpr, prior * tpr + (1 - prior) * fpr)
        if implied is not None:
            gaps[e] = float(ppv - implied)
    return gaps


def _ratio(top: Any, bottom: Any) -> Fraction | None:
    return Fraction(top) / Fraction(bottom) if bottom else None

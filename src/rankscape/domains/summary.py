"""Summarized performances, and how averaging scores instead would rank."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum, nan

import numpy as np

from .._scores import Score, as_score
from ..arrays import Floats, Integers
from ..kernels.exact import Exact, integers_of_fractions, quotients, ratio_levels
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..typing import Missing, PerformancesLike, PriorLike, ScoreLike, WeightsLike
from .grid import Grid, arranged
from .prepare import prepare
from .weights import Groups


def summarize(
    performances: PerformancesLike,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
) -> Performances:
    """Return one summarized performance per entity, P̄ = Σ λ_d·P_d: draw a domain, then an outcome there.

    Every score of P̄ is X(P̄), as soon as one domain defines it; performances are averaged, never scores. This works
    for every sample space. To shift the share of positives of the population that the weights describe, shift
    afterwards: ``summarize(P).shift_priors(0.1)``. (Summarization, eq. (2)-(5).)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    weights
        The λ_d, ≥ 0 and not all 0, divided by their sum: "equal" (the default), "size" (the number of cases), {domain:
        weight}, "hierarchical" (equal per group, equal inside it), or {group: weight} with ``groups``. Without true
        negatives "size" adds the counts, which is the default where a domain has nothing to be found (see Notes).
    missing
        What to do where an entity lacks a domain: "error" refuses, "complete" compares on the domains that all share,
        "available" summarizes each over those it has.
    groups
        {domain: group}; by default the group is what precedes "/" in the name of a domain.

    Returns
    -------
    Performances
        One performance per entity, without domains.

    Raises
    ------
    DataError
        For missing cells.
    UsageError
        For weights that mean nothing, and for those of a domain that has nothing to be found.

    Warns
    -----
    MissingDomainsWarning
        With "complete" and "available", where cells are missing; and where not all had as much to find on a domain.

    See Also
    --------
    rankscape.rank : averages by itself, with the default weights
    rankscape.domains.mean_of_scores : why not to average scores
    rankscape.Performances.over_domains

    Notes
    -----
    Where true negatives are not known (retrieval, detection, tables of fp, fn and tp), how many outcomes a domain has
    depends on the entity, and dividing by that number would let false positives on one domain raise the recall of the
    average. So each domain is measured per thing to be found: P̄ ∝ Σ λ_d·(fp, fn, tp)_d / (fn + tp)_d. Then the recall
    of P̄ is the weighted mean of the recalls. If nothing is to be found on a domain, these do not exist, and counts are
    added by default (*pooled*).

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> (
    ...     rs.summarize(P).mass.round(3).tolist(),
    ...     rs.summarize(P, {"x": 3, "y": 1}).priors.round(3).tolist(),
    ... )
    ([[0.465, 0.035, 0.11, 0.39]], [0.3])
    """
    return arranged(performances, weights, missing, groups).summary()


@dataclass(frozen=True, eq=False, repr=False)
class MeanOfScores(Result):
    """The mean of the scores over domains, beside the score of the summarized performances.

    Where ``ppv_gap`` is not 0, averaging has broken the bijection of ROC and PR space.

    Attributes
    ----------
    score
        The score.
    names
        The entities.
    values : (n,)
        X(P̄).
    means : (n,)
        Σ λ_d·X(P_d), over the domains that define X.
    undefined : (n,)
        The number of other domains with a positive weight.
    swapped
        The pairs of names that the two rank in opposite order, the better one by X(P̄) first.
    ppv_gap : (n,)
        The mean precision minus the precision that belongs, by that bijection, to the means of TPR, FPR and prior; NaN
        where undefined.
    exact
        Whether the order was decided on integers.

    See Also
    --------
    rankscape.domains.mean_of_scores

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[85, 5, 4, 6], [8, 2, 18, 72]], names=["m", "m"], domains=["x", "y"]
    ... )
    >>> result = rs.domains.mean_of_scores(P, by="f1")
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
        """A phrase with the number of pairs that the two swap, and the score."""
        return f"Mean of scores by {self.score.name}: {len(self.swapped)} pairs swapped"

    @property
    def bijection_broken(self) -> bool:
        """Whether mean precision and mean (FPR, TPR) contradict each other for any entity."""
        return bool((np.nan_to_num(self.ppv_gap) != 0).any())

    def table(self) -> Table:
        """Return one row per entity: entity, summarized, mean, undefined (domains left out of the mean), ppv_gap.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
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
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
    shift_prior: PriorLike | None = None,
) -> MeanOfScores:
    """Compare the score of the summarized performances with the mean of the scores over the domains.

    Ranking scores are compared exactly where performances are counts, others in floating point. (Summarization slides:
    the two procedures on CDnet 2014.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        The score or preference; by default that of :func:`rankscape.rank`.
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    groups
        The group of each domain, {domain: group}, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives to which both are shifted, in which the domains have other weights (see :func:`roles`).

    Returns
    -------
    MeanOfScores
        Both values of each entity, and the pairs that the two rank in opposite order.

    Raises
    ------
    DataError
        For missing cells.

    See Also
    --------
    rankscape.summarize

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72], [80, 10, 2, 8], [5, 5, 30, 60]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m", "n", "n"], domains=["x", "y"] * 2)
    >>> rs.domains.mean_of_scores(P, by="f1").swapped
    ()
    """
    grid = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups).population
    score = as_score(by, grid.performances.space)
    score.check(grid.performances)
    summary = grid.summary()
    exact = grid.exact and score.importance is not None
    if exact:
        ratios = _exact_ratio(score, summary.integers)
        mean, lost = _mean_ratio(*_exact_ratio(score, grid.performances.integers), grid)
        values, means = quotients(*ratios), quotients(*mean)
        order = [ratio_levels(*ratios), ratio_levels(*mean)]
    else:
        values, (means, lost) = score(summary), _mean(score(grid.performances), grid)
        order = [_levels(values), _levels(means)]
    better, other = (-level for level in order) if score.direction == "smaller" else order
    swapped = [
        (grid.entities[i], grid.entities[j])
        for i in np.flatnonzero((order[0] >= 0) & (order[1] >= 0)).tolist()
        for j in np.flatnonzero((better < better[i]) & (other > other[i]) & (order[0] >= 0) & (order[1] >= 0)).tolist()
    ]
    return MeanOfScores(
        score=score,
        names=grid.entities,
        values=values,
        means=means,
        undefined=lost,
        swapped=tuple(swapped),
        ppv_gap=_ppv_gap(grid),
        exact=exact,
    )


def _mean(values: Floats, grid: Grid) -> tuple[Floats, Integers]:
    """Return the weighted mean of what is defined on the domains of an entity, and how many with a weight are not."""
    means, lost = np.full(len(grid.entities), nan), np.zeros(len(grid.entities), dtype=np.int64)
    for e, row in enumerate(grid.rows.tolist()):
        weighed = [(values[r], w) for r, w in zip(row, grid.shares_of(e), strict=True) if r >= 0 and w]
        pairs = [(x, w) for x, w in weighed if x == x]
        lost[e] = len(weighed) - len(pairs)
        total = sum(w for _, w in pairs)
        if total:
            means[e] = fsum(x * float(w / total) for x, w in pairs)
    return means, lost


def _mean_ratio(tops: Exact, bottoms: Exact, grid: Grid) -> tuple[tuple[Exact, Exact], Integers]:
    """Return the same of exact ratios, one per row, again as ratios: (n,) numerators and denominators, 0 for none."""
    n = len(grid.entities)
    shares = integers_of_fractions(np.array([grid.shares_of(e) for e in range(1 if grid.shares is None else n)]))
    top, bottom, total, lost = (np.full(n, start, dtype=object) for start in (0, 1, 0, 0))
    for d, rows in enumerate(grid.rows.T):
        weight = np.where(rows >= 0, shares[:, d], 0)
        weighed = weight != 0
        defined = weighed & (bottoms[rows] != 0)
        below = np.where(defined, bottoms[rows], 1)
        top = top * below + np.where(defined, weight * tops[rows], 0) * bottom
        bottom = bottom * below
        total = total + np.where(defined, weight, 0)
        lost = lost + (weighed & ~defined)
    return (top, bottom * total), lost.astype(np.int64)


def _levels(values: Floats) -> Integers:
    out, defined = np.full(len(values), -1, dtype=np.int64), np.flatnonzero(~np.isnan(values))
    out[defined] = np.unique(values[defined], return_inverse=True)[1].ravel()
    return out


def _exact_ratio(score: Score, integers: Exact) -> tuple[Exact, Exact]:
    """Return what a ranking score is the ratio of, E[I·S] and E[I] up to a factor, in whole numbers."""
    importance = np.array([Fraction(weight) for weight in score.importance or ()], dtype=object)
    earned = importance * [Fraction(worth) for worth in score.space.satisfaction or ()]
    top, bottom = integers_of_fractions(np.concatenate([earned, importance])[None])[0].reshape(2, -1)
    return (integers * top).sum(axis=1), (integers * bottom).sum(axis=1)


def _ppv_gap(grid: Grid) -> Floats:
    """Return mean PPV minus the PPV of the means of TPR, FPR and prior; exactly 0 where they agree exactly."""
    if grid.performances.space.outcomes != TWO_CLASS.outcomes:
        return np.full(len(grid.entities), nan)
    tn, fp, fn, tp = grid.performances.integers.T
    ratios = {"tpr": (tp, tp + fn), "fpr": (fp, fp + tn), "ppv": (tp, tp + fp), "prior": (fn + tp, tn + fp + fn + tp)}
    tpr, fpr, ppv, prior = (_mean_ratio(*ratio, grid)[0] for ratio in ratios.values())
    known = (tpr[1] != 0) & (fpr[1] != 0) & (ppv[1] != 0) & (prior[1] != 0)
    hits = prior[0] * tpr[0] * fpr[1]  # of one case, over the product of the three denominators
    called = hits + (prior[1] - prior[0]) * fpr[0] * tpr[1]
    return quotients(ppv[0] * called - ppv[1] * hits, np.where(known, ppv[1] * called, 0))

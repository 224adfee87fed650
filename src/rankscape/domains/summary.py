"""Summarized performances, and how averaging scores instead would rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, lcm, nan
from typing import Any

import numpy as np

from .._scores import Score, as_score
from ..arrays import Floats, Integers
from ..kernels.exact import integers_of_fractions
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, label, some
from ..typing import Missing, PerformancesLike, ScoreLike, WeightsLike
from .grid import Grid, Prepared, arranged, earned_and_due, prepared

MOST_SWAPPED = 5
"""Pairs of entities that a sentence lists, at most."""


def summarize(
    performances: PerformancesLike,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
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
        weight}, "hierarchical" (equal per group, equal inside it, for domains called group/name), or {group: weight}.
        Without true negatives "size" adds the counts, the default where a domain has nothing to be found (see Notes).
    missing
        What to do where an entity lacks a domain: "error" refuses, "complete" compares on the domains that all share,
        "available" summarizes each over those it has.

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
    return arranged(performances, weights, missing).summary()


@dataclass(frozen=True, eq=False, repr=False)
class MeanOfScores(Result):
    """The mean of the scores over domains, beside the score of the summarized performances.

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
    >>> result.values.round(4).tolist(), result.means.round(4).tolist()
    ([0.8432], [0.7247])
    """

    score: Score
    names: tuple[str, ...]
    values: Floats
    means: Floats
    undefined: Integers
    swapped: tuple[tuple[str, str], ...]
    exact: bool

    @property
    def heading(self) -> str:
        """A phrase with the number of pairs that the two swap, and the score."""
        return f"Mean of scores by {self.score.name}: {len(self.swapped)} pairs swapped"

    def sentences(self) -> list[str]:
        """Return what a reader must know of the mean of the scores: whether it ranks otherwise, and what it leaves out.

        Returns
        -------
        list of str
            The sentences, for a reader.
        """
        symbol, lines = self.score.symbol, []
        if self.swapped:
            pairs = [f"{label(y)} above {label(x)}" for x, y in self.swapped]
            lines.append(
                f"The mean of the {symbol} of the domains tells another story: it swaps "
                f"{counted(len(pairs), 'pair')} (and puts {some(pairs, MOST_SWAPPED, '', joint='; ', word=str)})"
            )
        elif len(self.names) > 1:
            lines.append(f"The mean of the {symbol} of the domains swaps no pair")
        if lost := int(self.undefined.sum()):
            lines.append(
                f"{symbol} is undefined in {counted(lost, 'cell')}, which the mean of the {symbol} leaves out; the "
                "summarized performances count them too"
            )
        return lines

    def table(self) -> Table:
        """Return one row per entity: entity, summarized, mean, undefined (domains left out of the mean).

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
            }
        )


def mean_of_scores(
    performances: PerformancesLike | Prepared,
    by: ScoreLike | None = None,
) -> MeanOfScores:
    """Compare the score of the summarized performances with the mean of the scores over the domains.

    Ranking scores are compared exactly where performances are counts, others in floating point. (Summarization slides:
    the two procedures on CDnet 2014.)

    Parameters
    ----------
    performances
        The performances, or what :func:`prepare` makes of them, with other weights of the domains or at another prior.
    by
        The score or preference; by default that of :func:`rankscape.rank`.

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
    grid = prepared(performances).population
    score = as_score(by, grid.performances.space)
    score.check(grid.performances)
    exact = grid.exact and score.importance is not None
    values = [Fraction(*x) if exact and x else x for x in _values(score, grid.summary(), exact)]
    means, undefined = _means(_values(score, grid.performances, exact), grid)
    levels = [_levels(side) for side in (values, means)]
    better, other = (-level for level in levels) if score.direction == "smaller" else levels
    defined = (levels[0] >= 0) & (levels[1] >= 0)
    swapped = [
        (grid.entities[i], grid.entities[j])
        for i in np.flatnonzero(defined).tolist()
        for j in np.flatnonzero((better < better[i]) & (other > other[i]) & defined).tolist()
    ]
    return MeanOfScores(
        score=score,
        names=grid.entities,
        values=_floats(values),
        means=_floats(means),
        undefined=undefined,
        swapped=tuple(swapped),
        exact=exact,
    )


def _values(score: Score, performances: Performances, exact: bool) -> list[Any]:
    """Return the scores of performances, None where undefined: if exact as ratios of whole numbers, else as floats."""
    if not exact or score.importance is None:
        return [None if x != x else x for x in score(performances).tolist()]
    top, bottom = earned_and_due(score.importance, performances.space)
    tops, bottoms = ((performances.integers * side).sum(axis=1).tolist() for side in (top, bottom))
    return [(x, y) if y else None for x, y in zip(tops, bottoms, strict=True)]


def _means(values: Sequence[Any], grid: Grid) -> tuple[list[Any], Integers]:
    """Return the weighted mean of what is defined on the domains of an entity, and how many with a weight are not."""
    means: list[Any] = []
    undefined = []
    weights_of = np.broadcast_to(integers_of_fractions(grid.lambdas), grid.rows.shape).tolist()
    for row, weights in zip(grid.rows.tolist(), weights_of, strict=True):
        weighed = [(values[r], w) for r, w in zip(row, weights, strict=True) if r >= 0 and w]
        pairs = [(x, w) for x, w in weighed if x is not None]
        undefined.append(len(weighed) - len(pairs))
        total = sum(w for _, w in pairs)
        if pairs and isinstance(pairs[0][0], tuple):
            common = lcm(*(bottom for (_, bottom), _ in pairs))  # much faster than sums of fractions
            means.append(Fraction(sum(top * (common // bottom) * w for (top, bottom), w in pairs), common * total))
        else:
            means.append(fsum(x * float(Fraction(w, total)) for x, w in pairs) if pairs else None)
    return means, np.array(undefined, dtype=np.int64)


def _levels(values: Sequence[Any]) -> Integers:
    """Return the place of each value among the different ones, −1 of None."""
    place = {value: k for k, value in enumerate(sorted({x for x in values if x is not None}))}
    return np.array([-1 if value is None else place[value] for value in values], dtype=np.int64)


def _floats(values: Sequence[Any]) -> Floats:
    return np.array([nan if value is None else float(value) for value in values])

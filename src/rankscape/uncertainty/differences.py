"""Which differences between entities are sure, all of them together: a partial order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .._scores import Score
from ..arrays import rows_in_order
from ..results import MOST_PICTURED, DrawnResult, Table
from ..texts import joined, label, level_text, of_draws
from ..typing import Flags, Floats, Integers


@dataclass(frozen=True, eq=False, repr=False)
class SureDifferences(DrawnResult):
    """The pairs of n entities of which one is surely better than the other, by draws of their performances.

    Parameters
    ----------
    score, names
        What the entities are ranked by, and what they are called.
    ranks, values : (n,)
        The ranks and the scores of the performances seen, NaN where undefined.
    claims : (n, n)
        Whether the row is claimed to be better than the column. All claims hold together in at least the share
        ``level`` of the draws.
    held
        The share of the draws in which all sure differences hold together.
    p_better : (n, n)
        P(row is better than column), NaN where it was not computed.
    level, method, draws, notes
        The share of the draws in which claims must hold together at least, how performances were drawn, how often, and
        where the draws are biased.

    See Also
    --------
    rankscape.uncertainty.RankIntervals
    rankscape.plots.draw_sure_differences

    Notes
    -----
    In a draw in which *a* is better than *b* and *b* better than *c*, *a* is better than *c* too. So whatever follows
    from the claims is as sure as they are together, and ``sure`` holds it. An entity without a score is in no pair.

    Examples
    --------
    >>> import numpy as np
    >>> import rankscape as rs
    >>> claims = np.array([[False, False, True], [False, False, True], [False, False, False]])
    >>> differences = rs.uncertainty.SureDifferences(
    ...     score=rs.score("f1"),
    ...     names=("a", "b", "c"),
    ...     ranks=np.array([1.0, 2.0, 3.0]),
    ...     values=np.array([0.8, 0.7, 0.4]),
    ...     claims=claims,
    ...     p_better=np.where(claims, 0.99, np.nan),
    ...     held=0.98,
    ...     level=0.95,
    ...     method="Jeffreys prior",
    ...     draws=2000,
    ... )
    >>> differences.heading
    'SureDifferences by F_1 score: 2 of 3 differences are sure, together in 98.0 % of 2000 draws; Jeffreys prior'
    >>> differences.table()["worse"], differences.unbeaten
    (['c', 'c'], ('a', 'b'))
    """

    score: Score
    names: tuple[str, ...]
    ranks: Floats
    values: Floats
    claims: Flags = field(repr=False)
    p_better: Floats = field(repr=False)
    held: float
    level: float
    method: str
    draws: int
    notes: tuple[str, ...] = ()

    drawing = "draw_sure_differences"

    @property
    def pictured(self) -> bool:
        """Whether a notebook shows the picture by itself."""
        return len(self.names) <= MOST_PICTURED

    @cached_property
    def sure(self) -> Flags:
        """Whether the row is surely better than the column, (n, n): a strict partial order of the ranked entities."""
        ranked = ~np.isnan(self.ranks)
        return closed(self.claims & ranked & ranked[:, None])

    @cached_property
    def direct(self) -> Flags:
        """Whether a sure difference follows from no two others, (n, n): the lines of the picture."""
        return np.asarray(self.sure & ~_through(self.sure))

    @cached_property
    def order(self) -> Integers:
        """The rows from first to last by the performances seen; of tied ones the one with fewer better ones first.

        Where that does not decide either, names do: the table is the same in any order of the data.
        """
        better, worse = self.sure.sum(axis=0), -self.sure.sum(axis=1)
        return rows_in_order(self.names, worse, better, self.ranks)

    @property
    def pairs(self) -> int:
        """The number of pairs of ranked entities."""
        n = int((~np.isnan(self.ranks)).sum())
        return n * (n - 1) // 2

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """The entities that nothing is surely better than, best first."""
        beaten = self.sure.any(axis=0) | np.isnan(self.ranks)
        return tuple(self.names[row] for row in self.order if not beaten[row])

    def table(self) -> Table:
        """Return one row per sure difference, best first: better, worse, probability, the two values, direct.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        order = self.order
        better, worse = (order[places] for places in np.nonzero(self.sure[np.ix_(order, order)]))
        return Table(
            {
                "better": [self.names[row] for row in better],
                "worse": [self.names[row] for row in worse],
                "probability": self.p_better[better, worse],
                "value_better": self.values[better],
                "value_worse": self.values[worse],
                "direct": self.direct[better, worse],
            }
        )

    @property
    def heading(self) -> str:
        """The score, how many differences are sure, and in how many of the draws they are so together."""
        decided = f"{self.sure.sum()} of {self.pairs} differences are sure"
        together = f"together in {of_draws(self.held, self.draws)}" if self.sure.any() else f"{self.draws} draws"
        return f"SureDifferences by {self.score.name}: {decided}, {together}; {self.method}"

    def summary(self, most: int = 6) -> str:
        """Return in one or two sentences how many pairs are decided, what may be best, and what is worse than the best.

        Parameters
        ----------
        most
            The number of names that stand in a list at most.

        Returns
        -------
        str
            One or two sentences.
        """
        decided, pairs, level = int(self.sure.sum()), self.pairs, level_text(self.level)
        if not pairs:
            return "There is no pair of models to compare."
        if not decided:
            none = "do not settle the only pair" if pairs == 1 else f"settle none of the {pairs} pairs"
            return f"At a level of {level}, the draws {none}: no model is surely better than another."
        best, unbeaten = self.names[self.order[0]], self.unbeaten
        worse = [self.names[row] for row in self.order if self.sure[self.order[0], row]]
        share = f"all {pairs} pairs" if decided == pairs else f"{decided} of the {pairs} pairs"
        held = f"{'it holds' if decided == 1 else 'together they hold'} in {of_draws(self.held, self.draws)}"
        first = f"The draws settle {'the only pair' if pairs == 1 else share} (level {level}): {held}."
        if len(worse) == np.count_nonzero(~np.isnan(self.ranks)) - 1:
            return f"{first} {label(best)} is surely better than every other model."
        behind = f"{joined(worse, most, 'and')} {'are' if len(worse) > 1 else 'is'}" if worse else "none is"
        return (
            f"{first} No model is surely better than {joined(unbeaten, most, 'or')}; {behind} surely worse than "
            f"{label(best)}, which is first on these data."
        )


def closed(claims: Flags) -> Flags:
    """Return the claims and what follows from them, (n, n): a strict partial order."""
    reach = claims
    while True:  # claims that already hold what follows from them take one round
        more = reach | _through(reach)
        if (more == reach).all():
            return np.asarray(reach & ~reach.T)  # claims in a circle cannot hold together: they say nothing
        reach = more


def _through(sure: Flags) -> Flags:
    """Return whether the row is better than something that is better than the column."""
    steps = sure.astype(np.float32)  # products of floats are fast, and no count below 2²⁴ is rounded
    return np.asarray(steps @ steps > 0)

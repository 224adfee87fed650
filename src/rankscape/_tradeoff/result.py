"""The optimal trade-off between two scores: swaps, how many orders they separate, and how good any place between is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from .._scores import Score
from .._scores.score import score_of_importance
from ..distributions import Shares
from ..errors import UsageError
from ..kernels.exact import quotients
from ..ordering import Ranking, rank
from ..outcomes import at
from ..results import Table
from ..typing import Ties
from .betas import odds_of
from .optimum import MOST_DISTINCT, Swaps
from .path import Path, path_of
from .segments import FN, FP, TN, TP


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoff(Swaps):
    """The optimal trade-off between the rankings by two scores, by default precision and recall.

    Between them F_β goes a shortest way: each of the ``n_discordant`` pairs that the ends order differently swaps once,
    at β² = ϑ. Places between are told by β² = b/(1−b) (on a horizontal side of the Tile a/(1−a)), which is β of F_β
    between precision and recall. A β given as a float meets the swaps within its rounding. τ and d_τ count ties as
    agreement: SciPy's τ-b is another number where there are ties.

    >>> from rankscape import Performances
    >>> from rankscape._tradeoff import tradeoff
    >>> P = Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    >>> t = tradeoff(P)
    >>> t.swaps.round(4).tolist(), t.n_rankings, [round(x, 4) for x in t.optimal_set]
    ([0.0556, 0.2222, 0.3519, 0.5556, 0.7222, 1.0], 7, [0.3519, 0.5556])
    >>> round(t.beta, 4), round(t.optimality(beta=1), 4)
    (0.6736, 0.5833)
    """

    # Any place between

    def swaps_passed(self, beta: float | Fraction = 1.0) -> Fraction:
        """Return N, the number of swaps between the end at small β and F_β; those at β itself count half.

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12]]))
        >>> [float(t.swaps_passed(beta)) for beta in (0.5, t.beta, 1)]
        [0.0, 0.5, 1.0]
        """
        low, high = self.segment.crossings(*odds_of(beta))
        return Fraction(self.crossings.before(low) + self.crossings.upto(high), 2)

    def _share(self, beta: Any, of: Callable[[Fraction], Any]) -> Any:
        """Apply a function of N to one β, or to each of many: an array, or a tuple of arrays."""
        if np.size(beta) == 0:
            raise UsageError("beta: expected a number, or an array of at least one")
        if np.ndim(beta) == 0:
            return of(self.swaps_passed(beta.item() if isinstance(beta, np.ndarray) else beta))
        found = np.array(
            [of(self.swaps_passed(one)) for one in np.asarray(beta, dtype=object).ravel()], dtype=np.float64
        )
        shape = np.shape(beta)
        return found.reshape(shape) if found.ndim == 1 else tuple(column.reshape(shape) for column in found.T)

    def _to_ends(self, passed: Fraction) -> tuple[Fraction, Fraction]:
        """Return the numbers of swaps from the first end and to the second."""
        rest = self.n_discordant - passed
        return (rest, passed) if self.segment.reversed else (passed, rest)

    def tau(self, beta: Any = 1.0) -> Any:
        """Return Kendall's τ(first end; F_β) and τ(F_β; second end), for one β or an array; larger is more alike. (7)

        Their sum is 1 + ``tau_ends``.

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> [round(x, 4) for x in t.tau(0.5)]
        [1.0, -1.0]
        """
        return self._share(beta, lambda passed: tuple(map(self._tau, self._to_ends(passed))))

    def distance(self, beta: Any = 1.0) -> Any:
        """Return Kendall's distances d_τ = (1 − τ)/2, the shares of pairs ordered differently, to the two ends. (5)"""
        return self._share(beta, lambda passed: tuple(map(self._part, self._to_ends(passed))))

    def _part(self, pairs: Fraction | int) -> float:
        return float(Fraction(pairs) / self.n_pairs) if self.n_pairs else nan

    def frechet_variance(self, beta: Any = 1.0) -> Any:
        """Return σ² = d_τ²(first end; F_β) + d_τ²(F_β; second end), which the optimum minimizes. (8)"""
        return self._share(beta, self._variance)

    def optimality(self, beta: Any = 1.0) -> Any:
        """Return the degree of optimality 𝒪 = 1 − |N − K/2|/K in [½, 1]; NaN where the ends order all pairs alike.

        The share of the disputed pairs that are ordered as by the optimum, for one β or an array; where swaps coincide,
        nothing may reach 1. (16)

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> round(t.optimality(0.75), 4), t.optimality([0, float("inf")]).tolist()
        (0.8333, [0.5, 0.5])
        """
        return self._share(beta, self._optimality)

    def told(self, passed: Fraction) -> tuple[float, float, float, float]:
        """Return τ with the first and the second end, the Fréchet variance and 𝒪 where so many swaps are passed."""
        first, second = map(self._tau, self._to_ends(passed))
        return first, second, self._variance(passed), self._optimality(passed)

    def _variance(self, passed: Fraction) -> float:
        return sum(self._part(pairs) ** 2 for pairs in self._to_ends(passed))

    def _optimality(self, passed: Fraction) -> float:
        total = self.n_discordant
        return float(1 - abs(passed - Fraction(total, 2)) / total) if total else nan

    def shares(self, beta: Any = 1.0) -> Shares[Any]:
        """Return the shares of pairs on which the ends agree, and of the others, ordered as by the optimum or not."""
        return Shares(*self._share(beta, self._shares))

    def _shares(self, passed: Fraction) -> tuple[float, float, float]:
        total = self.n_discordant
        against = abs(passed - Fraction(total, 2))
        return self._part(self.n_pairs - total), self._part(total - against), self._part(against)

    def curve(self) -> Table:
        """Return the step curves: a row per open interval between swaps and per swap, in β, ascending.

        Columns: from, to (β; equal for a swap), passed (swaps), tau_first, tau_second, variance, optimality.
        """
        from .steps import step_curve

        return step_curve(self)

    @property
    def score(self) -> Score:
        """The ranking score at ``exact_place``, an optimum: what to rank by, exactly.

        Raises UsageError where the ends order all pairs alike.

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> t.score.symbol, t.score(t.performances).round(4).tolist()
        ('F_0.85', [0.6458, 0.6667, 0.6458])
        """
        name = f"F_{self.beta:.3g}" if self.segment.is_f_beta and self.median_is_optimal else ""
        place: Any = self.exact_place
        found = score_of_importance(at(*place), name=name or "the optimal trade-off")
        return replace(found, symbol=name or f"R({float(place[0]):.3g}, {float(place[1]):.3g})")

    def ranking(self, ties: Ties = "min") -> Ranking:
        """Return the ranking by ``score``, as :func:`rankscape.rank` does; raises UsageError where that does.

        Where the optimum is a swap, the entities that swap there are tied.

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> t.ranking().ranks.tolist()
        [2.0, 1.0, 2.0]
        """
        return rank(self.performances, by=self.score, ties=ties)

    def compare(self, quantile: float | None = None) -> Table:
        """Return what one could rank by between the ends, ascending: τ with both ends, and the degree of optimality.

        Columns: score, beta, a, b, tau_first, tau_second, optimality. The rows are the ends, the optimum, the median of
        the swaps where it is not optimal, the heuristic, and, between precision and recall, F1 and SIVF; ``quantile``
        adds the one that goes that share of the way.

        >>> from rankscape import Performances
        >>> from rankscape._tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> t.compare()["score"]
        ['PPV', 'optimum', 'F1', 'heuristic', 'SIVF', 'TPR']
        """
        from .summary import compare

        return compare(self, quantile)

    def path(self, ties: str = "min") -> Path:
        """Return the rankings between the ends, in the order of β, and their principal components.

        ``ties`` is "min" or "average" (mid-ranks), for entities that are equal on a whole interval.
        """
        self._refuse_more_than(MOST_DISTINCT)
        return path_of(self.placed, [t for t, _ in self.crossings.distinct()], self.segment, ties)

    # What one would use without knowing the swaps

    @property
    def heuristic_beta(self) -> float:
        """The heuristic β² = E[PFP]/E[PFN] of (22); on a horizontal of the Tile, by its symmetries, E[PTN]/E[PTP].

        NaN where both are 0, and along a diagonal, where the paper has none.
        """
        if self.segment.kind not in ("vertical", "horizontal"):
            return nan
        first, second = (FP, FN) if self.segment.kind == "vertical" else (TN, TP)
        counts = self.performances.counts
        mass: Any = self.performances.mass[self.rows]
        if counts is not None and len(set(counts[self.rows].sum(axis=1).tolist())) == 1:
            mass = counts[self.rows]  # the same, without rounding
        top, bottom = mass[:, first].sum(), mass[:, second].sum()
        if bottom == 0:
            return nan if top == 0 else inf
        return sqrt(top / bottom)

    @property
    def sivf_beta(self) -> float:
        """The β of which F_β orders as SIVF, √(π₋/π₊); NaN where priors differ or the ends are others. (A.1.5)

        ∞ where there are no true negatives: SIVF orders as recall then. (4.2)
        """
        if not (self.segment.kind == "vertical" and self.segment.fixed == 1):
            return nan
        if not self.performances.mass[self.rows, TN].any():
            return inf
        if self.performances.common_prior() is None:
            return nan
        tn, fp, fn, tp = self.performances[self.rows[:1]].integers[0]
        return sqrt(quotients(np.array([tn + fp]), np.array([fn + tp]))[0]) if fn + tp else nan

    # In words and tables

    def summary(self) -> str:
        """Return what the trade-off is, in sentences."""
        from .summary import summary

        return summary(self)

    def table(self) -> Table:
        """Return the figures in one row."""
        from .summary import figures

        return Table({name: [value] for name, value in figures(self).items()})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the four panels of the trade-off; the options are those of :func:`rankscape.plots.draw_tradeoff`."""
        from ..plots import draw_tradeoff

        return draw_tradeoff(self, ax, **options)

    def __repr__(self) -> str:
        first, second = self.ends
        return f"<Tradeoff between {first} and {second}: {self.n} entities, {self.n_discordant} swaps>"

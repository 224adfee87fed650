"""The optimal trade-off between two scores: swaps, how many orders they separate, and how good any place between is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isinf, isnan, nan, nextafter, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..distributions import Shares
from ..errors import UsageError
from ..kernels.crossings import Crossings
from ..performances import Performances
from ..tables import Table
from .path import Path, path_of
from .segments import FN, FP, TN, TP, Placed, Segment

Floats = NDArray[np.float64]
MOST_LISTED = 20_000_000
MOST_DISTINCT = 2_000_000
"""Swaps that are listed, and that are told apart exactly: more do not fit into memory, or into a patient minute."""


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoff:
    """The optimal trade-off between the rankings by two scores, by default precision and recall.

    Between them F_β goes a shortest way: each of the ``n_discordant`` pairs that the ends order differently swaps once,
    at β² = ϑ. Places between are told by β² = b/(1−b) (on a horizontal side of the Tile a/(1−a)), which is β of F_β
    between precision and recall. A β given as a float meets the swaps within its rounding.

    >>> from rankscape import Performances
    >>> from rankscape.tradeoff import tradeoff
    >>> P = Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    >>> t = tradeoff(P)
    >>> t.swaps.round(4).tolist(), t.n_rankings, [round(x, 4) for x in t.optimal_set]
    ([0.0556, 0.2222, 0.3519, 0.5556, 0.7222, 1.0], 7, [0.3519, 0.5556])
    >>> round(t.beta, 4), round(t.optimality(beta=1), 4)
    (0.6736, 0.5833)
    """

    performances: Performances
    segment: Segment
    placed: Placed = field(repr=False)
    crossings: Crossings = field(repr=False)
    notes: tuple[str, ...] = ()

    # What is counted

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities, undefined ones left out."""
        return tuple(self.performances.names[row] for row in self._rows)

    @property
    def _rows(self) -> NDArray[np.int64]:
        return np.sort(np.concatenate([self.placed.rows, self.placed.constant]))

    @property
    def ends(self) -> tuple[str, str]:
        """The symbols of the two scores."""
        return self.segment.names

    @property
    def n(self) -> int:
        """The number of entities that have a value between the ends."""
        return len(self.placed.rows) + len(self.placed.constant)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of entities, n(n−1)/2."""
        return self.n * (self.n - 1) // 2

    @property
    def n_discordant(self) -> int:
        """The number K of pairs that the two ends order strictly differently: ties are none. (Erratum to (12).)"""
        return self.crossings.total

    @property
    def tau_ends(self) -> float:
        """Kendall's τ of the two ends, 1 − 2K/(n(n−1)/2): ties count as agreement, as in the paper. (5)"""
        return self._tau(self.n_discordant)

    # The optimum

    @cached_property
    def _middle(self) -> tuple[Fraction, Fraction]:
        """The two middle swaps, as t; the same one where their number is odd."""
        k = self.n_discordant
        return self.crossings.kth((k + 1) // 2).place, self.crossings.kth(k // 2 + 1).place

    @property
    def beta_squared(self) -> float:
        """The median of the swaps, the paper's optimum, also where ties put it beside ``optimal_set``. (12)

        NaN where the ends order all pairs alike: then every place between them is optimal.
        """
        if not self.n_discordant:
            return nan
        return float(np.median([self._odds(t) for t in self._middle]))

    @property
    def beta(self) -> float:
        """√``beta_squared``: between precision and recall the β of the optimal F_β. (12)"""
        return sqrt(self.beta_squared)

    @property
    def place(self) -> tuple[float, float]:
        """The place (a, b) of the optimum on the Tile, that of ``beta_squared``."""
        return self.place_of(self.beta)

    def place_of(self, beta: float) -> tuple[float, float]:
        """Return the place (a, b) of a β on the Tile; NaN for NaN."""
        if isnan(beta):
            return nan, nan
        a, b = self.segment.place(None if isinf(beta) else Fraction(beta) ** 2)
        return float(a), float(b)

    @cached_property
    def _optimum(self) -> tuple[Fraction | None, Fraction | None, tuple[bool, bool]]:
        """Where |2N − K| is smallest: a swap, an interval between two, or both (None: the end of the segment)."""
        total = self.n_discordant
        if total == 0:
            return None, None, (True, True)
        low, high = self._middle
        if low != high:
            return low, high, (False, False)
        here = self.crossings.kth((total + 1) // 2)
        before, after = total - 2 * here.before, 2 * here.upto - total  # |2N − K| just before and just after
        at, beside = abs(after - before) / 2, min(before, after)
        if at < beside:
            return low, low, (True, True)
        if before <= after:
            return self.crossings.kth(here.before).place, low, (False, at == beside)
        return low, self.crossings.kth(here.upto + 1).place, (at == beside, False)

    @property
    def optimal_set(self) -> tuple[float, float]:
        """All optimal β², from the smallest to the largest: a point where both are equal, or an interval.

        They minimize the Fréchet variance over all swaps *and* the open intervals between them, with multiplicities.
        """
        low, high = self.exact_optimal_set
        limits = self.limits
        return limits[0] if low is None else float(low), limits[1] if high is None else float(high)

    @property
    def exact_optimal_set(self) -> tuple[Fraction | None, Fraction | None]:
        """``optimal_set`` as fractions; None stands for the end of the segment."""
        low, high, _ = self._optimum
        return None if low is None else self._exact_odds(low), None if high is None else self._exact_odds(high)

    @property
    def optimal_set_closed(self) -> tuple[bool, bool]:
        """Whether the smallest and the largest of ``optimal_set`` are optimal themselves."""
        return self._optimum[2]

    @property
    def limits(self) -> tuple[float, float]:
        """The β² of the two ends, the smaller first: 0 and ∞ between opposite sides of the Tile."""
        low, high = self.segment.low, self.segment.high
        return float(low / (1 - low)), inf if high == 1 else float(high / (1 - high))

    # All the swaps

    @cached_property
    def swaps(self) -> Floats:
        """All swaps ϑ, sorted, with their multiplicity, correctly rounded. (11), (36)

        Raises UsageError where there are more than 20 million: ``quantile`` and ``optimality`` do without a list.
        """
        self._refuse_more_than(MOST_LISTED)
        swaps = self.crossings.every()
        if self.segment.whole:
            return swaps
        return np.array([self._odds(t) for t, size in self.crossings.distinct() for _ in range(size)])

    @cached_property
    def exact_swaps(self) -> tuple[tuple[Fraction, int], ...]:
        """The distinct swaps as fractions, ascending, each with its multiplicity."""
        self._refuse_more_than(MOST_DISTINCT)
        return tuple((self._exact_odds(t), size) for t, size in self.crossings.distinct())

    @property
    def n_rankings(self) -> int:
        """The number of rankings between the ends, on open intervals: distinct swaps + 1.

        The paper counts ``n_discordant`` + 1, as if no two swaps coincided.
        """
        return len(self.exact_swaps) + 1

    def _refuse_more_than(self, most: int) -> None:
        if self.n_discordant > most:
            raise UsageError(
                f"there are {self.n_discordant} swaps, more than the {most} that are listed: "
                "quantile(), tau() and optimality() need no list"
            )

    @property
    def copies(self) -> tuple[float, float]:
        """The β below which the order is that of the end at small β, and beyond which it is that of the other one."""
        if not self.n_discordant:
            low, high = self.limits
            return sqrt(high), sqrt(low)
        first, last = (self.crossings.kth(k).place for k in (1, self.n_discordant))
        return sqrt(self._odds(first)), sqrt(self._odds(last))

    def quantile(self, q: float) -> float:
        """Return the β that goes the share q of the way from the first end to the second; ½ is balanced. (A.2.2)

        Of the swaps and the two ends, as b = β²/(1+β²), the q-quantile, linear between neighbors.

        >>> from rankscape import Performances
        >>> from rankscape.tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> [round(t.quantile(q), 4) for q in (0, 0.25, 0.5, 1)]
        [0.0, 0.7454, 0.8498, inf]
        """
        if not 0 <= q <= 1:
            raise UsageError(f"a quantile lies in [0, 1]; got {q}")
        share = Fraction(q)
        at = (1 - share if self.segment.reversed else share) * (self.n_discordant + 1)
        below, part = int(at), at - int(at)
        x = self._coordinate(below)
        if part:
            x += part * (self._coordinate(below + 1) - x)
        return inf if x == 1 else sqrt(x / (1 - x))

    def _coordinate(self, k: int) -> Fraction:
        """Return the coordinate of the k-th swap; those of the ends are before and after all."""
        if k == 0:
            return self.segment.low
        return self.segment.high if k > self.n_discordant else self.segment.coordinate(self.crossings.kth(k).place)

    # Any place between

    def passed(self, beta: float | Fraction = 1.0) -> Fraction:
        """Return N, the number of swaps between the end at small β and F_β; those at β itself count half.

        >>> from rankscape import Performances
        >>> from rankscape.tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12]]))
        >>> [float(t.passed(beta)) for beta in (0.5, t.beta, 1)]
        [0.0, 0.5, 1.0]
        """
        low, high = (self.segment.crossing(odds) for odds in _odds_of(beta))
        return Fraction(self.crossings.before(low) + self.crossings.upto(high), 2)

    def _share(self, beta: Any, of: Callable[[Fraction], Any]) -> Any:
        """Apply a function of N to one β, or to each of many: an array, or a tuple of arrays."""
        if np.ndim(beta) == 0:
            return of(self.passed(beta))
        found = np.array([of(self.passed(one)) for one in np.asarray(beta, dtype=object).ravel()], dtype=np.float64)
        shape = np.shape(beta)
        return found.reshape(shape) if found.ndim == 1 else tuple(column.reshape(shape) for column in found.T)

    def _tau(self, swapped: Fraction | int) -> float:
        return 1 - 2 * float(Fraction(swapped) / self.n_pairs) if self.n_pairs else nan

    def _to_ends(self, passed: Fraction) -> tuple[Fraction, Fraction]:
        """Return the numbers of swaps from the first end and to the second."""
        rest = self.n_discordant - passed
        return (rest, passed) if self.segment.reversed else (passed, rest)

    def tau(self, beta: Any = 1.0) -> Any:
        """Return Kendall's τ(first end; F_β) and τ(F_β; second end), for one β or an array; larger is more alike. (7)

        Their sum is 1 + ``tau_ends``.

        >>> from rankscape import Performances
        >>> from rankscape.tradeoff import tradeoff
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
        return self._share(beta, lambda passed: sum(self._part(pairs) ** 2 for pairs in self._to_ends(passed)))

    def optimality(self, beta: Any = 1.0) -> Any:
        """Return the degree of optimality 𝒪 = 1 − |N − K/2|/K in [½, 1]; NaN where the ends order all pairs alike.

        The share of the disputed pairs that are ordered as by the optimum, for one β or an array. (16)

        >>> from rankscape import Performances
        >>> from rankscape.tradeoff import tradeoff
        >>> t = tradeoff(Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
        >>> round(t.optimality(0.75), 4), t.optimality([0, float("inf")]).tolist()
        (0.8333, [0.5, 0.5])
        """
        return self._share(beta, lambda passed: self._optimality(passed))

    def _optimality(self, passed: Fraction) -> float:
        total = self.n_discordant
        return float(1 - abs(passed - Fraction(total, 2)) / total) if total else nan

    def shares(self, beta: float | Fraction = 1.0) -> Shares[float]:
        """Return the shares of pairs on which the ends agree, and of the others, ordered as by the optimum or not."""
        total = self.n_discordant
        against = abs(self.passed(beta) - Fraction(total, 2))
        return Shares(self._part(self.n_pairs - total), self._part(total - against), self._part(against))

    def curve(self) -> Table:
        """Return the step curves: a row per open interval between swaps and per swap, in β.

        Columns: from, to (β; equal for a swap), swaps passed, tau_first, tau_second, variance, optimality.
        """
        rows: list[tuple[float, float, Fraction]] = []
        passed, at = Fraction(0), sqrt(self.limits[0])
        for odds, size in self.exact_swaps:
            beta = sqrt(odds)
            rows += [(at, beta, passed), (beta, beta, passed + Fraction(size, 2))]
            passed, at = passed + size, beta
        rows.append((at, sqrt(self.limits[1]), passed))
        taus = [tuple(map(self._tau, self._to_ends(n))) for _, _, n in rows]
        return Table(
            {
                "from": [low for low, _, _ in rows],
                "to": [high for _, high, _ in rows],
                "passed": [float(n) for _, _, n in rows],
                "tau_first": [first for first, _ in taus],
                "tau_second": [second for _, second in taus],
                "variance": [sum(self._part(p) ** 2 for p in self._to_ends(n)) for _, _, n in rows],
                "optimality": [self._optimality(n) for _, _, n in rows],
            }
        )

    def path(self, ties: str = "min") -> Path:
        """Return the rankings on the way from the first end to the second, and their principal components.

        ``ties`` is "min" or "average" (mid-ranks), for entities that are equal on a whole interval.
        """
        self._refuse_more_than(MOST_DISTINCT)
        return path_of(self.placed, [t for t, _ in self.crossings.distinct()], self._odds, self.segment, ties)

    # What one would use without knowing the swaps

    @property
    def heuristic_beta(self) -> float:
        """The heuristic β² = E[PFP]/E[PFN] of (22); on a horizontal of the Tile, by its symmetries, E[PTN]/E[PTP].

        NaN where both are 0, and along a diagonal, where the paper has none.
        """
        if self.segment.kind not in ("vertical", "horizontal"):
            return nan
        first, second = (FP, FN) if self.segment.kind == "vertical" else (TN, TP)
        mass = self.performances.mass[self._rows]
        top, bottom = mass[:, first].sum(), mass[:, second].sum()
        if bottom == 0:
            return nan if top == 0 else inf
        return sqrt(top / bottom)

    @property
    def sivf_beta(self) -> float:
        """The β of which F_β orders as SIVF, √(π₋/π₊); NaN where priors differ or the ends are others. (A.1.5)"""
        prior = self.performances.common_prior()
        between = self.segment.kind == "vertical" and self.segment.fixed == 1
        return sqrt((1 - prior) / prior) if between and prior else nan

    # In words and tables

    def _exact_odds(self, t: Fraction) -> Fraction:
        x = self.segment.coordinate(t)
        return x / (1 - x)

    def _odds(self, t: Fraction) -> float:
        return float(self._exact_odds(t))

    def summary(self) -> str:
        """Return what the trade-off is, in sentences."""
        from .words import summary

        return summary(self)

    def table(self) -> Table:
        """Return the figures in one row."""
        from .words import row

        return Table({name: [value] for name, value in row(self).items()})

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


def _odds_of(beta: float | Fraction) -> tuple[Fraction | None, Fraction | None]:
    """Return the smallest and the largest β² that a float stands for, those of its neighbors; None is ∞.

    The float next to √ϑ need not be the root of the float next to ϑ, but is beside it.
    """
    if isinstance(beta, (int, np.integer, Fraction)):
        exact = Fraction(int(beta) if isinstance(beta, np.integer) else beta)
        if exact < 0:
            raise UsageError(f"beta must lie in [0, ∞]; got {beta}")
        return exact**2, exact**2
    number = float(beta)
    if not number >= 0:
        raise UsageError(f"beta must lie in [0, ∞]; got {beta}")
    if isinf(number):
        return None, None
    if number == 0:
        return Fraction(0), Fraction(0)
    low, high = nextafter(number, 0), nextafter(number, inf)
    return Fraction(low) ** 2, None if isinf(high) else Fraction(high) ** 2

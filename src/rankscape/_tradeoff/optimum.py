"""The swaps between two scores, and where the optimum lies among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isinf, isnan, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..kernels.crossings import Crossings
from ..kernels.exact import quotients
from ..performances import Performances
from ..typing import Floats, Integers, Number
from .betas import as_float, inside, odds_of, root
from .segments import Placed, Segment

MOST_LISTED = 20_000_000
MOST_DISTINCT = 2_000_000
"""Swaps that are listed, and that are separated exactly; more need too much memory, or more than a minute."""


@dataclass(frozen=True)
class _Optimum:
    """The optimal set as places of crossings, whether its ends belong to it, and the optimum that is reported.

    ``passed`` is N there (where it is a swap, half of its pairs count), ``with_median`` whether it is the median.
    """

    low: Fraction
    high: Fraction
    closed: tuple[bool, bool]
    passed: Fraction
    with_median: bool


@dataclass(frozen=True, eq=False, repr=False)
class Swaps:
    """The part of a :class:`Tradeoff` that is about its swaps: how many there are, and which is in the middle."""

    performances: Performances
    segment: Segment
    placed: Placed = field(repr=False)
    crossings: Crossings = field(repr=False)
    notes: tuple[str, ...] = ()
    merged: tuple[Performances, Integers] | None = field(default=None, repr=False)

    # What is counted

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities, undefined ones left out."""
        return tuple(self.performances.names[row] for row in self.rows)

    @property
    def rows(self) -> Integers:
        """The rows of the performances that have a value between the ends, ascending."""
        return np.sort(np.concatenate([self.placed.rows, self.placed.constant]))

    @property
    def members(self) -> tuple[Performances, Integers]:
        """The entities that have a value, and how many count as one with each: more than 1 where some are merged."""
        return self.merged or (self.performances[self.rows], np.ones(self.n, dtype=np.int64))

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
        """The number K of pairs that the ends order strictly differently: ties are none. (See the errata on (12).)"""
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
    def median_beta(self) -> float:
        """The β of the median of all swaps, the number of (12); NaN where the ends order all pairs alike.

        It is optimal where no two swaps coincide. Where some do, ``beta`` may be another number.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[0, 0, 4, 6], [0, 0, 6, 6], [0, 2, 3, 6], [0, 4, 0, 6]])
        >>> round(t.median_beta**2, 4), t.median_is_optimal, round(t.beta_squared, 4)
        (0.6667, False, 0.8182)
        """
        if not self.n_discordant:
            return nan
        square = self._median_of_floats
        return sqrt(square) if square < inf else root(self._exact_median)  # a swap that no float holds

    @property
    def _median_of_floats(self) -> float:
        return float(np.median([as_float(self.odds_at(t)) for t in self._middle]))

    @property
    def _exact_median(self) -> Fraction:
        low, high = map(self.odds_at, self._middle)
        return (low + high) / 2

    @property
    def median_is_optimal(self) -> bool:
        """Whether the median of the swaps is in the optimal set, exactly: it is where no two swaps coincide."""
        return self.n_discordant > 0 and self._optimum.with_median

    @property
    def beta_squared(self) -> float:
        """An optimal β², of ``optimal_set``: the median of the swaps where it is optimal, else that of ``exact_place``.

        NaN where the ends order all pairs alike: then every place between them is optimal. Where the optimum is an
        interval that holds a float, ``beta_squared`` is in it, and so are ``beta`` and ``place``. (12)
        """
        if not self.n_discordant:
            return nan
        return self._inside(self._median_of_floats if self.median_is_optimal else as_float(self.exact_odds))

    @property
    def beta(self) -> float:
        """√``beta_squared``: between precision and recall the β of an optimal F_β. (12)"""
        if not self.n_discordant:
            return nan
        square = self.beta_squared
        return self._inside(sqrt(square) if square < inf else root(self.exact_odds), power=2)

    def _inside(self, near: float, power: int = 1) -> float:
        """Return a float near the optimum, inside the optimal interval if any is; near itself where this is a swap."""
        low, high = self._interval
        return inside(near, low, high, power) if low < self.exact_odds < high else near

    @property
    def exact_odds(self) -> Fraction:
        """The β² of ``exact_place``; raises UsageError where the ends order all pairs alike."""
        if not self.n_discordant:
            raise UsageError(f"{' and '.join(self.ends)} order all pairs alike: rank by either of them")
        return self._exact_median if self.median_is_optimal else inner_odds(self._interval)

    @property
    def exact_place(self) -> tuple[Fraction, Fraction]:
        """An optimal place (a, b) as fractions: of the median of the swaps, or, where ties put it beside, in the set.

        Raises UsageError where the ends order all pairs alike.
        """
        return self.segment.place(self.exact_odds)

    @property
    def place(self) -> tuple[float, float]:
        """``exact_place`` as floats: an optimal place (a, b) on the Tile; NaN where the ends order all pairs alike."""
        if not self.n_discordant:
            return nan, nan
        places = zip(*map(self.segment.place, (self.exact_odds, *self._interval)), strict=True)
        a, b = (inside(float(x), *sorted(ends)) if x not in ends else float(x) for x, *ends in places)
        return a, b

    def place_of(self, beta: float) -> tuple[float, float]:
        """Return the place (a, b) of a β on the Tile; NaN for NaN."""
        if isnan(beta):
            return nan, nan
        odds_of(beta)  # refuses what is none
        a, b = self.segment.place(None if isinf(beta) else Fraction(beta) ** 2)
        return float(a), float(b)

    @cached_property
    def _optimum(self) -> _Optimum:
        """Where |2N − K| is smallest: a swap, an interval between two, or both. There must be a swap.

        N is never farther than halfway between two neighbors: at most one swap and one interval beside it are optimal.
        """
        total = self.n_discordant
        low, high = self._middle
        if low != high:
            return _Optimum(low, high, (False, False), Fraction(total, 2), with_median=True)
        here = self.crossings.kth((total + 1) // 2)
        before, after = total - 2 * here.before, 2 * here.upto - total  # |2N − K| just before and just after
        at, beside = abs(after - before) / 2, min(before, after)
        half, median = Fraction(here.before + here.upto, 2), at <= beside
        if at < beside:
            return _Optimum(low, low, (True, True), half, median)
        if before <= after:
            start = self.crossings.kth(here.before).place
            return _Optimum(start, low, (False, median), half if median else Fraction(here.before), median)
        stop = self.crossings.kth(here.upto + 1).place
        return _Optimum(low, stop, (median, False), half if median else Fraction(here.upto), median)

    @property
    def passed_by_optimum(self) -> Fraction:
        """N*, the number of swaps passed at the optimum, those at it counting half; K/2 where no swaps coincide."""
        return self._optimum.passed if self.n_discordant else Fraction(0)

    @property
    def _interval(self) -> tuple[Fraction, Fraction]:
        """The ends of the optimal set as β²; there must be a swap."""
        return self.odds_at(self._optimum.low), self.odds_at(self._optimum.high)

    @property
    def optimal_set(self) -> tuple[float, float]:
        """All optimal β², from the smallest to the largest: a point where both are equal, or an interval.

        They minimize the Fréchet variance over all swaps *and* the open intervals between them, with multiplicities.
        """
        low, high = self.exact_optimal_set
        limits = self.limits
        return limits[0] if low is None else as_float(low), limits[1] if high is None else as_float(high)

    @property
    def exact_optimal_set(self) -> tuple[Fraction | None, Fraction | None]:
        """``optimal_set`` as fractions; None stands for the end of the segment: all is optimal without a swap."""
        return self._interval if self.n_discordant else (None, None)

    @property
    def optimal_set_closed(self) -> tuple[bool, bool]:
        """Whether the smallest and the largest of ``optimal_set`` are optimal themselves."""
        return self._optimum.closed if self.n_discordant else (True, True)

    @property
    def limits(self) -> tuple[float, float]:
        """The β² of the two ends, the smaller first: 0 and ∞ between opposite sides of the Tile."""
        low, high = self.segment.limits
        return as_float(low), as_float(high)

    # All the swaps

    @cached_property
    def swaps(self) -> Floats:
        """All swaps ϑ, sorted, with their multiplicity, correctly rounded. (11), (36)

        Raises UsageError where there are more than 20 million (2 million on a part of a side): ``quantile`` and
        ``optimality`` do without a list.
        """
        self._refuse_more_than(MOST_LISTED if self.segment.whole else MOST_DISTINCT)
        if self.segment.whole:
            return self.crossings.every()
        return np.sort(quotients(*self.segment.odds(*self.crossings.every_ratio())))

    @cached_property
    def exact_swaps(self) -> tuple[tuple[Fraction, int], ...]:
        """The distinct swaps as fractions, ascending, each with its multiplicity."""
        self._refuse_more_than(MOST_DISTINCT)
        return tuple((self.odds_at(t), size) for t, size in self.crossings.distinct())

    @property
    def n_rankings(self) -> int:
        """The number of rankings between the ends, on open intervals: distinct swaps + 1.

        The paper counts ``n_discordant`` + 1, as if no two swaps coincided.
        """
        self._refuse_more_than(MOST_DISTINCT)
        return self.crossings.n_distinct() + 1

    def _refuse_more_than(self, most: int) -> None:
        if self.n_discordant > most:
            raise UsageError(
                f"there are {self.n_discordant} swaps, more than the {most} that are listed: "
                "quantile(), tau() and optimality() need no list"
            )

    @property
    def first_and_last_swap(self) -> tuple[float, float]:
        """The β of the first and the last swap: F_β copies one end below, the other one beyond; NaN without swaps."""
        if not self.n_discordant:
            return nan, nan
        first, last = (self.crossings.kth(k).place for k in (1, self.n_discordant))
        return root(self.odds_at(first)), root(self.odds_at(last))

    def quantile(self, q: Number | ArrayLike) -> Any:
        """Return the β that goes the share q of the way from the first end to the second; ½ is balanced. (A.2.2)

        Of the swaps and the two ends, as b = β²/(1+β²), the q-quantile, linear in b between neighbors; so at ½ it is
        between the same two swaps as ``median_beta``, which is in the middle of their β², but need not be equal. An
        array of shares gives an array. Raises UsageError outside [0, 1].

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.quantile([0, 0.25, 0.5, 1]).round(4).tolist()
        [0.0, 0.7454, 0.8498, inf]
        """
        shares = np.asarray(q, dtype=object)
        if shares.ndim:
            return np.array([self.quantile(one) for one in shares.ravel()], dtype=np.float64).reshape(shares.shape)
        if not isinstance(q, (int, float, Fraction, np.number)) or not 0 <= q <= 1:
            raise UsageError(f"a quantile lies in [0, 1]; got {q!r}")
        share = Fraction(q.item() if isinstance(q, np.number) else q)
        at = (1 - share if self.segment.reversed else share) * (self.n_discordant + 1)
        below, part = int(at), at - int(at)
        x = self._coordinate(below)
        x += part * (self._coordinate(below + 1) - x) if part else 0
        return inf if x == 1 else root(x / (1 - x))

    def _coordinate(self, k: int) -> Fraction:
        """Return the coordinate of the k-th swap; those of the ends are before and after all."""
        if k == 0:
            return self.segment.low
        return self.segment.high if k > self.n_discordant else self.segment.coordinate(self.crossings.kth(k).place)

    def _tau(self, swapped: Fraction | int) -> float:
        return 1 - 2 * float(Fraction(swapped) / self.n_pairs) if self.n_pairs else nan

    def odds_at(self, t: Fraction) -> Fraction:
        """Return the β² where two lines cross at t."""
        if self.segment.whole:
            return t
        x = self.segment.coordinate(t)
        return x / (1 - x)


def inner_odds(optimal_set: tuple[Fraction, Fraction]) -> Fraction:
    """Return the β² in the middle of an exact optimal set, on the scale of b.

    >>> inner_odds((Fraction(1), Fraction(3)))
    Fraction(5, 3)
    """
    x = sum((odds / (1 + odds) for odds in optimal_set), Fraction(0)) / 2
    return x / (1 - x)

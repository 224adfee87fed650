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
from .betas import as_float, odds_of, root
from .segments import Placed, Segment

MOST_LISTED = 20_000_000
MOST_DISTINCT = 2_000_000
"""Swaps that are listed, and that are separated exactly; more need too much memory, or more than a minute."""


@dataclass(frozen=True, eq=False, repr=False)
class Swaps:
    """The part of a :class:`Tradeoff` that is about its swaps: how many there are, and which is in the middle."""

    performances: Performances
    segment: Segment
    placed: Placed = field(repr=False)
    crossings: Crossings = field(repr=False)
    notes: tuple[str, ...] = ()

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
    def beta_squared(self) -> float:
        """The median of the swaps, the paper's optimum, also where ties put it beside ``optimal_set``. (12)

        NaN where the ends order all pairs alike: then every place between them is optimal.
        """
        if not self.n_discordant:
            return nan
        return float(np.median([as_float(self.odds_at(t)) for t in self._middle]))

    @property
    def beta(self) -> float:
        """√``beta_squared``: between precision and recall the β of the optimal F_β. (12)"""
        if self.beta_squared < inf or not self.n_discordant:
            return sqrt(self.beta_squared)
        low, high = map(self.odds_at, self._middle)
        return root((low + high) / 2)  # a swap that no float holds

    @property
    def place(self) -> tuple[float, float]:
        """The place (a, b) of the optimum on the Tile, that of ``beta_squared``."""
        return self.place_of(self.beta)

    @property
    def exact_place(self) -> tuple[Fraction, Fraction]:
        """An optimal place (a, b) as fractions: of the median of the swaps, or, where ties put it beside, in the set.

        Raises UsageError where the ends order all pairs alike.
        """
        if not self.n_discordant:
            raise UsageError(f"{' and '.join(self.ends)} order all pairs alike: rank by either of them")
        if self.median_is_optimal:
            low, high = map(self.odds_at, self._middle)
            return self.segment.place((low + high) / 2)
        return self.segment.place(inner_odds(self.exact_optimal_set, self.segment))

    def place_of(self, beta: float) -> tuple[float, float]:
        """Return the place (a, b) of a β on the Tile; NaN for NaN."""
        if isnan(beta):
            return nan, nan
        odds_of(beta)  # refuses what is none
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
        return limits[0] if low is None else as_float(low), limits[1] if high is None else as_float(high)

    @property
    def exact_optimal_set(self) -> tuple[Fraction | None, Fraction | None]:
        """``optimal_set`` as fractions; None stands for the end of the segment."""
        low, high, _ = self._optimum
        return None if low is None else self.odds_at(low), None if high is None else self.odds_at(high)

    @property
    def optimal_set_closed(self) -> tuple[bool, bool]:
        """Whether the smallest and the largest of ``optimal_set`` are optimal themselves."""
        return self._optimum[2]

    @property
    def median_is_optimal(self) -> bool:
        """Whether ``beta_squared``, the median of the swaps, is in the optimal set: it is where no swaps coincide."""
        (low, high), closed, at = self.optimal_set, self.optimal_set_closed, self.beta_squared
        return bool(low < at < high or (at == low and closed[0]) or (at == high and closed[1]))

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
        between the same two swaps as ``beta``, which is in the middle of their β², but need not be equal. An array of
        shares gives an array. Raises UsageError outside [0, 1].

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


def inner_odds(optimal_set: tuple[Fraction | None, Fraction | None], segment: Segment) -> Fraction | None:
    """Return the β² in the middle of an exact optimal set, on the scale of b; None is ∞."""
    ends = zip(optimal_set, (segment.low, segment.high), strict=True)
    x = sum((end if odds is None else odds / (1 + odds) for odds, end in ends), Fraction(0)) / 2
    return None if x == 1 else x / (1 - x)

"""The optimal trade-off between two scores: the score in the middle, what else could be chosen, and the rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property, wraps
from math import fsum, inf, isinf, isnan, nan, nextafter, sqrt
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from .._scores import Score
from .._scores.score import score_of_importance
from ..arrays import mean_of
from ..distributions import Shares
from ..errors import UsageError
from ..kernels.crossings import START, Crossings
from ..kernels.exact import quotients
from ..ordering import Ranking, rank
from ..outcomes import RIGHT_SIDE, at
from ..performances import Performances
from ..results import MOST_PICTURED, DrawnResult, Result, Table
from ..texts import counted, percent
from ..typing import Floats, Integers, Number, Ties
from .segments import FN, FP, TN, TP, Placed, Segment, as_float, odds_of, root

MOST_LISTED = 20_000_000
MOST_DISTINCT = 2_000_000
"""Swaps that are listed, and that are separated exactly; more need too much memory, or more than a minute."""

MOST_RANKS = 50_000_000
"""Ranks of a path: they take 400 MB."""


@dataclass(frozen=True)
class _Optimum:
    """The optimal set from ``low`` to ``high``, and the two swaps in the ``middle``, all as β².

    ``closed`` tells whether the ends of the set belong to it, ``with_median`` whether the median of the swaps does;
    ``passed`` is N at the optimum that is reported, where half of the pairs that swap there count.
    """

    middle: tuple[Fraction, Fraction]
    low: Fraction
    high: Fraction
    closed: tuple[bool, bool]
    passed: Fraction
    with_median: bool

    @property
    def at(self) -> Fraction:
        """The optimum that is reported: the median where it is optimal."""
        return sum(self.middle) / Fraction(2) if self.with_median else inner_odds((self.low, self.high))

    def inside(self, near: float, power: int = 1) -> float:
        """Return a float near the optimum, inside the optimal interval if any is; near itself where this is a swap."""
        return _inside(near, self.low, self.high, power) if self.low < self.at < self.high else near


def _of_each(of: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method of one β take arrays of them, too."""

    @wraps(of)
    def of_each(t: Tradeoff, beta: Any = 1.0) -> Any:
        if np.size(beta) == 0:
            raise UsageError("beta: expected a number, or an array of at least one")
        if np.ndim(beta) == 0:
            return of(t, beta.item() if isinstance(beta, np.ndarray) else beta)
        each = [of(t, one) for one in np.asarray(beta, dtype=object).ravel()]
        values = np.array(each, dtype=np.float64)
        if values.ndim == 1:
            return values.reshape(np.shape(beta))
        return getattr(type(each[0]), "_make", tuple)(column.reshape(np.shape(beta)) for column in values.T)

    return of_each


@dataclass(frozen=True, eq=False, repr=False)
class Path(Result):
    """The m rankings between the ends, one per open interval between swaps, in the order of β.

    ``rankings`` (m, n) hold the ranks of the entities with these ``names``, 1 is best; ``low`` and ``high`` (m,) are
    the β between which each holds.
    """

    names: tuple[str, ...]
    rankings: Floats
    low: Floats
    high: Floats

    brief = True

    def table(self) -> Table:
        """Return one row per ranking and entity: from, to (β), entity and rank."""
        low, high = np.repeat([self.low, self.high], len(self.names), axis=1)
        entity = [name for _ in self.low for name in self.names]
        return Table({"from": low, "to": high, "entity": entity, "rank": self.rankings.ravel()})

    def __len__(self) -> int:
        return len(self.rankings)

    @property
    def heading(self) -> str:
        """The numbers of rankings and of entities."""
        return f"Path: {counted(len(self), 'ranking')} of {counted(len(self.names), 'model')}"


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoff(DrawnResult):
    """The optimal trade-off between the rankings by two scores, by default precision and recall.

    Between the ends F_β goes a shortest way: each of the ``n_discordant`` pairs that the ends order differently swaps
    once, at β² = ϑ. A place between them has the odds β² = b/(1−b) (on a horizontal side of the Tile a/(1−a)): the β of
    F_β between precision and recall. A β given as a float meets the swaps within its rounding. τ and d_τ count ties as
    agreement: SciPy's τ-b is another number where there are ties.

    Attributes
    ----------
    performances
        One performance per entity.
    segment
        The line on the Tile between the two scores.
    placed, crossings
        The entities as lines over that segment, and where the lines cross.
    notes
        What a reader must know: averages, and entities that were left out.
    merged : (k,)
        With ``distinct``: the k entities before equal ones were merged, and how many there are of each.

    See Also
    --------
    rankscape.tradeoff : returns it

    Examples
    --------
    >>> import rankscape as rs
    >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    >>> t.swaps.round(4).tolist(), t.n_rankings, [round(x, 4) for x in t.optimal_set]
    ([0.0556, 0.2222, 0.3519, 0.5556, 0.7222, 1.0], 7, [0.3519, 0.5556])
    >>> round(t.beta, 4), round(t.optimality(beta=1), 4)
    (0.6736, 0.5833)
    """

    performances: Performances
    segment: Segment
    placed: Placed
    crossings: Crossings
    notes: tuple[str, ...] = ()
    merged: tuple[Performances, Integers] | None = field(default=None)

    drawing, brief = "draw_tradeoff", True

    # What is counted

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities, undefined ones left out."""
        return tuple(self.performances.names[row] for row in self.rows)

    @property
    def rows(self) -> Integers:
        """The rows of the performances that have a value between the ends, ascending."""
        return self.placed.valued

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
        return 1 - 2 * self._part(self.n_discordant)

    @property
    def limits(self) -> tuple[float, float]:
        """The β² of the two ends, the smaller first: 0 and ∞ between opposite sides of the Tile."""
        low, high = self.segment.limits
        return as_float(low), as_float(high)

    # The optimum

    @cached_property
    def _optimum(self) -> _Optimum:
        """Where |2N − K| is smallest: a swap, an interval between two, or both. There must be a swap.

        N is never farther than halfway between two neighbors: at most one swap and one interval beside it are optimal.
        """
        total, kth, odds = self.n_discordant, self.crossings.kth, self.segment.odds_at
        here = kth((total + 1) // 2)
        # |2N − K| just before the swap, at it, and just after it
        gaps = (total - 2 * here.before, abs(here.before + here.upto - total), 2 * here.upto - total)
        is_before, is_at, is_after = (gap == min(gaps) for gap in gaps)
        low = kth(here.before).place if is_before else here.place
        high = kth(here.upto + 1).place if is_after else here.place
        middle = here.place, kth(total // 2 + 1).place
        passed = Fraction(here.before + here.upto, 2)
        if not is_at:
            passed = Fraction(here.before if is_before else here.upto)
        return _Optimum(
            middle=(odds(middle[0]), odds(middle[1])), low=odds(low), high=odds(high),
            closed=(is_at and not is_before, is_at and not is_after), passed=passed,
            with_median=is_at or middle[0] < middle[1],
        )  # fmt: skip

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
        median = sum(map(as_float, self._optimum.middle)) / 2
        return sqrt(median) if median < inf else root(sum(self._optimum.middle) / Fraction(2))  # no float holds a swap

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
        best = self._optimum
        return best.inside(sum(map(as_float, best.middle)) / 2 if best.with_median else as_float(best.at))

    @property
    def beta(self) -> float:
        """√``beta_squared``: between precision and recall the β of an optimal F_β. (12)"""
        if not self.n_discordant:
            return nan
        square = self.beta_squared
        return self._optimum.inside(sqrt(square) if square < inf else root(self.exact_odds), power=2)

    @property
    def exact_odds(self) -> Fraction:
        """The β² of ``exact_place``; raises UsageError where the ends order all pairs alike."""
        if not self.n_discordant:
            raise UsageError(f"{' and '.join(self.ends)} order all pairs alike: rank by either of them")
        return self._optimum.at

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
        best = self._optimum
        places = zip(*map(self.segment.place, (best.at, best.low, best.high)), strict=True)
        a, b = (_inside(float(x), *sorted(ends)) if x not in ends else float(x) for x, *ends in places)
        return a, b

    def place_of(self, beta: float) -> tuple[float, float]:
        """Return the place (a, b) of a β on the Tile; NaN for NaN.

        Parameters
        ----------
        beta
            A number in [0, ∞].

        Returns
        -------
        tuple of two floats
            The coordinates a and b.
        """
        if isnan(beta):
            return nan, nan
        odds_of(beta)  # refuses what is none
        a, b = self.segment.place(None if isinf(beta) else Fraction(beta) ** 2)
        return float(a), float(b)

    @property
    def passed_by_optimum(self) -> Fraction:
        """N*, the number of swaps passed at the optimum, those at it counting half; K/2 where no swaps coincide."""
        return self._optimum.passed if self.n_discordant else Fraction(0)

    @property
    def optimal_set(self) -> tuple[float, float]:
        """All optimal β², from the smallest to the largest: a point where both are equal, or an interval.

        They minimize the Fréchet variance over all swaps *and* the open intervals between them, with multiplicities.
        """
        low, high = self.exact_optimal_set if self.n_discordant else self.segment.limits
        return as_float(low), as_float(high)

    @property
    def exact_optimal_set(self) -> tuple[Fraction | None, Fraction | None]:
        """``optimal_set`` as fractions; None stands for the end of the segment: all is optimal without a swap."""
        return (self._optimum.low, self._optimum.high) if self.n_discordant else (None, None)

    @property
    def optimal_set_closed(self) -> tuple[bool, bool]:
        """Whether the smallest and the largest of ``optimal_set`` are optimal themselves."""
        return self._optimum.closed if self.n_discordant else (True, True)

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
        return tuple((self.segment.odds_at(t), size) for t, size in self.crossings.distinct())

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
        return root(self.segment.odds_at(first)), root(self.segment.odds_at(last))

    @overload
    def quantile(self, q: Number) -> float: ...
    @overload
    def quantile(self, q: ArrayLike) -> Any: ...
    def quantile(self, q: Number | ArrayLike) -> float | Floats:
        """Return the β that goes the share q of the way from the first end to the second; ½ is balanced. (A.2.2)

        Of the swaps and the two ends, as b = β²/(1+β²), the q-quantile, linear in b between neighbors; so at ½ it is
        between the same two swaps as ``median_beta``, which is in the middle of their β², but need not be equal.

        Parameters
        ----------
        q : (…)
            A share in [0, 1], or an array of them.

        Returns
        -------
        float or array
            The β of each share.

        Raises
        ------
        UsageError
            For what is no number in [0, 1].

        Examples
        --------
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

        def swap(k: int) -> Fraction:
            """Return b of the k-th swap; the ends are before and after all of them."""
            if not 0 < k <= self.n_discordant:
                return self.segment.high if k else self.segment.low
            odds = self.segment.odds_at(self.crossings.kth(k).place)
            return odds / (1 + odds)

        share = Fraction(q.item() if isinstance(q, np.number) else q)
        place = (1 - share if self.segment.reversed else share) * (self.n_discordant + 1)
        below, part = int(place), place - int(place)
        x = swap(below)
        x += part * (swap(below + 1) - x) if part else 0
        return inf if x == 1 else root(x / (1 - x))

    # How good any place between the ends is

    def swaps_passed(self, beta: Number = 1.0) -> Fraction:
        """Return N, the number of swaps between the end at small β and F_β; those at β itself count half.

        Parameters
        ----------
        beta
            A number in [0, ∞]; the float ``t.beta`` stands for the optimum.

        Returns
        -------
        Fraction
            A multiple of one half.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])
        >>> [float(t.swaps_passed(beta)) for beta in (0.5, t.beta, 1)]
        [0.0, 0.5, 1.0]
        """
        if isinstance(beta, float) and self.n_discordant and beta == self.beta:
            return self.passed_by_optimum  # the optimum itself, also where no float is so near
        (low, high), (least, most) = odds_of(beta), self.segment.limits
        if (high is None or high >= least) and (most is None or (low is not None and low <= most)):
            low = least if low is not None and low < least else low  # what a float stands for, cut to the segment
            high = most if most is not None and (high is None or high > most) else high
        first, last = self.segment.crossing(low), self.segment.crossing(high)
        return Fraction(self.crossings.before(first) + self.crossings.upto(last), 2)

    def _part(self, pairs: Fraction | int) -> float:
        """Return the share of all pairs, NaN where there are none."""
        return float(Fraction(pairs) / self.n_pairs) if self.n_pairs else nan

    @_of_each
    def distance(self, beta: Number = 1.0) -> tuple[float, float]:
        """Return Kendall's distances d_τ = (1 − τ)/2, the shares of pairs ordered differently, to the two ends. (5)

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.
        """
        passed = self.swaps_passed(beta)
        ways = self._part(passed), self._part(self.n_discordant - passed)
        return ways[::-1] if self.segment.reversed else ways

    @_of_each
    def tau(self, beta: Number = 1.0) -> tuple[float, float]:
        """Return Kendall's τ(first end; F_β) and τ(F_β; second end); larger is more alike. (7)

        Their sum is 1 + ``tau_ends``.

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> [round(x, 4) for x in t.tau(0.5)]
        [1.0, -1.0]
        """
        first, second = self.distance(beta)
        return 1 - 2 * first, 1 - 2 * second

    @_of_each
    def frechet_variance(self, beta: Number = 1.0) -> float:
        """Return σ² = d_τ²(first end; F_β) + d_τ²(F_β; second end), which the optimum minimizes. (8)

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.
        """
        first, second = self.distance(beta)
        return float(first**2 + second**2)

    @_of_each
    def optimality(self, beta: Number = 1.0) -> float:
        """Return the degree of optimality: the share of the disputed pairs that F_β orders as the optimum, ``beta``.

        1 − |N − N*|/K with N* of the optimum: a pair that only one of the two ties counts half. It is in [0, 1], and
        NaN where the ends order all pairs alike. Where the optimum is equally far from both ends it is (16), which is
        ``balance`` otherwise.

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[0, 0, 4, 6], [0, 0, 6, 6], [0, 2, 3, 6], [0, 4, 0, 6]])
        >>> t.optimality(1), t.optimality(t.beta), t.balance(1), t.balance(t.beta)
        (0.9, 1.0, 0.8, 0.9)
        """
        total, passed = self.n_discordant, self.swaps_passed(beta)
        return float(1 - abs(passed - self.passed_by_optimum) / total) if total else nan

    @_of_each
    def balance(self, beta: Number = 1.0) -> float:
        """Return 1 − |N − K/2|/K in [½, 1], how equally far F_β is from both ends: formula (16), with (14).

        (14) takes the optimum for equally far from both ends, which it is where no two swaps coincide: only then is
        this the share of the disputed pairs ordered as by the optimum, ``optimality``. NaN where the ends order all
        pairs alike.

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> round(t.balance(0.75), 4), t.balance([0, float("inf")]).tolist()
        (0.8333, [0.5, 0.5])
        """
        total, passed = self.n_discordant, self.swaps_passed(beta)
        return float(1 - abs(passed - Fraction(total, 2)) / total) if total else nan

    @_of_each
    def shares(self, beta: Number = 1.0) -> Shares:
        """Return the shares of pairs on which the ends agree, and of the others, ordered as by the optimum or not.

        They are those of (13)-(15), where the optimum is equally far from both ends.

        Parameters
        ----------
        beta : number or (…)
            A number in [0, ∞], or an array of them.

        Returns
        -------
        number or tuple of numbers
            For an array an array of its shape, or a tuple of such arrays.
        """
        total, unlike = self.n_discordant, abs(self.swaps_passed(beta) - self.passed_by_optimum)
        return Shares(self._part(self.n_pairs - total), self._part(total - unlike), self._part(unlike))

    # What needs no swaps

    @property
    def heuristic_beta(self) -> float:
        """The heuristic β² = E[PFP]/E[PFN] of (22); on a horizontal of the Tile, by its symmetries, E[PTN]/E[PTP].

        NaN where both are 0, and along a diagonal, where the paper has none; without true negatives also unless these
        are counts that have as many positives for all entities, which are then taken as those of the same cases.
        """
        ratio = {"vertical": (FP, FN), "horizontal": (TN, TP)}.get(self.segment.kind)
        if ratio is None:
            return nan
        members, sizes = self.members
        counts = members.counts
        no_tn = self.performances.space == RIGHT_SIDE
        same = counts is not None and len(set(counts[:, (FN, TP) if no_tn else slice(4)].sum(axis=1).tolist())) <= 1
        if no_tn and not same:
            return nan
        mass: Any = counts if same else members.mass  # counts of as many cases are the same, without rounding
        top, bottom = (fsum((mass[:, outcome] / sizes).tolist()) for outcome in ratio)
        if bottom == 0:
            return nan if top == 0 else inf
        return sqrt(top / bottom)

    @property
    def sivf_beta(self) -> float:
        """The β of which F_β orders as SIVF, √(π₋/π₊); NaN where priors differ or the ends are others. (A.1.5)

        NaN, too, where true negatives are not known.

        ∞ where there are no true negatives: SIVF orders as recall then. (4.2)
        """
        if not self.segment.is_f_beta or self.performances.space == RIGHT_SIDE:
            return nan
        members, _ = self.members
        if not members.mass[:, TN].any():
            return inf
        if members.common_prior() is None:
            return nan
        tn, fp, fn, tp = members[np.lexsort(members.mass.T)[:1]].integers[0]  # any: rounding apart they have one prior
        return sqrt(quotients(np.array([tn + fp]), np.array([fn + tp]))[0]) if fn + tp else nan

    @property
    def mean_prior(self) -> float:
        """The mean of the priors π₊ of the entities; NaN without true negatives, and without entities."""
        if self.performances.space == RIGHT_SIDE or not self.n:
            return nan
        members, sizes = self.members
        return mean_of(members.priors, sizes)

    # As a score, as rankings, as curves

    @property
    def score(self) -> Score:
        """The ranking score at ``exact_place``, which is the optimal score to rank by.

        Raises UsageError where the ends order all pairs alike.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.score.symbol, t.score(t.performances).round(4).tolist()
        ('F_0.85', [0.6458, 0.6667, 0.6458])
        """
        name = f"F_{optimum_texts(self)[1]}" if self.segment.is_f_beta else ""
        place: Any = self.exact_place  # fractions, which at() takes exactly
        score = score_of_importance(at(*place), name=name or "the optimal trade-off")
        return replace(score, symbol=name or f"R({float(place[0]):.3g}, {float(place[1]):.3g})")

    def ranking(self, ties: Ties = "min") -> Ranking:
        """Return the ranking by ``score``, as :func:`rankscape.rank` does.

        Where the optimum is a swap, the entities that swap there are tied.

        Parameters
        ----------
        ties
            The rank that tied entities share: "min", "max" or "average".

        Returns
        -------
        Ranking
            The ranking by the optimal compromise.

        Raises
        ------
        UsageError
            Where :func:`rankscape.rank` raises it.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.ranking().ranks.tolist()
        [2.0, 1.0, 2.0]
        """
        return rank(self.performances, by=self.score, ties=ties)

    def path(self) -> Path:
        """Return the rankings between the ends, in the order of β.

        Entities that are equal on a whole interval share the best rank; ``scipy.stats.rankdata`` of it has the mean.

        Returns
        -------
        Path
            The rankings, and between which β each holds.

        Raises
        ------
        UsageError
            For too many rankings, and where nobody has a value between the ends.
        """
        self._refuse_more_than(MOST_DISTINCT)
        swaps = [place for place, _ in self.crossings.distinct()]
        if self.n * (len(swaps) + 1) > MOST_RANKS:
            raise UsageError(
                f"the path has {len(swaps) + 1} rankings of {self.n} models, more than {MOST_RANKS} ranks: choose fewer"
            )
        if self.n == 0:
            raise UsageError("there is no path: nobody has a value between the ends")
        return path_after(self, swaps)

    def curve(self) -> Table:
        """Return the step curves of τ, variance and optimality over β.

        A row stands for an open interval between swaps, or for a swap, in β, ascending. Each number is one division,
        correctly rounded.

        Returns
        -------
        Table
            The columns from and to (β; equal for a swap), passed (swaps), tau_first, tau_second, variance, optimality.
        """
        sizes = np.array([size for _, size in self.exact_swaps], dtype=np.int64)
        twice, passed = np.repeat([root(odds) for odds, _ in self.exact_swaps], 2), np.cumsum(sizes)
        doubled = np.zeros(2 * len(sizes) + 1, dtype=np.int64)
        doubled[1::2], doubled[2::2] = 2 * passed - sizes, 2 * passed
        low, high = np.sqrt(self.limits)
        return curves(self, np.insert(twice, 0, low), np.append(twice, high), doubled)

    # In sentences, and as tables

    def compare(self, quantile: float | None = None) -> Table:
        """Return the scores between the ends, each with its τ to both ends, its degree of optimality and its balance.

        The rows are the ends, the optimum, the median of the swaps where it is not optimal, the heuristic, and, between
        precision and recall, F1 and SIVF.

        Parameters
        ----------
        quantile
            The share of the way, in [0, 1], of one more row.

        Returns
        -------
        Table
            The columns score, beta, a, b, tau_first, tau_second, optimality, balance, ascending from the first end.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.compare()["score"]
        ['PPV', 'optimum', 'F1', 'heuristic', 'SIVF', 'TPR']
        """
        (low, high), least, most = _ends_by_beta(self), *map(sqrt, self.limits)
        named = [(low, least), ("heuristic", self.heuristic_beta), (high, most)]
        if self.n_discordant:
            named.append(("optimum", self.beta))
            if not self.median_is_optimal:
                named.append(("median of the swaps", self.median_beta))
        if self.segment.is_f_beta:
            named += [("F1", 1), ("SIVF", self.sivf_beta)]
        if quantile is not None:
            named.append((f"quantile {quantile:g}", self.quantile(quantile)))
        rows = [(name, beta) for name, beta in named if least <= beta <= most]
        rows.sort(key=lambda one: (one[1], one[0] == high, one[0] != low))
        columns = ("score", "beta", "a", "b", "tau_first", "tau_second", "optimality", "balance")
        values = [
            (name, float(beta), *(self.place if name == "optimum" else self.place_of(beta)), *self.tau(beta),
             self.optimality(beta), self.balance(beta)) for name, beta in rows
        ]  # fmt: skip
        return Table(dict(zip(columns, zip(*values, strict=True), strict=True)))

    def summary(self) -> str:
        """Return a summary of the trade-off in a few sentences.

        Returns
        -------
        str
            Some sentences, for a reader.
        """
        return "\n".join([*_sentences(self), *self.notes])

    def table(self) -> Table:
        """Return the figures in one row, NaN where there is none; ``prior`` is the mean π₊, and 1 stands for β = 1.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        least, most = map(sqrt, self.limits)

        def degree(beta: float) -> float:
            return self.optimality(beta) if least <= beta <= most else nan

        (low, high), closed, half_way = self.optimal_set, self.optimal_set_closed, least <= 1 <= most
        shares = self.shares(1) if half_way else Shares(nan, nan, nan)
        row = {
            "first_end": self.ends[0],
            "second_end": self.ends[1],
            "entities": self.n,
            "prior": self.mean_prior,
            "tau_ends": self.tau_ends,
            "discordant_pairs": self.n_discordant,
            "beta": self.beta,
            "a": self.place[0],
            "b": self.place[1],
            "median_beta": self.median_beta,
            "optimal_from": sqrt(low),
            "optimal_to": sqrt(high),
            "optimal_from_included": closed[0],
            "optimal_to_included": closed[1],
            "optimality_of_1": degree(1),
            "balance_of_1": self.balance(1) if half_way else nan,
            "agree": shares.agree,
            "as_optimum_with_1": shares.as_optimum,
            "against_optimum_with_1": shares.against_optimum,
            "heuristic_beta": self.heuristic_beta,
            "optimality_of_heuristic": degree(self.heuristic_beta),
            "sivf_beta": self.sivf_beta,
            "optimality_of_sivf": degree(self.sivf_beta),
        }
        return Table({name: [value] for name, value in row.items()})

    @property
    def pictured(self) -> bool:
        """Whether a notebook shows the picture by itself."""
        return self.n <= MOST_PICTURED

    @property
    def heading(self) -> str:
        """The ends, and the numbers of entities and swaps."""
        entities, swaps = counted(self.n, "model"), counted(self.n_discordant, "swap")
        return f"Tradeoff between {' and '.join(self.ends)}: {entities}, {swaps}"


def inner_odds(optimal_set: tuple[Fraction, Fraction]) -> Fraction:
    """Return the β² in the middle of an exact optimal set, on the scale of b.

    >>> inner_odds((Fraction(1), Fraction(3)))
    Fraction(5, 3)
    """
    x = sum((odds / (1 + odds) for odds in optimal_set), Fraction(0)) / 2
    return x / (1 - x)


def _inside(near: float, low: Fraction, high: Fraction, power: int = 1) -> float:
    """Return a number, or the float beside it, of which a power lies strictly between two fractions, if one does."""
    for x in (near, nextafter(near, 0), nextafter(near, inf)):
        if x < inf and low < Fraction(x) ** power < high:
            return x
    return near


def path_after(t: Tradeoff, swaps: Sequence[Fraction]) -> Path:
    """Return the rankings at the end at small β and just after each of some swaps, up to the next one."""
    low, high = t.segment.limits
    beta = np.array([root(odds) for odds in (low, *map(t.segment.odds_at, swaps), high)])
    places = [START, *(swap.as_integer_ratio() for swap in swaps)]
    return Path(t.names, t.placed.ranks(places), beta[:-1], beta[1:])


def curves(t: Tradeoff, low: Floats, high: Floats, doubled: Integers) -> Table:
    """Return the curves on intervals of β, of twice the number of swaps that are passed there."""
    total, pairs = t.n_discordant, t.n_pairs
    with np.errstate(invalid="ignore"):  # 0/0 without pairs, or swaps
        first, second = doubled / np.float64(2 * pairs), (2 * total - doubled) / np.float64(2 * pairs)
        optimality = (2 * total - abs(doubled - int(2 * t.passed_by_optimum))) / np.float64(2 * total)
    first, second = (second, first) if t.segment.reversed else (first, second)
    taus = {"tau_first": 1 - 2 * first, "tau_second": 1 - 2 * second}
    rest = {"variance": first**2 + second**2, "optimality": optimality}
    return Table({"from": low, "to": high, "passed": doubled / 2} | taus | rest)


def _ends_by_beta(t: Tradeoff) -> tuple[str, str]:
    return t.ends[::-1] if t.segment.reversed else t.ends


def _sentences(t: Tradeoff) -> list[str]:
    """Return what the trade-off is, a sentence per line."""
    first, second = t.ends
    if t.n == 0:
        return [f"Nobody has a value between {first} and {second}"]
    if not t.n_pairs:
        nothing = f"nothing is to be traded off between {first} and {second}"
        return [f"One model alone has no pair to order: {nothing}"]
    start = f"Among {counted(t.n, 'model')} {first} and {second} order"
    if not t.n_discordant:
        alike = "all pairs alike: nothing is to be traded off, and every score between them orders so too"
        return [f"{start} {alike}"]
    part = percent(t.n_discordant / t.n_pairs)
    pairs = counted(t.n_pairs, "pair")
    lines = [f"{start} {t.n_discordant} of {pairs} differently ({part}, τ = {t.tau_ends:.3g})"]
    name = "F_β with β" if t.segment.is_f_beta else f"the score at {t.segment.moving}"
    (low, best, high), (from_low, to_high) = optimum_texts(t), t.optimal_set_closed
    text = f"The balanced trade-off is {name} = {best}"
    if from_low or to_high:
        lines.append(f"{text}, exactly at a swap: there models tie that are ordered on either side")
        if from_low != to_high:
            beside = f"above it and below {high}" if from_low else f"below it and above {low}"
            lines.append(f"So is every one {beside}")
    else:
        lines.append(text if low == high else f"{text}; so is every one strictly between {low} and {high}")
    if not t.median_is_optimal:
        median = _on_scale(t, t.median_beta**2)
        lines.append(f"The median of the swaps, {median:.3g}, is not optimal, because some swaps coincide")
    if t.segment.is_f_beta and t.limits[0] <= 1 <= t.limits[1]:
        low, high = _ends_by_beta(t)
        text = f"F1 orders {percent(t.optimality(1))} of the disputed pairs as the optimum does"
        of_first, of_last = t.first_and_last_swap  # beyond these F_β only copies an end
        below, above = _rounded(of_first, 3, ROUND_FLOOR), _rounded(of_last, 3, ROUND_CEILING)
        if of_last < 1:
            lines.append(f"{text}: it only copies {high}, as every β above {above} does")
        elif of_first > 1:
            lines.append(f"{text}: it only copies {low}, as every β below {below} does")
        else:
            lines.append(f"{text}; below β = {below} F_β only copies {low}, above {above} {high}")
    return lines


def optimum_texts(t: Tradeoff) -> tuple[str, str, str]:
    """Return the optimum as text, between the ends of the optimal set, all β or coordinates: equal where it is a point.

    The ends are rounded to its inside, and all have so many digits that they keep their order, three if possible.

    >>> import rankscape as rs
    >>> optimum_texts(rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]))
    ('0.594', '0.674', '0.745')
    """
    low, best, high = (_on_scale(t, odds) for odds in (t.optimal_set[0], t.beta_squared, t.optimal_set[1]))
    from_low, to_high = t.optimal_set_closed
    for digits in range(3, 18):
        middle = f"{best:.{digits}g}"
        start = middle if from_low else _rounded(low, digits, ROUND_CEILING)
        stop = middle if to_high else _rounded(high, digits, ROUND_FLOOR)
        if (from_low or float(start) < float(middle)) and (to_high or float(middle) < float(stop)):
            return start, middle, stop
    return (f"{best:.3g}",) * 3  # no floats are between the ends


def _rounded(x: float, digits: int, rounding: str) -> str:
    return f"{float(Context(prec=digits, rounding=rounding).create_decimal(Decimal(x))):.{digits}g}"


def _on_scale(t: Tradeoff, odds: float) -> float:
    """Return β on the side from precision to recall, elsewhere the coordinate."""
    return sqrt(odds) if t.segment.is_f_beta else odds / (1 + odds) if odds < inf else 1.0

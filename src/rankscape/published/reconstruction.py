"""From printed rates to all tables of whole counts that round to them, or to the numbers that contradict each other.

The tables are found by exact intervals instead of a scan. At class totals N and P two numbers are left, x = fp and y =
tp. The tables of shares that the rates leave say how far both reach. There each printed rate bounds one of them by an
interval where the other is fixed, for it is a ratio of forms that are linear in each of both, or, as MCC, monotone in
each. So at most one of them is run through, in arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count, product
from math import ceil, floor, isfinite
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import is_number
from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, listed
from ..typing import Flags, Integers
from . import rates as of
from .rates import ALL, NEGATIVE, OBLIQUE, POSITIVE, RATES, Printed, checked_decimals, fewest, printed
from .shares import EVERYTHING, GRAIN, Part, Space

EFFORT = 3_000_000
"""Pairs of class totals and a count that one question about a contradiction may take; there are many."""

TOO_MANY = 50_000
"""Class totals at which it takes too long to tell which of some numbers are wrong if they have a correlation or an odds
ratio among them."""

RateLike: TypeAlias = "str | float | Decimal"
"""A rate as it is printed: a text such as "0.83", "83.1 %" or "0,83", or a number."""

SIZES = ("n", "n_positive", "n_negative")


@dataclass(frozen=True)
class Sizes:
    """How many cases there are: in all, with a positive truth, and with a negative one; None where that is unknown."""

    n: int | None = None
    n_positive: int | None = None
    n_negative: int | None = None

    def __str__(self) -> str:
        both = self.n_positive is not None and self.n_negative is not None
        known = {"n": None if both else self.n, "n_positive": self.n_positive, "n_negative": self.n_negative}
        return " and ".join(f"{name} = {value}" for name, value in known.items() if value is not None)

    def search(self, rates: Sequence[Printed]) -> Search:
        """Return the search at all class totals that are possible. Raises UsageError where they have no end."""
        shares = [rate for rate in rates if rate.key in ("prior", "negativeprior")]
        low = max([Fraction(0), *(rate.low if rate.key == "prior" else 1 - rate.high for rate in shares)])
        high = min([Fraction(1), *(rate.high if rate.key == "prior" else 1 - rate.low for rate in shares)])
        n, p, m = self.n, self.n_positive, self.n_negative
        if p is not None and m is not None:
            positive, total = np.array([p]), np.array([p + m])
        elif n is not None:
            _refuse_many(floor(n * high) - ceil(n * low) + 1)
            positive = np.arange(ceil(n * low), floor(n * high) + 1, dtype=np.int64)
            total = np.full(len(positive), n)
        elif p is not None or m is not None:
            share, known = ((low, high), p) if p is not None else ((1 - high, 1 - low), m)
            if not shares or share[0] <= 0 or not known:
                lacking = "n_negative" if p is not None else "n_positive"
                raise UsageError(f"{self} alone does not say how many cases there are in all", way_out=[
                    f"give n or {lacking}", "give a prevalence above 0"])  # fmt: skip
            first, last = ceil(known / share[1]), floor(known / share[0])
            _refuse_many(last - first + 1)
            total = np.arange(first, last + 1, dtype=np.int64)[:: -1 if p is not None else 1]
            positive = np.full(len(total), known) if p is not None else total - known
        else:
            raise UsageError(
                "rates alone do not say how many cases there are", expected="n, or n_positive and n_negative",
                way_out=[Option("n", python="without them, rs.read_published ranks the rates themselves")],
            )  # fmt: skip
        return Search(total - positive, positive, rates)


def _refuse_many(totals: int) -> None:
    if totals > MOST_TOTALS:
        raise UsageError(
            f"these numbers allow {totals:.2g} different numbers of positives, more than {MOST_TOTALS:.0e}",
            way_out=["give the number of positives", "give the prevalence with more decimals"],
        )


def checked_sizes(n: object = None, n_positive: object = None, n_negative: object = None) -> Sizes:
    """Return sizes that go together, the third from the other two. Raises UsageError where they are none.

    >>> checked_sizes(n=100, n_positive=30).n_negative
    70
    """
    n, p, m = (_size(name, value) for name, value in zip(SIZES, (n, n_positive, n_negative), strict=True))
    if n is not None and ((p or 0) > n or (m or 0) > n or (p is not None and m is not None and p + m != n)):
        given = " and ".join(
            f"{name} = {value}" for name, value in zip(SIZES, (n, p, m), strict=True) if value is not None
        )
        raise UsageError(f"{given} contradict each other", expected="n = n_positive + n_negative")
    if n is None and p is not None and m is not None:
        n = p + m
    elif n is not None and m is not None:
        p = n - m
    elif n is not None and p is not None:
        m = n - p
    if n == 0:
        raise UsageError("there are no cases", expected="n of at least 1")
    return Sizes(n, p, m)


def _size(name: str, value: Any) -> int | None:
    if value is None:
        return None
    if not is_number(value) or not isfinite(value) or value != int(value) or value < 0:
        raise UsageError(f"{name} = {value!r} is not a number of cases", expected="a whole number ≥ 0")
    if value > 10**9:
        raise UsageError(f"{name} = {value} is too large", expected="at most 10**9 cases")
    return int(value)


@dataclass(frozen=True, eq=False, repr=False)
class Reconstruction(Result):
    """All tables of whole counts that round to what is printed.

    ``n_solutions`` is m, or None; ``bounds``, (2, 4), are the smallest and the largest value of each outcome, and
    ``rates`` the printed rates as texts.

    Attributes
    ----------
    counts : (m, 4)
        All tn, fp, fn, tp, sorted; None where there are more than a million.
    sizes
        What is known of the number of cases.
    printed
        The rates as they were printed.

    See Also
    --------
    rankscape.reconstruct

    Examples
    --------
    >>> import rankscape as rs
    >>> found = rs.reconstruct(sensitivity="0.83", specificity="0.91", n_positive=60, n_negative=100)
    >>> found.counts.tolist(), found.n_solutions
    ([[91, 9, 10, 50]], 1)
    """

    counts: Integers | None
    sizes: Sizes
    printed: tuple[Printed, ...]

    @property
    def n_solutions(self) -> int | None:
        """How many tables round to what is printed; None for more than a million."""
        return None if self.counts is None else len(self.counts)

    @cached_property
    def bounds(self) -> Integers:
        """The smallest and the largest value of each outcome."""
        if self.counts is None:
            return self.sizes.search(self.printed).bounds()
        return np.array([self.counts.min(axis=0), self.counts.max(axis=0)])

    @property
    def rates(self) -> tuple[str, ...]:
        """The printed rates, as in "sensitivity 0.83"."""
        return tuple(map(str, self.printed))

    @property
    def heading(self) -> str:
        """A phrase with the number of tables, and what they round to."""
        many = f"more than {MOST} tables" if self.counts is None else counted(len(self.counts), "table")
        fit = "rounds" if self.n_solutions == 1 else "round"
        bounds = "; the smallest and the largest counts" if self.counts is None else ""
        return f"{many} of counts {fit} to {', '.join(self.rates)} at {self.sizes}{bounds}"

    def performances(self) -> Performances:
        """Return one performance per table of counts.

        Returns
        -------
        Performances
            One row per table.

        Raises
        ------
        UsageError
            Where there are too many tables to be listed.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.reconstruct(accuracy="0.8", n_positive=3, n_negative=2).performances().counts.tolist()
        [[1, 1, 0, 3], [2, 0, 1, 2]]
        """
        names = [f"solution {i + 1}" for i in range(len(self.solutions))]
        return Performances.from_counts(self.solutions, names=names)

    @property
    def solutions(self) -> Integers:
        """The tables of counts, (m, 4). Raises UsageError where there are too many to be listed."""
        if self.counts is None:
            problem = f"there are more than {MOST} solutions, which are not listed"
            raise UsageError(problem, way_out="use bounds, or give more decimals")
        return self.counts

    def nearest(self, counts: Integers | None = None) -> Integers:
        """Return the table whose rates are nearest to the printed numbers, in units of their last decimals.

        Parameters
        ----------
        counts : (m, 4)
            Some of the tables, by default all.

        Returns
        -------
        (4,)
            tn, fp, fn and tp.

        Raises
        ------
        UsageError
            Where there are too many tables to be listed.
        """
        counts = self.solutions if counts is None else counts
        farthest = np.zeros(len(counts))
        for rate in self.printed:
            farthest = np.maximum(farthest, abs(rate.values(counts) - float(rate.value)) / float(rate.unit))
        return np.asarray(counts[int(np.argmin(farthest.round(9)))])

    def table(self) -> Table:
        """Return one row per table of counts: tn, fp, fn, tp; or, beyond a million, the smallest and the largest.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        if self.counts is None:
            return Table({"": ["smallest", "largest"], **dict(zip(TWO_CLASS.outcomes, self.bounds.T, strict=True))})
        return Table(dict(zip(TWO_CLASS.outcomes, self.counts.T, strict=True)))


def reconstruct(
    printed_rates: Mapping[str, RateLike] | None = None,
    *,
    n: int | None = None,
    n_positive: int | None = None,
    n_negative: int | None = None,
    decimals: int | None = None,
    **rates: RateLike,
) -> Reconstruction:
    """Return all tables of counts that round to printed rates.

    Papers print rates to a few decimals. This finds every table of whole tn, fp, fn, tp that they may come from. A
    printed 0.83 stands for all values from 0.825 to 0.835, both included, so it does not matter how the authors
    rounded. The search is exact, and takes seconds for a million cases.

    Parameters
    ----------
    printed_rates, **rates
        Names of scores and their values, as in ``sensitivity=0.83, f1="0.62"``; the mapping is for names that are not
        valid in Python, such as "F0.5". Names are those of :func:`rankscape.score`: sensitivity, specificity,
        precision, npv, fpr, fnr, accuracy, error rate, balanced accuracy, F1 and F_beta, Jaccard, MCC, kappa, Youden's
        index, prevalence, prediction rate, likelihood ratios, odds ratio. A text keeps its decimals and may be a
        percentage: "0.830", "83.0 %", "0,83".
    n, n_positive, n_negative
        How many cases there are: in all, and of each class. n, or both classes, or one class and a prevalence, are
        needed.
    decimals
        How many decimals the numbers (not the texts) were printed with; by default as many as Python prints. Python
        stores 0.80 as 0.8, so pass ``decimals=2``, or "0.80".

    Returns
    -------
    Reconstruction
        ``counts`` (m, 4), ``bounds`` (2, 4), ``n_solutions``, ``performances()``, ``table()``.

    Raises
    ------
    DataError
        Where no table of counts rounds to what is printed: the numbers contradict each other. The error names the
        fewest that do, and the nearest value of one of them that does not.
    UsageError
        For an unknown rate, a value that is none, or where the number of cases has no bound.

    See Also
    --------
    rankscape.read_published : a whole table of rates

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.reconstruct(
    ...     sensitivity=0.83, specificity=0.91, n_positive=60, n_negative=100, decimals=2
    ... ).counts.tolist()
    [[91, 9, 10, 50]]
    >>> rs.reconstruct(precision="75 %", recall="60 %", n=100, prevalence="0.10").bounds.tolist()
    [[88, 2, 4, 6], [88, 2, 4, 6]]
    """
    given = {**(printed_rates or {}), **rates}
    if not given:
        raise UsageError("no rate is given", expected=f"some of {listed(RATES)}, …")
    checked_decimals(decimals, given.values())
    values = [printed(name, value, decimals) for name, value in given.items()]
    return reconstructed(values, checked_sizes(n, n_positive, n_negative))


def reconstructed(rates: Sequence[Printed], sizes: Sizes) -> Reconstruction:
    """Return the tables that round to printed rates; raise DataError where there are none."""
    counts = sizes.search(rates).solutions()
    if counts is not None and not len(counts):
        raise contradiction(rates, sizes)
    return Reconstruction(counts, sizes, tuple(rates))


# ---- numbers that contradict each other: the fewest that do, and the nearest value of one of them that would fit


def contradiction(rates: Sequence[Printed], sizes: Sizes) -> DataError:
    """Return the error about rates that no table of counts rounds to."""
    what = f"no table of whole counts with {sizes} has "
    if len(sizes.search(rates).negative) > TOO_MANY and any(rate.key in OBLIQUE for rate in rates):
        way_out = "check them all, or give n_positive, too, to learn which contradict each other"
        return DataError(what + _listed(rates), way_out=way_out)
    core = _smallest(rates, sizes)
    for context in (list(rates), core):
        near = [nearest for rate in core if (nearest := _nearest(rate, context, sizes))]
        if near:
            _, rate = min(near, key=lambda pair: pair[0])
            beside = "" if len(context) == 1 else " with the other numbers" if context is not core else " with the rest"
            way_out = f"the nearest that does fit{beside} is {rate.name} {rate.text}"
            return DataError(what + _listed(core), way_out=way_out)
    way_out = "no other value of one of these alone would fit the rest: check them all"
    return DataError(what + _listed(core), way_out=way_out)


def _listed(rates: Sequence[Printed]) -> str:
    return " and ".join(filter(None, (", ".join(map(str, rates[:-1])), str(rates[-1]))))


def _smallest(rates: Sequence[Printed], sizes: Sizes) -> list[Printed]:
    """Return the fewest rates that contradict each other: one, two, or more of which none can be spared."""
    for size in (1, 2):
        for some in combinations(rates, size):
            if size < len(rates) and not _exists(some, sizes, otherwise=True):
                return list(some)
    return fewest(rates, lambda fewer: not _exists(fewer, sizes, otherwise=True))


def _exists(rates: Sequence[Printed], sizes: Sizes, *, otherwise: bool) -> bool:
    try:
        return sizes.search(rates).exists(EFFORT)
    except UsageError:  # without one of them the class totals have no bound, or there is too much to try
        return otherwise


def _nearest(rate: Printed, rates: Sequence[Printed], sizes: Sizes) -> tuple[int, Printed] | None:
    """Return how many units away the nearest value of a rate is that fits all the others, and the rate with it."""
    others = [other for other in rates if other is not rate]
    highest = rate.score.high if isfinite(rate.score.high) else float(100 * (rate.value + 1))
    widest = int((Fraction(highest) - Fraction(rate.score.low)) / rate.unit) + 1
    low, high = 0, 1
    while not _exists([*others, rate.at(rate.value, high)], sizes, otherwise=False):
        if high > widest:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _exists([*others, rate.at(rate.value, middle)], sizes, otherwise=False):
            high = middle
        else:
            low = middle
    for distance, sign in product((high, high + 1, high - 1), (-1, 1)):  # one of both sides fits
        value = rate.value + sign * distance * rate.unit
        inside = rate.score.low <= value <= rate.score.high
        if inside and distance and _exists([*others, rate.at(value)], sizes, otherwise=False):
            return distance, rate.at(value)
    return None


MOST = 1_000_000
"""Solutions that are listed; of more only the bounds are given."""

MOST_PAIRS = 20_000_000
"""Pairs of class totals and a count that a search goes through before it gives up."""

MOST_TOTALS = 20_000_000
"""Class totals that a search goes through."""

AT_FIRST, AT_ONCE = 1 << 13, 1 << 19
"""So many pairs are tried at first, and at once at most."""

MUCH, MOST_HALVED = 1 << 15, 200
"""Parts of the tables of shares that leave more pairs than this are halved, up to so many times."""

WORTHWHILE = 0.9
"""Ranges are narrowed again and again as long as this leaves less to be run through."""

_IN_64_BITS = 1 << 61
CERTAIN = 1e-9
"""Correlations in floats that differ by more are certainly in this order; others are compared as integers."""

FP, TP = 0, 1
"""The two counts that are left at given class totals: fp is x, tp is y."""


@dataclass(frozen=True)
class Totals:
    """Class totals, (m,), with the ranges, (2, m), that x = fp and y = tp may have there."""

    negative: Integers
    positive: Integers
    low: Integers
    high: Integers

    def taken(self, rows: Any) -> Totals:
        """Return some of the class totals."""
        return Totals(self.negative[rows], self.positive[rows], self.low[:, rows], self.high[:, rows])

    @property
    def widths(self) -> Integers:
        """How many values x and y may have, (2, m)."""
        return np.asarray(np.maximum(self.high - self.low + 1, 0))

    @property
    def pairs(self) -> int:
        """How many values of x or of y there are to be run through."""
        return int(self.widths.sum(axis=1).min())


class Search:
    """The tables of counts that round to the printed rates, at class totals in the order of their share of positives.

    The class totals are arrays of equal length.
    """

    def __init__(self, negative: Integers, positive: Integers, rates: Sequence[Printed]) -> None:
        self.negative, self.positive, self.rates = negative, positive, tuple(rates)
        self.bound = int((negative + positive).max(initial=1))

    # ---- exact intervals

    def _kind(self, rate: Printed) -> Any:
        """Return the type that holds every number of the inequalities of a rate: 64 bits, or Python's integers."""
        size = max(abs(end.numerator) + 2 * end.denominator for end in rate.ends())
        size *= max(1, rate.ratio((1, 1, 1, 1))[1])
        degree = 1 if rate.form is not None and not rate.form.curved else 2
        return np.int64 if 16 * size * self.bound**degree < _IN_64_BITS else object

    def interval(self, totals: Totals, axis: int, fixed: Integers) -> tuple[Integers, Integers]:
        """Return the interval of x (``axis`` FP) where y is fixed, or of y where x is, that fits all rates; exact."""
        low, high = totals.low[axis], totals.high[axis]
        for least, most in self._intervals(totals, axis, fixed):
            low, high = np.maximum(low, least), np.minimum(high, most)
        return low, high

    def _intervals(self, totals: Totals, axis: int, fixed: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Yield the interval of each thing that a printed rate says: it has a value, not below and not above the print.

        An end that is open is beyond all counts, and an interval is empty where what is fixed fits no count.
        """
        for rate in self.rates:
            if rate.key == "mcc":
                yield from _intervals_of_correlation(rate.low, rate.high, totals, axis, fixed)
                continue
            kind = self._kind(rate)
            for constant, slope in _inequalities(rate, totals, axis, fixed.astype(kind), kind):
                edge = constant // np.where(slope == 0, 1, abs(slope))  # rounded down
                never = (slope == 0) & (constant < 0)
                low = np.where(slope > 0, np.maximum(-edge, 0), np.where(never, self.bound, 0))
                high = np.where(slope < 0, np.minimum(edge, self.bound), np.where(never, -1, self.bound))
                yield low.astype(np.int64), high.astype(np.int64)

    # ---- ranges, outwards

    @cached_property
    def totals(self) -> Totals:
        """The class totals that may have solutions, with ranges of x and y that leave none out.

        They are those of the tables of shares; where these leave much to be tried, they are halved.
        """
        shares, total = self.positive / (self.negative + self.positive), self.negative + self.positive
        heap, done, number = list[tuple[int, int, Part, slice, Totals]](), list[Any](), count()

        def push(part: Part) -> None:
            """Keep how far x and y reach in a part, at the class totals that have one of its shares of positives."""
            low, high = (float(end) for end in part.ranges[POSITIVE, ALL])
            first, last = low * (1 - 1e-12), high * (1 + 1e-12)  # floats are rounded
            rows = slice(np.searchsorted(shares, first), np.searchsorted(shares, last, side="right"))
            sizes = np.stack([self.negative[rows], self.positive[rows]])
            least, most = np.array([part.cone.grains(of.FP, NEGATIVE), part.cone.grains(of.TP, POSITIVE)]).T / GRAIN
            ends = np.ceil(sizes * least[:, None] - 1e-6), np.floor(sizes * most[:, None] + 1e-6)
            box = Totals(*sizes, *(end.astype(np.int64) for end in ends))
            if box.pairs:
                heappush(heap, (-box.pairs, next(number), part, rows, box))

        if len(shares):
            low, high = (Fraction(int(self.positive[i]), int(total[i])) for i in (0, -1))
            whole = Space(self.rates, EVERYTHING.between(POSITIVE, low, high)).whole
            if whole is not None:
                push(whole)
        for _ in range(MOST_HALVED):
            if not heap or -heap[0][0] <= MUCH:
                break
            largest = heappop(heap)
            if largest[2].halves is None:
                done.append(largest)
            for half in largest[2].halves or ():
                push(half)
        boxes = [(rows, box) for *_, rows, box in (*done, *heap)]
        first = min((rows.start for rows, _ in boxes), default=0)
        last = max((rows.stop for rows, _ in boxes), default=0)
        least, most = np.full((2, last - first), self.bound), np.full((2, last - first), -1)
        for rows, box in boxes:  # several have the same class totals if they were halved in other shares
            fits, here = (box.low <= box.high).all(axis=0), slice(rows.start - first, rows.stop - first)
            least[:, here] = np.where(fits, np.minimum(least[:, here], box.low), least[:, here])
            most[:, here] = np.where(fits, np.maximum(most[:, here], box.high), most[:, here])
        totals = Totals(self.negative[first:last], self.positive[first:last], least, most)
        totals = totals.taken((least <= most).all(axis=0))
        pairs = 2 * (left := totals.pairs)
        while AT_FIRST < left < WORTHWHILE * pairs:
            totals, pairs = self._narrowed(totals), left
            left = totals.pairs
        return totals

    def _narrowed(self, totals: Totals) -> Totals:
        """Return what each inequality leaves of the ranges; where it holds anywhere, it does at an end of the other."""
        for axis in (FP, TP):
            low, high = totals.low.copy(), totals.high.copy()
            at_ends = (self._intervals(totals, axis, ends[1 - axis]) for ends in (totals.low, totals.high))
            for (low_1, high_1), (low_2, high_2) in zip(*at_ends, strict=True):
                low[axis] = np.maximum(low[axis], np.minimum(low_1, low_2))
                high[axis] = np.minimum(high[axis], np.maximum(high_1, high_2))
            totals = replace(totals, low=low, high=high).taken((low <= high).all(axis=0))
        return totals

    # ---- what comes out

    @property
    def axis(self) -> int:
        """The count that is run through, of which fewer values are left."""
        return int(self.totals.widths.sum(axis=1).argmin())

    def _tried(self, most_pairs: int) -> Iterator[tuple[Totals, Integers, Integers, Integers]]:
        """Yield class totals with a value of x or y, and the interval of the other, in blocks from the middle outwards.

        Mostly one of the first has a solution.
        """
        axis, m = self.axis, len(self.totals.negative)
        totals = self.totals.taken(np.argsort(abs(2 * np.arange(m) - m), kind="stable"))
        widths = totals.widths[axis]
        ends = np.cumsum(widths)
        start, many = 0, AT_FIRST
        while start < ends[-1:].sum():
            if start > most_pairs:
                raise UsageError(
                    f"these numbers leave {float(ends[-1]):.0e} pairs of counts to be tried, more than "
                    f"{most_pairs:.0e}",
                    way_out=["give the number of positives", "give the prevalence", "give more decimals"],
                )
            pairs = np.arange(start, min(start + many, ends[-1]))
            rows = np.searchsorted(ends, pairs, side="right")
            values = totals.low[axis][rows] + pairs - (ends - widths)[rows]
            part = totals.taken(rows)
            yield part, values, *self.interval(part, 1 - axis, values)
            start, many = start + many, min(2 * many, AT_ONCE)

    def exists(self, most_pairs: int = MOST_PAIRS) -> bool:
        """Tell whether there is a solution. Raises UsageError where that is not known after so many pairs."""
        return any((low <= high).any() for _, _, low, high in self._tried(most_pairs))

    def solutions(self, most: int = MOST, most_pairs: int = MOST_PAIRS) -> Integers | None:
        """Return all tables tn, fp, fn, tp, (m, 4), sorted; None where there are more than ``most``.

        Raises UsageError where that is not known after so many pairs of class totals and a count.
        """
        tables, many = [np.empty((0, 4), dtype=np.int64)], 0
        for totals, values, low, high in self._tried(most_pairs):
            widths = np.maximum(high - low + 1, 0)
            many += int(widths.sum())
            if many > most:
                return None
            rows = np.repeat(np.arange(len(low)), widths)
            run = low[rows] + np.arange(len(rows)) - np.repeat(np.cumsum(widths) - widths, widths)
            fp, tp = (run, values[rows]) if self.axis == TP else (values[rows], run)
            tables.append(np.stack([totals.negative[rows] - fp, fp, totals.positive[rows] - tp, tp], axis=1))
        whole = np.concatenate(tables)
        return whole[np.lexsort(whole.T[::-1])]

    def bounds(self) -> Integers:
        """Return the smallest and the largest tn, fp, fn, tp of all solutions, (2, 4), without listing them."""
        fp = [self._extreme(FP, sign, np.zeros_like(self.totals.negative)) for sign in (1, -1)]
        tp = [self._extreme(TP, sign, np.zeros_like(self.totals.negative)) for sign in (1, -1)]
        tn = [-self._extreme(FP, -sign, -self.totals.negative) for sign in (1, -1)]
        fn = [-self._extreme(TP, -sign, -self.totals.positive) for sign in (1, -1)]
        return np.array([tn, fp, fn, tp], dtype=np.int64).T

    def _extreme(self, axis: int, sign: int, offset: Integers) -> int:
        """Return the smallest (``sign`` 1) or the largest (−1) x + offset, or y + offset, of all solutions.

        Class totals come in the order of the best that they could have, up to where none can be better.
        """
        totals, other = self.totals, 1 - axis
        ends = totals.low[axis] if sign > 0 else totals.high[axis]
        reach = sign * (ends + offset)
        order = np.argsort(reach, kind="stable")
        best: int | None = None
        start = 0
        while start < len(order) and (best is None or reach[order[start]] < best):
            rows, depth, width = order[start : start + 4096], 0, 1
            start += len(rows)
            while len(rows):
                again = np.repeat(np.arange(len(rows)), width)
                steps = depth + np.tile(np.arange(width), len(rows))
                chosen = rows[again]
                possible = self._possible(axis, chosen, steps, reach, best)
                again, steps, chosen = again[possible], steps[possible], chosen[possible]
                low, high = self.interval(totals.taken(chosen), other, ends[chosen] + sign * steps)
                fits = low <= high
                if fits.any():
                    reached = int((reach[chosen] + steps)[fits].min())
                    best = reached if best is None else min(best, reached)
                depth += width
                rows = rows[np.bincount(again[fits], minlength=len(rows)) == 0]
                rows = rows[self._possible(axis, rows, np.full(len(rows), depth), reach, best)]
                width = max(1, min(2 * width, AT_ONCE // max(len(rows), 1)))
        return sign * int(best if best is not None else 0)

    def _possible(self, axis: int, rows: Integers, steps: Integers, reach: Integers, best: int | None) -> Flags:
        """Tell which steps inwards stay in range, and would be better than the best that was found."""
        possible = steps < self.totals.widths[axis][rows]
        return np.asarray(possible if best is None else possible & (reach[rows] + steps < best))


def _inequalities(
    rate: Printed, totals: Totals, axis: int, fixed: NDArray[Any], kind: Any
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield (c, s) of the inequalities c + s·t ≥ 0: a rate is defined, and rounds to what is printed."""
    negative, positive = totals.negative.astype(kind), totals.positive.astype(kind)
    ratios = []
    for t in (0, 1):
        x, y = (t, fixed) if axis == FP else (fixed, t)
        ratios.append(rate.ratio((negative - x, x + 0 * negative, positive - y, y + 0 * negative)))
    (top, bottom), (top_1, bottom_1) = ratios
    low, high = rate.ends()
    for of_top, of_bottom, constant in (
        (0, 1, -1), (low.denominator, -low.numerator, 0), (-high.denominator, high.numerator, 0),
    ):  # fmt: skip
        start = of_top * top + of_bottom * bottom + constant
        slope = of_top * (top_1 - top) + of_bottom * (bottom_1 - bottom)
        yield np.broadcast_to(start, fixed.shape), np.broadcast_to(slope, fixed.shape)


# ---- Matthews' correlation, which falls with fp and rises with tp at given class totals

# Where MCC is some c > 0, N·tp − P·fp = c·√(N·P·τ·(n − τ)) with τ = fp + tp: an arc of an ellipse through (0, 0) and
# (N, P), with both of its tangents there outside the rectangle of fp and tp, so that it rises inside; so for c < 0. At
# these two corners it has no value, and counts as 0 in what follows.


def _intervals_of_correlation(
    least: Fraction, most: Fraction, totals: Totals, axis: int, fixed: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Yield the intervals of fp (``axis`` FP, tp is fixed) or of tp with an MCC, one of ``least``, and of ``most``.

    >>> ten, half = np.array([10]), Fraction(1, 2)
    >>> totals = Totals(ten, ten, np.zeros((2, 1), dtype=int), np.full((2, 1), 10))
    >>> list(_intervals_of_correlation(half, Fraction(3, 5), totals, FP, np.array([8])))[1:]
    [(array([0]), array([3])), (array([2]), array([20]))]
    """
    negative, positive = totals.negative, totals.positive
    total = negative + positive
    both = (negative > 0) & (positive > 0)
    yield np.where(both, 1 - fixed, total), np.where(both, total - 1 - fixed, -1)
    for bound, strictly in ((least, False), (most, True)):
        # the first number at which MCC reaches the bound, or, of fp, no longer does
        first, beyond = totals.low[axis].copy(), totals.high[axis] + 1
        while (open_ := first < beyond).any():
            middle = (first + beyond) // 2
            fp, tp = (middle, fixed) if axis == FP else (fixed, middle)
            holds = _reaches(bound, negative, positive, fp, tp, strictly) != (axis == FP)
            beyond = np.where(open_ & holds, middle, beyond)
            first = np.where(open_ & ~holds, middle + 1, first)
        yield (np.zeros_like(first), first - 1) if strictly != (axis == FP) else (first, total)


def _reaches(
    bound: Fraction, negative: Integers, positive: Integers, fp: Integers, tp: Integers, strictly: bool
) -> Flags:
    """Tell where MCC ≥ bound, or MCC > bound; floats decide what is clear, integers the rest."""
    predicted = fp + tp
    covariance = negative * tp - positive * fp
    spread = 1.0 * negative * positive * predicted * (negative + positive - predicted)
    difference = covariance / np.sqrt(np.maximum(spread, 1.0)) - float(bound)
    out = difference > 0
    for i in np.flatnonzero(abs(difference) < CERTAIN):
        n, p, t, c = (int(column[i]) for column in (negative, positive, predicted, covariance))
        left = c * abs(c) * bound.denominator**2
        right = bound.numerator * abs(bound.numerator) * n * p * t * (n + p - t)
        out[i] = left > right if strictly else left >= right
    return np.asarray(out)

"""From printed rates to all tables of whole counts that round to them, or to the numbers that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import ceil, floor, isfinite
from typing import Any, TypeAlias

import numpy as np

from ..checks.numbers import refuse_idle_decimals
from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, listed
from ..typing import Integers
from .rates import OBLIQUE, RATES, Printed, decimals_of, printed
from .search import MOST, MOST_TOTALS, Search

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
    if n is not None:
        p, m = (n - m if p is None and m is not None else p), (n - p if m is None and p is not None else m)
    if n == 0 or (p == 0 and m == 0):
        raise UsageError("there are no cases", expected="n of at least 1")
    return Sizes(p + m if n is None and p is not None and m is not None else n, p, m)


def _size(name: str, value: Any) -> int | None:
    if value is None:
        return None
    whole = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not whole or value != value or value in (float("inf"), float("-inf")) or value != int(value) or value < 0:
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
    decimals: int | Mapping[str, int] | None = None,
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
        How many decimals the numbers (not the texts) were printed with, for all rates or for each by its name; by
        default as many as Python prints. Python stores 0.80 as 0.8, so pass ``decimals=2``, or "0.80".

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
    if isinstance(decimals, Mapping) and (unknown := [name for name in decimals if name not in given]):
        raise UsageError(f"decimals are given for {unknown[0]!r}, which is no rate given here")
    values = [printed(name, value, decimals_of(name, decimals)) for name, value in given.items()]
    refuse_idle_decimals(decimals, given.values())
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
    core = list(rates)
    for rate in rates:
        fewer = [other for other in core if other is not rate]
        if len(fewer) > 1 and not _exists(fewer, sizes, otherwise=True):
            core = fewer
    return core


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

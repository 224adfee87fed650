"""Numbers that contradict each other: the fewest that do, and the nearest value of one of them that would fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, isfinite

import numpy as np

from ..errors import DataError, UsageError
from ..performances import Performances
from .extremes import Ends, extremes
from .leeway import leeway
from .rates import OBLIQUE, Printed
from .search import Search

EFFORT = 3_000_000
"""Pairs of class totals and a count that one question may take; there are many."""

TOO_MANY = 50_000
"""Class totals at which it takes long to list solutions, and too long to tell which of some numbers are wrong if they
have a correlation or an odds ratio among them."""

FLOATS = Fraction(1, 10**9)
"""By so much of a unit values in floats may miss the end that they are."""

Searcher = Callable[[Sequence[Printed]], Search]
"""Gives the search for the tables that round to some rates."""


def contradiction(rates: Sequence[Printed], search: Searcher, sizes: str) -> DataError:
    """Return the error about rates that no table of counts rounds to."""
    if len(search(rates).negative) > TOO_MANY and any(rate.key in OBLIQUE for rate in rates):
        named = f"{', '.join(map(str, rates[:-1]))} and {rates[-1]}" if len(rates) > 1 else str(rates[0])
        way_out = "check them all, or give n_positive, too, to learn which contradict each other"
        return DataError(f"no table of whole counts with {sizes} has {named}", way_out=way_out)
    core = _smallest(rates, search)
    named = " and ".join(filter(None, (", ".join(map(str, core[:-1])), str(core[-1]))))
    what = f"no table of whole counts with {sizes} has {named}"
    for context in (list(rates), core):
        near = [nearest for rate in core if (nearest := _nearest(rate, context, search))]
        if near:
            _, rate = min(near, key=lambda pair: pair[0])
            beside = "" if len(context) == 1 else " with the other numbers" if context is not core else " with the rest"
            return DataError(what, way_out=f"the nearest that does fit{beside} is {rate.name} {rate.text}")
    return DataError(what, way_out="no other value of one of these alone would fit the rest: check them all")


def _smallest(rates: Sequence[Printed], search: Searcher) -> list[Printed]:
    """Return the fewest rates that contradict each other: one, two, or more of which none can be spared."""
    for size in (1, 2):
        for some in combinations(rates, size):
            if size < len(rates) and not _exists(some, search, otherwise=True):
                return list(some)
    core = list(rates)
    for rate in rates:
        fewer = [other for other in core if other is not rate]
        if len(fewer) > 1 and not _exists(fewer, search, otherwise=True):
            core = fewer
    return core


def _exists(rates: Sequence[Printed], search: Searcher, *, otherwise: bool) -> bool:
    try:
        return search(rates).exists(EFFORT)
    except UsageError:  # without one of them the class totals have no bound, or there is too much to try
        return otherwise


def _nearest(rate: Printed, rates: Sequence[Printed], search: Searcher) -> tuple[Fraction, Printed] | None:
    """Return how many units away the nearest value of a rate is that fits all the others, and the rate with it."""
    others = [other for other in rates if other is not rate]
    try:
        few = len(search(others or [rate]).negative) <= TOO_MANY
        whole = others or [rate.at(rate.value, _widest(rate))]
        counts = search(whole).solutions(most_pairs=EFFORT) if few else None
    except UsageError:
        return None
    if counts is not None:
        values = rate.values(counts)
        values = values[np.isfinite(values)]
        if not len(values):
            return None
        value = Fraction(float(values[np.argmin(abs(values - float(rate.value)))]))
        steps = max(abs(round((value - rate.value) / rate.unit)), 1)
        return _on_a_side(rate, steps, others, search)
    low, high = 0, 1
    while not _exists([*others, rate.at(rate.value, high)], search, otherwise=False):
        if high > _widest(rate):
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _exists([*others, rate.at(rate.value, middle)], search, otherwise=False):
            high = middle
        else:
            low = middle
    return _on_a_side(rate, high, others, search)


def _widest(rate: Printed) -> int:
    """Return how many units the range of a rate has."""
    high = rate.score.high if isfinite(rate.score.high) else float(100 * (rate.value + 1))
    return int((Fraction(high) - Fraction(rate.score.low)) / rate.unit) + 1


def _on_a_side(
    rate: Printed, steps: int, others: Sequence[Printed], search: Searcher
) -> tuple[Fraction, Printed] | None:
    """Return the rate some units below or above what is printed, whichever fits the others."""
    for distance in (steps, steps + 1, steps - 1):
        for sign in (-1, 1):
            value = rate.value + sign * distance * rate.unit
            inside = rate.score.low <= value <= rate.score.high
            if inside and distance and _exists([*others, rate.at(value)], search, otherwise=False):
                return Fraction(distance), rate.at(value)
    return None


def contradiction_of_shares(rates: Sequence[Printed]) -> DataError:
    """Return the error about rates that no table of shares has, with what the others leave of each in conflict."""
    core = list(rates)
    for rate in rates:
        fewer = [other for other in core if other is not rate]
        if fewer and leeway(fewer) is None:
            core = fewer
    if len(core) == 1:
        return DataError(f"no table has {core[0]}", way_out="check it")
    ways = [way for rate in core for way in _left(rate, rates)] or [way for rate in core for way in _left(rate, core)]
    named = f"{', '.join(map(str, core[:-1]))} and {core[-1]}"
    left = f"the other columns leave {', or '.join(ways)}" if ways else "check them all"
    return DataError(f"{named} contradict each other", way_out=left)


def _left(rate: Printed, rates: Sequence[Printed]) -> Iterator[str]:
    """Yield the range that other rates leave for one, if they do not contradict each other."""
    row = leeway([other for other in rates if other is not rate])
    ends = Ends(None, None) if row is None else extremes(row, rate.score, None)
    if ends.worst is not None and ends.best is not None:
        tables = Performances.from_exact(np.array([ends.worst, ends.best], dtype=object))
        low, high = sorted(map(Fraction, rate.score(tables).tolist()))
        unit = rate.unit / 10  # rounded outwards to one more digit than is printed
        outward = floor(low / unit + FLOATS) * unit, ceil(high / unit - FLOATS) * unit
        texts = [replace(rate, unit=unit).at(end).text for end in outward]
        yield f"{texts[0] if texts[0] == texts[1] else ' to '.join(texts)} for {rate.name}"

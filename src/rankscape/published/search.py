"""The search for all tables of whole counts that round to what is printed, by exact intervals instead of a scan.

At class totals N and P two numbers are left, x = fp and y = tp. Each printed rate bounds one of them by an interval
where the other is fixed, for it is a ratio of forms that are linear in each of both, or, as MCC, monotone in each.
So at most one of them is run through, in arrays. Floats only narrow the ranges beforehand, outwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..typing import Flags, Floats, Integers
from .rates import OBLIQUE, POSITIVE, Printed
from .shares import Space

MOST = 1_000_000
"""Solutions that are listed; of more only the bounds are given."""

MOST_PAIRS = 20_000_000
"""Pairs of class totals and a count that a search goes through before it gives up."""

MOST_TOTALS = 20_000_000
"""Class totals that a search goes through."""

AT_ONCE = 1 << 19
FEW = 10_000
"""More class totals are narrowed by the share of positives first."""
SEVERAL = 1 << 14
MOST_BOXES = 1 << 19
WORTHWHILE = 0.9
"""Ranges are halved up to so many, as long as this leaves less to be run through."""
_IN_64_BITS = 1 << 61
CERTAIN = 1e-9
"""Correlations in floats that differ by more are certainly in this order; others are compared as integers."""

DEFINED, LOW, HIGH = "dlh"
ALL = DEFINED + LOW + HIGH
"""What a printed rate says of a table: it has a value there, which is not below, and not above, what is printed."""
FP, TP = 0, 1
"""The two counts that are left at given class totals: fp is x, tp is y."""


@dataclass(frozen=True)
class Totals:
    """Class totals, (m,), with the ranges, (2, m), that x = fp and y = tp may have there."""

    negative: Integers
    positive: Integers
    low: Integers
    high: Integers

    def __len__(self) -> int:
        return len(self.negative)

    def taken(self, rows: Any) -> Totals:
        """Return some of the class totals."""
        return Totals(self.negative[rows], self.positive[rows], self.low[:, rows], self.high[:, rows])

    def within(self, low: Integers, high: Integers) -> Totals:
        """Return what is left in other ranges, too."""
        box = Totals(self.negative, self.positive, np.maximum(self.low, low), np.minimum(self.high, high))
        return box.taken((box.low <= box.high).all(axis=0))

    def halved(self) -> Totals:
        """Return the same class totals twice, each with half of the values of y."""
        middle = (self.low[TP] + self.high[TP]) // 2
        lower = self.within(self.low, np.stack([self.high[FP], middle]))
        return _joined([lower, self.within(np.stack([self.low[FP], middle + 1]), self.high)])

    def widths(self, axis: int) -> Integers:
        """Return how many values x or y may have."""
        return np.asarray(self.high[axis] - self.low[axis] + 1)

    def pairs(self) -> int:
        """Return how many values of x or of y there are to be run through."""
        return int((self.high - self.low + 1).sum(axis=1).min())


class Search:
    """The tables of counts at some class totals, arrays of equal length, that round to the printed rates."""

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

    def interval(
        self, totals: Totals, axis: int, fixed: Integers, rates: Sequence[Printed] | None = None, sides: str = ALL
    ) -> tuple[Integers, Integers]:
        """Return the interval of x (``axis`` FP) where y is fixed, or of y where x is, that fits all rates; exact.

        ``rates`` and ``sides`` restrict that to some of the rates, and to some of what each says.
        """
        low, high = totals.low[axis].copy(), totals.high[axis].copy()
        for rate in self.rates if rates is None else rates:
            if rate.key == "mcc":
                least, most = rate.low if LOW in sides else Fraction(-1), rate.high if HIGH in sides else Fraction(1)
                classes = totals.negative, totals.positive
                low, high = _interval_of_correlation(least, most, *classes, axis, fixed, low, high)
                continue
            kind = self._kind(rate)
            for constant, slope in self._inequalities(rate, totals, axis, fixed.astype(kind), kind, sides):
                up, down = slope > 0, slope < 0
                step = np.where(slope == 0, 1, abs(slope))
                edge = constant // step  # rounded down
                low = np.where(up, np.maximum(low, -edge), low)
                high = np.where(down, np.minimum(high, edge), np.where(~up & (constant < 0), low - 1, high))
        return low.astype(np.int64), high.astype(np.int64)

    def _inequalities(
        self, rate: Printed, totals: Totals, axis: int, fixed: NDArray[Any], kind: Any, sides: str
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yield (c, s) of the inequalities c + s·t ≥ 0: a rate is defined, and rounds to what is printed."""
        negative, positive = totals.negative.astype(kind), totals.positive.astype(kind)
        ratios = []
        for t in (0, 1):
            x, y = (t, fixed) if axis == FP else (fixed, t)
            ratios.append(rate.ratio((negative - x, x + 0 * negative, positive - y, y + 0 * negative)))
        (top, bottom), (top_1, bottom_1) = ratios
        low, high = rate.ends()
        signs = {DEFINED: (0, 1, -1), LOW: (low.denominator, -low.numerator, 0),
                 HIGH: (-high.denominator, high.numerator, 0)}  # fmt: skip
        for side in sides:
            of_top, of_bottom, constant = signs[side]
            start = of_top * top + of_bottom * bottom + constant
            slope = of_top * (top_1 - top) + of_bottom * (bottom_1 - bottom)
            yield np.broadcast_to(start, fixed.shape), np.broadcast_to(slope, fixed.shape)

    # ---- ranges, outwards

    @cached_property
    def totals(self) -> Totals:
        """The class totals that may have solutions, with ranges of x and y that leave none out."""
        negative, positive = self._inside
        parts = [
            self._narrowed(negative[start : start + AT_ONCE], positive[start : start + AT_ONCE])
            for start in range(0, max(len(negative), 1), AT_ONCE)
        ]
        return _joined(parts)

    @cached_property
    def _inside(self) -> tuple[Integers, Integers]:
        """The class totals with a share of positives that the linear rates leave, where there are many."""
        if len(self.negative) <= FEW:
            return self.negative, self.positive
        cone = Space(self.rates).straight
        if not cone.rays:
            return self.negative[:0], self.positive[:0]
        total = self.negative + self.positive
        low, high = (float(end) for end in cone.range(POSITIVE))
        inside = (self.positive >= low * total - 1) & (self.positive <= high * total + 1)  # floats are rounded
        return self.negative[inside], self.positive[inside]

    def _narrowed(self, negative: Integers, positive: Integers) -> Totals:
        box = Totals(negative, positive, np.zeros((2, len(negative)), dtype=np.int64), np.stack([negative, positive]))
        box = self._projected(box.taken((negative + positive) > 0))
        if any(rate.key in OBLIQUE for rate in self.rates):
            before, box = box, self._projected(self._cornered(box))
            while len(box) <= MOST_BOXES < box.pairs() < WORTHWHILE * before.pairs():
                before, box = box, self._cornered(self._projected(self._cornered(box.halved())))
        return box

    def _projected(self, box: Totals) -> Totals:
        """Narrow the ranges of x and y to what the linear inequalities leave, each pair of them without the other."""
        n, p = box.negative.astype(np.float64), box.positive.astype(np.float64)
        zero, one = np.zeros(len(box)), np.ones(len(box))
        forms: list[tuple[Any, Any, Any]] = [(-1.0 * box.low[FP], one, zero), (1.0 * box.high[FP], -one, zero),
                 (-1.0 * box.low[TP], zero, one), (1.0 * box.high[TP], zero, -one)]  # fmt: skip
        for rate in self.rates:
            if rate.key in OBLIQUE:
                continue
            ratios = [rate.ratio((n - x, zero + x, p - y, zero + y)) for x, y in ((0, 0), (1, 0), (0, 1))]
            for sign, end in ((1, rate.low), (-1, rate.high)):
                values = [sign * (top - bottom * float(end)) for top, bottom in ratios]
                forms.append((values[0], values[1] - values[0], values[2] - values[0]))
        low, high = box.low.copy(), box.high.copy()
        for axis in (FP, TP):
            for constant, slope, size in _eliminated(forms, axis):
                with np.errstate(divide="ignore", invalid="ignore"):
                    edge, margin = -constant / slope, 1e-9 + 1e-11 * size / abs(slope)
                    certain = abs(slope) > 1e-9 * np.maximum(size / (1.0 + n + p), 1e-300)
                    below = np.where(certain & (slope > 0), np.ceil(edge - margin), -1.0)
                    above = np.where(certain & (slope < 0), np.floor(edge + margin), n + p)
                below = np.where(~certain & (constant < -1e-8 * size), n + p + 1, below)  # whatever the variable is
                low[axis] = np.maximum(low[axis], np.clip(below, -1, n + p + 1).astype(np.int64))
                high[axis] = np.minimum(high[axis], np.clip(above, -1, n + p + 1).astype(np.int64))
        return box.within(low, high)

    def _cornered(self, box: Totals) -> Totals:
        """Narrow the ranges by the scores that are no ratios of linear forms, but fall with fp and rise with tp."""
        for rate in self.rates:
            if rate.key not in OBLIQUE or not len(box):
                continue
            # the largest x fits the largest y, and the smallest the smallest; likewise the other way round
            highest_x = self.interval(box, FP, box.high[TP], [rate], LOW)[1]
            lowest_x = self.interval(box, FP, box.low[TP], [rate], HIGH)[0]
            lowest_y = self.interval(box, TP, box.low[FP], [rate], LOW)[0]
            highest_y = self.interval(box, TP, box.high[FP], [rate], HIGH)[1]
            # MCC has no value at (0, 0) and (N, P), which may be a corner beyond a range that has one
            highest_x += (box.high[TP] == box.positive) & (highest_x == box.negative - 1)
            lowest_x -= (box.low[TP] == 0) & (lowest_x == 1)
            lowest_y -= (box.low[FP] == 0) & (lowest_y == 1)
            highest_y += (box.high[FP] == box.negative) & (highest_y == box.positive - 1)
            box = box.within(np.stack([lowest_x, lowest_y]), np.stack([highest_x, highest_y]))
        return box

    # ---- what comes out

    def _pairs(self, axis: int, most_pairs: int) -> Iterator[tuple[Totals, Integers]]:
        """Yield class totals with a value of x or y that may be one of theirs, in blocks."""
        totals = self.totals
        ends = np.cumsum(totals.widths(axis))
        start = 0
        while start < len(totals):
            before = int(ends[start - 1]) if start else 0
            if before > most_pairs:
                raise UsageError(
                    f"these numbers leave {float(ends[-1]):.0e} pairs of counts to be tried, more than "
                    f"{most_pairs:.0e}",
                    way_out=["give the number of positives", "give the prevalence", "give more decimals"],
                )
            stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
            part = totals.taken(slice(start, stop))
            widths = part.widths(axis)
            if len(part) == 1 and widths[0] > AT_ONCE:
                for first in range(int(part.low[axis][0]), int(part.high[axis][0]) + 1, AT_ONCE):
                    values = np.arange(first, min(first + AT_ONCE, int(part.high[axis][0]) + 1))
                    yield part.taken(np.zeros(len(values), dtype=np.int64)), values
            else:
                rows_of_part = np.repeat(np.arange(len(part)), widths)
                offsets = np.arange(len(rows_of_part)) - np.repeat(np.cumsum(widths) - widths, widths)
                yield part.taken(rows_of_part), part.low[axis][rows_of_part] + offsets
            start = stop

    @property
    def axis(self) -> int:
        """The count that is run through, of which fewer values are left."""
        return TP if self.totals.widths(TP).sum() <= self.totals.widths(FP).sum() else FP

    def exists(self, most_pairs: int = MOST_PAIRS) -> bool:
        """Tell whether there is a solution. Raises UsageError where that is not known after so many pairs."""
        negative, positive = self._inside
        if len(negative) > SEVERAL:  # in parts, from the middle outwards, for mostly one of the first has a solution
            starts = sorted(range(0, len(negative), SEVERAL), key=lambda start: abs(2 * start - len(negative)))
            left = most_pairs
            for start in starts:
                rows = slice(start, start + SEVERAL)
                part = Search(negative[rows], positive[rows], self.rates)
                if part.exists(left):
                    return True
                left = max(left - part.totals.pairs(), 0)
            return False
        other = FP if self.axis == TP else TP
        for totals, values in self._pairs(self.axis, most_pairs):
            low, high = self.interval(totals, other, values)
            if (low <= high).any():
                return True
        return False

    def solutions(self, most: int = MOST, most_pairs: int = MOST_PAIRS) -> Integers | None:
        """Return all tables tn, fp, fn, tp, (m, 4), sorted; None where there are more than ``most``.

        Raises UsageError where that is not known after so many pairs of class totals and a count.
        """
        axis, tables, count = self.axis, [], 0
        other = FP if axis == TP else TP
        for totals, values in self._pairs(axis, most_pairs):
            low, high = self.interval(totals, other, values)
            rows = np.flatnonzero(low <= high)
            widths = (high - low + 1)[rows]
            count += int(widths.sum())
            if count > most:
                return None
            again = np.repeat(rows, widths)
            offsets = np.arange(len(again)) - np.repeat(np.cumsum(widths) - widths, widths)
            run, still = low[again] + offsets, values[again]
            fp, tp = (run, still) if other == FP else (still, run)
            negative, positive = totals.negative[again], totals.positive[again]
            tables.append(np.stack([negative - fp, fp, positive - tp, tp], axis=1))
        whole = np.concatenate([np.empty((0, 4), dtype=np.int64), *tables])
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
        totals, other = self.totals, FP if axis == TP else TP
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
        possible = steps < self.totals.widths(axis)[rows]
        return np.asarray(possible if best is None else possible & (reach[rows] + steps < best))


def _joined(parts: Sequence[Totals]) -> Totals:
    columns = zip(*((part.negative, part.positive, part.low, part.high) for part in parts), strict=True)
    return Totals(*(np.concatenate(column, axis=-1) for column in columns))


def _eliminated(forms: Sequence[tuple[Floats, Floats, Floats]], axis: int) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield what c + a·x + b·y ≥ 0 say of one variable alone, with the size of the numbers (Fourier and Motzkin)."""
    kept, gone = (1, 2) if axis == FP else (2, 1)
    for form in forms:
        alone = form[gone] == 0
        yield np.where(alone, form[0], 0.0), np.where(alone, form[kept], 0.0), abs(form[0]) + abs(form[kept])
    for one, two in combinations([form for form in forms if form[gone].any()], 2):
        opposite = one[gone] * two[gone] < 0
        if opposite.any():
            u, v = np.where(opposite, abs(two[gone]), 0.0), np.where(opposite, abs(one[gone]), 0.0)
            size = abs(u * one[0]) + abs(v * two[0]) + abs(u * one[kept]) + abs(v * two[kept])
            yield u * one[0] + v * two[0], u * one[kept] + v * two[kept], size


# ---- Matthews' correlation, which falls with fp and rises with tp at given class totals

# Where MCC is some c > 0, N·tp − P·fp = c·√(N·P·τ·(n − τ)) with τ = fp + tp: an arc of an ellipse through (0, 0) and
# (N, P), with both of its tangents there outside the rectangle of fp and tp, so that it rises inside; so for c < 0.


def _interval_of_correlation(
    least: Fraction, most: Fraction, negative: Integers, positive: Integers, axis: int, fixed: Integers, low: Integers,
    high: Integers,
) -> tuple[Integers, Integers]:  # fmt: skip
    """Return the interval of fp (``axis`` FP, tp is fixed) or of tp, from low to high, with an MCC from least to most.

    >>> ten, half = np.array([10]), Fraction(1, 2)
    >>> _interval_of_correlation(half, Fraction(3, 5), ten, ten, FP, np.array([8]), np.array([0]), ten)
    (array([2]), array([3]))
    """
    low, high = np.maximum(low, 1 - fixed), np.minimum(high, negative + positive - 1 - fixed)
    high = np.where((negative > 0) & (positive > 0), high, low - 1)

    def first(bound: Fraction, strictly: bool) -> Integers:
        """Return the first number at which MCC reaches a bound, or, of fp, no longer does; else high + 1."""
        below, above = low.copy(), np.maximum(high + 1, low)
        while (open_ := below < above).any():
            middle = (below + above) // 2
            at = np.minimum(middle, np.maximum(high, low))
            fp, tp = (at, fixed) if axis == FP else (fixed, at)
            holds = _reaches(bound, negative, positive, fp, tp, strictly) != (axis == FP)
            above = np.where(open_ & holds, middle, above)
            below = np.where(open_ & ~holds, middle + 1, below)
        return below

    beyond, within = first(most, True), first(least, False)
    return (beyond, within - 1) if axis == FP else (within, beyond - 1)


def _reaches(
    bound: Fraction, negative: Integers, positive: Integers, fp: Integers, tp: Integers, strictly: bool
) -> Flags:
    """Tell where MCC ≥ bound, or MCC > bound; floats decide what is clear, integers the rest."""
    predicted = fp + tp
    covariance = negative * tp - positive * fp
    spread = 1.0 * negative * positive * predicted * (negative + positive - predicted)
    difference = covariance / np.sqrt(np.maximum(spread, 1.0)) - float(bound)
    out = difference > 0
    for i in np.flatnonzero((abs(difference) < CERTAIN) & (spread > 0)):
        n, p, t, c = (int(column[i]) for column in (negative, positive, predicted, covariance))
        left = c * abs(c) * bound.denominator**2
        right = bound.numerator * abs(bound.numerator) * n * p * t * (n + p - t)
        out[i] = left > right if strictly else left >= right
    return np.asarray(out)

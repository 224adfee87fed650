"""Who is r-th in every column of the Tile, and where that changes: exact, by rational events.

In a column a, the odds against k are a line in b, y_k(b) = ((1−b)·fp + b·fn)/S_k(a), smaller is better; who is r-th
is the r-level of these lines. Lines k, l, j meet where the determinant of the rows (S, fp, fn) vanishes, and S is
linear in a: so on the border of two performances the order to a third changes at one rational a at most. From the
level at one column, the next such events to the left and to the right bound a slab on which nothing changes.

All numbers are Python's integers; correctly rounded quotients only say which of the fractions are to be compared.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.exact import quotients, ratio_levels
from ..typing import Integers

SPLITS = (Fraction(1, 2), Fraction(5, 13), Fraction(34, 55), Fraction(7, 31), Fraction(71, 97))
"""Where to look into an interval: another one where an event falls on the first."""


@dataclass(frozen=True)
class Slab:
    """An interval of columns in which the same groups are r-th, ``groups[0]`` at b = 0; they change at borders."""

    start: Fraction
    end: Fraction
    groups: tuple[int, ...]


class Columns:
    """The lines of m distinct performances; ``best_first`` is False where ranks are counted from the last."""

    def __init__(self, integers: NDArray[Any], sizes: Integers, best_first: bool) -> None:
        self.rows = [[int(x) for x in row] for row in integers]
        tn, fp, fn, tp = integers.astype(object).T
        self.ends = tn, tp  # S at a = 0 and at a = 1
        self.sides = (fp, fn) if best_first else (-fp, -fn)  # U at b = 0 and at b = 1
        self.sizes = sizes

    def level(self, a: Fraction, rank: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the groups that are r-th in the column a, b from 0 to 1, and the pairs that meet on the level."""
        low, high = self.sides
        s = (a.denominator - a.numerator) * self.ends[0] + a.numerator * self.ends[1]
        k = self._pick(np.lexsort((ratio_levels(high, s), ratio_levels(low, s))).tolist(), rank)
        groups, b = [k], Fraction(0)
        meetings: list[tuple[int, int]] = []
        while True:
            below, above = low * s[k] - low[k] * s, high * s[k] - high[k] * s  # y_j − y_k at both ends, times S_j·S_k
            following = _least_after(b, below, below - above)
            if following is None:
                return groups, meetings
            b = following
            at = (b.denominator - b.numerator) * below + b.numerator * above
            slope = {j: Fraction(high[j] - low[j], s[j]) for j in np.flatnonzero(at == 0).tolist()}
            meetings += [(k, j) for j in slope if j != k]
            k = self._pick(sorted(slope, key=slope.__getitem__), rank - int(self.sizes[at < 0].sum()))
            if k != groups[-1]:
                groups.append(k)

    def _pick(self, order: list[int], rank: int) -> int:
        for k in order:
            rank -= int(self.sizes[k])
            if rank <= 0:
                return k
        return order[-1]

    def events(self, groups: list[int], meetings: list[tuple[int, int]]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return linear functions of a, by their values at 0 and at 1: the order of some j to the level changes at 0.

        These are j ahead of the first group at b = 0, of the last one at b = 1, and of pairs where they meet.
        """
        low, high = self.sides
        differences = []
        for k, side, other in ((groups[0], low, high), (groups[-1], high, low)):
            here, there = ([s[k] * u - s * u[k] for s in self.ends] for u in (side, other))
            tied = (here[0] == 0) & (here[1] == 0)  # all along this side: then the other one decides
            differences.append([np.where(tied, y, x) for x, y in zip(here, there, strict=True)])
        for k, j in meetings:  # the determinant with each row: their product with the normal of two of them
            differences.append([
                s * (low[k] * high[j] - high[k] * low[j])
                + low * (high[k] * s[j] - s[k] * high[j])
                + high * (s[k] * low[j] - low[k] * s[j])
                for s in self.ends
            ])  # fmt: skip
        left, right = (np.concatenate(ends) for ends in zip(*differences, strict=True))
        return left, right


def _least_after(b: Fraction, tops: NDArray[Any], bottoms: NDArray[Any]) -> Fraction | None:
    """Return the least of some ratios of integers that lies between b and 1; None where none does."""
    values = quotients(tops, bottoms)
    for value in np.unique(values[(values >= float(b)) & (values <= 1)]):  # equal floats may be different fractions
        at = np.flatnonzero(values == value)
        later = [x for x in map(Fraction, tops[at], bottoms[at]) if b < x < 1]
        if later:
            return min(later)
    return None


class TooManySlabs(Exception):
    """There are more slabs than were asked for at most."""


def slabs(columns: Columns, rank: int, most: int | None = None) -> list[Slab]:
    """Return the slabs of who is r-th, from a = 0 to a = 1. Raises TooManySlabs where there are more than ``most``."""
    parts: list[Slab] = []
    waiting = [(Fraction(0), Fraction(1))]
    while waiting:
        if most is not None and len(parts) >= most:
            raise TooManySlabs
        start, end = waiting.pop()
        groups, (left, right) = _around(columns, rank, start, end)
        parts.append(Slab(left, right, tuple(groups)))
        waiting += [(x, y) for x, y in ((start, left), (right, end)) if x < y]
    return sorted(parts, key=lambda slab: slab.start)


def _around(columns: Columns, rank: int, start: Fraction, end: Fraction) -> tuple[list[int], tuple[Fraction, Fraction]]:
    """Return who is r-th in some column inside an interval, and the events next to it.

    There are finitely many events, so that one of infinitely many columns is none.
    """
    splits = chain(SPLITS, (Fraction(k, 2 * k + 1) for k in count(50)))
    while True:
        middle = _between(start, end, next(splits))
        groups, meetings = columns.level(middle, rank)
        around = _events_around(*columns.events(groups, meetings), middle, start, end)
        if around is not None:
            return groups, around


def _between(start: Fraction, end: Fraction, split: Fraction) -> Fraction:
    """Return a column inside an interval, with a small denominator where there is room."""
    exact = start + (end - start) * split
    simple = Fraction(round(exact * 2**40), 2**40)
    return simple if start < simple < end else exact


def _events_around(
    left: NDArray[Any], right: NDArray[Any], middle: Fraction, start: Fraction, end: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Return the events next to a column, inside an interval, or None where one falls on it."""
    changing = np.flatnonzero(((left < 0) & (right > 0)) | ((left > 0) & (right < 0)))
    tops, bottoms = left[changing], (left - right)[changing]
    roots, at = quotients(tops, bottoms), float(middle)
    nearest = [at, roots[roots < at].max(initial=-np.inf), roots[roots > at].min(initial=np.inf)]
    for row in np.flatnonzero(np.isin(roots, nearest)).tolist():
        root = Fraction(tops[row], bottoms[row])
        if root == middle:
            return None
        start, end = (max(start, root), end) if root < middle else (start, min(end, root))
    return start, end

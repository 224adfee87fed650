"""Who is r-th in every column of the Tile, and where that changes: exact, by rational events.

In a column a, the odds against k are a line in b, y_k(b) = ((1−b)·fp + b·fn)/S_k(a), smaller is better; who is r-th
is the r-level of these lines. Lines k, l, j meet where the determinant of the rows (S, fp, fn) vanishes, and S is
linear in a: so on the border of two performances the order to a third changes at one rational a at most. From the
level at one column, the next such events to the left and to the right bound a slab on which nothing changes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..typing import Floats, Integers

Exactly = Callable[[int], list[Fraction]]
NEAR = 1e-9
"""Floats closer than this (relative) are compared as fractions."""

DOUBTFUL = 1e-7
"""Differences smaller than this share of their terms give roots less accurate than NEAR: these are taken exactly."""

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
        total = integers.sum(axis=1)
        self.p = (integers / total[:, None]).astype(np.float64)
        self.sizes, self.sign = sizes, 1 if best_first else -1

    def satisfying(self, k: int, a: Fraction) -> int:
        """Return S_k(a), times the denominator of a."""
        return (a.denominator - a.numerator) * self.rows[k][0] + a.numerator * self.rows[k][3]

    # One column

    def level(self, a: Fraction, rank: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the groups that are r-th in the column a, b from 0 to 1, and the pairs that meet on the level."""
        x = float(a)
        s = (1 - x) * self.p[:, 0] + x * self.p[:, 3]
        for k in np.flatnonzero(s == 0).tolist():  # a column so near to a side that a rounds to 0 or 1
            s[k] = float(Fraction(self.satisfying(k, a), a.denominator * sum(self.rows[k])))
        y0, y1 = self.sign * self.p[:, 1] / s, self.sign * self.p[:, 2] / s
        k = self._at_start(a, rank, y0, y1)
        groups, b = [k], Fraction(0)
        meetings: list[tuple[int, int]] = []
        while True:
            crossing = self._next_crossing(a, k, b, y0, y1)
            if crossing is None:
                return groups, meetings
            b, tied = crossing
            meetings += [(k, j) for j in tied]
            k = self._after(a, rank, k, b, tied, y0, y1)
            if k != groups[-1]:
                groups.append(k)

    def _line(self, a: Fraction, k: int) -> tuple[Fraction, Fraction]:
        """Return the line of k at b = 0 and at b = 1, exactly; all divided by the same denominator."""
        s = self.satisfying(k, a)
        return self.sign * Fraction(self.rows[k][1], s), self.sign * Fraction(self.rows[k][2], s)

    def _pick(self, order: list[int], rank: int) -> int:
        for k in order:
            rank -= int(self.sizes[k])
            if rank <= 0:
                return k
        return order[-1]

    def _at_start(self, a: Fraction, rank: int, y0: Floats, y1: Floats) -> int:
        order = np.lexsort((y1, y0))
        pivot = y0[order[np.searchsorted(self.sizes[order].cumsum(), rank)]]
        near = np.abs(y0 - pivot) <= NEAR * np.abs(pivot)
        ahead = int(self.sizes[(y0 < pivot) & ~near].sum())
        return self._pick(sorted(np.flatnonzero(near).tolist(), key=lambda k: self._line(a, k)), rank - ahead)

    def _next_crossing(
        self, a: Fraction, k: int, b: Fraction, y0: Floats, y1: Floats
    ) -> tuple[Fraction, list[int]] | None:
        """Return the first b at which other lines cross line k above b, and these lines."""
        d0, d1 = y0 - y0[k], y1 - y1[k]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = d0 / (d0 - d1)
        doubtful = np.maximum(np.abs(d0), np.abs(d1)) <= DOUBTFUL * (np.abs(y0) + np.abs(y1))
        doubtful[k] = False
        for j in np.flatnonzero(doubtful).tolist():
            exactly = self._crossing(a, k, j)
            at[j] = np.nan if exactly is None else float(exactly)
        at[k] = np.nan
        possible = np.flatnonzero((at > float(b) - NEAR) & (at < 1 + NEAR))
        possible = possible[np.argsort(at[possible])]
        while len(possible):
            close = possible[: int(np.searchsorted(at[possible], at[possible[0]] + NEAR, side="right"))]
            exact = {int(j): self._crossing(a, k, int(j)) for j in close}
            later = {j: x for j, x in exact.items() if x is not None and b < x < 1}
            if later:
                first = min(later.values())
                return first, [j for j, x in later.items() if x == first]
            possible = possible[len(close) :]
        return None

    def _crossing(self, a: Fraction, k: int, j: int) -> Fraction | None:
        (k0, k1), (j0, j1) = self._line(a, k), self._line(a, j)
        below, above = j0 - k0, j1 - k1
        return below / (below - above) if below != above else None

    def _after(self, a: Fraction, rank: int, k: int, b: Fraction, tied: list[int], y0: Floats, y1: Floats) -> int:
        """Return who is r-th right above b, where the lines of ``tied`` meet line k."""
        x = float(b)
        y = (1 - x) * y0 + x * y1
        near = np.abs(y - y[k]) <= NEAR * np.abs(y[k])
        ahead = int(self.sizes[(y < y[k]) & ~near].sum())
        meeting = {k, *tied}
        value = self._value(a, k, b)
        for j in set(np.flatnonzero(near).tolist()) - meeting:
            ahead += int(self.sizes[j]) if self._value(a, j, b) < value else 0

        def slope(j: int) -> Fraction:
            below, above = self._line(a, j)
            return above - below

        return self._pick(sorted(meeting, key=slope), rank - ahead)

    def _value(self, a: Fraction, k: int, b: Fraction) -> Fraction:
        below, above = self._line(a, k)
        return (1 - b) * below + b * above

    # Events between columns

    def events(self, groups: list[int], meetings: list[tuple[int, int]]) -> Iterator[tuple[Floats, Exactly]]:
        """Yield, for all j at once, where the order of j to the level may change: floats, and exactly for one j."""
        for k, b in ((groups[0], 1), (groups[-1], 2)):
            yield self._end_roots(k, b), partial(self._exact_end, k, column=b)
        for k, other in meetings:
            yield self._meeting(k, other), partial(self._exact_meeting, k, other)

    def _end_roots(self, k: int, column: int) -> Floats:
        p = self.p
        ends = [p[k, s] * p[:, column] - p[:, s] * p[k, column] for s in (0, 3)]
        sizes = [p[k, s] * p[:, column] + p[:, s] * p[k, column] for s in (0, 3)]
        return _roots(ends[0], ends[1], np.maximum(sizes[0], sizes[1]))

    def _exact_end(self, k: int, j: int, column: int) -> list[Fraction]:
        p, q = self.rows[k], self.rows[j]
        for side in (column, 3 - column):  # where the two are tied all along a side, the other side decides
            ends = [p[s] * q[side] - q[s] * p[side] for s in (0, 3)]
            if any(ends):
                return _exact_root(*ends)
        return []

    def _meeting(self, k: int, other: int) -> Floats:
        p = self.p
        rows = (p[k], p[other], p.T)
        ends, sizes = [], []
        for s in (0, 3):
            positive = [rows[i][s] * rows[(i + 1) % 3][1] * rows[(i + 2) % 3][2] for i in range(3)]
            negative = [rows[i][s] * rows[(i + 1) % 3][2] * rows[(i + 2) % 3][1] for i in range(3)]
            ends.append(sum(positive) - sum(negative))
            sizes.append(sum(positive) + sum(negative))
        return _roots(ends[0], ends[1], np.maximum(sizes[0], sizes[1]))

    def _exact_meeting(self, k: int, other: int, j: int) -> list[Fraction]:
        return meeting_column([self.rows[i] for i in (k, other, j)])


def meeting_column(rows: list[list[int]]) -> list[Fraction]:
    """Return the column, inside the Tile, in which three lines meet: at most one.

    >>> meeting_column([[4, 5, 8, 9], [7, 4, 8, 5], [6, 8, 2, 4]])
    [Fraction(1, 2)]
    """
    return _exact_root(*(_determinant([(row[s], row[1], row[2]) for row in rows]) for s in (0, 3)))


def _roots(left: Floats, right: Floats, size: Floats) -> Floats:
    """Return where linear functions vanish; ∞ where rounding leaves that open, for terms of this size."""
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = left / (left - right)
    return np.where(np.maximum(np.abs(left), np.abs(right)) <= DOUBTFUL * size, np.inf, roots)


def _exact_root(left: int, right: int) -> list[Fraction]:
    return [Fraction(left, left - right)] if left * right < 0 else []


def _determinant(rows: list[tuple[int, int, int]]) -> int:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


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
        around = _events_around(columns.events(groups, meetings), middle, start, end)
        if around is not None:
            return groups, around


def _between(start: Fraction, end: Fraction, split: Fraction) -> Fraction:
    """Return a column inside an interval, with a small denominator where there is room."""
    exact = start + (end - start) * split
    simple = Fraction(round(exact * 2**40), 2**40)
    return simple if start < simple < end else exact


def _events_around(
    events: Iterator[tuple[Floats, Exactly]], middle: Fraction, start: Fraction, end: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Return the events next to a column, or None where one falls on it."""
    left, right = start, end
    low, high, at = float(start) - NEAR, float(end) + NEAR, float(middle)
    for roots, exactly in events:
        inside = np.flatnonzero((roots > low) & (roots < high) | np.isposinf(roots))
        certain = roots[inside]
        after = certain[(certain > at + NEAR) & np.isfinite(certain)]
        before = certain[certain < at - NEAR]
        edge_right = after.min() + NEAR if len(after) else np.inf
        edge_left = before.max() - NEAR if len(before) else -np.inf
        close = inside[((certain <= edge_right) & (certain >= edge_left)) | np.isposinf(certain)]
        for j in close.tolist():
            for root in exactly(j):
                if root == middle:
                    return None
                if middle < root < right:
                    right = root
                elif left < root < middle:
                    left = root
    return left, right

"""Where lines x + t·y cross at t > 0: their order at a place, how many crossings lie before it, and which is the k-th.

Two lines cross once at most, and an order is the one at t = 0 but for the crossings before: these are its inversions.
So any of the n²/2 crossings is found in O(n log n) expected, by selection as in Floyd and Rivest's algorithm: places of
crossings drawn at random enclose the one sought; the few that are left between two orders are listed. (Cole, Salowe,
Steiger and Szemerédi, 1989, have the idea.) Everything is decided on integers.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Integers
from . import backend, native
from .exact import limbs_of, quotients, ratio_levels

Place = tuple[int, int]
"""A place t as numerator and denominator: (0, 1) is 0, (1, 0) is ∞."""

START: Place = (0, 1)
END: Place = (1, 0)
LARGEST = 2**62
"""Integers below this are compared by the compiled kernel as they are."""

FEW_ORDERS = 6
"""Orders of long integers that NumPy finds before limbs are made of them: two ends, and one place with its ties."""
ROUNDING = 32 * 2.0**-53
TINY = 1e-290
"""Keys are closer than rounding tells apart where they differ by less than ROUNDING, relatively, or TINY."""
SMALLEST = 1e-140
"""Coefficients, or places, smaller than this, or larger than its inverse, are not compared as floats at all."""
SAMPLE = 50_000
CANDIDATES = 4_000_000
FEW = 1000
"""Crossings drawn to enclose the one sought, candidates for them, and how few found of these are too few."""


class Lines:
    """Lines (left + t·right)/scale, left and right ≥ 0, scale > 0, numbered in their order just after t = 0.

    ``exact`` returns left, right, scale of some rows as integers, (k, 3); ``x`` and ``y`` are proportional
    to left/scale and right/scale within seven roundings; ``original`` says which row each number stands for.

    >>> lines = lines_of_integers(np.array([[3, 1, 1], [1, 2, 1], [2, 2, 1]]))
    >>> (
    ...     lines.original.tolist(),
    ...     lines.order((2, 1), after=False).tolist(),
    ...     lines.order((2, 1), after=True).tolist(),
    ... )
    ([1, 2, 0], [0, 2, 1], [2, 0, 1])
    """

    def __init__(
        self, exact: Callable[[Integers], NDArray[Any]], x: Floats, y: Floats, integers: Integers | None = None
    ) -> None:
        self._exact, self.x, self.y, self._orders = exact, x, y, 0
        self.original: Integers = np.arange(len(x))
        self._short = backend.COMPILED and integers is not None and int(integers.max(initial=0)) < LARGEST
        self._limbs = np.ascontiguousarray(integers).view(np.uint64)[:, :, None] if self._short else None
        self.compiled = self._short or (backend.COMPILED and self._ordinary)
        order = self.order(START, after=True)
        self.original, self.x, self.y = order, np.ascontiguousarray(x[order]), np.ascontiguousarray(y[order])
        self._limbs = None if self._limbs is None else self._limbs[order]

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def _ordinary(self) -> bool:
        """Whether floats hold all x and y with full precision, and so do their sums."""
        known = np.concatenate([self.x, self.y])
        known = known[known != 0]
        return bool((np.isfinite(known) & (known > SMALLEST) & (known < 1 / SMALLEST)).all())

    def limbs(self) -> NDArray[np.uint64]:
        """Return the lines in limbs of 64 bits, made once many orders or crossings are asked for: these cost more."""
        if self._limbs is None:
            self._limbs = limbs_of(self.exact(np.arange(len(self))))
        return self._limbs

    def expect_many(self) -> None:
        """Let the orders that follow be those of limbs: there will be so many of them that limbs pay."""
        self._orders = FEW_ORDERS

    def order(self, t: Place, after: bool) -> Integers:
        """Return the numbers of the lines from the lowest to the highest just after, or just before, a place."""
        up, down = t
        small = up <= down
        ratio = float(Fraction(min(up, down), max(up, down)))
        order = unsure = np.arange(len(self))
        if (self._short or self._ordinary) and not 0 < ratio < SMALLEST:  # else floats tell nothing
            self._orders += 1
            if self._short or (self.compiled and self._orders > FEW_ORDERS):
                return native.line_order(self.limbs(), self.x, self.y, t, ratio, after)
            key = self.x + ratio * self.y if small else ratio * self.x + self.y
            order = np.argsort(key, kind="stable")
            ascending = key[order]
            close = np.flatnonzero(~(ascending[1:] - ascending[:-1] > ROUNDING * ascending[1:] + TINY))
            unsure = np.union1d(close, close + 1)
        if len(unsure):  # those that rounding may have swapped are sorted exactly; where they meet, by what is beside
            rows = order[unsure]
            left, right, scale = self.exact(rows).T
            beside = ratio_levels(right if after else left, scale)
            order[unsure] = rows[np.lexsort((rows, beside, ratio_levels(left * down + right * up, scale)))]
        return order

    def exact(self, numbers: Integers) -> NDArray[Any]:
        """Return left, right and scale of some lines as Python integers, (k, 3)."""
        return self._exact(self.original[numbers]).astype(object)

    @cached_property
    def groups(self) -> Integers:
        """A number for each line, the same for equal ones, which follow each other at t = 0."""
        with np.errstate(invalid="ignore"):  # what is beyond floats is compared exactly, too
            alike = ~(np.abs(np.diff(self.x)) > ROUNDING * self.x[:-1] + TINY)
        close = np.flatnonzero(alike)
        dx, dy = self.ratios(close + 1, close)
        alike[close] = (dx == 0) & (dy == 0)
        return np.cumsum(np.append(0, ~alike)[: len(self)])

    def places(self, i: Integers, j: Integers) -> Floats:
        """Return where lines i and j, which cross at some t > 0, do so: correctly rounded."""
        places = native.crossing_places(self.limbs(), i, j) if self.compiled else np.full(len(i), np.nan)
        left = np.flatnonzero(np.isnan(places))
        places[left] = quotients(*self.ratios(i[left], j[left]))
        return places

    def ratios(self, i: Integers, j: Integers) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the same places as exact ratios: numerators and denominators, positive and not reduced."""
        (left, right, scale), (left2, right2, scale2) = self.exact(i).T, self.exact(j).T
        return abs(left * scale2 - left2 * scale), abs(right * scale2 - right2 * scale)


def lines_of_integers(integers: NDArray[Any]) -> Lines:
    """Return the lines whose left, right and scale are the rows (n, 3) of an array of integers.

    >>> len(lines_of_integers(np.array([[3, 1, 1], [1, 2, 1]])))
    2
    """
    left, right, scale = integers.T
    fits = integers.dtype != object
    x, y = (quotients(part, scale) if not fits else part / scale for part in (left, right))
    return Lines(integers.__getitem__, x, y, np.asarray(integers, dtype=np.int64) if fits else None)


@dataclass(frozen=True)
class Crossing:
    """One crossing: its place, the number of crossings before it, and the number of those before or at it."""

    place: Fraction
    before: int
    upto: int


@dataclass(frozen=True)
class _Block:
    """The crossings between two places, in no order, after ``before`` others."""

    before: int
    places: Floats
    first: Integers
    second: Integers

    def __contains__(self, k: int) -> bool:
        return self.before < k <= self.before + len(self.places)


class Crossings:
    """All places t > 0 at which lines cross, with their multiplicity, of which none is listed without need.

    >>> crossings = Crossings(lines_of_integers(np.array([[3, 1, 1], [1, 2, 1], [2, 2, 1]])))
    >>> crossings.total, crossings.kth(2), crossings.before((2, 1))
    (2, Crossing(place=Fraction(2, 1), before=1, upto=2), 1)
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.total = backend.inversions(lines.order(END, after=False))
        self._upto: dict[Fraction, int] = {}
        self._before: dict[Fraction, int] = {}
        self._blocks: list[_Block] = []
        self._limit = 6 * len(lines) + 2000 if lines.compiled else 200_000

    def before(self, t: Place) -> int:
        """Return how many crossings lie before a place."""
        return backend.inversions(self.lines.order(t, after=False))

    def upto(self, t: Place) -> int:
        """Return how many crossings lie before a place or at it."""
        return backend.inversions(self.lines.order(t, after=True))

    def every(self) -> Floats:
        """Return all places, sorted, correctly rounded: ``total`` numbers."""
        return np.sort(self._everything().places)

    def every_ratio(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return all places as exact ratios, in no order: numerators and denominators, not reduced."""
        block = self._everything()
        return self.lines.ratios(block.first, block.second)

    def distinct(self) -> list[tuple[Fraction, int]]:
        """Return the distinct places, ascending, each with its multiplicity: exact, by listing all crossings."""
        block = self._everything()
        order = np.argsort(block.places)
        places = block.places[order]
        tops, bottoms = self.lines.ratios(block.first[order], block.second[order])
        distinct: list[tuple[Fraction, int]] = []
        ends = np.flatnonzero(places[1:] != places[:-1]) + 1
        for start, stop in pairwise([0, *ends.tolist(), self.total]):
            distinct += _grouped(tops[start:stop], bottoms[start:stop])
        return distinct

    def n_distinct(self) -> int:
        """Return the number of distinct places: only those whose correctly rounded floats are equal are compared."""
        block = self._everything()
        order = np.argsort(block.places)
        places = block.places[order]
        step = places[1:] != places[:-1]
        alone = np.append(True, step) & np.append(step, True) if len(order) else np.empty(0, dtype=bool)
        rows = order[~alone]
        tops, bottoms = (side.astype(object) for side in self.lines.ratios(block.first[rows], block.second[rows]))
        return int(np.count_nonzero(alone)) + int(ratio_levels(tops, bottoms).max(initial=-1)) + 1

    def kth(self, k: int) -> Crossing:
        """Return the k-th crossing, 1 ≤ k ≤ ``total``."""
        if not 1 <= k <= self.total:
            raise IndexError(f"k must lie between 1 and {self.total}; got {k}")
        for block in self._blocks:
            if k in block:
                return self._resolved(block, k)
        low = max((t for t, upto in self._upto.items() if upto < k), default=None)
        high = min((t for t, before in self._before.items() if before >= k), default=None)
        return self._selected(k, low, high)

    def _selected(self, k: int, low: Fraction | None, high: Fraction | None) -> Crossing:
        """Find the k-th crossing between two places (None: 0 and ∞) that enclose it."""
        before = 0 if low is None else self._upto[low]
        beyond = self.total if high is None else self._before[high]
        self.lines.expect_many()
        lower = self.lines.order(START if low is None else low.as_integer_ratio(), after=True)
        upper = self.lines.order(END if high is None else high.as_integer_ratio(), after=False)
        rng = np.random.default_rng(0)  # chance makes it fast; the result does not depend on it
        while beyond - before > self._limit:
            i, j = _drawn(_relative(lower, upper), beyond - before, rng)
            for place in self._pivots(lower[i], lower[j], (k - before) / (beyond - before)):
                if (low is not None and place <= low) or (high is not None and place >= high):
                    continue
                order = self.lines.order(place.as_integer_ratio(), after=True)
                upto = self._upto[place] = backend.inversions(order)
                if upto < k:
                    low, lower, before = place, order, upto
                    continue
                order = self.lines.order(place.as_integer_ratio(), after=False)
                count = self._before[place] = backend.inversions(order)
                if count < k:
                    return Crossing(place, count, upto)
                high, upper, beyond = place, order, count
        block = self._listed(lower, upper, before)
        self._blocks.append(block)
        return self._resolved(block, k)

    def _pivots(self, i: Integers, j: Integers, share: float) -> list[Fraction]:
        """Return one or two places of the crossings i, j, a random few, which likely enclose a quantile of all."""
        places, n = self.lines.places(i, j), len(i)
        margin = 3.5 * sqrt(share * (1 - share) / n) + 2 / n
        ranks = {int((share - margin) * n), int((share + margin) * n)} & set(range(n)) or {min(int(share * n), n - 1)}
        drawn = [int(np.argmax(places == value)) for value in np.partition(places, sorted(ranks))[sorted(ranks)]]
        tops, bottoms = self.lines.ratios(i[drawn], j[drawn])
        return [Fraction(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]

    def _everything(self) -> _Block:
        if not any(len(block.places) == self.total for block in self._blocks):
            self._blocks = [self._listed(np.arange(len(self.lines)), self.lines.order(END, after=False), 0)]
        return self._blocks[0]

    def _listed(self, lower: Integers, upper: Integers, before: int) -> _Block:
        """List the crossings between two orders."""
        larger, smaller = backend.inverted_pairs(_relative(lower, upper))
        first, second = lower[larger], lower[smaller]
        return _Block(before, self.lines.places(first, second), first, second)

    def _resolved(self, block: _Block, k: int) -> Crossing:
        """Return the k-th crossing from the block that holds it; equal floats are told apart as fractions."""
        rank = k - block.before - 1
        value = np.partition(block.places, rank)[rank]
        before = block.before + int(np.count_nonzero(block.places < value))
        equal = np.flatnonzero(block.places == value)
        groups = iter(_grouped(*self.lines.ratios(block.first[equal], block.second[equal])))
        place, size = next(groups)
        while k > before + size:
            before += size
            place, size = next(groups)
        return Crossing(place, before, before + size)


def _grouped(tops: NDArray[Any], bottoms: NDArray[Any]) -> list[tuple[Fraction, int]]:
    """Return the distinct ratios, ascending, and how often each occurs."""
    common = np.gcd(tops, bottoms)
    sizes = Counter(zip((tops // common).tolist(), (bottoms // common).tolist(), strict=True))
    return sorted((Fraction(*pair), size) for pair, size in sizes.items())


def _relative(lower: Integers, upper: Integers) -> Integers:
    """Return the places in the lower order of what the upper order lists."""
    place = np.empty_like(lower)
    place[lower] = np.arange(len(lower))
    return place[upper]


def _drawn(permutation: Integers, total: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw some of the ``total`` inversions: pairs of a larger number and a smaller one that follows it.

    No inversion spans more than twice the longest way that a number has moved: pairs so near to each other are drawn
    evenly, and inversions kept. Where these are rare, numbers that have moved are drawn, and larger ones before them.
    """
    n = len(permutation)
    moved = np.arange(n) - permutation
    window = min(2 * int(np.abs(moved).max()), n - 1)
    wanted = int(min(CANDIDATES, min(SAMPLE, n // 4 + 4 * FEW) * n * window / total))
    left = rng.integers(0, n, wanted, dtype=np.int32)
    right = left + rng.integers(1, window + 1, wanted, dtype=np.int32)
    inside = right < n
    larger, smaller = permutation[left[inside]], permutation[right[inside]]
    inverted = larger > smaller
    if np.count_nonzero(inverted) >= FEW:
        return larger[inverted], smaller[inverted]
    later = np.flatnonzero(moved > 0)
    chosen = rng.choice(later, 100, p=moved[later] / moved[later].sum())
    pairs = [(rng.choice(permutation[:at][permutation[:at] > permutation[at]]), permutation[at]) for at in chosen]
    drawn = np.array(pairs, dtype=np.int64)
    return drawn[:, 0], drawn[:, 1]

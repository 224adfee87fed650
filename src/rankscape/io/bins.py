"""Bins of scores: edges that are fixed before anything is counted, and one decision for every engine and numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats, Integers, array_of
from ..errors import Option, UsageError

if TYPE_CHECKING:
    import narwhals as nw

MOST_BINS = 2**20
"""So many bins hold scores in a millionth of their range each."""

MOST_EDGES = 1000
"""Bins of unequal widths that an engine is asked for: it compares every score with every edge."""

ABSENT, INFINITE = -1, -2
"""The places of what is in no bin."""

_LARGEST = 1e300
_NARROWEST = 2.0**-36
_EXPECTED = "a number of bins on [0, 1], a tuple (low, high, number), or a list of increasing edges"


class Bins(NamedTuple):
    """Bins between edges: bin j holds ``edges[j]`` ≤ score < ``edges[j + 1]``; the first and the last one are open.

    Equal widths: the bin is ⌊score·scale⌋ − shift, or ⌊(score − low)·scale⌋ where ``low`` is no multiple of the width.
    Every engine rounds a difference and a product in the same way (not so a quotient: one multiplies by 1/x instead),
    and the edges are the smallest scores with each result. So they are the multiples of the width where that is a power
    of two, as with 4096 bins on [0, 1], and else off by an ulp or so. ``given`` are unequal ones, None for equal ones.

    >>> (
    ...     Bins(0.0, 1.0, 4).edges.tolist(),
    ...     Bins(0.0, 1.0, 4).places(np.array([-7, 0.25, 0.2499, 1, 2])).tolist(),
    ... )
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0, 1, 0, 3, 3])
    """

    low: float
    high: float
    number: int
    given: tuple[float, ...] | None = None

    @property
    def edges(self) -> Floats:
        """The edges (number + 1,)."""
        return np.array(self.given) if self.given is not None else _equal_edges(self).copy()

    @property
    def scale(self) -> float:
        """How many bins of equal width there are per unit of the score."""
        return self.number / (self.high - self.low)

    @property
    def shift(self) -> float | None:
        """The number of widths up to ``low``, None where it is not whole."""
        widths = self.low * self.scale
        return widths if widths == math.floor(widths) and widths / self.scale == self.low else None

    def places(self, scores: Floats) -> Integers:
        """Return the bin of each score, ``INFINITE`` for infinite ones and ``ABSENT`` for NaN."""
        place = np.searchsorted(self.edges[1:-1], scores, side="right").astype(np.int64)
        return np.where(np.isfinite(scores), place, np.where(np.isnan(scores), ABSENT, INFINITE))

    def expression(self, score: nw.Expr, absent: nw.Expr) -> nw.Expr:
        """Return the same for a column of floats on an engine; ``absent`` tells where there is no score."""
        import narwhals as nw

        most = float(np.finfo(np.float64).max)
        infinite = (score > most) | (score < -most)
        place = self._by_edges(score) if self.given is not None else self._by_widths(score)
        finite = nw.when(infinite).then(nw.lit(float(INFINITE))).otherwise(place)
        # Numbers become integers once none is NaN: some engines refuse to cast those, even where they are not used.
        return nw.when(absent).then(nw.lit(float(ABSENT))).otherwise(finite).cast(nw.Int64())

    def _by_widths(self, score: nw.Expr) -> nw.Expr:
        """Return a bin by arithmetic."""
        import narwhals as nw

        if self.number == 1:
            return score * 0.0
        edges, last = self.edges.tolist(), self.number - 1
        scaled = (score if self.shift is not None else score - exactly(self.low)) * exactly(self.scale)
        near = scaled.round(0)  # halves are rounded in one way or another, and the next line undoes it
        inside = nw.when(near > scaled).then(near - 1.0).otherwise(near) - (self.shift or 0.0)
        from_below = nw.when(score < exactly(edges[1])).then(nw.lit(0.0)).otherwise(inside)
        return nw.when(score >= exactly(edges[last])).then(nw.lit(float(last))).otherwise(from_below)

    def _by_edges(self, score: nw.Expr) -> nw.Expr:
        """Return how many edges a score reaches, the sum as a tree: engines limit how deep an expression is."""
        import narwhals as nw

        if self.number > MOST_EDGES:
            raise UsageError(
                f"{self.number} bins of unequal widths are too many for an engine",
                expected=f"at most {MOST_EDGES}", way_out="give bins of equal widths, as a tuple (low, high, number)",
            )  # fmt: skip
        edges = map(exactly, self.edges[1:-1].tolist())
        terms = [nw.when(score >= edge).then(nw.lit(1.0)).otherwise(nw.lit(0.0)) for edge in edges]
        while len(terms) > 1:
            terms = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)] + terms[len(terms) // 2 * 2 :]
        return terms[0] if terms else score * 0.0


def exactly(value: float) -> nw.Expr:
    """Return a float for an engine. DuckDB 1 takes a literal of many digits for a decimal, and rounds it twice."""
    import narwhals as nw

    if float(f"{value:.15g}") == value or "e" in repr(value):
        return nw.lit(value)
    numerator, denominator = value.as_integer_ratio()  # a power of two, at most 2⁶⁶ where there is no exponent
    half = denominator.bit_length() // 2
    return nw.lit(numerator).cast(nw.Float64()) / float(2**half) / float(denominator >> half)


def checked_bins(bins: int | tuple[float, float, int] | Sequence[float] | ArrayLike) -> Bins:
    """Return the bins that an argument asks for.

    >>> checked_bins(4096) == checked_bins((0, 1, 4096)) == checked_bins(np.linspace(0, 1, 4097))
    True

    (0, 1, 2) are two bins on [0, 1]; the edges 0, 1 and 2 are a list.

    >>> checked_bins((0, 1, 2)).edges.tolist(), checked_bins([0, 1, 2]).edges.tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.0, 2.0])
    """
    if isinstance(bins, Bins):
        return bins
    given: Any = bins
    if isinstance(given, Integral) and not isinstance(given, bool):
        return _of_equal_widths(0.0, 1.0, int(given))
    if isinstance(given, tuple) and len(given) == 3 and isinstance(given[2], Integral):
        try:
            low, high = map(float, given[:2])
        except (TypeError, ValueError, OverflowError):
            raise _refused(given) from None
        return _of_equal_widths(low, high, int(given[2]))
    try:
        edges = np.asarray(array_of(given, "bins"), dtype=np.float64)
    except (TypeError, ValueError):
        raise _refused(given) from None
    if edges.ndim != 1 or len(edges) < 2 or not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise _refused(given)
    edges += 0.0  # −0 is 0
    if len(edges) > MOST_BINS + 1:
        raise _too_many(len(edges) - 1)
    equal = Bins(float(edges[0]), float(edges[-1]), len(edges) - 1)
    if _wide_enough(equal) and np.array_equal(equal.edges, edges):
        return equal
    return equal._replace(given=tuple(edges.tolist()))


def _of_equal_widths(low: float, high: float, number: int) -> Bins:
    if number < 1 or not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise _refused((low, high, number))
    if number > MOST_BINS:
        raise _too_many(number)
    bins = Bins(low + 0.0, high + 0.0, number)
    if not _wide_enough(bins):
        raise UsageError(f"{number} bins between {low!r} and {high!r} cannot be told apart in floats: give other ends")
    return bins


def _wide_enough(bins: Bins) -> bool:
    """Tell whether widths are so much larger than the rounding of scores that no bin is empty by that."""
    largest = max(abs(bins.low), abs(bins.high))
    return largest <= _LARGEST and (bins.high - bins.low) / bins.number >= max(_NARROWEST * largest, 1 / _LARGEST)


@lru_cache(maxsize=8)
def _equal_edges(bins: Bins) -> Floats:
    """Return the smallest scores in each bin of equal widths, by bisection between the middles of two bins."""
    if bins.number == 1:
        return np.array([bins.low, bins.high])

    def place(scores: Floats) -> Floats:
        if bins.shift is not None:
            return np.floor(scores * bins.scale) - bins.shift
        return np.floor((scores - bins.low) * bins.scale)

    number = np.arange(1, bins.number)
    middles: Floats = np.asarray(bins.low + (np.arange(bins.number) + 0.5) / bins.scale, dtype=np.float64)
    below, above = _ordered(middles[:-1]), _ordered(middles[1:])
    while (below < above - 1).any():
        half = (below >> 1) + (above >> 1) + (below & above & 1)
        reached = place(_unordered(half)) >= number
        below, above = np.where(reached, below, half), np.where(reached, half, above)
    return np.concatenate([[bins.low], _unordered(above) + 0.0, [bins.high]])


def _ordered(numbers: Floats) -> Integers:
    """Return integers in the order of floats, one for each; −0 and 0 are one."""
    bits = (numbers + 0.0).view(np.int64)
    return np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)


def _unordered(places: Integers) -> Floats:
    """Return the floats of such integers."""
    return np.where(places < 0, np.iinfo(np.int64).min - places, places).view(np.float64)


def _refused(given: object) -> UsageError:
    text = repr(given)
    text = text if len(text) < 60 else text[:59] + "…"
    return UsageError(Option("bins", python=f"bins={text}", shell=f"--bins {text}"), expected=_EXPECTED)


def _too_many(number: int) -> UsageError:
    return UsageError(f"{number} bins are too many", expected=f"at most {MOST_BINS}")

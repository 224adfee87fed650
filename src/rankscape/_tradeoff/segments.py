"""Segments of the Tile between two ends, on which every performance is a line and a swap is where two lines cross.

On a vertical (a fixed) R orders as −U(b)/S(a), on a horizontal (b fixed) as S(a)/U(b), and U(b) = (1−b)·fp + b·fn and
S(a) = (1−a)·tn + a·tp are linear. Along the diagonal a = b, at equal priors, R orders as S(a), and along a = 1 − b, at
equal rates of predictions, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf, isinf, isqrt, lcm, nextafter, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._scores import as_score
from ..checks import WAYS_TO_EQUAL_PRIORS
from ..errors import DataError, Text, UsageError
from ..kernels.crossings import END, LARGEST, START, Lines, Place
from ..kernels.exact import quotients
from ..performances import Performances
from ..texts import inside
from ..typing import Floats, Integers, Number, ScoreLike

TN, FP, FN, TP = range(4)


# β and β²


def odds_of(beta: Number) -> tuple[Fraction | None, Fraction | None]:
    """Return the smallest and the largest β² that a number stands for; None is ∞.

    A float stands for all between its neighbors: the float next to √ϑ need not be the root of the float next to ϑ, but
    is beside it. Integers and fractions are what they are. Raises UsageError for what is no number in [0, ∞].

    >>> odds_of(2), odds_of(float("inf"))
    ((Fraction(4, 1), Fraction(4, 1)), (None, None))
    """
    if isinstance(beta, (int, np.integer, Fraction)) and not isinstance(beta, bool):
        exact = Fraction(int(beta) if isinstance(beta, np.integer) else beta)
        if exact < 0:
            raise UsageError(f"beta must lie in [0, ∞]; got {beta}")
        return exact**2, exact**2
    if not isinstance(beta, (float, np.floating)):
        raise UsageError(f"beta: expected a number or an array of numbers; got {beta!r}")
    number = float(beta)
    if not number >= 0:
        raise UsageError(f"beta must lie in [0, ∞]; got {number:g}")
    if isinf(number):
        return None, None
    low, high = nextafter(number, 0), nextafter(number, inf) if number else 0.0
    return Fraction(low) ** 2, None if isinf(high) else Fraction(high) ** 2


def as_float(x: Fraction | None) -> float:
    """Return the nearest float, ∞ beyond all of them and for None.

    >>> as_float(Fraction(1, 4)), as_float(Fraction(10) ** 400), as_float(None)
    (0.25, inf, inf)
    """
    try:
        return inf if x is None else float(x)
    except OverflowError:
        return inf


def root(x: Fraction | None) -> float:
    """Return √x, also where x is no float.

    >>> root(Fraction(1, 4)), root(Fraction(10) ** 400), root(None)
    (0.5, 1e+200, inf)
    """
    square = as_float(x)
    if x is None or (1e-290 < square < inf) or x == 0:
        return sqrt(square)
    top, bottom = x.as_integer_ratio()
    half = (bottom.bit_length() - top.bit_length()) // 2 + 64  # digits enough for a float
    whole = isqrt(top * 4**half // bottom if half > 0 else top // (bottom * 4**-half))
    return as_float(Fraction(whole) / Fraction(2) ** half)


def coordinate(beta: ArrayLike) -> Floats:
    """Return b = β²/(1+β²), in [0, 1] for β in [0, ∞].

    >>> coordinate([0, 1, 2, inf]).tolist()
    [0.0, 0.5, 0.8, 1.0]
    """
    given = np.asarray(beta, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(np.where(given == 0, 0.0, 1 / (1 + 1 / np.where(given == 0, 1.0, given) ** 2)))


# The part of a line of the Tile


@dataclass(frozen=True)
class Segment:
    """The part of a straight line of the Tile between two ends; what moves on it is b on a vertical, otherwise a.

    ``kind`` is "vertical", "horizontal", "diagonal" (a = b) or "antidiagonal" (a = 1 − b); ``fixed`` is what does not
    move; ``start`` and ``end`` are where the ends are. A place is named by its odds, b/(1−b) or a/(1−a).

    >>> segment_between("precision", "recall", None).place(Fraction(1))
    (Fraction(1, 1), Fraction(1, 2))
    """

    names: tuple[str, str]
    kind: Literal["vertical", "horizontal", "diagonal", "antidiagonal"]
    fixed: Fraction
    start: Fraction
    end: Fraction

    @property
    def reversed(self) -> bool:
        """Whether the coordinate falls from the first end to the second."""
        return self.start > self.end

    @property
    def low(self) -> Fraction:
        """The smaller of the coordinates of the ends."""
        return min(self.start, self.end)

    @property
    def high(self) -> Fraction:
        """The larger of the coordinates of the ends."""
        return max(self.start, self.end)

    @property
    def whole(self) -> bool:
        """Whether the ends are on two opposite sides of the Tile."""
        return self.low == 0 and self.high == 1

    @property
    def is_f_beta(self) -> bool:
        """Whether the scores between the ends are F_β: on the side from precision to recall, or a part of it."""
        return self.kind == "vertical" and self.fixed == 1

    @property
    def moving(self) -> str:
        """The name of the coordinate that moves, b on a vertical."""
        return "b" if self.kind == "vertical" else "a"

    @property
    def limits(self) -> tuple[Fraction, Fraction | None]:
        """The odds at the lower and the higher coordinate of the ends; None is ∞."""
        return self.low / (1 - self.low), None if self.high == 1 else self.high / (1 - self.high)

    def place(self, odds: Fraction | None) -> tuple[Fraction, Fraction]:
        """Return (a, b) at the odds of what moves; None is ∞."""
        x = Fraction(1) if odds is None else odds / (1 + odds)
        if self.kind == "vertical":
            return self.fixed, x
        return x, {"horizontal": self.fixed, "diagonal": x, "antidiagonal": 1 - x}[self.kind]

    def odds(self, tops: Any, bottoms: Any) -> tuple[Any, Any]:
        """Return the odds of x = (low + t·high)/(1 + t), where lines cross at t = tops/bottoms, as whole numbers."""
        (low, least), (high, most) = self.low.as_integer_ratio(), self.high.as_integer_ratio()
        return bottoms * low * most + tops * high * least, bottoms * (least - low) * most + tops * (most - high) * least

    def odds_at(self, t: Fraction) -> Fraction:
        """Return the odds where two lines cross at t."""
        return t if self.whole else Fraction(*self.odds(*t.as_integer_ratio()))

    def crossing(self, odds: Fraction | None) -> Place:
        """Return the t at which lines cross at the odds of a coordinate; raises UsageError outside the segment."""
        top, bottom = (1, 0) if odds is None else odds.as_integer_ratio()
        up = top * (1 - self.low) - bottom * self.low
        down = bottom * self.high - top * (1 - self.high)
        if up < 0 or down < 0:
            raise UsageError(
                f"the place with odds {float('inf') if odds is None else float(odds):g} is not between "
                f"{self.names[0]} and {self.names[1]}"
            )
        if up == 0:
            return START
        return END if down == 0 else (Fraction(up) / down).as_integer_ratio()


def segment_between(first: ScoreLike, second: ScoreLike, prior: float | None) -> Segment:
    """Return the segment between two ends: scores with a place, importances, or places as ``rs.at(a, b)``.

    Raises NoPlaceError for a score without a place, UsageError for two ends on no common line.
    """
    scores = [as_score(end) for end in (first, second)]
    (a0, b0), (a1, b1) = places = [score.exact_place(prior) for score in scores]
    one, other = (
        f"R({inside(float(a))}, {inside(float(b))})" if score.symbol == "R_I" else score.symbol
        for score, (a, b) in zip(scores, places, strict=True)
    )
    if (a0, b0) == (a1, b1):
        raise UsageError(f"the two ends, {one} and {other}, order alike: there is nothing between them")
    if a0 == a1:
        return Segment((one, other), "vertical", a0, b0, b1)
    if b0 == b1:
        return Segment((one, other), "horizontal", b0, a0, a1)
    if a0 == b0 and a1 == b1:
        return Segment((one, other), "diagonal", Fraction(0), a0, a1)
    if a0 + b0 == 1 and a1 + b1 == 1:
        return Segment((one, other), "antidiagonal", Fraction(0), a0, a1)
    raise UsageError(
        f"{one} and {other} are on no common horizontal or vertical line of the Tile, nor on a diagonal: "
        "choose two ends with the same a or the same b, such as ppv and tpr"
    )


# The performances on it


@dataclass(frozen=True)
class Placed:
    """The performances on a segment: their lines, and the rows without one.

    ``rows`` are those of the lines; ``constant`` those with the same value, 0 or 1, on the whole segment; ``undefined``
    those without value on it. ``smaller_first`` is true where the lowest line is best.
    """

    lines: Lines
    rows: Integers
    constant: Integers
    undefined: Integers
    smaller_first: bool

    @property
    def valued(self) -> Integers:
        """The rows that have a value between the ends, ascending."""
        return np.sort(np.concatenate([self.rows, self.constant]))

    @property
    def classes(self) -> Integers:
        """A number for each row, the same for those that are equal between the ends; −1 for those without value."""
        classes = np.full(len(self.rows) + len(self.constant) + len(self.undefined), -1)
        classes[self.rows[self.lines.original]] = self.lines.groups
        classes[self.constant] = len(self.rows)
        return classes

    def ranks(self, places: Sequence[Place]) -> Floats:
        """Return the ranks (m, n) of the valued rows just after each of m places: 1 is best, equal ones share theirs.

        A constant value is 1 on a horizontal, where it is best, and 0 on a vertical, where it is last.
        """
        lines, valued, ahead = self.lines, self.valued, 0 if self.smaller_first else len(self.constant)
        moving, constant = (np.searchsorted(valued, part) for part in (self.rows, self.constant))
        ranks = np.empty((len(places), len(valued)))
        for k, place in enumerate(places):
            order = lines.order(place, after=True)[:: 1 if self.smaller_first else -1]
            groups = lines.groups[order]
            starts = np.append(True, groups[1:] != groups[:-1])[: len(order)]
            first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
            ranks[k, moving[lines.original[order]]] = first + (1 + ahead)
        ranks[:, constant] = 1 if ahead else len(moving) + 1
        return ranks


def placed(performances: Performances, segment: Segment) -> Placed:
    """Return the lines of performances on a segment, exact; raises DataError where equal priors are needed.

    A line has the value of what moves at both ends, over the one of what is fixed: three sums of weighted outcomes.
    """
    _refuse_other_totals(performances, segment)
    low, high, fixed = segment.low, segment.high, segment.fixed
    first, second = (FP, FN) if segment.kind == "vertical" else (TN, TP)
    over = {"vertical": {TN: 1 - fixed, TP: fixed}, "horizontal": {FP: 1 - fixed, FN: fixed}}.get(segment.kind)
    sums = {first: 1 - low, second: low}, {first: 1 - high, second: high}, over or dict.fromkeys(range(4), Fraction(1))
    common = lcm(low.denominator, high.denominator)
    factors = (common, common, fixed.denominator)
    whole = [{k: int(w * by) for k, w in weights.items()} for weights, by in zip(sums, factors, strict=True)]
    counts, exact = performances.counts, None
    if counts is not None and max(sum(w.values()) for w in whole) * int(counts.max(initial=0)) < LARGEST:
        exact = _weighted(counts, whole)
    mass = performances.mass if exact is None or counts is None else counts.astype(np.float64)
    x, y, scale = _weighted(mass, [{k: float(w) for k, w in weights.items()} for weights in sums]).T
    kept, flat = np.flatnonzero(scale > 0), (x == 0) & (y == 0)
    with np.errstate(over="ignore"):
        x, y = x[kept] / scale[kept], y[kept] / scale[kept]
    if exact is not None:
        exact = np.ascontiguousarray(exact[kept])
        lines = Lines(exact.__getitem__, x, y, exact)
    else:
        rows_of = partial(_exact_rows, performances, whole, kept)
        if len(kept) and not (np.isfinite(x).all() and np.isfinite(y).all()):
            rows = rows_of(np.arange(len(kept)))
            x, y = quotients(rows[:, 0], rows[:, 2]), quotients(rows[:, 1], rows[:, 2])
        lines = Lines(rows_of, x, y)
    return Placed(
        lines=lines, rows=kept, constant=np.flatnonzero((scale == 0) & ~flat),
        undefined=np.flatnonzero((scale == 0) & flat), smaller_first=segment.kind == "vertical",
    )  # fmt: skip


def _weighted(rows: NDArray[Any], sums: Sequence[Mapping[int, Any]]) -> NDArray[Any]:
    """Return weighted sums of outcomes, one column each."""
    return np.stack([sum(weight * rows[:, k] for k, weight in weights.items()) for weights in sums], axis=-1)


def _exact_rows(P: Performances, sums: Sequence[Mapping[int, int]], kept: Integers, numbers: Integers) -> NDArray[Any]:
    """Return some lines in whole numbers, made on demand: most are never compared so closely."""
    return _weighted(P[kept[numbers]].integers, sums)


def _refuse_other_totals(performances: Performances, segment: Segment) -> None:
    """Raise for a diagonal on which the priors, or the rates of predictions, differ, exactly."""
    of_diagonal = {"diagonal": ("priors", (FN, TP)), "antidiagonal": ("rates of predictions", (FP, TP))}
    if segment.kind not in of_diagonal:
        return
    name, event = of_diagonal[segment.kind]
    part, total = performances.integers[:, event].sum(axis=1), performances.integers.sum(axis=1)
    if (part * total[0] != part[0] * total).any():
        shares = quotients(part, total)
        low, high = f"{shares.min():.6g}", f"{shares.max():.6g}"
        here = f"here they go from {low} to {high}" if low != high else f"here they are {low} but for rounding"
        by_prior = WAYS_TO_EQUAL_PRIORS[: segment.kind == "diagonal"]
        ways: list[Text] = [*by_prior, "choose ends with the same a or the same b"]
        raise DataError(
            f"between {segment.names[0]} and {segment.names[1]} the {name} of all models must be equal; {here}",
            way_out=ways,
        )

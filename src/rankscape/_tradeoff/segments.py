"""Segments of the Tile between two ends, on which every performance is a line and a swap is where two lines cross.

On a vertical (a fixed) R orders as −U(b)/S(a), on a horizontal (b fixed) as S(a)/U(b), and U(b) = (1−b)·fp + b·fn and
S(a) = (1−a)·tn + a·tp are linear. Along the diagonal a = b, at equal priors, R orders as S(a), and along a = 1 − b, at
equal rates of predictions, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..checks import WAYS_TO_EQUAL_PRIORS
from ..errors import DataError, Text, UsageError
from ..kernels.crossings import END, LARGEST, START, Lines, Place
from ..kernels.exact import quotients
from ..performances import Performances
from ..texts import inside
from ..typing import Floats, Integers, ScoreLike

TN, FP, FN, TP = range(4)


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

    def place(self, odds: Fraction | None) -> tuple[Fraction, Fraction]:
        """Return (a, b) at the odds of what moves; None is ∞."""
        x = Fraction(1) if odds is None else odds / (1 + odds)
        if self.kind == "vertical":
            return self.fixed, x
        return x, {"horizontal": self.fixed, "diagonal": x, "antidiagonal": 1 - x}[self.kind]

    def coordinate(self, t: Fraction) -> Fraction:
        """Return the coordinate where two lines cross at t: (low + t·high)/(1 + t)."""
        return (self.low + t * self.high) / (1 + t)

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

    def odds(self, tops: Any, bottoms: Any) -> tuple[Any, Any]:
        """Return the odds of the coordinates where lines cross at tops/bottoms, as ratios of whole numbers."""
        (low, least), (high, most) = self.low.as_integer_ratio(), self.high.as_integer_ratio()
        return bottoms * low * most + tops * high * least, bottoms * (least - low) * most + tops * (most - high) * least

    def crossings(self, low: Fraction | None, high: Fraction | None) -> tuple[Place, Place]:
        """Return the t at the ends of an interval of odds, cut to the segment; raises UsageError if it is outside."""
        least, most = self.limits
        meets = (high is None or high >= least) and (most is None or (low is not None and low <= most))
        if meets:
            low = least if low is not None and low < least else low
            high = most if most is not None and (high is None or high > most) else high
        return self.crossing(low), self.crossing(high)

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
    (a0, b0), (a1, b1) = (score.exact_place(prior) for score in scores)
    names = (_called(scores[0], a0, b0), _called(scores[1], a1, b1))
    if (a0, b0) == (a1, b1):
        raise UsageError(f"the two ends, {names[0]} and {names[1]}, order alike: there is nothing between them")
    if a0 == a1:
        return Segment(names, kind="vertical", fixed=a0, start=b0, end=b1)
    if b0 == b1:
        return Segment(names, kind="horizontal", fixed=b0, start=a0, end=a1)
    if a0 == b0 and a1 == b1:
        return Segment(names, kind="diagonal", fixed=Fraction(0), start=a0, end=a1)
    if a0 + b0 == 1 and a1 + b1 == 1:
        return Segment(names, kind="antidiagonal", fixed=Fraction(0), start=a0, end=a1)
    raise UsageError(
        f"{names[0]} and {names[1]} are on no common horizontal or vertical line of the Tile, nor on a diagonal: "
        "choose two ends with the same a or the same b, such as ppv and tpr, npv and tpr, tnr and ppv, tnr and npv"
    )


def _called(score: Score, a: Fraction, b: Fraction) -> str:
    """Return the symbol of a score, or its place where it has no name of its own."""
    return f"R({inside(float(a))}, {inside(float(b))})" if score.symbol == "R_I" else score.symbol


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


def placed(performances: Performances, segment: Segment) -> Placed:
    """Return the lines of performances on a segment, exact; raises DataError where equal priors are needed."""
    _refuse_other_totals(performances, segment)
    counts = performances.counts
    rational = _Rational(segment)
    if counts is not None and rational.largest * int(counts.max(initial=0)) < LARGEST:
        integers: NDArray[Any] | None = rational.lines(counts)
        x, y, scale = rational.floats(counts.astype(np.float64))
    else:
        integers = None
        x, y, scale = rational.floats(performances.mass)
    flat = (x == 0) & (y == 0)
    kept = np.flatnonzero(scale > 0)
    with np.errstate(over="ignore"):
        x, y = x[kept] / scale[kept], y[kept] / scale[kept]
    exact: Any = _Exact(rational, performances, kept)
    if integers is not None:
        integers = np.ascontiguousarray(integers[kept])
        exact = integers.__getitem__
    elif len(kept) and not (np.isfinite(x).all() and np.isfinite(y).all()):
        rows = exact(np.arange(len(kept)))
        x, y = quotients(rows[:, 0], rows[:, 2]), quotients(rows[:, 1], rows[:, 2])
    return Placed(
        lines=Lines(exact, x, y, integers), rows=kept, constant=np.flatnonzero((scale == 0) & ~flat),
        undefined=np.flatnonzero((scale == 0) & flat), smaller_first=segment.kind == "vertical",
    )  # fmt: skip


class _Rational:
    """What makes the lines of a segment: two coordinates in whole numbers, and the scale."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.left, self.right = ((TN, TP), (FP, FN))[segment.kind == "vertical"]
        self.over = {"vertical": (TN, TP), "horizontal": (FP, FN)}.get(segment.kind)
        self.largest = 4 * max(segment.low.denominator, segment.high.denominator, segment.fixed.denominator) ** 2

    def lines(self, integers: NDArray[Any]) -> NDArray[Any]:
        """Return left, right and scale in whole numbers."""
        low, high, fixed = self.segment.low, self.segment.high, self.segment.fixed
        columns = integers.T
        left = _between(columns, self.left, self.right, low) * high.denominator
        right = _between(columns, self.left, self.right, high) * low.denominator
        scale = integers.sum(axis=1) if self.over is None else _between(columns, *self.over, fixed)
        return np.stack([left, right, scale], axis=-1)

    def floats(self, mass: Floats) -> tuple[Floats, ...]:
        """Return left, right and scale in floats, proportional to those in whole numbers."""
        low, high, fixed = self.segment.low, self.segment.high, self.segment.fixed
        scale = mass.sum(axis=1) if self.over is None else _between_floats(mass, *self.over, fixed)
        left, right = (_between_floats(mass, self.left, self.right, x) for x in (low, high))
        return left, right, scale


@dataclass(frozen=True)
class _Exact:
    """Lines of some rows in whole numbers, made on demand: most are never compared so closely."""

    rational: _Rational
    performances: Performances
    kept: Integers

    def __call__(self, numbers: Integers) -> NDArray[Any]:
        return self.rational.lines(self.performances[self.kept[numbers]].integers)


def _between(columns: Any, first: int, second: int, x: Fraction) -> Any:
    return (x.denominator - x.numerator) * columns[first] + x.numerator * columns[second]


def _between_floats(mass: Floats, first: int, second: int, x: Fraction) -> Floats:
    return float(1 - x) * mass[:, first] + float(x) * mass[:, second]


def _refuse_other_totals(performances: Performances, segment: Segment) -> None:
    """Raise for a diagonal on which the priors, or the rates of predictions, differ, exactly."""
    what = {"diagonal": ("priors", (FN, TP)), "antidiagonal": ("rates of predictions", (FP, TP))}.get(segment.kind)
    if what is None:
        return
    name, event = what
    part, total = performances.integers[:, event].sum(axis=1), performances.integers.sum(axis=1)
    if (part * total[0] != part[0] * total).any():
        shares = quotients(part, total)
        low, high = f"{shares.min():.6g}", f"{shares.max():.6g}"
        here = f"here they go from {low} to {high}" if low != high else f"here they are {low} but for rounding"
        ways: list[Text] = [
            *WAYS_TO_EQUAL_PRIORS[: segment.kind == "diagonal"],
            "choose ends with the same a or the same b",
        ]
        raise DataError(
            f"between {segment.names[0]} and {segment.names[1]} the {name} of all models must be equal; {here}",
            way_out=ways,
        )

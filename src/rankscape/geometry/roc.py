"""ROC and PR space at a fixed prior: lines of equal performance and their pencils."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_prior, two_class_only
from ..errors import UsageError
from ..kernels.exact import quotients
from ..performances import Performances, as_performances
from ..typing import Floats, PerformancesLike


@dataclass(frozen=True)
class Line:
    """A line u·FPR + v·TPR + w = 0 of ROC space.

    Calling it gives the left-hand side, which broadcasts; of an iso-performance line it is positive where the score is
    larger, that is on its upper-left side.

    >>> line = Line(-1, 1, 0)
    >>> float(line(0.25, 0.75)), line.clip().tolist()
    (0.5, [[0.0, 0.0], [1.0, 1.0]])
    """

    u: float
    v: float
    w: float

    def __call__(self, fpr: ArrayLike, tpr: ArrayLike) -> Floats:
        """Return u·FPR + v·TPR + w."""
        return self.u * np.asarray(fpr, dtype=np.float64) + self.v * np.asarray(tpr, dtype=np.float64) + self.w

    def clip(self) -> Floats | None:
        """Return the ends [[FPR, TPR], [FPR, TPR]] inside the unit square, or None outside it.

        The end with the smaller FPR comes first; a line that only touches a corner has two equal ends.

        >>> Line(-4, 2, 1).clip().tolist(), Line(-1, 1, 2).clip()
        ([[0.25, 0.0], [0.75, 1.0]], None)
        """
        ends = []
        for at in (0.0, 1.0):
            if self.v and 0 <= (y := -(self.u * at + self.w) / self.v) <= 1:
                ends.append((at, y + 0.0))
            if self.u and 0 <= (x := -(self.v * at + self.w) / self.u) <= 1:
                ends.append((x + 0.0, at))
        return np.array([min(ends), max(ends)]) if ends else None


@dataclass(frozen=True)
class Pencil:
    """The iso-performance lines of R_{a,b} at a prior π₊ in (0, 1): in ROC space all lines through one point.

    Raises UsageError for a, b outside [0, 1] or a prior outside (0, 1). (Tile, 3.3 and Fig. 2.)

    >>> Pencil(0, 1, prior=0.2).vertex, Pencil(1, 1, prior=0.2).vertex  # NPV, TPR
    ((1.0, 1.0), None)
    """

    a: float
    b: float
    prior: float

    def __post_init__(self) -> None:
        if not (0 <= self.a <= 1 and 0 <= self.b <= 1):
            raise UsageError(f"a and b must lie in [0, 1]; got ({self.a}, {self.b})")
        if checked_prior(self.prior) in (0, 1):
            raise UsageError(f"ROC space needs both classes: the prior must lie inside (0, 1); got {self.prior:g}")

    @property
    def vertex(self) -> tuple[float, float] | None:
        """The point (FPR, TPR) that all lines share, where "score = 0" and "score = 1" meet; None for parallel lines.

        It is FPR = b·(aπ₊ + (1−a)π₋) / ((b−a)π₋), TPR = (1−a)·(bπ₊ + (1−b)π₋) / ((b−a)π₊): above and to the right of
        the square where a < b, below and to the left where a > b, and at infinity where a = b. (Derived from Fig. 2.)

        >>> [round(x, 12) for x in Pencil(0.95, 0.7, prior=0.2).vertex]
        [-0.805, -0.38]
        """
        a, b, positive, negative = self.a, self.b, self.prior, 1 - self.prior
        if a == b:
            return None
        fpr = b / (b - a) * (a * positive + (1 - a) * negative) / negative
        tpr = (1 - a) / (b - a) * (b * positive + (1 - b) * negative) / positive
        return (fpr + 0.0, tpr + 0.0) if isfinite(tpr) else None

    def value(self, fpr: ArrayLike, tpr: ArrayLike) -> Floats:
        """Return R_{a,b} at points of the unit square of ROC space (they broadcast), NaN where it is undefined."""
        x, y = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
        negative, positive = 1 - self.prior, self.prior
        gain = negative * (1 - self.a) * (1 - x) + positive * self.a * y
        loss = negative * (1 - self.b) * x + positive * self.b * (1 - y)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(gain / (gain + loss))

    def line(self, value: float) -> Line:
        """Return the line of ROC space on which the score has a value R in [0, 1].

        (1−R)·[(1−a)π₋(1−FPR) + aπ₊TPR] = R·[(1−b)π₋FPR + bπ₊(1−TPR)]; its slope is not negative, and what lies to its
        upper left is better. Raises UsageError for other values. (Tile, 3.3 and Fig. 2.)

        >>> line = Pencil(1, 0, prior=0.2).line(0.5)  # precision ½: TP = FP
        >>> -line.u / line.v
        4.0
        """
        if not 0 <= value <= 1:
            raise UsageError(f"the value of a ranking score lies in [0, 1]; got {value}")
        a, b, positive, negative, lost = self.a, self.b, self.prior, 1 - self.prior, 1 - value
        return Line(
            -(lost * (negative * (1 - a)) + value * (negative * (1 - b))),
            lost * (positive * a) + value * (positive * b),
            lost * (negative * (1 - a)) - value * (positive * b),
        )

    def segment(self, value: float) -> Floats | None:
        """Return the ends of that line inside the unit square, None where it misses the square."""
        return self.line(value).clip()

    def curve(self, value: float, n: int = 121) -> Floats | None:
        """Return the points (n, 2), recall and precision, at which the score has a value; None where it misses them.

        They are the image of :meth:`segment` under the ROC–PR bijection of the prior: recall = TPR, precision = π₊TPR /
        (π₊TPR + π₋FPR), an arc of a hyperbola. At TPR = FPR = 0, where precision is undefined, the arc ends in its
        limit. Points are spread over both coordinates. (Tile, 3.3.)

        >>> recall, precision = Pencil(1, 0.5, prior=0.2).curve(0.5, n=3).T  # F₁ = ½
        >>> (2 * recall * precision / (recall + precision)).round(12).tolist()
        [0.5, 0.5, 0.5]
        """
        if n < 2:
            raise UsageError(f"a curve needs at least 2 points; got {n}")
        segment = self.segment(value)
        if segment is None:
            return None
        odds, (x, y), (dx, dy) = (1 - self.prior) / self.prior, segment[0], segment[1] - segment[0]
        limit = _precision(odds, *((dx, dy) if x == y == 0 else (x, y)))  # at TPR = FPR = 0: along the line
        between = np.linspace(limit, _precision(odds, *segment[1]), (n - 2) // 2 + 2)[1:-1]
        step, start = odds * between * dx - (1 - between) * dy, (1 - between) * y - odds * between * x
        even = np.linspace(0, 1, n - len(between))
        safe = np.abs(step) > 1e-15
        spread = np.where(safe, start / np.where(safe, step, 1), np.linspace(0, 1, len(between)))
        at = np.sort(np.concatenate([even, np.clip(spread, 0, 1)]))
        recall, fpr = y + at * dy, x + at * dx
        origin = (recall == 0) & (fpr == 0)
        precision = np.where(origin, limit, _precision(odds, np.where(origin, 1, fpr), recall))
        if (self.a, self.b) == (1, 0):  # the score is the precision itself
            precision = np.full(n, value)
        return np.stack([recall, precision], axis=-1)


def _precision(odds: float, fpr: Floats, tpr: Floats) -> Floats:
    """Return the precision TPR / (TPR + FPR·π₋/π₊)."""
    return tpr / (tpr + odds * fpr)


def roc_points(performances: PerformancesLike) -> tuple[Floats, Floats]:
    """Return FPR = P(fp | fp, tn) and TPR = P(tp | fn, tp), both (n,), correctly rounded; NaN without such cases.

    >>> [rate.tolist() for rate in roc_points([[6, 2, 1, 3], [0, 0, 1, 1]])]
    [[0.25, nan], [0.75, 0.5]]
    """
    tn, fp, fn, tp = roc_integers(performances)
    return quotients(fp, tn + fp), quotients(tp, fn + tp)


def roc_integers(performances: PerformancesLike) -> NDArray[Any]:
    """Return tn, fp, fn, tp, (4, n), of two-class performances as integers, each up to a factor: sums are as exact."""
    performances = performances if isinstance(performances, Performances) else as_performances(performances)
    two_class_only(performances.space, "ROC space")
    return np.asarray(performances.fitting().T)

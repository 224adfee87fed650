"""Thresholds: all operating points of a scored classifier, which of them can be best, and the best for a preference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._scores import Score, as_score
from ._scores.levels import levels
from .checks import checked_weights
from .checks.labels import scored
from .errors import UndefinedScoreError, UsageError
from .geometry.hull import vertices
from .kernels.counting import operating_points
from .performances import Performances
from .results import Result, Table
from .typing import Floats, Integers, Label, ScoreLike

_FEW = 1000
"""So few points are looked at one by one."""
_SAFE = 2**62


@dataclass(frozen=True, eq=False, repr=False)
class BestThreshold(Result):
    """The best threshold of a scored classifier for a preference: predict positive if score ≥ ``threshold``.

    Every threshold in (``below``, ``threshold``] predicts the same; ``tied`` are all thresholds of the hull that are as
    good, the highest first. ``value`` is that of ``score`` there, and ``gain`` how much better that is than at the
    threshold ``current`` (≥ 0 in the direction of the score, NaN where it is undefined there, None where no threshold
    was given).

    >>> best = sweep([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]).best("f1", current=0.5)
    >>> best.threshold, best.below, round(best.value, 4), round(best.gain, 4)
    (0.3, 0.2, 0.8571, 0.0571)
    """

    score: Score
    threshold: float
    below: float
    performance: Performances
    value: float
    tied: tuple[float, ...]
    current: float | None = None
    current_value: float | None = None
    gain: float | None = None

    def table(self) -> Table:
        """Return one row: score, threshold, below, value, tied (a list), current, current_value and gain."""
        names = ("threshold", "below", "value", "tied", "current", "current_value", "gain")
        return Table({"score": [self.score.name]} | {name: [getattr(self, name)] for name in names})


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdSweep(Result):
    """The operating points of a scored classifier: what happens at every threshold t, positive if score ≥ t.

    ``thresholds`` (k,) are ∞, where all are negative, and all distinct scores, in decreasing order; ``counts`` (k, 4)
    the sums of weights tn, fp, fn, tp, integers unless weights are fractions. Get one from :func:`sweep`.

    >>> points = sweep([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points.thresholds.tolist(), points.counts[:, 3].tolist()
    ([inf, 0.8, 0.4, 0.1], [0, 1, 2, 2])
    >>> points.hull().thresholds.tolist()
    [0.8, 0.4]
    """

    thresholds: Floats
    counts: NDArray[Any]
    below: Floats

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def performances(self) -> Performances:
        """The operating points as performances, with their thresholds."""
        return Performances.from_operating_points(self.counts, self.thresholds.copy())

    def at(self, threshold: float) -> Performances:
        """Return the performance at a threshold: that of the smallest score that is at least as large."""
        number = float(threshold)
        if number != number:
            raise UsageError("a threshold must be a number; got NaN")
        row = int(np.searchsorted(-self.thresholds, -number, side="right")) - 1
        name = [f"score >= {number:g}"]
        return replace(
            Performances.from_weighted_counts(self.counts[row : row + 1], names=name), thresholds=np.array([number])
        )

    def hull(self) -> Self:
        """Return the operating points that can be best: the vertices of the upper-left hull in ROC space, exactly.

        Whatever a ranking score weighs, its best value is reached there, since all points share their priors; points on
        an edge of the hull are as good as both of its ends, for one preference. Where the truth has one class only,
        all points are returned. (Tile, 3.3.)
        """
        fp, tp = self.counts[:, 1], self.counts[:, 3]
        rows = hull_rows(fp, tp) if fp[-1] and tp[-1] else np.arange(len(self))
        return replace(self, thresholds=self.thresholds[rows], counts=self.counts[rows], below=self.below[rows])

    def best(self, by: ScoreLike = "f1", current: float | None = None) -> BestThreshold:
        """Return the best threshold for a score or a preference, and the gain over a current one.

        ``by`` is what :func:`rankscape.rank` takes. Of equally good thresholds the highest that no other one
        dominates is returned (for ranking scores, a vertex of the hull). Raises UndefinedScoreError where the score is
        undefined at every threshold.
        """
        score = as_score(by)
        points = self if score.sound not in ("always", "fixed priors") else self.hull()
        level, _ = levels(points.performances, score)
        if len(points) < len(self) and level.min() < 0:  # the best that are defined may lie below the hull
            points = self
            level, _ = levels(points.performances, score)
        rows = np.flatnonzero(level == level.max())
        if level[rows[0]] < 0:
            raise UndefinedScoreError(f"{score.symbol} is undefined at every threshold: {score.domain}")
        row = int(rows[0])
        performance = points.performances[row]
        best = BestThreshold(
            score=score,
            threshold=float(points.thresholds[row]),
            below=float(points.below[row]),
            performance=performance,
            value=float(score(performance)[0]),
            tied=tuple(points.thresholds[rows].tolist()),
        )
        if current is None:
            return best
        value = float(score(self.at(current))[0])
        gain = best.value - value if score.direction != "smaller" else value - best.value
        return replace(best, current=float(current), current_value=value, gain=gain)

    def table(self) -> Table:
        """Return threshold, tn, fp, fn, tp of every operating point."""
        return Table({"threshold": self.thresholds, **dict(zip(("tn", "fp", "fn", "tp"), self.counts.T, strict=True))})

    @property
    def heading(self) -> str:
        """The number of operating points, and the range of their thresholds."""
        return f"{len(self)} operating points, thresholds from ∞ to {self.thresholds[-1]:g}"

    def __repr__(self) -> str:
        return f"<ThresholdSweep: {self.heading}>"


def sweep(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Label | None = None, sample_weight: ArrayLike | None = None
) -> ThresholdSweep:
    """Return every distinct operating point of a scored classifier: truth (m,) and scores (m,), larger = more positive.

    Tied scores change sides together; a million cases take about the time of one sort. ``pos_label`` is 1 by default.
    Raises DataError for scores that are NaN or infinite, and labels that are missing or more than two.

    >>> sweep([0, 1, 0, 1], [0.2, 0.9, 0.7, 0.8]).best("fbeta(2)", current=0.5).threshold
    0.8
    """
    truth, score = scored(y_true, y_score, pos_label)
    counts, thresholds = operating_points(truth, score, checked_weights(sample_weight, len(score)))
    for array in (counts, thresholds):
        array.flags.writeable = False
    return ThresholdSweep(thresholds, counts, np.append(thresholds[1:], -np.inf))


def hull_rows(fp: NDArray[Any], tp: NDArray[Any]) -> Integers:
    """Return the rows of the vertices of the upper-left hull of points that never decrease, in either coordinate.

    A point on or below the chord between its neighbors is no vertex: all such points go at once, again and again while
    there are many, and what is left is walked along. Integers are compared exactly, floats as the rationals they are.
    """
    rows = np.flatnonzero(np.append(fp[1:] != fp[:-1], True))  # the highest of each fp
    rows = rows[np.append(True, tp[rows][1:] != tp[rows][:-1])]  # the first of each tp
    whole = fp.dtype.kind in "iu"
    if whole and int(fp[-1]) * int(tp[-1]) < _SAFE:
        while len(rows) > _FEW:
            x, y = fp[rows], tp[rows]
            above = (x[1:-1] - x[:-2]) * (y[2:] - y[:-2]) < (y[1:-1] - y[:-2]) * (x[2:] - x[:-2])
            if above.mean() > 0.9:
                break
            rows = rows[np.concatenate([[True], above, [True]])]
    x, y = (values[rows].tolist() if whole else list(map(Fraction, values[rows].tolist())) for values in (fp, tp))
    return np.asarray(rows[vertices(list(zip(x, y, strict=True)))])

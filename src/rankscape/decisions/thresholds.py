"""One scored model: all its operating points, which of them can be best, and the best threshold for a preference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isnan, nan
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from .._scores.score import levels
from ..account import Account
from ..arrays import EXACT
from ..checks.numbers import exact_number
from ..errors import UndefinedScoreError, UsageError
from ..geometry.hull import vertices
from ..kernels.counting import weighted_bincount
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from ..typing import Flags, Floats, Integers, ScoreLike

Factors = Sequence[tuple[int, int]]
"""How much a negative and a positive case of each domain weigh: whole numbers."""

SAFE = 2**62
"""Integers of 64 bits hold sums below."""


def exactly(number: Any) -> Fraction:
    """Return a sum of weights as a fraction of Python's integers."""
    return Fraction(number.item() if isinstance(number, np.generic) else number)


@dataclass(frozen=True, eq=False)
class Cells:
    """The cases of one model: each has a place among the thresholds, a domain and a fold.

    ``thresholds`` (k,) are the distinct scores in decreasing order: a case is called positive at all thresholds from
    its ``place`` (m,) on. ``negatives`` and ``positives`` (m,) are the cases of each class, or their weights.
    """

    name: str
    thresholds: Floats
    place: Integers
    negatives: NDArray[Any]
    positives: NDArray[Any]
    domain: Integers | None = None
    fold: Integers | None = None

    @cached_property
    def below(self) -> Floats:
        """The score below each position, above which a threshold calls the same cases positive."""
        return np.append(self.thresholds, -np.inf)

    @cached_property
    def single(self) -> bool:
        """Whether each cell is one case, not a weighted one."""
        return self.whole and bool((self.negatives + self.positives == 1).all())

    @property
    def total(self) -> Any:
        """The number of cases, or the sum of their weights."""
        return self.negatives.sum() + self.positives.sum()

    @property
    def domain_of(self) -> Integers:
        """The domain of each case; 0 where there is none."""
        return np.zeros(len(self.place), dtype=np.int64) if self.domain is None else self.domain

    def sides(self, domains: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the negatives and the positives of each domain."""
        sides = np.zeros((2, domains), dtype=np.int64 if self.whole else self.negatives.dtype)
        np.add.at(sides[0], self.domain_of, self.negatives)
        np.add.at(sides[1], self.domain_of, self.positives)
        return sides[0], sides[1]

    @property
    def whole(self) -> bool:
        """Whether cases are counted, and not weighted by fractions."""
        return self.negatives.dtype.kind in "iub"

    def sums(self, factors: Factors, rows: Integers | slice = slice(None)) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the sums of weights of negatives and positives called positive at each position, both (k + 1,).

        They are exact where cases are counted: integers of 64 bits where these suffice, else Python's. ``rows`` chooses
        cases.
        """
        return self._sum(self.negatives, 0, factors, rows), self._sum(self.positives, 1, factors, rows)

    def _sum(self, cases: NDArray[Any], side: int, factors: Factors, rows: Integers | slice) -> NDArray[Any]:
        place, weight = self.place[rows], cases[rows]
        kind: Any = np.float64
        scale: list[Any] = [factor[side] for factor in factors]
        if not self.whole:  # sums of fractions mean something up to a factor, so factors beyond floats are no matter
            largest = max(map(max, factors))
            scale = [float(Fraction(int(factor), largest)) for factor in scale]
        else:
            # of all rows, for parts may be added up
            kind = np.int64 if max(1, int(cases.sum())) * max(scale) < SAFE else object
        if self.domain is None or len(factors) == 1:
            counts = weighted_bincount(place, weight, len(self.thresholds)).astype(kind) * scale[0]
        else:
            counts = np.zeros(len(self.thresholds), dtype=kind)
            np.add.at(counts, place, weight.astype(kind) * np.array(scale, dtype=kind)[self.domain[rows]])
        total = np.zeros(len(counts) + 1, dtype=kind)
        np.cumsum(counts, out=total[1:])
        return total


def cells_of_scores(
    name: str,
    truth: NDArray[Any],
    score: Floats,
    weight: NDArray[Any] | None = None,
    domain: Integers | None = None,
    fold: Integers | None = None,
) -> Cells:
    """Return the cells of a model: one per case.

    >>> cells = cells_of_scores("a", np.array([False, True, True]), np.array([0.2, 0.9, 0.2]))
    >>> cells.thresholds.tolist(), [sums.tolist() for sums in cells.sums([(1, 1)])]
    ([0.9, 0.2], [[0, 0, 1], [0, 1, 2]])
    """
    score = score if score.dtype == object else score + 0.0  # −0 is 0
    distinct, place = np.unique(-score, return_inverse=True)
    weight = np.ones(len(score), dtype=np.int64) if weight is None else weight
    truth = truth.astype(bool)
    return Cells(name, -distinct, place.ravel(), weight * ~truth, weight * truth, domain, fold)


_FEW = 1000
"""So few points are looked at one by one."""


def checked_threshold(threshold: object, name: str = "") -> Any:
    """Return a threshold, of a model where it has a ``name``: a float, or a whole number that no float can hold.

    Raises UsageError for what is no number.
    """
    try:
        number = exact_number(threshold)
        number = number if isinstance(number, int) and abs(number) > EXACT else float(number)
    except (TypeError, ValueError, OverflowError):
        number = nan
    if isinstance(number, float) and isnan(number):
        got = "NaN" if isinstance(threshold, float) else f"{threshold!r:.40}"
        raise UsageError(f"{f'the threshold of {name!r}' if name else 'a threshold'} must be a number; got {got}")
    return number


@dataclass(frozen=True, eq=False, repr=False)
class BestThreshold(Result):
    """The best threshold of a scored classifier for a preference.

    Predict positive if score ≥ ``threshold``. Every threshold in (``below``, ``threshold``] predicts the same. ``cost``
    is the expected cost per case where the preference is one of costs.

    Attributes
    ----------
    score
        The score, or the ranking score of the preference.
    threshold, below
        The threshold, and the next smaller score.
    performance, value
        The performance there, and its score.
    tied
        All thresholds of the hull that are as good, the highest first.
    current, current_value
        The threshold in use, and the value there; None where none was given.
    gain
        How much better the value is than the current one: ≥ 0 in the direction of the score, NaN where it is undefined
        there, None where no threshold was given.

    See Also
    --------
    rankscape.decisions.ThresholdSweep
    rankscape.decisions.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> best = rs.sweep([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]).best("f1", current=0.5)
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

    @property
    def cost(self) -> float | None:
        """The expected cost per case on these cases, None where the preference is not one of costs."""
        return None if self.score.costs is None else float(self.score.costs.expected(self.performance)[0])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its row in a table; the cost only where the preference is one of costs."""
        cost = () if self.score.costs is None else ("cost",)
        return ("threshold", "below", "value", *cost, "tied", "current", "current_value", "gain")

    def table(self) -> Table:
        """Return one row: score, threshold, below, value, perhaps cost, tied (a list), current, and the gain.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"score": [self.score.name]} | {name: [getattr(self, name)] for name in self.columns})


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdSweep(Result):
    """The operating points of a scored classifier: what happens at every threshold t, positive if score ≥ t.

    Get one from :func:`sweep`.

    Attributes
    ----------
    thresholds : (k,)
        ∞, where all are negative, and all distinct scores, in decreasing order.
    counts : (k, 4)
        The sums of weights tn, fp, fn, tp, integers unless weights are fractions.
    below : (k,)
        The next smaller score of each threshold.
    averaged
        Whether domains are averaged, or the prior is shifted: the counts are then integers up to a factor, and no
        cases.
    account
        What was read, or None.

    See Also
    --------
    rankscape.decisions.sweep
    rankscape.decisions.Sweeps

    Examples
    --------
    >>> import rankscape as rs
    >>> points = rs.sweep([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points.thresholds.tolist(), points.counts[:, 3].tolist()
    ([inf, 0.8, 0.4, 0.1], [0, 1, 2, 2])
    >>> points.hull().thresholds.tolist()
    [0.8, 0.4]
    """

    thresholds: Floats
    counts: NDArray[Any]
    below: Floats
    averaged: bool = False
    account: Account | None = None

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def performances(self) -> Performances:
        """The operating points as performances, with their thresholds: to rank and to map, and not to draw from."""
        return self._points(np.arange(len(self)))

    def _points(self, rows: Integers) -> Performances:
        counts, thresholds = self.counts[rows], self.thresholds[rows]
        return Performances.from_operating_points(counts, thresholds, self.account, cases=not self.averaged)

    def at(self, threshold: float) -> Performances:
        """Return the performance at a threshold: that of the smallest score that is at least as large.

        Parameters
        ----------
        threshold
            The threshold; a case is positive if its score is at least as large.

        Returns
        -------
        Performances
            The performance of one entity.
        """
        number = checked_threshold(threshold)
        row = int(np.searchsorted(-self.thresholds, -number, side="right")) - 1
        name = f"score >= {number:g}" if isinstance(number, float) else f"score >= {number}"
        return replace(self._points(np.array([row])), names=(name,), thresholds=np.array([number]))

    def hull(self) -> Self:
        """Return the operating points that can be best: the vertices of the upper-left hull in ROC space, exactly.

        Whatever a ranking score weighs, its best value is reached there, since all points share their priors. Points on
        an edge of the hull are as good as both of its ends, for one preference. (Tile, 3.3.)

        Returns
        -------
        ThresholdSweep
            Some of the operating points; all of them where the truth has one class only.
        """
        fp, tp = self.counts[:, 1], self.counts[:, 3]
        rows = hull_rows(fp, tp) if fp[-1] and tp[-1] else np.arange(len(self))
        return replace(self, thresholds=self.thresholds[rows], counts=self.counts[rows], below=self.below[rows])

    def best(self, by: ScoreLike = "f1", current: float | None = None) -> BestThreshold:
        """Return the best threshold for a score or a preference, and the gain over a current one.

        Parameters
        ----------
        by
            The score or preference, as :func:`rankscape.rank` takes it.
        current
            The threshold in use, if any.

        Returns
        -------
        BestThreshold
            The threshold, its value and the gain. Of equally good thresholds it is the highest that no other one
            dominates; for ranking scores, a vertex of the hull.

        Raises
        ------
        UndefinedScoreError
            Where the score is undefined at every threshold.

        See Also
        --------
        rankscape.decide : with the uncertainty of the choice
        rankscape.sweep
        """
        score = as_score(by)
        rows = best_rows(self.counts[:, 1], self.counts[:, 3], score, self._points)
        row = int(rows[0])
        performance = self._points(rows[:1])
        best = BestThreshold(
            score=score,
            threshold=self.thresholds[row : row + 1].tolist()[0],
            below=self.below[row : row + 1].tolist()[0],
            performance=performance,
            value=float(score(performance)[0]),
            tied=tuple(self.thresholds[rows].tolist()),
        )
        if current is None:
            return best
        value = float(score(self.at(current))[0])
        gain = best.value - value if score.direction != "smaller" else value - best.value
        return replace(best, current=checked_threshold(current), current_value=value, gain=gain)

    def table(self) -> Table:
        """Return threshold, tn, fp, fn, tp of every operating point.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"threshold": self.thresholds, **dict(zip(("tn", "fp", "fn", "tp"), self.counts.T, strict=True))})

    @property
    def heading(self) -> str:
        """The number of operating points, and the range of their thresholds."""
        return f"{len(self)} operating points, thresholds from ∞ to {float(self.thresholds[-1]):g}"

    def __repr__(self) -> str:
        return f"<ThresholdSweep: {self.heading}>"


@dataclass(frozen=True, eq=False, repr=False)
class BestThresholds(Result):
    """The best threshold of each model, the best model first.

    ``best["a"]`` is the :class:`BestThreshold` of one model. Models that tie are sorted by name. The values are
    those on the cases that the thresholds were chosen on.

    Attributes
    ----------
    score
        The score by which the thresholds were chosen.
    models
        {name: :class:`BestThreshold`}, the best first.

    See Also
    --------
    rankscape.decisions.Sweeps
    rankscape.decisions.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
    >>> best = S.best("accuracy")
    >>> best.names, best["a"].threshold, [name for name, _ in best]
    (('b', 'a'), 0.8, ['b', 'a'])
    """

    score: Score
    models: Mapping[str, BestThreshold]

    @classmethod
    def of(cls, score: Score, models: Mapping[str, BestThreshold]) -> BestThresholds:
        """Return the models in the order of their values, decided exactly.

        Parameters
        ----------
        score
            The score by which the thresholds were chosen.
        models
            The best threshold of each model, by its name.

        Returns
        -------
        BestThresholds
            The best model first.
        """
        rows = np.concatenate([best.performance.integers for best in models.values()])
        level, _ = levels(Performances.from_trusted(rows, tuple(models), None, TWO_CLASS), score)
        names = list(models)
        order = sorted(range(len(names)), key=lambda i: (-level[i], names[i]))
        return cls(score, {names[i]: models[names[i]] for i in order})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models, the best first."""
        return tuple(self.models)

    def __getitem__(self, name: str) -> BestThreshold:
        return self.models[name]

    def __iter__(self) -> Iterator[tuple[str, BestThreshold]]:
        return iter(self.models.items())

    def __len__(self) -> int:
        return len(self.models)

    def table(self) -> Table:
        """Return one row per model: entity, threshold, below, value, perhaps cost, tied, current, and the gain.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = list(self.models.values())
        names = rows[0].columns if rows else ()
        return Table({"entity": self.names} | {name: [getattr(row, name) for row in rows] for name in names})

    @property
    def heading(self) -> str:
        """The score, and how many models."""
        return f"Best thresholds of {counted(len(self), 'model')} by {self.score.name}, on the same cases"


def best_rows(
    fp: NDArray[Any],
    tp: NDArray[Any],
    score: Score,
    points: Callable[[Integers], Performances] | None = None,
    hull: Integers | None = None,
) -> Integers:
    """Return the positions of the best operating points, all that tie on the hull, the highest threshold first.

    ``fp`` and ``tp`` (k + 1,) are sums of weights that never decrease; ``points`` gives the performances at positions,
    and ``hull`` are those that can be best where that is known. Raises UndefinedScoreError where the score is undefined
    at every threshold.
    """

    def of_sums(rows: Integers) -> Performances:
        counts = np.stack([fp[-1] - fp[rows], fp[rows], tp[-1] - tp[rows], tp[rows]], axis=1)
        return Performances.from_trusted(counts, ("",) * len(rows), None, TWO_CLASS)

    points = points or of_sums
    every = np.arange(len(fp))
    if score.sound in ("always", "fixed priors") and (hull is not None or (fp[-1] and tp[-1])):
        rows = hull_rows(fp, tp) if hull is None else hull
        level, _ = levels(points(rows), score)
        if level.min() >= 0:  # else the best that are defined may lie below the hull
            return np.asarray(rows[level == level.max()])
    rows = every if len(every) <= _FEW else every[_may_be_best(of_sums(every), score)]
    level, _ = levels(points(rows), score)
    if level.max() < 0:
        raise UndefinedScoreError(f"{score.symbol} is undefined at every threshold: {score.domain}")
    return np.asarray(rows[level == level.max()])


def _may_be_best(performances: Performances, score: Score) -> Flags:
    """Tell which performances may be the best by floats that know their errors: few, so the rest need no comparison."""
    rounded = score.rounded(performances)
    if rounded is None:
        return np.ones(len(performances), dtype=bool)
    value, error = score.sign * rounded.value, rounded.error
    with np.errstate(invalid="ignore"):
        low, high = np.nextafter(value - error, -np.inf), np.nextafter(value + error, np.inf)
        known = np.isfinite(low)
        least = low[known].max(initial=-np.inf)
        return np.asarray(~(high < least))


def hull_rows(fp: NDArray[Any], tp: NDArray[Any]) -> Integers:
    """Return the rows of the vertices of the upper-left hull of points that never decrease, in either coordinate.

    A point on or below the chord between its neighbors is no vertex: all such points go at once, again and again while
    there are many, and what is left is walked along. Integers are compared exactly, floats as the rationals they are.
    """
    rows = np.flatnonzero(np.append(fp[1:] != fp[:-1], True))  # the highest of each fp
    rows = rows[np.append(True, tp[rows][1:] != tp[rows][:-1])]  # the first of each tp
    whole = fp.dtype.kind in "iuO"
    if fp.dtype.kind in "iu" and int(fp[-1]) * int(tp[-1]) < SAFE:
        while len(rows) > _FEW:
            x, y = fp[rows], tp[rows]
            above = (x[1:-1] - x[:-2]) * (y[2:] - y[:-2]) < (y[1:-1] - y[:-2]) * (x[2:] - x[:-2])
            if above.mean() > 0.9:
                break
            rows = rows[np.concatenate([[True], above, [True]])]
    x, y = (values[rows].tolist() if whole else list(map(Fraction, values[rows].tolist())) for values in (fp, tp))
    return np.asarray(rows[vertices(list(zip(x, y, strict=True)))])

"""What is known of a scored model: at which of its thresholds the cases of each class, domain and fold change sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..io.histograms import ScoreHistograms
from ..kernels.counting import weighted_bincount
from ..typing import Floats, Integers

Factors = Sequence[tuple[int, int]]
"""How much a negative and a positive case of each domain weigh: whole numbers."""

SAFE = 2**62
"""Integers of 64 bits hold sums below."""


def exactly(number: Any) -> Fraction:
    """Return a sum of weights as a fraction of Python's integers."""
    return Fraction(number.item() if isinstance(number, np.generic) else number)


@dataclass(frozen=True, eq=False)
class Cells:
    """The cases of one model, or bins of cases: each has a place among the thresholds, a domain and a fold.

    ``thresholds`` (k,) are the distinct scores, or the lower edges of the bins that hold cases, in decreasing order:
    a case is called positive at all thresholds from its ``place`` (m,) on. ``negatives`` and ``positives`` (m,) are the
    cases of each class, or their weights. Of bins ``upper`` (k,) are the upper edges.
    """

    name: str
    thresholds: Floats
    place: Integers
    negatives: NDArray[Any]
    positives: NDArray[Any]
    domain: Integers | None = None
    fold: Integers | None = None
    upper: Floats | None = None

    @property
    def binned(self) -> bool:
        """Whether these are bins, which cannot be told apart into cases."""
        return self.upper is not None

    @cached_property
    def below(self) -> Floats:
        """The score below each position, above which a threshold calls the same cases positive."""
        return np.append(self.thresholds if self.upper is None else self.upper, -np.inf)

    @cached_property
    def single(self) -> bool:
        """Whether each cell is one case, not a bin of several or a weighted one."""
        return self.whole and bool((self.negatives + self.positives == 1).all())

    @property
    def total(self) -> Any:
        """The number of cases, or the sum of their weights."""
        return self.negatives.sum() + self.positives.sum()

    def only(self, rows: Integers) -> Cells:
        """Return some of the cells."""
        domain, fold = (None if codes is None else codes[rows] for codes in (self.domain, self.fold))
        negatives, positives = self.negatives[rows], self.positives[rows]
        return Cells(self.name, self.thresholds, self.place[rows], negatives, positives, domain, fold, self.upper)

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


def cells_of_bins(histograms: ScoreHistograms, model: int) -> Cells:
    """Return the cells of a model whose scores were counted in bins: one per domain, fold and bin that holds cases.

    >>> from rankscape import Accumulator
    >>> cells = cells_of_bins(Accumulator(bins=4).add([0, 1, 1], [0.1, 0.6, 0.9]).histograms, 0)
    >>> cells.thresholds.tolist(), cells.below.tolist(), cells.positives.tolist()
    ([0.75, 0.5, -inf], [inf, 0.75, 0.25, -inf], [0, 1, 1])
    """
    positives, negatives = histograms.positives[model], histograms.negatives[model]
    domain, fold, place = np.nonzero(positives + negatives)
    here = domain, fold, place
    used, at = np.unique(-place, return_inverse=True)
    low = np.append(-np.inf, histograms.edges[1:-1])  # the first bin is open below, and the last one above
    high = np.append(histograms.edges[1:-1], np.inf)
    return Cells(
        histograms.names[model], low[-used], at.ravel(), negatives[here], positives[here],
        None if histograms.domains is None else domain, None if histograms.folds is None else fold, high[-used],
    )  # fmt: skip

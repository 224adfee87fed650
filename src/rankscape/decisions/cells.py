"""What is known of scored models: at which thresholds the cases of each class, domain and fold change sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

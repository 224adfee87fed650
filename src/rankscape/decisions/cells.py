"""What is known of scored models: at which thresholds the cases of each class, domain and fold change sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import rows_of
from ..domains.grid import exact_weights, refuse_idle
from ..errors import DataError
from ..kernels.counting import weighted_bincount
from ..performances import Performances
from ..typing import Floats, Integers, WeightsLike

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


@dataclass(frozen=True, eq=False, repr=False)
class Scored:
    """Several scored models, and how their domains are averaged."""

    models: tuple[Cells, ...]
    domains: tuple[str, ...] | None = None
    folds: tuple[str, ...] | None = None
    paired: bool = False
    weights: WeightsLike = "equal"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(cells.name for cells in self.models)

    def cells(self, name: str) -> Cells:
        """Return the cells of one model. Raises UsageError for an unknown name.

        Parameters
        ----------
        name
            The model.

        Returns
        -------
        Cells
            Its scores, with the weights of positives and negatives.

        Raises
        ------
        UsageError
            For an unknown name.
        """
        return self.models[int(rows_of(self.names, name, "model")[0])]

    @cached_property
    def _totals(self) -> tuple[Fraction, ...] | None:
        """The weights of the domains, which sum to 1, as summaries have them; None without any."""
        refuse_idle(self.domains, self.weights)
        if self.domains is None:
            return None
        rows = []
        for cells in self.models:
            if not cells.whole:
                raise DataError(
                    "weights of cases that are fractions cannot be averaged over domains: give whole numbers"
                )
            negative, positive = cells.sides(len(self.domains))
            rows += [[n, 0, p, 0] for n, p in zip(negative.tolist(), positive.tolist(), strict=True)]
        names = [name for name in self.names for _ in self.domains]
        table = Performances.from_counts(rows, names=names, domains=list(self.domains) * len(self.models))
        places = np.arange(len(table)).reshape(len(self.models), len(self.domains))
        return exact_weights(self.weights, table, self.domains, places)

    def factors(self, cells: Cells, prior: Fraction | None = None) -> Factors:
        """Return how much a case of each domain and class weighs, so that sums are averages, perhaps at a new prior.

        Parameters
        ----------
        cells
            The cells of one model.
        prior
            The share of positives to shift to; by default none.

        Returns
        -------
        Factors
            One factor per domain and class: whole numbers without a common divisor.
        """
        weights, domains = self._totals, self.domains or ("",)
        negatives, positives = (list(map(exactly, side)) for side in cells.sides(len(domains)))
        shares = [Fraction(1)]
        if weights is not None:
            totals = [n + p for n, p in zip(negatives, positives, strict=True)]
            if not all(totals):
                raise DataError(
                    f"the model {cells.name!r} has no case on the domain {domains[totals.index(Fraction(0))]!r}"
                )
            shares = [weight / total for weight, total in zip(weights, totals, strict=True)]
        down = up = Fraction(1)
        if prior is not None:
            negative, positive = (
                sum(n * f for n, f in zip(side, shares, strict=True)) for side in (negatives, positives)
            )
            if not negative or not positive:
                lacking = "positive" if not positive else "negative"
                raise DataError(f"the model {cells.name!r} has no {lacking} case, so its prior cannot be shifted")
            down, up = (1 - prior) * positive, prior * negative
        pairs = [(share * down, share * up) for share in shares]
        common = lcm(*(number.denominator for pair in pairs for number in pair))
        whole = [(int(x * common), int(y * common)) for x, y in pairs]
        divisor = gcd(*(number for pair in whole for number in pair))
        return [(x // divisor, y // divisor) for x, y in whole]


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

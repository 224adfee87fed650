"""Counting as predictions or scores come: batch after batch, on several workers, without keeping a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Integers
from ..checks import Weights, checked_weights, sums_of_weights
from ..checks.labels import as_given, checked_scores, refuse_other_order
from ..errors import DataError, UsageError
from ..kernels.counting import weighted_bincount
from ..performances import Performances
from ..texts import counted
from ..typing import Label, PredictionsLike
from .bins import checked_bins
from .cells import missing
from .coded import Column, combined
from .codes import Group, LabelsOf, plain_name, plain_value
from .groups import tallied
from .histograms import ScoreHistograms, histograms_of

Key = tuple[Any, Any, Any, Any]
_LARGEST_WEIGHT = 10**300  # so that sums of any number of batches are finite
_MIXED = "some batches have {} and some have none; expected one in all, or in none"
_BINS = ["make it with bins, as in Accumulator(bins=4096)"]


class Accumulator:
    """Count labels or scores batch by batch; memory grows with entities and labels, not with cases.

    ``update`` adds a batch, ``merge`` or ``+`` what another worker has counted, ``performances()`` gives the result, as
    :func:`rankscape.count` does. Order does not matter: sums of weights are exact, of floats as
    of the decimals that they print.

    Parameters
    ----------
    pos_label
        The positive label, if the labels are no known pair such as 0 and 1, or no and yes.
    labels
        A list of labels, or "all", as in :func:`rankscape.count`.
    bins
        A number of bins on [0, 1], a tuple (low, high, number), or a list of edges: ``add`` then takes scores, and
        ``histograms`` holds how many positives and negatives are in each bin.

    See Also
    --------
    rankscape.count
    rankscape.Performances

    Examples
    --------
    >>> import rankscape as rs
    >>> first, second = rs.Accumulator(), rs.Accumulator()
    >>> P = (first.update([0, 1, 1], [0, 1, 0]) + second.update([0, 1], [1, 1])).performances()
    >>> P.counts.tolist()
    [[1, 1, 1, 2]]
    >>> rs.Accumulator(bins=4).add([0, 1, 1], [0.1, 0.6, 0.9]).histograms.positives.ravel().tolist()
    [0, 0, 1, 1]
    """

    def __init__(
        self,
        *,
        pos_label: Label | None = None,
        labels: LabelsOf = None,
        bins: int | tuple[float, float, int] | ArrayLike | None = None,
    ) -> None:
        self.pos_label = pos_label
        self.labels = labels
        self._bins = None if bins is None else checked_bins(bins)
        self._groups: dict[Key, tuple[int, int | Fraction]] = {}
        self._scores: dict[Key, Integers] = {}  # by domain, entity, fold and truth
        self._domains: bool | None = None
        self._folds: bool | None = None

    def update(
        self,
        y_true: ArrayLike,
        y_pred: PredictionsLike,
        *,
        entity: Label | ArrayLike = "model",
        domain: Label | ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of predictions.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_pred : (m,), or a mapping of entities to (m,)
            The predicted labels.
        entity, domain : a name or (m,)
            One name for all cases, or the name of each.
        sample_weight : (m,), optional
            The weights of the cases, ≥ 0, not all 0; whole ones give counts.

        Returns
        -------
        Self
            The accumulator itself.

        Raises
        ------
        DataError
            For lengths that differ, labels that are missing or have the index of the truth in another order, and
            weights that are no numbers ≥ 0; nothing is added then.
        """
        if isinstance(y_pred, Mapping):
            batch = self._empty()
            for name, labels in y_pred.items():
                batch.update(y_true, labels, entity=name, domain=domain, sample_weight=sample_weight)
            return self._merged(batch)
        if self._domains not in (None, domain is not None):
            raise DataError(_MIXED.format("a domain"))
        for column in (y_pred, entity, domain, sample_weight):
            refuse_other_order(y_true, column)
        truth = _truths(y_true)
        weight = checked_weights(sample_weight, len(truth)) if len(truth) else None
        if weight is not None and max(weight.integers.tolist()) > _LARGEST_WEIGHT * weight.scale:
            raise DataError("sample_weight: weights may be 1e300 at most: divide those of all batches")
        columns = [_column(x, len(truth), what) for x, what in ((domain, "domains"), (entity, "entities"))]
        columns += [truth, _column(y_pred, len(truth), "predictions")]
        _refuse_missing(zip(("the domain", "the entity", "the truth", "the prediction"), columns, strict=True))
        if len(truth):
            self._add(columns, weight)
            self._domains = domain is not None
        return self

    def add(
        self,
        y_true: ArrayLike,
        y_score: PredictionsLike,
        *,
        entity: Label | ArrayLike = "model",
        domain: Label | ArrayLike | None = None,
        fold: Label | ArrayLike | None = None,
    ) -> Self:
        """Add a batch of scores, which are counted in bins.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_score : (m,), or a mapping of entities to (m,)
            The scores, larger for more positive.
        entity, domain, fold : a name or (m,)
            One name for all cases, or the name of each.

        Returns
        -------
        Self
            The accumulator itself.

        Raises
        ------
        UsageError
            Without ``bins``.
        DataError
            For what ``update`` refuses, and for scores that are not finite; nothing is added then.
        """
        if self._bins is None:
            raise UsageError("scores are counted in bins, and this Accumulator has none", way_out=_BINS)
        if isinstance(y_score, Mapping):
            batch = self._empty()
            for name, scores in y_score.items():
                batch.add(y_true, scores, entity=name, domain=domain, fold=fold)
            return self._merged(batch)
        for before, now, what in ((self._domains, domain, "a domain"), (self._folds, fold, "a fold")):
            if before not in (None, now is not None):
                raise DataError(_MIXED.format(what))
        for column in (y_score, entity, domain, fold):
            refuse_other_order(y_true, column)
        truth, score = _truths(y_true), checked_scores(as_given(y_score))
        if len(score) != len(truth):
            raise DataError(f"expected as many scores as true labels, {len(truth)}; got {len(score)}")
        given = ((domain, "domains"), (entity, "entities"), (fold, "folds"))
        columns = [*(_column(x, len(truth), what) for x, what in given), truth]
        _refuse_missing(zip(("the domain", "the entity", "the fold", "the truth"), columns, strict=True))
        if len(truth):
            factors = [_factorized(column) for column in columns]
            code, places = combined([factor.codes for factor in factors])
            cells, n = (
                code * self._bins.number + self._bins.places(score.astype(np.float64)),
                len(places) * self._bins.number,
            )
            for place, counts in zip(
                places.tolist(), np.bincount(cells, minlength=n).reshape(len(places), -1), strict=True
            ):
                self._put_scores(tuple(factor.values[i] for factor, i in zip(factors, place, strict=True)), counts)
            self._domains, self._folds = domain is not None, fold is not None
        return self

    def _empty(self) -> Accumulator:
        empty = Accumulator(pos_label=self.pos_label, labels=self.labels)
        empty._bins = self._bins
        return empty

    def _put_scores(self, key: Any, counts: Integers) -> None:
        self._scores[key] = self._scores[key] + counts if key in self._scores else counts

    def _add(self, columns: list[NDArray[Any]], weight: Weights | None) -> None:
        factors = [_factorized(column) for column in columns]
        code, places = combined([factor.codes for factor in factors])
        rows = np.bincount(code)
        total = rows
        if weight is not None:
            total = sums_of_weights(weighted_bincount(code, weight.integers, len(places)), weight)
        for place, n, w in zip(places.tolist(), rows.tolist(), total.tolist(), strict=True):
            self._put(tuple(factor.values[i] for factor, i in zip(factors, place, strict=True)), n, w)

    def _put(self, key: Any, rows: int, weight: int | Fraction) -> None:
        before = self._groups.get(key, (0, 0))
        self._groups[key] = (before[0] + rows, before[1] + weight)

    def merge(self, other: Self) -> Self:
        """Add what another accumulator has counted.

        Parameters
        ----------
        other
            An accumulator of the same labels and bins.

        Returns
        -------
        Self
            The accumulator itself.

        Raises
        ------
        DataError
            Where the two count different labels or bins.
        """
        if not isinstance(other, Accumulator):
            raise DataError(f"an Accumulator can be merged with another one only; got {type(other).__name__}")
        if (self.pos_label, self.labels) != (other.pos_label, other.labels):
            raise DataError("these accumulators differ in pos_label or labels; expected the same in both")
        if self._bins != other._bins:
            raise DataError("these accumulators differ in bins; expected the same in both")
        return self._merged(other)

    def _merged(self, other: Accumulator) -> Self:
        pairs = ((self._domains, other._domains, "a domain"), (self._folds, other._folds, "a fold"))
        for one, another, what in pairs:
            if None not in (one, another) and one != another:
                raise DataError(_MIXED.format(what))
        for key, (rows, weight) in list(other._groups.items()):
            self._put(key, rows, weight)
        for key, counts in list(other._scores.items()):
            self._put_scores(key, counts)
        self._domains = other._domains if self._domains is None else self._domains
        self._folds = other._folds if self._folds is None else self._folds
        return self

    def __add__(self, other: Self) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return self._empty().merge(self).merge(other)

    def __len__(self) -> int:
        """Return the number of predictions and scores counted so far."""
        return sum(rows for rows, _ in self._groups.values()) + sum(int(n.sum()) for n in self._scores.values())

    def performances(self) -> Performances:
        """Return the performances counted so far, sorted by domain and entity.

        Returns
        -------
        Performances
            As :func:`rankscape.count` returns them.

        Raises
        ------
        DataError
            Where :func:`rankscape.count` raises it.
        """
        groups = [
            Group(plain_name(domain) if self._domains else "", plain_name(entity), truth, predicted, *sums)
            for (domain, entity, truth, predicted), sums in self._groups.items()
        ]
        return tallied(groups, pos_label=self.pos_label, labels=self.labels, invalid="error", scored=False).performances

    @property
    def histograms(self) -> ScoreHistograms:
        """The scores counted so far, in bins; raises UsageError without ``bins``, and DataError as ``count`` does."""
        if self._bins is None:
            raise UsageError("scores are counted in bins, and this Accumulator has none", way_out=_BINS)
        groups = [
            Group(plain_name(domain) if self._domains else "", plain_name(entity), truth, False, n, n,
                  plain_name(fold) if self._folds else "")
            for (domain, entity, fold, truth), counts in self._scores.items() for n in (int(counts.sum()),)
        ]  # fmt: skip
        tally = tallied(groups, pos_label=self.pos_label, labels=self.labels, invalid="error", scored=True)
        cells: dict[tuple[str, str, str, bool], Integers] = {}
        for group, counts in zip(groups, self._scores.values(), strict=True):
            cell = (str(group.entity), str(group.domain), str(group.fold), bool(group.truth == tally.positive))
            cells[cell] = cells[cell] + counts if cell in cells else counts
        return histograms_of(cells, self._bins, (bool(self._domains), bool(self._folds)), tally)

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} {'predictions' if self._bins is None else 'scores'}>"


def _truths(y_true: Any) -> NDArray[Any]:
    truth = as_given(y_true)
    if truth.ndim != 1:
        raise DataError(f"expected one true label per case; got shape {truth.shape}")
    return truth


def _refuse_missing(columns: Iterable[tuple[str, NDArray[Any]]]) -> None:
    """Refuse a batch in which a value is missing."""
    for what, column in columns:
        lacking = sum(missing(value) for value in column.tolist()) if column.dtype.kind in "Ofc" else 0
        if lacking:
            raise DataError(
                f"{what} is missing in {counted(lacking, 'case')} of this batch, which is not counted: drop them"
            )


def _column(values: Any, n: int, what: str) -> NDArray[Any]:
    """Return one value per case; a single name is that of all."""
    array = as_given("" if values is None else values)
    if array.ndim == 0:
        array = np.broadcast_to(array, n)
    if array.shape != (n,):
        raise DataError(f"expected as many {what} as true labels, {n}; got shape {array.shape}")
    return array


def _factorized(column: NDArray[Any]) -> Column:
    """Return the distinct values of a column, as Python has them, and where each case has its own."""
    if column.dtype.kind in "biufU":
        values, codes = np.unique(column, return_inverse=True)
        return Column([plain_value(value) for value in values], codes)
    index: dict[Any, int] = {}
    codes = np.array([index.setdefault(plain_value(value), len(index)) for value in column.tolist()], dtype=np.int64)
    return Column(list(index), codes)

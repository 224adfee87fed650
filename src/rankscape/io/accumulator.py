"""Counting as predictions come: batch after batch, on several workers, without keeping a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_weights
from ..checks.labels import as_given, refuse_other_order
from ..errors import DataError
from ..performances import Performances
from ..texts import counted
from ..typing import Label, PredictionsLike
from .cells import missing
from .coded import Column, combined
from .codes import Group, LabelsOf, plain_name, plain_value
from .groups import tallied

Key = tuple[Any, Any, Any, Any]
_LARGEST_WEIGHT = 1e300  # so that sums of any number of batches are finite
_DOMAINS = "some batches have a domain and some have none; expected one in all, or in none"


class Accumulator:
    """Counts of batches of labels, which can be added: memory grows with entities and labels, not with cases.

    ``update`` adds a batch, ``merge`` or ``+`` what another worker has counted, ``performances()`` gives the result, as
    :func:`rankscape.count` does. Order does not matter for counts; sums of fractional weights are those of floats.

    >>> first, second = Accumulator(), Accumulator()
    >>> P = (first.update([0, 1, 1], [0, 1, 0]) + second.update([0, 1], [1, 1])).performances()
    >>> P.counts.tolist()
    [[1, 1, 1, 2]]
    """

    def __init__(self, *, pos_label: Label | None = None, labels: LabelsOf = None) -> None:
        self.pos_label = pos_label
        self.labels = labels
        self._groups: dict[Key, tuple[int, int | float]] = {}
        self._domains: bool | None = None

    def update(
        self,
        y_true: ArrayLike,
        y_pred: PredictionsLike,
        *,
        entity: Label | ArrayLike = "model",
        domain: Label | ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch: true labels (m,) and predicted ones, (m,) or a mapping of entities to (m,); return self.

        ``entity`` and ``domain`` are one name each, or one per case. Raises DataError for lengths that differ, and for
        labels with the index of the truth in another order; nothing is added then.
        """
        if isinstance(y_pred, Mapping):
            batch = Accumulator(pos_label=self.pos_label, labels=self.labels)
            for name, labels in y_pred.items():
                batch.update(y_true, labels, entity=name, domain=domain, sample_weight=sample_weight)
            return self._merged(batch)
        if self._domains not in (None, domain is not None):
            raise DataError(_DOMAINS)
        for column in (y_pred, entity, domain, sample_weight):
            refuse_other_order(y_true, column)
        truth = as_given(y_true)
        if truth.ndim != 1:
            raise DataError(f"expected one true label per case; got shape {truth.shape}")
        weight = checked_weights(sample_weight, len(truth)) if len(truth) else None
        if weight is not None and weight.dtype.kind == "f" and np.asarray(sample_weight).max() > _LARGEST_WEIGHT:
            raise DataError("sample_weight: weights may be 1e300 at most: divide those of all batches")
        columns = [_column(x, len(truth), what) for x, what in ((domain, "domains"), (entity, "entities"))]
        columns += [truth, _column(y_pred, len(truth), "predictions")]
        for what, column in zip(("the domain", "the entity", "the truth", "the prediction"), columns, strict=True):
            lacking = sum(missing(value) for value in column.tolist()) if column.dtype.kind in "Ofc" else 0
            if lacking:
                raise DataError(
                    f"{what} is missing in {counted(lacking, 'case')} of this batch, which is not counted: drop them"
                )
        if len(truth):
            self._add(columns, weight)
            self._domains = domain is not None
        return self

    def _add(self, columns: list[NDArray[Any]], weight: NDArray[Any] | None) -> None:
        factors = [_factorized(column) for column in columns]
        code, places = combined([factor.codes for factor in factors])
        rows = np.bincount(code)
        total = rows if weight is None else np.zeros(len(places), dtype=weight.dtype)
        if weight is not None:
            np.add.at(total, code, weight)
        for place, n, w in zip(places.tolist(), rows.tolist(), total.tolist(), strict=True):
            self._put(tuple(factor.values[i] for factor, i in zip(factors, place, strict=True)), n, w)

    def _put(self, key: Any, rows: int, weight: int | float) -> None:
        before = self._groups.get(key, (0, 0))
        self._groups[key] = (before[0] + rows, before[1] + weight)

    def merge(self, other: Self) -> Self:
        """Add what another accumulator has counted; return self. Raises DataError where they count different labels."""
        if not isinstance(other, Accumulator):
            raise DataError(f"an Accumulator can be merged with another one only; got {type(other).__name__}")
        if (self.pos_label, self.labels) != (other.pos_label, other.labels):
            raise DataError("these accumulators differ in pos_label or labels; expected the same in both")
        return self._merged(other)

    def _merged(self, other: Accumulator) -> Self:
        if None not in (self._domains, other._domains) and self._domains != other._domains:
            raise DataError(_DOMAINS)
        for key, (rows, weight) in list(other._groups.items()):
            self._put(key, rows, weight)
        self._domains = other._domains if self._domains is None else self._domains
        return self

    def __add__(self, other: Self) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return Accumulator(pos_label=self.pos_label, labels=self.labels).merge(self).merge(other)

    def __len__(self) -> int:
        """Return the number of predictions counted so far."""
        return sum(rows for rows, _ in self._groups.values())

    def performances(self) -> Performances:
        """Return the performances counted so far, sorted by domain and entity. Raises DataError as ``count`` does."""
        groups = [
            Group(plain_name(domain) if self._domains else "", plain_name(entity), truth, predicted, *sums)
            for (domain, entity, truth, predicted), sums in self._groups.items()
        ]
        return tallied(groups, pos_label=self.pos_label, labels=self.labels, invalid="error", scored=False).performances

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} predictions>"


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

"""Counting as predictions come: batch after batch, on several workers, without keeping a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_weights, sums_of_weights
from ..checks.labels import as_given, refuse_other_order
from ..errors import DataError
from ..performances import Performances
from ..texts import counted
from ..typing import Label, PredictionsLike
from .cells import missing
from .codes import Group, LabelsOf, plain_name, plain_value, tallied

Key = tuple[Any, Any, Any, Any]
"""Domain, or None where there are none, entity, truth and prediction."""

_LARGEST_WEIGHT = 10**300  # so that sums of any number of batches are finite


class Accumulator:
    """Count predictions batch by batch; memory grows with entities and labels, not with cases.

    ``update`` adds a batch, ``+`` what another worker has counted, and ``performances()`` gives the result, as
    :func:`rankscape.count` does. Order does not matter: sums are exact.

    Parameters
    ----------
    pos_label, labels
        As in :func:`rankscape.count`.

    Examples
    --------
    >>> import rankscape as rs
    >>> first, second = rs.Accumulator(), rs.Accumulator()
    >>> P = (first.update([0, 1, 1], [0, 1, 0]) + second.update([0, 1], [1, 1])).performances()
    >>> P.counts.tolist()
    [[1, 1, 1, 2]]
    """

    def __init__(self, *, pos_label: Label | None = None, labels: LabelsOf = None) -> None:
        self.pos_label = pos_label
        self.labels = labels
        self._groups: dict[Key, tuple[int, Any]] = {}  # how many predictions, and their weight

    def update(
        self,
        y_true: ArrayLike,
        y_pred: PredictionsLike,
        *,
        entity: Label | ArrayLike = "model",
        domain: Label | ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of predictions, whole or, where it raises, not at all.

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
            weights that are no numbers ≥ 0.
        """
        batch = Accumulator(pos_label=self.pos_label, labels=self.labels)
        for name, labels in y_pred.items() if isinstance(y_pred, Mapping) else [(entity, y_pred)]:
            batch._count(y_true, {"prediction": labels, "entity": name, "domain": domain}, sample_weight)
        return self._add(batch._groups)

    def _count(self, y_true: Any, given: dict[str, Any], sample_weight: Any) -> None:
        truth = as_given(y_true)
        if truth.ndim != 1:
            raise DataError(f"expected one true label per case; got shape {truth.shape}")
        columns = {"truth": truth.tolist()}
        for what, values in given.items():
            refuse_other_order(y_true, values)
            array = as_given("" if values is None else values)
            array = np.broadcast_to(array, len(truth)) if array.ndim == 0 else array
            if array.shape != truth.shape:
                plural = {"entity": "entities"}.get(what, f"{what}s")
                raise DataError(f"expected as many {plural} as true labels, {len(truth)}; got shape {array.shape}")
            columns[what] = array.tolist()
        for what, cells in columns.items():
            if lacking := sum(map(missing, cells)):
                cases = counted(lacking, "case")
                raise DataError(f"the {what} is missing in {cases} of this batch, which is not counted: drop them")
        refuse_other_order(y_true, sample_weight)
        weight = checked_weights(sample_weight, len(truth)) if len(truth) else None
        if weight is not None and max(weight.integers.tolist()) > _LARGEST_WEIGHT * weight.scale:
            raise DataError("sample_weight: weights may be 1e300 at most: divide those of all batches")
        places = columns["domain"] if given["domain"] is not None else [None] * len(truth)
        keys = list(zip(places, columns["entity"], columns["truth"], columns["prediction"], strict=True))
        rows = Counter(keys)
        sums: dict[Key, int] = dict(rows) if weight is None else dict.fromkeys(rows, 0)
        for key, integer in zip(keys, [] if weight is None else weight.integers.tolist(), strict=False):
            sums[key] += integer
        exact = sums_of_weights(np.array(list(sums.values()), dtype=object), weight).tolist()
        self._add({key: (rows[key], total) for key, total in zip(sums, exact, strict=True)})

    def _add(self, groups: Mapping[Key, tuple[int, Any]]) -> Self:
        if len({domain is None for domain, *_ in (*self._groups, *groups)}) > 1:
            raise DataError("some batches have a domain and some have none; expected one in all, or in none")
        for key, (rows, weight) in groups.items():
            before = self._groups.get(key, (0, 0))
            self._groups[key] = (before[0] + rows, before[1] + weight)
        return self

    def __add__(self, other: Self) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        if (self.pos_label, self.labels) != (other.pos_label, other.labels):
            raise DataError("these accumulators differ in pos_label or labels; expected the same in both")
        return Accumulator(pos_label=self.pos_label, labels=self.labels)._add(self._groups)._add(other._groups)

    def __len__(self) -> int:
        """Return the number of predictions counted so far."""
        return sum(rows for rows, _ in self._groups.values())

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
            Group("" if domain is None else plain_name(domain), plain_name(entity), plain_value(truth),
                  plain_value(predicted), rows, weight)
            for (domain, entity, truth, predicted), (rows, weight) in self._groups.items()
        ]  # fmt: skip
        return tallied(groups, pos_label=self.pos_label, labels=self.labels, invalid="error", scored=False).performances

    def __repr__(self) -> str:
        return f"<Accumulator: {len(self)} predictions>"

"""Whatever holds performances becomes Performances: the one way in of everything that takes them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from ..errors import DataError, UsageError
from ..outcomes import TWO_CLASS
from .performances import Performances


def as_performances(obj: Any) -> Performances:
    """Return performances from whatever holds them: Performances, a table as in :func:`rankscape.read`, or an array.

    An array is a confusion matrix of scikit-learn (2, 2), a stack of them (n, 2, 2), or rows tn, fp, fn, tp (n, 4).

    >>> as_performances([[50, 10], [5, 35]]).counts.tolist()
    [[50, 10, 5, 35]]
    """
    if isinstance(obj, Performances):
        if len(obj) == 0:
            raise UsageError("no performance is selected; expected at least one")
        return obj
    if refuse := getattr(type(obj), "_refuse_as_performances", None):
        refuse(obj)
    if isinstance(getattr(obj, "performances", None), Performances):
        raise UsageError(f"expected performances, got {type(obj).__name__}", way_out="pass its .performances")
    records = isinstance(obj, (list, tuple)) and len(obj) > 0 and all(isinstance(item, Mapping) for item in obj)
    if records or not isinstance(obj, (list, tuple, np.ndarray)):
        read: Performances = import_module("..io", __package__).read(obj)  # tables load what reads them
        return read
    try:
        array = np.asarray(obj)
    except ValueError:
        raise DataError("the rows of the array have different lengths; expected tn, fp, fn, tp in each") from None
    if array.dtype.kind not in "iufO":
        raise DataError(f"expected an array of numbers; got one of type {array.dtype}")
    if array.ndim >= 2 and array.shape[-2:] == (2, 2):
        return Performances.from_confusion_matrix(array)
    if array.ndim not in (1, 2) or array.shape[-1] != len(TWO_CLASS):
        expected = "expected confusion matrices (2, 2) or (n, 2, 2), or rows tn, fp, fn, tp (n, 4)"
        raise DataError(f"{expected}; got an array of shape {array.shape}")
    try:
        floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return Performances.from_counts(array)  # which raises for the first that is no number
    whole = not np.isfinite(floats).all() or bool((floats == np.floor(floats)).all())
    return Performances.from_counts(array) if whole else Performances.from_probabilities(array)

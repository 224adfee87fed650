"""Detection of boxes or intervals: Ω = {none, fp, fn, tp}.

Of an input, match the true and the predicted detections, one to one: a match is a tp, a prediction without a match a
fp, a true one without a match a fn. If both sets are empty the outcome is "none", which is satisfying. (Foundations,
A.2.4.) Inputs are averaged per thing to be found, fn + tp, of which all detectors had as many; where an input has none,
counts are added.

Two satisfying and two unsatisfying outcomes: the Tile holds, with "none" in the place of tn. IoU (Jaccard) and F₁ of
these outcomes are ranking scores.

>>> import rankscape as rs
>>> truth = [[[0, 0, 10, 10], [20, 20, 30, 30]], []]  # two boxes in one image, none in another
>>> shy = [[[1, 0, 10, 10]], []]
>>> eager = [[[0, 0, 10, 9], [21, 20, 30, 30], [50, 50, 60, 60]], [[0, 0, 5, 5]]]
>>> P = rs.tasks.detection.evaluate(truth, {"shy": shy, "eager": eager}, iou=0.5)
>>> P.mass.round(3).tolist()
[[0.333, 0.0, 0.333, 0.333], [0.0, 0.5, 0.0, 0.5]]
>>> list(rs.rank(P, by="f1")), list(rs.rank(P, by="recall")), rs.regions.winners(P)
(['eager', 'shy'], ['eager', 'shy'], ('shy', 'eager'))

"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..arrays import array_of
from ..checks import checked_reals, one_line
from ..checks.labels import as_given, has_missing, refuse_other_kinds
from ..errors import DataError, UsageError, not_among
from ..performances import Performances
from ..typing import Flags, Floats, ItemsLike
from .entities import by_entity
from .retrieval import SPACE_WITH_NONE, of_inputs

__all__ = ["SPACE", "SPACE_WITH_NONE", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = replace(SPACE_WITH_NONE, name="detection")
"""The outcomes of a detection drawn from the union of the true and the predicted ones, and of an input without any."""

MATCHINGS = ("optimal", "greedy")
PLACES = ("boxes", "intervals")
_NO_LABELS = {"label", "class", "classes", "class_id", "class_ids", "category", "categories", "category_id"}
"""Keys that are refused: they name the object of a box, and are not read."""


@dataclass(frozen=True)
class _Detections:
    """What is detected in one input: places (k, 4) or (k, 2), and labels and scores where they are given."""

    places: Floats
    labels: NDArray[Any] | None
    scores: Floats | None


def evaluate(
    y_true: ItemsLike,
    y_pred: ItemsLike | Mapping[str, ItemsLike],
    *,
    iou: float = 0.5,
    matching: Literal["optimal", "greedy"] = "optimal",
    pooled: bool | None = None,
    by_image: bool = False,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of detectors from their boxes or intervals, input by input.

    An input holds boxes (k, 4), as x1, y1, x2, y2, or intervals (k, 2), as start, end; or a mapping with "boxes" (or
    "intervals") and, where there are any, "labels" and "scores", as torchvision has them. All predicted boxes count,
    whatever their scores: leave those below your threshold out. A pair can match if its intersection over union is at
    least ``iou`` and its labels are equal. (Foundations, A.2.4.)

    Parameters
    ----------
    y_true
        A list of inputs, or a mapping of them by name.
    y_pred
        The same, or a mapping of names of entities to it.
    iou
        The least intersection over union of what matches, in (0, 1].
    matching
        "optimal" finds the most matches, and among those the largest sum of IoU; "greedy" goes by decreasing score,
        each prediction taking the free true one with the largest IoU.
    pooled
        Whether counts are added over the inputs, an input that is empty on both sides being one "none". With False each
        input counts alike, measured per thing to be found, which no input may lack. By default that is so, but counts
        are added where an input has nothing to be found.
    by_image
        Whether each input is a domain of its own; averaged by :func:`rankscape.summarize` they are the performances
        without it. Draws are then of other inputs, see :func:`rankscape.uncertainty.resampled_domains`.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per detector, or per input and detector.

    Raises
    ------
    DataError
        For boxes whose corners are exchanged, for scores that "greedy" misses, and for labels on one side only.
    UsageError
        For an unknown ``matching``, an ``iou`` outside (0, 1], ``pooled`` together with ``by_image``, and
        ``pooled=False`` where an input has nothing to be found.

    See Also
    --------
    rankscape.tasks.segmentation.evaluate
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.detection.evaluate(
    ...     [[[0, 10]], [[5, 9]]], [[[0, 8], [20, 30]], []], pooled=True
    ... ).counts.tolist()
    [[0, 1, 1, 1]]
    """
    if np.ndim(iou) > 0:
        raise UsageError(
            "iou must be one number: evaluate once per threshold and rank each, as in "
            "{t: evaluate(truth, predictions, iou=t) for t in (0.5, 0.75)}"
        )
    if not isinstance(iou, (Real, np.number)) or not 0 < iou <= 1:
        raise UsageError(f"iou must lie in (0, 1]; got {iou!r}")
    if matching not in MATCHINGS:
        raise not_among("matching", matching, MATCHINGS)
    if _is_one_input(y_true):
        raise DataError("the truth is one input; expected one per image or sequence: wrap both sides in lists")
    entities = by_entity(y_pred, y_true, names, lone=_is_one_input)
    if not len(y_true):
        raise DataError("no inputs: expected at least one set of detections")
    items = list(y_true.values()) if isinstance(y_true, Mapping) else list(y_true)
    true = [_detections(item, f"the truth, input {i + 1}") for i, item in enumerate(items)]
    counts = []
    for name, inputs in entities:
        where = f'entity "{one_line(name)}", input'
        predicted = [_detections(item, f"{where} {i + 1}") for i, item in enumerate(inputs)]
        rows = [
            _counted(expected, given, iou, matching, f"{where} {i + 1}")
            for i, (expected, given) in enumerate(zip(true, predicted, strict=True))
        ]
        counts.append(np.array(rows, dtype=np.int64))
    return of_inputs(counts, [name for name, _ in entities], SPACE, y_true, pooled, "by_image", by_image)


def _is_one_input(item: Any) -> bool:
    return isinstance(item, Mapping) and any(key in item for key in PLACES)


def _detections(item: Any, where: str) -> _Detections:
    labels = scores = None
    if isinstance(item, Mapping):
        kind = next((key for key in PLACES if key in item), None)
        if kind is not None and all(key in item for key in PLACES):
            raise DataError(f'{where}: "boxes" and "intervals"; expected one of them: drop the other')
        unread = next((key for key in item if key in _NO_LABELS), None)
        if unread is not None and "labels" not in item:
            raise DataError(f'{where}: the key {unread!r} is not read; expected "labels": rename it, or drop it')
        if kind is None:
            raise DataError(f'{where}: expected "boxes" or "intervals"; got the keys {", ".join(map(str, item))}')
        labels, scores, item = item.get("labels"), item.get("scores"), item[kind]
    given = array_of(item, where)
    try:
        places = given.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{where}: boxes must be rows x1, y1, x2, y2, intervals rows start, end, of numbers") from None
    if places.size == 0:
        places = np.zeros((0, places.shape[1] if places.ndim == 2 and places.shape[1] in (2, 4) else 4))
    if places.ndim != 2 or places.shape[1] not in (2, 4):
        raise DataError(f"{where}: expected boxes (k, 4) or intervals (k, 2); got shape {places.shape}")
    d = places.shape[1] // 2
    with np.errstate(over="ignore", invalid="ignore"):
        sides = places[:, d:] - places[:, :d]
    wrong = ~np.isfinite(sides).all(axis=1) | (sides < 0).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        expected = "x1 ≤ x2 and y1 ≤ y2 (of x, y, width, height: add them)" if d == 2 else "start ≤ end"
        raise DataError(f"{where}, row {row + 1}: {places[row].tolist()}: expected finite numbers, {expected}")
    of_each: dict[str, NDArray[Any] | None] = {"labels": None, "scores": None}
    for what, values in (("labels", labels), ("scores", scores)):
        if values is None:
            continue
        try:
            array = (
                as_given(values, f"{where}: {what}") if what == "labels" else checked_reals(values, f"{where}: {what}")
            )
        except UsageError:
            raise DataError(f"{where}: {what} must be numbers, one per detection; got something else") from None
        expected = f"expected {len(places)}, one per detection, none missing"
        if array.shape != (len(places),):
            raise DataError(f"{where}: {what}: {expected}; got shape {array.shape}")
        if has_missing(array):
            raise DataError(f"{where}: {what}: one is missing (NaN or None); {expected}")
        of_each[what] = array
    return _Detections(places, **of_each)


def _counted(true: _Detections, predicted: _Detections, iou: float, matching: str, where: str) -> list[int]:
    """Return fp, fn, tp of one input."""
    k, n = len(true.places), len(predicted.places)
    matched = 0
    if k and n:
        if true.places.shape[1] != predicted.places.shape[1]:
            raise DataError(f"{where}: boxes on one side, intervals on the other; expected the same on both")
        if (true.labels is None) != (predicted.labels is None):
            side = "the truth" if true.labels is None else "the prediction"
            raise DataError(f"{where}: {side} has no labels, the other side has: give labels to both or to none")
        if true.labels is not None and predicted.labels is not None:
            try:
                refuse_other_kinds(true.labels, predicted.labels)
            except DataError as error:
                raise error.located(where) from None
        value = overlaps(true.places, predicted.places)
        eligible = value >= iou
        if true.labels is not None:
            eligible &= alike(true.labels, predicted.labels)
        if matching == "greedy":
            if predicted.scores is None:
                raise DataError(f'{where}: matching="greedy" needs "scores"; use "optimal", which needs none')
            matched = greedy(value, eligible, predicted.scores)
        elif eligible.any():
            matched = optimal(value, eligible)
    return [n - matched, k - matched, matched]


# Which predicted boxes or intervals are which true ones


def overlaps(true: Floats, predicted: Floats) -> Floats:
    """Return the intersection over union of boxes (k, 2d) and (l, 2d): lower corner, then upper corner; (k, l).

    Intervals have d = 1, boxes (x1, y1, x2, y2) have d = 2. Two of size 0 have no union: 0.

    >>> overlaps(np.array([[0.0, 2.0]]), np.array([[1.0, 3.0], [0.0, 1.0]])).round(3).tolist()
    [[0.333, 0.5]]
    """
    d = true.shape[1] // 2
    low = np.maximum(true[:, None, :d], predicted[None, :, :d])
    high = np.minimum(true[:, None, d:], predicted[None, :, d:])
    one, two = true[:, None, d:] - true[:, None, :d], predicted[None, :, d:] - predicted[None, :, :d]
    scale = -np.frexp(np.maximum(one, two))[1]  # by powers of two, so that products of sides stay what they are
    both, one, two = (np.ldexp(sides, scale).prod(axis=-1) for sides in (np.clip(high - low, 0, None), one, two))
    union = one + two - both
    return np.asarray(np.divide(both, union, out=np.zeros_like(both), where=union > 0))


def optimal(value: Floats, eligible: Flags) -> int:
    """Return the size of the matching that has the most pairs, and among those the largest sum of values in [0, 1].

    >>> optimal(np.array([[0.9, 0.6], [0.7, 0.0]]), np.array([[True, True], [True, False]]))
    2
    """
    from scipy.optimize import linear_sum_assignment

    gain = np.where(eligible, min(value.shape) + 1 + value, 0.0)  # one more pair outweighs all values
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return int(eligible[rows, columns].sum())


def greedy(value: Floats, eligible: Flags, scores: Floats) -> int:
    """Return the size of the matching in which predictions, the highest score first, take the best free true one.

    Equal scores keep their order, and of equal values the first true one is taken.

    >>> greedy(
    ...     np.array([[0.9, 0.6], [0.7, 0.0]]),
    ...     np.array([[True, True], [True, False]]),
    ...     np.array([0.8, 0.9]),
    ... )
    2
    """
    free = eligible.copy()
    matched = 0
    for column in np.argsort(-scores, kind="stable"):
        candidates = np.where(free[:, column], value[:, column], -1.0)
        best = int(candidates.argmax())
        if candidates[best] >= 0:
            free[best] = False
            matched += 1
    return matched


def alike(true: Any, predicted: Any) -> Flags:
    """Return which labels are equal, (k, l)."""
    one, two = np.asarray(true), np.asarray(predicted)
    if one.dtype.kind != two.dtype.kind:  # compared as they are: numpy rounds large integers beside floats
        one, two = one.astype(object), two.astype(object)
    return np.asarray(one[:, None] == two[None, :], dtype=bool)

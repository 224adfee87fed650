"""What the evaluators of all tasks share: the predictions of several entities, from whatever holds them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ..checks import one_line
from ..checks.labels import by_column, numbers_of_cases, of_each, refuse_other_kinds
from ..errors import DataError
from ..typing import Integers


def labels_of(truth: Any, predicted: Any, names: Sequence[object] | None) -> tuple[list[Any] | None, Any, Any]:
    """Return what :func:`rankscape.checks.labels.of_each` does, of labels that can be equal."""
    entities, true, rows = of_each(truth, predicted, names=names)
    refuse_other_kinds(true, rows)
    return entities, true, rows


def numbers(values: NDArray[Any], what: str) -> NDArray[Any]:
    """Return values as finite floats; as integers and fractions, below 1e308, where floats would round some."""
    exact = numbers_of_cases(values, f"{what} values")
    if exact.dtype == object and max(map(abs, exact.ravel().tolist())) > sys.float_info.max:
        raise DataError(f"{what} values must be numbers below 1e308; got a larger one")
    return exact


def by_entity(
    predicted: Any,
    truth: Any,
    names: Sequence[Any] | None,
    lone: Callable[[Any], bool] = lambda _: False,
    complete: Callable[[str, Any, Any], Any] = lambda name, items, truth: items,
) -> list[tuple[str, Sequence[Any]]]:
    """Return (name, what it predicts for each input) for sequences, one item per input, or mappings by input.

    ``truth`` as a mapping of inputs asks for mappings; their items are put into its order. Several entities come as a
    mapping of names, or a data frame with one column per entity. ``lone`` recognizes a mapping that is one prediction;
    ``complete`` gets what an entity has (its name, its items, the truth) and may fill gaps.
    """
    predicted = by_column(predicted)
    if isinstance(truth, (str, bytes)) or not hasattr(truth, "__len__"):
        raise DataError(f"the truth: expected one item per input, in a list or a mapping; got {type(truth).__name__}")
    by_input = isinstance(truth, Mapping)
    several = isinstance(predicted, Mapping) and not lone(predicted)
    if by_input and several:
        several = all(isinstance(items, Mapping) for items in predicted.values())
        several = several and any(items and not lone(items) for items in predicted.values())
    entities = list(predicted.items()) if several else [("P1", predicted)]
    if names is not None:
        if len(names) != len(entities):
            raise DataError(f"names: expected {len(entities)}, one per entity; got {len(names)}")
        entities = [(name, items) for name, (_, items) in zip(names, entities, strict=True)]
    return [(str(name), _in_order(str(name), complete(str(name), items, truth), truth)) for name, items in entities]


def _in_order(name: str, items: Any, truth: Any) -> Sequence[Any]:
    """Return one item per input, in the order of the truth."""
    at = f'entity "{one_line(name)}"'
    if isinstance(truth, Mapping):
        if not isinstance(items, Mapping):
            raise DataError(f"{at}: the truth is a mapping of inputs; expected one of predictions, by the same inputs")
        missing = [key for key in truth if key not in items]
        foreign = [key for key in items if key not in truth]
        if missing or foreign:
            what, key = ("is missing", missing[0]) if missing else ("is none of the truth", foreign[0])
            way_out = "give an empty prediction" if missing else "drop it, or say what is true of it"
            raise DataError(f"{at}: the input {one_line(str(key))!r} {what}: {way_out}")
        return [items[key] for key in truth]
    if isinstance(items, (str, bytes)) or not hasattr(items, "__len__"):
        raise DataError(f"{at}: expected one prediction per input, in a list; got {type(items).__name__}")
    if len(items) != len(truth):
        raise DataError(f"{at}: expected {len(truth)} predictions, one per input; got {len(items)}")
    return list(items)


def elements(truth: Any, predicted: Any, names: Sequence[Any] | None) -> tuple[list[Any] | None, Any, Any]:
    """Return the same of as many elements as can be drawn in pairs and counted in 64 bits."""
    entities, true, rows = of_each(truth, predicted, names=names)
    if not 2 <= len(true) <= 2**30:
        raise DataError(f"expected between 2 and 2**30 elements, so that there are pairs to draw; got {len(true)}")
    return entities, true, rows


def pairs_inside(sizes: Integers) -> int:
    """Return the number of pairs of elements inside groups of the given sizes.

    >>> import numpy as np
    >>> pairs_inside(np.array([3, 2, 1]))
    4
    """
    return int((sizes * (sizes - 1)).sum()) // 2

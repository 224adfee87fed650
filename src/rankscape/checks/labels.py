"""Labels and scores of cases, from whatever holds them: validated, and brought to a common type."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import EXACT, Flags
from ..arrays import as_given as as_given
from ..errors import DataError, Option
from ..texts import counted, one_line, some
from .numbers import exact_numbers, finite_numbers, floats_that_differ, reads_as_number
from .positive import label_among, listed, order_of, positive_class, usual_positive

MOST_CLASSES = 100
"""More labels than these in a truth that nobody has listed are refused where every pair of them is an outcome."""

WAYS_WITHOUT = ["say what it is", "leave the case out for all models"]
"""What to do where a label, a value or a score is missing."""

_ROW = (list, tuple, np.ndarray)


def labeled(y_true: Any, y_pred: Any, pos_label: Any) -> tuple[list[Any] | None, Flags, Flags]:
    """Return the names of the entities (or None), "is positive" for the truth (m,), and for predictions (k, m)."""
    names, truth, predictions = of_each(y_true, y_pred)
    return names, *are_positive(truth, predictions, pos_label)


def of_each(
    y_true: Any, given: Any, what: str = "predictions", names: Sequence[object] | None = None
) -> tuple[list[Any] | None, NDArray[Any], NDArray[Any]]:
    """Return the names of the entities (or None), the truth (m,), and what each says of its cases (k, m).

    Nothing is missing, but for scores.
    """
    mapped = given.values() if isinstance(given, Mapping) else ()
    scalars = any(isinstance(values, (str, bytes, Mapping, Real)) for values in mapped)
    if isinstance(y_true, Mapping) or scalars:  # cases by name, which are paired by position here
        side = "the truth is a mapping" if isinstance(y_true, Mapping) else "an entity has one value, not one per case"
        raise DataError(
            f"{side}; expected one value per case, in one order on both sides: take them by name, as in "
            "[y[case] for case in cases]"
        )
    refuse_other_order(y_true, given, what)
    truth = as_given(y_true, "y_true")
    truth = truth.ravel() if truth.ndim == 2 and truth.shape[1] == 1 else truth
    called, rows = stacked_predictions(given)
    for name, row in zip(called or (), rows, strict=False):
        if name == getattr(y_true, "name", None) is not None and np.array_equal(row, truth):
            raise DataError(f"the column {one_line(name)} of the {what} is the truth itself: drop it")
    if truth.ndim != 1 or rows.ndim != 2 or rows.shape[1] != len(truth):
        way_out = ": transpose it, one row per entity" if rows.shape[:1] == truth.shape else ""
        if rows.ndim == 3 and rows.shape[1:] == (*truth.shape, 2):
            way_out = (
                ": of predict_proba take the column of the positive class, [:, 1], and compare it with a threshold"
            )
            way_out = way_out if what == "predictions" else ": pass those of the positive class, as in y_score[:, 1]"
        raise DataError(
            f"expected as many {what} as true values, one per case; got {what} of shape {rows.shape} for a truth of "
            f"shape {truth.shape}{way_out}"
        )
    if not len(truth):
        raise DataError("no cases: expected at least one true value")
    for kind, values in (("true", truth), ("predicted", rows if what == "predictions" else rows[:0])):
        if has_missing(values):
            raise DataError(f"a {kind} value is missing (NaN or None)", way_out=WAYS_WITHOUT)
    return called if names is None else list(names), truth, rows


def refuse_other_order(y_true: Any, y_pred: Any, what: str = "predictions", *, elements: bool = False) -> None:
    """Refuse what has the index of the truth in another order, and would be paired by position.

    An index that names ``elements`` may not be another one either.
    """
    index_of_truth: Any = getattr(y_true, "index", None)
    for other in y_pred.values() if isinstance(y_pred, Mapping) else (y_pred,):
        index: Any = getattr(other, "index", None)
        if not (hasattr(index_of_truth, "equals") and hasattr(index, "equals")) or index_of_truth.equals(index):
            continue
        apart = set(index_of_truth) ^ set(index)
        if len(index_of_truth) == len(index) and not apart:
            raise DataError(
                f"the {what} have the index of the truth in another order, and cases are paired by position: align "
                f"them first, as in {what}.loc[y_true.index]"
            )
        if elements and apart:
            raise DataError(
                f"truth and prediction have different indices; one only has {one_line(str(next(iter(apart))))!r}: an "
                "index names the elements; take those of both, as in y_pred.loc[y_true.index], or pass plain arrays"
            )


def stacked_predictions(predictions: Any) -> tuple[list[Any] | None, NDArray[Any]]:
    """Return the names of the entities, if they have any, and their predictions (k, m)."""
    predictions = by_column(predictions)
    if isinstance(predictions, Mapping):
        columns = list(predictions)
        if not columns:
            raise DataError("no entities: expected the predictions of one at least")
        arrays = [as_given(labels, f"y_pred of {one_line(name)}") for name, labels in predictions.items()]
        if len({array.shape for array in arrays}) > 1:
            sizes = ", ".join(f"{one_line(name)}: {len(a)}" for name, a in zip(columns[:5], arrays, strict=False))
            raise DataError(f"expected as many predictions of every entity; got {sizes}")
        return columns, np.atleast_2d(_stacked(arrays))
    if isinstance(predictions, (list, tuple)) and len(predictions) and isinstance(predictions[0], _ROW):
        arrays = [as_given(row, "y_pred") for row in predictions]
        if len({array.shape for array in arrays}) == 1 and arrays[0].ndim == 1:
            return None, _stacked(arrays)
    return None, np.atleast_2d(as_given(predictions, "y_pred"))


def by_column(values: Any) -> Any:
    """Return the columns of a data frame by name; anything else as it is."""
    if not (hasattr(values, "columns") and hasattr(values, "shape")):
        return values
    import narwhals as nw

    frame = nw.from_native(values, eager_only=True)
    return {name: frame[name].to_numpy() for name in frame.columns}


def _stacked(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    """Return rows as one array, as objects where values would change."""
    kinds = {array.dtype.kind for array in arrays}
    integers = [array for array in arrays if array.dtype.kind in "iu" and array.size]
    if len(kinds) > 1 and (
        not kinds <= set("iufb") or any(max(int(array.max()), -int(array.min())) > EXACT for array in integers)
    ):
        return np.stack([array.astype(object) for array in arrays])
    return np.stack(arrays)


def refuse_values(true: Iterable[object], predicted: Iterable[object]) -> None:
    """Refuse targets of a regression, of which each would become a class, and more classes than can be handled.

    >>> refuse_values(["cat", "dog", "bird"], ["cat", "fish"])
    """
    classes = set(true)
    foreign = [label for label in dict.fromkeys(predicted) if label not in classes]
    every = len(classes) + len(foreign)
    if all(isinstance(label, (Real, Decimal)) for label in classes):
        targets: list[Any] = sorted(classes)
        fractions = any(target != int(target) for target in targets)
        if len(foreign) >= max(10, len(targets)) or (fractions and every > 10):
            raise DataError(
                f"{every} different labels, such as {some(targets, quote='', word='{:.4g}'.format)}, "
                "look like values, not classes",
                way_out=Option(
                    "task",
                    "regression",
                    python="for predicted numbers use tasks.regression.evaluate",
                    shell="for predicted numbers add --task regression",
                ),
            )
    if every > MOST_CLASSES:
        raise DataError(
            f"{every} different labels, such as {some(sorted(classes, key=str), quote='', word=repr)}: expected at "
            f"most {MOST_CLASSES} classes",
            way_out="to compare rates of success, say for each case whether it was right: 1 or 0",
        )


def refuse_scores(true: Collection[Any], predicted: Mapping[Any, int | None]) -> None:
    """Refuse predictions that are scores, of which each would become a label.

    They are fractions where no true label is one. Where all are texts, as in a column with a missing value, most of the
    texts that are no true label must read as fractions. ``predicted`` gives the rows of each, or None for arrays.

    >>> refuse_scores(["no", "yes"], {"no": 3, "0.5": 1, "maybe": 2, "never": 1})
    """
    fractions = [label for label in predicted if _is_fraction(label)]
    if not fractions or any(map(_is_fraction, true)):
        return
    if isinstance(fractions[0], str) and 2 * len(fractions) < len(set(predicted) - set(true)):
        return
    rows = [predicted[label] for label in fractions]
    concerned = "" if None in rows else f" ({counted(sum(filter(None, rows)), 'row')})"
    ways: list[Any] = ["give the predicted class of each case"]
    if len(true) <= 2:
        ways = [
            "compare them with a threshold, as in score >= 0.5, so that the models still share their cases",
            Option(
                "prediction",
                python="give them to rs.sweep, which finds the thresholds",
                shell="use `rankscape decide FILE --truth y --score p`, which finds the thresholds, or "
                "`rankscape count FILE --truth y --score p --threshold 0.5`",
            ),
        ]
    least = min(map(float, fractions))  # whichever comes first where rows have no order
    raise DataError(f"predictions such as {least:.4g}{concerned} are scores, not labels", way_out=ways)


def _is_fraction(label: Any) -> bool:
    """Tell whether a label is a number that is not whole, or a text that reads as one.

    >>> [_is_fraction(label) for label in (0.5, "0.5", "1e-05", 1.0, "1.0", "v0.5", 1, "nan")]
    [True, True, True, False, False, False, False, False]
    """
    if isinstance(label, str):
        try:
            label = float(label)
        except ValueError:
            return False
    return isinstance(label, (float, Decimal)) and isfinite(label) and label != int(label)


def holds_text(values: NDArray[Any]) -> bool | None:
    """Tell whether labels are texts, or none of them is; None where some are."""
    if values.dtype.kind != "O":
        return values.dtype.kind in "US"
    texts = {isinstance(value, (str, bytes)) for value in values.ravel()}
    return texts.pop() if len(texts) == 1 else None


def refuse_other_kinds(truth: NDArray[Any], predicted: NDArray[Any]) -> None:
    """Refuse texts beside numbers, which are never equal."""
    kinds = holds_text(truth), holds_text(predicted)
    if predicted.size and None not in kinds and kinds[0] != kinds[1]:
        expected, given = ("text" if text else "numbers" for text in kinds)
        raise DataError(f"true labels are {expected}, predicted labels are {given}: use the same labels in both")


def two_classes(
    true: Mapping[Any, Any], predicted: Mapping[Any, Any], pos_label: Any, ways: Sequence[Any] = ()
) -> tuple[frozenset[Any] | None, Any]:
    """Return the two labels that alone may occur, None where others are negative, and the positive one."""
    seen = sorted({*true, *predicted}, key=order_of)
    usual = usual_positive(seen if len(seen) <= 2 else [*true]) if pos_label is None else label_among(pos_label, seen)
    pair = frozenset({*true, usual})
    known = pair if len(true) <= 2 and len(pair) == 2 and None not in pair else None
    if pos_label is None and known is None and len(seen) > 2:
        others = ["name the positive class with ", Option("pos_label"), " (all others are then negative)"]
        raise DataError(f"the labels {listed(seen)} are more than two", way_out=[others, *ways])
    among = sorted(known, key=order_of) if known is not None and pos_label is None else seen
    return known, positive_class(among, pos_label)


def are_positive(truth: NDArray[Any], predicted: NDArray[Any], pos_label: Any) -> tuple[Flags, Flags]:
    """Return "is positive" for the truth (m,) and for predictions (k, m)."""
    true, others = (dict.fromkeys(values.ravel().tolist()) for values in (truth, predicted))
    refuse_scores(true, others)
    refuse_other_kinds(truth, predicted)
    for what, values in (("true", truth), ("predicted", predicted)):
        if values.size and holds_text(values) is None:
            raise DataError(f"the {what} labels are texts and others in one column: use one kind of label")
    known, positive = two_classes(true, others, pos_label)
    foreign = [label for label in others if known is not None and label not in known]
    if foreign:  # they would silently count as negative
        expected = listed(sorted(known or (), key=order_of))
        raise DataError(f"the predicted label {listed(foreign[:1])} is none of {expected}: use the same labels in both")
    return truth == positive, predicted == positive


def scored(y_true: Any, y_score: Any, pos_label: Any) -> tuple[Flags, NDArray[Any]]:
    """Return "is positive" for the truth (m,), and the scores (m,)."""
    refuse_other_order(y_true, y_score)
    score = checked_scores(y_score)
    _, truth, _ = of_each(y_true, score, "scores")
    if truth.dtype.kind in "bui" and pos_label in (None, 1) and truth.min() >= 0 and truth.max() <= 1:
        return truth.astype(bool), score  # 0 and 1, without looking at each of them
    return are_positive(truth, np.empty((0, len(score))), pos_label)[0], score


def scored_by_each(y_true: Any, y_score: Any, pos_label: Any) -> tuple[list[Any] | None, Flags, list[NDArray[Any]]]:
    """Return the names of the entities (or None), "is positive" for the truth (m,), and the scores (m,) of each."""
    names, truth, given = of_each(y_true, y_score, "scores")
    scores = []
    for i, row in enumerate(given):
        try:
            scores.append(checked_scores(row))
        except DataError as error:
            raise error.located("" if names is None else f'entity "{one_line(names[i])}"') from None
    return names, scored(truth, scores[0], pos_label)[0], scores


def checked_scores(scores: ArrayLike) -> NDArray[Any]:
    """Return the scores of cases as finite floats; as integers and fractions where floats would round or merge some.

    >>> checked_scores(["0.1", "0.25"]).tolist(), checked_scores([2**53, 2**53 + 1]).tolist()
    ([0.1, 0.25], [9007199254740992, 9007199254740993])
    """
    if isinstance(scores, Mapping):
        of_all = Option("sweep", python="give those of all models to rs.sweep, which keeps that they share their cases")
        raise DataError(
            "expected those of one model; got a mapping", where="scores", way_out=["pass one of its values", of_all]
        )
    numbers = numbers_of_cases(scores, "scores")
    if numbers.ndim != 1:
        what = "of the positive class, as in y_score[:, 1]" if numbers.ndim == 2 else "of one entity"
        raise DataError(f"scores: expected one number per case; got shape {numbers.shape}: pass those {what}")
    return floats_that_differ(numbers)


def numbers_of_cases(values: Any, what: str) -> NDArray[Any]:
    """Return finite numbers, cases on the last axis, as :func:`exact_numbers` gives them."""
    given = as_given(values, what)
    try:
        numbers = exact_numbers(given, what)
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError):
        odd = next((value for value in given.ravel().tolist() if not reads_as_number(value)), None)
        raise DataError(f"{what} must be numbers; got {one_line(repr(odd))}") from None
    if not (finite := finite_numbers(numbers)).all():
        case = 1 + int(np.argmin(finite)) % (numbers.shape or (1,))[-1]
        raise DataError(f"case {case}: {what} must be finite numbers; got NaN or ∞")
    return numbers


def has_missing(values: NDArray[Any]) -> bool:
    """Tell whether a value is NaN, NaT or None."""
    if values.dtype.kind in "fcmM":
        return bool(np.isnan(values).any())
    return values.dtype.kind == "O" and any(map(missing_label, values.ravel()))


def missing_label(value: Any) -> bool:
    """Tell whether a value is None, NaN, or the NA of pandas, which is not even unequal to itself."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def crossing_clusters(pairs: Iterable[tuple[Any, Any]]) -> str:
    """Return what is wrong where a cluster of (domain, cluster) lies on several domains, or nothing."""
    first: dict[str, str] = {}
    for domain, cluster in dict.fromkeys((one_line(str(domain)), one_line(str(cluster))) for domain, cluster in pairs):
        if first.setdefault(cluster, domain) != domain:
            return (
                f'the cluster "{cluster}" lies on the domains "{first[cluster]}" and "{domain}", but clusters are '
                "drawn on each domain by itself: if these are different ones, name them apart, as "
                f'"{domain}/{cluster}"; else leave the domains out'
            )
    return ""

"""Codes: cells as Python has them, labels of any type, and the outcome that a pair of labels is."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ..arrays import Label
from ..checks.labels import refuse_scores, refuse_values
from ..checks.positive import positive_class, usual_positive
from ..errors import DataError, Option, UsageError
from ..kernels.exact import MOST_DIGITS
from ..outcomes import TWO_CLASS, SampleSpace
from ..tasks.classes import class_text, space
from ..texts import some
from .cells import missing
from .sheets import quoted

ALL_LABELS = "all"
ALL_OF_SEVERAL = "all of several"
"""As ``ALL_LABELS`` where more than two labels are true of some case, and no positive one is named; else as None."""
NO_ANSWER = "no answer"
"""The class that stands for a prediction that is missing, where there are more than two: it is never right."""

_POSITIVE = ["name the positive class with ", Option("pos_label")]
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?(e[+-][0-9]+)?", re.IGNORECASE)  # as programs write them
_READS_AS_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")


class Group(NamedTuple):
    """Equal rows of a table of predictions: how many, and their total weight."""

    domain: Any
    entity: Any
    truth: Any
    predicted: Any
    rows: int
    weight: int | float | Fraction
    fold: Any = ""


LabelsOf: TypeAlias = Literal["all"] | Sequence[Label] | None
"""The labels of a table where they are named: a sequence, or all that occur."""


class Coding(NamedTuple):
    """How pairs of labels become outcomes: the sample space, what is known, and the position of a pair in Ω."""

    space: SampleSpace
    known: frozenset[Any] | None
    place: Callable[[Any, Any], int]
    positive: Any = None


def plain_value(value: Any) -> Any:
    """Return a cell as Python has it: None where it holds no value, and whole numbers as integers."""
    if missing(value):
        return None
    value = value.item() if isinstance(value, np.generic) else value
    whole = isinstance(value, (float, Decimal)) and math.isfinite(value)
    whole = whole and (isinstance(value, float) or value.adjusted() < MOST_DIGITS) and value == int(value)
    return int(value) if whole else value


def plain_name(value: Any) -> Any:
    """Return the name of an entity or a domain, None where it is missing or blank."""
    value = plain_value(value)
    return None if isinstance(value, str) and not value.strip() else value


def order_of(value: Any) -> tuple[bool, Any]:
    """Order numbers by value, before all else by text."""
    number = isinstance(value, (Real, Decimal)) and not isinstance(value, bool)
    return not number, value if number else str(value)


def name_order(value: Any) -> tuple[bool, Any, str]:
    """Order names by value where they read as numbers, as those of a CSV file do, before all else by text."""
    text = str(value)
    number = isinstance(value, str) and _READS_AS_NUMBER.fullmatch(value) is not None
    return (*((False, Decimal(text)) if number else order_of(value)), text)


def values_of_labels(texts: Iterable[str]) -> dict[str, Any]:
    """Return what the labels of a table of text are: numbers, true and false, where all are written so; else texts.

    007 and 1e1 are names, and so are 1.1 and 1.10 beside each other; 1 and 1.0 are one number.

    >>> values_of_labels(["0", "1.0", "true"]), values_of_labels(["0", "x"])
    ({'0': 0, '1.0': 1, 'true': True}, {'0': '0', 'x': 'x'})
    """
    labels = list(dict.fromkeys(texts))
    values = [_value(text) for text in labels]
    broken = [value for value in values if isinstance(value, float)]
    if None in values or len(set(broken)) < len(broken):
        return {text: text for text in labels}
    return dict(zip(labels, values, strict=True))


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if not _NUMBER.fullmatch(text):
        return None
    return int(text) if text.lstrip("-").isdigit() else plain_value(float(text))


def _kind(label: Any) -> str:
    if isinstance(label, str):
        return "texts"
    return "numbers" if isinstance(label, (Real, Decimal)) else type(label).__name__


def coding_of(groups: Sequence[Group], pos_label: Any, labels: Any, scored: bool) -> Coding:
    """Return how the labels of groups are to be read, or raise where that is doubtful."""
    true: Counter[Any] = Counter()
    predicted: Counter[Any] = Counter()
    for group in groups:
        true[group.truth] += group.rows
        if not scored:
            predicted[group.predicted] += group.rows
    refuse_scores(true, predicted)
    _refuse_mixed(true, predicted)
    seen = sorted({*true, *predicted}, key=order_of)
    if isinstance(labels, str) and labels == ALL_OF_SEVERAL:
        several = pos_label is None and len(true) > 2
        if several:
            refuse_values(true, predicted)
        labels = ALL_LABELS if several else None
    if labels is not None:
        given = seen if isinstance(labels, str) and labels == ALL_LABELS else _checked_labels(labels, seen)
        if len(given) > 2 and pos_label is None:
            if scored:
                raise UsageError("a score with a threshold has two classes", way_out=[_POSITIVE])
            return _multi_class(given)
        return _two_class(seen, given, pos_label, frozenset(given), scored)
    usual = usual_positive(seen if len(seen) <= 2 else [*true])
    pair = frozenset({*true, usual if pos_label is None else _matched(pos_label, seen)})
    known = pair if len(true) <= 2 and len(pair) == 2 and None not in pair else None
    if pos_label is None and known is None and len(seen) > 2:
        raise DataError(
            f"the labels {listed(seen)} are more than two",
            way_out=[
                ["name the positive class with ", Option("pos_label"), " (all others are then negative)"],
                ["ask for one performance over all pairs of labels with ", Option("labels", "all")],
            ],
        )
    return _two_class(seen, None, pos_label, known, scored)


def _two_class(
    seen: Sequence[Any], given: Sequence[Any] | None, pos_label: Any, known: frozenset[Any] | None, scored: bool
) -> Coding:
    among = given or (sorted(known, key=order_of) if known is not None and pos_label is None else seen)
    positive = positive_class(among, None if pos_label is None else _matched(pos_label, among))

    def place(truth: Any, predicted: Any) -> int:
        return 2 * int(truth == positive) + int(predicted if scored else predicted == positive)

    return Coding(TWO_CLASS, known, place, positive)


def _multi_class(labels: Sequence[Any]) -> Coding:
    """Return the coding over all pairs of K labels: Ω = {(truth, prediction)}, the diagonal satisfying."""
    alike = Counter(class_text(label) for label in labels)
    again = [label for label in labels if alike[class_text(label)] > 1]
    if again:
        raise DataError(f"the labels {listed(again)} are written alike, and would be one class: rename all but one")
    k, place = len(labels), {label: i for i, label in enumerate(labels)}
    return Coding(space(labels), frozenset(labels), lambda truth, predicted: k * place[truth] + place[predicted])


def _checked_labels(labels: Any, seen: Sequence[Any]) -> list[Any]:
    given = [_matched(label, seen) for label in labels] if not isinstance(labels, str) else []
    if len(given) < 2 or len(set(given)) < len(given) or None in given:
        name = Option("labels", python="labels")
        raise UsageError([name, " takes two or more different labels, or all"], got=repr(labels))
    return [*given, NO_ANSWER] if NO_ANSWER in seen and NO_ANSWER not in given else given


def _matched(pos_label: Any, labels: Sequence[Any]) -> Any:
    """Return the positive label as the table has it; a text and a number that read alike are one."""
    positive = plain_value(pos_label)
    texts = [label for label in labels if isinstance(label, str)]
    if isinstance(positive, str) and not texts:
        return values_of_labels([positive.strip()])[positive.strip()]
    if not isinstance(positive, str) and len(texts) == len(labels):  # 1 where a table of text has "1"
        alike = [label for label in texts if values_of_labels([label])[label] == positive]
        return alike[0] if len(alike) == 1 else positive
    return positive


def _refuse_mixed(true: Counter[Any], predicted: Counter[Any]) -> None:
    """Refuse labels of several kinds, such as 1 and "1"."""
    predicted = Counter({label: n for label, n in predicted.items() if label != NO_ANSWER} or predicted)
    for what, labels in (("true", true), ("predicted", predicted)):
        kinds = {_kind(label): label for label in labels}
        if len(kinds) > 1:
            examples = " and ".join(f"{kind} ({quoted_label(label)})" for kind, label in sorted(kinds.items()))
            sizes = {kind: sum(n for label, n in labels.items() if _kind(label) == kind) for kind in sorted(kinds)}
            rows = ", ".join(f"{n} {kind}" for kind, n in sizes.items())
            raise DataError(f"the {what} labels are {examples} in one column ({rows}): use one kind of label")
    kinds_of_both = [{_kind(label) for label in labels} for labels in (true, predicted)]
    if predicted and kinds_of_both[0] != kinds_of_both[1]:
        (expected,), (given,) = kinds_of_both
        raise DataError(
            f"true labels are {expected} ({listed(true)}), predicted labels are {given} ({listed(predicted)}): "
            "use the same labels in both"
        )


def quoted_label(label: Any) -> str:
    """Return a label as a sentence shows it: texts in quotes."""
    return quoted(label) if isinstance(label, str) else repr(label)


def listed(labels: Iterable[Any]) -> str:
    """Return labels as a sentence shows them: the first few."""
    return some(list(labels), quote="", word=quoted_label)

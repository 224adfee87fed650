"""The positive class: one rule for labels, scores, tables, matrices and reports."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from ..errors import DataError, Option
from ..texts import one_line, some

PAIRS = (
    *(("0", "1"), ("-1", "1"), ("false", "true"), ("f", "t"), ("no", "yes"), ("n", "y"), ("off", "on"), ("-", "+")),
    *(("neg", "pos"), ("negative", "positive"), ("absent", "present"), ("control", "case"), ("benign", "malignant")),
    *(("normal", "abnormal"), ("normal", "anomaly"), ("normal", "anomalous"), ("normal", "attack")),
    *(("healthy", "diseased"), ("healthy", "sick"), ("healthy", "ill"), ("ham", "spam"), ("benign", "malicious")),
    *(("legitimate", "fraud"), ("legit", "fraud"), ("background", "foreground")),
)
"""Pairs of labels of which the second is positive, without case; so is "lesion" beside "no lesion"."""

_NOT = re.compile(r"(?:no|not|non|without)[\s_-]+")


def positive_class(labels: Iterable[Any], pos_label: Any = None, *, what: str = "labels") -> Any:
    """Return the positive one of some labels: the one that is named, else the one that :data:`PAIRS` tells.

    It may be absent where the labels are of one pair. Raises DataError where nothing tells it, for a label that is none
    of these, and where it is spelled in several ways.

    >>> (
    ...     positive_class([0, 1]),
    ...     positive_class(["Yes", "no"]),
    ...     positive_class([0]),
    ...     positive_class(["no lesion", "lesion"]),
    ... )
    (1, 'Yes', 1, 'lesion')
    >>> (
    ...     positive_class(["cat", "dog"], "cat"),
    ...     positive_class([1, 2], "1"),
    ...     positive_class([False], True),
    ... )
    ('cat', 1, True)
    """
    seen = list(dict.fromkeys(labels))
    pos_label = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    way_out = [("name the positive class with ", Option("pos_label"))]
    if pos_label is None:
        positive = usual_positive(seen)
        if positive is None:
            raise DataError(f"nothing says which of the {what} {listed(seen)} is positive", way_out=way_out)
        return positive
    positive, others = label_among(pos_label, seen), {_loosely(label) for label in seen}
    absent = _loosely(pos_label) not in others and any({*others, _loosely(pos_label)} <= {*pair} for pair in PAIRS)
    if positive not in seen and not absent:
        raise DataError([Option("pos_label", pos_label), f" is none of the {what} {listed(seen)}"], way_out=way_out)
    refuse_spellings(label for label in seen if _loosely(label) == _loosely(positive))
    return positive


def refuse_spellings(labels: Iterable[Any], *ways: Any) -> None:
    """Refuse texts that are most likely one label, as Yes and yes, 1 and 1.0, and would be taken for several."""
    spelled: dict[str, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            spelled.setdefault(_loosely(label), []).append(label)
    for alike in spelled.values():
        if len(alike) > 1:
            problem = f"the labels {listed(alike)} look like one, spelled in several ways"
            raise DataError(problem, way_out=["write them alike", *ways])


def label_among(label: Any, labels: Sequence[Any]) -> Any:
    """Return the one of some labels that a label means, be it typed as a text or without case; itself where none is.

    >>> label_among("1", [0, 1]), label_among("true", [False, True]), label_among("YES", ["no", "Yes"])
    (1, True, 'Yes')
    """
    for key in (lambda one: (isinstance(one, str), one), label_text, _loosely):
        alike = [one for one in labels if key(one) == key(label)]
        if len(alike) == 1:
            return alike[0]
    return label


def listed(labels: Iterable[Any]) -> str:
    """Return labels as a sentence shows them, the first few, texts in quotes."""
    return some(list(labels), quote="", word=lambda one: f'"{one_line(one)}"' if isinstance(one, str) else repr(one))


def order_of(value: Any) -> tuple[bool, Any]:
    """Order numbers by value, before all else by text."""
    number = isinstance(value, (Real, Decimal)) and not isinstance(value, bool)
    return not number, value if number else str(value)


def usual_positive(labels: Sequence[Any]) -> Any:
    """Return the positive one of labels that are of one pair of :data:`PAIRS`, be it absent; None for all others."""
    texts = {label_text(label).casefold(): label for label in labels}
    if not texts or len(texts) < len({*labels}):
        return None
    for negative, positive in (*PAIRS, *((a, b) for a in texts for b in texts if _NOT.sub("", a, count=1) == b != a)):
        if {*texts} <= {negative, positive}:
            absent: Any = {"true": True, "1": 1}.get(positive, positive)  # of the kind of the other one
            return texts.get(positive, positive if isinstance(labels[0], (str, bytes)) else absent)
    return None


def label_text(label: Any) -> str:
    """Return a label as labels are compared: the text of 1, 1.0 and "1.0" is "1".

    >>> label_text(1.0), label_text(" -1.0"), label_text(True), label_text("v1.0")
    ('1', '-1', 'True', 'v1.0')
    """
    return re.sub(r"^(-?[0-9]+)\.0+$", r"\1", class_text(label))


def class_text(label: Any) -> str:
    """Return the name of a class: the text of its label, whole numbers without a point, no spaces around it.

    >>> class_text(1.0), class_text(Decimal(1)), class_text(" 1"), class_text(0.5), class_text("1.0")
    ('1', '1', '1', '0.5', '1.0')
    """
    value = label.item() if hasattr(label, "item") else label
    if isinstance(value, (float, Decimal)) and isfinite(value) and value == int(value):
        value = int(value)
    return str(value).strip()


def _loosely(label: Any) -> str:
    """Return the text of a label without case, of which true is 1."""
    text = label_text(label).casefold()
    return {"true": "1", "false": "0"}.get(text, text)

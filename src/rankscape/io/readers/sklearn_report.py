"""Reports of scikit-learn: ``sklearn.metrics.classification_report(…, output_dict=True)``, of one model or by model.

The dict has one entry per class, with precision, recall, f1-score and support, then accuracy (a number), "macro avg"
and "weighted avg"; "micro avg" stands in the place of accuracy where not all classes are reported. Saved as a table by
pandas it is the same, either way round. Recall × support are the cases of a class that are right: of two classes these
are all four counts, of more only how many cases are right and wrong. All other numbers are checked.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...checks.matrices import decimals_of
from ...checks.positive import positive_class
from ...errors import DataError, Option
from ...outcomes import TWO_CLASS
from ...performances import Performances
from ...tasks import success
from ...texts import counted, some
from ..cells import missing
from ..content import JSON, Content, How, Reader
from ..counting import positive_of
from ..headers import plain
from ..sheets import quoted

_NEEDED = ("precision", "recall", "support")
_AVERAGES = ("accuracy", "micro avg", "macro avg", "weighted avg", "samples avg")
_COMPUTED = 9
"""A number with more decimals was computed, and is not rounded."""

_SLACK, _SLACK_OF_SUMS = 1e-9, 1e-6


def recognise(content: Content) -> bool:
    """Tell whether a content is a report, or reports by model."""
    return _by_model(content) is not None


def _by_model(content: Content) -> dict[str | None, Mapping[Any, Any]] | None:
    """Return reports by the names of models, None for one without a name; None where there are no reports."""
    value = content.value if content.value is not None else _of_table(content)
    if not isinstance(value, Mapping):
        return None
    if _is_report(value):
        return {None: value}
    inner: dict[str | None, Any] = {str(name): report for name, report in value.items()}
    return inner if inner and all(map(_is_report, inner.values())) else None


def _is_report(value: Any) -> bool:
    """Tell whether a value has classes, and an accuracy or averages: models by name would have none."""
    if not isinstance(value, Mapping) or not {*_AVERAGES} & {*map(str, value)}:
        return False
    return any(isinstance(one, Mapping) and {*_NEEDED} & {*map(str, one)} for one in value.values())


def _of_table(content: Content) -> Mapping[str, Any] | None:
    """Return the report in a table that pandas saved, with a row or a column per class."""
    headers = [plain(header).replace("f1score", "f1-score") for header in content.headers[1:]]
    by_class = {*_NEEDED} <= {*headers}
    if not by_class and not {"macro avg", "weighted avg"} <= {*content.headers}:
        return None
    labels = headers if by_class else content.headers[1:]
    report: dict[str, Any] = {}
    for name, *cells in content.sheet.rows:
        for label, cell in zip(labels, cells, strict=True):
            row, column = (str(name).strip(), label) if by_class else (label, str(name).strip())
            report.setdefault(row, {})[column] = cell
    if "recall" in report.get("accuracy", ()):
        report["accuracy"] = report["accuracy"]["recall"]
    return report


def read(content: Content, how: How) -> Performances:
    """Return the performances in reports: counts of two classes, or of right and wrong cases where there are more."""
    named, notes, pos_label = _by_model(content) or {}, list[str](), how.more.get("pos_label")
    names = [how.name or content.stem or "P1" if name is None else name for name in named]
    places = [content.where if name is None else f"{content.where}: {quoted(name)}".lstrip(": ") for name in named]
    reports = [_numbers(report, where) for report, where in zip(named.values(), places, strict=True)]
    several = [len(classes) for classes, _, _ in reports if len(classes) > 2]
    by_class = pos_label is not None or not several
    if not by_class and len(several) < len(reports):
        raise content.error(
            "some reports are of two classes, others of more", expected="the same classes in all",
            way_out=[("name the positive class of all with ", Option("pos_label"))],
        )  # fmt: skip
    if not by_class:
        notes.append(
            f"{content.where or 'the report'}: of {several[0]} classes a report does not hold the confusion matrix, so "
            "only right and wrong answers are compared; save the confusion matrix to rank by errors"
        )
    rows, positives = [], list[str]()
    for report, where in zip(reports, places, strict=True):
        try:
            positives += [positive_class(report[0], pos_label, what="classes")] if by_class else []
            rows.append(_counts(*report, positives[-1] if by_class else "", where, notes))
        except DataError as error:
            raise error.located(where) from None
    whole = all(isinstance(value, int) for row in rows for value in row)
    weights = np.array(rows, dtype=np.int64 if whole else np.float64)
    P = Performances.from_weighted_counts(weights, names=names, space=TWO_CLASS if by_class else success.SPACE)
    return P.noting(*notes, **({"positive": positive_of(P, positives[0])} if by_class else {}))


def _numbers(value: Mapping[Any, Any], where: str) -> tuple[dict[str, dict[str, float]], float, int]:
    """Return the numbers of the classes of a report, its accuracy, and the most decimals of a rate."""
    if "micro avg" in value and "accuracy" not in value:
        raise DataError(
            'the report is about some of the classes ("micro avg" in place of accuracy)', where=where,
            expected="a report of all classes, one per case", way_out="leave labels= of classification_report out",
        )  # fmt: skip
    if "accuracy" not in value:
        raise DataError("the report has no accuracy", where=where, expected="the dict as classification_report made it")
    given = {str(key): one for key, one in value.items() if str(key) not in _AVERAGES}
    classes, decimals = dict[str, dict[str, float]](), 0
    for label, one in [*given.items(), ("accuracy", {"accuracy": value["accuracy"]})]:
        if label in given and not (isinstance(one, Mapping) and {*_NEEDED} <= {*one}):
            lacking = ", ".join(key for key in _NEEDED if not isinstance(one, Mapping) or key not in one)
            expected = "precision, recall, f1-score and support of every class"
            raise DataError(f"the class {quoted(label)} has no {lacking}", where=where, expected=expected)
        classes[label] = {}
        for key, cell in one.items():  # a rate is missing, and NaN, of a class that never occurs
            if key not in (*_NEEDED, "f1-score", "accuracy"):
                continue
            try:
                number = math.nan if missing(cell) or cell == "" else float(cell)
            except (TypeError, ValueError):
                number = -1.0
            is_rate = key != "support"
            if isinstance(cell, bool) or number < 0 or (number > 1 if is_rate else not number < math.inf):
                what = f"the {key} of {quoted(label)}" if label in given else f"the {key}"
                expected = "a number from 0 to 1" if is_rate else "a number of cases ≥ 0"
                raise DataError(f"{what} is {quoted(cell)}", where=where, expected=expected)
            classes[label][key], decimals = number, max(decimals, decimals_of(cell) if is_rate else 0)
    accuracy = classes.pop("accuracy")["accuracy"]
    if len(classes) < 2:
        raise DataError(
            f"the report has one class ({', '.join(map(quoted, classes)) or 'none'}) only", where=where,
            expected="two or more", way_out="name all classes in labels= of classification_report",
        )  # fmt: skip
    return classes, accuracy, decimals


def _counts(
    classes: Mapping[str, Mapping[str, float]], accuracy: float, decimals: int, positive: str, where: str,
    notes: list[str],
) -> list[float]:  # fmt: skip
    """Return tn, fp, fn, tp, or without a positive class how many cases are wrong and right.

    They are counts, or sums of weights. Of several classes the precision of the positive one says how many others were
    taken for it.
    """
    half = 0.5 * 10**-decimals if decimals < _COMPUTED else _SLACK
    if positive and positive not in classes:  # of a pair that has it in other letters
        raise DataError(f"no class is called {quoted(positive)}", expected=f"one of {some([*classes])}")
    if nan := [label for label, one in classes.items() if one["support"] and math.isnan(one["recall"])]:
        raise DataError(f"the recall of {quoted(nan[0])} is missing", expected="that of every class with cases")
    sums = {
        key: (one["recall"] * one["support"] if one["support"] else 0.0, one["support"]) for key, one in classes.items()
    }
    whole = all(n == round(n) and abs(right - round(right)) <= half * max(n, 1) for right, n in sums.values())
    sums = {label: (round(right), round(n)) if whole else (right, n) for label, (right, n) in sums.items()}
    right, total = (sum(pair[i] for pair in sums.values()) for i in (0, 1))
    taken = dict[str, float]()  # how many cases of other classes were taken for a class
    if len(classes) == 2:
        (a, (right_a, n_a)), (b, (right_b, n_b)) = sums.items()
        taken = {a: n_b - right_b, b: n_a - right_a}
    elif positive:
        if not sums[positive][0] or not classes[positive]["precision"] > 0:
            raise DataError(
                f"the precision of {quoted(positive)} is 0, which does not say how many others were taken for it",
                expected="precision above 0", way_out="save the confusion matrix instead",
            )  # fmt: skip
        predicted = sums[positive][0] / classes[positive]["precision"]
        taken = {positive: (round(predicted) if whole else predicted) - sums[positive][0]}
    rates = [(f"recall of {quoted(label)}", classes[label]["recall"], r, n) for label, (r, n) in sums.items()]
    for label in sorted(taken, key=positive.__ne__):
        (r, n), one = sums[label], classes[label]
        rates.append((f"precision of {quoted(label)}", one["precision"], r, r + taken[label]))
        if "f1-score" in one and len(taken) == 2:
            rates.append((f"f1-score of {quoted(label)}", one["f1-score"], 2 * r, r + taken[label] + n))
    rates += [("accuracy", accuracy, right, total)] if len(taken) != 1 else []
    rates = [rate for rate in rates if rate[3]]  # where something is undefined, a report may hold anything

    def off(slack: float) -> list[str]:
        return [
            f"the {name} is {given:.6g}, but recall and support make it {top / bottom:.6g}"
            for name, given, top, bottom in rates
            if not abs(given - top / bottom) <= slack
        ]

    wrong, digits = off(_SLACK if whole else _SLACK_OF_SUMS), counted(decimals, "decimal")
    several = ""  # of which class other counts have the same recall, if it is rounded
    for label, (_, n) in sums.items() if whole and decimals < _COMPUTED else ():
        low, high = ((classes[label]["recall"] + sign * half * (1 + _SLACK)) * n for sign in (-1, 1))
        fitting = min(math.floor(high), n) - max(math.ceil(low), 0) + 1 if n else 1
        if fitting > 1 and not several:
            several = f"the recall of {quoted(label)} is rounded to {digits}, which {fitting} counts of {n} fit"
    if not wrong and (several or not (whole or decimals >= _COMPUTED)):
        notes.append(
            f"{where or 'the report'}: no rate has more than {digits}; they are taken as exact, and if they were "
            "rounded, other counts are possible"
        )
    elif wrong and len(taken) != 1:  # from a rounded precision nothing follows
        if several:
            ways = ["save the dict of output_dict=True as it is",
                    Option("reconstruct", python="let rs.reconstruct list all counts that fit")]  # fmt: skip
            raise DataError(several, expected="all digits", way_out=ways)
        wrong = off(half * (1 + _SLACK)) if whole and decimals < _COMPUTED else wrong
    if wrong:
        raise DataError(wrong[0], expected="the numbers as classification_report made them")
    if not positive:
        return [total - right, right]
    (tp, n), fp = sums[positive], taken[positive]
    tn = total - n - fp
    return [max(tn, 0) if tn > -_SLACK_OF_SUMS else tn, fp, n - tp, tp]


READER = Reader(
    name="sklearn-report", files="scikit-learn: classification_report(…, output_dict=True), also by model",
    columns="classes, each with precision, recall, f1-score and support; accuracy",
    lacks="no precision, recall and support by class", recognise=recognise, read=read, holds=(*JSON, "table"),
    options=("pos_label",),
)  # fmt: skip

"""Reports of scikit-learn: ``sklearn.metrics.classification_report(…, output_dict=True)``, of one model or by model.

The dict has one entry per class, with precision, recall, f1-score and support, then accuracy (a number), "macro avg"
and "weighted avg"; "micro avg" stands in the place of accuracy where not all classes are reported. Saved as a table by
pandas it is the same, either way round. Recall × support are the cases of a class that are right: of two classes these
are all four counts, of more only how many cases are right and wrong. All other numbers are checked.
"""

import math
from collections.abc import Mapping, Sequence
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
from ..logs import part
from ..sheets import quoted

_RATES = ("precision", "recall", "f1-score", "accuracy")
_NEEDED = ("precision", "recall", "support")
_AVERAGES = ("accuracy", "micro avg", "macro avg", "weighted avg", "samples avg")
_COMPUTED = 9
"""A number with more decimals was computed, and is not rounded."""

_SLACK, _SLACK_OF_SUMS = 1e-9, 1e-6
_AS_MADE = "as classification_report made"

_Class = dict[str, Any]
"""Precision, recall, support and perhaps the F1 score of a class."""


def recognise(content: Content) -> bool:
    """Tell whether a content is a report, or reports by model."""
    return bool(_by_model(content))


def _by_model(content: Content) -> dict[str, Any]:
    """Return reports by the names of models, "" for one without a name; none where there are no reports.

    A report has classes, and an accuracy or averages: models by name would have none.
    """
    value = content.value if content.value is not None else _of_table(content)

    def is_report(one: Any) -> bool:
        of_class = any({*_NEEDED} & {*map(str, part(one, key))} for key in part(one))
        return of_class and bool({*_AVERAGES} & {*map(str, one)})

    named = {"": value} if is_report(value) else {str(name): one for name, one in part(value).items()}
    return named if all(map(is_report, named.values())) else {}


def _of_table(content: Content) -> Mapping[str, Any]:
    """Return the report in a table that pandas saved, with a row or a column per class."""
    headers = [plain(header).replace("f1score", "f1-score") for header in content.headers[1:]]
    by_class = {*_NEEDED} <= {*headers}
    if not by_class and not {"macro avg", "weighted avg"} <= {*content.headers}:
        return {}
    report: dict[str, Any] = {}
    for name, *cells in content.sheet.rows:
        for label, cell in zip(headers if by_class else content.headers[1:], cells, strict=True):
            row, column = (str(name).strip(), label) if by_class else (label, str(name).strip())
            report.setdefault(row, {})[column] = cell
    accuracy = report.get("accuracy", {})
    return report | ({"accuracy": accuracy["recall"]} if "recall" in accuracy else {})


def read(content: Content, how: How) -> Performances:
    """Return the performances in reports: counts of two classes, or of right and wrong cases where there are more."""
    given, pos_label = _by_model(content), how.more.get("pos_label")
    rows, positives, notes, several = list[Sequence[float]](), list[str](), list[str](), 0
    for name, report in given.items():
        where = f"{content.where}: {quoted(name)}".lstrip(": ") if name else content.where
        try:
            classes, accuracy, decimals = _numbers(report)
            by_class = pos_label is not None or len(classes) == 2
            several = max(several, 0 if by_class else len(classes))
            positives += [positive_class(classes, pos_label, what="classes")] if by_class else []
            counts, rounded = _counts(classes, accuracy, decimals, positives[-1] if by_class else "")
        except DataError as error:
            raise error.located(where) from None
        rows.append(counts)
        notes += [f"{where or 'the report'}: {rounded}"] if rounded else []
    if several and positives:
        raise content.error(
            "some reports are of two classes, others of more", expected="the same classes in all",
            way_out=[("name the positive class of all with ", Option("pos_label"))],
        )  # fmt: skip
    if several:
        what = f"{content.where or 'the report'}: of {several} classes a report does not hold the confusion matrix, so "
        what += "only right and wrong answers are compared; save the confusion matrix to rank by errors"
        notes.insert(0, what)
    whole = all(isinstance(value, int) for row in rows for value in row)
    P = Performances.from_weighted_counts(
        np.array(rows, dtype=np.int64 if whole else np.float64),
        names=[name or how.name or content.stem or "P1" for name in given],
        space=success.SPACE if several else TWO_CLASS,
    )
    return P.noting(*notes, **({"positive": positive_of(P, positives[0])} if positives else {}))


def _numbers(value: Mapping[Any, Any]) -> tuple[dict[str, _Class], float, int]:
    """Return the numbers of the classes of a report, its accuracy, and the most decimals of a rate."""
    given = {str(key): one for key, one in value.items()}
    if "accuracy" not in given and "micro avg" in given:
        raise DataError(
            'the report is about some of the classes ("micro avg" in place of accuracy)',
            expected="a report of all classes, one per case", way_out="leave labels= of classification_report out",
        )  # fmt: skip
    if "accuracy" not in given:
        raise DataError("the report has no accuracy", expected=f"the dict {_AS_MADE} it")
    classes, decimals = dict[str, _Class](), 0
    for label, one in given.items():
        cells = {"accuracy": one} if label == "accuracy" else part(one)
        if label in _AVERAGES[1:]:
            continue
        if label not in _AVERAGES and (lacking := [key for key in _NEEDED if key not in cells]):
            expected = "precision, recall, f1-score and support of every class"
            raise DataError(f"the class {quoted(label)} has no {', '.join(lacking)}", expected=expected)
        classes[label] = {}
        for key in (key for key in (*_RATES, "support") if key in cells):
            cell = cells[key]
            try:  # a rate is missing, and NaN, of a class that never occurs
                number = math.nan if missing(cell) or cell == "" else float(cell)
            except (TypeError, ValueError):
                number = -1.0
            if isinstance(cell, bool) or number < 0 or (number > 1 if key in _RATES else not number < math.inf):
                of = "" if label == "accuracy" else f" of {quoted(label)}"
                expected = "a number from 0 to 1" if key in _RATES else "a number of cases ≥ 0"
                raise DataError(f"the {key}{of} is {quoted(cell)}", expected=expected)
            classes[label][key] = number
            decimals = max(decimals, decimals_of(cell)) if key in _RATES else decimals
    accuracy = classes.pop("accuracy")["accuracy"]
    if len(classes) < 2:
        raise DataError(
            f"the report has one class ({', '.join(map(quoted, classes)) or 'none'}) only",
            expected="two or more", way_out="name all classes in labels= of classification_report",
        )  # fmt: skip
    return classes, accuracy, decimals


def _counts(
    classes: Mapping[str, _Class], accuracy: float, decimals: int, positive: str
) -> tuple[Sequence[float], str]:
    """Return tn, fp, fn, tp, or without a positive class how many cases are wrong and right; and what is to be noted.

    They are counts, or sums of weights. Of several classes the precision of the positive one says how many others were
    taken for it.
    """
    computed = decimals >= _COMPUTED
    half = _SLACK if computed else 0.5 * 10**-decimals
    if positive and positive not in classes:  # of a pair that has it in other letters
        raise DataError(f"no class is called {quoted(positive)}", expected=f"one of {some([*classes])}")
    if nan := [label for label, one in classes.items() if one["support"] and math.isnan(one["recall"])]:
        raise DataError(f"the recall of {quoted(nan[0])} is missing", expected="that of every class with cases")
    n: _Class = {label: one["support"] for label, one in classes.items()}
    right: _Class = {label: one["recall"] * n[label] if n[label] else 0.0 for label, one in classes.items()}
    whole = all(x == round(x) and abs(right[of] - round(right[of])) <= half * max(x, 1) for of, x in n.items())
    if whole:
        right, n = ({label: round(x) for label, x in of.items()} for of in (right, n))
    taken = _Class()  # how many cases of other classes were taken for a class
    if len(classes) == 2:
        a, b = classes
        taken = {a: n[b] - right[b], b: n[a] - right[a]}
    elif positive:
        if not right[positive] or not classes[positive]["precision"] > 0:
            raise DataError(
                f"the precision of {quoted(positive)} is 0, which does not say how many others were taken for it",
                expected="precision above 0", way_out="save the confusion matrix instead",
            )  # fmt: skip
        predicted = right[positive] / classes[positive]["precision"]
        taken = {positive: (round(predicted) if whole else predicted) - right[positive]}
    # What each rate should be, as a fraction; where something is undefined, a report may hold anything.
    rates = [(f"recall of {quoted(of)}", one["recall"], right[of], n[of]) for of, one in classes.items()]
    for of in sorted(taken, key=positive.__ne__):
        rates.append((f"precision of {quoted(of)}", classes[of]["precision"], right[of], right[of] + taken[of]))
        if "f1-score" in classes[of] and len(taken) == 2:
            f1 = classes[of]["f1-score"]
            rates.append((f"f1-score of {quoted(of)}", f1, 2 * right[of], right[of] + taken[of] + n[of]))
    rates += [("accuracy", accuracy, sum(right.values()), sum(n.values()))] if len(taken) != 1 else []

    def off(slack: float) -> str:
        """Return the first rate that differs."""
        wrong = ((name, x, k / m) for name, x, k, m in rates if m and not abs(x - k / m) <= slack)
        return next((f"the {name} is {x:.6g}, but recall and support make it {y:.6g}" for name, x, y in wrong), "")

    wrong, several = off(_SLACK if whole else _SLACK_OF_SUMS), ""
    for of, x in n.items() if whole and not computed else ():  # other counts may have the same recall, if it is rounded
        low, high = ((classes[of]["recall"] + sign * half * (1 + _SLACK)) * x for sign in (-1, 1))
        fitting = min(math.floor(high), int(x)) - max(math.ceil(low), 0) + 1 if x else 1
        rounded = f"the recall of {quoted(of)} is rounded to {counted(decimals, 'decimal')}"
        several = several or (f"{rounded}, which {fitting} counts of {x} fit" if fitting > 1 else "")
    if wrong and several and len(taken) != 1:  # from a rounded precision nothing follows
        ways = ["save the dict of output_dict=True as it is",
                Option("reconstruct", python="let rs.reconstruct list all counts that fit")]  # fmt: skip
        raise DataError(several, expected="all digits", way_out=ways)
    note = f"no rate has more than {counted(decimals, 'decimal')}; they are taken as exact, and if they were rounded, "
    note = "" if wrong or computed or (whole and not several) else f"{note}other counts are possible"
    wrong = off(half * (1 + _SLACK)) if wrong and whole and not computed and len(taken) != 1 else wrong
    if wrong:
        raise DataError(wrong, expected=f"the numbers {_AS_MADE} them")
    if not positive:
        return [sum(n.values()) - sum(right.values()), sum(right.values())], note
    tn = sum(n.values()) - n[positive] - taken[positive]
    tn = max(tn, 0) if tn > -_SLACK_OF_SUMS else tn
    return [tn, taken[positive], n[positive] - right[positive], right[positive]], note


READER = Reader(
    name="sklearn-report", files="scikit-learn: classification_report(…, output_dict=True), also by model",
    columns="classes, each with precision, recall, f1-score and support; accuracy",
    lacks="no precision, recall and support by class", recognise=recognise, read=read, holds=(*JSON, "table"),
    options=("pos_label",),
)  # fmt: skip

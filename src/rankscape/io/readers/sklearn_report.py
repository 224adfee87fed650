"""Reports of scikit-learn: ``sklearn.metrics.classification_report(…, output_dict=True)``, of one model or by model.

The dict, as documented there, has one entry per class, with precision, recall, f1-score and support, then accuracy (a
number), "macro avg" and "weighted avg"; "micro avg" stands in the place of accuracy where not all classes are reported,
and "samples avg" where a case has several labels. Recall × support are the cases of a class that are right: of two
classes these are all four counts, of more only how many cases are right and wrong. All other numbers are checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...checks.matrices import decimals_of
from ...checks.positive import positive_class
from ...errors import DataError, Option
from ...outcomes import TWO_CLASS
from ...performances import Performances
from ...tasks import success
from ...texts import counted
from ..cells import missing
from ..content import JSON, Content, How, Reader
from ..counting import positive_of
from ..headers import plain
from ..sheets import quoted

_NEEDED = ("precision", "recall", "support")
_AVERAGES = ("accuracy", "micro avg", "macro avg", "weighted avg", "samples avg")
_COMPUTED = 9
"""A number with more decimals was computed, and is not rounded."""

_SLACK = 1e-9
_SLACK_OF_SUMS = 1e-6


class _Class(NamedTuple):
    label: str
    precision: float
    recall: float
    f1: float | None
    support: float


class _Report(NamedTuple):
    """A report: who it is about, as errors name it, its classes, its accuracy, and the most decimals of its numbers."""

    where: str
    classes: list[_Class]
    accuracy: float
    decimals: int

    def error(self, what: str, **fields: Any) -> DataError:
        """Return a DataError about the report."""
        return DataError(what, where=self.where, **fields)

    @property
    def total(self) -> float:
        """The number of cases."""
        return math.fsum(one.support for one in self.classes)

    @property
    def half_unit(self) -> float:
        """By how much a rate may be off: half a unit of its last decimal, where it is rounded."""
        return 0.5 * 10**-self.decimals if self.decimals < _COMPUTED else _SLACK

    def fitting(self, one: _Class) -> int:
        """Return how many counts of right cases have the recall of a class, if it is rounded."""
        slack = self.half_unit * (1 + _SLACK)
        low, high = math.ceil((one.recall - slack) * one.support), math.floor((one.recall + slack) * one.support)
        return min(high, round(one.support)) - max(low, 0) + 1


def recognise(content: Content) -> bool:
    """Tell whether a content is a report, or reports by model."""
    return _by_model(content) is not None


def read(content: Content, how: How) -> Performances:
    """Return the performances in reports: counts of two classes, or of right and wrong cases where there are more."""
    named = _by_model(content) or {}
    names = [how.name or content.stem or "P1" if name is None else name for name in named]
    reports = [_report(value, content.where if name is None else f"{content.where}: {quoted(name)}".lstrip(": "))
               for name, value in named.items()]  # fmt: skip
    pos_label = how.more.get("pos_label")
    several = [report for report in reports if len(report.classes) > 2]
    notes: list[str] = []
    if pos_label is None and 0 < len(several) < len(reports):
        raise content.error(
            "some reports are of two classes, others of more", expected="the same classes in all",
            way_out=[("name the positive class of all with ", Option("pos_label"))],
        )  # fmt: skip
    by_class = pos_label is not None or not several
    if not by_class:
        notes.append(
            f"{content.where or 'the report'}: of {len(several[0].classes)} classes a report does not hold the "
            "confusion matrix, so only right and wrong answers are compared; save the confusion matrix to rank by "
            "errors"
        )
    rows = [_two_class(one, pos_label, notes) if by_class else _right_or_wrong(one, notes) for one in reports]
    whole = all(isinstance(value, int) for row in rows for value in row)
    weights = np.array(rows, dtype=np.int64 if whole else np.float64)
    space = TWO_CLASS if by_class else success.SPACE
    P = Performances.from_weighted_counts(weights, names=names, space=space).noting(*notes)
    if not by_class:
        return P
    positive = positive_class([one.label for one in reports[0].classes], pos_label, what="classes")
    return P.noting(positive=positive_of(P, positive))


# What is given


def _by_model(content: Content) -> dict[str | None, Mapping[Any, Any]] | None:
    """Return reports by the names of models, None for one without a name; None where there are no reports."""
    value = content.value if content.value is not None else _of_table(content)
    if not isinstance(value, Mapping):
        return None
    if _is_report(value):
        return {None: value}
    inner: dict[str | None, Mapping[Any, Any]] = {str(name): report for name, report in value.items()}
    return inner if inner and all(map(_is_report, inner.values())) else None


def _of_table(content: Content) -> Mapping[Any, Any] | None:
    """Return the report in a table that was saved as by ``pandas.DataFrame(report).T.to_csv(…)``."""
    headers = [plain(header) for header in content.headers]
    if not {*_NEEDED} <= {*headers} or headers[0] in _NEEDED:
        return None
    keys = {"f1score": "f1-score"}
    rows = {str(row[0]).strip(): dict(zip(headers[1:], row[1:], strict=True)) for row in content.sheet.rows}
    report: dict[str, Any] = {
        label: {keys.get(header, header): cell for header, cell in row.items()} for label, row in rows.items()
    }
    if "accuracy" in report:
        report["accuracy"] = report["accuracy"]["recall"]
    return report


def _is_report(value: Any) -> bool:
    """Tell whether a value has classes, and an accuracy or averages: models by name would have none."""
    if not isinstance(value, Mapping) or not any(average in value for average in _AVERAGES):
        return False
    return any(isinstance(one, Mapping) and {*_NEEDED} & {*map(str, one)} for one in value.values())


def _report(value: Mapping[Any, Any], where: str) -> _Report:
    """Return a report whose numbers are numbers."""
    for key, instead in (("micro avg", "about some of the classes"), ("samples avg", "about cases of several labels")):
        if key in value and "accuracy" not in value:
            raise DataError(
                f"the report is {instead} ({quoted(key)} in place of accuracy)", where=where,
                expected="a report of all classes, one per case", way_out="leave labels= of classification_report out",
            )  # fmt: skip
    cells = {str(key): one for key, one in value.items() if str(key) not in _AVERAGES}
    classes, decimals = [], 0
    for label, one in cells.items():
        lacking = [key for key in _NEEDED if not isinstance(one, Mapping) or key not in one]
        if lacking:
            raise DataError(
                f"the class {quoted(label)} has no {', '.join(lacking)}", where=where,
                expected="precision, recall, f1-score and support of every class",
            )  # fmt: skip
        numbers = {key: _number(one[key], f"{key} of {quoted(label)}", where) for key in one}
        classes.append(
            _Class(label, numbers["precision"], numbers["recall"], numbers.get("f1-score"), numbers["support"])
        )
        decimals = max(decimals, *(decimals_of(one[key]) for key in one if key != "support"))
    if "accuracy" not in value:
        raise DataError("the report has no accuracy", where=where, expected="the dict as classification_report made it")
    accuracy = _number(value["accuracy"], "accuracy", where)
    if len(classes) < 2:
        only = quoted(classes[0].label) if classes else "none"
        raise DataError(
            f"the report has one class ({only}) only", where=where, expected="two or more",
            way_out="name all classes in labels= of classification_report",
        )  # fmt: skip
    report = _Report(where, classes, accuracy, max(decimals, decimals_of(value["accuracy"])))
    if not report.total > 0:
        raise report.error("the support of all classes is 0", expected="the numbers of cases")
    return report


def _number(cell: Any, what: str, where: str) -> float:
    """Return a number of cases, or a rate; a rate is NaN where it is missing, as of a class that never occurs."""
    is_support = what.startswith("support")
    try:
        number = math.nan if missing(cell) or cell == "" else float(cell)
    except (TypeError, ValueError):
        number = -1.0
    impossible = not number < math.inf if is_support else number > 1
    if isinstance(cell, bool) or number < 0 or impossible:
        expected = "a number of cases ≥ 0" if is_support else "a number from 0 to 1"
        raise DataError(f"the {what} is {quoted(cell)}", where=where, expected=expected)
    return number


# From rates to counts

_Rate = tuple[str, float | None, float, float]
"""What a rate is called, its value in the report, and numerator and denominator by the counts."""


def _two_class(report: _Report, pos_label: object, notes: list[str]) -> list[float]:
    """Return tn, fp, fn, tp: integers, or sums of weights."""
    labels = [one.label for one in report.classes]
    try:
        place = labels.index(positive_class(labels, pos_label, what="classes"))
    except DataError as error:
        raise error.located(report.where) from None
    if len(labels) > 2:
        return _one_against_others(report, place, notes)
    (tn, fp), (tp, fn) = (_rights(report)[i] for i in (1 - place, place))
    negative, positive = report.classes[1 - place], report.classes[place]
    _check(report, [
        (f"precision of {quoted(positive.label)}", positive.precision, tp, tp + fp),
        (f"precision of {quoted(negative.label)}", negative.precision, tn, tn + fn),
        (f"f1-score of {quoted(positive.label)}", positive.f1, 2 * tp, 2 * tp + fp + fn),
        (f"f1-score of {quoted(negative.label)}", negative.f1, 2 * tn, 2 * tn + fp + fn),
        ("accuracy", report.accuracy, tn + tp, report.total),
    ], notes)  # fmt: skip
    return [tn, fp, fn, tp]


def _one_against_others(report: _Report, place: int, notes: list[str]) -> list[float]:
    """Return tn, fp, fn, tp of one of several classes, whose precision says how many others were taken for it."""
    (tp, fn), one = _rights(report)[place], report.classes[place]
    if not tp or not one.precision > 0:
        raise report.error(
            f"the precision of {quoted(one.label)} is 0, which does not say how many others were taken for it",
            expected="precision above 0", way_out="save the confusion matrix instead",
        )  # fmt: skip
    predicted = tp / one.precision
    fp = predicted - tp if isinstance(tp, float) else round(predicted) - tp
    tn = report.total - tp - fn - fp
    _check(report, [(f"precision of {quoted(one.label)}", one.precision, tp, tp + fp)], notes, rounded=False)
    if tn < -_SLACK_OF_SUMS:
        raise report.error(f"precision and recall of {quoted(one.label)} need more cases than there are")
    return [max(tn, 0.0) if isinstance(tp, float) else round(tn), fp, fn, tp]


def _right_or_wrong(report: _Report, notes: list[str]) -> list[float]:
    """Return how many cases are wrong, and right."""
    right, wrong = (sum(part) for part in zip(*_rights(report), strict=True))
    _check(report, [("accuracy", report.accuracy, right, right + wrong)], notes)
    return [wrong, right]


def _rights(report: _Report) -> list[tuple[float, float]]:
    """Return for each class how many of its cases are right and wrong: counts, or sums of weights if they are none."""
    nan = [one.label for one in report.classes if one.support and math.isnan(one.recall)]
    if nan:
        raise report.error(f"the recall of {quoted(nan[0])} is missing", expected="that of every class with cases")
    sums = [(one.recall * one.support if one.support else 0.0, one.support) for one in report.classes]
    if all(n == round(n) and abs(right - round(right)) <= report.half_unit * max(n, 1) for right, n in sums):
        return [(round(right), round(n) - round(right)) for right, n in sums]
    return [(right, n - right) for right, n in sums]


def _check(report: _Report, rates: Sequence[_Rate], notes: list[str], *, rounded: bool = True) -> None:
    """Refuse rates that contradict recall and support; rounded ones must leave no other counts, or are noted.

    Where something is undefined, a report may hold anything.
    """
    pairs = _rights(report)
    of_classes = zip(report.classes, pairs, strict=True)
    recalls = [(f"recall of {quoted(one.label)}", one.recall, r, r + wrong) for one, (r, wrong) in of_classes]

    def off(slack: float) -> _Rate | None:
        """Return the first rate that is not the one given."""
        known = (rate for rate in (*recalls, *rates) if rate[1] is not None and rate[3])
        return next((rate for rate in known if not abs((rate[1] or 0) - rate[2] / rate[3]) <= slack), None)

    weighted = any(isinstance(right, float) for right, _ in pairs)
    is_rounded = report.decimals < _COMPUTED and not weighted
    several = [one for one in report.classes if is_rounded and report.fitting(one) > 1]
    contradiction = off(_SLACK_OF_SUMS if weighted else _SLACK)
    if contradiction is None and several:
        notes.append(
            f"{report.where or 'the report'}: no rate has more than {counted(report.decimals, 'decimal')}; they "
            "are taken as exact, and if they were rounded, other counts are possible"
        )
    if contradiction is not None and rounded and several:
        one = several[0]
        raise report.error(
            f"the recall of {quoted(one.label)} is rounded to {counted(report.decimals, 'decimal')}, which "
            f"{report.fitting(one)} counts of {one.support:.0f} fit", expected="all digits",
            way_out=["save the dict of output_dict=True as it is",
                     Option("reconstruct", python="let rs.reconstruct list all counts that fit")],
        )  # fmt: skip
    if contradiction is not None and rounded and is_rounded:
        contradiction = off(report.half_unit * (1 + _SLACK))
    if contradiction is not None:
        what, given, top, bottom = contradiction
        raise report.error(
            f"the {what} is {given:.6g}, but recall and support make it {top / bottom:.6g}",
            expected="the numbers as classification_report made them",
        )  # fmt: skip


READER = Reader(
    name="sklearn-report", files="scikit-learn: classification_report(…, output_dict=True), also by model",
    columns="classes, each with precision, recall, f1-score and support; accuracy",
    lacks="no precision, recall and support by class", recognise=recognise, read=read, holds=(*JSON, "table"),
    options=("pos_label",),
)  # fmt: skip

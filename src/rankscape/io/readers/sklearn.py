"""What scikit-learn returns: reports of classifications, confusion matrices, cross-validations and searches.

``sklearn.metrics.classification_report(…, output_dict=True)``, of one model or by model, has one entry per class, with
precision, recall, f1-score and support, then accuracy (a number), "macro avg" and "weighted avg"; "micro avg" stands in
the place of accuracy where not all classes are reported. Saved as a table by pandas it is the same, either way round.
Recall × support are the cases of a class that are right: of two classes these are all four counts, of more only how
many cases are right and wrong. All other numbers are checked. Of weighted cases it has no counts, and is refused.

Confusion matrices have rows = truth, columns = prediction, as ``sklearn.metrics.confusion_matrix`` returns them. In
JSON or in Python: one matrix, [[tn, fp], [fn, tp]] of two classes; matrices by model; a list of them; or a matrix under
"matrix" or "confusion_matrix", beside its "labels" or "classes", by model, too.

With ``scoring=rs.outcome_scorers()`` the dict of ``cross_validate`` has fit_time, score_time and one array test_SCORER
per scorer, perhaps train_SCORER, estimator and indices; ``cv_results_`` of a search has split0_test_SCORER,
split1_test_SCORER, … beside params, and each candidate is a model. Folds are domains. Both come from Python, from JSON,
by model, or from a table, as ``pandas.DataFrame(results)`` saves them.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ...checks.matrices import by_words, decimals_of, refuse_normalized, stacked
from ...checks.positive import positive_class
from ...errors import DataError, Option
from ...outcomes import TWO_CLASS
from ...performances import Performances
from ...tasks import multi_class, success
from ...tasks.classes import class_text
from ...texts import counted, some
from ..cells import integers_of_decimals, is_number, missing
from ..content import Content, How, Reader, part
from ..counting import positive_of
from ..headers import plain, role
from ..sheets import quoted


@contextmanager
def _located(content: Content, name: str = "") -> Iterator[None]:
    """Say of which file, and which model in it, an error is."""
    try:
        yield
    except DataError as error:
        raise error.located(f"{content.where}: {quoted(name)}".lstrip(": ") if name else content.where) from None


# Reports

_RATES = ("precision", "recall", "f1-score", "accuracy")
_NEEDED = ("precision", "recall", "support")
_AVERAGES = ("accuracy", "micro avg", "macro avg", "weighted avg", "samples avg")
_COMPUTED = 9
"""A number with more decimals was computed, and is not rounded."""

_SLACK = 1e-9

_Class = dict[str, Any]
"""Precision, recall, support and perhaps the F1 score of a class."""


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


def _report(content: Content, how: How) -> Performances:
    """Return the performances in reports: counts of two classes, or of right and wrong cases where there are more."""
    pos_label, rows, notes = how.more.get("pos_label"), list[Sequence[int]](), list[str]()
    several, given = set[int](), _by_model(content)
    for name, report in given.items():
        with _located(content, name):
            classes, accuracy, decimals = _numbers(report)
            several.add(len(classes) if len(classes) > 2 else 0)
            asked = len(classes) == 2 or pos_label is not None
            positive = positive_class(classes, pos_label, what="classes") if asked else None
            counts, rounded = _counts(classes, accuracy, decimals, positive)
        rows.append(counts)
        notes += [f"{name or content.where or 'the report'}: {rounded}"] if rounded else []
    if 0 in several and len(several) > 1:
        raise content.error("some reports are of two classes, others of more", expected="the same classes in all")
    if n := max(several):
        what = f"{content.where or 'the report'}: of {n} classes a report does not hold the confusion matrix, so "
        what += "only right and wrong answers are compared; save the confusion matrix to rank by errors"
        notes.insert(0, what)
    names = [name or how.name or content.stem or "P1" for name in given]
    P = Performances.from_counts(np.array(rows), names=names, space=success.SPACE if n else TWO_CLASS)
    return P.noting(*notes, **({} if n else {"positive": positive_of(P, positive)}))


def _numbers(value: Mapping[Any, Any]) -> tuple[dict[str, _Class], float, int]:
    """Return the numbers of the classes of a report, its accuracy, and the most decimals of a rate."""
    given = {str(key): one for key, one in value.items()}
    if "accuracy" not in given:  # but perhaps a "micro avg" of some of the classes
        raise DataError(
            "the report has no accuracy", expected="a report of all classes, one per case",
            way_out="leave labels= of classification_report out",
        )  # fmt: skip
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
            if isinstance(cell, bool) or number < 0 or (number > 1 if key in _RATES else not number.is_integer()):
                of = "" if label == "accuracy" else f" of {quoted(label)}"
                expected = "a number from 0 to 1" if key in _RATES else "a number of cases ≥ 0"
                way_out = "" if key in _RATES or number.is_integer() else "of weighted cases save the confusion matrix"
                raise DataError(f"the {key}{of} is {quoted(cell)}", expected=expected, way_out=way_out)
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
    classes: Mapping[str, _Class], accuracy: float, decimals: int, positive: str | None
) -> tuple[Sequence[int], str]:
    """Return tn, fp, fn, tp, or of more classes how many cases are wrong and right; and what is to be noted."""
    half = _SLACK if decimals >= _COMPUTED else 0.5 * 10**-decimals * (1 + _SLACK)
    if nan := [label for label, one in classes.items() if one["support"] and math.isnan(one["recall"])]:
        raise DataError(f"the recall of {quoted(nan[0])} is missing", expected="that of every class with cases")
    n = {label: int(one["support"]) for label, one in classes.items()}
    right = {label: round(one["recall"] * n[label]) if n[label] else 0 for label, one in classes.items()}
    # What each rate should be, as a fraction; where something is undefined, a report may hold anything.
    rates = [(f"recall of {quoted(of)}", one["recall"], right[of], n[of]) for of, one in classes.items()]
    of_two = sorted(classes, key=lambda of: of != positive) if len(classes) == 2 else []
    for of, other in zip(of_two, reversed(of_two), strict=True):
        taken = right[of] + n[other] - right[other]  # for this class
        rates.append((f"precision of {quoted(of)}", classes[of]["precision"], right[of], taken))
        if "f1-score" in classes[of]:
            rates.append((f"f1-score of {quoted(of)}", classes[of]["f1-score"], 2 * right[of], taken + n[of]))
    rates.append(("accuracy", accuracy, sum(right.values()), sum(n.values())))

    def off(slack: float) -> str:
        """Return the first rate that differs."""
        wrong = ((name, x, k / m) for name, x, k, m in rates if m and not abs(x - k / m) <= slack)
        return next((f"the {name} is {x:.6g}, but recall and support make it {y:.6g}" for name, x, y in wrong), "")

    wrong, several, note = off(_SLACK), "", ""
    for of, x in n.items() if half > _SLACK else ():  # other counts may have the same recall, if it is rounded
        fitting = success.right_answers(Fraction(classes[of]["recall"]), Fraction(2 * half), x) if x else ()
        rounded = f"the recall of {quoted(of)} is rounded to {counted(decimals, 'decimal')}"
        several = several or (f"{rounded}, which {len(fitting)} counts of {x} fit" if len(fitting) > 1 else "")
    if wrong and several:
        ways = ["save the dict of output_dict=True as it is",
                Option("reconstruct", python="let rs.reconstruct list all counts that fit")]  # fmt: skip
        raise DataError(several, expected="all digits", way_out=ways)
    if several:
        note = f"no rate has more than {counted(decimals, 'decimal')}; they are taken as exact, and if they were "
        note += "rounded, other counts are possible"
    if wrong := off(half):
        raise DataError(wrong, expected="the numbers as classification_report made them")
    if positive is None:
        return [sum(n.values()) - sum(right.values()), sum(right.values())], note
    if not of_two:
        what = f"of {len(classes)} classes a report does not say how many cases were taken for {quoted(positive)}"
        raise DataError(what, way_out="save the confusion matrix instead")
    negative = of_two[1]
    return [right[negative], n[negative] - right[negative], n[positive] - right[positive], right[positive]], note


REPORT = Reader(
    name="sklearn-report", files="scikit-learn: classification_report(…, output_dict=True), also by model",
    columns="classes, each with precision, recall, f1-score and support; accuracy",
    recognise=lambda content: bool(_by_model(content)), read=_report,
    options=("pos_label",),
)  # fmt: skip


# Confusion matrices

_CELLS = ("confusionmatrix", "matrix", "cm", "confusion", "confmat", "counts")
_OF_PLOTS = ({"z"}, {"data"}, {"values"}, {"grid"}, {"image"})
_LABELS = ("labels", "classes", "classnames", "classlabels", "targetnames", "displaylabels")


class _Matrix(NamedTuple):
    """The cells of a matrix, its labels, whether it says itself that it holds counts, and what was decided."""

    cells: list[list[Any]]
    labels: list[str] | None = None
    counts: bool = False
    notes: tuple[str, ...] = ()


def _confusion(content: Content, how: How) -> Performances:
    """Return the performances in confusion matrices: of two classes, or of the pairs of several."""
    given, pos_label = _matrices(content), how.more.get("pos_label")
    matrices = {name or how.name or content.stem or "P1": matrix for name, matrix in given.items()}
    for name, matrix in matrices.items():
        with _located(content, name if len(matrices) > 1 else ""):
            _check(matrix)
    if "" in given and not isinstance(content.value, Mapping) and len(given[""].cells) == 4:
        raise content.error(
            "four rows of four numbers may be a matrix of four classes, or the counts tn, fp, fn, tp of four models",
            way_out=['name the classes, {"labels": […], "matrix": […]}', 'name the models, {"unet": {"tn": 50, …}, …}'],
        )
    first, one = next(iter(matrices.items()))
    known = one.labels or [str(i) for i in range(len(one.cells))]
    for name, other in matrices.items():
        if len(one.cells) != len(other.cells) or {*(one.labels or ())} != {*(other.labels or ())}:
            what = [some(m.labels, 6, quote="", word=quoted) if m.labels else str(len(m.cells)) for m in (one, other)]
            raise content.error(
                f"{quoted(first)} has the classes {what[0]}, {quoted(name)} {what[1]}", expected="the same in all"
            )
    several = len(known) > 2
    with _located(content):
        positive = None if several and pos_label is None else positive_class(known, pos_label, what="classes")
        order = known[::-1] if not several and positive == known[0] else known
        places = [[(matrix.labels or known).index(label) for label in order] for matrix in matrices.values()]
        rows = [[one.cells[i][j] for i in at for j in at] for one, at in zip(matrices.values(), places, strict=True)]
        mass = np.array(rows, dtype=np.float64)
        more: Any = {"names": [*matrices], "space": multi_class.space(known) if several else TWO_CLASS}
        if (mass == np.floor(mass)).all():
            make = Performances.from_weighted_counts if several else Performances.from_counts
            P = make(np.array([list(map(int, row)) for row in rows], dtype=object), **more)
        else:  # probabilities are the decimal numbers that were written, of several classes perhaps up to a factor
            shares = mass / mass.sum(axis=1, keepdims=True) if several else mass
            P = replace(Performances.from_probabilities(shares, **more), exact=integers_of_decimals(rows))
        P = multi_class.one_vs_rest(P, positive) if several and positive is not None else P
    P = P.noting(*(note for one in matrices.values() for note in one.notes))
    return P if one.labels is None or positive is None else P.noting(positive=positive_of(P, positive))


def _check(matrix: _Matrix) -> None:
    """Refuse matrices that are not square, other cells than numbers, other labels, shares of a class, correlations."""
    rows, labels = matrix.cells, matrix.labels
    if any(len(row) != len(rows) for row in rows):
        lengths = some(sorted({len(row) for row in rows}), quote="", word=str)
        what = f"the matrix has {len(rows)} rows with {lengths} cells"
        raise DataError(what, expected="as many columns as rows, one per class")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if not is_number(cell):
                what = f"row {i + 1}, column {j + 1} of the matrix is {quoted(cell)}"
                raise DataError(what, expected="a number of cases")
    if labels is not None and not len(labels) == len({*labels}) == len(rows):
        what = f"the matrix has {len(rows)} rows, and the labels {some(labels, 8, quote='', word=quoted)}"
        raise DataError(what, expected="a different label per row")
    table = np.array(rows, dtype=object)
    refuse_normalized(table, whole=not matrix.counts)
    numbers = table.astype(np.float64)
    if (numbers != np.floor(numbers)).any() and (numbers == numbers.T).all() and (numbers.diagonal() == 1).all():
        what = "the matrix is symmetric with 1 on its diagonal, as correlations are"
        raise DataError(what, expected="numbers of cases")


def _matrices(content: Content) -> dict[str, _Matrix]:
    """Return matrices by name, "" for one without a name; none where there is something else."""
    value, frame = _listed(content.value), content.given
    if content.source is None and hasattr(type(frame), "index") and hasattr(frame, "columns"):
        axes = [list(axis) for axis in (frame.index, frame.columns)]  # of pandas, of which those of a matrix are alike
        titles = [str(getattr(axis, "name", None) or "") for axis in (frame.index, frame.columns)]
        rows, columns, _ = by_words(axes[0], axes[1], titles, "")
        value = frame if {*map(str, rows)} == {*map(str, columns)} else None
    matrix = _matrix(value)
    if matrix is not None and (isinstance(value, Mapping) or {*map(len, matrix.cells)} == {len(matrix.cells)}):
        return {"": matrix}
    if not isinstance(value, (list, tuple, Mapping)) or (isinstance(value, Mapping) and {*value} in _OF_PLOTS):
        return {}
    common, by_name = None, dict[str, _Matrix]()
    for i, (key, item) in enumerate(value.items() if isinstance(value, Mapping) else enumerate(value)):
        if isinstance(value, Mapping) and plain(str(key)) in _LABELS and (known := _labels(item)):
            common = common or known  # of all models
            continue
        if (matrix := _matrix(item)) is None:
            return {}
        record = {} if isinstance(value, Mapping) else part(item)
        named = (str(cell) for header, cell in record.items() if role(str(header)) == "entity")
        name = next(named, (isinstance(value, Mapping) and str(key)) or f"P{i + 1}")
        if name in by_name:
            raise content.error(f"{quoted(name)} has two matrices", expected="one per model")
        by_name[name] = matrix
    return {name: one if one.labels else one._replace(labels=common) for name, one in by_name.items()}


def _matrix(value: Any) -> _Matrix | None:
    """Return a matrix, with its labels if it has any; None for anything else, also for a frame that is not square."""
    if isinstance(value, Mapping):
        keys = {plain(str(key)): item for key, item in value.items()}
        key = next((key for key in _CELLS if _rows(keys.get(key))), "")
        labels = next(filter(None, (_labels(keys.get(key)) for key in _LABELS)), None)
        return _Matrix(_rows(keys[key]), labels, key == "counts") if key else None
    is_frame = hasattr(value, "columns")
    rows = _rows(np.asarray(value) if is_frame else value)
    if not rows or not all(is_number(cell) or (cell is None and not is_frame) for row in rows for cell in row):
        return None
    if not is_frame:
        return _Matrix(rows)
    if {*map(len, rows)} != {len(rows)}:
        return None
    matrices = stacked(value)  # without labels the rows and columns are numbered: [[tn, fp], [fn, tp]]
    known = None if matrices.classes is None else list(map(class_text, matrices.classes))
    return _Matrix(matrices.tables.tolist(), known, False, matrices.notes)


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _rows(value: Any) -> list[list[Any]]:
    """Return two or more rows of cells; none for anything else."""
    rows = list(map(_listed, _listed(value))) if isinstance(value, (list, tuple, np.ndarray)) else []
    are_rows = len(rows) > 1 and all(isinstance(row, (list, tuple)) and row for row in rows)
    if not are_rows or any(isinstance(cell, (list, tuple, Mapping, np.ndarray)) for row in rows for cell in row):
        return []
    return list(map(list, rows)) if any(len(row) > 1 for row in rows) else []


def _labels(value: Any) -> list[str] | None:
    value = _listed(value)
    are_labels = isinstance(value, (list, tuple)) and all(isinstance(one, (str, Real, Decimal)) for one in value)
    return list(map(class_text, value)) or None if are_labels else None


MATRIX = Reader(
    name="confusion-matrix", files="confusion matrices in JSON, rows = truth: of one model, by model, with labels",
    columns="[[tn, fp], [fn, tp]]; or labels and matrix",
    recognise=lambda content: bool(_matrices(content)),
    read=_confusion, options=("pos_label",),
)  # fmt: skip


# Cross-validations

_OF_A_SPLIT = re.compile(r"split\d+_test_.+")
_TIMES = {"fit_time", "score_time"}
_COUNTS = {f"test_{outcome}" for outcome in TWO_CLASS.outcomes}


def _is_of_folds(content: Content) -> bool:
    """Tell whether a content is results of folds, perhaps by model."""
    inner = list(content.value.values()) if isinstance(content.value, Mapping) else []
    if inner and all(isinstance(one, Mapping) and _is_results(one) for one in inner):
        return True
    is_single = bool(inner) and (isinstance(inner[0], (int, float, str)) or not hasattr(inner[0], "__len__"))
    return _is_results(content.headers) and not is_single  # which would be one run, and no array of folds


def _is_results(keys: Iterable[Any]) -> bool:
    """Tell whether keys are those of results: of splits, with the times, or with the four counts and nothing else."""
    names = {str(key) for key in keys} - {"", "estimator", "indices"}
    tests = {name for name in names if name.startswith("test_")}
    others = {name for name in names - tests - _TIMES if not name.startswith("train_")}
    of_folds = bool(tests) and (bool(names & _TIMES) or (names >= _COUNTS and not others))
    return of_folds or any(map(_OF_A_SPLIT.fullmatch, names))


def _folds(content: Content, how: How) -> Performances:
    """Return the performances on the folds of cross-validations, or of the candidates of a search."""
    alone, value = how.name or content.stem or "P1", content.value
    if isinstance(value, Mapping):
        results = {alone: value} if _is_results(content.headers) else {str(key): one for key, one in value.items()}
    else:
        sheet, by_name = content.sheet, dict[str, list[Any]]()
        if len({*sheet.headers}) < len(sheet.headers):
            raise sheet.error("two columns have the same header", expected="those of scikit-learn, each once")
        entity = next((i for i, h in enumerate(sheet.headers) if h == how.entity or role(h) == "entity"), None)
        for row in sheet.rows:
            by_name.setdefault(alone if entity is None else str(row[entity]).strip(), []).append(row)
        results = {
            name: dict(zip(sheet.headers, zip(*rows, strict=True), strict=True)) for name, rows in by_name.items()
        }
    with _located(content):
        ((name, one), *others) = results.items()
        of_search = any(map(_OF_A_SPLIT.fullmatch, one))  # whose candidates have names
        return Performances.from_cv_results(results if others else one, None if others or of_search else [name])


CROSS_VALIDATE = Reader(
    name="cross-validate", files="scikit-learn: cross_validate or a search with scoring=rs.outcome_scorers(); by fold",
    columns="test_tn, test_fp, test_fn, test_tp, one value per fold; or split0_test_tn, split0_test_fp, …",
    recognise=_is_of_folds, read=_folds,
    named=("entity",),
)  # fmt: skip

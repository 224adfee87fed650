"""Diagnoses: what a table that no reader understands looks like, by its structure, and what would be read instead.

Each shape is a function in one of two tables. It looks at the headers and at some rows, and returns what the table
looks like with the ways out, or None. A table that has none of the shapes is called nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..checks.positive import PAIRS, usual_positive
from ..errors import DataError, Option
from ..tasks.classes import ARROW
from ..tasks.judgements import INSTEAD, is_of_ranked_lists
from ..texts import some
from .cells import number_of_text
from .headers import (
    CASES,
    CLUSTERS,
    CORRECT,
    MULTIPLIERS,
    OF_METRICS,
    ONE_COLUMN_EACH,
    PERHAPS,
    PREDICTIONS,
    REPEATS,
    behind_prefix,
    empty,
    grade_of,
    is_metric,
    is_truth,
    likely_role,
    plain,
    rate_of,
    role,
    truth_of,
    wide_headers,
    words_of,
)
from .sheets import Sheet, quoted

LOOKED_AT, MOST_CLASSES, MOST_NAMED = 1000, 20, 4
"""Rows that are looked at, different labels in a column, and columns and labels that a sentence names, at most."""

LEAST_OF_A_CURVE = 5
"""Points that a curve has at least."""

ROUNDED = 0.02
"""How far the shares of a row may sum from 1."""

_WORD_OF_SIDE = re.compile(r"^(actual|true|predicted|pred)\W+", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[(\[].*")
_RIGHT = {
    "correct",
    "ncorrect",
    "numcorrect",
    "solved",
    "nsolved",
    "passed",
    "npassed",
    "resolved",
    "right",
    "successes",
}
_TOTALS = {"total", "ntotal", "n", "numtotal", "attempted", "trials", "questions", "problems"}
_STEPS = {"epoch", "epochs", "step", "steps", "iteration", "iterations", "iter", "globalstep", "round", "batch"}
_RESAMPLES = {"resample", "fold", "split", "iteration", "bootstrap", "repeat", "cvfold", "resampleid"}
_OF_CASES = {*CASES, *CLUSTERS, *REPEATS, *MULTIPLIERS, "fold"}
_PER_CASE = {*CASES, *CLUSTERS, "study", "volume", "slice"}

_COUNTS_OR_ANSWERS = ["give the counts tn, fp, fn, tp of each model, or its answers to each case"]

Diagnosis = tuple[str, list[Any]]
"""What a table looks like, and the ways out."""


class Seen:
    """The headers and some rows of a table: its columns without empty cells, of numbers, of shares, and of texts."""

    def __init__(self, headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.headers, self.rows = headers, rows
        self.numbers: dict[str, list[float]] = {}
        self.labels: dict[str, set[str]] = {}
        for header in dict.fromkeys(headers):
            cells = [cell for cell in self.column(header) if not empty(cell)]
            self.labels[header] = {str(cell).strip() for cell in cells}
            values = [] if not header or plain(header) in _PER_CASE else list(map(_number, cells))
            if values and None not in values:  # of no column that numbers the rows, or names something
                self.numbers[header] = [float(value) for value in values if value is not None]
        self.shares = [header for header, values in self.numbers.items() if all(0 <= x <= 1 for x in values)]
        self.texts = [header for header in headers if header not in self.numbers]
        self.entity = next((header for header in headers if role(header) == "entity"), None)

    def column(self, header: str) -> list[Any]:
        """Return the cells of a column."""
        at = self.headers.index(header)
        return [row[at] for row in self.rows if at < len(row)]

    def first(self, names: Any) -> str | None:
        """Return the first header that is among some names, as headers are compared."""
        return next((header for header in self.headers if plain(header) in names), None)

    def only(self, header: str, *numbers: float) -> bool:
        """Tell whether a column of numbers holds none but those."""
        return {*self.numbers[header]} <= {*numbers}


def _number(cell: Any) -> float | None:
    text = "" if isinstance(cell, bool) else str(cell).split("±")[0].strip().removesuffix("%").strip()
    number = number_of_text(text, "," in text and "." not in text)
    return None if number is None else float(number)


def diagnosed(sheet: Sheet, rates: bool) -> DataError | None:
    """Return the error that says what a table looks like; None where it looks like nothing that is known.

    Of a table of printed ``rates`` only the shapes count that are none of one row per model.

    >>> table = Sheet(
    ...     ("id", "cat", "dog"), [["1", "0.7", "0.3"], ["2", "0.2", "0.8"], ["3", "0.4", "0.6"]]
    ... )
    >>> diagnosis = diagnosed(table, False)
    >>> None if diagnosis is None else str(diagnosis)[:75]
    'this looks like probabilities of classes: in each row "cat", "dog" sum to 1'
    """
    rows = list(sheet.rows[:LOOKED_AT])
    if not rows or any(ARROW in header for header in sheet.headers):  # pairs of classes have errors of their own
        return None
    seen = Seen(sheet.headers, rows)
    diagnosis = next(filter(None, (shape(seen) for shape in (SHAPES_OF_RATES if rates else SHAPES))), None)
    return _odd_cell(sheet, seen) if diagnosis is None else sheet.error(diagnosis[0], way_out=diagnosis[1])


def _list(names: Iterable[str]) -> str:
    return some(list(names), MOST_NAMED, quote="", word=quoted)


def _are(names: Sequence[str], what: str) -> str:
    """Return that names are something: "is a metric", "are metrics"."""
    return f"is a {what}" if len(names) == 1 else f"are {what}s"


def _options(name: str, headers: Sequence[str]) -> str:
    return " ".join(f"--{name} {shlex.quote(header)}" for header in headers)


def _if_answers(lead: str, columns: Sequence[str]) -> Option:
    """Return how to say that columns are answers of models."""
    return Option("correct", python=f"{lead}correct={list(columns)!r}", shell=lead + _options("correct", columns))


# Predictions


def _predictions(seen: Seen) -> Diagnosis | None:
    """Tell columns that hold the same few labels: predictions, with a truth perhaps."""
    alike = labeled(seen)
    truth = truth_of(list(alike))
    if len(alike) < 2 or (truth is None and not {*seen.numbers} <= {*alike}):  # as in most tables of data
        return None
    models = list(alike) if truth is None else _of_models(seen, [header for header in alike if header != truth])
    if not models:
        return f"{quoted(truth)} may be a truth, beside other data", [Option(
            "truth", python=f"if some columns are predictions, use rs.count(…, truth={truth!r}, prediction=…)",
            shell=f"if some columns are predictions, add --truth {shlex.quote(str(truth))} --prediction HEADER",
        )]  # fmt: skip
    classes = sorted(set().union(*alike.values()))
    what = f"this looks like predictions, one case per row: the columns {_list(alike)} hold the labels {_list(classes)}"
    if truth is None:
        shell = "say which hold the true and the predicted labels with --truth HEADER --prediction HEADER"
        python = "count them first with rs.count(…, truth=…, prediction=[…])"
    else:
        entity = f" --entity-column {shlex.quote(seen.entity)}" if seen.entity is not None and len(models) == 1 else ""
        shell = f"add --truth {shlex.quote(truth)} {_options('prediction', models)}{entity}"
        python = f"count them first with rs.count(…, truth={truth!r}, prediction={models!r})"
    ways: list[Any] = [Option("truth", python=python, shell=shell + _positive(classes))]
    if all(grade_of(label) in (0, 1) for label in classes) and len(models) > 1 and seen.entity is None:
        answers = _if_answers("if they are models whose answers are right or wrong, name them with ", models)
        ways.insert(0 if truth is None else 1, answers)
    return what, ways


def _of_models(seen: Seen, columns: Sequence[str]) -> list[str]:
    """Return which columns may be of models: all where no other is unknown, else those whose headers say so.

    Beside columns of other data, those that hold labels or shares may be data, too.
    """
    unknown = any(
        header and header not in columns and not is_truth(header) and likely_role(header) is None
        and plain(header) not in _OF_CASES for header in seen.headers
    )  # fmt: skip
    usual = {*PREDICTIONS["prediction"]}
    called = [header for header in columns if {plain(header), *words_of(header)} & usual and rate_of(header) is None]
    return called if unknown else list(columns)


def labeled(seen: Seen) -> dict[str, set[str]]:
    """Return the columns that hold the same few labels, with these: those of the truth where a header names it.

    >>> rows = [[1, "a", "b"], [2, "b", "b"], [3, "a", "a"], [4, "b", "a"]]
    >>> list(labeled(Seen(("id", "y", "svm"), rows)))
    ['y', 'svm']
    """
    columns = {header: labels for header, labels in seen.labels.items()
               if role(header) is None and header and plain(header) not in CASES}  # fmt: skip
    few = range(2, min(MOST_CLASSES, max(len(seen.rows) // 2, 2)) + 1)
    truth = truth_of(list(columns))
    classes = columns[truth] if truth is not None and len(columns[truth]) in few else None
    if classes is None:
        several = [labels for labels in columns.values() if len(labels) in few]
        classes = next((labels for labels in several if sum(other <= labels for other in several) > 1), set())
    return {header: labels for header, labels in columns.items() if labels and labels <= classes}


def _positive(classes: Sequence[str]) -> str:
    """Return the option that names the positive one of two labels, where no rule tells it: an example."""
    if len(classes) != 2 or usual_positive(classes) is not None:
        return ""
    usual = {negative for negative, _ in PAIRS}
    return f" --pos-label {shlex.quote(next((x for x in classes if x.casefold() not in usual), classes[0]))}"


def _scores(seen: Seen) -> Diagnosis | None:
    """Tell a truth of two labels beside scores, which have to be counted at a threshold first."""
    binary = [header for header in seen.shares if {*seen.numbers[header]} == {0, 1}]
    truth = truth_of(seen.headers) or (binary[0] if len(binary) == 1 and seen.entity is None else None)
    if truth is None or len(seen.labels[truth]) != 2:
        return None
    scores = _of_models(seen, [header for header in seen.shares if header != truth and not seen.only(header, 0, 1)])
    if not scores:
        return None
    shell = f"--truth {shlex.quote(truth)} {_options('score', scores)} --threshold 0.5"
    shell += _positive(sorted(seen.labels[truth]))
    return (
        f"this looks like scores of cases ({_list(scores)}) beside a truth, {quoted(truth)}",
        [Option("truth", python=f"count them with rs.count(…, truth={truth!r}, score={scores!r}, threshold=0.5)",
                shell=f"count them first with `rankscape count FILE {shell} -o counts.csv`")],
    )  # fmt: skip


# Numbers of one model, or of none


def _history(seen: Seen) -> Diagnosis | None:
    """Tell losses and metrics by epoch or step."""
    validated = any(header.startswith(("val_", "valid_", "eval_")) for header in seen.headers)
    step = seen.first(_STEPS) or (seen.headers[0] if validated else None)
    metrics = [header for header in seen.numbers if header != step and is_metric(header)]
    losses = any("loss" in header.casefold() for header in metrics)
    if step is None or seen.entity is not None or not (losses or len(metrics) > 1):
        return None
    by = f", by {quoted(step)}" if step else ""
    return f"this looks like the history of a training{by}: {_list(metrics)}", _COUNTS_OR_ANSWERS


def _curve(seen: Seen) -> Diagnosis | None:
    """Tell rates along the thresholds of one model, which nothing names: a curve of precision and recall, or ROC."""
    if seen.texts or len(seen.rows) < LEAST_OF_A_CURVE or any(likely_role(header) for header in seen.headers):
        return None
    rates = [header for header in seen.numbers if rate_of(header) in ("tpr", "fpr", "tnr", "fnr")]
    along = [header for header in rates if seen.numbers[header] in (up := sorted(seen.numbers[header]), up[::-1])]
    if not along or any("threshold" in header.casefold() for header in seen.headers):
        return None
    return f"this looks like a curve of one model, along {_list(along)}", [_COUNTS_OR_ANSWERS]


def _with_intervals(seen: Seen) -> Diagnosis | None:
    """Tell rates whose cells have an interval, or a fraction, beside the number."""
    rates = {header: _IN_BRACKETS.sub("", header).strip() for header in seen.texts}
    rates = {header: name for header, name in rates.items() if rate_of(name) and name != header}
    if not rates:
        return None
    what = f"{_list([*rates])} {'has' if len(rates) == 1 else 'have'} an interval beside each number"
    return what, [f"give the numbers alone, in columns called {_list([*rates.values()])}"]


def _right_of_total(seen: Seen) -> Diagnosis | None:
    """Tell numbers of right answers beside numbers of cases, under headers that are not understood."""
    right, total = seen.first(_RIGHT), seen.first(_TOTALS)
    if right is None or total is None:
        return None
    what = f"{quoted(right)} of {quoted(total)} may be right answers"
    return what, [f'if so, call the columns "correct" and "total" in place of {quoted(right)} and {quoted(total)}']


def _resamples(seen: Seen) -> Diagnosis | None:
    """Tell metrics of one model on folds or resamples."""
    fold = seen.first(_RESAMPLES)
    metrics = [header for header in seen.numbers if header != fold]
    if fold is None or seen.entity is not None or {*seen.texts} - {fold, ""}:
        return None
    if not metrics or not all(map(is_metric, metrics)):
        return None
    what = f"this looks like scores of one model on resamples, by {quoted(fold)}: {_list(metrics)}"
    return what, _COUNTS_OR_ANSWERS


def _metrics_in_rows(seen: Seen) -> Diagnosis | None:
    """Tell one metric per row, one model per column, as tables of papers and of cross_validate have."""
    names = list(map(str, seen.column(seen.texts[0]))) if seen.texts and seen.numbers else []
    metrics = [name for name in names if is_metric(name)]
    if len(metrics) * 2 <= len(names) or len({*names}) < len(names):
        return None
    if {"fit_time", "score_time", "test_score"} & {name.strip().casefold() for name in names}:
        return f"this looks like scores of a cross-validation, one per row: {_list(metrics)}", _COUNTS_OR_ANSWERS
    rates = [name for name in metrics if rate_of(name) is not None]
    turned = "turn the table round, so that each model has a row"
    what = f"this table has one metric per row ({_list(metrics)}), and one model per column"
    return what, [f"{turned}: {_list(rates)} are printed rates" if len(rates) > 1 else turned]


def _metric_of_row(seen: Seen) -> Diagnosis | None:
    """Tell a column that says which metric the number of each row is."""
    header = seen.first(OF_METRICS)
    if header is None or header not in seen.texts:
        return None
    return f"{quoted(header)} says what each number is ({_list(dict.fromkeys(map(str, seen.column(header))))})", [
        ONE_COLUMN_EACH
    ]


def _one_hot(seen: Seen) -> Diagnosis | None:
    """Tell shares that sum to 1 in each row: probabilities of classes."""
    columns = [header for header in seen.shares if role(header) is None and not is_truth(header)]
    values = [seen.numbers[header] for header in columns]
    if len(seen.rows) < 2 or any(len(column) < len(seen.rows) for column in values):
        return None
    varied = sum(len({*column}) > 1 for column in values) > 1
    if not varied or any(abs(sum(row) - 1) > ROUNDED for row in zip(*values, strict=True)):
        return None
    python = "count predictions with rs.count, where one column has the true class and one per model the predicted one"
    shell = "give one column with the true class and one per model with the predicted one, and name them with --truth "
    ways = [Option("truth", python=python, shell=shell + "and --prediction")]
    if all(seen.only(header, 0, 1) for header in columns):
        ways.append(_if_answers("if they are models that answer right or wrong, name them with ", columns))
    return f"this looks like probabilities of classes: in each row {_list(columns)} sum to 1", ways


def _matrix(seen: Seen) -> Diagnosis | None:
    """Tell a square of numbers whose rows and columns have the same labels: correlations, or a confusion matrix."""
    columns, k = list(seen.numbers.values()), len(seen.numbers)
    if k < 2 or len(seen.rows) != k or any(len(column) != k for column in columns):
        return None
    square = list(zip(*columns, strict=True))
    symmetric = all(square[i][j] == square[j][i] for i in range(k) for j in range(i))
    if symmetric and all(square[i][i] == 1 and all(-1 <= x <= 1 for x in square[i]) for i in range(k)):
        what = f"this looks like correlations of {_list(seen.numbers)}"
        return f"{what}: the same on both sides of a diagonal of ones", []
    rows = [str(cell) for cell in seen.column(seen.texts[0])] if seen.texts else []
    if {_WORD_OF_SIDE.sub("", name).strip() for name in rows} != {
        _WORD_OF_SIDE.sub("", h).strip() for h in seen.numbers
    }:
        return None
    what = f"confusion matrix of {_list(seen.numbers)}"
    if any(all(abs(sum(row) - whole) <= ROUNDED * whole for row in side)
           for whole in (1, 100) for side in (square, columns)):  # fmt: skip
        lost = "how many cases each class has is lost"
        return f"this looks like a normalized {what}: {lost}", ["give the matrix of counts"]
    example = '{"labels": ["a", "b"], "matrix": [[…], […]]}'
    return f"this looks like a {what}", [f"save it as JSON, rows = truth: {example}"]


def _ranked_lists(seen: Seen) -> Diagnosis | None:
    """Tell metrics of ranked lists."""
    ranked = [name for name in seen.headers if is_of_ranked_lists(name)]
    if not ranked:
        return None
    do = "does" if len(ranked) == 1 else "do"
    return f"{some(ranked)} {_are(ranked, 'metric')} of ranked lists, which {do} not tell fp, fn and tp", INSTEAD


def _metrics(seen: Seen) -> Diagnosis | None:
    """Tell columns of metrics that are no rates."""
    metrics = [header for header in seen.numbers if is_metric(header)]
    if len(metrics) * 2 <= len(seen.numbers) or role(seen.headers[0]) == "domain":
        return None
    expected = "counts tn, fp, fn, tp, right answers, or two rates such as sensitivity and specificity"
    return f"{_list(metrics)} {_are(metrics, 'metric')} from which no outcomes follow", [f"give {expected}"]


# Grades


def _grades_in_rows(seen: Seen) -> Diagnosis | None:
    """Tell a metric of each case, one row per model and case."""
    case = seen.first(_PER_CASE)
    metrics = [header for header in seen.numbers if role(header) is None and header != case]
    if case is None or seen.entity is None or not metrics or any(map(is_truth, seen.headers)):
        return None
    rows = list(zip(seen.column(seen.entity), seen.column(case), strict=True))
    if any(len({*column}) == len(rows) for column in zip(*rows, strict=True)):
        return None
    values = "each case has a value of " if len(metrics) == 1 else "each case has values of "
    return values + _list(metrics), _by_name(seen, [[header] for header in metrics[:MOST_NAMED]])


def _grades_side_by_side(seen: Seen) -> Diagnosis | None:
    """Tell a grade of each case, one column per model."""
    by_header = wide_headers(seen.headers)
    if by_header is None or by_header.case is None:
        return None
    models = list(by_header.correct)
    if not {*models} <= {*seen.shares} or any(map(is_truth, models)) or all(map(is_metric, models)):
        return None
    if any(seen.only(header, 0, 1) for header in models):
        return None
    what = f"{_list(models)} hold numbers for each {quoted(by_header.case)}, which are not right or wrong"
    return what, _by_name(seen, [models])


def _one_answer(seen: Seen) -> Diagnosis | None:
    """Tell cases beside a column that may say whether they are right, by its cells and its header, of one model."""
    header = seen.first((*CORRECT, *PERHAPS))
    if header is None or seen.first(CASES) is None or truth_of(seen.headers) not in (None, "answer"):
        return None
    cells = [cell for cell in seen.column(header) if not empty(cell)]
    if not cells or any(grade_of(cell) not in (0, 1) for cell in cells):
        return None
    add = Option("correct", header)
    return f"{quoted(header)} may say whether each case is right", [["if it does, name it with ", add]]


def _one_number(seen: Seen) -> Diagnosis | None:
    """Tell one number per case, and nothing else: a grade of one model, or a score without its truth."""
    case = seen.first(CASES)
    if case is None or {*seen.headers} - {case} != {*seen.numbers} - {case} or len(seen.headers) != 2:
        return None
    (header,) = {*seen.headers} - {case}
    if not (is_metric(header) or plain(header) in PERHAPS) or seen.only(header, 0, 1):
        return None
    return f"each {quoted(case)} has one number, {quoted(header)}, and no truth", _by_name(seen, [[header]])


def _by_name(seen: Seen, choices: Sequence[Sequence[str]]) -> list[Any]:
    """Return how to ask for grades by the names of their columns."""
    ways: list[Any] = []
    for columns in choices:
        known = all(header in seen.shares for header in columns)
        lead = "if these are grades, the larger the better, add " if known else "add "
        scale, ends = ("", "") if known else (" --scale WORST BEST", ", scale=(worst, best)")
        named = repr(columns[0] if len(columns) == 1 else list(columns))
        ways.append(Option("correct", python=f"{lead}correct={named}{ends}",
                           shell=f"{lead}{_options('correct', columns)}{scale}"))  # fmt: skip
    if all(header in seen.shares for columns in choices for header in columns):
        ways.append(["state its worst and best value, too, with ", Option("scale")])
    return ways


def _by_dataset(seen: Seen) -> Diagnosis | None:
    """Tell one printed number per dataset and model, or per model and benchmark."""
    columns = {header: values for header, values in seen.numbers.items() if header != seen.headers[0]}
    if len(columns) < 2 or {*seen.texts} - {seen.headers[0]}:
        return None
    most = 100 if role(seen.headers[0]) in ("domain", "entity") else 1
    if (seen.headers[0] and most == 1) or not all(0 <= x <= most for values in columns.values() for x in values):
        return None
    if any(role(name) or behind_prefix(name) or is_truth(name) for name in columns):
        return None
    rows = "benchmark" if role(seen.headers[0]) == "entity" else "dataset"
    return (
        f"this looks like printed numbers, one per model and {rows}: they do not say of how many cases, nor whether "
        "larger is better",
        [f"accuracies need one row per model and {rows}, as model, {rows}, accuracy, n"],
    )


def _flags(seen: Seen) -> Diagnosis | None:
    """Tell models in rows and columns of 0 and 1, which may be answers to items, or features."""
    items = [header for header in seen.headers if header != seen.entity]
    cells = [cell for header in items for cell in seen.column(header)]
    if seen.entity is None or len(items) < 2 or not all(empty(cell) or grade_of(cell) in (0, 1) for cell in cells):
        return None
    if any(map(is_truth, items)) or any(role(header) is not None for header in items):
        return None
    return (
        f"each of {_list(items)} is 0 or 1 for each {quoted(seen.entity)}",
        [["if these are items that the models answer right or wrong, say so with ",
          Option("format", "right-or-wrong", option="from")]],
    )  # fmt: skip


def _odd_cell(sheet: Sheet, seen: Seen) -> DataError | None:
    """Return the error about the cell for which a table is not read as one column of answers per entity, if any."""
    columns = wide_headers(seen.headers)
    if columns is None or columns.case is None:
        return None
    cells = [(i, header, cell) for header in columns.correct for i, cell in enumerate(seen.column(header))]
    odd = sorted(one for one in cells if not empty(one[2]) and grade_of(one[2]) is None)
    if not odd or len(cells) < 4 or len(odd) > max(len(cells) // 20, 1):
        return None
    row, header, cell = odd[0]
    return DataError(
        f"{header} = {quoted(cell)} is no answer", where=sheet.place(row),
        expected="1 or 0, true or false, or a grade in [0, 1], as in the other cells", way_out="correct it",
    )  # fmt: skip


Shape = Callable[[Seen], Diagnosis | None]

SHAPES_OF_RATES: tuple[Shape, ...] = (_history, _resamples, _curve, _one_answer, _grades_in_rows, _scores, _one_number)
"""Shapes that tables with columns of rates may have, too."""

SHAPES: tuple[Shape, ...] = (
    _history, _matrix, _with_intervals, _right_of_total, _metrics_in_rows, _metric_of_row, _one_answer, _scores,
    _one_hot, _predictions, _resamples, _ranked_lists, _grades_in_rows, _grades_side_by_side, _one_number, _flags,
    _metrics, _by_dataset,
)  # fmt: skip
"""What a table may look like; the first that fits names it."""

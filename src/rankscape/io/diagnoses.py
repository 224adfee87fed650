"""Diagnoses: what a table that no reader understands looks like, by its structure, and what would be read instead.

Each shape is a condition on the headers and some rows, with a sentence and the ways out. The first that holds names the
table; one that has none of the shapes is called nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
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
    RUNS_OF_CASES,
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

ROUNDED = 0.02
"""How far the shares of a row may sum from 1."""

_WORD_OF_SIDE = re.compile(r"^(actual|true|predicted|pred)[\W_]+", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[(\[].*")
_STEPS = ("epoch", "epochs", "step", "steps", "iteration", "iterations", "iter", "globalstep", "round", "batch")
_RESAMPLES = ("resample", "fold", "split", "iteration", "bootstrap", "repeat", "cvfold", "resampleid")
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
        self.metrics = [header for header in self.numbers if is_metric(header)]
        self.entity = next((header for header in headers if role(header) == "entity"), None)
        self.names = list(map(str, self.column(self.texts[0]))) if self.texts else []

    def column(self, header: str) -> list[Any]:
        """Return the cells of a column."""
        at = self.headers.index(header)
        return [row[at] for row in self.rows if at < len(row)]

    def first(self, names: Any) -> str | None:
        """Return the first header that is among some names, as headers are compared."""
        return next((header for header in self.headers if plain(header) in names), None)

    def marks(self, header: str) -> bool:
        """Tell whether a column holds only 0 and 1, or words for right and wrong."""
        return bool(self.labels[header]) and all(grade_of(label) in (0, 1) for label in self.labels[header])


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
    for shapes, of_rates in SHAPES:
        for what, ways in shapes(seen) if of_rates or not rates else ():
            return sheet.error(what, way_out=ways)
    return _odd_cell(sheet, seen)


def _list(names: Iterable[str]) -> str:
    return some(list(names), MOST_NAMED, quote="", word=quoted)


def _options(name: str, headers: Sequence[str]) -> str:
    return " ".join(f"--{name} {shlex.quote(header)}" for header in headers)


def _answers(lead: str, columns: Sequence[str], scale: bool = False) -> Option:
    """Return how to say that columns are answers of models."""
    named = repr(columns[0] if len(columns) == 1 else list(columns))
    python, shell = (", scale=(worst, best)", " --scale WORST BEST") if scale else ("", "")
    options = _options("correct", columns)
    return Option("correct", python=f"{lead}correct={named}{python}", shell=f"{lead}{options}{shell}")


def _headers_below(seen: Seen) -> Iterator[Diagnosis]:
    """Yield headers that stand in a row, below a title."""
    for i, row in enumerate(seen.rows[:5], start=1):
        roles = [role(str(cell)) or rate_of(str(cell)) for cell in row]
        if len({*roles} - {None, "domain"}) > 2:
            yield f"row {i} below the first line looks like the headers", ["drop what stands above it"]


# Numbers of one model, or of none


def _of_one_model(seen: Seen) -> Iterator[Diagnosis]:
    """Yield metrics by epoch or step, of folds or resamples, or along thresholds, of one model that nothing names."""
    validated = any(header.startswith(("val_", "valid_", "eval_")) for header in seen.headers)
    step, fold = seen.first(_STEPS) or (seen.headers[0] if validated else None), seen.first(_RESAMPLES)
    by = {one: [header for header in seen.metrics if header != one] for one in (step, fold) if one is not None}
    if (
        seen.entity is None
        and step is not None
        and (len(by[step]) > 1 or any("loss" in x.casefold() for x in by[step]))
    ):
        yield f"this looks like the history of a training, by {quoted(step)}: {_list(by[step])}", _COUNTS_OR_ANSWERS
    if seen.entity is None and fold is not None and by[fold] and {*seen.headers} <= {fold, "", *by[fold]}:
        what = f"this looks like scores of one model on resamples, by {quoted(fold)}: {_list(by[fold])}"
        yield what, _COUNTS_OR_ANSWERS
    if seen.texts or len(seen.rows) < 5 or any(map(likely_role, seen.headers)):
        return
    rates = [header for header in seen.numbers if rate_of(header) in ("tpr", "fpr", "tnr", "fnr")]
    along = [header for header in rates if seen.numbers[header] in (up := sorted(seen.numbers[header]), up[::-1])]
    if along and not any("threshold" in header.casefold() for header in seen.headers):
        yield f"this looks like a curve of one model, along {_list(along)}", [_COUNTS_OR_ANSWERS]


def _squares(seen: Seen) -> Iterator[Diagnosis]:
    """Yield a square of numbers whose rows and columns have the same labels: correlations, or a confusion matrix."""
    labeled = seen.labels[seen.headers[0]] == {*seen.headers[1:]}  # of classes such as 0 and 1, which are no numbers
    numbers = {header: cells for header, cells in seen.numbers.items() if not labeled or header != seen.headers[0]}
    columns, k = list(numbers.values()), len(numbers)
    if k < 2 or len(seen.rows) != k or any(len(column) != k for column in columns):
        return
    square = list(zip(*columns, strict=True))
    in_unit = all(-1 <= x <= 1 for column in columns for x in column)
    if in_unit and square == list(map(tuple, columns)) and all(square[i][i] == 1 for i in range(k)):
        what = f"this looks like correlations of {_list(numbers)}"
        yield f"{what}: the same on both sides of a diagonal of ones", []
    names = [*numbers] if labeled else seen.names
    of_rows, of_columns = ({_WORD_OF_SIDE.sub("", x).strip() for x in side} for side in (names, numbers))
    if of_rows == of_columns:
        what = f"confusion matrix of {_list(numbers)}"
        sums = [[sum(line) / whole for line in side] for side in (square, columns) for whole in (1, 100)]
        if any(all(abs(total - 1) <= ROUNDED for total in side) for side in sums):
            lost = "how many cases each class has is lost"
            yield f"this looks like a normalized {what}: {lost}", ["give the matrix of counts"]
        example = '{"labels": ["a", "b"], "matrix": [[…], […]]}'
        yield f"this looks like a {what}", [f"save it as JSON, rows = truth: {example}"]


def _named_otherwise(seen: Seen) -> Iterator[Diagnosis]:
    """Yield numbers with intervals, and metrics that the rows name."""
    bare = {header: _IN_BRACKETS.sub("", header).strip() for header in seen.texts}
    if bare := {header: name for header, name in bare.items() if rate_of(name) and name != header}:
        what = f"{_list(bare)} {'has' if len(bare) == 1 else 'have'} an interval beside each number"
        yield what, [f"give the numbers alone, in columns called {_list(bare.values())}"]
    metrics = [name for name in seen.names if is_metric(name)]
    if seen.numbers and len(metrics) * 2 > len(seen.names) == len({*seen.names}):
        if {"fit_time", "score_time", "test_score"} & {name.strip().casefold() for name in seen.names}:
            yield f"this looks like scores of a cross-validation, one per row: {_list(metrics)}", _COUNTS_OR_ANSWERS
        rates = [name for name in metrics if rate_of(name) is not None]
        turn = "turn the table round, so that each model has a row"
        what = f"this table has one metric per row ({_list(metrics)}), and one model per column"
        yield what, [f"{turn}: {_list(rates)} are printed rates" if len(rates) > 1 else turn]
    metric = seen.first(OF_METRICS)
    if metric in seen.texts:
        kinds = _list(dict.fromkeys(map(str, seen.column(str(metric)))))
        yield f"{quoted(metric)} says what each number is ({kinds})", [ONE_COLUMN_EACH]


# Predictions


def _one_truth(seen: Seen) -> Iterator[Diagnosis]:
    """Yield cases that one column may call right or wrong, and a truth beside scores, counted at a threshold."""
    right = seen.first((*CORRECT, *PERHAPS))
    truthless = truth_of(seen.headers) in (None, "answer")
    if right is not None and seen.first(CASES) is not None and truthless and seen.marks(right):
        way = ["if it does, name it with ", Option("correct", right)]
        yield f"{quoted(right)} may say whether each case is right", [way]
    binary = [
        header
        for header in seen.shares
        if {*seen.numbers[header]} == {0, 1} and not {*words_of(header)} & {*PREDICTIONS["prediction"]}
    ]
    truth = truth_of(seen.headers) or (binary[0] if len(binary) == 1 and seen.entity is None else None)
    if truth is None or len(seen.labels[truth]) != 2:
        return
    scores = _of_models(seen, [header for header in seen.shares if header != truth and not seen.marks(header)])
    if scores and not (len(scores) > 1 and _sum_to_one(seen, scores)):  # which are of the classes of one model
        python = f"count them with rs.count(…, truth={truth!r}, score={scores!r}, threshold=0.5)"
        shell = f"--truth {shlex.quote(truth)} {_options('score', scores)} --threshold 0.5"
        shell = f"count them first with `rankscape count FILE {shell}{_positive(seen.labels[truth])} -o counts.csv`"
        what = f"this looks like scores of cases ({_list(scores)}) beside a truth, {quoted(truth)}"
        yield what, [Option("truth", python=python, shell=shell)]


def _sum_to_one(seen: Seen, columns: Sequence[str]) -> bool:
    """Tell whether columns without gaps, of which two vary or more, sum to 1 in each row."""
    values = [seen.numbers[header] for header in columns if len(seen.numbers[header]) == len(seen.rows) > 1]
    varied = sum(len({*column}) > 1 for column in values) > 1 and len(values) == len(columns)
    return varied and all(abs(sum(row) - 1) <= ROUNDED for row in zip(*values, strict=True))


def _labels(seen: Seen) -> Iterator[Diagnosis]:
    """Yield shares that sum to 1 in each row, which are of classes, and columns that hold the same few labels."""
    columns = [header for header in seen.shares if role(header) is None and not is_truth(header)]
    if _sum_to_one(seen, columns):
        python = "count predictions with rs.count, where one column has the true class and one per model the predicted "
        shell = "give one column with the true class and one per model with the predicted one, and name them with "
        ways = [Option("truth", python=python + "one", shell=shell + "--truth and --prediction")]
        if all(map(seen.marks, columns)):
            ways.append(_answers("if they are models that answer right or wrong, name them with ", columns))
        yield f"this looks like probabilities of classes: in each row {_list(columns)} sum to 1", ways
    alike = _labeled(seen)
    truth = truth_of(list(alike))
    if len(alike) < 2 or (truth is None and not {*seen.numbers} <= {*alike}):  # as in most tables of data
        return
    models = list(alike) if truth is None else _of_models(seen, [header for header in alike if header != truth])
    if not models:
        lead, named = "if some columns are predictions, ", shlex.quote(str(truth))
        python = f"{lead}use rs.count(…, truth={truth!r}, prediction=…)"
        shell = f"{lead}add --truth {named} --prediction HEADER"
        yield f"{quoted(truth)} may be a truth, beside other data", [Option("truth", python=python, shell=shell)]
        return
    classes = sorted(set().union(*alike.values()))
    if truth is None:
        shell = "say which hold the true and the predicted labels with --truth HEADER --prediction HEADER"
        python = "count them first with rs.count(…, truth=…, prediction=[…])"
    else:
        entity = f" --entity-column {shlex.quote(seen.entity)}" if seen.entity is not None and len(models) == 1 else ""
        shell = f"add --truth {shlex.quote(truth)} {_options('prediction', models)}{entity}"
        python = f"count them first with rs.count(…, truth={truth!r}, prediction={models!r})"
    ways = [Option("truth", python=python, shell=shell + _positive(classes))]
    if all(map(seen.marks, models)) and len(models) > 1 and seen.entity is None:
        answers = _answers("if they are models whose answers are right or wrong, name them with ", models)
        ways.insert(0 if truth is None else 1, answers)
    holds = f"the columns {_list(alike)} hold the labels {_list(classes)}"
    yield f"this looks like predictions, one case per row: {holds}", ways


def _of_models(seen: Seen, columns: Sequence[str]) -> list[str]:
    """Return which columns may be of models: all where no other is unknown, else those whose headers say so."""
    unknown = any(
        header and header not in columns and not is_truth(header) and likely_role(header) is None
        and plain(header) not in _OF_CASES for header in seen.headers
    )  # fmt: skip
    usual = {*PREDICTIONS["prediction"]}  # beside columns of other data, others that hold labels may be data, too
    called = [header for header in columns if {plain(header), *words_of(header)} & usual and rate_of(header) is None]
    return called if unknown else list(columns)


def _labeled(seen: Seen) -> dict[str, set[str]]:
    """Return the columns that hold the same few labels, with these: those of the truth where a header names it."""
    columns = {header: labels for header, labels in seen.labels.items()
               if role(header) is None and header and plain(header) not in (*CASES, *RUNS_OF_CASES)}  # fmt: skip
    few = range(2, min(MOST_CLASSES, max(len(seen.rows) // 2, 2)) + 1)
    truth = truth_of(list(columns))
    classes = columns[truth] if truth is not None and len(columns[truth]) in few else None
    if classes is None:
        several = [labels for labels in columns.values() if len(labels) in few]
        classes = next((labels for labels in several if sum(other <= labels for other in several) > 1), set())
    return {header: labels for header, labels in columns.items() if labels and labels <= classes}


def _positive(classes: Iterable[str]) -> str:
    """Return the option that names the positive one of two labels, where no rule tells it: an example."""
    classes = sorted(classes)
    if len(classes) != 2 or usual_positive(classes) is not None:
        return ""
    usual = {negative for negative, _ in PAIRS}
    return f" --pos-label {shlex.quote(next((x for x in classes if x.casefold() not in usual), classes[0]))}"


# Grades, and metrics from which no outcomes follow


def _grades(seen: Seen) -> Iterator[Diagnosis]:
    """Yield values of each case: in one row per model and case, in a column per model, or in one row per case alone."""
    case, choices = seen.first(_PER_CASE), list[list[str]]()
    if case is not None and seen.entity is not None and not any(map(is_truth, seen.headers)):
        rows = list(zip(seen.column(seen.entity), seen.column(case), strict=True))
        if not any(len({*column}) == len(rows) for column in zip(*rows, strict=True)):
            choices = [[header] for header in seen.numbers if role(header) is None and header != case]
    columns = wide_headers(seen.headers)
    alone = [header for header in seen.headers if plain(header) not in CASES]
    if not choices and len(alone) == 1 and len(seen.headers) == 2 and alone[0] in seen.numbers:
        choices = [alone] * (is_metric(alone[0]) or plain(alone[0]) in PERHAPS)
    elif not choices and columns is not None and columns.case is not None and {*columns.answers} <= {*seen.shares}:
        other = any(is_truth(x) or rate_of(x) is not None or seen.marks(x) for x in columns.answers)
        choices = [] if other or all(map(is_metric, columns.answers)) else [list(columns.answers)]
    named = [header for columns in choices for header in columns]
    if not named:
        return
    ways: list[Any] = []
    for headers in choices[:MOST_NAMED]:
        known = {*headers} <= {*seen.shares}
        lead = "if these are grades, the larger the better, add " if known else "add "
        ways.append(_answers(lead, headers, not known))
    ways += [["state its worst and best value, too, with ", Option("scale")]] if {*named} <= {*seen.shares} else []
    what = f"each case has {'a value' if len(named) == 1 else 'values'} of {_list(named)}"
    yield f"{what}, and no truth" if len(seen.headers) == 2 else what, ways


def _others(seen: Seen) -> Iterator[Diagnosis]:
    """Yield predictions alone, metrics of lists, items, metrics that are no rates, and numbers by dataset and model."""
    case, predicted = seen.first(CASES), seen.first(PREDICTIONS["prediction"])
    alone = [header for header in seen.headers if header != case]
    truths = list(filter(is_truth, alone))
    if case is not None and (len(alone) == 1 if truths else predicted is not None):
        what = f"{quoted(truths[0] if truths else predicted)} may hold predictions, and no other column has the truth"
        yield what, [f"add the true labels as a column, joined by {quoted(case)}"]
    ranked = [name for name in seen.headers if is_of_ranked_lists(name)]
    if ranked:
        are, do = ("is a metric", "does") if len(ranked) == 1 else ("are metrics", "do")
        yield f"{some(ranked)} {are} of ranked lists, which {do} not tell fp, fn and tp", INSTEAD
    sums = [header for header in seen.headers if plain(header) in MULTIPLIERS and not seen.marks(header)]
    items = [header for header in seen.headers if header not in (seen.entity, *sums)]
    plainly = len(items) > 1 and not any(is_truth(header) or role(header) for header in items)
    if seen.entity is not None and plainly and all(map(seen.marks, items)):
        asked = ["if these are items that the models answer right or wrong, say so with ",
                 Option("format", "right-or-wrong", option="from")]  # fmt: skip
        ways = (
            [f"leave {_list(sums)} out, if these are items that the models answer right or wrong"] if sums else [asked]
        )
        yield f"each of {_list(items)} is 0 or 1 for each {quoted(seen.entity)}", ways
    of_first = role(seen.headers[0])
    if len(seen.metrics) * 2 > len(seen.numbers) and of_first != "domain":
        are = "is a metric" if len(seen.metrics) == 1 else "are metrics"
        expected = "counts tn, fp, fn, tp, right answers, or two rates such as sensitivity and specificity"
        yield f"{_list(seen.metrics)} {are} from which no outcomes follow", [f"give {expected}"]
    columns = {header: values for header, values in seen.numbers.items() if header != seen.headers[0]}
    most = 100 if of_first in ("domain", "entity") else 1
    unit = all(0 <= x <= most for values in columns.values() for x in values) and (not seen.headers[0] or most > 1)
    foreign = any(role(name) or behind_prefix(name) or is_truth(name) for name in columns)
    if len(columns) > 1 and {*seen.texts} <= {seen.headers[0]} and unit and not foreign:
        rows = "benchmark" if of_first == "entity" else "dataset"
        what = f"this looks like printed numbers, one per model and {rows}: they do not say of how many cases"
        way = f"accuracies need one row per model and {rows}, as model, {rows}, accuracy, n"
        yield f"{what}, nor whether larger is better", [way]


def _odd_cell(sheet: Sheet, seen: Seen) -> DataError | None:
    """Return the error about the cell for which a table is not read as one column of answers per entity, if any."""
    columns = wide_headers(seen.headers)
    if columns is None or columns.case is None:
        return None
    cells = [(i, header, cell) for header in columns.answers for i, cell in enumerate(seen.column(header))]
    odd = sorted(one for one in cells if not empty(one[2]) and grade_of(one[2]) is None)
    if not odd or len(cells) < 4 or len(odd) > max(len(cells) // 20, 1):
        return None
    row, header, cell = odd[0]
    return DataError(
        f"{header} = {quoted(cell)} is no answer", where=sheet.place(row),
        expected="1 or 0, true or false, or a grade in [0, 1], as in the other cells", way_out="correct it",
    )  # fmt: skip


SHAPES = (
    (_headers_below, True), (_of_one_model, True), (_squares, False), (_named_otherwise, False), (_one_truth, True),
    (_labels, False), (_grades, True), (_others, False),
)  # fmt: skip
"""What a table may look like, and whether one with columns of rates may, too; the first that fits names it."""

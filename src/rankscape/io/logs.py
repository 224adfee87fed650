"""Logs of benchmarks: scores of models on tasks, per case or as rates, by one of several metrics, from whatever tool.

A reader yields records: one value each, of a model on a task by a metric, of one case or of all. The metric of a task
is one that all models have: the one that is asked for, else an accuracy, of several the first of an order that the
format documents. Tasks without an accuracy are left out. The account names what is read where there is a choice, and
what is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from math import ceil, floor
from typing import Any, NamedTuple

from ..errors import DataError, Option, Place
from ..performances import Performances, concat
from ..tasks import success
from ..texts import counted, some
from .cells import missing
from .content import JSON, Content, How, Reader
from .right_or_wrong import right_or_wrong

FINEST = Decimal("2e-12")
"""The unit of rates that were computed, not printed."""

_ACCURACY = re.compile(
    r"(?<![a-z])(acc|accuracy|exact[ _-]?match|em|pass(@|_at_|[ _-]at[ _-])1|correct(ness)?|mc1|solved|resolved|"
    r"math_equiv)(?![a-z0-9])"
)
_NO_ACCURACY = re.compile(r"balanced|stderr|error|loss|delta|diff")
_SMALLER_IS_BETTER = re.compile(r"stderr|brier|perplexity|bits_per_byte|loss|error|(^|_)(wer|cer|ter|nll)($|_)")


class Record(NamedTuple):
    """One value in a log: what a model scored on a task by a metric.

    It is of one ``case``, or of all where that is None: then a rate, of ``n`` cases where that is known, which may be
    rounded to a ``unit``. Of an ``error`` smaller is better, so that it is not read. ``right`` tells that the metric is
    an accuracy whatever its name; ``conditions`` are how the model was asked: what must be equal for a comparison.
    """

    model: str
    task: str
    metric: str
    value: Any
    case: str | None = None
    n: Any = None
    unit: Decimal = FINEST
    error: bool = False
    right: bool = False
    conditions: Mapping[str, str] = {}


@dataclass
class _Run:
    """What one log holds of one model on one task, by metric: the grades of cases, or the rate of all."""

    model: str
    task: str
    where: str
    of_cases: bool
    cases: dict[str, list[tuple[str, float | None]]] = field(default_factory=dict)
    rates: dict[str, Record] = field(default_factory=dict)
    right: set[str] = field(default_factory=set)
    unusable: set[str] = field(default_factory=set)
    conditions: dict[str, str] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Add a value; a metric of which the value of a case is neither a grade nor missing cannot be used."""
        grade = grade_of(record.value)
        if record.error or (self.of_cases and grade is None and not missing(record.value)):
            self.unusable.add(record.metric)
        elif self.of_cases:
            self.cases.setdefault(record.metric, []).append((str(record.case), grade))
        elif grade is not None and not isinstance(record.value, bool):
            self.rates[record.metric] = record
        if record.right:
            self.right.add(record.metric)
        self.conditions.update(record.conditions)

    @property
    def metrics(self) -> list[str]:
        """The metrics, the larger the better."""
        return [name for name in (self.cases or self.rates) if name not in self.unusable]

    @property
    def accuracies(self) -> list[str]:
        """The metrics that are accuracies."""
        return [name for name in self.metrics if name in self.right or is_accuracy(name)]


def log_reader(
    records: Callable[[Sequence[Content], How], Iterable[Iterable[Record | str]]],
    order: Sequence[str] = (),
    nothing: tuple[str, str] = ("there is no score", "one per model and task"),
    **of_reader: Any,
) -> Reader:
    """Return the reader of the logs of a tool, of which ``records`` gives those of each content.

    A text among them says what is left out there. ``order`` is that of metrics: of several accuracies of a task the
    first is read. ``nothing`` says what is wrong without any record, and what was expected.
    """

    def read(contents: Sequence[Content], how: How) -> Performances:
        runs: dict[tuple[int, str, str, bool], _Run] = {}
        left_out: Counter[str] = Counter()
        for i, of_content in enumerate(records(contents, how)):
            for record in of_content:
                if isinstance(record, str):
                    left_out[record] += 1
                    continue
                key = (i, record.model, record.task, record.case is not None)
                if key not in runs:
                    runs[key] = _Run(record.model, record.task, contents[i].where, record.case is not None)
                runs[key].add(record)
        if not runs:
            raise contents[0].error(nothing[0], expected=nothing[1])
        return _read(list(runs.values()), left_out, how, order)

    return Reader(together=read, holds=JSON, options=("metric",), **of_reader)


def _read(runs: Sequence[_Run], left_out: Counter[str], how: How, order: Sequence[str]) -> Performances:
    """Return the performances in runs; where cases and rates of a model and a task are there, the cases are read."""
    sampled, tasks = {(one.model, one.task) for one in runs if one.of_cases}, dict[str, list[_Run]]()
    asked_alike = {(one.model, one.task): one.conditions for one in runs if not one.of_cases}
    runs = [one for one in runs if one.of_cases or (one.model, one.task) not in sampled]
    for one in (runs := sorted(runs, key=lambda one: not one.of_cases)):
        one.conditions = asked_alike.get((one.model, one.task), {}) | one.conditions
        twice = [other for other in tasks.setdefault(one.task, []) if other.model == one.model]
        if twice:
            raise DataError(
                f'"{one.model}" has results of "{one.task}" here and in {twice[0].where}', where=Place(one.where),
                expected="one run of each model on each task", way_out="name the files of one of the runs",
            )  # fmt: skip
        tasks[one.task].append(one)
    asked = how.more.get("metric")
    chosen = {task: _metric(task, of_task, asked, order) for task, of_task in tasks.items()}
    read = [(one, chosen[one.task][0]) for one in runs if chosen[one.task][0]]
    if not read:
        raise _nothing_left(tasks, asked)
    by_case, rest = ([pair for pair in read if pair[0].of_cases is of_cases] for of_cases in (True, False))
    parts = [make(pairs, how) for make, pairs in ((_of_cases, by_case), (_of_rates, rest)) if pairs]
    names = list(dict.fromkeys(_base(metric) for _, metric in read))
    is_right = all(metric in one.accuracies for one, metric in read)
    if not is_right or len({part.space.name for part in parts}) > 1:  # right and wrong are grades, too
        graded = partial(success.graded, "grade" if is_right else names[0])
        spaces = [graded(len(part.space) > len(success.SPACE)) for part in parts]
        parts = [replace(part, space=space).sharing(part.shared) for part, space in zip(parts, spaces, strict=True)]
    for task, of_task in tasks.items():
        if not chosen[task][0]:
            others = _metrics_of(of_task)
            has = f"whose {some(others, 3, quote='')} is no accuracy" if others else "which has no share from 0 to 1"
            has = "whose accuracy some models lack" if any(one.accuracies for one in of_task) else has
            left_out[f'"{task}", {has}' if asked is None else f'"{task}", which has no {asked}'] += len(of_task)
    P = parts[0] if len(parts) == 1 else concat(parts)
    return P.noting(
        *_about_metrics(chosen if asked is None else {}), *_about_conditions(tasks, chosen), left_out=left_out,
        metric=some(names, 3, quote=""),
    )  # fmt: skip


def _of_cases(read: Sequence[tuple[_Run, str]], how: How) -> Performances:
    """Return the performances of all that answered; several answers of a model to a case are averaged."""
    rows = [(one.model, one.task, case, grade) for one, metric in read for case, grade in one.cases[metric]]
    columns = dict(zip(("entity", "domain", "case", "grade"), map(list, zip(*rows, strict=True)), strict=True))
    several = len({row[:3] for row in rows}) < len(rows) or None
    domain = "domain" if any(columns["domain"]) else None
    if domain is None:
        del columns["domain"]
    try:
        P = right_or_wrong(
            columns, correct="grade", entity="entity", domain=domain, case="case", repeat=several,
            unanswered=how.unanswered,
        )  # fmt: skip
    except DataError as error:
        raise error.located(some(list(dict.fromkeys(one.where for one, _ in read)), 1, quote="")) from None
    return P.noting(columns=dict.fromkeys((*columns, "correct"), ()))  # which are ours, not those of a file


def _of_rates(read: Sequence[tuple[_Run, str]], how: How) -> Performances:
    """Return the performances behind rates: counts where the numbers of cases say how many are right in all of them.

    That is the only number of successes that rounds to a rate; a float is the decimal number that it prints.
    """
    shares, correct, sizes = list[Fraction](), list[int](), list[int]()
    for record in (one.rates[metric] for one, metric in read):
        shares.append(Fraction(record.value if isinstance(record.value, Decimal) else repr(record.value)))
        n = record.n if isinstance(record.n, int) and not isinstance(record.n, bool) else 0
        low, high = ((shares[-1] + sign * Fraction(record.unit) / 2) * n for sign in (-1, 1))
        fitting = range(max(ceil(low), 0), min(floor(high), n) + 1)
        if n > 0 and len(fitting) == 1:
            correct.append(fitting[0])
            sizes.append(n)
    names, tasks = [one.model for one, _ in read], [one.task for one, _ in read]
    domains = tasks if any(tasks) else None
    if len(correct) == len(read):
        return success.from_counts(correct, sizes, names=names, domains=domains)
    rows = [[share.denominator - share.numerator, share.numerator] for share in shares]
    return Performances.from_exact(rows, names=names, domains=domains, space=success.SPACE)


def _nothing_left(tasks: Mapping[str, list[_Run]], asked: str | None) -> DataError:
    """Return the error about logs of which no task has an accuracy, or the metric that was asked for."""
    metrics = _metrics_of([one for of_task in tasks.values() for one in of_task])
    where = Place(next(iter(tasks.values()))[0].where)
    if not metrics:
        what = f"no metric of {some(list(tasks), 3)} is a share from 0 to 1"
        return DataError(what, where=where, expected="an accuracy")
    if asked is not None:
        what = f'no task has the metric "{asked}" for all models'
        return DataError(what, where=where, expected=f"one of {some(metrics, 8)}")
    what = f"{some(list(tasks), 3)} {'has' if len(tasks) == 1 else 'have'} no accuracy, but {some(metrics, 8)}"
    return DataError(what, where=where, way_out=[("choose one with ", Option("metric", _base(metrics[0])))])


# Metrics


def _metric(task: str, of_task: Sequence[_Run], asked: str | None, order: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric of a task and the others that might have been; an empty one where no metric will do."""
    common = [name for name in of_task[0].metrics if all(name in one.metrics for one in of_task)]
    common_first = sorted(common, key=lambda name: name.partition(",")[2] not in ("", "none"))  # without a filter
    if asked is not None:
        return next((name for name in common_first if asked in (name, _base(name))), ""), []
    accuracies = [name for name in common_first if all(name in one.accuracies for one in of_task)]
    ranked = sorted((name for name in accuracies if _base(name) in order), key=lambda name: order.index(_base(name)))
    if ranked or len(accuracies) == 1:
        first = (ranked or accuracies)[0]
        return first, [name for name in common if name != first]
    if accuracies:
        raise DataError(
            f'the metrics of "{task}" are {some(common)}', where=Place(of_task[0].where),
            way_out=[("choose one with ", Option("metric", accuracies[0]))],
        )  # fmt: skip
    measured = [one for one in of_task if one.accuracies]
    if measured and all(one.metrics for one in of_task):
        one = measured[0]
        other = next(run for run in of_task if one.accuracies[0] not in run.accuracies)
        raise DataError(
            f'"{task}" is scored by {some(one.metrics, 3)} of "{one.model}" and by {some(other.metrics, 3)} of '
            f'"{other.model}"', where=Place(other.where), expected="one metric that all have",
        )  # fmt: skip
    return "", []


def _base(metric: str) -> str:
    """Return a metric without its filter, as lm-evaluation-harness writes it: "acc,none" is "acc"."""
    return metric.split(",")[0]


def _metrics_of(runs: Sequence[_Run]) -> list[str]:
    return list(dict.fromkeys(name for one in runs for name in one.metrics))


def _about_metrics(chosen: Mapping[str, tuple[str, list[str]]]) -> list[str]:
    """Say where there was a choice of metrics that nobody made."""
    notes = []
    for metric in dict.fromkeys(metric for metric, others in chosen.values() if metric and others):
        of = {task: others for task, (other, others) in chosen.items() if other == metric and others}
        others = list(dict.fromkeys(name for names in of.values() for name in names))
        tasks = some(list(of)) if len(of) < 4 else counted(len(of), "task")
        instead = some(others, 4, quote="")
        notes.append(f"{tasks}: read by {metric}, not {instead}; the option metric chooses another")
    return notes


def _about_conditions(tasks: Mapping[str, list[_Run]], chosen: Mapping[str, tuple[str, list[str]]]) -> list[str]:
    """Say where models were asked in other ways, such as with another number of examples, and cannot be compared."""
    odd: dict[str, list[str]] = {}
    for task in (task for task in tasks if chosen[task][0]):
        for name in dict.fromkeys(name for one in tasks[task] for name in one.conditions):
            values = {one.conditions[name]: one.model for one in reversed(tasks[task]) if name in one.conditions}
            if len(values) > 1:
                pairs = ", ".join(f'{value} of "{model}"' for value, model in reversed(values.items()))
                odd.setdefault(f"{name} {pairs}", []).append(task)
    return [f"models were not asked alike on {some(of, 3)}: {what}" for what, of in odd.items()]


# Values


def part(value: Any, *keys: str) -> Mapping[str, Any]:
    """Return what lies below some keys of JSON, one after the other; an empty mapping where that is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def grade_of(value: Any) -> float | None:
    """Return a grade from 0 to 1: of true 1, of false 0; None for any other value."""
    if isinstance(value, bool):
        return float(value)
    number = isinstance(value, (int, float, Decimal)) and not missing(value)
    return float(value) if number and 0 <= value <= 1 else None


def is_share(value: Any) -> bool:
    """Tell whether a value is a number from 0 to 1."""
    return grade_of(value) is not None and not isinstance(value, bool)


@cache
def smaller_is_better(metric: str) -> bool:
    """Tell whether a metric is one of errors, by its name."""
    return bool(_SMALLER_IS_BETTER.search(metric.casefold()))


def is_accuracy(metric: str) -> bool:
    """Tell whether a metric is a share of answers that are right, by its name.

    >>> [is_accuracy(name) for name in ("acc_norm,none", "Exact Match", "mcc", "pct_stereotype")]
    [True, True, False, False]
    """
    name = metric.casefold()
    return _ACCURACY.search(name) is not None and _NO_ACCURACY.search(name) is None

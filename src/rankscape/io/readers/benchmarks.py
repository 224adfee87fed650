"""Benchmarks: scores of models on tasks, per case or as rates, by one of several metrics, from whatever tool.

The metric of a task is one that all models have: the one that is asked for, else an accuracy, of several the first of
an order that the format documents. Tasks without an accuracy are left out. The account names what is read where there
is a choice, and what is left out.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import Any, NamedTuple

from ...errors import DataError, Option, Place
from ...performances import Performances, concat
from ...tasks import success
from ...texts import counted, some
from ..cells import missing
from ..formats import json_value
from ..sources import Source
from .answers import Answers, performances_of
from .content import Content, How, noted

Grades = list[tuple[str, float | None]]
"""Cases with their grades from 0 to 1, or None for no answer."""

_ACCURACY = re.compile(
    r"(?<![a-z])(acc|accuracy|exact[ _-]?match|em|pass(@|_at_|[ _-]at[ _-])1|correct(ness)?|mc1|solved|resolved|"
    r"math_equiv)(?![a-z0-9])"
)
_NO_ACCURACY = re.compile(r"balanced|stderr|error|loss|delta|diff")
_SMALLER_IS_BETTER = re.compile(r"stderr|brier|perplexity|bits_per_byte|loss|error|(^|_)(wer|cer|ter|nll)($|_)")
FINEST = Decimal("2e-12")
"""The unit of rates that were computed, not printed."""


class Rate(NamedTuple):
    """A rate from 0 to 1, the number of cases where it is known, and the unit to which the rate may be rounded."""

    value: Decimal
    n: int | None
    unit: Decimal = FINEST

    @property
    def correct(self) -> int | None:
        """The only number of successes that rounds to the rate; None where several do, or none.

        >>> Rate(Decimal("0.67"), 3, Decimal("0.01")).correct, Rate(Decimal("0.67"), 3).correct
        (2, None)
        >>> Rate(Decimal("0.67"), 1000, Decimal("0.01")).correct, Rate(Decimal("0.67"), 1000).correct
        (None, 670)
        """
        if self.n is None:
            return None
        low, high = ((Fraction(self.value) + sign * Fraction(self.unit) / 2) * self.n for sign in (-1, 1))
        numbers = range(max(ceil(low), 0), min(floor(high), self.n) + 1)
        return numbers[0] if len(numbers) == 1 else None


@dataclass
class Scores:
    """The scores of one model on one task, by metric: grades of cases, or a rate."""

    entity: str
    task: str
    where: str
    cases: dict[str, Grades] = field(default_factory=dict)
    rates: dict[str, Rate] = field(default_factory=dict)
    right: set[str] = field(default_factory=set)
    """Metrics that are accuracies whatever their names."""
    conditions: dict[str, str] = field(default_factory=dict)
    """How the model was asked: what must be equal for a comparison."""

    @property
    def metrics(self) -> list[str]:
        """The metrics, the larger the better."""
        return list(self.cases or self.rates)

    @property
    def accuracies(self) -> list[str]:
        """The metrics that are accuracies."""
        return [name for name in self.metrics if name in self.right or is_accuracy(name)]


def performances_of_scores(
    scores: Sequence[Scores], how: How, order: Sequence[str], left_out: Mapping[str, int] | None = None
) -> Performances:
    """Return the performances behind scores, by the metric ``how.more["metric"]``, or else by accuracies.

    Of several accuracies of a task it is the first of an order. A task without one is left out. Raises DataError where
    nothing is left, where the metric is not clear, and for a task that a model has twice.
    """
    _refuse_twice(scores)
    asked = how.more.get("metric")
    tasks: dict[str, list[Scores]] = {}
    for one in scores:
        tasks.setdefault(one.task, []).append(one)
    chosen = {task: _metric(task, of_task, asked, order) for task, of_task in tasks.items()}
    without = [task for task, (metric, _) in chosen.items() if not metric]
    if len(without) == len(tasks):
        raise _nothing_left(scores, asked)
    read = [(one, chosen[one.task][0]) for one in scores if chosen[one.task][0]]
    by_case = [pair for pair in read if pair[0].cases]
    rest = [pair for pair in read if not pair[0].cases]
    parts = [make(pairs, how) for make, pairs in ((_of_cases, by_case), (_of_rates, rest)) if pairs]
    P = parts[0] if len(parts) == 1 else concat(parts)
    notes = [*_about_metrics(chosen, asked), *_about_conditions([one for one, _ in read])]
    reasons = Counter(_why_without(tasks[task], asked) for task in without for _ in tasks[task])
    metrics = list(dict.fromkeys(_base(metric) for _, metric in read))
    return noted(P, notes, {**(left_out or {}), **reasons}).noting(metric=some(metrics, 3, quote=""))


def _why_without(of_task: Sequence[Scores], asked: str | None) -> str:
    """Say why a task is left out: what it is measured by."""
    metrics = list(dict.fromkeys(name for one in of_task for name in one.metrics))
    if asked is not None:
        return f'"{of_task[0].task}", which has no {asked}'
    has = f"whose {some(metrics, 3, quote='')} is no accuracy" if metrics else "which has no share from 0 to 1"
    return f'"{of_task[0].task}", {has}'


def _nothing_left(scores: Sequence[Scores], asked: str | None) -> DataError:
    """Return the error about logs of which no task has an accuracy, or the metric that was asked for."""
    metrics = list(dict.fromkeys(name for one in scores for name in one.metrics))
    tasks = list(dict.fromkeys(one.task for one in scores))
    where = Place(scores[0].where)
    if not metrics:
        return DataError(f"no metric of {some(tasks, 3)} is a share from 0 to 1", where=where, expected="an accuracy")
    if asked is not None:
        what = f'no task has the metric "{asked}" for all models'
        return DataError(what, where=where, expected=f"one of {some(metrics, 8)}")
    return DataError(
        f"{some(tasks, 3)} {'has' if len(tasks) == 1 else 'have'} no accuracy, but {some(metrics, 8)}", where=where,
        way_out=[("choose one with ", Option("metric", _base(metrics[0])))],
    )  # fmt: skip


def _refuse_twice(scores: Sequence[Scores]) -> None:
    seen: dict[tuple[str, str], Scores] = {}
    for one in scores:
        other = seen.setdefault((one.entity, one.task), one)
        if other is not one:
            raise DataError(
                f'"{one.entity}" has results of "{one.task}" here and in {other.where}', where=Place(one.where),
                expected="one run of each model on each task", way_out="name the files of one of the runs",
            )  # fmt: skip


def _metric(task: str, of_task: Sequence[Scores], asked: str | None, order: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric of a task and the others that might have been; an empty one where no metric will do."""
    common = [name for name in of_task[0].metrics if all(name in one.metrics for one in of_task)]
    if asked is not None:
        wanted = sorted((name for name in common if asked in (name, _base(name))), key=_filter)
        return (wanted[0], []) if wanted else ("", [])
    accuracies = [name for name in common if all(name in one.accuracies for one in of_task)]
    ranked = sorted(
        (name for name in accuracies if _base(name) in order),
        key=lambda name: (order.index(_base(name)), _filter(name)),
    )
    if ranked or len(accuracies) == 1:
        first = ranked[0] if ranked else accuracies[0]
        return first, [name for name in common if name != first]
    if accuracies:
        raise DataError(
            f'the metrics of "{task}" are {some(common)}', where=Place(of_task[0].where),
            way_out=[("choose one with ", Option("metric", accuracies[0]))],
        )  # fmt: skip
    measured = [one for one in of_task if one.accuracies]
    if measured and all(one.metrics for one in of_task):
        one, other = measured[0], next(s for s in of_task if not {*s.accuracies} & {*measured[0].accuracies})
        raise DataError(
            f'"{task}" is scored by {some(one.metrics, 3)} of "{one.entity}" and by {some(other.metrics, 3)} of '
            f'"{other.entity}"', where=Place(other.where), expected="one metric that all have",
        )  # fmt: skip
    return "", []


def _base(metric: str) -> str:
    """Return a metric without its filter, as lm-evaluation-harness writes it: "acc,none" is "acc"."""
    return metric.split(",")[0]


def _filter(metric: str) -> bool:
    """Sort metrics without a filter first."""
    return metric.partition(",")[2] not in ("", "none")


def _about_metrics(chosen: Mapping[str, tuple[str, list[str]]], asked: str | None) -> list[str]:
    """Say where there was a choice of metrics that nobody made."""
    by_metric: dict[str, tuple[list[str], dict[str, None]]] = {}
    for task, (metric, others) in chosen.items():
        if metric and others and asked is None:
            tasks, all_others = by_metric.setdefault(metric, ([], {}))
            tasks.append(task)
            all_others.update(dict.fromkeys(others))
    return [
        f"{some(tasks) if len(tasks) < 4 else counted(len(tasks), 'task')}: read by {metric}, not "
        f"{some(list(all_others), 4, quote='')}; the option metric chooses another"
        for metric, (tasks, all_others) in by_metric.items()
    ]


def _about_conditions(scores: Sequence[Scores]) -> list[str]:
    """Say where models were asked in other ways, such as with another number of examples, and cannot be compared."""
    odd: dict[str, list[str]] = {}
    for task in dict.fromkeys(one.task for one in scores):
        of_task = [one for one in scores if one.task == task]
        for name in dict.fromkeys(name for one in of_task for name in one.conditions):
            values = {one.conditions[name]: one.entity for one in reversed(of_task) if name in one.conditions}
            if len(values) > 1:
                pairs = ", ".join(f'{value} of "{entity}"' for value, entity in reversed(values.items()))
                odd.setdefault(f"{name} {pairs}", []).append(task)
    return [f"models were not asked alike on {some(tasks, 3)}: {what}" for what, tasks in odd.items()]


def _of_cases(read: Sequence[tuple[Scores, str]], how: How) -> Performances:
    answers = Answers()
    for one, metric in read:
        for case, grade in one.cases[metric]:
            answers.add(one.entity, one.task, case, grade)
    return performances_of(answers, how, list(dict.fromkeys(one.where for one, _ in read)))


def _of_rates(read: Sequence[tuple[Scores, str]], how: How) -> Performances:
    rates = [one.rates[metric] for one, metric in read]
    names = [one.entity for one, _ in read]
    domains = [one.task for one, _ in read] if any(one.task for one, _ in read) else None
    cases = [(n, rate.n) for rate in rates if (n := rate.correct) is not None and rate.n is not None]
    if len(cases) == len(rates):
        correct, total = zip(*cases, strict=True)
        return success.from_counts(correct, total, names=names, domains=domains)
    shares = [Fraction(rate.value) for rate in rates]
    rows = [[share.denominator - share.numerator, share.numerator] for share in shares]
    return Performances.from_exact(rows, names=names, domains=domains, space=success.SPACE)


# Values


def grade_of(value: Any) -> float | None:
    """Return a grade from 0 to 1: of true 1, of false 0; None for any other value.

    >>> grade_of(True), grade_of(Decimal("0.5")), grade_of(7), grade_of("C")
    (1.0, 0.5, None, None)
    """
    if isinstance(value, bool):
        return float(value)
    number = isinstance(value, (int, float, Decimal)) and not missing(value)
    return float(value) if number and 0 <= value <= 1 else None


def rate_of(value: Any, n: Any = None, unit: Decimal = FINEST) -> Rate | None:
    """Return a rate from 0 to 1; None for any other value."""
    if isinstance(value, bool) or grade_of(value) is None:
        return None
    whole = isinstance(n, int) and not isinstance(n, bool) and n > 0
    return Rate(value if isinstance(value, Decimal) else Decimal(repr(value)), n if whole else None, unit)


def cases_of(rate: Any, error: Any) -> int | None:
    """Return the only number of cases that a rate and its standard error leave: n = a(1 − a)/se² + 1; None for several.

    A whole number of these must be right, and both numbers must come out as they are printed.

    >>> cases_of(Decimal("0.375"), Decimal("0.18298126367785"))
    8
    >>> cases_of(Decimal("0.6"), Decimal("0.01"))
    """
    if grade_of(rate) is None or grade_of(error) is None or isinstance(rate, bool) or not 0 < rate < 1 or not error:
        return None
    values = [one if isinstance(one, Decimal) else Decimal(repr(one)) for one in (rate, error)]
    a, se = map(float, values)
    units = [max(10.0 ** int(one.as_tuple().exponent), abs(float(one)) * _COMPUTED) for one in values]
    if se <= units[1] / 2:
        return None
    low, high = (a * (1 - a) / (se + sign * units[1] / 2) ** 2 + 1 for sign in (1, -1))
    if high - low > _MOST_TRIED:
        return None
    fitting = []
    for n in range(max(floor(low) - 1, 2), ceil(high) + 2):
        share = round(a * n) / n
        expected = sqrt(share * (1 - share) / (n - 1))
        if abs(share - a) <= units[0] / 2 and abs(expected - se) <= units[1] / 2:
            fitting.append(n)
    return fitting[0] if len(fitting) == 1 else None


_COMPUTED = 1e-9
"""How far numbers with all their digits are off, relative to themselves."""

_MOST_TRIED = 10_000


def add_grades(cases: dict[str, Grades], metrics: Mapping[str, Any], case: str, unusable: set[str]) -> None:
    """Add the grades of a case by metric; a metric whose value is neither a grade nor missing becomes unusable."""
    for name, value in metrics.items():
        grade = grade_of(value)
        if grade is None and not missing(value):
            unusable.add(name)
        cases.setdefault(name, []).append((case, grade))


def smaller_is_better(metric: str) -> bool:
    """Tell whether a metric is one of errors, by its name.

    >>> smaller_is_better("acc_stderr,none"), smaller_is_better("acc,none")
    (True, False)
    """
    return bool(_SMALLER_IS_BETTER.search(metric.casefold()))


def is_accuracy(metric: str) -> bool:
    """Tell whether a metric is a share of answers that are right, by its name.

    >>> (
    ...     is_accuracy("acc_norm,none"),
    ...     is_accuracy("Exact Match"),
    ...     is_accuracy("mcc"),
    ...     is_accuracy("pct_stereotype"),
    ... )
    (True, True, False, False)
    """
    name = metric.casefold()
    return _ACCURACY.search(name) is not None and _NO_ACCURACY.search(name) is None


def folder_of(content: Content) -> str:
    """Return the folder in which a file lies; empty for what is no file."""
    source = content.source
    return os.path.dirname(os.path.abspath(source.path)) if source is not None and source.path else ""


def model_of_folder(folder: str) -> str:
    """Return the model that a folder is called by, in which "__" stands for "/".

    >>> model_of_folder("results/meta-llama__Llama-3.1-8B")
    'meta-llama/Llama-3.1-8B'
    """
    return os.path.basename(folder).replace("__", "/")


def value_beside(folder: str, name: str) -> Any:
    """Return the JSON value of a file in a folder; None where there is none that can be read."""
    path = os.path.join(folder, name)
    try:
        return json_value(Source(path, path=path)) if folder and os.path.isfile(path) else None
    except DataError:
        return None

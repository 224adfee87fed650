"""Benchmarks: scores of models on tasks, per case or as rates, by one of several metrics, from whatever tool.

The metric of a task is one that all models have: the one that is asked for, else the first of an order that the format
documents, else the only one. Warnings name what is read where there is a choice, and what is left out.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from ...errors import DataError, IncompleteDataWarning, Option, Place
from ...performances import Performances, concat
from ...tasks import success
from ...texts import counted, some
from ..cells import missing
from ..formats import json_value
from ..sources import Source
from .answers import Answers, performances_of
from .content import Content, How

Grades = list[tuple[str, float | None]]
"""Cases with their grades from 0 to 1, or None for no answer."""

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

    @property
    def metrics(self) -> list[str]:
        """The metrics, the larger the better."""
        return list(self.cases or self.rates)


def performances_of_scores(scores: Sequence[Scores], how: How, order: Sequence[str]) -> Performances:
    """Return the performances behind scores, by the metric ``how.more["metric"]``, or the first of an order.

    A task of which no metric is from 0 to 1 is left out. Raises DataError where nothing is left, where the metric is
    not clear, and for a task that a model has twice.
    """
    _refuse_twice(scores)
    asked = how.more.get("metric")
    tasks: dict[str, list[Scores]] = {}
    for one in scores:
        tasks.setdefault(one.task, []).append(one)
    chosen = {task: _metric(task, of_task, asked, order) for task, of_task in tasks.items()}
    _refuse_unknown(scores, chosen, asked)
    without = [task for task, (metric, _) in chosen.items() if not metric]
    if len(without) == len(tasks):
        raise DataError(
            f"no metric of {some(without, 3)} is a share from 0 to 1", where=Place(scores[0].where),
            expected=f"one such as {', '.join(order[:3])}" if order else "grades from 0 to 1",
        )  # fmt: skip
    if without:
        leave_out(f"{some(without, 3)}, of which no metric is a share from 0 to 1")
    _tell_metrics(chosen, asked)
    read = [(one, chosen[one.task][0]) for one in scores if chosen[one.task][0]]
    by_case = [pair for pair in read if pair[0].cases]
    rest = [pair for pair in read if not pair[0].cases]
    parts = [make(pairs, how) for make, pairs in ((_of_cases, by_case), (_of_rates, rest)) if pairs]
    return parts[0] if len(parts) == 1 else concat(parts)


def leave_out(what: str) -> None:
    """Warn of what is left out."""
    warnings.warn(f"left out: {what}", IncompleteDataWarning, stacklevel=2)


def _refuse_twice(scores: Sequence[Scores]) -> None:
    seen: dict[tuple[str, str], Scores] = {}
    for one in scores:
        other = seen.setdefault((one.entity, one.task), one)
        if other is not one:
            raise DataError(
                f'"{one.entity}" has results of "{one.task}" here and in {other.where}', where=Place(one.where),
                expected="one run of each model on each task", way_out="name the files of one run, or a folder each",
            )  # fmt: skip


def _metric(task: str, of_task: Sequence[Scores], asked: str | None, order: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric of a task and the others that might have been; an empty one where no metric will do."""
    common = [name for name in of_task[0].metrics if all(name in one.metrics for one in of_task)]
    ranked = sorted(
        (name for name in common if _base(name) in order), key=lambda name: (order.index(_base(name)), _filter(name))
    )
    if asked is not None and (wanted := [name for name in common if asked in (name, _base(name))]):
        ranked = sorted(wanted, key=_filter)
    if ranked:
        return ranked[0], [name for name in common if name != ranked[0]]
    if len(common) > 1:
        raise DataError(
            f'the metrics of "{task}" are {some(common)}', where=Place(of_task[0].where),
            way_out=[("choose one with ", Option("metric", common[0]))],
        )  # fmt: skip
    if not common and all(one.metrics for one in of_task):
        one, other = of_task[0], next(s for s in of_task if not {*s.metrics} & {*of_task[0].metrics})
        raise DataError(
            f'"{task}" is scored by {some(one.metrics, 3)} of "{one.entity}" and by {some(other.metrics, 3)} of '
            f'"{other.entity}"', where=Place(other.where), expected="one metric that all have",
        )  # fmt: skip
    return (common[0], []) if common else ("", [])


def _base(metric: str) -> str:
    """Return a metric without its filter, as lm-evaluation-harness writes it: "acc,none" is "acc"."""
    return metric.split(",")[0]


def _filter(metric: str) -> bool:
    """Sort metrics without a filter first."""
    return metric.partition(",")[2] not in ("", "none")


def _refuse_unknown(scores: Sequence[Scores], chosen: Mapping[str, tuple[str, Any]], asked: str | None) -> None:
    if asked is None or any(asked in (metric, _base(metric)) for metric, _ in chosen.values()):
        return
    metrics = list(dict.fromkeys(name for one in scores for name in one.metrics))
    raise DataError(
        f'no task has the metric "{asked}" for all models', where=Place(scores[0].where),
        expected=f"one of {some(metrics, 8)}" if metrics else "scores from 0 to 1",
    )  # fmt: skip


def _tell_metrics(chosen: Mapping[str, tuple[str, list[str]]], asked: str | None) -> None:
    """Warn where there was a choice of metrics that nobody made."""
    by_metric: dict[str, tuple[list[str], dict[str, None]]] = {}
    for task, (metric, others) in chosen.items():
        if others and asked not in (metric, _base(metric)):
            tasks, all_others = by_metric.setdefault(metric, ([], {}))
            tasks.append(task)
            all_others.update(dict.fromkeys(others))
    for metric, (tasks, all_others) in by_metric.items():
        on = some(tasks) if len(tasks) < 4 else counted(len(tasks), "task")
        warnings.warn(
            f"{on}: read by {metric}, not {some(list(all_others), 4, quote='')}; the option metric chooses another",
            IncompleteDataWarning, stacklevel=2,
        )  # fmt: skip


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

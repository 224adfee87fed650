"""Logs of benchmarks: scores of models on tasks, per case or as rates, by one of several metrics, from whatever tool.

A reader yields records: one value each, of a model on a task by a metric, of one case or of all. The metric of a task
is one that all models have: the one that is asked for, else an accuracy, of several the first of an order that the
format documents. Tasks without an accuracy are left out. The account names what is read where there is a choice, and
what is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
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
    """What one log holds of one model on one task, by metric: the values of cases, or the rate of all."""

    model: str
    task: str
    where: str
    of_cases: bool
    records: dict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))
    conditions: dict[str, str] = field(default_factory=dict)

    @cached_property
    def metrics(self) -> dict[str, bool]:
        """The metrics, the larger the better, and whether they are accuracies; of a case a grade may be missing."""
        usable = {name: not any(record.error for record in of) for name, of in self.records.items()}
        for name, of in self.records.items():
            for value in (record.value for record in of if usable[name]):
                usable[name] &= (grade_of(value) is not None or missing(value)) if self.of_cases else is_share(value)
        return {
            name: is_accuracy(name) or any(record.right for record in of)
            for name, of in self.records.items()
            if usable[name]
        }

    @property
    def accuracies(self) -> list[str]:
        """The metrics that are accuracies."""
        return [name for name, is_one in self.metrics.items() if is_one]


_Runs = Sequence[_Run]
_Read = Sequence[tuple[_Run, str]]
"""Runs, each with the metric that is read."""


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
                of_cases = record.case is not None
                key = (i, record.model, record.task, of_cases)
                if key not in runs:
                    runs[key] = _Run(record.model, record.task, contents[i].where, of_cases)
                runs[key].records[record.metric].append(record)
                runs[key].conditions.update(record.conditions)
        if not runs:
            raise contents[0].error(nothing[0], expected=nothing[1])
        return _read([*runs.values()], left_out, how, order)

    return Reader(together=read, holds=JSON, options=("metric",), **of_reader)


def _read(runs: _Runs, left_out: Counter[str], how: How, order: Sequence[str]) -> Performances:
    """Return the performances in runs; where cases and rates of a model and a task are there, the cases are read."""
    asked, tasks = how.more.get("metric"), defaultdict[str, list[_Run]](list)
    sampled = {(one.model, one.task): one for one in runs if one.of_cases}
    for one in sorted(runs, key=lambda one: not one.of_cases):
        same = sampled.get((one.model, one.task), one)
        if not one.of_cases and same is not one:
            same.conditions = one.conditions | same.conditions
            continue
        if twice := [other for other in tasks[one.task] if other.model == one.model]:
            raise DataError(
                f'"{one.model}" has results of "{one.task}" here and in {twice[0].where}', where=Place(one.where),
                expected="one run of each model on each task", way_out="name the files of one of the runs",
            )  # fmt: skip
        tasks[one.task].append(one)
    chosen, notes = dict[str, str](), list[str]()
    choices, odd = defaultdict[str, dict[str, list[str]]](dict), defaultdict[str, list[str]](list)
    for task, of_task in tasks.items():
        metric, others = _metric(task, of_task, asked, order)
        if not metric:
            has = f"whose {some(names, 3, quote='')} is no accuracy" if (names := _metrics_of(of_task)) else ""
            has = "whose accuracy some models lack" if any(one.accuracies for one in of_task) else has
            has = f"which has no {asked}" if asked is not None else has or "which has no share from 0 to 1"
            left_out[f'"{task}", {has}'] += len(of_task)
            continue
        chosen[task] = metric
        if others and asked is None:  # there was a choice that nobody made
            choices[metric][task] = others
        for name in dict.fromkeys(name for one in of_task for name in one.conditions):
            values = {one.conditions[name]: one.model for one in reversed(of_task) if name in one.conditions}
            if len(values) > 1:
                pairs = ", ".join(f'{value} of "{model}"' for value, model in reversed(values.items()))
                odd[f"{name} {pairs}"].append(task)
    if not chosen:
        raise _nothing_left(tasks, asked)
    for metric, of in choices.items():
        which = some([*of]) if len(of) < 4 else counted(len(of), "task")
        instead = some([*dict.fromkeys(name for names in of.values() for name in names)], 4, quote="")
        notes.append(f"{which}: read by {metric}, not {instead}; the option metric chooses another")
    notes += [f"models were not asked alike on {some(of, 3)}: {what}" for what, of in odd.items()]
    read = [(one, chosen[one.task]) for one in runs if one.task in chosen and one in tasks[one.task]]
    by_case, rest = ([pair for pair in read if pair[0].of_cases is of_cases] for of_cases in (True, False))
    parts = [make(pairs, how) for make, pairs in ((_of_cases, by_case), (_of_rates, rest)) if pairs]
    bases, are_right = [*dict.fromkeys(map(_base, chosen.values()))], all(one.metrics[metric] for one, metric in read)
    if not are_right or len({part.space.name for part in parts}) > 1:  # right and wrong are grades, too
        name = "grade" if are_right else bases[0]
        spaces = [success.graded(name, len(part.space) > len(success.SPACE)) for part in parts]
        parts = [replace(part, space=space).sharing(part.shared) for part, space in zip(parts, spaces, strict=True)]
    P = parts[0] if len(parts) == 1 else concat(parts)
    return P.noting(*notes, left_out=left_out, metric=some(bases, 3, quote=""))


def _of_cases(read: _Read, how: How) -> Performances:
    """Return the performances of all that answered; several answers of a model to a case are averaged."""
    rows = [
        (one.model, one.task, str(record.case), grade_of(record.value))
        for one, metric in read
        for record in one.records[metric]
    ]
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


def _of_rates(read: _Read, how: How) -> Performances:
    """Return the performances behind rates: counts where the numbers of cases say how many are right in all of them.

    That is the only number of successes that rounds to a rate; a float is the decimal number that it prints.
    """
    shares, counts = list[Fraction](), list[tuple[int, int]]()
    for record in (one.records[metric][-1] for one, metric in read):
        shares.append(Fraction(record.value if isinstance(record.value, Decimal) else repr(record.value)))
        n = record.n if isinstance(record.n, int) and not isinstance(record.n, bool) else 0
        low, high = ((shares[-1] + sign * Fraction(record.unit) / 2) * n for sign in (-1, 1))
        fitting = range(max(ceil(low), 0), min(floor(high), n) + 1)
        counts += [(fitting[0], n)] if n > 0 and len(fitting) == 1 else []
    names, tasks = [one.model for one, _ in read], [one.task for one, _ in read]
    domains = tasks if any(tasks) else None
    if len(counts) == len(read):
        return success.from_counts([k for k, _ in counts], [n for _, n in counts], names, domains)
    rows = [[share.denominator - share.numerator, share.numerator] for share in shares]
    return Performances.from_exact(rows, names=names, domains=domains, space=success.SPACE)


def _nothing_left(tasks: Mapping[str, _Runs], asked: str | None) -> DataError:
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


def _metric(task: str, of_task: _Runs, asked: str | None, order: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric of a task and the others that might have been; an empty one where no metric will do."""
    common = [name for name in of_task[0].metrics if all(name in one.metrics for one in of_task)]
    common_first = sorted(common, key=lambda name: name.partition(",")[2] not in ("", "none"))  # without a filter
    if asked is not None:
        return next((name for name in common_first if asked in (name, _base(name))), ""), []
    accuracies = [name for name in common_first if all(one.metrics[name] for one in of_task)]
    ranked = sorted((name for name in accuracies if _base(name) in order), key=lambda name: order.index(_base(name)))
    if ranked or len(accuracies) == 1:
        first = (ranked or accuracies)[0]
        return first, [name for name in common if name != first]
    where = Place(of_task[0].where)
    if accuracies:
        way_out = [("choose one with ", Option("metric", accuracies[0]))]
        raise DataError(f'the metrics of "{task}" are {some(common)}', where=where, way_out=way_out)
    one = next((one for one in of_task if one.accuracies), None)
    if one is not None and all(run.metrics for run in of_task):
        other = next(run for run in of_task if one.accuracies[0] not in run.accuracies)
        raise DataError(
            f'"{task}" is scored by {some([*one.metrics], 3)} of "{one.model}" and by {some([*other.metrics], 3)} of '
            f'"{other.model}"', where=Place(other.where), expected="one metric that all have",
        )  # fmt: skip
    return "", []


def _base(metric: str) -> str:
    """Return a metric without its filter, as lm-evaluation-harness writes it: "acc,none" is "acc"."""
    return metric.split(",")[0]


def _metrics_of(runs: _Runs) -> list[str]:
    return list(dict.fromkeys(name for one in runs for name in one.metrics))


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

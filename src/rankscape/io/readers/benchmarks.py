"""Logs of benchmarks: scores of models on tasks, per case or as rates, by one of several metrics, of five tools.

A reader yields records: one value each, of a model on a task by a metric, of one case or of all. The metric of a task
is one that all models have: the one that is asked for, else an accuracy, of several the first of an order that the
format documents. Tasks without an accuracy are left out. The account names what is read where there is a choice, and
what is left out.

lm-evaluation-harness (EleutherAI, versions 0.4): ``samples_<task>_<date>.jsonl`` has one line per document and filter,
with each of the ``metrics`` by its name; ``results_<date>.json`` has ``results`` by task, with metrics called
"acc,none" (the metric and the filter). Both lie in a folder called by the model, "org__name".

HELM (Stanford CRFM): the folder of ``per_instance_stats.json`` is the run, such as
"mmlu:subject=anatomy,model=openai_gpt-4". Trials are repeats, which are averaged; perturbed instances are left out.

Inspect (UK AI Security Institute, logs of version 2), as ``inspect log dump`` writes them: the ``value`` of a score is
"C", "I", "P" (correct, incorrect, partial), "N" (no answer), a number, or several by name. Epochs are averaged. A
sample with an error, and one that a log in ``status`` "error" or "cancelled" lacks, has no answer.

mteb (embeddings-benchmark, from version 1.11 on): a file lies in ``<model>/<revision>/``, beside ``model_meta.json``.
As mteb does, subsets are averaged; of several splits "test" is read. There is no number of cases: scores are shares.

Every Eval Ever (EvalEval Coalition, schemas 0.2.0 to 0.2.2): aggregates in JSON, and instances in JSON lines.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np

from ...checks.matrices import decimals_of
from ...errors import DataError, Option, Place
from ...performances import Performances
from ...tasks import success
from ...texts import counted, one_line, some
from ..cells import is_number, missing
from ..content import Content, How, Reader, part, put_together
from ..counting import right_or_wrong
from ..headers import role

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

        def is_usable(one: Record) -> bool:
            grade = grade_of(one.value) is not None or missing(one.value) if self.of_cases else is_share(one.value)
            return grade and not one.error

        return {
            name: is_accuracy(name) or any(one.right for one in of)
            for name, of in self.records.items()
            if all(map(is_usable, of))
        }

    @property
    def accuracies(self) -> list[str]:
        """The metrics that are accuracies."""
        return [name for name, is_one in self.metrics.items() if is_one]


_Runs = Sequence[_Run]
_Read = Sequence[tuple[_Run, str]]
"""Runs, each with the metric that is read."""


def log_reader(
    records: Callable[[Sequence[Content], str | None], Iterable[Iterable[Record | str] | None]],
    order: Sequence[str] = (), **of_reader: Any,
) -> Reader:  # fmt: skip
    """Return the reader of the logs of a tool, of which ``records`` gives those of each content, perhaps for a metric.

    A text among them says what is left out there; None stands for a content that others stand for. ``order`` is that
    of metrics: of several accuracies of a task the first is read.
    """

    def read(contents: Sequence[Content], how: How) -> Performances:
        runs: dict[tuple[int, str, str, bool], _Run] = {}
        left_out: Counter[str] = Counter()
        for i, of_content in enumerate(records(contents, how.more.get("metric"))):
            given = [] if of_content is None else list(of_content)
            if of_content is not None and all(isinstance(record, str) for record in given):
                raise contents[i].error("there is no score", expected=of_reader["columns"])
            for record in given:
                if isinstance(record, str):
                    left_out[record] += 1
                    continue
                key = (i, record.model, record.task, record.case is not None)
                if key not in runs:
                    runs[key] = _Run(record.model, record.task, contents[i].where, key[-1])
                runs[key].records[record.metric].append(record)
                runs[key].conditions.update(record.conditions)
        return _read([*runs.values()], left_out, how, order)

    return Reader(together=read, options=("metric",), **of_reader)


def _each(content: Content, what: str, records: Any, *keys: str) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a log, none of what is no list, and refuse one that lacks what each must have."""
    for i, record in enumerate(records if isinstance(records, (list, tuple)) else (), start=1):
        for key in (key for key in keys if part(record).get(key) is None):
            raise content.error(f"{what} {i} has no {key}", expected=f"{' and '.join(keys)} in each")
        yield record


def _read(runs: _Runs, left_out: Counter[str], how: How, order: Sequence[str]) -> Performances:
    """Return the performances in runs; where cases and rates of a model and a task are there, the cases are read."""
    asked, tasks = how.more.get("metric"), defaultdict[str, dict[str, _Run]](dict)
    for one in sorted(runs, key=lambda one: not one.of_cases):
        same = tasks[one.task].setdefault(one.model, one)
        if same.of_cases and not one.of_cases:
            same.conditions = one.conditions | same.conditions
        elif same is not one:
            raise DataError(
                f'"{one.model}" has results of "{one.task}" here and in {same.where}', where=Place(one.where),
                expected="one run of each model on each task", way_out="name the files of one of the runs",
            )  # fmt: skip
    chosen, notes = dict[str, str](), list[str]()
    choices, odd = defaultdict[str, dict[str, list[str]]](dict), defaultdict[str, list[str]](list)
    for task, by_model in tasks.items():
        of_task = [*by_model.values()]
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
        kept = [one for by_model in tasks.values() for one in by_model.values()]
        names = _metrics_of(kept)
        raise DataError(
            f"no task is left: {some([*left_out], 3, quote='', word=one_line)}", where=Place(kept[0].where),
            way_out=[(f"choose one of {some(names, 8)} with ", Option("metric", _base(names[0])))] if names else (),
        )  # fmt: skip
    for metric, of in choices.items():
        which = some([*of]) if len(of) < 4 else counted(len(of), "task")
        instead = some([*dict.fromkeys(name for names in of.values() for name in names)], 4, quote="")
        notes.append(
            f"{which}: read by {metric}, not {instead}; the option metric (of `rankscape convert`) chooses another"
        )
    notes += [f"models were not asked alike on {some(of, 3)}: {what}" for what, of in odd.items()]
    read = [(one, chosen[one.task]) for one in runs if one.task in chosen and one is tasks[one.task][one.model]]
    by_case, rest = ([pair for pair in read if pair[0].of_cases is of_cases] for of_cases in (True, False))
    parts = [make(pairs, how) for make, pairs in ((_of_cases, by_case), (_of_rates, rest)) if pairs]
    bases, are_right = [*dict.fromkeys(map(_base, chosen.values()))], all(one.metrics[metric] for one, metric in read)
    P = put_together(parts, "" if are_right else bases[0])
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
        fitting = success.right_answers(shares[-1], Fraction(record.unit), n)
        counts += [(fitting[0], n)] if n > 0 and len(fitting) == 1 else []
    names, tasks = [one.model for one, _ in read], [one.task for one, _ in read]
    domains = tasks if any(tasks) else None
    if len(counts) == len(read):
        return success.from_counts([k for k, _ in counts], [n for _, n in counts], names, domains)
    rows = [[share.denominator - share.numerator, share.numerator] for share in shares]
    return Performances.from_exact(rows, names=names, domains=domains, space=success.SPACE)


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


def grade_of(value: Any) -> float | None:
    """Return a grade from 0 to 1: of true 1, of false 0; None for any other value."""
    if isinstance(value, bool):
        return float(value)
    return float(value) if is_number(value) and 0 <= value <= 1 else None


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


# lm-evaluation-harness

_OF_LM_EVAL = ("acc", "exact_match", "acc_norm", "em", "pass@1", "pass_at_1", "prompt_level_strict_acc")

_LONGEST = 40
"""Characters of a condition, such as a template, that are compared and named."""

_DATED = re.compile(r"_?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9][0-9.:+-]*)$")
_PARTS_OF_THE_NAME = ("revision", "step", "checkpoint", "subfolder")

_COMPUTED = 1e-9
"""How far numbers with all their digits are off, relative to themselves."""

_MOST_TRIED = 10_000


def _is_samples(content: Content) -> bool:
    record = content.first_record or {}  # the files name the models, and no column does
    named = "doc_id" in record and not any(role(header) == "entity" for header in record)
    return named and any(name in record for name in ("metrics", *_OF_LM_EVAL))


def _is_results(value: Any) -> bool:
    is_one = "results" in part(value) and bool({"config", "configs"} & {*value})
    return is_one and all(isinstance(one, Mapping) for one in (value["results"], *part(value, "results").values()))


def _lm_eval(contents: Sequence[Content], asked: str | None) -> Iterator[Iterable[Record | str]]:
    """Yield the values of each content; samples are of the model that the results of their run name."""
    runs = [(content.directory, "".join(_DATED.findall(content.stem))) for content in contents]  # all files share these
    models = {
        run: _model(content.value) for run, content in zip(runs, contents, strict=True) if not _is_samples(content)
    }
    for (folder, date), content in zip(runs, contents, strict=True):
        if not _is_samples(content):
            yield _results(content)
            continue
        if (folder, date) not in models:
            beside = glob.glob(os.path.join(glob.escape(folder), f"*{date}.json")) if folder and date else []
            named = [value for path in beside if _is_results(value := content.value_beside(os.path.basename(path)))]
            models[folder, date] = _model(named[0]) if len(named) == 1 else ""
        yield _samples(content, models[folder, date] or content.model or "model")


def _samples(content: Content, model: str) -> Iterator[Record]:
    task = _DATED.sub("", content.stem if content.directory else "").removeprefix("samples_") or "task"
    lines = dict[tuple[str, str], int]()
    for line, record in enumerate(_each(content, "sample", content.records, "doc_id"), start=1):
        listed, case = record.get("metrics"), f"{record['doc_id']} {record.get('doc_hash', '')}"
        first = lines.setdefault((case, str(record.get("filter", "none"))), line)
        if first != line:
            raise content.error(
                f"samples {first} and {line} are of the same document, {record['doc_id']}",
                expected="one of each document and filter", way_out="keep one run in the file",
            )  # fmt: skip
        names = listed if isinstance(listed, list) else [name for name in _OF_LM_EVAL if name in record]
        for name in dict.fromkeys(map(str, names)):
            label = f"{name},{record.get('filter', 'none')}"
            yield Record(model, task, label, record.get(name), case, error=smaller_is_better(label))


def _results(content: Content) -> Iterator[Record | str]:
    """Yield the rates in results, without aggregates of tasks that are there, too."""
    value = content.value
    results, sizes, parts = (part(value, key) for key in ("results", "n-samples", "group_subtasks"))
    lists = {task: list(map(str, names)) for task, names in parts.items() if isinstance(names, list)}
    groups = {task for task, names in lists.items() if any(name in results for name in names)}
    groups |= {task for task in part(value, "groups") if task not in parts and len(results) > 1}
    of_tool = _DATED.sub("", content.stem) in ("results", "result", "")  # the folder is called by the model, then
    model = _model(value) or (content.model if of_tool else content.stem) or "model"
    for task, metrics in results.items():
        if task in groups:
            yield f'"{task}", an average of tasks that are read themselves'
            continue
        size, conditions = sizes.get(task), _conditions(value, task)
        n = size.get("effective") if isinstance(size, Mapping) else size
        for label, number in metrics.items():
            base, comma, name = label.partition(",")
            larger = part(value, "higher_is_better", task).get(base) is not False
            is_error = not larger or smaller_is_better(label) or label in ("sample_len", "samples")
            cases = n if n is not None else cases_of(number, metrics.get(f"{base}_stderr{comma}{name}"))
            yield Record(model, task, label, number, n=cases, error=is_error, conditions=conditions)


def _model(value: Any) -> str:
    """Return the model that a results file names, with its revision, "org/name@step1000"; empty where it names none."""
    arguments = part(value, "config").get("model_args")
    given = arguments if isinstance(arguments, Mapping) else dict(re.findall(r"(\w+)=([^,]+)", str(arguments or "")))
    keys = ("peft", "delta", "pretrained", "model", "path", "engine")
    name = str(value.get("model_name") or next((given[key] for key in keys if given.get(key)), ""))
    parts = [str(given[key]) for key in _PARTS_OF_THE_NAME if given.get(key) not in (None, "", "main")]
    return "@".join([name, *(part for part in parts if part not in name)]) if name else ""


def _conditions(value: Any, task: str) -> dict[str, str]:
    """Return how a task was asked: what makes runs incomparable where it differs."""
    config, of_task, size = part(value, "config"), part(value, "configs", task), part(value, "n-samples", task)
    cut = size.get("effective") != size.get("original") and size.get("effective") is not None
    conditions = {
        "shots": (part(value, "n-shot").get(task), of_task.get("num_fewshot"), config.get("num_fewshot")),
        "version": (part(value, "versions").get(task), part(of_task, "metadata").get("version")),
        "limit": (config.get("limit"), f"{size['effective']} cases" if cut else None, "none"),
        "template": (value.get("chat_template_sha"), of_task.get("doc_to_text"), "none"),
        "instruction": (value.get("system_instruction_sha"), value.get("system_instruction"), "none"),
        "several turns": (value.get("fewshot_as_multiturn"), "none"),
    }
    return _stated(conditions)


def _stated(conditions: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Return conditions by the first value of each that is there, shortened."""
    first = {name: next((one for one in given if one is not None), None) for name, given in conditions.items()}
    return {name: str(given)[:_LONGEST] for name, given in first.items() if given is not None}


def cases_of(rate: Any, error: Any) -> int | None:
    """Return the only number of cases that a rate and its standard error leave: n = a(1 − a)/se² + 1; None for several.

    A whole number of these must be right, and both numbers must come out as they are printed.

    >>> (
    ...     cases_of(Decimal("0.375"), Decimal("0.18298126367785")),
    ...     cases_of(Decimal("0.6"), Decimal("0.01")),
    ... )
    (8, None)
    """
    if not is_share(rate) or not is_share(error) or not 0 < rate < 1:
        return None
    values = [one if isinstance(one, Decimal) else Decimal(repr(one)) for one in (rate, error)]
    units = [max(10.0 ** int(one.as_tuple().exponent), abs(float(one)) * _COMPUTED) for one in values]
    a, se = map(float, values)
    if se <= units[1] / 2:
        return None
    low, high = (a * (1 - a) / (se + sign * units[1] / 2) ** 2 + 1 for sign in (1, -1))
    n = np.arange(max(floor(low) - 1, 2), ceil(high) + 2) if high - low <= _MOST_TRIED else np.zeros(0)
    share = np.rint(a * n) / n
    expected = np.sqrt(share * (1 - share) / (n - 1))
    fitting = n[(abs(share - a) <= units[0] / 2) & (abs(expected - se) <= units[1] / 2)]
    return int(fitting[0]) if len(fitting) == 1 else None


LM_EVAL = log_reader(
    _lm_eval, _OF_LM_EVAL, name="lm-eval",
    files="lm-evaluation-harness: samples_*.jsonl and results_*.json of models, or their folder",
    columns="doc_id, filter, metrics, acc, …; results by task with acc,none and n-samples",

    recognise=lambda content: _is_samples(content) or _is_results(content.value),
)  # fmt: skip


# HELM

_OF_HELM = (
    *("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "final_number_exact_match"),
    *("math_equiv", "math_equiv_chain_of_thought", "chain_of_thought_correctness"),
)


def _helm(content: Content) -> Iterator[Record | str]:
    run = str(part(content.value_beside("run_spec.json")).get("name", os.path.basename(content.directory)))
    scenario, _, rest = run.partition(":") if ":model=" in run else run.partition(",model=")
    model, *more = rest.removeprefix("model=").split(",")
    if not model:
        raise content.error(
            f'the folder "{run}" names no model', expected="one such as mmlu:subject=anatomy,model=openai_gpt-4",
            way_out="keep the folders of the runs, or the files run_spec.json",
        )  # fmt: skip
    rows = []
    for i, record in enumerate(_each(content, "instance", content.records, "instance_id", "stats"), start=1):
        if record.get("perturbation") is not None:
            yield "perturbed instances"
            continue
        means = dict[str, dict[str, Any]]()  # by split and metric
        for stat in _each(content, f"instance {i}: score", record["stats"], "name"):
            label, mean = part(stat, "name"), stat.get("mean")
            if mean is None and stat.get("sum") is not None and stat.get("count"):
                mean = stat["sum"] / stat["count"]
            means.setdefault(str(label.get("split", "")), {})[str(label.get("name"))] = mean
        rows.append((str(record["instance_id"]), means))
    splits = {split for _, means in rows for split in means}
    split = next((one for one in ("test", "valid", *sorted(splits)) if one in splits), "")
    names = dict.fromkeys(name for _, means in rows for name in means.get(split, ()))
    for case, means in rows:
        for name in names if split in means else ():
            error = smaller_is_better(name)
            yield Record(model, ",".join([scenario, *more]), name, means[split].get(name), case, error=error)


HELM = log_reader(
    lambda contents, asked: map(_helm, contents), _OF_HELM, name="helm",
    files="HELM: per_instance_stats.json of runs, or their folder",
    columns="instance_id, train_trial_index, perturbation, stats",
    recognise=lambda content: {"instance_id", "stats"} <= {*(content.first_record or ())},
    beside=(
        "run_spec.json", "scenario.json", "scenario_state.json", "instances.json", "stats.json", "adapter_spec.json",
        "display_predictions.json", "display_requests.json", "annotations.json",
    ),
)  # fmt: skip


# Inspect

_PROMPTS = ("template", "prompt_template", "system_message")  # parameters of solvers

_MEANING = {"C": 1, "I": 0, "P": 0.5, "N": None, "yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "": None}


def _inspect(content: Content) -> Iterator[Record]:
    value, run = content.value, content.value["eval"]
    samples, rows = value.get("samples"), list[tuple[str, dict[str, Any]]]()
    if not isinstance(samples, list) or not samples:
        raise content.error(
            f"this log has no samples (status {value.get('status')})", expected="a log with samples",
            way_out="write it with `inspect log dump FILE`, without --header-only",
        )  # fmt: skip
    for sample in _each(content, "sample", samples, "id"):
        values: dict[str, Any] = {}
        for scorer, score in part(sample, "scores").items() if sample.get("error") is None else ():
            given = score.get("value") if isinstance(score, Mapping) else score
            for name, one in (given if isinstance(given, Mapping) else {"": given}).items():
                values[f"{scorer}/{name}" if name else scorer] = _MEANING.get(one, one) if isinstance(one, str) else one
        rows.append((str(sample["id"]), values))
    if value.get("status") not in ("success", None):
        cases = {case for case, _ in rows}
        rows += [(str(case), {}) for case in part(run, "dataset").get("sample_ids") or () if str(case) not in cases]
    names = list(dict.fromkeys(name for _, values in rows for name in values))
    marks = {0, 0.5, 1, None}  # incorrect, partial, correct, and no answer
    right = {name for name in names if {grade_of(values.get(name)) for _, values in rows} <= marks}
    config, steps = part(run, "config"), part(value, "plan").get("steps") or ()
    generated = {**part(value, "plan", "config"), **part(run, "model_generate_config")}
    solvers = [str(part(step).get("solver")) for step in steps]
    prompts = [text for step in steps for key, text in part(step, "params").items() if key in _PROMPTS]
    conditions = _stated({
        "version": (run.get("task_version"),), "task arguments": (run.get("task_args") or None, "none"),
        "epochs": (config.get("epochs"), 1), "limit": (config.get("limit"), config.get("sample_id"), "none"),
        "temperature": (generated.get("temperature"), "none"), "max tokens": (generated.get("max_tokens"), "none"),
        "template": (prompts or None, "none"), "solver": (run.get("solver"), ", ".join(solvers) or None, "none"),
    })  # fmt: skip
    for case, values in rows:
        for name in names:
            value, is_right = values.get(name), name in right
            yield Record(str(run["model"]), str(run["task"]), name, value, case, right=is_right, conditions=conditions)


INSPECT = log_reader(
    lambda contents, asked: map(_inspect, contents), name="inspect",
    files="Inspect: logs in JSON, one per model and task, or their folder",
    columns="eval with task and model; samples with id, epoch, scores",
    recognise=lambda content: {"task", "model"} <= {*part(content.value, "eval")},
)  # fmt: skip


# mteb

_MAIN = "main_score"
"""The metric that is read where none is asked for: each task has one that is its main score."""

_REVISION = re.compile(r"[0-9a-f]{7,40}|[0-9]+|no_revision.*|external|main")


def _mteb(content: Content, asked: str | None) -> Iterator[Record]:
    splits, task = content.value["scores"], str(content.value["task_name"])
    if "test" not in splits and len(splits) > 1:
        raise content.error(f"there are the splits {', '.join(map(str, splits))}", expected="one, or test")
    subsets = list(map(part, _each(content, "subset", splits.get("test", next(iter(splits.values()), None)))))
    above, revision = os.path.split(content.directory)  # the model, where no file beside names it
    folder = os.path.basename(above) if _REVISION.fullmatch(revision) else revision
    model = str(part(content.value_beside("model_meta.json")).get("name") or folder.replace("__", "/") or "model")
    main_is_right = all(one.get("accuracy") == one.get(_MAIN) is not None for one in subsets)
    odd = [one.get(asked or _MAIN) for one in subsets if not is_share(one.get(asked or _MAIN))]
    if odd and odd[0] is not None and not all(is_share(one.get(_MAIN)) for one in subsets):  # as a correlation may be
        way_out = ["choose another metric", "leave the file out"]
        raise content.error(
            f'"{task}" has {asked or _MAIN} = {odd[0]}', expected="a share from 0 to 1", way_out=way_out
        )
    for name in dict.fromkeys((asked or _MAIN, _MAIN)) if subsets else ():
        shares = [one.get(name) for one in subsets]
        mean = sum(Decimal(str(one)) for one in shares) / len(shares) if all(map(is_share, shares)) else None
        yield Record(model, task, name, mean, right=name == _MAIN and main_is_right)


MTEB = log_reader(
    lambda contents, asked: (_mteb(content, asked) for content in contents), (_MAIN,), name="mteb",
    files="mteb: results of models, one file per task, or their folder",
    columns="task_name, scores by split with main_score",
    recognise=lambda content: isinstance(part(content.value).get("scores"), Mapping) and "task_name" in content.value,
    beside=("model_meta.json",),
)  # fmt: skip


# Every Eval Ever

_OF_EVERY = ("accuracy", "acc", "exact_match", "exact match", "correctness", "pass@1", "score")

_MOST_PRINTED = 6
"""Scores with more decimals were computed, not printed."""


def _is_instance(content: Content) -> bool:
    return {"schema_version", "evaluation", "model_id"} <= {*(content.first_record or ())}


def _every(contents: Sequence[Content], asked: str | None) -> Iterator[Iterable[Record] | None]:
    """Yield the values of each content; of aggregates none whose instances are there."""
    runs = {str(record.get("evaluation_id")) for content in contents for record in content.records} - {"None"}
    for content in contents:
        if _is_instance(content):
            yield _instances(content)
        else:
            yield None if str(content.value.get("evaluation_id")) in runs else _aggregates(content)


def _instances(content: Content) -> Iterator[Record]:
    runs: dict[Any, Any] = {}
    keys = ("model_id", "evaluation_name", "sample_id")
    for i, record in enumerate(_each(content, "instance", content.records, *keys), start=1):
        model, task, case = map(record.__getitem__, keys)
        run = str(record.get("evaluation_id"))
        if runs.setdefault((model, task), run) != run:
            raise content.error(f'"{model}" has two runs of "{task}"', expected="one", way_out="keep one of them")
        result, has_failed = part(record, "evaluation"), record.get("error") is not None
        score, correct = result.get("score"), result.get("is_correct")
        grade = score if grade_of(score) is not None else correct
        if not has_failed and grade is None:
            raise content.error(f"instance {i} has no score from 0 to 1, and no is_correct", expected="one of both")
        metric, value = str(record.get("evaluation_result_id") or "score"), None if has_failed else grade
        yield Record(str(model), str(task), metric, value, str(case), right=correct is not None)


def _aggregates(content: Content) -> Iterator[Record]:
    info = part(content.value, "model_info")
    model = info.get("id") or info.get("name")
    if not model:
        raise content.error("there is no model_info with an id", expected="the model that was evaluated")
    results = [*_each(content, "result", content.value["evaluation_results"], "evaluation_name")]
    printed = max((decimals_of(part(one, "score_details").get("score")) for one in results), default=0)
    seen = set()
    for one in results:
        config, details, task = part(one, "metric_config"), part(one, "score_details"), str(one["evaluation_name"])
        names = [config.get(key) for key in ("metric_name", "metric_id", "evaluation_description")]
        metric, share = str(next(filter(None, names), "score")), _share(details.get("score"), config)
        if (task, metric) in seen:
            raise content.error(f'"{task}" has two results by "{metric}"', expected="one", way_out="drop one of them")
        seen |= set() if share is None else {(task, metric)}
        n = part(details, "uncertainty").get("num_samples") or part(one, "source_data").get("samples_number")
        is_computed = share is None or printed > _MOST_PRINTED
        unit = FINEST if is_computed else Decimal(1).scaleb(-printed) / int(config.get("max_score", 1))
        rest_is_right = bool(config.get("lower_is_better")) and "error rate" in metric.casefold()
        yield Record(str(model), task, metric, share, n=n, unit=unit, right=rest_is_right)


def _share(score: Any, config: Mapping[str, Any]) -> Decimal | None:
    """Return a score as a share from 0 to 1, the larger the better; None where it is none."""
    top = config.get("max_score", 1)
    if (
        not is_number(score)
        or config.get("score_type") == "levels"
        or config.get("min_score", 0) != 0
        or top not in (1, 100)
    ):
        return None
    share = Decimal(str(score)) / int(top)
    share = 1 - share if config.get("lower_is_better") else share
    return share if 0 <= share <= 1 else None


EVERY = log_reader(
    _every, _OF_EVERY, name="every-eval-ever",
    files="Every Eval Ever (schema 0.2): aggregates in JSON, instances in JSON lines",
    columns="model_info, evaluation_results; or model_id, evaluation_name, sample_id, evaluation",

    recognise=lambda content: _is_instance(content)
    or {"schema_version", "evaluation_results"} <= {*part(content.value)},
)  # fmt: skip

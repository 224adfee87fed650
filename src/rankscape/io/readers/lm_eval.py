"""lm-evaluation-harness (EleutherAI, versions 0.4): the samples of tasks, and results files.

``samples_<task>_<date>.jsonl`` has one line per document and filter: ``doc_id``, ``doc_hash``, ``filter``, ``metrics``
(the names of the metrics), and each metric by its name. ``results_<date>.json`` has ``results`` by task, with metrics
called "acc,none" (the metric and the filter), ``n-samples`` (``effective``), ``group_subtasks``, ``higher_is_better``,
``model_name`` and ``config`` (``model_args``). Both lie in a folder called by the model, "org__name".
"""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from math import ceil, floor, sqrt
from typing import Any

from ..content import Content, How
from ..headers import role
from ..logs import Record, is_share, log_reader, part, smaller_is_better

ORDER = ("acc", "exact_match", "acc_norm", "em", "pass@1", "pass_at_1", "prompt_level_strict_acc")

_LONGEST = 40
"""Characters of a condition, such as a template, that are compared and named."""

_DATED = re.compile(r"_?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9][0-9.:+-]*)$")
_PARTS_OF_THE_NAME = ("revision", "step", "checkpoint", "subfolder")

_COMPUTED = 1e-9
"""How far numbers with all their digits are off, relative to themselves."""

_MOST_TRIED = 10_000

_Runs = dict[tuple[str, str], str]
"""The model by the folder and the date that all files of a run share."""


def recognise(content: Content) -> bool:
    """Tell whether a content is samples of a task, or results."""
    return _is_samples(content) or _is_results(content.value)


def _is_samples(content: Content) -> bool:
    record = content.first_record or {}  # the files name the models, and no column does
    named = "doc_id" in record and not any(role(header) == "entity" for header in record)
    return named and any(name in record for name in ("metrics", *ORDER))


def _is_results(value: Any) -> bool:
    results = part(value).get("results")
    if not isinstance(results, Mapping) or not {"config", "configs"} & {*value}:
        return False
    return all(isinstance(task, Mapping) for task in results.values())


def _records(contents: Sequence[Content], how: How) -> Iterator[Iterable[Record | str]]:
    """Yield the values of each content; samples are of the model that the results of their run name."""
    runs = {_run(content): _model(content.value) for content in contents if not _is_samples(content)}
    return (_samples(content, runs) if _is_samples(content) else _results(content) for content in contents)


def _run(content: Content) -> tuple[str, str]:
    date = _DATED.search(content.stem)
    return content.directory, date[1] if date else ""


def _samples(content: Content, runs: _Runs) -> Iterator[Record]:
    folder, date = run = _run(content)
    if run not in runs:
        beside = glob.glob(os.path.join(glob.escape(folder), f"*{date}.json")) if folder and date else []
        values = [value for path in beside if _is_results(value := content.value_beside(os.path.basename(path)))]
        runs[run] = _model(values[0]) if len(values) == 1 else ""
    model = runs[run] or content.model or "model"
    task = _DATED.sub("", content.stem if content.directory else "").removeprefix("samples_") or "task"
    for line, record in enumerate(content.records):
        if "doc_id" not in record:
            raise content.error(f"sample {line + 1} has no doc_id", expected="the number of the document")
        listed, case = record.get("metrics"), f"{record['doc_id']} {record.get('doc_hash', '')}"
        names = listed if isinstance(listed, list) else [name for name in ORDER if name in record]
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
    fitting = []
    for n in range(max(floor(low) - 1, 2), ceil(high) + 2) if high - low <= _MOST_TRIED else ():
        share = round(a * n) / n
        expected = sqrt(share * (1 - share) / (n - 1))
        if abs(share - a) <= units[0] / 2 and abs(expected - se) <= units[1] / 2:
            fitting.append(n)
    return fitting[0] if len(fitting) == 1 else None


READER = log_reader(
    _records, ORDER, ("no task has results", "results by task, with metrics such as acc,none"), name="lm-eval",
    files="lm-evaluation-harness: samples_*.jsonl and results_*.json of models, or their folder",
    columns="doc_id, filter, metrics, acc, …; results by task with acc,none and n-samples",
    lacks="no lines with doc_id and metrics, no results by task with metrics such as acc,none", recognise=recognise,
)  # fmt: skip

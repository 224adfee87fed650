"""lm-evaluation-harness (EleutherAI, versions 0.4): the samples of tasks, and results files.

``samples_<task>_<date>.jsonl`` has one line per document and filter: ``doc_id``, ``doc_hash``, ``filter``, ``metrics``
(the names of the metrics), and each metric by its name. ``results_<date>.json`` has ``results`` by task, with metrics
called "acc,none" (the metric and the filter), ``n-samples`` (``effective``), ``group_subtasks``, ``higher_is_better``,
``model_name`` and ``config`` (``model_args``). Both lie in a folder called by the model, "org__name".
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from math import ceil, floor, sqrt
from typing import Any

from ...performances import Performances
from ..content import JSON, Content, How, Reader
from ..headers import role
from ..logs import Record, grade_of, part, read_logs, smaller_is_better

ORDER = ("acc", "exact_match", "acc_norm", "em", "pass@1", "pass_at_1", "prompt_level_strict_acc")
"""The metrics, the first that a task has is read."""

_LONGEST = 40
"""Characters of a condition, such as a template, that are compared and named."""

_DATED = re.compile(r"_?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9][0-9.:+-]*)$")
_ARGUMENT = re.compile(r"(\w+)=([^,]+)")
_PARTS_OF_THE_NAME = ("revision", "step", "checkpoint", "subfolder")

_COMPUTED = 1e-9
"""How far numbers with all their digits are off, relative to themselves."""

_MOST_TRIED = 10_000

_Runs = dict[tuple[str, str], str]
"""The model by the folder and the date that all files of a run share."""


def recognise(content: Content) -> bool:
    """Tell whether a content is samples of a task, or results."""
    return _is_sample(content.first_record) or _is_results(content.value)


def _is_sample(record: Mapping[str, Any] | None) -> bool:
    if record is None or "doc_id" not in record or any(role(header) == "entity" for header in record):
        return False  # the files name the models, and no column does
    return "metrics" in record or any(name in record for name in ORDER)


def _is_results(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("results"), Mapping):
        return False
    has_config = "config" in value or "configs" in value
    return has_config and all(isinstance(task, Mapping) for task in value["results"].values())


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on tasks, by their samples, and by results where there are no samples."""
    of_results = [content for content in contents if not _is_sample(content.first_record)]
    runs = {_run(content): _model_of_results(content.value) for content in of_results}
    groups = Counter(group for content in of_results for group in _groups(content.value))
    averages = {f'"{group}", an average of tasks that are read themselves': n for group, n in groups.items()}
    nothing = ("no task has results", "results by task, with metrics such as acc,none")
    return read_logs(contents, partial(_records, runs=runs), how, ORDER, averages, nothing)


def _records(content: Content, runs: _Runs) -> Iterator[Record]:
    """Yield the values in a file of samples, or of results, without aggregates of tasks that are there, too."""
    if _is_sample(content.first_record):
        yield from _samples(content, _model_of_samples(content, runs))
        return
    value = content.value
    results, sizes, better = (part(value, key) for key in ("results", "n-samples", "higher_is_better"))
    of_tool = _DATED.sub("", content.stem) in ("results", "result", "")  # the folder is called by the model, then
    groups = _groups(value)
    model = _model_of_results(value) or (content.model if of_tool else content.stem) or "model"
    for task, metrics in results.items():
        size, conditions = sizes.get(task), _conditions(value, task)
        n = size.get("effective") if isinstance(size, Mapping) else size
        for label, number in metrics.items() if task not in groups else ():
            larger = part(better, task).get(label.split(",")[0]) is not False
            is_error = not larger or smaller_is_better(label) or label in ("sample_len", "samples")
            base, comma, name = label.partition(",")
            known = n if n is not None else cases_of(number, metrics.get(f"{base}_stderr{comma}{name}"))
            yield Record(model, task, label, number, n=known, error=is_error, conditions=conditions)


def _samples(content: Content, model: str) -> Iterator[Record]:
    task = _DATED.sub("", content.stem if content.directory else "").removeprefix("samples_") or "task"
    for line, record in enumerate(content.records):
        if "doc_id" not in record:
            raise content.error(f"sample {line + 1} has no doc_id", expected="the number of the document")
        listed, case = record.get("metrics"), f"{record['doc_id']} {record.get('doc_hash', '')}"
        names = listed if isinstance(listed, list) else [name for name in ORDER if name in record]
        for name in dict.fromkeys(map(str, names)):
            label = f"{name},{record.get('filter', 'none')}"
            yield Record(model, task, label, record.get(name), case, error=smaller_is_better(label))


# Models


def _run(content: Content) -> tuple[str, str]:
    """Return the folder and the date of a file, which all files of a run share."""
    date = _DATED.search(content.stem)
    return content.directory, date[1] if date else ""


def _model_of_results(value: Any) -> str:
    """Return the model that a results file names, with its revision, "org/name@step1000"; empty where it names none."""
    arguments = part(value, "config").get("model_args")
    given = arguments if isinstance(arguments, Mapping) else dict(_ARGUMENT.findall(str(arguments or "")))
    keys = ("peft", "delta", "pretrained", "model", "path", "engine")
    name = value.get("model_name") or next((given[key] for key in keys if given.get(key)), "")
    parts = [str(given[key]) for key in _PARTS_OF_THE_NAME if given.get(key) not in (None, "", "main")]
    return "@".join([str(name), *(part for part in parts if part not in str(name))]) if name else ""


def _model_of_samples(content: Content, runs: _Runs) -> str:
    """Return the model that answered: as the results of the run name it, else the folder."""
    folder, date = run = _run(content)
    if run not in runs:
        beside = glob.glob(os.path.join(glob.escape(folder), f"*{date}.json")) if folder and date else []
        values = [value for path in beside if _is_results(value := content.value_beside(os.path.basename(path)))]
        runs[run] = _model_of_results(values[0]) if len(values) == 1 else ""
    return runs[run] or content.model or "model"


# Results


def _groups(value: Any) -> list[str]:
    """Return the aggregates in results whose parts are there, too."""
    results, parts = part(value, "results"), part(value, "group_subtasks")
    lists = {str(task): part for task, part in parts.items() if isinstance(part, list)}
    groups = {task for task, part in lists.items() if any(name in results for name in map(str, part))}
    groups |= {str(task) for task in part(value, "groups") if task not in parts and len(results) > 1}
    return sorted(groups & {*map(str, results)})


def _conditions(value: Any, task: str) -> dict[str, str]:
    """Return how a task was asked: what makes runs incomparable where it differs."""
    config, of_task = part(value, "config"), part(value, "configs", task)
    size = part(value, "n-samples", task)
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


READER = Reader(
    name="lm-eval", files="lm-evaluation-harness: samples_*.jsonl and results_*.json of models, or their folder",
    columns="doc_id, filter, metrics, acc, …; results by task with acc,none and n-samples",
    lacks="no lines with doc_id and metrics, no results by task with metrics such as acc,none", recognise=recognise,
    together=read, holds=JSON, options=("metric",),
)  # fmt: skip

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
from typing import Any

from ...performances import Performances
from ..headers import role
from .benchmarks import (
    Scores,
    add_grades,
    cases_of,
    folder_of,
    model_of_folder,
    performances_of_scores,
    rate_of,
    smaller_is_better,
    value_beside,
)
from .content import Content, How

ORDER = ("acc", "exact_match", "acc_norm", "em", "pass@1", "pass_at_1", "prompt_level_strict_acc")
"""The metrics, the first that a task has is read."""

_LONGEST = 40
"""Characters of a condition, such as a template, that are compared and named."""

_DATED = re.compile(r"_?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9][0-9.:+-]*)$")
_ARGUMENT = re.compile(r"(\w+)=([^,]+)")
_PARTS_OF_THE_NAME = ("revision", "step", "checkpoint", "subfolder")


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    if _is_sample(content.first_record) or _is_results(content.value):
        return ""
    return "no lines with doc_id and metrics, no results by task with metrics such as acc,none"


def _is_sample(record: Mapping[str, Any] | None) -> bool:
    if record is None or "doc_id" not in record or any(role(header) == "entity" for header in record):
        return False  # the files name the models, and no column does
    return "metrics" in record or any(name in record for name in ORDER)


def _is_results(value: Any) -> bool:
    results = value.get("results") if isinstance(value, Mapping) else None
    return (
        isinstance(results, Mapping)
        and ("config" in value or "configs" in value)
        and all(isinstance(task, Mapping) for task in results.values())
    )


def read_lm_eval(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on tasks, by their samples, and by results where there are no samples."""
    of_results = [content for content in contents if not _is_sample(content.first_record)]
    runs = {_run(content): _model_of_results(content.value) for content in of_results}
    samples = [_samples(content, runs) for content in contents if _is_sample(content.first_record)]
    sampled = {(one.entity, one.task) for one in samples}
    rates = [one for content in of_results for one in _rates(content) if (one.entity, one.task) not in sampled]
    if not rates and not samples:
        raise contents[0].error("no task has results", expected="results by task, with metrics such as acc,none")
    left_out = Counter(group for content in of_results for group in _groups(content.value))
    averages = {f'"{group}", an average of tasks that are read themselves': n for group, n in left_out.items()}
    return performances_of_scores([*samples, *rates], how, ORDER, averages)


# Models


def _run(content: Content) -> tuple[str, str]:
    """Return the folder and the date of a file, which all files of a run share."""
    date = _DATED.search(content.stem)
    return folder_of(content), date[1] if date else ""


def _model_of_results(value: Any) -> str:
    """Return the model that a results file names, with its revision, "org/name@step1000"; empty where it names none."""
    config = _mapping(value.get("config"))
    arguments = config.get("model_args")
    given = arguments if isinstance(arguments, Mapping) else dict(_ARGUMENT.findall(str(arguments or "")))
    keys = ("peft", "delta", "pretrained", "model", "path", "engine")
    name = value.get("model_name") or next((given[key] for key in keys if given.get(key)), "")
    parts = [str(given[key]) for key in _PARTS_OF_THE_NAME if given.get(key) not in (None, "", "main")]
    return "@".join([str(name), *(part for part in parts if part not in str(name))]) if name else ""


def _model_of_samples(content: Content, runs: dict[tuple[str, str], str]) -> str:
    """Return the model that answered: as the results of the run name it, else the folder."""
    folder, date = run = _run(content)
    if run not in runs:
        beside = glob.glob(os.path.join(glob.escape(folder), f"*{date}.json")) if folder and date else []
        values = [value for path in beside if _is_results(value := value_beside(folder, os.path.basename(path)))]
        runs[run] = _model_of_results(values[0]) if len(values) == 1 else ""
    return runs[run] or model_of_folder(folder) or "model"


# Samples


def _samples(content: Content, runs: dict[tuple[str, str], str]) -> Scores:
    """Return the scores in a file of samples."""
    file = content.stem if folder_of(content) else ""
    task = _DATED.sub("", file).removeprefix("samples_") or "task"
    scores = Scores(_model_of_samples(content, runs), task, content.where)
    unusable: set[str] = set()
    for line, record in enumerate(content.records):
        if "doc_id" not in record:
            raise content.error(f"sample {line + 1} has no doc_id", expected="the number of the document")
        listed = record.get("metrics")
        names = listed if isinstance(listed, list) else [name for name in ORDER if name in record]
        name_of = {f"{name},{record.get('filter', 'none')}": name for name in map(str, names)}
        case = f"{record['doc_id']} {record.get('doc_hash', '')}"
        add_grades(scores.cases, {label: record.get(name) for label, name in name_of.items()}, case, unusable)
    for label in unusable | {label for label in scores.cases if smaller_is_better(label)}:
        del scores.cases[label]
    return scores


# Results


def _rates(content: Content) -> Iterator[Scores]:
    """Yield the rates of each task in a results file, without aggregates of tasks that are there, too."""
    value = content.value
    results, sizes, better = (_mapping(value.get(key)) for key in ("results", "n-samples", "higher_is_better"))
    groups = _groups(value)
    model = _model_of_results(value) or model_of_folder(folder_of(content)) or "model"
    for task, metrics in results.items():
        if task in groups:
            continue
        scores, size = Scores(model, task, content.where), sizes.get(task)
        scores.conditions.update(_conditions(value, task))
        n = size.get("effective") if isinstance(size, Mapping) else size
        for label, number in metrics.items():
            larger = _mapping(better.get(task)).get(label.split(",")[0]) is not False
            usable = larger and not smaller_is_better(label) and label not in ("sample_len", "samples")
            base, comma, name = label.partition(",")
            known = n if n is not None else cases_of(number, metrics.get(f"{base}_stderr{comma}{name}"))
            rate = rate_of(number, known) if usable else None
            if rate is not None:
                scores.rates[label] = rate
        yield scores


def _groups(value: Any) -> list[str]:
    """Return the aggregates in results whose parts are there, too."""
    results, parts = _mapping(value.get("results")), _mapping(value.get("group_subtasks"))
    groups = {str(task) for task in parts if any(part in results for part in parts[task] or ())}
    groups |= {str(task) for task in _mapping(value.get("groups")) if task not in parts and len(results) > 1}
    return sorted(groups & {*map(str, results)})


def _conditions(value: Any, task: str) -> dict[str, str]:
    """Return how a task was asked: what makes runs incomparable where it differs."""
    config, of_task = _mapping(value.get("config")), _mapping(_mapping(value.get("configs")).get(task))
    size = _mapping(_mapping(value.get("n-samples")).get(task))
    cut = size.get("effective") != size.get("original") and size.get("effective") is not None
    conditions = {
        "shots": _first(_mapping(value.get("n-shot")).get(task), of_task.get("num_fewshot"), config.get("num_fewshot")),
        "version": _first(_mapping(value.get("versions")).get(task), _mapping(of_task.get("metadata")).get("version")),
        "limit": _first(config.get("limit"), f"{size['effective']} cases" if cut else None, "none"),
        "template": _first(value.get("chat_template_sha"), of_task.get("doc_to_text"), "none"),
        "instruction": _first(value.get("system_instruction_sha"), value.get("system_instruction"), "none"),
        "several turns": _first(value.get("fewshot_as_multiturn"), "none"),
    }
    return {name: str(given)[:_LONGEST] for name, given in conditions.items() if given is not None}


def _first(*given: Any) -> Any:
    return next((one for one in given if one is not None), None)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}

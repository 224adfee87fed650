"""HELM (Stanford CRFM): ``per_instance_stats.json`` of runs.

A list with ``instance_id``, ``train_trial_index``, ``perturbation`` and ``stats``, each with ``name`` (``name``,
``split``), ``count``, ``sum`` and ``mean``. The folder is the run, such as "mmlu:subject=anatomy,model=openai_gpt-4".
Trials are repeats, which are averaged; perturbed instances are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...performances import Performances
from ..cells import missing
from ..content import JSON, Content, How, Reader
from ..logs import Record, grade_of, read_logs, smaller_is_better

ORDER = (
    *("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "final_number_exact_match"),
    *("math_equiv", "math_equiv_chain_of_thought", "chain_of_thought_correctness"),
)
"""The metrics, the first that a scenario has is read."""

_OF_RUNS = re.compile(r"num_|max_|inference_|logprob|training_|batch_|finish_reason_|prompt_|predicted_index")


def recognise(content: Content) -> bool:
    """Tell whether a content is instances with stats."""
    record = content.first_record
    return record is not None and "instance_id" in record and "stats" in record


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on scenarios."""
    perturbed = sum(record.get("perturbation") is not None for content in contents for record in content.records)
    left_out = {"perturbed instances": perturbed} if perturbed else {}
    return read_logs(contents, _records, how, ORDER, left_out)


def _records(content: Content) -> Iterator[Record]:
    scenario, model = _run(content)
    rows: list[tuple[str, dict[tuple[str, str], Any]]] = []
    for i, record in enumerate(content.records):
        if record.get("perturbation") is not None:
            continue
        stats = record.get("stats")
        if "instance_id" not in record or not isinstance(stats, list):
            raise content.error(f"instance {i + 1} has no instance_id with stats", expected="both")
        rows.append((str(record["instance_id"]), dict(_stat(content, i, stat) for stat in stats)))
    splits = {split for _, stats in rows for _, split in stats}
    split = next((one for one in ("test", "valid", *sorted(splits)) if one in splits), "")
    of_split = [(case, {name: value for (name, of), value in stats.items() if of == split}) for case, stats in rows]
    scores = dict.fromkeys(name for _, stats in of_split for name in stats)
    names = [name for name in scores if not _OF_RUNS.match(name) and not smaller_is_better(name)]
    if not any(all(grade_of(s.get(name)) is not None or missing(s.get(name)) for _, s in of_split) for name in names):
        raise content.error("no instance has a score from 0 to 1", expected=f"one such as {', '.join(ORDER[:3])}")
    for case, stats in of_split:
        for name in names if stats else ():
            yield Record(model, scenario, name, stats.get(name), case)


def _stat(content: Content, row: int, stat: Any) -> tuple[tuple[str, str], Any]:
    """Return the name, the split and the mean of one of the stats."""
    name = stat.get("name") if isinstance(stat, Mapping) else None
    if not isinstance(name, Mapping) or "name" not in name:
        raise content.error(f"instance {row + 1} has stats without a name", expected="{name: {name, split}, mean}")
    mean, total, count = (stat.get(key) for key in ("mean", "sum", "count"))
    if mean is None and total is not None and count:
        mean = total / count
    return (str(name["name"]), str(name.get("split", ""))), mean


def _run(content: Content) -> tuple[str, str]:
    """Return the scenario and the model of a run, as the folder, or the file run_spec.json, names them."""
    spec: Any = content.value_beside("run_spec.json")
    has_name = isinstance(spec, Mapping) and "name" in spec
    name = str(spec["name"]) if has_name else os.path.basename(content.directory)
    scenario, _, rest = name.partition(":") if ":model=" in name else name.partition(",model=")
    model, *more = rest.removeprefix("model=").split(",")
    if not model:
        raise content.error(
            f'the folder "{name}" names no model', expected="one such as mmlu:subject=anatomy,model=openai_gpt-4",
            way_out="keep the folders of the runs, or the files run_spec.json",
        )  # fmt: skip
    return ",".join([scenario, *more]), model


READER = Reader(
    name="helm", files="HELM: per_instance_stats.json of runs, or their folder",
    columns="instance_id, train_trial_index, perturbation, stats", lacks="no instance_id with stats",
    recognise=recognise, together=read, holds=JSON, options=("metric",),
    beside=(
        "run_spec.json", "scenario.json", "scenario_state.json", "instances.json", "stats.json", "adapter_spec.json",
        "display_predictions.json", "display_requests.json", "annotations.json",
    ),
)  # fmt: skip

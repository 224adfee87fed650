"""HELM (Stanford CRFM): ``per_instance_stats.json`` of runs.

A list with ``instance_id``, ``train_trial_index``, ``perturbation`` and ``stats``, each with ``name`` (``name``,
``split``), ``count``, ``sum`` and ``mean``. The folder is the run, such as "mmlu:subject=anatomy,model=openai_gpt-4".
Trials are repeats, which are averaged; perturbed instances are left out.
"""

import os
import re
from collections.abc import Iterator
from typing import Any

from ..cells import missing
from ..content import Content
from ..logs import Record, grade_of, log_reader, part, smaller_is_better

ORDER = (
    *("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "final_number_exact_match"),
    *("math_equiv", "math_equiv_chain_of_thought", "chain_of_thought_correctness"),
)
_OF_RUNS = re.compile(r"num_|max_|inference_|logprob|training_|batch_|finish_reason_|prompt_|predicted_index")


def recognise(content: Content) -> bool:
    """Tell whether a content is instances with stats."""
    return {"instance_id", "stats"} <= {*(content.first_record or ())}


def _records(content: Content) -> Iterator[Record | str]:
    scenario, model = _run(content)
    rows = []
    for i, record in enumerate(content.records):
        if record.get("perturbation") is not None:
            yield "perturbed instances"
            continue
        stats, means = record.get("stats"), dict[tuple[str, str], Any]()
        if "instance_id" not in record or not isinstance(stats, list):
            raise content.error(f"instance {i + 1} has no instance_id with stats", expected="both")
        for stat in stats:
            label, mean = part(stat, "name"), part(stat).get("mean")
            if "name" not in label:
                what = f"instance {i + 1} has stats without a name"
                raise content.error(what, expected="{name: {name, split}, mean}")
            if mean is None and stat.get("sum") is not None and stat.get("count"):
                mean = stat["sum"] / stat["count"]
            means[str(label["name"]), str(label.get("split", ""))] = mean
        rows.append((str(record["instance_id"]), means))
    splits = {split for _, means in rows for _, split in means}
    split = next((one for one in ("test", "valid", *sorted(splits)) if one in splits), "")
    of_split = [(case, {name: mean for (name, of), mean in means.items() if of == split}) for case, means in rows]
    names = dict.fromkeys(name for _, by_name in of_split for name in by_name)
    scores = [name for name in names if not _OF_RUNS.match(name) and not smaller_is_better(name)]
    if not any(all(grade_of(m.get(name)) is not None or missing(m.get(name)) for _, m in of_split) for name in scores):
        raise content.error("no instance has a score from 0 to 1", expected=f"one such as {', '.join(ORDER[:3])}")
    for case, by_name in of_split:
        for name in scores if by_name else ():
            yield Record(model, scenario, name, by_name.get(name), case)


def _run(content: Content) -> tuple[str, str]:
    """Return the scenario and the model of a run, as the folder, or the file run_spec.json, names them."""
    name = str(part(content.value_beside("run_spec.json")).get("name", os.path.basename(content.directory)))
    scenario, _, rest = name.partition(":") if ":model=" in name else name.partition(",model=")
    model, *more = rest.removeprefix("model=").split(",")
    if not model:
        raise content.error(
            f'the folder "{name}" names no model', expected="one such as mmlu:subject=anatomy,model=openai_gpt-4",
            way_out="keep the folders of the runs, or the files run_spec.json",
        )  # fmt: skip
    return ",".join([scenario, *more]), model


READER = log_reader(
    lambda contents, how: map(_records, contents), ORDER, name="helm",
    files="HELM: per_instance_stats.json of runs, or their folder",
    columns="instance_id, train_trial_index, perturbation, stats", lacks="no instance_id with stats",
    recognise=recognise,
    beside=(
        "run_spec.json", "scenario.json", "scenario_state.json", "instances.json", "stats.json", "adapter_spec.json",
        "display_predictions.json", "display_requests.json", "annotations.json",
    ),
)  # fmt: skip

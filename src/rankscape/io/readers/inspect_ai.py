"""Inspect (UK AI Security Institute, logs of version 2): logs in JSON, as ``inspect log dump`` writes them.

``eval`` has ``task``, ``model`` and ``dataset`` (``sample_ids``); ``samples`` have ``id``, ``epoch``, ``error`` and
``scores`` by scorer, each with a ``value``: "C", "I", "P" (correct, incorrect, partial), "N" (no answer), a number, or
several by name. Epochs are averaged. A sample with an error, and one that a log in ``status`` "error" or "cancelled"
lacks, has no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...performances import Performances
from .benchmarks import Scores, add_grades, performances_of_scores
from .content import Content, How

VALUES = {"C": 1, "I": 0, "P": 0.5, "N": None, "yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "": None}
"""What texts mean."""


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    value = content.value
    run = value.get("eval") if isinstance(value, Mapping) else None
    return "" if isinstance(run, Mapping) and {"task", "model"} <= run.keys() else "no eval with task and model"


def read_inspect(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on tasks."""
    return performances_of_scores([_scores(content) for content in contents], how, ())


def _scores(content: Content) -> Scores:
    value = content.value
    samples = value.get("samples")
    if not isinstance(samples, list) or not samples:
        raise content.error(
            f"this log has no samples (status {value.get('status')})", expected="a log with samples",
            way_out="write it with `inspect log dump FILE`, without --header-only",
        )  # fmt: skip
    scores = Scores(str(value["eval"]["model"]), str(value["eval"]["task"]), content.where)
    rows = [(str(_id(content, i, sample)), _values(sample)) for i, sample in enumerate(samples)]
    if value.get("status") not in ("success", None):
        cases = {case for case, _ in rows}
        dataset = value["eval"].get("dataset")
        missing = dataset.get("sample_ids") if isinstance(dataset, Mapping) else None
        rows += [(str(case), {}) for case in missing or () if str(case) not in cases]
    names = list(dict.fromkeys(name for _, values in rows for name in values))
    if not names:
        raise content.error("no sample has a score", expected="scores by scorer", way_out="score the log first")
    unusable: set[str] = set()
    for case, values in rows:
        add_grades(scores.cases, {name: values.get(name) for name in names}, case, unusable)
    for name in unusable:
        del scores.cases[name]
    marks = {0, 0.5, 1, None}  # incorrect, partial, correct, and no answer
    scores.right.update(name for name, grades in scores.cases.items() if {grade for _, grade in grades} <= marks)
    return scores


def _id(content: Content, row: int, sample: Any) -> Any:
    if not isinstance(sample, Mapping) or sample.get("id") is None:
        raise content.error(f"sample {row + 1} has no id", expected="samples with id and scores")
    return sample["id"]


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a sample by scorer, or by scorer and name; none where there was an error."""
    values: dict[str, Any] = {}
    scores = sample.get("scores")
    if sample.get("error") is not None or not isinstance(scores, Mapping):
        return values
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        several = value if isinstance(value, Mapping) else {"": value}
        for name, one in several.items():
            values[f"{scorer}/{name}" if name else scorer] = VALUES.get(one, one) if isinstance(one, str) else one
    return values

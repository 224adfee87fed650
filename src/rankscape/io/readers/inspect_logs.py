"""Inspect (UK AI Security Institute, logs of version 2): logs in JSON, as ``inspect log dump`` writes them.

``eval`` has ``task``, ``model`` and ``dataset`` (``sample_ids``); ``samples`` have ``id``, ``epoch``, ``error`` and
``scores`` by scorer, each with a ``value``: "C", "I", "P" (correct, incorrect, partial), "N" (no answer), a number, or
several by name. Epochs are averaged. A sample with an error, and one that a log in ``status`` "error" or "cancelled"
lacks, has no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...performances import Performances
from ..content import JSON, Content, How, Reader
from ..logs import Record, grade_of, read_logs

VALUES = {"C": 1, "I": 0, "P": 0.5, "N": None, "yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "": None}
"""What texts mean."""


def recognise(content: Content) -> bool:
    """Tell whether a content is a log."""
    run = content.value.get("eval") if isinstance(content.value, Mapping) else None
    return isinstance(run, Mapping) and {"task", "model"} <= run.keys()


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on tasks."""
    return read_logs(contents, _records, how)


def _records(content: Content) -> Iterator[Record]:
    value = content.value
    samples, run = value.get("samples"), value["eval"]
    if not isinstance(samples, list) or not samples:
        raise content.error(
            f"this log has no samples (status {value.get('status')})", expected="a log with samples",
            way_out="write it with `inspect log dump FILE`, without --header-only",
        )  # fmt: skip
    rows: list[tuple[str, dict[str, Any]]] = []
    for i, sample in enumerate(samples):
        if not isinstance(sample, Mapping) or sample.get("id") is None:
            raise content.error(f"sample {i + 1} has no id", expected="samples with id and scores")
        rows.append((str(sample["id"]), _values(sample)))
    if value.get("status") not in ("success", None):
        cases, dataset = {case for case, _ in rows}, run.get("dataset")
        listed = dataset.get("sample_ids") if isinstance(dataset, Mapping) else None
        rows += [(str(case), {}) for case in listed or () if str(case) not in cases]
    names = list(dict.fromkeys(name for _, values in rows for name in values))
    if not names:
        raise content.error("no sample has a score", expected="scores by scorer", way_out="score the log first")
    marks = {0, 0.5, 1, None}  # incorrect, partial, correct, and no answer
    right = {name for name in names if {grade_of(values.get(name)) for _, values in rows} <= marks}
    for case, values in rows:
        for name in names:
            yield Record(str(run["model"]), str(run["task"]), name, values.get(name), case, right=name in right)


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a sample by scorer, or by scorer and name; none where there was an error."""
    values: dict[str, Any] = {}
    scores = sample.get("scores")
    if sample.get("error") is not None or not isinstance(scores, Mapping):
        return values
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        for name, one in (value if isinstance(value, Mapping) else {"": value}).items():
            values[f"{scorer}/{name}" if name else scorer] = VALUES.get(one, one) if isinstance(one, str) else one
    return values


READER = Reader(
    name="inspect", files="Inspect: logs in JSON, one per model and task, or their folder",
    columns="eval with task and model; samples with id, epoch, scores", lacks="no eval with task and model",
    recognise=recognise, together=read, holds=JSON, options=("metric",),
)  # fmt: skip

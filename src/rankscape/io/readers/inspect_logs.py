"""Inspect (UK AI Security Institute, logs of version 2): logs in JSON, as ``inspect log dump`` writes them.

``eval`` has ``task``, ``model`` and ``dataset`` (``sample_ids``); ``samples`` have ``id``, ``epoch``, ``error`` and
``scores`` by scorer, each with a ``value``: "C", "I", "P" (correct, incorrect, partial), "N" (no answer), a number, or
several by name. Epochs are averaged. A sample with an error, and one that a log in ``status`` "error" or "cancelled"
lacks, has no answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..content import Content
from ..logs import Record, grade_of, log_reader, part

VALUES = {"C": 1, "I": 0, "P": 0.5, "N": None, "yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0, "": None}
"""What texts mean."""


def recognise(content: Content) -> bool:
    """Tell whether a content is a log."""
    return {"task", "model"} <= {*part(content.value, "eval")}


def _records(content: Content) -> Iterator[Record]:
    value, run = content.value, content.value["eval"]
    samples, rows = value.get("samples"), list[tuple[str, dict[str, Any]]]()
    if not isinstance(samples, list) or not samples:
        raise content.error(
            f"this log has no samples (status {value.get('status')})", expected="a log with samples",
            way_out="write it with `inspect log dump FILE`, without --header-only",
        )  # fmt: skip
    for i, sample in enumerate(samples):
        if part(sample).get("id") is None:
            raise content.error(f"sample {i + 1} has no id", expected="samples with id and scores")
        values: dict[str, Any] = {}
        for scorer, score in part(sample, "scores").items() if sample.get("error") is None else ():
            given = score.get("value") if isinstance(score, Mapping) else score
            for name, one in (given if isinstance(given, Mapping) else {"": given}).items():
                values[f"{scorer}/{name}" if name else scorer] = VALUES.get(one, one) if isinstance(one, str) else one
        rows.append((str(sample["id"]), values))
    if value.get("status") not in ("success", None):
        cases = {case for case, _ in rows}
        rows += [(str(case), {}) for case in part(run, "dataset").get("sample_ids") or () if str(case) not in cases]
    names = list(dict.fromkeys(name for _, values in rows for name in values))
    if not names:
        raise content.error("no sample has a score", expected="scores by scorer", way_out="score the log first")
    marks = {0, 0.5, 1, None}  # incorrect, partial, correct, and no answer
    right = {name for name in names if {grade_of(values.get(name)) for _, values in rows} <= marks}
    for case, values in rows:
        for name in names:
            yield Record(str(run["model"]), str(run["task"]), name, values.get(name), case, right=name in right)


READER = log_reader(
    lambda contents, how: map(_records, contents), name="inspect",
    files="Inspect: logs in JSON, one per model and task, or their folder",
    columns="eval with task and model; samples with id, epoch, scores", lacks="no eval with task and model",
    recognise=recognise,
)  # fmt: skip

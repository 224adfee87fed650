"""mteb (embeddings-benchmark, from version 1.11 on): results, one file per task.

A file has ``task_name`` and ``scores``: by split a list with ``main_score``, other metrics and ``hf_subset``. It lies
in ``<model>/<revision>/``, beside ``model_meta.json`` (``name``). As mteb does, subsets are averaged; of several splits
"test" is read. There is no number of cases: the scores are shares, and graded successes by their mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ...performances import Performances
from .benchmarks import Rate, Scores, folder_of, model_of_folder, performances_of_scores, rate_of, value_beside
from .content import Content, How

ORDER = ("main_score",)
"""The metric that is read where none is asked for: each task has one that is its main score."""

_REVISION = re.compile(r"[0-9a-f]{7,40}|[0-9]+|no_revision.*|external|main")


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    value = content.value
    if isinstance(value, Mapping) and isinstance(value.get("scores"), Mapping) and "task_name" in value:
        return ""
    return "no task_name with scores by split"


def read_mteb(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on tasks."""
    return performances_of_scores([_scores(content, how) for content in contents], how, ORDER)


def _scores(content: Content, how: How) -> Scores:
    value = content.value
    splits = value["scores"]
    task = str(value["task_name"])
    if not splits:
        raise content.error(f'the task "{task}" has no scores', expected="scores by split")
    if "test" not in splits and len(splits) > 1:
        raise content.error(f"there are the splits {', '.join(map(str, splits))}", expected="one, or test")
    subsets = splits.get("test", next(iter(splits.values())))
    if not isinstance(subsets, list) or not subsets or not all(isinstance(one, Mapping) for one in subsets):
        raise content.error(f'the scores of "{task}" are no list of subsets', expected="[{main_score, hf_subset, …}]")
    scores = Scores(_model(content), task, content.where)
    for metric in {how.more.get("metric", ORDER[0]), *ORDER[:1]} & subsets[0].keys():
        rates = [rate_of(one.get(metric)) for one in subsets]
        known = [rate.value for rate in rates if rate is not None]
        if len(known) == len(rates):  # else some are missing, or no shares
            scores.rates[metric] = Rate(sum(known, Decimal(0)) / len(known), None)
    if all(one.get("accuracy") == one.get(ORDER[0]) is not None for one in subsets):
        scores.right.add(ORDER[0])
    if not scores.rates:
        asked = how.more.get("metric", ORDER[0])
        values = [one.get(asked) for one in subsets]
        raise content.error(
            f'"{task}" has {asked} = {next(value for value in values if rate_of(value) is None)}',
            expected="a share from 0 to 1", way_out=["choose another metric", "leave the file out"],
        )  # fmt: skip
    return scores


def _model(content: Content) -> str:
    """Return the model: as the file beside names it, else the folder above that of the revision."""
    folder = folder_of(content)
    meta: Any = value_beside(folder, "model_meta.json")
    if isinstance(meta, Mapping) and meta.get("name"):
        return str(meta["name"])
    above = os.path.dirname(folder) if _REVISION.fullmatch(os.path.basename(folder)) else folder
    return model_of_folder(above) or "model"

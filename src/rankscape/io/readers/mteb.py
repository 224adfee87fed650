"""mteb (embeddings-benchmark, from version 1.11 on): results, one file per task.

A file has ``task_name`` and ``scores``: by split a list with ``main_score``, other metrics and ``hf_subset``. It lies
in ``<model>/<revision>/``, beside ``model_meta.json`` (``name``). As mteb does, subsets are averaged; of several splits
"test" is read. There is no number of cases: the scores are shares, and graded successes by their mean.
"""

import os
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from ..content import Content
from ..logs import Record, is_share, log_reader, part

MAIN = "main_score"
"""The metric that is read where none is asked for: each task has one that is its main score."""

_REVISION = re.compile(r"[0-9a-f]{7,40}|[0-9]+|no_revision.*|external|main")


def recognise(content: Content) -> bool:
    """Tell whether a content is the results of a task."""
    return isinstance(part(content.value).get("scores"), Mapping) and "task_name" in content.value


def _records(content: Content, asked: str) -> Iterator[Record]:
    splits, task = content.value["scores"], str(content.value["task_name"])
    if not splits:
        raise content.error(f'the task "{task}" has no scores', expected="scores by split")
    if "test" not in splits and len(splits) > 1:
        raise content.error(f"there are the splits {', '.join(map(str, splits))}", expected="one, or test")
    subsets = splits.get("test", next(iter(splits.values())))
    if not isinstance(subsets, list) or not subsets or not all(isinstance(one, Mapping) for one in subsets):
        raise content.error(f'the scores of "{task}" are no list of subsets', expected="[{main_score, hf_subset, …}]")
    metrics = [name for name in dict.fromkeys((asked, MAIN)) if all(is_share(one.get(name)) for one in subsets)]
    if not metrics:  # some are missing, or no shares
        odd = next(one.get(asked) for one in subsets if not is_share(one.get(asked)))
        raise content.error(
            f'"{task}" has {asked} = {odd}', expected="a share from 0 to 1",
            way_out=["choose another metric", "leave the file out"],
        )  # fmt: skip
    main_is_right = all(one.get("accuracy") == one.get(MAIN) is not None for one in subsets)
    for name in metrics:
        mean = sum(Decimal(str(one[name])) for one in subsets) / len(subsets)
        yield Record(_model(content), task, name, mean, right=name == MAIN and main_is_right)


def _model(content: Content) -> str:
    """Return the model: as the file beside names it, else the folder above that of the revision."""
    above, revision = os.path.split(content.directory)
    folder = os.path.basename(above) if _REVISION.fullmatch(revision) else revision
    return str(part(content.value_beside("model_meta.json")).get("name") or folder.replace("__", "/") or "model")


READER = log_reader(
    lambda contents, how: (_records(content, how.more.get("metric", MAIN)) for content in contents), (MAIN,),
    name="mteb", files="mteb: results of models, one file per task, or their folder",
    columns="task_name, scores by split with main_score", lacks="no task_name with scores by split",
    recognise=recognise, beside=("model_meta.json",),
)  # fmt: skip

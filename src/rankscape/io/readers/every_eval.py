"""Every Eval Ever (EvalEval Coalition, schemas 0.2.0 to 0.2.2): aggregates in JSON, and instances in JSON lines.

An aggregate has ``schema_version``, ``model_info`` (``id``) and ``evaluation_results``: ``evaluation_name``,
``metric_config`` (``lower_is_better``, ``score_type``, ``min_score``, ``max_score``, ``metric_name``),
``score_details`` (``score``, ``uncertainty`` with ``num_samples``) and ``source_data`` (``samples_number``).
An instance has ``model_id``, ``evaluation_name``, ``sample_id``, ``error`` and ``evaluation`` (``score``,
``is_correct``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ...performances import Performances
from .benchmarks import FINEST, Scores, add_grades, grade_of, performances_of_scores, rate_of
from .content import Content, How

ORDER = ("accuracy", "acc", "exact_match", "exact match", "correctness", "pass@1", "score")
"""The metrics, the first that an evaluation has is read."""

_MOST_PRINTED = 6
"""Scores with more decimals were computed, not printed."""


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    if _is_instance(content.first_record) or _is_aggregate(content.value):
        return ""
    return "no schema_version with evaluation_results or with evaluation"


def _is_instance(record: Mapping[str, Any] | None) -> bool:
    return record is not None and {"schema_version", "evaluation", "model_id"} <= record.keys()


def _is_aggregate(value: Any) -> bool:
    return isinstance(value, Mapping) and {"schema_version", "evaluation_results"} <= value.keys()


def read_every_eval(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of models on evaluations, by instances where there are some."""
    instances: dict[tuple[str, str, str], Scores] = {}
    for content in contents:
        if _is_instance(content.first_record):
            _add_instances(content, instances)
    sampled = {(one.entity, one.task) for one in instances.values()}
    runs = {record.get("evaluation_id") for content in contents for record in content.records}
    aggregates: dict[tuple[str, str, str], Scores] = {}
    for content in contents:
        if not _is_instance(content.first_record) and content.value.get("evaluation_id") not in runs - {None}:
            _add_aggregates(content, aggregates)
    rest = [one for one in aggregates.values() if (one.entity, one.task) not in sampled]
    if not rest and not instances:
        raise contents[0].error("there are no evaluation_results", expected="one per evaluation")
    return performances_of_scores([*instances.values(), *rest], how, ORDER)


def _add_instances(content: Content, instances: dict[tuple[str, str, str], Scores]) -> None:
    for i, record in enumerate(content.records):
        model, task, case = (record.get(key) for key in ("model_id", "evaluation_name", "sample_id"))
        if model is None or task is None or case is None:
            raise content.error(f"instance {i + 1} lacks model_id, evaluation_name or sample_id", expected="all three")
        evaluation = record.get("evaluation")
        result = evaluation if isinstance(evaluation, Mapping) else {}
        score = result.get("score")
        grade = score if grade_of(score) is not None else result.get("is_correct")
        if record.get("error") is None and grade is None:
            raise content.error(f"instance {i + 1} has no score from 0 to 1, and no is_correct", expected="one of both")
        key = (str(model), str(task), content.where)
        scores = instances.setdefault(key, Scores(str(model), str(task), content.where))
        metric = str(record.get("evaluation_result_id") or "score")
        if result.get("is_correct") is not None:
            scores.right.add(metric)
        add_grades(scores.cases, {metric: None if record.get("error") is not None else grade}, str(case), set())


def _add_aggregates(content: Content, aggregates: dict[tuple[str, str, str], Scores]) -> None:
    value = content.value
    results, info = value["evaluation_results"], value.get("model_info")
    model = info.get("id") or info.get("name") if isinstance(info, Mapping) else None
    if not model:
        raise content.error("there is no model_info with an id", expected="the model that was evaluated")
    if not isinstance(results, list) or not all(isinstance(one, Mapping) for one in results):
        raise content.error("evaluation_results is no list", expected="one record per evaluation and metric")
    decimals = max((_decimals(_part(one, "score_details").get("score")) for one in results), default=0)
    for i, one in enumerate(results):
        if "evaluation_name" not in one:
            raise content.error(f"result {i + 1} has no evaluation_name", expected="one")
        config, details = _part(one, "metric_config"), _part(one, "score_details")
        name = str(one["evaluation_name"])
        scores = aggregates.setdefault((str(model), name, content.where), Scores(str(model), name, content.where))
        share, scale = _share(details.get("score"), config)
        n = _part(details, "uncertainty").get("num_samples") or _part(one, "source_data").get("samples_number")
        unit = FINEST if decimals > _MOST_PRINTED else Decimal(1).scaleb(-decimals) / scale
        names = [config.get(key) for key in ("metric_name", "metric_id", "evaluation_description")]
        metric = str(next(filter(None, names), "score"))
        rate = rate_of(share, n, unit)
        if metric in scores.rates:
            raise content.error(f'"{name}" has two results by "{metric}"', expected="one", way_out="drop one of them")
        if rate is not None:
            scores.rates[metric] = rate
        if config.get("lower_is_better") and "error rate" in metric.casefold():  # of which the rest is right
            scores.right.add(metric)


def _share(score: Any, config: Mapping[str, Any]) -> tuple[Decimal | None, int]:
    """Return a score as a share from 0 to 1, the larger the better, and the scale it is on; None where it is none."""
    if isinstance(score, bool) or not isinstance(score, (int, float, Decimal)) or config.get("score_type") == "levels":
        return None, 1
    top = config.get("max_score", 1)
    if config.get("min_score", 0) != 0 or top not in (1, 100):
        return None, 1
    share = Decimal(str(score)) / int(top)
    return (1 - share if config.get("lower_is_better") else share), int(top)


def _decimals(score: Any) -> int:
    if isinstance(score, bool) or not isinstance(score, (int, float, Decimal)):
        return 0
    exponent = Decimal(str(score)).as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _part(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = record.get(key)
    return part if isinstance(part, Mapping) else {}

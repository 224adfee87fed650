"""Every Eval Ever (EvalEval Coalition, schemas 0.2.0 to 0.2.2): aggregates in JSON, and instances in JSON lines.

An aggregate has ``schema_version``, ``model_info`` (``id``) and ``evaluation_results``: ``evaluation_name``,
``metric_config`` (``lower_is_better``, ``score_type``, ``min_score``, ``max_score``, ``metric_name``),
``score_details`` (``score``, ``uncertainty`` with ``num_samples``) and ``source_data`` (``samples_number``).
An instance has ``model_id``, ``evaluation_name``, ``sample_id``, ``error`` and ``evaluation`` (``score``,
``is_correct``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ...checks.matrices import decimals_of
from ..content import Content, How
from ..logs import FINEST, Record, grade_of, log_reader, part

ORDER = ("accuracy", "acc", "exact_match", "exact match", "correctness", "pass@1", "score")

_MOST_PRINTED = 6
"""Scores with more decimals were computed, not printed."""


def recognise(content: Content) -> bool:
    """Tell whether a content is instances, or aggregates."""
    return _is_instance(content) or {"schema_version", "evaluation_results"} <= {*part(content.value)}


def _is_instance(content: Content) -> bool:
    return {"schema_version", "evaluation", "model_id"} <= {*(content.first_record or ())}


def _records(contents: Sequence[Content], how: How) -> Iterator[Iterable[Record]]:
    """Yield the values of each content; of aggregates none whose instances are there."""
    runs = {str(record.get("evaluation_id")) for content in contents for record in content.records} - {"None"}
    for content in contents:
        if _is_instance(content):
            yield _instances(content)
        else:
            yield _aggregates(content) if str(content.value.get("evaluation_id")) not in runs else ()


def _instances(content: Content) -> Iterator[Record]:
    for i, record in enumerate(content.records):
        model, task, case = (record.get(key) for key in ("model_id", "evaluation_name", "sample_id"))
        if model is None or task is None or case is None:
            raise content.error(f"instance {i + 1} lacks model_id, evaluation_name or sample_id", expected="all three")
        result, has_failed = part(record, "evaluation"), record.get("error") is not None
        score, correct = result.get("score"), result.get("is_correct")
        grade = score if grade_of(score) is not None else correct
        if not has_failed and grade is None:
            raise content.error(f"instance {i + 1} has no score from 0 to 1, and no is_correct", expected="one of both")
        metric, value = str(record.get("evaluation_result_id") or "score"), None if has_failed else grade
        yield Record(str(model), str(task), metric, value, str(case), right=correct is not None)


def _aggregates(content: Content) -> Iterator[Record]:
    results, info = content.value["evaluation_results"], part(content.value, "model_info")
    model = info.get("id") or info.get("name")
    if not model:
        raise content.error("there is no model_info with an id", expected="the model that was evaluated")
    if not isinstance(results, list) or not all("evaluation_name" in part(one) for one in results):
        what = "evaluation_results is no list of records with evaluation_name"
        raise content.error(what, expected="one record per evaluation and metric")
    printed = max((decimals_of(part(one, "score_details").get("score")) for one in results), default=0)
    seen = set()
    for one in results:
        config, details, task = part(one, "metric_config"), part(one, "score_details"), str(one["evaluation_name"])
        names = [config.get(key) for key in ("metric_name", "metric_id", "evaluation_description")]
        metric, share = str(next(filter(None, names), "score")), _share(details.get("score"), config)
        if (task, metric) in seen:
            raise content.error(f'"{task}" has two results by "{metric}"', expected="one", way_out="drop one of them")
        seen |= set() if share is None else {(task, metric)}
        n = part(details, "uncertainty").get("num_samples") or part(one, "source_data").get("samples_number")
        is_computed = share is None or printed > _MOST_PRINTED
        unit = FINEST if is_computed else Decimal(1).scaleb(-printed) / int(config.get("max_score", 1))
        rest_is_right = bool(config.get("lower_is_better")) and "error rate" in metric.casefold()
        yield Record(str(model), task, metric, share, n=n, unit=unit, right=rest_is_right)


def _share(score: Any, config: Mapping[str, Any]) -> Decimal | None:
    """Return a score as a share from 0 to 1, the larger the better; None where it is none."""
    top, is_number = config.get("max_score", 1), isinstance(score, (int, float, Decimal)) and type(score) is not bool
    if not is_number or config.get("score_type") == "levels" or config.get("min_score", 0) != 0 or top not in (1, 100):
        return None
    share = Decimal(str(score)) / int(top)
    share = 1 - share if config.get("lower_is_better") else share
    return share if 0 <= share <= 1 else None


READER = log_reader(
    _records, ORDER, ("there are no evaluation_results", "one per evaluation"), name="every-eval-ever",
    files="Every Eval Ever (schema 0.2): aggregates in JSON, instances in JSON lines",
    columns="model_info, evaluation_results; or model_id, evaluation_name, sample_id, evaluation",
    lacks="no schema_version with evaluation_results or with evaluation", recognise=recognise,
)  # fmt: skip

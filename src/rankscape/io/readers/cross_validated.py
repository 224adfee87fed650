"""Results of ``sklearn.model_selection.cross_validate(…, scoring=rs.outcome_scorers())``: folds are domains.

The dict, as documented there, has fit_time, score_time and one array test_SCORER per scorer, perhaps train_SCORER,
estimator and indices; here it is in Python, in JSON, by model, or a table as ``pandas.DataFrame(results)`` saves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import DataError
from ...outcomes import TWO_CLASS
from ...performances import Performances
from ..headers import role
from .content import Content, How

_TIMES = {"fit_time", "score_time"}
_COUNTS = {f"test_{outcome}" for outcome in TWO_CLASS.outcomes}


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    value = content.value
    inner = list(value.values()) if isinstance(value, Mapping) else []
    if inner and all(isinstance(one, Mapping) and _is_results(one) for one in inner):
        return ""
    if _is_results(content.headers) and not any(map(_is_single, inner[:1])):
        return ""
    return "no fit_time and score_time"


def read_folds(content: Content, how: How) -> Performances:
    """Return the performances on the folds of cross-validations."""
    results = _results(content, how)
    try:
        if len(results) > 1:
            return Performances.from_cv_results(results)
        ((name, one),) = results.items()
        return Performances.from_cv_results(one, names=[name])
    except DataError as error:
        where = ": ".join(filter(None, (content.where, str(error.where))))
        fields: Any = {"expected": error.expected, "got": error.got, "way_out": list(error.ways_out)}
        raise DataError(error.what, where=where, **fields) from None


def _is_results(keys: Iterable[Any]) -> bool:
    """Tell whether keys are those of results: with the times, or with the four counts and nothing of another kind."""
    names = {str(key) for key in keys} - {"", "estimator", "indices"}
    tests = {name for name in names if name.startswith("test_")}
    others = {name for name in names - tests - _TIMES if not name.startswith("train_")}
    return bool(tests) and (bool(names & _TIMES) or (names >= _COUNTS and not others))


def _is_single(value: Any) -> bool:
    """Tell whether a value is that of one run, and no array of folds."""
    return isinstance(value, (int, float, str)) or not hasattr(value, "__len__")


def _results(content: Content, how: How) -> Mapping[str, Any]:
    """Return results by the names of models."""
    name = how.name or content.stem or "P1"
    value = content.value
    if isinstance(value, Mapping):
        return {name: value} if _is_results(content.headers) else {str(key): one for key, one in value.items()}
    sheet = content.sheet
    entity = next((i for i, h in enumerate(sheet.headers) if h == how.entity or role(h) == "entity"), None)
    by_name: dict[str, list[Any]] = {}
    for row in sheet.rows:
        by_name.setdefault(name if entity is None else str(row[entity]).strip(), []).append(row)
    return {key: dict(zip(sheet.headers, zip(*rows, strict=True), strict=True)) for key, rows in by_name.items()}

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
from ..content import Content, How, Reader
from ..headers import role

_TIMES = {"fit_time", "score_time"}
_COUNTS = {f"test_{outcome}" for outcome in TWO_CLASS.outcomes}


def recognise(content: Content) -> bool:
    """Tell whether a content is results of folds, perhaps by model."""
    inner = list(content.value.values()) if isinstance(content.value, Mapping) else []
    if inner and all(isinstance(one, Mapping) and _is_results(one) for one in inner):
        return True
    is_single = bool(inner) and (isinstance(inner[0], (int, float, str)) or not hasattr(inner[0], "__len__"))
    return _is_results(content.headers) and not is_single  # which would be one run, and no array of folds


def _is_results(keys: Iterable[Any]) -> bool:
    """Tell whether keys are those of results: with the times, or with the four counts and nothing of another kind."""
    names = {str(key) for key in keys} - {"", "estimator", "indices"}
    tests = {name for name in names if name.startswith("test_")}
    others = {name for name in names - tests - _TIMES if not name.startswith("train_")}
    return bool(tests) and (bool(names & _TIMES) or (names >= _COUNTS and not others))


def read(content: Content, how: How) -> Performances:
    """Return the performances on the folds of cross-validations."""
    alone, value = how.name or content.stem or "P1", content.value
    if isinstance(value, Mapping):
        results = {alone: value} if _is_results(content.headers) else {str(key): one for key, one in value.items()}
    else:
        headers, by_name = content.sheet.headers, dict[str, list[Any]]()
        entity = next((i for i, h in enumerate(headers) if h == how.entity or role(h) == "entity"), None)
        for row in content.sheet.rows:
            by_name.setdefault(alone if entity is None else str(row[entity]).strip(), []).append(row)
        results = {
            key: dict(zip(headers, zip(*rows, strict=True), strict=True)) for key, rows in by_name.items()
        }  # fmt: skip
    try:
        if len(results) > 1:
            return Performances.from_cv_results(results)
        ((name, one),) = results.items()
        return Performances.from_cv_results(one, names=[name])
    except DataError as error:
        where = ": ".join(filter(None, (content.where, str(error.where))))
        fields: Any = {"expected": error.expected, "got": error.got, "way_out": list(error.ways_out)}
        raise DataError(error.what, where=where, **fields) from None


READER = Reader(
    name="cross-validate", files="scikit-learn: cross_validate(…, scoring=rs.outcome_scorers()); folds are domains",
    columns="test_tn, test_fp, test_fn, test_tp, one value per fold", lacks="no fit_time and score_time",
    recognise=recognise, read=read, holds=("JSON object", "table"), named=("entity",),
)  # fmt: skip

"""Results of scikit-learn with ``scoring=rs.outcome_scorers()``: of ``cross_validate``, and of searches.

The dict of ``cross_validate`` has fit_time, score_time and one array test_SCORER per scorer, perhaps train_SCORER,
estimator and indices; ``cv_results_`` of a search has split0_test_SCORER, split1_test_SCORER, … beside params, and each
candidate is a model. Folds are domains. Both come from Python, from JSON, by model, or from a table, as
``pandas.DataFrame(results)`` saves them.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import DataError
from ...outcomes import TWO_CLASS
from ...performances import Performances
from ..content import JSON, Content, How, Reader
from ..headers import role

_OF_A_SPLIT = re.compile(r"split\d+_test_.+")
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
    """Tell whether keys are those of results: of splits, with the times, or with the four counts and nothing else."""
    names = {str(key) for key in keys} - {"", "estimator", "indices"}
    tests = {name for name in names if name.startswith("test_")}
    others = {name for name in names - tests - _TIMES if not name.startswith("train_")}
    of_folds = bool(tests) and (bool(names & _TIMES) or (names >= _COUNTS and not others))
    return of_folds or any(map(_OF_A_SPLIT.fullmatch, names))


def read(content: Content, how: How) -> Performances:
    """Return the performances on the folds of cross-validations, or of the candidates of a search."""
    alone, value = how.name or content.stem or "P1", content.value
    if isinstance(value, Mapping):
        results = {alone: value} if _is_results(content.headers) else {str(key): one for key, one in value.items()}
    else:
        sheet, by_name = content.sheet, dict[str, list[Any]]()
        if len({*sheet.headers}) < len(sheet.headers):
            raise sheet.error("two columns have the same header", expected="those of scikit-learn, each once")
        entity = next((i for i, h in enumerate(sheet.headers) if h == how.entity or role(h) == "entity"), None)
        for row in sheet.rows:
            by_name.setdefault(alone if entity is None else str(row[entity]).strip(), []).append(row)
        results = {
            name: dict(zip(sheet.headers, zip(*rows, strict=True), strict=True)) for name, rows in by_name.items()
        }
    try:
        ((name, one), *others) = results.items()
        of_search = any(map(_OF_A_SPLIT.fullmatch, one))  # whose candidates have names
        return Performances.from_cv_results(results if others else one, None if others or of_search else [name])
    except DataError as error:
        where = ": ".join(filter(None, (content.where, str(error.where))))
        fields: Any = {"expected": error.expected, "got": error.got, "way_out": list(error.ways_out)}
        raise DataError(error.what, where=where, **fields) from None


READER = Reader(
    name="cross-validate", files="scikit-learn: cross_validate or a search with scoring=rs.outcome_scorers(); by fold",
    columns="test_tn, test_fp, test_fn, test_tp, one value per fold; or split0_test_tn, split0_test_fp, …",
    lacks="no fit_time and score_time, no split0_test_tn", recognise=recognise, read=read, holds=(*JSON, "table"),
    named=("entity",),
)  # fmt: skip

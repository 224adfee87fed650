"""Scores where scikit-learn expects a scorer."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, get_args

from numpy.typing import ArrayLike

from ..errors import MissingExtraError, Option, UndefinedScoreError, UsageError
from ..performances import Performances
from ..typing import ScoreLike, Undefined
from .lookup import as_score


def as_scorer(
    by: ScoreLike = "f1", *, pos_label: object = None, undefined: Undefined | float = "limit"
) -> Callable[..., float]:
    """Return a score or a preference as a scorer of scikit-learn, larger = better.

    It goes wherever a scorer goes: ``cross_validate``, ``GridSearchCV``, ``TunedThresholdClassifierCV`` (scikit-learn
    ≥ 1.5). ``by`` is what :func:`rankscape.rank` takes; a score that is better when smaller is negated, as scikit-learn
    does. Where the score is undefined, as precision without a positive prediction, ``undefined="limit"`` takes the
    limit of ranking scores (precision 0) and raises for others, a number is taken itself (0, as for
    ``sklearn.metrics.matthews_corrcoef``), "nan" gives NaN (not for thresholds: scikit-learn would choose it as the
    best), "raise" raises UndefinedScoreError.

    For thresholds, of which the lowest and the highest give every case the same class, all ranking scores work as they
    are (``accuracy``, ``f1``, ``fbeta(2)``, ``precision``, ``npv``, importances, costs); ``mcc``, ``markedness`` and
    other scores that are undefined for a constant prediction need a number. Raises MissingExtraError where
    scikit-learn is not installed.

    >>> as_scorer("fbeta(2)")
    make_scorer(value_of_labels, response_method='predict', by=fbeta(2), undefined=limit)
    """
    if undefined not in get_args(Undefined) and not _is_number(undefined):
        known = ", ".join(map(repr, get_args(Undefined)))
        raise UsageError(Option("undefined", undefined), expected=f"one of {known}, or a number")
    direction = as_score(by).direction
    if direction is None:
        raise UsageError(f"of {as_score(by).name} neither a larger nor a smaller value is better: nothing to maximize")
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingExtraError("as_scorer needs scikit-learn: pip install scikit-learn") from None
    given = {} if pos_label is None else {"pos_label": pos_label}
    scorer: Callable[..., float] = make_scorer(
        value_of_labels, greater_is_better=direction != "smaller", by=by, undefined=undefined, **given
    )
    return scorer


def value_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    by: ScoreLike = "f1",
    pos_label: object = None,
    undefined: Undefined | float = "limit",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the value of a score for labels, as the functions of ``sklearn.metrics`` do.

    >>> value_of_labels([0, 1, 1], [0, 0, 0], by="precision"), value_of_labels([0, 1, 1], [0, 1, 0], by="recall")
    (0.0, 0.5)
    """
    score = as_score(by)
    performance = Performances.from_labels(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight)
    has_limit = undefined == "limit" and score.importance is not None
    value = float(score(performance, undefined="limit" if has_limit else "nan")[0])
    if value == value or undefined == "nan":
        return value
    if not isinstance(undefined, str):
        return float(undefined)
    raise UndefinedScoreError(
        f"{score.symbol} is undefined here, as it may be where all predictions are of one class",
        way_out=[
            ["pass to as_scorer ", Option("undefined", 0), " to take 0"],
            [Option("undefined", "nan"), " to go on without a value (not for thresholds)"],
            "a ranking score, such as f1, that has a limit",
        ],
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)

"""Scores where scikit-learn expects a scorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import isfinite
from typing import Any, get_args

from numpy.typing import ArrayLike

from ..checks import checked_weights, sums_of_weights
from ..checks.labels import WAYS_WITHOUT, as_given, has_missing, labeled
from ..errors import DataError, MissingExtraError, Option, UndefinedScoreError, UsageError
from ..kernels.counting import confusion
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..tasks import multi_class
from ..tasks.classes import labels_in
from ..tasks.classes import space as space_of_classes
from ..tasks.entities import labels_of
from ..typing import Label, ScoreLike, Undefined
from .lookup import as_score
from .score import Score
from .tasks import labels_in_name


def as_scorer(
    by: ScoreLike = "f1",
    *,
    pos_label: object = None,
    classes: Sequence[object] | None = None,
    undefined: Undefined | float = "limit",
) -> Callable[..., float]:
    """Return a score or a preference as a scikit-learn scorer; larger is better.

    The scorer goes wherever a scorer of scikit-learn goes: ``cross_validate``, ``GridSearchCV``,
    ``TunedThresholdClassifierCV`` (scikit-learn ≥ 1.5). Labels of more than two classes are scored as performances of
    several classes are: by ``accuracy``, ``macro f1``, ``recall(cat)`` or an importance.

    Parameters
    ----------
    by
        The score or preference, as :func:`rankscape.rank` takes it. A score that is better when smaller is negated, as
        scikit-learn does.
    pos_label
        The positive class, if the labels are no known pair such as 0 and 1, or no and yes; all others are
        negative, however many they are.
    classes
        The classes, for a score of several classes; by default those that occur in what is scored. A fold may lack one.
    undefined
        What to return where the score is undefined, such as precision without a positive prediction. "limit" takes the
        limit of ranking scores (precision 0) and raises for other scores; a number is returned itself (0, as
        ``sklearn.metrics.matthews_corrcoef`` does); "nan" returns NaN, which is not for thresholds, since scikit-learn
        would choose it as the best; "raise" raises UndefinedScoreError.

    Returns
    -------
    callable
        A scorer, called with a model, the features and the true labels; larger is better.

    Raises
    ------
    MissingExtraError
        Where scikit-learn is not installed.
    UsageError
        For an unknown ``undefined``, a score of which neither a larger nor a smaller value is better, and ``pos_label``
        together with ``classes``.

    See Also
    --------
    rankscape.outcome_scorers : the counts behind the scores
    rankscape.sweep : all thresholds at once

    Notes
    -----
    The scorer raises UndefinedScoreError where the score is undefined, with "raise", and with "limit" for a score that
    has no limit.

    Of thresholds, the lowest and the highest give every case the same class. All ranking scores work there as they are
    (``accuracy``, ``f1``, ``fbeta(2)``, ``precision``, ``npv``, importances, costs); ``mcc``, ``markedness`` and other
    scores that are undefined for a constant prediction need a number.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.as_scorer("fbeta(2)")
    make_scorer(value_of_labels, response_method='predict', by=fbeta(2), undefined=limit)
    """
    if undefined not in get_args(Undefined) and not _is_number(undefined):
        known = ", ".join(map(repr, get_args(Undefined)))
        raise UsageError(Option("undefined", undefined), expected=f"one of {known}, or a number")
    if pos_label is not None and classes is not None:
        raise UsageError(["pass ", Option("pos_label"), " for two classes or ", Option("classes"), " for several"])
    score = _score_of(by, classes)
    if score.direction is None:
        raise UsageError(f"of {score.name} neither a larger nor a smaller value is better: nothing to maximize")
    given = {"by": by, "undefined": undefined, "pos_label": pos_label, "classes": classes}
    given = {name: value for name, value in given.items() if value is not None}
    return _scorer("as_scorer", value_of_labels, greater_is_better=score.direction != "smaller", **given)


def _score_of(by: ScoreLike, classes: Sequence[object] | None) -> Score:
    """Return a score before there are labels: of two classes, or else of several that are called as its name says."""
    if classes is not None:
        return as_score(by, space_of_classes(list(classes)))
    try:
        return as_score(by)
    except UsageError:
        if isinstance(by, str):
            with suppress(UsageError):
                return as_score(by, space_of_classes(list(dict.fromkeys([*labels_in_name(by), "a", "b"]))))
        raise


def outcome_scorers(*, pos_label: Label | None = None) -> dict[str, Callable[..., float]]:
    """Return scikit-learn scorers that count outcomes: ``{"tn": …, "fp": …, "fn": …, "tp": …}``.

    They go into ``GridSearchCV``, ``RandomizedSearchCV`` or ``cross_validate``, whose results
    :meth:`rankscape.Performances.from_cv_results` takes. Each model predicts a fold once.

    Parameters
    ----------
    pos_label
        The positive class, if the labels are no known pair such as 0 and 1, or no and yes; with more than
        two classes all others are negative.

    Returns
    -------
    dict
        One scorer per outcome, which returns the number of its cases, or the sum of their weights where scikit-learn
        passes ``sample_weight``. With metadata routing, ask for the weights of each:
        ``scorer.set_score_request(sample_weight=True)``. The values say how often something happens, not how good the
        model is: pass ``refit=False``, or the name of a further scorer.

    Raises
    ------
    MissingExtraError
        Where scikit-learn is not installed.

    See Also
    --------
    rankscape.as_scorer : one score
    rankscape.Performances.from_cv_results : reads what cross_validate returns

    Examples
    --------
    >>> import rankscape as rs
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import cross_validate
    >>> model, X, y = DummyClassifier(strategy="constant", constant=1), [[0]] * 6, [0, 1, 1, 0, 1, 1]
    >>> results = cross_validate(model, X, y, cv=2, scoring=rs.outcome_scorers())
    >>> rs.Performances.from_cv_results(results, names=["always"]).counts.tolist()
    [[0, 1, 0, 2], [0, 1, 0, 2]]
    """
    given = {} if pos_label is None else {"pos_label": pos_label}
    return {
        outcome: _scorer("outcome_scorers", count_of_labels, outcome=outcome, **given) for outcome in TWO_CLASS.outcomes
    }


def _scorer(needing: str, function: Callable[..., float], **options: object) -> Callable[..., float]:
    """Return a function of labels as a scorer; scikit-learn is needed here only."""
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingExtraError(f"{needing} needs scikit-learn: pip install scikit-learn") from None
    scorer: Callable[..., float] = make_scorer(function, **options)
    return scorer


def count_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    outcome: str,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return how many cases have an outcome, or the sum of their weights, as the functions of ``sklearn.metrics`` do.

    scikit-learn checks ``pos_label`` against the classes of the model, of which a fold may lack any.

    >>> (
    ...     count_of_labels([0, 1, 1], [0, 0, 1], outcome="fn"),
    ...     count_of_labels(["b"], ["b"], outcome="tn", pos_label="a"),
    ... )
    (1.0, 1.0)
    """
    if pos_label is None:
        _, true, predicted = labeled(y_true, y_pred, None)
    else:
        truth, prediction = as_given(y_true, "y_true"), as_given(y_pred, "y_pred")
        if has_missing(truth) or has_missing(prediction):
            raise DataError("a label is missing (NaN or None)", way_out=WAYS_WITHOUT)
        _, true, predicted = labeled((truth == pos_label).astype(int), (prediction == pos_label).astype(int), 1)
    weight = checked_weights(sample_weight, len(true))
    counts = sums_of_weights(confusion(true, predicted, weight and weight.integers), weight)
    return float(counts[0, TWO_CLASS.index(outcome)])


def value_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    by: ScoreLike = "f1",
    pos_label: object = None,
    classes: Sequence[object] | None = None,
    undefined: Undefined | float = "limit",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the value of a score for labels, of two classes or of more, as the functions of ``sklearn.metrics`` do.

    >>> (
    ...     value_of_labels([0, 1, 1], [0, 0, 0], by="precision"),
    ...     value_of_labels([0, 1, 1], [0, 1, 0], by="recall"),
    ... )
    (0.0, 0.5)
    >>> value_of_labels(["a", "b", "c"], ["a", "c", "c"], by="recall(c)")
    1.0
    """
    if classes is None and (pos_label is not None or len(labels_in(*labels_of(y_true, y_pred, None)[1:])) <= 2):
        performance = Performances.from_labels(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight)
    else:
        performance = multi_class.evaluate(y_true, y_pred, labels=classes, sample_weight=sample_weight)
    score = as_score(by, performance.space)
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

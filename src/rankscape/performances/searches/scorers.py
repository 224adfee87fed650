"""Counts of outcomes where scikit-learn expects scorers."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from ...arrays import Label, as_given
from ...checks import checked_weights, sums_of_weights
from ...checks.labels import WAYS_WITHOUT, has_missing, labeled
from ...errors import DataError, MissingExtraError
from ...kernels.counting import confusion
from ...outcomes import TWO_CLASS


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
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingExtraError("outcome_scorers needs scikit-learn: pip install scikit-learn") from None
    given = {} if pos_label is None else {"pos_label": pos_label}
    return {outcome: make_scorer(count_of_labels, outcome=outcome, **given) for outcome in TWO_CLASS.outcomes}


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

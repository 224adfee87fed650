"""Regression: Ω = ℝ², pairs (truth, prediction); a performance is an empirical measure of weighted pairs.

Thought experiment: draw a case, ask the oracle for its value and the regressor for another; the outcome is the pair.
The satisfaction is a decreasing function of the error |y − ŷ|, the importance a function of the truth. With equal
importance and S = −|y − ŷ| the ranking score is minus the mean absolute error, with S = −(y − ŷ)² minus the mean
squared error: both are sound. Where S is minus an error, values are errors: smaller is better. (Foundations, A.2.2.)

>>> import rankscape as rs
>>> truth = [1.0, 2.0, 3.0, 10.0]
>>> P = rs.tasks.regression.evaluate(truth, {"steady": [2, 3, 4, 11], "sharp": [1, 2, 3, 13.5]})
>>> ranking = rs.rank(P, by="mae")
>>> ranking.score.direction, ranking.table()["entity"], ranking.table()["value"]
('smaller', ['sharp', 'steady'], [0.875, 1.0])
>>> within = rs.rank(P, by="within(0.5)")  # the share of errors up to 0.5
>>> rs.rank(P, by="mse").best, within.best
(frozenset({'steady'}), frozenset({'sharp'}))
>>> relative = rs.tasks.regression.criterion(
...     "absolute",
...     importance=lambda y: 1 / y,  # as mean |y − ŷ| / y
... )
>>> rs.compare(P["steady"], P["sharp"], by=relative)
'worse'

"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, ldexp, nan, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_names, checked_reals, checked_weights
from ..checks.labels import of_each, refuse_other_order
from ..checks.numbers import meant
from ..errors import UnknownScoreError, UsageError
from ..kernels.exact import decimal_integers, integers_of_floats, quotients
from ..typing import Direction, Flags, Floats, Integers, PredictionsLike
from .entities import numbers
from .pairs import ExactPairs, Pairs, pairs_of

__all__ = ["Criterion", "Pairs", "criterion", "evaluate", "values"]
__dir__ = __all__.copy  # dir() lists the public names

ROUNDING = 2.0**-40
"""Values closer than this (relative) are compared again as fractions; sums of 2⁵³ terms of one sign are better."""

SMALLEST = 1e-290
"""Differences below this may be those of numbers that underflow: also compared as fractions."""

Function: TypeAlias = Callable[[Floats], ArrayLike]
"""A function of the truth, array to array."""

SatisfactionLike: TypeAlias = "str | Criterion"
"""A satisfaction: its name, or a criterion."""

_KINDS: dict[str, tuple[str, str, Direction, str]] = {
    "absolute": ("mean absolute error", "MAE", "smaller", "E[I·|Y − Ŷ|] / E[I]"),
    "squared": ("mean squared error", "MSE", "smaller", "E[I·(Y − Ŷ)²] / E[I]"),
    "root": ("root mean squared error", "RMSE", "smaller", "√(E[I·(Y − Ŷ)²] / E[I])"),
    "within": ("share of errors within {:g}", "W_{:g}", "larger", "E[I·1[|Y − Ŷ| ≤ {:g}]] / E[I]"),
}
_NAMES = {
    **dict.fromkeys(("absolute", "mae", "meanabsoluteerror", "negmeanabsoluteerror", "l1"), "absolute"),
    **dict.fromkeys(("squared", "mse", "meansquarederror", "negmeansquarederror", "l2"), "squared"),
    **dict.fromkeys(("root", "rmse", "rootmeansquarederror", "negrootmeansquarederror"), "root"),
    "within": "within",
}
NO_EXPECTATION = ("medianabsoluteerror", "medae", "maxerror", "explainedvariance", "pearson", "spearman")
"""Normalized names of scores that users ask for but that are no expected satisfaction."""


def evaluate(
    y_true: ArrayLike,
    y_pred: PredictionsLike,
    *,
    sample_weight: ArrayLike | None = None,
    names: Sequence[object] | None = None,
) -> Pairs:
    """Return the performances of regressors: empirical measures of weighted pairs (truth, prediction).

    (Foundations, A.2.2.)

    Parameters
    ----------
    y_true : (m,)
        The true values, finite numbers. Whole numbers of any size, fractions, decimals and decimal texts stay exact.
    y_pred : (m,), (n, m), or a mapping of names to (m,)
        The predicted values; a data frame has one column per entity.
    sample_weight : (m,), optional
        The weight of each case, ≥ 0; by default 1.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Pairs
        What :func:`rankscape.rank` ranks.

    Raises
    ------
    DataError
        For what is missing, infinite or of another length.

    See Also
    --------
    rankscape.tasks.regression.criterion
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.regression.evaluate([1, 2, 4], [1, 3, 2])
    <Pairs: 1 entity, 3 pairs (truth, prediction) each>
    """
    entities, true, predicted = of_each(y_true, y_pred, names=names)
    refuse_other_order(y_true, sample_weight, "weights")
    weight = checked_weights(sample_weight, len(true))
    names_, _ = checked_names(len(predicted), entities, None)
    weights = np.ones(len(true), dtype=np.int64) if weight is None else weight.plain
    return pairs_of(numbers(true, "true"), numbers(predicted, "predicted"), weights, names_)


# Ranking scores: a satisfaction that decreases with the error, an importance of the truth


@dataclass(frozen=True)
class Criterion:
    """A ranking score of regressors: a satisfaction S(|y − ŷ|), and an importance I(y).

    Make one with :func:`criterion`. ``direction`` says which values are better: "smaller" where S is minus an error
    (the value is E[I·error] / E[I]), else "larger" (E[I·S] / E[I]).

    Attributes
    ----------
    kind
        "absolute", "squared", "root" or "within".
    tolerance
        ε of "within", else None.
    importance : (m,), a function, or None
        The importance of each case, ≥ 0, or a function of the truth; None for equal importance.

    See Also
    --------
    rankscape.tasks.regression.criterion

    Examples
    --------
    >>> import rankscape as rs
    >>> mae = rs.tasks.regression.criterion("absolute")
    >>> mae.name, mae.symbol, mae.direction
    ('mean absolute error', 'MAE', 'smaller')
    """

    kind: str
    tolerance: float | None = None
    importance: ArrayLike | Function | None = None

    @property
    def name(self) -> str:
        """The name of the score."""
        weighted = "" if self.importance is None else ", weighted by importance"
        return _KINDS[self.kind][0].format(self.tolerance) + weighted

    @property
    def symbol(self) -> str:
        """The symbol of the score."""
        return _KINDS[self.kind][1].format(self.tolerance)

    @property
    def direction(self) -> Direction:
        """Which values are better: "smaller" for errors, else "larger"."""
        return _KINDS[self.kind][2]

    @property
    def formula(self) -> str:
        """The formula of the score."""
        return _KINDS[self.kind][3].format(self.tolerance)


def criterion(
    satisfaction: SatisfactionLike = "absolute", *, importance: ArrayLike | Function | None = None
) -> Criterion:
    """Return the ranking score of a satisfaction and an importance.

    Of errors equal to ε the floats decide as the exact numbers that they are: 0.1 is a little more than 1/10. Of values
    given as decimals ε is a decimal, too.
    (Foundations, A.2.2.)

    Parameters
    ----------
    satisfaction
        "absolute" (S = −|y − ŷ|, the MAE), "squared" (S = −(y − ŷ)², the MSE), "root" (the RMSE, which orders as the
        MSE), "within(0.5)" (S = 1[|y − ŷ| ≤ ε], with ε ≥ 0), or the usual names of these. Of another satisfaction rank
        grades of the cases: :func:`rankscape.tasks.success.from_grades`.
    importance : (m,), or a function
        The importance of each case, ≥ 0, or a function of the truth, array to array; by default all cases count alike.

    Returns
    -------
    Criterion
        The score, for ``by=``.

    Raises
    ------
    UnknownScoreError
        For another name.
    UsageError
        For an ε that is negative, or no number.

    See Also
    --------
    rankscape.tasks.regression.values
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.regression.criterion("within(0.5)").name
    'share of errors within 0.5'
    """
    if isinstance(satisfaction, Criterion):
        if importance is not None:
            raise UsageError("a criterion has its importance already: make another one from a name")
        return satisfaction
    text = str(satisfaction)
    call = re.fullmatch(r"\s*(within)\s*\(\s*([^()]+?)\s*\)\s*", text)
    kind = _NAMES.get(re.sub(r"[\s\-_]", "", (call[1] if call else text).lower()))
    if kind is None:
        raise _unknown(satisfaction)
    if kind != "within":
        return Criterion(kind, importance=importance)
    try:
        tolerance = float(call[2]) if call else nan
    except ValueError:
        tolerance = nan
    if not 0 <= tolerance < inf:
        raise UsageError(f"within needs a finite number ≥ 0, as in within(0.5); got {text!r}")
    return Criterion(kind, tolerance, importance)


def _unknown(given: Any) -> UnknownScoreError:
    expected = '"mae", "mse", "rmse" or "within(0.5)"'
    if callable(given):
        grades = "or rank grades of the cases with success.from_grades"
        return UnknownScoreError("a function is no score of pairs", expected=expected, way_out=grades)
    plain = re.sub(r"[\s\-_]", "", str(given).lower())
    if plain in ("r2", "r2score"):
        return UnknownScoreError('R² orders models as the MSE where they share the truth, as here: ask for "mse"')
    if plain in ("mape", "meanabsolutepercentageerror"):
        relative = 'regression.criterion("mae", importance=lambda y: 1 / abs(y))'
        return UnknownScoreError(f"{given} orders as the MAE whose importance is 1/|y|: ask for {relative}")
    if plain in NO_EXPECTATION:
        return UnknownScoreError(f"{given} is no expected satisfaction of a case, so no ranking score; take {expected}")
    return UnknownScoreError(f"{given!r} is no score of pairs (truth, prediction); expected {expected}")


def values(pairs: Pairs, by: SatisfactionLike = "absolute") -> Floats:
    """Return the value of a criterion for each entity, in its own direction: of the MAE, smaller is better.

    Parameters
    ----------
    pairs
        The regressors, as :func:`evaluate` returns them.
    by
        A criterion, or what :func:`criterion` takes.

    Returns
    -------
    (n,)
        The values, in the unit of the error; NaN where E[I] = 0.

    Raises
    ------
    UsageError
        For an importance that is negative.

    See Also
    --------
    rankscape.ranking_score

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.regression.values(
    ...     rs.tasks.regression.evaluate([1, 2], {"a": [1, 4], "b": [2, 2]}), "mse"
    ... ).tolist()
    [2.0, 0.5]
    """
    chosen = criterion(by)
    exact = means([pairs], chosen)
    known = [np.nan] * len(pairs) if exact is None else [as_float(mean, chosen.kind == "root") for mean in exact]
    return np.array(known)


def per_case(pairs: Pairs, by: Criterion) -> tuple[Floats, Floats]:
    """Return the error, or the satisfaction, of every case and entity, (n, m), and the weight of every case, (m,).

    The errors of the RMSE are squared; weights are sample weights times importance, up to a common factor: divided by
    powers of two, so that no product overflows.

    >>> from rankscape.tasks import regression
    >>> terms, weights = per_case(regression.evaluate([1, 2], [1, 4]), criterion("squared"))
    >>> terms.tolist(), weights.tolist()
    ([[0.0, 4.0]], [0.5, 0.5])
    """
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        weights = _halved(pairs.weights.astype(np.float64))
        if by.importance is not None:
            weights = weights * _halved(_importance(pairs, by))
        return _terms(pairs, by), weights


def as_float(value: Fraction, root: bool) -> float:
    """Return a number, or its root, as a float, ∞ beyond the largest."""
    shift = max(value.numerator.bit_length() - value.denominator.bit_length(), 0) // 2
    scaled = float(value / 4**shift)
    try:
        return ldexp(sqrt(scaled), shift) if root else ldexp(scaled, 2 * shift)
    except OverflowError:
        return inf


def means(every: Sequence[Pairs], by: Criterion) -> list[Fraction] | None:
    """Return the mean error (squared, of the RMSE), or satisfaction, of all entities in order; None where E[I] = 0.

    Means of floats where these are apart, and exact ones where they are close.

    >>> from rankscape.tasks import regression
    >>> pairs = regression.evaluate([1, 2], {"a": [1, 4], "b": [1.1, 2]})
    >>> [round(float(mean), 9) for mean in means([pairs], criterion("mae")) or []]
    [1.0, 0.05]
    """
    cases = [per_case(pairs, by) for pairs in every]
    if not all(weights.any() for _, weights in cases):
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        floats = np.concatenate([(terms * weights).sum(axis=-1) / weights.sum() for terms, weights in cases])
        order = np.argsort(floats, kind="stable")
        ranked = floats[order]
        close = ~(np.diff(ranked) > np.maximum(ROUNDING * ranked[1:], SMALLEST))
    doubtful = ~np.isfinite(floats)  # which overflow on the way, though the mean may not
    doubtful[order[1:]] |= close
    doubtful[order[:-1]] |= close
    one_by_one = (one for pairs in every for one in pairs)
    return [
        _exact_mean(one, by) if doubt else Fraction(value)
        for one, value, doubt in zip(one_by_one, floats.tolist(), doubtful.tolist(), strict=True)
    ]


def _halved(values: Floats) -> Floats:
    return np.asarray(np.ldexp(values, -np.frexp(values.max())[1]))


def _importance(pairs: Pairs, by: Criterion) -> Floats:
    """Return the importance of every case, or of all."""
    what = "an importance of cases"
    try:
        given = by.importance(pairs.truth) if callable(by.importance) else by.importance
    except (UsageError, Warning):
        raise
    except Exception as error:
        problem = f"{what} failed ({type(error).__name__}: {error}): it must take an array of numbers"
        raise UsageError(problem) from error
    importance = checked_reals(given, what)
    if importance.shape not in ((), (len(pairs.truth),)):
        raise UsageError(f"an importance needs {len(pairs.truth)} numbers, one per case; got shape {importance.shape}")
    wrong = ~np.isfinite(importance) | (importance < 0)
    if wrong.any():
        at = "" if importance.ndim == 0 else f" at the truth {pairs.truth[int(np.argmax(wrong))]:g}"
        raise UsageError(f"importances must be finite and not negative; got {importance[wrong][0]:g}{at}")
    return importance


def _terms(pairs: Pairs, by: Criterion) -> Floats:
    """Return the error, or the satisfaction, of every case and entity, (n, m)."""
    exact = pairs.exact
    error = np.abs(pairs.predictions - pairs.truth)
    if exact is not None:
        gap = np.abs(exact.predictions - exact.truth)
        error = quotients(gap.astype(object), np.array(exact.unit, dtype=object))
    if by.kind in ("squared", "root"):
        return np.asarray(error * error)
    if by.kind == "within" and exact is not None:
        most = meant(by.tolerance or 0) * exact.unit
        return np.asarray(gap <= most.numerator // most.denominator, dtype=np.float64)
    if by.kind == "within":
        inside = error <= by.tolerance
        inside[error == by.tolerance] = ~_rounded_down(pairs)[error == by.tolerance]
        return inside.astype(np.float64)
    return np.asarray(error)


def _rounded_down(pairs: Pairs) -> Flags:
    """Tell where |ŷ − y| is above the float next to it: by the exact rest of the difference. (Knuth's two-sum.)"""
    gap = pairs.predictions - pairs.truth
    with np.errstate(over="ignore", invalid="ignore"):
        part = gap - pairs.predictions
        rest = (pairs.predictions - (gap - part)) - (pairs.truth + part)
    return np.asarray(rest * np.sign(gap) > 0)


def exact_sums(pairs: Pairs, by: Criterion, part: Integers, parts: int) -> tuple[list[list[int]], list[int], int]:
    """Return the sums of weight · error over parts of the cases for each entity, those of the weights, and the unit.

    Exactly: the mean over a part is its sum / (its weights · unit). ``part`` numbers the part of each case.

    >>> from rankscape.tasks import regression
    >>> pairs = regression.evaluate([1, 2, 4], {"a": [1, 4, 4], "b": [1.5, 2, 2]})
    >>> exact_sums(pairs, criterion("mae"), np.array([0, 0, 1]), 2)
    ([[4, 0], [1, 4]], [2, 1], 2)
    """
    of_integers = pairs.weights.dtype.kind == "i"
    weights = (pairs.weights if of_integers else decimal_integers(pairs.weights)[0]).astype(object)
    if by.importance is not None:
        weights = weights * _integers(np.broadcast_to(_importance(pairs, by), weights.shape))[0]
    terms, unit = _exact_terms(pairs, by)
    sums = np.zeros((parts, len(pairs) + 1), dtype=object)
    np.add.at(sums, part, np.vstack([terms * weights, weights]).T)
    *rows, of_weights = sums.T.tolist()
    return rows, of_weights, unit


def _exact_terms(pairs: Pairs, by: Criterion) -> tuple[NDArray[Any], int]:
    """Return the error, or the satisfaction, of every case and entity, (n, m), and the unit that they are parts of."""
    if by.kind == "within":
        return _terms(pairs, by).astype(np.int64).astype(object), 1
    exact = pairs.exact
    if exact is None:
        numbers, unit = _integers(np.vstack([pairs.truth, pairs.predictions]))
        exact = ExactPairs(numbers[0], numbers[1:], unit)
    gaps = np.abs(exact.predictions.astype(object) - exact.truth)
    return (gaps * gaps, exact.unit**2) if by.kind in ("squared", "root") else (gaps, exact.unit)


def _exact_mean(pairs: Pairs, by: Criterion) -> Fraction:
    """Return the mean error, or satisfaction, of one entity, as a fraction."""
    ((total,),), (weight,), unit = exact_sums(pairs, by, np.zeros(len(pairs.truth), dtype=np.int64), 1)
    return Fraction(total, weight * unit)


def _integers(values: Floats) -> tuple[NDArray[Any], int]:
    """Return integers and the unit that they are multiples of the inverse of: exactly the floats."""
    *integers, unit = integers_of_floats(np.append(values, 1.0))  # proportional to the floats, and so is that of 1
    return np.array(integers, dtype=object).reshape(values.shape), unit

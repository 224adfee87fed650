"""From truth and scores, in memory or in a table of any size, to the operating points of models, and to a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from .._costs import Costs
from ..cases import ROLES, cases_of, scored_cases
from ..checks import checked_weights
from ..checks.labels import scored
from ..errors import Option, UsageError
from ..kernels.counting import operating_points
from ..typing import Label, Number, PriorLike, RandomLike, TableLike, WeightsLike
from .cells import cells_of_scores
from .decide import DRAWS, decided
from .record import Decision
from .sweeps import Sweeps
from .thresholds import ThresholdSweep

Columns = str | Sequence[str]


@overload
def sweep(
    y_true: ArrayLike,
    y_score: Mapping[str, ArrayLike],
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weights: WeightsLike = "equal",
) -> Sweeps: ...


@overload
def sweep(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Label | None = None, sample_weight: ArrayLike | None = None
) -> ThresholdSweep: ...


@overload
def sweep(
    y_true: TableLike,
    *,
    truth: str,
    score: Columns,
    entity: str | None = None,
    domain: Columns | None = None,
    case: str | None = None,
    fold: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    unanswered: str | None = None,
    weights: WeightsLike = "equal",
    encoding: str | None = None,
) -> Sweeps: ...


def sweep(
    y_true: ArrayLike | TableLike,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    truth: str | None = None,
    score: Columns | None = None,
    entity: str | None = None,
    domain: Columns | None = None,
    case: str | None = None,
    fold: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    unanswered: str | None = None,
    sample_weight: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weights: WeightsLike = "equal",
    encoding: str | None = None,
) -> ThresholdSweep | Sweeps:
    """Return every operating point of one scored model, or of several: positive if score ≥ threshold.

    Tied scores change sides together. A million cases take about the time of one sort.

    Parameters
    ----------
    y_true : (m,), or a table
        The true labels. Or a file, a pattern of files, or a data frame of one row per case (and model), with the
        columns that ``truth`` and ``score`` name.
    y_score : (m,), or a mapping of names to (m,)
        The scores, larger for more positive. One array gives a :class:`ThresholdSweep`; a mapping, or a data frame
        with one column per model, gives :class:`Sweeps`.
    truth, score, entity, domain, case, fold, weight, pos_label, unanswered, encoding
        Columns of a table, and how it is read, as in :func:`rankscape.cases`.
    sample_weight, domains, folds : (m,), optional
        The weight (≥ 0, not all 0), the domain and the fold of each case of arrays.
    weights
        How the performances on several domains are averaged, as in :func:`rankscape.summarize`.

    Returns
    -------
    ThresholdSweep or Sweeps
        The first for one array of scores.

    Raises
    ------
    DataError
        For scores that are missing, NaN or infinite, and labels that are missing or more than two.
    UsageError
        For a table without ``truth`` or ``score``, and for arguments that exclude each other.

    See Also
    --------
    rankscape.decide : choose a model and its threshold, and say what to expect
    rankscape.views.decision_curves : net benefit of risks
    rankscape.Performances.from_scores

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.sweep([0, 1, 0, 1], [0.2, 0.9, 0.7, 0.8]).best("fbeta(2)", current=0.5).threshold
    0.8
    >>> rs.sweep([0, 1, 0, 1], {"a": [0.2, 0.9, 0.7, 0.8], "b": [0.1, 0.2, 0.3, 0.4]}).names
    ('a', 'b')
    """
    given = {name: value for name, value in locals().items() if value is not None}
    if truth is not None or score is not None:
        why = "belongs to arrays, and truth= and score= to a table: leave out one of them"
        _refuse(given, ("y_score", "sample_weight", "domains", "folds"), why)
        if truth is None or score is None:
            missing = "truth" if truth is None else "score"
            raise UsageError([Option(missing), " names a column that a table of scores needs"])
        roles = {word: value for word, value in given.items() if word in ROLES}
        return cases_of(y_true, roles, encoding=encoding).sweep(weights)
    of_tables = ("entity", "domain", "case", "fold", "weight", "unanswered", "encoding")
    _refuse(given, of_tables, "belongs to a table: name its columns truth= and score=, too")
    if y_score is None:
        raise UsageError("expected scores, as in sweep(y_true, y_score), or the columns truth= and score= of a table")
    if isinstance(y_score, Mapping) or hasattr(y_score, "columns"):
        how = {"pos_label": pos_label, "sample_weight": sample_weight, "domains": domains, "folds": folds}
        return scored_cases(y_true, y_score, **how).sweep(weights)
    idle = ("domains", "folds", *(() if isinstance(weights, str) and weights == "equal" else ("weights",)))
    _refuse(given, idle, 'needs the name of the model, as in {"a": scores}')
    true, scores = scored(y_true, y_score, pos_label)
    sample = checked_weights(sample_weight, len(scores))
    counts, thresholds = operating_points(true, scores, sample and sample.plain)
    for array in (counts, thresholds):
        array.flags.writeable = False
    return ThresholdSweep(thresholds, counts, np.append(thresholds[1:], -np.inf))


def _refuse(given: Mapping[str, object], names: Sequence[str], why: str) -> None:
    for name in names:
        if name in given:
            raise UsageError(f"{name}= {why}")


def sweeps_of(table: Any, weights: WeightsLike = "equal") -> Sweeps:
    """Return the sweeps of a table of scores; raise where their domains cannot be averaged, or have no such weights."""
    models = tuple(
        cells_of_scores(model.name, model.truth, model.score, model.weight, model.domain, model.fold)
        for model in table.models
    )
    sweeps = Sweeps(models, table.domains, table.folds, table.paired, weights, notes=table.notes, account=table.account)
    for cells in models:
        sweeps.factors(cells)
    return sweeps


def decide(
    y_true: ArrayLike | Sweeps,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    costs: Costs | Mapping[str, float],
    prior: PriorLike | None = None,
    current: Number | Mapping[str, Number] | None = None,
    folds: int | None = None,
    rng: RandomLike = 0,
    draws: int = DRAWS,
) -> Decision:
    """Decide which model to deploy at which threshold, with its cost, its uncertainty, and what would change it.

    The threshold of each model, and the model, are chosen inside the folds: no case is judged by a choice that it took
    part in. So the stated cost is what to expect on new cases.

    Parameters
    ----------
    y_true : (m,), or Sweeps
        The true labels; or what :func:`sweep` returns, in the place of both arguments: it takes tables, weights,
        domains and folds of the data.
    y_score : (m,), or a mapping of names to (m,)
        The scores, larger for more positive; one array of scores is one model.
    costs
        What each error costs: ``rankscape.costs(miss=20, false_alarm=1, currency="€")``.
    prior
        The share of positives where the model will be used; by default that of the cases.
    current
        The threshold in use, or the models in use with theirs, {name: threshold}. It stays unless the new choice is
        expected to cost no more.
    folds
        The number of folds to draw, ≥ 3, 5 by default, stratified by class.
    rng, draws
        The seed of folds and draws; the number of draws of other cases (0: no intervals).

    Returns
    -------
    Decision
        The model and the threshold to deploy.

    Raises
    ------
    DataError
        For data that :func:`sweep` refuses, fewer than three folds, and models that were tried on samples with
        different shares of positives, unless ``prior`` is given.
    UsageError
        For costs that are not understood.

    See Also
    --------
    rankscape.sweep : all thresholds, without a choice
    rankscape.gate : whether a new model may replace another one
    rankscape.costs

    Examples
    --------
    >>> import rankscape as rs
    >>> y, good, poor = [0, 0, 1] * 20, [0.1, 0.4, 0.8] * 20, [0.5, 0.4, 0.6, 0.7, 0.8, 0.3] * 10
    >>> decision = rs.decide(y, {"good": good, "poor": poor}, costs=rs.costs(miss=5))
    >>> decision.entity, decision.threshold, decision.cost
    ('good', 0.6, 0.0)
    """
    if isinstance(y_true, Sweeps) and y_score is not None:
        raise UsageError("y_score= belongs to sweep(), which made these sweeps: give it there")
    if not isinstance(y_true, Sweeps):
        if y_score is None:
            raise UsageError("expected scores, as in decide(y_true, y_score), or what sweep() makes of a table")
        several = isinstance(y_score, Mapping) or hasattr(y_score, "columns")
        y_true = scored_cases(y_true, y_score if several else {"model": y_score}).sweep()
    return decided(y_true, costs, prior=prior, folds=folds, rng=rng, current=current, draws=draws)

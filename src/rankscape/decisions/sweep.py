"""From truth and scores, in memory or in a table of any size, to the operating points of models, and to a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from .._costs import Costs
from ..cases import cases_of
from ..checks import checked_weights
from ..checks.labels import scored
from ..errors import Option, UsageError
from ..io.scored import ScoredTable, scored_arrays
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
    arrays_only = {"y_score": y_score, "sample_weight": sample_weight, "domains": domains, "folds": folds}
    roles: dict[str, Any] = {
        "truth": truth, "score": score, "entity": entity, "domain": domain, "case": case, "fold": fold,
        "weight": weight, "pos_label": pos_label, "unanswered": unanswered,
    }  # fmt: skip
    how: dict[str, Any] = {"encoding": encoding}
    table_only = {**roles, **how, "pos_label": None}
    if truth is not None or score is not None:
        _refuse(arrays_only, "belongs to arrays, and truth= and score= to a table: leave out one of them")
        if truth is None or score is None:
            missing = "truth" if truth is None else "score"
            raise UsageError([Option(missing), " names a column that a table of scores needs"])
        return cases_of(y_true, roles, **how).sweep(weights)
    _refuse(table_only, "belongs to a table: name its columns truth= and score=, too")
    if y_score is None:
        raise UsageError("expected scores, as in sweep(y_true, y_score), or the columns truth= and score= of a table")
    if isinstance(y_score, Mapping) or hasattr(y_score, "columns"):
        arrays = scored_arrays(
            cast(ArrayLike, y_true),
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            domains=domains,
            folds=folds,
        )
        return sweeps_of(arrays, weights)
    given = {"domains": domains, "folds": folds, "weights": None if _equal(weights) else weights}
    _refuse(given, 'needs the name of the model, as in {"a": scores}')
    true, scores = scored(y_true, y_score, pos_label)
    sample = checked_weights(sample_weight, len(scores))
    counts, thresholds = operating_points(true, scores, sample and sample.plain)
    for array in (counts, thresholds):
        array.flags.writeable = False
    return ThresholdSweep(thresholds, counts, np.append(thresholds[1:], -np.inf))


def _equal(weights: WeightsLike) -> bool:
    return isinstance(weights, str) and weights == "equal"


def _refuse(given: Mapping[str, object], why: str) -> None:
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"{name}= {why}")


def sweeps_of(table: ScoredTable, weights: WeightsLike = "equal") -> Sweeps:
    """Return the sweeps of a table of scores."""
    models = tuple(
        cells_of_scores(model.name, model.truth, model.score, model.weight, model.domain, model.fold)
        for model in table.models
    )
    return _averaging(
        Sweeps(models, table.domains, table.folds, table.paired, weights, notes=table.notes, account=table.account)
    )


def _averaging(sweeps: Sweeps) -> Sweeps:
    """Return sweeps; raise where their domains cannot be averaged, or have no such weights."""
    for cells in sweeps.models:
        sweeps.factors(cells)
    return sweeps


def decide(
    y_true: ArrayLike | TableLike | Sweeps,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    costs: Costs | Mapping[str, float],
    prior: PriorLike | None = None,
    current: Number | Mapping[str, Number] | None = None,
    rng: RandomLike = 0,
    draws: int = DRAWS,
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
    folds: ArrayLike | int | None = None,
    weights: WeightsLike = "equal",
    encoding: str | None = None,
) -> Decision:
    """Decide which model to deploy at which threshold, with its cost, its uncertainty, and what would change it.

    The threshold of each model, and the model, are chosen inside the folds: no case is judged by a choice that it took
    part in. So the stated cost is what to expect on new cases.

    Parameters
    ----------
    y_true, y_score, sample_weight, domains, weights
        As in :func:`sweep`; or the :class:`Sweeps` themselves. One array of scores is one model.
    truth, score, entity, domain, case, fold, weight, pos_label, unanswered, encoding
        Columns of a table, and how it is read, as in :func:`rankscape.cases`.
    costs
        What each error costs: ``rankscape.costs(miss=20, false_alarm=1, currency="€")``.
    prior
        The share of positives where the model will be used; by default that of the cases.
    current
        The threshold in use, or the models in use with theirs, {name: threshold}. It stays unless the new choice is
        expected to cost no more.
    folds
        The number of folds to draw, ≥ 3, 5 by default, stratified by class; or the fold of each case, an array (m,).
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
    number = None
    if isinstance(folds, (int, np.integer)):
        number, folds = int(folds), None
    data: dict[str, Any] = {
        "y_score": y_score, "truth": truth, "score": score, "entity": entity, "domain": domain, "case": case,
        "fold": fold, "weight": weight, "pos_label": pos_label, "unanswered": unanswered,
        "sample_weight": sample_weight, "domains": domains, "folds": folds, "encoding": encoding,
    }  # fmt: skip
    if isinstance(y_true, Sweeps):
        idle = data | {"weights": None if _equal(weights) else weights}
        _refuse(idle, "belongs to sweep(), which made these sweeps: give it there")
        return decided(y_true, costs, prior=prior, folds=number, rng=rng, current=current, draws=draws)
    if y_score is not None and not isinstance(y_score, Mapping) and not hasattr(y_score, "columns"):
        data["y_score"] = {"model": y_score}
    read: Any = sweep  # which refuses what does not go together
    sweeps = read(y_true, weights=weights, **data)
    return decided(sweeps, costs, prior=prior, folds=number, rng=rng, current=current, draws=draws)

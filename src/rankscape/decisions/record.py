"""The record of a decision: what to deploy, what it costs, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isinf
from typing import Literal

import numpy as np

from .._costs import Costs
from ..performances import Performances
from ..results import DrawnResult, Table
from ..texts import counted, exact
from .sweeps import Sweeps

SURE = 0.95
"""A model is surely the cheapest from this probability on."""

Interval = tuple[float, float]
Kind = Literal["in use", "at 0.5", "next model", "constant"]


@dataclass(frozen=True)
class Candidate:
    """One of the models: its threshold, and what it is expected to cost per case there.

    Attributes
    ----------
    entity, threshold
        The model, and where it calls a case positive.
    cost
        The expected cost per case: halfway between the one on all cases at this threshold, and the ``cross_fitted``
        one.
    cross_fitted
        The cost with thresholds chosen on other cases.
    interval
        The 95 % interval of the cost, or None.
    p_cheapest
        The probability that this model is the cheapest, None for a single model.
    best_threshold, flattered
        The best threshold on all cases, and what it seems to cost there.
    folds_chosen
        In how many folds this model was chosen.
    """

    entity: str
    threshold: float
    cost: float
    cross_fitted: float
    interval: Interval | None
    p_cheapest: float | None
    best_threshold: float
    flattered: float
    folds_chosen: int


@dataclass(frozen=True)
class Alternative:
    """What one could do instead, its cost per case, and what the decision saves against it.

    Attributes
    ----------
    name
        How the alternative is called in texts.
    kind
        "in use" for a threshold that is, "at 0.5" for that threshold of the model to deploy, "next model" for the
        second of the candidates, which is compared with the first one, and "constant" for calling every case alike.
    entity, threshold
        The model and its threshold; the entity of a constant answer is None.
    cost, saved
        The cost per case, and what the decision saves against it; negative where it loses.
    interval, p_cheaper
        The 95 % interval of what is saved, and the probability that the decision is cheaper; None where nothing can be
        drawn.
    """

    name: str
    kind: Kind
    entity: str | None
    threshold: float
    cost: float
    saved: float
    interval: Interval | None
    p_cheaper: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Decision(DrawnResult):
    """The model and the threshold to deploy.

    Predict positive if score ≥ ``threshold``. Model and threshold were chosen without the cases on which they are
    judged. Get one from :func:`decide`.

    Attributes
    ----------
    costs
        What each error costs.
    entity, threshold
        The model to deploy, and its threshold.
    cost, cost_interval
        The expected cost per case, and its 95 % interval; None where nothing can be drawn.
    p_cheapest
        The probability that the model is the cheapest of all, each with its own threshold.
    candidates
        The models, the cheapest first.
    alternatives
        What else one could do.
    threshold_interval
        It holds the best threshold in 95 % of draws of other cases.
    loss_if_off
        How much more the worse end of that interval would cost per case on these cases.
    prior, ratio
        The share of positives of the answer, and how many false alarms a miss is worth.
    prior_range, ratio_range
        How far each may move, the other one fixed, until another model would be deployed; None where that is not known.
    answers
        The model to deploy for all ratios, as (low, high, entity).
    performance, performances
        The performance of the choice made inside the folds, and those of all models, their thresholds chosen so.
    sweeps
        The scores that were read.
    shift_prior
        The share of positives that was asked for, or None.
    folds, seed
        The number of folds, and the seed of folds and draws.
    cases, positives
        How many there are, or sums of weights.
    notes
        What a reader must know.

    Examples
    --------
    >>> import rankscape as rs
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 5 == 0
    >>> scores = {"a": y + rng.normal(size=400), "b": 3 * y + rng.normal(size=400)}
    >>> decision = rs.decide(y, scores, costs=rs.costs(miss=10))
    >>> decision.entity, decision.p_cheapest > 0.95
    ('b', True)
    """

    costs: Costs
    entity: str
    threshold: float
    cost: float
    cost_interval: Interval | None
    p_cheapest: float | None
    candidates: tuple[Candidate, ...]
    alternatives: tuple[Alternative, ...]
    threshold_interval: Interval
    loss_if_off: float
    prior: float
    ratio: float
    prior_range: Interval | None
    ratio_range: Interval | None
    answers: tuple[tuple[float, float, str], ...]
    performance: Performances
    performances: Performances
    sweeps: Sweeps = field(repr=False)
    shift_prior: float | None = None
    folds: int = 5
    seed: int | None = 0
    cases: float = 0
    positives: float = 0
    notes: tuple[str, ...] = ()

    drawing = "draw_decision"

    @property
    def paired(self) -> bool:
        """Whether the models scored the same cases, one by one."""
        return self.sweeps.paired

    @property
    def sure(self) -> bool:
        """Whether the model is the cheapest with a probability of 95 % or more."""
        return self.p_cheapest is None or self.p_cheapest >= SURE

    @property
    def optimism(self) -> float:
        """How much the best threshold on all cases understates the cost of the model per case."""
        chosen = self.candidates[0]
        return chosen.cross_fitted - chosen.flattered

    def alternative(self, name: str) -> Alternative:
        """Return an alternative by its name. Raises KeyError for an unknown one.

        Parameters
        ----------
        name
            The name of the alternative, as in ``alternatives``.

        Returns
        -------
        Alternative
            What the decision is compared with.

        Raises
        ------
        KeyError
            For an unknown name.
        """
        return {each.name: each for each in self.alternatives}[name]

    def table(self) -> Table:
        """Return one row per model, the one to deploy first, and per alternative: cost per case and what is saved.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        models, others = self.candidates, self.alternatives
        of_model, of_other = [None] * len(models), [None] * len(others)
        cost, saved = ([each.interval or (None, None) for each in rows] for rows in (models, others))
        return Table(
            {
                "kind": ["model"] * len(models) + ["alternative"] * len(others),
                "entity": [*(m.entity for m in models), *(a.name for a in others)],
                "threshold": [*(m.threshold for m in models), *(a.threshold for a in others)],
                "cost": [*(m.cost for m in models), *(a.cost for a in others)],
                "cost_low": [*(low for low, _ in cost), *of_other],
                "cost_high": [*(high for _, high in cost), *of_other],
                "p_cheapest": [*(m.p_cheapest for m in models), *of_other],
                "p_cheaper": [*of_model, *(a.p_cheaper for a in others)],
                "saved": [*of_model, *(a.saved for a in others)],
                "saved_low": [*of_model, *(low for low, _ in saved)],
                "saved_high": [*of_model, *(high for _, high in saved)],
            }
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of the data."""
        return self.sweeps.names

    @property
    def in_unit_interval(self) -> bool:
        """Whether the scores of all models lie in [0, 1]."""
        ends = [(cells.thresholds[-1], cells.thresholds[0]) for cells in self.sweeps.models]
        return all(low >= 0 and high <= 1 for low, high in ends)

    def curves(self) -> Table:
        """Return what each model would cost at every threshold, on all cases.

        Returns
        -------
        Table
            The columns entity, threshold, positive (the share of cases called positive) and cost, per case.
        """
        parts = {name: self.sweeps.sweep(name, self.shift_prior) for name in self.models}
        return Table(
            {
                "entity": [name for name, points in parts.items() for _ in range(len(points))],
                "threshold": np.concatenate([points.thresholds for points in parts.values()]),
                "positive": np.concatenate([self.sweeps[name].performances.prediction_rates for name in parts]),
                "cost": np.concatenate([self.costs.expected(points.performances) for points in parts.values()]),
            }
        )

    def positive_share(self, name: str, threshold: float) -> float:
        """Return the share of the cases that a model calls positive at a threshold.

        Parameters
        ----------
        name
            The model.
        threshold
            The threshold; a case is positive if its score is at least as large.

        Returns
        -------
        float
            The share, in [0, 1].
        """
        return float(self.sweeps[name].at(threshold).prediction_rates[0])

    @property
    def heading(self) -> str:
        """What to deploy, in one line."""
        return f"{self.rule}: {self.costs.text(self.cost)}"

    @property
    def constant(self) -> bool:
        """Whether all cases are to be called the same, because no model pays off."""
        return isinf(self.threshold)

    @property
    def rule(self) -> str:
        """What to do, as it is read."""
        if self.constant:
            return "Call every case " + ("negative" if self.threshold > 0 else "positive")
        return f"Deploy {self.entity} at score ≥ {exact(self.threshold)}"

    def document(self) -> Mapping[str, object]:
        """Return the decision as data, costs per case.

        Returns
        -------
        mapping
            The part of a JSON document; its costs are per case.
        """
        called = "all negative" if self.threshold > 0 else "all positive"
        return {
            "entity": self.entity,
            "rule": called if self.constant else "threshold",
            "threshold": self.threshold,
            "cost": self.cost,
            "cost_interval": self.cost_interval,
            "p_cheapest": self.p_cheapest,
            "sure": self.sure,
            "costs": self.costs.document(),
            "prior": self.prior,
            "shift_prior": self.shift_prior,
            "ratio": self.ratio,
            "prior_range": self.prior_range,
            "ratio_range": self.ratio_range,
            "threshold_interval": self.threshold_interval,
            "loss_if_off": self.loss_if_off,
            "optimism": self.optimism,
            "candidates": [vars(each) for each in self.candidates],
            "alternatives": [vars(each) for each in self.alternatives],
            "answers": [{"ratio_low": low, "ratio_high": high, "entity": name} for low, high, name in self.answers],
            "folds": self.folds,
            "seed": self.seed,
            "paired": self.paired,
            "cases": self.cases,
            "positives": self.positives,
            "notes": self.notes,
        }

    def __str__(self) -> str:
        return f"{self.heading}; {counted(len(self.candidates), 'model')} compared"

"""The record of a decision: what to deploy, what it costs, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isinf, sqrt
from statistics import stdev
from typing import Literal

import numpy as np

from .._costs import Costs
from ..domains.grid import Prepared
from ..performances import Performances
from ..results import DrawnResult, Table
from ..texts import exact
from .sweeps import Sweeps

SURE = 0.95
"""A model is surely the cheapest from this probability on."""

Interval = tuple[float, float]
Kind = Literal["in use", "at 0.5", "next model", "constant", "new choice"]


@dataclass(frozen=True)
class Candidate:
    """One of the models: its threshold, and what it is expected to cost per case there.

    Attributes
    ----------
    entity, threshold
        The model, and where it calls a case positive.
    cost
        The expected cost per case: of the first, where it is chosen, the stated one. The others cost so much more as
        they do by themselves, halfway between all cases at this threshold and the ``cross_fitted`` cost.
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

    See Also
    --------
    rankscape.decisions.Decision
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
    """An alternative to the decision: its cost per case, and what the decision saves against it.

    Attributes
    ----------
    name
        How the alternative is called in texts.
    kind
        "in use" for a threshold that is, "at 0.5" for that threshold of the model to deploy, "next model" for the
        second of the candidates, "constant" for calling every case alike, and "new choice" for what rankscape would
        choose, where what is in use stays.
    entity, threshold
        The model and its threshold; the entity of a constant answer is None.
    cost, compared_with, saved
        The cost per case, the cost that it is compared with, and the difference of the two, negative where the
        alternative is cheaper. It is compared with the decision, and the next model with the first of the candidates.
    interval, p_cheaper
        The 95 % interval of what is saved, and the probability that the decision is cheaper; None where nothing can be
        drawn.

    See Also
    --------
    rankscape.decisions.Decision
    """

    name: str
    kind: Kind
    entity: str | None
    threshold: float
    cost: float
    compared_with: float
    saved: float
    interval: Interval | None
    p_cheaper: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Decision(DrawnResult):
    """The model and the threshold to deploy.

    Predict positive if score ≥ ``threshold``. Model and threshold were chosen without the cases on which they are
    judged. What is in use stays where it costs less in expectation than that choice (:attr:`kept`). Get one from
    :func:`decide`.

    Attributes
    ----------
    costs
        What each error costs.
    entity, threshold
        The model to deploy, and its threshold: the new choice, or what is in use where that stays.
    cost, cost_interval
        The expected cost per case, and its 95 % interval; None where nothing can be drawn.
    p_cheapest
        The probability that the first of the candidates is the cheapest, each with its own threshold.
    candidates
        The models, the cheapest first.
    alternatives
        What else one could do.
    threshold_interval
        It holds the best threshold of the first candidate in 95 % of draws of other cases.
    loss_if_off
        How much more the worse end of that interval would cost per case on these cases.
    prior, ratio
        The share of positives of the answer, and how many false alarms a miss is worth.
    prior_range, ratio_range
        How far each may move, the other one fixed, until another choice is cheaper; None where that is not known. Where
        another is cheaper on a range narrower than 5 % only, the choice stays.
    prior_ranges, ratio_ranges
        All ranges on which the new choice is the cheapest, as (low, high), in ascending order.
    answers
        The model to deploy for all ratios, as (low, high, entity).
    performance, performances
        The performance of the choice made inside the folds, or of what stays in use, and those of all models, their
        thresholds chosen inside the folds, in the present division into folds.
    sweeps
        The scores that were read.
    prepared
        How performances were averaged over domains and shifted; ``pooled_prior`` is the share without averaging.
    cost_of_folds
        The cost of the new choice for several divisions into folds, the present one first; empty where only one was
        made. The stated cost is their mean, and ``cost_error`` the standard error of that.
    shift_prior
        The share of positives that was asked for, or None.
    folds, seed
        The number of folds, and the seed of folds and draws.
    cases, positives
        How many there are, or sums of weights.
    notes
        What a reader must know.

    See Also
    --------
    rankscape.decisions.decide
    rankscape.gate

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

    entity: str
    threshold: float
    cost: float
    cost_interval: Interval | None
    p_cheapest: float | None
    costs: Costs
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
    prepared: Prepared = field(repr=False)
    prior_ranges: tuple[Interval, ...] = ()
    ratio_ranges: tuple[Interval, ...] = ()
    cost_of_folds: tuple[float, ...] = ()
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
    def new(self) -> Alternative | None:
        """The new choice of rankscape where the model in use stays; None where the decision is that choice."""
        return next((each for each in self.alternatives if each.kind == "new choice"), None)

    @property
    def kept(self) -> bool:
        """Whether the model in use stays because its expected cost is lower than that of the new choice."""
        return self.new is not None

    @property
    def pooled_prior(self) -> float:
        """The share of positives of all cases, pooled over domains."""
        return self.positives / self.cases

    @property
    def sure(self) -> bool:
        """Whether the first candidate is the cheapest with a probability of 95 % or more."""
        return self.p_cheapest is None or self.p_cheapest >= SURE

    @property
    def cost_error(self) -> float | None:
        """The standard error of the mean over divisions into folds; None where one was made."""
        costs = self.cost_of_folds
        return stdev(costs) / sqrt(len(costs)) if len(costs) > 1 else None

    @property
    def optimism(self) -> float:
        """How much the best threshold of the first candidate on all cases understates its cost per case."""
        chosen = self.candidates[0]
        return chosen.cross_fitted - chosen.flattered

    def table(self) -> Table:
        """Return one row per model, the one to deploy first, and per alternative: cost per case and what is saved.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        nothing, columns = (None, None), ("kind", "entity", "threshold", "cost", "cost_low", "cost_high", "p_cheapest",
                                          "p_cheaper", "compared_with", "saved", "saved_low", "saved_high")  # fmt: skip
        models = [
            ("model", m.entity, m.threshold, m.cost, *(m.interval or nothing), m.p_cheapest, *[None] * 5)
            for m in self.candidates
        ]
        others = [
            ("alternative", a.name, a.threshold, a.cost, *[None] * 3, a.p_cheaper, a.compared_with, a.saved)
            + (a.interval or nothing)
            for a in self.alternatives
        ]
        return Table(dict(zip(columns, map(list, zip(*models, *others, strict=True)), strict=True)))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of the data."""
        return self.sweeps.names

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
        """Whether the choice is to call all cases the same, because no model pays off."""
        return isinf(self.threshold if self.new is None else self.new.threshold)

    @property
    def rule(self) -> str:
        """What to do, as it is read."""
        if self.kept:
            return f"Keep {self.entity} at score ≥ {exact(self.threshold)}"
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
        made = {
            "rule": called if isinf(self.threshold) else "threshold",
            "cost_of_folds": self.cost_of_folds or None,
            "costs": self.costs.document(),
            "prepared": self.prepared.document(),
            "candidates": [vars(each) for each in self.candidates],
            "alternatives": [vars(each) for each in self.alternatives],
            "answers": [{"ratio_low": low, "ratio_high": high, "entity": name} for low, high, name in self.answers],
        }
        named = [f.name for f in fields(self) if f.name not in ("performance", "performances", "sweeps")]
        named += ["kept", "cost_error", "sure", "pooled_prior", "optimism", "paired"]
        return {name: made.pop(name) if name in made else getattr(self, name) for name in named} | made

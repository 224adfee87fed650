"""The record of a decision: what to deploy, what it costs, how sure that is, and what would change it.

At which costs, and at which share of positives, which model would be deployed is exact. With λ = c_fn·w₊ / (c_fp·w₋),
where w are the weights that a prior gives to the cases of a class, the expected cost is proportional to λ·fn + fp. The
best threshold on some folds is a vertex of their ROC hull, the same one between two slopes of the hull; a threshold to
be deployed is a mean of such places, so a model's false positives and negatives, on all cases and cross-fitted, are
steps along λ, and between two steps models are compared as lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import pairwise
from math import inf, isinf, sqrt
from statistics import stdev
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._costs import Costs
from ..domains.grid import Prepared
from ..lines import Line, walk
from ..performances import Performances
from ..results import DrawnResult, Table
from ..texts import exact
from ..typing import Integers
from .sweeps import FoldedModel, Kept, Sweeps, rounded_mean

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


# Where another model would be deployed


@dataclass(frozen=True)
class Stretch:
    """Where ``choice`` is made: for λ from ``low`` to ``high``, relative to the present λ = 1.

    It is a model, or after the models to call every case negative, or positive.
    """

    low: Fraction
    high: Fraction | float
    choice: int


NARROW = 1.05
"""A range of λ whose upper end is less than so many times the lower one is a sliver: that it is there is chance."""


def around(parts: Sequence[Stretch], chosen: int) -> tuple[Fraction | None, Fraction | float]:
    """Return the range around the present, λ = 1, on which the choice stays; slivers where others cost less are no end.

    The range goes on behind a sliver where the choice is the cheapest again for at least as long.

    >>> parts = [Stretch(Fraction(n), Fraction(n + 2), 0) for n in (0, 100)]
    >>> parts.insert(1, Stretch(Fraction(2), Fraction(100), 1))
    >>> around(parts, 0), around([*parts[:1], Stretch(Fraction(2), Fraction(201, 100), 1)], 0)
    ((Fraction(0, 1), Fraction(2, 1)), (Fraction(0, 1), Fraction(2, 1)))
    """
    here = next((i for i, p in enumerate(parts) if p.choice == chosen and p.low <= 1 <= p.high), None)
    if here is None:
        return None, inf
    low, high = parts[here].low, parts[here].high
    for part in (part for part in parts[here + 1 :] if part.choice == chosen):
        if not _bridged(_times(high, part.low), part):
            break
        high = part.high
    for part in (part for part in reversed(parts[:here]) if part.choice == chosen):
        if not _bridged(_times(part.high, low), part):
            break
        low = part.low
    return low, high


def _bridged(gap: float, part: Stretch) -> bool:
    """Tell whether the range goes on behind a gap."""
    return gap < NARROW and _times(part.low, part.high) >= gap


def _times(low: Fraction | float, high: Fraction | float) -> float:
    return float(high / low) if low else inf


class Steps(NamedTuple):
    """What a model does between every two cuts of λ, at the thresholds that it has there.

    ``both`` are the sums of its errors at the threshold to be deployed, on all cases, and of those cross-fitted;
    ``fitted`` are the latter, (fp, fn) each, and ``final`` is the place of the threshold.
    """

    both: list[tuple[int, int]]
    fitted: list[tuple[int, int]]
    final: list[int]


def stretches(models: Sequence[FoldedModel], ratio: Fraction, order: Sequence[int]) -> list[Stretch]:
    """Return which model costs the least at every λ, as a multiple of the present ``ratio``, or a constant answer.

    A constant answer is chosen where it costs less than that model does cross-fitted, or where the model itself calls
    every case alike. Of models that cost the same on a stretch, cross-fitted too, the first in ``order`` is named: with
    the present choice first, its range ends only where another model costs less. At a λ between two stretches
    thresholds tie, so that single points may have another answer.
    """
    called = [*order, len(models), len(models) + 1]
    models = [models[i] for i in order]
    slopes = [{kept: _slopes(model, kept) for kept in _used(model)} for model in models]
    cuts = sorted({slope for of_model in slopes for each in of_model.values() for slope in each})
    place = {cut: i for i, cut in enumerate(cuts)}
    steps = [_steps(model, each, place) for model, each in zip(models, slopes, strict=True)]
    totals = [int(model.total) for model in models]
    negatives, positives = (sum(int(sums[side][-1]) for sums in models[0].sums) for side in (0, 1))
    constants: list[Line] = [(totals[0], 0, 0, positives), (totals[0], 0, negatives, 0)]
    ends: list[Fraction | float] = [Fraction(0), *cuts, inf]
    out: list[Stretch] = []
    for i, (start, end) in enumerate(pairwise(ends)):
        both: list[Line] = [(2 * n, 0, *one.both[i]) for one, n in zip(steps, totals, strict=True)]
        fitted: list[Line] = [(n, 0, *one.fitted[i]) for one, n in zip(steps, totals, strict=True)]
        for first, last, alike in _cheapest(both, Fraction(start), end):
            for left, right, best in _cheapest([fitted[k] for k in alike], first, last):
                model = alike[best[0]]
                answers = [(model, fitted[model]), *enumerate(constants, start=len(models))]
                if steps[model].final[i] in (0, models[model].last):
                    del answers[0]
                for low, high, which in _cheapest([line for _, line in answers], left, right):
                    choice = answers[which[0]][0]
                    before = out.pop() if out and out[-1].choice == choice else None
                    out.append(Stretch(before.low if before else low, high, choice))
    return [Stretch(s.low / ratio, s.high / ratio, called[s.choice]) for s in out]


def _cheapest(
    lines: Sequence[Line], start: Fraction, end: Fraction | float
) -> Iterator[tuple[Fraction, Fraction | float, list[int]]]:
    """Yield which lines cost least from ``start`` to ``end``, all that are equal: the first in the larger total/cost.

    >>> list(_cheapest([(10, 0, 2, 1), (10, 0, 1, 2)], Fraction(0), 2))
    [(Fraction(0, 1), Fraction(1, 1), [1]), (Fraction(1, 1), 2, [0])]
    """
    for low, high, best in walk(lines, start):
        if high is None or high >= end:
            yield low, end, best
            return
        yield low, high, best


def _used(model: FoldedModel) -> set[Kept]:
    """Return the sets of folds on which thresholds are chosen, for all cases and for each fold left out."""
    every = model.everywhere
    left = [every, *(every - {fold} for fold in every)]
    return {kept for folds in left for kept in model.samples(folds)}


def _slopes(model: FoldedModel, kept: Kept) -> list[Fraction]:
    """Return the λ at which the best place on some folds moves from a vertex of the hull to the next, ascending."""
    _, fp, tp = model.hull(kept)
    steps = zip(np.diff(fp).tolist(), np.diff(tp).tolist(), strict=True)
    return [Fraction(int(wrong), int(right)) for wrong, right in steps]


def _steps(model: FoldedModel, slopes: dict[Kept, list[Fraction]], place: dict[Fraction, int]) -> Steps:
    """Return what a model does between every two cuts."""
    n = len(place) + 1
    best: dict[Kept, Integers] = {}
    for kept, ascending in slopes.items():
        steps = np.zeros(n, dtype=np.int64)
        np.add.at(steps, [place[slope] + 1 for slope in ascending], 1)
        best[kept] = model.hull(kept)[0][np.cumsum(steps)]

    def places(folds: Kept) -> Integers:
        return rounded_mean([best[kept] for kept in model.samples(folds)])

    every = model.everywhere
    final = places(every)

    def errors(sums: tuple[NDArray[Any], NDArray[Any]], at: Integers) -> list[tuple[int, int]]:
        fp, tp = sums
        return [(int(x), int(tp[-1]) - int(y)) for x, y in zip(fp[at].tolist(), tp[at].tolist(), strict=True)]

    def added(parts: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
        return [(sum(fp for fp, _ in each), sum(fn for _, fn in each)) for each in zip(*parts, strict=True)]

    fitted = added([errors(model.sums[fold], places(every - {fold})) for fold in sorted(every)])
    return Steps(added([fitted, errors(model.subset(every), final)]), fitted, final.tolist())

"""Decide which model to deploy with which threshold, at given costs and a given share of positives, and how sure it is.

How sure a decision is, draws of other cases say. They leave two things out. The thresholds chosen inside the folds are
not the one that is deployed, and neither is always the model. So a normal deviate is added to each cost that stands for
a choice (:func:`doubts`); on simulated worlds intervals hold the true cost with it, and are too narrow without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._costs import Costs
from .._scores import Score, as_score
from ..cases import scored_cases
from ..checks import checked_size, rows_of
from ..domains import prepare
from ..domains.grid import checked_shift
from ..errors import DataError, Option, UsageError
from ..floats import covariances, exps, geometric, lengths, logs, logs1p, products, root, solved
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..texts import exact
from ..typing import Floats, Integers, Number, PriorLike, RandomLike, WeightsLike
from ..uncertainty import drawn_from, evidence_of_counts, rank_intervals
from ..uncertainty.draws import seed_of
from .record import Alternative, Candidate, Decision, Interval, Kind, Stretch, around, stretches
from .regions import NEGATIVE, POSITIVE
from .sweeps import Folded, FoldedModel, Kept, Plan, Sweeps, factors_of, folded
from .thresholds import BestThresholds, Cells, Factors, checked_threshold, exactly

DRAWS = 2000
DIVISIONS = 5
"""Divisions into folds of which costs are compared."""
MOST_CASES = 1_000_000
"""Scores of all models, beyond which one division has to do."""
LEAST, MOST = Fraction(1, 10**100), 10**100  # of a cost: the ratio of two of them, and its square, are floats


PROCEDURE = "the choice made inside the folds"
CONSTANTS = (NEGATIVE, POSITIVE)
"""What is chosen beside the models: these two stand after them."""


class Estimate(NamedTuple):
    """What a model is expected to cost per case at the threshold that is chosen on some folds, up to a factor.

    The cost is estimated halfway between two: on the cases that the threshold was chosen on, where it looks a little
    cheaper than it is, and cross-fitted, with thresholds chosen on fewer cases (``fitted``). Each by itself would
    choose worse, or contradict what is stated. Equal models are sorted by their cross-fitted cost, then by name.
    """

    cost: Fraction
    fitted: Fraction
    name: str
    model: int
    place: int
    plan: Plan


@dataclass(frozen=True)
class Chosen:
    """What is chosen, knowing all folds, and knowing all but one.

    ``order`` are the models from the first to be deployed on; ``choice`` is the first, or a constant answer
    (``constant``: its place among ``CONSTANTS``, else None). ``inside`` is what would be chosen without each fold, and
    ``plan`` does that there; ``changed`` is how much more it costs than the choice does.
    """

    order: list[Estimate]
    choice: int
    constant: int | None
    inside: list[int]
    plan: Plan
    changed: float

    @property
    def best(self) -> Estimate:
        """The cheapest model."""
        return self.order[0]

    @property
    def optimism(self) -> dict[str, float]:
        """How much less each model costs on the cases that its threshold was chosen on than cross-fitted."""
        return {one.name: 2 * float(one.fitted - one.cost) for one in self.order}


def spent(plan: Plan, costs: Costs) -> Fraction:
    """Return the cost of errors per case of some folds, up to a factor, exactly."""
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    models = {model for model, _ in plan.values()}
    totals = {model: sum((model.size(fold) for fold in plan), start=Fraction(0)) for model in models}
    cost = Fraction(0)
    for fold, (model, place) in plan.items():
        fp, fn = model.errors(fold, place)
        cost += (negative * fp + positive * fn) / totals[model]
    return cost


def estimates(cases: Folded, folds: Kept, score: Score, costs: Costs) -> list[Estimate]:
    """Return what each model is expected to cost, knowing some folds, from the first to be deployed on."""
    out = []
    for i, model in enumerate(cases.models):
        place = model.place(folds, score)
        plan = {judge: (model, model.place(folds - {judge}, score)) for judge in sorted(folds)}
        here, fitted = spent(dict.fromkeys(sorted(folds), (model, place)), costs), spent(plan, costs)
        out.append(Estimate((here + fitted) / 2, fitted, model.cells.name, i, place, plan))
    return sorted(out, key=lambda one: one[:3])


def choice_of(cases: Folded, best: Estimate, folds: Kept, costs: Costs) -> int:
    """Return the best model, or the cheaper constant answer where that costs less than the model, cross-fitted.

    A model that calls every case alike at its place would be a constant answer by another name.
    """
    n, first = len(cases.models), cases.models[0]
    constants = [spent(dict.fromkeys(sorted(folds), (first, end)), costs) for end in (0, first.last)]
    alike = best.place in (0, cases.models[best.model].last)
    return n + constants.index(min(constants)) if alike or best.fitted > min(constants) else best.model


def chosen_without(cases: Folded, fold: int, score: Score, costs: Costs) -> int:
    """Return what would be deployed, knowing all folds but one."""
    rest = cases.everywhere - {fold}
    return choice_of(cases, estimates(cases, rest, score, costs)[0], rest, costs)


def chosen_of(cases: Folded, score: Score, costs: Costs) -> Chosen:
    """Choose a model and its threshold, or a constant answer."""
    n, every = len(cases.models), sorted(cases.everywhere)
    order = estimates(cases, cases.everywhere, score, costs)
    choice = choice_of(cases, order[0], cases.everywhere, costs)
    constant = choice - n if choice >= n else None  # then its cost owes nothing to a choice
    inside = [choice if constant is not None else chosen_without(cases, fold, score, costs) for fold in every]
    plans: dict[int, Plan] = {one.model: one.plan for one in order}
    plans |= {n + k: dict.fromkeys(every, (cases.models[0], end)) for k, end in enumerate((0, cases.models[0].last))}
    plan = {fold: plans[inside[fold]][fold] for fold in every}
    return Chosen(order, choice, constant, inside, plan, float(spent(plan, costs) - spent(plans[choice], costs)))


class Other(NamedTuple):
    """What else one could do: a model (None for none) at a threshold, on all folds."""

    name: str
    kind: Kind
    entity: str | None
    threshold: float
    plan: Plan


def compared(
    cases: Folded,
    what: Chosen,
    drawn: Callable[[Performances], DrawnCosts],
    chance: float,
    others: Sequence[Other],
    spread: DrawnCosts,
    new: Other,
) -> tuple[Other | None, DrawnCosts, tuple[Alternative, ...]]:
    """Return what is kept, or None, the costs of the decision, and the alternatives, compared with it.

    What is in use stays where it costs less in expectation than the choice made inside the folds, the ``new`` one, by
    the comparison that is stated; of several in use, the cheapest. All alternatives are then compared with it. The next
    model alone is compared with the cheapest one, both at their own thresholds. ``chance`` is by how much the mean over
    divisions into folds differs from the cost of the present one.
    """

    def beside(other: Other, name: str, plan: Plan) -> DrawnCosts:
        return drawn(cases.performances({name: plan, other.name: other.plan})).moved({PROCEDURE: chance})

    columns = {o.name: beside(o, PROCEDURE, what.plan) for o in others if o.kind != "next model"}
    costs = [(columns[o.name].cost(o.name), columns[o.name].cost(PROCEDURE), o) for o in others if o.kind == "in use"]
    cheaper = [(cost, o) for cost, of_new, o in costs if cost < of_new]
    kept = min(cheaper, key=lambda one: one[0])[1] if cheaper else None
    out = []
    for other in others:
        here, there, on = PROCEDURE if kept is None else kept.name, other.name, columns.get(other.name, spread)
        if other.kind == "next model":
            here, there = what.best.name, str(other.entity)
        elif kept is other:
            other, there = new, PROCEDURE
        elif kept is not None:
            on = beside(other, kept.name, kept.plan)
        saved, interval, p_cheaper = on.saved(here, there)
        p_cheaper = None if other.kind == "next model" else p_cheaper  # of models, P(cheapest) says it
        out.append(Alternative(*other[:4], on.cost(there), on.cost(here), saved, interval, p_cheaper))
    return kept, spread if kept is None else columns[kept.name], tuple(out)


def decide(
    y_true: ArrayLike | Sweeps,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    costs: Costs,
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
    sweeps, unit = _sweeps_of(y_true, y_score), checked_costs(costs)
    score, number, seed = as_score(unit), checked_shift(prior, TWO_CLASS, "prior"), seed_of(rng)
    draws = checked_draws(draws)
    _refuse_beyond_floats(sweeps)
    _refuse_different_priors(sweeps, number)
    cases = folded(sweeps, folds, seed, number)
    what = chosen_of(cases, score, unit)
    first, constant = what.best, what.constant
    model = cases.models[first.model]
    _, negative, positive, _ = (Fraction(weight) for weight in unit.importance.tolist())
    ratio = positive / negative if negative else None  # how many false alarms a miss is worth
    alone, both = doubts(list(what.optimism.values()), what.changed)
    doubt = dict.fromkeys(cases.names, alone) | {PROCEDURE: both if constant is None else 0.0}

    def drawn(columns: Performances) -> DrawnCosts:
        return drawn_costs(columns, unit, sweeps.weights, prior, draws, seed, doubt)

    plans = {one.name: one.plan for one in what.order}
    fitted = {name: plans[name] for name in cases.names}
    everyone, performances = cases.performances({PROCEDURE: what.plan} | fitted), cases.performances(fitted)
    by_itself = drawn(everyone).moved({name: -excess / 2 for name, excess in what.optimism.items()})
    of_folds = _of_other_folds(sweeps, cases, what, score, unit, number, seed, by_itself.cost(PROCEDURE))
    chance = fmean(of_folds) - of_folds[0] if of_folds else 0.0  # of the division into folds that came first
    # Models are stated on the level of the choice: that of the first, and how much more the others cost. A model by
    # itself leaves out the choice among models, and two costs of one model would be one too many.
    spread = by_itself.moved({PROCEDURE: chance})
    step = 0.0 if constant is not None else spread.cost(PROCEDURE) - spread.cost(first.name)
    spread = spread.moved(dict.fromkeys(cases.names, step))
    of_two = p_first_of_two(performances, score, sweeps.weights, prior, draws, seed)
    chances = of_two or p_cheapest(spread, cases.names, seed)
    candidates = _candidates(what, cases, spread, by_itself, sweeps.best(score, prior=prior), unit, chances)
    threshold = candidates[0].threshold if constant is None else (inf, -inf)[constant]
    title = f"{first.name} at {exact(threshold)}" if constant is None else CONSTANTS[constant]
    new = Other(f"{title}, the new choice", "new choice", first.name if constant is None else None, threshold, {})
    others = _others(cases, what, candidates, current)
    kept, stated, alternatives = compared(cases, what, drawn, chance, others, spread, new)
    deployed = PROCEDURE if kept is None else kept.name
    prepared = prepare(performances, weights=sweeps.weights, shift_prior=prior)
    present = float(prepared.performances.priors[first.model])
    place = first.place if constant is None else (0, model.last)[constant]
    interval, loss = _if_off(sweeps, model, number, ratio, place, unit, seed)
    return Decision(
        costs=unit, entity=first.name if kept is None else str(kept.entity),
        threshold=threshold if kept is None else kept.threshold,
        cost=stated.cost(deployed), cost_interval=stated.interval(deployed), p_cheapest=candidates[0].p_cheapest,
        candidates=candidates, alternatives=alternatives,
        threshold_interval=interval, loss_if_off=loss, prior=present, ratio=inf if ratio is None else float(ratio),
        **_ranges(cases, what, ratio, present),
        performance=everyone[PROCEDURE] if kept is None else cases.performances({kept.name: kept.plan}),
        performances=performances, sweeps=sweeps, prepared=prepared, cost_of_folds=of_folds,
        shift_prior=None if number is None else float(number), folds=cases.number, seed=seed,
        cases=model.cells.total.item(), positives=model.cells.positives.sum().item(), notes=cases.notes + sweeps.notes,
    )  # fmt: skip


def _sweeps_of(y_true: ArrayLike | Sweeps, y_score: ArrayLike | Mapping[str, ArrayLike] | None) -> Sweeps:
    """Return the models with their scores, whichever way they are given."""
    if isinstance(y_true, Sweeps):
        if y_score is not None:
            raise UsageError("y_score= belongs to sweep(), which made these sweeps: give it there")
        return y_true
    if y_score is None:
        raise UsageError("expected scores, as in decide(y_true, y_score), or what sweep() makes of a table")
    several = isinstance(y_score, Mapping) or hasattr(y_score, "columns")
    return scored_cases(y_true, y_score if several else {"model": y_score}).sweep()


def _ranges(cases: Folded, what: Chosen, ratio: Fraction | None, present: float) -> dict[str, Any]:
    """Return, as fields of the decision, at which ratios and priors what is chosen; none where nothing changes it."""
    parts: list[Stretch] = []
    if ratio and 0 < present < 1 and all(model.cells.whole for model in cases.models):
        parts = stretches(cases.models, ratio, [one.model for one in what.order])

    def both(low: Fraction, high: Fraction | float) -> tuple[Interval, Interval]:
        factor = ratio or 0
        return (_prior_at(present, low), _prior_at(present, high)), (float(low * factor), float(high * factor))

    low, high = around(parts, what.choice)
    here = (None, None) if low is None else both(low, high)
    every = [both(part.low, part.high) for part in parts if part.choice == what.choice]
    called = [*cases.names, *CONSTANTS]
    return {
        "prior_range": here[0], "ratio_range": here[1],
        "prior_ranges": tuple(priors for priors, _ in every), "ratio_ranges": tuple(ratios for _, ratios in every),
        "answers": tuple((*both(part.low, part.high)[1], called[part.choice]) for part in parts),
    }  # fmt: skip


def _others(
    cases: Folded, what: Chosen, candidates: Sequence[Candidate], current: Number | Mapping[str, Number] | None
) -> list[Other]:
    """Return what else one could do."""
    models = dict(zip(cases.names, cases.models, strict=True))
    chosen = what.best.name

    def at(name: str | None, threshold: float) -> Plan:
        model = cases.models[0] if name is None else models[name]
        place = int(np.searchsorted(-model.cells.thresholds, -threshold, side="right"))
        return dict.fromkeys(range(cases.number), (model, place))

    others: list[Other] = []
    if current is not None:
        for name, given in (current if isinstance(current, Mapping) else {chosen: current}).items():
            rows_of(cases.names, name, "model")  # raises for an unknown one
            number = checked_threshold(given, name)
            others.append(Other(f"{name} at {exact(number)}, in use", "in use", name, number, at(name, number)))
    thresholds = models[chosen].cells.thresholds
    in_unit = thresholds[-1] >= 0 and thresholds[0] <= 1
    if in_unit and all((one.entity, one.threshold) != (chosen, 0.5) for one in others):
        others.append(Other(f"{chosen} at 0.5", "at 0.5", chosen, 0.5, at(chosen, 0.5)))
    if len(candidates) > 1 and what.constant is None:
        name = candidates[1].entity
        others.append(Other(f"{name}, the next model", "next model", name, candidates[1].threshold, {}))
    for place, (name, threshold) in enumerate(zip(CONSTANTS, (inf, -inf), strict=True)):
        if place != what.constant:
            others.append(Other(name, "constant", None, threshold, at(None, threshold)))
    return others


def _of_other_folds(
    sweeps: Sweeps,
    cases: Folded,
    what: Chosen,
    score: Score,
    costs: Costs,
    prior: Fraction | None,
    seed: int,
    cost: float,
) -> tuple[float, ...]:
    """Return the cost of the choice made inside the folds, for these folds and for others, drawn; () where costly."""
    # A constant answer costs the same for all of them, and given folds are the only ones.
    size = sum(len(model.fold) for model in cases.models)
    if sweeps.folds is not None or what.constant is not None or size > MOST_CASES:
        return ()
    out = [cost]
    for other in range(1, DIVISIONS):
        again = folded(sweeps, cases.number, np.random.default_rng([seed, other]), prior)
        moved = spent(chosen_of(again, score, costs).plan, costs) - spent(what.plan, costs)
        out.append(cost + float(moved))
    return tuple(out)


def _candidates(
    what: Chosen,
    cases: Folded,
    spread: DrawnCosts,
    by_itself: DrawnCosts,
    best: BestThresholds,
    costs: Costs,
    chances: Mapping[str, float] | None,
) -> tuple[Candidate, ...]:
    """Return the models, the first to be deployed first."""
    # How far costs were moved to the level of the stated one is an estimate, too, so intervals are wider by that.
    first = what.best.name
    step = spread.cost(first) - by_itself.cost(first)
    stated = {first: spread.interval(PROCEDURE)} if what.constant is None else {}
    return tuple(
        Candidate(
            entity=one.name,
            threshold=_threshold(cases.models[one.model], one.place),
            cost=spread.cost(one.name),
            cross_fitted=by_itself.cost(one.name) + what.optimism[one.name] / 2,
            interval=stated[one.name] if one.name in stated else spread.interval(one.name, abs(step)),
            p_cheapest=None if chances is None else chances[one.name],
            best_threshold=best[one.name].threshold,
            flattered=float(costs.expected(best[one.name].performance)[0]),
            folds_chosen=what.inside.count(one.model),
        )
        for one in what.order
    )


def checked_costs(costs: Costs) -> Costs:
    """Return what errors cost."""
    if isinstance(costs, Costs):
        if any(cost and not LEAST <= abs(cost) <= MOST for cost in costs.by_outcome):
            raise UsageError(
                "a cost must be 0, or lie between 1e-100 and 1e100", got=costs.phrase, way_out="choose another unit"
            )
        return costs
    raise UsageError(
        [Option("costs"), " say what each error costs"], expected="rankscape.costs(miss=20, false_alarm=1)",
        got=f"{costs!r:.80}",
    )  # fmt: skip


def _refuse_different_priors(sweeps: Sweeps, prior: Fraction | None) -> None:
    """Costs of models tried on samples with different shares of positives cannot be compared."""
    if prior is not None or sweeps.paired:
        return
    every = [factors_of(sweeps, cells) for cells in sweeps.models]
    sums = [cells.sums(factors) for cells, factors in zip(sweeps.models, every, strict=True)]
    shares = {exactly(tp[-1]) / (exactly(fp[-1]) + exactly(tp[-1])) for fp, tp in sums}
    if len(shares) > 1:
        raise DataError(
            f"the models were tried on different cases: their shares of positives go from {float(min(shares)):.4g} to "
            f"{float(max(shares)):.4g}, so their costs cannot be compared",
            way_out=Option("shift_prior", python="pass prior=, the share where the model will be used",
                           shell="give the share where the model will be used, as in --shift-prior 0.02"),
        )  # fmt: skip


def _refuse_beyond_floats(sweeps: Sweeps) -> None:
    """Refuse scores that floats would merge: the threshold to deploy lies between two of them."""
    beyond = next((cells for cells in sweeps.models if cells.thresholds.dtype == object), None)
    if beyond is not None:
        raise DataError(
            f"the scores of {beyond.name!r} are numbers that floats would round, such as {beyond.thresholds[-1]}",
            expected="scores that differ as floats",
            way_out="subtract one number from all scores, or divide them",
        )


def _around(model: FoldedModel, place: int) -> tuple[float, float]:
    """Return the scores above and below the thresholds of a place."""
    upper = inf if place == 0 else float(model.cells.thresholds[place - 1])
    return upper, float(model.cells.below[place])


def _threshold(model: FoldedModel, place: int) -> float:
    return short_between(*_around(model, place))


def _prior_at(prior: float, factor: Fraction | float) -> float:
    """Return the share of positives whose odds are multiplied."""
    if isinf(factor):
        return 1.0
    return float(prior * float(factor) / (1 - prior + prior * float(factor)))


def _if_off(
    sweeps: Sweeps,
    model: FoldedModel,
    prior: Fraction | None,
    ratio: Fraction | None,
    place: int,
    costs: Costs,
    seed: int,
) -> tuple[Interval, float]:
    """Return where the best threshold is in 95 % of draws, and what its worse end would cost more on these cases."""
    here, points = _threshold(model, place), sweeps.sweep(model.cells.name, prior)
    if ratio is None:
        return (here, here), 0.0
    # the more are positive, the lower is the threshold
    drawn = np.quantile(
        -drawn_places(model.cells, factors_of(sweeps, model.cells, prior), ratio, seed), ENDS, method="inverted_cdf"
    )
    ends = [here if at == place else between(*_around(model, at)) for at in (-drawn).astype(int).tolist()]
    low, high = min(ends[0], here), max(ends[1], here)
    costs_there = [float(costs.expected(points.at(end))[0]) for end in (here, low, high)]
    return (low, high), max(costs_there) - costs_there[0]


COARSE = 4096
"""Thresholds that draws choose among: of more, every so many cases one."""

THRESHOLD_DRAWS = 400

FEWEST_DRAWS = 100
"""Of fewer draws the ends of an interval are those of a few, and a probability is soon 1."""

ENDS, NORMAL = (0.025, 0.975), 1.96
"""Of a 95 % interval: the quantiles, and the deviate of a normal distribution."""

ROUNDING = 1e-12
"""Costs of models that differ by no more than this share of a cost may be equal but for rounding."""

SPREADS = geometric(0.03, 100, 40)
"""How far models may be apart, in units of the noise of their differences."""


@dataclass(frozen=True)
class DrawnCosts:
    """The expected costs per case of several decisions: as observed, (n,), and in draws of other cases (draws, n).

    ``bounds`` are the least and the most that a case can cost.
    """

    names: tuple[str, ...]
    observed: Floats
    draws: Floats | None
    bounds: tuple[float, float] = (-np.inf, np.inf)

    def cost(self, name: str) -> float:
        """Return a cost per case."""
        return float(self.observed[self.names.index(name)])

    def moved(self, by: Mapping[str, float]) -> DrawnCosts:
        """Return the costs with some of them moved, draws and all."""
        steps = np.array([by.get(name, 0.0) for name in self.names])
        draws = None if self.draws is None else self.draws + steps
        return DrawnCosts(self.names, self.observed + steps, draws, self.bounds)

    def interval(self, name: str, doubt: float = 0.0) -> tuple[float, float] | None:
        """Return the 95 % interval of a cost; ``doubt`` is a standard deviation that the draws do not have."""
        i = self.names.index(name)
        if self.draws is None:
            return None
        cost, more = float(self.observed[i]), NORMAL * doubt
        low, high = (
            cost + sign * float(lengths(end - cost, more))
            for sign, end in zip((-1, 1), _ends(self.draws[:, i], cost), strict=True)
        )
        return max(low, self.bounds[0]), min(high, self.bounds[1])

    def saved(self, name: str, against: str) -> tuple[float, tuple[float, float] | None, float | None]:
        """Return what a decision saves per case against another one, the 95 % interval, and P(cheaper), ties halved."""
        i, j = self.names.index(name), self.names.index(against)
        saved = float(self.observed[j] - self.observed[i])
        if self.draws is None:
            return saved, None, None
        difference = self.draws[:, j] - self.draws[:, i]
        low, high = _ends(difference, saved)
        most = self.bounds[1] - self.bounds[0]
        cheaper = float(((difference > 0) + 0.5 * (difference == 0)).mean())
        return saved, (max(low, -most), min(high, most)), cheaper


def _ends(values: Floats, observed: float) -> tuple[float, float]:
    low, high = np.nanquantile(values, ENDS)
    return min(float(low), observed), max(float(high), observed)


def checked_draws(draws: int) -> int:
    """Return the number of draws: none, or enough to tell how sure a decision is."""
    if 0 < checked_size("draws", draws, 0) < FEWEST_DRAWS:
        expected = f"0 (no intervals), or at least {FEWEST_DRAWS}: fewer do not tell how sure a decision is"
        raise UsageError(Option("draws", draws), expected=expected)
    return int(draws)


def doubts(optimism: Sequence[float], changed: float) -> tuple[float, float]:
    """Return the standard deviations that choices add to the cost of a model, and to that of the choice among models.

    ``optimism`` (n,) is how much less each model costs at its threshold on the cases it was chosen on than
    cross-fitted: half of it, in quadratic mean, is how far the deployed threshold may be from those of the folds.
    ``changed`` is the difference of the choice made inside the folds to the model chosen on all cases.

    >>> doubts([0.02, 0.02], 0.0)
    (0.01, 0.01)
    """
    alone = 0.5 * float(np.sqrt(np.mean(np.square(optimism))))
    return alone, float(lengths(alone, changed))


def drawn_costs(
    performances: Performances,
    costs: Costs,
    weights: WeightsLike,
    prior: PriorLike | None,
    draws: int,
    seed: int,
    doubt: Mapping[str, float],
) -> DrawnCosts:
    """Return the costs of decisions of which the performances are known, per domain where there are several.

    Rates are drawn from the data alone, each decision by itself: pooled draws would move what is stated. ``doubt`` are
    standard deviations to be added, by name.
    """
    prepared = prepare(performances, weights=weights, shift_prior=prior).performances
    observed = costs.expected(prepared)
    if performances.counts is None or not draws:
        return DrawnCosts(prepared.names, observed, None)
    drawn = drawn_from(evidence_of_counts(performances, weights), draws, seed, "jeffreys").shift_priors(prior)
    four = np.array(costs.by_outcome, dtype=np.float64)
    masses = drawn.values.astype(np.float64)
    values = (masses * four).sum(axis=-1)
    tn, fp, fn, tp = prepared.mass.T
    negatives, positives = masses[:, :, :2].sum(axis=2), masses[:, :, 2:].sum(axis=2)
    for column, right, wrong in (((fp + tp == 0), 0, 2), ((tn + fn == 0), 1, 3)):  # rates of constant answers are known
        values[:, column] = (negatives * four[right] + positives * four[wrong])[:, column]
    rng = np.random.default_rng([seed, 2])
    for name in sorted(doubt):  # so that the order of the models changes nothing
        deviates = rng.normal(size=draws)
        if name in prepared.names:
            values[:, prepared.names.index(name)] += doubt[name] * deviates
    return DrawnCosts(prepared.names, observed, values, (float(four.min()), float(four.max())))


def p_cheapest(drawn: DrawnCosts, names: Sequence[str], seed: int) -> dict[str, float] | None:
    """Return the probability that each of several models is the cheapest, at its own threshold.

    The costs of the models are taken as exchangeable and normal, around a common mean with a spread that is drawn from
    its posterior (half-Cauchy, in units of the noise of a difference): the one that looks cheapest owes something to
    luck. Rates are not pooled, as they are where models are ranked, because models with different thresholds lie on
    one trade-off of the two rates and cost much the same. Of two models :func:`p_first_of_two` says it.
    """
    if drawn.draws is None or len(names) < 2:
        return None
    ordered = sorted(names)
    at = [drawn.names.index(name) for name in ordered]
    observed, noise = drawn.observed[at], covariances(drawn.draws[:, at])
    n = len(at)
    differences = drawn.draws[:, at] - drawn.draws[:, at[:1]]
    if np.ptp(differences, axis=0).max() <= ROUNDING * np.abs(drawn.draws[:, at]).max():  # the same in every draw
        values = np.where(observed - observed.min() <= ROUNDING * np.abs(observed).max(), 0.0, 1.0)[None]
    else:
        apart = float(np.sqrt(max(0.0, (np.trace(noise) - noise.sum() / n) / (n - 1))))
        values = _pooled((observed - observed.mean()) / apart, noise / apart**2, len(drawn.draws), seed)
    cheapest = values == values.min(axis=1, keepdims=True)
    share = (cheapest / cheapest.sum(axis=1, keepdims=True)).mean(axis=0)
    return dict(zip(ordered, share.tolist(), strict=True))


def p_first_of_two(
    performances: Performances, by: Score, weights: WeightsLike, prior: PriorLike | None, draws: int, seed: int
) -> dict[str, float] | None:
    """Return the probability that each of two models is the cheaper one, as their ranking and a gate state it.

    None for other numbers of models, and where no draws are made.
    """
    if len(set(performances.names)) != 2 or performances.counts is None or not draws:
        return None
    drawn = drawn_from(evidence_of_counts(performances, weights), draws, seed).shift_priors(prior)
    intervals = rank_intervals(drawn, by)
    return dict(zip(intervals.names, intervals.p_first.tolist(), strict=True))


def _pooled(observed: Floats, noise: Floats, draws: int, seed: int) -> Floats:
    """Return draws of exchangeable normal means, (draws, n), given their estimates and the covariance of these."""
    rng = np.random.default_rng([seed, 3])
    n = len(observed)
    kept, log_determinants = solved(
        noise + (SPREADS**2)[:, None, None] * np.eye(n), np.column_stack([np.ones(n), observed, noise])
    )
    ones, off, keep = kept[..., 0], kept[..., 1], kept[..., 2:]
    sure = ones.sum(axis=1)
    mean = off.sum(axis=1) / sure
    off -= mean[:, None] * ones
    fit = log_determinants + logs(sure) + ((observed - mean[:, None]) * off).sum(axis=1)
    log_weights = logs(SPREADS) - logs1p(SPREADS**2) - fit / 2
    weights = exps(log_weights - log_weights.max())
    values = []
    for k, number in enumerate(rng.multinomial(draws, weights / weights.sum()).tolist()):
        if number:
            of_mean = products(noise, ones[k][:, None])
            covariance = noise - products(noise, keep[k]) + of_mean * of_mean.T / sure[k]
            centre = observed - products(noise, off[k][:, None])[:, 0]
            deviates = products(root((covariance + covariance.T) / 2), rng.normal(size=(number, n)).T)
            values.append(centre + deviates.T)
    return np.concatenate(values)


def drawn_places(cells: Cells, factors: Factors, ratio: Fraction, seed: int) -> Integers:
    """Return the place of the best threshold in draws of the cases, for a miss that is worth ``ratio`` false alarms.

    A Bayesian bootstrap: the cases between two thresholds weigh Gamma(how many they are). Of many thresholds, those
    between about equally many cases stand for all.
    """
    rng = np.random.default_rng([seed, 1])
    fp, tp = (np.asarray(total, dtype=np.float64) for total in cells.sums(factors))
    counts = [np.asarray(total, dtype=np.float64) for total in cells.sums([(1, 1)] * len(factors))]
    rows = np.arange(len(fp))
    if len(rows) > COARSE:
        cases = counts[0] + counts[1]
        rows = np.unique(np.searchsorted(cases, np.linspace(0, cases[-1], COARSE)))
        rows[0], rows[-1] = 0, len(fp) - 1
    false_alarms, detections = (
        rng.standard_gamma(cases, size=(THRESHOLD_DRAWS, len(cases))) * (mass / np.where(cases > 0, cases, 1))
        for cases, mass in (
            (np.diff(number[rows]), np.diff(total[rows])) for total, number in ((fp, counts[0]), (tp, counts[1]))
        )
    )
    gain = np.zeros((THRESHOLD_DRAWS, len(rows)))  # none at the first place: nobody is called positive
    np.cumsum(float(ratio) * detections - false_alarms, axis=1, out=gain[:, 1:])
    return np.asarray(rows[np.argmax(gain, axis=1)])


def between(upper: float, lower: float) -> float:
    """Return the middle of two scores, above the lower one; ±∞ where none or all are positive."""
    if isinf(upper) or isinf(lower):
        return inf if isinf(upper) else -inf
    middle = lower / 2 + upper / 2
    return middle if middle > lower else upper


def short_between(upper: float, lower: float) -> float:
    """Return the number of fewest digits that divides two scores, near their middle: score ≥ it holds for ``upper``.

    >>> (
    ...     short_between(0.3712, 0.3298),
    ...     short_between(float("inf"), 0.9),
    ...     short_between(0.1, float("-inf")),
    ... )
    (0.35, inf, -inf)
    """
    middle, room = between(upper, lower), upper - lower
    if isinf(middle):
        return middle
    for digits in range(17):
        number = float(f"{middle:.{digits}e}")
        if abs(number - middle) <= room / 4 and lower < number <= upper:
            return number
    return float(upper)

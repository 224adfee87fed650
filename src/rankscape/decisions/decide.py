"""Decide which model to deploy with which threshold, at given costs and a given share of positives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, isinf
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._costs import Costs
from .._costs import costs as costs_of
from .._scores import Score, as_score
from ..domains import prepare
from ..domains.shift import checked_shift
from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances, concat
from ..texts import exact
from ..typing import Number, PriorLike, RandomLike
from ..uncertainty.draws import seed_of
from .alternatives import Comparison, Other, alternatives_of, compared
from .best import BestThresholds
from .cells import Factors, exactly
from .certainty import (
    ENDS,
    DrawnCosts,
    between,
    checked_draws,
    doubts,
    drawn_costs,
    drawn_thresholds,
    p_cheapest,
    p_first_of_two,
    short_between,
)
from .choice import CONSTANTS, PROCEDURE, Chosen, called_inside, chosen_of, counted_inside, fitted
from .folding import Folded, FoldedModel, folded, judged
from .ranges import around, stretches
from .record import Candidate, Decision, Interval
from .sweeps import Sweeps

DRAWS = 2000
DIVISIONS = 5
"""Divisions into folds of which costs are compared."""
MOST_CASES = 1_000_000
"""Scores of all models, beyond which one division has to do."""
LEAST, MOST = Fraction(1, 10**100), 10**100  # of a cost: the ratio of two of them, and its square, are floats


def decided(
    sweeps: Sweeps,
    costs: Costs | Mapping[str, float] | None = None,
    *,
    prior: PriorLike | None = None,
    folds: int | None = None,
    rng: RandomLike = 0,
    current: Number | Mapping[str, Number] | None = None,
    draws: int = DRAWS,
) -> Decision:
    """Return the decision among the models of some sweeps; see :func:`decide`."""
    unit = checked_costs(costs)
    score, number, seed = as_score(unit), checked_shift(prior, TWO_CLASS, "prior"), seed_of(rng)
    draws = checked_draws(draws)
    _refuse_beyond_floats(sweeps)
    _refuse_different_priors(sweeps, number)
    factors = [sweeps.factors(cells, number) for cells in sweeps.models]
    cases = folded(sweeps, folds, seed, factors)
    what, names = chosen_of(cases, score, unit), cases.names
    best_model, ratio = what.best, _ratio(unit)
    thresholds = [_threshold(model, place) for model, place in zip(cases.models, what.final, strict=True)]
    alone, both = doubts(list(what.optimism.values()), what.changed)
    doubt = dict.fromkeys(names, alone) | {PROCEDURE: both if what.constant is None else 0.0}

    def drawn(columns: Performances) -> DrawnCosts:
        return drawn_costs(columns, unit, sweeps.weights, prior, draws, seed, doubt)

    everyone = _joined(cases, what)
    by_itself = drawn(everyone).moved({name: -excess / 2 for name, excess in what.optimism.items()})
    of_folds = _of_other_folds(sweeps, cases, what, score, unit, factors, seed, by_itself)
    chance = fmean(of_folds) - of_folds[0] if of_folds else 0.0  # of the division into folds that came first
    spread = _stated(by_itself.moved({PROCEDURE: chance}), what, names)
    best = sweeps.best(score, prior=prior)
    performances = cases.performances(what.places)
    of_two = p_first_of_two(performances, score, sweeps.weights, prior, draws, seed)
    chances = of_two or p_cheapest(spread, list(names), seed)
    candidates = _candidates(what, thresholds, spread, by_itself, best, unit, chances)
    threshold = thresholds[best_model] if what.constant is None else (inf, -inf)[what.constant]
    called = [*names, *CONSTANTS]
    title = f"{names[best_model]} at {exact(threshold)}" if what.constant is None else called[what.choice]
    new = Other(
        f"{title}, the new choice", "new choice", None if what.constant is not None else names[best_model], threshold
    )
    on = Comparison(sweeps, cases, what, drawn, chance)
    kept, alternatives = compared(
        on, alternatives_of(sweeps, what, thresholds, current), spread, names[best_model], new
    )
    stated, deployed = (spread, PROCEDURE) if kept is None else (on.beside(kept, None), kept.name)
    prepared = prepare(performances, weights=sweeps.weights, shift_prior=prior)
    present = float(prepared.performances.priors[best_model])
    notes = cases.notes + sweeps.notes
    moves = bool(ratio) and 0 < present < 1 and _whole(sweeps)  # else no ratio and no prior can change the answer
    parts = stretches(cases.models, ratio, what.order) if moves and ratio is not None else []
    low, high = around(parts, what.choice)
    every = [(part.low, part.high) for part in parts if part.choice == what.choice]
    model = cases.models[best_model]
    interval, loss = _if_off(sweeps, model, factors[best_model], ratio, what.place(cases), unit, prior, seed)
    return Decision(
        costs=unit, entity=names[best_model] if kept is None else str(kept.entity),
        threshold=threshold if kept is None else kept.threshold,
        cost=stated.cost(deployed), cost_interval=stated.interval(deployed), p_cheapest=candidates[0].p_cheapest,
        candidates=candidates, alternatives=tuple(alternatives),
        threshold_interval=interval, loss_if_off=loss, prior=present, ratio=inf if ratio is None else float(ratio),
        prior_range=None if low is None else (_prior_at(present, low), _prior_at(present, high)),
        ratio_range=None if low is None or ratio is None else (float(low * ratio), float(high * ratio)),
        prior_ranges=tuple((_prior_at(present, start), _prior_at(present, end)) for start, end in every),
        ratio_ranges=tuple((float(start * ratio), float(end * ratio)) for start, end in every if ratio),
        answers=tuple((float(s.low * ratio), float(s.high * ratio), called[s.choice]) for s in parts if ratio),
        performance=everyone[PROCEDURE] if kept is None else on.alone(kept), performances=performances, sweeps=sweeps,
        prepared=prepared, cost_of_folds=of_folds,
        shift_prior=None if number is None else float(number), folds=cases.number, seed=seed,
        cases=model.cells.total.item(), positives=model.cells.positives.sum().item(), notes=notes,
    )  # fmt: skip


def _stated(spread: DrawnCosts, what: Chosen, names: Sequence[str]) -> DrawnCosts:
    """Return costs of models on the level of the stated one: that of the first, and how much more the others cost.

    A model by itself leaves out the choice among models; two costs of one model would be one too many.
    """
    if what.constant is not None:
        return spread
    step = spread.cost(PROCEDURE) - spread.cost(names[what.best])
    return spread.moved(dict.fromkeys(names, step))


def _of_other_folds(
    sweeps: Sweeps,
    cases: Folded,
    what: Chosen,
    score: Score,
    costs: Costs,
    factors: list[Factors],
    seed: int,
    spread: DrawnCosts,
) -> tuple[float, ...]:
    """Return the cost of the choice made inside the folds, for these folds and for other drawn ones; () where costly.

    A constant answer costs the same for all of them, and given folds are the only ones.
    """
    size = sum(len(model.fold) for model in cases.models)
    if sweeps.folds is not None or what.constant is not None or size > MOST_CASES:
        return ()
    here = fitted(cases, what.places, what.inside, costs)
    out = [spread.cost(PROCEDURE)]
    for other in range(1, DIVISIONS):
        again = folded(sweeps, cases.number, np.random.default_rng([seed, other]), factors)
        anew = chosen_of(again, score, costs)
        out.append(out[0] + float(fitted(again, anew.places, anew.inside, costs) - here))
    return tuple(out)


def _candidates(
    what: Chosen,
    thresholds: list[float],
    spread: DrawnCosts,
    by_itself: DrawnCosts,
    best: BestThresholds,
    costs: Costs,
    chances: Mapping[str, float] | None,
) -> tuple[Candidate, ...]:
    """Return the models, the first to be deployed first.

    How far costs were moved to the level of the stated one is an estimate, too, so intervals are wider by that.
    """
    names = list(what.optimism)  # in the order of the models
    stated = names[0] if what.constant is None else ""
    step = spread.cost(names[0]) - by_itself.cost(names[0])
    return tuple(
        Candidate(
            entity=name,
            threshold=thresholds[i],
            cost=spread.cost(name),
            cross_fitted=by_itself.cost(name) + what.optimism[name] / 2,
            interval=spread.interval(PROCEDURE) if name == stated else spread.interval(name, abs(step)),
            p_cheapest=None if chances is None else chances[name],
            best_threshold=best[name].threshold,
            flattered=float(costs.expected(best[name].performance)[0]),
            folds_chosen=what.inside.count(i),
        )
        for i, name in zip(what.order, names, strict=True)
    )


def checked_costs(costs: Costs | Mapping[str, float] | None) -> Costs:
    """Return what errors cost."""
    if isinstance(costs, Costs):
        if any(cost and not LEAST <= abs(cost) <= MOST for cost in costs.by_outcome):
            raise UsageError(
                "a cost must be 0, or lie between 1e-100 and 1e100", got=costs.phrase, way_out="choose another unit"
            )
        return costs
    if isinstance(costs, Mapping):
        known: dict[str, Any] = {str(name).replace("-", "_").replace(" ", "_"): value for name, value in costs.items()}
        unknown = known.keys() - {"miss", "false_alarm", "detection", "correct_rejection", "currency", "per"}
        if not unknown:
            return checked_costs(costs_of(**known))
    raise UsageError(
        [Option("costs"), " say what each error costs"], expected="rankscape.costs(miss=20, false_alarm=1)",
        got=f"{costs!r:.80}",
    )  # fmt: skip


def _refuse_different_priors(sweeps: Sweeps, prior: Fraction | None) -> None:
    """Costs of models tried on samples with different shares of positives cannot be compared."""
    if prior is not None or sweeps.paired:
        return
    every = [sweeps.factors(cells) for cells in sweeps.models]
    sums = [cells.sums(factors) for cells, factors in zip(sweeps.models, every, strict=True)]
    shares = {exactly(tp[-1]) / (exactly(fp[-1]) + exactly(tp[-1])) for fp, tp in sums}
    if len(shares) > 1:
        raise DataError(
            f"the models were tried on different cases: their shares of positives go from {float(min(shares)):.4g} to "
            f"{float(max(shares)):.4g}, so their costs cannot be compared",
            way_out=Option("shift_prior", python="pass prior=, the share where the model will be used",
                           shell="give the share where the model will be used, as in --shift-prior 0.02"),
        )  # fmt: skip


def _whole(sweeps: Sweeps) -> bool:
    return all(cells.whole for cells in sweeps.models)


def _ratio(costs: Costs) -> Fraction | None:
    """Return how many false alarms a miss is worth; None for infinitely many."""
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    return positive / negative if negative else None


def _scale(costs: Costs, prior: float) -> float:
    """Return by how much the expected cost falls, at a prior, from the score 0 to the score 1."""
    _, negative, positive, _ = (float(weight) for weight in costs.importance.tolist())
    return negative * (1 - prior) + positive * prior


def _refuse_beyond_floats(sweeps: Sweeps) -> None:
    """Refuse scores that floats would merge: the threshold to deploy lies between two of them."""
    beyond = next((cells for cells in sweeps.models if cells.thresholds.dtype == object), None)
    if beyond is not None:
        raise DataError(
            f"the scores of {beyond.name!r} are numbers that floats would round, such as {beyond.thresholds[-1]}",
            expected="scores that differ as floats",
            way_out="subtract one number from all scores, or divide them",
        )


def _threshold(model: FoldedModel, place: int) -> float:
    upper = inf if place == 0 else float(model.cells.thresholds[place - 1])
    return short_between(upper, float(model.cells.below[place]))


def _joined(cases: Folded, what: Chosen) -> Performances:
    """Return the performances of the choice made inside the folds, and of all models."""
    cells = [model.cells for model in cases.models]
    called: list[NDArray[np.bool_]] = [m.positive(row) for m, row in zip(cases.models, what.places, strict=True)]
    if cases.paired and all(one.single for one in cells):
        called = [called_inside(cases, what.places, what.inside), *called]
        return judged([cells[0], *cells], called, [PROCEDURE, *cases.names], cases.domains, paired=True)
    return concat([counted_inside(cases, what.places, what.inside), cases.performances(what.places)])


def _prior_at(prior: float, factor: Fraction | float) -> float:
    """Return the share of positives whose odds are multiplied."""
    if isinf(factor):
        return 1.0
    return float(prior * float(factor) / (1 - prior + prior * float(factor)))


def _if_off(
    sweeps: Sweeps,
    model: FoldedModel,
    factors: Factors,
    ratio: Fraction | None,
    place: int,
    costs: Costs,
    prior: PriorLike | None,
    seed: int,
) -> tuple[Interval, float]:
    """Return where the best threshold is in 95 % of draws, and what its worse end would cost more on these cases."""
    points = sweeps.sweep(model.cells.name, prior)
    here, middle = _threshold(model, place), float(between(model.cells, np.array([place]))[0])
    if ratio is None:
        return (here, here), 0.0
    drawn = drawn_thresholds(model.cells, factors, ratio, seed)
    drawn = np.where(drawn == middle, here, drawn)  # the same cases are called positive
    low, high = np.quantile(drawn, ENDS, method="inverted_cdf").tolist()
    low, high = min(low, here), max(high, here)
    ends = [float(costs.expected(points.at(end))[0]) for end in (here, low, high)]
    return (low, high), max(ends) - ends[0]

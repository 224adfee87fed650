"""What is chosen on some folds: the cheapest model, or to call every case negative, or positive."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from .._costs import Costs
from .._scores import Score
from .folding import Folded, Kept, Plan
from .regions import NEGATIVE, POSITIVE

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

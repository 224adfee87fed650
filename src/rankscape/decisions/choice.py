"""What is chosen on some folds: the cheapest model, or to call every case negative, or positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .._costs import Costs
from .._scores import Score
from ..performances import Performances
from .cells import exactly
from .folding import Folded, FoldedModel, judged
from .regions import NEGATIVE, POSITIVE

PROCEDURE = "the choice made inside the folds"
CONSTANTS = (NEGATIVE, POSITIVE)
"""What is chosen beside the models: these two stand after them."""


def lost(model: FoldedModel, places: Mapping[int, int], costs: Costs) -> Fraction:
    """Return the sum of the costs of errors, up to a factor, on some folds at a place for each, exactly."""
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    errors = [model.judged(fold, place) for fold, place in places.items()]
    return sum((negative * fp + positive * fn for fp, fn in errors), start=Fraction(0))


def spent(model: FoldedModel, places: Mapping[int, int], costs: Costs) -> Fraction:
    """Return the cost of errors, up to a factor, per case of some folds, exactly."""
    return lost(model, places, costs) / sum(exactly(model.sums[fold][side][-1]) for fold in places for side in (0, 1))


def fitted(cases: Folded, places: Sequence[Sequence[int]], choices: Sequence[int], costs: Costs) -> Fraction:
    """Return the cost of errors per case, given what is chosen for each fold, thresholds chosen on the others."""
    total = Fraction(0)
    for fold, choice in enumerate(choices):
        model, place = at_fold(cases, places, choice, fold)
        total += lost(model, {fold: place}, costs) / exactly(model.total)
    return total


def ordered(
    cases: Folded, places: Sequence[Sequence[int]], final: Sequence[int], costs: Costs
) -> list[tuple[Fraction, Fraction, int]]:
    """Return the models from the first to be deployed on, each as (estimated cost, cross-fitted cost, model).

    The cost at the threshold to be deployed is estimated halfway between two: on the cases that the threshold was
    chosen on, where it looks a little cheaper than it is, and cross-fitted, with thresholds chosen on fewer cases.
    Each by itself would choose worse, or contradict what is stated. Equal models are sorted by their cross-fitted cost,
    then by name.
    """
    n = cases.number
    every = []
    for i, (model, place) in enumerate(zip(cases.models, final, strict=True)):
        others = fitted(cases, places, [i] * n, costs)
        every.append(((spent(model, dict.fromkeys(range(n), place), costs) + others) / 2, others, i))
    return sorted(every, key=lambda one: (*one[:2], cases.names[one[2]]))


def constants_of(model: FoldedModel, folds: Sequence[int], costs: Costs) -> list[Fraction]:
    """Return the costs per case of calling all cases of some folds negative, and positive."""
    return [spent(model, dict.fromkeys(folds, end), costs) for end in (0, model.last)]


def or_constant(cases: Folded, choice: int, place: int, cost: Fraction, folds: Sequence[int], costs: Costs) -> int:
    """Return a model, or the cheaper constant answer where that costs less on some folds than the model, cross-fitted.

    A model that calls every case alike at its ``place`` would be a constant answer by another name.
    """
    constants = constants_of(cases.models[0], folds, costs)
    alike = place in (0, cases.models[choice].last)
    return len(cases.models) + constants.index(min(constants)) if alike or cost > min(constants) else choice


def chosen_without(cases: Folded, fold: int, score: Score, costs: Costs) -> int:
    """Return what would be deployed, knowing all folds but one."""
    rest = cases.everywhere - {fold}
    folds = sorted(rest)
    estimates = []
    for i, model in enumerate(cases.models):
        place = model.place(rest, score)
        here = spent(model, dict.fromkeys(folds, place), costs)
        others = spent(model, {judge: model.place(rest - {judge}, score) for judge in folds}, costs)
        estimates.append((here + others, others, i, place))
    _, others, choice, place = min(estimates)
    return or_constant(cases, choice, place, others, folds, costs)


def at_fold(cases: Folded, places: Sequence[Sequence[int]], choice: int, fold: int) -> tuple[FoldedModel, int]:
    """Return the model that judges a fold, and its place there."""
    n = len(cases.models)
    if choice < n:
        return cases.models[choice], places[choice][fold]
    return cases.models[0], 0 if choice == n else cases.models[0].last


def called_inside(cases: Folded, places: Sequence[Sequence[int]], inside: Sequence[int]) -> NDArray[np.bool_]:
    """Return which cases the choice made inside the folds calls positive, where the models share them."""
    called = np.zeros(len(cases.models[0].fold), dtype=bool)
    for fold, choice in enumerate(inside):
        model, place = at_fold(cases, places, choice, fold)
        here = model.fold == fold
        called[here] = model.cells.place[here] < place
    return called


def counted_inside(cases: Folded, places: Sequence[Sequence[int]], inside: Sequence[int]) -> Performances:
    """Return the performance of the choice made inside the folds, where the models do not share their cases."""
    parts = []
    for fold, choice in enumerate(inside):
        model, place = at_fold(cases, places, choice, fold)
        cells = model.cells.only(np.flatnonzero(model.fold == fold))
        part = judged([cells], [cells.place < place], [PROCEDURE], cases.domains, paired=False)
        parts.append(part.mass * cells.total if part.counts is None else part.counts)
    names = [PROCEDURE] * len(parts[0])
    return Performances.from_weighted_counts(np.sum(parts, axis=0), names=names, domains=cases.domains)


@dataclass(frozen=True)
class Chosen:
    """What is chosen, knowing all folds, and knowing all but one.

    ``places`` are those of the threshold of each model for each fold, chosen on the others, ``final`` those chosen on
    all folds. ``order`` are the models from the first to be deployed on; ``choice`` is the first, or a constant answer
    (``constant``: its place among ``CONSTANTS``, else None). ``inside`` is what would be chosen without each fold.
    ``optimism`` is how much less each model costs on the cases that its threshold was chosen on than cross-fitted, and
    ``changed`` how much more the choices inside the folds cost than the choice does.
    """

    places: list[list[int]]
    final: list[int]
    order: list[int]
    choice: int
    constant: int | None
    inside: list[int]
    optimism: dict[str, float]
    changed: float

    @property
    def best(self) -> int:
        """The cheapest model."""
        return self.order[0]

    def place(self, cases: Folded) -> int:
        """Return the place of the threshold to be deployed, of the cheapest model."""
        ends = (0, cases.models[self.best].last)
        return self.final[self.best] if self.constant is None else ends[self.constant]


def chosen_of(cases: Folded, score: Score, costs: Costs) -> Chosen:
    """Choose a model and its threshold, or a constant answer."""
    folds = range(cases.number)
    places = cases.places(score)
    final = [model.place(cases.everywhere, score) for model in cases.models]
    ranking = ordered(cases, places, final, costs)
    _, others, best = ranking[0]
    choice = or_constant(cases, best, final[best], others, folds, costs)
    constant = choice - len(cases.models) if choice >= len(cases.models) else None
    inside = [chosen_without(cases, fold, score, costs) for fold in folds]
    if constant is not None:  # its cost owes nothing to a choice
        inside = [choice] * cases.number
    changed = fitted(cases, places, inside, costs) - fitted(cases, places, [choice] * cases.number, costs)
    return Chosen(
        places=places, final=final, order=[i for *_, i in ranking], choice=choice, constant=constant, inside=inside,
        optimism={cases.names[i]: 2 * float(others - estimate) for estimate, others, i in ranking},
        changed=float(changed),
    )  # fmt: skip

"""At which costs, and at which share of positives, which model would be deployed: exact.

With λ = c_fn·w₊ / (c_fp·w₋), where w are the weights that a prior gives to the cases of a class, the expected cost is
proportional to λ·fn + fp. The best threshold on some folds is a vertex of their ROC hull, the same one between two
slopes of the hull; a threshold to be deployed is a mean of such places, so a model's false positives and negatives, on
all cases and cross-fitted, are steps along λ, and between two steps models are compared as lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..lines import Line, walk
from ..typing import Integers
from .sweeps import FoldedModel, Kept, rounded_mean


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

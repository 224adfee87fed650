"""At which costs, and at which share of positives, which model would be deployed: exact.

With λ = c_fn·w₊ / (c_fp·w₋), where w are the weights that a prior gives to the cases of a class, the expected cost is
proportional to λ·fn + fp. The best threshold on some folds is a vertex of their ROC hull, the same one between two
slopes of the hull; a threshold to be deployed is a mean of such places, so a model's false positives and negatives, on
all cases and cross-fitted, are steps along λ, and between two steps models are compared as lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

from ..lines import walk
from ..typing import Integers
from .folding import FoldedModel, Kept, rounded_mean


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

    ``fp`` and ``fn`` are the sums of its errors at the threshold to be deployed, on all cases, and of those
    cross-fitted; ``fitted_fp`` and ``fitted_fn`` are the latter, and ``final`` is the place of the threshold.
    """

    fp: list[int]
    fn: list[int]
    fitted_fp: list[int]
    fitted_fn: list[int]
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
    lines = [_steps(model, each, place) for model, each in zip(models, slopes, strict=True)]
    totals = [2 * int(model.total) for model in models]
    negatives, positives = (sum(int(sums[side][-1]) for sums in models[0].sums) for side in (0, 1))
    constants = [(0, positives, negatives + positives), (negatives, 0, negatives + positives)]
    ends: list[Fraction | float] = [Fraction(0), *cuts, inf]
    out: list[Stretch] = []
    for i, (start, end) in enumerate(pairwise(ends)):
        here = [(one.fp[i], one.fn[i], total) for one, total in zip(lines, totals, strict=True)]
        judged = [(one.fitted_fp[i], one.fitted_fn[i], total // 2) for one, total in zip(lines, totals, strict=True)]
        for left, right, model in _cheapest(here, judged, Fraction(start), end):
            answers = [(model, judged[model]), *enumerate(constants, start=len(models))]
            if lines[model].final[i] in (0, models[model].last):
                del answers[0]
            for low, high, which in lower_envelope([line for _, line in answers], left, right):
                choice = answers[which][0]
                if out and out[-1].choice == choice:
                    out[-1] = Stretch(out[-1].low, high, choice)
                else:
                    out.append(Stretch(low, high, choice))
    return [Stretch(s.low / ratio, s.high / ratio, called[s.choice]) for s in out]


def _cheapest(
    here: list[tuple[int, int, int]], judged: list[tuple[int, int, int]], start: Fraction, end: Fraction | float
) -> list[tuple[Fraction, Fraction | float, int]]:
    """Return which model is to be deployed from ``start`` to ``end``; of equal ones that which costs less cross-fitted.

    >>> _cheapest([(2, 2, 20), (2, 2, 20)], [(2, 1, 10), (1, 2, 10)], Fraction(0), 2)
    [(Fraction(0, 1), Fraction(1, 1), 1), (Fraction(1, 1), 2, 0)]
    """
    out = []
    for left, right, model in lower_envelope(here, start, end):
        fp, fn, total = here[model]
        alike = [k for k, (x, y, n) in enumerate(here) if x * total == fp * n and y * total == fn * n]
        parts = lower_envelope([judged[k] for k in alike], left, right)
        out += [(low, high, alike[which]) for low, high, which in parts]
    return out


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
    judged = [(model.sums[fold], places(every - {fold})) for fold in sorted(every)]
    judged.append((model.subset(every), final))
    fp, fn, fitted = [0] * n, [0] * n, (list[int](), list[int]())
    for k, ((wrong, right), at) in enumerate(judged):
        if k == len(judged) - 1:
            fitted = (list(fp), list(fn))
        for i, (x, y) in enumerate(zip(wrong[at].tolist(), right[at].tolist(), strict=True)):
            fp[i] += x
            fn[i] += int(right[-1]) - y
    return Steps(fp, fn, *fitted, final.tolist())


def lower_envelope(
    lines: Sequence[tuple[int, int, int]], start: Fraction, end: Fraction | float
) -> list[tuple[Fraction, Fraction | float, int]]:
    """Return which of the lines (fp + λ·fn)/total is lowest from ``start`` to ``end``; of equal ones the first."""
    out: list[tuple[Fraction, Fraction | float, int]] = []
    for low, high, best in walk([(total, 0, fp, fn) for fp, fn, total in lines], start):
        if high is None or high >= end:
            return [*out, (low, end, best[0])]
        out.append((low, high, best[0]))
    return out

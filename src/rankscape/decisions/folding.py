"""Folds: each model's threshold is chosen without the cases that it is judged on.

The best threshold on a sample follows the sample closely. So a threshold is chosen several times, each time with two of
the folds left out, and the choices are averaged by their places among all scores: on new cases that costs less than
the best threshold on all folds. The same rule is used inside the folds, with one fold less. Where a model has few
distinct scores there is nothing between two of them, and nothing is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.levels import levels
from ..errors import DataError, UndefinedScoreError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..texts import counted
from ..typing import Integers
from .cells import SAFE, Cells, Factors, exactly
from .thresholds import best_rows, hull_rows

FEWEST = 3
"""Folds that it takes: one is judged, one left out to choose the model, and one left."""

PAIRS = range(4, 7)
"""With so many folds to choose from, every two are left out in turn; else every one."""

FEW = 20
"""Of fewer distinct scores the best on all folds is taken: steps between them are large, and it is not as noisy."""

Kept = frozenset[int]


def samples(folds: Kept) -> list[Kept]:
    """Return the sets of folds on which the threshold is chosen, to be averaged.

    >>> [sorted(kept) for kept in samples(frozenset({0, 1, 2}))]
    [[1, 2], [0, 2], [0, 1]]
    """
    if len(folds) == 1:
        return [folds]
    out = 2 if len(folds) in PAIRS else 1
    return [folds.difference(left) for left in combinations(sorted(folds), out)]


class FoldedModel:
    """One model, its cases in folds: sums of weights per fold, and the places of its thresholds.

    A *place* p says that the cases with one of the p largest scores are called positive.
    """

    def __init__(self, cells: Cells, fold: Integers, folds: int, factors: Factors) -> None:
        self.cells, self.fold, self.folds = cells, fold, folds
        rows = [np.flatnonzero(fold == f) for f in range(folds)]
        sums = [cells.sums(factors, here) for here in rows]
        if cells.whole and sum(int(side[-1]) for pair in sums for side in pair) >= SAFE:
            sums = [(fp.astype(object), tp.astype(object)) for fp, tp in sums]  # those of folds fit, their sum may not
        self.sums: list[tuple[NDArray[Any], NDArray[Any]]] = sums
        self._places: dict[tuple[str, Kept], int] = {}
        self._hulls: dict[Kept, tuple[Integers, NDArray[Any], NDArray[Any]]] = {}

    @cached_property
    def everywhere(self) -> Kept:
        """All folds."""
        return frozenset(range(self.folds))

    @property
    def last(self) -> int:
        """The place at which every case is called positive."""
        return len(self.cells.thresholds)

    @property
    def total(self) -> Any:
        """The sum of the weights of all cases."""
        return sum(fp[-1] + tp[-1] for fp, tp in self.sums)

    def subset(self, kept: Kept) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the sums over some folds: false and true positives at each place."""
        fp, tp = (sum((self.sums[f][side] for f in sorted(kept)), start=0) for side in (0, 1))
        return np.asarray(fp), np.asarray(tp)

    def hull(self, kept: Kept) -> tuple[Integers, NDArray[Any], NDArray[Any]]:
        """Return the places that can be best on some folds, with their false and true positives."""
        if kept not in self._hulls:
            fp, tp = self.subset(kept)
            one_class = np.array([len(fp) - 1 if tp[-1] else 0])  # all positive, or none
            rows = hull_rows(fp, tp) if fp[-1] and tp[-1] else one_class
            self._hulls[kept] = rows, fp[rows], tp[rows]
        return self._hulls[kept]

    def _best(self, kept: Kept, score: Score) -> int:
        key = (score.name, kept)
        if key not in self._places:
            self._places[key] = self._chosen(kept, score)
        return self._places[key]

    def _chosen(self, kept: Kept, score: Score) -> int:
        fp, tp = self.subset(kept)
        if score.sound in ("always", "fixed priors"):
            rows, x, y = self.hull(kept)
            points = np.stack([fp[-1] - x, x, tp[-1] - y, y], axis=1)
            level, _ = levels(Performances.from_trusted(points, ("",) * len(rows), None, TWO_CLASS), score)
            if level.min() >= 0:  # else the best that are defined may lie below the hull
                return int(rows[np.argmax(level)])
        try:
            return int(best_rows(fp, tp, score)[0])
        except UndefinedScoreError as error:
            raise error.located(f"the model {self.cells.name!r}, without some of the folds") from None

    def place(self, folds: Kept, score: Score) -> int:
        """Return the place of the threshold that is chosen on some folds: the mean over their samples, rounded."""
        return rounded_mean([self._best(kept, score) for kept in self.samples(folds)])

    def samples(self, folds: Kept) -> list[Kept]:
        """Return the sets of folds whose best places are averaged."""
        return [folds] if len(self.cells.thresholds) < FEW else samples(folds)

    def judged(self, fold: int, place: int) -> tuple[Fraction, Fraction]:
        """Return the false positives and the false negatives on one fold at a place, as sums of weights."""
        fp, tp = self.sums[fold]
        return exactly(fp[place]), exactly(tp[-1]) - exactly(tp[place])

    def positive(self, places: Sequence[int]) -> NDArray[np.bool_]:
        """Return which cases are called positive, given the place for each fold."""
        return np.asarray(self.cells.place < np.asarray(places)[self.fold])


Places = TypeVar("Places", int, Integers)


def rounded_mean(places: Sequence[Places]) -> Places:
    """Return the mean of places, rounded to the nearest, halves down: fewer cases are called positive.

    >>> rounded_mean([1, 2]), rounded_mean([1, 2, 2])
    (1, 2)
    """
    total = sum(places[1:], start=places[0])
    return -((len(places) - 2 * total) // (2 * len(places)))


def drawn_folds(models: Sequence[Cells], paired: bool, folds: int, seed: int) -> list[Integers]:
    """Return the fold of each case of each model, stratified by class and domain; the same for models that are paired.

    Cases are sorted by what is known of them before they are drawn, so their order in the data changes nothing.
    """
    if paired:
        return [_drawn(models, folds, [seed])] * len(models)
    order = np.argsort([cells.name for cells in models], kind="stable")
    rank = {int(i): place for place, i in enumerate(order)}
    return [_drawn([cells], folds, [seed, rank[i]]) for i, cells in enumerate(models)]


def _drawn(models: Sequence[Cells], folds: int, entropy: list[int]) -> Integers:
    first = models[0]
    positive = np.asarray(first.positives) > 0
    for name, here in (("positive", positive), ("negative", ~positive)):
        if (n := int(here.sum())) < folds:
            raise DataError(
                f"{counted(n, f'{name} case')} cannot be spread over {folds} folds: take fewer folds, at least {FEWEST}"
                if n >= FEWEST
                else f"{counted(n, f'{name} case')} cannot be spread over folds: expected at least {FEWEST}"
            )
    named = sorted(models, key=lambda cells: cells.name)
    domain = np.zeros(len(positive), dtype=np.int64) if first.domain is None else first.domain
    keys = [cells.thresholds[cells.place] for cells in reversed(named)]
    order = np.lexsort([first.negatives + first.positives, *keys, positive, domain])
    rng = np.random.default_rng(entropy)
    fold = np.empty(len(positive), dtype=np.int64)
    strata = 2 * domain[order] + positive[order]
    start = 0
    for stratum in np.unique(strata).tolist():
        here = order[strata == stratum]
        fold[rng.permutation(here)] = (start + np.arange(len(here))) % folds
        start += len(here)  # the next stratum goes on where this one ended, so that folds are equally large
    return fold

"""Cross-fitting: each model's threshold is chosen on the other folds, and judged on the one left out.

The best threshold on a sample follows the sample closely. So a threshold is chosen several times, each time with two of
the folds left out, and the choices are averaged by their places among all scores: on new cases that costs less than
the best threshold on all folds. The same rule is used inside the folds, with one fold less. Where a model has few
distinct scores there is nothing between two of them, and nothing is averaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from ..errors import DataError, UndefinedScoreError
from ..performances import Joint, Performances, kinds_of
from ..texts import counted
from ..typing import Integers
from .thresholds import SAFE, Cells, Factors, best_rows, exactly, hull_rows

FEWEST = 3
"""Folds that it takes: one is judged, one left out to choose the model, and one left."""

MOST = 10
"""Given folds beyond this many are joined."""

ENOUGH = 5
"""Positive cases, and negative ones, that each fold should have: with fewer, intervals are too narrow."""

PAIRS = range(4, 7)
"""With so many folds to choose from, every two are left out in turn; else every one."""

FEW = 20
"""Of fewer distinct scores the best on all folds is taken: steps between them are large, and it is not as noisy."""

Kept = frozenset[int]


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

    @property
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
        try:
            return int(best_rows(*self.subset(kept), score, hull=self.hull(kept)[0])[0])
        except UndefinedScoreError as error:
            raise error.located(f"the model {self.cells.name!r}, without some of the folds") from None

    def place(self, folds: Kept, score: Score) -> int:
        """Return the place of the threshold that is chosen on some folds: the mean over their samples, rounded."""
        keys = [(score.name, kept) for kept in self.samples(folds)]
        for key in keys:
            if key not in self._places:
                self._places[key] = self._best(key[1], score)
        return rounded_mean([self._places[key] for key in keys])

    def samples(self, folds: Kept) -> list[Kept]:
        """Return the sets of folds whose best places are averaged."""
        if len(self.cells.thresholds) < FEW or len(folds) == 1:
            return [folds]
        out = 2 if len(folds) in PAIRS else 1
        return [folds.difference(left) for left in combinations(sorted(folds), out)]

    def size(self, fold: int) -> Fraction:
        """Return the sum of the weights of the cases of one fold."""
        fp, tp = self.sums[fold]
        return exactly(fp[-1]) + exactly(tp[-1])

    def errors(self, fold: int, place: int) -> tuple[Fraction, Fraction]:
        """Return the false positives and the false negatives on one fold at a place, as sums of weights."""
        fp, tp = self.sums[fold]
        return exactly(fp[place]), exactly(tp[-1]) - exactly(tp[place])


Plan = Mapping[int, tuple[FoldedModel, int]]
"""What is done on each of some folds: a model, and the place of its threshold."""

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
    named = sorted(range(len(models)), key=lambda i: models[i].name)
    out: list[Integers] = [np.empty(0, dtype=np.int64)] * len(models)
    for rank, group in enumerate([named] if paired else [[i] for i in named]):
        first = models[min(group)]
        positive = np.asarray(first.positives) > 0
        for name, here in (("positive", positive), ("negative", ~positive)):
            if (n := int(here.sum())) < folds:
                raise DataError(
                    f"{counted(n, f'{name} case')} cannot be spread over {folds} folds: take fewer folds, at least "
                    f"{FEWEST}"
                    if n >= FEWEST
                    else f"{counted(n, f'{name} case')} cannot be spread over folds: expected at least {FEWEST}"
                )
        domain = np.zeros(len(positive), dtype=np.int64) if first.domain is None else first.domain
        keys = [models[i].thresholds[models[i].place] for i in reversed(group)]
        order = np.lexsort([first.negatives + first.positives, *keys, positive, domain])
        rng = np.random.default_rng([seed] if paired else [seed, rank])
        fold = np.empty(len(positive), dtype=np.int64)
        strata, start = 2 * domain[order] + positive[order], 0
        for stratum in np.unique(strata).tolist():
            here = order[strata == stratum]
            fold[rng.permutation(here)] = (start + np.arange(len(here))) % folds
            start += len(here)  # the next stratum goes on where this one ended, so that folds are equally large
        for i in group:
            out[i] = fold
    return out


@dataclass(frozen=True, eq=False)
class Folded:
    """Scored models whose cases are in folds: ``models`` are they, ``number`` is that of the folds."""

    models: tuple[FoldedModel, ...]
    number: int
    domains: tuple[str, ...] | None
    paired: bool
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(model.cells.name for model in self.models)

    @property
    def everywhere(self) -> Kept:
        """All folds."""
        return frozenset(range(self.number))

    def fitted(self, score: Score) -> dict[str, Plan]:
        """Return what each model does on each fold, its threshold chosen on the other folds."""
        every = self.everywhere
        return {
            m.cells.name: {fold: (m, m.place(every - {fold}, score)) for fold in sorted(every)} for m in self.models
        }

    def performances(self, plans: Mapping[str, Plan]) -> Performances:
        """Return the performances of plans for all folds, and the cases that they share."""
        columns: dict[str, list[Part]] = {}
        for name, plan in plans.items():
            columns[name] = []
            for model in dict.fromkeys(model for model, _ in plan.values()):
                of_fold = [plan[fold][1] if plan[fold][0] is model else -1 for fold in range(self.number)]
                places = np.array(of_fold)[model.fold]
                rows = np.flatnonzero(places >= 0)
                columns[name].append((model.cells, rows, model.cells.place[rows] < places[rows]))
        return judged(columns, self.domains, self.paired)


Part = tuple[Cells, Integers, NDArray[np.bool_]]
"""Some cases of a model, and which of them are called positive."""


def judged(columns: Mapping[str, Sequence[Part]], domains: tuple[str, ...] | None, paired: bool) -> Performances:
    """Return the performances of predictions, on each domain where there are several, with the cases they share."""
    places, names = domains or ("",), list(columns)
    whole = all(cells.whole for parts in columns.values() for cells, *_ in parts)
    table = np.zeros((len(places), len(names), 4), dtype=np.int64 if whole else np.float64)
    for i, parts in enumerate(columns.values()):
        for cells, rows, called in parts:
            domain = cells.domain_of[rows]
            np.add.at(table[:, i], (domain, np.where(called, 1, 0)), cells.negatives[rows])
            np.add.at(table[:, i], (domain, np.where(called, 3, 2)), cells.positives[rows])
    of = None if domains is None else [place for place in places for _ in names]
    P = Performances.from_weighted_counts(table.reshape(-1, 4), names=names * len(places), domains=of)
    first = next(iter(columns.values()))[0][0]
    if not (paired and len(names) > 1 and all(cells.single for parts in columns.values() for cells, *_ in parts)):
        return P
    codes = np.tile(2 * first.positives.astype(np.int64), (len(names), 1))
    for i, parts in enumerate(columns.values()):
        for _, rows, called in parts:
            codes[i, rows] += called
    units = tuple(kinds_of(codes[:, first.domain_of == d], None) for d in range(len(places)))
    return P.with_pairing(Joint(P, units, clustered=False))

"""Cross-fitting: each model's threshold is chosen on the other folds, and judged on the one left out.

The best threshold on a sample follows the sample closely. So a threshold is chosen several times, each time with two of
the folds left out, and the choices are averaged by their places among all scores: on new cases that costs less than
the best threshold on all folds. The same rule is used inside the folds, with one fold less. Where a model has few
distinct scores there is nothing between two of them, and nothing is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.score import levels
from ..checks import checked_size
from ..errors import DataError, UndefinedScoreError, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Joint, Performances, kinds_of
from ..texts import counted
from ..typing import Integers, RandomLike
from ..uncertainty.draws import seed_of
from .cells import SAFE, Cells, Factors, exactly
from .thresholds import best_rows, hull_rows

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


class Scored(Protocol):
    """What cross-fitting asks of several scored models."""

    @property
    def models(self) -> tuple[Cells, ...]: ...  # noqa: D102

    @property
    def domains(self) -> tuple[str, ...] | None: ...  # noqa: D102

    @property
    def folds(self) -> tuple[str, ...] | None: ...  # noqa: D102

    @property
    def paired(self) -> bool: ...  # noqa: D102


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

    def places(self, score: Score) -> list[list[int]]:
        """Return the place of the threshold of each model for each fold, chosen on the other folds."""
        return [[m.place(self.everywhere - {fold}, score) for fold in range(self.number)] for m in self.models]

    def performances(self, places: Sequence[Sequence[int]]) -> Performances:
        """Return the performances of the models, given the place of each for each fold, and the cases they share."""
        called = [model.positive(row) for model, row in zip(self.models, places, strict=True)]
        return judged([model.cells for model in self.models], called, self.names, self.domains, self.paired)


def folded(scored: Scored, folds: int | None, rng: RandomLike, factors: Sequence[Factors]) -> Folded:
    """Return models in folds: those given, or ``folds`` drawn ones, stratified by class and domain."""
    notes: tuple[str, ...] = ()
    if scored.folds is not None:
        if folds is not None:
            raise UsageError("the data name their folds, so the number of folds would change nothing: leave it out")
        number = len(scored.folds)
        if number < FEWEST:
            raise DataError(f"{counted(number, 'fold')} in the data; expected at least {FEWEST}")
        of = [np.asarray(cells.fold) for cells in scored.models]
        if number > MOST:
            notes += (f"The {number} folds in the data were joined to {MOST}",)
            of, number = [fold % MOST for fold in of], MOST
    else:
        number = checked_size("folds", 5 if folds is None else folds, FEWEST)
        if number > MOST:
            raise UsageError(f"folds must be at most {MOST}; got {number}")
        of = drawn_folds(scored.models, scored.paired, number, seed_of(rng))
    models = [
        FoldedModel(cells, fold, number, weights)
        for cells, fold, weights in zip(scored.models, of, factors, strict=True)
    ]
    sides = [(model, cases) for model in models for cases in (model.cells.negatives, model.cells.positives)]
    least = min(int(np.bincount(model.fold, cases, number).min()) for model, cases in sides)
    if least < ENOUGH:
        notes += (
            f"A fold has {counted(least, 'case')} of one class: with fewer than {ENOUGH}, costs and intervals are "
            "less sure than they look",
        )
    return Folded(tuple(models), number, scored.domains, scored.paired, notes)


def judged(
    cells: Sequence[Cells],
    positive: Sequence[NDArray[np.bool_]],
    names: Sequence[str],
    domains: tuple[str, ...] | None,
    paired: bool,
) -> Performances:
    """Return the performances of predictions, on each domain where there are several, with the cases they share."""
    places = domains or ("",)
    rows: list[NDArray[Any]] = []
    for one, called in zip(cells, positive, strict=True):
        domain = np.zeros(len(called), dtype=np.int64) if one.domain is None else one.domain
        table = np.zeros((len(places), 4), dtype=one.negatives.dtype if not one.whole else np.int64)
        np.add.at(table, (domain, np.where(called, 1, 0)), one.negatives)
        np.add.at(table, (domain, np.where(called, 3, 2)), one.positives)
        rows.append(table)
    by_domain = np.stack(rows, axis=1).reshape(-1, 4)
    of = None if domains is None else [place for place in places for _ in names]
    P = Performances.from_weighted_counts(by_domain, names=list(names) * len(places), domains=of)
    if paired and all(one.single for one in cells) and len(names) > 1:
        codes = np.stack([2 * cells[0].positives.astype(np.int64) + called for called in positive])
        domain = np.zeros(codes.shape[1], dtype=np.int64) if cells[0].domain is None else cells[0].domain
        units = tuple(kinds_of(codes[:, domain == d], None) for d in range(len(places)))
        return P.with_pairing(Joint(P, units, clustered=False))
    return P

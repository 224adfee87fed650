"""Cross-fitting: each model's threshold is chosen on the other folds, and judged on the one left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from ..checks import checked_size
from ..errors import DataError, UsageError
from ..performances import Joint, Performances, kinds_of
from ..texts import counted
from ..typing import RandomLike
from ..uncertainty.gate_inputs import seed_of
from .cells import Cells, Factors
from .folding import FEWEST, FoldedModel, Kept, drawn_folds

MOST = 10
"""Given folds beyond this many are joined."""

ENOUGH = 5
"""Positive cases, and negative ones, that each fold should have: with fewer, intervals are too narrow."""


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
    least = min(_fewest(model) for model in models)
    if least < ENOUGH:
        notes += (
            f"A fold has {counted(least, 'case')} of one class: with fewer than {ENOUGH}, costs and intervals are "
            "less sure than they look",
        )
    return Folded(tuple(models), number, scored.domains, scored.paired, notes)


def _fewest(model: FoldedModel) -> int:
    """Return the smallest number of cases of a class in a fold."""
    sides = [np.bincount(model.fold, cases, model.folds) for cases in (model.cells.negatives, model.cells.positives)]
    return int(min(side.min() for side in sides))


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
        return P.with_pairing(_joint(P, cells[0], positive, len(places)))
    return P


def _joint(P: Performances, cells: Cells, positive: Sequence[NDArray[np.bool_]], domains: int) -> Joint:
    """Return the kinds of cases of predictions on the same cases."""
    codes = np.stack([2 * cells.positives.astype(np.int64) + called for called in positive])
    domain = np.zeros(codes.shape[1], dtype=np.int64) if cells.domain is None else cells.domain
    units = tuple(kinds_of(codes[:, domain == d], None) for d in range(domains))
    return Joint(P, units, clustered=False)

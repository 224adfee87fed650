"""Several scored models: their operating points, the best threshold of each, and what it is worth by cross-fitting.

The best threshold on a sample follows the sample closely. So each model's threshold is chosen on the other folds, and
judged on the one left out. It is chosen several times, each time with two of the folds left out, and the choices are
averaged by their places among all scores: on new cases that costs less than the best threshold on all folds. The same
rule is used inside the folds, with one fold less. Where a model has few distinct scores there is nothing between two of
them, and nothing is averaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import gcd, inf
from typing import Any, NoReturn, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._scores import Score, as_score
from ..account import Account
from ..cases import ROLES, cases_of, scored_cases
from ..checks import checked_size, checked_weights, rows_of
from ..checks.labels import as_given, refuse_other_order, scored
from ..domains.grid import checked_shift, exact_weights, refuse_idle
from ..errors import DataError, Option, UndefinedScoreError, UsageError, no_effect
from ..kernels.counting import operating_points
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS, at
from ..performances import Joint, Performances, kinds_of
from ..performances.pairing import no_draws_of_points
from ..regions import Flips
from ..regions.flips import flips_among
from ..results import Result, Table
from ..texts import counted
from ..typing import Integers, Label, Number, PriorLike, RandomLike, ScoreLike, TableLike, WeightsLike
from ..uncertainty.defaults import DRAWS
from ..uncertainty.draws import seed_of
from ..uncertainty.page_inputs import WinningPoints
from ..views import CurveView, decision_curves
from .regions import ModelRegions, regions_of_models, winning_points
from .thresholds import (
    SAFE,
    BestThresholds,
    Cells,
    Factors,
    ThresholdSweep,
    best_rows,
    cells_of_scores,
    checked_threshold,
    exactly,
    hull_rows,
)

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


# Sweeps of several models


@dataclass(frozen=True, eq=False, repr=False)
class Sweeps(Result):
    """Several scored models at all their thresholds.

    Get one from :func:`sweep`. ``sweeps["a"]`` is the :class:`ThresholdSweep` of one model. Where there are several
    domains, their performances are averaged at every threshold, so each model has one threshold for all of them.

    Attributes
    ----------
    models
        The cells of each model: its scores, by class, domain and fold.
    domains, folds
        The names of the domains and of the folds, or None.
    paired
        Whether the models scored the same cases, one by one.
    weights
        How domains are averaged, as in :func:`rankscape.summarize`.
    notes
        What was noticed where the scores were read.
    account
        What was read: columns, cases, the positive class; or None.

    See Also
    --------
    rankscape.sweep
    rankscape.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
    >>> S.names, S["b"].best("f1").threshold
    (('a', 'b'), 0.3)
    """

    models: tuple[Cells, ...]
    domains: tuple[str, ...] | None = None
    folds: tuple[str, ...] | None = None
    paired: bool = False
    weights: WeightsLike = "equal"
    notes: tuple[str, ...] = ()
    account: Account | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(cells.name for cells in self.models)

    def cells(self, name: str) -> Cells:
        """Return the cells of one model. Raises UsageError for an unknown name.

        Parameters
        ----------
        name
            The model.

        Returns
        -------
        Cells
            Its scores, with the weights of positives and negatives.

        Raises
        ------
        UsageError
            For an unknown name.
        """
        return self.models[int(rows_of(self.names, name, "model")[0])]

    @cached_property
    def _totals(self) -> tuple[Fraction, ...] | None:
        """The weights of the domains, which sum to 1, as summaries have them; None without any."""
        refuse_idle(self.domains, self.weights)
        if self.domains is None:
            return None
        rows = []
        for cells in self.models:
            if not cells.whole:
                raise DataError(
                    "weights of cases that are fractions cannot be averaged over domains: give whole numbers"
                )
            negative, positive = cells.sides(len(self.domains))
            rows += [[n, 0, p, 0] for n, p in zip(negative.tolist(), positive.tolist(), strict=True)]
        names = [name for name in self.names for _ in self.domains]
        table = Performances.from_counts(rows, names=names, domains=list(self.domains) * len(self.models))
        places = np.arange(len(table)).reshape(len(self.models), len(self.domains))
        return exact_weights(self.weights, table, self.domains, places)

    def __len__(self) -> int:
        return len(self.models)

    def __iter__(self) -> Iterator[tuple[str, ThresholdSweep]]:
        return ((name, self[name]) for name in self.names)

    def sweep(self, name: str, prior: PriorLike | None = None) -> ThresholdSweep:
        """Return all operating points of one model, averaged over domains, at the prior of the data or another one.

        Parameters
        ----------
        name
            The model.
        prior
            The share of positives to shift to; by default that of the data.

        Returns
        -------
        ThresholdSweep
            The operating points, the highest threshold first.

        Raises
        ------
        UsageError
            For an unknown name.
        DataError
            Where a class that a shift needs is absent.
        """
        cells = self.cells(name)
        number = checked_shift(prior, TWO_CLASS, "prior")
        fp, tp = cells.sums(factors_of(self, cells, number))
        counts = np.stack([fp[-1] - fp, fp, tp[-1] - tp, tp], axis=1)
        thresholds = np.concatenate([[inf], cells.thresholds])
        for array in (counts, thresholds):
            array.flags.writeable = False
        averaged = number is not None or self.domains is not None
        account = self.account and replace(self.account, models=1)
        return ThresholdSweep(thresholds, counts, cells.below, averaged, account)

    def __getitem__(self, name: str) -> ThresholdSweep:
        return self.sweep(name)

    def best(
        self,
        by: ScoreLike = "f1",
        current: Number | Mapping[str, Number] | None = None,
        *,
        prior: PriorLike | None = None,
    ) -> BestThresholds:
        """Return the best threshold of every model for a score or a preference, and the gain over the current one.

        Parameters
        ----------
        by
            What :func:`rankscape.rank` takes: a score, an importance, or :func:`rankscape.costs`.
        current
            The threshold in use: one number for all models, or one per model, {name: threshold}.
        prior
            The share of positives to which the performances are shifted first; by default that of the data.

        Returns
        -------
        BestThresholds
            One :class:`BestThreshold` per model, the best model first. The value is that on the same cases the
            threshold was chosen on, so it flatters: :meth:`cross_fitted` says what to expect on new cases.

        Raises
        ------
        UndefinedScoreError
            Where the score is undefined at every threshold of a model.

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
        >>> table = S.best("f1", current=0.5).table()
        >>> table["entity"], table["threshold"], [round(x, 3) for x in table["gain"]]
        (['b', 'a'], [0.3, 0.4], [0.333, 0.133])
        """
        score = as_score(by)
        given = current if isinstance(current, Mapping) else dict.fromkeys(self.names, current)
        now = {self.cells(name).name: n if n is None else checked_threshold(n, name) for name, n in given.items()}
        best = {}
        for name in self.names:
            try:
                best[name] = self.sweep(name, prior).best(score, now.get(name))
            except UndefinedScoreError as error:
                raise error.located(f"the model {name!r}") from None
        return BestThresholds.of(score, best)

    def hulls(self, prior: PriorLike | None = None) -> dict[str, ThresholdSweep]:
        """Return the operating points of every model that can be best: the vertices of its ROC hull.

        Parameters
        ----------
        prior
            The share of positives to shift to; by default that of the data.

        Returns
        -------
        dict
            {model: operating points}, a :class:`ThresholdSweep` each.
        """
        return {name: self.sweep(name, prior).hull() for name in self.names}

    def first(self, prior: PriorLike | None = None) -> ModelRegions:
        """Return the Tile of models: at each place the model that is best there at its own best threshold, exactly.

        Parameters
        ----------
        prior
            The share of positives to which all models are shifted; by default that of their cases.

        Returns
        -------
        ModelRegions
            The regions of the models, the share of the Tile of each, and the thresholds inside.

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
        >>> S.first().areas, S.first().at(0.5, 0.5)
        ({'b': 1.0}, ('b',))
        """
        number = checked_shift(prior, TWO_CLASS, "prior")
        if number not in self._regions:
            self._regions[number] = regions_of_models(self.hulls(prior))
        return self._regions[number]

    def winning_points(self) -> WinningPoints:
        """Return the operating points that win somewhere on the Tile, as the explorer and the ranking card show them.

        Returns
        -------
        WinningPoints
            The points, and the model and threshold of each.

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 0, 1, 1, 1], {"a": [1, 2, 5, 3, 4, 6], "b": [1, 4, 5, 2, 6, 7]})
        >>> S.winning_points().performances.names
        ('a at 3', 'b at 6')
        """
        return winning_points(self.first, self.hulls(), self.account)

    @property
    def performances(self) -> Performances:
        """The operating points that win somewhere on the Tile; see :meth:`winning_points`."""
        return self.winning_points().performances

    def draws(self, draws: int = DRAWS, rng: RandomLike = 0) -> NoReturn:
        """Raise UsageError: every draw would have to choose the thresholds again, as :func:`rankscape.decide` does.

        Parameters
        ----------
        draws, rng
            As for other evidence.

        Returns
        -------
        NoReturn
            Nothing: it always raises.

        Raises
        ------
        UsageError
            With the way to draws of the choice.
        """
        raise no_draws_of_points()

    @cached_property
    def _regions(self) -> dict[Fraction | None, ModelRegions]:
        """The Tiles of models that were asked for, by prior."""
        return {}

    def flips(self, by: ScoreLike = "f1", prior: PriorLike | None = None) -> Flips:
        """Return how far a preference may move before another model is best, each at its own best threshold.

        Where the best threshold of a model moves along, the model stays the answer. The intervals along the axes are
        exact, and so is the nearest change but for 2⁻⁶⁰, as in :func:`rankscape.regions.flips`.

        Parameters
        ----------
        by
            A score with a place on the Tile, or an importance, or :func:`rankscape.costs`.
        prior
            The share of positives to which all models are shifted; by default that of their cases.

        Returns
        -------
        rankscape.regions.Flips
            The names are those of models.

        Raises
        ------
        NoPlaceError
            For a score without a place on the Tile, or one that models with different priors do not share.

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 0, 1, 1, 1], {"a": [1, 2, 5, 3, 4, 6], "b": [1, 4, 5, 2, 6, 7]})
        >>> S.flips([1, 2, 1, 1]).flips[0].direction, S.flips([1, 2, 1, 1]).along_b
        ('more false alarms per miss', (0.0, 0.5))
        """
        regions, score = self.first(prior), as_score(by)
        place, order = score.place_among(regions.points), regions.models.index
        return flips_among(score, place, regions.points, regions.owners, order)

    def decision_curve(self, thresholds: ArrayLike | None = None, prior: PriorLike | None = None) -> CurveView:
        """Return the decision curves of the models, whose scores must be risks: positive from p_t on.

        Parameters
        ----------
        thresholds : (k,), optional
            The thresholds p_t, in [0, 1), ascending, as in :func:`rankscape.views.decision_curves`.
        prior
            The share of positives to shift to; by default that of the data.

        Returns
        -------
        CurveView
            Net benefit over p_t; larger is better.

        Raises
        ------
        UsageError
            For thresholds outside [0, 1) or not in order.
        DataError
            For scores that are no probabilities.

        See Also
        --------
        rankscape.views.decision_curves

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 0, 1, 1], {"risk": [0.1, 0.2, 0.6, 0.4, 0.8]})
        >>> S.decision_curve([0.2, 0.5]).values.round(12).tolist()
        [[0.3, 0.0]]
        """
        return decision_curves(dict(self), thresholds, prior)

    def threshold(self, name: str, a: Number, b: Number, *, prior: PriorLike | None = None) -> float:
        """Return the best threshold of a model for the preference at the place (a, b) of the Tile.

        Parameters
        ----------
        name
            The model.
        a
            The place on the horizontal axis of the Tile, in [0, 1].
        b
            The place on the vertical axis of the Tile, in [0, 1].
        prior
            The share of positives to shift to; by default that of the data.

        Returns
        -------
        float
            The threshold; of equally good ones the highest.

        Raises
        ------
        UsageError
            For an unknown name or a place outside the Tile.
        UndefinedScoreError
            Where no threshold has a value.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8]}).threshold("a", 0.5, 1)
        0.4
        """
        place: Any = (a, b)
        return self.sweep(name, prior).best(at(*place)).threshold

    def _refuse_as_performances(self) -> NoReturn:
        """Raise for what needs thresholds."""
        ways = ["S.cross_fitted(by) chooses them", "S.at(0.5) takes one", "S.first() is their Tile"]
        raise UsageError("these are models with scores, and no thresholds yet", way_out=ways)

    def cross_fitted(
        self, by: ScoreLike = "f1", folds: int | None = None, rng: RandomLike = None, *, prior: PriorLike | None = None
    ) -> Performances:
        """Return the performances with thresholds that were chosen on other cases, one row per model (and domain).

        For each fold, the threshold of each model is chosen on the other folds, and judged on that one. So these are
        performances to expect on new cases; those at :meth:`best` thresholds flatter.

        Parameters
        ----------
        by
            The score or the preference by which thresholds are chosen, as in :meth:`best`.
        folds, rng
            The number of folds to draw (5), stratified by class and domain, and the seed (0). Leave both out where the
            data name their folds.
        prior
            The share of positives for which thresholds are chosen. The performances are those of the cases:
            shift them, as in ``rank(P, shift_prior=prior)``.

        Returns
        -------
        Performances
            Where the models scored the same cases, the performances know it: rank intervals and gates are paired.

        Raises
        ------
        DataError
            For fewer than three folds, or for fewer cases of a class than folds.
        UsageError
            For a number of folds, or a seed, where the data name their folds.

        Notes
        -----
        The best threshold on a sample follows the sample closely. So for each fold the thresholds that are best on the
        other folds but two (but one where fewer than four are left) are averaged, by their places among all scores. Of
        models with fewer than 20 distinct scores it is the best on all other folds.

        Examples
        --------
        >>> import rankscape as rs
        >>> y = [0, 1] * 10
        >>> S = rs.sweep(y, {"a": [0.1, 0.8] * 10, "b": [0.3, 0.9, 0.6, 0.4] * 5})
        >>> S.cross_fitted("f1").counts.tolist()
        [[10, 0, 0, 10], [5, 5, 2, 8]]
        """
        score, number = as_score(by), checked_shift(prior, TWO_CLASS, "prior")
        if rng is not None and self.folds is not None:
            raise no_effect("rng", "the data name their folds")
        cases = folded(self, folds, 0 if rng is None else rng, number)
        return cases.performances(cases.fitted(score))

    def at(self, thresholds: Number | Mapping[str, Number | tuple[str, Number]]) -> Performances:
        """Return the performances at given thresholds, on each domain where there are several.

        Parameters
        ----------
        thresholds
            One threshold for all models (positive if score ≥ threshold), or {model: threshold}, or {name: (model,
            threshold)}, with which a model may occur several times.

        Returns
        -------
        Performances
            Where the models scored the same cases, the performances know it: rank intervals and gates are paired.

        Raises
        ------
        UsageError
            For an unknown model, or a threshold that is no number.

        Examples
        --------
        >>> import rankscape as rs
        >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
        >>> S.at(0.4).counts.tolist()
        [[1, 1, 0, 2], [2, 0, 1, 1]]
        >>> P = S.at({"in use": ("a", 0.5), "new": ("a", 0.4)})
        >>> rs.gate(P["new"], P["in use"]).paired
        True
        """
        given = thresholds if isinstance(thresholds, Mapping) else dict.fromkeys(self.names, thresholds)
        if not given:
            raise UsageError("expected a threshold, as in at(0.5), or one for each model; got none")
        columns: dict[str, list[Part]] = {}
        for name, chosen in given.items():
            model, threshold = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else (name, chosen)
            number, one = checked_threshold(threshold, name), self.cells(model)
            columns[name] = [(one, np.arange(len(one.place)), one.thresholds[one.place] >= number)]
        same = self.paired or len({parts[0][0].name for parts in columns.values()}) == 1
        return judged(columns, self.domains, same)

    def table(self) -> Table:
        """Return one row per model: entity, cases, positives, operating points, and those on its hull.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        sweeps = [self[name] for name in self.names]
        return Table(
            {
                "entity": self.names,
                "cases": [cells.total.item() for cells in self.models],
                "positives": [cells.positives.sum().item() for cells in self.models],
                "operating_points": [len(points) for points in sweeps],
                "on_hull": [len(points.hull()) for points in sweeps],
            }
        )

    @property
    def heading(self) -> str:
        """How many models there are, and whether they scored the same cases."""
        domains = "" if self.domains is None else f" on {counted(len(self.domains), 'domain')}"
        same = ", of the same cases" if self.paired and len(self) > 1 else ""
        return f"Scores of {counted(len(self), 'model')}{domains}{same}"

    def __repr__(self) -> str:
        return f"<Sweeps: {self.heading}>"


def factors_of(sweeps: Sweeps, cells: Cells, prior: Fraction | None = None) -> Factors:
    """Return how much a case of each domain and class weighs, so that sums are averages, perhaps at a new prior.

    They are whole numbers without a common divisor.
    """
    weights, domains = sweeps._totals, sweeps.domains or ("",)
    negatives, positives = (list(map(exactly, side)) for side in cells.sides(len(domains)))
    shares = [Fraction(1)]
    if weights is not None:
        totals = [n + p for n, p in zip(negatives, positives, strict=True)]
        if not all(totals):
            raise DataError(
                f"the model {cells.name!r} has no case on the domain {domains[totals.index(Fraction(0))]!r}"
            )
        shares = [weight / total for weight, total in zip(weights, totals, strict=True)]
    down = up = Fraction(1)
    if prior is not None:
        negative, positive = (sum(n * f for n, f in zip(side, shares, strict=True)) for side in (negatives, positives))
        if not negative or not positive:
            lacking = "positive" if not positive else "negative"
            raise DataError(f"the model {cells.name!r} has no {lacking} case, so its prior cannot be shifted")
        down, up = (1 - prior) * positive, prior * negative
    pairs = np.array([share * side for share in shares for side in (down, up)], dtype=object)
    whole = integers_of_fractions(pairs).tolist()
    divisor = gcd(*whole)
    return [(x // divisor, y // divisor) for x, y in zip(whole[::2], whole[1::2], strict=True)]


def folded(sweeps: Sweeps, folds: int | None, rng: RandomLike, prior: Fraction | None = None) -> Folded:
    """Return models in folds: those given, or ``folds`` drawn ones, stratified by class and domain."""
    notes: tuple[str, ...] = ()
    if sweeps.folds is not None:
        if folds is not None:
            raise UsageError("the data name their folds, so the number of folds would change nothing: leave it out")
        number = len(sweeps.folds)
        if number < FEWEST:
            raise DataError(f"{counted(number, 'fold')} in the data; expected at least {FEWEST}")
        of = [np.asarray(cells.fold) for cells in sweeps.models]
        if number > MOST:
            notes += (f"The {number} folds in the data were joined to {MOST}",)
            of, number = [fold % MOST for fold in of], MOST
    else:
        number = checked_size("folds", 5 if folds is None else folds, FEWEST)
        if number > MOST:
            raise UsageError(f"folds must be at most {MOST}; got {number}")
        of = drawn_folds(sweeps.models, sweeps.paired, number, seed_of(rng))
    models = [
        FoldedModel(cells, fold, number, factors_of(sweeps, cells, prior))
        for cells, fold in zip(sweeps.models, of, strict=True)
    ]
    sides = [(model, cases) for model in models for cases in (model.cells.negatives, model.cells.positives)]
    least = min(int(np.bincount(model.fold, cases, number).min()) for model, cases in sides)
    if least < ENOUGH:
        notes += (
            f"A fold has {counted(least, 'case')} of one class: with fewer than {ENOUGH}, costs and intervals are "
            "less sure than they look",
        )
    return Folded(tuple(models), number, sweeps.domains, sweeps.paired, notes)


Columns = str | Sequence[str]


@overload
def sweep(
    y_true: ArrayLike,
    y_score: Mapping[str, ArrayLike],
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weights: WeightsLike = "equal",
) -> Sweeps: ...


@overload
def sweep(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Label | None = None, sample_weight: ArrayLike | None = None
) -> ThresholdSweep: ...


@overload
def sweep(
    y_true: TableLike,
    *,
    truth: str,
    score: Columns,
    entity: str | None = None,
    domain: Columns | None = None,
    case: str | None = None,
    fold: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    unanswered: str | None = None,
    weights: WeightsLike = "equal",
    encoding: str | None = None,
) -> Sweeps: ...


def sweep(
    y_true: ArrayLike | TableLike,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    truth: str | None = None,
    score: Columns | None = None,
    entity: str | None = None,
    domain: Columns | None = None,
    case: str | None = None,
    fold: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    unanswered: str | None = None,
    sample_weight: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weights: WeightsLike = "equal",
    encoding: str | None = None,
) -> ThresholdSweep | Sweeps:
    """Return every operating point of one scored model, or of several: positive if score ≥ threshold.

    Tied scores change sides together. A million cases take about the time of one sort.

    Parameters
    ----------
    y_true : (m,), or a table
        The true labels. Or a file, a pattern of files, or a data frame of one row per case (and model), with the
        columns that ``truth`` and ``score`` name.
    y_score : (m,), or a mapping of names to (m,)
        The scores, larger for more positive. One array gives a :class:`ThresholdSweep`; a mapping, or a data frame
        with one column per model, gives :class:`Sweeps`.
    truth, score, entity, domain, case, fold, weight, pos_label, unanswered, encoding
        Columns of a table, and how it is read, as in :func:`rankscape.cases`.
    sample_weight, domains, folds : (m,), optional
        The weight (≥ 0, not all 0), the domain and the fold of each case of arrays.
    weights
        How the performances on several domains are averaged, as in :func:`rankscape.summarize`.

    Returns
    -------
    ThresholdSweep or Sweeps
        The first for one array of scores.

    Raises
    ------
    DataError
        For scores that are missing, NaN or infinite, and labels that are missing or more than two.
    UsageError
        For a table without ``truth`` or ``score``, and for arguments that exclude each other.

    See Also
    --------
    rankscape.decide : choose a model and its threshold, and say what to expect
    rankscape.views.decision_curves : net benefit of risks
    rankscape.Performances.from_scores

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.sweep([0, 1, 0, 1], [0.2, 0.9, 0.7, 0.8]).best("fbeta(2)", current=0.5).threshold
    0.8
    >>> rs.sweep([0, 1, 0, 1], {"a": [0.2, 0.9, 0.7, 0.8], "b": [0.1, 0.2, 0.3, 0.4]}).names
    ('a', 'b')
    """
    given = {name: value for name, value in locals().items() if value is not None}
    if truth is not None or score is not None:
        why = "belongs to arrays, and truth= and score= to a table: leave out one of them"
        _refuse(given, ("y_score", "sample_weight", "domains", "folds"), why)
        if truth is None or score is None:
            missing = "truth" if truth is None else "score"
            raise UsageError([Option(missing), " names a column that a table of scores needs"])
        roles = {word: value for word, value in given.items() if word in ROLES}
        return cases_of(y_true, roles, encoding=encoding).sweep(weights)
    of_tables = ("entity", "domain", "case", "fold", "weight", "unanswered", "encoding")
    _refuse(given, of_tables, "belongs to a table: name its columns truth= and score=, too")
    if y_score is None:
        raise UsageError("expected scores, as in sweep(y_true, y_score), or the columns truth= and score= of a table")
    if isinstance(y_score, Mapping) or hasattr(y_score, "columns"):
        how = {"pos_label": pos_label, "sample_weight": sample_weight, "domains": domains, "folds": folds}
        return scored_cases(y_true, y_score, **how).sweep(weights)
    idle = ("domains", "folds", *(() if isinstance(weights, str) and weights == "equal" else ("weights",)))
    _refuse(given, idle, 'needs the name of the model, as in {"a": scores}')
    true, scores = scored(y_true, y_score, pos_label)
    refuse_other_order(y_true, sample_weight, "weights")
    sample = checked_weights(sample_weight, len(scores))
    counts, thresholds = operating_points(true, scores, sample and sample.plain)
    for array in (counts, thresholds):
        array.flags.writeable = False
    account = Account.of_labels(as_given(y_true, "y_true"), true, pos_label, 1, float(true.mean()))
    return ThresholdSweep(thresholds, counts, np.append(thresholds[1:], -np.inf), account=account)


def _refuse(given: Mapping[str, object], names: Sequence[str], why: str) -> None:
    for name in names:
        if name in given:
            raise UsageError(f"{name}= {why}")


def sweeps_of(table: Any, weights: WeightsLike = "equal") -> Sweeps:
    """Return the sweeps of a table of scores; raise where their domains cannot be averaged, or have no such weights."""
    models = tuple(
        cells_of_scores(model.name, model.truth, model.score, model.weight, model.domain, model.fold)
        for model in table.models
    )
    sweeps = Sweeps(models, table.domains, table.folds, table.paired, weights, notes=table.notes, account=table.account)
    for cells in models:
        factors_of(sweeps, cells)
    return sweeps

"""Ranks of published performances: bounds over all that the printed decimals leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.levels import levels
from ..errors import NoPlaceError, Option, UsageError
from ..kernels.exact import integers_of_fractions
from ..ordering import Ranking, rank
from ..performances import Performances
from ..results import Result, Table
from ..typing import Floats, Integers, Ties
from .boxes import Box, Range
from .reconstruction import Reconstruction

RISING = frozenset(
    {"mcc", "gmean", "fmi", "acp", "p4", "rogotgoldberg", "kulczynski2", "yuleq", "yuley", "or", "plr", "nlr"}
)
"""Scores without a place on the Tile that get no worse with a larger TPR or TNR, whatever the prevalence."""

RATES_ALONE = frozenset({"tpr", "tnr", "fpr", "fnr", "ba", "youden", "gmean", "plr", "nlr", "or", "yuleq", "yuley"})
"""Scores that do not depend on the prevalence."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a performance may be: rows of integers (m, 4), all of them or the corners of a box; one row is nearest."""

    rows: NDArray[Any]
    nearest: NDArray[Any]
    box: bool

    def performances(self) -> Performances:
        """Return one performance per row."""
        make = Performances.from_exact if self.rows.dtype == object else Performances.from_counts
        return make(self.rows)


@dataclass(frozen=True, eq=False, repr=False)
class PublishedRanking(Result):
    """A ranking of published performances, with bounds over everything that rounds to the printed decimals.

    The ranges are those of rounding; the sample adds its own.

    Attributes
    ----------
    ranking
        The ranking of the performances nearest to what is printed.
    bounds : (n, 2)
        The ranks that each entity may have.
    value_bounds : (n, 2)
        Its smallest and largest score; NaN where the score is undefined for all.
    tables
        How many tables of counts round to what is printed: None for more than a million, 0 where only rates are known.
    prior
        The share of positives to which all were shifted, or None.
    notes
        What a reader must know.
    cost_bounds : (n, 2)
        The smallest and largest expected cost per case where the preference was given as :func:`rankscape.costs`, else
        None.

    See Also
    --------
    rankscape.PublishedTable
    rankscape.read_published

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.read_published(
    ...     {"model": ["a", "b"], "sensitivity": ["0.90", "0.83"], "specificity": ["0.80", "0.91"]}
    ... )
    >>> P.rank("accuracy", shift_prior=0.02).bounds.tolist()
    [[2.0, 2.0], [1.0, 1.0]]
    """

    ranking: Ranking
    bounds: Floats
    value_bounds: Floats
    tables: tuple[int | None, ...]
    prior: Fraction | None
    notes: tuple[str, ...] = ()
    cost_bounds: Floats | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.ranking.names

    @property
    def heading(self) -> str:
        """What the entities are ranked by."""
        at = "" if self.prior is None else f" at the prior {float(self.prior):.4g}"
        return f"Ranking of published performances by {self.ranking.score.name}{at}, with bounds over the rounding"

    @property
    def possible_first(self) -> tuple[str, ...]:
        """The entities that can come first within the rounding of the printed decimals, in the order of the ranking."""
        return tuple(self.names[i] for i in self.ranking.order.tolist() if self.bounds[i, 0] == 1)

    def table(self) -> Table:
        """Return one row per entity, best first.

        Returns
        -------
        Table
            The columns rank, entity, value, value_low, value_high, rank_low, rank_high, tables, reason; of costs,
            expected_cost, cost_low and cost_high, per case, stand behind the values.
        """
        order = self.ranking.order
        whole = [[int(x) if x == x else x for x in self.bounds[order, side].tolist()] for side in (0, 1)]
        ranking, costs = self.ranking.table(), self.cost_bounds
        of_costs = {} if costs is None else {
            "expected_cost": ranking["expected_cost"], "cost_low": costs[order, 0], "cost_high": costs[order, 1],
        }  # fmt: skip
        return Table(
            {
                **{name: ranking[name] for name in ("rank", "entity", "value")},
                "value_low": self.value_bounds[order, 0],
                "value_high": self.value_bounds[order, 1],
                **of_costs,
                "rank_low": whole[0],
                "rank_high": whole[1],
                "tables": [self.tables[i] for i in order.tolist()],
                "reason": ranking["reason"],
            }
        )

    def __repr__(self) -> str:
        return "\n".join((super().__repr__(), *self.notes))


def candidates(what: Reconstruction | Box, prior: Fraction | None, name: str) -> Candidates:
    """Return what a performance may be, at a prior or as it is printed. Raises UsageError where that needs a prior."""
    if isinstance(what, Reconstruction) and what.counts is not None:
        counts = what.counts
        if prior is None:
            return Candidates(counts, what.nearest(), box=False)
        kept = counts[
            ((counts[:, :2].sum(axis=1) > 0) | (prior == 1)) & ((counts[:, 2:].sum(axis=1) > 0) | (prior == 0))
        ]
        if not len(kept):
            raise UsageError(f"{name} lacks a class in all of its tables of counts, so its prior cannot be shifted")
        nearest = _moved(what.nearest(kept)[None], prior)[0]
        return Candidates(_moved(_extreme_rates(kept), prior), nearest, box=False)
    box = _box_of_bounds(what.bounds) if isinstance(what, Reconstruction) else what
    share = box.prior if prior is None else Range(prior, prior, prior)
    if share is None:
        raise UsageError(
            f"{name} has rates only, which do not say how frequent the positives are",
            way_out=[("state it with ", Option("shift_prior", 0.02)), "add a column prevalence"],
        )
    tprs, tnrs, shares = (sorted({r.low, r.high}) for r in (box.tpr, box.tnr, share))
    corners = _rows([(t, s, p) for t in tprs for s in tnrs for p in shares])
    return Candidates(corners, _rows([(box.tpr.value, box.tnr.value, share.value)])[0], box=True)


def _rows(rates: Sequence[tuple[Fraction, Fraction, Fraction]]) -> NDArray[Any]:
    """Return integers tn, fp, fn, tp proportional to performances with given TPR, TNR and prior."""
    masses = [((1 - p) * s, (1 - p) * (1 - s), p * (1 - t), p * t) for t, s, p in rates]
    return integers_of_fractions(np.array(masses, dtype=object))


def _moved(counts: Integers, prior: Fraction) -> NDArray[Any]:
    """Return tables of counts at another prior, as integers."""
    return Performances.from_counts(counts).shift_priors(prior).integers


def _extreme_rates(counts: Integers) -> Integers:
    """Return one table for each pair of TPR and TNR."""
    reduced = np.stack(
        [counts[:, 0] // (a := np.gcd(counts[:, 0], counts[:, 1]).clip(1)), counts[:, 1] // a,
         counts[:, 2] // (b := np.gcd(counts[:, 2], counts[:, 3]).clip(1)), counts[:, 3] // b], axis=1,
    )  # fmt: skip
    _, first = np.unique(reduced, axis=0, return_index=True)
    return counts[np.sort(first)]


def _box_of_bounds(bounds: Integers) -> Box:
    """Return the box of the rates of all tables between the smallest and the largest counts."""
    (tn, fp, fn, tp), (most_tn, most_fp, most_fn, most_tp) = (list(map(int, side)) for side in bounds)

    def share(low: int, others_high: int, high: int, others_low: int) -> Range:
        least = Fraction(low, low + others_high) if low + others_high else Fraction(0)
        most = Fraction(high, high + others_low) if high + others_low else Fraction(1)
        return Range(least, most, (least + most) / 2)

    prior = share(fn + tp, most_tn + most_fp, most_fn + most_tp, tn + fp)
    return Box(share(tp, most_fn, most_tp, fn), share(tn, most_fp, most_tn, fp), prior)


def _refuse_without_corners(by: Score, sets: Sequence[Candidates], prior: Fraction | None) -> None:
    """Refuse a score whose extremes over a box need not be at its corners."""
    if by.orders_as is not None or not any(one.box for one in sets):
        return
    one_prior = prior is not None or by.key in RATES_ALONE
    inside = prior if prior is not None and 0 < prior < 1 else Fraction(1, 2)
    try:
        rises = by.key in RISING or by.exact_place(inside) is not None
    except NoPlaceError:
        rises = False
    if rises and one_prior:
        return
    if rises:
        raise UsageError(
            f"the bounds of {by.name} over printed rates are known at one prior only",
            way_out=[("state it with ", Option("shift_prior", 0.02))],
        )
    raise UsageError(
        f"rankscape does not know that {by.name} rises with both rates, so it cannot bound it over their rounding",
        way_out=["choose a ranking score, such as f1 or accuracy", "give n, so that the counts can be listed"],
    )


def ranked(
    names: tuple[str, ...],
    sets: Sequence[Candidates],
    by: Score,
    ties: Ties,
    prior: Fraction | None,
    tables: tuple[int | None, ...],
    notes: tuple[str, ...],
) -> PublishedRanking:
    """Return the ranking of the nearest performances, with bounds over all candidates, compared exactly."""
    _refuse_without_corners(by, sets, prior)
    nearest = Performances.from_exact(np.array([one.nearest for one in sets], dtype=object), names=names)
    ranking = rank(nearest, by=by, ties=ties)
    extremes, open_ends = [], np.zeros((len(sets), 2), dtype=bool)
    never = np.zeros(len(sets), dtype=bool)
    for i, one in enumerate(sets):
        level, _ = levels(one.performances(), by)
        defined = np.flatnonzero(level >= 0)
        never[i] = not len(defined)
        worst, best = (
            (defined[np.argmin(level[defined])], defined[np.argmax(level[defined])]) if len(defined) else (0, 0)
        )
        extremes += [one.rows[worst], one.rows[best]]
        if one.box:  # near a corner without a value the score may be anything
            open_ends[i] = level[0] < 0, level[-1] < 0
    both = Performances.from_exact(np.array([list(map(int, row)) for row in extremes], dtype=object))
    level, _ = levels(both, by)
    values = by(both).reshape(-1, 2)
    worst, best = level.reshape(-1, 2).T.astype(np.float64)
    worst[open_ends[:, 0]], best[open_ends[:, 1]] = -np.inf, np.inf
    sign = -1 if by.direction == "smaller" else 1
    ends = np.sort(values, axis=1)
    for side, column in ((0, 0 if sign > 0 else 1), (1, 1 if sign > 0 else 0)):
        ends[open_ends[:, side], column] = by.low if column == 0 else by.high
    ends[never] = np.nan
    better = (worst[None, :] > best[:, None]) & ~never
    worse = (best[None, :] < worst[:, None]) & ~never
    bounds = np.stack([1.0 + better.sum(axis=1), float((~never).sum()) - worse.sum(axis=1)], axis=1)
    bounds[never] = np.nan
    if by.key not in RATES_ALONE and nearest.common_prior() is None:
        notes = (
            *notes,
            "the shares of positives differ between the models: state the one of your cases to compare them at it",
        )
    return PublishedRanking(ranking, bounds, ends, tables, prior, notes, _cost_bounds(by, sets))


def _cost_bounds(by: Score, sets: Sequence[Candidates]) -> Floats | None:
    """Return the smallest and the largest expected cost of each, (n, 2); those over a box are at its corners."""
    if by.costs is None:
        return None
    expected = [by.costs.expected(one.performances()) for one in sets]
    return np.array([[costs.min(), costs.max()] for costs in expected])

"""Ranks with uncertainty: intervals, P(first), P(better), tiers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..checks import rows_of
from ..domains import Prepared
from ..errors import Option, UsageError
from ..ordering import levels
from ..performances import Performances
from ..results import DrawnResult, Table
from ..typing import Floats, Integers, PerformancesLike, RandomLike, ScoreLike
from .diagnostics import FEW, about_outside, outside
from .draws import DrawOptions, Draws, draws_of

LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class RankIntervals(DrawnResult):
    """The ranks that n entities may have, by draws of their performances.

    ``ranks`` (n,) are those of the performances seen, ``values`` their scores; ``low`` and ``high`` (n,) the interval
    of ranks at the ``level``, of each entity by itself or, with ``simultaneous``, of all at once; ``value_low`` and
    ``value_high`` that of the score. ``p_first`` is P(first), alone or tied, ``podium`` (n, 3) P(rank ≤ 1, 2, 3).
    ``p_undefined`` is the share of draws in which the score is undefined; they count for no rank. Where it is undefined
    by the performances seen, ranks and P(first) are NaN. ``notes`` say where the draws are biased, ``prepared`` how
    domains were averaged and priors shifted.

    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [30, 30, 20, 20]], names=["a", "b", "c"])
    >>> intervals = rank_intervals(P, by="f1")
    >>> intervals.low.tolist(), intervals.high.tolist(), intervals.p_first.round(1).tolist()
    ([1.0, 1.0, 3.0], [2.0, 2.0, 3.0], [0.5, 0.5, 0.0])
    """

    score: Score
    names: tuple[str, ...]
    level: float
    simultaneous: bool
    method: str
    paired: bool
    draws: int
    ranks: Floats
    values: Floats
    low: Floats
    high: Floats
    value_low: Floats
    value_high: Floats
    p_first: Floats
    podium: Floats
    p_undefined: Floats
    orders: Floats = field(repr=False)
    notes: tuple[str, ...] = ()
    prepared: Prepared | None = None

    drawing, brief = "draw_rank_intervals", True

    @cached_property
    def p_better(self) -> Floats:
        """P(row better than column), (n, n): the share of draws; ties and undefined ones do not count."""
        columns, n = self.orders.T[:, :, None], len(self.names)  # one at a time: all at once may be too many
        return np.array([(column > self.orders).mean(axis=0) for column in columns]).reshape(n, n)

    def better(self, name: str, other: str) -> float:
        """Return P(the first is better than the second), ties not counted. Raises UsageError for unknown names."""
        i, j = (rows_of(self.names, entity, "entity")[0] for entity in (name, other))
        return float((self.orders[:, i] > self.orders[:, j]).mean())

    @property
    def order(self) -> Integers:
        """The rows from first to last by the performances seen, of tied ones the one with the larger P(first)."""
        return np.lexsort((-self.p_first, np.nan_to_num(self.ranks, nan=np.inf)))

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups from the best on: a tier ends before the entity that its leader beats with probability ≥ level.

        The leader of a tier is its best by the performances seen. Undefined entities are in none.
        """
        tiers: list[list[int]] = []
        for row in self.order[~np.isnan(self.ranks[self.order])].tolist():
            if not tiers or (self.orders[:, tiers[-1][0]] > self.orders[:, row]).mean() >= self.level:
                tiers.append([])
            tiers[-1].append(row)
        return tuple(tuple(self.names[row] for row in rows) for rows in tiers)

    @cached_property
    def tied_for_first(self) -> tuple[str, ...]:
        """The smallest set, taken by decreasing P(first), in which one comes first with at least the level."""
        with np.errstate(invalid="ignore"):
            first = self.orders == np.nanmax(np.where(np.isnan(self.orders), -np.inf, self.orders), axis=1)[:, None]
        decided = first.any(axis=1)
        chosen = np.zeros(len(self.names), dtype=bool)
        order = np.argsort(-self.p_first, kind="stable")
        for row in order:
            if decided.any() and first[:, chosen].any(axis=1)[decided].mean() >= self.level:
                break
            chosen |= (self.p_first >= self.p_first[row]) & (self.p_first > 0)  # NaN is neither
        return tuple(self.names[row] for row in order if chosen[row])

    def table(self) -> Table:
        """Return one row per entity, best first: rank, low, high, p_first, value, value_low, value_high, tier, …"""
        order = self.order
        tier = {name: i + 1 for i, names in enumerate(self.tiers) for name in names}
        return Table(
            {
                "entity": [self.names[i] for i in order],
                "rank": _whole(self.ranks[order]),
                "low": _whole(self.low[order]),
                "high": _whole(self.high[order]),
                "p_first": self.p_first[order],
                "value": self.values[order],
                "value_low": self.value_low[order],
                "value_high": self.value_high[order],
                "tier": [tier.get(self.names[i]) for i in order],
                "p_undefined": self.p_undefined[order],
            }
        )

    @property
    def heading(self) -> str:
        """The score, the level and the draws."""
        return f"RankIntervals by {self.score.name}, {self.level:.0%}; {self.draws} draws, {self.method}"


def _whole(ranks: Floats) -> list[float | int]:
    return [nan if rank != rank else int(rank) if float(rank).is_integer() else rank for rank in ranks.tolist()]


def rank_intervals(
    performances: PerformancesLike | Draws,
    by: ScoreLike | None = None,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    level: float = LEVEL,
    simultaneous: bool = False,
    **options: Unpack[DrawOptions],
) -> RankIntervals:
    """Return the interval of ranks of every entity, and P(first), by draws of the performances.

    ``performances`` are counts, of which the posterior is drawn with ``draws`` (by default 2000), ``rng`` (0) and the
    ``options`` method, weights, missing, groups and shift_prior of :func:`rankscape.uncertainty.posterior`; or they are
    draws themselves, such as those of :func:`rankscape.uncertainty.bootstrap`, and take of these shift_prior only. In
    each draw the rank is 1 + the number of better ones, and may be up to the number of better or tied ones; the
    interval cuts (1 − level)/2 of the draws at either end. With ``simultaneous`` it holds all ranks of the share
    ``level`` of the draws that are least extreme, each draw as extreme as for the entity for which it is most so: with
    that probability *all* ranks are inside at once. Ties of integer draws are exact. Works for every sample space of
    which ``by`` is a score. Entities whose score is undefined by the performances seen have no rank in any draw.
    ``notes`` say where draws are biased.
    Raises DataError for performances without counts, UsageError for options that would change nothing.

    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [40, 20, 20, 20]], names=["a", "b", "c"])
    >>> rank_intervals(P, by="f1").table()["high"]
    [2, 2, 3]
    """
    if not 0 < level < 1:
        raise UsageError([Option("level", python="level"), " must lie between 0 and 1, such as 0.95"], got=str(level))
    drawn = draws_of(performances, draws, rng, options)
    score = as_score(by, drawn.space)
    orders, values = orders_of(drawn, score)
    p_undefined = np.isnan(orders).mean(axis=0)
    observed, _ = levels(drawn.observed, score)
    undefined = observed < 0  # an entity that cannot be ranked takes no rank from others
    orders, values = (np.where(undefined, nan, each) for each in (orders, values))
    low, high = ranks_of(orders)
    tail = (1 - level) / 2
    if simultaneous:
        ends = _together(low, high, level)
    else:
        ends = _quantile(low, tail, "inverted_cdf"), _quantile(high, 1 - tail, "inverted_cdf")
    podium = np.stack([np.asarray(low <= place).mean(axis=0) for place in (1, 2, 3)], axis=-1)
    podium[undefined] = nan
    value = score(drawn.observed)
    value_low, value_high = _quantile(values, tail, "linear"), _quantile(values, 1 - tail, "linear")
    beyond = outside(value, value_low, value_high) & (len(drawn) >= FEW)
    return RankIntervals(
        score=score, names=drawn.names, level=level, simultaneous=simultaneous, method=drawn.method,
        paired=drawn.paired, draws=len(drawn), ranks=ranks_of(np.where(undefined, nan, observed)[None])[0][0],
        values=value, low=ends[0], high=ends[1], value_low=value_low, value_high=value_high,
        p_first=podium[:, 0].copy(), podium=podium, p_undefined=p_undefined, orders=orders,
        notes=(*drawn.notes, *about_outside([name for name, b in zip(drawn.names, beyond, strict=True) if b], level)),
        prepared=drawn.prepared,
    )  # fmt: skip


def orders_of(draws: Draws, score: Score) -> tuple[Floats, Floats]:
    """Return numbers (draws, n) that order as the score does, larger is better, and its values; NaN where undefined.

    Of integer draws the first are levels, equal exactly where the score ties.
    """
    shape = draws.values.shape[:2]
    rows = draws.values.reshape(-1, draws.values.shape[2])
    defined = np.asarray(rows.sum(axis=1) > 0)  # not where a class that a shift needs is absent
    if not defined.all():
        part = replace(draws, values=rows[defined][:, None])
        both = [np.full(len(rows), nan), np.full(len(rows), nan)]
        for out, values in zip(both, orders_of(part, score) if defined.any() else (), strict=False):
            out[defined] = values[:, 0]
        return both[0].reshape(shape), both[1].reshape(shape)
    if not draws.exact:
        values = score(_performances(rows, None, draws)).reshape(shape)
        odds = _odds(rows, score)
        orders = -values if score.direction == "smaller" else values
        return (orders if odds is None else np.where(np.isnan(values), nan, odds.reshape(shape))), values
    distinct, same = rows, np.arange(len(rows))
    if rows.dtype != object:
        distinct, same = np.unique(rows, axis=0, return_inverse=True)
    performances = _performances(distinct / distinct.sum(axis=1, keepdims=True), distinct.astype(object), draws)
    level, _ = levels(performances, score)
    orders = np.where(level < 0, nan, level)[same.ravel()].reshape(shape)
    return np.asarray(orders), np.asarray(score(performances)[same.ravel()].reshape(shape))


def _odds(rows: NDArray[Any], score: Score) -> Floats | None:
    """Return S/U of draws (m, k): it orders as the ranking score S/(S + U), of which many would round to 1."""
    if score.orders_as is None or score.space.satisfaction is None or not {*score.space.satisfaction} <= {0, 1}:
        return None
    weights = np.array([float(w) for w in score.orders_as])
    right = np.array(score.space.satisfaction) == 1
    with np.errstate(all="ignore"):
        return np.asarray((rows[:, right] @ weights[right]) / (rows[:, ~right] @ weights[~right]))


def _performances(mass: NDArray[Any], exact: NDArray[Any] | None, draws: Draws) -> Performances:
    names = ("",) * len(mass)
    return Performances(np.array(mass, dtype=np.float64), None, names, None, draws.space, exact=exact)


def ranks_of(orders: Floats) -> tuple[Floats, Floats]:
    """Return 1 + the number of better ones, and the number of better or equal ones, in every draw; NaN: undefined.

    >>> [ranks.tolist() for ranks in ranks_of(np.array([[3.0, 1.0, 3.0, nan]]))]
    [[[1.0, 3.0, 1.0, nan]], [[2.0, 3.0, 2.0, nan]]]
    """
    low, high = np.full(orders.shape, nan), np.full(orders.shape, nan)
    for draw, values in enumerate(orders):
        defined = ~np.isnan(values)
        ascending = np.sort(values[defined])
        low[draw, defined] = 1 + len(ascending) - np.searchsorted(ascending, values[defined], side="right")
        high[draw, defined] = len(ascending) - np.searchsorted(ascending, values[defined], side="left")
    return low, high


def _quantile(values: Floats, q: float, method: Literal["inverted_cdf", "linear"]) -> Floats:
    """Return a quantile of each column, of what is defined there."""
    columns = (column[~np.isnan(column)] for column in values.T)
    return np.array([float(np.quantile(c, q, method=method)) if len(c) else nan for c in columns])


def _together(low: Floats, high: Floats, level: float) -> tuple[Floats, Floats]:
    """Return intervals that hold all ranks of a share ``level`` of the draws, the least extreme ones."""
    depth = np.ones(len(low))
    for lower, upper in zip(low.T, high.T, strict=True):
        defined = ~np.isnan(lower)
        if not defined.any():
            continue
        n = defined.sum()
        not_above = np.searchsorted(np.sort(lower[defined]), lower[defined], side="right") / n
        not_below = 1 - np.searchsorted(np.sort(upper[defined]), upper[defined], side="left") / n
        depth[defined] = np.minimum(depth[defined], np.minimum(not_above, not_below))
    kept = depth >= np.quantile(depth, 1 - level, method="inverted_cdf")
    return np.asarray(np.fmin.reduce(low[kept], axis=0)), np.asarray(np.fmax.reduce(high[kept], axis=0))

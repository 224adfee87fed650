"""Score and rank draws: those of performances, and those of the mean errors of regressors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._scores import Score, as_score
from .._scores.levels import levels, one_per_level
from ..errors import Option, UsageError
from ..floats import products
from ..ordering import rank
from ..performances import Performances
from ..tasks.criteria import SatisfactionLike, criterion
from ..tasks.pairs import Pairs
from ..typing import Flags, Floats, Integers, RandomLike, ScoreLike
from .defaults import DRAWS
from .draws import DrawOptions, Draws
from .errors import drawn_errors

LARGE = 10_000_000
"""More values than this are held as float32, with 7 digits, so that they fit into memory."""

MOST_TOGETHER = 1000
"""Sets of ranks hold together among this many of the best entities, at most."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores ``values`` (draws, n), first and last ranks ``places`` and ``lasts``, 0 where undefined, of draws.

    ``ranks`` and ``seen`` (n,) are the ranks and the scores of the performances that were seen; ``undefined`` (n,) are
    the entities that have no score there, and so no rank in any draw. ``best`` (m,) are the rows of all others, or
    of the 1000 best; ``apart`` are their scores (draws, m) by draws in which nothing is pooled.
    ``costs`` are the expected costs per case that were seen (n,), and those drawn (draws, n), of a score of costs.
    """

    drawn: Draws
    score: Score
    ranks: Floats
    seen: Floats
    undefined: Flags
    values: NDArray[Any]
    places: NDArray[Any]
    lasts: NDArray[Any]
    best: Integers
    apart: NDArray[Any] | None
    costs: tuple[Floats, NDArray[Any]] | None


def scored_draws(drawn: Draws, by: ScoreLike | None) -> Scored:
    """Return the scores and ranks of draws of performances."""
    score = as_score(by, drawn.space)
    observed, _ = levels(drawn.observed, score)
    undefined = observed < 0  # an entity that cannot be ranked takes no rank from others
    values, places, lasts, costs_drawn = _ranked(drawn, score, undefined)
    costs = None
    if score.costs is not None and costs_drawn is not None:
        costs = score.costs.expected(drawn.observed), costs_drawn
    ranks = places_of(np.where(undefined, nan, observed)[None])[0][0].astype(np.float64)
    ranks = np.where(undefined, nan, ranks)
    best = _best(ranks)
    apart = None if drawn.apart is None else _values(drawn.apart, score, best)
    seen = one_per_level(score(drawn.observed), observed)
    return Scored(drawn, score, ranks, seen, undefined, values, places, lasts, best, apart, costs)


def scored_pairs(
    pairs: Pairs,
    by: ScoreLike | None,
    draws: int | None,
    rng: RandomLike,
    clusters: ArrayLike | None,
    **options: Unpack[DrawOptions],
) -> Scored:
    """Return the scores and ranks of draws of the mean errors of regressors."""
    if idle := [name for name in options if name != "method"]:
        raise UsageError([Option(idle[0]), " would change nothing: regressors have no domains and no prior"])
    ranking = rank(pairs, by=by)
    chosen = criterion(cast(SatisfactionLike, by))  # the ranking has refused all else
    method, count, seed = options.get("method", "exchangeable"), DRAWS if draws is None else draws, rng or 0
    drawn, score = drawn_errors(pairs, chosen, ranking.score, count, seed, clusters, method)
    ranks = ranking.ranks.astype(np.float64)  # exact, as no draws are
    return replace(scored_draws(drawn, score), score=ranking.score, ranks=ranks, seen=ranking.values)


def _best(ranks: Floats) -> Integers:
    """Return the rows of the best entities, not more than sets of ranks hold together among, in their order."""
    ranked = np.flatnonzero(~np.isnan(ranks))
    return np.sort(ranked[np.argsort(ranks[ranked], kind="stable")][:MOST_TOGETHER])


def _values(drawn: Draws, score: Score, rows: Integers) -> NDArray[Any]:
    """Return the scores (draws, m) of some entities in all draws."""
    blocks = [orders_of(block[:, rows], score, drawn)[1] for block in drawn.blocks()]
    return np.concatenate(blocks).astype(_kind(drawn), copy=False)


def _kind(drawn: Draws) -> type[np.floating[Any]]:
    return np.float32 if len(drawn) * len(drawn.names) > LARGE else np.float64


def _ranked(
    drawn: Draws, score: Score, undefined: Flags
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Return the scores of all draws, the first and the last rank in each (draws, n), 0 where undefined, and costs."""
    shape = len(drawn), len(drawn.names)
    values = np.empty(shape, dtype=_kind(drawn))
    places = np.empty(shape, dtype=np.int32)
    lasts, start = places, 0
    costs = None if score.costs is None else np.empty(shape, dtype=_kind(drawn))
    if drawn.exact:
        lasts = np.empty(shape, dtype=np.int32)
    for block in (drawn.values,) if drawn.exact else drawn.blocks():
        orders, scored = orders_of(block, score, drawn)
        stop = start + len(block)
        orders, values[start:stop] = (np.where(undefined, nan, each) for each in (orders, scored))
        first, last = places_of(orders)
        places[start:stop] = first
        if lasts is places and not np.array_equal(first, last):
            lasts = places.copy()
        if lasts is not places:
            lasts[start:stop] = last
        if costs is not None and score.costs is not None:
            costs[start:stop] = score.costs.of_mass(block)
        start = stop
    return values, places, lasts, costs


def orders_of(block: NDArray[Any], score: Score, draws: Draws) -> tuple[Floats, Floats]:
    """Return numbers (draws, n) that order as the score does, larger is better, and its values; NaN where undefined.

    For integer draws the numbers are levels, which are equal exactly where the score ties.
    """
    shape = block.shape[:2]
    rows = block.reshape(-1, block.shape[2])
    defined = np.asarray(rows.sum(axis=1) > 0)  # not where a class that a shift needs is absent
    if not defined.all():
        both = [np.full(len(rows), nan), np.full(len(rows), nan)]
        for out, part in zip(
            both, orders_of(rows[defined][:, None], score, draws) if defined.any() else (), strict=False
        ):
            out[defined] = part[:, 0]
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
        earned, lost = (products(weights[None, side], rows.T[side])[0] for side in (right, ~right))
        return np.asarray(earned / lost)


def _performances(mass: NDArray[Any], exact: NDArray[Any] | None, draws: Draws) -> Performances:
    names = ("",) * len(mass)
    return Performances(np.array(mass, dtype=np.float64), None, names, None, draws.space, exact=exact)


def places_of(orders: Floats) -> tuple[Integers, Integers]:
    """Return 1 + the number of better ones, and the number of better or equal ones, in every draw; 0: undefined.

    >>> [ranks.tolist() for ranks in places_of(np.array([[3.0, 1.0, 3.0, nan]]))]
    [[[1, 3, 1, 0]], [[2, 3, 2, 0]]]
    """
    order = np.argsort(-orders, axis=1)  # NaN comes last
    ordered = np.take_along_axis(orders, order, axis=1)
    n = orders.shape[1]
    place = np.arange(1, n + 1, dtype=np.int32)
    new = np.ones(orders.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=new[:, 1:])
    if new.all() and not np.isnan(ordered[:, -1]).any():  # no ties, and all are defined
        out: NDArray[Any] = np.empty(orders.shape, dtype=np.int32)
        np.put_along_axis(out, order, place[None], axis=1)
        return out, out
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    ends = np.ones(orders.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, n)[:, ::-1], axis=1)[:, ::-1]
    both = np.zeros((2, *orders.shape), dtype=np.int32)
    undefined = np.isnan(ordered)
    for to, ranks in zip(both, (first, last), strict=True):
        np.put_along_axis(to, order, np.where(undefined, 0, ranks).astype(np.int32), axis=1)
    return both[0], both[1]

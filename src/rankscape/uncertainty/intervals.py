"""Ranks with uncertainty: sets that hold together, P(first), P(better), tiers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import nan
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from .._scores.score import levels, one_per_level
from ..arrays import rows_in_order
from ..checks import rows_of
from ..checks.numbers import checked_flag, is_number
from ..domains import Prepared
from ..errors import Option, UsageError
from ..floats import exps, logs, products, squares
from ..ordering import criterion_of
from ..performances import Performances
from ..results import DrawnResult, Table
from ..tasks.pairs import Pairs
from ..texts import counted
from ..typing import Flags, Floats, Integers, PerformancesLike, RandomLike, ScoreLike
from .defaults import FEW, LEVEL
from .draws import DrawOptions, Draws, draws_of, refuse_unknown_options
from .errors import graded_cases

LARGE = 10_000_000
"""More values than this are held as float32, with 7 digits, so that they fit into memory."""

MOST_TOGETHER = 1000
"""Sets of ranks hold together among this many of the best entities, at most."""


@dataclass(frozen=True, eq=False, repr=False)
class RankIntervals(DrawnResult):
    """The ranks that n entities may have, by draws of their performances.

    With ``simultaneous`` a set of ranks goes from 1 + the number of entities that are surely better to the number of
    those that are not surely worse, and all sets hold together in at least the share ``level`` of the draws; otherwise
    each is a credible interval by itself, as the intervals of the scores are. An entity whose score is undefined by the
    performances seen has NaN as ranks and P(first). One that is ranked alone has no P(first): there is none to beat.

    Attributes
    ----------
    score
        The score.
    names
        The entities.
    level, simultaneous
        The share of the draws in which the sets must hold at least, and whether together or each by itself.
    method, paired, draws, seed
        How performances were drawn, whether the entities share what is drawn, how often, and the seed.
    ranks, values : (n,)
        The ranks and the scores of the performances seen.
    low, high : (n,)
        The ends of the set of ranks of each entity.
    value_low, value_high : (n,)
        The interval of the score, each by itself, widened to hold the value seen.
    p_first : (n,)
        P(first), shared where several tie.
    p_undefined : (n,)
        The share of draws in which the score is undefined: such a draw counts for no rank.
    places : (draws, n)
        The ranks in each draw, 0 where undefined.
    together : (m,)
        The entities among which the sets hold together: all, or the 1000 best.
    claims : (m, m)
        The sure differences among them, row better than column.
    kinds : (n,)
        Equal for entities of which exactly the same was seen: draws say the same of them.
    notes
        Cautions.
    prepared
        How domains were averaged and priors shifted.
    unit
        What was drawn.
    expected_costs, cost_low, cost_high : (n,)
        Where the preference was given as costs, those per case, and the interval of each.

    See Also
    --------
    rankscape.uncertainty.rank_intervals
    rankscape.plots.draw_sure_differences

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[50, 10, 5, 35], [45, 15, 2, 38], [30, 30, 30, 10]], names=["a", "b", "c"]
    ... )
    >>> intervals = rs.uncertainty.rank_intervals(P, by="f1")
    >>> intervals.low.tolist(), intervals.high.tolist(), intervals.p_first.round(1).tolist()
    ([1.0, 1.0, 3.0], [2.0, 2.0, 3.0], [0.6, 0.4, 0.0])
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
    p_undefined: Floats
    places: Integers = field(repr=False)
    together: Integers = field(repr=False)
    claims: Flags = field(repr=False)
    kinds: Integers = field(repr=False)
    notes: tuple[str, ...] = ()
    prepared: Prepared | None = None
    unit: str = ""
    seed: int | None = None
    expected_costs: Floats | None = None
    cost_low: Floats | None = None
    cost_high: Floats | None = None

    drawing, brief = "draw_rank_intervals", True

    @cached_property
    def p_better(self) -> Floats:
        """P(row better than column), (n, n): the share of draws; ties and undefined ones do not count."""
        return self._p_better(np.arange(len(self.names)))

    def _p_better(self, rows: Integers) -> Floats:
        """Return P(row better than column) of some entities, with all of their copies or none."""
        each = [self._beaten(i)[:, rows].mean(axis=0) for i in rows.tolist()]
        return shared_pairs(np.array(each).reshape(len(rows), len(rows)), self.kinds[rows])

    def _beaten(self, i: int) -> Flags:
        """Return in which draws an entity is better than which others, (draws, n)."""
        place = self.places[:, i, None]
        return np.asarray((place < self.places) & (place > 0))

    @cached_property
    def podium(self) -> Floats:
        """P(rank ≤ 1, 2, 3), (n, 3); NaN where P(first) is."""
        shares = [((self.places > 0) & (self.places <= place)).mean(axis=0) for place in (1, 2, 3)]
        return np.where(np.isnan(self.p_first)[:, None], nan, shared(np.stack(shares, axis=-1), self.kinds))

    @cached_property
    def sure(self) -> Flags:
        """The claims, and what follows from them, (m, m)."""
        return closed(self.claims)

    @cached_property
    def held(self) -> float:
        """The share of draws in which all ``together`` have ranks inside of their sets, or none."""
        here = self.places[:, self.together]
        low, high = self.low[self.together], self.high[self.together]
        return float(((here == 0) | ((here >= low) & (here <= high))).all(axis=1).mean())

    @property
    def pairs(self) -> int:
        """The number of pairs of ranked entities that claims are made about."""
        n = len(self.together)
        return n * (n - 1) // 2

    def better(self, name: str, other: str) -> float:
        """Return P(the first is better than the second); ties do not count.

        Parameters
        ----------
        name
            The first entity.
        other
            The second entity.

        Returns
        -------
        float
            The share of draws, in [0, 1].

        Raises
        ------
        UsageError
            For unknown names.
        """
        row, against = (rows_of(self.names, entity, "entity")[0] for entity in (name, other))
        if row == against:
            return 0.0
        alike = np.flatnonzero(np.isin(self.kinds, self.kinds[[row, against]]))  # they, and their copies
        return float(self._p_better(alike)[np.searchsorted(alike, row), np.searchsorted(alike, against)])

    @property
    def order(self) -> Integers:
        """The rows from first to last by the performances seen, of tied ones the one with the larger P(first).

        Where that does not decide either, names do.
        """
        return rows_in_order(self.names, -self.p_first, self.ranks)

    @cached_property
    def best_first(self) -> Integers:
        """The places of entities in ``together``, from first to last."""
        rank = np.argsort(self.order)
        return np.argsort(rank[self.together])

    @cached_property
    def differences_held(self) -> float:
        """The share of draws in which all sure differences hold together."""
        all_true = np.ones(self.draws, dtype=bool)
        for i, row in enumerate(self.together.tolist()):
            all_true &= self._beaten(row)[:, self.together[self.sure[i]]].all(axis=1)
        return float(all_true.mean())

    @cached_property
    def differences(self) -> Table:
        """One row per sure difference, best first: better, worse, probability, the two values, direct.

        Together they hold in at least the share ``level`` of the draws. In a draw in which *a* is better than *b* and
        *b* better than *c*, *a* is better than *c* too: what follows from claims is as sure as they are, and a
        difference that follows from no two others is ``direct``. Of tied entities the more probably first comes first.
        """
        order, rows = self.best_first, self.together
        better, worse = (order[places] for places in np.nonzero(self.sure[np.ix_(order, order)]))
        return Table(
            {
                "better": [self.names[row] for row in rows[better]],
                "worse": [self.names[row] for row in rows[worse]],
                "probability": self._p_better(rows)[better, worse],
                "value_better": self.values[rows[better]],
                "value_worse": self.values[rows[worse]],
                "direct": (self.sure & ~through(self.sure))[better, worse],
            }
        )

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups from the best on: a tier ends before the first entity that its leader is surely better than.

        The leader of a tier is its best by the performances seen. Undefined entities are in none, nor those of very
        many that are not ``together``.
        """
        tiers: list[list[int]] = []
        for i in self.best_first.tolist():
            if not tiers or self.sure[tiers[-1][0], i]:
                tiers.append([])
            tiers[-1].append(i)
        return tuple(tuple(self.names[self.together[i]] for i in tier) for tier in tiers)

    @property
    def tied_for_first(self) -> tuple[str, ...]:
        """The entities ``together`` that no other is surely better than, best first.

        In at least ``level`` of the draws the first is one of them.
        """
        beaten = np.asarray(self.sure.any(axis=0))
        return tuple(self.names[self.together[i]] for i in self.best_first if not beaten[i])

    def table(self) -> Table:
        """Return one row per entity, best first.

        Returns
        -------
        Table
            Among others the columns rank, low, high, p_first, value, value_low, value_high and tier; of costs also
            expected_cost, cost_low and cost_high, per case.
        """
        order = self.order
        named = {"expected_cost": self.expected_costs, "cost_low": self.cost_low, "cost_high": self.cost_high}
        costs = {name: values[order] for name, values in named.items() if values is not None}
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
                **costs,
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
    performances: PerformancesLike | Draws | Pairs,
    by: ScoreLike | None = None,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    level: float = LEVEL,
    simultaneous: bool = True,
    **options: Unpack[DrawOptions],
) -> RankIntervals:
    """Return the set of ranks of every entity, and P(first), by draws of the performances.

    rankscape sorts the claims "i is better than j" by how clear they are, and keeps as many as hold all together in the
    share ``level`` of the draws: the sure differences. The set of ranks of an entity goes from 1 + the number of
    entities that are surely better to the number of those that are not surely worse. So in at least the share
    ``level`` of the draws *all* ranks are in their sets at once; ``held`` is the share in which they are.

    Parameters
    ----------
    performances
        Counts, of which :func:`rankscape.uncertainty.posterior` draws; or draws themselves, such as those of
        :func:`rankscape.uncertainty.paired`; or pairs of regressors, of which the cases are drawn.
    by
        A score of the sample space; by default that of the task.
    draws, rng
        The number of draws, by default 2000, and their seed or generator, by default 0; not with draws themselves.
    level
        The share of the draws, in (0, 1), in which all sets of ranks hold together at least, and each interval of a
        score by itself. Lower levels make narrower sets.
    simultaneous
        If false, the set of each entity is a credible interval by itself, and leaves out (1 − level)/2 of the draws at
        either end: all together hold less often. It is no confidence set of one entity, which is wider.
    options
        The options method, weights, missing, resample and shift_prior of
        :func:`rankscape.uncertainty.posterior`; draws themselves take shift_prior only.

    Returns
    -------
    RankIntervals
        Entities whose score is undefined by the performances seen have no rank in any draw. Of more than 1000
        entities, the sets hold together among the 1000 best; the others get intervals by themselves, and ``notes``
        say so.

    Raises
    ------
    DataError
        For performances without counts.
    UsageError
        For options that would change nothing.

    See Also
    --------
    rankscape.rank : without the uncertainty
    rankscape.uncertainty.first_tile : who most probably comes first, for every preference
    rankscape.uncertainty.paired : surer, where the models share the cases

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[50, 10, 5, 35], [45, 15, 2, 38], [40, 20, 30, 10]], names=["a", "b", "c"]
    ... )
    >>> rs.uncertainty.rank_intervals(P, by="f1").table()["high"]
    [2, 2, 3]
    """
    refuse_unknown_options(options, rank_intervals)
    if not is_number(level) or not 0 < level < 1:
        raise UsageError([Option("level", python="level"), " must lie between 0 and 1, such as 0.95"], got=str(level))
    level, simultaneous = float(level), checked_flag("simultaneous", simultaneous)  # a Fraction would meet ufuncs
    if isinstance(performances, Pairs):
        performances, by = graded_cases(performances, criterion_of(by))
    drawn = draws_of(performances, draws, rng, options)
    score = as_score(by, drawn.space)
    ordered, _ = levels(drawn.observed, score)
    seen = one_per_level(score(drawn.observed), ordered)
    ranks = places_of(np.where(ordered < 0, nan, ordered)[None])[0][0].astype(np.float64)
    ranks[ordered < 0] = nan
    undefined, kinds, tail = np.isnan(ranks), drawn.kinds, (1 - level) / 2
    values, places, lasts, costs = _in_draws(drawn, score, undefined)
    low, high = _quantiles(places, tail)
    if not np.array_equal(places, lasts):  # where some tie in draws
        high = _quantiles(lasts, tail)[1]
    ends = [shared(end, kinds) for end in _quantiles(values, tail)]
    ranked = int((~undefined).sum())
    best = np.sort(np.argsort(ranks, kind="stable")[: min(ranked, MOST_TOGETHER)])
    sign, apart = score.sign, None
    if drawn.apart is not None:
        alone = [orders_of(block[:, best], score)[1] for block in drawn.apart.blocks()]
        apart = sign * np.concatenate(alone).astype(_kind(drawn.apart), copy=False)
    claims = claims_of(
        np.multiply(sign, values[:, best], dtype=np.float64), places[:, best], level, apart,
        min(len(drawn.names), MOST_TOGETHER), kinds[best],
    )  # fmt: skip
    intervals = RankIntervals(
        score=score, names=drawn.names, level=level, simultaneous=simultaneous, method=drawn.method,
        paired=drawn.paired, draws=len(values), ranks=ranks, values=seen, low=np.floor(shared(low, kinds)),
        high=np.ceil(shared(high, kinds)), value_low=np.minimum(ends[0], seen), value_high=np.maximum(ends[1], seen),
        p_first=shared(_first(places, undefined), kinds),
        p_undefined=shared(np.where(undefined, 1.0, (places == 0).mean(axis=0)), kinds), places=places, together=best,
        claims=claims, kinds=kinds, notes=drawn.notes, prepared=drawn.prepared, unit=drawn.unit, seed=drawn.seed,
    )  # fmt: skip
    if score.costs is not None and costs is not None:
        expected = score.costs.expected(drawn.observed)
        ends = [shared(end, kinds) for end in _quantiles(costs, tail)]
        cost_low, cost_high = np.fmin(ends[0], expected), np.fmax(ends[1], expected)
        intervals = replace(intervals, expected_costs=expected, cost_low=cost_low, cost_high=cost_high)
    return _together(intervals, best, ranked) if simultaneous else intervals


def _in_draws(
    drawn: Draws, score: Score, undefined: Flags
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Return the scores of all draws, the first and the last rank in each (draws, n), 0 where undefined, and costs."""
    # An entity that is ``undefined`` by what was seen takes no rank from others.
    shape, start = (len(drawn), len(drawn.names)), 0
    values, places = np.empty(shape, dtype=_kind(drawn)), np.empty((2, *shape), dtype=np.int32)
    costs = None if score.costs is None else np.empty_like(values)
    for block in drawn.blocks():
        orders, scored = orders_of(block, score)
        here = slice(start, start := start + len(block))
        orders, values[here] = (np.where(undefined, nan, each) for each in (orders, scored))
        places[:, here] = places_of(orders)
        if costs is not None and score.costs is not None:
            costs[here] = score.costs.of_mass(block)
    return values, *places, costs


def _kind(drawn: Draws) -> type[np.floating[Any]]:
    return np.float32 if len(drawn) * len(drawn.names) > LARGE else np.float64


def orders_of(block: NDArray[Any], score: Score) -> tuple[Floats, Floats]:
    """Return numbers (draws, n) that order as the score does, larger is better, and its values; NaN where undefined."""
    rows = block.reshape(-1, block.shape[2])
    defined = np.asarray(rows.sum(axis=1) > 0)  # not where a class that a shift needs is absent
    orders, values = np.full((2, len(rows)), nan)
    if defined.any():
        seen = rows[defined]
        values[defined] = score(Performances(np.array(seen), None, ("",) * len(seen), None, score.space))
        orders[:] = -values if score.direction == "smaller" else values
        if (odds := _odds(seen, score)) is not None:
            orders[defined] = np.where(np.isnan(values[defined]), nan, odds)
    return orders.reshape(block.shape[:2]), values.reshape(block.shape[:2])


def _odds(rows: NDArray[Any], score: Score) -> Floats | None:
    """Return S/U of draws (m, k): it orders as the ranking score S/(S + U), of which many would round to 1."""
    if score.orders_as is None or score.space.satisfaction is None or not {*score.space.satisfaction} <= {0, 1}:
        return None
    weights = np.array([float(w) for w in score.orders_as])
    right = np.array(score.space.satisfaction) == 1
    with np.errstate(all="ignore"):
        earned, lost = (products(weights[None, side], rows.T[side])[0] for side in (right, ~right))
        return np.asarray(earned / lost)


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


def _together(intervals: RankIntervals, best: Integers, ranked: int) -> RankIntervals:
    """Return the intervals with sets of ranks that hold together among the best; they hold the ranks seen."""
    sure = intervals.sure
    low, high = intervals.low.copy(), intervals.high.copy()
    low[best] = np.fmin(1 + sure.sum(axis=0), intervals.ranks[best])
    high[best] = np.fmax(len(best) - sure.sum(axis=1), intervals.ranks[best])
    if ranked <= len(best):
        return replace(intervals, low=low, high=high)
    low[best], high[best] = np.fmin(low[best], intervals.low[best]), np.fmax(high[best], intervals.high[best])
    note = (
        f"The sets of ranks are right at once only for the {len(best)} best of {counted(ranked, 'model')}; the "
        "others have an interval each on its own"
    )
    return replace(intervals, low=low, high=high, notes=(*intervals.notes, note))


def _first(places: Integers, undefined: Flags) -> Floats:
    """Return P(first), shared by those that tie."""
    # NaN without a rank, for one that is ranked alone, and where no draw has a rank.
    total = np.zeros(places.shape[1])
    first = places == 1
    sharing = first.sum(axis=1)
    for number in np.unique(sharing[sharing > 0]).tolist():
        total += np.count_nonzero(first[sharing == number], axis=0) / number
    unknown = undefined | (not places.any() or (~undefined).sum() < 2)
    return np.where(unknown, nan, total / max(1, len(places)))


def _quantiles(columns: NDArray[Any], tail: float) -> tuple[Floats, Floats]:
    """Return the quantiles ``tail`` and 1 − ``tail`` of each column, of what is defined there: of ranks, whole ones."""
    defined = columns > 0 if columns.dtype.kind == "i" else ~np.isnan(columns)
    method: Literal["inverted_cdf", "linear"] = "inverted_cdf" if columns.dtype.kind == "i" else "linear"
    out = np.full((2, columns.shape[1]), nan)
    for start in range(0, columns.shape[1], 500):
        part, here = columns[:, start : start + 500], defined[:, start : start + 500]
        whole = here.all(axis=0)
        out[:, start : start + 500][:, whole] = np.quantile(part[:, whole], [tail, 1 - tail], axis=0, method=method)
        for j in np.flatnonzero(~whole & here.any(axis=0)).tolist():
            out[:, start + j] = np.quantile(part[here[:, j], j], [tail, 1 - tail], method=method)
    return out[0], out[1]


# Claims that one entity is better than another, all at once, and the sets of ranks that follow from them

LEAST = 1.0
"""A difference of this many of its standard deviations may be claimed, if it holds together with the others."""


def critical(n: int, level: float) -> float:
    """Return the difference, in standard deviations, that only a claim exceeds by draws in which nothing is pooled.

    If three quarters of n entities were exactly alike, and the others too, no difference inside these two groups would
    exceed it with the probability ``level``. Where more are alike, pooling sees it.

    >>> [round(critical(12, level), 2) for level in (0.5, 0.95, 0.99)]
    [2.13, 3.13, 3.62]
    """
    others = max(1, n // 4)
    return alike_within((n - others, others), level)


def least(n: int, level: float) -> float:
    """Return the smallest difference that is claimed, in standard deviations: ``LEAST``, or less at low levels.

    >>> round(least(2, 0.5), 2), least(2, 0.95), least(3, 0.5)
    (0.67, 1.0, 1.0)
    """
    return min(LEAST, alike_within((n,), level))


@lru_cache(maxsize=256)
def alike_within(groups: tuple[int, ...], level: float) -> float:
    """Return the difference, in standard deviations, that no two of a group exceed with the probability ``level``.

    All in a group are exactly alike, and the probability is that of all groups at once: a product of distributions of
    the range of standard normal numbers (Tukey, 1953), which is divided by √2.

    >>> round(alike_within((2,), 0.95), 3), round(alike_within((10,), 0.9), 2)
    (1.96, 2.92)
    """
    from scipy.special import ndtr

    z = np.linspace(-9, 9, 401)
    density = exps(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    low, high = 0.0, 20.0
    for _ in range(45):
        middle = (low + high) / 2
        spread = ndtr(z + middle) - ndtr(z)
        below = np.prod([n * (density * exps((n - 1) * logs(spread))).sum() for n in groups if n > 1])
        low, high = (middle, high) if below < level else (low, middle)
    return high / float(np.sqrt(2))


def claims_of(
    values: Floats,
    places: Integers,
    level: float,
    apart: Floats | None = None,
    among: int | None = None,
    kinds: Integers | None = None,
) -> Flags:
    """Return the claims (n, n), row better than column, as many as hold together in the share ``level`` of the draws.

    ``values`` (draws, n) are larger for better entities, NaN where undefined; ``places`` (draws, n) are the ranks by
    them, 0 where undefined. Claims are sorted by the mean difference, in units of its standard deviation, and kept from
    the clearest on as long as all that are kept are true at once in enough draws. With too few draws to tell, fewer
    than ``FEW``, none is kept. A claim about an undefined entity is not true. Where draws ``apart`` are
    given, in which nothing is pooled, a difference must be :func:`critical` there, too: for two groups of alike
    entities, pooling learns how far the groups are apart, not how alike their members are. ``among`` is the number of
    entities that could have been compared, by default n: those that are undefined belong to it. Entities of one of the
    ``kinds`` (n,) have the same claims.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal([0, 0.5, 9], size=(1000, 3))
    >>> claims_of(values, 3 - values.argsort(axis=1).argsort(axis=1), 0.95).astype(int).tolist()
    [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    """
    n = values.shape[1]
    if len(values) < FEW or len(values) * (1 - level) < 1:  # too few draws to tell the level from certainty
        return np.zeros((n, n), dtype=bool)
    kinds = np.arange(n) if kinds is None else kinds
    strength, smallest = shared_pairs(_strength(values), kinds), least(among or n, level)
    defined = places > 0
    worst = np.where(defined, places, np.iinfo(places.dtype).max).max(axis=0)
    best = np.where(defined.all(axis=0), places.min(axis=0), 0)
    safe = level + np.sqrt(level * (1 - level) / len(values))  # a standard error more: draws are a sample
    enough = min(int(np.ceil(safe * len(values))), len(values)) - 1
    largest, refuted = np.full(len(values), -np.inf), smallest  # of the strengths of the claims that a draw refutes
    for i in range(n):  # a claim that is no clearer than those refuted already would not change what is kept
        doubtful = np.flatnonzero((strength[i] > refuted) & (worst[i] >= best))
        for start in range(0, len(doubtful), 256):
            part = doubtful[start : start + 256]
            true = (places[:, i, None] < places[:, part]) & defined[:, i, None] & defined[:, part]
            largest = np.maximum(largest, np.where(true, -np.inf, strength[i, part]).max(axis=1, initial=-np.inf))
        refuted = max(float(np.partition(largest, enough)[enough]), smallest)
    claims = (strength > refuted) & (worst[:, None] < np.iinfo(places.dtype).max)
    if apart is not None:
        claims &= shared_pairs(_strength(apart), kinds) > critical(among or n, level)
    np.fill_diagonal(claims, False)
    return np.asarray(claims)


def _strength(values: Floats) -> Floats:
    """Return the mean differences (n, n) in their standard deviations; −∞ where an entity is never defined."""
    with np.errstate(all="ignore"):
        known = ~np.isnan(values)
        times = known.sum(axis=0)
        whole = bool(known.all())
        mean = (values if whole else np.where(known, values, 0)).sum(axis=0) / np.where(times, times, 1)
        deviation = values - mean if whole else np.where(known, values - mean, 0.0)
        covariance = squares(deviation) / len(values)
        variance = np.diag(covariance)[:, None] + np.diag(covariance)
        variance -= 2 * covariance
        difference = mean[:, None] - mean
        strength = difference / np.sqrt(np.maximum(variance, 1e-18 * np.abs(difference) ** 2 + 1e-300))
    return np.where((times > 0)[:, None] & (times > 0), strength, -np.inf)


def copies(kinds: Integers) -> list[Integers]:
    """Return the rows of each kind that has several."""
    order = np.argsort(kinds, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1)
    return [rows for rows in parts if len(rows) > 1]


def shared(numbers: Floats, kinds: Integers) -> Floats:
    """Return numbers (n, …) with the mean of each kind.

    >>> shared(np.array([0.2, 0.3, 0.4]), np.array([0, 1, 0])).round(12).tolist()
    [0.3, 0.3, 0.3]
    """
    out = np.array(numbers, dtype=np.float64)
    for rows in copies(kinds):
        out[rows] = np.sort(out[rows], axis=0).mean(axis=0)  # sorted: the same in any order of rows
    return out


def shared_pairs(numbers: Floats, kinds: Integers) -> Floats:
    """Return numbers (n, n) of pairs with the mean of all pairs of these kinds; an entity is no pair with itself.

    >>> shared_pairs(
    ...     np.array([[0.0, 0.4, 0.9], [0.6, 0, 0.7], [0.1, 0.3, 0]]), np.array([0, 0, 1])
    ... ).tolist()
    [[0.0, 0.5, 0.8], [0.5, 0.0, 0.8], [0.2, 0.2, 0.0]]
    """
    out = np.array(numbers, dtype=np.float64)
    for rows in copies(kinds):
        block = np.ix_(rows, rows)
        among, same = np.array(out[block]), np.eye(len(rows), dtype=bool)
        out[rows] = np.sort(out[rows], axis=0).mean(axis=0)
        out[:, rows] = np.sort(out[:, rows], axis=1).mean(axis=1, keepdims=True)
        out[block] = np.where(same, among, np.sort(among[~same]).mean())
    return out


def closed(claims: Flags) -> Flags:
    """Return the claims and what follows from them, (n, n): a strict partial order."""
    reach = claims
    while True:  # claims that already hold what follows from them take one round
        more = reach | through(reach)
        if (more == reach).all():
            return np.asarray(reach & ~reach.T)  # claims in a circle cannot hold together: they say nothing
        reach = more


def through(sure: Flags) -> Flags:
    """Return whether the row is better than something that is better than the column."""
    steps = sure.astype(np.float32)  # products of floats are fast, and no count below 2²⁴ is rounded
    return np.asarray(steps @ steps > 0)

"""Maps of ranks: of one entity, of who is r-th, and of how alike a score and every ranking score rank."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from .._scores import as_score
from .._scores.score import levels
from ..checks import checked_size, refuse_no_rank, rows_of
from ..distributions import Distribution
from ..errors import Option, UsageError, no_effect, not_among
from ..flavors import titled
from ..geometry.levels import TooManySlabs
from ..kernels.exact import first_equal, normalized
from ..kernels.grid import Progress, Sides, edge_weights, layers, ranks_of, rows_ahead, rows_at, within_rounding
from ..kernels.maps import MOST, rank_at, spearman_map, tau_b_map
from ..performances import Performances
from ..regions import Regions
from ..regions.shapes import always_alike, regions_within
from ..texts import counted, ordinal
from ..typing import Correlation, Flags, Floats, Integers, PerformancesLike, RandomLike, ScoreLike
from .maps import RESOLUTION, TileMap, one_per_entity

MOST_CANDIDATES = 400
MOST_SLABS = 500
"""How many intervals of columns exact regions may need; where they need more, shares are those of the grid."""


def ranking(performances: PerformancesLike, name: str, resolution: int = RESOLUTION) -> TileMap:
    """Map the rank of one entity: 1 + the number of better ones, decided exactly.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        The entity.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.

    Returns
    -------
    TileMap
        The ranks, from 1, the best; NaN where the entity is undefined.

    Raises
    ------
    UsageError
        For an unknown name.

    See Also
    --------
    rankscape.uncertainty.rank_intervals : how sure the ranks are

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.tile.ranking(P, "b", resolution=3).values.tolist()
    [[2.0, 2.0, 2.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    performances, averaged = one_per_entity(performances)
    resolution = checked_size("resolution", resolution, 2)
    groups, rows = _distinct(performances)
    rows_of(performances.names, name, "entity")  # raises where there is none of that name
    group = next(i for i, group in enumerate(groups) if name in group)
    sizes = np.array([len(group) for group in groups])
    ranks = ranks_of(group, performances.fitting()[rows], sizes, resolution)
    return TileMap(
        flavor="ranking", title=titled("ranking", name=name), label="rank (1 is best)", values=ranks,
        subtitle=f"Among {counted(len(performances), 'model')}.{averaged}",
        prior=performances.common_prior(), vmin=1.0, vmax=float(len(performances)), parameters={"name": name},
    )  # fmt: skip


def entity(
    performances: PerformancesLike,
    rank: int = 1,
    last: bool = False,
    resolution: int = RESOLUTION,
    progress: Progress | None = None,
) -> TileMap:
    """Map who is at a rank, for every preference; ties are sets, decided exactly.

    Shares are exact where the regions are (``regions``; not for middle ranks of many entities, where they are those of
    the grid).

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    rank
        The rank, from 1.
    last
        Whether ranks are counted from the last.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.
    progress
        A function that is called with the number of rows done.

    Returns
    -------
    TileMap
        The map; a value is an index into ``sets``, the names.

    Raises
    ------
    UsageError
        For a rank that nobody has.

    See Also
    --------
    rankscape.regions.first : the exact regions
    rankscape.uncertainty.first_tile : who most probably comes first
    rankscape.rank : one preference

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.tile.entity(P).at(0, 0), rs.tile.entity(P).at(1, 1)
    (('a',), ('b',))
    """
    return ranks_within(performances, None, rank, last, resolution, progress)


def ranks_within(
    performances: PerformancesLike,
    exact: Regions | None,
    rank: int = 1,
    last: bool = False,
    resolution: int = RESOLUTION,
    progress: Progress | None = None,
) -> TileMap:
    """Map who is at a rank, as :func:`entity` does, where the regions may be known."""
    performances, averaged = one_per_entity(performances)
    n = len(performances)
    refuse_no_rank(rank, n)
    resolution = checked_size("resolution", resolution, 2)
    # Who can have the rank anywhere; equal ones are one candidate of their number. Its row is its value on the map, and
    # every tie that occurs has a number from n on.
    candidates = layers(performances.mass, rank, last)
    groups, rows = _distinct(performances[candidates])
    rows = candidates[rows]
    sides = Sides(performances.fitting()[rows], resolution, inverted=last)
    values = np.full((resolution, resolution), np.nan)
    codes: dict[tuple[int, ...], int] = {}  # a single entity has the number of its row; ties are counted from n on
    for i, j, members in _at_rank(sides, rank, np.array([len(group) for group in groups]), progress):
        if members not in codes:
            alone = len(members) == 1 and len(groups[members[0]]) == 1
            codes[members] = int(rows[members[0]]) if alone else n + sum(code >= n for code in codes.values())
        values[i, j] = codes[members]
    tied = [members for members, code in codes.items() if code >= n]
    sets: list[tuple[str, ...]] = [(name,) for name in performances.names]
    sets += [tuple(sorted(name for member in members for name in groups[member])) for members in tied]
    if exact is None and (rank == 1 or len(rows) <= MOST_CANDIDATES):
        with suppress(TooManySlabs):
            exact = regions_within(performances, rank, last, most_slabs=MOST_SLABS)
    shares = shares_on_grid(values, sets, performances.names) if exact is None else exact.areas
    place = f"{ordinal(rank)} from last" if last and rank > 1 else "last" if last else ordinal(rank)
    come = "comes" if len(shares) == 1 else "come"
    ever = f"{len(shares)} of {counted(n, 'model')} {come} {place} on a part of the Tile"
    if len(shares) == n > 1:
        ever = f"Each of the {n} models comes {place} for some preference"
    if len(shares) == 1 < n and rank == 1 and exact is not None:  # somebody has this rank wherever it is defined
        ever = f"The same model comes {place} for every preference"
    if len(groups[0]) == n > 1:
        ever = f"All {n} models tie, whatever the preference"
    mask = None
    if rank == 1 and not last:
        row_of = np.array([*range(n), *(rows[min(members)] for members in tied), -1])
        mask = no_skill_mask(performances, row_of[np.where(np.isnan(values), -1, values).astype(int)], resolution)
    return TileMap(
        flavor="entity", title=f"Who is {place}, for every preference", label=f"who is {place}", values=values,
        subtitle=f"{ever}.{averaged}",
        sets=tuple(sets), shares=shares, regions=exact,
        ties=tuple(sorted(tuple(sorted(group)) for group in groups if len(group) > 1 and group[0] in shares)),
        prior=performances.common_prior(), no_skill=mask, parameters={"rank": int(rank), "last": bool(last)},
    )  # fmt: skip


def _distinct(performances: Performances) -> tuple[list[tuple[str, ...]], Integers]:
    """Group the names of equal performances; return the groups and a row of each."""
    whole = performances.fitting()
    known = performances.counts is None or performances.small is not None  # else counts that floats may not hold
    first = first_equal(whole, performances.mass if known else normalized(whole))
    rows, place = np.unique(first, return_inverse=True)
    groups: list[tuple[str, ...]] = [(performances.names[row],) for row in rows.tolist()]
    for i in np.flatnonzero(first != np.arange(len(first))).tolist():
        groups[place[i]] += (performances.names[i],)
    return groups, rows


def _at_rank(
    sides: Sides, rank: int, sizes: Integers, progress: Progress | None
) -> Iterator[tuple[int, Integers | int, tuple[int, ...]]]:
    """Yield (row, columns, members of the tie at the rank); near-ties are decided on integers."""
    places, near = rank_at(sides, sizes, rank, os.cpu_count() or 1, progress)
    m = sides.resolution - 1
    for i, (at, close) in enumerate(zip(places, near, strict=True)):
        for member in np.unique(at[(at >= 0) & ~close]):
            yield i, np.flatnonzero((at == member) & ~close), (int(member),)
        for j in np.flatnonzero(close):
            odds = sides.odds_at(i, int(j))
            chosen = odds[at[j]]
            tied = within_rounding(odds, chosen)
            with np.errstate(invalid="ignore"):
                ahead = int(sizes[(odds < chosen) & ~tied].sum())
            members, place = np.flatnonzero(tied), (Fraction(int(j), m), Fraction(i, m))
            here = rows_at(sides.integers[members], *place, rank - ahead, sides.inverted, sizes[members])
            yield i, int(j), tuple(members[here].tolist())


def shares_on_grid(values: Floats, sets: Sequence[tuple[str, ...]], names: tuple[str, ...]) -> dict[str, float]:
    """Return the share of the grid of every name that is there somewhere, in decreasing order."""
    weights = edge_weights(len(values))
    codes = np.where(np.isnan(values), -1, values).astype(int)
    present = np.unique(codes[codes >= 0])
    shares = {name: float(weights[np.isin(codes, [c for c in present if name in sets[c]])].sum()) for name in names}
    return dict(sorted(((name, share) for name, share in shares.items() if share > 0), key=lambda item: -item[1]))


def no_skill_mask(performances: Performances, winner: Integers, resolution: int) -> Flags | None:
    """Tell where the winner (a row; −1 nobody) does not beat the better constant answer; None if priors differ."""
    if performances.common_prior() is None:
        return None
    first = performances.integers[0]
    negative, positive = first[0] + first[1], first[2] + first[3]
    constants = np.array([[negative, 0, positive, 0], [0, negative, 0, positive]], dtype=object)
    winners = np.unique(winner[winner >= 0])
    chosen = performances.integers[winners]
    defined = Sides(np.concatenate([chosen, constants]), resolution).defined
    mask, rows = np.zeros((resolution, resolution), dtype=bool), np.arange(resolution)[:, None]
    constant_itself = always_alike(chosen)  # its own prior may differ from the first one's by rounding
    for constant, numbers in enumerate(constants, len(winners)):
        low, high = rows_ahead(chosen, numbers, resolution)
        for k, row in enumerate(winners):
            beaten = (low[k] <= rows) & (rows <= high[k])
            both = defined(constant) & defined(k)  # where either is undefined, neither is better
            mask |= (winner == row) & (defined(k) if constant_itself[k] else both & ~beaten)
    return mask


# Correlation maps: how alike a score and every canonical ranking score order performances

STATISTICS = {"kendall": "Kendall's τ-b", "spearman": "Spearman's ρ"}
PLACES = 101
SAMPLE = 10_000


def correlation(
    score: ScoreLike,
    performances: PerformancesLike | Distribution,
    *,
    statistic: Correlation = "kendall",
    n: int | None = None,
    resolution: int = PLACES,
    rng: RandomLike = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TileMap:
    """Map the rank correlation of a score with every canonical ranking score R_{a,b}.

    Performances for which either score is undefined are dropped. 1 is reached where a score orders as R_{a,b} does.
    Larger scores are compared with larger R, whatever is better. (Tile, 5 and Figs 4 and 7.)

    Parameters
    ----------
    score
        A name, an expression, a :class:`Score` or a function.
    performances
        A set of performances, or a distribution, such as ``rs.distributions.Uniform()``, of which ``n`` are drawn.
    statistic
        "kendall" (τ-b) or "spearman"; either is decided exactly.
    n
        The number of performances to draw of a distribution, by default 10 000.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.
    rng
        A generator or a seed for these; None draws another sample each time.
    threads
        The number of threads, all processors by default; results do not depend on it.
    progress
        A function that is called with the number of rows done.

    Returns
    -------
    TileMap
        The correlations, in [−1, 1]; NaN against a constant.

    Raises
    ------
    UsageError
        For an unknown statistic or too many performances, and for ``n`` and ``rng`` where nothing is drawn.
    UnknownScoreError
        For an unknown score.

    See Also
    --------
    rankscape.kendall_tau
    rankscape.audit : the closest sound score

    Examples
    --------
    >>> import rankscape as rs
    >>> tile_map = rs.tile.correlation("f1", rs.distributions.Uniform(), n=200, resolution=5, rng=0)
    >>> tile_map.at(1, 0.5), tile_map.values.shape
    (1.0, (5, 5))
    """
    by: Any
    source: Any
    first = isinstance(score, Performances) or callable(getattr(score, "draw", None))  # as the other maps have them
    by, source = (performances, score) if first else (score, performances)
    if statistic not in STATISTICS:
        raise not_among("statistic", statistic, STATISTICS)
    if inspect.isclass(source):
        raise UsageError(f"{source.__name__} is a class: give a distribution, as in {source.__name__}()")
    drawn = callable(getattr(source, "draw", None))
    for name in [name for name, given in (("n", n), ("rng", rng)) if given is not None and not drawn]:
        raise no_effect(name, "performances are not drawn")
    data, averaged = one_per_entity(source.draw(SAMPLE if n is None else n, rng) if drawn else source)
    if len(data) > MOST:
        raise UsageError(
            f"a correlation map takes at most {MOST} performances; got {len(data)}",
            way_out=["use fewer", Option("n", python="draw fewer, such as n=10_000")],
        )
    resolution, by = checked_size("resolution", resolution, 2), as_score(by)
    level, _ = levels(data, replace(by, direction="larger"))  # from the smallest value, whatever is better
    kernel = spearman_map if statistic == "spearman" else tau_b_map
    values = kernel(data.integers, level, resolution, threads=threads or os.cpu_count() or 1, progress=progress)
    where = counted(len(data), "performance") + (f" drawn from {source!r}" if drawn else "")
    parameters: dict[str, Any] = {"score": by.name, "statistic": statistic}
    if drawn:
        parameters |= {"distribution": repr(source), "n": SAMPLE if n is None else int(n)}
    return TileMap(
        flavor="correlation", title=titled("correlation", score=by.symbol), label=STATISTICS[statistic], values=values,
        subtitle=f"Of {where}.{'' if drawn else averaged}", prior=data.common_prior(),
        vmin=-1.0, vmax=1.0, center=0.0, parameters=parameters,
    )  # fmt: skip

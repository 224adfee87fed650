"""Exact regions: the places at which an entity has a rank, their areas, and what follows from borders of two."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from math import fsum, gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import refuse_no_rank
from ..errors import UsageError
from ..geometry.borders import Border, border_of_integers
from ..geometry.hull import hull
from ..geometry.levels import Columns, Slab, slabs
from ..kernels.grid import layers
from ..outcomes import RIGHT_SIDE
from ..performances import Performances, as_performances
from ..tasks import two_class
from ..typing import Flags, Integers, PerformancesLike
from .records import Piece, Region, Regions, named


def first(performances: PerformancesLike, rank: int = 1, last: bool = False) -> Regions:
    """Return the exact regions of the Tile on which each entity comes first, or has another rank.

    This holds for any priors. Regions of who is first and of who is last are connected, and with equal priors bounded
    by the borders between neighbors on the ROC hull. Domains are averaged. (Tile, A.4.1, generalized: borders are arcs
    for any priors, and three of them meet at rational columns.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    rank
        The rank, from 1.
    last
        Whether ranks are counted from the last.

    Returns
    -------
    Regions
        The regions, the largest first. Without true negatives these are the parts of the right side of the Tile, a = 1,
        and areas are shares of it.

    Raises
    ------
    UsageError
        For a rank that nobody has.

    See Also
    --------
    rankscape.tile.entity : the same as a map
    rankscape.regions.winners : the names only

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> rs.regions.first(P).at(0.5, 0), rs.regions.first(P).at(0.5, 1)
    (('a',), ('b',))
    """
    return regions_within(performances, rank, last)


def prepared(performances: PerformancesLike, what: str, side: bool = False) -> Performances:
    """Return one performance of two classes per entity; with ``side`` also of those without true negatives."""
    view = two_class.at_right_side if side else two_class.as_two_class
    return view(as_performances(performances).per_entity(), what)


def regions_within(
    performances: PerformancesLike,
    rank: int = 1,
    last: bool = False,
    most_slabs: int | None = None,
    owner: Callable[[list[int]], Hashable] | None = None,
) -> Regions:
    """Return the regions as :func:`first` does. Raises TooManySlabs where they need more than allowed.

    Regions of rows that have the same ``owner`` are one, without borders inside.
    """
    performances = prepared(performances, "a region of the Tile", side=True)
    refuse_no_rank(rank, len(performances))
    names, integers = performances.names, performances.integers
    kept = layers(performances.mass, rank, last)
    groups, never = _groups(integers[kept], kept)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    rank_here = rank - len(never) if last else rank
    if rank_here < 1 or rank_here > sizes.sum():
        everywhere = (Piece(Fraction(0), Fraction(1), None, None),)
        regions = [Region(named(names, never), everywhere, tuple(never))]
    else:
        columns = Columns(integers[[group[0] for group in groups]], sizes, not last)
        owners = [k if owner is None else owner(group) for k, group in enumerate(groups)]
        regions = []
        for members, pieces in _pieces(columns, slabs(columns, rank_here, most_slabs), owners):
            rows = sorted(row for k in members for row in groups[k])
            regions.append(Region(named(names, rows), tuple(pieces), tuple(rows)))
        regions.sort(key=lambda region: (-region.area, region.names))
    return Regions(rank, last, tuple(regions), names, integers, side=performances.space == RIGHT_SIDE)


def _groups(integers: NDArray[Any], rows: Integers) -> tuple[list[list[int]], list[int]]:
    """Group the rows that tie inside the whole Tile, and those that satisfy never."""
    groups: dict[str | tuple[int, ...], list[int]] = {}
    never: list[int] = []
    for row, (tn, fp, fn, tp) in zip(rows.tolist(), integers.tolist(), strict=True):
        if tn == tp == 0:
            never.append(row)
            continue
        common = gcd(tn, fp, fn, tp)
        key = "perfect" if fp == fn == 0 else (tn // common, fp // common, fn // common, tp // common)
        groups.setdefault(key, []).append(row)
    return list(groups.values()), never


def _pieces(columns: Columns, parts: list[Slab], owners: Sequence[Hashable]) -> Iterable[tuple[set[int], list[Piece]]]:
    """Return the groups of each owner, and its pieces, those of neighboring slabs merged where their borders go on."""

    @cache
    def between(k: int, other: int) -> Border:  # one object per pair: pieces go on where their borders are the same
        return border_of_integers(columns.rows[k], columns.rows[other])

    regions: dict[Hashable, tuple[set[int], list[Piece]]] = {}
    for slab in parts:
        bands = [list(band) for _, band in groupby(slab.groups, key=owners.__getitem__)]
        arcs = [None, *(between(*sorted((below[-1], above[0]))) for below, above in pairwise(bands)), None]
        for band, (low, high) in zip(bands, pairwise(arcs), strict=True):
            members, pieces = regions.setdefault(owners[band[0]], (set(), []))
            members |= {*band}
            for i, piece in enumerate(pieces):
                if piece.end == slab.start and piece.low is low and piece.high is high:
                    pieces[i] = Piece(piece.start, slab.end, low, high)
                    break
            else:
                pieces.append(Piece(slab.start, slab.end, low, high))
    return regions.values()


def border(first: PerformancesLike, second: PerformancesLike) -> Border:
    """Return where two performances have equal ranking scores, exactly, for any priors: see :class:`Border`.

    Without true negatives it is their border on the right side of the Tile, one b, the same for all a.

    Parameters
    ----------
    first, second
        Two performances of two classes.

    Returns
    -------
    Border
        Where they tie; it is the border of the region on which the first is better.

    Raises
    ------
    UsageError
        Unless these are two performances of two classes.

    See Also
    --------
    rankscape.regions.area_of_win

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_probabilities([[0.6, 0.1, 0.1, 0.2], [0.2, 0.1, 0.2, 0.5]])
    >>> rs.regions.border(P[0], P[1]).b([0, 0.75]).round(12).tolist()
    [nan, 0.416666666667]
    """
    measures = []
    for given in (first, second):
        side = two_class.at_right_side(as_performances(given), "a border on the Tile")
        if len(side) != 1:
            raise UsageError(f"a border is one of two performances, as in border(P[0], P[1]); got {len(side)}")
        measures.append([int(x) for x in side.integers[0]])
    return border_of_integers(*measures)


def area_of_win(first: PerformancesLike, second: PerformancesLike) -> float:
    """Return the share of the Tile on which the first performance is better.

    A closed form of ∫ b(a) da; the two shares sum to 1 unless the two tie everywhere. Areas describe preferences drawn
    uniformly on the Tile, and are no score to rank by.

    Parameters
    ----------
    first, second
        Two performances of two classes.

    Returns
    -------
    float
        The share, in [0, 1]; 0 for two that tie everywhere. Without true negatives it is the share of the right side.

    Raises
    ------
    UsageError
        Unless these are two performances of two classes.

    See Also
    --------
    rankscape.regions.dominates
    rankscape.regions.first

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]])
    >>> round(rs.regions.area_of_win(P[0], P[1]), 6), round(rs.regions.area_of_win(P[1], P[0]), 6)
    (0.291667, 0.708333)
    """
    return border(first, second).area()


def dominates(first: PerformancesLike, second: PerformancesLike) -> bool:
    """Tell whether the first performance is at least as good everywhere on the Tile, and better somewhere.

    It is if it is at least as good at TNR, NPV, PPV and TPR: the difference is bilinear in (a, b). Without true
    negatives PPV and TPR decide, and it dominates on the right side of the Tile.

    Parameters
    ----------
    first, second
        Two performances of two classes.

    Returns
    -------
    bool
        False for two that tie everywhere.

    Raises
    ------
    UsageError
        Unless these are two performances of two classes.

    See Also
    --------
    rankscape.compare : for one preference
    rankscape.regions.area_of_win

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 2, 8], [8, 2, 2, 8], [9, 1, 3, 7]])
    >>> rs.regions.dominates(P[0], P[1]), rs.regions.dominates(P[1], P[2])
    (True, False)
    """
    corners = border(first, second).corners
    return min(corners) >= 0 and max(corners) > 0


def winners(performances: PerformancesLike) -> tuple[str, ...]:
    """Return the names of all entities that come first, alone or tied, on an open part of the Tile.

    With equal priors these are the vertices of the upper-left ROC hull, and a prior shift does not change them. Without
    true negatives the winners are those on the right side of the Tile.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).

    Returns
    -------
    tuple of str
        The names, in the order of the data.

    Raises
    ------
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.regions.first : with the regions

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [7, 3, 3, 7], [8, 2, 2, 8]], names=["a", "c", "b"]
    ... )
    >>> rs.regions.winners(P)
    ('a', 'b')
    """
    performances = prepared(performances, "a winner on the Tile", side=True)
    candidates = performances[layers(performances.mass, 1)]
    share = exact_prior(candidates)
    if share is not None and 0 < share < 1 and candidates.common_prior() is not None:
        rows = hull(candidates, corners=False).tolist()
    else:
        rows = [row for region in first(candidates) for row in region.rows]
    return tuple(candidates.names[row] for row in sorted(rows))


def exact_prior(performances: Performances) -> Fraction | None:
    """Return the prior of all, where it is exactly the same; else None."""
    positive, total = performances.integers[:, 2:].sum(axis=1), performances.integers.sum(axis=1)
    same = (positive * total[0] == positive[0] * total).all()
    return Fraction(int(positive[0]), int(total[0])) if same else None


def without_skill(performances: PerformancesLike) -> float | None:
    """Return the share of the Tile on which nobody beats always answering the same class.

    The area on which one of the two constant answers, at the common prior, is first, alone or tied. (Tile, A.5.1.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).

    Returns
    -------
    float or None
        The share, in [0, 1]; None where priors differ.

    Raises
    ------
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.tile.skill
    rankscape.tile.no_skill

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[9, 1, 4, 6]], names=["a"])
    >>> round(rs.regions.without_skill(P), 6)
    0.305556
    """
    performances = prepared(performances, "skill on the Tile", side=True)
    if performances.common_prior() is None:
        return None
    any_row = np.lexsort(performances.mass.T)[0]  # rounding apart all have one prior; the same row in any order
    tn, fp, fn, tp = (int(x) for x in performances.integers[any_row])
    constants = [[tn + fp, 0, fn + tp, 0], [0, tn + fp, 0, fn + tp]]
    rows = np.concatenate([performances.integers, np.array(constants, dtype=object)])
    regions = first(Performances.from_exact(rows, names=range(len(rows))))
    constant = set(np.flatnonzero(always_alike(rows)).tolist())
    return fsum(region.area for region in regions if constant.intersection(region.rows))


def always_alike(integers: NDArray[Any]) -> Flags:
    """Tell which measures are those of constant answers: all negative, or all positive.

    >>> always_alike(np.array([[6, 0, 4, 0], [0, 6, 0, 4], [5, 1, 4, 0]])).tolist()
    [True, True, False]
    """
    tn, fp, fn, tp = integers.T
    return np.asarray(((fp == 0) & (tp == 0)) | ((tn == 0) & (fn == 0)), dtype=bool)

"""Who can be first at equal priors: the upper-left hull of points in ROC space, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

import numpy as np

from ..checks import unequal_priors
from ..errors import DataError, Place
from ..kernels.exact import ratio_levels
from ..performances import Performances, as_performances
from ..typing import Integers, PerformancesLike
from .roc import roc_integers

Point = tuple[Fraction, Fraction]
Rational = TypeVar("Rational", int, Fraction)


def hull(performances: PerformancesLike, corners: bool = True) -> Integers:
    """Return the rows of the vertices of the upper-left hull of the ROC points, from conservative to liberal, exactly.

    A vertex is first for all preferences of an open set, at equal priors: the hull is who can win. With ``corners`` the
    constant answers (0, 0) and (1, 1), free to everybody, compete too, but only entities are returned; without them the
    rows are those that are first on an open part of the Tile. All entities at a vertex are returned, those inside an
    edge of the hull are not, nor are those that win only where one class does not matter. Decided on integers.
    Raises DataError for different priors or where a class has no cases. (Tile, 3.3; a supporting line of every slope.)

    >>> hull([[9, 1, 6, 4], [8, 2, 5, 5], [7, 3, 2, 8], [5, 5, 1, 9]]).tolist()
    [0, 2, 3]
    """
    return np.array([row for rows in _chain(performances, corners).values() for row in rows], dtype=np.int64)


def first_intervals(
    performances: PerformancesLike, corners: bool = False
) -> list[tuple[tuple[int, ...], float, float]]:
    """Return who is first along the diagonal of the Tile, priors shifted to ½: (rows, low, high), from 0 to 1.

    There a = b is the probability-cost PC of cost curves, the weight of TPR; 1 − PC is that of TNR. Neighbors on the
    :func:`hull` tie at PC = ΔFPR / (ΔFPR + ΔTPR), rounded once. All rows of a tie are named; with ``corners`` the
    constant answers compete, with no rows of their own. Raises DataError as the hull does.

    >>> [
    ...     (rows, round(low, 3), round(high, 3))
    ...     for rows, low, high in first_intervals([[9, 1, 6, 4], [7, 3, 2, 8]])
    ... ]
    [((0,), 0.0, 0.333), ((1,), 0.333, 1.0)]
    """
    chain = _chain(performances, corners)
    cuts = [float((x - p) / (x - p + y - q)) for (p, q), (x, y) in pairwise(chain)]
    ends = zip(chain.values(), [0.0, *cuts], [*cuts, 1.0], strict=True) if chain else ()
    return [(tuple(rows), low, high) for rows, low, high in ends]


def _chain(given: PerformancesLike, corners: bool) -> dict[Point, list[int]]:
    """Return the vertices of the upper-left hull, from the least FPR to the largest TPR, with the rows at each."""
    points = rising(_of_one_prior(as_performances(given)), corners)
    places = list(points)
    return {places[k]: points[places[k]] for k in vertices(places)}


def rising(performances: Performances, corners: bool = False) -> dict[Point, list[int]]:
    """Return the points of which nobody else's has less FPR and no less TPR, or more TPR and no more FPR, with rows.

    Both coordinates rise from one to the next. All must have cases of both classes; their priors may differ.

    >>> points = rising(
    ...     Performances.from_counts([[9, 1, 6, 4], [5, 5, 6, 4], [2, 8, 0, 1], [8, 2, 1, 1]])
    ... )
    >>> [(str(fpr), str(tpr), rows) for (fpr, tpr), rows in points.items()]
    [('1/10', '2/5', [0]), ('1/5', '1/2', [3]), ('4/5', '1', [2])]
    """
    tn, fp, fn, tp = roc_integers(performances)
    corner = np.arange(2 if corners else 0)  # (0, 0) and (1, 1), after the last row
    false, true = (np.concatenate([hits, corner]) for hits in (fp, tp))
    negative, positive = (np.concatenate([cases, corner * 0 + 1]) for cases in (tn + fp, fn + tp))
    x, y = ratio_levels(false, negative), ratio_levels(true, positive)
    order = np.lexsort((-y, x))
    before = np.maximum.accumulate(np.concatenate([[-1], y[order][:-1]]))
    chosen = order[y[order] > before]  # of all others, somebody has less FPR and no less TPR, or the same point
    place = x * (int(y.max(initial=0)) + 1) + y
    rows: dict[int, list[int]] = {key: [] for key in place[chosen].tolist()}
    at = place[: len(performances)]
    for i in np.flatnonzero(np.isin(at, place[chosen])).tolist():
        rows[int(at[i])].append(i)
    points = [(Fraction(int(false[i]), int(negative[i])), Fraction(int(true[i]), int(positive[i]))) for i in chosen]
    return dict(zip(points, rows.values(), strict=True))


def vertices(points: Sequence[tuple[Rational, Rational]]) -> list[int]:
    """Return which points, that rise in both coordinates, are vertices of their upper-left hull: a monotone chain.

    >>> vertices([(0, 0), (1, 2), (2, 3), (3, 4)])
    [0, 1, 3]
    """
    chain: list[int] = []
    for i, (x, y) in enumerate(points):
        while len(chain) > 1:
            (left, low), (middle, between) = points[chain[-2]], points[chain[-1]]
            if (middle - left) * (y - low) < (between - low) * (x - left):  # the middle is above the chord
                break
            chain.pop()
        chain.append(i)
    return chain


def _of_one_prior(performances: Performances) -> Performances:
    """Return performances that have one prior, and cases of both classes; raise DataError for others."""
    tn, fp, fn, tp = roc_integers(performances)
    names, priors = performances.names, performances.priors
    for kind, cases in (("negative", tn + fp), ("positive", fn + tp)):
        missing = np.flatnonzero(cases == 0)
        if len(missing):
            where = Place(row=int(missing[0]), name=names[missing[0]])
            raise DataError(f"it has no {kind} cases: it has no point in ROC space", where=where)
    if len(names) and performances.common_prior() is None:
        raise unequal_priors("the ROC hull needs", priors)
    return performances

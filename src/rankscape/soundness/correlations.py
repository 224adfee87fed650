"""The least and the largest rank correlation of a score with all ranking scores: searches from coarse to fine.

Where R_{a,b} ties the same performances as X the correlation jumps, at a point of the Tile only: accuracy has τ = 1
with itself, at (1/2, 1/2), and less all around. The search of the paper avoids such places; the other one looks there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf, lcm, nan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, score
from .._scores.catalogue import ROWS
from .._scores.score import levels
from .._scores.sets import PerformanceSet
from ..kernels.maps import tau_b_map
from ..ordering import NEIGHBORS
from ..performances import Performances
from ..typing import Floats, Integers

Search = Literal["lattice", "paper"]
COARSE, EIGHTHS = 16, 9
"""Points a side of the first grids: an even one, which misses (1/2, 1/2), and the multiples of 1/8."""

WINDOWS: dict[Search, tuple[int, list[Fraction]]] = {
    "paper": (6, [Fraction(2, 5) ** k / 15 for k in range(4)]),
    "lattice": (5, [Fraction(1, 8 * 2**k) for k in range(6)]),
}
"""Points a side of the finer windows around the best place, and half of their widths; the even ones miss (1/2, 1/2)."""

NOISE = 1e-12
"""Of the largest value: floats of a function that are closer than this are taken as tied in a correlation."""

Place = tuple[Fraction, Fraction]
Interval = tuple[Fraction, Fraction]

SIMPLE = 20
"""The largest denominator of the simple fractions near a place."""

LARGEST = 2**61
"""What is larger is multiplied as Python integers: sums of two outcomes stay in 64 bits."""

UNIT: Interval = (Fraction(0), Fraction(1))


@dataclass(frozen=True)
class Extreme:
    """An extreme correlation, and where on the Tile it is."""

    value: float
    a: float
    b: float


NOWHERE = Extreme(nan, nan, nan)
"""That of a score with the same value everywhere."""


def raw_levels(performances: Performances, by: Score) -> Integers:
    """Return levels that are larger where X is larger, whatever is better; −1 where it is undefined."""
    level, exact = levels(performances, replace(by, direction="larger"))
    return level if exact or by.function is None else _without_noise(level, by(performances))


def extremes(
    performances: Performances,
    by: Score,
    among: PerformanceSet,
    search: Search = "lattice",
) -> tuple[Extreme, Extreme]:
    """Return the least and the largest correlation of X with a ranking score R_{a,b}, as far as a search goes.

    On a coarse grid of the Tile, edges included, then on finer ones around the best place so far; but for the search of
    the "paper" also at the multiples of 1/8, at the places of scores with a name, and at simple fractions near the best
    place. Pairs for which either is undefined are dropped. NaN where X is constant. (Foundations, A.7.2, where we
    believe that I*(tp) = a, I*(tn) = 1 − a is meant.)

    >>> for search in ("lattice", "paper"):
    ...     low, high = extremes(
    ...         PerformanceSet().lattice(), score("accuracy"), PerformanceSet(), search=search
    ...     )
    ...     round(low.value, 2), round(high.value, 2)
    (0.47, 1.0)
    (0.47, 0.98)
    """
    integers, level = _integers(performances), raw_levels(performances, by)
    seen: dict[Place, float] = {}

    def look(a: Interval, b: Interval, points: int) -> None:
        values = _window(integers, level, a, b, points)
        for i, j in np.argwhere(~np.isnan(values)).tolist():
            seen[_point_of(a, j, points), _point_of(b, i, points)] = float(values[i, j])

    look(UNIT, UNIT, COARSE)
    if search == "lattice":
        look(UNIT, UNIT, EIGHTHS)
        for a, b in named_places(among):
            look((a, a), (b, b), 2)
    if not seen:
        return NOWHERE, NOWHERE
    ends = []
    points, steps = WINDOWS[search]
    for best in (min, max):
        for step in steps:
            a, b = best(seen, key=seen.__getitem__)
            look(_around(a, step), _around(b, step), points)
        a, b = best(seen, key=seen.__getitem__)
        for x, y in product(_simple(a), _simple(b)) if search == "lattice" else ():
            if (x, y) not in seen:
                look((x, x), (y, y), 2)
        a, b = best(seen, key=seen.__getitem__)
        ends.append(Extreme(seen[a, b], float(a), float(b)))
    return ends[0], ends[1]


def _integers(performances: Performances) -> NDArray[Any]:
    """Return integers proportional to the performances, in 64 bits where they are counts."""
    return performances.integers if performances.counts is None else performances.counts


def _around(at: Fraction, step: Fraction) -> Interval:
    """Return two steps around a place, moved inside [0, 1]; the middle one of five points is the place, if it fits."""
    low = min(max(at - step, Fraction(0)), 1 - 2 * step)
    return low, low + 2 * step


def _simple(at: Fraction) -> list[Fraction]:
    """Return the simple fractions near a number, the simplest first."""
    near = {at.limit_denominator(largest) for largest in range(1, SIMPLE + 1)}
    return sorted((x for x in near if abs(x - at) <= Fraction(1, 2 * SIMPLE)), key=lambda x: x.denominator)


def _point_of(interval: Interval, k: int, points: int) -> Fraction:
    """Return the k-th of some points that divide an interval evenly."""
    return interval[0] + (interval[1] - interval[0]) * k / (points - 1)


def _window(integers: NDArray[Any], level: Integers, a: Interval, b: Interval, points: int) -> Floats:
    """Return the correlations on a part of the Tile."""
    return tau_b_map(part_of(integers, a, b), level, points, os.cpu_count() or 1)


def _without_noise(level: Integers, values: Floats) -> Integers:
    """Return levels in which values that differ by the rounding of floats are tied, so that ties can coincide."""
    defined = np.flatnonzero(level >= 0)
    if not len(defined):
        return level
    order = defined[np.argsort(level[defined], kind="stable")]
    apart = abs(np.diff(values[order])) > NOISE * abs(values[order]).max()
    out = level.copy()
    out[order] = np.concatenate([[0], np.cumsum(apart)])
    return out


def named_places(among: PerformanceSet) -> list[Place]:
    """Return the places on the Tile of the scores of the catalogue that are sound on a set, each once.

    >>> (
    ...     (Fraction(1), Fraction(4, 5)) in named_places(PerformanceSet()),
    ...     len(named_places(PerformanceSet())),
    ... )
    (True, 11)
    """
    names = (*(row.key for row in ROWS if not row.parameters), *NEIGHBORS)
    return list(dict.fromkeys(place for _, place in _sound_places(names, among)))


def _sound_places(names: Iterable[str], among: PerformanceSet) -> Iterator[tuple[Score, Place]]:
    """Yield the scores of these names that are sound on a set, each with its place."""
    prior = among.share if among.fixed == "prior" else None
    for by in map(score, names):
        if not by.constant and (by.sound == "always" or (by.sound == "fixed priors" and prior is not None)):
            yield by, by.exact_place(prior)


def closest(performances: Performances, by: Score, among: PerformanceSet, better: int) -> str | None:
    """Return the name of the well-known score, sound on this set, that orders most alike (Kendall's τ)."""
    integers, level = _integers(performances), raw_levels(performances, by)
    best: tuple[float, str | None] = (-inf, None)
    for other, (a, b) in _sound_places(NEIGHBORS, among):
        tau = better * float(_window(integers, level, (a, a), (b, b), 2)[0, 0])
        if tau > best[0]:
            best = tau, other.name
    return best[1]


def part_of(integers: NDArray[Any], a: Interval, b: Interval) -> NDArray[Any]:
    """Return performances whose whole Tile is a part of the Tile of these, up to a factor of each.

    (1−a)tn + a·tp is linear in a, so the ends of the interval take the places of tn and tp; and so for fp and fn.

    >>> half = (Fraction(0), Fraction(1, 2))
    >>> part_of(np.array([[6, 2, 1, 3]], dtype=object), half, half).tolist()
    [[12, 4, 3, 9]]
    """
    scale = lcm(*(end.denominator for end in (*a, *b)))
    if scale * int(integers.max(initial=0)) > LARGEST:
        integers = integers.astype(object)
    tn, fp, fn, tp = integers.T
    ends = [[int(end * scale) for end in interval] for interval in (a, b)]
    columns = [(scale - ends[0][0]) * tn + ends[0][0] * tp, (scale - ends[1][0]) * fp + ends[1][0] * fn]
    columns += [(scale - ends[1][1]) * fp + ends[1][1] * fn, (scale - ends[0][1]) * tn + ends[0][1] * tp]
    return np.stack(columns, axis=-1)

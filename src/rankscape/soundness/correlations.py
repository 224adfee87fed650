"""The least and the largest rank correlation of a score with all ranking scores: searches from coarse to fine.

That of the paper avoids places where ties of a ranking score meet those of the score; :func:`peaks` looks there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, lcm, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, score
from .._scores.catalogue import ROWS
from .._scores.score import levels
from .._scores.sets import PerformanceSet
from ..kernels.maps import spearman_map, tau_b_map
from ..ordering import NEIGHBORS
from ..performances import Performances
from ..typing import Correlation, Floats, Integers

COARSE, FINE, ROUNDS = 16, 6, 4
"""Points a side, all even, so that no grid hits (1/2, 1/2), where the ties of accuracy inflate tau-b."""

EIGHTHS, HALVINGS = 9, 6
"""For the search for peaks: points a side at the multiples of 1/8, and finer windows."""

NOISE = 1e-12
"""Of the largest value: floats of a function that are closer than this are taken as tied in a correlation."""

Place = tuple[Fraction, Fraction]
Interval = tuple[Fraction, Fraction]

SIMPLE = 20
"""The largest denominator of the simple fractions near a place."""

LARGEST = 2**61
"""What is larger is multiplied as Python integers: sums of two outcomes stay in 64 bits."""

POINTS = 5
"""Points a side of a finer window in the search for peaks."""

UNIT: Interval = (Fraction(0), Fraction(1))
KERNELS = {"kendall": tau_b_map, "spearman": spearman_map}


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
    level, exact = levels(performances, by)
    if not exact and by.function is not None:
        level = _without_noise(level, by(performances))
    return np.where(level < 0, -1, level.max() - level) if by.direction == "smaller" else level


def extremes(
    performances: Performances, by: Score, statistic: Correlation = "kendall", proved: int = 0
) -> tuple[Extreme, Extreme]:
    """Return the least and the largest correlation of X with a ranking score R_{a,b}, as far as a search goes.

    On a coarse grid of the Tile, edges included, then on finer ones around the best place so far. Pairs for which
    either is undefined are dropped. NaN where X is constant. An end that is ``proved``, −1 or +1, is not searched, and
    NaN. (Foundations, A.7.2, where we believe that I*(tp) = a, I*(tn) = 1 − a is meant.)

    >>> low, high = extremes(PerformanceSet().lattice(), score("ba"))
    >>> round(low.value, 2), round(high.value, 2)
    (0.49, 0.71)
    """
    integers, level = _integers(performances), raw_levels(performances, by)
    coarse = _window(integers, level, UNIT, UNIT, COARSE, statistic)
    if np.isnan(coarse).all():
        return NOWHERE, NOWHERE
    low, high = (NOWHERE if sign == proved else _refined(integers, level, coarse, statistic, sign) for sign in (-1, 1))
    return low, high


def _integers(performances: Performances) -> NDArray[Any]:
    """Return integers proportional to the performances, in 64 bits where they are counts."""
    return performances.integers if performances.counts is None else performances.counts


def _refined(integers: NDArray[Any], level: Integers, values: Floats, statistic: Correlation, sign: int) -> Extreme:
    a, b, best = UNIT, UNIT, Extreme(-sign * inf, nan, nan)
    for finer in range(ROUNDS + 1):
        i, j = np.unravel_index(np.nanargmax(sign * values), values.shape)
        at_a, at_b = point_of(a, int(j), values.shape[1]), point_of(b, int(i), values.shape[0])
        if sign * values[i, j] > sign * best.value:
            best = Extreme(float(values[i, j]), float(at_a), float(at_b))
        else:
            at_a, at_b = Fraction(best.a).limit_denominator(10**9), Fraction(best.b).limit_denominator(10**9)
        if finer == ROUNDS:
            break
        step = (a[1] - a[0]) / (values.shape[0] - 1)
        a, b = _around(at_a, step), _around(at_b, step)
        values = _window(integers, level, a, b, FINE, statistic)
    return best


def _around(at: Fraction, step: Fraction) -> Interval:
    """Return the interval of two steps around a place, moved inside [0, 1]; its middle is no point of an even grid."""
    low = min(max(at - step, Fraction(0)), 1 - 2 * step)
    low = Fraction(round(low * 2**16), 2**16)
    return low, min(Fraction(1), low + Fraction(max(1, round(2 * step * 2**16)), 2**16))


def _window(
    integers: NDArray[Any], level: Integers, a: Interval, b: Interval, points: int, statistic: Correlation
) -> Floats:
    """Return the correlations on a part of the Tile."""
    return KERNELS[statistic](part_of(integers, a, b), level, points, os.cpu_count() or 1)


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


def peaks(
    performances: Performances, by: Score, among: PerformanceSet, statistic: Correlation = "kendall"
) -> tuple[Extreme, Extreme]:
    """Return the least and the largest correlation of X with R_{a,b}, with an eye for single places.

    Where R_{a,b} ties the same performances as X the correlation jumps, at a point of the Tile only: accuracy has τ = 1
    with itself, at (1/2, 1/2), and less all around. So besides the grid of :func:`extremes` the multiples of 1/8 are
    looked at, the places of scores with a name, finer windows around the best place so far, and simple fractions near.

    >>> low, high = peaks(PerformanceSet().lattice(), score("accuracy"), PerformanceSet())
    >>> round(low.value, 2), high
    (0.47, Extreme(value=1.0, a=0.5, b=0.5))
    """
    integers, level = _integers(performances), raw_levels(performances, by)
    seen: dict[Place, float] = {}

    def look(a: Interval, b: Interval, points: int) -> None:
        values = _window(integers, level, a, b, points, statistic)
        for i, j in np.argwhere(~np.isnan(values)).tolist():
            seen[point_of(a, j, points), point_of(b, i, points)] = float(values[i, j])

    for points in (COARSE, EIGHTHS):
        look(UNIT, UNIT, points)
    for a, b in named_places(among):
        look((a, a), (b, b), 2)
    if not seen:
        return NOWHERE, NOWHERE
    ends = []
    for best in (min, max):
        a, b = refined(seen, look, best, [Fraction(1, 8 * 2**halving) for halving in range(HALVINGS)])
        ends.append(Extreme(seen[a, b], float(a), float(b)))
    return ends[0], ends[1]


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
        tau = better * float(_window(integers, level, (a, a), (b, b), 2, "kendall")[0, 0])
        if tau > best[0]:
            best = tau, other.name
    return best[1]


# ---- from coarse to fine: the part of the Tile around a place, and the best place in finer and finer windows


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


def point_of(interval: Interval, k: int, points: int) -> Fraction:
    """Return the k-th of some points that divide an interval evenly."""
    return interval[0] + (interval[1] - interval[0]) * k / (points - 1)


def centered(at: Fraction, step: Fraction) -> Interval:
    """Return two steps around a place, moved inside [0, 1]; of five points the middle one is the place, if it fits."""
    low = min(max(at - step, Fraction(0)), 1 - 2 * step)
    return low, low + 2 * step


def simple(at: Fraction) -> list[Fraction]:
    """Return the simple fractions near a number, the simplest first."""
    near = {at.limit_denominator(largest) for largest in range(1, SIMPLE + 1)}
    return sorted((x for x in near if abs(x - at) <= Fraction(1, 2 * SIMPLE)), key=lambda x: x.denominator)


def refined(
    seen: Mapping[Place, float],
    look: Callable[[Interval, Interval, int], None],
    best: Callable[..., Place],
    steps: Iterable[Fraction],
) -> Place:
    """Return the best place after finer windows around the best so far, and simple fractions near.

    ``look`` adds to what was seen the places of a window.
    """
    for step in steps:
        a, b = best(seen, key=seen.__getitem__)
        look(centered(a, step), centered(b, step), POINTS)
    a, b = best(seen, key=seen.__getitem__)
    for x, y in product(simple(a), simple(b)):
        if (x, y) not in seen:
            look((x, x), (y, y), 2)
    return best(seen, key=seen.__getitem__)

"""The least and the largest rank correlation of a score with all ranking scores: a search from coarse to fine."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from ..kernels.pairs import spearman_map, tau_b_map
from ..ordering import NEIGHBORS, levels
from ..performances import Performances
from ..scores import Score, score
from .places import Place

COARSE, FINE, ROUNDS = 16, 6, 4
"""Points a side, all even, so that no grid hits (1/2, 1/2), where the ties of accuracy inflate tau-b."""

Interval = tuple[Fraction, Fraction]
UNIT: Interval = (Fraction(0), Fraction(1))
KERNELS = {"kendall": tau_b_map, "spearman": spearman_map}


@dataclass(frozen=True)
class Extreme:
    """An extreme correlation, and where on the Tile it is."""

    value: float
    a: float
    b: float


def raw_levels(performances: Performances, by: Score) -> NDArray[np.int64]:
    """Return levels that are larger where X is larger, whatever is better; −1 where it is undefined."""
    level, _ = levels(performances, by)
    return np.where(level < 0, -1, level.max() - level) if by.direction == "smaller" else level


def extremes(performances: Performances, by: Score, statistic: str = "kendall") -> tuple[Extreme, Extreme]:
    """Return the least and the largest correlation of X with a ranking score R_{a,b}, as far as a search goes.

    On a coarse grid of the Tile, edges included, then on finer ones around the best place so far. Pairs for which
    either is undefined are dropped. NaN where X is constant. (Foundations, A.7.2; erratum: I*(tp) = a, I*(tn) = 1 − a.)

    >>> low, high = extremes(Place().lattice(), score("ba"))
    >>> round(low.value, 2), round(high.value, 2)
    (0.49, 0.71)
    """
    integers, level = performances.integers, raw_levels(performances, by)
    coarse = _window(integers, level, UNIT, UNIT, COARSE, statistic)
    if np.isnan(coarse).all():
        nowhere = Extreme(*[float("nan")] * 3)
        return nowhere, nowhere
    return tuple(_refined(integers, level, coarse, statistic, sign) for sign in (-1, 1))  # type: ignore[return-value]


def _refined(
    integers: NDArray[np.object_], level: NDArray[np.int64], values: NDArray[np.float64], statistic: str, sign: int
) -> Extreme:
    a, b, best = UNIT, UNIT, Extreme(-sign * np.inf, np.nan, np.nan)
    for _ in range(ROUNDS + 1):
        i, j = np.unravel_index(np.nanargmax(sign * values), values.shape)
        at_a, at_b = _at(a, int(j), values.shape[1]), _at(b, int(i), values.shape[0])
        if sign * values[i, j] > sign * best.value:
            best = Extreme(float(values[i, j]), float(at_a), float(at_b))
        else:
            at_a, at_b = Fraction(best.a).limit_denominator(10**9), Fraction(best.b).limit_denominator(10**9)
        step = (a[1] - a[0]) / (values.shape[0] - 1)
        a, b = _around(at_a, step), _around(at_b, step)
        values = _window(integers, level, a, b, FINE, statistic)
    return best


def _at(interval: Interval, k: int, points: int) -> Fraction:
    return interval[0] + (interval[1] - interval[0]) * k / (points - 1)


def _around(at: Fraction, step: Fraction) -> Interval:
    """Return the interval of two steps around a place, moved inside [0, 1]; its middle is no point of an even grid."""
    low = min(max(at - step, Fraction(0)), 1 - 2 * step)
    low = Fraction(round(low * 2**16), 2**16)
    return low, min(Fraction(1), low + Fraction(max(1, round(2 * step * 2**16)), 2**16))


def _window(
    integers: NDArray[np.object_], level: NDArray[np.int64], a: Interval, b: Interval, points: int, statistic: str
) -> NDArray[np.float64]:
    """Return the correlations on a part of the Tile: the whole Tile of performances with mixed outcomes.

    (1−a)tn + a·tp is linear in a, so the ends of the interval take the places of tn and tp; and so for fp and fn.
    """
    scale = lcm(*(end.denominator for end in (*a, *b)))
    tn, fp, fn, tp = integers.T
    ends = [[int(end * scale) for end in interval] for interval in (a, b)]
    columns = [(scale - ends[0][0]) * tn + ends[0][0] * tp, (scale - ends[1][0]) * fp + ends[1][0] * fn]
    columns += [(scale - ends[1][1]) * fp + ends[1][1] * fn, (scale - ends[0][1]) * tn + ends[0][1] * tp]
    return KERNELS[statistic](np.stack(columns, axis=-1), level, points)


def closest(performances: Performances, by: Score, place: Place, better: int) -> str | None:
    """Return the name of the well-known score, sound on this set, that orders most alike (Kendall's τ)."""
    integers, level = performances.integers, raw_levels(performances, by)
    best: tuple[float, str | None] = (-np.inf, None)
    for name in NEIGHBORS:
        other = score(name)
        if other.sound == "fixed priors" and place.fixed != "prior":
            continue
        a, b = other.exact_place(place.share if place.fixed == "prior" else None)
        tau = better * float(_window(integers, level, (a, a), (b, b), 2, "kendall")[0, 0])
        if tau > best[0]:
            best = tau, other.name
    return best[1]

"""From coarse to fine: the part of the Tile around a place, and the best place in finer and finer windows."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

Place = tuple[Fraction, Fraction]
Interval = tuple[Fraction, Fraction]
Seen = dict[Place, float]
Best = Callable[..., Place]
"""``min`` or ``max`` over places."""

SIMPLE = 20
"""The largest denominator of the simple fractions near a place."""

LARGEST = 2**61
"""What is larger is multiplied as Python integers: sums of two outcomes stay in 64 bits."""

POINTS = 5
"""Points a side of a finer window."""


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
    seen: Mapping[Place, float], look: Callable[[Interval, Interval, int], None], best: Best, steps: Iterable[Fraction]
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

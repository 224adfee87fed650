"""The share of all weightings for which each comes first: exactly for two and three domains, else drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any, TypeAlias

import numpy as np

from ..arrays import Floats, Integers
from ..lines import Line, walk
from .contests import Contest, Ratios, chunks

Corner: TypeAlias = tuple[int, ...]
"""Weights of the domains, up to a factor."""


@dataclass(frozen=True)
class WeightRegion:
    """A region of the weights of the domains on which some entities come first.

    Attributes
    ----------
    names
        The entities.
    corners
        The corners, as weights of the domains that sum to 1, of a polygon or an interval.

    See Also
    --------
    rankscape.domains.weightings
    """

    names: tuple[str, ...]
    corners: tuple[tuple[Fraction, ...], ...]


CORNERS: tuple[Corner, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def on_triangle(forms: Ratios) -> dict[int, tuple[Corner, ...]]:
    """Return the corners of the polygon of weightings of three domains for which each group is first, exactly.

    Scores are linear. Where it is a line or a point, the group is first there in ties only; it is empty for a group
    that is never first.
    """
    earned = [[int(x) for x in row] for row in forms.earned]
    groups = range(len(earned))
    best = [max(groups, key=[row[d] for row in earned].__getitem__) for d in range(3)]
    order = list(dict.fromkeys([*best, *sorted(groups, key=[-sum(row) for row in earned].__getitem__)]))
    out = {}
    for i in order:
        corners: tuple[Corner, ...] = CORNERS
        for k in order:
            if k != i and corners:
                corners = cut(corners, tuple(x - y for x, y in zip(earned[i], earned[k], strict=True)))
        out[i] = corners
    return out


def cut(corners: Sequence[Corner], normal: Sequence[int]) -> tuple[Corner, ...]:
    """Return the part of a convex polygon where normal·weights ≥ 0, a line or a point where it is no more than that.

    >>> cut(CORNERS, (1, -1, 0)), cut(CORNERS, (-1, -1, 0))
    (((1, 0, 0), (1, 1, 0), (0, 0, 1)), ((0, 0, 1),))
    """
    sides = [sum(x * y for x, y in zip(corner, normal, strict=True)) for corner in corners]
    kept: list[Corner] = []
    for t, (corner, side) in enumerate(zip(corners, sides, strict=True)):
        following, next_side = corners[(t + 1) % len(corners)], sides[(t + 1) % len(corners)]
        if side >= 0:
            kept.append(corner)
        if side * next_side < 0:
            crossed = [x * abs(next_side) + y * abs(side) for x, y in zip(corner, following, strict=True)]
            kept.append(tuple(x // gcd(*crossed) for x in crossed))
    return tuple(dict.fromkeys(kept))


def area(corners: Sequence[Corner]) -> Fraction:
    """Return the share of the triangle of weights that a convex polygon covers.

    >>> area(CORNERS), area(cut(CORNERS, (1, -1, 0)))
    (Fraction(1, 1), Fraction(1, 2))
    """
    total = Fraction(0)
    for b, c in pairwise(corners[1:]):
        a = corners[0]
        volume = (
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        )
        total += Fraction(volume, sum(a) * sum(b) * sum(c))
    return abs(total)


def on_line(forms: Ratios) -> list[tuple[Fraction, Fraction, list[int]]]:
    """Return from which weight of the second of two domains to which one which groups are first, from 0 to 1.

    An irrational end is rounded, far beyond what a float holds.
    """
    lines: list[Line] = [(*map(int, e), *map(int, u)) for e, u in zip(forms.earned, forms.due, strict=True)]  # type: ignore[misc]
    return [
        (start / (1 + start), Fraction(1) if end is None else end / (1 + end), best)
        for start, end, best in walk(lines, Fraction(0))
    ]


def drawn(contest: Contest, draws: int, n: int, rng: Any) -> tuple[Integers, Floats]:
    """Draw weights of n domains, uniformly; return how often each group is first, and weights where it is, or NaN."""
    groups = len(contest.members)
    times, witnesses = np.zeros(groups, dtype=np.int64), np.full((groups, n), np.nan)
    for size in chunks(draws, contest.width):
        points = rng.standard_exponential((size, n))
        points /= points.sum(axis=1, keepdims=True)
        firsts = contest.firsts(points)
        times += firsts.sum(axis=0)
        new = np.flatnonzero(firsts.any(axis=0) & np.isnan(witnesses[:, 0]))
        witnesses[new] = points[firsts[:, new].argmax(axis=0)]
    return times, witnesses

"""How far the weight of one domain can change, the others in proportion, before another entity comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isqrt, lcm
from typing import TypeAlias

import numpy as np

from .contests import Others, Ratios

Line: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""What is earned, and what is due, where the weight of a domain is 0 and where it is 1."""

Quadratic: TypeAlias = tuple[int, int, int]
"""Coefficients of (1−t)², t(1−t) and t²: of 1, x and x² in the odds x = t/(1−t) of the weight t of a domain."""

End: TypeAlias = tuple[Fraction, Fraction]
"""Odds of a weight from below and from above: equal where they are rational."""

GRID = 1000
"""Steps of a weight in which scores that are no ranking scores are compared."""

HALVINGS = 40


@dataclass(frozen=True)
class WeightFlip:
    """The weights of one domain for which the present winners stay first, with the others in proportion.

    At a weight of exactly 0 or 1 some scores may be undefined; there the ends are limits.

    Attributes
    ----------
    domain, weight
        The domain, and its present weight.
    ends
        The smallest and the largest weight, as fractions: exact where they are rational, else within 2⁻¹²⁸.
    below, above
        The names of those who come first beyond, () where nobody else does.

    See Also
    --------
    rankscape.domains.weightings
    """

    domain: str
    weight: Fraction
    ends: tuple[Fraction, Fraction]
    below: tuple[str, ...]
    above: tuple[str, ...]

    @property
    def low(self) -> float:
        """The smallest weight with which they stay first."""
        return float(self.ends[0])

    @property
    def high(self) -> float:
        """The largest weight with which they stay first."""
        return float(self.ends[1])

    @property
    def change(self) -> float:
        """The smallest change of the weight that puts another entity first; ∞ where none does."""
        changes = [self.weight - self.ends[0]] * bool(self.below) + [self.ends[1] - self.weight] * bool(self.above)
        return float(min(changes)) if changes else inf


def ends_on_line(
    lines: Sequence[Line], first: Sequence[int], weight: Fraction
) -> tuple[tuple[Fraction, Fraction], list[int], list[int]]:
    """Return the ends of the weights around the present one with which the first stay so, and who is first beyond.

    >>> ends_on_line([((4, 1), (5, 5)), ((2, 3), (5, 5))], [0], Fraction(1, 4))
    ((Fraction(0, 1), Fraction(1, 2)), [], [1])
    """
    high, above = _upwards(lines, first, weight / (1 - weight))
    if weight == 0:
        return (Fraction(0), high), [], above
    turned = [((e1, e0), (u1, u0)) for (e0, e1), (u0, u1) in lines]
    low, below = _upwards(turned, first, (1 - weight) / weight)
    return (1 - low, high), below, above


def _upwards(lines: Sequence[Line], first: Sequence[int], odds: Fraction) -> tuple[Fraction, list[int]]:
    """Return the weight above these odds from which the first do not stay first, and who is first beyond; 1 if none."""
    rivals = [j for j, (_, due) in enumerate(lines) if any(due)]
    ends = [end for i in first for j in rivals if (end := crossing(quadratic(lines[i], lines[j]), odds)) is not None]
    if not ends:
        return Fraction(1), []
    low, high = min(ends)
    return low / (1 + low), best_after(lines, rivals, high)


def best_after(lines: Sequence[Line], rivals: Sequence[int], odds: Fraction) -> list[int]:
    """Return who comes first immediately beyond some odds."""
    best: list[int] = []
    for j in rivals:
        ahead = 1 if not best else right_after(quadratic(lines[j], lines[best[0]]), odds)
        if ahead > 0:
            best = [j]
        elif ahead == 0:
            best.append(j)
    return best


def quadratic(one: Line, other: Line) -> Quadratic:
    """Return what is positive where the first of two has the larger score, given that both are defined.

    >>> quadratic(((4, 1), (5, 5)), ((2, 3), (5, 5)))
    (10, 0, -10)
    """
    (e0, e1), (u0, u1) = one
    (f0, f1), (v0, v1) = other
    return e0 * v0 - f0 * u0, e0 * v1 + e1 * v0 - f0 * u1 - f1 * u0, e1 * v1 - f1 * u1


def right_after(q: Quadratic, odds: Fraction) -> int:
    """Return the sign of a quadratic immediately beyond some odds.

    >>> (
    ...     right_after((-1, 1, 0), Fraction(1)),
    ...     right_after((1, -2, 1), Fraction(1)),
    ...     right_after((0, 0, 0), Fraction(1)),
    ... )
    (1, 1, 0)
    """
    a, b, c = q
    x, y = odds.numerator, odds.denominator
    for value in (a * y * y + b * x * y + c * x * x, b * y + 2 * c * x, c):
        if value:
            return 1 if value > 0 else -1
    return 0


def crossing(q: Quadratic, odds: Fraction) -> End | None:
    """Return the smallest odds, from some odds on, beyond which a quadratic is negative; None where it never is.

    >>> (
    ...     crossing((1, -1, 0), Fraction(0)),
    ...     crossing((1, -2, 1), Fraction(0)),
    ...     crossing((0, 0, -1), Fraction(2)),
    ...     crossing((-2, 3, -1), Fraction(3, 2)),
    ... )
    ((Fraction(1, 1), Fraction(1, 1)), None, (Fraction(2, 1), Fraction(2, 1)), (Fraction(2, 1), Fraction(2, 1)))
    """
    if min(q) >= 0:
        return None
    if right_after(q, odds) < 0:
        return odds, odds
    a, b, c = q
    if c == 0:
        return (Fraction(-a, b),) * 2 if b < 0 else None
    root = b * b - 4 * a * c
    if root <= 0 or (c > 0 and b + 2 * c * odds > 0):  # it only touches 0, or both roots lie below
        return None
    # the sign falls where the slope b + 2cx is −√root, at x = (−b − √root) / 2c
    bits = 128 + 4 * max(x.bit_length() for x in q)
    whole = isqrt(root << 2 * bits)
    more = int(whole * whole != root << 2 * bits)
    roots = [Fraction(-(b << bits) - top, 2 * c << bits) for top in (whole, whole + more)]
    return max(odds, min(roots)), max(roots)


def lines_of(forms: Ratios, weights: Sequence[Fraction]) -> list[list[Line]]:
    """Return what each group earns, and what is due, along the change of each weight, the others in proportion."""
    common = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    columns = []
    for side in (forms.earned, forms.due):
        total = side @ np.array(whole, dtype=object)
        columns.append([(total - w * side[:, d], side[:, d] * (common - w)) for d, w in enumerate(whole)])
    return [
        [((e0, e1), (u0, u1)) for e0, e1, u0, u1 in zip(*earned, *due, strict=True)]
        for earned, due in zip(*columns, strict=True)
    ]


def scanned(
    contest: Others, first: Sequence[int], d: int, weights: Sequence[Fraction]
) -> tuple[tuple[Fraction, Fraction], list[int], list[int]]:
    """Return the same as :func:`ends_on_line` for other scores: the first change on a grid, then halved."""
    here = weights[d]
    others = np.array([0.0 if c == d else float(w / (1 - here)) for c, w in enumerate(weights)])

    def best_at(places: list[Fraction]) -> list[list[int]]:
        points = np.array([(1 - float(t)) * others for t in places])
        points[:, d] = [float(t) for t in places]
        return [np.flatnonzero(row).tolist() for row in contest.firsts(points)]

    ends: list[Fraction] = []
    beyond: list[list[int]] = []
    for side in (Fraction(0), Fraction(1)):
        steps = [here + (side - here) * Fraction(k, GRID) for k in range(1, GRID)]
        winners = best_at(steps) if side != here else []
        place = next((k for k, best in enumerate(winners) if not set(first) <= set(best)), None)
        if place is None:
            ends.append(side)
            beyond.append([])
            continue
        inner, outer = (steps[place - 1] if place else here), steps[place]
        names = winners[place]
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            [best] = best_at([middle])
            if set(first) <= set(best):
                inner = middle
            else:
                outer, names = middle, best
        ends.append(inner)
        beyond.append(names)
    return (ends[0], ends[1]), beyond[0], beyond[1]

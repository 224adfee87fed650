"""How far the weight of one domain can change, the others in proportion, before another entity comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm

import numpy as np

from ..lines import Line, fall, share
from .contests import Others, Ratios

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

    >>> ends_on_line([(4, 1, 5, 5), (2, 3, 5, 5)], [0], Fraction(1, 4))
    ((Fraction(0, 1), Fraction(1, 2)), [], [1])
    """
    high, above = fall(lines, first, weight / (1 - weight))
    if weight == 0:
        return (Fraction(0), share(high)), [], above
    low, below = fall([(e1, e0, u1, u0) for e0, e1, u0, u1 in lines], first, (1 - weight) / weight)
    return (1 - share(low), share(high)), below, above


def lines_of(forms: Ratios, weights: Sequence[Fraction]) -> list[list[Line]]:
    """Return what each group earns, and what is due, along the change of each weight, the others in proportion."""
    common = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    columns = []
    for side in (forms.earned, forms.due):
        total = side @ np.array(whole, dtype=object)
        columns.append([(total - w * side[:, d], side[:, d] * (common - w)) for d, w in enumerate(whole)])
    return [list(zip(*earned, *due, strict=True)) for earned, due in zip(*columns, strict=True)]


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

"""Who is first along one parameter, exactly: scores that are ratios of affine functions of it, on integers.

The prior, the weight of a domain, a place on an axis of the Tile, an exchange rate, a ratio of costs: in the odds t of
each, in (0, ∞), the score of an entity is (e₀ + e₁·t) / (u₀ + u₁·t). So two of them change places where a quadratic
changes its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import TypeAlias

import numpy as np

from .arrays import Floats

Line: TypeAlias = tuple[int, int, int, int]
"""A score (e₀ + e₁·t) / (u₀ + u₁·t), none of the four negative; 1/0 is more than any number, and 0/0 is undefined."""

Quadratic: TypeAlias = tuple[int, int, int]
"""Coefficients of 1, t and t²."""

End: TypeAlias = tuple[Fraction, Fraction]
"""Odds from below and from above: equal where they are rational, else so near that no other root lies between."""

FEW = 64
"""So many are compared on integers at once; of more, floats tell first who need not be."""

DOUBT, SMALLEST = 1e-14, 1e-50
"""What a lead in floats may be off by, as a share of what is added and subtracted (a hundred roundings), and the least
weight with which nothing is lost to underflow, of numbers whose products are above 10⁻²⁵⁰."""


def lead(one: Line, other: Line) -> Quadratic:
    """Return what has the sign of one score less another, given that both are defined.

    >>> lead((4, 1, 5, 5), (2, 3, 5, 5))
    (10, 0, -10)
    """
    (e0, e1, u0, u1), (f0, f1, v0, v1) = one, other
    return e0 * v0 - f0 * u0, e0 * v1 + e1 * v0 - f0 * u1 - f1 * u0, e1 * v1 - f1 * u1


def sign_at(q: Quadratic, odds: Fraction, after: bool = False) -> int:
    """Return the sign of a quadratic at some odds, or immediately after them.

    >>> sign_at((-1, 1, 0), Fraction(1)), sign_at((-1, 1, 0), Fraction(1), after=True)
    (0, 1)
    """
    a, b, c = q
    x, y = odds.numerator, odds.denominator
    value = a * y * y + b * x * y + c * x * x
    if after:
        value = value or b * y + 2 * c * x or c
    return (value > 0) - (value < 0)


def turn(q: Quadratic, odds: Fraction) -> End | None:
    """Return the smallest odds, from some odds on, beyond which a quadratic is negative; None where it never is.

    >>> [
    ...     end and str(end[0])
    ...     for end in (
    ...         turn((1, -1, 0), Fraction(0)),
    ...         turn((0, 0, -1), Fraction(2)),
    ...         turn((1, -2, 1), Fraction(0)),
    ...     )
    ... ]
    ['1', '2', None]
    """
    a, b, c = q
    if a >= 0 and b >= 0 and c >= 0:
        return None
    if sign_at(q, odds, after=True) < 0:
        return odds, odds
    if c == 0:
        return (Fraction(-a, b),) * 2 if b < 0 else None
    root = b * b - 4 * a * c
    if root <= 0 or (c > 0 and b + 2 * c * odds > 0):  # it only touches 0, or both roots lie below
        return None
    # the sign falls where the slope b + 2ct is −√root, at t = (−b − √root) / 2c
    bits = 128 + 4 * max(x.bit_length() for x in q)
    whole = isqrt(root << 2 * bits)
    more = int(whole * whole != root << 2 * bits)
    roots = [Fraction(-(b << bits) - top, 2 * c << bits) for top in (whole, whole + more)]
    return max(odds, min(roots)), max(roots)


def best_after(lines: Sequence[Line], rows: Iterable[int], odds: Fraction) -> list[int]:
    """Return which of some rows come first immediately after some odds; those that are nowhere defined never do."""
    best: list[int] = []
    for j in rows:
        ahead = sign_at(lead(lines[j], lines[best[0]]), odds, after=True) if best else int(any(lines[j]))
        if ahead > 0:
            best = [j]
        elif ahead == 0 and any(lines[j]):
            best.append(j)
    return best


def fall(
    lines: Sequence[Line], first: Sequence[int], odds: Fraction, rough: Floats | None = None
) -> tuple[End | None, list[int]]:
    """Return from which odds on not all who are first at some odds are so, and who is first immediately beyond.

    ``rough`` are the lines in floats, where there are many: each up to a factor, its largest number 1, others > 10⁻¹²⁵.

    >>> fall([(4, 1, 5, 5), (2, 3, 5, 5)], [0], Fraction(1, 3))
    ((Fraction(1, 1), Fraction(1, 1)), [1])
    """
    one = lines[first[0]]
    rows = range(len(lines)) if rough is None or len(lines) <= FEW else _near(lines, first[0], odds, rough)
    if any(any(lead(one, lines[k])) for k in first[1:]):  # they only cross here
        return (odds, odds), best_after(lines, sorted({*first, *rows}), odds)
    ends = {j: end for j in rows if (end := turn(lead(one, lines[j]), odds)) is not None}
    if not ends:
        return None, []
    end = min(ends.values())
    return end, best_after(lines, ends, end[1])


def walk(lines: Sequence[Line], odds: Fraction) -> Iterator[tuple[Fraction, Fraction | None, list[int]]]:
    """Yield who is first from some odds on: from where to where (None at last), and who; irrational ends from below.

    >>> [
    ...     (str(low), str(high), best)
    ...     for low, high, best in walk([(4, 1, 5, 5), (2, 3, 5, 5)], Fraction(0))
    ... ]
    [('0', '1', [0]), ('1', 'None', [1])]
    """
    start, best = odds, best_after(lines, range(len(lines)), odds)
    while best:
        end, beyond = fall(lines, best[:1], odds)
        yield start, end and end[0], best
        if end is None:
            return
        (start, odds), best = end, beyond


def share(end: End | None) -> Fraction:
    """Return the share whose odds these are; 1 where there is no end."""
    return Fraction(1) if end is None else end[0] / (1 + end[0])


def _near(lines: Sequence[Line], first: int, odds: Fraction, rough: Floats) -> list[int]:
    """Return who may be the next ahead of one that is first: floats leave out the others, whatever rounding did.

    A quadratic is nowhere negative between two shares x and y if its three Bernstein coefficients there are not.
    """
    rows, start, end = np.arange(len(rough)), odds / (1 + odds), Fraction(1)
    while True:
        (e0, e1, u0, u1), (f0, f1, v0, v1) = rough[first], rough[rows].T
        gains = e0 * v0, (e0 * v1 + e1 * v0) / 2, e1 * v1
        losses = f0 * u0, (f0 * u1 + f1 * u0) / 2, f1 * u1
        passes, alike = np.zeros(len(rows), dtype=bool), np.ones(len(rows), dtype=bool)
        for x, y in ((start, start), (start, end), (end, end)):
            weights = [(1 - x) * (1 - y), (1 - x) * y + x * (1 - y), x * y]
            if any(0 < w < SMALLEST for w in weights):
                return list(rows.tolist())
            gain, loss = (sum(float(w) * part for w, part in zip(weights, of, strict=True)) for of in (gains, losses))
            surplus, doubt = gain - loss, DOUBT * (gain + loss)
            passes |= surplus <= doubt if x == end < 1 else surplus < doubt  # at the end it may be 0, and fall beyond
            alike &= gain + loss == 0
        rows = rows[passes | alike]
        ends = [turn(lead(lines[first], lines[j]), odds) for j in rows[:: len(rows) // FEW + 1].tolist()]
        nearest = min((high / (1 + high) for _, high in filter(None, ends)), default=end)
        if len(rows) <= FEW or nearest >= end:
            return list(rows.tolist())
        end = nearest

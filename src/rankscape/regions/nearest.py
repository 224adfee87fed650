"""How near, on the Tile, the regions of others are: in any direction, and with both exchange rates off at once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import inf, lcm, sqrt

import numpy as np

from ..floats import lengths
from ..geometry.borders import Border
from ..lines import turn
from .records import Piece, clipped

Place = tuple[Fraction, Fraction]
CLOSE = 1e-9
"""Distances, or places on the Tile, that differ by less are taken as one: most of them are irrational."""

FEW, NEAR, DOUBT = 16, 1e-8, 1e-3
"""Of more pieces floats leave out those beyond a box, by more than rounding: where arcs are no steeper than 10⁶."""

BOTTOM, TOP = (0, -1, 0, -1), (1, 0, 1, 0)
"""The sides of the Tile, as the corners of a border."""

SAMPLES = 129
"""Columns of a piece between which it is bounded by boxes."""

SIMPLE, NARROW = 10**6, Fraction(1, 2**60)
"""The largest denominator of places that are looked for as exact fractions, and how near others are."""

LARGEST_FACTOR = 1e9


def nearest(
    others: Sequence[tuple[Piece, tuple[str, ...]]], sides: Sequence[tuple[Place, set[str]]], here: Place
) -> list[tuple[Place, set[str]]]:
    """Return the places nearest to ``here`` where others come first, several where equally near, and who.

    These are on the edges of regions of others, or the changes along the axes, on ``sides``.
    """
    a, b = here
    reach = min((sqrt((x - a) ** 2 + (y - b) ** 2) for (x, y), _ in sides), default=2.0) + CLOSE
    rows = _meeting([piece for piece, _ in others], *((float(x) - reach, float(x) + reach) for x in here))
    others = [others[row] for row in rows]
    changes = [(place, set(names)) for piece, names in others for place in _corners(piece, here)] + [*sides]
    arcs = [(arc, piece, names) for piece, names in others for arc in (piece.low, piece.high) if arc is not None]
    bounds = [_bounds(arc, piece, here) for arc, piece, _ in arcs]
    most = min((high for _, high in bounds), default=0.0) + CLOSE
    feet_of = cache(feet)
    changes += [
        (place, set(names))
        for (arc, piece, names), (low, _) in zip(arcs, bounds, strict=True)
        if low <= most
        for place in feet_of(arc, here)
        if piece.start <= place[0] <= piece.end
    ]

    def on_axis(place: Place) -> bool:
        return place[0] == a or place[1] == b

    at_once = set[str]().union(*(names for place, names in changes if place == here))
    if at_once:
        return [(here, at_once)]
    distances = [sqrt((x - a) ** 2 + (y - b) ** 2) for (x, y), _ in changes]
    near = [each for each, distance in zip(changes, distances, strict=True) if distance <= min(distances) + CLOSE]
    ordered = sorted(
        near, key=lambda change: (not on_axis(change[0]), (change[0][0] - a) ** 2 + (change[0][1] - b) ** 2)
    )
    places: list[tuple[Place, set[str]]] = []
    for place, names in ordered:
        same = [other for other in places if all(abs(x - y) <= CLOSE for x, y in zip(place, other[0], strict=True))]
        if not same:
            places.append((place, set(names)))
        elif place == same[0][0] or not on_axis(same[0][0]):  # on an axis places are exact
            same[0][1].update(names)
    return sorted(places, key=lambda each: each[0])


def _meeting(pieces: Sequence[Piece], a: tuple[float, float], b: tuple[float, float]) -> list[int]:
    """Return which pieces may meet a box: arcs are monotone, and those that floats leave in doubt may."""
    if len(pieces) <= FEW:
        return list(range(len(pieces)))
    start, end = np.array([(piece.start, piece.end) for piece in pieces], dtype=np.float64).T
    x = np.stack([np.maximum(start, a[0]), np.minimum(end, a[1])])
    meets = x[0] <= x[1] + NEAR
    lows = [BOTTOM if piece.low is None else piece.low.corners for piece in pieces]
    highs = [TOP if piece.high is None else piece.high.corners for piece in pieces]
    for arcs, sign, side in ((lows, 1, b[1]), (highs, -1, b[0])):
        corners = np.array(arcs, dtype=np.float64).T
        below, above = ((1 - x) * left + x * right for left, right in (corners[::2], corners[1::2]))
        sure = np.abs(below - above) > DOUBT * np.abs(corners).max(axis=0)
        height = np.divide(below, below - above, out=np.full(sure.shape, side), where=sure)
        meets &= (sign * (height - side) <= NEAR).any(axis=0)
    return np.flatnonzero(meets).tolist()


def _corners(piece: Piece, here: Place) -> list[Place]:
    """Return the nearest places of the sides of a piece, and of the column of ``here`` where it has a part of it."""
    places = []
    for x in (piece.start, piece.end, min(max(here[0], piece.start), piece.end)):
        low = Fraction(0) if piece.low is None else _height(piece.low, x)
        high = Fraction(1) if piece.high is None else _height(piece.high, x)
        places.append((x, min(max(here[1], low), high)))
    return places


def _bounds(arc: Border, piece: Piece, here: Place) -> tuple[float, float]:
    """Return bounds of the distance of an arc along a piece: it is monotone, so it stays in boxes between samples."""
    a, b = float(here[0]), float(here[1])
    x = np.linspace(float(piece.start), float(piece.end), SAMPLES)
    y = clipped(arc, x)
    gaps = [
        np.maximum(0, np.maximum(np.minimum(u[1:], u[:-1]) - p, p - np.maximum(u[1:], u[:-1])))
        for u, p in ((x, a), (y, b))
    ]
    return float(lengths(*gaps).min()) - CLOSE, float(lengths(x - a, y - b).min())


def on_arc(border: Border, a: Fraction) -> Fraction:
    """Return b on an arc, at a column of its span."""
    below, above = border.sides(a)
    return below / (below - above)


def feet(border: Border, here: Place) -> list[Place]:
    """Return the places of a border that may be the nearest ones: exact, or on it exactly, nearer than 2⁻⁶⁰ to one.

    On an arc b = A/(A − B), with Q = A − B and W = A'Q − AQ', a number, the distance is stationary where
    (x − a)·Q³ + (A − bQ)·W = 0.
    """
    a, b = here
    span = border.span
    if span is None:
        return []
    if border.kind == "vertical":
        return [(span[0], b)]
    if border.kind == "horizontal":
        return [(a, on_arc(border, Fraction(1, 2)))]
    c00, c01, c10, c11 = border.corners
    top = [c00, c10 - c00]
    bottom = [c00 - c01, c10 - c00 - c11 + c01]
    bend = top[1] * bottom[0] - top[0] * bottom[1]
    q, p = bottom
    cube = [q**3, 3 * q * q * p, 3 * q * p * p, p**3]
    slope = [y - a * x for x, y in zip([*cube, Fraction(0)], [Fraction(0), *cube], strict=True)]
    for k in range(2):
        slope[k] += (top[k] - b * bottom[k]) * bend
    common = lcm(*(c.denominator for c in slope))
    columns = {*span, *_changes([int(c * common) for c in slope], *span)}
    return [(x, on_arc(border, x)) for x in sorted(columns)]


def _changes(p: Sequence[int], low: Fraction, high: Fraction) -> list[Fraction]:
    """Return where a polynomial changes its sign in an open interval: exact where simple, else nearer than 2⁻⁶⁰.

    Between places where its derivative does so, it does once at most.

    >>> [round(float(x), 9) for x in _changes([-2, 0, 9], Fraction(0), Fraction(1))]
    [0.471404521]
    """

    def sign(x: Fraction) -> int:
        total, power = 0, 1
        for c in reversed(p):
            total, power = total * x.numerator + c * power, power * x.denominator
        return (total > 0) - (total < 0)

    if len(p) < 2:
        return []
    places = []
    for start, end in pairwise([low, *_changes([k * c for k, c in enumerate(p)][1:], low, high), high]):
        before, after = sign(start), sign(end)
        places += [end] if after == 0 and end < high else []
        if before * after >= 0:
            continue
        left, right = low, high
        while right - left >= NARROW:  # halves of the whole interval, whatever the derivative is
            middle = (left + right) / 2
            if middle <= start or (middle < end and sign(middle) == before):
                left = middle
            else:
                right = middle
        middle = (left + right) / 2
        simple = middle.limit_denominator(SIMPLE)
        places.append(simple if left <= simple <= right and sign(simple) == 0 else middle)
    return places


def _height(border: Border, a: Fraction) -> Fraction:
    return on_arc(border, Fraction(1, 2) if border.kind == "horizontal" else a)


def factor(others: Sequence[Piece], here: Place, columns: Place, rows: Place) -> float:
    """Return by how much both exchange rates may be off: the box around the preference meets no region of others.

    An arc is monotone, so the first box that it meets has it at a corner, or at one of its ends.
    """
    a, b = here
    if a in (0, 1) or b in (0, 1):  # one rate, or both, cannot be off
        return min([_room(x, *ends) for x, ends in ((a, columns), (b, rows)) if x not in (0, 1)], default=inf)
    s, r = a / (1 - a), b / (1 - b)
    factors = [Fraction(LARGEST_FACTOR)] if others else []
    most = min(_room(a, *columns), _room(b, *rows), LARGEST_FACTOR) * (1 + NEAR)  # at which one rate alone is off
    box = [(odds / most / (1 + odds / most), odds * most / (1 + odds * most)) for odds in map(float, (s, r))]
    for piece in (others[row] for row in _meeting(others, *box)):
        for x, y in _corners(piece, here):
            if 0 < x < 1 and 0 < y < 1:
                times = x / (1 - x) / s, y / (1 - y) / r
                factors.append(max(*times, 1 / min(times)))
        for arc in filter(None, (piece.low, piece.high)):
            c00, c01, c10, c11 = arc.corners
            forms = (c00, r * c01 + s * c10, s * r * c11), (r * c01, c00 + s * r * c11, s * c10)  # both up; one up
            for form in forms:
                for by in _roots(form):
                    if piece.start <= s * by / (1 + s * by) <= piece.end:
                        factors.append(max(by, 1 / by))
    return float(min(factors, default=inf))


def _roots(form: tuple[Fraction, Fraction, Fraction]) -> list[Fraction]:
    """Return where a quadratic changes its sign beyond 0, but for 2⁻¹²⁸."""
    common = lcm(*(x.denominator for x in form))
    c0, c1, c2 = (int(x * common) for x in form)
    end, roots, sign = (Fraction(0), Fraction(0)), list[Fraction](), 1
    while (following := turn((sign * c0, sign * c1, sign * c2), end[1])) is not None:
        end, sign = following, -sign
        roots += [end[0]] if end[0] else []
    return roots


def _room(x: Fraction, low: Fraction, high: Fraction) -> float:
    rooms = [Fraction(LARGEST_FACTOR)] if low or high < 1 else []
    rooms += [x * (1 - low) / (low * (1 - x))] if low else []
    rooms += [high * (1 - x) / ((1 - high) * x)] if high < 1 else []
    return float(min(rooms, default=inf))

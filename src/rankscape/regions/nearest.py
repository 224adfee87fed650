"""How near, on the Tile, the regions of others are: in any direction, and with both exchange rates off at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import inf, lcm, sqrt

import numpy as np

from ..floats import lengths
from ..geometry.borders import Border
from ..kernels.univariate import primitive, product, roots_between
from ..lines import turn
from .records import Piece, clipped

Place = tuple[Fraction, Fraction]
CLOSE = 1e-9
"""Distances, or places on the Tile, that differ by less are taken as one: most of them are irrational."""

SAMPLES = 129
"""Columns of a piece between which it is bounded by boxes."""

LARGEST_FACTOR = 1e9


def nearest(
    others: Sequence[tuple[Piece, tuple[str, ...]]], sides: Sequence[tuple[Place, set[str]]], here: Place
) -> list[tuple[Place, set[str]]]:
    """Return the places nearest to ``here`` where others come first, several where equally near, and who.

    These are on the edges of regions of others, or the changes along the axes, on ``sides``.
    """
    a, b = here
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
    slope = product([-a, Fraction(1)], product(bottom, product(bottom, bottom)))
    for k in range(2):
        slope[k] += (top[k] - b * bottom[k]) * bend
    columns = {*span, *roots_between(primitive(slope), *span)}
    return [(x, on_arc(border, x)) for x in sorted(columns)]


def _height(border: Border, a: Fraction) -> Fraction:
    return on_arc(border, Fraction(1, 2) if border.kind == "horizontal" else a)


def factor(others: Iterable[Piece], here: Place, columns: Place, rows: Place) -> float:
    """Return by how much both exchange rates may be off: the box around the preference meets no region of others.

    An arc is monotone, so the first box that it meets has it at a corner, or at one of its ends.
    """
    a, b = here
    if a in (0, 1) or b in (0, 1):  # one rate, or both, cannot be off
        return min([_room(x, *ends) for x, ends in ((a, columns), (b, rows)) if x not in (0, 1)], default=inf)
    s, r = a / (1 - a), b / (1 - b)
    factors: list[Fraction] = []
    for piece in others:
        factors.append(Fraction(LARGEST_FACTOR))
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

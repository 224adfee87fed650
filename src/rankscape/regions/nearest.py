"""The nearest places at which another entity becomes first: on borders, in any direction."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..floats import lengths
from ..geometry.borders import Border
from ..geometry.levels import meeting_column
from ..kernels.univariate import primitive, product, roots_between
from .records import clipped, rows_at

Place = tuple[Fraction, Fraction]
CLOSE = 1e-9
"""Distances, or places on the Tile, that differ by less are taken as one: most of them are irrational."""

SAMPLES = 129
"""Points of a border between which it is bounded by boxes."""


@dataclass(frozen=True)
class Change:
    """A place where others become first, whose rows these are, and how far it is."""

    distance: float
    place: Place
    rows: tuple[int, ...]
    along_axis: bool = False


def nearest(
    integers: NDArray[Any],
    between: Callable[[int, int], Border],
    here: Place,
    first: list[int],
    ever: set[int],
    sides: list[tuple[Place, list[int]]],
) -> list[tuple[Place, list[int]]]:
    """Return the places nearest to ``here`` where others become first, several where they are equally near, and who.

    ``first`` are rows that are first here, of equal ones one; ``ever`` those that are first inside the Tile; ``sides``
    the changes along the axes. Each place comes with all who are first there, and alone somewhere beside it; and with
    those who are first beside it but have no value at the place itself, on a side of the Tile.
    """
    changes = [Change(_distance(place, here), place, tuple(rows), along_axis=True) for place, rows in sides if rows]
    changes += [Change(0.0, here, tuple(first))] if len(first) > 1 else []
    changes += _on_borders(between, here, first, ever)
    for group in _by_distance(changes):
        places = []
        for same in _by_place(group):
            place = _exact_place(same, integers, between, first, here)
            names = _rows(integers, between, place, here, same, first)
            if names:
                places.append((place, names))
        if places:
            return sorted(places)
    return []


def _distance(place: Place, here: Place) -> float:
    return sqrt((place[0] - here[0]) ** 2 + (place[1] - here[1]) ** 2)


def _by_distance(changes: list[Change]) -> Iterator[list[Change]]:
    """Yield the changes that are equally near, the nearest first."""
    group: list[Change] = []
    for change in sorted(changes, key=lambda change: change.distance):
        if group and change.distance > group[0].distance + CLOSE:
            yield group
            group = []
        group.append(change)
    yield from [group] * bool(group)


def _by_place(group: list[Change]) -> list[list[Change]]:
    """Group changes at the same place."""
    places: list[list[Change]] = []
    for change in sorted(group, key=lambda change: change.place):
        for same in places:
            if _distance(change.place, same[0].place) <= CLOSE:
                same.append(change)
                break
        else:
            places.append([change])
    return places


def _on_borders(between: Callable[[int, int], Border], here: Place, first: list[int], ever: set[int]) -> list[Change]:
    """Return the nearest places of the borders that may hold the nearest of all."""
    pairs = [(k, j, between(k, j)) for k in first for j in sorted(ever)]
    pairs = [(k, j, border) for k, j, border in pairs if border.kind not in ("none", "tile")]
    bounds = [_bounds(border, here) for _, _, border in pairs]
    most = min((high for _, high in bounds), default=0.0) + CLOSE
    return [
        Change(_distance(place, here), place, (j,))
        for (_, j, border), (low, _) in zip(pairs, bounds, strict=True)
        if low <= most
        for place in feet(border, here)
    ]


def _bounds(border: Border, here: Place) -> tuple[float, float]:
    """Return bounds of the distance of a border: it is monotone, so it stays in the boxes between its samples."""
    a, b = float(here[0]), float(here[1])
    if border.kind != "arc" or border.span is None:
        distance = _distance(feet(border, here)[0], here)
        return distance, distance
    x = np.linspace(float(border.span[0]), float(border.span[1]), SAMPLES)
    inside = clipped(border, x)
    gaps = [
        np.maximum(0, np.maximum(np.minimum(u[1:], u[:-1]) - p, p - np.maximum(u[1:], u[:-1])))
        for u, p in ((x, a), (inside, b))
    ]
    return float(lengths(*gaps).min()) - CLOSE, float(lengths(x - a, inside - b).min())


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


def _exact_place(
    same: list[Change], integers: NDArray[Any], between: Callable[[int, int], Border], first: list[int], here: Place
) -> Place:
    """Return where several borders meet as exact fractions; where one passes alone, its place."""
    if any(change.place == here for change in same):
        return here
    others = sorted({row for change in same for row in change.rows})
    for i, j in combinations(others, 2):
        for a in meeting_column([[int(x) for x in integers[k]] for k in (first[0], i, j)]):
            b = between(first[0], i).exact_b(a)
            if b is not None and _distance((a, b), same[0].place) <= CLOSE:
                return a, b
    on_axis = [change.place for change in same if change.place[0] == here[0] or change.place[1] == here[1]]
    return min(on_axis, default=same[0].place)


def _rows(
    integers: NDArray[Any],
    between: Callable[[int, int], Border],
    place: Place,
    here: Place,
    same: list[Change],
    first: list[int],
) -> list[int]:
    """Return who is first at a place, and alone somewhere beside it; or has no value there, and is first beside it."""
    top = rows_at(integers, *place)
    along = {row for change in same if change.along_axis for row in change.rows}
    candidates = {row for change in same for row in change.rows} - set(top)
    stay: set[int] = set() if place == here else {j for j in top if any(between(k, j).kind == "tile" for k in first)}
    rows = [j for j in top if j not in stay and (j in along or _alone_beside(between, j, top, place))]
    undefined = [j for j in candidates if not _defined(integers[j], place)]
    everybody = range(len(integers))
    return sorted([*rows, *(j for j in undefined if j in along or _alone_beside(between, j, everybody, place))])


def _defined(row: NDArray[Any], place: Place) -> bool:
    tn, fp, fn, tp = (int(x) for x in row)
    a, b = place
    return bool((1 - a) * tn + a * tp + (1 - b) * fp + b * fn)


def _alone_beside(between: Callable[[int, int], Border], j: int, others: Iterable[int], place: Place) -> bool:
    """Tell whether one is better than all others that are tied with it at a place, in some direction into the Tile.

    In a direction (v, w) the difference h changes by v·∂h/∂a + w·∂h/∂b, and where both derivatives are 0 by v·w times
    a number. All bounds of what is asked for are directions; between each two neighbors of them one is tried.
    """
    a, b = place
    one, zero = Fraction(1), Fraction(0)
    slopes = []
    for i in others:
        border = between(j, i)
        if border.kind != "tile":
            along_a, along_b = (border.h(one, b) - border.h(zero, b), border.h(a, one) - border.h(a, zero))
            c00, c01, c10, c11 = border.corners
            slopes.append((along_a, along_b, c00 + c11 - c01 - c10))
    bounds = {(one, zero), (-one, zero), (zero, one), (zero, -one)}
    bounds |= {end for v, w, _ in slopes if v or w for end in (_short(-w, v), _short(w, -v))}
    around = sorted(bounds, key=_turn)
    for end, following in zip(around, [*around[1:], around[0]], strict=True):
        v, w = end[0] + following[0], end[1] + following[1]
        inside = (a > 0 or v > 0) and (a < 1 or v < 0) and (b > 0 or w > 0) and (b < 1 or w < 0)
        if inside and all((v * p + w * q if p or q else v * w * r) > 0 for p, q, r in slopes):
            return True
    return False


def _turn(end: tuple[Fraction, Fraction]) -> Fraction:
    """Return a number that grows with the angle of a direction, from −2 to 2."""
    v, w = end
    turn = 1 - v / (abs(v) + abs(w))
    return -turn if w < 0 else turn


def _short(v: Fraction, w: Fraction) -> tuple[Fraction, Fraction]:
    """Return a direction as the vector with the larger coordinate 1, so that sums lie between."""
    size = max(abs(v), abs(w))
    return v / size, w / size

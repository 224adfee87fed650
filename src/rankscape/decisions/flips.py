"""How far a preference may move before another model is best, each at its own best threshold: exact on the Tile.

In a column of the Tile the best of a model is the lowest of straight lines, one for each of its operating points: where
one of them is left for another one of the same model, the walk goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf, sqrt

from .._scores import Score
from ..errors import UsageError
from ..geometry.borders import Border
from ..geometry.curves import odds
from ..performances import Performances
from ..regions import Flip, Flips, Piece
from ..regions.flips import LARGEST_FACTOR
from ..regions.nearest import CLOSE, feet, on_arc
from .regions import ModelRegions

Line = tuple[Fraction, Fraction, str]
"""What a model loses at the two ends of a line across the Tile."""

Place = tuple[Fraction, Fraction]
Models = frozenset[str]
ZERO, ONE = Fraction(0), Fraction(1)


def flips_of_models(regions: ModelRegions, score: Score) -> Flips:
    """Return how far a preference may move before another model is best, at its own best threshold."""
    a, b = score.place_among(regions.points)
    first = frozenset(regions.at(a, b))
    if not first:
        raise UsageError(f"no model comes first: {score.name} is undefined for every model at every threshold")
    columns, rows = _interval(_along_a(regions, b), a, first), _interval(_along_b(regions, a), b, first)
    (left, before), (right, after) = columns
    (low, below), (high, above) = rows
    others = [
        (piece, region.names) for region in regions.regions if not first <= set(region.names) for piece in region.pieces
    ]
    changes: list[tuple[str, Place, Models]] = [
        ("fewer false alarms per miss", (a, low), below),
        ("more false alarms per miss", (a, high), above),
        ("fewer correct rejections per detection", (left, b), before),
        ("more correct rejections per detection", (right, b), after),
    ]
    changes += [("nearest", place, names) for place, names in _nearest(others, (a, b))]
    return Flips(
        score=score, a=float(a), b=float(b), first=first,
        flips=tuple(
            Flip(direction, place, tuple(name for name in regions.models if name in names))
            for direction, place, names in changes if names
        ),
        along_a=(float(left), float(right)), along_b=(float(low), float(high)),
        factor=_factor([piece for piece, _ in others], (a, b), (left, right), (low, high)),
    )  # fmt: skip


def _integers(points: Performances) -> list[list[int]]:
    return [[int(x) for x in row] for row in points.integers.tolist()]


def _along_b(regions: ModelRegions, a: Fraction) -> list[Line]:
    """Return what each point loses, (1 − b)·fp + b·fn, per satisfying mass in a column; those without any never win."""
    lines = []
    for (tn, fp, fn, tp), owner in zip(_integers(regions.points), regions.owners, strict=True):
        if satisfying := (1 - a) * tn + a * tp:
            lines.append((fp / satisfying, fn / satisfying, owner))
    return lines


def _along_a(regions: ModelRegions, b: Fraction) -> list[Line]:
    """Return what each point satisfies, (1 − a)·tn + a·tp, negated, per mass that is lost in a row of the Tile.

    Points that lose nothing there tie, and nobody is better.
    """
    lines, best = [], []
    for (tn, fp, fn, tp), owner in zip(_integers(regions.points), regions.owners, strict=True):
        if lost := (1 - b) * fp + b * fn:
            lines.append((-tn / lost, -tp / lost, owner))
        elif tn or tp:
            best.append((ZERO, ZERO, owner))
    return best or lines


def _interval(
    lines: list[Line], here: Fraction, first: Models
) -> tuple[tuple[Fraction, Models], tuple[Fraction, Models]]:
    """Return the ends of the interval around a place in which all of ``first`` stay best, and who is beyond each."""
    high, above = _upward(lines, here, first)
    low, below = _upward([(end, start, owner) for start, end, owner in lines], 1 - here, first)
    return (1 - low, below), (high, above)


def _upward(lines: list[Line], here: Fraction, first: Models) -> tuple[Fraction, Models]:
    while lines and here < 1:
        values = [(start + here * (end - start), end - start) for start, end, _ in lines]
        value, slope = min(values)
        best = frozenset(owner for at, (*_, owner) in zip(values, lines, strict=True) if at == (value, slope))
        if not first <= best:
            return here, best
        ahead = [(other - value) / (slope - down) for other, down in values if down < slope]
        here += min(ahead, default=ONE)
    return ONE, frozenset()


def _nearest(others: Iterable[tuple[Piece, tuple[str, ...]]], here: Place) -> list[tuple[Place, Models]]:
    """Return the nearest places where regions of others begin, and whose they are."""
    a, b = here
    edges = [
        (sqrt((place[0] - a) ** 2 + (place[1] - b) ** 2), place, names)
        for piece, names in others
        for place in _edge(piece, here)
    ]
    most = min(edges)[0] + CLOSE if edges else 0.0
    places: list[tuple[Place, Models]] = []
    for _, place, names in sorted(each for each in edges if each[0] <= most):
        same = [i for i, (other, _) in enumerate(places) if _close(place, other)]
        if same:
            places[same[0]] = (places[same[0]][0], places[same[0]][1] | frozenset(names))
        else:
            places.append((place, frozenset(names)))
    return sorted(places)


def _close(one: Place, other: Place) -> bool:
    return all(abs(x - y) <= CLOSE for x, y in zip(one, other, strict=True))


def _edge(piece: Piece, here: Place) -> list[Place]:
    """Return the places of the edge of a piece that may be the nearest ones."""
    a, b = here
    places = []
    for x in (piece.start, piece.end, min(max(a, piece.start), piece.end)):
        low, high = _heights(piece, x)
        places.append((x, min(max(b, low), high)))
    for border in (piece.low, piece.high):
        if border is not None:
            places += [(x, y) for x, y in feet(border, here) if piece.start <= x <= piece.end]
    return places


def _heights(piece: Piece, a: Fraction) -> Place:
    return (ZERO if piece.low is None else _height(piece.low, a)), (
        ONE if piece.high is None else _height(piece.high, a)
    )


def _height(border: Border, a: Fraction) -> Fraction:
    return on_arc(border, Fraction(1, 2) if border.kind == "horizontal" else a)


def _factor(others: list[Piece], here: Place, columns: Place, rows: Place) -> float:
    """Return by how much both exchange rates may be off: the box around the preference meets no region of others."""
    a, b = here
    if a in (0, 1) or b in (0, 1):  # one rate, or both, cannot be off
        ends = [_room(x, *ends) for x, ends in ((a, columns), (b, rows)) if x not in (0, 1)]
        return min([*ends, inf])
    if not others:
        return inf

    def stays(factor: float) -> bool:
        (left, low), (right, high) = ([_scaled(x, by) for x in here] for by in (1 / factor, factor))
        return not any(_meets(piece, (left, right), (low, high)) for piece in others)

    if stays(LARGEST_FACTOR):
        return LARGEST_FACTOR
    least, most = 1.0, LARGEST_FACTOR
    while most / least > 1 + 1e-12:
        middle = sqrt(least * most)
        least, most = (middle, most) if stays(middle) else (least, middle)
    return least


def _room(x: Fraction, low: Fraction, high: Fraction) -> float:
    ends = [odds(float(x)) / odds(float(low)) if low else inf, odds(float(high)) / odds(float(x)) if high < 1 else inf]
    return min(ends) if min(ends) == inf else min(*ends, LARGEST_FACTOR)


def _scaled(x: Fraction, factor: float) -> Fraction:
    """Return the place whose odds are multiplied by a factor."""
    by = Fraction(factor)
    return x * by / (1 - x + x * by)


def _meets(piece: Piece, columns: Place, rows: Place) -> bool:
    """Tell whether the inside of a piece meets the inside of a box."""
    start, end = max(piece.start, columns[0]), min(piece.end, columns[1])
    for border, side, upwards in ((piece.low, rows[1], False), (piece.high, rows[0], True)):
        if border is not None and start < end:
            start, end = _where(border, start, end, side, upwards)
    return start < end


def _where(border: Border, start: Fraction, end: Fraction, side: Fraction, upwards: bool) -> Place:
    """Return the columns in which a border, which is monotone, is above (or below) a row of the Tile."""
    inside = [(_height(border, a) > side) if upwards else (_height(border, a) < side) for a in (start, end)]
    if inside[0] == inside[1]:
        return (start, end) if inside[0] else (start, start)
    crossing = border.transposed().exact_b(side)
    middle = end if crossing is None else min(max(crossing, start), end)
    return (start, middle) if inside[0] else (middle, end)

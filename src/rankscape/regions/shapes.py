"""Exact regions: the places at which an entity has a rank, bounded by borders, with their areas."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import refuse_no_rank, two_class_only
from ..data import as_performances
from ..geometry.borders import Border, border_of, border_of_integers
from ..geometry.levels import Columns, Slab, slabs
from ..geometry.roc import hull
from ..kernels.exact import normalized
from ..kernels.grid import layers
from ..tables import Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Piece:
    """A part of a region: for a from ``start`` to ``end``, b between two borders; None is a side of the Tile."""

    start: Fraction
    end: Fraction
    low: Border | None
    high: Border | None

    @property
    def area(self) -> float:
        """Its share of the Tile, by closed forms."""
        below = 0.0 if self.low is None else self.low.area_below(self.start, self.end)
        above = float(self.end - self.start) if self.high is None else self.high.area_below(self.start, self.end)
        return above - below

    def contains(self, a: Fraction, b: Fraction) -> bool:
        """Tell whether a place is inside or on the border."""
        if not self.start <= a <= self.end:
            return False
        low, high = (None if arc is None else arc.exact_b(a) for arc in (self.low, self.high))
        return (low is None or low <= b) and (high is None or b <= high)

    def band(self, a: Floats) -> tuple[Floats, Floats]:
        """Return b below and above at columns from ``start`` to ``end``."""
        low = np.zeros_like(a) if self.low is None else _clipped(self.low, a)
        high = np.ones_like(a) if self.high is None else _clipped(self.high, a)
        return low, high


def _clipped(border: Border, a: Floats) -> Floats:
    """Return b on a border, also where rounding puts it outside by a hair."""
    below, above = (np.asarray(side, dtype=np.float64) for side in border.sides(a))
    with np.errstate(divide="ignore", invalid="ignore"):
        b = np.clip(below / (below - above), 0, 1)
    inside = ~np.isnan(b)
    return b if inside.all() or not inside.any() else np.interp(a, a[inside], b[inside])


@dataclass(frozen=True)
class Region:
    """Where entities have the rank asked for: their names (several: equal performances), pieces, and rows in the data.

    ``borders`` are the exact arcs around it, those on the sides of the Tile left out.
    """

    names: tuple[str, ...]
    pieces: tuple[Piece, ...]
    rows: tuple[int, ...] = ()

    @property
    def area(self) -> float:
        """The share of the Tile, the sum of closed forms."""
        return float(sum(piece.area for piece in self.pieces))

    @property
    def borders(self) -> tuple[Border, ...]:
        """The exact arcs around the region."""
        arcs = (arc for piece in self.pieces for arc in (piece.low, piece.high) if arc is not None)
        return tuple(dict.fromkeys(arcs))

    def contains(self, a: float, b: float) -> bool:
        """Tell whether a place is inside or on the border, exactly."""
        column, row = Fraction(a), Fraction(b)
        return any(piece.contains(column, row) for piece in self.pieces)

    def outlines(self, points: int = 200) -> Iterator[tuple[Floats, Floats]]:
        """Yield each connected part as a polygon (a, b) that follows the exact arcs; ``points`` per unit of a."""
        for run in _runs(self.pieces):
            bands = [_sampled(piece, points) for piece in run]
            a, low, high = (np.concatenate(parts) for parts in zip(*bands, strict=True))
            yield np.concatenate([a, a[::-1], a[:1]]), np.concatenate([low, high[::-1], low[:1]])


def _sampled(piece: Piece, points: int) -> tuple[Floats, Floats, Floats]:
    steps = max(2, int(np.ceil(points * float(piece.end - piece.start))) + 1)
    t = (1 - np.cos(np.linspace(0, np.pi, steps))) / 2  # denser at the ends, where arcs are steep
    a = float(piece.start) + t * float(piece.end - piece.start)
    return a, *piece.band(a)


def _runs(pieces: tuple[Piece, ...]) -> list[list[Piece]]:
    """Group pieces that touch along a column."""
    runs: list[list[Piece]] = []
    for piece in pieces:
        for run in runs:
            last = run[-1]
            if last.end == piece.start and _touch(last, piece):
                run.append(piece)
                break
        else:
            runs.append([piece])
    return runs


def _touch(left: Piece, right: Piece) -> bool:
    at = np.array([float(right.start)])
    (low, high), (other_low, other_high) = left.band(at), right.band(at)
    return bool(max(low[0], other_low[0]) <= min(high[0], other_high[0]) + 1e-12)


@dataclass(frozen=True, repr=False)
class Regions:
    """Who has a rank where on the Tile, in decreasing order of area; together the regions cover it.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8], [7, 3, 3, 7]], names=["a", "b", "c"])
    >>> {name: round(area, 6) for name, area in first(P).areas.items()}
    {'b': 0.708333, 'a': 0.291667}
    """

    rank: int
    last: bool
    regions: tuple[Region, ...]
    entities: int

    @property
    def areas(self) -> dict[str, float]:
        """The share of the Tile of each entity that has one; those of equal performances count for each of them."""
        return {name: region.area for region in self.regions for name in region.names}

    def at(self, a: float, b: float) -> tuple[str, ...]:
        """Return the names at a place; on a border those on both sides."""
        return tuple(name for region in self.regions if region.contains(a, b) for name in region.names)

    def borders_at(self, a: float) -> tuple[float, ...]:
        """Return the b in (0, 1) at which the answer changes in a column a; at a = 1 those of the F-scores.

        >>> from rankscape import Performances
        >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
        >>> [round(b, 6) for b in first(P).borders_at(1)]
        [0.166667]
        """
        column = Fraction(a)
        arcs = {
            arc
            for region in self.regions
            for piece in region.pieces
            if piece.start <= column <= piece.end
            for arc in (piece.low, piece.high)
            if arc is not None
        }
        found = {arc.exact_b(column) for arc in arcs}
        return tuple(sorted(float(b) for b in found if b is not None and 0 < b < 1))

    def table(self) -> Table:
        """Return one row per entity: entity, area (share of the Tile), and with whom it is tied everywhere."""
        rows = [(name, region) for region in self.regions for name in region.names]
        others = [" = ".join(other for other in region.names if other != name) for name, region in rows]
        return Table(
            {"entity": [name for name, _ in rows], "area": [region.area for _, region in rows], "tied_with": others}
        )

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def __iter__(self) -> Iterator[Region]:
        return iter(self.regions)

    def __len__(self) -> int:
        return len(self.regions)

    def __repr__(self) -> str:
        who = "last" if self.last else "first"
        which = who if self.rank == 1 else f"{self.rank}. from {who}"
        shares = ", ".join(f"{' = '.join(r.names)} {r.area:.1%}" for r in self.regions[:5])
        return f"<Regions: who is {which} among {self.entities}: {shares}{', …' if len(self) > 5 else ''}>"


def first(performances: Any, rank: int = 1, last: bool = False) -> Regions:
    """Return the exact regions of who is first on the Tile, or ``rank``-th, or (``last``) that from the last.

    For any priors. Regions of who is first and of who is last are connected, and with equal priors bounded by the
    borders between neighbors on the ROC hull. Domains are averaged. Raises UsageError for a rank that nobody has.
    (Tile, A.4.1, generalized: borders are arcs for any priors, and three of them meet at rational columns.)

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> first(P).at(0.5, 0), first(P).at(0.5, 1)
    (('a',), ('b',))
    """
    return regions_within(performances, rank, last)


def regions_within(performances: Any, rank: int = 1, last: bool = False, most_slabs: int | None = None) -> Regions:
    """Return the regions as :func:`first` does. Raises TooManySlabs where they need more than allowed."""
    performances = as_performances(performances)
    two_class_only(performances.space, "a region of the Tile")
    performances = performances.per_entity()
    refuse_no_rank(rank, len(performances))
    return _regions(performances.names, performances.integers, rank, last, most_slabs, performances.mass)


def _regions(
    names: tuple[str, ...],
    integers: NDArray[Any],
    rank: int,
    last: bool = False,
    most_slabs: int | None = None,
    mass: Floats | None = None,
) -> Regions:
    n = len(names)
    kept = layers(normalized(integers) if mass is None else mass, rank, last)
    groups, hopeless = _groups(integers[kept], kept)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    rank_here = rank - len(hopeless) if last else rank
    if rank_here < 1 or rank_here > sizes.sum():
        everywhere = (Piece(Fraction(0), Fraction(1), None, None),)
        return Regions(rank, last, (Region(_named(names, hopeless), everywhere, tuple(hopeless)),), n)
    columns = Columns(integers[[group[0] for group in groups]], sizes, not last)
    found = _pieces(columns, slabs(columns, rank_here, most_slabs))
    regions = [Region(_named(names, groups[k]), tuple(pieces), tuple(groups[k])) for k, pieces in found.items()]
    return Regions(rank, last, tuple(sorted(regions, key=lambda region: -region.area)), n)


def _named(names: tuple[str, ...], rows: list[int]) -> tuple[str, ...]:
    return tuple(names[row] for row in rows)


def _groups(integers: NDArray[Any], rows: NDArray[np.int64]) -> tuple[list[list[int]], list[int]]:
    """Group the rows that tie inside the whole Tile, and those that satisfy never."""
    groups: dict[Any, list[int]] = {}
    hopeless: list[int] = []
    for row, (tn, fp, fn, tp) in zip(rows.tolist(), integers.tolist(), strict=True):
        if tn == tp == 0:
            hopeless.append(row)
            continue
        common = gcd(tn, fp, fn, tp)
        key = "perfect" if fp == fn == 0 else (tn // common, fp // common, fn // common, tp // common)
        groups.setdefault(key, []).append(row)
    return list(groups.values()), hopeless


def _pieces(columns: Columns, parts: list[Slab]) -> dict[int, list[Piece]]:
    """Return the pieces of every group, those of neighboring slabs merged where their borders go on."""
    borders: dict[tuple[int, int], Border] = {}

    def between(k: int, other: int) -> Border:
        pair = (min(k, other), max(k, other))
        if pair not in borders:
            borders[pair] = border_of_integers(columns.rows[pair[0]], columns.rows[pair[1]])
        return borders[pair]

    found: dict[int, list[Piece]] = {}
    for slab in parts:
        arcs = [None, *(between(k, other) for k, other in zip(slab.groups, slab.groups[1:], strict=False)), None]
        for k, low, high in zip(slab.groups, arcs, arcs[1:], strict=False):
            pieces = found.setdefault(k, [])
            for i, piece in enumerate(pieces):
                if piece.end == slab.start and piece.low is low and piece.high is high:
                    pieces[i] = Piece(piece.start, slab.end, low, high)
                    break
            else:
                pieces.append(Piece(slab.start, slab.end, low, high))
    return found


def border(first: Any, second: Any) -> Border:
    """Return where two performances have equal ranking scores, exactly, for any priors: see :class:`Border`.

    >>> from rankscape import Performances
    >>> P = Performances.from_probabilities([[0.6, 0.1, 0.1, 0.2], [0.2, 0.1, 0.2, 0.5]])
    >>> border(P[0], P[1]).b([0, 0.75]).round(12).tolist()
    [nan, 0.416666666667]
    """
    return border_of(as_performances(first), as_performances(second))


def area_of_win(first: Any, second: Any) -> float:
    """Return the share of the Tile on which the first performance is better, in [0, 1]; 0 for two that tie everywhere.

    A closed form of ∫ b(a) da; the two shares sum to 1 unless the two tie everywhere. Areas describe preferences drawn
    uniformly on the Tile, and are no score to rank by.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]])
    >>> round(area_of_win(P[0], P[1]), 6), round(area_of_win(P[1], P[0]), 6)
    (0.291667, 0.708333)
    """
    return border(first, second).area()


def dominates(first: Any, second: Any) -> bool:
    """Tell whether the first performance is at least as good everywhere on the Tile, and better somewhere.

    It is if it is at least as good at TNR, NPV, PPV and TPR: the difference is bilinear in (a, b).

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 2, 8], [8, 2, 2, 8], [9, 1, 3, 7]])
    >>> dominates(P[0], P[1]), dominates(P[1], P[2])
    (True, False)
    """
    corners = border(first, second).corners
    return min(corners) >= 0 and max(corners) > 0


def winners(performances: Any) -> tuple[str, ...]:
    """Return the names of all who are first, alone or tied, on an open part of the Tile; in the order of the data.

    With equal priors these are the vertices of the upper-left ROC hull, and a prior shift does not change them.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6], [7, 3, 3, 7], [8, 2, 2, 8]], names=["a", "c", "b"])
    >>> winners(P)
    ('a', 'b')
    """
    performances = as_performances(performances).per_entity()
    candidates = performances[layers(performances.mass, 1)]
    if 0 < (candidates.common_prior() or 0) < 1:
        return _named(candidates.names, sorted(hull(candidates, corners=False).tolist()))
    return _named(candidates.names, sorted(row for region in first(candidates) for row in region.rows))


def without_skill(performances: Any) -> float | None:
    """Return the share of the Tile on which nobody beats always answering the same class; None where priors differ.

    The area on which one of the two constant answers, at the common prior, is first, alone or tied. (Tile, A.5.1.)

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[9, 1, 4, 6]], names=["a"])
    >>> round(without_skill(P), 6)
    0.305556
    """
    performances = as_performances(performances).per_entity()
    if performances.common_prior() is None:
        return None
    tn, fp, fn, tp = (int(x) for x in performances.integers[0])
    constants = [[tn + fp, 0, fn + tp, 0], [0, tn + fp, 0, fn + tp]]
    rows = np.concatenate([performances.integers, np.array(constants, dtype=object)])
    names = ("never", "always")
    found = _regions(tuple(map(str, range(len(performances)))) + names, rows, rank=1)
    return float(sum(region.area for region in found if set(names) & set(region.names)))

"""What a region is: pieces between borders, the regions of a rank together, and who has a rank at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import needs_tn
from ..geometry.borders import Border
from ..geometry.curves import checked_places
from ..kernels.grid import rows_at
from ..results import Result, Table
from ..texts import counted, ordinal
from ..typing import Floats


@dataclass(frozen=True)
class Piece:
    """A part of a region: a runs between two columns, b between two borders.

    Attributes
    ----------
    start, end
        The columns.
    low, high
        The borders below and above; None is a side of the Tile.

    See Also
    --------
    rankscape.regions.Region
    """

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

    def band(self, a: Floats) -> tuple[Floats, Floats]:
        """Return b below and above at columns from ``start`` to ``end``.

        Parameters
        ----------
        a : (m,)
            Columns from ``start`` to ``end``.

        Returns
        -------
        tuple of ndarray
            The smallest and the largest b at each column.
        """
        low = np.zeros_like(a) if self.low is None else clipped(self.low, a)
        high = np.ones_like(a) if self.high is None else clipped(self.high, a)
        return low, high


def clipped(border: Border, a: Floats) -> Floats:
    """Return b on a border, also where rounding puts it outside by a hair."""
    b = np.clip(border.ratio(a), 0, 1)
    inside = ~np.isnan(b)
    return b if inside.all() or not inside.any() else np.interp(a, a[inside], b[inside])


@dataclass(frozen=True)
class Region:
    """The part of the Tile on which entities have a rank.

    ``borders`` are the exact arcs around the region, those on the sides of the Tile left out.

    Attributes
    ----------
    names
        The entities, sorted; several have equal performances.
    pieces
        The parts of the region.
    rows
        Their rows in the data, ascending.

    See Also
    --------
    rankscape.regions.Regions
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

    def outlines(self, points: int = 200) -> Iterator[tuple[Floats, Floats]]:
        """Yield each connected part as a polygon that follows the exact arcs.

        Parameters
        ----------
        points
            The number of points per unit of a.

        Yields
        ------
        tuple of ndarray
            The coordinates a and b of the corners.
        """
        for run in _runs(self.pieces):
            bands = [_sampled(piece, points) for piece in run]
            a, low, high = (np.concatenate(parts) for parts in zip(*bands, strict=True))
            yield np.concatenate([a, a[::-1], a[:1]]), np.concatenate([low, high[::-1], low[:1]])


def _sampled(piece: Piece, points: int) -> tuple[Floats, Floats, Floats]:
    steps = max(2, int(np.ceil(points * float(piece.end - piece.start))) + 1)
    even = np.linspace(0, 1, steps)
    t = even * even * (3 - 2 * even)  # denser at the ends, where arcs are steep
    a = float(piece.start) + t * float(piece.end - piece.start)
    return a, *piece.band(a)


def _runs(pieces: tuple[Piece, ...]) -> list[list[Piece]]:
    """Group pieces that touch along a column."""
    runs: list[list[Piece]] = []
    for piece in pieces:
        for run in runs:
            if run[-1].end == piece.start and _touch(run[-1], piece):
                run.append(piece)
                break
        else:
            runs.append([piece])
    return runs


def _touch(left: Piece, right: Piece) -> bool:
    at = np.array([float(right.start)])
    (low, high), (other_low, other_high) = left.band(at), right.band(at)
    return bool(max(low[0], other_low[0]) <= min(high[0], other_high[0]) + 1e-12)


@dataclass(frozen=True, eq=False, repr=False)
class Regions(Result):
    """The regions of the Tile on which each entity has a rank.

    Together the regions cover the Tile. Without true negatives only the right side of the Tile, a = 1, is meant: areas
    are shares of it, and borders are the same for all a.

    Attributes
    ----------
    rank, last
        The rank, and whether it is counted from the last.
    regions
        The regions, in decreasing order of area.
    names
        All entities, in the order of the data.
    integers : (n, 4)
        Their performances, in proportion.
    side
        Whether true negatives are missing.

    See Also
    --------
    rankscape.regions.first

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [8, 2, 2, 8], [7, 3, 3, 7]], names=["a", "b", "c"]
    ... )
    >>> {name: round(area, 6) for name, area in rs.regions.first(P).areas.items()}
    {'b': 0.708333, 'a': 0.291667}
    """

    rank: int
    last: bool
    regions: tuple[Region, ...]
    names: tuple[str, ...]
    integers: NDArray[Any]
    side: bool = field(default=False, kw_only=True)

    @property
    def heading(self) -> str:
        """The rank, and of how many entities."""
        end = "last" if self.last else "first"
        place = end if self.rank == 1 else f"{ordinal(self.rank)} from {end}"
        where = " on the right side of the Tile" if self.side else ""
        return f"Who is {place} among {counted(len(self.names), 'model')}{where}"

    @property
    def areas(self) -> dict[str, float]:
        """The share of the Tile of each entity that has one; those of equal performances count for each of them."""
        return {name: region.area for region in self.regions for name in region.names}

    def at(self, a: float | Fraction, b: float | Fraction) -> tuple[str, ...]:
        """Return the names at a place, all that are tied there; on a side of the Tile those that are defined there.

        On a border these are those on both sides, and also who is as good there only.

        Parameters
        ----------
        a
            The place on the horizontal axis of the Tile, in [0, 1].
        b
            The place on the vertical axis of the Tile, in [0, 1].

        Returns
        -------
        tuple of str
            The names.

        Raises
        ------
        UsageError
            For a place outside the Tile.
        """
        checked_places([float(a), float(b)])
        column, row = Fraction(a), Fraction(b)
        self._refuse_beside(column)
        place = {k: i for i, region in enumerate(self.regions) for k in region.rows}
        rows = rows_at(self.integers, column, row, self.rank, self.last)
        order = sorted(rows, key=lambda k: (place.get(k, len(place)), self.names[k]))
        return tuple(self.names[k] for k in order)

    def _refuse_beside(self, a: Fraction) -> None:
        """Raise for places with a < 1 where only the side a = 1 is known."""
        if self.side and a != 1:
            raise needs_tn(f"a = {float(a):g}", way_out="ask at a = 1, where they do not count")

    def everywhere(self) -> frozenset[str]:
        """Return the names of all that have the rank at some place, also those tied on a border or on a side only.

        What happens on borders and sides shows at the ends and in the middle of their parts.

        Returns
        -------
        frozenset of str
            The names.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts(
        ...     [[9, 1, 4, 6], [7, 3, 2, 8], [8, 2, 3, 7], [6, 4, 4, 6]], names=list("abcd")
        ... )
        >>> sorted(rs.regions.first(P).areas), sorted(rs.regions.first(P).everywhere())
        (['a', 'b'], ['a', 'b', 'c'])
        """
        corners = [Fraction(0), Fraction(1)]
        places = set()
        for piece in (piece for region in self.regions for piece in region.pieces):
            for a in (piece.end,) if self.side else (piece.start, (piece.start + piece.end) / 2, piece.end):
                arcs = [arc.exact_b(a) for arc in (piece.low, piece.high) if arc is not None]
                places |= {(a, b) for b in [*corners, *arcs] if b is not None}
        for side in corners[self.side :]:
            ends = sorted(b for a, b in places if a == side)
            places |= {(side, (low + high) / 2) for low, high in pairwise(ends)}
        return frozenset(name for a, b in places for name in self.at(a, b))

    def borders_at(self, a: float | Fraction) -> tuple[float, ...]:
        """Return the b in (0, 1) at which the answer changes in a column a; at a = 1 those of the F-scores.

        Parameters
        ----------
        a
            The place on the horizontal axis of the Tile, in [0, 1].

        Returns
        -------
        tuple of float
            The b, ascending.

        Raises
        ------
        UsageError
            For a column outside the Tile.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
        >>> [round(b, 6) for b in rs.regions.first(P).borders_at(1)]
        [0.166667]
        """
        checked_places(float(a))
        column = Fraction(a)
        self._refuse_beside(column)
        here = [piece for region in self.regions for piece in region.pieces if piece.start <= column <= piece.end]
        arcs = {arc for piece in here for arc in (piece.low, piece.high) if arc is not None}
        crossings = {arc.exact_b(column) for arc in arcs}
        return tuple(sorted(float(b) for b in crossings if b is not None and 0 < b < 1))

    def table(self) -> Table:
        """Return one row per entity: entity, area (share of the Tile), and with whom it is tied everywhere.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = [(name, region) for region in self.regions for name in region.names]
        columns: dict[str, Any] = {"entity": [name for name, _ in rows], "area": [region.area for _, region in rows]}
        others = [" = ".join(other for other in region.names if other != name) for name, region in rows]
        return Table(columns | {"tied_with": others})

    def __iter__(self) -> Iterator[Region]:
        return iter(self.regions)

    def __len__(self) -> int:
        return len(self.regions)


def named(names: tuple[str, ...], rows: Sequence[int]) -> tuple[str, ...]:
    """Return the names of some rows, sorted: the order of the rows changes no answer."""
    return tuple(sorted(names[row] for row in rows))

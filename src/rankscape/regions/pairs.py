"""The borders of all pairs of entities, in one call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from ..checks import rows_of
from ..errors import UsageError
from ..geometry.borders import Border, border_of_integers
from ..results import Result, Table
from ..texts import counted
from ..typing import PerformancesLike
from .shapes import prepared

MOST_PAIRS = 250_000
"""Pairs whose borders are kept at once; those of 700 entities."""


@dataclass(frozen=True, eq=False, repr=False)
class Borders(Result):
    """Where every two of several entities have equal ranking scores: one exact :class:`Border` per pair.

    Iterating gives (first name, second name, border); ``borders["a", "b"]`` is that of two, seen from the first of
    them.

    Attributes
    ----------
    names
        The entities.
    pairs
        The rows (i, j) of ``names``, in the order of the data.
    arcs
        The border of each pair.

    See Also
    --------
    rankscape.regions.borders

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [8, 2, 2, 8], [7, 3, 4, 6]], names=["a", "b", "c"]
    ... )
    >>> table = rs.regions.borders(P).table()
    >>> list(zip(table["first"], table["second"], table["kind"], strict=True))
    [('a', 'b', 'arc'), ('a', 'c', 'none'), ('b', 'c', 'none')]
    """

    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    arcs: tuple[Border, ...]

    @property
    def heading(self) -> str:
        """How many pairs there are, and how many of them change places somewhere on the Tile."""
        crossing = sum(arc.span is not None for arc in self.arcs)
        return f"Borders of {counted(len(self.pairs), 'pair')}: {crossing} change places inside the Tile"

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[str, str, Border]]:
        for (i, j), arc in zip(self.pairs, self.arcs, strict=True):
            yield self.names[i], self.names[j], arc

    def __getitem__(self, names: tuple[str, str]) -> Border:
        """Return the border of two entities; h > 0 where the one that is named first is better."""
        if not isinstance(names, tuple) or len(names) != 2:
            raise UsageError(f'a border is one of two models, as in borders["a", "b"]; got {names!r:.80}')
        i, j = (int(rows_of(self.names, name, "entity")[0]) for name in names)
        sign = 1 if (i, j) in self._places else -1
        arc = self._places.get((i, j)) or self._places.get((j, i))
        if arc is None:
            raise UsageError(f"there is no border between {names[0]!r} and {names[1]!r} among these")
        c00, c01, c10, c11 = arc.corners
        return arc if sign > 0 else Border((-c00, -c01, -c10, -c11))

    @cached_property
    def _places(self) -> dict[tuple[int, int], Border]:
        return dict(zip(self.pairs, self.arcs, strict=True))

    def table(self) -> Table:
        """Return one row per pair: first, second, kind, where the border starts and ends, area, and tied sides.

        ``kind`` is "arc", "horizontal", "vertical", "none" (one is at least as good everywhere) or "tile" (they tie
        everywhere). A border is one piece: it runs from (``start_a``, ``start_b``) to (``end_a``, ``end_b``), None
        where there is none. ``area`` is the share of the Tile on which the first is better; ``tied_sides`` names the
        sides on which the two tie all along, too.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        ends = [arc.ends or ((None, None), (None, None)) for arc in self.arcs]
        columns: dict[str, Any] = {
            "first": [self.names[i] for i, _ in self.pairs],
            "second": [self.names[j] for _, j in self.pairs],
            "kind": [arc.kind for arc in self.arcs],
        }
        for k, end in enumerate(("start", "end")):
            for axis, name in enumerate("ab"):
                places = [both[k][axis] for both in ends]
                columns[f"{end}_{name}"] = [None if x is None else float(x) for x in places]
        columns["area"] = [arc.area() for arc in self.arcs]
        return Table(columns | {"tied_sides": [" ".join(arc.edges) for arc in self.arcs]})


def borders(performances: PerformancesLike, name: str | None = None) -> Borders:
    """Return where every two entities have equal ranking scores on the Tile, exactly, for any priors.

    Domains are averaged.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    name
        An entity: only its borders with each other one, of which it is the first.

    Returns
    -------
    Borders
        One border per pair.

    Raises
    ------
    UsageError
        For an unknown name, fewer than two entities, or more than 250 000 pairs.

    See Also
    --------
    rankscape.regions.border : of two performances

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[9, 1, 4, 6], [8, 2, 2, 8], [7, 3, 4, 6]], names=["a", "b", "c"]
    ... )
    >>> [round(area, 6) for area in rs.regions.borders(P).table()["area"]]
    [0.291667, 1.0, 1.0]
    >>> rs.regions.borders(P)["b", "a"].b([0, 1]).round(6).tolist()
    [0.416667, 0.166667]
    """
    performances = prepared(performances, "a border on the Tile")
    n = len(performances)
    if n < 2:
        raise UsageError(f"borders are of at least two models; got {n}")
    if name is not None:
        row = int(rows_of(performances.names, name, "entity")[0])
        pairs = [(row, other) for other in range(n) if other != row]
    elif n * (n - 1) // 2 > MOST_PAIRS:
        raise UsageError(
            f"{n} models have {n * (n - 1) // 2} borders; expected at most {MOST_PAIRS}",
            way_out='those of one model are regions.borders(P, "name")',
        )
    else:
        pairs = list(combinations(range(n), 2))
    rows = [[int(x) for x in row] for row in performances.integers]
    arcs = tuple(border_of_integers(rows[i], rows[j]) for i, j in pairs)
    return Borders(performances.names, tuple(pairs), arcs)

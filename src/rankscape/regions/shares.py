"""The share of the Tile on which each entity is first, at the prior of the data and at priors to compare it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..checks import checked_prior
from ..checks.numbers import is_number, meant
from ..errors import Option, UsageError
from ..results import Result, Table
from ..texts import ordinal
from ..typing import PerformancesLike, PriorLike
from .shapes import first, prepared

REFERENCE = Fraction(1, 2)
"""The prior at which shares are shown beside those of the data, unless another one is chosen."""


@dataclass(frozen=True, eq=False, repr=False)
class Shares(Result):
    """The share of the Tile of each entity, at several priors.

    Attributes
    ----------
    priors
        The priors; None is that of the data.
    areas
        {name: share} at each of the priors.
    prior
        The prior of the data where all entities have one, else None.
    rank, last
        The rank, and whether it is counted from the last.

    See Also
    --------
    rankscape.regions.shares

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[95, 5, 5, 5], [88, 12, 2, 8]], names=["a", "b"])
    >>> (
    ...     rs.regions.shares(P).table()["entity"],
    ...     [round(x, 3) for x in rs.regions.shares(P).areas[1].values()],
    ... )
    (['a', 'b'], [0.859, 0.141])
    """

    priors: tuple[Fraction | None, ...]
    areas: tuple[dict[str, float], ...]
    prior: float | None
    rank: int = 1
    last: bool = False

    @property
    def heading(self) -> str:
        """Which rank the shares are of, and the prior of the data."""
        place = "last" if self.last else "first"
        place = place if self.rank == 1 else f"{ordinal(self.rank)} from {place}"
        here = "each its own" if self.prior is None else f"{self.prior:.4g}"
        return f"Share of the Tile on which each comes {place} (prior of the data: {here})"

    @property
    def names(self) -> tuple[str, ...]:
        """The entities with the rank on an open part of the Tile at some prior, by share at the first prior."""
        return tuple(dict.fromkeys(name for areas in self.areas for name in areas))

    def table(self) -> Table:
        """Return one row per entity: entity, share (at the prior of the data), share_at_0.5, …; 0 where it has none.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        columns: dict[str, Any] = {"entity": list(self.names)}
        for prior, areas in zip(self.priors, self.areas, strict=True):
            title = "share" if prior is None else f"share_at_{float(prior):.6g}"
            columns[title] = [areas.get(name, 0.0) for name in self.names]
        return Table(columns)


def shares(
    performances: PerformancesLike,
    priors: Sequence[PriorLike | None] = (None, 0.5),
    rank: int = 1,
    last: bool = False,
) -> Shares:
    """Return the share of the Tile on which each entity is first (or has another ``rank``), at several priors.

    Areas of the Tile depend on the share of positives: with few of them most preferences come down to the negatives.
    Domains are averaged, then shifted.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    priors
        Shares of positives in (0, 1) to which all entities are shifted, or None for the data as they are; by default
        the data and ½.
    rank
        The rank, from 1.
    last
        Whether ranks are counted from the last.

    Returns
    -------
    Shares
        One share per entity and prior.

    Raises
    ------
    UsageError
        For what is no prior, and a rank that nobody has.
    DataError
        For an entity without cases of one class.

    See Also
    --------
    rankscape.regions.first
    rankscape.vut

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[95, 5, 5, 5], [88, 12, 2, 8]], names=["a", "b"])
    >>> [
    ...     {name: round(share, 3) for name, share in areas.items()}
    ...     for areas in rs.regions.shares(P).areas
    ... ]
    [{'a': 0.697, 'b': 0.303}, {'b': 0.859, 'a': 0.141}]
    """
    performances = prepared(performances, "a share of the Tile")
    asked = tuple(None if prior is None else checked_reference(prior) for prior in priors)
    moved = [performances if prior is None else performances.shift_priors(prior) for prior in asked]
    areas = tuple(first(each, rank, last).areas for each in moved)
    return Shares(asked, areas, performances.common_prior(), rank, last)


def checked_reference(prior: PriorLike) -> Fraction:
    """Return a prior inside (0, 1) as the number that is meant: 0.2 is 1/5.

    >>> str(checked_reference(0.2))
    '1/5'
    """
    if is_number(prior) and not 0 < prior < 1:
        raise UsageError(
            [Option("reference_prior", python="a reference prior"), " must lie inside (0, 1)"], got=f"{prior!s:.80}"
        )
    checked_prior(prior, "a reference prior")
    return meant(prior)

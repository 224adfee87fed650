"""The Tile: maps of values, ranks and winners over all canonical ranking scores R_{a,b}."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import checked_prior, two_class_only
from .data import as_performances
from .errors import UsageError
from .kernels.grid import Sides, bands_of_first, contenders, edge_weights, within_rounding
from .outcomes import canonical_importance
from .performances import Performances
from .scores import ranking_score
from .tables import Table

Floats = NDArray[np.float64]
RESOLUTION = 201


@dataclass(frozen=True, eq=False, repr=False)
class TileMap:
    """One number, or one set of names, per place (a, b) of the Tile; ``values[i, j]`` is at ``b[i]``, ``a[j]``.

    For the entity flavor a value is an index into ``sets``, the names at the rank asked for: the row of an entity that
    is there alone, or, from n on, a tie. ``bands`` gives, for every column ``bands_a``, the interval of b where a name
    is first (last), exactly and not on a grid.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> tile_map = entity(P, resolution=3)
    >>> tile_map.table()["entity"]
    ['a', 'a', 'a', 'b', 'b', 'b', 'b', 'b', 'b']
    """

    flavor: str
    title: str
    label: str
    a: Floats
    b: Floats
    values: Floats
    subtitle: str = ""
    sets: tuple[tuple[str, ...], ...] = ()
    shares: dict[str, float] = field(default_factory=dict)
    bands: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)
    bands_a: Floats | None = None
    ties: tuple[tuple[str, ...], ...] = ()
    prior: float | None = None
    no_skill: NDArray[np.bool_] | None = None
    low: float | None = None
    high: float | None = None

    def at(self, a: float, b: float) -> Any:
        """Return what the map holds at the nearest point of its grid: a number, or the tuple of names."""
        if not (0 <= a <= 1 and 0 <= b <= 1):
            raise UsageError(f"a and b must lie in [0, 1]; got ({a}, {b})")
        value = float(self.values[int(np.abs(self.b - b).argmin()), int(np.abs(self.a - a).argmin())])
        if self.flavor != "entity":
            return value
        return () if np.isnan(value) else self.sets[int(value)]

    def table(self) -> Table:
        """Return one row per place: a, b and the value (or the names, joined by " = ")."""
        b, a = (grid.ravel() for grid in np.meshgrid(self.b, self.a, indexing="ij"))
        values = self.values.ravel()
        if self.flavor != "entity":
            return Table({"a": a, "b": b, "value": values})
        names = [" = ".join(names) for names in self.sets]
        return Table({"a": a, "b": b, "entity": [None if np.isnan(v) else names[int(v)] for v in values]})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the map on matplotlib axes (new ones by default) and return them."""
        from .plots import draw_tile

        return draw_tile(self, ax=ax, **options)

    def __repr__(self) -> str:
        return f"<TileMap: {self.title}; {len(self.b)} × {len(self.a)}>"


def _axis(resolution: int) -> Floats:
    if not isinstance(resolution, (int, np.integer)) or resolution < 2:
        raise UsageError(f"resolution must be at least 2, a whole number; got {resolution!r}")
    return np.linspace(0, 1, resolution)


def _entities(performances: Any) -> tuple[Performances, str]:
    """Return one performance per entity, and what must be said: averaged over domains, different priors."""
    performances = as_performances(performances)
    two_class_only(performances.space, "the Tile")
    many = len(set(performances.domains or ()))
    said = f" Averaged over {many} domains." if many > 1 else ""
    performances = performances.per_entity()
    priors = performances.priors
    if performances.common_prior() is None:
        said += f" Shares of positives differ: {priors.min():.3g} to {priors.max():.3g}."
    return performances, said


def value(performances: Any, name: str | None = None, resolution: int = RESOLUTION) -> TileMap:
    """Map the values R_{a,b}(P) of one entity, in [0, 1], larger is better; NaN where E[I] = 0. (Tile, Definition 2.)

    ``name`` says whose, where there are several.

    >>> P = Performances.from_probabilities([[0.56, 0.24, 0.06, 0.14]], names=["unet"])
    >>> round(value(P, resolution=11).at(0.3, 0.7), 12)
    0.79197080292
    """
    performance, averaged = _entities(performances)
    performance = performance if name is None else performance[name]
    if len(performance) != 1:
        raise UsageError(f'a value map is of one entity, as in tile.value(P, "name"); got {len(performance)}')
    axis = _axis(resolution)
    values = ranking_score(performance.mass, canonical_importance(axis, axis[:, None]))
    name = performance.names[0]
    return TileMap(
        "value", f"How good {name} is, for every preference", "value of the ranking score R(a, b)", axis, axis, values,
        subtitle=averaged.strip(), prior=performance.common_prior(), low=_low(values), high=1.0,
        no_skill=_no_skill_mask(performance, np.zeros_like(values, dtype=int), resolution),
    )  # fmt: skip


def best(performances: Performances, resolution: int = RESOLUTION) -> TileMap:
    """Map the best value of R_{a,b} over all entities, in [0, 1]; NaN where it is undefined for all of them.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> best(P, resolution=3).at(0, 0), best(P, resolution=3).at(1, 1)
    (0.9, 0.8)
    """
    return _extreme(performances, resolution, "best", "The best value that any entity reaches")


def worst(performances: Performances, resolution: int = RESOLUTION) -> TileMap:
    """Map the worst value of R_{a,b} over all entities, in [0, 1]; NaN where it is undefined for all of them.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> worst(P, resolution=3).at(0, 0), worst(P, resolution=3).at(1, 1)
    (0.8, 0.6)
    """
    return _extreme(performances, resolution, "worst", "The worst value among the entities")


def _extreme(performances: Performances, resolution: int, flavor: str, title: str) -> TileMap:
    performances, averaged = _entities(performances)
    axis = _axis(resolution)
    importance = canonical_importance(axis, axis[:, None])
    values = np.full((resolution, resolution), np.nan)
    for mass in performances.mass[contenders(performances.integers, inverted=flavor == "worst")]:
        values = (np.fmax if flavor == "best" else np.fmin)(values, ranking_score(mass, importance))
    return TileMap(
        flavor, title, f"{flavor} value of R(a, b)", axis, axis, values,
        subtitle=f"{len(performances)} entities.{averaged}", prior=performances.common_prior(),
        low=_low(values), high=1.0,
    )  # fmt: skip


def _low(values: Floats) -> float:
    """Return where the scale of colors starts: the smallest value, rounded down to a multiple of 0.05, below 1."""
    defined = values[~np.isnan(values)]
    return min(0.95, float(np.floor(defined.min() * 20) / 20)) if defined.size else 0.0


def no_skill(prior: float, resolution: int = RESOLUTION) -> TileMap:
    """Map the best value without skill at the prior π₊: that of the better constant answer. (Tile, A.5.1.)

    >>> round(no_skill(0.2, resolution=11).at(0.3, 0.4), 12)
    0.875
    """
    prior = checked_prior(prior)
    axis = _axis(resolution)
    importance = canonical_importance(axis, axis[:, None])
    never, always = [1 - prior, 0, prior, 0], [0, 1 - prior, 0, prior]
    values = np.fmax(ranking_score(never, importance), ranking_score(always, importance))
    return TileMap(
        "no-skill", "The best value without any skill", "value of the better constant answer", axis, axis, values,
        subtitle=f"Share of positives {prior:g}.",
        prior=prior, low=0.0, high=1.0,
    )  # fmt: skip


def ranking(performances: Performances, name: str, resolution: int = RESOLUTION) -> TileMap:
    """Map the rank of one entity: 1 + the number of better ones, decided exactly; NaN where it is undefined.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> ranking(P, "b", resolution=3).values.tolist()
    [[2.0, 2.0, 2.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    performances, averaged = _entities(performances)
    axis = _axis(resolution)
    groups, rows = _distinct(performances)
    sides = Sides(performances.integers[rows], resolution)
    own = next(i for i, group in enumerate(groups) if name in group) if name in performances.names else -1
    if own < 0:
        performances[name]  # raises, with the nearest names
    ranks = np.ones((resolution, resolution))
    for other, group in enumerate(groups):
        if other != own:
            ranks += len(group) * (sides.compare(other, own) > 0)
    ranks[~sides.defined(own)] = np.nan
    return TileMap(
        "ranking", f"The rank of {name}, for every preference", "rank (1 is best)", axis, axis, ranks,
        subtitle=f"Among {len(performances)} entities.{averaged}", prior=performances.common_prior(),
        low=1.0, high=float(len(performances)),
    )  # fmt: skip


def entity(performances: Performances, rank: int = 1, last: bool = False, resolution: int = RESOLUTION) -> TileMap:
    """Map who is at a rank, from the first (or, with ``last``, from the last), ties as sets, decided exactly.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> entity(P).at(0, 0), entity(P).at(1, 1)
    (('a',), ('b',))
    """
    performances, averaged = _entities(performances)
    n = len(performances)
    if not 1 <= rank <= n:
        raise UsageError(f"rank must lie between 1 and the number of entities, {n}; got {rank}")
    axis = _axis(resolution)
    groups, rows = _distinct(performances)
    if rank == 1:
        kept = contenders(performances.integers[rows], last)
        groups, rows = [groups[i] for i in kept], rows[kept]
    sides = Sides(performances.integers[rows], resolution, inverted=last)
    values = np.full((resolution, resolution), np.nan)
    codes: dict[tuple[int, ...], int] = {}  # a single entity has the number of its row; ties are counted from n on
    for i, j, members in _at_rank(sides, rank, np.array([len(group) for group in groups])):
        if members not in codes:
            alone = len(members) == 1 and len(groups[members[0]]) == 1
            codes[members] = int(rows[members[0]]) if alone else n + sum(code >= n for code in codes.values())
        values[i, j] = codes[members]
    tied = [members for members, code in codes.items() if code >= n]
    sets: list[tuple[str, ...]] = [(name,) for name in performances.names]
    sets += [tuple(name for member in members for name in groups[member]) for members in tied]
    found = sorted({member for members in codes for member in members})
    bands_a = np.linspace(0, 1, 2 * resolution - 1) if rank == 1 else None
    bands = {} if bands_a is None else _bands(performances.mass[rows], found, bands_a, last)
    areas = _areas(bands, bands_a) if bands_a is not None else _cells(values, codes, found)
    order = sorted((member for member in found if areas[member] > 0), key=lambda member: -areas[member])
    shares = {name: areas[member] for member in order for name in groups[member]}
    place = f"{_ordinal(rank)} from last" if last and rank > 1 else "last" if last else _ordinal(rank)
    mask = None
    if rank == 1 and not last:
        row_of = np.array([*range(n), *(rows[min(members)] for members in tied), -1])
        mask = _no_skill_mask(performances, row_of[np.where(np.isnan(values), -1, values).astype(int)], resolution)
    return TileMap(
        "entity", f"Who is {place}, for every preference", f"who is {place}", axis, axis, values,
        subtitle=f"{len(shares)} of {n} {'entities' if n > 1 else 'entity'} {place} somewhere.{averaged}",
        sets=tuple(sets), shares=shares, bands_a=bands_a,
        bands={name: bands[member] for member in order if member in bands for name in groups[member]},
        ties=tuple(group for group in groups if len(group) > 1 and group[0] in shares),
        prior=performances.common_prior(), no_skill=mask,
    )  # fmt: skip


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return "first" if n == 1 else f"{n}{ending}"


def _distinct(performances: Performances) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """Group the names of equal performances; return the groups and a row of each."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, row in enumerate(performances.integers.tolist()):
        common = gcd(*row)
        groups.setdefault(tuple(number // common for number in row), []).append(i)
    names = [tuple(performances.names[i] for i in members) for members in groups.values()]
    return names, np.array([members[0] for members in groups.values()])


def _at_rank(
    sides: Sides, rank: int, sizes: NDArray[np.int64]
) -> Iterator[tuple[int, NDArray[np.int64] | int, tuple[int, ...]]]:
    """Yield (row, columns, members of the tie at the rank); near-ties are decided on integers."""
    for i in range(sides.resolution):
        odds = sides.odds(i)  # (n, columns), smaller is better, NaN undefined
        if rank == 1:
            with np.errstate(invalid="ignore"):
                at = np.where(np.isnan(odds), np.inf, odds).argmin(axis=0)
            enough = ~np.isnan(odds).all(axis=0)
            at = np.where(
                enough & np.isnan(np.take_along_axis(odds, at[None], 0)[0]), (~np.isnan(odds)).argmax(axis=0), at
            )
        else:
            order = np.argsort(odds, axis=0, kind="stable")
            filled = np.cumsum(sizes[order] * ~np.isnan(np.take_along_axis(odds, order, 0)), axis=0) >= rank
            enough = filled[-1]
            at = np.take_along_axis(order, filled.argmax(axis=0)[None], 0)[0]
        chosen = np.take_along_axis(odds, at[None], 0)[0]
        close = within_rounding(odds, chosen)
        alone = close.sum(axis=0) == 1
        for member in np.unique(at[enough & alone]):
            yield i, np.flatnonzero(enough & alone & (at == member)), (int(member),)
        for j in np.flatnonzero(enough & ~alone):
            with np.errstate(invalid="ignore"):
                ahead = int(sizes[(odds[:, j] < chosen[j]) & ~close[:, j]].sum())
            yield i, int(j), sides.tied_at(i, int(j), np.flatnonzero(close[:, j]), sizes, rank - ahead)


def _bands(mass: Floats, members: list[int], a: Floats, last: bool) -> dict[int, tuple[Floats, Floats]]:
    return dict(zip(members, bands_of_first(mass, np.array(members, dtype=int), a, last), strict=True))


def _areas(bands: dict[int, tuple[Floats, Floats]], a: Floats) -> dict[int, float]:
    """Return the share of the Tile of each band, by the trapezoidal rule over exact widths."""
    return {member: float(np.trapezoid(np.nan_to_num(high - low), a)) for member, (low, high) in bands.items()}


def _cells(values: Floats, codes: dict[tuple[int, ...], int], members: list[int]) -> dict[int, float]:
    """Return the share of the Tile of each member on the grid."""
    weights = edge_weights(len(values))
    mine = {member: [code for tie, code in codes.items() if member in tie] for member in members}
    return {member: float(weights[np.isin(values, mine[member])].sum()) for member in members}


def _no_skill_mask(performances: Performances, winner: NDArray[np.int64], resolution: int) -> NDArray[np.bool_] | None:
    """Tell where the winner (a row; −1 nobody) does not beat the better constant answer; None if priors differ."""
    if performances.common_prior() is None:
        return None
    first = performances.integers[0]
    negative, positive = first[0] + first[1], first[2] + first[3]
    constants = np.array([[negative, 0, positive, 0], [0, negative, 0, positive]], dtype=object)
    sides = Sides(np.concatenate([performances.integers, constants]), resolution)
    n, mask = len(performances), np.zeros((resolution, resolution), dtype=bool)
    for row in np.unique(winner[winner >= 0]):
        here = winner == row
        beaten = (sides.compare(n, int(row)) >= 0) | (sides.compare(n + 1, int(row)) >= 0)
        mask |= here & beaten & sides.defined(int(row))
    return mask


def gamma_pi(prior: float, a: ArrayLike) -> Floats:
    """Return b on the curve γ_π, π₊²ab = π₋²(1−a)(1−b), whose scores rank all no-skill performances of a prior equal.

    From NPV (0, 1) to PPV (1, 0); it passes through the places of BA and κ. (Tile, 4.4.)

    >>> gamma_pi(0.3, [0.0, 0.7, 1.0]).round(12).tolist()
    [1.0, 0.7, 0.0]
    """
    a = np.asarray(a, dtype=np.float64)
    left, right = (1 - prior) ** 2 * (1 - a), prior**2 * a
    with np.errstate(invalid="ignore"):
        return np.asarray(left / (left + right))


def gamma_tau(rate: float, a: ArrayLike) -> Floats:
    """Return b on the curve γ_τ, τ₊²a(1−b) = τ₋²(1−a)b: as γ_π, for a fixed prediction rate τ₊. (Tile, 4.4.)

    >>> gamma_tau(0.5, [0.0, 0.25, 1.0]).tolist()
    [0.0, 0.25, 1.0]
    """
    return 1 - gamma_pi(rate, a)


def shift(x: ArrayLike, prior: float, new_prior: float) -> Floats:
    """Return f(x), which moves a and b under a prior shift: R_{a,b} after the shift orders as R_{f(a),f(b)} before it.

    f(x) = x·π₊'/π₊ / ((1−x)·π₋'/π₋ + x·π₊'/π₊), for priors inside (0, 1). (Tile, Lemma 5.)

    >>> shift([0, 0.35, 1], 0.3, 0.8).round(12).tolist()
    [0.0, 0.834042553191, 1.0]
    """
    for number in (prior, new_prior):
        if not 0 < number < 1:
            raise UsageError(f"a prior shift needs priors inside (0, 1); got {number}")
    x = np.asarray(x, dtype=np.float64)
    right = x * new_prior / prior
    return np.asarray(right / ((1 - x) * (1 - new_prior) / (1 - prior) + right))


def grid(prior: float, lines: int = 11) -> Floats:
    """Return where the regular grid of uniform priors moves at the prior π₊, on either axis. (Tile, eqs (4)-(5).)

    >>> grid(0.2, lines=3).round(12).tolist()
    [0.0, 0.8, 1.0]
    """
    return shift(np.linspace(0, 1, lines), prior, 0.5)

"""All that the pages of a site show: the official ranking, the domains and their levels, and pairs of methods."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .._report.leaderboard import Leaderboard, leaderboard
from .._report.sections import Asked, Section, sections
from ..checks.names import domain_parts, domain_text
from ..domains import MissingDomainsWarning, Prepared, Roles, prepare, roles
from ..errors import DataError, NoPlaceError, UsageError, in_prose
from ..look import colors_of, pretty
from ..ordering import Ranking, UnsoundScoreWarning
from ..performances import Performances
from ..regions.shares import shares
from ..uncertainty import RankIntervals
from .metadata import Metadata
from .slugs import slugs
from .standings import Standings, standings

NO_INTERVALS = "Ranks and values on single domains are given without intervals; only the official leaderboard has them"


@dataclass(frozen=True)
class About:
    """What the organizer says of the challenge: title, address of the site, name, and the date of this update."""

    title: str
    url: str = ""
    organizer: str = ""
    date: str | None = None


@dataclass(frozen=True)
class Place:
    """A domain, or a level that holds several: its names from the outermost on, and the domains that it holds."""

    parts: tuple[str, ...]
    domains: tuple[str, ...]
    slug: str
    is_level: bool

    @property
    def name(self) -> str:
        """The names of all levels."""
        return " / ".join(self.parts)


@dataclass(frozen=True)
class Local:
    """The ranking on one place, or why there is none."""

    place: Place
    prepared: Prepared | None
    ranking: Ranking | None
    standings: Standings | None
    why: str = ""

    @cached_property
    def best(self) -> list[str]:
        """Those who come first."""
        return [] if self.ranking is None else sorted(self.ranking.best)

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The value of each method."""
        return {} if self.ranking is None else dict(zip(self.ranking.names, self.ranking.values.tolist(), strict=True))

    def cell(self, name: str, key: str) -> str:
        """Return what stands in a column of a method; empty for those not tried here."""
        return self.cells.get(name, {}).get(key, "")

    @cached_property
    def cells(self) -> Mapping[str, Mapping[str, str]]:
        """The texts of each method by column."""
        if self.standings is None:
            return {}
        keys = ["value" if column.key == "accuracy" else column.key for column in self.standings.columns]
        return {row.name: dict(zip(keys, row.cells, strict=True)) for row in self.standings.rows}


@dataclass(frozen=True, eq=False)
class Challenge:
    """What a site is made of."""

    asked: Asked
    about: About
    metadata: Metadata

    @cached_property
    def board(self) -> Leaderboard:
        """The official leaderboard, with its intervals."""
        with quiet():
            return replace(self.asked.board, intervals=self.intervals)

    @cached_property
    def intervals(self) -> RankIntervals | None:
        """The sets of ranks; None where there are no draws."""
        with quiet():
            return self.asked.intervals

    @cached_property
    def standings(self) -> Standings:
        """The official leaderboard as it is shown."""
        return standings(self.board.ranking, self.intervals)

    @property
    def names(self) -> list[str]:
        """The methods in the order of their ranks."""
        return [row.name for row in self.standings.rows]

    @property
    def value_title(self) -> str:
        """What the score is called in the head of a table."""
        return next(column.title for column in self.standings.columns if column.key in ("value", "accuracy"))

    @cached_property
    def slugs(self) -> dict[str, str]:
        """The name of the page of each method."""
        return slugs(self.asked.averaged.names)

    @cached_property
    def colors(self) -> dict[str, str]:
        """The color of each method, by its place in the data."""
        return colors_of(list(dict.fromkeys(self.asked.performances.names)))

    @cached_property
    def _sections(self) -> list[Section]:
        return list(sections(self.asked))

    @property
    def answer(self) -> tuple[str, ...]:
        """Who comes first, and what the ranking card says beside that."""
        return self._sections[0].lines

    @property
    def sections(self) -> list[Section]:
        """The sections of the ranking card, but for its leaderboard."""
        return self._sections[1:]

    def printed(self, text: str) -> str:
        """Return a text with the symbol of the score as it is printed, F₁ for F_1."""
        symbol = self.asked.score.symbol
        return text.replace(symbol, pretty(symbol)) if "_" in symbol else text

    @cached_property
    def roles(self) -> Roles | None:
        """What each domain is for each method; None where the score has no roles, or there is one domain."""
        if self.asked.prepared.given.n_domains < 2:
            return None
        try:
            with quiet():
                return roles(self.asked.performances, self.asked.score, **self.asked.how)
        except (NoPlaceError, UsageError, DataError):
            return None

    @cached_property
    def areas(self) -> Mapping[str, float] | None:
        """The share of the Tile on which each method comes first; None where there is no Tile."""
        if not (self.asked.two_class or self.asked.side):
            return None
        try:
            return shares(self.asked.averaged).areas[0]
        except (NoPlaceError, UsageError, DataError):
            return None

    @property
    def without_intervals(self) -> list[str]:
        """A sentence for what stands beside the official ranking: it has no intervals, though that may have some."""
        return [] if self.intervals is None else [NO_INTERVALS]

    @cached_property
    def places(self) -> list[Local]:
        """The ranking on each domain, and before these on each level that holds several; none for one domain."""
        given = self.asked.performances
        if given.n_domains < 2:
            return []
        domains = tuple(dict.fromkeys(given.domains or ()))
        return [self._local(place) for place in places_of(domains)]

    def _local(self, place: Place) -> Local:
        given, prepared = self.asked.performances, self.asked.prepared
        wanted = set(place.domains)
        here = given[[domain in wanted for domain in given.domains or ()]]
        try:
            with quiet():
                local = prepare(here, weights=self._weights(place), shift_prior=prepared.shift_prior,
                                missing=prepared.missing if len(wanted) > 1 else "error")  # fmt: skip
                ranking = leaderboard(local, self.asked.score, self.asked.ties).ranking
                return Local(place, local, ranking, standings(ranking))
        except (DataError, UsageError, NoPlaceError) as error:
            return Local(place, None, None, None, error.worded(in_prose))

    def _weights(self, place: Place) -> Any:
        """Return how the domains of a level are weighted: as officially, as far as that says something of them."""
        prepared = self.asked.prepared
        if len(place.domains) == 1 or prepared.weighting in ("equal", "hierarchical"):
            return None
        if prepared.weighting == "size":
            return "size"
        weights = {domain: prepared.weights.get(domain, 0) for domain in place.domains}
        return weights if any(weights.values()) else None

    def performances_of(self, name: str) -> Performances:
        """Return the averaged performance of one method."""
        return self.asked.averaged[name]


def places_of(domains: tuple[str, ...]) -> list[Place]:
    """Return the levels that hold several domains, and the domains, each level before what it holds.

    >>> [(place.name, place.is_level) for place in places_of(("x/a", "x/b", "y/a", "z"))]
    [('x', True), ('x / a', False), ('x / b', False), ('y / a', False), ('z', False)]
    """
    parts = {domain: domain_parts(domain) for domain in domains}
    levels: dict[tuple[str, ...], list[str]] = {}
    for domain, names in parts.items():
        for depth in range(1, len(names)):
            levels.setdefault(names[:depth], []).append(domain)
    levels = {level: inside for level, inside in levels.items() if 1 < len(inside) < len(domains)}
    keys = {level: f"level {domain_text(level)}" for level in levels}
    files = slugs([*domains, *keys.values()])

    def walk() -> Iterator[Place]:
        opened: set[tuple[str, ...]] = set()
        outermost = {names[:1]: i for i, names in reversed(list(enumerate(parts.values())))}
        for domain in sorted(domains, key=lambda domain: outermost[parts[domain][:1]]):
            names = parts[domain]
            for level in (names[:depth] for depth in range(1, len(names))):
                if level in levels and level not in opened:
                    opened.add(level)
                    yield Place(level, tuple(levels[level]), files[keys[level]], True)
            yield Place(names, (domain,), files[domain], False)

    return list(walk())


class quiet(warnings.catch_warnings):
    """Leave out the warnings that the pages say themselves."""

    def __enter__(self) -> None:
        """Ignore what is unsound or missing."""
        super().__enter__()
        for category in (UnsoundScoreWarning, MissingDomainsWarning):
            warnings.simplefilter("ignore", category)

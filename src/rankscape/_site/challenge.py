"""All that the pages of a site show: the official ranking, the domains and their levels."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from .._report.leaderboard import Leaderboard, in_percent, leaderboard, right_columns
from .._report.pages import Axis, Section, axis_of, rows_of
from .._report.sections import Asked, quiet
from ..checks.names import domain_parts, domain_text
from ..domains import Prepared, Roles, prepare, roles
from ..errors import DataError, NoPlaceError, UsageError, in_prose
from ..look import colors_of, pretty
from ..ordering import Ranking
from ..regions import first
from ..texts import capitalized
from ..uncertainty import RankIntervals
from .metadata import Metadata

NO_INTERVALS = "Ranks and values on single domains are given without intervals; only the official leaderboard has them"
TITLES = {"model": "Method", "rank": "Rank", "ranks": "Ranks", "note": "Note"}


@dataclass(frozen=True)
class Place:
    """A domain, or a level that holds several: its names from the outermost on, and the domains that it holds.

    With it comes the ranking there, or ``why`` there is none.
    """

    parts: tuple[str, ...]
    domains: tuple[str, ...]
    slug: str
    is_level: bool
    prepared: Prepared | None = None
    standings: Standings | None = None
    why: str = ""

    @property
    def name(self) -> str:
        """The names of all levels."""
        return " / ".join(self.parts)

    @property
    def best(self) -> list[str]:
        """Those who come first."""
        return [] if self.standings is None else sorted(self.standings.ranking.best)

    def holds(self, other: Place) -> bool:
        """Whether this is a level, and the other one of its domains, or of its levels."""
        return self.is_level and self is not other and other.parts[: len(self.parts)] == self.parts


@dataclass(frozen=True)
class Column:
    """A column of a leaderboard: its key, its title, and whether it is one of numbers."""

    key: str
    title: str
    numeric: bool


class Standings:
    """A leaderboard as the pages show it: columns, rows in the order of the ranks, and the axis of the bars.

    >>> from rankscape import Performances, rank
    >>> board = Standings(
    ...     rank(Performances.from_counts([[8, 1, 0, 1], [7, 2, 0, 1]], names=["a", "b"]))
    ... )
    >>> [column.title for column in board.columns], board.cell("b", "value")
    (['Rank', 'Method', 'F₁'], '0.5000')
    """

    def __init__(self, ranking: Ranking, intervals: RankIntervals | None = None) -> None:
        percents, right = in_percent(ranking.score), right_columns(ranking)
        self.ranking, self.rows = ranking, rows_of(ranking, intervals)
        self.of = {row.name: row for row in self.rows}
        titles = TITLES | {"value": "Accuracy" if percents else pretty(ranking.score.symbol)}
        titles |= {"value interval": "Accuracy interval"} if percents else {}
        self.columns = tuple(
            Column(key, titles.get(key, key[:1].upper() + key[1:]), key in right)
            for key in self.rows[0].cells
            if key != "note" or any(ranking.reasons)  # ranks show ties
        )
        self.axis = axis_of([end for row in self.rows for end in (row.low, row.high)], percents)

    def cell(self, name: str, key: str) -> str:
        """Return what stands in a column of a method; empty where there is no such column, or method."""
        return self.of[name].cells.get(key, "") if name in self.of else ""


@dataclass(frozen=True, eq=False)
class Challenge:
    """What a site is made of."""

    asked: Asked
    title: str
    metadata: Metadata

    @property
    def board(self) -> Leaderboard:
        """The official leaderboard, with its intervals."""
        return self.asked.board

    @property
    def intervals(self) -> RankIntervals | None:
        """The sets of ranks; None where there are no draws."""
        return self.asked.intervals

    @cached_property
    def standings(self) -> Standings:
        """The official leaderboard as it is shown."""
        return Standings(self.board.ranking, self.intervals)

    @property
    def names(self) -> list[str]:
        """The methods in the order of their ranks."""
        return [row.name for row in self.standings.rows]

    @property
    def value_title(self) -> str:
        """What the score is called in the head of a table."""
        return next(column.title for column in self.standings.columns if column.key == "value")

    @cached_property
    def slugs(self) -> dict[str, str]:
        """The name of the page of each method."""
        return slugs(self.names)

    @cached_property
    def colors(self) -> dict[str, str]:
        """The color of each method, by its place in the data."""
        return colors_of(list(dict.fromkeys(self.asked.performances.names)))

    @property
    def sections(self) -> dict[str, Section]:
        """The sections of the ranking card by their titles."""
        return {section.title: section for section in self.asked.sections if not section.empty}

    def printed(self, text: str) -> str:
        """Return a text with the symbol of the score as it is printed, F₁ for F_1."""
        symbol = self.asked.score.symbol
        return text.replace(symbol, pretty(symbol)) if "_" in symbol else text

    def sentence(self, text: str) -> str:
        """Return a text as it stands on a line: it starts with a capital, but for names."""
        return self.printed(capitalized(text, self.names))

    @cached_property
    def roles(self) -> Roles | None:
        """What each domain is for each method; None where the score has no roles, or there is one domain."""
        if self.asked.prepared.given.n_domains < 2:
            return None
        with suppress(NoPlaceError, UsageError, DataError), quiet():
            return roles(self.asked.prepared, self.asked.score)
        return None

    @cached_property
    def areas(self) -> Mapping[str, float] | None:
        """The share of the Tile on which each method comes first; None where there is no Tile."""
        with suppress(NoPlaceError, UsageError, DataError):
            return first(self.asked.averaged).areas if self.asked.has_tile else None
        return None

    @property
    def without_intervals(self) -> list[str]:
        """A sentence for what stands beside the official ranking: it has no intervals, though that may have some."""
        return [] if self.intervals is None else [NO_INTERVALS]

    @cached_property
    def places(self) -> list[Place]:
        """The ranking on each domain, and before these on each level that holds several; none for one domain."""
        given = self.asked.performances
        return [self._ranked(place) for place in places_of(given.domains or ())] if given.n_domains > 1 else []

    @cached_property
    def local_axis(self) -> Axis:
        """The axis of the values on all places."""
        values = [row.value for place in self.places if place.standings for row in place.standings.rows]
        return axis_of(values, in_percent(self.asked.score)) or Axis(0.0, 1.0, ("0", "1"))

    def _ranked(self, place: Place) -> Place:
        given, prepared = self.asked.performances, self.asked.prepared
        here = given[[domain in place.domains for domain in given.domains or ()]]
        try:
            with quiet():
                local = prepare(here, weights=self._weights(place), shift_prior=prepared.shift_prior,
                                missing=prepared.missing if place.is_level else "error")  # fmt: skip
                ranking = leaderboard(local, self.asked.score, self.asked.ties).ranking
                return replace(place, prepared=local, standings=Standings(ranking))
        except (DataError, UsageError, NoPlaceError) as error:
            return replace(place, why=error.worded(in_prose))

    def weight(self, place: Place) -> Fraction:
        """Return how much the domains of a place count officially."""
        return sum((self.asked.prepared.weights.get(domain, Fraction(0)) for domain in place.domains), Fraction(0))

    def _weights(self, place: Place) -> Any:
        """Return how the domains of a level are weighted: as officially, as far as that says something of them."""
        prepared = self.asked.prepared
        if not place.is_level or prepared.weighting in ("equal", "hierarchical"):
            return None
        if prepared.weighting == "size":
            return "size"
        weights = {domain: prepared.weights.get(domain, 0) for domain in place.domains}
        return weights if any(weights.values()) else None


def places_of(domains: tuple[str, ...]) -> list[Place]:
    """Return the levels that hold several domains, and the domains, each level before what it holds.

    >>> [(place.name, place.is_level) for place in places_of(("x/a", "x/b", "y/a", "z"))]
    [('x', True), ('x / a', False), ('x / b', False), ('y / a', False), ('z', False)]
    """
    parts = {domain: domain_parts(domain) for domain in dict.fromkeys(domains)}
    levels: dict[tuple[str, ...], list[str]] = {}
    for domain, names in parts.items():
        for depth in range(1, len(names)):
            levels.setdefault(names[:depth], []).append(domain)
    levels = {level: inside for level, inside in levels.items() if 1 < len(inside) < len(parts)}
    keys = {level: f"level {domain_text(level)}" for level in levels}
    files = slugs([*parts, *keys.values()])
    outermost = list(dict.fromkeys(names[0] for names in parts.values()))
    places: dict[tuple[tuple[str, ...], bool], Place] = {}  # a level may be called as a domain is
    for domain in sorted(parts, key=lambda domain: outermost.index(parts[domain][0])):
        names = parts[domain]
        for level in (names[:depth] for depth in range(1, len(names))):
            if level in levels:
                places.setdefault((level, True), Place(level, tuple(levels[level]), files[keys[level]], True))
        places[names, False] = Place(names, (domain,), files[domain], False)
    return list(places.values())


LONGEST, DIGITS = 40, 12
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}
"""Names that Windows keeps for devices."""

_HASHED = re.compile(rf"(^|-)[0-9a-f]{{{DIGITS}}}$")


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a name of a file for each name, without its suffix: a-z, 0-9 and hyphens, each one different.

    Where this leaves nothing, or the same of two names, the first digits of a SHA-256 follow, so that no other name can
    take the place of one.

    >>> slugs(["U-Net (2015)", "héros", "a/b", "A b"])
    {'U-Net (2015)': 'u-net-2015', 'héros': 'heros', 'a/b': 'a-b-c14cddc033f6', 'A b': 'a-b-a760b0e1e518'}
    >>> slugs(["../..", "con"])
    {'../..': 'x-0cfd1c96cbc0', 'con': 'con-1143da2bc54c'}
    """
    plain = {name: _plain(name) for name in names}
    times = Counter(plain.values())

    def unique(name: str, slug: str) -> str:
        clear = bool(slug) and times[slug] == 1 and slug not in RESERVED and not _HASHED.search(slug)
        return slug if clear else f"{slug or 'x'}-{_digest(name)}"

    return {name: unique(name, slug) for name, slug in plain.items()}


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:LONGEST].strip("-")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]

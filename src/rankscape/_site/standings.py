"""Leaderboards as the pages of a site show them: rows of texts, with a bar for each interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, inf, isfinite, log10

from .._report.leaderboard import displayed, in_percent, right_columns
from ..look import pretty
from ..ordering import Ranking
from ..results import Table
from ..uncertainty import RankIntervals

WIDTH = 150
"""The width of a bar, in its own units."""

TITLES = {"entity": "Method", "accuracy": "Accuracy", "rank": "Rank", "ranks": "Ranks", "note": "Note"}
MARGIN = 4


@dataclass(frozen=True)
class Axis:
    """The range of the bars, and its ends as they are printed."""

    low: float
    high: float
    ends: tuple[str, str]

    def at(self, value: float) -> float:
        """Return where a value stands on a bar."""
        share = (value - self.low) / (self.high - self.low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)


@dataclass(frozen=True)
class Bar:
    """A bar: where its interval starts and ends, and where its value is."""

    start: float
    end: float
    at: float


@dataclass(frozen=True)
class Column:
    """A column: its key, its title, and whether it is one of numbers."""

    key: str
    title: str
    numeric: bool


@dataclass(frozen=True)
class Row:
    """A row: the method, what stands in the columns, its bar, its tier, and whether it is the first of this."""

    name: str
    cells: tuple[str, ...]
    bar: Bar | None
    tier: int | None
    begins: bool


@dataclass(frozen=True)
class Standings:
    """A leaderboard: columns, rows in the order of the ranks, and the axis of the bars."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    axis: Axis | None

    def cell(self, name: str, key: str) -> str:
        """Return what stands in a column of a method; empty where there is no such column."""
        return self._by_name[name].get(key, "")

    @cached_property
    def _by_name(self) -> Mapping[str, Mapping[str, str]]:
        keys = [column.key for column in self.columns]
        return {row.name: dict(zip(keys, row.cells, strict=True)) for row in self.rows}


def standings(ranking: Ranking, intervals: RankIntervals | None = None) -> Standings:
    """Return the leaderboard of a ranking, with intervals and tiers where there are draws.

    >>> from rankscape import Performances, rank
    >>> board = standings(
    ...     rank(Performances.from_counts([[8, 1, 0, 1], [7, 2, 0, 1]], names=["a", "b"]))
    ... )
    >>> [row.cells for row in board.rows]
    [('1', 'a', '0.6667'), ('2', 'b', '0.5000')]
    """
    table = displayed(ranking, None, intervals, heading="entity")
    if not any(ranking.reasons) and "note" in table.columns:  # of ties, which the ranks show
        table = Table({key: table[key] for key in table.columns if key != "note"})
    right = right_columns(ranking)
    columns = tuple(Column(key, _title(key, ranking), key in right) for key in table.columns)
    order = ranking.order.tolist()
    tiers = {} if intervals is None else {name: i + 1 for i, names in enumerate(intervals.tiers) for name in names}
    low = ranking.values if intervals is None else intervals.value_low
    high = ranking.values if intervals is None else intervals.value_high
    axis = axis_of([*low.tolist(), *high.tolist()], in_percent(ranking.score))
    rows: list[Row] = []
    last: int | None = None
    for place, cells in zip(order, table.rows(), strict=True):
        name = ranking.names[place]
        bar = bar_of(axis, float(low[place]), float(high[place]), float(ranking.values[place]))
        tier = tiers.get(name)
        rows.append(Row(name, tuple(map(str, cells)), bar, tier, tier not in (None, last) and bool(rows)))
        last = tier
    return Standings(columns, tuple(rows), axis)


def _title(key: str, ranking: Ranking) -> str:
    if key == "value":
        return pretty(ranking.score.symbol)
    return TITLES.get(key, key[:1].upper() + key[1:])


def axis_of(values: Sequence[float], percents: bool = False) -> Axis | None:
    """Return an axis with round ends that holds all finite values; None where there are fewer than two different ones.

    >>> axis_of([0.91, 0.55]).ends, axis_of([0.5])
    (('0.5', '1.0'), None)
    """
    finite = [value for value in values if isfinite(value)]
    low, high = min(finite, default=inf), max(finite, default=-inf)
    if not low < high:
        return None
    power = floor(log10(high - low))
    step = 10.0**power
    first, last = (f"{step * end:.{max(0, -power)}f}" for end in (floor(low / step), ceil(high / step)))
    ends = (f"{100 * float(first):.{max(0, -power - 2)}f} %", f"{100 * float(last):.{max(0, -power - 2)}f} %")
    return Axis(min(float(first), low), max(float(last), high), ends if percents else (first, last))


def bar_of(axis: Axis | None, low: float, high: float, value: float) -> Bar | None:
    """Return the bar of an interval, None where there is no value, or no axis."""
    if axis is None or not all(map(isfinite, (low, high, value))):
        return None
    return Bar(axis.at(low), axis.at(high), axis.at(value))

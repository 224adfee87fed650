"""The rows of a leaderboard as pages show them: texts by column, and a bar for each interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, log10

from ..ordering import Ranking
from ..uncertainty import RankIntervals
from .leaderboard import displayed

WIDTH, MARGIN = 150, 4
"""The width of a bar, and the room at its ends, in its own units."""


@dataclass(frozen=True)
class Bar:
    """A bar: where its interval starts and ends, and where its value is."""

    start: float
    end: float
    at: float


@dataclass(frozen=True)
class Axis:
    """The range of the bars, and its ends as they are printed."""

    low: float
    high: float
    ends: tuple[str, str] = ("", "")

    def bar(self, low: float, value: float, high: float) -> Bar | None:
        """Return the bar of an interval, None where there is no value."""
        if not all(map(isfinite, (low, value, high))):
            return None
        unit = (WIDTH - 2 * MARGIN) / ((self.high - self.low) or 1.0)
        return Bar(*(round(MARGIN + (x - self.low) * unit, 1) for x in (low, high, value)))


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


@dataclass(frozen=True)
class Row:
    """An entity: its name, its texts by column, its interval around its value, and its tier, which it may begin.

    The columns are those of :func:`displayed`, but a share of right answers is a "value", too.
    """

    name: str
    cells: Mapping[str, str]
    low: float
    value: float
    high: float
    tier: int | None = None
    begins: bool = False


def rows_of(ranking: Ranking, intervals: RankIntervals | None = None) -> tuple[Row, ...]:
    """Return the entities in their order; without draws an interval is the value alone, and there are no tiers.

    >>> from rankscape import Performances, rank
    >>> P = Performances.from_counts([[8, 1, 0, 1], [7, 2, 0, 1]], names=["a", "b"])
    >>> [tuple(row.cells.values()) for row in rows_of(rank(P))]
    [('1', 'a', '0.6667'), ('2', 'b', '0.5000')]
    """
    table = displayed(ranking, None, intervals)
    keys = [name.replace("accuracy", "value", 1) for name in table.columns]
    tiers = {} if intervals is None else {name: i + 1 for i, names in enumerate(intervals.tiers) for name in names}
    low, high = (ranking.values,) * 2 if intervals is None else (intervals.value_low, intervals.value_high)
    rows: list[Row] = []
    for k, cells in zip(ranking.order.tolist(), table.rows(), strict=True):
        name, interval = ranking.names[k], (float(low[k]), float(ranking.values[k]), float(high[k]))
        tier = tiers.get(name)
        begins = bool(rows) and tier not in (None, rows[-1].tier)
        rows.append(Row(name, dict(zip(keys, map(str, cells), strict=True)), *interval, tier, begins))
    return tuple(rows)

"""What changes at each swap and nowhere else: the curves between the ends, and the ranks of the entities."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..kernels.crossings import START
from ..results import Result, Table
from ..typing import Floats
from .betas import root
from .optimum import Swaps
from .path import rankings_after

NUMBERS = 120_000
"""Ranks that :func:`rank_steps` returns where there would be more: about as many as a figure can show."""


def step_curve(t: Swaps) -> Table:
    """Return the curves of a trade-off: see :meth:`Tradeoff.curve`. Each number is one division, correctly rounded."""
    sizes = np.array([size for _, size in t.exact_swaps], dtype=np.int64)
    at = np.array([root(odds) for odds, _ in t.exact_swaps])
    before = np.concatenate([[0], np.cumsum(sizes)])
    doubled = np.empty(2 * len(sizes) + 1, dtype=np.int64)
    doubled[::2], doubled[1::2] = 2 * before, 2 * before[:-1] + sizes
    low, high = np.empty(len(doubled)), np.empty(len(doubled))
    low[::2], high[::2] = np.append(sqrt(t.limits[0]), at), np.append(at, sqrt(t.limits[1]))
    low[1::2] = high[1::2] = at
    total, pairs = t.n_discordant, t.n_pairs
    ways = (doubled, 2 * total - doubled)
    first, second = (
        way / (2 * pairs) if pairs else np.full(len(way), np.nan) for way in ways[:: -1 if t.segment.reversed else 1]
    )
    optimality = (2 * total - abs(doubled - total)) / (2 * total) if total else np.full(len(doubled), np.nan)
    return Table(
        {
            "from": low,
            "to": high,
            "passed": doubled / 2,
            "tau_first": 1 - 2 * first,
            "tau_second": 1 - 2 * second,
            "variance": first**2 + second**2,
            "optimality": optimality,
        }
    )


@dataclass(frozen=True, eq=False, repr=False)
class RankSteps(Result):
    """The ranks of all entities (m, n), 1 is best, each row from the β of ``low`` to that of ``high``.

    ``n_rankings`` is the number of rankings between the ends. Where m is less, m of them are listed, and each stands
    for those up to the next one.
    """

    names: tuple[str, ...]
    low: Floats
    high: Floats
    ranks: Floats
    n_rankings: int

    def table(self) -> Table:
        """Return one row per ranking: from, to (β), and the rank of every entity."""
        return Table({"from": self.low, "to": self.high} | dict(zip(self.names, self.ranks.T, strict=True)))


def rank_steps(t: Swaps, most: int | None = None) -> RankSteps:
    """Return the ranks of all entities between the ends, at ``most`` places: all of them, or evenly many swaps apart.

    >>> from rankscape._tradeoff import tradeoff
    >>> steps = rank_steps(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
    >>> steps.low.round(4).tolist(), steps.ranks.astype(int).tolist()
    ([0.0, 0.7454, 0.8498, 1.0], [[1, 2, 3], [2, 1, 3], [3, 1, 2], [3, 2, 1]])
    """
    total = t.n_discordant
    most = max(NUMBERS // max(t.n, 1), 50) if most is None else most
    if total < most:
        swaps = [place for place, _ in t.crossings.distinct()]
        n_rankings = len(swaps) + 1
    else:
        numbers = np.unique(np.linspace(1, total, max(most - 1, 2)).round().astype(int))
        swaps = sorted({t.crossings.kth(int(k)).place for k in numbers})
        n_rankings = t.n_rankings
    ranks = rankings_after(t, [START, *(place.as_integer_ratio() for place in swaps)], "min")
    beta = np.array([sqrt(t.limits[0]), *(root(t.odds_at(place)) for place in swaps), sqrt(t.limits[1])])
    return RankSteps(names=t.names, low=beta[:-1], high=beta[1:], ranks=ranks, n_rankings=n_rankings)

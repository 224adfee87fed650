"""What changes at each swap and nowhere else: the curves between the ends, and the ranks of the entities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from ..kernels.crossings import START
from ..results import Result, Table
from ..typing import Floats, Integers
from .betas import root
from .optimum import MOST_DISTINCT, Swaps
from .path import rankings_after

NUMBERS = 120_000
"""Ranks that :func:`rank_steps` returns where there would be more: about as many as a figure can show."""


SHARP = 20_000
"""Swaps up to which curves are drawn with every step: more are too narrow to be seen."""

SAMPLED, SELECTED = 1000, 100
"""Swaps at which curves are drawn where there are more, and where these are too many to be listed."""


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
    return _curves(t, low, high, doubled)


def drawn_curve(t: Swaps) -> Table:
    """Return the curves as a figure shows them: every step or, of very many swaps, the values at some, evenly spread.

    >>> from rankscape._tradeoff import tradeoff
    >>> t = tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> drawn_curve(t)["passed"] == t.curve()["passed"]
    True
    """
    total = t.n_discordant
    if total <= SHARP:
        return step_curve(t)
    listed = total <= MOST_DISTINCT
    numbers = np.unique(np.linspace(1, total, SAMPLED if listed else SELECTED).round().astype(np.int64))
    if listed:
        places = t.crossings.every()
        chosen = np.unique(places[numbers - 1])
        before, upto = (np.searchsorted(places, chosen, side) for side in ("left", "right"))
        swaps = [Fraction(place) for place in chosen.tolist()]
    else:
        crossings = {crossing.place: crossing for crossing in (t.crossings.kth(int(k)) for k in numbers)}
        swaps = sorted(crossings)
        before, upto = (np.array([getattr(crossings[place], side) for place in swaps]) for side in ("before", "upto"))
    at = np.array([root(t.odds_at(place)) for place in swaps])
    low = np.concatenate([[sqrt(t.limits[0])], at, at[-1:]])
    high = np.concatenate([at[:1], at, [sqrt(t.limits[1])]])
    return _curves(t, low, high, np.concatenate([[0], before + upto, [2 * total]]))


def _curves(t: Swaps, low: Floats, high: Floats, doubled: Integers) -> Table:
    """Return the curves on intervals of β, of twice the number of swaps that are passed there."""
    total, pairs = t.n_discordant, t.n_pairs
    ways = (doubled, 2 * total - doubled)
    first, second = (
        way / (2 * pairs) if pairs else np.full(len(way), np.nan) for way in ways[:: -1 if t.segment.reversed else 1]
    )
    optimality = np.full(len(doubled), np.nan)
    if total:
        optimality = (2 * total - abs(doubled - int(2 * t.passed_by_optimum))) / (2 * total)
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

    ``n_rankings`` is the number of rankings between the ends, None where it is not counted: there are more than two
    million swaps. Where m is less, m of them are listed, and each stands
    for those up to the next one.
    """

    names: tuple[str, ...]
    low: Floats
    high: Floats
    ranks: Floats
    n_rankings: int | None

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
    n_rankings: int | None = None
    if total < most:
        swaps = [place for place, _ in t.crossings.distinct()]
        n_rankings = len(swaps) + 1
    else:
        numbers = np.unique(np.linspace(1, total, max(most - 1, 2)).round().astype(int))
        swaps = sorted({t.crossings.kth(int(k)).place for k in numbers})
        n_rankings = t.n_rankings if total <= MOST_DISTINCT else None
    ranks = rankings_after(t, [START, *(place.as_integer_ratio() for place in swaps)], "min")
    beta = np.array([sqrt(t.limits[0]), *(root(t.odds_at(place)) for place in swaps), sqrt(t.limits[1])])
    return RankSteps(names=t.names, low=beta[:-1], high=beta[1:], ranks=ranks, n_rankings=n_rankings)

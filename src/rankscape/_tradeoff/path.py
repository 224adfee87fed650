"""The path of rankings from one end to the other, and the plane in which it is seen best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import Option, UsageError
from ..kernels.crossings import START, Place
from ..results import Result, Table
from ..typing import Floats
from .betas import odds_of, root
from .optimum import Swaps
from .segments import Placed

MOST_RANKS = 50_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Path(Result):
    """The m rankings between the ends, one per open interval between swaps, in the order of β.

    ``rankings`` (m, n) hold ranks, 1 is best; ``low`` and ``high`` (m,) are the β between which each holds;
    ``plane`` (m, 2) are their first two principal components and ``explained`` the shares of variance of both.
    """

    rankings: Floats
    low: Floats
    high: Floats
    plane: Floats
    explained: tuple[float, float]

    brief = True

    def table(self) -> Table:
        """Return one row per ranking: from, to (β), and the coordinates in the plane."""
        return Table({"from": self.low, "to": self.high, "first": self.plane[:, 0], "second": self.plane[:, 1]})

    def at(self, beta: float) -> Floats:
        """Return the point of the ranking by F_β in the plane; at a swap the middle of its two neighbors."""
        odds_of(beta)
        place = np.flatnonzero((self.low <= beta) & (beta <= self.high))
        if not len(place):
            raise UsageError(f"beta must lie between the ends, {self.low[0]:g} and {self.high[-1]:g}; got {beta}")
        return np.asarray(self.plane[place].mean(axis=0))

    def __len__(self) -> int:
        return len(self.rankings)

    @property
    def heading(self) -> str:
        """The number of rankings, and the share of the variance that the plane shows."""
        return f"Path: {len(self)} rankings; two components explain {sum(self.explained):.2%}"


def path_of(t: Swaps, ties: Literal["min", "average"]) -> Path:
    """Return the path of rankings through the distinct swaps."""
    if ties not in ("min", "average"):
        raise UsageError(Option("ties", ties), expected="'min' or 'average'")
    swaps = [place for place, _ in t.crossings.distinct()]
    if t.n * (len(swaps) + 1) > MOST_RANKS:
        raise UsageError(
            f"the path has {len(swaps) + 1} rankings of {t.n} models, more than {MOST_RANKS} ranks: choose fewer"
        )
    if t.n == 0:
        raise UsageError("there is no path: nobody has a value between the ends")
    rankings = rankings_after(t, [START, *(place.as_integer_ratio() for place in swaps)], ties)
    beta = np.array([root(odds) for odds in (t.segment.limits[0], *map(t.odds_at, swaps), t.segment.limits[1])])
    plane, explained = _components(rankings)
    return Path(rankings=rankings, low=beta[:-1], high=beta[1:], plane=plane, explained=explained)


def rankings_after(t: Swaps, places: Sequence[Place], ties: str) -> Floats:
    """Return the ranks (m, n) just after each of m places, 1 is best, entities in the order of their rows."""
    placed, rankings = t.placed, np.empty((len(places), t.n))
    moving, constant = (np.searchsorted(t.rows, part) for part in (placed.rows, placed.constant))
    for k, place in enumerate(places):
        rankings[k, moving] = _ranks(placed, place, ties)
    top = not placed.smaller_first  # a constant value is 1 on a horizontal, 0 on a vertical
    first = 1 if top else len(moving) + 1
    rankings[:, constant] = first if ties == "min" else first + (len(constant) - 1) / 2
    if top:
        rankings[:, moving] += len(constant)
    return rankings


def _ranks(placed: Placed, place: Place, ties: str) -> Floats:
    """Return the ranks just after a place, in the order of the rows that have lines; equal lines share theirs."""
    lines = placed.lines
    order = lines.order(place, after=True)
    order = order if placed.smaller_first else order[::-1]
    ranks = np.empty(len(lines))
    alike = lines.groups[order]
    new = np.append(True, alike[1:] != alike[:-1]) if len(lines) else np.empty(0, dtype=bool)
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    if ties == "average":
        size = np.bincount(np.cumsum(new) - 1) if len(order) else np.empty(0)
        first = first + (np.repeat(size, size.astype(int)) - 1) / 2
    ranks[lines.original[order]] = first + 1
    return ranks


def _components(rankings: Floats) -> tuple[Floats, tuple[float, float]]:
    """Return the first two principal components, the second end at the right, and their shares of the variance."""
    centered = rankings - rankings.mean(axis=0)
    variance, axes = np.linalg.eigh(centered.T @ centered)
    variance, axes = np.maximum(variance[::-1], 0), axes[:, ::-1]
    scores = np.zeros((len(rankings), 2))
    scores[:, : min(2, len(variance))] = centered @ axes[:, :2]
    if scores[-1, 0] < scores[0, 0]:
        scores[:, 0] *= -1
    if scores[len(scores) // 2, 1] > (scores[0, 1] + scores[-1, 1]) / 2:
        scores[:, 1] *= -1
    total = float(variance.sum())
    shares = [float(v) / total if total > 0 else 1.0 - k for k, v in enumerate([*variance, 0.0][:2])]
    return scores, (shares[0], shares[1])

"""What is measured in a trial, summed up over trials, and held against its target.

A claim "i is better than j" is false where the true score of i is at most that of j. The likeliest first is the
entity with the largest P(first). Where several are truly first, they share it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from calibration_worlds import Floats, World
from numpy.typing import NDArray
from scipy.stats import binom, norm

from rankscape.uncertainty import RankIntervals

TIE = 1e-9
"""True scores that differ less are equal."""

BINS = 10
"""Of equal width, of P(first)."""

RANKS, RANKS_EQUAL, STATED, LOSS, PASSES_WORSE, CALLED, POWER = 0.94, 0.90, 0.07, 0.05, 0.03, 0.06, 0.50
"""The targets: what must hold at least, or may differ at most."""


class Measured(NamedTuple):
    """One trial: NaN where a method says nothing.

    ``together`` is whether no claim is false, ``covered`` the share of entities whose interval holds the true score,
    ``stated`` the largest P(first), ``observed`` the share in which that entity is truly first, ``loss`` the log loss
    of the true first, ``power`` the share of the true differences that are claimed.
    """

    together: float
    covered: float
    stated: float
    observed: float
    loss: float
    power: float


class Trial(NamedTuple):
    """One trial, with P(first) and the true share of each entity in the first place, (K,)."""

    measured: Measured
    p_first: Floats
    share: Floats


def first_of(true: Floats) -> Floats:
    """Return the share of each entity in the first place."""
    first = true >= true.max() - TIE
    return np.asarray(first / first.sum())


def of_intervals(intervals: RankIntervals, true: Floats) -> Trial:
    """Return what a trial shows of rank intervals with claims."""
    trial = of_statements(
        intervals.claims, intervals.value_low, intervals.value_high, intervals.p_first, true, intervals.draws
    )
    return trial


def of_statements(
    claims: NDArray[np.bool_], low: Floats, high: Floats, p_first: Floats | None, true: Floats, draws: int
) -> Trial:
    """Return what a trial shows of claims (K, K), intervals (K,) of the scores, and P(first)."""
    better = true[:, None] > true + TIE
    covered = float(((low - TIE <= true) & (true <= high + TIE)).mean())
    power = float(claims[better].mean()) if better.any() else np.nan
    share, together = first_of(true), float(not (claims & ~better).any())
    if p_first is None:
        return Trial(Measured(together, covered, np.nan, np.nan, np.nan, power), np.full(len(true), np.nan), share)
    p_first = np.nan_to_num(p_first)
    likeliest = int(p_first.argmax())
    loss = -float(share @ np.log(np.maximum(p_first, 1 / (2 * draws))))
    return Trial(
        Measured(together, covered, float(p_first[likeliest]), float(share[likeliest]), loss, power), p_first, share
    )


class Bin(NamedTuple):
    """Of all values of P(first) in a bin: how many, their sum, and the sum of the shares."""

    number: Floats
    stated: Floats
    observed: Floats


def binned(trials: Sequence[Trial]) -> Bin:
    """Return the reliability of P(first)."""
    stated, observed = (np.concatenate([getattr(t, f) for t in trials]) for f in ("p_first", "share"))
    where = np.minimum((stated * BINS).astype(int), BINS - 1)
    return Bin(*(np.bincount(where, weights, BINS) for weights in (np.ones(len(where)), stated, observed)))


@dataclass(frozen=True)
class Cell:
    """One number that has a target: how probable it would be to see it, or a worse one, where the target just holds."""

    world: str
    way: str
    measure: str
    value: float
    error: float
    target: str
    p: float
    unseen: bool = False


def mean_and_error(values: Floats) -> tuple[float, float]:
    """Return the mean, and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def cells(world: World, way: str, ours: Floats, today: Mapping[str, Floats]) -> list[Cell]:
    """Return the targets of a world: ``ours`` (trials, measures), and those of what is in use today."""
    if world.limit:
        return []
    blind = way == "counts" and world.shared > 0 and world.task == "two-class"  # the pairing cannot be recovered
    at_least = RANKS_EQUAL if world.equal else RANKS
    n = len(ours)
    together, _, stated, observed, loss, _ = ours.T
    out = [
        _cell(world, way, "ranks", together, f">= {at_least}", float(binom.cdf(together.sum(), n, at_least))),
        _at_most(world, way, "values", world.least_covered - ours[:, 1], f">= {world.least_covered}", ours[:, 1]),
    ]
    if world.equal:
        return out
    if not blind:
        gap = stated - observed
        over = np.sign(gap.mean()) * gap - STATED
        out.append(_at_most(world, way, "stated - observed", over, f"within {STATED}", gap))
    out.append(_at_most(world, way, "log loss - log K", loss - np.log(world.entities), "<= 0"))
    if today:
        best = min(today, key=lambda name: today[name][:, 4].mean())
        difference = loss - today[best][:, 4]
        out.append(_at_most(world, way, "log loss - today's best", difference - LOSS, f"<= {LOSS}", difference))
    return out


def proportion(
    world: str, way: str, measure: str, times: int, n: int, limit: float, at_least: bool, unseen: bool = False
) -> Cell:
    """Return the cell of a share that must be at least, or at most, the limit."""
    share = times / n
    p = binom.cdf(times, n, limit) if at_least else binom.sf(times - 1, n, limit)
    sign = ">=" if at_least else "<="
    error = float(np.sqrt(max(share * (1 - share), 1 / n / 4) / n))
    return Cell(world, way, measure, share, error, f"{sign} {limit}", float(p), unseen)


def _cell(world: World, way: str, measure: str, values: Floats, target: str, p: float) -> Cell:
    return Cell(world.name, way, measure, *mean_and_error(values), target, p, world.unseen)


def _at_most(world: World, way: str, measure: str, over: Floats, target: str, shown: Floats | None = None) -> Cell:
    """Return the cell of something of which the mean must be at most 0."""
    mean, error = mean_and_error(over)
    p = float(norm.sf(mean / error)) if error > 0 else float(mean <= 0)
    return _cell(world, way, measure, over if shown is None else shown, target, p)


def holm(found: Iterable[Cell]) -> list[tuple[Cell, float]]:
    """Return the cells with their p-values adjusted after Holm, the smallest first."""
    ordered = sorted(found, key=lambda cell: cell.p)
    out, largest = [], 0.0
    for place, cell in enumerate(ordered):
        largest = max(largest, min(1.0, cell.p * (len(ordered) - place)))
        out.append((cell, largest))
    return out

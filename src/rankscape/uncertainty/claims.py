"""Claims "this entity is better than that one" that all hold together: the sure differences."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..floats import exps, logs, squares
from ..typing import Flags, Floats, Integers
from .defaults import FEW

LEAST = 1.0
"""A difference of this many of its standard deviations may be claimed, if it holds together with the others."""


def critical(n: int, level: float) -> float:
    """Return the difference, in standard deviations, that only a claim exceeds by draws in which nothing is pooled.

    If three quarters of n entities were exactly alike, and the others too, no difference inside these two groups would
    exceed it with the probability ``level``. Where more are alike, pooling sees it.

    >>> [round(critical(12, level), 2) for level in (0.5, 0.95, 0.99)]
    [2.13, 3.13, 3.62]
    """
    others = max(1, n // 4)
    return alike_within((n - others, others), level)


def least(n: int, level: float) -> float:
    """Return the smallest difference that is claimed, in standard deviations: ``LEAST``, or less at low levels.

    >>> round(least(2, 0.5), 2), least(2, 0.95), least(3, 0.5)
    (0.67, 1.0, 1.0)
    """
    return min(LEAST, alike_within((n,), level))


@lru_cache(maxsize=256)
def alike_within(groups: tuple[int, ...], level: float) -> float:
    """Return the difference, in standard deviations, that no two of a group exceed with the probability ``level``.

    All in a group are exactly alike, and the probability is that of all groups at once: a product of distributions of
    the range of standard normal numbers (Tukey, 1953), which is divided by √2.

    >>> round(alike_within((2,), 0.95), 3), round(alike_within((10,), 0.9), 2)
    (1.96, 2.92)
    """
    from scipy.special import ndtr

    z = np.linspace(-9, 9, 401)
    density = exps(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    low, high = 0.0, 20.0
    for _ in range(45):
        middle = (low + high) / 2
        spread = ndtr(z + middle) - ndtr(z)
        below = np.prod([n * (density * exps((n - 1) * logs(spread))).sum() for n in groups if n > 1])
        low, high = (middle, high) if below < level else (low, middle)
    return high / float(np.sqrt(2))


def claims_of(
    values: Floats,
    places: Integers,
    level: float,
    apart: Floats | None = None,
    among: int | None = None,
    kinds: Integers | None = None,
) -> Flags:
    """Return the claims (n, n), row better than column, as many as hold together in the share ``level`` of the draws.

    ``values`` (draws, n) are larger for better entities, NaN where undefined; ``places`` (draws, n) are the ranks by
    them, 0 where undefined. Claims are sorted by the mean difference, in units of its standard deviation, and kept from
    the clearest on as long as all that are kept are true at once in enough draws. With too few draws to tell, fewer
    than ``FEW``, none is kept. A claim about an undefined entity is not true. Where draws ``apart`` are
    given, in which nothing is pooled, a difference must be :func:`critical` there, too: for two groups of alike
    entities, pooling learns how far the groups are apart, not how alike their members are. ``among`` is the number of
    entities that could have been compared, by default n: those that are undefined belong to it. Entities of one of the
    ``kinds`` (n,) have the same claims.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal([0, 0.5, 9], size=(1000, 3))
    >>> claims_of(values, 3 - values.argsort(axis=1).argsort(axis=1), 0.95).astype(int).tolist()
    [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    """
    n = values.shape[1]
    if len(values) < FEW or len(values) * (1 - level) < 1:  # too few draws to tell the level from certainty
        return np.zeros((n, n), dtype=bool)
    kinds = np.arange(n) if kinds is None else kinds
    strength, smallest = shared_pairs(_strength(values), kinds), least(among or n, level)
    defined = places > 0
    worst = np.where(defined, places, np.iinfo(places.dtype).max).max(axis=0)
    best = np.where(defined.all(axis=0), places.min(axis=0), 0)
    safe = level + np.sqrt(level * (1 - level) / len(values))  # a standard error more: draws are a sample
    enough = min(int(np.ceil(safe * len(values))), len(values)) - 1
    largest, refuted = np.full(len(values), -np.inf), smallest  # of the strengths of the claims that a draw refutes
    for i in range(n):  # a claim that is no clearer than those refuted already would not change what is kept
        doubtful = np.flatnonzero((strength[i] > refuted) & (worst[i] >= best))
        for start in range(0, len(doubtful), 256):
            part = doubtful[start : start + 256]
            true = (places[:, i, None] < places[:, part]) & defined[:, i, None] & defined[:, part]
            largest = np.maximum(largest, np.where(true, -np.inf, strength[i, part]).max(axis=1, initial=-np.inf))
        refuted = max(float(np.partition(largest, enough)[enough]), smallest)
    claims = (strength > refuted) & (worst[:, None] < np.iinfo(places.dtype).max)
    if apart is not None:
        claims &= shared_pairs(_strength(apart), kinds) > critical(among or n, level)
    np.fill_diagonal(claims, False)
    return np.asarray(claims)


def _strength(values: Floats) -> Floats:
    """Return the mean differences (n, n) in their standard deviations; −∞ where an entity is never defined."""
    with np.errstate(all="ignore"):
        known = ~np.isnan(values)
        times = known.sum(axis=0)
        whole = bool(known.all())
        mean = (values if whole else np.where(known, values, 0)).sum(axis=0) / np.where(times, times, 1)
        deviation = values - mean if whole else np.where(known, values - mean, 0.0)
        covariance = squares(deviation) / len(values)
        variance = np.diag(covariance)[:, None] + np.diag(covariance)
        variance -= 2 * covariance
        difference = mean[:, None] - mean
        strength = difference / np.sqrt(np.maximum(variance, 1e-18 * np.abs(difference) ** 2 + 1e-300))
    return np.where((times > 0)[:, None] & (times > 0), strength, -np.inf)


def copies(kinds: Integers) -> list[Integers]:
    """Return the rows of each kind that has several."""
    order = np.argsort(kinds, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1)
    return [rows for rows in parts if len(rows) > 1]


def shared(numbers: Floats, kinds: Integers) -> Floats:
    """Return numbers (n, …) with the mean of each kind.

    >>> shared(np.array([0.2, 0.3, 0.4]), np.array([0, 1, 0])).round(12).tolist()
    [0.3, 0.3, 0.3]
    """
    out = np.array(numbers, dtype=np.float64)
    for rows in copies(kinds):
        out[rows] = np.sort(out[rows], axis=0).mean(axis=0)  # sorted: the same in any order of rows
    return out


def shared_pairs(numbers: Floats, kinds: Integers) -> Floats:
    """Return numbers (n, n) of pairs with the mean of all pairs of these kinds; an entity is no pair with itself.

    >>> shared_pairs(
    ...     np.array([[0.0, 0.4, 0.9], [0.6, 0, 0.7], [0.1, 0.3, 0]]), np.array([0, 0, 1])
    ... ).tolist()
    [[0.0, 0.5, 0.8], [0.5, 0.0, 0.8], [0.2, 0.2, 0.0]]
    """
    out = np.array(numbers, dtype=np.float64)
    for rows in copies(kinds):
        block = np.ix_(rows, rows)
        among, same = np.array(out[block]), np.eye(len(rows), dtype=bool)
        out[rows] = np.sort(out[rows], axis=0).mean(axis=0)
        out[:, rows] = np.sort(out[:, rows], axis=1).mean(axis=1, keepdims=True)
        out[block] = np.where(same, among, np.sort(among[~same]).mean())
    return out


def closed(claims: Flags) -> Flags:
    """Return the claims and what follows from them, (n, n): a strict partial order."""
    reach = claims
    while True:  # claims that already hold what follows from them take one round
        more = reach | through(reach)
        if (more == reach).all():
            return np.asarray(reach & ~reach.T)  # claims in a circle cannot hold together: they say nothing
        reach = more


def through(sure: Flags) -> Flags:
    """Return whether the row is better than something that is better than the column."""
    steps = sure.astype(np.float32)  # products of floats are fast, and no count below 2²⁴ is rounded
    return np.asarray(steps @ steps > 0)

"""Claims "this entity is better than that one" that all hold together: the sure differences."""

from __future__ import annotations

import numpy as np

from ..typing import Flags, Floats, Integers
from .defaults import FEW
from .special import ndtr

LEAST = 1.0
"""A difference smaller than this many of its standard deviations is never claimed."""


ALONE = 0.9
"""With this probability nothing is claimed by draws that pool nothing, if all entities are alike."""


def critical(n: int) -> float:
    """Return the difference, in standard deviations, below which all of n alike entities lie together (Tukey, 1953).

    It is the quantile ``ALONE`` of the range of n standard normal numbers, divided by √2.

    >>> round(critical(2), 3), round(critical(10), 2)
    (1.645, 2.92)
    """
    z = np.linspace(-9, 9, 2001)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        below = n * float(density @ (ndtr(z + middle) - ndtr(z)) ** (n - 1))
        low, high = (middle, high) if below < ALONE else (low, middle)
    return high / float(np.sqrt(2))


def claims_of(values: Floats, places: Integers, level: float, apart: Floats | None = None, least: float = 0) -> Flags:
    """Return the claims (n, n), row better than column, as many as hold together in the share ``level`` of the draws.

    ``values`` (draws, n) are larger for better entities, NaN where undefined; ``places`` (draws, n) are the ranks by
    them, 0 where undefined. Claims are sorted by the mean difference, in units of its standard deviation, and kept from
    the clearest on as long as all that are kept are true at once in enough draws. With too few draws to tell, fewer
    than ``FEW``, none is kept. A claim about an undefined entity is not true. Where draws ``apart`` are
    given, in which nothing is pooled, a difference must also be larger than ``least`` of its standard deviations there:
    for two groups of alike entities, pooling learns how far the groups are apart, not how alike their members are.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal([0, 0.5, 9], size=(1000, 3))
    >>> claims_of(values, 3 - values.argsort(axis=1).argsort(axis=1), 0.95).astype(int).tolist()
    [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    """
    n = values.shape[1]
    if len(values) < FEW or len(values) * (1 - level) < 1:  # too few draws to tell the level from certainty
        return np.zeros((n, n), dtype=bool)
    strength = _strength(values)
    defined = places > 0
    worst = np.where(defined, places, np.iinfo(places.dtype).max).max(axis=0)
    best = np.where(defined.all(axis=0), places.min(axis=0), 0)
    safe = level + np.sqrt(level * (1 - level) / len(values))  # a standard error more: draws are a sample
    enough = min(int(np.ceil(safe * len(values))), len(values)) - 1
    largest, refuted = np.full(len(values), -np.inf), LEAST  # of the strengths of the claims that a draw refutes
    for i in range(n):  # a claim that is no clearer than those refuted already would not change what is kept
        doubtful = np.flatnonzero((strength[i] > refuted) & (worst[i] >= best))
        for start in range(0, len(doubtful), 256):
            part = doubtful[start : start + 256]
            true = (places[:, i, None] < places[:, part]) & defined[:, i, None] & defined[:, part]
            largest = np.maximum(largest, np.where(true, -np.inf, strength[i, part]).max(axis=1, initial=-np.inf))
        refuted = max(float(np.partition(largest, enough)[enough]), LEAST)
    claims = (strength > refuted) & (worst[:, None] < np.iinfo(places.dtype).max)
    if apart is not None:
        claims &= _strength(apart) > least
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
        covariance = deviation.T @ deviation / len(values)
        variance = np.diag(covariance)[:, None] + np.diag(covariance)
        variance -= 2 * covariance
        difference = mean[:, None] - mean
        strength = difference / np.sqrt(np.maximum(variance, 1e-18 * np.abs(difference) ** 2 + 1e-300))
    return np.where((times > 0)[:, None] & (times > 0), strength, -np.inf)

"""The plain bootstrap, for comparison: units drawn with replacement, exactly, and nothing learned across entities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, Option
from ..floats import large_products
from ..kernels.exact import integers_of_fractions
from ..performances import Units
from .evidence import Evidence

LARGEST = 2**62
"""Integer draws below this are held in 64 bits."""

CHUNK = 20_000_000
"""This many numbers are drawn at once."""


def bootstrapped(evidence: Evidence, draws: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return draws (draws, n, k), integers up to a factor, so that ties are exact: the plain, paired bootstrap.

    It is overconfident where cases are few, rates near 0 or 1, or entities alike. A class that was not seen is in no
    draw. Raises DataError where only counts are known, for they do not say what is paired.
    """
    if evidence.unit == "domains":
        return _of_domains(evidence, draws, rng)
    if not evidence.units:
        raise DataError(
            "a bootstrap needs predictions on the same cases, and these are counts",
            way_out=[["leave out ", Option("method", option="posterior"), " to draw from the posterior of the counts"]],
        )
    k = len(evidence.space)
    parts = [_resampled(units, k, draws, rng) for units in evidence.units]
    return _mixed(parts, evidence.prepared.grid.weights)


def _of_domains(evidence: Evidence, draws: int, rng: np.random.Generator) -> NDArray[Any]:
    grid = evidence.prepared.grid
    chosen = evidence.used
    drawn = rng.multinomial(len(chosen), np.full(len(chosen), 1 / len(chosen)), size=draws)
    parts = grid.parts[:, chosen]
    if grid.exact and int(parts.sum(axis=(1, 2)).max()) * len(chosen) < LARGEST:
        parts = parts.astype(np.int64)
    return np.stack([large_products(drawn.astype(part.dtype), part) for part in parts], axis=1)


def _resampled(units: Units, k: int, draws: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return counts (draws, n, k) of as many cases, or clusters, as there are, drawn with replacement.

    Of graded cases these are sums of grades, in floats.
    """
    codes, size, cluster, grades = units
    n = codes.shape[1]
    chance = np.ones(int(cluster.max()) + 1) if cluster is not None else size.astype(np.float64)
    number = len(chance) if cluster is not None else int(size.sum())
    out = np.empty((draws, n, k), dtype=np.int64 if grades is None else np.float64)
    chunk = max(1, CHUNK // len(size))
    for start in range(0, draws, chunk):
        stop = min(start + chunk, draws)
        drawn = rng.multinomial(number, chance / chance.sum(), size=stop - start)
        times = drawn if cluster is None else drawn[:, cluster] * size
        sums = units.counts(times.astype(np.float64), k)
        out[start:stop] = np.rint(sums) if grades is None else sums
    return out


def _mixed(parts: list[NDArray[Any]], lambdas: tuple[Fraction, ...]) -> NDArray[Any]:
    """Return Σ λ_d·counts_d/total_d up to a factor per draw and entity, in integers where the counts are."""
    if any(part.dtype.kind == "f" for part in parts):
        floats = (part * (float(w) / part.sum(axis=2, keepdims=True)) for part, w in zip(parts, lambdas, strict=True))
        return np.asarray(sum(floats))
    if len(parts) == 1:
        return parts[0]
    totals = np.stack([part[:, 0].sum(axis=1) for part in parts], axis=1)  # (draws, domains), the same for all entities
    distinct, same = np.unique(totals, axis=0, return_inverse=True)  # of cases one row, for their number is fixed
    shares = np.array([[w / t for w, t in zip(lambdas, row, strict=True)] for row in distinct.tolist()], dtype=object)
    factors = integers_of_fractions(shares)
    kind = np.int64 if (factors * distinct.astype(object)).sum(axis=1).max() < LARGEST else object
    each = factors.astype(kind)[same.ravel()]
    return np.asarray(sum(each[:, d, None, None] * part.astype(kind, copy=False) for d, part in enumerate(parts)))

"""Pairs of performances: inversions, and rank correlations of a score with every canonical ranking score.

On the grid a = j/m, b = i/m, R = S/(S + U) with S = (m−j)·tn + j·tp and U = (m−i)·fp + i·fn, so two performances are
compared by S₁U₂ and S₂U₁: in floats first, on integers where rounding could decide.
"""

from collections.abc import Callable
from fractions import Fraction
from math import gcd, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import native

Floats = NDArray[np.float64]
Progress = Callable[[int], None]
ROUNDING = 32 * 2.0**-53
"""Quotients closer than this (relative) are compared on integers: several times the bound on the error of either."""

LARGEST = 2**63
"""What S and U must stay below for products of two of them to fit into 128 bits."""

SMALL = 2**31
"""What they must stay below for products of two of them to fit into 64 bits."""


def inversions(values: NDArray[np.int64]) -> int:
    """Return the number of pairs i < j with values[i] > values[j], for whole numbers from 0 to below 2**32.

    >>> inversions(np.array([2, 0, 1, 1]))
    3
    """
    values = np.ascontiguousarray(values, dtype=np.int64)
    if native.compiled is not None:
        return int(native.compiled.inversions(values))
    return inversions_in_numpy(values)


def inversions_in_numpy(values: NDArray[np.int64]) -> int:
    """Return the same with numpy alone: bit by bit from the top, ones before zeros in each group of equal prefixes."""
    total = 0
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        prefix, one = values >> (bit + 1), (values >> bit) & 1
        order = np.argsort(prefix, kind="stable")
        prefix, one = prefix[order], one[order]
        before = np.cumsum(one) - one
        starts = np.flatnonzero(np.r_[True, prefix[1:] != prefix[:-1]])
        before -= np.repeat(before[starts], np.diff(np.r_[starts, len(values)]))
        total += int(before[one == 0].sum())
    return total


def tau_b_map(
    integers: NDArray[Any],
    levels: NDArray[np.int64],
    resolution: int,
    threads: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Return Kendall's τ-b between levels and R, (resolution, resolution), rows by b; exact up to the last quotient.

    ``integers`` (n, 4) are proportional to the measures; ``levels`` (n,) are dense, −1 undefined. Undefined ones are
    dropped, in each cell; NaN where either is constant. Results do not depend on ``threads``.
    """
    rows, level = _sorted_by_level(integers, levels)
    m = resolution - 1
    out = np.full((resolution, resolution), np.nan)
    if native.compiled is None or len(rows) < 2 or _largest(rows) * m >= LARGEST:
        rows = _compact(rows, m)
        return _by_row(out, progress, lambda i: [_tau_b(rows, level, i, j, m) for j in range(resolution)])
    measures = np.ascontiguousarray(rows, dtype=np.int64)
    block = max(1, min(resolution, threads * max(1, 200_000 // len(rows))))  # so that an interrupt is heard soon
    for i in range(0, resolution, block):
        native.compiled.tau_b_rows(measures, level, m, i, out[i : i + block], threads)
        if progress is not None:
            progress(min(i + block, resolution))
    return out


def spearman_map(
    integers: NDArray[Any],
    levels: NDArray[np.int64],
    resolution: int,
    threads: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Return Spearman's ρ between levels and R, average ranks, as :func:`tau_b_map`; in numpy."""
    rows, level = _sorted_by_level(integers, levels)
    rows = _compact(rows, resolution - 1)

    def row(i: int) -> list[float]:
        return [_spearman(rows, level, i, j, resolution - 1) for j in range(resolution)]

    return _by_row(np.full((resolution, resolution), np.nan), progress, row)


def pearson_map(mass: Floats, x: Floats, resolution: int) -> Floats:
    """Return Pearson's r between the values x (n,) and R; undefined ones are dropped, NaN against a constant."""
    axis = np.linspace(0, 1, resolution)
    out = np.full((resolution, resolution), np.nan)
    for i, b in enumerate(axis):
        loss = (1 - b) * mass[:, 1] + b * mass[:, 2]
        for j, a in enumerate(axis):
            gain = (1 - a) * mass[:, 0] + a * mass[:, 3]
            defined = (gain + loss > 0) & ~np.isnan(x)
            out[i, j] = _pearson(x[defined], gain[defined] / (gain + loss)[defined])
    return out


def _by_row(out: Floats, progress: Progress | None, row: Callable[[int], list[float]]) -> Floats:
    for i in range(len(out)):
        out[i] = row(i)
        if progress is not None:
            progress(i + 1)
    return out


def _sorted_by_level(integers: NDArray[Any], levels: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the rows that have a level, divided by their common factor, in the order of their levels."""
    order = np.argsort(levels, kind="stable")
    order = order[levels[order] >= 0]
    rows, level = integers[order].reshape(-1, 4), np.ascontiguousarray(levels[order], dtype=np.int64)
    try:
        small = rows.astype(np.int64)
    except OverflowError:
        return np.array([[x // gcd(*row) for x in row] for row in rows.tolist()], dtype=object), level
    return small // np.gcd.reduce(small, axis=1, keepdims=True), level


def _largest(rows: NDArray[Any]) -> int:
    """Return a bound on the sums of rows, which may exceed 64 bits."""
    return 4 * int(rows.max()) if len(rows) else 0


def _compact(rows: NDArray[Any], m: int) -> NDArray[Any]:
    """Return 64-bit integers where products of two sides fit."""
    return rows if _largest(rows) * m < SMALL else rows.astype(object)


def _groups(rows: NDArray[Any], i: int, j: int, m: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return who is defined in a cell, and their dense ranks by R, 0 the worst: decided exactly."""
    s, u = (m - j) * rows[:, 0] + j * rows[:, 3], (m - i) * rows[:, 1] + i * rows[:, 2]
    defined = np.flatnonzero((s + u) != 0)
    s, u = s[defined], u[defined]
    with np.errstate(divide="ignore"):
        odds = u.astype(np.float64) / s.astype(np.float64)
    order = np.argsort(odds, kind="stable")
    ranked = odds[order]
    with np.errstate(invalid="ignore"):
        close = np.flatnonzero((ranked[1:] == ranked[:-1]) | (ranked[1:] - ranked[:-1] <= ROUNDING * ranked[1:]))
    step = np.ones(max(len(order) - 1, 0), dtype=np.int64)
    ahead = _ahead(s, u, order, close)
    if (ahead < 0).any():
        _settle(s, u, order, close)
        ahead = _ahead(s, u, order, close)
    step[close] = ahead != 0
    dense = np.zeros(len(order), dtype=np.int64)
    dense[order[1:]] = np.cumsum(step)
    return defined, dense.max(initial=0) - dense


def _ahead(s: NDArray[Any], u: NDArray[Any], order: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[Any]:
    """Return, for neighbors in an order, a number above 0 where the first is better, 0 where they tie."""
    first, second = order[at], order[at + 1]
    return np.asarray(s[first] * u[second] - s[second] * u[first])


def _settle(s: NDArray[Any], u: NDArray[Any], order: NDArray[np.int64], close: NDArray[np.int64]) -> None:
    """Sort the runs of neighbors that rounding may have confused exactly, in place."""

    def exactly(k: int) -> tuple[int, Fraction]:
        return (1, Fraction(0)) if s[k] == 0 else (0, Fraction(int(u[k]), int(s[k])))

    for run in np.split(close, np.flatnonzero(np.diff(close) > 1) + 1):
        members = slice(run[0], run[-1] + 2)
        order[members] = sorted(order[members].tolist(), key=exactly)


def _tau_b(rows: NDArray[Any], level: NDArray[np.int64], i: int, j: int, m: int) -> float:
    defined, y = _groups(rows, i, j, m)
    x = level[defined]
    if len(x) < 2:
        return float("nan")
    both = x * (int(y.max()) + 1) + y
    n0, x_ties, y_ties, xy_ties = (_pairs(z) for z in (np.zeros(len(x), dtype=np.int64), x, y, both))
    discordant = inversions(y[np.argsort(both, kind="stable")])
    if n0 in (x_ties, y_ties):
        return float("nan")
    concordant = n0 - x_ties - y_ties + xy_ties - discordant
    return (concordant - discordant) / (sqrt(n0 - x_ties) * sqrt(n0 - y_ties))


def _pairs(groups: NDArray[np.int64]) -> int:
    """Return the number of pairs in the same group."""
    _, sizes = np.unique(groups, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def _spearman(rows: NDArray[Any], level: NDArray[np.int64], i: int, j: int, m: int) -> float:
    defined, y = _groups(rows, i, j, m)
    return _pearson(_average_ranks(level[defined]), _average_ranks(y))


def _average_ranks(groups: NDArray[np.int64]) -> Floats:
    """Return average ranks, the smallest first."""
    _, inverse, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[inverse])


def _pearson(x: Floats, y: Floats) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / np.sqrt((x @ x) * (y @ y)))

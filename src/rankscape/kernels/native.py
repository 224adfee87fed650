"""The compiled kernels, where they are built and wanted, behind the signatures of their twins in ``reference``."""

import os
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from .exact import limbs_of
from .grid import ROUNDING, Sides
from .measures import Measures

COMPILED = True
SWITCH = "RANKSCAPE_NATIVE"


def load() -> ModuleType | None:
    """Return the compiled extension, or None where there is none or RANKSCAPE_NATIVE=0 is set.

    >>> load() is None or callable(load().inversions)
    True
    """
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        return import_module(f"{__package__}._native")
    except ImportError:
        return None


extension: Any = load()


def inversions(values: Integers) -> int:
    """Count the pairs i < j with values[i] > values[j]."""
    return int(extension.inversions(np.ascontiguousarray(values, dtype=np.int64)))


def inverted_pairs(values: Integers) -> tuple[Integers, Integers]:
    """Return all inversions: the larger numbers, and the smaller ones that follow them."""
    larger, smaller = np.empty((2, inversions(values)), dtype=np.int64)
    extension.inverted_pairs(np.ascontiguousarray(values), larger, smaller)
    return larger, smaller


def correlation_rows(
    each: Measures, levels: Integers, resolution: int, start: int, stop: int, spearman: bool, threads: int = 1
) -> Integers:
    """Return what correlations are made of in the rows start … stop − 1 of a map."""
    out = np.empty((3, stop - start, resolution), dtype=np.int64)
    extension.correlation_rows(each.mass, each.limbs, levels, resolution, start, stop, threads, spearman, out)
    return out


def rank_rows(
    sides: Sides, sizes: Integers, rank: int, start: int, stop: int, threads: int = 1
) -> tuple[Integers, Flags]:
    """Return who is at the rank in the rows start … stop − 1, −1 for none, and where another is within rounding."""
    at = np.empty((stop - start, sides.resolution), dtype=np.int64)
    close = np.empty(at.shape, dtype=bool)
    extension.rank_rows(
        sides.mass, sizes, rank, sides.inverted, sides.resolution, ROUNDING, start, stop, threads, at, close
    )
    return at, close


def first_rows(
    draws: NDArray[Any], resolution: int, rounding: float, start: int, stop: int, threads: int = 1
) -> Floats:
    """Count the draws (draws, n, 4) in which each is first, shared by ties, in rows of a map: (n, rows, resolution)."""
    out = np.empty((draws.shape[1], stop - start, resolution))
    fill = extension.first_rows if draws.dtype.kind == "f" else extension.first_rows_of_counts
    fill(draws, resolution, rounding, start, stop, threads, out)
    return out


def line_order(
    limbs: NDArray[np.uint64], x: Floats, y: Floats, t: tuple[int, int], ratio: float, after: bool
) -> Integers:
    """Return the order of lines (n, 3, limbs) just after, or before, a place."""
    out = np.empty(len(x), dtype=np.int64)
    place = limbs_of(np.array(t, dtype=object))
    extension.line_order(limbs, x, y, ratio, t[0] <= t[1], place, after, out)
    return out


def crossing_places(limbs: NDArray[np.uint64], i: Integers, j: Integers) -> Floats:
    """Return where the lines i and j (of n, 3, limbs) cross, for each pair; NaN where 126 bits do not decide."""
    out = np.empty(len(i))
    extension.crossing_places(limbs, np.ascontiguousarray(i), np.ascontiguousarray(j), out)
    return out

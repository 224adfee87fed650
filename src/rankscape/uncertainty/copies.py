"""Entities of which exactly the same was seen: what draws say of one of them, they say of all.

Draws of each are different random numbers, so their means differ by chance, though there is no reason for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..typing import Floats, Integers


def kinds_of(evidence: Iterable[NDArray[np.generic]], n: int) -> Integers:
    """Return the kind of each of n entities, (n,), from arrays (n, m): where all rows are equal, the kind is the same.

    >>> kinds_of([np.array([[1, 2], [1, 2], [1, 2]]), np.array([[0], [5], [0]])], 3).tolist()
    [0, 1, 0]
    """
    each = [np.unique(array, axis=0, return_inverse=True)[1].ravel() for array in evidence if array.shape[1]]
    return np.unique(np.stack([np.zeros(n, dtype=np.int64), *each], axis=1), axis=0, return_inverse=True)[1].ravel()


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

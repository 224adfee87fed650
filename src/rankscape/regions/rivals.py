"""Borders of one entity with all others at once: floats that know their errors, and who is left to integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..typing import Flags, Floats, Integers

DOUBT = 1e-14
"""What a border's value may be off by, as a share of the sum of what is added and subtracted: a hundred roundings."""

SMALLEST, SMALLEST_WEIGHT = 1e-140, 1e-25
"""Products of masses, and of weights, above these lose nothing to underflow; else nothing is sure."""


@dataclass(frozen=True)
class Rivals:
    """The corners of the borders of one entity with n others, h = S₁U₂ − S₂U₁ at TNR, NPV, PPV and TPR.

    ``corners`` and ``sizes`` (4, n): the value, and S₁U₂ + S₂U₁, of which rounding takes a share of ``DOUBT`` at most
    where it is ``sure``.
    """

    corners: Floats
    sizes: Floats
    sure: bool = True

    @classmethod
    def of(cls, mass: Floats, k: int) -> Rivals:
        """Return the borders of the k-th with everybody, itself included."""
        tn, fp, fn, tp = mass.T
        gains = [(s[k] * u, s * u[k]) for s in (tn, tp) for u in (fp, fn)]
        sure = not ((mass > 0) & (mass < SMALLEST)).any()
        corners, sizes = (np.array([one + sign * two for one, two in gains]) for sign in (-1, 1))
        return cls(corners, sizes, sure)

    def transposed(self) -> Rivals:
        """Return the borders with the axes exchanged."""
        order = [0, 2, 1, 3]
        return Rivals(self.corners[order], self.sizes[order], self.sure)

    def at(self, a: Fraction, b: Fraction) -> tuple[Floats, Floats]:
        """Return h at a place, and what it may be off by."""
        weights = np.outer([float(1 - a), float(a)], [float(1 - b), float(b)]).ravel()
        value = np.asarray((weights[:, None] * self.corners).sum(axis=0))
        if ((weights > 0) & (weights < SMALLEST_WEIGHT)).any() or not self.sure:
            return value, np.full(len(value), np.inf)
        return value, np.asarray((weights[:, None] * self.sizes).sum(axis=0)) * DOUBT

    def nearest(self, a: Fraction, upper: bool) -> Integers:
        """Return who may become better first in a column a, from a place in it upwards (or, without ``upper``, down).

        Of the exact crossings b = below / (below − above), with h at b = 0 and b = 1, those that may be the lowest of
        all where h falls (or the highest where it rises) are among them.
        """
        falls, before = self.at(a, Fraction(0))
        rises, after = self.at(a, Fraction(1))
        if not upper:  # towards b = 0 h falls, as towards b = 1 in the mirror
            falls, before, rises, after = rises, after, falls, before
        # The rival is better at the far end and not at the near one; it starts at falls / (falls − rises).
        possible = (rises - after < 0) & (falls + before >= 0)
        sure = (rises + after < 0) & (falls - before >= 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            near = np.maximum(falls - before, 0)
            earliest = near / (near - (rises - after))
            far = np.maximum(falls + before, 0)
            latest = far / (far - np.minimum(rises + after, 0))
        earliest = np.where(np.isfinite(earliest), earliest, 0.0)
        end = latest[sure].min(initial=1.0)
        return np.flatnonzero(possible & (earliest <= end * (1 + DOUBT)))

    def alike(self) -> Integers:
        """Return who may be equal to it: all corners may be 0."""
        if not self.sure:
            return np.arange(self.corners.shape[1])
        return np.flatnonzero((np.abs(self.corners) <= self.sizes * DOUBT).all(axis=0))

    def without(self, rows: Integers) -> tuple[Rivals, Integers]:
        """Return the borders with all but some, and the rows of those that are left."""
        kept: Flags = np.ones(self.corners.shape[1], dtype=bool)
        kept[rows] = False
        return Rivals(self.corners[:, kept], self.sizes[:, kept], self.sure), np.flatnonzero(kept)

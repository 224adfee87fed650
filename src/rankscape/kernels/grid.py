"""Comparisons of many performances on the grid of the Tile: floats first, integers where floats cannot tell.

On the grid a = j/m, b = i/m, with S = (m−j)·tn + j·tp and U = (m−i)·fp + i·fn, R = S/(S+U): the odds U/S order as R
does, smaller is better. They are made of sums, products and one quotient of non-negative numbers, so eight roundings
bound their relative error.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exact import normalized

Floats = NDArray[np.float64]
ROUNDING = 32 * 2.0**-53
"""Odds closer than this (relative) are compared on integers: four times the bound on the error of either."""


class Sides:
    """The two sides S(a) and U(b) of n measures, as floats and, on demand, as integers; ``inverted``: last is first."""

    def __init__(self, integers: NDArray[Any], resolution: int, inverted: bool = False) -> None:
        self.resolution, self.inverted = resolution, inverted
        self.integers = integers
        p = normalized(integers)
        j = np.arange(resolution, dtype=np.float64)
        m = resolution - 1.0
        self.gain = (m - j) * p[:, :1] + j * p[:, 3:]  # S, by a
        self.loss = (m - j) * p[:, 1:2] + j * p[:, 2:3]  # U, by b

    def odds(self, i: int) -> Floats:
        """Return the odds (n, columns) in row i, smaller is better (worse, if inverted); NaN where undefined."""
        return self._quotients(self.gain, self.loss[:, i : i + 1])

    def _quotients(self, gain: Floats, loss: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return gain / loss if self.inverted else loss / gain

    def defined(self, k: int) -> NDArray[np.bool_]:
        """Tell where measure k has a value: S + U > 0."""
        return np.asarray((self.gain[k][None, :] > 0) | (self.loss[k][:, None] > 0))

    def compare(self, first: int, second: int) -> NDArray[np.int64]:
        """Return, on the whole grid, 1 where the first measure is better, −1 worse, 0 equivalent or incomparable."""
        odds = [self._quotients(self.gain[k][None, :], self.loss[k][:, None]) for k in (first, second)]
        close = within_rounding(odds[0][None], odds[1])[0] & (odds[0] > 0) & np.isfinite(odds[0])
        with np.errstate(invalid="ignore"):
            sign = (odds[0] < odds[1]).astype(np.int64) - (odds[0] > odds[1])
        for i, j in np.argwhere(close):
            s1, u1, s2, u2 = *self.exact(first, i, j), *self.exact(second, i, j)
            sign[i, j] = (s1 * u2 > s2 * u1) - (s1 * u2 < s2 * u1)
        return sign

    def exact(self, k: int, i: int, j: int) -> tuple[int, int]:
        """Return S and U of measure k at row i, column j, as integers on one scale."""
        tn, fp, fn, tp = self.integers[k]
        m, i, j = self.resolution - 1, int(i), int(j)
        return (m - j) * tn + j * tp, (m - i) * fp + i * fn

    def tied_at(
        self, i: int, j: int, members: NDArray[np.int64], sizes: NDArray[np.int64], rank: int
    ) -> tuple[int, ...]:
        """Return those of the members that share a rank among them, all of them close; decided on integers."""
        keyed: dict[tuple[int, Fraction], list[int]] = {}
        for k in members.tolist():
            s, u = self.exact(k, i, j)
            if self.inverted:
                s, u = u, s
            keyed.setdefault((1, Fraction(0)) if s == 0 else (0, Fraction(u, s)), []).append(k)
        for key in sorted(keyed):
            rank -= int(sizes[keyed[key]].sum())
            if rank <= 0:
                return tuple(keyed[key])
        return tuple(keyed[max(keyed)])


def contenders(integers: NDArray[Any], inverted: bool = False) -> NDArray[np.int64]:
    """Return the rows that may be first (last) somewhere: all but those that a strong one beats at all four corners.

    The difference of two measures is bilinear in (a, b), so who is better at the four corners is better everywhere.
    """
    sides = Sides(integers, 5, inverted)
    odds = np.stack([sides.odds(i) for i in range(5)], axis=1)
    corners = odds[:, ::4, ::4].reshape(len(odds), 4)
    strong = np.unique(np.where(np.isnan(odds), np.inf, odds).argmin(axis=0))
    beaten = np.zeros(len(odds), dtype=bool)
    with np.errstate(invalid="ignore"):
        for k in strong:
            beaten |= (corners[k] * (1 + ROUNDING) < corners).all(axis=1)
    return np.flatnonzero(~beaten)


def within_rounding(odds: Floats, chosen: Floats) -> NDArray[np.bool_]:
    """Tell which odds (n, …) are so close to the chosen ones that rounding may decide, those equal to it included."""
    with np.errstate(invalid="ignore"):
        return np.asarray((odds == chosen) | (np.abs(odds - chosen) <= ROUNDING * np.abs(chosen)))


def bands_of_first(mass: Floats, candidates: NDArray[np.int64], a: Floats, last: bool) -> list[tuple[Floats, Floats]]:
    """Return, per candidate and column a, the interval of b on which it is first (last): (low, high), NaN where none.

    Against each other measure, being better is linear in b: (1−b)·A + b·B ≥ 0 with A = S_k·fp_j − S_j·fp_k and
    B = S_k·fn_j − S_j·fn_k. At the ends of the a-axis both S may vanish; the limit from inside is taken there.
    """
    gain = (1 - a) * mass[:, :1] + a * mass[:, 3:]
    limit = np.where(a == 1, mass[:, :1], mass[:, 3:])
    sign = -1.0 if last else 1.0
    bands = []
    for k in candidates:
        low, high = np.zeros_like(a), np.ones_like(a)
        for j in range(len(mass)):
            if j == k:
                continue
            mine, other = np.where((gain[k] == 0) & (gain[j] == 0), limit[[k, j]], gain[[k, j]])
            at0 = sign * (mine * mass[j, 1] - other * mass[k, 1])
            at1 = sign * (mine * mass[j, 2] - other * mass[k, 2])
            with np.errstate(divide="ignore", invalid="ignore"):
                border = at0 / (at0 - at1)
            never = (at0 < 0) & (at1 < 0)
            low = np.where(at0 < 0, np.maximum(low, np.where(at1 == 0, 1.0, border)), low)
            high = np.where(at1 < 0, np.minimum(high, np.where(at0 == 0, 0.0, border)), high)
            low = np.where(never, np.inf, low)
        empty = low > high
        bands.append((np.where(empty, np.nan, low), np.where(empty, np.nan, high)))
    return bands


def edge_weights(resolution: int) -> Floats:
    """Return the weights of the trapezoidal rule on the grid, (resolution, resolution), summing to 1."""
    one = np.ones(resolution)
    one[[0, -1]] = 0.5
    one /= one.sum()
    return np.outer(one, one)

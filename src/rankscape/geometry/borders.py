"""Borders: where on the Tile two performances are equal, as one exact arc."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..floats import logs, logs1p
from ..typing import Floats

Corners = tuple[Fraction, Fraction, Fraction, Fraction]
Kind = Literal["none", "arc", "horizontal", "vertical", "tile"]
Rational = TypeVar("Rational", Fraction, float)


@dataclass(frozen=True)
class Border:
    """Where two performances have equal ranking scores: h(a, b) = 0 on the unit square; h > 0: the first is better.

    With S(a) = (1−a)·tn + a·tp and U(b) = (1−b)·fp + b·fn, h = S₁U₂ − S₂U₁ is the bilinear interpolant of its values
    ``corners`` = (c₀₀, c₀₁, c₁₀, c₁₁) at TNR, NPV, PPV and TPR, exact fractions. So b(a) = A/(A − B), with
    A = (1−a)c₀₀ + a·c₁₀ and B = (1−a)c₀₁ + a·c₁₁: monotone, and one piece at most, for any priors. (Tile, A.4.1.)

    >>> border = border_of_integers([6, 1, 1, 2], [2, 1, 2, 5])
    >>> border.kind, border.b(0.75).round(12).tolist()
    ('arc', 0.416666666667)
    """

    corners: Corners

    @property
    def kind(self) -> Kind:
        """What it is inside the square: "none", "arc", "horizontal", "vertical", or "tile" (tied everywhere)."""
        c00, c01, c10, c11 = self.corners
        if not any(self.corners):
            return "tile"
        if min(self.corners) >= 0 or max(self.corners) <= 0:
            return "none"
        if c00 * c11 != c01 * c10:
            return "arc"
        return "horizontal" if c00 * c01 < 0 or c10 * c11 < 0 else "vertical"

    @property
    def span(self) -> tuple[Fraction, Fraction] | None:
        """The interval of a over which the border runs inside the square; None where there is none."""
        if self.kind in ("none", "tile"):
            return None
        c00, c01, c10, c11 = self.corners
        ends = [Fraction(x) for x, (left, right) in ((0, (c00, c01)), (1, (c10, c11))) if left * right <= 0]
        for left, right in ((c00, c10), (c01, c11)):  # where it meets the bottom and the top
            if left != right and 0 <= left / (left - right) <= 1:
                ends.append(left / (left - right))
        if self.kind == "vertical":
            ends = [end for end in ends if not any(self.sides(end))]
        elif self.kind == "horizontal":
            ends = [Fraction(0), Fraction(1)]
        return min(ends), max(ends)

    def sides(self, a: Rational) -> tuple[Rational, Rational]:
        """Return h at b = 0 and at b = 1; exact for fractions."""
        c00, c01, c10, c11 = self.corners
        return (1 - a) * c00 + a * c10, (1 - a) * c01 + a * c11

    def h(self, a: Rational, b: Rational) -> Rational:
        """Return S₁U₂ − S₂U₁: positive where the first performance is better, 0 on the border; exact for fractions."""
        below, above = self.sides(a)
        return (1 - b) * below + b * above

    def b(self, a: ArrayLike) -> Floats:
        """Return b on the border at a, NaN where there is none; exactly on a side where the two tie all along it, too.

        >>> Border((Fraction(1), Fraction(-1), Fraction(1), Fraction(-3))).b([0, 0.5, 1]).round(4).tolist()
        [0.5, 0.3333, 0.25]
        """
        a = np.asarray(a, dtype=np.float64)
        if self.kind == "horizontal":  # b is constant, also at an end where both sides vanish
            c00, c01, c10, c11 = (float(c) for c in self.corners)
            low, high = (c00, c01) if c00 - c01 else (c10, c11)
            return np.where((a >= 0) & (a <= 1), low / (low - high), np.nan)
        b = self.ratio(a)
        inside = (a >= 0) & (a <= 1) & (b >= 0) & (b <= 1)
        return np.where(inside & (self.kind != "tile"), b, np.nan)

    def ratio(self, a: Floats) -> Floats:
        """Return A/(A − B) at a, b on the border or, outside [0, 1], on its continuation; NaN where it is 0/0."""
        c00, c01, c10, c11 = (float(c) for c in self.corners)
        below, above = (1 - a) * c00 + a * c10, (1 - a) * c01 + a * c11
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(below / (below - above))

    def exact_b(self, a: Fraction) -> Fraction | None:
        """Return b on the border at a rational a, as a fraction; None where there is none, or more than one."""
        below, above = self.sides(a)
        if below == above:
            return None
        b = below / (below - above)
        return b if 0 <= b <= 1 else None

    def area(self) -> float:
        """Return the share of the Tile on which the first performance is better, by the closed form of ∫ b(a) da.

        >>> round(Border((Fraction(1), Fraction(-1), Fraction(1), Fraction(-3))).area(), 12)  # ½ ln 2
        0.34657359028
        """
        if self.kind == "tile":
            return 0.0
        span = self.span
        if span is None:
            return float(max(self.corners) > 0)
        if self.kind == "vertical":
            left = float(span[0])
            return left if self.h(Fraction(0), Fraction(1, 2)) > 0 else 1 - left
        start, end = span
        total = self.area_below(start, end)
        below_is_first = self.sides((start + end) / 2)[0] > 0
        total = total if below_is_first else float(end - start) - total
        # Beside the arc one of the two is better throughout.
        for low, high in ((Fraction(0), start), (end, Fraction(1))):
            if low < high and self.h((low + high) / 2, Fraction(1, 2)) > 0:
                total += float(high - low)
        return total

    def area_below(self, start: Fraction | float, end: Fraction | float) -> float:
        """Return ∫ b(a) da from ``start`` to ``end``, both inside ``span``.

        With D = A − B, r = D(end)/D(start), L = ln r/(r − 1) and M = (1 − L)/(r − 1), the mean of b is
        [A(start)(L − M) + A(end)·M]/D(start).
        """
        start, end = Fraction(start), Fraction(end)
        (at0, at1), (to0, to1) = self.sides(start), self.sides(end)
        if at0 == at1 or to0 == to1:  # a horizontal border that starts on a tied side
            middle = self.sides((start + end) / 2)
            return float((end - start) * middle[0] / (middle[0] - middle[1]))
        r = Fraction(to0 - to1) / (at0 - at1)
        x = float(r - 1)
        if abs(x) < 0.02:
            powers: list[float] = list(accumulate([1.0] + [-x] * 11, mul))
            log_mean = sum(p / (k + 1) for k, p in enumerate(powers))
            first = sum(p / (k + 2) for k, p in enumerate(powers))
        else:
            log_mean = (float(logs1p(x)) if r > Fraction(1, 2) else _log(r)) / x  # r − 1 rounds to −1 where r is tiny
            first = (1 - log_mean) / x
        mean = float(at0 / (at0 - at1)) * (log_mean - first) + float(to0 / (at0 - at1)) * first
        return float(end - start) * mean


def _log(r: Fraction) -> float:
    """Return ln r, also where r is too small for a float."""
    bits = r.numerator.bit_length() - r.denominator.bit_length()
    return float(logs(float(r / Fraction(2) ** bits)) + bits * logs(2.0))


def border_of_integers(first: list[int], second: list[int]) -> Border:
    """Return the border of two measures given by integers (tn, fp, fn, tp), each up to a factor.

    >>> [str(c) for c in border_of_integers([4, 1, 2, 3], [3, 2, 1, 4]).corners]
    ['1/20', '-1/50', '1/50', '-1/20']
    """
    scale = sum(first) * sum(second)

    def corner(satisfying: int, unsatisfying: int) -> Fraction:
        return Fraction(first[satisfying] * second[unsatisfying] - second[satisfying] * first[unsatisfying], scale)

    return Border((corner(0, 1), corner(0, 2), corner(3, 1), corner(3, 2)))

"""The cells into which the borders of all pairs divide the Tile: regions, pieces of borders, and points, exactly.

The order of n performances by R_{a,b} is the same all over a cell. In a column a the borders meet at rational b; from
column to column their order changes only where two of them cross or one meets the bottom or the top. These columns are
roots of polynomials of degree two at most. One rational column between each two neighbors shows all regions and pieces
of borders; the rational roots show the points on them; at an irrational root a the signs are decided modulo its
polynomial.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd, isqrt, lcm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats
from .borders import Border, border_of_integers

Kind = Literal["region", "border", "point"]
Lines = tuple[tuple[int, int], tuple[int, int]]
"""Two lines c₀ + c₁·a with whole coefficients: h at the bottom and at the top."""
Quadratic = tuple[int, int, int]
Signs = NDArray[np.int8]

BITS = 64
"""How closely a root is enclosed at first."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one column from the bottom to the top, or a single point: kinds, and the signs of h_ij, by pairs.

    ``signs`` is (cells, pairs), ``defined`` (cells, n) says who has a value, ``sizes`` how large the cells are here;
    ``marks`` are the b of the points and borders. ``exact`` says whether a and b are these very fractions.
    """

    a: Fraction
    marks: tuple[Fraction, ...]
    kinds: tuple[Kind, ...]
    sizes: Floats
    signs: Signs
    defined: Flags
    exact: bool = True

    def place(self, k: int) -> tuple[Fraction, Fraction]:
        """Return a place (a, b) in the k-th cell: on a border, or halfway between two."""
        if k % 2 == 0:
            return self.a, self.marks[k // 2]
        return self.a, (self.marks[k // 2] + self.marks[k // 2 + 1]) / 2


@dataclass
class Root:
    """An irrational root of an irreducible quadratic with whole coefficients, and fractions that enclose it."""

    quadratic: Quadratic
    low: Fraction
    high: Fraction

    def halve(self) -> None:
        """Enclose it more closely."""
        middle = (self.low + self.high) / 2
        if _value(self.quadratic, self.low) * _value(self.quadratic, middle) < 0:
            self.high = middle
        else:
            self.low = middle

    def sign(self, c0: Fraction, c1: Fraction) -> int:
        """Return the sign of c₀ + c₁·a at the root."""
        if c1 == 0:
            return _sign(c0)
        zero = -c0 / c1  # rational, so that it is not the root
        while self.low < zero < self.high:
            self.halve()
        return _sign(c1) if zero <= self.low else -_sign(c1)

    def sign_of(self, quadratic: Quadratic) -> int:
        """Return the sign of a quadratic at the root: that of its remainder."""
        m0, m1, m2 = self.quadratic
        factor = Fraction(quadratic[2], m2)
        return self.sign(quadratic[0] - factor * m0, quadratic[1] - factor * m1)


def _sign(x: int | Fraction) -> int:
    return int(x > 0) - int(x < 0)


def _value(quadratic: Quadratic, a: Fraction) -> Fraction:
    return quadratic[0] + a * (quadratic[1] + a * quadratic[2])


def pairs_of(n: int) -> list[tuple[int, int]]:
    """Return the pairs i < j in the order in which signs stand."""
    return list(combinations(range(n), 2))


class Arrangement:
    """The borders of all pairs of performances, given by integers, (n, 4), none of whose rows is 0."""

    def __init__(self, integers: NDArray[Any]) -> None:
        self.rows = [[int(x) for x in row] for row in integers]
        self.borders = [border_of_integers(self.rows[i], self.rows[j]) for i, j in pairs_of(len(self.rows))]
        self.lines = [_lines(border) for border in self.borders]
        inner = [lines for lines, border in zip(self.lines, self.borders, strict=True) if border.span is not None]
        self.crossing = list(dict.fromkeys(max(lines, _negative(lines)) for lines in inner))

    def __len__(self) -> int:
        """Return how many borders run through the Tile, equal ones counted once."""
        return len(self.crossing)

    def cells(self) -> Iterator[Cells]:
        """Yield all cells, some of them more than once."""
        rational, irrational = self._columns()
        for root, through in irrational:
            yield from self._points(root, through)
        fixed = sorted(rational)
        for a in fixed:
            yield self._column(a, 0.0)
        for (_, low), (high, _) in pairwise(_apart(fixed, [root for root, _ in irrational])):
            yield self._column(_between(low, high), float(high - low))

    def _columns(self) -> tuple[set[Fraction], list[tuple[Root, list[int]]]]:
        """Return where the order of the borders may change: fractions, and roots with a border through each point."""
        rational = {Fraction(0), Fraction(1)}
        for lines in self.crossing:
            for c0, c1 in lines:
                if c0 * c1 < 0:
                    rational.add(Fraction(-c0, c1))
        enclosed: dict[tuple[Quadratic, int], tuple[Root, list[int]]] = {}
        for k, other in combinations(range(len(self.crossing)), 2):
            quadratic = _crossing(self.crossing[k], self.crossing[other])
            if not any(quadratic):
                continue
            rational.update(a for a in _rational_roots(quadratic) if 0 < a < 1)
            for which, root in enumerate(_irrational_roots(quadratic)):
                enclosed.setdefault((root.quadratic, which), (root, []))[1].append(k)
        inside = [(root, through) for root, through in enclosed.values() if root.sign(Fraction(0), Fraction(1)) > 0]
        return {a for a in rational if a <= 1}, [
            (root, list(dict.fromkeys(through))) for root, through in inside if root.sign(Fraction(-1), Fraction(1)) < 0
        ]

    def _points(self, root: Root, through: list[int]) -> Iterator[Cells]:
        """Yield the points of an irrational column at which borders cross."""
        for k in through:
            (p0, p1), (q0, q1) = self.crossing[k]
            below, above = (root.sign(Fraction(x), Fraction(y)) for x, y in self.crossing[k])
            if below * above >= 0:
                continue  # it is not inside the Tile there
            # h of another pair is (A_k·B − A·B_k)/(A_k − B_k) there, whose denominator has the sign of A_k.
            signs = [below * root.sign_of(_crossing(self.crossing[k], lines)) for lines in self.lines]
            a = (root.low + root.high) / 2
            bottom, top = p0 + p1 * a, q0 + q1 * a
            yield Cells(
                a, (bottom / (bottom - top),), ("point",), np.zeros(1), np.array([signs], dtype=np.int8),
                np.ones((1, len(self.rows)), dtype=bool), exact=False,
            )  # fmt: skip

    def _column(self, a: Fraction, width: float) -> Cells:
        """Return the cells of a rational column; ``width`` is 0 for one in which the order of borders changes."""
        x, y = a.denominator - a.numerator, a.numerator
        ends = [[(x + y) * c0 + y * c1 for c0, c1 in lines] for lines in self.lines]
        meets = [Fraction(below, below - above) if below * above < 0 else None for below, above in ends]
        marks = (Fraction(0), *sorted({b for b in meets if b is not None}), Fraction(1))
        last = 2 * len(marks) - 2
        number = {b: 2 * k for k, b in enumerate(marks)}
        below, above = (np.array([_sign(end[side]) for end in ends], dtype=np.int8) for side in (0, 1))
        at = np.array([-1 if b is None else number[b] for b in meets])
        levels = np.arange(last + 1)[:, None]
        unchanged = np.where(below == 0, above, below)
        signs = np.where(at < 0, unchanged, np.where(levels < at, below, np.where(levels > at, above, 0)))
        signs[0], signs[last] = below, above
        on, beside = ("border", "region") if width else ("point", "border")
        heights = np.diff(np.array(marks, dtype=np.float64))
        sizes = np.full(last + 1, width)
        sizes[1::2] = heights * width if width else heights
        kinds = tuple(beside if k % 2 else on for k in range(last + 1))
        return Cells(a, marks, kinds, sizes, signs.astype(np.int8), self._defined(x, y, last))  # type: ignore[arg-type]

    def _defined(self, x: int, y: int, last: int) -> Flags:
        """Return who has a value in a column, at the bottom, inside, and at the top: S + U > 0."""
        defined = np.empty((last + 1, len(self.rows)), dtype=bool)
        for k, (tn, fp, fn, tp) in enumerate(self.rows):
            earns = x * tn + y * tp > 0
            defined[:, k] = earns or fp > 0 or fn > 0
            defined[0, k], defined[last, k] = earns or fp > 0, earns or fn > 0
        return defined


def _lines(border: Border) -> Lines:
    """Return h at b = 0 and at b = 1, up to a positive factor, as lines with whole coefficients."""
    common = lcm(*(corner.denominator for corner in border.corners))
    c00, c01, c10, c11 = (int(corner * common) for corner in border.corners)
    shared = gcd(c00, c01, c10, c11) or 1
    return (c00 // shared, (c10 - c00) // shared), (c01 // shared, (c11 - c01) // shared)


def _negative(lines: Lines) -> Lines:
    (a0, a1), (b0, b1) = lines
    return (-a0, -a1), (-b0, -b1)


def _crossing(one: Lines, other: Lines) -> Quadratic:
    """Return A·B' − A'·B, which is 0 where two borders meet; on the first one it is h' times A − B."""
    ((a0, a1), (b0, b1)), ((c0, c1), (d0, d1)) = one, other
    return a0 * d0 - c0 * b0, a0 * d1 + a1 * d0 - c0 * b1 - c1 * b0, a1 * d1 - c1 * b1


def _primitive(quadratic: Quadratic) -> Quadratic:
    shared = gcd(*quadratic) * (1 if quadratic[2] > 0 else -1)
    return quadratic[0] // shared, quadratic[1] // shared, quadratic[2] // shared


def _rational_roots(quadratic: Quadratic) -> list[Fraction]:
    c0, c1, c2 = quadratic
    if c2 == 0:
        return [Fraction(-c0, c1)] if c1 else []
    square = c1 * c1 - 4 * c0 * c2
    if square < 0 or isqrt(square) ** 2 != square:
        return []
    return [Fraction(-c1 + sign * isqrt(square), 2 * c2) for sign in (-1, 1)]


def _irrational_roots(quadratic: Quadratic) -> list[Root]:
    """Return the irrational roots, the smaller one first, each enclosed without the other."""
    if quadratic[2] == 0:
        return []
    c0, c1, c2 = _primitive(quadratic)
    square = c1 * c1 - 4 * c0 * c2
    if square < 0 or isqrt(square) ** 2 == square:
        return []
    near = isqrt(square << (2 * BITS))  # of 2^BITS times the root of the discriminant, rounded down
    scale = 2 * c2 << BITS
    ends = [sorted(Fraction((-c1 << BITS) + sign * x, scale) for x in (near, near + 1)) for sign in (-1, 1)]
    return [Root((c0, c1, c2), low, high) for low, high in ends]


def _apart(fixed: list[Fraction], roots: list[Root]) -> list[tuple[Fraction, Fraction]]:
    """Return intervals around all columns, in order, which do not touch each other; ``fixed`` is sorted."""
    for root in roots:
        while (k := bisect_left(fixed, root.low)) < len(fixed) and fixed[k] <= root.high:
            root.halve()
    while True:
        roots = sorted(roots, key=lambda root: root.low)
        close = [pair for pair in pairwise(roots) if pair[0].high >= pair[1].low]
        if not close:
            return sorted([(a, a) for a in fixed] + [(root.low, root.high) for root in roots])
        for pair in close:
            for root in pair:
                root.halve()


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Return a fraction with few digits well inside an interval."""
    middle, largest = (low + high) / 2, 1
    while abs((simple := middle.limit_denominator(largest)) - middle) > (high - low) / 4:
        largest *= 4
    return simple

"""Proof that an expression is a ranking score: an identity of polynomials, decided exactly."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Union

from ..kernels.univariate import product
from .ratios import NotRationalError

LARGEST = 3000  # terms: beyond this nothing is proved
LARGEST_PRODUCT = 100_000  # products of two terms, for the same reason

Coefficient = int | Fraction


class Polynomial:
    """A polynomial in tn, fp, fn, tp with rational coefficients: exponents → coefficient."""

    def __init__(self, terms: Mapping[tuple[int, ...], Coefficient]) -> None:
        self.terms = {exponents: c for exponents, c in terms.items() if c}
        if len(self.terms) > LARGEST:
            raise NotRationalError("the expression is too large to be expanded")

    def __add__(self, other: Union["Polynomial", int, Fraction]) -> "Polynomial":
        terms: dict[tuple[int, ...], Coefficient] = defaultdict(int, self.terms)
        for exponents, c in polynomial(other).terms.items():
            terms[exponents] += c
        return Polynomial(terms)

    def __mul__(self, other: Union["Polynomial", int, Fraction]) -> "Polynomial":
        terms: dict[tuple[int, ...], Coefficient] = defaultdict(int)
        others = polynomial(other).terms
        if len(self.terms) * len(others) > LARGEST_PRODUCT:
            raise NotRationalError("the expression is too large to be expanded")
        for (i, j, k, m), c1 in self.terms.items():
            for (p, q, r, s), c2 in others.items():
                terms[i + p, j + q, k + r, m + s] += c1 * c2
        return Polynomial(terms)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Polynomial":
        return self * -1

    def __call__(self, point: tuple[Fraction, ...]) -> Fraction:
        """Return the value at a point."""
        value = Fraction(0)
        for exponents, c in self.terms.items():
            value += prod((x**exponent for x, exponent in zip(point, exponents, strict=True)), start=c)
        return value

    def slope(self, point: tuple[Fraction, ...], i: int) -> Fraction:
        """Return the derivative by the i-th variable at a point."""
        terms = {
            tuple(e - (j == i) for j, e in enumerate(exponents)): c * exponents[i]
            for exponents, c in self.terms.items()
            if exponents[i]
        }
        return Polynomial(terms)(point)

    def along(self, curve: Sequence[list[int]]) -> list[Coefficient]:
        """Return the coefficients in t, the lowest power first, where the variables are polynomials of t."""
        powers = [[[1]] for _ in curve]
        for exponents in self.terms:
            for base, known, exponent in zip(curve, powers, exponents, strict=True):
                while len(known) <= exponent:
                    known.append(product(known[-1], base))
        total: list[Coefficient] = []
        for exponents, c in self.terms.items():
            term = [1]
            for known, exponent in zip(powers, exponents, strict=True):
                term = product(term, known[exponent])
            total += [0] * (len(term) - len(total))
            for k, x in enumerate(term):
                total[k] += c * x
        return total


def polynomial(value: Any) -> Polynomial:
    """Return a polynomial, or a number as one."""
    if not isinstance(value, (Polynomial, int, Fraction)):
        raise NotRationalError("neither a polynomial nor an exact number")
    return value if isinstance(value, Polynomial) else Polynomial({(0,) * 4: value})


def importance_of(top: Polynomial, bottom: Polynomial) -> tuple[Fraction, ...] | None:
    """Return I if top/bottom equals R_I wherever both are defined, as an identity; None if that is not proved.

    The candidate comes from mixtures of two outcomes, R_I(½δ_s + ½δ_u) = I(s) / (I(s) + I(u)); then
    numerator · E[I] = denominator · E[I·S] is checked as polynomials of probabilities.
    """
    unit = [tuple(int(i == j) for j in range(4)) for i in range(4)]
    if not bottom.terms:
        return None
    importance = _candidate(top, bottom)
    if importance is None:
        return None
    due = Polynomial(dict(zip(unit, importance, strict=True)))
    earned = Polynomial({unit[0]: importance[0], unit[3]: importance[3]})
    return importance if not (top * due + -(bottom * earned)).terms else None


def _candidate(top: Polynomial, bottom: Polynomial) -> tuple[Fraction, ...] | None:
    """Solve for I from the values on the middles of the four edges between a satisfying and an unsatisfying outcome."""
    odds: dict[tuple[int, int], Fraction | None] = {}  # (s, u) → I(u)/I(s), None for ∞
    for s in (0, 3):
        for u in (1, 2):
            point = tuple(Fraction(1, 2) if i in (s, u) else Fraction(0) for i in range(4))
            below = bottom(point)
            if below == 0:
                continue  # neither outcome matters
            value = top(point) / below
            if not 0 <= value <= 1:
                return None
            odds[s, u] = (1 - value) / value if value else None
    for s in (0, 3):
        mine = [odds.get((s, u)) for u in (1, 2)]
        if (s, 1) in odds and (s, 2) in odds and None not in mine:
            other = 3 - s
            weight = {s: Fraction(1), 1: mine[0] or Fraction(0), 2: mine[1] or Fraction(0), other: Fraction(0)}
            for u in (1, 2):
                ratio = odds.get((other, u))
                if weight[u] and ratio:
                    weight[other] = weight[u] / ratio
            if any(weight[u] for u in (1, 2)):
                return tuple(weight[i] for i in range(4))
    return None

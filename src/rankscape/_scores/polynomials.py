"""Polynomials of tn, fp, fn, tp: formulas as ratios of them, and identities that prove a formula a ranking score.

Where a share is fixed there are two variables: FPR and TPR of one prior, and in their places the false omission rate
and the precision of one prediction rate.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any, Union

from ..errors import UsageError
from ..kernels.univariate import product
from ..outcomes import TWO_CLASS
from .expressions import LARGEST_POWER, Node, evaluate, number
from .ratios import NotRationalError, Ratio
from .sets import PerformanceSet

LARGEST_EXPONENT = 700
"""The exponential of more is infinite in floats, so undefined; a little more is still a number."""

KEPT = 64
"""Formulas whose polynomials are kept: the parts of a proof ask for them one after the other."""

LARGEST = 3000  # terms: beyond this nothing is proved
LARGEST_PRODUCT = 100_000  # products of two terms, for the same reason

UNIT = [tuple(int(i == j) for j in range(4)) for i in range(4)]
"""The exponents of tn, fp, fn and tp themselves."""

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
    if not bottom.terms:
        return None
    importance = _candidate(top, bottom)
    if importance is None:
        return None
    due = Polynomial(dict(zip(UNIT, importance, strict=True)))
    earned = Polynomial({UNIT[0]: importance[0], UNIT[3]: importance[3]})
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
        here = [odds.get((s, u)) for u in (1, 2)]
        if (s, 1) in odds and (s, 2) in odds and None not in here:
            other = 3 - s
            weight = {s: Fraction(1), 1: here[0] or Fraction(0), 2: here[1] or Fraction(0), other: Fraction(0)}
            for u in (1, 2):
                ratio = odds.get((other, u))
                if weight[u] and ratio:
                    weight[other] = weight[u] / ratio
            if any(weight[u] for u in (1, 2)):
                return tuple(weight[i] for i in range(4))
    return None


# Formulas


def outcomes_on(among: PerformanceSet) -> dict[str, Ratio]:
    """Return the probabilities of tn, fp, fn and tp as polynomials."""
    unit = [Polynomial({exponents: 1}) for exponents in UNIT]
    if among.fixed is None:
        total = unit[0] + unit[1] + unit[2] + unit[3]
        return {name: Ratio(p, 1, 1, total) for name, p in zip(TWO_CLASS.outcomes, unit, strict=True)}
    x, y, p = unit[0], unit[1], among.share
    masses = [(-x + 1) * (1 - p), x * (1 - p), (-y + 1) * p, y * p]
    if among.fixed == "rate":
        masses[1], masses[2] = masses[2], masses[1]
    return {name: Ratio(mass) for name, mass in zip(TWO_CLASS.outcomes, masses, strict=True)}


def ratio_of(node: Node, values: Mapping[str, Ratio]) -> Ratio | None:
    """Return a formula as a ratio of polynomials; None where it is not rational, or too large."""
    try:
        return evaluate(node, values)
    except (NotRationalError, UsageError, TypeError):
        return None


def whole(ratio: Ratio | None) -> tuple[Polynomial, Polynomial] | None:
    """Return numerator and denominator."""
    if ratio is None:
        return None
    try:
        plain = ratio.whole()
        return polynomial(plain.top), polynomial(plain.bottom)
    except NotRationalError:
        return None


@lru_cache(maxsize=KEPT)
def polynomials_of(node: Node, among: PerformanceSet) -> tuple[Polynomial, Polynomial] | None:
    """Return numerator and denominator of a formula as polynomials; None where it is not rational."""
    return whole(ratio_of(node, outcomes_on(among)))


def mixtures_stay_defined(node: Node) -> bool:
    """Tell whether it is proved that mixtures of performances for which a formula is defined are so too.

    What must not be 0 has no terms of both signs: it is 0 on faces of the simplex only, and no mixture enters a face.
    """
    return all(positive_inside(condition) for condition in _conditions(node))


def _conditions(node: Node) -> Iterator[Node]:
    """All that must be positive, or only of one sign, for the formula to be defined; powers stand for themselves."""
    for arg in node.args:
        yield from _conditions(arg)
    if node.kind != "call":
        return
    if node.value == "/":
        yield node.args[1]
    elif node.value == "**" and _whole(node.args[1]):
        if node.args[1].value < 0:
            yield node.args[0]
    elif node.value in ("**", "sqrt"):
        yield node
    elif node.value == "exp":  # far from where floats overflow: 700 − x
        yield Node("call", "sqrt", (Node("call", "-", (number(LARGEST_EXPONENT), node.args[0])),))
    elif node.value == "log":
        yield Node("call", "sqrt", node.args)
    elif node.value == "probit":  # x and 1 − x
        yield Node("call", "sqrt", node.args)
        yield Node("call", "sqrt", (Node("call", "-", (number(1), node.args[0])),))


def _whole(exponent: Node) -> bool:
    """Tell whether powers by a number are taken exactly."""
    return exponent.kind == "number" and exponent.value.denominator == 1 and abs(exponent.value) <= LARGEST_POWER


def positive_inside(node: Node) -> bool:
    """Tell whether a formula has one sign, and is 0 on faces only; under a root, whether that sign is +."""
    positive = node.kind == "call" and node.value == "sqrt"
    if positive:
        node = node.args[0]
    ratio = polynomials_of(node, PerformanceSet())
    if ratio is None:
        product = node.kind == "call" and node.value == "*" and not positive
        return product and all(positive_inside(arg) for arg in node.args)
    signs = [{c > 0 for c in p.terms.values()} for p in ratio]
    if len(signs[0]) > 1 or len(signs[1]) != 1:
        return False
    return not positive or signs[0] in (set(), signs[1])

"""Polynomials in one variable with rational coefficients: exact statements on (0, 1), by Sturm's theorem.

A polynomial is a list of integers, that of the lowest power first, the last one not 0; [] is the polynomial 0.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import Any, TypeVar

Polynomial = list[int]
Number = int | Fraction
Coefficient = TypeVar("Coefficient", int, Fraction)


def primitive(coefficients: Iterable[Number]) -> Polynomial:
    """Return a positive multiple of a polynomial, in the smallest integers.

    >>> primitive([Fraction(1, 2), -1, 0])
    [1, -2]
    """
    fractions = [Fraction(c) for c in coefficients]
    while fractions and not fractions[-1]:
        fractions.pop()
    scale = lcm(*(c.denominator for c in fractions))
    whole = [int(c * scale) for c in fractions]
    divisor = gcd(*whole)
    return [c // divisor for c in whole]


def value(p: Sequence[Number], x: Number) -> Number:
    """Return the value at a place."""
    total: Number = 0
    for c in reversed(p):
        total = total * x + c
    return total


def derivative(p: Sequence[int]) -> Polynomial:
    """Return the derivative."""
    return [k * c for k, c in enumerate(p)][1:]


def product(p: Sequence[Coefficient], q: Sequence[Coefficient]) -> list[Coefficient]:
    """Return the product of two polynomials."""
    out: list[Any] = [0] * (len(p) + len(q) - 1) if p and q else []
    for i, c in enumerate(p):
        for j, d in enumerate(q):
            out[i + j] += c * d
    return out


def difference(p: Sequence[int], q: Sequence[int]) -> Polynomial:
    """Return p − q."""
    size = max(len(p), len(q))
    out = [(p[k] if k < len(p) else 0) - (q[k] if k < len(q) else 0) for k in range(size)]
    while out and not out[-1]:
        out.pop()
    return out


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return a positive multiple of the remainder of p divided by q, in the smallest integers."""
    rest, lead = list(p), abs(q[-1])
    sign = 1 if q[-1] > 0 else -1
    while len(rest) >= len(q):
        factor, shift = sign * rest[-1], len(rest) - len(q)
        rest = [lead * c for c in rest]
        for k, c in enumerate(q):
            rest[shift + k] -= factor * c
        while rest and not rest[-1]:
            rest.pop()
    return primitive(rest)


def quotient(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return p / q, which must leave no remainder, up to a positive factor.

    >>> quotient([-1, 0, 1], [1, 1])
    [-1, 1]
    """
    rest, out = [Fraction(c) for c in p], [Fraction(0)] * max(len(p) - len(q) + 1, 0)
    for shift in reversed(range(len(out))):
        out[shift] = rest[shift + len(q) - 1] / q[-1]
        for k, c in enumerate(q):
            rest[shift + k] -= out[shift] * c
    return primitive(out)


def common(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the greatest common divisor, its leading coefficient positive.

    >>> common([-1, 0, 1], [1, 2, 1])
    [1, 1]
    """
    while q:
        p, q = q, _remainder(p, q)
    p = primitive(p)
    return [-c for c in p] if p and p[-1] < 0 else p


def roots_inside(p: Polynomial) -> int:
    """Return the number of different roots in the open interval (0, 1) of a polynomial that is not 0. (Sturm.)

    >>> roots_inside([0, -1, 2]), roots_inside([1, -4, 4]), roots_inside([1, 0, 1])
    (1, 1, 0)
    """
    for end in ([0, 1], [-1, 1]):
        while len(p) > 1 and value(p, -end[0]) == 0:
            p = quotient(p, end)
    chain = _chain(p)
    return _changes(chain, 0) - _changes(chain, 1)


def _chain(p: Polynomial) -> list[Polynomial]:
    """Return the chain of Sturm of a polynomial that is not 0."""
    chain = [primitive(p), primitive(derivative(p))]
    while chain[-1]:
        chain.append([-c for c in _remainder(chain[-2], chain[-1])])
    return chain[:-1]


def _changes(chain: list[Polynomial], x: Number) -> int:
    """Return how often the sign changes along a chain at a place."""
    signs = [v > 0 for v in (value(one, x) for one in chain) if v]
    return sum(s != t for s, t in pairwise(signs))


def sign_inside(p: Polynomial) -> int | None:
    """Return the sign that a polynomial keeps on (0, 1), but for single places where it is 0; None if it changes.

    Only roots of odd multiplicity change it.

    >>> sign_inside([1, -4, 4]), sign_inside([-1, 2]), sign_inside([0, -1]), sign_inside([])
    (1, None, -1, 0)
    """
    if not p:
        return 0
    odd, rest, multiplicity = [1], primitive(p), 1
    repeated = common(rest, primitive(derivative(rest)))
    roots = quotient(rest, repeated)  # each root once
    while len(roots) > 1:
        again = common(roots, repeated)
        if multiplicity % 2:
            odd = product(odd, quotient(roots, again))
        repeated, roots, multiplicity = quotient(repeated, again), again, multiplicity + 1
    if len(odd) > 1 and roots_inside(odd):
        return None
    k = 2
    while not (at := value(p, Fraction(1, k))):
        k += 1
    return 1 if at > 0 else -1

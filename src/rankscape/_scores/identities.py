"""Rational functions that are strictly monotone functions of one ranking score, by identities of polynomials.

X is a function u of R_I = S/(S + U) if X(P) = u(S(P)/(S(P) + U(P))) as an identity, where u(t) is X on a curve of
performances with R_I = t. A gradient says which I it must be; whether u increases on (0, 1) is decided by Sturm's
theorem.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from ..kernels import univariate
from .polynomials import UNIT, Polynomial
from .sets import PerformanceSet

Importance = tuple[Fraction, ...]
Bound = Fraction | float
"""A fraction, or an infinity."""

Place = tuple[Fraction, ...]
Line = tuple[Fraction, ...]

PLACES: tuple[Place, ...] = tuple(
    tuple(Fraction(x, 23) for x in place) for place in ((5, 2, 3, 13), (3, 7, 11, 2), (13, 1, 6, 3), (2, 9, 5, 7))
)
"""Where gradients are taken: nothing special happens there. Where a share is fixed the first two numbers count."""

T, REST, ONE = [0, 1], [1, -1], [1]
"""t, 1 − t and 1, as polynomials of t."""


@dataclass(frozen=True)
class Candidate:
    """A ranking score: its canonical importance, S and U up to factors, and a curve on which S/(S + U) = t."""

    importance: Importance
    satisfying: Polynomial
    unsatisfying: Polynomial
    curve: tuple[list[int], ...]


def function_of_a_ranking_score(
    top: Polynomial, bottom: Polynomial, among: PerformanceSet
) -> tuple[Importance | None, int, Bound, Bound] | None:
    """Return importance, direction and bounds of a ratio that is a strictly monotone function of a ranking score.

    The importance is None, and the direction 0, for a constant; None where neither is proved. Raises NotRationalError
    where polynomials become too large.
    """
    places = [place for place in PLACES if bottom(place)]
    if not places:
        return None
    value = top(places[0]) / bottom(places[0])
    if not (top + bottom * -value).terms:
        return None, 0, value, value
    on_simplex = among.fixed is None
    candidate = _on_the_simplex(top, bottom, places) if on_simplex else _on_a_square(top, bottom, places, among)
    if candidate is None:
        return None
    ratio = _along(top, bottom, candidate.curve)
    if ratio is None or not _identical(top, bottom, *ratio, candidate, places):
        return None
    n, d = ratio
    slope = univariate.difference(
        univariate.product(univariate.derivative(n), d), univariate.product(n, univariate.derivative(d))
    )
    sign = univariate.sign_inside(slope)
    if not sign or univariate.roots_inside(d):
        return None
    ends = [_at_end(n, d, t, sign) for t in (0, 1)]
    return candidate.importance, sign, min(ends), max(ends)


def _at_end(n: list[int], d: list[int], t: int, sign: int) -> Bound:
    """Return the value, or the limit, at an end of [0, 1]."""
    bottom = univariate.value(d, t)
    if bottom:
        return Fraction(univariate.value(n, t)) / bottom
    return inf if (sign > 0) == (t == 1) else -inf


def _along(top: Polynomial, bottom: Polynomial, curve: tuple[list[int], ...]) -> tuple[list[int], list[int]] | None:
    """Return the ratio on a curve, in lowest terms; None where it is undefined all along."""
    exact = [p.along(curve) for p in (top, bottom)]
    n, d = (univariate.primitive(p) for p in exact)
    if not n or not d:
        return None
    shared = univariate.common(n, d)
    n, d = univariate.quotient(n, shared), univariate.quotient(d, shared)
    four: tuple[Sequence[Fraction | int], ...] = (*exact, n, d)
    t = next(t for t in (Fraction(1, k) for k in range(2, 1000)) if all(univariate.value(p, t) for p in four))
    values = [Fraction(univariate.value(p, t)) for p in four]
    factor = values[0] / values[1] * values[3] / values[2]
    return [factor.numerator * c for c in n], [factor.denominator * c for c in d]


def _identical(
    top: Polynomial, bottom: Polynomial, n: list[int], d: list[int], candidate: Candidate, places: list[Place]
) -> bool:
    """Tell whether top/bottom = n(t)/d(t) with t = S/(S + U), everywhere: first at some places, then as polynomials."""
    s, both = candidate.satisfying, candidate.satisfying + candidate.unsatisfying
    degree = max(len(n), len(d)) - 1
    for place in places:
        t = s(place) / both(place)
        if top(place) * univariate.value(d, t) != bottom(place) * univariate.value(n, t):
            return False
    powers = [[Polynomial({(0,) * 4: 1})], [Polynomial({(0,) * 4: 1})]]
    for base, out in zip((s, both), powers, strict=True):
        for _ in range(degree):
            out.append(out[-1] * base)

    def homogeneous(p: list[int]) -> Polynomial:
        total = Polynomial({})
        for k, c in enumerate(p):
            total = total + powers[0][k] * powers[1][degree - k] * c if c else total
        return total

    return not (top * homogeneous(d) + -(bottom * homogeneous(n))).terms


# Which ranking score it must be


def _gradient(top: Polynomial, bottom: Polynomial, place: Place, n: int) -> list[Fraction]:
    """Return the gradient of the ratio, times the square of the denominator."""
    above, below = top(place), bottom(place)
    return [top.slope(place, i) * below - above * bottom.slope(place, i) for i in range(n)]


def _linear(*coefficients: Fraction | int) -> Polynomial:
    """Return Σ cᵢ·xᵢ, and a last coefficient beyond four as a number."""
    return Polynomial(dict(zip((*UNIT, (0,) * 4), coefficients, strict=False)))


def _on_the_simplex(top: Polynomial, bottom: Polynomial, places: list[Place]) -> Candidate | None:
    """Return the only candidate: slopes along tn and tp are as I(tn) to I(tp), and so for fp and fn."""
    for place in places:
        tn, fp, fn, tp = _gradient(top, bottom, place, 4)
        if any((tn, fp, fn, tp)):
            break
    else:
        return None
    if tn * tp < 0 or fp * fn < 0 or (tn + tp) * (fp + fn) >= 0:
        return None
    a, b = tp / (tn + tp), fn / (fp + fn)
    curve = (T if a < 1 else ONE, REST if b < 1 else ONE, REST if b > 0 else ONE, T if a > 0 else ONE)
    return Candidate((1 - a, 1 - b, b, a), _linear(1 - a, 0, 0, a), _linear(0, 1 - b, b, 0), curve)


def _on_a_square(top: Polynomial, bottom: Polynomial, places: list[Place], among: PerformanceSet) -> Candidate | None:
    """Return the only candidate: two tangents to lines of equal values meet where S = U = 0.

    With S = A(1−x) + B·y and U = C·x + E(1−y), S = 0 passes through (1, 0), too, and U = 0 through (0, 1). (Tile, 4.3.)
    """
    tangents = []
    for place in places:
        x, y = _gradient(top, bottom, place, 2)
        if x or y:
            tangents.append((x, y, -x * place[0] - y * place[1]))
    center = next((c for one in tangents[:1] for two in tangents[1:] if any(c := _cross(one, two))), None)
    if center is None:
        return None
    one = Fraction(1)
    satisfying, unsatisfying = _cross((one, Fraction(0), one), center), _cross((Fraction(0), one, one), center)
    A, B, C, E = satisfying[2], satisfying[1], unsatisfying[0], unsatisfying[2]
    if A * B < 0 or C * E < 0 or not A + B or not C + E:
        return None
    A, B, C, E = A / (A + B), B / (A + B), C / (C + E), E / (C + E)
    p = among.share
    tn, tp, fp, fn = A / (1 - p), B / p, C / (1 - p), E / p
    if among.fixed == "rate":
        fp, fn = fn, fp
    a, b = tp / (tn + tp), fn / (fp + fn)
    return Candidate((1 - a, 1 - b, b, a), _linear(-A, B, 0, 0, A), _linear(C, -E, 0, 0, E), (REST, T, ONE, ONE))


def _cross(one: Line, two: Line) -> Line:
    """Return the line through two points, or the point on two lines, in homogeneous coordinates."""
    (a, b, c), (d, e, f) = one, two
    return b * f - c * e, c * d - a * f, a * e - b * d

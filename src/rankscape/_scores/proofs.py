"""What can be proved of a score from its formula: the verdict that rankings and audits share.

A score is sound where it is a strictly monotone function of a ranking score, in the right direction, and mixtures of
performances with a value have one. A ratio of means is at least quasi-convex and quasi-concave.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import mul

from .courses import course_of
from .expressions import Node, with_constants
from .formulated import Formulated
from .polynomials import UNIT, Polynomial, mixtures_stay_defined, polynomials_of, positive_inside
from .ratios import INCREASING
from .sets import PerformanceSet

Form = tuple[Fraction, ...]
ZERO = (0, 0, 0, 0)
CONSTANT = "constant there: all performances are equivalent"
KEPT = 1024
"""Formulas whose proofs are kept."""

EVERYWHERE = "all performances"
"""What the catalogue calls the domain of a score that is always defined."""

FACES = "a denominator is 0 on faces only, and no mixture enters a face"

TESTS = ("axiom2", "quasiconvex", "quasiconcave", "domain")
"""What a sound score keeps: Axiom 2, and of Axiom 3 the two bounds of mixtures and that these have a value."""


@dataclass(frozen=True)
class Proof:
    """How a score stands to a ranking score: ``sign`` +1 as it increases, −1 decreasing, 0 constant."""

    importance: Form
    sign: int
    reason: str


def proved(score: Formulated, among: PerformanceSet, better: int | None = None) -> dict[str, str]:
    """Return which of the properties of a sound score are proved on a set, and how; nothing is searched.

    ``better`` is +1 where larger values are better, −1 where smaller ones are; by default as the score says.

    >>> from .lookup import score
    >>> (
    ...     sorted(proved(score("f1*f1"), PerformanceSet())) == sorted(TESTS),
    ...     list(proved(score("mcc"), PerformanceSet())),
    ... )
    (True, ['domain'])
    """
    better = better or (-1 if score.direction == "smaller" else 1)
    proof = ranking_proof(score, among)
    holds: dict[str, str] = {}
    if proof is not None or linear_forms(score, among) is not None:
        how = proof.reason if proof is not None else "a ratio of means: its values above a threshold fill a half-space"
        holds |= {"quasiconvex": how, "quasiconcave": how}
    if proof is not None and proof.sign in (0, better):
        holds["axiom2"] = proof.reason
    domain = why_domain_is_closed(score, among)
    return holds | ({"domain": domain} if domain else {})


def proved_sound(score: Formulated, among: PerformanceSet) -> bool:
    """Tell whether all properties of a sound score are proved on a set.

    >>> from .lookup import score
    >>> (
    ...     proved_sound(score("tpr + tnr"), PerformanceSet()),
    ...     proved_sound(score("sqrt(acc)"), PerformanceSet()),
    ... )
    (False, True)
    """
    return len(proved(score, among)) == len(TESTS)


def ranking_proof(score: Formulated, among: PerformanceSet) -> Proof | None:
    """Prove that the score is, on this set, constant or a strictly monotone function of a ranking score; else None."""
    if score.constant:
        return Proof(score.orders_as or (), 0, CONSTANT)
    if score.orders_as is not None:
        sign = -1 if score.direction == "smaller" else 1
        return Proof(score.orders_as, sign, "it is a ranking score R_I" if score.importance else _function(sign))
    if among.fixed == "prior" and score.place_nodes is not None:
        place = score.place_at("prior", among.share)
        if place is None:
            return None
        a, b = place
        sign = -1 if score.direction == "smaller" else 1
        return Proof((1 - a, 1 - b, b, a), sign, f"there, {_function(sign)}")
    node = _formula(score)
    return None if node is None else _proof_of_formula(node, among)


def _function(sign: int) -> str:
    return f"a strictly {'increasing' if sign > 0 else 'decreasing'} function of a ranking score R_I"


def _formula(score: Formulated) -> Node | None:
    """Return the formula that orders as the score, parameters replaced by numbers."""
    node = score.order_node or score.node
    return None if node is None else with_constants(node, score.parameters)


@lru_cache(maxsize=KEPT)
def _proof_of_formula(node: Node, among: PerformanceSet) -> Proof | None:
    """Prove it of a ratio of means, by its coefficients, or of what is composed of ranking scores."""
    forms = _forms(node, among)
    proof = None if forms is None else _proof_of_ratio(*forms, among)
    if proof is not None:
        return proof
    course = course_of(node, among)
    if course is None:
        return None
    if course.importance is None or not course.sign:
        return Proof((Fraction(1),) * 4, 0, CONSTANT)
    return Proof(course.importance, course.sign, _function(course.sign))


def _proof_of_ratio(top: Form, bottom: Form, among: PerformanceSet) -> Proof | None:
    importance = _of_simplex(top, bottom) if among.fixed is None else _of_square(top, bottom, among)
    if importance is None:
        return None
    best, worst = ((0, 3), (1, 2)) if among.fixed is None else ((0, 2), (0, 1))  # (x, y) = (0, 1) and (1, 0)
    up = sum(top[i] for i in best) * sum(bottom[i] for i in worst)
    down = sum(top[i] for i in worst) * sum(bottom[i] for i in best)
    sign = (up > down) - (up < down)
    return Proof(importance, sign, _function(sign) if sign else CONSTANT)


def linear_forms(score: Formulated, among: PerformanceSet) -> tuple[Form, Form] | None:
    """Return numerator and denominator where the score is a ratio of means, the denominator ≥ 0; else None.

    Of all performances the coefficients are those of tn, fp, fn, tp; where a prior is fixed, of 1, FPR and TPR. Such a
    ratio is quasi-convex and quasi-concave: its values above, or below, a threshold fill a half-space.
    """
    node = _formula(score)
    return None if node is None else _forms(node, among)


@lru_cache(maxsize=KEPT)
def _forms(node: Node, among: PerformanceSet) -> tuple[Form, Form] | None:
    while _increases(node):
        node = node.args[0]
    ratio = polynomials_of(node, among)
    if ratio is None:
        return None
    top, bottom = ratio
    where = UNIT if among.fixed is None else [ZERO, *UNIT[:2]]
    if not set(top.terms) | set(bottom.terms) <= {*where, ZERO} or not bottom.terms:
        return None
    above, below = (_coefficients(polynomial, where) for polynomial in (top, bottom))
    at_corners = ((1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1))  # of the square of FPR and TPR
    corners = below if among.fixed is None else [sum(map(mul, below, corner)) for corner in at_corners]
    if all(value <= 0 for value in corners):
        return tuple(-c for c in above), tuple(-c for c in below)
    return (above, below) if all(value >= 0 for value in corners) else None


def _coefficients(polynomial: Polynomial, where: list[tuple[int, ...]]) -> Form:
    """Return the coefficients there; a number k alone, where 1 is none of these, is k·(tn + fp + fn + tp)."""
    free = 0 if ZERO in where else polynomial.terms.get(ZERO, 0)
    return tuple(Fraction(polynomial.terms.get(at, 0) + free) for at in where)


def _increases(node: Node) -> bool:
    """Tell whether a formula is a strictly increasing function of its first argument."""
    if node.kind != "call" or node.value != "**":
        return node.kind == "call" and node.value in INCREASING
    base, exponent = node.args
    return exponent.kind == "number" and exponent.value > 0 and positive_inside(Node("call", "sqrt", (base,)))


def _of_simplex(top: Form, bottom: Form) -> Form | None:
    """Return I where both forms mix Σ_{S=1} I·P and Σ_{S=0} I·P, so that their ratio is a function of R_I."""
    importance = [Fraction(0)] * 4
    for i, j in ((0, 3), (1, 2)):
        if top[i] * bottom[j] != top[j] * bottom[i]:
            return None
        pair = (top[i], top[j]) if top[i] or top[j] else (bottom[i], bottom[j])
        if min(pair) < 0 < max(pair):
            return None
        importance[i], importance[j] = abs(pair[0]), abs(pair[1])
    return tuple(importance) if any(importance) else None


def _of_square(top: Form, bottom: Form, among: PerformanceSet) -> Form | None:
    """Return I where the lines "score = constant" in ROC space are those of R_I: the same pencil. (Tile, 4.3.)"""
    n0, n1, n2 = (top[(i + 1) % 3] * bottom[(i + 2) % 3] - top[(i + 2) % 3] * bottom[(i + 1) % 3] for i in range(3))
    if n0 == n1 == n2 == 0:
        return (Fraction(1),) * 4  # constant
    earned, due = (n2, n1 - n0), (n0 - n2, -n1)  # of 1 − x and y; of x and 1 − y
    for pair in (earned, due):
        if min(pair) < 0 < max(pair) or not any(pair):
            return None
    p = among.share
    tn, tp, fp, fn = abs(earned[0]) / (1 - p), abs(earned[1]) / p, abs(due[0]) / (1 - p), abs(due[1]) / p
    if among.fixed == "rate":
        fp, fn = fn, fp
    good, bad = tn + tp, fp + fn
    return tn / good, fp / bad, fn / bad, tp / good


def why_domain_is_closed(score: Formulated, among: PerformanceSet) -> str | None:
    """Say why mixtures of performances for which the score is defined are so too; None where that is not proved."""
    if score.node is None:
        return FACES if score.known and score.domain == EVERYWHERE else None
    return _why_closed(with_constants(score.node, score.parameters), among)


@lru_cache(maxsize=KEPT)
def _why_closed(node: Node, among: PerformanceSet) -> str | None:
    if mixtures_stay_defined(node):
        return FACES
    course = course_of(node, among)
    if course is not None and course.closed:
        return "it has a value where a ranking score is in an interval, and mixtures stay in that interval"
    return None

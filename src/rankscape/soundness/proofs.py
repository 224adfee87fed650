"""What can be proved of a score from its formula: that it orders as a ranking score, or that it is a ratio of means."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .._scores import Score
from .._scores.expressions import LARGEST_POWER, Node, evaluate, number
from .._scores.proof import Polynomial, polynomial
from .._scores.ratios import INCREASING, NotRationalError, Ratio
from ..errors import NoPlaceError, UsageError
from ..outcomes import TWO_CLASS
from .sets import PerformanceSet

Form = tuple[Fraction, ...]
ZERO = (0, 0, 0, 0)
CONSTANT = "constant there: all performances are equivalent"
LARGEST_EXPONENT = 700
"""The exponential of more is infinite in floats, so undefined; a little more is still a number."""

EVERYWHERE = "all performances"
"""What the catalogue calls the domain of a score that is always defined."""


@dataclass(frozen=True)
class Proof:
    """How a score stands to a ranking score: ``sign`` +1 as it increases, −1 decreasing, 0 constant."""

    importance: Form
    sign: int
    words: str


def ranking_proof(score: Score, among: PerformanceSet) -> Proof | None:
    """Prove that the score is, on this set, constant or a strictly monotone function of a ranking score; else None."""
    if score.constant:
        return Proof(score.orders_as or (), 0, CONSTANT)
    if score.orders_as is not None:
        sign = -1 if score.direction == "smaller" else 1
        what = "it is a ranking score" if score.importance else f"a strictly {_way(sign)} function of a ranking score"
        return Proof(score.orders_as, sign, f"{what} R_I")
    if among.fixed == "prior" and score.place_nodes is not None:
        try:
            a, b = score.exact_place(among.share)
        except NoPlaceError:
            return None
        sign = -1 if score.direction == "smaller" else 1
        return Proof((1 - a, 1 - b, b, a), sign, f"there, a strictly {_way(sign)} function of a ranking score R_I")
    forms = linear_forms(score, among)
    if forms is None:
        return None
    top, bottom = forms
    importance = _of_simplex(top, bottom) if among.fixed is None else _of_square(top, bottom, among)
    if importance is None:
        return None
    best, worst = ((0, 3), (1, 2)) if among.fixed is None else ((0, 2), (0, 1))  # (x, y) = (0, 1) and (1, 0)
    up = sum(top[i] for i in best) * sum(bottom[i] for i in worst)
    down = sum(top[i] for i in worst) * sum(bottom[i] for i in best)
    sign = (up > down) - (up < down)
    words = f"a strictly {_way(sign)} function of a ranking score R_I" if sign else CONSTANT
    return Proof(importance, sign, words)


def _way(sign: int) -> str:
    return "increasing" if sign > 0 else "decreasing"


def linear_forms(score: Score, among: PerformanceSet) -> tuple[Form, Form] | None:
    """Return numerator and denominator where the score is a ratio of means, the denominator ≥ 0; else None.

    Of all performances the coefficients are those of tn, fp, fn, tp; where a prior is fixed, of 1, FPR and TPR. Such a
    ratio is quasi-convex and quasi-concave: its values above, or below, a threshold fill a half-space.
    """
    node = score.order_node or score.node
    while node is not None and _increases(score, node):
        node = node.args[0]
    ratio = None if node is None else _polynomials(score, node, among)
    if ratio is None:
        return None
    top, bottom = ratio
    if among.fixed is None:
        where = [tuple(int(i == j) for j in range(4)) for i in range(4)]
    else:
        where = [ZERO, (1, 0, 0, 0), (0, 1, 0, 0)]
    if not set(top.terms) | set(bottom.terms) <= {*where, ZERO} or not bottom.terms:
        return None
    above, below = (_coefficients(polynomial, where) for polynomial in (top, bottom))
    corners = below if among.fixed is None else _at_corners(below)
    if all(value <= 0 for value in corners):
        return tuple(-c for c in above), tuple(-c for c in below)
    return (above, below) if all(value >= 0 for value in corners) else None


def _coefficients(polynomial: Polynomial, where: list[tuple[int, ...]]) -> Form:
    """Return the coefficients there; a number k alone, where 1 is none of these, is k·(tn + fp + fn + tp)."""
    free = 0 if ZERO in where else polynomial.terms.get(ZERO, 0)
    return tuple(Fraction(polynomial.terms.get(at, 0) + free) for at in where)


def _increases(score: Score, node: Node) -> bool:
    """Tell whether a formula is a strictly increasing function of its first argument."""
    if node.kind != "call" or node.value != "**":
        return node.kind == "call" and node.value in INCREASING
    base, exponent = node.args
    positive = exponent.kind == "number" and exponent.value > 0
    return positive and _positive_inside(score, Node("call", "sqrt", (base,)))


def _at_corners(form: Form) -> Form:
    one, x, y = form
    return one, one + x, one + y, one + x + y


def _polynomials(score: Score, node: Node, among: PerformanceSet) -> tuple[Polynomial, Polynomial] | None:
    """Return numerator and denominator as polynomials; None where the formula is not rational."""
    unit = [Polynomial({tuple(int(i == j) for j in range(4)): 1}) for i in range(4)]
    if among.fixed is None:
        total = unit[0] + unit[1] + unit[2] + unit[3]
        values = {name: Ratio(p, 1, 1, total) for name, p in zip(TWO_CLASS.outcomes, unit, strict=True)}
    else:
        x, y, p = unit[0], unit[1], among.share
        masses = [(-x + 1) * (1 - p), x * (1 - p), (-y + 1) * p, y * p]
        if among.fixed == "rate":
            masses[1], masses[2] = masses[2], masses[1]
        values = {name: Ratio(mass) for name, mass in zip(TWO_CLASS.outcomes, masses, strict=True)}
    values |= {name: Ratio.constant(value) for name, value in score.parameters.items()}
    try:
        ratio = evaluate(node, values).whole()
        return polynomial(ratio.top), polynomial(ratio.bottom)
    except (NotRationalError, UsageError, TypeError):
        return None


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


def domain_is_closed(score: Score) -> bool:
    """Tell whether it is proved that mixtures of performances for which the score is defined are so too.

    What must not be 0 has no terms of both signs: it is 0 on faces of the simplex only, and no mixture enters a face.
    """
    if score.node is None:
        return score.known and score.domain == EVERYWHERE
    return all(_positive_inside(score, node) for node in _conditions(score.node))


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


def _positive_inside(score: Score, node: Node) -> bool:
    """Tell whether a formula has one sign, and is 0 on faces only; under a root, whether that sign is +."""
    positive = node.kind == "call" and node.value == "sqrt"
    if positive:
        node = node.args[0]
    ratio = _polynomials(score, node, PerformanceSet())
    if ratio is None:
        product = node.kind == "call" and node.value == "*" and not positive
        return product and all(_positive_inside(score, arg) for arg in node.args)
    signs = [{c > 0 for c in p.terms.values()} for p in ratio]
    if len(signs[0]) > 1 or len(signs[1]) != 1:
        return False
    return not positive or signs[0] in (set(), signs[1])

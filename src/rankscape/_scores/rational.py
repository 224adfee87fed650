"""Formulas as ratios of polynomials on a set of performances, and whether mixtures stay where a formula is defined.

The variables are tn, fp, fn, tp; where a share is fixed, the first two: FPR and TPR of one prior, and in their places
the false omission rate and the precision of one prediction rate.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..errors import UsageError
from ..outcomes import TWO_CLASS
from .expressions import LARGEST_POWER, Node, evaluate, number
from .proof import Polynomial, polynomial
from .ratios import NotRationalError, Ratio
from .sets import PerformanceSet

LARGEST_EXPONENT = 700
"""The exponential of more is infinite in floats, so undefined; a little more is still a number."""

KEPT = 64
"""Formulas whose polynomials are kept: the parts of a proof ask for them one after the other."""


def outcomes_on(among: PerformanceSet) -> dict[str, Ratio]:
    """Return the probabilities of tn, fp, fn and tp as polynomials."""
    unit = [Polynomial({tuple(int(i == j) for j in range(4)): 1}) for i in range(4)]
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
def polynomials(node: Node, among: PerformanceSet) -> tuple[Polynomial, Polynomial] | None:
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
    ratio = polynomials(node, PerformanceSet())
    if ratio is None:
        product = node.kind == "call" and node.value == "*" and not positive
        return product and all(positive_inside(arg) for arg in node.args)
    signs = [{c > 0 for c in p.terms.values()} for p in ratio]
    if len(signs[0]) > 1 or len(signs[1]) != 1:
        return False
    return not positive or signs[0] in (set(), signs[1])

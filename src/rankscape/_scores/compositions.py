"""Formulas that are strictly monotone functions of one ranking score: proved by rules, or by identities of polynomials.

Rules are those of :mod:`courses`. Where none applies and the formula is rational, see :mod:`identities`.
"""

from fractions import Fraction

from ..errors import UsageError
from .courses import (
    Course,
    absolute,
    added,
    applied,
    constant,
    inverted,
    multiplied,
    negative,
    raised,
    smaller,
)
from .expressions import Node, exponent_of
from .identities import function_of_a_ranking_score
from .rational import mixtures_stay_defined, outcomes_on, ratio_of, whole
from .ratios import INCREASING, NotRationalError, Ratio
from .sets import PerformanceSet


def course_of(node: Node, among: PerformanceSet) -> Course | None:
    """Return how a formula without parameters runs with a ranking score on a set; None where nothing is proved.

    >>> from .expressions import parse
    >>> course = course_of(parse("tp/(fp + tp)/(1 - tp/(fp + tp))"), PerformanceSet())
    >>> course.sign, [str(weight) for weight in course.importance], course.high
    (1, ['0', '1', '0', '1'], inf)
    """
    return _Formula(among).course(node)[0]


class _Formula:
    """The courses of all parts of a formula, from the innermost ones outwards."""

    def __init__(self, among: PerformanceSet) -> None:
        self.among, self.outcomes = among, outcomes_on(among)

    def course(self, node: Node) -> tuple[Course | None, Ratio | None]:
        """Return the course of a part, and the part as a ratio of polynomials, each where there is one."""
        if node.kind == "number":
            return constant(node.value), Ratio.constant(node.value)
        if node.kind != "call":
            ratio = ratio_of(node, self.outcomes)
            return self._rational(node, ratio), ratio
        if node.value == "**":
            (base, ratio), exponent = self.course(node.args[0]), _number(node.args[1])
            if exponent is None:
                return None, None
            power = None if ratio is None else ratio_of(_with_names(node, 1), {"0": ratio})
            found = None if base is None else raised(base, exponent)
            return found or self._rational(node, power), power
        parts = [self.course(arg) for arg in node.args]
        ratios = {str(i): ratio for i, (_, ratio) in enumerate(parts) if ratio is not None}
        ratio = ratio_of(_with_names(node, len(parts)), ratios) if len(ratios) == len(parts) else None
        courses = [course for course, _ in parts if course is not None]
        found = _combined(node.value, courses) if len(courses) == len(parts) else None
        return found or self._rational(node, ratio), ratio

    def _rational(self, node: Node, ratio: Ratio | None) -> Course | None:
        forms = whole(ratio)
        if forms is None or not forms[1].terms:
            return None
        try:
            found = function_of_a_ranking_score(*forms, self.among)
        except NotRationalError:  # too large
            return None
        if found is None:
            return None
        importance, sign, low, high = found
        return Course(importance, sign, low, high, mixtures_stay_defined(node))


def _with_names(node: Node, n: int) -> Node:
    """Return an operation on parts that are named by their numbers."""
    return Node("call", node.value, (*(Node("name", str(i)) for i in range(n)), *node.args[n:]))


def _number(exponent: Node) -> Fraction | None:
    try:
        return exponent_of(exponent, {})
    except UsageError:
        return None


def _combined(operation: str, parts: list[Course]) -> Course | None:
    """Return the course of an operation or function of parts, by the rules."""
    first = parts[0]
    if operation in INCREASING:
        return applied(operation, first)
    match operation:
        case "abs":
            return absolute(first)
        case "+":
            return added(first, parts[1])
        case "-":
            return added(first, negative(parts[1]))
        case "*":
            return multiplied(first, parts[1])
        case "/":
            inverse = inverted(parts[1])
            return inverse and multiplied(first, inverse)
    found: Course | None = first if operation == "min" else negative(first)
    for other in parts[1:]:
        found = found and smaller(found, other if operation == "min" else negative(other))
    return found if found is None or operation == "min" else negative(found)

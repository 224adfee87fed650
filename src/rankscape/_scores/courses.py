"""Formulas that are strictly monotone functions of one ranking score: bounds, directions and rules for their parts.

If f and g increase strictly with R_I and are not negative, so does f·g; and so on. A rule that does not apply proves
nothing; where none applies and the formula is rational, see :mod:`identities`. Bounds are exact fractions, or rounded
outwards where a function has no rational values.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, inf, isinf, log, nextafter

from ..errors import UsageError
from .expressions import Node, exponent_of
from .identities import Bound, Importance, function_of_a_ranking_score
from .polynomials import mixtures_stay_defined, outcomes_on, ratio_of, whole
from .ratios import INCREASING, NotRationalError, Ratio
from .sets import PerformanceSet

LONGEST = 256
"""Bits of a bound; beyond, it is rounded outwards."""

ROUNDING = Fraction(1, 10**12)
"""Relative; more than what functions of floats are off by."""

TINY = Fraction(1, 2**1000)
"""Larger than what floats round to 0."""

MOST = 1000
"""Exponents beyond this multiply the rounding of floats by too much."""


@dataclass(frozen=True)
class Course:
    """How a formula runs with a ranking score R_I: strictly up (``sign`` +1), strictly down (−1), or constant (0).

    All its values lie in [``low``, ``high``]. ``closed``: mixtures of performances with a value are proved to have one.
    ``importance`` is canonical, (1−a, 1−b, b, a), and None for a constant.
    """

    importance: Importance | None
    sign: int
    low: Bound
    high: Bound
    closed: bool = True


def constant(value: Fraction) -> Course:
    """Return the course of a number."""
    return Course(None, 0, value, value)


def _rounded(value: Bound, up: bool) -> Bound:
    """Return a bound in few digits that is not smaller, or not larger."""
    if isinstance(value, float) or max(value.numerator.bit_length(), value.denominator.bit_length()) <= LONGEST:
        return value
    try:
        near = float(value)
    except OverflowError:
        near = inf if value > 0 else -inf
    if isinf(near):
        return near if up == (near > 0) else Fraction(2) ** 1000 * (1 if near > 0 else -1)
    if near == 0.0:  # the sign is kept: what is not 0 stays apart from it where it may
        return Fraction(0) if up != (value > 0) else TINY if up else -TINY
    edge = nextafter(near, inf if up else -inf)
    return edge if isinf(edge) else Fraction(edge)


def _bounded(course: Course) -> Course:
    return replace(course, low=_rounded(course.low, False), high=_rounded(course.high, True))


def _together(one: Course, two: Course) -> tuple[Importance | None, int] | None:
    """Return the importance and the direction that two share; None where they run with different ones, or apart."""
    if one.importance is not None and two.importance is not None and one.importance != two.importance:
        return None
    if one.sign * two.sign < 0:
        return None
    return one.importance or two.importance, one.sign or two.sign


def negative(x: Course) -> Course:
    """Return the course of −x."""
    return replace(x, sign=-x.sign, low=-x.high, high=-x.low)


def added(x: Course, y: Course) -> Course | None:
    """Return the course of x + y."""
    shared = _together(x, y)
    return shared and _bounded(Course(*shared, x.low + y.low, x.high + y.high, x.closed and y.closed))


def _times(x: Bound, y: Bound) -> Bound:
    return Fraction(0) if x == 0 or y == 0 else x * y


def multiplied(x: Course, y: Course) -> Course | None:
    """Return the course of x·y, where neither changes its sign."""
    closed = x.closed and y.closed
    if any(z.low == z.high == 0 for z in (x, y)):
        return Course(None, 0, Fraction(0), Fraction(0), closed)
    for one, two in ((x, y), (y, x)):
        if one.high <= 0:
            product = multiplied(negative(one), two)
            return product and negative(product)
        if one.sign == 0 and one.low > 0 > two.low:  # a positive constant, whatever the sign of the other one
            ends = [_times(c, v) for c in (one.low, one.high) for v in (two.low, two.high)]
            return _bounded(Course(two.importance, two.sign, min(ends), max(ends), closed))
    shared = _together(x, y)
    if shared is None or min(x.low, y.low) < 0 or any(z.sign == 0 and z.low == 0 for z in (x, y)):
        return None
    return _bounded(Course(*shared, _times(x.low, y.low), _times(x.high, y.high), closed))


def inverted(x: Course) -> Course | None:
    """Return the course of 1/x, where x does not change its sign: it is 0 at an end only, and no mixture enters one."""
    if x.high <= 0:
        inverse = None if x.low == 0 else inverted(negative(x))
        return inverse and negative(inverse)
    if x.low < 0 or (x.sign == 0 and x.low == 0):
        return None
    low: Bound = Fraction(0) if isinf(x.high) else 1 / Fraction(x.high)
    return Course(x.importance, -x.sign, low, inf if x.low == 0 else 1 / Fraction(x.low), x.closed)


def raised(x: Course, exponent: Fraction) -> Course | None:
    """Return the course of a power by a number; of one that is not whole, defined where the base is not negative."""
    if exponent == 0:
        return constant(Fraction(1))
    if exponent < 0:
        power = raised(x, -exponent)
        return power and inverted(power)
    whole = exponent.denominator == 1
    if whole and x.low < 0:
        if exponent % 2:
            low = _power(-x.low if x.low < 0 else x.low, exponent, x.low < 0)
            high = _power(-x.high if x.high < 0 else x.high, exponent, x.high > 0)
            return Course(x.importance, x.sign, -low if x.low < 0 else low, high if x.high > 0 else -high, x.closed)
        return raised(negative(x), exponent) if x.high <= 0 else None
    if x.high < 0:
        return None
    low, high = _power(max(x.low, Fraction(0)), exponent, False), _power(x.high, exponent, True)
    return Course(x.importance, x.sign, low, high, x.closed)


def _power(base: Bound, exponent: Fraction, up: bool) -> Bound:
    """Return a bound of a power of a number that is not negative."""
    if base in (0, 1) or isinf(base):
        return base
    if exponent.denominator == 1 and exponent <= 32:
        return _rounded(Fraction(base) ** int(exponent), up)
    if exponent > MOST:  # floats would say nothing
        return inf if up and base > 1 else Fraction(int(up or base > 1))
    return _outwards(lambda x: x ** float(exponent), base, up)


def _outwards(function: Callable[[float], float], x: Bound, up: bool) -> Bound:
    """Return a bound of an increasing function of floats, which has no negative values."""
    try:
        value = function(float(x))
    except OverflowError:
        value = inf
    if isinf(value):
        return inf if up else Fraction(2) ** 1000
    near = Fraction(value) * (1 + (ROUNDING if up else -ROUNDING))
    return near + TINY if up else max(near - TINY, Fraction(0))


def _log(x: Bound, up: bool) -> Bound:
    """Return a bound of the logarithm of a positive number, with its sign."""
    if isinf(x) or x == 1:
        return inf if isinf(x) else Fraction(0)
    near = Fraction(log(x)) + ROUNDING * 1000 * (1 if up else -1)
    return max(near, Fraction(0)) if x > 1 else min(near, Fraction(0))


def applied(name: str, x: Course) -> Course | None:
    """Return the course of sqrt, log, exp or probit of x: where they are defined, they increase strictly."""
    if name == "sqrt":
        return raised(x, Fraction(1, 2))
    low: Bound
    high: Bound
    if name == "exp":
        low = Fraction(0) if isinf(x.low) else _outwards(exp, x.low, False)
        high = inf if isinf(x.high) else _outwards(exp, x.high, True)
    elif x.high <= 0 or (name == "probit" and x.low >= 1):
        return None  # defined nowhere
    elif name == "log":
        low, high = -inf if x.low <= 0 else _log(x.low, False), _log(x.high, True)
    else:
        low = Fraction(0) if x.low >= Fraction(1, 2) else -inf
        high = Fraction(0) if x.high <= Fraction(1, 2) else inf
    return _bounded(Course(x.importance, x.sign, low, high, x.closed))


def absolute(x: Course) -> Course | None:
    """Return the course of |x|, where x does not change its sign."""
    return x if x.low >= 0 else negative(x) if x.high <= 0 else None


def smaller(x: Course, y: Course) -> Course | None:
    """Return the course of the smaller one: of two that run the same way, or of one that is nowhere above the other."""
    closed = x.closed and y.closed
    for one, two in ((x, y), (y, x)):
        if one.high <= two.low:
            return replace(one, closed=closed)
    shared = _together(x, y)
    if shared is None or (x.sign == 0) != (y.sign == 0):
        return None
    return Course(*shared, min(x.low, y.low), min(x.high, y.high), closed)


# Formulas


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
            course = None if base is None else raised(base, exponent)
            return course or self._rational(node, power), power
        parts = [self.course(arg) for arg in node.args]
        ratios = {str(i): ratio for i, (_, ratio) in enumerate(parts) if ratio is not None}
        ratio = ratio_of(_with_names(node, len(parts)), ratios) if len(ratios) == len(parts) else None
        courses = [course for course, _ in parts if course is not None]
        combined = _combined(node.value, courses) if len(courses) == len(parts) else None
        return combined or self._rational(node, ratio), ratio

    def _rational(self, node: Node, ratio: Ratio | None) -> Course | None:
        forms = whole(ratio)
        if forms is None or not forms[1].terms:
            return None
        try:
            proved = function_of_a_ranking_score(*forms, self.among)
        except NotRationalError:  # too large
            return None
        if proved is None:
            return None
        importance, sign, low, high = proved
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
    course: Course | None = first if operation == "min" else negative(first)
    for other in parts[1:]:
        course = course and smaller(course, other if operation == "min" else negative(other))
    return course if course is None or operation == "min" else negative(course)

"""A small safe language for scores: parsed by hand, never evaluated by Python; and ratios, in floats or exactly.

    expression := operand (("+" | "-" | "*" | "/" | "**") operand)*, by their priorities; powers from the right
    operand    := ("-" | "+") operand | number | name | name "(" expression ("," expression)* ")" | "(" expression ")"

Names are the outcomes tn fp fn tp (as probabilities), the keys of other scores, and parameters. Decimals are exact.
An expression is evaluated as a ratio, whose denominator is 0 where it is undefined, and stays so through every
operation: on floats (one division at the end, counts entering as they are), on floats that know their errors, or on
Python's integers (exactly, without common divisors).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Floats
from ..checks import fraction_of
from ..errors import RankscapeError, UsageError
from ..floats import exps, logs, powers
from ..kernels.exact import quotients
from ..kernels.rounded import Rounded
from ..outcomes import WITHOUT_TN

LONGEST = 2000  # characters
DEEPEST = 60  # nested parentheses or signs
HIGHEST = 150  # operations one after the other: evaluation recurses
LARGEST_POWER = 32  # whole powers up to this are taken exactly
LARGEST_DEGREE = 128  # of numerator and denominator: exact integers have at most so many times the digits of counts
DIGITS = 64  # bits of a number that count as one degree


def _probit(x: Floats) -> Any:
    from scipy.special import ndtri

    return ndtri(x)


INCREASING: dict[str, Callable[[Floats], Any]] = {"sqrt": np.sqrt, "log": logs, "exp": exps, "probit": _probit}
"""Strictly increasing functions: at the root of a formula they change values but no order."""

FUNCTIONS = dict.fromkeys((*INCREASING, "abs"), (1, 1)) | {"min": (2, 99), "max": (2, 99)}
"""The functions that a formula may have, with the fewest and the most arguments."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/(),^])|"
    r"(?P<unknown>\S))"
)

PRIORITIES, SIGNED = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}, 3
"""How tightly operators bind; a sign binds less than a power: -x**2 is -(x**2), and x**-2 has one, too."""


class NotRationalError(RankscapeError):
    """An expression has a function whose values are not rational: it cannot be evaluated exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a parsed expression: a number, a name, an operator or a function with its arguments."""

    kind: str  # "number" | "name" | "call" | "sum"
    value: Any  # Fraction | str | pairs of names and weights
    args: tuple["Node", ...] = ()

    def names(self) -> Iterator[str]:
        """All names that occur, operators and functions aside."""
        if self.kind == "name":
            yield self.value
        if self.kind == "sum":
            yield from (name for name, _ in self.value)
        for arg in self.args:
            yield from arg.names()


LARGEST = Fraction(10) ** 100
"""Numbers beyond this, or below its inverse, would leave what floats can hold."""


def number(value: Any) -> Node:
    """Return the node of an exact number."""
    return Node("number", Fraction(value))


def weighted_sum(weights: Mapping[str, Any]) -> Node:
    """Return the node of Σ weight·name; 0 without any."""
    if not weights:
        return number(0)
    return Node("sum", tuple((name, w if isinstance(w, int) else Fraction(w)) for name, w in weights.items()))


def parse(text: str) -> Node:
    """Return the expression that a text stands for.

    >>> sorted(set(parse("2*tp / (2*tp + fp + fn)").names()))
    ['fn', 'fp', 'tp']
    """
    if len(text) > LONGEST:
        raise UsageError(f"an expression may have {LONGEST} characters; got {len(text)}")
    node = _Parser(text).whole()
    if _height(node) > HIGHEST:
        raise UsageError(f"an expression may have {HIGHEST} operations one after the other; {text[:80]!r} has more")
    return node


def _height(node: Node) -> int:
    """Return the number of nodes of the longest way down, without recursion."""
    height, row = 0, [node]
    while row:
        height, row = height + 1, [arg for one in row for arg in one.args]
    return height


class _Parser:
    """Precedence climbing over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.next = text, 0
        self.tokens: list[tuple[str, str, int]] = []
        for match in _TOKEN.finditer(text):
            kind = str(match.lastgroup)
            if kind == "unknown":
                raise self.error(f"unexpected {match[kind]!r}", match.start(kind))
            self.tokens.append((kind, match[kind].replace("^", "**"), match.start(kind)))
        self.tokens.append(("end", "", len(text)))

    def error(self, problem: str, position: int | None = None) -> UsageError:
        position = self.tokens[self.next][2] if position is None else position
        return UsageError(f"{problem} at position {position + 1} of the expression {self.text[:120]!r}")

    @property
    def token(self) -> str:
        """The token that is next."""
        return self.tokens[self.next][1]

    def take(self, sign: str = "") -> str:
        """Return the next token, which must be the sign if there is one, and go on."""
        if sign and self.token != sign:
            raise self.error(f"expected {sign!r}")
        self.next += 1
        return self.tokens[self.next - 1][1]

    def whole(self) -> Node:
        node = self.expression()
        if self.tokens[self.next][0] != "end":
            raise self.error(f"unexpected {self.token!r}")
        return node

    def expression(self, depth: int = 1, least: int = 1) -> Node:
        """Return what operators bind that bind at least so tightly."""
        if depth > DEEPEST:
            raise self.error("too deeply nested")
        node = self.operand(depth)
        while (priority := PRIORITIES.get(self.token, 0)) >= least:
            sign = self.take()
            right = (depth + 1, SIGNED) if sign == "**" else (depth, priority + 1)
            node = Node("call", sign, (node, self.expression(*right)))
        return node

    def operand(self, depth: int) -> Node:
        sign, signed = 1, self.token in ("-", "+")
        while self.token in ("-", "+"):
            sign = -sign if self.take() == "-" else sign
        if signed:
            node = self.expression(depth, PRIORITIES["**"])
            return node if sign > 0 else Node("call", "*", (number(-1), node))
        kind = self.tokens[self.next][0]
        if kind == "end":
            raise self.error("expected a number, a name or '('")
        if kind == "name":
            return self.name(depth)
        if kind == "number":
            try:
                value = fraction_of(self.token)
            except UsageError:
                value = 2 * LARGEST
            text = self.take()
            if value > LARGEST or 0 < value < 1 / LARGEST:
                raise self.error(f"{text[:20]} is too large or too small a number")
            return number(value)
        self.take("(")
        node = self.expression(depth + 1)
        self.take(")")
        return node

    def name(self, depth: int) -> Node:
        position = self.tokens[self.next][2]
        text = self.take()
        if self.token != "(":
            return Node("name", text.lower())
        if text.lower() not in FUNCTIONS:
            raise self.error(f"{text!r} is no function; known are {', '.join(FUNCTIONS)};", position)
        args: list[Node] = []
        while not args or self.token == ",":
            self.take()
            args.append(self.expression(depth + 1))
        self.take(")")
        few, many = FUNCTIONS[text.lower()]
        if not few <= len(args) <= many:
            expected = f"{few if few == many else f'{few} or more'} arguments, got {len(args)},"
            raise self.error(f"{text} takes {expected}", position)
        return Node("call", text.lower(), tuple(args))


def checked_degrees(node: Node) -> tuple[float, float]:
    """Return bounds of the degrees of numerator and denominator, as which the digits of numbers count too.

    Parameters must have been replaced by numbers. Raises UsageError where they are too large to be computed with.
    """
    if node.kind == "number":
        return node.value.numerator.bit_length() / DIGITS, node.value.denominator.bit_length() / DIGITS
    if node.kind == "name":
        return 1.0, 0.0
    top, bottom = checked_degrees(node.args[0])
    if node.value in INCREASING:
        return 1.0, 1.0  # floats
    if node.value == "**":
        checked_degrees(node.args[1])
        power = exponent_of(node.args[1])
        if power.denominator > 2 or abs(power) > LARGEST_POWER:
            return 1.0, 1.0  # floats
        top, bottom = (float(abs(power)) * degree for degree in ((top, bottom) if power > 0 else (bottom, top)))
    for other in (checked_degrees(arg) for arg in (() if node.value == "**" else node.args[1:])):
        if node.value == "*":
            top, bottom = top + other[0], bottom + other[1]
        elif node.value == "/":
            top, bottom = top + other[1], bottom + other[0]
        else:  # sums and comparisons
            top, bottom = max(top + other[1], bottom + other[0]), bottom + other[1]
    if max(top, bottom) > LARGEST_DEGREE:
        raise UsageError(
            f"the expression is too large: multiplied out, its degree is up to {max(top, bottom):.4g}; "
            f"expected at most {LARGEST_DEGREE}"
        )
    return top, bottom


class Ratio(NamedTuple):
    """Numbers top / (bottom · totalᵖᵒʷᵉʳ), undefined where bottom is 0.

    The total is the common sum of the outcomes, never 0: homogeneous formulas, where it cancels, never touch it.
    """

    top: Any
    bottom: Any = 1
    power: int = 0

    @property
    def floats(self) -> Floats:
        """The quotients of whole ratios, NaN where undefined or infinite."""
        top, bottom = np.asarray(self.top), np.asarray(self.bottom)
        if top.dtype == object and bottom.dtype.kind in "Oi":
            out = quotients(top, bottom.astype(object))
        else:
            with np.errstate(all="ignore"):
                out = np.asarray(top.astype(np.float64) / bottom.astype(np.float64))
        return np.where(np.isfinite(out), out, np.nan)


def whole(ratio: Ratio, total: Any) -> Ratio:
    """Return the same ratio as top / bottom alone."""
    top, bottom, power = ratio
    for _ in range(abs(power)):
        top, bottom = (top, bottom * total) if power > 0 else (top * total, bottom)
    return Ratio(top, bottom)


def evaluate(node: Node, values: Mapping[str, Any], total: Any = 1, in_floats: bool = False) -> Ratio:
    """Return the value of an expression as ratios of what the values are: masses with their total, or numbers.

    Raises NotRationalError where there is no exact value, unless ``in_floats``: then the values must be floats.
    """
    # An outcome is top/total: a ratio of power 1. Products add powers, quotients subtract them, and sums, of which both
    # terms need the same power, multiply the top of the lower one by the total as often as is lacking. So in a ratio of
    # alike powers, such as tp/(tp + fp), the total cancels before it is ever multiplied.
    if node.kind == "number":
        return Ratio(node.value.numerator, node.value.denominator)
    if node.kind == "name":
        return Ratio(values[node.value], 1, 1)
    if node.kind == "sum":
        common = lcm(*(weight.denominator for _, weight in node.value))
        parts = [values[name] * (weight.numerator * (common // weight.denominator)) for name, weight in node.value]
        return Ratio(sum(parts[1:], parts[0]), common, 1)
    x = evaluate(node.args[0], values, total, in_floats)
    if node.value == "**":
        return _power(x, exponent_of(node.args[1]), total, in_floats)
    if node.value in INCREASING:
        if in_floats:
            return _of_floats(INCREASING[node.value], whole(x, total))
        return _root(x) if node.value == "sqrt" else _not_rational(f"{node.value} is not rational")
    if node.value == "abs":
        return Ratio(abs(x.top), abs(x.bottom), x.power)
    for arg in node.args[1:]:
        y = evaluate(arg, values, total, in_floats)
        if node.value == "*":
            x = Ratio(x.top * y.top, x.bottom * y.bottom, x.power + y.power)
            continue
        if node.value == "/":  # x / undefined is undefined
            x = Ratio(x.top * y.bottom, _zero_where_zero(y.bottom, x.bottom * y.top), x.power - y.power)
            continue
        power = max(x.power, y.power)
        tops = [one.top for one in (x, y)]
        for i, one in enumerate((x, y)):
            for _ in range(power - one.power):
                tops[i] = tops[i] * total
        if node.value in ("min", "max"):
            x = _smaller(Ratio(tops[0], x.bottom, power), Ratio(tops[1], y.bottom, power), node.value == "max")
        elif x.bottom is y.bottom:
            x = Ratio(tops[0] + (tops[1] if node.value == "+" else -tops[1]), x.bottom, power)
        else:
            one, two = tops[0] * y.bottom, tops[1] * x.bottom
            x = Ratio(one + (two if node.value == "+" else -two), x.bottom * y.bottom, power)
    return x


def exponent_of(node: Node) -> Fraction:
    """Return the number that an exponent is. Raises UsageError where it is none."""
    try:
        value = number_of(node)
    except (KeyError, NotRationalError):
        value = None
    if value is None:
        raise UsageError("an exponent must be a number (or a parameter), a fraction at most, as in tpr**2")
    return value


def number_of(node: Node) -> Fraction | None:
    """Return the value of an expression of numbers; None where it is undefined.

    >>> number_of(parse("3 / (5 + 3)"))
    Fraction(3, 8)
    """
    if node.kind == "number":
        return Fraction(node.value)
    ratio = evaluate(node, {})
    return Fraction(ratio.top) / ratio.bottom if ratio.bottom else None


def _power(x: Ratio, exponent: Fraction, total: Any, in_floats: bool) -> Ratio:
    # Halves of odd numbers are powers of a root, exact where the root is; whole numbers are products of x with itself,
    # and for negative ones top and bottom change places (0 at the top is then undefined); all else is left to floats.
    if exponent.denominator == 2 and not in_floats and abs(exponent.numerator) <= LARGEST_POWER:
        x, exponent = _root(x), 2 * exponent
    if exponent == 0:  # 1, but undefined to the power of 0 is undefined
        return Ratio(x.bottom, x.bottom)
    if exponent.denominator == 1 and abs(exponent) <= LARGEST_POWER:
        top, bottom = 1, 1
        for _ in range(abs(int(exponent))):
            top, bottom = top * x.top, bottom * x.bottom
        if exponent >= 0:
            return Ratio(top, bottom, int(exponent) * x.power)
        return Ratio(bottom, _zero_where_zero(bottom, top), int(exponent) * x.power)
    if not in_floats:
        _not_rational("a power by a number that is not whole, or very large, is not rational")
    return _of_floats(lambda values: powers(values, float(exponent)), whole(x, total))


def _not_rational(why: str) -> Any:
    raise NotRationalError(why)


def _root(x: Ratio) -> Ratio:
    """Return the square root of a number that has a rational one; raise NotRationalError for anything else."""
    if isinstance(x.top, int) and isinstance(x.bottom, int) and x.bottom:
        value = Fraction(x.top, x.bottom)
        root = Fraction(isqrt(abs(value.numerator)), isqrt(value.denominator))
        if root * root == value:
            return Ratio(root.numerator, root.denominator)
    raise NotRationalError("the expression is not rational")


def _of_floats(function: Callable[[Floats], Any], x: Ratio) -> Ratio:
    """Return the values of a function, in floats; undefined where they are not finite."""
    with np.errstate(all="ignore"):
        values = np.asarray(function(x.floats), dtype=np.float64)
    defined = np.isfinite(values)
    return Ratio(np.where(defined, values, 0.0), np.where(defined, 1.0, 0.0))


def _smaller(x: Ratio, y: Ratio, larger: bool) -> Ratio:
    """Return the smaller, or the larger, of two ratios of one power; undefined where one is."""
    if any(isinstance(side, Rounded) for side in (*x, *y)):
        raise NotRationalError("a choice between such numbers is left to Python's integers")
    first = _sign(x.top * y.bottom - y.top * x.bottom) * _sign(x.bottom * y.bottom) * (-1 if larger else 1) < 0
    if isinstance(first, bool):  # two numbers
        return (x if first else y) if x.bottom and y.bottom else Ratio(0, 0)
    both = (np.asarray(x.bottom) != 0) & (np.asarray(y.bottom) != 0)
    bottom = _either(both, _either(first, x.bottom, y.bottom, x.top), 0, x.top, y.top)
    return Ratio(_either(first, x.top, y.top), bottom, x.power)


def inside(function: str, ratio: Ratio) -> Ratio:
    """Return a whole ratio of integers, undefined outside the domain of an increasing function."""
    sign = _sign(ratio.top) * _sign(ratio.bottom)
    domains = {
        "log": sign > 0,
        "probit": (sign > 0) & (abs(ratio.top) < abs(ratio.bottom)),
        "sqrt": sign >= 0,
    }
    return ratio if function == "exp" else Ratio(ratio.top, _either(domains[function], ratio.bottom, 0, ratio.top))


def _zero_where_zero(other: Any, values: Any) -> Any:
    """Return values, and 0 where others are: of a bound of errors, infinite where that is not sure."""
    if isinstance(other, Rounded):
        if not isinstance(values, Rounded):
            values = Rounded(np.full(other.value.shape, float(values)), np.zeros(other.value.shape))
        return values.zero_where(other.is_zero()).unknown_where(other.may_be_zero())
    if isinstance(other, np.ndarray):
        return _either(other != 0, values, 0, other)
    return values if other != 0 else values * 0


def _either(condition: Any, one: Any, two: Any, *like: Any) -> Any:
    """Return one or the other, element by element: floats where an example is of floats, else Python's own integers."""
    examples = (one, two, *like)
    kind: Any = np.float64 if any(np.asarray(example).dtype.kind == "f" for example in examples) else object
    return np.where(condition, np.asarray(one, dtype=kind), np.asarray(two, dtype=kind))


def _sign(values: Any) -> Any:
    return (values > 0) * 1 - (values < 0) * 1


def degree(node: Node) -> Fraction | None:
    """Return the degree of a formula in fp, fn and tp: 0 for ratios; None where it has none, or needs tn.

    Ratios have the same values for any number of true negatives; of shares of all cases the total is not known then.

    >>> [str(degree(parse(text))) for text in ("tp/(tp + fp)", "sqrt(tp*fp)", "tp - 0.5", "tn/tn")]
    ['0', '1', 'None', 'None']
    """
    if node.kind == "number":
        return Fraction(0)
    if node.kind == "name":
        return Fraction(1) if node.value in WITHOUT_TN.outcomes else None
    if node.kind == "sum":
        return Fraction(1) if all(name in WITHOUT_TN.outcomes for name, _ in node.value) else None
    degrees = [degree(arg) for arg in node.args]
    known = [one for one in degrees if one is not None]
    if len(known) < len(degrees):
        return None
    first, last = known[0], known[-1]
    if node.value in ("*", "/"):
        return first + last if node.value == "*" else first - last
    if node.value == "sqrt":
        return first / 2
    if node.value == "**":
        power = node.args[1]
        return first * power.value if power.kind == "number" else Fraction(0) if first == last == 0 else None
    if node.value in ("log", "exp", "probit") and first != 0:
        return None
    return first if len(set(known)) == 1 else None

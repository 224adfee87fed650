"""A small safe language for scores: parsed by hand, never evaluated by Python.

    expression := term (("+" | "-") term)*          term  := factor (("*" | "/") factor)*
    factor     := ("-" | "+") factor | power         power := atom ("**" factor)?
    atom       := number | name | name "(" expression ("," expression)* ")" | "(" expression ")"

Names are the outcomes tn fp fn tp (as probabilities), the keys of other scores, and parameters. Decimals are exact.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any

from ..checks import fraction_of_text
from ..errors import UsageError
from ..floats import powers
from ..kernels.whole import Rounded, Whole, dot
from ..outcomes import WITHOUT_TN
from .ratios import FUNCTIONS, INCREASING, NotRationalError, Ratio

LONGEST = 2000  # characters
DEEPEST = 60  # nested parentheses or signs
HIGHEST = 150  # operations one after the other: evaluation recurses
LONGEST_CHAIN = 16  # terms of a sum that are added one after the other
LARGEST_POWER = 32  # whole powers up to this are taken exactly
LARGEST_DEGREE = 128  # of numerator and denominator: exact integers have at most so many times the digits of counts
DIGITS = 64  # bits of a number that count as one degree

_ARITHMETIC: dict[str, Callable[[Ratio, Ratio], Ratio]] = {"+": add, "-": sub, "*": mul, "/": truediv}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/(),^]))"
)


@dataclass(frozen=True, slots=True)
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


def with_constants(node: Node, values: Mapping[str, Any]) -> Node:
    """Replace parameters by their numbers."""
    if node.kind == "name" and node.value in values:
        return number(values[node.value])
    return Node(node.kind, node.value, tuple(with_constants(arg, values) for arg in node.args))


def weighted_sum(weights: Mapping[str, Any]) -> Node:
    """Return the node of Σ weight·name; long sums are one node, for evaluation recurses."""
    if len(weights) > LONGEST_CHAIN:
        return Node("sum", tuple((name, w if isinstance(w, int) else Fraction(w)) for name, w in weights.items()))
    total: Node | None = None
    for name, weight in weights.items():
        product = Node("call", "*", (number(weight), Node("name", name)))
        total = product if total is None else Node("call", "+", (total, product))
    return number(0) if total is None else total


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
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.depth = text, 0, 0
        self.tokens: list[tuple[str, str, int]] = []
        while self.position < len(text.rstrip()):
            match = _TOKEN.match(text, self.position)
            if not match:
                start = self.position + len(text[self.position :]) - len(text[self.position :].lstrip())
                raise self.error(f"unexpected {text[start]!r}", start)
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind].replace("^", "**"), match.start(kind)))
            self.position = match.end()
        self.next = 0

    def error(self, problem: str, position: int | None = None) -> UsageError:
        if position is None:
            position = self.tokens[self.next][2] if self.next < len(self.tokens) else len(self.text)
        return UsageError(f"{problem} at position {position + 1} of the expression {self.text[:120]!r}")

    def peek(self, *signs: str) -> bool:
        kind, text = self.tokens[self.next][:2] if self.next < len(self.tokens) else ("end", "")
        return kind == "sign" and text in signs

    def take(self) -> str:
        self.next += 1
        return self.tokens[self.next - 1][1]

    def expect(self, sign: str) -> None:
        if not self.peek(sign):
            raise self.error(f"expected {sign!r}")
        self.next += 1

    def whole(self) -> Node:
        node = self.expression()
        if self.next < len(self.tokens):
            raise self.error(f"unexpected {self.tokens[self.next][1]!r}")
        return node

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error("too deeply nested")
        node = self.chain(self.term, "+", "-")
        self.depth -= 1
        return node

    def term(self) -> Node:
        return self.chain(self.factor, "*", "/")

    def chain(self, operand: Callable[[], Node], *signs: str) -> Node:
        node = operand()
        while self.peek(*signs):
            node = Node("call", self.take(), (node, operand()))
        return node

    def factor(self) -> Node:
        sign = 1
        while self.peek("-", "+"):
            sign = -sign if self.take() == "-" else sign
        node = self.power()
        return node if sign > 0 else Node("call", "*", (number(-1), node))

    def power(self) -> Node:
        base = self.atom()
        if not self.peek("**"):
            return base
        self.take()
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error("too deeply nested")
        exponent = self.factor()
        self.depth -= 1
        return Node("call", "**", (base, exponent))

    def atom(self) -> Node:
        if self.next >= len(self.tokens):
            raise self.error("expected a number, a name or '('")
        kind, text, _ = self.tokens[self.next]
        if kind == "number":
            self.next += 1
            try:
                value = fraction_of_text(text)
            except UsageError:
                value = 2 * LARGEST
            if value > LARGEST or 0 < value < 1 / LARGEST:
                raise self.error(f"{text[:20]} is too large or too small a number")
            return number(value)
        if kind == "name":
            return self.name()
        self.expect("(")
        node = self.expression()
        self.expect(")")
        return node

    def name(self) -> Node:
        position = self.next
        text = self.take()
        if not self.peek("("):
            return Node("name", text.lower())
        if text.lower() not in FUNCTIONS:
            self.next = position
            raise self.error(f"{text!r} is no function; known are {', '.join(FUNCTIONS)};")
        self.take()
        args = [self.expression()]
        while self.peek(","):
            self.take()
            args.append(self.expression())
        self.expect(")")
        few, many = FUNCTIONS[text.lower()]
        if not few <= len(args) <= many:
            self.next = position
            raise self.error(f"{text} takes {few if few == many else f'{few} or more'} arguments, got {len(args)},")
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
        power = exponent_of(node.args[1], {})
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


def evaluate(node: Node, values: Mapping[str, Ratio], in_floats: bool = False) -> Ratio:
    """Return the value of an expression, as ratios of whatever the values are ratios of.

    Raises NotRationalError where there is no exact value, unless ``in_floats``: then the values must be floats.
    """
    if node.kind == "number":
        return Ratio.constant(node.value)
    if node.kind == "name":
        return values[node.value]
    if node.kind == "sum":
        return _summed(node.value, values)
    if node.value == "**":
        return _power(evaluate(node.args[0], values, in_floats), node.args[1], values, in_floats)
    args = [evaluate(arg, values, in_floats) for arg in node.args]
    if node.value in INCREASING:
        if in_floats:
            return args[0].in_floats(INCREASING[node.value])
        if node.value == "sqrt":
            return args[0].root()
        raise NotRationalError(f"{node.value} is not rational")
    arithmetic = _ARITHMETIC.get(node.value)
    return arithmetic(*args) if arithmetic else Ratio.apply(node.value, args)


def _summed(weights: Sequence[tuple[str, int | Fraction]], values: Mapping[str, Ratio]) -> Ratio:
    """Return Σ weight·outcome, of outcomes that have the same total."""
    some = values[weights[0][0]]
    common = lcm(*(weight.denominator for _, weight in weights))
    whole = [weight.numerator * (common // weight.denominator) for _, weight in weights]
    if isinstance(some.top, (Whole, Rounded)):
        return Ratio(dot([values[name].top for name, _ in weights], whole), common, some.power, some.total)
    tops = [values[name].top * weight for (name, _), weight in zip(weights, whole, strict=True)]
    return Ratio(sum(tops[1:], tops[0]), common, some.power, some.total)


def exponent_of(node: Node, values: Mapping[str, Ratio]) -> Fraction:
    """Return the number that an exponent is. Raises UsageError where it is none."""
    try:
        value = evaluate(node, values).as_fraction()
    except (KeyError, NotRationalError):
        value = None
    if value is None:
        raise UsageError("an exponent must be a number (or a parameter), a fraction at most, as in tpr**2")
    return value


def _power(base: Ratio, exponent: Node, values: Mapping[str, Ratio], in_floats: bool) -> Ratio:
    value = exponent_of(exponent, values)
    if value.denominator == 2 and not in_floats and abs(value.numerator) <= LARGEST_POWER:
        base, value = base.root(), 2 * value
    if value.denominator == 1 and abs(value) <= LARGEST_POWER:
        result = Ratio.constant(Fraction(1))
        for _ in range(abs(int(value))):
            result = result * base
        return result if value >= 0 else Ratio.constant(Fraction(1)) / result
    if not in_floats:
        raise NotRationalError("a power by a number that is not whole, or very large, is not rational")
    return base.in_floats(lambda x: powers(x, float(value)))


def degree(node: Node, constants: Container[str] = ()) -> Fraction | None:
    """Return the degree of a formula in fp, fn and tp: 0 for ratios; None where it has none, or needs tn.

    Ratios have the same values for any number of true negatives; of shares of all cases the total is not known then.
    ``constants`` are the names of parameters.

    >>> [str(degree(parse(text))) for text in ("tp/(tp + fp)", "sqrt(tp*fp)", "tp - 0.5", "tn/tn")]
    ['0', '1', 'None', 'None']
    """
    if node.kind == "number" or (node.kind == "name" and node.value in constants):
        return Fraction(0)
    if node.kind == "name":
        return Fraction(1) if node.value in WITHOUT_TN.outcomes else None
    if node.kind == "sum":
        return Fraction(1) if all(name in WITHOUT_TN.outcomes for name, _ in node.value) else None
    degrees = [degree(arg, constants) for arg in node.args]
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

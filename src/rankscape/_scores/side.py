"""Scores without true negatives: those of the right side of the Tile (a = 1), whatever the number of true negatives.

They are the ratios of the same degree in fp, fn and tp: of shares of all cases, such as P(fp), the total is not known.
"""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

from .._costs import Costs
from ..checks import needs_tn
from ..errors import Option, UsageError
from ..outcomes import TWO_CLASS
from .expressions import Node

_WITHOUT_TN = TWO_CLASS.outcomes[1:]
_OF_DEGREE_0 = ("log", "exp", "probit")


def no_costs(costs: Costs, of_gate: bool = False) -> UsageError:
    """Return the error about costs where true negatives are unknown: what they amount to per case is, too.

    >>> str(no_costs(Costs(miss=20))).partition(": ")[2]
    'the F-score of the same exchange rate needs none: by=rs.at(1, Fraction(20, 21))'
    """
    _, false_alarm, miss, _ = (Fraction(x) for x in costs.importance)
    b = miss / (miss + false_alarm)
    same = Option("at", python=f"by=rs.at(1, {b!r})", shell=f"--at 1 {b}")
    if of_gate:
        box = f'"a = 1, b = {b}"'
        same = Option("box", python=f"box={box}", shell=f"--box {box}")
    return needs_tn("an expected cost per case", way_out=[["the F-score of the same exchange rate needs none: ", same]])


def degree(node: Node, constants: Container[str] = ()) -> Fraction | None:
    """Return the degree of a formula in fp, fn and tp: 0 for ratios; None where it has none, or needs tn.

    ``constants`` are the names of parameters.

    >>> from .expressions import parse
    >>> [str(degree(parse(text))) for text in ("tp/(tp + fp)", "sqrt(tp*fp)", "tp - 0.5", "tn/tn")]
    ['0', '1', 'None', 'None']
    """
    if node.kind == "number" or (node.kind == "name" and node.value in constants):
        return Fraction(0)
    if node.kind == "name":
        return Fraction(1) if node.value in _WITHOUT_TN else None
    if node.kind == "sum":
        return Fraction(1) if all(name in _WITHOUT_TN for name, _ in node.value) else None
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
    if node.value in _OF_DEGREE_0 and first != 0:
        return None
    return first if len(set(known)) == 1 else None

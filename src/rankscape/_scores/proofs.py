"""What can be proved of a formula: that it is a ratio of means, which ranking score orders alike, its domain closed.

Polynomials of degree d that agree on a lattice with d steps are equal, so formulas are compared by their values there.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS
from .expressions import INCREASING, LARGEST_POWER, Node, NotRationalError, checked_degrees, evaluate, number, whole
from .sets import PerformanceSet

Form = tuple[Fraction, ...]
"""Coefficients of tn, fp, fn and tp; where a share is fixed, of 1, FPR and TPR (of one rate: 1, FOR and PPV)."""

HIGHEST = 32
"""Degrees of formulas that are looked at: there are 7770 points for these."""

KEPT = 1024
"""Formulas whose proofs are kept."""

START, SIDE = (101, 1009, 10007), 100_003
"""Corners and sides of the lattices: no outcome is 0 there, and hardly a denominator."""

LARGEST_EXPONENT = 700
"""The exponential of more is infinite in floats, so undefined; a little more is still a number."""


@lru_cache(maxsize=KEPT)
def ratio_of_means(node: Node, among: PerformanceSet) -> tuple[Form, Form] | None:
    """Return two linear forms, the second ≥ 0 on the set, of which a formula is the ratio; None where it is not proved.

    Such a ratio is quasi-convex and quasi-concave: its values above, or below, a threshold fill a half-space. Of a
    strictly increasing function of a formula the forms are those of the formula.

    >>> from .expressions import parse
    >>> top, bottom = ratio_of_means(parse("1/(1 + (fp + fn)/tp)"), PerformanceSet())
    >>> [str(x) for x in top], [str(x) for x in bottom]
    (['0', '0', '0', '1'], ['0', '1', '1', '1'])
    """
    while node.kind == "call" and node.value in INCREASING:
        node = node.args[0]
    known = _on_a_lattice(node, among)
    if known is None:
        return None
    variables, top, bottom = known
    if (top * bottom[0] == bottom * top[0]).all():  # a constant
        m = variables.shape[1]
        ones = (Fraction(1),) * m if among.fixed is None else (Fraction(1), *(Fraction(0),) * (m - 1))
        value = Fraction(int(top[0]), int(bottom[0]))
        return tuple(value * one for one in ones), ones
    solution = _solution(np.concatenate([variables * bottom[:, None], -variables * top[:, None]], axis=1))
    if solution is None:
        return None
    m = len(solution) // 2
    above, below = solution[:m], solution[m:]
    corners = [sum(map(mul, below, corner)) for corner in corners_of(among)]
    sign = -1 if min(corners) < 0 else 1
    if min(corners) < 0 < max(corners):
        return None
    largest = sign * max(map(abs, below))
    return tuple(x / largest for x in above), tuple(x / largest for x in below)


def _on_a_lattice(node: Node, among: PerformanceSet) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
    """Return points, and numerator and denominator there: enough for them to be known. None for no rational formula."""
    if _has_functions(node):
        return None
    try:
        steps = ceil(max(checked_degrees(node))) + 1
    except UsageError:
        return None
    if steps > HIGHEST + 1:
        return None
    n = among.dimensions
    grid = np.array([k for k in product(range(steps + 1), repeat=n) if sum(k) <= steps], dtype=object)
    points = grid + np.array(START[:n], dtype=object)
    if among.fixed is None:
        counts = variables = np.concatenate([points, np.ones((len(points), 1), dtype=object)], axis=1)
    else:
        counts = among.counts(np.concatenate([points, np.full((len(points), 1), SIDE, dtype=object)], axis=1))
        variables = np.concatenate([np.full((len(points), 1), SIDE, dtype=object), points], axis=1)
    total = counts.sum(axis=1)
    try:
        ratio = whole(evaluate(node, dict(zip(TWO_CLASS.outcomes, counts.T, strict=True)), total), total)
    except (NotRationalError, UsageError):
        return None
    top, bottom = (np.broadcast_to(np.asarray(side, dtype=object), total.shape) for side in ratio[:2])
    return (variables, top, bottom) if (bottom != 0).all() else None


def _has_functions(node: Node) -> bool:
    """Tell whether a formula has more than arithmetic."""
    functions = node.kind == "call" and node.value not in ("+", "-", "*", "/", "**")
    return functions or (node.kind == "call" and any(map(_has_functions, node.args)))


def _solution(rows: NDArray[Any]) -> Form | None:
    """Return the only solution, up to a factor, of linear equations; None where there is none, or more than one."""
    reduced: dict[int, list[Fraction]] = {}  # by the column of the leading 1
    for row in rows:
        left = [Fraction(int(x)) for x in row]
        for column, other in reduced.items():
            if factor := left[column]:
                left = [x - factor * y for x, y in zip(left, other, strict=True)]
        lead = next((i for i, x in enumerate(left) if x), None)
        if lead is None:
            continue
        left = [x / left[lead] for x in left]
        for column, other in reduced.items():
            factor = other[lead]
            reduced[column] = [x - factor * y for x, y in zip(other, left, strict=True)]
        reduced[lead] = left
        if len(reduced) >= rows.shape[1] - 1:
            break
    free = [i for i in range(rows.shape[1]) if i not in reduced]
    if len(free) != 1:
        return None
    solution = tuple(Fraction(1) if i in free else -reduced[i][free[0]] for i in range(rows.shape[1]))
    return solution if all(sum(map(mul, row, solution)) == 0 for row in rows.tolist()) else None


def importance_of(forms: tuple[Form, Form]) -> Form | None:
    """Return I if a ratio of forms of tn, fp, fn and tp is R_I itself, else None."""
    top, bottom = forms
    scale = bottom[0] or bottom[3]
    is_ranking_score = top[1] == top[2] == 0 and (top[0], top[3]) == (bottom[0], bottom[3])
    if not is_ranking_score or not scale or not any(bottom[1:3]):
        return None
    return tuple(weight / scale for weight in bottom)


@lru_cache(maxsize=KEPT)
def orders_as(node: Node, among: PerformanceSet) -> tuple[Form, int] | None:
    """Return the importance of whose R_I a formula is a function, and +1 as it increases, −1, 0 constant."""
    forms = ratio_of_means(node, among)
    if forms is None:
        return None
    top, bottom = forms
    importance = _of_simplex(top, bottom) if among.fixed is None else _of_square(top, bottom, among)
    if importance is None:
        return None
    best, worst = ((0, 3), (1, 2)) if among.fixed is None else ((0, 2), (0, 1))  # (x, y) = (0, 1) and (1, 0)
    up = sum(top[i] for i in best) * sum(bottom[i] for i in worst)
    down = sum(top[i] for i in worst) * sum(bottom[i] for i in best)
    return importance, (up > down) - (up < down)


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
    if not any(importance):
        return None
    integers = integers_of_fractions(np.array(importance, dtype=object))
    return tuple(Fraction(int(weight), int(np.gcd.reduce(integers))) for weight in integers)


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


# Mixtures of performances for which a formula is defined


@lru_cache(maxsize=KEPT)
def mixtures_stay_defined(node: Node, among: PerformanceSet) -> bool:
    """Tell whether it is proved that mixtures of performances for which a formula is defined are so too.

    What must not be 0 is so on faces of the set only, and no mixture enters a face.
    """
    return all(
        positive_inside(must, among) or (either and positive_inside(Node("call", "-", (number(0), must)), among))
        for must, either in _musts(node)
    )


def _musts(node: Node) -> Iterator[tuple[Node, bool]]:
    """All that must be positive, or else of one sign, for the formula to be defined."""
    for arg in node.args:
        yield from _musts(arg)
    if node.kind != "call":
        return
    first = node.args[0]
    if node.value == "/":
        yield node.args[1], True
    elif node.value == "**" and node.args[1].kind == "number":
        power = node.args[1].value
        exact = power.denominator == 1 and abs(power) <= LARGEST_POWER
        if not exact or power < 0:
            yield first, exact
    elif node.value in ("**", "sqrt", "log"):
        yield first, False
    elif node.value == "exp":
        yield Node("call", "-", (number(LARGEST_EXPONENT), first)), False
    elif node.value == "probit":
        yield from ((first, False), (Node("call", "-", (number(1), first)), False))


@lru_cache(maxsize=KEPT)
def positive_inside(node: Node, among: PerformanceSet) -> bool:
    """Tell whether it is proved that a formula is positive where all outcomes occur."""
    if node.kind == "number":
        return bool(node.value > 0)
    if node.kind != "call" or node.value == "exp":
        return True  # outcomes, and sums of outcomes with weights
    parts = node.args[:1] if node.value == "**" else node.args
    if node.value in ("+", "*", "/", "**", "sqrt", "min", "max") and all(
        positive_inside(part, among) for part in parts
    ):
        return True
    forms = None if node.value in INCREASING else ratio_of_means(node, among)
    at_corners = [] if forms is None else [sum(map(mul, forms[0], corner)) for corner in corners_of(among)]
    return any(at_corners) and min(at_corners) >= 0


def corners_of(among: PerformanceSet) -> list[tuple[int, ...]]:
    """Return the corners of a set in the coordinates of forms."""
    if among.fixed is not None:
        return [(1, x, y) for x, y in product((0, 1), repeat=2)]
    return [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]

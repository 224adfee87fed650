"""Which of many class totals can have solutions at all: a linear program, relaxed so that none is lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..typing import Flags, Integers
from .rates import Printed

SLACK = 1e-6
"""By so much, relative to all cases, inequalities and their solutions are widened; the solver's tolerance is 1e-7."""

UNITS = ((1, 0, 0, 0), (0, 0, 1, 0), (-1, 1, 0, 0), (0, 0, -1, 1))
"""The tables tn, fp, fn, tp that one more negative, positive, fp and tp stand for."""


def totals_inside(negative: Integers, positive: Integers, rates: Sequence[Printed]) -> Flags:
    """Tell which class totals lie in the range that printed rates, linear in the counts, leave.

    >>> from .rates import printed
    >>> positive = np.arange(101)
    >>> rates = [
    ...     printed("sensitivity", "0.80"),
    ...     printed("specificity", "0.60"),
    ...     printed("accuracy", "0.70"),
    ... ]
    >>> positive[totals_inside(100 - positive, positive, rates)][[0, -1]].tolist()
    [43, 57]
    """
    inside = np.ones(len(negative), dtype=bool)
    if not rates:
        return inside
    from scipy.optimize import linprog  # only where there are many

    most = int((negative + positive).max())
    forms = [np.array([rate.ratio(cells) for cells in UNITS], dtype=np.float64).T for rate in rates]
    rows = [[-1, 0, 1, 0], [0, -1, 0, 1]]
    for rate, (top, bottom) in zip(rates, forms, strict=True):
        rows += [float(rate.low) * bottom - top, top - float(rate.high) * bottom]
    constant = (negative + positive).min() == most
    sides = [(float(side.min()) / most, float(side.max()) / most) for side in (negative, positive)]
    program = {
        "A_ub": np.array(rows, dtype=np.float64),
        "b_ub": np.full(len(rows), SLACK),
        "A_eq": np.array([[1.0, 1.0, 0.0, 0.0]]) if constant else None,
        "b_eq": np.array([1.0]) if constant else None,
        "bounds": [*sides, (0, 1), (0, 1)],
    }
    for column, side in enumerate((negative, positive)):
        for sign in (1.0, -1.0):
            goal = np.zeros(4)
            goal[column] = sign
            solved = linprog(goal, **program)
            if solved.status == 2:  # infeasible, even relaxed
                return np.zeros(len(negative), dtype=bool)
            if solved.status == 0:
                reached = sign * float(solved.fun) * most
                margin = 2 + SLACK * most
                inside &= (side >= reached - margin) if sign > 0 else (side <= reached + margin)
    return inside

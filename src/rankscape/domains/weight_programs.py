"""Who can come first at all: linear programs, solved in floats by HiGHS and verified on integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from .contests import Ratios

Possibility: TypeAlias = Literal["yes", "in ties only", "no", "not seen"]
"""Whether an entity can come first for some weights of the domains, as far as it is known."""

Weights: TypeAlias = list[int]

BITS = 40
"""Bits to which weights in floats are rounded before they are verified."""

MOST_PROGRAMS, MOST_IN_ALL = 200, 2000
"""Linear programs that are solved for one entity whose scores are ratios, and for all of them together."""


def possibilities(forms: Ratios, witnesses: Mapping[int, Sequence[int]]) -> dict[int, Possibility]:
    """Return whether each group can come first, with a proof on integers but for those that are "not seen".

    ``witnesses`` are weights under which a group seems to come first; those that hold are proofs.
    """
    out: dict[int, Possibility] = {i: "yes" for i, weights in witnesses.items() if forms.first_at(weights) == [i]}
    here = np.flatnonzero((forms.due > 0).any(axis=0))  # elsewhere nothing that matters happens
    forms = Ratios(forms.earned[:, here], forms.due[:, here], forms.members)
    for alone in np.eye(len(here), dtype=int).tolist():
        best = forms.first_at(alone)
        for i in best:
            if out.get(i) != "yes":
                out[i] = "yes" if len(best) == 1 else "in ties only"
    rivals = {i for i, answer in out.items() if answer == "yes"}
    programs = iter(range(MOST_IN_ALL))
    for i in range(len(forms.members)):
        if out.get(i) == "yes":
            continue
        if not forms.due[i].any() or any(_dominates(forms, k, i) for k in rivals):
            out[i] = "no"
        else:
            answer = _linear(forms, i, {*rivals}) if forms.linear else _ratio(forms, i, {*rivals}, programs)
            if answer == "yes":
                rivals.add(i)
            out[i] = "in ties only" if answer == "not seen" and i in out else answer
    return out


def _dominates(forms: Ratios, k: int, i: int) -> bool:
    """Tell whether one is better than another under all weights, for all coefficients of a quadratic form say so."""
    if forms.linear:
        return bool((forms.earned[k] > forms.earned[i]).all())
    form = np.outer(forms.earned[k], forms.due[i]) - np.outer(forms.earned[i], forms.due[k])
    return bool((form + form.T > 0).all())


def _linear(forms: Ratios, i: int, known: set[int]) -> Possibility:
    """Decide for a group whose scores are linear: exact in all cases."""
    while True:
        sign, weights = game(forms.earned[i] - forms.earned[sorted(known)])
        if sign < 0:
            return "no"
        best = forms.first_at(weights)
        if i in best:
            return "yes" if best == [i] else "in ties only"
        known |= set(best)


def _ratio(forms: Ratios, i: int, known: set[int], programs: Iterator[int]) -> Possibility:
    """Search where a group comes first with a score from low to high, halving what cannot be ruled out.

    Then earned[i] ≥ low·due[i], and earned[k] ≤ high·due[k] for all others: a linear program.
    """
    scores = [Fraction(x, y) for x, y in zip(forms.earned[i].tolist(), forms.due[i].tolist(), strict=True) if y]
    least, most = min(scores), max(scores)
    common = least.denominator * most.denominator
    intervals = [(int(least * common), int(most * common), common)]  # low, high, and the denominator of both
    answer: Possibility = "no"
    for _ in islice(programs, MOST_PROGRAMS):
        low, high, per = intervals.pop(0)
        above, others = per * forms.earned[[i]] - low * forms.due[[i]], sorted(known)
        sign, weights = game(np.concatenate([above, high * forms.due[others] - per * forms.earned[others]]))
        if sign >= 0:
            best = forms.first_at(weights)
            if best == [i]:
                return "yes"
            if i in best:
                answer = "in ties only"
            known |= set(best) - {i}
            intervals += [(2 * low, low + high, 2 * per), (low + high, 2 * high, 2 * per)]
        if not intervals:
            return answer
    return "not seen" if answer == "no" else answer


def game(matrix: NDArray[Any]) -> tuple[int, Weights]:
    """Return the sign of max over weights ≥ 0 of the least row·weights, and weights that reach that sign.

    Weights and, for the other player, a mixture of rows prove the sign on integers: of the solution by HiGHS where it
    suffices, else of a simplex algorithm by hand, for a value of 0 needs exact weights, which SciPy cannot give.

    >>> (
    ...     game(np.array([[1, -1], [-1, 2]]))[0],
    ...     game(np.array([[0, -1]])),
    ...     game(np.array([[-1, -3], [-5, 1]]))[0],
    ... )
    (1, (0, [1, 0]), -1)
    """
    k, n = matrix.shape
    if not k:
        return 1, [1] * n
    from scipy.optimize import linprog  # slow to load

    matrix = matrix.astype(object)
    scale = np.maximum(np.abs(matrix).max(axis=1), 1)  # each row by itself: that changes no sign
    solved = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-np.asarray(matrix / scale[:, None], dtype=np.float64), np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[*[(0, None)] * n, (None, None)],
        method="highs",
    )
    if solved.status == 0:
        weights, mixture = _rounded(solved.x[:-1]), _rounded(-solved.ineqlin.marginals) * (scale.max() << BITS) // scale
        if (matrix @ weights).min() > 0:
            return 1, weights.tolist()
        if (mixture @ matrix).max() < 0:
            return -1, weights.tolist()
    return _exactly(matrix)


def _rounded(weights: Floats) -> NDArray[Any]:
    return np.array([max(0, round(float(weight) * 2**BITS)) for weight in weights], dtype=object)


def _exactly(matrix: NDArray[Any]) -> tuple[int, Weights]:
    """Solve the game by the simplex algorithm on integers (Bland's rule), every division without remainder.

    All entries are raised above 0. Then max Σz with matrixᵀz ≤ 1, z ≥ 0 starts at z = 0, and 1/Σz is the value of the
    raised game; the optimal weights are the prices of the rows of this program.
    """
    k, n = matrix.shape
    rise = 1 - int(matrix.min())
    table = np.zeros((n + 1, k + n + 1), dtype=object)
    table[:n, :k] = matrix.T + rise
    table[:n, k : k + n] = np.eye(n, dtype=int)
    table[:n, -1] = 1
    table[n, :k] = -1
    basis, factor = list(range(k, k + n)), 1
    while (entering := np.flatnonzero(table[n, :-1] < 0)).size:
        column = int(entering[0])
        ratios = [(r, table[r, -1], table[r, column]) for r in range(n) if table[r, column] > 0]
        row, top, bottom = ratios[0]
        for r, up, down in ratios[1:]:
            ahead = up * bottom - top * down
            if ahead < 0 or (ahead == 0 and basis[r] < basis[row]):
                row, top, bottom = r, up, down
        pivot, kept = table[row, column], table[row].copy()
        table = (table * pivot - np.outer(table[:, column], kept)) // factor
        table[row] = kept
        factor, basis[row] = pivot, column
    value = factor - rise * table[n, -1]  # of the game, times Σz > 0
    return int(np.sign(value)), [int(x) for x in table[n, k : k + n]]

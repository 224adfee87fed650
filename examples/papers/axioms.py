"""The axioms of ranking on a finite set of performances, for any score or comparison, and any way to combine them.

    P = rs.Performances.from_counts([[5, 0, 5, 0], [0, 5, 0, 5], [5, 5, 5, 5]], names=["no", "yes", "coin"])
    print(check_axioms(P, "sqrt(tpr*tnr)"))

``rs.audit`` proves or refutes that a score keeps them on all performances. This looks at the performances at hand, and
a comparison may be any function of two of them. (Foundations, 4.1 to 4.3.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankscape as rs
from rankscape import Performances
from rankscape._scores import as_score, levels
from rankscape.performances import as_performances
from rankscape.results import Result, Table
from rankscape.soundness.verdict import reduced

Flags = NDArray[np.bool_]
Combine = Callable[[Performances], Performances]
MOST = 60
"""Performances: the check of Axiom 3 looks at every one against the combinations of every pair."""


@dataclass(frozen=True)
class Check:
    """Whether an axiom holds on a finite set, the rows that break it, and how they do, in numbers."""

    holds: bool
    witness: tuple[int, ...] = ()
    evidence: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Axioms(Result):
    """Which axioms a comparison satisfies on a finite set of performances.

    Attributes
    ----------
    reflexive, transitive
        The two parts of Axiom 1.
    axiom2, axiom3
        The other axioms; the first holds where the space has no satisfaction.
    relations : (n, n)
        "better", "worse", "equivalent" or "incomparable".

    See Also
    --------
    check_axioms
    """

    reflexive: Check
    transitive: Check
    axiom2: Check
    axiom3: Check
    relations: NDArray[np.str_]

    @property
    def preorder(self) -> bool:
        """Whether the comparison is reflexive and transitive, as Axiom 1 requires."""
        return self.reflexive.holds and self.transitive.holds

    @property
    def holds(self) -> bool:
        """Whether all hold on this set."""
        return self.preorder and self.axiom2.holds and self.axiom3.holds

    def table(self) -> Table:
        """Return one row per property: whether it holds, and what shows that it does not.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        names = ("reflexive", "transitive", "axiom2", "axiom3")
        checks = [getattr(self, name) for name in names]
        columns = {"holds": [c.holds for c in checks], "shown": [c.evidence for c in checks]}
        return Table({"property": list(names)} | columns)


def at_most(performances: Performances, by: Any) -> Flags:
    """Return the matrix (n, n) of "row i is worse than or equivalent to row j", by a score or a comparison.

    By a score: equal performances, or both in the domain and X(P_i) ≤ X(P_j), decided exactly. A comparison is a
    function of two performances that is true where the first is worse or equivalent. (Foundations, Theorem 1.)

    >>> P = Performances.from_counts([[0, 1, 1, 2], [2, 0, 2, 0], [0, 1, 1, 2]])
    >>> at_most(P, "precision").astype(int).tolist()
    [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    """
    if callable(by) and not isinstance(by, rs.Score):
        rows = list(performances)
        return np.array([[bool(by(first, second)) for second in rows] for first in rows])
    level, _ = levels(performances, as_score(by, performances.space))
    both = (level[:, None] >= 0) & (level >= 0)
    return both & (level[:, None] <= level) | _equal(performances)


def _equal(performances: Performances) -> Flags:
    """Return which rows are the same performance, exactly."""
    numbers: dict[tuple[int, ...], int] = {}
    key = np.array([numbers.setdefault(reduced(row), len(numbers)) for row in performances.integers])
    return np.asarray(key[:, None] == key)


def named(matrix: Flags) -> NDArray[np.str_]:
    """Return the four relations that come out of "worse or equivalent". (Foundations, (1)-(4).)

    >>> named(np.array([[True, True], [False, True]])).tolist()
    [['equivalent', 'worse'], ['better', 'equivalent']]
    """
    relation = np.array([["incomparable", "better"], ["worse", "equivalent"]])
    return np.asarray(relation[matrix.astype(int), matrix.T.astype(int)])


def intransitive(matrix: Flags) -> tuple[int, int, int] | None:
    """Return rows (i, j, k) with i ≲ j ≲ k but not i ≲ k; None where the relation is transitive.

    >>> intransitive(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=bool))
    (0, 1, 2)
    """
    for j in range(len(matrix)):
        broken = matrix[:, j, None] & matrix[j] & ~matrix
        if broken.any():
            i, k = (int(x) for x in np.argwhere(broken)[0])
            return i, j, k
    return None


def mixtures(performances: Performances) -> Performances:
    """Return some mixtures of performances, as a finite sample of their convex hull (Φ = conv).

    They are the mean of all, and those in which one of them weighs three times as much as each other one.

    >>> mixtures(Performances.from_counts([[1, 0, 0, 0], [0, 0, 0, 1]])).mass[:, 3].tolist()
    [0.25, 0.5, 0.75]
    """
    n = len(performances)
    weights = [[1] * n] + [[3 if i == j else 1 for i in range(n)] for j in range(n)]
    mixed = [performances.mix(w).integers[0] for w in ([weights[1], weights[0], *weights[2:]] if n > 1 else weights)]
    return Performances.from_exact(mixed, space=performances.space)


def check_axioms(
    performances: Any,
    by: Any | Callable[[Performances, Performances], bool],
    combine: Combine | None = None,
) -> Axioms:
    """Check the three axioms of ranking on a finite set, for any ordering and any way to combine performances.

    Checked are reflexivity and transitivity (Axiom 1), Axiom 2 where the space has a satisfaction, and Axiom 3 for the
    combinations of every pair. What holds on a finite set need not hold everywhere; what fails, fails. (Foundations,
    Axioms 1-3; we believe that "∨ P′ ∈ Π" means "for all P′ ∈ Π".)

    Parameters
    ----------
    performances
        At most 60 performances on any finite sample space.
    by
        A score, or a function of two performances that is true where the first is worse or equivalent.
    combine
        Φ, a function from two of the performances to those that can be had from them; by default some of their
        mixtures.

    Returns
    -------
    Axioms
        What holds, and the rows that break what does not.

    Raises
    ------
    rs.UsageError
        For more than 60 performances.

    See Also
    --------
    rankscape.audit : proofs for all performances

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[16, 0, 4, 0], [0, 16, 0, 4]])
    >>> check_axioms(P, "accuracy").holds, check_axioms(P, "sqrt(tpr*tnr)").axiom3.holds
    (True, False)
    """
    performances = as_performances(performances)
    if len(performances) > MOST:
        raise rs.UsageError(f"the axioms are checked on at most {MOST} performances; got {len(performances)}")
    matrix = at_most(performances, by)
    reflexive = transitive = Check(True)
    for row in np.flatnonzero(~np.diagonal(matrix)).tolist()[:1]:
        reflexive = Check(False, (row,), f"row {row + 1} is not equivalent to itself")
    if broken := intransitive(matrix):
        i, j, k = (row + 1 for row in broken)
        transitive = Check(False, broken, f"row {i} ≲ row {j} ≲ row {k}, but not row {i} ≲ row {k}")
    axiom3 = _axiom_3(performances, by, combine or mixtures)
    return Axioms(reflexive, transitive, _axiom_2(performances, matrix), axiom3, named(matrix))


def _axiom_2(performances: Performances, matrix: Flags) -> Check:
    if performances.space.satisfaction is None:
        return Check(True, (), "the sample space has no satisfaction")
    satisfaction = np.array(performances.space.satisfaction)
    possible = performances.mass > 0
    highest = np.where(possible, satisfaction, -np.inf).max(axis=1)
    lowest = np.where(possible, satisfaction, np.inf).min(axis=1)
    better = matrix.T & ~matrix
    wrong = np.argwhere(better & (highest[:, None] <= lowest))
    if not len(wrong):
        return Check(True)
    i, j = (int(x) for x in wrong[0])
    return Check(False, (i, j), f"row {i + 1} surely satisfies no more than row {j + 1}, but is better")


def _axiom_3(performances: Performances, by: Any, combine: Combine) -> Check:
    """Look at all sets of two rows, all that can be had from them, and all rows that are comparable to both."""
    n = len(performances)
    for pair in combinations(range(n), 2):
        reached = combine(performances[list(pair)])
        everyone = Performances.from_exact([*performances.integers, *reached.integers], space=performances.space)
        matrix = at_most(everyone, by)
        for p in range(n):
            below, above = matrix[list(pair), p], matrix[p, list(pair)]
            if not (below | above).all():
                continue
            for c in range(n, n + len(reached)):
                broken = (
                    (below.all() and not matrix[c, p], "≲ it, a combination is not"),
                    (not below.any() and matrix[c, p], "are not ≲ it, a combination is"),
                    (above.all() and not matrix[p, c], "≳ it, a combination is not"),
                    (not above.any() and matrix[p, c], "are not ≳ it, a combination is"),
                )
                for wrong, what in broken:
                    if wrong:
                        names = f"rows {pair[0] + 1} and {pair[1] + 1}"
                        counts = ", ".join(map(str, reduced(everyone.integers[c])))
                        return Check(False, (*pair, p), f"against row {p + 1}: {names} {what}: ({counts})")
    return Check(True)

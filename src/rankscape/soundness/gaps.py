"""Where a score has no value although the ranking score that orders alike has one."""

from fractions import Fraction
from itertools import product

import numpy as np

from .._scores import Score
from .._scores.sets import PerformanceSet
from ..outcomes import TWO_CLASS
from ..performances import Performances


def without_value(score: Score, among: PerformanceSet, importance: tuple[Fraction, ...]) -> str:
    """Return a clause on the faces where a score lacks a value that the ranking score has; "" where it lacks none.

    PPV/(1 − PPV) orders as PPV, but not those without false positives, which are the best by PPV: they have no value,
    so they are incomparable to all others. (Foundations, 3.2.)

    >>> from .._scores import score
    >>> without_value(
    ...     score("ppv/(1 - ppv)"),
    ...     PerformanceSet(),
    ...     (Fraction(0), Fraction(1), Fraction(0), Fraction(1)),
    ... )
    '; it has no value where fp = 0, though R_I has one: these are incomparable to the others'
    """
    if among.fixed is None:
        counts = np.array([row for row in product((0, 1), repeat=4) if any(row)], dtype=np.int64)
    else:
        counts = among.grid(2).reshape(-1, 4)
    matters = (counts @ np.array([w > 0 for w in importance], dtype=np.int64)) > 0
    lost = np.isnan(score(Performances.from_counts(counts))) & matters
    faces = {frozenset(np.flatnonzero(row).tolist()) for row in counts[lost]}
    largest = [face for face in faces if not any(face < other for other in faces)]
    texts = sorted(" = ".join([TWO_CLASS.outcomes[i] for i in range(4) if i not in face] + ["0"]) for face in largest)
    if not texts:
        return ""
    return f"; it has no value where {' or '.join(texts)}, though R_I has one: these are incomparable to the others"

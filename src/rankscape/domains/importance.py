"""What a preference asks of each domain: its importance, and how much of it is due and earned there."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from ..errors import NoPlaceError, in_prose
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS, canonical_importance
from .grid import Grid


def preference_on(score: Score, grid: Grid) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the importance, as integers, and the satisfaction of a score that orders as a ranking score."""
    score.check(grid.performances)
    importance: Any = score.importance or score.orders_as
    if importance is None:
        two_class = score.space.outcomes == TWO_CLASS.outcomes
        try:
            a, b = score.exact_place(grid.performances.common_prior() if two_class else None)
        except NoPlaceError as error:
            raise NoPlaceError(
                f"{score.name} gives the domains no weights, as a ranking score does: {error.worded(in_prose)}"
            ) from None
        importance = canonical_importance(np.array(a, dtype=object), np.array(b, dtype=object))
    worths = [Fraction(s) for s in score.space.satisfaction or ()]
    worth = np.array([int(s) if s.denominator == 1 else s for s in worths], dtype=object)
    whole = integers_of_fractions(np.array([Fraction(w) for w in importance], dtype=object))
    return whole, worth if grid.exact else worth.astype(float)


def weighted_sums(grid: Grid, weights: NDArray[Any]) -> NDArray[Any]:
    """Return Σ weights·λ_d·P_d over the outcomes, (entities, domains), up to a factor per entity."""
    return np.asarray((grid.parts * (weights if grid.exact else weights.astype(float))).sum(axis=2))

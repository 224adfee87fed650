"""Whether draws can be trusted: the prior is small beside the counts, and what was seen lies inside its interval."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..texts import one_line, some

Floats = NDArray[np.float64]
LARGEST_SHARE = 0.05
"""The prior may count this share of the cases of an entity on several domains before it is told."""

FEW = 100
"""Fewer draws than these tell intervals and probabilities only roughly."""

WAYS_OUT = "give a smaller prior, resample the cases within their domains (bootstrap), or count the domains pooled"


def about_prior(alpha: float, outcomes: int, domains: NDArray[np.int64], cases: NDArray[np.int64]) -> tuple[str, ...]:
    """Say that the prior pulls: it counts α cases per outcome on each of the ``domains`` (n,) beside ``cases`` (n,).

    >>> about_prior(0.5, 4, np.array([10]), np.array([100]))[0][:75]
    'The prior counts 2 cases on each domain, 20 beside the 100 seen of an entit'
    >>> about_prior(0.5, 4, np.array([10]), np.array([10_000]))
    ()
    """
    added = alpha * outcomes * domains
    row = int(np.argmax(added / cases))
    if domains[row] < 2 or added[row] <= LARGEST_SHARE * cases[row]:
        return ()
    return (
        f"The prior counts {alpha * outcomes:g} cases on each domain, {added[row]:g} beside the {cases[row]} seen of "
        f"an entity, and pulls all values: {WAYS_OUT}",
    )


def about_absent(names: Sequence[str], undefined: NDArray[np.bool_], most: int = 3) -> tuple[str, ...]:
    """Say in how many draws (draws, n) an entity lacks a class, so that its prior cannot be shifted.

    >>> about_absent(["a", "b"], np.array([[False, True], [False, False]]))[0][:55]
    'In 1 of 2 draws b has no case of a class, so that its p'
    """
    times = undefined.sum(axis=0)
    if not times.any():
        return ()
    lacking = [names[e] for e in np.flatnonzero(times).tolist()]
    up_to = "up to " if len(lacking) > 1 else ""
    has, its = ("has", "its prior") if len(lacking) == 1 else ("have", "their priors")
    return (
        f"In {up_to}{times.max()} of {len(undefined)} draws {some(lacking, most, quote='', word=one_line)} {has} no "
        f"case of a class, so that {its} cannot be shifted: the score is undefined there, and counts for no rank",
    )


def outside(values: Floats, low: Floats, high: Floats) -> NDArray[np.bool_]:
    """Tell which values lie outside their interval.

    Draws stay short of 0, 1 and −1, the ends of a score: these are outside only where they are farther off than the
    interval is wide.

    >>> outside(np.array([0.8, 1.0]), np.array([0.5, 0.9]), np.array([0.7, 0.99])).tolist()
    [True, False]
    """
    room = np.where(np.isin(values, (-1.0, 0.0, 1.0)), high - low, 0.0)
    return np.asarray((values < low - room) | (values > high + room))


def about_outside(names: Sequence[str], level: float, most: int = 3) -> tuple[str, ...]:
    """Say whose value lies outside its own interval.

    >>> about_outside(["a"], 0.95)[0][:62]
    'The value seen of a lies outside its own 95% interval, so that'
    """
    if not names:
        return ()
    which = "its own" if len(names) == 1 else "their own"
    lies, value = ("lies", "value") if len(names) == 1 else ("lie", "values")
    return (
        f"The {value} seen of {some(names, most, quote='', word=one_line)} {lies} outside {which} {level:.0%} interval,"
        f" so that the draws are biased, ranks and P(first) too: {WAYS_OUT}",
    )

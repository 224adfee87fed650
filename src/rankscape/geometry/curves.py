"""Curves and moves on the Tile: no-skill curves, the prior shift and its grid, operations, Cohen's correction."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_prior, checked_size
from ..errors import UsageError, not_among
from ..typing import Floats

Move = Callable[[Floats, Floats], tuple[Floats, Floats]]
MOVES: dict[str, tuple[Move, bool]] = {  # (a, b) before → after, and whether better and worse change places
    "swap_classes": (lambda a, b: (1 - a, 1 - b), False),
    "swap_truth_and_prediction": (lambda a, b: (a, 1 - b), False),
    "change_prediction": (lambda a, b: (b, a), True),
    "change_truth": (lambda a, b: (1 - b, 1 - a), True),
}
"""Where R_{a,b} of changed performances is on the Tile of the unchanged ones. (Tile, Table 1 and Lemmas 1-4.)"""


def odds(x: float | Fraction) -> float:
    """Return x/(1−x), ∞ at 1.

    >>> odds(0.75), odds(1)
    (3.0, inf)
    """
    return inf if x == 1 else float(x / (1 - x))


def transform_place(operation: str, a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats, bool]:
    """Return the place whose ordering, before an operation, is that of R_{a,b} after it, and whether it is reversed.

    (Tile, Table 1 and Lemmas 1-4.)

    Parameters
    ----------
    operation
        The name of a method of :class:`rankscape.Performances`: "swap_classes", "swap_truth_and_prediction",
        "change_prediction" or "change_truth".
    a, b : (…)
        Places on the Tile, in [0, 1]; they broadcast.

    Returns
    -------
    tuple
        The place (a, b) before the operation, two arrays, and whether the ordering is reversed.

    Raises
    ------
    UsageError
        For an unknown operation.

    See Also
    --------
    rankscape.tile.place_at_prior

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.transform_place("swap_truth_and_prediction", [0.25, 0.5], [0.125, 0.5])
    (array([0.25, 0.5 ]), array([0.875, 0.5  ]), False)
    """
    if operation not in MOVES:
        raise not_among("operation", operation, MOVES)
    move, reversed_ = MOVES[operation]
    new_a, new_b = move(checked_places(a), checked_places(b))
    return new_a, new_b, reversed_


def gamma_pi(prior: float, a: ArrayLike) -> Floats:
    """Return b on the curve γ_π, π₊²ab = π₋²(1−a)(1−b), whose scores rank all no-skill performances of a prior equal.

    The curve goes from NPV (0, 1) to PPV (1, 0), through the places of BA and κ. (Tile, 4.4.)

    Parameters
    ----------
    prior
        The prior π₊, in [0, 1].
    a : (…)
        Columns of the Tile, in [0, 1].

    Returns
    -------
    ndarray
        b, in [0, 1]; NaN at a = 1 for the prior 0, and at a = 0 for 1.

    Raises
    ------
    UsageError
        For numbers outside [0, 1].

    See Also
    --------
    rankscape.tile.gamma_tau
    rankscape.tile.tying_prior

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.gamma_pi(0.3, [0.0, 0.7, 1.0]).round(12).tolist()
    [1.0, 0.7, 0.0]
    """
    prior, a = checked_prior(prior), checked_places(a)
    left, right = (1 - prior) ** 2 * (1 - a), prior**2 * a
    with np.errstate(invalid="ignore"):
        return np.asarray(left / (left + right))


def gamma_tau(rate: float, a: ArrayLike) -> Floats:
    """Return b on the curve γ_τ, τ₊²a(1−b) = τ₋²(1−a)b: as γ_π, for a fixed prediction rate τ₊.

    (Tile, 4.4.)

    Parameters
    ----------
    rate
        The prediction rate τ₊, in [0, 1].
    a : (…)
        Columns of the Tile, in [0, 1].

    Returns
    -------
    ndarray
        b, in [0, 1].

    Raises
    ------
    UsageError
        For numbers outside [0, 1].

    See Also
    --------
    rankscape.tile.gamma_pi

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.gamma_tau(0.5, [0.0, 0.25, 1.0]).tolist()
    [0.0, 0.25, 1.0]
    """
    return 1 - gamma_pi(rate, a)


def place_at_prior(x: ArrayLike, prior: float, new_prior: float) -> Floats:
    """Return f(x), which moves a and b under a prior shift: R_{a,b} after the shift orders as R_{f(a),f(b)} before it.

    f(x) = x·π₊'/π₊ / ((1−x)·π₋'/π₋ + x·π₊'/π₊). (Tile, Lemma 5.)

    Parameters
    ----------
    x : (…)
        Places on either axis, in [0, 1].
    prior
        The prior π₊ before the shift, in (0, 1).
    new_prior
        The prior π₊' after the shift, in (0, 1).

    Returns
    -------
    ndarray
        f(x), in [0, 1].

    Raises
    ------
    UsageError
        For places outside [0, 1], or priors outside (0, 1).

    See Also
    --------
    rankscape.Performances.shift_priors
    rankscape.tile.prior_grid

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.place_at_prior([0, 0.35, 1], 0.3, 0.8).round(12).tolist()
    [0.0, 0.834042553191, 1.0]
    """
    for number in (prior, new_prior):
        if not 0 < checked_prior(number) < 1:
            raise UsageError(f"a prior shift needs priors inside (0, 1); got {number}")
    x = checked_places(x)
    right = x * new_prior / prior
    return np.asarray(right / ((1 - x) * (1 - new_prior) / (1 - prior) + right))


def prior_grid(prior: float, lines: int = 11) -> Floats:
    """Return where the regular grid of uniform priors moves at the prior π₊, on either axis.

    (Tile, eqs (4)-(5).)

    Parameters
    ----------
    prior
        The prior π₊, in (0, 1).
    lines
        The number of lines, at least 2.

    Returns
    -------
    (lines,)
        The places, ascending from 0 to 1.

    Raises
    ------
    UsageError
        For a prior outside (0, 1), or fewer than two lines.

    See Also
    --------
    rankscape.tile.place_at_prior

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.prior_grid(0.2, lines=3).round(12).tolist()
    [0.0, 0.8, 1.0]
    """
    return place_at_prior(np.linspace(0, 1, checked_size("lines", lines, 2)), prior, 0.5)


def tying_prior(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the prior π₊ at which R_{a,b} ranks all no-skill performances equal.

    It is √((1−a)(1−b)) / (√(ab) + √((1−a)(1−b))). At that prior (a, b) lies on γ_π. (Tile, 4.4.)

    Parameters
    ----------
    a, b : (…)
        Places on the Tile, in [0, 1]; they broadcast.

    Returns
    -------
    ndarray
        The prior, in [0, 1]; NaN at NPV and PPV, which tie them at every prior.

    Raises
    ------
    UsageError
        For places outside [0, 1].

    See Also
    --------
    rankscape.tile.no_skill_prior : for all places

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tile.tying_prior([0.5, 0.7, 0], [0.5, 0.7, 1]).round(12).tolist()
    [0.5, 0.3, nan]
    """
    a, b = checked_places(a), checked_places(b)
    both, neither = np.sqrt(a * b), np.sqrt((1 - a) * (1 - b))
    with np.errstate(invalid="ignore"):
        return np.asarray(neither / (both + neither))


def checked_places(x: ArrayLike) -> Floats:
    """Return places on the Tile, or raise UsageError where one is outside [0, 1]."""
    places = np.asarray(x, dtype=np.float64)
    if not ((places >= 0) & (places <= 1)).all():  # nor is NaN a place
        raise UsageError(f"places on the Tile lie in [0, 1]; got {places[~((places >= 0) & (places <= 1))].flat[0]:g}")
    return places

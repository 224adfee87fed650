"""Ranking scores of any importance, and their mean over the Tile: the Volume Under Tile."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Option, UndefinedScoreError, UsageError, not_among
from ..floats import expit, exps, logs, logs1p
from ..outcomes import TWO_CLASS, checked_importance
from ..performances import Performances, as_performances
from ..tasks import two_class
from ..tasks.pairs import Pairs
from ..typing import Floats, PerformancesLike, Undefined

WELL_CONDITIONED = 0.02
"""The closed form subtracts terms of size M²: where |Δs·Δu| is a smaller share of M² it loses two digits or more."""


def ranking_score(
    performances: Performances | ArrayLike,
    importance: ArrayLike,
    satisfaction: ArrayLike | None = None,
    undefined: Undefined = "nan",
) -> Floats:
    """Return the ranking scores R_I = E[I·S] / E[I], for any sample space; larger is better.

    The domain is E[I] ≠ 0. Rows and importances broadcast, and the result drops the last axis. (Foundations, 4.3; Tile,
    eq. (3).)

    Parameters
    ----------
    performances : (…, k)
        Performances over k outcomes, or an array of their probabilities.
    importance : (…, k)
        The importance of each outcome, ≥ 0.
    satisfaction : (k,), optional
        How satisfying each outcome is; by default as the sample space says.
    undefined
        What to return where E[I] = 0: "nan", "limit" (that of E[I·S] / E[I] as the outcomes with S ≤ 0 get a vanishing
        importance), or "raise".

    Returns
    -------
    (…,)
        The scores, as satisfying as the outcomes are: in [0, 1] for two classes; larger is better.

    Raises
    ------
    UsageError
        For importances of another space, regressors, and an unknown ``undefined``.
    UndefinedScoreError
        With ``undefined="raise"``, where E[I] = 0.

    See Also
    --------
    rankscape.rank : ranks by it
    rankscape.at : the importance at a place of the Tile
    rankscape.tile.value : all places at once

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.ranking_score([[0.56, 0.24, 0.06, 0.14]], [1, 1, 1, 1]).round(12).tolist()
    [0.7]
    """
    if isinstance(performances, Pairs):
        raise UsageError("regressors have errors: tasks.regression.values(pairs, criterion) has their means")
    space = performances.space if isinstance(performances, Performances) else TWO_CLASS
    mass = performances.mass if isinstance(performances, Performances) else np.asarray(performances, dtype=np.float64)
    if satisfaction is None:
        if space.satisfaction is None:
            ways = Option("satisfaction", python="pass satisfaction=, one number per outcome")
            raise UsageError(f"{space.name} has no satisfaction", way_out=ways)
        satisfaction = space.satisfaction
    weights = np.asarray(checked_importance(importance, space), dtype=np.float64)
    try:
        due = np.asarray((mass * weights).sum(axis=-1))
        earned = np.asarray((mass * weights * np.asarray(satisfaction, dtype=np.float64)).sum(axis=-1))
    except ValueError:
        raise UsageError(
            f"performances {mass.shape} and importances {weights.shape} do not broadcast: give the performances an "
            "axis for each of the importance's",
            way_out=Option("mass", python="pass P.mass[:, None, None], for example"),
        ) from None
    with np.errstate(invalid="ignore"):
        scores = np.asarray(np.where(due > 0, np.divide(earned, due, where=due > 0, out=np.zeros_like(due)), np.nan))
    if undefined == "raise" and np.isnan(scores).any():
        raise UndefinedScoreError(
            f"R_I is undefined for {int(np.isnan(scores).sum())} of {scores.size}: E[I] = 0 there"
        )
    if undefined == "limit":
        scores = np.where(np.isnan(scores), limit_of(mass, np.asarray(satisfaction, dtype=np.float64)), scores)
    elif undefined not in get_args(Undefined):
        raise unknown_way(undefined)
    return scores


def limit_of(mass: Floats, satisfaction: Floats) -> Floats:
    """Return E[I·S] / E[I] as I vanishes alike on the outcomes that do not satisfy (S ≤ 0), and is 0 on the others.

    It is 0 where no satisfaction is negative, and NaN where all that occurs satisfies.

    >>> limit_of(np.array([[0.5, 0.25, 0.25]]), np.array([1.0, 0.0, -1.0])).tolist()
    [-0.5]
    """
    lost = mass * (satisfaction <= 0)
    due, earned = lost.sum(axis=-1), (lost * satisfaction).sum(axis=-1)
    return np.asarray(np.where(due > 0, np.divide(earned, due, where=due > 0, out=np.zeros_like(due)), np.nan))


def unknown_way(undefined: str) -> UsageError:
    """Return the error about an unknown value of ``undefined``."""
    return not_among("undefined", undefined, get_args(Undefined))


def vut(performances: PerformancesLike) -> Floats:
    """Return VUT = ∫∫ R_{a,b} da db, (n,), in [0, 1]; larger is better, but it must not be used to rank (Axiom 3).

    Defined for all performances. The closed form (15) is used where it does not cancel; else its inner integral s·ln((s
    + u₁)/(s + u₀))/(u₁ − u₀), of which (13) and (14) are limits, by double-exponential quadrature over s, which keeps
    full accuracy. (Tile, eqs (9)-(15); in the proof of (15) we believe that 2bc − ac should read 2bc − ad.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).

    Returns
    -------
    (n,)
        The volume under the Tile, in [0, 1]; larger is better, but it must not be used to rank (Axiom 3).

    Raises
    ------
    UsageError
        For performances that are not of two classes.

    See Also
    --------
    rankscape.regions.first : for how many preferences each entity comes first

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.vut([[0.4, 0.1, 0.2, 0.3]]).round(12).tolist()
    [0.701355135507]
    """
    performances = two_class.as_two_class(as_performances(performances), "VUT")
    mass = performances.mass
    tn, fp, fn, tp = mass.T
    good = np.abs((tp - tn) * (fn - fp)) > WELL_CONDITIONED * (np.maximum(tn, tp) + np.maximum(fp, fn)) ** 2
    out = np.empty(len(mass))
    out[good] = _closed_form(*mass[good].T)
    out[~good] = _quadrature(*mass[~good].T)
    return np.clip(out, 0.0, 1.0)


def _closed_form(tn: Floats, fp: Floats, fn: Floats, tp: Floats) -> Floats:
    """Eq. (15); x² ln(x + y) is 0 where x + y = 0."""
    total = np.zeros_like(tn)
    for plus, minus in ((tn, fn), (tp, fp), (fp, tn), (fn, tp)):
        both = plus + minus
        total += (plus - minus) * both * logs(np.where(both > 0, both, 1.0))
    result: Floats = 0.5 - 0.5 * total / ((tp - tn) * (fn - fp))
    return result


def _double_exponential() -> tuple[Floats, Floats]:
    """Nodes in (0, 1) and weights; dense at both ends, where the integrand may have a logarithm."""
    step, last = 1 / 16, 3.2
    t = np.arange(-last, last + step / 2, step)
    up, down = exps(t), exps(-t)
    nodes = expit(np.pi * (up - down) / 2)
    weights = step * np.pi * (up + down) / 2 * nodes * expit(-np.pi * (up - down) / 2)
    return nodes, weights / weights.sum()


_NODES, _WEIGHTS = _double_exponential()


def _quadrature(tn: Floats, fp: Floats, fn: Floats, tp: Floats) -> Floats:
    s_low, s_high = np.minimum(tn, tp), np.maximum(tn, tp)
    u_low, u_high = np.minimum(fp, fn), np.maximum(fp, fn)
    total = np.zeros_like(tn)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        s = s_low + (s_high - s_low) * node
        lower = s + u_low
        with np.errstate(invalid="ignore", divide="ignore"):
            x = (u_high - u_low) / lower
            mean_log = np.where(x > 0, logs1p(x) / x, 1.0)  # of 1/(1 + x·v) over v in [0, 1]
            total += weight * np.where(s > 0, np.where(np.isinf(x), 0.0, s / lower * mean_log), 0.0)
    return total

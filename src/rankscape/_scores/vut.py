"""The Volume Under Tile: the mean of all canonical ranking scores."""

from __future__ import annotations

import numpy as np

from ..io import as_performances
from ..tasks import two_class
from ..typing import Floats, PerformancesLike

WELL_CONDITIONED = 0.02
"""The closed form subtracts terms of size M²: where |Δs·Δu| is a smaller share of M² it loses two digits or more."""


def vut(performances: PerformancesLike) -> Floats:
    """Return VUT = ∫∫ R_{a,b} da db, (n,), in [0, 1]; larger is better, but it must not be used to rank (Axiom 3).

    Defined for all performances. The closed form (15) where it does not cancel; else its inner integral
    s·ln((s + u₁)/(s + u₀))/(u₁ − u₀), of which (13) and (14) are limits, by double-exponential quadrature over s, which
    keeps full accuracy. (Tile, eqs (9)-(15).)
    Raises UsageError for performances that are not of two classes.

    >>> vut([[0.4, 0.1, 0.2, 0.3]]).round(12).tolist()
    [0.701355135507]
    """
    performances = two_class.as_two_class(as_performances(performances), "VUT")
    mass = performances.mass
    tn, fp, fn, tp = mass.T
    size = (np.maximum(tn, tp) + np.maximum(fp, fn)) ** 2
    good = np.abs((tp - tn) * (fn - fp)) > WELL_CONDITIONED * size
    out = np.empty(len(mass))
    out[good] = _closed_form(*mass[good].T)
    out[~good] = _quadrature(*mass[~good].T)
    return np.clip(out, 0.0, 1.0)


def _closed_form(tn: Floats, fp: Floats, fn: Floats, tp: Floats) -> Floats:
    """Eq. (15); x² ln(x + y) is 0 where x + y = 0."""
    total = np.zeros_like(tn)
    for plus, minus in ((tn, fn), (tp, fp), (fp, tn), (fn, tp)):
        both = plus + minus
        total += (plus - minus) * both * np.log(np.where(both > 0, both, 1.0))
    result: Floats = 0.5 - 0.5 * total / ((tp - tn) * (fn - fp))
    return result


def _double_exponential(step: float = 1 / 16, last: float = 3.2) -> tuple[Floats, Floats]:
    """Nodes in (0, 1) and weights; dense at both ends, where the integrand may have a logarithm."""
    t = np.arange(-last, last + step / 2, step)
    nodes = 1 / (1 + np.exp(-np.pi * np.sinh(t)))
    weights = step * np.pi * np.cosh(t) * nodes / (1 + np.exp(np.pi * np.sinh(t)))
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
            mean_log = np.where(x > 0, np.log1p(x) / x, 1.0)  # of 1/(1 + x·v) over v in [0, 1]
            total += weight * np.where(s > 0, np.where(np.isinf(x), 0.0, s / lower * mean_log), 0.0)
    return total

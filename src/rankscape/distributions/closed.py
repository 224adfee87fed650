"""How many pairs of performances F_β orders unlike precision and unlike recall: closed forms that keep their digits.

Two performances are ordered differently by precision and recall with probability D/2, D = 1 − τ(Pr;Re). Each function
returns what D is the sum of: δ₁ = 1 − τ(Pr;F_β) and δ₂ = 1 − τ(F_β;Re), twice the distances of (7). Both are integrals
of something positive. One is computed, by its closed form where that does not cancel, elsewhere by Gauss's rule; the
other one, never the much smaller one, is D less the first. Both keep 14 digits for any β in [0, ∞].
"""

from collections.abc import Callable
from math import cos, pi

import numpy as np

from ..floats import logs, logs1p
from ..typing import Floats

TINY = 1e-300
"""In place of 0, where the logarithm of 0 would be multiplied by 0."""


def gauss(n: int) -> tuple[Floats, Floats]:
    """Return n nodes and weights of Gauss's rule on [0, 1], by Newton's steps to the roots of Legendre's polynomial.

    >>> nodes, weights = gauss(2)
    >>> nodes.round(12).tolist(), weights.round(12).tolist()
    ([0.211324865405, 0.788675134595], [0.5, 0.5])
    """
    x = -np.array([cos(pi * (k + 0.75) / (n + 0.5)) for k in range(n)]).round(9)
    for _ in range(6):
        before, here = np.ones(n), x
        for k in range(2, n + 1):
            before, here = here, ((2 * k - 1) * x * here - (k - 1) * before) / k
        slope = n * (before - x * here) / (1 - x**2)
        x = x - here / slope
    return (1 + x) / 2, 1 / ((1 - x**2) * slope**2)


NODES, WEIGHTS = gauss(32)
"""Gauss's rule on [0, 1]. The integrands have no pole nearer than at −1, 4/3 or 2: the rule is exact to rounding."""


def _cube(x: Floats) -> Floats:
    return x * x * x


def _integral(integrand: Callable[..., Floats], *values: Floats) -> Floats:
    """Integrate over t in [0, 1]; the values have a last axis for t."""
    return np.asarray((integrand(*(value[..., None] for value in values)) * WEIGHTS).sum(axis=-1))


def uniform(k: Floats) -> tuple[Floats, Floats]:
    """Return δ₁ and δ₂ on Π₁ and on every Π₂, k = β²: the papers have D = 2/3 and the case k = 1. (48)-(53)

    δ₁ = 4 ∫ t²(1−t)k/(1−t+kt) dt and δ₂ = 4 ∫ t(1−t)²/(1−t+kt) dt over [0, 1], each the other one at 1/k. δ₂ = 4J(k),
    J(k) = [(k−1)(2k²+5k−1) − 6k² ln k]/(6(k−1)⁴), which cancels near k = 1.
    """
    with np.errstate(divide="ignore", over="ignore"):
        h = np.minimum(k, 1 / k)
    far, near = np.clip(h, TINY, 0.25), np.maximum(h, 0.25)
    top = (1 - far) * (2 + 5 * far - far**2) + 6 * far * logs(far)
    closed = np.minimum(h, 0.25) * top / ((1 - far) ** 2) ** 2 * 2 / 3
    t = NODES
    ruled = 1 / 3 - 4 * (1 - near) * _integral(lambda h: (t * (1 - t)) ** 2 / (1 - t + h * t), near)  # exact at h = 1
    small = np.where(h < 0.25, closed, ruled)
    return np.where(k <= 1, small, 2 / 3 - small), np.where(k <= 1, 2 / 3 - small, small)


def fixed_priors(ell: Floats) -> tuple[Floats, Floats]:
    """Return δ₁ and δ₂ on every Π₃, ℓ = β²π₊/π₋; D = 1/2. (57)-(59)

    δ₁ = ℓ − ℓ² ln(1+1/ℓ) = ∫ ℓt/(ℓ+t) dt and δ₂ = ∫ t²/(ℓ+t) dt over [0, 1]; the logarithm cancels for large ℓ.
    """
    small, large = np.clip(ell, TINY, 1), np.maximum(ell, 1)
    first = np.minimum(ell, 1) * (1 - small * logs1p(1 / small))
    second = _integral(lambda ell: NODES**2 / (ell + NODES), large)
    return np.where(ell < 1, first, 0.5 - second), np.where(ell < 1, 0.5 - first, second)


def above_no_skill(ell: Floats) -> tuple[Floats, Floats]:
    """Return δ₁ and δ₂ on every Π₄, ℓ = β²π₊/π₋; D = 1. (63)-(65)

    δ₁ = ⅔ℓ(4 + 3ℓ − 6ℓ² − 6(1−ℓ²)ℓ ln(1+1/ℓ)) = 4 ∫ ℓt(1−t²)/(ℓ+t) dt and δ₂ = 4 ∫ t²(1−t²)/(ℓ+t) dt over [0, 1].
    """
    small, large = np.clip(ell, TINY, 1), np.maximum(ell, 1)
    logarithm = small * logs1p(1 / small)
    first = np.minimum(ell, 1) * (4 + 3 * small - 6 * small**2 - 6 * (1 - small**2) * logarithm) * 2 / 3
    second = 4 * _integral(lambda ell: NODES**2 * (1 - NODES**2) / (ell + NODES), large)
    return np.where(ell < 1, first, 1 - second), np.where(ell < 1, 1 - first, second)


def tau_close_to_oracle(p: float) -> float:
    """Return τ(Pr;Re) on Π₅(p): 1 − (1 − p² + 2p² ln p)/(2q²) = q ∫ (1−t)²/(1−qt) dt over [0, 1], q = 1−p. (69)

    >>> [round(tau_close_to_oracle(p), 12) for p in (1e-9, 0.5, 0.9)]
    [0.499999999, 0.19314718056, 0.034201768284]
    """
    p = max(p, TINY)
    q = 1 - p
    if p < 0.5:
        return float(((1 - p) * (1 - 3 * p) - 2 * p**2 * logs(p)) / (2 * q**2))
    return float((q * (1 - NODES) ** 2 / (1 - q * NODES) * WEIGHTS).sum())


def close_to_oracle(p: float, k: Floats) -> tuple[Floats, Floats]:
    """Return δ₁ and δ₂ on Π₅(p), k = β²: the paper has D, and says that Wolfram found no more. (69)

    With q = 1−p and R = min(1/p, 1+q/k), δ₂ = ∫ (1−p²r²)(1 − (k/q)(r−1))²/(r³q²) dr over [1, R]: TPR is r times that of
    another performance, and ℓ + FPR more than r times, ℓ = kp/q. Its powers of r integrate to a closed form.
    """
    p = max(p, TINY)
    D, u, q = 1 - tau_close_to_oracle(p), NODES, 1 - p
    edge = max(p, q)
    small, large = np.minimum(k, edge), np.maximum(k, edge)
    if p < 0.5:
        first = _close_to_oracle_closed(p, small)
    else:  # k/q ≤ p/q: 1 less the square, from 1 to R = 1/p, in steps of r = 1+qu/p
        weight = (1 - u) * (1 + p + q * u) / _cube(1 + q * u / p) / p
        first = _integral(lambda c: weight * c * u * (2 - c * u), small / p)
    second = _integral(  # from 1 to R = 1+q/k, in steps of r = 1+qu/k
        lambda k: (1 - u) ** 2 * (1 - p * u / k) * (1 + p + p * q * u / k) / _cube(1 + q * u / k) / k, large
    )
    return np.where(k < edge, first, D - second), np.where(k < edge, D - first, second)


def _close_to_oracle_closed(p: float, k: Floats) -> Floats:
    """Return δ₁ = D − δ₂ on Π₅(p) for p < 1/2 and k ≤ 1−p, where its terms are of its own size."""
    q = 1 - p
    c = k / q
    M = q / np.maximum(p, k)  # R − 1
    pairs = c * (
        2 * (1 + c) * M / (1 + M)
        - (2 + c) * (M / (1 + M)) * ((2 + M) / (1 + M)) / 2
        - (c - p**2 * (2 + c)) * logs1p(M)
        - 2 * (1 + c) * p * (p * M)
        + c * (p * M) * (p * (2 + M)) / 2
    )
    R = 1 + M
    beyond = np.where(k > p, ((1 / R) ** 2 - p**2) / 2 + p**2 * logs(p * R), 0)
    return np.asarray((pairs + beyond) / q**2)

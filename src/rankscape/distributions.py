"""Families of two-class performances: drawing from them, lattices in them, and correlations in closed form."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import UsageError
from .performances import Performances

Floats = NDArray[np.float64]
BITS = 50
"""Draws are multiples of 2**-50, so that sums and products of a few of them are exact integers."""


class Distribution(Protocol):
    """A distribution of two-class performances."""

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances."""

    def lattice(self, steps: int) -> Performances:
        """Return a regular lattice of the support, its boundary included."""


def _checked(name: str, value: float) -> float:
    if not 0 < value < 1:
        raise UsageError(f"{name} must lie inside (0, 1); got {value}")
    return float(value)


def _performances(mass: Floats) -> Performances:
    """Return performances of which tn, fp and fn are rounded to multiples of 2**-50, and tp is what is left."""
    whole = np.rint(mass * 2.0**BITS)
    whole[:, 3] = np.maximum(2.0**BITS - whole[:, :3].sum(axis=1), 0)
    return Performances.from_probabilities(whole / 2.0**BITS)


def _of_rates(fpr: Floats, tpr: Floats, prior: float) -> Performances:
    """Return performances of exactly one prior, the nearest multiple of 2**-50."""
    positive = np.rint(prior * 2.0**BITS)
    fp, tp = np.rint(fpr * (2.0**BITS - positive)), np.rint(tpr * positive)
    return Performances.from_probabilities(
        np.stack([2.0**BITS - positive - fp, fp, positive - tp, tp], axis=-1) / 2.0**BITS
    )


def _square(steps: int) -> tuple[Floats, Floats]:
    axis = np.linspace(0, 1, steps + 1)
    x, y = np.meshgrid(axis, axis)
    return x.ravel(), y.ravel()


@dataclass(frozen=True)
class Uniform:
    """All two-class performances, uniformly: Dirichlet(1, 1, 1, 1), Π₁ of the optimal trade-off paper (4.1).

    >>> len(Uniform().draw(5, rng=0)), len(Uniform().lattice(32))
    (5, 6545)
    """

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        return _performances(np.random.default_rng(rng).dirichlet(np.ones(4), n))

    def lattice(self, steps: int) -> Performances:
        """Return all k/steps, k four whole numbers ≥ 0 that sum to ``steps``. (Foundations, A.7: 32 steps.)"""
        k = np.arange(steps + 1)
        tn, fp, fn = (x.ravel() for x in np.meshgrid(k, k, k, indexing="ij"))
        tp = steps - tn - fp - fn
        return Performances.from_counts(np.stack([tn, fp, fn, tp], axis=-1)[tp >= 0])

    def tau_of_accuracy(self, corner: str = "tpr") -> float:
        """Return Kendall's τ between accuracy and the score at a corner (TNR, NPV, PPV or TPR): 7/15 for all four.

        >>> round(Uniform().tau_of_accuracy(), 12)
        0.466666666667
        """
        _checked_corner(corner, ("tnr", "npv", "ppv", "tpr"))
        return 7 / 15


@dataclass(frozen=True)
class FixedTrueNegatives:
    """Performances with P(tn) = ``p_tn``, uniformly: Π₂ of the optimal trade-off paper (4.2).

    >>> FixedTrueNegatives(0.5).draw(3, rng=0).mass[:, 0].tolist()
    [0.5, 0.5, 0.5]
    """

    p_tn: float

    def __post_init__(self) -> None:
        if not 0 <= self.p_tn < 1:
            raise UsageError(f"p_tn must lie in [0, 1); got {self.p_tn}")

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        rest = (1 - self.p_tn) * np.random.default_rng(rng).dirichlet(np.ones(3), n)
        return _performances(np.concatenate([np.full((n, 1), self.p_tn), rest], axis=1))

    def lattice(self, steps: int) -> Performances:
        """Return all (fp, fn, tp) proportional to whole numbers that sum to ``steps``."""
        k = np.arange(steps + 1)
        fp, fn = (x.ravel() for x in np.meshgrid(k, k, indexing="ij"))
        rest = np.stack([fp, fn, steps - fp - fn], axis=-1)[fp + fn <= steps] * ((1 - self.p_tn) / steps)
        return _performances(np.concatenate([np.full((len(rest), 1), self.p_tn), rest], axis=1))


@dataclass(frozen=True)
class FixedPriors:
    """Performances of one prior π₊ = ``pi``, uniform in ROC space: Π₃ of the optimal trade-off paper (4.3).

    >>> FixedPriors(0.25).draw(2, rng=0).priors.tolist()
    [0.25, 0.25]
    """

    pi: float

    def __post_init__(self) -> None:
        _checked("the prior pi", self.pi)

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        fpr, tpr = np.random.default_rng(rng).random((2, n))
        return _of_rates(fpr, tpr, self.pi)

    def lattice(self, steps: int) -> Performances:
        """Return the (steps + 1)² points of a grid in ROC space (Foundations, A.7: 80 steps)."""
        return _of_rates(*_square(steps), self.pi)

    def tau_of_accuracy(self, corner: str = "tpr") -> float:
        """Return Kendall's τ between accuracy and TPR or TNR, in closed form, c = π₋/π₊.

        τ(A; TPR) = 1 − 2c/3 + c²/6 for c ≤ 1, 2/(3c) − 1/(6c²) for c ≥ 1, and τ(A; TNR) = 1 − τ(A; TPR).

        >>> [round(FixedPriors(0.2).tau_of_accuracy(corner), 12) for corner in ("tpr", "tnr")]
        [0.15625, 0.84375]
        """
        _checked_corner(corner, ("tpr", "tnr"))
        c = (1 - self.pi) / self.pi
        of_tpr = 1 - 2 * c / 3 + c**2 / 6 if c <= 1 else 2 / (3 * c) - 1 / (6 * c**2)
        return of_tpr if corner.lower() == "tpr" else 1 - of_tpr


@dataclass(frozen=True)
class FixedPredictionRates:
    """Performances of one prediction rate τ₊ = ``tau``, uniform in (FOR, PPV): Π₃ with truth and prediction exchanged.

    >>> FixedPredictionRates(0.25).draw(2, rng=0).prediction_rates.tolist()
    [0.25, 0.25]
    """

    tau: float

    def __post_init__(self) -> None:
        _checked("the prediction rate tau", self.tau)

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        return FixedPriors(self.tau).draw(n, rng).swap_truth_and_prediction()

    def lattice(self, steps: int) -> Performances:
        """Return the (steps + 1)² points of a grid in (FOR, PPV)."""
        return FixedPriors(self.tau).lattice(steps).swap_truth_and_prediction()


@dataclass(frozen=True)
class AboveNoSkill:
    """Performances of one prior π₊ = ``pi`` with TPR ≥ FPR, uniform in that half of ROC space: Π₄ (4.4).

    >>> P = AboveNoSkill(0.25).draw(50, rng=0)
    >>> bool((P.mass[:, 3] / 0.25 >= P.mass[:, 1] / 0.75 - 1e-12).all())
    True
    """

    pi: float

    def __post_init__(self) -> None:
        _checked("the prior pi", self.pi)

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        fpr, tpr = np.sort(np.random.default_rng(rng).random((2, n)), axis=0)
        return _of_rates(fpr, tpr, self.pi)

    def lattice(self, steps: int) -> Performances:
        """Return the points of a grid in ROC space with TPR ≥ FPR."""
        fpr, tpr = _square(steps)
        return _of_rates(fpr[tpr >= fpr], tpr[tpr >= fpr], self.pi)


@dataclass(frozen=True)
class CloseToOracle:
    """Performances of one prior π₊ = ``pi`` with FPR < π₊ < TPR, uniform in that part of ROC space: Π₅ (4.5).

    >>> P = CloseToOracle(0.25).draw(50, rng=0)
    >>> bool((P.mass[:, 3] >= 0.25**2 - 1e-12).all()), bool((P.mass[:, 1] <= 0.75 * 0.25 + 1e-12).all())
    (True, True)
    """

    pi: float

    def __post_init__(self) -> None:
        _checked("the prior pi", self.pi)

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        x, y = np.random.default_rng(rng).random((2, n))
        return _of_rates(self.pi * x, self.pi + (1 - self.pi) * y, self.pi)

    def lattice(self, steps: int) -> Performances:
        """Return a (steps + 1)² grid of the rectangle."""
        x, y = _square(steps)
        return _of_rates(self.pi * x, self.pi + (1 - self.pi) * y, self.pi)


def _checked_corner(corner: str, known: tuple[str, ...]) -> None:
    if corner.lower() not in known:
        raise UsageError(f"corner {corner!r}: expected one of {', '.join(known)}")

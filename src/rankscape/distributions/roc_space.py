"""Families of one prior, uniform in a part of ROC space: Π₃, Π₄ and Π₅; and Π₃ with truth and prediction exchanged."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_rng, checked_size
from ..errors import UsageError
from ..performances import Performances
from ..typing import Floats, RandomLike
from . import closed
from .family import BITS, Family, as_b, checked_corner, numbers

NEAREST = 2.0**-30
"""Priors nearer to 0 or 1 leave fewer than 20 of the bits of a draw for a rate."""


def _checked(name: str, value: float) -> float:
    number = numbers(name, value)
    if number.shape != () or not 0 < number < 1:
        raise UsageError(f"{name} must lie inside (0, 1); got {value}")
    return float(number)


def _of_rates(fpr: Floats, tpr: Floats, prior: float) -> Performances:
    """Return performances of exactly one prior, the nearest multiple of 2**-50."""
    if not NEAREST <= prior <= 1 - NEAREST:
        raise UsageError(f"performances are drawn at priors from 2**-30 to 1 - 2**-30; got {prior}")
    positive = np.rint(prior * 2.0**BITS)
    negative = 2.0**BITS - positive
    fp, tp = np.rint(fpr * negative), np.rint(tpr * positive)
    return Performances.from_probabilities(np.stack([negative - fp, fp, positive - tp, tp], axis=-1) / 2.0**BITS)


def _square(steps: int) -> tuple[Floats, Floats]:
    axis = np.linspace(0, 1, checked_size("steps", steps) + 1)
    x, y = np.meshgrid(axis, axis)
    return x.ravel(), y.ravel()


@dataclass(frozen=True)
class _OfOnePrior(Family):
    """Performances of one prior, uniform in a part of ROC space."""

    pi: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "pi", _checked("the prior pi", self.pi))

    @staticmethod
    @abstractmethod
    def _placed(x: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        """Return FPR and TPR of points of the unit square, uniform in the part if the points are in the square."""

    def draw(self, n: int, rng: RandomLike = None) -> Performances:
        """Return n independent performances; ``rng`` is a generator or a seed."""
        x, y = checked_rng(rng).random((2, checked_size("n", n)))
        return _of_rates(*self._placed(x, y, self.pi), self.pi)

    def lattice(self, steps: int) -> Performances:
        """Return the (steps + 1)² points of a grid in that part of ROC space. (Foundations, A.7: 80 steps in Π₃.)"""
        return _of_rates(*self._placed(*_square(steps), self.pi), self.pi)

    @property
    def sivf_beta(self) -> float:
        """√(π₋/π₊): the F_β of which the order is that of SIVF = 2TPR/(TPR+FPR+1). (Optimal trade-off, A.1.5.)

        >>> [family(0.2).sivf_beta for family in (FixedPriors, AboveNoSkill, CloseToOracle)]
        [2.0, 2.0, 2.0]
        """
        return sqrt(1 - self.pi) / sqrt(self.pi)

    @property
    def heuristic_beta(self) -> float:
        """√(E[PFP]/E[PFN]) = √(π₋/π₊), for E[FPR] = E[FNR]: the heuristic selects SIVF. (22)

        >>> FixedPriors(0.2).heuristic_beta, AboveNoSkill(0.2).heuristic_beta
        (2.0, 2.0)
        """
        return self.sivf_beta


@dataclass(frozen=True)
class FixedPriors(_OfOnePrior):
    """Performances of one prior, uniform in ROC space.

    Π₃ of the optimal trade-off paper (4.3).

    Parameters
    ----------
    pi
        The prior π₊, in (0, 1).

    Raises
    ------
    UsageError
        For a prior outside (0, 1).

    See Also
    --------
    rankscape.distributions.AboveNoSkill
    rankscape.distributions.FixedPredictionRates

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.distributions.FixedPriors(0.25).draw(2, rng=0).priors.tolist()
    [0.25, 0.25]
    """

    tau_ends = 1 / 2  # (57)

    @staticmethod
    def _placed(x: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        return x, y

    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        return closed.fixed_priors(k)  # ℓ = β²π₊/π₋ is (β/heuristic β)²

    def tau_of_accuracy(self, corner: str = "tpr") -> float:
        """Return Kendall's τ between accuracy and TPR or TNR, in closed form.

        With c = π₋/π₊: τ(A; TPR) = 1 − 2c/3 + c²/6 for c ≤ 1, 2/(3c) − 1/(6c²) for c ≥ 1, and τ(A; TNR) = 1 − τ(A;
        TPR).

        Parameters
        ----------
        corner
            "tpr" or "tnr".

        Returns
        -------
        float
            τ, in [−1, 1].

        Examples
        --------
        >>> import rankscape as rs
        >>> [
        ...     round(rs.distributions.FixedPriors(0.2).tau_of_accuracy(corner), 12)
        ...     for corner in ("tpr", "tnr")
        ... ]
        [0.15625, 0.84375]
        """
        checked_corner(corner, ("tpr", "tnr"))
        c = (1 - self.pi) / self.pi
        of_tpr = 1 - 2 * c / 3 + c**2 / 6 if c <= 1 else (2 / 3 - 1 / c / 6) / c
        return of_tpr if corner.lower() == "tpr" else 1 - of_tpr


@dataclass(frozen=True)
class AboveNoSkill(_OfOnePrior):
    """Performances of one prior with TPR ≥ FPR, uniform in that half of ROC space.

    Π₄ of the optimal trade-off paper (4.4).

    Parameters
    ----------
    pi
        The prior π₊, in (0, 1).

    Raises
    ------
    UsageError
        For a prior outside (0, 1).

    See Also
    --------
    rankscape.distributions.FixedPriors
    rankscape.distributions.CloseToOracle

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.distributions.AboveNoSkill(0.25).draw(50, rng=0)
    >>> bool((P.mass[:, 3] / 0.25 >= P.mass[:, 1] / 0.75 - 1e-12).all())
    True
    """

    tau_ends = 0.0  # (63)

    @staticmethod
    def _placed(x: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        return np.minimum(x, y), np.maximum(x, y)

    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        return closed.above_no_skill(k)  # ℓ = β²π₊/π₋ is (β/heuristic β)²

    def lattice(self, steps: int) -> Performances:
        """Return the points of a grid in ROC space with TPR ≥ FPR.

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        Performances
            The points of the lattice.
        """
        fpr, tpr = _square(steps)
        return _of_rates(fpr[tpr >= fpr], tpr[tpr >= fpr], self.pi)


@dataclass(frozen=True)
class CloseToOracle(_OfOnePrior):
    """Performances of one prior with FPR < π₊ < TPR, uniform in that part of ROC space.

    Π₅ of the optimal trade-off paper (4.5).

    Parameters
    ----------
    pi
        The prior π₊, in (0, 1).

    Raises
    ------
    UsageError
        For a prior outside (0, 1).

    See Also
    --------
    rankscape.distributions.AboveNoSkill
    rankscape.distributions.FixedPriors

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.distributions.CloseToOracle(0.25).draw(50, rng=0)
    >>> (
    ...     bool((P.mass[:, 3] >= 0.25**2 - 1e-12).all()),
    ...     bool((P.mass[:, 1] <= 0.75 * 0.25 + 1e-12).all()),
    ... )
    (True, True)
    """

    @staticmethod
    def _placed(x: Floats, y: Floats, pi: float) -> tuple[Floats, Floats]:
        return pi * x, pi + (1 - pi) * y

    @property
    def tau_ends(self) -> float:
        """Kendall's τ of precision and recall; it falls from 1/2 to 0 as the prior rises. (Optimal trade-off, (69).)

        >>> round(CloseToOracle(0.5).tau_ends, 12)
        0.19314718056
        """
        return closed.tau_close_to_oracle(float(self.pi))

    @property
    def heuristic_beta(self) -> float:
        """1, for E[PFP] = E[PFN] = π₊π₋/2: the heuristic selects F₁. (Optimal trade-off, (22) and Table 1.)

        >>> CloseToOracle(0.2).heuristic_beta
        1.0
        """
        return 1.0

    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        return closed.close_to_oracle(float(self.pi), k)


@dataclass(frozen=True, init=False, repr=False)
class FixedPredictionRates(Family):
    """Performances of one prediction rate, uniform in (FOR, PPV).

    This is Π₃ with truth and prediction exchanged: precision and recall change places, and β becomes 1/β. The rate is
    kept as ``rate``: ``tau`` is Kendall's.

    Parameters
    ----------
    tau
        The prediction rate τ₊, in (0, 1).

    Attributes
    ----------
    rate
        The prediction rate.

    Raises
    ------
    UsageError
        For a rate outside (0, 1).

    See Also
    --------
    rankscape.distributions.FixedPriors

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.distributions.FixedPredictionRates(0.25).draw(2, rng=0).prediction_rates.tolist()
    [0.25, 0.25]
    >>> round(
    ...     rs.distributions.FixedPredictionRates(0.25).optimal_beta()
    ...     * rs.distributions.FixedPriors(0.25).optimal_beta(),
    ...     12,
    ... )
    1.0
    """

    rate: float

    tau_ends = 1 / 2  # (57)

    def __init__(self, tau: float) -> None:
        object.__setattr__(self, "rate", _checked("the prediction rate tau", tau))

    def __repr__(self) -> str:
        return f"FixedPredictionRates(tau={self.rate!r})"

    def draw(self, n: int, rng: RandomLike = None) -> Performances:
        """Return n independent performances.

        Parameters
        ----------
        n
            The number of performances.
        rng
            A generator or a seed; None draws another sample each time.

        Returns
        -------
        Performances
            n entities.
        """
        return FixedPriors(self.rate).draw(n, rng).swap_truth_and_prediction()

    def lattice(self, steps: int) -> Performances:
        """Return the (steps + 1)² points of a grid in (FOR, PPV).

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        Performances
            The points of the lattice.
        """
        return FixedPriors(self.rate).lattice(steps).swap_truth_and_prediction()

    @property
    def heuristic_beta(self) -> float:
        """√(E[PFP]/E[PFN]) = √(τ₊/τ₋). (Optimal trade-off, (22).)

        >>> round(FixedPredictionRates(0.8).heuristic_beta, 12)
        2.0
        """
        return sqrt(self.rate) / sqrt(1 - self.rate)

    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore", over="ignore"):
            second, first = closed.fixed_priors(1 / k)
        return first, second


def adaptation(family: type[_OfOnePrior], priors: ArrayLike) -> Floats:
    """Return b* = β*²/(1+β*²) of the optimal β* of a family at each prior: how the trade-off adapts to the prior.

    b* is the place of the optimal F_β on the side of the Tile from precision (b = 0) to recall (b = 1). On Π₃ and Π₄ it
    falls from 1 to 0 as the prior rises: b* = ℓ*π₋/(π₊ + ℓ*π₋), ℓ* = 0.615849… and 0.480422…. On Π₅ it falls from 0.381
    to 0.376 (π₊ = 0.064) and then rises to 1/2; the paper (4.5) says that it increases. (Optimal trade-off, (20), (21),
    Fig. 5c and 5f.)

    Parameters
    ----------
    family
        :class:`FixedPriors`, :class:`AboveNoSkill` or :class:`CloseToOracle` itself.
    priors
        Numbers inside (0, 1), an array of any shape.

    Returns
    -------
    ndarray
        b*, in [0, 1], of the shape of ``priors``.

    Raises
    ------
    UsageError
        For priors outside (0, 1), and another family.

    See Also
    --------
    rankscape.distributions.across_priors

    Examples
    --------
    >>> import rankscape as rs
    >>> (
    ...     rs.distributions.adaptation(rs.distributions.FixedPriors, [0.1, 0.5]).round(6).tolist(),
    ...     rs.distributions.adaptation(rs.distributions.CloseToOracle, [0.1, 0.5]).round(6).tolist(),
    ... )
    ([0.847157, 0.381131], [0.376621, 0.429965])
    """
    if family not in (FixedPriors, AboveNoSkill, CloseToOracle):
        raise UsageError(
            "adaptation to the prior is that of a family with fixed priors: expected FixedPriors, AboveNoSkill or "
            f"CloseToOracle, without arguments; got {getattr(family, '__name__', repr(family))}"
        )
    given = numbers("priors", priors)
    beta = np.array([family(prior).optimal_beta() for prior in given.ravel().tolist()]).reshape(given.shape)
    return as_b(beta)

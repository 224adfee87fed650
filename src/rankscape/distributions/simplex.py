"""Families in which priors vary, uniform in a simplex: Π₁ and Π₂ of the optimal trade-off paper."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np

from ..checks import checked_rng, checked_size
from ..errors import UsageError
from ..performances import Performances
from ..typing import Floats, RandomLike
from .closed import uniform
from .family import BITS, Family, numbers


def _performances(mass: Floats) -> Performances:
    """Return performances of which tn, fp and fn are rounded to multiples of 2**-50, and tp is what is left."""
    whole = np.rint(mass * 2.0**BITS)
    whole[:, 3] = np.maximum(2.0**BITS - whole[:, :3].sum(axis=1), 0)
    return Performances.from_probabilities(whole / 2.0**BITS)


class _SymmetricFamily(Family):
    """Π₁ and Π₂: fp, fn and tp are exchangeable, of which Pr, Re and F_β are made."""

    tau_ends = 1 / 3  # (48), (52)
    heuristic_beta = 1.0

    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        return uniform(k)

    def optimal_beta(self) -> float:
        """Return 1: F₁ is halfway between precision and recall, for fp and fn are exchangeable. (17), (18)

        >>> Uniform().optimal_beta(), FixedTrueNegatives(0.9).optimal_beta()
        (1.0, 1.0)
        """
        return 1.0


@dataclass(frozen=True)
class Uniform(_SymmetricFamily):
    """All two-class performances, uniformly: Dirichlet(1, 1, 1, 1), Π₁ of the optimal trade-off paper (4.1).

    >>> import rankscape as rs
    >>> len(rs.distributions.Uniform().draw(5, rng=0)), len(rs.distributions.Uniform().lattice(32))
    (5, 6545)

    See Also
    --------
    rankscape.distributions.FixedTrueNegatives
    rankscape.distributions.FixedPriors
    """

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
        return _performances(checked_rng(rng).dirichlet(np.ones(4), checked_size("n", n)))

    def lattice(self, steps: int) -> Performances:
        """Return all k/steps, where k are four whole numbers ≥ 0 that sum to ``steps``.

        (Foundations, A.7: 32 steps.)

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        Performances
            The points of the lattice, exactly.
        """
        k = np.arange(checked_size("steps", steps) + 1)
        tn, fp, fn = (x.ravel() for x in np.meshgrid(k, k, k, indexing="ij"))
        tp = steps - tn - fp - fn
        return Performances.from_counts(np.stack([tn, fp, fn, tp], axis=-1)[tp >= 0])

    def tau_of_accuracy(self) -> float:
        """Return Kendall's τ between accuracy and the score at a corner of the Tile: 7/15 for all four.

        Returns
        -------
        float
            τ, in [−1, 1].

        Examples
        --------
        >>> import rankscape as rs
        >>> round(rs.distributions.Uniform().tau_of_accuracy(), 12)
        0.466666666667
        """
        return 7 / 15


@dataclass(frozen=True)
class FixedTrueNegatives(_SymmetricFamily):
    """Performances of one probability of true negatives, uniformly.

    Π₂ of the optimal trade-off paper (4.2).

    Parameters
    ----------
    p_tn
        The probability P(tn), in [0, 1).

    Raises
    ------
    UsageError
        For a probability outside [0, 1).

    See Also
    --------
    rankscape.distributions.Uniform

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.distributions.FixedTrueNegatives(0.5).draw(3, rng=0).mass[:, 0].tolist()
    [0.5, 0.5, 0.5]
    """

    p_tn: float

    def __post_init__(self) -> None:
        number = numbers("p_tn", self.p_tn)
        if number.shape != () or not 0 <= number < 1:
            raise UsageError(f"p_tn must lie in [0, 1); got {self.p_tn}")
        object.__setattr__(self, "p_tn", float(number))

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
        n = checked_size("n", n)
        rest = (1 - self.p_tn) * checked_rng(rng).dirichlet(np.ones(3), n)
        return _performances(np.concatenate([np.full((n, 1), self.p_tn), rest], axis=1))

    def lattice(self, steps: int) -> Performances:
        """Return all (fp, fn, tp) proportional to whole numbers that sum to ``steps``.

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        Performances
            The points of the lattice, exactly.
        """
        k = np.arange(checked_size("steps", steps) + 1)
        fp, fn = (x.ravel() for x in np.meshgrid(k, k, indexing="ij"))
        rest = np.stack([fp, fn, steps - fp - fn], axis=-1)[fp + fn <= steps] * ((1 - self.p_tn) / steps)
        return _performances(np.concatenate([np.full((len(rest), 1), self.p_tn), rest], axis=1))

    @property
    def sivf_beta(self) -> float:
        """∞ for ``p_tn`` = 0, where FPR = 1 and SIVF orders as recall; else NaN: there is none. (4.2)

        >>> FixedTrueNegatives(0).sivf_beta
        inf
        """
        return inf if self.p_tn == 0 else nan

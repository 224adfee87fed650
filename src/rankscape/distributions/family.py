"""What every family of performances says about precision against recall, from two numbers per β."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import nan
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..floats import exps
from ..performances import Performances
from ..typing import Floats, RandomLike

BITS = 50
"""Draws are multiples of 2**-50, so that sums and products of a few of them are exact integers."""

TOLERANCE = 1e-15
"""Of log β, where the optimal β is searched."""


class Distribution(Protocol):
    """A distribution of two-class performances.

    See Also
    --------
    rankscape.distributions.Uniform
    rankscape.tile.correlation
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

    def lattice(self, steps: int) -> Performances:
        """Return a regular lattice of the support, its boundary included.

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        Performances
            The points of the lattice.
        """


class Shares(NamedTuple):
    """Three shares of pairs of performances, which sum to 1.

    (Optimal trade-off, (13)-(15).)

    Attributes
    ----------
    agree
        Pr and Re order them alike, and so does every F_β. (13)
    as_optimum
        Pr and Re contradict each other, and F_β orders them as the optimal trade-off does. (15)
    against_optimum
        Pr and Re contradict each other, and F_β orders them unlike the optimal trade-off. (14)

    See Also
    --------
    rankscape.distributions.Distribution
    rankscape.tradeoff
    """

    agree: Any
    """Pr and Re order them alike, and so does every F_β. (13)"""

    as_optimum: Any
    """Pr and Re contradict each other, and F_β orders them as the optimal trade-off does. (15)"""

    against_optimum: Any
    """Pr and Re contradict each other, and F_β orders them unlike the optimal trade-off. (14)"""


class Family(ABC):
    """A family of performances of which Kendall's τ between precision (Pr), F_β and recall (Re) is known exactly.

    A subclass gives ``tau_ends``, ``heuristic_beta`` and what F_β does to pairs; the rest follows.
    """

    @property
    @abstractmethod
    def tau_ends(self) -> float:
        """τ(Pr;Re), in [0, 1/2]; 1 would mean that precision and recall order all pairs alike. (48)-(69)

        >>> from rankscape.distributions import AboveNoSkill, FixedPriors, Uniform
        >>> round(Uniform().tau_ends, 6), FixedPriors(0.2).tau_ends, AboveNoSkill(0.2).tau_ends
        (0.333333, 0.5, 0.0)
        """

    @property
    @abstractmethod
    def heuristic_beta(self) -> float:
        """β = √(E[PFP]/E[PFN]), the heuristic of the optimal trade-off paper. (22)"""

    @property
    def sivf_beta(self) -> float:
        """The β of which F_β orders as SIVF = 2TPR/(TPR+FPR+1): √(π₋/π₊); NaN, for none, where priors differ. (A.1.5)

        >>> from rankscape.distributions import Uniform
        >>> Uniform().sivf_beta
        nan
        """
        return nan

    @abstractmethod
    def _unlike(self, k: Floats) -> tuple[Floats, Floats]:
        """Return 1 − τ(Pr;F_β) and 1 − τ(F_β;Re) for k = (β/heuristic β)², each without cancellation."""

    def _unlike_at(self, beta: ArrayLike) -> tuple[Floats, Floats]:
        number = numbers("beta", beta)
        if not (number >= 0).all():
            raise UsageError(f"beta must lie in [0, ∞]; got {number[~(number >= 0)][0]:g}")
        with np.errstate(over="ignore", under="ignore"):
            return self._unlike((number / self.heuristic_beta) ** 2)

    def tau(self, beta: ArrayLike = 1.0) -> tuple[Any, Any]:
        """Return Kendall's τ(Pr;F_β) and τ(F_β;Re): how alike F_β and each end order two random performances.

        Each is 1 − 2d, d the distance (5), the probability that the two order a pair differently; 1 is alike. The
        first falls from 1 to τ(Pr;Re) and the second rises from there to 1 as β goes from 0 (F₀ = Pr) to ∞ (F_∞ = Re),
        and τ(Pr;F_β) + τ(F_β;Re) = 1 + τ(Pr;Re). ``beta`` lies in [0, ∞], else :class:`UsageError`; floats of a number,
        arrays of an array. Exact to about 15 digits. (Optimal trade-off, (7), (48)-(69); Π₅ and β ≠ 1 on Π₁ and Π₂ are
        derived here, in ``closed.py``.)

        >>> from rankscape.distributions import Uniform
        >>> [round(tau, 12) for tau in Uniform().tau(2)]
        [0.497248899856, 0.836084433477]
        >>> [tau.round(6).tolist() for tau in Uniform().tau([0, 1, float("inf")])]
        [[1.0, 0.666667, 0.333333], [0.333333, 0.666667, 1.0]]
        """
        first, second = self._unlike_at(beta)
        by_first = first <= second  # 1 less the small one, or the ends plus the large one: nothing cancels
        pr_f = np.where(by_first, 1 - first, self.tau_ends + second)
        f_re = np.where(by_first, self.tau_ends + first, 1 - second)
        return _as_given(pr_f), _as_given(f_re)

    def distance(self, beta: ArrayLike = 1.0) -> tuple[Any, Any]:
        """Return Kendall's distances d_τ(Pr;F_β) and d_τ(F_β;Re), shares of pairs ordered differently: (1 − τ)/2. (5)

        >>> from rankscape.distributions import Uniform
        >>> [round(d, 6) for d in Uniform().distance(2)]
        [0.251376, 0.081958]
        """
        first, second = self._unlike_at(beta)
        return _as_given(first / 2), _as_given(second / 2)

    def frechet_variance(self, beta: ArrayLike = 1.0) -> Any:
        """Return σ² = d_τ²(Pr;F_β) + d_τ²(F_β;Re), which the optimal β minimizes. (8)

        >>> from rankscape.distributions import Uniform
        >>> round(Uniform().frechet_variance(), 6), round(Uniform().frechet_variance(2), 6)
        (0.055556, 0.069907)
        """
        first, second = self._unlike_at(beta)
        return _as_given((first**2 + second**2) / 4)

    def optimal_beta(self) -> float:
        """Return β* with τ(Pr;F_β*) = τ(F_β*;Re): the F_β halfway between precision and recall.

        It minimizes the Fréchet variance (8), and is the only such β. Found by Brent's method in log β, within a factor
        e² of the heuristic β. (Optimal trade-off, (8)-(10), (20), (21), Fig. 5.)

        >>> from rankscape.distributions import CloseToOracle, FixedPriors
        >>> round(CloseToOracle(0.1).optimal_beta(), 12), round(FixedPriors(0.5).optimal_beta() ** 2, 12)
        (0.777277542491, 0.615849721729)
        """
        from scipy.optimize import brentq

        def ahead(log_ratio: float) -> float:
            first, second = self._unlike(exps(2 * log_ratio))
            return float(second - first)

        return float(self.heuristic_beta * exps(brentq(ahead, -2, 2, xtol=TOLERANCE, rtol=TOLERANCE)))

    def optimality(self, beta: ArrayLike = 1.0) -> Any:
        """Return the degree of optimality 𝒪 of F_β, in [1/2, 1]; 1 at the optimal β, 1/2 at β = 0 and ∞.

        𝒪 = 1 − ¼|τ(Pr;F_β) − τ(F_β;Re)| / (1 − ½(1+τ(Pr;Re))): of the pairs on which Pr and Re contradict each other,
        the share that F_β orders as the optimum does. ``beta`` lies in [0, ∞], else :class:`UsageError`. (16)

        >>> from rankscape.distributions import FixedPriors
        >>> family = FixedPriors(0.1)
        >>> [round(family.optimality(beta), 6) for beta in (1, family.sivf_beta, family.optimal_beta())]
        [0.665368, 0.886294, 1.0]
        """
        first, second = self._unlike_at(beta)
        return _as_given(0.5 + np.minimum(first, second) / (first + second))

    def shares(self, beta: ArrayLike = 1.0) -> Shares:
        """Return the shares of pairs on which Pr and Re agree, and of those that F_β orders as, or unlike, the optimum.

        ½(1+τ(Pr;Re)), ½(1−τ(Pr;Re)) − s and s = ¼|τ(Pr;F_β) − τ(F_β;Re)|, which sum to 1; the smaller s, the better.
        ``beta`` lies in [0, ∞], else :class:`UsageError`. (Optimal trade-off, (13)-(15).)

        >>> from rankscape.distributions import FixedPriors
        >>> [round(share, 6) for share in FixedPriors(0.1).shares()]
        [0.75, 0.166342, 0.083658]
        """
        first, second = self._unlike_at(beta)
        against = abs(second - first) / 4
        agree = np.full_like(against, (1 + self.tau_ends) / 2)
        return Shares(*map(_as_given, (agree, (first + second) / 2 - against, against)))


def _as_given(values: Floats) -> Any:
    """Return a float where one number was asked for."""
    return float(values) if np.ndim(values) == 0 else np.asarray(values)


def numbers(name: str, given: ArrayLike) -> Floats:
    """Return what was given as floats, or say that it is no numbers."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{name}: expected a number or an array of numbers; got {given!r}") from None


def as_b(beta: Floats) -> Floats:
    """Return b = β²/(1 + β²), where F_β is on the Tile.

    >>> as_b(np.array([0.0, 1.0, 2.0, np.inf])).tolist()
    [0.0, 0.5, 0.8, 1.0]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(1 / (1 + 1 / np.square(beta)))


def checked_corner(corner: str, known: tuple[str, ...]) -> None:
    """Raise where a score is not one of the corners of the Tile that are known."""
    if not isinstance(corner, str) or corner.lower() not in known:
        raise UsageError(f"corner {corner!r}: expected one of {', '.join(known)}")

"""Families of performances in which precision against recall is known exactly: from two numbers per β, the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..checks import checked_rng, checked_size
from ..errors import UsageError
from ..floats import exps
from ..performances import Performances
from ..typing import Floats, RandomLike
from . import closed

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


def _share(name: str, value: float, zero: bool = False) -> float:
    """Return a number inside (0, 1), or one that may be 0."""
    number = numbers(name, value)
    if number.shape != () or not (0 < number < 1 or (zero and number == 0)):
        raise UsageError(f"{name} must lie {'in [0, 1)' if zero else 'inside (0, 1)'}; got {value}")
    return float(number)


def checked_corner(corner: str, known: tuple[str, ...]) -> None:
    """Raise where a score is not one of the corners of the Tile that are known."""
    if not isinstance(corner, str) or corner.lower() not in known:
        raise UsageError(f"corner {corner!r}: expected one of {', '.join(known)}")


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
        return closed.uniform(k)

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
        object.__setattr__(self, "p_tn", _share("p_tn", self.p_tn, zero=True))

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


NEAREST = 2.0**-30
"""Priors nearer to 0 or 1 leave fewer than 20 of the bits of a draw for a rate."""


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
        object.__setattr__(self, "pi", _share("the prior pi", self.pi))

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
        object.__setattr__(self, "rate", _share("the prediction rate tau", tau))

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

"""The sets on which a score is audited: all performances, those of one prior, or those of one prediction rate."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import PRIOR_TOLERANCE
from ..checks.numbers import meant
from ..errors import UsageError
from ..performances import Performances
from ..typing import Integers

SIMPLEX_STEPS = 32
"""Steps of the lattice of all performances: 6545 points. (Foundations, A.7.2; Table 1.)"""

ROC_STEPS = 80
"""Steps of the grid in ROC space at a fixed prior: 6561 points."""

MOST = 10**6
"""The largest denominator of a share: counterexamples have multiples of it."""

NEAR = Fraction(1, 10**6)
"""How far a share with many digits may be from the short fraction that stands for it; at most 1/1000 of it, too."""


@dataclass(frozen=True)
class PerformanceSet:
    """A convex set of two-class performances, given by its exact lattices.

    Parameters
    ----------
    fixed
        None for all performances, "prior" or "rate".
    share
        The prior, or the prediction rate, that is fixed.
    given
        The share as it was asked for, where a short fraction nearby stands for it.

    See Also
    --------
    rankscape.audit
    """

    fixed: str | None = None
    share: Fraction = Fraction(0)
    given: str = field(default="", compare=False)

    @property
    def description(self) -> str:
        """The set as it is named in a verdict."""
        if self.fixed is None:
            return "all performances"
        digits = f"{float(self.share):g}"
        share = digits if Fraction(digits) == self.share else str(self.share)
        share += f" (for {self.given})" if self.given else ""
        return f"performances of the {'prior π₊' if self.fixed == 'prior' else 'prediction rate τ₊'} = {share}"

    @property
    def steps(self) -> str:
        """The lattice of :meth:`lattice` in words."""
        if self.fixed is None:
            return f"whose probabilities are multiples of 1/{SIMPLEX_STEPS}"
        rates = "FPR and TPR" if self.fixed == "prior" else "FOR and PPV"
        return f"whose {rates} are multiples of 1/{ROC_STEPS}"

    @property
    def dimensions(self) -> int:
        """The dimension of the set, and the number of axes of a lattice in it."""
        return 3 if self.fixed is None else 2

    @property
    def sizes(self) -> tuple[int, int]:
        """Whole numbers in the ratio of the negative to the positive class (or of the predictions)."""
        return self.share.denominator - self.share.numerator, self.share.numerator

    def counts(self, points: NDArray[Any]) -> NDArray[Any]:
        """Return counts (…, 4) for points (…, d + 1): the whole coordinates, and last the number of steps.

        Of all performances these are tn, fp and fn; at a fixed prior FPR and TPR; at a fixed prediction rate, in their
        places, the false omission rate and the precision.

        Parameters
        ----------
        points : (…, d + 1)
            Whole coordinates, and last the number of steps.

        Returns
        -------
        (…, 4)
            The counts tn, fp, fn, tp.
        """
        if self.fixed is None:
            tn, fp, fn, steps = np.moveaxis(points, -1, 0)
            return np.stack([tn, fp, fn, steps - tn - fp - fn], axis=-1)
        negative, positive = self.sizes
        x, y, steps = np.moveaxis(points, -1, 0)
        columns = [negative * (steps - x), negative * x, positive * (steps - y), positive * y]
        return np.stack(columns if self.fixed == "prior" else [columns[i] for i in (0, 2, 1, 3)], axis=-1)

    def grid(self, steps: int) -> Integers:
        """Return counts (steps + 1, …, 4) on a lattice that holds the middle of every second one; tp < 0 is outside.

        Parameters
        ----------
        steps
            The number of steps of the lattice.

        Returns
        -------
        (steps + 1, …, 4)
            The counts tn, fp, fn, tp.
        """
        axes = np.meshgrid(*[np.arange(steps + 1)] * self.dimensions, indexing="ij")
        return np.asarray(self.counts(np.stack([*axes, np.full_like(axes[0], steps)], axis=-1)), dtype=np.int64)

    def lattice(self) -> Performances:
        """Return the set on which correlations are measured: about 6550 performances, regularly placed.

        Returns
        -------
        Performances
            The points of the lattice, exactly.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import rankscape as rs
        >>> (
        ...     len(rs.soundness.PerformanceSet().lattice()),
        ...     len(rs.soundness.PerformanceSet("prior", Fraction(1, 5)).lattice()),
        ... )
        (6545, 6561)
        """
        return _lattice_of(self)

    def random(self, n: int, rng: np.random.Generator) -> Integers:
        """Return counts of n random members, often with zeros.

        Parameters
        ----------
        n
            The number of members.
        rng
            The generator.

        Returns
        -------
        (n, 4)
            The counts tn, fp, fn, tp.
        """
        if self.fixed is None:
            total = rng.integers(1, 200, n)
            counts = np.rint(rng.dirichlet([0.5] * 4, n) * total[:, None]).astype(np.int64)
            counts[counts.sum(axis=1) == 0, 0] = 1
            return counts
        steps = rng.integers(1, 200, n)
        points = [np.rint(rng.beta(0.5, 0.5, n) * steps).astype(np.int64) for _ in range(2)]
        return np.asarray(self.counts(np.stack([*points, steps], axis=-1)), dtype=np.int64)


@lru_cache(maxsize=8)  # an audit asks for it five times
def _lattice_of(among: PerformanceSet) -> Performances:
    grid = among.grid(SIMPLEX_STEPS if among.fixed is None else ROC_STEPS).reshape(-1, 4)
    return Performances.from_counts(grid[grid[:, 3] >= 0])


def share(name: str, value: Any) -> Fraction:
    """Return a share of (0, 1) as the decimal or fraction that was written: 0.2 is 1/5, and 1/3 is 1/3.

    What has more digits than counterexamples can bear is the shortest fraction that differs by 1e-6 at most.

    >>> share("priors", 0.2), share("priors", 1 / 3), share("priors", 0.6274165202)
    (Fraction(1, 5), Fraction(1, 3), Fraction(357, 569))
    """
    exact = written(name, value)
    if not 0 < exact < 1:
        raise UsageError(f"{name} must lie inside (0, 1): both must occur; got {value}")
    if exact.denominator <= MOST:
        return exact
    size = 1
    while size < MOST:
        size = min(size * 2, MOST)
        simple = exact.limit_denominator(size)
        if abs(simple - exact) <= min(NEAR, 1000 * NEAR * exact, 1000 * NEAR * (1 - exact)):
            return simple
    raise UsageError(f"{name} = {value} is too close to 0 or 1 for counterexamples in small numbers: take six digits")


def written(name: str, value: Any) -> Fraction:
    """Return the number that was written; 0 where it is none that is finite."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UsageError(f"{name} must be None or a number inside (0, 1); got {value!r}")
    try:
        exact = meant(value)
    except ValueError:
        return Fraction(0)
    simple = exact.limit_denominator(MOST)
    return simple if float(simple) == value else exact  # 1/3 was written, though the float is not 1/3


def performance_set(priors: Any, prediction_rates: Any) -> PerformanceSet:
    """Return the set that the arguments of an audit name."""
    if priors is not None and prediction_rates is not None:
        raise UsageError("an audit fixes priors or prediction rates, not both")
    if priors is None and prediction_rates is None:
        return PerformanceSet()
    name, value = ("priors", priors) if priors is not None else ("prediction_rates", prediction_rates)
    exact = share(name, value)
    given = "" if exact == written(name, value) else f"{float(value):.15g}"
    return PerformanceSet(
        "prior" if name == "priors" else "rate", exact, given if given != f"{float(exact):.15g}" else ""
    )


def set_of(performances: Performances, fixed: str = "prior") -> PerformanceSet:
    """Return the performances of the prior, or the prediction rate, that all share, or all performances.

    >>> P = Performances.from_counts([[6, 2, 1, 1], [16, 0, 3, 1]])
    >>> set_of(P).description, set_of(P, "rate").description
    ('performances of the prior π₊ = 0.2', 'all performances')
    """
    prior = fixed == "prior"
    common = performances.common_prior() if prior else performances.common_prediction_rate()
    if common is None or not 0 < common < 1:
        return PerformanceSet()
    first = dict(zip(performances.space.outcomes, map(int, performances.integers[0]), strict=True))
    exact = Fraction(first["fn" if prior else "fp"] + first["tp"], sum(first.values()))
    simple = exact.limit_denominator(MOST)  # of shares that are equal but for the rounding of floats
    near = abs(simple - exact) <= PRIOR_TOLERANCE and 0 < simple < 1  # both occur, however rare one is
    return PerformanceSet(fixed, simple if near else exact)

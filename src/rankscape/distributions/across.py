"""A family of performances across priors: how far F1 and SIVF are from its ends, and how the optimum adapts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..results import Result, Table
from ..typing import Floats
from .family import Family, as_b, numbers
from .simplex import FixedTrueNegatives, Uniform

PRIORS = np.linspace(0.01, 0.99, 99)
VARIANCE_AT = (0.01, 0.1, 0.5, 0.9)
STEPS = 201


@dataclass(frozen=True, eq=False, repr=False)
class AcrossPriors(Result):
    """Precision against recall in a family of performances, at each of m priors.

    (Optimal trade-off, Fig. 5, A.3.5, A.3.7 and A.3.9.)

    Attributes
    ----------
    family
        The name of the family.
    priors : (m,)
        The priors π₊.
    tau_f1, tau_sivf : (m, 2)
        τ(Pr;F) and τ(F;Re) of F1 and of SIVF.
    optimal_b : (m,)
        b* of the optimum.
    b : (k,)
        Places between precision and recall.
    variance
        {prior: σ² (k,) at these places}.

    See Also
    --------
    rankscape.distributions.across_priors
    """

    family: str
    priors: Floats
    tau_f1: Floats
    tau_sivf: Floats
    optimal_b: Floats
    b: Floats
    variance: dict[float, Floats]

    def table(self) -> Table:
        """Return one row per prior.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        columns = {"prior": self.priors, "optimal_b": self.optimal_b}
        for name, tau in (("f1", self.tau_f1), ("sivf", self.tau_sivf)):
            columns |= {f"tau_pr_{name}": tau[:, 0], f"tau_{name}_re": tau[:, 1]}
        return Table(columns)


def across_priors(
    family: Callable[[float], Family], priors: ArrayLike = PRIORS, variance_at: tuple[float, ...] = VARIANCE_AT
) -> AcrossPriors:
    """Return the trade-off between precision and recall of a family at each prior.

    The variance is σ² = d_τ²(Pr;F_β) + d_τ²(F_β;Re), with d_τ = (1 − τ)/2. (Optimal trade-off, (8).)

    Parameters
    ----------
    family
        A function of the prior, such as :class:`FixedPriors` itself.
    priors : (m,)
        Priors inside (0, 1); by default 0.01, 0.02, …, 0.99.
    variance_at
        The priors at which the variance is given over all places between precision and recall.

    Returns
    -------
    AcrossPriors
        τ, the optimum and the variance.

    Raises
    ------
    UsageError
        For priors outside (0, 1), and for a family that has no prior.

    See Also
    --------
    rankscape.distributions.adaptation

    Examples
    --------
    >>> import rankscape as rs
    >>> result = rs.distributions.across_priors(
    ...     rs.distributions.FixedPriors, [0.1, 0.5], variance_at=(0.5,)
    ... )
    >>> result.optimal_b.round(6).tolist(), result.tau_sivf.round(4).tolist()
    ([0.847157, 0.381131], [[0.6931, 0.8069], [0.6931, 0.8069]])
    >>> round(float(result.variance[0.5].min()), 4)
    0.0313
    """
    if family in (Uniform, FixedTrueNegatives):
        raise UsageError(
            f"{getattr(family, '__name__', '')} holds performances of all priors: "
            "choose a family with a prior, FixedPriors, AboveNoSkill or CloseToOracle"
        )
    given = numbers("priors", priors).ravel()
    families = [family(prior) for prior in given.tolist()]
    optimal = np.array([one.optimal_beta() for one in families])
    b = np.linspace(0, 1, STEPS)
    with np.errstate(divide="ignore"):
        beta = np.sqrt(b / (1 - b))
    return AcrossPriors(
        family=getattr(family, "__name__", type(families[0]).__name__ if families else ""),
        priors=given,
        tau_f1=np.array([one.tau(1.0) for one in families]).reshape(-1, 2),
        tau_sivf=np.array([one.tau(one.sivf_beta) for one in families]).reshape(-1, 2),
        optimal_b=as_b(optimal),
        b=b,
        variance={
            prior: np.asarray(sum(((1 - tau) / 2) ** 2 for tau in family(prior).tau(beta))) for prior in variance_at
        },
    )

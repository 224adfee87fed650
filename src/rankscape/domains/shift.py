"""The shift of the prior of a population that is spread over several domains."""

from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import two_class_only
from ..checks.numbers import meant
from ..errors import Option, UsageError
from ..kernels.exact import integers_of_fractions
from ..kernels.operations import with_priors
from ..outcomes import SampleSpace
from ..performances import Performances
from ..typing import PriorLike
from .grid import Grid


def checked_shift(prior: PriorLike | None, space: SampleSpace, name: str = "shift_prior") -> Fraction | None:
    """Return the prior to shift to as the number that is meant, or None: 0.2 is 1/5, on the page and everywhere.

    ``name`` is that of the argument.

    >>> from rankscape import TWO_CLASS
    >>> str(checked_shift(0.2, TWO_CLASS))
    '1/5'
    """
    if prior is None:
        return None
    two_class_only(space, "a shift of the prior")
    number = prior.item() if isinstance(prior, np.generic) else prior
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction)) or not isfinite(number):
        given = Option("shift_prior", python=f"{name}={prior!r:.80}", shell=f"--shift-prior {prior!s:.80}")
        raise UsageError([given, " is no share of positives"], expected="a number in [0, 1]")
    if not 0 <= number <= 1:
        option = Option("shift_prior", python=f"{name}=")
        raise UsageError([option, " must lie in [0, 1]"], got=f"{float(number):g}")
    return meant(number)


def shifted(grid: Grid, prior: Fraction | None) -> Grid:
    """Return the grid of the population whose summaries are shifted to a prior: its parts still sum to the summary.

    In the mixture of an entity all negatives are multiplied by one factor, all positives by another, on whichever
    domain they are. So P_d′ ∝ (tn·f₋, fp·f₋, fn·f₊, tp·f₊), the share of a domain is λ_d′ ∝ λ_d·(π₋ f₋ + π₊ f₊), and
    R_I(P̄′) = Σ w_d·R_I(P_d′). A domain without cases of the only class that is left is absent.

    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> from rankscape.domains.grid import arranged
    >>> grid = arranged(Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"]))
    >>> moved = shifted(grid, Fraction(1, 10))
    >>> moved.summary().priors.tolist(), [round(float(share), 3) for share in moved.shares_of(0)]
    ([0.1], [0.82, 0.18])
    """
    if prior is None:
        return grid
    grid.summary().shift_priors(prior)  # raises where an entity lacks a class that must appear
    total = grid.parts.sum(axis=1)
    classes = np.stack([total[:, :2].sum(axis=1), total[:, 2:].sum(axis=1)], axis=-1)
    sides: list[Any] = [1 - prior, prior] if grid.exact else [float(1 - prior), float(prior)]
    source = grid.performances.integers if grid.exact else grid.performances.mass
    cells: list[tuple[int, int, list[Any]]] = []
    rows = np.full(grid.rows.shape, -1, dtype=np.int64)
    shares = np.full(grid.rows.shape, Fraction(0), dtype=object)
    for e, row in enumerate(grid.rows.tolist()):
        lambdas = grid.shares_of(e)
        factors = [side / n if n else 0 * side for side, n in zip(sides, classes[e].tolist(), strict=True)]
        for d, r in enumerate(row):
            before = source[r].tolist() if r >= 0 else [0]
            after = [x * factors[k // 2] for k, x in enumerate(before)] if r >= 0 else [0]
            if sum(after) > 0:
                rows[e, d] = len(cells)
                shares[e, d] = lambdas[d] * Fraction(sum(after)) / Fraction(sum(before))
                cells.append((e, d, after))
        shares[e] /= sum(shares[e])
    masses = np.array([after for *_, after in cells], dtype=object if grid.exact else np.float64)
    performances = Performances.from_trusted(
        integers_of_fractions(masses) if grid.exact else masses,
        tuple(grid.entities[e] for e, _, _ in cells),
        tuple(grid.domains[d] for _, d, _ in cells),
        grid.performances.space,
        grid.performances.account,
    )
    return replace(grid, performances=performances, rows=rows, shares=shares)


def moved_to(masses: NDArray[Any], prior: Fraction | None) -> NDArray[Any]:
    """Return masses (…, 4), exact integers or floats, at a prior, up to a factor; all 0 where a class is absent.

    >>> moved_to(np.array([[8, 0, 1, 1], [5, 5, 0, 0]], dtype=object), Fraction(1, 2)).tolist()
    [[16, 0, 8, 8], [0, 0, 0, 0]]
    """
    if prior is None:
        return masses
    negative, positive = prior.denominator - prior.numerator, prior.numerator
    if masses.dtype.kind == "f":
        negative, positive = float(1 - prior), float(prior)  # type: ignore[assignment]
    absent = np.zeros(masses.shape[:-1], dtype=bool)
    for side, columns in ((negative, slice(2)), (positive, slice(2, 4))):
        absent |= (masses[..., columns].sum(axis=-1) == 0) & (side > 0)
    return np.where(absent[..., None], 0, with_priors(masses, np.asarray(negative), np.asarray(positive)))

"""How much cases weigh: where domains are averaged, and where the share of positives is shifted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..domains.grid import refuse_idle
from ..domains.weights import exact_weights
from ..errors import DataError
from ..performances import Performances
from ..typing import WeightsLike
from .cells import Cells, Factors


def factors_of(
    cells: Cells, domains: tuple[str, ...] | None, weights: tuple[Fraction, ...] | None, prior: Fraction | None
) -> Factors:
    """Return whole numbers, how much a negative and a positive case of each domain weigh, up to a factor."""
    factors = [1] if weights is None else _of_domains(_totals(cells, domains), weights)
    if prior is None:
        return _primitive([(factor, factor) for factor in factors])
    negative, positive = (
        sum(Fraction(n) * f for n, f in zip(totals.tolist(), factors, strict=True))
        for totals in sides_of(cells, domains)
    )
    if not negative or not positive:
        lacking = "positive" if not positive else "negative"
        raise DataError(f"the model {cells.name!r} has no {lacking} case, so its prior cannot be shifted")
    odds = prior * negative / ((1 - prior) * positive) if prior < 1 else None
    down, up = (0, 1) if odds is None else (odds.denominator, odds.numerator)
    return _primitive([(factor * down, factor * up) for factor in factors])


def weights_of(
    models: Sequence[Cells], domains: tuple[str, ...] | None, weights: WeightsLike
) -> tuple[Fraction, ...] | None:
    """Return the weights of the domains, which sum to 1, as :func:`rankscape.summarize` has them; None without any."""
    refuse_idle(domains, weights)
    if domains is None:
        return None
    rows = []
    for cells in models:
        _refuse_fractions(cells)
        negative, positive = sides_of(cells, domains)
        zero = np.zeros_like(negative)
        rows.append(np.stack([negative, zero, positive, zero], axis=1))
    names = [cells.name for cells in models for _ in domains]
    table = Performances.from_counts(np.concatenate(rows), names=names, domains=list(domains) * len(models))
    places = np.arange(len(table)).reshape(len(models), len(domains))
    return exact_weights(weights, table, domains, places)


def sides_of(cells: Cells, domains: tuple[str, ...] | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the negatives and the positives of each domain."""
    n = 1 if domains is None else len(domains)
    domain = np.zeros(len(cells.place), dtype=np.int64) if cells.domain is None else cells.domain
    sides = np.zeros((2, n), dtype=np.int64 if cells.whole else cells.negatives.dtype)
    for side, cases in zip(sides, (cells.negatives, cells.positives), strict=True):
        np.add.at(side, domain, cases)
    return sides[0], sides[1]


def _refuse_fractions(cells: Cells) -> None:
    if not cells.whole:
        raise DataError("weights of cases that are fractions cannot be averaged over domains: give whole numbers")


def _totals(cells: Cells, domains: tuple[str, ...] | None) -> list[int]:
    _refuse_fractions(cells)
    totals = [int(n) for n in np.sum(sides_of(cells, domains), axis=0)]
    if not all(totals):
        domain = (domains or ())[totals.index(0)]
        raise DataError(f"the model {cells.name!r} has no case on the domain {domain!r}")
    return totals


def _primitive(factors: Factors) -> Factors:
    """Return factors without what they have in common."""
    common = gcd(*(number for pair in factors for number in pair))
    return [(down // common, up // common) for down, up in factors]


def _of_domains(totals: list[int], weights: tuple[Fraction, ...]) -> list[int]:
    """Return whole numbers proportional to weight/total."""
    shares = [weight / total for weight, total in zip(weights, totals, strict=True)]
    common = lcm(*(share.denominator for share in shares))
    return [int(share * common) for share in shares]

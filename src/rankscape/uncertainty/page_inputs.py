"""What the ranking card and the explorer start from: prepared performances, and draws of them."""

from __future__ import annotations

import warnings
from dataclasses import replace

from ..domains import MissingDomainsWarning, Prepared, prepare
from ..domains.shift import checked_shift
from ..errors import Option, UsageError
from ..io import as_performances
from ..typing import Missing, PerformancesLike, PosteriorMethod, PriorLike, RandomLike, Resample, WeightsLike
from .defaults import DRAWS
from .draws import Draws, posterior


def prepared_and_drawn(
    performances: PerformancesLike | Draws,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike = "equal",
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
) -> tuple[Prepared, Draws | None]:
    """Return performances averaged and shifted, and draws of them before the shift.

    The draws are None for ``draws=0``, and for probabilities, which do not say how many cases they come from. Given
    draws know how domains were averaged; an option that would change nothing about them raises UsageError.

    >>> prepared, drawn = prepared_and_drawn([[50, 10, 5, 35], [45, 15, 2, 38]], 10, shift_prior=0.2)
    >>> prepared.performances.priors.round(12).tolist(), drawn.values.shape
    ([0.2, 0.2], (10, 2, 4))
    """
    if isinstance(performances, Draws):
        given = {"draws": draws, "rng": rng, "resample": resample}
        idle = [name for name, value in given.items() if value is not None]
        defaults = {"method": (method, "exchangeable"), "weights": (weights, "equal"), "missing": (missing, "error")}
        idle += [name for name, (value, default) in defaults.items() if value != default]
        if idle:
            raise UsageError([Option(idle[0]), " would change nothing: these are draws already"])
        plain = prepare(performances.observed) if performances.prepared is None else performances.prepared
        drawn: Draws | None = performances
    else:
        performances = as_performances(performances)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingDomainsWarning)  # the card and the page name the missing domains
            plain = prepare(performances, weights=weights, missing=missing)
            drawn = None
            if draws != 0 and (performances.counts is not None or resample == "domains"):
                drawn = posterior(
                    performances, DRAWS if draws is None else draws, 0 if rng is None else rng, method=method,
                    weights=weights, missing=missing, resample=resample,
                )  # fmt: skip
    if shift_prior is None:
        return plain, drawn
    return replace(plain, shift_prior=checked_shift(shift_prior, plain.grid.performances.space)), drawn

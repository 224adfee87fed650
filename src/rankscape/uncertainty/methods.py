"""The methods of drawing: prior distributions of rates by name or number."""

from __future__ import annotations

import numpy as np

from ..checks.numbers import is_number
from ..errors import Option, UsageError
from ..typing import Floats, PosteriorMethod
from .defaults import METHODS
from .evidence import Evidence

MOST_CASES = 1e15
"""Largest number of cases per outcome that a prior distribution may have."""


def checked_method(method: PosteriorMethod) -> PosteriorMethod:
    """Return the prior distribution of draws by its name, or as a number; raise UsageError for what is none."""
    for name in METHODS:
        if isinstance(method, str) and method.lower() == name:
            return name
    if is_number(method) and 0 <= float(method) <= MOST_CASES:
        return float(method)
    given = Option("method", option="posterior", python=f"method={method!r:.80}", shell=f"--posterior {method!s:.80}")
    raise UsageError(
        [given, " is no prior distribution"],
        expected='"exchangeable", "jeffreys", "uniform", or a number of cases per outcome, from 0 to 1e15',
    )


def prior_of(method: PosteriorMethod, outcomes: int) -> Floats:
    """Return the prior masses, in cases, of the outcomes of a class, the right one first.

    >>> prior_of("jeffreys", 3).tolist(), prior_of("uniform", 2).tolist(), prior_of(2, 2).tolist()
    ([0.5, 0.25, 0.25], [1.0, 1.0], [2.0, 2.0])
    """
    if method == "jeffreys":
        return np.array([0.5] + [0.5 / max(1, outcomes - 1)] * (outcomes - 1))
    return np.full(outcomes, 1.0 if method == "uniform" else float(method))


def phrase(evidence: Evidence, method: PosteriorMethod) -> str:
    """Return the phrase on what was drawn: other units, and with which prior distribution."""
    if not evidence.known:
        return "no counts, so no draws"
    units = {"cases": "cases", "clusters": "clusters of cases", "domains": "domains"}[evidence.unit]
    together = "the same for all models" if evidence.paired else "separately for each model"
    prior = {
        "exchangeable": "models pooled by how similar they are",
        "jeffreys": "Jeffreys' prior, half a case per outcome",
        "uniform": "uniform prior, one case per outcome",
    }.get(str(method), f"prior of {method:g} cases per outcome" if not isinstance(method, str) else "")
    if method == "exchangeable" and len(evidence.names) < 2:
        prior = "Jeffreys' prior, half a case per outcome"
    return f"other {units}, {together}; {prior}"

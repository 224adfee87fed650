"""Families of two-class performances, with random draws, lattices, and correlations in closed form."""

from .families import (
    AboveNoSkill,
    AcrossPriors,
    CloseToOracle,
    Distribution,
    FixedPredictionRates,
    FixedPriors,
    FixedTrueNegatives,
    Shares,
    Uniform,
    across_priors,
    adaptation,
)

__all__ = [
    "AboveNoSkill", "AcrossPriors", "CloseToOracle", "Distribution", "FixedPredictionRates", "FixedPriors",
    "FixedTrueNegatives", "Shares", "Uniform", "across_priors", "adaptation"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

"""Families of two-class performances, with random draws, lattices, and correlations in closed form."""

from .families import (
    AboveNoSkill,
    CloseToOracle,
    Distribution,
    FixedPredictionRates,
    FixedPriors,
    FixedTrueNegatives,
    Shares,
    Uniform,
)

__all__ = [
    "AboveNoSkill", "CloseToOracle", "Distribution", "FixedPredictionRates", "FixedPriors", "FixedTrueNegatives",
    "Shares", "Uniform"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

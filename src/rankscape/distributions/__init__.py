"""Families of two-class performances, with random draws, lattices, and correlations in closed form."""

from .across import AcrossPriors, across_priors
from .family import Distribution, Shares
from .roc_space import AboveNoSkill, CloseToOracle, FixedPredictionRates, FixedPriors, adaptation
from .simplex import FixedTrueNegatives, Uniform

__all__ = [
    "AboveNoSkill", "AcrossPriors", "CloseToOracle", "Distribution", "FixedPredictionRates", "FixedPriors",
    "FixedTrueNegatives", "Shares", "Uniform", "across_priors", "adaptation"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

"""Families of two-class performances: drawing from them, lattices in them, and correlations in closed form."""

from .family import Distribution, Shares
from .roc_space import AboveNoSkill, CloseToOracle, FixedPredictionRates, FixedPriors, adaptation
from .simplex import FixedTrueNegatives, Uniform

__all__ = [
    "AboveNoSkill",
    "CloseToOracle",
    "Distribution",
    "FixedPredictionRates",
    "FixedPriors",
    "FixedTrueNegatives",
    "Shares",
    "Uniform",
    "adaptation",
]

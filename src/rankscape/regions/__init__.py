"""Regions of the Tile: where exactly each entity comes first, r-th or last, and what would change that."""

from .flips import Flip, Flips, PriorFlip, PriorFlips, PriorInterval, flips, prior_flips
from .records import Piece, Region, Regions
from .shapes import area_of_win, border, dominates, first, winners, without_skill

__all__ = [
    "Flip", "Flips", "Piece", "PriorFlip", "PriorFlips", "PriorInterval", "Region", "Regions",
    "area_of_win", "border", "dominates", "first", "flips", "prior_flips", "winners",
    "without_skill"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

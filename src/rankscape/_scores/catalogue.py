"""The catalogue of named two-class scores: data only. A new score costs one row, in one of the files joined here."""

from .combined import BEYOND_CHANCE, OF_BOTH_CLASSES
from .families import FAMILIES, PRESETS
from .rates import CONDITIONAL, UNCONDITIONAL
from .spec import ScoreSpec

__all__ = ["PRESETS", "ROWS"]

ROWS: tuple[ScoreSpec, ...] = (*UNCONDITIONAL, *CONDITIONAL, *OF_BOTH_CLASSES, *FAMILIES, *BEYOND_CHANCE)

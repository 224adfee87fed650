"""How sure we are: draws of performances, intervals of ranks, sure differences, and the gate for a new model."""

from .box import Box, parse_box
from .differences import SureDifferences
from .draws import Draws, posterior
from .gate import Gate, gate
from .gate_plan import GatePlan, gate_plan
from .intervals import RankIntervals, rank_intervals
from .paired import paired, paired_table, resampled_domains
from .tiles import FirstTile, first_tile, width_tile

__all__ = [
    "Box", "Draws", "FirstTile", "Gate", "GatePlan", "RankIntervals", "SureDifferences", "first_tile", "gate", "gate_plan",
    "paired", "paired_table", "parse_box", "posterior", "rank_intervals", "resampled_domains", "width_tile",
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

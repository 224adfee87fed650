"""How sure we are: draws of performances, intervals of ranks, sure differences, and the gate for a new model."""

from .box import Box, parse_box
from .differences import SureDifferences
from .draws import Draws, posterior
from .gate import Gate, gate
from .intervals import RankIntervals, rank_intervals
from .resampling import bootstrap, bootstrap_domains, bootstrap_table
from .tiles import FirstTile, first_tile, width_tile

__all__ = [
    "Box", "Draws", "FirstTile", "Gate", "RankIntervals", "SureDifferences", "bootstrap", "bootstrap_domains",
    "bootstrap_table", "first_tile", "gate", "parse_box", "posterior", "rank_intervals", "width_tile",
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

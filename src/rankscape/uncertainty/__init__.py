"""How sure we are: draws of performances, intervals of ranks, P(first), and the gate for a new model."""

from .draws import Draws, bootstrap, bootstrap_domains, posterior
from .intervals import RankIntervals, rank_intervals
from .tiles import FirstTile, first_tile, width_tile

__all__ = [
    "Draws",
    "FirstTile",
    "RankIntervals",
    "bootstrap",
    "bootstrap_domains",
    "first_tile",
    "posterior",
    "rank_intervals",
    "width_tile",
]

"""Draw results with matplotlib, on the screen or for a paper; the numbers come from the results."""

from .audits import draw_audit
from .curves import draw_curves, draw_decision
from .looks import Look
from .roc import draw_points, draw_tile_and_roc
from .tile import draw_tile
from .tradeoff import draw_tradeoff
from .tradeoffs import draw_family, draw_tradeoffs
from .uncertainty import draw_first_tile, draw_rank_intervals, draw_sure_differences
from .weightings import draw_weightings

__all__ = [
    "Look", "draw_audit", "draw_curves", "draw_decision", "draw_family", "draw_first_tile",
    "draw_points", "draw_rank_intervals", "draw_sure_differences", "draw_tile", "draw_tile_and_roc", "draw_tradeoff",
    "draw_tradeoffs", "draw_weightings",
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

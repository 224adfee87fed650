"""Draw results with matplotlib, on the screen or for a paper; the numbers come from the results."""

from .audits import draw_audit
from .curves import draw_curves
from .decision import draw_decision
from .displays import TileDisplay
from .linked import draw_tile_and_roc
from .looks import Look
from .manifold import draw_path, draw_quantiles
from .optima import draw_optima
from .partial_order import draw_sure_differences
from .roc import draw_points
from .tile import draw_tile
from .tradeoff import draw_correlations, draw_optimality, draw_rank_paths, draw_tradeoff, draw_variance
from .tradeoffs import draw_family, draw_heuristic, draw_predictors, draw_shares
from .uncertainty import draw_first_tile, draw_podium, draw_rank_intervals
from .weightings import draw_weightings

__all__ = [
    "Look", "TileDisplay", "draw_audit", "draw_correlations", "draw_curves", "draw_decision", "draw_family",
    "draw_first_tile", "draw_heuristic", "draw_optima", "draw_optimality", "draw_path", "draw_podium", "draw_points",
    "draw_predictors", "draw_quantiles", "draw_rank_intervals", "draw_rank_paths", "draw_shares",
    "draw_sure_differences", "draw_tile", "draw_tile_and_roc", "draw_tradeoff", "draw_variance", "draw_weightings",
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

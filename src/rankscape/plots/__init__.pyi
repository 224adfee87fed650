"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .board import Look as Look
from .curves import draw_curves as draw_curves
from .curves import draw_decision as draw_decision
from .curves import draw_points as draw_points
from .tile import draw_tile as draw_tile
from .tradeoff import draw_tradeoff as draw_tradeoff
from .tradeoff import draw_tradeoffs as draw_tradeoffs
from .uncertainty import draw_first_tile as draw_first_tile
from .uncertainty import draw_rank_intervals as draw_rank_intervals
from .uncertainty import draw_sure_differences as draw_sure_differences
from .weightings import draw_weightings as draw_weightings

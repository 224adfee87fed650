"""The Tile: maps of values, ranks and winners over all canonical ranking scores R_{a,b}, and its geometry."""

from ..geometry.curves import gamma_pi, gamma_tau, place_at_prior, prior_grid, transform_place, tying_prior
from .maps import TileMap
from .ranks import correlation, entity, ranking
from .values import best, difference, margin, no_skill, no_skill_prior, regret, skill, value, worst

__all__ = [
    "TileMap", "best", "correlation", "difference", "entity", "gamma_pi", "gamma_tau",
    "margin", "no_skill", "no_skill_prior", "place_at_prior", "prior_grid", "ranking", "regret",
    "skill", "transform_place", "tying_prior", "value", "worst"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

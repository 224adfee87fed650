"""The Tile: maps of values, ranks and winners over all canonical ranking scores R_{a,b}, and its geometry."""

from ..geometry.curves import cohen, gamma_pi, gamma_tau, grid, moved, shift, tying_prior
from .correlation import correlation
from .maps import TileMap
from .ranks import entity, ranking
from .values import best, difference, margin, no_skill, no_skill_prior, regret, skill, value, worst

__all__ = [
    "TileMap",
    "best",
    "cohen",
    "correlation",
    "difference",
    "entity",
    "gamma_pi",
    "gamma_tau",
    "grid",
    "margin",
    "moved",
    "no_skill",
    "no_skill_prior",
    "ranking",
    "regret",
    "shift",
    "skill",
    "tying_prior",
    "value",
    "worst",
]

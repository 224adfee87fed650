"""Scores: the catalogue, ranking scores for any importance, expressions, and their places on the Tile."""

from ..tasks.table import default_score
from .lookup import as_score, locate, score, score_called, scores
from .ranking_scores import ranking_score, vut
from .score import Score, levels, score_of_importance

__all__ = [
    "Score",
    "as_score",
    "default_score",
    "levels",
    "locate",
    "ranking_score",
    "score",
    "score_called",
    "score_of_importance",
    "scores",
    "vut",
]

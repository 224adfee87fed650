"""Scores: the catalogue, ranking scores for any importance, expressions, and their places on the Tile."""

from ..tasks.table import default_score
from .lookup import as_score, locate, mean_preference, score, score_called, scores
from .probabilistic import probabilistic_score, probabilistic_scores
from .ranking_scores import ranking_score, vut
from .score import Score, score_of_importance

__all__ = [
    "Score",
    "as_score",
    "default_score",
    "locate",
    "mean_preference",
    "probabilistic_score",
    "probabilistic_scores",
    "ranking_score",
    "score",
    "score_called",
    "score_of_importance",
    "scores",
    "vut",
]

"""Scores: the catalogue, ranking scores for any importance, expressions, and their places on the Tile."""

from ..gathered import gather

__all__ = gather(__name__)

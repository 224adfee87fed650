"""Drawings of results; matplotlib is imported here and nowhere below, and nothing is computed here."""

from .linked import draw_tile_and_roc
from .tile import draw_tile

__all__ = ["draw_tile", "draw_tile_and_roc"]

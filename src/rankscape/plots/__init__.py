"""Drawings of results; matplotlib is imported here and nowhere below, and nothing is computed here."""

from .tile import draw_tile

__all__ = ["draw_tile"]

"""Geometry of the Tile and of ROC and PR space: borders, curves, lines and hulls."""

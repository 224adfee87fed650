"""
The Tile and ROC space, side by side
====================================

A preference is a point of the Tile and a set of lines in ROC space. Those who can win lie on the hull.
"""

import rankscape as rs
from rankscape.plots import draw_tile_and_roc

P = rs.datasets.classifiers().in_domain("breast cancer")
figure = draw_tile_and_roc(rs.tile.entity(P), rs.views.roc(P, by="f1"))

"""
Cost curves
===========

A cost curve shows the normalized expected cost of each classifier against the weight of the positive class, which
combines its share and its cost. Each classifier is a straight line, and lower is better. The horizontal axis is the
diagonal of the Tile.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
few = P[[P.names.index(name) for name in rs.regions.winners(P)]]
axes = rs.views.cost_curve(few).plot()

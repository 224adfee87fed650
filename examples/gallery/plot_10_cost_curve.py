"""
Cost curves
===========

The expected cost over how much the positive class matters. Each classifier is a straight line; lower is better. It is
the diagonal of the Tile.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
few = P[[P.names.index(name) for name in rs.regions.winners(P)]]
axes = rs.views.cost_curve(few).plot()

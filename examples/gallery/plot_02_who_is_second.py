"""
Who is second
=============

If the first one is not available, who is next? The same map for any rank, from first or from last.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
axes = rs.tile.entity(P, rank=2).plot()

"""
What MCC prefers
================

How alike the Matthews correlation coefficient and every ranking score order random performances (Kendall's tau). It is
near balanced accuracy, and equal to no ranking score: there is no point with tau = 1.
"""

import rankscape as rs

uniform = rs.distributions.Uniform()
tile = rs.tile.correlation("mcc", uniform, n=1000, resolution=41, rng=0)
axes = tile.plot()
print(f"the largest tau is {tile.values.max():.3f}")

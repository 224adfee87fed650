"""
What MCC prefers
================

How alike the Matthews correlation coefficient and every ranking score order random performances (Kendall's tau). It is
most like accuracy, in the middle, and equal to no ranking score: nowhere is tau 1.
"""

import rankscape as rs

uniform = rs.distributions.Uniform()
tile = rs.tile.correlation("mcc", uniform, n=1000, resolution=41, rng=0)
axes = tile.plot()
print(f"the largest tau is {tile.values.max():.2f}")

"""
What MCC prefers
================

This map shows which preference a score expresses: how alike the Matthews correlation coefficient (MCC) and every
ranking score order random performances, by Kendall's τ. MCC is most like accuracy, in the middle. The largest τ is
0.75, so MCC does not order as any ranking score does.
"""

import rankscape as rs

uniform = rs.distributions.Uniform()
tile = rs.tile.correlation("mcc", uniform, n=1000, resolution=41, rng=0)
axes = tile.plot()
print(f"the largest tau is {tile.values.max():.2f}")

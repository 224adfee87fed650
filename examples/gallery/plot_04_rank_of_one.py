"""
The rank of one classifier
==========================

Logistic regression never comes first on these data, and never falls behind rank six.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
ranks = rs.tile.ranking(P, "logistic regression")
axes = ranks.plot()
print(f"ranks from {ranks.values.min():.0f} to {ranks.values.max():.0f}")

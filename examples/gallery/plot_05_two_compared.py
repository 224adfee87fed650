"""
Two methods, head to head
=========================

The difference of two values, and the exact border where it is zero. On one side the first is better, on the other the
second.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
one, other = "linear SVM", "balanced logistic regression"
axes = rs.tile.difference(P, one, other).plot()
share = rs.regions.area_of_win(P[one], P[other])
print(f"{one} is better for {share:.1%} of all preferences")

"""
Two methods, head to head
=========================

This map compares two models for every preference. Its color is the difference of their values, and the line at 0 is
the exact border between them. So the linear SVM is better below the line, where false alarms matter more than misses.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
one, other = "linear SVM", "balanced logistic regression"
axes = rs.tile.difference(P, one, other).plot()
share = rs.regions.area_of_win(P[one], P[other])
print(f"{one} is better for {share:.1%} of all preferences")

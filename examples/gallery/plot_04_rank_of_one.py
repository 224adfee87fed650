"""
The rank of one classifier
==========================

This map shows the rank of one classifier for every preference. On these data logistic regression never comes first,
and it never falls behind rank six. So it is a safe second choice, but there is always a better one.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
ranks = rs.tile.ranking(P, "logistic regression")
axes = ranks.plot()
print(f"ranks from {ranks.values.min():.0f} to {ranks.values.max():.0f}")

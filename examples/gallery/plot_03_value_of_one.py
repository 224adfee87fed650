"""
How good one classifier is
==========================

This map shows the value of one classifier by every canonical ranking score. The corners are specificity, precision,
recall and the negative predictive value. In the gray stripes, always answering the same class would be at least as
good. So naive Bayes is worth more where false alarms matter than where misses do.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
axes = rs.tile.value(P, "naive Bayes").plot()

"""
How good one classifier is
==========================

The value of every canonical ranking score for one classifier. In the corners are specificity, precision, recall and the
negative predictive value; the gray stripes are where it does not beat always answering the same class.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
axes = rs.tile.value(P, "naive Bayes").plot()

"""
Who is second
=============

If you cannot use the best model, this map shows which one comes next. ``rank=2`` maps the second place for every
preference. Other ranks work in the same way, and ``last=True`` counts them from the last place. So for most
preferences logistic regression or the linear SVM is the model to fall back on.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
axes = rs.tile.entity(P, rank=2).plot()

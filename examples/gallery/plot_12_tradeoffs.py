"""
The best F-beta on fourteen problems
====================================

The best β depends on the data. Each row is a problem, a diamond marks its best β for ranking, and the gray bar shows
all values that are as good. So F₁, the dashed line, is a best compromise for only one of the fourteen problems.
"""

import rankscape as rs

every = rs.tradeoffs(rs.datasets.classifiers())
axes = every.plot()

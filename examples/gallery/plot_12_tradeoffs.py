"""
The best F-beta on fourteen problems
====================================

The optimum is a matter of the data: on every problem it is another one.
"""

import rankscape as rs

every = rs.tradeoffs(rs.datasets.classifiers())
axes = every.plot()

"""
Who to treat: decision curves
=============================

A decision curve shows the net benefit of each test against the risk above which you would treat. "Treat all" and
"treat none" compete with the tests. The thick line shows which test comes first at each threshold.
"""

import rankscape as rs

tests = rs.Performances.from_counts(
    [[836, 44, 12, 108], [792, 88, 4, 116], [871, 9, 40, 80]], names=["test A", "test B", "test C"]
)
axes = rs.views.decision_curve(tests).plot()

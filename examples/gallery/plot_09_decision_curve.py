"""
Who to treat: decision curves
=============================

The net benefit over the risk at which one would treat. The constant answers, treat all and treat none, compete.
"""

import rankscape as rs

tests = rs.Performances.from_counts(
    [[836, 44, 12, 108], [792, 88, 4, 116], [871, 9, 40, 80]], names=["test A", "test B", "test C"]
)
axes = rs.views.decision_curve(tests).plot()

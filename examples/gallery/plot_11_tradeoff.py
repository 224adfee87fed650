"""
The optimal trade-off
=====================

From precision to recall, pairs swap one by one. The best F-beta for ranking is where as many have swapped as are still
to swap.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
t = rs.tradeoff(P)
figure = t.plot()
print(f"optimal beta {t.beta:.3f}; F1 orders {t.optimality(beta=1):.1%} of the disputed pairs as it does")

"""
The optimal trade-off
=====================

Between precision and recall, the models change places two by two as β grows. The best F-score for ranking is the one
in the middle, where half of these swaps are done. On the left is the rank of each model, on the right Kendall's τ of
each F-score with both ends, whose curves cross at the optimum.
"""

import matplotlib.pyplot as plt

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
t = rs.tradeoff(P)
figure, (left, right) = plt.subplots(1, 2, figsize=(14, 6.5), layout="constrained")
t.plot(left)
axes = t.plot(right, panel="correlations")
print(f"optimal beta {t.beta:.3f}; F1 orders {t.optimality(beta=1):.1%} of the disputed pairs as it does")

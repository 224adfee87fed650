"""
The optimal trade-off
=====================

Between precision and recall, the models change places two by two as β grows. The best F-score for ranking is the one
in the middle, where half of these swaps are done. The four panels show the models in ROC space, Kendall's τ of each
F-score with both ends, the Fréchet variance, which is smallest at the optimum, and the rank of each model.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
t = rs.tradeoff(P)
figure = t.plot()
print(f"optimal beta {t.beta:.3f}; F1 orders {t.optimality(beta=1):.1%} of the disputed pairs as it does")

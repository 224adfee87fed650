"""
The Tile and ROC space, side by side
====================================

A preference is a point of the Tile on the left, and a set of lines in ROC space on the right. All these lines meet in
one point outside ROC space. They are parallel only if a = b, as for costs. The figure shows both for F₁, whose lines
become steeper as the score grows. Only models on the upper-left hull of ROC space ever come first, so the same models
win in both pictures.
"""

import matplotlib.pyplot as plt

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
figure, (left, right) = plt.subplots(1, 2, figsize=(14, 7), layout="constrained")
rs.tile.entity(P).plot(left, markers={"F₁": rs.locate("f1")})
axes = rs.views.roc(P, by="f1").plot(right)

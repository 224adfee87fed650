"""
The same tests, rarer positives
===============================

Four performances of the Tile paper at three priors. The rates do not change; the regions do, and nobody who is first
somewhere leaves.
"""

import matplotlib.pyplot as plt

import rankscape as rs

figure, axes = plt.subplots(1, 3, figsize=(15, 5.4), layout="constrained")
for ax, prior in zip(axes, (0.2, 0.5, 0.8), strict=True):
    rs.tile.entity(rs.datasets.toy(prior)).plot(ax=ax)
    ax.set_title(f"share of positives {prior}", loc="left")
    for text in list(ax.texts):
        if "·" in text.get_text() and len(text.get_text()) > 60:
            text.remove()

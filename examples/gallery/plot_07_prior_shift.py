"""
The same methods, other priors
==============================

Four performances of the Tile paper at three shares of positives: two constant answers, and two methods in between.
The rates do not change. The regions do, and all that ever came first still do.
"""

import matplotlib.pyplot as plt

import rankscape as rs
from rankscape.plots import draw_tile

COLORS = dict(zip(rs.datasets.toy().names, ("#0072b2", "#e69f00", "#009e73", "#cc79a7"), strict=True))

figure, axes = plt.subplots(1, 3, figsize=(16, 6), layout="constrained")
for ax, prior in zip(axes, (0.2, 0.5, 0.8), strict=True):
    tile = rs.tile.entity(rs.datasets.toy(prior))
    draw_tile(tile, ax=ax, title=f"Share of positives {prior}", colors=COLORS, exchange=False)

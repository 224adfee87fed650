"""
The same methods, other priors
==============================

These maps show who comes first at three shares of positives. The data are the four performances of the Tile paper: the
two constant answers (below left and above right) and two methods between them. A prior shift keeps all rates. It moves
the regions, but whoever comes first for some preference at one prior does so at the others, too.
"""

import matplotlib.pyplot as plt

import rankscape as rs

figure, axes = plt.subplots(1, 3, figsize=(16, 6), layout="constrained")
for ax, prior in zip(axes, (0.2, 0.5, 0.8), strict=True):
    tile = rs.tile.entity(rs.datasets.toy(prior))
    tile.plot(ax, title=f"Share of positives {prior}", exchange=False)

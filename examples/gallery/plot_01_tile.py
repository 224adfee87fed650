"""
Who is first, for every preference
==================================

One point of the Tile is one preference. Rightwards, detections count more than correct rejections; upwards, misses
count more than false alarms. The borders are exact.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
tile = rs.tile.entity(P)
tile.plot()

# %%
# The shares of the square, in closed form.

print(tile.regions.table())

"""
Who is first, for every preference
==================================

This map shows which model comes first for every preference. Each point of the Tile is one preference. To the right,
detections count more than correct rejections, and upwards, misses count more than false alarms. The borders between
the models are exact.
"""

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
tile = rs.tile.entity(P)
axes = tile.plot()

# %%
# Only four of the fourteen classifiers ever come first. Their shares of the square are areas in closed form.

for name, share in rs.regions.first(P).areas.items():
    print(f"{share:6.1%}  {name}")

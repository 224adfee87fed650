"""
Figures for papers
==================

Each kind of figure at the width of a column, 3.3 inches. With ``style="paper"`` no text is smaller than 6 points,
patterns tell regions apart in gray print, and what stood in notes is in ``figure.caption``, for you to edit. PDF files
hold TrueType fonts. On the command line: ``rankscape tile results.csv --style paper --no-title -o tile.pdf``.
"""

import rankscape as rs
from rankscape import plots

P = rs.datasets.classifiers().in_domain("breast cancer")
figure = rs.tile.entity(P).plot(style="paper", title=None).figure
print(figure.get_size_inches().round(2), figure.caption, sep="\n")

# %%
# The value of one model, and two compared.

best = rs.rank(P, by="f1").names[int(rs.rank(P, by="f1").order[0])]
axes = rs.tile.value(P, best).plot(style="paper", title=None)

# %%
axes = rs.tile.difference(P, best, "naive Bayes").plot(style="paper", title=None)

# %%
# Points, with labels of your own in the place of long names.

labels = {"balanced logistic regression": "balanced LR", "kernel SVM": "SVM"}
axes = rs.views.roc(P, by="f1").plot(style="paper", title=None, names=labels)

# %%
# The Tile above ROC space; side by side in a figure over both columns (``width=7``).

figure = plots.draw_tile_and_roc(rs.tile.entity(P), rs.views.roc(P, by="f1"), style="paper", title=None)

# %%
# How sure the ranks are, who may be on the podium, and which differences are sure.

intervals = rs.uncertainty.rank_intervals(P, by="f1", draws=500, rng=0)
axes = intervals.plot(style="paper", title=None)

# %%
axes = plots.draw_podium(intervals, style="paper", title=None)

# %%
axes = intervals.differences.plot(style="paper", title=None)

# %%
# Who is most probably first.

axes = rs.uncertainty.first_tile(P, draws=200, resolution=51, rng=0).plot(style="paper", title=None)

# %%
# Costs at every prior.

axes = rs.views.cost_curve(P).plot(style="paper", title=None)

# %%
# The trade-off between precision and recall, one panel of it, and the optimum on many problems.

axes = plots.draw_rank_paths(rs.tradeoff(P), style="paper", title=None)

# %%
every = rs.tradeoffs(rs.datasets.classifiers())
axes = every.plot(style="paper", title=None)

# %%
axes = plots.draw_shares(every, style="paper", title=None)

# %%
# For which weights of three problems each model comes first.

C = rs.datasets.classifiers()
three = C[[domain in sorted(set(C.domains))[:3] for domain in C.domains]]
axes = rs.domains.weightings(three, by="f1").plot(style="paper", title=None)

# %%
# Why a score may not rank: half of each of two performances gets a value far above both.

axes = rs.audit("mcc", statistic=None).plot(style="paper", title=None)

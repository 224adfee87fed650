"""
Figures for papers
==================

Every kind of figure can be drawn for a column of a paper, 3.3 inches wide. With ``style="paper"``, no text is smaller
than 6 points, and patterns tell the regions apart in gray print. The notes move to ``figure.caption``, where you can
edit them. PDF files hold TrueType fonts. On the command line, run ``rankscape tile results.csv --style paper -o
tile.pdf``.
"""

import textwrap

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")
figure = rs.tile.entity(P).plot(style="paper", title=None).figure
print(figure.get_size_inches().round(2), textwrap.fill(figure.caption, 88), sep="\n")

# %%
# The next two figures show the value of one model, and the difference of two.

best = rs.rank(P, by="f1").names[int(rs.rank(P, by="f1").order[0])]
axes = rs.tile.value(P, best).plot(style="paper", title=None)

# %%
axes = rs.tile.difference(P, best, "naive Bayes").plot(style="paper", title=None)

# %%
# In ROC space, short names of your own stand in the place of long ones: the data call the models by them.

labels = {"balanced logistic regression": "balanced LR", "kernel SVM": "SVM"}
axes = rs.views.roc(P.rename(labels), by="f1").plot(style="paper", title=None)

# %%
# Two figures show the uncertainty: the set of ranks that each model may have, and the pairs of models whose order is
# sure.

intervals = rs.uncertainty.rank_intervals(P, by="f1", draws=500, rng=0)
axes = intervals.plot(style="paper", title=None)

# %%
axes = rs.plots.draw_sure_differences(intervals, style="paper", title=None)

# %%
# This Tile shows which model most probably comes first. The fainter the color, the less sure that is.

axes = rs.uncertainty.first_tile(P, draws=200, resolution=51, rng=0).plot(style="paper", title=None)

# %%
# Cost curves show the expected cost at every share of positives.

axes = rs.views.cost_curve(P).plot(style="paper", title=None)

# %%
# Two figures show trade-offs between precision and recall: the rank of each model against β, and the best β of every
# problem.

axes = rs.tradeoff(P).plot(style="paper", title=None)

# %%
every = rs.tradeoffs(rs.datasets.classifiers())
axes = every.plot(style="paper", title=None)

# %%
# The triangle shows which model comes first for which weights of three problems. Each corner is one problem.

C = rs.datasets.classifiers()
three = C[[domain in sorted(set(C.domains))[:3] for domain in C.domains]]
axes = rs.domains.weightings(three, by="f1").plot(style="paper", title=None)

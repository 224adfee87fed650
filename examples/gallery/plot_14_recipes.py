"""
Figures of your own
===================

Some figures are a few lines of matplotlib away from the numbers that rankscape returns. Here are six: the podium, the
performance diagram of weather forecasters, precision-recall-gain space, two of trade-offs, and why MCC may not rank.
Every result has its numbers in ``.frame()``.
"""

import matplotlib.pyplot as plt
import numpy as np

import rankscape as rs

P = rs.datasets.classifiers().in_domain("breast cancer")

# %%
# The podium shows the probability that each model comes first, second or third. ``podium`` adds them up: its columns
# are the probabilities of the first rank, of the first two and of the first three.

intervals = rs.uncertainty.rank_intervals(P, by="f1", draws=500, rng=0)
best = np.argsort(-intervals.p_first)[:8]
names = [intervals.names[k] for k in best]
figure, ax = plt.subplots(layout="constrained")
for upto, word, color in ((2, "third", "1"), (1, "second", "0.7"), (0, "first", "0.3")):
    ax.barh(names, intervals.podium[best, upto], color=color, edgecolor="k", label=word)
ax.invert_yaxis()
ax.set(xlabel="probability", title="Who is on the podium by F₁?")
legend = ax.legend()

# %%
# The performance diagram is PR space with precision to the right, called success ratio, and recall upwards. The lines
# of equal critical success index, 1/(1/SR + 1/POD - 1), order models as F₁ does. (Roebber, Visualizing multiple
# measures of forecast quality, 2009.)

table = rs.views.pr(P).table()
figure, ax = plt.subplots(layout="constrained")
ratio = np.linspace(0.01, 1, 200)
csi = 1 / (1 / ratio + 1 / ratio[:, None] - 1)
ax.clabel(ax.contour(ratio, ratio, csi, np.arange(1, 10) / 10, colors="0.7"))
ax.plot(table["precision"], table["recall"], "o")
limits = ax.set(xlabel="success ratio", ylabel="probability of detection", title="Performance diagram")

# %%
# In precision-recall-gain space the lines of equal F_β are straight. The gain of a rate v is (v − π₊)/((1 − π₊)v), with
# the share of positives π₊. (Flach and Kull, Precision-Recall-Gain Curves, 2015.)

prior = P.common_prior()
recall, precision = (np.array(table[name]) for name in ("recall", "precision"))
with np.errstate(divide="ignore"):
    x, y = ((rate - prior) / ((1 - prior) * rate) for rate in (recall, precision))
figure, ax = plt.subplots(layout="constrained")
ax.plot(x, y, "o")
limits = ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="recall gain", ylabel="precision gain")

# %%
# The degree of optimality of each F_β is the share of the disputed pairs that it orders as the best β does. ``curve``
# has it as exact steps, and the Fréchet variance, which is smallest at the optimum, beside it.

t = rs.tradeoff(P)
curve = t.curve()
beta = np.array([curve["from"], curve["to"]]).T.ravel()
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, column in ((left, "optimality"), (right, "variance")):
    ax.plot(1 - 1 / (1 + beta**2), np.repeat(curve[column], 2), color="k")
    ax.axvline(1 - 1 / (1 + t.beta**2), color="0.6")
    limits = ax.set(xlabel="b = β² / (1 + β²)", title=column)

# %%
# On how many pairs of models does F₁ agree with the best β? Each bar is one problem.

table = rs.tradeoffs(rs.datasets.classifiers()).table()
order = np.argsort(table["against_optimum_with_1"])
domains, start = [table["domain"][k] for k in order], np.zeros(len(order))
figure, ax = plt.subplots(layout="constrained")
for column, word, color in (
    ("agree", "both ends agree", "0.8"),
    ("as_optimum_with_1", "F₁ as the best β", "#0072b2"),
    ("against_optimum_with_1", "F₁ against it", "#d55e00"),
):
    widths = np.array(table[column])[order]
    ax.barh(domains, widths, left=start, color=color, label=word)
    start += widths
limits = ax.set(xlabel="share of the pairs of models", xlim=(0, 1))
legend = ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)

# %%
# MCC may not be used to rank: a mixture of two performances gets a value above both of them. A score that may rank
# stays between their values, in the band.

first, second, _ = rs.audit("mcc", statistic=None).quasiconcave.counterexample
share = np.linspace(0, 1, 201)[:, None]
ends = rs.Performances.from_counts([first, second]).mass
values = rs.score("mcc")((1 - share) * ends[0] + share * ends[1])
figure, ax = plt.subplots(layout="constrained")
ax.axhspan(*sorted(values[[0, -1]]), color="0.9")
ax.plot(share, values)
limits = ax.set(xlabel="share of the second performance in the mixture", ylabel="MCC")

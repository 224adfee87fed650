"""Names are drawn as they are, whatever they hold: in every kind of figure, in every format."""

import io
import warnings
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

import rankscape as rs
from rankscape import plots, tile, views
from rankscape._tradeoff import tradeoff, tradeoffs

NAMES = ("a $^$ b", r"$\frac$", "100 %", "_x", "A & B", "two\nlines", "n" * 500, "🦉", "שלום", "\u200b", "$x$", r"\$ $")
COUNTS = np.random.default_rng(3).integers(5, 60, size=(len(NAMES), 4))
COUNTS[:, 2] = 100 - COUNTS[:, 3]  # the same prior for all
COUNTS[:, 0] = 200 - COUNTS[:, 1]
P = rs.Performances.from_counts(COUNTS, names=NAMES)
DOMAINS = rs.Performances.from_counts(
    [COUNTS[(i + j) % len(NAMES)] for i in range(len(NAMES)) for j in range(3)],
    names=["a $^$ b", r"$\frac$", "$x$"] * len(NAMES),
    domains=[name for name in NAMES for _ in range(3)],
)
LABELS = np.array([0, 1] * 20)


def intervals():
    return rs.uncertainty.rank_intervals(P, "f1", draws=50)


def differences():
    found = intervals()
    claims = np.triu(np.ones((len(NAMES), len(NAMES)), dtype=bool), 3)
    return replace(found, ranks=np.arange(1.0, len(NAMES) + 1), together=np.arange(len(NAMES)), claims=claims)


FIGURES = {
    "entity": lambda: tile.entity(P).plot(),
    "last": lambda: tile.entity(P, last=True).plot(),
    "ranking": lambda: tile.ranking(P, NAMES[0], resolution=31).plot(),
    "value": lambda: tile.value(P[NAMES[1]], resolution=31).plot(),
    "difference": lambda: tile.difference(P, NAMES[0], NAMES[1], resolution=31).plot(),
    "margin": lambda: tile.margin(P, resolution=31).plot(),
    "roles": lambda: rs.domains.roles_tile(DOMAINS, "a $^$ b").plot(),
    "roc": lambda: plots.draw_points(views.roc(P, by="f1")),
    "pr": lambda: views.pr(P).plot(),
    "decision": lambda: views.decision_curve(P).plot(),
    "cost": lambda: plots.draw_curves(views.cost_curve(P)),
    "tradeoff": lambda: tradeoff(P).plot(),
    "correlations": lambda: tradeoff(P).plot(panel="correlations"),
    "optima": lambda: plots.draw_tradeoffs(tradeoffs(DOMAINS)),
    "weightings": lambda: plots.draw_weightings(rs.domains.weightings(DOMAINS, by="f1")),
    "intervals": lambda: plots.draw_rank_intervals(intervals()),
    "differences": lambda: plots.draw_sure_differences(differences()),
    "first tile": lambda: plots.draw_first_tile(rs.uncertainty.first_tile(P, draws=50)),
    "decision of models": lambda: plots.draw_decision(decision()),
}


def decision():
    scores = {NAMES[0]: np.arange(40) % 7, NAMES[1]: np.arange(40) % 5}
    return rs.decide(np.arange(40) % 3 == 0, scores, costs=rs.costs(miss=2, currency="<b>$x$"), draws=100)


FORMATS = ("svg", "pdf", "png")
"""Each figure is saved in one of them: the names are the same, and so is what writes them."""


def figure_of(drawn):
    return drawn.figure if hasattr(drawn, "figure") and drawn.figure is not None else drawn


@pytest.mark.some(6)
@pytest.mark.parametrize("kind", FIGURES)
def test_every_figure_takes_every_name(kind):
    figure = figure_of(FIGURES[kind]())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # fonts lack emoji
        figure.savefig(io.BytesIO(), format=FORMATS[list(FIGURES).index(kind) % 3], dpi=40)
    texts = [text for text in figure.findobj(Text) if "$" in text.get_text() and "gamma" not in text.get_text()]
    plt.close(figure)
    assert all(not text.get_parse_math() for text in texts), [text.get_text() for text in texts]


def test_every_drawing_is_among_them():
    source = Path(__file__).read_text("utf-8")
    alone = {"draw_tile", "draw_tradeoff", "draw_points", "draw_curves"}  # by results
    assert {name for name in plots.__all__ if name not in source} <= alone | {"Look"}


def test_dollars_stand_in_the_names_of_axes():
    ax = plots.draw_rank_intervals(intervals())
    assert {"a $^$ b", r"$\frac$"} <= {label.get_text() for label in ax.get_yticklabels()}
    plt.close("all")

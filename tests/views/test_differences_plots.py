"""Pictures of sure differences: cells and names against the numbers."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

import rankscape as rs
from rankscape.plots import draw_sure_differences
from rankscape.uncertainty import RankIntervals


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def made(claims, names=None, ranks=None):
    claims = np.array(claims, dtype=bool)
    n, one = len(claims), np.ones(len(claims))
    ranks = np.arange(1.0, n + 1) if ranks is None else np.array(ranks)
    seen = np.nan_to_num(ranks).astype(int)
    together = np.flatnonzero(seen)
    places = np.array([seen] * 97 + [np.where(seen, n + 1 - seen, 0)] * 3)
    return RankIntervals(
        score=rs.score("f1"), names=tuple(names or (f"net-{i}" for i in range(n))), level=0.95, simultaneous=True,
        method="Jeffreys prior", paired=False, draws=100, ranks=ranks, values=np.linspace(0.9, 0.1, n), low=one,
        high=n * one, value_low=0 * one, value_high=one, p_first=np.where(seen, 0.5, np.nan), p_undefined=0 * one,
        places=places, together=together, claims=claims[np.ix_(together, together)], kinds=np.arange(n),
    )  # fmt: skip


def of_intervals(n, width, seed=0):
    rng = np.random.default_rng(seed)
    middle, half = np.sort(rng.normal(size=n))[::-1], width * rng.random(n)
    return made((middle - half)[:, None] > (middle + half))


def by_gid(ax, start):
    return {a.get_gid().removeprefix(start): a for a in ax.get_children() if (a.get_gid() or "").startswith(start)}


def text(ax, gid):
    return by_gid(ax, gid)[""].get_text().replace("\n", " ")


CHAIN = made(np.triu(np.ones((5, 5)), 1))
GOOD_BAD = made(np.kron([[0, 1], [0, 0]], np.ones((3, 3))))


def cells(ax):
    (matrix,) = by_gid(ax, "matrix").values()
    return np.asarray(matrix.get_array())


def labels(ax):
    ax.figure.canvas.draw()
    return [label for label in ax.get_yticklabels() if label.get_text()]


@pytest.mark.some(2)
@pytest.mark.parametrize("n", [12, 41, 100, 300])
def test_cells_and_names_are_those_of_the_result_by_rank(n):
    differences = of_intervals(n, 0.8)
    order = np.random.default_rng(1).permutation(n)  # rows in another order than that of the ranks
    differences = made(differences.claims[np.ix_(order, order)], ranks=order + 1.0)
    ax = draw_sure_differences(differences)
    sure = differences.sure[np.ix_(differences.best_first, differences.best_first)]
    assert (cells(ax) == 1).tolist() == sure.tolist()
    assert (cells(ax) == -1).tolist() == sure.T.tolist()
    assert labels(ax)[0].get_text() == f"1. {differences.names[differences.best_first[0]]}"
    tops = [label.get_window_extent() for label in labels(ax)]
    assert all(low.y1 <= high.y0 + 1 for high, low in pairwise(tops))
    assert min(label.get_fontsize() for label in labels(ax)) >= 6
    assert n < 100 or f"Every {'second' if n == 100 else '10th'} name" in text(ax, "note")


def test_names_of_those_that_nothing_beats_are_bold():
    differences = of_intervals(20, 0.7, seed=4)
    bold = {
        label.get_text().split(". ")[1]
        for label in labels(draw_sure_differences(differences))
        if label.get_fontweight() == "bold"
    }
    assert bold == set(differences.tied_for_first)


@pytest.mark.parametrize("place", ["new", "subplots", "constrained"])
def test_names_do_not_overlap_and_are_in_the_figure(place):
    for differences in (CHAIN, GOOD_BAD, made(np.zeros((12, 12))), of_intervals(40, 0.8)):
        ax = None
        if place != "new":
            layout = "constrained" if place == "constrained" else None
            ax = plt.subplots(1, 2, figsize=(11, 6), layout=layout)[1][1]
        every = [label.get_window_extent() for label in labels(draw_sure_differences(differences, ax))]
        assert all(low.y1 <= high.y0 + 1 for high, low in pairwise(every))
        assert place == "subplots" or min(box.x0 for box in every) >= 0


def test_the_words_say_what_is_claimed():
    assert "all at once in 97.0 % of 100 draws; white: undecided. 9 of 15 pairs are decided." in text(
        draw_sure_differences(GOOD_BAD), "subtitle"
    )
    ax = draw_sure_differences(made(np.zeros((4, 4))))
    assert text(ax, "subtitle") == "White: at a level of 95 %, no model is surely better than another."
    assert "Bold" not in text(ax, "note")


def test_one_without_a_score_is_named_below():
    ax = draw_sure_differences(made(np.triu(np.ones((3, 3)), 1), ["a", "b", "c"], [1.0, np.nan, 2]))
    assert [label.get_text() for label in labels(ax)] == ["1. a", "2. c"]
    assert "Without a score: b." in text(ax, "note")


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_compare_is_drawn_too(n):
    assert len(labels(draw_sure_differences(made(np.zeros((n, n)))))) == n


def test_cautions_are_called_so() -> None:
    P = rs.Performances.from_counts([[850, 50, 30, 70], [890, 10, 80, 20]], names=["a", "b"])
    intervals = rs.uncertainty.rank_intervals(P, by="f1", draws=200, rng=0)
    texts = " ".join(text.get_text() for text in rs.plots.draw_sure_differences(intervals).figure.findobj(Text))
    assert intervals.notes
    for note in intervals.notes:
        assert f"Caution: {note}" in " ".join(texts.split())

"""Plots of uncertainty: artists against the numbers."""

import numpy as np
import pytest

import rankscape as rs
from rankscape.plots import draw_rank_intervals
from rankscape.uncertainty import first_tile, rank_intervals

P = rs.datasets.classifiers()


@pytest.fixture(scope="module")
def found():
    return rank_intervals(P, by="f1", draws=300)


def by_gid(ax, start):
    return {artist.get_gid(): artist for artist in ax.get_children() if (artist.get_gid() or "").startswith(start)}


def test_intervals_are_those_of_the_result(found):
    ax = found.plot()
    bars, dots = by_gid(ax, "bar "), by_gid(ax, "dot ")
    for i, name in enumerate(found.names):
        assert list(bars[f"bar {name}"].get_xdata()) == [found.low[i], found.high[i]]
        assert dots[f"dot {name}"].get_xdata()[0] == found.ranks[i]
    assert ax.get_yticklabels()[0].get_text() == found.names[found.order[0]]
    below = " ".join(text.get_text() for text in ax.texts)
    assert "Caution: these counts do not show" in " ".join(below.split())


def test_thick_bars_are_not_told_apart_at_the_top(found):
    bars = by_gid(draw_rank_intervals(found), "bar ")
    widths = {name: bars[f"bar {name}"].get_linewidth() for name in found.names}
    assert {name for name in found.names if widths[name] == max(widths.values())} == set(found.tied_for_first)


def test_a_chance_is_said_of_those_that_may_be_first(found):
    ax = draw_rank_intervals(found)
    chances = {text.get_gid().removeprefix("chance "): text.get_text() for text in by_gid(ax, "chance ").values()}
    assert {name for name, text in chances.items() if text} == set(found.tied_for_first)
    none = [name for name, p in zip(found.names, found.p_first, strict=True) if name in found.tied_for_first and p == 0]
    assert all(chances[name] == "< 0.1 %" for name in none)
    assert "0 %" not in chances.values()


@pytest.mark.nightly
def test_axes_grow_with_the_rows_and_beyond_names_are_thinned():
    rng = np.random.default_rng(0)
    many = rank_intervals(rng.integers(1, 90, (130, 4)), "f1", draws=50)
    heights = [draw_rank_intervals(many, most=most).figure.get_size_inches()[1] for most in (5, 20, 60, 100, 130)]
    assert heights[0] == heights[1] < heights[2] < heights[3]
    assert len(draw_rank_intervals(many, most=130).get_yticklabels()) == 65
    assert len(draw_rank_intervals(many).get_yticklabels()) == 100


def test_few_rows_and_given_axes(found):
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert draw_rank_intervals(found, ax, most=3) is ax
    assert len(by_gid(ax, "bar ")) == 3
    assert ax.get_xlabel() == "rank among all 14 (1 is best)"
    assert "The 3 best of 14 are shown" in next(iter(by_gid(ax, "note").values())).get_text().replace("\n", " ")


def test_the_tile_fades_where_it_is_unsure():
    found = first_tile(P, draws=60, resolution=31)
    ax = found.plot()
    (fade,) = by_gid(ax, "fade").values()
    cover = np.asarray(fade.get_array())[..., 3]
    assert found.values.ravel()[np.argmax(cover)] == found.values.min()
    assert cover == pytest.approx(0.75 * (1 - found.values))
    assert set(by_gid(ax, "p")) == {"p"}


def test_one_entity_and_hostile_names():
    one = rs.Performances.from_counts([[5, 1, 1, 3]], names=["<b>$x_1$\n"])
    found = rank_intervals(one, draws=20)
    for ax in (draw_rank_intervals(found), first_tile(one, draws=20, resolution=5).plot()):
        ax.figure.canvas.draw()

"""Plots of uncertainty: artists against the numbers."""

import numpy as np
import pytest

import rankscape as rs
from rankscape.plots import draw_first_tile, draw_podium, draw_rank_intervals
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


def test_thick_bars_are_not_told_apart_at_the_top(found):
    bars = by_gid(draw_rank_intervals(found), "bar ")
    widths = {name: bars[f"bar {name}"].get_linewidth() for name in found.names}
    assert {name for name in found.names if widths[name] == max(widths.values())} == set(found.tied_for_first)


def test_few_rows_and_given_axes(found):
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert draw_rank_intervals(found, ax, most=3) is ax
    assert len(by_gid(ax, "bar ")) == 3
    assert "11 more are not shown" in next(iter(by_gid(ax, "note").values())).get_text().replace("\n", " ")


def test_the_podium_stacks_to_the_probability_of_the_first_three(found):
    ax = draw_podium(found)
    ends = {}
    for patch in ax.patches:
        ends[round(patch.get_y() + patch.get_height() / 2)] = patch.get_x() + patch.get_width()
    best = np.sort(found.podium[:, 2])[::-1]
    assert sorted(ends.values(), reverse=True) == pytest.approx(best[: len(ends)].tolist())
    assert {patch.get_hatch() for patch in ax.patches} == {"", "///"}  # not by hue alone


def test_the_tile_fades_and_hatches_where_it_is_unsure():
    found = first_tile(P, draws=60, resolution=31)
    ax = found.plot()
    (fade,) = by_gid(ax, "fade").values()
    cover = np.asarray(fade.get_array())[..., 3]
    assert (np.argsort(cover.ravel(), kind="stable")[-1]) == np.argmin(found.values.ravel())
    assert cover == pytest.approx(0.75 * (1 - found.values))
    (hatched,) = by_gid(ax, "unlikely").values()
    assert hatched.hatches == ["...."]
    assert not by_gid(draw_first_tile(found, color=False), "fade")


def test_one_entity_and_hostile_names():
    one = rs.Performances.from_counts([[5, 1, 1, 3]], names=["<b>$x_1$\n"])
    found = rank_intervals(one, draws=20)
    for ax in (draw_rank_intervals(found), draw_podium(found), first_tile(one, draws=20, resolution=5).plot()):
        ax.figure.canvas.draw()

"""Plots of who comes first for which weights: artists against the numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rankscape as rs
from rankscape.domains import weightings
from rankscape.look import colors_of, tint


def successes(right, domains):
    names = [name for name in right for _ in domains]
    return rs.tasks.success.from_counts(
        [x for row in right.values() for x in row], 100, names=names, domains=list(domains) * len(right)
    )


def by_gid(ax, start):
    return [artist for artist in ax.get_children() if (artist.get_gid() or "").startswith(start)]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_the_bar_has_the_intervals_and_the_present_weight():
    result = weightings(
        rs.domains.prepare(successes({"a": [90, 60], "b": [70, 80], "c": [10, 10]}, "xy"), weights={"x": 3, "y": 1})
    )
    ax = result.plot()
    spans = by_gid(ax, "region")
    assert [np.ptp(span.get_xy()[:, 0]) for span in spans] == pytest.approx([0.5, 0.5])
    assert by_gid(ax, "now")[0].get_xdata()[0] == 0.25
    assert "weight of y" in ax.get_xlabel()


def test_the_triangle_has_the_regions_in_the_colors_of_the_entities():
    result = weightings(successes({"a": [90, 10, 10], "b": [10, 90, 10], "c": [10, 10, 90]}, ["mmlu", "code", "arc"]))
    ax = result.plot()
    faces = {tuple(np.round(area.get_facecolor(), 3)) for area in by_gid(ax, "region")}
    hues = colors_of(result.names)
    assert faces == {tuple(np.round(plt.matplotlib.colors.to_rgba(tint(hues[name])), 3)) for name in "abc"}
    assert {text.get_text() for text in by_gid(ax, "domain")} == {"mmlu", "code", "arc"}
    [[x], [y]] = by_gid(ax, "now")[0].get_data()
    assert (x, y) == pytest.approx((0.5, 3**0.5 / 6))
    for area in by_gid(ax, "region"):
        assert area.get_path().vertices[:, 1].max() <= 3**0.5 / 2 + 1e-9
    assert "33.3 %" in " ".join(text.get_text() for text in ax.texts)


@pytest.mark.some(1)
@pytest.mark.parametrize("by", ["f1", "mcc"])
def test_the_triangle_of_other_scores_is_that_of_a_grid(by):
    rows = [[50, 5, 5, 40], [40, 10, 10, 40], [30, 5, 20, 45], [45, 10, 2, 43], [48, 2, 20, 30], [45, 5, 5, 45]]
    performances = rs.Performances.from_counts(rows, names=list("aaabbb"), domains=list("xyz") * 2)
    result = weightings(performances, by=by, draws=2000)
    ax = result.plot()
    texts = " ".join(text.get_text() for text in ax.texts)
    assert "a\n" in texts
    assert "b\n" in texts
    assert "2 000 weightings drawn" in texts.replace("\n", " ")


@pytest.mark.nightly
def test_bars_have_the_shares_and_their_errors():
    result = weightings(rs.datasets.classifiers(), by="f1", draws=2000)
    ax = result.plot()
    widths = {bar.get_gid().removeprefix("bar "): bar.get_width() for bar in by_gid(ax, "bar ")}
    assert widths == {name: share for name, share in result.shares.items() if share}
    assert "cannot come first" in by_gid(ax, "note")[0].get_text().replace("\n", " ")


def test_the_note_counts_those_who_never_came_first_in_the_draws():
    right = {"a": [90, 10, 50, 50], "b": [10, 90, 50, 50], "c": [90, 10, 50, 0], "d": [9, 1, 5, 5]}
    result = weightings(successes(right, "wxyz"), draws=500)
    note = by_gid(result.plot(), "note")[0].get_text().replace("\n", " ")
    assert "1 of 4 cannot come first, whatever the weights. 1 came first for none of the weightings drawn." in note


def test_it_is_drawn_on_given_axes():
    _, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    for ax, n in zip(axes, (2, 3, 4), strict=True):
        right = {"a": [90, 60, 50, 40][:n], "b": [70, 80, 60, 50][:n]}
        assert weightings(successes(right, "wxyz"[:n]), draws=100).plot(ax) is ax

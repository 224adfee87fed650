"""Pictures of sure differences: nodes, lines and cells against the numbers."""

from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rankscape as rs
from rankscape.look import HUES
from rankscape.plots import draw_sure_differences
from rankscape.plots.layered import layered
from rankscape.uncertainty import SureDifferences


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def made(claims, names=None, ranks=None):
    n = len(claims)
    return SureDifferences(
        score=rs.score("f1"), names=tuple(names or (f"net-{i}" for i in range(n))), values=np.linspace(0.9, 0.1, n),
        ranks=np.arange(1.0, n + 1) if ranks is None else np.array(ranks), claims=np.array(claims, dtype=bool),
        p_better=np.where(claims, 0.99, np.nan), held=0.97, level=0.95, method="Jeffreys prior", draws=100,
    )  # fmt: skip


def of_intervals(n, width, seed=0):
    rng = np.random.default_rng(seed)
    middle, half = np.sort(rng.normal(size=n))[::-1], width * rng.random(n)
    return made((middle - half)[:, None] > (middle + half))


def by_gid(ax, start):
    return {a.get_gid().removeprefix(start): a for a in ax.get_children() if (a.get_gid() or "").startswith(start)}


def boxes(ax):
    """The boxes of the nodes, in pixels, as they are drawn."""
    ax.figure.canvas.draw()
    return {name: text.get_bbox_patch().get_window_extent() for name, text in by_gid(ax, "node ").items()}


def text(ax, gid):
    return by_gid(ax, gid)[""].get_text().replace("\n", " ")


CHAIN = made(np.triu(np.ones((5, 5)), 1))
GOOD_BAD = made(np.kron([[0, 1], [0, 0]], np.ones((3, 3))))


def test_nodes_and_lines_are_those_of_the_result():
    differences = of_intervals(12, 0.7)
    ax = differences.plot()
    names = differences.names
    assert {node.get_text() for node in by_gid(ax, "node ").values()} == set(names)
    assert set(by_gid(ax, "edge ")) == {f"{names[i]} > {names[j]}" for i, j in np.argwhere(differences.direct)}
    for line, patch in by_gid(ax, "edge ").items():
        ends, nodes = patch.get_path().vertices[[0, -1]], by_gid(ax, "node ")
        assert ends.tolist() == [list(nodes[name].get_position()) for name in line.split(" > ")]


def test_what_is_better_stands_above_and_what_nothing_beats_in_the_band():
    differences = of_intervals(20, 0.7, seed=4)
    ax = differences.plot()
    height = {name: box.y0 for name, box in boxes(ax).items()}
    for i, j in np.argwhere(differences.sure):
        assert height[differences.names[i]] > height[differences.names[j]]
    band = by_gid(ax, "not surely beaten")[""].get_window_extent()
    inside = {name for name, box in boxes(ax).items() if band.y0 < box.y0 and box.y1 < band.y1}
    assert inside == set(differences.unbeaten)


@pytest.mark.some(6)
@pytest.mark.parametrize(
    "differences",
    [CHAIN, GOOD_BAD, made(np.zeros((12, 12))), made(np.zeros((40, 40))), of_intervals(12, 1), of_intervals(40, 0.8)],
    ids=["chain", "three good, three bad", "alike", "forty alike", "twelve", "forty"],
)
@pytest.mark.parametrize("place", ["new", "subplots", "constrained"])
def test_names_do_not_overlap_and_are_in_the_figure(differences, place):
    ax = None
    if place != "new":
        ax = plt.subplots(1, 2, figsize=(11, 6), layout="constrained" if place == "constrained" else None)[1][0]
    ax = differences.plot(ax)
    every = boxes(ax)
    assert len(every) == len(differences.names) or by_gid(ax, "matrix")
    assert not [pair for pair in combinations(every, 2) if every[pair[0]].overlaps(every[pair[1]])]
    figure = ax.figure.bbox
    assert all(figure.x0 <= box.x0 and box.x1 <= figure.x1 for box in every.values())


def test_lines_that_pass_a_layer_do_not_run_behind_its_nodes():
    claims = np.zeros((7, 7))
    claims[[0, 1, 2], [1, 2, 3]] = claims[0, [2, 3]] = claims[1, 3] = 1  # a chain
    claims[4:, 3] = 1  # the others are better than its end only
    ax = made(claims).plot()
    ax.figure.canvas.draw()
    for line, patch in by_gid(ax, "edge ").items():
        points = patch.get_path().to_polygons(patch.get_transform(), closed_only=False)[0]
        others = [box for name, box in boxes(ax).items() if name not in line.split(" > ")]
        assert not [box for box in others if any(box.contains(*p) for p in points)]


def test_lines_share_their_way_only_where_all_of_the_upper_are_better_than_all_of_the_lower():
    differences = of_intervals(30, 0.7, seed=2)
    widths = np.full(30, 50.0)
    found = layered(
        differences.direct, differences.layers, differences.order.tolist(), widths, line=20, rise=40, widest=600
    )
    through = {}
    for (i, j), points in found.lines.items():
        for spot in points[2:-2].tolist():
            through.setdefault(tuple(spot), []).append((i, j))
    joints = {spot for spot, lines in through.items() if len(lines) > 1}
    assert joints
    for lines in through.values():
        assert all(differences.sure[i, j] for i, _ in lines for _, j in lines)


def test_a_dot_stands_where_lines_meet_and_nowhere_else():
    claims = np.zeros((6, 6))
    claims[0, 3] = claims[[0, 3], 5] = claims[1:3, 5] = 1  # of the top, two lead past the layer of one
    ax = made(claims).plot()
    (dots,) = by_gid(ax, "joints").values()
    assert len(dots.get_xdata()) == 1
    assert "Dots: each above is better than each below." in text(ax, "subtitle")
    for differences in (CHAIN, GOOD_BAD):  # lines from layer to layer meet at nodes only
        assert not by_gid(differences.plot(), "joints")
        assert "Dots" not in text(differences.plot(), "subtitle")


def test_the_words_say_what_is_claimed():
    assert text(GOOD_BAD.plot(), "subtitle").startswith(
        "Lines: surely better, all at once in 97.0 % of 100 draws. 9 of 15 pairs are decided."
    )
    ax = made(np.zeros((4, 4))).plot()
    assert text(ax, "subtitle") == "No line: at a level of 95 %, no model is surely better than another."
    assert not by_gid(ax, "not surely beaten")
    assert not by_gid(ax, "edge ")


def test_an_entity_has_its_color_and_one_without_a_score_is_named_below():
    ax = made(np.triu(np.ones((3, 3)), 1), ["a", "b", "c"], [1.0, np.nan, 2]).plot()
    nodes = by_gid(ax, "node ")
    assert set(nodes) == {"a", "c"}
    edge = nodes["c"].get_bbox_patch().get_edgecolor()
    assert edge == pytest.approx(plt.matplotlib.colors.to_rgba(HUES[2]))  # by its place in the data
    assert "Without a score: b." in text(ax, "note")


@pytest.mark.some(1)
@pytest.mark.parametrize("n", [41, 100, 300])
def test_many_entities_are_a_matrix_by_rank(n):
    differences = of_intervals(n, 0.8)
    order = np.random.default_rng(1).permutation(n)  # rows in another order than that of the ranks
    differences = made(differences.claims[np.ix_(order, order)], ranks=order + 1.0)
    ax = differences.plot()
    assert not by_gid(ax, "node ")
    (cells,) = (np.asarray(image.get_array()) for image in by_gid(ax, "matrix").values())
    sure = differences.sure[np.ix_(differences.order, differences.order)]
    assert (cells == 1).tolist() == sure.tolist()
    assert (cells == -1).tolist() == sure.T.tolist()
    ax.figure.canvas.draw()
    labels = [label for label in ax.get_yticklabels() if label.get_text()]
    assert labels[0].get_text() == f"1. {differences.names[differences.order[0]]}"
    tops = [label.get_window_extent() for label in labels]
    assert all(low.y1 <= high.y0 + 1 for high, low in pairwise(tops))
    assert min(label.get_fontsize() for label in labels) >= 6
    assert n == 41 or f"Every {'second' if n == 100 else '10th'} name" in text(ax, "note")


def test_a_matrix_where_one_asks_for_it_where_lines_are_too_many_and_where_room_is_small():
    assert by_gid(draw_sure_differences(CHAIN, most=4), "matrix")
    assert by_gid(made(np.kron([[0, 1], [0, 0]], np.ones((16, 16)))).plot(), "matrix")
    _, axes = plt.subplots(3, 4, figsize=(8, 6))
    ax = made(np.zeros((40, 40))).plot(axes[0, 0])
    assert by_gid(ax, "matrix")
    assert not by_gid(ax, "node ")


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_compare_is_drawn_too(n):
    for most in (40, 0):
        ax = draw_sure_differences(made(np.zeros((n, n))), most=most)
        ax.figure.canvas.draw()
        assert len(by_gid(ax, "node ")) == n


def test_the_same_picture_for_the_same_result():
    places = [
        [node.get_position() for node in by_gid(of_intervals(30, 0.7).plot(), "node ").values()] for _ in range(2)
    ]
    assert places[0] == places[1]

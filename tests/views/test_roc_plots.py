"""Drawings of views: artists against the arrays that they show, and text that does not overlap."""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

import rankscape as rs
from rankscape import Performances, views
from rankscape.look import REST, colors_of, pretty, tint
from rankscape.plots.board import clipped

HOSTILE = "$x_1^{2}$ & <b>q</b>\n\x00_%s"
ROOT = Path(__file__).resolve().parents[2]
VIEWS = [views.roc, views.pr]


def real() -> Performances:
    return rs.read(ROOT / "examples" / "results.csv").in_domain("breast cancer")


def eight() -> Performances:
    points = [(0, 3), (1, 5), (2, 6), (5, 7), (3, 5), (0, 0), (12, 8), (7, 2)]
    names = ["a net", "b net", "c net", "d net", "inside", "never", "always", "bad"]
    return Performances.from_counts([[12 - fp, fp, 8 - tp, tp] for fp, tp in points], names=names)


def crowd(n: int = 74) -> Performances:
    rng = np.random.default_rng(6)
    fpr, tpr = rng.beta(2, 60, n), rng.beta(30, 5, n)
    mass = np.stack([0.9 * (1 - fpr), 0.9 * fpr, 0.1 * (1 - tpr), 0.1 * tpr], axis=1)
    return Performances.from_probabilities(mass, names=[f"network number {i}" for i in range(n)])


def lines(ax: Axes, gid: str) -> list:
    return [line for line in ax.lines if line.get_gid() == gid]


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def overlaps(ax: Axes) -> list[tuple[str, str]]:
    """Return the pairs of texts that cover each other by more than two pixels."""
    ax.figure.draw_without_rendering()
    shown = [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]
    for axis, (low, high) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        shown += [label for at, label in ticks if low <= at <= high]  # others are not drawn
    boxes = [(t.get_text(), t.get_window_extent()) for t in shown if t.get_text() and t.get_visible()]
    found = []
    for i, (text, box) in enumerate(boxes):
        for other, other_box in boxes[:i]:
            width = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            height = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            if min(width, height) > 2:
                found.append((text, other))
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_the_points_are_those_of_the_view(view) -> None:
    found = view(eight(), zoom=False)
    ax = found.plot()
    drawn = {tuple(line.get_xydata()[0].round(12)) for line in lines(ax, "entity")}
    inside = [(x, y) for x, y in zip(found.x, found.y, strict=True) if 0 <= x <= 1 and 0 <= y <= 1]
    assert drawn == {(round(x, 12), round(y, 12)) for x, y in inside}
    (line,) = lines(ax, "hull")
    assert np.allclose(line.get_xydata(), clipped(found.frontier, (0, 0, 1, 1)))


def test_hull_entities_have_colors_and_names_and_the_rest_is_gray() -> None:
    view = views.roc(eight(), zoom=False)
    ax = view.plot()
    faces = {tuple(line.get_xydata()[0].round(9)): to_hex(line.get_markerfacecolor()) for line in lines(ax, "entity")}
    for row in view.hull:
        assert faces[round(view.x[row], 9), round(view.y[row], 9)] == colors_of(view.names)[view.names[row]]
        assert view.names[row] in texts(ax)
    assert faces[0.25, 0.625] == REST


def test_lines_of_a_preference_are_those_of_the_view() -> None:
    view = views.roc(eight(), by="accuracy", zoom=False)
    ax = view.plot()
    drawn = [line.get_xydata() for line in lines(ax, "iso")]
    assert len(drawn) == len(view.preference.lines)
    for found, expected in zip(drawn, view.preference.lines, strict=True):
        assert np.allclose(found[[0, -1]], expected)
    (winner,) = lines(ax, "winner")
    assert np.allclose(winner.get_xydata(), view.preference.through)
    assert "Best by accuracy: b net = c net, 0.800." in " ".join(texts(ax)).replace("\n", " ")
    labels = {float(text.get_text()) for text in ax.texts if text.get_gid() == "level"}
    assert len(labels) >= 5
    assert labels <= set(view.preference.levels)


def test_a_zoomed_window_names_what_is_outside() -> None:
    view = views.roc(real())
    ax = view.plot()
    assert (*ax.get_xlim(), *ax.get_ylim()) == pytest.approx(tuple(view.window[i] for i in (0, 2, 1, 3)))
    said = " ".join(texts(ax)).replace("\n", " ")
    assert "Outside: always negative, random guess." in said


@pytest.mark.some(4)
@pytest.mark.parametrize("P", [real(), eight(), crowd()], ids=["real", "eight", "crowd"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_text_covers_another(view, P: Performances) -> None:
    assert overlaps(view(P, by="f1").plot()) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("P", [real(), eight(), crowd()], ids=["real", "eight", "crowd"])
def test_no_text_covers_another_on_curves_and_in_the_whole_square(P: Performances) -> None:
    assert overlaps(views.cost_curve(P).plot()) == []
    assert overlaps(views.decision_curve(P).plot()) == []
    assert overlaps(views.roc(P, by="f1", zoom=False).plot()) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("P", [real(), crowd()], ids=["real", "crowd"])
def test_all_text_is_inside_a_new_figure(P: Performances) -> None:
    for view in (views.roc(P, by="kappa"), views.pr(P), views.cost_curve(P), views.decision_curve(P)):
        ax = view.plot()
        ax.figure.canvas.draw()
        for text in [*ax.texts, ax._left_title, ax.xaxis.label, ax.yaxis.label]:
            box = text.get_window_extent()
            edges = (box.x0, box.y0, ax.figure.bbox.x1 - box.x1, ax.figure.bbox.y1 - box.y1)
            assert min(edges) >= 0, text.get_text()


@pytest.mark.parametrize("view", [views.cost_curve, views.decision_curve])
def test_curves_are_those_of_the_view(view) -> None:
    found = view(eight())
    ax = found.plot()
    assert len(lines(ax, "curve")) >= 6
    for name, values in found.references.items():
        (line,) = lines(ax, f"reference {name}")
        x, y = line.get_xydata().T
        assert np.allclose(np.interp(x, found.x, values), y)
    every = np.vstack([found.values, *found.references.values()])
    for line in lines(ax, "first"):
        x, y = line.get_xydata().T
        best = every.min(axis=0) if found.better == "smaller" else every.max(axis=0)
        at = np.isin(x, found.x)
        assert np.allclose(y[at], np.interp(x[at], found.x, best))


def test_hostile_names_are_drawn_as_they_are() -> None:
    P = Performances.from_counts([[9, 1, 2, 8], [9, 1, 2, 8], [5, 5, 1, 9]], names=[HOSTILE, "n" * 300, "日本語 😀"])
    for view in (views.roc(P, by="f1"), views.cost_curve(P), views.decision_curve(P)):
        ax = view.plot()
        ax.figure.canvas.draw()
        assert any(text.startswith("$x_1^{2}$") for text in texts(ax))


def test_undefined_points_and_different_priors_are_drawn_without_a_hull() -> None:
    P = Performances.from_counts([[6, 2, 1, 3], [6, 2, 1, 9], [6, 0, 3, 0]])
    ax = views.pr(P).plot()
    assert not lines(ax, "hull")
    assert "1 model undefined here." in " ".join(texts(ax)).replace("\n", " ")
    assert len(lines(ax, "entity")) == 2
    views.cost_curve(P).plot().figure.canvas.draw()


def test_the_tile_and_roc_space_share_colors() -> None:
    P = real()
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")
    rs.tile.entity(P, resolution=41).plot(left, markers={"κ": rs.locate("kappa", 212 / 569)})
    view = rs.views.roc(P, by="kappa")
    view.plot(right)
    assert "κ" in texts(left)
    fills = {area.get_label()[1:]: to_hex(area.get_facecolor()) for area in left.patches if area.get_gid() == "region"}
    faces = {
        tuple(line.get_xydata()[0].round(9)): to_hex(line.get_markerfacecolor()) for line in lines(right, "entity")
    }
    for row in view.hull[1:]:
        place = (round(view.x[row], 9), round(view.y[row], 9))
        assert tint(faces[place]) == fills[view.names[row]]
    assert overlaps(right) == []
    plt.close(figure)


def test_polylines_are_cut_at_the_window() -> None:
    corner = np.array([[-1.0, 0.5], [0.5, 0.5], [0.5, 2.0]])
    assert clipped(corner, (0, 0, 1, 1)).tolist() == [[0, 0.5], [0.5, 0.5], [0.5, 1]]
    assert len(clipped(corner + 5, (0, 0, 1, 1))) == 0


def test_symbols_are_printed_with_small_digits() -> None:
    assert [pretty(s) for s in ("F_1", "F_0.5", "F_0.779", "J_Y", "A")] == ["F₁", "F½", "F₀.₇₇₉", "J_Y", "accuracy"]


@pytest.mark.some(1)
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figures_are_saved_without_a_warning(suffix: str, tmp_path: Path) -> None:
    for number, view in enumerate([views.roc(eight(), by="f1"), views.decision_curve(eight())]):
        path = tmp_path / f"{number}.{suffix}"
        view.plot().figure.savefig(path)
        assert path.stat().st_size > 5000


def test_a_place_is_never_rounded_to_a_corner() -> None:
    rows = [[99990, 2, 4, 6], [99900, 92, 2, 8], [99000, 992, 1, 9]]
    view = views.roc(Performances.from_counts(rows), by="kappa")
    assert view.preference.label == "R(0.99999999, 0.5)"


def test_one_entity_is_shown_in_the_whole_square() -> None:
    for view in (views.roc, views.pr):
        assert view([[90, 10, 2, 38]]).window == (0.0, 0.0, 1.0, 1.0)


def test_what_is_no_axes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"got str: to write a file, \.plot\(\)\.figure\.savefig"):
        views.roc([[90, 10, 2, 38]]).plot("x.png")

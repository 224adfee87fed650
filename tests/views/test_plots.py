"""Drawings of the Tile: artists against the arrays that they show."""

import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from rankscape import Performances, UsageError, tile
from rankscape.look import CORNERS, INK, PAPER, PATTERNS, colors_of, tint
from rankscape.plots import draw_tile
from rankscape.plots.board import apart, join_names, plain
from rankscape.plots.regions import regions_of

RESOLUTIONS = (60, 200)
HOSTILE = "$x_1^{2}$ & <b>q</b>\n\x00_%s"


@pytest.fixture(autouse=True)
def _close_figures() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


def four() -> Performances:
    """Return four entities of one prior, of which one band is thin."""
    rates = np.array([[0.02, 0.55], [0.06, 0.74], [0.075, 0.78], [0.3, 0.97]])
    fpr, tpr = rates.T
    mass = np.stack([0.8 * (1 - fpr), 0.8 * fpr, 0.2 * (1 - tpr), 0.2 * tpr], axis=1)
    return Performances.from_probabilities(mass, names=["cautious_net", "middle_net", "thin_net", "eager_net"])


def many(n: int = 20) -> Performances:
    t = np.linspace(0.03, 0.97, n)
    mass = np.stack([0.6 * (1 - t), 0.6 * t, 0.4 * (1 - t**0.35), 0.4 * t**0.35], axis=1)
    return Performances.from_probabilities(mass, names=[f"model {i}" for i in range(n)])


@cache
def many_drawn() -> tuple[Figure, np.ndarray, dict[int, list[str]]]:
    """Return the figure of twenty entities, which takes seconds, its pixels, and texts outside at other resolutions."""
    figure = draw_tile(tile.entity(many())).figure
    before, new, outside = figure.dpi, pixels(figure), {}
    for dpi in RESOLUTIONS:  # here, for a figure that pyplot has closed keeps its size
        figure.set_dpi(dpi)
        figure.canvas.draw()
        ends = [(text.get_text(), text.get_window_extent().x1) for text in figure.axes[0].texts]
        outside[dpi] = [text for text, end in ends if end > figure.bbox.x1]
    figure.set_dpi(before)
    figure.canvas.draw()
    return figure, new, outside


def pixels(figure: Figure) -> np.ndarray:
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba()).copy()


def twins(first: str = "a", second: str = "b") -> Performances:
    return Performances.from_counts([[5, 1, 1, 3], [10, 2, 2, 6], [1, 5, 5, 1]], names=[first, second, "c"])


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def areas(ax: Axes) -> list:
    return [patch for patch in ax.patches if patch.get_gid() == "region"]


def test_the_fills_follow_the_exact_arcs() -> None:
    result = tile.entity(four(), resolution=41)
    drawn = {area.get_label(): area.get_xy() for area in areas(draw_tile(result))}
    assert set(drawn) == {f"_{name}" for name in result.shares}
    for region in result.regions:
        x, y = drawn[f"_{region.names[0]}"].T
        on_an_arc = [np.abs(arc.b(x) - y) < 1e-12 for arc in region.borders]
        on_a_side = np.isin(x, (0, 1)) | np.isin(y, (0, 1))
        assert np.logical_or.reduce([on_a_side, *on_an_arc]).all()
        assert abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2 == pytest.approx(region.area, abs=1e-4)


def test_every_winner_is_named_once_with_its_share() -> None:
    result = tile.entity(four())
    found = texts(draw_tile(result))
    for name, share in result.shares.items():
        naming = [text for text in found if name in text]
        assert len(naming) == 1
        assert f"{100 * share:.1f} %" in naming[0]


@pytest.mark.nightly
def test_the_hue_follows_the_order_of_the_data_and_patterns_tell_equal_hues_apart() -> None:
    result = tile.entity(many())
    assert len(result.shares) == 20
    looks = {
        area.get_label()[1:]: (to_hex(area.get_facecolor()), area.get_hatch() or "")
        for area in areas(many_drawn()[0].axes[0])
    }
    hues = colors_of(many().names)
    assert {name: hue for name, (hue, _) in looks.items()} == {name: tint(hues[name]) for name in looks}
    assert len(set(looks.values())) == len(looks) == 20
    assert {pattern for _, pattern in looks.values()} == set(PATTERNS[:3])


def test_a_region_alone_with_its_color_has_no_pattern() -> None:
    rows = [[10, 30, 30, 30]] * 8 + [[60, 5, 15, 20], [50, 15, 2, 33]]  # the ninth has the hue of the first
    result = tile.entity(Performances.from_counts(rows))
    assert {*result.shares} >= {"P9", "P10"}
    assert {area.get_hatch() or "" for area in areas(draw_tile(result))} == {""}


@pytest.mark.some(1)
@pytest.mark.parametrize("P", [four(), many(6), twins()], ids=["four", "six", "twins"])
def test_no_text_covers_another(P: Performances) -> None:
    ax = draw_tile(tile.entity(P))
    ax.figure.canvas.draw()
    upright = [text for text in [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label] if text.get_text()]
    upright += [*ax.get_xticklabels(), *ax.get_yticklabels()]
    boxes = [(text, Text.get_window_extent(text)) for text in upright if text.get_rotation() in (0, 90)]
    assert len(boxes) > 15
    for i, (text, box) in enumerate(boxes):
        for other, other_box in boxes[:i]:
            width = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            height = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            assert min(width, height) < 2, (text.get_text(), other.get_text())


def test_all_text_is_inside_a_new_figure() -> None:
    others = (tile.value(four()[0]), tile.ranking(four(), "middle_net"))
    for ax in (many_drawn()[0].axes[0], *map(draw_tile, others)):
        ax.figure.canvas.draw()
        figure = ax.figure.bbox
        for text in [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]:
            box = text.get_window_extent()
            assert min(box.x0, box.y0, figure.x1 - box.x1, figure.y1 - box.y1) >= 0, text.get_text()


def test_ties_are_drawn_as_ties() -> None:
    ax = draw_tile(tile.entity(twins()))
    assert "a = b\n100 %" in texts(ax)
    assert "Dotted: tied." in texts(ax)
    assert [bool(area.get_hatch()) for area in areas(ax)] == [True]
    lonely = draw_tile(tile.entity(four()))
    assert not any(area.get_hatch() for area in areas(lonely))
    assert "Dotted: tied." not in texts(lonely)


def test_ties_at_other_ranks_are_exact_too() -> None:
    result = tile.entity(twins(), rank=2)
    (region,) = regions_of(result)
    assert region.names == ("a", "b")
    assert region.cells.all()
    assert "a = b\n100 %" in texts(draw_tile(result))


def test_regions_of_a_grid_cover_the_tile_once() -> None:
    result = replace(tile.entity(many(), rank=3), regions=None)  # as where exact ones have too many pieces
    found = regions_of(result)
    assert {name for region in found for name in region.names} == set(result.shares)
    assert (sum(region.cells.astype(int) for region in found) == 1).all()
    assert sum(region.share for region in found) == pytest.approx(1, abs=0.01)


def test_images_hold_the_values() -> None:
    for result in (tile.value(four()[0], resolution=31), tile.ranking(four(), "middle_net", resolution=31)):
        (image,) = draw_tile(result).images
        assert np.array_equal(np.ma.filled(image.get_array(), np.nan), result.values, equal_nan=True)
        low, high = image.get_clim()
        assert (low, high) == ((0.55, 1) if result.flavor == "value" else (0.5, 4.5))


def test_the_color_of_rank_one_is_salient() -> None:
    (image,) = draw_tile(tile.ranking(many(), "model 3", resolution=31)).images
    colors = image.cmap(image.norm(np.arange(1, 21)))
    steps = np.linalg.norm(np.diff(colors, axis=0), axis=1)
    assert steps.argmax() == 0


def test_labels_of_iso_lines_have_a_halo_of_the_other_color() -> None:
    ax = draw_tile(replace(tile.no_skill(0.5), vmin=0.0, values=np.add.outer(np.arange(201), np.arange(201)) / 400))
    labels = [text for c in ax.collections for text in getattr(c, "labelTexts", ())]
    assert {to_hex(text.get_color()) for text in labels} == {INK, PAPER}
    for text in labels:
        (halo,) = text.get_path_effects()
        assert halo._gc["foreground"] == (INK if to_hex(text.get_color()) == PAPER else PAPER)


def test_iso_lines_are_labelled_with_their_values() -> None:
    result = tile.value(four()[0])
    ax = draw_tile(result)
    lines = next(c for c in ax.collections if getattr(c, "labelTexts", None))
    assert len(lines.labelTexts) >= 2
    for text in lines.labelTexts:
        x, y = text.get_position()
        assert result.at(x, y) == pytest.approx(float(text.get_text()), abs=0.01)


def test_hatching_says_where_nobody_has_skill() -> None:
    result = tile.value(four()[0])
    assert result.no_skill is not None
    assert result.no_skill.any()
    ax = draw_tile(result)
    assert any(getattr(c, "hatches", None) == ["//"] for c in ax.collections)
    assert any("Gray stripes" in text for text in texts(ax))
    assert not any("Gray stripes" in text for text in texts(draw_tile(tile.best(four()))))


def test_titles_corners_words_and_exchange_rates() -> None:
    result = tile.entity(many(2))
    ax = draw_tile(result)
    assert ax.get_title(loc="left") == result.title
    assert set(CORNERS.values()) <= set(texts(ax))
    assert "what counts as success" in ax.get_xlabel()
    (right,) = ax.child_axes
    labels = dict(zip(right.get_yticks(), (t.get_text() for t in right.get_yticklabels()), strict=True))
    assert (labels[0.0], labels[1.0]) == ("0", "∞")
    flips = [
        b for region in result.regions for arc in region.borders for b in [float(arc.exact_b(Fraction(1)))] if 0 < b < 1
    ][:1]
    assert float(labels[flips[0]]) == pytest.approx(flips[0] / (1 - flips[0]), rel=0.06)
    assert not draw_tile(result, exchange=False).child_axes


def test_marks_stand_at_their_places_and_near_ones_share_a_label() -> None:
    ax = draw_tile(tile.entity(four()))
    places = {(round(float(line.get_xdata()[0]), 9), round(float(line.get_ydata()[0]), 9))
              for line in ax.lines if line.get_gid() == "mark"}  # fmt: skip
    kappa = 0.64 / (0.64 + 0.04)
    assert places == {(0.5, 0.5), (1, 0.5), (1, 0.8), (1, 0.2), (0.8, 0.8), (round(kappa, 9), 0.5)}
    balanced = texts(draw_tile(tile.no_skill(0.5, resolution=21)))
    assert any(sorted(text.split(", ")) == ["BA", "accuracy", "κ"] for text in balanced)
    assert "accuracy" not in texts(draw_tile(tile.entity(four()), markers=False))
    assert "mine" in texts(draw_tile(tile.entity(four()), markers={"mine": (0.3, 0.3)}))


def test_the_no_skill_curve() -> None:
    ax = draw_tile(tile.entity(four()))
    (curve,) = [line for line in ax.lines if line.get_gid() == "gamma"]
    a, b = curve.get_data()
    assert np.allclose(0.04 * a * b, 0.64 * (1 - a) * (1 - b))


def test_long_names_that_are_alike_can_be_told_apart_and_the_legend_stays_whole() -> None:
    P = many()
    alike = [f"a method whose name is far longer than any figure, number {i}, trained from scratch" for i in range(20)]
    ax = draw_tile(tile.entity(Performances.from_probabilities(P.mass, names=alike)))
    shown = " ".join(texts(ax)).replace("\n", " ")
    for i in (0, 1, 2, 3, 19):
        assert f"…{i},…" in shown
    assert "far longer" not in shown
    assert "Gray stripes: no model beats always answering the same class. Dashed line: the scores by which all" in shown
    assert shown.endswith(" more.")


def test_a_name_that_is_alone_keeps_its_words() -> None:
    assert apart(["a b c", "a b d"]) == {"a b c": "a b c", "a b d": "a b d"}
    long = "the very same beginning of", "and the very same end"
    names = [" ".join([long[0], middle, long[1]]) for middle in ("one", "two")]
    assert list(apart(names).values()) == ["…one…", "…two…"]
    assert list(apart([*names, "svm"]).values()) == ["…one…", "…two…", "svm"]
    assert list(apart([names[0]]).values()) == [names[0]]


@pytest.mark.parametrize("dpi", RESOLUTIONS)
def test_notes_are_inside_a_figure_of_any_resolution(dpi: int) -> None:
    assert many_drawn()[2][dpi] == []


def test_an_empty_tile_has_places_only() -> None:
    ax = draw_tile(None)
    assert ax.get_title(loc="left") == "The Tile"
    assert {"specificity (TNR)", "accuracy", "F₁"} <= set(texts(ax))
    assert not [*ax.images, *ax.patches, *ax.collections]
    assert "γ" not in " ".join(texts(ax))
    assert not [line for line in draw_tile(None, markers=False).lines if line.get_gid() == "mark"]


def test_an_empty_tile_at_a_prior_has_its_curve_and_scores() -> None:
    ax = draw_tile(None, prior=0.2, title="Mine")
    assert ax.get_title(loc="left") == "Mine"
    (curve,) = [line for line in ax.lines if line.get_gid() == "gamma"]
    assert np.allclose(curve.get_ydata(), tile.gamma_pi(0.2, curve.get_xdata()))
    assert {"BA", "κ"} <= set(texts(ax))
    with pytest.raises(UsageError, match="a prior must lie in"):
        draw_tile(None, prior=1.2)


def test_a_title_stands_for_title_and_subtitle() -> None:
    ax = draw_tile(tile.entity(four(), resolution=11), title="Mine")
    assert ax.get_title(loc="left") == "Mine"
    assert not any("comes first for some preference" in text for text in texts(ax))
    assert any(
        "comes first for some preference" in text for text in texts(draw_tile(tile.entity(four(), resolution=11)))
    )


def test_hostile_names_are_drawn_as_they_are() -> None:
    ax = draw_tile(tile.entity(twins(HOSTILE, "n" * 500)))
    (label,) = [text for text in ax.texts if "100 %" in text.get_text()]
    assert label.get_text().startswith("$x_1^{2}$")
    assert not label.get_parse_math()
    assert len(max(label.get_text().split("\n"), key=len)) < 60
    ax.figure.canvas.draw()


def test_names_are_plain_and_short() -> None:
    assert plain(HOSTILE) == "$x_1^{2}$ & <b>q</b> _%s"
    assert plain("\u202e\n") == "(no name)"
    assert plain("日") == "□"
    assert join_names(["n" * 500]) == "n" * 14 + "…" + "n" * 13
    assert join_names(["a", "b", "c"]) == "a = b = c"
    assert join_names(list("abcdef")) == "a = b = 4 more"


@pytest.mark.some(1)
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figures_are_saved_without_a_warning(suffix: str, tmp_path: Path) -> None:
    for number, result in enumerate([tile.entity(twins(HOSTILE, "日本語 😀")), tile.value(four()[0], resolution=31)]):
        path = tmp_path / f"{number}.{suffix}"
        draw_tile(result).figure.savefig(path)
        assert path.stat().st_size > 5000


@pytest.mark.nightly
def test_the_picture_is_deterministic() -> None:
    assert np.array_equal(many_drawn()[1], pixels(draw_tile(tile.entity(many())).figure))


@pytest.mark.nightly
def test_subplots_get_text_of_one_smaller_size() -> None:
    figure, axes = plt.subplots(1, 3, figsize=(12, 5), layout="constrained")
    for ax in axes:
        assert draw_tile(tile.entity(four()), ax=ax) is ax
    figure.canvas.draw()
    sizes = {ax.xaxis.label.get_fontsize() for ax in axes}
    assert len(sizes) == 1
    assert max(sizes) < draw_tile(tile.entity(four())).xaxis.label.get_fontsize()
    boxes = [ax.get_tightbbox() for ax in axes]
    assert all(left.x1 <= right.x0 + 1 for left, right in pairwise(boxes))


def test_undefined_places_stay_empty() -> None:
    P = Performances.from_counts([[9, 0, 1, 0]], names=["never"])
    for drawn in (tile.entity(P), tile.value(P, resolution=11), tile.ranking(P, "never", resolution=11)):
        figure = draw_tile(drawn).figure
        figure.canvas.draw()
        assert np.isnan(drawn.values[0, -1])  # PPV


def test_a_tilted_name_stands_in_its_region() -> None:
    n = 12
    fpr = np.linspace(0.002, 0.9, n) ** 1.4
    tpr = 1 - (1 - fpr**0.3) ** 1.2
    fp, fn = np.round(12000 * fpr).astype(int), np.round(8000 * (1 - tpr)).astype(int)
    counts = np.stack([12000 - fp, fp, fn, 8000 - fn], axis=1)
    tile_map = tile.entity(Performances.from_counts(counts, names=[f"network {i}" for i in range(n)]))
    tilted = [text for text in tile_map.plot().texts if text.get_rotation()]
    assert len(tilted) > 1
    for text in tilted:
        a, b = text.get_position()
        assert text.get_text().startswith(tile_map.at(a, b)[0])


def test_a_note_that_fits_on_its_lines_is_not_shortened():
    P = Performances.from_counts([[945, 5, 25, 25], [925, 25, 12, 38], [880, 70, 4, 46]], names=list("abc"))
    ax = draw_tile(tile.entity(P))
    (note,) = [text.get_text() for text in ax.texts if text.get_gid() == "note"]
    assert "Dashed line" in note.replace("\n", " ")
    assert "…" not in note

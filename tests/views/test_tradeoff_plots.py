"""Drawings of trade-offs: artists against the numbers of the results, and text that does not overlap."""

import warnings
from math import inf
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

import rankscape as rs
from rankscape import Performances, UsageError, plots
from rankscape._report.pages import content
from rankscape._tradeoff import Tradeoff, tradeoff, tradeoffs
from rankscape._tradeoff.segments import coordinate
from rankscape.plots.board import spread
from rankscape.plots.tradeoff import drawn_curve, drawn_path, marks_of, place_text

PANELS = ("correlations", "ranks")


def drawn(t: Tradeoff, panel: str, **options: Any) -> Axes:
    """Return the axes of one panel as a figure of its own."""
    return plots.draw_tradeoff(t, panel=panel, **options)


@pytest.fixture(autouse=True)
def _close_figures() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


def of_rates(n: int, seed: int = 3, positives: int = 1000) -> Performances:
    """Return n entities of one prior."""
    rng = np.random.default_rng(seed)
    fp = np.round(9000 * rng.beta(2, 5, n)).astype(int)
    tp = np.round(positives * rng.beta(5, 3, n)).astype(int)
    counts = np.stack([9000 - fp, fp, positives - tp, tp], axis=1)
    return Performances.from_counts(counts, names=[f"network number {k}" for k in range(n)])


def seven(**options: object) -> Tradeoff:
    return tradeoff(of_rates(7), **options)


def concordant() -> Tradeoff:
    return tradeoff([[9, 1, 5, 5], [8, 2, 6, 4], [9, 1, 5, 5]])


def two_domains() -> Performances:
    rows = [*of_rates(7).counts.tolist(), *of_rates(7, seed=8, positives=500).counts.tolist()]
    names = [f"e{k}" for k in range(7)] * 2
    return Performances.from_counts(rows, names=names, domains=["a road"] * 7 + ["b lake"] * 7)


def lines(ax: Axes, gid: str) -> list:
    return [line for line in ax.lines if line.get_gid() == gid]


def said(ax: Axes) -> str:
    return " ".join(text.get_text() for text in ax.texts).replace("\n", " ")


def boxes(figure) -> list:
    """Return all text that is drawn, with where it is: placed as for a picture, which none looks at."""
    figure.draw_without_rendering()
    shown = list(figure.texts)
    for ax in [*figure.axes, *(child for parent in figure.axes for child in parent.child_axes)]:
        shown += [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]
        for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
            low, high = sorted(limits)
            ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            shown += [label for at, label in ticks if low <= at <= high]
    return [(text.get_text(), text.get_window_extent()) for text in shown if text.get_text() and text.get_visible()]


def overlaps(figure) -> list[tuple[str, str]]:
    """Return the pairs of texts that cover each other by more than two pixels."""
    found, placed = [], boxes(figure)
    for i, (text, box) in enumerate(placed):
        for other, other_box in placed[:i]:
            width = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            height = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            if min(width, height) > 2:
                found.append((text, other))
    return found


def outside(figure) -> list[str]:
    area = figure.bbox
    return [
        text for text, box in boxes(figure) if min(box.x0, box.y0, figure.bbox.x1 - box.x1, area.y1 - box.y1) < -0.5
    ]


def steps_at(line, x: float) -> float:
    """Return the height of a line of steps at a place inside a step."""
    data = line.get_xydata()
    return float(np.interp(x, *data[np.argsort(data[:, 0], kind="stable")].T))


ENDS = [("ppv", "tpr"), ("tpr", "ppv"), ("npv", "tpr"), ("tnr", "ppv"), ("tnr", "tpr"), ("tpr", "tnr")]


@pytest.mark.some(2)
@pytest.mark.parametrize("ends", ENDS, ids="-".join)
def test_steps_are_those_of_the_trade_off_at_any_place(ends: tuple[str, str]) -> None:
    t = seven(ends=ends)
    assert t.n_discordant > 1
    (first,), (second,) = (lines(drawn(t, "correlations"), f"tau_{name}") for name in ("first", "second"))
    swaps = coordinate(np.sqrt(np.unique(t.swaps)))
    inside = np.concatenate([[swaps[0] / 2], (swaps[1:] + swaps[:-1]) / 2, [(1 + swaps[-1]) / 2]])
    for x in inside:
        beta = (x / (1 - x)) ** 0.5
        assert (steps_at(first, x), steps_at(second, x)) == pytest.approx(t.tau(beta), abs=1e-12)
    for k, line in enumerate((first, second)):
        for x, beta in zip(swaps, np.sqrt(np.unique(t.swaps)), strict=True):
            at = line.get_ydata()[np.isclose(line.get_xdata(), x, rtol=0, atol=1e-12)]
            assert np.isclose(at, t.tau(beta)[k], rtol=0, atol=1e-12).any()  # a swap has a value of its own


@pytest.mark.some(2)
@pytest.mark.parametrize("ends", ENDS, ids="-".join)
def test_the_first_end_is_at_the_left(ends: tuple[str, str]) -> None:
    t = seven(ends=ends)
    ax = drawn(t, "correlations")
    left, right = ax.get_xlim()
    (first,) = lines(ax, "tau_first")
    assert {left, right} == {0, 1}
    at = dict(zip(first.get_xdata(), first.get_ydata(), strict=True))
    assert at[left] == 1
    assert at[right] == pytest.approx(t.tau_ends)
    assert (left > right) == t.segment.reversed


def test_marks_are_where_the_results_say() -> None:
    t = seven()
    ax = drawn(t, "correlations")
    places = {"optimum": t.beta, "F₁": 1.0, "heuristic": t.heuristic_beta, "SIVF": t.sivf_beta}
    for name, beta in places.items():
        (line,) = lines(ax, f"mark {name}")
        assert line.get_xdata()[0] == pytest.approx(beta**2 / (1 + beta**2))
        dots = lines(ax, f"dot {name}")
        assert sorted(dot.get_ydata()[0] for dot in dots) == sorted(t.tau(beta))
    named = [text.get_text() for text in ax.texts if text.get_gid() == "mark name"]
    assert {name.split(" ")[0] for name in named} == set(places)
    low, high = coordinate(np.sqrt(t.optimal_set))
    bands = [patch for patch in ax.patches if patch.get_gid() == "optimal set"]
    assert len(bands) == (high > low)
    even = tradeoff(of_rates(6, seed=11))
    assert even.optimal_set[0] < even.optimal_set[1]
    (band,) = (patch for patch in drawn(even, "ranks").patches if patch.get_gid() == "optimal set")
    low, high = coordinate(np.sqrt(even.optimal_set))
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((low, high))


def test_curves_stay_visible_on_the_band_of_all_optima() -> None:
    """A curve on the band keeps three quarters of the contrast that it has on paper."""

    def light(color: Any) -> float:
        rgb = np.array(mpl.colors.to_rgb(color))
        return float(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])

    t = tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    axes = [drawn(t, panel) for panel in PANELS]
    bands = {patch.get_facecolor() for ax in axes for patch in ax.patches if patch.get_gid() == "optimal set"}
    assert len(bands) == 1
    assert 1.05 > light(*bands) + 0.05 > 0.75 * 1.05
    assert not [text for ax in axes for text in ax.texts if "_" in text.get_text()]
    assert "_" not in axes[0].get_title(loc="left")


def test_marks_at_one_place_share_it_and_marks_outside_are_left_out() -> None:
    balanced = [[80, 20, 20, 80], [70, 30, 10, 90]]
    assert "F₁ = SIVF" in [mark.name for mark in marks_of(tradeoff(balanced))]
    part = tradeoff(of_rates(7), ends=(rs.at(1, 0.6), "tpr"))
    names = [mark.name for mark in marks_of(part)]
    assert names[0] == "optimum"
    assert "F₁" not in names
    ax = drawn(part, "correlations")
    assert ax.get_xlim() == pytest.approx((0.6, 1))
    assert place_text(tradeoff(balanced, ends=("npv", "tpr")), 1.0) == "a = 0.5"


@pytest.mark.parametrize("ends", ENDS[:3], ids="-".join)
def test_ranks_are_those_of_the_path(ends: tuple[str, str]) -> None:
    t = seven(ends=ends)
    path, ax = t.path(), drawn(t, "ranks")
    lines_of = {
        line.get_gid()[9:]: line.get_xydata() for line in ax.lines if str(line.get_gid()).startswith("ranks of ")
    }
    (rest,) = (part for part in ax.collections if part.get_gid() == "ranks")
    assert len(lines_of) == 6
    assert len(lines_of) + len(rest.get_segments()) == t.n
    for name, data in lines_of.items():
        assert np.array_equal(data[::2, 1], path.rankings[:, t.names.index(name)])
        assert np.array_equal(data[1::2, 1], data[::2, 1])
        assert np.allclose(data[::2, 0], coordinate(path.low))
    others = [k for k, name in enumerate(t.names) if name not in lines_of]
    for row, segment in zip(others, rest.get_segments(), strict=True):
        assert np.array_equal(segment[::2, 1], path.rankings[:, row])
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_those_first_somewhere_are_highlighted_and_tied_ones_share_a_name() -> None:
    t = seven()
    path, ax = t.path(), drawn(t, "ranks")
    for k in (0, -1):
        winner = t.names[int(path.rankings[k].argmin())]
        assert lines(ax, f"ranks of {winner}")
    twins = Performances.from_counts([[80, 2, 9, 9], [80, 2, 9, 9], [70, 12, 3, 15]], names=["p", "q", "r"])
    names = [text.get_text() for text in drawn(tradeoff(twins), "ranks").texts if text.get_gid() == "entity name"]
    assert sorted(names) == ["p = 1 more", "r"]


def test_of_very_many_rankings_some_are_drawn_and_exact() -> None:
    t = tradeoff(of_rates(60))
    some, path = drawn_path(t, most=30), t.path()
    assert len(some) == 30
    assert t.n_rankings == len(path) > 500
    for low, ranks in zip(some.low, some.rankings, strict=True):
        assert np.array_equal(ranks, path.rankings[np.flatnonzero(path.low == low)[-1]])
    assert np.array_equal(some.low[1:], some.high[:-1])
    assert some.high[-1] == inf
    every = drawn_path(t, most=10**9)
    assert np.array_equal(every.rankings, path.rankings)
    assert some.names == t.names


@pytest.mark.nightly
def test_a_large_set_needs_few_artists() -> None:
    t = tradeoff(of_rates(300))
    assert t.n_discordant > 15_000
    axes = [drawn(t, panel) for panel in PANELS]
    for ax in axes:
        assert len(ax.get_children()) < 120
    assert "rankings are drawn" in said(axes[1])


@pytest.mark.nightly
def test_the_faint_lines_of_many_are_an_image_so_that_files_stay_small() -> None:
    counts = np.random.default_rng(1).multinomial(2000, [0.5, 0.1, 0.1, 0.3], 300)
    many, few = tradeoff(counts), tradeoff(counts[:40])
    assert 1.4 * len(content(lambda: drawn(many, "ranks").figure, "svg")) < 500_000  # 1.4: base64, and the rest
    (lines,) = drawn(few, "ranks").collections
    assert not lines.get_rasterized()


CASES = {
    "seven": seven,
    "npv": lambda: seven(ends=("npv", "tpr")),
    "reversed": lambda: seven(ends=("tpr", "ppv")),
    "many": lambda: tradeoff(of_rates(40)),
    "concordant": concordant,
    "one": lambda: tradeoff([[9, 1, 5, 5]]),
    "two": lambda: tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]),
    "differ": lambda: tradeoff([[9, 1, 4, 6], [8, 2, 1, 14], [7, 3, 2, 11], [9, 1, 8, 4]]),
    "names": lambda: tradeoff(Performances.from_counts(of_rates(5).counts, names=["n" * 80, "$x_1$", "", "b", "c\n"])),
}


@pytest.mark.some(1)
@pytest.mark.parametrize("case", CASES)
def test_no_text_covers_another_and_all_is_inside(case: str) -> None:
    t = CASES[case]()
    for panel in PANELS:
        single = drawn(t, panel).figure
        assert (panel, overlaps(single), outside(single)) == (panel, [], [])


def test_nothing_to_trade_off_is_said() -> None:
    t = concordant()
    assert "order all pairs alike" in said(drawn(t, "correlations"))
    assert "No rank depends on the trade-off" in said(drawn(t, "ranks"))
    assert "no pair to order" in said(drawn(tradeoff([[9, 1, 5, 5]]), "correlations"))


def test_panels_are_chosen_and_drawn_on_axes_given() -> None:
    t = seven()
    figure, axes = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")
    for panel, ax in zip(PANELS, axes, strict=True):
        assert t.plot(ax, panel=panel) is ax
    titles = [ax.get_title(loc="left").replace("\n", " ") for ax in axes]
    assert titles == ["Kendall’s τ of Fᵦ with each end", "Ranks between precision and recall"]
    assert overlaps(figure) == []
    with pytest.raises(UsageError, match=r"expected 'ranks' or 'correlations'"):
        t.plot(panel="rank")


def test_things_are_moved_apart_and_stay_inside() -> None:
    placed = spread([0.1, 0.1, 0.9, 0.95, 0.97], [0.1] * 5, 0, 1)
    assert np.diff(placed).min() >= 0.1 - 1e-12
    assert min(placed) >= 0.05 - 1e-12
    assert max(placed) <= 0.95 + 1e-12
    assert spread([0.2, 0.7], [0.1, 0.1], 0, 1) == pytest.approx([0.2, 0.7])
    assert spread([], [], 0, 1) == []


@pytest.mark.nightly
def test_the_figures_of_the_paper_about_cada_rre(shared_data: Path) -> None:  # Fig. 3
    t = tradeoff(rs.read(shared_data / "cada_rre.csv"), distinct=True)
    ax = t.plot()
    assert "band: all optima, 0.427 to 0.46." in said(ax)
    assert (overlaps(ax.figure), outside(ax.figure)) == ([], [])


def test_entities_have_one_color_on_curves_and_in_roc_space() -> None:
    t = seven()
    points, ranks = rs.views.roc(t.performances, by=t.score).plot(), t.plot()
    assert lines(points, "iso")
    colors = {
        line.get_gid().removeprefix("ranks of "): line.get_color()
        for line in ranks.lines
        if "ranks of" in str(line.get_gid())
    }
    assert colors
    drawn = {artist.get_markerfacecolor() for artist in points.lines if artist.get_gid() == "entity"}
    assert drawn & set(colors.values())


@pytest.mark.parametrize("ends", [("ppv", "tpr"), ("npv", "tpr"), ("tpr", "npv"), ("tnr", "npv")])
def test_the_optimum_of_every_domain_is_drawn(ends: tuple[str, str]) -> None:
    ts = tradeoffs(two_domains(), ends)
    ax = ts.plot()
    (drawn,) = [line for line in ax.lines if line.get_gid() == "optimum"]
    found = {domain: t.place[t.segment.moving == "b"] for domain, t in ts.items() if t.n_discordant}
    named = [label.get_text() for label in ax.get_yticklabels()]
    assert dict(zip(named, drawn.get_xdata(), strict=True)) == pytest.approx(found)
    assert (overlaps(ax.figure), outside(ax.figure)) == ([], [])


def test_other_ends_are_not_called_f1() -> None:
    ts = tradeoffs(two_domains(), ("npv", "tpr"))
    assert plots.draw_tradeoffs(ts).get_xlabel() == "← NPV      a      recall →"
    assert "dashed: a = ½" in said(plots.draw_tradeoffs(ts))


@pytest.mark.nightly
def test_very_many_swaps_are_drawn_at_some_of_them() -> None:
    """The curves of many entities pass through exact values; beyond two million swaps nothing is listed."""
    rng = np.random.default_rng(3)
    few, many = (rs.tradeoff(rng.integers(1, 10_000, (n, 4))) for n in (400, 4000))
    assert 20_000 < few.n_discordant < 2_000_000 < many.n_discordant
    drawn, exact = (
        list(zip(*(curve[name] for name in ("from", "to", "passed", "tau_first")), strict=True))
        for curve in (drawn_curve(few), few.curve())
    )
    swaps = [row for row in drawn if row[0] == row[1]]
    assert len(swaps) == 100
    assert set(swaps) <= set(exact)
    curve = drawn_curve(many)
    taus = many.tau(beta=np.array(curve["from"][40:60]))
    assert curve["tau_first"][40:60] == pytest.approx(np.asarray(taus)[0])
    assert len(drawn_path(many, 4)) == 4


def test_names_of_domains_are_whole() -> None:
    domains = ["german_age_numerical", "winterDriveway, night", "a"]
    names = [name for _ in domains for name in ("p", "q")]
    rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9], [9, 1, 4, 6], [7, 2, 1, 9]]
    P = Performances.from_counts(rows, names=names, domains=[domain for domain in domains for _ in range(2)])
    ax = plots.draw_tradeoffs(rs.tradeoffs(P))
    assert {text.get_text() for text in ax.get_yticklabels()} == set(domains)
    ax.figure.canvas.draw()
    assert min(text.get_window_extent().x0 for text in ax.get_yticklabels()) >= 0


def test_where_the_optimum_is_not_equally_far_from_the_ends_it_has_two_dots() -> None:
    t = tradeoff([[0, 0, 4, 6], [0, 0, 6, 6], [0, 2, 3, 6], [0, 4, 0, 6]])
    dots = lines(drawn(t, "correlations"), "dot optimum")
    assert sorted(float(dot.get_ydata()[0]) for dot in dots) == pytest.approx(sorted(t.tau(t.beta)))

"""Figures for papers: as wide as asked for, no text below 6 points, fonts that a printer takes, and names as wanted."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from matplotlib.text import Text

import rankscape as rs
from rankscape import look, plots
from rankscape.cli import main

RNG = np.random.default_rng(0)
M = rs.summarize(rs.datasets.classifiers())
D = rs.Performances.from_counts(
    RNG.integers(20, 400, (160, 4)), names=[f"method {k}" for k in range(4)] * 40,
    domains=[f"domain {d:02d}" for d in range(40) for _ in range(4)],
)  # fmt: skip
MANY = rs.Performances.from_counts(
    RNG.integers(20, 400, (74, 4)), names=[f"a method with a name, {k}" for k in range(74)]
)
Y = [0, 0, 1, 0, 1, 1] * 10
SCORES = {"net": RNG.random(60), "tree": RNG.random(60)}
PAPER: dict[str, Any] = {"style": "paper", "title": None}


def intervals(P: rs.Performances) -> rs.uncertainty.RankIntervals:
    return rs.uncertainty.rank_intervals(P, "f1", draws=60, rng=0)


KINDS: dict[str, Callable[..., Any]] = {
    "correlations": lambda **k: rs.tradeoff(M).plot(panel="correlations", **k),
    "draw_curves": lambda **k: rs.views.cost_curve(M).plot(**k),
    "draw_decision": lambda **k: rs.decide(Y, SCORES, costs=rs.costs(miss=5), folds=3, draws=100).plot(**k),
    "draw_first_tile": lambda **k: rs.uncertainty.first_tile(D, draws=30, resolution=9, rng=0).plot(**k),
    "draw_tradeoffs": lambda **k: rs.tradeoffs(D).plot(**k),
    "draw_points": lambda **k: rs.views.pr(MANY).plot(**k),
    "draw_rank_intervals": lambda **k: intervals(MANY).plot(**k),
    "draw_sure_differences": lambda **k: rs.plots.draw_sure_differences(intervals(MANY), **k),
    "draw_tile": lambda **k: rs.tile.entity(MANY).plot(**k),
    "draw_tradeoff": lambda **k: rs.tradeoff(M).plot(**k),
    "draw_weightings": lambda **k: rs.domains.weightings(D, by="f1").plot(**k),
}


def figure_of(drawn: Any) -> Any:
    return drawn if isinstance(drawn, Figure) else drawn.figure


def texts(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    plt.close("all")


def test_every_function_that_draws_is_tried() -> None:
    assert {kind for kind in KINDS if "draw_" in kind} == {name for name in plots.__all__ if name.startswith("draw_")}


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_is_filled_and_read(kind: str) -> None:
    figure = figure_of(KINDS[kind](**PAPER))
    assert figure.get_size_inches()[0] == pytest.approx(3.3)
    assert min(text.get_fontsize() for text in texts(figure)) >= 6
    canvas: Any = figure.canvas
    around = figure.get_tightbbox(canvas.get_renderer())
    assert around.x0 > -0.01
    assert around.x1 < 3.31
    assert around.y0 > -0.01
    assert around.y1 < figure.get_size_inches()[1] + 0.01
    assert not any(ax.get_title(loc="left") for ax in figure.axes)
    assert figure.caption


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["draw_tile", "draw_tradeoff"])
def test_files_hold_truetype_fonts_and_text(kind: str) -> None:
    figure = figure_of(KINDS[kind](**PAPER))
    pdf, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(pdf, format="pdf")
    figure.savefig(svg, format="svg")
    assert b"/Type3" not in pdf.getvalue()
    assert b"/FontFile2" in pdf.getvalue()
    assert svg.getvalue().count(b"<text") >= 10
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", pdf.getvalue())
    assert box
    assert float(box[1]) == pytest.approx(3.3 * 72, abs=0.1)


def test_the_check_of_fonts_can_fail() -> None:
    figure, pdf = plt.figure(), io.BytesIO()
    figure.text(0.5, 0.5, "text")
    figure.savefig(pdf, format="pdf")
    assert b"/Type3" in pdf.getvalue()


def test_gray_print_tells_regions_apart() -> None:
    ax = rs.tile.entity(M).plot(**PAPER)
    regions = {area.get_label(): area.get_hatch() for area in ax.patches if area.get_gid() == "region"}
    assert len(set(regions.values())) == len(regions) > 2
    patterns = look.gray_patterns_of([str(i) for i in range(32)])
    assert len(set(patterns.values())) == 32


def test_of_many_entities_the_first_eight_have_colors() -> None:
    result = intervals(MANY)
    ax = result.plot()
    dots = {
        line.get_gid()[4:]: line.get_markerfacecolor() for line in ax.lines if str(line.get_gid()).startswith("dot ")
    }
    first = [result.names[row] for row in result.order[:8]]
    assert {name for name, color in dots.items() if color != look.REST} == set(first)
    assert {name: dots[name] for name in first} == {name: look.colors_of(result.names)[name] for name in first}


def test_the_font_is_that_of_matplotlib() -> None:
    with pytest.raises(rs.UnknownOptionError, match=r"rcParams\["):
        rs.tile.entity(M).plot(font="DejaVu Serif")
    with plt.rc_context({"font.family": ["DejaVu Serif", "DejaVu Sans"]}):
        ax = rs.tile.entity(M).plot()
    assert ax.xaxis.label.get_fontfamily()[0] == "DejaVu Serif"


def test_entities_are_called_as_the_data_call_them() -> None:
    labels = {"kernel SVM": "balanced tree", "balanced tree": "kernel SVM", "nearest neighbors": "3-NN"}
    named = M.rename(labels)
    written = " ".join(text.get_text() for text in rs.tile.entity(named).plot().texts)
    assert "3-NN" in written
    assert "balanced tree" in written
    assert "kernel SVM" not in written
    title = rs.tile.value(named, "3-NN").plot().get_title(loc="left")
    assert title == "How good 3-NN is, for every preference"
    with pytest.raises(rs.UnknownOptionError, match=r"P\.rename"):
        rs.tile.entity(M).plot(names=labels)


@pytest.mark.parametrize(
    "options",
    [
        {"width": 1},
        {"style": "poster"},
        {"width": float("nan")},
        {"width": "3"},
        {"title": 5},
    ],
)
def test_what_no_figure_can_be_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(rs.UsageError, match="expected"):
        rs.tile.entity(M).plot(**options)
    with pytest.raises(rs.UsageError, match="a width is that of a new figure"):
        rs.tile.entity(M).plot(plt.subplots()[1], width=3)


@pytest.mark.nightly
def test_the_commands_take_the_same_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text(
        "entity,domain,tn,fp,fn,tp\na,x,50,10,5,35\nb,x,45,15,2,38\na,y,50,9,5,35\nb,y,45,5,12,38\n"
    )
    how = ["--style", "paper"]
    for number, command in enumerate((
        ["tile", "r.csv"], ["rank", "r.csv", "--uncertainty", "--draws", "50"], ["tradeoff", "r.csv"],
    )):  # fmt: skip
        done = CliRunner().invoke(main, [*command, *how, "-o", f"{number}.pdf"])
        assert done.exit_code == 0, done.output
        assert "caption: " in done.output
        content = Path(f"{number}.pdf").read_bytes()
        assert b"/Type3" not in content
        refused = CliRunner().invoke(main, [*command, *how, "-o", "x.csv"])
        assert "--style is for figures" in refused.output
    assert not Path("x.csv").exists()

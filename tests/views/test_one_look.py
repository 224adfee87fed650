"""One look: figures, page, card and site take colors, palettes, words of axes and formats from the same source."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import rankscape as rs
from rankscape import flavors, look, plots, texts
from rankscape._report.card import front_of
from rankscape._report.sections import Asked
from rankscape._site.challenge import Challenge
from rankscape.domains import prepare
from rankscape.explorer import document
from rankscape.plots.tile import SEQUENTIAL, SIGNED

RNG = np.random.default_rng(5)
RESULTS = Path(__file__).parents[2] / "examples" / "results.csv"
MANY = rs.Performances.from_counts(
    np.column_stack([RNG.integers(300, 900, (74, 2)), RNG.integers(50, 500, (74, 2))])[:, [0, 2, 3, 1]],
    names=[f"model {k}" for k in range(74)],
)
DOMAINS = rs.Performances.from_counts(
    RNG.integers(20, 400, (240, 4)), names=[f"method {k}" for k in range(6)] * 40,
    domains=[f"domain {d:02d}" for d in range(40) for _ in range(6)],
)  # fmt: skip
DATA = {"74 models": MANY, "results.csv": rs.read(RESULTS), "40 domains": DOMAINS}
SHARES = [0.0001, 0.0123, 0.2994, 0.47, 0.5, 0.99949, 0.9999, 1.0]
DRIVER = """
const at = %s;
console.log(JSON.stringify({
  hues: at.places.map(hueAt), rounds: at.places.map(roundAt), rest: REST, axes: LOOK.axes, corners: LOOK.corners,
  signed: at.grid.map((x) => colorOf(x, true)), sequential: at.grid.map((x) => colorOf(x)), table: TABLE,
  percents: at.shares.map(percent),
}));
"""
GRID = np.linspace(0, 1, 33)


@pytest.fixture(scope="module")
def page() -> Any:
    """What the modules of the page make of what they are given."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the page's colors are not compared")
    modules = document.bundle("look", "flavors", "palette", "texts")
    given = json.dumps({"places": list(range(74)), "grid": GRID.tolist(), "shares": SHARES})
    done = subprocess.run(
        [node, "-"], input=modules + DRIVER % given, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.some(2)
@pytest.mark.parametrize("name", DATA)
def test_an_entity_has_its_color_everywhere(name: str, page: Any) -> None:
    P = DATA[name]
    entities = list(dict.fromkeys(P.names))
    colors = look.colors_of(entities)
    assert [page["hues"][k] for k in range(len(entities))] == list(colors.values())
    assert [page["rounds"][k] for k in range(len(entities))] == list(look.rounds_of(entities).values())
    asked = Asked(prepare(P), rs.score("f1"), "min", 0.95, rs.uncertainty.posterior(P, draws=30, rng=0))
    mean, intervals = asked.averaged, asked.intervals
    assert intervals is not None
    tile = rs.tile.entity(mean).plot()
    for area in tile.patches:
        if area.get_gid() == "region":
            assert to_hex(area.get_facecolor()) == look.tint(colors[area.get_label().removeprefix("_")])
    view = rs.views.pr(mean)
    hull = [view.names[row] for row in view.hull] if view.hull is not None else list(view.first)
    filled = {to_hex(dot.get_markerfacecolor()) for dot in view.plot().lines if dot.get_gid() == "entity"}
    assert filled <= {colors[one] for one in hull} | {look.REST}
    bright = {intervals.names[row] for row in intervals.order[:8]} if len(entities) > 8 else set(entities)
    for dot in intervals.plot().lines:
        if str(dot.get_gid()).startswith("dot "):
            one = str(dot.get_gid())[4:]
            assert dot.get_markerfacecolor() == (colors[one] if one in bright else look.REST)
    front = front_of(asked, {section.title: section for section in asked.sections}, "")
    for row in front.rows:
        assert front.colors[row.name] == colors[row.name]
    assert Challenge(asked, None, None).colors == colors  # type: ignore[arg-type]


def test_blue_is_better_and_the_palettes_are_one(page: Any) -> None:
    for cmap, name in ((SIGNED, "signed"), (SEQUENTIAL, "sequential")):
        drawn = np.array([cmap(x)[:3] for x in GRID]) * 255
        assert np.abs(drawn - np.array(page[name])).max() < 3  # steps of matplotlib's table of 256 colors
    assert page["signed"][-1][2] > page["signed"][-1][0]
    assert page["signed"][0][0] > page["signed"][0][2]
    tile_map = rs.tile.difference(DATA["results.csv"].in_domain("wine 2"), "kernel SVM", "naive Bayes")
    (image,) = [image for image in tile_map.plot().images]
    best = np.unravel_index(np.nanargmax(tile_map.values), tile_map.values.shape)
    red, _, blue, _ = image.cmap(image.norm(tile_map.values[best]))
    assert blue > red


def test_axes_have_the_same_words(page: Any) -> None:
    assert {name: tuple(words) for name, words in page["axes"].items()} == look.AXES
    assert page["corners"] == list(look.CORNERS.values())
    P = DATA["results.csv"].in_domain("wine 2")
    for words, ax in (
        (look.AXES["tile"], rs.tile.entity(P).plot()), (look.AXES["roc"], rs.views.roc(P).plot()),
        (look.AXES["pr"], rs.views.pr(P).plot()), (look.AXES["tile"], plots.draw_tile(None)),
    ):  # fmt: skip
        assert (ax.get_xlabel(), ax.get_ylabel()) == words
    corners = {text.get_text() for text in rs.tile.entity(P).plot().texts}
    assert set(look.CORNERS.values()) <= corners
    narrow = rs.tile.value(P, "kernel SVM").plot(style="paper")
    steps = [look.AXES["tile"][0]]
    while steps[-1] in look.NARROW:
        steps.append(look.NARROW[steps[-1]])
    assert narrow.get_xlabel() in steps


def test_maps_have_the_same_titles_and_scales(page: Any) -> None:
    assert page["table"] == flavors.as_data()
    P = DATA["results.csv"].in_domain("wine 2")
    titles = {flavor["id"]: flavor["title"] for flavor in page["table"]}
    assert rs.tile.entity(P).title == titles["entity"]
    assert rs.tile.value(P, "kernel SVM").title == titles["value"].replace("{name}", "kernel SVM")


def test_shares_are_written_alike(page: Any) -> None:
    """Up to the kind of space."""
    written = [text.replace("\u00a0", " ") for text in page["percents"]]
    assert written == [texts.percent(share) for share in SHARES]
